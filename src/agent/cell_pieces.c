// SPDX-License-Identifier: MIT
#include "agent/cell_pieces.h"

#define THIN 1e-6 // what is thinner lets nothing through, metres

#define PIECES_MAX 64

// Where the pieces of a cell are in the index.
typedef struct piece_span {
    uint32_t first, count;
} piece_span;

// Pieces in the making.
typedef struct piece_list {
    oct_bounds all[PIECES_MAX];
    uint32_t count;
} piece_list;

oct_bounds oct_cell_bounds(const oct_tree *lattice, oct_vec c)
{
    const double size = oct_tree_cell_size(lattice);
    const oct_point o = oct_tree_origin(lattice);
    return (oct_bounds){{o.x + c.x * size, o.y + c.y * size, o.z + c.z * size},
                        {o.x + (c.x + 1) * size, o.y + (c.y + 1) * size, o.z + (c.z + 1) * size}};
}

static bool overlaps(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x < b->max.x - THIN && b->min.x < a->max.x - THIN && a->min.y < b->max.y - THIN &&
           b->min.y < a->max.y - THIN && a->min.z < b->max.z - THIN && b->min.z < a->max.z - THIN;
}

static void keep_piece(piece_list *p, const oct_bounds *b)
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
static void cut(piece_list *out, oct_bounds rest, oct_bounds by)
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
    piece_list *const p = ctx;
    uint32_t first = 0;
    while (first < p->count && !overlaps(&p->all[first], &thing->box)) {
        first++;
    }
    if (first == p->count) {
        return true;
    }
    const piece_list old = *p;
    p->count = first;
    for (uint32_t i = first; i < old.count; i++) {
        if (overlaps(&old.all[i], &thing->box)) {
            cut(p, old.all[i], thing->box);
        } else {
            keep_piece(p, &old.all[i]);
        }
    }
    return p->count > 0 && p->count < PIECES_MAX;
}

static void find_pieces(const oct_map *boxes, oct_vec c, piece_list *p)
{
    const oct_bounds whole = oct_cell_bounds(oct_map_tree(boxes), c);
    const oct_box cell = {c, {c.x + 1, c.y + 1, c.z + 1}};
    p->count = 1;
    p->all[0] = whole;
    (void)oct_map_things_in(boxes, cell, subtract, p);
    if (p->count >= PIECES_MAX) {
        p->count = 1;
        p->all[0] = whole;
    }
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

// ---- the index ----

static oct_result make_map(piece_index *x, const oct_tree *lattice, const oct_array *boxes)
{
    const oct_bounds *const all = boxes->items;
    oct_map_def def = oct_map_def_default();
    def.cell_size = oct_tree_cell_size(lattice);
    def.origin = oct_tree_origin(lattice);
    def.journal = 0;
    def.allocator = &x->allocator;
    OCT_TRY(oct_map_create(&def, &x->boxes));
    for (size_t i = 0; i < boxes->count; i++) {
        // In nobody's way: the map's own tree is not used.
        const oct_thing thing = {.id = i, .box = all[i], .label = OCT_OPEN};
        OCT_TRY(oct_map_add(x->boxes, &thing));
    }
    return OCT_OK;
}

oct_result oct_piece_index_make(piece_index *x, const oct_tree *lattice, const oct_array *boxes,
                                const oct_allocator *allocator)
{
    *x = (piece_index){.allocator = *allocator};
    const oct_result result = make_map(x, lattice, boxes);
    if (result != OCT_OK) {
        oct_piece_index_free(x);
    }
    return result;
}

void oct_piece_index_free(piece_index *x)
{
    oct_map_destroy(x->boxes);
    oct_key_table_free(&x->cells, &x->allocator);
    oct_array_free(&x->spans, &x->allocator, sizeof(piece_span));
    oct_array_free(&x->pieces, &x->allocator, sizeof(oct_bounds));
    *x = (piece_index){.allocator = x->allocator};
}

static oct_result add_cell(piece_index *x, oct_vec c, lattice_key key)
{
    piece_list list;
    find_pieces(x->boxes, c, &list);
    const piece_span span = {(uint32_t)x->pieces.count, list.count};
    for (uint32_t i = 0; i < list.count; i++) {
        OCT_TRY(oct_array_push(&x->pieces, &x->allocator, sizeof(oct_bounds), &list.all[i]));
    }
    OCT_TRY(oct_array_push(&x->spans, &x->allocator, sizeof span, &span));
    key_slot_fill(&x->cells, key_table_slot(&x->cells, key), key, (uint32_t)x->spans.count - 1);
    return OCT_OK;
}

oct_result oct_piece_index_get(piece_index *x, oct_vec c, cell_pieces *out)
{
    const lattice_key key = {c.x, c.y, c.z, 0};
    OCT_TRY(oct_key_table_reserve(&x->cells, &x->allocator, 1));
    if (!key_slot_is_used(&x->cells, key_table_slot(&x->cells, key))) {
        OCT_TRY(add_cell(x, c, key));
    }
    const piece_span span =
        ((const piece_span *)x->spans.items)[key_table_slot(&x->cells, key)->value];
    // A cell that is wholly solid has none.
    *out = (cell_pieces){span.count > 0 ? (const oct_bounds *)x->pieces.items + span.first : NULL,
                         span.count};
    return OCT_OK;
}
