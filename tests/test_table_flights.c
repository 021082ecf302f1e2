// SPDX-License-Identifier: MIT
// The table of flights: which rows there are, what they come to, and that threads do not matter.
#include "support.h"

#include "bench/table_flights.h"
#include "files/files_internal.h"

#include <math.h>
#include <string.h>

#define WORLDS OCT_SOURCE_DIR "/worlds"

static size_t progress_calls;

static void no_progress(const char *what, size_t done, size_t total)
{
    assert_non_null(what);
    assert_true(done < total);
    progress_calls++;
}

// As threads might: the last part first.
static void run_backwards(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    *(uint32_t *)ctx += count;
    for (uint32_t i = count; i-- > 0;) {
        task(arg, i, i % 2);
    }
}

static bench_report report_of(const char *filter, const char *folder)
{
    return (bench_report){.options = {
                              .repeat = 1,
                              .filter = filter,
                              .scenes = folder,
                              .progress = no_progress,
                          }};
}

static void free_rows(oct_array *rows)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(rows, &heap, sizeof(flights_row));
}

static void check_row(const flights_row *row, const char *world, const char *pace,
                      const char *facing)
{
    assert_string_equal(row->world, world);
    assert_string_equal(row->pace, pace);
    assert_string_equal(row->facing, facing);
    assert_string_equal(row->sight, "line");
    assert_int_equal(row->result.flights, 1);
}

// ---- rows ----

// A row is what flights on those terms come to, delays of 20 to 500 ms.
static void check_flown(const flights_row *row, const oct_world *world, bool delayed,
                        oct_facing facing)
{
    const flights_def def = {.world = world,
                             .flights = 1,
                             .delay_min = delayed ? 2 : 0,
                             .delay_max = delayed ? 30 : 0,
                             .facing = facing,
                             .seed = FLIGHTS_SEED};
    flights_result expected, result = row->result;
    check_row(row, "three_doors", delayed ? "delayed" : "stepped",
              facing == OCT_FACING_YAW ? "yaw" : "full");
    assert_int_equal(oct_flights_run(&def, &expected), OCT_OK);
    expected.thought = result.thought = 0.0;
    assert_memory_equal(&result, &expected, sizeof result);
}

static void a_world_has_a_row_for_each_pace_and_facing(void **state)
{
    (void)state;
    bench_report report = report_of("three_doors/", WORLDS);
    oct_array rows = {.count = 0};
    oct_world *world;
    assert_int_equal(oct_world_load(WORLDS "/three_doors.json", NULL, NULL, &world, NULL, NULL),
                     OCT_OK);
    progress_calls = 0;
    assert_int_equal(oct_table_flights(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 4);
    assert_int_equal(progress_calls, 4);
    const flights_row *const all = rows.items;
    check_flown(&all[0], world, false, OCT_FACING_YAW);
    check_flown(&all[1], world, true, OCT_FACING_YAW);
    check_flown(&all[2], world, false, OCT_FACING_FULL);
    check_flown(&all[3], world, true, OCT_FACING_FULL);
    oct_world_destroy(world);
    free_rows(&rows);
}

static void worlds_come_by_name_and_as_the_filter_says(void **state)
{
    (void)state;
    bench_report report = report_of("n/stepped/yaw", WORLDS);
    oct_array rows = {.count = 0};
    assert_int_equal(oct_table_flights(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 1);
    check_row(rows.items, "door_and_button", "stepped", "yaw");
    report.options.filter = "t/stepped/full"; // appended
    assert_int_equal(oct_table_flights(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 2);
    check_row((const flights_row *)rows.items + 1, "tight", "stepped", "full");
    free_rows(&rows);

    rows = (oct_array){.count = 0};
    report.options.filter = "_b";
    assert_int_equal(oct_table_flights(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 12);
    const char *const names[] = {"asteroid_base", "door_and_button", "glass_box"};
    for (size_t i = 0; i < rows.count; i++) {
        assert_string_equal(((const flights_row *)rows.items + i)->world, names[i / 4]);
    }
    free_rows(&rows);

    rows = (oct_array){.count = 0};
    report.options.filter = "/yaw/stepped";
    assert_int_equal(oct_table_flights(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 0);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    oct_array rows[2] = {{.count = 0}, {.count = 0}};
    uint32_t parts = 0;
    const oct_executor executor = {run_backwards, &parts, 2};
    for (int i = 0; i < 2; i++) {
        bench_report report = report_of("oor", WORLDS); // door_and_button, three_doors
        report.options.executor = i == 1 ? &executor : NULL;
        progress_calls = 0;
        assert_int_equal(oct_table_flights(&report, &rows[i]), OCT_OK);
        assert_int_equal(rows[i].count, 8);
        assert_int_equal(progress_calls, i == 1 ? 4 : 8); // worker 0 alone may print
    }
    assert_int_equal(parts, 8);
    for (size_t i = 0; i < 8; i++) {
        flights_row *const a = (flights_row *)rows[0].items + i;
        flights_row *const b = (flights_row *)rows[1].items + i;
        a->result.thought = b->result.thought = 0.0;
        assert_memory_equal(a, b, sizeof *a);
    }
    free_rows(&rows[0]);
    free_rows(&rows[1]);
}

// ---- figures ----

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12)) {
        fail_msg("%.15g should be %.15g", value, expected);
    }
}

static void figures_are_those_of_a_flight_and_an_action(void **state)
{
    (void)state;
    const flights_row row = {
        .result = {
            .flights = 4, .seconds = 10.0, .reference = 8.0, .thought = 0.003, .actions = 100}};
    near(oct_flights_mean_s(&row), 2.5);
    near(oct_flights_reference_s(&row), 2.0);
    near(oct_flights_ratio(&row), 1.25);
    near(oct_flights_think_us(&row), 30.0);
    const flights_row none = {.result = {.flights = 0}};
    near(oct_flights_mean_s(&none), 0.0);
    near(oct_flights_reference_s(&none), 0.0);
    near(oct_flights_ratio(&none), 0.0);
    near(oct_flights_think_us(&none), 0.0);
}

static void goals_are_met_up_to_what_is_asked_for(void **state)
{
    (void)state;
    const flights_row best = {
        .result = {.flights = 4, .arrived = 4, .stray = 0.3, .seconds = 16.0, .reference = 10.0}};
    flights_row row = best;
    assert_true(oct_flights_all_arrived(&row));
    assert_true(oct_flights_none_collided(&row));
    assert_true(oct_flights_none_strayed(&row));
    assert_true(oct_flights_in_time(&row));
    assert_true(oct_flights_is_met(&row));
    row.result.arrived = 3;
    assert_false(oct_flights_all_arrived(&row));
    assert_false(oct_flights_is_met(&row));
    row = best;
    row.result.bumps = 1;
    assert_false(oct_flights_none_collided(&row));
    assert_false(oct_flights_is_met(&row));
    row = best;
    row.result.stray = 0.3000001;
    assert_false(oct_flights_none_strayed(&row));
    assert_false(oct_flights_is_met(&row));
    row = best;
    row.result.seconds = 16.000001;
    assert_false(oct_flights_in_time(&row));
    assert_false(oct_flights_is_met(&row));
}

// ---- refusals ----

static void refuses(const char *folder, const char *why)
{
    bench_report report = report_of("", folder);
    oct_array rows = {.count = 0};
    assert_int_equal(oct_table_flights(&report, &rows), OCT_ERROR_FILE);
    assert_int_equal(rows.count, 0);
    assert_int_equal(strncmp(report.message, folder, strlen(folder)), 0);
    assert_non_null(strstr(report.message, why));
}

static void folders_without_worlds_are_named(void **state)
{
    (void)state;
    refuses(OCT_SOURCE_DIR "/no such folder", ": No such file or directory");
    refuses(OCT_SOURCE_DIR "/bench", ": there is no world");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_has_a_row_for_each_pace_and_facing),
        cmocka_unit_test(worlds_come_by_name_and_as_the_filter_says),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(figures_are_those_of_a_flight_and_an_action),
        cmocka_unit_test(goals_are_met_up_to_what_is_asked_for),
        cmocka_unit_test(folders_without_worlds_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
