// SPDX-License-Identifier: MIT
// The block world: what a tick takes with one character and with 500, what an observation takes,
// and what it takes to make a game of a world.
//
// Characters fly about at random, each with a thrust and a turning that change every 20 ticks, and
// run into things as they please: no plan keeps them out of walls. Every run begins with a new
// game, so that it does the same work however often it is repeated; the checksum is the game's own
// hash.
#include "bench/bench.h"
#include "game/block_probe.h"
#include "octant/tree.h"

#include "agent/look.h"
#include "files/files_internal.h"
#include "geom/geom_internal.h"
#include "octant/block_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GAME_SEED 20260108
#define ONE "one"
#define CROWD "crowd"
#define CROWD_COUNT 500
#define ACTION_TICKS 20
#define ONE_TICKS 6000   // a run
#define CROWD_TICKS 60   // a run,
#define CROWD_BEFORE 120 // after these, in which the crowd comes up to speed
#define VIEWS 8          // a run looks from so many places,
#define VIEW_TICKS 120   // so far from each other,
#define PLACES 32        // of so many
#define JOINS_MAX 1000   // places drawn for one character
#define CELL 0.35        // of the map that observes: as everywhere else, and half a body
#define PADDING 0.9
#define US 1e-6
#define MS 1e-3

typedef struct game_scene {
    const oct_world *world;
    oct_game *game; // of the row that runs
    oct_map *map;   // of the player; NULL where only the game is asked
    look_state look;
    oct_random random;
    oct_pose views[VIEWS + 1]; // the first is looked from beforehand
    uint64_t seen;             // what the last run of looks came to
} game_scene;

// ---- flying about ----

static oct_point random_share(oct_random *random)
{
    const double x = 2.0 * oct_random_unit(random) - 1.0, y = 2.0 * oct_random_unit(random) - 1.0;
    return (oct_point){x, y, 2.0 * oct_random_unit(random) - 1.0};
}

static bool move_all(game_scene *s)
{
    const uint32_t count = oct_game_players(s->game);
    for (uint32_t i = 0; i < count; i++) {
        oct_action action = {.verb = OCT_VERB_MOVE, .ticks = ACTION_TICKS};
        action.move = random_share(&s->random);
        action.rotate = random_share(&s->random);
        if (oct_game_act(s->game, i, &action, NULL) != OCT_OK) {
            return false;
        }
    }
    return true;
}

// Tick by tick, as a player would have it.
static bool fly(game_scene *s, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        if ((i % ACTION_TICKS == 0 && !move_all(s)) || oct_game_step(s->game, 1) != OCT_OK) {
            return false;
        }
    }
    return true;
}

// ---- games ----

static oct_pose random_pose(game_scene *s, oct_bounds box)
{
    const oct_point at = {box.min.x + (box.max.x - box.min.x) * oct_random_unit(&s->random),
                          box.min.y + (box.max.y - box.min.y) * oct_random_unit(&s->random),
                          box.min.z + (box.max.z - box.min.z) * oct_random_unit(&s->random)};
    return (oct_pose){.position = at, .forward = {1, 0, 0}, .up = {0, 1, 0}};
}

static bool join(game_scene *s)
{
    for (int i = 0; i < JOINS_MAX; i++) {
        const oct_pose pose = random_pose(s, oct_world_extent(s->world));
        const oct_result result = oct_game_join(s->game, &pose, NULL);
        if (result != OCT_ERROR_RANGE) {
            return result == OCT_OK;
        }
    }
    return false;
}

// A new game with so many characters, who fly.
static bool begin(game_scene *s, uint32_t count)
{
    const oct_action flies = {.verb = OCT_VERB_DO, .name = "jetpack", .on = true};
    s->random = oct_random_seed(GAME_SEED);
    oct_game_destroy(s->game);
    if (oct_block_world_create(&(oct_block_world_def){s->world, NULL}, &s->game) != OCT_OK) {
        return false;
    }
    while (oct_game_players(s->game) < count) {
        if (!join(s)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (oct_game_act(s->game, i, &flies, NULL) != OCT_OK) {
            return false;
        }
    }
    return true;
}

static uint64_t check_game(void *scene)
{
    return oct_game_hash(((const game_scene *)scene)->game) >> 1; // JSON has no more than 63 bits
}

// ---- ticks ----

static bool prepare_one(void *scene)
{
    return begin(scene, 1) && fly(scene, ACTION_TICKS);
}

static bench_count run_one(void *scene)
{
    return (bench_count){fly(scene, ONE_TICKS) ? ONE_TICKS : 0, 0};
}

static bool prepare_crowd(void *scene)
{
    return begin(scene, CROWD_COUNT) && fly(scene, CROWD_BEFORE);
}

static bench_count run_crowd(void *scene)
{
    return (bench_count){fly(scene, CROWD_TICKS) ? CROWD_TICKS : 0, 0};
}

// ---- looks ----

static oct_result look(game_scene *s, const oct_pose *from, oct_observation *out)
{
    OCT_TRY(oct_block_world_teleport(s->game, 0, from, (oct_point){0, 0, 0}));
    const oct_allocator heap = oct_allocator_default();
    return s->map ? oct_look_around(&s->look, &heap, s->game, 0, oct_game_describe(s->game), s->map,
                                    out)
                  : oct_game_observe(s->game, 0, out);
}

// A new game, in which nobody has looked but from the first place.
static bool prepare_looks(game_scene *s, bool with_map)
{
    oct_observation out;
    oct_map_destroy(s->map);
    s->map = NULL;
    if (with_map) {
        oct_map_def def = oct_map_def_default();
        def.cell_size = CELL;
        def.padding = (oct_point){PADDING, PADDING, PADDING};
        if (oct_map_create(&def, &s->map) != OCT_OK) {
            return false;
        }
    }
    return begin(s, 1) && look(s, &s->views[0], &out) == OCT_OK;
}

static bool prepare_map(void *scene)
{
    return prepare_looks(scene, true);
}

static bool prepare_no_map(void *scene)
{
    return prepare_looks(scene, false);
}

static bench_count run_looks(void *scene)
{
    game_scene *const s = scene;
    s->seen = 0;
    for (size_t i = 1; i <= VIEWS; i++) {
        oct_observation out;
        if (look(s, &s->views[i], &out) != OCT_OK) {
            return (bench_count){0, 0};
        }
        s->seen = s->seen * 31u + out.count;
    }
    return (bench_count){VIEWS, 0};
}

// How much was told (with a map: in sight), and what the map has of it.
static uint64_t check_looks(void *scene)
{
    const game_scene *const s = scene;
    uint64_t counts[3] = {0, 0, 0};
    if (s->map) {
        const oct_box box = oct_tree_extent(oct_map_tree(s->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED);
        oct_tree_count(oct_map_tree(s->map), box, counts);
    }
    const uint64_t all[] = {s->seen, counts[OCT_OPEN], counts[OCT_BLOCKED]};
    return oct_hash_bytes(all, sizeof all) >> 1;
}

// ---- making ----

static bool prepare_create(void *scene)
{
    game_scene *const s = scene;
    oct_game_destroy(s->game);
    s->game = NULL;
    return true;
}

static bench_count run_create(void *scene)
{
    game_scene *const s = scene;
    return (bench_count){
        oct_block_world_create(&(oct_block_world_def){s->world, NULL}, &s->game) == OCT_OK, 0};
}

// ---- rows ----

static const bench_work one = {.prepare = prepare_one, .run = run_one, .check = check_game};
static const bench_work crowd = {.prepare = prepare_crowd, .run = run_crowd, .check = check_game};
static const bench_work looks = {.prepare = prepare_no_map, .run = run_looks, .check = check_looks};
static const bench_work map_looks = {
    .prepare = prepare_map, .run = run_looks, .check = check_looks};
static const bench_work create = {
    .prepare = prepare_create, .run = run_create, .check = check_game};

static const bench game_benches[] = {
    {ONE, "tick_us", NULL, US, &one},
    {ONE, "observe_ms", NULL, MS, &looks},
    {ONE, "observe_map_ms", NULL, MS, &map_looks},
    {ONE, "create_ms", NULL, MS, &create},
    {CROWD, "tick_ms", NULL, MS, &crowd},
};

// 200 000 ticks a second, and 1000 with the crowd.
static const bench_goal game_goals[] = {
    {"world4", "tick_us", 5.0},
    {"world4", "tick_ms", 1.0},
};

static const bench_suite game_suite = {
    .benches = game_benches,
    .bench_count = sizeof game_benches / sizeof game_benches[0],
    .goals = game_goals,
    .goal_count = sizeof game_goals / sizeof game_goals[0],
    .all_have_goals = true,
    .runs = 3,
};

// ---- scenes ----

// Where a flight at random comes by, and nothing is when a game begins: some things drift.
static bool choose_views(game_scene *s)
{
    oct_pose places[PLACES];
    size_t chosen = 0;
    bool is_well = begin(s, 1);
    for (size_t i = 0; is_well && i < PLACES; i++) {
        oct_self self;
        is_well = fly(s, VIEW_TICKS) && oct_game_self(s->game, 0, &self) == OCT_OK;
        places[i] = self.pose;
    }
    is_well = is_well && begin(s, 1);
    for (size_t i = 0; is_well && i < PLACES && chosen <= VIEWS; i++) {
        if (oct_block_world_teleport(s->game, 0, &places[i], (oct_point){0, 0, 0}) == OCT_OK) {
            s->views[chosen++] = places[i];
        }
    }
    return chosen > VIEWS;
}

static oct_result measure_world(bench_report *report, const char *name, const char *path)
{
    oct_error error = {.line = 0};
    oct_world *world;
    const oct_result loaded = oct_world_load(path, NULL, NULL, &world, NULL, &error);
    if (loaded != OCT_OK) {
        oct_bench_explain(report, path, loaded, &error);
        return loaded;
    }
    game_scene s = {.world = world};
    oct_result result = OCT_ERROR_ARGUMENT;
    if (choose_views(&s)) {
        result = oct_bench_scene(report, &game_suite, name, &s, true);
    } else {
        snprintf(report->message, sizeof report->message, "%.300s: nobody can fly there", path);
    }
    oct_game_destroy(s.game);
    const oct_allocator heap = oct_allocator_default();
    oct_look_free(&s.look, &heap);
    oct_map_destroy(s.map);
    oct_world_destroy(world);
    return result;
}

typedef struct world_row {
    const char *name;
    const char *data; // its file in the folder of data; NULL = one of our own
} world_row;

static const world_row worlds[] = {
    {"world4", "space_engineers/worlds/test4a_Glass_box_maze.json"},
    {"glass_maze", NULL},
    {"scrapyard", NULL},
    {"drifting_ship", NULL},
};

// Where a world is; false where it is not there. Ours may be in the folder of scenes too.
static bool find_world(const bench_options *options, const world_row *row, char *path, size_t size)
{
    if (row->data) {
        snprintf(path, size, "%s/%s", options->data ? options->data : "", row->data);
        return options->data && oct_bench_file_exists(path);
    }
    if (options->scenes) {
        snprintf(path, size, "%s/%s.json", options->scenes, row->name);
        if (oct_bench_file_exists(path)) {
            return true;
        }
    }
    snprintf(path, size, OCT_BENCH_WORLDS "/%s.json", row->name);
    return oct_bench_file_exists(path);
}

oct_result oct_bench_game(bench_report *report)
{
    report->scene = 0;
    report->scene_count = sizeof worlds / sizeof worlds[0];
    for (size_t i = 0; i < report->scene_count; i++) {
        char path[4096];
        if (oct_bench_wants(report, &game_suite, worlds[i].name)) {
            if (find_world(&report->options, &worlds[i], path, sizeof path)) {
                OCT_TRY(measure_world(report, worlds[i].name, path));
            } else {
                oct_bench_skip(report, path);
            }
        }
        report->scene++;
    }
    return OCT_OK;
}
