// SPDX-License-Identifier: MIT
#include "classic/corner.h"

#include "octree/octree_internal.h"

#include <stdlib.h>

// At most six lines with a size for each of four leaves, and start and goal.
#define EDGES_MAX 48

// ---- life ----

static void free_parts(space *base)
{
    corner_space *const s = (corner_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_balanced_destroy(s->balanced);
    oct_array_free(&s->parts, memory, sizeof(corner_part));
    oct_key_table_free(&s->part_ids, memory);
    oct_pages_free(&s->pages, memory);
}

static size_t parts_bytes(const space *base)
{
    const corner_space *const s = (const corner_space *)base;
    return s->parts.capacity * sizeof(corner_part) + oct_key_table_bytes(&s->part_ids) +
           oct_pages_bytes(&s->pages) + (s->balanced ? oct_balanced_bytes(s->balanced) : 0);
}

// ---- nodes ----

static void count_ids(corner_space *s)
{
    s->base.id_count = (uint32_t)s->pages.pages.count * PAGE_CELLS;
}

// A new part of a point. Pages of parts are filled one after the other.
static oct_result add_part(corner_space *s, corner_part part, uint32_t *id)
{
    const oct_allocator *const memory = &s->base.allocator;
    const uint32_t place = (uint32_t)s->parts.count % PAGE_CELLS;
    if (place == 0) {
        uint32_t page;
        OCT_TRY(oct_pages_take(&s->pages, memory, &page));
        page_at(&s->pages, page)->mark = CORNER_PAGE_PARTS;
        page_at(&s->pages, page)->x = (int32_t)s->parts.count;
        s->part_page = page;
    }
    OCT_TRY(oct_array_push(&s->parts, memory, sizeof part, &part));
    *id = s->part_page * PAGE_CELLS + place;
    return OCT_OK;
}

oct_result oct_corner_part(corner_space *s, uint32_t page, uint32_t cell, uint32_t octant,
                           uint32_t *id)
{
    const map_page *const where = page_at(&s->pages, page);
    const uint32_t open = page_octants(s->base.map.dims, where, cell);
    const uint32_t own = octants_joined(1u << octant, open);
    if ((own & (0u - own)) == (open & (0u - open))) {
        *id = page * PAGE_CELLS + cell;
        return OCT_OK;
    }
    const oct_vec at = {where->x + (int32_t)(cell & 3u), where->y + (int32_t)(cell >> 2 & 3u),
                        where->z + (int32_t)(cell >> 4)};
    const lattice_key key = {at.x, at.y, at.z, oct_lowest_bit(own)};
    OCT_TRY(oct_key_table_reserve(&s->part_ids, &s->base.allocator, 1));
    key_slot *const slot = key_table_slot(&s->part_ids, key);
    if (!key_slot_is_used(&s->part_ids, slot)) {
        OCT_TRY(add_part(s, (corner_part){at, own}, id));
        key_slot_fill(&s->part_ids, slot, key, *id);
    }
    *id = slot->value;
    return OCT_OK;
}

oct_result oct_corner_node(corner_space *s, oct_vec at, uint32_t octant, uint32_t *id)
{
    uint32_t page;
    OCT_TRY(oct_pages_find(&s->pages, &s->base.allocator, &s->base.map, at, &page));
    return oct_corner_part(s, page, page_cell(at), octant, id);
}

// ---- leaves ----

static oct_result leaf_of(corner_space *s, oct_vec cell, oct_leaf *out)
{
    if (s->is_progressive) {
        return oct_balanced_leaf(s->balanced, &s->base.map, cell, out);
    }
    *out = oct_view_leaf(&s->base.map, cell);
    return OCT_OK;
}

oct_result oct_corner_cut_edges(corner_space *s, uint32_t id, uint32_t o)
{
    space *const base = &s->base;
    const int dims = base->map.dims;
    const oct_vec here = corner_vec(s, id);
    oct_leaf leaf;
    OCT_TRY(leaf_of(s, octant_cell(corner_point(&base->map, here), o), &leaf));
    const oct_box box = view_leaf_box(&base->map, leaf);
    const int32_t at[3] = {here.x, here.y, here.z};
    const int32_t min[3] = {box.min.x, box.min.y, box.min.z};
    const int32_t max[3] = {box.max.x, box.max.y, box.max.z};
    for (int i = 0; i < dims; i++) {
        if (at[i] != (o >> i & 1u ? min[i] : max[i])) {
            return OCT_OK;
        }
    }
    for (int i = 0; i < dims; i++) {
        int32_t to[3] = {at[0], at[1], at[2]};
        uint32_t other;
        to[i] = o >> i & 1u ? max[i] : min[i];
        OCT_TRY(oct_corner_node(s, (oct_vec){to[0], to[1], to[2]}, o ^ 1u << i, &other));
        corner_add(base, other, cost_above((double)max[i] - min[i]));
    }
    return OCT_OK;
}

// ---- start and goal ----

static void join(corner_space *s, uint32_t end, uint32_t to)
{
    s->joins[end][s->join_count[end]++] = to;
    page_at(&s->pages, to / PAGE_CELLS)->mark |= CORNER_PAGE_JOINS;
}

// Joins start or goal to the corners of its leaf.
static oct_result join_corners(corner_space *s, uint32_t end, oct_leaf leaf)
{
    const oct_box box = view_leaf_box(&s->base.map, leaf);
    const uint32_t all = (1u << s->base.map.dims) - 1u;
    s->join_count[end] = 0;
    for (uint32_t i = 0; i <= all; i++) {
        const oct_vec at = {i & 1u ? box.max.x : box.min.x, i & 2u ? box.max.y : box.min.y,
                            i & 4u ? box.max.z : box.min.z};
        uint32_t to;
        // Seen from a corner the leaf lies on the other side on every axis.
        OCT_TRY(oct_corner_node(s, at, i ^ all, &to));
        join(s, end, to);
    }
    return OCT_OK;
}

// All edges but the last run along axes; that one goes straight from a corner of the goal's leaf.
static double goal_shortcut(const corner_space *s)
{
    const oct_fine to = s->base.to.place.at;
    double most = 0.0;
    for (uint32_t i = 0; i < 1u << s->base.map.dims; i++) {
        const oct_fine at = corner_at(&s->base, s->joins[CORNER_GOAL][i]);
        const double along =
            (double)(llabs(at.x - to.x) + llabs(at.y - to.y) + llabs(at.z - to.z)) *
            (1.0 / OCT_FINE);
        const double less = along - oct_fine_distance(at, to);
        most = less > most ? less : most;
    }
    return cost_above(most);
}

// ---- a query ----

static oct_result aim(space *base)
{
    corner_space *const s = (corner_space *)base;
    oct_leaf from, to;
    OCT_TRY(leaf_of(s, s->base.from.cell, &from));
    OCT_TRY(leaf_of(s, s->base.to.cell, &to));
    OCT_TRY(join_corners(s, CORNER_START, from));
    OCT_TRY(join_corners(s, CORNER_GOAL, to));
    // Within one leaf nothing is between them.
    if (from.x == to.x && from.y == to.y && from.z == to.z) {
        join(s, CORNER_START, CORNER_GOAL);
        join(s, CORNER_GOAL, CORNER_START);
    }
    s->base.aim = s->base.to.place.at;
    s->base.shortcut = goal_shortcut(s);
    count_ids(s);
    return OCT_OK;
}

static oct_result begin(space *base)
{
    corner_space *const s = (corner_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    const oct_tree *const tree = s->base.map.tree;
    if (s->is_progressive) {
        if (!s->balanced) {
            OCT_TRY(oct_balanced_create(memory, &s->balanced));
        }
        oct_balanced_begin(s->balanced, &s->base.map);
    }
    OCT_TRY(oct_array_reserve(&s->base.edges, memory, sizeof(space_edge), EDGES_MAX));
    OCT_TRY(oct_pages_begin(&s->pages, memory));
    oct_key_table_clear(&s->part_ids);
    s->parts.count = 0;
    s->root =
        (oct_vec){(int32_t)tree->root_min.x, (int32_t)tree->root_min.y, (int32_t)tree->root_min.z};
    s->base.start = CORNER_START;
    s->base.goal = CORNER_GOAL;
    s->base.goal_is_own = true;
    return aim(base);
}

static void take_plain(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((corner_space *)base)->is_progressive = false;
}

static void take_progressive(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((corner_space *)base)->is_progressive = true;
}

// The way into a hole in the middle of a large leaf's face may be left out. The progressive graph
// leaves out nothing: where no path was found it is asked before that is believed.
static bool may_miss(const space *base)
{
    (void)base;
    return true;
}

const space_kind oct_corner_kind = {.size = sizeof(corner_space),
                                    .ops = &corner_ops,
                                    .free_parts = free_parts,
                                    .parts_bytes = parts_bytes,
                                    .take = take_plain,
                                    .begin = begin,
                                    .aim = aim,
                                    .may_miss = may_miss,
                                    .retry = SPACE_PROGRESSIVE_CORNER};

const space_kind oct_progressive_corner_kind = {.size = sizeof(corner_space),
                                                .ops = &corner_ops,
                                                .free_parts = free_parts,
                                                .parts_bytes = parts_bytes,
                                                .take = take_progressive,
                                                .begin = begin,
                                                .aim = aim};
