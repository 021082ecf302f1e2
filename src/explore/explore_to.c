// SPDX-License-Identifier: MIT
// Exploring with an aim: a point that may lie in what is unknown, or a thing that was not seen yet.
#include "explore/explorer_internal.h"
#include "octant/components.h"
#include "octant/line.h"
#include "octant/tree.h"

#include <math.h>

// ---- towards a point ----

// Whether a leg stays in OPEN cells.
static bool leg_is_known(const oct_explorer *e, oct_fine a, oct_fine b)
{
    oct_terms terms = oct_terms_default();
    terms.bounds = &e->bounds;
    return oct_tree_line_of_sight(e->tree, &terms, a, b);
}

static oct_fine between(oct_fine a, oct_fine b)
{
    return (oct_fine){a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2, a.z + (b.z - a.z) / 2};
}

// About where a path first enters UNKNOWN: the last point of it that was found to be seen.
static oct_fine entry_of(const oct_explorer *e, const oct_path *path)
{
    const oct_fine *const at = path->lattice;
    uint32_t leg = path->leaves_blocked ? 1 : 0;
    while (leg + 1 < path->lattice_count && leg_is_known(e, at[leg], at[leg + 1])) {
        leg++;
    }
    if (leg + 1 >= path->lattice_count) {
        return at[path->lattice_count - 1];
    }
    oct_fine known = at[leg], unknown = at[leg + 1];
    for (oct_fine middle = between(known, unknown);
         !fine_equal(middle, known) && !fine_equal(middle, unknown);
         middle = between(known, unknown)) {
        if (leg_is_known(e, at[leg], middle)) {
            known = middle;
        } else {
            unknown = middle;
        }
    }
    return known;
}

// Goes to the place of the frontier that is nearest to where the way to a point, through what is
// unknown, leaves what is known.
static oct_result go_towards(oct_explorer *e, oct_point to, oct_exploration *out)
{
    out->status = OCT_EXPLORE_UNREACHABLE;
    out->why = OCT_WHY_NOTHING;
    OCT_TRY(oct_components_update(e->maybes));
    OCT_TRY(oct_explorer_plan(e, to, true, &out->path));
    if (out->path.status != OCT_PATH_FOUND) {
        return OCT_OK;
    }
    const oct_fine entry = entry_of(e, &out->path);
    for (;;) {
        oct_vec cell;
        if (!oct_frontier_nearest(e->frontier, entry, NULL, HUGE_VAL, 0.0, &cell, NULL)) {
            out->path = (oct_path){.status = OCT_PATH_NONE};
            out->is_hidden = true;
            return OCT_OK;
        }
        OCT_TRY(oct_explorer_plan(e, oct_explorer_point(e, cell), false, &out->path));
        if (out->path.status == OCT_PATH_FOUND) {
            oct_explorer_go(e, cell, OCT_WHY_ON_WAY, out);
            return OCT_OK;
        }
        OCT_TRY(oct_frontier_skip(e->frontier, cell));
    }
}

static oct_result explore_towards(oct_explorer *e, oct_point to, oct_exploration *out)
{
    oct_vec cell;
    oct_tree_cell_at(oct_map_tree(e->map), to, &cell);
    // No path ends in something: next to it is as near as one gets.
    if (oct_tree_label(e->tree, cell) == OCT_BLOCKED && oct_explorer_anchor(e, to, &cell)) {
        to = oct_explorer_point(e, cell);
    }
    // To what is UNKNOWN there is no known way.
    if (oct_tree_label(e->tree, cell) == OCT_OPEN) {
        OCT_TRY(oct_explorer_plan(e, to, false, &out->path));
        if (out->path.status == OCT_PATH_FOUND && !out->path.enters_blocked) {
            out->status = OCT_EXPLORE_ARRIVE;
            out->why = OCT_WHY_WAY_KNOWN;
            return OCT_OK;
        }
    }
    return go_towards(e, to, out);
}

static bool is_same(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Who asks in every turn and is told to wait, or asks whether there is a way before going it, asks
// the same again.
static bool is_answered(const oct_explorer *e, oct_point from, oct_point to)
{
    return e->has_answer && e->answer_revision == oct_tree_revision(e->tree) &&
           is_same(from, e->from) && is_same(to, e->answer_to);
}

oct_result oct_explorer_next_towards(oct_explorer *explorer, oct_point from, oct_point to,
                                     oct_exploration *out)
{
    oct_explorer *const e = explorer;
    oct_vec cell;
    if (is_answered(e, from, to)) {
        *out = e->answer;
        return OCT_OK;
    }
    *out = (oct_exploration){.status = OCT_EXPLORE_UNREACHABLE};
    OCT_TRY(oct_explorer_settle(e, from));
    if (!oct_tree_cell_at(oct_map_tree(e->map), to, &cell) || !explorer_holds(e, cell)) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(e->has_place ? explore_towards(e, to, out) : OCT_OK);
    e->answer = *out;
    e->answer_to = to;
    e->answer_revision = oct_tree_revision(e->tree);
    e->has_answer = true;
    return OCT_OK;
}

// ---- until something is seen ----

static bool take_thing(void *ctx, const oct_thing *thing)
{
    oct_explorer *const e = ctx;
    if ((!e->has_found || thing->id < e->found.id) && e->wanted(e->wanted_ctx, thing)) {
        e->found = *thing;
        e->has_found = true;
    }
    return true;
}

// Looks at the things of boxes that have changed.
static oct_result look_for(oct_explorer *e, oct_thing_fn *wanted, void *ctx)
{
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const uint64_t now = oct_tree_revision(e->tree);
    bool is_lost = e->wanted != wanted || e->wanted_ctx != ctx;
    oct_thing seen;
    if (is_lost ||
        (e->has_found && (!oct_map_thing(e->map, e->found.id, &seen) || !wanted(ctx, &seen)))) {
        e->has_found = false;
        is_lost = true;
    }
    e->wanted = wanted;
    e->wanted_ctx = ctx;
    const size_t count = is_lost ? 0 : (size_t)(now - e->wanted_revision);
    size_t got = 0;
    OCT_TRY(oct_array_reserve(&e->changes, &e->allocator, sizeof(oct_change), count + 1));
    oct_change *const changes = e->changes.items;
    if (count > 0) {
        const oct_result result =
            oct_tree_changes(e->tree, e->wanted_revision, changes, count, &got);
        is_lost = result == OCT_ERROR_LOST;
        OCT_TRY(is_lost ? OCT_OK : result);
    }
    if (is_lost) {
        changes[0].box = all;
        got = 1;
    }
    for (size_t i = 0; i < got; i++) {
        oct_map_things_in(e->map, changes[i].box, take_thing, e);
    }
    e->wanted_revision = now;
    return OCT_OK;
}

// OPEN leaves next to a thing, as far as they lie in one layer of cells along a side of it.
typedef struct siding {
    oct_explorer *explorer;
    oct_box layer;
    oct_result result;
} siding;

static bool take_goal(void *ctx, const oct_leaf *leaf)
{
    siding *const s = ctx;
    oct_explorer *const e = s->explorer;
    const oct_box cells = box_common(oct_leaf_box(*leaf), s->layer);
    if (oct_components_joined(e->components, e->cell, cells.min)) {
        s->result = oct_array_push(&e->goals, &e->allocator, sizeof cells, &cells);
    }
    return s->result == OCT_OK;
}

// Lists the OPEN cells next to a thing that can be reached, as far as components tell.
static oct_result list_cells_around(oct_explorer *e, const oct_thing *thing)
{
    const oct_box cells = oct_map_cover(e->map, thing->box);
    e->goals.count = 0;
    for (int side = 0; side < 2 * e->dims; side++) {
        siding s = {e, cells, OCT_OK};
        oct_box *const l = &s.layer;
        int32_t *const min = side < 2 ? &l->min.x : side < 4 ? &l->min.y : &l->min.z;
        int32_t *const max = side < 2 ? &l->max.x : side < 4 ? &l->max.y : &l->max.z;
        *min = side % 2 ? *max : *min - 1;
        *max = *min + 1;
        s.layer = box_common(s.layer, e->bounds);
        oct_tree_leaves(e->tree, s.layer, OCT_HAS_OPEN, take_goal, &s);
        OCT_TRY(s.result);
    }
    return OCT_OK;
}

static oct_result go_to_found(oct_explorer *e, oct_exploration *out)
{
    const oct_bounds *const box = &e->found.box;
    const oct_point middle = {(box->min.x + box->max.x) / 2.0, (box->min.y + box->max.y) / 2.0,
                              (box->min.z + box->max.z) / 2.0};
    OCT_TRY(list_cells_around(e, &e->found));
    if (e->goals.count > 0) {
        OCT_TRY(oct_explorer_plan_goals(e, &out->path));
        if (out->path.status == OCT_PATH_FOUND) {
            out->status = OCT_EXPLORE_ARRIVE;
            out->why = OCT_WHY_WAY_KNOWN;
            return OCT_OK;
        }
    }
    return go_towards(e, middle, out);
}

oct_result oct_explorer_next_to_find(oct_explorer *explorer, oct_point from, oct_thing_fn *wanted,
                                     void *ctx, oct_exploration *out)
{
    *out = (oct_exploration){.status = OCT_EXPLORE_EXPLORED};
    OCT_TRY(oct_explorer_settle(explorer, from));
    OCT_TRY(look_for(explorer, wanted, ctx));
    out->has_found = explorer->has_found;
    out->found = explorer->found;
    if (!explorer->has_place) {
        return oct_explorer_end(explorer, out);
    }
    return explorer->has_found ? go_to_found(explorer, out) : oct_explorer_choose(explorer, out);
}
