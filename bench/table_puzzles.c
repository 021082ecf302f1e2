// SPDX-License-Identifier: MIT
// Puzzles are played in any order and added up in theirs.
#include "bench/table_puzzles.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct puzzle_task {
    const char *name;
    bool learns;
} puzzle_task;

static const puzzle_task tasks[] = {{"reach", false}, {"learn", true}};
#define TASKS (sizeof tasks / sizeof tasks[0])

bool oct_puzzles_is_met(const puzzles_row *row)
{
    return row->false_verdicts == 0 && row->errors == 0 && row->untrue == 0 && row->bumps == 0;
}

oct_puzzle_def oct_puzzle_of(uint32_t number)
{
    oct_puzzle_def def = oct_puzzle_def_default();
    def.seed = (number + 1) / 2;
    def.unsolvable = number % 2 == 0;
    return def;
}

oct_level_def oct_level_of(oct_level_class of, uint32_t number)
{
    oct_level_def def = oct_level_def_default();
    def.level_class = of;
    def.seed = (number + 1) / 2;
    def.unsolvable = number % 2 == 0;
    return def;
}

// ---- playing ----

// One of them plays: a puzzle, or a level.
typedef union played {
    puzzle_result puzzle;
    level_result level;
} played;

typedef struct puzzles_run {
    bench_report *report;
    const puzzle_task *task; // NULL = levels
    oct_level_class level_class;
    played *results;
    oct_result *codes;
    uint32_t count;
    atomic_uint done;
} puzzles_run;

static const char *name_of(const puzzles_run *run)
{
    return run->task ? run->task->name : oct_level_class_name(run->level_class);
}

static void play_one(void *arg, uint32_t index, uint32_t worker)
{
    puzzles_run *const run = arg;
    if (worker == 0) { // the caller's own thread: nobody else prints
        run->report->options.progress(name_of(run), atomic_load(&run->done), run->count);
    }
    if (run->task) {
        const puzzle_def def = {.puzzle = oct_puzzle_of(index + 1), .learns = run->task->learns};
        run->codes[index] = oct_puzzle_play(&def, &run->results[index].puzzle);
    } else {
        const oct_level_def def = oct_level_of(run->level_class, index + 1);
        run->codes[index] = oct_level_play(&def, &run->results[index].level);
    }
    atomic_fetch_add(&run->done, 1u);
}

// ---- adding up ----

static void add_verdict(puzzles_row *row, bool solvable, oct_verdict verdict)
{
    row->puzzles++;
    row->solvable += solvable;
    row->solved += solvable && verdict == OCT_VERDICT_PASS;
    row->told += !solvable && verdict == OCT_VERDICT_FAIL;
    row->inconclusive += verdict == OCT_VERDICT_INCONCLUSIVE;
    row->false_verdicts += verdict == (solvable ? OCT_VERDICT_FAIL : OCT_VERDICT_PASS);
}

static void note_bad(puzzles_row *row, uint32_t number, const char *reason)
{
    if (row->first_bad == 0) {
        row->first_bad = number;
        (void)snprintf(row->why, sizeof row->why, "%s", reason);
    }
}

static void add_played(puzzles_row *row, const bench_played *p, bool solvable)
{
    row->presses += solvable ? p->presses : 0;
    row->bumps += p->bumps;
    row->turns += p->turns;
    row->game_s += p->game_s;
    row->spent_s += p->spent_s;
    row->thought_s += p->thought_s;
    row->proofs += p->proofs;
    row->errors += p->verdict == OCT_VERDICT_ERROR;
}

static void add_puzzle(puzzles_row *row, uint32_t number, const puzzle_result *r, bool learns)
{
    const bool solvable = r->truth.solvable;
    if (learns) {
        row->puzzles++;
        row->solvable += solvable;
    } else {
        add_verdict(row, solvable, r->played.verdict);
    }
    add_played(row, &r->played, solvable);
    row->wrong += !r->is_right;
    row->learned += r->learned;
    row->untrue += r->untrue;
    row->fewest += r->truth.presses;
    if (!r->is_right || r->untrue > 0 || r->played.bumps > 0) {
        note_bad(row, number, r->played.reason);
    }
}

static void add_level(puzzles_row *row, uint32_t number, const level_result *r)
{
    const oct_verdict right = r->solvable ? OCT_VERDICT_PASS : OCT_VERDICT_FAIL;
    const oct_verdict verdict = r->played.verdict;
    add_verdict(row, r->solvable, verdict);
    add_played(row, &r->played, r->solvable);
    row->wrong += verdict != right;
    row->learned += r->learned;
    row->untrue += r->untrue;
    if (oct_level_is_false(r) || verdict == OCT_VERDICT_ERROR || r->untrue > 0 ||
        r->played.bumps > 0) {
        note_bad(row, number, r->played.reason);
    }
}

static oct_result play_all(puzzles_run *run, puzzles_row *row)
{
    const oct_executor *const executor = run->report->options.executor;
    if (executor) {
        executor->run(executor->ctx, run->count, play_one, run);
    }
    for (uint32_t i = 0; !executor && i < run->count; i++) {
        play_one(run, i, 0);
    }
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->codes[i] != OCT_OK) {
            snprintf(run->report->message, sizeof run->report->message, "%s, number %u: %s",
                     name_of(run), i + 1, oct_result_text(run->codes[i]));
            return run->codes[i];
        }
        if (run->task) {
            add_puzzle(row, i + 1, &run->results[i].puzzle, run->task->learns);
        } else {
            add_level(row, i + 1, &run->results[i].level);
        }
    }
    return OCT_OK;
}

static oct_result make_row(puzzles_run *run, puzzles_row *row)
{
    const uint32_t asked = (uint32_t)run->report->options.repeat;
    run->count = run->task || asked < LEVELS_MAX ? asked : LEVELS_MAX;
    run->results = calloc(run->count, sizeof *run->results);
    run->codes = calloc(run->count, sizeof *run->codes);
    *row = (puzzles_row){.task = name_of(run)};
    const oct_result result = run->results && run->codes ? play_all(run, row) : OCT_ERROR_MEMORY;
    free(run->results);
    free(run->codes);
    return result;
}

oct_result oct_table_puzzles(bench_report *report, oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    for (size_t i = 0; i < TASKS + OCT_LEVEL_CLASS_COUNT; i++) {
        puzzles_run run = {.report = report,
                           .task = i < TASKS ? &tasks[i] : NULL,
                           .level_class = (oct_level_class)(i < TASKS ? 0 : i - TASKS)};
        puzzles_row row;
        if (strstr(name_of(&run), report->options.filter)) {
            OCT_TRY(make_row(&run, &row));
            OCT_TRY(oct_array_push(rows, &memory, sizeof row, &row));
            const bench_options *const options = &report->options;
            if (options->measured) {
                options->measured(options->measured_ctx, &row);
            }
        }
    }
    return OCT_OK;
}
