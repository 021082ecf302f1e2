// SPDX-License-Identifier: MIT
/// \file
/// Tactics and goals of agents (octant/agent.h): going somewhere, exploring, pressing, looking.
///
/// All of them are for minds of agents. Goals bind to the world when they become current: what is
/// picked by name or type need not be known before, and is looked for.
///
/// Making one never fails but for memory (NULL): what makes no sense fails when it is pursued, with
/// a reason. Threading: as goals.
#ifndef OCTANT_TACTICS_H
#define OCTANT_TACTICS_H

#include "octant/agent.h"
#include "octant/world.h"

/// Which entity is meant: the nearest that is all of this. Start from all zero; strings are copied.
typedef struct oct_pick {
    const char *name; ///< NULL = any
    const char *type; ///< as oct_world_type_is has it; NULL = any
    uint64_t id;      ///< with `by_id`
    bool by_id;
    bool by_place;   ///< where it should be: looked for there first, then everywhere
    oct_point place; ///< metres
    /// A predicate; NULL = any. The hook is taken by the goal or tactic that takes the pick.
    bool (*test)(void *ctx, const oct_belief *belief, const oct_known *known);
    oct_hook hook;
    const char *what; ///< how messages call it; NULL = made from the above
} oct_pick;

/// Where to go: a point, or beside an entity.
typedef struct oct_place {
    bool is_point;
    oct_point point;  ///< of a point, metres: for the body's centre
    oct_pick pick;    ///< else
    oct_side side;    ///< at which side
    double tolerance; ///< how near is there, metres, at least 0.2; 0 = half the body's width, at
                      ///< most 0.5 (of a side: beyond the nearest place beside it that it fits)
} oct_place;

// ---- tactics ----

/// Goes there on a known way; enabled while there is one, or it is there and at rest. Completes
/// when it is there.
OCT_API oct_tactic *oct_tactic_navigate_to(const oct_allocator *allocator, const oct_place *place);
/// Goes where there is something left to see; enabled while there is. Never completes: its goal
/// says what it is solved by.
OCT_API oct_tactic *oct_tactic_explore(const oct_allocator *allocator);
/// Goes towards a place through what is not known; enabled while there may be a way. Never
/// completes.
OCT_API oct_tactic *oct_tactic_explore_to(const oct_allocator *allocator, const oct_place *place);
/// Presses a button of what is picked; enabled within reach.
OCT_API oct_tactic *oct_tactic_interact(const oct_allocator *allocator, const oct_pick *pick,
                                        uint32_t button);
/// Turns until it looks at what is picked (NULL: at the point); enabled where that is known.
OCT_API oct_tactic *oct_tactic_face(const oct_allocator *allocator, const oct_pick *pick,
                                    oct_point point);
/// One given action; done when it has been sent.
OCT_API oct_tactic *oct_tactic_do(const oct_allocator *allocator, const oct_action *action);
/// Comes to rest and waits so many ticks.
OCT_API oct_tactic *oct_tactic_wait(const oct_allocator *allocator, uint32_t ticks);

// ---- goals ----

/// The body's centre is near a point: by known ways, and through what is not known yet.
OCT_API oct_goal *oct_goal_close_to(const oct_allocator *allocator, oct_point point,
                                    double tolerance);
/// The body is beside what is picked, at a side, and looks at it. Looks for it, and explores for a
/// way.
OCT_API oct_goal *oct_goal_close_to_block(const oct_allocator *allocator, const oct_pick *pick,
                                          oct_side side, double tolerance);
/// The same, and where there is no way it presses buttons: learns what they do, and plans with
/// that. Fails when it is certain that no presses help.
OCT_API oct_goal *oct_goal_smart_close_to_block(const oct_allocator *allocator,
                                                const oct_pick *pick, oct_side side,
                                                double tolerance);
/// Nothing that can be reached is unknown.
OCT_API oct_goal *oct_goal_explore(const oct_allocator *allocator);
OCT_API oct_goal *oct_goal_explore_to(const oct_allocator *allocator, oct_point point,
                                      double tolerance);
/// What is picked was seen.
OCT_API oct_goal *oct_goal_explore_to_find(const oct_allocator *allocator, const oct_pick *pick);
/// The body is within reach of a panel, at a side from which it can be used.
OCT_API oct_goal *oct_goal_close_to_button(const oct_allocator *allocator, const oct_pick *pick);
/// A button was pressed, from where it is: fails out of reach.
OCT_API oct_goal *oct_goal_press_button(const oct_allocator *allocator, const oct_pick *pick,
                                        uint32_t button);
/// Both.
OCT_API oct_goal *oct_goal_interacted(const oct_allocator *allocator, const oct_pick *pick,
                                      uint32_t button);
/// It looks at what is picked (NULL: at the point).
OCT_API oct_goal *oct_goal_face_towards(const oct_allocator *allocator, const oct_pick *pick,
                                        oct_point point);
/// What is picked is in sight, and within `distance` metres (0 = any).
OCT_API oct_goal *oct_goal_entity_in_range(const oct_allocator *allocator, const oct_pick *pick,
                                           double distance);
/// What is picked is believed to be so: checked at once, fails where it is not known or not so.
OCT_API oct_goal *oct_goal_invariant_checked(
    const oct_allocator *allocator, const oct_pick *pick, const char *name,
    bool (*test)(void *ctx, const oct_belief *belief, const oct_known *known), oct_hook hook);
/// It is there and whole: at least this share of its integrity, 0 to 1.
OCT_API oct_goal *oct_goal_block_ok(const oct_allocator *allocator, const oct_pick *pick,
                                    double share);
/// It holds what a slot of the toolbar has; or any slot that has such an item (`block` a type's
/// name or NULL).
OCT_API oct_goal *oct_goal_equipped(const oct_allocator *allocator, oct_item_kind kind,
                                    const char *block);
/// What is picked was ground down: goes there, takes the grinder, grinds until it has gone.
OCT_API oct_goal *oct_goal_ground_down(const oct_allocator *allocator, const oct_pick *pick);
/// A block of a type was placed against what is picked, at a side.
OCT_API oct_goal *oct_goal_placed(const oct_allocator *allocator, const char *type,
                                  const oct_pick *against, oct_side side);
/// Waits until a test is true, which is asked every turn, at most so many ticks (0 = any).
OCT_API oct_goal *oct_goal_wait_until(const oct_allocator *allocator, const char *name,
                                      oct_test_fn *test, oct_hook hook, uint64_t ticks);
/// Explores everything; all entities that are picked are as the test says, and there is at least
/// one.
OCT_API oct_goal *
oct_goal_check_all(const oct_allocator *allocator, const oct_pick *pick, const char *name,
                   bool (*test)(void *ctx, const oct_belief *belief, const oct_known *known),
                   oct_hook hook);

// ---- goals of touching, and of what happens ----

/// The body touches the shape of what is picked: goes there, presses what helps, and pushes on
/// until it does. What vanishes at the touch was touched.
OCT_API oct_goal *oct_goal_touched(const oct_allocator *allocator, const oct_pick *pick);
/// What is picked was taken: the game told so (an event `taken`), or it vanished while the body
/// touched it, or it has `uses` and the first was done. Fails where it was touched for some seconds
/// and not taken.
OCT_API oct_goal *oct_goal_took(const oct_allocator *allocator, const oct_pick *pick);
/// The goal was reached, and the body never touched what is picked, as it is told. A touch, or an
/// event `hurt` of its id, fails for certain. Undecided where it was out of sight and may have
/// moved, or where the body was so near that it may have touched it between two looks.
OCT_API oct_goal *oct_goal_avoided(const oct_allocator *allocator, const oct_pick *pick,
                                   oct_goal *goal);
/// The goal was reached, and meanwhile health was never 0, nothing began anew (an event `respawn`),
/// and the game was not lost.
OCT_API oct_goal *oct_goal_survived(const oct_allocator *allocator, oct_goal *goal);
/// The game has ended so, WON or LOST, while the goal was pursued or when it was reached; NULL:
/// waits for it. Fails where it has ended the other way, or all was done and it has not ended.
OCT_API oct_goal *oct_goal_game_over(const oct_allocator *allocator, oct_over how, oct_goal *goal);
/// The goal was reached, and meanwhile the game told an event `said` or `note` with this in its
/// text. NULL: waits for it.
OCT_API oct_goal *oct_goal_said(const oct_allocator *allocator, const char *text, oct_goal *goal);

/// A question about a property; NULL where it is not told.
typedef bool oct_property_fn(void *ctx, const oct_property *may_be_null);
/// A property of what is picked passes a test: looks for it, goes where it is in sight unless it is
/// certain how it is, and asks.
OCT_API oct_goal *oct_goal_property(const oct_allocator *allocator, const oct_pick *pick,
                                    const char *name, oct_property_fn *test, oct_hook hook);
/// The same with a value: its name, kind and value are as wanted.
OCT_API oct_goal *oct_goal_property_is(const oct_allocator *allocator, const oct_pick *pick,
                                       const oct_property *wanted);

// ---- goals of links ----

/// What a button, by its panel's name, is said to do to doors, by their names.
typedef struct oct_link_claim {
    const char *panel; ///< a name
    uint32_t button;
    const char *const *doors; ///< names
    size_t count;
    oct_link_kind kind; ///< what it does to them; UNDECIDED (0): it toggles or opens them
} oct_link_claim;

// Each of these succeeds or fails only where it is certain what the button does (oct_agent_link).

/// A button does this to these doors: looks for them, presses the button and watches the doors,
/// isolated from other presses, until that is certain.
OCT_API oct_goal *oct_goal_link(const oct_allocator *allocator, const oct_link_claim *claim);
/// And it does nothing to any other door that can be seen: explores, and presses what it can.
OCT_API oct_goal *oct_goal_opens_only(const oct_allocator *allocator, const oct_link_claim *claim);
/// All buttons that can be reached do exactly what is claimed: nothing is missing, and there is
/// nothing besides. Several claims may be about one button.
OCT_API oct_goal *oct_goal_links_are(const oct_allocator *allocator, const oct_link_claim *claims,
                                     size_t count);

#endif
