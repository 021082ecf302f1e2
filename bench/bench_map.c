// SPDX-License-Identifier: MIT
// The map's measurements: the octree against sorted location codes and against stored links.
//
// Each function times one kind of work on a scene. Rows of the same metric do the same work, which
// their checksums show.
#include "bench/bench.h"
#include "bench/map_scene.h"
#include "geom/geom_internal.h"
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/octree_internal.h"

#include <stdio.h>
#include <stdlib.h>

#define GOAL_SIZE 256 // the edge of generated scenes that the goals are meant for

// ---- queries ----

static bench_count run_point(void *ctx)
{
    const map_scene *const s = ctx;
    bench_count count = {POINT_COUNT, 0};
    for (size_t i = 0; i < POINT_COUNT; i++) {
        count.checksum += oct_tree_label(s->tree, s->points[i]) == OCT_BLOCKED;
    }
    return count;
}

static const bench_work point = {.run = run_point};

static bench_count run_point_codes(void *ctx)
{
    const map_scene *const s = ctx;
    bench_count count = {POINT_COUNT, 0};
    for (size_t i = 0; i < POINT_COUNT; i++) {
        count.checksum += oct_codes_hold(&s->codes, s->points[i]);
    }
    return count;
}

static const bench_work point_codes = {.run = run_point_codes};

typedef size_t neighbours_fn(const oct_tree *tree, oct_leaf leaf, uint32_t directions,
                             oct_labels labels, oct_leaf *out, size_t capacity);

OCT_FORCE_INLINE bench_count run_neighbours_by(const map_scene *s, neighbours_fn *neighbours)
{
    bench_count count = {s->links.open_count ? PICK_COUNT : 0, 0};
    for (size_t i = 0; i < count.operations; i++) {
        count.checksum +=
            neighbours(s->tree, s->picked[i], OCT_DIRECTIONS_26, OCT_HAS_OPEN | OCT_HAS_BLOCKED,
                       s->neighbours, s->neighbours_max);
    }
    return count;
}

static bench_count run_neighbours(void *ctx)
{
    return run_neighbours_by(ctx, oct_tree_neighbours);
}

static const bench_work neighbours = {.run = run_neighbours};

static bench_count run_neighbours_descent(void *ctx)
{
    return run_neighbours_by(ctx, oct_tree_neighbours_by_descent);
}

static const bench_work neighbours_descent = {.run = run_neighbours_descent};

static bench_count run_neighbours_links(void *ctx)
{
    const map_scene *const s = ctx;
    bench_count count = {s->links.open_count ? PICK_COUNT : 0, 0};
    for (size_t i = 0; i < count.operations; i++) {
        count.checksum += oct_links_neighbours(&s->links, s->picks[i], s->neighbours);
    }
    return count;
}

static const bench_work neighbours_links = {.run = run_neighbours_links};

static bench_count run_ray(void *ctx)
{
    const map_scene *const s = ctx;
    bench_count count = {RAY_COUNT, 0};
    for (size_t i = 0; i < RAY_COUNT; i++) {
        oct_leaf hit;
        if (oct_tree_raycast(s->tree, s->segments[i].from, s->segments[i].to, OCT_HAS_BLOCKED,
                             &hit)) {
            count.checksum += 1u + (uint32_t)hit.x;
        }
    }
    return count;
}

static const bench_work ray = {.run = run_ray};

static bool count_leaf(void *ctx, const oct_leaf *leaf)
{
    uint64_t *const count = ctx;
    *count += 1u + leaf->level;
    return true;
}

static bench_count walk_all(const map_scene *s, oct_walk walk)
{
    bench_count count = {RAY_COUNT, 0};
    for (size_t i = 0; i < RAY_COUNT; i++) {
        oct_tree_walk(s->tree, s->segments[i].from, s->segments[i].to, walk, count_leaf,
                      &count.checksum);
    }
    return count;
}

static bench_count run_ray_full(void *ctx)
{
    return walk_all(ctx, OCT_WALK_ENTERED);
}

static const bench_work ray_full = {.run = run_ray_full};

static bench_count run_ray_touched(void *ctx)
{
    return walk_all(ctx, OCT_WALK_TOUCHED);
}

static const bench_work ray_touched = {.run = run_ray_touched};

static double measure_allocations(void *ctx)
{
    const map_scene *const s = ctx;
    return (double)(s->allocations - s->allocations_0);
}

static const bench_work allocations = {.measure = measure_allocations};

// ---- bytes ----

static double measure_bytes(void *ctx)
{
    const map_scene *const s = ctx;
    return (double)oct_tree_bytes(s->tree);
}

static const bench_work bytes = {.measure = measure_bytes};

static double measure_bytes_codes(void *ctx)
{
    const map_scene *const s = ctx;
    return (double)oct_codes_bytes(&s->codes);
}

static const bench_work bytes_codes = {.measure = measure_bytes_codes};

static double measure_bytes_links(void *ctx)
{
    const map_scene *const s = ctx;
    return (double)oct_links_bytes(&s->links);
}

static const bench_work bytes_links = {.measure = measure_bytes_links};

// ---- building ----

static uint64_t count_blocked(const oct_tree *tree, oct_box box)
{
    uint64_t counts[3] = {0};
    return oct_tree_count(tree, box, counts) == OCT_OK ? counts[OCT_BLOCKED] : 0;
}

static bool drop_built(void *ctx)
{
    map_scene *const s = ctx;
    oct_tree_destroy(s->built);
    s->built = NULL;
    oct_codes_free(&s->built_codes);
    return true;
}

static bench_count run_build(void *ctx)
{
    map_scene *const s = ctx;
    return (bench_count){oct_scene_build(s, &s->built) == OCT_OK, 0};
}

static bench_count run_load(void *ctx)
{
    map_scene *const s = ctx;
    const oct_tree_def def = oct_tree_def_default();
    const oct_result result =
        oct_tree_read(OCT_FORMAT_3DMAP, s->file, s->file_size, &def, &s->built, NULL, NULL);
    return (bench_count){result == OCT_OK, 0};
}

static uint64_t check_built(void *ctx)
{
    map_scene *const s = ctx;
    const uint64_t blocked = count_blocked(s->built, s->box);
    drop_built(s);
    return blocked;
}

static const bench_work build = {.prepare = drop_built, .run = run_build, .check = check_built};

static bench_count run_build_codes(void *ctx)
{
    map_scene *const s = ctx;
    const oct_result result = oct_codes_build(&s->built_codes, s->runs.items, s->runs.count);
    return (bench_count){result == OCT_OK, 0};
}

static uint64_t check_built_codes(void *ctx)
{
    map_scene *const s = ctx;
    const uint64_t blocked = oct_codes_volume(&s->built_codes);
    drop_built(s);
    return blocked;
}

static const bench_work build_codes = {
    .prepare = drop_built, .run = run_build_codes, .check = check_built_codes};

static bool has_file(const void *ctx)
{
    const map_scene *const s = ctx;
    return s->file != NULL;
}

static const bench_work load = {
    .prepare = drop_built, .run = run_load, .check = check_built, .applies = has_file};

// ---- edits ----

typedef struct restoring {
    oct_tree *to;
    oct_box box;
} restoring;

static bool restore_leaf(void *ctx, const oct_leaf *leaf)
{
    const restoring *const r = ctx;
    const oct_box inside = box_common(oct_leaf_box(*leaf), r->box);
    return oct_tree_set_box(r->to, inside, OCT_MARK_BLOCKED) == OCT_OK;
}

// Gives the edited tree the content of the other one where it may have changed.
static bool restore(void *ctx)
{
    const map_scene *const s = ctx;
    for (size_t i = 0; i < s->box_count; i++) {
        restoring r = {s->edited, s->boxes[i]};
        if (oct_tree_set_box(s->edited, r.box, OCT_MARK_OPEN) != OCT_OK ||
            !oct_tree_leaves(s->tree, r.box, OCT_HAS_BLOCKED, restore_leaf, &r)) {
            return false;
        }
    }
    return true;
}

static bench_count mark_boxes(const map_scene *s, oct_mark mark)
{
    for (size_t i = 0; i < s->box_count; i++) {
        if (oct_tree_set_box(s->edited, s->boxes[i], mark) != OCT_OK) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){s->box_count, 0};
}

static bench_count run_box_set(void *ctx)
{
    return mark_boxes(ctx, OCT_MARK_BLOCKED);
}

static bench_count run_box_clear(void *ctx)
{
    return mark_boxes(ctx, OCT_MARK_OPEN);
}

static bool prepare_box_clear(void *ctx)
{
    return restore(ctx) && run_box_set(ctx).operations > 0;
}

static uint64_t check_edited(void *ctx)
{
    const map_scene *const s = ctx;
    return count_blocked(s->edited, s->box);
}

static const bench_work box_set = {.prepare = restore, .run = run_box_set, .check = check_edited};
static const bench_work box_clear = {
    .prepare = prepare_box_clear, .run = run_box_clear, .check = check_edited};

static bool restore_codes(void *ctx)
{
    map_scene *const s = ctx;
    return oct_codes_copy(&s->codes, &s->edited_codes) == OCT_OK;
}

static bench_count mark_boxes_codes(map_scene *s, bool blocked)
{
    for (size_t i = 0; i < s->box_count; i++) {
        if (oct_codes_set_box(&s->edited_codes, s->boxes[i], blocked) != OCT_OK) {
            return (bench_count){0, 0};
        }
    }
    return (bench_count){s->box_count, 0};
}

static bench_count run_box_set_codes(void *ctx)
{
    return mark_boxes_codes(ctx, true);
}

static bench_count run_box_clear_codes(void *ctx)
{
    return mark_boxes_codes(ctx, false);
}

static bool prepare_box_clear_codes(void *ctx)
{
    return restore_codes(ctx) && run_box_set_codes(ctx).operations > 0;
}

static uint64_t check_edited_codes(void *ctx)
{
    const map_scene *const s = ctx;
    return oct_codes_volume(&s->edited_codes);
}

static const bench_work box_set_codes = {
    .prepare = restore_codes, .run = run_box_set_codes, .check = check_edited_codes};
static const bench_work box_clear_codes = {
    .prepare = prepare_box_clear_codes, .run = run_box_clear_codes, .check = check_edited_codes};

// One operation is a doubling and the shrinking that undoes it: more than was asked for.
static bench_count run_double(void *ctx)
{
    const map_scene *const s = ctx;
    bench_count count = {DOUBLE_COUNT, 0};
    for (size_t i = 0; i < DOUBLE_COUNT; i++) {
        const oct_vec at = s->outside[i];
        const oct_box cell = {at, {at.x + 1, at.y + 1, at.z + 1}};
        if (oct_tree_set_box(s->edited, cell, OCT_MARK_OPEN) != OCT_OK) {
            return (bench_count){0, 0};
        }
        count.checksum += (uint64_t)oct_tree_root(s->edited).level;
        if (oct_tree_forget(s->edited, cell) != OCT_OK) {
            return (bench_count){0, 0};
        }
    }
    return count;
}

static const bench_work doubling = {.prepare = restore, .run = run_double};

// ---- the table ----

#define MS 1e-3
#define US 1e-6
#define NS 1e-9

static const bench map_benches[] = {
    {"octree", "tree_bytes", "codes tree_bytes", 1.0, &bytes},
    {"codes", "tree_bytes", NULL, 1.0, &bytes_codes},
    {"links", "tree_bytes", "octree tree_bytes", 1.0, &bytes_links},
    {"octree", "build_ms", "codes build_ms", MS, &build},
    {"codes", "build_ms", NULL, MS, &build_codes},
    {"octree", "load_ms", "octree build_ms", MS, &load},
    {"octree", "point_ns", "codes point_ns", NS, &point},
    {"codes", "point_ns", NULL, NS, &point_codes},
    {"octree", "neighbours_ns", "links neighbours_ns", NS, &neighbours},
    {"octree", "neighbours_descent_ns", "octree neighbours_ns", NS, &neighbours_descent},
    {"links", "neighbours_ns", NULL, NS, &neighbours_links},
    {"octree", "ray_us", "octree ray_full_us", US, &ray},
    {"octree", "ray_full_us", NULL, US, &ray_full},
    {"octree", "ray_touched_us", "octree ray_full_us", US, &ray_touched},
    {"octree", "box_set_us", "codes box_set_us", US, &box_set},
    {"codes", "box_set_us", NULL, US, &box_set_codes},
    {"octree", "box_clear_us", "codes box_clear_us", US, &box_clear},
    {"codes", "box_clear_us", NULL, US, &box_clear_codes},
    {"octree", "double_us", NULL, US, &doubling},
    {"octree", "query_allocations", NULL, 1.0, &allocations},
};

static const bench_goal map_goals[] = {
    {"clusters", "tree_bytes", 2.3e6},
    {"sparse", "tree_bytes", 1.25e6},
    {"Simple", "tree_bytes", 0.08e6},
    {"Complex", "tree_bytes", 0.36e6},
    {"DA1", "tree_bytes", 1.3e6},
    {"BC1", "tree_bytes", 1.6e6},
    {"A1", "tree_bytes", 1.5e6},
    {"clusters", "point_ns", 30.0},
    {"clusters", "neighbours_ns", 400.0},
    {"clusters", "ray_us", 0.6},
    {"sparse", "ray_us", 0.6},
    {"clusters", "box_set_us", 1.5},
    {"clusters", "box_clear_us", 1.5},
    {NULL, "double_us", 1.0},
    {"A1", "load_ms", 120.0},
    {NULL, "query_allocations", 0.0},
};

static const bench_suite map_suite = {
    .benches = map_benches,
    .bench_count = sizeof map_benches / sizeof map_benches[0],
    .goals = map_goals,
    .goal_count = sizeof map_goals / sizeof map_goals[0],
    .runs = 3,
};

// ---- scenes ----

typedef struct scene_row {
    const char *name;
    bool is_data;           // a file of the data folder, else generated
    oct_generate_kind kind; // where generated
    uint32_t divisor;       // of the edge: scenes without large leaves are kept smaller
} scene_row;

static const scene_row scenes[] = {
    {"clusters", false, OCT_GENERATE_CLUSTERS, 1},
    {"sparse", false, OCT_GENERATE_BOXES, 1},
    {"wall", false, OCT_GENERATE_WALL, 1},
    {"checkerboard", false, OCT_GENERATE_CHECKERBOARD, 2},
    {"tunnels", false, OCT_GENERATE_TUNNELS, 2},
    {.name = "Simple", .is_data = true},
    {.name = "Complex", .is_data = true},
    {.name = "DA1", .is_data = true},
    {.name = "BC1", .is_data = true},
    {.name = "A1", .is_data = true},
};
#define SCENE_COUNT (sizeof scenes / sizeof scenes[0])

// The file that a scene comes from; "" where it is generated.
static void scene_path(const bench_options *options, const scene_row *row, char *path, size_t size)
{
    path[0] = '\0';
    if (row->is_data && options->data) {
        snprintf(path, size, "%s/voxel3d/%s.3dmap", options->data, row->name);
    } else if (!row->is_data && options->scenes) {
        snprintf(path, size, "%s/%s.3dmap", options->scenes, row->name);
    }
    if (path[0] && !oct_bench_file_exists(path)) {
        path[0] = '\0';
    }
}

static bool scene_is_there(const bench_report *report, const scene_row *row)
{
    char path[1024];
    scene_path(&report->options, row, path, sizeof path);
    return oct_bench_wants(report, &map_suite, row->name) && (!row->is_data || path[0]);
}

static oct_result measure_scene(bench_report *report, const scene_row *row)
{
    char path[1024];
    scene_path(&report->options, row, path, sizeof path);
    map_scene *const scene = calloc(1, sizeof *scene);
    if (!scene) {
        return OCT_ERROR_MEMORY;
    }
    const uint32_t edge = report->options.size / (row->divisor ? row->divisor : 1);
    oct_error error = {.line = 0};
    oct_result result =
        path[0] ? oct_scene_load(scene, path, &error) : oct_scene_generate(scene, row->kind, edge);
    if (result == OCT_OK) {
        result = oct_scene_set_up(scene);
    }
    if (result == OCT_OK) {
        const bool with_goals = path[0] || report->options.size == GOAL_SIZE;
        result = oct_bench_scene(report, &map_suite, row->name, scene, with_goals);
    }
    if (result != OCT_OK && !report->message[0]) {
        oct_bench_explain(report, path[0] ? path : row->name, result, &error);
    }
    oct_scene_free(scene);
    free(scene);
    return result;
}

oct_result oct_bench_map(bench_report *report)
{
    report->scene = 0;
    report->scene_count = oct_bench_things_count(report);
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        report->scene_count += scene_is_there(report, &scenes[i]);
    }
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        if (scene_is_there(report, &scenes[i])) {
            OCT_TRY(measure_scene(report, &scenes[i]));
            report->scene++;
        }
    }
    return oct_bench_things(report);
}
