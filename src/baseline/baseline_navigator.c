// SPDX-License-Identifier: MIT
#include "baseline/baseline_navigator.h"

#include "agent/navigator.h"
#include "agent/room_graph.h"
#include "octant/footing.h"

typedef struct plain_navigator {
    oct_allocator allocator;
    const oct_map *map;
    oct_baseline_map *plain;
    oct_box own_bounds;
    const oct_box *bounds; // that; NULL = none
    // The last path, while nothing else is asked or taken in: agents ask whether there is a way
    // before they go it.
    bool has_answer;
    oct_point from, to;
    oct_exploration answer;
} plain_navigator;

// ---- life ----

static void destroy(void *self)
{
    plain_navigator *const n = self;
    if (!n) {
        return;
    }
    const oct_allocator allocator = n->allocator;
    oct_baseline_map_destroy(n->plain);
    oct_free(&allocator, n, sizeof *n);
}

static oct_result create(const navigator_def *def, baseline_kind kind, void **self)
{
    *self = NULL;
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    plain_navigator *const n = oct_alloc(&allocator, sizeof *n, _Alignof(plain_navigator));
    if (!n) {
        return OCT_ERROR_MEMORY;
    }
    *n = (plain_navigator){.allocator = allocator, .map = def->map};
    if (def->bounds) {
        n->own_bounds = *def->bounds;
        n->bounds = &n->own_bounds;
    }
    const oct_result result = oct_baseline_map_create(kind, def->map, &allocator, &n->plain);
    if (result != OCT_OK) {
        destroy(n);
        return result;
    }
    *self = n;
    return OCT_OK;
}

static oct_result create_grid(const navigator_def *def, void **self)
{
    return create(def, BASELINE_GRID, self);
}

static oct_result create_set(const navigator_def *def, void **self)
{
    return create(def, BASELINE_SET, self);
}

// ---- what it takes in ----

static oct_result observe(void *self, const oct_thing *things, size_t count)
{
    plain_navigator *const n = self;
    n->has_answer = false;
    return oct_baseline_map_repeat(n->plain, n->map, things, count);
}

static oct_result put(void *self, const oct_thing *thing)
{
    plain_navigator *const n = self;
    n->has_answer = false;
    return oct_baseline_map_put(n->plain, thing);
}

static oct_result take_out(void *self, uint64_t id)
{
    plain_navigator *const n = self;
    n->has_answer = false;
    return oct_baseline_map_remove(n->plain, id);
}

static oct_result arrive(void *self, oct_point at)
{
    plain_navigator *const n = self;
    n->has_answer = false;
    return oct_baseline_map_arrive(n->plain, n->bounds, at);
}

// ---- questions ----

static bool is_same(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static oct_result path(void *self, oct_point from, oct_point to, oct_exploration *out)
{
    plain_navigator *const n = self;
    if (!n->has_answer || !is_same(n->from, from) || !is_same(n->to, to)) {
        n->has_answer = false;
        OCT_TRY(oct_baseline_map_towards(n->plain, n->bounds, from, to, &n->answer));
        n->from = from;
        n->to = to;
        n->has_answer = true;
    }
    *out = n->answer;
    return OCT_OK;
}

// It has no components: there may always be a way.
static bool connects(void *self, oct_point a, oct_point b)
{
    (void)self, (void)a, (void)b;
    return true;
}

static oct_result explore(void *self, oct_point from, oct_exploration *out)
{
    plain_navigator *const n = self;
    n->has_answer = false;
    return oct_baseline_map_explore(n->plain, n->bounds, from, out);
}

static bool shows(void *self, oct_vec frontier)
{
    const plain_navigator *const n = self;
    return oct_baseline_map_is_frontier(n->plain, n->bounds, frontier);
}

static oct_result remains(void *self, oct_point from, oct_remains *out)
{
    plain_navigator *const n = self;
    n->has_answer = false;
    return oct_baseline_map_remains(n->plain, n->bounds, from, out);
}

static oct_label label(void *self, oct_point at)
{
    const plain_navigator *const n = self;
    oct_vec cell;
    return oct_baseline_map_cell_at(n->plain, at, &cell) ? oct_baseline_map_label(n->plain, cell)
                                                         : OCT_UNKNOWN;
}

static oct_point stand(void *self, oct_point at, double within)
{
    (void)self, (void)within;
    return at;
}

static oct_footing *footing(void *self)
{
    (void)self;
    return NULL;
}

// ---- what it cannot tell ----

static oct_result make_no_rooms(void *self, const oct_belief *belief, const oct_point *seeds,
                                size_t count, room_graph *out)
{
    (void)belief, (void)seeds, (void)count;
    *out = (room_graph){.allocator = ((plain_navigator *)self)->allocator};
    return OCT_OK;
}

static oct_result suppose_nothing(void *self, const uint64_t *doors, size_t count, bool *can)
{
    (void)self, (void)doors, (void)count;
    *can = false;
    return OCT_OK;
}

#define PLAIN_NAVIGATOR(create_fn)                                                                 \
    {                                                                                              \
        .doubt = "a plain map proves nothing", .create = (create_fn), .destroy = destroy,          \
        .observe = observe, .put = put, .remove = take_out, .arrive = arrive, .path = path,        \
        .connects = connects, .explore = explore, .shows = shows, .remains = remains,              \
        .label = label, .stand = stand, .footing = footing, .room_graph = make_no_rooms,           \
        .suppose_open = suppose_nothing, .label_if = label                                         \
    }

const oct_navigator_kind *oct_baseline_navigator(baseline_kind kind)
{
    static const oct_navigator_kind kinds[BASELINE_KIND_COUNT] = {
        [BASELINE_GRID] = PLAIN_NAVIGATOR(create_grid),
        [BASELINE_SET] = PLAIN_NAVIGATOR(create_set)};
    return (uint32_t)kind < BASELINE_KIND_COUNT ? &kinds[kind] : NULL;
}
