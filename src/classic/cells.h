// SPDX-License-Identifier: MIT
// The graph of cells: middles of free cells, moves to the neighbours.
//
// A move is legal only if every cell of the box it spans is free: four cells for a move across an
// edge, eight across a corner. Nodes live in pages; the 26 moves of a node are judged together by a
// dozen operations on bits. Page 0 holds start and goal where they are no middles of cells.
#ifndef OCTANT_CLASSIC_CELLS_H
#define OCTANT_CLASSIC_CELLS_H

#include "classic/pages.h"
#include "flat/lab_space.h"

typedef struct cell_space {
    space base;
    page_table pages;
    uint32_t start_cell, goal_cell; // nodes that start and goal are joined to
    uint64_t allowed;               // directions that count, as bits of cells_around
    uint64_t all_around;            // all bits of cells_around; none where no move is left out
    uint64_t onward[27];            // moves that lead on, by the move before
} cell_space;

extern const space_kind oct_cells_kind;

enum { CELLS_START = 1, CELLS_GOAL = 2 };

// The middle of a node's cell, or start or goal.
OCT_FORCE_INLINE oct_fine cells_at(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return id == CELLS_START ? base->from.place.at : base->to.place.at;
    }
    const map_page *const page = page_at(&((const cell_space *)base)->pages, id / PAGE_CELLS);
    return (oct_fine){((int64_t)page->x + (id & 3u)) * OCT_FINE + OCT_FINE / 2,
                      ((int64_t)page->y + (id >> 2 & 3u)) * OCT_FINE + OCT_FINE / 2,
                      ((int64_t)page->z + (id >> 4 & 3u)) * OCT_FINE + OCT_FINE / 2};
}

OCT_FORCE_INLINE spot cells_spot(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return id == CELLS_START ? base->from.place : base->to.place;
    }
    return (spot){cells_at(base, id), 0xffu};
}

// ---- moves ----

// A cell and those around it, taken from a window: bit dx + 1 + 6 (dy + 1) + 20 (dz + 1).
#define AROUND_LAYER UINT64_C(0x71c7)
#define AROUND_LAYERS(bits) ((bits) | (bits) << 20 | (bits) << 40)
#define AROUND_MIDDLE_X AROUND_LAYERS(UINT64_C(0x2082))
#define AROUND_MIDDLE_Y AROUND_LAYERS(UINT64_C(0x01c0))
#define AROUND_MIDDLE_Z (AROUND_LAYER << 20)
#define AROUND_SELF (UINT64_C(1) << 27)

OCT_FORCE_INLINE uint64_t cells_around(const map_page *page, uint32_t cell)
{
    const uint64_t *const layers = &page->window[cell >> 4];
    const uint32_t shift = 6u * (cell >> 2 & 3u) + (cell & 3u);
    return (layers[0] >> shift & AROUND_LAYER) | (layers[1] >> shift & AROUND_LAYER) << 20 |
           (layers[2] >> shift & AROUND_LAYER) << 40;
}

// The cells to which a move is legal: axis after axis a cell off the middle stays only if the one
// beside it in the middle did, so that in the end the whole box between is free.
OCT_FORCE_INLINE uint64_t cells_legal(uint64_t around)
{
    uint64_t middle = around & AROUND_MIDDLE_X;
    around &= AROUND_MIDDLE_X | middle << 1 | middle >> 1;
    middle = around & AROUND_MIDDLE_Y;
    around &= AROUND_MIDDLE_Y | middle << 6 | middle >> 6;
    middle = around & AROUND_MIDDLE_Z;
    around &= AROUND_MIDDLE_Z | middle << 20 | middle >> 20;
    return around & ~AROUND_SELF;
}

// Direction dx + 1 + 3 (dy + 1) + 9 (dz + 1) of each bit of a window's part.
static const uint8_t cells_direction[64] = {
    [0] = 0,   [1] = 1,   [2] = 2,   [6] = 3,   [7] = 4,   [8] = 5,   [12] = 6,
    [13] = 7,  [14] = 8,  [20] = 9,  [21] = 10, [22] = 11, [26] = 12, [27] = 13,
    [28] = 14, [32] = 15, [33] = 16, [34] = 17, [40] = 18, [41] = 19, [42] = 20,
    [46] = 21, [47] = 22, [48] = 23, [52] = 24, [53] = 25, [54] = 26,
};

// What a move costs, by direction.
static const double cells_cost[27] = {
    COST_SQRT3, COST_SQRT2, COST_SQRT3, COST_SQRT2, 1.0,        COST_SQRT2, COST_SQRT3,
    COST_SQRT2, COST_SQRT3, COST_SQRT2, 1.0,        COST_SQRT2, 1.0,        0.0,
    1.0,        COST_SQRT2, 1.0,        COST_SQRT2, COST_SQRT3, COST_SQRT2, COST_SQRT3,
    COST_SQRT2, 1.0,        COST_SQRT2, COST_SQRT3, COST_SQRT2, COST_SQRT3,
};

// Moves that can lead on along a shortest path, once a move has been made and all around both cells
// is free: on every axis as that move, or not at all. Any other pair of moves can be had at no
// higher cost with its diagonal move first, or is no shortest way at all; so the cell behind is
// reached without this one. (Sturtevant and Rabin 2016 call it canonical ordering;
// docs/engine/search.md proves it for three dimensions and for ways of equal cost.)
OCT_FORCE_INLINE uint64_t cells_onward(const cell_space *s, const map_page *page, uint32_t id,
                                       uint32_t from, uint64_t around)
{
    if (around != s->all_around || from < PAGE_CELLS) {
        return UINT64_MAX;
    }
    const map_page *const before = page_at(&s->pages, from / PAGE_CELLS);
    if (cells_around(before, from % PAGE_CELLS) != s->all_around) {
        return UINT64_MAX;
    }
    const int32_t x = page->x - before->x + (int32_t)(id & 3u) - (int32_t)(from & 3u);
    const int32_t y = page->y - before->y + (int32_t)(id >> 2 & 3u) - (int32_t)(from >> 2 & 3u);
    const int32_t z = page->z - before->z + (int32_t)(id >> 4 & 3u) - (int32_t)(from >> 4 & 3u);
    return s->onward[13 + x + 3 * y + 9 * z];
}

// ---- operations ----

OCT_FORCE_INLINE void cells_add(space *base, uint32_t to, double cost)
{
    space_edges(base)[base->edge_count++] = (space_edge){cost, to};
}

// Joins start or goal to the middle of its cell, and to each other inside one cell.
static oct_result cells_end_edges(space *base, uint32_t id)
{
    cell_space *const s = (cell_space *)base;
    const oct_fine at = cells_at(base, id);
    const uint32_t cell = id == CELLS_START ? s->start_cell : s->goal_cell;
    const uint32_t other = id == CELLS_START ? base->goal : base->start;
    cells_add(base, cell, space_line_cost(base, at, cells_at(base, cell)));
    if (s->start_cell == s->goal_cell && other < PAGE_CELLS) {
        cells_add(base, other, space_line_cost(base, at, cells_at(base, other)));
    }
    return OCT_OK;
}

OCT_FORCE_INLINE oct_result cells_edges(space *base, uint32_t id, uint32_t from)
{
    cell_space *const s = (cell_space *)base;
    base->edge_count = 0;
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return cells_end_edges(base, id);
    }
    const uint32_t here = id / PAGE_CELLS, cell = id % PAGE_CELLS;
    const map_page *page = page_at(&s->pages, here);
    const uint64_t around = cells_around(page, cell);
    uint64_t legal = cells_legal(around) & s->allowed & cells_onward(s, page, id, from, around);
    for (; legal; legal &= legal - 1u) {
        const uint32_t direction = cells_direction[oct_lowest_bit(legal)];
        const uint32_t move = s->pages.moves[cell][direction];
        const uint32_t link = move / PAGE_CELLS;
        uint32_t to = here;
        if (link != PAGE_SELF) {
            to = page->links[link];
            if (OCT_UNLIKELY(!to)) {
                OCT_TRY(oct_pages_link(&s->pages, &base->allocator, &base->map, here, link, &to));
                base->id_count = (uint32_t)s->pages.pages.count * PAGE_CELLS;
                page = page_at(&s->pages, here);
            }
        }
        cells_add(base, to * PAGE_CELLS + move % PAGE_CELLS, cells_cost[direction]);
    }
    if (OCT_UNLIKELY(base->map.is_priced)) {
        for (uint32_t i = 0; i < base->edge_count; i++) {
            space_edge *const edge = &space_edges(base)[i];
            edge->cost = space_line_cost(base, cells_at(base, id), cells_at(base, edge->to));
        }
    }
    for (uint32_t end = CELLS_START; end <= CELLS_GOAL; end++) {
        const bool joined = end == CELLS_START ? base->start == end && s->start_cell == id
                                               : base->goal == end && s->goal_cell == id;
        if (OCT_UNLIKELY(joined)) {
            cells_add(base, end, space_line_cost(base, cells_at(base, id), cells_at(base, end)));
        }
    }
    return OCT_OK;
}

// A goal beside the middle of its cell: nothing, so that the last leg cannot cost less. (What the
// start says does not matter: it is expanded first.)
OCT_FORCE_INLINE double cells_estimate(const space *base, uint32_t id)
{
    return OCT_UNLIKELY(id == CELLS_GOAL) ? 0.0 : space_estimate_from(base, cells_at(base, id));
}

OCT_FORCE_INLINE double cells_line_cost(const space *base, uint32_t a, uint32_t b)
{
    return space_line_cost(base, cells_at(base, a), cells_at(base, b));
}

OCT_FORCE_INLINE bool cells_sees(const space *base, uint32_t a, uint32_t b)
{
    const spot from = cells_spot(base, a), to = cells_spot(base, b);
    return oct_view_sees(&base->map, &from, &to);
}

OCT_FORCE_INLINE uint64_t cells_key(const space *base, uint32_t id)
{
    return space_key_of(cells_at(base, id));
}

OCT_FORCE_INLINE bool cells_turns(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return false;
}

static const space_ops cells_ops = {cells_edges, cells_estimate, cells_line_cost, cells_sees,
                                    cells_turns, cells_at,       cells_key};

#endif
