// SPDX-License-Identifier: MIT
// The octree as a navigator: an explorer and what-if questions that follow the map of the belief by
// themselves, so that nothing has to be taken in.
#include "agent/navigator.h"
#include "agent/room_graph.h"
#include "explore/explorer_internal.h"
#include "explore/frontier_cell.h"
#include "octant/footing.h"
#include "octant/tree.h"

typedef struct octree_navigator {
    oct_allocator allocator;
    const oct_map *map;
    oct_box bounds;
    bool is_bounded;
    oct_explorer *explorer;
    what_if what_if;
} octree_navigator;

static void destroy(void *self)
{
    octree_navigator *const n = self;
    if (!n) {
        return;
    }
    const oct_allocator allocator = n->allocator;
    oct_explorer_destroy(n->explorer);
    oct_components_destroy(n->what_if.known);
    oct_components_destroy(n->what_if.maybes);
    oct_overlay_free(&n->what_if.overlay);
    oct_free(&allocator, n, sizeof *n);
}

static oct_result create(const navigator_def *def, void **self)
{
    *self = NULL;
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    octree_navigator *const n = oct_alloc(&allocator, sizeof *n, _Alignof(octree_navigator));
    if (!n) {
        return OCT_ERROR_MEMORY;
    }
    *n = (octree_navigator){
        .allocator = allocator, .map = def->map, .is_bounded = def->bounds != NULL};
    oct_overlay_init(&n->what_if.overlay, def->map, &allocator);
    oct_explorer_def explorer = oct_explorer_def_default();
    explorer.map = def->map;
    explorer.radius = def->view;
    explorer.strategy = def->strategy;
    explorer.seed = def->seed;
    explorer.allocator = &allocator;
    explorer.bounds = def->bounds;
    if (def->bounds) {
        n->bounds = *def->bounds;
    }
    const oct_result result = oct_explorer_create(&explorer, &n->explorer);
    if (result != OCT_OK) {
        destroy(n);
        return result;
    }
    *self = n;
    return OCT_OK;
}

static oct_result observe(void *self, const oct_thing *things, size_t count)
{
    (void)self, (void)things, (void)count;
    return OCT_OK;
}

static oct_result put(void *self, const oct_thing *thing)
{
    (void)self, (void)thing;
    return OCT_OK;
}

static oct_result forget(void *self, uint64_t id)
{
    (void)self, (void)id;
    return OCT_OK;
}

static oct_result arrive(void *self, oct_point at)
{
    return oct_explorer_arrive(((octree_navigator *)self)->explorer, at);
}

static oct_result path(void *self, oct_point from, oct_point to, oct_exploration *out)
{
    return oct_explorer_next_towards(((octree_navigator *)self)->explorer, from, to, out);
}

static bool connects(void *self, oct_point a, oct_point b)
{
    return oct_explorer_connects(((octree_navigator *)self)->explorer, a, b);
}

static oct_result explore(void *self, oct_point from, oct_exploration *out)
{
    return oct_explorer_next(((octree_navigator *)self)->explorer, from, out);
}

static bool shows(void *self, oct_vec frontier)
{
    const octree_navigator *const n = self;
    return frontier_cell(n->map, n->is_bounded ? &n->bounds : NULL, frontier);
}

static oct_result remains(void *self, oct_point from, oct_remains *out)
{
    return oct_explorer_remains(((octree_navigator *)self)->explorer, from, out);
}

static oct_label label(void *self, oct_point at)
{
    const oct_tree *const tree = oct_map_tree(((octree_navigator *)self)->map);
    oct_vec cell;
    return oct_tree_cell_at(tree, at, &cell) ? oct_tree_label(tree, cell) : OCT_UNKNOWN;
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

static oct_result make_regions(void *self, const oct_belief *belief, const oct_point *seeds,
                               size_t count, room_graph *out)
{
    octree_navigator *const n = self;
    return oct_room_graph_make(out, &n->what_if, belief, &n->allocator, seeds, count);
}

static oct_result suppose_open(void *self, const uint64_t *doors, size_t count, bool *can)
{
    overlay *const o = &((octree_navigator *)self)->what_if.overlay;
    *can = true;
    OCT_TRY(oct_overlay_take(o, doors, count));
    for (size_t i = 0; i < count; i++) {
        oct_overlay_suppose(o, i, OCT_OPEN);
    }
    return OCT_OK;
}

static oct_label label_if(void *self, oct_point at)
{
    const octree_navigator *const n = self;
    oct_vec cell;
    return oct_tree_cell_at(oct_map_tree(n->map), at, &cell)
               ? oct_overlay_label(&n->what_if.overlay, cell)
               : OCT_UNKNOWN;
}

what_if *oct_navigator_octree_what_if(const navigator *n)
{
    OCT_ASSERT(n->kind == &oct_navigator_octree);
    return &((octree_navigator *)n->self)->what_if;
}

const oct_navigator_kind oct_navigator_octree = {.create = create,
                                                 .destroy = destroy,
                                                 .observe = observe,
                                                 .put = put,
                                                 .remove = forget,
                                                 .arrive = arrive,
                                                 .path = path,
                                                 .connects = connects,
                                                 .explore = explore,
                                                 .shows = shows,
                                                 .remains = remains,
                                                 .label = label,
                                                 .stand = stand,
                                                 .footing = footing,
                                                 .room_graph = make_regions,
                                                 .suppose_open = suppose_open,
                                                 .label_if = label_if};
