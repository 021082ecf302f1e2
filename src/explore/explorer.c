// SPDX-License-Identifier: MIT
// Explorers: life, following the map, and what a call ends with.
#include "explore/explorer_internal.h"
#include "explore/frontier_internal.h"
#include "octant/components.h"
#include "octant/tree.h"

#include <math.h>

#define EXPLORER_COOKIE 0x6578706cu

// ---- life ----

oct_explorer_def oct_explorer_def_default(void)
{
    return (oct_explorer_def){.radius = 20.0, .seed = 1, .cookie = EXPLORER_COOKIE};
}

static bool def_is_valid(const oct_explorer_def *def)
{
    return def->cookie == EXPLORER_COOKIE && def->map &&
           (uint32_t)def->strategy < OCT_STRATEGY_COUNT && (uint32_t)def->grade < OCT_GRADE_COUNT &&
           def->radius > 0.0 && isfinite(def->radius) &&
           (def->strategy != OCT_STRATEGY_USER || def->choose);
}

static oct_result make_components(oct_explorer *e)
{
    oct_components_def def = oct_components_def_default();
    def.tree = e->tree;
    def.allocator = &e->allocator;
    OCT_TRY(oct_components_create(&def, &e->components));
    def.unknown = OCT_UNKNOWN_OPEN;
    return oct_components_create(&def, &e->maybes);
}

static oct_result make_parts(oct_explorer *e)
{
    oct_frontier_def frontier = oct_frontier_def_default();
    frontier.map = e->map;
    frontier.bounds = e->is_bounded ? &e->bounds : NULL;
    frontier.allocator = &e->allocator;
    OCT_TRY(oct_frontier_create(&frontier, &e->frontier));
    OCT_TRY(make_components(e));
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = e->tree;
    planner.components[0] = e->components;
    planner.components[1] = e->maybes;
    planner.allocator = &e->allocator;
    return oct_planner_create(&planner, &e->planner);
}

oct_result oct_explorer_create(const oct_explorer_def *def, oct_explorer **out)
{
    *out = NULL;
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_explorer *const e = oct_alloc(&allocator, sizeof *e, _Alignof(oct_explorer));
    if (!e) {
        return OCT_ERROR_MEMORY;
    }
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    *e = (oct_explorer){.allocator = allocator,
                        .map = def->map,
                        .tree = oct_map_tree(def->map),
                        .dims = (int)oct_tree_dims(oct_map_tree(def->map)),
                        .is_bounded = def->bounds != NULL,
                        .bounds = def->bounds ? *def->bounds : all,
                        .radius = def->radius,
                        .strategy = def->strategy,
                        .random = oct_random_seed(def->seed),
                        .drawn = oct_random_seed(def->seed),
                        .choose = def->choose,
                        .choose_ctx = def->choose_ctx,
                        .grade = def->grade};
    if (e->dims == 2) {
        e->bounds.min.z = 0;
        e->bounds.max.z = 1;
    }
    const oct_result result =
        box_is_empty(e->dims, &e->bounds) ? OCT_ERROR_ARGUMENT : make_parts(e);
    if (result != OCT_OK) {
        oct_explorer_destroy(e);
        return result;
    }
    *out = e;
    return OCT_OK;
}

void oct_explorer_destroy(oct_explorer *explorer)
{
    if (!explorer) {
        return;
    }
    const oct_allocator allocator = explorer->allocator;
    oct_frontier_destroy(explorer->frontier);
    oct_planner_destroy(explorer->planner);
    oct_components_destroy(explorer->components);
    oct_components_destroy(explorer->maybes);
    oct_array_free(&explorer->places, &allocator, sizeof(oct_vec));
    oct_array_free(&explorer->choices, &allocator, sizeof(oct_candidate));
    oct_key_table_free(&explorer->cubes, &allocator);
    oct_array_free(&explorer->goals, &allocator, sizeof(oct_box));
    oct_array_free(&explorer->changes, &allocator, sizeof(oct_change));
    oct_free(&allocator, explorer, sizeof *explorer);
}

bool oct_explorer_visit_frontier(oct_explorer *explorer, const oct_box *within,
                                 oct_frontier_fn *visit, void *ctx)
{
    return oct_frontier_visit(explorer->frontier, within, visit, ctx);
}

oct_explorer_bytes oct_explorer_measure(const oct_explorer *explorer)
{
    const size_t components = oct_components_measure(explorer->components).bytes +
                              oct_components_measure(explorer->maybes).bytes;
    return (oct_explorer_bytes){oct_frontier_bytes(explorer->frontier), components,
                                oct_planner_bytes(explorer->planner)};
}

oct_point oct_explorer_point(const oct_explorer *e, oct_vec cell)
{
    return oct_tree_centre(oct_map_tree(e->map), cell);
}

// ---- following ----

static bool cells_equal(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The last place, unless it is the one before; there must be room.
static void keep_place(oct_explorer *e, oct_vec cell)
{
    oct_vec *const places = e->places.items;
    e->places.count = e->places_left;
    if (e->places.count == 0 || !cells_equal(places[e->places.count - 1], cell)) {
        places[e->places.count++] = cell;
    }
    e->places_left = e->places.count;
}

oct_result oct_explorer_arrive(oct_explorer *explorer, oct_point at)
{
    oct_explorer *const e = explorer;
    oct_vec cell, place;
    e->has_answer = false;
    if (!oct_tree_cell_at(e->tree, at, &cell) || !explorer_holds(e, cell)) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(e->places_left < e->places.capacity
                ? OCT_OK
                : oct_array_grow(&e->places, &e->allocator, sizeof cell));
    OCT_TRY(oct_components_update(e->components));
    OCT_TRY(oct_frontier_update(e->frontier));
    if (oct_frontier_has(e->frontier, cell)) {
        OCT_TRY(oct_frontier_skip(e->frontier, cell));
    }
    e->random = e->drawn;
    if (e->strategy == OCT_STRATEGY_DEPTH && oct_explorer_anchor(e, at, &place)) {
        keep_place(e, place);
    }
    return OCT_OK;
}

oct_result oct_explorer_settle(oct_explorer *e, oct_point from)
{
    oct_vec cell;
    e->has_answer = false;
    if (!oct_tree_cell_at(oct_map_tree(e->map), from, &cell) || !explorer_holds(e, cell)) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_components_update(e->components));
    OCT_TRY(oct_frontier_update(e->frontier));
    e->from = from;
    e->has_place = oct_explorer_anchor(e, from, &e->cell);
    if (e->has_place) {
        oct_front_select_again(e->frontier, e->components,
                               oct_components_at(e->components, e->cell));
    }
    return OCT_OK;
}

// ---- ends ----

oct_result oct_explorer_end(oct_explorer *e, oct_exploration *out)
{
    bool is_bounded = false;
    if (e->is_bounded && e->has_place) {
        OCT_TRY(oct_explorer_is_bounded(e, &is_bounded));
    }
    out->status = is_bounded ? OCT_EXPLORE_BOUNDED : OCT_EXPLORE_EXPLORED;
    out->why = OCT_WHY_NOTHING;
    return OCT_OK;
}

void oct_explorer_go(const oct_explorer *e, oct_vec cell, oct_explore_why why, oct_exploration *out)
{
    const oct_point at = oct_explorer_point(e, cell);
    const double x = at.x - e->from.x, y = at.y - e->from.y;
    const double z = e->dims == 3 ? at.z - e->from.z : 0.0;
    out->status = OCT_EXPLORE_GO;
    out->why = why;
    out->frontier = cell;
    out->leaf = oct_tree_leaf(e->tree, cell);
    out->chosen.cell = cell;
    out->chosen.at = at;
    out->chosen.straight = sqrt(x * x + y * y + z * z);
}

oct_result oct_explorer_next(oct_explorer *explorer, oct_point from, oct_exploration *out)
{
    *out = (oct_exploration){.status = OCT_EXPLORE_EXPLORED};
    OCT_TRY(oct_explorer_settle(explorer, from));
    return explorer->has_place ? oct_explorer_choose(explorer, out)
                               : oct_explorer_end(explorer, out);
}

bool oct_explorer_connects(const oct_explorer *e, oct_point body, oct_point place)
{
    oct_vec from, to;
    if (!oct_tree_cell_at(oct_map_tree(e->map), body, &from) ||
        !oct_tree_cell_at(oct_map_tree(e->map), place, &to)) {
        return true;
    }
    const uint32_t there = oct_components_at(e->components, to);
    if (there == 0) {
        return false;
    }
    const uint32_t here = oct_components_at(e->components, from);
    return here > 0 ? here == there
                    : oct_explorer_anchor(e, body, &from) &&
                          oct_components_at(e->components, from) == there;
}
