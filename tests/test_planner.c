// SPDX-License-Identifier: MIT
// Planners: statuses, budgets, slices, partial paths, records, memory, and queries that make no
// sense.
#include "octant/names.h"
#include "octant/tree.h"
#include "search_scene.h"

#include <math.h>

// A scene, a planner, and a query between two of its points.
typedef struct fixture {
    search_scene s;
    oct_planner *planner;
    scene_end from, to;
    oct_query q;
} fixture;

static void set_up(fixture *f, uint64_t seed, scene_wish wish)
{
    search_scene_init(&f->s, seed, seed % 2 ? 2 : 3, seed % 2 ? 9 : 5, wish);
    f->planner = scene_planner(&f->s, NULL);
    f->from = scene_random_end(&f->s);
    f->to = scene_random_end(&f->s);
    f->q = scene_query(&f->s, &f->from, &f->to);
}

static void tear_down(fixture *f)
{
    oct_planner_destroy(f->planner);
    search_scene_free(&f->s);
}

// ---- slices ----

static oct_path plan_in_slices(const fixture *f, oct_planner *planner, uint64_t expansions)
{
    oct_path path;
    uint64_t steps = 0;
    assert_int_equal(oct_planner_begin(planner, &f->q), OCT_OK);
    do {
        assert_int_equal(oct_planner_step(planner, expansions, &path), OCT_OK);
        steps++;
        SCENE_CHECK(&f->s, &f->q,
                    path.status != OCT_PATH_RUNNING || path.expanded == steps * expansions,
                    "a step did not use its slice");
    } while (path.status == OCT_PATH_RUNNING);
    SCENE_CHECK(&f->s, &f->q, path.expanded <= steps * expansions, "a slice was exceeded");
    return path;
}

static void slices_give_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t slices[] = {1, 7, 100};
    for (uint64_t seed = 1; seed < test_rounds(60); seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        oct_planner *const other = scene_planner(&f.s, NULL);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (!scene_choose(&f.s, &f.q, i)) {
                continue;
            }
            f.q.record = oct_random_below(&f.s.random, 2);
            f.q.partial = oct_random_below(&f.s.random, 2);
            f.q.node_budget = oct_random_below(&f.s.random, 3) ? 0 : 20;
            const oct_path whole = scene_plan(&f.s, f.planner, &f.q);
            for (int k = 0; k < 3; k++) {
                const oct_path sliced = plan_in_slices(&f, other, slices[k]);
                SCENE_CHECK(&f.s, &f.q, scene_paths_equal(&whole, &sliced),
                            "slices of %d give another result", (int)slices[k]);
            }
        }
        oct_planner_destroy(other);
        tear_down(&f);
    }
}

static void steps_need_a_beginning(void **state)
{
    (void)state;
    search_scene s;
    oct_path path;
    SCENE_DRAW(&s, 2, 1, "....", "....");
    oct_planner *const planner = scene_planner(&s, NULL);
    assert_int_equal(oct_planner_step(planner, 1, &path), OCT_ERROR_ARGUMENT);
    oct_query q = oct_query_default();
    q.from = (oct_point){0.5, 0.5, 0};
    q.to = (oct_point){3.5, 1.5, 0};
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&q, algorithm, OCT_LAB_LAZY_THETA);
    assert_int_equal(oct_planner_begin(planner, &q), OCT_OK);
    assert_int_equal(oct_planner_step(planner, 1, &path), OCT_OK);
    assert_int_equal(path.status, OCT_PATH_RUNNING);
    assert_int_equal(path.point_count, 0);
    assert_int_equal(oct_planner_step(planner, 0, &path), OCT_OK);
    assert_int_equal(path.status, OCT_PATH_RUNNING);
    assert_int_equal(path.expanded, 1);
    assert_int_equal(oct_planner_step(planner, UINT64_MAX, &path), OCT_OK);
    assert_int_equal(path.status, OCT_PATH_FOUND);
    assert_int_equal(oct_planner_step(planner, 1, &path), OCT_ERROR_ARGUMENT);
    // A query that fails ends the one that was begun.
    assert_int_equal(oct_planner_begin(planner, &q), OCT_OK);
    LAB_SET(&q, neighbours, 7);
    assert_int_equal(oct_planner_begin(planner, &q), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_planner_step(planner, 1, &path), OCT_ERROR_ARGUMENT);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

static void an_edit_makes_a_search_stale(void **state)
{
    (void)state;
    for (int i = 0; i < SCENE_CHOICES; i++) {
        search_scene s;
        oct_path path;
        SCENE_DRAW(&s, 2, 1, "....", ".##.", "....");
        oct_planner *const planner = scene_planner(&s, NULL);
        oct_query q = oct_query_default();
        q.from = (oct_point){0.5, 0.5, 0};
        q.to = (oct_point){3.5, 2.5, 0};
        if (scene_choose(&s, &q, i)) {
            q.partial = q.record = true;
            assert_int_equal(oct_planner_begin(planner, &q), OCT_OK);
            assert_int_equal(oct_planner_step(planner, 1, &path), OCT_OK);
            assert_int_equal(path.status, OCT_PATH_RUNNING);
            // What changes nothing does no harm.
            assert_int_equal(oct_tree_set(s.tree, (oct_cell){0, 0, 0, 0}, OCT_MARK_OPEN), OCT_OK);
            assert_int_equal(oct_planner_step(planner, 1, &path), OCT_OK);
            assert_int_equal(path.status, OCT_PATH_RUNNING);
            assert_int_equal(oct_tree_set(s.tree, (oct_cell){1, 0, 0, 0}, OCT_MARK_BLOCKED),
                             OCT_OK);
            assert_int_equal(oct_planner_step(planner, 1, &path), OCT_OK);
            assert_int_equal(path.status, OCT_PATH_STALE);
            assert_int_equal(path.point_count, 0);
            assert_int_equal(oct_planner_step(planner, 1, &path), OCT_ERROR_ARGUMENT);
            path = scene_plan(&s, planner, &q);
            scene_check_path(&s, &q, &path);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// ---- budgets ----

static void check_budget(fixture *f, uint64_t budget, const oct_path *whole)
{
    f->q.node_budget = budget;
    oct_path path = scene_plan(&f->s, f->planner, &f->q);
    if (budget >= whole->expanded + (whole->status == OCT_PATH_FOUND ? 0 : 1)) {
        SCENE_CHECK(&f->s, &f->q, scene_paths_equal(&path, whole), "enough, but not the same");
        return;
    }
    SCENE_CHECK(&f->s, &f->q, path.status == OCT_PATH_BUDGET && path.expanded == budget,
                "%s after %d of %d expansions", oct_path_status_name(path.status),
                (int)path.expanded, (int)budget);
    scene_check_no_path(&f->s, &f->q, &path);
    f->q.partial = true;
    path = scene_plan(&f->s, f->planner, &f->q);
    SCENE_CHECK(&f->s, &f->q, path.status == OCT_PATH_BUDGET && path.expanded == budget,
                "another status with partial");
    scene_check_path(&f->s, &f->q, &path);
    f->q.partial = false;
}

static void node_budgets_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 100 + test_rounds(60); seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (!scene_choose(&f.s, &f.q, i) || !f.from.has_anchor) {
                continue;
            }
            f.q.node_budget = 0;
            const oct_path path = scene_plan(&f.s, f.planner, &f.q);
            oct_path whole = scene_copy_path(&path);
            const uint64_t n = whole.expanded;
            const uint64_t budgets[] = {1, n / 2, n - 1, n, n + 1, n + 2};
            for (int k = 0; k < 6; k++) {
                if (budgets[k] > 0) {
                    check_budget(&f, budgets[k], &whole);
                }
            }
            scene_free_copy(&whole);
        }
        tear_down(&f);
    }
}

typedef struct fake_clock {
    uint64_t calls, slow_after; // one unit a call, many after so many calls
} fake_clock;

static uint64_t tick(void *ctx)
{
    fake_clock *const c = ctx;
    return ++c->calls > c->slow_after ? 1000000 + c->calls : c->calls;
}

static void time_budgets_end_a_search(void **state)
{
    (void)state;
    search_scene s;
    search_scene_init(&s, 7, 3, 10,
                      (scene_wish){.known = true, .no_bounds = true, .no_prices = true});
    assert_int_equal(oct_tree_set_box(s.tree, s.drawn, OCT_MARK_OPEN), OCT_OK);
    const oct_vec lo = s.drawn.min, hi = s.drawn.max;
    const scene_end from = scene_end_of(
        &s, oct_tree_point(s.tree, (oct_fine){lo.x * 256 + 128, lo.y * 256 + 128, lo.z * 256}));
    const scene_end to = scene_end_of(
        &s, oct_tree_point(s.tree, (oct_fine){hi.x * 256 - 1, hi.y * 256 - 9, hi.z * 256 - 128}));
    oct_planner *const planner = scene_planner(&s, NULL);
    oct_query q = scene_query(&s, &from, &to);
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&q, algorithm, OCT_LAB_DIJKSTRA);
    const oct_path path = scene_plan(&s, planner, &q);
    oct_path whole = scene_copy_path(&path);
    assert_true(whole.status == OCT_PATH_FOUND && whole.expanded > 500);

    fake_clock c = {.slow_after = UINT64_MAX};
    q.clock = tick;
    q.clock_ctx = &c;
    q.time_budget = 100000;
    oct_path timed = scene_plan(&s, planner, &q);
    assert_true(scene_paths_equal(&whole, &timed));
    assert_true(c.calls > 2);

    q.partial = true;
    c = (fake_clock){.slow_after = 4};
    timed = scene_plan(&s, planner, &q);
    assert_int_equal(timed.status, OCT_PATH_BUDGET);
    assert_true(timed.expanded > 0 && timed.expanded < whole.expanded);
    scene_check_path(&s, &q, &timed);

    c = (fake_clock){.slow_after = UINT64_MAX};
    q.time_budget = 0;
    timed = scene_plan(&s, planner, &q);
    assert_int_equal(timed.status, OCT_PATH_BUDGET);
    assert_int_equal(timed.expanded, 0);
    assert_int_equal(timed.point_count, 0);
    scene_free_copy(&whole);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// ---- partial paths and records ----

static oct_fine with_z(const search_scene *s, oct_fine at)
{
    at.z = s->dims == 3 ? at.z : OCT_FINE / 2;
    return at;
}

// A partial path leads to the node nearest to the goal of all that were expanded.
static void check_nearest(const fixture *f, const oct_path *path)
{
    const search_scene *const s = &f->s;
    // Cells count from the middle of the goal's.
    const oct_fine goal = lab_of(&f->q).graph == OCT_LAB_GRAPH_CELLS
                              ? oracle_middle(&s->world, f->to.anchor.cell).at
                              : f->to.anchor.at;
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i < path->record_count; i++) {
        const double far = oracle_distance(&s->world, with_z(s, path->records[i].at), goal);
        nearest = far < nearest ? far : nearest;
    }
    const oct_fine end = with_z(s, path->lattice[path->lattice_count - 1]);
    const double reached = oracle_distance(&s->world, end, goal);
    SCENE_CHECK(s, &f->q, reached <= nearest + 1e-6, "ends %.9g away, but was %.9g away", reached,
                nearest);
}

static void partial_paths_come_as_near_as_any_node(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(200);
    uint64_t partial = 0;
    for (uint64_t seed = 200; seed < 200 + rounds; seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){.known = true, .no_bounds = true, .no_prices = true});
        LAB_SET(&f.q, heuristic, OCT_LAB_HEURISTIC_EUCLIDEAN);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (!scene_choose(&f.s, &f.q, i) || !f.from.has_anchor) {
                continue;
            }
            f.q.record = f.q.partial = false;
            const oct_path_status plain = scene_plan(&f.s, f.planner, &f.q).status;
            f.q.record = f.q.partial = true;
            const oct_path path = scene_plan(&f.s, f.planner, &f.q);
            scene_check_path(&f.s, &f.q, &path);
            SCENE_CHECK(
                &f.s, &f.q, path.status == (plain == OCT_PATH_NONE ? OCT_PATH_PARTIAL : plain),
                "%s becomes %s", oct_path_status_name(plain), oct_path_status_name(path.status));
            if (path.status != OCT_PATH_FOUND) {
                check_nearest(&f, &path);
                partial++;
            }
        }
        tear_down(&f);
    }
    assert_true(partial > rounds / 2);
}

// Legs of records are straight and free, costs add up, parents come first.
static void check_records(const fixture *f, const oct_path *path)
{
    const search_scene *const s = &f->s;
    const oct_record *const all = path->records;
    SCENE_CHECK(s, &f->q, path->record_count == path->expanded, "%u records of %d expansions",
                path->record_count, (int)path->expanded);
    for (uint32_t i = 0; i < path->record_count; i++) {
        const oct_record *const at = &all[i], *const from = &all[at->parent];
        const bool is_start = at->parent == i;
        SCENE_CHECK(s, &f->q, at->parent <= i && (i > 0 || is_start), "record %u before parent", i);
        SCENE_CHECK(s, &f->q, s->dims == 3 || at->at.z == 0, "z of record %u", i);
        if (is_start) {
            const double off = oracle_distance(&s->world, with_z(s, at->at), f->from.anchor.at);
            SCENE_CHECK(s, &f->q, off == 0.0 && at->g == 0.0, "record %u begins elsewhere", i);
            continue;
        }
        if (lab_of(&f->q).algorithm == OCT_LAB_JPS || lab_of(&f->q).algorithm == OCT_LAB_BLOCK) {
            continue; // the way there may bend: test_jps.c, test_block.c
        }
        const double leg = oracle_distance(&s->world, with_z(s, from->at), with_z(s, at->at));
        SCENE_CHECK(s, &f->q, s->is_priced || fabs(from->g + leg - at->g) < 1e-6,
                    "costs of record %u do not add up", i);
        SCENE_CHECK(s, &f->q, exact_sees(&s->world, with_z(s, from->at), with_z(s, at->at)),
                    "record %u does not see its parent", i);
        SCENE_CHECK(s, &f->q,
                    lab_of(&f->q).algorithm != OCT_LAB_DIJKSTRA || all[i - 1].parent == i - 1 ||
                        at->g >= all[i - 1].g,
                    "record %u comes too late", i);
    }
}

static void records_tell_what_was_expanded(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 500 + test_rounds(100); seed++) {
        fixture f;
        set_up(&f, seed, (scene_wish){0});
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (!scene_choose(&f.s, &f.q, i)) {
                continue;
            }
            f.q.record = false;
            const oct_path plain = scene_plan(&f.s, f.planner, &f.q);
            assert_int_equal(plain.record_count, 0);
            oct_path copy = scene_copy_path(&plain);
            f.q.record = true;
            oct_path path = scene_plan(&f.s, f.planner, &f.q);
            check_records(&f, &path);
            path.record_count = 0;
            SCENE_CHECK(&f.s, &f.q, scene_paths_equal(&path, &copy), "records change the result");
            scene_free_copy(&copy);
        }
        tear_down(&f);
    }
}

// ---- memory ----

static void run_many_queries(const search_scene *s, oct_planner *planner, const oct_point *ends,
                             int count, const test_allocator *memory)
{
    for (int i = 0; i < SCENE_CHOICES * count; i++) {
        oct_query q = oct_query_default();
        q.from = ends[i % count];
        q.to = ends[(i / SCENE_CHOICES + 1) % count];
        q.terms = s->terms;
        q.record = i % 5 == 0;
        q.partial = i % 3 == 0;
        if (scene_choose(s, &q, i % SCENE_CHOICES)) {
            scene_plan(s, planner, &q);
            assert_int_equal(oct_planner_bytes(planner), memory->live_bytes);
        }
    }
}

static void what_is_warm_allocates_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 600; seed < 600 + test_rounds(20); seed++) {
        search_scene s;
        test_allocator memory;
        oct_point ends[6];
        test_allocator_init(&memory, TEST_NEVER);
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 20 : 8, (scene_wish){0});
        for (int i = 0; i < 6; i++) {
            ends[i] = scene_random_end(&s).at;
        }
        oct_planner *const planner = scene_planner(&s, &memory.allocator);
        run_many_queries(&s, planner, ends, 6, &memory);
        const size_t warm = memory.allocations;
        run_many_queries(&s, planner, ends, 6, &memory);
        assert_int_equal(memory.allocations, warm);
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
        search_scene_free(&s);
    }
}

// Refuses one allocation after the other. Afterwards the planner gives the right answer.
static void refuse_each(const search_scene *s, const oct_query *q, const oct_path *expected)
{
    oct_planner_def def = oct_planner_def_default();
    def.lab = oct_lab();
    def.tree = s->tree;
    bool refused = true;
    for (size_t fail_at = 0; refused; fail_at++) {
        test_allocator memory;
        oct_planner *planner;
        oct_path path;
        test_allocator_init(&memory, fail_at);
        def.allocator = &memory.allocator;
        const oct_result created = oct_planner_create(&def, &planner);
        if (created == OCT_OK) {
            const oct_result result = oct_planner_plan(planner, q, &path);
            SCENE_CHECK(s, q, result == (memory.refused ? OCT_ERROR_MEMORY : OCT_OK),
                        "refusing allocation %zu gave: %s", fail_at, oct_result_text(result));
            refused = memory.refused;
            path = scene_plan(s, planner, q);
            SCENE_CHECK(s, q, scene_paths_equal(&path, expected),
                        "another result after allocation %zu was refused", fail_at);
        } else {
            assert_int_equal(created, OCT_ERROR_MEMORY);
            assert_null(planner);
        }
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
    }
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    for (uint64_t seed = 700; seed < 708; seed++) {
        search_scene s;
        // The last two are large enough for everything to grow.
        const bool is_large = seed >= 706;
        const int32_t edge = is_large ? seed % 2 ? 64 : 12 : seed % 2 ? 10 : 4;
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, edge, (scene_wish){.known = is_large});
        const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
        oct_query q = scene_query(&s, &from, &to);
        oct_planner *const planner = scene_planner(&s, NULL);
        q.record = q.partial = true;
        for (int i = 0; i < SCENE_CHOICES; i++) {
            if (scene_choose(&s, &q, i)) {
                const oct_path expected = scene_plan(&s, planner, &q);
                refuse_each(&s, &q, &expected);
            }
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// ---- a planner of a map ----

// A planner that is made from a map gives the same paths as one of its tree, and knows at once
// where there is none, also after edits.
static void planners_of_maps_keep_components(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(77);
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    const oct_box all = {{0, 0, 0}, {24, 24, 24}};
    assert_int_equal(oct_map_set_box(map, all, OCT_MARK_OPEN), OCT_OK);
    oct_planner_def with = oct_planner_def_default(), plain = oct_planner_def_default();
    with.map = map;
    plain.tree = oct_map_tree(map);
    oct_planner *a, *b;
    assert_int_equal(oct_planner_create(&with, &a), OCT_OK);
    assert_int_equal(oct_planner_create(&plain, &b), OCT_OK);
    uint64_t apart = 0;
    for (uint64_t round = 0; round < test_rounds(200); round++) {
        const int32_t x = oct_random_range(&random, 1, 22);
        // Walls with holes or without come and go.
        const oct_box wall = {{x, 0, 0}, {x + 1, 24, 24}};
        assert_int_equal(oct_map_set_box(map, wall, round % 3 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN),
                         OCT_OK);
        if (round % 2) {
            const oct_box hole = {{x, 5, 5}, {x + 1, 6, 6}};
            assert_int_equal(oct_map_set_box(map, hole, OCT_MARK_OPEN), OCT_OK);
        }
        oct_query q = oct_query_default();
        q.from = (oct_point){0.5, 24 * oct_random_unit(&random), 24 * oct_random_unit(&random)};
        q.to = (oct_point){23.5, 24 * oct_random_unit(&random), 24 * oct_random_unit(&random)};
        q.terms.unknown = round % 5 ? OCT_UNKNOWN_BLOCKED : OCT_UNKNOWN_OPEN;
        oct_path one, other;
        assert_int_equal(oct_planner_plan(a, &q, &one), OCT_OK);
        assert_int_equal(oct_planner_plan(b, &q, &other), OCT_OK);
        assert_int_equal(one.status, other.status);
        assert_true(one.length == other.length);
        if (one.status == OCT_PATH_NONE) {
            assert_int_equal(one.expanded, 0);
            apart++;
        }
    }
    assert_true(apart > 0 || test_rounds(200) < 20);
    oct_planner_destroy(a);
    oct_planner_destroy(b);
    oct_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planners_of_maps_keep_components),
        cmocka_unit_test(slices_give_the_same_bits),
        cmocka_unit_test(steps_need_a_beginning),
        cmocka_unit_test(an_edit_makes_a_search_stale),
        cmocka_unit_test(node_budgets_are_kept),
        cmocka_unit_test(time_budgets_end_a_search),
        cmocka_unit_test(partial_paths_come_as_near_as_any_node),
        cmocka_unit_test(records_tell_what_was_expanded),
        cmocka_unit_test(what_is_warm_allocates_nothing),
        cmocka_unit_test(refused_memory_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
