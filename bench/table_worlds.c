// SPDX-License-Identifier: MIT
// What Hoekzema 2024 did, and what is done here:
// - Cells of 0.62 m, its padding, see-through, as in its experiments. But nothing becomes OPEN that
//   was not observed, and blocks have the size that they have: more cells are blocked than in its
//   tables.
// - Table 1 is of a world explored to the end: with radius 20 in tests 1 and 2, 50 in tests 3
//   and 4. The octree explores it by itself, always to the nearest frontier, looking around at the
//   end of each path. The looks of that tour are then repeated by the baselines. Bytes are those of
//   the structure itself, the octree's after packing; what a map knows of things comes beside it.
// - "run" repeats every look, explore call and path query of that tour with each structure, in the
//   order of the tour: means. A baseline that takes too long is ended.
// - Worlds end at the extent of what is within 200 m of the start, and the view distance more. All
//   four are closed, so this bounds nothing but a mistake.
// - "whole" is what such a tour takes: planning (explore calls, with frontier and components
//   following the map) and mapping (looks), of the octree.
// - Checkerboard and solid world, of which Hoekzema 2024 speaks in words only: cubes of a quarter
// of
//   the size, in cells; every second cell a thing, and things of 4 x 4 x 4 cells side by side. All
//   cells are observed.
// Where the data is not there, worlds 3 and 4 are ours, and nothing is in print of them.
#include "bench/table_worlds.h"

#include "bench/worlds_internal.h"

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

worlds_row oct_worlds_row(const bench_world *world, const char *table, bench_structure structure,
                          const char *metric, double radius)
{
    worlds_row row = {.table = table,
                      .structure = oct_bench_structure_name(structure),
                      .metric = metric,
                      .radius = radius > 0.0 ? oct_bench_world_radius(world, radius) : 0.0,
                      .value = -1.0,
                      .published = -1.0,
                      .again = {-1.0, -1.0},
                      .fast = {-1.0, -1.0},
                      .goal = -1.0,
                      .length = -1.0};
    snprintf(row.world, sizeof row.world, "%s", world->name);
    const worlds_figure *const known = oct_worlds_figure(world->test, structure, metric, radius);
    if (known) {
        row.published = known->published > 0.0 ? known->published : -1.0;
        set_pair(row.again, known->again);
        set_pair(row.fast, known->fast);
    }
    return row;
}

oct_result oct_worlds_push(worlds_table *s, const worlds_row *row)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(s->rows, &memory, sizeof *row, row);
}

bool oct_worlds_wants(const worlds_table *s, const char *table, const char *world,
                      bench_structure structure)
{
    char text[96];
    snprintf(text, sizeof text, "%s/%s %s", table, world, oct_bench_structure_name(structure));
    return strstr(text, s->report->options.filter) != NULL;
}

// Rows that differ in nothing but the structure come together.
static void group_rows(worlds_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t next = i + 1;
        for (size_t j = next; j < count; j++) {
            if (strcmp(rows[j].metric, rows[i].metric) == 0 && rows[j].radius == rows[i].radius) {
                const worlds_row row = rows[j];
                memmove(&rows[next + 1], &rows[next], (j - next) * sizeof row);
                rows[next++] = row;
            }
        }
        i = next - 1;
    }
}

oct_result oct_worlds_time(worlds_table *s, worlds_work *work, void *ctx, double *seconds)
{
    *seconds = 0.0;
    OCT_TRY(work(ctx, seconds));
    if (*seconds > ROW_S) {
        return OCT_OK;
    }
    double spent = 0.0;
    int rounds = 0;
    while (rounds < s->report->options.repeat && (rounds == 0 || spent < ROW_S)) {
        s->samples[rounds] = 0.0;
        OCT_TRY(work(ctx, &s->samples[rounds]));
        spent += s->samples[rounds++];
    }
    *seconds = oct_bench_median(s->samples, rounds);
    return OCT_OK;
}

// ---- Table 1 ----

double oct_worlds_tour_radius(const bench_world *w)
{
    return w->test == 1 || w->test == 2 ? 20.0 : 50.0;
}

// What a structure holds.
typedef struct holding {
    size_t cells, things; // bytes
    uint64_t nodes;
    char note[48];
} holding;

static oct_result push_holding(worlds_table *s, const bench_world *w, bench_structure structure,
                               double radius, const holding *h)
{
    static const double goals[TESTS + 1] = {-1.0, -1.0, -1.0, 1.8e6, 2.1e6};
    worlds_row cells = oct_worlds_row(w, "memory", structure, "cells_bytes", radius);
    worlds_row things = oct_worlds_row(w, "memory", structure, "things_bytes", radius);
    worlds_row nodes = oct_worlds_row(w, "memory", structure, "nodes", radius);
    cells.value = (double)h->cells;
    cells.goal = structure == BENCH_OCTREE ? goals[w->test] : -1.0;
    things.value = (double)h->things;
    nodes.value = (double)h->nodes;
    memcpy(nodes.note, h->note, sizeof nodes.note);
    OCT_TRY(oct_worlds_push(s, &cells));
    OCT_TRY(oct_worlds_push(s, &things));
    return oct_worlds_push(s, &nodes);
}

// What a map holds; an octree is packed first.
static oct_result measure_holding(const world_map *m, holding *out)
{
    if (!m->baseline) {
        OCT_TRY(oct_map_shrink(m->map));
        const oct_map_bytes bytes = oct_map_measure(m->map);
        *out = (holding){bytes.cells, bytes.things, oct_bench_world_nodes(m->map), ""};
        return OCT_OK;
    }
    const baseline_size size = oct_baseline_map_measure(m->baseline);
    const oct_box b = size.box;
    *out = (holding){size.cells, size.things, size.nodes, ""};
    if (oct_baseline_map_kind(m->baseline) == BASELINE_GRID) {
        snprintf(out->note, sizeof out->note, "%d x %d x %d voxels", b.max.x - b.min.x,
                 b.max.y - b.min.y, b.max.z - b.min.z);
    } else {
        snprintf(out->note, sizeof out->note, "blocked cells");
    }
    return OCT_OK;
}

// The looks of the octree's tour in a baseline, which then knows the same or is wrong.
static oct_result repeat_tour(worlds_table *s, bench_world *w, world_map *m)
{
    uint64_t labels[3];
    OCT_TRY(oct_bench_world_replay(w, m));
    OCT_TRY(oct_bench_world_count(m, labels));
    if (memcmp(labels, w->labels, sizeof labels) != 0) {
        snprintf(s->report->message, sizeof s->report->message,
                 "table worlds: %s: octree and %s disagree", w->name,
                 oct_baseline_name(oct_baseline_map_kind(m->baseline)));
        return OCT_ERROR_ARGUMENT;
    }
    return OCT_OK;
}

static oct_result measure_memory(worlds_table *s, bench_world *w)
{
    const double radius = oct_worlds_tour_radius(w);
    OCT_TRY(oct_bench_world_explore(w, oct_bench_world_radius(w, radius)));
    if (oct_worlds_wants(s, "memory", w->name, BENCH_OCTREE)) {
        const holding held = {w->held.cells, w->held.things, w->tree_nodes, ""};
        OCT_TRY(push_holding(s, w, BENCH_OCTREE, radius, &held));
    }
    for (uint32_t i = BENCH_GRID; i < BENCH_STRUCTURE_COUNT; i++) {
        world_map m;
        holding held;
        if (!oct_worlds_wants(s, "memory", w->name, (bench_structure)i)) {
            continue;
        }
        OCT_TRY(oct_bench_world_map(w, (bench_structure)i, NULL, &m));
        oct_result result = repeat_tour(s, w, &m);
        if (result == OCT_OK) {
            result = measure_holding(&m, &held);
        }
        oct_bench_world_map_free(&m);
        OCT_TRY(result);
        OCT_TRY(push_holding(s, w, (bench_structure)i, radius, &held));
    }
    return OCT_OK;
}

static oct_result measure_plain_memory(worlds_table *s, bench_world *w)
{
    for (uint32_t i = 0; i < BENCH_STRUCTURE_COUNT; i++) {
        world_map m;
        holding held;
        if (!oct_worlds_wants(s, "memory", w->name, (bench_structure)i)) {
            continue;
        }
        OCT_TRY(oct_worlds_full_map(w, (bench_structure)i, &m));
        const oct_result result = measure_holding(&m, &held);
        oct_bench_world_map_free(&m);
        OCT_TRY(result);
        OCT_TRY(push_holding(s, w, (bench_structure)i, 0.0, &held));
    }
    return OCT_OK;
}

// ---- a whole tour ----

static oct_result push_tour(worlds_table *s, const bench_world *w, double radius,
                            const char *metric, double value, double goal)
{
    worlds_row row = oct_worlds_row(w, "whole", BENCH_OCTREE, metric, radius);
    row.value = value;
    row.goal = goal;
    snprintf(row.note, sizeof row.note, "%s", oct_tour_status_name(w->tour.status));
    return oct_worlds_push(s, &row);
}

static oct_result measure_tour(worlds_table *s, bench_world *w, double radius)
{
    OCT_TRY(oct_bench_world_explore(w, oct_bench_world_radius(w, radius)));
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

static oct_result measure_tours(worlds_table *s, bench_world *w)
{
    if (oct_worlds_tour_radius(w) != 20.0) {
        OCT_TRY(measure_tour(s, w, oct_worlds_tour_radius(w)));
    }
    return measure_tour(s, w, 20.0);
}

// ---- worlds of one's own ----

static void add_cube(bench_world *w, oct_vec at, int32_t edge)
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
static oct_result make_cubes(bench_world *w, const char *name, int32_t size, int32_t edge,
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

typedef oct_result table_fn(worlds_table *s, bench_world *world);

typedef struct worlds_part {
    const char *name;
    table_fn *run;       // of worlds that one can explore; NULL = has no such rows
    table_fn *run_plain; // of the others
} worlds_part;

static const worlds_part parts[] = {
    {"memory", measure_memory, measure_plain_memory},
    {"whole", measure_tours, NULL},
    {"run", oct_worlds_runs, NULL},
    {"times", oct_worlds_times, oct_worlds_plain_times},
    {"explore", oct_worlds_calls, NULL},
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
        has = oct_bench_world_file(data, test, path, sizeof path) && oct_bench_file_exists(path);
    }
    return has;
}

static oct_result make_world(worlds_table *s, const world_choice *choice, bench_world *out)
{
    const bench_options *const options = &s->report->options;
    const int32_t plain =
        (int32_t)(options->size < PLAIN_SIZE_MAX ? options->size : PLAIN_SIZE_MAX) / 4;
    char path[PATH_BYTES];
    oct_error error = {.line = 0};
    switch (choice->kind) {
    case PLACE_OURS:
        return oct_bench_world_generate(out, choice->number == 1, options->size);
    case PLACE_CHECKERBOARD:
        return make_cubes(out, choice->name, plain, 1, true);
    case PLACE_SOLID:
        return make_cubes(out, choice->name, plain, SOLID_EDGE, false);
    case PLACE_TEST:
        break;
    }
    oct_bench_world_file(options->data, choice->number, path, sizeof path);
    const oct_result result = oct_bench_world_load(out, choice->number, path, &error);
    if (result != OCT_OK) {
        oct_bench_explain(s->report, path, result, &error);
    }
    return result;
}

// What to run for it, if the filter asks for any of its rows.
static table_fn *part_of(const worlds_table *s, const worlds_part *part, const world_choice *choice)
{
    const bool is_plain = choice->kind == PLACE_CHECKERBOARD || choice->kind == PLACE_SOLID;
    // Test 2 has no explore call.
    const bool is_none = part->run == oct_worlds_calls && choice->number == 2;
    // Only the octree goes on tours.
    const uint32_t structures = part->run == measure_tours ? 1 : BENCH_STRUCTURE_COUNT;
    bool is_wanted = false;
    for (uint32_t i = 0; i < structures; i++) {
        is_wanted |= oct_worlds_wants(s, part->name, choice->name, (bench_structure)i);
    }
    return is_none || !is_wanted ? NULL : is_plain ? part->run_plain : part->run;
}

static oct_result measure_part(worlds_table *s, const worlds_part *part, const world_choice *choice,
                               bench_world *world)
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
        group_rows((worlds_row *)s->rows->items + first, s->rows->count - first);
    }
    if (result != OCT_OK && !report->message[0]) {
        snprintf(report->message, sizeof report->message, "table worlds: %s: %s", text,
                 oct_result_text(result));
    }
    return result;
}

oct_result oct_table_worlds(bench_report *report, oct_array *rows)
{
    const bool is_data = has_data(report->options.data);
    const world_choice *const choices = is_data ? with_data : without_data;
    const size_t count = is_data ? WORLDS_MAX : sizeof without_data / sizeof without_data[0];
    bench_world *const worlds = calloc(WORLDS_MAX, sizeof *worlds);
    worlds_table s = {report, rows, calloc((size_t)report->options.repeat, sizeof(double))};
    oct_result result = worlds && s.samples ? OCT_OK : OCT_ERROR_MEMORY;
    report->scene_count = 0;
    for (size_t i = 0; i < PARTS * count; i++) {
        report->scene_count += part_of(&s, &parts[i / count], &choices[i % count]) != NULL;
    }
    for (size_t i = 0; i < PARTS * count && result == OCT_OK; i++) {
        result = measure_part(&s, &parts[i / count], &choices[i % count], &worlds[i % count]);
    }
    for (size_t i = 0; worlds && i < WORLDS_MAX; i++) {
        oct_bench_world_free(&worlds[i]);
    }
    free(worlds);
    free(s.samples);
    return result;
}
