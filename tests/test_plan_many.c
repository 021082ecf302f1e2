// SPDX-License-Identifier: MIT
// One start and many goals, many starts and one goal: the same answers as single queries, for less.
#include "octant/names.h"
#include "octant/tree.h"
#include "search_scene.h"

#include <math.h>

#define ENDS 9

// What a call reported.
typedef struct report {
    oct_path paths[ENDS];
    int times[ENDS];
} report;

static void note(void *ctx, size_t index, uint32_t worker, const oct_path *path)
{
    report *const r = ctx;
    assert_true(index < ENDS);
    assert_int_equal(worker, 0);
    if (r->times[index]++ == 0) {
        r->paths[index] = scene_copy_path(path);
    }
}

static void report_free(report *r)
{
    for (int i = 0; i < ENDS; i++) {
        if (r->times[i] > 0) {
            scene_free_copy(&r->paths[i]);
        }
    }
    *r = (report){.times = {0}};
}

// A scene with one end and many others: anywhere, one twice, and the one itself.
typedef struct fixture {
    search_scene s;
    oct_point one;
    oct_point ends[ENDS];
} fixture;

static void set_up(fixture *f, uint64_t seed, scene_wish wish)
{
    search_scene_init(&f->s, seed, seed % 2 ? 2 : 3, seed % 2 ? 9 : 5, wish);
    f->one = scene_random_end(&f->s).at;
    for (int i = 0; i < ENDS - 2; i++) {
        f->ends[i] = scene_random_end(&f->s).at;
    }
    f->ends[ENDS - 2] = f->one;
    f->ends[ENDS - 1] = f->ends[seed % 4];
}

static oct_query query_of(const fixture *f, oct_query q, int i, bool is_reversed)
{
    q.from = is_reversed ? f->ends[i] : f->one;
    q.to = is_reversed ? f->one : f->ends[i];
    return q;
}

static oct_result plan_many(const fixture *f, oct_planner *planner, oct_query q, bool is_reversed,
                            report *r)
{
    q = query_of(f, q, 0, is_reversed);
    return is_reversed ? oct_lab_plan_from_many(planner, &q, f->ends, ENDS, note, r)
                       : oct_lab_plan_to_many(planner, &q, f->ends, ENDS, note, r);
}

static bool is_shared(oct_lab_graph graph, oct_lab_algorithm algorithm)
{
    return graph != OCT_LAB_GRAPH_VISIBILITY && graph != OCT_LAB_GRAPH_VISIBILITY_ALL &&
           (algorithm == OCT_LAB_DIJKSTRA || algorithm == OCT_LAB_ASTAR);
}

// Expansions in all, by graph and algorithm.
typedef struct tally {
    uint64_t alone[SCENE_CHOICES], together[SCENE_CHOICES];
} tally;

// Compares with single queries. Where the search is not shared every bit is the same.
static void check_many(const fixture *f, oct_planner *planner, oct_planner *single, oct_query q,
                       bool is_reversed, uint64_t *alone, uint64_t *together)
{
    const search_scene *const s = &f->s;
    report r = {.times = {0}};
    assert_int_equal(plan_many(f, planner, q, is_reversed, &r), OCT_OK);
    for (int i = 0; i < ENDS; i++) {
        const oct_query own = query_of(f, q, i, is_reversed);
        const oct_path expected = scene_plan(s, single, &own), *const path = &r.paths[i];
        SCENE_CHECK(s, &own, r.times[i] == 1, "end %d was reported %d times", i, r.times[i]);
        SCENE_CHECK(s, &own, path->status == expected.status, "end %d: %s, alone %s", i,
                    oct_path_status_name(path->status), oct_path_status_name(expected.status));
        SCENE_CHECK(s, &own, fabs(path->cost - expected.cost) <= 1e-9 * oct_tree_cell_size(s->tree),
                    "end %d costs %.12g, alone %.12g", i, path->cost, expected.cost);
        SCENE_CHECK(s, &own, path->straight == expected.straight, "straight of end %d", i);
        if (path->status == OCT_PATH_FOUND) {
            scene_check_path(s, &own, path);
        } else if (!q.partial) {
            scene_check_no_path(s, &own, path);
        }
        SCENE_CHECK(
            s, &own,
            (is_shared(lab_of(&q).graph, lab_of(&q).algorithm) && !q.record && !q.partial) ||
                scene_paths_equal(path, &expected),
            "end %d: not what it is alone", i);
        *alone += expected.expanded;
        *together += path->expanded;
    }
    report_free(&r);
}

// Every algorithm on every graph; what was expanded is added up.
static void check_choices(const fixture *f, oct_query q, bool is_reversed, tally *sum)
{
    oct_planner *const planner = scene_planner(&f->s, NULL), *single = scene_planner(&f->s, NULL);
    for (int i = 0; i < SCENE_CHOICES; i++) {
        if (scene_choose(&f->s, &q, i)) {
            check_many(f, planner, single, q, is_reversed, &sum->alone[i], &sum->together[i]);
        }
    }
    oct_planner_destroy(single);
    oct_planner_destroy(planner);
}

static uint64_t sum_of(const uint64_t *counts)
{
    uint64_t sum = 0;
    for (int i = 0; i < SCENE_CHOICES; i++) {
        sum += counts[i];
    }
    return sum;
}

static void many_ends_are_as_each_alone(void **state)
{
    (void)state;
    tally sum = {{0}, {0}};
    for (uint64_t seed = 1; seed < test_rounds(60); seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        oct_query q = oct_query_default();
        q.terms = f.s.terms;
        check_choices(&f, q, seed & 2, &sum);
        search_scene_free(&f.s);
    }
    for (int i = 0; i < SCENE_CHOICES; i++) {
        const oct_lab_graph graph = (oct_lab_graph)(i / OCT_LAB_ALGORITHM_COUNT);
        const oct_lab_algorithm algorithm = (oct_lab_algorithm)(i % OCT_LAB_ALGORITHM_COUNT);
        if (sum.alone[i] > 0) {
            assert_true(is_shared(graph, algorithm) ? sum.together[i] < sum.alone[i]
                                                    : sum.together[i] == sum.alone[i]);
        }
    }
}

static void partial_paths_and_records_of_many(void **state)
{
    (void)state;
    tally sum = {{0}, {0}};
    for (uint64_t seed = 200; seed < 212; seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        oct_query q = oct_query_default();
        q.terms = f.s.terms;
        q.record = seed % 3 != 0;
        q.partial = seed % 3 != 1;
        check_choices(&f, q, seed & 2, &sum);
        search_scene_free(&f.s);
    }
    assert_int_equal(sum_of(sum.alone), sum_of(sum.together));
}

static void whatever_guides_a_search_many_ends_are_as_each_alone(void **state)
{
    (void)state;
    tally sum = {{0}, {0}};
    for (uint64_t seed = 600; seed < 612; seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        oct_query q = oct_query_default();
        q.terms = f.s.terms;
        LAB_SET(&q, heuristic, (oct_lab_heuristic)(1 + seed % (OCT_LAB_HEURISTIC_COUNT - 1)));
        check_choices(&f, q, seed & 2, &sum);
        search_scene_free(&f.s);
    }
    assert_true(sum_of(sum.together) < sum_of(sum.alone));
}

// One search for all goals in a larger world costs much less than one for each.
static void a_shared_search_saves_much(void **state)
{
    (void)state;
    fixture f;
    search_scene_init(&f.s, 3, 3, 10,
                      (scene_wish){.known = true, .no_bounds = true, .no_prices = true});
    assert_int_equal(oct_tree_set_box(f.s.tree, f.s.drawn, OCT_MARK_OPEN), OCT_OK);
    const oct_vec lo = f.s.drawn.min;
    for (int i = 0; i <= ENDS; i++) {
        const oct_fine at = {(lo.x + i) * 256 + 128, (lo.y + 9 - i) * 256 + 128, lo.z * 256 + 128};
        *(i < ENDS ? &f.ends[i] : &f.one) = oct_tree_point(f.s.tree, at);
    }
    oct_planner *const planner = scene_planner(&f.s, NULL), *single = scene_planner(&f.s, NULL);
    oct_query q = oct_query_default();
    q.terms = f.s.terms;
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&q, algorithm, OCT_LAB_DIJKSTRA);
    uint64_t alone = 0, together = 0;
    check_many(&f, planner, single, q, false, &alone, &together);
    assert_true(together * 3 < alone);
    oct_planner_destroy(single);
    oct_planner_destroy(planner);
    search_scene_free(&f.s);
}

// ---- budgets ----

static void budgets_hold_for_each(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(40);
    uint64_t ended = 0;
    for (uint64_t seed = 300; seed < 300 + rounds; seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        oct_planner *const planner = scene_planner(&f.s, NULL);
        oct_query q = oct_query_default();
        q.terms = f.s.terms;
        q.node_budget = 10;
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (!scene_choose(&f.s, &q, i)) {
                continue;
            }
            report r = {.times = {0}};
            assert_int_equal(plan_many(&f, planner, q, seed & 1, &r), OCT_OK);
            for (int k = 0; k < ENDS; k++) {
                const oct_query own = query_of(&f, q, k, seed & 1);
                assert_int_equal(r.times[k], 1);
                assert_true(r.paths[k].expanded <= q.node_budget);
                if (r.paths[k].status == OCT_PATH_FOUND) {
                    scene_check_path(&f.s, &own, &r.paths[k]);
                } else if (r.paths[k].status == OCT_PATH_BUDGET) {
                    SCENE_CHECK(&f.s, &own, r.paths[k].expanded == q.node_budget, "too early");
                    ended++;
                }
            }
            report_free(&r);
        }
        oct_planner_destroy(planner);
        search_scene_free(&f.s);
    }
    assert_true(ended > 2 * rounds);
}

// ---- memory ----

static void what_is_warm_allocates_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 400; seed < 410; seed++) {
        fixture f;
        test_allocator memory;
        size_t warm = 0;
        set_up(&f, seed, (scene_wish){0});
        test_allocator_init(&memory, TEST_NEVER);
        oct_planner *const planner = scene_planner(&f.s, &memory.allocator);
        oct_query q = oct_query_default();
        q.terms = f.s.terms;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2 * SCENE_CHOICES; i++) {
                if (scene_choose(&f.s, &q, i / 2)) {
                    report r = {.times = {0}};
                    assert_int_equal(plan_many(&f, planner, q, i % 2, &r), OCT_OK);
                    assert_int_equal(oct_planner_bytes(planner), memory.live_bytes);
                    report_free(&r);
                }
            }
            assert_true(round == 0 || memory.allocations == warm);
            warm = memory.allocations;
        }
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
        search_scene_free(&f.s);
    }
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 508; seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){.known = seed & 4});
        oct_planner *const single = scene_planner(&f.s, NULL);
        oct_query q = oct_query_default();
        q.terms = f.s.terms;
        for (int i = 0; i < SCENE_CHOICES; i++) {
            bool refused =
                scene_choose(&f.s, &q, i) && is_shared(lab_of(&q).graph, lab_of(&q).algorithm);
            for (size_t fail_at = 1; refused; fail_at++) {
                test_allocator memory;
                uint64_t alone = 0, together = 0;
                report r = {.times = {0}};
                test_allocator_init(&memory, TEST_NEVER);
                oct_planner *const planner = scene_planner(&f.s, &memory.allocator);
                memory.fail_at = fail_at;
                const oct_result result = plan_many(&f, planner, q, seed & 1, &r);
                refused = memory.refused;
                assert_int_equal(result, refused ? OCT_ERROR_MEMORY : OCT_OK);
                report_free(&r);
                check_many(&f, planner, single, q, seed & 1, &alone, &together);
                oct_planner_destroy(planner);
                test_allocator_check_empty(&memory);
            }
        }
        oct_planner_destroy(single);
        search_scene_free(&f.s);
    }
}

// ---- what makes no sense ----

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 1, (scene_wish){.no_bounds = true, .known = true});
    oct_planner *const planner = scene_planner(&f.s, NULL);
    report r = {.times = {0}};
    oct_query q = oct_query_default();
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&q, algorithm, OCT_LAB_ASTAR);
    q.from = q.to = f.one;
    assert_int_equal(oct_lab_plan_to_many(planner, &q, f.ends, 0, note, &r), OCT_OK);
    assert_int_equal(oct_lab_plan_from_many(planner, &q, NULL, 0, note, &r), OCT_OK);
    LAB_SET(&q, algorithm, OCT_LAB_GREEDY);
    assert_int_equal(plan_many(&f, planner, q, false, &r), OCT_ERROR_ARGUMENT);
    LAB_SET(&q, algorithm, OCT_LAB_ALGORITHM_COUNT);
    assert_int_equal(plan_many(&f, planner, q, true, &r), OCT_ERROR_ARGUMENT);
    LAB_SET(&q, algorithm, OCT_LAB_ASTAR);
    LAB_SET(&q, graph, OCT_LAB_GRAPH_USER);
    assert_int_equal(plan_many(&f, planner, q, false, &r), OCT_ERROR_ARGUMENT);
    LAB_SET(&q, graph, OCT_LAB_GRAPH_COUNT);
    assert_int_equal(plan_many(&f, planner, q, false, &r), OCT_ERROR_ARGUMENT);
    LAB_SET(&q, graph, OCT_LAB_GRAPH_DUAL);
    LAB_SET(&q, neighbours, 7);
    assert_int_equal(plan_many(&f, planner, q, false, &r), OCT_ERROR_ARGUMENT);
    LAB_SET(&q, neighbours, 0);
    q.cookie = 0;
    assert_int_equal(plan_many(&f, planner, q, false, &r), OCT_ERROR_ARGUMENT);
    for (int i = 0; i < ENDS; i++) {
        assert_int_equal(r.times[i], 0);
    }
    q = oct_query_default();
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CORNER);
    f.ends[2].x = 1e18;
    for (int a = 0; a < OCT_LAB_GREEDY; a++) {
        LAB_SET(&q, algorithm, (oct_lab_algorithm)a);
        assert_int_equal(plan_many(&f, planner, q, a % 2, &r), OCT_ERROR_RANGE);
    }
    report_free(&r);
    oct_planner_destroy(planner);
    search_scene_free(&f.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_ends_are_as_each_alone),
        cmocka_unit_test(partial_paths_and_records_of_many),
        cmocka_unit_test(whatever_guides_a_search_many_ends_are_as_each_alone),
        cmocka_unit_test(a_shared_search_saves_much),
        cmocka_unit_test(budgets_hold_for_each),
        cmocka_unit_test(what_is_warm_allocates_nothing),
        cmocka_unit_test(refused_memory_is_a_result),
        cmocka_unit_test(calls_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
