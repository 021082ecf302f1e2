// SPDX-License-Identifier: MIT
#include "bench/units_listing.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <string.h>

#define UNIT 10.0 // metres in one of Abdo's units: costs are compared with costs over sizes
#define HALF (UNITS_EDGE * UNITS_LEAF / 2.0) // metres

// Left, right, up, down, back, forward.
static const int directions[6] = {0, 1, 3, 2, 4, 5};

enum { NODE_NEW, NODE_OPEN, NODE_CLOSED };

static oct_point middle_of(listing_leaf leaf)
{
    const oct_point first = oct_units_middle(leaf.corner);
    const double more = ((1u << leaf.level) - 1u) * UNITS_LEAF / 2.0;
    return (oct_point){first.x + more, first.y + more, first.z + more};
}

// In Abdo's units, in which the middle of the tree is 0.
static oct_point centre_of(listing_leaf leaf)
{
    const oct_point at = middle_of(leaf);
    return (oct_point){(at.x - HALF) / UNIT, (at.y - HALF) / UNIT, (at.z - HALF) / UNIT};
}

static double size_of(uint32_t level)
{
    return (1u << level) * UNITS_LEAF / UNIT;
}

// ---- the open list ----

static void open_add(listing_search *s, uint32_t corner)
{
    uint32_t slot = s->slot_count;
    if (s->free_slot) {
        slot = s->free_slot - 1u;
        s->free_slot = s->next_free[slot];
    } else {
        s->slot_count++;
    }
    s->slots[slot] = corner + 1u;
    s->nodes[corner].state = NODE_OPEN;
}

// The slot of the node that comes next, or slot_count where there is none. The first node's sum is
// not divided by its size; others are better if they are so in both.
static uint32_t open_best(const listing_search *s)
{
    uint32_t best = 0;
    while (best < s->slot_count && !s->slots[best]) {
        best++;
    }
    if (best == s->slot_count) {
        return best;
    }
    double best_h = s->nodes[s->slots[best] - 1u].h;
    double best_f = s->nodes[s->slots[best] - 1u].g + best_h;
    for (uint32_t i = best + 1u; i < s->slot_count; i++) {
        if (!s->slots[i]) {
            continue;
        }
        const listing_node *const node = &s->nodes[s->slots[i] - 1u];
        if (node->rank <= best_f && node->h < best_h) {
            best = i;
            best_f = node->rank;
            best_h = node->h;
        }
    }
    return best;
}

static uint32_t open_take(listing_search *s, uint32_t slot)
{
    const uint32_t corner = s->slots[slot] - 1u;
    s->slots[slot] = 0;
    s->next_free[slot] = s->free_slot;
    s->free_slot = slot + 1u;
    s->nodes[corner].state = NODE_CLOSED;
    return corner;
}

// ---- the search ----

static void add_beside(listing_search *s, listing_leaf from, listing_leaf to, oct_point goal)
{
    listing_node *const node = &s->nodes[to.corner];
    if (node->state != NODE_NEW) {
        return; // were it cheaper, the listing would write that into a copy
    }
    const oct_point nowhere = {0, 0, 0}; // the listing's node has no place yet
    const listing_node *const parent = &s->nodes[from.corner];
    node->g = parent->g + point_length(point_sub(nowhere, centre_of(from)));
    node->h = parent->h + point_length(point_sub(goal, nowhere));
    node->rank = (node->g + node->h) / size_of(to.level);
    node->level = to.level;
    node->parent = from.corner;
    open_add(s, to.corner);
}

static void trace_path(listing_search *s, uint32_t from, uint32_t to)
{
    size_t count = 1;
    for (uint32_t at = to; at != from; at = s->nodes[at].parent) {
        count++;
    }
    s->path_count = count;
    for (uint32_t at = to; count > 0; at = s->nodes[at].parent) {
        s->path[--count] = (listing_leaf){at, s->nodes[at].level};
    }
}

units_plan oct_units_listing(listing_search *s, units_beside_fn *beside, const void *tree,
                             listing_leaf from, listing_leaf to)
{
    memset(s->nodes, 0, sizeof s->nodes);
    s->slot_count = s->free_slot = 0;
    s->path_count = 0;
    const oct_point goal = centre_of(to);
    s->nodes[from.corner] = (listing_node){.h = point_length(point_sub(goal, centre_of(from))),
                                           .level = from.level,
                                           .parent = from.corner};
    open_add(s, from.corner);
    units_plan plan = {.is_found = false};
    for (;;) {
        plan.traversals++;
        const uint32_t slot = open_best(s);
        if (slot == s->slot_count) {
            return plan;
        }
        const uint32_t corner = open_take(s, slot);
        if (corner == to.corner) {
            trace_path(s, from.corner, to.corner);
            plan.is_found = true;
            return plan;
        }
        const listing_leaf leaf = {corner, s->nodes[corner].level};
        for (int i = 0; i < 6; i++) {
            listing_leaf next;
            if (beside(tree, leaf, directions[i], &next)) {
                add_beside(s, leaf, next, goal);
            }
        }
    }
}

oct_result oct_listing_points(const listing_search *s, const units_run *run, int unit,
                              oct_array *points)
{
    points->count = 0;
    OCT_TRY(oct_units_add_point(points, run->starts[unit]));
    for (size_t i = 1; i < s->path_count; i++) {
        OCT_TRY(oct_units_add_point(points, middle_of(s->path[i])));
    }
    return oct_units_add_point(points, run->goals[unit]);
}
