// SPDX-License-Identifier: MIT
// The press planner's insides: what it thinks with, shared by the files that find places to press
// from, that search states, and that say why nothing helps.
#ifndef OCTANT_PRESS_PLANNER_INTERNAL_H
#define OCTANT_PRESS_PLANNER_INTERNAL_H

#include "agent/links_internal.h"
#include "agent/press_planner.h"
#include "base/key_table.h"

// Doors and buttons that are thought about, bits of sets; states that are looked at.
#define PRESS_DOORS_THOUGHT 64u
#define PRESS_BUTTONS_THOUGHT 64u
#define PRESS_STATES_MAX 50000u
#define PRESS_NO_DOOR UINT32_MAX

// A place from which a button can be pressed. A door does not shut on who stands in its doorway:
// who presses there can leave on either side, whatever the press does to that door.
typedef struct press_place {
    uint32_t button; // of the links
    uint32_t bit;    // of sets of buttons; PRESS_BUTTONS_THOUGHT where its presses change nothing
    uint32_t room;   // that it is in; of one that holds a door: the one that it leads to
    uint32_t holds;  // the door in whose doorway it is, of the belief; PRESS_NO_DOOR = none
    oct_point at;
} press_place;

// What presses lead to: the doors, and where the body is.
typedef struct press_state {
    uint64_t pressed; // buttons, an odd number of times
    uint64_t open;    // doors
    uint64_t unsure;  // doors that may be open or shut
    uint32_t home;    // the smallest room of those that it can reach
    uint32_t parent;
    uint32_t place; // from which the last button was pressed
    uint32_t presses;
    bool is_avoided; // one of the buttons is to be avoided
} press_state;

// How the doors are after presses.
typedef struct press_outlook {
    uint64_t open, unsure;
} press_outlook;

typedef struct press_planner {
    oct_agent *a;
    const oct_links *links;
    const press_aim *aim;
    bool explains; // it only has to say why
    room_graph rooms;
    oct_array seeds;  // of oct_point: the body, places of the aim, places of buttons
    oct_array places; // of press_place
    oct_array states; // of press_state
    uint32_t buttons[PRESS_BUTTONS_THOUGHT];
    uint32_t button_count;
    key_table visited;  // of states
    oct_array outlooks; // of press_outlook
    key_table foreseen; // sets of buttons, pressed an odd number of times: indices of outlooks
    uint8_t *reach;     // of rooms: which a state reaches
    uint32_t body;      // its room
    uint64_t situation; // what is known now
    bool may_hold;      // presses from doorways are thought of: one may not get back from them
} press_planner;

static inline const passage *press_passages(const press_planner *w)
{
    return w->rooms.passages.items;
}

static inline uint32_t press_entity(const press_planner *w, uint32_t door)
{
    return door < w->rooms.doors.count ? ((const uint32_t *)w->rooms.doors.items)[door] : door;
}

static inline uint64_t press_bit(size_t door)
{
    return door < PRESS_DOORS_THOUGHT ? UINT64_C(1) << door : 0;
}

static inline const press_state *press_state_at(const press_planner *w, size_t index)
{
    return (const press_state *)w->states.items + index;
}

static inline const press_place *press_place_at(const press_planner *w, size_t index)
{
    return (const press_place *)w->places.items + index;
}

// ---- press_places.c ----

// Seeds of rooms, the body's first, then those of the aim; and places of buttons.
oct_result oct_press_seeds(press_planner *w);

// ---- press_states.c ----

bool oct_press_link_of(const press_planner *w, size_t door, uint32_t *index);
// Buttons whose presses may change something get a bit.
void oct_press_number_buttons(press_planner *w);
// Which rooms can be reached from one, with these doors open. Returns the smallest.
uint32_t oct_press_reach(press_planner *w, uint32_t from, uint64_t open);
// How the doors are after some buttons were pressed.
void oct_press_foresee(const press_planner *w, uint64_t pressed, uint64_t *open, uint64_t *unsure);
// Adds the state after a press, if it is a new one. From a room of it.
oct_result oct_press_add_state(press_planner *w, press_state s, uint32_t from);
// Whether a button can be pressed from a place in a state. The state's reach must be set.
bool oct_press_can(const press_planner *w, const press_state *s, const press_place *p);
// Whether the target is in reach, as that was set last.
bool oct_press_reaches_target(const press_planner *w);

// ---- press_explain.c ----

// Why the target cannot be got to. All states must have been found.
void oct_press_explain(press_planner *w, press_answer *out);

#endif
