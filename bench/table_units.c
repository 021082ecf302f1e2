// SPDX-License-Identifier: MIT
// Abdo 2017 tells its tests in words (chapter 4) and prints the listing of its trees and its
// search, but not that of its units; where it is silent, this is what was chosen:
// - "Size of 50 and a depth of 4 ... overall size is 500 metric units": 16 leaves of 31.25 m along
//   an edge. Obstacles are those of octant gen svo-wall and svo-random
//   (src/generate/generate_world.c), of which the random ones differ from run to run. One takes the
//   leaf that its middle is in, though it may reach into the next: so it is in Abdo's trees. So
//   does a unit.
// - Starts and goals are drawn from the ball that fits into the cube, as the listing draws goals,
//   and all trees get the same. A unit starts in a leaf of its own; a goal is drawn anew only if it
//   is in the leaf of its start.
// - All units are in the tree, then each in turn searches from its start, and finds the others in
//   the way; then each in turn flies, and back. They do not avoid each other, nor do Abdo's.
// - Failures: the goal's leaf is taken (there is no search then), or there is no path. Abdo's
//   unit then gets another goal; ours does not, and is left out of the other figures. So are
//   Abdo's failures, of which no number is in print.
// - A traversal is an expansion: Abdo counts the same.
// - Both trees are searched by Abdo's own listing, whose figures are beside what is in print
//   (bench/units_listing.h says what is wrong with it), and by what it was meant to be: A* over
//   the finest nodes in six directions, which is greedy search where all leaves have one size, and
//   greedy search. The pruned tree also by our own.
// - A unit searches from inside the leaf that it takes itself; ours goes out to the nearest free
//   point first.
// - A flight goes straight from point to point of the path, in steps of 1/16 leaf. Where the unit
//   is farther than a leaf's edge from the middle of its leaf, it is entered anew: an update. Ours
//   are timed by themselves; Abdo's times are those of whole flights, with rendering.
// - Memory is that of the tree with all units at their starts: of nodes, and of what they hold.
// What
//   Abdo prints is the length of the serialised nodes without any unit. It calls that bits; the
//   listing counts bytes.
// Times are warm: the median of the rounds, for each search and each flight, without what reading
// the clock takes; there is no further round once they took 2 ms.
#include "bench/table_units.h"
#include "bench/units_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1e3        // in a second
#define ROUNDS_MS 2.0 // no more of a search or a flight that took longer
#define CLOCK_READS 200

static const int unit_counts[] = {1, 3, 5, 10, 15};
#define UNIT_COUNTS (sizeof unit_counts / sizeof unit_counts[0])

typedef struct scene_kind {
    const char *name;
    oct_generate_world_kind kind;
} scene_kind;

static const scene_kind scenes[] = {
    {"wall", OCT_GENERATE_SVO_WALL},
    {"random", OCT_GENERATE_SVO_RANDOM},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static const units_kind *const kinds[] = {
    &oct_units_full_listing,  &oct_units_full_astar,    &oct_units_pruned_listing,
    &oct_units_pruned_greedy, &oct_units_pruned_portal,
};
#define KINDS (sizeof kinds / sizeof kinds[0])

enum {
    TIME_MS,
    TRAVERSALS,
    UPDATES,
    UPDATE_MS,
    GOALS_TAKEN,
    NO_PATH,
    NODE_BYTES,
    THING_BYTES,
    METRICS
};

static const char *const metrics[METRICS] = {
    [TIME_MS] = "time_ms",       [TRAVERSALS] = "traversals",   [UPDATES] = "updates",
    [UPDATE_MS] = "update_ms",   [GOALS_TAKEN] = "goals_taken", [NO_PATH] = "no_path",
    [NODE_BYTES] = "node_bytes", [THING_BYTES] = "thing_bytes",
};

// ---- in print ----

typedef struct published_row {
    const char *scene;
    int units; // 0 = any
    const units_kind *kind;
    int metric;
    units_print print;
    double min, max, mean, deviation;
} published_row;

// Tables 1 to 10, and 5.1. The searches of 15 units in the pruned tree are in print only as a
// drawing.
static const published_row published[] = {
    {"random", 1, &oct_units_full_listing, TIME_MS, UNITS_ALL, 4, 591, 240.11, 155.3207106},
    {"random", 1, &oct_units_full_listing, TRAVERSALS, UNITS_ALL, 6, 3725, 1573.11, 1030.481097},
    {"wall", 1, &oct_units_full_listing, TIME_MS, UNITS_ALL, 20, 554, 247.03, 150.1772996},
    {"wall", 1, &oct_units_full_listing, TRAVERSALS, UNITS_ALL, 35, 3625, 1552.42, 992.2934987},
    {"random", 15, &oct_units_full_listing, TIME_MS, UNITS_ALL, 4, 4748, 1981.055333, 1221.767926},
    {"random", 15, &oct_units_full_listing, TRAVERSALS, UNITS_ALL, 2, 3788, 1556.238667,
     1019.081339},
    {"wall", 15, &oct_units_full_listing, TIME_MS, UNITS_ALL, 0, 4629, 1945.08, 1208.23054},
    {"wall", 15, &oct_units_full_listing, TRAVERSALS, UNITS_ALL, 2, 3789, 1535.972, 1010.854987},
    {"random", 1, &oct_units_pruned_listing, TIME_MS, UNITS_ALL, 1, 67, 27.13, 13.15383341},
    {"random", 1, &oct_units_pruned_listing, TRAVERSALS, UNITS_ALL, 8, 280, 121.34, 73.46918821},
    {"wall", 1, &oct_units_pruned_listing, TIME_MS, UNITS_ALL, 0, 22, 15.86, 5.388015133},
    {"wall", 1, &oct_units_pruned_listing, TRAVERSALS, UNITS_ALL, 2, 209, 33.98, 29.27369281},
    {"random", 15, &oct_units_full_listing, UPDATE_MS, UNITS_ALL, 1789, 441192, 194575.3773,
     111141.0234},
    {"random", 15, &oct_units_full_listing, UPDATES, UNITS_ALL, 0, 26, 11.052, 4.811312553},
    {"wall", 15, &oct_units_full_listing, UPDATE_MS, UNITS_ALL, 1022, 420855, 194473.0127,
     113150.7738},
    {"wall", 15, &oct_units_full_listing, UPDATES, UNITS_ALL, 0, 24, 11.12333333, 4.791042853},
    {"random", 15, &oct_units_pruned_listing, UPDATE_MS, UNITS_ALL, 3077, 472327, 221134.096,
     126769.1704},
    {"random", 15, &oct_units_pruned_listing, UPDATES, UNITS_ALL, 0, 33, 11.47266667, 5.582893398},
    {"wall", 15, &oct_units_pruned_listing, UPDATE_MS, UNITS_ALL, 1887, 511287, 232697.4427,
     132535.8647},
    {"wall", 15, &oct_units_pruned_listing, UPDATES, UNITS_ALL, 0, 38, 12.152, 6.335481161},
    {"random", 0, &oct_units_pruned_listing, NODE_BYTES, UNITS_ONE_FIGURE, 0, 0, 72729, 0},
    {"wall", 0, &oct_units_pruned_listing, NODE_BYTES, UNITS_ONE_FIGURE, 0, 0, 26097, 0},
};

static void add_published(units_row *row, const units_kind *kind, int metric)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const published_row *const p = &published[i];
        if (strcmp(p->scene, row->scene) == 0 && (p->units == 0 || p->units == row->units) &&
            p->kind == kind && p->metric == metric) {
            row->print = p->print;
            row->published = (table_stats){
                .min = p->min, .max = p->max, .mean = p->mean, .deviation = p->deviation};
        }
    }
}

// ---- numbers ----

table_stats oct_table_stats(const double *values, size_t count)
{
    table_stats stats = {.count = count};
    if (count == 0) {
        return stats;
    }
    stats.min = stats.max = values[0];
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        stats.min = values[i] < stats.min ? values[i] : stats.min;
        stats.max = values[i] > stats.max ? values[i] : stats.max;
        sum += values[i];
    }
    stats.mean = sum / (double)count;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - stats.mean) * (values[i] - stats.mean);
    }
    stats.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
    return stats;
}

// ---- one run ----

// What a unit does in a run.
typedef struct trip {
    bool is_taken; // its goal
    units_plan plan;
    oct_array places; // of oct_point: the updates of its flight
} trip;

// One row of the table while it is being measured.
typedef struct meter {
    const units_kind *kind;
    void *tree;
    int repeat;
    double clock_s; // what reading the clock takes
    units_run run;
    trip trips[UNITS_MAX];
    oct_array points; // of oct_point
    double *rounds;   // room for `repeat`, ms
    int round_count;
    double rounds_ms;           // all together
    oct_array samples[METRICS]; // of double
} meter;

static oct_result add_sample(meter *m, int metric, double value)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(&m->samples[metric], &memory, sizeof value, &value);
}

// Finds out what there is to do, untimed: it warms up too.
static oct_result plan_trips(meter *m)
{
    int taken = 0, lost = 0;
    for (int i = 0; i < m->run.units; i++) {
        trip *const t = &m->trips[i];
        t->plan = (units_plan){.is_found = false};
        t->is_taken = m->kind->is_taken(m->tree, m->run.goals[i]);
        if (!t->is_taken) {
            OCT_TRY(m->kind->plan(m->tree, &m->run, i, &t->plan));
        }
        if (t->plan.is_found) {
            OCT_TRY(m->kind->points(m->tree, &m->run, i, &m->points));
            OCT_TRY(oct_units_fly(m->points.items, m->points.count, &t->places));
        }
        taken += t->is_taken;
        lost += !t->is_taken && !t->plan.is_found;
    }
    OCT_TRY(add_sample(m, GOALS_TAKEN, taken));
    return add_sample(m, NO_PATH, lost);
}

// The least that passes between two readings: searches here may take only ten times as long.
static double clock_cost_s(void)
{
    double least = 1.0;
    for (int i = 0; i < CLOCK_READS; i++) {
        const double start = oct_bench_now_s();
        const double seconds = oct_bench_now_s() - start;
        least = seconds < least ? seconds : least;
    }
    return least;
}

static void begin_rounds(meter *m)
{
    m->round_count = 0;
    m->rounds_ms = 0.0;
}

static bool has_round(const meter *m)
{
    return m->round_count < m->repeat && m->rounds_ms < ROUNDS_MS;
}

static void add_round(meter *m, double seconds)
{
    m->rounds[m->round_count++] = seconds > m->clock_s ? (seconds - m->clock_s) * MS : 0.0;
    m->rounds_ms += seconds * MS;
}

static oct_result time_search(meter *m, int unit)
{
    const trip *const t = &m->trips[unit];
    begin_rounds(m);
    while (has_round(m)) {
        units_plan plan;
        const double start = oct_bench_now_s();
        OCT_TRY(m->kind->plan(m->tree, &m->run, unit, &plan));
        add_round(m, oct_bench_now_s() - start);
        if (plan.is_found != t->plan.is_found || plan.traversals != t->plan.traversals) {
            return OCT_ERROR_ARGUMENT;
        }
    }
    OCT_TRY(add_sample(m, TIME_MS, oct_bench_median(m->rounds, m->round_count)));
    return add_sample(m, TRAVERSALS, (double)t->plan.traversals);
}

// There, timed, and back again.
static oct_result time_flight(meter *m, int unit)
{
    const trip *const t = &m->trips[unit];
    const oct_point *const places = t->places.items;
    begin_rounds(m);
    while (has_round(m)) {
        const double start = oct_bench_now_s();
        for (size_t i = 0; i < t->places.count; i++) {
            OCT_TRY(m->kind->move(m->tree, unit, places[i]));
        }
        add_round(m, oct_bench_now_s() - start);
        OCT_TRY(m->kind->move(m->tree, unit, m->run.starts[unit]));
    }
    OCT_TRY(add_sample(m, UPDATE_MS, oct_bench_median(m->rounds, m->round_count)));
    return add_sample(m, UPDATES, (double)t->places.count);
}

static oct_result measure_bytes(meter *m)
{
    size_t nodes, things;
    OCT_TRY(m->kind->measure(m->tree, &nodes, &things));
    OCT_TRY(add_sample(m, NODE_BYTES, (double)nodes));
    return add_sample(m, THING_BYTES, (double)things);
}

static oct_result measure_run(meter *m)
{
    OCT_TRY(m->kind->enter(m->tree, &m->run));
    OCT_TRY(plan_trips(m));
    for (int i = 0; i < m->run.units; i++) {
        if (m->trips[i].plan.is_found) {
            OCT_TRY(time_search(m, i));
        }
    }
    for (int i = 0; i < m->run.units; i++) {
        if (m->trips[i].plan.is_found) {
            OCT_TRY(time_flight(m, i));
        }
    }
    return measure_bytes(m); // last, since packed trees have to grow again
}

// ---- rows ----

static oct_result measure_kind(meter *m, const scene_kind *scene, int units, uint64_t runs)
{
    OCT_TRY(m->kind->create(&m->tree));
    m->rounds = malloc((size_t)m->repeat * sizeof *m->rounds);
    if (!m->rounds) {
        return OCT_ERROR_MEMORY;
    }
    for (uint64_t run = 1; run <= runs; run++) {
        OCT_TRY(oct_units_draw(&m->run, scene->kind, run, units));
        OCT_TRY(measure_run(m));
    }
    return OCT_OK;
}

static oct_result add_rows(const meter *m, const scene_kind *scene, int units, oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    for (int i = 0; i < METRICS; i++) {
        units_row row = {.scene = scene->name,
                         .units = units,
                         .structure = m->kind->structure,
                         .algorithm = m->kind->algorithm,
                         .metric = metrics[i]};
        row.measured = oct_table_stats(m->samples[i].items, m->samples[i].count);
        add_published(&row, m->kind, i);
        OCT_TRY(oct_array_push(rows, &memory, sizeof row, &row));
    }
    return OCT_OK;
}

static void free_meter(meter *m)
{
    const oct_allocator memory = oct_allocator_default();
    if (m->tree) {
        m->kind->destroy(m->tree);
    }
    free(m->rounds);
    oct_array_free(&m->points, &memory, sizeof(oct_point));
    for (int i = 0; i < UNITS_MAX; i++) {
        oct_array_free(&m->trips[i].places, &memory, sizeof(oct_point));
    }
    for (int i = 0; i < METRICS; i++) {
        oct_array_free(&m->samples[i], &memory, sizeof(double));
    }
}

static bool is_wanted(const bench_report *report, const scene_kind *scene, int units,
                      const units_kind *kind)
{
    char name[64];
    snprintf(name, sizeof name, "%s/%d/%s-%s", scene->name, units, kind->structure,
             kind->algorithm);
    return strstr(name, report->options.filter) != NULL;
}

static oct_result measure_row(bench_report *report, const scene_kind *scene, int units,
                              const units_kind *kind, uint64_t runs, oct_array *rows)
{
    report->options.progress(scene->name, report->scene, report->scene_count);
    meter m = {.kind = kind, .repeat = report->options.repeat, .clock_s = clock_cost_s()};
    oct_result result = measure_kind(&m, scene, units, runs);
    if (result == OCT_OK) {
        result = add_rows(&m, scene, units, rows);
    }
    free_meter(&m);
    if (result != OCT_OK) {
        snprintf(report->message, sizeof report->message, "table units: %s/%d/%s-%s: %s",
                 scene->name, units, kind->structure, kind->algorithm, oct_result_text(result));
    }
    report->scene++;
    return result;
}

oct_result oct_table_units(bench_report *report, uint64_t runs, oct_array *rows)
{
    const size_t all = SCENES * UNIT_COUNTS * KINDS;
    report->scene = 0;
    report->scene_count = 0;
    for (int pass = 0; pass < 2; pass++) { // first to count them, for the progress
        for (size_t i = 0; i < all; i++) {
            const scene_kind *const scene = &scenes[i / KINDS / UNIT_COUNTS];
            const int units = unit_counts[i / KINDS % UNIT_COUNTS];
            const units_kind *const kind = kinds[i % KINDS];
            if (!is_wanted(report, scene, units, kind)) {
                continue;
            }
            if (pass == 0) {
                report->scene_count++;
            } else {
                OCT_TRY(measure_row(report, scene, units, kind, runs, rows));
            }
        }
    }
    return OCT_OK;
}
