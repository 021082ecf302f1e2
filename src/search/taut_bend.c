// SPDX-License-Identifier: MIT
// Where a taut path bends: the edges of what is in the way inside a triangle.
//
// Let b be a vertex between a and c. In the plane of the triangle the shortest way from a to c that
// passes everything on b's side is part of a convex hull. It is wrapped as a gift is: a line from a
// turns from b towards c until it meets something. A box that blocks the line to a point further on
// says how far it may turn: to the box's first corner in that plane, which is where an edge of the
// box crosses the plane. If that corner is not in sight either, what is before it says more. The
// last corner is the next bend, and the line goes on turning there. Bends lie on edges, so rounding
// them to the sub-lattice along these leaves them on the surface.
#include "octant/tree.h"
#include "search/taut_internal.h"

#include "octree/octree_internal.h"

// Boxes that may hide the next bend, one behind the other.
#define LOOKS_MAX 24

// How many of them are passed one by one.
#define LOOKS_PLAIN 4

// ---- whether a vertex is where it bends ----

// A direction that turns from the one leg to the other. On each axis its sign changes once at most.
typedef struct turn {
    int64_t from[AXES], to[AXES]; // the legs
    int signs[AXES];
    int changes;
    int order[AXES]; // axes whose signs change, the first to do so first
} turn;

// Whether axis i changes before axis j: where the turn has come from / (from + to) of its way.
static bool changes_before(const turn *t, int i, int j)
{
    const oct_int128 from_i = t->from[i] * t->signs[i], to_i = t->to[i] * -t->signs[i];
    const oct_int128 from_j = t->from[j] * t->signs[j], to_j = t->to[j] * -t->signs[j];
    return from_i * to_j < from_j * to_i;
}

static turn turn_make(oct_fine a, oct_fine b, oct_fine c)
{
    turn t = {{a.x - b.x, a.y - b.y, a.z - b.z}, {c.x - b.x, c.y - b.y, c.z - b.z}, {0}, 0, {0}};
    for (int i = 0; i < AXES; i++) {
        const int before = sign_of(t.from[i]), behind = sign_of(t.to[i]);
        t.signs[i] = before ? before : behind;
        if (before * behind < 0) {
            int at = t.changes++;
            for (; at > 0 && changes_before(&t, i, t.order[at - 1]); at--) {
                t.order[at] = t.order[at - 1];
            }
            t.order[at] = i;
        }
    }
    return t;
}

// The octants of the first sector of the turn that is not the place's own; 0 where all are.
static uint32_t first_closed(oct_fine a, const spot *b, oct_fine c)
{
    turn t = turn_make(a, b->at, c);
    for (int i = 0; octants_towards(t.signs) & b->octants; i++) {
        if (i == t.changes) {
            return 0;
        }
        t.signs[t.order[i]] = -t.signs[t.order[i]];
    }
    return octants_towards(t.signs);
}

bool oct_taut_is_pinned(oct_fine a, const spot *b, oct_fine c)
{
    return first_closed(a, b, c) != 0;
}

// ---- what a line meets ----

// Along the line on one side of the planes that it runs in.
static bool first_box_beside(taut *t, const view *v, oct_fine from, oct_fine to, uint32_t planes,
                             uint32_t side, oct_box *out)
{
    int64_t move[AXES];
    for (int i = 0; i < AXES; i++) {
        move[i] = !(planes >> i & 1u) ? 0 : side >> i & 1u ? 1 : -1;
    }
    const oct_fine p = {from.x + move[0], from.y + move[1], from.z + move[2]};
    const oct_fine q = {to.x + move[0], to.y + move[1], to.z + move[2]};
    oct_leaf leaf;
    t->sight_checks++;
    if (!oct_tree_raycast(v->tree, p, q, v->blocked, &leaf)) {
        return false;
    }
    *out = view_leaf_box(v, leaf);
    return true;
}

// The first box in the way from a place to a point that it does not see, and that is in the way of
// what is a little nearer to b too. Where the line runs in lattice planes it is moved into the
// cells beside it: on b's side, or where the plane is b's as well, on either, and on the place's
// own side first.
static bool first_box(taut *t, const view *v, const spot *a, oct_fine to, oct_fine b, oct_box *out)
{
    const int64_t begin[AXES] = {a->at.x, a->at.y, a->at.z}, end[AXES] = {to.x, to.y, to.z};
    const int64_t beside[AXES] = {b.x, b.y, b.z};
    uint32_t up = 0, planes = 0, open = 0; // open: planes of b's as well
    for (int i = 0; i < v->dims; i++) {
        const bool in_plane = end[i] == begin[i] && fine_on_plane(begin[i]);
        planes |= in_plane ? 1u << i : 0u;
        open |= in_plane && beside[i] == begin[i] ? 1u << i : 0u;
        up |= (in_plane ? beside[i] : end[i]) > begin[i] ? 1u << i : 0u;
    }
    for (uint32_t own = 2; own-- > 0;) {
        uint32_t side = 0;
        do {
            if ((a->octants >> (up | side) & 1u) == own &&
                first_box_beside(t, v, a->at, to, planes, up | side, out)) {
                return true;
            }
            side = (side - open) & open; // the next of all subsets
        } while (side);
    }
    return false;
}

// The box that a place is next to, and that a line which turns from b to a point meets right there.
static bool box_at(const view *v, const spot *a, oct_fine b, oct_fine to, oct_box *out)
{
    const uint32_t octants = first_closed(b, a, to);
    if (!octants) {
        return false;
    }
    const oct_vec cell = octant_cell(a->at, oct_bit_length(octants) - 1u);
    if (!view_holds(v, cell)) {
        return false;
    }
    *out = view_leaf_box(v, oct_view_leaf(v, cell));
    return true;
}

// A point two steps of the sub-lattice nearer to b.
static oct_fine nearer(oct_fine at, oct_fine b)
{
    const vec way = vec_between(at, b);
    const double length = sqrt(vec_dot(&way, &way)), part = length > 2.0 ? 2.0 / length : 1.0;
    return (oct_fine){at.x + (int64_t)floor(way.at[0] * part + 0.5),
                      at.y + (int64_t)floor(way.at[1] * part + 0.5),
                      at.z + (int64_t)floor(way.at[2] * part + 0.5)};
}

// A box that hides a point, which is not seen. A line that squeezes through a point where boxes
// meet enters none of them; but one beside it does.
static bool hiding_box(taut *t, const view *v, const spot *a, oct_fine to, oct_fine b, oct_box *out)
{
    return box_at(v, a, b, to, out) || first_box(t, v, a, to, b, out) ||
           first_box(t, v, a, nearer(to, b), b, out);
}

// ---- the line that turns ----

// Around a, from b to c.
typedef struct sweep {
    oct_fine a, b;
    vec to_b, to_c, normal;
    double square;   // of the normal
    double rounding; // of the line's end, in what it has turned
} sweep;

static vec vec_cross(const vec *a, const vec *b)
{
    return (vec){{a->at[1] * b->at[2] - a->at[2] * b->at[1],
                  a->at[2] * b->at[0] - a->at[0] * b->at[2],
                  a->at[0] * b->at[1] - a->at[1] * b->at[0]}};
}

static sweep sweep_make(oct_fine a, oct_fine b, oct_fine c)
{
    sweep s = {.a = a, .b = b, .to_b = vec_between(a, b), .to_c = vec_between(a, c)};
    s.normal = vec_cross(&s.to_b, &s.to_c);
    s.square = vec_dot(&s.normal, &s.normal);
    const vec b_c = vec_between(b, c);
    s.rounding = 2.0 / sqrt(vec_dot(&b_c, &b_c));
    return s;
}

// Where the line ends that has turned so far: between b and c, or a little beyond.
static oct_fine sweep_end(const sweep *s, double turned)
{
    const double part = turned < -1.0 ? -1.0 : turned > 2.0 ? 2.0 : turned;
    double at[AXES];
    for (int i = 0; i < AXES; i++) {
        at[i] = floor(s->to_b.at[i] + (s->to_c.at[i] - s->to_b.at[i]) * part + 0.5);
    }
    return (oct_fine){s->a.x + (int64_t)at[0], s->a.y + (int64_t)at[1], s->a.z + (int64_t)at[2]};
}

// A point on an edge of a box.
typedef struct touch {
    oct_fine at;
    double turned; // by the line there: 0 at b, 1 at c
    double far;    // from a: 1 at the line from b to c
} touch;

// The corner of a box in the plane on its edge e (along axis e / 4); false where it is beyond the
// edge's ends or behind a. `ends` are the box's, seen from a.
static bool edge_touch(const sweep *s, const vec ends[2], int e, touch *out)
{
    const int i = e >> 2, j = (i + 1) % AXES, k = (i + 2) % AXES;
    vec p;
    p.at[j] = ends[e & 1].at[j];
    p.at[k] = ends[e >> 1 & 1].at[k];
    const double along = -(s->normal.at[j] * p.at[j] + s->normal.at[k] * p.at[k]);
    p.at[i] = along / s->normal.at[i];
    if (s->normal.at[i] == 0.0 || p.at[i] < ends[0].at[i] - 0.5 || p.at[i] > ends[1].at[i] + 0.5) {
        return false;
    }
    const vec b_p = vec_cross(&s->to_b, &p), p_c = vec_cross(&p, &s->to_c);
    const double to_c = vec_dot(&b_p, &s->normal), to_b = vec_dot(&p_c, &s->normal);
    if (to_b + to_c <= 0.0) {
        return false;
    }
    p.at[i] = floor(p.at[i] + 0.5);
    p.at[i] = p.at[i] > ends[1].at[i] ? ends[1].at[i] : p.at[i];
    out->at =
        (oct_fine){s->a.x + (int64_t)p.at[0], s->a.y + (int64_t)p.at[1], s->a.z + (int64_t)p.at[2]};
    out->turned = to_c / (to_b + to_c);
    out->far = (to_b + to_c) / s->square;
    return true;
}

// The corner of a box that the line comes to first; of several the farthest.
static bool first_touch(const sweep *s, const oct_box *box, touch *out)
{
    const oct_vec lo = box->min, hi = box->max;
    const oct_fine min = {(int64_t)lo.x * OCT_FINE, (int64_t)lo.y * OCT_FINE,
                          (int64_t)lo.z * OCT_FINE};
    const oct_fine max = {(int64_t)hi.x * OCT_FINE, (int64_t)hi.y * OCT_FINE,
                          (int64_t)hi.z * OCT_FINE};
    const vec ends[2] = {vec_between(s->a, min), vec_between(s->a, max)};
    bool found = false;
    for (int e = 0; e < 4 * AXES; e++) {
        touch here;
        if (edge_touch(s, ends, e, &here) &&
            (!found || here.turned < out->turned ||
             (here.turned == out->turned && here.far > out->far))) {
            *out = here;
            found = true;
        }
    }
    return found;
}

// ---- bends ----

// Whether something stands out more than a corner that is seen: what it touches, or what is behind
// it, up to the line from b to c. Then the corner of that.
static bool stands_out(taut *t, const view *v, const sweep *s, const spot *at, touch *near)
{
    const oct_fine end = sweep_end(s, near->turned);
    oct_box box;
    touch other;
    if (!box_at(v, at, s->b, end, &box) &&
        (near->far > 0.9 || s->rounding > 0.01 || !first_box(t, v, at, end, s->b, &box))) {
        return false;
    }
    if (!first_touch(s, &box, &other) || other.turned > near->turned - s->rounding) {
        return false;
    }
    *near = other;
    return true;
}

// A line that runs along a face of what is in the way, moved one step of the sub-lattice into it.
typedef struct sunk {
    int plane;    // axis of the face
    int64_t face; // its coordinate
    int64_t from[AXES], to[AXES];
} sunk;

// The line from a to a corner and on, a cell beyond the line from b to c; false where it does not
// run in one lattice plane alone, with b or c beside it.
static bool sunk_make(const view *v, const sweep *s, const touch *near, sunk *out)
{
    const oct_fine end = sweep_end(s, near->turned);
    const int64_t a[AXES] = {s->a.x, s->a.y, s->a.z}, to[AXES] = {end.x, end.y, end.z};
    const int64_t at[AXES] = {near->at.x, near->at.y, near->at.z};
    const vec way = vec_between(s->a, end);
    const double length = sqrt(vec_dot(&way, &way)), beyond = OCT_FINE / (length + 1.0);
    int count = 0;
    for (int i = 0; i < AXES; i++) {
        out->from[i] = a[i];
        out->to[i] = to[i] + (int64_t)floor(way.at[i] * beyond + 0.5);
        if (i < v->dims && a[i] == at[i] && fine_on_plane(a[i])) {
            out->plane = i;
            count++;
        }
    }
    if (count != 1) {
        return false;
    }
    out->face = a[out->plane];
    const double to_b = s->to_b.at[out->plane], to_c = s->to_c.at[out->plane];
    const int side = to_b < 0.0 || (to_b == 0.0 && to_c > 0.0) ? 1 : -1;
    out->from[out->plane] = out->to[out->plane] = a[out->plane] + side;
    return to_b != 0.0 || to_c != 0.0;
}

// Where a line runs along the face of what is in the way, the corner of the first box there is one
// of many. The face ends where the cells under the line are free, and there the next bend is.
static void face_end(taut *t, const view *v, const sweep *s, touch *near)
{
    sunk l = {.plane = 0};
    oct_leaf leaf;
    if (!sunk_make(v, s, near, &l)) {
        return;
    }
    t->sight_checks++;
    if (!oct_tree_raycast(v->tree, (oct_fine){l.from[0], l.from[1], l.from[2]},
                          (oct_fine){l.to[0], l.to[1], l.to[2]}, v->free, &leaf)) {
        return;
    }
    const oct_box box = view_leaf_box(v, leaf);
    const int64_t lo[AXES] = {box.min.x, box.min.y, box.min.z};
    const int64_t hi[AXES] = {box.max.x, box.max.y, box.max.z};
    double when = 0.0; // the line enters the box
    int64_t at[AXES];
    int axis = -1;
    for (int i = 0; i < v->dims; i++) {
        const int64_t way = l.to[i] - l.from[i];
        const int64_t far = (way < 0 ? hi[i] : lo[i]) * OCT_FINE - l.from[i];
        if (way != 0 && (double)far / (double)way > when) {
            when = (double)far / (double)way;
            axis = i;
        }
    }
    if (axis < 0) {
        return;
    }
    for (int i = 0; i < AXES; i++) {
        at[i] = l.from[i] + (int64_t)floor((double)(l.to[i] - l.from[i]) * when + 0.5);
    }
    at[l.plane] = l.face;
    at[axis] = (l.to[axis] < l.from[axis] ? hi[axis] : lo[axis]) * OCT_FINE;
    const oct_fine end = {at[0], at[1], at[2]};
    if (oct_fine_distance(s->a, end) > oct_fine_distance(s->a, near->at)) {
        near->far *= oct_fine_distance(s->a, end) / oct_fine_distance(s->a, near->at);
        near->at = end;
    }
}

// Many small boxes on each other would be climbed one by one: half way to what is known to be free
// is tried, until something is met there.
static bool climb(taut *t, const view *v, const spot *a, const sweep *s, double *low, touch *near)
{
    while (near->turned - *low > 0x1p-10) {
        const double middle = 0.5 * (*low + near->turned);
        oct_box box;
        if (first_box(t, v, a, sweep_end(s, middle), s->b, &box)) {
            return first_touch(s, &box, near);
        }
        *low = middle;
    }
    return true;
}

// What a way costs at least that goes straight to a point and straight on.
static double least_cost(const view *v, oct_fine a, oct_fine over, oct_fine c)
{
    return (oct_fine_distance(a, over) + oct_fine_distance(over, c)) * v->least_price;
}

// The first bend on the way from a to c, which a box is in the way of.
static bool next_bend(taut *t, const view *v, const spot *a, oct_fine b, oct_fine c, oct_box box,
                      const bend_terms *terms, spot *out)
{
    const sweep s = sweep_make(a->at, b, c);
    touch near;
    if (!first_touch(&s, &box, &near)) {
        return false;
    }
    face_end(t, v, &s, &near);
    double low = 0.0; // turned so far it meets nothing
    for (int i = 0; i < LOOKS_MAX; i++) {
        const double last = near.turned, far = near.far;
        if (fine_equal(near.at, a->at) || least_cost(v, a->at, near.at, c) >= terms->limit) {
            return false;
        }
        if (oct_taut_place_from(t, v, a, near.at, out)) {
            if (!terms->far || !stands_out(t, v, &s, out, &near)) {
                return true;
            }
        } else if (!hiding_box(t, v, a, near.at, b, &box) || !first_touch(&s, &box, &near)) {
            return false;
        }
        if (i >= LOOKS_PLAIN && !climb(t, v, a, &s, &low, &near)) {
            return false;
        }
        if (near.turned > last || (near.turned == last && near.far >= far)) {
            return false;
        }
    }
    return false;
}

bool oct_taut_bends(taut *t, const view *v, const spot *a, oct_fine b, const spot *c,
                    bend_terms terms, chain *out)
{
    out->count = 0;
    for (const spot *last = a; !taut_sees(t, v, last, c); last = &out->places[out->count++]) {
        oct_box box;
        if (out->count == terms.most || !hiding_box(t, v, last, c->at, b, &box) ||
            !next_bend(t, v, last, b, c->at, box, &terms, &out->places[out->count])) {
            return false;
        }
        terms.limit -= oct_fine_distance(last->at, out->places[out->count].at) * v->least_price;
    }
    return true;
}
