// SPDX-License-Identifier: MIT
// What the parts of the search for links share: what is known, and where one may go.
#ifndef OCTANT_LINK_RECRUITS_HUNT_INTERNAL_H
#define OCTANT_LINK_RECRUITS_HUNT_INTERNAL_H

#include "base/key_table.h"
#include "link/recruits_ground.h"
#include "link/recruits_hunt.h"

#define HUNT_DOORS_MAX 256
#define HUNT_BUTTONS_MAX 128 // bits of a plan's presses
#define HUNT_WORDS 2
#define HUNT_FIRE_HARM 5.0
#define HUNT_PRICE 1000.0 // of a fire, metres

// A place from which a door is most likely in sight.
typedef struct hunt_site {
    uint32_t door, place, region;
} hunt_site;

// A region in which a button can be pressed.
typedef struct hunt_stand {
    uint32_t button, region;
} hunt_stand;

// A press after which one gets through a door that it shuts, before the panel is there.
typedef struct hunt_slip {
    uint32_t button, door;
    uint32_t from, to;   // regions
    uint32_t stand, far; // places
    double length;
    uint32_t failures;
} hunt_slip;

typedef struct hunt_door {
    const char *id;
    oct_point origin;
} hunt_door;

typedef struct hunt_button {
    const char *id;
    oct_point origin;
    uint32_t presses;
    bool is_on, is_seen, is_through_fire;
    bool is_dead; // it does not answer
} hunt_button;

typedef struct hunt_failure {
    uint32_t door, place;
} hunt_failure;

// A state of a plan.
typedef struct plan_state {
    uint32_t region, entries, depth; // where; fires and presses up to here
    uint32_t parent, button;         // the state before, and what was pressed there
    uint32_t slip;                   // of the slips: how it went on from there; NONE
    uint64_t pressed[HUNT_WORDS];    // odd times since now
} plan_state;

// What to do next.
typedef enum hunt_step { HUNT_LOOK, HUNT_PRESS, HUNT_SLIP, HUNT_NOTHING, HUNT_LIMIT } hunt_step;

// What a plan may do beside what is certain.
#define HUNT_MAY_TRY 1u  // pass doors that are not known
#define HUNT_MAY_SLIP 2u // and doors that shut

struct recruits_hunt {
    oct_allocator allocator;
    recruits_hunt_def def;
    recruits_ground ground;
    bool has_ground, is_changed; // regions are to be made anew
    oct_links *links;
    oct_array doors, buttons; // hunt_door, hunt_button
    oct_array fires;          // oct_point
    oct_array sites, stands;  // hunt_site, hunt_stand
    oct_array slips;          // hunt_slip
    bool has_slips;           // they are those of these regions
    oct_array failures;       // hunt_failure
    oct_arena names;
    oct_door_state states[HUNT_DOORS_MAX]; // as is known now
    oct_array unseen;                      // uint32_t: places of each region that were not seen
    recruits_view view;                    // of the last command: health, place
    uint32_t at, start;                    // the places where it is, and where the life began
    // Doors as it walks: where it may try, a door that is not known is MOVING, which bars nothing.
    oct_door_state walks[HUNT_DOORS_MAX];
    bool tries;                  // it walks so
    uint64_t root;               // hash of the state that the last plan began with
    oct_array tried;             // uint64_t: states in which trying came to nothing
    uint64_t parity[HUNT_WORDS]; // of the presses of this life
    uint32_t presses_of_life, presses, entered, lives;
    uint64_t press_tick;
    bool is_lost;  // it does not know whether a press had an effect
    double past_s; // of the lives before
    double health;
    oct_array way; // uint32_t
    // Of plans.
    oct_array known;                   // uint8_t: an oct_link of each pair
    oct_array plan_states, plan_costs; // plan_state; uint32_t of each region
    oct_heap heap;
    key_table seen;
    recruits_pair *pairs;
    size_t pair_count;
    uint32_t stuck;
};

static inline hunt_door *hunt_door_at(const recruits_hunt *h, size_t i)
{
    return (hunt_door *)h->doors.items + i;
}

static inline hunt_button *hunt_button_at(const recruits_hunt *h, size_t i)
{
    return (hunt_button *)h->buttons.items + i;
}

// Whether a door was not seen from a place from which it should be.
static inline bool hunt_has_failed(const recruits_hunt *h, uint32_t door, uint32_t place)
{
    const hunt_failure *const all = h->failures.items;
    for (size_t i = 0; i < h->failures.count; i++) {
        if (all[i].door == door && all[i].place == place) {
            return true;
        }
    }
    return false;
}

// ---- recruits_hunt_plan.c ----

// The next step from where it is, entering at most so many fires: a button to press, or to look
// around from where it can get to without a press. `may`: HUNT_MAY_... . *what gets the button, or
// of a SLIP its index.
oct_result oct_recruits_hunt_plan(recruits_hunt *h, uint32_t budget, uint32_t may, hunt_step *step,
                                  uint32_t *what);

// ---- recruits_hunt_walk.c ----

// Takes in what a command told.
oct_result oct_recruits_hunt_take(recruits_hunt *h, const recruits_view *view);
// Goes to a place by the last flood; *arrives is false where something new was seen, or is in the
// way.
oct_result oct_recruits_hunt_go(recruits_hunt *h, uint32_t place, bool *arrives);
oct_result oct_recruits_hunt_look(recruits_hunt *h);
// Walks straight to a point; *arrives is false where something is in the way.
oct_result oct_recruits_hunt_walk(recruits_hunt *h, oct_point to, bool *arrives);
void oct_recruits_hunt_predict(recruits_hunt *h);

#endif
