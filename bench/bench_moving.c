// SPDX-License-Identifier: MIT
// The measurements of what moves: obstacles that move by one cell at a time among watched paths,
// and all that has to follow.
#include "bench/bench.h"
#include "bench/thing_scene.h"
#include "explore/frontier.h"
#include "octant/components.h"
#include "octant/tree.h"
#include "octant/watch.h"

#include <stdio.h>
#include <stdlib.h>

#define GOAL_SIZE 256 // the edge of the scene that the goals are meant for
#define MOVERS 1000   // in a cube of that edge
#define PATHS 1000
#define MOVER_EDGE 8
#define MOVER_ID UINT64_C(1000000)
#define PASSES 5
#define ROUND 2000 // moves there
#define TICK 100   // moves before paths are planned anew

// A cube that moves straight on, one cell at a time, and back where the scene ends.
typedef struct mover {
    oct_vec at, step;
} mover;

// What was measured in one pass: sums over all moves, seconds.
typedef struct moving_parts {
    double frontier_s, components_s, watch_s, replan_s;
    uint64_t broken; // paths
} moving_parts;

typedef struct moving_scene {
    thing_scene things;
    oct_map *map;
    oct_frontier *frontier;
    oct_components *components;
    oct_planner *planner;
    oct_watch *watch;
    mover *movers;
    size_t mover_count;
    size_t next;    // of them to move
    size_t round;   // moves of a pass
    double clock_s; // what a look at the clock takes
    int32_t edge;
    uint32_t told[PATHS];
    size_t told_count;
    moving_parts now;  // of the pass that is on
    moving_parts best; // the least of all passes
    bool is_measured;
} moving_scene;

// ---- following ----

static void note_told(void *ctx, const oct_broken *news)
{
    moving_scene *const s = ctx;
    s->told[s->told_count++] = news->id;
}

static oct_point start_of(const moving_scene *s, uint32_t id)
{
    oct_watched path;
    oct_watch_path(s->watch, id, &path);
    return oct_tree_point(oct_map_tree(s->map), path.lattice[0]);
}

// Plans what was told anew, from where the paths begin.
static bool replan_told(moving_scene *s)
{
    for (size_t i = 0; i < s->told_count; i++) {
        oct_path path;
        if (oct_watch_replan(s->watch, s->planner, s->told[i], start_of(s, s->told[i]), &path) !=
            OCT_OK) {
            return false;
        }
    }
    s->now.broken += s->told_count;
    s->told_count = 0;
    return true;
}

// All that follows a move, and has to be right before the next.
static bool follow(moving_scene *s)
{
    if (oct_frontier_update(s->frontier) != OCT_OK ||
        oct_components_update(s->components) != OCT_OK) {
        return false;
    }
    oct_watch_update(s->watch, note_told, s);
    return true;
}

// Brings everything that follows the map up to date.
static bool catch_up(void *ctx)
{
    moving_scene *const s = ctx;
    return follow(s) && replan_told(s);
}

static oct_bounds cube_at(oct_vec at)
{
    return (oct_bounds){{at.x, at.y, at.z},
                        {at.x + MOVER_EDGE, at.y + MOVER_EDGE, at.z + MOVER_EDGE}};
}

static void turn_at(int32_t at, int32_t edge, int32_t *step)
{
    *step = at <= 2 ? abs(*step) : at >= edge - MOVER_EDGE - 2 ? -abs(*step) : *step;
}

static oct_result move_one(moving_scene *s)
{
    const size_t which = s->next;
    mover *const m = &s->movers[which];
    s->next = (which + 1) % s->mover_count;
    turn_at(m->at.x, s->edge, &m->step.x);
    turn_at(m->at.y, s->edge, &m->step.y);
    turn_at(m->at.z, s->edge, &m->step.z);
    m->at = (oct_vec){m->at.x + m->step.x, m->at.y + m->step.y, m->at.z + m->step.z};
    return oct_map_move(s->map, MOVER_ID + which, cube_at(m->at));
}

// ---- rows that are timed as a whole: some moves, before which all is brought up to date ----

static bench_count run_map(void *ctx)
{
    moving_scene *const s = ctx;
    for (size_t i = 0; i < TICK; i++) {
        if (move_one(s) != OCT_OK) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){TICK, 0};
}

static bench_count run_all(void *ctx)
{
    moving_scene *const s = ctx;
    for (size_t i = 0; i < TICK; i++) {
        if (move_one(s) != OCT_OK || !follow(s)) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){TICK, 0};
}

static bench_count run_replans(void *ctx)
{
    moving_scene *const s = ctx;
    for (size_t i = 0; i < TICK; i++) {
        if (move_one(s) != OCT_OK || !follow(s) || !replan_told(s)) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){TICK, 0};
}

static const bench_work map_work = {.prepare = catch_up, .run = run_map};
static const bench_work all_work = {.prepare = catch_up, .run = run_all};
static const bench_work replans_work = {.prepare = catch_up, .run = run_replans};

// ---- rows of parts: a clock around each call; what it takes itself is taken off ----

static bool timed_move(moving_scene *s)
{
    if (move_one(s) != OCT_OK) {
        return false;
    }
    const double moved = oct_bench_now_s();
    if (oct_frontier_update(s->frontier) != OCT_OK) {
        return false;
    }
    const double bordered = oct_bench_now_s();
    if (oct_components_update(s->components) != OCT_OK) {
        return false;
    }
    const double joined = oct_bench_now_s();
    oct_watch_update(s->watch, note_told, s);
    const double told = oct_bench_now_s();
    s->now.frontier_s += bordered - moved - s->clock_s;
    s->now.components_s += joined - bordered - s->clock_s;
    s->now.watch_s += told - joined - s->clock_s;
    return true;
}

// Plans anew what was told during some moves.
static bool timed_replans(moving_scene *s)
{
    if (s->told_count == 0) {
        return true;
    }
    const double before = oct_bench_now_s();
    const bool replanned = replan_told(s);
    s->now.replan_s += oct_bench_now_s() - before;
    return replanned;
}

// 0: not measured yet.
static void keep_least(double *best, double now)
{
    *best = now > 0.0 && (*best <= 0.0 || now < *best) ? now : *best;
}

static double clock_cost(void)
{
    const double from = oct_bench_now_s();
    double to = from;
    for (int i = 0; i < 1000; i++) {
        to = oct_bench_now_s();
    }
    return (to - from) / 1000.0;
}

// The least of some passes for times; counts of all.
static bool measure_parts(moving_scene *s)
{
    moving_parts *const best = &s->best;
    s->clock_s = clock_cost();
    for (int i = 0; i < PASSES; i++) {
        bool is_good = catch_up(s);
        s->now = (moving_parts){.broken = 0};
        for (size_t k = 0; is_good && k < s->round; k++) {
            is_good = timed_move(s) && ((k + 1) % TICK != 0 || timed_replans(s));
        }
        if (!is_good) {
            return false;
        }
        const double moves = (double)s->round;
        const double broken = s->now.broken > 0 ? (double)s->now.broken : 1.0;
        keep_least(&best->frontier_s, s->now.frontier_s / moves);
        keep_least(&best->components_s, s->now.components_s / moves);
        keep_least(&best->watch_s, s->now.watch_s / moves);
        keep_least(&best->replan_s, s->now.replan_s / broken);
        best->broken += s->now.broken;
    }
    return true;
}

// NULL where it failed.
static const moving_parts *parts_of(void *ctx)
{
    moving_scene *const s = ctx;
    s->is_measured = s->is_measured || measure_parts(s);
    return s->is_measured ? &s->best : NULL;
}

static double frontier_us(void *ctx)
{
    const moving_parts *const parts = parts_of(ctx);
    return parts ? parts->frontier_s * 1e6 : -1.0;
}

static double components_us(void *ctx)
{
    const moving_parts *const parts = parts_of(ctx);
    return parts ? parts->components_s * 1e6 : -1.0;
}

static double watch_us(void *ctx)
{
    const moving_parts *const parts = parts_of(ctx);
    return parts ? parts->watch_s * 1e6 : -1.0;
}

static double replan_us(void *ctx)
{
    const moving_parts *const parts = parts_of(ctx);
    return parts ? parts->replan_s * 1e6 : -1.0;
}

static double broken_percent(void *ctx)
{
    const moving_parts *const parts = parts_of(ctx);
    const double moves = PASSES * (double)((const moving_scene *)ctx)->round;
    return parts ? 100.0 * (double)parts->broken / moves : -1.0;
}

static double watch_bytes(void *ctx)
{
    return (double)oct_watch_measure(((const moving_scene *)ctx)->watch).bytes;
}

static const bench_work frontier_work = {.measure = frontier_us};
static const bench_work components_work = {.measure = components_us};
static const bench_work watch_work = {.measure = watch_us};
static const bench_work replan_work = {.measure = replan_us};
static const bench_work broken_work = {.measure = broken_percent};
static const bench_work bytes_work = {.measure = watch_bytes};

// ---- the table ----

#define US 1e-6

static const bench moving_benches[] = {
    {"octree", "move_us", NULL, US, &map_work},
    {"octree", "frontier_us", NULL, 1.0, &frontier_work},
    {"octree", "components_us", NULL, 1.0, &components_work},
    {"octree", "watch_us", NULL, 1.0, &watch_work},
    {"octree", "moved_us", NULL, US, &all_work},
    {"octree", "replanned_us", NULL, US, &replans_work},
    {"octree", "replan_us", NULL, 1.0, &replan_work},
    {"octree", "broken_percent", NULL, 1.0, &broken_work},
    {"octree", "watch_bytes", NULL, 1.0, &bytes_work},
};

static const bench_goal moving_goals[] = {{"clusters", "moved_us", 30.0}};

static const bench_suite moving_suite = {
    .benches = moving_benches,
    .bench_count = sizeof moving_benches / sizeof moving_benches[0],
    .goals = moving_goals,
    .goal_count = sizeof moving_goals / sizeof moving_goals[0],
    .runs = 1, // each moves on
};

// ---- the scene ----

// Cubes at random places, each with a direction to move in.
static oct_result add_movers(moving_scene *s)
{
    oct_random random = oct_random_seed(3);
    const double share = (double)s->edge / GOAL_SIZE;
    s->mover_count = (size_t)(MOVERS * share * share * share) + 1;
    s->round = (size_t)(ROUND * share) + 1;
    s->movers = calloc(s->mover_count, sizeof *s->movers);
    for (size_t i = 0; s->movers && i < s->mover_count; i++) {
        mover *const m = &s->movers[i];
        m->at.x = oct_random_range(&random, 2, s->edge - MOVER_EDGE - 2);
        m->at.y = oct_random_range(&random, 2, s->edge - MOVER_EDGE - 2);
        m->at.z = oct_random_range(&random, 2, s->edge - MOVER_EDGE - 2);
        const uint64_t axis = oct_random_below(&random, 3);
        *(axis == 0   ? &m->step.x
          : axis == 1 ? &m->step.y
                      : &m->step.z) = oct_random_below(&random, 2) ? 1 : -1;
        const oct_thing made = {
            .id = MOVER_ID + i, .box = cube_at(m->at), .label = OCT_BLOCKED, .opaque = 1};
        OCT_TRY(oct_map_add(s->map, &made));
    }
    return s->movers ? OCT_OK : OCT_ERROR_MEMORY;
}

static oct_result fill_map(moving_scene *s)
{
    OCT_TRY(oct_thing_scene_map(&s->things, &s->map));
    for (size_t i = 0; i < s->things.count; i++) {
        OCT_TRY(oct_map_add(s->map, &s->things.things[i]));
    }
    // All cells were observed, so that what moves away leaves OPEN cells behind.
    const oct_box all = {{0, 0, 0}, {s->edge, s->edge, s->edge}};
    OCT_TRY(oct_map_set_box(s->map, all, OCT_MARK_KNOWN));
    return add_movers(s);
}

static oct_point random_free(const moving_scene *s, oct_random *random)
{
    for (;;) {
        const int32_t x = oct_random_range(random, 0, s->edge - 1);
        const int32_t y = oct_random_range(random, 0, s->edge - 1);
        const int32_t z = oct_random_range(random, 0, s->edge - 1);
        if (oct_tree_label(oct_map_tree(s->map), (oct_vec){x, y, z}) == OCT_OPEN) {
            return (oct_point){x + 0.5, y + 0.5, z + 0.5};
        }
    }
}

static oct_result add_paths(moving_scene *s)
{
    oct_random random = oct_random_seed(4);
    oct_query query = oct_query_default();
    query.grade = OCT_GRADE_FAST;
    const double share = (double)s->edge / GOAL_SIZE;
    const uint32_t count = share < 1.0 ? (uint32_t)(PATHS * share * share) + 1 : PATHS;
    for (uint32_t i = 0; i < count;) {
        query.from = random_free(s, &random);
        query.to = random_free(s, &random);
        oct_path path;
        OCT_TRY(oct_planner_plan(s->planner, &query, &path));
        if (path.status == OCT_PATH_FOUND) {
            uint32_t id;
            OCT_TRY(oct_watch_add(s->watch, &path, i++, &id));
        }
    }
    return OCT_OK;
}

static oct_result make_scene(moving_scene *s, const char *path, uint32_t size, oct_error *error)
{
    s->edge = path ? GOAL_SIZE : (int32_t)size;
    OCT_TRY(oct_thing_scene_boxes(&s->things, path, size, error));
    OCT_TRY(fill_map(s));
    oct_frontier_def frontier = oct_frontier_def_default();
    frontier.map = s->map;
    OCT_TRY(oct_frontier_create(&frontier, &s->frontier));
    oct_components_def parts = oct_components_def_default();
    parts.tree = oct_map_tree(s->map);
    OCT_TRY(oct_components_create(&parts, &s->components));
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = parts.tree;
    planner.components[0] = s->components;
    OCT_TRY(oct_planner_create(&planner, &s->planner));
    oct_watch_def watch = oct_watch_def_default();
    watch.tree = parts.tree;
    watch.query.grade = OCT_GRADE_FAST;
    OCT_TRY(oct_watch_create(&watch, &s->watch));
    return add_paths(s);
}

static void free_scene(moving_scene *s)
{
    oct_watch_destroy(s->watch);
    oct_planner_destroy(s->planner);
    oct_frontier_destroy(s->frontier);
    oct_components_destroy(s->components);
    oct_map_destroy(s->map);
    oct_thing_scene_free(&s->things);
    free(s->movers);
    free(s);
}

oct_result oct_bench_moving(bench_report *report)
{
    static const char name[] = "clusters";
    if (!oct_bench_wants(report, &moving_suite, name)) {
        return OCT_OK;
    }
    char path[1024] = "";
    if (report->options.scenes) {
        snprintf(path, sizeof path, "%s/%s.boxes", report->options.scenes, name);
    }
    const bool is_file = path[0] && oct_bench_file_exists(path);
    moving_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    report->scene = 0;
    report->scene_count = 1;
    oct_error error = {.line = 0};
    oct_result result = make_scene(scene, is_file ? path : NULL, report->options.size, &error);
    if (result == OCT_OK) {
        const bool with_goals = is_file || report->options.size == GOAL_SIZE;
        result = oct_bench_scene(report, &moving_suite, name, scene, with_goals);
    }
    if (result != OCT_OK && !report->message[0]) {
        oct_bench_explain(report, is_file ? path : name, result, &error);
    }
    free_scene(scene);
    return result;
}
