// SPDX-License-Identifier: MIT
// A store that cannot be wrong: two facts for every cell of a small region, a list of things, and
// labels worked out anew from both after every edit. Edits go to it and to a real store.
#ifndef OCTANT_TESTS_STORE_MODEL_H
#define OCTANT_TESTS_STORE_MODEL_H

#include "map/store.h"
#include "support.h"

#define STORE_EDGE_3D 26
#define STORE_EDGE_2D 100
#define STORE_CELLS (STORE_EDGE_3D * STORE_EDGE_3D * STORE_EDGE_3D)
#define STORE_THINGS 24

typedef struct store_kind {
    const char *name;
    const store_ops *ops;
    store_create *create;
} store_kind;

extern const store_kind store_kinds[2];

// Where regions begin: sign changes, chunk edges and the ends of the lattice are near.
extern const oct_vec store_bases[4];

extern const oct_box store_everywhere;

typedef struct model_thing {
    uint32_t slot; // in the index; 0 = none
    oct_box box;
    oct_label label;
} model_thing;

// What is known of every cell, x fastest.
typedef struct store_model {
    int dims;
    int edge;                   // of the region
    oct_vec base;               // its smallest cell
    uint8_t facts[STORE_CELLS]; // bit 0 observed, bit 1 static
    model_thing things[STORE_THINGS];
    uint8_t labels[STORE_CELLS]; // worked out
} store_model;

// Both together.
typedef struct store_pair {
    const store_ops *ops;
    void *store;
    thing_index index;
    store_model model;
} store_pair;

typedef enum step_kind { STEP_MARK, STEP_ADD, STEP_REMOVE, STEP_MOVE, STEP_RELABEL } step_kind;

// One edit.
typedef struct store_step {
    step_kind kind;
    oct_mark mark;
    region cells;
    bit_grid bits;
    uint64_t words[STORE_CELLS / 8];
    uint32_t thing; // in the model
    oct_box box;
    oct_label label;
} store_step;

// The index is not asked to fail: its memory is the C library's.
oct_result pair_create(store_pair *pair, const store_kind *kind, int dims, oct_vec base,
                       const oct_allocator *allocator);
void pair_destroy(store_pair *pair);

// An edit of any kind within the region. A step must not be copied.
void step_random(const store_pair *pair, oct_random *random, store_step *step);

// Makes an edit on both; on failure on neither.
oct_result pair_apply(store_pair *pair, const store_step *step);

// How many cells the region has.
int model_cells(const store_model *model);
// The cell at an index of the arrays, and back; -1 outside the region.
oct_vec model_cell(const store_model *model, int at);
int model_at(const store_model *model, oct_vec cell);
oct_label model_label_at(const store_model *model, oct_vec cell);

oct_box model_box(const store_model *model, oct_random *random);

// Runs a body for both structures at both dimensions, with every seed from `first` on.
typedef void pair_body(store_pair *pair, oct_random *random);
void store_for_each(uint64_t first, uint64_t seeds, pair_body *body);

// Fails the test unless the store is valid and has the model's labels, in the region and around.
void pair_check(const store_pair *pair);

#endif
