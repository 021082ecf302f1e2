// SPDX-License-Identifier: MIT
// Wits: which button to press next, and why nothing helps.
//
// The world is thought of as regions and doors (regions.h), a press as what is certain about its
// links. From the present state of the doors all states that presses lead to are searched, fewest
// presses first: for one in which the target can be reached; else for one in which there is
// something to be learned (a button whose links are open, a region or a door beyond which nothing
// is known yet).
#ifndef OCTANT_WITS_H
#define OCTANT_WITS_H

#include "agent/errand.h"
#include "agent/regions.h"

#define WITS_STANDS_MAX 6
#define WITS_DOORS_MAX 4

// What it is all about.
typedef struct wits_aim {
    oct_point stands[WITS_STANDS_MAX]; // places one of which is to be reached
    size_t stand_count;                // 0: it is not known where it is
    bool learns;                       // all links are to be certain, nothing has to be reached
    bool presses;                      // who goes there presses buttons for it
    bool holds;                        // also from doorways, from where one may not get back
    bool explores;                     // there is something to explore
    const char *what;                  // how people call it
} wits_aim;

typedef enum wits_step {
    WITS_PRESS,   // a button that can be reached now
    WITS_EXPLORE, // what lies behind an open door is to be explored first
    WITS_NOTHING  // nothing helps
} wits_step;

// What is remembered of a press once it is chosen.
typedef struct wits_note {
    uint64_t situation; // what is known now, as one number
    uint64_t knowledge; // how much is
    uint32_t sight;     // the door that is to be seen, of the belief's entities, or some other
    bool has_sight;     // mark; whether there is one
} wits_note;

typedef struct wits_answer {
    wits_step step;
    uint32_t button;                // PRESS: of the links
    oct_point stand;                // PRESS: from where
    bool is_for_target;             // PRESS: the first press of a plan that ends at the target
    uint32_t presses;               // PRESS: of the plan
    wits_note note;                 // PRESS
    char why[OCT_REASON_MAX];       // NOTHING: where no doors do
    uint32_t doors[WITS_DOORS_MAX]; // NOTHING: that seal the target, entities of the belief
    size_t door_count;
    bool is_undecided; // NOTHING: that says nothing about the world
    bool is_vague; // NOTHING: no door was found that leads there, and it is not known where "there"
                   // is connected to: exploring may show one
} wits_answer;

// Asking changes nothing.
oct_result oct_wits_ask(oct_agent *a, const wits_aim *aim, wits_answer *out);
// The press that was answered with is going to be made: it will not be thought of again until
// something new is known.
oct_result oct_wits_take(oct_agent *a, uint32_t button, const wits_note *note);

// Why the aim cannot be reached as things are, whatever presses would do.
oct_result oct_wits_explain(oct_agent *a, const wits_aim *aim, wits_answer *out);

#endif
