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
    return row->wrong == 0 && row->untrue == 0 && row->bumps == 0;
}

oct_puzzle_def oct_puzzle_of(uint32_t number)
{
    oct_puzzle_def def = oct_puzzle_def_default();
    def.seed = (number + 1) / 2;
    def.unsolvable = number % 2 == 0;
    return def;
}

// ---- playing ----

typedef struct puzzles_run {
    bench_report *report;
    const puzzle_task *task;
    puzzle_result *results;
    oct_result *codes;
    uint32_t count;
    atomic_uint done;
} puzzles_run;

static void play_one(void *arg, uint32_t index, uint32_t worker)
{
    puzzles_run *const run = arg;
    const puzzle_def def = {.puzzle = oct_puzzle_of(index + 1), .learns = run->task->learns};
    if (worker == 0) { // the caller's own thread: nobody else prints
        run->report->options.progress(run->task->name, atomic_load(&run->done), run->count);
    }
    run->codes[index] = oct_puzzle_play(&def, &run->results[index]);
    atomic_fetch_add(&run->done, 1u);
}

static void add_up(puzzles_row *row, uint32_t number, const puzzle_result *r)
{
    row->puzzles++;
    row->solvable += r->truth.solvable;
    row->wrong += !r->is_right;
    row->learned += r->learned;
    row->untrue += r->untrue;
    row->presses += r->truth.solvable ? r->presses : 0;
    row->fewest += r->truth.presses;
    row->bumps += r->bumps;
    row->turns += r->turns;
    row->game_s += r->game_s;
    row->spent_s += r->spent_s;
    row->thought_s += r->thought_s;
    if (row->first_bad == 0 && (!r->is_right || r->untrue > 0 || r->bumps > 0)) {
        row->first_bad = number;
        memcpy(row->why, r->reason, sizeof row->why);
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
            snprintf(run->report->message, sizeof run->report->message, "puzzle %u: %s", i + 1,
                     oct_result_text(run->codes[i]));
            return run->codes[i];
        }
        add_up(row, i + 1, &run->results[i]);
    }
    return OCT_OK;
}

static oct_result make_row(bench_report *report, const puzzle_task *task, puzzles_row *row)
{
    const uint32_t count = (uint32_t)report->options.repeat;
    puzzles_run run = {.report = report,
                       .task = task,
                       .results = calloc(count, sizeof *run.results),
                       .codes = calloc(count, sizeof *run.codes),
                       .count = count};
    *row = (puzzles_row){.task = task->name};
    const oct_result result = run.results && run.codes ? play_all(&run, row) : OCT_ERROR_MEMORY;
    free(run.results);
    free(run.codes);
    return result;
}

oct_result oct_table_puzzles(bench_report *report, oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    for (size_t i = 0; i < TASKS; i++) {
        puzzles_row row;
        if (strstr(tasks[i].name, report->options.filter)) {
            OCT_TRY(make_row(report, &tasks[i], &row));
            OCT_TRY(oct_array_push(rows, &memory, sizeof row, &row));
        }
    }
    return OCT_OK;
}
