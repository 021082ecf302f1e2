// SPDX-License-Identifier: MIT
// A set of cells, given row by row, as the masks of bricks and the pyramid above them.
#include "octant/tree.h"
#include "octree/edit_shapes.h"

// The cells of one row of a brick, at the first row's places.
static uint64_t row_mask(int dims, uint32_t row)
{
    uint64_t mask = 0;
    for (uint32_t x = 0; x < 1u << brick_level(dims); x++) {
        mask |= (uint64_t)(row >> x & 1u) << morton_spread(dims, x);
    }
    return mask;
}

// Enters one row of cells into the masks of the bricks along it.
static void enter_row(int dims, const uint64_t *spread, const uint64_t *words, uint64_t *masks,
                      uint32_t bricks, uint32_t shift)
{
    const uint32_t edge = 1u << brick_level(dims), each = 64u / edge;
    for (uint32_t first = 0; first < bricks; first += each, words++) {
        uint64_t word = *words;
        for (uint32_t i = first; word != 0; i++, word >>= edge) {
            masks[i] |= spread[word & ((1u << edge) - 1u)] << shift;
        }
    }
}

static void enter_rows(int dims, const bit_grid *grid, bits *b)
{
    const int level = brick_level(dims);
    const bits_level *l = &b->levels[level];
    uint64_t spread[1 << (1 << BRICK_LEVEL_2D)];
    for (uint32_t row = 0; row < 1u << (1u << level); row++) {
        spread[row] = row_mask(dims, row);
    }
    const uint32_t height = (uint32_t)((int64_t)grid->box.max.y - grid->box.min.y);
    const uint32_t depth = dims == 3 ? (uint32_t)((int64_t)grid->box.max.z - grid->box.min.z) : 1u;
    for (uint32_t z = 0; z < depth; z++) {
        for (uint32_t y = 0; y < height; y++) {
            const size_t first = ((size_t)(z >> level) * l->ny + (y >> level)) * l->nx;
            enter_row(dims, spread, bit_grid_row(grid, y, z), b->masks + first, l->nx,
                      morton_index(dims, 0, y, z));
        }
    }
}

// What the children of a node have, together.
static uint8_t node_from_children(int dims, const bits *b, rel at, int level)
{
    uint32_t any = 0, all = 2;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        const uint32_t child = bits_meets(dims, b, child_position(dims, at, level, i), level - 1);
        any |= child & 1u;
        all &= child;
    }
    return (uint8_t)(any | all);
}

static void fill_level(int dims, const bits *b, int level)
{
    const bits_level *l = &b->levels[level];
    size_t i = 0;
    for (uint32_t z = 0; z < l->nz; z++) {
        for (uint32_t y = 0; y < l->ny; y++) {
            for (uint32_t x = 0; x < l->nx; x++) {
                const rel at = {(l->first.x + x) << level, (l->first.y + y) << level,
                                dims == 3 ? (l->first.z + z) << level : 0u};
                l->nodes[i++] = node_from_children(dims, b, at, level);
            }
        }
    }
}

static size_t level_nodes(const bits_level *l)
{
    return (size_t)l->nx * l->ny * l->nz;
}

static size_t bits_bytes(const oct_tree *tree, const bits *b)
{
    size_t bytes = level_nodes(&b->levels[brick_level(tree->dims)]) * sizeof *b->masks;
    for (int level = brick_level(tree->dims) + 1; level <= tree->root_level; level++) {
        bytes += level_nodes(&b->levels[level]);
    }
    return bytes;
}

oct_result oct_bits_build(const oct_tree *tree, const bit_grid *grid, bits *out)
{
    const int dims = tree->dims, lowest = brick_level(dims);
    span box;
    if (!oct_tree_clip(tree, grid->box, &box)) {
        return OCT_ERROR_ARGUMENT;
    }
    for (int level = lowest; level <= tree->root_level; level++) {
        const rel first = {in_edges(box.lo.x, level), in_edges(box.lo.y, level),
                           in_edges(box.lo.z, level)};
        out->levels[level] =
            (bits_level){.first = first,
                         .nx = in_edges(box.hi.x, level) - first.x + 1u,
                         .ny = in_edges(box.hi.y, level) - first.y + 1u,
                         .nz = dims == 3 ? in_edges(box.hi.z, level) - first.z + 1u : 1u};
    }
    const size_t bytes = out->bytes = bits_bytes(tree, out);
    out->masks = oct_alloc(&tree->allocator, bytes, _Alignof(uint64_t));
    if (!out->masks) {
        return OCT_ERROR_MEMORY;
    }
    memset(out->masks, 0, bytes);
    enter_rows(dims, grid, out);
    uint8_t *next = (uint8_t *)(out->masks + level_nodes(&out->levels[lowest]));
    for (int level = lowest + 1; level <= tree->root_level; level++) {
        out->levels[level].nodes = next;
        next += level_nodes(&out->levels[level]);
        fill_level(dims, out, level);
    }
    return OCT_OK;
}

void oct_bits_free(const oct_tree *tree, bits *b)
{
    oct_free(&tree->allocator, b->masks, b->bytes);
}
