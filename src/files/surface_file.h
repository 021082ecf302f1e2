// SPDX-License-Identifier: MIT
// Surfaces in JSON: {vertices, indices} or {vertices, faces}.
#ifndef OCTANT_SURFACE_FILE_H
#define OCTANT_SURFACE_FILE_H

#include "octant/surface.h"

// As oct_surface_read_obj.
oct_result oct_surface_read_json(const void *data, size_t size, const oct_surface_def *def,
                                 oct_surface **out, oct_error *error);

#endif
