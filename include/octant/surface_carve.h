// SPDX-License-Identifier: MIT
/// \file
/// A surface without what obstacles cover, and without a margin along its borders.
/// Threading: the surface is only read.
#ifndef OCTANT_SURFACE_CARVE_H
#define OCTANT_SURFACE_CARVE_H

#include "octant/surface_graph.h"

/// Makes a new surface of what is left of one: without the places that shapes cover which block,
/// each grown by its padding, at heights between its low and high; and without those nearer than
/// `clearance` metres to a border, for a body that much larger than the one that the mesh was made
/// for. Any-angle paths on it are taut around the obstacles, and keep the way beside an obstacle
/// that covers a part of a face. Around corners a little more is taken away than a circle would
/// (8 percent of padding or clearance at most at right angles): paths for a clearance are valid,
/// and not claimed to be shortest. A face's source is the face of the old surface. The allocator
/// may be NULL. Costs time in proportion to faces times shapes and border edges, of which most are
/// passed over by their boxes.
OCT_API oct_result oct_surface_carve(const oct_surface *surface, const oct_surface_shape *shapes,
                                     uint32_t count, double clearance,
                                     const oct_allocator *allocator, oct_surface **out);

#endif
