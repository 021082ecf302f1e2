// SPDX-License-Identifier: MIT
#include "flat/intervals.h"

static void free_parts(space *base)
{
    interval_space *const s = (interval_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_array_free(&s->roots, memory, sizeof(interval_root));
    oct_array_free(&s->views, memory, sizeof(interval_view));
    oct_key_table_free(&s->root_ids, memory);
}

static size_t parts_bytes(const space *base)
{
    const interval_space *const s = (const interval_space *)base;
    return s->roots.capacity * sizeof(interval_root) + s->views.capacity * sizeof(interval_view) +
           oct_key_table_bytes(&s->root_ids);
}

static oct_result begin(space *base)
{
    interval_space *const s = (interval_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    OCT_TRY(oct_plane_begin(s->plane, memory, &s->base.map));
    OCT_TRY(oct_array_reserve(&s->roots, memory, sizeof(interval_root), 64));
    OCT_TRY(oct_array_reserve(&s->views, memory, sizeof(interval_view), 64));
    oct_key_table_clear(&s->root_ids);
    s->goal = (sweep_goal){plane_point(s->plane, s->base.to.place.at), s->base.to.place.octants};
    *interval_root_at(s, 0) = (interval_root){.at = {0, 0}};
    *interval_root_at(s, INTERVALS_START) =
        (interval_root){.at = plane_point(s->plane, s->base.from.place.at)};
    *interval_root_at(s, INTERVALS_GOAL) = (interval_root){.at = s->goal.at};
    s->roots.count = 3;
    s->views.count = 1;
    s->free_view = 0;
    s->base.start = INTERVALS_START;
    s->base.goal = INTERVALS_GOAL;
    s->base.goal_is_own = true;
    s->base.id_count = 3;
    return OCT_OK;
}

oct_result oct_intervals_root(interval_space *s, int32_t x, int32_t y, uint32_t *id)
{
    const oct_allocator *const memory = &s->base.allocator;
    const lattice_key key = {x, y, 0, 0};
    OCT_TRY(oct_key_table_reserve(&s->root_ids, memory, 1));
    key_slot *const slot = key_table_slot(&s->root_ids, key);
    if (key_slot_is_used(&s->root_ids, slot)) {
        *id = slot->value;
        return OCT_OK;
    }
    const interval_root root = {.at = {flat_of(x), flat_of(y)}};
    *id = (uint32_t)s->roots.count;
    OCT_TRY(oct_array_push(&s->roots, memory, sizeof root, &root));
    key_slot_fill(&s->root_ids, slot, key, *id);
    s->base.id_count = (uint32_t)s->roots.count;
    return OCT_OK;
}

static void take(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((interval_space *)base)->plane = lab_plane(planner);
}

const space_kind oct_intervals_kind = {.size = sizeof(interval_space),
                                       .ops = &oct_anya_ops,
                                       .free_parts = free_parts,
                                       .parts_bytes = parts_bytes,
                                       .take = take,
                                       .begin = begin};
