// SPDX-License-Identifier: MIT
// Single steps, as Table 2 of seed 000 has them, and what they are here:
// - A path goes from the start to the (first) button, where everything is known: in tests 1 and 2
//   what exploring with radius 20 showed, in 3a and 4a what one look with radius 120 from the
//   middle shows. The octree is searched by portals; grid and set from cell to cell, by A*. The
//   seed has the mean over all paths of a test. `none_ms` is that there is no way to the goal,
//   since its door is closed: what the seed's test begins with.
// - Neighbours are those of OPEN leaves that are known, in 26 directions; the mean.
// - Initialising is an empty map and a first look in which no thing is: the structure for what is
//   within view.
// - Adding is what a look finds new, added one by one; the mean over the looks of a tour, most of
//   which find nothing: that by which the world was explored, in 3a and 4a one look every 5 m of
//   the path above. `look_us` is all that a look takes, as one change, which is how an agent does
//   it; `see_all_ms` that look, from the middle, by which everything became known.
// - Expanding marks one cell beyond the octree's root, or beyond all known cells, on each of the
// six
//   sides.
#include "bench/seed000.h"
#include "explore/explorer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALL_RADIUS 20.0 // metres
#define LARGE_RADIUS 120.0
#define LOOK_STEP 5.0 // metres
#define LEAVES_MAX ((size_t)1 << 17)
#define NEIGHBOURS_MAX ((size_t)1 << 18) // of one leaf
#define TABLE "times"

static bool is_small(const seed000_world *w)
{
    return w->test == 1 || w->test == 2;
}

static double radius_of(const seed000_world *w)
{
    return w->is_plain ? 0.0 : is_small(w) ? SMALL_RADIUS : LARGE_RADIUS;
}

static oct_result push_value(seed000 *s, const seed000_world *w, oct_structure structure,
                             const char *metric, double value)
{
    seed000_row row = oct_seed000_row(w, TABLE, structure, metric, radius_of(w));
    row.value = value;
    return oct_seed000_push(s, &row);
}

// ---- maps in which everything is known ----

static oct_result know_all(seed000_world *w, oct_map *map)
{
    return is_small(w) ? oct_seed000_replay(w, map)
                       : oct_seed000_look(w, map, w->middle, oct_seed000_radius(w, LARGE_RADIUS));
}

static oct_result known_map(seed000_world *w, oct_structure structure, oct_map **out)
{
    OCT_TRY(oct_seed000_map(w, structure, out));
    const oct_result result = know_all(w, *out);
    if (result != OCT_OK) {
        oct_map_destroy(*out);
        *out = NULL;
    }
    return result;
}

oct_result oct_seed000_full_map(const seed000_world *w, oct_structure structure, oct_map **out)
{
    OCT_TRY(oct_seed000_map(w, structure, out));
    oct_result result = oct_map_set_box(*out, w->bounds, OCT_MARK_KNOWN);
    for (size_t i = 0; i < w->count && result == OCT_OK; i++) {
        result = oct_map_add(*out, &w->things[i]);
    }
    if (result != OCT_OK) {
        oct_map_destroy(*out);
        *out = NULL;
    }
    return result;
}

// ---- paths ----

typedef struct way {
    oct_explorer *explorer;
    oct_point from, to;
    oct_path path;
} way;

static oct_result run_way(void *ctx)
{
    way *const w = ctx;
    w->path = (oct_path){.status = OCT_STATUS_NONE};
    OCT_TRY(oct_explorer_settle(w->explorer, w->from));
    return w->explorer->has_place ? oct_explorer_plan(w->explorer, w->to, false, &w->path) : OCT_OK;
}

// To the free cell that is nearest to a place: the same one in every structure.
static way way_to(oct_explorer *explorer, oct_point from, oct_point place)
{
    way w = {.explorer = explorer, .from = from, .to = place};
    oct_vec cell;
    if (oct_map_cell_at(explorer->map, place, &cell) &&
        oct_explorer_anchor_cells(explorer, cell, &cell)) {
        w.to = oct_explorer_point(explorer, cell);
    }
    return w;
}

static oct_result measure_way(seed000 *s, way *one, seed000_limit *limit, seed000_row *row)
{
    double seconds = 0.0;
    const double start = oct_bench_now_s();
    limit->is_over = false;
    oct_seed000_limit(limit, true);
    const oct_result result = oct_seed000_time(s, run_way, one, &seconds);
    oct_seed000_limit(limit, false);
    if (result != OCT_OK && !limit->is_over) {
        return result;
    }
    row->is_ended = limit->is_over;
    row->value = (row->is_ended ? oct_bench_now_s() - start : seconds) * 1e3;
    if (!row->is_ended) {
        const bool is_found = one->path.status == OCT_STATUS_FOUND;
        row->length = is_found ? one->path.length : -1.0;
        snprintf(row->note, sizeof row->note, "%llu expanded%s",
                 (unsigned long long)one->path.expanded, is_found ? "" : ", no way");
    }
    return oct_seed000_push(s, row);
}

static oct_result measure_ways(seed000 *s, const seed000_world *w, oct_structure structure,
                               const oct_map *map)
{
    seed000_limit limit = {.until = 0.0};
    const oct_allocator memory = oct_seed000_allocator(&limit);
    oct_explorer_def def = oct_explorer_def_default();
    def.map = map;
    def.allocator = &memory;
    oct_explorer *explorer;
    OCT_TRY(oct_explorer_create(&def, &explorer));
    way to_button = way_to(explorer, w->start, w->button);
    way to_goal = way_to(explorer, w->start, w->goal);
    seed000_row found = oct_seed000_row(w, TABLE, structure, "path_ms", radius_of(w));
    seed000_row none = oct_seed000_row(w, TABLE, structure, "none_ms", radius_of(w));
    oct_result result = measure_way(s, &to_button, &limit, &found);
    // In a world that is cut nothing is closed.
    if (result == OCT_OK && w->scale >= 1.0) {
        result = measure_way(s, &to_goal, &limit, &none);
    }
    oct_explorer_destroy(explorer);
    return result;
}

// ---- neighbours ----

typedef struct leaf_list {
    oct_leaf *leaves;
    size_t count, met, step;
} leaf_list;

static bool take_leaf(void *ctx, const oct_leaf *leaf)
{
    leaf_list *const list = ctx;
    if (list->leaves && list->met % list->step == 0) {
        list->leaves[list->count++] = *leaf;
    }
    list->met++;
    return true;
}

typedef struct asking {
    const oct_map *map;
    leaf_list list;
    oct_leaf *out;
    size_t answers;
} asking;

static oct_result ask_all(void *ctx)
{
    asking *const a = ctx;
    const oct_labels known = OCT_HAS_OPEN | OCT_HAS_BLOCKED;
    a->answers = 0;
    for (size_t i = 0; i < a->list.count; i++) {
        a->answers += oct_map_neighbours(a->map, a->list.leaves[i], OCT_DIRECTIONS_26, known,
                                         a->out, NEIGHBOURS_MAX);
    }
    return OCT_OK;
}

static oct_result measure_neighbours(seed000 *s, const seed000_world *w, oct_structure structure,
                                     const oct_map *map)
{
    const oct_box extent = oct_map_extent(map, OCT_HAS_OPEN);
    asking a = {.map = map};
    oct_map_leaves(map, extent, OCT_HAS_OPEN, take_leaf, &a.list);
    if (a.list.met == 0) {
        return OCT_OK; // a solid world
    }
    a.list.step = a.list.met / LEAVES_MAX + 1;
    a.list.leaves = malloc((a.list.met / a.list.step + 1) * sizeof *a.list.leaves);
    a.out = malloc(NEIGHBOURS_MAX * sizeof *a.out);
    oct_result result = a.list.leaves && a.out ? OCT_OK : OCT_ERROR_MEMORY;
    a.list.met = 0;
    double seconds = 0.0;
    if (result == OCT_OK) {
        oct_map_leaves(map, extent, OCT_HAS_OPEN, take_leaf, &a.list);
        result = oct_seed000_time(s, ask_all, &a, &seconds);
    }
    free(a.list.leaves);
    free(a.out);
    OCT_TRY(result);
    const double count = (double)a.list.count;
    seed000_row row = oct_seed000_row(w, TABLE, structure, "neighbours_us", radius_of(w));
    row.value = seconds * 1e6 / count;
    snprintf(row.note, sizeof row.note, "%.1f of each of %zu leaves", (double)a.answers / count,
             a.list.met);
    return oct_seed000_push(s, &row);
}

// ---- making and growing ----

typedef struct making {
    seed000_world *world;
    oct_structure structure;
    bool with_things; // a look that sees everything, else one without anything
} making;

static oct_result make_map(void *ctx)
{
    const making *const m = ctx;
    const seed000_world *const w = m->world;
    const oct_view sight = {.centre = m->with_things ? w->middle : w->start,
                            .radius = oct_seed000_radius(w, radius_of(w)),
                            .sight = OCT_SIGHT_THROUGH};
    oct_map *map;
    OCT_TRY(oct_seed000_map(w, m->structure, &map));
    const oct_result result = oct_map_observe(map, &sight, m->with_things ? w->near.items : NULL,
                                              m->with_things ? w->near.count : 0, NULL);
    oct_map_destroy(map);
    return result;
}

static oct_result measure_making(seed000 *s, seed000_world *w, oct_structure structure)
{
    making m = {w, structure, false};
    double seconds = 0.0;
    OCT_TRY(oct_seed000_time(s, make_map, &m, &seconds));
    OCT_TRY(push_value(s, w, structure, "init_ms", seconds * 1e3));
    if (is_small(w)) {
        return OCT_OK;
    }
    m.with_things = true;
    OCT_TRY(oct_seed000_gather(w, w->middle, oct_seed000_radius(w, LARGE_RADIUS)));
    OCT_TRY(oct_seed000_time(s, make_map, &m, &seconds));
    return push_value(s, w, structure, "see_all_ms", seconds * 1e3);
}

static oct_box spanned(const oct_map *map)
{
    const oct_tree *const tree = oct_map_tree(map);
    if (!tree) {
        return oct_map_extent(map, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    }
    const oct_cell root = oct_tree_root(tree);
    const int32_t edge = (int32_t)1 << root.level;
    return (oct_box){{root.x, root.y, root.z}, {root.x + edge, root.y + edge, root.z + edge}};
}

// Afterwards the map is as it was, except for what a grid holds.
static oct_result measure_growing(seed000 *s, const seed000_world *w, oct_structure structure,
                                  oct_map *map)
{
    double seconds = 0.0;
    for (int side = 0; side < 6; side++) {
        const oct_box all = spanned(map);
        const int32_t lo[3] = {all.min.x, all.min.y, all.min.z};
        const int32_t hi[3] = {all.max.x, all.max.y, all.max.z};
        int32_t at[3] = {(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2};
        at[side / 2] = side % 2 ? hi[side / 2] : lo[side / 2] - 1;
        const oct_box cell = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
        const double start = oct_bench_now_s();
        OCT_TRY(oct_map_set_box(map, cell, OCT_MARK_KNOWN));
        seconds += oct_bench_now_s() - start;
        OCT_TRY(oct_map_set_box(map, cell, OCT_MARK_UNKNOWN));
    }
    return push_value(s, w, structure, "expand_us", seconds * 1e6 / 6.0);
}

// ---- looks ----

// Along the path to the button, as far as it is known.
static oct_result list_looks(seed000_world *w)
{
    const oct_allocator memory = oct_allocator_default();
    oct_map *map;
    OCT_TRY(known_map(w, OCT_STRUCTURE_OCTREE, &map));
    oct_explorer_def def = oct_explorer_def_default();
    def.map = map;
    way to_button = {.path = {.status = OCT_STATUS_NONE}};
    oct_explorer *explorer;
    oct_result result = oct_explorer_create(&def, &explorer);
    if (result == OCT_OK) {
        to_button = way_to(explorer, w->start, w->button);
        result = run_way(&to_button);
    }
    w->looks.count = 0;
    w->tour_radius = 0.0;
    oct_point at = w->start;
    double left = 0.0; // to the next look
    for (uint32_t i = 0; i < to_button.path.point_count && result == OCT_OK; i++) {
        const oct_point to = to_button.path.points[i];
        const oct_point d = {to.x - at.x, to.y - at.y, to.z - at.z};
        const double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        for (; left <= length && result == OCT_OK; left += LOOK_STEP) {
            const double share = length > 0.0 ? left / length : 0.0;
            const oct_point look = {at.x + d.x * share, at.y + d.y * share, at.z + d.z * share};
            result = oct_array_push(&w->looks, &memory, sizeof look, &look);
        }
        left -= length;
        at = to;
    }
    oct_explorer_destroy(explorer);
    oct_map_destroy(map);
    return result;
}

// Splits what is near into what the map has, which comes first, and what it has not.
static size_t split_near(seed000_world *w, const oct_map *map)
{
    oct_thing *const near = w->near.items;
    size_t known = 0;
    for (size_t i = 0; i < w->near.count; i++) {
        oct_thing has;
        if (oct_map_thing(map, near[i].id, &has)) {
            const oct_thing other = near[known];
            near[known++] = near[i];
            near[i] = other;
        }
    }
    return known;
}

// The seconds of one look: all at once, or only of adding what is new.
static oct_result time_look(seed000_world *w, oct_map *map, oct_point at, bool is_whole,
                            double *seconds)
{
    const oct_view sight = {
        .centre = at, .radius = oct_seed000_radius(w, radius_of(w)), .sight = OCT_SIGHT_THROUGH};
    OCT_TRY(oct_seed000_gather(w, at, sight.radius));
    const oct_thing *const near = w->near.items;
    if (is_whole) {
        const double start = oct_bench_now_s();
        OCT_TRY(oct_map_observe(map, &sight, near, w->near.count, NULL));
        *seconds += oct_bench_now_s() - start;
        return OCT_OK;
    }
    const size_t known = split_near(w, map);
    OCT_TRY(oct_map_observe(map, &sight, near, known, NULL));
    const double start = oct_bench_now_s();
    for (size_t i = known; i < w->near.count; i++) {
        OCT_TRY(oct_map_add(map, &near[i]));
    }
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

static oct_result measure_looks(seed000 *s, seed000_world *w, oct_structure structure,
                                bool is_whole)
{
    const oct_point *const looks = w->looks.items;
    double seconds = 0.0;
    oct_map *map;
    OCT_TRY(oct_seed000_map(w, structure, &map));
    oct_result result = OCT_OK;
    for (size_t i = 0; i < w->looks.count && result == OCT_OK; i++) {
        result = time_look(w, map, looks[i], is_whole, &seconds);
    }
    oct_map_destroy(map);
    OCT_TRY(result);
    seed000_row row =
        oct_seed000_row(w, TABLE, structure, is_whole ? "look_us" : "add_us", radius_of(w));
    row.value = seconds * 1e6 / (double)w->looks.count;
    snprintf(row.note, sizeof row.note, "%zu looks", w->looks.count);
    return oct_seed000_push(s, &row);
}

// ---- the table ----

static oct_result measure_known(seed000 *s, seed000_world *w, oct_structure structure)
{
    oct_map *map;
    OCT_TRY(known_map(w, structure, &map));
    oct_result result = measure_ways(s, w, structure, map);
    if (result == OCT_OK) {
        result = measure_neighbours(s, w, structure, map);
    }
    if (result == OCT_OK) {
        result = measure_growing(s, w, structure, map);
    }
    oct_map_destroy(map);
    return result;
}

oct_result oct_seed000_times(seed000 *s, seed000_world *w)
{
    if (is_small(w)) {
        OCT_TRY(oct_seed000_explore(w, oct_seed000_radius(w, SMALL_RADIUS)));
    }
    if (!is_small(w)) {
        OCT_TRY(list_looks(w));
    }
    for (uint32_t i = 0; i < OCT_STRUCTURE_COUNT; i++) {
        if (oct_seed000_wants(s, TABLE, w->name, (oct_structure)i)) {
            OCT_TRY(measure_known(s, w, (oct_structure)i));
            OCT_TRY(measure_making(s, w, (oct_structure)i));
            OCT_TRY(measure_looks(s, w, (oct_structure)i, false));
            OCT_TRY(measure_looks(s, w, (oct_structure)i, true));
        }
    }
    return OCT_OK;
}

typedef struct filling {
    const seed000_world *world;
    oct_structure structure;
    oct_map *map;
} filling;

static oct_result fill_map(void *ctx)
{
    filling *const f = ctx;
    oct_map_destroy(f->map);
    f->map = NULL;
    return oct_seed000_full_map(f->world, f->structure, &f->map);
}

oct_result oct_seed000_plain_times(seed000 *s, seed000_world *w)
{
    for (uint32_t i = 0; i < OCT_STRUCTURE_COUNT; i++) {
        filling f = {w, (oct_structure)i, NULL};
        double seconds = 0.0;
        if (!oct_seed000_wants(s, TABLE, w->name, f.structure)) {
            continue;
        }
        oct_result result = oct_seed000_time(s, fill_map, &f, &seconds);
        if (result == OCT_OK) {
            seed000_row row = oct_seed000_row(w, TABLE, f.structure, "fill_ms", 0.0);
            row.value = seconds * 1e3;
            snprintf(row.note, sizeof row.note, "%zu things", w->count);
            result = oct_seed000_push(s, &row);
        }
        if (result == OCT_OK) {
            result = measure_neighbours(s, w, f.structure, f.map);
        }
        if (result == OCT_OK) {
            result = measure_growing(s, w, f.structure, f.map);
        }
        oct_map_destroy(f.map);
        OCT_TRY(result);
    }
    return OCT_OK;
}
