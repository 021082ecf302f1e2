// SPDX-License-Identifier: MIT
// Whether a map is valid: its things, its cells, and what things hide.
#include "octant/tree.h"
#include "valid.h"

#include "map/map.h"
#include "octree/octree_internal.h"

// What things hide lies under things, and nothing is hidden without them.
typedef struct check {
    const thing_index *things;
    bool valid;
} check;

static bool covers_cell(void *ctx, uint32_t slot, const oct_box *cells)
{
    (void)cells;
    const check *c = ctx;
    return oct_things_at(c->things, slot)->label == OCT_OPEN; // stop at the first that covers
}

static bool hidden_is_covered(void *ctx, const oct_leaf *at)
{
    check *c = ctx;
    const oct_box box = oct_leaf_box(*at);
    for (int32_t z = box.min.z; z < box.max.z && c->valid; z++) {
        for (int32_t y = box.min.y; y < box.max.y && c->valid; y++) {
            for (int32_t x = box.min.x; x < box.max.x && c->valid; x++) {
                const oct_box cell = {{x, y, z}, {x + 1, y + 1, z + 1}};
                c->valid = !oct_things_in(c->things, &cell, covers_cell, ctx);
            }
        }
    }
    return c->valid;
}

static bool cells_are_valid(const oct_map *map)
{
    if (!oct_tree_is_valid(map->tree)) {
        return false;
    }
    oct_tree under = *map->tree; // a view: never written, never freed
    under.root = map->tree->under;
    check c = {&map->things, true};
    const oct_box everywhere = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                {INT32_MAX, INT32_MAX, INT32_MAX}};
    oct_tree_leaves(&under, everywhere, OCT_HAS_OPEN | OCT_HAS_BLOCKED, hidden_is_covered, &c);
    return c.valid;
}

bool oct_map_is_valid(const oct_map *map)
{
    return oct_things_valid(&map->things) && cells_are_valid(map);
}
