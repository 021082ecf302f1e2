// SPDX-License-Identifier: MIT
// Labels everything anew: builds the tree of what is free with a group for every piece, joins what
// touches, and numbers what is left.
//
// Pairs of nodes that share a face are visited from the root down, both sides at once, so that no
// neighbour is ever looked up.
#include "octant/components.h"
#include "search/components_internal.h"

// ---- what touches ----

// Joins a brick's pieces that have one of the cells with a group.
static void weld_brick(oct_components *c, uint32_t word, uint64_t cells, uint32_t g)
{
    for (uint32_t i = space_value(word); i; i = space_pieces(c)[i].next) {
        if (space_pieces(c)[i].cells & cells) {
            oct_group_join(c, space_pieces(c)[i].group, g);
        }
    }
}

// Joins two leaves or bricks of which the second lies across a face of the first.
static void weld(oct_components *c, uint32_t low, uint32_t high, uint32_t face)
{
    if (space_kind(low) == SPACE_FREE && space_kind(high) == SPACE_FREE) {
        oct_group_join(c, space_value(low), space_value(high));
    } else if (space_kind(low) == SPACE_FREE) {
        weld_brick(c, high, face_cells(c->dims, face ^ 1u), space_value(low));
    } else if (space_kind(high) == SPACE_FREE) {
        weld_brick(c, low, face_cells(c->dims, face), space_value(high));
    } else {
        for (uint32_t i = space_value(low); i; i = space_pieces(c)[i].next) {
            const piece *p = &space_pieces(c)[i];
            weld_brick(c, high, face_across(c->dims, face, p->cells), p->group);
        }
    }
}

// The same for two nodes: everything along the face between them.
static void weld_nodes(oct_components *c, uint32_t low, uint32_t high, uint32_t axis)
{
    if (space_kind(low) == SPACE_BLOCKED || space_kind(high) == SPACE_BLOCKED) {
        return;
    }
    const bool down_low = space_kind(low) == SPACE_INNER;
    const bool down_high = space_kind(high) == SPACE_INNER;
    if (!down_low && !down_high) {
        weld(c, low, high, 2u * axis + 1u);
        return;
    }
    const uint32_t *below_low = space_words(c) + ((size_t)space_value(low) << c->dims);
    const uint32_t *below_high = space_words(c) + ((size_t)space_value(high) << c->dims);
    for (uint32_t i = 0; i < 1u << (c->dims - 1); i++) {
        const uint32_t child = face_child(axis, i);
        weld_nodes(c, down_low ? below_low[child | 1u << axis] : low,
                   down_high ? below_high[child] : high, axis);
    }
}

// Everything inside a node.
static void weld_inside(oct_components *c, uint32_t word)
{
    if (space_kind(word) != SPACE_INNER) {
        return;
    }
    const uint32_t *children = space_words(c) + ((size_t)space_value(word) << c->dims);
    for (uint32_t i = 0; i < 1u << c->dims; i++) {
        weld_inside(c, children[i]);
    }
    for (uint32_t axis = 0; axis < (uint32_t)c->dims; axis++) {
        for (uint32_t i = 0; i < 1u << (c->dims - 1); i++) {
            const uint32_t child = face_child(axis, i);
            weld_nodes(c, children[child], children[child | 1u << axis], axis);
        }
    }
}

static void weld_all(oct_components *c)
{
    const uint32_t root = space_words(c)[0];
    weld_inside(c, root);
    if (!c->outside) {
        return;
    }
    const uint32_t outside = space_word(SPACE_FREE, c->outside);
    for (uint32_t axis = 0; axis < (uint32_t)c->dims; axis++) {
        weld_nodes(c, root, outside, axis);
        weld_nodes(c, outside, root, axis);
    }
}

// ---- numbers ----

// The number of a group's component; the next one if it has none yet.
static uint32_t number_of(oct_components *c, group *numbered, uint32_t g)
{
    group *root = &space_groups(c)[group_root(space_groups(c), g)];
    if (!root->mark) {
        root->mark = (uint32_t)++c->component_count;
        numbered[root->mark] = (group){.parent = GROUP_ROOT};
    }
    numbered[root->mark].refs++;
    return root->mark;
}

// Gives every piece its component as its group, and drops all others.
static oct_result number_all(oct_components *c)
{
    oct_array numbered = {.items = NULL};
    OCT_TRY(oct_array_reserve(&numbered, &c->allocator, sizeof(group),
                              (size_t)c->component_count + 1u));
    c->component_count = 0;
    group *groups = numbered.items;
    groups[0] = (group){.parent = 0};
    if (c->outside) {
        c->outside = number_of(c, groups, c->outside);
    }
    for (size_t i = 0; i < c->blocks.count << c->dims; i++) {
        const uint32_t word = space_words(c)[i];
        if (space_kind(word) == SPACE_FREE) {
            space_words(c)[i] = space_word(SPACE_FREE, number_of(c, groups, space_value(word)));
        }
    }
    for (size_t i = 1; i < c->pieces.count; i++) {
        piece *p = &space_pieces(c)[i];
        p->group = number_of(c, groups, p->group);
    }
    numbered.count = (size_t)c->component_count + 1u;
    oct_array_free(&c->groups, &c->allocator, sizeof(group));
    c->groups = numbered;
    c->free_group = c->free_groups = 0;
    return OCT_OK;
}

oct_result oct_components_label(oct_components *c)
{
    // The null items.
    OCT_TRY(oct_array_reserve(&c->blocks, &c->allocator, sizeof(uint32_t) << c->dims, 1));
    OCT_TRY(oct_array_reserve(&c->parents, &c->allocator, sizeof(uint32_t), 1));
    OCT_TRY(oct_array_reserve(&c->pieces, &c->allocator, sizeof(piece), 1));
    OCT_TRY(oct_array_reserve(&c->groups, &c->allocator, sizeof(group), 1));
    c->changes++;
    oct_space_clear(c);
    OCT_TRY(oct_space_build(c));
    weld_all(c);
    OCT_TRY(number_all(c));
    oct_space_trim(c);
    c->visited = c->piece_count;
    c->rebuilt++;
    return OCT_OK;
}
