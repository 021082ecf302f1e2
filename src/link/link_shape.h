// SPDX-License-Identifier: MIT
// Shapes on the wire: box, obb, hull, boxes, and triangles (`v`, `t`).
#ifndef OCTANT_LINK_SHAPE_H
#define OCTANT_LINK_SHAPE_H

#include "link/link_read.h"
#include "link/link_write.h"

// Points and triangles of all that one line tells.
#define LINK_POINTS_MAX ((size_t)1 << 24)

// The upright box of a piece whose kind and numbers are set; of its points there is at least one.
oct_bounds oct_link_piece_box(const oct_piece *piece);
// The box that holds both.
oct_bounds oct_link_join_boxes(oct_bounds a, oct_bounds b);

// Reads the shape of an object: what it fills, its upright box, and whether it is told. A single
// `box` is a shape without pieces, unless `always_pieces`.
oct_result oct_link_read_shape(link_reader *in, const json_t *object, bool always_pieces,
                               oct_shape *shape, oct_bounds *box, bool *found);
// A box that may also be told as an obb: its upright box.
oct_result oct_link_read_gap(link_reader *in, const json_t *object, oct_bounds *gap, bool *found);

// Writes it, into an object that is open. `before`: in a difference, the shape that was told last,
// which is taken back where it was of another kind; else NULL.
void oct_link_write_shape(link_writer *w, const oct_shape *shape, const oct_bounds *box,
                          const oct_shape *before);

bool oct_link_same_shape(const oct_shape *a, const oct_shape *b);

// Whether numbers are the same to the bit: 0 and -0 are not.
bool oct_link_same_numbers(const double *a, const double *b, size_t count);
bool oct_link_same_points(const oct_point *a, const oct_point *b, size_t count);
bool oct_link_same_box(const oct_bounds *a, const oct_bounds *b);

#endif
