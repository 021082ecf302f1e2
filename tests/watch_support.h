// SPDX-License-Identifier: MIT
// What the tests of watched paths share: a scene, a planner, a watch of its paths, random edits,
// and the oracle: every leg of every path judged anew.
#ifndef OCTANT_TESTS_WATCH_SUPPORT_H
#define OCTANT_TESTS_WATCH_SUPPORT_H

#include "moving/watch_internal.h"
#include "octant/tree.h"
#include "search_scene.h"
#include "valid.h"

#define PATHS_MOST 40

typedef struct watch_scene {
    search_scene s;
    oct_query query;
    oct_planner *planner;
    oct_planner *judge; // for searches to compare with
    oct_watch *watch;
    uint32_t ids[PATHS_MOST];
    oct_point goals[PATHS_MOST];
    uint32_t count;
    // What was told.
    oct_broken told[PATHS_MOST];
    size_t told_count;
} watch_scene;

static inline oct_watch *new_watch(const watch_scene *f, const oct_allocator *allocator)
{
    oct_watch_def def = oct_watch_def_default();
    def.tree = f->s.tree;
    def.query = f->query;
    def.allocator = allocator;
    oct_watch *watch;
    assert_int_equal(oct_watch_create(&def, &watch), OCT_OK);
    return watch;
}

static inline void begin_scene(watch_scene *f)
{
    f->query = oct_query_default();
    f->query.terms = f->s.terms;
    f->planner = scene_planner(&f->s, NULL);
    f->judge = scene_planner(&f->s, NULL);
}

// A scene on random terms. Its query may be changed before a watch is made of it.
static inline void watch_scene_init(watch_scene *f, uint64_t seed, int dims, int32_t edge,
                                    scene_wish wish)
{
    *f = (watch_scene){.count = 0};
    search_scene_init(&f->s, seed, dims, edge, wish);
    begin_scene(f);
}

static inline void set_box(oct_tree *tree, oct_box box, oct_mark mark)
{
    assert_int_equal(oct_tree_set_box(tree, box, mark), OCT_OK);
}

#define ROOM 4

// Rooms of four cells an edge between walls without doors.
static inline void build_rooms(watch_scene *f)
{
    const oct_box all = f->s.drawn;
    const int32_t edge = all.max.x, height = all.max.z;
    set_box(f->s.tree, all, OCT_MARK_OPEN);
    for (int32_t at = ROOM; at < edge; at += ROOM + 1) {
        set_box(f->s.tree, (oct_box){{at, 0, 0}, {at + 1, edge, height}}, OCT_MARK_BLOCKED);
        set_box(f->s.tree, (oct_box){{0, at, 0}, {edge, at + 1, height}}, OCT_MARK_BLOCKED);
        if (f->s.dims == 3) {
            set_box(f->s.tree, (oct_box){{0, 0, at}, {edge, edge, at + 1}}, OCT_MARK_BLOCKED);
        }
    }
}

static inline void watch_scene_rooms(watch_scene *f, uint64_t seed, int dims, int32_t rooms)
{
    *f = (watch_scene){.count = 0};
    f->s = (search_scene){.seed = seed, .random = oct_random_seed(seed), .dims = dims};
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)dims;
    assert_int_equal(oct_tree_create(&def, &f->s.tree), OCT_OK);
    const int32_t edge = rooms * (ROOM + 1) - 1;
    f->s.drawn = (oct_box){{0, 0, 0}, {edge, edge, dims == 3 ? edge : 1}};
    build_rooms(f);
    scene_set_terms(&f->s, OCT_UNKNOWN_BLOCKED, NULL);
    begin_scene(f);
}

static inline void watch_scene_free(watch_scene *f)
{
    oct_watch_destroy(f->watch);
    oct_planner_destroy(f->planner);
    oct_planner_destroy(f->judge);
    search_scene_free(&f->s);
}

// What a scene knows of its map's root, after an edit.
static inline void refresh(search_scene *s)
{
    const oct_terms terms = s->terms;
    const oct_box bounds = s->bounds;
    const bool is_priced = s->is_priced;
    scene_set_terms(s, terms.unknown, terms.bounds ? &bounds : NULL);
    s->terms = terms;
    s->is_priced = is_priced;
}

// ---- edits ----

static inline void random_edit(watch_scene *f)
{
    static const oct_mark marks[] = {OCT_MARK_OPEN,  OCT_MARK_OPEN,    OCT_MARK_BLOCKED,
                                     OCT_MARK_SOLID, OCT_MARK_UNKNOWN, OCT_MARK_CLEAR};
    search_scene *const s = &f->s;
    const oct_box box = scene_random_box(s, oct_random_below(&s->random, 6) ? 2 : 5);
    const oct_mark mark = marks[oct_random_below(&s->random, 6)];
    assert_int_equal(oct_tree_set_box(s->tree, box, mark), OCT_OK);
    refresh(s);
}

// Opens or closes a door: a cell of a wall between two rooms.
static inline void random_door(watch_scene *f, oct_mark mark)
{
    oct_random *const random = &f->s.random;
    const int32_t edge = f->s.drawn.max.x;
    const int32_t rooms = (edge + 1) / (ROOM + 1);
    int32_t at[3] = {0, 0, 0};
    for (int i = 0; i < f->s.dims; i++) {
        at[i] = oct_random_range(random, 0, rooms - 1) * (ROOM + 1) +
                oct_random_range(random, 0, ROOM - 1);
    }
    const uint64_t axis = oct_random_below(random, (uint64_t)f->s.dims);
    at[axis] = oct_random_range(random, 1, rooms - 1) * (ROOM + 1) - 1;
    set_box(f->s.tree, (oct_box){{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}}, mark);
}

// ---- paths ----

// Plans and adds a path, if there is one between two random points; else the id is 0.
static inline bool add_random_path(watch_scene *f, uint32_t which)
{
    const scene_end from = scene_random_end(&f->s), to = scene_random_end(&f->s);
    oct_query query = f->query;
    query.from = from.at;
    query.to = to.at;
    const oct_path path = scene_plan(&f->s, f->planner, &query);
    f->ids[which] = 0;
    if (path.status != OCT_PATH_FOUND) {
        return false;
    }
    assert_int_equal(oct_watch_add(f->watch, &path, 1000u + which, &f->ids[which]), OCT_OK);
    assert_true(f->ids[which] != 0);
    f->goals[which] = path.points[path.point_count - 1];
    return true;
}

static inline void add_paths(watch_scene *f, uint32_t count)
{
    for (uint32_t tries = 0; tries < 4 * count && f->count < count; tries++) {
        f->count += add_random_path(f, f->count);
    }
}

// ---- the oracle ----

// How many legs of its free part a path can go; all of them, or -1 for a single point that is not
// free.
static inline int64_t legs_free(const watch_scene *f, const oct_watched *path, bool *is_free)
{
    const uint32_t first = path->leaves_blocked, last = path->lattice_count - 1u;
    const uint32_t end = last - path->enters_blocked;
    char why[200];
    for (uint32_t i = first; i <= end; i++) {
        if (!exact_path_is_valid(&f->s.world, path->lattice + first, i - first + 1u, false, false,
                                 why, sizeof why)) {
            *is_free = false;
            return i == first ? first : i - 1;
        }
    }
    *is_free = true;
    return end;
}

static inline void note_told(void *ctx, const oct_broken *news)
{
    watch_scene *const f = ctx;
    assert_true(f->told_count < PATHS_MOST);
    f->told[f->told_count++] = *news;
}

// Updates, and sees that exactly those are told whose paths have just become invalid, in the order
// of their ids, with the first leg that is.
static inline size_t update_and_check(watch_scene *f)
{
    oct_broken expected[PATHS_MOST];
    size_t count = 0;
    for (uint32_t id = 1; id <= PATHS_MOST; id++) {
        oct_watched path;
        if (!oct_watch_path(f->watch, id, &path) || path.is_broken) {
            continue;
        }
        bool is_free;
        const int64_t leg = legs_free(f, &path, &is_free);
        if (!is_free) {
            expected[count++] = (oct_broken){path.owner, id, (uint32_t)leg};
        }
    }
    f->told_count = 0;
    assert_int_equal(oct_watch_update(f->watch, note_told, f), count);
    assert_int_equal(f->told_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(f->told[i].owner, expected[i].owner);
        assert_int_equal(f->told[i].id, expected[i].id);
        assert_int_equal(f->told[i].leg, expected[i].leg);
    }
    assert_int_equal(f->watch->revision, oct_tree_revision(f->s.tree));
    assert_true(oct_watch_is_valid(f->watch));
    return count;
}

// A place on a path: of its points in the world, or between two of them.
static inline oct_point place_on(watch_scene *f, const oct_watched *path, uint32_t legs)
{
    oct_random *const random = &f->s.random;
    const uint32_t leg = (uint32_t)oct_random_below(random, legs + 1);
    oct_fine at = path->lattice[leg];
    if (leg + 1 < path->lattice_count && leg < legs) {
        const oct_fine to = path->lattice[leg + 1];
        const int64_t part = (int64_t)oct_random_below(random, 9);
        at.x += (to.x - at.x) * part / 8;
        at.y += (to.y - at.y) * part / 8;
        at.z += (to.z - at.z) * part / 8;
    }
    oct_point point = oct_tree_point(f->s.tree, at);
    point.z = f->s.dims == 3 ? point.z : 0.0;
    return point;
}

#endif
