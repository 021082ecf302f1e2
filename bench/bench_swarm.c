// SPDX-License-Identifier: MIT
// Crowds of units in the scene `clusters`: what a tick takes, from the moment that all have asked
// for a path, and then while everyone who has arrived is sent on.
//
// Units have a radius of half a cell and go a quarter of a cell a tick. The map counts as padded:
// it is the units' centres that keep out of what is BLOCKED. Both structures do the same, one on
// the threads that are lent and one on the calling thread alone, and must come to the same bits.
// Then the scene `hole`: a crowd against He and Hung's force.
#include "bench/bench.h"
#include "bench/search_scene.h"
#include "bench/swarm_hole.h"
#include "octant/components.h"
#include "octant/crowd.h"
#include "octant/line.h"
#include "octant/tree.h"

#include <stdio.h>
#include <stdlib.h>

#define SWARM_SEED 20260107
#define GOAL_SIZE 256        // the edge of the scene that the goals are meant for
#define TICKS 20             // a run
#define BURST_TICKS_MAX 4000 // until everyone has a path
#define PLAN_BUDGET 3000     // expansions a tick
#define TICKS_PER_SECOND 20.0
#define RADIUS 0.5
#define STEP 0.25 // cells a tick
#define MS 1e-3
#define DRAWS_MAX 100 // for each cell that is drawn

#define THREADS "octree"
#define ONE_CORE "one-core"
#define WAYS 2

typedef struct swarm_way {
    oct_crowd *crowd;
    oct_random random; // for goals
    double burst_ms;   // a tick, until everyone had a path
    double wait_mean, wait_max;
    double plan_s, all_s; // of one core: on planning, and in all
    double cpu_s;         // of the calling thread, in all
    uint64_t ticks;
} swarm_way;

typedef struct swarm_scene {
    search_scene map;
    oct_components *components;
    uint32_t home; // the component that everyone is in
    uint32_t count;
    oct_unit *units[WAYS];
    swarm_way ways[WAYS];
    size_t way; // whose turn it is
} swarm_scene;

// ---- one core ----

// Part 0 of a crowd's tick is its planning.
static void run_timed(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    swarm_way *const w = ctx;
    const double start = oct_bench_wall_s();
    for (uint32_t i = 0; i < count; i++) {
        task(arg, i, 0);
        w->plan_s += i == 0 ? oct_bench_wall_s() - start : 0.0;
    }
}

// ---- goals ----

static bool draw_cell(swarm_scene *s, oct_random *random, oct_point *out)
{
    for (int i = 0; i < DRAWS_MAX; i++) {
        const int32_t x = oct_random_range(random, s->map.box.min.x, s->map.box.max.x - 1);
        const int32_t y = oct_random_range(random, s->map.box.min.y, s->map.box.max.y - 1);
        const int32_t z = oct_random_range(random, s->map.box.min.z, s->map.box.max.z - 1);
        const uint32_t component = oct_components_at(s->components, (oct_vec){x, y, z});
        s->home = s->home ? s->home : component;
        if (component && component == s->home) {
            *out = (oct_point){x + 0.5, y + 0.5, z + 0.5};
            return true;
        }
    }
    return false;
}

static bool send_on(swarm_scene *s, size_t way, uint32_t i)
{
    swarm_way *const w = &s->ways[way];
    oct_point goal;
    return draw_cell(s, &w->random, &goal) &&
           oct_crowd_send(w->crowd, s->units[way][i], goal, STEP) == OCT_OK;
}

static bool tick(swarm_scene *s, size_t way)
{
    swarm_way *const w = &s->ways[way];
    const double start = oct_bench_wall_s(), cpu_start = oct_bench_now_s();
    if (oct_crowd_step(w->crowd) != OCT_OK) {
        return false;
    }
    w->all_s += oct_bench_wall_s() - start;
    w->cpu_s += oct_bench_now_s() - cpu_start;
    w->ticks++;
    for (uint32_t i = 0; i < s->count; i++) {
        oct_unit_state state;
        if (!oct_crowd_state(w->crowd, s->units[way][i], &state) ||
            (state.status == OCT_UNIT_ARRIVED && !send_on(s, way, i))) {
            return false;
        }
    }
    return true;
}

// ---- rows ----

static void select_way(void *scene, const char *structure)
{
    ((swarm_scene *)scene)->way = strcmp(structure, THREADS) == 0 ? 0 : 1;
}

static bool prepare_nothing(void *scene)
{
    (void)scene;
    return true;
}

static bench_count run_ticks(void *scene)
{
    swarm_scene *const s = scene;
    for (int i = 0; i < TICKS; i++) {
        if (!tick(s, s->way)) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){TICKS, 0};
}

// Where everyone is.
static uint64_t check_places(void *scene)
{
    const swarm_scene *const s = scene;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        oct_unit_state state;
        oct_crowd_state(s->ways[s->way].crowd, s->units[s->way][i], &state);
        sum = sum * 31u + oct_hash_words(&state.place, 3);
    }
    return sum >> 1; // JSON has no more than 63 bits
}

static const swarm_way *way_of(void *scene)
{
    return &((swarm_scene *)scene)->ways[((swarm_scene *)scene)->way];
}

static double measure_burst(void *scene)
{
    return way_of(scene)->burst_ms;
}

static double measure_wait(void *scene)
{
    return way_of(scene)->wait_mean;
}

static double measure_wait_max(void *scene)
{
    return way_of(scene)->wait_max;
}

static double measure_plan(void *scene)
{
    const swarm_way *const w = way_of(scene);
    return 100.0 * w->plan_s / w->all_s;
}

// What a tick takes of one core, whatever else the machine does.
static double measure_cpu(void *scene)
{
    const swarm_way *const w = way_of(scene);
    return w->cpu_s * 1e3 / (double)w->ticks;
}

// Pairs of units that overlap, and units inside something.
static double measure_overlaps(void *scene)
{
    const swarm_scene *const s = scene;
    double bad = 0.0;
    oct_fine *const places = calloc(s->count, sizeof *places);
    for (uint32_t i = 0; places && i < s->count; i++) {
        oct_unit_state state;
        oct_crowd_state(s->ways[s->way].crowd, s->units[s->way][i], &state);
        places[i] = state.place;
        bad += !oct_tree_line_of_sight(s->map.tree, NULL, state.place, state.place);
        for (uint32_t k = 0; k < i; k++) {
            const double x = (double)(places[i].x - places[k].x);
            const double y = (double)(places[i].y - places[k].y);
            const double z = (double)(places[i].z - places[k].z);
            const double least = 2.0 * RADIUS * OCT_FINE;
            bad += x * x + y * y + z * z < least * least;
        }
    }
    free(places);
    return places ? bad : -1.0;
}

static double measure_bytes(void *scene)
{
    return (double)oct_crowd_measure(way_of(scene)->crowd).bytes;
}

static double measure_planner_bytes(void *scene)
{
    return (double)oct_crowd_measure(way_of(scene)->crowd).planner_bytes;
}

static const bench_work ticks = {
    .prepare = prepare_nothing, .run = run_ticks, .check = check_places};
static const bench_work burst = {.measure = measure_burst};
static const bench_work wait_mean = {.measure = measure_wait};
static const bench_work wait_max = {.measure = measure_wait_max};
static const bench_work plan = {.measure = measure_plan};
static const bench_work cpu = {.measure = measure_cpu};
static const bench_work overlaps = {.measure = measure_overlaps};
static const bench_work bytes = {.measure = measure_bytes};
static const bench_work planner_bytes = {.measure = measure_planner_bytes};

static const bench swarm_benches[] = {
    {THREADS, "tick_ms", ONE_CORE " tick_ms", MS, &ticks},
    {THREADS, "burst_tick_ms", ONE_CORE " burst_tick_ms", 1.0, &burst},
    {THREADS, "wait_ticks", NULL, 1.0, &wait_mean},
    {THREADS, "wait_max_ticks", NULL, 1.0, &wait_max},
    {THREADS, "overlaps", NULL, 1.0, &overlaps},
    {THREADS, "crowd_bytes", NULL, 1.0, &bytes},
    {THREADS, "planner_bytes", NULL, 1.0, &planner_bytes},
    {ONE_CORE, "tick_ms", NULL, MS, &ticks},
    {ONE_CORE, "burst_tick_ms", NULL, 1.0, &burst},
    {ONE_CORE, "tick_cpu_ms", NULL, 1.0, &cpu},
    {ONE_CORE, "plan_percent", NULL, 1.0, &plan},
};

// 20 ticks a second.
static const bench_goal swarm_goals[] = {
    {NULL, "tick_ms", 50.0},
    {NULL, "burst_tick_ms", 50.0},
    {NULL, "overlaps", 0.0},
};

static const bench_suite swarm_suite = {
    .benches = swarm_benches,
    .bench_count = sizeof swarm_benches / sizeof swarm_benches[0],
    .goals = swarm_goals,
    .goal_count = sizeof swarm_goals / sizeof swarm_goals[0],
    .runs = 1,
    .now_s = oct_bench_wall_s,
    .select = select_way,
};

// ---- a hole ----

#define CROWD "octree"
#define FORCE "force"

typedef struct hole_scene {
    hole_result results[2];
    bool is_force; // whose turn it is
} hole_scene;

static void select_hole(void *scene, const char *structure)
{
    ((hole_scene *)scene)->is_force = strcmp(structure, FORCE) == 0;
}

static const hole_result *hole_of(void *scene)
{
    const hole_scene *const s = scene;
    return &s->results[s->is_force];
}

static double measure_arrival(void *scene)
{
    return hole_of(scene)->ticks;
}

static double measure_arrived(void *scene)
{
    return hole_of(scene)->arrived;
}

static double measure_hole_overlaps(void *scene)
{
    return (double)hole_of(scene)->overlaps;
}

static double measure_deepest(void *scene)
{
    return hole_of(scene)->deepest_m;
}

static const bench_work arrival = {.measure = measure_arrival};
static const bench_work arrived = {.measure = measure_arrived};
static const bench_work hole_overlaps = {.measure = measure_hole_overlaps};
static const bench_work deepest = {.measure = measure_deepest};

#define HOLE_WAY(structure)                                                                        \
    {structure, "arrive_ticks", NULL, 1.0, &arrival}, {structure, "arrived", NULL, 1.0, &arrived}, \
        {structure, "overlaps", NULL, 1.0, &hole_overlaps},                                        \
    {                                                                                              \
        structure, "overlap_m", NULL, 1.0, &deepest                                                \
    }

static const bench hole_benches[] = {HOLE_WAY(CROWD), HOLE_WAY(FORCE)};

static const bench_goal hole_goals[] = {{NULL, "overlaps", 0.0}, {NULL, "overlap_m", 1e-3}};

static const bench_suite hole_suite = {
    .benches = hole_benches,
    .bench_count = sizeof hole_benches / sizeof hole_benches[0],
    .goals = hole_goals,
    .goal_count = sizeof hole_goals / sizeof hole_goals[0],
    .runs = 1,
    .select = select_hole,
};

static oct_result measure_hole(bench_report *report)
{
    hole_scene s = {.is_force = false};
    OCT_TRY(oct_swarm_hole_crowd(&s.results[0]));
    OCT_TRY(oct_swarm_hole_force(&s.results[1]));
    return oct_bench_scene(report, &hole_suite, "hole", &s, true);
}

// ---- scenes ----

static bool add_units(swarm_scene *s, size_t way)
{
    swarm_way *const w = &s->ways[way];
    w->random = oct_random_seed(SWARM_SEED);
    for (uint32_t i = 0; i < s->count;) {
        oct_unit_def def = {.radius = RADIUS, .speed = STEP * TICKS_PER_SECOND};
        if (!draw_cell(s, &w->random, &def.at)) {
            return false;
        }
        const oct_result result = oct_crowd_add(w->crowd, &def, &s->units[way][i]);
        if (result != OCT_OK && result != OCT_ERROR_EXISTS) {
            return false;
        }
        i += result == OCT_OK;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (!send_on(s, way, i)) {
            return false;
        }
    }
    return true;
}

// Ticks until everyone has had a path.
static bool run_burst(swarm_scene *s, size_t way)
{
    swarm_way *const w = &s->ways[way];
    int count = 0;
    do {
        if (!tick(s, way)) {
            return false;
        }
        count++;
    } while (oct_crowd_measure(w->crowd).served < s->count && count < BURST_TICKS_MAX);
    const oct_crowd_stats stats = oct_crowd_measure(w->crowd);
    w->burst_ms = w->all_s * 1e3 / count;
    w->wait_mean = stats.served ? (double)stats.wait_sum / (double)stats.served : 0.0;
    w->wait_max = stats.wait_max;
    w->plan_s = w->all_s = w->cpu_s = 0.0;
    w->ticks = 0;
    return stats.served >= s->count;
}

static oct_result set_up(bench_report *report, swarm_scene *s)
{
    const oct_executor timed = {run_timed, &s->ways[1], 1};
    oct_components_def components = oct_components_def_default();
    components.tree = s->map.tree;
    OCT_TRY(oct_components_create(&components, &s->components));
    for (size_t way = 0; way < WAYS; way++) {
        oct_crowd_def def = oct_crowd_def_default();
        def.tree = s->map.tree;
        def.components[0] = s->components;
        def.ticks_per_second = TICKS_PER_SECOND;
        def.plan_budget = PLAN_BUDGET;
        def.executor = way == 0 ? report->options.executor : &timed;
        OCT_TRY(oct_crowd_create(&def, &s->ways[way].crowd));
        s->units[way] = calloc(s->count, sizeof *s->units[way]);
        if (!s->units[way]) {
            return OCT_ERROR_MEMORY;
        }
        if (!add_units(s, way) || !run_burst(s, way)) {
            snprintf(report->message, sizeof report->message, "no room for %u units", s->count);
            return OCT_ERROR_RANGE;
        }
    }
    return OCT_OK;
}

static oct_result load_map(bench_report *report, search_scene *map)
{
    char path[1024] = "";
    oct_error error = {.line = 0};
    if (report->options.scenes) {
        snprintf(path, sizeof path, "%s/clusters.3dmap", report->options.scenes);
    }
    const bool is_file = path[0] && oct_bench_file_exists(path);
    const oct_result result =
        is_file ? oct_search_scene_load(map, path, &error)
                : oct_search_scene_generate(map, OCT_GENERATE_CLUSTERS, report->options.size);
    if (result != OCT_OK) {
        oct_bench_explain(report, is_file ? path : "clusters", result, &error);
    }
    return result;
}

static oct_result measure_scene(bench_report *report, const char *name, uint32_t count)
{
    swarm_scene *const s = calloc(1, sizeof *s);
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    s->count = count;
    oct_result result = load_map(report, &s->map);
    if (result == OCT_OK) {
        result = set_up(report, s);
    }
    if (result == OCT_OK) {
        const bool with_goals = report->options.scenes || report->options.size == GOAL_SIZE;
        result = oct_bench_scene(report, &swarm_suite, name, s, with_goals);
    }
    for (size_t way = 0; way < WAYS; way++) {
        oct_crowd_destroy(s->ways[way].crowd);
        free(s->units[way]);
    }
    oct_components_destroy(s->components);
    oct_search_scene_free(&s->map);
    free(s);
    return result;
}

oct_result oct_bench_swarm(bench_report *report)
{
    static const uint32_t counts[] = {1000, 10000};
    report->scene = 0;
    report->scene_count = sizeof counts / sizeof counts[0] + 1;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        // A small scene has a small crowd.
        const uint64_t size = report->options.size;
        const bool is_small = !report->options.scenes && size < GOAL_SIZE;
        const uint32_t count =
            is_small ? (uint32_t)(counts[i] * size * size / (GOAL_SIZE * GOAL_SIZE)) + 1u
                     : counts[i];
        char name[32];
        snprintf(name, sizeof name, "clusters-%u", counts[i]);
        if (oct_bench_wants(report, &swarm_suite, name)) {
            OCT_TRY(measure_scene(report, name, count));
        }
        report->scene++;
    }
    return oct_bench_wants(report, &hole_suite, "hole") ? measure_hole(report) : OCT_OK;
}
