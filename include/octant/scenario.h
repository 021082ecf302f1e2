// SPDX-License-Identifier: MIT
/// \file
/// Scenarios: the queries that public benchmarks ask of a map, with the lengths they expect.
///
/// Both of Moving AI's text formats are read. At three dimensions (`.3dscen`) a line `version 1`,
/// the map's name, then lines `SX SY SZ GX GY GZ LENGTH RATIO`. At two (`.scen`) a line `version 1`
/// (or 1.0), then lines `BUCKET MAP WIDTH HEIGHT SX SY GX GY LENGTH`, all of one map.
/// Threading: a scenario never changes; anyone may read it.
#ifndef OCTANT_SCENARIO_H
#define OCTANT_SCENARIO_H

#include "octant/geom.h"

typedef struct oct_scenario oct_scenario;

/// One query.
typedef struct oct_scenario_query {
    oct_vec from, to; ///< cells, from 0 on, or their smallest corners, which may lie on the map's
                      ///< far sides; z is 0 at two dimensions
    double length;    ///< that the file states, cells; not negative. Of what path is the file's own
                      ///< business: mostly the shortest one from cell to neighbouring cell
    uint32_t bucket;  ///< how the file groups queries; 0 at three dimensions
    uint32_t line;    ///< of the file, from 1 on
} oct_scenario_query;

/// Makes a scenario of 2 or 3 dimensions from bytes, which are not needed any more after. The
/// allocator is copied, NULL = malloc. On failure *out is NULL and *error (may be NULL) says where
/// and why. RATIO is checked to be a number, and dropped: it follows from the rest.
OCT_API oct_result oct_scenario_read(uint32_t dims, const void *data, size_t size,
                                     const oct_allocator *allocator, oct_scenario **out,
                                     oct_error *error);

/// Frees a scenario; NULL is allowed.
OCT_API void oct_scenario_destroy(oct_scenario *scenario);

/// The map's cells along x and y; false, and nothing written, where the file does not say (always
/// at three dimensions). Starts and goals lie within.
OCT_API bool oct_scenario_size(const oct_scenario *scenario, uint32_t *width, uint32_t *height);

OCT_API size_t oct_scenario_count(const oct_scenario *scenario);

/// A query by its place in the file, from 0 on; it must be there.
OCT_API oct_scenario_query oct_scenario_get(const oct_scenario *scenario, size_t index);

#endif
