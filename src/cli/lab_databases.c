// SPDX-License-Identifier: MIT
// Databases of distances by themselves: how large they are, what they take to make and to open, and
// what a look-up costs.
#include "cli/lab_table.h"

#include "flat/distances.h"

#include <stdlib.h>
#include <string.h>

#define TABLE "databases"
#define ROUNDS 3          // of making and opening, of which the median counts
#define LOOKUPS (1 << 16) // different ones, in the same order for every database of an edge
#define PASSES 16         // over all of them

// A look-up: a block, and two points of its boundary.
typedef struct lookup {
    uint32_t code;
    uint8_t from, to;
} lookup;

// Makes one, and keeps the last.
static oct_result make(const oct_distances_def *def, oct_distances **out, double *ms)
{
    double times[ROUNDS];
    *out = NULL;
    for (int i = 0; i < ROUNDS; i++) {
        oct_distances_destroy(*out);
        const double start = oct_cli_now_ms();
        OCT_TRY(oct_distances_create(def, out));
        times[i] = oct_cli_now_ms() - start;
    }
    *ms = oct_bench_median(times, ROUNDS);
    return OCT_OK;
}

// Opens one that lies in memory, as a file that is mapped does.
static oct_result open_again(const oct_distances *distances, double *ms)
{
    double times[ROUNDS];
    size_t count;
    const void *const bytes = oct_distances_bytes(distances, &count);
    for (int i = 0; i < ROUNDS; i++) {
        oct_distances *opened;
        const double start = oct_cli_now_ms();
        OCT_TRY(oct_distances_open(bytes, count, NULL, &opened, NULL));
        times[i] = oct_cli_now_ms() - start;
        oct_distances_destroy(opened);
    }
    *ms = oct_bench_median(times, ROUNDS);
    return OCT_OK;
}

// Nanoseconds for a distance. *sum is that of all, so that none is left out.
static double look_up(const oct_distances *distances, const lookup *lookups, double *sum)
{
    *sum = 0.0;
    const double start = oct_cli_now_ms();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < LOOKUPS; i++) {
            *sum += distances_boundary(distances, lookups[i].code, lookups[i].from, lookups[i].to);
        }
    }
    return (oct_cli_now_ms() - start) * 1e6 / ((double)PASSES * LOOKUPS);
}

static void draw_lookups(uint32_t edge, lookup *out)
{
    oct_random random = oct_random_seed(edge);
    for (int i = 0; i < LOOKUPS; i++) {
        out[i] = (lookup){(uint32_t)oct_random_below(&random, UINT64_C(1) << edge * edge),
                          (uint8_t)oct_random_below(&random, 4u * edge),
                          (uint8_t)oct_random_below(&random, 4u * edge)};
    }
}

// What all databases of one edge have in common.
typedef struct edge_work {
    lookup *lookups;
    double sum;        // of their distances; 0 = none has been asked yet
    uint64_t plain[2]; // bytes of the plain one: unpacked, packed; 0 = not made yet
} edge_work;

static oct_result plain_bytes(oct_distances_def def, edge_work *work)
{
    oct_distances *plain;
    size_t count;
    def.kind = OCT_DISTANCES_PLAIN;
    if (work->plain[def.packed] > 0) {
        return OCT_OK;
    }
    OCT_TRY(oct_distances_create(&def, &plain));
    oct_distances_bytes(plain, &count);
    work->plain[def.packed] = count;
    oct_distances_destroy(plain);
    return OCT_OK;
}

static oct_result measure(const oct_distances_def *def, edge_work *work, lab_table_row *row)
{
    lab_database *const d = &row->database;
    oct_distances *distances;
    size_t count;
    double sum;
    OCT_TRY(plain_bytes(*def, work));
    OCT_TRY(make(def, &distances, &d->make_ms));
    const oct_result result = open_again(distances, &d->open_ms);
    oct_distances_bytes(distances, &count);
    d->bytes = count;
    d->growth = (double)count / (double)work->plain[def->packed] - 1.0;
    d->lookup_ns = look_up(distances, work->lookups, &sum);
    oct_distances_destroy(distances);
    // All databases hold the same distances between points of boundaries.
    const bool agrees = work->sum == 0.0 || work->sum == sum;
    work->sum = sum;
    return result != OCT_OK ? result : agrees ? OCT_OK : OCT_ERROR_FORMAT;
}

static int run_edge(const bench_options *options, uint32_t edge, oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    edge_work work = {.lookups = malloc(LOOKUPS * sizeof(lookup))};
    if (!work.lookups) {
        return oct_cli_check("bench", OCT_ERROR_MEMORY);
    }
    draw_lookups(edge, work.lookups);
    oct_result result = OCT_OK;
    for (int i = 0; i < 2 * OCT_DISTANCES_KIND_COUNT && result == OCT_OK; i++) {
        oct_distances_def def = oct_distances_def_default();
        def.edge = edge;
        def.packed = i < OCT_DISTANCES_KIND_COUNT;
        def.kind = (oct_distances_kind)(i % OCT_DISTANCES_KIND_COUNT);
        const lab_item item = {
            .graph = OCT_LAB_GRAPH_BLOCKS, .edge = edge, .kind = def.kind, .packed = def.packed};
        lab_table_row row = {.table = TABLE};
        char title[2 * LAB_NAME_MAX];
        oct_lab_table_label(&item, true, row.label);
        snprintf(row.name, sizeof row.name, "%u:%s:%s", edge, oct_distances_kind_name(def.kind),
                 def.packed ? "packed" : "unpacked");
        snprintf(title, sizeof title, TABLE "/%s", row.name);
        if (strstr(title, options->filter)) {
            result = measure(&def, &work, &row);
            result = result == OCT_OK ? oct_array_push(rows, &memory, sizeof row, &row) : result;
        }
    }
    free(work.lookups);
    return oct_cli_check("bench", result);
}

int oct_lab_databases_run(const bench_options *options, oct_array *rows)
{
    int code = CLI_YES;
    for (uint32_t edge = OCT_DISTANCES_EDGE_MIN; edge <= OCT_DISTANCES_EDGE_MAX && code == CLI_YES;
         edge++) {
        code = run_edge(options, edge, rows);
    }
    return code;
}
