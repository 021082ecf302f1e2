// SPDX-License-Identifier: MIT
#include "agent/press_planner.h"
#include "agent/belief_internal.h"
#include "agent/history.h"
#include "agent/press_planner_internal.h"
#include "base/hash.h"

#include <stdio.h>

// A door is looked at so often in the same state before something new has to be learned.
#define TRIES_MAX 2u

// ---- what is worth it ----

static bool avoids(const press_planner *w, uint32_t button)
{
    return oct_history_avoids(oct_belief_history(w->a->belief), oct_links_button(w->links, button));
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
        if (tries[i].door == press_entity(w, door) && tries[i].knowledge == known) {
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
    const press_state *s = press_state_at(w, index);
    while (s->presses > 1) {
        s = press_state_at(w, s->parent);
    }
    return press_place_at(w, s->place);
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
static uint32_t sight_of(press_planner *w, const press_state *s, uint64_t known)
{
    for (size_t i = 0; i < w->rooms.passages.count; i++) {
        const passage p = press_passages(w)[i];
        const bool touches = w->reach[p.a] || (p.b != ROOM_NONE && w->reach[p.b]);
        const bool is_unsure = s->unsure & press_bit(p.door);
        const bool is_dark = p.b == ROOM_NONE && s->open & press_bit(p.door);
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
static size_t count_pressable(const press_planner *w, const press_state *s)
{
    size_t count = 0;
    for (size_t i = 0; i < w->places.count; i++) {
        count += oct_press_can(w, s, press_place_at(w, i));
    }
    return count;
}

// Whether choose() would look at no state beyond this one. All states of one press are found before
// the first of them is asked for.
static bool is_decisive(press_planner *w, size_t index, uint64_t known)
{
    const press_state *const s = press_state_at(w, index);
    if (w->explains || index == 0 || is_repeated(w, index)) {
        return false;
    }
    (void)oct_press_reach(w, s->home, s->open);
    return oct_press_reaches_target(w) || (w->aim->stand_count == 0 && !w->may_hold &&
                                           !s->is_avoided && sight_of(w, s, known) != NOTHING);
}

// The states that presses lead to: all of them, or as many as a choice takes.
static oct_result search(press_planner *w, uint64_t known)
{
    w->states.count = 0;
    oct_key_table_clear(&w->visited);
    OCT_TRY(
        oct_press_add_state(w, (press_state){.parent = UINT32_MAX, .place = UINT32_MAX}, w->body));
    for (size_t i = 0; i < w->states.count && !is_decisive(w, i, known); i++) {
        const press_state s = *press_state_at(w, i);
        (void)oct_press_reach(w, s.home, s.open);
        for (size_t j = 0; j < w->places.count; j++) {
            const press_place p = *press_place_at(w, j);
            if (!oct_press_can(w, &s, &p)) {
                continue;
            }
            const press_state next = {.pressed = s.pressed ^ UINT64_C(1) << p.bit,
                                      .parent = (uint32_t)i,
                                      .place = (uint32_t)j,
                                      .presses = s.presses + 1,
                                      .is_avoided = s.is_avoided || avoids(w, p.button)};
            OCT_TRY(oct_press_add_state(w, next, p.room));
            (void)oct_press_reach(w, s.home, s.open);
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
        const press_state *const s = press_state_at(w, i);
        if (is_repeated(w, i)) {
            continue;
        }
        (void)oct_press_reach(w, s->home, s->open);
        if (oct_press_reaches_target(w)) {
            *is_for_target = true;
            return i;
        }
        const bool is_first =
            best == SIZE_MAX || (press_state_at(w, best)->is_avoided && !s->is_avoided);
        const bool is_rival =
            !is_first && w->may_hold && press_state_at(w, best)->is_avoided == s->is_avoided;
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
    oct_press_foresee(w, 0, &open, &unsure);
    uint64_t crossed = 0;
    bool is_so = false;
    (void)oct_press_reach(w, w->body, open);
    for (size_t i = 0; i < w->rooms.passages.count; i++) {
        const passage p = press_passages(w)[i];
        crossed |= press_bit(p.door);
        const bool touches = w->reach[p.a] || (p.b != ROOM_NONE && w->reach[p.b]);
        is_so = is_so || (p.b == ROOM_NONE && w->reach[p.a] && open & press_bit(p.door)) ||
                (touches && unsure & press_bit(p.door));
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
        const press_place *const p = press_place_at(w, i);
        const bool is_such = planned->holds == PRESS_NO_DOOR
                                 ? p->button == planned->button && p->holds == PRESS_NO_DOOR
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
    for (size_t i = best; press_state_at(w, best)->presses == 1 && i < w->states.count; i++) {
        const press_state *const s = press_state_at(w, i);
        if (s->presses != 1) {
            break;
        }
        (void)oct_press_reach(w, s->home, s->open);
        double length;
        if (!is_repeated(w, i) && s->is_avoided == press_state_at(w, best)->is_avoided &&
            sight_of(w, s, known) != NOTHING &&
            oct_journey_reaches(w->a, press_place_at(w, s->place)->at, &length) && length < least) {
            least = length;
            best = i;
        }
    }
    return best;
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
        oct_press_explain(w, out);
        return OCT_OK;
    }
    best = is_for_target || w->may_hold ? best : nearest_plan(w, best, known);
    if (!is_for_target && explores_first(w, best)) {
        out->step = PRESS_STEP_EXPLORE;
        return OCT_OK;
    }
    const press_state *s = press_state_at(w, best);
    (void)oct_press_reach(w, s->home, s->open);
    // A plan of several presses is tried again after each of them.
    const uint32_t sight = is_for_target || s->presses > 1 ? NOTHING : sight_of(w, s, known);
    out->presses = s->presses;
    out->is_for_target = is_for_target;
    if (!choose_place(w, first_place(w, best), out)) {
        w->explains = true;
        OCT_TRY(search(w, known)); // all states, for the doors that are named
        oct_press_explain(w, out);
        out->is_undecided = true; // there should have been a way
        return OCT_OK;
    }
    out->step = PRESS_STEP_PRESS;
    out->note = (press_note){.situation = w->situation,
                             .knowledge = known,
                             .sight = press_entity(w, sight),
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
    oct_array_free(&w->states, allocator, sizeof(press_state));
    oct_array_free(&w->outlooks, allocator, sizeof(press_outlook));
    oct_key_table_free(&w->foreseen, allocator);
    oct_key_table_free(&w->visited, allocator);
    oct_room_graph_free(&w->rooms);
}

static oct_result think(press_planner *w, press_answer *out)
{
    OCT_TRY(oct_press_seeds(w));
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
    oct_press_number_buttons(w);
    w->situation = situation(w);
    OCT_TRY(search(w, experience(w)));
    if (w->explains) {
        oct_press_explain(w, out);
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
