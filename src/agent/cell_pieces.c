// SPDX-License-Identifier: MIT
#include "agent/cell_pieces.h"

#define THIN 1e-6  // what is thinner lets nothing through, metres
#define HALVINGS 2 // of a cell, before what is turned to it

// Where the pieces of a cell are in the index.
typedef struct piece_span {
    uint32_t first, count;
} piece_span;

oct_bounds oct_cell_bounds(const oct_tree *lattice, oct_vec c)
{
    const double size = oct_tree_cell_size(lattice);
    const oct_point o = oct_tree_origin(lattice);
    return (oct_bounds){{o.x + c.x * size, o.y + c.y * size, o.z + c.z * size},
                        {o.x + (c.x + 1) * size, o.y + (c.y + 1) * size, o.z + (c.z + 1) * size}};
}

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
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

// ---- what is turned ----

// One of the eight octants of a box.
static oct_bounds octant_of(const oct_bounds *b, int i)
{
    const oct_point m = {(b->min.x + b->max.x) / 2, (b->min.y + b->max.y) / 2,
                         (b->min.z + b->max.z) / 2};
    return (oct_bounds){{i & 1 ? m.x : b->min.x, i & 2 ? m.y : b->min.y, i & 4 ? m.z : b->min.z},
                        {i & 1 ? b->max.x : m.x, i & 2 ? b->max.y : m.y, i & 4 ? b->max.z : m.z}};
}

static oct_bounds common_of(const oct_bounds *a, const oct_bounds *b)
{
    return (oct_bounds){
        {most_of(a->min.x, b->min.x), most_of(a->min.y, b->min.y), most_of(a->min.z, b->min.z)},
        {least_of(a->max.x, b->max.x), least_of(a->max.y, b->max.y), least_of(a->max.z, b->max.z)}};
}

// Appends what is free of the part of a piece that lies in a cube of its cell; whether that is all
// of it, as one. What there is no room for makes the list full.
static bool keep_free(const piece_index *x, const oct_bounds *piece, const oct_bounds *cube,
                      int halvings, piece_list *out)
{
    const oct_bounds part = common_of(piece, cube);
    if (part.max.x - part.min.x <= THIN || part.max.y - part.min.y <= THIN ||
        part.max.z - part.min.z <= THIN) {
        return true; // nothing is there
    }
    const solid_cover cover = oct_solid_list_cover(x->solids, x->frame, &part);
    const uint32_t before = out->count;
    bool is_whole = cover != COVER_ALL;
    for (int i = 0; i < 8 && cover == COVER_SOME && halvings > 0; i++) {
        const oct_bounds octant = octant_of(cube, i);
        is_whole = keep_free(x, piece, &octant, halvings - 1, out) && is_whole;
    }
    if (is_whole) {
        out->count = before;
        out->all[out->count] = part;
        out->count += out->count < PIECES_MAX - 1;
    }
    return is_whole;
}

static void find_pieces(const piece_index *x, oct_vec c, piece_list *p)
{
    const oct_bounds whole = oct_cell_bounds(x->lattice, c);
    oct_solid_list_cut(oct_solid_list_frame(x->solids, x->frame), &whole, p);
    if (!oct_solid_list_are_turned(x->solids)) {
        return;
    }
    piece_list free = {.count = 0};
    for (uint32_t i = 0; i < p->count && free.count < PIECES_MAX - 1; i++) {
        (void)keep_free(x, &p->all[i], &whole, HALVINGS, &free);
    }
    if (free.count == PIECES_MAX - 1) {
        free.count = 1;
        free.all[0] = whole;
    }
    *p = free;
}

// ---- the index ----

piece_index oct_piece_index_of(const oct_tree *lattice, const solid_list *solids, uint32_t frame,
                               const oct_allocator *allocator)
{
    return (piece_index){
        .allocator = *allocator, .solids = solids, .frame = frame, .lattice = lattice};
}

void oct_piece_index_free(piece_index *x)
{
    oct_key_table_free(&x->cells, &x->allocator);
    oct_array_free(&x->spans, &x->allocator, sizeof(piece_span));
    oct_array_free(&x->pieces, &x->allocator, sizeof(oct_bounds));
    *x = (piece_index){.allocator = x->allocator};
}

static oct_result add_cell(piece_index *x, oct_vec c, lattice_key key)
{
    piece_list list;
    find_pieces(x, c, &list);
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
