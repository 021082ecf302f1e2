// SPDX-License-Identifier: MIT
// octant explore: a body without physics explores a world that it does not know.
#define _POSIX_C_SOURCE 200809L
#include "cli/explore.h"
#include "cli/games.h"
#include "cli/picture.h"
#include "cli/walk.h"
#include "files/files_internal.h"
#include "geom/geom_internal.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <string.h>
#include <unistd.h>

#define BAR_PARTS 1000
#define BAR_EVERY_MS 100.0

enum {
    EXPLORE_FROM = CLI_WORLD_OPTION_COUNT,
    EXPLORE_TO,
    EXPLORE_FIND,
    EXPLORE_RADIUS,
    EXPLORE_SIGHT,
    EXPLORE_FOV,
    EXPLORE_STEP,
    EXPLORE_BOUNDS,
    EXPLORE_STRATEGY,
    EXPLORE_SEED,
    EXPLORE_GRADE,
    EXPLORE_STRUCTURE,
    EXPLORE_CALLS,
    EXPLORE_DISTANCE,
    EXPLORE_CHECK,
    EXPLORE_TRACE,
    EXPLORE_TIMES,
    EXPLORE_THREADS,
    EXPLORE_MEMORY,
    EXPLORE_GAME,
    EXPLORE_PATIENCE,
    EXPLORE_SVG,
    EXPLORE_SLICE,
    EXPLORE_WALK,
    EXPLORE_SHAPES,
    EXPLORE_RULES,
    EXPLORE_OPTION_COUNT
};

// ---- the tour ----

// CPU time of this thread; where others help, time that passes.
static uint64_t clock_ns(void *ctx)
{
    const exploration *const e = ctx;
    return (uint64_t)((e->threads ? oct_cli_wall_ms() : oct_cli_now_ms()) * NS_A_MS);
}

static oct_box counted_box(const exploration *e)
{
    return e->scene.bounded ? e->scene.bounds
                            : oct_tree_extent(oct_map_tree(e->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED);
}

static void show_progress(exploration *e)
{
    if (!isatty(STDERR_FILENO) || oct_cli_wall_ms() - e->bar_ms < BAR_EVERY_MS) {
        return;
    }
    e->bar_ms = oct_cli_wall_ms();
    uint64_t counts[3];
    char words[64];
    if (oct_tree_count(oct_map_tree(e->map), counted_box(e), counts) == OCT_OK) {
        const uint64_t known = counts[OCT_OPEN] + counts[OCT_BLOCKED];
        const double share = (double)known / (double)(known + counts[OCT_UNKNOWN] + 1u);
        snprintf(words, sizeof words, "known, %.4g m travelled", e->result.travelled);
        oct_cli_progress(words, (size_t)(share * (BAR_PARTS - 1)), BAR_PARTS);
    }
}

static bool on_event(void *ctx, const tour_event *event)
{
    exploration *const e = ctx;
    if (e->trace) {
        oct_tour_trace_event(e->trace, &e->head, event);
    }
    if (e->draws && event->step == TOUR_MOVE) {
        const oct_allocator memory = oct_allocator_default();
        for (size_t i = 0; i < event->point_count; i++) {
            e->lost_way |=
                oct_array_push(&e->way, &memory, sizeof(oct_point), &event->points[i]) != OCT_OK;
        }
    }
    show_progress(e);
    return !oct_cli_is_stopped();
}

static oct_result run_tour(exploration *e)
{
    if (e->trace) {
        oct_tour_trace_head(e->trace, &e->head);
    }
    oct_result result = oct_tour_run(&e->tour, &e->result);
    oct_cli_progress("", 1, 1);
    if (result == OCT_OK) {
        result = e->baseline ? oct_baseline_map_remains(e->baseline, e->tour.bounds, e->result.at,
                                                        &e->remains)
                             : oct_explorer_remains(e->explorer, e->result.at, &e->remains);
    }
    if (result == OCT_OK) {
        result = oct_tree_count(oct_map_tree(e->map), counted_box(e), e->counts);
    }
    e->is_done = result == OCT_OK;
    if (result == OCT_OK && e->trace) {
        oct_tour_trace_tail(e->trace, &(tour_trace_tail){&e->result, e->counts, &e->remains});
        oct_sink_flush(e->trace);
    }
    return result;
}

static oct_result fill_trace(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    exploration *const e = ctx;
    (void)error; // what the file refuses it says itself
    sink out = {.write = write, .ctx = file};
    e->trace = &out;
    const oct_result result = run_tour(e);
    e->trace = NULL;
    return result == OCT_OK && out.failed ? OCT_ERROR_FILE : result;
}

static int complain_tour(const exploration *e, oct_result result)
{
    return result == OCT_ERROR_RANGE
               ? oct_cli_complain("%s: the body came to where a map ends, or it saw more than a "
                                  "map holds; say a larger --cell, or a smaller --radius",
                                  e->scene.path)
               : oct_cli_check_memory(e->scene.path, result, &e->scene.world);
}

static int travel(exploration *e, const char *trace)
{
    oct_error error = {.line = 0};
    oct_cli_catch_signals();
    const oct_result result =
        trace ? oct_file_replace(trace, fill_trace, e, &e->trace_bytes, &error) : run_tour(e);
    oct_cli_release_signals();
    if (result == OCT_ERROR_FILE) {
        e->lost_trace = e->is_done;
        oct_cli_check_file(trace, result, &error);
        return e->is_done ? CLI_YES : CLI_BAD;
    }
    return result == OCT_OK ? CLI_YES : complain_tour(e, result);
}

static oct_result measure_octree(exploration *e)
{
    e->bytes = oct_explorer_measure(e->explorer);
    OCT_TRY(oct_map_shrink(e->map));
    e->map_bytes = oct_map_measure(e->map);
    const oct_tree_stats stats = oct_tree_measure(oct_map_tree(e->map));
    for (int level = 0; level <= OCT_LEVEL_MAX; level++) {
        e->nodes += stats.nodes[level];
    }
    return OCT_OK;
}

static void measure_baseline(exploration *e)
{
    const baseline_size size = oct_baseline_map_measure(e->baseline);
    e->bytes = (oct_explorer_bytes){.planner = size.search};
    e->map_bytes = (oct_map_bytes){size.cells, size.things};
    e->nodes = size.nodes;
    if (oct_baseline_map_kind(e->baseline) == BASELINE_GRID) {
        const oct_box b = size.box;
        e->grid_size = (oct_vec){b.max.x - b.min.x, b.max.y - b.min.y, b.max.z - b.min.z};
    }
}

// Cells in which a baseline has another label than the octree that has seen the same.
static uint64_t count_different(const exploration *e)
{
    const oct_tree *const tree = oct_map_tree(e->map);
    const oct_box box = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    uint64_t count = 0;
    for (int32_t z = box.min.z - 1; z <= box.max.z; z++) {
        for (int32_t y = box.min.y - 1; y <= box.max.y; y++) {
            for (int32_t x = box.min.x - 1; x <= box.max.x; x++) {
                const oct_vec c = {x, y, z};
                count += oct_baseline_map_label(e->baseline, c) != oct_tree_label(tree, c);
            }
        }
    }
    return count;
}

// What is known once the body has come to its end.
static int measure(exploration *e, bool check)
{
    oct_result result = OCT_OK;
    if (e->baseline) {
        measure_baseline(e);
    } else {
        result = measure_octree(e);
    }
    e->checked = check;
    if (result == OCT_OK && check) {
        result =
            oct_reach_compare(e->map, e->scene.truth, e->scene.bounded ? &e->scene.bounds : NULL,
                              e->result.at, e->scene.def.allocator, &e->reach);
        if (result == OCT_ERROR_RANGE) {
            return oct_cli_complain("explore: the bounds are too large for --check");
        }
        e->reach.differ += e->baseline ? count_different(e) : 0;
    }
    return oct_cli_check_memory(e->scene.path, result, &e->scene.world);
}

// ---- options ----

static bool block_is_wanted(const exploration *e, size_t index)
{
    const oct_world *const world = e->scene.world.world;
    const oct_world_block block = oct_world_get(world, index);
    return strcmp(block.name, e->find) == 0 ||
           oct_world_type_is(oct_world_get_type(world, block.type).name, e->find);
}

static bool is_wanted(void *ctx, const oct_thing *thing)
{
    const exploration *const e = ctx;
    size_t index;
    return oct_world_find(e->scene.world.world, thing->id, &index) && block_is_wanted(e, index);
}

static int choose_find(exploration *e, const char *words)
{
    const oct_world *const world = e->scene.world.world;
    if (!e->scene.is_world) {
        return oct_cli_complain("explore: --find is for worlds, which are .json or .sbs files");
    }
    e->find = words;
    e->tour.task = TOUR_FIND;
    e->tour.wanted = is_wanted;
    e->tour.wanted_ctx = e;
    for (size_t i = 0; words[0] && i < oct_world_blocks(world); i++) {
        if (block_is_wanted(e, i)) {
            return CLI_YES;
        }
    }
    return oct_cli_complain("%s: no block has the type or name '%s'", e->scene.path, words);
}

static int choose_goal(exploration *e, const char *words)
{
    e->tour.task = TOUR_TO;
    CLI_TRY(oct_cli_parse_point("explore", "to", words, (int)e->scene.def.dims, &e->tour.to));
    return oct_cli_truth_holds(&e->scene, e->tour.to)
               ? CLI_YES
               : oct_cli_complain("%s: --to %s is not within the bounds", e->scene.path, words);
}

static int choose_task(const cli_value *options, exploration *e)
{
    if (options[EXPLORE_TO].given && options[EXPLORE_FIND].given) {
        return oct_cli_complain("explore: --to and --find do not go together");
    }
    if (options[EXPLORE_TO].given) {
        return choose_goal(e, options[EXPLORE_TO].text);
    }
    return options[EXPLORE_FIND].given ? choose_find(e, options[EXPLORE_FIND].text) : CLI_YES;
}

static int choose_sight(const cli_value *options, exploration *e)
{
    const double radius = options[EXPLORE_RADIUS].real, cell = e->scene.def.cell_size;
    const double least = oct_cli_least_radius(&e->scene);
    e->tour.radius = radius;
    e->tour.sight = options[EXPLORE_SIGHT].integer == 0 ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH;
    e->tour.fov = options[EXPLORE_FOV].real;
    e->tour.step = options[EXPLORE_STEP].given ? options[EXPLORE_STEP].real : radius;
    if (radius < least) {
        return oct_cli_complain("explore: --radius must be %.4g or more: with cells of %g m and "
                                "this body less shows nothing",
                                least, cell);
    }
    const bool has_limit = e->tour.sight == OCT_SIGHT_LINE || e->tour.fov < 360.0;
    if (has_limit && radius > cell * OCT_SIGHT_CELLS_MAX) {
        return oct_cli_complain("explore: --radius must be %.4g or less: a line of sight, or "
                                "a field of view, is at most %d cells of %g m",
                                cell * OCT_SIGHT_CELLS_MAX, OCT_SIGHT_CELLS_MAX, cell);
    }
    return CLI_YES;
}

static int check_options(const cli_value *options)
{
    if (options[EXPLORE_SEED].given && options[EXPLORE_STRATEGY].integer != OCT_STRATEGY_RANDOM) {
        return oct_cli_complain("explore: --seed is for --strategy random");
    }
    if (options[EXPLORE_TIMES].given && !options[EXPLORE_TRACE].given) {
        return oct_cli_complain("explore: --times is for --trace");
    }
    // The baselines know one way to explore.
    if (options[EXPLORE_STRUCTURE].integer != 0 &&
        (options[EXPLORE_TO].given || options[EXPLORE_FIND].given ||
         options[EXPLORE_STRATEGY].integer != OCT_STRATEGY_NEAREST)) {
        return oct_cli_complain("explore: --structure grid and set explore everything, the nearest "
                                "first: without --to, --find and --strategy");
    }
    return CLI_YES;
}

// ---- the whole ----

// Who explores the body's map.
static oct_result make_explorer(const cli_value *options, exploration *e)
{
    const int64_t structure = (int64_t)options[EXPLORE_STRUCTURE].integer;
    e->structure = structure == 0 ? "octree" : oct_baseline_name((baseline_kind)(structure - 1));
    if (structure != 0) {
        return oct_baseline_map_create((baseline_kind)(structure - 1), e->map,
                                       e->scene.def.allocator, &e->baseline);
    }
    oct_explorer_def def = oct_explorer_def_default();
    def.map = e->map;
    def.allocator = e->scene.def.allocator;
    def.radius = e->tour.radius;
    def.strategy = (oct_strategy)options[EXPLORE_STRATEGY].integer;
    def.seed = (uint64_t)options[EXPLORE_SEED].integer;
    def.grade = (oct_grade)options[EXPLORE_GRADE].integer;
    def.bounds = e->scene.bounded ? &e->scene.bounds : NULL;
    return oct_explorer_create(&def, &e->explorer);
}

// The body's map, and who explores it.
static int prepare(const cli_value *options, exploration *e)
{
    explore_scene *const scene = &e->scene;
    const uint32_t threads = (uint32_t)options[EXPLORE_THREADS].integer;
    e->threads = threads > 1 ? oct_cli_threads_create(threads) : NULL;
    if (threads > 1 && !e->threads) {
        return oct_cli_check(scene->path, OCT_ERROR_MEMORY);
    }
    const oct_executor executor =
        e->threads ? oct_cli_threads_executor(e->threads) : (oct_executor){NULL, NULL, 0};
    scene->def.executor = e->threads ? &executor : NULL;
    oct_result result = oct_map_create(&scene->def, &e->map);
    scene->def.executor = NULL;
    if (result == OCT_OK) {
        result = make_explorer(options, e);
    }
    CLI_TRY(oct_cli_check_memory(scene->path, result, &scene->world));
    e->tour.map = e->map;
    e->tour.allocator = scene->def.allocator;
    e->tour.truth = scene->truth;
    e->tour.explorer = e->explorer;
    e->tour.baseline = e->baseline;
    e->tour.bounds = scene->bounded ? &scene->bounds : NULL;
    e->tour.start = scene->start;
    e->tour.forward = scene->forward;
    e->tour.calls_max = (uint64_t)options[EXPLORE_CALLS].integer;
    e->tour.distance_max = options[EXPLORE_DISTANCE].real;
    e->tour.event = on_event;
    e->tour.event_ctx = e;
    e->tour.clock = clock_ns;
    e->tour.clock_ctx = e;
    e->head = (tour_trace_head){
        .file = scene->path,
        .world = scene->is_world ? scene->world.world : NULL,
        .map = e->map,
        .structure = e->structure,
        .up = scene->up,
        .left_handed = scene->left_handed,
        .body = scene->body,
        .tour = &e->tour,
        .strategy = oct_strategy_name((oct_strategy)options[EXPLORE_STRATEGY].integer),
        .seed = (uint64_t)options[EXPLORE_SEED].integer,
        .find = e->find,
        .times = options[EXPLORE_TIMES].given,
        .time_us = 1e-3};
    return CLI_YES;
}

// A trace is UTF-8, and names the file.
static int check_trace(exploration *e, const char *trace)
{
    json_t *const name = trace ? json_string(e->scene.path) : json_null();
    const bool fits = name != NULL;
    json_decref(name);
    e->tour.tell_more = trace != NULL;
    return fits ? CLI_YES
                : oct_cli_complain("%s: a trace cannot hold this name, which is not UTF-8",
                                   e->scene.path);
}

// What is known in the end, and the way that was travelled.
static int draw(const cli_value *options, const exploration *e)
{
    char title[256];
    snprintf(title, sizeof title, "%s after %llu plans and %.6g m",
             oct_tour_status_name(e->result.status), (unsigned long long)e->result.calls,
             e->result.travelled);
    if (e->lost_way) {
        return oct_cli_check(e->scene.path, OCT_ERROR_MEMORY);
    }
    const cli_picture picture = {
        .file = e->scene.path,
        .title = title,
        .tree = oct_map_tree(e->map),
        .box = oct_tree_extent(oct_map_tree(e->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED),
        .up = e->scene.up,
        .left_handed = e->scene.left_handed,
        .has_frontier = e->scene.def.dims == 3,
        .world = e->scene.is_world ? e->scene.world.world : NULL,
        .ways = {{e->way.items, e->way.count, "travelled"}},
        .way_count = 1};
    return oct_cli_draw(&picture, &options[EXPLORE_SVG], &options[EXPLORE_SLICE]);
}

// Where it begins is the first place of the way that is drawn.
static int begin_way(const cli_value *options, exploration *e)
{
    const oct_allocator memory = oct_allocator_default();
    e->draws = options[EXPLORE_SVG].given;
    return e->draws
               ? oct_cli_check(e->scene.path,
                               oct_array_push(&e->way, &memory, sizeof(oct_point), &e->scene.start))
               : CLI_YES;
}

static int explore(const cli_args *args, exploration *e)
{
    const cli_value *const options = args->options;
    const char *const trace = options[EXPLORE_TRACE].text;
    CLI_TRY(choose_sight(options, e));
    CLI_TRY(oct_cli_choose_start(&options[EXPLORE_FROM], &e->scene));
    CLI_TRY(oct_cli_choose_bounds(&options[EXPLORE_BOUNDS], e->tour.radius, &e->scene));
    CLI_TRY(choose_task(options, e));
    CLI_TRY(check_trace(e, trace));
    CLI_TRY(prepare(options, e));
    CLI_TRY(begin_way(options, e));
    CLI_TRY(travel(e, trace));
    if (e->result.status == TOUR_STOPPED) {
        oct_cli_complain("%s: interrupted after %llu calls and %.6g m", e->scene.path,
                         (unsigned long long)e->result.calls, e->result.travelled);
        return CLI_INTERRUPTED;
    }
    CLI_TRY(measure(e, options[EXPLORE_CHECK].given));
    if (args->json) {
        CLI_TRY(oct_cli_print_exploration_json(e));
    } else {
        oct_cli_print_exploration(e);
    }
    CLI_TRY(draw(options, e));
    if (e->lost_trace) {
        return CLI_BAD;
    }
    return oct_cli_exploration_is_good(e) ? CLI_YES : CLI_NO;
}

// What a game decides by itself, and what its truth would have to be known for.
static int check_game_options(const cli_value *options)
{
    static const struct {
        int option;
        const char *name;
    } others[] = {{EXPLORE_TO, "to"},           {EXPLORE_FIND, "find"},
                  {EXPLORE_FOV, "fov"},         {EXPLORE_STEP, "step"},
                  {EXPLORE_BOUNDS, "bounds"},   {EXPLORE_STRATEGY, "strategy"},
                  {EXPLORE_GRADE, "grade"},     {EXPLORE_STRUCTURE, "structure"},
                  {EXPLORE_CALLS, "calls"},     {EXPLORE_DISTANCE, "distance"},
                  {EXPLORE_CHECK, "check"},     {EXPLORE_TRACE, "trace"},
                  {EXPLORE_THREADS, "threads"}, {EXPLORE_TIMES, "times"},
                  {EXPLORE_SVG, "svg"},         {EXPLORE_SLICE, "slice"},
                  {EXPLORE_WALK, "walk"},       {EXPLORE_SHAPES, "shapes"},
                  {EXPLORE_RULES, "rules"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (options[others[i].option].given) {
            return oct_cli_complain("explore: --%s is not for --game", others[i].name);
        }
    }
    return CLI_YES;
}

static int explore_in_game(const cli_args *args)
{
    const cli_value *const options = args->options;
    explore_game e = {.game = &options[EXPLORE_GAME],
                      .patience = &options[EXPLORE_PATIENCE],
                      .json = args->json,
                      .level = args->operands[0].given ? args->operands[0].text : NULL,
                      .cell = options[0].real,
                      .has_cell = options[0].given,
                      .view = options[EXPLORE_RADIUS].given ? options[EXPLORE_RADIUS].real : 0.0,
                      .has_sight = options[EXPLORE_SIGHT].given,
                      .sight =
                          options[EXPLORE_SIGHT].integer == 0 ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH,
                      .has_start = options[EXPLORE_FROM].given,
                      .seed = (uint64_t)options[EXPLORE_SEED].integer,
                      .memory = (uint64_t)options[EXPLORE_MEMORY].integer * OCT_MEGABYTE};
    CLI_TRY(check_game_options(options));
    if (e.has_start) {
        CLI_TRY(oct_cli_parse_point("explore", "from", options[EXPLORE_FROM].text, 3, &e.start));
    }
    return oct_cli_explore_game(&e);
}

// The words of --strategy that surfaces know, as oct_surface_strategy; -1 = they do not.
static int walking_strategy(int64_t word)
{
    static const int known[] = {OCT_SURFACE_NEAREST, -1, OCT_SURFACE_RANDOM,
                                OCT_SURFACE_DEPTH_FIRST, OCT_SURFACE_DIRECTED};
    return known[word];
}

static int explore_on_foot(const cli_args *args)
{
    static const struct {
        int option;
        const char *name;
    } others[] = {{EXPLORE_TO, "to"},         {EXPLORE_FIND, "find"},
                  {EXPLORE_SIGHT, "sight"},   {EXPLORE_FOV, "fov"},
                  {EXPLORE_STEP, "step"},     {EXPLORE_BOUNDS, "bounds"},
                  {EXPLORE_GRADE, "grade"},   {EXPLORE_STRUCTURE, "structure"},
                  {EXPLORE_CHECK, "check"},   {EXPLORE_DISTANCE, "distance"},
                  {EXPLORE_TRACE, "trace"},   {EXPLORE_TIMES, "times"},
                  {EXPLORE_SLICE, "slice"},   {EXPLORE_THREADS, "threads"},
                  {EXPLORE_MEMORY, "memory"}, {EXPLORE_PATIENCE, "patience"}};
    const cli_value *const options = args->options;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (options[others[i].option].given) {
            return oct_cli_complain("explore: --%s is not for --walk", others[i].name);
        }
    }
    oct_point from;
    cli_walk_tour tour = {.path = args->operands[0].text,
                          .rules = options[EXPLORE_RULES].text,
                          .shapes = options[EXPLORE_SHAPES].text,
                          .svg = options[EXPLORE_SVG].text,
                          .up = (oct_up)options[CLI_WORLD_UP].integer,
                          .radius = options[EXPLORE_RADIUS].real,
                          .strategy = -1,
                          .seed = (uint64_t)options[EXPLORE_SEED].integer,
                          .calls = (uint64_t)options[EXPLORE_CALLS].integer,
                          .json = args->json};
    if (options[EXPLORE_STRATEGY].given) {
        tour.strategy = walking_strategy(options[EXPLORE_STRATEGY].integer);
        if (tour.strategy < 0) {
            return oct_cli_complain("explore: --strategy gain is not for --walk");
        }
    }
    if (options[EXPLORE_FROM].given) {
        CLI_TRY(oct_cli_read_place("explore", "from", options[EXPLORE_FROM].text, &from));
        tour.from = &from;
    }
    return oct_cli_walk_tour(&tour);
}

static int run_explore(const cli_args *args)
{
    exploration e = {.map = NULL};
    if (args->options[EXPLORE_GAME].given) {
        return explore_in_game(args);
    }
    if (!args->operands[0].given) {
        return oct_cli_complain("explore: WORLD is missing; 'octant explore --help' says more");
    }
    if (args->options[EXPLORE_WALK].given) {
        return explore_on_foot(args);
    }
    if (args->options[EXPLORE_RULES].given) {
        return oct_cli_complain("explore: --rules is for --walk");
    }
    if (args->options[EXPLORE_SHAPES].given) {
        return oct_cli_complain("explore: --shapes is for --walk");
    }
    if (walking_strategy(args->options[EXPLORE_STRATEGY].integer) == OCT_SURFACE_DIRECTED) {
        return oct_cli_complain("explore: --strategy directed is for --walk");
    }
    CLI_TRY(check_options(args->options));
    CLI_TRY(oct_cli_check_slices("explore", &args->options[EXPLORE_SVG],
                                 &args->options[EXPLORE_SLICE]));
    const uint64_t memory = (uint64_t)args->options[EXPLORE_MEMORY].integer * OCT_MEGABYTE;
    CLI_TRY(oct_cli_open_truth(args->operands[0].text, args->options, memory, &e.scene));
    const int code = explore(args, &e);
    oct_explorer_destroy(e.explorer);
    oct_baseline_map_destroy(e.baseline);
    oct_map_destroy(e.map);
    const oct_allocator plain = oct_allocator_default();
    oct_array_free(&e.way, &plain, sizeof(oct_point));
    oct_cli_threads_destroy(e.threads);
    oct_cli_close_truth(&e.scene);
    return code;
}

static const cli_param explore_operands[] = {
    {.name = "WORLD",
     .kind = CLI_FILE,
     .help = "a world: .json, .sbs; or a .octant, .3dmap, .map, .bt, the truth"},
};

static const cli_param explore_options[EXPLORE_OPTION_COUNT] = {
    CLI_WORLD_OPTIONS,
    [EXPLORE_FROM] = CLI_PARAM_TEXT(
        "from", "X,Y,Z", NULL, "where the body starts, its centre, metres (default: the world's)"),
    [EXPLORE_TO] = CLI_PARAM_TEXT("to", "X,Y,Z", NULL,
                                  "go there, through what is unknown, instead of exploring all"),
    [EXPLORE_FIND] = CLI_PARAM_TEXT(
        "find", "NAME", NULL, "explore until a block of that type or name was seen; go there"),
    [EXPLORE_RADIUS] =
        CLI_PARAM_REAL("radius", "M", "20", 1e-3, 1e6, "how far the body sees, metres"),
    [EXPLORE_SIGHT] = CLI_PARAM_CHOICE("sight", "line|through", "line",
                                       "what a player would see, or all that is near"),
    [EXPLORE_FOV] = CLI_PARAM_REAL("fov", "DEG", "360", 10, 360,
                                   "the angle that it sees; it looks where it goes"),
    [EXPLORE_STEP] = CLI_PARAM_REAL("step", "M", NULL, 1e-3, 1e6,
                                    "look at least every so many metres (default: the radius)"),
    [EXPLORE_BOUNDS] = CLI_PARAM_TEXT("bounds", "BOX", NULL,
                                      "stay within: least X,Y,Z, then largest, metres; or none"),
    [EXPLORE_STRATEGY] =
        CLI_PARAM_CHOICE("strategy", "nearest|gain|random|depth|directed" /* as oct_strategy */,
                         "nearest", "which place comes next, one of"),
    [EXPLORE_SEED] =
        CLI_PARAM_INTEGER("seed", "S", "1", 0, CLI_INTEGER_MAX, "of --strategy random"),
    [EXPLORE_GRADE] = CLI_PARAM_CHOICE("grade", "best|fast" /* as oct_grade */, "best",
                                       "the shortest paths, or some that are found sooner"),
    [EXPLORE_STRUCTURE] =
        CLI_PARAM_CHOICE("structure", "octree|grid|set" /* then as baseline_kind */, "octree",
                         "what keeps the map and plans by it"),
    [EXPLORE_CALLS] =
        CLI_PARAM_INTEGER("calls", "N", NULL, 1, CLI_INTEGER_MAX, "give up after so many plans"),
    [EXPLORE_DISTANCE] =
        CLI_PARAM_REAL("distance", "M", NULL, 1e-3, 1e12, "give up after so many metres"),
    [EXPLORE_CHECK] =
        CLI_PARAM_FLAG("check", "compare what was reached with a flood of the world, cell by cell"),
    [EXPLORE_TRACE] = CLI_PARAM_OUTPUT("trace", "write every step there, JSON lines"),
    [EXPLORE_TIMES] = CLI_PARAM_FLAG("times", "of --trace: with times"),
    [EXPLORE_THREADS] = CLI_PARAM_INTEGER("threads", "N", "1", 1, CLI_THREADS_MAX,
                                          "how many threads look around: for large radii"),
    [EXPLORE_SVG] = CLI_SVG_OPTION,
    [EXPLORE_SLICE] = CLI_SLICE_OPTION,
    [EXPLORE_WALK] = CLI_PARAM_FLAG("walk", "WORLD is a surface to walk on: .obj or .json"),
    [EXPLORE_SHAPES] = CLI_SHAPES_OPTION,
    [EXPLORE_RULES] = CLI_RULES_OPTION,
    [EXPLORE_GAME] = CLI_GAME_OPTION,
    [EXPLORE_PATIENCE] = CLI_PATIENCE_OPTION,
    [EXPLORE_MEMORY] = CLI_PARAM_INTEGER("memory", "MB", "1000", 1, CLI_MEMORY_MAX,
                                         "megabytes that world and maps may take"),
};

const cli_command oct_cmd_explore = {
    .name = "explore",
    .summary = "explores a world until nothing that can be reached is unknown",
    .details =
        "  The body knows nothing at first. It sees as far as --radius says, moves along its paths "
        "without\n"
        "  physics, and never enters a cell that it has not seen to be open. By default it stays "
        "within the\n"
        "  grids that are 200 m or less from the start, and as far around them as it sees; in a "
        "map "
        "file,\n"
        "  whose unknown cells are in the way, within its box. Exit code 1: a limit came first, "
        "the "
        "goal was\n"
        "  not reached, or --check found a difference.\n"
        "  With --game WORLD is a level of that game, or missing, and an agent with its body "
        "explores.\n"
        "  Times are CPU time of the thread, with --threads time that passes: of the calls that "
        "plan, and\n"
        "  of observing.",
    .operands = explore_operands,
    .operand_count = sizeof explore_operands / sizeof explore_operands[0],
    .options = explore_options,
    .option_count = EXPLORE_OPTION_COUNT,
    .run = run_explore,
};
