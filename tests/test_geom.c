// SPDX-License-Identifier: MIT
// Morton order by brute force, cells of places by libm, triangle-box overlap against exact
// clipping, sine, cosine and angles against long double.
#include "support.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Morton order ----

static uint32_t edge_of(int dims)
{
    return 1u << brick_level(dims);
}

static void spreading_bits_with_and_without_bmi2_is_equal(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        for (uint32_t v = 0; v < edge_of(dims); v++) {
            assert_int_equal(morton_spread(dims, v), morton_spread_plain(dims, v));
        }
        for (uint32_t i = 0; i < 64; i++) {
            assert_int_equal(morton_gather(dims, i), morton_gather_plain(dims, i));
        }
    }
}

// The index of a cell bit by bit, x lowest.
static uint32_t index_by_bits(int dims, const uint32_t at[3])
{
    uint32_t index = 0;
    for (int bit = 0; bit < brick_level(dims); bit++) {
        for (int axis = 0; axis < dims; axis++) {
            index |= (at[axis] >> bit & 1u) << (bit * dims + axis);
        }
    }
    return index;
}

static void every_cell_of_a_brick_has_its_own_index_and_finds_back(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        const uint32_t edge = edge_of(dims);
        uint64_t seen = 0;
        for (uint32_t cell = 0; cell < 64; cell++) {
            const uint32_t at[3] = {cell % edge, cell / edge % edge, cell / edge / edge};
            const uint32_t index = morton_index(dims, at[0], at[1], at[2]);
            assert_int_equal(index, index_by_bits(dims, at));
            for (int axis = 0; axis < dims; axis++) {
                assert_int_equal(morton_gather(dims, index >> axis), at[axis]);
                assert_int_equal(morton_cell(dims, index) >> (8 * axis) & 0xffu, at[axis]);
            }
            seen |= UINT64_C(1) << index;
        }
        assert_true(seen == UINT64_MAX);
    }
}

static void coordinates_beyond_the_brick_count_by_their_low_bits(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        const uint32_t edge = edge_of(dims);
        for (uint32_t cell = 0; cell < 64; cell++) {
            const uint32_t x = cell % edge, y = cell / edge % edge, z = cell / edge / edge;
            assert_int_equal(morton_index(dims, x - edge, y + 7 * edge, z - 3 * edge),
                             morton_index(dims, x, y, z));
        }
    }
}

static void a_slab_holds_just_the_cells_between_its_ends(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        for (int axis = 0; axis < dims; axis++) {
            for (uint32_t hi = 0; hi < edge_of(dims); hi++) {
                for (uint32_t lo = 0; lo <= hi; lo++) {
                    uint64_t expected = 0;
                    for (uint32_t index = 0; index < 64; index++) {
                        const uint32_t at = morton_gather_plain(dims, index >> axis);
                        expected |= (uint64_t)(at >= lo && at <= hi) << index;
                    }
                    assert_true(morton_slab(dims, axis, lo, hi) == expected);
                }
            }
        }
    }
}

// ---- places on an axis ----

static void check_place(double at)
{
    const double range = OCT_RANGE, floor_at = floor(at), ceiling_at = ceil(at);
    assert_int_equal(axis_has_floor(at), floor_at >= -range && floor_at <= range);
    assert_int_equal(axis_has_ceiling(at), ceiling_at >= -range && ceiling_at <= range);
    if (axis_has_floor(at)) {
        assert_int_equal(axis_floor(at), (int32_t)floor_at);
    }
    if (axis_has_ceiling(at)) {
        assert_int_equal(axis_ceiling(at), (int32_t)ceiling_at);
    }
}

static void places_have_the_floor_and_the_ceiling_of_libm(void **state)
{
    (void)state;
    const double range = OCT_RANGE;
    oct_random random = oct_random_seed(7);
    for (int i = 0; i < 100000; i++) {
        check_place(2.2 * range * (oct_random_unit(&random) - 0.5));
        check_place(100.0 * (oct_random_unit(&random) - 0.5));
    }
    const double places[] = {
        0.0,   -0.0,        0.5,         1.0,         -1.0,  1e-300,           range - 1.0,
        range, range + 0.5, range + 1.0, range + 1.5, 1e300, (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            check_place(sign * places[i]);
            check_place(nextafter(sign * places[i], -(double)INFINITY));
            check_place(nextafter(sign * places[i], (double)INFINITY));
        }
    }
}

// ---- triangle and box ----

// A point in homogeneous integers: (x, y, z) / w, w > 0. Exact, and clipping needs no division.
typedef struct exact_point {
    oct_int128 at[3];
    oct_int128 w;
} exact_point;

static oct_int128 common_divisor(oct_int128 a, oct_int128 b)
{
    while (b != 0) {
        const oct_int128 rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

// Where the segment from a (distance da >= 0 from the plane) to b (db < 0) meets the plane. Every
// such point lies on at most three planes given by small integers, so that reduced it stays small.
static exact_point meet_plane(const exact_point *a, const exact_point *b, oct_int128 da,
                              oct_int128 db)
{
    exact_point out;
    out.w = b->w * da - a->w * db;
    oct_int128 divisor = out.w;
    for (int i = 0; i < 3; i++) {
        out.at[i] = b->at[i] * da - a->at[i] * db;
        divisor = common_divisor(divisor, out.at[i]);
    }
    out.w /= divisor;
    for (int i = 0; i < 3; i++) {
        out.at[i] /= divisor;
    }
    return out;
}

// Keeps what of a polygon has sign * (coordinate - limit) >= 0.
static int clip_polygon(const exact_point *in, int count, int axis, int sign, int32_t limit,
                        exact_point *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const exact_point *a = &in[i];
        const exact_point *b = &in[(i + 1) % count];
        const oct_int128 da = sign * (a->at[axis] - limit * a->w);
        const oct_int128 db = sign * (b->at[axis] - limit * b->w);
        if (da >= 0) {
            out[kept++] = *a;
        }
        if (da > 0 && db < 0) {
            out[kept++] = meet_plane(a, b, da, db);
        } else if (da < 0 && db > 0) {
            out[kept++] = meet_plane(b, a, db, da);
        }
    }
    return kept;
}

// A case in small integers: corners of the triangle, corners of the box.
typedef struct overlap_case {
    int32_t triangle[3][3];
    int32_t min[3], max[3];
} overlap_case;

// The truth: the triangle, cut by the box's six half-spaces one after the other, is not empty.
static bool meets_exactly(const overlap_case *c)
{
    exact_point polygons[2][16];
    int count = 3;
    for (int corner = 0; corner < 3; corner++) {
        polygons[0][corner].w = 1;
        for (int axis = 0; axis < 3; axis++) {
            polygons[0][corner].at[axis] = c->triangle[corner][axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        count = clip_polygon(polygons[0], count, axis, 1, c->min[axis], polygons[1]);
        count = clip_polygon(polygons[1], count, axis, -1, c->max[axis], polygons[0]);
    }
    return count > 0;
}

// The answer under test, for the case scaled and moved.
static bool meets(const overlap_case *c, double scale, const double move[3])
{
    oct_point v[3];
    for (int corner = 0; corner < 3; corner++) {
        v[corner] = (oct_point){c->triangle[corner][0] * scale + move[0],
                                c->triangle[corner][1] * scale + move[1],
                                c->triangle[corner][2] * scale + move[2]};
    }
    const oct_bounds box = {
        {c->min[0] * scale + move[0], c->min[1] * scale + move[1], c->min[2] * scale + move[2]},
        {c->max[0] * scale + move[0], c->max[1] * scale + move[1], c->max[2] * scale + move[2]}};
    return oct_triangle_meets_box(v, &box);
}

// Contact: the closed bodies meet and those a little smaller do not.
static bool is_contact(const overlap_case *c)
{
    overlap_case finer = *c;
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            finer.triangle[corner][axis] *= 4096;
        }
        finer.min[axis] = finer.min[axis] * 4096 + 1;
        finer.max[axis] = finer.max[axis] * 4096 - 1;
    }
    return meets_exactly(c) && !meets_exactly(&finer);
}

enum { SHAPE_TRIANGLE, SHAPE_SEGMENT, SHAPE_LINE, SHAPE_POINT, SHAPE_COUNT };

// Coordinates within +-range; one box in four is flat on some axes.
static overlap_case random_case(oct_random *random, int shape, int32_t range)
{
    overlap_case c;
    const bool flat = oct_random_below(random, 4) == 0;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t a = oct_random_range(random, -range, range);
        const int32_t b = oct_random_range(random, -range, range);
        c.min[axis] = a < b ? a : b;
        c.max[axis] = a < b ? b : a;
        if (flat && oct_random_below(random, 2) == 0) {
            c.max[axis] = c.min[axis];
        }
        for (int corner = 0; corner < 3; corner++) {
            c.triangle[corner][axis] = oct_random_range(random, -range, range);
        }
        if (shape == SHAPE_SEGMENT || shape == SHAPE_POINT) {
            c.triangle[2][axis] = c.triangle[1][axis];
        }
        if (shape == SHAPE_POINT) {
            c.triangle[0][axis] = c.triangle[1][axis];
        }
        if (shape == SHAPE_LINE) {
            const int32_t step = oct_random_range(random, -range, range) / 3;
            c.triangle[1][axis] = c.triangle[0][axis] + 2 * step;
            c.triangle[2][axis] = c.triangle[0][axis] - step;
        }
    }
    return c;
}

static void fail_case(const overlap_case *c, uint64_t seed, int number)
{
    fail_msg("seed %llu, case %d: triangle (%d %d %d) (%d %d %d) (%d %d %d), "
             "box (%d %d %d) to (%d %d %d)",
             (unsigned long long)seed, number, c->triangle[0][0], c->triangle[0][1],
             c->triangle[0][2], c->triangle[1][0], c->triangle[1][1], c->triangle[1][2],
             c->triangle[2][0], c->triangle[2][1], c->triangle[2][2], c->min[0], c->min[1],
             c->min[2], c->max[0], c->max[1], c->max[2]);
}

static void a_triangle_meets_a_box_just_where_exact_clipping_leaves_something(void **state)
{
    (void)state;
    static const int32_t ranges[3] = {2, 4, 16};
    const uint64_t seed = 2101;
    oct_random random = oct_random_seed(seed);
    int met = 0, contacts = 0;
    const int cases = 120000;
    for (int i = 0; i < cases; i++) {
        const overlap_case c = random_case(&random, i % SHAPE_COUNT, ranges[i % 3]);
        const bool truth = meets_exactly(&c);
        if (meets(&c, 1.0, (double[3]){0, 0, 0}) != truth) {
            fail_case(&c, seed, i);
        }
        met += truth;
        contacts += is_contact(&c);
    }
    assert_in_range(met, cases / 10, cases * 9 / 10);
    assert_in_range(contacts, cases / 100, cases);
}

static void the_answer_stays_exact_up_to_two_to_the_twenty_five(void **state)
{
    (void)state;
    const uint64_t seed = 2102;
    oct_random random = oct_random_seed(seed);
    for (int i = 0; i < 40000; i++) {
        const overlap_case c = random_case(&random, i % SHAPE_COUNT, 16);
        // Odd, so that no low bit is spared; 16 of it and the move stay below 2^25.
        const double scale = (double)((1 << 20) - 1 - 2 * oct_random_range(&random, 0, 1000));
        const double move[3] = {oct_random_range(&random, -(1 << 24), 1 << 24),
                                oct_random_range(&random, -(1 << 24), 1 << 24),
                                oct_random_range(&random, -(1 << 24), 1 << 24)};
        if (meets(&c, scale, move) != meets_exactly(&c)) {
            fail_case(&c, seed, i);
        }
    }
}

// A box whose corner c is the centre of the triangle, on one side of its plane, touches it; one
// step of the lattice away along any axis that crosses the plane it does not.
static void one_step_off_the_plane_ends_the_contact_of_a_corner(void **state)
{
    (void)state;
    const uint64_t seed = 2103;
    oct_random random = oct_random_seed(seed);
    const int32_t far = 1 << 23;
    for (int i = 0; i < 20000; i++) {
        double a[3], b[3], c[3], size[3];
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = oct_random_range(&random, -far, far);
            b[axis] = oct_random_range(&random, -far, far);
            c[axis] = oct_random_range(&random, -far, far);
            size[axis] = oct_random_range(&random, 1, 1000);
        }
        const oct_point v[3] = {{c[0] + a[0], c[1] + a[1], c[2] + a[2]},
                                {c[0] + b[0], c[1] + b[1], c[2] + b[2]},
                                {c[0] - a[0] - b[0], c[1] - a[1] - b[1], c[2] - a[2] - b[2]}};
        const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                  a[0] * b[1] - a[1] * b[0]};
        double min[3], max[3];
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = normal[axis] > 0 ? c[axis] : c[axis] - size[axis];
            max[axis] = normal[axis] > 0 ? c[axis] + size[axis] : c[axis];
        }
        const oct_bounds touching = {{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
        if (!oct_triangle_meets_box(v, &touching)) {
            fail_msg("seed %llu, case %d: contact is missed", (unsigned long long)seed, i);
        }
        const int axis = i % 3;
        const double step = normal[axis] > 0 ? 1 : -1;
        min[axis] += step;
        max[axis] += step;
        const oct_bounds beside = {{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
        if (normal[axis] != 0 && oct_triangle_meets_box(v, &beside)) {
            fail_msg("seed %llu, case %d: a gap is missed", (unsigned long long)seed, i);
        }
    }
}

static void the_order_of_the_corners_does_not_matter(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint64_t seed = 2104;
    oct_random random = oct_random_seed(seed);
    for (int i = 0; i < 5000; i++) {
        const overlap_case c = random_case(&random, i % SHAPE_COUNT, 5);
        const bool truth = meets_exactly(&c);
        for (int order = 0; order < 6; order++) {
            overlap_case turned = c;
            for (int corner = 0; corner < 3; corner++) {
                memcpy(turned.triangle[corner], c.triangle[orders[order][corner]],
                       sizeof c.triangle[0]);
            }
            if (meets(&turned, 1.0, (double[3]){0, 0, 0}) != truth) {
                fail_case(&turned, seed, i);
            }
        }
    }
}

// ---- sine and cosine ----

static const double pi = 3.14159265358979323846;

// Steps of the last place between a result and the truth.
static double ulps(double result, long double truth)
{
    int exponent;
    frexpl(truth, &exponent);
    const int least = DBL_MIN_EXP - DBL_MANT_DIG;
    const int last = exponent - DBL_MANT_DIG;
    const long double ulp = ldexpl(1.0L, last > least ? last : least);
    return (double)(fabsl((long double)result - truth) / ulp);
}

static void check_angle(double angle)
{
    double sine, cosine;
    oct_sin_cos(angle, &sine, &cosine);
    const double sine_error = ulps(sine, sinl((long double)angle));
    const double cosine_error = ulps(cosine, cosl((long double)angle));
    if (!(sine_error < 1.0) || !(cosine_error < 1.0)) {
        fail_msg("angle %a: sine is off by %.3f ulp, cosine by %.3f", angle, sine_error,
                 cosine_error);
    }
}

// Whether the C library's sine of a long double is good enough to be compared with: that of mingw
// is an instruction of the processor, which is wrong for large angles.
static bool has_long_sine(void)
{
#if defined(__MINGW32__)
    const bool has = false;
#else
    const bool has = LDBL_MANT_DIG >= 64;
#endif
    if (!has) {
        print_message("skipped: the sine of a long double is no better than ours here\n");
    }
    return has;
}

static void sine_and_cosine_of_a_million_angles_are_within_one_ulp(void **state)
{
    (void)state;
    if (!has_long_sine()) {
        skip();
    }
    oct_random random = oct_random_seed(2105);
    static const double sizes[4] = {1.0, 10.0, 1000.0, 0x1p20};
    for (int i = 0; i < 1000000; i++) {
        check_angle((2.0 * oct_random_unit(&random) - 1.0) * sizes[i % 4]);
    }
}

// Where one of the two nearly vanishes, every bit of the reduced angle counts.
static void near_multiples_of_a_quarter_turn_they_are_within_one_ulp(void **state)
{
    (void)state;
    if (!has_long_sine()) {
        skip();
    }
    const double last = floor(0x1p20 / (pi / 4));
    for (double n = 0; n < last; n += n < 10000 ? 1 : 37) {
        double angle = n * (pi / 4);
        for (int step = 0; step < 4; step++) {
            check_angle(angle);
            check_angle(-angle);
            angle = nextafter(angle, step < 2 ? 1e9 : 0.0);
        }
    }
    check_angle(0x1p20);
    check_angle(-0x1p20);
}

static void small_angles_are_within_one_ulp_down_to_the_smallest(void **state)
{
    (void)state;
    if (!has_long_sine()) {
        skip();
    }
    oct_random random = oct_random_seed(2106);
    for (int exponent = -1074; exponent <= 0; exponent++) {
        check_angle(ldexp(1.0, exponent));
        check_angle(ldexp(0.5 + 0.5 * oct_random_unit(&random), exponent));
    }
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void the_sine_is_odd_and_the_cosine_even_to_the_bit(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2107);
    for (int i = 0; i < 100000; i++) {
        const double angle = i == 0 ? 0.0 : oct_random_unit(&random) * ldexp(1.0, i % 60 - 39);
        double sine, cosine, mirrored_sine, mirrored_cosine;
        oct_sin_cos(angle, &sine, &cosine);
        oct_sin_cos(-angle, &mirrored_sine, &mirrored_cosine);
        assert_true(bits_of(mirrored_sine) == bits_of(-sine));
        assert_true(bits_of(mirrored_cosine) == bits_of(cosine));
    }
}

static void the_angle_zero_has_sine_zero_and_cosine_one(void **state)
{
    (void)state;
    double sine, cosine;
    oct_sin_cos(0.0, &sine, &cosine);
    assert_true(bits_of(sine) == bits_of(0.0));
    assert_true(cosine == 1.0);
}

static void the_sine_rises_and_the_cosine_falls_over_the_first_quarter(void **state)
{
    (void)state;
    const int steps = 1 << 16;
    double last_sine = -1.0, last_cosine = 2.0;
    for (int i = 0; i <= steps; i++) {
        double sine, cosine;
        oct_sin_cos(pi / 2 * i / steps, &sine, &cosine);
        assert_true(sine > last_sine && sine <= 1.0);
        assert_true(cosine < last_cosine && cosine >= 0.0);
        last_sine = sine;
        last_cosine = cosine;
    }
}

static void angles_beyond_the_range_give_nan(void **state)
{
    (void)state;
    const double angles[6] = {nextafter(0x1p20, 1e9), -0x1.00001p20,     1e300,
                              (double)INFINITY,       -(double)INFINITY, (double)NAN};
    for (int i = 0; i < 6; i++) {
        double sine = 0.0, cosine = 0.0;
        oct_sin_cos(angles[i], &sine, &cosine);
        assert_true(isnan(sine) && isnan(cosine));
    }
}

// The same bits from every compiler at every level. A new hash needs a reason in its commit.
static void sines_and_cosines_have_the_golden_hash(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2108);
    uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a, by words
    for (int i = 0; i < 200000; i++) {
        double sine, cosine;
        const double size = ldexp(1.0, i % 50 - 29);
        oct_sin_cos((2.0 * oct_random_unit(&random) - 1.0) * size, &sine, &cosine);
        hash = (hash ^ bits_of(sine)) * UINT64_C(0x100000001b3);
        hash = (hash ^ bits_of(cosine)) * UINT64_C(0x100000001b3);
    }
    const uint64_t golden = UINT64_C(0x60b1f2984729e0c6);
    if (hash != golden) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    }
}

// ---- angles ----

// The angle between vectors of integers up to 2^30, whose products are exact in long double.
static long double true_angle(const int64_t a[3], const int64_t b[3])
{
    long double square = 0.0L, dot = 0.0L;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const long double cross = (long double)(a[j] * b[k] - a[k] * b[j]);
        square += cross * cross;
        dot += (long double)(a[i] * b[i]);
    }
    return atan2l(sqrtl(square), dot);
}

static oct_point point_of(const int64_t v[3], double scale)
{
    return (oct_point){(double)v[0] * scale, (double)v[1] * scale, (double)v[2] * scale};
}

static void check_between(const int64_t a[3], const int64_t b[3])
{
    const long double truth = true_angle(a, b);
    const double angle = oct_angle_between(point_of(a, 1.0), point_of(b, 1.0));
    const double error = ulps(angle, truth);
    if (!(error < 3.0)) {
        fail_msg("(%lld %lld %lld) and (%lld %lld %lld): %.17g is off by %.3f ulp", (long long)a[0],
                 (long long)a[1], (long long)a[2], (long long)b[0], (long long)b[1],
                 (long long)b[2], angle, error);
    }
    const double swapped = oct_angle_between(point_of(b, 1.0), point_of(a, 1.0));
    assert_true(bits_of(swapped) == bits_of(angle));
    const double scaled = oct_angle_between(point_of(a, 0x1p-1000), point_of(b, 0x1p900));
    assert_true(bits_of(scaled) == bits_of(angle));
}

// Anywhere; and nearly the same direction, the opposite one, or a right angle.
static void angles_are_within_three_ulp_also_tiny_and_straight_ones(void **state)
{
    (void)state;
    if (!has_long_sine()) {
        skip();
    }
    oct_random random = oct_random_seed(2109);
    for (int i = 0; i < 200000; i++) {
        int64_t a[3], b[3];
        const int32_t size = i % 2 ? 1 << 13 : 1 << 28, off = 1 << oct_random_below(&random, 14);
        const int32_t times = oct_random_range(&random, -2, 2);
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = oct_random_range(&random, -size, size);
            b[axis] = i % 3 ? a[axis] * times + oct_random_range(&random, -off, off)
                            : oct_random_range(&random, -size, size);
        }
        if ((a[0] || a[1] || a[2]) && (b[0] || b[1] || b[2])) {
            check_between(a, b);
        }
    }
}

static void angles_in_a_plane_are_those_of_the_arctangent(void **state)
{
    (void)state;
    if (!has_long_sine()) {
        skip();
    }
    const oct_point right = {1, 0, 0};
    for (int exponent = -1000; exponent <= 1000; exponent++) {
        const double y = ldexp(1.25, exponent);
        const long double ahead = atanl((long double)y), back = atan2l((long double)y, -1.0L);
        assert_true(ulps(oct_angle_between(right, (oct_point){1, y, 0}), ahead) < 2.0);
        assert_true(ulps(oct_angle_between(right, (oct_point){1, 0, -y}), ahead) < 2.0);
        assert_true(ulps(oct_angle_between(right, (oct_point){-1, y, 0}), back) < 2.0);
    }
    for (int i = 0; i <= 100000; i++) {
        const double y = i * 0x1p-16;
        const long double angle = atanl((long double)y);
        assert_true(ulps(oct_angle_between(right, (oct_point){1, 0, y}), angle) < 2.0);
    }
}

static void special_angles_are_exact(void **state)
{
    (void)state;
    const oct_point x = {3, 0, 0}, y = {0, 0.5, 0}, none = {0, -0.0, 0}, any = {0.1, -7, 1e-9};
    const oct_point back = {-0.1, 7, -1e-9}, tiny = {0, 0, 0x1p-1074}, huge = {0, DBL_MAX, DBL_MAX};
    assert_true(oct_angle_between(any, any) == 0.0);
    assert_true(oct_angle_between(any, back) == pi);
    assert_true(oct_angle_between(x, y) == pi / 2);
    assert_true(oct_angle_between(tiny, huge) == pi / 4);
    assert_true(oct_angle_between(huge, (oct_point){0, DBL_MAX, -DBL_MAX}) == pi / 2);
    assert_true(oct_angle_between(tiny, (oct_point){-0x1p-1074, 0, -0x1p-1074}) == 3 * (pi / 4));
    assert_true(oct_angle_between(x, (oct_point){1, 0, -1}) == pi / 4);
    assert_true(bits_of(oct_angle_between(none, x)) == 0 && oct_angle_between(x, none) == 0.0);
    const double bad[3] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(oct_angle_between(x, (oct_point){bad[i], 1, 1})));
        assert_true(isnan(oct_angle_between((oct_point){1, bad[i], 1}, none)));
        assert_true(isnan(oct_angle_between((oct_point){1, 1, bad[i]}, y)));
    }
}

// The same bits from every compiler at every level. A new hash needs a reason in its commit.
static void angles_have_the_golden_hash(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2110);
    uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a, by words
    for (int i = 0; i < 100000; i++) {
        double v[6];
        for (int j = 0; j < 6; j++) {
            v[j] = 2.0 * oct_random_unit(&random) - 1.0;
        }
        const oct_point a = {v[0], v[1], v[2]};
        const double near = i % 2 ? 1.0 : 0.0, size = ldexp(1.0, -(i % 50));
        const oct_point b = {near * v[0] + size * v[3], near * v[1] + size * v[4],
                             near * v[2] + size * v[5]};
        hash = (hash ^ bits_of(oct_angle_between(a, b))) * UINT64_C(0x100000001b3);
    }
    const uint64_t golden = UINT64_C(0xfa3d94a0a8909392);
    if (hash != golden) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spreading_bits_with_and_without_bmi2_is_equal),
        cmocka_unit_test(every_cell_of_a_brick_has_its_own_index_and_finds_back),
        cmocka_unit_test(coordinates_beyond_the_brick_count_by_their_low_bits),
        cmocka_unit_test(a_slab_holds_just_the_cells_between_its_ends),
        cmocka_unit_test(places_have_the_floor_and_the_ceiling_of_libm),
        cmocka_unit_test(a_triangle_meets_a_box_just_where_exact_clipping_leaves_something),
        cmocka_unit_test(the_answer_stays_exact_up_to_two_to_the_twenty_five),
        cmocka_unit_test(one_step_off_the_plane_ends_the_contact_of_a_corner),
        cmocka_unit_test(the_order_of_the_corners_does_not_matter),
        cmocka_unit_test(sine_and_cosine_of_a_million_angles_are_within_one_ulp),
        cmocka_unit_test(near_multiples_of_a_quarter_turn_they_are_within_one_ulp),
        cmocka_unit_test(small_angles_are_within_one_ulp_down_to_the_smallest),
        cmocka_unit_test(the_sine_is_odd_and_the_cosine_even_to_the_bit),
        cmocka_unit_test(the_angle_zero_has_sine_zero_and_cosine_one),
        cmocka_unit_test(the_sine_rises_and_the_cosine_falls_over_the_first_quarter),
        cmocka_unit_test(angles_beyond_the_range_give_nan),
        cmocka_unit_test(sines_and_cosines_have_the_golden_hash),
        cmocka_unit_test(angles_are_within_three_ulp_also_tiny_and_straight_ones),
        cmocka_unit_test(angles_in_a_plane_are_those_of_the_arctangent),
        cmocka_unit_test(special_angles_are_exact),
        cmocka_unit_test(angles_have_the_golden_hash),
    };
    return cmocka_run_group_tests_name("geom", tests, NULL, NULL);
}
