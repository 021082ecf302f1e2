// SPDX-License-Identifier: MIT
// The dual graph: middles of free leaves, joined where leaves touch.
//
// The line between the middles of two cubes that share (part of) a face stays inside both: it
// crosses the plane of the face where the smaller cube is, since its offset there is less than half
// that cube. Lines to neighbours across edges and corners, and to leaves that the bounds cut, may
// leave both and are checked.
#ifndef OCTANT_DUAL_H
#define OCTANT_DUAL_H

#include "base/key_table.h"
#include "classic/leaves.h"
#include "flat/lab_space.h"

// A node: a leaf.
typedef struct dual_node {
    int32_t x, y, z;
    uint8_t level;
    uint8_t joins;  // which of start and goal it is joined to: bits 1 << id
    uint8_t is_cut; // the leaf is not whole within the bounds
    uint8_t unused;
} dual_node;
_Static_assert(sizeof(dual_node) == 16, "four nodes in a cache line");

// Ids of start and goal.
enum { DUAL_START = 1, DUAL_GOAL = 2 };

typedef struct dual_space {
    space base;
    oct_array nodes;    // of dual_node; 1 and 2 are start and goal
    key_table places;   // of nodes
    oct_array leaves;   // of oct_leaf: neighbours of the leaf in question
    balanced *balanced; // the progressive octree; NULL until it is asked for
    bool is_progressive;
    bool is_together;  // start and goal are in one leaf
    bool has_cut;      // a leaf was met that the bounds cut
    uint32_t joins[3]; // the nodes that start and goal are joined to
} dual_space;

extern const space_kind oct_dual_kind, oct_progressive_dual_kind;

// The node of a leaf, which is made where it is not there yet.
oct_result oct_dual_node(dual_space *s, oct_leaf leaf, uint32_t *id);

OCT_FORCE_INLINE dual_node *dual_node_at(const space *base, uint32_t id)
{
    return (dual_node *)((const dual_space *)base)->nodes.items + id;
}

OCT_FORCE_INLINE void dual_add(space *base, uint32_t to, double cost)
{
    space_edges(base)[base->edge_count++] = (space_edge){cost, to};
}

OCT_FORCE_INLINE oct_fine dual_at(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id <= DUAL_GOAL)) {
        return id == DUAL_START ? base->from.place.at : base->to.place.at;
    }
    const dual_node *const n = dual_node_at(base, id);
    if (OCT_UNLIKELY(n->is_cut)) {
        const oct_box box = view_leaf_box(&base->map, (oct_leaf){n->x, n->y, n->z, n->level, 0, 0});
        return (oct_fine){((int64_t)box.min.x + box.max.x) * (OCT_FINE / 2),
                          ((int64_t)box.min.y + box.max.y) * (OCT_FINE / 2),
                          ((int64_t)box.min.z + box.max.z) * (OCT_FINE / 2)};
    }
    const int64_t half = INT64_C(OCT_FINE / 2) << n->level;
    return (oct_fine){(int64_t)n->x * OCT_FINE + half, (int64_t)n->y * OCT_FINE + half,
                      base->map.dims == 3 ? (int64_t)n->z * OCT_FINE + half : FLAT_Z};
}

// The place of a leaf's middle: all around it is the leaf itself.
OCT_FORCE_INLINE spot dual_spot(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id <= DUAL_GOAL)) {
        return id == DUAL_START ? base->from.place : base->to.place;
    }
    return (spot){dual_at(base, id), 0xffu};
}

// Whether two leaves share a part of a face: they overlap on all axes but one.
OCT_FORCE_INLINE bool dual_share_face(int dims, const dual_node *a, const dual_node *b)
{
    const int64_t edge_a = INT64_C(1) << a->level, edge_b = INT64_C(1) << b->level;
    const int apart = (a->x + edge_a <= b->x || b->x + edge_b <= a->x) +
                      (a->y + edge_a <= b->y || b->y + edge_b <= a->y) +
                      (dims == 3 && (a->z + edge_a <= b->z || b->z + edge_b <= a->z));
    return apart == 1;
}

static bool dual_sees(const space *base, uint32_t a, uint32_t b)
{
    const spot from = dual_spot(base, a), to = dual_spot(base, b);
    return oct_view_sees(&base->map, &from, &to);
}

OCT_FORCE_INLINE double dual_line_cost(const space *base, uint32_t a, uint32_t b)
{
    return space_line_cost(base, dual_at(base, a), dual_at(base, b));
}

OCT_FORCE_INLINE oct_result dual_edges(space *base, uint32_t id, uint32_t from)
{
    (void)from;
    dual_space *const s = (dual_space *)base;
    base->edge_count = 0;
    if (OCT_UNLIKELY(id <= DUAL_GOAL)) {
        const uint32_t other = id ^ DUAL_START ^ DUAL_GOAL;
        dual_add(base, s->joins[id], dual_line_cost(base, id, s->joins[id]));
        if (s->is_together) {
            dual_add(base, other, dual_line_cost(base, id, other));
        }
        return OCT_OK;
    }
    const dual_node *n = dual_node_at(base, id);
    const oct_leaf leaf = {n->x, n->y, n->z, n->level, 0, 0};
    OCT_TRY(s->is_progressive
                ? oct_balanced_neighbours(s->balanced, &base->map, leaf, base->directions,
                                          &base->allocator, &s->leaves)
                : oct_view_neighbours(&base->map, leaf, base->directions, &base->allocator,
                                      &s->leaves));
    OCT_TRY(oct_array_reserve(&base->edges, &base->allocator, sizeof(space_edge),
                              s->leaves.count + DUAL_GOAL));
    const oct_fine here = dual_at(base, id);
    const oct_leaf *const leaves = s->leaves.items;
    for (size_t i = 0; i < s->leaves.count; i++) {
        uint32_t to;
        OCT_TRY(oct_dual_node(s, leaves[i], &to));
        n = dual_node_at(base, id);
        const dual_node *const other = dual_node_at(base, to);
        if (n->is_cut || other->is_cut || !dual_share_face(base->map.dims, n, other)) {
            base->sight_checks++;
            if (!dual_sees(base, id, to)) {
                continue;
            }
        }
        dual_add(base, to, space_line_cost(base, here, dual_at(base, to)));
    }
    for (uint32_t end = DUAL_START; end <= DUAL_GOAL; end++) {
        const uint32_t joins = dual_node_at(base, id)->joins;
        if (OCT_UNLIKELY(joins >> end & 1u)) {
            dual_add(base, end, dual_line_cost(base, id, end));
        }
    }
    return OCT_OK;
}

OCT_FORCE_INLINE double dual_estimate(const space *base, uint32_t id)
{
    return space_estimate_from(base, dual_at(base, id));
}

OCT_FORCE_INLINE uint64_t dual_key(const space *base, uint32_t id)
{
    return space_key_of(dual_at(base, id));
}

// The size of a node, cells: what greedy search divides by.
OCT_FORCE_INLINE double dual_size(const space *base, uint32_t id)
{
    return id <= DUAL_GOAL ? 1.0 : (double)(UINT64_C(1) << dual_node_at(base, id)->level);
}

OCT_FORCE_INLINE bool dual_turns(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return true;
}

static const space_ops dual_ops = {dual_edges, dual_estimate, dual_line_cost, dual_sees,
                                   dual_turns, dual_at,       dual_key};

#endif
