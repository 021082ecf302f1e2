// SPDX-License-Identifier: MIT
// What a scenario file says beside its queries.
#ifndef OCTANT_VERIFY_SCENARIO_H
#define OCTANT_VERIFY_SCENARIO_H

#include "octant/scenario.h"

uint32_t oct_scenario_dims(const oct_scenario *scenario);

// The map's name as the file spells it, often with folders; "" where a file has no queries.
const char *oct_scenario_map(const oct_scenario *scenario);

#endif
