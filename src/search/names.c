// SPDX-License-Identifier: MIT
// The words for statuses and grades. What reads or writes only them needs no search.
#include "octant/search.h"

#include <stddef.h>

const char *oct_status_name(oct_status status)
{
    static const char *const names[OCT_STATUS_COUNT] = {"found", "none",      "partial", "budget",
                                                        "stale", "undecided", "running"};
    return (uint32_t)status < OCT_STATUS_COUNT ? names[status] : NULL;
}

const char *oct_grade_name(oct_grade grade)
{
    static const char *const names[OCT_GRADE_COUNT] = {"best", "fast"};
    return (uint32_t)grade < OCT_GRADE_COUNT ? names[grade] : NULL;
}
