// SPDX-License-Identifier: MIT
// Boolean functions as ordered decision diagrams: equal functions are the same number.
//
// A node asks one variable and goes on low (false) or high (true); the variable with the largest
// number stands on top. An edge is a node's index and, in its lowest bit, whether its function is
// to be negated; high edges never are, which keeps functions unique. Nodes are never changed, and
// stand after those below them. (R. E. Bryant, "Graph-based algorithms for Boolean function
// manipulation", IEEE Transactions on Computers 35(8), 1986; K. S. Brace, R. L. Rudell and
// R. E. Bryant, "Efficient implementation of a BDD package", DAC 1990.)
#ifndef OCTANT_DIAGRAM_H
#define OCTANT_DIAGRAM_H

#include "base/key_table.h"

// The edges of the constants.
#define EDGE_FALSE 0u
#define EDGE_TRUE 1u

// Most nodes, and most nodes and remembered results together.
#define DIAGRAM_NODES_MAX (1u << 18)
#define DIAGRAM_KEYS_MAX (1u << 20)

typedef struct diagram_node {
    uint32_t variable; // from 1; 0: the constant false, node 0
    uint32_t low, high;
} diagram_node;

// All zero is a diagram without even the constants.
typedef struct diagram {
    oct_allocator allocator;
    oct_array nodes;
    oct_array notes;  // a number for each node, for who walks over them
    oct_array stack;  // room for as many levels as there are variables
    key_table places; // of nodes; and of conjunctions, their results
    uint32_t variables;
} diagram;

OCT_FORCE_INLINE const diagram_node *diagram_nodes(const diagram *d)
{
    return d->nodes.items;
}

OCT_FORCE_INLINE uint32_t *diagram_notes(const diagram *d)
{
    return d->notes.items;
}

OCT_FORCE_INLINE uint32_t edge_node(uint32_t edge)
{
    return edge >> 1;
}

OCT_FORCE_INLINE uint32_t edge_not(uint32_t edge)
{
    return edge ^ 1u;
}

OCT_FORCE_INLINE bool edge_is_constant(uint32_t edge)
{
    return edge <= EDGE_TRUE;
}

// Everything that makes nodes: on OCT_ERROR_MEMORY, and on OCT_ERROR_RANGE where there are too
// many, all edges are as they were.

oct_result oct_diagram_init(diagram *d, const oct_allocator *allocator);
void oct_diagram_free(diagram *d);

// One more variable; it stands above all others.
oct_result oct_diagram_variable(diagram *d, uint32_t *variable, uint32_t *edge);

oct_result oct_diagram_and(diagram *d, uint32_t a, uint32_t b, uint32_t *out);
oct_result oct_diagram_or(diagram *d, uint32_t a, uint32_t b, uint32_t *out);
// Where `test` is true `high`, else `low`.
oct_result oct_diagram_choose(diagram *d, uint32_t test, uint32_t low, uint32_t high,
                              uint32_t *out);

// The value where all variables are false.
bool oct_diagram_at_false(const diagram *d, uint32_t edge);

// Drops what is not in use: clear the notes, note the edges to keep, sweep. Then each of these
// edges has moved. Takes no memory.
void oct_diagram_clear_notes(diagram *d);
void oct_diagram_sweep(diagram *d);

OCT_FORCE_INLINE void diagram_note(diagram *d, uint32_t edge)
{
    diagram_notes(d)[edge_node(edge)] = 1;
}

OCT_FORCE_INLINE uint32_t diagram_moved(const diagram *d, uint32_t edge)
{
    return diagram_notes(d)[edge_node(edge)] << 1 | (edge & 1u);
}

#endif
