// SPDX-License-Identifier: MIT
#ifndef OCTANT_TESTS_FRONTIER_PLAIN_H
#define OCTANT_TESTS_FRONTIER_PLAIN_H

#include "explore/frontier.h"

// Whether a frontier is valid and, if it is true of the map as it is, that of a plain scan.
bool frontier_is_right(const oct_frontier *f);

#endif
