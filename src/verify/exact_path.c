// SPDX-License-Identifier: MIT
#include "verify/exact_path.h"
#include "base/print.h"
#include "octant/tree.h"

#include "base/platform.h"

#include <stdio.h>

// Ways out of what is in the way are judged up to this length, cells.
#define WAY_OUT_MOST 64

// A message with a place, in cells.
typedef struct verdict {
    char *why;
    size_t size;
} verdict;

static bool refuse(const verdict *out, size_t leg, const char *what, const double at[3])
{
    if (out->size > 0) {
        oct_snprintf(out->why, out->size, "leg %zu %s at (%.9g, %.9g, %.9g)", leg, what,
                     at[0] / OCT_FINE, at[1] / OCT_FINE, at[2] / OCT_FINE);
    }
    return false;
}

// A point's coordinates. At two dimensions z is the middle of cell 0: never on a plane.
static void spell(const exact_world *world, oct_fine at, int64_t out[3])
{
    out[0] = at.x;
    out[1] = at.y;
    out[2] = world->dims == 3 ? at.z : OCT_FINE / 2;
}

static bool refuse_point(const verdict *out, size_t leg, const char *what, const int64_t at[3])
{
    return refuse(out, leg, what, (const double[3]){(double)at[0], (double)at[1], (double)at[2]});
}

static bool in_range(int32_t i)
{
    return i >= -OCT_RANGE && i < OCT_RANGE;
}

bool exact_is_free(const exact_world *world, oct_vec c)
{
    const bool flat = world->dims == 2;
    if (!in_range(c.x) || !in_range(c.y) || !(flat || in_range(c.z))) {
        return false;
    }
    const oct_box *b = &world->bounds;
    if (world->bounded && (c.x < b->min.x || c.x >= b->max.x || c.y < b->min.y || c.y >= b->max.y ||
                           (!flat && (c.z < b->min.z || c.z >= b->max.z)))) {
        return false;
    }
    const oct_label label = oct_tree_label(world->tree, c);
    return label == OCT_OPEN || (label == OCT_UNKNOWN && world->unknown_is_free);
}

// ---- the cells around a point ----

// The cells whose closed cubes hold a point: from lo to hi on each axis, which differ by one where
// the point is on a lattice plane and else are the same.
typedef struct ring {
    int32_t lo[3], hi[3];
} ring;

static ring ring_of(const int64_t at[3])
{
    ring r;
    for (int i = 0; i < 3; i++) {
        r.hi[i] = (int32_t)(at[i] >> 8);
        r.lo[i] = at[i] % OCT_FINE == 0 ? r.hi[i] - 1 : r.hi[i];
    }
    return r;
}

static exact_cells ring_free(const exact_world *world, const ring *r)
{
    exact_cells out = {0};
    for (int32_t z = r->lo[2]; z <= r->hi[2]; z++) {
        for (int32_t y = r->lo[1]; y <= r->hi[1]; y++) {
            for (int32_t x = r->lo[0]; x <= r->hi[0]; x++) {
                if (exact_is_free(world, (oct_vec){x, y, z})) {
                    out.cells[out.count++] = (oct_vec){x, y, z};
                }
            }
        }
    }
    return out;
}

static int apart(int32_t a, int32_t b)
{
    return a < b ? b - a : a - b;
}

// How many coordinates of two cells around one point differ: 0 the same cell, 1 a common face.
static int steps(oct_vec a, oct_vec b)
{
    return apart(a.x, b.x) + apart(a.y, b.y) + apart(a.z, b.z);
}

bool exact_cells_meet(const exact_cells *a, const exact_cells *b)
{
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            if (steps(a->cells[i], b->cells[j]) == 0) {
                return true;
            }
        }
    }
    return false;
}

// The cells of `among` that can be reached from those that are in `from` too, over faces, or over
// corners as well.
static exact_cells joined(const exact_world *world, const exact_cells *among,
                          const exact_cells *from)
{
    const int most = world->squeeze && world->dims == 2 ? 2 : 1;
    exact_cells out = {0};
    bool taken[8] = {false};
    for (int i = 0; i < among->count; i++) {
        const exact_cells one = {1, {among->cells[i]}};
        if (exact_cells_meet(&one, from)) {
            taken[i] = true;
            out.cells[out.count++] = among->cells[i];
        }
    }
    for (int i = 0; i < out.count; i++) {
        for (int j = 0; j < among->count; j++) {
            if (!taken[j] && steps(out.cells[i], among->cells[j]) <= most) {
                taken[j] = true;
                out.cells[out.count++] = among->cells[j];
            }
        }
    }
    return out;
}

exact_cells exact_around(const exact_world *world, oct_fine at)
{
    int64_t p[3];
    spell(world, at, p);
    const ring r = ring_of(p);
    return ring_free(world, &r);
}

exact_cells exact_joined(const exact_world *world, oct_fine at, const exact_cells *from)
{
    const exact_cells all = exact_around(world, at);
    return joined(world, &all, from);
}

// ---- a leg ----

// The cells of a ring that hold what comes next in a direction.
static exact_cells ahead(const exact_cells *around, const ring *r, const int64_t d[3])
{
    exact_cells out = {0};
    for (int i = 0; i < around->count; i++) {
        const int32_t c[3] = {around->cells[i].x, around->cells[i].y, around->cells[i].z};
        bool holds = true;
        for (int k = 0; k < 3; k++) {
            holds = holds && (d[k] == 0 || c[k] == (d[k] > 0 ? r->hi[k] : r->lo[k]));
        }
        if (holds) {
            out.cells[out.count++] = around->cells[i];
        }
    }
    return out;
}

// Goes on at a point: `in` becomes the cells that the path can be in right after it, from those
// right before it. NULL, or what is wrong.
static const char *pass(const exact_world *world, const ring *r, const int64_t d[3],
                        exact_cells *in)
{
    const exact_cells all = ring_free(world, r);
    const exact_cells reached = joined(world, &all, in);
    *in = ahead(&reached, r, d);
    if (in->count > 0) {
        return NULL;
    }
    return ahead(&all, r, d).count > 0 ? "squeezes between cells that are not free"
                                       : "enters a cell that is not free";
}

// A leg on its way: the cell it is in on each axis that it moves along.
typedef struct walk {
    int64_t a[3], d[3], length[3]; // from, by, and |by|
    int32_t cell[3];
    ring at; // around the last point where a plane was crossed
} walk;

// How far the next plane of an axis is from the leg's beginning: reached at this over `length`.
static int64_t reach(const walk *w, int i)
{
    const int64_t plane = ((int64_t)w->cell[i] + (w->d[i] > 0)) * OCT_FINE;
    return w->d[i] > 0 ? plane - w->a[i] : w->a[i] - plane;
}

// Finds the axis whose plane is crossed next, strictly before the end; -1 if there is none.
static int next_axis(const walk *w)
{
    int first = -1;
    for (int i = 0; i < 3; i++) {
        if (w->length[i] > 0 && reach(w, i) < w->length[i] &&
            (first < 0 || (oct_int128)reach(w, i) * w->length[first] <
                              (oct_int128)reach(w, first) * w->length[i])) {
            first = i;
        }
    }
    return first;
}

// Moves on to the next crossing: of the plane of axis `first`, and of all planes at that point.
static void cross(walk *w, int first)
{
    const int64_t far = reach(w, first);
    for (int i = 0; i < 3; i++) {
        if (w->length[i] == 0) {
            continue; // stays where it was: in a cell or on a plane
        }
        const int32_t before = w->cell[i];
        if ((oct_int128)reach(w, i) * w->length[first] == (oct_int128)far * w->length[i]) {
            w->cell[i] += w->d[i] > 0 ? 1 : -1;
        }
        w->at.lo[i] = before < w->cell[i] ? before : w->cell[i];
        w->at.hi[i] = before > w->cell[i] ? before : w->cell[i];
    }
}

// Walks from a to b, beginning in the cells of `in` and those connected with them at a; `in`
// becomes the cells that the leg can end in.
static bool walk_leg(const exact_world *world, oct_fine from, oct_fine to, size_t leg,
                     exact_cells *in, const verdict *out)
{
    walk w;
    int64_t b[3];
    spell(world, from, w.a);
    spell(world, to, b);
    w.at = ring_of(w.a);
    bool moves = false;
    for (int i = 0; i < 3; i++) {
        w.d[i] = b[i] - w.a[i];
        w.length[i] = w.d[i] < 0 ? -w.d[i] : w.d[i];
        w.cell[i] = w.d[i] < 0 ? w.at.lo[i] : w.at.hi[i];
        moves = moves || w.d[i] != 0;
    }
    if (!moves) {
        return true;
    }
    const char *wrong = pass(world, &w.at, w.d, in);
    if (wrong) {
        return refuse_point(out, leg, wrong, w.a);
    }
    for (int first; (first = next_axis(&w)) >= 0;) {
        const double share = (double)reach(&w, first) / (double)w.length[first];
        cross(&w, first);
        wrong = pass(world, &w.at, w.d, in);
        if (wrong) {
            const double at[3] = {(double)w.a[0] + (double)w.d[0] * share,
                                  (double)w.a[1] + (double)w.d[1] * share,
                                  (double)w.a[2] + (double)w.d[2] * share};
            return refuse(out, leg, wrong, at);
        }
    }
    return true;
}

// ---- ways out of what is in the way ----

// How far a coordinate is from the closed cell i.
static int64_t axis_gap(int64_t at, int32_t i)
{
    const int64_t lo = (int64_t)i * OCT_FINE, hi = lo + OCT_FINE;
    return at < lo ? lo - at : at > hi ? at - hi : 0;
}

// Whether a free cell comes nearer to a point than the square root of `far`, which is at most
// WAY_OUT_MOST cells.
static bool free_within(const exact_world *world, const int64_t at[3], int64_t far)
{
    int32_t lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
        const bool flat = world->dims == 2 && i == 2;
        lo[i] = (int32_t)(at[i] >> 8) - (flat ? 0 : WAY_OUT_MOST + 1);
        hi[i] = (int32_t)(at[i] >> 8) + (flat ? 0 : WAY_OUT_MOST + 1);
    }
    for (int32_t z = lo[2]; z <= hi[2]; z++) {
        const int64_t gap_z = axis_gap(at[2], z);
        for (int32_t y = lo[1]; y <= hi[1] && gap_z * gap_z < far; y++) {
            const int64_t gap_y = axis_gap(at[1], y), gap = gap_z * gap_z + gap_y * gap_y;
            for (int32_t x = lo[0]; x <= hi[0] && gap < far; x++) {
                const int64_t gap_x = axis_gap(at[0], x);
                if (gap + gap_x * gap_x < far && exact_is_free(world, (oct_vec){x, y, z})) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Judges the way from a point that is in the way to the next point of the path. *is_leg becomes
// whether that leg is the way out; it is not where the way has no length.
static bool way_out(const exact_world *world, oct_fine from, oct_fine to, size_t leg, bool *is_leg,
                    const verdict *out)
{
    int64_t a[3], b[3];
    spell(world, from, a);
    spell(world, to, b);
    const ring r = ring_of(a);
    const exact_cells here = ring_free(world, &r);
    const int touching =
        (r.hi[0] - r.lo[0] + 1) * (r.hi[1] - r.lo[1] + 1) * (r.hi[2] - r.lo[2] + 1);
    *is_leg = here.count == 0;
    if (here.count == touching) {
        return refuse_point(out, leg, "leaves what is not in the way", a);
    }
    if (!*is_leg) {
        return true;
    }
    if (exact_around(world, to).count == 0) {
        return refuse_point(out, leg, "ends its way out where nothing is free", b);
    }
    int64_t far = 0;
    for (int i = 0; i < 3; i++) {
        const int64_t d = b[i] < a[i] ? a[i] - b[i] : b[i] - a[i];
        if (d > WAY_OUT_MOST * OCT_FINE) {
            return true;
        }
        far += d * d;
    }
    if (far <= (int64_t)WAY_OUT_MOST * WAY_OUT_MOST * OCT_FINE * OCT_FINE &&
        free_within(world, a, far)) {
        return refuse_point(out, leg, "passes by a nearer way out", a);
    }
    return true;
}

// ---- paths ----

static bool coordinates_fit(const exact_world *world, oct_fine at)
{
    const int64_t most = (int64_t)OCT_RANGE * OCT_FINE;
    return at.x >= -most && at.x <= most && at.y >= -most && at.y <= most &&
           (world->dims == 2 || (at.z >= -most && at.z <= most));
}

bool exact_path_is_valid(const exact_world *world, const oct_fine *points, size_t count,
                         bool leaves_blocked, bool enters_blocked, char *why, size_t size)
{
    const verdict out = {why, size};
    const double nowhere[3] = {0};
    if (size > 0) {
        why[0] = '\0';
    }
    if (count == 0) {
        return refuse(&out, 0, "is missing", nowhere);
    }
    for (size_t i = 0; i < count; i++) {
        if (!coordinates_fit(world, points[i])) {
            return refuse(&out, i, "leaves the lattice", nowhere);
        }
    }
    size_t first = 0, end = count; // the points that are judged as free
    bool is_leg = false;
    if (leaves_blocked && count > 1) {
        if (!way_out(world, points[0], points[1], 0, &is_leg, &out)) {
            return false;
        }
        first += is_leg;
    }
    if (enters_blocked && count > 1) {
        if (!way_out(world, points[count - 1], points[count - 2], count - 2, &is_leg, &out)) {
            return false;
        }
        end -= is_leg;
    }
    int64_t start[3];
    spell(world, points[first], start);
    exact_cells in = exact_around(world, points[first]);
    if (first >= end || in.count == 0) {
        return refuse_point(&out, first, "begins where nothing is free", start);
    }
    for (size_t i = first; i + 1 < end; i++) {
        if (!walk_leg(world, points[i], points[i + 1], i, &in, &out)) {
            return false;
        }
    }
    return true;
}

bool exact_sees(const exact_world *world, oct_fine a, oct_fine b)
{
    return exact_path_is_valid(world, (const oct_fine[2]){a, b}, 2, false, false, NULL, 0);
}

bool exact_sees_between(const exact_world *world, oct_fine a, const exact_cells *from, oct_fine b,
                        const exact_cells *to)
{
    if (!coordinates_fit(world, a) || !coordinates_fit(world, b)) {
        return false;
    }
    exact_cells in = exact_joined(world, a, from);
    if (in.count == 0 || !walk_leg(world, a, b, 0, &in, &(verdict){NULL, 0})) {
        return false;
    }
    in = exact_joined(world, b, &in);
    return exact_cells_meet(&in, to);
}
