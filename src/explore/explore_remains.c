// SPDX-License-Identifier: MIT
// What stays unknown, and why. What is connected only over what is beyond the bounds counts as
// apart: where something is known there, a copy of what lies within them is looked at.
#include "explore/explorer_internal.h"
#include "octant/components.h"
#include "octant/tree.h"
#include "octree/octree_internal.h"

// ---- the copy ----

// What lies within the bounds, its components, and that of the body.
typedef struct inside {
    const oct_explorer *explorer;
    const oct_tree *tree;
    const oct_components *components;
    uint32_t component; // 0 where the body has no place
    oct_remains *remains;
    oct_vec outwards; // of the face being looked at
} inside;

// The copy, which `in` refers to.
typedef struct copied {
    oct_tree *tree;
    oct_components *components;
} copied;

static oct_result make_copied(const oct_explorer *e, copied *c, inside *in)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)e->dims;
    def.allocator = &e->allocator;
    OCT_TRY(oct_tree_create(&def, &c->tree));
    OCT_TRY(oct_tree_copy_labels(e->tree, e->bounds, c->tree));
    oct_components_def parts = oct_components_def_default();
    parts.tree = c->tree;
    parts.allocator = &e->allocator;
    OCT_TRY(oct_components_create(&parts, &c->components));
    in->tree = c->tree;
    in->components = c->components;
    in->component = e->has_place ? oct_components_at(c->components, e->cell) : 0;
    return OCT_OK;
}

static bool knows_nothing_beyond(const oct_explorer *e)
{
    const oct_box known = oct_tree_extent(e->tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    const oct_box within = box_common(known, e->bounds);
    return box_is_empty(e->dims, &known) || box_equal(&within, &known);
}

// The explorer's own components, or those of a copy.
static oct_result look_inside(oct_explorer *e, copied *c, inside *in)
{
    if (!knows_nothing_beyond(e)) {
        return make_copied(e, c, in);
    }
    in->tree = e->tree;
    in->components = e->components;
    in->component = e->has_place ? oct_components_at(e->components, e->cell) : 0;
    return OCT_OK;
}

static void free_copied(copied *c)
{
    oct_components_destroy(c->components);
    oct_tree_destroy(c->tree);
}

// Leaves are connected as a whole, or are single cells.
static bool is_reached(const inside *in, oct_vec cell)
{
    return in->component && oct_components_at(in->components, cell) == in->component;
}

// ---- at the bounds ----

static bool count_beyond(void *ctx, const oct_leaf *leaf)
{
    inside *const in = ctx;
    const oct_explorer *const e = in->explorer;
    oct_box cells = box_common(oct_leaf_box(*leaf), e->bounds);
    const oct_vec out = in->outwards;
    // The layer of the leaf at the face, and the one behind it.
    cells.min.x = out.x > 0 ? cells.max.x - 1 : cells.min.x;
    cells.max.x = out.x < 0 ? cells.min.x + 1 : cells.max.x;
    cells.min.y = out.y > 0 ? cells.max.y - 1 : cells.min.y;
    cells.max.y = out.y < 0 ? cells.min.y + 1 : cells.max.y;
    cells.min.z = out.z > 0 ? cells.max.z - 1 : cells.min.z;
    cells.max.z = out.z < 0 ? cells.min.z + 1 : cells.max.z;
    const oct_box behind = {{cells.min.x + out.x, cells.min.y + out.y, cells.min.z + out.z},
                            {cells.max.x + out.x, cells.max.y + out.y, cells.max.z + out.z}};
    uint64_t counts[3];
    if (is_reached(in, cells.min) && oct_tree_count(e->tree, behind, counts) == OCT_OK) {
        in->remains->beyond += counts[OCT_UNKNOWN] + counts[OCT_OPEN];
    }
    return true;
}

static void count_at_bounds(inside *in)
{
    const oct_explorer *const e = in->explorer;
    const oct_box b = e->bounds;
    for (int face = 0; e->is_bounded && face < 2 * e->dims; face++) {
        const int axis = face / 2, side = face % 2 ? 1 : -1;
        oct_box layer = b;
        in->outwards = (oct_vec){axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
        int32_t *const min = axis == 0 ? &layer.min.x : axis == 1 ? &layer.min.y : &layer.min.z;
        int32_t *const max = axis == 0 ? &layer.max.x : axis == 1 ? &layer.max.y : &layer.max.z;
        *min = side > 0 ? *max - 1 : *min;
        *max = side < 0 ? *min + 1 : *max;
        oct_tree_leaves(in->tree, layer, OCT_HAS_OPEN, count_beyond, in);
    }
}

oct_result oct_explorer_is_bounded(oct_explorer *e, bool *out)
{
    oct_remains remains = {0};
    inside in = {.explorer = e, .remains = &remains};
    *out = false;
    // What is connected within the bounds is connected.
    in.tree = e->tree;
    in.components = e->components;
    in.component = oct_components_at(e->components, e->cell);
    count_at_bounds(&in);
    if (remains.beyond == 0) {
        return OCT_OK;
    }
    remains.beyond = 0;
    copied c = {NULL, NULL};
    const oct_result result = look_inside(e, &c, &in);
    if (result == OCT_OK) {
        count_at_bounds(&in);
    }
    *out = remains.beyond > 0;
    free_copied(&c);
    return result;
}

// ---- everything ----

static bool count_open(void *ctx, const oct_leaf *leaf)
{
    inside *const in = ctx;
    const oct_box cells = box_common(oct_leaf_box(*leaf), in->explorer->bounds);
    if (is_reached(in, cells.min)) {
        in->remains->open += box_cells(&cells);
    } else {
        in->remains->sealed += box_cells(&cells);
    }
    return true;
}

// Skipped ones included: the frontier is another one, that nothing was left out of.
static bool count_frontier(void *ctx, const oct_box *cells)
{
    inside *const in = ctx;
    if (is_reached(in, cells->min)) {
        in->remains->hidden += box_cells(cells);
    } else {
        in->remains->walled += box_cells(cells);
    }
    return true;
}

static bool count_left(void *ctx, const oct_box *cells)
{
    inside *const in = ctx;
    if (is_reached(in, cells->min)) {
        in->remains->frontier += box_cells(cells);
        in->remains->hidden -= box_cells(cells);
    }
    return true;
}

static oct_result count_all(inside *in)
{
    const oct_explorer *const e = in->explorer;
    const oct_box known = oct_tree_extent(e->tree, OCT_HAS_OPEN);
    oct_tree_leaves(in->tree, box_common(known, e->bounds), OCT_HAS_OPEN, count_open, in);
    if (e->is_bounded) {
        uint64_t counts[3];
        OCT_TRY(oct_tree_count(e->tree, e->bounds, counts));
        in->remains->unknown = counts[OCT_UNKNOWN];
    }
    oct_frontier_def def = oct_frontier_def_default();
    def.map = e->map;
    def.bounds = e->is_bounded ? &e->bounds : NULL;
    def.allocator = &e->allocator;
    oct_frontier *whole;
    OCT_TRY(oct_frontier_create(&def, &whole));
    oct_frontier_visit(whole, NULL, count_frontier, in);
    oct_frontier_destroy(whole);
    oct_frontier_select(e->frontier, NULL, 0);
    oct_frontier_visit(e->frontier, NULL, count_left, in);
    count_at_bounds(in);
    return OCT_OK;
}

oct_result oct_explorer_remains(oct_explorer *explorer, oct_point from, oct_remains *out)
{
    *out = (oct_remains){0};
    OCT_TRY(oct_explorer_settle(explorer, from));
    inside in = {.explorer = explorer, .remains = out};
    copied c = {NULL, NULL};
    oct_result result = look_inside(explorer, &c, &in);
    if (result == OCT_OK) {
        result = count_all(&in);
    }
    free_copied(&c);
    return result;
}
