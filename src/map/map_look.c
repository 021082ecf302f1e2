// SPDX-License-Identifier: MIT
// What a look is made of: the things within the radius, their shapes, what is opaque among them,
// and the cells that are in sight past it.
#include "map/map_look.h"

#include "base/hash.h"
#include "geom/geom_internal.h"

#include <math.h>

// Opaque boxes from which on an index of them pays.
#define INDEX_BOXES 64

// Cells between a body's padding and what it looks through, see is_touched.
#define TOUCHED_CELLS 2.0

// ---- the things within the radius ----

bool oct_look_is_within(const look *l, const oct_bounds *box)
{
    const oct_point c = l->view->centre;
    const double from[3] = {box->min.x - c.x, box->min.y - c.y, box->min.z - c.z};
    const double to[3] = {c.x - box->max.x, c.y - box->max.y, c.z - box->max.z};
    double square = 0.0;
    for (int axis = 0; axis < l->map->lattice.dims; axis++) {
        const double distance = from[axis] > 0.0 ? from[axis] : to[axis] > 0.0 ? to[axis] : 0.0;
        square += distance * distance;
    }
    // A hair more than the radius: rounding must not leave out what reaches into an observed cell.
    return square <= l->view->radius * l->view->radius * (1.0 + 0x1p-40);
}

static uint32_t id_home(const look *l, uint64_t id)
{
    return (uint32_t)(id * OCT_HASH_FACTOR >> 32) & l->id_mask;
}

// The thing of an id among those that were passed, or NULL.
const oct_thing *oct_look_find(const look *l, uint64_t id)
{
    for (uint32_t at = id_home(l, id); l->ids[at]; at = (at + 1u) & l->id_mask) {
        const oct_thing *found = &l->things[l->ids[at] - 1u];
        if (found->id == id) {
            return found;
        }
    }
    return NULL;
}

// Enters the things within the radius into the table.
oct_result oct_look_enter_things(look *l)
{
    if (l->count > UINT32_MAX / 4u) {
        return OCT_ERROR_RANGE;
    }
    uint32_t size = 16;
    while (size < 2u * l->count) {
        size *= 2u;
    }
    OCT_TRY(oct_array_reserve(&l->map->ids, &l->map->allocator, sizeof(uint32_t), size));
    l->ids = l->map->ids.items;
    l->id_mask = size - 1u;
    memset(l->ids, 0, size * sizeof *l->ids);
    for (size_t i = 0; i < l->count; i++) {
        const oct_thing *each = &l->things[i];
        OCT_TRY(oct_map_check(l->map, each));
        if (!oct_look_is_within(l, &each->box)) {
            continue;
        }
        if (oct_look_find(l, each->id)) {
            return OCT_ERROR_ARGUMENT;
        }
        uint32_t at = id_home(l, each->id);
        while (l->ids[at]) {
            at = (at + 1u) & l->id_mask;
        }
        l->ids[at] = (uint32_t)i + 1u;
    }
    return OCT_OK;
}

// ---- shapes ----

// The shape of a thing that was passed: that which the map has, or a new one.
static oct_result shape_of(const look *l, const oct_thing *t, thing_shape **out)
{
    const thing_index *const things = &l->map->things;
    const uint32_t slot = oct_things_find(things, t->id);
    thing_shape *const known = slot ? oct_things_shape(things, slot) : NULL;
    if (known && is_same_bounds(&oct_things_at(things, slot)->box, &t->box) &&
        oct_thing_shape_equals(&known->told, t->shape)) {
        *out = oct_thing_shape_keep(known);
        return OCT_OK;
    }
    return oct_thing_shape_make(&l->map->lattice, &t->box, t->shape, &l->map->allocator, out);
}

// Finds the shapes of all things within the radius; there are none where all are boxes.
oct_result oct_look_take_shapes(look *l)
{
    oct_array *const list = &l->map->shapes;
    bool is_needed = false;
    for (size_t i = 0; i < l->count && !is_needed; i++) {
        is_needed = oct_thing_shape_is_needed(l->things[i].shape);
    }
    list->count = 0;
    if (!is_needed) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_reserve(list, &l->map->allocator, sizeof(thing_shape *), l->count));
    l->shapes = list->items;
    for (size_t i = 0; i < l->count; i++) {
        const oct_thing *const t = &l->things[i];
        l->shapes[i] = NULL;
        list->count++;
        if (oct_thing_shape_is_needed(t->shape) && oct_look_is_within(l, &t->box)) {
            OCT_TRY(shape_of(l, t, &l->shapes[i]));
        }
    }
    return OCT_OK;
}

void oct_look_drop_shapes(const look *l)
{
    const oct_array *const list = &l->map->shapes;
    for (size_t i = 0; i < list->count; i++) {
        oct_thing_shape_drop(((thing_shape *const *)list->items)[i], &l->map->allocator);
    }
    l->map->shapes.count = 0;
}

// ---- line of sight ----

// Enters an opaque box, of which the slabs from `first` on are what is opaque.
static oct_result push_box(look *l, const sight_box *box, uint32_t first, size_t owner)
{
    oct_map *const map = l->map;
    const sight_solid solid = {first, (uint32_t)map->slabs.count - first, (uint32_t)owner};
    OCT_TRY(oct_array_push(&map->boxes, &map->allocator, sizeof *box, box));
    return l->shapes ? oct_array_push(&map->solids, &map->allocator, sizeof solid, &solid) : OCT_OK;
}

static oct_result push_body(look *l, const convex *body, size_t owner)
{
    oct_array *const slabs = &l->map->slabs;
    const double step = map_step(l->map), unit = CONVEX_UNIT;
    const uint32_t first = (uint32_t)slabs->count;
    for (uint32_t i = 0; i < body->faces; i++) {
        const convex_axis *const a = &body->axes[i];
        const sight_slab slab = {{a->n[0] / unit, a->n[1] / unit, a->n[2] / unit},
                                 (double)a->lo / (2.0 * unit * step),
                                 (double)a->hi / (2.0 * unit * step)};
        OCT_TRY(oct_array_push(slabs, &l->map->allocator, sizeof slab, &slab));
    }
    const oct_point lo = point_scale(body->lo, 1.0 / step), hi = point_scale(body->hi, 1.0 / step);
    const sight_box box = {{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
    return push_box(l, &box, first, owner);
}

// Whether a body that is here touches it, but for two cells: it looks through. As the map's cells
// are as far as that from what was not seen, nobody could ever pass a curtain otherwise.
static bool is_touched(const look *l, const sight_box *box)
{
    const lattice *const lat = &l->map->lattice;
    const double pad[3] = {lat->padding.x, lat->padding.y, lat->padding.z};
    const double eye[3] = {l->eye.x, l->eye.y, l->eye.z};
    bool is = true;
    for (int axis = 0; axis < lat->dims; axis++) {
        const double near = pad[axis] / (lat->cell_size * map_step(l->map)) + TOUCHED_CELLS;
        is = is && eye[axis] >= box->lo[axis] - near && eye[axis] <= box->hi[axis] + near;
    }
    return is;
}

static oct_result push_thing(look *l, const sight_box *box, size_t index)
{
    const thing_shape *const shape = l->shapes ? l->shapes[index] : NULL;
    if (!shape) {
        return push_box(l, box, (uint32_t)l->map->slabs.count, index);
    }
    for (size_t k = 0; k < shape->count; k++) {
        OCT_TRY(push_body(l, &shape->bodies[k].body, index));
    }
    return OCT_OK;
}

// Those that bodies pass through come last.
oct_result oct_look_gather_opaque(look *l)
{
    oct_map *const map = l->map;
    oct_array *boxes = &map->boxes;
    uint32_t soft_count = 0;
    boxes->count = map->solids.count = map->slabs.count = 0;
    for (int soft = 0; soft <= 1 && l->view->sight == OCT_SIGHT_LINE; soft++) {
        for (size_t i = 0; i < l->count; i++) {
            const oct_thing *const t = &l->things[i];
            if (!t->opaque || look_is_soft(t) != (soft == 1) || !oct_look_is_within(l, &t->box)) {
                continue;
            }
            const sight_box box = to_cells(map, &t->box);
            const size_t before = boxes->count;
            if (soft == 0 || !is_touched(l, &box)) {
                OCT_TRY(push_thing(l, &box, i));
            }
            soft_count += soft == 1 ? (uint32_t)(boxes->count - before) : 0u;
        }
    }
    l->sight = (sight){l->eye, boxes->items, (uint32_t)boxes->count, map->lattice.dims, soft_count,
                       NULL,   NULL};
    l->sight.solids = map->slabs.count > 0 ? map->solids.items : NULL;
    l->sight.slabs = map->slabs.items;
    if (boxes->count < INDEX_BOXES) {
        return OCT_OK;
    }
    l->has_index = true;
    return oct_sight_index_make(&l->sight, l->radius, &map->allocator, &map->parts, &map->items,
                                &l->index);
}

// All cells that share inner points with the ball; the ball lies inside the lattice.
oct_box oct_look_ball(const look *l)
{
    const oct_point c = l->eye;
    const double r = l->radius;
    const bool flat = l->map->lattice.dims == 2;
    return (oct_box){
        {(int32_t)floor(c.x - r), (int32_t)floor(c.y - r), flat ? 0 : (int32_t)floor(c.z - r)},
        {(int32_t)-floor(-c.x - r), (int32_t)-floor(-c.y - r),
         flat ? 1 : (int32_t)-floor(-c.z - r)}};
}

oct_result oct_look_cast(look *l)
{
    oct_map *map = l->map;
    oct_box box = oct_look_ball(l);
    box.min = (oct_vec){box.min.x & ~7, box.min.y & ~7, box.min.z & ~7};
    const size_t words = (size_t)((int64_t)box.max.x - box.min.x + 63) / 64u;
    const size_t rows =
        (size_t)((int64_t)box.max.y - box.min.y) * (size_t)((int64_t)box.max.z - box.min.z);
    OCT_TRY(oct_array_reserve(&map->words, &map->allocator, sizeof(uint64_t), words * rows));
    l->seen = (bit_grid){box, words, map->words.items};
    OCT_TRY(oct_sight_cast(&l->sight, l->radius, &map->executor, &map->allocator, &l->seen));
    if (l->has_cone) {
        oct_sight_cone_clip(&l->cone, l->eye, map->lattice.dims, &l->seen);
    }
    return OCT_OK;
}
