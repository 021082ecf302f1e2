// SPDX-License-Identifier: MIT
// Least costs by brute force, in small worlds: every graph is written out as a list of edges, every
// line judged by exact_path.h, and edges are relaxed until nothing gets cheaper.
//
// Worlds up to about 16^3 or 32^2 cells. A world must be bounded where UNKNOWN is free. Costs are
// lengths in cells; -1 means that there is no way. Independent of src/graph and src/search.
#ifndef OCTANT_TESTS_SEARCH_ORACLE_H
#define OCTANT_TESTS_SEARCH_ORACLE_H

#include "base/base_internal.h"
#include "verify/exact_path.h"

// A start or goal: a point, and the free cell that it is in or on the surface of.
typedef struct oracle_end {
    oct_fine at;
    oct_vec cell;
} oracle_end;

// The middle of a cell.
oracle_end oracle_middle(const exact_world *world, oct_vec cell);

// The distance between two points, cells. At two dimensions z does not count.
double oracle_distance(const exact_world *world, oct_fine a, oct_fine b);

// Whether two cells are free and connected over faces.
bool oracle_connected(const exact_world *world, oct_vec a, oct_vec b);

// ---- leaves ----

// A list of oct_leaf.
typedef oct_array oracle_leaves;

// All leaves inside the root, of any label, in Morton order.
oracle_leaves oracle_leaves_of(const oct_tree *tree);

// Divides leaves until none touches (in a face, edge or corner) one that is more than one level
// smaller.
void oracle_leaves_balance(oracle_leaves *leaves, int dims);

void oracle_leaves_free(oracle_leaves *leaves);

// ---- nets ----

typedef enum oracle_kind {
    ORACLE_CELLS,
    ORACLE_SIGHT,
    ORACLE_BELOW,
    ORACLE_DUAL,
    ORACLE_CORNER,
    ORACLE_LATTICE
} oracle_kind;

// A graph: places, and what it costs to go from one to the other.
typedef struct oracle_net {
    oracle_kind kind;
    exact_world world;
    const oracle_leaves *leaves; // of DUAL and CORNER; borrowed
    int per_cell;                // of BELOW: samples along the edge of a cell
    exact_world worn;            // of BELOW: where its lines are judged
    oct_tree *worn_tree;         // of BELOW
    oct_array places, edges;
} oracle_net;

// Middles of free cells; 26, 18 or 6 neighbours (8 or 4 at two dimensions); a move needs every cell
// of the box that it spans. Ends are cells: the points of ends do not count.
oracle_net oracle_net_cells(const exact_world *world, int neighbours);

// The shortest way of all at two dimensions: lines of sight between all points that a taut path can
// turn at. Where cells that are in the way meet diagonally a point is two places; in a world that
// lets a path squeeze it is one, and a point to turn at.
// At three dimensions such points lie anywhere on edges; `per_cell` of them are taken along each
// edge of a cell (at most 256), and the length is that of a valid path: not less than the best.
oracle_net oracle_net_sight(const exact_world *world, int per_cell);

// A length that no valid path at three dimensions is shorter than. The edges that a taut path can
// turn at are cut into `per_cell` (2 to 8) pieces each. A line between points of two pieces runs so
// close to the line between their middles that the latter meets nothing that is in the way, as soon
// as everything in the way is worn off by a little more than half a piece. So the cheapest way over
// middles in the worn world, less one piece for every turn, is a bound.
oracle_net oracle_net_below(const exact_world *world, int per_cell);

// Middles of free leaves of the list (of their parts within the bounds); 26, 18 or 6 neighbours (8
// or 4), an edge where the line between the middles is free. An end is joined with the middle of
// its own leaf, and with an end in the same leaf.
oracle_net oracle_net_dual(const exact_world *world, const oracle_leaves *leaves, int neighbours);

// Corners of free leaves of the list (of their parts within the bounds), each as many places as it
// has parts, and the edges of the leaves. An end is joined with the corners of its own leaf, and
// with an end in the same leaf.
oracle_net oracle_net_corner(const exact_world *world, const oracle_leaves *leaves);

// At two dimensions: corners of free cells, each as many places as it has parts, and the sides and
// diagonals of these cells. An end is joined with the corners of the cells that are its own, and
// with an end that has one of these as well.
oracle_net oracle_net_lattice(const exact_world *world);

double oracle_least(const oracle_net *net, const oracle_end *from, const oracle_end *to);

void oracle_net_free(oracle_net *net);

#endif
