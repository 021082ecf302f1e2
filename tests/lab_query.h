// SPDX-License-Identifier: MIT
// A query's part of the laboratory by value: equal parts share a copy that lives as long as the
// test, so that queries can be copied and kept as one likes.
#ifndef OCTANT_TESTS_LAB_QUERY_H
#define OCTANT_TESTS_LAB_QUERY_H

#include "octant/lab.h"

// The part that a query has; the default where it has none.
oct_lab_query lab_of(const oct_query *query);

// Not to be called by several threads at once.
void set_lab(oct_query *query, const oct_lab_query *lab);

// Sets one field of a query's part.
#define LAB_SET(query, field, value)                                                               \
    do {                                                                                           \
        oct_lab_query lab_part = lab_of(query);                                                    \
        lab_part.field = (value);                                                                  \
        set_lab(query, &lab_part);                                                                 \
    } while (0)

#endif
