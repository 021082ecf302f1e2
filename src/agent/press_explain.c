// SPDX-License-Identifier: MIT
// Why the press planner finds nothing that helps.
#include "agent/press_planner_internal.h"

#include <stdio.h>

static uint64_t doors_now(const press_planner *w)
{
    uint64_t open, unsure;
    oct_press_foresee(w, 0, &open, &unsure);
    return open;
}

// Whether a place of the aim lies in the dark, or borders on it.
static bool is_target_vague(const press_planner *w)
{
    const room *const all = w->rooms.rooms.items;
    for (size_t i = 0; i < w->aim->stand_count; i++) {
        const uint32_t there = oct_room_graph_of(&w->rooms, 1 + i);
        if (there == ROOM_NONE || all[there].has_frontier) {
            return true;
        }
        for (size_t j = 0; j < w->rooms.passages.count; j++) {
            if (press_passages(w)[j].a == there && press_passages(w)[j].b == ROOM_NONE) {
                return true;
            }
        }
    }
    return false;
}

// Whether the target can be reached with these doors open, or a door into the dark, which may lead
// there. Their reach must be set.
static bool may_reach_target(const press_planner *w, uint64_t open)
{
    if (oct_press_reaches_target(w)) {
        return true;
    }
    for (size_t i = 0; is_target_vague(w) && i < w->rooms.passages.count; i++) {
        const passage p = press_passages(w)[i];
        if (p.b == ROOM_NONE && w->reach[p.a] && open & press_bit(p.door)) {
            return true;
        }
    }
    return false;
}

// Doors that one would have to pass, of which something can be said; at most a few are named.
static uint64_t sealing_doors(press_planner *w, bool *is_walled)
{
    const uint64_t open = doors_now(w);
    // Doors are opened one after the other, nearest first, until the target can be reached; then
    // those that were not needed are shut again.
    uint64_t all = open;
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        all |= press_bit(i);
    }
    (void)oct_press_reach(w, w->body, all);
    *is_walled = !may_reach_target(w, all);
    if (*is_walled) {
        return 0;
    }
    uint64_t needed = all;
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        const uint64_t fewer = (needed & ~press_bit(i)) | open;
        (void)oct_press_reach(w, w->body, fewer);
        needed = may_reach_target(w, fewer) ? needed & ~press_bit(i) : needed;
    }
    return needed & ~open;
}

static void list_doors(const press_planner *w, uint64_t doors, press_answer *out)
{
    for (uint32_t i = 0; i < w->rooms.doors.count && out->door_count < PRESS_DOORS_MAX; i++) {
        if (doors & press_bit(i)) {
            out->doors[out->door_count++] = press_entity(w, i);
        }
    }
}

// Whether there is a way, or may be one through what is not known, now or after presses.
// Who has found none within bounds has not looked for it beyond.
static bool may_lead_outside(press_planner *w)
{
    const room *const all = w->rooms.rooms.items;
    for (size_t i = 0; i < w->aim->stand_count && w->a->is_bounded; i++) {
        const uint32_t whole = oct_room_graph_whole(&w->rooms, w->aim->stands[i]);
        const size_t states = w->aim->presses ? w->states.count : 1;
        for (size_t j = 0; whole > 0 && j < states; j++) {
            const press_state *const s = press_state_at(w, j);
            (void)oct_press_reach(w, s->home, s->open);
            for (size_t k = 0; k < oct_room_graph_count(&w->rooms); k++) {
                if (w->reach[k] && all[k].whole == whole) {
                    return true;
                }
            }
        }
    }
    return false;
}

void oct_press_explain(press_planner *w, press_answer *out)
{
    bool is_walled;
    const press_aim *const aim = w->aim;
    out->step = PRESS_STEP_NOTHING;
    out->why[0] = '\0';
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        uint32_t index;
        const bool is_odd = oct_press_link_of(w, i, &index) && oct_links_buttons(w->links) > 0 &&
                            oct_links_get(w->links, 0, index) == OCT_LINK_ODD;
        out->is_undecided = out->is_undecided || is_odd;
    }
    out->is_undecided = out->is_undecided || w->states.count >= PRESS_STATES_MAX ||
                        w->rooms.doors.count > PRESS_DOORS_THOUGHT;
    if (aim->stand_count == 0) {
        return; // the caller knows better
    }
    if (may_lead_outside(w)) {
        out->is_undecided = true;
        (void)snprintf(out->why, sizeof out->why,
                       "%s is not reachable within the bounds: a way may lead beyond them",
                       aim->what);
        return;
    }
    const uint64_t doors = sealing_doors(w, &is_walled);
    if (is_walled || doors == 0) {
        out->is_vague = is_target_vague(w);
        (void)snprintf(out->why, sizeof out->why,
                       "%s is not reachable: walled in, no door leads there", aim->what);
    } else {
        list_doors(w, doors, out);
    }
}
