// SPDX-License-Identifier: MIT
// Surfaces in JSON, {vertices, indices} or {vertices, faces}, and what stands on them.
#ifndef OCTANT_SURFACE_FILE_H
#define OCTANT_SURFACE_FILE_H

#include "base/base_internal.h"
#include "octant/surface_graph.h"

struct json_t;

// Parses JSON; *root is to be given back.
oct_result oct_surface_parse_json(const void *data, size_t size, struct json_t **root,
                                  oct_error *error);

// As oct_surface_read_obj.
oct_result oct_surface_read_json(const void *data, size_t size, const oct_surface_def *def,
                                 oct_surface **out, oct_error *error);

// Obstacles and hazards: {"shapes": [{"outline": [[x, y, z], ...], "low", "high", and where they
// are not 0 or "blocks": "padding", "effect", "metre_price", "entry_price"}, ...]}.
typedef struct surface_shapes {
    oct_array shapes; // of oct_surface_shape, which point into the next one
    oct_array points; // of oct_point
} surface_shapes;

// All but what oct_surface_graph_add checks. To be freed in any case; all zero is empty.
oct_result oct_surface_read_shapes(const void *data, size_t size, const oct_allocator *allocator,
                                   surface_shapes *out, oct_error *error);
oct_result oct_surface_load_shapes(const char *path, const oct_allocator *allocator,
                                   surface_shapes *out, oct_error *error);
void oct_surface_free_shapes(surface_shapes *shapes, const oct_allocator *allocator);

#endif
