// SPDX-License-Identifier: MIT
/// \file
/// Proofs: the data behind a fail that speaks of a level or of what buttons do, and the log of the
/// run it rests on.
///
/// An agent that gives something up for certain leaves a proof: which space its body may ever be
/// in, which doors stay shut, what buttons may do. A proof is a claim, not a conclusion: whoever
/// doubts it checks it against the log, which holds what the game told and what the agents did, and
/// nothing that an agent believed. The command does so with every fail (octant/lab.h has the
/// checker, which shares no code with agents).
///
/// Logs and proofs are plain data. They own their arrays; pointers stay valid until they are freed.
#ifndef OCTANT_PROOF_H
#define OCTANT_PROOF_H

#include "octant/game.h"
#include "octant/goal.h"
#include "octant/links.h"

// ---- the log of a run ----

/// Where a player began a life.
typedef struct oct_log_start {
    uint32_t life; ///< from 0
    uint32_t who;
    oct_pose pose;
    oct_point centre;     ///< of the body
    oct_player_body body; ///< as described; verbs are the log's
    bool walks;           ///< it goes on foot alone: it cannot fly, or the test lets it not
} oct_log_start;

/// What a game told a player at one moment. Everything that it told at the player's look before,
/// and that is not among the changes, it has told again.
typedef struct oct_log_look {
    uint64_t tick; ///< of the game, in its life
    uint32_t life;
    uint32_t who;
    oct_pose pose;
    oct_point centre; ///< of the body
    oct_point eye;
    double radius; ///< how far one sees from the eye, metres
    oct_sight sight;
    uint32_t first, count; ///< of the changes
} oct_log_look;

/// A difference to the same player's look before, in the same life.
typedef struct oct_log_change {
    uint32_t thing; ///< index of what is told now, or of what was told last and is no more
    bool is_gone;   ///< it was told at the look before, and is not now
} oct_log_change;

/// Something that an agent did, and what came of it.
typedef struct oct_log_act {
    uint64_t tick; ///< of the game, in its life, when it was told to do so
    uint32_t life;
    uint32_t who;
    oct_pose pose; ///< then
    oct_point centre;
    oct_verb verb;
    const char *name; ///< of DO, else ""; the log's
    uint64_t target;  ///< of USE
    uint32_t button;  ///< of USE
    oct_act came;
} oct_log_act;

/// What all agents of a run were told and did, in all lives, in the order of time.
typedef struct oct_run_log {
    oct_game_info info; ///< as described; its texts are the game's own and not kept
    uint32_t denies; ///< assumptions that the test denies, bits 1 << oct_assumption; among those of
                     ///< `info` too
    const oct_log_start *starts;
    size_t start_count;
    /// Each is a different way in which an entity was told: what changes gets a new one. What they
    /// point to is the log's.
    const oct_entity *things;
    size_t thing_count;
    const oct_log_look *looks;
    size_t look_count;
    const oct_log_change *changes;
    size_t change_count;
    const oct_log_act *acts;
    size_t act_count;
} oct_run_log;

/// How far a log has come: the first so many of each of its lists.
typedef struct oct_log_extent {
    size_t starts, things, looks, acts;
} oct_log_extent;

OCT_API oct_log_extent oct_run_log_extent(const oct_run_log *log);

// ---- proofs ----

/// What is claimed to be out of reach.
typedef struct oct_proof_target {
    bool is_known;  ///< it is somewhere; else it was never seen, and would be seen or got at from
                    ///< where one may be
    oct_bounds box; ///< is_known: what is to be got to, metres
    oct_bounds within; ///< is_known: one gets at it from at most `reach` metres beyond this
    double turn[4]; ///< of the axes of both, about the world's origin: a unit quaternion x y z w;
                    ///< 0 0 0 of x y z is upright
    double reach;   ///< metres; of what was never seen: from where it could be got at
    bool presses;   ///< who goes there may press everything; else only what was pressed in the run
} oct_proof_target;

/// A cube of cells that belongs to a part: cells [at << level, (at + 1) << level) on each axis.
typedef struct oct_proof_leaf {
    oct_vec at;
    uint32_t level;
    uint32_t part;
} oct_proof_leaf;

#define OCT_PROOF_PART_DOORS 4

/// A connected part of the space in which the centre of the body's ball may be. A part without
/// doors is free whatever the doors do. One with doors is free only while all of them are out of
/// the way: each of them, shut, touches the ball wherever in the part its centre is.
typedef struct oct_proof_part {
    uint32_t doors[OCT_PROOF_PART_DOORS]; ///< indices of the proof's doors
    uint32_t door_count;
    bool is_reached; ///< the body may be there, in some state
} oct_proof_part;

/// A door, and what is claimed of it.
typedef struct oct_proof_door {
    uint64_t id;
    bool is_free;  ///< CUT: it counts as out of the way. STATES: it is open or moves in some state
    bool is_loose; ///< nothing is claimed of it: it is in nobody's way in any state
    uint32_t at_start; ///< how it may have been: bit 0 = shut, bit 1 = open
} oct_proof_door;

/// What a press may do to a door.
enum {
    OCT_EFFECT_NOTHING = 1,
    OCT_EFFECT_TOGGLE = 2,
    OCT_EFFECT_OPEN = 4,
    OCT_EFFECT_SHUT = 8,
    OCT_EFFECT_ANY = 15, ///< all of them
};

/// A button that may be pressed, and the parts from which that may be.
typedef struct oct_proof_button {
    oct_button button;
    uint32_t first, count; ///< of `contacts`
} oct_proof_button;

/// A state of the doors and the body; bits are indices of doors and buttons of the proof.
typedef struct oct_proof_state {
    uint64_t open;
    uint64_t moving; ///< not open, but passable until they have arrived
    uint64_t odd;  ///< of buttons whose toggles are undecided: those pressed an odd number of times
    uint32_t home; ///< the smallest part that the body can be in
} oct_proof_state;

/// A proof of kind CUT, STATES or WITNESS.
///
/// CUT: the reached parts hold the start, and nothing leads out of them but doors that are not
/// free. None of these was open at the start, and no button that can be got at from the reached
/// parts may open it. The target cannot be got at from them.
///
/// STATES: the states hold all possible starts, and every press from every state, and waiting,
/// leads to one of them. In none of them can the target be got at.
///
/// Where a door is in its way, or the target was never seen, everything that can be got at from the
/// reached parts was in sight.
///
/// WITNESS: what presses of its buttons do to its doors, as far as the log of the run tells: each
/// is one of the effects listed, all four where nothing is claimed. It says nothing of space: no
/// target, leaves, parts, contacts or states.
typedef struct oct_proof {
    oct_proof_kind kind;
    uint32_t assumes; ///< bits 1 << oct_assumption
    /// What it was claimed from. A fail needs that it holds of the whole log as well.
    oct_log_extent extent;
    oct_proof_target target;
    oct_point origin; ///< of the lattice: corner of cell 0, any of the map that it is taken from
    double cell_size; ///< metres
    double radius;    ///< of the body's ball, metres: half its least measure, less 2 mm
    /// Where the ball could go on from what is reached, nobody gets on foot: by steps, jumps and
    /// falls from what may be floor, within what the bodies are described to be able to.
    bool is_on_foot;
    /// All leaves of the reached parts, and those leaves of other parts that touch them.
    const oct_proof_leaf *leaves;
    size_t leaf_count;
    const oct_proof_part *parts;
    size_t part_count;
    const oct_proof_door *doors;
    size_t door_count;
    const oct_proof_button *buttons;
    size_t button_count;
    const uint32_t *contacts; ///< parts
    size_t contact_count;
    const uint8_t
        *effects; ///< [button * door_count + door]: OCT_EFFECT_ bits that are not excluded
    const oct_proof_state *states; ///< of STATES
    size_t state_count;
    bool is_linear; ///< of STATES: every link is a toggle or nothing, and equations tell how doors
                    ///< are
} oct_proof;

/// Frees what a log or a proof owns, and the struct; NULL is allowed.
OCT_API void oct_run_log_destroy(oct_run_log *log);
OCT_API void oct_proof_destroy(oct_proof *proof);

#endif
