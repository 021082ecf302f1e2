// SPDX-License-Identifier: MIT
// States that presses lead to, as far as links are known.
#include "agent/press_planner_internal.h"

static const oct_known *door_at(const press_planner *w, size_t door)
{
    return oct_belief_get(w->a->belief, ((const uint32_t *)w->rooms.doors.items)[door]);
}

bool oct_press_link_of(const press_planner *w, size_t door, uint32_t *index)
{
    return oct_links_find_door(w->links, door_at(w, door)->now.thing.id, index);
}

static oct_link link_between(const press_planner *w, uint32_t button, size_t door)
{
    uint32_t index;
    return oct_press_link_of(w, door, &index) ? oct_links_get(w->links, button, index)
                                              : OCT_LINK_ODD;
}

void oct_press_number_buttons(press_planner *w)
{
    for (size_t i = 0; i < w->places.count; i++) {
        press_place *const p = (press_place *)w->places.items + i;
        bool matters = false;
        for (size_t j = 0; j < w->rooms.doors.count && !matters; j++) {
            matters = link_between(w, p->button, j) != OCT_LINK_NO;
        }
        uint32_t at = 0;
        while (at < w->button_count && w->buttons[at] != p->button) {
            at++;
        }
        if (matters && at == w->button_count && at < PRESS_BUTTONS_THOUGHT) {
            w->buttons[w->button_count++] = p->button;
        }
        p->bit = matters ? at : PRESS_BUTTONS_THOUGHT;
    }
}

uint32_t oct_press_reach(press_planner *w, uint32_t from, uint64_t open)
{
    memset(w->reach, 0, oct_room_graph_count(&w->rooms) + 1);
    if (from == ROOM_NONE) {
        return ROOM_NONE;
    }
    w->reach[from] = 1;
    uint32_t least = from;
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < w->rooms.passages.count; i++) {
            const passage p = press_passages(w)[i];
            if (!(open & press_bit(p.door)) || p.b == ROOM_NONE || w->reach[p.a] == w->reach[p.b]) {
                continue;
            }
            w->reach[p.a] = w->reach[p.b] = 1;
            least = p.a < least ? p.a : least;
            least = p.b < least ? p.b : least;
            grows = true;
        }
    }
    return least;
}

void oct_press_foresee(const press_planner *w, uint64_t pressed, uint64_t *open, uint64_t *unsure)
{
    uint32_t buttons[PRESS_BUTTONS_THOUGHT];
    size_t count = 0;
    for (uint32_t i = 0; i < w->button_count; i++) {
        if (pressed >> i & 1) {
            buttons[count++] = w->buttons[i];
        }
    }
    *open = *unsure = 0;
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        uint32_t index;
        if (oct_press_link_of(w, i, &index)) {
            const oct_door_state is = oct_links_predict_presses(w->links, index, buttons, count);
            *open |= is == OCT_DOOR_OPEN ? press_bit(i) : 0;
            *unsure |= is == OCT_DOOR_UNKNOWN ? press_bit(i) : 0;
        }
    }
}

static lattice_key key_of(uint64_t pressed, uint32_t home)
{
    return (lattice_key){(int32_t)(uint32_t)pressed, (int32_t)(uint32_t)(pressed >> 32),
                         (int32_t)home, 0};
}

// The same as foresee. The same buttons are asked for again and again, in any order.
static oct_result recall(press_planner *w, uint64_t pressed, press_outlook *out)
{
    const oct_allocator *const allocator = &w->a->allocator;
    OCT_TRY(oct_key_table_reserve(&w->foreseen, allocator, 1));
    const lattice_key key = key_of(pressed, 0);
    key_slot *const slot = key_table_slot(&w->foreseen, key);
    if (key_slot_is_used(&w->foreseen, slot)) {
        *out = ((const press_outlook *)w->outlooks.items)[slot->value];
        return OCT_OK;
    }
    oct_press_foresee(w, pressed, &out->open, &out->unsure);
    const uint32_t index = (uint32_t)w->outlooks.count;
    OCT_TRY(oct_array_push(&w->outlooks, allocator, sizeof *out, out));
    key_slot_fill(&w->foreseen, slot, key, index);
    return OCT_OK;
}

oct_result oct_press_add_state(press_planner *w, press_state s, uint32_t from)
{
    press_outlook then;
    OCT_TRY(recall(w, s.pressed, &then));
    s.open = then.open;
    s.unsure = then.unsure;
    s.home = oct_press_reach(w, from, s.open);
    OCT_TRY(oct_key_table_reserve(&w->visited, &w->a->allocator, 1));
    const lattice_key key = key_of(s.pressed, s.home);
    key_slot *const slot = key_table_slot(&w->visited, key);
    if (key_slot_is_used(&w->visited, slot) || w->states.count >= PRESS_STATES_MAX) {
        return OCT_OK;
    }
    key_slot_fill(&w->visited, slot, key, 0);
    return oct_array_push(&w->states, &w->a->allocator, sizeof s, &s);
}

bool oct_press_can(const press_planner *w, const press_state *s, const press_place *p)
{
    if (p->bit >= w->button_count || p->room == ROOM_NONE) {
        return false;
    }
    if (p->holds == PRESS_NO_DOOR || !w->may_hold) {
        return p->holds == PRESS_NO_DOOR && w->reach[p->room];
    }
    // The door stands open, one gets to it, and the press shuts it: else other places will do.
    for (size_t i = 0; i < w->rooms.passages.count; i++) {
        const passage at = press_passages(w)[i];
        if (press_entity(w, at.door) == p->holds && (s->open & press_bit(at.door)) != 0 &&
            link_between(w, p->button, at.door) == OCT_LINK_YES &&
            (w->reach[at.a] || (at.b != ROOM_NONE && w->reach[at.b]))) {
            return true;
        }
    }
    return false;
}

bool oct_press_reaches_target(const press_planner *w)
{
    for (size_t i = 0; i < w->aim->stand_count; i++) {
        const uint32_t there = oct_room_graph_of(&w->rooms, 1 + i);
        if (there != ROOM_NONE && w->reach[there]) {
            return true;
        }
    }
    return false;
}
