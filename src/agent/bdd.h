// SPDX-License-Identifier: MIT
// Boolean functions as ordered decision diagrams: equal functions are the same number.
//
// A node asks one variable and goes on low (false) or high (true); the variable with the largest
// number stands on top. An edge is a node's index and, in its lowest bit, whether its function is
// to be negated; high edges never are, which keeps functions unique. Nodes are never changed, and
// stand after those below them. (R. E. Bryant, "Graph-based algorithms for Boolean function
// manipulation", IEEE Transactions on Computers 35(8), 1986; K. S. Brace, R. L. Rudell and
// R. E. Bryant, "Efficient implementation of a BDD package", DAC 1990.)
#ifndef OCTANT_BDD_H
#define OCTANT_BDD_H

#include "base/key_table.h"

// The edges of the constants.
#define EDGE_FALSE 0u
#define EDGE_TRUE 1u

// Most nodes, and most nodes and remembered results together.
#define BDD_NODES_MAX (1u << 18)
#define BDD_KEYS_MAX (1u << 20)

typedef struct bdd_node {
    uint32_t variable; // from 1; 0: the constant false, node 0
    uint32_t low, high;
} bdd_node;

// All zero is a BDD without even the constants.
typedef struct bdd {
    oct_allocator allocator;
    oct_array nodes;
    oct_array notes;  // a number for each node, for who walks over them
    oct_array stack;  // room for as many levels as there are variables
    key_table places; // of nodes; and of conjunctions, their results
    uint32_t variables;
} bdd;

OCT_FORCE_INLINE const bdd_node *bdd_nodes(const bdd *d)
{
    return d->nodes.items;
}

OCT_FORCE_INLINE uint32_t *bdd_notes(const bdd *d)
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

oct_result oct_bdd_init(bdd *d, const oct_allocator *allocator);
void oct_bdd_free(bdd *d);

// One more variable; it stands above all others.
oct_result oct_bdd_variable(bdd *d, uint32_t *variable, uint32_t *edge);

oct_result oct_bdd_and(bdd *d, uint32_t a, uint32_t b, uint32_t *out);
oct_result oct_bdd_or(bdd *d, uint32_t a, uint32_t b, uint32_t *out);
// Where `test` is true `high`, else `low`.
oct_result oct_bdd_choose(bdd *d, uint32_t test, uint32_t low, uint32_t high, uint32_t *out);

// The value where all variables are false.
bool oct_bdd_at_false(const bdd *d, uint32_t edge);

// Drops what is not in use: clear the notes, note the edges to keep, sweep. Then each of these
// edges has moved. Takes no memory.
void oct_bdd_clear_notes(bdd *d);
void oct_bdd_sweep(bdd *d);

OCT_FORCE_INLINE void bdd_note(bdd *d, uint32_t edge)
{
    bdd_notes(d)[edge_node(edge)] = 1;
}

OCT_FORCE_INLINE uint32_t bdd_moved(const bdd *d, uint32_t edge)
{
    return bdd_notes(d)[edge_node(edge)] << 1 | (edge & 1u);
}

#endif
