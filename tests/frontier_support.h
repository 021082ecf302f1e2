// SPDX-License-Identifier: MIT
// What the tests of frontiers share: a map under random edits, and a plain scan of its labels.
#ifndef OCTANT_TESTS_FRONTIER_SUPPORT_H
#define OCTANT_TESTS_FRONTIER_SUPPORT_H

#include "base/base_internal.h"
#include "explore/frontier_internal.h"
#include "frontier_plain.h"
#include "octant/tree.h"
#include "support.h"

#include <math.h>

#define ARENA_3D 20
#define ARENA_2D 52
#define SCAN_MOST 40000
#define FAR 160 // cells to a second place: to grow the root, and let it shrink

// ---- the oracle ----

// The cells of the frontier in some boxes, found by looking at every label.
static struct {
    size_t count;
    oct_vec cells[SCAN_MOST];
} scanned;

static inline bool box_has(const oct_box *may_be_null, int dims, oct_vec at)
{
    const oct_box *b = may_be_null;
    return !b || (at.x >= b->min.x && at.x < b->max.x && at.y >= b->min.y && at.y < b->max.y &&
                  (dims == 2 || (at.z >= b->min.z && at.z < b->max.z)));
}

static inline bool plain_has(const oct_map *map, const oct_box *bounds, oct_vec at)
{
    const int dims = (int)oct_tree_dims(oct_map_tree(map));
    if (oct_tree_label(oct_map_tree(map), at) != OCT_OPEN || !box_has(bounds, dims, at)) {
        return false;
    }
    bool has = false;
    for (int face = 0; face < 2 * dims; face++) {
        const int32_t step = face & 1 ? 1 : -1;
        const oct_vec beside = {at.x + (face / 2 == 0 ? step : 0),
                                at.y + (face / 2 == 1 ? step : 0),
                                at.z + (face / 2 == 2 ? step : 0)};
        has |= oct_tree_label(oct_map_tree(map), beside) == OCT_UNKNOWN &&
               box_has(bounds, dims, beside);
    }
    return has;
}

// Adds the cells of a box, and fails the test where the frontier says otherwise.
static inline void scan_box(const oct_map *map, const oct_box *bounds, const oct_frontier *f,
                            oct_box box)
{
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                const oct_vec at = {x, y, z};
                const bool has = plain_has(map, bounds, at);
                if (f && oct_frontier_has(f, at) != has) {
                    fail_msg("cell %d %d %d: %d", x, y, z, has);
                }
                if (has) {
                    assert_true(scanned.count < SCAN_MOST);
                    scanned.cells[scanned.count++] = at;
                }
            }
        }
    }
}

// ---- a map under edits ----

typedef struct arena {
    int dims;
    oct_random random;
    oct_vec base;
    int32_t edge;
    oct_map *map;
    oct_box bounds;
    bool is_bounded;
    oct_frontier *frontier;
    uint64_t ids[8]; // of things; 0 = none
    uint64_t next_id;
} arena;

static inline oct_box arena_box(const arena *a)
{
    return (oct_box){
        a->base,
        {a->base.x + a->edge, a->base.y + a->edge, a->dims == 3 ? a->base.z + a->edge : 1}};
}

static inline oct_box arena_far(const arena *a)
{
    const oct_vec at = {a->base.x - FAR, a->base.y, a->base.z};
    return (oct_box){at, {at.x + 6, at.y + 6, a->dims == 3 ? at.z + 6 : 1}};
}

static inline oct_box arena_grown(oct_box box, int dims)
{
    return (oct_box){{box.min.x - 1, box.min.y - 1, box.min.z - (dims == 3)},
                     {box.max.x + 1, box.max.y + 1, box.max.z + (dims == 3)}};
}

// Some part of a box; never empty.
static inline oct_box arena_part(arena *a, oct_box box)
{
    const int32_t lo[3] = {box.min.x, box.min.y, box.min.z};
    const int32_t hi[3] = {box.max.x, box.max.y, box.max.z};
    int32_t from[3], to[3];
    const bool small = oct_random_below(&a->random, 3) > 0;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = oct_random_range(&a->random, lo[axis], hi[axis] - 1);
        const int32_t most_to = small && from[axis] + 5 < hi[axis] ? from[axis] + 5 : hi[axis];
        to[axis] = oct_random_range(&a->random, from[axis] + 1, most_to);
    }
    return (oct_box){{from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
}

// The same in the world, not on the lattice; cells are metres.
static inline oct_bounds arena_bounds(arena *a)
{
    const oct_box b = arena_part(a, arena_box(a));
    const double in = 0.25 * (double)oct_random_below(&a->random, 3);
    return (oct_bounds){{b.min.x + in, b.min.y + in, b.min.z + in},
                        {b.max.x - 0.25, b.max.y - 0.25, b.max.z - 0.25}};
}

static inline oct_map *arena_map(int dims, uint32_t changes)
{
    oct_map_def def = oct_map_def_default();
    def.dims = (uint32_t)dims;
    def.journal = changes;
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    return map;
}

static inline oct_frontier *frontier_of(const oct_map *map, const oct_box *bounds)
{
    oct_frontier_def def = oct_frontier_def_default();
    def.map = map;
    def.bounds = bounds;
    oct_frontier *f;
    assert_int_equal(oct_frontier_create(&def, &f), OCT_OK);
    return f;
}

static inline void arena_open(arena *a, int dims, uint64_t seed)
{
    *a = (arena){.dims = dims, .random = oct_random_seed(seed), .next_id = 1};
    a->edge = dims == 3 ? ARENA_3D : ARENA_2D;
    a->base = (oct_vec){oct_random_range(&a->random, -30, 10), oct_random_range(&a->random, -9, 9),
                        dims == 3 ? oct_random_range(&a->random, -20, 20) : 0};
    a->map = arena_map(dims, oct_random_below(&a->random, 4) ? 64 : 2);
    a->is_bounded = oct_random_below(&a->random, 3) == 0;
    a->bounds = arena_part(a, arena_box(a));
    if (oct_random_below(&a->random, 2)) {
        a->bounds = box_union(a->bounds, arena_part(a, arena_far(a)));
    }
    a->frontier = frontier_of(a->map, a->is_bounded ? &a->bounds : NULL);
}

static inline void arena_close(arena *a)
{
    oct_frontier_destroy(a->frontier);
    oct_map_destroy(a->map);
}

static inline const oct_box *arena_limits(const arena *a)
{
    return a->is_bounded ? &a->bounds : NULL;
}

static inline void edit_thing(arena *a)
{
    uint64_t *id = &a->ids[oct_random_below(&a->random, 8)];
    const uint64_t draw = oct_random_below(&a->random, 4);
    const uint64_t kind = oct_random_below(&a->random, 4);
    if (*id == 0) {
        *id = a->next_id++;
        const oct_thing thing = {.id = *id,
                                 .box = arena_bounds(a),
                                 .label = kind == 0   ? OCT_UNKNOWN
                                          : kind == 1 ? OCT_OPEN
                                                      : OCT_BLOCKED,
                                 .opaque = draw > 0};
        assert_int_equal(oct_map_put(a->map, &thing), OCT_OK);
    } else if (draw == 0) {
        oct_map_remove(a->map, *id); // may have been forgotten before
        *id = 0;
    } else if (draw == 1) {
        oct_map_relabel(a->map, *id, (oct_label)oct_random_below(&a->random, 3));
    } else {
        oct_map_move(a->map, *id, arena_bounds(a));
    }
}

static inline bool add_thing(void *ctx, const oct_thing *thing)
{
    oct_array *things = ctx;
    const oct_allocator heap = oct_allocator_default();
    return oct_array_push(things, &heap, sizeof *thing, thing) == OCT_OK;
}

static inline void edit_observe(arena *a)
{
    const oct_box box = arena_box(a);
    oct_array things = {.items = NULL};
    oct_map_things_in(a->map, box, add_thing, &things);
    const oct_view view = {
        .centre = {oct_random_range(&a->random, box.min.x + 7, box.max.x - 8) + 0.5,
                   oct_random_range(&a->random, box.min.y + 7, box.max.y - 8) + 0.25,
                   (a->dims == 3 ? oct_random_range(&a->random, box.min.z + 7, box.max.z - 8) : 0) +
                       0.5},
        .radius = 0.5 * (double)oct_random_range(&a->random, 2, 14),
        .sight = oct_random_below(&a->random, 2) ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH};
    assert_int_equal(oct_map_observe(a->map, &view, things.items, things.count, NULL), OCT_OK);
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(&things, &heap, sizeof(oct_thing));
}

static inline void edit_marks(arena *a, oct_box box)
{
    const oct_mark mark = oct_random_below(&a->random, 2)
                              ? OCT_MARK_OPEN
                              : (oct_mark)oct_random_below(&a->random, OCT_MARK_COUNT);
    assert_int_equal(oct_map_set_box(a->map, arena_part(a, box), mark), OCT_OK);
}

static inline void arena_edit(arena *a)
{
    const oct_box box = arena_box(a);
    switch (oct_random_below(&a->random, 12)) {
    case 0:
    case 1:
    case 2:
        edit_thing(a);
        break;
    case 3:
    case 4:
        edit_observe(a);
        break;
    case 5:
        edit_marks(a, arena_far(a));
        break;
    case 6:
        assert_int_equal(oct_map_set_box(a->map, arena_far(a), OCT_MARK_UNKNOWN), OCT_OK);
        break;
    case 7:
        if (oct_random_below(&a->random, 3) == 0) {
            const oct_point centre = {box.min.x + 9.0, box.min.y + 8.5, box.min.z + 7.0};
            const double radius = (double)oct_random_below(&a->random, 12);
            assert_int_equal(oct_map_keep(a->map, centre, radius), OCT_OK);
        }
        break;
    default:
        edit_marks(a, box);
        break;
    }
}

// Fails the test unless the frontier is that of a plain scan, which is left in `scanned`.
static inline void arena_check(const arena *a)
{
    scanned.count = 0;
    assert_int_equal(oct_frontier_revision(a->frontier), oct_tree_revision(oct_map_tree(a->map)));
    scan_box(a->map, arena_limits(a), a->frontier, arena_grown(arena_box(a), a->dims));
    scan_box(a->map, arena_limits(a), a->frontier, arena_grown(arena_far(a), a->dims));
    assert_int_equal(oct_frontier_count(a->frontier), scanned.count);
}

static inline oct_fine arena_point(arena *a)
{
    const oct_box box = arena_box(a);
    oct_fine at = {oct_random_range(&a->random, box.min.x - 4, box.max.x + 4) * INT64_C(256),
                   oct_random_range(&a->random, box.min.y - 4, box.max.y + 4) * INT64_C(256),
                   oct_random_range(&a->random, box.min.z - 4, box.max.z + 4) * INT64_C(256)};
    const uint64_t draw = oct_random_below(&a->random, 4);
    const int64_t fine = draw == 0 ? oct_random_range(&a->random, 0, 255) : draw == 1 ? 0 : 128;
    at.x += fine;
    at.y += fine;
    at.z += fine;
    return at;
}

#endif
