// SPDX-License-Identifier: MIT
// All vertices of a path slide along their edges at once.
//
// With the edges given, the length of a path is a convex function of one number for each vertex:
// where on its edge it lies. A vertex is tied to its two neighbours alone, so a step of Newton's
// method is one pass over the path: a system of equations with three diagonals. Far from the
// minimum such a step may overshoot. Then one is taken that treats every leg as a spring as stiff
// as its length is short: the same equations with fewer terms, and it always shortens the path
// (Weiszfeld 1937). Nothing is looked at until the minimum is found.
//
// One at a time vertices that lie close together would hold each other: over a thin wall the way
// bends at two edges, and neither vertex gains much by itself.
#include "search/taut_internal.h"

#define STEPS_MAX 16

typedef struct knot {
    double at[AXES]; // from the path's first vertex, steps of the sub-lattice
    double slope;    // of the length along the axis
    double stiff;    // its second derivative, and the mixed one with the next knot
    double link;
    double step, was; // the next step; where it was before
    int axis;         // that it slides along; AXES: none
    spot place;
} knot;

// ---- the minimum ----

static double leg(const knot *k, double way[AXES])
{
    for (int i = 0; i < AXES; i++) {
        way[i] = k[1].at[i] - k[0].at[i];
    }
    return sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

static double length_of(const knot *knots, size_t count)
{
    double sum = 0.0, way[AXES];
    for (size_t i = 0; i + 1 < count; i++) {
        sum += leg(&knots[i], way);
    }
    return sum;
}

// The derivatives. With `bend` 1 they are the true ones; with 0 second ones are those of springs.
static bool derive(knot *knots, size_t count, double bend)
{
    for (size_t i = 0; i < count; i++) {
        knots[i].slope = knots[i].stiff = knots[i].link = 0.0;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        knot *const a = &knots[i], *const b = &knots[i + 1];
        double way[AXES + 1];
        const double length = leg(a, way);
        if (length == 0.0) {
            return false;
        }
        for (int k = 0; k < AXES; k++) {
            way[k] /= length;
        }
        way[AXES] = 0.0;
        const double from = way[a->axis], to = way[b->axis];
        a->slope -= from;
        b->slope += to;
        a->stiff += (1.0 - bend * from * from) / length;
        b->stiff += (1.0 - bend * to * to) / length;
        a->link = ((a->axis == b->axis ? -1.0 : 0.0) + bend * from * to) / length;
    }
    return true;
}

// Solves for the steps: elimination forwards, then backwards. Knots without an axis stay.
static void solve(knot *knots, size_t count)
{
    double stiff = 1.0, link = 0.0, rest = 0.0; // of the knot before, as it was eliminated
    for (size_t i = 0; i < count; i++) {
        knot *const k = &knots[i];
        const bool moves = k->axis < AXES;
        const double factor = moves ? link / stiff : 0.0;
        // Along a leg in the axis's own direction there is no stiffness: then it is made up.
        stiff = moves ? k->stiff * (1.0 + 0x1p-20) + 0x1p-30 - factor * link : 1.0;
        rest = moves ? -k->slope - factor * rest : 0.0;
        link = moves && i + 1 < count && knots[i + 1].axis < AXES ? k->link : 0.0;
        k->stiff = stiff;
        k->link = link;
        k->step = rest;
    }
    for (size_t i = count; i-- > 0;) {
        const double next = i + 1 < count ? knots[i + 1].step : 0.0;
        knots[i].step = (knots[i].step - knots[i].link * next) / knots[i].stiff;
    }
}

// Makes the steps, or takes them back.
static void move(knot *knots, size_t count, bool back)
{
    for (size_t i = 0; i < count; i++) {
        knot *const k = &knots[i];
        if (k->axis < AXES) {
            double *const at = &k->at[k->axis];
            k->was = back ? k->was : *at;
            *at = back ? k->was : *at + k->step;
        }
    }
}

// Twice what the steps promise to gain.
static double promise(const knot *knots, size_t count)
{
    double gain = 0.0;
    for (size_t i = 0; i < count; i++) {
        gain -= knots[i].axis < AXES ? knots[i].slope * knots[i].step : 0.0;
    }
    return gain;
}

static void minimise(knot *knots, size_t count)
{
    double length = length_of(knots, count), bend = 1.0;
    for (int n = 0; n < STEPS_MAX && derive(knots, count, bend); n++) {
        solve(knots, count);
        if (!(promise(knots, count) >= 0.25 * TAUT_TOLERANCE * OCT_FINE)) {
            return;
        }
        move(knots, count, false);
        const double next = length_of(knots, count);
        if (next < length) {
            length = next;
            bend = 1.0;
            continue;
        }
        move(knots, count, true);
        if (bend == 0.0) {
            return;
        }
        bend = 0.0;
    }
}

// ---- the path ----

// Whether the octants on both sides of a lattice plane are the same.
static bool goes_on(uint32_t octants, int axis)
{
    static const uint32_t below[AXES] = {0x55u, 0x33u, 0x0fu};
    return (octants >> (1 << axis) & below[axis]) == (octants & below[axis]);
}

// The axis that a vertex slides along: that of the edge that it is on. At a corner, where edges
// end, the one that is best by itself.
static int axis_of(const view *v, const vertex *b)
{
    if (v->dims == 2 || !oct_taut_is_pinned(b[-1].place.at, &b->place, b[1].place.at)) {
        return AXES;
    }
    for (int i = 0; i < AXES; i++) {
        if (on_line(v, b->place.at, i) && goes_on(b->place.octants, i)) {
            return i;
        }
    }
    ways out;
    oct_taut_ways(v, b, &out);
    for (int i = 0; i < out.count; i++) {
        if (out.ways[i].count == 1) {
            return out.ways[i].axis[0];
        }
    }
    return AXES;
}

static void place_knots(const vertex *all, knot *knots, size_t count)
{
    const oct_fine zero = all[0].place.at;
    for (size_t i = 0; i < count; i++) {
        const oct_fine at = all[i].place.at;
        knots[i].place = all[i].place;
        knots[i].at[0] = (double)(at.x - zero.x);
        knots[i].at[1] = (double)(at.y - zero.y);
        knots[i].at[2] = (double)(at.z - zero.z);
    }
}

// The lattice's points of the minimum; how much cheaper the path would be.
static double round_knots(const view *v, const vertex *all, knot *knots, size_t count)
{
    const oct_fine zero = all[0].place.at;
    for (size_t i = 0; i < count; i++) {
        if (knots[i].axis < AXES) {
            const double *const at = knots[i].at;
            knots[i].place.at = (oct_fine){zero.x + (int64_t)floor(at[0] + 0.5),
                                           zero.y + (int64_t)floor(at[1] + 0.5),
                                           zero.z + (int64_t)floor(at[2] + 0.5)};
        }
    }
    double gain = 0.0;
    for (size_t i = 0; i + 1 < count; i++) {
        gain += all[i].cost - taut_cost(v, knots[i].place.at, knots[i + 1].place.at);
    }
    return gain;
}

// Whether every knot sees the next. Those of a leg that is not free stay where they were, in the
// next try.
static bool see_knots(taut *t, const view *v, const vertex *all, knot *knots, size_t count)
{
    bool sees = true;
    for (size_t i = 1; i < count; i++) {
        knot *const a = &knots[i - 1], *const b = &knots[i];
        const bool moves = !fine_equal(b->place.at, all[i].place.at);
        const bool moved = !fine_equal(a->place.at, all[i - 1].place.at);
        if (moves ? !oct_taut_place_from(t, v, &a->place, b->place.at, &b->place)
                  : moved && !taut_sees(t, v, &a->place, &b->place)) {
            a->axis = b->axis = AXES;
            b->place = all[i].place;
            sees = false;
        }
    }
    return sees;
}

oct_result oct_taut_relax(taut *t, const view *v, bool *changed)
{
    vertex *const all = t->vertices.items;
    const size_t count = t->vertices.count;
    if (v->dims == 2) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_reserve(&t->knots, &t->allocator, sizeof(knot), t->vertices.capacity));
    knot *const knots = t->knots.items;
    for (size_t i = 0; i < count; i++) {
        knots[i].axis = i > 0 && i + 1 < count ? axis_of(v, &all[i]) : AXES;
    }
    for (;;) {
        place_knots(all, knots, count);
        minimise(knots, count);
        if (round_knots(v, all, knots, count) <= TAUT_TOLERANCE) {
            return OCT_OK;
        }
        if (see_knots(t, v, all, knots, count)) {
            break;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!fine_equal(all[i].place.at, knots[i].place.at)) {
            all[i].place = knots[i].place;
            oct_taut_renew(t, i, 1);
        }
    }
    for (size_t i = 0; i + 1 < count; i++) {
        all[i].cost = taut_cost(v, all[i].place.at, all[i + 1].place.at);
    }
    *changed = true;
    return OCT_OK;
}

size_t oct_taut_knot_bytes(void)
{
    return sizeof(knot);
}
