// SPDX-License-Identifier: MIT
#include "lab_query.h"

#include "support.h"

#define PARTS_MAX 4096

oct_lab_query lab_of(const oct_query *query)
{
    return query->lab ? *query->lab : oct_lab_query_default();
}

static bool parts_equal(const oct_lab_query *a, const oct_lab_query *b)
{
    return a->algorithm == b->algorithm && a->graph == b->graph && a->heuristic == b->heuristic &&
           a->neighbours == b->neighbours && a->squeeze == b->squeeze &&
           a->distances == b->distances && a->cookie == b->cookie;
}

void set_lab(oct_query *query, const oct_lab_query *lab)
{
    static oct_lab_query parts[PARTS_MAX];
    static size_t count;
    size_t i = 0;
    while (i < count && !parts_equal(&parts[i], lab)) {
        i++;
    }
    assert_true(i < PARTS_MAX);
    if (i == count) {
        parts[count++] = *lab;
    }
    query->lab = &parts[i];
}
