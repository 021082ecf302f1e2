// SPDX-License-Identifier: MIT
// Jumps and drops.
//
// A body in the air keeps its horizontal velocity and falls by gravity. Games add up a fall in
// different ways: after a time t they are within g t tick of each other, and within a tick of
// way. Arcs are checked for all of them.
#include "footing/footing_internal.h"

#include <math.h>

// Columns that a leap goes over at most.
#define LEAP_COLUMNS 24
// Off an edge it goes at this share of its speed.
#define DROP_SHARE 0.25

// ---- arcs ----

typedef struct arc {
    const oct_footing *footing;
    footing_point from;
    double du, dv; // horizontal direction, a unit vector
    double speed, jump, gravity;
} arc;

static footing_point arc_at(const arc *a, double t)
{
    const double along = a->speed * t;
    return (footing_point){a->from.u + a->du * along, a->from.v + a->dv * along,
                           a->from.h + a->jump * t - 0.5 * a->gravity * t * t};
}

// How far off the height may be.
static double doubt(const arc *a, double t)
{
    return a->gravity * t * a->footing->walker.tick;
}

// Until it has come down for certain; from `first` on it may stand on the ground there.
static bool arc_is_free(const arc *a, double first, double last, double ground)
{
    const oct_footing *const f = a->footing;
    const double way = (a->speed + a->jump + a->gravity * last) * last;
    const uint32_t steps = (uint32_t)(way / (0.5 * f->cell)) + 2;
    for (uint32_t i = 0; i <= steps; i++) {
        const double t = last * i / steps;
        footing_point at = arc_at(a, t);
        const double hi = fmax(at.h + doubt(a, t), ground) + f->walker.height;
        at.h -= doubt(a, t);
        at.h = t >= first ? fmax(at.h, ground) : at.h;
        if (!oct_footing_is_free(f, at, at.h, hi) || !oct_footing_is_known(f, at, at.h, hi)) {
            return false;
        }
    }
    return true;
}

// Whether there is level ground of a height, with room for the body, wherever it may come down,
// from one place of the way to another.
static bool is_ground(oct_footing *f, const arc *a, double first, double last, double h)
{
    const double by = 0.5 * f->cell;
    bool is = true;
    for (double x = first; x < last + by && is; x += by) {
        const footing_point at = {a->from.u + a->du * fmin(x, last),
                                  a->from.v + a->dv * fmin(x, last), h};
        uint32_t place;
        int32_t i, j;
        is = oct_footing_column_index(f, at, &i, &j) &&
             oct_footing_nearest(f, i, j, h, FOOTING_SAME, FOOTING_SAME, &place) == OCT_OK &&
             place != FOOTING_NONE && footing_is_level(footing_place_at(f, place)) &&
             oct_footing_place_is_known(f, place) &&
             oct_footing_is_free(f, at, h, h + f->walker.height);
    }
    return is;
}

static bool make_arc(const oct_footing *f, footing_point from, footing_point to, arc *out,
                     double *far)
{
    const double du = to.u - from.u, dv = to.v - from.v;
    *far = sqrt(du * du + dv * dv);
    *out = (arc){.footing = f,
                 .from = from,
                 .du = du / *far,
                 .dv = dv / *far,
                 .jump = f->walker.jump,
                 .gravity = f->walker.gravity};
    return *far > FOOTING_SAME;
}

bool oct_footing_jump(oct_footing *f, footing_point from, footing_point to, double *speed)
{
    const oct_walker *const w = &f->walker;
    const double rise = to.h - from.h;
    arc a;
    double far;
    if (!(w->jump > 0.0 && w->gravity > 0.0) || rise > w->climb || -rise > w->drop ||
        !make_arc(f, from, to, &a, &far) || far > w->leap) {
        return false;
    }
    const double square = w->jump * w->jump - 2.0 * w->gravity * rise;
    if (!(square > 0.0)) {
        return false;
    }
    // It comes down this fast; by then its height is off by so much, and it lands so much earlier
    // or later.
    const double falls = sqrt(square), time = (w->jump + falls) / w->gravity;
    const double early = doubt(&a, time) / falls + 2.0 * w->tick;
    a.speed = far / time;
    if (a.speed > w->speed || early >= time) {
        return false;
    }
    *speed = a.speed;
    return is_ground(f, &a, a.speed * (time - early), a.speed * (time + early), to.h) &&
           arc_is_free(&a, time - early, time + early, to.h);
}

// ---- drops ----

// Where a body that walks off an edge lands: beyond the edge by its radius at least, as it slides
// along the side, and by as much more as it falls ahead.
static bool drops_to(oct_footing *f, arc *a, double depth, double edge, double *speed)
{
    const oct_walker *const w = &f->walker;
    const double h = a->from.h - depth;
    a->speed = w->speed * DROP_SHARE;
    const double time = sqrt(2.0 * depth / w->gravity) + 2.0 * w->tick;
    const double first = edge + w->radius, last = first + a->speed * time + f->cell;
    *speed = a->speed;
    if (!is_ground(f, a, first + w->margin, last, h)) {
        return false;
    }
    // All of the space from the ground below to its head above the edge.
    for (double x = 0.0; x <= last; x += 0.5 * f->cell) {
        const footing_point at = {a->from.u + a->du * x, a->from.v + a->dv * x, h};
        const double lo = x > first + w->margin ? h + w->step : a->from.h;
        const double hi = a->from.h + w->height;
        if (!oct_footing_is_free(f, at, lo, hi) || !oct_footing_is_known(f, at, lo, hi)) {
            return false;
        }
    }
    return true;
}

// ---- the leaps of a place ----

static oct_result add_leap(oct_footing *f, uint32_t place, footing_leap leap)
{
    OCT_TRY(oct_array_push(&f->leaps, &f->allocator, sizeof leap, &leap));
    footing_place_at(f, place)->leap_count++;
    return OCT_OK;
}

static double flat(footing_point a, footing_point b)
{
    const double u = b.u - a.u, v = b.v - a.v;
    return sqrt(u * u + v * v);
}

// Ground to which a jump was found, and on from there one walks: further ground of about that
// height in the same direction is not tried.
typedef struct jumped {
    double heights[4];
    int count;
} jumped;

static bool is_reached(const oct_footing *f, const jumped *j, double h)
{
    bool is = false;
    for (int i = 0; i < j->count && !is; i++) {
        is = fabs(j->heights[i] - h) <= f->walker.step + FOOTING_SAME;
    }
    return is;
}

static oct_result add_jumps_to(oct_footing *f, uint32_t place, const footing_column *there,
                               jumped *j)
{
    const footing_point from = footing_stand(f, place);
    for (uint32_t n = 0; n < there->count && j->count < 4; n++) {
        const uint32_t to = there->first + n;
        const footing_point at = footing_stand(f, to);
        double speed;
        if (!is_reached(f, j, at.h) && oct_footing_place_is_known(f, to) &&
            oct_footing_jump(f, from, at, &speed)) {
            const double cost = flat(from, at) + 1.0;
            j->heights[j->count++] = at.h;
            OCT_TRY(add_leap(f, place, (footing_leap){to, OCT_STRIDE_JUMP, speed, cost}));
        }
    }
    return OCT_OK;
}

// Beyond the edge in a direction: jumps to the first ground of each height that there is. What is
// in the way of a body at the top of its jump as well as on the ground ends it.
static oct_result add_jumps(oct_footing *f, uint32_t place, int di, int dj)
{
    const oct_walker *const w = &f->walker;
    const footing_point from = footing_stand(f, place);
    const footing_column c = *footing_column_at(f, footing_place_at(f, place)->column);
    const double each = f->cell * sqrt((double)(di * di + dj * dj));
    const double top = from.h + 0.5 * w->jump * w->jump / w->gravity;
    jumped j = {.count = 0};
    for (int k = 1; k <= LEAP_COLUMNS && k * each <= w->leap; k++) {
        uint32_t column;
        OCT_TRY(oct_footing_column_of(f, c.i + k * di, c.j + k * dj, &column));
        if (column == FOOTING_NONE) {
            break;
        }
        const footing_column there = *footing_column_at(f, column);
        const double head = from.h + w->height;
        if (top < head && !oct_footing_is_free(f, footing_middle(f, &there, top), top, head)) {
            break;
        }
        OCT_TRY(k > 1 ? add_jumps_to(f, place, &there, &j) : OCT_OK);
    }
    return OCT_OK;
}

// How far along a direction, within a way, the ground ends: there is nothing of its height under
// the middle, nor any higher.
static oct_result find_edge(oct_footing *f, const arc *a, double within, double *edge)
{
    *edge = HUGE_VAL;
    for (double x = f->cell / 8.0; x <= within && *edge == HUGE_VAL; x += f->cell / 8.0) {
        OCT_TRY(oct_footing_gather(
            f, (footing_point){a->from.u + a->du * x, a->from.v + a->dv * x, a->from.h}));
        bool is_held = false;
        for (size_t i = 0; i < f->slabs.count; i++) {
            const footing_slab *const s = (const footing_slab *)f->slabs.items + i;
            is_held = is_held || (s->is_under && s->lo < a->from.h + f->walker.height &&
                                  s->top >= a->from.h - f->walker.step - FOOTING_SAME);
        }
        *edge = is_held ? *edge : x;
    }
    return OCT_OK;
}

oct_result oct_footing_drop(oct_footing *f, footing_point from, footing_point to, double *speed,
                            bool *found)
{
    const double depth = from.h - to.h;
    arc a;
    double far, edge;
    *found = false;
    if (!(f->walker.gravity > 0.0) || depth <= f->walker.step + FOOTING_SAME ||
        depth > f->walker.drop || !make_arc(f, from, to, &a, &far)) {
        return OCT_OK;
    }
    OCT_TRY(find_edge(f, &a, far, &edge));
    *found = edge < far && drops_to(f, &a, depth, edge, speed);
    return OCT_OK;
}

// To the highest ground where it comes down.
static oct_result add_drops(oct_footing *f, uint32_t place, int di, int dj)
{
    const footing_point from = footing_stand(f, place);
    const footing_column c = *footing_column_at(f, footing_place_at(f, place)->column);
    const double each = f->cell * sqrt((double)(di * di + dj * dj));
    const oct_walker *const w = &f->walker;
    const int k = (int)ceil((w->radius + w->margin) / each) + 2;
    uint32_t column, best = FOOTING_NONE;
    OCT_TRY(oct_footing_column_of(f, c.i + k * di, c.j + k * dj, &column));
    if (column == FOOTING_NONE) {
        return OCT_OK;
    }
    const footing_column there = *footing_column_at(f, column);
    for (uint32_t n = 0; n < there.count; n++) {
        const double h = footing_place_at(f, there.first + n)->h;
        if (h < from.h - w->step - FOOTING_SAME &&
            (best == FOOTING_NONE || h > footing_place_at(f, best)->h)) {
            best = there.first + n;
        }
    }
    if (best == FOOTING_NONE || !oct_footing_place_is_known(f, best)) {
        return OCT_OK;
    }
    const footing_point to = footing_stand(f, best);
    double speed;
    bool found;
    OCT_TRY(oct_footing_drop(f, from, to, &speed, &found));
    return found ? add_leap(f, place,
                            (footing_leap){best, OCT_STRIDE_DROP, speed, flat(from, to) + 1.0})
                 : OCT_OK;
}

oct_result oct_footing_leaps(oct_footing *f, uint32_t place)
{
    footing_place *const p = footing_place_at(f, place);
    const oct_walker *const w = &f->walker;
    if (p->leaps_of == f->changes && p->leaps_known == footing_seen(f)) {
        return OCT_OK;
    }
    p->leaps_of = f->changes;
    p->leaps_known = footing_seen(f);
    p->first_leap = (uint32_t)f->leaps.count;
    p->leap_count = 0;
    // Straight ahead first; across a corner only where neither side leads on.
    static const int ways[8][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                   {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    bool ends[8];
    const bool leaps = w->gravity > 0.0 && footing_is_level(p);
    for (int n = 0; n < 8 && leaps; n++) {
        const int di = ways[n][0], dj = ways[n][1];
        uint32_t next;
        OCT_TRY(oct_footing_walk(f, place, di, dj, &next));
        ends[n] = next == FOOTING_NONE;
        if (!ends[n] || (n > 3 && !(ends[n - 4] && ends[(n - 3) % 4]))) {
            continue;
        }
        OCT_TRY(w->jump > 0.0 ? add_jumps(f, place, di, dj) : OCT_OK);
        OCT_TRY(w->drop > 0.0 ? add_drops(f, place, di, dj) : OCT_OK);
    }
    return OCT_OK;
}
