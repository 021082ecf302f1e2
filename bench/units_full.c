// SPDX-License-Identifier: MIT
// Abdo's octree (bench/baseline_full.c) with every node down to the finest, searched over those
// by location codes. An obstacle or a unit takes the one leaf that its middle is in.
#include "bench/baseline_full.h"
#include "bench/units_listing.h"
#include "octant/search.h"

#include <math.h>
#include <stdlib.h>

#define OBSTACLE_SIZE 10.0 // metres

typedef struct full_scene {
    full_tree full;
    uint32_t units[UNITS_MAX]; // which obstacles they are
    oct_planner *planner;
    oct_path path; // of the last plan
    listing_search listing;
} full_scene;

static void destroy(void *tree)
{
    full_scene *const scene = tree;
    oct_planner_destroy(scene->planner);
    oct_full_free(&scene->full);
    free(scene);
}

// The location code of a leaf: three bits a level, x lowest.
static uint32_t code_of(uint32_t leaf)
{
    uint32_t code = 1;
    for (int bit = UNITS_DEPTH - 1; bit >= 0; bit--) {
        code = code << 3 | (leaf >> bit & 1u) | (leaf >> (UNITS_DEPTH + bit) & 1u) << 1 |
               (leaf >> (2 * UNITS_DEPTH + bit) & 1u) << 2;
    }
    return code;
}

static oct_result create(void **out)
{
    *out = NULL;
    full_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    const oct_planner_def def = oct_planner_def_default();
    const oct_result result = oct_planner_create(&def, &scene->planner);
    if (result != OCT_OK) {
        destroy(scene);
        return result;
    }
    *out = scene;
    return OCT_OK;
}

static oct_result enter(void *tree, const units_run *run)
{
    full_scene *const scene = tree;
    oct_full_free(&scene->full);
    OCT_TRY(oct_full_init(&scene->full, (oct_point){0, 0, 0}, UNITS_EDGE * UNITS_LEAF, UNITS_DEPTH,
                          (uint32_t)run->obstacle_count + (uint32_t)run->units));
    for (size_t i = 0; i < run->obstacle_count; i++) {
        (void)oct_full_add(&scene->full, run->obstacles[i], OBSTACLE_SIZE);
    }
    for (int i = 0; i < run->units; i++) {
        scene->units[i] = oct_full_add(&scene->full, run->starts[i], OBSTACLE_SIZE);
    }
    return OCT_OK;
}

static bool is_taken(const void *tree, oct_point at)
{
    const full_scene *const scene = tree;
    return oct_full_holds(&scene->full, code_of(oct_units_leaf(at)));
}

// The leaf beside one, in one of six directions; false at the world's rim.
static bool leaf_beside(uint32_t leaf, int direction, uint32_t *out)
{
    const uint32_t shift = (uint32_t)(direction / 2) * UNITS_DEPTH;
    const uint32_t at = leaf >> shift & (UNITS_EDGE - 1);
    if (direction % 2 == 0) {
        *out = leaf - (1u << shift);
        return at > 0;
    }
    *out = leaf + (1u << shift);
    return at < UNITS_EDGE - 1;
}

static size_t edges(void *ctx, uint64_t node, oct_user_edge *out, size_t capacity)
{
    const full_tree *const full = ctx;
    size_t count = 0;
    for (int direction = 0; direction < 6; direction++) {
        uint32_t to;
        if (leaf_beside((uint32_t)node, direction, &to) && !oct_full_holds(full, code_of(to))) {
            if (count < capacity) {
                out[count] = (oct_user_edge){to, UNITS_LEAF};
            }
            count++;
        }
    }
    return count;
}

static double estimate(void *ctx, uint64_t a, uint64_t b)
{
    (void)ctx;
    const oct_point p = oct_units_middle((uint32_t)a), q = oct_units_middle((uint32_t)b);
    const double x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
    return sqrt(x * x + y * y + z * z);
}

static oct_result astar_plan(void *tree, const units_run *run, int unit, units_plan *out)
{
    full_scene *const scene = tree;
    const oct_user_graph graph = {.ctx = &scene->full, .edges = edges, .estimate = estimate};
    oct_query query = oct_query_default();
    query.user = &graph;
    query.user_from = oct_units_leaf(run->starts[unit]);
    query.user_to = oct_units_leaf(run->goals[unit]);
    OCT_TRY(oct_planner_plan(scene->planner, &query, &scene->path));
    *out = (units_plan){.is_found = scene->path.status == OCT_PATH_FOUND,
                        .traversals = scene->path.expanded};
    return OCT_OK;
}

static oct_result astar_points(const void *tree, const units_run *run, int unit, oct_array *points)
{
    const full_scene *const scene = tree;
    points->count = 0;
    OCT_TRY(oct_units_add_point(points, run->starts[unit]));
    for (uint32_t i = 1; i < scene->path.node_count; i++) {
        OCT_TRY(oct_units_add_point(points, oct_units_middle((uint32_t)scene->path.nodes[i])));
    }
    return oct_units_add_point(points, run->goals[unit]);
}

static oct_result move(void *tree, int unit, oct_point to)
{
    full_scene *const scene = tree;
    oct_full_put(&scene->full, scene->units[unit], to);
    return OCT_OK;
}

static oct_result measure(void *tree, size_t *node_bytes, size_t *thing_bytes)
{
    const full_scene *const scene = tree;
    *node_bytes = scene->full.table_size * sizeof *scene->full.table;
    *thing_bytes = oct_full_bytes(&scene->full) - *node_bytes;
    return OCT_OK;
}

// ---- Abdo's own search ----

static bool beside(const void *tree, listing_leaf from, int direction, listing_leaf *out)
{
    const full_tree *const full = tree;
    out->level = 0;
    return leaf_beside(from.corner, direction, &out->corner) &&
           !oct_full_holds(full, code_of(out->corner));
}

static oct_result listing_plan(void *tree, const units_run *run, int unit, units_plan *out)
{
    full_scene *const scene = tree;
    const listing_leaf from = {oct_units_leaf(run->starts[unit]), 0};
    const listing_leaf to = {oct_units_leaf(run->goals[unit]), 0};
    *out = oct_units_listing(&scene->listing, beside, &scene->full, from, to);
    return OCT_OK;
}

static oct_result listing_points(const void *tree, const units_run *run, int unit,
                                 oct_array *points)
{
    const full_scene *const scene = tree;
    return oct_listing_points(&scene->listing, run, unit, points);
}

const units_kind oct_units_full_astar = {
    .structure = "full",
    .algorithm = "astar",
    .create = create,
    .destroy = destroy,
    .enter = enter,
    .is_taken = is_taken,
    .plan = astar_plan,
    .points = astar_points,
    .move = move,
    .measure = measure,
};

const units_kind oct_units_full_listing = {
    .structure = "full",
    .algorithm = "listing",
    .create = create,
    .destroy = destroy,
    .enter = enter,
    .is_taken = is_taken,
    .plan = listing_plan,
    .points = listing_points,
    .move = move,
    .measure = measure,
};
