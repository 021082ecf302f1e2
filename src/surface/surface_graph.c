// SPDX-License-Identifier: MIT
// Making the navigation graph of a surface.
#include "geom/geom_internal.h"
#include "surface/graph.h"

#include <math.h>

#define ANGLE_MIN 90.0
#define ANGLE_MAX 180.0
#define PI 3.14159265358979323846

static double distance3(ground_point a, ground_point b)
{
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

// ---- vertices ----

static void add_corners(oct_surface_graph *g)
{
    const oct_surface *const s = g->surface;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const half_edge *const e = &s->edges[h];
        graph_vertex *const v = &g->vertices[e->joint];
        if (v->kinds & OCT_SURFACE_BORDER) {
            continue;
        }
        *v = (graph_vertex){.at = edge_point(e), .face = e->face, .edge = h};
        v->kinds = e->twin == NO_EDGE ? OCT_SURFACE_BORDER : 0;
    }
    for (uint32_t f = 0; f < s->info.faces; f++) {
        const ground_point at = surface_in(s, oct_surface_face_of(s, f).centre);
        g->vertices[s->joint_count + f] =
            (graph_vertex){.at = at, .kinds = OCT_SURFACE_CENTRE, .face = f, .edge = NO_EDGE};
    }
}

uint32_t oct_surface_next_border(const oct_surface *s, uint32_t edge)
{
    uint32_t at = s->edges[edge].next;
    while (s->edges[at].twin != NO_EDGE) {
        at = s->edges[s->edges[at].twin].next;
    }
    return at;
}

static void mark_loop(oct_surface_graph *g, uint32_t first, bool *seen)
{
    const oct_surface *const s = g->surface;
    double twice = 0.0;
    uint32_t h = first;
    do {
        const half_edge *const e = &s->edges[h], *const q = &s->edges[e->next];
        const half_edge *const o = &s->edges[first];
        twice += ground_turn(o->x, o->y, e->x, e->y, q->x, q->y);
        seen[h] = true;
        h = oct_surface_next_border(s, h);
    } while (h != first);
    if (!(twice < 0.0)) {
        return;
    }
    do {
        g->vertices[s->edges[h].joint].kinds |= OCT_SURFACE_HOLE;
        h = oct_surface_next_border(s, h);
    } while (h != first);
}

// Corners by the angle between the two border edges: inside the surface, or outside it.
static void mark_corners(oct_surface_graph *g, double least_cosine)
{
    const oct_surface *const s = g->surface;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        if (s->edges[h].twin != NO_EDGE) {
            continue;
        }
        const uint32_t after = oct_surface_next_border(s, h);
        const half_edge *const a = &s->edges[h], *const b = &s->edges[after];
        const half_edge *const c = &s->edges[b->next];
        const double ux = a->x - b->x, uy = a->y - b->y, vx = c->x - b->x, vy = c->y - b->y;
        const double scale = sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
        if (ux * vx + uy * vy > least_cosine * scale) {
            g->vertices[b->joint].kinds |=
                b->turn == NO_TURN ? OCT_SURFACE_INNER : OCT_SURFACE_OUTER;
        }
    }
}

static oct_result mark_borders(oct_surface_graph *g, double corner_angle)
{
    const oct_surface *const s = g->surface;
    const size_t size = s->info.corners * sizeof(bool);
    bool *const seen = oct_alloc(&g->allocator, size, _Alignof(bool));
    if (!seen) {
        return OCT_ERROR_MEMORY;
    }
    memset(seen, 0, size);
    for (uint32_t h = 0; h < s->info.corners; h++) {
        if (s->edges[h].twin == NO_EDGE && !seen[h]) {
            mark_loop(g, h, seen);
        }
    }
    oct_free(&g->allocator, seen, size);
    double sine, cosine;
    oct_sin_cos(corner_angle * PI / 180.0, &sine, &cosine);
    mark_corners(g, cosine);
    return OCT_OK;
}

// ---- edges ----

void oct_graph_add_edge(oct_surface_graph *g, edge_state state)
{
    g->states[g->edge_count++] = state;
    g->vertices[state.a].count++;
    g->vertices[state.b].count += state.kind == OCT_WALKING_WALK;
}

static void list_edges(oct_surface_graph *g)
{
    const oct_surface *const s = g->surface;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        const uint32_t centre = s->joint_count + p->face;
        oct_graph_add_edge(g, (edge_state){.a = p->joint, .b = centre});
        if (p->twin != NO_EDGE && p->twin < h) {
            continue;
        }
        oct_graph_add_edge(g, (edge_state){.a = p->joint, .b = q->joint});
        if (p->twin == NO_EDGE) {
            continue;
        }
        const uint32_t other = s->joint_count + s->edges[p->twin].face;
        const ground_point *const a = &g->vertices[centre].at, *const b = &g->vertices[other].at;
        const ground_point from = edge_point(p), to = edge_point(q);
        const bool leaves = !(turn_of(a, b, &from) < 0.0 && turn_of(a, b, &to) > 0.0);
        const ground_point middle = {0.5 * (p->x + q->x), 0.5 * (p->y + q->y), 0.5 * (p->z + q->z)};
        oct_graph_add_edge(
            g, (edge_state){.a = centre, .b = other, .is_bent = leaves, .bend = middle});
    }
}

// Whether the border edge that starts at a corner leads along an edge of the graph.
static bool is_along_border(const oct_surface_graph *g, uint32_t from, uint32_t to)
{
    const half_edge *const edges = g->surface->edges;
    const uint32_t h = g->vertices[from].edge;
    return h != NO_EDGE && edges[h].twin == NO_EDGE && edges[edges[h].next].joint == to;
}

static void fill_edges(oct_surface_graph *g)
{
    const oct_surface *const s = g->surface;
    uint32_t next = 0;
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        g->vertices[v].first = next;
        next += g->vertices[v].count;
        g->vertices[v].count = 0;
    }
    for (uint32_t id = 0; id < g->edge_count; id++) {
        const edge_state *const e = &g->states[id];
        graph_vertex *const a = &g->vertices[e->a], *const b = &g->vertices[e->b];
        const bool is_link = e->kind != OCT_WALKING_WALK;
        oct_surface_edge edge = {.id = id,
                                 .is_bent = e->is_bent,
                                 .is_border = !is_link && (is_along_border(g, e->a, e->b) ||
                                                           is_along_border(g, e->b, e->a)),
                                 .bend = surface_out(s, e->bend),
                                 .kind = e->kind,
                                 .is_final = e->is_final,
                                 .price = e->price};
        edge.length = e->is_bent ? distance3(a->at, e->bend) + distance3(e->bend, b->at)
                                 : distance3(a->at, b->at);
        edge.to = e->b;
        g->edges[a->first + a->count++] = edge;
        if (!is_link) {
            edge.to = e->a;
            g->edges[b->first + b->count++] = edge;
        }
    }
}

static oct_result fill_graph(oct_surface_graph *g, double corner_angle, const graph_links *links)
{
    const oct_surface *const s = g->surface;
    const oct_allocator *const memory = &g->allocator;
    const size_t link_count = links->space ? links->space->links.count : 0;
    g->vertex_count = s->joint_count + s->info.faces + (uint32_t)links->ends.count;
    g->edge_room = 3 * (size_t)s->info.corners + links->end_edges + link_count;
    if (g->vertex_count == 0) {
        return OCT_OK;
    }
    g->vertices = oct_alloc(memory, g->vertex_count * sizeof *g->vertices, _Alignof(graph_vertex));
    g->states = oct_alloc(memory, g->edge_room * sizeof *g->states, _Alignof(edge_state));
    g->edges = oct_alloc(memory, 2 * g->edge_room * sizeof *g->edges, _Alignof(oct_surface_edge));
    if (!g->vertices || !g->states || !g->edges) {
        return OCT_ERROR_MEMORY;
    }
    memset(g->vertices, 0, g->vertex_count * sizeof *g->vertices);
    add_corners(g);
    OCT_TRY(mark_borders(g, corner_angle));
    list_edges(g);
    oct_graph_links_add(links, g);
    fill_edges(g);
    return OCT_OK;
}

static oct_result fill_with_links(oct_surface_graph *g, double corner_angle,
                                  const oct_walking_space *space)
{
    graph_links links = {.space = NULL};
    oct_result result = OCT_OK;
    if (space) {
        result = oct_graph_links_make(
            &links, space, g->surface->joint_count + g->surface->info.faces, &g->allocator);
    }
    result = result == OCT_OK ? fill_graph(g, corner_angle, &links) : result;
    oct_graph_links_free(&links, &g->allocator);
    return result;
}

static oct_result create(const oct_surface *surface, const oct_walking_space *space,
                         double corner_angle, const oct_allocator *allocator,
                         oct_surface_graph **out)
{
    *out = NULL;
    if (!(corner_angle >= ANGLE_MIN && corner_angle <= ANGLE_MAX)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_surface_graph *const g = oct_alloc(&memory, sizeof *g, _Alignof(oct_surface_graph));
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    *g = (oct_surface_graph){.surface = surface, .allocator = memory};
    const oct_result result = fill_with_links(g, corner_angle, space);
    if (result != OCT_OK) {
        oct_surface_graph_destroy(g);
        return result;
    }
    *out = g;
    return OCT_OK;
}

oct_result oct_surface_graph_create(const oct_surface *surface, double corner_angle,
                                    const oct_allocator *allocator, oct_surface_graph **out)
{
    return create(surface, NULL, corner_angle, allocator, out);
}

oct_result oct_surface_graph_create_walking(const oct_walking_space *space, double corner_angle,
                                            const oct_allocator *allocator, oct_surface_graph **out)
{
    return create(oct_walking_surface(space), space, corner_angle, allocator, out);
}

void oct_surface_graph_destroy(oct_surface_graph *g)
{
    if (!g) {
        return;
    }
    const oct_allocator memory = g->allocator;
    oct_free(&memory, g->vertices, g->vertex_count * sizeof *g->vertices);
    oct_free(&memory, g->states, g->edge_room * sizeof *g->states);
    oct_free(&memory, g->edges, 2 * g->edge_room * sizeof *g->edges);
    oct_array_free(&g->shapes, &memory, sizeof(graph_shape));
    oct_free(&memory, g, sizeof *g);
}

// ---- what it holds ----

uint32_t oct_surface_graph_vertex_count(const oct_surface_graph *graph)
{
    return graph->vertex_count;
}

uint32_t oct_surface_graph_edge_count(const oct_surface_graph *graph)
{
    return graph->edge_count;
}

oct_surface_vertex oct_surface_graph_vertex(const oct_surface_graph *graph, uint32_t vertex)
{
    const graph_vertex *const v = &graph->vertices[vertex];
    return (oct_surface_vertex){surface_out(graph->surface, v->at), v->kinds, v->face};
}

uint32_t oct_surface_graph_edges(const oct_surface_graph *graph, uint32_t vertex,
                                 const oct_surface_edge **edges)
{
    *edges = &graph->edges[graph->vertices[vertex].first];
    return graph->vertices[vertex].count;
}

uint32_t oct_surface_graph_nearest(const oct_surface_graph *graph, oct_point point)
{
    const ground_point p = surface_in(graph->surface, point);
    uint32_t best = OCT_SURFACE_NONE;
    double least = HUGE_VAL;
    for (uint32_t v = 0; v < graph->vertex_count; v++) {
        const double d = distance3(p, graph->vertices[v].at);
        if (d < least) {
            least = d;
            best = v;
        }
    }
    return best;
}
