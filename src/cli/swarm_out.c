// SPDX-License-Identifier: MIT
// octant bench swarm --trace: many units in a map, written down as they go, to be looked at.
//
// Units are as in the bench: half a cell in radius, a quarter of a cell a tick, and sent on where
// they arrive. The map that they went through lies beside the trace, so that the two are enough.
#include "cli/swarm_out.h"
#include "base/sink.h"
#include "files/files_internal.h"
#include "octant/components.h"
#include "octant/crowd.h"
#include "octant/generate.h"
#include "octant/tree.h"
#include "report/trace_parts.h"

#include <stdlib.h>
#include <string.h>

#define SEED 20260107
#define TICKS_PER_SECOND 20
#define EVERY 5 // ticks between what is written
#define RADIUS 0.5
#define STEP 0.25 // cells a tick
#define PLAN_BUDGET 3000
#define DRAWS_MAX 1000 // for each place
#define SCALE 16       // parts of a cell in which places are told

typedef struct swarm {
    const cli_swarm *plan;
    const cli_scene *scene;
    const char *map; // the name of its file, beside the trace
    oct_components *components;
    oct_crowd *crowd;
    oct_unit *units;
    int32_t *last; // places as they were told, three for each
    uint32_t home; // the component that all are in
    oct_random random;
} swarm;

// ---- units ----

static oct_vec draw_cell(swarm *s)
{
    const oct_box box = s->scene->info.box;
    const bool is_flat = s->scene->dims == 2;
    return (oct_vec){oct_random_range(&s->random, box.min.x, box.max.x - 1),
                     oct_random_range(&s->random, box.min.y, box.max.y - 1),
                     is_flat ? 0 : oct_random_range(&s->random, box.min.z, box.max.z - 1)};
}

static bool draw_place(swarm *s, oct_point *out)
{
    for (int i = 0; i < DRAWS_MAX; i++) {
        const oct_vec cell = draw_cell(s);
        if (s->home && oct_components_at(s->components, cell) == s->home) {
            *out = oct_tree_centre(s->scene->tree, cell);
            return true;
        }
    }
    return false;
}

// The component of most of the cells that are drawn.
static uint32_t find_home(swarm *s)
{
    uint32_t best = 0, most = 0;
    for (int i = 0; i < 32; i++) {
        const uint32_t one = oct_components_at(s->components, draw_cell(s));
        uint32_t count = 0;
        for (int k = 0; one && k < 64; k++) {
            count += oct_components_at(s->components, draw_cell(s)) == one;
        }
        if (one && count >= most) {
            most = count;
            best = one;
        }
    }
    return best;
}

static oct_result send_on(swarm *s, uint32_t i)
{
    oct_point goal;
    const double cell = oct_tree_cell_size(s->scene->tree);
    return draw_place(s, &goal) ? oct_crowd_send(s->crowd, s->units[i], goal, STEP * cell)
                                : OCT_ERROR_RANGE;
}

static oct_result add_units(swarm *s)
{
    const double cell = oct_tree_cell_size(s->scene->tree);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < s->plan->units;) {
        oct_unit_def def = {.radius = RADIUS * cell, .speed = STEP * cell * TICKS_PER_SECOND};
        if (!draw_place(s, &def.at) || refused > DRAWS_MAX) {
            return OCT_ERROR_RANGE;
        }
        const oct_result result = oct_crowd_add(s->crowd, &def, &s->units[i]);
        if (result != OCT_OK && result != OCT_ERROR_EXISTS) {
            return result;
        }
        refused = result == OCT_OK ? 0 : refused + 1;
        i += result == OCT_OK;
    }
    for (uint32_t i = 0; i < s->plan->units; i++) {
        OCT_TRY(send_on(s, i));
    }
    return OCT_OK;
}

static oct_result set_up(swarm *s, const oct_executor *executor)
{
    oct_components_def components = oct_components_def_default();
    oct_crowd_def def = oct_crowd_def_default();
    components.tree = s->scene->tree;
    OCT_TRY(oct_components_create(&components, &s->components));
    s->random = oct_random_seed(SEED);
    s->home = find_home(s);
    def.tree = s->scene->tree;
    def.terms.bounds = &s->scene->info.box;
    def.components[0] = s->components;
    def.ticks_per_second = TICKS_PER_SECOND;
    def.plan_budget = PLAN_BUDGET;
    def.executor = executor;
    OCT_TRY(oct_crowd_create(&def, &s->crowd));
    s->units = calloc(s->plan->units, sizeof *s->units);
    s->last = calloc(s->plan->units, 3 * sizeof *s->last);
    return s->units && s->last ? add_units(s) : OCT_ERROR_MEMORY;
}

// ---- the trace ----

static void put_head(sink *out, const swarm *s)
{
    static const char *const ups[] = {"x", "y", "z"};
    const cli_scene *const scene = s->scene;
    const double cell = oct_tree_cell_size(scene->tree);
    oct_sink_text(out, "{\"octant_trace\": ");
    oct_sink_number(out, OCT_TRACE_VERSION);
    oct_trace_word(out, "task", "swarm");
    oct_trace_word(out, "map", s->map);
    oct_trace_count(out, "dims", (uint64_t)scene->dims);
    oct_trace_word(out, "up", ups[scene->info.up]);
    oct_trace_word(out, "handed", scene->info.left_handed ? "left" : "right");
    oct_trace_number(out, "cell", cell);
    oct_trace_point(out, "origin", oct_tree_origin(scene->tree));
    oct_trace_count(out, "ticks", TICKS_PER_SECOND);
    oct_trace_count(out, "units", s->plan->units);
    oct_trace_number(out, "radius", RADIUS * cell);
    oct_trace_count(out, "scale", SCALE);
    oct_sink_text(out, "}\n");
}

static void put_integer(sink *out, int64_t value)
{
    if (value < 0) {
        oct_sink_text(out, "-");
    }
    oct_sink_number(out, (uint64_t)(value < 0 ? -value : value));
}

static int32_t scaled(int64_t fine, int32_t least)
{
    return (int32_t)(fine / (OCT_FINE / SCALE) - (int64_t)least * SCALE);
}

// Where all are: at first from the map's smallest cell, then from where each was last.
static void put_places(sink *out, swarm *s, uint32_t tick)
{
    const oct_vec least = s->scene->info.box.min;
    uint64_t moving = 0;
    oct_sink_text(out, "{\"event\": \"places\"");
    oct_trace_count(out, "tick", tick);
    oct_trace_key(out, "at");
    oct_sink_text(out, "[");
    for (uint32_t i = 0; i < s->plan->units; i++) {
        oct_unit_state state = {.radius = 0.0};
        (void)oct_crowd_state(s->crowd, s->units[i], &state);
        moving += state.status == OCT_UNIT_MOVING;
        const int32_t at[3] = {scaled(state.place.x, least.x), scaled(state.place.y, least.y),
                               s->scene->dims == 2 ? SCALE / 2 : scaled(state.place.z, least.z)};
        for (int k = 0; k < 3; k++) {
            oct_sink_text(out, i + (uint32_t)k > 0 ? "," : "");
            put_integer(out, (int64_t)at[k] - s->last[3 * i + (uint32_t)k]);
            s->last[3 * i + (uint32_t)k] = at[k];
        }
    }
    oct_sink_text(out, "]");
    oct_trace_count(out, "moving", moving);
    oct_sink_text(out, "}\n");
}

static oct_result tick(swarm *s)
{
    OCT_TRY(oct_crowd_step(s->crowd));
    for (uint32_t i = 0; i < s->plan->units; i++) {
        oct_unit_state state;
        if (oct_crowd_state(s->crowd, s->units[i], &state) && state.status == OCT_UNIT_ARRIVED) {
            OCT_TRY(send_on(s, i));
        }
    }
    return OCT_OK;
}

static oct_result fill(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    swarm *const s = ctx;
    sink out = {.write = write, .ctx = file};
    const uint32_t ticks = s->plan->seconds * TICKS_PER_SECOND;
    (void)error;
    put_head(&out, s);
    uint32_t done = 0;
    for (; done < ticks && !oct_cli_is_stopped(); done++) {
        if (done % EVERY == 0) {
            put_places(&out, s, done);
            oct_cli_progress("swarm", done, ticks);
        }
        OCT_TRY(tick(s));
    }
    put_places(&out, s, done);
    oct_sink_text(&out, "{\"event\": \"end\", \"status\": ");
    oct_sink_text(&out, done < ticks ? "\"interrupted\"" : "\"done\"");
    oct_trace_count(&out, "tick", done);
    oct_sink_text(&out, "}\n");
    oct_sink_flush(&out);
    return out.failed ? OCT_ERROR_FILE : OCT_OK;
}

// ---- the whole ----

static int run(const cli_swarm *plan, const cli_scene *scene, const char *map)
{
    const char *const slash = strrchr(map, '/');
    swarm s = {.plan = plan, .scene = scene, .map = slash ? slash + 1 : map};
    cli_threads *const threads = oct_cli_threads_create(oct_cli_cores());
    const oct_executor executor = threads ? oct_cli_threads_executor(threads) : (oct_executor){0};
    oct_error error = {.line = 0};
    oct_result result = set_up(&s, threads ? &executor : NULL);
    int code = result == OCT_ERROR_RANGE
                   ? oct_cli_complain("bench: there is no room for %u units", plan->units)
                   : oct_cli_check("bench", result);
    if (code == CLI_YES) {
        oct_cli_catch_signals();
        result = oct_file_replace(plan->trace, fill, &s, NULL, &error);
        oct_cli_release_signals();
        oct_cli_progress("", 1, 1);
        code = oct_cli_check_file(plan->trace, result, &error);
    }
    oct_crowd_destroy(s.crowd);
    oct_components_destroy(s.components);
    oct_cli_threads_destroy(threads);
    free(s.units);
    free(s.last);
    return code;
}

// The map of the bench, where none is named.
static int make_scene(const cli_swarm *plan, cli_scene *scene)
{
    oct_generate_def def = oct_generate_def_default();
    const oct_tree_def tree_def = oct_tree_def_default();
    cli_map map = {.tree = NULL};
    def.kind = OCT_GENERATE_CLUSTERS;
    def.size = plan->size;
    CLI_TRY(oct_cli_check("bench", oct_tree_generate(&def, &tree_def, &map.tree, &map.info)));
    return oct_cli_take_map("clusters", &map, scene);
}

int oct_cli_swarm(const cli_swarm *plan, const cli_value *world_options, struct cli_files *files)
{
    char map[4096];
    const size_t length = strlen(plan->trace);
    if (length < 7 || strcmp(plan->trace + length - 6, ".jsonl") != 0 || length >= sizeof map) {
        return oct_cli_complain("bench: traces are written as .jsonl, not as '%s'", plan->trace);
    }
    (void)snprintf(map, sizeof map, "%.*s.octant", (int)(length - 6), plan->trace);
    CLI_TRY(oct_cli_files_add(files, CLI_OUTPUT, "--trace", map));
    CLI_TRY(oct_cli_files_check(files));
    cli_scene scene;
    CLI_TRY(plan->map ? oct_cli_open_scene("bench", plan->map, world_options, &scene)
                      : make_scene(plan, &scene));
    int code = oct_cli_save(map, scene.tree, &scene.info, NULL);
    if (code == CLI_YES) {
        code = run(plan, &scene, map);
    }
    oct_cli_close_scene(&scene);
    return code;
}
