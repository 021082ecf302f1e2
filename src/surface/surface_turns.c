// SPDX-License-Identifier: MIT
// Corners of joined faces at one place, and which of them a shortest path may turn at.
//
// Corners are the same where faces are joined along edges that end there: faces that merely touch
// at a point have corners of their own. Around such a joint the faces form a fan, from border to
// border, or a ring.
#include "surface/surface_internal.h"

#include <math.h>

#define STRAIGHT 1e-9 // sine of an angle that may be a straight one

// The half-edge that starts at the same joint, in the next face counter-clockwise; NO_EDGE at a
// border.
static uint32_t turn_left(const oct_surface *s, uint32_t h)
{
    return s->edges[s->edges[h].prev].twin;
}

// And clockwise.
static uint32_t turn_right(const oct_surface *s, uint32_t h)
{
    const uint32_t twin = s->edges[h].twin;
    return twin == NO_EDGE ? NO_EDGE : s->edges[twin].next;
}

// The half-edge of the fan that is furthest clockwise; of a ring, `h` itself, and *is_ring.
static uint32_t rightmost(const oct_surface *s, uint32_t h, bool *is_ring)
{
    uint32_t at = h;
    for (;;) {
        const uint32_t next = turn_right(s, at);
        if (next == NO_EDGE || next == h) {
            *is_ring = next == h;
            return next == h ? h : at;
        }
        at = next;
    }
}

// Whether two directions are opposite, but for rounding.
static bool is_straight(double ux, double uy, double vx, double vy)
{
    const double cross = ux * vy - uy * vx;
    const double limit = STRAIGHT * sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
    return cross <= limit && ux * vx + uy * vy < 0.0;
}

// In how many half turns, rounded down, the faces of a fan go around the joint. It may be one too
// many where an angle is nearly straight: a turn too many costs a little time.
static uint32_t half_turns(const oct_surface *s, uint32_t right, uint32_t *left)
{
    const half_edge *const e = &s->edges[right], *const to = &s->edges[e->next];
    const double x = to->x - e->x, y = to->y - e->y;
    double nx = x, ny = y; // where the last face ended
    uint32_t count = 0;
    for (uint32_t h = right;;) {
        const half_edge *const far = &s->edges[s->edges[h].prev];
        const double fx = far->x - e->x, fy = far->y - e->y;
        count += is_straight(nx, ny, fx, fy);
        const double side = count % 2 == 0 ? x * fy - y * fx : y * fx - x * fy;
        if (side < 0.0 || (side == 0.0 && count % 2 != 0 && x * fx + y * fy > 0.0)) {
            count++;
        }
        nx = fx;
        ny = fy;
        *left = s->edges[h].prev;
        const uint32_t next = turn_left(s, h);
        if (next == NO_EDGE || next == right) {
            return count;
        }
        h = next;
    }
}

static void add_turn(oct_surface *s, uint32_t joint_edge, const turn_corner *turn)
{
    uint32_t h = joint_edge;
    do {
        s->edges[h].turn = s->info.turns;
        h = turn_left(s, h);
    } while (h != NO_EDGE && h != joint_edge);
    s->turns[s->info.turns++] = *turn;
}

// Numbers the joint of a half-edge, and makes a turn of it where paths may turn.
static void look_at_joint(oct_surface *s, uint32_t h, bool is_counted)
{
    bool is_ring;
    const uint32_t right = rightmost(s, h, &is_ring);
    uint32_t left;
    const uint32_t halves = half_turns(s, right, &left);
    const half_edge *const e = &s->edges[right];
    const half_edge *const from = &s->edges[e->next], *const to = &s->edges[left];
    const bool turns = is_ring ? halves > 2
                               : halves > 0 || is_straight(from->x - e->x, from->y - e->y,
                                                           to->x - e->x, to->y - e->y);
    if (!is_counted) {
        const turn_corner turn = {from->x, from->y, to->x, to->y, halves > 1};
        if (turns) {
            add_turn(s, right, &turn);
        }
        return;
    }
    uint32_t at = right;
    do {
        s->edges[at].joint = s->joint_count;
        at = turn_left(s, at);
    } while (at != NO_EDGE && at != right);
    s->joint_count++;
    s->info.turns += turns;
}

oct_result oct_surface_find_turns(oct_surface *s)
{
    for (uint32_t h = 0; h < s->info.corners; h++) {
        s->edges[h].joint = UINT32_MAX;
    }
    for (uint32_t h = 0; h < s->info.corners; h++) {
        if (s->edges[h].joint == UINT32_MAX) {
            look_at_joint(s, h, true);
        }
    }
    if (s->info.turns == 0) {
        return OCT_OK;
    }
    const uint32_t count = s->info.turns;
    s->turns = oct_alloc(&s->allocator, count * sizeof *s->turns, _Alignof(turn_corner));
    if (!s->turns) {
        return OCT_ERROR_MEMORY;
    }
    s->info.turns = 0;
    uint32_t next = 0;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        if (s->edges[h].joint == next) {
            look_at_joint(s, h, false);
            next++;
        }
    }
    return OCT_OK;
}
