// SPDX-License-Identifier: MIT
// The waypoints of all units, in lists of one pool: once it is as large as a crowd needs, paths of
// any length come and go without memory being asked for.
#include "moving/crowd_internal.h"

oct_result oct_waypoints_reserve(waypoint_pool *pool, const oct_allocator *allocator, size_t more)
{
    if (pool->items.count == 0) {
        const waypoint none = {.next = 0};
        OCT_TRY(oct_array_push(&pool->items, allocator, sizeof(waypoint), &none));
    }
    const size_t fresh = more > pool->free_count ? more - pool->free_count : 0;
    const size_t needed = pool->items.count + fresh;
    if (needed > UINT32_MAX) {
        return OCT_ERROR_RANGE;
    }
    if (needed <= pool->items.capacity) {
        return OCT_OK;
    }
    const size_t roomy = pool->items.capacity + pool->items.capacity / 2;
    return oct_array_reserve(&pool->items, allocator, sizeof(waypoint),
                             needed > roomy ? needed : roomy);
}

uint32_t oct_waypoints_make(waypoint_pool *pool, const oct_fine *points, size_t count,
                            uint32_t rest)
{
    waypoint *const items = pool->items.items;
    uint32_t next = rest;
    for (size_t i = count; i-- > 0;) {
        uint32_t at = pool->free_first;
        if (at) {
            pool->free_first = items[at].next;
            pool->free_count--;
        } else {
            OCT_ASSERT(pool->items.count < pool->items.capacity);
            at = (uint32_t)pool->items.count++;
        }
        items[at] = (waypoint){.at = points[i], .next = next};
        next = at;
    }
    return next;
}

void oct_waypoints_give(waypoint_pool *pool, uint32_t first, uint32_t end)
{
    waypoint *const items = pool->items.items;
    while (first != end) {
        const uint32_t next = items[first].next;
        items[first].next = pool->free_first;
        pool->free_first = first;
        pool->free_count++;
        first = next;
    }
}
