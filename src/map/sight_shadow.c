// SPDX-License-Identifier: MIT
#include "map/sight_shadow.h"

#include <math.h>

// More slabs than these are not looked at.
#define SLABS_MAX 32
// Bounds that are as near as this to each other, as a share, are not told apart.
#define NEAR 1e-6

// A bound of s: n c, where the planes of a slab are.
typedef struct bound {
    double n[SIGHT_AXES];
    uint32_t slab;
} bound;

typedef struct bounds {
    bound upper[SLABS_MAX], lower[2 * SLABS_MAX];
    uint32_t uppers, lowers;
} bounds;

static double length_of(const double n[SIGHT_AXES])
{
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static bound bound_of(const double n[SIGHT_AXES], double by, uint32_t slab)
{
    return (bound){{n[0] / by, n[1] / by, n[2] / by}, slab};
}

static oct_result add_plane(const oct_allocator *allocator, oct_array *planes,
                            const double n[SIGHT_AXES], double w, bool is_face)
{
    const double length = length_of(n);
    shadow_plane p = {{n[0] / length, n[1] / length, n[2] / length}, w / length, 0.0};
    p.thick = is_face ? 0.5 * (fabs(p.n[0]) + fabs(p.n[1]) + fabs(p.n[2])) : 0.0;
    return oct_array_push(planes, allocator, sizeof p, &p);
}

// Enters a slab, of which the eye is on the lower side or inside.
static oct_result add_slab(const oct_allocator *allocator, oct_array *planes, bounds *b,
                           const double n[SIGHT_AXES], double lo, double hi, uint32_t slab)
{
    if (lo > 0.0) {
        b->upper[b->uppers++] = bound_of(n, lo, slab);
        b->lower[b->lowers++] = bound_of(n, hi, slab);
        return add_plane(allocator, planes, n, lo, true);
    }
    const double back[SIGHT_AXES] = {-n[0], -n[1], -n[2]};
    if (hi > 0.0) {
        b->lower[b->lowers++] = bound_of(n, hi, slab);
    } else {
        OCT_TRY(add_plane(allocator, planes, back, 0.0, false));
    }
    if (lo < 0.0) {
        b->lower[b->lowers++] = bound_of(n, lo, slab);
        return OCT_OK;
    }
    return add_plane(allocator, planes, n, 0.0, false);
}

static oct_result compare(const oct_allocator *allocator, oct_array *planes, const bounds *b,
                          bool *is_sure)
{
    for (uint32_t u = 0; u < b->uppers; u++) {
        for (uint32_t l = 0; l < b->lowers && *is_sure; l++) {
            const double *const up = b->upper[u].n, *const low = b->lower[l].n;
            const double n[SIGHT_AXES] = {up[0] - low[0], up[1] - low[1], up[2] - low[2]};
            if (b->upper[u].slab == b->lower[l].slab) {
                continue; // it is between its own planes
            }
            *is_sure = length_of(n) > NEAR * (length_of(up) + length_of(low));
            OCT_TRY(*is_sure ? add_plane(allocator, planes, n, 0.0, false) : OCT_OK);
        }
    }
    return OCT_OK;
}

oct_result oct_sight_shadow(const sight *s, const sight_solid *solid,
                            const oct_allocator *allocator, oct_array *planes, bool *is_sure)
{
    const size_t first = planes->count;
    bounds b;
    b.uppers = b.lowers = 0;
    *is_sure = solid->count <= SLABS_MAX;
    for (uint32_t i = 0; i < solid->count && *is_sure; i++) {
        const sight_slab *const slab = &s->slabs[solid->first + i];
        const double *const n = slab->n;
        const double eye = n[0] * s->eye.x + n[1] * s->eye.y + (s->dims == 3 ? n[2] * s->eye.z : 0);
        const double lo = slab->lo - eye, hi = slab->hi - eye;
        const double back[SIGHT_AXES] = {-n[0], -n[1], -n[2]};
        OCT_TRY(hi < 0.0 ? add_slab(allocator, planes, &b, back, -hi, -lo, i)
                         : add_slab(allocator, planes, &b, n, lo, hi, i));
    }
    OCT_TRY(compare(allocator, planes, &b, is_sure));
    *is_sure = *is_sure && b.uppers > 0;
    planes->count = *is_sure ? planes->count : first;
    return OCT_OK;
}
