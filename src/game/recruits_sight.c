// SPDX-License-Identifier: MIT
// What an agent of the lab world is shown: one ray for each thing, from its middle to the eye, and
// one for each vertex of the mesh. Rays go from column to column of cells; a ray that begins
// inside something does not meet it.
#include "game/recruits_internal.h"

// The ray of a thing begins a little above its middle, that of an agent at its chest.
#define ABOVE_MIDDLE 0.01
#define CHEST 0.8
// A vertex is compared as if it lay further along each axis.
#define VERTEX_SHIFT 0.01
#define BODY_LOW OCT_RECRUITS_RADIUS
#define BODY_HIGH (OCT_RECRUITS_HEIGHT - OCT_RECRUITS_RADIUS)

typedef struct ray {
    const recruits_world *g;
    oct_point from, way; // all of it
    int what;
    uint32_t agent;
} ray;

oct_point oct_recruits_eye(const recruits_agent *a)
{
    return (oct_point){a->feet.x, a->feet.y + OCT_RECRUITS_EYE, a->feet.z};
}

// ---- boxes and capsules ----

static double outside(double at, double low, double high)
{
    return at < low ? low - at : at > high ? at - high : 0.0;
}

double oct_recruits_distance(oct_point at, const oct_bounds *box)
{
    const double x = outside(at.x, box->min.x, box->max.x);
    const double y = outside(at.y, box->min.y, box->max.y);
    const double z = outside(at.z, box->min.z, box->max.z);
    return sqrt(x * x + y * y + z * z);
}

// Cuts a stretch of the ray to where it is between two planes.
static bool cut_axis(double from, double way, double low, double high, double *t0, double *t1)
{
    if (way == 0.0) {
        return from >= low && from <= high;
    }
    const double a = (low - from) / way, b = (high - from) / way;
    const double enter = a < b ? a : b, leave = a < b ? b : a;
    *t0 = enter > *t0 ? enter : *t0;
    *t1 = leave < *t1 ? leave : *t1;
    return *t0 <= *t1;
}

// In the box's own frame the ray is cut axis by axis. One that begins inside is not stopped.
static bool meets_box(const ray *r, const turned_box *b)
{
    const double at_x = r->from.x - b->x, at_z = r->from.z - b->z;
    const double x = b->cosine * at_x + b->sine * at_z, z = b->cosine * at_z - b->sine * at_x;
    const double way_x = b->cosine * r->way.x + b->sine * r->way.z;
    const double way_z = b->cosine * r->way.z - b->sine * r->way.x;
    double t0 = 0.0, t1 = 1.0;
    return cut_axis(x, way_x, -b->half_x, b->half_x, &t0, &t1) &&
           cut_axis(r->from.y, r->way.y, b->bottom, b->top, &t0, &t1) &&
           cut_axis(z, way_z, -b->half_z, b->half_z, &t0, &t1) && t0 > 0.0;
}

// The squared distance of a point from the upright axis of a body.
static double axis_squared(oct_point at, oct_point feet)
{
    const double y = outside(at.y, feet.y + BODY_LOW, feet.y + BODY_HIGH);
    const double x = at.x - feet.x, z = at.z - feet.z;
    return x * x + y * y + z * z;
}

static double share(double part, double whole)
{
    const double t = whole > 0.0 ? part / whole : 0.0;
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

// The place of the ray that is nearest to the axis of a body: distance from it is convex along the
// ray, with its least value at one of few places: beside the axis, or its ends' nearest.
static bool meets_body(const ray *r, oct_point feet)
{
    const double limit = OCT_RECRUITS_RADIUS * OCT_RECRUITS_RADIUS;
    if (axis_squared(r->from, feet) <= limit) {
        return false;
    }
    const double at_x = feet.x - r->from.x, at_z = feet.z - r->from.z;
    const double flat = r->way.x * r->way.x + r->way.z * r->way.z;
    const double beside = at_x * r->way.x + at_z * r->way.z;
    const double whole = flat + r->way.y * r->way.y;
    const double low = feet.y + BODY_LOW - r->from.y, high = feet.y + BODY_HIGH - r->from.y;
    const double tries[3] = {share(beside, flat), share(beside + low * r->way.y, whole),
                             share(beside + high * r->way.y, whole)};
    for (int i = 0; i < 3; i++) {
        const oct_point at = point_add(r->from, point_scale(r->way, tries[i]));
        if (axis_squared(at, feet) <= limit) {
            return true;
        }
    }
    return false;
}

// ---- what hides ----

static bool hides(const recruits_thing *t, int what)
{
    return what == SIGHT_OBJECTS ? t->kind != OCT_RECRUITS_FIRE : is_solid(t) && !is_actor(t);
}

static bool meets_thing(const ray *r, uint32_t i)
{
    const recruits_thing *const t = thing_at(r->g, i);
    if (!hides(t, r->what)) {
        return false;
    }
    const turned_box b = oct_recruits_box_of(t);
    return meets_box(r, &b);
}

static bool meets_things(const ray *r, size_t column)
{
    const column_lists *const near = &r->g->near;
    for (uint32_t k = near->first[column]; k < near->first[column + 1]; k++) {
        if (meets_thing(r, near->items[k])) {
            return true;
        }
    }
    return false;
}

static bool meets_who_moves(const ray *r)
{
    if (r->what != SIGHT_OBJECTS) {
        return false;
    }
    for (uint32_t i = 0; i < r->g->actors.count; i++) {
        if (meets_thing(r, actor_at(r->g, i)->thing)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < r->g->agents.count; i++) {
        if (i != r->agent && meets_body(r, agent_at(r->g, i)->feet)) {
            return true;
        }
    }
    return false;
}

// ---- columns of cells ----

// A ramp is what lies between its sheet and its surface, which is a plane.
static bool meets_ramp(const ray *r, uint32_t turn, int32_t x, int32_t y, int32_t z, double t0,
                       double t1)
{
    const double above = r->from.y - y;
    const double over = above - ramp_height(turn, r->from.x - x, r->from.z - z);
    const double over_way = r->way.y - turn_x(turn) * r->way.x - turn_z(turn) * r->way.z;
    return cut_axis(above, r->way.y, 0.0, 1.0, &t0, &t1) &&
           cut_axis(over, over_way, -2.0, 0.0, &t0, &t1) && t0 > 0.0;
}

static bool meets_cell(const ray *r, uint8_t cell, int32_t x, int32_t y, int32_t z, double t0,
                       double t1)
{
    const double y0 = r->from.y + t0 * r->way.y - y, y1 = r->from.y + t1 * r->way.y - y;
    const double low = y0 < y1 ? y0 : y1, high = y0 < y1 ? y1 : y0;
    if ((cell & CELL_WALL) && high > 0.0 && low < 1.0) {
        double enter = t0, leave = t1;
        if (cut_axis(r->from.y, r->way.y, y, y + 1.0, &enter, &leave) && enter > 0.0) {
            return true;
        }
    }
    if ((cell & CELL_FLOOR) && low < FLOOR_HEIGHT && high > FLOOR_HEIGHT) {
        return true;
    }
    return (cell & CELL_RAMP) && meets_ramp(r, cell >> CELL_TURN_SHIFT, x, y, z, t0, t1);
}

static bool meets_column(const ray *r, int32_t x, int32_t z, double t0, double t1)
{
    const double y0 = r->from.y + t0 * r->way.y, y1 = r->from.y + t1 * r->way.y;
    const int32_t low = axis_floor(y0 < y1 ? y0 : y1), high = axis_floor(y0 < y1 ? y1 : y0);
    for (int32_t y = low; y <= high; y++) {
        const uint8_t cell = cell_at(r->g, x, y, z);
        if (cell && meets_cell(r, cell, x, y, z, t0, t1)) {
            return true;
        }
    }
    const bool is_inside = (uint32_t)x < r->g->width && (uint32_t)z < r->g->depth;
    return is_inside && meets_things(r, (size_t)z * r->g->width + (size_t)x);
}

// The next border of a column along an axis, as a share of the ray.
static double border(double from, double way, int32_t column)
{
    return way > 0.0 ? (column + 0.5 - from) / way : way < 0.0 ? (column - 0.5 - from) / way : 2.0;
}

bool oct_recruits_is_hidden(const recruits_world *g, oct_point from, oct_point to, int what,
                            uint32_t agent)
{
    const ray r = {g, from, point_sub(to, from), what, agent};
    int32_t x = axis_floor(from.x + 0.5), z = axis_floor(from.z + 0.5);
    double t = 0.0;
    if (meets_who_moves(&r)) {
        return true;
    }
    while (t < 1.0) {
        const double next_x = border(from.x, r.way.x, x), next_z = border(from.z, r.way.z, z);
        const double next = next_x < next_z ? next_x : next_z;
        const double end = next < 1.0 ? next : 1.0;
        if (meets_column(&r, x, z, t, end > t ? end : t)) {
            return true;
        }
        if (next_x <= next_z) {
            x += r.way.x > 0.0 ? 1 : -1;
        } else {
            z += r.way.z > 0.0 ? 1 : -1;
        }
        t = next;
    }
    return false;
}

// ---- what is shown ----

bool oct_recruits_sees_thing(const recruits_world *g, uint32_t who, uint32_t thing)
{
    const oct_point eye = oct_recruits_eye(agent_at(g, who));
    const oct_bounds box = oct_recruits_bounds_of(thing_at(g, thing));
    if (oct_recruits_distance(eye, &box) > g->def.view) {
        return false;
    }
    const oct_point from = {(box.min.x + box.max.x) / 2.0,
                            (box.min.y + box.max.y) / 2.0 + ABOVE_MIDDLE,
                            (box.min.z + box.max.z) / 2.0};
    // Where the ray begins inside the agent it never meets it.
    return axis_squared(from, agent_at(g, who)->feet) > OCT_RECRUITS_RADIUS * OCT_RECRUITS_RADIUS &&
           !oct_recruits_is_hidden(g, from, eye, SIGHT_OBJECTS, who);
}

bool oct_recruits_sees_agent(const recruits_world *g, uint32_t who, uint32_t other)
{
    const oct_point eye = oct_recruits_eye(agent_at(g, who));
    const oct_point feet = agent_at(g, other)->feet;
    const double far = g->def.view + OCT_RECRUITS_RADIUS;
    const oct_point from = {feet.x, feet.y + CHEST, feet.z};
    return axis_squared(eye, feet) <= far * far &&
           axis_squared(from, agent_at(g, who)->feet) > OCT_RECRUITS_RADIUS * OCT_RECRUITS_RADIUS &&
           !oct_recruits_is_hidden(g, from, eye, SIGHT_OBJECTS, who);
}

static bool is_in_screen(const recruits_world *g, oct_point at)
{
    const int32_t x = axis_floor(at.x + 0.5), z = axis_floor(at.z + 0.5);
    if ((uint32_t)x >= g->width || (uint32_t)z >= g->depth) {
        return false;
    }
    const size_t column = (size_t)z * g->width + (size_t)x;
    for (uint32_t k = g->near.first[column]; k < g->near.first[column + 1]; k++) {
        const recruits_thing *const t = thing_at(g, g->near.items[k]);
        if (t->kind == OCT_RECRUITS_SCREEN && oct_recruits_distance(at, &t->box) <= 0.0) {
            return true;
        }
    }
    return false;
}

bool oct_recruits_sees_vertex(const recruits_world *g, uint32_t who, oct_point vertex)
{
    const oct_point eye = oct_recruits_eye(agent_at(g, who));
    const oct_point shifted = {vertex.x + VERTEX_SHIFT, vertex.y + VERTEX_SHIFT,
                               vertex.z + VERTEX_SHIFT};
    const oct_point way = point_sub(shifted, eye);
    return point_dot(way, way) < g->def.view * g->def.view && !is_in_screen(g, vertex) &&
           !oct_recruits_is_hidden(g, eye, vertex, SIGHT_MESH, who);
}
