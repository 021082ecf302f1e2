// SPDX-License-Identifier: MIT
// Rooms are the components of the map with all doors shut; then all doors are opened and each is
// crossed cell by cell, from the cells around it. Both in thought: the doors are walls to
// components that follow the map, and their cells are those of an overlay (map/overlay.h).
//
// What is next to a room and not OPEN is BLOCKED or UNKNOWN. So with UNKNOWN open the room is a
// component as it was, or part of one that has something UNKNOWN: that tells whether it has a
// frontier, without looking around its cells.
#include "agent/room_graph.h"
#include "octant/components.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"
#include "search/components_internal.h"

// Cells of a door that are crossed one by one, at most.
#define DOOR_CELLS_MAX 200000u

void oct_room_graph_free(room_graph *r)
{
    oct_array_free(&r->seeds, &r->allocator, sizeof(uint32_t));
    oct_array_free(&r->doors, &r->allocator, sizeof(uint32_t));
    oct_array_free(&r->ids, &r->allocator, sizeof(uint64_t));
    oct_array_free(&r->walls, &r->allocator, sizeof(oct_box));
    oct_array_free(&r->rooms, &r->allocator, sizeof(room));
    oct_array_free(&r->passages, &r->allocator, sizeof(passage));
    oct_array_free(&r->doorways, &r->allocator, sizeof(doorway));
    oct_array_free(&r->crossed, &r->allocator, sizeof(oct_vec));
    oct_key_table_free(&r->numbers, &r->allocator);
    oct_key_table_free(&r->dark, &r->allocator);
    oct_key_table_free(&r->shell, &r->allocator);
    oct_key_table_free(&r->inner, &r->allocator);
    oct_key_table_free(&r->left, &r->allocator);
}

size_t oct_room_graph_count(const room_graph *r)
{
    return r->rooms.count;
}

// ---- numbers ----

static uint32_t look_up(const key_table *table, lattice_key key)
{
    if (table->capacity == 0) {
        return ROOM_NONE;
    }
    const key_slot *const slot = key_table_slot(table, key);
    return key_slot_is_used(table, slot) ? slot->value : ROOM_NONE;
}

// Enters a key, if it is new.
static oct_result enter(room_graph *r, key_table *table, lattice_key key, uint32_t value,
                        bool *is_new)
{
    OCT_TRY(oct_key_table_reserve(table, &r->allocator, 1));
    key_slot *const slot = key_table_slot(table, key);
    *is_new = !key_slot_is_used(table, slot);
    if (*is_new) {
        key_slot_fill(table, slot, key, value);
    }
    return OCT_OK;
}

static lattice_key component_key(uint32_t component)
{
    return (lattice_key){(int32_t)component, 0, 0, 0};
}

// The room of a cell, which gets the next number if it is new; ROOM_NONE if it is not OPEN.
static oct_result number_region(room_graph *r, oct_vec cell, uint32_t *out)
{
    const uint32_t component = oct_components_at(r->what_if->known, cell);
    const room new = {.cell = cell};
    bool is_new;
    *out = ROOM_NONE;
    if (component == 0) {
        return OCT_OK;
    }
    OCT_TRY(enter(r, &r->numbers, component_key(component), (uint32_t)r->rooms.count, &is_new));
    *out = look_up(&r->numbers, component_key(component));
    return is_new ? oct_array_push(&r->rooms, &r->allocator, sizeof new, &new) : OCT_OK;
}

uint32_t oct_room_graph_of(const room_graph *r, size_t seed)
{
    return ((const uint32_t *)r->seeds.items)[seed];
}

uint32_t oct_room_graph_whole(const room_graph *r, oct_point at)
{
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(r->map), at, &cell)
               ? oct_components_at(r->what_if->maybes, cell)
               : 0;
}

// ---- the map in parts ----

// Makes components that follow the map, or has them follow it, with walls in the place of doors.
static oct_result follow(const room_graph *r, oct_unknown unknown, oct_components **c)
{
    oct_components_def def = oct_components_def_default();
    def.tree = r->tree;
    def.unknown = unknown;
    def.allocator = &r->allocator;
    OCT_TRY(*c ? OCT_OK : oct_components_create(&def, c));
    OCT_TRY(oct_components_set_walls(*c, r->walls.items, r->walls.count));
    return oct_components_update(*c);
}

static oct_result make_parts(room_graph *r)
{
    OCT_TRY(follow(r, OCT_UNKNOWN_BLOCKED, &r->what_if->known));
    return follow(r, OCT_UNKNOWN_OPEN, &r->what_if->maybes);
}

// Components that rooms are part of, as far as nothing UNKNOWN was found in them.
typedef struct darkness {
    const room_graph *rooms;
    size_t left;
} darkness;

static void note_dark(darkness *d, oct_vec cell)
{
    const uint32_t component = oct_components_at(d->rooms->what_if->maybes, cell);
    const key_table *const dark = &d->rooms->dark;
    key_slot *const slot = key_table_slot(dark, component_key(component));
    if (key_slot_is_used(dark, slot) && slot->value == 0) {
        slot->value = 1;
        d->left--;
    }
}

static void take_dark_box(darkness *d, oct_box box);

// The same for what is left of a box beside another one that meets it.
static void take_dark_beside(darkness *d, oct_box box, oct_box in)
{
    const oct_box parts[] = {{box.min, {in.min.x, box.max.y, box.max.z}},
                             {{in.max.x, box.min.y, box.min.z}, box.max},
                             {{in.min.x, box.min.y, box.min.z}, {in.max.x, in.min.y, box.max.z}},
                             {{in.min.x, in.max.y, box.min.z}, {in.max.x, box.max.y, box.max.z}},
                             {{in.min.x, in.min.y, box.min.z}, {in.max.x, in.max.y, in.min.z}},
                             {{in.min.x, in.min.y, in.max.z}, {in.max.x, in.max.y, box.max.z}}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!box_is_empty(3, &parts[i])) {
            take_dark_box(d, parts[i]);
        }
    }
}

// Notes the components of what is UNKNOWN in a box: all of it, but for walls.
static void take_dark_box(darkness *d, oct_box box)
{
    const oct_box *const walls = d->rooms->walls.items;
    for (size_t i = 0; i < d->rooms->walls.count; i++) {
        const oct_box in = box_common(box, walls[i]);
        if (!box_is_empty(3, &in)) {
            take_dark_beside(d, box, in);
            return;
        }
    }
    note_dark(d, box.min);
}

// Everything outside the map's root is UNKNOWN; beyond the walls there, it is one.
static void take_outside(darkness *d)
{
    const room_graph *const r = d->rooms;
    const oct_cell root = oct_tree_root(r->tree);
    const oct_box inside =
        oct_leaf_box((oct_leaf){root.x, root.y, root.z, .level = (uint8_t)root.level});
    oct_box hull = inside;
    for (size_t i = 0; i < r->walls.count; i++) {
        hull = box_union(hull, ((const oct_box *)r->walls.items)[i]);
    }
    hull = (oct_box){{hull.min.x - 1, hull.min.y - 1, hull.min.z - 1},
                     {hull.max.x + 1, hull.max.y + 1, hull.max.z + 1}};
    take_dark_beside(d, hull, inside);
}

static bool take_dark(void *ctx, const oct_leaf *leaf)
{
    darkness *const d = ctx;
    take_dark_box(d, oct_leaf_box(*leaf));
    return d->left > 0;
}

static oct_result find_frontiers(room_graph *r)
{
    room *const found = r->rooms.items;
    darkness d = {r, 0};
    for (size_t i = 0; i < r->rooms.count; i++) {
        found[i].whole = oct_components_at(r->what_if->maybes, found[i].cell);
        bool is_new;
        OCT_TRY(enter(r, &r->dark, component_key(found[i].whole), 0, &is_new));
        d.left += is_new;
    }
    if (d.left == 0) {
        return OCT_OK;
    }
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    take_outside(&d);
    if (d.left > 0) {
        (void)oct_tree_leaves(r->tree, all, OCT_HAS_UNKNOWN, take_dark, &d);
    }
    for (size_t i = 0; i < r->rooms.count; i++) {
        found[i].has_frontier = look_up(&r->dark, component_key(found[i].whole)) == 1;
    }
    return OCT_OK;
}

// ---- doors ----

// Doors are those that the map has; those with too many cells to be crossed stay as they are.
static oct_result find_doors(room_graph *r, const oct_belief *belief)
{
    for (uint32_t i = 0; i < oct_belief_count(belief); i++) {
        const oct_known *const k = oct_belief_get(belief, i);
        oct_thing thing;
        if (k->gone || k->now.kind != OCT_ENTITY_DOOR ||
            !oct_map_thing(r->map, k->now.thing.id, &thing)) {
            continue;
        }
        const oct_box cells = oct_map_cover(r->map, thing.box);
        if (box_count(&cells) > 0.0 && box_count(&cells) <= DOOR_CELLS_MAX) {
            OCT_TRY(oct_array_push(&r->doors, &r->allocator, sizeof i, &i));
            OCT_TRY(oct_array_push(&r->ids, &r->allocator, sizeof thing.id, &thing.id));
            OCT_TRY(oct_array_push(&r->walls, &r->allocator, sizeof cells, &cells));
        }
    }
    return OCT_OK;
}

static oct_box door_cells(const room_graph *r, size_t door)
{
    return ((const oct_box *)r->walls.items)[door];
}

// The label of a cell, all doors standing open.
static oct_label label_at(const room_graph *r, oct_vec cell)
{
    return oct_overlay_label(&r->what_if->overlay, cell);
}

typedef oct_result cell_fn(room_graph *r, void *ctx, oct_vec cell);

// The cells that share a face with a box from outside.
static oct_result around(room_graph *r, const oct_box *box, cell_fn *visit, void *ctx)
{
    for (int32_t z = box->min.z - 1; z <= box->max.z; z++) {
        for (int32_t y = box->min.y - 1; y <= box->max.y; y++) {
            for (int32_t x = box->min.x - 1; x <= box->max.x; x++) {
                const int out = (x < box->min.x || x >= box->max.x) +
                                (y < box->min.y || y >= box->max.y) +
                                (z < box->min.z || z >= box->max.z);
                if (out == 1) {
                    OCT_TRY(visit(r, ctx, (oct_vec){x, y, z}));
                } else if (out == 0) {
                    x = box->max.x - 1; // straight through what is inside
                }
            }
        }
    }
    return OCT_OK;
}

static oct_result keep_shell(room_graph *r, void *ctx, oct_vec cell)
{
    (void)ctx;
    uint32_t number;
    bool ignored;
    OCT_TRY(number_region(r, cell, &number));
    return number == ROOM_NONE
               ? OCT_OK
               : enter(r, &r->shell, (lattice_key){cell.x, cell.y, cell.z, 0}, number, &ignored);
}

// Joins the first room that a crossing met with another one, or with what is not known.
static oct_result join(room_graph *r, uint32_t door, uint32_t a, uint32_t b)
{
    const passage new = {door, a, b};
    const passage *const all = r->passages.items;
    for (size_t i = r->passages.count; i > 0 && all[i - 1].door == door; i--) {
        if (all[i - 1].a == a && all[i - 1].b == b) {
            return OCT_OK;
        }
    }
    return oct_array_push(&r->passages, &r->allocator, sizeof new, &new);
}

typedef struct crossing {
    uint32_t door;
    oct_box box;
    uint32_t first; // room that it met
    bool is_dark;   // it met something UNKNOWN
} crossing;

static oct_result step_to(room_graph *r, crossing *x, oct_vec c)
{
    const oct_label label = label_at(r, c);
    if (label == OCT_BLOCKED) {
        return OCT_OK;
    }
    if (!box_holds(&x->box, c)) {
        const uint32_t there = look_up(&r->shell, (lattice_key){c.x, c.y, c.z, 0});
        x->is_dark = x->is_dark || label == OCT_UNKNOWN;
        if (there == ROOM_NONE || there == x->first) {
            return OCT_OK;
        }
        if (x->first == ROOM_NONE) {
            x->first = there;
            return OCT_OK;
        }
        return join(r, x->door, x->first, there);
    }
    bool is_new;
    OCT_TRY(enter(r, &r->inner, (lattice_key){c.x, c.y, c.z, x->door}, (uint32_t)r->doorways.count,
                  &is_new));
    return is_new ? oct_array_push(&r->crossed, &r->allocator, sizeof c, &c) : OCT_OK;
}

static const oct_vec faces[] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

// Crosses a door from one cell of it.
static oct_result cross(room_graph *r, crossing *x, oct_vec from)
{
    x->first = ROOM_NONE;
    x->is_dark = false;
    r->crossed.count = 0;
    OCT_TRY(step_to(r, x, from));
    while (r->crossed.count > 0) {
        const oct_vec c = ((const oct_vec *)r->crossed.items)[--r->crossed.count];
        for (int i = 0; i < 6; i++) {
            const oct_vec next = {c.x + faces[i].x, c.y + faces[i].y, c.z + faces[i].z};
            OCT_TRY(step_to(r, x, next));
        }
    }
    const doorway new = {x->door, x->first, ROOM_NONE};
    OCT_TRY(oct_array_push(&r->doorways, &r->allocator, sizeof new, &new));
    if (x->first == ROOM_NONE) {
        return OCT_OK;
    }
    // One that leads back is a passage too: it can be looked at.
    return join(r, x->door, x->first, x->is_dark ? ROOM_NONE : x->first);
}

// From a cell around a door into it.
static oct_result enter_door(room_graph *r, void *ctx, oct_vec cell)
{
    crossing *const x = ctx;
    for (int i = 0; i < 6; i++) {
        const oct_vec c = {cell.x + faces[i].x, cell.y + faces[i].y, cell.z + faces[i].z};
        if (box_holds(&x->box, c) && label_at(r, c) != OCT_BLOCKED &&
            look_up(&r->inner, (lattice_key){c.x, c.y, c.z, x->door}) == ROOM_NONE) {
            OCT_TRY(cross(r, x, c));
        }
    }
    return OCT_OK;
}

static oct_result cross_doors(room_graph *r)
{
    OCT_TRY(oct_overlay_take(&r->what_if->overlay, r->ids.items, r->ids.count));
    for (uint32_t i = 0; i < r->doors.count; i++) {
        oct_overlay_suppose(&r->what_if->overlay, i, OCT_OPEN);
    }
    for (uint32_t i = 0; i < r->doors.count; i++) {
        crossing x = {.door = i, .box = door_cells(r, i)};
        OCT_TRY(around(r, &x.box, enter_door, &x));
    }
    return OCT_OK;
}

// ---- seeds in doorways ----

// The body in a doorway is of the room that is nearest, cell by cell.
static oct_result leave_doorway(room_graph *r, oct_vec from, uint32_t *found)
{
    bool is_new;
    OCT_TRY(enter(r, &r->left, (lattice_key){from.x, from.y, from.z, 0}, 0, &is_new));
    r->crossed.count = 0;
    OCT_TRY(oct_array_push(&r->crossed, &r->allocator, sizeof from, &from));
    for (size_t i = 0; i < r->crossed.count && i < DOOR_CELLS_MAX; i++) {
        const oct_vec c = ((const oct_vec *)r->crossed.items)[i];
        *found = look_up(&r->shell, (lattice_key){c.x, c.y, c.z, 0});
        if (*found != ROOM_NONE) {
            break;
        }
        for (int k = 0; k < 6; k++) {
            const oct_vec next = {c.x + faces[k].x, c.y + faces[k].y, c.z + faces[k].z};
            const lattice_key key = {next.x, next.y, next.z, 0};
            if (label_at(r, next) == OCT_OPEN) {
                OCT_TRY(enter(r, &r->left, key, 0, &is_new));
                OCT_TRY(is_new ? oct_array_push(&r->crossed, &r->allocator, sizeof next, &next)
                               : OCT_OK);
            }
        }
    }
    oct_key_table_clear(&r->left);
    return OCT_OK;
}

// The doorway that holds a cell; NULL where none does that can be entered.
static doorway *doorway_at(room_graph *r, oct_vec c)
{
    for (uint32_t i = 0; i < r->doors.count; i++) {
        const uint32_t number = look_up(&r->inner, (lattice_key){c.x, c.y, c.z, i});
        doorway *const d = number == ROOM_NONE ? NULL : (doorway *)r->doorways.items + number;
        if (d && d->beside != ROOM_NONE) {
            return d;
        }
    }
    return NULL;
}

static oct_result stay_in_doorway(room_graph *r, oct_vec cell, uint32_t *found)
{
    doorway *const d = doorway_at(r, cell);
    if (!d) {
        return OCT_OK;
    }
    if (d->own == ROOM_NONE) {
        const room new = {0};
        const uint32_t number = (uint32_t)r->rooms.count;
        OCT_TRY(oct_array_push(&r->rooms, &r->allocator, sizeof new, &new));
        OCT_TRY(join(r, d->door, d->beside, number));
        d->own = number;
    }
    *found = d->own;
    return OCT_OK;
}

static oct_result place_in_doorways(room_graph *r, const oct_point *seeds, size_t count)
{
    uint32_t *const found = r->seeds.items;
    for (size_t i = 0; i < count; i++) {
        oct_vec cell;
        if (found[i] != ROOM_NONE || !oct_tree_cell_at(oct_map_tree(r->map), seeds[i], &cell)) {
            continue;
        }
        if (i > 0) {
            OCT_TRY(stay_in_doorway(r, cell, &found[i]));
        } else if (label_at(r, cell) == OCT_OPEN) {
            OCT_TRY(leave_doorway(r, cell, &found[i]));
        }
    }
    return OCT_OK;
}

// ---- the whole ----

static oct_result number_all(room_graph *r, const oct_point *seeds, size_t count)
{
    OCT_TRY(make_parts(r));
    for (size_t i = 0; i < count; i++) {
        oct_vec cell;
        uint32_t found = ROOM_NONE;
        if (oct_tree_cell_at(oct_map_tree(r->map), seeds[i], &cell)) {
            OCT_TRY(number_region(r, cell, &found));
        }
        OCT_TRY(oct_array_push(&r->seeds, &r->allocator, sizeof found, &found));
    }
    for (size_t i = 0; i < r->doors.count; i++) {
        const oct_box box = door_cells(r, i);
        OCT_TRY(around(r, &box, keep_shell, NULL));
    }
    return find_frontiers(r);
}

oct_result oct_room_graph_make(room_graph *r, what_if *asked, const oct_belief *belief,
                               const oct_allocator *allocator, const oct_point *seeds, size_t count)
{
    *r = (room_graph){.allocator = *allocator,
                      .is_told = true,
                      .map = oct_belief_map(belief),
                      .tree = oct_map_tree(oct_belief_map(belief)),
                      .what_if = asked};
    OCT_TRY(find_doors(r, belief));
    OCT_TRY(number_all(r, seeds, count));
    OCT_TRY(cross_doors(r));
    return place_in_doorways(r, seeds, count);
}
