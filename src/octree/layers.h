// SPDX-License-Identifier: MIT
// Edits of a tree that things lie on.
#ifndef OCTANT_LAYERS_H
#define OCTANT_LAYERS_H

#include "octant/tree.h"
#include "octree/edit_shapes.h"

// What happens: facts of a set of cells are marked, or a thing comes, goes or changes; not both.
typedef struct layered_edit {
    const cell_set *cells; // to be marked, or NULL
    oct_mark mark;
    const thing_cover *was, *now; // the bodies of the thing before and after
    size_t was_count, now_count;
    // Other things that cover cells of the edit. Where a thing changes and there are no statics,
    // those of `was` suffice; where cells are only observed, the UNKNOWN ones.
    const thing_cover *others;
    size_t other_count;
    bool statics; // there may be static geometry; else BLOCKED cells are BLOCKED by things alone
} layered_edit;

// Does it, as one change. `scratch` (of bytes) keeps memory for the next time. The ranges were
// checked.
oct_result oct_tree_edit_layers(oct_tree *tree, const layered_edit *what, oct_array *scratch);

// Room in the scratch memory for an edit with so many bodies, the changing ones counted twice.
oct_result oct_layers_reserve(const oct_tree *tree, size_t covers, oct_array *scratch);

// Whether a thing could come to these cells and go again without taking memory; they lie inside the
// root then.
bool oct_layers_has_room(const oct_tree *tree, const oct_box *cells);

#endif
