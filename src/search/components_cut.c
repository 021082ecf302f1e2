// SPDX-License-Identifier: MIT
// Finds what a change has cut off.
//
// Every connected part of what was one component has a piece that touches a cell which was free and
// is not any more: else no way out of that part was lost. Those pieces are the seeds. From all
// seeds of a component floods go out in step, one neighbour each at a time. Two that meet become
// one; one that ends has gone through a whole part, which is a component of its own from then on;
// and when only one is left it need not go on, since what nobody has reached is its own. So it
// costs as much as the smaller parts, and in open space, where the seeds lie around the change,
// next to nothing.
//
// A flood relabels as it goes: the group of a piece says who has been there.
#include "octant/components.h"
#include "search/components_internal.h"

// So many of the pieces that floods have relabelled are remembered, and settled in the end.
#define CLAIMS_MOST 4096u

static oct_result add_seeds(oct_components *c, contact *k)
{
    part p;
    while (contact_next(c, k, &p)) {
        OCT_TRY(oct_array_push(&c->seeds, &c->allocator, sizeof p, &p));
    }
    return OCT_OK;
}

// Finds the pieces that touch what a note has blocked.
static oct_result seed_note(oct_components *c, const note *n)
{
    const uint64_t blocked = n->was & ~n->now;
    if (!blocked) {
        return OCT_OK;
    }
    int level;
    const uint32_t slot = oct_space_slot(c, n->at, &level);
    const uint64_t near = c->dims == 3 ? cells_near(3, blocked) : cells_near(2, blocked);
    contact k = contact_of(c, slot, level, near);
    OCT_TRY(add_seeds(c, &k));
    cursor at = {.slot = slot, .level = (uint8_t)level};
    while (oct_cursor_next(c, &at, blocked, &k)) {
        c->visited++;
        OCT_TRY(add_seeds(c, &k));
    }
    return OCT_OK;
}

// ---- floods ----

// Entries that are done with are used again: there are as many as ever waited at once.
static oct_result take_entry(oct_components *c, uint32_t *free_entry, uint32_t *out)
{
    flood_entry *waiting = c->waiting.items;
    if (*free_entry) {
        *out = *free_entry;
        *free_entry = waiting[*out].next;
        return OCT_OK;
    }
    const flood_entry none = {.next = 0};
    *out = (uint32_t)c->waiting.count;
    return oct_array_push(&c->waiting, &c->allocator, sizeof none, &none);
}

typedef struct flooding {
    oct_components *c;
    cut *cut;
    uint32_t free_entry;
} flooding;

// A flood reaches a part.
static oct_result claim(flooding *k, flood *f, part p)
{
    oct_components *c = k->c;
    uint32_t index;
    OCT_TRY(take_entry(c, &k->free_entry, &index));
    flood_entry *waiting = c->waiting.items;
    waiting[index] =
        (flood_entry){.at = {.slot = p.slot, .level = (uint8_t)p.level}, .piece = p.piece};
    if (f->head) {
        waiting[f->tail].next = index;
    } else {
        f->head = index;
    }
    f->tail = index;
    oct_part_set_group(c, p, f->group);
    return c->seeds.count < CLAIMS_MOST ? oct_array_push(&c->seeds, &c->allocator, sizeof p, &p)
                                        : OCT_OK;
}

// Two floods have met: the second goes on as the first, which is at work and so has an entry.
static void unite(flooding *k, flood *f, flood *other)
{
    oct_components *c = k->c;
    flood_entry *waiting = c->waiting.items;
    if (other->head) {
        waiting[f->tail].next = other->head;
        f->tail = other->tail;
    }
    other->done = true;
    k->cut->active--;
    f->group = oct_group_join(c, f->group, other->group);
    space_groups(c)[f->group].mark = (uint32_t)(f - (flood *)c->floods.items);
}

static oct_result meet(flooding *k, flood *f, part p)
{
    oct_components *c = k->c;
    const uint32_t root = oct_group_find(c, part_group(c, p));
    if (root == f->group) {
        return OCT_OK;
    }
    if (root == k->cut->component) {
        return claim(k, f, p);
    }
    unite(k, f, (flood *)c->floods.items + space_groups(c)[root].mark);
    return OCT_OK;
}

// Looks at one more neighbour.
static oct_result step(flooding *k, flood *f)
{
    oct_components *c = k->c;
    if (!f->head) {
        f->done = true;
        k->cut->active--;
        return OCT_OK;
    }
    c->visited++;
    flood_entry *first = (flood_entry *)c->waiting.items + f->head;
    const part here = {first->at.slot, first->piece, first->at.level};
    contact near;
    if (!oct_cursor_next(c, &first->at, part_cells(c, here), &near)) {
        const uint32_t index = f->head;
        f->head = first->next;
        first->next = k->free_entry;
        k->free_entry = index;
        return OCT_OK;
    }
    part p;
    while (contact_next(c, &near, &p)) {
        OCT_TRY(meet(k, f, p));
    }
    return OCT_OK;
}

static oct_result run(flooding *k)
{
    flood *floods = k->c->floods.items;
    while (k->cut->active > 1) {
        for (uint32_t *link = &k->cut->first; *link && k->cut->active > 1;) {
            flood *f = &floods[*link];
            if (!f->done) {
                OCT_TRY(step(k, f));
            }
            if (f->done) {
                *link = f->next;
            } else {
                link = &f->next;
            }
        }
    }
    return OCT_OK;
}

// ---- cuts ----

static oct_result start_flood(oct_components *c, flooding *k, part p)
{
    OCT_TRY(oct_groups_reserve(c, 1));
    const uint32_t index = (uint32_t)c->floods.count;
    const flood f = {.group = oct_group_new(c), .next = k->cut->first};
    OCT_TRY(oct_array_push(&c->floods, &c->allocator, sizeof f, &f));
    space_groups(c)[f.group].mark = index;
    k->cut->first = index;
    k->cut->active++;
    return claim(k, (flood *)c->floods.items + index, p);
}

// A seed begins a flood if there is another one in its component.
static oct_result start_seed(oct_components *c, flooding *k, part p)
{
    const uint32_t root = oct_group_find(c, part_group(c, p)), mark = space_groups(c)[root].mark;
    const flood *floods = c->floods.items;
    cut *cuts = c->cuts.items;
    if (mark < c->floods.count && mark > 0 && floods[mark].group == root) {
        return OCT_OK;
    }
    if (mark >= c->cuts.count || cuts[mark].component != root) {
        const cut new_cut = {.component = root, .seed = p};
        space_groups(c)[root].mark = (uint32_t)c->cuts.count;
        group_hold(c, root);
        return oct_array_push(&c->cuts, &c->allocator, sizeof new_cut, &new_cut);
    }
    k->cut = &cuts[mark];
    if (k->cut->active == 0) {
        if (k->cut->seed.slot == p.slot && k->cut->seed.piece == p.piece) {
            return OCT_OK;
        }
        OCT_TRY(start_flood(c, k, k->cut->seed));
    }
    return start_flood(c, k, p);
}

oct_result oct_components_cut(oct_components *c)
{
    const flood no_flood = {.done = true};
    const flood_entry no_entry = {.next = 0};
    const note *notes = c->notes.items;
    c->seeds.count = c->cuts.count = c->floods.count = c->waiting.count = 0;
    for (size_t i = 0; i < c->notes.count; i++) {
        OCT_TRY(seed_note(c, &notes[i]));
    }
    OCT_TRY(oct_array_push(&c->floods, &c->allocator, sizeof no_flood, &no_flood));
    OCT_TRY(oct_array_push(&c->waiting, &c->allocator, sizeof no_entry, &no_entry));
    flooding k = {.c = c};
    const size_t seed_count = c->seeds.count;
    for (size_t i = 0; i < seed_count; i++) {
        OCT_TRY(start_seed(c, &k, ((const part *)c->seeds.items)[i]));
    }
    cut *cuts = c->cuts.items;
    flood *floods = c->floods.items;
    for (size_t i = 0; i < c->cuts.count; i++) {
        k.cut = &cuts[i];
        OCT_TRY(run(&k));
        uint32_t last = cuts[i].first;
        while (last && floods[last].done) {
            last = floods[last].next;
        }
        if (last) {
            oct_group_join(c, cuts[i].component, floods[last].group);
        }
        oct_group_release(c, cuts[i].component);
    }
    for (size_t i = seed_count; i < c->seeds.count; i++) {
        part_settle(c, ((const part *)c->seeds.items)[i]);
    }
    return OCT_OK;
}
