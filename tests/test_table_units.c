// SPDX-License-Identifier: MIT
// The table of Abdo 2017: its arithmetic against what Abdo printed, and rows that repeat.
#include "support.h"

#include "bench/baseline_full.h"
#include "bench/table_units.h"
#include "bench/units_scene.h"

#include <math.h>
#include <string.h>

static const units_kind *const kinds[] = {
    &oct_units_full_listing,  &oct_units_full_astar,    &oct_units_pruned_listing,
    &oct_units_pruned_greedy, &oct_units_pruned_portal,
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static void check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%.15g should be %.15g\n", value, expected);
        fail();
    }
}

// ---- numbers ----

// So many ones among so many zeros and ones: Abdo's frames, of which the whole sample is known.
static void check_frames(size_t ones, size_t count, double mean, double deviation)
{
    double values[1500];
    for (size_t i = 0; i < count; i++) {
        values[i] = i % 2 == 0 && i / 2 < count - ones ? 0.0 : 1.0;
    }
    const table_stats stats = oct_table_stats(values, count);
    assert_int_equal(stats.count, count);
    check_near(stats.min, 0.0, 0.0);
    check_near(stats.max, 1.0, 0.0);
    check_near(stats.mean, mean, 1e-9);
    check_near(stats.deviation, deviation, 1e-9);
}

static void deviations_are_those_that_the_seed_printed(void **state)
{
    (void)state;
    check_frames(94, 100, 0.94, 0.238683257);     // table 1
    check_frames(96, 100, 0.96, 0.196946386);     // table 2
    check_frames(1443, 1500, 0.962, 0.191259998); // table 3
    check_frames(1431, 1500, 0.954, 0.209554946); // table 4
    check_frames(83, 100, 0.83, 0.377525168);     // table 5
    check_frames(87, 100, 0.87, 0.337997669);     // table 6
}

static void few_numbers_have_figures_too(void **state)
{
    (void)state;
    const table_stats none = oct_table_stats(NULL, 0);
    const table_stats nothing = {.count = 0};
    assert_memory_equal(&none, &nothing, sizeof none);
    const double values[] = {-3.0, 5.0, -7.0};
    const table_stats one = oct_table_stats(values, 1);
    assert_int_equal(one.count, 1);
    check_near(one.min, -3.0, 0.0);
    check_near(one.max, -3.0, 0.0);
    check_near(one.mean, -3.0, 0.0);
    check_near(one.deviation, 0.0, 0.0);
    const table_stats three = oct_table_stats(values, 3);
    check_near(three.min, -7.0, 0.0);
    check_near(three.max, 5.0, 0.0);
    check_near(three.mean, -5.0 / 3.0, 1e-15);
    check_near(three.deviation, sqrt(112.0 / 3.0), 1e-14);
}

// ---- the table ----

static void no_progress(const char *what, size_t done, size_t total)
{
    assert_non_null(what);
    assert_true(done < total);
}

static oct_array measure(const char *filter, int repeat, uint64_t runs)
{
    bench_report report = {
        .options = {.repeat = repeat, .filter = filter, .progress = no_progress}};
    oct_array rows = {.count = 0};
    assert_int_equal(oct_table_units(&report, runs, &rows), OCT_OK);
    return rows;
}

static void free_rows(oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(rows, &memory, sizeof(units_row));
}

static const units_row *row_of(const oct_array *rows, const char *scene, const char *structure,
                               const char *algorithm, const char *metric)
{
    const units_row *found = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const units_row *const row = (const units_row *)rows->items + i;
        if (strcmp(row->scene, scene) == 0 && strcmp(row->structure, structure) == 0 &&
            strcmp(row->algorithm, algorithm) == 0 && strcmp(row->metric, metric) == 0) {
            assert_null(found);
            found = row;
        }
    }
    assert_non_null(found);
    return found;
}

static void counts_are_the_same_however_often_rows_are_measured(void **state)
{
    (void)state;
    oct_array rows = measure("/5/", 1, 3);
    oct_array again = measure("/5/", 2, 3);
    assert_int_equal(rows.count, 2 * KINDS * 8);
    assert_int_equal(again.count, rows.count);
    for (size_t i = 0; i < rows.count; i++) {
        const units_row *const a = (const units_row *)rows.items + i;
        const units_row *const b = (const units_row *)again.items + i;
        assert_string_equal(a->metric, b->metric);
        assert_int_equal(a->units, 5);
        assert_int_equal(a->measured.count, b->measured.count);
        assert_true(a->measured.min <= a->measured.mean && a->measured.mean <= a->measured.max);
        if (!strstr(a->metric, "_ms")) {
            assert_memory_equal(&a->measured, &b->measured, sizeof a->measured);
        } else {
            assert_true(a->measured.max > 0.0);
        }
    }
    free_rows(&rows);
    free_rows(&again);
}

// Every unit is found, or failed for one of two reasons; and what does not depend on the search is
// the same for all.
static void rows_account_for_every_unit(void **state)
{
    (void)state;
    const uint64_t runs = 6;
    oct_array rows = measure("wall/10/", 1, runs);
    const table_stats *const taken =
        &row_of(&rows, "wall", "full", "astar", "goals_taken")->measured;
    for (size_t i = 0; i < KINDS; i++) {
        const char *const structure = kinds[i]->structure, *const algorithm = kinds[i]->algorithm;
        const table_stats *const own =
            &row_of(&rows, "wall", structure, algorithm, "goals_taken")->measured;
        const table_stats *const lost =
            &row_of(&rows, "wall", structure, algorithm, "no_path")->measured;
        const uint64_t found =
            row_of(&rows, "wall", structure, algorithm, "time_ms")->measured.count;
        assert_memory_equal(own, taken, sizeof *own);
        assert_int_equal(own->count, runs);
        assert_int_equal(lost->count, runs);
        check_near((double)found + (own->mean + lost->mean) * (double)runs, 10.0 * (double)runs,
                   1e-9);
        const char *const others[] = {"traversals", "updates", "update_ms"};
        for (size_t j = 0; j < 3; j++) {
            assert_int_equal(row_of(&rows, "wall", structure, algorithm, others[j])->measured.count,
                             found);
        }
    }
    // 12 bytes a slot, and of those half as many more as there are nodes, to a power of two; 40 for
    // an obstacle.
    check_near(row_of(&rows, "wall", "full", "astar", "node_bytes")->measured.min,
               8192 * sizeof(full_node), 0.0);
    check_near(row_of(&rows, "wall", "full", "astar", "thing_bytes")->measured.max,
               511 * sizeof(full_obstacle), 0.0);
    free_rows(&rows);
}

// Memory is that of the tree as the run begins, whatever was flown since.
static void memory_is_that_with_units_at_their_starts(void **state)
{
    (void)state;
    oct_array rows = measure("random/15/pruned-portal", 2, 1);
    units_run run;
    void *tree;
    size_t node_bytes, thing_bytes;
    assert_int_equal(oct_units_draw(&run, OCT_GENERATE_SVO_RANDOM, 1, 15), OCT_OK);
    assert_int_equal(oct_units_pruned_portal.create(&tree), OCT_OK);
    assert_int_equal(oct_units_pruned_portal.enter(tree, &run), OCT_OK);
    assert_int_equal(oct_units_pruned_portal.measure(tree, &node_bytes, &thing_bytes), OCT_OK);
    oct_units_pruned_portal.destroy(tree);
    check_near(row_of(&rows, "random", "pruned", "portal", "node_bytes")->measured.mean,
               (double)node_bytes, 0.0);
    check_near(row_of(&rows, "random", "pruned", "portal", "thing_bytes")->measured.mean,
               (double)thing_bytes, 0.0);
    free_rows(&rows);
}

static void what_is_in_print_is_beside_its_row(void **state)
{
    (void)state;
    oct_array rows = measure("listing", 1, 1);
    assert_int_equal(rows.count, 2 * 5 * 2 * 8);
    size_t all = 0, one = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const units_row *const row = (const units_row *)rows.items + i;
        all += row->print == UNITS_ALL;
        one += row->print == UNITS_ONE_FIGURE;
        assert_true(row->print != UNITS_ALL || row->units == 1 || row->units == 15);
        assert_true(row->print != UNITS_ALL ||
                    (row->published.min <= row->published.mean &&
                     row->published.mean + row->published.deviation <= row->published.max));
    }
    assert_int_equal(all, 20);
    assert_int_equal(one, 10);
    free_rows(&rows);
    rows = measure("random/15/", 1, 1);
    check_near(row_of(&rows, "random", "full", "listing", "traversals")->published.mean,
               1556.238667, 0.0);
    check_near(row_of(&rows, "random", "pruned", "listing", "updates")->published.max, 33.0, 0.0);
    check_near(row_of(&rows, "random", "pruned", "listing", "node_bytes")->published.mean, 72729.0,
               0.0);
    assert_int_equal(row_of(&rows, "random", "pruned", "portal", "time_ms")->print, UNITS_NOTHING);
    free_rows(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deviations_are_those_that_the_seed_printed),
        cmocka_unit_test(few_numbers_have_figures_too),
        cmocka_unit_test(counts_are_the_same_however_often_rows_are_measured),
        cmocka_unit_test(rows_account_for_every_unit),
        cmocka_unit_test(memory_is_that_with_units_at_their_starts),
        cmocka_unit_test(what_is_in_print_is_beside_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
