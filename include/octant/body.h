// SPDX-License-Identifier: MIT
/// \file
/// Bodies: what things are padded by, and how large cells may be.
///
/// Paths are for a body, not for a point. Things are grown by the body's half extents, or by its
/// radius where it may turn, and the body is then a point at its centre. The cells that share inner
/// points with a grown thing are BLOCKED.
#ifndef OCTANT_BODY_H
#define OCTANT_BODY_H

#include "octant/geom.h"

typedef enum oct_padding {
    OCT_PADDING_WHOLE, ///< the whole half extent: every path over OPEN cells is free
    OCT_PADDING_CENTRE ///< half a cell less, not below 0: only for paths through centres of cells
} oct_padding;

/// A body that keeps its orientation. One that turns has the same extent on every axis: its
/// longest, or the diameter of the ball around it.
typedef struct oct_body {
    oct_point half; ///< half extents, metres, >= 0
} oct_body;

/// The body that fits into a ball, whatever its orientation.
OCT_API oct_body oct_body_ball(double radius);

/// What a map for a body is padded by, on each axis, metres.
OCT_API oct_point oct_body_padding(oct_body body, oct_padding padding, double cell_size);

/// The largest cell, in metres, with which a straight passage of that width keeps a row of OPEN
/// cells for the body, however passage and lattice lie to each other: half of what passage and body
/// leave (CENTRE: all of it, but no more than half the passage). 0 where the body does not fit
/// through. `extent` is the body's whole extent across the passage.
OCT_API double oct_body_cell_max(double passage, double extent, oct_padding padding);

#endif
