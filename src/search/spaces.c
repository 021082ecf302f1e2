// SPDX-License-Identifier: MIT
// The spaces of a planner: each is made when a query first asks for it, and kept.
#include "search/planner.h"

// ---- one space ----

oct_result oct_space_create(const space_kind *kind, const oct_allocator *allocator, space **out)
{
    *out = oct_alloc(allocator, kind->size, OCT_CACHE_LINE);
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    memset(*out, 0, kind->size);
    (*out)->allocator = *allocator;
    return OCT_OK;
}

void oct_space_destroy(const space_kind *kind, space *s)
{
    if (s) {
        const oct_allocator allocator = s->allocator;
        kind->free_parts(s);
        oct_array_free(&s->edges, &allocator, sizeof(space_edge));
        oct_free(&allocator, s, kind->size);
    }
}

size_t oct_space_bytes(const space_kind *kind, const space *s)
{
    return kind->size + s->edges.capacity * sizeof(space_edge) + kind->parts_bytes(s);
}

// ---- those of a planner ----

static const space_kind *kind_of(const oct_planner *p, uint32_t index)
{
    static const space_kind *const core[SPACE_LAB] = {
        [SPACE_PORTAL] = &oct_boxes_kind,
        [SPACE_PORTAL_OPEN] = &oct_boxes_kind,
        [SPACE_USER] = &oct_user_kind,
    };
    return index < SPACE_LAB ? core[index] : p->lab->kinds[index - SPACE_LAB];
}

static oct_result create_shared(oct_planner *p)
{
    p->shared = oct_alloc(&p->allocator, p->lab->shared_size, OCT_CACHE_LINE);
    if (!p->shared) {
        return OCT_ERROR_MEMORY;
    }
    memset(p->shared, 0, p->lab->shared_size);
    return OCT_OK;
}

oct_result oct_planner_use_space(oct_planner *p, uint32_t index, space **out)
{
    const space_kind *const kind = kind_of(p, index);
    if (index >= SPACE_LAB && !p->shared) {
        OCT_TRY(create_shared(p));
    }
    if (!p->spaces[index]) {
        OCT_TRY(oct_space_create(kind, &p->allocator, &p->spaces[index]));
    }
    p->space_index = index;
    p->kind = kind;
    *out = p->spaces[index];
    return OCT_OK;
}

oct_result oct_planner_begin_space(oct_planner *p, space *s)
{
    s->sight_checks = 0;
    OCT_TRY(p->kind->begin(s));
    return oct_search_begin(&p->search, s);
}

void oct_planner_free_spaces(oct_planner *p)
{
    for (uint32_t i = 0; i < SPACES_MAX; i++) {
        if (p->spaces[i]) {
            oct_space_destroy(kind_of(p, i), p->spaces[i]);
        }
    }
    if (p->shared) {
        p->lab->free_shared(p->shared, &p->allocator);
        oct_free(&p->allocator, p->shared, p->lab->shared_size);
    }
}

size_t oct_planner_space_bytes(const oct_planner *p)
{
    size_t bytes = p->shared ? p->lab->shared_size + p->lab->shared_bytes(p->shared) : 0;
    for (uint32_t i = 0; i < SPACES_MAX; i++) {
        bytes += p->spaces[i] ? oct_space_bytes(kind_of(p, i), p->spaces[i]) : 0;
    }
    return bytes;
}
