// SPDX-License-Identifier: MIT
// How a unit decides where to be after a tick.
//
// It wants to go to its target, takes the best velocity that reciprocal avoidance leaves, and makes
// the move only as far as two proofs allow. Of the gap to another unit it may use half: the other
// may use no more, so that they cannot overlap. And the line of the move must be free: what it
// would run into it slides along.
#include "moving/crowd_follow.h"

#define AVOID_MAX 16 // others that it plans around
#define WALLS_MAX 6
#define SPACES_MAX (NEAR_MAX + WALLS_MAX + AVOID_MAX)
#define ROUNDING 0.9   // 1/256 cells: more than half of the diagonal of a step of the sub-lattice
#define SURELY 1e-6    // by which a gap is taken smaller, for rounding
#define KEEP_RIGHT 1.4 // of its speed, where others come towards it

// ---- who is near ----

static bool note_neighbour(void *ctx, uint32_t index)
{
    mover *const m = ctx;
    const unit *const other = unit_at(m->crowd, index);
    if (index == m->index) {
        return true;
    }
    neighbour one = {.apart = fine_apart(m->unit->at, other->at), .index = index};
    one.distance = sqrt(point_dot(one.apart, one.apart));
    one.gap = one.distance - m->unit->radius - other->radius - SURELY;
    one.gap = one.gap > 0.0 ? one.gap : 0.0;
    if (one.gap > m->unit->reach + other->reach) {
        return true;
    }
    if (m->count == NEAR_MAX) {
        const neighbour *const last = &m->near[NEAR_MAX - 1];
        const bool is_nearer = one.gap < last->gap || (one.gap == last->gap && index < last->index);
        const double left_out = is_nearer ? last->gap : one.gap;
        m->beyond = left_out < m->beyond ? left_out : m->beyond;
        if (!is_nearer) {
            return true;
        }
        m->count--;
    }
    int at = m->count++;
    for (; at > 0 && (m->near[at - 1].gap > one.gap ||
                      (m->near[at - 1].gap == one.gap && m->near[at - 1].index > index));
         at--) {
        m->near[at] = m->near[at - 1];
    }
    m->near[at] = one;
    return true;
}

// ---- what it may do ----

// How far a wall is along an axis; negative where there is none near. Lines along an axis can only
// end at the faces of cells.
static double wall_at(const mover *m, int axis, int sign, double look)
{
    const unit *const u = m->unit;
    const int64_t from = axis == 0 ? u->at.x : axis == 1 ? u->at.y : u->at.z;
    const int64_t rest = sign > 0 ? OCT_FINE - (from & (OCT_FINE - 1)) : from & (OCT_FINE - 1);
    int64_t free_to = 0;
    for (int64_t to = rest > 0 ? rest : OCT_FINE;; to += OCT_FINE) {
        // Beyond the face, to see whether what follows it is free.
        const int64_t far = to < (int64_t)look ? to : (int64_t)look + 1;
        oct_fine end = u->at;
        *(axis == 0 ? &end.x : axis == 1 ? &end.y : &end.z) += sign * far;
        if (!fine_in_range(end) || !oct_follow_sees(m, end)) {
            return (double)free_to;
        }
        if (to >= (int64_t)look) {
            return -1.0;
        }
        free_to = to;
    }
}

static int note_walls(const mover *m, half_space *out)
{
    const double look = 2.0 * m->unit->step;
    int count = 0;
    if (oct_follow_in_room(m->unit, m->unit->at, look)) {
        return 0;
    }
    for (int axis = 0; axis < m->crowd->map.dims; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const double wall = wall_at(m, axis, sign, look);
            if (wall >= 0.0) {
                out[count++] = (half_space){
                    {axis == 0 ? -sign : 0.0, axis == 1 ? -sign : 0.0, axis == 2 ? -sign : 0.0},
                    -wall};
            }
        }
    }
    return count;
}

// Whether a unit comes towards another one that goes in that direction, and not well to its left.
static bool is_oncoming(const mover *m, const neighbour *near, oct_point wanted, oct_point right)
{
    const unit *const other = unit_at(m->crowd, near->index);
    const double theirs = point_dot(other->heading, other->heading);
    return other->status == OCT_UNIT_MOVING && 4.0 * theirs > other->step * other->step &&
           point_dot(near->apart, wanted) > 0.0 && point_dot(other->heading, wanted) < 0.0 &&
           point_dot(near->apart, right) > -(near->distance - near->gap);
}

// Two streams pass each other if everyone keeps to the right.
static oct_point keep_right(const mover *m, oct_point wanted)
{
    const double square = point_dot(wanted, wanted);
    const oct_point right = oct_avoid_right(wanted);
    if (m->is_parking || 4.0 * square < m->unit->step * m->unit->step) {
        return wanted;
    }
    for (int i = 0; i < m->count; i++) {
        if (is_oncoming(m, &m->near[i], wanted, right)) {
            return point_add(wanted, point_scale(right, KEEP_RIGHT * sqrt(square)));
        }
    }
    return wanted;
}

static oct_point avoid(const mover *m, oct_point wanted)
{
    half_space spaces[SPACES_MAX];
    const unit *const u = m->unit;
    int count = note_walls(m, spaces);
    for (int i = 0; i < m->count && 0.5 * m->near[i].gap < u->step + ROUNDING; i++) {
        const double half = 0.5 * m->near[i].gap - ROUNDING;
        spaces[count++] = (half_space){point_scale(m->near[i].apart, -1.0 / m->near[i].distance),
                                       half > 0.0 ? -half : 0.0};
    }
    const int hard = count;
    // One that wants nothing makes way for what others want, who may be held up by it.
    const bool is_resting = point_dot(wanted, wanted) == 0.0;
    for (int i = 0; i < m->count && i < AVOID_MAX; i++) {
        const unit *const other = unit_at(m->crowd, m->near[i].index);
        const double reach = m->near[i].distance - m->near[i].gap - SURELY;
        spaces[count++] =
            oct_avoid_reciprocal(m->near[i].apart, reach, u->velocity,
                                 is_resting ? other->heading : other->velocity, m->horizon);
    }
    const double least = 0.5 * m->beyond;
    return oct_avoid_solve(spaces, hard, count, keep_right(m, wanted),
                           u->step < least ? u->step : least);
}

// ---- the move ----

typedef enum tried {
    TRIED_DONE,
    TRIED_STILL, // others leave no room
    TRIED_HIDDEN // something is in the way
} tried;

// Whether a step keeps to its half of every gap.
static bool is_fair(const mover *m, oct_point step)
{
    for (int i = 0; i < m->count; i++) {
        const neighbour *const near = &m->near[i];
        if (point_dot(step, near->apart) > 0.5 * near->gap * near->distance) {
            return false;
        }
    }
    return 4.0 * point_dot(step, step) <= m->beyond * m->beyond;
}

// As much of a velocity as keeps to its half of every gap, on the sub-lattice.
static bool fair_step(const mover *m, oct_point velocity, oct_point *out)
{
    double share = 1.0;
    const double length = sqrt(point_dot(velocity, velocity));
    if (2.0 * length > m->beyond) {
        share = 0.5 * m->beyond / length;
    }
    for (int i = 0; i < m->count; i++) {
        const neighbour *const near = &m->near[i];
        const double towards = point_dot(velocity, near->apart);
        const double most = 0.5 * near->gap * near->distance;
        if (towards * share > most) {
            share = most / towards;
        }
    }
    const oct_point v = point_scale(velocity, share);
    *out = (oct_point){floor(v.x + 0.5), floor(v.y + 0.5), floor(v.z + 0.5)};
    const double most = m->unit->step * m->unit->step;
    if (point_dot(*out, *out) > most || !is_fair(m, *out)) {
        *out = (oct_point){v.x < 0.0 ? -floor(-v.x) : floor(v.x),
                           v.y < 0.0 ? -floor(-v.y) : floor(v.y),
                           v.z < 0.0 ? -floor(-v.z) : floor(v.z)};
    }
    return point_dot(*out, *out) > 0.0 && is_fair(m, *out);
}

static tried try_move(mover *m, oct_point velocity)
{
    const view *const map = &m->crowd->map;
    unit *const u = m->unit;
    oct_point step;
    if (!fair_step(m, velocity, &step)) {
        return TRIED_STILL;
    }
    const oct_fine to = {u->at.x + (int64_t)step.x, u->at.y + (int64_t)step.y,
                         u->at.z + (int64_t)step.z};
    if (oct_follow_in_room(u, u->at, 0.0) && oct_follow_in_room(u, to, 0.0)) {
        m->out->at = to;
        m->out->octants = 0xffu;
        return TRIED_DONE;
    }
    if (!fine_in_range(to)) {
        return TRIED_HIDDEN;
    }
    // Where blocked cells meet, a point is several places: units do not stop there, so that it is
    // always clear which side they are on.
    const spot from = {u->at, u->octants}, end = {to, oct_view_octants(map, to)};
    if (!end.octants ||
        view_joined(map, end.octants & (0u - end.octants), end.octants) != end.octants ||
        !oct_view_sees(map, &from, &end)) {
        return TRIED_HIDDEN;
    }
    m->out->at = to;
    m->out->octants = end.octants;
    oct_follow_find_room(m, to);
    return TRIED_DONE;
}

// A velocity without some of its axes.
static oct_point on_axes(oct_point v, uint32_t axes)
{
    return (oct_point){axes & 1u ? v.x : 0.0, axes & 2u ? v.y : 0.0, axes & 4u ? v.z : 0.0};
}

// Walls are faces of cells: along them are the axes, those first that keep most.
static void slide(mover *m, oct_point velocity)
{
    uint32_t left = 0x7eu; // sets of axes, but for none and all
    while (left) {
        uint32_t best = 0;
        double most = 0.0;
        for (uint32_t axes = 1; axes < 7; axes++) {
            const oct_point v = on_axes(velocity, axes);
            if (left >> axes & 1u && point_dot(v, v) > most) {
                most = point_dot(v, v);
                best = axes;
            }
        }
        if (!best || try_move(m, on_axes(velocity, best)) == TRIED_DONE) {
            break;
        }
        left &= ~(1u << best);
    }
    for (double share = 0.5; share > 0.1 && fine_equal(m->out->at, m->unit->at); share *= 0.5) {
        if (try_move(m, point_scale(velocity, share)) == TRIED_DONE) {
            return;
        }
    }
}

// Straight out of what it is in, if others leave room.
static void leave(mover *m)
{
    const view *const map = &m->crowd->map;
    const oct_fine at = m->unit->at;
    anchor out;
    oct_point step;
    if (!oct_view_anchor(map, at, (oct_vec){fine_cell(at.x), fine_cell(at.y), fine_cell(at.z)},
                         &out)) {
        return;
    }
    oct_point way = fine_apart(at, out.place.at);
    const double length = sqrt(point_dot(way, way));
    way = length > m->unit->step ? point_scale(way, m->unit->step / length) : way;
    if (fair_step(m, way, &step)) {
        m->out->at =
            (oct_fine){at.x + (int64_t)step.x, at.y + (int64_t)step.y, at.z + (int64_t)step.z};
        m->out->octants = oct_crowd_octants(map, m->out->at, 0);
    }
}

// Ticks that it has hardly moved although it wanted to.
static void note_stall(mover *m, oct_point wanted)
{
    const oct_point moved = fine_apart(m->unit->at, m->out->at);
    const double step = m->unit->step * m->unit->step;
    const bool is_stalled =
        64.0 * point_dot(moved, moved) < step && 4.0 * point_dot(wanted, wanted) > step;
    m->unit->stalled = is_stalled ? m->unit->stalled + 1u : 0u;
}

static void decide(oct_crowd *c, uint32_t index)
{
    mover m = {.crowd = c,
               .unit = unit_at(c, index),
               .index = index,
               .out = move_at(c, index),
               .beyond = HUGE_VAL,
               .horizon = c->horizon};
    unit *const u = m.unit;
    if (c->has_changed) {
        u->octants = oct_crowd_octants(&c->map, u->at, u->octants);
        u->room = (oct_box){{0, 0, 0}, {0, 0, 0}};
    }
    *m.out = (unit_move){.at = u->at,
                         .octants = u->octants,
                         .wish = WISH_NOTHING,
                         .status = u->status,
                         .is_held = u->is_held};
    oct_unit_index_near(&c->index, u->at, u->radius + u->reach, note_neighbour, &m);
    const oct_point wanted = oct_follow(&m);
    m.out->heading = wanted;
    if (u->octants == 0) {
        leave(&m);
        return;
    }
    const oct_point velocity = m.count > 0 ? avoid(&m, wanted) : wanted;
    if (point_dot(velocity, velocity) > 0.0 && try_move(&m, velocity) == TRIED_HIDDEN) {
        slide(&m, velocity);
    }
    note_stall(&m, wanted);
}

void oct_crowd_decide(oct_crowd *c, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (unit_at(c, i)->is_used) {
            decide(c, i);
        }
    }
}
