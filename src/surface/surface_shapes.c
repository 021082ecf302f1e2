// SPDX-License-Identifier: MIT
// Obstacles and hazards on a navigation graph: convex outlines with heights, that come and go.
#include "surface/graph.h"

#include <math.h>

// ---- geometry ----

static void keep_inside(double a, double b, double part[2])
{
    if (a < 0.0 && b < 0.0) {
        part[1] = -1.0;
    } else if (a < 0.0) {
        part[0] = a / (a - b) > part[0] ? a / (a - b) : part[0];
    } else if (b < 0.0) {
        part[1] = a / (a - b) < part[1] ? a / (a - b) : part[1];
    }
}

// The part of a segment inside an outline that is grown by so much, and between the heights.
static bool clip(const graph_shape *shape, double grown, const ground_point *a,
                 const ground_point *b, double part[2])
{
    part[0] = 0.0;
    part[1] = 1.0;
    for (uint32_t i = 0; i < shape->count; i++) {
        const ground_point *const p = &shape->outline[i];
        const ground_point *const q = &shape->outline[(i + 1) % shape->count];
        const double x = q->x - p->x, y = q->y - p->y, scale = 1.0 / sqrt(x * x + y * y);
        keep_inside(turn_of(p, q, a) * scale + grown, turn_of(p, q, b) * scale + grown, part);
    }
    keep_inside(a->z - shape->low, b->z - shape->low, part);
    keep_inside(shape->high - a->z, shape->high - b->z, part);
    return part[0] <= part[1];
}

static double distance_to_segment(const ground_point *p, const ground_point *a,
                                  const ground_point *b)
{
    const double x = b->x - a->x, y = b->y - a->y, square = x * x + y * y;
    double t = square > 0.0 ? ((p->x - a->x) * x + (p->y - a->y) * y) / square : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    const double dx = a->x + t * x - p->x, dy = a->y + t * y - p->y;
    return sqrt(dx * dx + dy * dy);
}

// The distance in the ground plane of a segment from an outline that it does not cross.
static double distance_from_outline(const graph_shape *shape, const ground_point *a,
                                    const ground_point *b)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < shape->count; i++) {
        const ground_point *const p = &shape->outline[i];
        const ground_point *const q = &shape->outline[(i + 1) % shape->count];
        const double all[3] = {distance_to_segment(p, a, b), distance_to_segment(a, p, q),
                               distance_to_segment(b, p, q)};
        for (int k = 0; k < 3; k++) {
            least = all[k] < least ? all[k] : least;
        }
    }
    return least;
}

double oct_surface_shape_share(const graph_shape *shape, const ground_point *a,
                               const ground_point *b, bool *begins_inside)
{
    double part[2];
    const bool is_inside = clip(shape, shape->padding, a, b, part);
    *begins_inside = is_inside && part[0] == 0.0;
    return is_inside ? part[1] - part[0] : 0.0;
}

bool oct_surface_shape_touches(const graph_shape *shape, const ground_point *a,
                               const ground_point *b)
{
    double part[2];
    if (clip(shape, 0.0, a, b, part) && (part[0] < part[1] || shape->padding > 0.0)) {
        return true;
    }
    // What is grown has straight sides; nearer than the padding is what counts.
    return shape->padding > 0.0 && clip(shape, shape->padding, a, b, part) &&
           distance_from_outline(shape, a, b) < shape->padding;
}

bool oct_surface_shape_holds(const graph_shape *shape, const ground_point *p)
{
    double part[2];
    return shape->count > 0 && clip(shape, shape->padding, p, p, part);
}

bool oct_surface_graph_blocks(const oct_surface_graph *graph, const ground_point *a,
                              const ground_point *b)
{
    const graph_shape *const shapes = graph->shapes.items;
    for (size_t i = 0; i < graph->shapes.count; i++) {
        if (shapes[i].count > 0 && shapes[i].effect == OCT_SURFACE_BLOCKS &&
            oct_surface_shape_touches(&shapes[i], a, b)) {
            return true;
        }
    }
    return false;
}

// ---- shapes ----

typedef bool touch_fn(const graph_shape *shape, const ground_point *a, const ground_point *b);

// Prices count in the grown outline, which has straight sides.
static bool is_in_grown(const graph_shape *shape, const ground_point *a, const ground_point *b)
{
    double part[2];
    return clip(shape, shape->padding, a, b, part);
}

static bool touches_edge(const oct_surface_graph *g, const graph_shape *shape, touch_fn *touches,
                         uint32_t id)
{
    const edge_state *const e = &g->states[id];
    const ground_point *const a = &g->vertices[e->a].at, *const b = &g->vertices[e->b].at;
    return e->is_bent ? touches(shape, a, &e->bend) || touches(shape, &e->bend, b)
                      : touches(shape, a, b);
}

// Counts a shape at the edges that it touches, or counts it out.
static void count_shape(oct_surface_graph *g, const graph_shape *shape, int touches, int blocks)
{
    for (uint32_t id = 0; id < g->edge_count; id++) {
        edge_state *const e = &g->states[id];
        if (touches_edge(g, shape, is_in_grown, id)) {
            e->touches = (uint32_t)((int64_t)e->touches + touches);
            if (blocks != 0 && touches_edge(g, shape, oct_surface_shape_touches, id)) {
                e->blocks = (uint32_t)((int64_t)e->blocks + blocks);
            }
        }
    }
}

static bool is_number(double value)
{
    return isfinite(value) && fabs(value) <= OCT_SURFACE_REACH_MAX;
}

// The outline, counter-clockwise; false where it is none.
static bool take_outline(const oct_surface *s, const oct_surface_shape *shape, graph_shape *out)
{
    if (shape->count < 3 || shape->count > SHAPE_POINTS_MAX || !shape->outline) {
        return false;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        const oct_point p = shape->outline[i];
        if (!is_number(p.x) || !is_number(p.y) || !is_number(p.z)) {
            return false;
        }
        out->outline[i] = surface_in(s, p);
    }
    out->count = shape->count;
    const double area = oct_polygon_area(out->outline, out->count);
    for (uint32_t i = 1, j = out->count - 1; area < 0.0 && i < j; i++, j--) {
        const ground_point keep = out->outline[i];
        out->outline[i] = out->outline[j];
        out->outline[j] = keep;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        const ground_point *const p = &out->outline[i];
        const ground_point *const q = &out->outline[(i + 1) % out->count];
        if (p->x == q->x && p->y == q->y) {
            return false;
        }
    }
    return area != 0.0 && oct_polygon_is_convex(out->outline, out->count, 0.0);
}

bool oct_surface_shape_take(const oct_surface *s, const oct_surface_shape *shape, graph_shape *out)
{
    *out = (graph_shape){.low = shape->low,
                         .high = shape->high,
                         .padding = shape->padding,
                         .metre_price = shape->metre_price,
                         .entry_price = shape->entry_price,
                         .effect = shape->effect};
    return take_outline(s, shape, out) && out->low <= out->high && out->padding >= 0.0 &&
           is_number(out->padding) && out->metre_price >= 0.0 && isfinite(out->metre_price) &&
           out->entry_price >= 0.0 && isfinite(out->entry_price) &&
           out->effect <= OCT_SURFACE_PRICED;
}

oct_result oct_surface_graph_add(oct_surface_graph *graph, const oct_surface_shape *shape,
                                 uint32_t *id)
{
    graph_shape own;
    if (!oct_surface_shape_take(graph->surface, shape, &own)) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_array_push(&graph->shapes, &graph->allocator, sizeof own, &own));
    *id = (uint32_t)graph->shapes.count - 1;
    count_shape(graph, &own, 1, own.effect == OCT_SURFACE_BLOCKS);
    return OCT_OK;
}

static graph_shape *shape_of(oct_surface_graph *graph, uint32_t id)
{
    graph_shape *const shapes = graph->shapes.items;
    return id < graph->shapes.count && shapes[id].count > 0 ? &shapes[id] : NULL;
}

oct_result oct_surface_graph_remove(oct_surface_graph *graph, uint32_t id)
{
    graph_shape *const shape = shape_of(graph, id);
    if (!shape) {
        return OCT_ERROR_ABSENT;
    }
    count_shape(graph, shape, -1, shape->effect == OCT_SURFACE_BLOCKS ? -1 : 0);
    shape->count = 0;
    return OCT_OK;
}

oct_result oct_surface_graph_switch(oct_surface_graph *graph, uint32_t id,
                                    oct_surface_effect effect)
{
    graph_shape *const shape = shape_of(graph, id);
    if (!shape) {
        return OCT_ERROR_ABSENT;
    }
    if (effect > OCT_SURFACE_PRICED) {
        return OCT_ERROR_ARGUMENT;
    }
    const int change = (effect == OCT_SURFACE_BLOCKS) - (shape->effect == OCT_SURFACE_BLOCKS);
    if (change != 0) {
        count_shape(graph, shape, 0, change);
    }
    shape->effect = effect;
    return OCT_OK;
}

oct_result oct_surface_graph_block(oct_surface_graph *graph, uint32_t edge, bool blocked)
{
    if (edge >= graph->edge_count) {
        return OCT_ERROR_ABSENT;
    }
    graph->states[edge].is_blocked = blocked;
    return OCT_OK;
}

bool oct_surface_graph_is_clear(const oct_surface_graph *graph, uint32_t edge)
{
    return edge_is_clear(graph, edge);
}
