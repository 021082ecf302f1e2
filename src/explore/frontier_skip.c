// SPDX-License-Identifier: MIT
// Cells that are left out of questions until something around them changes.
//
// Beside the bit in its brick each has a record: the labels of the cells around it. When an edit
// has made the brick be looked at anew, the bit is set again where these are still the same. So a
// change that is only in the same box does not bring a cell back.
#include "explore/frontier_internal.h"
#include "octant/tree.h"

// The labels of the cells around one, and its own.
static uint64_t labels_around(const oct_frontier *f, oct_vec cell)
{
    uint64_t labels = 0;
    const int32_t dz = f->dims == 3;
    for (int32_t z = -dz; z <= dz; z++) {
        for (int32_t y = -1; y <= 1; y++) {
            for (int32_t x = -1; x <= 1; x++) {
                const oct_vec beside = {cell.x + x, cell.y + y, cell.z + z};
                labels = labels << 2 | (uint64_t)oct_tree_label(f->tree, beside);
            }
        }
    }
    return labels;
}

// Marks a cell of the frontier as skipped; *fresh is whether it was not yet.
static oct_result mark(oct_frontier *f, uint32_t *word, int level, rel at, rel cell, bool *fresh)
{
    const int dims = f->dims;
    if (level > brick_level(dims)) {
        OCT_TRY(oct_front_open(f, word, level, at));
        const uint32_t index = front_value(*word), child = child_at(dims, level, cell);
        uint32_t below = front_block(f, dims, index)[child];
        const oct_result result =
            mark(f, &below, level - 1, child_position(dims, at, level, child), cell, fresh);
        front_block(f, dims, index)[child] = below;
        return result;
    }
    if (front_kind(*word) == FRONT_SLAB) {
        OCT_TRY(oct_front_put_cells(f, word, at, oct_front_cells(f, *word, at), false));
    }
    front_brick *b = front_brick_at(f, front_value(*word));
    const uint64_t bit = UINT64_C(1) << morton_index(dims, cell.x, cell.y, cell.z);
    *fresh = !(b->skipped & bit);
    b->skipped |= bit;
    b->counted &= ~bit;
    return OCT_OK;
}

static oct_result mark_cell(oct_frontier *f, oct_vec cell, bool *fresh)
{
    return mark(f, &f->root, f->root_level, (rel){0, 0, 0}, front_rel(f, cell), fresh);
}

oct_result oct_frontier_skip(oct_frontier *f, oct_vec cell)
{
    cell.z = f->dims == 3 ? cell.z : 0;
    if (!oct_frontier_has(f, cell)) {
        return OCT_OK;
    }
    if (f->skips.count == f->skips.capacity) {
        OCT_TRY(oct_array_grow(&f->skips, &f->allocator, sizeof(front_skip)));
    }
    bool fresh = false;
    OCT_TRY(mark_cell(f, cell, &fresh));
    if (fresh) {
        ((front_skip *)f->skips.items)[f->skips.count++] =
            (front_skip){labels_around(f, cell), cell};
    }
    return OCT_OK;
}

oct_result oct_front_skip_again(oct_frontier *f)
{
    f->skips_lost = false;
    front_skip *skips = f->skips.items;
    const size_t count = f->skips.count;
    f->skips.count = 0;
    for (size_t i = 0; i < count; i++) {
        bool fresh;
        if (oct_frontier_has(f, skips[i].cell) &&
            labels_around(f, skips[i].cell) == skips[i].around) {
            OCT_TRY(mark_cell(f, skips[i].cell, &fresh));
            skips[f->skips.count++] = skips[i];
        }
    }
    return OCT_OK;
}
