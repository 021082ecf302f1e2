// SPDX-License-Identifier: MIT
// Paths over a surface and its links: A* whose nodes are the places where links end.
//
// How far it is on foot to where a link begins is asked only when the straight distance says that
// the link comes next (the entry is then put back with what was found): most links are never walked
// to. Islands from which the goal cannot be reached are left out.
#include "surface/surface_path.h"
#include "surface/walking.h"

#include <math.h>

#define GOAL UINT32_MAX  // a link
#define START UINT32_MAX // a label
#define STEP_MIN 1e-4    // metres: lower edges are none

// A way to the end of a link, or to the goal.
typedef struct walking_label {
    uint32_t link;   // GOAL = the goal
    uint32_t parent; // the label before; START = none
    double g;        // at the end; not known while it waits
    bool is_walked;  // g is known
} walking_label;

struct oct_walking_planner {
    const oct_walking_space *space;
    oct_allocator allocator;
    oct_surface_planner *planner;
    uint32_t *link_stamps;   // links that were expanded
    uint32_t *island_stamps; // islands that lead to the goal
    uint32_t stamp;
    oct_heap heap;
    oct_array labels; // of walking_label
    oct_array queue;  // of uint32_t: islands; then the labels of the path
    oct_array points; // of oct_walking_point
};

typedef struct walking_search {
    oct_walking_planner *planner;
    const oct_walking_link *links;
    oct_surface_place from, to;
    double best; // cost of the best way that is known to the goal
    uint64_t expanded;
    uint32_t last; // label of the goal
} walking_search;

static oct_result make_stamps(const oct_allocator *memory, size_t count, uint32_t **out)
{
    if (count == 0) {
        return OCT_OK;
    }
    *out = oct_alloc(memory, count * sizeof(uint32_t), _Alignof(uint32_t));
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    memset(*out, 0, count * sizeof(uint32_t));
    return OCT_OK;
}

oct_result oct_walking_planner_create(const oct_walking_space *space,
                                      const oct_allocator *allocator, oct_walking_planner **out)
{
    *out = NULL;
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_walking_planner *const p = oct_alloc(&memory, sizeof *p, _Alignof(oct_walking_planner));
    if (!p) {
        return OCT_ERROR_MEMORY;
    }
    *p = (oct_walking_planner){.space = space, .allocator = memory};
    oct_result result = oct_surface_planner_create(space->surface, &memory, &p->planner);
    result = result == OCT_OK ? make_stamps(&memory, space->links.count, &p->link_stamps) : result;
    result = result == OCT_OK
                 ? make_stamps(&memory, space->surface->info.islands, &p->island_stamps)
                 : result;
    if (result != OCT_OK) {
        oct_walking_planner_destroy(p);
        return result;
    }
    *out = p;
    return OCT_OK;
}

void oct_walking_planner_destroy(oct_walking_planner *p)
{
    if (!p) {
        return;
    }
    const oct_allocator memory = p->allocator;
    oct_surface_planner_destroy(p->planner);
    oct_free(&memory, p->link_stamps, p->space->links.count * sizeof(uint32_t));
    oct_free(&memory, p->island_stamps, p->space->surface->info.islands * sizeof(uint32_t));
    oct_array_free(&p->heap.entries, &memory, sizeof(oct_heap_entry));
    oct_array_free(&p->labels, &memory, sizeof(walking_label));
    oct_array_free(&p->queue, &memory, sizeof(uint32_t));
    oct_array_free(&p->points, &memory, sizeof(oct_walking_point));
    oct_free(&memory, p, sizeof *p);
}

// ---- islands ----

static void new_stamp(oct_walking_planner *p)
{
    if (++p->stamp == 0) {
        const oct_walking_space *const w = p->space;
        memset(p->island_stamps, 0, w->surface->info.islands * sizeof(uint32_t));
        if (w->links.count > 0) {
            memset(p->link_stamps, 0, w->links.count * sizeof(uint32_t));
        }
        p->stamp = 1;
    }
}

static oct_result mark_island(oct_walking_planner *p, uint32_t island)
{
    if (p->island_stamps[island] == p->stamp) {
        return OCT_OK;
    }
    p->island_stamps[island] = p->stamp;
    return oct_array_push(&p->queue, &p->allocator, sizeof island, &island);
}

// Marks the islands that lead to one.
static oct_result mark_islands(oct_walking_planner *p, uint32_t goal)
{
    const oct_walking_space *const w = p->space;
    const oct_walking_link *const links = w->links.items;
    new_stamp(p);
    p->queue.count = 0;
    OCT_TRY(mark_island(p, goal));
    for (size_t i = 0; i < p->queue.count; i++) {
        const uint32_t island = ((const uint32_t *)p->queue.items)[i];
        for (uint32_t k = w->entering[island]; k < w->entering[island + 1]; k++) {
            OCT_TRY(mark_island(p, island_of(w->surface, links[w->into[k]].from_face)));
        }
    }
    return OCT_OK;
}

bool oct_walking_leads(oct_walking_planner *planner, uint32_t from_face, uint32_t to_face)
{
    const oct_surface *const s = planner->space->surface;
    return from_face < s->info.faces && to_face < s->info.faces &&
           mark_islands(planner, island_of(s, to_face)) == OCT_OK &&
           planner->island_stamps[island_of(s, from_face)] == planner->stamp;
}

// ---- search ----

static double ground_distance(const walking_search *s, oct_point a, oct_point b)
{
    const oct_surface *const surface = s->planner->space->surface;
    const ground_point p = surface_in(surface, a), q = surface_in(surface, b);
    const double x = q.x - p.x, y = q.y - p.y;
    return sqrt(x * x + y * y);
}

static walking_label *label_at(const walking_search *s, uint32_t label)
{
    return (walking_label *)s->planner->labels.items + label;
}

// Where one is at a label, and in which face.
static oct_point place_of(const walking_search *s, uint32_t label, uint32_t *face)
{
    const oct_walking_link *const link =
        label == START ? NULL : &s->links[label_at(s, label)->link];
    *face = link ? link->to_face : s->from.face;
    return link ? link->to : s->from.point;
}

// Where a link begins.
static oct_point begin_of(const walking_search *s, uint32_t link, uint32_t *face)
{
    *face = link == GOAL ? s->to.face : s->links[link].from_face;
    return link == GOAL ? s->to.point : s->links[link].from;
}

static double rest_of(const walking_search *s, uint32_t link)
{
    return link == GOAL ? 0.0 : ground_distance(s, s->links[link].to, s->to.point);
}

static double cost_of(const walking_search *s, uint32_t link)
{
    return link == GOAL ? 0.0 : oct_walking_link_cost(&s->planner->space->rules, &s->links[link]);
}

static oct_result push(walking_search *s, uint32_t label, double least)
{
    const double f = least + rest_of(s, label_at(s, label)->link);
    return f < s->best ? oct_heap_push(&s->planner->heap, &s->planner->allocator,
                                       (oct_heap_entry){f, least, label, label})
                       : OCT_OK;
}

static oct_result offer(walking_search *s, uint32_t parent, double g, uint32_t link)
{
    uint32_t face;
    const oct_point at = place_of(s, parent, &face), to = begin_of(s, link, &face);
    const walking_label label = {.link = link, .parent = parent};
    const uint32_t id = (uint32_t)s->planner->labels.count;
    OCT_TRY(oct_array_push(&s->planner->labels, &s->planner->allocator, sizeof label, &label));
    return push(s, id, g + ground_distance(s, at, to) + cost_of(s, link));
}

static oct_result expand(walking_search *s, uint32_t label)
{
    oct_walking_planner *const p = s->planner;
    const oct_walking_space *const w = p->space;
    uint32_t face;
    place_of(s, label, &face);
    const uint32_t island = island_of(w->surface, face);
    const double g = label == START ? 0.0 : label_at(s, label)->g;
    s->expanded++;
    if (island == island_of(w->surface, s->to.face)) {
        OCT_TRY(offer(s, label, g, GOAL));
    }
    for (uint32_t i = w->leaving[island]; i < w->leaving[island + 1]; i++) {
        if (p->link_stamps[i] != p->stamp &&
            p->island_stamps[island_of(w->surface, s->links[i].to_face)] == p->stamp) {
            OCT_TRY(offer(s, label, g, i));
        }
    }
    return OCT_OK;
}

static oct_result plan_leg(const walking_search *s, uint32_t parent, uint32_t link,
                           oct_surface_path *out)
{
    oct_surface_query query = oct_surface_query_default();
    query.from = place_of(s, parent, &query.from_face);
    query.to = begin_of(s, link, &query.to_face);
    OCT_TRY(oct_surface_plan(s->planner->planner, &query, out));
    return out->status == OCT_SURFACE_FOUND ? OCT_OK : OCT_ERROR_RANGE;
}

// Walks to where the label's link begins.
static oct_result walk(walking_search *s, uint32_t id)
{
    walking_label *const label = label_at(s, id);
    const double before = label->parent == START ? 0.0 : label_at(s, label->parent)->g;
    oct_surface_path path;
    OCT_TRY(plan_leg(s, label->parent, label->link, &path));
    label->g = before + path.length + cost_of(s, label->link);
    label->is_walked = true;
    OCT_TRY(push(s, id, label->g));
    s->best = label->link == GOAL && label->g < s->best ? label->g : s->best;
    return OCT_OK;
}

static oct_result search_labels(walking_search *s)
{
    oct_walking_planner *const p = s->planner;
    p->heap.entries.count = 0;
    p->labels.count = 0;
    s->best = HUGE_VAL;
    s->last = START;
    OCT_TRY(expand(s, START));
    while (p->heap.entries.count > 0) {
        const uint32_t id = oct_heap_pop(&p->heap).id;
        const uint32_t link = label_at(s, id)->link;
        if (link != GOAL && p->link_stamps[link] == p->stamp) {
            continue;
        }
        if (!label_at(s, id)->is_walked) {
            OCT_TRY(walk(s, id));
            continue;
        }
        if (link == GOAL) {
            s->last = id;
            return OCT_OK;
        }
        p->link_stamps[link] = p->stamp;
        OCT_TRY(expand(s, id));
    }
    return OCT_OK;
}

// ---- the path ----

static oct_result add_point(walking_search *s, oct_walking_path *out, oct_point at, uint32_t face,
                            oct_walking_kind kind)
{
    const oct_walking_point point = {at, face, kind};
    out->steps += kind == OCT_WALKING_STEP;
    out->jumps += kind == OCT_WALKING_JUMP;
    out->drops += kind == OCT_WALKING_DROP;
    return oct_array_push(&s->planner->points, &s->planner->allocator, sizeof point, &point);
}

// The turns of a leg, and the edges that it steps up or down between two of them.
static oct_result add_leg(walking_search *s, oct_walking_path *out, const oct_surface_path *leg)
{
    const oct_surface *const surface = s->planner->space->surface;
    uint32_t face = leg->from.face;
    for (uint32_t i = 0; i + 1 < leg->point_count; i++) {
        oct_surface_planner *const planner = s->planner->planner;
        const oct_point *points;
        uint32_t count;
        OCT_TRY(oct_surface_drape(planner, &leg->points[i], 2, face, &points, &count, NULL));
        const uint32_t *const faces = planner->drape_faces.items;
        for (uint32_t k = 1; k < count; k++) {
            const ground_point a = surface_in(surface, points[k - 1]);
            const ground_point b = surface_in(surface, points[k]);
            if (a.x == b.x && a.y == b.y && fabs(b.z - a.z) > STEP_MIN) {
                OCT_TRY(add_point(s, out, points[k - 1], faces[k - 1], OCT_WALKING_WALK));
                OCT_TRY(add_point(s, out, points[k], faces[k], OCT_WALKING_STEP));
            }
        }
        face = faces[count - 1];
        OCT_TRY(add_point(s, out, points[count - 1], face, OCT_WALKING_WALK));
    }
    return OCT_OK;
}

static oct_result add_label(walking_search *s, oct_walking_path *out, uint32_t id)
{
    const walking_label *const label = label_at(s, id);
    oct_surface_path leg;
    OCT_TRY(plan_leg(s, label->parent, label->link, &leg));
    out->length += leg.length;
    OCT_TRY(add_leg(s, out, &leg));
    if (label->link == GOAL) {
        return OCT_OK;
    }
    const oct_walking_link *const link = &s->links[label->link];
    out->length += link->length;
    return add_point(s, out, link->to, link->to_face, link->kind);
}

static oct_result list_points(walking_search *s, oct_walking_path *out)
{
    oct_walking_planner *const p = s->planner;
    p->queue.count = 0;
    p->points.count = 0;
    for (uint32_t id = s->last; id != START; id = label_at(s, id)->parent) {
        OCT_TRY(oct_array_push(&p->queue, &p->allocator, sizeof id, &id));
    }
    OCT_TRY(add_point(s, out, s->from.point, s->from.face, OCT_WALKING_WALK));
    for (size_t i = p->queue.count; i-- > 0;) {
        OCT_TRY(add_label(s, out, ((const uint32_t *)p->queue.items)[i]));
    }
    out->cost = label_at(s, s->last)->g;
    out->points = p->points.items;
    out->point_count = (uint32_t)p->points.count;
    return OCT_OK;
}

oct_result oct_walking_plan(oct_walking_planner *planner, const oct_surface_query *query,
                            oct_walking_path *out)
{
    const oct_surface *const s = planner->space->surface;
    oct_surface_path ends;
    *out = (oct_walking_path){.status = OCT_SURFACE_FOUND};
    OCT_TRY(oct_surface_find_ends(s, query, &ends));
    out->status = ends.status;
    out->from = ends.from;
    out->to = ends.to;
    if (ends.status != OCT_SURFACE_FOUND) {
        return OCT_OK;
    }
    OCT_TRY(mark_islands(planner, island_of(s, ends.to.face)));
    walking_search search = {
        .planner = planner, .links = planner->space->links.items, .from = ends.from, .to = ends.to};
    if (planner->island_stamps[island_of(s, ends.from.face)] == planner->stamp) {
        OCT_TRY(search_labels(&search));
        out->expanded = search.expanded;
        return search.last == START ? OCT_ERROR_RANGE : list_points(&search, out);
    }
    out->status = OCT_SURFACE_UNREACHABLE;
    return OCT_OK;
}
