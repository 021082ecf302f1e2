// SPDX-License-Identifier: MIT
// A pilot's insides, shared by the files that work on it.
#ifndef OCTANT_PILOT_H
#define OCTANT_PILOT_H

#include "agent/flight_model.h"
#include "agent/speed_profile.h"
#include "octant/flight.h"
#include "octant/footing.h"

// A body this near to its way is on it, whatever the map says of its cell: a taut path runs along
// the surfaces of what is in the way. The margin of the map is larger.
#define PILOT_ON_WAY (0.6 * OCT_PILOT_MARGIN)

// Slower than this a body is at rest, m/s.
#define PILOT_AT_REST 0.05

// What was expected of the last action, and what came of it.
typedef struct pilot_watch {
    flight_state from; // before it
    burn sent;
    uint64_t tick, bumps; // then
    uint32_t ticks;       // that it takes; 0 = nothing is expected
    uint32_t missed;      // actions in a row that led elsewhere
    bool is_off;          // so many that it flies at half speed
    double went, meant;   // the last of them: how far it went, and was to go, metres
} pilot_watch;

struct oct_pilot {
    oct_allocator allocator;
    const oct_map *map;
    flight_rules rules;
    const char *jetpack; // what switches flying on and off; NULL = nothing
    bool has_boots, has_dampeners;
    uint32_t delay_min, delay_max;
    double height; // of the body
    double metre;  // units of the game: what lengths and speeds in the code are of
    oct_facing facing;
    double tolerance, overshoot;
    uint32_t ticks;    // most of an action
    double free_ahead; // how far ahead the way is looked at, metres: where it may have to stop

    oct_array points; // of oct_point: the path
    oct_array legs;   // of leg; room for one more than the path has
    speed_profile profile;
    uint32_t leg;    // that it is on
    bool has_begun;  // the way begins where the body was
    bool is_landing; // with its up along `normal`
    bool descends;   // it was told to go down
    oct_point normal;
    oct_point began; // where it began to go down
    oct_pilot_status status;

    oct_footing *footing; // that it walks on, borrowed; NULL = it flies
    double walk_speed;
    bool is_at_once; // on foot it moves and stops at once
    bool jumps;      // it has begun to move as it is to be when it jumps
    bool drops;      // it walks off an edge: this way, until it falls
    oct_point drop_way;
    double drop_speed;

    burn sent;            // the last movement
    pilot_watch watch;    // whether the body moves as is described
    double best;          // least time to the end so far, seconds
    uint64_t best_tick;   // when that was
    uint64_t revision;    // of the map, for which `free_legs` is true
    uint32_t free_legs;   // legs before this one are free
    uint32_t out_legs;    // or lead out of something that the body is in
    uint32_t blocked_leg; // the first that is neither, UINT32_MAX = none: it is not entered
};

// ---- pilot_choose.c: what to do next along the way ----

// Fills the action. False, and it brakes, where nothing is known to be safe.
bool oct_pilot_choose(oct_pilot *p, const oct_self *self, oct_action *action);

// ---- pilot_turn.c: turning ----

// The shares by which a frame is turned in so many ticks towards a direction, as the pilot faces;
// at most `most` radians about each axis. The result is the largest angle that is still missing
// now, radians.
double oct_pilot_turn(const oct_pilot *p, const motion_frame *frame, oct_point towards,
                      uint32_t ticks, double most, oct_point *rotate);
// Of bodies that do not tumble: the share by which the head is raised towards a direction, and what
// is missing now, radians.
double oct_pilot_raise_look(const oct_pilot *p, const oct_self *self, oct_point towards,
                            uint32_t ticks, oct_point *rotate);
// The same so that the frame's up becomes a direction.
double oct_pilot_align(const oct_pilot *p, const motion_frame *frame, oct_point up, uint32_t ticks,
                       oct_point *rotate);

// ---- pilot.c ----

// Flying, boots and dampeners, where a body has such.
oct_action oct_pilot_switch(const char *gear, bool on);
bool oct_pilot_damps(const oct_pilot *p, const oct_self *self);
bool oct_pilot_has_boots_on(const oct_self *self);

// Where something is beside the part of the way that the body may come to: from a leg on.
profile_place oct_pilot_place(const oct_pilot *p, uint32_t first, oct_point at);

// For bodies that drift: in place of an action that leaves them without thrust, one that brakes.
// Others stay as they are.
void oct_pilot_brake(const oct_pilot *p, const oct_self *self, oct_action *action);
// How long it takes until the body rests, ticks.
double oct_pilot_rest_ticks(const oct_pilot *p, const oct_self *self);
// Whether the body was seen to move otherwise than it is described, and so flies at half speed.
bool oct_pilot_is_off(const oct_pilot *p, double *went, double *meant);

// Whether it has not got on for long.
bool oct_pilot_is_stuck(oct_pilot *p, const oct_self *self, const profile_place *place);

// ---- pilot_ground.c: landing and walking ----

oct_pilot_status oct_pilot_descend(oct_pilot *p, const oct_self *self, oct_action *action);
// Whether the rest of the way is to be walked.
bool oct_pilot_may_walk(const oct_pilot *p, const oct_self *self);
oct_pilot_status oct_pilot_walk(oct_pilot *p, const oct_self *self, oct_action *action);

// ---- pilot_foot.c: going on foot ----

// From now on it goes on foot alone, as a footing knows the ground; that is borrowed, NULL = it
// flies again. Ways that it follows are those of the footing: for the body's centre.
void oct_pilot_walk_on(oct_pilot *pilot, oct_footing *footing);
oct_pilot_status oct_pilot_go_on_foot(oct_pilot *p, const oct_self *self, oct_action *action);

// Lets it land on the surface below it in the direction -normal (a unit vector), which is at most
// OCT_LAND_MAX metres away: it comes to rest, turns so that its up is the normal, goes down at 1
// m/s until its feet touch, switches the boots on and the jetpack off, and has ARRIVED when it
// stands. Touching down counts as one bump at most. It is STUCK, and flies, where there is nothing
// to stand on, or no room to turn. The map is not asked: the ground is felt.
oct_result oct_pilot_land(oct_pilot *pilot, oct_point normal);

#endif
