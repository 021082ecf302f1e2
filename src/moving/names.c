// SPDX-License-Identifier: MIT
// Words for the values of enumerations.
#include "octant/names.h"

#include "base/platform.h"

#include <stddef.h>

const char *oct_path_status_name(oct_path_status status)
{
    static const char *const names[OCT_PATH_COUNT] = {"found", "none",      "partial", "budget",
                                                      "stale", "undecided", "running"};
    return (uint32_t)status < OCT_PATH_COUNT ? names[status] : NULL;
}

const char *oct_grade_name(oct_grade grade)
{
    static const char *const names[OCT_GRADE_COUNT] = {"best", "fast"};
    return (uint32_t)grade < OCT_GRADE_COUNT ? names[grade] : NULL;
}

const char *oct_strategy_name(oct_strategy strategy)
{
    static const char *const names[OCT_STRATEGY_COUNT] = {"nearest", "gain", "random", "depth",
                                                          "user"};
    return (uint32_t)strategy < OCT_STRATEGY_COUNT ? names[strategy] : NULL;
}

const char *oct_explore_status_name(oct_explore_status status)
{
    static const char *const names[OCT_EXPLORE_STATUS_COUNT] = {
        "go", "arrive", "explored", "bounded", "unreachable", "ended"};
    return (uint32_t)status < OCT_EXPLORE_STATUS_COUNT ? names[status] : NULL;
}

const char *oct_explore_why_name(oct_explore_why why)
{
    static const char *const names[OCT_WHY_COUNT] = {
        [OCT_WHY_NOTHING] = "nothing left",    [OCT_WHY_IN_SIGHT] = "in sight, none nearer",
        [OCT_WHY_SHORTEST] = "shortest path",  [OCT_WHY_GAIN] = "most gain a metre",
        [OCT_WHY_DRAWN] = "drawn at random",   [OCT_WHY_DEEPEST] = "left over here",
        [OCT_WHY_BACK] = "left over before",   [OCT_WHY_CHOSEN] = "chosen by the caller",
        [OCT_WHY_ON_WAY] = "on the way there", [OCT_WHY_WAY_KNOWN] = "the way is known"};
    return (uint32_t)why < OCT_WHY_COUNT ? names[why] : NULL;
}

const char *oct_unit_status_name(oct_unit_status status)
{
    static const char *const names[OCT_UNIT_STATUS_COUNT] = {"idle", "waiting", "moving", "arrived",
                                                             "lost"};
    return (uint32_t)status < OCT_UNIT_STATUS_COUNT ? names[status] : NULL;
}
