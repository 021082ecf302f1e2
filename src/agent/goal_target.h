// SPDX-License-Identifier: MIT
// Targets: what a goal or tactic of the library is about, shared by all its parts.
#ifndef OCTANT_GOAL_TARGET_H
#define OCTANT_GOAL_TARGET_H

#include "agent/approach.h"
#include "agent/experiment.h"

typedef bool known_test_fn(void *ctx, const oct_belief *belief, const oct_known *known);

// Strings are its own; hooks are dropped with it.
// Most things of one name that are given up for another.
#define TARGET_PASSED_MAX 16u

typedef struct goal_target {
    oct_allocator allocator;
    uint32_t users; // goals and tactics that hold it
    // What was asked for.
    oct_pick pick;
    bool has_pick;
    bool has_point;
    oct_point point; // where there is no pick
    oct_side side;
    double tolerance; // in units; 0 = as the body's default, see oct_goal_target_tolerance
    bool is_own;      // the tolerance is the library's own, in metres
    double reach;     // how far from it a place beside it may be, metres
    double amount;    // a distance, a share
    uint64_t ticks;
    uint32_t button;
    oct_action action;
    oct_item_kind item;
    char *type;
    char *what;          // of the pick, for people
    bool learns;         // what all buttons do
    bool presses;        // buttons, where that helps
    bool is_to_see;      // it is enough to see it
    bool is_modest;      // exploring: what it could not see does not count
    known_test_fn *test; // of entities
    oct_test_fn *mind_test;
    oct_hook hook; // of either
    // What it is bound to in the present round.
    bool is_bound;
    uint32_t index;                     // of the belief's entities
    uint32_t passed[TARGET_PASSED_MAX]; // those that it did not get to
    uint32_t passed_count;
    uint64_t passed_openings; // of the belief then: with more open they count again
    bool has_looked;          // it was looked for
    uint64_t looked_at;       // changes of the belief then
    uint64_t looked_in;       // which turn, where the pick has a test
    bool has_place;           // `point` is beside it
    uint64_t place_changed;   // when it had last changed then
    uint64_t place_openings;  // of the belief then
    bool is_done;             // the action was sent
    bool looks_around;        // for what is in the way, before it gives up
    uint32_t tries;
    uint64_t devices;    // what was known of buttons and doors when presses were thought about
    bool has_press;      // a button is to be pressed
    uint32_t press;      // of the links
    oct_point stand;     // from there
    uint64_t press_news; // what was known when it was chosen
    uint64_t sent_in;    // how many turns had passed when it had been made
    uint32_t refusals;   // of it so far,
    uint64_t again_at;   // and the tick at which it is made again
    // What was not seen yet, before it gives up.
    unseen_places unseen;     // those of the last answer that were not looked at since
    uint64_t unseen_openings; // of the belief then: with more open they are asked for anew
    // Beside others that are at work, before it gives up.
    uint64_t known_by_all; // what all of them had pressed and seen,
    uint64_t known_since;  // the tick since which that is all,
    bool was_asked_since;  // and whether it was asked since then
    bool has_lookout;      // a place to look from was chosen
    oct_point lookout;     // that
    // Presses in order to be certain.
    bool holds; // doors, by standing in them while it presses
    experiment experiment;
    uint64_t since; // a tick
    // What is to be touched or taken.
    bool takes;          // it is not enough to touch it
    bool has_met;        // `met` is the one that it was after last
    uint32_t met;        // of the belief's entities
    bool touches;        // the body may have touched that since it was last seen there
    bool was_asked;      // then the body was at:
    oct_point was_at;    // its centre
    uint64_t heard;      // events up to here are known
    uint64_t tried_in;   // the turn in which it last pushed towards it
    uint64_t touched_at; // the tick since which it touches it without a break; 0 = it does not
} goal_target;

// How people call what is picked.
void oct_pick_describe(const oct_pick *pick, char *out, size_t size);

// With one user; NULL, and the hooks are dropped, where memory is short. A pick may be NULL.
goal_target *oct_goal_target_make(const oct_allocator *allocator, const oct_pick *pick,
                                  oct_hook hook);
goal_target *oct_goal_target_keep(goal_target *e);
// A hook that holds a target; taken by what is given it.
oct_hook oct_goal_target_hook(goal_target *e);
void oct_goal_target_drop(void *goal_target);
// Gives it a copy of a name as its `type`; false where memory is short.
bool oct_goal_target_name(goal_target *e, const char *name);

// A goal's name with what it is about: "press_button Button1". Returns `out`.
const char *oct_goal_target_title(const goal_target *e, const char *name, char *out, size_t size);

// Whether nothing else can be meant: an id names one thing, and a name where the game promises so;
// a type, or a test, chooses among all.
bool oct_goal_target_is_one(const goal_target *e, const oct_agent *a);

// Gives up what it is bound to for another one that is meant and was not given up yet; false, and
// nothing changes, where there is none.
bool oct_goal_target_passes_over(goal_target *e, oct_agent *a);

// How near is there, metres; 0 = as by default.
void oct_goal_target_tolerate(goal_target *e, double tolerance);
// How near an agent must come, metres.
double oct_goal_target_tolerance(const goal_target *e, const oct_agent *a);
// How far from it a place beside it may be; and from where it may be got at at most: as far as a
// body of the game reaches, where it is to be used.
double oct_goal_target_reach(const goal_target *e, const oct_agent *a);
double oct_goal_target_most(const goal_target *e, const oct_agent *a);

// Begins a round.
void oct_goal_target_begin(goal_target *e);

// The entity that is meant, as far as it is known: bound when it is first found, and found anew
// where it has gone. NULL where it is not known.
const oct_known *oct_goal_target_find(goal_target *e, oct_agent *a);

// Whether an entity is one of those that are meant.
bool oct_goal_target_means(const goal_target *e, const oct_belief *belief, const oct_known *known);

// The same whatever the caller's own test says.
bool oct_goal_target_could_mean(const goal_target *e, const oct_belief *belief,
                                const oct_known *known);

// Where to go for a target: of OCT_SIDE_ANY, sides with a known way before others, the shortest
// first. False where there is no place beside it.
bool oct_goal_target_place(goal_target *e, oct_agent *a, const oct_known *k, double most,
                           oct_point *out);

#endif
