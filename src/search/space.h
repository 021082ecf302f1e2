// SPDX-License-Identifier: MIT
// What a search sees of a graph: the operations, and what all graphs over a map have in common.
//
// Nodes have dense ids, from 1, given as they are met and valid for one query. A search is compiled
// once for each graph: operations are constants, so that nothing is called through a pointer.
// Edges come in whole batches. Start and goal are nodes of their own, joined to the graph's nodes
// nearby; where a graph's node lies on the very spot it is the start or goal itself.
#ifndef OCTANT_SPACE_H
#define OCTANT_SPACE_H

#include "search/graph_internal.h"

struct oct_planner;

// More than any way costs.
#define HUGE_COST 0x1p1000

typedef struct space_edge {
    double cost;
    uint32_t to;
} space_edge;

// How an estimate is made. Each is a lower bound of what the moves of its graph cost.
typedef enum space_estimate {
    ESTIMATE_EUCLIDEAN,
    ESTIMATE_OCTILE,
    ESTIMATE_MANHATTAN
} space_estimate;

// The part that all graphs have: begin with it.
typedef struct space {
    oct_allocator allocator;
    view map;
    uint32_t id_count; // ids given so far, 0 included
    uint32_t start, goal;
    bool goal_is_own; // the goal is no node of the graph, but joined to some
    anchor from, to;
    oct_fine aim; // what estimates measure to
    space_estimate estimate;
    double shortcut;     // by how much the last leg may be shorter than a Manhattan estimate, cells
    double least_price;  // of a cell's length, for estimates
    uint32_t directions; // which neighbours count
    uint32_t edge_count; // what the last call of edges found
    oct_array edges;     // of space_edge
    uint64_t sight_checks; // made so far, by edges as well
} space;

// The operations of a graph. All but `edges` only read.
typedef struct space_ops {
    // Finds the edges of a node: edge_count of them in `edges`. The same both ways. Where the node
    // was reached over the edge from `from` (not 0), edges may be left out that lead where others
    // get at no higher cost without passing this node.
    oct_result (*edges)(space *s, uint32_t id, uint32_t from);
    // A lower bound of the cost from a node to the goal, consistent with the edges' costs.
    double (*estimate)(const space *s, uint32_t id);
    // The cost of the straight line between two nodes.
    double (*cost)(const space *s, uint32_t a, uint32_t b);
    // Whether that line is free.
    bool (*sees)(const space *s, uint32_t a, uint32_t b);
    // Whether a path may end its way along the graph at a node, and go straight to the goal.
    bool (*turns)(const space *s, uint32_t id);
    // Where a node is; a caller's graph does not say.
    oct_fine (*at)(const space *s, uint32_t id);
    // A number that depends on where the node is and on nothing else: the last word in ties.
    uint64_t (*key)(const space *s, uint32_t id);
} space_ops;

// A graph as a planner sees it: how it is made, begun and freed. The functions are called once for
// each query, never for each node; searches have the operations compiled in.
typedef struct space_kind {
    size_t size;          // of the space, which begins with a `space`; all zero is a new one
    const space_ops *ops; // for what is not hot
    void (*free_parts)(space *s);
    size_t (*parts_bytes)(const space *s);
    // Takes over what the graph needs of the planner's query; the map is set, the anchors are not.
    void (*take)(space *s, const struct oct_planner *planner);
    // Gives ids to start and goal; map and anchors are set.
    oct_result (*begin)(space *s);
    // Moves the goal of a search that has begun to the anchor `to`; NULL where that cannot be done.
    oct_result (*aim)(space *s);
    // Puts the nodes into a way that edges pass without naming them; NULL: there are none.
    oct_result (*unfold)(space *s, oct_array *ids);
    // Whether a path may be there although the graph has none; NULL: never. Then the space `retry`,
    // which misses nothing, is asked.
    bool (*may_miss)(const space *s);
    uint32_t retry;
} space_kind;

// Makes a space of a kind. On failure *out is NULL.
oct_result oct_space_create(const space_kind *kind, const oct_allocator *allocator, space **out);

// Frees a space; NULL is allowed.
void oct_space_destroy(const space_kind *kind, space *s);
size_t oct_space_bytes(const space_kind *kind, const space *s);

OCT_FORCE_INLINE space_edge *space_edges(const space *s)
{
    return s->edges.items;
}

// The straight line's length, or what it costs, as a search adds it up.
OCT_FORCE_INLINE double space_line_cost(const space *s, oct_fine a, oct_fine b)
{
    return cost_above(OCT_UNLIKELY(s->map.is_priced) ? oct_view_price(&s->map, a, b)
                                                     : oct_fine_distance(a, b));
}

// Costs of the moves between cells: multiples of the quantum as well.
#define COST_SQRT2 0x1.6a09e668p+0 // above the root by less than a quantum
#define COST_SQRT3 0x1.bb67ae86p+0

// A lower bound of the cost from a point to the goal.
OCT_FORCE_INLINE double space_estimate_from(const space *s, oct_fine at)
{
    const oct_fine goal = s->aim;
    const int64_t x = at.x < goal.x ? goal.x - at.x : at.x - goal.x;
    const int64_t y = at.y < goal.y ? goal.y - at.y : at.y - goal.y;
    const int64_t z = at.z < goal.z ? goal.z - at.z : at.z - goal.z;
    if (s->estimate == ESTIMATE_EUCLIDEAN) {
        return cost_below(oct_fine_distance(at, goal) * s->least_price);
    }
    double length = (double)(x + y + z) - s->shortcut * OCT_FINE;
    length = length > 0.0 ? length : 0.0;
    if (s->estimate == ESTIMATE_OCTILE) {
        const int64_t xy_least = x < y ? x : y, xy_most = x < y ? y : x;
        const int64_t least = z < xy_least ? z : xy_least, most = z > xy_most ? z : xy_most;
        const int64_t middle = x + y + z - least - most;
        length = (double)(most - middle) + (double)(middle - least) * COST_SQRT2 +
                 (double)least * COST_SQRT3;
    }
    length *= 1.0 / OCT_FINE;
    return s->least_price == 1.0 ? length : cost_below(length * s->least_price);
}

// The lattice key of a point: 21 bits an axis, of half cells.
OCT_FORCE_INLINE uint64_t space_key_of(oct_fine at)
{
    const uint64_t low = (UINT64_C(1) << 21) - 1u;
    return ((uint64_t)(at.z >> 7) & low) << 42 | ((uint64_t)(at.y >> 7) & low) << 21 |
           ((uint64_t)(at.x >> 7) & low);
}

#endif
