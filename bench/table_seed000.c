// SPDX-License-Identifier: MIT
// What seed 000 did, and what is done here:
// - Cells of 0.62 m, its padding, see-through, as in its experiments. But nothing becomes OPEN that
//   was not observed, and blocks have the size that they have: more cells are blocked than in its
//   tables.
// - Table 1 is of a world explored to the end: with radius 20 in tests 1 and 2, 50 in tests 3
// and 4.
//   The octree explores it by itself, always to the nearest frontier, looking around at the end of
//   each path. The looks of that tour are then brought into grid and set, which would take minutes
//   to plan one of their own. Bytes are those of the structure itself, after packing; what a map
//   knows of things comes beside it, and is equal for all three.
// - Worlds end at the extent of what is within 200 m of the start, and the view distance more. All
//   four are closed, so this bounds nothing but a mistake.
// - "whole" is what such a tour takes: planning (explore calls, with frontier and components
//   following the map) and mapping (looks), of the octree.
// - Checkerboard and solid world, of which the seed speaks in words only: cubes of a quarter of the
//   size, in cells; every second cell a thing, and things of 4 x 4 x 4 cells side by side. All
//   cells are observed.
// Where the data is not there, worlds 3 and 4 are ours, and nothing is in print of them.
#include "bench/table_seed000.h"

#include "bench/seed000.h"

#include <stdio.h>
#include <stdlib.h>

#define ROW_S 0.5 // a row that took more seconds has no further round
#define PATH_BYTES 4096
#define SOLID_EDGE 4        // cells
#define PLAIN_SIZE_MAX 512u // a quarter of it along an edge: a million things
#define TESTS 4

// ---- rows ----

static void set_pair(double out[2], const double from[2])
{
    out[0] = from[0] > 0.0 ? from[0] : -1.0;
    out[1] = from[1] > 0.0 ? from[1] : -1.0;
}

seed000_row oct_seed000_row(const seed000_world *world, const char *table, oct_structure structure,
                            const char *metric, double radius)
{
    seed000_row row = {.table = table,
                       .structure = oct_structure_name(structure),
                       .metric = metric,
                       .radius = radius > 0.0 ? oct_seed000_radius(world, radius) : 0.0,
                       .value = -1.0,
                       .published = -1.0,
                       .again = {-1.0, -1.0},
                       .fast = {-1.0, -1.0},
                       .goal = -1.0,
                       .length = -1.0};
    snprintf(row.world, sizeof row.world, "%s", world->name);
    const seed000_figure *const known = oct_seed000_figure(world->test, structure, metric, radius);
    if (known) {
        row.published = known->published > 0.0 ? known->published : -1.0;
        set_pair(row.again, known->again);
        set_pair(row.fast, known->fast);
    }
    return row;
}

oct_result oct_seed000_push(seed000 *s, const seed000_row *row)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(s->rows, &memory, sizeof *row, row);
}

bool oct_seed000_wants(const seed000 *s, const char *table, const char *world,
                       oct_structure structure)
{
    char text[96];
    snprintf(text, sizeof text, "%s/%s %s", table, world, oct_structure_name(structure));
    return strstr(text, s->report->options.filter) != NULL;
}

// Rows that differ in nothing but the structure come together.
static void group_rows(seed000_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t next = i + 1;
        for (size_t j = next; j < count; j++) {
            if (strcmp(rows[j].metric, rows[i].metric) == 0 && rows[j].radius == rows[i].radius) {
                const seed000_row row = rows[j];
                memmove(&rows[next + 1], &rows[next], (j - next) * sizeof row);
                rows[next++] = row;
            }
        }
        i = next - 1;
    }
}

oct_result oct_seed000_time(seed000 *s, seed000_work *work, void *ctx, double *seconds)
{
    double start = oct_bench_now_s();
    OCT_TRY(work(ctx));
    *seconds = oct_bench_now_s() - start;
    if (*seconds > ROW_S) {
        return OCT_OK;
    }
    double spent = 0.0;
    int rounds = 0;
    while (rounds < s->report->options.repeat && (rounds == 0 || spent < ROW_S)) {
        start = oct_bench_now_s();
        OCT_TRY(work(ctx));
        s->samples[rounds] = oct_bench_now_s() - start;
        spent += s->samples[rounds++];
    }
    *seconds = oct_bench_median(s->samples, rounds);
    return OCT_OK;
}

// ---- Table 1 ----

static double memory_radius(const seed000_world *w)
{
    return w->test == 1 || w->test == 2 ? 20.0 : 50.0;
}

static oct_result push_bytes(seed000 *s, const seed000_world *w, oct_structure structure,
                             double radius, oct_map_bytes bytes)
{
    static const double goals[TESTS + 1] = {-1.0, -1.0, -1.0, 1.8e6, 2.1e6};
    seed000_row cells = oct_seed000_row(w, "memory", structure, "cells_bytes", radius);
    cells.value = (double)bytes.cells;
    cells.goal = structure == OCT_STRUCTURE_OCTREE ? goals[w->test] : -1.0;
    seed000_row things = oct_seed000_row(w, "memory", structure, "things_bytes", radius);
    things.value = (double)bytes.things;
    OCT_TRY(oct_seed000_push(s, &cells));
    return oct_seed000_push(s, &things);
}

// What a map holds, packed; it is gone afterwards.
static oct_result pack(oct_map *map, oct_map_bytes *out)
{
    const oct_result result = oct_map_shrink(map);
    *out = oct_map_measure(map);
    oct_map_destroy(map);
    return result;
}

// The looks of the octree's tour in another structure, which then knows the same or is wrong.
static oct_result repeat_tour(seed000 *s, seed000_world *w, oct_map *map)
{
    uint64_t labels[3];
    OCT_TRY(oct_seed000_replay(w, map));
    OCT_TRY(oct_seed000_count(map, labels));
    if (memcmp(labels, w->labels, sizeof labels) != 0) {
        snprintf(s->report->message, sizeof s->report->message,
                 "table seed000: %s: octree and %s disagree", w->name,
                 oct_structure_name(oct_map_structure(map)));
        return OCT_ERROR_ARGUMENT;
    }
    return OCT_OK;
}

static oct_result measure_memory(seed000 *s, seed000_world *w)
{
    const double radius = memory_radius(w);
    OCT_TRY(oct_seed000_explore(w, oct_seed000_radius(w, radius)));
    if (oct_seed000_wants(s, "memory", w->name, OCT_STRUCTURE_OCTREE)) {
        OCT_TRY(push_bytes(s, w, OCT_STRUCTURE_OCTREE, radius, w->held));
    }
    for (uint32_t i = OCT_STRUCTURE_GRID; i < OCT_STRUCTURE_COUNT; i++) {
        oct_map *map;
        oct_map_bytes bytes;
        if (!oct_seed000_wants(s, "memory", w->name, (oct_structure)i)) {
            continue;
        }
        OCT_TRY(oct_seed000_map(w, (oct_structure)i, &map));
        const oct_result result = repeat_tour(s, w, map);
        const oct_result packed = pack(map, &bytes);
        OCT_TRY(result);
        OCT_TRY(packed);
        OCT_TRY(push_bytes(s, w, (oct_structure)i, radius, bytes));
    }
    return OCT_OK;
}

static oct_result measure_plain_memory(seed000 *s, seed000_world *w)
{
    for (uint32_t i = 0; i < OCT_STRUCTURE_COUNT; i++) {
        oct_map *map;
        oct_map_bytes bytes;
        if (!oct_seed000_wants(s, "memory", w->name, (oct_structure)i)) {
            continue;
        }
        OCT_TRY(oct_seed000_full_map(w, (oct_structure)i, &map));
        OCT_TRY(pack(map, &bytes));
        OCT_TRY(push_bytes(s, w, (oct_structure)i, 0.0, bytes));
    }
    return OCT_OK;
}

// ---- a whole tour ----

static oct_result push_tour(seed000 *s, const seed000_world *w, double radius, const char *metric,
                            double value, double goal)
{
    seed000_row row = oct_seed000_row(w, "whole", OCT_STRUCTURE_OCTREE, metric, radius);
    row.value = value;
    row.goal = goal;
    snprintf(row.note, sizeof row.note, "%s", oct_tour_status_name(w->tour.status));
    return oct_seed000_push(s, &row);
}

static oct_result measure_tour(seed000 *s, seed000_world *w, double radius)
{
    OCT_TRY(oct_seed000_explore(w, oct_seed000_radius(w, radius)));
    const tour_result *const t = &w->tour;
    const double goal = w->test == 4 && radius == 20.0 ? 2e3 : -1.0;
    const double plan_ms = (double)t->plan_time * 1e-6, map_ms = (double)t->look_time * 1e-6;
    OCT_TRY(push_tour(s, w, radius, "calls", (double)t->calls, -1.0));
    OCT_TRY(push_tour(s, w, radius, "travelled_m", t->travelled, -1.0));
    OCT_TRY(push_tour(s, w, radius, "plan_ms", plan_ms, -1.0));
    OCT_TRY(push_tour(s, w, radius, "plan_max_ms", (double)t->plan_time_max * 1e-6, -1.0));
    OCT_TRY(push_tour(s, w, radius, "map_ms", map_ms, -1.0));
    OCT_TRY(push_tour(s, w, radius, "total_ms", plan_ms + map_ms, goal));
    return push_tour(s, w, radius, "tree_bytes", (double)w->held.cells, -1.0);
}

static oct_result measure_tours(seed000 *s, seed000_world *w)
{
    if (memory_radius(w) != 20.0) {
        OCT_TRY(measure_tour(s, w, memory_radius(w)));
    }
    return measure_tour(s, w, 20.0);
}

// ---- worlds of one's own ----

static void add_cube(seed000_world *w, oct_vec at, int32_t edge)
{
    const double cell = w->cell;
    const oct_thing thing = {
        .id = w->count + 1u,
        .box = {{at.x * cell, at.y * cell, at.z * cell},
                {(at.x + edge) * cell, (at.y + edge) * cell, (at.z + edge) * cell}},
        .label = OCT_BLOCKED,
        .opaque = 1};
    w->things[w->count++] = thing;
}

// Every second cube of that edge, or each.
static oct_result make_cubes(seed000_world *w, const char *name, int32_t size, int32_t edge,
                             bool is_checkered)
{
    const int32_t across = size / edge;
    snprintf(w->name, sizeof w->name, "%s", name);
    w->is_plain = true;
    w->scale = 1.0;
    w->cell = 1.0; // lengths are whole: no thing reaches into the next cell
    w->bounds = (oct_box){{0, 0, 0}, {size, size, size}};
    w->things = malloc((size_t)across * (size_t)across * (size_t)across * sizeof *w->things);
    if (!w->things) {
        return OCT_ERROR_MEMORY;
    }
    for (int32_t z = 0; z < across; z++) {
        for (int32_t y = 0; y < across; y++) {
            for (int32_t x = 0; x < across; x++) {
                if (!is_checkered || (x + y + z) % 2 == 0) {
                    add_cube(w, (oct_vec){x * edge, y * edge, z * edge}, edge);
                }
            }
        }
    }
    return OCT_OK;
}

// ---- all of them ----

typedef oct_result table_fn(seed000 *s, seed000_world *world);

typedef struct seed000_part {
    const char *name;
    table_fn *run;       // of worlds that one can explore; NULL = has no such rows
    table_fn *run_plain; // of the others
} seed000_part;

static const seed000_part parts[] = {
    {"memory", measure_memory, measure_plain_memory},
    {"whole", measure_tours, NULL},
    {"times", oct_seed000_times, oct_seed000_plain_times},
    {"explore", oct_seed000_calls, NULL},
};
#define PARTS (sizeof parts / sizeof parts[0])

typedef enum place { PLACE_TEST, PLACE_OURS, PLACE_CHECKERBOARD, PLACE_SOLID } place;

typedef struct world_choice {
    const char *name;
    place kind;
    int number; // of the test; ours: 1 = with walls
} world_choice;

static const world_choice with_data[] = {{"world1", PLACE_TEST, 1},
                                         {"world2", PLACE_TEST, 2},
                                         {"world3", PLACE_TEST, 3},
                                         {"world4", PLACE_TEST, 4},
                                         {"checkerboard", PLACE_CHECKERBOARD, 0},
                                         {"solid", PLACE_SOLID, 0}};
static const world_choice without_data[] = {{"glass-box", PLACE_OURS, 0},
                                            {"glass-maze", PLACE_OURS, 1},
                                            {"checkerboard", PLACE_CHECKERBOARD, 0},
                                            {"solid", PLACE_SOLID, 0}};
#define WORLDS_MAX (sizeof with_data / sizeof with_data[0])

static bool has_data(const char *data)
{
    char path[PATH_BYTES];
    bool has = data != NULL;
    for (int test = 1; test <= TESTS && has; test++) {
        has = oct_seed000_file(data, test, path, sizeof path) && oct_bench_file_exists(path);
    }
    return has;
}

static oct_result make_world(seed000 *s, const world_choice *choice, seed000_world *out)
{
    const bench_options *const options = &s->report->options;
    const int32_t plain =
        (int32_t)(options->size < PLAIN_SIZE_MAX ? options->size : PLAIN_SIZE_MAX) / 4;
    char path[PATH_BYTES];
    oct_error error = {.line = 0};
    switch (choice->kind) {
    case PLACE_OURS:
        return oct_seed000_generate(out, choice->number == 1, options->size);
    case PLACE_CHECKERBOARD:
        return make_cubes(out, choice->name, plain, 1, true);
    case PLACE_SOLID:
        return make_cubes(out, choice->name, plain, SOLID_EDGE, false);
    case PLACE_TEST:
        break;
    }
    oct_seed000_file(options->data, choice->number, path, sizeof path);
    const oct_result result = oct_seed000_load(out, choice->number, path, &error);
    if (result != OCT_OK) {
        oct_bench_explain(s->report, path, result, &error);
    }
    return result;
}

// What to run for it, if the filter asks for any of its rows.
static table_fn *part_of(const seed000 *s, const seed000_part *part, const world_choice *choice)
{
    const bool is_plain = choice->kind == PLACE_CHECKERBOARD || choice->kind == PLACE_SOLID;
    // Test 2 has no explore call.
    const bool is_none = part->run == oct_seed000_calls && choice->number == 2;
    // Only the octree goes on tours.
    const uint32_t structures = part->run == measure_tours ? 1 : OCT_STRUCTURE_COUNT;
    bool is_wanted = false;
    for (uint32_t i = 0; i < structures; i++) {
        is_wanted |= oct_seed000_wants(s, part->name, choice->name, (oct_structure)i);
    }
    return is_none || !is_wanted ? NULL : is_plain ? part->run_plain : part->run;
}

static oct_result measure_part(seed000 *s, const seed000_part *part, const world_choice *choice,
                               seed000_world *world)
{
    bench_report *const report = s->report;
    table_fn *const run = part_of(s, part, choice);
    if (!run) {
        return OCT_OK;
    }
    char text[64];
    snprintf(text, sizeof text, "%s, %s", part->name, choice->name);
    report->options.progress(text, report->scene++, report->scene_count);
    const size_t first = s->rows->count;
    oct_result result = world->things ? OCT_OK : make_world(s, choice, world);
    if (result == OCT_OK) {
        result = run(s, world);
    }
    if (s->rows->count > first) {
        group_rows((seed000_row *)s->rows->items + first, s->rows->count - first);
    }
    if (result != OCT_OK && !report->message[0]) {
        snprintf(report->message, sizeof report->message, "table seed000: %s: %s", text,
                 oct_result_text(result));
    }
    return result;
}

oct_result oct_table_seed000(bench_report *report, oct_array *rows)
{
    const bool is_data = has_data(report->options.data);
    const world_choice *const choices = is_data ? with_data : without_data;
    const size_t count = is_data ? WORLDS_MAX : sizeof without_data / sizeof without_data[0];
    seed000_world *const worlds = calloc(WORLDS_MAX, sizeof *worlds);
    seed000 s = {report, rows, calloc((size_t)report->options.repeat, sizeof(double))};
    oct_result result = worlds && s.samples ? OCT_OK : OCT_ERROR_MEMORY;
    report->scene_count = 0;
    for (size_t i = 0; i < PARTS * count; i++) {
        report->scene_count += part_of(&s, &parts[i / count], &choices[i % count]) != NULL;
    }
    for (size_t i = 0; i < PARTS * count && result == OCT_OK; i++) {
        result = measure_part(&s, &parts[i / count], &choices[i % count], &worlds[i % count]);
    }
    for (size_t i = 0; worlds && i < WORLDS_MAX; i++) {
        oct_seed000_free(&worlds[i]);
    }
    free(worlds);
    free(s.samples);
    return result;
}
