// SPDX-License-Identifier: MIT
// Following a path, and the short checks of He and Hung 2016, 4.8: is the next waypoint in sight?
// They are made when a unit is blocked, when it has been pushed away, once a second, and where the
// map has changed.
#include "moving/crowd_follow.h"

#define PARKING_TICKS 2.0 // that it looks ahead at least
#define PUSHED_STEPS 4.0  // further from its target than it has been: it was pushed away

// ---- rooms ----

static bool inside(int64_t at, int32_t min, int32_t max, int64_t margin)
{
    return at - margin > (int64_t)min * OCT_FINE && at + margin < (int64_t)max * OCT_FINE;
}

bool oct_follow_in_room(const unit *u, oct_fine at, double margin)
{
    const int64_t m = (int64_t)margin;
    const bool is_flat = u->room.max.z - u->room.min.z == 1 && at.z == FLAT_Z;
    return inside(at.x, u->room.min.x, u->room.max.x, m) &&
           inside(at.y, u->room.min.y, u->room.max.y, m) &&
           inside(at.z, u->room.min.z, u->room.max.z, is_flat ? 0 : m);
}

void oct_follow_find_room(mover *m, oct_fine at)
{
    const view *const map = &m->crowd->map;
    const oct_vec cell = {fine_cell(at.x), fine_cell(at.y), fine_cell(at.z)};
    const oct_leaf leaf = oct_view_leaf(map, cell);
    m->unit->room = (oct_box){{0, 0, 0}, {0, 0, 0}};
    if (map->free >> leaf.label & 1u) {
        m->unit->room = view_leaf_box(map, leaf);
    }
}

bool oct_follow_sees(const mover *m, oct_fine to)
{
    const view *const map = &m->crowd->map;
    const spot from = {m->unit->at, m->unit->octants}, end = {to, oct_view_octants(map, to)};
    return oct_view_sees(map, &from, &end);
}

// ---- changes of the map ----

static bool leg_meets(oct_fine a, oct_fine b, const oct_box *cells, int dims)
{
    const bool flat = fine_cell((a.x < b.x ? a.x : b.x) - 1) < cells->max.x &&
                      fine_cell(a.x > b.x ? a.x : b.x) >= cells->min.x &&
                      fine_cell((a.y < b.y ? a.y : b.y) - 1) < cells->max.y &&
                      fine_cell(a.y > b.y ? a.y : b.y) >= cells->min.y;
    return flat && (dims == 2 || (fine_cell((a.z < b.z ? a.z : b.z) - 1) < cells->max.z &&
                                  fine_cell(a.z > b.z ? a.z : b.z) >= cells->min.z));
}

// Whether a change may have come into a leg's way.
static bool is_in_doubt(const oct_crowd *c, oct_fine a, oct_fine b)
{
    for (size_t i = 0; i < c->change_count; i++) {
        if (c->changes[i].after & c->map.blocked &&
            leg_meets(a, b, &c->changes[i].box, c->map.dims)) {
            return true;
        }
    }
    return c->changes_all;
}

static bool has_broken_leg(const mover *m)
{
    const oct_crowd *const c = m->crowd;
    const waypoint *at = waypoint_at(&c->pool, m->unit->target);
    for (uint32_t next = at->next; next != 0; next = at->next) {
        const waypoint *const to = waypoint_at(&c->pool, next);
        if (is_in_doubt(c, at->at, to->at)) {
            const spot a = {at->at, oct_view_octants(&c->map, at->at)};
            const spot b = {to->at, oct_view_octants(&c->map, to->at)};
            if (!oct_view_sees(&c->map, &a, &b)) {
                return true;
            }
        }
        at = to;
    }
    return false;
}

// ---- the path ----

static double distance_to(const unit *u, oct_fine to)
{
    const oct_point apart = fine_apart(u->at, to);
    return sqrt(point_dot(apart, apart));
}

static void aim_at(unit *u, uint32_t target)
{
    u->target = target;
    u->nearest = HUGE_VAL;
}

// Goes on to the next waypoint as soon as it is in sight, looking for it where the target is near
// or the way is being checked.
static void go_on(mover *m, bool is_check)
{
    unit *const u = m->unit;
    const waypoint_pool *const pool = &m->crowd->pool;
    const waypoint *at = waypoint_at(pool, u->target);
    while (at->next && (is_check || distance_to(u, at->at) <= 2.0 * u->step)) {
        if (!fine_equal(at->at, u->at) && !oct_follow_sees(m, waypoint_at(pool, at->next)->at)) {
            return;
        }
        aim_at(u, at->next);
        at = waypoint_at(pool, u->target);
    }
}

// Whether the unit is as near to its goal as those let it that are there.
static bool is_held_up(const mover *m)
{
    const unit *const u = m->unit;
    for (int i = 0; i < m->count && m->near[i].gap < u->radius; i++) {
        const unit *const other = unit_at(m->crowd, m->near[i].index);
        if (other->status == OCT_UNIT_ARRIVED && fine_equal(other->goal, u->goal)) {
            return true;
        }
    }
    return false;
}

// Looks whether the target is in sight, and asks for a way to it where not.
static void check_way(mover *m)
{
    unit *const u = m->unit;
    const uint32_t second = m->crowd->second;
    m->out->is_checked = true;
    go_on(m, true);
    if (!u->is_checked && !oct_follow_sees(m, waypoint_at(&m->crowd->pool, u->target)->at)) {
        m->out->wish = WISH_SHORT;
    }
    // Neither the way nor a short search helped.
    if (u->stalled >= 3u * second && u->stalled % (2u * second) == 0) {
        m->out->wish = WISH_PATH;
    }
}

static bool check_is_due(const mover *m, double distance)
{
    const oct_crowd *const c = m->crowd;
    const unit *const u = m->unit;
    const uint32_t quarter = c->second / 4u + 1u;
    return (c->tick + m->index) % c->second == 0 || (u->stalled > 0 && u->stalled % quarter == 0) ||
           distance > u->nearest + u->radius + PUSHED_STEPS * u->step ||
           (c->has_changed && is_in_doubt(c, u->at, waypoint_at(&c->pool, u->target)->at));
}

// Those who block each other must not do the same for ever: each tries a direction of its own for
// a while.
static oct_point try_aside(const mover *m, oct_point wanted)
{
    const oct_crowd *const c = m->crowd;
    const uint64_t key[2] = {m->index, (c->tick + m->index) / (c->second / 2u + 1u)};
    const uint64_t bits = oct_hash_words(key, 2);
    const uint32_t at = (uint32_t)((bits >> 32) % 27u);
    const double length = sqrt(point_dot(wanted, wanted));
    const oct_point aside = {(int)(at % 3u) - 1, (int)(at / 3u % 3u) - 1,
                             c->map.dims == 3 ? (int)(at / 9u) - 1 : 0};
    const oct_point way = point_add(point_scale(wanted, 0.5), point_scale(aside, length));
    const double far = sqrt(point_dot(way, way));
    return far > length ? point_scale(way, length / far) : way;
}

static oct_point towards(const mover *m, oct_fine to)
{
    const unit *const u = m->unit;
    const oct_point way = fine_apart(u->at, to);
    const double length = sqrt(point_dot(way, way));
    return length > u->step ? point_scale(way, u->step / length) : way;
}

// What would happen after it has arrived is none of its business.
static void park(mover *m, double distance)
{
    const double ticks = distance / m->unit->step;
    m->is_parking = ticks < m->crowd->horizon;
    if (m->is_parking) {
        m->horizon = ticks > PARKING_TICKS ? ticks : PARKING_TICKS;
    }
}

static oct_point follow_path(mover *m)
{
    unit *const u = m->unit;
    const waypoint_pool *const pool = &m->crowd->pool;
    go_on(m, false);
    double distance = distance_to(u, waypoint_at(pool, u->target)->at);
    if (check_is_due(m, distance)) {
        check_way(m);
        distance = distance_to(u, waypoint_at(pool, u->target)->at);
        u->nearest = distance; // a unit that was pushed away is told so once
    }
    u->nearest = distance < u->nearest ? distance : u->nearest;
    if (m->crowd->has_changed && has_broken_leg(m)) {
        m->out->wish = WISH_PATH;
    }
    const waypoint *const target = waypoint_at(pool, u->target);
    const uint32_t half = m->crowd->second / 2u + 1u;
    if (!target->next && (distance <= u->tolerance || (u->stalled >= half && is_held_up(m)))) {
        m->out->status = OCT_UNIT_ARRIVED;
        m->out->is_held = distance > u->tolerance;
        return (oct_point){0.0, 0.0, 0.0};
    }
    if (!target->next) {
        park(m, distance);
    }
    const oct_point wanted = towards(m, target->at);
    return u->stalled >= half ? try_aside(m, wanted) : wanted;
}

oct_point oct_follow(mover *m)
{
    unit *const u = m->unit;
    const oct_crowd *const c = m->crowd;
    const oct_point rest = {0.0, 0.0, 0.0};
    if (u->status == OCT_UNIT_LOST && u->again != c->revision &&
        (c->tick + m->index) % c->second == 0) {
        m->out->status = OCT_UNIT_WAITING;
        m->out->wish = WISH_PATH;
    }
    if (!u->target) {
        return rest;
    }
    if (u->status != OCT_UNIT_ARRIVED) {
        return follow_path(m);
    }
    const oct_fine home = waypoint_at(&c->pool, u->target)->at;
    return u->is_held || distance_to(u, home) <= u->tolerance ? rest : towards(m, home);
}
