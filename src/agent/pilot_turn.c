// SPDX-License-Identifier: MIT
// Turning a body towards a direction.
#include "agent/pilot.h"
#include "geom/geom_internal.h"

#include <math.h>

// Nearer to its up than this (the sine), a direction says nothing about yaw.
#define UPRIGHT 0.2

static double limited(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

// The share of the turning rate that turns by an angle in so many ticks, or by as much as it can.
static double share_of(const oct_pilot *p, double angle, uint32_t ticks, double most)
{
    const double whole = p->rules.turn * (double)ticks / p->rules.rate;
    return limited(limited(angle, most) / whole, 1.0);
}

double oct_pilot_turn(const oct_pilot *p, const motion_frame *frame, oct_point towards,
                      uint32_t ticks, double most, oct_point *rotate)
{
    const oct_point ahead = {0, 0, -1};
    const oct_point to = oct_motion_to_local(frame, towards);
    const double flat = sqrt(to.x * to.x + to.z * to.z);
    *rotate = (oct_point){0, 0, 0};
    if (p->facing == OCT_FACING_NONE) {
        return 0.0;
    }
    double missing = 0.0;
    if (flat > UPRIGHT * sqrt(flat * flat + to.y * to.y)) {
        missing = oct_angle_between((oct_point){to.x, 0, to.z}, ahead);
        rotate->y = share_of(p, to.x < 0.0 ? missing : -missing, ticks, most);
    }
    if (p->facing == OCT_FACING_FULL && p->rules.tumbles) {
        const double pitch = oct_angle_between((oct_point){0, to.y, -flat}, ahead);
        rotate->x = share_of(p, to.y > 0.0 ? pitch : -pitch, ticks, most);
        missing = pitch > missing ? pitch : missing;
    }
    return missing;
}

double oct_pilot_raise_look(const oct_pilot *p, const oct_self *self, oct_point towards,
                            uint32_t ticks, oct_point *rotate)
{
    const oct_point up = self->pose.up;
    const double rise = oct_angle_between(self->look, up) - oct_angle_between(towards, up);
    rotate->x = share_of(p, rise, ticks, HUGE_VAL);
    return fabs(rise);
}

double oct_pilot_align(const oct_pilot *p, const motion_frame *frame, oct_point up, uint32_t ticks,
                       oct_point *rotate)
{
    const oct_point to = oct_motion_to_local(frame, up);
    const oct_point own = {0, 1, 0};
    const double missing = oct_angle_between(to, own);
    // About the axis that carries up over: pitch moves up towards back, roll towards the left.
    double side = sqrt(to.x * to.x + to.z * to.z);
    const oct_point over = side > 0.0 ? (oct_point){-to.x / side, 0, to.z / side}
                                      : (oct_point){0, 0, missing > 1.0 ? 1.0 : 0.0};
    *rotate = (oct_point){share_of(p, over.z * missing, ticks, HUGE_VAL), 0,
                          share_of(p, over.x * missing, ticks, HUGE_VAL)};
    return missing;
}
