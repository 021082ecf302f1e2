// SPDX-License-Identifier: MIT
#include "verify/tour.h"
#include "explore/frontier_cell.h"
#include "octant/tree.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

#include <math.h>

#define RADIANS 0.017453292519943295 // in a degree

typedef struct tour {
    const tour_def *def;
    oct_allocator allocator;
    tour_result *out;
    oct_point forward;
    oct_array things;  // of oct_thing: what is there to be seen
    oct_array added;   // of oct_thing
    oct_array stretch; // of oct_point: the turns since the last look
    oct_result failed; // while things are gathered
    bool stopped;
} tour;

const char *oct_tour_status_name(tour_status status)
{
    static const char *const names[TOUR_STATUS_COUNT] = {"explored",    "bounded", "arrived",
                                                         "unreachable", "budget",  "interrupted"};
    return (uint32_t)status < TOUR_STATUS_COUNT ? names[status] : NULL;
}

static uint64_t now(const tour *t)
{
    return t->def->clock ? t->def->clock(t->def->clock_ctx) : 0;
}

static void tell(tour *t, const tour_event *event)
{
    if (t->def->event && !t->def->event(t->def->event_ctx, event)) {
        t->stopped = true;
    }
}

// ---- looking ----

static double outside(double lo, double hi, double at)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

// Rounding must not leave out what an observation takes for within its radius.
static bool is_near(const tour *t, const oct_bounds *box)
{
    const oct_point at = t->out->at;
    const double r = t->def->radius;
    const double x = outside(box->min.x, box->max.x, at.x);
    const double y = outside(box->min.y, box->max.y, at.y);
    const double z =
        oct_tree_dims(oct_map_tree(t->def->map)) == 2 ? 0.0 : outside(box->min.z, box->max.z, at.z);
    return x * x + y * y + z * z <= r * r * (1.0 + 0x1p-30);
}

static bool gather(void *ctx, const oct_thing *thing)
{
    tour *const t = ctx;
    if (is_near(t, &thing->box)) {
        t->failed = oct_array_push(&t->things, &t->allocator, sizeof *thing, thing);
    }
    return t->failed == OCT_OK;
}

// The box around what the body sees.
static oct_bounds ball_of(const tour *t)
{
    const oct_point at = t->out->at;
    const double r = t->def->radius;
    return (oct_bounds){{at.x - r, at.y - r, at.z - r}, {at.x + r, at.y + r, at.z + r}};
}

// All things within the radius; those that the map does not have come to the list of added ones.
static oct_result gather_things(tour *t)
{
    const tour_def *const def = t->def;
    t->things.count = t->added.count = 0;
    t->failed = OCT_OK;
    oct_map_things_in(def->truth, oct_map_cover(def->truth, ball_of(t)), gather, t);
    OCT_TRY(t->failed);
    const oct_thing *const things = t->things.items;
    for (size_t i = 0; def->tell_more && i < t->things.count; i++) {
        oct_thing known;
        if (!oct_map_thing(def->map, things[i].id, &known)) {
            OCT_TRY(oct_array_push(&t->added, &t->allocator, sizeof things[i], &things[i]));
        }
    }
    return OCT_OK;
}

// Of those that the map did not have, those that it has now: the others are hidden.
static void keep_seen(tour *t)
{
    oct_thing *const added = t->added.items;
    size_t kept = 0;
    for (size_t i = 0; i < t->added.count; i++) {
        oct_thing known;
        if (oct_map_thing(t->def->map, added[i].id, &known)) {
            added[kept++] = added[i];
        }
    }
    t->added.count = kept;
}

static oct_view view_of(const tour *t)
{
    const double fov = t->def->fov;
    return (oct_view){.centre = t->out->at,
                      .radius = t->def->radius,
                      .sight = t->def->sight,
                      .forward = t->forward,
                      .fov = fov < 360.0 ? fov * RADIANS : 0.0};
}

// UNKNOWN cells around the body, as far as it sees.
static oct_result count_unknown(const tour *t, uint64_t *out)
{
    uint64_t counts[3] = {0, 0, 0};
    if (t->def->tell_more) {
        OCT_TRY(oct_tree_count(oct_map_tree(t->def->map), oct_map_cover(t->def->map, ball_of(t)),
                               counts));
    }
    *out = counts[OCT_UNKNOWN];
    return OCT_OK;
}

static oct_result look(tour *t)
{
    uint64_t before, after;
    OCT_TRY(gather_things(t));
    OCT_TRY(count_unknown(t, &before));
    const oct_view view = view_of(t);
    tour_event event = {
        .step = TOUR_LOOK, .at = t->out->at, .forward = t->forward, .fov = t->def->fov};
    uint64_t begin = now(t);
    OCT_TRY(oct_map_observe(t->def->map, &view, t->things.items, t->things.count, &event.seen));
    if (t->def->baseline) {
        begin = now(t); // what deciding about sight took is not the baseline's time
        OCT_TRY(oct_baseline_map_repeat(t->def->baseline, t->def->map, t->things.items,
                                        t->things.count));
    }
    event.time = now(t) - begin;
    t->out->looks++;
    t->out->look_time += event.time;
    keep_seen(t);
    OCT_TRY(count_unknown(t, &after));
    event.known = before - after;
    event.added = t->added.items;
    event.added_count = t->added.count;
    tell(t, &event);
    return OCT_OK;
}

// At a place that looking along the way did not show all around of: at what is unknown next to it.
static oct_result look_aside(tour *t, oct_vec cell)
{
    const tour_def *const def = t->def;
    const int dims = (int)oct_tree_dims(oct_map_tree(def->map));
    for (int face = 0; face < 2 * dims && def->fov < 360.0 && !t->stopped; face++) {
        if (frontier_is_unknown(def->map, def->bounds, cell, face)) {
            t->forward =
                (oct_point){frontier_faces[face].x, frontier_faces[face].y, frontier_faces[face].z};
            OCT_TRY(look(t));
        }
    }
    return OCT_OK;
}

// ---- moving ----

static double distance(oct_point a, oct_point b, oct_point *way)
{
    *way = point_sub(b, a);
    return sqrt(way->x * way->x + way->y * way->y + way->z * way->z);
}

// Goes on along the path by a step, from its point *next on.
static oct_result move(tour *t, const oct_path *path, uint32_t *next)
{
    tour_result *const out = t->out;
    double left = t->def->step;
    tour_event event = {.step = TOUR_MOVE};
    t->stretch.count = 0;
    while (*next < path->point_count && left > 0.0) {
        oct_point way, to = path->points[*next];
        double length = distance(out->at, to, &way);
        if (length > 0.0) {
            t->forward = (oct_point){way.x / length, way.y / length, way.z / length};
        }
        if (length > left) {
            const double share = left / length;
            to = (oct_point){out->at.x + way.x * share, out->at.y + way.y * share,
                             out->at.z + way.z * share};
            length = left;
        } else {
            ++*next;
        }
        if (length > 0.0) {
            OCT_TRY(oct_array_push(&t->stretch, &t->allocator, sizeof to, &to));
        }
        left -= length;
        event.length += length;
        out->at = to;
    }
    out->travelled += event.length;
    out->moves++;
    event.at = out->at;
    event.points = t->stretch.items;
    event.point_count = t->stretch.count;
    tell(t, &event);
    return OCT_OK;
}

static bool is_tired(const tour *t)
{
    return t->def->distance_max > 0.0 && t->out->travelled >= t->def->distance_max;
}

static bool is_spent(const tour *t)
{
    return is_tired(t) || (t->def->calls_max > 0 && t->out->calls >= t->def->calls_max);
}

// Follows a path, to its end or until what it was chosen for is known.
static oct_result follow(tour *t, const oct_exploration *plan)
{
    const tour_def *const def = t->def;
    const bool is_search = plan->status == OCT_EXPLORE_GO;
    uint32_t next = 1;
    do {
        OCT_TRY(move(t, &plan->path, &next));
        if (t->stopped) {
            return OCT_OK;
        }
        OCT_TRY(look(t));
        if (is_search && !frontier_cell(def->map, def->bounds, plan->frontier)) {
            return OCT_OK;
        }
    } while (next < plan->path.point_count && !t->stopped && !is_tired(t));
    return is_search && next >= plan->path.point_count && !t->stopped
               ? look_aside(t, plan->frontier)
               : OCT_OK;
}

// ---- the whole ----

static oct_result choose(const tour_def *def, oct_point from, oct_exploration *plan)
{
    if (def->baseline) {
        OCT_TRY(oct_baseline_map_arrive(def->baseline, def->bounds, from));
        return oct_baseline_map_explore(def->baseline, def->bounds, from, plan);
    }
    OCT_TRY(oct_explorer_arrive(def->explorer, from));
    switch (def->task) {
    case TOUR_TO:
        return oct_explorer_next_towards(def->explorer, from, def->to, plan);
    case TOUR_FIND:
        return oct_explorer_next_to_find(def->explorer, from, def->wanted, def->wanted_ctx, plan);
    case TOUR_EXPLORE:
        break;
    }
    return oct_explorer_next(def->explorer, from, plan);
}

static oct_result ask(tour *t, oct_exploration *plan)
{
    const oct_point from = t->out->at;
    const uint64_t begin = now(t);
    OCT_TRY(choose(t->def, from, plan));
    const uint64_t took = now(t) - begin;
    tour_result *const out = t->out;
    out->calls++;
    out->plan_time += took;
    out->plan_time_max = took > out->plan_time_max ? took : out->plan_time_max;
    out->has_found = plan->has_found;
    out->found = plan->found;
    tell(t, &(tour_event){
                .step = TOUR_PLAN, .at = from, .time = took, .plan = plan, .call = out->calls});
    return OCT_OK;
}

// Whether there is more to do after a call.
static oct_result act(tour *t, const oct_exploration *plan, bool *more)
{
    static const tour_status ends[OCT_EXPLORE_STATUS_COUNT] = {
        [OCT_EXPLORE_ARRIVE] = TOUR_ARRIVED,          [OCT_EXPLORE_EXPLORED] = TOUR_EXPLORED,
        [OCT_EXPLORE_BOUNDED] = TOUR_BOUNDED,         [OCT_EXPLORE_ENDED] = TOUR_STOPPED,
        [OCT_EXPLORE_UNREACHABLE] = TOUR_UNREACHABLE,
    };
    const bool has_path = plan->status == OCT_EXPLORE_GO || plan->status == OCT_EXPLORE_ARRIVE;
    if (has_path && !t->stopped) {
        OCT_TRY(follow(t, plan));
    }
    const oct_point at = t->out->at;
    oct_point way;
    const bool is_there =
        plan->status != OCT_EXPLORE_ARRIVE || plan->path.point_count == 0 ||
        !(distance(at, plan->path.points[plan->path.point_count - 1], &way) > 0.0);
    *more = false;
    if (t->stopped) {
        t->out->status = TOUR_STOPPED;
    } else if (plan->status != OCT_EXPLORE_GO && is_there) {
        t->out->status = ends[plan->status];
    } else if (is_spent(t)) {
        t->out->status = TOUR_BUDGET;
    } else {
        *more = true;
    }
    return OCT_OK;
}

static oct_result run(tour *t)
{
    oct_exploration plan;
    // A body that sees one direction at a time turns around once: what it is in has to be known.
    OCT_TRY(look(t));
    t->out->status = TOUR_STOPPED;
    for (bool more = !t->stopped; more;) {
        OCT_TRY(ask(t, &plan));
        OCT_TRY(act(t, &plan, &more));
    }
    return OCT_OK;
}

oct_result oct_tour_run(const tour_def *def, tour_result *out)
{
    if (!(def->step > 0.0) || !(def->radius > 0.0) ||
        (def->baseline && def->task != TOUR_EXPLORE)) {
        return OCT_ERROR_ARGUMENT;
    }
    *out = (tour_result){.at = def->start};
    tour t = {.def = def,
              .allocator = oct_allocator_or_default(def->allocator),
              .out = out,
              .forward = def->forward};
    const oct_result result = run(&t);
    oct_array_free(&t.things, &t.allocator, sizeof(oct_thing));
    oct_array_free(&t.added, &t.allocator, sizeof(oct_thing));
    oct_array_free(&t.stretch, &t.allocator, sizeof(oct_point));
    return result;
}
