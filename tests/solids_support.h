// SPDX-License-Identifier: MIT
// Scenes of solids, kept in a plain list beside: every question is answered by asking each box.
#ifndef OCTANT_TESTS_SOLIDS_SUPPORT_H
#define OCTANT_TESTS_SOLIDS_SUPPORT_H

#include "base/base_internal.h"
#include "game/solids.h"
#include "support.h"

#include <math.h>

#define MODEL_MAX 4096
#define MODEL_FRAMES_MAX 16

typedef struct model_box {
    uint32_t frame;
    oct_bounds home, part;
    bool live, has_part;
} model_box;

typedef struct model {
    solids *s;
    oct_point origins[MODEL_FRAMES_MAX];
    motion_frame axes[MODEL_FRAMES_MAX];
    uint32_t frames;
    model_box boxes[MODEL_MAX]; // by number
    uint32_t count;             // of numbers that were ever given
    oct_random random;
} model;

static inline oct_point add_scaled(oct_point a, oct_point b, double by)
{
    return (oct_point){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by};
}

static inline double dot_of(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double length_of(oct_point a)
{
    return sqrt(dot_of(a, a));
}

static inline double random_in(oct_random *random, double lo, double hi)
{
    return lo + (hi - lo) * oct_random_unit(random);
}

// One after the other: the order of initialisers is the compiler's.
static inline oct_point random_between(oct_random *random, oct_point lo, oct_point hi)
{
    oct_point p;
    p.x = random_in(random, lo.x, hi.x);
    p.y = random_in(random, lo.y, hi.y);
    p.z = random_in(random, lo.z, hi.z);
    return p;
}

static inline oct_point random_point(oct_random *random, double size)
{
    return random_between(random, (oct_point){-size, -size, -size}, (oct_point){size, size, size});
}

static inline oct_point random_direction(oct_random *random)
{
    for (;;) {
        const oct_point p = random_point(random, 1.0);
        const double length = length_of(p);
        if (length > 0.1 && length < 1.0) {
            return (oct_point){p.x / length, p.y / length, p.z / length};
        }
    }
}

static inline motion_frame straight_axes(void)
{
    return (motion_frame){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

static inline motion_frame random_axes(oct_random *random)
{
    const oct_point forward = random_direction(random);
    for (;;) {
        const oct_point up = random_direction(random);
        if (fabs(dot_of(forward, up)) < 0.9) {
            return oct_motion_frame(forward, up);
        }
    }
}

static inline void model_init(model *m, uint64_t seed, const oct_allocator *allocator)
{
    m->frames = m->count = 0;
    m->random = oct_random_seed(seed);
    assert_int_equal(oct_solids_create(allocator, &m->s), OCT_OK);
}

static inline uint32_t model_add_frame(model *m, oct_point origin, motion_frame axes)
{
    uint32_t frame;
    assert_int_equal(oct_solids_add_frame(m->s, origin, &axes, &frame), OCT_OK);
    assert_int_equal(frame, m->frames);
    m->origins[frame] = origin;
    m->axes[frame] = axes;
    m->frames++;
    return frame;
}

static inline uint32_t model_add(model *m, uint32_t frame, oct_bounds home)
{
    uint32_t solid;
    assert_int_equal(oct_solids_add(m->s, frame, home, &solid), OCT_OK);
    assert_true(solid < MODEL_MAX && solid <= m->count);
    assert_true(solid == m->count || !m->boxes[solid].live);
    m->count += solid == m->count;
    m->boxes[solid] = (model_box){frame, home, home, true, true};
    return solid;
}

static inline void model_set(model *m, uint32_t solid, const oct_bounds *part)
{
    oct_solids_set(m->s, solid, part);
    m->boxes[solid].has_part = part != NULL;
    if (part) {
        m->boxes[solid].part = *part;
    }
}

static inline void model_remove(model *m, uint32_t solid)
{
    oct_solids_remove(m->s, solid);
    m->boxes[solid].live = m->boxes[solid].has_part = false;
}

static inline void model_move(model *m, uint32_t frame, oct_point origin)
{
    oct_solids_move_frame(m->s, frame, origin);
    m->origins[frame] = origin;
}

static inline oct_bounds box_from(double x, double y, double z, double to_x, double to_y,
                                  double to_z)
{
    return (oct_bounds){{x, y, z}, {to_x, to_y, to_z}};
}

static inline oct_point model_local(const model *m, uint32_t frame, oct_point world)
{
    const oct_point p = add_scaled(world, m->origins[frame], -1.0);
    const motion_frame *const a = &m->axes[frame];
    return (oct_point){dot_of(p, a->right), dot_of(p, a->up), dot_of(p, a->back)};
}

// ---- answers by asking everyone ----

static inline double point_distance(const oct_bounds *b, oct_point p)
{
    const double x = fmax(0.0, fmax(b->min.x - p.x, p.x - b->max.x));
    const double y = fmax(0.0, fmax(b->min.y - p.y, p.y - b->max.y));
    const double z = fmax(0.0, fmax(b->min.z - p.z, p.z - b->max.z));
    return sqrt(x * x + y * y + z * z);
}

// The distance along a segment is convex: cut off the worse third, again and again.
static inline double segment_distance(const oct_bounds *b, oct_point from, oct_point to)
{
    const oct_point by = add_scaled(to, from, -1.0);
    double lo = 0.0, hi = 1.0;
    for (int i = 0; i < 80; i++) {
        const double a = lo + (hi - lo) / 3.0, c = hi - (hi - lo) / 3.0;
        if (point_distance(b, add_scaled(from, by, a)) <
            point_distance(b, add_scaled(from, by, c))) {
            hi = c;
        } else {
            lo = a;
        }
    }
    return point_distance(b, add_scaled(from, by, 0.5 * (lo + hi)));
}

static inline double model_gap_to(const model *m, uint32_t i, const capsule *c)
{
    const model_box *const b = &m->boxes[i];
    const oct_point lower = add_scaled(c->centre, c->axis, -c->half);
    const oct_point upper = add_scaled(c->centre, c->axis, c->half);
    return segment_distance(&b->part, model_local(m, b->frame, lower),
                            model_local(m, b->frame, upper)) -
           c->radius;
}

// Of all but one frame, or of one alone.
static inline double model_gap_among(const model *m, const capsule *c, double limit,
                                     uint32_t except, uint32_t only)
{
    double best = limit;
    for (uint32_t i = 0; i < m->count; i++) {
        const model_box *const b = &m->boxes[i];
        // Cheap first: most are far.
        if (!b->live || !b->has_part || b->frame == except ||
            (only != UINT32_MAX && b->frame != only) ||
            point_distance(&b->part, model_local(m, b->frame, c->centre)) >
                best + c->half + c->radius + 1e-6) {
            continue;
        }
        best = fmin(best, model_gap_to(m, i, c));
    }
    return best;
}

static inline double model_gap(const model *m, const capsule *c, double limit)
{
    return model_gap_among(m, c, limit, UINT32_MAX, UINT32_MAX);
}

#endif
