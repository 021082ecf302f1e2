// SPDX-License-Identifier: MIT
// Scenes for tests of agents: block worlds drawn as plans, agents in them, and what comes of their
// runs.
//
// A plan is drawn row by row, one letter a cell of 2.5 m: x goes right, z down, so that who looks
// forward looks up in the drawing. Rooms are two cells high, between a floor and a ceiling. Letters
// are the ids of their blocks.
//
//   #  stone, both cells high      D E F  doors, named Door1 ..., stone above; d e f the same open
//   .  nothing                     P Q R  panels of four buttons, named Panel1 ...
//   G  glass, both cells high      L M N  lamps, named Lamp1 ...
//   S  where the agent starts      T  a target, named Target; X  stone, named Box
#ifndef OCTANT_TESTS_AGENT_WORLD_H
#define OCTANT_TESTS_AGENT_WORLD_H

#include "block_scene.h"

#include "octant/tactics.h"

#define PLAN_CELL 2.5
// For designated rows of a plan.
#define PLAN(...) ((const char *const[]){__VA_ARGS__, NULL})

// Begins a scene and builds a plan into it, which may be changed before it is played.
void plan_build(block_scene *s, const char *const *rows);
// Both.
void plan_play(block_scene *s, const char *const *rows);
// The middle of a cell of the plan.
oct_point plan_at(int x, int z);

// An agent for the game's first player: as by default, or as told but for the game.
oct_agent *agent_make(const block_scene *s);
oct_agent *agent_make_as(const block_scene *s, oct_agent_def def);

oct_pick pick_name(const char *name);
oct_pick pick_type(const char *type);

// Pursues a goal until the run has ended, or has had so many turns. In each turn it looks that the
// agent has bumped into nothing and that no action took longer than it may.
void agent_run(oct_agent *agent, oct_goal *goal, uint64_t turns);
// How it ended.
void agent_check(const oct_agent *agent, oct_verdict verdict, const char *reason);
bool agent_noted(const oct_agent *agent, const char *note);

// A whole run in a scene, which is freed, or in a plan: it ends so.
void scene_expect(block_scene *s, oct_goal *goal, oct_verdict verdict, const char *reason);
void plan_expect(const char *const *rows, oct_goal *goal, oct_verdict verdict, const char *reason);

#endif
