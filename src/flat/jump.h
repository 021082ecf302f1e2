// SPDX-License-Identifier: MIT
// Jump points: the graph of cells at two dimensions, with all but the nodes that matter left out
// (Harabor and Grastien 2011; in blocks of 64 cells, and without nodes on diagonals: 2014).
//
// Of all shortest ways between two cells one is enough: that with its diagonal moves as early as
// they can be. Such a way goes on straight until something beside it ends, and only there may it
// turn aside; so the successors of a node are the cells where that is so, along its row, its
// column, and the rows and columns of the cells on its diagonals.
//
// Where all these jumps end does not depend on the query, but for the goal. It is worked out for
// all cells when the map has changed, 64 at a time, and kept as planes of bits: a jump is then a
// search for the next bit, along a row, a column or a diagonal. The cells where a way may turn are
// counted as well, so that their ids need no hashing.
//
// A diagonal move needs both cells beside it free: so nothing is forced along a diagonal. An edge
// leads diagonally first and then straight, which costs as much as the estimate of octiles says;
// where it bends is known from its ends.
//
// A node that is reached at the same cost in several ways is expanded as one of them says. That is
// enough: a straight move on a shortest way is never pruned, and where a diagonal one is, its end
// is reached as cheaply by a straight move from a cell beside.
#ifndef OCTANT_JUMP_H
#define OCTANT_JUMP_H

#include "flat/lab_space.h"

// Nodes that are no middles of cells; those of cells follow.
enum { JUMP_START = 1, JUMP_GOAL = 2, JUMP_FIRST = 3 };

typedef enum jump_way { JUMP_EAST, JUMP_WEST, JUMP_NORTH, JUMP_SOUTH, JUMP_WAYS } jump_way;

// A cell, in coordinates of the plane.
typedef struct jump_node {
    int32_t x, y;
} jump_node;

// 64 cells of a row: which of them are nodes, and the id of the first one.
typedef struct jump_word {
    uint64_t nodes;
    uint64_t first;
} jump_word;

typedef struct jump_space {
    space base;
    bit_plane *plane; // the planner's
    // Where a jump ends, by its way: at what is blocked, where it may turn aside, and at the goal.
    // East and west as rows of the plane, north and south as columns.
    uint64_t *stops[JUMP_WAYS];
    // Where a diagonal has something to do, by north and by east: a straight jump from there leads
    // somewhere, or the diagonal ends. As columns, by line and y: the lines are x - y where it
    // rises and x + y where it falls, modulo the width: none goes past the end of a row.
    uint64_t *ends[2][2];
    uint64_t *memory; // of all of them
    size_t room;      // words
    jump_word *words; // as rows of the plane: all cells where a jump may turn aside
    size_t word_room;
    oct_array nodes;   // of jump_node, by id: those, and a query's own behind them
    size_t node_count; // without a query's
    bool is_true;      // of a plane, of this version
    uint32_t version;
    bool has_goal;            // the goal is marked in the stops
    bool was_stop[JUMP_WAYS]; // without the mark
    jump_node goal_at;
    uint32_t start_cell, goal_cell;
} jump_space;

extern const space_kind oct_jump_kind;

// Works out stops, ends and nodes, of a plane that has rows and columns.
oct_result oct_jump_make(jump_space *s);

// The edges of a node.
oct_result oct_jump_edges(space *base, uint32_t id, uint32_t from);

OCT_FORCE_INLINE int64_t jump_modulo(int64_t a, int64_t b)
{
    const int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

// ---- operations ----

OCT_FORCE_INLINE jump_node jump_node_at(const jump_space *s, uint32_t id)
{
    return ((const jump_node *)s->nodes.items)[id];
}

OCT_FORCE_INLINE oct_fine jump_at(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < JUMP_FIRST)) {
        return id == JUMP_START ? base->from.place.at : base->to.place.at;
    }
    const jump_space *const s = (const jump_space *)base;
    const jump_node node = jump_node_at(s, id);
    return (oct_fine){((int64_t)s->plane->x + node.x) * OCT_FINE + OCT_FINE / 2,
                      ((int64_t)s->plane->y + node.y) * OCT_FINE + OCT_FINE / 2, FLAT_Z};
}

// As that of cells.
OCT_FORCE_INLINE double jump_estimate(const space *base, uint32_t id)
{
    return OCT_UNLIKELY(id == JUMP_GOAL) ? 0.0 : space_estimate_from(base, jump_at(base, id));
}

OCT_FORCE_INLINE double jump_line_cost(const space *base, uint32_t a, uint32_t b)
{
    return space_line_cost(base, jump_at(base, a), jump_at(base, b));
}

OCT_FORCE_INLINE spot jump_spot(const space *base, uint32_t id)
{
    if (OCT_UNLIKELY(id < JUMP_FIRST)) {
        return id == JUMP_START ? base->from.place : base->to.place;
    }
    return (spot){jump_at(base, id), 0xffu};
}

OCT_FORCE_INLINE bool jump_sees(const space *base, uint32_t a, uint32_t b)
{
    const spot from = jump_spot(base, a), to = jump_spot(base, b);
    return oct_view_sees(&base->map, &from, &to);
}

OCT_FORCE_INLINE bool jump_turns(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return false;
}

OCT_FORCE_INLINE uint64_t jump_key(const space *base, uint32_t id)
{
    return space_key_of(jump_at(base, id));
}

static const space_ops jump_ops = {oct_jump_edges, jump_estimate, jump_line_cost, jump_sees,
                                   jump_turns,     jump_at,       jump_key};

#endif
