// SPDX-License-Identifier: MIT
#include "explore_support.h"
#include "octant/tree.h"

#include <stdlib.h>

// ---- what is there ----

static void add(explore_scene *s, oct_point min, oct_point max)
{
    if (s->count < EXPLORE_THINGS_MAX) {
        s->things[s->count] = (oct_thing){.id = s->count + 1,
                                          .box = {min, max},
                                          .label = OCT_BLOCKED,
                                          .opaque = 1,
                                          .tag = (uint16_t)s->count};
        s->count++;
    }
}

// A wall across the room with a hole: a slab but for a square.
static void add_wall(explore_scene *s, double edge)
{
    const int axis = (int)oct_random_below(&s->random, (uint64_t)s->dims);
    const double at = 1.0 + oct_random_unit(&s->random) * (edge - 2.0);
    const double hole[2] = {oct_random_unit(&s->random) * (edge - 3.0),
                            oct_random_unit(&s->random) * (edge - 3.0)};
    const double lo[2] = {hole[0], hole[1]}, hi[2] = {hole[0] + 3.0, hole[1] + 3.0};
    const double parts[4][4] = {{0.0, 0.0, lo[0], edge},
                                {hi[0], 0.0, edge, edge},
                                {lo[0], 0.0, hi[0], lo[1]},
                                {lo[0], hi[1], hi[0], edge}};
    for (int i = 0; i < (s->dims == 3 ? 4 : 2); i++) {
        double min[3], max[3];
        const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        min[axis] = at;
        max[axis] = at + 0.4;
        min[u] = parts[i][0];
        max[u] = parts[i][2];
        min[v] = s->dims == 3 ? parts[i][1] : 0.0;
        max[v] = s->dims == 3 ? parts[i][3] : 1.0;
        add(s, (oct_point){min[0], min[1], min[2]}, (oct_point){max[0], max[1], max[2]});
    }
}

static void add_rubble(explore_scene *s, double edge)
{
    double min[3], max[3];
    for (int i = 0; i < 3; i++) {
        min[i] = oct_random_unit(&s->random) * edge;
        max[i] = min[i] + 0.3 + oct_random_unit(&s->random) * 3.0;
    }
    add(s, (oct_point){min[0], min[1], min[2]}, (oct_point){max[0], max[1], max[2]});
}

// Six sides (four) around the room, so that the outside is not to be reached.
static void add_shell(explore_scene *s, double edge)
{
    for (int side = 0; side < 2 * s->dims; side++) {
        double min[3] = {-1.0, -1.0, -1.0}, max[3] = {edge + 1.0, edge + 1.0, edge + 1.0};
        const int axis = side / 2;
        min[axis] = side % 2 ? edge : -1.0;
        max[axis] = side % 2 ? edge + 1.0 : 0.0;
        add(s, (oct_point){min[0], min[1], min[2]}, (oct_point){max[0], max[1], max[2]});
    }
}

static oct_map *make_map(const explore_scene *s, double padding, const oct_allocator *allocator)
{
    oct_map_def def = oct_map_def_default();
    def.dims = (uint32_t)s->dims;
    def.padding = (oct_point){padding, padding, padding};
    def.allocator = allocator;
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    return map;
}

// ---- the scene ----

static void place_body(explore_scene *s, int32_t edge)
{
    oct_vec cell = {0, 0, 0};
    for (int tries = 0; tries < 1000; tries++) {
        cell = (oct_vec){oct_random_range(&s->random, 0, edge - 1),
                         oct_random_range(&s->random, 0, edge - 1),
                         s->dims == 3 ? oct_random_range(&s->random, 0, edge - 1) : 0};
        if (oct_tree_label(oct_map_tree(s->truth), cell) == OCT_OPEN) {
            break;
        }
    }
    s->view.centre = (oct_point){cell.x + 0.5, cell.y + 0.5, s->dims == 3 ? cell.z + 0.5 : 0.0};
}

void explore_scene_init(explore_scene *s, uint64_t seed, int dims, int32_t edge,
                        const oct_allocator *allocator)
{
    *s = (explore_scene){.seed = seed, .random = oct_random_seed(seed), .dims = dims};
    if (oct_random_below(&s->random, 2)) {
        add_shell(s, edge);
    }
    for (uint64_t i = oct_random_below(&s->random, 5); i > 0; i--) {
        add_wall(s, edge);
    }
    for (uint64_t i = oct_random_below(&s->random, 12); i > 0; i--) {
        add_rubble(s, edge);
    }
    const double padding = oct_random_below(&s->random, 2) ? 0.3 : 0.0;
    s->bounds =
        (oct_box){{-2, -2, dims == 3 ? -2 : 0}, {edge + 2, edge + 2, dims == 3 ? edge + 2 : 1}};
    s->map = make_map(s, padding, allocator);
    s->truth = make_map(s, padding, NULL);
    assert_int_equal(oct_map_set_box(s->truth, s->bounds, OCT_MARK_OPEN), OCT_OK);
    for (size_t i = 0; i < s->count; i++) {
        assert_int_equal(oct_map_add(s->truth, &s->things[i]), OCT_OK);
    }
    s->view.radius = 3.0 + oct_random_unit(&s->random) * 4.0;
    s->view.sight = oct_random_below(&s->random, 2) ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH;
    place_body(s, edge);
}

void explore_scene_free(explore_scene *s)
{
    oct_map_destroy(s->map);
    oct_map_destroy(s->truth);
}

void explore_observe(explore_scene *s)
{
    assert_int_equal(oct_map_observe(s->map, &s->view, s->things, s->count, NULL), OCT_OK);
}

oct_vec explore_cell(const explore_scene *s)
{
    oct_vec cell;
    assert_true(oct_tree_cell_at(oct_map_tree(s->truth), s->view.centre, &cell));
    return cell;
}

// ---- what can be reached ----

static int32_t edge_of(int32_t min, int32_t max)
{
    return max - min;
}

size_t explore_cells(const explore_scene *s)
{
    const oct_box *const b = &s->bounds;
    return (size_t)edge_of(b->min.x, b->max.x) * (size_t)edge_of(b->min.y, b->max.y) *
           (size_t)edge_of(b->min.z, b->max.z);
}

size_t explore_index(const explore_scene *s, oct_vec c)
{
    const oct_box *const b = &s->bounds;
    return ((size_t)(c.z - b->min.z) * (size_t)edge_of(b->min.y, b->max.y) +
            (size_t)(c.y - b->min.y)) *
               (size_t)edge_of(b->min.x, b->max.x) +
           (size_t)(c.x - b->min.x);
}

uint8_t *explore_flood(const explore_scene *s, const oct_map *map, oct_vec from)
{
    uint8_t *const reached = calloc(explore_cells(s), 1);
    oct_vec *const waiting = malloc(explore_cells(s) * sizeof *waiting);
    const oct_box *const b = &s->bounds;
    size_t count = 0;
    if (oct_tree_label(oct_map_tree(map), from) == OCT_OPEN) {
        reached[explore_index(s, from)] = 1;
        waiting[count++] = from;
    }
    while (count > 0) {
        const oct_vec at = waiting[--count];
        for (int i = 0; i < 2 * s->dims; i++) {
            const int step = i % 2 ? 1 : -1;
            const oct_vec to = {at.x + (i / 2 == 0 ? step : 0), at.y + (i / 2 == 1 ? step : 0),
                                at.z + (i / 2 == 2 ? step : 0)};
            const bool is_within = to.x >= b->min.x && to.x < b->max.x && to.y >= b->min.y &&
                                   to.y < b->max.y && to.z >= b->min.z && to.z < b->max.z;
            if (is_within && !reached[explore_index(s, to)] &&
                oct_tree_label(oct_map_tree(map), to) == OCT_OPEN) {
                reached[explore_index(s, to)] = 1;
                waiting[count++] = to;
            }
        }
    }
    free(waiting);
    return reached;
}
