// SPDX-License-Identifier: MIT
// The links of a walking space in its navigation graph. A link begins and ends somewhere along a
// border: there the graph has a vertex of its own, joined to the centre and all corners of its
// face, which is convex. An end at a corner is that corner.
#include "surface/graph.h"

#include <math.h>
#include <stdlib.h>

typedef struct ordered_link {
    uint32_t from, to, link;
} ordered_link;

// The corner of a face at a place; OCT_SURFACE_NONE = none.
static uint32_t corner_at(const oct_surface *s, uint32_t face, const ground_point *at)
{
    const surface_face *const f = &s->faces[face];
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const e = &s->edges[h];
        if (fabs(e->x - at->x) <= s->join_distance && fabs(e->y - at->y) <= s->join_distance) {
            return e->joint;
        }
    }
    return OCT_SURFACE_NONE;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    const link_end *const p = a, *const q = b;
    int order = (p->face > q->face) - (p->face < q->face);
    order = order != 0 ? order : compare(p->at.x, q->at.x);
    order = order != 0 ? order : compare(p->at.y, q->at.y);
    order = order != 0 ? order : compare(p->at.z, q->at.z);
    return order != 0 ? order : (p->slot > q->slot) - (p->slot < q->slot);
}

static bool is_same_place(const link_end *a, const link_end *b)
{
    return a->face == b->face && a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z;
}

static int by_vertices(const void *a, const void *b)
{
    const ordered_link *const p = a, *const q = b;
    int order = (p->from > q->from) - (p->from < q->from);
    order = order != 0 ? order : (p->to > q->to) - (p->to < q->to);
    return order != 0 ? order : (p->link > q->link) - (p->link < q->link);
}

// Numbers the ends that are no corners, and keeps each of these once.
static void number_ends(graph_links *l, const oct_surface *s, uint32_t first)
{
    link_end *const ends = l->ends.items;
    const size_t count = l->ends.count;
    if (count > 1) {
        qsort(ends, count, sizeof *ends, by_place);
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || !is_same_place(&ends[i], &ends[kept - 1])) {
            ends[kept++] = ends[i];
            l->end_edges += 1u + s->faces[ends[i].face].count;
        }
        l->vertices[ends[i].slot] = first + (uint32_t)kept - 1;
    }
    l->ends.count = kept;
}

static oct_result find_ends(graph_links *l, uint32_t first, const oct_allocator *memory)
{
    const oct_surface *const s = l->space->surface;
    const oct_walking_link *const links = l->space->links.items;
    for (size_t i = 0; i < 2 * l->space->links.count; i++) {
        const oct_walking_link *const link = &links[i / 2];
        const link_end end = {.at = surface_in(s, i % 2 == 0 ? link->from : link->to),
                              .face = i % 2 == 0 ? link->from_face : link->to_face,
                              .slot = (uint32_t)i};
        l->vertices[i] = corner_at(s, end.face, &end.at);
        if (l->vertices[i] == OCT_SURFACE_NONE) {
            OCT_TRY(oct_array_push(&l->ends, memory, sizeof end, &end));
        }
    }
    number_ends(l, s, first);
    return OCT_OK;
}

static oct_result order_links(graph_links *l, const oct_allocator *memory)
{
    const uint32_t count = (uint32_t)l->space->links.count;
    ordered_link *const all = oct_alloc(memory, count * sizeof *all, _Alignof(ordered_link));
    if (!all) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        all[i] = (ordered_link){l->vertices[2 * i], l->vertices[2 * i + 1], i};
    }
    qsort(all, count, sizeof *all, by_vertices);
    for (uint32_t i = 0; i < count; i++) {
        l->order[i] = all[i].link;
    }
    oct_free(memory, all, count * sizeof *all);
    return OCT_OK;
}

oct_result oct_graph_links_make(graph_links *links, const oct_walking_space *space, uint32_t first,
                                const oct_allocator *memory)
{
    const size_t count = space->links.count;
    *links = (graph_links){.space = space};
    if (count == 0) {
        return OCT_OK;
    }
    links->vertices = oct_alloc(memory, 2 * count * sizeof(uint32_t), _Alignof(uint32_t));
    links->order = oct_alloc(memory, count * sizeof(uint32_t), _Alignof(uint32_t));
    if (!links->vertices || !links->order) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(find_ends(links, first, memory));
    return order_links(links, memory);
}

void oct_graph_links_free(graph_links *links, const oct_allocator *memory)
{
    if (!links->space) {
        return;
    }
    const size_t count = links->space->links.count;
    oct_free(memory, links->vertices, 2 * count * sizeof(uint32_t));
    oct_free(memory, links->order, count * sizeof(uint32_t));
    oct_array_free(&links->ends, memory, sizeof(link_end));
}

// ---- vertices and edges ----

static void add_end(oct_surface_graph *g, uint32_t vertex, const link_end *end)
{
    const oct_surface *const s = g->surface;
    const surface_face *const f = &s->faces[end->face];
    g->vertices[vertex] = (graph_vertex){.at = end->at, .face = end->face, .edge = NO_EDGE};
    oct_graph_add_edge(g, (edge_state){.a = vertex, .b = s->joint_count + end->face});
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        oct_graph_add_edge(g, (edge_state){.a = vertex, .b = s->edges[h].joint});
    }
}

void oct_graph_links_add(const graph_links *l, oct_surface_graph *g)
{
    if (!l->space) {
        return;
    }
    const oct_walking_rules *const rules = &l->space->rules;
    const oct_walking_link *const links = l->space->links.items;
    const link_end *const ends = l->ends.items;
    for (size_t i = 0; i < l->ends.count; i++) {
        add_end(g, g->surface->joint_count + g->surface->info.faces + (uint32_t)i, &ends[i]);
    }
    uint32_t last_from = OCT_SURFACE_NONE, last_to = OCT_SURFACE_NONE;
    for (size_t i = 0; i < l->space->links.count; i++) {
        const oct_walking_link *const link = &links[l->order[i]];
        const uint32_t from = l->vertices[2 * l->order[i]];
        const uint32_t to = l->vertices[2 * l->order[i] + 1];
        if (from == to || (from == last_from && to == last_to)) {
            continue; // two border edges may find the same link
        }
        last_from = from;
        last_to = to;
        const double height =
            surface_in(g->surface, link->from).z - surface_in(g->surface, link->to).z;
        g->vertices[from].kinds |= OCT_SURFACE_LINK;
        g->vertices[to].kinds |= OCT_SURFACE_LINK;
        oct_graph_add_edge(
            g, (edge_state){.a = from,
                            .b = to,
                            .kind = link->kind,
                            .price = oct_walking_link_cost(rules, link) - link->length,
                            .is_final = oct_walking_kind_of(rules, link->length, height) ==
                                        OCT_WALKING_WALK});
    }
}
