// SPDX-License-Identifier: MIT
// The pruned tree of Abdo 2017: our map, whose leaves merge behind a unit, and whose index of
// things has nodes only where one is. An obstacle or a unit takes the one leaf that its middle is
// in.
#include "bench/units_listing.h"
#include "octant/lab.h"
#include "octant/map.h"
#include "octant/tree.h"

#include <stdlib.h>

#define UNIT_ID (UNITS_OBSTACLES + 1u)

typedef struct pruned_scene {
    oct_map *map;
    uint64_t obstacle_count; // things with ids from 1
    int units;               // things from UNIT_ID
    oct_planner *planner;
    oct_query query;
    oct_lab_query lab; // of the query
    oct_path path;     // of the last plan
    listing_search listing;
} pruned_scene;

static void destroy(void *tree)
{
    pruned_scene *const scene = tree;
    oct_planner_destroy(scene->planner);
    oct_map_destroy(scene->map);
    free(scene);
}

static oct_result create_map(pruned_scene *scene)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = UNITS_LEAF;
    OCT_TRY(oct_map_create(&def, &scene->map));
    const oct_box world = {{0, 0, 0}, {UNITS_EDGE, UNITS_EDGE, UNITS_EDGE}};
    OCT_TRY(oct_map_set_box(scene->map, world, OCT_MARK_OPEN));
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = oct_map_tree(scene->map);
    planner.lab = oct_lab();
    return oct_planner_create(&planner, &scene->planner);
}

static oct_result create(void **out, oct_lab_graph graph, oct_lab_algorithm algorithm)
{
    *out = NULL;
    pruned_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    scene->query = oct_query_default();
    scene->lab = oct_lab_query_default();
    scene->lab.graph = graph;
    scene->lab.algorithm = algorithm;
    scene->query.lab = &scene->lab;
    const oct_result result = create_map(scene);
    if (result != OCT_OK) {
        destroy(scene);
        return result;
    }
    *out = scene;
    return OCT_OK;
}

static oct_result greedy_create(void **out)
{
    return create(out, OCT_LAB_GRAPH_DUAL, OCT_LAB_GREEDY);
}

static oct_result portal_create(void **out)
{
    return create(out, OCT_LAB_GRAPH_PORTAL, OCT_LAB_PORTAL);
}

static oct_result add_thing(pruned_scene *scene, uint64_t id, oct_point at)
{
    const oct_thing thing = {.id = id, .box = {at, at}, .label = OCT_BLOCKED, .opaque = 1};
    return oct_map_add(scene->map, &thing);
}

static oct_result remove_things(pruned_scene *scene)
{
    for (; scene->obstacle_count > 0; scene->obstacle_count--) {
        OCT_TRY(oct_map_remove(scene->map, scene->obstacle_count));
    }
    for (; scene->units > 0; scene->units--) {
        OCT_TRY(oct_map_remove(scene->map, UNIT_ID + (uint64_t)scene->units - 1u));
    }
    return OCT_OK;
}

static oct_result enter(void *tree, const units_run *run)
{
    pruned_scene *const scene = tree;
    OCT_TRY(remove_things(scene));
    for (size_t i = 0; i < run->obstacle_count; i++) {
        OCT_TRY(add_thing(scene, i + 1u, run->obstacles[i]));
        scene->obstacle_count++;
    }
    for (int i = 0; i < run->units; i++) {
        OCT_TRY(add_thing(scene, UNIT_ID + (uint64_t)i, run->starts[i]));
        scene->units++;
    }
    return OCT_OK;
}

static bool is_taken(const void *tree, oct_point at)
{
    const pruned_scene *const scene = tree;
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(scene->map), at, &cell) &&
           oct_tree_label(oct_map_tree(scene->map), cell) == OCT_BLOCKED;
}

// From inside the leaf that the unit takes itself.
static oct_result plan(void *tree, const units_run *run, int unit, units_plan *out)
{
    pruned_scene *const scene = tree;
    scene->query.from = run->starts[unit];
    scene->query.to = run->goals[unit];
    OCT_TRY(oct_planner_plan(scene->planner, &scene->query, &scene->path));
    *out = (units_plan){.is_found = scene->path.status == OCT_PATH_FOUND,
                        .traversals = scene->path.expanded};
    return OCT_OK;
}

static oct_result points(const void *tree, const units_run *run, int unit, oct_array *points)
{
    const pruned_scene *const scene = tree;
    (void)run;
    (void)unit;
    points->count = 0;
    for (uint32_t i = 0; i < scene->path.point_count; i++) {
        OCT_TRY(oct_units_add_point(points, scene->path.points[i]));
    }
    return OCT_OK;
}

static oct_result move(void *tree, int unit, oct_point to)
{
    pruned_scene *const scene = tree;
    return oct_map_move(scene->map, UNIT_ID + (uint64_t)unit, (oct_bounds){to, to});
}

static oct_result measure(void *tree, size_t *node_bytes, size_t *thing_bytes)
{
    pruned_scene *const scene = tree;
    OCT_TRY(oct_map_shrink(scene->map));
    const oct_map_bytes bytes = oct_map_measure(scene->map);
    *node_bytes = bytes.cells;
    *thing_bytes = bytes.things;
    return OCT_OK;
}

// ---- Abdo's own search ----

static listing_leaf listing_leaf_of(const oct_leaf *leaf)
{
    return (listing_leaf){(uint32_t)leaf->x +
                              UNITS_EDGE * ((uint32_t)leaf->y + UNITS_EDGE * (uint32_t)leaf->z),
                          leaf->level};
}

// The leaf at the place of a cube of the same size in that direction.
static bool beside(const void *tree, listing_leaf from, int direction, listing_leaf *out)
{
    const oct_map *const map = tree;
    const int32_t step = (direction % 2 == 0 ? -1 : 1) * (1 << from.level);
    oct_vec at = {(int32_t)(from.corner % UNITS_EDGE),
                  (int32_t)(from.corner / UNITS_EDGE % UNITS_EDGE),
                  (int32_t)(from.corner / (UNITS_EDGE * UNITS_EDGE))};
    at.x += direction / 2 == 0 ? step : 0;
    at.y += direction / 2 == 1 ? step : 0;
    at.z += direction / 2 == 2 ? step : 0;
    const oct_leaf leaf = oct_tree_leaf(oct_map_tree(map), at);
    if (leaf.label != OCT_OPEN || leaf.level < from.level) {
        return false;
    }
    *out = listing_leaf_of(&leaf);
    return true;
}

static oct_result listing_plan(void *tree, const units_run *run, int unit, units_plan *out)
{
    pruned_scene *const scene = tree;
    oct_vec goal;
    if (!oct_tree_cell_at(oct_map_tree(scene->map), run->goals[unit], &goal)) {
        return OCT_ERROR_RANGE;
    }
    const oct_leaf leaf = oct_tree_leaf(oct_map_tree(scene->map), goal);
    const listing_leaf from = {oct_units_leaf(run->starts[unit]), 0};
    *out = oct_units_listing(&scene->listing, beside, scene->map, from, listing_leaf_of(&leaf));
    return OCT_OK;
}

static oct_result listing_points(const void *tree, const units_run *run, int unit,
                                 oct_array *points)
{
    const pruned_scene *const scene = tree;
    return oct_listing_points(&scene->listing, run, unit, points);
}

const units_kind oct_units_pruned_listing = {
    .structure = "pruned",
    .algorithm = "listing",
    .create = greedy_create,
    .destroy = destroy,
    .enter = enter,
    .is_taken = is_taken,
    .plan = listing_plan,
    .points = listing_points,
    .move = move,
    .measure = measure,
};

const units_kind oct_units_pruned_greedy = {
    .structure = "pruned",
    .algorithm = "greedy",
    .create = greedy_create,
    .destroy = destroy,
    .enter = enter,
    .is_taken = is_taken,
    .plan = plan,
    .points = points,
    .move = move,
    .measure = measure,
};

const units_kind oct_units_pruned_portal = {
    .structure = "pruned",
    .algorithm = "portal",
    .create = portal_create,
    .destroy = destroy,
    .enter = enter,
    .is_taken = is_taken,
    .plan = plan,
    .points = points,
    .move = move,
    .measure = measure,
};
