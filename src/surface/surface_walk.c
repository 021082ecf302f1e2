// SPDX-License-Identifier: MIT
// Dijkstra and A* (Hart, Nilsson and Raphael 1968) on the navigation graph, with prices and
// preferences. The estimate is the straight distance in three dimensions: reluctance and prices
// only raise what an edge costs above its length, so it never exceeds the cost.
#include "surface/graph.h"

#include <math.h>

#define COOKIE 0x5fa9a7a1u
#define RELUCTANCE 4.0
#define NO_LABEL UINT32_MAX

oct_surface_walk oct_surface_walk_default(void)
{
    return (oct_surface_walk){.reluctance = RELUCTANCE, .cookie = COOKIE};
}

oct_result oct_surface_walker_create(const oct_surface_graph *graph, const oct_allocator *allocator,
                                     oct_surface_walker **out)
{
    *out = NULL;
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_surface_walker *const s = oct_alloc(&memory, sizeof *s, _Alignof(oct_surface_walker));
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (oct_surface_walker){.graph = graph, .allocator = memory};
    const size_t size = 2 * (size_t)graph->vertex_count * sizeof *s->labels;
    if (size > 0) {
        s->labels = oct_alloc(&memory, size, _Alignof(walk_label));
        if (!s->labels) {
            oct_free(&memory, s, sizeof *s);
            return OCT_ERROR_MEMORY;
        }
        memset(s->labels, 0, size);
    }
    *out = s;
    return OCT_OK;
}

void oct_surface_walker_destroy(oct_surface_walker *s)
{
    if (!s) {
        return;
    }
    const oct_allocator memory = s->allocator;
    oct_free(&memory, s->labels, 2 * (size_t)s->graph->vertex_count * sizeof *s->labels);
    oct_array_free(&s->heap.entries, &memory, sizeof(oct_heap_entry));
    oct_array_free(&s->vertices, &memory, sizeof(uint32_t));
    oct_array_free(&s->points, &memory, sizeof(oct_point));
    oct_free(&memory, s, sizeof *s);
}

// ---- costs ----

static double straight(const oct_surface_graph *g, uint32_t a, uint32_t b)
{
    const ground_point *const p = &g->vertices[a].at, *const q = &g->vertices[b].at;
    const double x = q->x - p->x, y = q->y - p->y, z = q->z - p->z;
    return sqrt(x * x + y * y + z * z);
}

static double price_of_leg(const graph_shape *shape, const ground_point *a, const ground_point *b,
                           bool *was_inside)
{
    bool begins;
    const double share = oct_surface_shape_share(shape, a, b, &begins);
    const double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    double price = shape->metre_price * share * sqrt(x * x + y * y + z * z);
    price += share > 0.0 && !begins && !*was_inside ? shape->entry_price : 0.0;
    *was_inside = oct_surface_shape_holds(shape, b);
    return price;
}

// What priced shapes add to an edge that is gone from one vertex.
static double price_of_edge(const oct_surface_graph *g, uint32_t from, const oct_surface_edge *edge)
{
    const graph_shape *const shapes = g->shapes.items;
    const edge_state *const e = &g->states[edge->id];
    double price = 0.0;
    for (size_t i = 0; e->touches > 0 && i < g->shapes.count; i++) {
        if (shapes[i].count == 0 || shapes[i].effect != OCT_SURFACE_PRICED) {
            continue;
        }
        const ground_point *const a = &g->vertices[from].at, *const b = &g->vertices[edge->to].at;
        bool was_inside = oct_surface_shape_holds(&shapes[i], a);
        if (e->is_bent) {
            price += price_of_leg(&shapes[i], a, &e->bend, &was_inside);
            price += price_of_leg(&shapes[i], &e->bend, b, &was_inside);
        } else {
            price += price_of_leg(&shapes[i], a, b, &was_inside);
        }
    }
    return price;
}

static bool is_preferred(const oct_surface_graph *g, const oct_surface_walk *w, uint32_t vertex)
{
    if (w->preferred_set) {
        return w->preferred_set[vertex];
    }
    return w->preferred == 0 || (g->vertices[vertex].kinds & w->preferred) != 0;
}

// What an edge costs; negative where it cannot be gone.
static double cost_of(const oct_surface_graph *g, const oct_surface_walk *w, uint32_t from,
                      const oct_surface_edge *edge)
{
    if (!w->ignores_obstacles && !edge_is_clear(g, edge->id)) {
        return -1.0;
    }
    if (w->way == OCT_SURFACE_CENTRES &&
        (edge->kind != OCT_WALKING_WALK ||
         (edge->to != w->to && !(g->vertices[edge->to].kinds & OCT_SURFACE_CENTRE)))) {
        return -1.0;
    }
    const double factor = is_preferred(g, w, edge->to) ? 1.0 : w->reluctance;
    return edge->length * factor + edge->price +
           (w->ignores_obstacles ? 0.0 : price_of_edge(g, from, edge));
}

// ---- search ----

static void new_stamp(oct_surface_walker *s)
{
    s->heap.entries.count = 0;
    if (++s->stamp == 0) {
        memset(s->labels, 0, 2 * (size_t)s->graph->vertex_count * sizeof *s->labels);
        s->stamp = 1;
    }
}

static oct_result reach(oct_surface_walker *s, uint32_t label, double g, double h, uint32_t parent,
                        uint32_t edge)
{
    walk_label *const l = &s->labels[label];
    if (l->stamp == s->stamp && l->g <= g) {
        return OCT_OK;
    }
    *l = (walk_label){.g = g, .parent = parent, .edge = edge, .stamp = s->stamp};
    return oct_heap_push(&s->heap, &s->allocator, (oct_heap_entry){g + h, g, label, label});
}

// The next label that is done now; false where there is none.
static bool take(oct_surface_walker *s, uint32_t *label)
{
    while (s->heap.entries.count > 0) {
        const oct_heap_entry entry = oct_heap_pop(&s->heap);
        walk_label *const l = &s->labels[entry.id];
        if (!l->is_done && entry.g == l->g) {
            l->is_done = true;
            *label = entry.id;
            return true;
        }
    }
    return false;
}

// Labels from vertex_count on are of those who have been inside the shape that is asked for.
static uint32_t label_of(const oct_surface_walker *s, const graph_shape *through, uint32_t vertex,
                         bool was_inside)
{
    const oct_surface_graph *const g = s->graph;
    const bool is_inside =
        through && (was_inside || oct_surface_shape_holds(through, &g->vertices[vertex].at));
    return vertex + (is_inside ? g->vertex_count : 0);
}

static oct_result find(oct_surface_walker *s, const oct_surface_walk *w, const graph_shape *through,
                       uint32_t *last, uint64_t *expanded)
{
    const oct_surface_graph *const g = s->graph;
    const uint32_t n = g->vertex_count;
    new_stamp(s);
    *last = NO_LABEL;
    const double whole = w->is_dijkstra ? 0.0 : straight(g, w->from, w->to);
    OCT_TRY(reach(s, label_of(s, through, w->from, false), 0.0, whole, NO_LABEL, 0));
    uint32_t label;
    while (take(s, &label)) {
        const uint32_t vertex = label % n;
        ++*expanded;
        if (vertex == w->to && (!through || label >= n)) {
            *last = label;
            return OCT_OK;
        }
        const graph_vertex *const v = &g->vertices[vertex];
        for (uint32_t i = v->first; i < v->first + v->count; i++) {
            const oct_surface_edge *const edge = &g->edges[i];
            const double cost = cost_of(g, w, vertex, edge);
            if (cost < 0.0) {
                continue;
            }
            const double h = w->is_dijkstra ? 0.0 : straight(g, edge->to, w->to);
            OCT_TRY(reach(s, label_of(s, through, edge->to, label >= n), s->labels[label].g + cost,
                          h, label, i));
        }
    }
    return OCT_OK;
}

// ---- routes ----

static oct_result push_vertex(oct_surface_walker *s, uint32_t vertex)
{
    const oct_point at = surface_out(s->graph->surface, s->graph->vertices[vertex].at);
    OCT_TRY(oct_array_push(&s->vertices, &s->allocator, sizeof vertex, &vertex));
    return oct_array_push(&s->points, &s->allocator, sizeof at, &at);
}

static void finish_route(const oct_surface_walker *s, oct_surface_route *out)
{
    out->is_found = true;
    out->vertices = s->vertices.items;
    out->count = (uint32_t)s->vertices.count;
    out->points = s->points.items;
    out->point_count = (uint32_t)s->points.count;
}

static void turn_round(oct_array *array, size_t size)
{
    char *const items = array->items;
    char keep[sizeof(oct_point)];
    for (size_t i = 0, j = array->count; i + 1 < j; i++) {
        j--;
        memcpy(keep, items + i * size, size);
        memcpy(items + i * size, items + j * size, size);
        memcpy(items + j * size, keep, size);
    }
}

oct_result oct_surface_walker_route(oct_surface_walker *s, uint32_t label, oct_surface_route *out)
{
    const uint32_t n = s->graph->vertex_count;
    s->vertices.count = 0;
    s->points.count = 0;
    out->cost = s->labels[label].g;
    out->length = 0.0;
    while (label != NO_LABEL) {
        const walk_label *const l = &s->labels[label];
        OCT_TRY(push_vertex(s, label % n));
        if (l->parent != NO_LABEL) {
            const oct_surface_edge *const edge = &s->graph->edges[l->edge];
            out->length += edge->length;
            if (edge->is_bent) {
                OCT_TRY(oct_array_push(&s->points, &s->allocator, sizeof edge->bend, &edge->bend));
            }
        }
        label = l->parent;
    }
    turn_round(&s->vertices, sizeof(uint32_t));
    turn_round(&s->points, sizeof(oct_point));
    finish_route(s, out);
    return OCT_OK;
}

static bool is_good(const oct_surface_graph *g, const oct_surface_walk *w)
{
    const graph_shape *const shapes = g->shapes.items;
    return w->cookie == COOKIE && w->from < g->vertex_count && w->to < g->vertex_count &&
           w->reluctance >= 1.0 && isfinite(w->reluctance) && w->way <= OCT_SURFACE_THROUGH &&
           (w->way != OCT_SURFACE_THROUGH ||
            (w->through < g->shapes.count && shapes[w->through].count > 0));
}

oct_result oct_surface_walker_plan(oct_surface_walker *walker, const oct_surface_walk *walk,
                                   oct_surface_route *out)
{
    const oct_surface_graph *const g = walker->graph;
    *out = (oct_surface_route){.is_found = false};
    if (!is_good(g, walk)) {
        return OCT_ERROR_ARGUMENT;
    }
    const graph_shape *const through = walk->way == OCT_SURFACE_THROUGH
                                           ? (const graph_shape *)g->shapes.items + walk->through
                                           : NULL;
    uint32_t last;
    OCT_TRY(find(walker, walk, through, &last, &out->expanded));
    return last == NO_LABEL ? OCT_OK : oct_surface_walker_route(walker, last, out);
}

oct_result oct_surface_walker_flood(oct_surface_walker *s, uint32_t from, const bool *open,
                                    bool with_final)
{
    const oct_surface_graph *const g = s->graph;
    new_stamp(s);
    OCT_TRY(reach(s, from, 0.0, 0.0, NO_LABEL, 0));
    uint32_t label;
    while (take(s, &label)) {
        const graph_vertex *const v = &g->vertices[label];
        for (uint32_t i = v->first; open[label] && i < v->first + v->count; i++) {
            const oct_surface_edge *const edge = &g->edges[i];
            if (edge_is_clear(g, edge->id) && (with_final || !edge->is_final)) {
                const double cost = edge->length + edge->price + price_of_edge(g, label, edge);
                OCT_TRY(reach(s, edge->to, s->labels[label].g + cost, 0.0, label, i));
            }
        }
    }
    return OCT_OK;
}

// ---- borders ----

// The border edge after, or before, the one that starts at a corner.
static uint32_t step_border(const oct_surface *s, uint32_t edge, bool forward)
{
    if (forward) {
        return oct_surface_next_border(s, edge);
    }
    uint32_t at = s->edges[edge].prev;
    while (s->edges[at].twin != NO_EDGE) {
        at = s->edges[s->edges[at].twin].prev;
    }
    return at;
}

oct_result oct_surface_walker_border(oct_surface_walker *walker, uint32_t from, bool clockwise,
                                     oct_surface_route *out)
{
    const oct_surface_graph *const g = walker->graph;
    const oct_surface *const s = g->surface;
    *out = (oct_surface_route){.is_found = false};
    if (from >= g->vertex_count || !(g->vertices[from].kinds & OCT_SURFACE_BORDER)) {
        return OCT_ERROR_ARGUMENT;
    }
    walker->vertices.count = 0;
    walker->points.count = 0;
    // Edges have the surface to their left: around a hole they go clockwise.
    const bool forward = clockwise == ((g->vertices[from].kinds & OCT_SURFACE_HOLE) != 0);
    const uint32_t first = g->vertices[from].edge;
    uint32_t at = first;
    do {
        OCT_TRY(push_vertex(walker, s->edges[at].joint));
        const uint32_t next = step_border(s, at, forward);
        out->length += straight(g, s->edges[at].joint, s->edges[next].joint);
        at = next;
    } while (at != first);
    OCT_TRY(push_vertex(walker, from));
    out->cost = out->length;
    finish_route(walker, out);
    return OCT_OK;
}
