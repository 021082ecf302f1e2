// SPDX-License-Identifier: MIT
// The exact step: all states of the doors, and where the body is, that presses may lead to.
//
// A state is which doors are open, which of the others are still passable because they move, and
// the parts of space that the body can be in. What an undecided link does, and whether a door that
// a body may stand in shuts, is chosen anew at each press, as it suits: that is more than can
// happen, so what is never reached cannot be. Doors that move are passable for who can be there in
// time at the described speed, straight through everything.
//
// Where every link is a toggle or nothing, equations tell how a door is after presses even if they
// do not tell each link: then a state also holds which of the undecided buttons were pressed an odd
// number of times, and a door of which the equations do not tell how it is stands open.
#include "agent/links_internal.h"
#include "agent/possible_internal.h"
#include "agent/walker.h"

#include "geom/geom_internal.h"

#include <math.h>

#define DOORS_MAX 64u
#define BUTTONS_MAX 64u
#define STATES_MAX 100000u

typedef struct state_search {
    possible *p;
    oct_array states; // of oct_proof_state
    key_table visited;
    uint64_t loose;  // doors that are in nobody's way
    uint64_t *near;  // of buttons: doors that can be got to while they move
    uint64_t *held;  // of buttons: doors that who presses may stand in
    uint8_t *from;   // of parts: where the body can be before a press
    uint8_t *ever;   // of parts: where it can be in some state
    uint8_t *beside; // [door * parts + part]: where a body can be that gets at a door
    uint64_t opens;  // doors that are passable in some state
    uint64_t met;    // those that are while a body may get at them
    bool is_full;
    // Where every link is a toggle or nothing:
    bool is_linear;
    uint64_t *toggles;  // of buttons: doors that the equations let them toggle
    uint64_t undecided; // buttons that have links which are not certain
} state_search;

static uint64_t bit(uint32_t door)
{
    return UINT64_C(1) << door;
}

static const possible_button *button_at(const possible *p, size_t index)
{
    return (const possible_button *)p->buttons.items + index;
}

// ---- what is near ----

static double apart(double a_lo, double a_hi, double b_lo, double b_hi)
{
    return a_lo > b_hi ? a_lo - b_hi : b_lo > a_hi ? b_lo - a_hi : 0.0;
}

// How far apart two boxes are, as far as a body's speed says how long that takes: who falls is not
// measured by it.
static double distance(const possible *p, const oct_bounds *a, const oct_bounds *b)
{
    const oct_point by = {apart(a->min.x, a->max.x, b->min.x, b->max.x),
                          apart(a->min.y, a->max.y, b->min.y, b->max.y),
                          apart(a->min.z, a->max.z, b->min.z, b->max.z)};
    return point_length(p->q->history->walk ? oct_walker_level(by, p->q->info->up) : by);
}

static void find_near(state_search *s, size_t b)
{
    const possible *const p = s->p;
    const body_limits *const limits = &p->q->history->limits;
    const double time = (double)(p->rules.slide + 2) / p->q->info->rate;
    const possible_button *const button = button_at(p, b);
    for (uint32_t d = 0; d < p->doors; d++) {
        const double away = distance(p, &button->panel, &possible_door_thing(p, d)->told.thing.box);
        s->near[b] |= away <= 2.0 * limits->reach + limits->speed * time ? bit(d) : 0;
    }
    const uint32_t *const contacts = (const uint32_t *)p->contacts.items + button->first;
    const space_part *const parts = p->space->parts.items;
    for (uint32_t i = 0; i < button->count; i++) {
        for (uint32_t k = 0; k < parts[contacts[i]].door_count; k++) {
            s->held[b] |= bit(parts[contacts[i]].doors[k]);
        }
    }
    // Another body may stand in any door, and who presses something that moves may be anywhere.
    const history_thing *const panel = oct_history_find(p->q->history, button->button.panel);
    const bool is_mobile = panel && panel->is_mobile;
    s->held[b] |= is_mobile || p->q->history->starts.count > 1 ? UINT64_MAX : 0;
    s->near[b] |= is_mobile ? UINT64_MAX : 0;
}

// From where one gets at each door: who does not, neither goes through it nor reaches for something
// beyond.
static oct_result find_beside(state_search *s)
{
    possible *const p = s->p;
    const double reach = oct_possible_reach(p);
    for (uint32_t d = 0; d < p->doors; d++) {
        const space_aim aim =
            oct_config_space_aim_at(p->space, &possible_door_thing(p, d)->told, reach);
        part_list found;
        OCT_TRY(oct_space_cache_around(p->spaces, &aim, &found));
        for (size_t i = 0; i < found.count; i++) {
            s->beside[d * p->parts + found.all[i]] = 1;
        }
    }
    return OCT_OK;
}

// ---- reach ----

static void set_free(const state_search *s, uint64_t passable)
{
    for (uint32_t d = 0; d < s->p->doors; d++) {
        s->p->free[d] = ((passable | s->loose) & bit(d)) != 0;
    }
}

static uint32_t least_reached(const possible *p)
{
    uint32_t part = 0;
    while (part < p->parts && !p->reached[part]) {
        part++;
    }
    return part;
}

// ---- states ----

// The number of a key in the table; a new one is the next.
static uint32_t number_of(state_search *s, uint64_t half, uint32_t z, uint32_t w, bool *is_new)
{
    const lattice_key key = {(int32_t)(uint32_t)half, (int32_t)(uint32_t)(half >> 32), (int32_t)z,
                             w};
    key_slot *const slot = key_table_slot(&s->visited, key);
    *is_new = !key_slot_is_used(&s->visited, slot);
    if (*is_new) {
        key_slot_fill(&s->visited, slot, key, s->visited.count);
    }
    return slot->value;
}

static oct_result add(state_search *s, oct_proof_state new)
{
    // Three tables in one: parts of a key are numbered first.
    bool is_new;
    OCT_TRY(oct_key_table_reserve(&s->visited, &s->p->allocator, 3));
    const uint32_t moving = number_of(s, new.moving, 0, UINT32_MAX, &is_new);
    const uint32_t odd = number_of(s, new.odd, moving, UINT32_MAX - 1, &is_new);
    if (s->states.count >= STATES_MAX) {
        s->is_full = true;
        return OCT_OK;
    }
    (void)number_of(s, new.open, new.home, odd, &is_new);
    return is_new ? oct_array_push(&s->states, &s->p->allocator, sizeof new, &new) : OCT_OK;
}

// ---- equations ----

static bool find_links(const possible *p, size_t b, uint32_t d, uint32_t *button, uint32_t *door)
{
    const oct_links *const links = p->q->links;
    return oct_links_find_button(links, button_at(p, b)->button, button) &&
           oct_links_find_door(links, possible_door_thing(p, d)->told.thing.id, door);
}

// What each button toggles, as far as the equations tell, and which of them they do not tell.
static void find_toggles(state_search *s)
{
    const possible *const p = s->p;
    for (size_t b = 0; b < p->buttons.count; b++) {
        for (uint32_t d = 0; d < p->doors; d++) {
            uint32_t button, door;
            bool value = false;
            const bool is_certain = find_links(p, b, d, &button, &door) &&
                                    oct_links_sum(p->q->links, door, false, &button, 1, &value);
            s->toggles[b] |= value ? bit(d) : 0;
            s->undecided |= is_certain ? 0 : UINT64_C(1) << b;
        }
    }
}

// Doors of which the equations do not tell how they are after undecided buttons were pressed.
static uint64_t find_unsure(const state_search *s, uint64_t odd)
{
    const possible *const p = s->p;
    uint64_t unsure = 0;
    for (uint32_t d = 0; s->is_linear && d < p->doors; d++) {
        uint32_t pressed[BUTTONS_MAX], count = 0, door = 0;
        bool value, is_known = true;
        for (size_t b = 0; b < p->buttons.count && is_known; b++) {
            if ((odd >> b & 1) != 0) {
                is_known = find_links(p, b, d, &pressed[count], &door);
                count++;
            }
        }
        is_known =
            is_known &&
            oct_links_find_door(p->q->links, possible_door_thing(p, d)->told.thing.id, &door) &&
            oct_links_sum(p->q->links, door, true, pressed, count, &value);
        unsure |= is_known ? 0 : bit(d);
    }
    return unsure;
}

// Adds a state for each set of parts that the body can be in once it is clear which doors are
// passable, from the parts in `from`.
static oct_result add_from(state_search *s, oct_proof_state new)
{
    possible *const p = s->p;
    const uint64_t passable = new.open | new.moving | find_unsure(s, new.odd);
    for (uint32_t part = 0; part < p->parts && !s->is_full; part++) {
        if (!s->from[part]) {
            continue;
        }
        memset(p->reached, 0, p->parts);
        p->reached[part] = 1;
        set_free(s, passable);
        oct_config_space_flood(p->space, p->free, p->reached);
        new.home = least_reached(p);
        // One state stands for all parts that are connected.
        if (new.home == part || !s->from[new.home]) {
            OCT_TRY(add(s, new));
        }
    }
    return OCT_OK;
}

// The poses that a door may be in after a press: bit 0 = shut, bit 1 = open.
static uint32_t outcomes(const state_search *s, size_t b, uint32_t d, bool is_open)
{
    const uint32_t effects = possible_effects(s->p, b, d);
    const uint32_t same = is_open ? 2 : 1, other = is_open ? 1 : 2;
    return (effects & EFFECT_NOTHING ? same : 0) | (effects & EFFECT_TOGGLE ? other : 0) |
           (effects & EFFECT_OPEN ? 2u : 0) | (effects & EFFECT_SHUT ? 1u : 0) |
           (is_open && (s->held[b] & bit(d)) != 0 ? 2u : 0);
}

// The doors that are open after a press for certain, and those that may be.
static void foresee(const state_search *s, const oct_proof_state *before, size_t b,
                    uint64_t *certain, uint64_t *either)
{
    const possible *const p = s->p;
    *certain = *either = 0;
    if (s->is_linear) {
        // A door that somebody stands in need not shut.
        *certain = before->open ^ s->toggles[b];
        *either = before->open & ~*certain & s->held[b];
        return;
    }
    for (uint32_t d = 0; d < p->doors; d++) {
        const uint32_t to = outcomes(s, b, d, (before->open & bit(d)) != 0);
        *certain |= to == 2 ? bit(d) : 0;
        *either |= to == 3 ? bit(d) : 0;
    }
}

static oct_result press(state_search *s, const oct_proof_state *before, size_t b)
{
    uint64_t certain, either;
    foresee(s, before, b, &certain, &either);
    // What may have been open may be shutting now.
    const uint64_t unsure = find_unsure(s, before->odd);
    // All subsets of those that may be either.
    uint64_t chosen = 0;
    do {
        const uint64_t open = certain | chosen;
        const uint64_t moved = (open ^ before->open) | before->moving | unsure;
        const uint64_t moving = moved & s->near[b] & ~open;
        const uint64_t odd = before->odd ^ (s->undecided & (s->is_linear ? UINT64_C(1) << b : 0));
        OCT_TRY(add_from(s, (oct_proof_state){.open = open, .moving = moving, .odd = odd}));
        chosen = (chosen - either) & either;
    } while (chosen != 0 && !s->is_full);
    return OCT_OK;
}

static bool has_target(const state_search *s)
{
    const possible *const p = s->p;
    return oct_possible_reaches(p, p->targets.items, p->targets.count);
}

static void stand(state_search *s, const oct_proof_state *at)
{
    possible *const p = s->p;
    memset(p->reached, 0, p->parts);
    p->reached[at->home] = 1;
    set_free(s, at->open | at->moving | find_unsure(s, at->odd));
    oct_config_space_flood(p->space, p->free, p->reached);
}

// Who presses is where the panel can be got at.
static void take_contacts(state_search *s, const uint32_t *contacts, size_t count)
{
    memset(s->from, 0, s->p->parts);
    for (size_t i = 0; i < count; i++) {
        s->from[contacts[i]] = s->p->reached[contacts[i]];
    }
}

// Notes what would tell how a door is, of which equations do not.
static void note_unsure(const state_search *s, uint32_t door, uint64_t odd)
{
    possible *const p = s->p;
    for (size_t b = 0; b < p->buttons.count; b++) {
        const uint32_t effects = possible_effects(p, b, door);
        if ((odd >> b & 1) != 0 && (effects & (effects - 1)) != 0) {
            oct_possible_note(p, b, door);
        }
    }
}

// Notes the passable doors that a body gets at from where it can be now.
static void find_met(state_search *s, const oct_proof_state *now)
{
    const possible *const p = s->p;
    const uint64_t sure = now->open | now->moving, passable = sure | find_unsure(s, now->odd);
    for (uint32_t d = 0; d < p->doors; d++) {
        const uint8_t *const beside = s->beside + d * p->parts;
        const bool is_new = (passable & ~s->met & bit(d)) != 0;
        for (size_t i = 0; is_new && i < p->parts; i++) {
            s->met |= beside[i] && p->reached[i] ? bit(d) : 0;
        }
        if (is_new && (s->met & bit(d)) != 0 && (sure & bit(d)) == 0) {
            note_unsure(s, d, now->odd);
        }
    }
}

static oct_result expand(state_search *s, size_t index, bool *has_found)
{
    possible *const p = s->p;
    const oct_proof_state now = ((const oct_proof_state *)s->states.items)[index];
    stand(s, &now);
    *has_found = has_target(s);
    memcpy(s->from, p->reached, p->parts);
    const uint64_t passable = now.open | now.moving | find_unsure(s, now.odd);
    s->opens |= passable;
    find_met(s, &now);
    for (size_t i = 0; i < p->parts; i++) {
        s->ever[i] |= p->reached[i];
    }
    if (*has_found) {
        return OCT_OK;
    }
    if (now.moving != 0) {
        OCT_TRY(add_from(s, (oct_proof_state){.open = now.open, .odd = now.odd})); // it waits
    }
    for (size_t b = 0; b < p->buttons.count && !s->is_full; b++) {
        const possible_button *const button = button_at(p, b);
        const uint32_t *const contacts = (const uint32_t *)p->contacts.items + button->first;
        stand(s, &now);
        if (oct_possible_reaches(p, contacts, button->count)) {
            take_contacts(s, contacts, button->count);
            OCT_TRY(press(s, &now, b));
        }
    }
    return OCT_OK;
}

// ---- the whole ----

// How a door was at the start as the equations have it: bit 0 = shut, bit 1 = open. Where they do
// not tell, it is what is left of a reduced sum. So are the toggles that are not certain: where a
// sum of them is, these add up to it. Where it is not, the door is passable anyway.
static uint32_t start_by_equations(const possible *p, uint32_t d)
{
    uint32_t door;
    bool value = false;
    if (oct_links_find_door(p->q->links, possible_door_thing(p, d)->told.thing.id, &door)) {
        (void)oct_links_sum(p->q->links, door, true, NULL, 0, &value);
    }
    return value ? 2 : 1;
}

uint32_t oct_possible_at_start(possible *p, uint32_t d)
{
    uint32_t door;
    bool value;
    if (!p->is_linear) {
        return oct_effects_at_start(p->q->history, d, oct_possible_may_move, p);
    }
    return oct_links_find_door(p->q->links, possible_door_thing(p, d)->told.thing.id, &door) &&
                   oct_links_sum(p->q->links, door, true, NULL, 0, &value)
               ? (value ? 2 : 1)
               : 3;
}

// All states that the doors may have had at the start, with the bodies where they were. Several
// bodies are searched for as one that may be where any of them is.
static oct_result begin(state_search *s)
{
    possible *const p = s->p;
    uint64_t certain = 0, either = 0;
    for (uint32_t d = 0; d < p->doors; d++) {
        const uint32_t at = s->is_linear
                                ? start_by_equations(p, d)
                                : oct_effects_at_start(p->q->history, d, oct_possible_may_move, p);
        certain |= at == 2 ? bit(d) : 0;
        either |= at == 3 ? bit(d) : 0;
        s->loose |= p->is_loose[d] ? bit(d) : 0;
    }
    const uint32_t *const starts = p->starts.items;
    memset(s->from, 0, p->parts);
    for (size_t i = 0; i < p->starts.count; i++) {
        s->from[starts[i]] = 1;
    }
    uint64_t chosen = 0;
    do {
        OCT_TRY(add_from(s, (oct_proof_state){.open = certain | chosen}));
        chosen = (chosen - either) & either;
    } while (chosen != 0 && !s->is_full);
    return OCT_OK;
}

static oct_result search(state_search *s, possible_status *out)
{
    const possible *const p = s->p;
    for (size_t b = 0; b < p->buttons.count; b++) {
        find_near(s, b);
    }
    if (s->is_linear) {
        find_toggles(s);
    }
    bool has_found = false;
    // Equations show which links matter.
    s->p->out->undecided_count = s->is_linear ? 0 : s->p->out->undecided_count;
    OCT_TRY(find_beside(s));
    OCT_TRY(begin(s));
    for (size_t i = 0; i < s->states.count && !s->is_full && !has_found; i++) {
        OCT_TRY(expand(s, i, &has_found));
    }
    *out = has_found ? POSSIBLE_MAYBE : s->is_full ? POSSIBLE_LIMIT : POSSIBLE_EXCLUDED;
    set_free(s, s->met);
    memcpy(p->met, p->free, p->doors);
    set_free(s, s->opens);
    memcpy(p->reached, s->ever, p->parts);
    s->p->is_linear = s->is_linear;
    if (p->q->proof && *out == POSSIBLE_EXCLUDED) {
        s->p->states = s->states;
        s->states = (oct_array){0};
    }
    return OCT_OK;
}

oct_result oct_possible_search(possible *p, possible_status *out)
{
    const size_t buttons = p->buttons.count;
    // Bodies that press for each other are more than one place: that is not searched.
    if (p->doors > DOORS_MAX || buttons > BUTTONS_MAX || p->starts.count > 1) {
        *out = POSSIBLE_LIMIT;
        return OCT_OK;
    }
    state_search s = {.p = p, .is_linear = p->rules.toggles && p->q->links};
    const size_t masks = (3 * buttons + 1) * sizeof *s.near;
    s.near = oct_alloc(&p->allocator, masks, _Alignof(uint64_t));
    const size_t bytes = (2 + p->doors) * p->parts + 1;
    s.from = oct_alloc(&p->allocator, bytes, 1);
    oct_result result = s.near && s.from ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        memset(s.near, 0, masks);
        s.held = s.near + buttons;
        s.toggles = s.held + buttons;
        s.ever = s.from + p->parts;
        s.beside = s.ever + p->parts;
        memset(s.ever, 0, (1 + p->doors) * p->parts);
        result = search(&s, out);
    }
    if (s.near) {
        oct_free(&p->allocator, s.near, masks);
    }
    if (s.from) {
        oct_free(&p->allocator, s.from, bytes);
    }
    oct_array_free(&s.states, &p->allocator, sizeof(oct_proof_state));
    oct_key_table_free(&s.visited, &p->allocator);
    return result;
}
