// SPDX-License-Identifier: MIT
// Cubes are keyed by their smallest cell, relative to the root, and their level.
//
// A progressive octree comes from the cubes that are divided, from small to large: where one of
// level k is, the cubes of level k + 1 that touch it are divided, too. The dual graph's arcs are
// counted from the smaller leaf, or the lower one of two of a size; the corner graph's, from a
// table of their ends, as an edge is one of several leaves.
#include "bench/explicit_graph.h"
#include "base/key_table.h"
#include "bench/bench.h"

typedef struct cubes {
    oct_allocator memory;
    const oct_tree *tree;
    oct_cell root;
    key_table set;                       // of divided cubes, or of leaves
    oct_array levels[OCT_LEVEL_MAX + 1]; // lattice_key: divided cubes by level
    oct_array leaves;                    // lattice_key
} cubes;

// Adds a key; *is_new says whether it was not there.
static oct_result add_key(key_table *set, const oct_allocator *memory, lattice_key key,
                          bool *is_new)
{
    OCT_TRY(oct_key_table_reserve(set, memory, 1));
    key_slot *const slot = key_table_slot(set, key);
    *is_new = !key_slot_is_used(set, slot);
    if (*is_new) {
        key_slot_fill(set, slot, key, 0);
    }
    return OCT_OK;
}

static bool has_key(const key_table *set, lattice_key key)
{
    return set->capacity > 0 && key_slot_is_used(set, key_table_slot(set, key));
}

static lattice_key cube_of(int32_t x, int32_t y, int32_t z, int level)
{
    const int32_t low = -(INT32_C(1) << level);
    return (lattice_key){x & low, y & low, z & low, (uint32_t)level};
}

// Divides a cube and all above it.
static oct_result divide(cubes *c, lattice_key cube)
{
    bool is_new = true;
    while (is_new && (int)cube.w <= c->root.level) {
        OCT_TRY(add_key(&c->set, &c->memory, cube, &is_new));
        if (is_new) {
            OCT_TRY(oct_array_push(&c->levels[cube.w], &c->memory, sizeof cube, &cube));
        }
        cube = cube_of(cube.x, cube.y, cube.z, (int)cube.w + 1);
    }
    return OCT_OK;
}

typedef struct listing {
    cubes *c;
    bool divides; // else only OPEN leaves are listed
    oct_result result;
} listing;

static bool take_leaf(void *ctx, const oct_leaf *leaf)
{
    listing *const l = ctx;
    cubes *const c = l->c;
    const lattice_key key = {leaf->x - c->root.x, leaf->y - c->root.y, leaf->z - c->root.z,
                             leaf->level};
    if (l->divides) {
        l->result = divide(c, cube_of(key.x, key.y, key.z, leaf->level + 1));
    } else if (leaf->label == OCT_OPEN) {
        l->result = oct_array_push(&c->leaves, &c->memory, sizeof key, &key);
    }
    return l->result == OCT_OK;
}

static oct_result list_leaves(cubes *c, bool divides)
{
    listing l = {c, divides, OCT_OK};
    const oct_box all =
        oct_leaf_box((oct_leaf){c->root.x, c->root.y, c->root.z, (uint8_t)c->root.level, 0, 0});
    oct_tree_leaves(c->tree, all, OCT_HAS_ANY, take_leaf, &l);
    return l.result;
}

// ---- the progressive octree ----

static bool in_root(const cubes *c, int64_t x, int64_t y, int64_t z)
{
    const int64_t edge = INT64_C(1) << c->root.level;
    return x >= 0 && y >= 0 && z >= 0 && x < edge && y < edge && z < edge;
}

static oct_result divide_around(cubes *c, lattice_key cube)
{
    const int64_t edge = INT64_C(1) << cube.w;
    for (int i = 0; i < 27; i++) {
        const int64_t x = cube.x + (i % 3 - 1) * edge, y = cube.y + (i / 3 % 3 - 1) * edge,
                      z = cube.z + (i / 9 - 1) * edge;
        if (in_root(c, x, y, z)) {
            OCT_TRY(divide(c, cube_of((int32_t)x, (int32_t)y, (int32_t)z, (int)cube.w + 1)));
        }
    }
    return OCT_OK;
}

static oct_result take_children(cubes *c, lattice_key cube)
{
    const int level = (int)cube.w - 1;
    const int32_t half = INT32_C(1) << level;
    for (int i = 0; i < 8; i++) {
        const lattice_key child = {cube.x + (i & 1 ? half : 0), cube.y + (i & 2 ? half : 0),
                                   cube.z + (i & 4 ? half : 0), (uint32_t)level};
        const oct_vec at = {child.x + c->root.x, child.y + c->root.y, child.z + c->root.z};
        if (!has_key(&c->set, child) && oct_tree_label(c->tree, at) == OCT_OPEN) {
            OCT_TRY(oct_array_push(&c->leaves, &c->memory, sizeof child, &child));
        }
    }
    return OCT_OK;
}

static oct_result list_progressive(cubes *c)
{
    OCT_TRY(list_leaves(c, true));
    for (int level = 1; level < c->root.level; level++) {
        for (size_t i = 0; i < c->levels[level].count; i++) {
            OCT_TRY(divide_around(c, ((const lattice_key *)c->levels[level].items)[i]));
        }
    }
    for (int level = 1; level <= c->root.level; level++) {
        for (size_t i = 0; i < c->levels[level].count; i++) {
            OCT_TRY(take_children(c, ((const lattice_key *)c->levels[level].items)[i]));
        }
    }
    return OCT_OK;
}

// ---- graphs ----

static oct_result build_dual(cubes *c, graph_size *out)
{
    const lattice_key *const leaves = c->leaves.items;
    key_table nodes = {0};
    oct_result result = OCT_OK;
    bool is_new;
    for (size_t i = 0; i < c->leaves.count && result == OCT_OK; i++) {
        result = add_key(&nodes, &c->memory, leaves[i], &is_new);
    }
    for (size_t i = 0; i < c->leaves.count && result == OCT_OK; i++) {
        const lattice_key leaf = leaves[i];
        const int64_t edge = INT64_C(1) << leaf.w;
        for (int side = 0; side < 6; side++) {
            const int64_t by = side & 1 ? edge : -edge;
            const int64_t x = leaf.x + (side >> 1 == 0 ? by : 0);
            const int64_t y = leaf.y + (side >> 1 == 1 ? by : 0);
            const int64_t z = leaf.z + (side >> 1 == 2 ? by : 0);
            for (int level = (int)leaf.w; in_root(c, x, y, z) && level <= c->root.level; level++) {
                if (has_key(&nodes, cube_of((int32_t)x, (int32_t)y, (int32_t)z, level))) {
                    out->arcs += level > (int)leaf.w || (side & 1);
                    break;
                }
            }
        }
    }
    out->nodes = nodes.count;
    oct_key_table_free(&nodes, &c->memory);
    return result;
}

static oct_result build_corner(cubes *c, graph_size *out)
{
    const lattice_key *const leaves = c->leaves.items;
    key_table nodes = {0}, arcs = {0};
    oct_result result = OCT_OK;
    bool is_new;
    for (size_t i = 0; i < c->leaves.count && result == OCT_OK; i++) {
        const lattice_key leaf = leaves[i];
        const int32_t edge = INT32_C(1) << leaf.w;
        for (int corner = 0; corner < 8 && result == OCT_OK; corner++) {
            const lattice_key at = {leaf.x + (corner & 1 ? edge : 0),
                                    leaf.y + (corner & 2 ? edge : 0),
                                    leaf.z + (corner & 4 ? edge : 0), 0};
            result = add_key(&nodes, &c->memory, at, &is_new);
            for (uint32_t axis = 0; axis < 3 && result == OCT_OK; axis++) {
                if (!(corner >> axis & 1)) {
                    const lattice_key arc = {at.x, at.y, at.z, axis | leaf.w << 2};
                    result = add_key(&arcs, &c->memory, arc, &is_new);
                }
            }
        }
    }
    out->nodes = nodes.count;
    out->arcs = arcs.count;
    oct_key_table_free(&nodes, &c->memory);
    oct_key_table_free(&arcs, &c->memory);
    return result;
}

oct_result oct_graph_measure(const oct_tree *tree, bool progressive, bool corner, graph_size *out)
{
    cubes c = {.memory = oct_allocator_default(), .tree = tree, .root = oct_tree_root(tree)};
    *out = (graph_size){.leaves = 0};
    if (c.root.level < 0 || c.root.level > 28) {
        return OCT_ERROR_RANGE;
    }
    const double start = oct_bench_now_s();
    oct_result result = progressive ? list_progressive(&c) : list_leaves(&c, false);
    const double listed = oct_bench_now_s();
    if (result == OCT_OK) {
        result = corner ? build_corner(&c, out) : build_dual(&c, out);
    }
    out->leaves = c.leaves.count;
    out->leaves_ms = (listed - start) * 1e3;
    out->build_ms = (oct_bench_now_s() - listed) * 1e3;
    for (int i = 0; i <= OCT_LEVEL_MAX; i++) {
        oct_array_free(&c.levels[i], &c.memory, sizeof(lattice_key));
    }
    oct_array_free(&c.leaves, &c.memory, sizeof(lattice_key));
    oct_key_table_free(&c.set, &c.memory);
    return result;
}
