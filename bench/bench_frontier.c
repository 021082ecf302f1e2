// SPDX-License-Identifier: MIT
// The frontier: how long the nearest cell, following an edit or an observation, and a selection
// take. Only the frontier's own time counts, not the map's.
#include "bench/bench.h"
#include "bench/thing_scene.h"
#include "explore/frontier.h"
#include "octant/components.h"

#include <math.h>
#include <stdlib.h>

#define MOVER_ID UINT64_MAX
#define BALL 32.0 // cells: the radius of an observation
#define POINTS 4096
#define SELECT_QUERIES 1000
#define SLACK 0.25

typedef struct front_scene {
    thing_scene things;
    bool is_empty;    // nothing but a ball of OPEN cells
    oct_point middle; // where is looked from first
    oct_point steps[VIEW_COUNT];
    oct_frontier *frontier; // of things.map
    // Places inside, and a limit for each: a little more than what is nearest.
    oct_fine points[POINTS];
    double limits[POINTS];
} front_scene;

// ---- maps ----

static bool look(front_scene *s, oct_point from, double cells)
{
    const oct_view view = {
        .centre = from, .radius = cells * s->things.cell_size, .sight = OCT_SIGHT_THROUGH};
    return oct_map_observe(s->things.map, &view, s->things.things,
                           s->is_empty ? 0 : s->things.count, NULL) == OCT_OK;
}

// A map that was looked at from the middle, and its frontier.
static bool prepare(front_scene *s, double cells)
{
    oct_frontier_destroy(s->frontier);
    oct_map_destroy(s->things.map);
    s->frontier = NULL;
    s->things.map = NULL;
    if (oct_thing_scene_map(&s->things, &s->things.map) != OCT_OK || !look(s, s->middle, cells)) {
        return false;
    }
    oct_frontier_def def = oct_frontier_def_default();
    def.map = s->things.map;
    return oct_frontier_create(&def, &s->frontier) == OCT_OK;
}

static bool is_empty(const void *ctx)
{
    return ((const front_scene *)ctx)->is_empty;
}

static bool is_full(const void *ctx)
{
    return !is_empty(ctx);
}

static bool has_mover(const void *ctx)
{
    return is_full(ctx) && ((const front_scene *)ctx)->things.has_mover;
}

// ---- the nearest cell ----

// Places as a search has them: anywhere in the ball that is known.
static void draw_points(front_scene *s, double radius)
{
    oct_random random = oct_random_seed(1);
    const double edge = s->things.cell_size;
    for (size_t i = 0; i < POINTS; i++) {
        double by[3];
        do {
            for (int axis = 0; axis < 3; axis++) {
                by[axis] = (2.0 * oct_random_unit(&random) - 1.0) * radius;
            }
        } while (by[0] * by[0] + by[1] * by[1] + by[2] * by[2] > radius * radius);
        s->points[i] = (oct_fine){(int64_t)((s->middle.x / edge + by[0]) * OCT_FINE),
                                  (int64_t)((s->middle.y / edge + by[1]) * OCT_FINE),
                                  (int64_t)((s->middle.z / edge + by[2]) * OCT_FINE)};
        oct_vec cell;
        s->limits[i] = 0.0;
        if (oct_frontier_nearest(s->frontier, s->points[i], NULL, HUGE_VAL, 0.0, &cell,
                                 &s->limits[i])) {
            s->limits[i] += 1.0;
        }
    }
}

static bool prepare_ball(void *ctx)
{
    front_scene *const s = ctx;
    if (!prepare(s, BALL)) {
        return false;
    }
    draw_points(s, BALL);
    return true;
}

static bench_count run_nearest(front_scene *s, bool limited, double slack)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        oct_vec cell = {0, 0, 0};
        oct_frontier_nearest(s->frontier, s->points[i], NULL, limited ? s->limits[i] : HUGE_VAL,
                             slack, &cell, NULL);
        sum += (uint64_t)(uint32_t)cell.x + 31u * (uint32_t)cell.y + 977u * (uint32_t)cell.z;
    }
    return (bench_count){POINTS, sum};
}

static bench_count run_near(void *ctx)
{
    return run_nearest(ctx, true, 0.0);
}

static bench_count run_slack(void *ctx)
{
    return run_nearest(ctx, true, SLACK);
}

static bench_count run_any(void *ctx)
{
    return run_nearest(ctx, false, 0.0);
}

static const bench_work limited = {.prepare = prepare_ball, .run = run_near};
static const bench_work slackened = {.prepare = prepare_ball, .run = run_slack};
static const bench_work unlimited = {.prepare = prepare_ball, .run = run_any};

// ---- following ----

// Adds the time of an update to a sum.
static bool time_update(front_scene *s, double *sum_s)
{
    const double from = oct_bench_now_s();
    const oct_result result = oct_frontier_update(s->frontier);
    *sum_s += oct_bench_now_s() - from;
    return result == OCT_OK;
}

// A box of 8^3 cells that moves through the world, of which a ball around the middle is known; us.
static double measure_move(void *ctx)
{
    front_scene *const s = ctx;
    const oct_thing mover = {
        .id = MOVER_ID, .box = s->things.moves[0], .label = OCT_BLOCKED, .opaque = 1};
    double sum_s = 0.0;
    bool good = prepare(s, 3.0 * BALL) && oct_map_add(s->things.map, &mover) == OCT_OK;
    for (int i = 0; i <= MOVE_COUNT && good; i++) {
        good = oct_map_move(s->things.map, MOVER_ID, s->things.moves[i]) == OCT_OK &&
               time_update(s, &sum_s);
    }
    return good ? sum_s * 1e6 / (MOVE_COUNT + 1) : -1.0;
}

// Looking around at some more places; ms for each.
static double measure_observe(void *ctx)
{
    front_scene *const s = ctx;
    double best = HUGE_VAL;
    for (int round = 0; round < 3; round++) {
        double sum_s = 0.0;
        bool good = prepare(s, BALL);
        for (size_t i = 0; i < VIEW_COUNT && good; i++) {
            good = look(s, s->steps[i], BALL) && time_update(s, &sum_s);
        }
        if (!good) {
            return -1.0;
        }
        best = sum_s < best ? sum_s : best;
    }
    return best * 1e3 / VIEW_COUNT;
}

static double measure_create(void *ctx)
{
    front_scene *const s = ctx;
    if (!prepare(s, 3.0 * BALL)) {
        return -1.0;
    }
    double best = HUGE_VAL;
    for (int round = 0; round < 3; round++) {
        oct_frontier_destroy(s->frontier);
        s->frontier = NULL;
        oct_frontier_def def = oct_frontier_def_default();
        def.map = s->things.map;
        const double from = oct_bench_now_s();
        if (oct_frontier_create(&def, &s->frontier) != OCT_OK) {
            return -1.0;
        }
        const double took = oct_bench_now_s() - from;
        best = took < best ? took : best;
    }
    return best * 1e3;
}

static double measure_bytes(void *ctx)
{
    front_scene *const s = ctx;
    return prepare(s, 3.0 * BALL) ? (double)oct_frontier_bytes(s->frontier) : -1.0;
}

static double measure_cells(void *ctx)
{
    front_scene *const s = ctx;
    return prepare(s, 3.0 * BALL) ? (double)oct_frontier_count(s->frontier) : -1.0;
}

// ---- choosing ----

// One selection and many questions after it, in each of which it may meet what does not count; us.
static double time_selection(front_scene *s, const oct_components *components)
{
    const double edge = s->things.cell_size;
    const oct_vec home = {(int32_t)floor(s->middle.x / edge), (int32_t)floor(s->middle.y / edge),
                          (int32_t)floor(s->middle.z / edge)};
    const uint32_t component = oct_components_at(components, home);
    double best = HUGE_VAL;
    for (int round = 0; round < 5; round++) {
        const double from = oct_bench_now_s();
        oct_frontier_select(s->frontier, components, component);
        for (size_t i = 0; i < SELECT_QUERIES; i++) {
            oct_vec cell;
            oct_frontier_nearest(s->frontier, s->points[i], NULL, s->limits[i], 0.0, &cell, NULL);
        }
        const double took = oct_bench_now_s() - from;
        best = took < best ? took : best;
    }
    return best * 1e6;
}

static bool pass(void *ctx, const oct_box *cells)
{
    *(uint64_t *)ctx += (uint64_t)(cells->max.x - cells->min.x);
    return true;
}

// All of the frontier asked once; us.
static double time_whole(front_scene *s, const oct_components *components)
{
    double best = HUGE_VAL;
    for (int round = 0; round < 5; round++) {
        uint64_t sum = 0;
        const double from = oct_bench_now_s();
        oct_frontier_select(s->frontier, components, UINT32_MAX);
        oct_frontier_visit(s->frontier, NULL, pass, &sum);
        const double took = oct_bench_now_s() - from;
        best = took < best && sum == 0 ? took : best;
    }
    return best * 1e6;
}

typedef double selection_fn(front_scene *s, const oct_components *components);

static double measure_selection(front_scene *s, selection_fn *time)
{
    oct_components_def def = oct_components_def_default();
    oct_components *components;
    if (!prepare(s, 3.0 * BALL)) {
        return -1.0;
    }
    draw_points(s, 3.0 * BALL);
    def.tree = oct_map_tree(s->things.map);
    if (oct_components_create(&def, &components) != OCT_OK) {
        return -1.0;
    }
    const double us = time(s, components);
    oct_components_destroy(components);
    return us;
}

static double measure_select(void *ctx)
{
    return measure_selection(ctx, time_selection);
}

static double measure_whole(void *ctx)
{
    return measure_selection(ctx, time_whole);
}

// ---- rows ----

static const bench_work move = {.measure = measure_move, .applies = has_mover};
static const bench_work observe = {.measure = measure_observe, .applies = is_full};
static const bench_work create = {.measure = measure_create};
static const bench_work bytes = {.measure = measure_bytes};
static const bench_work cells = {.measure = measure_cells};
static const bench_work select_some = {.measure = measure_select, .applies = is_full};
static const bench_work select_whole = {.measure = measure_whole, .applies = is_full};

static const bench benches[] = {
    {"octree", "nearest_ns", "octree nearest_any_ns", 1e-9, &limited},
    {"octree", "nearest_slack_ns", "octree nearest_ns", 1e-9, &slackened},
    {"octree", "nearest_any_ns", NULL, 1e-9, &unlimited},
    {"octree", "update_us", NULL, 1.0, &move},
    {"octree", "observe_update_ms", "octree create_ms", 1.0, &observe},
    {"octree", "create_ms", NULL, 1.0, &create},
    {"octree", "select_us", NULL, 1.0, &select_some},
    {"octree", "select_all_us", NULL, 1.0, &select_whole},
    {"octree", "frontier_cells", NULL, 1.0, &cells},
    {"octree", "frontier_bytes", NULL, 1.0, &bytes},
};

static const bench_goal goals[] = {
    {NULL, "observe_update_ms", 1.0},
    {"clusters", "update_us", 10.0},
};

static const bench_suite frontier_suite = {
    .benches = benches,
    .bench_count = sizeof benches / sizeof benches[0],
    .goals = goals,
    .goal_count = sizeof goals / sizeof goals[0],
    .runs = 3,
    .row_s = 3.0,
};

// ---- scenes ----

static const char *const names[] = {"ball", "clusters", "maze"};

static oct_result make_scene(const bench_report *report, size_t which, front_scene *s)
{
    oct_error error;
    if (which == 2) {
        OCT_TRY(oct_thing_scene_generate(&s->things, OCT_GENERATE_GLASS_MAZE));
        s->middle = s->things.home;
        memcpy(s->steps, s->things.views, sizeof s->steps);
        return OCT_OK;
    }
    OCT_TRY(oct_thing_scene_boxes(&s->things, NULL, report->options.size, &error));
    s->is_empty = which == 0;
    const double half = report->options.size / 2.0;
    s->middle = (oct_point){half + 0.5, half + 0.5, half + 0.5};
    for (size_t i = 0; i < VIEW_COUNT; i++) {
        s->steps[i] = (oct_point){half + 20.5 * ((double)i + 1.0), half + 0.5, half + 0.5};
    }
    return OCT_OK;
}

oct_result oct_bench_frontier(bench_report *report)
{
    oct_result result = OCT_OK;
    report->scene = 0;
    report->scene_count = sizeof names / sizeof names[0];
    for (size_t i = 0; i < report->scene_count && result == OCT_OK; i++, report->scene++) {
        front_scene *const s = calloc(1, sizeof *s);
        if (!s) {
            return OCT_ERROR_MEMORY;
        }
        if (oct_bench_wants(report, &frontier_suite, names[i])) {
            result = make_scene(report, i, s);
            if (result == OCT_OK) {
                result = oct_bench_scene(report, &frontier_suite, names[i], s,
                                         report->options.size == 256);
            }
        }
        oct_frontier_destroy(s->frontier);
        oct_thing_scene_free(&s->things);
        free(s);
    }
    return result;
}
