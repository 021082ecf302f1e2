// SPDX-License-Identifier: MIT
#include "agent/press_planner.h"
#include "agent/belief_internal.h"
#include "agent/doorway.h"
#include "agent/history.h"
#include "agent/links_internal.h"
#include "base/hash.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <stdio.h>

// Doors and buttons that are thought about, bits of sets; states that are looked at.
#define DOORS_MAX 64u
#define BUTTONS_MAX 64u
#define STATES_MAX 50000u
// A door is looked at so often in the same state before something new has to be learned.
#define TRIES_MAX 2u
// How far from a panel one stands to press, metres less than the reach.
#define REACH_SLACK 0.1

#define NOBODY UINT32_MAX
// How far from the middle of a doorway somebody stands who holds its door and leaves on that side,
// metres.
#define HOLD_OFF 0.75

// A place from which a button can be pressed. A door does not shut on who stands in its doorway:
// who presses there can leave on either side, whatever the press does to that door.
typedef struct press_place {
    uint32_t button; // of the links
    uint32_t bit;    // of sets of buttons; BUTTONS_MAX where its presses change nothing
    uint32_t room;   // that it is in; of one that holds a door: the one that it leads to
    uint32_t holds;  // the door in whose doorway it is, an entity of the belief; NOBODY = none
    oct_point at;
} press_place;

// What presses lead to: the doors, and where the body is.
typedef struct state {
    uint64_t pressed; // buttons, an odd number of times
    uint64_t open;    // doors
    uint64_t unsure;  // doors that may be open or shut
    uint32_t home;    // the smallest room of those that it can reach
    uint32_t parent;
    uint32_t place; // from which the last button was pressed
    uint32_t presses;
    bool is_avoided; // one of the buttons is to be avoided
} state;

// How the doors are after presses.
typedef struct outlook {
    uint64_t open, unsure;
} outlook;

typedef struct press_planner {
    oct_agent *a;
    const oct_links *links;
    const press_aim *aim;
    bool explains; // it only has to say why
    room_graph rooms;
    oct_array seeds;  // of oct_point: the body, places of the aim, places of buttons
    oct_array places; // of press_place
    oct_array states; // of state
    uint32_t buttons[BUTTONS_MAX];
    uint32_t button_count;
    key_table visited;  // of states
    oct_array outlooks; // of outlook
    key_table foreseen; // sets of buttons, pressed an odd number of times: indices of outlooks
    uint8_t *reach;     // of rooms: which a state reaches
    uint32_t body;      // its room
    uint64_t situation; // what is known now
    bool may_hold;      // presses from doorways are thought of: one may not get back from them
} press_planner;

static const passage *passages(const press_planner *w)
{
    return w->rooms.passages.items;
}

static const oct_known *door_at(const press_planner *w, size_t door)
{
    return oct_belief_get(w->a->belief, ((const uint32_t *)w->rooms.doors.items)[door]);
}

static bool link_of_door(const press_planner *w, size_t door, uint32_t *index)
{
    return oct_links_find_door(w->links, door_at(w, door)->now.thing.id, index);
}

static oct_link link_between(const press_planner *w, uint32_t button, size_t door)
{
    uint32_t index;
    return link_of_door(w, door, &index) ? oct_links_get(w->links, button, index) : OCT_LINK_ODD;
}

// ---- seeds ----

static oct_result add_seed(press_planner *w, oct_point at)
{
    return oct_array_push(&w->seeds, &w->a->allocator, sizeof at, &at);
}

// The body's own cell, or the nearest free one: who stands on something is padded into it.
static oct_point free_place(const oct_agent *a)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const oct_point at = agent_self(a)->centre;
    const double cell = oct_tree_cell_size(oct_map_tree(map));
    oct_point best = at;
    double least = HUGE_VAL;
    for (int i = 0; i < 7 * 7 * 7; i++) {
        const oct_point by = {(i % 7 - 3) * cell, (i / 7 % 7 - 3) * cell, (i / 49 - 3) * cell};
        const double away = point_dot(by, by);
        if (away < least && navigator_label(&a->navigator, point_add(at, by)) == OCT_OPEN) {
            best = point_add(at, by);
            least = away;
        }
    }
    return best;
}

static oct_result add_panel(press_planner *w, const oct_known *k)
{
    const double most = oct_belief_reach(w->a->belief) - REACH_SLACK * agent_metre(w->a);
    oct_point at[OCT_SIDE_ANY];
    uint32_t found;
    OCT_TRY(oct_approach_all(w->a, k, BLOCK_SIDES, most, at, &found));
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        for (uint32_t i = 0; found >> side & 1 && i < k->now.use_count; i++) {
            press_place place = {.at = at[side], .room = (uint32_t)w->seeds.count, .holds = NOBODY};
            if (oct_links_find_button(w->links, (oct_button){k->now.thing.id, i}, &place.button)) {
                OCT_TRY(oct_array_push(&w->places, &w->a->allocator, sizeof place, &place));
            }
        }
        OCT_TRY(found >> side & 1 ? add_seed(w, at[side]) : OCT_OK);
    }
    return OCT_OK;
}

// Places in a doorway from which a panel can be pressed, one for each side to leave on.
static oct_result add_doorway(press_planner *w, const oct_known *panel, uint32_t index)
{
    const double most = oct_belief_reach(w->a->belief) - REACH_SLACK * agent_metre(w->a);
    oct_known door = *oct_belief_get(w->a->belief, index);
    door.now.thing.box = oct_entity_doorway(&door.now);
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        oct_point normal;
        const oct_point face = oct_known_face(&door, side, &normal);
        const oct_point at =
            point_add(oct_known_centre(&door), point_scale(normal, HOLD_OFF * agent_metre(w->a)));
        const oct_map *const map = oct_belief_map(w->a->belief);
        const double out = oct_map_padding(map).x + oct_tree_cell_size(oct_map_tree(map));
        if (oct_known_distance(panel, at) > most ||
            !oct_known_is_free(w->a, panel, at, door.now.thing.id)) {
            continue;
        }
        for (uint32_t i = 0; i < panel->now.use_count; i++) {
            press_place place = {.at = at, .room = (uint32_t)w->seeds.count, .holds = index};
            const oct_button button = {panel->now.thing.id, i};
            if (oct_links_find_button(w->links, button, &place.button)) {
                OCT_TRY(oct_array_push(&w->places, &w->a->allocator, sizeof place, &place));
            }
        }
        OCT_TRY(add_seed(w, point_add(face, point_scale(normal, out))));
    }
    return OCT_OK;
}

static oct_result add_doorways(press_planner *w, const oct_known *panel)
{
    for (uint32_t i = 0; i < oct_belief_count(w->a->belief); i++) {
        const oct_known *const k = oct_belief_get(w->a->belief, i);
        if (!k->gone && k->now.kind == OCT_ENTITY_DOOR) {
            OCT_TRY(add_doorway(w, panel, i));
        }
    }
    return OCT_OK;
}

static oct_result add_seeds(press_planner *w)
{
    OCT_TRY(add_seed(w, free_place(w->a)));
    for (size_t i = 0; i < w->aim->stand_count; i++) {
        OCT_TRY(add_seed(w, w->aim->stands[i]));
    }
    for (uint32_t i = 0; i < oct_belief_count(w->a->belief); i++) {
        const oct_known *const k = oct_belief_get(w->a->belief, i);
        if (!k->gone && k->now.use_count > 0) {
            OCT_TRY(add_panel(w, k));
            OCT_TRY(add_doorways(w, k));
        }
    }
    return OCT_OK;
}

// ---- states ----

static uint32_t entity_of(const press_planner *w, uint32_t door)
{
    return door < w->rooms.doors.count ? ((const uint32_t *)w->rooms.doors.items)[door] : door;
}

static uint64_t bit(size_t door)
{
    return door < DOORS_MAX ? UINT64_C(1) << door : 0;
}

// Buttons whose presses may change something get a bit.
static void number_buttons(press_planner *w)
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
        if (matters && at == w->button_count && at < BUTTONS_MAX) {
            w->buttons[w->button_count++] = p->button;
        }
        p->bit = matters ? at : BUTTONS_MAX;
    }
}

// Which rooms can be reached from one, with these doors open. Returns the smallest.
static uint32_t reach(press_planner *w, uint32_t from, uint64_t open)
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
            const passage p = passages(w)[i];
            if (!(open & bit(p.door)) || p.b == ROOM_NONE || w->reach[p.a] == w->reach[p.b]) {
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

// How the doors are after some buttons were pressed.
static void foresee(const press_planner *w, uint64_t pressed, uint64_t *open, uint64_t *unsure)
{
    uint32_t buttons[BUTTONS_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < w->button_count; i++) {
        if (pressed >> i & 1) {
            buttons[count++] = w->buttons[i];
        }
    }
    *open = *unsure = 0;
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        uint32_t index;
        if (link_of_door(w, i, &index)) {
            const oct_door_state is = oct_links_predict_presses(w->links, index, buttons, count);
            *open |= is == OCT_DOOR_OPEN ? bit(i) : 0;
            *unsure |= is == OCT_DOOR_UNKNOWN ? bit(i) : 0;
        }
    }
}

static uint64_t doors_now(const press_planner *w)
{
    uint64_t open, unsure;
    foresee(w, 0, &open, &unsure);
    return open;
}

static const state *state_at(const press_planner *w, size_t index)
{
    return (const state *)w->states.items + index;
}

static const press_place *place_at(const press_planner *w, size_t index)
{
    return (const press_place *)w->places.items + index;
}

static lattice_key key_of(uint64_t pressed, uint32_t home)
{
    return (lattice_key){(int32_t)(uint32_t)pressed, (int32_t)(uint32_t)(pressed >> 32),
                         (int32_t)home, 0};
}

// The same as foresee. The same buttons are asked for again and again, in any order.
static oct_result recall(press_planner *w, uint64_t pressed, outlook *out)
{
    const oct_allocator *const allocator = &w->a->allocator;
    OCT_TRY(oct_key_table_reserve(&w->foreseen, allocator, 1));
    const lattice_key key = key_of(pressed, 0);
    key_slot *const slot = key_table_slot(&w->foreseen, key);
    if (key_slot_is_used(&w->foreseen, slot)) {
        *out = ((const outlook *)w->outlooks.items)[slot->value];
        return OCT_OK;
    }
    foresee(w, pressed, &out->open, &out->unsure);
    const uint32_t index = (uint32_t)w->outlooks.count;
    OCT_TRY(oct_array_push(&w->outlooks, allocator, sizeof *out, out));
    key_slot_fill(&w->foreseen, slot, key, index);
    return OCT_OK;
}

// Adds the state after a press, if it is a new one. From a room of it.
static oct_result add_state(press_planner *w, state s, uint32_t from)
{
    outlook then;
    OCT_TRY(recall(w, s.pressed, &then));
    s.open = then.open;
    s.unsure = then.unsure;
    s.home = reach(w, from, s.open);
    OCT_TRY(oct_key_table_reserve(&w->visited, &w->a->allocator, 1));
    const lattice_key key = key_of(s.pressed, s.home);
    key_slot *const slot = key_table_slot(&w->visited, key);
    if (key_slot_is_used(&w->visited, slot) || w->states.count >= STATES_MAX) {
        return OCT_OK;
    }
    key_slot_fill(&w->visited, slot, key, 0);
    return oct_array_push(&w->states, &w->a->allocator, sizeof s, &s);
}

// Whether a button can be pressed from a place in a state. The state's reach must be set.
static bool can_press(const press_planner *w, const state *s, const press_place *p)
{
    if (p->bit >= w->button_count || p->room == ROOM_NONE) {
        return false;
    }
    if (p->holds == NOBODY || !w->may_hold) {
        return p->holds == NOBODY && w->reach[p->room];
    }
    // The door stands open, one gets to it, and the press shuts it: else other places will do.
    for (size_t i = 0; i < w->rooms.passages.count; i++) {
        const passage at = passages(w)[i];
        if (entity_of(w, at.door) == p->holds && (s->open & bit(at.door)) != 0 &&
            link_between(w, p->button, at.door) == OCT_LINK_YES &&
            (w->reach[at.a] || (at.b != ROOM_NONE && w->reach[at.b]))) {
            return true;
        }
    }
    return false;
}

static bool avoids(const press_planner *w, uint32_t button)
{
    return oct_history_avoids(oct_belief_history(w->a->belief), oct_links_button(w->links, button));
}

// ---- what is worth it ----

static bool reaches_target(const press_planner *w)
{
    for (size_t i = 0; i < w->aim->stand_count; i++) {
        const uint32_t there = oct_room_graph_of(&w->rooms, 1 + i);
        if (there != ROOM_NONE && w->reach[there]) {
            return true;
        }
    }
    return false;
}

// How much is known by now: what was tried is worth trying again when there is more.
static uint64_t knowledge(const press_planner *w)
{
    uint64_t decided = 0;
    for (uint32_t i = 0; i < oct_links_buttons(w->links); i++) {
        for (uint32_t j = 0; j < oct_links_doors(w->links); j++) {
            decided += oct_links_get(w->links, i, j) != OCT_LINK_UNDECIDED;
        }
    }
    return decided + oct_links_buttons(w->links) + oct_links_doors(w->links);
}

// The same for looks at doors: a button that was never pressed before shows something else.
static uint64_t experience(const press_planner *w)
{
    uint64_t pressed = 0;
    for (uint32_t i = 0; i < oct_links_buttons(w->links); i++) {
        pressed += oct_links_presses(w->links, i) > 0;
    }
    return knowledge(w) + pressed;
}

// Something to be seen: a door, or SOMEWHERE.
#define SOMEWHERE (UINT32_MAX - 1)
#define NOTHING UINT32_MAX

static bool is_tired(const press_planner *w, uint32_t door, uint64_t known)
{
    const agent_try *const tries = w->a->tries.items;
    for (size_t i = 0; i < w->a->tries.count; i++) {
        if (tries[i].door == entity_of(w, door) && tries[i].knowledge == known) {
            return tries[i].count >= TRIES_MAX;
        }
    }
    return false;
}

static oct_result note_try(oct_agent *a, uint32_t door, uint64_t known)
{
    const agent_try new = {door, 1, known};
    for (size_t i = 0; i < a->tries.count; i++) {
        agent_try *const t = (agent_try *)a->tries.items + i;
        if (t->door == new.door) {
            t->count = t->knowledge == known ? t->count + 1 : 1;
            t->knowledge = known;
            return OCT_OK;
        }
    }
    return oct_array_push(&a->tries, &a->allocator, sizeof new, &new);
}

// ---- what was tried ----

// What is known now, as one number: entities, links and how doors were last seen. The same press in
// the same state of knowledge shows nothing new.
static uint64_t situation(const press_planner *w)
{
    uint64_t hash = knowledge(w);
    for (uint32_t i = 0; i < oct_belief_count(w->a->belief); i++) {
        const oct_known *const k = oct_belief_get(w->a->belief, i);
        if (!k->gone && k->now.kind == OCT_ENTITY_DOOR) {
            hash = (hash ^ (k->now.thing.id * 4 + oct_entity_door(&k->now))) * OCT_HASH_FACTOR;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

static const press_place *first_place(const press_planner *w, size_t index)
{
    const state *s = state_at(w, index);
    while (s->presses > 1) {
        s = state_at(w, s->parent);
    }
    return place_at(w, s->place);
}

// Whether the first press of a plan was made before, knowing the same.
static bool is_repeated(const press_planner *w, size_t index)
{
    const agent_press *const all = w->a->pressed.items;
    const uint32_t button = first_place(w, index)->button;
    for (size_t i = 0; i < w->a->pressed.count; i++) {
        if (all[i].button == button && all[i].situation == w->situation) {
            return true;
        }
    }
    return false;
}

oct_result oct_press_planner_take(oct_agent *a, uint32_t button, const press_note *note)
{
    const agent_press new = {button, note->situation};
    OCT_TRY(oct_array_push(&a->pressed, &a->allocator, sizeof new, &new));
    return note->has_sight ? note_try(a, note->sight, note->knowledge) : OCT_OK;
}

// What there is to see in a state: a door of which it is not certain how it is, what lies behind an
// open one, a place of the frontier. What was looked at in vain does not count. The state's reach
// must be set.
static uint32_t sight_of(press_planner *w, const state *s, uint64_t known)
{
    for (size_t i = 0; i < w->rooms.passages.count; i++) {
        const passage p = passages(w)[i];
        const bool touches = w->reach[p.a] || (p.b != ROOM_NONE && w->reach[p.b]);
        const bool is_unsure = s->unsure & bit(p.door);
        const bool is_dark = p.b == ROOM_NONE && s->open & bit(p.door);
        if (!touches || !(is_unsure || is_dark)) {
            continue;
        }
        if (!is_tired(w, p.door, known)) {
            return p.door;
        }
    }
    const room *const all = w->rooms.rooms.items;
    for (size_t i = 0; i < oct_room_graph_count(&w->rooms); i++) {
        if (w->reach[i] && all[i].has_frontier && !is_tired(w, SOMEWHERE, known)) {
            return SOMEWHERE;
        }
    }
    return NOTHING;
}

// Places from which something can be pressed. The state's reach must be set.
static size_t count_pressable(const press_planner *w, const state *s)
{
    size_t count = 0;
    for (size_t i = 0; i < w->places.count; i++) {
        count += can_press(w, s, place_at(w, i));
    }
    return count;
}

// Whether choose() would look at no state beyond this one. All states of one press are found before
// the first of them is asked for.
static bool is_decisive(press_planner *w, size_t index, uint64_t known)
{
    const state *const s = state_at(w, index);
    if (w->explains || index == 0 || is_repeated(w, index)) {
        return false;
    }
    (void)reach(w, s->home, s->open);
    return reaches_target(w) || (w->aim->stand_count == 0 && !w->may_hold && !s->is_avoided &&
                                 sight_of(w, s, known) != NOTHING);
}

// The states that presses lead to: all of them, or as many as a choice takes.
static oct_result search(press_planner *w, uint64_t known)
{
    w->states.count = 0;
    oct_key_table_clear(&w->visited);
    OCT_TRY(add_state(w, (state){.parent = UINT32_MAX, .place = UINT32_MAX}, w->body));
    for (size_t i = 0; i < w->states.count && !is_decisive(w, i, known); i++) {
        const state s = *state_at(w, i);
        (void)reach(w, s.home, s.open);
        for (size_t j = 0; j < w->places.count; j++) {
            const press_place p = *place_at(w, j);
            if (!can_press(w, &s, &p)) {
                continue;
            }
            const state next = {.pressed = s.pressed ^ UINT64_C(1) << p.bit,
                                .parent = (uint32_t)i,
                                .place = (uint32_t)j,
                                .presses = s.presses + 1,
                                .is_avoided = s.is_avoided || avoids(w, p.button)};
            OCT_TRY(add_state(w, next, p.room));
            (void)reach(w, s.home, s.open);
        }
    }
    return OCT_OK;
}

// The first state (fewest presses) in which the target can be reached; else the first in which
// there is something to see, those without an avoided press before all others. From doorways one
// may not get back: then the one that leaves most to be pressed.
static size_t choose(press_planner *w, uint64_t known, bool *is_for_target)
{
    size_t best = SIZE_MAX, most = 0;
    for (size_t i = 1; i < w->states.count; i++) {
        const state *const s = state_at(w, i);
        if (is_repeated(w, i)) {
            continue;
        }
        (void)reach(w, s->home, s->open);
        if (reaches_target(w)) {
            *is_for_target = true;
            return i;
        }
        const bool is_first = best == SIZE_MAX || (state_at(w, best)->is_avoided && !s->is_avoided);
        const bool is_rival =
            !is_first && w->may_hold && state_at(w, best)->is_avoided == s->is_avoided;
        if ((is_first || is_rival) && sight_of(w, s, known) != NOTHING) {
            const size_t left = w->may_hold ? count_pressable(w, s) : 0;
            if (is_first || left > most) {
                best = i;
                most = left;
            }
        }
    }
    return best;
}

// Whether a door that stands open leads to something that was not seen, or it is not certain how
// one is that can be looked at.
static bool leads_to_unseen(press_planner *w)
{
    const room *const all = w->rooms.rooms.items;
    uint64_t open, unsure;
    foresee(w, 0, &open, &unsure);
    uint64_t crossed = 0;
    bool is_so = false;
    (void)reach(w, w->body, open);
    for (size_t i = 0; i < w->rooms.passages.count; i++) {
        const passage p = passages(w)[i];
        crossed |= bit(p.door);
        const bool touches = w->reach[p.a] || (p.b != ROOM_NONE && w->reach[p.b]);
        is_so = is_so || (p.b == ROOM_NONE && w->reach[p.a] && open & bit(p.door)) ||
                (touches && unsure & bit(p.door));
    }
    for (size_t i = 0; i < oct_room_graph_count(&w->rooms); i++) {
        is_so = is_so || (i != w->body && w->reach[i] && all[i].has_frontier);
    }
    return is_so || (open & ~crossed) != 0; // seen from afar
}

// Whether to explore first: a button that was pressed before is not tried again, and perhaps shuts
// a door again, while what is behind an open door was not looked at.
static bool explores_first(press_planner *w, size_t best)
{
    return w->aim->explores && oct_links_presses(w->links, first_place(w, best)->button) > 0 &&
           leads_to_unseen(w);
}

// The place to press a button from: one that holds a door is what the plan needs, of others the one
// with the shortest way.
static bool choose_place(press_planner *w, const press_place *planned, press_answer *out)
{
    double best = HUGE_VAL;
    out->button = planned->button;
    for (size_t i = 0; i < w->places.count; i++) {
        const press_place *const p = place_at(w, i);
        const bool is_such = planned->holds == NOBODY
                                 ? p->button == planned->button && p->holds == NOBODY
                                 : p == planned;
        double length;
        if (is_such && oct_journey_reaches(w->a, p->at, &length) && length < best) {
            best = length;
            out->stand = p->at;
        }
    }
    return best < HUGE_VAL;
}

// Of all plans of one press that end with something to see, that with the nearest button.
static size_t nearest_plan(press_planner *w, size_t best, uint64_t known)
{
    double least = HUGE_VAL;
    for (size_t i = best; state_at(w, best)->presses == 1 && i < w->states.count; i++) {
        const state *const s = state_at(w, i);
        if (s->presses != 1) {
            break;
        }
        (void)reach(w, s->home, s->open);
        double length;
        if (!is_repeated(w, i) && s->is_avoided == state_at(w, best)->is_avoided &&
            sight_of(w, s, known) != NOTHING &&
            oct_journey_reaches(w->a, place_at(w, s->place)->at, &length) && length < least) {
            least = length;
            best = i;
        }
    }
    return best;
}

// ---- why nothing helps ----

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
            if (passages(w)[j].a == there && passages(w)[j].b == ROOM_NONE) {
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
    if (reaches_target(w)) {
        return true;
    }
    for (size_t i = 0; is_target_vague(w) && i < w->rooms.passages.count; i++) {
        const passage p = passages(w)[i];
        if (p.b == ROOM_NONE && w->reach[p.a] && open & bit(p.door)) {
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
        all |= bit(i);
    }
    (void)reach(w, w->body, all);
    *is_walled = !may_reach_target(w, all);
    if (*is_walled) {
        return 0;
    }
    uint64_t needed = all;
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        const uint64_t fewer = (needed & ~bit(i)) | open;
        (void)reach(w, w->body, fewer);
        needed = may_reach_target(w, fewer) ? needed & ~bit(i) : needed;
    }
    return needed & ~open;
}

static void list_doors(const press_planner *w, uint64_t doors, press_answer *out)
{
    for (uint32_t i = 0; i < w->rooms.doors.count && out->door_count < PRESS_DOORS_MAX; i++) {
        if (doors & bit(i)) {
            out->doors[out->door_count++] = entity_of(w, i);
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
            const state *const s = state_at(w, j);
            (void)reach(w, s->home, s->open);
            for (size_t k = 0; k < oct_room_graph_count(&w->rooms); k++) {
                if (w->reach[k] && all[k].whole == whole) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void explain(press_planner *w, press_answer *out)
{
    bool is_walled;
    const press_aim *const aim = w->aim;
    out->step = PRESS_STEP_NOTHING;
    out->why[0] = '\0';
    for (size_t i = 0; i < w->rooms.doors.count; i++) {
        uint32_t index;
        const bool is_odd = link_of_door(w, i, &index) && oct_links_buttons(w->links) > 0 &&
                            oct_links_get(w->links, 0, index) == OCT_LINK_ODD;
        out->is_undecided = out->is_undecided || is_odd;
    }
    out->is_undecided =
        out->is_undecided || w->states.count >= STATES_MAX || w->rooms.doors.count > DOORS_MAX;
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

// ---- the whole ----

static oct_result answer(press_planner *w, press_answer *out)
{
    const uint64_t known = experience(w);
    bool is_for_target = false;
    size_t best = choose(w, known, &is_for_target);
    if (best == SIZE_MAX && w->aim->holds) {
        w->may_hold = true;
        OCT_TRY(search(w, known));
        best = choose(w, known, &is_for_target);
    }
    if (best == SIZE_MAX) {
        explain(w, out);
        return OCT_OK;
    }
    best = is_for_target || w->may_hold ? best : nearest_plan(w, best, known);
    if (!is_for_target && explores_first(w, best)) {
        out->step = PRESS_STEP_EXPLORE;
        return OCT_OK;
    }
    const state *s = state_at(w, best);
    (void)reach(w, s->home, s->open);
    // A plan of several presses is tried again after each of them.
    const uint32_t sight = is_for_target || s->presses > 1 ? NOTHING : sight_of(w, s, known);
    out->presses = s->presses;
    out->is_for_target = is_for_target;
    if (!choose_place(w, first_place(w, best), out)) {
        w->explains = true;
        OCT_TRY(search(w, known)); // all states, for the doors that are named
        explain(w, out);
        out->is_undecided = true; // there should have been a way
        return OCT_OK;
    }
    out->step = PRESS_STEP_PRESS;
    out->note = (press_note){.situation = w->situation,
                             .knowledge = known,
                             .sight = entity_of(w, sight),
                             .has_sight = sight != NOTHING};
    return OCT_OK;
}

static void free_planner(press_planner *w)
{
    const oct_allocator *const allocator = &w->a->allocator;
    if (w->reach) {
        oct_free(allocator, w->reach, oct_room_graph_count(&w->rooms) + 1);
    }
    oct_array_free(&w->seeds, allocator, sizeof(oct_point));
    oct_array_free(&w->places, allocator, sizeof(press_place));
    oct_array_free(&w->states, allocator, sizeof(state));
    oct_array_free(&w->outlooks, allocator, sizeof(outlook));
    oct_key_table_free(&w->foreseen, allocator);
    oct_key_table_free(&w->visited, allocator);
    oct_room_graph_free(&w->rooms);
}

static oct_result think(press_planner *w, press_answer *out)
{
    OCT_TRY(add_seeds(w));
    const navigator *const n = &w->a->navigator;
    OCT_TRY(n->kind->room_graph(n->self, w->a->belief, w->seeds.items, w->seeds.count, &w->rooms));
    if (!w->rooms.is_told) {
        out->is_undecided = true;
        (void)snprintf(out->why, sizeof out->why,
                       "no way to %s is known, and nobody can tell what doors would change",
                       w->aim->what);
        return OCT_OK;
    }
    w->reach = oct_alloc(&w->a->allocator, oct_room_graph_count(&w->rooms) + 1, 1);
    if (!w->reach) {
        return OCT_ERROR_MEMORY;
    }
    w->body = oct_room_graph_of(&w->rooms, 0);
    for (size_t i = 0; i < w->places.count; i++) {
        press_place *const p = (press_place *)w->places.items + i;
        p->room = oct_room_graph_of(&w->rooms, p->room);
    }
    number_buttons(w);
    w->situation = situation(w);
    OCT_TRY(search(w, experience(w)));
    if (w->explains) {
        explain(w, out);
        return OCT_OK;
    }
    return answer(w, out);
}

static oct_result ask(oct_agent *a, const press_aim *aim, bool explains, press_answer *out)
{
    const uint64_t begin = agent_now(a), before = a->times.pathfinding;
    press_planner w = {
        .a = a, .links = oct_belief_links(a->belief), .aim = aim, .explains = explains};
    w.rooms.allocator = a->allocator;
    *out = (press_answer){.step = PRESS_STEP_NOTHING};
    const oct_result result = think(&w, out);
    free_planner(&w);
    // Plans that were made meanwhile are part of it.
    a->times.pathfinding = before + (agent_now(a) - begin);
    return result;
}

oct_result oct_press_planner_ask(oct_agent *a, const press_aim *aim, press_answer *out)
{
    return ask(a, aim, false, out);
}

oct_result oct_press_planner_explain(oct_agent *a, const press_aim *aim, press_answer *out)
{
    return ask(a, aim, true, out);
}
