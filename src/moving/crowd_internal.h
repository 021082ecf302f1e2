// SPDX-License-Identifier: MIT
// A crowd's insides, shared by the files that keep its units, move them and plan for them.
//
// In a tick all units look at where everyone was before it, and decide where to be after it; at the
// same time one task plans. Then, on the calling thread, moves are made and paths handed out. So
// nothing depends on who is first, and no lock is needed.
#ifndef OCTANT_CROWD_INTERNAL_H
#define OCTANT_CROWD_INTERNAL_H

#include "moving/crowd_avoid.h"
#include "moving/crowd_index.h"
#include "octant/crowd.h"
#include "octant/tree.h"
#include "search/graph_internal.h"

// ---- waypoints ----

// Points of paths, in lists; 0 ends one.
typedef struct waypoint {
    oct_fine at;
    uint32_t next;
    uint32_t unused;
} waypoint;

typedef struct waypoint_pool {
    oct_array items;     // of waypoint; the first is none
    uint32_t free_first; // or 0
    uint32_t free_count;
} waypoint_pool;

// Room for so many more: after it making lists of so many cannot fail.
oct_result oct_waypoints_reserve(waypoint_pool *pool, const oct_allocator *allocator, size_t more);

// A list of points, followed by the list `rest`.
uint32_t oct_waypoints_make(waypoint_pool *pool, const oct_fine *points, size_t count,
                            uint32_t rest);

// Gives a list back, up to but without `end`.
void oct_waypoints_give(waypoint_pool *pool, uint32_t first, uint32_t end);

OCT_FORCE_INLINE const waypoint *waypoint_at(const waypoint_pool *pool, uint32_t i)
{
    return (const waypoint *)pool->items.items + i;
}

// ---- units ----

// What a unit wants of the planner.
typedef enum wish {
    WISH_NOTHING,
    WISH_PATH, // to its goal
    WISH_SHORT // to its next waypoint
} wish;

typedef struct unit {
    // What others look at.
    oct_fine at;
    oct_point velocity; // 1/256 cells a tick
    oct_point heading;  // what it wanted to do in the last tick
    double radius;      // 1/256 cells
    oct_fine goal;
    uint8_t status; // oct_unit_status
    bool is_used;
    bool has_goal;
    bool is_held; // it has arrived only as near as others let it
    // What only its own task and the calling thread look at.
    uint32_t octants; // that are its own where it is; 0 = it is inside something
    double step;      // 1/256 cells a tick at most
    double reach;     // beyond its radius, within which it looks for others
    double tolerance; // 1/256 cells
    oct_point goal_point;
    oct_box room;           // free cells, all one leaf, that it is in; empty = not known
    uint32_t first, target; // waypoints: those it holds, and the one it goes to
    double nearest;         // it has been to the target
    uint32_t stalled;       // ticks that it hardly moved
    uint32_t generation;
    uint32_t next_free;
    uint64_t asked;  // tick of its request
    bool is_queued;  // for a path
    bool is_checked; // waits for a short search
    uint64_t again;  // LOST: the revision of the map that it was lost in
} unit;

// What a unit's task decided.
typedef struct unit_move {
    oct_fine at;
    oct_point heading;
    uint32_t octants;
    uint8_t wish;
    uint8_t status;
    bool is_held;
    bool is_checked; // the way was looked at
} unit_move;

// ---- planning ----

typedef struct request {
    uint32_t index; // of the unit; 0 = answered already
    uint32_t generation;
    oct_fine to; // of a short one: the waypoint
} request;

// First in, first out, in a ring. Room comes with units: every unit is in it once at most.
typedef struct request_ring {
    request *items;
    size_t size, first, count;
} request_ring;

// A path that a search came to, as a part of the points found in this tick.
typedef struct answer {
    uint32_t index;
    uint32_t generation;
    oct_fine to; // what was asked for
    size_t first, count;
    uint8_t kind; // wish
    bool found;
    bool is_shared;
} answer;

typedef struct planning {
    oct_planner *paths, *shorts; // a long search must not be disturbed by short ones
    request_ring queue, short_queue;
    bool is_running;     // the first of the queue is being searched for
    uint32_t restarts;   // of it, because the map had changed
    oct_fine from, goal; // of it
    uint64_t spent;      // on it so far, expansions
    int64_t debt;        // expansions beyond the budgets so far
    oct_array answers;   // of answer
    oct_array points;    // of oct_fine
    oct_result result;   // of this tick
} planning;

// ---- the crowd ----

#define CHANGES_MAX 16

struct oct_crowd {
    oct_allocator allocator;
    oct_executor executor;
    const oct_tree *tree;
    oct_terms terms;
    view map;
    double cell_size, ticks_per_second, horizon; // ticks
    uint32_t second;                             // ticks, at least 1
    uint64_t budget;
    oct_array units; // of unit; the first is none
    oct_array moves; // of unit_move, as many
    uint32_t free_unit, unit_count;
    unit_index index;
    waypoint_pool pool;
    planning plan;
    uint64_t tick;
    uint64_t revision; // of the map in the last tick
    bool has_changed;  // since then
    bool changes_all;  // it is not known where
    oct_change changes[CHANGES_MAX];
    size_t change_count;
    oct_crowd_stats stats;
};

OCT_FORCE_INLINE unit *unit_at(const oct_crowd *c, uint32_t i)
{
    return (unit *)c->units.items + i;
}

OCT_FORCE_INLINE unit_move *move_at(const oct_crowd *c, uint32_t i)
{
    return (unit_move *)c->moves.items + i;
}

OCT_FORCE_INLINE oct_point fine_apart(oct_fine from, oct_fine to)
{
    return (oct_point){(double)(to.x - from.x), (double)(to.y - from.y), (double)(to.z - from.z)};
}

// Whether lines to a point may be asked for.
OCT_FORCE_INLINE bool fine_in_range(oct_fine at)
{
    const int64_t limit = (int64_t)OCT_RANGE * OCT_FINE;
    return at.x > -limit && at.x < limit && at.y > -limit && at.y < limit && at.z > -limit &&
           at.z < limit;
}

// The octants of a unit's place: of the part that shares one with `before`, or the first part.
uint32_t oct_crowd_octants(const view *v, oct_fine at, uint32_t before);

// ---- crowd_move.c ----

// Decides about the units from `first` to `end`.
void oct_crowd_decide(oct_crowd *c, uint32_t first, uint32_t end);

// ---- crowd_plan.c ----

oct_result oct_planning_create(oct_crowd *c, const oct_crowd_def *def);
void oct_planning_free(oct_crowd *c);

// Room for the requests of so many units.
oct_result oct_planning_reserve(oct_crowd *c, size_t units);

// Enters a request; the unit must not have one of the kind already.
void oct_planning_ask(oct_crowd *c, uint32_t index, wish kind);

// Spends the budget of a tick. Reads units, writes nothing but the planning.
void oct_planning_run(oct_crowd *c);

// Hands out what was found.
oct_result oct_planning_deliver(oct_crowd *c);

// Whether every invariant holds: no two units overlap, the index and the paths are in order. Looks
// at every pair of units. For tests.
bool oct_crowd_is_valid(const oct_crowd *crowd);

#endif
