// SPDX-License-Identifier: MIT
// What the files share that measure the tables of seed 000.
#ifndef OCTANT_SEED000_H
#define OCTANT_SEED000_H

#include "bench/seed000_world.h"
#include "bench/table_seed000.h"

typedef struct seed000 {
    bench_report *report;
    oct_array *rows; // of seed000_row
    double *samples; // as many as there are rounds
} seed000;

// What is known of a row from elsewhere.
typedef struct seed000_figure {
    int test;
    oct_structure structure;
    const char *metric;
    double radius;                       // of one of several radii; 0 = of any
    double published, again[2], fast[2]; // 0 = not known
} seed000_figure;

// NULL where nothing is known.
const seed000_figure *oct_seed000_figure(int test, oct_structure structure, const char *metric,
                                         double radius);

// A row of that world with nothing measured yet, and what is known from elsewhere beside it.
// `radius` is the thesis', before scaling; 0 = none.
seed000_row oct_seed000_row(const seed000_world *world, const char *table, oct_structure structure,
                            const char *metric, double radius);
oct_result oct_seed000_push(seed000 *s, const seed000_row *row);

// Whether the filter asks for a structure's rows.
bool oct_seed000_wants(const seed000 *s, const char *table, const char *world,
                       oct_structure structure);

// Runs work once to warm it up, then several times: the median, in seconds. Work that takes long is
// run once.
typedef oct_result seed000_work(void *ctx);
oct_result oct_seed000_time(seed000 *s, seed000_work *work, void *ctx, double *seconds);

// ---- seed000_limit.c: memory that is refused after a time, which ends a search ----

typedef struct seed000_limit {
    double until; // on the clock of benches, seconds; 0 = any time
    size_t held;  // bytes
    bool is_over; // something was refused
} seed000_limit;

oct_allocator oct_seed000_allocator(seed000_limit *limit);
// From here on, or no more.
void oct_seed000_limit(seed000_limit *limit, bool is_on);

// ---- seed000_times.c, seed000_explore.c ----

// Single steps in one structure: a table "times".
oct_result oct_seed000_times(seed000 *s, seed000_world *world);
// Neighbours, adding all things, growing, in worlds that nobody explores.
oct_result oct_seed000_plain_times(seed000 *s, seed000_world *world);
// A map in which all cells of the world's bounds were observed, with all things.
oct_result oct_seed000_full_map(const seed000_world *world, oct_structure structure, oct_map **out);

// One explore call at several radii: a table "explore".
oct_result oct_seed000_calls(seed000 *s, seed000_world *world);

#endif
