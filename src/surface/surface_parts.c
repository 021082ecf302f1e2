// SPDX-License-Identifier: MIT
// Islands, and what lies beyond each edge.
//
// A shortest path enters no face twice: a face is convex. So where a face is the only way into a
// part of the surface (it is a cut vertex of the graph of joined faces), that part is of no use
// unless the goal is in it, and the rest of none unless the goal is there. A depth-first search
// finds these parts (Hopcroft and Tarjan 1973). Faces are numbered such that each part is a range
// of numbers: children that a face cuts off come last among its children.
#include "surface/surface_internal.h"

typedef struct visit {
    uint32_t found; // order of discovery
    uint32_t low;   // least discovery that is reached from below without the face above
    uint32_t above; // the face from which it was found, or itself
    uint32_t size;  // faces below, itself included
    uint32_t next;  // the half-edge to look at next
    uint32_t depth;
    // Numbers to give to the next child that is not cut off, and to the next one that is.
    uint32_t next_open, next_cut;
} visit;

typedef struct parting {
    oct_surface *s;
    visit *visits;
    uint32_t *order; // faces as they were found
    uint32_t *stack;
    uint32_t *child; // of each half-edge to a face below: the face's child on the way there
    uint32_t found;
} parting;

static void find_face(parting *p, uint32_t face, uint32_t above, uint32_t depth)
{
    p->order[p->found] = face;
    p->stack[depth] = face;
    p->visits[face] = (visit){.found = p->found,
                              .low = p->found,
                              .above = above,
                              .size = 1,
                              .next = p->s->faces[face].first,
                              .depth = depth};
    p->found++;
}

// Returns the child that was found, or OCT_SURFACE_NONE when the face is done.
static uint32_t step(parting *p, uint32_t face)
{
    const surface_face *const f = &p->s->faces[face];
    visit *const v = &p->visits[face];
    while (v->next < f->first + f->count) {
        const uint32_t h = v->next++;
        const uint32_t twin = p->s->edges[h].twin;
        if (twin == NO_EDGE) {
            continue;
        }
        const uint32_t to = p->s->edges[twin].face;
        const visit *const w = &p->visits[to];
        if (w->size == 0) {
            p->child[h] = to;
            return to;
        }
        if (w->found < v->found) {
            // Above: seen from there, this face is below, on the way that is being gone.
            p->child[twin] = p->stack[w->depth + 1];
            v->low = to != v->above && w->found < v->low ? w->found : v->low;
        }
    }
    return OCT_SURFACE_NONE;
}

static void search_island(parting *p, uint32_t root, uint32_t island)
{
    find_face(p, root, root, 0);
    uint32_t depth = 0;
    for (;;) {
        const uint32_t face = p->stack[depth];
        const uint32_t child = step(p, face);
        if (child != OCT_SURFACE_NONE) {
            find_face(p, child, face, ++depth);
            continue;
        }
        p->s->faces[face].island = island;
        if (depth == 0) {
            return;
        }
        visit *const above = &p->visits[p->stack[--depth]];
        above->size += p->visits[face].size;
        above->low = p->visits[face].low < above->low ? p->visits[face].low : above->low;
    }
}

// Whether a face's parent is the only way to it and what is below.
static bool is_cut(const parting *p, uint32_t face)
{
    return p->visits[face].low >= p->visits[p->visits[face].above].found;
}

static void number_faces(parting *p)
{
    surface_face *const faces = p->s->faces;
    uint32_t next = 0;
    // Sizes of what is cut off are taken from the end: the children that are not come first.
    for (uint32_t i = 0; i < p->found; i++) {
        p->visits[p->order[i]].next_cut = 0;
    }
    for (uint32_t i = p->found; i-- > 0;) {
        const uint32_t face = p->order[i];
        visit *const v = &p->visits[face];
        if (v->above != face && is_cut(p, face)) {
            p->visits[v->above].next_cut += v->size;
        }
    }
    for (uint32_t i = 0; i < p->found; i++) {
        const uint32_t face = p->order[i];
        visit *const v = &p->visits[face];
        if (v->above == face) {
            faces[face].number = next;
            next += v->size;
        } else {
            visit *const above = &p->visits[v->above];
            uint32_t *const from = is_cut(p, face) ? &above->next_cut : &above->next_open;
            faces[face].number = *from;
            *from += v->size;
        }
        const uint32_t cut = v->next_cut;
        v->next_open = faces[face].number + 1;
        v->next_cut = faces[face].number + v->size - cut;
        v->next = v->next_cut; // where what is cut off begins
    }
}

static void fill_beyond(parting *p)
{
    oct_surface *const s = p->s;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        half_edge *const e = &s->edges[h];
        if (e->twin == NO_EDGE) {
            continue;
        }
        const uint32_t to = s->edges[e->twin].face;
        const visit *const v = &p->visits[e->face], *const w = &p->visits[to];
        if (w->found > v->found && is_cut(p, p->child[h])) {
            e->beyond_first = s->faces[p->child[h]].number;
            e->beyond_span = p->visits[p->child[h]].size - 1;
            continue;
        }
        // All but what the face cuts off, as a range that goes around the end.
        const uint32_t end = s->faces[e->face].number + v->size;
        const uint32_t cut = end - v->next;
        e->beyond_first = end;
        e->beyond_span = UINT32_MAX - cut;
    }
}

static oct_result find_parts(parting *p)
{
    oct_surface *const s = p->s;
    memset(p->visits, 0, s->info.faces * sizeof *p->visits);
    for (uint32_t face = 0; face < s->info.faces; face++) {
        if (p->visits[face].size == 0) {
            search_island(p, face, s->info.islands++);
        }
    }
    number_faces(p);
    fill_beyond(p);
    return OCT_OK;
}

oct_result oct_surface_find_parts(oct_surface *s)
{
    const size_t faces = s->info.faces, corners = s->info.corners;
    if (faces == 0) {
        return OCT_OK;
    }
    const oct_allocator *const memory = &s->allocator;
    parting p = {.s = s};
    p.visits = oct_alloc(memory, faces * sizeof *p.visits, _Alignof(visit));
    p.order = oct_alloc(memory, faces * sizeof *p.order, _Alignof(uint32_t));
    p.stack = oct_alloc(memory, faces * sizeof *p.stack, _Alignof(uint32_t));
    p.child = oct_alloc(memory, corners * sizeof *p.child, _Alignof(uint32_t));
    const bool whole = p.visits && p.order && p.stack && p.child;
    const oct_result result = whole ? find_parts(&p) : OCT_ERROR_MEMORY;
    oct_free(memory, p.visits, faces * sizeof *p.visits);
    oct_free(memory, p.order, faces * sizeof *p.order);
    oct_free(memory, p.stack, faces * sizeof *p.stack);
    oct_free(memory, p.child, corners * sizeof *p.child);
    return result;
}
