// SPDX-License-Identifier: MIT
// The lattice graph, at two dimensions: corners of cells, joined along the cells' edges and
// diagonals (Freeman 2014, 2.1.3).
//
// An edge of the graph belongs to a free cell: it runs along one of its sides or across it. So the
// up to eight ways on from a point follow from the four cells around it. Where two blocked cells
// meet in a corner (a double corner) the point is two nodes, one for each free cell, unless a path
// may squeeze through; which of them a way leads to follows from the cell that it belongs to: at a
// double corner two cells beside one edge are never both free.
//
// Nodes live in pages, which at two dimensions use 16 of their 64 ids: the second part of a double
// corner is 16 ids further. Start and goal are nodes of their own where they are no lattice points,
// joined to the corners of the cells around them.
#ifndef OCTANT_LATTICE_H
#define OCTANT_LATTICE_H

#include "classic/pages.h"
#include "flat/lab_space.h"

// Ids of start and goal.
enum { LATTICE_START = 1, LATTICE_GOAL = 2 };

// From the id of a double corner's first part to that of its second.
#define LATTICE_SECOND 16u
#define LATTICE_POINTS 16u

// The corners of two cells, and the other end.
#define LATTICE_JOINS_MAX 7

// All four cells around a point, and the two sets of them that are double corners, as bits.
#define LATTICE_ALL 15u
#define LATTICE_DOUBLES (1u << 6 | 1u << 9)

typedef struct lattice_space {
    space base;
    page_table pages;
    uint32_t doubles;                     // sets of free cells that are two nodes
    bool leaves_out;                      // whether edges may be left out
    uint32_t joins[3][LATTICE_JOINS_MAX]; // nodes that start and goal are joined to
    uint32_t join_count[3];               // 0 where it is a lattice point
} lattice_space;

extern const space_kind oct_lattice_kind;

// How large the graph of a whole map is.
oct_lab_size oct_lattice_count(const bit_plane *p, bool squeezes);

// The node of a point that holds one of its free octants, 0 to 3.
oct_result oct_lattice_node(lattice_space *s, oct_vec at, uint32_t octant, uint32_t *id);

// ---- nodes ----

OCT_FORCE_INLINE oct_fine lattice_at(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return id == LATTICE_START ? base->from.place.at : base->to.place.at;
    }
    const map_page *const page = page_at(&((const lattice_space *)base)->pages, id / PAGE_CELLS);
    return (oct_fine){((int64_t)page->x + (id & 3u)) * OCT_FINE,
                      ((int64_t)page->y + (id >> 2 & 3u)) * OCT_FINE, FLAT_Z};
}

// The free cells around a page's point, as bits: cell o lies above it on axis i where bit i of o is
// set.
OCT_FORCE_INLINE uint32_t lattice_around(const map_page *page, uint32_t id)
{
    return page_octants(2, page, id % LATTICE_POINTS) & LATTICE_ALL;
}

// The part of free cells that is the second of a double corner.
OCT_FORCE_INLINE uint32_t lattice_second(uint32_t around)
{
    return around & (around - 1u);
}

// The cells that are a node's own.
OCT_FORCE_INLINE uint32_t lattice_own(const lattice_space *s, const map_page *page, uint32_t id)
{
    const uint32_t around = lattice_around(page, id);
    if (OCT_LIKELY(!(s->doubles >> around & 1u))) {
        return around;
    }
    const uint32_t second = lattice_second(around);
    return id & LATTICE_SECOND ? second : around ^ second;
}

OCT_FORCE_INLINE spot lattice_spot(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return id == LATTICE_START ? base->from.place : base->to.place;
    }
    const lattice_space *const s = (const lattice_space *)base;
    const uint32_t own = lattice_own(s, page_at(&s->pages, id / PAGE_CELLS), id);
    return (spot){lattice_at(base, id), own | own << 4};
}

// ---- edges ----

// Directions are dx + 1 + 3 (dy + 1).

// The ways that belong to a set of cells around a point.
static const uint16_t lattice_ways[16] = {0x000, 0x00b, 0x026, 0x02f, 0x0c8, 0x0cb, 0x0ee, 0x0ef,
                                          0x1a0, 0x1ab, 0x1a6, 0x1af, 0x1e8, 0x1eb, 0x1ee, 0x1ef};

// The cells that a way can belong to.
static const uint8_t lattice_beside[9] = {1, 3, 2, 5, 0, 10, 4, 12, 8};

static const double lattice_cost[9] = {COST_SQRT2, 1.0,        COST_SQRT2, 1.0,       0.0,
                                       1.0,        COST_SQRT2, 1.0,        COST_SQRT2};

// Ways that can lead on along a shortest path, by the one before, where all cells around the point
// are free: on every axis as that one, or not at all. Straight on and then across can be had across
// first at the same cost; any other pair is no shortest way. Whatever replaces a pair belongs to
// cells around the point between, as the pair itself does, so that it begins and ends in the same
// parts of double corners. (As for cells; docs/engine/search.md proves it there.)
static const uint16_t lattice_leads_on[9] = {0x00b, 0x002, 0x026, 0x008, 0x000,
                                             0x020, 0x0c8, 0x080, 0x1a0};

OCT_FORCE_INLINE uint32_t lattice_onward(const lattice_space *s, const map_page *page, uint32_t id,
                                         uint32_t from, uint32_t own)
{
    if (own != LATTICE_ALL || from < PAGE_CELLS || !s->leaves_out) {
        return UINT32_MAX;
    }
    const map_page *const before = page_at(&s->pages, from / PAGE_CELLS);
    const int32_t x = page->x - before->x + (int32_t)(id & 3u) - (int32_t)(from & 3u);
    const int32_t y = page->y - before->y + (int32_t)(id >> 2 & 3u) - (int32_t)(from >> 2 & 3u);
    return lattice_leads_on[4 + x + 3 * y];
}

OCT_FORCE_INLINE void lattice_add(space *base, uint32_t to, double cost)
{
    space_edges(base)[base->edge_count++] = (space_edge){cost, to};
}

// The id of a point, in the part that a way leads to from a node with these cells of its own.
OCT_FORCE_INLINE uint32_t lattice_end_of(const lattice_space *s, uint32_t page, uint32_t point,
                                         uint32_t own, uint32_t direction)
{
    const uint32_t id = page * PAGE_CELLS + point;
    const uint32_t around = lattice_around(page_at(&s->pages, page), point);
    if (OCT_LIKELY(!(s->doubles >> around & 1u))) {
        return id;
    }
    // A cell's bit moves down by one for a step up along x, and by two along y.
    const uint32_t shift = 3u + (direction % 3 - 1u) + 2u * (direction / 3 - 1u);
    const uint32_t arrives = (own & lattice_beside[direction]) << 3 >> shift;
    return arrives & lattice_second(around) ? id + LATTICE_SECOND : id;
}

static void lattice_join_edges(space *base, uint32_t id)
{
    const lattice_space *const s = (const lattice_space *)base;
    for (uint32_t end = LATTICE_START; end <= LATTICE_GOAL; end++) {
        for (uint32_t i = 0; i < s->join_count[end]; i++) {
            if (s->joins[end][i] == id) {
                lattice_add(base, end,
                            space_line_cost(base, lattice_at(base, id), lattice_at(base, end)));
            }
        }
    }
}

static void lattice_end_edges(space *base, uint32_t end)
{
    const lattice_space *const s = (const lattice_space *)base;
    for (uint32_t i = 0; i < s->join_count[end]; i++) {
        const uint32_t to = s->joins[end][i];
        lattice_add(base, to, space_line_cost(base, lattice_at(base, end), lattice_at(base, to)));
    }
}

OCT_FORCE_INLINE oct_result lattice_edges(space *base, uint32_t id, uint32_t from)
{
    lattice_space *const s = (lattice_space *)base;
    base->edge_count = 0;
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        lattice_end_edges(base, id);
        return OCT_OK;
    }
    const uint32_t here = id / PAGE_CELLS, point = id % LATTICE_POINTS;
    const map_page *page = page_at(&s->pages, here);
    const bool is_joined = page->mark;
    const uint32_t own = lattice_own(s, page, id);
    uint32_t ways = lattice_ways[own] & lattice_onward(s, page, id, from, own);
    for (; ways; ways &= ways - 1u) {
        const uint32_t direction = oct_lowest_bit(ways);
        const uint32_t move = s->pages.moves[point][9u + direction];
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
        lattice_add(base, lattice_end_of(s, to, move % PAGE_CELLS, own, direction),
                    lattice_cost[direction]);
    }
    if (OCT_UNLIKELY(base->map.is_priced)) {
        for (uint32_t i = 0; i < base->edge_count; i++) {
            space_edge *const edge = &space_edges(base)[i];
            edge->cost = space_line_cost(base, lattice_at(base, id), lattice_at(base, edge->to));
        }
    }
    if (OCT_UNLIKELY(is_joined)) {
        lattice_join_edges(base, id);
    }
    return OCT_OK;
}

// ---- operations ----

// The last leg to a goal that is no lattice point goes straight, and may cost less than the octile
// way by the shortcut.
static double lattice_estimate_own(const space *base, oct_fine at)
{
    const oct_fine goal = base->aim;
    const int64_t x = at.x < goal.x ? goal.x - at.x : at.x - goal.x;
    const int64_t y = at.y < goal.y ? goal.y - at.y : at.y - goal.y;
    const int64_t least = x < y ? x : y, most = x < y ? y : x;
    const double length = ((double)(most - least) + (double)least * COST_SQRT2) * (1.0 / OCT_FINE);
    return length > base->shortcut ? cost_below((length - base->shortcut) * base->least_price)
                                   : 0.0;
}

OCT_FORCE_INLINE double lattice_estimate(const space *base, uint32_t id)
{
    const oct_fine at = lattice_at(base, id);
    return OCT_UNLIKELY(base->goal_is_own) && base->estimate == ESTIMATE_OCTILE
               ? lattice_estimate_own(base, at)
               : space_estimate_from(base, at);
}

OCT_FORCE_INLINE double lattice_line_cost(const space *base, uint32_t a, uint32_t b)
{
    return space_line_cost(base, lattice_at(base, a), lattice_at(base, b));
}

OCT_FORCE_INLINE bool lattice_sees(const space *base, uint32_t a, uint32_t b)
{
    const spot from = lattice_spot(base, a), to = lattice_spot(base, b);
    return oct_view_sees(&base->map, &from, &to);
}

OCT_FORCE_INLINE bool lattice_turns(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return false;
}

// Of two nodes on one point the highest bit tells them apart.
OCT_FORCE_INLINE uint64_t lattice_node_key(const space *base, uint32_t id)
{
    return space_key_of(lattice_at(base, id)) | (uint64_t)(id >= PAGE_CELLS && id & LATTICE_SECOND)
                                                    << 63;
}

static const space_ops lattice_ops = {lattice_edges,   lattice_estimate, lattice_line_cost,
                                      lattice_sees,    lattice_turns,    lattice_at,
                                      lattice_node_key};

#endif
