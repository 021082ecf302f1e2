// SPDX-License-Identifier: MIT
// Watches: their life, and the paths that they keep.
#include "moving/watch_internal.h"
#include "search/planner.h"

#define WATCH_COOKIE 0x77617463u
#define FACTOR_DEFAULT 1.1

// ---- life ----

oct_watch_def oct_watch_def_default(void)
{
    return (oct_watch_def){
        .query = oct_query_default(), .factor = FACTOR_DEFAULT, .cookie = WATCH_COOKIE};
}

const char *oct_repair_name(oct_repair repair)
{
    static const char *const names[OCT_REPAIR_COUNT] = {"kept", "mended", "new"};
    return (uint32_t)repair < OCT_REPAIR_COUNT ? names[repair] : NULL;
}

oct_result oct_watch_create(const oct_watch_def *def, oct_watch **out)
{
    *out = NULL;
    if (def->cookie != WATCH_COOKIE || !def->tree || !(def->factor >= 1.0) ||
        def->query.graph == OCT_GRAPH_USER || def->query.partial) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_query_check(&def->query, oct_tree_dims(def->tree)));
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_watch *const w = oct_alloc(&allocator, sizeof *w, _Alignof(oct_watch));
    if (!w) {
        return OCT_ERROR_MEMORY;
    }
    *w = (oct_watch){.allocator = allocator,
                     .query = def->query,
                     .factor = def->factor,
                     .revision = oct_tree_revision(def->tree),
                     .index = {.dims = (int)oct_tree_dims(def->tree)},
                     .taut = {.allocator = allocator}};
    w->query.record = false;
    oct_view_init(&w->map, def->tree, &w->query.terms);
    if (oct_opened_init(&w->opened, &allocator) != OCT_OK) {
        oct_free(&allocator, w, sizeof *w);
        return OCT_ERROR_MEMORY;
    }
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
    oct_array_free(&w->news, &allocator, sizeof(uint32_t));
    oct_array_free(&w->chain, &allocator, sizeof(oct_fine));
    oct_array_free(&w->reached, &allocator, sizeof(uint32_t));
    oct_array_free(&w->places, &allocator, sizeof(spot));
    oct_array_free(&w->lattice, &allocator, sizeof(oct_fine));
    oct_array_free(&w->points, &allocator, sizeof(oct_point));
    oct_leg_index_free(&w->index, &allocator);
    oct_opened_free(&w->opened, &allocator);
    oct_taut_free(&w->taut);
    oct_free(&allocator, w, sizeof *w);
}

// ---- legs ----

size_t oct_watch_links(const oct_watch *w, const oct_fine *points, uint32_t first, uint32_t last)
{
    size_t count = first == last ? 1 : 0;
    for (uint32_t i = first; i < last; i++) {
        count += oct_leg_index_count(&w->index, points[i], points[i + 1]);
    }
    return count;
}

// A path of one point has one leg without length.
static uint32_t leg_end(const watched *path, uint32_t leg)
{
    return leg < path->last ? leg + 1 : leg;
}

void oct_watch_index(oct_watch *w, uint32_t id)
{
    const watched *const path = watch_path(w, id);
    const oct_fine *const points = watched_points(path);
    for (uint32_t i = path->first; i < path->last || i == path->first; i++) {
        oct_leg_index_add(&w->index, id, i, points[i], points[leg_end(path, i)]);
    }
}

void oct_watch_unindex(oct_watch *w, uint32_t id)
{
    const watched *const path = watch_path(w, id);
    const oct_fine *const points = watched_points(path);
    for (uint32_t i = path->first; i < path->last || i == path->first; i++) {
        oct_leg_index_remove(&w->index, id, i, points[i], points[leg_end(path, i)]);
    }
}

// ---- adding ----

// Room for one more path; its number.
static oct_result take_path(oct_watch *w, uint32_t *id)
{
    const oct_allocator *const memory = &w->allocator;
    if (w->paths.count == 0) {
        const watched none = {.owner = 0};
        OCT_TRY(oct_array_push(&w->paths, memory, sizeof none, &none));
    }
    if (!w->free_paths) {
        const watched fresh = {.owner = 0};
        OCT_TRY(oct_array_push(&w->paths, memory, sizeof fresh, &fresh));
        w->free_paths = (uint32_t)w->paths.count - 1;
    }
    OCT_TRY(oct_array_reserve(&w->news, memory, sizeof(uint32_t), w->paths.capacity));
    *id = w->free_paths;
    return OCT_OK;
}

// The free part of a path: legs out of and into something have length only where the end touches
// nothing that is free.
static void find_free(const view *v, const oct_path *from, watched *path)
{
    const oct_fine *const points = watched_points(path);
    const uint32_t last = (uint32_t)path->points.count - 1;
    const bool leaves = from->leaves_blocked && last > 0 && !oct_view_octants(v, points[0]);
    const bool enters = from->enters_blocked && last > leaves && !oct_view_octants(v, points[last]);
    path->first = leaves ? 1 : 0;
    path->last = enters ? last - 1 : last;
}

static double free_length(const watched *path)
{
    const oct_fine *const points = watched_points(path);
    double length = 0.0;
    for (uint32_t i = path->first; i < path->last; i++) {
        length += oct_fine_distance(points[i], points[i + 1]);
    }
    return length;
}

// Copies a path into a place that is not used yet, and sees that it is free.
static oct_result fill_path(oct_watch *w, const oct_path *from, watched *path)
{
    const size_t count = from->lattice_count;
    OCT_TRY(oct_array_reserve(&path->points, &w->allocator, sizeof(oct_fine), count));
    memcpy(path->points.items, from->lattice, count * sizeof(oct_fine));
    path->points.count = count;
    for (size_t i = 0; w->map.dims == 2 && i < count; i++) {
        ((oct_fine *)path->points.items)[i].z = FLAT_Z;
    }
    find_free(&w->map, from, path);
    bool is_free;
    oct_watch_first_broken(&w->map, watched_points(path), path->first, path->last, &is_free);
    oct_fine at;
    oct_vec cell;
    path->to = from->points[from->point_count - 1];
    if (!is_free || !oct_tree_fine_at(w->map.tree, path->to, &at) ||
        !oct_tree_cell_at(w->map.tree, path->to, &cell)) {
        return OCT_ERROR_ARGUMENT;
    }
    at.z = w->map.dims == 2 ? FLAT_Z : at.z;
    anchor goal;
    const bool has_goal = oct_view_anchor(&w->map, at, cell, &goal);
    path->goal_cell = has_goal ? goal.cell : cell;
    path->since = from->revision;
    path->least = free_length(path);
    path->effort = from->expanded;
    return OCT_OK;
}

oct_result oct_watch_add(oct_watch *watch, const oct_path *path, uint64_t owner, uint32_t *id)
{
    *id = 0;
    if (path->status != OCT_STATUS_FOUND || path->lattice_count == 0 || path->point_count == 0 ||
        path->revision > oct_tree_revision(watch->map.tree)) {
        return OCT_ERROR_ARGUMENT;
    }
    uint32_t at;
    OCT_TRY(take_path(watch, &at));
    watched *const to = watch_path(watch, at);
    OCT_TRY(fill_path(watch, path, to));
    const size_t links = oct_watch_links(watch, watched_points(to), to->first, to->last);
    OCT_TRY(oct_leg_index_reserve(&watch->index, &watch->allocator, links));
    watch->free_paths = to->next;
    to->owner = owner;
    to->is_used = true;
    to->is_broken = false;
    watch->path_count++;
    oct_watch_index(watch, at);
    *id = at;
    return OCT_OK;
}

oct_result oct_watch_remove(oct_watch *watch, uint32_t id)
{
    watched *const path = watch_find(watch, id);
    if (!path) {
        return OCT_ERROR_ABSENT;
    }
    oct_watch_unindex(watch, id);
    watch->path_count--;
    watch->broken_count -= path->is_broken;
    path->is_used = false;
    path->next = watch->free_paths;
    watch->free_paths = id;
    return OCT_OK;
}

// ---- answers ----

bool oct_watch_path(const oct_watch *watch, uint32_t id, oct_watched *out)
{
    const watched *const path = watch_find(watch, id);
    if (!path) {
        *out = (oct_watched){.owner = 0};
        return false;
    }
    *out = (oct_watched){.owner = path->owner,
                         .lattice = watched_points(path),
                         .lattice_count = (uint32_t)path->points.count,
                         .leaves_blocked = path->first > 0,
                         .enters_blocked = path->last + 1 < path->points.count,
                         .is_broken = path->is_broken};
    return true;
}

uint64_t oct_watch_revision(const oct_watch *watch)
{
    return watch->revision;
}

oct_watch_stats oct_watch_measure(const oct_watch *w)
{
    oct_watch_stats stats = {
        .paths = w->path_count,
        .broken = w->broken_count,
        .entries = w->index.link_count,
        .met = w->met,
        .checked = w->checked,
        .bytes = sizeof *w + oct_leg_index_bytes(&w->index) + oct_opened_bytes() +
                 w->paths.capacity * sizeof(watched) + w->news.capacity * sizeof(uint32_t) +
                 w->chain.capacity * sizeof(oct_fine) + w->reached.capacity * sizeof(uint32_t) +
                 w->places.capacity * sizeof(spot) + w->lattice.capacity * sizeof(oct_fine) +
                 w->points.capacity * sizeof(oct_point) + oct_taut_bytes(&w->taut),
    };
    for (uint32_t i = 1; i < w->paths.count; i++) {
        stats.bytes += watch_path(w, i)->points.capacity * sizeof(oct_fine);
    }
    return stats;
}

bool oct_watch_is_valid(const oct_watch *w)
{
    uint64_t paths = 0, broken = 0, links = 0, unused = 0;
    for (uint32_t i = 1; i < w->paths.count; i++) {
        const watched *const path = watch_path(w, i);
        if (!path->is_used) {
            continue;
        }
        paths++;
        broken += path->is_broken;
        if (path->first > path->last || path->last >= path->points.count || path->first > 1 ||
            path->last + 2 < path->points.count || path->since > oct_tree_revision(w->map.tree)) {
            return false;
        }
        links += oct_watch_links(w, watched_points(path), path->first, path->last);
        // At the map's revision what is not told is free.
        bool is_free = true;
        if (!path->is_broken && w->revision == oct_tree_revision(w->map.tree)) {
            oct_watch_first_broken(&w->map, watched_points(path), path->first, path->last,
                                   &is_free);
        }
        if (!is_free) {
            return false;
        }
    }
    for (uint32_t i = w->free_paths; i && unused <= w->paths.count; i = watch_path(w, i)->next) {
        unused++;
    }
    return paths == w->path_count && broken == w->broken_count && links == w->index.link_count &&
           (w->paths.count == 0 || 1 + paths + unused == w->paths.count) &&
           w->news.capacity >= paths && oct_leg_index_is_valid(&w->index) &&
           oct_opened_is_valid(&w->opened);
}
