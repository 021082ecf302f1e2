// SPDX-License-Identifier: MIT
// A map of things that cannot be wrong: facts of every cell of a small region in an array, things
// in a list, labels and sight worked out anew for every question, exactly, in integers.
//
// All coordinates are multiples of 1/32 cell (MODEL_STEP), cells are half a metre, and the origin
// is a multiple of that: so the map's own arithmetic is exact as well, and both must agree to the
// last cell.
#ifndef OCTANT_TESTS_MAP_MODEL_H
#define OCTANT_TESTS_MAP_MODEL_H

#include "base/base_internal.h"
#include "octant/map.h"
#include "support.h"

#define MODEL_STEP 32 // in a cell
#define MODEL_CELLS 20
#define MODEL_THINGS 12
#define MODEL_CELL_SIZE 0.5

// A box in steps from the region's smallest corner, closed.
typedef struct step_box {
    int64_t lo[3], hi[3];
} step_box;

typedef struct model_thing {
    uint64_t id;
    step_box box;
    oct_label label;
    bool opaque;
    uint16_t tag;
} model_thing;

typedef struct map_model {
    int dims;
    oct_vec base; // the region's smallest cell
    oct_point origin;
    int64_t pad[3];                                       // steps
    uint8_t facts[MODEL_CELLS][MODEL_CELLS][MODEL_CELLS]; // [z][y][x]; bit 0 observed, bit 1 static
    model_thing things[MODEL_THINGS];
    size_t count;
} map_model;

typedef struct model_view {
    int64_t eye[3], radius; // steps
    oct_sight sight;
} model_view;

void map_model_init(map_model *model, int dims, oct_vec base, oct_random *random);

// The definition of a map that the model is of.
oct_map_def map_model_def(const map_model *model);

// Conversions to what the map is given.
oct_bounds map_model_bounds(const map_model *model, const step_box *box);
oct_thing map_model_thing(const map_model *model, const model_thing *thing);
oct_view map_model_view(const map_model *model, const model_view *view);

// The label of every cell of the region, [z][y][x].
typedef uint8_t model_labels[MODEL_CELLS][MODEL_CELLS][MODEL_CELLS];

void map_model_labels(const map_model *model, model_labels out);

// Facts of a box of cells, given from the region's corner.
void map_model_mark(map_model *model, oct_box cells, oct_mark mark);

// Index of the thing with an id, or `count`.
size_t map_model_find(const map_model *model, uint64_t id);
void map_model_remove(map_model *model, size_t index);

// What an observation of the things that there are does to the map.
oct_seen map_model_observe(map_model *model, const model_view *view, const model_thing *there,
                           size_t count);

void map_model_keep(map_model *model, const model_view *ball);

// Fails the test unless the map has these labels, knows nothing around the region, and is valid.
void map_model_check(const map_model *model, model_labels labels, const oct_map *map);

// Random things inside the region.
step_box map_model_random_box(const map_model *model, oct_random *random);
model_thing map_model_random_thing(const map_model *model, oct_random *random, uint64_t id);
model_view map_model_random_view(const map_model *model, oct_random *random);

#endif
