// SPDX-License-Identifier: MIT
// Convex bodies against cells: separating axes in whole numbers of 128 bits, of bodies whose
// corners are whole numbers.
#include "geom/convex.h"
#include "geom/geom_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

#define UNITS 1024 // of a cell
#define MARGIN 10  // of them: less than 1 % of a cell
#define POINTS_MAX 10

static oct_allocator heap;

typedef struct whole {
    int64_t x, y, z;
} whole;

typedef struct body {
    whole points[POINTS_MAX];
    int count;
    whole edges[3]; // of a box
    bool is_box;
} body;

static whole minus(whole a, whole b)
{
    return (whole){a.x - b.x, a.y - b.y, a.z - b.z};
}

static whole across(whole a, whole b)
{
    return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static oct_int128 dot(whole a, whole b)
{
    return (oct_int128)a.x * b.x + (oct_int128)a.y * b.y + (oct_int128)a.z * b.z;
}

// ---- the oracle ----

static bool is_apart(const body *b, whole way, whole lo, whole hi)
{
    oct_int128 least = dot(way, b->points[0]), most = least;
    for (int i = 1; i < b->count; i++) {
        const oct_int128 at = dot(way, b->points[i]);
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    const whole first = {way.x > 0 ? lo.x : hi.x, way.y > 0 ? lo.y : hi.y, way.z > 0 ? lo.z : hi.z};
    const whole last = {way.x > 0 ? hi.x : lo.x, way.y > 0 ? hi.y : lo.y, way.z > 0 ? hi.z : lo.z};
    return (way.x || way.y || way.z) && (dot(way, last) <= least || dot(way, first) >= most);
}

static bool is_apart_by_edge(const body *b, whole edge, whole lo, whole hi)
{
    return is_apart(b, (whole){0, -edge.z, edge.y}, lo, hi) ||
           is_apart(b, (whole){edge.z, 0, -edge.x}, lo, hi) ||
           is_apart(b, (whole){-edge.y, edge.x, 0}, lo, hi);
}

// Whether a box and a body share inner points of the box; of a flat body: points.
static bool meets(const body *b, whole lo, whole hi)
{
    bool apart = is_apart(b, (whole){1, 0, 0}, lo, hi) || is_apart(b, (whole){0, 1, 0}, lo, hi) ||
                 is_apart(b, (whole){0, 0, 1}, lo, hi);
    for (int i = 0; i < 3 && b->is_box && !apart; i++) {
        apart = is_apart(b, b->edges[i], lo, hi) || is_apart_by_edge(b, b->edges[i], lo, hi);
    }
    for (int i = 0; i < b->count && !b->is_box && !apart; i++) {
        for (int j = i + 1; j < b->count && !apart; j++) {
            const whole edge = minus(b->points[j], b->points[i]);
            apart = is_apart_by_edge(b, edge, lo, hi);
            for (int k = j + 1; k < b->count && !apart; k++) {
                apart = is_apart(b, across(edge, minus(b->points[k], b->points[i])), lo, hi);
            }
        }
    }
    return !apart;
}

// ---- bodies ----

static int64_t below(oct_random *r, int64_t n)
{
    return (int64_t)oct_random_below(r, (uint64_t)n);
}

// A box turned by a quaternion of small whole numbers: its edges are whole numbers too.
static void draw_box(oct_random *r, body *b)
{
    int64_t q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = below(r, 13) - 6;
    }
    q[3] += q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0;
    const int64_t x = q[0], y = q[1], z = q[2], w = q[3];
    const whole axes[3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
        {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
        {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
    const int64_t norm = x * x + y * y + z * z + w * w;
    const whole from = {below(r, 8 * UNITS), below(r, 8 * UNITS), below(r, 8 * UNITS)};
    for (int i = 0; i < 3; i++) {
        const int64_t by = 1 + below(r, 5 * UNITS) / norm;
        b->edges[i] = (whole){axes[i].x * by, axes[i].y * by, axes[i].z * by};
    }
    for (int i = 0; i < 8; i++) {
        whole p = from;
        for (int k = 0; k < 3; k++) {
            const int64_t has = i >> k & 1;
            p = (whole){p.x + has * b->edges[k].x, p.y + has * b->edges[k].y,
                        p.z + has * b->edges[k].z};
        }
        b->points[i] = p;
    }
    b->count = 8;
    b->is_box = true;
}

static void draw_hull(oct_random *r, body *b)
{
    const int64_t size = 1 + below(r, 6 * UNITS);
    const whole from = {below(r, 8 * UNITS), below(r, 8 * UNITS), below(r, 8 * UNITS)};
    b->count = 3 + (int)below(r, POINTS_MAX - 2);
    b->is_box = false;
    for (int i = 0; i < b->count; i++) {
        b->points[i] =
            (whole){from.x + below(r, size), from.y + below(r, size), from.z + below(r, size)};
    }
}

static oct_point point_of(whole p)
{
    return (oct_point){(double)p.x / UNITS, (double)p.y / UNITS, (double)p.z / UNITS};
}

static void make(const body *b, const convex_padding *padding, oct_array *list, convex *out)
{
    oct_point points[POINTS_MAX], edges[3];
    size_t first;
    for (int i = 0; i < b->count; i++) {
        points[i] = point_of(b->points[i]);
    }
    list->count = 0;
    for (int i = 0; i < 3 && b->is_box; i++) {
        edges[i] = point_of(b->edges[i]);
    }
    const oct_result result =
        b->is_box ? oct_convex_make_box(3, points, edges, padding, &heap, list, &first, out)
                  : oct_convex_make(3, points, (size_t)b->count, padding, &heap, list, &first, out);
    assert_int_equal(result, OCT_OK);
    out->axes = (const convex_axis *)list->items + first;
}

static bool box_meets(const convex *c, oct_vec at)
{
    return c->lo.x < at.x + 1.0 && c->hi.x > at.x && c->lo.y < at.y + 1.0 && c->hi.y > at.y &&
           c->lo.z < at.z + 1.0 && c->hi.z > at.z;
}

// A cell at or near the surface.
static oct_vec draw_cell(oct_random *r, const body *b)
{
    const whole p = b->points[below(r, b->count)], q = b->points[below(r, b->count)];
    const int64_t share = below(r, 1025);
    const whole at = {p.x + (q.x - p.x) * share / 1024, p.y + (q.y - p.y) * share / 1024,
                      p.z + (q.z - p.z) * share / 1024};
    const double x = (double)at.x / UNITS, y = (double)at.y / UNITS, z = (double)at.z / UNITS;
    return (oct_vec){axis_floor(x) + (int32_t)below(r, 3) - 1,
                     axis_floor(y) + (int32_t)below(r, 3) - 1,
                     axis_floor(z) + (int32_t)below(r, 3) - 1};
}

static void try_cells(uint64_t seed, void (*draw)(oct_random *, body *), int bodies, int cells)
{
    oct_random r = oct_random_seed(seed);
    const convex_padding none = {{0, 0, 0}, false};
    oct_array list = {0};
    int met = 0;
    for (int i = 0; i < bodies; i++) {
        body b;
        convex c;
        draw(&r, &b);
        make(&b, &none, &list, &c);
        for (int k = 0; k < cells; k++) {
            const oct_vec at = draw_cell(&r, &b);
            const whole lo = {(int64_t)at.x * UNITS, (int64_t)at.y * UNITS, (int64_t)at.z * UNITS};
            const whole hi = {lo.x + UNITS, lo.y + UNITS, lo.z + UNITS};
            const whole less = {lo.x - MARGIN, lo.y - MARGIN, lo.z - MARGIN};
            const whole more = {hi.x + MARGIN, hi.y + MARGIN, hi.z + MARGIN};
            const bool is_met = convex_meets(&c, at, 1, false) && box_meets(&c, at);
            met += is_met;
            if (meets(&b, lo, hi) ? !is_met : is_met && !meets(&b, less, more)) {
                fail_msg("body %d, cell %d %d %d: %s", i, at.x, at.y, at.z,
                         is_met ? "too large" : "missed");
            }
        }
    }
    assert_in_range(met, bodies * cells / 10, bodies * cells * 9 / 10);
    oct_array_free(&list, &heap, sizeof(convex_axis));
}

static void turned_boxes_meet_the_cells_that_they_fill(void **state)
{
    (void)state;
    try_cells(1, draw_box, (int)test_rounds(25000), 20);
}

static void hulls_meet_the_cells_that_they_fill(void **state)
{
    (void)state;
    try_cells(2, draw_hull, (int)test_rounds(12500), 40);
}

// ---- cubes, bricks and padding ----

static bool is_met(const convex *c, oct_vec at)
{
    return convex_meets(c, at, 1, true);
}

static void cubes_and_bricks_agree_with_their_cells(void **state)
{
    (void)state;
    oct_random r = oct_random_seed(3);
    oct_array list = {0};
    for (int i = 0; i < 2000; i++) {
        const convex_padding padding = {{(double)below(&r, 300) / 100.0, 0.5, 0.25},
                                        below(&r, 2) == 0};
        body b;
        convex c;
        (i % 2 ? draw_box : draw_hull)(&r, &b);
        make(&b, &padding, &list, &c);
        oct_vec at = draw_cell(&r, &b);
        at = (oct_vec){at.x & ~3, at.y & ~3, at.z & ~3};
        uint64_t mask = 0;
        for (uint32_t k = 0; k < 64; k++) {
            const uint32_t cell = morton_cell(3, k);
            const oct_vec own = {at.x + (int32_t)(cell & 3), at.y + (int32_t)(cell >> 8 & 3),
                                 at.z + (int32_t)(cell >> 16)};
            mask |= (uint64_t)is_met(&c, own) << k;
        }
        assert_true(mask == oct_convex_mask(&c, 3, at));
        assert_int_equal(convex_covers(&c, at, 4), mask == UINT64_MAX);
        assert_true(mask == 0 || convex_meets(&c, at, 4, true));
    }
    oct_array_free(&list, &heap, sizeof(convex_axis));
}

// Points that a ball around the body's points would touch lie in cells that are met.
static void padding_holds_the_ball(void **state)
{
    (void)state;
    oct_random r = oct_random_seed(4);
    oct_array list = {0};
    for (int i = 0; i < 2000; i++) {
        const convex_padding padding = {{1.25, 1.25, 1.25}, true};
        body b;
        convex c;
        (i % 2 ? draw_box : draw_hull)(&r, &b);
        make(&b, &padding, &list, &c);
        for (int k = 0; k < 20; k++) {
            const oct_point p = point_of(b.points[below(&r, b.count)]);
            oct_point way = {(double)below(&r, 2001) - 1000, (double)below(&r, 2001) - 1000,
                             (double)below(&r, 2001) - 1000};
            way = point_scale(way, 1.2499 / (point_length(way) + 1e-9));
            const oct_point at = point_add(p, way);
            assert_true(
                is_met(&c, (oct_vec){axis_floor(at.x), axis_floor(at.y), axis_floor(at.z)}));
        }
    }
    oct_array_free(&list, &heap, sizeof(convex_axis));
}

// ---- distances ----

// The distance of a turned box in its own axes is that of its corners' hull.
static void distances_lie_within_their_bounds(void **state)
{
    (void)state;
    oct_random r = oct_random_seed(5);
    for (int i = 0; i < 2000; i++) {
        double q[4], square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = (double)below(&r, 2001) - 1000.5;
            square += q[k] * q[k];
        }
        const double length = sqrt(square);
        oct_piece box = {.kind = OCT_PIECE_OBB,
                         .centre = {1, 2, 3},
                         .half = {1.0 + i % 5, 0.5, 2.0},
                         .turn = {q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
        oct_point own[CONVEX_CORNERS];
        const oct_point *points;
        assert_int_equal(oct_convex_points(&box, 0, own, &points), CONVEX_CORNERS);
        const oct_piece hull = {
            .kind = OCT_PIECE_HULL, .points = points, .point_count = CONVEX_CORNERS};
        const oct_point at = {(double)below(&r, 200) / 10.0 - 10.0,
                              (double)below(&r, 200) / 10.0 - 10.0,
                              (double)below(&r, 200) / 10.0 - 10.0};
        const convex_gap a = oct_convex_gap(&box, 0, at), b = oct_convex_gap(&hull, 0, at);
        assert_true(a.most - a.least < 1e-9);
        assert_true(b.least <= a.most && b.most >= a.least);
    }
}

int main(void)
{
    heap = oct_allocator_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_boxes_meet_the_cells_that_they_fill),
        cmocka_unit_test(hulls_meet_the_cells_that_they_fill),
        cmocka_unit_test(cubes_and_bricks_agree_with_their_cells),
        cmocka_unit_test(padding_holds_the_ball),
        cmocka_unit_test(distances_lie_within_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
