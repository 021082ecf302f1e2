// SPDX-License-Identifier: MIT
// Groups of pieces: union-find that leaves no garbage.
//
// A piece names a group, a group its parent, and the root is the component. Relabelling a piece
// takes a reference from one group to another; a group that nothing refers to any more is used
// again. So there are never more groups than pieces that need one, however long the map is edited,
// and nothing has to be renumbered.
#include "search/components_internal.h"

oct_result oct_groups_reserve(oct_components *c, size_t more)
{
    const size_t wanted = c->groups.count + (more > c->free_groups ? more - c->free_groups : 0);
    if (wanted <= c->groups.capacity) {
        return OCT_OK;
    }
    if (wanted > SPACE_VALUE_MAX) {
        return OCT_ERROR_MEMORY;
    }
    const size_t roomy = c->groups.capacity + c->groups.capacity / 2;
    return oct_array_reserve(&c->groups, &c->allocator, sizeof(group),
                             wanted > roomy ? wanted : roomy);
}

uint32_t oct_group_new(oct_components *c)
{
    uint32_t g = c->free_group;
    if (g) {
        c->free_group = space_groups(c)[g].parent;
        c->free_groups--;
    } else {
        OCT_ASSERT(c->groups.count < c->groups.capacity);
        g = (uint32_t)c->groups.count++;
    }
    space_groups(c)[g] = (group){.parent = GROUP_ROOT};
    c->component_count++;
    return g;
}

void oct_group_release(oct_components *c, uint32_t g)
{
    group *groups = space_groups(c);
    while (--groups[g].refs == 0) {
        const uint32_t parent = groups[g].parent;
        groups[g].parent = c->free_group;
        c->free_group = g;
        c->free_groups++;
        if (parent >= GROUP_ROOT) {
            c->component_count--;
            return;
        }
        g = parent;
    }
}

uint32_t oct_group_find(oct_components *c, uint32_t g)
{
    group *groups = space_groups(c);
    while (groups[g].parent < GROUP_ROOT) {
        const uint32_t parent = groups[g].parent, above = groups[parent].parent;
        if (above >= GROUP_ROOT) {
            return parent;
        }
        groups[g].parent = above;
        groups[above].refs++;
        oct_group_release(c, parent);
        g = above;
    }
    return g;
}

uint32_t oct_group_join(oct_components *c, uint32_t a, uint32_t b)
{
    group *groups = space_groups(c);
    a = oct_group_find(c, a);
    b = oct_group_find(c, b);
    if (a == b) {
        return a;
    }
    if (groups[a].parent < groups[b].parent) {
        const uint32_t other = a;
        a = b;
        b = other;
    }
    groups[a].parent += groups[a].parent == groups[b].parent;
    groups[b].parent = a;
    groups[a].refs++;
    c->component_count--;
    return a;
}

void oct_part_set_group(oct_components *c, part p, uint32_t g)
{
    const uint32_t old = part_group(c, p);
    group_hold(c, g);
    if (p.slot == SLOT_OUTSIDE) {
        c->outside = g;
    } else if (p.piece) {
        space_pieces(c)[p.piece].group = g;
    } else {
        space_words(c)[p.slot] = space_word(SPACE_FREE, g);
    }
    oct_group_release(c, old);
}
