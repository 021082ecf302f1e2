// SPDX-License-Identifier: MIT
// The map's leaves and cells as a query sees them, also outside the tree's root.
//
// Up to eight cells touch a point. The bits in which their coordinates differ give the level of the
// lowest node that holds them all. One descent leads there, and short ones further on, one for each
// brick that they lie in: often a single one.
//
// An empty tree needs nothing of its own: its root is then one UNKNOWN leaf, of a brick's size at
// cell 0 unless things have made it larger, and the outside is divided around that.
#include "octant/tree.h"
#include "search/descend.h"
#include "search/graph_internal.h"

// ---- the cells around a point ----

// The lowest and the highest of the cells that touch a point.
typedef struct pair {
    oct_vec lo, hi;
} pair;

OCT_FORCE_INLINE pair cells_at(oct_fine at)
{
    return (pair){{fine_cell(at.x - 1), fine_cell(at.y - 1), fine_cell(at.z - 1)},
                  {fine_cell(at.x), fine_cell(at.y), fine_cell(at.z)}};
}

OCT_FORCE_INLINE rel octant_rel(const rel *lo, const rel *hi, uint32_t o)
{
    return (rel){o & 1u ? hi->x : lo->x, o & 2u ? hi->y : lo->y, o & 4u ? hi->z : lo->z};
}

// The axes on which the cells from lo to hi are of different bricks, as bits.
OCT_FORCE_INLINE uint32_t axes_apart(int dims, const rel *lo, const rel *hi)
{
    const int bits = brick_level(dims);
    return (uint32_t)((lo->x ^ hi->x) >> bits != 0) |
           (uint32_t)((lo->y ^ hi->y) >> bits != 0) << 1 |
           (dims == 3 ? (uint32_t)((lo->z ^ hi->z) >> bits != 0) << 2 : 0u);
}

// The octants that lie as octant o does on these axes.
OCT_FORCE_INLINE uint32_t octants_like(uint32_t o, uint32_t axes)
{
    return (axes & 1u ? o & 1u ? 0xaau : 0x55u : 0xffu) &
           (axes & 2u ? o & 2u ? 0xccu : 0x33u : 0xffu) &
           (axes & 4u ? o & 4u ? 0xf0u : 0x0fu : 0xffu);
}

// The octants of a point whose cells are within the bounds.
OCT_FORCE_INLINE uint32_t held_octants(const view *v, int dims, const pair *cells)
{
    const oct_box *b = &v->bounds;
    const oct_vec lo = cells->lo, hi = cells->hi;
    uint32_t held = (lo.x >= b->min.x && lo.x < b->max.x ? 0x55u : 0u) |
                    (hi.x >= b->min.x && hi.x < b->max.x ? 0xaau : 0u);
    held &= (lo.y >= b->min.y && lo.y < b->max.y ? 0x33u : 0u) |
            (hi.y >= b->min.y && hi.y < b->max.y ? 0xccu : 0u);
    if (dims == 3) {
        held &= (lo.z >= b->min.z && lo.z < b->max.z ? 0x0fu : 0u) |
                (hi.z >= b->min.z && hi.z < b->max.z ? 0xf0u : 0u);
    }
    return held;
}

// Bit o: the bit of a brick's plane at the cell that is octant o.
OCT_FORCE_INLINE uint32_t plane_octants(int dims, uint64_t plane, const rel *lo, const rel *hi)
{
    uint32_t octants = 0;
    for (uint32_t o = 0; o < 1u << dims; o++) {
        const rel at = octant_rel(lo, hi, o);
        octants |= (uint32_t)(plane >> morton_index(dims, at.x, at.y, at.z) & 1u) << o;
    }
    return octants;
}

OCT_FORCE_INLINE uint32_t octants_of(const view *v, int dims, oct_fine at)
{
    const oct_tree *tree = v->tree;
    const pair cells = cells_at(at);
    const uint32_t held = held_octants(v, dims, &cells);
    const rel lo = tree_rel(tree, cells.lo), hi = tree_rel(tree, cells.hi);
    uint32_t octants = 0;
    if (OCT_UNLIKELY(!tree_holds(tree, dims, lo) || !tree_holds(tree, dims, hi))) {
        for (uint32_t o = 0; o < 1u << dims; o++) {
            octants |= (v->free >> oct_tree_label(tree, octant_cell(at, o)) & 1u) << o;
        }
    } else {
        const node all = common_node(tree, dims, lo, hi);
        const uint32_t axes = axes_apart(dims, &lo, &hi);
        uint32_t o = 0;
        do {
            const node below = descend_on(tree, dims, all, octant_rel(&lo, &hi, o));
            const uint64_t plane = brick_with(*word_cells(tree, below.word), v->free);
            octants |= plane_octants(dims, plane, &lo, &hi) & octants_like(o, axes);
            o = (o - axes) & axes; // the next of all subsets
        } while (o);
    }
    return (dims == 3 ? octants : octants * 0x11u) & held;
}

uint32_t oct_view_octants(const view *v, oct_fine at)
{
    return v->dims == 3 ? octants_of(v, 3, at) : octants_of(v, 2, at);
}

spot oct_view_spot(const view *v, oct_fine at, oct_vec cell)
{
    const uint32_t octants = oct_view_octants(v, at);
    uint32_t own = 0;
    for (uint32_t o = 0; o < 8; o++) {
        const oct_vec c = octant_cell(at, o);
        own |= (uint32_t)(c.x == cell.x && c.y == cell.y && (v->dims == 2 || c.z == cell.z)) << o;
    }
    return (spot){at, view_joined(v, own & octants, octants)};
}

// ---- leaves ----

// The cube of the outside that holds a cell, given relative to the root. What lies below the root
// on any axis is in cubes of the largest size; elsewhere the root and the cubes before fill the
// lowest corner of a cube of the next size, and its other children are leaves.
static oct_leaf outside_leaf(const oct_tree *tree, int64_t x, int64_t y, int64_t z)
{
    const uint64_t any = (uint64_t)(x | y | z);
    const int top = (int)oct_bit_length(any) - 1; // 63 where one is negative
    const int level = top < OUTSIDE_LEVEL_MAX ? top : OUTSIDE_LEVEL_MAX;
    const int64_t low = (INT64_C(1) << level) - 1;
    return (oct_leaf){(int32_t)(tree->root_min.x + x - (x & low)),
                      (int32_t)(tree->root_min.y + y - (y & low)),
                      (int32_t)(tree->root_min.z + z - (z & low)),
                      (uint8_t)level,
                      OCT_UNKNOWN,
                      0};
}

oct_leaf oct_view_leaf(const view *v, oct_vec cell)
{
    const oct_leaf leaf = oct_tree_leaf(v->tree, cell);
    if (OCT_LIKELY(leaf.level != OCT_LEVEL_OUTSIDE)) {
        return leaf;
    }
    const corner root = v->tree->root_min;
    return outside_leaf(v->tree, cell.x - root.x, cell.y - root.y,
                        v->dims == 3 ? cell.z - root.z : 0);
}
