// SPDX-License-Identifier: MIT
// Writing down why something is excluded, as whoever doubts it can check it.
#include "agent/possible_internal.h"
#include "agent/proof.h"

_Static_assert(OCT_PROOF_PART_DOORS == PART_DOORS_MAX, "the same parts");
// A proof in the making: lists that are copied when it is whole.
typedef struct draft {
    possible *p;
    oct_vec root; // cells are counted from the smallest one of the tree
    oct_array leaves, parts, doors, buttons;
    oct_result result;
} draft;

static oct_result push(draft *d, oct_array *list, size_t size, const void *item)
{
    return oct_array_push(list, &d->p->allocator, size, item);
}

// ---- space ----

static oct_result push_leaf(draft *d, oct_vec at, uint32_t level, uint32_t part)
{
    const oct_proof_leaf leaf = {.at = {(at.x - d->root.x) >> level, (at.y - d->root.y) >> level,
                                        (at.z - d->root.z) >> level},
                                 .level = level,
                                 .part = part};
    return push(d, &d->leaves, sizeof leaf, &leaf);
}

static bool add_leaf(void *ctx, const oct_leaf *leaf)
{
    draft *const d = ctx;
    const oct_vec at = {leaf->x, leaf->y, leaf->z};
    const uint32_t part = oct_config_space_part(d->p->space, at);
    if (part != PART_NONE && d->p->reached[part]) {
        d->result = push_leaf(d, at, leaf->level, part);
    }
    return d->result == OCT_OK;
}

// Free leaves of what is reached, and all cells that doors close: nothing else touches them.
static oct_result add_leaves(draft *d)
{
    const config_space *const s = d->p->space;
    const oct_cell root = oct_tree_root(s->shut);
    d->root = (oct_vec){root.x, root.y, root.z};
    const oct_box all = oct_tree_extent(s->shut, OCT_HAS_BLOCKED); // the walls around the bounds
    (void)oct_tree_leaves(s->shut, all, OCT_HAS_UNKNOWN, add_leaf, d);
    OCT_TRY(d->result);
    const door_cell *const cells = s->cells.items;
    for (size_t i = 0; i < s->cells.count; i++) {
        OCT_TRY(push_leaf(d, cells[i].cell, 0, cells[i].part));
    }
    return OCT_OK;
}

static oct_result add_parts(draft *d)
{
    const space_part *const parts = d->p->space->parts.items;
    for (size_t i = 0; i < d->p->parts; i++) {
        oct_proof_part part = {.door_count = parts[i].door_count, .is_reached = d->p->reached[i]};
        memcpy(part.doors, parts[i].doors, parts[i].door_count * sizeof *part.doors);
        OCT_TRY(push(d, &d->parts, sizeof part, &part));
    }
    return OCT_OK;
}

// ---- devices ----

static oct_result add_doors(draft *d)
{
    possible *const p = d->p;
    for (uint32_t i = 0; i < p->doors; i++) {
        const oct_proof_door door = {.id = possible_door_thing(p, i)->told.thing.id,
                                     .is_free = p->free[i],
                                     .is_loose = p->is_loose[i],
                                     .at_start = oct_possible_at_start(p, i)};
        OCT_TRY(push(d, &d->doors, sizeof door, &door));
    }
    return OCT_OK;
}

static oct_result add_buttons(draft *d)
{
    const possible_button *const all = d->p->buttons.items;
    for (size_t i = 0; i < d->p->buttons.count; i++) {
        const oct_proof_button button = {all[i].button, all[i].first, all[i].count};
        OCT_TRY(push(d, &d->buttons, sizeof button, &button));
    }
    return OCT_OK;
}

// ---- the whole ----

static oct_proof_target target_of(const possible_question *q)
{
    oct_proof_target target = {.is_known = q->is_known,
                               .box = q->is_known ? q->target : (oct_bounds){.min = {0, 0, 0}},
                               .within = q->is_known ? q->within : (oct_bounds){.min = {0, 0, 0}},
                               .reach = q->reach,
                               .presses = q->presses};
    memcpy(target.turn, q->turn, sizeof target.turn);
    return target;
}

// What there is so far, with the lists of the draft.
static oct_proof describe(const draft *d, oct_proof_kind kind)
{
    const possible *const p = d->p;
    const oct_point origin = oct_tree_origin(p->space->shut);
    const double size = oct_tree_cell_size(p->space->shut);
    const bool has_states = kind == OCT_PROOF_STATES;
    return (oct_proof){
        .kind = kind,
        .assumes = p->out->assumes,
        .target = target_of(p->q),
        .origin = {origin.x + d->root.x * size, origin.y + d->root.y * size,
                   origin.z + d->root.z * size},
        .cell_size = size,
        .radius = p->space->radius,
        .is_on_foot = p->space->is_on_foot,
        .leaves = d->leaves.items,
        .leaf_count = d->leaves.count,
        .parts = d->parts.items,
        .part_count = d->parts.count,
        .doors = d->doors.items,
        .door_count = d->doors.count,
        .buttons = d->buttons.items,
        .button_count = d->buttons.count,
        .contacts = p->contacts.items,
        .contact_count = p->contacts.count,
        .effects = p->effects,
        .states = has_states ? p->states.items : NULL,
        .state_count = has_states ? p->states.count : 0,
        .is_linear = has_states && p->is_linear,
    };
}

static oct_result add_all(draft *d)
{
    OCT_TRY(add_parts(d));
    OCT_TRY(add_doors(d));
    return add_buttons(d);
}

static void free_draft(draft *d)
{
    const oct_allocator *const a = &d->p->allocator;
    oct_array_free(&d->leaves, a, sizeof(oct_proof_leaf));
    oct_array_free(&d->parts, a, sizeof(oct_proof_part));
    oct_array_free(&d->doors, a, sizeof(oct_proof_door));
    oct_array_free(&d->buttons, a, sizeof(oct_proof_button));
}

oct_result oct_possible_prove(possible *p, oct_proof_kind kind, oct_proof **out)
{
    draft d = {.p = p, .result = OCT_OK};
    p->is_linear = p->is_linear && kind == OCT_PROOF_STATES;
    oct_result result = add_leaves(&d);
    result = result == OCT_OK ? add_all(&d) : result;
    if (result == OCT_OK) {
        const oct_proof proof = describe(&d, kind);
        result = oct_proof_copy(&proof, &p->allocator, out);
    }
    free_draft(&d);
    return result;
}

oct_result oct_possible_show(possible *p)
{
    draft d = {.p = p, .result = OCT_OK};
    oct_result result = add_all(&d);
    if (result == OCT_OK) {
        const oct_proof model = describe(&d, OCT_PROOF_NONE);
        result = p->see(p->see_ctx, &model, p->space);
    }
    free_draft(&d);
    return result;
}
