// SPDX-License-Identifier: MIT
// Watches: their life, and the paths that they keep.
#include "moving/watch_internal.h"
#include "octant/tree.h"
#include "search/planner.h"

#define WATCH_COOKIE 0x77617463u

// ---- life ----

oct_watch_def oct_watch_def_default(void)
{
    return (oct_watch_def){.query = oct_query_default(), .cookie = WATCH_COOKIE};
}

oct_result oct_watch_create(const oct_watch_def *def, oct_watch **out)
{
    *out = NULL;
    if (def->cookie != WATCH_COOKIE || !def->tree || def->query.user || def->query.lab ||
        def->query.goals || def->query.partial) {
        return OCT_ERROR_ARGUMENT;
    }
    search_choice choice;
    OCT_TRY(oct_query_choose(&def->query, NULL, oct_tree_dims(def->tree), &choice));
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_watch *const w = oct_alloc(&allocator, sizeof *w, _Alignof(oct_watch));
    if (!w) {
        return OCT_ERROR_MEMORY;
    }
    *w = (oct_watch){.allocator = allocator,
                     .query = def->query,
                     .revision = oct_tree_revision(def->tree),
                     .index = {.dims = (int)oct_tree_dims(def->tree)}};
    w->query.record = false;
    oct_view_init(&w->map, def->tree, &w->query.terms);
    *out = w;
    return OCT_OK;
}

void oct_watch_destroy(oct_watch *w)
{
    if (!w) {
        return;
    }
    const oct_allocator allocator = w->allocator;
    for (uint32_t i = 1; i < w->paths.count; i++) {
        oct_array_free(&watch_path(w, i)->points, &allocator, sizeof(oct_fine));
    }
    oct_array_free(&w->paths, &allocator, sizeof(watched));
    oct_array_free(&w->touched, &allocator, sizeof(uint32_t));
    oct_array_free(&w->scratch, &allocator, sizeof(oct_fine));
    oct_leg_index_free(&w->index, &allocator);
    oct_free(&allocator, w, sizeof *w);
}

// ---- legs in the index ----

static size_t count_links(const oct_watch *w, const oct_fine *points, uint32_t first, uint32_t last)
{
    size_t count = first == last ? 1 : 0;
    for (uint32_t i = first; i < last; i++) {
        count += oct_leg_index_count(&w->index, points[i], points[i + 1]);
    }
    return count;
}

static void add_legs(oct_watch *w, uint32_t id)
{
    const watched *const path = watch_path(w, id);
    const oct_fine *const points = watched_points(path);
    for (uint32_t i = path->first; i < path->last || i == path->first; i++) {
        oct_leg_index_add(&w->index, id, i, points[i], points[watched_leg_end(path, i)]);
    }
}

static void remove_legs(oct_watch *w, uint32_t id)
{
    const watched *const path = watch_path(w, id);
    const oct_fine *const points = watched_points(path);
    for (uint32_t i = path->first; i < path->last || i == path->first; i++) {
        oct_leg_index_remove(&w->index, id, i, points[i], points[watched_leg_end(path, i)]);
    }
}

// ---- paths ----

// NULL where there is none.
static watched *find_path(const oct_watch *w, uint32_t id)
{
    return id < w->paths.count && watch_path(w, id)->is_used ? watch_path(w, id) : NULL;
}

// Room for one more path; its number.
static oct_result take_path(oct_watch *w, uint32_t *id)
{
    const oct_allocator *const memory = &w->allocator;
    const watched none = {.owner = 0};
    if (w->paths.count == 0) {
        OCT_TRY(oct_array_push(&w->paths, memory, sizeof none, &none));
    }
    if (!w->free_paths) {
        OCT_TRY(oct_array_push(&w->paths, memory, sizeof none, &none));
        w->free_paths = (uint32_t)w->paths.count - 1;
    }
    OCT_TRY(oct_array_reserve(&w->touched, memory, sizeof(uint32_t), w->paths.capacity));
    *id = w->free_paths;
    return OCT_OK;
}

// Copies a path's points into the scratch, and finds which part is to be watched. A leg out of or
// into something has length only where its end touches nothing that is free.
// OCT_ERROR_ARGUMENT where the part is not free.
static oct_result load_path(oct_watch *w, const oct_path *from, uint32_t *first, uint32_t *last)
{
    const uint32_t count = from->lattice_count;
    w->scratch.count = 0;
    OCT_TRY(oct_array_reserve(&w->scratch, &w->allocator, sizeof(oct_fine), count));
    oct_fine *const points = w->scratch.items;
    memcpy(points, from->lattice, count * sizeof *points);
    w->scratch.count = count;
    for (size_t i = 0; w->map.dims == 2 && i < count; i++) {
        points[i].z = FLAT_Z;
    }
    const view *const v = &w->map;
    const bool leaves = from->leaves_blocked && count > 1 && !oct_view_octants(v, points[0]);
    const bool enters =
        from->enters_blocked && count > 1u + leaves && !oct_view_octants(v, points[count - 1]);
    *first = leaves ? 1 : 0;
    *last = enters ? count - 2 : count - 1;
    bool is_free;
    oct_watch_first_broken(v, points, *first, *last, &is_free);
    return is_free ? OCT_OK : OCT_ERROR_ARGUMENT;
}

// Makes room for the scratch in the place of a path; then storing it cannot fail.
static oct_result reserve_path(oct_watch *w, uint32_t id, uint32_t first, uint32_t last)
{
    const size_t links = count_links(w, w->scratch.items, first, last);
    OCT_TRY(oct_leg_index_reserve(&w->index, &w->allocator, links));
    return oct_array_reserve(&watch_path(w, id)->points, &w->allocator, sizeof(oct_fine),
                             w->scratch.count);
}

static void store_path(oct_watch *w, uint32_t id, uint32_t first, uint32_t last)
{
    watched *const path = watch_path(w, id);
    memcpy(path->points.items, w->scratch.items, w->scratch.count * sizeof(oct_fine));
    path->points.count = w->scratch.count;
    path->first = first;
    path->last = last;
    path->is_broken = false;
    add_legs(w, id);
}

oct_result oct_watch_add(oct_watch *watch, const oct_path *path, uint64_t owner, uint32_t *id)
{
    uint32_t at, first, last;
    *id = 0;
    if (path->status != OCT_PATH_FOUND || path->lattice_count == 0 || path->point_count == 0 ||
        path->revision > oct_tree_revision(watch->map.tree)) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(load_path(watch, path, &first, &last));
    OCT_TRY(take_path(watch, &at));
    OCT_TRY(reserve_path(watch, at, first, last));
    watched *const to = watch_path(watch, at);
    watch->free_paths = to->next;
    watch->path_count++;
    to->owner = owner;
    to->to = path->points[path->point_count - 1];
    to->is_used = true;
    store_path(watch, at, first, last);
    *id = at;
    return OCT_OK;
}

oct_result oct_watch_remove(oct_watch *watch, uint32_t id)
{
    watched *const path = find_path(watch, id);
    if (!path) {
        return OCT_ERROR_ABSENT;
    }
    remove_legs(watch, id);
    watch->path_count--;
    watch->broken_count -= path->is_broken;
    path->is_used = false;
    path->next = watch->free_paths;
    watch->free_paths = id;
    return OCT_OK;
}

oct_result oct_watch_replan(oct_watch *watch, oct_planner *planner, uint32_t id, oct_point from,
                            oct_path *out)
{
    uint32_t first, last;
    *out = (oct_path){.status = OCT_PATH_NONE};
    watched *const path = find_path(watch, id);
    if (!path) {
        return OCT_ERROR_ABSENT;
    }
    if (planner->tree != watch->map.tree) {
        return OCT_ERROR_ARGUMENT;
    }
    oct_query query = watch->query;
    query.from = from;
    query.to = path->to;
    OCT_TRY(oct_planner_plan(planner, &query, out));
    if (out->status != OCT_PATH_FOUND) {
        return OCT_OK;
    }
    OCT_TRY(load_path(watch, out, &first, &last));
    OCT_TRY(reserve_path(watch, id, first, last));
    watch->broken_count -= path->is_broken;
    remove_legs(watch, id);
    store_path(watch, id, first, last);
    return OCT_OK;
}

// ---- answers ----

bool oct_watch_path(const oct_watch *watch, uint32_t id, oct_watched *out)
{
    const watched *const path = find_path(watch, id);
    if (!path) {
        *out = (oct_watched){.owner = 0};
        return false;
    }
    *out = (oct_watched){.owner = path->owner,
                         .goal = path->to,
                         .lattice = watched_points(path),
                         .lattice_count = (uint32_t)path->points.count,
                         .leaves_blocked = path->first > 0,
                         .enters_blocked = path->last + 1 < path->points.count,
                         .is_broken = path->is_broken};
    return true;
}

oct_watch_stats oct_watch_measure(const oct_watch *w)
{
    oct_watch_stats stats = {
        .paths = w->path_count,
        .broken = w->broken_count,
        .entries = w->index.link_count,
        .checked = w->checked,
        .bytes = sizeof *w + oct_leg_index_bytes(&w->index) + w->paths.capacity * sizeof(watched) +
                 w->touched.capacity * sizeof(uint32_t) + w->scratch.capacity * sizeof(oct_fine),
    };
    for (uint32_t i = 1; i < w->paths.count; i++) {
        stats.bytes += watch_path(w, i)->points.capacity * sizeof(oct_fine);
    }
    return stats;
}

static bool path_is_valid(const oct_watch *w, const watched *path)
{
    if (path->first > path->last || path->last >= path->points.count || path->first > 1 ||
        path->last + 2 < path->points.count || path->is_touched) {
        return false;
    }
    // At the map's revision what was not reported is free.
    bool is_free = true;
    if (!path->is_broken && w->revision == oct_tree_revision(w->map.tree)) {
        oct_watch_first_broken(&w->map, watched_points(path), path->first, path->last, &is_free);
    }
    return is_free;
}

bool oct_watch_is_valid(const oct_watch *w)
{
    uint64_t paths = 0, broken = 0, links = 0, unused = 0;
    for (uint32_t i = 1; i < w->paths.count; i++) {
        const watched *const path = watch_path(w, i);
        if (!path->is_used) {
            continue;
        }
        if (!path_is_valid(w, path)) {
            return false;
        }
        paths++;
        broken += path->is_broken;
        links += count_links(w, watched_points(path), path->first, path->last);
    }
    for (uint32_t i = w->free_paths; i && unused <= w->paths.count; i = watch_path(w, i)->next) {
        unused++;
    }
    return paths == w->path_count && broken == w->broken_count && links == w->index.link_count &&
           (w->paths.count == 0 || 1 + paths + unused == w->paths.count) &&
           w->touched.capacity >= paths && oct_leg_index_is_valid(&w->index);
}
