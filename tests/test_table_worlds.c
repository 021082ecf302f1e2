// SPDX-License-Identifier: MIT
// The table of worlds: worlds that are explored to their end, what ends a search that takes too
// long, and what stands beside each row.
#include "octant/tree.h"
#include "support.h"

#include "bench/worlds_internal.h"

#include <math.h>
#include <string.h>

#define SIZE 24 // cells

static bench_world small_world(bool is_maze)
{
    bench_world w = {.test = 0};
    assert_int_equal(oct_bench_world_generate(&w, is_maze, SIZE), OCT_OK);
    return w;
}

// ---- worlds ----

// Everything that a flood over OPEN cells from the start reaches has only known neighbours.
static void check_explored(const bench_world *w, const oct_map *map)
{
    oct_explorer_def def = oct_explorer_def_default();
    def.map = map;
    def.bounds = &w->bounds;
    oct_explorer *explorer;
    oct_remains left;
    assert_int_equal(oct_explorer_create(&def, &explorer), OCT_OK);
    assert_int_equal(oct_explorer_remains(explorer, w->start, &left), OCT_OK);
    assert_true(left.open > 100);
    assert_int_equal(left.frontier, 0);
    oct_explorer_destroy(explorer);
}

static void the_looks_of_a_tour_show_the_same_in_every_structure(void **state)
{
    (void)state;
    for (int maze = 0; maze < 2; maze++) {
        bench_world w = small_world(maze == 1);
        const double radius = oct_bench_world_radius(&w, 50.0);
        assert_int_equal(oct_bench_world_explore(&w, radius), OCT_OK);
        assert_true(w.tour.status == TOUR_EXPLORED || w.tour.status == TOUR_BOUNDED);
        assert_int_equal(w.looks.count, w.tour.looks);
        world_map maps[BENCH_STRUCTURE_COUNT];
        for (uint32_t i = 0; i < BENCH_STRUCTURE_COUNT; i++) {
            uint64_t labels[3];
            assert_int_equal(oct_bench_world_map(&w, (bench_structure)i, NULL, &maps[i]), OCT_OK);
            assert_true(oct_tree_cell_size(oct_map_tree(maps[i].map)) == 0.62);
            assert_true(fabs(oct_map_padding(maps[i].map).z - 0.59) < 1e-12); // (1.8 - 0.62) / 2
            assert_int_equal(oct_bench_world_replay(&w, &maps[i]), OCT_OK);
            assert_int_equal(oct_bench_world_count(&maps[i], labels), OCT_OK);
            assert_memory_equal(labels, w.labels, sizeof labels);
        }
        check_explored(&w, maps[0].map);
        assert_true(oct_map_shrink(maps[0].map) == OCT_OK);
        assert_int_equal(oct_map_measure(maps[0].map).cells, w.held.cells);
        const oct_tree *const tree = oct_map_tree(maps[0].map);
        const oct_box box = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
        for (int32_t z = box.min.z - 1; z <= box.max.z; z++) {
            for (int32_t y = box.min.y - 1; y <= box.max.y; y++) {
                for (int32_t x = box.min.x - 1; x <= box.max.x; x++) {
                    const oct_vec c = {x, y, z};
                    const oct_label label = oct_tree_label(tree, c);
                    assert_int_equal(oct_baseline_map_label(maps[1].baseline, c), label);
                    assert_int_equal(oct_baseline_map_label(maps[2].baseline, c), label);
                }
            }
        }
        for (uint32_t i = 0; i < BENCH_STRUCTURE_COUNT; i++) {
            oct_bench_world_map_free(&maps[i]);
        }
        oct_bench_world_free(&w);
    }
}

static void a_tour_is_made_once_for_a_radius(void **state)
{
    (void)state;
    bench_world w = small_world(false);
    const double small = oct_bench_world_radius(&w, 20.0),
                 large = oct_bench_world_radius(&w, 120.0);
    assert_true(small < large);
    assert_int_equal(oct_bench_world_explore(&w, small), OCT_OK);
    const tour_result first = w.tour;
    assert_int_equal(oct_bench_world_explore(&w, small), OCT_OK);
    assert_memory_equal(&first, &w.tour, sizeof first);
    assert_int_equal(oct_bench_world_explore(&w, large), OCT_OK);
    assert_true(w.tour.calls < first.calls);
    assert_int_equal(w.looks.count, w.tour.looks);
    oct_bench_world_free(&w);
}

// By looking at each of the things.
static void what_is_near_is_what_a_look_sees(void **state)
{
    (void)state;
    bench_world w = small_world(true);
    oct_random random = oct_random_seed(5);
    for (int round = 0; round < 200; round++) {
        const double radius = 1.0 + 10.0 * oct_random_unit(&random);
        const oct_point at = {w.start.x + 8.0 * oct_random_unit(&random) - 4.0,
                              w.start.y + 8.0 * oct_random_unit(&random) - 4.0,
                              w.start.z + 8.0 * oct_random_unit(&random) - 4.0};
        assert_int_equal(oct_bench_world_gather(&w, at, radius), OCT_OK);
        size_t expected = 0;
        for (size_t i = 0; i < w.count; i++) {
            const oct_bounds b = w.things[i].box;
            const double x = fmax(fmax(b.min.x - at.x, at.x - b.max.x), 0.0);
            const double y = fmax(fmax(b.min.y - at.y, at.y - b.max.y), 0.0);
            const double z = fmax(fmax(b.min.z - at.z, at.z - b.max.z), 0.0);
            expected += x * x + y * y + z * z <= radius * radius;
        }
        assert_int_equal(w.near.count, expected);
        world_map map;
        oct_seen seen;
        const oct_view look = {.centre = at, .radius = radius, .sight = OCT_SIGHT_THROUGH};
        assert_int_equal(oct_bench_world_map(&w, BENCH_OCTREE, NULL, &map), OCT_OK);
        assert_int_equal(oct_map_observe(map.map, &look, w.things, w.count, &seen), OCT_OK);
        assert_int_equal(seen.added, expected);
        oct_bench_world_map_free(&map);
    }
    oct_bench_world_free(&w);
}

// ---- the limit ----

static void a_search_that_takes_too_long_is_ended(void **state)
{
    (void)state;
    bench_world w = small_world(false);
    worlds_limit limit = {.until = 0.0};
    const oct_allocator memory = oct_worlds_allocator(&limit);
    world_map map;
    oct_exploration out;
    double seconds = 0.0;
    assert_int_equal(oct_bench_world_map(&w, BENCH_GRID, &memory, &map), OCT_OK);
    assert_int_equal(oct_bench_world_look(&w, &map, w.start, 6.0, &seconds), OCT_OK);
    assert_true(limit.held > 0 && seconds > 0.0);
    limit.until = 1e-12; // has passed
    assert_int_equal(oct_baseline_map_explore(map.baseline, NULL, w.start, &out), OCT_ERROR_MEMORY);
    assert_true(limit.is_over);
    oct_worlds_limit(&limit, true);
    assert_true(limit.until > oct_bench_now_s());
    oct_bench_world_map_free(&map);
    assert_int_equal(limit.held, 0);
    oct_bench_world_free(&w);
}

// What was recorded of a tour: the looks, and after them the calls, each but the last with a goal.
static void a_tour_is_recorded(void **state)
{
    (void)state;
    bench_world w = small_world(true);
    assert_int_equal(oct_bench_world_explore(&w, oct_bench_world_radius(&w, 50.0)), OCT_OK);
    const tour_record *const steps = w.steps.items;
    uint64_t looks = 0, calls = 0, goals = 0;
    for (size_t i = 0; i < w.steps.count; i++) {
        looks += !steps[i].is_call;
        calls += steps[i].is_call;
        goals += steps[i].has_goal;
        assert_true(steps[i].is_call || !steps[i].has_goal);
    }
    assert_int_equal(looks, w.tour.looks);
    assert_int_equal(calls, w.tour.calls);
    assert_int_equal(goals + 1, calls);
    oct_bench_world_free(&w);
}

// ---- rows ----

static void no_progress(const char *what, size_t done, size_t total)
{
    (void)what;
    assert_true(done < total);
}

static oct_array measure(const char *filter, const char *data)
{
    bench_report report = {
        .options = {
            .repeat = 1, .size = 16, .filter = filter, .data = data, .progress = no_progress}};
    oct_array rows = {.count = 0};
    assert_int_equal(oct_table_worlds(&report, &rows), OCT_OK);
    assert_string_equal(report.message, "");
    return rows;
}

static void free_rows(oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(rows, &memory, sizeof(worlds_row));
}

static bool is_alike(const worlds_row *a, const worlds_row *b)
{
    return strcmp(a->table, b->table) == 0 && strcmp(a->world, b->world) == 0 &&
           strcmp(a->metric, b->metric) == 0 && a->radius == b->radius;
}

static void rows_of_one_metric_are_neighbours_and_measured(void **state)
{
    (void)state;
    oct_array rows = measure("", NULL);
    const worlds_row *const all = rows.items;
    assert_true(rows.count > 150);
    for (size_t i = 0; i < rows.count; i++) {
        assert_true(all[i].value >= 0.0);
        assert_false(all[i].is_ended);
        assert_true(all[i].published < 0.0 && all[i].again[1] < 0.0 && all[i].fast[1] < 0.0);
        for (size_t j = i + 1; j < rows.count; j++) {
            if (is_alike(&all[i], &all[j])) {
                assert_true(j - i < BENCH_STRUCTURE_COUNT);
                assert_string_not_equal(all[i].structure, all[j].structure);
                assert_true(is_alike(&all[i], &all[i + 1]));
            }
        }
    }
    free_rows(&rows);
}

static void the_filter_chooses_tables_worlds_and_structures(void **state)
{
    (void)state;
    oct_array rows = measure("explore/glass-maze set", NULL);
    const worlds_row *const all = rows.items;
    assert_int_equal(rows.count, 14);
    for (size_t i = 0; i < rows.count; i++) {
        assert_string_equal(all[i].table, "explore");
        assert_string_equal(all[i].world, "glass-maze");
        assert_string_equal(all[i].structure, "set");
        assert_true(i == 0 || all[i].radius >= all[i - 1].radius);
        assert_true(all[i].length > 0.0 && all[i].length < all[i].radius);
    }
    free_rows(&rows);
}

// Every second cell, and all of them.
static void a_solid_world_takes_the_octree_nothing_and_the_set_most(void **state)
{
    (void)state;
    oct_array rows = measure("memory/solid", NULL);
    const worlds_row *all = rows.items;
    assert_int_equal(rows.count, 9);
    assert_true(all[0].value < all[1].value && all[0].value < all[2].value);
    const double set = all[2].value;
    free_rows(&rows);
    rows = measure("memory/checkerboard", NULL);
    all = rows.items;
    assert_int_equal(rows.count, 9);
    assert_true(all[0].value > 0.0 && all[2].value <= set);
    free_rows(&rows);
}

static void check_figure(int test, bench_structure structure, const char *metric, double radius,
                         double published, double most)
{
    const worlds_figure *const f = oct_worlds_figure(test, structure, metric, radius);
    assert_non_null(f);
    assert_true(f->published == published && f->again[1] == most);
    assert_true(f->again[0] <= f->again[1] && f->fast[0] <= f->fast[1]);
}

static void what_is_in_print_is_beside_its_row(void **state)
{
    (void)state;
    check_figure(3, BENCH_OCTREE, "cells_bytes", 50.0, 88.90e6, 98.7e6);
    check_figure(4, BENCH_SET, "cells_bytes", 50.0, 102.43e6, 164e6);
    check_figure(3, BENCH_OCTREE, "path_ms", 120.0, 400.0, 15.3e3);
    check_figure(2, BENCH_GRID, "neighbours_us", 20.0, 1.1, 0.0);
    check_figure(3, BENCH_OCTREE, "explore_ms", 70.0, 3974.2, 10e3);
    check_figure(4, BENCH_GRID, "explore_ms", 70.0, 30144.5e3, 0.0);
    assert_null(oct_worlds_figure(3, BENCH_OCTREE, "explore_ms", 15.0));
    assert_null(oct_worlds_figure(0, BENCH_OCTREE, "cells_bytes", 50.0));
    assert_null(oct_worlds_figure(3, BENCH_SET, "explore_ms", 10.0));
    bench_world w = small_world(false);
    w.test = 3;
    w.scale = 1.0;
    const worlds_row row = oct_worlds_row(&w, "explore", BENCH_OCTREE, "explore_ms", 10.0);
    assert_true(row.published == 2.0 && row.again[0] == 0.2 && row.again[1] == 10.0);
    assert_true(row.fast[0] < 0.0 && row.value < 0.0 && row.goal < 0.0 && row.length < 0.0);
    assert_true(row.radius == 10.0);
    oct_bench_world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_looks_of_a_tour_show_the_same_in_every_structure),
        cmocka_unit_test(a_tour_is_made_once_for_a_radius),
        cmocka_unit_test(what_is_near_is_what_a_look_sees),
        cmocka_unit_test(a_search_that_takes_too_long_is_ended),
        cmocka_unit_test(a_tour_is_recorded),
        cmocka_unit_test(rows_of_one_metric_are_neighbours_and_measured),
        cmocka_unit_test(the_filter_chooses_tables_worlds_and_structures),
        cmocka_unit_test(a_solid_world_takes_the_octree_nothing_and_the_set_most),
        cmocka_unit_test(what_is_in_print_is_beside_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
