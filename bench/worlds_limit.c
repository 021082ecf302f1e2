// SPDX-License-Identifier: MIT
// A search from cell to cell that has no end in sight is ended by its memory: it grows as long as
// the search does, and after a while there is no more of it.
#include "bench/worlds_internal.h"

#define LIMIT_S 20.0
#define LIMIT_BYTES ((size_t)4 << 30)

static void *limited_alloc(void *ctx, size_t size, size_t align)
{
    worlds_limit *const limit = ctx;
    const oct_allocator memory = oct_allocator_default();
    if (limit->until > 0.0 &&
        (oct_bench_now_s() > limit->until || limit->held + size > LIMIT_BYTES)) {
        limit->is_over = true;
        return NULL;
    }
    void *const block = memory.alloc(memory.ctx, size, align);
    limit->held += block ? size : 0;
    return block;
}

static void limited_free(void *ctx, void *block, size_t size)
{
    worlds_limit *const limit = ctx;
    const oct_allocator memory = oct_allocator_default();
    limit->held -= size;
    memory.free(memory.ctx, block, size);
}

oct_allocator oct_worlds_allocator(worlds_limit *limit)
{
    return (oct_allocator){limited_alloc, limited_free, limit};
}

void oct_worlds_limit(worlds_limit *limit, bool is_on)
{
    limit->until = is_on ? oct_bench_now_s() + LIMIT_S : 0.0;
}
