// SPDX-License-Identifier: MIT
// The inside of `octant scen`: many queries over threads, and their rows as a CSV file.
#ifndef OCTANT_CLI_SCEN_RUN_H
#define OCTANT_CLI_SCEN_RUN_H

#include "cli/cli_internal.h"

#define SCEN_WHY_MAX 256

// A query, in cells.
typedef struct scen_query {
    size_t index;  // in the scenario file, from 0
    uint32_t line; // there
    oct_vec from, to;
    double stated; // the length that the file states
} scen_query;

typedef struct scen_result {
    oct_result result; // of the search
    oct_path_status status;
    bool done;               // false where the run was interrupted before
    bool valid;              // where it was checked
    bool kept;               // read from a file: numbers have nine digits
    double length, straight; // cells
    double turning;          // radians
    uint64_t expanded, generated, sight_checks;
    double time_us; // CPU time of the thread
} scen_result;

// ---- scen_run.c ----

// Called for each query that was done, in order, on the thread that called run; `place` is its
// place among the queries. A code other than CLI_YES ends the run.
typedef int scen_row_fn(void *ctx, size_t place, const scen_query *query,
                        const scen_result *result);

typedef struct scen_run {
    // What is to be done.
    const cli_scene *scene;
    oct_query query; // all but start and goal
    bool baseline;   // search with the yardstick instead
    bool corner;     // start and goal lie in a cell's smallest corner, not in its middle
    bool check;
    bool has_clearance; // lengths that are stated are those of a point
    uint32_t threads;   // afterwards: those that the system started
    const scen_query *queries;
    size_t count;
    size_t kept; // the first ones have their results; the last of them is done again
    scen_row_fn *row;
    void *row_ctx;
    // What came out.
    scen_result *results; // room for `count`
    size_t done;
    size_t search_bytes; // that a thread's planner holds
    double elapsed_s;
    bool interrupted;
    size_t left_out;        // queries of the file, as a scen_list has it
    size_t invalid;         // the first query with an invalid path, or SIZE_MAX
    char why[SCEN_WHY_MAX]; // what is wrong with it
} scen_run;

// Does the queries, each timed by itself, and stops early where SIGINT or SIGTERM says so.
// Complains where it fails.
int oct_scen_run(scen_run *run);

// ---- scen_csv.c ----

typedef struct scen_csv {
    cli_rows rows;
    bool checked;  // whether `valid` means something
    oct_array old; // of uint8_t: the file as it was, where the run goes on with it
    size_t whole;  // bytes of it that are kept
    size_t kept;   // rows of it
    size_t last;   // where the last of them begins
} scen_csv;

// Opens the file, unless the path is NULL. It is to be closed in any case. Nothing is written
// before the first row.
int oct_scen_csv_open(scen_csv *csv, const char *path, cli_rows_mode mode, bool checked);

// Gives a run the results that the file holds.
int oct_scen_csv_take(scen_csv *csv, scen_run *run);

// Adds a row; one that was kept must be the same, but for the time.
int oct_scen_csv_row(scen_csv *csv, size_t place, const scen_query *query,
                     const scen_result *result);

// Returns `code`, unless rows got lost.
int oct_scen_csv_close(scen_csv *csv, int code);

// ---- scen_file.c ----

// The queries of a scenario file that are to be done.
typedef struct scen_list {
    scen_query *queries; // malloc's
    size_t count;
    size_t file_count; // those in the file
    size_t left_out;   // of them, where the body has no room at an end
} scen_list;

// Reads the queries of a file that is for the scene's map. Complains where it fails; the list is to
// be freed in any case.
int oct_scen_load(const char *path, const cli_scene *scene, scen_list *out);

// Keeps so many of them, evenly spread over the file; those at floor(k n / limit).
void oct_scen_spread(scen_list *list, size_t limit);

// Keeps so many of them at random.
void oct_scen_sample(scen_list *list, size_t limit, uint64_t seed);

// Of a map with a clearance: keeps those whose ends have room for the body. Complains where none
// has. `corner`: ends lie in a cell's smallest corner, and have room where any cell around it is
// free.
int oct_scen_leave_out(const char *path, const cli_scene *scene, const oct_query *query,
                       bool corner, scen_list *list);

// Complains where a start or goal is blocked on a query's terms, or outside.
int oct_scen_check(const char *path, const scen_list *list, const cli_scene *scene,
                   const oct_query *query, bool corner);

#endif
