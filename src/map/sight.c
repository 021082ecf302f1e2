// SPDX-License-Identifier: MIT
// Sight of one cell: the definition.
//
// Everything is relative to the eye, in cells. Say the way to the cell's centre goes by d on an
// axis. Then a box from lo to hi is met there from t = near to t = far, which are lo / d and hi / d
// or the other way round; and the cell is entered at its nearer face. A box is met at all if the
// largest near (or 0, the start) is at most the smallest far, and it hides the cell if the start
// comes before the last entry. Divisions are multiplications by 1 / d; so all is monotone, and
// boxes that touch leave no gap however it is rounded.
#include "map/sight_index.h"

#include <math.h>

// On an axis that counts for nothing, and where the eye is level with the cell's centre.
static const sight_way no_way = {0.0, 0.0, 0.0};

static sight_way way_to(double eye, int32_t cell)
{
    const double length = ((double)cell + 0.5) - eye;
    if (length == 0.0) {
        return no_way;
    }
    const double inverse = 1.0 / length;
    const double face = length > 0.0 ? (double)cell : (double)cell + 1.0;
    return (sight_way){length, inverse, (face - eye) * inverse};
}

void oct_sight_ways(const sight *s, oct_vec cell, sight_way out[SIGHT_AXES])
{
    out[0] = way_to(s->eye.x, cell.x);
    out[1] = way_to(s->eye.y, cell.y);
    out[2] = s->dims == 3 ? way_to(s->eye.z, cell.z) : no_way;
}

bool oct_sight_relative(const sight *s, const sight_box *box, sight_box *out)
{
    const double eye[SIGHT_AXES] = {s->eye.x, s->eye.y, s->eye.z};
    bool holds = true;
    for (int a = 0; a < SIGHT_AXES; a++) {
        out->lo[a] = a < s->dims ? box->lo[a] - eye[a] : -1.0;
        out->hi[a] = a < s->dims ? box->hi[a] - eye[a] : 1.0;
        holds = holds && out->lo[a] <= 0.0 && out->hi[a] >= 0.0;
    }
    return !holds;
}

bool oct_sight_meets(const sight_box *relative, const sight_way ways[SIGHT_AXES])
{
    double start = 0.0, end = HUGE_VAL, entry = 0.0;
    for (int a = 0; a < SIGHT_AXES; a++) {
        const double lo = relative->lo[a], hi = relative->hi[a];
        if (ways[a].length == 0.0) {
            if (lo > 0.0 || hi < 0.0) {
                return false;
            }
            continue;
        }
        const bool ahead = ways[a].length > 0.0;
        const double near = (ahead ? lo : hi) * ways[a].inverse;
        const double far = (ahead ? hi : lo) * ways[a].inverse;
        start = near > start ? near : start;
        end = far < end ? far : end;
        entry = ways[a].entry > entry ? ways[a].entry : entry;
    }
    return start <= end && start < entry;
}

bool oct_sight_holds(const sight_box *relative, const sight_way ways[SIGHT_AXES])
{
    return sight_holds_on(relative, 0, &ways[0]) && sight_holds_on(relative, 1, &ways[1]) &&
           sight_holds_on(relative, 2, &ways[2]);
}

// A slab relative to the eye.
OCT_FORCE_INLINE sight_slab slab_from(const sight *s, const sight_slab *slab)
{
    const double eye = slab->n[0] * s->eye.x + slab->n[1] * s->eye.y +
                       (s->dims == 3 ? slab->n[2] * s->eye.z : 0.0);
    return (sight_slab){{slab->n[0], slab->n[1], slab->n[2]}, slab->lo - eye, slab->hi - eye};
}

bool oct_sight_solid_holds(const sight *s, const sight_solid *solid)
{
    for (uint32_t i = 0; i < solid->count; i++) {
        const sight_slab slab = slab_from(s, &s->slabs[solid->first + i]);
        if (slab.lo > 0.0 || slab.hi < 0.0) {
            return false;
        }
    }
    return true;
}

bool oct_sight_solid_holds_centre(const sight *s, const sight_solid *solid,
                                  const sight_way ways[SIGHT_AXES])
{
    for (uint32_t i = 0; i < solid->count; i++) {
        const sight_slab slab = slab_from(s, &s->slabs[solid->first + i]);
        const double at =
            slab.n[0] * ways[0].length + slab.n[1] * ways[1].length + slab.n[2] * ways[2].length;
        if (at < slab.lo || at > slab.hi) {
            return false;
        }
    }
    return true;
}

// A line that runs along a slab so nearly does not meet its planes.
#define LEVEL 1e-12

bool oct_sight_solid_meets(const sight *s, const sight_solid *solid,
                           const sight_way ways[SIGHT_AXES])
{
    double start = 0.0, end = HUGE_VAL, entry = 0.0;
    for (int a = 0; a < SIGHT_AXES; a++) {
        entry = ways[a].entry > entry ? ways[a].entry : entry;
    }
    for (uint32_t i = 0; i < solid->count; i++) {
        const sight_slab slab = slab_from(s, &s->slabs[solid->first + i]);
        const double way =
            slab.n[0] * ways[0].length + slab.n[1] * ways[1].length + slab.n[2] * ways[2].length;
        if (way < LEVEL && way > -LEVEL) {
            if (slab.lo > 0.0 || slab.hi < 0.0) {
                return false;
            }
            continue;
        }
        const double near = (way > 0.0 ? slab.lo : slab.hi) / way;
        const double far = (way > 0.0 ? slab.hi : slab.lo) / way;
        start = near > start ? near : start;
        end = far < end ? far : end;
    }
    return start <= end && start < entry;
}

// The solid of a box, if it is not all of it.
OCT_FORCE_INLINE const sight_solid *solid_of(const sight *s, uint32_t box)
{
    return s->solids && s->solids[box].count > 0 ? &s->solids[box] : NULL;
}

bool oct_sight_sees(const sight *s, oct_vec cell)
{
    sight_way ways[SIGHT_AXES];
    oct_sight_ways(s, cell, ways);
    for (uint32_t i = 0; i < s->box_count; i++) {
        sight_box relative;
        const sight_solid *const solid = solid_of(s, i);
        if (solid) {
            if (!oct_sight_solid_holds(s, solid) && oct_sight_solid_meets(s, solid, ways) &&
                !(sight_is_soft(s, i) && oct_sight_solid_holds_centre(s, solid, ways))) {
                return false;
            }
        } else if (oct_sight_relative(s, &s->boxes[i], &relative) &&
                   oct_sight_meets(&relative, ways) &&
                   !(sight_is_soft(s, i) && oct_sight_holds(&relative, ways))) {
            return false;
        }
    }
    return true;
}

static bool box_equals(int dims, const sight_box *a, const sight_box *b)
{
    bool equal = true;
    for (int axis = 0; axis < dims; axis++) {
        equal &= a->lo[axis] == b->lo[axis] && a->hi[axis] == b->hi[axis];
    }
    return equal;
}

// Whether a box lies beside another: most lie beside the way to a point.
OCT_FORCE_INLINE bool is_beside(const sight_box *a, const sight_box *b)
{
    return (a->hi[0] < b->lo[0]) | (a->lo[0] > b->hi[0]) | (a->hi[1] < b->lo[1]) |
           (a->lo[1] > b->hi[1]) | (a->hi[2] < b->lo[2]) | (a->lo[2] > b->hi[2]);
}

// The way to a point, for tests of boxes.
typedef struct reaching {
    const sight *s;
    const sight_box *except;
    uint32_t owner;
    sight_box bounds;
    sight_way ways[SIGHT_AXES];
    uint32_t *first;
} reaching;

// Whether a box other than those that are left out is met on the way.
OCT_FORCE_INLINE bool hides(const reaching *r, uint32_t index)
{
    const sight *const s = r->s;
    const sight_box *const box = &s->boxes[index];
    sight_box relative;
    if (is_beside(box, &r->bounds)) {
        return false;
    }
    if (OCT_UNLIKELY(s->solids != NULL)) {
        const sight_solid *const solid = &s->solids[index];
        if (solid->owner == r->owner && r->owner != SIGHT_NO_OWNER) {
            return false;
        }
        if (solid->count > 0) {
            return !oct_sight_solid_holds(s, solid) && oct_sight_solid_meets(s, solid, r->ways);
        }
    }
    return !box_equals(s->dims, box, r->except) && oct_sight_relative(s, box, &relative) &&
           oct_sight_meets(&relative, r->ways);
}

static bool test_box(void *ctx, uint32_t box)
{
    const reaching *const r = ctx;
    const bool is_hidden = hides(r, box);
    *r->first = is_hidden ? box : *r->first;
    return is_hidden;
}

bool oct_sight_reaches(const sight *s, const sight_index *index, const double at[SIGHT_AXES],
                       const sight_box *except, uint32_t owner, uint32_t *first)
{
    const double eye[SIGHT_AXES] = {s->eye.x, s->eye.y, s->eye.z};
    reaching r = {.s = s,
                  .except = except,
                  .owner = owner,
                  .bounds = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}},
                  .ways = {no_way, no_way, no_way},
                  .first = first};
    for (int axis = 0; axis < s->dims; axis++) {
        const double length = at[axis] - eye[axis];
        r.bounds.lo[axis] = length > 0.0 ? eye[axis] : at[axis];
        r.bounds.hi[axis] = length > 0.0 ? at[axis] : eye[axis];
        if (length != 0.0) {
            r.ways[axis] = (sight_way){length, 1.0 / length, 1.0};
        }
    }
    if (*first < s->box_count && test_box(&r, *first)) {
        return false;
    }
    if (index) {
        return !sight_index_any(index, eye, at, test_box, &r);
    }
    for (uint32_t i = 0; i < s->box_count; i++) {
        if (test_box(&r, i)) {
            return false;
        }
    }
    return true;
}
