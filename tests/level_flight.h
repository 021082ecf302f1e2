// SPDX-License-Identifier: MIT
// The plan of a level, flown in the block world: bodies thrust along free ways, take exactly the
// time of the oracle's unhurried player, press where the game lets them, and fly through doorways
// as the leaf leaves room.
#ifndef OCTANT_TESTS_LEVEL_FLIGHT_H
#define OCTANT_TESTS_LEVEL_FLIGHT_H

#include "level_oracle.h"

#include "octant/generate_level.h"

// Fails the test where a step of the plan is not possible. Returns how many seconds it took.
double level_fly_plan(const oct_world *world, const level_scene *scene,
                      const oct_level_truth *truth);

#endif
