// SPDX-License-Identifier: MIT
// What is seen of a thing: one of its cells, or the middle of a side that is turned to the eye.
#include "map/map_look.h"

#include <math.h>

static bool row_has_bit(const uint64_t *row, uint32_t from, uint32_t to)
{
    for (uint32_t word = from / 64u; word <= (to - 1u) / 64u; word++) {
        uint64_t bits = row[word];
        bits &= word == from / 64u ? UINT64_MAX << from % 64u : UINT64_MAX;
        bits &= word == (to - 1u) / 64u ? UINT64_MAX >> (63u - (to - 1u) % 64u) : UINT64_MAX;
        if (bits) {
            return true;
        }
    }
    return false;
}

// Whether a cell of a row that a shape fills was seen.
static bool row_has_seen(const uint64_t *row, const thing_shape *shape, const oct_box *part,
                         oct_vec base, oct_vec first, int32_t step)
{
    for (int32_t x = part->min.x; x < part->max.x; x++) {
        const uint32_t at = (uint32_t)(x - base.x);
        first.x = x * step;
        if ((row[at / 64u] >> at % 64u & 1u) && oct_thing_shape_fills(shape, first, step)) {
            return true;
        }
    }
    return false;
}

static bool cells_are_seen(const look *l, const oct_bounds *bounds, const thing_shape *shape)
{
    lattice bare = l->map->lattice;
    bare.padding = (oct_point){0, 0, 0};
    const int32_t step = map_step(l->map);
    bare.cell_size *= step;
    oct_box cells;
    if (!oct_lattice_cover(&bare, bounds, &cells)) {
        return false;
    }
    const oct_box part = box_common(cells, l->seen.box);
    if (box_is_empty(3, &part)) {
        return false;
    }
    const oct_vec base = l->seen.box.min;
    for (int32_t z = part.min.z; z < part.max.z; z++) {
        for (int32_t y = part.min.y; y < part.max.y; y++) {
            const uint64_t *row =
                bit_grid_row(&l->seen, (uint32_t)(y - base.y), (uint32_t)(z - base.z));
            if (row_has_bit(row, (uint32_t)(part.min.x - base.x),
                            (uint32_t)(part.max.x - base.x)) &&
                (!shape ||
                 row_has_seen(row, shape, &part, base, (oct_vec){0, y * step, z * step}, step))) {
                return true;
            }
        }
    }
    return false;
}

// A place of a thing that is to be seen, past all that is opaque but itself.
typedef struct spot {
    const sight_box *except;
    uint32_t owner;
} spot;

static bool spot_is_seen(const look *l, const double at[3], const spot *of, uint32_t *first)
{
    const double away[3] = {at[0] - l->eye.x, at[1] - l->eye.y,
                            l->map->lattice.dims == 3 ? at[2] - l->eye.z : 0.0};
    const double square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
    return square < l->radius * l->radius &&
           (!l->has_cone || oct_sight_cone_holds(&l->cone, l->map->lattice.dims, away)) &&
           oct_sight_reaches(&l->sight, l->has_index ? &l->index : NULL, at, of->except, of->owner,
                             first);
}

// Whether the middle of a side that is turned to the eye is seen past all other opaque boxes.
static bool side_is_seen(const look *l, const sight_box *box, const spot *of, uint32_t *first)
{
    const double eye[3] = {l->eye.x, l->eye.y, l->eye.z};
    const int dims = l->map->lattice.dims;
    for (int side = 0; side < dims; side++) {
        if (eye[side] >= box->lo[side] && eye[side] <= box->hi[side]) {
            continue;
        }
        double at[3] = {0, 0, 0};
        for (int axis = 0; axis < dims; axis++) {
            at[axis] = axis != side                ? (box->lo[axis] + box->hi[axis]) / 2.0
                       : eye[axis] < box->lo[axis] ? box->lo[axis]
                                                   : box->hi[axis];
        }
        if (spot_is_seen(l, at, of, first)) {
            return true;
        }
    }
    return false;
}

// The same of a turned box, with sides of its own.
static bool turned_side_is_seen(const look *l, const oct_piece *p, const spot *of, uint32_t *first)
{
    oct_point own[CONVEX_CORNERS];
    const oct_point *corners;
    (void)oct_convex_points(p, 0, own, &corners);
    for (int side = 0; side < 6; side++) {
        // Of the corners, a quarter of each of the four of a side.
        oct_point face = {0, 0, 0}, all = {0, 0, 0};
        for (int i = 0; i < CONVEX_CORNERS; i++) {
            const bool is_of = (i >> (side / 2) & 1) == (side & 1);
            face = is_of ? point_add(face, point_scale(corners[i], 0.25)) : face;
            all = point_add(all, point_scale(corners[i], 0.125));
        }
        const oct_point out = point_sub(face, all), way = point_sub(l->view->centre, face);
        const oct_point at = oct_map_to_sight(l->map, face);
        const double places[3] = {at.x, at.y, l->map->lattice.dims == 3 ? at.z : 0.0};
        if (point_dot(out, way) > 0.0 && spot_is_seen(l, places, of, first)) {
            return true;
        }
    }
    return false;
}

static bool shape_is_seen(const look *l, const thing_shape *shape, uint32_t owner, uint32_t *first)
{
    const sight_box none = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const spot of = {&none, owner};
    const thing_body *body = shape->bodies;
    for (size_t i = 0; i < shape->told.count; i++) {
        const oct_piece *const p = &shape->told.pieces[i];
        const size_t count = oct_convex_bodies(p);
        bool is = p->kind == OCT_PIECE_OBB && turned_side_is_seen(l, p, &of, first);
        if (p->kind == OCT_PIECE_BOX) {
            const sight_box box = to_cells(l->map, &p->box);
            is = side_is_seen(l, &box, &of, first);
        }
        for (size_t k = 0; k < count && !is && p->kind >= OCT_PIECE_HULL; k++) {
            const oct_point m = point_scale(body[k].body.middle, 1.0 / map_step(l->map));
            is = spot_is_seen(l, (const double[3]){m.x, m.y, m.z}, &of, first);
        }
        if (is) {
            return true;
        }
        body += count;
    }
    return false;
}

bool oct_look_sees(const look *l, const oct_bounds *bounds, const thing_shape *shape,
                   uint32_t owner, uint32_t *first)
{
    if (!l->has_bits || cells_are_seen(l, bounds, shape)) {
        return true;
    }
    if (shape) {
        return shape_is_seen(l, shape, owner, first);
    }
    const sight_box box = to_cells(l->map, bounds);
    const spot of = {&box, SIGHT_NO_OWNER};
    return side_is_seen(l, &box, &of, first);
}
