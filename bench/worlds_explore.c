// SPDX-License-Identifier: MIT
// One explore call after one look (tests 3b and 4b; of test 1 from its start), by radius: warm, and
// the first one after the look, which also takes the look into frontier and components.
#include "bench/worlds_internal.h"
#include "octant/names.h"

#include <stdio.h>

#define FIRST_CALLS 3 // maps that the first call is measured in
#define FIRST_S 0.5   // seconds: where it takes longer, in one
#define CALL_GOAL_MS 2.0

typedef struct call {
    bench_world *world;
    oct_point from;
    double radius; // as it is in this world
    world_map map;
    oct_explorer *explorer; // of the octree
    oct_exploration out;
    double first_s;
} call;

static oct_result run_call(void *ctx, double *seconds)
{
    call *const c = ctx;
    const double start = oct_bench_now_s();
    OCT_TRY(c->map.baseline ? oct_baseline_map_arrive(c->map.baseline, NULL, c->from)
                            : oct_explorer_arrive(c->explorer, c->from));
    OCT_TRY(c->map.baseline ? oct_baseline_map_explore(c->map.baseline, NULL, c->from, &c->out)
                            : oct_explorer_next(c->explorer, c->from, &c->out));
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

static void free_call(call *c)
{
    oct_explorer_destroy(c->explorer);
    oct_bench_world_map_free(&c->map);
    c->explorer = NULL;
}

// The first call, timed, in a new map; after an error everything is to be freed.
static oct_result call_first(call *c, bench_structure structure, worlds_limit *limit)
{
    const oct_allocator memory = oct_worlds_allocator(limit);
    double seconds = 0.0;
    OCT_TRY(oct_bench_world_map(c->world, structure, &memory, &c->map));
    if (structure == BENCH_OCTREE) {
        oct_explorer_def def = oct_explorer_def_default();
        def.map = c->map.map;
        def.radius = c->radius;
        def.allocator = &memory;
        OCT_TRY(oct_explorer_create(&def, &c->explorer));
    }
    OCT_TRY(oct_bench_world_look(c->world, &c->map, c->from, c->radius, &seconds));
    const double start = oct_bench_now_s();
    oct_worlds_limit(limit, true);
    const oct_result result = run_call(c, &seconds);
    oct_worlds_limit(limit, false);
    c->first_s = oct_bench_now_s() - start;
    return result;
}

static oct_result call_firsts(worlds_table *s, call *c, bench_structure structure,
                              worlds_limit *limit)
{
    double samples[FIRST_CALLS];
    const int rounds = s->report->options.repeat < FIRST_CALLS ? 1 : FIRST_CALLS;
    int done = 0;
    do {
        free_call(c);
        OCT_TRY(call_first(c, structure, limit));
        samples[done++] = c->first_s;
    } while (done < rounds && c->first_s < FIRST_S);
    c->first_s = oct_bench_median(samples, done);
    return OCT_OK;
}

// What came of a call, as a row has it.
static void describe(const call *c, worlds_row *row)
{
    row->length = c->out.path.status == OCT_PATH_FOUND ? c->out.path.length : -1.0;
    snprintf(row->note, sizeof row->note, "%s",
             c->out.status == OCT_EXPLORE_GO ? oct_explore_why_name(c->out.why)
                                             : oct_explore_status_name(c->out.status));
}

// Two rows; `is_over` is whether a smaller radius took too long, and then whether this one did.
static oct_result measure_calls(worlds_table *s, call *c, bench_structure structure, double radius,
                                bool *is_over)
{
    worlds_row warm = oct_worlds_row(c->world, "explore", structure, "explore_ms", radius);
    worlds_row first = oct_worlds_row(c->world, "explore", structure, "first_ms", radius);
    warm.goal = c->world->test >= 3 && structure == BENCH_OCTREE ? CALL_GOAL_MS : -1.0;
    if (*is_over) {
        snprintf(warm.note, sizeof warm.note, "not run: a smaller radius took too long");
        return oct_worlds_push(s, &warm);
    }
    worlds_limit limit = {.until = 0.0};
    double seconds = 0.0;
    oct_result result = call_firsts(s, c, structure, &limit);
    *is_over = limit.is_over;
    if (result == OCT_OK && c->first_s < FIRST_S) {
        result = oct_worlds_time(s, run_call, c, &seconds);
    } else {
        seconds = c->first_s;
    }
    if (result == OCT_OK) {
        describe(c, &warm);
        describe(c, &first);
    }
    free_call(c);
    if (result != OCT_OK && !*is_over) {
        return result;
    }
    warm.is_ended = first.is_ended = *is_over;
    warm.value = seconds * 1e3;
    first.value = c->first_s * 1e3;
    OCT_TRY(oct_worlds_push(s, &warm));
    return oct_worlds_push(s, &first);
}

oct_result oct_worlds_calls(worlds_table *s, bench_world *world)
{
    static const double small[] = {20.0};
    static const double large[] = {10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0};
    const bool is_small = world->test == 1;
    const double *const radii = is_small ? small : large;
    const size_t count = is_small ? 1 : sizeof large / sizeof large[0];
    call c = {.world = world, .from = is_small ? world->start : world->middle};
    oct_result result = OCT_OK;
    for (uint32_t structure = 0; structure < BENCH_STRUCTURE_COUNT; structure++) {
        const bool is_wanted =
            oct_worlds_wants(s, "explore", world->name, (bench_structure)structure);
        bool is_over = false;
        for (size_t i = 0; i < count && is_wanted && result == OCT_OK; i++) {
            c.radius = oct_bench_world_radius(world, radii[i]);
            result = measure_calls(s, &c, (bench_structure)structure, radii[i], &is_over);
            free_call(&c);
        }
    }
    return result;
}
