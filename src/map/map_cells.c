// SPDX-License-Identifier: MIT
// The cells of a map. Most edits are the tree's own; only where things hide something do they go
// through edit_layers.c.
#include "map/map.h"
#include "octant/tree.h"
#include "octree/layers.h"

// ---- which things an edit has to know of ----

typedef struct gather {
    oct_map *map;
    bool unknown_only;
    oct_result result;
} gather;

// Appends how a thing covers cells: its box, or the bodies of its shape.
static oct_result push_covers(oct_array *list, const oct_allocator *allocator, const oct_box *box,
                              oct_label label, const thing_shape *shape)
{
    if (!shape) {
        const thing_cover c = {*box, label, NULL};
        return oct_array_push(list, allocator, sizeof c, &c);
    }
    for (size_t i = 0; i < shape->count; i++) {
        const thing_cover c = {shape->bodies[i].cells, label, &shape->bodies[i].body};
        OCT_TRY(oct_array_push(list, allocator, sizeof c, &c));
    }
    return OCT_OK;
}

static bool gather_cover(void *ctx, uint32_t slot, const oct_box *cells)
{
    gather *g = ctx;
    const oct_label label = (oct_label)oct_things_at(&g->map->things, slot)->label;
    if (label == OCT_UNKNOWN || (label == OCT_BLOCKED && !g->unknown_only)) {
        g->result = push_covers(&g->map->covers, &g->map->allocator, cells, label,
                                oct_things_shape(&g->map->things, slot));
    }
    return g->result == OCT_OK;
}

static oct_result gather_in(oct_map *map, const oct_box *cells, bool unknown_only)
{
    gather g = {map, unknown_only, OCT_OK};
    oct_things_in(&map->things, cells, gather_cover, &g);
    return g.result;
}

// ---- edits ----

oct_result oct_map_mark(oct_map *map, const cell_set *cells, oct_mark mark)
{
    const oct_box everywhere = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                                {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const bool observes = !mark_changes_static(mark);
    map->covers.count = 0;
    map->last.is_marked = false;
    if (!observes || map->unknown > 0) {
        const oct_box *box = cells->kind == CELL_SET_OUTSIDE ? &everywhere : &cells->box;
        OCT_TRY(gather_in(map, box, observes));
    }
    const layered_edit what = {.cells = cells,
                               .mark = mark,
                               .others = map->covers.items,
                               .other_count = map->covers.count,
                               .statics = map->statics};
    OCT_TRY(map->covers.count > 0 ? oct_tree_edit_layers(map->tree, &what, &map->scratch)
                                  : oct_tree_set_cells(map->tree, cells, mark));
    map->statics |= (rules[mark].set & STATE_BLOCKED) != 0;
    return OCT_OK;
}

oct_result oct_map_mark_sighted(oct_map *map, const cell_set *cells)
{
    return oct_tree_set_cells(map->sighted, cells, OCT_MARK_KNOWN);
}

// To undo the coming of a thing, the things that cover the same cells have to be known.
static oct_result prepare_undo(oct_map *map, const oct_box *cells)
{
    map->covers.count = 0;
    OCT_TRY(gather_in(map, cells, false));
    return oct_layers_reserve(map->tree, map->covers.count + 1u, &map->scratch);
}

// The bodies of a thing before and after: two boxes, or in a list of the map's.
static oct_result list_changes(oct_map *map, const thing_covers *was, const thing_covers *now,
                               thing_cover boxes[2], layered_edit *what)
{
    if (!(was && was->shape) && !(now && now->shape)) {
        if (was) {
            boxes[0] = (thing_cover){was->box.box, was->box.label, NULL};
        }
        if (now) {
            boxes[1] = (thing_cover){now->box.box, now->box.label, NULL};
        }
        what->was = boxes;
        what->was_count = was != NULL;
        what->now = boxes + 1;
        what->now_count = now != NULL;
        return OCT_OK;
    }
    map->changes.count = 0;
    if (was) {
        OCT_TRY(
            push_covers(&map->changes, &map->allocator, &was->box.box, was->box.label, was->shape));
    }
    what->was_count = map->changes.count;
    if (now) {
        OCT_TRY(
            push_covers(&map->changes, &map->allocator, &now->box.box, now->box.label, now->shape));
    }
    what->now_count = map->changes.count - what->was_count;
    what->was = map->changes.items;
    what->now = what->was + what->was_count;
    return OCT_OK;
}

static oct_result change(oct_map *map, const thing_covers *was, const thing_covers *now)
{
    // Without static geometry and UNKNOWN things nothing can be hidden.
    const bool plain = !map->statics && map->unknown == 0;
    const bool is_group = map->tree->journal.open; // there must be room to take it back, too
    if (plain && !was && !now->shape && now->box.label == OCT_BLOCKED &&
        (!is_group || oct_layers_has_room(map->tree, &now->box.box))) {
        if (is_group) {
            OCT_TRY(prepare_undo(map, &now->box.box));
        }
        return oct_tree_set_box(map->tree, now->box.box, OCT_MARK_SOLID);
    }
    map->covers.count = 0;
    if (was) {
        OCT_TRY(gather_in(map, &was->box.box, false));
    }
    // Those of `now` are needed to take it back, too.
    if (now && (!plain || now->shape || now->box.label != OCT_BLOCKED || is_group)) {
        OCT_TRY(gather_in(map, &now->box.box, false));
    }
    layered_edit what = {
        .others = map->covers.items, .other_count = map->covers.count, .statics = map->statics};
    thing_cover boxes[2];
    OCT_TRY(list_changes(map, was, now, boxes, &what));
    return oct_tree_edit_layers(map->tree, &what, &map->scratch);
}

oct_result oct_map_cover_changes(oct_map *map, const thing_covers *was, const thing_covers *now)
{
    OCT_TRY(change(map, was, now));
    map->unknown += now && now->box.label == OCT_UNKNOWN;
    map->unknown -= was && was->box.label == OCT_UNKNOWN;
    return OCT_OK;
}
