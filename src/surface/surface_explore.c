// SPDX-License-Identifier: MIT
// Exploring a surface by its frontier.
#include "surface/surface_explorer.h"

#include <math.h>

#define COOKIE 0x5fae8b1eu
#define NOT_VISITED UINT32_MAX

oct_surface_explorer_def oct_surface_explorer_def_default(void)
{
    return (oct_surface_explorer_def){.cookie = COOKIE};
}

// One edge of every border.
static oct_result list_borders(oct_surface_explorer *e)
{
    const oct_surface *const s = e->def.graph->surface;
    const size_t size = s->info.corners + 1u;
    bool *const known = oct_alloc(&e->allocator, size, 1);
    if (!known) {
        return OCT_ERROR_MEMORY;
    }
    memset(known, 0, size);
    oct_result result = OCT_OK;
    for (uint32_t h = 0; h < s->info.corners && result == OCT_OK; h++) {
        if (s->edges[h].twin != NO_EDGE || known[h]) {
            continue;
        }
        result = oct_array_push(&e->borders, &e->allocator, sizeof h, &h);
        for (uint32_t at = h; !known[at]; at = oct_surface_next_border(s, at)) {
            known[at] = true;
        }
    }
    oct_free(&e->allocator, known, size);
    return result;
}

static oct_result fill(oct_surface_explorer *e)
{
    const oct_surface_graph *const g = e->def.graph;
    const oct_allocator *const memory = &e->allocator;
    const size_t vertices = g->vertex_count + 1u, edges = g->edge_count + 1u;
    OCT_TRY(oct_surface_walker_create(g, memory, &e->walker));
    OCT_TRY(oct_surface_planner_create(g->surface, memory, &e->planner));
    e->seen = oct_alloc(memory, vertices, 1);
    e->visited = oct_alloc(memory, vertices, 1);
    e->walked = oct_alloc(memory, edges, 1);
    e->recent = oct_alloc(memory, vertices * sizeof *e->recent, _Alignof(uint32_t));
    if (!e->seen || !e->visited || !e->walked || !e->recent) {
        return OCT_ERROR_MEMORY;
    }
    memset(e->seen, 0, vertices);
    memset(e->visited, 0, vertices);
    memset(e->walked, 0, edges);
    memset(e->recent, 0xff, vertices * sizeof *e->recent);
    return list_borders(e);
}

oct_result oct_surface_explorer_create(const oct_surface_explorer_def *def,
                                       oct_surface_explorer **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || !def->graph || def->strategy > OCT_SURFACE_CALLER ||
        (def->strategy == OCT_SURFACE_CALLER && !def->choose)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator memory = oct_allocator_or_default(def->allocator);
    oct_surface_explorer *const e = oct_alloc(&memory, sizeof *e, _Alignof(oct_surface_explorer));
    if (!e) {
        return OCT_ERROR_MEMORY;
    }
    *e = (oct_surface_explorer){
        .def = *def, .allocator = memory, .random = oct_random_seed(def->seed)};
    const oct_result result = fill(e);
    if (result != OCT_OK) {
        oct_surface_explorer_destroy(e);
        return result;
    }
    *out = e;
    return OCT_OK;
}

void oct_surface_explorer_destroy(oct_surface_explorer *e)
{
    if (!e) {
        return;
    }
    const oct_allocator memory = e->allocator;
    const size_t vertices = e->def.graph->vertex_count + 1u;
    oct_surface_walker_destroy(e->walker);
    oct_surface_walker_destroy(e->gauge);
    oct_surface_planner_destroy(e->planner);
    oct_free(&memory, e->seen, vertices);
    oct_free(&memory, e->visited, vertices);
    oct_free(&memory, e->walked, e->def.graph->edge_count + 1u);
    oct_free(&memory, e->recent, vertices * sizeof *e->recent);
    oct_array_free(&e->borders, &memory, sizeof(uint32_t));
    oct_array_free(&e->passed, &memory, 1);
    oct_array_free(&e->trail, &memory, sizeof(uint32_t));
    oct_array_free(&e->frontier, &memory, sizeof(uint32_t));
    oct_array_free(&e->costs, &memory, sizeof(double));
    oct_free(&memory, e, sizeof *e);
}

// ---- what is seen ----

oct_result oct_surface_explorer_see(oct_surface_explorer *e, uint32_t vertex)
{
    if (vertex >= e->def.graph->vertex_count) {
        return OCT_ERROR_ARGUMENT;
    }
    e->seen[vertex] = true;
    return OCT_OK;
}

bool oct_surface_explorer_has_seen(const oct_surface_explorer *e, uint32_t vertex)
{
    return vertex < e->def.graph->vertex_count && e->seen[vertex];
}

// Whether a straight line over the surface leads from a vertex to another.
static bool sees(oct_surface_explorer *e, uint32_t from, uint32_t to)
{
    const oct_surface_graph *const g = e->def.graph;
    const graph_vertex *const a = &g->vertices[from], *const b = &g->vertices[to];
    if (oct_surface_graph_blocks(g, &a->at, &b->at)) {
        return false;
    }
    const oct_point line[2] = {surface_out(g->surface, a->at), surface_out(g->surface, b->at)};
    const oct_point *points;
    uint32_t count;
    if (oct_surface_drape(e->planner, line, 2, a->face, &points, &count, NULL) != OCT_OK) {
        return false;
    }
    // The faces in which the line ends: is the vertex of one of them?
    const uint32_t *const ends = e->planner->queue.items;
    for (size_t i = 0; i < e->planner->queue.count; i++) {
        const surface_face *const f = &g->surface->faces[ends[i]];
        if (to == g->surface->joint_count + ends[i] ||
            (to >= g->surface->joint_count + g->surface->info.faces && b->face == ends[i])) {
            return true;
        }
        for (uint32_t h = f->first; h < f->first + f->count; h++) {
            if (g->surface->edges[h].joint == to) {
                return true;
            }
        }
    }
    return false;
}

oct_result oct_surface_explorer_look(oct_surface_explorer *e, uint32_t from, double view_distance)
{
    const oct_surface_graph *const g = e->def.graph;
    if (from >= g->vertex_count || !(view_distance >= 0.0)) {
        return OCT_ERROR_ARGUMENT;
    }
    e->seen[from] = true;
    const ground_point *const a = &g->vertices[from].at;
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        const ground_point *const b = &g->vertices[v].at;
        const double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
        if (!e->seen[v] && x * x + y * y + z * z < view_distance * view_distance) {
            e->seen[v] = sees(e, from, v);
        }
    }
    return OCT_OK;
}

// ---- where to go ----

static bool is_reached(const oct_surface_explorer *e, uint32_t vertex)
{
    return e->walker->labels[vertex].stamp == e->walker->stamp;
}

static oct_result list_frontier(oct_surface_explorer *e)
{
    e->frontier.count = 0;
    e->costs.count = 0;
    for (uint32_t v = 0; v < e->def.graph->vertex_count; v++) {
        if (!e->seen[v] && is_reached(e, v)) {
            const double cost = e->walker->labels[v].g;
            OCT_TRY(oct_array_push(&e->frontier, &e->allocator, sizeof v, &v));
            OCT_TRY(oct_array_push(&e->costs, &e->allocator, sizeof cost, &cost));
        }
    }
    return OCT_OK;
}

static uint32_t nearest_of_frontier(const oct_surface_explorer *e)
{
    const double *const costs = e->costs.items;
    uint32_t best = 0;
    for (uint32_t i = 1; i < e->frontier.count; i++) {
        best = costs[i] < costs[best] ? i : best;
    }
    return ((const uint32_t *)e->frontier.items)[best];
}

// Of the frontier next to a vertex the one with the shortest edge; OCT_SURFACE_NONE = none.
static uint32_t frontier_beside(const oct_surface_explorer *e, uint32_t vertex)
{
    const oct_surface_graph *const g = e->def.graph;
    const graph_vertex *const v = &g->vertices[vertex];
    uint32_t best = OCT_SURFACE_NONE;
    double least = HUGE_VAL;
    for (uint32_t i = v->first; i < v->first + v->count; i++) {
        const oct_surface_edge *const edge = &g->edges[i];
        if (!e->seen[edge->to] && edge_is_clear(g, edge->id) && edge->length < least &&
            (e->with_final || !edge->is_final)) {
            least = edge->length;
            best = edge->to;
        }
    }
    return best;
}

// Goes back along the trail, as far as it can still be reached, to where there is something new.
static uint32_t choose_depth_first(oct_surface_explorer *e)
{
    const uint32_t *const trail = e->trail.items;
    while (e->trail.count > 0) {
        const uint32_t vertex = trail[e->trail.count - 1];
        const uint32_t found =
            is_reached(e, vertex) ? frontier_beside(e, vertex) : OCT_SURFACE_NONE;
        if (found != OCT_SURFACE_NONE) {
            return found;
        }
        e->trail.count--;
    }
    return nearest_of_frontier(e);
}

static uint32_t choose_directed(const oct_surface_explorer *e)
{
    uint32_t best = OCT_SURFACE_NONE, latest = 0;
    for (uint32_t v = 0; v < e->def.graph->vertex_count; v++) {
        if (e->recent[v] == NOT_VISITED || !is_reached(e, v) ||
            (best != OCT_SURFACE_NONE && e->recent[v] <= latest)) {
            continue;
        }
        const uint32_t found = frontier_beside(e, v);
        if (found != OCT_SURFACE_NONE) {
            best = found;
            latest = e->recent[v];
        }
    }
    return best == OCT_SURFACE_NONE ? nearest_of_frontier(e) : best;
}

static oct_result choose(oct_surface_explorer *e, uint32_t *out)
{
    const uint32_t *const frontier = e->frontier.items;
    const uint32_t count = (uint32_t)e->frontier.count;
    uint32_t index;
    switch (e->def.strategy) {
    case OCT_SURFACE_RANDOM:
        *out = frontier[oct_random_below(&e->random, count)];
        return OCT_OK;
    case OCT_SURFACE_DEPTH_FIRST:
        *out = choose_depth_first(e);
        return OCT_OK;
    case OCT_SURFACE_DIRECTED:
        *out = choose_directed(e);
        return OCT_OK;
    case OCT_SURFACE_CALLER:
        index = e->def.choose(e->def.ctx, frontier, e->costs.items, count);
        if (index >= count) {
            return OCT_ERROR_ARGUMENT;
        }
        *out = frontier[index];
        return OCT_OK;
    case OCT_SURFACE_NEAREST:
        break;
    }
    *out = nearest_of_frontier(e);
    return OCT_OK;
}

oct_result oct_surface_explorer_visit(oct_surface_explorer *e, uint32_t vertex)
{
    const uint32_t *const trail = e->trail.items;
    e->seen[vertex] = true;
    e->visited[vertex] = true;
    e->recent[vertex] = e->now++;
    if (e->trail.count > 0 && trail[e->trail.count - 1] == vertex) {
        return OCT_OK;
    }
    return oct_array_push(&e->trail, &e->allocator, sizeof vertex, &vertex);
}

oct_result oct_surface_explorer_next(oct_surface_explorer *e, uint32_t at, oct_surface_route *route)
{
    *route = (oct_surface_route){.is_found = false};
    if (at >= e->def.graph->vertex_count) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_surface_explorer_visit(e, at));
    e->frontier.count = 0;
    for (int i = 0; i < 2 && e->frontier.count == 0; i++) {
        e->with_final = i == 1;
        OCT_TRY(oct_surface_walker_flood(e->walker, at, e->seen, e->with_final));
        OCT_TRY(list_frontier(e));
    }
    if (e->frontier.count == 0) {
        return OCT_OK;
    }
    uint32_t target;
    OCT_TRY(choose(e, &target));
    return oct_surface_walker_route(e->walker, target, route);
}

uint32_t oct_surface_explorer_frontier(const oct_surface_explorer *e, const uint32_t **vertices)
{
    *vertices = e->frontier.items;
    return (uint32_t)e->frontier.count;
}
