// SPDX-License-Identifier: MIT
#include "flat/plane.h"
#include "octant/tree.h"

#include "octree/octree_internal.h"

// ---- frame ----

// The cells that may be free: the bounds, and within the root where UNKNOWN is in the way.
static oct_box frame_of(const view *v)
{
    span inside;
    if (v->free & OCT_HAS_UNKNOWN) {
        return v->bounds;
    }
    return oct_tree_clip(v->tree, v->bounds, &inside) ? oct_tree_unclip(v->tree, &inside)
                                                      : (oct_box){v->bounds.min, v->bounds.min};
}

static oct_result reserve_words(uint64_t **words, size_t *room, size_t count,
                                const oct_allocator *allocator)
{
    if (count > *room) {
        oct_free(allocator, *words, *room * sizeof **words);
        *room = 0;
        *words = oct_alloc(allocator, count * sizeof **words, _Alignof(uint64_t));
        if (!*words) {
            return OCT_ERROR_MEMORY;
        }
        *room = count;
    }
    return OCT_OK;
}

// Words of a line of cells: a word before, and at least one behind the last that may be asked for.
static size_t line_words(int32_t cells)
{
    return 3u + ((size_t)cells + PLANE_MARGIN) / 64u;
}

static size_t line_count(int32_t cells)
{
    return (size_t)cells + 2u + PLANE_MARGIN;
}

// ---- filling ----

// Sets or clears the bits of a row that a pattern has, which begins at cell x.
OCT_FORCE_INLINE void put_bits(uint64_t *row, int32_t x, uint64_t bits, bool is_free)
{
    const uint32_t bit = (uint32_t)(x + 64), shift = bit & 63u;
    const uint64_t part[2] = {bits << shift, shift ? bits >> (64u - shift) : 0};
    uint64_t *const word = row + (bit >> 6);
    for (int i = 0; i < 2; i++) {
        word[i] = is_free ? word[i] | part[i] : word[i] & ~part[i];
    }
}

static void put_run(uint64_t *row, int32_t x, int32_t end, bool is_free)
{
    for (; x < end; x += 64) {
        const int32_t left = end - x;
        put_bits(row, x, left < 64 ? (UINT64_C(1) << left) - 1u : UINT64_MAX, is_free);
    }
}

// A brick's plane from Morton order (x0 y0 x1 y1 x2 y2 in the index, lowest first) to rows.
OCT_FORCE_INLINE uint64_t flat_rows_from_morton(uint64_t cells)
{
    cells = swap_index_bits(cells, UINT64_C(0x0c0c0c0c0c0c0c0c), 2);  // y0 with x1
    cells = swap_index_bits(cells, UINT64_C(0x0000f0f00000f0f0), 12); // y0 with x2
    return swap_index_bits(cells, UINT64_C(0x0000ff000000ff00), 8);   // y1 with y0
}

// Puts the cells of the root that have one of the labels.
static void put_tree(bit_plane *p, const view *v, oct_labels labels, bool is_free)
{
    const oct_tree *const tree = v->tree;
    span inside;
    if (!oct_tree_clip(tree, v->bounds, &inside)) {
        return;
    }
    const int64_t off_x = (int64_t)tree->root_min.x - p->x,
                  off_y = (int64_t)tree->root_min.y - p->y;
    scan waiting;
    node here;
    scan_start(&waiting, tree_top(tree));
    while (scan_next(tree, 2, &inside, labels, &waiting, &here)) {
        const span whole = span_of(2, here.at, here.level);
        const span part = span_common(&inside, &whole);
        const int32_t x = (int32_t)(off_x + part.lo.x), end = (int32_t)(off_x + part.hi.x) + 1;
        uint64_t bits = UINT64_MAX;
        if (word_kind(here.word) == KIND_BRICK) {
            bits =
                flat_rows_from_morton(brick_with(*tree_brick(tree, word_index(here.word)), labels) &
                                      span_mask(2, &inside, here.at));
        }
        for (uint32_t y = part.lo.y; y <= part.hi.y; y++) {
            uint64_t *const row = p->rows + (size_t)(off_y + y + 1) * p->row_words;
            if (word_kind(here.word) == KIND_BRICK) {
                const uint32_t byte = (uint32_t)(bits >> 8 * (y - here.at.y)) & 0xffu;
                put_bits(row, x, byte >> (part.lo.x - here.at.x), is_free);
            } else {
                put_run(row, x, end, is_free);
            }
        }
    }
}

oct_result oct_plane_begin(bit_plane *p, const oct_allocator *allocator, const view *v)
{
    const uint64_t revision = oct_tree_revision(v->tree);
    if (p->tree == v->tree && p->revision == revision && p->free == v->free &&
        box_equal(&p->bounds, &v->bounds)) {
        return OCT_OK;
    }
    p->tree = NULL; // not true of anything, until it is whole
    p->version++;
    const oct_box frame = frame_of(v);
    const int64_t width = (int64_t)frame.max.x - frame.min.x;
    const int64_t height = (int64_t)frame.max.y - frame.min.y;
    if (width > PLANE_EDGE_MAX || height > PLANE_EDGE_MAX ||
        (uint64_t)width * (uint64_t)height > PLANE_CELLS_MAX) {
        return OCT_ERROR_RANGE;
    }
    p->x = frame.min.x;
    p->y = frame.min.y;
    p->width = (int32_t)width;
    p->height = (int32_t)height;
    p->row_words = line_words(p->width);
    p->column_words = 0;
    const size_t count = p->row_words * line_count(p->height);
    OCT_TRY(reserve_words(&p->rows, &p->row_room, count, allocator));
    memset(p->rows, 0, count * sizeof *p->rows);
    const bool is_open = (v->free & OCT_HAS_UNKNOWN) != 0;
    for (int32_t y = 0; is_open && y < p->height; y++) {
        put_run(p->rows + (size_t)(y + 1) * p->row_words, 0, p->width, true);
    }
    put_tree(p, v, is_open ? v->blocked : v->free, !is_open);
    p->tree = v->tree;
    p->revision = revision;
    p->free = v->free;
    p->bounds = v->bounds;
    return OCT_OK;
}

// ---- columns ----

// Hacker's Delight, 7-3.
void oct_turn_square(uint64_t square[64])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (uint32_t by = 32; by; by >>= 1, mask ^= mask << by) {
        for (uint32_t i = 0; i < 64; i = ((i | by) + 1u) & ~by) {
            const uint64_t differ = (square[i] >> by ^ square[i | by]) & mask;
            square[i] ^= differ << by;
            square[i | by] ^= differ;
        }
    }
}

oct_result oct_plane_turn(bit_plane *p, const oct_allocator *allocator)
{
    if (p->column_words) {
        return OCT_OK;
    }
    const size_t words = line_words(p->height), count = words * line_count(p->width);
    OCT_TRY(reserve_words(&p->columns, &p->column_room, count, allocator));
    memset(p->columns, 0, count * sizeof *p->columns);
    for (int32_t y = 0; y < p->height; y += 64) {
        for (int32_t x = 0; x < p->width; x += 64) {
            uint64_t square[64];
            for (int32_t i = 0; i < 64; i++) {
                square[i] = y + i < p->height ? plane_bits(plane_row(p, y + i), x) : 0;
            }
            oct_turn_square(square);
            for (int32_t i = 0; i < 64 && x + i < p->width; i++) {
                p->columns[(size_t)(x + i + 1) * words + 1u + (size_t)y / 64u] = square[i];
            }
        }
    }
    p->column_words = words;
    return OCT_OK;
}

// ---- life ----

void oct_plane_free(bit_plane *p, const oct_allocator *allocator)
{
    oct_free(allocator, p->rows, p->row_room * sizeof *p->rows);
    oct_free(allocator, p->columns, p->column_room * sizeof *p->columns);
    *p = (bit_plane){.tree = NULL};
}

size_t oct_plane_bytes(const bit_plane *p)
{
    return (p->row_room + p->column_room) * sizeof *p->rows;
}
