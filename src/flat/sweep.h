// SPDX-License-Identifier: MIT
// What a point of a flat map sees, row by row, exactly.
//
// From a root one looks up or down through intervals of lattice rows. The sides of an interval are
// rays from the root through known points; where a ray meets a row is a fraction whose denominator
// is the height of that point above the root, so that everything is decided in integers. Through
// the cells between two rows one sees as far as the run of free cells goes; on the next row the
// view divides where cells ahead are blocked.
//
// Points here are of the sub-lattice, counted from the plane's smallest cell.
#ifndef OCTANT_SWEEP_H
#define OCTANT_SWEEP_H

#include "flat/plane.h"

typedef struct flat_point {
    int32_t x, y;
} flat_point;

// Where a ray meets a row: whole + rem / den.
typedef struct ray_x {
    int32_t whole;
    uint32_t rem, den;
} ray_x;

// An interval of a lattice row that is seen from a root on the side that one looks away from. Both
// ends belong to it; it may be one point.
typedef struct seen_span {
    flat_point left_ray, right_ray; // points that its sides pass
    ray_x left, right;
    int32_t row;
    int32_t step; // 1: looking up, -1: down
} seen_span;
_Static_assert(sizeof(seen_span) == 48, "four in three cache lines");

// A run of free cells.
typedef struct cell_run {
    int32_t first, end;
} cell_run;

#define FLAT_FAR (1 << 30)

OCT_FORCE_INLINE int32_t flat_of(int32_t lattice)
{
    return lattice * OCT_FINE;
}

// A point of the map in the plane, and the other way.
OCT_FORCE_INLINE flat_point plane_point(const bit_plane *p, oct_fine at)
{
    return (flat_point){(int32_t)(at.x - (int64_t)p->x * OCT_FINE),
                        (int32_t)(at.y - (int64_t)p->y * OCT_FINE)};
}

OCT_FORCE_INLINE oct_fine plane_fine(const bit_plane *p, flat_point at)
{
    return (oct_fine){(int64_t)p->x * OCT_FINE + at.x, (int64_t)p->y * OCT_FINE + at.y, FLAT_Z};
}

OCT_FORCE_INLINE double flat_distance(flat_point a, flat_point b)
{
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    return sqrt(x * x + y * y) * (1.0 / OCT_FINE);
}

OCT_FORCE_INLINE ray_x ray_at(int32_t x)
{
    return (ray_x){x, 0, 1};
}

// Where the ray from the root through a point meets a row. The point is not at the root's height.
// What is too far away to matter is cut off.
OCT_FORCE_INLINE ray_x ray_meet(flat_point root, flat_point through, int32_t row)
{
    const int32_t y = flat_of(row);
    if (through.y == y) {
        return ray_at(through.x);
    }
    const int64_t away = (int64_t)through.x - root.x, up = (int64_t)y - root.y;
    const int64_t height = (int64_t)through.y - root.y;
    const int64_t den = height < 0 ? -height : height, num = away * (height < 0 ? -up : up);
    int64_t whole = num / den, rem = num % den;
    if (rem < 0) {
        rem += den;
        whole--;
    }
    whole += root.x;
    if (OCT_UNLIKELY(whole < -FLAT_FAR || whole >= FLAT_FAR)) {
        return ray_at(whole < 0 ? -FLAT_FAR : FLAT_FAR);
    }
    return (ray_x){(int32_t)whole, (uint32_t)rem, (uint32_t)den};
}

// Below 0, 0, above 0: as a is left of b, on it, right of it.
OCT_FORCE_INLINE int ray_compare(ray_x a, ray_x b)
{
    if (a.whole != b.whole) {
        return a.whole < b.whole ? -1 : 1;
    }
    const uint64_t x = (uint64_t)a.rem * b.den, y = (uint64_t)b.rem * a.den;
    return (x > y) - (x < y);
}

OCT_FORCE_INLINE bool ray_is_below(ray_x a, int32_t x)
{
    return a.whole < x;
}

OCT_FORCE_INLINE bool ray_is_above(ray_x a, int32_t x)
{
    return a.whole > x || (a.whole == x && a.rem > 0);
}

OCT_FORCE_INLINE bool ray_on_lattice(ray_x a)
{
    return a.rem == 0 && (a.whole & (OCT_FINE - 1)) == 0;
}

OCT_FORCE_INLINE double ray_value(ray_x a)
{
    return (double)a.whole + (double)a.rem / (double)a.den;
}

// The row of cells that one looks into.
OCT_FORCE_INLINE int32_t span_cells(int32_t row, int32_t step)
{
    return step > 0 ? row : row - 1;
}

// The run of free cells that a free cell belongs to.
OCT_FORCE_INLINE cell_run sweep_run(const bit_plane *p, int32_t x, int32_t y)
{
    const uint64_t *const cells = plane_row(p, y);
    return (cell_run){plane_blocked_to(cells, x) + 1, plane_blocked_from(cells, x)};
}

// The run of free cells ahead of an interval; there must be one.
OCT_FORCE_INLINE cell_run sweep_ahead(const bit_plane *p, const seen_span *s)
{
    const int32_t y = span_cells(s->row, s->step), x = s->left.whole >> 8;
    return sweep_run(p, ray_on_lattice(s->left) && !plane_is_free(p, x, y) ? x - 1 : x, y);
}

// What is looked through: a run of cells, on the way to a row, between two rays. Without a ray
// (NULL) the whole of the run is seen on that side.
typedef struct sweep_gate {
    cell_run run;
    const flat_point *left, *right;
    int32_t row, step;
} sweep_gate;

// What is seen of the row behind a gate; false for nothing.
OCT_FORCE_INLINE bool sweep_through(flat_point root, const sweep_gate *gate, seen_span *out)
{
    const int32_t y = flat_of(gate->row);
    const flat_point first = {flat_of(gate->run.first), y}, end = {flat_of(gate->run.end), y};
    out->row = gate->row;
    out->step = gate->step;
    out->left_ray = gate->left ? *gate->left : first;
    out->right_ray = gate->right ? *gate->right : end;
    out->left = ray_meet(root, out->left_ray, gate->row);
    out->right = ray_meet(root, out->right_ray, gate->row);
    if (ray_is_above(out->left, end.x) || ray_is_below(out->right, first.x)) {
        return false;
    }
    if (ray_is_below(out->left, first.x)) {
        out->left_ray = first;
        out->left = ray_at(first.x);
    }
    if (ray_is_above(out->right, end.x)) {
        out->right_ray = end;
        out->right = ray_at(end.x);
    }
    return true;
}

// The parts into which blocked cells ahead divide an interval, as they are found.
typedef struct sweep_parts {
    const uint64_t *cells;
    int32_t next, end; // cells to look at
} sweep_parts;

OCT_FORCE_INLINE sweep_parts sweep_divide(const bit_plane *p, const seen_span *s)
{
    const int32_t cell = s->left.whole >> 8;
    return (sweep_parts){plane_row(p, span_cells(s->row, s->step)),
                         cell - (ray_on_lattice(s->left) ? 1 : 0), (s->right.whole >> 8) + 1};
}

// The next part of an interval with free cells ahead; false where there is none. Parts of one point
// are those where a run begins or ends at the interval's end.
OCT_FORCE_INLINE bool sweep_part(sweep_parts *parts, const seen_span *s, seen_span *out)
{
    const int32_t first = plane_free_from(parts->cells, parts->next, parts->end);
    if (first >= parts->end) {
        return false;
    }
    const int32_t end = plane_blocked_from(parts->cells, first), y = flat_of(s->row);
    parts->next = end + 1;
    *out = *s;
    if (ray_is_below(s->left, flat_of(first))) {
        out->left_ray = (flat_point){flat_of(first), y};
        out->left = ray_at(flat_of(first));
    }
    if (ray_is_above(s->right, flat_of(end))) {
        out->right_ray = (flat_point){flat_of(end), y};
        out->right = ray_at(flat_of(end));
    }
    return true;
}

// ---- corners ----

// The cells around a lattice point as one comes by: behind and ahead, left and right.
enum { QUAD_BEHIND_LEFT = 1, QUAD_BEHIND_RIGHT = 2, QUAD_AHEAD_LEFT = 4, QUAD_AHEAD_RIGHT = 8 };

OCT_FORCE_INLINE uint32_t sweep_quads(const bit_plane *p, int32_t x, int32_t row, int32_t step)
{
    const uint32_t quads = plane_quads(p, x, row);
    return step > 0 ? quads : (quads >> 2 | quads << 2) & 15u;
}

// Where blocked cells meet in a corner.
OCT_FORCE_INLINE bool quads_are_double(uint32_t quads)
{
    return quads == 6u || quads == 9u;
}

// Whether three of four cells are free: a path may bend around the other one.
OCT_FORCE_INLINE bool quads_have_corner(uint32_t quads)
{
    return quads == 7u || quads == 11u || quads == 13u || quads == 14u;
}

OCT_FORCE_INLINE int64_t flat_cross(flat_point o, flat_point a, flat_point b)
{
    return ((int64_t)a.x - o.x) * ((int64_t)b.y - o.y) -
           ((int64_t)a.y - o.y) * ((int64_t)b.x - o.x);
}

// Whether a path may bend at a lattice point.
OCT_FORCE_INLINE bool sweep_bends_at(const bit_plane *p, bool squeezes, int32_t x, int32_t row)
{
    const uint32_t quads = plane_quads(p, x, row);
    return quads_have_corner(quads) || (squeezes && quads_are_double(quads));
}

// Whether a part of an interval is more than one point, or a point that a path may bend at.
OCT_FORCE_INLINE bool sweep_leads_on(const bit_plane *p, bool squeezes, const seen_span *s)
{
    return ray_compare(s->left, s->right) != 0 ||
           (ray_on_lattice(s->left) && sweep_bends_at(p, squeezes, s->left.whole >> 8, s->row));
}

// How a path bends at an end of an interval.
typedef enum sweep_bend {
    BEND_NONE,
    BEND_PAST,     // outwards, around a blocked cell behind the end
    BEND_UP,       // inwards, along the side of a blocked cell ahead
    BEND_STRAIGHT, // not at all: upright along that side
    BEND_BETWEEN   // between two that meet there: anywhere
} sweep_bend;

// Of the right or left end of an interval that a root sees. What is straight ahead beside a blocked
// cell is seen from the root itself, as far as the interval is more than one point.
OCT_FORCE_INLINE sweep_bend sweep_bend_at(const bit_plane *p, bool squeezes, flat_point root,
                                          const seen_span *s, bool is_right)
{
    const ray_x end = is_right ? s->right : s->left;
    if (!ray_on_lattice(end)) {
        return BEND_NONE;
    }
    const uint32_t quads = sweep_quads(p, end.whole >> 8, s->row, s->step);
    const uint32_t behind = is_right ? QUAD_BEHIND_RIGHT : QUAD_BEHIND_LEFT;
    const uint32_t ahead = is_right ? QUAD_AHEAD_RIGHT : QUAD_AHEAD_LEFT;
    if (quads == (15u ^ behind)) {
        return BEND_PAST;
    }
    if (quads == (15u ^ ahead)) {
        return root.x == end.whole                ? BEND_STRAIGHT
               : is_right == (root.x > end.whole) ? BEND_UP
                                                  : BEND_NONE;
    }
    return squeezes && quads_are_double(quads) && (quads & ahead) ? BEND_BETWEEN : BEND_NONE;
}

// The cell ahead through which one looks from there, in its row.
OCT_FORCE_INLINE int32_t sweep_bend_cell(int32_t x, bool is_right, sweep_bend bend)
{
    return is_right == (bend == BEND_UP) ? x - 1 : x;
}

// Whether a path along a row (way 1: to the right) bends away from it, up (step 1) or down, at a
// point where blocked cells beside it end.
OCT_FORCE_INLINE sweep_bend sweep_leaves_at(const bit_plane *p, bool squeezes, int32_t x,
                                            int32_t row, int32_t way, int32_t step)
{
    const uint32_t quads = sweep_quads(p, x, row, step);
    const uint32_t passed = way > 0 ? QUAD_AHEAD_LEFT : QUAD_AHEAD_RIGHT;
    const uint32_t next = way > 0 ? QUAD_AHEAD_RIGHT : QUAD_AHEAD_LEFT;
    if (quads == (15u ^ passed)) {
        return BEND_PAST;
    }
    return squeezes && quads_are_double(quads) && (quads & next) ? BEND_BETWEEN : BEND_NONE;
}

// Whether a path along a row may go on at such a point.
OCT_FORCE_INLINE bool sweep_goes_on(const bit_plane *p, bool squeezes, int32_t x, int32_t row,
                                    int32_t way)
{
    const uint32_t quads = plane_quads(p, x, row);
    return (quads & (way > 0 ? 10u : 5u)) && (squeezes || !quads_are_double(quads));
}

// ---- the goal ----

// A point to be found, and the octants that are its own.
typedef struct sweep_goal {
    flat_point at;
    uint32_t octants;
} sweep_goal;

// Whether it may be entered out of a run of cells in row `cells`: where blocked cells meet in a
// corner that depends on the side.
OCT_FORCE_INLINE bool sweep_may_enter(const sweep_goal *goal, cell_run run, int32_t cells)
{
    if ((goal->at.x | goal->at.y) & (OCT_FINE - 1)) {
        return true;
    }
    const int32_t x = goal->at.x >> 8;
    const uint32_t up = cells == goal->at.y >> 8 ? 2u : 0u;
    return (x > run.first && (goal->octants >> up & 1u)) ||
           (x < run.end && (goal->octants >> (up + 1u) & 1u));
}

// Whether it lies in a gate, where a root sees it.
OCT_FORCE_INLINE bool sweep_finds(flat_point root, const sweep_gate *gate, const sweep_goal *goal)
{
    const flat_point at = goal->at;
    const int32_t cells = span_cells(gate->row, -gate->step);
    return at.y >= flat_of(cells) && at.y <= flat_of(cells + 1) &&
           at.x >= flat_of(gate->run.first) && at.x <= flat_of(gate->run.end) &&
           !(gate->left && gate->step * flat_cross(root, *gate->left, at) > 0) &&
           !(gate->right && gate->step * flat_cross(root, *gate->right, at) < 0) &&
           sweep_may_enter(goal, gate->run, cells);
}

// Whether it lies level with a root that is inside the gate's cells, where no row is.
OCT_FORCE_INLINE bool sweep_finds_level(flat_point root, const sweep_gate *gate,
                                        const sweep_goal *goal)
{
    return goal->at.y == root.y && goal->at.x >= flat_of(gate->run.first) &&
           goal->at.x <= flat_of(gate->run.end) &&
           sweep_may_enter(goal, gate->run, span_cells(gate->row, -gate->step));
}

// Whether it lies on a stretch of a row from x to `end`, and may be entered from there.
OCT_FORCE_INLINE bool sweep_finds_along(const bit_plane *p, int32_t x, int32_t end, int32_t row,
                                        const sweep_goal *goal)
{
    const int32_t from = flat_of(x), to = flat_of(end);
    if (goal->at.y != flat_of(row) ||
        (from < to ? goal->at.x < from || goal->at.x > to : goal->at.x > from || goal->at.x < to)) {
        return false;
    }
    // Out of the cells beside the row that one comes through.
    const int32_t cell = (goal->at.x - (from < to ? 1 : 0)) >> 8;
    const cell_run run = {cell, cell + 1};
    return (plane_is_free(p, cell, row) && sweep_may_enter(goal, run, row)) ||
           (plane_is_free(p, cell, row - 1) && sweep_may_enter(goal, run, row - 1));
}

// ---- from a place ----

// The gate above (step 1) or below a place; false where nothing of it is free.
OCT_FORCE_INLINE bool sweep_first_gate(const bit_plane *p, const spot *from, int32_t step,
                                       sweep_gate *out)
{
    const uint32_t low = step > 0 ? 2u : 0u, own = from->octants >> low & 3u;
    if (!own) {
        return false;
    }
    const oct_vec cell = octant_cell(from->at, low + oct_lowest_bit(own));
    const int32_t x = cell.x - p->x, y = cell.y - p->y;
    *out = (sweep_gate){sweep_run(p, x, y), NULL, NULL, step > 0 ? y + 1 : y, step};
    return true;
}

// Whether a place lies on a row, and one may go along it; *x is where that begins.
OCT_FORCE_INLINE bool sweep_first_along(const bit_plane *p, const spot *from, int32_t way,
                                        int32_t *x, int32_t *row)
{
    const int32_t right = fine_on_plane(from->at.x) || way > 0 ? 0 : 1;
    *x = fine_cell(from->at.x) - p->x + right;
    *row = fine_cell(from->at.y) - p->y;
    return fine_on_plane(from->at.y) && (from->octants & (way > 0 ? 10u : 5u));
}

// ---- along a row ----

// The next lattice point along a row, behind x in a direction (1: right, -1: left), at which a
// blocked cell beside the row ends, or the way does. Cells beyond x must be free above or below.
OCT_FORCE_INLINE int32_t sweep_along(const bit_plane *p, int32_t x, int32_t row, int32_t step)
{
    const uint64_t *const above = plane_row(p, row), *const below = plane_row(p, row - 1);
    for (int32_t at = x;; at += 63 * step) {
        // The 64 cells from the point on; of 63 points between them both sides are known.
        const int32_t first = step > 0 ? at : at - 64;
        const uint64_t a = plane_bits(above, first), b = plane_bits(below, first);
        if (step > 0) {
            const uint64_t found = (~a & a >> 1) | (~b & b >> 1) | (~a >> 1 & ~b >> 1);
            if (found) {
                return at + 1 + (int32_t)oct_lowest_bit(found);
            }
        } else {
            const uint64_t found = (~a & a << 1) | (~b & b << 1) | (~a << 1 & ~b << 1);
            if (found) {
                return at - 65 + (int32_t)oct_bit_length(found);
            }
        }
    }
}

#endif
