// SPDX-License-Identifier: MIT
// The words for graphs, statuses and grades. What reads or writes only them needs no search.
#include "octant/search.h"

#include <stddef.h>

const char *oct_graph_name(oct_graph graph)
{
    static const char *const names[OCT_GRAPH_COUNT] = {
        [OCT_GRAPH_CELLS] = "cells",
        [OCT_GRAPH_DUAL] = "dual",
        [OCT_GRAPH_CORNER] = "corner",
        [OCT_GRAPH_PROGRESSIVE_DUAL] = "progressive-dual",
        [OCT_GRAPH_PROGRESSIVE_CORNER] = "progressive-corner",
        [OCT_GRAPH_PORTAL] = "portal",
        [OCT_GRAPH_LATTICE] = "lattice",
        [OCT_GRAPH_VISIBILITY] = "visibility",
        [OCT_GRAPH_INTERVALS] = "intervals",
        [OCT_GRAPH_BLOCKS] = "blocks",
        [OCT_GRAPH_USER] = "user",
    };
    return (uint32_t)graph < OCT_GRAPH_COUNT ? names[graph] : NULL;
}

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
