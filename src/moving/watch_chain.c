// SPDX-License-Identifier: MIT
// A path while it is made: points, and in which of the places that a point may be they are met.
//
// Where blocked cells meet at a point it is several places, and a path that arrives in one cannot
// leave from another. So a chain of points is followed by all places at once, and then backwards,
// which leaves one place for each.
#include "moving/watch_internal.h"

OCT_FORCE_INLINE oct_fine *chain_of(const oct_watch *w)
{
    return w->chain.items;
}

oct_result oct_chain_follow(oct_watch *w, size_t known, uint32_t from, uint32_t to, size_t *legs,
                            bool *is_free)
{
    const size_t last = w->chain.count - 1;
    w->reached.count = known > 0 ? known + 1 : 0; // what growing keeps
    OCT_TRY(oct_array_reserve(&w->reached, &w->allocator, sizeof(uint32_t), w->chain.count));
    const oct_fine *const chain = chain_of(w);
    uint32_t *const reached = w->reached.items;
    reached[0] = from;
    reached[known] &= known == last ? to : UINT32_MAX;
    size_t i = known;
    while (i < last && reached[i]) {
        i++;
        reached[i] = oct_watch_arrive(&w->map, chain[i - 1], reached[i - 1], chain[i]);
        reached[i] &= i == last ? to : UINT32_MAX;
    }
    *is_free = reached[i] != 0;
    *legs = *is_free || i == known ? i : i - 1;
    return OCT_OK;
}

size_t oct_chain_tail(const oct_watch *w, size_t after, uint32_t to)
{
    const oct_fine *const chain = chain_of(w);
    size_t at = w->chain.count - 1;
    for (uint32_t octants = to; at > after + 1; at--) {
        octants = oct_watch_arrive(&w->map, chain[at], octants, chain[at - 1]);
        if (!octants) {
            break;
        }
    }
    return at;
}

oct_result oct_chain_splice(oct_watch *w, size_t from, size_t to, const oct_fine *points,
                            size_t count)
{
    const size_t behind = w->chain.count - to, total = from + 1 + count + behind;
    if (total > w->chain.capacity) {
        OCT_TRY(oct_array_reserve(&w->chain, &w->allocator, sizeof(oct_fine), total + total / 2));
    }
    oct_fine *const chain = chain_of(w);
    memmove(chain + from + 1 + count, chain + to, behind * sizeof *chain);
    for (size_t i = 0; i < count; i++) {
        chain[from + 1 + i] = points[i];
        chain[from + 1 + i].z = w->map.dims == 2 ? FLAT_Z : points[i].z;
    }
    w->chain.count = total;
    return OCT_OK;
}

// Of the places in which a point is reached, the one that the next is seen from.
static spot place_before(const view *v, oct_fine at, uint32_t reached, const spot *next)
{
    for (uint32_t left = reached;;) {
        const spot place = {at, view_joined(v, left & (0u - left), reached)};
        left &= ~place.octants;
        if (!left || oct_view_sees(v, &place, next)) {
            return place;
        }
    }
}

oct_result oct_chain_pull(oct_watch *w)
{
    const size_t count = w->chain.count;
    OCT_TRY(oct_array_reserve(&w->places, &w->allocator, sizeof(spot), count));
    spot *const places = w->places.items;
    const uint32_t *const reached = w->reached.items;
    const oct_fine *const chain = chain_of(w);
    places[count - 1] = (spot){chain[count - 1], reached[count - 1]};
    for (size_t i = count - 1; i > 0; i--) {
        places[i - 1] = place_before(&w->map, chain[i - 1], reached[i - 1], &places[i]);
    }
    w->places.count = count;
    OCT_TRY(oct_taut_pull(&w->taut, &w->map, &w->places));
    OCT_TRY(oct_array_reserve(&w->chain, &w->allocator, sizeof(oct_fine), w->places.count));
    for (size_t i = 0; i < w->places.count; i++) {
        chain_of(w)[i] = ((const spot *)w->places.items)[i].at;
    }
    w->chain.count = w->places.count;
    return OCT_OK;
}

double oct_chain_cost(const view *v, const oct_fine *points, size_t count)
{
    double cost = 0.0;
    for (size_t i = 1; i < count; i++) {
        cost += v->is_priced ? oct_view_price(v, points[i - 1], points[i])
                             : oct_fine_distance(points[i - 1], points[i]);
    }
    return cost;
}
