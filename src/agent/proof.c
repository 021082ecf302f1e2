// SPDX-License-Identifier: MIT
#include "agent/proof.h"
#include "base/base_internal.h"
#include "geom/geom_internal.h"

typedef struct own_proof {
    oct_proof proof; // the first member: who has the one has the other
    oct_allocator allocator;
} own_proof;

// Puts a copy of an array in its place; false, and NULL, where memory is short.
static bool copy(const oct_allocator *allocator, size_t size, void *array)
{
    const void *from;
    memcpy(&from, array, sizeof from);
    void *const own = size > 0 ? oct_alloc(allocator, size, _Alignof(max_align_t)) : NULL;
    if (own) {
        memcpy(own, from, size);
    }
    memcpy(array, &own, sizeof own);
    return own || size == 0;
}

oct_result oct_proof_copy(const oct_proof *from, const oct_allocator *may_be_null, oct_proof **out)
{
    const oct_allocator a = oct_allocator_or_default(may_be_null);
    own_proof *const own = oct_alloc(&a, sizeof *own, _Alignof(own_proof));
    *out = NULL;
    if (!own) {
        return OCT_ERROR_MEMORY;
    }
    *own = (own_proof){*from, a};
    oct_proof *const p = &own->proof;
    // Each is copied, or NULL, before anything is given up: what is freed is the own.
    bool is_whole = copy(&a, p->leaf_count * sizeof *p->leaves, &p->leaves);
    is_whole = copy(&a, p->part_count * sizeof *p->parts, &p->parts) & is_whole;
    is_whole = copy(&a, p->door_count * sizeof *p->doors, &p->doors) & is_whole;
    is_whole = copy(&a, p->button_count * sizeof *p->buttons, &p->buttons) & is_whole;
    is_whole = copy(&a, p->contact_count * sizeof *p->contacts, &p->contacts) & is_whole;
    is_whole = copy(&a, p->button_count * p->door_count, &p->effects) & is_whole;
    is_whole = copy(&a, p->state_count * sizeof *p->states, &p->states) & is_whole;
    if (!is_whole) {
        oct_proof_destroy(p);
        return OCT_ERROR_MEMORY;
    }
    *out = p;
    return OCT_OK;
}

void oct_proof_destroy(oct_proof *p)
{
    if (!p) {
        return;
    }
    own_proof *const own = (own_proof *)p;
    const oct_allocator a = own->allocator;
    oct_free_const(&a, p->leaves, p->leaf_count * sizeof *p->leaves);
    oct_free_const(&a, p->parts, p->part_count * sizeof *p->parts);
    oct_free_const(&a, p->doors, p->door_count * sizeof *p->doors);
    oct_free_const(&a, p->buttons, p->button_count * sizeof *p->buttons);
    oct_free_const(&a, p->contacts, p->contact_count * sizeof *p->contacts);
    oct_free_const(&a, p->effects, p->button_count * p->door_count);
    oct_free_const(&a, p->states, p->state_count * sizeof *p->states);
    oct_free(&a, own, sizeof *own);
}

static bool has_same_links(const oct_proof *a, const oct_proof *b)
{
    bool is = a->door_count == b->door_count && a->button_count == b->button_count;
    for (size_t i = 0; is && i < a->door_count; i++) {
        is = a->doors[i].id == b->doors[i].id;
    }
    for (size_t i = 0; is && i < a->button_count; i++) {
        const oct_button x = a->buttons[i].button, y = b->buttons[i].button;
        is = x.panel == y.panel && x.number == y.number;
    }
    return is;
}

bool oct_proof_is_about(const oct_proof *proof, const oct_proof *other)
{
    const oct_proof_target *const a = &proof->target, *const b = &other->target;
    const bool is_witness = proof->kind == OCT_PROOF_WITNESS;
    if (is_witness || other->kind == OCT_PROOF_WITNESS) {
        return is_witness && other->kind == OCT_PROOF_WITNESS && has_same_links(proof, other);
    }
    return a->is_known == b->is_known && a->presses == b->presses && a->reach == b->reach &&
           (!a->is_known ||
            (is_same_bounds(&a->box, &b->box) && is_same_bounds(&a->within, &b->within)));
}
