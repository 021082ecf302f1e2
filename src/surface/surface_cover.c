// SPDX-License-Identifier: MIT
// What was covered of a surface: places, and kinds of paths.
#include "surface/surface_explorer.h"

// The edge from a vertex to another one, and which way that is; NULL where there is none.
static const oct_surface_edge *edge_between(const oct_surface_graph *g, uint32_t from, uint32_t to,
                                            uint8_t *way)
{
    const graph_vertex *const v = &g->vertices[from];
    for (uint32_t i = v->first; i < v->first + v->count; i++) {
        if (g->edges[i].to == to) {
            *way = g->states[g->edges[i].id].a == from ? WALKED_FORWARD : WALKED_BACK;
            return &g->edges[i];
        }
    }
    return NULL;
}

// ---- routes ----

// Whether a route leads through a shape.
static bool leads_through(const oct_surface_graph *g, const graph_shape *shape,
                          const uint32_t *vertices, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint8_t way;
        const oct_surface_edge *const edge = edge_between(g, vertices[i], vertices[i + 1], &way);
        const ground_point *const a = &g->vertices[vertices[i]].at;
        const ground_point *const b = &g->vertices[vertices[i + 1]].at;
        const ground_point *const bend = edge && edge->is_bent ? &g->states[edge->id].bend : b;
        if (oct_surface_shape_touches(shape, a, bend) ||
            oct_surface_shape_touches(shape, bend, b)) {
            return true;
        }
    }
    return false;
}

// Two routes are equally long where they differ by no more than rounding does, as a share.
#define EQUALLY_LONG 1e-12

static double length_of(const oct_surface_graph *g, const uint32_t *vertices, uint32_t count)
{
    double length = 0.0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint8_t way;
        const oct_surface_edge *const edge = edge_between(g, vertices[i], vertices[i + 1], &way);
        length += edge ? edge->length : 0.0;
    }
    return length;
}

// Notes which shapes a route led through, and which ones it avoided. One that is as short as the
// shortest has not gone out of its way for anything.
static oct_result note_shapes(oct_surface_explorer *e, const uint32_t *vertices, uint32_t count)
{
    const oct_surface_graph *const g = e->def.graph;
    const graph_shape *const shapes = g->shapes.items;
    while (e->passed.count < g->shapes.count) {
        const uint8_t none = 0;
        OCT_TRY(oct_array_push(&e->passed, &e->allocator, sizeof none, &none));
    }
    if (count < 2 || g->shapes.count == 0) {
        return OCT_OK;
    }
    oct_surface_walk walk = oct_surface_walk_default();
    walk.from = vertices[0];
    walk.to = vertices[count - 1];
    walk.ignores_obstacles = true;
    oct_surface_route shortest;
    if (!e->gauge) { // apart: the route may belong to the other walker
        OCT_TRY(oct_surface_walker_create(g, &e->allocator, &e->gauge));
    }
    OCT_TRY(oct_surface_walker_plan(e->gauge, &walk, &shortest));
    const bool is_longer = length_of(g, vertices, count) > shortest.length * (1.0 + EQUALLY_LONG);
    uint8_t *const passed = e->passed.items;
    for (size_t i = 0; i < g->shapes.count; i++) {
        if (shapes[i].count == 0) {
            continue;
        }
        if (leads_through(g, &shapes[i], vertices, count)) {
            passed[i] |= PASSED_THROUGH;
        } else if (is_longer && leads_through(g, &shapes[i], shortest.vertices, shortest.count)) {
            passed[i] |= PASSED_AROUND;
        }
    }
    return OCT_OK;
}

static bool is_over_centres(const oct_surface_graph *g, const uint32_t *vertices, uint32_t count)
{
    for (uint32_t i = 1; i + 1 < count; i++) {
        if (!(g->vertices[vertices[i]].kinds & OCT_SURFACE_CENTRE)) {
            return false;
        }
    }
    return count > 2;
}

oct_result oct_surface_explorer_walked(oct_surface_explorer *e, const uint32_t *vertices,
                                       uint32_t count)
{
    const oct_surface_graph *const g = e->def.graph;
    for (uint32_t i = 0; i < count; i++) {
        if (vertices[i] >= g->vertex_count) {
            return OCT_ERROR_ARGUMENT;
        }
    }
    OCT_TRY(note_shapes(e, vertices, count));
    e->centre_ways += is_over_centres(g, vertices, count);
    for (uint32_t i = 0; i < count; i++) {
        OCT_TRY(oct_surface_explorer_visit(e, vertices[i]));
        uint8_t way = 0;
        const oct_surface_edge *const edge =
            i + 1 < count ? edge_between(g, vertices[i], vertices[i + 1], &way) : NULL;
        if (edge) {
            e->walked[edge->id] |= way;
        }
    }
    return OCT_OK;
}

// ---- counting ----

static void count_vertex(const oct_surface_explorer *e, uint32_t v, oct_surface_covered *all)
{
    const oct_surface_graph *const g = e->def.graph;
    const uint32_t kinds = g->vertices[v].kinds;
    const bool is_centre = (kinds & OCT_SURFACE_CENTRE) != 0;
    const bool is_corner = (kinds & (OCT_SURFACE_INNER | OCT_SURFACE_OUTER)) != 0;
    all->seen += e->seen[v];
    all->vertices += e->visited[v];
    all->centres_all += is_centre;
    all->centres += is_centre && e->visited[v];
    all->corners_all += is_corner;
    all->corners += is_corner && e->visited[v];
    for (uint32_t i = g->vertices[v].first; i < g->vertices[v].first + g->vertices[v].count; i++) {
        const oct_surface_edge *const edge = &g->edges[i];
        if (edge->kind != OCT_WALKING_WALK) {
            all->links_all++;
            all->links += e->walked[edge->id] != 0;
        } else if (edge->is_border && v < edge->to) {
            all->border_edges_all++;
            all->border_edges += e->walked[edge->id] != 0;
        }
    }
}

// Which ways round a whole border was gone along: with the surface to the left, and to the right.
static void count_border(const oct_surface_explorer *e, uint32_t first, oct_surface_covered *all)
{
    const oct_surface_graph *const g = e->def.graph;
    const oct_surface *const s = g->surface;
    bool forward = true, back = true;
    uint32_t h = first;
    do {
        const uint32_t next = oct_surface_next_border(s, h);
        uint8_t way = 0;
        const oct_surface_edge *const edge =
            edge_between(g, s->edges[h].joint, s->edges[next].joint, &way);
        const uint8_t walked = edge ? e->walked[edge->id] : 0;
        forward = forward && (walked & way) != 0;
        back = back && (walked & (way ^ (WALKED_FORWARD | WALKED_BACK))) != 0;
        h = next;
    } while (h != first);
    // Edges have the surface to their left: around a hole they go clockwise.
    const bool is_hole = (g->vertices[s->edges[first].joint].kinds & OCT_SURFACE_HOLE) != 0;
    all->borders_clockwise += is_hole ? forward : back;
    all->borders_counter += is_hole ? back : forward;
}

oct_surface_covered oct_surface_explorer_covered(const oct_surface_explorer *e)
{
    const oct_surface_graph *const g = e->def.graph;
    const graph_shape *const shapes = g->shapes.items;
    const uint8_t *const passed = e->passed.items;
    oct_surface_covered all = {.vertices_all = g->vertex_count,
                               .borders_all = (uint32_t)e->borders.count,
                               .centre_ways = e->centre_ways};
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        count_vertex(e, v, &all);
    }
    for (size_t i = 0; i < e->borders.count; i++) {
        count_border(e, ((const uint32_t *)e->borders.items)[i], &all);
    }
    for (size_t i = 0; i < g->shapes.count; i++) {
        const bool is_there = shapes[i].count > 0, is_known = is_there && i < e->passed.count;
        all.shapes_all += is_there;
        all.through += is_known && (passed[i] & PASSED_THROUGH) != 0;
        all.around += is_known && (passed[i] & PASSED_AROUND) != 0;
    }
    return all;
}
