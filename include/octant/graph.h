// SPDX-License-Identifier: MIT
/// \file
/// What can be searched: on which terms a map is travelled, line of sight, and callers' graphs.
///
/// A straight line is free if it enters no cell that is in the way. It may touch such cells, and
/// run along them, but not squeeze between two that meet in a face, an edge or a corner: where it
/// goes from cell to cell, both must be connected over faces through free cells that touch that
/// point. Everything here is exact in integers on the sub-lattice of 1/256 cell.
/// Threading: nothing here holds state; trees are only read.
#ifndef OCTANT_GRAPH_H
#define OCTANT_GRAPH_H

#include "octant/cells.h"

// ---- terms ----

/// What UNKNOWN cells count as.
typedef enum oct_unknown {
    OCT_UNKNOWN_BLOCKED,
    OCT_UNKNOWN_OPEN,
    OCT_UNKNOWN_PRICED ///< open, at a price
} oct_unknown;

/// Cells in which a metre costs more, or less, than a metre.
typedef struct oct_priced_box {
    oct_box cells;
    double price; ///< cost of a metre; OCT_PRICE_MIN to OCT_PRICE_MAX
} oct_priced_box;

#define OCT_PRICE_MIN 0.0009765625 // 2^-10
#define OCT_PRICE_MAX 1048576.0    // 2^20
#define OCT_PRICED_BOXES_MAX 64

/// The terms of travel. Start from oct_terms_default(). Where priced boxes overlap, prices
/// multiply, and so does that of UNKNOWN. What runs between two cells costs what the cheaper one
/// does.
typedef struct oct_terms {
    oct_unknown unknown;          ///< default BLOCKED
    double unknown_price;         ///< of PRICED: cost of a metre; default 2
    const oct_box *bounds;        ///< borrowed; what is beyond is BLOCKED; NULL (default) = nothing
    const oct_priced_box *priced; ///< borrowed
    uint32_t priced_count;        ///< default 0; at most OCT_PRICED_BOXES_MAX
    uint32_t cookie;              ///< set by the default; do not touch
} oct_terms;

OCT_API oct_terms oct_terms_default(void);

// ---- goals and graphs of a caller ----

/// A set of goals, of which the one with the shortest path counts: middles of free cells within the
/// bounds.
typedef struct oct_goals {
    void *ctx; ///< handed to it, not touched
    /// The cell whose middle is nearest to a point, among those at a distance of less than `limit`
    /// cells and inside a box of cells (NULL = anywhere); or one that is further by at most that
    /// part, `slack`. False if there is none. It is asked thousands of times in a search, and must
    /// give the same answers throughout.
    bool (*nearest)(void *ctx, oct_fine at, const oct_box *within, double limit, double slack,
                    oct_vec *cell);
} oct_goals;

/// An edge of a caller's graph.
typedef struct oct_user_edge {
    uint64_t to;
    double cost; ///< > 0
} oct_user_edge;

/// A caller's graph. Nodes are any 64-bit numbers. All functions must give the same answers
/// throughout a query, and edges must be the same both ways for Lazy Theta*.
typedef struct oct_user_graph {
    void *ctx; ///< handed to all, not touched
    /// Writes at most `capacity` edges and returns how many there are.
    size_t (*edges)(void *ctx, uint64_t node, oct_user_edge *out, size_t capacity);
    /// Never more than the cheapest way from a to b costs, and never more than an edge's cost
    /// allows: estimate(a, c) <= cost(a, b) + estimate(b, c).
    double (*estimate)(void *ctx, uint64_t a, uint64_t b);
    /// The cost of going from a to b straight, negative where that is not possible. NULL: there is
    /// no straight line, and algorithms that need one are refused.
    double (*straight)(void *ctx, uint64_t a, uint64_t b);
} oct_user_graph;

#endif
