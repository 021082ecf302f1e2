// SPDX-License-Identifier: MIT
#include "agent/cell_pieces.h"
#include "octant/tree.h"

#define THIN 1e-6 // what is thinner lets nothing through, metres

oct_bounds oct_cell_bounds(const oct_map *boxes, oct_vec c)
{
    const double size = oct_tree_cell_size(oct_map_tree(boxes));
    const oct_point o = oct_tree_origin(oct_map_tree(boxes));
    return (oct_bounds){{o.x + c.x * size, o.y + c.y * size, o.z + c.z * size},
                        {o.x + (c.x + 1) * size, o.y + (c.y + 1) * size, o.z + (c.z + 1) * size}};
}

static bool overlaps(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x < b->max.x - THIN && b->min.x < a->max.x - THIN && a->min.y < b->max.y - THIN &&
           b->min.y < a->max.y - THIN && a->min.z < b->max.z - THIN && b->min.z < a->max.z - THIN;
}

static void keep_piece(cell_pieces *p, const oct_bounds *b)
{
    const bool is_there =
        b->max.x - b->min.x > THIN && b->max.y - b->min.y > THIN && b->max.z - b->min.z > THIN;
    if (is_there && p->count < PIECES_MAX) {
        p->all[p->count++] = *b;
    }
}

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

static double *low_of(oct_bounds *b, int axis)
{
    return axis == 0 ? &b->min.x : axis == 1 ? &b->min.y : &b->min.z;
}

static double *high_of(oct_bounds *b, int axis)
{
    return axis == 0 ? &b->max.x : axis == 1 ? &b->max.y : &b->max.z;
}

// What is left of a piece outside of a box: up to six boxes. Along each axis what lies below and
// above the box is kept, and the rest goes on.
static void cut(cell_pieces *out, oct_bounds rest, oct_bounds by)
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = most_of(*low_of(&rest, axis), *low_of(&by, axis));
        const double high = least_of(*high_of(&rest, axis), *high_of(&by, axis));
        oct_bounds part = rest;
        *high_of(&part, axis) = low;
        keep_piece(out, &part);
        part = rest;
        *low_of(&part, axis) = high;
        keep_piece(out, &part);
        *low_of(&rest, axis) = low;
        *high_of(&rest, axis) = high;
    }
}

static bool subtract(void *ctx, const oct_thing *thing)
{
    cell_pieces *const p = ctx;
    cell_pieces left = {.count = 0};
    for (uint32_t i = 0; i < p->count; i++) {
        if (overlaps(&p->all[i], &thing->box)) {
            cut(&left, p->all[i], thing->box);
        } else {
            keep_piece(&left, &p->all[i]);
        }
    }
    *p = left;
    return p->count > 0 && p->count < PIECES_MAX;
}

cell_pieces oct_cell_pieces_of(const oct_map *boxes, oct_vec c)
{
    const oct_bounds whole = oct_cell_bounds(boxes, c);
    const oct_box cell = {c, {c.x + 1, c.y + 1, c.z + 1}};
    cell_pieces p = {.count = 1};
    p.all[0] = whole;
    (void)oct_map_things_in(boxes, cell, subtract, &p);
    if (p.count >= PIECES_MAX) {
        p.count = 1;
        p.all[0] = whole;
    }
    return p;
}

static double shared(double a_lo, double a_hi, double b_lo, double b_hi)
{
    return least_of(a_hi, b_hi) - most_of(a_lo, b_lo);
}

bool oct_pieces_touch(const oct_bounds *a, const oct_bounds *b)
{
    const double x = shared(a->min.x, a->max.x, b->min.x, b->max.x);
    const double y = shared(a->min.y, a->max.y, b->min.y, b->max.y);
    const double z = shared(a->min.z, a->max.z, b->min.z, b->max.z);
    return x > -THIN && y > -THIN && z > -THIN && (x > THIN) + (y > THIN) + (z > THIN) >= 2;
}

oct_result oct_cell_pieces_index(const oct_array *boxes, oct_map *out)
{
    const oct_bounds *const all = boxes->items;
    for (size_t i = 0; i < boxes->count; i++) {
        const oct_thing thing = {.id = i, .box = all[i], .label = OCT_OPEN};
        OCT_TRY(oct_map_add(out, &thing));
    }
    return OCT_OK;
}
