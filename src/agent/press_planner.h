// SPDX-License-Identifier: MIT
// Press planner: which button to press next, and why nothing helps.
//
// The world is thought of as rooms and doors (room_graph.h), a press as what is certain about its
// links. From the present state of the doors all states that presses lead to are searched, fewest
// presses first: for one in which the target can be reached; else for one in which there is
// something to be learned (a button whose links are open, a room or a door beyond which nothing
// is known yet).
#ifndef OCTANT_PRESS_PLANNER_H
#define OCTANT_PRESS_PLANNER_H

#include "agent/goal_target.h"
#include "agent/room_graph.h"

#define PRESS_PLACES_MAX 6
#define PRESS_DOORS_MAX 4

// What it is all about.
typedef struct press_aim {
    oct_point stands[PRESS_PLACES_MAX]; // places one of which is to be reached
    size_t stand_count;                 // 0: it is not known where it is
    bool learns;                        // all links are to be certain, nothing has to be reached
    bool presses;                       // who goes there presses buttons for it
    bool holds;                         // also from doorways, from where one may not get back
    bool explores;                      // there is something to explore
    const char *what;                   // how people call it
} press_aim;

typedef enum press_step {
    PRESS_STEP_PRESS,   // a button that can be reached now
    PRESS_STEP_EXPLORE, // what lies behind an open door is to be explored first
    PRESS_STEP_NOTHING  // nothing helps
} press_step;

// What is remembered of a press once it is chosen.
typedef struct press_note {
    uint64_t situation; // what is known now, as one number
    uint64_t knowledge; // how much is
    uint32_t sight;     // the door that is to be seen, of the belief's entities, or some other
    bool has_sight;     // mark; whether there is one
} press_note;

typedef struct press_answer {
    press_step step;
    uint32_t button;                 // PRESS: of the links
    oct_point stand;                 // PRESS: from where
    bool is_for_target;              // PRESS: the first press of a plan that ends at the target
    uint32_t presses;                // PRESS: of the plan
    press_note note;                 // PRESS
    char why[OCT_REASON_MAX];        // NOTHING: where no doors do
    uint32_t doors[PRESS_DOORS_MAX]; // NOTHING: that seal the target, entities of the belief
    size_t door_count;
    bool is_undecided; // NOTHING: that says nothing about the world
    bool is_vague; // NOTHING: no door was found that leads there, and it is not known where "there"
                   // is connected to: exploring may show one
} press_answer;

// Asking changes nothing.
oct_result oct_press_planner_ask(oct_agent *a, const press_aim *aim, press_answer *out);
// The press that was answered with is going to be made: it will not be thought of again until
// something new is known.
oct_result oct_press_planner_take(oct_agent *a, uint32_t button, const press_note *note);

// Why the aim cannot be reached as things are, whatever presses would do.
oct_result oct_press_planner_explain(oct_agent *a, const press_aim *aim, press_answer *out);

#endif
