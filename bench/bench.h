// SPDX-License-Identifier: MIT
// The runner of the benches: what a bench is, how it is repeated, what comes out.
//
// Rows of one scene are measured in turn, round after round, so that a slow moment of the machine
// falls on all of them alike. A row's value is the median of its rounds and its spread the range
// between the quartiles. Times are CPU time of the thread, unless a suite has another clock.
#ifndef OCTANT_BENCH_H
#define OCTANT_BENCH_H

#include "base/base_internal.h"

// What a timed run did. No operations means that it failed.
typedef struct bench_count {
    uint64_t operations;
    uint64_t checksum; // equal for rows of one metric: they did the same work
} bench_count;

// What a row does with a scene. Either `run` is timed, or `measure` gives the value.
typedef struct bench_work {
    bool (*prepare)(void *scene);    // before each run, not timed; false = it failed; may be NULL
    bench_count (*run)(void *scene); // timed
    uint64_t (*check)(void *scene);  // after each run, not timed: the checksum; may be NULL
    double (*measure)(void *scene);  // after all rounds
    bool (*applies)(const void *scene); // whether the scene has such a row; NULL = every one has
} bench_work;

// One row of every scene.
typedef struct bench {
    const char *structure;
    const char *metric;
    const char *baseline; // "STRUCTURE metric" of the same scene, or NULL
    double unit;          // seconds in one unit of the metric
    const bench_work *work;
} bench;

// What a value of the octree (or of any structure, as the suite says) should not exceed.
typedef struct bench_goal {
    const char *scene; // NULL = every scene
    const char *metric;
    double at_most;
} bench_goal;

// What the ratio of a row to its baseline should not exceed.
typedef struct bench_ratio_goal {
    const char *scene;
    const char *structure;
    const char *metric;
    double at_most;
} bench_ratio_goal;

typedef struct bench_suite {
    const bench *benches;
    size_t bench_count;
    const bench_goal *goals;
    size_t goal_count;
    bool all_have_goals; // rows of every structure, not the octree's alone
    const bench_ratio_goal *ratio_goals;
    size_t ratio_goal_count;
    // Runs of each row in a round, of which the fastest counts: what a neighbour on the same
    // processor does to a run of half a millisecond is not what is measured.
    int runs;
    // A row that would take more seconds than this has fewer rounds, but 3 at least; one of which a
    // single run takes more has none after the one that warms up. 0 = no limit.
    double row_s;
    // The clock, in seconds; NULL = CPU time of the thread. Work of several threads needs another.
    double (*now_s)(void);
    // Says whose turn it is, before any work of a row is called; NULL where each has its own.
    void (*select)(void *scene, const char *structure);
} bench_suite;

typedef struct bench_options {
    int repeat;                   // rounds, at least 1
    uint32_t size;                // edge of generated scenes, cells
    const char *filter;           // only rows whose "SCENE/STRUCTURE metric" holds it; "" = all
    const char *scenes;           // folder of files that replace scenes, or NULL
    const char *data;             // folder of real maps, or NULL
    const oct_executor *executor; // threads that are lent, or NULL
    void (*progress)(const char *what, size_t done, size_t total);
    // Called with each row of a table that takes long, as soon as it is measured; NULL = nobody is.
    void (*measured)(void *ctx, const void *row);
    void *measured_ctx;
} bench_options;

typedef struct bench_row {
    char name[64];     // SCENE/STRUCTURE
    char baseline[96]; // SCENE/STRUCTURE, and the metric where it is another; "" = none
    const char *metric;
    double value; // median
    double quartiles[2];
    double ratio; // value over the baseline's value; 0 without one
    double goal;  // the value should be at most this; negative = none
    bool equal;   // the quartiles overlap the baseline's
    uint64_t operations;
    uint64_t checksum;
} bench_row;

typedef struct bench_report {
    bench_options options;
    oct_array rows;     // of bench_row
    size_t scene;       // being measured, of
    size_t scene_count; // for the progress
    char message[512];  // why it failed
    char skipped[512];  // files that are not there, though there are rows of them; "" = none
} bench_report;

// Distance between the quartiles over the median.
double oct_bench_spread(const bench_row *row);

// Whether the options ask for any row of a scene.
bool oct_bench_wants(const bench_report *report, const bench_suite *suite, const char *scene);

// Measures the rows of one scene and appends them. `with_goals`: the scene is of the size that the
// goals are meant for.
oct_result oct_bench_scene(bench_report *report, const bench_suite *suite, const char *name,
                           void *scene, bool with_goals);

// Runs the suite of that name, or all for NULL. After a failure the message says why.
oct_result oct_bench_run(const char *name, bench_report *report);

void oct_bench_free(bench_report *report);

// CPU time of this thread, and time that passes, seconds.
double oct_bench_now_s(void);
double oct_bench_wall_s(void);

// The median of samples, which are sorted; there must be one.
double oct_bench_median(double *samples, int count);

// For suites: whether a file can be read; why a scene could not be made.
bool oct_bench_file_exists(const char *path);
void oct_bench_explain(bench_report *report, const char *what, oct_result result,
                       const oct_error *error);
// A scene is left out since its file is not there: says so in the report, as far as there is room.
void oct_bench_skip(bench_report *report, const char *path);

// Where our own worlds are, beside the working folder.
#define OCT_BENCH_WORLDS "worlds"

// The suites; a new one is a row in bench.c.
oct_result oct_bench_map(bench_report *report);
// The part of `map` about things and observation, and how many scenes it has.
oct_result oct_bench_things(bench_report *report);
size_t oct_bench_things_count(const bench_report *report);
oct_result oct_bench_search(bench_report *report);
oct_result oct_bench_flat(bench_report *report);
oct_result oct_bench_frontier(bench_report *report);
oct_result oct_bench_moving(bench_report *report);
oct_result oct_bench_swarm(bench_report *report);
oct_result oct_bench_game(bench_report *report);
oct_result oct_bench_link(bench_report *report);

#endif
