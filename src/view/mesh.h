// SPDX-License-Identifier: MIT
// What a viewer draws of a tree: the faces of chunks that can be seen, as few rectangles as rows of
// equal faces make.
//
// A chunk is a cube of 64 x 64 x 64 parts, each of which is 2^lod cells wide. Coarse parts stand in
// for what is far away: one is painted like whatever in it is shown.
#ifndef OCTANT_VIEW_MESH_H
#define OCTANT_VIEW_MESH_H

#include "octant/tree.h"

#define VIEW_CHUNK 64 // parts along an edge
#define VIEW_PAINTS 32
#define VIEW_LOD_MAX 20

// What a leaf is painted with, below VIEW_PAINTS. Where several leaves share a part, the largest
// paint that is shown counts.
typedef uint8_t view_paint_fn(void *ctx, const oct_leaf *leaf);

typedef struct view_look {
    view_paint_fn *paint;
    void *ctx;
    uint32_t solid, faded;           // sets of paints, a bit each; a paint in neither is not drawn
    bool has_frontier;               // OPEN parts beside UNKNOWN ones get `frontier`
    uint8_t open, unknown, frontier; // those paints
    oct_box box;                     // cells beyond it are not drawn
} view_look;

typedef struct view_chunk {
    oct_vec at; // its smallest cell
    uint32_t lod;
} view_chunk;

// A rectangle of faces: `x`, `y`, `z` is its smallest part, `w` and `h` its parts along the next
// two axes (of x: y and z; of y: x and z; of z: x and y).
typedef struct view_quad {
    uint8_t x, y, z, w, h;
    uint8_t face; // 0 and 1: towards smaller and larger x; then y, z
    uint8_t paint, unused;
} view_quad;

// Memory of the mesher; one owner.
typedef struct view_mesher view_mesher;
oct_result oct_view_mesher_create(const oct_allocator *allocator, view_mesher **out);
void oct_view_mesher_destroy(view_mesher *mesher);

// Solid quads first, then the faded ones; they are the mesher's until its next chunk.
typedef struct view_quads {
    const view_quad *items;
    size_t solid, faded;
} view_quads;
oct_result oct_view_mesh(view_mesher *mesher, const oct_tree *tree, const view_look *look,
                         view_chunk chunk, view_quads *out);

// The paint of one part of the last chunk, by its place from -1 to VIEW_CHUNK: for tests.
uint8_t oct_view_part(const view_mesher *mesher, int x, int y, int z);

#endif
