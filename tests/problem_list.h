// SPDX-License-Identifier: MIT
// What the tests of checks share: problems as they were told, one per line.
#ifndef OCTANT_TESTS_PROBLEM_LIST_H
#define OCTANT_TESTS_PROBLEM_LIST_H

#include "support.h"

#include "octant/world_check.h"

#include <stdio.h>
#include <string.h>

typedef struct problem_list {
    char text[8192]; // "LINE SEVERITY KIND: TEXT\n" each
    size_t used, count;
} problem_list;

static inline void list_problem(void *ctx, const oct_problem *problem)
{
    problem_list *const list = ctx;
    list->count++;
    if (list->used < sizeof list->text) {
        list->used +=
            (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                             "%u %s %s: %s\n", problem->line, oct_severity_name(problem->severity),
                             oct_problem_name(problem->kind), problem->text);
    }
}

#endif
