// SPDX-License-Identifier: MIT
// States: the listed ones hold every start, and no press and no waiting leads out of them.
//
// A state is which doors are open, which of the others are passable for a moment because they move,
// and the least part that the body can be in. What an undecided link does is chosen anew at each
// press: that is more than can happen.
//
// Linear: every link is a toggle or nothing. `open` then counts the toggles that are claimed to be
// certain, and `odd` the presses of the others. How a door is follows from the equations: what they
// say of the start and the odd buttons together, in place of what `open` says of these. A door of
// which they do not tell it is passable. Equations of everything that was told say more than those
// of what was in sight: so there the states are searched anew, and each must have a listed one of
// the same doors and presses that may stand for it.
#include "verify/proof_internal.h"

#include <math.h>

#define EITHER_MAX 20 // doors that one press may leave either way

// Doors of which equations do not tell how they are.
typedef struct unsure_slot {
    uint64_t odd, doors;
    bool is_used;
} unsure_slot;

#define CACHE 1024u

typedef struct closure {
    proof_check *c;
    uint64_t loose;
    uint64_t *part_doors; // of parts: those that close it
    uint64_t *near;       // of buttons: doors that can be got to while they move
    uint64_t *held;       // of buttons: doors that who presses may stand in
    uint64_t *toggles;    // of buttons, linear: doors that `open` counts
    uint64_t undecided;   // buttons, linear: those that `odd` counts
    uint32_t *table;      // of listed states: index + 1, by hash
    size_t mask;
    uint32_t *groups, *next; // linear: index + 1 of listed states of the same doors and presses
    oct_array own;           // linear, of oct_proof_state: those that were found
    key_table known;         // their hashes
    // A flood.
    uint32_t *region, *queue;
    size_t region_count;
    uint32_t *stamps, stamp;
    uint32_t *done, round; // of parts: whose home was looked at
    uint32_t *from;        // parts that the body may be in
    size_t from_count;
    unsure_slot *cache; // of what equations tell, by `odd`
} closure;

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

static size_t count_bits(uint64_t bits)
{
    size_t count = 0;
    for (; bits; bits &= bits - 1) {
        count++;
    }
    return count;
}

// ---- the table ----

static bool is_same(const oct_proof_state *a, const oct_proof_state *b)
{
    return a->open == b->open && a->moving == b->moving && a->odd == b->odd && a->home == b->home;
}

static uint64_t hash_of(const oct_proof_state *state, uint32_t home)
{
    const uint64_t hash = oct_hash_pair(state->open, state->moving);
    return oct_hash_pair(hash >> 7, oct_hash_pair(state->odd, home) >> 9) >> 20;
}

// Of states that differ in `home` and `moving` alone.
static size_t group_of(const closure *s, const oct_proof_state *state)
{
    const oct_proof_state same = {.open = state->open, .odd = state->odd};
    return (size_t)hash_of(&same, 0) & s->mask;
}

static uint32_t *slot_of(const closure *s, const oct_proof_state *state)
{
    size_t at = (size_t)hash_of(state, state->home) & s->mask;
    while (s->table[at] && !is_same(&s->c->proof->states[s->table[at] - 1], state)) {
        at = (at + 1) & s->mask;
    }
    return &s->table[at];
}

static oct_result fill_table(closure *s)
{
    const oct_proof *const p = s->c->proof;
    s->mask = 15;
    while (s->mask < 2 * p->state_count) {
        s->mask = 2 * s->mask + 1;
    }
    s->table = oct_proof_alloc(s->c, s->mask + 1, sizeof *s->table);
    s->groups = oct_proof_alloc(s->c, s->mask + 1, sizeof *s->groups);
    s->next = oct_proof_alloc(s->c, p->state_count, sizeof *s->next);
    if (!s->table || !s->groups || !s->next) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < p->state_count; i++) {
        uint32_t *const group = &s->groups[group_of(s, &p->states[i])];
        *slot_of(s, &p->states[i]) = (uint32_t)i + 1;
        s->next[i] = *group;
        *group = (uint32_t)i + 1;
    }
    return OCT_OK;
}

// ---- what is near, and what is held ----

// Of the way from one box to another one what is measured by a body's speed: on foot the level
// part.
static double way_between(const proof_check *c, const oct_bounds *a, const oct_bounds *b)
{
    const oct_up up = c->log->info.up;
    oct_bounds from = *a, to = *b;
    if (c->walk && up == OCT_UP_X) {
        from.min.x = from.max.x = to.min.x = to.max.x = 0.0;
    } else if (c->walk && up == OCT_UP_Y) {
        from.min.y = from.max.y = to.min.y = to.max.y = 0.0;
    } else if (c->walk) {
        from.min.z = from.max.z = to.min.z = to.max.z = 0.0;
    }
    return sqrt(proof_box_distance2(&from, &to));
}

static void find_near(closure *s, uint32_t b)
{
    const proof_check *const c = s->c;
    const uint32_t thing = oct_proof_find_thing(c, c->proof->buttons[b].button.panel);
    const double most = 2.0 * c->reach + c->speed * (double)(c->slide + 2) / c->log->info.rate;
    for (uint32_t d = 0; d < c->proof->door_count; d++) {
        const double away =
            way_between(c, &oct_proof_entity(c, thing)->thing.box, oct_proof_door_box(c, d));
        s->near[b] |= !c->things[thing].stays || away <= most ? bit(d) : 0;
    }
    for (size_t i = 0; i < c->proof->part_count; i++) {
        s->held[b] |= c->contacts[b * c->proof->part_count + i] ? s->part_doors[i] : 0;
    }
}

// ---- reach ----

// Fills the region with all parts that can be reached from one; the least of them.
static uint32_t flood(closure *s, uint32_t home, uint64_t passable)
{
    const part_graph *const g = &s->c->graph;
    const uint64_t shut = ~(passable | s->loose);
    uint32_t least = home;
    s->stamp++;
    s->stamps[home] = s->stamp;
    s->region[0] = home;
    s->region_count = 1;
    for (size_t i = 0; i < s->region_count; i++) {
        const uint32_t at = s->region[i];
        least = at < least ? at : least;
        for (uint32_t k = g->first[at]; k < g->first[at + 1]; k++) {
            const uint32_t to = g->neighbours[k];
            if (s->stamps[to] != s->stamp && (s->part_doors[to] & shut) == 0) {
                s->stamps[to] = s->stamp;
                s->region[s->region_count++] = to;
            }
        }
    }
    return least;
}

// What `open` says of a door at the start, linear: what is claimed, or else what the first state
// that is listed says. Any choice is right: where equations tell something else, the door is
// passable besides; see find_unsure.
static bool begins_open(const proof_check *c, uint32_t door)
{
    const oct_proof *const p = c->proof;
    const uint32_t claimed = p->doors[door].at_start;
    return claimed == 2 ||
           (claimed != 1 && p->state_count > 0 && (p->states[0].open & bit(door)) != 0);
}

// Doors that are passable although `open` does not say so: the equations do not tell how they are
// after the odd presses, or they tell something else.
static uint64_t find_unsure(const closure *s, uint64_t odd)
{
    const proof_check *const c = s->c;
    uint64_t doors = 0;
    for (uint32_t d = 0; c->proof->is_linear && d < c->proof->door_count; d++) {
        bool at_start = begins_open(c, d), value = false;
        const bool is_known = oct_proof_sum(c, d, true, odd, &value);
        for (uint32_t b = 0; b < c->proof->button_count; b++) {
            at_start ^= (odd >> b & 1) != 0 && (s->toggles[b] & bit(d)) != 0;
        }
        doors |= !is_known || value != at_start ? bit(d) : 0;
    }
    return doors;
}

static uint64_t unsure(const closure *s, uint64_t odd)
{
    unsure_slot *const slot = &s->cache[oct_hash_word(odd) % CACHE];
    if (!slot->is_used || slot->odd != odd) {
        *slot = (unsure_slot){odd, find_unsure(s, odd), true};
    }
    return slot->doors;
}

static uint64_t passable_in(const closure *s, const oct_proof_state *state)
{
    return state->open | state->moving | unsure(s, state->odd);
}

// ---- linear: what was found, and what is listed ----

#define OWN_MAX ((size_t)1 << 20)

// Doors that the presses of a state may have moved, by what is claimed.
static uint64_t claimed_unsure(const closure *s, uint64_t odd)
{
    const oct_proof *const p = s->c->proof;
    uint64_t doors = 0;
    for (uint32_t d = 0; d < p->door_count; d++) {
        bool is = p->doors[d].at_start == 3;
        for (uint32_t b = 0; b < p->button_count && !is; b++) {
            is =
                (odd >> b & 1) != 0 && (p->effects[b * p->door_count + d] & OCT_EFFECT_TOGGLE) != 0;
        }
        doors |= is ? bit(d) : 0;
    }
    return doors;
}

// Whether a listed state may stand for one that was found: in it at least the same doors move.
static bool is_covered(closure *s, const oct_proof_state *found)
{
    const oct_proof_state *const all = s->c->proof->states;
    const uint64_t passable = passable_in(s, found) | claimed_unsure(s, found->odd);
    uint32_t i = s->groups[group_of(s, found)];
    for (; i != 0; i = s->next[i - 1]) {
        const oct_proof_state *const l = &all[i - 1];
        if (l->open == found->open && l->odd == found->odd && (found->moving & ~l->moving) == 0) {
            (void)flood(s, l->home, passable | l->moving);
            if (s->stamps[found->home] == s->stamp) {
                return true;
            }
        }
    }
    return false;
}

static bool is_known(closure *s, const oct_proof_state *state, lattice_key *key)
{
    const oct_proof_state *const own = s->own.items;
    const uint64_t hash = hash_of(state, state->home);
    // States whose hashes are the same get keys that differ in w.
    for (key->w = 0;; key->w++) {
        key->x = (int32_t)(uint32_t)hash;
        key->y = (int32_t)(uint32_t)(hash >> 32);
        const key_slot *const slot = key_table_slot(&s->known, *key);
        if (!key_slot_is_used(&s->known, slot)) {
            return false;
        }
        if (is_same(&own[slot->value], state)) {
            return true;
        }
    }
}

static oct_result find_state(closure *s, const oct_proof_state *state, const char *what)
{
    lattice_key key = {0, 0, 0, 0};
    OCT_TRY(oct_key_table_reserve(&s->known, &s->c->allocator, 1));
    if (is_known(s, state, &key)) {
        return OCT_OK;
    }
    if (!is_covered(s, state)) {
        return oct_proof_reject(s->c, "%s leads to a state that is not listed, in part %u", what,
                                state->home);
    }
    if (s->own.count >= OWN_MAX) {
        return oct_proof_reject(s->c, "there are too many states");
    }
    key_slot_fill(&s->known, key_table_slot(&s->known, key), key, (uint32_t)s->own.count);
    return oct_array_push(&s->own, &s->c->allocator, sizeof *state, state);
}

// ---- what leads where ----

// Each part of `from` leads to a state that is listed.
static oct_result expect_from(closure *s, oct_proof_state to, const char *what)
{
    const uint64_t passable = passable_in(s, &to) | s->loose;
    s->round++;
    for (size_t i = 0; i < s->from_count; i++) {
        const uint32_t part = s->from[i];
        if (s->done[part] == s->round) {
            continue;
        }
        to.home = flood(s, part, passable);
        // Who stands in a shut door can leave it, and others cannot enter.
        const bool is_all = (s->part_doors[part] & ~passable) == 0;
        for (size_t k = 0; k < s->region_count && is_all; k++) {
            s->done[s->region[k]] = s->round;
        }
        if (s->c->proof->is_linear) {
            OCT_TRY(find_state(s, &to, what));
        } else if (!*slot_of(s, &to)) {
            return oct_proof_reject(s->c, "%s leads to a state that is not listed, in part %u",
                                    what, to.home);
        }
    }
    return OCT_OK;
}

static void take_region(closure *s)
{
    memcpy(s->from, s->region, s->region_count * sizeof *s->from);
    s->from_count = s->region_count;
}

// ---- presses ----

// The doors that are open after a press for certain, and those that may be.
static void foresee(const closure *s, const oct_proof_state *before, uint32_t b, uint64_t *certain,
                    uint64_t *either)
{
    const oct_proof *const p = s->c->proof;
    *certain = *either = 0;
    if (p->is_linear) {
        *certain = before->open ^ s->toggles[b];
        *either = before->open & ~*certain & s->held[b];
        return;
    }
    for (uint32_t d = 0; d < p->door_count; d++) {
        const uint32_t effects = s->c->effects[b * p->door_count + d];
        const bool is_open = (before->open & bit(d)) != 0;
        const uint32_t same = is_open ? 2 : 1, other = is_open ? 1 : 2;
        uint32_t to = is_open && (s->held[b] & bit(d)) != 0 ? 2 : 0;
        to |= (effects & OCT_EFFECT_NOTHING) != 0 ? same : 0;
        to |= (effects & OCT_EFFECT_TOGGLE) != 0 ? other : 0;
        to |= (effects & OCT_EFFECT_OPEN) != 0 ? 2 : 0;
        to |= (effects & OCT_EFFECT_SHUT) != 0 ? 1 : 0;
        *certain |= to == 2 ? bit(d) : 0;
        *either |= to == 3 ? bit(d) : 0;
    }
}

// Doors that equations knew to be open, or did not know of, shut as others do: for a moment one
// gets through.
static oct_result expect_slips(closure *s, uint64_t before, const oct_proof_state *to, uint32_t b)
{
    const uint64_t slips = before & s->near[b] & ~passable_in(s, to) & ~s->loose;
    if (!s->c->proof->is_linear || slips == 0) {
        return OCT_OK;
    }
    const size_t count = s->from_count;
    uint32_t *const beyond = s->queue;
    size_t beyond_count = 0;
    s->round++;
    for (size_t i = 0; i < count; i++) {
        (void)flood(s, s->from[i], passable_in(s, to) | slips);
        for (size_t k = 0; k < s->region_count; k++) {
            if (s->done[s->region[k]] != s->round) {
                s->done[s->region[k]] = s->round;
                beyond[beyond_count++] = s->region[k];
            }
        }
    }
    memcpy(s->from, beyond, beyond_count * sizeof *beyond);
    s->from_count = beyond_count;
    return expect_from(s, *to, "slipping through a door that shuts");
}

// Sets `from` to where the body can press from.
static void take_contacts(closure *s, const oct_proof_state *at, uint32_t b)
{
    const proof_check *const c = s->c;
    (void)flood(s, at->home, passable_in(s, at));
    s->from_count = 0;
    for (size_t i = 0; i < s->region_count; i++) {
        if (c->contacts[b * c->proof->part_count + s->region[i]]) {
            s->from[s->from_count++] = s->region[i];
        }
    }
}

static oct_result check_press(closure *s, const oct_proof_state *before, uint32_t b)
{
    uint64_t certain, either;
    take_contacts(s, before, b);
    if (s->from_count == 0) {
        return OCT_OK;
    }
    foresee(s, before, b, &certain, &either);
    if (count_bits(either) > EITHER_MAX) {
        return oct_proof_reject(s->c, "too many links are undecided");
    }
    uint64_t chosen = 0;
    do {
        oct_proof_state to = {.open = certain | chosen, .odd = before->odd};
        to.odd ^= s->undecided & bit(b);
        to.moving = ((to.open ^ before->open) | before->moving) & s->near[b] & ~to.open;
        OCT_TRY(expect_from(s, to, "a press"));
        OCT_TRY(expect_slips(s, passable_in(s, before), &to, b));
        take_contacts(s, before, b);
        chosen = (chosen - either) & either;
    } while (chosen != 0);
    return OCT_OK;
}

// ---- states ----

static oct_result check_state(closure *s, const oct_proof_state *at)
{
    const proof_check *const c = s->c;
    const oct_proof *const p = c->proof;
    const uint64_t passable = passable_in(s, at);
    if (flood(s, at->home, passable) != at->home) {
        return oct_proof_reject(s->c, "a state is not named after its least part");
    }
    for (size_t i = 0; i < s->region_count; i++) {
        const uint32_t part = s->region[i];
        if (!p->parts[part].is_reached) {
            return oct_proof_reject(s->c, "a state leads to part %u, which is not reached", part);
        }
        if (p->target.is_known && c->target_parts[part]) {
            return oct_proof_reject(s->c, "the target can be got at from part %u in a state", part);
        }
    }
    for (uint32_t d = 0; d < p->door_count; d++) {
        if ((passable & bit(d)) != 0 && !p->doors[d].is_free && !p->doors[d].is_loose) {
            return oct_proof_reject(s->c, "door %u is passable in a state, and not free", d);
        }
        for (size_t i = 0; (passable & bit(d)) != 0 && !c->is_met[d] && i < s->region_count; i++) {
            c->is_met[d] = c->beside[d * p->part_count + s->region[i]];
        }
    }
    if (at->moving != 0) {
        take_region(s);
        OCT_TRY(expect_from(s, (oct_proof_state){.open = at->open, .odd = at->odd}, "waiting"));
    }
    for (uint32_t b = 0; b < p->button_count; b++) {
        OCT_TRY(c->can_press[b] ? check_press(s, at, b) : OCT_OK);
    }
    return OCT_OK;
}

// All states that the doors may have had at the start are listed.
static oct_result check_starts(closure *s)
{
    const proof_check *const c = s->c;
    uint64_t certain = 0, either = 0;
    for (uint32_t d = 0; d < c->proof->door_count; d++) {
        const uint32_t at = c->proof->is_linear ? (begins_open(c, d) ? 2 : 1) : c->at_start[d];
        certain |= at == 2 ? bit(d) : 0;
        either |= at == 3 ? bit(d) : 0;
    }
    if (count_bits(either) > EITHER_MAX) {
        return oct_proof_reject(s->c, "too many doors may have been either way at the start");
    }
    s->from_count = 0;
    s->round++;
    for (size_t i = 0; i < c->log->start_count; i++) {
        const uint32_t part = oct_proof_reached_at(c, c->log->starts[i].centre);
        if (s->done[part] != s->round) {
            s->done[part] = s->round;
            s->from[s->from_count++] = part;
        }
    }
    uint64_t chosen = 0;
    do {
        OCT_TRY(expect_from(s, (oct_proof_state){.open = certain | chosen}, "the start"));
        chosen = (chosen - either) & either;
    } while (chosen != 0);
    return OCT_OK;
}

#define SAMPLES 50u
#define VOTES 64u

// Which of the toggles that are claimed `open` counts at presses of a button that `odd` counts as
// well: whichever lead from listed states to listed states most often. Any choice is right, if the
// states that follow are listed.
static uint64_t vote(const closure *s, uint32_t b)
{
    const oct_proof *const p = s->c->proof;
    uint64_t masks[VOTES] = {s->toggles[b]};
    uint32_t votes[VOTES] = {0}, count = 1, best = 0;
    for (size_t i = 0; i < p->state_count && i < SAMPLES; i++) {
        for (size_t k = 0; k < p->state_count; k++) {
            const uint64_t mask = p->states[i].open ^ p->states[k].open;
            if (p->states[k].odd != (p->states[i].odd ^ bit(b)) || (mask & ~s->toggles[b]) != 0) {
                continue;
            }
            uint32_t at = 0;
            while (at < count && masks[at] != mask) {
                at++;
            }
            if (at < VOTES) {
                count = at == count ? count + 1 : count;
                masks[at] = mask;
                votes[at]++;
            }
        }
    }
    for (uint32_t i = 1; i < count; i++) {
        best = votes[i] > votes[best] ? i : best;
    }
    return masks[best];
}

static void prepare(closure *s)
{
    const proof_check *const c = s->c;
    const oct_proof *const p = c->proof;
    for (size_t i = 0; i < p->part_count; i++) {
        for (uint32_t k = 0; k < p->parts[i].door_count; k++) {
            s->part_doors[i] |= bit(p->parts[i].doors[k]);
        }
    }
    for (uint32_t d = 0; d < p->door_count; d++) {
        s->loose |= p->doors[d].is_loose ? bit(d) : 0;
    }
    for (size_t i = 0; i < p->state_count; i++) {
        s->undecided |= p->states[i].odd;
    }
    for (uint32_t b = 0; b < p->button_count; b++) {
        find_near(s, b);
        for (uint32_t d = 0; d < p->door_count; d++) {
            const size_t at = b * p->door_count + d;
            s->toggles[b] |= p->effects[at] == OCT_EFFECT_TOGGLE ? bit(d) : 0;
            const uint32_t found = c->effects[at];
            s->undecided |= (found & (found - 1)) != 0 ? bit(b) : 0;
        }
    }
    s->undecided = p->is_linear ? s->undecided : 0;
    for (uint32_t b = 0; b < p->button_count; b++) {
        s->toggles[b] = (s->undecided & bit(b)) != 0 ? vote(s, b) : s->toggles[b];
    }
}

static oct_result allocate(closure *s)
{
    proof_check *const c = s->c;
    const size_t parts = c->proof->part_count, buttons = c->proof->button_count;
    s->part_doors = oct_proof_alloc(c, parts, sizeof *s->part_doors);
    s->near = oct_proof_alloc(c, 3 * buttons, sizeof *s->near);
    s->region = oct_proof_alloc(c, 5 * parts, sizeof *s->region);
    s->cache = oct_proof_alloc(c, CACHE, sizeof *s->cache);
    if (!s->part_doors || !s->near || !s->region || !s->cache) {
        return OCT_ERROR_MEMORY;
    }
    s->held = s->near + buttons;
    s->toggles = s->held + buttons;
    s->queue = s->region + parts;
    s->stamps = s->queue + parts;
    s->done = s->stamps + parts;
    s->from = s->done + parts;
    return OCT_OK;
}

oct_result oct_proof_check_states(proof_check *c)
{
    closure s = {.c = c};
    if (c->players > 1) {
        return oct_proof_reject(c, "states of several players");
    }
    if (c->settle > 0) {
        return oct_proof_reject(c, "states where effects come late");
    }
    if (c->proof->is_linear && !c->toggles) {
        return oct_proof_reject(c, "equations where toggles are not promised");
    }
    OCT_TRY(oct_proof_find_beside(c));
    OCT_TRY(allocate(&s));
    OCT_TRY(fill_table(&s));
    prepare(&s);
    OCT_TRY(check_starts(&s));
    for (size_t i = 0; !c->proof->is_linear && i < c->proof->state_count; i++) {
        OCT_TRY(check_state(&s, &c->proof->states[i]));
    }
    for (size_t i = 0; i < s.own.count; i++) { // it grows
        const oct_proof_state own = ((const oct_proof_state *)s.own.items)[i];
        OCT_TRY(check_state(&s, &own));
    }
    return OCT_OK;
}
