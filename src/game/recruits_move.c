// SPDX-License-Identifier: MIT
// How agents of the lab world move: an upright capsule in full steps, which slides along what is in
// its way, gets up edges of 0.3 m, walks up ramps and falls where nothing bears it.
//
// Seen from above a capsule is a circle, smaller where only its round ends reach something; what
// stands in the way is a turned box. A step is much shorter than anything is thick, so that a
// sweep of the circle and the slide along what it meets are all there is to it.
#include "game/recruits_internal.h"

#define NEAR_MAX 256  // what can stand around one place
#define ROUND 1e-9    // what rounding may add up to, metres
#define DEEP 1e-6     // who is deeper in something is pushed out of it
#define PUSH_MAX 0.25 // metres in a tick
#define SLIDES 4
#define DOWN_SHARE 0.01 // of a step on the ground: presses the agent to it
#define ARRIVED_SQUARED 0.1
#define BOTTOMLESS (-12.0) // whoever is below is dead
// How far beside an edge the capsule's round end may touch it and still stand: the face there has
// the steepest slope that it stands on, 50 degrees.
#define EDGE_REACH 0.2451342
#define RAMP_LIFT 0.70710678118654752 // sine and cosine of a ramp's slope

typedef struct obstacle {
    turned_box box;
    double round; // it is rounded: a circle around a point, of another agent
} obstacle;

typedef struct surroundings {
    obstacle all[NEAR_MAX];
    uint32_t count;
} surroundings;

// ---- what is near ----

static void add_box(surroundings *s, turned_box box, double round)
{
    if (s->count < NEAR_MAX) {
        s->all[s->count++] = (obstacle){box, round};
    }
}

static turned_box cell_box(int32_t x, int32_t z, double bottom, double top)
{
    return (turned_box){
        .x = x, .z = z, .half_x = 0.5, .half_z = 0.5, .cosine = 1.0, .bottom = bottom, .top = top};
}

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

// A ramp is in the way where its nearest part is too high to be stepped upon; never of who is on
// it.
static void add_ramp(surroundings *s, uint32_t turn, int32_t x, int32_t y, int32_t z,
                     oct_point feet)
{
    const double from_x = feet.x - x, from_z = feet.z - z;
    const double near_x = clamp(from_x, -0.5, 0.5), near_z = clamp(from_z, -0.5, 0.5);
    const bool is_above = near_x == from_x && near_z == from_z && feet.y > y - OCT_RECRUITS_STEP;
    const double top = y + ramp_height(turn, near_x, near_z);
    if (!is_above) {
        add_box(s, cell_box(x, z, y, top), 0.0);
    }
}

// Walls that stand on each other are one.
static void add_column(const recruits_world *g, surroundings *s, int32_t x, int32_t z,
                       oct_point feet)
{
    const int32_t low = axis_floor(feet.y - 1.0), high = axis_floor(feet.y + OCT_RECRUITS_HEIGHT);
    int32_t begin = low;
    for (int32_t y = low; y <= high + 1; y++) {
        const uint8_t cell = cell_at(g, x, y, z);
        const bool is_wall = y <= high && (cell & CELL_WALL) != 0;
        if (!is_wall) {
            if (y > begin) {
                add_box(s, cell_box(x, z, begin, y), 0.0);
            }
            begin = y + 1;
        }
        if (y <= high && (cell & CELL_RAMP) != 0) {
            add_ramp(s, cell >> CELL_TURN_SHIFT, x, y, z, feet);
        }
    }
}

static void add_things(const recruits_world *g, surroundings *s, int32_t x, int32_t z)
{
    const size_t column = (size_t)z * g->width + (size_t)x;
    for (uint32_t k = g->near.first[column]; k < g->near.first[column + 1]; k++) {
        const recruits_thing *const t = thing_at(g, g->near.items[k]);
        if (is_solid(t)) {
            add_box(s, oct_recruits_box_of(t), 0.0);
        }
    }
}

static bool is_around(const turned_box *b, oct_point feet, double reach)
{
    return fabs(b->x - feet.x) <= b->half_x + reach && fabs(b->z - feet.z) <= b->half_z + reach;
}

static void gather(const recruits_world *g, uint32_t who, oct_point feet, surroundings *s)
{
    const double reach = OCT_RECRUITS_RADIUS + g->def.agent_speed + PUSH_MAX;
    const int32_t high_x = column_high(feet.x + reach, g->width);
    const int32_t high_z = column_high(feet.z + reach, g->depth);
    s->count = 0;
    for (int32_t z = column_low(feet.z - reach); z <= high_z; z++) {
        for (int32_t x = column_low(feet.x - reach); x <= high_x; x++) {
            add_column(g, s, x, z, feet);
            add_things(g, s, x, z);
        }
    }
    for (uint32_t i = 0; i < g->actors.count; i++) {
        const turned_box b = oct_recruits_box_of(thing_at(g, actor_at(g, i)->thing));
        if (is_around(&b, feet, reach)) {
            add_box(s, b, 0.0);
        }
    }
    for (uint32_t i = 0; i < g->agents.count; i++) {
        const oct_point other = agent_at(g, i)->feet;
        const turned_box b = {.x = other.x,
                              .z = other.z,
                              .cosine = 1.0,
                              .bottom = other.y,
                              .top = other.y + OCT_RECRUITS_HEIGHT};
        if (i != who && is_around(&b, feet, reach + OCT_RECRUITS_RADIUS)) {
            add_box(s, b, OCT_RECRUITS_RADIUS);
        }
    }
}

// ---- a circle and a turned box ----

// How wide the capsule is where an obstacle may touch it; negative where it cannot: it is stepped
// upon, or passes below or above.
static double width_at(const obstacle *o, double feet)
{
    const double radius = OCT_RECRUITS_RADIUS;
    const double low = feet + radius, high = feet + OCT_RECRUITS_HEIGHT - radius;
    if (o->box.top <= feet + OCT_RECRUITS_STEP || o->box.bottom >= high + radius) {
        return -1.0;
    }
    const double off = o->box.top < low       ? low - o->box.top
                       : o->box.bottom > high ? o->box.bottom - high
                                              : 0.0;
    return sqrt(radius * radius - off * off) + o->round;
}

// The distance of a place from a box, negative inside, and the way out.
static double gap_to(const turned_box *b, double at_x, double at_z, double *out_x, double *out_z)
{
    const double x = b->cosine * (at_x - b->x) + b->sine * (at_z - b->z);
    const double z = b->cosine * (at_z - b->z) - b->sine * (at_x - b->x);
    const double over_x = fabs(x) - b->half_x, over_z = fabs(z) - b->half_z;
    const double sign_x = x < 0.0 ? -1.0 : 1.0, sign_z = z < 0.0 ? -1.0 : 1.0;
    double gap, nx = 0.0, nz = 0.0;
    if (over_x > 0.0 && over_z > 0.0) {
        gap = sqrt(over_x * over_x + over_z * over_z);
        nx = sign_x * over_x / gap;
        nz = sign_z * over_z / gap;
    } else if (over_x > over_z) {
        gap = over_x;
        nx = sign_x;
    } else {
        gap = over_z;
        nz = sign_z;
    }
    *out_x = b->cosine * nx - b->sine * nz;
    *out_z = b->sine * nx + b->cosine * nz;
    return gap;
}

static double face_hit(double at, double way, double other_at, double other_way, double face,
                       double half)
{
    if (way == 0.0) {
        return 2.0;
    }
    const double t = ((way > 0.0 ? -face : face) - at) / way;
    return t >= 0.0 && fabs(other_at + t * other_way) <= half ? t : 2.0;
}

static double corner_hit(double x, double z, double way_x, double way_z, double width)
{
    const double a = way_x * way_x + way_z * way_z;
    const double b = x * way_x + z * way_z;
    const double root = b * b - a * (x * x + z * z - width * width);
    if (b >= 0.0 || root < 0.0) {
        return 2.0;
    }
    const double t = (-b - sqrt(root)) / a;
    return t >= 0.0 ? t : 2.0;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

// Which share of a way a circle goes until it meets a box; more than 1 = it does not.
static double sweep(const obstacle *o, double width, double at_x, double at_z, double way_x,
                    double way_z)
{
    const turned_box *const b = &o->box;
    double out_x, out_z;
    if (gap_to(b, at_x, at_z, &out_x, &out_z) <= width + ROUND) {
        return out_x * way_x + out_z * way_z < -ROUND * width ? 0.0 : 2.0;
    }
    const double x = b->cosine * (at_x - b->x) + b->sine * (at_z - b->z);
    const double z = b->cosine * (at_z - b->z) - b->sine * (at_x - b->x);
    const double to_x = b->cosine * way_x + b->sine * way_z;
    const double to_z = b->cosine * way_z - b->sine * way_x;
    double t = least(face_hit(x, to_x, z, to_z, b->half_x + width, b->half_z),
                     face_hit(z, to_z, x, to_x, b->half_z + width, b->half_x));
    for (int i = 0; i < 4; i++) {
        const double corner_x = i & 1 ? b->half_x : -b->half_x;
        const double corner_z = i & 2 ? b->half_z : -b->half_z;
        t = least(t, corner_hit(x - corner_x, z - corner_z, to_x, to_z, width));
    }
    return t;
}

// ---- sliding ----

// Moves as far as it goes, along what is in the way; says whether something was.
static bool slide(const surroundings *s, oct_point *feet, double way_x, double way_z)
{
    const double first_x = way_x, first_z = way_z;
    bool has_met = false;
    for (int i = 0; i < SLIDES; i++) {
        const obstacle *met = NULL;
        double nearest = 1.0, out_x, out_z;
        for (uint32_t k = 0; k < s->count; k++) {
            const double width = width_at(&s->all[k], feet->y);
            const double t =
                width < 0.0 ? 2.0 : sweep(&s->all[k], width, feet->x, feet->z, way_x, way_z);
            if (t < nearest) {
                nearest = t;
                met = &s->all[k];
            }
        }
        feet->x += nearest * way_x;
        feet->z += nearest * way_z;
        if (!met) {
            return has_met;
        }
        has_met = true;
        (void)gap_to(&met->box, feet->x, feet->z, &out_x, &out_z);
        way_x *= 1.0 - nearest;
        way_z *= 1.0 - nearest;
        const double into = way_x * out_x + way_z * out_z;
        way_x -= into < 0.0 ? into * out_x : 0.0;
        way_z -= into < 0.0 ? into * out_z : 0.0;
        if (way_x * first_x + way_z * first_z <= ROUND * ROUND) {
            return true;
        }
    }
    return has_met;
}

// Out of a door that swings and a character that walks, and out of a wall whose edge was stepped
// upon and is beside who falls from it. Agents do not push each other.
static void push_out(const surroundings *s, oct_point *feet)
{
    for (uint32_t k = 0; k < s->count; k++) {
        const obstacle *const o = &s->all[k];
        const double width = o->round > 0.0 ? -1.0 : width_at(o, feet->y);
        double out_x, out_z;
        const double gap = width < 0.0 ? 0.0 : gap_to(&o->box, feet->x, feet->z, &out_x, &out_z);
        if (width >= 0.0 && gap < width - DEEP) {
            const double by = least(width - gap, PUSH_MAX);
            (void)slide(s, feet, out_x * by, out_z * by);
        }
    }
}

// ---- the ground ----

// How much lower than an edge the feet are that rest on it from so far beside it.
static double below_edge(double beside)
{
    return OCT_RECRUITS_RADIUS - sqrt(OCT_RECRUITS_RADIUS * OCT_RECRUITS_RADIUS - beside * beside);
}

static void bear(double height, double beside, double most, double *ground)
{
    if (height <= most + ROUND && beside <= EDGE_REACH) {
        const double feet = height - below_edge(beside);
        *ground = feet > *ground ? feet : *ground;
    }
}

// On a ramp the round end touches beside the middle, uphill; at the ramp's ends its edge bears.
static void bear_on_ramp(uint32_t turn, double x, double z, double bottom, double most,
                         double *ground)
{
    const double up = turn_x(turn) * x + turn_z(turn) * z;
    const double side = turn_x(turn) * z - turn_z(turn) * x;
    const double beside = fabs(side) > 0.5 ? fabs(side) - 0.5 : 0.0;
    if (beside > EDGE_REACH) {
        return;
    }
    const double width = sqrt(OCT_RECRUITS_RADIUS * OCT_RECRUITS_RADIUS - beside * beside);
    const double at = clamp(up + width * RAMP_LIFT, -0.5, 0.5);
    const double off = fabs(at - up);
    if (off > EDGE_REACH) {
        return;
    }
    const double feet = bottom + 0.5 + at - OCT_RECRUITS_RADIUS + sqrt(width * width - off * off);
    if (feet <= most + ROUND && feet > *ground) {
        *ground = feet;
    }
}

static void bear_on_cells(const recruits_world *g, oct_point feet, double most, double *ground)
{
    const int32_t high_x = column_high(feet.x + EDGE_REACH, g->width);
    const int32_t high_z = column_high(feet.z + EDGE_REACH, g->depth);
    const int32_t top = axis_floor(most + ROUND), low = top - 2;
    for (int32_t z = column_low(feet.z - EDGE_REACH); z <= high_z; z++) {
        for (int32_t x = column_low(feet.x - EDGE_REACH); x <= high_x; x++) {
            const double off_x = fabs(feet.x - x) - 0.5, off_z = fabs(feet.z - z) - 0.5;
            const double in_x = off_x > 0.0 ? off_x : 0.0, in_z = off_z > 0.0 ? off_z : 0.0;
            const double beside = sqrt(in_x * in_x + in_z * in_z);
            for (int32_t y = low; y <= top; y++) {
                const uint8_t cell = cell_at(g, x, y, z);
                if (cell & CELL_FLOOR) {
                    bear(y + FLOOR_HEIGHT, beside, most, ground);
                }
                if (cell & CELL_WALL) {
                    bear(y + 1.0, beside, most, ground);
                }
                if (cell & CELL_RAMP) {
                    bear_on_ramp(cell >> CELL_TURN_SHIFT, feet.x - x, feet.z - z, y, most, ground);
                }
            }
        }
    }
}

// The highest place on which the feet rest and that is not above `most`.
static double ground_below(const recruits_world *g, const surroundings *s, oct_point feet,
                           double most)
{
    double ground = -1e9;
    bear_on_cells(g, feet, most, &ground);
    for (uint32_t k = 0; k < s->count; k++) {
        const obstacle *const o = &s->all[k];
        double out_x, out_z;
        if (o->round == 0.0) {
            const double gap = gap_to(&o->box, feet.x, feet.z, &out_x, &out_z);
            bear(o->box.top, gap > 0.0 ? gap : 0.0, most, &ground);
        }
    }
    return ground;
}

// Whether something is in the way at a place.
static bool is_stuck(const surroundings *s, oct_point feet)
{
    for (uint32_t k = 0; k < s->count; k++) {
        const double width = width_at(&s->all[k], feet.y);
        double out_x, out_z;
        if (width >= 0.0 && gap_to(&s->all[k].box, feet.x, feet.z, &out_x, &out_z) < width - DEEP) {
            return true;
        }
    }
    return false;
}

// ---- a step ----

// Where it wants to go in this tick, on the ground: a share of a step, all of one to a target.
static bool wants(recruits_agent *a, double *x, double *z)
{
    *x = *z = 0.0;
    if (a->has_target) {
        const oct_point way = point_sub(a->target, a->feet);
        if (point_dot(way, way) < ARRIVED_SQUARED) {
            a->has_target = false;
            return false;
        }
        const double length = sqrt(way.x * way.x + way.z * way.z);
        *x = length > 0.0 ? way.x / length : 0.0;
        *z = length > 0.0 ? way.z / length : 0.0;
        return length > 0.0;
    }
    if (a->ticks == 0) {
        return false;
    }
    // Right is (yaw_z, -yaw_x) in a left-handed world, back is away from (yaw_x, yaw_z).
    *x = a->move.x * a->yaw_z - a->move.z * a->yaw_x;
    *z = -a->move.x * a->yaw_x - a->move.z * a->yaw_z;
    return true;
}

static void turn_around(recruits_agent *a, double most)
{
    double sine, cosine;
    if (a->ticks > 0 && a->turning != 0.0) {
        // To the left is from z to -x, seen from above in a left-handed world.
        oct_sin_cos(a->turning * most, &sine, &cosine);
        const double x = a->yaw_x * cosine - a->yaw_z * sine;
        a->yaw_z = a->yaw_x * sine + a->yaw_z * cosine;
        a->yaw_x = x;
    }
}

static void end_tick(recruits_agent *a, oct_point from)
{
    a->ticks -= a->ticks > 0;
    a->jumps = false;
    a->velocity = point_scale(point_sub(a->feet, from), OCT_RECRUITS_RATE);
}

// Falls, stands, or gets up what it has walked onto.
static void settle(const recruits_world *g, const surroundings *s, recruits_agent *a,
                   oct_point from, double down)
{
    const double ground = ground_below(g, s, a->feet, from.y + OCT_RECRUITS_STEP);
    const double wanted = a->feet.y + down;
    a->stands = wanted <= ground + SKIN + ROUND;
    a->feet.y = a->stands ? ground + SKIN : wanted;
    push_out(s, &a->feet); // of what is beside it at its new height
    if (a->stands && a->feet.y > from.y + DEEP && !is_stuck(s, from) && is_stuck(s, a->feet)) {
        // There is no room above what it would get up.
        a->feet = from;
        a->bumps++;
    }
}

void oct_recruits_move_agent(recruits_world *g, uint32_t who)
{
    recruits_agent *const a = agent_at(g, who);
    const oct_point from = a->feet;
    double x = 0.0, z = 0.0;
    if (a->health <= 0) {
        a->velocity = (oct_point){0, 0, 0};
        return;
    }
    surroundings s;
    gather(g, who, a->feet, &s);
    push_out(&s, &a->feet);
    turn_around(a, g->body.turn / OCT_RECRUITS_RATE);
    (void)wants(a, &x, &z);
    const double y = a->jumps && a->stands ? g->def.jump_force : a->stands ? -DOWN_SHARE : -1.0;
    const bool goes = x != 0.0 || z != 0.0;
    const double share = g->def.agent_speed / sqrt((goes ? 1.0 : 0.0) + y * y);
    if (goes) {
        a->bumps += slide(&s, &a->feet, x * share, z * share);
    }
    settle(g, &s, a, from, y * share);
    if (a->feet.y < BOTTOMLESS) {
        oct_recruits_hurt(g, who, a->health, 0, "Dead...");
    }
    end_tick(a, from);
}
