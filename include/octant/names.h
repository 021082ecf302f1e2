// SPDX-License-Identifier: MIT
/// \file
/// Words for the values of enumerations, for logs and reports.
#ifndef OCTANT_NAMES_H
#define OCTANT_NAMES_H

#include "octant/crowd.h"
#include "octant/explore.h"

/// "found", "none", ...; NULL beyond.
OCT_API const char *oct_path_status_name(oct_path_status status);

/// "best", "fast"; NULL beyond.
OCT_API const char *oct_grade_name(oct_grade grade);

/// "nearest", "gain", "random", "depth", "user"; NULL beyond.
OCT_API const char *oct_strategy_name(oct_strategy strategy);

/// "go", "arrive", "explored", "bounded", "unreachable", "ended"; NULL beyond.
OCT_API const char *oct_explore_status_name(oct_explore_status status);

/// A few words: "in sight", "shortest path", ...; NULL beyond.
OCT_API const char *oct_explore_why_name(oct_explore_why why);

/// "idle", "waiting", "moving", "arrived", "lost"; NULL beyond.
OCT_API const char *oct_unit_status_name(oct_unit_status status);

#endif
