// SPDX-License-Identifier: MIT
// The octree's tour of a world, recorded and then repeated with every structure: each look, each
// explore call from where the body was, and for each call the path to the cell of the frontier that
// the octree went to. The octree is measured in the same way, so that the columns compare.
#include "bench/worlds_internal.h"

#include "explore/explorer_internal.h"

#include <stdio.h>

#define TABLE "run"
#define RUN_S 20.0 // a structure that takes more for its searches is ended

typedef struct repeating {
    bench_world *world;
    world_map map;
    oct_explorer *explorer; // of the octree
    worlds_limit limit;
    double look_s, explore_s, path_s;
    uint64_t looks, calls, paths;
} repeating;

static oct_result find_path(repeating *r, const tour_record *step, oct_path *path)
{
    if (r->map.baseline) {
        return oct_baseline_map_plan(r->map.baseline, NULL, step->at, step->frontier, path);
    }
    OCT_TRY(oct_explorer_settle(r->explorer, step->at));
    return oct_explorer_plan(r->explorer, oct_explorer_point(r->explorer, step->frontier), false,
                             path);
}

static oct_result repeat_call(repeating *r, const tour_record *step)
{
    oct_exploration out;
    oct_path path;
    double start = oct_bench_now_s();
    OCT_TRY(r->map.baseline ? oct_baseline_map_arrive(r->map.baseline, NULL, step->at)
                            : oct_explorer_arrive(r->explorer, step->at));
    OCT_TRY(r->map.baseline ? oct_baseline_map_explore(r->map.baseline, NULL, step->at, &out)
                            : oct_explorer_next(r->explorer, step->at, &out));
    r->explore_s += oct_bench_now_s() - start;
    r->calls++;
    if (step->has_goal) {
        start = oct_bench_now_s();
        OCT_TRY(find_path(r, step, &path));
        r->path_s += oct_bench_now_s() - start;
        r->paths++;
    }
    return OCT_OK;
}

static oct_result repeat_steps(repeating *r)
{
    const tour_record *const steps = r->world->steps.items;
    for (size_t i = 0; i < r->world->steps.count; i++) {
        if (!steps[i].is_call) {
            OCT_TRY(oct_bench_world_look(r->world, &r->map, steps[i].at, r->world->tour_radius,
                                         &r->look_s));
            r->looks++;
            continue;
        }
        oct_worlds_limit(&r->limit, true);
        const oct_result result = repeat_call(r, &steps[i]);
        oct_worlds_limit(&r->limit, false);
        if (r->limit.is_over || r->explore_s + r->path_s > RUN_S) {
            r->limit.is_over = true;
            return OCT_OK;
        }
        OCT_TRY(result);
    }
    return OCT_OK;
}

static oct_result push_mean(worlds_table *s, const repeating *r, bench_structure structure,
                            const char *metric, double seconds, uint64_t count)
{
    worlds_row row =
        oct_worlds_row(r->world, TABLE, structure, metric, oct_worlds_tour_radius(r->world));
    // A search that was ended has taken all of its time.
    row.is_ended = r->limit.is_over;
    row.value = count > 0 ? seconds * 1e3 / (double)count : row.is_ended ? RUN_S * 1e3 : 0.0;
    snprintf(row.note, sizeof row.note, "the mean of %llu", (unsigned long long)count);
    return oct_worlds_push(s, &row);
}

static oct_result measure_run(worlds_table *s, repeating *r, bench_structure structure)
{
    const oct_allocator memory = oct_worlds_allocator(&r->limit);
    OCT_TRY(oct_bench_world_map(r->world, structure, &memory, &r->map));
    if (structure == BENCH_OCTREE) {
        oct_explorer_def def = oct_explorer_def_default();
        def.map = r->map.map;
        def.radius = r->world->tour_radius;
        OCT_TRY(oct_explorer_create(&def, &r->explorer));
    }
    OCT_TRY(repeat_steps(r));
    OCT_TRY(push_mean(s, r, structure, "run_look_ms", r->look_s, r->looks));
    OCT_TRY(push_mean(s, r, structure, "run_explore_ms", r->explore_s, r->calls));
    return push_mean(s, r, structure, "run_path_ms", r->path_s, r->paths);
}

oct_result oct_worlds_runs(worlds_table *s, bench_world *w)
{
    OCT_TRY(oct_bench_world_explore(w, oct_bench_world_radius(w, oct_worlds_tour_radius(w))));
    for (uint32_t i = 0; i < BENCH_STRUCTURE_COUNT; i++) {
        repeating r = {.world = w};
        if (!oct_worlds_wants(s, TABLE, w->name, (bench_structure)i)) {
            continue;
        }
        const oct_result result = measure_run(s, &r, (bench_structure)i);
        oct_explorer_destroy(r.explorer);
        oct_bench_world_map_free(&r.map);
        OCT_TRY(result);
    }
    return OCT_OK;
}
