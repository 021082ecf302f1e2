// SPDX-License-Identifier: MIT
// Surfaces without what obstacles cover: compared with a fine flood, on random floors.
#include "support.h"

#include "generate/generate_floor.h"
#include "octant/surface_carve.h"
#include "octant/surface_path.h"
#include "surface/graph.h"
#include "verify/surface_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRID 60 // places along an edge of the fine grid
#define SHAPES 3

typedef struct scene {
    oct_surface *surface, *carved;
    oct_point outlines[SHAPES][4];
    oct_surface_shape shapes[SHAPES];
    double clearance, edge;
    oct_random random;
} scene;

static double between(scene *s, double low, double high)
{
    return low + (high - low) * oct_random_unit(&s->random);
}

static void add_shape(scene *s, uint32_t i)
{
    const double x = between(s, 0.0, s->edge), y = between(s, 0.0, s->edge);
    const double w = between(s, 0.1, 0.9), d = between(s, 0.1, 0.9);
    const oct_point outline[4] = {{x - w, y - 0.5 * d, 0},
                                  {x + 0.5 * w, y - d, 0},
                                  {x + w, y + 0.5 * d, 0},
                                  {x - 0.5 * w, y + d, 0}};
    memcpy(s->outlines[i], outline, sizeof outline);
    s->shapes[i] = (oct_surface_shape){.outline = s->outlines[i],
                                       .count = 4,
                                       .low = -1.0,
                                       .high = 4.0,
                                       .effect = OCT_SURFACE_BLOCKS};
    s->shapes[i].padding = oct_random_below(&s->random, 2) == 0 ? 0.0 : between(s, 0.05, 0.3);
}

// The scene must not move: its shapes point into it.
static void make_scene(uint64_t seed, scene *s)
{
    *s = (scene){.random = oct_random_seed(seed)};
    const oct_allocator memory = oct_allocator_default();
    floor_def def = {.kind = seed % 2 == 0 ? FLOOR_BENT : FLOOR_TILED, .seed = seed};
    def.edge = 2 + (uint32_t)oct_random_below(&s->random, 4);
    def.holes = 0.3 * oct_random_unit(&s->random);
    def.heights = seed % 3 == 0 ? 0.5 : 0.0;
    s->edge = def.edge;
    floor_mesh mesh;
    assert_int_equal(oct_floor_generate(&def, &memory, &mesh), OCT_OK);
    const oct_surface_def surface_def = oct_floor_def(&mesh);
    assert_int_equal(oct_surface_create(&surface_def, &s->surface, NULL), OCT_OK);
    oct_floor_free(&mesh, &memory);
    for (uint32_t i = 0; i < SHAPES; i++) {
        add_shape(s, i);
    }
    s->clearance = seed % 4 == 0 ? between(s, 0.05, 0.3) : 0.0;
    assert_int_equal(
        oct_surface_carve(s->surface, s->shapes, SHAPES, s->clearance, NULL, &s->carved), OCT_OK);
}

static void free_scene(scene *s)
{
    oct_surface_destroy(s->carved);
    oct_surface_destroy(s->surface);
}

static double distance_to_segment(double px, double py, double ax, double ay, double bx, double by)
{
    const double x = bx - ax, y = by - ay;
    double t = ((px - ax) * x + (py - ay) * y) / (x * x + y * y);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const double dx = ax + t * x - px, dy = ay + t * y - py;
    return sqrt(dx * dx + dy * dy);
}

// How far a place is from what blocks, less what it must keep; negative inside.
static double room_at(const scene *s, double x, double y)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < SHAPES; i++) {
        const oct_point *const o = s->outlines[i];
        double distance = HUGE_VAL, outside = -HUGE_VAL;
        for (uint32_t k = 0; k < 4; k++) {
            const oct_point a = o[k], b = o[(k + 1) % 4];
            const double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
            const double side = ((b.y - a.y) * (x - a.x) - (b.x - a.x) * (y - a.y)) / length;
            outside = fmax(outside, side);
            distance = fmin(distance, distance_to_segment(x, y, a.x, a.y, b.x, b.y));
        }
        least = fmin(least, (outside <= 0.0 ? -distance : distance) - s->shapes[i].padding);
    }
    for (uint32_t h = 0; s->clearance > 0.0 && h < s->surface->info.corners; h++) {
        const half_edge *const p = &s->surface->edges[h], *const q = &s->surface->edges[p->next];
        if (p->twin == NO_EDGE) {
            least = fmin(least, distance_to_segment(x, y, p->x, p->y, q->x, q->y) - s->clearance);
        }
    }
    return least;
}

static uint32_t face_at(const oct_surface *s, double x, double y)
{
    for (uint32_t f = 0; f < s->info.faces; f++) {
        if (oct_surface_holds(s, f, x, y, 0.0)) {
            return f;
        }
    }
    return OCT_SURFACE_NONE;
}

static double place_of(const scene *s, uint32_t i)
{
    return -0.3 + (s->edge + 0.6) * (i + 0.5) / GRID;
}

// A flood over a fine grid, with room to spare for the straight sides of what is taken away.
static void flood(const scene *s, uint8_t *open, uint32_t *parts)
{
    const double step = (s->edge + 0.6) / GRID;
    double most = s->clearance;
    for (uint32_t i = 0; i < SHAPES; i++) {
        most = fmax(most, s->shapes[i].padding);
    }
    const double spare = 1.5 * step + 0.42 * most;
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const double x = place_of(s, i % GRID), y = place_of(s, i / GRID);
        open[i] = face_at(s->surface, x, y) != OCT_SURFACE_NONE && room_at(s, x, y) > spare;
        for (uint32_t h = 0; open[i] && h < s->surface->info.corners; h++) {
            const half_edge *const p = &s->surface->edges[h], *q = &s->surface->edges[p->next];
            open[i] = p->twin != NO_EDGE ||
                      distance_to_segment(x, y, p->x, p->y, q->x, q->y) > 1.5 * step;
        }
        parts[i] = 0;
    }
    uint32_t *const stack = malloc(GRID * GRID * sizeof *stack);
    uint32_t part = 0;
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        if (!open[i] || parts[i]) {
            continue;
        }
        uint32_t count = 0;
        stack[count++] = i;
        parts[i] = ++part;
        while (count > 0) {
            const uint32_t at = stack[--count];
            const uint32_t next[4] = {
                at % GRID > 0 ? at - 1 : at, at % GRID + 1 < GRID ? at + 1 : at,
                at >= GRID ? at - GRID : at, at / GRID + 1 < GRID ? at + GRID : at};
            for (int k = 0; k < 4; k++) {
                if (open[next[k]] && !parts[next[k]]) {
                    parts[next[k]] = part;
                    stack[count++] = next[k];
                }
            }
        }
    }
    free(stack);
}

static void check_path(const scene *s, oct_surface_planner *planner, surface_judge *judge,
                       uint32_t a, uint32_t b)
{
    oct_surface_query query = oct_surface_query_default();
    query.step_height = 5.0;
    query.from = (oct_point){place_of(s, a % GRID), place_of(s, a / GRID), 0.0};
    query.to = (oct_point){place_of(s, b % GRID), place_of(s, b / GRID), 0.0};
    oct_surface_path path;
    assert_int_equal(oct_surface_plan(planner, &query, &path), OCT_OK);
    assert_int_equal(path.status, OCT_SURFACE_FOUND);
    // Valid on the old surface, and as far from everything as it must be.
    const uint32_t from = s->carved->faces[path.from.face].source;
    const uint32_t to = s->carved->faces[path.to.face].source;
    assert_true(oct_surface_judge_path(judge, path.points, path.point_count, from, to));
    for (uint32_t i = 0; i + 1 < path.point_count; i++) {
        const oct_point p = path.points[i], q = path.points[i + 1];
        for (int k = 0; k <= 50; k++) {
            const double t = k / 50.0;
            assert_true(room_at(s, p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)) > -1e-4);
        }
    }
}

static void ways_beside_obstacles_are_kept(void **state)
{
    (void)state;
    uint8_t *const open = malloc(GRID * GRID);
    uint32_t *const parts = malloc(GRID * GRID * sizeof *parts);
    uint64_t checked = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s;
        make_scene(seed, &s);
        oct_surface_planner *planner;
        surface_judge judge;
        assert_int_equal(oct_surface_planner_create(s.carved, NULL, &planner), OCT_OK);
        assert_int_equal(oct_surface_judge_open(&judge, s.surface, 1e-4), OCT_OK);
        flood(&s, open, parts);
        for (int i = 0, tries = 0; i < 6 && tries < 1000; tries++) {
            const uint32_t a = (uint32_t)oct_random_below(&s.random, GRID * GRID);
            const uint32_t b = (uint32_t)oct_random_below(&s.random, GRID * GRID);
            if (parts[a] && parts[a] == parts[b]) {
                check_path(&s, planner, &judge, a, b);
                checked++;
                i++;
            }
        }
        // What is covered is not on the carved surface.
        for (uint32_t i = 0; i < GRID * GRID; i += 7) {
            const double x = place_of(&s, i % GRID), y = place_of(&s, i / GRID);
            if (room_at(&s, x, y) < -1e-4) {
                assert_int_equal(face_at(s.carved, x, y), OCT_SURFACE_NONE);
            }
        }
        oct_surface_judge_close(&judge);
        oct_surface_planner_destroy(planner);
        free_scene(&s);
    }
    assert_true(checked > 100);
    free(parts);
    free(open);
}

static void nothing_carved_changes_nothing(void **state)
{
    (void)state;
    scene s;
    make_scene(3, &s);
    oct_surface *same;
    assert_int_equal(oct_surface_carve(s.surface, NULL, 0, 0.0, NULL, &same), OCT_OK);
    assert_int_equal(same->info.faces, s.surface->info.faces);
    assert_int_equal(same->info.islands, s.surface->info.islands);
    assert_int_equal(same->info.borders, s.surface->info.borders);
    assert_true(same->info.area == s.surface->info.area);
    oct_surface_destroy(same);
    s.shapes[0].count = 2;
    assert_int_equal(oct_surface_carve(s.surface, s.shapes, 1, 0.0, NULL, &same),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_surface_carve(s.surface, s.shapes, 0, -1.0, NULL, &same),
                     OCT_ERROR_ARGUMENT);
    free_scene(&s);
}

static oct_result carve(const oct_allocator *allocator, void *ctx)
{
    const scene *const s = ctx;
    oct_surface *out;
    const oct_result result =
        oct_surface_carve(s->surface, s->shapes, SHAPES, 0.1, allocator, &out);
    oct_surface_destroy(out);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    scene s;
    make_scene(4, &s);
    assert_true(test_each_failure(carve, &s) > 10);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_beside_obstacles_are_kept),
        cmocka_unit_test(nothing_carved_changes_nothing),
        cmocka_unit_test(memory_that_is_short_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
