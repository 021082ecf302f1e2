// SPDX-License-Identifier: MIT
// What is in the way of a body that stands upright.
#include "footing/footing_internal.h"

#include <math.h>

// An upright cylinder among things.
typedef struct cylinder {
    const oct_footing *footing;
    footing_point at;
    double radius, lo, hi;
    oct_array *slabs;       // NULL = any thing ends it
    oct_footing *gathering; // whose slabs they are
    oct_result result;
} cylinder;

static double beyond(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

// Whether a thing comes nearer to the axis than the radius; whether the axis passes through it.
static bool is_beside(const cylinder *c, const oct_bounds *box, bool *is_under)
{
    const footing_point lo = footing_own(c->footing, box->min);
    const footing_point hi = footing_own(c->footing, box->max);
    const double u = beyond(c->at.u, lo.u, hi.u), v = beyond(c->at.v, lo.v, hi.v);
    *is_under = u == 0.0 && v == 0.0;
    return u * u + v * v < c->radius * c->radius;
}

static bool is_ground(const oct_footing *f, const oct_thing *thing)
{
    return thing->label == OCT_BLOCKED && (!f->is_ground || f->is_ground(f->ctx, thing));
}

// What is taken as it is shaped: whether one goes on.
static bool visit_shape(cylinder *c, const oct_thing *thing)
{
    if (!c->slabs) {
        return !oct_footing_shape_is_between(c->footing, thing->shape, c->at, c->radius, c->lo,
                                             c->hi);
    }
    c->result = oct_footing_gather_shape(c->gathering, thing->shape, c->at, c->radius,
                                         is_ground(c->footing, thing));
    return c->result == OCT_OK;
}

static bool visit(void *ctx, const oct_thing *thing)
{
    cylinder *const c = ctx;
    bool is_under;
    if (thing->label == OCT_OPEN || !is_beside(c, &thing->box, &is_under)) {
        return true;
    }
    if (oct_footing_is_shaped(c->footing, thing)) {
        return visit_shape(c, thing);
    }
    const footing_point lo = footing_own(c->footing, thing->box.min);
    const footing_point hi = footing_own(c->footing, thing->box.max);
    const footing_slab slab = {.lo = lo.h,
                               .hi = hi.h,
                               .top = hi.h,
                               .u0 = fmax(lo.u - c->at.u, -c->radius),
                               .u1 = fmin(hi.u - c->at.u, c->radius),
                               .v0 = fmax(lo.v - c->at.v, -c->radius),
                               .v1 = fmin(hi.v - c->at.v, c->radius),
                               .is_under = is_under,
                               .is_firm = c->slabs && is_under && !thing->shape &&
                                          is_ground(c->footing, thing)};
    if (!c->slabs) {
        return slab.hi <= c->lo + FOOTING_SAME || slab.lo >= c->hi - FOOTING_SAME;
    }
    c->result = oct_array_push(c->slabs, &c->footing->allocator, sizeof slab, &slab);
    return c->result == OCT_OK;
}

// The cells of a box of the world; false where that leaves the lattice.
static bool cells_of(const oct_footing *f, footing_point lo, footing_point hi, oct_box *out)
{
    const oct_tree *const tree = oct_map_tree(f->map);
    if (!oct_tree_cell_at(tree, footing_world(f, lo), &out->min) ||
        !oct_tree_cell_at(tree, footing_world(f, hi), &out->max)) {
        return false;
    }
    out->max = (oct_vec){out->max.x + 1, out->max.y + 1, out->max.z + 1};
    return true;
}

// Visits all things that may be beside the axis between two heights. False where it was stopped, or
// where that is beyond the lattice.
static bool visit_all(cylinder *c, double lo, double hi)
{
    const double r = c->radius;
    const footing_point min = {c->at.u - r, c->at.v - r, lo}, max = {c->at.u + r, c->at.v + r, hi};
    oct_box cells;
    return cells_of(c->footing, min, max, &cells) &&
           oct_map_things_in(c->footing->map, cells, visit, c);
}

bool oct_footing_is_free(const oct_footing *f, footing_point at, double lo, double hi)
{
    cylinder c = {
        .footing = f, .at = at, .radius = f->walker.radius + f->walker.margin, .lo = lo, .hi = hi};
    return visit_all(&c, lo, hi);
}

oct_result oct_footing_gather(oct_footing *f, footing_point at)
{
    f->slabs.count = f->faces.count = f->cut.count = 0;
    cylinder c = {.footing = f,
                  .at = at,
                  .radius = f->walker.radius + f->walker.margin,
                  .slabs = &f->slabs,
                  .gathering = f};
    (void)visit_all(&c, f->lowest, f->highest);
    return c.result;
}

// The cells along one axis whose middles lie between two coordinates.
static void middles(const oct_footing *f, int axis, double lo, double hi, double first[3],
                    double end[3])
{
    first[f->axis[axis]] = ceil((lo - f->origin[axis]) / f->cell - 0.5);
    end[f->axis[axis]] = ceil((hi - f->origin[axis]) / f->cell - 0.5);
}

bool oct_footing_is_known(const oct_footing *f, footing_point at, double lo, double hi)
{
    if (!f->known) {
        return true;
    }
    double first[3], end[3];
    const double r = f->walker.radius;
    middles(f, 0, at.u - r, at.u + r, first, end);
    middles(f, 1, at.v - r, at.v + r, first, end);
    middles(f, 2, lo, hi, first, end);
    for (int axis = 0; axis < 3; axis++) {
        if (!(first[axis] >= -OCT_RANGE && end[axis] < OCT_RANGE)) {
            return false;
        }
    }
    const oct_box cells = {{(int32_t)first[0], (int32_t)first[1], (int32_t)first[2]},
                           {(int32_t)end[0], (int32_t)end[1], (int32_t)end[2]}};
    return (oct_tree_labels_in(f->known, cells) & OCT_HAS_UNKNOWN) == 0;
}
