// SPDX-License-Identifier: MIT
// What is not excluded: whether the most generous reading of everything that was seen leaves a way.
//
// Agents act on what is likely. They give up for certain only what is excluded here, from the start
// of the run on, whatever was done since. Two steps. Relaxed: all buttons that may be reached are
// pressed, and a door that one of them may open is in nobody's way. Where that leaves a way, and
// nothing that a press sets going is delayed, exact: all states of doors and places that presses
// may lead to are searched. What was not seen is free, and may hold a button that does anything.
#ifndef OCTANT_POSSIBLE_H
#define OCTANT_POSSIBLE_H

#include "agent/config_space.h"
#include "agent/effects.h"
#include "octant/proof.h"

typedef enum possible_status {
    POSSIBLE_EXCLUDED, // there is no way
    POSSIBLE_UNSEEN,   // there is none, unless in a place that was not seen
    POSSIBLE_MAYBE,    // there may be one
    POSSIBLE_LIMIT     // too many states to look at all of them
} possible_status;

// What is asked.
typedef struct possible_question {
    const oct_history *history;
    const oct_game_info *info;
    const oct_tree *lattice; // whose cells are used
    const oct_links *links;  // that know all presses of the history; may be NULL
    bool is_known;           // whether it is known where to go; else something is looked for
    oct_bounds target;       // what is to be got to
    oct_bounds within;       // from where, at most `reach` metres beyond
    double turn[4];          // the axes of both, about the origin of the world: a unit quaternion
    double reach;            // metres; of what is looked for, from where it can be got at
    oct_point near;          // of what was not seen, the places nearest to this are told
    bool presses;            // who goes there may press everything; else what was pressed before
    oct_proof **proof;       // EXCLUDED: set to why, which is the caller's; NULL = nobody asks
} possible_question;

// A button of which it is not certain what it does to a door, where that matters.
typedef struct possible_link {
    oct_button button;
    uint64_t door;    // id
    uint32_t effects; // that are not excluded
} possible_link;

#define POSSIBLE_LINKS_MAX 64
#define POSSIBLE_DOORS_MAX 8

typedef struct possible_answer {
    possible_status status;
    uint32_t assumes;     // EXCLUDED, UNSEEN: what that rests on, bits 1 << oct_assumption
    unseen_places unseen; // UNSEEN: where. MAYBE: where a look may tell more
    bool has_carrier;     // UNSEEN: something moves that may hide and carry what was not seen
    uint64_t carrier;     // id
    bool has_denied;      // MAYBE: an assumption that it would rest on is denied
    oct_assumption denied;
    bool is_exact;      // EXCLUDED: the exact step decided
    bool is_on_foot;    // EXCLUDED: for who walks alone
    const char *untold; // not EXCLUDED: a limit of the body that is not told; NULL or "" = none
    uint64_t claims;    // EXCLUDED, and claimed by an agent: which of its proofs; see oct_ground
    // Not EXCLUDED: what would have to be known first, the nearest to the start first.
    possible_link undecided[POSSIBLE_LINKS_MAX];
    size_t undecided_count;
    // Doors that may move by themselves, as far as is known: they were not watched for long enough.
    uint64_t unwatched[POSSIBLE_DOORS_MAX];
    size_t unwatched_count;
} possible_answer;

// *question->proof is NULL unless the answer is EXCLUDED.
oct_result oct_possible_ask(const possible_question *question, const oct_allocator *allocator,
                            possible_answer *out);

// The relaxed step alone, whatever it leaves: which space and doors are not excluded for anybody.
// It comes as a proof of kind NONE without leaves: the space has what they would say, by its own
// cells. Both are gone after the call; there is none where nothing is known.
typedef oct_result possible_model_fn(void *ctx, const oct_proof *model, const config_space *space);
oct_result oct_possible_model(const possible_question *question, const oct_allocator *allocator,
                              possible_model_fn *see, void *ctx);

#endif
