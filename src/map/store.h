// SPDX-License-Identifier: MIT
// What holds the cells of a map: one interface, three structures behind it.
//
// A store keeps two facts underneath (observed, static geometry) and shows labels with the things
// on top. It does not keep things: it is told when one comes, goes or changes, and looks up the
// others that cover the same cells in the index. While it is told, the index holds all things but
// that one.
//
// Every edit either happens whole or fails with nothing changed, and leaves one change in the
// journal if it changed any cell's label (and may leave one if it only changed facts).
#ifndef OCTANT_STORE_H
#define OCTANT_STORE_H

#include "map/things.h"
#include "octree/growth.h"
#include "octree/journal.h"
#include "octree/region.h"

typedef struct store_ops {
    void (*destroy)(void *store);

    // Marks the facts underneath. Ranges were checked.
    oct_result (*mark)(void *store, const thing_index *others, const region *cells, oct_mark mark);

    // A thing that covered `was` covers `now` instead; either may be NULL: it comes, or it goes.
    oct_result (*cover)(void *store, const thing_index *others, const thing_cover *was,
                        const thing_cover *now);

    // The questions of oct_map.
    oct_label (*label)(const void *store, oct_vec cell);
    oct_leaf (*leaf)(const void *store, oct_vec cell);
    oct_labels (*labels_in)(const void *store, oct_box box);
    oct_result (*count)(const void *store, oct_box box, uint64_t counts[3]);
    oct_box (*extent)(const void *store, oct_labels labels);
    bool (*leaves)(const void *store, oct_box box, oct_labels labels, oct_leaf_fn *visit,
                   void *ctx);
    size_t (*neighbours)(const void *store, oct_leaf leaf, uint32_t directions, oct_labels labels,
                         oct_leaf *out, size_t capacity);

    journal *(*journal)(void *store);
    size_t (*bytes)(const void *store);
    oct_result (*shrink)(void *store);
    bool (*is_valid)(const void *store, const thing_index *things);
} store_ops;

// Creates an empty store; the definition was checked. The meter is borrowed.
typedef oct_result store_create(const oct_map_def *def, const oct_allocator *allocator,
                                growth_meter *meter, void **store);

extern const store_ops oct_store_octree_ops, oct_store_grid_ops, oct_store_set_ops;

store_create oct_store_octree_create, oct_store_grid_create, oct_store_set_create;

// The tree of an octree store.
const oct_tree *oct_store_octree_tree(const void *store);

#endif
