// SPDX-License-Identifier: MIT
#include "game/motion.h"

#include "geom/geom_internal.h"

#include <math.h>

// ---- frames ----

motion_frame oct_motion_frame(oct_point forward, oct_point up)
{
    return oct_frame_axes(forward, up);
}

oct_point oct_motion_to_world(const motion_frame *frame, oct_point local)
{
    return point_add(point_add(point_scale(frame->right, local.x), point_scale(frame->up, local.y)),
                     point_scale(frame->back, local.z));
}

oct_point oct_motion_to_local(const motion_frame *frame, oct_point world)
{
    return (oct_point){point_dot(frame->right, world), point_dot(frame->up, world),
                       point_dot(frame->back, world)};
}

// Turns two axes in their plane, a towards b.
static void turn_pair(oct_point *a, oct_point *b, double angle)
{
    double sine, cosine;
    oct_sin_cos(angle, &sine, &cosine);
    const oct_point was = *a;
    *a = point_add(point_scale(was, cosine), point_scale(*b, sine));
    *b = point_add(point_scale(*b, cosine), point_scale(was, -sine));
}

static double negated(double value)
{
    return 0.0 - value; // never -0
}

void oct_motion_mirror(const oct_game_info *info, oct_action *action)
{
    if (info->left_handed) {
        action->move.x = negated(action->move.x);
        action->rotate.y = negated(action->rotate.y);
        action->rotate.z = negated(action->rotate.z);
    }
}

void oct_motion_turn(motion_frame *frame, oct_point rotate, double angle)
{
    const oct_point up = frame->up;
    if (rotate.x == 0.0 && rotate.y == 0.0 && rotate.z == 0.0) {
        return;
    }
    // To the left: forward goes to the left, so back goes to the right.
    turn_pair(&frame->back, &frame->right, rotate.y * angle);
    // Up: forward goes up, so up goes back.
    turn_pair(&frame->up, &frame->back, rotate.x * angle);
    // Left about back: up goes to the left, so right goes up.
    turn_pair(&frame->right, &frame->up, rotate.z * angle);
    *frame = oct_motion_frame(point_scale(frame->back, -1.0), frame->up);
    if (rotate.x == 0.0 && rotate.z == 0.0) {
        frame->up = up;
        frame->right = point_unit(point_cross(up, frame->back));
        frame->back = point_cross(frame->right, up);
    }
}

// ---- velocity ----

oct_point oct_motion_velocity(const motion_frame *frame, oct_point velocity, oct_point thrust,
                              bool damps, double acceleration, double speed, double tick)
{
    double share = point_dot(thrust, thrust);
    if (share > 1.0) {
        thrust = point_scale(thrust, 1.0 / sqrt(share));
        share = 1.0;
    }
    if (damps && share < 1.0) {
        const oct_point local = oct_motion_to_local(frame, velocity);
        const oct_point idle = {thrust.x == 0.0 ? local.x : 0.0, thrust.y == 0.0 ? local.y : 0.0,
                                thrust.z == 0.0 ? local.z : 0.0};
        const double idle_speed = sqrt(point_dot(idle, idle));
        const double braked = acceleration * sqrt(1.0 - share) * tick;
        if (idle_speed > braked) {
            velocity = point_add(
                velocity, oct_motion_to_world(frame, point_scale(idle, -braked / idle_speed)));
        } else if (share == 0.0) {
            velocity = (oct_point){0, 0, 0};
        } else {
            velocity = point_add(velocity, oct_motion_to_world(frame, point_scale(idle, -1.0)));
        }
    }
    velocity =
        point_add(velocity, point_scale(oct_motion_to_world(frame, thrust), acceleration * tick));
    const double square = point_dot(velocity, velocity);
    return square > speed * speed ? point_scale(velocity, speed / sqrt(square)) : velocity;
}
