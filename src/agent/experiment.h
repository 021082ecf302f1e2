// SPDX-License-Identifier: MIT
// Experiments: presses that are made in order to be certain.
//
// To act it is enough that a press is likely to help. To give up, or to say what a button does, it
// has to be certain what buttons do to doors, and only isolated presses of which both the state
// before and the state after were seen tell that (effects.h). An experiment is one step towards it:
// a look at a door, a press that tells something while the door is as it is, or a press of another
// button that brings the door into the state in which a press tells something. Where effects may be
// delayed, it stands where it sees the door from the press on until all has come.
#ifndef OCTANT_EXPERIMENT_H
#define OCTANT_EXPERIMENT_H

#include "agent/agent_internal.h"
#include "agent/possible.h"

typedef enum experiment_phase {
    EXPERIMENT_NONE,
    EXPERIMENT_LOOK,  // goes to where the door is in sight
    EXPERIMENT_PRESS, // goes to the panel, waits until nothing is pending, and presses
    EXPERIMENT_WAIT,  // for all that may come of presses
    EXPERIMENT_WATCH  // goes to where the door is in sight, and watches whether it moves by itself
} experiment_phase;

typedef struct experiment {
    experiment_phase phase;
    oct_button button;
    uint64_t door;   // id
    bool is_watched; // the door must be in sight when it presses
    oct_point place; // to press from, or to look from
    uint64_t until;  // WATCH: the tick at which it is given up; 0 = it is not there yet
    bool has_then;   // PRESS: another button is pressed at once after it
    oct_button then; // that
} experiment;

// What was tried for a link: it is given up where nothing new follows from it. A button of panel 0
// stands for looks at the door (0) and for watching it (1).
typedef struct experiment_try {
    oct_button button;
    oct_button then; // of two buttons in a row the second; panel 0 = none
    uint64_t door;
    uint32_t left;  // the effects that were not excluded at any time
    uint32_t count; // tries since then
    size_t presses; // of the history, at the last look
} experiment_try;

// Begins the next experiment that may tell something about one of the undecided links, and chooses
// the agent's action. False where there is none left.
bool oct_experiment_begin(oct_agent *a, const possible_link *links, size_t count, experiment *out);

// Begins to press two buttons in a row, the second while what the first has set going is still
// pending, and chooses the agent's action: it may stop a timer that would undo it. Each two are
// tried once, those of one panel first. False where effects are not delayed, or the game does not
// say by how much at most (each would take minutes), or all were tried.
bool oct_experiment_press_two(oct_agent *a, experiment *out);

// One turn of the second press, once the first is made: chooses the agent's action. False where
// there is none, or it cannot be made.
bool oct_experiment_press_second(oct_agent *a);

// Begins to watch one of some doors (ids), in order to see whether it moves by itself. False where
// none can be watched, or where that was in vain.
bool oct_experiment_watch(oct_agent *a, const uint64_t *doors, size_t count, experiment *out);

// One turn of it: chooses the agent's action. False when it is over, done or not.
bool oct_experiment_step(oct_agent *a, experiment *e);

// Whether everything that presses so far may set going has begun, and doors have come to rest.
bool oct_experiment_is_quiet(const oct_agent *a);

#endif
