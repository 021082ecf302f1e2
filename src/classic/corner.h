// SPDX-License-Identifier: MIT
// The corner graph: corners of free leaves, joined along the leaves' edges (He and Hung 2016, 4.2).
//
// A point where blocked cells meet in an edge or corner is several nodes, one for each part of the
// free cells around it: an edge of a leaf joins the nodes to which that leaf belongs at both ends.
// So no path squeezes through such a point.
//
// Nodes live in pages. A leaf of 2^n cells has a corner at a point beside one of its cells if the
// point is a multiple of 2^n, seen from the root: so the edges of a node follow from the levels of
// the eight leaves around it. The first part of a point's octants has the id of the point; other
// parts, which are rare, have ids in pages of their own.
#ifndef OCTANT_CORNER_H
#define OCTANT_CORNER_H

#include "classic/leaves.h"
#include "classic/pages.h"
#include "flat/lab_space.h"

// Ids of start and goal.
enum { CORNER_START = 1, CORNER_GOAL = 2 };

// The corners of a leaf, and the other end where it is in the same leaf.
#define CORNER_JOINS_MAX 9

// What a page's mark says.
enum {
    CORNER_PAGE_PARTS = 1, // holds further parts of points: x is the index of the first
    CORNER_PAGE_JOINS = 2  // holds a node that start or goal is joined to
};

// A further part of a point.
typedef struct corner_part {
    oct_vec at;
    uint32_t octants;
} corner_part;

typedef struct corner_space {
    space base;
    page_table pages;
    oct_array parts;    // of corner_part
    uint32_t part_page; // where further parts go
    key_table part_ids; // by point and lowest octant
    balanced *balanced; // the progressive octree; NULL until it is asked for
    bool is_progressive;
    oct_vec root;                        // what leaves are multiples of their size from
    uint32_t joins[3][CORNER_JOINS_MAX]; // nodes that start and goal are joined to
    uint32_t join_count[3];
} corner_space;

extern const space_kind oct_corner_kind, oct_progressive_corner_kind;

// The node of a point in a page that holds one of its free octants, where these have several parts.
oct_result oct_corner_part(corner_space *s, uint32_t page, uint32_t cell, uint32_t octant,
                           uint32_t *id);

// The edges of a node at a leaf that the bounds cut, in octant o.
oct_result oct_corner_cut_edges(corner_space *s, uint32_t id, uint32_t o);

// The node of a point that holds one of its free octants.
oct_result oct_corner_node(corner_space *s, oct_vec at, uint32_t octant, uint32_t *id);

// ---- nodes ----

// Whether free octants are all connected over faces: one bit for each of the 256 sets.
OCT_FORCE_INLINE bool octants_are_one(uint32_t octants)
{
    static const uint64_t one[4] = {UINT64_C(0xecafcc8da8abfdbe), UINT64_C(0xfcffc080f8bbf0b1),
                                    UINT64_C(0xffaffd8da800fd01), UINT64_C(0xfffffdfdffbbfdb1)};
    return one[octants >> 6] >> (octants & 63u) & 1u;
}

OCT_FORCE_INLINE const corner_part *corner_part_get(const corner_space *s, const map_page *page,
                                                    uint32_t id)
{
    return (const corner_part *)s->parts.items + (uint32_t)page->x + id % PAGE_CELLS;
}

// The lattice point of a node that is neither start nor goal.
OCT_FORCE_INLINE oct_vec corner_vec(const corner_space *s, uint32_t id)
{
    const map_page *const page = page_at(&s->pages, id / PAGE_CELLS);
    if (OCT_UNLIKELY(page->mark & CORNER_PAGE_PARTS)) {
        return corner_part_get(s, page, id)->at;
    }
    return (oct_vec){page->x + (int32_t)(id & 3u), page->y + (int32_t)(id >> 2 & 3u),
                     page->z + (int32_t)(id >> 4 & 3u)};
}

OCT_FORCE_INLINE oct_fine corner_point(const view *v, oct_vec at)
{
    return (oct_fine){(int64_t)at.x * OCT_FINE, (int64_t)at.y * OCT_FINE,
                      v->dims == 3 ? (int64_t)at.z * OCT_FINE : FLAT_Z};
}

OCT_FORCE_INLINE oct_fine corner_at(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return id == CORNER_START ? base->from.place.at : base->to.place.at;
    }
    return corner_point(&base->map, corner_vec((const corner_space *)base, id));
}

// The octants that are a node's own.
OCT_FORCE_INLINE uint32_t corner_octants(const corner_space *s, uint32_t id)
{
    const map_page *const page = page_at(&s->pages, id / PAGE_CELLS);
    if (OCT_UNLIKELY(page->mark & CORNER_PAGE_PARTS)) {
        return corner_part_get(s, page, id)->octants;
    }
    const uint32_t open = page_octants(s->base.map.dims, page, id % PAGE_CELLS);
    return OCT_LIKELY(octants_are_one(open)) ? open : octants_joined(open & (0u - open), open);
}

OCT_FORCE_INLINE spot corner_spot(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        return id == CORNER_START ? base->from.place : base->to.place;
    }
    return (spot){corner_at(base, id), corner_octants((const corner_space *)base, id)};
}

// ---- edges ----

OCT_FORCE_INLINE void corner_add(space *base, uint32_t to, double cost)
{
    space_edges(base)[base->edge_count++] = (space_edge){cost, to};
}

// The page and cell that a step leads to.
OCT_FORCE_INLINE oct_result corner_step(corner_space *s, uint32_t *page, uint32_t *cell,
                                        uint32_t direction)
{
    const uint32_t move = s->pages.moves[*cell][direction], link = move / PAGE_CELLS;
    *cell = move % PAGE_CELLS;
    if (link == PAGE_SELF) {
        return OCT_OK;
    }
    const uint32_t next = page_at(&s->pages, *page)->links[link];
    if (OCT_LIKELY(next)) {
        *page = next;
        return OCT_OK;
    }
    return oct_pages_link(&s->pages, &s->base.allocator, &s->base.map, *page, link, page);
}

// The level of the leaf in an octant of the point at a page's cell.
OCT_FORCE_INLINE oct_result corner_level(corner_space *s, uint32_t page, uint32_t cell, uint32_t o,
                                         int *level, bool *is_cut)
{
    // The octant's cell is one step down on the axes where its bit is not set.
    const uint32_t flat = (o & 1u) + 3u * (o >> 1 & 1u);
    OCT_TRY(corner_step(s, &page, &cell, s->base.map.dims == 3 ? flat + 9u * (o >> 2) : flat + 9u));
    const map_page *const found = page_at(&s->pages, page);
    *is_cut = found->is_cut;
    if (!s->is_progressive) {
        *level = page_leaf_level(found, cell);
        return OCT_OK;
    }
    oct_leaf leaf;
    const oct_vec in = {found->x + (int32_t)(cell & 3u), found->y + (int32_t)(cell >> 2 & 3u),
                        found->z + (int32_t)(cell >> 4)};
    OCT_TRY(oct_balanced_leaf(s->balanced, &s->base.map, in, &leaf));
    *level = leaf.level;
    return OCT_OK;
}

// The page and cell of the point at the other end of a leaf's edge, along an axis, up or down.
OCT_FORCE_INLINE oct_result corner_across(corner_space *s, uint32_t *page, uint32_t *cell,
                                          oct_vec at, int axis, bool up, int level)
{
    static const uint32_t stride[3] = {1, 3, 9};
    if (level > 2) {
        int32_t to[3] = {at.x, at.y, at.z};
        to[axis] += up ? 1 << level : -(1 << level);
        return oct_pages_find(&s->pages, &s->base.allocator, &s->base.map,
                              (oct_vec){to[0], to[1], to[2]}, page);
    }
    const uint32_t direction = up ? PAGE_SELF + stride[axis] : PAGE_SELF - stride[axis];
    for (int i = 0; i < 1 << level; i++) {
        OCT_TRY(corner_step(s, page, cell, direction));
    }
    return OCT_OK;
}

// Adds the edges along one axis, up or down: one for each size of the leaves along that line, and
// one for each part of the point at the other end.
OCT_FORCE_INLINE oct_result corner_line_edges(corner_space *s, uint32_t here, uint32_t here_cell,
                                              oct_vec at, int axis, bool up, uint32_t octants,
                                              const int levels[8])
{
    space *const base = &s->base;
    uint32_t done = 0; // levels whose edge was added, to a point of one part
    for (; octants; octants &= octants - 1u) {
        const uint32_t o = oct_lowest_bit(octants);
        if (done >> levels[o] & 1u) {
            continue;
        }
        uint32_t page = here, cell = here_cell;
        OCT_TRY(corner_across(s, &page, &cell, at, axis, up, levels[o]));
        uint32_t to = page * PAGE_CELLS + cell;
        if (OCT_LIKELY(
                octants_are_one(page_octants(base->map.dims, page_at(&s->pages, page), cell)))) {
            done |= 1u << levels[o];
        } else {
            OCT_TRY(oct_corner_part(s, page, cell, o ^ 1u << axis, &to));
        }
        corner_add(base, to, cost_above((double)(UINT64_C(1) << levels[o])));
    }
    return OCT_OK;
}

// Joins a node to start and goal where it is one of theirs.
static void corner_join_edges(space *base, uint32_t id)
{
    const corner_space *const s = (const corner_space *)base;
    for (uint32_t end = CORNER_START; end <= CORNER_GOAL; end++) {
        for (uint32_t i = 0; i < s->join_count[end]; i++) {
            if (s->joins[end][i] == id) {
                corner_add(base, end,
                           space_line_cost(base, corner_at(base, id), corner_at(base, end)));
            }
        }
    }
}

static void corner_end_edges(space *base, uint32_t end)
{
    const corner_space *const s = (const corner_space *)base;
    for (uint32_t i = 0; i < s->join_count[end]; i++) {
        const uint32_t to = s->joins[end][i];
        corner_add(base, to, space_line_cost(base, corner_at(base, end), corner_at(base, to)));
    }
}

OCT_FORCE_INLINE oct_result corner_edges(space *base, uint32_t id, uint32_t from)
{
    (void)from;
    corner_space *const s = (corner_space *)base;
    base->edge_count = 0;
    if (OCT_UNLIKELY(id < PAGE_CELLS)) {
        corner_end_edges(base, id);
        return OCT_OK;
    }
    const int dims = base->map.dims;
    const oct_vec at = corner_vec(s, id);
    uint32_t page = id / PAGE_CELLS;
    if (OCT_UNLIKELY(page_at(&s->pages, page)->mark & CORNER_PAGE_PARTS)) {
        OCT_TRY(oct_pages_find(&s->pages, &base->allocator, &base->map, at, &page));
    }
    const uint32_t cell = page_cell(at);
    const uint32_t off[3] = {(uint32_t)at.x - (uint32_t)s->root.x,
                             (uint32_t)at.y - (uint32_t)s->root.y,
                             dims == 3 ? (uint32_t)at.z - (uint32_t)s->root.z : 0u};
    const uint32_t any = off[0] | off[1] | off[2];
    const int even = any ? (int)oct_lowest_bit(any) : 32; // a multiple of 2^even
    int levels[8] = {0};
    uint32_t corners = 0; // octants whose leaf has a corner here
    for (uint32_t own = corner_octants(s, id) & ((1u << (1u << dims)) - 1u); own; own &= own - 1u) {
        const uint32_t o = oct_lowest_bit(own);
        bool is_cut;
        OCT_TRY(corner_level(s, page, cell, o, &levels[o], &is_cut));
        if (OCT_UNLIKELY(is_cut)) {
            OCT_TRY(oct_corner_cut_edges(s, id, o));
        } else {
            corners |= levels[o] <= even ? 1u << o : 0u;
        }
    }
    static const uint32_t above[3] = {0xaa, 0xcc, 0xf0};
    for (int axis = 0; axis < dims; axis++) {
        const uint32_t up = corners & above[axis], down = corners & ~above[axis];
        OCT_TRY(corner_line_edges(s, page, cell, at, axis, true, up, levels));
        OCT_TRY(corner_line_edges(s, page, cell, at, axis, false, down, levels));
    }
    base->id_count = (uint32_t)s->pages.pages.count * PAGE_CELLS;
    if (OCT_UNLIKELY(base->map.is_priced)) {
        for (uint32_t i = 0; i < base->edge_count; i++) {
            space_edge *const edge = &space_edges(base)[i];
            edge->cost = space_line_cost(base, corner_at(base, id), corner_at(base, edge->to));
        }
    }
    if (OCT_UNLIKELY(page_at(&s->pages, id / PAGE_CELLS)->mark & CORNER_PAGE_JOINS)) {
        corner_join_edges(base, id);
    }
    return OCT_OK;
}

// ---- operations ----

OCT_FORCE_INLINE double corner_estimate(const space *base, uint32_t id)
{
    return space_estimate_from(base, corner_at(base, id));
}

OCT_FORCE_INLINE double corner_line_cost(const space *base, uint32_t a, uint32_t b)
{
    return space_line_cost(base, corner_at(base, a), corner_at(base, b));
}

static bool corner_sees(const space *base, uint32_t a, uint32_t b)
{
    const spot from = corner_spot(base, a), to = corner_spot(base, b);
    return oct_view_sees(&base->map, &from, &to);
}

// Whether a taut path may turn at a point with these free octants: only around an edge, where one
// of four cells is not free. One bit for each of the 256 sets.
OCT_FORCE_INLINE bool octants_have_edge(uint32_t octants)
{
    static const uint64_t edge[4] = {UINT64_C(0xeee6ec88e8a86880), UINT64_C(0xfffffca8fadaf8a0),
                                     UINT64_C(0xfffffbccfca8fc80), UINT64_C(0x7ffeffffffffeff0)};
    return edge[octants >> 6] >> (octants & 63u) & 1u;
}

OCT_FORCE_INLINE bool corner_turns(const space *base, uint32_t id)
{
    return id < PAGE_CELLS || octants_have_edge(corner_octants((const corner_space *)base, id));
}

// Of two nodes on one point the octants tell them apart.
OCT_FORCE_INLINE uint64_t corner_key(const space *base, uint32_t id)
{
    const bool is_part =
        id >= PAGE_CELLS &&
        (page_at(&((const corner_space *)base)->pages, id / PAGE_CELLS)->mark & CORNER_PAGE_PARTS);
    const uint64_t key = space_key_of(corner_at(base, id));
    return OCT_UNLIKELY(is_part)
               ? key ^ (uint64_t)corner_octants((const corner_space *)base, id) << 56
               : key;
}

static const space_ops corner_ops = {corner_edges, corner_estimate, corner_line_cost, corner_sees,
                                     corner_turns, corner_at,       corner_key};

#endif
