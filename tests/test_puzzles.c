// SPDX-License-Identifier: MIT
// Agents in generated puzzles and levels: every verdict is right and every learned link true.
// `octant bench table puzzles` plays a thousand; here are some, and those that once went wrong.
#include "support.h"

#include "bench/table_puzzles.h"

static void no_progress(const char *what, size_t done, size_t total)
{
    (void)what;
    (void)done;
    (void)total;
}

static void check_rows(const char *filter, bool learns, int puzzles)
{
    bench_report report = {
        .options = {.repeat = puzzles, .filter = filter, .progress = no_progress}};
    oct_array rows = {.items = NULL};
    assert_int_equal(oct_table_puzzles(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 1);
    const puzzles_row *const row = rows.items;
    if (!oct_puzzles_is_met(row)) {
        fail_msg("%s: %u false, %llu untrue, %llu bumps; the first in puzzle %llu: %s", filter,
                 row->false_verdicts, (unsigned long long)row->untrue,
                 (unsigned long long)row->bumps, (unsigned long long)row->first_bad, row->why);
    }
    assert_int_equal(row->puzzles, puzzles);
    assert_int_equal(row->solvable, (puzzles + 1) / 2);
    assert_true(row->learned > 0 && row->game_s > 0.0);
    assert_true(learns || row->solved == row->solvable);
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(&rows, &heap, sizeof *row);
}

static void what_can_be_solved_is_and_no_verdict_is_false(void **state)
{
    (void)state;
    check_rows("reach", false, test_is_slow() ? 2 : 4);
}

static void what_is_learned_is_true(void **state)
{
    (void)state;
    if (!test_is_slow()) {
        check_rows("learn", true, 2);
    }
}

// Plain levels are solved. Those that cannot be are told where equations exclude them; nothing else
// is said of the others.
static void levels_of_toggles_are_solved(void **state)
{
    (void)state;
    const int levels = test_is_slow() ? 2 : 4;
    bench_report report = {
        .options = {.repeat = levels, .filter = "toggles", .progress = no_progress}};
    oct_array rows = {.items = NULL};
    assert_int_equal(oct_table_puzzles(&report, &rows), OCT_OK);
    assert_int_equal(rows.count, 1);
    const puzzles_row *const row = rows.items;
    assert_true(oct_puzzles_is_met(row));
    assert_string_equal(row->task, "toggles");
    assert_int_equal(row->solved, levels / 2);
    assert_true(row->told > 0 && row->learned > 0);
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(&rows, &heap, sizeof *row);
}

// What counts of a class is that no verdict is false and no link untrue, whatever was not decided.
static void what_is_not_decided_is_not_false(void **state)
{
    (void)state;
    level_result result = {.solvable = true, .played = {.verdict = OCT_VERDICT_INCONCLUSIVE}};
    assert_false(oct_level_is_false(&result));
    result.played.verdict = OCT_VERDICT_FAIL;
    assert_true(oct_level_is_false(&result));
    result.solvable = false;
    assert_false(oct_level_is_false(&result));
    result.played.verdict = OCT_VERDICT_PASS;
    assert_true(oct_level_is_false(&result));
    puzzles_row row = {.wrong = 5, .inconclusive = 5};
    assert_true(oct_puzzles_is_met(&row));
    row.false_verdicts = 1;
    assert_false(oct_puzzles_is_met(&row));
    row = (puzzles_row){.untrue = 1};
    assert_false(oct_puzzles_is_met(&row));
}

// One level of each class: of every second class one that nobody can solve. What is not decided is
// inconclusive; nothing is false, and every proof is accepted.
static void no_class_has_a_false_verdict(void **state)
{
    (void)state;
    if (test_is_slow()) {
        return;
    }
    for (uint32_t i = 0; i < OCT_LEVEL_CLASS_COUNT; i++) {
        oct_level_def def = oct_level_of((oct_level_class)i, 1 + i % 2);
        def.doors = i == OCT_LEVEL_ROWS ? 20 : 0; // more of the same takes long
        if (i >= OCT_LEVEL_TILTED) {              // a sealed one, and one that is solved
            def.unsolvable = i == OCT_LEVEL_TILTED;
            def.why = def.unsolvable ? OCT_LEVEL_SEALED : OCT_LEVEL_SOLVABLE;
            def.seed = def.unsolvable ? 2 : 1;
        }
        level_result r;
        assert_int_equal(oct_level_play(&def, &r), OCT_OK);
        if (oct_level_is_false(&r) || r.played.verdict == OCT_VERDICT_ERROR || r.untrue > 0 ||
            r.played.bumps > 0) {
            fail_msg("%s: %s, %u untrue, %llu bumps: %s", oct_level_class_name((oct_level_class)i),
                     oct_verdict_name(r.played.verdict), (unsigned)r.untrue,
                     (unsigned long long)r.played.bumps, r.played.reason);
        }
        if (i >= OCT_LEVEL_TILTED) {
            assert_int_equal(r.played.verdict, r.solvable ? OCT_VERDICT_PASS : OCT_VERDICT_FAIL);
        }
    }
}

// A door that a timer shuts is not run into: who comes near looks at it while one may be pending.
static void nobody_runs_into_doors_that_shut_by_themselves(void **state)
{
    (void)state;
    if (test_is_slow()) {
        return;
    }
    const oct_level_def def = oct_level_of(OCT_LEVEL_CLOSING, 6);
    level_result r;
    assert_int_equal(oct_level_play(&def, &r), OCT_OK);
    assert_int_equal(r.played.bumps, 0);
    assert_false(oct_level_is_false(&r));
}

// From a doorway whose door leads back into the same room.
static void what_once_went_wrong_does_not(void **state)
{
    (void)state;
    if (test_is_slow()) {
        return;
    }
    const puzzle_def def = {.puzzle = oct_puzzle_of(323)};
    puzzle_result result;
    assert_int_equal(oct_puzzle_play(&def, &result), OCT_OK);
    assert_true(result.is_right && result.untrue == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_solved_is_and_no_verdict_is_false),
        cmocka_unit_test(what_is_learned_is_true),
        cmocka_unit_test(levels_of_toggles_are_solved),
        cmocka_unit_test(no_class_has_a_false_verdict),
        cmocka_unit_test(what_is_not_decided_is_not_false),
        cmocka_unit_test(nobody_runs_into_doors_that_shut_by_themselves),
        cmocka_unit_test(what_once_went_wrong_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
