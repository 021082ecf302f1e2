// SPDX-License-Identifier: MIT
// Standing and walking in random worlds of voxels, against slow arithmetic over arrays; jumps and
// drops against two ways of adding up a fall.
#include "support.h"

#include "base/base_internal.h"
#include "octant/footing.h"

#include <math.h>
#include <stdlib.h>

#define SIDE 12   // columns a side, 1 m each
#define QUARTER 4 // levels a metre
#define LEVELS 24 // of solid, and as much air above
#define AIR 24
#define HEIGHT 7 // of the body, levels

typedef struct scene {
    bool solid[SIDE][SIDE][LEVELS + AIR];
    bool seen[SIDE][SIDE][(LEVELS + AIR) / QUARTER];
    bool has_unseen;
    int step; // levels
    double radius, margin, jump;
    oct_map *map;
    oct_tree *known;
    oct_footing *footing;
    oct_up up;
    oct_random random;
} scene;

static uint32_t below(scene *s, uint32_t n)
{
    return (uint32_t)oct_random_below(&s->random, n);
}

// (u, v, h) in the world, where axis h is up.
static oct_point world(const scene *s, double u, double v, double h)
{
    return s->up == OCT_UP_Z   ? (oct_point){u, v, h}
           : s->up == OCT_UP_Y ? (oct_point){v, h, u}
                               : (oct_point){h, u, v};
}

static oct_point own(const scene *s, oct_point p)
{
    return s->up == OCT_UP_Z   ? p
           : s->up == OCT_UP_Y ? (oct_point){p.z, p.x, p.y}
                               : (oct_point){p.y, p.z, p.x};
}

static void fill(scene *s, int i, int j, int lo, int hi)
{
    for (int k = lo; k < hi && k < LEVELS; k++) {
        s->solid[i][j][k] = true;
    }
}

// Floors at heights that differ by little, or by much; slabs above some; pits without a floor.
static void fill_rough(scene *s)
{
    const uint32_t rough = 1 + below(s, 4), gaps = below(s, 20);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            const int ramp = (int)below(s, 2) ? i / 2 : j / 2;
            int top = 2 + (rough < 3 ? ramp : 0) + (int)below(s, rough);
            top = below(s, 8) == 0 ? top + (int)below(s, 10) : top;
            if (below(s, 100) >= gaps) {
                fill(s, i, j, 0, top);
            }
            if (below(s, 6) == 0) {
                const int at = top + 3 + (int)below(s, 8);
                fill(s, i, j, at, at + 1 + (int)below(s, 3));
            }
        }
    }
}

// Terraces of four columns a side, with gaps between some of them.
static void fill_terraces(scene *s)
{
    int tops[SIDE / 4][SIDE / 4];
    for (int n = 0; n < SIDE / 4 * SIDE / 4; n++) {
        tops[n / (SIDE / 4)][n % (SIDE / 4)] = below(s, 5) == 0 ? 0 : 4 + (int)below(s, 9);
    }
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            fill(s, i, j, 0, tops[i / 4][j / 4]);
        }
    }
}

static void see_scene(scene *s)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            for (int m = 0; m < (LEVELS + AIR) / QUARTER; m++) {
                s->seen[i][j][m] = !s->has_unseen || below(s, 30) > 0;
            }
        }
    }
}

static oct_box cell_of(const scene *s, int i, int j, int m)
{
    const oct_point p = world(s, i, j, m);
    const oct_vec lo = {(int32_t)p.x, (int32_t)p.y, (int32_t)p.z};
    return (oct_box){lo, {lo.x + 1, lo.y + 1, lo.z + 1}};
}

static void put_run(scene *s, int i, int j, int lo, int hi)
{
    const double a = (double)lo / QUARTER, b = (double)hi / QUARTER;
    const oct_thing thing = {.id = (uint64_t)((i * SIDE + j) * LEVELS + lo) + 1,
                             .box = {world(s, i, j, a), world(s, i + 1, j + 1, b)},
                             .label = OCT_BLOCKED,
                             .opaque = true};
    assert_int_equal(oct_map_put(s->map, &thing), OCT_OK);
}

static void make_map(scene *s)
{
    oct_map_def map = oct_map_def_default();
    assert_int_equal(oct_map_create(&map, &s->map), OCT_OK);
    oct_tree_def tree = oct_tree_def_default();
    assert_int_equal(oct_tree_create(&tree, &s->known), OCT_OK);
    const oct_point top = world(s, SIDE, SIDE, (LEVELS + AIR) / QUARTER);
    const oct_box all = {{0, 0, 0}, {(int32_t)top.x, (int32_t)top.y, (int32_t)top.z}};
    assert_int_equal(oct_map_set_box(s->map, all, OCT_MARK_OPEN), OCT_OK);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            for (int k = 0, lo = 0; k <= LEVELS; k++) {
                if (k == LEVELS || !s->solid[i][j][k]) {
                    if (k > lo) {
                        put_run(s, i, j, lo, k);
                    }
                    lo = k + 1;
                }
            }
            for (int m = 0; m < (LEVELS + AIR) / QUARTER; m++) {
                if (s->seen[i][j][m]) {
                    assert_int_equal(oct_tree_set_box(s->known, cell_of(s, i, j, m), OCT_MARK_OPEN),
                                     OCT_OK);
                }
            }
        }
    }
}

static void make_scene(uint64_t seed, bool leaps, scene *s)
{
    *s = (scene){.random = oct_random_seed(seed)};
    static const double radii[] = {0.4, 0.6, 0.8};
    s->radius = radii[below(s, 3)];
    s->margin = 0.05;
    s->step = (int)below(s, 4);
    s->up = (oct_up)below(s, 3);
    s->has_unseen = below(s, 2) == 0;
    s->jump = leaps && seed % 2 ? 5.0 : 0.0;
    if (leaps && seed % 3) {
        fill_terraces(s);
    } else {
        fill_rough(s);
    }
    see_scene(s);
    make_map(s);
    oct_footing_def def = oct_footing_def_default();
    def.map = s->map;
    def.known = s->has_unseen ? s->known : NULL;
    def.up = s->up;
    def.walker.radius = s->radius;
    def.walker.margin = s->margin;
    def.walker.height = (double)HEIGHT / QUARTER;
    def.walker.step = (double)s->step / QUARTER;
    if (leaps) {
        def.walker.gravity = 9.8;
        def.walker.jump = s->jump;
        def.walker.climb = 1.1;
        def.walker.leap = 4.0;
        def.walker.drop = 3.0;
    }
    assert_int_equal(oct_footing_create(&def, &s->footing), OCT_OK);
}

static void free_scene(scene *s)
{
    oct_footing_destroy(s->footing);
    oct_map_destroy(s->map);
    oct_tree_destroy(s->known);
}

// ---- the oracle ----

static double away(int by)
{
    return by == 0 ? 0.0 : abs(by) - 0.5;
}

static bool is_solid(const scene *s, int i, int j, int k)
{
    return i >= 0 && i < SIDE && j >= 0 && j < SIDE && k >= 0 && k < LEVELS && s->solid[i][j][k];
}

// The top of the run that holds a level.
static int top_of(const scene *s, int i, int j, int k)
{
    while (is_solid(s, i, j, k)) {
        k++;
    }
    return k;
}

static bool is_near(const scene *s, int a, int b)
{
    const double r = s->radius + s->margin;
    return away(a) * away(a) + away(b) * away(b) < r * r;
}

static bool plain_stands(const scene *s, int i, int j, int k)
{
    if (!is_solid(s, i, j, k - 1) || is_solid(s, i, j, k)) {
        return false;
    }
    int rise = 0;
    for (int a = -2; a <= 2; a++) {
        for (int b = -2; b <= 2; b++) {
            for (int n = 0; (a || b) && is_near(s, a, b) && n < k + s->step; n++) {
                const int top = is_solid(s, i + a, j + b, n) ? top_of(s, i + a, j + b, n) : 0;
                rise = top <= k + s->step && top - k > rise ? top - k : rise;
            }
        }
    }
    for (int a = -2; a <= 2; a++) {
        for (int b = -2; b <= 2; b++) {
            const int allowed = a || b ? s->step : 0;
            for (int n = 0; is_near(s, a, b) && n < k + rise + HEIGHT; n++) {
                if (is_solid(s, i + a, j + b, n) && top_of(s, i + a, j + b, n) > k + allowed) {
                    return false;
                }
            }
        }
    }
    return true;
}

// What the body fills by the middles of cells of a metre: of its own column alone, as its radius is
// less than one.
static bool plain_sees(const scene *s, int i, int j, int k)
{
    for (int m = 0; s->has_unseen && m < (LEVELS + AIR) / QUARTER; m++) {
        const int middle = m * QUARTER + QUARTER / 2;
        if (middle >= k && middle < k + HEIGHT && !s->seen[i][j][m]) {
            return false;
        }
    }
    return true;
}

typedef struct plain {
    bool is[SIDE][SIDE][LEVELS + 1];
    bool is_known[SIDE][SIDE][LEVELS + 1];
    double cost[SIDE][SIDE][LEVELS + 1];
} plain;

static void make_plain(const scene *s, plain *p)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            for (int k = 0; k <= LEVELS; k++) {
                p->is[i][j][k] = plain_stands(s, i, j, k);
                p->is_known[i][j][k] = p->is[i][j][k] && plain_sees(s, i, j, k);
                p->cost[i][j][k] = HUGE_VAL;
            }
        }
    }
}

// The nearest place in height; of two equally near the lower one. -1 = none, or not seen.
static int plain_next(const scene *s, const plain *p, int i, int j, int k)
{
    for (int by = 0; i >= 0 && i < SIDE && j >= 0 && j < SIDE && by <= s->step; by++) {
        const int lower = k - by, higher = k + by;
        if (lower >= 0 && p->is[i][j][lower]) {
            return p->is_known[i][j][lower] ? lower : -1;
        }
        if (higher <= LEVELS && p->is[i][j][higher]) {
            return p->is_known[i][j][higher] ? higher : -1;
        }
    }
    return -1;
}

static int plain_walk(const scene *s, const plain *p, int i, int j, int k, int a, int b)
{
    const int there = plain_next(s, p, i + a, j + b, k);
    if (a == 0 || b == 0 || there < 0) {
        return there;
    }
    const int one = plain_next(s, p, i + a, j, k), other = plain_next(s, p, i, j + b, k);
    return one >= 0 && other >= 0 && plain_next(s, p, i + a, j + b, one) == there &&
                   plain_next(s, p, i + a, j + b, other) == there
               ? there
               : -1;
}

static void plain_flood(const scene *s, plain *p, int i0, int j0, int k0)
{
    p->cost[i0][j0][k0] = 0.0;
    for (bool changes = true; changes;) {
        changes = false;
        for (int n = 0; n < SIDE * SIDE * (LEVELS + 1); n++) {
            const int i = n % SIDE, j = n / SIDE % SIDE, k = n / (SIDE * SIDE);
            for (int w = 0; w < 9 && p->cost[i][j][k] < HUGE_VAL; w++) {
                const int a = w % 3 - 1, b = w / 3 - 1;
                const int to = a || b ? plain_walk(s, p, i, j, k, a, b) : -1;
                if (to < 0) {
                    continue;
                }
                const double h = (double)(to - k) / QUARTER;
                const double cost = p->cost[i][j][k] + sqrt(a * a + b * b + h * h);
                if (cost < p->cost[i + a][j + b][to] - 1e-9) {
                    p->cost[i + a][j + b][to] = cost;
                    changes = true;
                }
            }
        }
    }
}

// ---- places and walks ----

static bool find(scene *s, int i, int j, int k, oct_foothold *out)
{
    bool found;
    const oct_point at = world(s, i + 0.5, j + 0.5, (double)k / QUARTER);
    assert_int_equal(oct_footing_find(s->footing, at, 0.0, 0.0, out, &found), OCT_OK);
    return found;
}

static bool any_place(scene *s, const plain *p, int *i, int *j, int *k)
{
    for (int tries = 0; tries < 2000; tries++) {
        *i = (int)below(s, SIDE);
        *j = (int)below(s, SIDE);
        *k = (int)below(s, LEVELS + 1);
        if (p->is_known[*i][*j][*k]) {
            return true;
        }
    }
    return false;
}

static size_t check_flood(scene *s, plain *p)
{
    oct_foothold hold;
    int i0, j0, k0;
    make_plain(s, p);
    for (int n = 0; n < SIDE * SIDE * (LEVELS + 1); n++) {
        const int i = n % SIDE, j = n / SIDE % SIDE, k = n / (SIDE * SIDE);
        assert_int_equal(find(s, i, j, k, &hold), p->is_known[i][j][k]);
    }
    if (!any_place(s, p, &i0, &j0, &k0)) {
        return 0;
    }
    assert_true(find(s, i0, j0, k0, &hold));
    assert_int_equal(oct_footing_flood(s->footing, &hold), OCT_OK);
    plain_flood(s, p, i0, j0, k0);
    size_t reached = 0;
    for (int n = 0; n < SIDE * SIDE * (LEVELS + 1); n++) {
        const int i = n % SIDE, j = n / SIDE % SIDE, k = n / (SIDE * SIDE);
        double length;
        if (!find(s, i, j, k, &hold)) {
            continue;
        }
        const bool is = oct_footing_reaches(s->footing, &hold, &length);
        assert_int_equal(is, p->cost[i][j][k] < HUGE_VAL);
        assert_true(!is || fabs(length - p->cost[i][j][k]) < 1e-6);
        reached += is;
    }
    assert_int_equal(reached, oct_footing_reached(s->footing));
    return reached;
}

static void floods_are_as_the_plain_ones(void **state)
{
    (void)state;
    plain *const p = malloc(sizeof *p);
    scene *const s = malloc(sizeof *s);
    assert_true(p && s);
    size_t reached = 0;
    for (uint64_t seed = 1; seed <= test_rounds(2000); seed++) {
        make_scene(seed, false, s);
        reached += check_flood(s, p);
        free_scene(s);
    }
    assert_true(reached > test_rounds(2000) * 12);
    free(s);
    free(p);
}

// A thing comes, another goes: what was known there is forgotten, and no more than that is needed.
static void changes_are_followed(void **state)
{
    (void)state;
    plain *const p = malloc(sizeof *p);
    scene *const s = malloc(sizeof *s);
    assert_true(p && s);
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        make_scene(seed, false, s);
        for (int round = 0; round < 6; round++) {
            (void)check_flood(s, p);
            const int i = (int)below(s, SIDE), j = (int)below(s, SIDE);
            const int k = (int)below(s, LEVELS);
            const oct_bounds box = {world(s, i, j, 0), world(s, i + 1, j + 1, LEVELS / QUARTER)};
            for (int lo = 0; lo < LEVELS; lo++) {
                (void)oct_map_remove(s->map, (uint64_t)((i * SIDE + j) * LEVELS + lo) + 1);
                s->solid[i][j][lo] = lo < k;
            }
            if (k > 0) {
                put_run(s, i, j, 0, k);
            }
            oct_footing_change(s->footing, box);
        }
        free_scene(s);
    }
    free(s);
    free(p);
}

// ---- a body in the air ----

static bool is_free(const scene *s, oct_point at, double r)
{
    for (int i = (int)floor(at.x - r); i <= (int)floor(at.x + r); i++) {
        for (int j = (int)floor(at.y - r); j <= (int)floor(at.y + r); j++) {
            const double u = fmax(fmax(i - at.x, at.x - i - 1), 0.0);
            const double v = fmax(fmax(j - at.y, at.y - j - 1), 0.0);
            for (int k = 0; u * u + v * v < r * r && k < LEVELS; k++) {
                if (is_solid(s, i, j, k) && (k + 1.0) / QUARTER > at.z + 1e-9 &&
                    (double)k / QUARTER < at.z + (double)HEIGHT / QUARTER - 1e-9) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Flies from one place until it comes down, by one of three ways of adding up a fall: where it
// does.
static bool fly(const scene *s, oct_point from, oct_point to, double speed, double jump, int way,
                oct_point *out)
{
    const double tick = 1.0 / 60.0, far = sqrt(pow(to.x - from.x, 2) + pow(to.y - from.y, 2));
    const double du = (to.x - from.x) / far, dv = (to.y - from.y) / far;
    oct_point at = from;
    double rises = jump;
    bool falls = jump > 0.0;
    for (int n = 0; n < 600; n++) {
        oct_point next = {at.x + du * speed * tick, at.y + dv * speed * tick, at.z};
        if (falls) {
            const double before = rises;
            rises -= 9.8 * tick;
            next.z += (way == 0 ? before : way == 1 ? rises : 0.5 * (before + rises)) * tick;
        } else if (is_free(s, (oct_point){next.x, next.y, next.z - 1e-3}, s->radius)) {
            falls = true;
        }
        // It comes down on a level between the two, if there is ground.
        for (int k = (int)floor(at.z * QUARTER); falls && k >= ceil(next.z * QUARTER); k--) {
            const oct_point there = {next.x, next.y, (double)k / QUARTER};
            if (rises < 0.0 && is_free(s, there, s->radius) &&
                !is_free(s, (oct_point){there.x, there.y, there.z - 1e-3}, s->radius)) {
                *out = there;
                return true;
            }
        }
        if (!is_free(s, next, s->radius)) {
            return false;
        }
        at = next;
    }
    return false;
}

static void check_leap(scene *s, oct_point from, const oct_footing_leg *leg)
{
    const oct_point a = own(s, from), b = own(s, leg->to);
    for (int way = 0; way < 3; way++) {
        oct_point at = a;
        const double jump = leg->stride == OCT_STRIDE_JUMP ? s->jump : 0.0;
        assert_true(fly(s, a, b, leg->speed, jump, way, &at));
        // On ground of that height, from which it walks on.
        bool found;
        oct_foothold hold;
        assert_true(fabs(at.z - b.z) <= 1e-6);
        assert_int_equal(
            oct_footing_find(s->footing, world(s, at.x, at.y, at.z), 0.0, 0.0, &hold, &found),
            OCT_OK);
        assert_true(found);
    }
}

static void leaps_land_where_they_should(void **state)
{
    (void)state;
    scene *const s = malloc(sizeof *s);
    plain *const p = malloc(sizeof *p);
    assert_true(s && p);
    size_t counts[3] = {0};
    for (uint64_t seed = 1; seed <= test_rounds(400); seed++) {
        make_scene(seed, true, s);
        make_plain(s, p);
        int i, j, k;
        oct_foothold hold;
        if (!any_place(s, p, &i, &j, &k) || !find(s, i, j, k, &hold)) {
            free_scene(s);
            continue;
        }
        assert_int_equal(oct_footing_flood(s->footing, &hold), OCT_OK);
        const size_t reached = oct_footing_reached(s->footing);
        for (size_t n = 0; n < 20 && n < reached; n++) {
            const oct_footing_leg *legs;
            size_t count;
            double length;
            const oct_foothold to =
                oct_footing_reached_at(s->footing, below(s, (uint32_t)reached), &length);
            assert_int_equal(oct_footing_way(s->footing, &to, &legs, &count, &length), OCT_OK);
            oct_point from = hold.feet;
            for (size_t l = 0; l < count; l++) {
                counts[legs[l].stride]++;
                if (legs[l].stride != OCT_STRIDE_WALK) {
                    check_leap(s, from, &legs[l]);
                }
                from = legs[l].to;
            }
        }
        free_scene(s);
    }
    for (int stride = 0; stride < 3; stride++) {
        assert_true(counts[stride] > test_rounds(400) / 2);
    }
    free(s);
    free(p);
}

// ---- arguments ----

static oct_result flood_some(const oct_allocator *allocator, void *ctx)
{
    scene *const s = ctx;
    oct_footing_def def = oct_footing_def_default();
    def.map = s->map;
    def.up = s->up;
    def.walker.gravity = 9.8;
    def.walker.drop = 2.0;
    def.allocator = allocator;
    oct_footing *f;
    OCT_TRY(oct_footing_create(&def, &f));
    oct_result result = OCT_OK;
    oct_foothold hold;
    bool found = false;
    for (int n = 0; n < SIDE * SIDE && !found && result == OCT_OK; n++) {
        const oct_point at = world(s, n % SIDE + 0.5, n / SIDE + 0.5, 1.0);
        result = oct_footing_find(f, at, 2.0, 2.0, &hold, &found);
    }
    if (found && result == OCT_OK) {
        result = oct_footing_flood(f, &hold);
    }
    for (size_t n = 0; result == OCT_OK && n < oct_footing_reached(f); n += 7) {
        const oct_footing_leg *legs;
        size_t count;
        double length;
        const oct_foothold to = oct_footing_reached_at(f, n, &length);
        result = oct_footing_way(f, &to, &legs, &count, &length);
    }
    oct_footing_destroy(f);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    scene *const s = malloc(sizeof *s);
    assert_true(s);
    make_scene(3, false, s);
    assert_true(test_each_failure(flood_some, s) > 10);
    free_scene(s);
    free(s);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    scene *const s = malloc(sizeof *s);
    assert_true(s);
    make_scene(1, false, s);
    oct_footing *f;
    oct_footing_def def = oct_footing_def_default();
    assert_int_equal(oct_footing_create(&def, &f), OCT_ERROR_ARGUMENT); // no map
    def.map = s->map;
    def.walker.radius = 0.0;
    assert_int_equal(oct_footing_create(&def, &f), OCT_ERROR_ARGUMENT);
    def.walker.radius = 0.4;
    def.walker.drop = HUGE_VAL;
    assert_int_equal(oct_footing_create(&def, &f), OCT_ERROR_ARGUMENT);
    assert_null(f);
    free_scene(s);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_are_as_the_plain_ones),
        cmocka_unit_test(changes_are_followed),
        cmocka_unit_test(leaps_land_where_they_should),
        cmocka_unit_test(memory_that_is_short_is_a_result),
        cmocka_unit_test(bad_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
