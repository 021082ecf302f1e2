// SPDX-License-Identifier: MIT
#include "classic/dual.h"

#define NODES_MAX (UINT32_MAX / 2)

// ---- life ----

static void free_parts(space *base)
{
    dual_space *const s = (dual_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_balanced_destroy(s->balanced);
    oct_array_free(&s->nodes, memory, sizeof(dual_node));
    oct_array_free(&s->leaves, memory, sizeof(oct_leaf));
    oct_key_table_free(&s->places, memory);
}

static size_t parts_bytes(const space *base)
{
    const dual_space *const s = (const dual_space *)base;
    return s->nodes.capacity * sizeof(dual_node) + s->leaves.capacity * sizeof(oct_leaf) +
           oct_key_table_bytes(&s->places) + (s->balanced ? oct_balanced_bytes(s->balanced) : 0);
}

// ---- nodes ----

// Makes room for one more node and its key.
static oct_result reserve_node(dual_space *s)
{
    const oct_allocator *const memory = &s->base.allocator;
    if (s->nodes.count >= NODES_MAX) {
        return OCT_ERROR_MEMORY;
    }
    if (s->nodes.count == s->nodes.capacity) {
        OCT_TRY(oct_array_grow(&s->nodes, memory, sizeof(dual_node)));
    }
    return oct_key_table_reserve(&s->places, memory, 1);
}

// Adds a node under a key; room must have been reserved.
static uint32_t add_node(dual_space *s, key_slot *slot, lattice_key key, dual_node n)
{
    const uint32_t id = (uint32_t)s->nodes.count++;
    *dual_node_at(&s->base, id) = n;
    key_slot_fill(&s->places, slot, key, id);
    s->base.id_count = id + 1u;
    return id;
}

oct_result oct_dual_node(dual_space *s, oct_leaf leaf, uint32_t *id)
{
    const lattice_key key = {leaf.x, leaf.y, leaf.z, leaf.level};
    OCT_TRY(reserve_node(s));
    key_slot *const slot = key_table_slot(&s->places, key);
    if (key_slot_is_used(&s->places, slot)) {
        *id = slot->value;
        return OCT_OK;
    }
    const view *const v = &s->base.map;
    const oct_box box = view_leaf_box(v, leaf);
    const int64_t edge = INT64_C(1) << leaf.level;
    const bool is_whole = box.max.x - (int64_t)box.min.x == edge &&
                          box.max.y - (int64_t)box.min.y == edge &&
                          (v->dims == 2 || box.max.z - (int64_t)box.min.z == edge);
    s->has_cut |= !is_whole;
    *id = add_node(
        s, slot, key,
        (dual_node){
            .x = leaf.x, .y = leaf.y, .z = leaf.z, .level = leaf.level, .is_cut = !is_whole});
    return OCT_OK;
}

// ---- a query ----

// Joins start or goal to the middle of its leaf.
static oct_result join(dual_space *s, uint32_t end, oct_vec cell, uint32_t *to)
{
    oct_leaf leaf;
    if (s->is_progressive) {
        OCT_TRY(oct_balanced_leaf(s->balanced, &s->base.map, cell, &leaf));
    } else {
        leaf = oct_view_leaf(&s->base.map, cell);
    }
    OCT_TRY(oct_dual_node(s, leaf, to));
    dual_node_at(&s->base, *to)->joins |= (uint8_t)(1u << end);
    return OCT_OK;
}

static oct_result aim(space *base)
{
    dual_space *const s = (dual_space *)base;
    dual_node_at(&s->base, s->joins[DUAL_GOAL])->joins &= (uint8_t) ~(1u << DUAL_GOAL);
    OCT_TRY(join(s, DUAL_GOAL, s->base.to.cell, &s->joins[DUAL_GOAL]));
    s->is_together = s->joins[DUAL_START] == s->joins[DUAL_GOAL];
    s->base.aim = s->base.to.place.at;
    return OCT_OK;
}

static oct_result begin(space *base)
{
    dual_space *const s = (dual_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    if (s->is_progressive) {
        if (!s->balanced) {
            OCT_TRY(oct_balanced_create(memory, &s->balanced));
        }
        oct_balanced_begin(s->balanced, &s->base.map);
    }
    OCT_TRY(oct_array_reserve(&s->base.edges, memory, sizeof(space_edge), 64));
    OCT_TRY(oct_array_reserve(&s->nodes, memory, sizeof(dual_node), 64));
    oct_key_table_clear(&s->places);
    memset(s->nodes.items, 0, (DUAL_GOAL + 1) * sizeof(dual_node));
    s->nodes.count = DUAL_GOAL + 1;
    s->base.id_count = DUAL_GOAL + 1;
    s->base.start = DUAL_START;
    s->base.goal = DUAL_GOAL;
    s->base.goal_is_own = true;
    s->has_cut = false;
    s->joins[DUAL_GOAL] = DUAL_GOAL;
    OCT_TRY(join(s, DUAL_START, s->base.from.cell, &s->joins[DUAL_START]));
    return aim(base);
}

static void take_plain(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((dual_space *)base)->is_progressive = false;
}

static void take_progressive(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((dual_space *)base)->is_progressive = true;
}

// Ways between leaves that the bounds cut may be left out. The progressive corner graph leaves out
// nothing: where no path was found it is asked before that is believed.
static bool may_miss(const space *base)
{
    return ((const dual_space *)base)->has_cut;
}

const space_kind oct_dual_kind = {.size = sizeof(dual_space),
                                  .ops = &dual_ops,
                                  .free_parts = free_parts,
                                  .parts_bytes = parts_bytes,
                                  .take = take_plain,
                                  .begin = begin,
                                  .aim = aim,
                                  .may_miss = may_miss,
                                  .retry = SPACE_PROGRESSIVE_CORNER};

const space_kind oct_progressive_dual_kind = {.size = sizeof(dual_space),
                                              .ops = &dual_ops,
                                              .free_parts = free_parts,
                                              .parts_bytes = parts_bytes,
                                              .take = take_progressive,
                                              .begin = begin,
                                              .aim = aim,
                                              .may_miss = may_miss,
                                              .retry = SPACE_PROGRESSIVE_CORNER};
