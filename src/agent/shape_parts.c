// SPDX-License-Identifier: MIT
#include "agent/shape_parts.h"

#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <math.h>

static bool has_shape(const oct_thing *t)
{
    return t->shape && t->shape->count > 0;
}

size_t oct_thing_parts(const oct_thing *t)
{
    return has_shape(t) ? t->shape->count : 1;
}

oct_bounds oct_thing_part(const oct_thing *t, size_t part, oct_point *from, oct_point *to)
{
    if (!has_shape(t)) {
        return t->box;
    }
    const oct_piece *const p = &t->shape->pieces[part];
    if (p->kind != OCT_PIECE_OBB) {
        return p->kind == OCT_PIECE_BOX ? p->box : t->box;
    }
    *from = oct_piece_own(p, *from);
    *to = oct_piece_own(p, *to);
    return (oct_bounds){point_scale(p->half, -1.0), p->half};
}

oct_point oct_thing_nearest(const oct_thing *t, oct_point at)
{
    const oct_piece whole = {.kind = OCT_PIECE_BOX, .box = t->box};
    if (!has_shape(t)) {
        return oct_convex_nearest(&whole, 0, at);
    }
    oct_point best = at;
    double least = HUGE_VAL;
    for (size_t i = 0; i < t->shape->count; i++) {
        const oct_piece *const p = &t->shape->pieces[i];
        for (size_t k = 0; k < oct_convex_bodies(p); k++) {
            const oct_point near = oct_convex_nearest(p, k, at);
            const double away = point_length(point_sub(near, at));
            best = away < least ? near : best;
            least = fmin(least, away);
        }
    }
    return best;
}

double oct_thing_along(const oct_thing *t, oct_point way)
{
    const oct_piece whole = {.kind = OCT_PIECE_BOX, .box = t->box};
    const oct_shape box = {&whole, 1}, *const shape = has_shape(t) ? t->shape : &box;
    double most = -HUGE_VAL;
    for (size_t i = 0; i < shape->count; i++) {
        const oct_piece *const p = &shape->pieces[i];
        for (size_t k = 0; k < oct_convex_bodies(p); k++) {
            oct_point own[CONVEX_CORNERS];
            const oct_point *points;
            const size_t count = oct_convex_points(p, k, own, &points);
            for (size_t j = 0; j < count; j++) {
                most = fmax(most, point_dot(points[j], way));
            }
        }
    }
    return most;
}
