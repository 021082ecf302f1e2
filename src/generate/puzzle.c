// SPDX-License-Identifier: MIT
// What can be reached in a puzzle.
//
// One who waits until all doors stand still is in a state: which doors are open, and in which of
// the parts that shut doors cut the rooms into. A press leads from state to state, and the same
// press leads back. The states of doors are those that combinations of buttons lead to: with masks
// of rank r there are 2^r, which number the states without a hash.
//
// Anyone else is bounded from above: doors that could ever open are taken for open.
#include "generate/puzzle.h"

// ---- linear algebra over GF(2) ----

// Rows with different highest bits: row i is 0 or has bit i as its highest.
static bool basis_add(uint32_t *basis, uint32_t mask)
{
    for (int bit = 31; mask != 0 && bit >= 0; bit--) {
        if (!(mask >> bit & 1u)) {
            continue;
        }
        if (basis[bit] == 0) {
            basis[bit] = mask;
            return true;
        }
        mask ^= basis[bit];
    }
    return false;
}

static bool basis_spans(const uint32_t *basis, uint32_t mask)
{
    for (int bit = 31; mask != 0 && bit >= 0; bit--) {
        if (mask >> bit & 1u) {
            mask ^= basis[bit];
            if (mask >> bit & 1u) {
                return false;
            }
        }
    }
    return mask == 0;
}

uint32_t oct_puzzle_rank(const uint32_t *masks, uint32_t count)
{
    uint32_t basis[32] = {0};
    uint32_t rank = 0;
    for (uint32_t i = 0; i < count; i++) {
        rank += basis_add(basis, masks[i]);
    }
    return rank;
}

// ---- anyone ----

uint64_t oct_puzzle_flood(const puzzle *p, uint32_t open, uint32_t from)
{
    uint64_t rooms = UINT64_C(1) << from;
    for (uint64_t before = 0; before != rooms;) {
        before = rooms;
        for (uint32_t i = 0; i < p->ways; i++) {
            const puzzle_way *const way = &p->way[i];
            const uint64_t ends = UINT64_C(1) << way->a | UINT64_C(1) << way->b;
            if ((rooms & ends) && (way->door == PUZZLE_NONE || (open >> way->door & 1u))) {
                rooms |= ends;
            }
        }
    }
    return rooms;
}

uint64_t oct_puzzle_hope(const puzzle *p, uint32_t held, bool all_buttons)
{
    uint32_t open = p->open & ~held;
    uint64_t rooms = 0;
    for (uint32_t before = ~open; before != open;) {
        before = open;
        rooms = oct_puzzle_flood(p, open, p->start);
        for (uint32_t i = 0; i < p->buttons; i++) {
            if (all_buttons || (rooms >> p->room_of[i] & 1u)) {
                open |= p->toggles[i] & ~held;
            }
        }
    }
    return rooms;
}

// To get past the inner door one has to be in the room when it opens, and it opens when the outer
// door shuts: so one has to get through that one after the press, for there are no buttons inside.
bool oct_puzzle_is_trap(const puzzle *p, const puzzle_pair *pair, uint32_t far, uint32_t target)
{
    const uint32_t outer = UINT32_C(1) << pair->outer, inner = UINT32_C(1) << pair->inner;
    uint32_t ways = 0;
    for (uint32_t i = 0; i < p->ways; i++) {
        if (p->way[i].a == pair->room || p->way[i].b == pair->room) {
            const uint8_t door = p->way[i].door;
            if (door == PUZZLE_NONE || (door != pair->outer && door != pair->inner)) {
                return false;
            }
            ways++;
        }
    }
    const uint64_t outside = oct_puzzle_hope(p, inner, false);
    if (ways != 2 || p->start == pair->room || (outside >> target & 1u) ||
        !(p->open & outer) == !(p->open & inner)) {
        return false;
    }
    for (uint32_t i = 0; i < p->buttons; i++) {
        const bool is_far = far >> i & 1u;
        const uint32_t both = p->toggles[i] & (outer | inner);
        if (p->room_of[i] == pair->room || ((outside >> p->room_of[i] & 1u) && both != 0 &&
                                            (both != (outer | inner) || !is_far))) {
            return false;
        }
    }
    return true;
}

// ---- one who waits ----

oct_result oct_puzzle_search_create(puzzle_search *s, const oct_allocator *allocator,
                                    uint32_t rooms)
{
    const uint32_t capacity = rooms << PUZZLE_RANK_MAX;
    *s = (puzzle_search){.allocator = *allocator, .capacity = capacity};
    s->bytes = capacity * (sizeof *s->states + sizeof *s->index);
    s->memory = oct_alloc(allocator, s->bytes, _Alignof(puzzle_state));
    if (!s->memory) {
        return OCT_ERROR_MEMORY;
    }
    s->states = s->memory;
    s->index = (uint32_t *)(s->states + capacity);
    return OCT_OK;
}

void oct_puzzle_search_destroy(puzzle_search *s)
{
    oct_free(&s->allocator, s->memory, s->bytes);
}

static uint32_t least_room(uint64_t rooms)
{
    uint32_t room = 0;
    while (!(rooms >> room & 1u)) {
        room++;
    }
    return room;
}

// Which combination of buttons leads to these doors: the bits at which the rows have their highest.
// They tell combinations apart, since no two differ in none of them.
static uint32_t combination(const uint32_t *basis, uint32_t changed)
{
    uint32_t number = 0, rank = 0;
    for (int bit = 31; bit >= 0; bit--) {
        if (basis[bit] != 0) {
            number |= (changed >> bit & 1u) << rank++;
        }
    }
    return number;
}

// Enters a state if it is new; returns its index.
static uint32_t enter(puzzle_search *s, const puzzle *p, const uint32_t *basis, puzzle_state state)
{
    uint32_t *const index =
        &s->index[combination(basis, state.open ^ p->open) * p->rooms + least_room(state.rooms)];
    if (*index == 0) {
        s->states[s->count++] = state;
        *index = s->count;
        for (uint32_t room = 0; room < p->rooms; room++) {
            if ((state.rooms >> room & 1u) && s->first[room] == 0) {
                s->first[room] = s->count;
            }
        }
    }
    return *index - 1;
}

bool oct_puzzle_search_run(puzzle_search *s, const puzzle *p)
{
    uint32_t basis[32] = {0};
    uint32_t rank = 0;
    for (uint32_t i = 0; i < p->buttons; i++) {
        rank += basis_add(basis, p->toggles[i]);
    }
    if (rank > PUZZLE_RANK_MAX || p->rooms << PUZZLE_RANK_MAX > s->capacity) {
        return false;
    }
    memset(s->index, 0, ((size_t)p->rooms << rank) * sizeof *s->index);
    memset(s->first, 0, sizeof s->first);
    memset(s->loops, 0, sizeof s->loops);
    s->count = s->reachable = 0;
    enter(s, p, basis,
          (puzzle_state){.rooms = oct_puzzle_flood(p, p->open, p->start), .open = p->open});
    for (uint32_t at = 0; at < s->count; at++) {
        const puzzle_state here = s->states[at];
        for (uint32_t i = 0; i < p->buttons; i++) {
            if (!(here.rooms >> p->room_of[i] & 1u)) {
                continue;
            }
            const uint32_t bit = UINT32_C(1) << i;
            const uint32_t open = here.open ^ p->toggles[i];
            const puzzle_state next = {.rooms = oct_puzzle_flood(p, open, p->room_of[i]),
                                       .open = open,
                                       .parity = here.parity ^ bit,
                                       .from = at,
                                       .presses = here.presses + 1,
                                       .button = (uint8_t)i};
            const uint32_t to = enter(s, p, basis, next);
            s->reachable |= bit;
            basis_add(s->loops, s->states[to].parity ^ next.parity);
        }
    }
    return true;
}

uint32_t oct_puzzle_search_presses(const puzzle_search *s, uint32_t room)
{
    return s->first[room] == 0 ? UINT32_MAX : s->states[s->first[room] - 1].presses;
}

void oct_puzzle_search_solution(const puzzle_search *s, uint32_t room, uint8_t *out)
{
    uint32_t at = s->first[room] - 1;
    for (; s->states[at].presses > 0; at = s->states[at].from) {
        out[s->states[at].presses - 1] = s->states[at].button;
    }
}

// A door tells, between two sightings, how the presses in between toggled it together: one linear
// equation. Possible are the presses between any two states in which the door is in sight, and any
// loop on the way. A link is known for certain where these equations span it.
void oct_puzzle_search_learnable(const puzzle_search *s, const puzzle *p, uint32_t *out)
{
    memset(out, 0, p->buttons * sizeof *out);
    for (uint32_t i = 0; i < p->ways; i++) {
        const uint32_t door = p->way[i].door;
        const uint64_t beside = UINT64_C(1) << p->way[i].a | UINT64_C(1) << p->way[i].b;
        if (door == PUZZLE_NONE) {
            continue;
        }
        uint32_t basis[32];
        memcpy(basis, s->loops, sizeof basis);
        const puzzle_state *first = NULL;
        for (uint32_t k = 0; k < s->count; k++) {
            if (s->states[k].rooms & beside) {
                first = first ? first : &s->states[k];
                basis_add(basis, s->states[k].parity ^ first->parity);
            }
        }
        for (uint32_t b = 0; first && b < p->buttons; b++) {
            if (basis_spans(basis, UINT32_C(1) << b)) {
                out[b] |= UINT32_C(1) << door;
            }
        }
    }
}
