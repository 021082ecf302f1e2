// SPDX-License-Identifier: MIT
// Abdo's octree (3.3.1): every node down to a fixed depth, found by its location code in a hash
// table. It keeps which obstacles lie in a node and below it, and no label of any cell.
#ifndef OCTANT_BASELINE_FULL_H
#define OCTANT_BASELINE_FULL_H

#include "base/base_internal.h"
#include "octant/geom.h"

typedef struct full_node {
    uint32_t code;  // 1, then three bits for each level; 0 = an empty slot
    uint32_t first; // obstacle in the node, from 1
    uint8_t below;  // which children have an obstacle in them or below
    uint8_t unused[3];
} full_node;

typedef struct full_obstacle {
    oct_point middle;
    double size;
    uint32_t next; // in its node
    uint32_t code; // of its node
} full_obstacle;

typedef struct full_tree {
    full_node *table; // open addressing
    uint32_t table_size, node_count;
    full_obstacle *obstacles; // from 1
    uint32_t obstacle_count, obstacle_capacity;
    oct_point min; // of the root
    double size;   // of the root
    int depth;
} full_tree;

// All nodes down to `depth` (at most 7), and room for so many obstacles. All zero before.
oct_result oct_full_init(full_tree *tree, oct_point min, double size, int depth,
                         uint32_t obstacles);
void oct_full_free(full_tree *tree);

// Enters an obstacle; returns its number, or 0 where there is no room.
uint32_t oct_full_add(full_tree *tree, oct_point middle, double size);
void oct_full_remove(full_tree *tree, uint32_t obstacle);
// Enters it anew only where it has left its node's outer bounds, as Abdo does.
void oct_full_move(full_tree *tree, uint32_t obstacle, oct_point middle);

// Enters it anew wherever it was.
void oct_full_put(full_tree *tree, uint32_t obstacle, oct_point middle);

// Whether anything lies in a node or below it. The code must be a node's.
bool oct_full_holds(const full_tree *tree, uint32_t code);

size_t oct_full_bytes(const full_tree *tree);

// The obstacles in a node and below it, by walking. For tests.
uint32_t oct_full_count(const full_tree *tree, uint32_t code);

#endif
