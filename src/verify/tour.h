// SPDX-License-Identifier: MIT
// A tour: a body without physics explores a world that is known to the tour, not to the body.
//
// The body looks around, asks an explorer where to go, moves along the path, looks around again
// every so many metres and at its end, and asks again. Where a look on the way has shown what the
// place was chosen for, it asks at once. What it sees are the things of a second map, the truth; it
// never enters anything that is not OPEN in its own. With a baseline the map only tells what is in
// sight: the baseline keeps that, and decides where to go.
//
// No clock and no printing here: both are the caller's, who is told of every step.
#ifndef OCTANT_TOUR_H
#define OCTANT_TOUR_H

#include "baseline/baseline.h"

typedef enum tour_task {
    TOUR_EXPLORE, // everything
    TOUR_TO,      // towards a point
    TOUR_FIND     // until a thing that is wanted was seen, then to it
} tour_task;

typedef enum tour_status {
    TOUR_EXPLORED,    // nothing that can be reached is unknown
    TOUR_BOUNDED,     // the same within the bounds; beyond them there is more
    TOUR_ARRIVED,     // of TO and FIND
    TOUR_UNREACHABLE, // of TO and FIND: there is no way
    TOUR_BUDGET,      // a limit of the definition ended it
    TOUR_STOPPED,     // whoever was told of a step did
    TOUR_STATUS_COUNT
} tour_status;

// "explored", "bounded", "arrived", "unreachable", "budget", "interrupted".
const char *oct_tour_status_name(tour_status status);

typedef enum tour_step { TOUR_LOOK, TOUR_PLAN, TOUR_MOVE } tour_step;

// What the body has just done. Arrays are valid during the call.
typedef struct tour_event {
    tour_step step;
    oct_point at;  // where the body is now
    uint64_t time; // that the observation or the call took, in the clock's unit
    // LOOK:
    oct_point forward;
    double fov; // degrees; 360 = all around
    oct_seen seen;
    // If the definition asks for them: things seen for the first time, and how many cells around
    // the body have become known.
    const oct_thing *added;
    size_t added_count;
    uint64_t known;
    // PLAN:
    const oct_exploration *plan;
    uint64_t call; // from 1
    // MOVE:
    const oct_point *points; // where it turned, without that where it began
    size_t point_count;
    double length; // metres
} tour_event;

// Returns false to end the tour.
typedef bool tour_event_fn(void *ctx, const tour_event *event);

typedef struct tour_def {
    oct_map *map;               // what the body knows; observed into
    const oct_map *truth;       // its things are what there is
    oct_explorer *explorer;     // of `map`; not used with a baseline
    oct_baseline_map *baseline; // NULL = none; with one the task is EXPLORE
    const oct_box *bounds;      // the explorer's; NULL = none
    oct_point start;            // of the body's centre, metres
    oct_point forward;          // where it looks at first, a unit vector; for a field of view
    double radius;              // how far it sees, metres
    oct_sight sight;
    double fov;  // the whole angle of what it sees, degrees; 360 = all around
    double step; // looks at least every so many metres; > 0
    tour_task task;
    oct_point to;         // of TO
    oct_thing_fn *wanted; // of FIND
    void *wanted_ctx;     // handed to it
    uint64_t calls_max;   // 0 = any
    double distance_max;  // metres; 0 = any
    bool tell_more;       // whether LOOK says what has become known
    tour_event_fn *event; // NULL = nobody is told
    void *event_ctx;
    oct_clock_fn *clock; // NULL = all times are 0
    void *clock_ctx;
    const oct_allocator *allocator; // of scratch memory; NULL = malloc
} tour_def;

typedef struct tour_result {
    tour_status status;
    oct_point at; // where the body is at the end
    uint64_t calls, looks, moves;
    double travelled; // metres
    uint64_t plan_time, plan_time_max, look_time;
    oct_thing found; // of FIND
    bool has_found;
} tour_result;

// Runs it to its end. On failure the map is as it was after the last look.
oct_result oct_tour_run(const tour_def *def, tour_result *out);

#endif
