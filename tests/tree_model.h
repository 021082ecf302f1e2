// SPDX-License-Identifier: MIT
// A map that cannot be wrong: one byte for every cell of a small region, and loops over all of
// them.
#ifndef OCTANT_TESTS_TREE_MODEL_H
#define OCTANT_TESTS_TREE_MODEL_H

#include "base/base_internal.h"
#include "octant/tree.h"
#include "support.h"

#define MODEL_EDGE 24

typedef struct tree_model {
    int dims;
    oct_vec base; // the region's smallest cell; everything beyond the region is UNKNOWN
    uint8_t states[MODEL_EDGE][MODEL_EDGE][MODEL_EDGE]; // [z][y][x]; bit 0 observed, bit 1 blocked
} tree_model;

// A tree with the default definition but for these.
oct_tree *model_new_tree(int dims, const oct_allocator *allocator);

void model_init(tree_model *model, int dims, oct_vec base);

// Cells of the region along z: one at two dimensions.
int model_depth(const tree_model *model);

oct_label model_label(const tree_model *model, oct_vec cell);

// What a mark makes of a cell's facts: bit 0 observed, bit 1 blocked.
uint8_t model_marked(uint8_t facts, oct_mark mark);

// The same edits as the tree's. Cells beyond the region are left out.
void model_set_box(tree_model *model, oct_box box, oct_mark mark);
void model_set_ball(tree_model *model, oct_point centre, double radius, oct_cover cover,
                    oct_mark mark);
void model_keep(tree_model *model, oct_point centre, double radius);

// Fails the test unless the tree is valid and agrees in every cell, and around the region.
void model_check(const tree_model *model, const oct_tree *tree);

// One random edit, with the same effect on both; every kind of edit occurs.
void model_random_edit(tree_model *model, oct_tree *tree, oct_random *random);

// A box inside the region.
oct_box model_random_box(const tree_model *model, oct_random *random);

// A cell in the region or a little outside it.
oct_vec model_random_cell(const tree_model *model, oct_random *random);

#endif
