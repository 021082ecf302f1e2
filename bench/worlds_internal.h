// SPDX-License-Identifier: MIT
// What the files share that measure the tables of Hoekzema 2024.
#ifndef OCTANT_WORLDS_INTERNAL_H
#define OCTANT_WORLDS_INTERNAL_H

#include "bench/bench_world.h"
#include "bench/table_worlds.h"

typedef struct worlds_table {
    bench_report *report;
    oct_array *rows; // of worlds_row
    double *samples; // as many as there are rounds
} worlds_table;

// What is known of a row from elsewhere.
typedef struct worlds_figure {
    int test;
    bench_structure structure;
    const char *metric;
    double radius;                       // of one of several radii; 0 = of any
    double published, again[2], fast[2]; // 0 = not known
} worlds_figure;

// NULL where nothing is known.
const worlds_figure *oct_worlds_figure(int test, bench_structure structure, const char *metric,
                                       double radius);

// A row of that world with nothing measured yet, and what is known from elsewhere beside it.
// `radius` is Hoekzema's, before scaling; 0 = none.
worlds_row oct_worlds_row(const bench_world *world, const char *table, bench_structure structure,
                          const char *metric, double radius);
oct_result oct_worlds_push(worlds_table *s, const worlds_row *row);

// The radius of the tour by which a world is explored for tables 1 and "run", before scaling.
double oct_worlds_tour_radius(const bench_world *world);

// Whether the filter asks for a structure's rows.
bool oct_worlds_wants(const worlds_table *s, const char *table, const char *world,
                      bench_structure structure);

// Runs work once to warm it up, then several times: the median, in seconds. Work that takes long is
// run once. It adds the seconds that count.
typedef oct_result worlds_work(void *ctx, double *seconds);
oct_result oct_worlds_time(worlds_table *s, worlds_work *work, void *ctx, double *seconds);

// ---- worlds_limit.c: memory that is refused after a time, which ends a search ----

typedef struct worlds_limit {
    double until; // on the clock of benches, seconds; 0 = any time
    size_t held;  // bytes
    bool is_over; // something was refused
} worlds_limit;

oct_allocator oct_worlds_allocator(worlds_limit *limit);
// From here on, or no more.
void oct_worlds_limit(worlds_limit *limit, bool is_on);

// ---- worlds_times.c, worlds_explore.c ----

// Single steps in one structure: a table "times".
oct_result oct_worlds_times(worlds_table *s, bench_world *world);
// Neighbours, adding all things, growing, in worlds that nobody explores.
oct_result oct_worlds_plain_times(worlds_table *s, bench_world *world);
// A map in which all cells of the world's bounds were observed, with all things.
oct_result oct_worlds_full_map(const bench_world *world, bench_structure structure, world_map *out);

// ---- worlds_run.c ----

// Every look, explore call and path query of the octree's tour, repeated: a table "run".
oct_result oct_worlds_runs(worlds_table *s, bench_world *world);

// One explore call at several radii: a table "explore".
oct_result oct_worlds_calls(worlds_table *s, bench_world *world);

#endif
