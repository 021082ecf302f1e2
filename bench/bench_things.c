// SPDX-License-Identifier: MIT
// The measurements of things and observation: the octree on the worlds of Hoekzema 2024, on our
// own, and on boxes that move; and the index of things against the octree of Abdo 2017.
#include "bench/bench.h"
#include "bench/thing_scene.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"

#include <stdio.h>
#include <stdlib.h>

#define MOVER_ID UINT64_MAX
#define GOAL_SIZE 256      // the edge of generated scenes that the goals are meant for
#define WHOLE_RADIUS 100.0 // metres: sees all of a world from its middle

// ---- maps ----

static bool fresh(void *ctx)
{
    thing_scene *const s = ctx;
    oct_map_destroy(s->map);
    s->map = NULL;
    return oct_thing_scene_map(s, &s->map) == OCT_OK;
}

static bool look(thing_scene *s, oct_point from, double radius, oct_sight sight)
{
    const oct_view view = {.centre = from, .radius = radius, .sight = sight};
    return oct_map_observe(s->map, &view, s->things, s->count, NULL) == OCT_OK;
}

static uint64_t check_labels(void *ctx)
{
    const thing_scene *const s = ctx;
    const oct_box box = oct_tree_extent(oct_map_tree(s->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    uint64_t counts[3] = {0, 0, 0};
    if (oct_tree_count(oct_map_tree(s->map), box, counts) != OCT_OK) {
        return 0;
    }
    return counts[OCT_OPEN] * UINT64_C(1000003) + counts[OCT_BLOCKED];
}

static bool has_views(const void *ctx)
{
    return ((const thing_scene *)ctx)->has_views;
}

static bool has_mover(const void *ctx)
{
    return ((const thing_scene *)ctx)->has_mover;
}

static bool has_full(const void *ctx)
{
    return ((const thing_scene *)ctx)->has_full;
}

// ---- adding all things by id ----

static bench_count run_add(void *ctx)
{
    const thing_scene *const s = ctx;
    for (size_t i = 0; i < s->count; i++) {
        if (oct_map_add(s->map, &s->things[i]) != OCT_OK) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){1, 0};
}

static const bench_work add = {.prepare = fresh, .run = run_add, .check = check_labels};

// ---- observing from new places ----

static bench_count run_observe(thing_scene *s, oct_sight sight)
{
    for (size_t i = 0; i < VIEW_COUNT; i++) {
        if (!look(s, s->views[i], s->radius, sight)) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){VIEW_COUNT, 0};
}

static bench_count run_through(void *ctx)
{
    return run_observe(ctx, OCT_SIGHT_THROUGH);
}

static bench_count run_line(void *ctx)
{
    return run_observe(ctx, OCT_SIGHT_LINE);
}

static bool prepare_through(void *ctx)
{
    thing_scene *const s = ctx;
    return fresh(s) && look(s, s->home, s->radius, OCT_SIGHT_THROUGH);
}

static bool prepare_line(void *ctx)
{
    thing_scene *const s = ctx;
    return fresh(s) && look(s, s->home, s->radius, OCT_SIGHT_LINE);
}

static const bench_work through = {
    .prepare = prepare_through, .run = run_through, .check = check_labels, .applies = has_views};
static const bench_work line = {
    .prepare = prepare_line, .run = run_line, .check = check_labels, .applies = has_views};

// ---- moving one thing by one cell, again and again ----

static bool prepare_move(void *ctx)
{
    thing_scene *const s = ctx;
    const oct_thing mover = {.id = MOVER_ID, .box = s->moves[0], .label = OCT_BLOCKED, .opaque = 1};
    if (!fresh(s) || run_add(s).operations == 0) {
        return false;
    }
    // All cells were observed, so that what moves away leaves OPEN cells behind.
    const oct_box box = oct_tree_extent(oct_map_tree(s->map), OCT_HAS_BLOCKED);
    return oct_map_set_box(s->map, box, OCT_MARK_KNOWN) == OCT_OK &&
           oct_map_add(s->map, &mover) == OCT_OK;
}

static bench_count run_move(void *ctx)
{
    const thing_scene *const s = ctx;
    for (size_t i = 1; i <= MOVE_COUNT; i++) {
        if (oct_map_move(s->map, MOVER_ID, s->moves[i]) != OCT_OK) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){MOVE_COUNT, 0};
}

static const bench_work move = {
    .prepare = prepare_move, .run = run_move, .check = check_labels, .applies = has_mover};

// ---- sizes ----

// Everything seen once, packed.
static oct_map_bytes measure(thing_scene *s)
{
    const bool made = fresh(s) &&
                      (s->has_views ? look(s, s->home, WHOLE_RADIUS, OCT_SIGHT_THROUGH)
                                    : run_add(s).operations > 0) &&
                      oct_map_shrink(s->map) == OCT_OK;
    return made ? oct_map_measure(s->map) : (oct_map_bytes){0, 0};
}

static double bytes_of_octree(void *ctx)
{
    return (double)measure(ctx).cells;
}

static double bytes_of_things(void *ctx)
{
    return (double)measure(ctx).things;
}

// The tree of clusters is a row of the map's benches already.
static bool is_new_tree(const void *ctx)
{
    return has_views(ctx) || has_full(ctx);
}

static const bench_work bytes = {.measure = bytes_of_octree, .applies = is_new_tree};
static const bench_work bytes_things = {.measure = bytes_of_things};

// ---- what is OPEN though it was never observed ----

typedef struct tally {
    const thing_scene *scene;
    double radius;
    uint64_t open, unseen; // cells
} tally;

static double far_distance(double centre, double lo, double hi)
{
    return centre - lo > hi - centre ? centre - lo : hi - centre;
}

static bool tally_leaf(void *ctx, const oct_leaf *leaf)
{
    tally *const t = ctx;
    const oct_box box = oct_leaf_box(*leaf);
    const double cell = t->scene->cell_size;
    const oct_point c = t->scene->home;
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                const double dx = far_distance(c.x, x * cell, (x + 1) * cell);
                const double dy = far_distance(c.y, y * cell, (y + 1) * cell);
                const double dz = far_distance(c.z, z * cell, (z + 1) * cell);
                t->open++;
                t->unseen += dx * dx + dy * dy + dz * dz > t->radius * t->radius * (1.0 + 1e-12);
            }
        }
    }
    return true;
}

// The largest share over the radii and both kinds of sight.
static double worst_unseen(void *ctx)
{
    thing_scene *const s = ctx;
    double worst = 0.0;
    for (int radius = 10; radius <= 70; radius += 10) {
        for (oct_sight sight = OCT_SIGHT_LINE; sight <= OCT_SIGHT_THROUGH; sight++) {
            if (!fresh(s) || !look(s, s->home, radius, sight)) {
                return 1.0;
            }
            tally t = {s, radius, 0, 0};
            oct_tree_leaves(oct_map_tree(s->map),
                            oct_tree_extent(oct_map_tree(s->map), OCT_HAS_OPEN), OCT_HAS_OPEN,
                            tally_leaf, &t);
            const double share = t.open ? (double)t.unseen / (double)t.open : 1.0;
            worst = share > worst ? share : worst;
        }
    }
    return worst;
}

static const bench_work unseen = {.measure = worst_unseen, .applies = has_views};

// ---- the index of things against the octree of Abdo 2017, which keeps things and no labels ----

static oct_point middle_of(const oct_bounds *box)
{
    return (oct_point){(box->min.x + box->max.x) / 2.0, (box->min.y + box->max.y) / 2.0,
                       (box->min.z + box->max.z) / 2.0};
}

static bool fresh_full(void *ctx)
{
    thing_scene *const s = ctx;
    oct_full_free(&s->full);
    return oct_full_init(&s->full, s->full_box.min, s->full_box.max.x - s->full_box.min.x,
                         s->full_depth, (uint32_t)s->count + 1u) == OCT_OK;
}

static uint32_t add_full(thing_scene *s, const oct_bounds *box)
{
    return oct_full_add(&s->full, middle_of(box), box->max.x - box->min.x);
}

static bench_count run_full_add(void *ctx)
{
    thing_scene *const s = ctx;
    for (size_t i = 0; i < s->count; i++) {
        if (add_full(s, &s->things[i].box) == 0) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){s->count, 0};
}

static bool prepare_full_move(void *ctx)
{
    thing_scene *const s = ctx;
    if (!fresh_full(s) || run_full_add(s).operations == 0) {
        return false;
    }
    s->full_mover = add_full(s, &s->moves[0]);
    return s->full_mover != 0;
}

static bench_count run_full_move(void *ctx)
{
    thing_scene *const s = ctx;
    for (size_t i = 1; i <= MOVE_COUNT; i++) {
        oct_full_move(&s->full, s->full_mover, middle_of(&s->moves[i]));
    }
    return (bench_count){MOVE_COUNT, 0};
}

static uint64_t check_full(void *ctx)
{
    return oct_full_count(&((const thing_scene *)ctx)->full, 1);
}

static double bytes_of_full(void *ctx)
{
    thing_scene *const s = ctx;
    return fresh_full(s) ? (double)oct_full_bytes(&s->full) : 0.0;
}

static bool fresh_loose(void *ctx)
{
    thing_scene *const s = ctx;
    const oct_allocator heap = oct_allocator_default();
    const lattice l = {.cell_size = s->cell_size, .dims = 3};
    oct_things_free(&s->loose);
    oct_things_init(&s->loose, &l, &heap);
    return true;
}

static uint32_t add_loose(thing_scene *s, const oct_thing *from)
{
    if (oct_things_reserve(&s->loose) != OCT_OK) {
        return 0;
    }
    const uint32_t slot = oct_things_take(&s->loose, from);
    oct_things_link(&s->loose, slot);
    return slot;
}

static bench_count run_loose_add(void *ctx)
{
    thing_scene *const s = ctx;
    for (size_t i = 0; i < s->count; i++) {
        if (add_loose(s, &s->things[i]) == 0) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){s->count, 0};
}

static bool prepare_loose_move(void *ctx)
{
    thing_scene *const s = ctx;
    const oct_thing mover = {.id = MOVER_ID, .box = s->moves[0], .label = OCT_BLOCKED};
    if (!fresh_loose(s) || run_loose_add(s).operations == 0) {
        return false;
    }
    s->loose_mover = add_loose(s, &mover);
    return s->loose_mover != 0;
}

static bench_count run_loose_move(void *ctx)
{
    thing_scene *const s = ctx;
    for (size_t i = 1; i <= MOVE_COUNT; i++) {
        oct_things_unlink(&s->loose, s->loose_mover);
        oct_things_at(&s->loose, s->loose_mover)->box = s->moves[i];
        oct_things_link(&s->loose, s->loose_mover);
    }
    return (bench_count){MOVE_COUNT, 0};
}

static bool count_thing(void *ctx, uint32_t slot, const oct_box *cells)
{
    (void)slot;
    (void)cells;
    ++*(uint64_t *)ctx;
    return true;
}

static uint64_t check_loose(void *ctx)
{
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    uint64_t count = 0;
    oct_things_in(&((const thing_scene *)ctx)->loose, &all, count_thing, &count);
    return count;
}

// Both with the things in them.
static double bytes_of_loose(void *ctx)
{
    thing_scene *const s = ctx;
    return fresh_loose(s) && run_loose_add(s).operations > 0 &&
                   oct_things_shrink(&s->loose) == OCT_OK
               ? (double)oct_things_bytes(&s->loose)
               : 0.0;
}

static const bench_work full_add = {
    .prepare = fresh_full, .run = run_full_add, .check = check_full, .applies = has_full};
static const bench_work full_move = {
    .prepare = prepare_full_move, .run = run_full_move, .check = check_full, .applies = has_full};
static const bench_work full_bytes = {.measure = bytes_of_full, .applies = has_full};
static const bench_work loose_add = {
    .prepare = fresh_loose, .run = run_loose_add, .check = check_loose, .applies = has_full};
static const bench_work loose_move = {.prepare = prepare_loose_move,
                                      .run = run_loose_move,
                                      .check = check_loose,
                                      .applies = has_full};
static const bench_work loose_bytes = {.measure = bytes_of_loose, .applies = has_full};

// ---- the table ----

#define MS 1e-3
#define US 1e-6

static const bench thing_benches[] = {
    {"octree", "tree_bytes", NULL, 1.0, &bytes},
    {"octree", "obstacle_bytes", NULL, 1.0, &bytes_things},
    {"octree", "add_ms", NULL, MS, &add},
    {"octree", "observe_ms", NULL, MS, &through},
    {"octree", "observe_line_ms", NULL, MS, &line},
    {"octree", "move_us", NULL, US, &move},
    {"octree", "open_unseen", NULL, 1.0, &unseen},
    {"index", "index_bytes", "full index_bytes", 1.0, &loose_bytes},
    {"full", "index_bytes", NULL, 1.0, &full_bytes},
    {"index", "index_add_us", "full index_add_us", US, &loose_add},
    {"full", "index_add_us", NULL, US, &full_add},
    {"index", "index_move_us", "full index_move_us", US, &loose_move},
    {"full", "index_move_us", NULL, US, &full_move},
};

static const bench_goal thing_goals[] = {
    {"world3", "tree_bytes", 1.6e6}, {"world4", "tree_bytes", 1.85e6},
    {"world3", "add_ms", 60.0},      {"world3", "obstacle_bytes", 1e6},
    {"world4", "observe_ms", 10.0},  {"world4", "observe_line_ms", 60.0},
    {"clusters", "move_us", 5.0},    {"world3", "open_unseen", 0.0},
    {"world4", "open_unseen", 0.0},
};

static const bench_suite thing_suite = {
    .benches = thing_benches,
    .bench_count = sizeof thing_benches / sizeof thing_benches[0],
    .goals = thing_goals,
    .goal_count = sizeof thing_goals / sizeof thing_goals[0],
    .runs = 3,
};

// ---- scenes ----

typedef struct scene_row {
    const char *name;
    const char *data; // a file of the data folder, or NULL
    int kind;         // of a generated world; -1 = boxes of cells
    bool large;       // left out where generated scenes shall be small
} scene_row;

static const scene_row scenes[] = {
    {"world3", "space_engineers/worlds/test3a_Glass_box.json", 0, false},
    {"world4", "space_engineers/worlds/test4a_Glass_box_maze.json", 0, false},
    {"glass-box", NULL, OCT_GENERATE_GLASS_BOX, true},
    {"glass-maze", NULL, OCT_GENERATE_GLASS_MAZE, true},
    {"clusters", NULL, -1, false},
    {"svo-random", NULL, OCT_GENERATE_SVO_RANDOM, false},
    {"svo-wall", NULL, OCT_GENERATE_SVO_WALL, false},
};
#define SCENE_COUNT (sizeof scenes / sizeof scenes[0])

// The file that a scene comes from; "" where it is made here.
static void scene_path(const bench_options *options, const scene_row *row, char *path, size_t size)
{
    path[0] = '\0';
    if (row->data && options->data) {
        snprintf(path, size, "%s/%s", options->data, row->data);
    } else if (row->kind < 0 && options->scenes) {
        snprintf(path, size, "%s/%s.boxes", options->scenes, row->name);
    }
    if (path[0] && !oct_bench_file_exists(path)) {
        path[0] = '\0';
    }
}

static bool scene_is_there(const bench_report *report, const scene_row *row)
{
    char path[1024];
    scene_path(&report->options, row, path, sizeof path);
    return oct_bench_wants(report, &thing_suite, row->name) && (!row->data || path[0]) &&
           (!row->large || report->options.size >= GOAL_SIZE);
}

static oct_result make_scene(thing_scene *scene, const scene_row *row, const char *path,
                             uint32_t size, oct_error *error)
{
    if (row->data) {
        return oct_thing_scene_load(scene, path, error);
    }
    return row->kind < 0 ? oct_thing_scene_boxes(scene, path[0] ? path : NULL, size, error)
                         : oct_thing_scene_generate(scene, (oct_generate_world_kind)row->kind);
}

static oct_result measure_scene(bench_report *report, const scene_row *row)
{
    char path[1024];
    scene_path(&report->options, row, path, sizeof path);
    thing_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    oct_error error = {.line = 0};
    oct_result result = make_scene(scene, row, path, report->options.size, &error);
    if (result == OCT_OK) {
        const bool with_goals = path[0] || report->options.size == GOAL_SIZE;
        result = oct_bench_scene(report, &thing_suite, row->name, scene, with_goals);
    }
    if (result != OCT_OK && !report->message[0]) {
        oct_bench_explain(report, path[0] ? path : row->name, result, &error);
    }
    oct_thing_scene_free(scene);
    free(scene);
    return result;
}

size_t oct_bench_things_count(const bench_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        count += scene_is_there(report, &scenes[i]);
    }
    return count;
}

oct_result oct_bench_things(bench_report *report)
{
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        if (scene_is_there(report, &scenes[i])) {
            OCT_TRY(measure_scene(report, &scenes[i]));
            report->scene++;
        }
    }
    return OCT_OK;
}
