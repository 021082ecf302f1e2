// SPDX-License-Identifier: MIT
// Planning presses: states are the region where one is and the presses since now, of which only the
// parity counts. From a state one gets to all regions that its doors leave open, at the price of
// fires; there one presses, or sees what is not known.
#include "link/recruits_hunt_internal.h"

#include <math.h>

#define GOAL 0x80000000u
#define PRICE 10000.0 // of a fire, in presses
#define ROOT UINT32_MAX
#define SLIP_DEPTH 30 // what a slip counts, in presses
#define SLIP_FAILURES 3

static plan_state *state_at(const recruits_hunt *h, uint32_t i)
{
    return (plan_state *)h->plan_states.items + i;
}

static bool is_pressed(const uint64_t *bits, uint32_t b)
{
    return bits[b / 64] >> (b % 64) & 1;
}

// ---- doors ----

// What is known of each pair, once for a whole plan.
static oct_result copy_links(recruits_hunt *h)
{
    const size_t count = h->buttons.count * h->doors.count;
    OCT_TRY(oct_array_reserve(&h->known, &h->allocator, 1, count + 1));
    uint8_t *const known = h->known.items;
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        for (uint32_t d = 0; d < h->doors.count; d++) {
            known[b * h->doors.count + d] = (uint8_t)oct_links_get(h->links, b, d);
        }
    }
    return OCT_OK;
}

static oct_link link_of(const recruits_hunt *h, uint32_t b, uint32_t d)
{
    return (oct_link)((const uint8_t *)h->known.items)[b * h->doors.count + d];
}

static oct_door_state flip(oct_door_state state)
{
    return state == OCT_DOOR_OPEN ? OCT_DOOR_SHUT : OCT_DOOR_OPEN;
}

static oct_door_state predict(const recruits_hunt *h, uint32_t door, const uint64_t *pressed)
{
    oct_door_state state = h->states[door];
    uint32_t list[HUNT_BUTTONS_MAX];
    size_t count = 0;
    bool is_certain = state != OCT_DOOR_UNKNOWN;
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        if (!is_pressed(pressed, b)) {
            continue;
        }
        const oct_link link = link_of(h, b, door);
        list[count++] = b;
        is_certain = is_certain && (link == OCT_LINK_YES || link == OCT_LINK_NO);
        state = is_certain && link == OCT_LINK_YES ? flip(state) : state;
    }
    return is_certain || count == 0 ? state
                                    : oct_links_predict_presses(h->links, door, list, count);
}

// ---- regions ----

// Fires on the way to each region from one; UINT32_MAX where none leads.
static oct_result spread(recruits_hunt *h, uint32_t from, const oct_door_state *states,
                         uint32_t budget, bool tries)
{
    recruits_ground *const g = &h->ground;
    const ground_joint *const joints = g->joints.items;
    const uint32_t *const firsts = g->firsts.items, *const samples = g->samples.items;
    oct_door_state doors[HUNT_DOORS_MAX];
    for (uint32_t d = 0; d < h->doors.count; d++) {
        const bool bars = states[d] != OCT_DOOR_UNKNOWN || !tries;
        doors[d] = bars ? states[d] : OCT_DOOR_MOVING;
    }
    OCT_TRY(oct_array_reserve(&h->plan_costs, &h->allocator, sizeof(uint32_t), g->regions));
    uint32_t *const costs = h->plan_costs.items;
    memset(costs, 0xff, g->regions * sizeof *costs);
    costs[from] = 0;
    g->queue.count = 0;
    OCT_TRY(oct_array_push(&g->queue, &g->allocator, sizeof from, &from));
    for (size_t n = 0; n < g->queue.count; n++) {
        const uint32_t r = ((const uint32_t *)g->queue.items)[n];
        for (uint32_t k = firsts[r]; k < firsts[r + 1]; k++) {
            const ground_joint *const j = &joints[k];
            if (!oct_recruits_ground_is_free(ground_at(g, samples[j->to]), doors)) {
                continue;
            }
            const uint32_t cost =
                costs[r] +
                oct_recruits_ground_entries(ground_at(g, samples[r]), ground_at(g, samples[j->to]));
            if (cost < costs[j->to] && cost <= budget) {
                costs[j->to] = cost;
                OCT_TRY(oct_array_push(&g->queue, &g->allocator, sizeof j->to, &j->to));
            }
        }
    }
    return OCT_OK;
}

// ---- what is worth going for ----

// The fewest fires after which something new is seen.
static uint32_t find_goal(const recruits_hunt *h, const oct_door_state *states)
{
    const uint32_t *const costs = h->plan_costs.items, *const unseen = h->unseen.items;
    const hunt_site *const sites = h->sites.items;
    uint32_t least = UINT32_MAX;
    for (uint32_t r = 0; r < h->ground.regions; r++) {
        least = unseen[r] > 0 && costs[r] < least ? costs[r] : least;
    }
    for (size_t i = 0; i < h->sites.count; i++) {
        if (states[sites[i].door] == OCT_DOOR_UNKNOWN && costs[sites[i].region] < least &&
            !hunt_has_failed(h, sites[i].door, sites[i].place)) {
            least = costs[sites[i].region];
        }
    }
    return least;
}

// A button that does nothing for certain is not pressed again.
static bool is_useless(const recruits_hunt *h, uint32_t b)
{
    bool is = h->doors.count > 0 && hunt_button_at(h, b)->presses > 0;
    for (uint32_t d = 0; d < h->doors.count && is; d++) {
        is = link_of(h, b, d) == OCT_LINK_NO;
    }
    return is || hunt_button_at(h, b)->is_dead;
}

// ---- the search ----

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

// States with equal doors, places and presses that are not understood lead to the same.
static uint64_t hash_of(const recruits_hunt *h, const plan_state *s, const oct_door_state *states)
{
    const uint32_t *const costs = h->plan_costs.items;
    uint64_t hash = 1;
    uint32_t region = 0;
    while (costs[region] != 0) {
        region++;
    }
    hash = mix(hash, region);
    for (uint32_t d = 0; d < h->doors.count; d++) {
        hash = mix(hash, (uint64_t)states[d]);
    }
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        bool is_open = false;
        for (uint32_t d = 0; d < h->doors.count && !is_open; d++) {
            is_open = link_of(h, b, d) == OCT_LINK_UNDECIDED;
        }
        const bool is_odd = is_pressed(s->pressed, b) != is_pressed(h->parity, b);
        hash = is_open ? mix(hash, (uint64_t)b * 2 + is_odd) : hash;
    }
    return hash;
}

static oct_result take_new(recruits_hunt *h, uint64_t hash, bool *is_new)
{
    const lattice_key key = {(int32_t)(uint32_t)hash, (int32_t)(uint32_t)(hash >> 32), 0, 0};
    OCT_TRY(oct_key_table_reserve(&h->seen, &h->allocator, 1));
    key_slot *const slot = key_table_slot(&h->seen, key);
    *is_new = !key_slot_is_used(&h->seen, slot);
    if (*is_new) {
        key_slot_fill(&h->seen, slot, key, 1);
    }
    return OCT_OK;
}

static bool was_tried(const recruits_hunt *h, uint64_t hash)
{
    const uint64_t *const all = h->tried.items;
    for (size_t i = 0; i < h->tried.count; i++) {
        if (all[i] == hash) {
            return true;
        }
    }
    return false;
}

static oct_result push(recruits_hunt *h, uint32_t id, uint32_t entries, uint32_t depth)
{
    return oct_heap_push(&h->heap, &h->allocator,
                         (oct_heap_entry){.f = entries * PRICE + depth, .key = id, .id = id});
}

// Presses after which one is behind a door that they shut.
static oct_result expand_slips(recruits_hunt *h, uint32_t index, uint32_t budget,
                               const oct_door_state *states)
{
    const hunt_slip *const slips = h->slips.items;
    const uint32_t *const costs = h->plan_costs.items;
    for (uint32_t i = 0; i < h->slips.count; i++) {
        const plan_state s = *state_at(h, index);
        const hunt_slip *const own = &slips[i];
        const uint32_t burns = oct_recruits_ground_entries(ground_at(&h->ground, own->stand),
                                                           ground_at(&h->ground, own->far));
        const uint32_t cost =
            costs[own->from] == UINT32_MAX ? UINT32_MAX : costs[own->from] + burns;
        plan_state next = {.region = own->to,
                           .depth = s.depth + SLIP_DEPTH,
                           .parent = index,
                           .button = own->button,
                           .slip = i};
        if (cost == UINT32_MAX || s.entries + cost > budget || own->failures >= SLIP_FAILURES ||
            states[own->door] != OCT_DOOR_OPEN) {
            continue;
        }
        next.entries = s.entries + cost;
        memcpy(next.pressed, s.pressed, sizeof next.pressed);
        next.pressed[own->button / 64] ^= UINT64_C(1) << (own->button % 64);
        if (predict(h, own->door, next.pressed) != OCT_DOOR_OPEN) {
            OCT_TRY(oct_array_push(&h->plan_states, &h->allocator, sizeof next, &next));
            OCT_TRY(push(h, (uint32_t)h->plan_states.count - 1, next.entries, next.depth));
        }
    }
    return OCT_OK;
}

// All presses that are possible in a state.
static oct_result expand(recruits_hunt *h, uint32_t index, uint32_t budget)
{
    const hunt_stand *const stands = h->stands.items;
    const uint32_t *const costs = h->plan_costs.items;
    for (size_t i = 0; i < h->stands.count; i++) {
        const plan_state s = *state_at(h, index);
        const uint32_t b = stands[i].button, cost = costs[stands[i].region];
        if (cost == UINT32_MAX || s.entries + cost > budget || is_useless(h, b) ||
            (s.parent != ROOT && s.button == b && s.slip == GROUND_NONE)) {
            continue;
        }
        plan_state next = {.region = stands[i].region,
                           .entries = s.entries + cost,
                           .depth = s.depth + 1,
                           .parent = index,
                           .button = b,
                           .slip = GROUND_NONE};
        memcpy(next.pressed, s.pressed, sizeof next.pressed);
        next.pressed[b / 64] ^= UINT64_C(1) << (b % 64);
        OCT_TRY(oct_array_push(&h->plan_states, &h->allocator, sizeof next, &next));
        OCT_TRY(push(h, (uint32_t)h->plan_states.count - 1, next.entries, next.depth));
    }
    return OCT_OK;
}

static oct_result visit(recruits_hunt *h, uint32_t index, uint32_t budget, uint32_t may)
{
    const plan_state s = *state_at(h, index);
    oct_door_state states[HUNT_DOORS_MAX];
    bool is_new;
    for (uint32_t d = 0; d < h->doors.count; d++) {
        states[d] = predict(h, d, s.pressed);
    }
    OCT_TRY(spread(h, s.region, states, budget - s.entries, false));
    const uint64_t hash = hash_of(h, &s, states);
    h->root = s.parent == ROOT ? hash : h->root;
    OCT_TRY(take_new(h, hash, &is_new));
    if (!is_new) {
        return OCT_OK;
    }
    if ((may & HUNT_MAY_TRY) && !was_tried(h, hash)) {
        OCT_TRY(spread(h, s.region, states, budget - s.entries, true));
    }
    const uint32_t goal = find_goal(h, states);
    if (goal != UINT32_MAX) {
        OCT_TRY(push(h, index | GOAL, s.entries + goal, s.depth));
    }
    OCT_TRY(may & HUNT_MAY_SLIP ? expand_slips(h, index, budget, states) : OCT_OK);
    return expand(h, index, budget);
}

static const plan_state *first_press(const recruits_hunt *h, uint32_t index)
{
    const plan_state *s = state_at(h, index);
    while (state_at(h, s->parent)->parent != ROOT) {
        s = state_at(h, s->parent);
    }
    return s;
}

// The places from which a button can be pressed are all as near as that.
static double way_to(const recruits_hunt *h, uint32_t b)
{
    const uint32_t place =
        oct_recruits_ground_nearest(&h->ground, hunt_button_at(h, b)->origin, 1.2);
    return place == GROUND_NONE ? HUGE_VAL : oct_recruits_ground_cost(&h->ground, place);
}

// The region where it is; where none is, the nearest one, by the last flood.
static uint32_t own_region(const recruits_hunt *h)
{
    const uint32_t region = ground_at(&h->ground, h->at)->region;
    uint32_t best = GROUND_NONE;
    double least = HUGE_VAL;
    for (uint32_t p = 0; p < h->ground.places.count && region == GROUND_NONE; p++) {
        const double cost = oct_recruits_ground_cost(&h->ground, p);
        if (ground_at(&h->ground, p)->region != GROUND_NONE && cost < least) {
            least = cost;
            best = ground_at(&h->ground, p)->region;
        }
    }
    return region == GROUND_NONE ? best : region;
}

oct_result oct_recruits_hunt_plan(recruits_hunt *h, uint32_t budget, uint32_t may, hunt_step *step,
                                  uint32_t *what)
{
    const bool tries = (may & HUNT_MAY_TRY) != 0;
    h->tries = tries;
    for (uint32_t d = 0; d < h->doors.count; d++) {
        const bool is_free = tries && h->states[d] == OCT_DOOR_UNKNOWN;
        h->walks[d] = is_free ? OCT_DOOR_MOVING : h->states[d];
    }
    OCT_TRY(copy_links(h));
    OCT_TRY(oct_recruits_ground_flood(&h->ground, h->at, h->walks, HUNT_PRICE));
    const plan_state root = {.region = own_region(h), .parent = ROOT, .slip = GROUND_NONE};
    double first = -1.0, least = HUGE_VAL;
    *step = HUNT_NOTHING;
    h->plan_states.count = h->heap.entries.count = 0;
    oct_key_table_free(&h->seen, &h->allocator);
    OCT_TRY(oct_array_push(&h->plan_states, &h->allocator, sizeof root, &root));
    OCT_TRY(root.region == GROUND_NONE ? OCT_OK : push(h, 0, 0, 0));
    while (h->heap.entries.count > 0) {
        const oct_heap_entry top = oct_heap_pop(&h->heap);
        const uint32_t index = top.id & ~GOAL;
        if (first >= 0.0 && top.f > first) {
            break; // of all that are as good, the nearest
        }
        if (top.id & GOAL) {
            if (state_at(h, index)->depth == 0) {
                *step = HUNT_LOOK;
                return OCT_OK;
            }
            const plan_state *const press = first_press(h, index);
            const double far = way_to(h, press->button);
            if (first < 0.0 || far < least) {
                *step = press->slip == GROUND_NONE ? HUNT_PRESS : HUNT_SLIP;
                *what = press->slip == GROUND_NONE ? press->button : press->slip;
                least = far;
            }
            first = top.f;
        } else if (first < 0.0 || top.f <= first) {
            OCT_TRY(visit(h, index, budget, may));
        }
        if (h->plan_states.count > RECRUITS_HUNT_STATES) {
            *step = *step == HUNT_NOTHING ? HUNT_LIMIT : *step;
            return OCT_OK;
        }
    }
    return OCT_OK;
}
