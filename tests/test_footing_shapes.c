// SPDX-License-Identifier: MIT
// Standing on turned boxes, hulls and triangles: ramps by hand, and random heaps of turned boxes
// against a plain program that only asks where upright lines pass through them.
#include "support.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"
#include "octant/footing.h"

#include <math.h>
#include <stdlib.h>

#define BOXES_MAX 6
#define CELL 0.3
#define DEGREE 0.017453292519943295
#define BARELY 0.03 // metres: what is nearer than this to a limit is not judged

typedef enum how { AS_BOX, AS_HULL, AS_TRIANGLES, WAYS, UPRIGHT } how;

// A box that is turned about the vertical (z is up), and then tilted about its own x.
typedef struct turned_box {
    oct_point centre, half;
    double turn[4];
    oct_point axes[3];
} turned_box;

typedef struct heap {
    oct_map *map;
    oct_footing *footing;
    oct_walker walker;
    turned_box boxes[BOXES_MAX];
    int count;
    oct_random random;
} heap;

static turned_box make_box(oct_point centre, oct_point half, double yaw, double tilt)
{
    double sy, cy, st, ct;
    oct_sin_cos(yaw, &sy, &cy);
    oct_sin_cos(tilt, &st, &ct);
    turned_box b = {.centre = centre, .half = half};
    b.axes[0] = (oct_point){cy, sy, 0};
    b.axes[1] = (oct_point){-sy * ct, cy * ct, st};
    b.axes[2] = (oct_point){sy * st, -cy * st, ct};
    oct_sin_cos(yaw / 2.0, &sy, &cy);
    oct_sin_cos(tilt / 2.0, &st, &ct);
    b.turn[0] = cy * st;
    b.turn[1] = sy * st;
    b.turn[2] = sy * ct;
    b.turn[3] = cy * ct;
    return b;
}

static oct_point corner_of(const turned_box *b, int i)
{
    oct_point p = b->centre;
    p = point_add(p, point_scale(b->axes[0], i & 1 ? b->half.x : -b->half.x));
    p = point_add(p, point_scale(b->axes[1], i & 2 ? b->half.y : -b->half.y));
    return point_add(p, point_scale(b->axes[2], i & 4 ? b->half.z : -b->half.z));
}

static void put_box(heap *h, const turned_box *b, how way)
{
    static const uint32_t sides[36] = {0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 3, 7, 2, 7, 6, 0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6};
    oct_point corners[8];
    oct_piece piece = {.kind = way == AS_BOX    ? OCT_PIECE_OBB
                               : way == AS_HULL ? OCT_PIECE_HULL
                                                : OCT_PIECE_TRIANGLES,
                       .centre = b->centre,
                       .half = b->half,
                       .turn = {b->turn[0], b->turn[1], b->turn[2], b->turn[3]},
                       .points = corners,
                       .point_count = 8,
                       .triangles = sides,
                       .triangle_count = 12};
    for (int i = 0; i < 8; i++) {
        const oct_point p = corners[i] = corner_of(b, i);
        piece.box.min = i == 0 ? p
                               : (oct_point){fmin(p.x, piece.box.min.x), fmin(p.y, piece.box.min.y),
                                             fmin(p.z, piece.box.min.z)};
        piece.box.max = i == 0 ? p
                               : (oct_point){fmax(p.x, piece.box.max.x), fmax(p.y, piece.box.max.y),
                                             fmax(p.z, piece.box.max.z)};
    }
    const oct_shape shape = {&piece, 1};
    const oct_thing thing = {.id = (uint64_t)h->count + 10,
                             .box = piece.box,
                             .label = OCT_BLOCKED,
                             .opaque = true,
                             .shape = way == UPRIGHT ? NULL : &shape};
    assert_int_equal(oct_map_put(h->map, &thing), OCT_OK);
    h->boxes[h->count++] = *b;
}

static void begin_heap(heap *h, double step, double slope)
{
    *h = (heap){.random = h->random};
    oct_map_def def = oct_map_def_default();
    def.cell_size = CELL;
    assert_int_equal(oct_map_create(&def, &h->map), OCT_OK);
    const oct_box air = {{-40, -40, -20}, {40, 40, 40}};
    assert_int_equal(oct_map_set_box(h->map, air, OCT_MARK_OPEN), OCT_OK);
    h->walker = oct_footing_def_default().walker;
    h->walker.step = step;
    h->walker.slope = slope;
}

static void end_heap(heap *h)
{
    oct_footing_def def = oct_footing_def_default();
    def.map = h->map;
    def.walker = h->walker;
    assert_int_equal(oct_footing_create(&def, &h->footing), OCT_OK);
}

static void free_heap(heap *h)
{
    oct_footing_destroy(h->footing);
    oct_map_destroy(h->map);
}

// ---- ramps by hand ----

// From a floor, up a ramp of 30 degrees that begins at a height, to a landing: whether one gets
// there, and back.
static bool climbs(double step, double slope, double curb, how way)
{
    heap h = {.count = 0};
    begin_heap(&h, step, slope);
    const turned_box ground = make_box((oct_point){0, 0, -0.5}, (oct_point){6, 6, 0.5}, 0, 0);
    put_box(&h, &ground, UPRIGHT);
    // Its upper side begins at y = 0 and rises by 1.5 m over 2.6 m.
    const double low = curb, s = 0.5, c = 0.86602540378443865;
    const oct_point top = {0, 1.5 * c, low + 1.5 * s};
    const turned_box ramp = make_box((oct_point){0, top.y + 1.0 * s, top.z - 1.0 * c},
                                     (oct_point){1.5, 1.5, 1.0}, 0, 30.0 * DEGREE);
    put_box(&h, &ramp, way);
    const turned_box landing = make_box((oct_point){0, 3.0 * c + 1.5, (low + 1.5) / 2.0},
                                        (oct_point){1.5, 1.5, (low + 1.5) / 2.0}, 0, 0);
    put_box(&h, &landing, slope > 0.0 ? way : UPRIGHT);
    end_heap(&h);
    oct_foothold from, to;
    bool found;
    double length;
    assert_int_equal(oct_footing_find(h.footing, (oct_point){0.1, -1.5, 0}, 0, 0, &from, &found),
                     OCT_OK);
    assert_true(found);
    assert_int_equal(
        oct_footing_find(h.footing, (oct_point){0.1, 4.0, low + 1.5}, 1e-6, 1e-6, &to, &found),
        OCT_OK);
    assert_true(found);
    assert_int_equal(oct_footing_flood(h.footing, &from), OCT_OK);
    const bool is_up = oct_footing_reaches(h.footing, &to, &length);
    if (is_up) {
        const oct_footing_leg *legs;
        size_t count;
        assert_int_equal(oct_footing_way(h.footing, &to, &legs, &count, &length), OCT_OK);
        assert_true(length > 5.5 && length < 8.0);
    }
    assert_int_equal(oct_footing_flood(h.footing, &to), OCT_OK);
    assert_int_equal(oct_footing_reaches(h.footing, &from, &length), is_up);
    free_heap(&h);
    return is_up;
}

static void ramps_are_walked_as_slope_and_step_allow(void **state)
{
    (void)state;
    for (how way = AS_BOX; way < WAYS; way++) {
        assert_true(climbs(0.2, 31.0, 0.0, way));
        assert_false(climbs(0.2, 29.0, 0.0, way));
        assert_false(climbs(0.2, 0.0, 0.0, way));
        assert_true(climbs(0.2, 31.0, 0.18, way));
        assert_false(climbs(0.2, 31.0, 0.25, way));
        assert_false(climbs(0.05, 31.0, 0.1, way));
    }
}

// ---- the plain program ----

// Where an upright line passes through a box; false where it does not.
static bool passes(const turned_box *b, double x, double y, double *lo, double *hi)
{
    const double half[3] = {b->half.x, b->half.y, b->half.z};
    const oct_point from = {x - b->centre.x, y - b->centre.y, -b->centre.z};
    *lo = -HUGE_VAL;
    *hi = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const double at = point_dot(from, b->axes[i]), by = b->axes[i].z;
        if (fabs(by) < 1e-12) {
            if (fabs(at) > half[i]) {
                return false;
            }
            continue;
        }
        const double p = (-half[i] - at) / by, q = (half[i] - at) / by;
        *lo = fmax(*lo, fmin(p, q));
        *hi = fmin(*hi, fmax(p, q));
    }
    return *lo <= *hi;
}

typedef struct surface_point {
    double lo, hi, gx, gy;
    bool is_smooth; // the same side is around
} surface_point;

static bool look(const turned_box *b, double x, double y, surface_point *out)
{
    const double d = 1e-5;
    double lo, east, west, north, south;
    if (!passes(b, x, y, &out->lo, &out->hi)) {
        return false;
    }
    out->is_smooth = passes(b, x + d, y, &lo, &east) && passes(b, x - d, y, &lo, &west) &&
                     passes(b, x, y + d, &lo, &north) && passes(b, x, y - d, &lo, &south) &&
                     fabs(east + west - 2.0 * out->hi) < 1e-9 &&
                     fabs(north + south - 2.0 * out->hi) < 1e-9;
    if (out->is_smooth) {
        out->gx = (east - west) / (2.0 * d);
        out->gy = (north - south) / (2.0 * d);
    }
    return true;
}

// Whether a side of a box is a slope that one walks on to from a place: its plane is not above the
// feet, and what of its edges is within a radius is no higher than a step.
static bool plain_slope(const heap *h, const turned_box *b, oct_point feet, double allowed,
                        double step, double radius)
{
    const double half[3] = {b->half.x, b->half.y, b->half.z};
    for (int side = 0; side < 6; side++) {
        const int i = side / 2, j = (i + 1) % 3, k = (i + 2) % 3;
        const oct_point n = point_scale(b->axes[i], side % 2 ? -1.0 : 1.0);
        const oct_point c = point_add(b->centre, point_scale(n, half[i]));
        const double top = c.z - (n.x * (feet.x - c.x) + n.y * (feet.y - c.y)) / n.z;
        bool is = n.z >= cos(h->walker.slope * DEGREE) && top <= feet.z + allowed;
        for (int t = 0; t < 4 * 200 && is; t++) {
            const double along = (t % 200) / 99.5 - 1.0, across = t / 200 % 2 ? -1.0 : 1.0;
            const double u = t < 400 ? along : across, v = t < 400 ? across : along;
            const oct_point p = point_add(point_add(c, point_scale(b->axes[j], u * half[j])),
                                          point_scale(b->axes[k], v * half[k]));
            is = hypot(p.x - feet.x, p.y - feet.y) >= radius || p.z <= feet.z + step;
        }
        if (is) {
            return true;
        }
    }
    return false;
}

// Whether a body stands there by what upright lines meet within a radius; limits are moved by a
// margin against it.
static bool plain_stands(const heap *h, double x, double y, const surface_point *on, int own,
                         double radius, double margin)
{
    const double most_slope = h->walker.slope * DEGREE;
    const double slope = atan(sqrt(on->gx * on->gx + on->gy * on->gy));
    const double step = h->walker.step * (1.0 - cos(most_slope - slope)) / (1.0 - cos(most_slope));
    double rise = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < h->count; i++) {
            surface_point here;
            const bool is_under = look(&h->boxes[i], x, y, &here);
            const double allowed = (is_under ? 0.0 : step) - margin;
            double most = -HUGE_VAL, top = -HUGE_VAL, low = HUGE_VAL;
            for (int n = 0; n <= 24 * 48; n++) {
                const double r = radius * (n / 48) / 24.0, t = (n % 48) * 7.5 * DEGREE;
                const double u = r * cos(t), v = r * sin(t);
                double lo, hi;
                if (passes(&h->boxes[i], x + u, y + v, &lo, &hi)) {
                    most = fmax(most, hi - on->hi - on->gx * u - on->gy * v);
                    top = fmax(top, hi);
                    low = fmin(low, lo);
                }
            }
            const bool is_over = i == own ? most > BARELY : most > allowed;
            const bool is_slope = plain_slope(h, &h->boxes[i], (oct_point){x, y, on->hi}, allowed,
                                              step - margin, radius);
            if (pass == 0 && (!is_over || is_slope)) {
                rise = fmax(rise, top - on->hi);
            } else if (pass == 1 && is_over && !is_slope &&
                       low < on->hi + rise + h->walker.height + margin) {
                return false;
            }
        }
    }
    return true;
}

// Nobody stands where upright lines say by a margin that one does not; and wherever a body stands
// by one that is wider by a quarter. Lines are a few centimetres apart.
static void judge_column(heap *h, double x, double y, size_t counts[2])
{
    const double radius = h->walker.radius + h->walker.margin;
    for (int i = 0; i < h->count; i++) {
        surface_point on;
        if (!look(&h->boxes[i], x, y, &on) || !on.is_smooth) {
            continue;
        }
        oct_foothold hold;
        bool found;
        assert_int_equal(
            oct_footing_find(h->footing, (oct_point){x, y, on.hi}, 1e-5, 1e-5, &hold, &found),
            OCT_OK);
        const double slope = atan(sqrt(on.gx * on.gx + on.gy * on.gy)) / DEGREE;
        if (slope > h->walker.slope + 0.1) {
            assert_false(found);
            counts[0]++;
        } else if (slope < h->walker.slope - 0.1) {
            if (found && !plain_stands(h, x, y, &on, i, 0.97 * radius, -BARELY)) {
                fail_msg("stands at %.3f %.3f %.3f", x, y, on.hi);
            }
            if (!found && plain_stands(h, x, y, &on, i, 1.25 * radius, BARELY)) {
                fail_msg("does not stand at %.3f %.3f %.3f", x, y, on.hi);
            }
            counts[found]++;
        }
    }
}

static double between(heap *h, double lo, double hi)
{
    return lo + (hi - lo) * oct_random_unit(&h->random);
}

static void make_heap(uint64_t seed, how way, heap *h)
{
    h->random = oct_random_seed(seed);
    begin_heap(h, 0.05 + 0.3 * oct_random_unit(&h->random), 0.0);
    h->walker.slope = between(h, 15.0, 50.0);
    const turned_box ground = make_box((oct_point){0, 0, -0.5}, (oct_point){3, 3, 0.5}, 0, 0);
    put_box(h, &ground, seed % 3 ? UPRIGHT : AS_BOX);
    for (int n = 0; n < 3; n++) {
        const bool is_level = oct_random_below(&h->random, 4) == 0;
        const double tilt = is_level ? 0.0 : between(h, -55.0, 55.0) * DEGREE;
        const turned_box b =
            make_box((oct_point){between(h, -2, 2), between(h, -2, 2), between(h, -0.8, 0.6)},
                     (oct_point){between(h, 0.3, 1.5), between(h, 0.3, 1.5), between(h, 0.05, 0.8)},
                     between(h, 0, 6.28), tilt);
        put_box(h, &b, way);
    }
    end_heap(h);
}

static void places_are_those_of_upright_lines(void **state)
{
    (void)state;
    size_t counts[2] = {0, 0};
    const uint64_t rounds = getenv("OCTANT_SOAK") ? 1000 : test_rounds(16);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        heap h = {.count = 0};
        make_heap(seed, seed % 2 ? AS_BOX : AS_HULL, &h);
        for (int i = -8; i < 8; i += 2) {
            for (int j = -8; j < 8; j += 2) {
                judge_column(&h, (i + 0.5) * CELL, (j + 0.5) * CELL, counts);
            }
        }
        free_heap(&h);
    }
    assert_true(counts[0] > 50 && counts[1] > 50);
}

// ---- memory ----

static oct_result flood_heap(const oct_allocator *allocator, void *ctx)
{
    heap *const h = ctx;
    oct_footing_def def = oct_footing_def_default();
    def.map = h->map;
    def.walker = h->walker;
    def.allocator = allocator;
    oct_footing *f;
    OCT_TRY(oct_footing_create(&def, &f));
    oct_foothold hold;
    bool found;
    oct_result result = oct_footing_find(f, (oct_point){2.8, 2.8, 0}, 0.1, 0.1, &hold, &found);
    if (result == OCT_OK && found) {
        result = oct_footing_flood(f, &hold);
    }
    oct_footing_destroy(f);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    heap h = {.count = 0};
    make_heap(5, AS_TRIANGLES, &h);
    assert_true(test_each_failure(flood_heap, &h) > 5);
    free_heap(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ramps_are_walked_as_slope_and_step_allow),
        cmocka_unit_test(places_are_those_of_upright_lines),
        cmocka_unit_test(memory_that_is_short_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
