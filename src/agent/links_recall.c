// SPDX-License-Identifier: MIT
// Presses and sightings are told in the order of time. At the tick of a press doors are seen first:
// what it does has not begun.
#include "agent/links_recall.h"
#include "agent/belief_internal.h"

typedef struct recall {
    oct_links *links;
    const oct_history *history;
    size_t *told; // of doors: sightings; each run has two, its first and its last
} recall;

// The next sighting of a door in a life; NULL where there is none.
static const door_run *next_of(const recall *r, uint32_t door, uint32_t life, uint64_t *tick)
{
    const history_door *const d = (const history_door *)r->history->doors.items + door;
    const door_run *const run = (const door_run *)d->runs.items + r->told[door] / 2;
    if (r->told[door] / 2 == d->runs.count || run->life != life) {
        return NULL;
    }
    *tick = r->told[door] % 2 == 0 ? run->first : run->last;
    return run;
}

static oct_result see(const recall *r, uint32_t door, const door_run *run, uint64_t tick)
{
    const history_door *const d = (const history_door *)r->history->doors.items + door;
    const oct_entity is = {.opening = run->opening};
    const history_thing *const things = r->history->things.items;
    uint32_t index;
    OCT_TRY(oct_links_add_door(r->links, things[d->thing].told.thing.id, &index));
    // A door that somebody stands in tells nothing of presses.
    return run->is_held ? OCT_OK : oct_links_see(r->links, index, tick, oct_entity_door(&is));
}

// Tells all sightings of a life up to a tick.
static oct_result see_until(const recall *r, uint32_t life, uint64_t until)
{
    for (;;) {
        const door_run *next = NULL;
        uint64_t least = until;
        uint32_t of = 0;
        for (uint32_t d = 0; d < r->history->doors.count; d++) {
            uint64_t tick;
            const door_run *const run = next_of(r, d, life, &tick);
            if (run && (next ? tick < least : tick <= least)) {
                next = run;
                least = tick;
                of = d;
            }
        }
        if (!next) {
            return OCT_OK;
        }
        OCT_TRY(see(r, of, next, least));
        r->told[of]++;
    }
}

static oct_result tell_lives(const recall *r)
{
    const history_press *const presses = r->history->presses.items;
    size_t pressed = 0;
    for (uint32_t life = 0; life < r->history->life; life++) {
        for (; pressed < r->history->presses.count && presses[pressed].life == life; pressed++) {
            const history_press p = presses[pressed];
            uint32_t button;
            OCT_TRY(see_until(r, life, p.tick));
            OCT_TRY(oct_links_add_button(r->links, p.button, &button));
            OCT_TRY(oct_links_press(r->links, button, p.tick));
        }
        OCT_TRY(see_until(r, life, UINT64_MAX));
        OCT_TRY(oct_links_begin_life(r->links));
    }
    return OCT_OK;
}

oct_result oct_links_recall(oct_links *links, const oct_history *history)
{
    const oct_allocator *const allocator = &history->allocator;
    const size_t bytes = (history->doors.count + 1) * sizeof(size_t);
    recall r = {.links = links, .history = history};
    r.told = oct_alloc(allocator, bytes, _Alignof(size_t));
    if (!r.told) {
        return OCT_ERROR_MEMORY;
    }
    memset(r.told, 0, bytes);
    const oct_result result = tell_lives(&r);
    oct_free(allocator, r.told, bytes);
    return result;
}
