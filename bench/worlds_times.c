// SPDX-License-Identifier: MIT
// Single steps, as Table 2 of Hoekzema 2024 has them, and what they are here:
// - A path goes from the start to the (first) button, where everything is known: in tests 1 and 2
//   what exploring with radius 20 showed, in 3a and 4a what one look with radius 120 from the
//   middle shows. The octree is searched by portals; grid and set from cell to cell, by A*.
//   Hoekzema 2024 has the mean over all paths of a test. `none_ms` is that there is no way to the
//   goal, since its door is closed: what its test begins with.
// - Neighbours are those of OPEN leaves, or cells, that are known, in 26 directions; the mean.
// - Initialising is an empty map and a first look in which no thing is: the structure for what is
//   within view.
// - Adding is what a look finds new, added one by one; the mean over the looks of a tour, most of
//   which find nothing: that by which the world was explored, in 3a and 4a one look every 5 m of
//   the path above. `look_us` is all that a look takes; of a baseline without deciding what is in
//   sight. `see_all_ms` is that look, from the middle, by which everything became known.
// - Expanding marks one cell beyond what the structure spans, on each of the six sides.
#include "bench/worlds_internal.h"
#include "explore/explorer_internal.h"
#include "octant/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALL_RADIUS 20.0 // metres
#define LARGE_RADIUS 120.0
#define LOOK_STEP 5.0  // metres
#define NEAR_CELLS 256 // where a free cell is looked for
#define LEAVES_MAX ((size_t)1 << 17)
#define NEIGHBOURS_MAX ((size_t)1 << 18) // of one leaf
#define CELLS_ASKED (UINT64_C(1) << 20)  // of a baseline, whether they are OPEN
#define TABLE "times"

static bool is_small(const bench_world *w)
{
    return w->test == 1 || w->test == 2;
}

static double radius_of(const bench_world *w)
{
    return w->is_plain ? 0.0 : is_small(w) ? SMALL_RADIUS : LARGE_RADIUS;
}

static oct_result push_value(worlds_table *s, const bench_world *w, bench_structure structure,
                             const char *metric, double value)
{
    worlds_row row = oct_worlds_row(w, TABLE, structure, metric, radius_of(w));
    row.value = value;
    return oct_worlds_push(s, &row);
}

// ---- maps in which everything is known ----

static oct_result know_all(bench_world *w, world_map *m)
{
    double seconds = 0.0;
    return is_small(w) ? oct_bench_world_replay(w, m)
                       : oct_bench_world_look(w, m, w->middle,
                                              oct_bench_world_radius(w, LARGE_RADIUS), &seconds);
}

static oct_result known_map(bench_world *w, bench_structure structure, const oct_allocator *memory,
                            world_map *out)
{
    OCT_TRY(oct_bench_world_map(w, structure, memory, out));
    const oct_result result = know_all(w, out);
    if (result != OCT_OK) {
        oct_bench_world_map_free(out);
    }
    return result;
}

static oct_result fill_octree(const bench_world *w, oct_map *map)
{
    OCT_TRY(oct_map_set_box(map, w->bounds, OCT_MARK_KNOWN));
    for (size_t i = 0; i < w->count; i++) {
        OCT_TRY(oct_map_add(map, &w->things[i]));
    }
    return OCT_OK;
}

static oct_result fill_baseline(const bench_world *w, oct_baseline_map *b)
{
    const cell_set all = {.kind = CELL_SET_BOX, .box = w->bounds};
    OCT_TRY(oct_baseline_map_mark(b, &all, OCT_MARK_KNOWN));
    for (size_t i = 0; i < w->count; i++) {
        OCT_TRY(oct_baseline_map_put(b, &w->things[i]));
    }
    return OCT_OK;
}

oct_result oct_worlds_full_map(const bench_world *w, bench_structure structure, world_map *out)
{
    OCT_TRY(oct_bench_world_map(w, structure, NULL, out));
    const oct_result result =
        out->baseline ? fill_baseline(w, out->baseline) : fill_octree(w, out->map);
    if (result != OCT_OK) {
        oct_bench_world_map_free(out);
    }
    return result;
}

// ---- paths ----

typedef struct way {
    const world_map *map;
    oct_explorer *explorer; // of the octree
    oct_point from;
    oct_vec cell; // where it leads to
    oct_path path;
} way;

static oct_result plan_way(way *w)
{
    w->path = (oct_path){.status = OCT_PATH_NONE};
    if (w->map->baseline) {
        return oct_baseline_map_plan(w->map->baseline, NULL, w->from, w->cell, &w->path);
    }
    OCT_TRY(oct_explorer_settle(w->explorer, w->from));
    const oct_point to = oct_explorer_point(w->explorer, w->cell);
    return w->explorer->has_place ? oct_explorer_plan(w->explorer, to, false, &w->path) : OCT_OK;
}

static oct_result run_way(void *ctx, double *seconds)
{
    const double start = oct_bench_now_s();
    OCT_TRY(plan_way(ctx));
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

// The OPEN cell that is nearest to a place, as far as the leaves of a box were looked at.
typedef struct nearest_open {
    oct_vec at;
    oct_box within;
    double best; // the square of its distance, in cells
    oct_vec cell;
} nearest_open;

static bool offer_leaf(void *ctx, const oct_leaf *leaf)
{
    nearest_open *const n = ctx;
    const oct_box cells = box_common(oct_leaf_box(*leaf), n->within);
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                const double dx = x - n->at.x, dy = y - n->at.y, dz = z - n->at.z;
                const double square = dx * dx + dy * dy + dz * dz;
                if (square < n->best) {
                    n->best = square;
                    n->cell = (oct_vec){x, y, z};
                }
            }
        }
    }
    return true;
}

// Asked of the octree, so that every structure is given the same one. The place's own cell where
// there is none.
static oct_vec open_cell_near(const oct_map *map, oct_point place)
{
    nearest_open n = {.best = HUGE_VAL};
    oct_tree_cell_at(oct_map_tree(map), place, &n.at);
    n.cell = n.at;
    for (int32_t reach = 1; reach <= NEAR_CELLS && n.best > (double)reach * reach / 4.0;
         reach *= 2) {
        n.within = (oct_box){{n.at.x - reach, n.at.y - reach, n.at.z - reach},
                             {n.at.x + reach + 1, n.at.y + reach + 1, n.at.z + reach + 1}};
        oct_tree_leaves(oct_map_tree(map), n.within, OCT_HAS_OPEN, offer_leaf, &n);
    }
    return n.cell;
}

static oct_result measure_way(worlds_table *s, way *one, worlds_limit *limit, worlds_row *row)
{
    double seconds = 0.0;
    const double start = oct_bench_now_s();
    limit->is_over = false;
    oct_worlds_limit(limit, true);
    const oct_result result = oct_worlds_time(s, run_way, one, &seconds);
    oct_worlds_limit(limit, false);
    if (result != OCT_OK && !limit->is_over) {
        return result;
    }
    row->is_ended = limit->is_over;
    row->value = (row->is_ended ? oct_bench_now_s() - start : seconds) * 1e3;
    if (!row->is_ended) {
        const bool is_found = one->path.status == OCT_PATH_FOUND;
        row->length = is_found ? one->path.length : -1.0;
        snprintf(row->note, sizeof row->note, "%llu expanded%s",
                 (unsigned long long)one->path.expanded, is_found ? "" : ", no way");
    }
    return oct_worlds_push(s, row);
}

static oct_result measure_ways(worlds_table *s, const bench_world *w, bench_structure structure,
                               const world_map *m, worlds_limit *limit)
{
    const oct_allocator memory = oct_worlds_allocator(limit);
    oct_explorer_def def = oct_explorer_def_default();
    def.map = m->map;
    def.allocator = &memory;
    oct_explorer *explorer = NULL;
    if (structure == BENCH_OCTREE) {
        OCT_TRY(oct_explorer_create(&def, &explorer));
    }
    way to_button = {m, explorer, w->start, open_cell_near(m->map, w->button), {0}};
    way to_goal = {m, explorer, w->start, open_cell_near(m->map, w->goal), {0}};
    worlds_row found = oct_worlds_row(w, TABLE, structure, "path_ms", radius_of(w));
    worlds_row none = oct_worlds_row(w, TABLE, structure, "none_ms", radius_of(w));
    oct_result result = measure_way(s, &to_button, limit, &found);
    // In a world that is cut nothing is closed. A baseline that was ended cannot be used again.
    if (result == OCT_OK && w->scale >= 1.0 && !found.is_ended) {
        result = measure_way(s, &to_goal, limit, &none);
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
    const world_map *map;
    oct_box box; // of what is known
    leaf_list list;
    oct_leaf *out;
    size_t answers;
} asking;

// Visits the OPEN leaves of the octree; of a baseline the OPEN cells, or some of them where there
// are many, as leaves of one cell.
static void visit_open(asking *a)
{
    if (!a->map->baseline) {
        oct_tree_leaves(oct_map_tree(a->map->map), a->box, OCT_HAS_OPEN, take_leaf, &a->list);
        return;
    }
    const uint64_t x = (uint64_t)(a->box.max.x - a->box.min.x);
    const uint64_t y = (uint64_t)(a->box.max.y - a->box.min.y);
    const uint64_t all = x * y * (uint64_t)(a->box.max.z - a->box.min.z);
    for (uint64_t i = 0; i < all; i += all / CELLS_ASKED + 1) {
        const oct_leaf leaf = {.x = a->box.min.x + (int32_t)(i % x),
                               .y = a->box.min.y + (int32_t)(i / x % y),
                               .z = a->box.min.z + (int32_t)(i / x / y),
                               .label = OCT_OPEN};
        if (oct_baseline_map_label(a->map->baseline, (oct_vec){leaf.x, leaf.y, leaf.z}) ==
            OCT_OPEN) {
            take_leaf(&a->list, &leaf);
        }
    }
}

static oct_result ask_all(void *ctx, double *seconds)
{
    asking *const a = ctx;
    const oct_labels known = OCT_HAS_OPEN | OCT_HAS_BLOCKED;
    const oct_tree *const tree = oct_map_tree(a->map->map);
    oct_vec cells[26];
    a->answers = 0;
    const double start = oct_bench_now_s();
    for (size_t i = 0; i < a->list.count; i++) {
        const oct_leaf leaf = a->list.leaves[i];
        const oct_vec cell = {leaf.x, leaf.y, leaf.z};
        a->answers +=
            a->map->baseline
                ? oct_baseline_map_neighbours(a->map->baseline, cell, known, cells)
                : oct_tree_neighbours(tree, leaf, OCT_DIRECTIONS_26, known, a->out, NEIGHBOURS_MAX);
    }
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

static oct_result measure_neighbours(worlds_table *s, const bench_world *w,
                                     bench_structure structure, const world_map *m)
{
    asking a = {.map = m,
                .box = m->baseline ? oct_baseline_map_measure(m->baseline).box
                                   : oct_tree_extent(oct_map_tree(m->map), OCT_HAS_OPEN)};
    visit_open(&a);
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
        visit_open(&a);
        result = oct_worlds_time(s, ask_all, &a, &seconds);
    }
    free(a.list.leaves);
    free(a.out);
    OCT_TRY(result);
    const double count = (double)a.list.count;
    worlds_row row = oct_worlds_row(w, TABLE, structure, "neighbours_us", radius_of(w));
    row.value = seconds * 1e6 / count;
    snprintf(row.note, sizeof row.note, "%.1f of each of %zu %s", (double)a.answers / count,
             a.list.met, m->baseline ? "cells" : "leaves");
    return oct_worlds_push(s, &row);
}

// ---- making and growing ----

typedef struct making {
    bench_world *world;
    bench_structure structure;
    bool with_things; // a look that sees everything, else one without anything
} making;

static oct_result make_map(void *ctx, double *seconds)
{
    const making *const m = ctx;
    bench_world *const w = m->world;
    const oct_thing *const things = m->with_things ? w->near.items : NULL;
    const size_t count = m->with_things ? w->near.count : 0;
    const oct_view sight = {.centre = m->with_things ? w->middle : w->start,
                            .radius = oct_bench_world_radius(w, radius_of(w)),
                            .sight = OCT_SIGHT_THROUGH};
    double start = oct_bench_now_s();
    world_map map;
    OCT_TRY(oct_bench_world_map(w, m->structure, NULL, &map));
    oct_result result = oct_map_observe(map.map, &sight, things, count, NULL);
    if (result == OCT_OK && map.baseline) {
        start = oct_bench_now_s();
        result = oct_baseline_map_repeat(map.baseline, map.map, things, count);
    }
    *seconds += oct_bench_now_s() - start;
    oct_bench_world_map_free(&map);
    return result;
}

static oct_result measure_making(worlds_table *s, bench_world *w, bench_structure structure)
{
    making m = {w, structure, false};
    double seconds = 0.0;
    OCT_TRY(oct_worlds_time(s, make_map, &m, &seconds));
    OCT_TRY(push_value(s, w, structure, "init_ms", seconds * 1e3));
    if (is_small(w)) {
        return OCT_OK;
    }
    m.with_things = true;
    OCT_TRY(oct_bench_world_gather(w, w->middle, oct_bench_world_radius(w, LARGE_RADIUS)));
    OCT_TRY(oct_worlds_time(s, make_map, &m, &seconds));
    return push_value(s, w, structure, "see_all_ms", seconds * 1e3);
}

static oct_box spanned(const world_map *m)
{
    if (m->baseline) {
        return oct_baseline_map_measure(m->baseline).box;
    }
    const oct_cell root = oct_tree_root(oct_map_tree(m->map));
    const int32_t edge = (int32_t)1 << root.level;
    return (oct_box){{root.x, root.y, root.z}, {root.x + edge, root.y + edge, root.z + edge}};
}

static oct_result mark(world_map *m, oct_box box, oct_mark as)
{
    const cell_set cells = {.kind = CELL_SET_BOX, .box = box};
    return m->baseline ? oct_baseline_map_mark(m->baseline, &cells, as)
                       : oct_map_set_box(m->map, box, as);
}

// Afterwards the map is as it was, except for what a grid holds.
static oct_result measure_growing(worlds_table *s, const bench_world *w, bench_structure structure,
                                  world_map *m)
{
    double seconds = 0.0;
    for (int side = 0; side < 6; side++) {
        const oct_box all = spanned(m);
        const int32_t lo[3] = {all.min.x, all.min.y, all.min.z};
        const int32_t hi[3] = {all.max.x, all.max.y, all.max.z};
        int32_t at[3] = {(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2};
        at[side / 2] = side % 2 ? hi[side / 2] : lo[side / 2] - 1;
        const oct_box cell = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
        const double start = oct_bench_now_s();
        OCT_TRY(mark(m, cell, OCT_MARK_KNOWN));
        seconds += oct_bench_now_s() - start;
        OCT_TRY(mark(m, cell, OCT_MARK_UNKNOWN));
    }
    return push_value(s, w, structure, "expand_us", seconds * 1e6 / 6.0);
}

// ---- looks ----

// Along the path to the button, as far as it is known.
static oct_result list_looks(bench_world *w)
{
    const oct_allocator memory = oct_allocator_default();
    world_map m;
    OCT_TRY(known_map(w, BENCH_OCTREE, NULL, &m));
    oct_explorer_def def = oct_explorer_def_default();
    def.map = m.map;
    way to_button = {.path = {.status = OCT_PATH_NONE}};
    oct_explorer *explorer;
    oct_result result = oct_explorer_create(&def, &explorer);
    if (result == OCT_OK) {
        to_button = (way){&m, explorer, w->start, open_cell_near(m.map, w->button), {0}};
        result = plan_way(&to_button);
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
    oct_bench_world_map_free(&m);
    return result;
}

// Splits what is near into what the map has, which comes first, and what it has not.
static size_t split_near(bench_world *w, const oct_map *map)
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

static oct_result add_new(world_map *m, const oct_thing *things, size_t count, double *seconds)
{
    const double start = oct_bench_now_s();
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(m->baseline ? oct_baseline_map_put(m->baseline, &things[i])
                            : oct_map_add(m->map, &things[i]));
    }
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

// A look of which only adding what is new is timed.
static oct_result time_adding(bench_world *w, world_map *m, oct_point at, double *seconds)
{
    const oct_view sight = {.centre = at,
                            .radius = oct_bench_world_radius(w, radius_of(w)),
                            .sight = OCT_SIGHT_THROUGH};
    OCT_TRY(oct_bench_world_gather(w, at, sight.radius));
    const oct_thing *const near = w->near.items;
    const size_t known = split_near(w, m->map);
    OCT_TRY(oct_map_observe(m->map, &sight, near, m->baseline ? w->near.count : known, NULL));
    OCT_TRY(add_new(m, near + known, w->near.count - known, seconds));
    return m->baseline ? oct_baseline_map_repeat(m->baseline, m->map, near, w->near.count) : OCT_OK;
}

static oct_result measure_looks(worlds_table *s, bench_world *w, bench_structure structure,
                                bool is_whole)
{
    const oct_point *const looks = w->looks.items;
    const double radius = oct_bench_world_radius(w, radius_of(w));
    double seconds = 0.0;
    world_map m;
    OCT_TRY(oct_bench_world_map(w, structure, NULL, &m));
    oct_result result = OCT_OK;
    for (size_t i = 0; i < w->looks.count && result == OCT_OK; i++) {
        result = is_whole ? oct_bench_world_look(w, &m, looks[i], radius, &seconds)
                          : time_adding(w, &m, looks[i], &seconds);
    }
    oct_bench_world_map_free(&m);
    OCT_TRY(result);
    worlds_row row =
        oct_worlds_row(w, TABLE, structure, is_whole ? "look_us" : "add_us", radius_of(w));
    row.value = seconds * 1e6 / (double)w->looks.count;
    snprintf(row.note, sizeof row.note, "%zu looks", w->looks.count);
    return oct_worlds_push(s, &row);
}

// ---- the table ----

static oct_result measure_known(worlds_table *s, bench_world *w, bench_structure structure)
{
    worlds_limit limit = {.until = 0.0};
    const oct_allocator memory = oct_worlds_allocator(&limit);
    world_map m;
    OCT_TRY(known_map(w, structure, &memory, &m));
    oct_result result = measure_neighbours(s, w, structure, &m);
    if (result == OCT_OK) {
        result = measure_growing(s, w, structure, &m);
    }
    // The last: what is ended may only be freed.
    if (result == OCT_OK) {
        result = measure_ways(s, w, structure, &m, &limit);
    }
    oct_bench_world_map_free(&m);
    return result;
}

oct_result oct_worlds_times(worlds_table *s, bench_world *w)
{
    OCT_TRY(is_small(w) ? oct_bench_world_explore(w, oct_bench_world_radius(w, SMALL_RADIUS))
                        : list_looks(w));
    for (uint32_t i = 0; i < BENCH_STRUCTURE_COUNT; i++) {
        if (oct_worlds_wants(s, TABLE, w->name, (bench_structure)i)) {
            OCT_TRY(measure_known(s, w, (bench_structure)i));
            OCT_TRY(measure_making(s, w, (bench_structure)i));
            OCT_TRY(measure_looks(s, w, (bench_structure)i, false));
            OCT_TRY(measure_looks(s, w, (bench_structure)i, true));
        }
    }
    return OCT_OK;
}

typedef struct filling {
    const bench_world *world;
    bench_structure structure;
    world_map map;
} filling;

static oct_result fill_map(void *ctx, double *seconds)
{
    filling *const f = ctx;
    oct_bench_world_map_free(&f->map);
    const double start = oct_bench_now_s();
    OCT_TRY(oct_worlds_full_map(f->world, f->structure, &f->map));
    *seconds += oct_bench_now_s() - start;
    return OCT_OK;
}

oct_result oct_worlds_plain_times(worlds_table *s, bench_world *w)
{
    for (uint32_t i = 0; i < BENCH_STRUCTURE_COUNT; i++) {
        filling f = {w, (bench_structure)i, {NULL, NULL}};
        double seconds = 0.0;
        if (!oct_worlds_wants(s, TABLE, w->name, f.structure)) {
            continue;
        }
        oct_result result = oct_worlds_time(s, fill_map, &f, &seconds);
        if (result == OCT_OK) {
            worlds_row row = oct_worlds_row(w, TABLE, f.structure, "fill_ms", 0.0);
            row.value = seconds * 1e3;
            snprintf(row.note, sizeof row.note, "%zu things", w->count);
            result = oct_worlds_push(s, &row);
        }
        if (result == OCT_OK) {
            result = measure_neighbours(s, w, f.structure, &f.map);
        }
        if (result == OCT_OK) {
            result = measure_growing(s, w, f.structure, &f.map);
        }
        oct_bench_world_map_free(&f.map);
        OCT_TRY(result);
    }
    return OCT_OK;
}
