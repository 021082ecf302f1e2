// SPDX-License-Identifier: MIT
#include "bench/bench_world.h"
#include "octant/tree.h"
#include "world/world_internal.h"

#include "bench/bench.h"
#include "files/files_internal.h"
#include "octant/generate_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.62
#define BODY 1.8 // metres, its height
#define WHOLE_SIZE 256
#define RADIUS_MIN 3.0   // metres: with less of it a body sees next to nothing
#define NEAR_START 200.0 // metres: what is farther is no part of the level

typedef struct test_file {
    const char *name;
    oct_point button, goal; // as ../shared/data/README.md has them
    oct_point feet, up;     // in the middle
} test_file;

static const test_file files[4] = {
    {"test1_myworld-3_Indoors.json",
     {8.75, -3.75, 70.0},
     {26.25, -3.75, 65.0},
     {0, 0, 0},
     {0, 0, 0}},
    {"test2_CR3_3_3_M.json", {25.849, 5.819, 16.778}, {30.849, 5.819, 9.278}, {0, 0, 0}, {0, 0, 0}},
    {"test3a_Glass_box.json",
     {47.308, 62.968, 52.172},
     {72.307, 5.468, -2.828},
     {42.0004, 12.5771, 20.9271},
     {0, 0, 1}},
    {"test4a_Glass_box_maze.json",
     {47.308, 62.968, 52.172},
     {72.307, 5.468, -2.828},
     {41.4322, 13.5012, 22.7565},
     {0.054, 0.012, -0.998}},
};

bool oct_bench_world_file(const char *data, int test, char *out, size_t size)
{
    const int length =
        snprintf(out, size, "%s/space_engineers/worlds/%s", data, files[test - 1].name);
    return length > 0 && (size_t)length < size;
}

static oct_point centre_of(oct_point feet, oct_point up)
{
    const double half = BODY / 2.0;
    return (oct_point){feet.x + half * up.x, feet.y + half * up.y, feet.z + half * up.z};
}

// ---- what is there ----

static bool is_within(const oct_bounds *box, const oct_bounds *of)
{
    return box->max.x > of->min.x && box->min.x < of->max.x && box->max.y > of->min.y &&
           box->min.y < of->max.y && box->max.z > of->min.z && box->min.z < of->max.z;
}

static oct_bounds around(oct_point at, double reach)
{
    return (oct_bounds){{at.x - reach, at.y - reach, at.z - reach},
                        {at.x + reach, at.y + reach, at.z + reach}};
}

static void include(oct_bounds *all, const oct_bounds *box)
{
    all->min.x = box->min.x < all->min.x ? box->min.x : all->min.x;
    all->min.y = box->min.y < all->min.y ? box->min.y : all->min.y;
    all->min.z = box->min.z < all->min.z ? box->min.z : all->min.z;
    all->max.x = box->max.x > all->max.x ? box->max.x : all->max.x;
    all->max.y = box->max.y > all->max.y ? box->max.y : all->max.y;
    all->max.z = box->max.z > all->max.z ? box->max.z : all->max.z;
}

static oct_result make_map(const bench_world *w, oct_map **out)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = w->cell;
    def.padding = (oct_point){w->padding, w->padding, w->padding};
    return oct_map_create(&def, out);
}

// Things of the world that a box holds a part of; the bounds follow from them.
static oct_result take_things(bench_world *w, const oct_world *world, const oct_bounds *part)
{
    const size_t count = oct_world_blocks(world);
    w->things = malloc((count + 1u) * sizeof *w->things);
    if (!w->things) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(make_map(w, &w->truth));
    oct_bounds extent = around(w->start, 0.0);
    for (size_t i = 0; i < count; i++) {
        const oct_thing thing = oct_world_thing(world, i);
        if (is_within(&thing.box, part)) {
            OCT_TRY(oct_map_add(w->truth, &thing));
            include(&extent, &thing.box);
            w->things[w->count++] = thing;
        }
    }
    const oct_bounds *const seen = w->scale < 1.0 ? part : &extent;
    w->bounds = oct_map_cover(w->truth, *seen);
    return OCT_OK;
}

static void set_scale(bench_world *w)
{
    w->scale = 1.0;
    w->cell = CELL;
    w->padding = (BODY - CELL) / 2.0;
}

oct_result oct_bench_world_load(bench_world *w, int test, const char *path, oct_error *error)
{
    const test_file *const file = &files[test - 1];
    oct_world *world;
    OCT_TRY(oct_world_load(path, NULL, NULL, &world, NULL, error));
    oct_pose start = {.position = {0, 0, 0}};
    oct_world_start(world, &start);
    set_scale(w);
    snprintf(w->name, sizeof w->name, "world%d", test);
    w->test = test;
    w->start = centre_of(start.position, start.up);
    w->middle = centre_of(file->feet, file->up);
    w->button = file->button;
    w->goal = file->goal;
    const oct_bounds part = around(w->start, NEAR_START);
    const oct_result result = take_things(w, world, &part);
    oct_world_destroy(world);
    return result;
}

// ---- ours ----

static oct_point middle_of(const oct_bounds *box)
{
    return (oct_point){(box->min.x + box->max.x) / 2.0, (box->min.y + box->max.y) / 2.0,
                       (box->min.z + box->max.z) / 2.0};
}

static oct_point named(const oct_world *world, const char *name)
{
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        if (strcmp(block.name, name) == 0) {
            return middle_of(&block.box);
        }
    }
    return (oct_point){0, 0, 0};
}

// Where a world is cut, what one looks for lies beyond: two places of the cube instead.
static void set_places(bench_world *w, const oct_world *world, double reach)
{
    const oct_bounds extent = oct_world_extent(world);
    const bool is_cut = w->scale < 1.0;
    const double far = 0.8 * reach;
    w->middle = is_cut ? w->start : middle_of(&extent);
    w->button = is_cut ? (oct_point){w->start.x + far, w->start.y + far, w->start.z}
                       : named(world, "button");
    w->goal = is_cut ? (oct_point){w->start.x - far, w->start.y + far, w->start.z + far}
                     : named(world, "goal");
}

oct_result oct_bench_world_generate(bench_world *w, bool is_maze, uint32_t size)
{
    oct_generate_world_def def = oct_generate_world_def_default();
    def.kind = is_maze ? OCT_GENERATE_GLASS_MAZE : OCT_GENERATE_GLASS_BOX;
    oct_world *world;
    OCT_TRY(oct_world_generate(&def, NULL, &world));
    oct_pose start = {.position = {0, 0, 0}};
    oct_world_start(world, &start);
    set_scale(w);
    snprintf(w->name, sizeof w->name, "%s", oct_generate_world_kind_name(def.kind));
    w->scale = size < WHOLE_SIZE ? (double)size / WHOLE_SIZE : 1.0;
    w->start = centre_of(start.position, start.up);
    const double reach = w->scale < 1.0 ? size * CELL / 2.0 : NEAR_START;
    const oct_bounds part = around(w->start, reach);
    set_places(w, world, reach);
    const oct_result result = take_things(w, world, &part);
    oct_world_destroy(world);
    return result;
}

void oct_bench_world_free(bench_world *w)
{
    const oct_allocator memory = oct_allocator_default();
    free(w->things);
    oct_map_destroy(w->truth);
    oct_array_free(&w->looks, &memory, sizeof(oct_point));
    oct_array_free(&w->steps, &memory, sizeof(tour_record));
    oct_array_free(&w->near, &memory, sizeof(oct_thing));
}

// ---- maps and looks ----

double oct_bench_world_radius(const bench_world *w, double radius)
{
    return w->scale < 1.0 ? RADIUS_MIN + radius * w->scale : radius;
}

const char *oct_bench_structure_name(bench_structure structure)
{
    return structure == BENCH_OCTREE ? "octree"
                                     : oct_baseline_name((baseline_kind)(structure - BENCH_GRID));
}

oct_result oct_bench_world_map(const bench_world *w, bench_structure structure,
                               const oct_allocator *may_be_null, world_map *out)
{
    *out = (world_map){.map = NULL};
    oct_result result = make_map(w, &out->map);
    if (result == OCT_OK && structure != BENCH_OCTREE) {
        const baseline_kind kind = (baseline_kind)(structure - BENCH_GRID);
        result = oct_baseline_map_create(kind, out->map, may_be_null, &out->baseline);
    }
    if (result != OCT_OK) {
        oct_bench_world_map_free(out);
    }
    return result;
}

void oct_bench_world_map_free(world_map *m)
{
    oct_baseline_map_destroy(m->baseline);
    oct_map_destroy(m->map);
    *m = (world_map){.map = NULL};
}

typedef struct gathering {
    bench_world *world;
    oct_point at;
    double radius;
    oct_result result;
} gathering;

static double outside(double lo, double hi, double at)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static bool gather(void *ctx, const oct_thing *thing)
{
    gathering *const g = ctx;
    const oct_bounds *const box = &thing->box;
    const double x = outside(box->min.x, box->max.x, g->at.x);
    const double y = outside(box->min.y, box->max.y, g->at.y);
    const double z = outside(box->min.z, box->max.z, g->at.z);
    if (x * x + y * y + z * z <= g->radius * g->radius) {
        const oct_allocator memory = oct_allocator_default();
        g->result = oct_array_push(&g->world->near, &memory, sizeof *thing, thing);
    }
    return g->result == OCT_OK;
}

oct_result oct_bench_world_gather(bench_world *w, oct_point at, double radius)
{
    gathering g = {w, at, radius, OCT_OK};
    w->near.count = 0;
    oct_map_things_in(w->truth, oct_map_cover(w->truth, around(at, radius)), gather, &g);
    return g.result;
}

oct_result oct_bench_world_look(bench_world *w, world_map *m, oct_point at, double radius,
                                double *seconds)
{
    const oct_view view = {.centre = at, .radius = radius, .sight = OCT_SIGHT_THROUGH};
    OCT_TRY(oct_bench_world_gather(w, at, radius));
    double start = oct_bench_now_s();
    OCT_TRY(oct_map_observe(m->map, &view, w->near.items, w->near.count, NULL));
    if (m->baseline) {
        start = oct_bench_now_s();
        OCT_TRY(oct_baseline_map_repeat(m->baseline, m->map, w->near.items, w->near.count));
    }
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

oct_result oct_bench_world_count(const world_map *m, uint64_t labels[3])
{
    const oct_tree *const tree = oct_map_tree(m->map);
    const oct_box box = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    if (m->baseline) {
        oct_baseline_map_count(m->baseline, box, labels);
        return OCT_OK;
    }
    return oct_tree_count(tree, box, labels);
}

// ---- the tour ----

static uint64_t clock_ns(void *ctx)
{
    (void)ctx;
    return (uint64_t)(oct_bench_now_s() * 1e9);
}

static bool keep_step(void *ctx, const tour_event *event)
{
    bench_world *const w = ctx;
    const oct_allocator memory = oct_allocator_default();
    if (event->step == TOUR_MOVE) {
        return true;
    }
    tour_record step = {.is_call = event->step == TOUR_PLAN, .at = event->at};
    if (step.is_call) {
        step.has_goal = event->plan->status == OCT_EXPLORE_GO;
        step.frontier = event->plan->frontier;
    }
    return oct_array_push(&w->steps, &memory, sizeof step, &step) == OCT_OK &&
           (step.is_call ||
            oct_array_push(&w->looks, &memory, sizeof event->at, &event->at) == OCT_OK);
}

static int32_t cells_of(const bench_world *w, double metres)
{
    return (int32_t)ceil(metres / w->cell);
}

static oct_result tour_with(bench_world *w, oct_map *map, double radius)
{
    const int32_t view = cells_of(w, radius);
    const oct_box bounds = {
        {w->bounds.min.x - view, w->bounds.min.y - view, w->bounds.min.z - view},
        {w->bounds.max.x + view, w->bounds.max.y + view, w->bounds.max.z + view}};
    // A cut world has no walls around it.
    const oct_box *const within = w->scale < 1.0 ? &w->bounds : &bounds;
    oct_explorer_def def = oct_explorer_def_default();
    def.map = map;
    def.bounds = within;
    def.radius = radius;
    oct_explorer *explorer;
    OCT_TRY(oct_explorer_create(&def, &explorer));
    // Looks at the ends of paths alone, as Hoekzema's agent plans.
    const tour_def tour = {.map = map,
                           .truth = w->truth,
                           .explorer = explorer,
                           .bounds = within,
                           .start = w->start,
                           .forward = {1, 0, 0},
                           .radius = radius,
                           .sight = OCT_SIGHT_THROUGH,
                           .fov = 360.0,
                           .step = HUGE_VAL,
                           .event = keep_step,
                           .event_ctx = w,
                           .clock = clock_ns};
    w->looks.count = w->steps.count = 0;
    const oct_result result = oct_tour_run(&tour, &w->tour);
    oct_explorer_destroy(explorer);
    return result;
}

uint64_t oct_bench_world_nodes(const oct_map *map)
{
    const oct_tree_stats stats = oct_tree_measure(oct_map_tree(map));
    uint64_t nodes = 0;
    for (int level = 0; level <= OCT_LEVEL_MAX; level++) {
        nodes += stats.nodes[level];
    }
    return nodes;
}

oct_result oct_bench_world_explore(bench_world *w, double radius)
{
    if (w->tour_radius == radius) {
        return OCT_OK;
    }
    world_map m;
    w->tour_radius = 0.0;
    OCT_TRY(oct_bench_world_map(w, BENCH_OCTREE, NULL, &m));
    oct_result result = tour_with(w, m.map, radius);
    if (result == OCT_OK && w->tour.status == TOUR_STOPPED) {
        result = OCT_ERROR_MEMORY; // for a look
    }
    if (result == OCT_OK) {
        result = oct_map_shrink(m.map);
    }
    if (result == OCT_OK) {
        result = oct_bench_world_count(&m, w->labels);
    }
    if (result == OCT_OK) {
        w->held = oct_map_measure(m.map);
        w->tree_nodes = oct_bench_world_nodes(m.map);
        w->tour_radius = radius;
    }
    oct_bench_world_map_free(&m);
    return result;
}

oct_result oct_bench_world_replay(bench_world *w, world_map *map)
{
    double seconds = 0.0;
    const oct_point *const looks = w->looks.items;
    for (size_t i = 0; i < w->looks.count; i++) {
        OCT_TRY(oct_bench_world_look(w, map, looks[i], w->tour_radius, &seconds));
    }
    return OCT_OK;
}
