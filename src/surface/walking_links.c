// SPDX-License-Identifier: MIT
// Finding the links of a walking space.
//
// A link begins or ends at a border. Each border edge is looked at from places along it, and from
// the place where it is nearest to every other border edge around: where heights along both edges
// do not change, a pair of edges between which the rules allow any link has one that is found. Of
// the links from one place, the shortest to each island is kept; one that leads back to its own
// island only if walking costs more. Besides, one falls from a border onto what is right below, and
// jumps back up where the rules allow it.
#include "surface/walking.h"

#include <math.h>
#include <stdlib.h>

#define NUDGE 1e-3        // metres beyond a border at which one falls
#define HEIGHT_SLACK 1e-6 // metres
#define SIDE_SLACK 1e-6   // metres that a place may be on the wrong side of a border

typedef struct candidate {
    double distance;
    ground_point from, to;
    uint32_t face; // that it leads to
} candidate;

typedef struct finder {
    oct_walking_space *space;
    const oct_surface *s;
    const oct_allocator *memory;
    oct_surface_planner *planner;
    uint32_t *stamps; // of faces
    uint32_t stamp;
    double reach;         // of the longest link
    oct_array faces;      // of uint32_t: near the edge that is looked at
    oct_array candidates; // of candidate
    oct_array taken;      // of uint32_t: islands to which there is a link from this place
} finder;

// ---- what is allowed ----

// Whether no face is above a place, between two heights.
static bool is_open(const finder *f, double x, double y, double low, double high)
{
    const double slack = f->space->rules.step + HEIGHT_SLACK;
    const uint32_t *const faces = f->faces.items;
    for (size_t i = 0; i < f->faces.count; i++) {
        if (oct_surface_holds(f->s, faces[i], x, y, f->s->join_distance)) {
            const double z = oct_surface_height_at(f->s, faces[i], x, y);
            if (z > low + slack && z < high - slack) {
                return false;
            }
        }
    }
    return true;
}

static double price_of(const oct_walking_rules *rules, oct_walking_kind kind)
{
    return kind == OCT_WALKING_JUMP   ? rules->jump_price
           : kind == OCT_WALKING_DROP ? rules->drop_price
                                      : 0.0;
}

double oct_walking_link_cost(const oct_walking_rules *rules, const oct_walking_link *link)
{
    return link->length + price_of(rules, link->kind);
}

// Whether a link within an island is shorter than walking.
static oct_result is_useful(finder *f, const oct_walking_link *link, bool *out)
{
    *out = true;
    if (island_of(f->s, link->from_face) != island_of(f->s, link->to_face)) {
        return OCT_OK;
    }
    oct_surface_query query = oct_surface_query_default();
    query.from = link->from;
    query.to = link->to;
    query.from_face = link->from_face;
    query.to_face = link->to_face;
    oct_surface_path path;
    OCT_TRY(oct_surface_plan(f->planner, &query, &path));
    *out = path.status == OCT_SURFACE_FOUND &&
           path.length > oct_walking_link_cost(&f->space->rules, link);
    return OCT_OK;
}

static oct_result add_link(finder *f, ground_point from, uint32_t from_face, ground_point to,
                           uint32_t to_face, bool *added)
{
    oct_walking_space *const w = f->space;
    const double x = to.x - from.x, y = to.y - from.y;
    oct_walking_link link = {.from = surface_out(f->s, from),
                             .to = surface_out(f->s, to),
                             .from_face = from_face,
                             .to_face = to_face,
                             .length = sqrt(x * x + y * y)};
    link.kind = oct_walking_kind_of(&w->rules, link.length, to.z - from.z);
    *added = false;
    if (link.kind == OCT_WALKING_WALK || (to.z < from.z && !is_open(f, to.x, to.y, to.z, from.z)) ||
        (to.z > from.z && !is_open(f, from.x, from.y, from.z, to.z))) {
        return OCT_OK;
    }
    OCT_TRY(is_useful(f, &link, added));
    *added = *added &&
             (!w->rules.is_clear || w->rules.is_clear(w->rules.ctx, link.kind, link.from, link.to));
    if (!*added) {
        return OCT_OK;
    }
    if (w->links.count == OCT_WALKING_LINKS_MAX) {
        return OCT_ERROR_RANGE;
    }
    return oct_array_push(&w->links, f->memory, sizeof link, &link);
}

// ---- from border to border ----

static ground_point place_on(const half_edge *p, const half_edge *q, double t)
{
    return (ground_point){p->x + t * (q->x - p->x), p->y + t * (q->y - p->y),
                          p->z + t * (q->z - p->z)};
}

// The place of an edge that is nearest in the ground plane, as a share.
static double nearest_share(const half_edge *p, const half_edge *q, double x, double y)
{
    const double dx = q->x - p->x, dy = q->y - p->y;
    const double t = ((x - p->x) * dx + (y - p->y) * dy) * p->inverse;
    return t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
}

// How far a place is on the inside of an edge's line, metres.
static double inside_by(const half_edge *p, const half_edge *q, const ground_point *at)
{
    return ground_turn(p->x, p->y, q->x, q->y, at->x, at->y) * sqrt(p->inverse);
}

static oct_result add_candidate(finder *f, const half_edge *a, const half_edge *b,
                                ground_point from, ground_point to)
{
    const half_edge *const edges = f->s->edges;
    const double x = to.x - from.x, y = to.y - from.y;
    const candidate found = {sqrt(x * x + y * y), from, to, b->face};
    if (found.distance > f->reach || inside_by(a, &edges[a->next], &to) > SIDE_SLACK ||
        inside_by(b, &edges[b->next], &from) > SIDE_SLACK) {
        return OCT_OK;
    }
    return oct_array_push(&f->candidates, f->memory, sizeof found, &found);
}

// Where two edges are nearest to each other: at an end of one of them, or where they cross.
static oct_result add_nearest(finder *f, const half_edge *a, const half_edge *b)
{
    const half_edge *const edges = f->s->edges;
    const half_edge *const a1 = &edges[a->next], *const b1 = &edges[b->next];
    const double along_b[2] = {nearest_share(b, b1, a->x, a->y),
                               nearest_share(b, b1, a1->x, a1->y)};
    const double along_a[2] = {nearest_share(a, a1, b->x, b->y),
                               nearest_share(a, a1, b1->x, b1->y)};
    for (int end = 0; end < 2; end++) {
        OCT_TRY(
            add_candidate(f, a, b, edge_point(end == 0 ? a : a1), place_on(b, b1, along_b[end])));
        OCT_TRY(
            add_candidate(f, a, b, place_on(a, a1, along_a[end]), edge_point(end == 0 ? b : b1)));
    }
    const double from = inside_by(a, a1, &(ground_point){b->x, b->y, 0.0});
    const double to = inside_by(a, a1, &(ground_point){b1->x, b1->y, 0.0});
    if ((from < 0.0) == (to < 0.0)) {
        return OCT_OK;
    }
    const ground_point cross = place_on(b, b1, from / (from - to));
    return add_candidate(f, a, b, place_on(a, a1, nearest_share(a, a1, cross.x, cross.y)), cross);
}

static int by_distance(const void *a, const void *b)
{
    const candidate *const x = a, *const y = b;
    const double of_x[] = {x->distance, x->from.x, x->from.y, x->from.z, x->to.x, x->to.y, x->to.z};
    const double of_y[] = {y->distance, y->from.x, y->from.y, y->from.z, y->to.x, y->to.y, y->to.z};
    for (int i = 0; i < 7; i++) {
        if (of_x[i] != of_y[i]) {
            return of_x[i] < of_y[i] ? -1 : 1;
        }
    }
    return (x->face > y->face) - (x->face < y->face);
}

static bool is_taken(const finder *f, uint32_t island)
{
    const uint32_t *const taken = f->taken.items;
    for (size_t i = 0; i < f->taken.count; i++) {
        if (taken[i] == island) {
            return true;
        }
    }
    return false;
}

// Makes links of the candidates: the shortest one to every island.
static oct_result take_candidates(finder *f, uint32_t from_face)
{
    if (f->candidates.count > 1) {
        qsort(f->candidates.items, f->candidates.count, sizeof(candidate), by_distance);
    }
    f->taken.count = 0;
    for (size_t i = 0; i < f->candidates.count; i++) {
        const candidate *const c = (const candidate *)f->candidates.items + i;
        const uint32_t island = island_of(f->s, c->face);
        if (is_taken(f, island)) {
            continue;
        }
        bool added;
        OCT_TRY(add_link(f, c->from, from_face, c->to, c->face, &added));
        if (added) {
            OCT_TRY(oct_array_push(&f->taken, f->memory, sizeof island, &island));
        }
    }
    f->candidates.count = 0;
    return OCT_OK;
}

// Adds candidates from a place of an edge to every other border around, or, without a place, from
// where they are nearest.
static oct_result look_around(finder *f, uint32_t edge, const ground_point *from)
{
    const oct_surface *const s = f->s;
    const half_edge *const a = &s->edges[edge];
    const uint32_t *const faces = f->faces.items;
    for (size_t i = 0; i < f->faces.count; i++) {
        const surface_face *const face = &s->faces[faces[i]];
        for (uint32_t h = face->first; h < face->first + face->count; h++) {
            const half_edge *const b = &s->edges[h];
            if (h == edge || b->twin != NO_EDGE) {
                continue;
            }
            const half_edge *const b1 = &s->edges[b->next];
            OCT_TRY(from ? add_candidate(f, a, b, *from,
                                         place_on(b, b1, nearest_share(b, b1, from->x, from->y)))
                         : add_nearest(f, a, b));
        }
    }
    return take_candidates(f, a->face);
}

// ---- what is below ----

// The highest face below a place; its height. OCT_SURFACE_NONE = none.
static uint32_t face_below(const finder *f, const ground_point *at, double x, double y, double *z)
{
    const uint32_t *const faces = f->faces.items;
    const double highest = at->z - f->space->rules.step - HEIGHT_SLACK;
    uint32_t best = OCT_SURFACE_NONE;
    *z = -HUGE_VAL;
    for (size_t i = 0; i < f->faces.count; i++) {
        if (oct_surface_holds(f->s, faces[i], x, y, f->s->join_distance)) {
            const double height = oct_surface_height_at(f->s, faces[i], x, y);
            if (height < highest && height > *z) {
                *z = height;
                best = faces[i];
            }
        }
    }
    return best;
}

static oct_result look_below(finder *f, uint32_t edge, const ground_point *from)
{
    const half_edge *const a = &f->s->edges[edge], *const a1 = &f->s->edges[a->next];
    const oct_walking_rules *const rules = &f->space->rules;
    const double scale = sqrt(a->inverse);
    const double off = 2.0 * rules->margin + (rules->stride < NUDGE ? rules->stride : NUDGE);
    // The surface is to the left of the edge.
    ground_point to = {from->x + off * (a1->y - a->y) * scale,
                       from->y - off * (a1->x - a->x) * scale, 0.0};
    const uint32_t face = face_below(f, from, to.x, to.y, &to.z);
    if (face == OCT_SURFACE_NONE) {
        return OCT_OK;
    }
    bool added;
    OCT_TRY(add_link(f, *from, a->face, to, face, &added));
    return add_link(f, to, face, *from, a->face, &added);
}

// ---- all borders ----

static oct_result look_from_edge(finder *f, uint32_t edge)
{
    const half_edge *const a = &f->s->edges[edge], *const a1 = &f->s->edges[a->next];
    const double length = 1.0 / sqrt(a->inverse);
    const ground_point middle = place_on(a, a1, 0.5);
    f->faces.count = 0;
    f->stamp++;
    OCT_TRY(oct_surface_list_near(f->s, middle.x, middle.y, 0.5 * length + f->reach, f->stamps,
                                  f->stamp, f->memory, &f->faces));
    OCT_TRY(look_around(f, edge, NULL));
    const double parts = ceil(length / f->space->rules.spacing);
    for (double i = 0.5; i < parts; i += 1.0) {
        const ground_point from = place_on(a, a1, i / parts);
        OCT_TRY(look_around(f, edge, &from));
        OCT_TRY(look_below(f, edge, &from));
    }
    return OCT_OK;
}

static oct_result find_links(finder *f)
{
    const size_t size = f->s->info.faces * sizeof *f->stamps;
    f->stamps = oct_alloc(f->memory, size, _Alignof(uint32_t));
    if (!f->stamps) {
        return OCT_ERROR_MEMORY;
    }
    memset(f->stamps, 0, size);
    oct_result result = oct_surface_planner_create(f->s, f->memory, &f->planner);
    for (uint32_t h = 0; h < f->s->info.corners && result == OCT_OK; h++) {
        result = f->s->edges[h].twin == NO_EDGE ? look_from_edge(f, h) : OCT_OK;
    }
    oct_surface_planner_destroy(f->planner);
    oct_free(f->memory, f->stamps, size);
    oct_array_free(&f->faces, f->memory, sizeof(uint32_t));
    oct_array_free(&f->candidates, f->memory, sizeof(candidate));
    oct_array_free(&f->taken, f->memory, sizeof(uint32_t));
    return result;
}

oct_result oct_walking_find_links(oct_walking_space *space)
{
    finder f = {.space = space,
                .s = space->surface,
                .memory = &space->allocator,
                .reach = oct_walking_longest(&space->rules) + NUDGE};
    return space->surface->info.faces > 0 ? find_links(&f) : OCT_OK;
}
