// SPDX-License-Identifier: MIT
// What the two steps of the question share.
#ifndef OCTANT_POSSIBLE_INTERNAL_H
#define OCTANT_POSSIBLE_INTERNAL_H

#include "agent/possible.h"
#include "agent/space_cache.h"

// A button that was told, and the parts of space from which it may be pressed.
typedef struct possible_button {
    oct_button button;
    oct_bounds panel;
    uint32_t first, count; // of the contacts
} possible_button;

typedef struct possible {
    const possible_question *q;
    possible_answer *out;
    const struct walk_limits *limits; // NULL = who flies
    bool is_on_foot;                  // floors were asked about
    oct_allocator allocator;
    effect_rules rules;
    space_cache *spaces; // the history's; on foot its own
    config_space *space; // of these
    oct_array starts;    // of uint32_t: parts
    oct_array targets;   // of uint32_t: parts from which the target can be got at
    oct_array buttons;   // of possible_button
    oct_array contacts;  // of uint32_t: parts
    size_t doors, parts;
    uint8_t *effects;       // [button * doors + door]: those that are not excluded
    uint8_t *is_loose;      // of doors: nothing follows from how they were seen
    uint8_t *free;          // of doors: in nobody's way
    uint8_t *met;           // of doors, once states were searched: see find_met
    uint8_t *reached;       // of parts
    bool is_open_ended;     // a start is where nothing is known of space
    possible_model_fn *see; // of the model, where that is asked for
    void *see_ctx;
    // Of the exact step, where a proof is asked for and it has decided:
    oct_array states; // of oct_proof_state
    bool is_linear;   // see there
} possible;

static inline const history_door *possible_door(const possible *p, size_t door)
{
    return (const history_door *)p->q->history->doors.items + door;
}

static inline const history_thing *possible_door_thing(const possible *p, size_t door)
{
    return (const history_thing *)p->q->history->things.items + possible_door(p, door)->thing;
}

static inline bool possible_denies(const possible *p, oct_assumption a)
{
    return (p->q->info->denies >> a & 1) != 0;
}

static inline uint32_t possible_effects(const possible *p, size_t button, size_t door)
{
    return p->effects[button * p->doors + door];
}

// Whether some, but not all, of the effects are among others.
static inline bool effects_divide(uint32_t effects, uint32_t others)
{
    return (effects & others) != 0 && (effects & ~others) != 0;
}

bool oct_possible_reaches(const possible *p, const uint32_t *parts, size_t count);
// How far from a body something may be that it is asked about, metres.
double oct_possible_reach(const possible *p);
// What a press may have done to a door; see may_move_fn.
bool oct_possible_may_move(void *ctx, oct_button button, uint32_t door);

// Adds a link to those that are undecided, once.
void oct_possible_note(possible *p, size_t button, uint32_t door);

// ---- possible_states.c ----

// The exact step: whether some state that presses lead to has the target; LIMIT where there are too
// many. Then the parts that are reached in some state, and the doors that are open in some, are
// those of all states; `met` are the doors that in some state are open while a body, or what it
// reaches for, may go through them.
oct_result oct_possible_search(possible *p, possible_status *out);
// How a door may have been at the start, by all that the step that decided takes into account: bit
// 0 = shut, bit 1 = open.
uint32_t oct_possible_at_start(possible *p, uint32_t door);

// ---- possible_proof.c ----

// Writes down what is free and reached, and why.
oct_result oct_possible_prove(possible *p, oct_proof_kind kind, oct_proof **out);
// Shows the same, but for the leaves, to who asked for the model.
oct_result oct_possible_show(possible *p);

#endif
