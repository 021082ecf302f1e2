// SPDX-License-Identifier: MIT
// How a vertex leaves its place along the edges that meet there.
//
// Seen from close by, the cells around a lattice point are cones: eight octants, some of them in
// the way. The way over the point is locally shortest unless the directions to the two neighbours
// are less than a half turn apart, measured over the surface of a small ball through what is free.
// The shortest such arc bends where octants end: at the six axes. A bend at one axis means that the
// vertex slides along that edge. Between two axes there is a quarter turn, so that an arc below a
// half turn bends at two at most: then the vertex splits into two, which slide along both edges.
//
// Unrolled into a plane the arc's sectors lie side by side, the shortest way is a straight line,
// and where it crosses the edges is where the vertices belong: as far as the edges go on.
#include "search/taut_internal.h"

// Bends that one leg may need.
#define SLIDE_BENDS_MAX 4

// Cells that an edge is followed along.
#define EDGE_MAX 16

// ---- ways out ----

// A neighbour as seen from a vertex, steps of the sub-lattice.
typedef struct neighbour {
    int64_t way[AXES];
    int signs[AXES];
    double aside[AXES]; // how far it is from the line along an axis
    double far;
} neighbour;

static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

static neighbour neighbour_make(oct_fine from, oct_fine to)
{
    neighbour n = {.way = {to.x - from.x, to.y - from.y, to.z - from.z}};
    for (int i = 0; i < AXES; i++) {
        n.signs[i] = sign_of(n.way[i]);
        n.aside[i] = length_of((double)n.way[(i + 1) % AXES], (double)n.way[(i + 2) % AXES]);
    }
    n.far = length_of((double)n.way[0], n.aside[0]);
    return n;
}

// The free octants between the direction of a neighbour and that of an axis.
static uint32_t octants_beside(const spot *b, const neighbour *n, int axis, int sign)
{
    int to[AXES] = {n->signs[0], n->signs[1], n->signs[2]};
    to[axis] = sign;
    return octants_towards(to) & b->octants;
}

// The free octants around an axis.
static uint32_t octants_ahead(const spot *b, int axis, int sign)
{
    int to[AXES] = {0, 0, 0};
    to[axis] = sign;
    return octants_towards(to) & b->octants;
}

static void add_way(ways *out, way_out w)
{
    int at = out->count++;
    for (; at > 0 && out->ways[at - 1].gain < w.gain; at--) {
        out->ways[at] = out->ways[at - 1];
    }
    out->ways[at] = w;
}

static void add_slide(const spot *b, const neighbour *a, const neighbour *c, int i, ways *out)
{
    const double x = (double)a->way[i], y = (double)c->way[i], aside = a->aside[i] + c->aside[i];
    const double gain = a->far + c->far - length_of(x - y, aside);
    if (gain <= TAUT_TOLERANCE * OCT_FINE || aside == 0.0) {
        return;
    }
    const double far = (x * c->aside[i] + y * a->aside[i]) / aside;
    const int sign = far > 0.0 ? 1 : -1;
    const uint32_t joined =
        octants_joined(octants_beside(b, a, i, sign), octants_ahead(b, i, sign));
    if (joined & octants_beside(b, c, i, sign)) {
        add_way(out, (way_out){.count = 1, .axis = {i, i}, .far = {far, far}, .gain = gain});
    }
}

// Along axis i towards a and along axis j towards c. In the plane of both axes, a is unrolled to
// (x, -a's distance aside) and c to (-c's distance aside, y).
static void add_split(const spot *b, const neighbour *a, const neighbour *c, int i, int j,
                      ways *out)
{
    const int from = a->signs[i], to = c->signs[j];
    const double x = (double)(a->way[i] * from), y = (double)(c->way[j] * to);
    const double right = x + c->aside[j], up = y + a->aside[i];
    const double gain = a->far + c->far - length_of(right, up);
    const double area = x * y - a->aside[i] * c->aside[j];
    if (!from || !to || gain <= TAUT_TOLERANCE * OCT_FINE || area <= 0.0) {
        return;
    }
    const uint32_t ahead = octants_ahead(b, j, to);
    const uint32_t first = octants_joined(octants_beside(b, a, i, from), octants_ahead(b, i, from));
    if (octants_joined(first & ahead, ahead) & octants_beside(b, c, j, to)) {
        add_way(out, (way_out){.count = 2,
                               .axis = {i, j},
                               .far = {from * area / up, to * area / right},
                               .gain = gain});
    }
}

void oct_taut_ways(const view *v, const vertex *b, ways *out)
{
    const neighbour a = neighbour_make(b->place.at, b[-1].place.at);
    const neighbour c = neighbour_make(b->place.at, b[1].place.at);
    out->count = 0;
    for (int i = 0; i < AXES; i++) {
        for (int j = 0; on_line(v, b->place.at, i) && j < AXES; j++) {
            if (j == i) {
                add_slide(&b->place, &a, &c, i, out);
            } else if (on_line(v, b->place.at, j)) {
                add_split(&b->place, &a, &c, i, j, out);
            }
        }
    }
}

// ---- going ----

static oct_fine point_on(oct_fine at, int axis, int64_t steps)
{
    at.x += axis == 0 ? steps : 0;
    at.y += axis == 1 ? steps : 0;
    at.z += axis == 2 ? steps : 0;
    return at;
}

static oct_fine way_point(const vertex *b, const way_out *w, int i, double part)
{
    return point_on(b->place.at, w->axis[i], (int64_t)floor(w->far[i] * part + 0.5));
}

// What going part of the way gains where the legs meet nothing.
static double gain_of(const view *v, const vertex *b, const way_out *w, double part)
{
    chain by = {.count = w->count};
    for (int i = 0; i < w->count; i++) {
        by.places[i].at = way_point(b, w, i, part);
    }
    return b[-1].cost + b->cost - oct_taut_chain_cost(v, b[-1].place.at, &by, b[1].place.at);
}

// How far the edge along an axis goes on as it begins, as part of `far`.
static double edge_part(const view *v, const spot *b, int axis, double far)
{
    const int sign = far > 0.0 ? 1 : -1;
    const int64_t at = axis == 0 ? b->at.x : axis == 1 ? b->at.y : b->at.z;
    const int64_t inside = at & (OCT_FINE - 1);
    int64_t steps = sign > 0 ? OCT_FINE - inside : inside ? -inside : -OCT_FINE;
    int ahead[AXES] = {0, 0, 0};
    ahead[axis] = sign;
    const uint32_t mask = octants_towards(ahead), begun = oct_view_octants(v, b->at) & mask;
    for (int n = 0; n < EDGE_MAX && (double)steps / far < 1.0; n++) {
        if ((oct_view_octants(v, point_on(b->at, axis, steps)) & mask) != begun) {
            return (double)steps / far;
        }
        steps += sign * OCT_FINE;
    }
    return 1.0;
}

// Adds the bends from the last of a chain to the next place of the way, and what they cost.
static bool add_bends(taut *t, const view *v, const vertex *b, const spot *to, double *left,
                      chain *out)
{
    const spot from = out->count ? out->places[out->count - 1] : b[-1].place;
    chain more = {.count = 0};
    if (fine_equal(from.at, to->at)) {
        return from.octants == to->octants;
    }
    const bend_terms terms = {.limit = *left, .most = SLIDE_BENDS_MAX, .far = false};
    if (!oct_taut_bends(t, v, &from, b->place.at, to, terms, &more) ||
        out->count + more.count + 1 > CHAIN_MAX) {
        return false;
    }
    memcpy(out->places + out->count, more.places, sizeof(spot) * (size_t)more.count);
    out->count += more.count;
    *left -= oct_taut_chain_cost(v, from.at, &more, to->at);
    return *left > 0.0;
}

// Goes part of the way, with bends around what the legs meet then.
static bool go(taut *t, const view *v, const vertex *b, const way_out *w, double part, chain *out)
{
    double left = gain_of(v, b, w, part) - TAUT_TOLERANCE; // for bends, beyond straight legs
    oct_fine last = b[-1].place.at;
    out->count = 0;
    for (int i = 0; i < w->count; i++) {
        const oct_fine at = way_point(b, w, i, part);
        uint32_t octants = oct_view_octants(v, at);
        spot place = {at, take_part(&octants)};
        if (octants && !oct_taut_place_from(t, v, &b->place, at, &place)) {
            return false;
        }
        left += taut_cost(v, last, at);
        if (!add_bends(t, v, b, &place, &left, out)) {
            return false;
        }
        out->places[out->count++] = place;
        last = at;
    }
    left += taut_cost(v, last, b[1].place.at);
    return add_bends(t, v, b, &b[1].place, &left, out);
}

// The least part of the way that is worth it, where `high` is.
static double least_part(const view *v, const vertex *b, const way_out *w, double high)
{
    const double far = fabs(w->far[0]) > fabs(w->far[1]) ? fabs(w->far[0]) : fabs(w->far[1]);
    double low = 0.0;
    while ((high - low) * far > 0.5) {
        const double middle = 0.5 * (low + high);
        if (gain_of(v, b, w, middle) > TAUT_TOLERANCE) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

bool oct_taut_leave(taut *t, const view *v, const vertex *b, const way_out *w, chain *out)
{
    double part = 1.0, last = 0.0;
    for (int i = 0; i < w->count; i++) {
        const double end = edge_part(v, &b->place, w->axis[i], w->far[i]);
        part = end < part ? end : part;
    }
    part = gain_of(v, b, w, part) > TAUT_TOLERANCE ? part : 1.0;
    for (; gain_of(v, b, w, part) > TAUT_TOLERANCE; part *= 0.25) {
        if (go(t, v, b, w, part, out)) {
            return true;
        }
        last = part;
    }
    // Where even the least that is worth it leads nowhere, what is in the way is right there.
    return last > 0.0 && go(t, v, b, w, least_part(v, b, w, last), out);
}
