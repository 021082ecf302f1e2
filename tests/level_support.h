// SPDX-License-Identifier: MIT
// Levels by class and seed, for tests.
#ifndef OCTANT_TESTS_LEVEL_SUPPORT_H
#define OCTANT_TESTS_LEVEL_SUPPORT_H

#include "support.h"

#include "octant/generate_level.h"

static inline oct_level_def def_of(oct_level_class of, uint64_t seed, bool unsolvable)
{
    oct_level_def def = oct_level_def_default();
    def.level_class = of;
    def.seed = seed;
    def.unsolvable = unsolvable;
    return def;
}

// Fails the test where there is no such level.
static inline oct_world *generate(const oct_level_def *def, oct_level_truth *truth)
{
    oct_world *world;
    const oct_result result = oct_level_generate(def, NULL, &world, truth);
    if (result != OCT_OK) {
        fail_msg("%s, seed %llu: %s", oct_level_class_name(def->level_class),
                 (unsigned long long)def->seed, oct_result_text(result));
    }
    return world;
}

#endif
