// SPDX-License-Identifier: MIT
// Measures how what holds a map's cells becomes larger. One belongs to a map; a tree that stands
// alone has none.
#ifndef OCTANT_GROWTH_H
#define OCTANT_GROWTH_H

#include "octant/tree.h"

typedef struct growth_meter {
    oct_clock_fn *clock; // may be NULL
    void *ctx;
    oct_growth sum;
} growth_meter;

static inline uint64_t meter_begin(const growth_meter *may_be_null)
{
    const growth_meter *const m = may_be_null;
    return m && m->clock ? m->clock(m->ctx) : 0;
}

// Notes a growth that has come about since then.
static inline void meter_end(growth_meter *may_be_null, uint64_t begun)
{
    growth_meter *const m = may_be_null;
    if (m) {
        m->sum.count++;
        m->sum.time += meter_begin(m) - begun;
    }
}

#endif
