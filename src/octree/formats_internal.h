// SPDX-License-Identifier: MIT
// What the formats share: the table's signatures, and checks of sizes.
#ifndef OCTANT_FORMATS_INTERNAL_H
#define OCTANT_FORMATS_INTERNAL_H

#include "base/sink.h"
#include "base/text.h"
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/octree_internal.h"

// The longest edge that a text format may declare, cells.
#define TEXT_EDGE_MAX (UINT32_C(1) << 20)

// Readers start from *info as the default made it. On failure they may leave a half-built *tree
// behind (or NULL) and an error without message: oct_tree_read tidies up both.
typedef oct_result read_map_fn(input in, const oct_tree_def *def, oct_tree **tree,
                               oct_tree_info *info, oct_error *error);

// Writers are called with a tree of the format's dimensions. They refuse before the first byte.
typedef oct_result write_map_fn(const oct_tree *tree, const oct_tree_info *info, sink *out,
                                oct_error *error);

read_map_fn oct_read_3dmap, oct_read_map, oct_read_bt, oct_read_tree;
write_map_fn oct_write_3dmap, oct_write_map, oct_write_bt, oct_write_tree;

// ---- bytes that come in pieces ----

// Gives the next piece: what is left of the last one, which is *here, and behind it at least one
// new byte, unless there are none. The bytes are the giver's until the next call.
typedef oct_result more_bytes_fn(void *ctx, input *here, oct_error *error);

// oct_tree_read of OCT_FORMAT_TREE. So what is refused early is never there as a whole, and memory
// is taken for the tree alone.
oct_result oct_tree_read_pieces(more_bytes_fn *more, void *ctx, const oct_tree_def *def,
                                oct_tree **tree, oct_tree_info *info, oct_error *error);

// Reads a tree from what is there and what comes; `more` may be NULL.
oct_result oct_read_tree_pieces(input here, more_bytes_fn *more, void *ctx, const oct_tree_def *def,
                                oct_tree **tree, oct_tree_info *info, oct_error *error);

// ---- sizes in text formats ----

// Reads a line `word N` with 1 <= N <= TEXT_EDGE_MAX.
oct_result oct_text_edge_line(text *in, const char *word, uint32_t *out, oct_error *error);

// Reads blanks and an edge, 1 <= N <= TEXT_EDGE_MAX.
oct_result oct_text_edge(text *in, uint32_t *out, oct_error *error);

// ---- shared checks ----

// For the text formats: the box must be in the lattice, not empty, with no edge above
// TEXT_EDGE_MAX, and hold no UNKNOWN cell.
oct_result oct_check_text_box(const oct_tree *tree, oct_box box, oct_error *error);

#endif
