// SPDX-License-Identifier: MIT
// A body among solids.
//
// Moving is sweeping and sliding: where the way ends at a surface, the rest of it goes on along the
// surface, in the end along the edge between two. Most ticks of who flies need neither: as long as
// it has not used up its distance from everything, nothing can be in its way.
#include "game/body.h"

#include "geom/geom_internal.h"
#include "octant/block_world.h"

#include <math.h>

#define TICK (1.0 / OCT_BLOCK_WORLD_RATE)
#define RADIUS (0.5 * OCT_BLOCK_WORLD_WIDTH)
#define HALF (0.5 * OCT_BLOCK_WORLD_HEIGHT - RADIUS)
// HALF < RADIUS: the axis never leaves the ball around the centre that is always free. So no turn
// passes through anything, however fast.

// Surfaces that one tick slides along.
#define SURFACES_MAX 4
// Who closes in more slowly than this does not run into it, m/s: seams between blocks.
#define BUMP 0.05
// How far below the feet one stands, metres.
#define STEP 0.05
// Ticks that boots are loose after a jump.
#define LOOSE (OCT_BLOCK_WORLD_RATE / 2)
// How far one looks for what is near: metres, and ways of a tick. Farther costs more and spares
// less. What is kept of that, metres.
#define LOOK 0.5
#define LOOK_WAYS 8.0
#define MARGIN (2.0 * SOLIDS_SKIN)

static const oct_point nowhere = {0.0, 0.0, 0.0};

static oct_point along(oct_point a, oct_point b, double by)
{
    return (oct_point){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by};
}

static capsule capsule_at(oct_point centre, oct_point up)
{
    return (capsule){centre, up, HALF, RADIUS};
}

capsule oct_body_capsule(const body *b)
{
    return capsule_at(b->centre, b->frame.up);
}

// ---- what is known to be free ----

// Brings the bound up to date.
static void refresh(const solids *s, body *b)
{
    uint64_t epoch;
    const double drift = oct_solids_drift(s, &epoch);
    b->clear = epoch == b->clear_revision ? b->clear - (drift - b->clear_drift) : 0.0;
    b->clear_revision = epoch;
    b->clear_drift = drift;
}

// Whether nothing is in the way, wherever it goes by at most that much: never wrong where it says
// so.
static bool is_clear(const solids *s, body *b, double way)
{
    refresh(s, b);
    if (b->clear <= way + MARGIN) {
        const capsule c = oct_body_capsule(b);
        b->clear = oct_solids_gap(s, &c, LOOK + LOOK_WAYS * way);
    }
    return b->clear > way + MARGIN;
}

// ---- sliding ----

typedef struct surfaces {
    oct_point normals[SURFACES_MAX];
    int count;
    double fastest; // that it closed in on one, m/s
} surfaces;

// Whether a way leads into none of the surfaces; two of them are not asked.
static bool leads_out(const surfaces *f, oct_point way, int but, int and_but)
{
    const double least = -1e-12 * point_length(way);
    for (int i = 0; i < f->count; i++) {
        if (i != but && i != and_but && point_dot(way, f->normals[i]) < least) {
            return false;
        }
    }
    return true;
}

// What is left of a way where it leads into surfaces: along one, or along an edge, or nothing.
static oct_point slide_along(const surfaces *f, oct_point way)
{
    if (leads_out(f, way, -1, -1)) {
        return way;
    }
    for (int i = 0; i < f->count; i++) {
        const double into = point_dot(way, f->normals[i]);
        const oct_point left = along(way, f->normals[i], -into);
        if (into < 0.0 && leads_out(f, left, i, i)) {
            return left;
        }
    }
    for (int i = 0; i < f->count; i++) {
        for (int k = i + 1; k < f->count; k++) {
            const oct_point edge = point_cross(f->normals[i], f->normals[k]);
            const double square = point_dot(edge, edge);
            const oct_point left =
                along(nowhere, edge, square > 1e-9 ? point_dot(way, edge) / square : 0);
            if (square > 1e-9 && leads_out(f, left, i, k)) {
                return left;
            }
        }
    }
    return nowhere;
}

// Who walks gains no height along what is too steep to stand on: that is a wall.
static oct_point as_wall(oct_point normal, oct_point up)
{
    const double rise = point_dot(normal, up);
    const oct_point flat = along(normal, up, -rise);
    const double size = point_length(flat);
    return rise > 0.0 && rise < BODY_LEVEL && size > 0.0 ? along(nowhere, flat, 1.0 / size)
                                                         : normal;
}

// Moves it by a way among all but one frame. What it began with is what slides, along all surfaces
// met so far: so who is pressed into a corner rests there.
static void slide(const solids *s, uint32_t except, oct_point whole, body *b, surfaces *f)
{
    const oct_point velocity = b->velocity;
    oct_point way = whole;
    double left = 1.0;
    f->count = 0;
    f->fastest = 0.0;
    while (f->count < SURFACES_MAX) {
        const capsule c = oct_body_capsule(b);
        solid_hit hit;
        const bool met = oct_solids_sweep(s, &c, way, except, &hit);
        b->centre = along(b->centre, way, hit.share);
        b->clear -= point_length(way) * hit.share;
        if (!met) {
            return;
        }
        const double closing = -point_dot(b->velocity, hit.normal);
        f->fastest = closing > f->fastest ? closing : f->fastest;
        f->normals[f->count++] = b->stands ? as_wall(hit.normal, b->frame.up) : hit.normal;
        left *= 1.0 - hit.share;
        b->velocity = slide_along(f, velocity);
        way = along(nowhere, slide_along(f, whole), left);
        if (hit.gap < SOLIDS_SKIN) {
            // It was brought nearer, by a door or by much sliding: away from it again.
            way = along(way, hit.normal, SOLIDS_SKIN - hit.gap);
        }
    }
}

// One tick's way by its velocity.
static void move(const solids *s, body *b, surfaces *f)
{
    const oct_point way = along(nowhere, b->velocity, TICK);
    const double far = point_length(way);
    *f = (surfaces){.count = 0};
    if (far == 0.0) {
        return;
    }
    // Who stands is near to something.
    if (!b->stands && is_clear(s, b, far)) {
        b->centre = along(b->centre, way, 1.0);
        b->clear -= far;
    } else {
        slide(s, UINT32_MAX, way, b, f);
    }
}

// ---- turning ----

static void turn(const solids *s, const oct_world_rules *rules, oct_point rotate, body *b)
{
    const double angle = rules->turn * TICK;
    motion_frame turned = b->frame;
    const bool tilts = b->flies && (rotate.x != 0.0 || rotate.z != 0.0);
    if (tilts) {
        oct_motion_turn(&turned, rotate, angle);
        const double by = HALF * point_length(point_sub(turned.up, b->frame.up));
        const capsule c = capsule_at(b->centre, turned.up);
        if (is_clear(s, b, by) || oct_solids_gap(s, &c, MARGIN) >= 0.5 * SOLIDS_SKIN) {
            b->clear -= by;
            b->frame = turned;
            return;
        }
    }
    // The capsule's axis is its up, which stays as it is.
    oct_motion_turn(&b->frame, (oct_point){0.0, rotate.y, 0.0}, angle);
}

// ---- on foot ----

// Whether something under its feet would hold it.
static bool can_stand(const oct_world_rules *rules, const body *b)
{
    const double pull = point_length(rules->gravity);
    return (b->boots && b->loose == 0) ||
           (pull > 0.0 && -point_dot(b->frame.up, rules->gravity) >= BODY_LEVEL * pull);
}

// The ground within a depth below its feet.
static bool find_ground(const solids *s, const body *b, double depth, solid_hit *out)
{
    const capsule c = oct_body_capsule(b);
    return oct_solids_sweep(s, &c, along(nowhere, b->frame.up, -depth), UINT32_MAX, out) &&
           point_dot(out->normal, b->frame.up) >= BODY_LEVEL;
}

// Puts it on the ground within a depth, if there is any.
static bool settle(const solids *s, double depth, body *b)
{
    solid_hit hit;
    b->stands = find_ground(s, b, depth, &hit);
    b->ground = b->stands ? hit.solid : UINT32_MAX;
    b->ground_revision = oct_solids_revision(s);
    if (b->stands) {
        b->centre = along(b->centre, b->frame.up, -depth * hit.share);
        b->clear -= depth * hit.share;
    }
    return b->stands;
}

static void walk(const solids *s, const oct_world_rules *rules, oct_point wish, body *b)
{
    const body before = *b;
    surfaces f;
    wish.y = 0.0;
    const double share = point_length(wish);
    const oct_point way = oct_motion_to_world(&b->frame, wish);
    b->velocity = along(nowhere, way, rules->walk / (share > 1.0 ? share : 1.0));
    if (point_length(b->velocity) == 0.0 && b->ground_revision == oct_solids_revision(s)) {
        return;
    }
    move(s, b, &f);
    // Down a slope it goes as far down as ahead at most.
    const double went = point_length(point_sub(b->centre, before.centre));
    if (!settle(s, STEP + went, b) && b->boots && b->loose == 0) {
        *b = before;
        b->velocity = nowhere;
        settle(s, STEP, b);
    }
}

static void fall(const solids *s, const oct_world_rules *rules, body *b)
{
    surfaces f;
    const oct_point before = b->velocity;
    b->velocity = oct_motion_velocity(&b->frame, along(before, rules->gravity, TICK), nowhere,
                                      false, 0.0, rules->speed, TICK);
    move(s, b, &f);
    solid_hit hit;
    // Who was on the way up or away is not held; who is only pulled away is, by boots on a ceiling.
    if (can_stand(rules, b) && find_ground(s, b, STEP, &hit) &&
        point_dot(before, hit.normal) <= BUMP) {
        settle(s, STEP, b);
        b->velocity = along(b->velocity, hit.normal, -point_dot(b->velocity, hit.normal));
    }
}

static void go_on_foot(const solids *s, const oct_world_rules *rules, oct_point wish, body *b)
{
    b->loose -= b->loose > 0;
    b->stands = b->stands && can_stand(rules, b);
    if (b->stands && b->jumps) {
        b->velocity = along(b->velocity, b->frame.up, rules->jump);
        b->stands = false;
        b->loose = LOOSE;
    }
    if (b->stands) {
        walk(s, rules, wish, b);
    } else {
        b->ground = UINT32_MAX;
        fall(s, rules, b);
    }
}

// ---- in the air ----

static void fly(const solids *s, const oct_world_rules *rules, oct_point thrust, body *b)
{
    surfaces f;
    b->stands = false;
    b->ground = UINT32_MAX;
    b->loose = 0;
    if (!b->damps) {
        b->velocity = along(b->velocity, rules->gravity, TICK);
    }
    b->velocity = oct_motion_velocity(&b->frame, b->velocity, thrust, b->damps, rules->acceleration,
                                      rules->speed, TICK);
    move(s, b, &f);
    b->bumps += f.fastest > BUMP;
}

void oct_body_tick(const solids *s, const oct_world_rules *rules, body *b)
{
    const bool steers = b->ticks > 0;
    const oct_point wish = steers ? b->move : nowhere;
    b->ticks -= steers;
    if (steers) {
        turn(s, rules, b->rotate, b);
    }
    if (b->flies) {
        fly(s, rules, wish, b);
    } else {
        go_on_foot(s, rules, wish, b);
    }
    b->jumps = false;
}

// ---- being pushed ----

bool oct_body_push(const solids *s, uint32_t frame, oct_point by, body *b)
{
    const body before = *b;
    const bool carried =
        b->stands && b->ground != UINT32_MAX && oct_solids_frame_of(s, b->ground) == frame;
    capsule c = oct_body_capsule(b);
    solid_hit hit = {.share = 0.0};
    surfaces f;
    // Seen from the frame, the body comes towards it. From where they meet it goes along.
    if (!carried && !oct_solids_sweep_to_frame(s, frame, &c, along(nowhere, by, -1.0), &hit)) {
        return true;
    }
    slide(s, frame, along(nowhere, by, 1.0 - hit.share), b, &f);
    b->velocity = before.velocity;
    if (f.count == 0) {
        return true;
    }
    // It went another way, or not far enough: there has to be room where the frame will be.
    c.centre = along(b->centre, by, -1.0);
    if (oct_solids_gap_to_frame(s, frame, &c, MARGIN) >= 0.5 * SOLIDS_SKIN) {
        return true;
    }
    *b = before;
    return false;
}

// ---- places ----

// How far along a direction from a place there is room, if there is within `most`.
static bool find_room(const solids *s, capsule c, oct_point direction, double most, double *out)
{
    const oct_point from = c.centre;
    solid_hit hit;
    c.centre = along(from, direction, most);
    if (oct_solids_gap(s, &c, MARGIN) < SOLIDS_SKIN ||
        oct_solids_ray(s, from, c.centre, UINT32_MAX, &hit)) {
        return false;
    }
    double no = 0.0, yes = most;
    for (int i = 0; i < 20; i++) {
        const double middle = 0.5 * (no + yes);
        c.centre = along(from, direction, middle);
        if (oct_solids_gap(s, &c, MARGIN) >= SOLIDS_SKIN) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    *out = yes;
    return true;
}

// The shortest way aside, of those along the frame's axes, edges and corners; up first.
static bool find_place(const solids *s, const motion_frame *frame, double most, capsule *c)
{
    static const int order[3] = {1, -1, 0};
    const oct_point from = c->centre;
    double best = HUGE_VAL, at;
    for (int i = 0; i < 27; i++) {
        const oct_point local = {order[(i / 3 + 2) % 3], order[i / 9], order[(i + 2) % 3]};
        const double size = point_length(local);
        const oct_point direction =
            along(nowhere, oct_motion_to_world(frame, local), size > 0.0 ? 1.0 / size : 0.0);
        const capsule start = capsule_at(from, frame->up);
        if (size > 0.0 && find_room(s, start, direction, most, &at) && at < best) {
            best = at;
            c->centre = along(from, direction, at);
        }
    }
    return best < HUGE_VAL;
}

bool oct_body_place_near(const solids *s, const oct_pose *pose, double most, body *b)
{
    const motion_frame frame = oct_motion_frame(pose->forward, pose->up);
    capsule c = capsule_at(along(pose->position, frame.up, 0.5 * OCT_BLOCK_WORLD_HEIGHT), frame.up);
    double reach = 2.0 * SOLIDS_SKIN;
    bool found = oct_solids_gap(s, &c, MARGIN) >= SOLIDS_SKIN;
    while (!found && reach < most) {
        found = find_place(s, &frame, reach, &c);
        reach *= 2.0;
    }
    if (!found && !find_place(s, &frame, most, &c) && oct_solids_gap(s, &c, MARGIN) < 0.0) {
        return false;
    }
    b->centre = c.centre;
    b->frame = frame;
    b->velocity = b->move = b->rotate = nowhere;
    b->ticks = b->loose = 0;
    b->stands = b->jumps = false;
    b->ground = UINT32_MAX;
    b->clear = 0.0;
    b->clear_revision = UINT64_MAX;
    return true;
}

bool oct_body_place(const solids *s, const oct_pose *pose, body *b)
{
    return oct_body_place_near(s, pose, 2.0 * SOLIDS_SKIN, b);
}
