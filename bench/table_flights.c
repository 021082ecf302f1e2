// SPDX-License-Identifier: MIT
// Every row is a run of flights of its own, and its figures are written where they belong: so they
// do not depend on which thread did what.
#define _POSIX_C_SOURCE 200809L
#include "bench/table_flights.h"
#include "files/files_internal.h"
#include "world/world_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define EXTENSION ".json"

// ---- figures ----

static double per(double what, double of)
{
    return of > 0.0 ? what / of : 0.0;
}

double oct_flights_mean_s(const flights_row *row)
{
    return per(row->result.seconds, row->result.flights);
}

double oct_flights_reference_s(const flights_row *row)
{
    return per(row->result.reference, row->result.flights);
}

double oct_flights_ratio(const flights_row *row)
{
    return per(row->result.seconds, row->result.reference);
}

double oct_flights_think_us(const flights_row *row)
{
    return per(row->result.thought * 1e6, (double)row->result.actions);
}

bool oct_flights_all_arrived(const flights_row *row)
{
    return row->result.arrived == row->result.flights;
}

bool oct_flights_none_collided(const flights_row *row)
{
    return row->result.bumps == 0;
}

bool oct_flights_none_strayed(const flights_row *row)
{
    return row->result.stray <= FLIGHTS_STRAY;
}

bool oct_flights_in_time(const flights_row *row)
{
    return row->result.seconds <= FLIGHTS_RATIO * row->result.reference;
}

bool oct_flights_is_met(const flights_row *row)
{
    return oct_flights_all_arrived(row) && oct_flights_none_collided(row) &&
           oct_flights_none_strayed(row) && oct_flights_in_time(row);
}

// ---- what to fly ----

typedef struct flight_way {
    const char *pace, *facing_name;
    uint32_t delay_min, delay_max;
    oct_facing facing;
} flight_way;

static const flight_way ways[] = {
    {"stepped", "yaw", 0, 0, OCT_FACING_YAW},
    {"delayed", "yaw", FLIGHTS_DELAY_MIN, FLIGHTS_DELAY_MAX, OCT_FACING_YAW},
    {"stepped", "full", 0, 0, OCT_FACING_FULL},
    {"delayed", "full", FLIGHTS_DELAY_MIN, FLIGHTS_DELAY_MAX, OCT_FACING_FULL},
};
#define WAYS (sizeof ways / sizeof ways[0])

// One row while it is made.
typedef struct flights_job {
    flights_row row;
    oct_world *world;
    bool owns; // the first job in a world owns it
    const flight_way *way;
    oct_result result;
} flights_job;

typedef struct flights_table {
    bench_report *report;
    char **names; // files of the folder, by name
    size_t name_count;
    flights_job *jobs;
    size_t job_count;
    atomic_size_t done;
} flights_table;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_world(const char *name)
{
    const size_t length = strlen(name), tail = strlen(EXTENSION);
    return name[0] != '.' && length > tail && length < sizeof(((flights_row *)0)->world) &&
           strcmp(name + length - tail, EXTENSION) == 0;
}

static oct_result keep_name(flights_table *t, const char *name)
{
    if (oct_world_check_name(name) != OCT_OK) { // it goes into JSON
        snprintf(t->report->message, sizeof t->report->message,
                 "%.300s: a world's file has a name that is not UTF-8", t->report->options.scenes);
        return OCT_ERROR_FILE;
    }
    char **const names = realloc(t->names, (t->name_count + 1) * sizeof *names);
    t->names = names ? names : t->names;
    char *const copy = names ? malloc(strlen(name) + 1) : NULL;
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    strcpy(copy, name);
    t->names[t->name_count++] = copy;
    return OCT_OK;
}

static oct_result list_worlds(flights_table *t)
{
    const char *const folder = t->report->options.scenes;
    DIR *const listing = opendir(folder);
    if (!listing) {
        snprintf(t->report->message, sizeof t->report->message, "%.300s: %s", folder,
                 strerror(errno));
        return OCT_ERROR_FILE;
    }
    oct_result result = OCT_OK;
    for (const struct dirent *entry; result == OCT_OK && (entry = readdir(listing));) {
        result = is_world(entry->d_name) ? keep_name(t, entry->d_name) : OCT_OK;
    }
    closedir(listing);
    OCT_TRY(result);
    if (t->name_count == 0) {
        snprintf(t->report->message, sizeof t->report->message, "%.300s: there is no world",
                 folder);
        return OCT_ERROR_FILE;
    }
    qsort(t->names, t->name_count, sizeof *t->names, compare_names);
    return OCT_OK;
}

static oct_result load_world(bench_report *report, const char *name, oct_world **out)
{
    char path[4096];
    oct_error error = {.line = 0};
    oct_pose start;
    *out = NULL;
    snprintf(path, sizeof path, "%s/%s", report->options.scenes, name);
    const oct_result result = oct_world_load(path, NULL, NULL, out, NULL, &error);
    if (result != OCT_OK) {
        oct_bench_explain(report, path, result, &error);
    } else if (!oct_world_start(*out, &start)) {
        snprintf(error.message, sizeof error.message, "the world has no start");
        oct_bench_explain(report, path, OCT_ERROR_ARGUMENT, &error);
        return OCT_ERROR_ARGUMENT;
    }
    return result;
}

static bool is_wanted(const bench_report *report, const char *world, const flight_way *way)
{
    char name[320];
    snprintf(name, sizeof name, "%s/%s/%s", world, way->pace, way->facing_name);
    return strstr(name, report->options.filter) != NULL;
}

// The rows of one world that are wanted. Files of which none is are not read.
static oct_result add_jobs(flights_table *t, const char *file)
{
    flights_row row = {.world = ""};
    oct_world *world = NULL;
    memcpy(row.world, file, strlen(file) - strlen(EXTENSION));
    for (size_t i = 0; i < WAYS; i++) {
        if (!is_wanted(t->report, row.world, &ways[i])) {
            continue;
        }
        flights_job *const job = &t->jobs[t->job_count++];
        *job = (flights_job){.row = row, .way = &ways[i], .owns = !world};
        const oct_result result = world ? OCT_OK : load_world(t->report, file, &job->world);
        world = world ? world : job->world;
        job->world = world;
        OCT_TRY(result);
        job->row.pace = ways[i].pace;
        job->row.facing = ways[i].facing_name;
        job->row.sight = oct_world_rules_of(world).sight == OCT_SIGHT_LINE ? "line" : "through";
    }
    return OCT_OK;
}

// ---- flying ----

static void do_job(void *arg, uint32_t index, uint32_t worker)
{
    flights_table *const t = arg;
    flights_job *const job = &t->jobs[index];
    const flights_def def = {.world = job->world,
                             .flights = (uint32_t)t->report->options.repeat,
                             .delay_min = job->way->delay_min,
                             .delay_max = job->way->delay_max,
                             .facing = job->way->facing,
                             .seed = FLIGHTS_SEED};
    if (worker == 0) { // the caller's own thread: nobody else prints
        t->report->options.progress(job->row.world, atomic_load(&t->done), t->job_count);
    }
    job->result = oct_flights_run(&def, &job->row.result);
    atomic_fetch_add(&t->done, 1);
}

static oct_result run_jobs(flights_table *t)
{
    const oct_executor *const executor = t->report->options.executor;
    if (executor) {
        executor->run(executor->ctx, (uint32_t)t->job_count, do_job, t);
    }
    for (uint32_t i = 0; !executor && i < t->job_count; i++) {
        do_job(t, i, 0);
    }
    for (size_t i = 0; i < t->job_count; i++) {
        const flights_job *const job = &t->jobs[i];
        if (job->result != OCT_OK) {
            snprintf(t->report->message, sizeof t->report->message, "flights: %s/%s/%s: %s",
                     job->row.world, job->row.pace, job->row.facing, oct_result_text(job->result));
            return job->result;
        }
    }
    return OCT_OK;
}

static oct_result fill_table(flights_table *t, oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    OCT_TRY(list_worlds(t));
    t->jobs = calloc(t->name_count * WAYS, sizeof *t->jobs);
    if (!t->jobs) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < t->name_count; i++) {
        OCT_TRY(add_jobs(t, t->names[i]));
    }
    OCT_TRY(run_jobs(t));
    for (size_t i = 0; i < t->job_count; i++) {
        OCT_TRY(oct_array_push(rows, &memory, sizeof(flights_row), &t->jobs[i].row));
    }
    return OCT_OK;
}

oct_result oct_table_flights(bench_report *report, oct_array *rows)
{
    flights_table t = {.report = report};
    const oct_result result = fill_table(&t, rows);
    for (size_t i = 0; i < t.job_count; i++) {
        if (t.jobs[i].owns) {
            oct_world_destroy(t.jobs[i].world);
        }
    }
    free(t.jobs);
    for (size_t i = 0; i < t.name_count; i++) {
        free(t.names[i]);
    }
    free(t.names);
    return result;
}
