// SPDX-License-Identifier: MIT
// Which cells count. Nothing is done when a selection begins: a stamp makes void what was found
// before, and a brick is looked at when a question first meets it. What turns out to have nothing
// that counts is passed over from then on, and so is a block that has only such children.
#include "explore/frontier_internal.h"
#include "octant/components.h"

// The stamps of long ago must not come true again.
static void forget_stamps(oct_frontier *f)
{
    const uint32_t words = front_block_words(f->dims);
    for (uint32_t i = 1; i < f->blocks.items.count; i++) {
        front_block(f, f->dims, i)[words - 2u] = 0;
    }
    for (uint32_t i = 1; i < f->bricks.items.count; i++) {
        front_brick_at(f, i)->stamp = 0;
    }
}

void oct_frontier_select(oct_frontier *f, const oct_components *components, uint32_t component)
{
    if (++f->stamps == 0) {
        forget_stamps(f);
        f->space_stamp = f->kept = 0;
        f->stamps = 1;
    }
    f->stamp = f->stamps;
    f->components = components;
    f->component = component;
}

void oct_front_select_all(oct_frontier *f)
{
    oct_frontier_select(f, NULL, 0);
}

void oct_front_select_again(oct_frontier *f, const oct_components *components, uint32_t component)
{
    if (f->kept && f->kept_component == component && f->kept_changes == components->changes) {
        f->stamp = f->kept;
        f->components = components;
        f->component = component;
        return;
    }
    oct_frontier_select(f, components, component);
    f->kept = f->stamp;
    f->kept_component = component;
    f->kept_changes = components->changes;
}

// The cube of a SLAB is OPEN: what it has within the bounds is connected.
bool oct_front_slab_counts(const oct_frontier *f, rel at)
{
    return !f->components || oct_components_at(f->components, front_cell(f, at)) == f->component;
}

// What the components have in the cube of bricks that holds a place: the word of that cube, or of a
// leaf or brick that it lies in. Bricks are met cube by cube, so it mostly is the last one again.
static uint32_t space_cube(oct_frontier *f, rel there)
{
    const oct_components *c = f->components;
    const int shift = brick_level(f->dims) + 1;
    const rel key = {there.x >> shift, there.y >> shift, there.z >> shift};
    if (f->space_stamp == f->stamp && key.x == f->space_key.x && key.y == f->space_key.y &&
        key.z == f->space_key.z) {
        return f->space_word;
    }
    const uint32_t *words = space_words(c);
    uint32_t word = words[0];
    for (int level = c->root_level; level > shift && space_kind(word) == SPACE_INNER; level--) {
        word = words[space_value(word) << f->dims | child_at(f->dims, level, there)];
    }
    f->space_stamp = f->stamp;
    f->space_key = key;
    f->space_word = word;
    return word;
}

// The cells of a brick that are of the component, from the pieces that the brick has there. Bricks
// of all maps lie at multiples of their edge.
static uint64_t component_cells(oct_frontier *f, rel at)
{
    const oct_components *c = f->components;
    const group *groups = space_groups(c);
    if (!c->known) {
        return f->component == 1 ? UINT64_MAX : 0u;
    }
    const rel there = {at.x + (uint32_t)(f->root_min.x - c->root_min.x),
                       at.y + (uint32_t)(f->root_min.y - c->root_min.y),
                       at.z + (uint32_t)(f->root_min.z - c->root_min.z)};
    if ((uint64_t)(there.x | there.y | there.z) >> c->root_level) {
        return c->outside && group_root(groups, c->outside) == f->component ? UINT64_MAX : 0u;
    }
    uint32_t word = space_cube(f, there);
    if (space_kind(word) == SPACE_INNER) {
        const uint32_t child = child_at(f->dims, brick_level(f->dims) + 1, there);
        word = space_words(c)[space_value(word) << f->dims | child];
    }
    if (space_kind(word) == SPACE_FREE) {
        return group_root(groups, space_value(word)) == f->component ? UINT64_MAX : 0u;
    }
    uint64_t cells = 0;
    if (space_kind(word) == SPACE_BRICK) {
        const piece *pieces = space_pieces(c);
        for (uint32_t i = space_value(word); i; i = pieces[i].next) {
            cells |= group_root(groups, pieces[i].group) == f->component ? pieces[i].cells : 0u;
        }
    }
    return cells;
}

uint64_t oct_front_brick_count(oct_frontier *f, front_brick *b, uint32_t x, uint32_t y, uint32_t z)
{
    b->stamp = f->stamp;
    b->counted = b->cells & ~b->skipped & component_cells(f, (rel){x, y, z});
    return b->counted;
}
