// SPDX-License-Identifier: MIT
// Block A* behind the planner: slices, budgets, partial paths, records, edits and memory.
#include "block_support.h"
#include "octant/names.h"
#include "octant/tree.h"

// ---- slices, budgets, records ----

typedef struct fixture {
    search_scene s;
    oct_planner *planner;
    scene_end from, to;
    oct_query q;
} fixture;

static void set_up(fixture *f, uint64_t seed, int32_t edge)
{
    dense_scene(&f->s, seed, edge, (scene_wish){0});
    f->planner = scene_planner(&f->s, NULL);
    f->from = random_end(&f->s);
    f->to = random_end(&f->s);
    f->q = scene_query(&f->s, &f->from, &f->to);
    use_blocks(&f->q, random_database(&f->s.random));
}

static void tear_down(fixture *f)
{
    oct_planner_destroy(f->planner);
    search_scene_free(&f->s);
}

static void slices_give_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t slices[] = {1, 3, 50};
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture f;
        set_up(&f, 40000 + seed, 16);
        oct_planner *const other = scene_planner(&f.s, NULL);
        f.q.record = seed % 2;
        f.q.partial = seed % 3 == 0;
        f.q.node_budget = seed % 5 ? 0 : 9;
        const oct_path whole = scene_plan(&f.s, f.planner, &f.q);
        for (int k = 0; k < 3; k++) {
            oct_path path;
            uint64_t steps = 0;
            assert_int_equal(oct_planner_begin(other, &f.q), OCT_OK);
            do {
                assert_int_equal(oct_planner_step(other, slices[k], &path), OCT_OK);
                steps += slices[k];
                SCENE_CHECK(&f.s, &f.q, path.status != OCT_PATH_RUNNING || path.expanded == steps,
                            "a step did not use its slice");
            } while (path.status == OCT_PATH_RUNNING);
            SCENE_CHECK(&f.s, &f.q, scene_paths_equal(&whole, &path),
                        "slices of %d give another result", (int)slices[k]);
        }
        oct_planner_destroy(other);
        tear_down(&f);
    }
}

static void budgets_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        fixture f;
        set_up(&f, 50000 + seed, 13);
        const oct_path found = scene_plan(&f.s, f.planner, &f.q);
        oct_path whole = scene_copy_path(&found);
        // A search that ends without a path has looked once more.
        const uint64_t enough = whole.expanded + (whole.status == OCT_PATH_FOUND ? 0 : 1);
        for (uint64_t budget = 1; budget <= enough && f.from.has_anchor; budget++) {
            f.q.node_budget = budget;
            f.q.partial = budget < enough;
            const oct_path path = scene_plan(&f.s, f.planner, &f.q);
            if (budget == enough) {
                SCENE_CHECK(&f.s, &f.q, scene_paths_equal(&path, &whole), "not the same");
                continue;
            }
            SCENE_CHECK(&f.s, &f.q, path.status == OCT_PATH_BUDGET && path.expanded == budget,
                        "%s after %d of %d", oct_path_status_name(path.status), (int)path.expanded,
                        (int)budget);
            scene_check_path(&f.s, &f.q, &path);
        }
        scene_free_copy(&whole);
        tear_down(&f);
    }
}

static double distance_to_goal(const fixture *f, oct_fine at)
{
    at.z = OCT_FINE / 2;
    return oracle_distance(&f->s.world, at, f->to.anchor.at);
}

static void check_records(const fixture *f, const oct_path *path)
{
    const oct_record *const all = path->records;
    SCENE_CHECK(&f->s, &f->q, path->record_count == path->expanded, "%u records of %d",
                path->record_count, (int)path->expanded);
    const oct_fine start = f->from.anchor.at;
    double least = 0.0;
    for (uint32_t i = 0; i < path->record_count; i++) {
        SCENE_CHECK(&f->s, &f->q, i == 0 ? all[i].parent == 0 : all[i].parent < i,
                    "record %u before its parent", i);
        SCENE_CHECK(&f->s, &f->q, all[i].at.z == 0, "z of record %u", i);
        oct_fine at = all[i].at;
        at.z = OCT_FINE / 2;
        SCENE_CHECK(&f->s, &f->q,
                    all[i].g >= oracle_distance(&f->s.world, start, at) - 1e-9 &&
                        (i > 0 || (all[i].g == 0.0 && at.x == start.x && at.y == start.y)),
                    "record %u costs %.9g", i, all[i].g);
        const double sum = all[i].g + distance_to_goal(f, all[i].at);
        SCENE_CHECK(&f->s, &f->q, sum >= least - 1e-6, "record %u comes too late", i);
        least = sum > least ? sum : least;
    }
}

static void records_and_partial_paths(void **state)
{
    (void)state;
    int partial = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        set_up(&f, 60000 + seed, 12);
        const oct_path plain = scene_plan(&f.s, f.planner, &f.q);
        oct_path copy = scene_copy_path(&plain);
        f.q.record = true;
        oct_path path = scene_plan(&f.s, f.planner, &f.q);
        check_records(&f, &path);
        path.record_count = 0;
        SCENE_CHECK(&f.s, &f.q, scene_paths_equal(&path, &copy), "records change the result");
        f.q.partial = true;
        path = scene_plan(&f.s, f.planner, &f.q);
        if (copy.status == OCT_PATH_NONE && f.from.has_anchor && f.to.has_anchor) {
            partial++;
            SCENE_CHECK(&f.s, &f.q, path.status == OCT_PATH_PARTIAL, "not partial");
            scene_check_path(&f.s, &f.q, &path);
            const double end = distance_to_goal(&f, path.lattice[path.lattice_count - 1]);
            for (uint32_t i = 0; i < path.record_count; i++) {
                SCENE_CHECK(&f.s, &f.q, end <= distance_to_goal(&f, path.records[i].at) + 1e-6,
                            "record %u is nearer", i);
            }
        } else {
            SCENE_CHECK(&f.s, &f.q, path.status == copy.status, "another status");
        }
        scene_free_copy(&copy);
        tear_down(&f);
    }
    assert_true(partial > 20);
}

static uint64_t tick(void *ctx)
{
    return ++*(uint64_t *)ctx;
}

static void the_time_of_end_blocks_is_told(void **state)
{
    (void)state;
    search_scene s;
    uint64_t time = 0;
    SCENE_DRAW(&s, 2, 1, "........", "..##....", "......#.", "........");
    oct_planner *const planner = scene_planner(&s, NULL);
    oct_query q = oct_query_default();
    q.from = (oct_point){0.5, 0.5, 0};
    q.to = (oct_point){7.5, 3.5, 0};
    use_blocks(&q, databases[4][0]);
    scene_plan(&s, planner, &q);
    assert_int_equal(oct_lab_ends_time(planner), 0);
    q.clock = tick;
    q.clock_ctx = &time;
    q.time_budget = 1000;
    oct_path path = scene_plan(&s, planner, &q);
    assert_int_equal(path.status, OCT_PATH_FOUND);
    assert_int_equal(oct_lab_ends_time(planner), 1);
    q.time_budget = 0;
    path = scene_plan(&s, planner, &q);
    assert_int_equal(path.status, OCT_PATH_BUDGET);
    assert_int_equal(path.expanded, 0);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// Blocks without a free cell at the point that was reached are not reached.
// Nodes are points of blocks' boundaries: for each turn of a block at least one, at most all.
static void nodes_are_counted_beside_blocks(void **state)
{
    (void)state;
    fixture f;
    uint64_t blocks = 0, nodes = 0;
    set_up(&f, 11, 24);
    for (int i = 0; i < 60; i++) {
        const scene_end from = scene_random_end(&f.s), to = scene_random_end(&f.s);
        oct_query query = scene_query(&f.s, &from, &to);
        LAB_SET(&query, graph, OCT_LAB_GRAPH_BLOCKS);
        LAB_SET(&query, algorithm, OCT_LAB_BLOCK);
        LAB_SET(&query, distances, scene_distances(&query));
        const oct_path path = scene_plan(&f.s, f.planner, &query);
        const uint64_t count = oct_lab_nodes(f.planner);
        assert_true(count >= path.expanded && count <= OCT_DISTANCES_BOUNDARY_MAX * path.expanded);
        blocks += path.expanded;
        nodes += count;
        LAB_SET(&query, graph, OCT_LAB_GRAPH_LATTICE);
        LAB_SET(&query, algorithm, OCT_LAB_ASTAR);
        const oct_path other = scene_plan(&f.s, f.planner, &query);
        assert_true(oct_lab_nodes(f.planner) == other.expanded);
    }
    assert_true(nodes > blocks + blocks / 4);
    tear_down(&f);
}

static void blocks_that_cannot_be_entered_are_left_alone(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "########....", "########....", "########....", "########....",
               "....####....", "....####....", "....####....", "....####....");
    oct_planner *const planner = scene_planner(&s, NULL);
    oct_query q = oct_query_default();
    q.from = (oct_point){1.5, 1.5, 0};
    q.to = (oct_point){10.5, 6.5, 0};
    use_blocks(&q, databases[4][0]);
    const oct_path path = scene_plan(&s, planner, &q);
    assert_int_equal(path.status, OCT_PATH_NONE);
    assert_int_equal(path.expanded, 1);
    assert_int_equal(path.generated, 0);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// ---- life ----

static void edits_are_followed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture f;
        set_up(&f, 70000 + seed, 10);
        for (int round = 0; round < 8; round++) {
            f.from = random_end(&f.s);
            f.to = random_end(&f.s);
            f.q = scene_query(&f.s, &f.from, &f.to);
            use_blocks(&f.q, random_database(&f.s.random));
            const oct_path used = scene_plan(&f.s, f.planner, &f.q);
            oct_planner *const fresh = scene_planner(&f.s, NULL);
            const oct_path path = scene_plan(&f.s, fresh, &f.q);
            SCENE_CHECK(&f.s, &f.q, scene_paths_equal(&used, &path), "a used planner differs");
            oct_planner_destroy(fresh);
            // Stale, where the edit changes something.
            oct_path stale;
            const uint64_t revision = oct_tree_revision(f.s.tree);
            assert_int_equal(oct_planner_begin(f.planner, &f.q), OCT_OK);
            const oct_cell cell = {
                oct_random_range(&f.s.random, f.s.drawn.min.x, f.s.drawn.max.x - 1),
                oct_random_range(&f.s.random, f.s.drawn.min.y, f.s.drawn.max.y - 1), 0, 0};
            assert_int_equal(
                oct_tree_set(f.s.tree, cell, round % 2 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN), OCT_OK);
            assert_int_equal(oct_planner_step(f.planner, UINT64_MAX, &stale), OCT_OK);
            assert_int_equal(stale.status == OCT_PATH_STALE,
                             revision != oct_tree_revision(f.s.tree));
        }
        tear_down(&f);
    }
}

static void run_queries(const search_scene *s, oct_planner *planner, const oct_point *ends,
                        const test_allocator *memory)
{
    for (int i = 0; i < 36; i++) {
        oct_query q = oct_query_default();
        q.from = ends[i % 6];
        q.to = ends[i / 6];
        q.terms = s->terms;
        q.record = i % 5 == 0;
        q.partial = i % 3 == 0;
        use_blocks(&q, databases[2 + i % 3][i % 2]);
        scene_plan(s, planner, &q);
        assert_int_equal(oct_planner_bytes(planner), memory->live_bytes);
    }
}

static void what_is_warm_allocates_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        search_scene s;
        test_allocator memory;
        oct_point ends[6];
        test_allocator_init(&memory, TEST_NEVER);
        // Bounds that the planner chooses follow the ends.
        dense_scene(&s, 80000 + seed, 20, (scene_wish){.known = true});
        for (int i = 0; i < 6; i++) {
            ends[i] = random_end(&s).at;
        }
        oct_planner *const planner = scene_planner(&s, &memory.allocator);
        run_queries(&s, planner, ends, &memory);
        const size_t warm = memory.allocations;
        run_queries(&s, planner, ends, &memory);
        assert_int_equal(memory.allocations, warm);
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
        search_scene_free(&s);
    }
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        search_scene s;
        // Some are large enough for everything to grow.
        dense_scene(&s, 90000 + seed, seed < 3 ? 10 : 60, (scene_wish){.known = true});
        const scene_end from = random_end(&s), to = random_end(&s);
        oct_query q = scene_query(&s, &from, &to);
        use_blocks(&q, databases[2 + seed % 3][0]);
        q.record = q.partial = true;
        oct_planner *const planner = scene_planner(&s, NULL);
        const oct_path expected = scene_plan(&s, planner, &q);
        oct_planner_def def = oct_planner_def_default();
        def.lab = oct_lab();
        def.tree = s.tree;
        bool refused = true;
        for (size_t fail_at = 1; refused; fail_at++) {
            test_allocator memory;
            oct_planner *weak;
            oct_path path;
            test_allocator_init(&memory, fail_at);
            def.allocator = &memory.allocator;
            assert_int_equal(oct_planner_create(&def, &weak), OCT_OK);
            // What another database has left must not be taken for this one's, nor the other way.
            oct_query other = q;
            LAB_SET(&other, distances, databases[2 + (seed + 1) % 3][0]);
            if (seed % 2) {
                memory.fail_at = TEST_NEVER;
                scene_plan(&s, weak, &other);
                memory.fail_at = memory.allocations + fail_at - 1;
            }
            const oct_result result = oct_planner_plan(weak, &q, &path);
            refused = memory.refused;
            SCENE_CHECK(&s, &q, result == (refused ? OCT_ERROR_MEMORY : OCT_OK),
                        "refusing allocation %zu gave: %s", fail_at, oct_result_text(result));
            if (seed % 2) {
                scene_plan(&s, weak, &other);
            }
            path = scene_plan(&s, weak, &q);
            SCENE_CHECK(&s, &q, scene_paths_equal(&path, &expected),
                        "another result after allocation %zu was refused", fail_at);
            oct_planner_destroy(weak);
            test_allocator_check_empty(&memory);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_give_the_same_bits),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(records_and_partial_paths),
        cmocka_unit_test(the_time_of_end_blocks_is_told),
        cmocka_unit_test(nodes_are_counted_beside_blocks),
        cmocka_unit_test(blocks_that_cannot_be_entered_are_left_alone),
        cmocka_unit_test(edits_are_followed),
        cmocka_unit_test(what_is_warm_allocates_nothing),
        cmocka_unit_test(refused_memory_is_a_result),
    };
    return cmocka_run_group_tests(tests, make_databases, free_databases);
}
