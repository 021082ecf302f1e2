// SPDX-License-Identifier: MIT
// A limit for memory, between those who take it and where it comes from.
#include "base/base_internal.h"

static void *budget_alloc(void *ctx, size_t size, size_t align)
{
    oct_budget *const b = ctx;
    if (size > b->limit - b->used) {
        b->refused = b->refused ? b->refused : size;
        return NULL;
    }
    void *const memory = b->base.alloc(b->base.ctx, size, align);
    if (memory) {
        b->used += size;
        b->peak = b->used > b->peak ? b->used : b->peak;
    }
    return memory;
}

static void budget_free(void *ctx, void *ptr, size_t size)
{
    oct_budget *const b = ctx;
    OCT_ASSERT(size <= b->used);
    b->used -= size;
    b->base.free(b->base.ctx, ptr, size);
}

void oct_budget_init(oct_budget *budget, size_t limit, const oct_allocator *base)
{
    *budget = (oct_budget){.allocator = {budget_alloc, budget_free, budget},
                           .base = oct_allocator_or_default(base),
                           .limit = limit};
}
