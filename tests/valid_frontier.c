// SPDX-License-Identifier: MIT
// Whether the books of a frontier balance. Whether it is the frontier of the map is for the tests
// to say, which look at the map in the plain way (tests/frontier_plain.c).
#include "octant/tree.h"
#include "valid.h"

#include "explore/frontier_internal.h"

typedef struct books {
    const oct_frontier *f;
    uint64_t cells;
    size_t blocks, bricks, skipped;
} books;

static bool brick_is_right(books *b, uint32_t index, rel at)
{
    const oct_frontier *f = b->f;
    if (index == 0 || index >= f->bricks.items.count) {
        return false;
    }
    const front_brick *own = front_brick_at(f, index);
    b->bricks++;
    b->cells += oct_bit_count(own->cells);
    b->skipped += oct_bit_count(own->skipped);
    return own->cells != 0 && (own->skipped & ~own->cells) == 0 &&
           (own->cells & ~span_mask(f->dims, &f->inside, at)) == 0 &&
           (own->stamp != f->stamp || (own->counted & ~(own->cells & ~own->skipped)) == 0);
}

// Whether all of a node is OPEN; known only of the map as it is.
static bool is_open(const oct_frontier *f, int level, rel at)
{
    const span all = span_of(f->dims, at, level);
    const oct_box box = oct_front_unclip(f, &all);
    return f->revision != oct_tree_revision(f->tree) ||
           oct_tree_labels_in(f->tree, box) == OCT_HAS_OPEN;
}

static bool node_is_right(books *b, uint32_t word, int level, rel at)
{
    const oct_frontier *f = b->f;
    const uint32_t value = front_value(word);
    if (word == FRONT_NONE) {
        return true;
    }
    if (f->is_outside || !front_is_inside(f, level, at)) {
        return false;
    }
    if (front_kind(word) == FRONT_SLAB) {
        b->cells += oct_front_slab_count(f, value, level, at);
        return value != 0 && value < 1u << 2 * f->dims && is_open(f, level, at);
    }
    if (front_kind(word) == FRONT_BRICK) {
        return level == brick_level(f->dims) && brick_is_right(b, value, at);
    }
    if (level <= brick_level(f->dims) || value == 0 || value >= f->blocks.items.count ||
        ++b->blocks >= f->blocks.items.count) {
        return false;
    }
    const uint32_t *children = front_block(f, f->dims, value);
    bool some = false;
    for (uint32_t i = 0; i < 1u << f->dims; i++) {
        some |= children[i] != FRONT_NONE;
        if (!node_is_right(b, children[i], level - 1, child_position(f->dims, at, level, i))) {
            return false;
        }
    }
    return some;
}

static bool books_balance(const oct_frontier *f)
{
    books b = {.f = f};
    return node_is_right(&b, f->root, f->root_level, (rel){0, 0, 0}) && b.cells == f->count &&
           b.skipped == f->skips.count &&
           b.blocks + f->blocks.free_count + 1u == f->blocks.items.count &&
           b.bricks + f->bricks.free_count + 1u == f->bricks.items.count;
}

// All OPEN cells within the bounds are in the root.
static bool root_holds(const oct_frontier *f)
{
    oct_box open = oct_tree_extent(f->tree, OCT_HAS_OPEN);
    if (box_is_empty(f->dims, &open)) {
        return true;
    }
    const int64_t edge = INT64_C(1) << f->root_level;
    const corner min = f->root_min;
    return open.min.x >= min.x && open.max.x <= min.x + edge && open.min.y >= min.y &&
           open.max.y <= min.y + edge &&
           (f->dims == 2 || (open.min.z >= min.z && open.max.z <= min.z + edge));
}

bool oct_frontier_is_valid(const oct_frontier *f)
{
    if (!f->known) {
        return f->root == FRONT_NONE && f->count == 0;
    }
    return books_balance(f) && (f->revision != oct_tree_revision(f->tree) || root_holds(f));
}
