// SPDX-License-Identifier: MIT
// Plans for a turn: what a guard answers with.
//
// A guard makes a plan and changes nothing: what to do, on which way, why the goal would fail
// otherwise, and a thought for people. Only the plan of the action that is chosen is carried out.
// Each tactic has a plan of its own, so several may be made in a turn (ANYof asks all its guards).
#ifndef OCTANT_TURN_PLAN_H
#define OCTANT_TURN_PLAN_H

#include "agent/press_planner.h"

// A press at the end of the way.
typedef struct planned_press {
    bool is_new;      // it was thought out now; else it was chosen in an earlier turn
    uint32_t button;  // of the links
    oct_point stand;  // from there
    uint64_t devices; // what was known of buttons and doors
    press_note note;  // of a new one
} planned_press;

typedef struct turn_plan {
    planned_way way;             // where the body goes; there where its kind is NONE
    char thought[128];           // "" = none
    char reason[OCT_REASON_MAX]; // why the goal fails, if it does; "" = nothing is said
    planned_press press;
} turn_plan;

// Whether there is something to do, and what. The target may be NULL.
typedef bool turn_plan_fn(goal_target *e, oct_agent *a, turn_plan *out);
typedef oct_did carry_out_fn(goal_target *e, oct_agent *a, const turn_plan *plan);

// A tactic of one action: its guard makes a plan, the action carries it out. Takes over one use of
// the target; NULL = it is about none.
oct_tactic *oct_plan_tactic(const oct_allocator *allocator, goal_target *e, const char *name,
                            turn_plan_fn *make, carry_out_fn *carry_out);
// The same for a target that has to be there: NULL gives NULL.
oct_tactic *oct_plan_for_target(goal_target *e, const char *name, turn_plan_fn *make,
                                carry_out_fn *carry_out);

// Goes on the way for a turn; DONE where it is there.
oct_did oct_plan_go(goal_target *e, oct_agent *a, const turn_plan *plan);

#endif
