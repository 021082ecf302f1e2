// SPDX-License-Identifier: MIT
/// \file
/// liboctant_lab: algorithms and graphs to compare with, flat maps, generators, scenarios,
/// the checker of proofs.
#ifndef OCTANT_LAB_H
#define OCTANT_LAB_H

#include "octant/distances.h"
#include "octant/generate.h"
#include "octant/generate_level.h"
#include "octant/generate_puzzle.h"
#include "octant/generate_recruits.h"
#include "octant/generate_world.h"
#include "octant/lab_search.h"
#include "octant/proof_check.h"
#include "octant/scenario.h"

#endif
