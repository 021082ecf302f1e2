// SPDX-License-Identifier: MIT
// Solids: gaps, sweeps and rays against a plain list of boxes, under random edits.
#include "solids_support.h"

#include <stdlib.h>

// ---- scenes ----

// A box of a size that blocks have, of any size, flat, long, or too large for cells.
static oct_bounds random_home(oct_random *random, double spread)
{
    oct_point at = random_point(random, spread);
    oct_point size = random_between(random, (oct_point){0.1, 0.1, 0.1}, (oct_point){3, 3, 3});
    switch (oct_random_below(random, 8)) {
    case 0:
        size.x = 0.0;
        break;
    case 1:
        size.y = random_in(random, 5.0, 20.0);
        break;
    case 2:
        size = random_between(random, (oct_point){58, 58, 0.3}, (oct_point){64, 64, 0.3});
        at = add_scaled(at, size, -0.5);
        break;
    case 3:
        size = (oct_point){0.0, 0.0, 0.0};
        break;
    default: // on cells
        at = (oct_point){2.5 * floor(at.x / 2.5) - 1.25, 2.5 * floor(at.y / 2.5) - 1.25,
                         2.5 * floor(at.z / 2.5) - 1.25};
        size = (oct_point){2.5 * (double)oct_random_range(random, 1, 3), 2.5, 2.5};
        break;
    }
    return (oct_bounds){at, {at.x + size.x, at.y + size.y, at.z + size.z}};
}

static double between(oct_random *random, double lo, double hi)
{
    return oct_random_below(random, 3) == 0 ? lo : random_in(random, lo, hi);
}

static oct_bounds random_part(oct_random *random, const oct_bounds *home)
{
    oct_bounds part = *home;
    part.min.x = between(random, home->min.x, home->max.x);
    part.max.y = between(random, home->min.y, home->max.y);
    part.max.z = between(random, part.min.z, home->max.z);
    return part;
}

static void random_edit(model *m, double spread)
{
    const uint32_t which = m->count ? (uint32_t)oct_random_below(&m->random, m->count) : 0;
    const bool live = m->count && m->boxes[which].live;
    const uint64_t kind = oct_random_below(&m->random, 10);
    const uint64_t before = oct_solids_revision(m->s);
    if (kind < 2 && live) {
        model_remove(m, which);
    } else if (kind < 4 && live) {
        const oct_bounds part = random_part(&m->random, &m->boxes[which].home);
        model_set(m, which, &part);
    } else if (kind == 4 && live) {
        model_set(m, which, NULL);
    } else if (kind == 5) {
        const uint32_t f = (uint32_t)oct_random_below(&m->random, m->frames);
        model_move(m, f, add_scaled(m->origins[f], random_point(&m->random, 1.0), 1.0));
    } else {
        const uint32_t f = (uint32_t)oct_random_below(&m->random, m->frames);
        model_add(m, f, random_home(&m->random, spread));
    }
    assert_true(oct_solids_revision(m->s) > before);
}

static void scene_free(model *m)
{
    assert_true(oct_solids_is_valid(m->s));
    oct_solids_destroy(m->s);
}

static void random_scene(model *m, uint64_t seed, uint32_t boxes, double spread)
{
    model_init(m, seed, NULL);
    const uint32_t frames = 1 + (uint32_t)oct_random_below(&m->random, 5);
    for (uint32_t i = 0; i < frames; i++) {
        model_add_frame(m, random_point(&m->random, spread),
                        i ? random_axes(&m->random) : straight_axes());
    }
    for (uint32_t i = 0; i < boxes; i++) {
        random_edit(m, spread);
        assert_true(i % 16 != 0 || oct_solids_is_valid(m->s));
    }
}

static capsule random_capsule(oct_random *random, double spread)
{
    capsule c = {.centre = random_point(random, spread),
                 .axis = random_direction(random),
                 .half = 0.4,
                 .radius = 0.5};
    switch (oct_random_below(random, 6)) {
    case 0: // along the straight frame's axes
        c.axis = (oct_point){0, 1, 0};
        break;
    case 1:
        c.half = 0.0;
        break;
    case 2:
        c.half = random_in(random, 0.0, 3.0);
        c.radius = random_in(random, 0.01, 1.0);
        break;
    default:
        break;
    }
    return c;
}

// ---- gaps ----

static void gaps_are_those_of_the_nearest_box(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    uint64_t inside = 0, near = 0, far = 0;
    const uint64_t scenes = test_rounds(100);
    for (uint64_t seed = 1; seed <= scenes; seed++) {
        random_scene(m, seed, 120, 12.0);
        for (int i = 0; i < 200; i++) {
            random_edit(m, 12.0);
            const capsule c = random_capsule(&m->random, 25.0);
            const double limit = random_in(&m->random, -0.6, 12.0);
            const double truth = model_gap(m, &c, limit);
            const double gap = oct_solids_gap(m->s, &c, limit);
            assert_true(gap <= limit);
            assert_true(fabs(gap - truth) < 1e-7);
            inside += truth < 0.0;
            near += truth >= 0.0 && truth < limit;
            far += truth == limit;
            const uint32_t frame = (uint32_t)oct_random_below(&m->random, m->frames);
            assert_true(fabs(oct_solids_gap_to_frame(m->s, frame, &c, limit) -
                             model_gap_among(m, &c, limit, UINT32_MAX, frame)) < 1e-7);
            const uint32_t which = (uint32_t)oct_random_below(&m->random, m->count);
            if (m->boxes[which].live) {
                const double one = oct_solids_gap_to(m->s, which, &c, limit);
                assert_true(
                    fabs(one - (m->boxes[which].has_part ? fmin(limit, model_gap_to(m, which, &c))
                                                         : limit)) < 1e-7);
            }
        }
        scene_free(m);
    }
    assert_true(inside > 10 * scenes && near > 50 * scenes && far > 10 * scenes);
    free(m);
}

// Where the segment is along a face, beside an edge, over a corner, through the box.
static void gaps_of_plain_cases_are_exact(void **state)
{
    (void)state;
    static const struct {
        oct_point centre, axis;
        double gap;
    } cases[] = {
        {{2, 0, 0}, {0, 1, 0}, 0.5},           {{2, 0, 0}, {1, 0, 0}, 0.1},
        {{0, 3, 0}, {0, 0, 1}, 1.5},           {{4, 5, 0}, {0, 0, 1}, 4.5},
        {{4, 5, 0.3}, {0, 0, -1}, 4.5},        {{0, 0, 0}, {0, 1, 0}, -0.5},
        {{1.2, 0, 0}, {1, 0, 0}, -0.5},        {{3, 3, 2}, {0, 1, 0}, 2.0710881},
        {{1.6, 1.6, 0}, {0, 0, 1}, 0.3485281}, {{1, 1, 0}, {0, 0, 1}, -0.5},
    };
    model *const m = malloc(sizeof *m);
    model_init(m, 1, NULL);
    model_add_frame(m, (oct_point){0, 0, 0}, straight_axes());
    model_add(m, 0, box_from(-1, -1, -1, 1, 1, 1));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const capsule c = {cases[i].centre, cases[i].axis, 0.4, 0.5};
        const double truth = model_gap(m, &c, 10.0);
        assert_true(fabs(oct_solids_gap(m->s, &c, 10.0) - truth) < 1e-9);
        if (i != 7) {
            assert_true(fabs(truth - cases[i].gap) < 1e-6);
        }
    }
    oct_solids_destroy(m->s);
    free(m);
}

// ---- near ----

typedef struct seen {
    const model *m;
    uint8_t times[MODEL_MAX];
    uint32_t count, stop_after;
} seen;

static bool note_seen(void *ctx, uint32_t solid)
{
    seen *const s = ctx;
    s->times[solid]++;
    return ++s->count != s->stop_after;
}

static void those_near_are_visited_once(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    seen *const s = malloc(sizeof *s);
    for (uint64_t seed = 1; seed <= test_rounds(100); seed++) {
        random_scene(m, seed + 1000, 150, 12.0);
        for (int i = 0; i < 30; i++) {
            const oct_point at = random_point(&m->random, 25.0);
            const double radius = random_in(&m->random, 0.0, 12.0);
            uint32_t expected = 0;
            memset(s, 0, sizeof *s);
            oct_solids_near(m->s, at, radius, note_seen, s);
            for (uint32_t k = 0; k < m->count; k++) {
                const model_box *const b = &m->boxes[k];
                const double away =
                    b->live ? point_distance(&b->home, model_local(m, b->frame, at)) : HUGE_VAL;
                if (fabs(away - radius) < 1e-9) {
                    continue; // rounding decides
                }
                assert_int_equal(s->times[k], away < radius);
                expected += away < radius;
            }
            assert_int_equal(s->count, expected);
            if (expected > 1) {
                memset(s, 0, sizeof *s);
                s->stop_after = 1 + (uint32_t)oct_random_below(&m->random, expected);
                oct_solids_near(m->s, at, radius, note_seen, s);
                assert_int_equal(s->count, s->stop_after);
            }
        }
        scene_free(m);
    }
    free(s);
    free(m);
}

// A block that fills its cell is found from the next ones, where it is just touched.
static void what_is_just_touched_is_near(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    seen *const s = malloc(sizeof *s);
    model_init(m, 1, NULL);
    model_add_frame(m, (oct_point){0, 0, 0}, straight_axes());
    model_add(m, 0, box_from(-1.25, -1.25, -1.25, 1.25, 1.25, 1.25));
    for (int side = 0; side < 6; side++) {
        const double at = side & 1 ? -2.25 : 2.25;
        memset(s, 0, sizeof *s);
        oct_solids_near(
            m->s,
            (oct_point){side < 2 ? at : 0.0, side / 2 == 1 ? at : 0.0, side / 2 == 2 ? at : 0.0},
            1.0, note_seen, s);
        assert_int_equal(s->count, 1);
    }
    oct_solids_destroy(m->s);
    free(s);
    free(m);
}

// ---- sweeps ----

static capsule moved(const capsule *c, oct_point by, double share)
{
    capsule out = *c;
    out.centre = add_scaled(c->centre, by, share);
    return out;
}

typedef struct frames {
    uint32_t except, only; // UINT32_MAX: none, all
} frames;

static bool sweep(const model *m, const capsule *c, oct_point by, frames f, solid_hit *hit)
{
    return f.only == UINT32_MAX ? oct_solids_sweep(m->s, c, by, f.except, hit)
                                : oct_solids_sweep_to_frame(m->s, f.only, c, by, hit);
}

// The way is free up to the hit, and at the hit it is not free further on.
static bool check_sweep(const model *m, const capsule *c, oct_point by, frames f, solid_hit *hit)
{
    const bool met = sweep(m, c, by, f, hit);
    const double least = fmin(SOLIDS_SKIN, model_gap_among(m, c, 1.0, f.except, f.only)) - 1e-8;
    const int samples = 20 + (int)(length_of(by) * hit->share / 0.15);
    assert_true(hit->share >= 0.0 && hit->share <= 1.0 && met == (hit->solid != UINT32_MAX));
    for (int i = 0; i <= samples; i++) {
        const capsule at = moved(c, by, hit->share * i / samples);
        assert_true(model_gap_among(m, &at, SOLIDS_SKIN, f.except, f.only) >= least);
    }
    if (!met) {
        assert_true(hit->share == 1.0);
        return false;
    }
    const capsule at = moved(c, by, hit->share);
    const double gap = model_gap_to(m, hit->solid, &at);
    const model_box *const b = &m->boxes[hit->solid];
    assert_true(b->live && b->frame != f.except && (f.only == UINT32_MAX || b->frame == f.only));
    assert_true(fabs(gap - hit->gap) < 1e-7);
    assert_true(fabs(gap - SOLIDS_SKIN) < 2e-7 || (hit->share == 0.0 && gap < SOLIDS_SKIN));
    assert_true(fabs(length_of(hit->normal) - 1.0) < 1e-12);
    assert_true(dot_of(hit->normal, by) < 0.0);
    // The normal is the way along which the gap grows fastest.
    const capsule off = moved(&at, hit->normal, 1e-3);
    assert_true(fabs(model_gap_to(m, hit->solid, &off) - gap - 1e-3) < 1e-6);
    return true;
}

// One sweep, and from where it stopped further on and along the surface.
static void random_sweep(model *m, uint64_t *tried, uint64_t *hits)
{
    oct_random *const random = &m->random;
    const capsule c = random_capsule(random, 12.0);
    const double size = oct_random_below(random, 4) ? 4.0 : 40.0;
    oct_point by = random_point(random, size);
    frames f = {UINT32_MAX, UINT32_MAX};
    solid_hit hit, next;
    if (oct_random_below(random, 4) == 0) {
        by = (oct_point){by.x, 0.0, 0.0};
    }
    if (oct_random_below(random, 3) == 0) {
        *(oct_random_below(random, 2) ? &f.except : &f.only) =
            (uint32_t)oct_random_below(random, m->frames);
    }
    if (model_gap(m, &c, 1.0) < 0.0) {
        return;
    }
    *tried += 1;
    if (check_sweep(m, &c, by, f, &hit)) {
        const capsule at = moved(&c, by, hit.share);
        const oct_point along = add_scaled(by, hit.normal, -dot_of(by, hit.normal));
        *hits += 1;
        assert_true(check_sweep(m, &at, by, f, &next) && next.share < 1e-6);
        // What is met there is something else, or nothing: sliding is not held.
        if (check_sweep(m, &at, along, f, &next) && next.share == 0.0) {
            assert_true(dot_of(next.normal, hit.normal) < 1.0 - 1e-12);
        }
    }
}

static void sweeps_end_where_something_is_met(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    uint64_t hits = 0, tried = 0;
    for (uint64_t seed = 1; seed <= test_rounds(80); seed++) {
        random_scene(m, seed + 2000, 250, 9.0);
        for (int i = 0; i < 60; i++) {
            random_edit(m, 12.0);
            random_sweep(m, &tried, &hits);
        }
        scene_free(m);
    }
    assert_true(hits > tried / 8);
    free(m);
}

// Who is in a solid goes nowhere, who touches one leaves it, and who slides along is not held.
static void sweeps_of_plain_cases(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    solid_hit hit;
    model_init(m, 1, NULL);
    model_add_frame(m, (oct_point){0, 0, 0}, straight_axes());
    model_add(m, 0, box_from(-1000, -1, -1000, 1000, 0, 1000));
    model_add(m, 0, box_from(5, 0, -1.25, 7.5, 2.5, 1.25));
    model_add(m, 0, box_from(5, 0, 1.25, 7.5, 2.5, 3.75));
    model_add(m, 0, box_from(5, 0, -3.75, 7.5, 2.5, -1.25));
    capsule c = {{0, 0.9 + SOLIDS_SKIN, 0}, {0, 1, 0}, 0.4, 0.5};
    assert_false(oct_solids_sweep(m->s, &c, (oct_point){-900, 0, 0}, UINT32_MAX, &hit));
    assert_true(oct_solids_sweep(m->s, &c, (oct_point){10, 0, 0}, UINT32_MAX, &hit));
    assert_int_equal(hit.solid, 1);
    assert_true(fabs(hit.share - (4.5 - SOLIDS_SKIN) / 10.0) < 1e-8);
    assert_true(hit.normal.x < -0.999999);
    // In front of two: the lower number counts, wherever it is.
    for (double z = -1.25; z < 2.0; z += 2.5) {
        c.centre.z = z;
        assert_true(oct_solids_sweep(m->s, &c, (oct_point){10, 0, 0}, UINT32_MAX, &hit));
        assert_int_equal(hit.solid, 1);
    }
    assert_true(oct_solids_sweep(m->s, &c, (oct_point){0, -1e9, 0}, UINT32_MAX, &hit));
    assert_int_equal(hit.solid, 0);
    assert_false(oct_solids_sweep(m->s, &c, (oct_point){0, 1e9, 0}, UINT32_MAX, &hit));
    assert_false(oct_solids_sweep(m->s, &c, (oct_point){0, 0, 0}, UINT32_MAX, &hit));
    assert_false(oct_solids_sweep(m->s, &c, (oct_point){10, -10, 0}, 0, &hit));
    // Nearer than the skin, and in it.
    c.centre = (oct_point){0, 0.9, 0};
    assert_true(oct_solids_sweep(m->s, &c, (oct_point){1, -1e-12, 0}, UINT32_MAX, &hit));
    assert_true(hit.share == 0.0 && fabs(hit.gap) < 1e-12);
    assert_false(oct_solids_sweep(m->s, &c, (oct_point){1, 0, 0}, UINT32_MAX, &hit));
    c.centre.y = 0.0;
    assert_true(oct_solids_sweep(m->s, &c, (oct_point){1, 1, 0}, UINT32_MAX, &hit));
    assert_true(hit.share == 0.0 && hit.gap < 0.0 && fabs(length_of(hit.normal) - 1.0) < 1e-12);
    oct_solids_destroy(m->s);
    free(m);
}

// ---- rays ----

static uint32_t box_at(const model *m, oct_point p, uint32_t except)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const model_box *const b = &m->boxes[i];
        const oct_point at = model_local(m, b->frame, p);
        if (b->live && b->has_part && i != except && at.x > b->part.min.x + 1e-9 &&
            at.x < b->part.max.x - 1e-9 && at.y > b->part.min.y + 1e-9 &&
            at.y < b->part.max.y - 1e-9 && at.z > b->part.min.z + 1e-9 &&
            at.z < b->part.max.z - 1e-9) {
            return i;
        }
    }
    return UINT32_MAX;
}

static void rays_end_at_the_first_face(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    uint64_t hits = 0, tried = 0;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        random_scene(m, seed + 3000, 250, 10.0);
        for (int i = 0; i < 60; i++) {
            const oct_point from = random_point(&m->random, 12.0);
            const oct_point by = random_point(&m->random, oct_random_below(&m->random, 2) ? 30 : 3);
            const oct_point to = add_scaled(from, by, 1.0);
            const uint32_t except = oct_random_below(&m->random, 2)
                                        ? UINT32_MAX
                                        : (uint32_t)oct_random_below(&m->random, m->count);
            solid_hit hit;
            if (box_at(m, from, UINT32_MAX) != UINT32_MAX) {
                continue;
            }
            tried++;
            const bool met = oct_solids_ray(m->s, from, to, except, &hit);
            for (int k = 0; k < 100; k++) {
                const oct_point at = add_scaled(from, by, hit.share * k / 100.0);
                assert_int_equal(box_at(m, at, except), UINT32_MAX);
            }
            if (met) {
                const oct_point at = add_scaled(from, by, hit.share);
                const model_box *const b = &m->boxes[hit.solid];
                hits++;
                assert_true(hit.solid != except && b->live && b->has_part);
                assert_true(point_distance(&b->part, model_local(m, b->frame, at)) < 1e-9);
                assert_true(dot_of(hit.normal, by) < 0.0);
                const oct_point off = add_scaled(at, hit.normal, 1e-3);
                assert_true(fabs(point_distance(&b->part, model_local(m, b->frame, off)) - 1e-3) <
                            1e-9);
            }
        }
        scene_free(m);
    }
    assert_true(hits > tried / 10);
    free(m);
}

static void rays_of_plain_cases(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    solid_hit hit;
    model_init(m, 1, NULL);
    model_add_frame(m, (oct_point){0, 0, 0}, straight_axes());
    model_add(m, 0, box_from(-1, -1, -1, 1, 1, 1));
    model_add(m, 0, box_from(-1, 1, -1, 1, 2, 1));
    // On the common face: the lower number; along a face; past it; from inside; too short.
    assert_true(
        oct_solids_ray(m->s, (oct_point){3, 1, 0}, (oct_point){-3, 1, 0}, UINT32_MAX, &hit));
    assert_true(hit.solid == 0 && fabs(hit.share - 2.0 / 6.0) < 1e-15 && hit.normal.x == 1.0);
    assert_true(oct_solids_ray(m->s, (oct_point){3, 1, 0}, (oct_point){-3, 1, 0}, 0, &hit));
    assert_true(hit.solid == 1);
    assert_true(
        oct_solids_ray(m->s, (oct_point){3, 0, 1}, (oct_point){-3, 0, 1}, UINT32_MAX, &hit));
    assert_false(
        oct_solids_ray(m->s, (oct_point){3, 0, 1.01}, (oct_point){-3, 0, 1.01}, UINT32_MAX, &hit));
    assert_false(
        oct_solids_ray(m->s, (oct_point){0, 0, 0}, (oct_point){3, 0, 0}, UINT32_MAX, &hit));
    assert_false(
        oct_solids_ray(m->s, (oct_point){3, 0, 0}, (oct_point){1.01, 0, 0}, UINT32_MAX, &hit));
    assert_true(oct_solids_ray(m->s, (oct_point){3, 0, 0}, (oct_point){1, 0, 0}, UINT32_MAX, &hit));
    assert_true(hit.share == 1.0 && hit.solid == 0);
    assert_false(
        oct_solids_ray(m->s, (oct_point){3, 0, 0}, (oct_point){3, 0, 0}, UINT32_MAX, &hit));
    oct_solids_destroy(m->s);
    free(m);
}

// ---- bounds over time ----

// A gap that was known, less what the drift says, is never more than the gap is now.
static void drift_bounds_what_comes_nearer(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    uint64_t kept = 0;
    for (uint64_t seed = 1; seed <= test_rounds(100); seed++) {
        random_scene(m, seed + 4000, 60, 8.0);
        for (int i = 0; i < 40; i++) {
            const capsule c = random_capsule(&m->random, 15.0);
            uint64_t epoch, now;
            const double before = oct_solids_drift(m->s, &epoch);
            const double gap = oct_solids_gap(m->s, &c, 10.0);
            random_edit(m, 8.0);
            random_edit(m, 8.0);
            const double drift = oct_solids_drift(m->s, &now) - before;
            if (now == epoch) {
                kept += drift > 0.0;
                assert_true(oct_solids_gap(m->s, &c, 10.0) >= gap - drift - 1e-9);
            }
        }
        scene_free(m);
    }
    assert_true(kept > test_rounds(100));
    free(m);
}

// Exactly as far as a face comes nearer, however it moves; not where it goes away.
static void drift_is_how_far_faces_come(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    uint64_t epoch, now;
    model_init(m, 1, NULL);
    model_add_frame(m, (oct_point){0, 0, 0}, straight_axes());
    const uint32_t door = model_add(m, 0, box_from(0, 0, 0, 4, 4, 4));
    const oct_bounds parts[] = {box_from(0, 0, 0, 1, 4, 4), box_from(0, 0, 0, 3, 4, 4),
                                box_from(2, 1, 0, 3, 4, 4), box_from(1, 1, 0, 4, 4, 4),
                                box_from(1, 0, 0, 4, 3, 4)};
    static const double nearer[] = {0, 2, 0, 1, 1};
    double drift = oct_solids_drift(m->s, &epoch);
    for (int i = 0; i < 5; i++) {
        model_set(m, door, &parts[i]);
        const double further = oct_solids_drift(m->s, &now);
        assert_int_equal(now, epoch);
        assert_true(fabs(further - drift - nearer[i]) < 1e-12);
        drift = further;
    }
    model_move(m, 0, (oct_point){3, 4, 0});
    assert_true(fabs(oct_solids_drift(m->s, &now) - drift - 5.0) < 1e-12 && now == epoch);
    model_set(m, door, NULL);
    assert_true(fabs(oct_solids_drift(m->s, &now) - drift - 5.0) < 1e-12 && now == epoch);
    model_set(m, door, &parts[0]);
    oct_solids_drift(m->s, &now);
    assert_true(now != epoch);
    epoch = now;
    model_move(m, 0, (oct_point){3e7, 4, 0}); // too far to count
    oct_solids_drift(m->s, &now);
    assert_true(now != epoch);
    oct_solids_destroy(m->s);
    free(m);
}

// ---- life ----

static oct_result build(const oct_allocator *allocator, void *ctx)
{
    oct_random random = oct_random_seed(7);
    const motion_frame axes = random_axes(&random);
    solids *s;
    uint32_t frame, solid, added = 0;
    (void)ctx;
    OCT_TRY(oct_solids_create(allocator, &s));
    oct_result result = oct_solids_add_frame(s, (oct_point){1, 2, 3}, &axes, &frame);
    const capsule c = {{1, 2, 3}, {0, 1, 0}, 0.4, 0.5};
    while (result == OCT_OK && added < 300) {
        const uint64_t revision = oct_solids_revision(s);
        const double gap = oct_solids_gap(s, &c, 50.0);
        result = oct_solids_add(s, frame, random_home(&random, 30.0), &solid);
        if (result == OCT_OK) {
            assert_int_equal(solid, added);
        } else {
            // As it was.
            assert_int_equal(oct_solids_revision(s), revision);
            assert_true(oct_solids_is_valid(s));
            assert_true(oct_solids_gap(s, &c, 50.0) == gap);
        }
        added++;
    }
    oct_solids_destroy(s);
    return result;
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_each_failure(build, NULL) > 10);
}

static void questions_and_small_edits_allocate_nothing(void **state)
{
    (void)state;
    model *const m = malloc(sizeof *m);
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    model_init(m, 5, &memory.allocator);
    model_add_frame(m, (oct_point){0, 0, 0}, straight_axes());
    for (int i = 0; i < 200; i++) {
        model_add(m, 0, random_home(&m->random, 8.0));
    }
    const size_t before = memory.allocations;
    for (int i = 0; i < 500; i++) {
        const capsule c = random_capsule(&m->random, 15.0);
        const uint32_t which = (uint32_t)oct_random_below(&m->random, m->count);
        solid_hit hit;
        oct_solids_gap(m->s, &c, 5.0);
        oct_solids_sweep(m->s, &c, random_point(&m->random, 5.0), UINT32_MAX, &hit);
        oct_solids_ray(m->s, c.centre, random_point(&m->random, 15.0), UINT32_MAX, &hit);
        const oct_bounds home = m->boxes[which].home;
        model_remove(m, which);
        assert_int_equal(model_add(m, 0, home), which);
    }
    assert_int_equal(memory.allocations, before);
    oct_solids_destroy(m->s);
    test_allocator_check_empty(&memory);
    free(m);
}

static void what_is_no_box_is_refused(void **state)
{
    (void)state;
    solids *s;
    uint32_t frame, solid;
    const motion_frame axes = straight_axes();
    assert_int_equal(oct_solids_create(NULL, &s), OCT_OK);
    assert_int_equal(oct_solids_add_frame(s, (oct_point){(double)NAN, 0, 0}, &axes, &frame),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_solids_add_frame(s, (oct_point){0, 0, 0}, &axes, &frame), OCT_OK);
    assert_int_equal(oct_solids_add(s, 1, box_from(0, 0, 0, 1, 1, 1), &solid), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_solids_add(s, 0, box_from(0, 0, 0, -1, 1, 1), &solid), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_solids_add(s, 0, box_from(0, 0, 0, HUGE_VAL, 1, 1), &solid),
                     OCT_ERROR_ARGUMENT);
    // Very far and very large ones are found as any other.
    const capsule c = {{1e12, 0.9, 0}, {0, 1, 0}, 0.4, 0.5};
    assert_int_equal(oct_solids_add(s, 0, box_from(1e12 - 1, -2, -1, 1e12 + 1, -1, 1), &solid),
                     OCT_OK);
    assert_true(fabs(oct_solids_gap(s, &c, 5.0) - 1.0) < 1e-9);
    assert_int_equal(oct_solids_add(s, 0, box_from(-1e15, -1, -1e15, 1e15, -0.5, 1e15), &solid),
                     OCT_OK);
    assert_true(fabs(oct_solids_gap(s, &c, 5.0) - 0.5) < 1e-9);
    // A part that reaches beyond its home is cut; one that has nothing of it is none.
    const oct_bounds beyond = box_from(-1e16, -1, -1e15, 1e15, 5, 1e15);
    const oct_bounds outside = box_from(0, 5, 0, 1, 6, 1);
    oct_bounds part;
    oct_solids_set(s, solid, &beyond);
    assert_true(oct_solids_part(s, solid, &part) && part.max.y == -0.5 && part.min.x == -1e15);
    oct_solids_set(s, solid, &outside);
    assert_false(oct_solids_part(s, solid, &part));
    oct_solids_destroy(s);
    oct_solids_destroy(NULL);
}

// As many blocks as worlds have: a slab of them, every one found.
static void a_hundred_thousand_blocks(void **state)
{
    (void)state;
    solids *s;
    uint32_t frame, solid;
    oct_random random = oct_random_seed(3);
    const motion_frame axes = random_axes(&random);
    const uint64_t edge = test_rounds(320);
    assert_int_equal(oct_solids_create(NULL, &s), OCT_OK);
    assert_int_equal(oct_solids_add_frame(s, (oct_point){7, 8, 9}, &axes, &frame), OCT_OK);
    for (uint64_t i = 0; i < edge * edge; i++) {
        const double x = 2.5 * (double)(i % edge), z = 2.5 * (double)(i / edge);
        assert_int_equal(
            oct_solids_add(s, 0, box_from(x - 1.25, -1.25, z - 1.25, x + 1.25, 1.25, z + 1.25),
                           &solid),
            OCT_OK);
        assert_int_equal(solid, i);
    }
    for (uint64_t i = 0; i < 20000; i++) {
        const uint64_t which = oct_random_below(&random, edge * edge);
        const oct_point over = {2.5 * (double)(which % edge), 5.0, 2.5 * (double)(which / edge)};
        const oct_point at = oct_solids_to_world(s, 0, over);
        const oct_point back = oct_solids_to_local(s, 0, at);
        const capsule c = {at, axes.up, 0.4, 0.5};
        solid_hit hit;
        assert_true(length_of(add_scaled(back, over, -1.0)) < 1e-9);
        assert_true(fabs(oct_solids_gap(s, &c, 20.0) - 2.85) < 1e-9);
        assert_true(oct_solids_sweep(s, &c, add_scaled((oct_point){0, 0, 0}, axes.up, -10.0),
                                     UINT32_MAX, &hit));
        assert_int_equal(hit.solid, which);
        assert_int_equal(oct_solids_frame_of(s, hit.solid), 0);
    }
    oct_solids_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_those_of_the_nearest_box),
        cmocka_unit_test(gaps_of_plain_cases_are_exact),
        cmocka_unit_test(those_near_are_visited_once),
        cmocka_unit_test(what_is_just_touched_is_near),
        cmocka_unit_test(sweeps_end_where_something_is_met),
        cmocka_unit_test(sweeps_of_plain_cases),
        cmocka_unit_test(rays_end_at_the_first_face),
        cmocka_unit_test(rays_of_plain_cases),
        cmocka_unit_test(drift_bounds_what_comes_nearer),
        cmocka_unit_test(drift_is_how_far_faces_come),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(questions_and_small_edits_allocate_nothing),
        cmocka_unit_test(what_is_no_box_is_refused),
        cmocka_unit_test(a_hundred_thousand_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
