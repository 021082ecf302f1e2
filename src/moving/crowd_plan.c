// SPDX-License-Identifier: MIT
// Planning for a crowd: a queue, a budget of expansions a tick, and searches in slices.
//
// Requests are served in the order in which they came. A search that the budget does not end goes
// on in the next tick; one that the map has overtaken twice is brought to its end at once, and what
// it takes beyond the budget is taken from the ticks that follow. Short searches, to the next
// waypoint, come first, but get no more than half.
//
// A path to a goal serves others that wait for the same goal, if they stand near enough to join it:
// where the first one and the other see each other, the other's shortest path is no shorter than
// the first one's less the distance between them. If the way to a waypoint of the path and on along
// it is at most a tenth longer than that, it is taken. (Searching backwards from the goal by A*,
// as He and Hung 2016, 4.7 has it, was measured too: docs/internals/decisions.md.)
#include "moving/crowd_internal.h"
#include "octant/tree.h"

#include "octant/search.h"

#define QUERY_COST 4       // what a search costs in addition to its expansions
#define SHORT_BUDGET 64    // expansions of a short search at most
#define SHARE_LONGER 1.1   // a shared path may be so much longer than a bound of the shortest
#define SHARE_LOOKS 4      // waypoints of a path that others look for
#define SHARE_WAITING 4096 // requests that are looked through
#define RESTARTS_MAX 2

// ---- life ----

oct_result oct_planning_create(oct_crowd *c, const oct_crowd_def *def)
{
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = c->tree;
    planner.components[0] = def->components[0];
    planner.components[1] = def->components[1];
    planner.allocator = &c->allocator;
    OCT_TRY(oct_planner_create(&planner, &c->plan.paths));
    return oct_planner_create(&planner, &c->plan.shorts);
}

static void ring_free(request_ring *ring, const oct_allocator *allocator)
{
    oct_free(allocator, ring->items, ring->size * sizeof *ring->items);
}

void oct_planning_free(oct_crowd *c)
{
    oct_planner_destroy(c->plan.paths);
    oct_planner_destroy(c->plan.shorts);
    ring_free(&c->plan.queue, &c->allocator);
    ring_free(&c->plan.short_queue, &c->allocator);
    oct_array_free(&c->plan.answers, &c->allocator, sizeof(answer));
    oct_array_free(&c->plan.points, &c->allocator, sizeof(oct_fine));
}

// ---- queues ----

static request *ring_at(const request_ring *ring, size_t i)
{
    return &ring->items[(ring->first + i) % ring->size];
}

static oct_result ring_reserve(request_ring *ring, const oct_allocator *allocator, size_t units)
{
    const size_t needed = ring->count + units; // besides those that wait each may come once
    if (needed <= ring->size) {
        return OCT_OK;
    }
    const size_t size = needed + needed / 2;
    request *const items = oct_alloc(allocator, size * sizeof *items, _Alignof(request));
    if (!items) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < ring->count; i++) {
        items[i] = *ring_at(ring, i);
    }
    ring_free(ring, allocator);
    *ring = (request_ring){items, size, 0, ring->count};
    return OCT_OK;
}

static void ring_push(request_ring *ring, request one)
{
    OCT_ASSERT(ring->count < ring->size);
    ring->count++;
    *ring_at(ring, ring->count - 1u) = one;
}

static void ring_pop(request_ring *ring)
{
    ring->first = (ring->first + 1u) % ring->size;
    ring->count--;
}

oct_result oct_planning_reserve(oct_crowd *c, size_t units)
{
    OCT_TRY(ring_reserve(&c->plan.queue, &c->allocator, units));
    return ring_reserve(&c->plan.short_queue, &c->allocator, units);
}

void oct_planning_ask(oct_crowd *c, uint32_t index, wish kind)
{
    unit *const u = unit_at(c, index);
    request one = {index, u->generation, u->goal};
    if (kind == WISH_PATH) {
        u->is_queued = true;
        u->asked = c->tick;
        ring_push(&c->plan.queue, one);
    } else {
        u->is_checked = true;
        one.to = waypoint_at(&c->pool, u->target)->at;
        ring_push(&c->plan.short_queue, one);
    }
}

// The unit of a request, or NULL where it is gone.
static const unit *asker(const oct_crowd *c, const request *r)
{
    const unit *const u = unit_at(c, r->index);
    return r->index && u->is_used && u->generation == r->generation ? u : NULL;
}

// ---- answers ----

static oct_result note_answer(oct_crowd *c, const request *r, wish kind, oct_fine to,
                              const oct_fine *points, size_t count, bool is_shared)
{
    planning *const plan = &c->plan;
    const answer one = {.index = r->index,
                        .generation = r->generation,
                        .to = to,
                        .first = plan->points.count,
                        .count = count,
                        .kind = (uint8_t)kind,
                        .found = count > 0,
                        .is_shared = is_shared};
    for (size_t i = 0; i < count; i++) {
        oct_fine at = points[i];
        at.z = c->map.dims == 3 ? at.z : FLAT_Z;
        const oct_result result =
            oct_array_push(&plan->points, &c->allocator, sizeof(oct_fine), &at);
        if (result != OCT_OK) {
            plan->points.count = one.first;
            return result;
        }
    }
    const oct_result result = oct_array_push(&plan->answers, &c->allocator, sizeof one, &one);
    plan->points.count = result == OCT_OK ? plan->points.count : one.first;
    return result;
}

// The part of a path that a unit goes along: without its start, and without a last leg into
// something.
static size_t points_of(const oct_path *path, const oct_fine **points)
{
    const size_t end = path->lattice_count - (path->enters_blocked && path->lattice_count > 1);
    const size_t first = end > 1 ? 1 : 0;
    const bool is_found = path->status == OCT_PATH_FOUND;
    *points = is_found ? path->lattice + first : NULL;
    return is_found ? end - first : 0;
}

// ---- searching ----

// One axis of a point: on the surface of the bounds, a step inwards. There it belongs to a cell
// beyond them, or may come to do so by rounding.
static int64_t step_inside(int64_t at, int32_t min, int32_t max)
{
    const int64_t lo = (int64_t)min * OCT_FINE, hi = (int64_t)max * OCT_FINE;
    return at <= lo ? lo + 1 : at >= hi ? hi - 1 : at;
}

static oct_point start_at(const oct_crowd *c, oct_fine at)
{
    const oct_box *const b = &c->map.bounds;
    return oct_tree_point(c->tree, (oct_fine){step_inside(at.x, b->min.x, b->max.x),
                                              step_inside(at.y, b->min.y, b->max.y),
                                              step_inside(at.z, b->min.z, b->max.z)});
}

static oct_query query_of(const oct_crowd *c, oct_fine from, oct_point to)
{
    oct_query query = oct_query_default();
    query.from = start_at(c, from);
    query.to = to;
    query.grade = OCT_GRADE_FAST;
    query.terms = c->terms;
    return query;
}

static oct_result search_short(oct_crowd *c, const request *r, const unit *u, int64_t *left)
{
    planning *const plan = &c->plan;
    const oct_fine *points;
    oct_path path;
    oct_query query = query_of(c, u->at, start_at(c, r->to));
    query.node_budget = SHORT_BUDGET;
    OCT_TRY(oct_planner_plan(plan->shorts, &query, &path));
    const size_t count = points_of(&path, &points);
    OCT_TRY(note_answer(c, r, WISH_SHORT, r->to, points, count, false));
    c->stats.short_searches++;
    c->stats.expanded += path.expanded;
    *left -= (int64_t)path.expanded + QUERY_COST;
    return OCT_OK;
}

static oct_result run_shorts(oct_crowd *c, int64_t *left)
{
    request_ring *const queue = &c->plan.short_queue;
    const int64_t least = *left / 2;
    while (queue->count > 0 && *left > least) {
        const request *const r = ring_at(queue, 0);
        const unit *const u = asker(c, r);
        if (u) {
            OCT_TRY(search_short(c, r, u, left));
        }
        ring_pop(queue);
    }
    return OCT_OK;
}

static bool sees(const oct_crowd *c, oct_fine a, oct_fine b)
{
    const spot from = {a, oct_view_octants(&c->map, a)}, to = {b, oct_view_octants(&c->map, b)};
    return oct_view_sees(&c->map, &from, &to);
}

// How many waypoints a unit leaves out that joins a path; -1 where it had better not. Lengths are
// in cells.
static int join_at(const oct_crowd *c, oct_fine at, const oct_fine *points, size_t count,
                   double length)
{
    const oct_fine from = c->plan.from;
    if (!sees(c, at, from)) {
        return -1;
    }
    const double bound = length - oct_fine_distance(at, from);
    const double straight = oct_fine_distance(at, points[count - 1]);
    const double most = SHARE_LONGER * (bound > straight ? bound : straight);
    double rest = length - oct_fine_distance(from, points[0]); // from point i on
    int best = -1;
    for (size_t i = 0; i < count && i < SHARE_LOOKS; i++) {
        if (oct_fine_distance(at, points[i]) + rest <= most && sees(c, at, points[i])) {
            best = (int)i;
        }
        rest -= i + 1 < count ? oct_fine_distance(points[i], points[i + 1]) : 0.0;
    }
    return best;
}

// Lets others that wait for the same goal join a path.
static oct_result share(oct_crowd *c, const oct_path *path, const oct_fine *points, size_t count,
                        int64_t *left)
{
    request_ring *const queue = &c->plan.queue;
    double length = oct_fine_distance(c->plan.from, points[0]);
    for (size_t i = 1; i < count; i++) {
        length += oct_fine_distance(points[i - 1], points[i]);
    }
    for (size_t i = 1; i < queue->count && i < SHARE_WAITING && !path->leaves_blocked && *left > 0;
         i++) {
        request *const r = ring_at(queue, i);
        const unit *const u = asker(c, r);
        if (!u || !u->has_goal || !fine_equal(u->goal, c->plan.goal)) {
            continue;
        }
        const int at = join_at(c, u->at, points, count, length);
        *left -= 1;
        if (at >= 0) {
            OCT_TRY(
                note_answer(c, r, WISH_PATH, c->plan.goal, points + at, count - (size_t)at, true));
            r->index = 0;
        }
    }
    return OCT_OK;
}

// What came out of the search for the first in the queue.
static oct_result end_search(oct_crowd *c, const oct_path *path, int64_t *left)
{
    planning *const plan = &c->plan;
    const oct_fine *points;
    const size_t count = points_of(path, &points);
    OCT_TRY(note_answer(c, ring_at(&plan->queue, 0), WISH_PATH, plan->goal, points, count, false));
    plan->is_running = false;
    c->stats.searches++;
    c->stats.expanded += path->expanded;
    const oct_result result = count > 0 ? share(c, path, points, count, left) : OCT_OK;
    ring_pop(&plan->queue);
    return result;
}

// Begins to search for the first in the queue, or goes on. Leaves it there until it is answered.
static oct_result run_first(oct_crowd *c, const unit *u, int64_t *left)
{
    planning *const plan = &c->plan;
    oct_path path;
    if (!plan->is_running || !fine_equal(plan->goal, u->goal)) {
        const oct_query query = query_of(c, u->at, u->goal_point);
        plan->is_running = false;
        OCT_TRY(oct_planner_begin(plan->paths, &query));
        plan->from = u->at;
        plan->goal = u->goal;
        plan->spent = 0;
        plan->is_running = true;
        *left -= QUERY_COST;
    }
    plan->is_running = false; // a failure ends it
    const uint64_t slice = plan->restarts >= RESTARTS_MAX ? UINT64_MAX
                           : *left > 0                    ? (uint64_t)*left
                                                          : 1u;
    OCT_TRY(oct_planner_step(plan->paths, slice, &path));
    if (path.status == OCT_PATH_RUNNING) {
        plan->is_running = true;
        plan->spent += slice;
        *left -= (int64_t)slice;
        return OCT_OK;
    }
    if (path.status == OCT_PATH_STALE) {
        plan->restarts++;
        c->stats.stale++;
        return OCT_OK;
    }
    plan->restarts = 0;
    *left -= (int64_t)(path.expanded - plan->spent);
    return end_search(c, &path, left);
}

static oct_result run_paths(oct_crowd *c, int64_t *left)
{
    request_ring *const queue = &c->plan.queue;
    while (queue->count > 0 && *left > 0) {
        const request *const r = ring_at(queue, 0);
        const unit *const u = asker(c, r);
        if (u && u->has_goal) {
            OCT_TRY(run_first(c, u, left));
            continue;
        }
        if (u) {
            OCT_TRY(note_answer(c, r, WISH_NOTHING, r->to, NULL, 0, false));
        }
        c->plan.is_running = false;
        c->plan.restarts = 0;
        ring_pop(queue);
    }
    return OCT_OK;
}

void oct_planning_run(oct_crowd *c)
{
    planning *const plan = &c->plan;
    const int64_t most = INT64_MAX / 4;
    const int64_t budget = c->budget < (uint64_t)most ? (int64_t)c->budget : most;
    int64_t left = budget - plan->debt;
    plan->answers.count = plan->points.count = 0;
    plan->result = run_shorts(c, &left);
    if (plan->result == OCT_OK) {
        plan->result = run_paths(c, &left);
    }
    plan->debt = left < 0 ? -left : 0;
}

// ---- handing out ----

static void note_wait(oct_crowd *c, const unit *u, bool is_shared)
{
    const uint32_t waited = (uint32_t)(c->tick - u->asked);
    c->stats.served++;
    c->stats.shared += is_shared;
    c->stats.wait_sum += waited;
    c->stats.wait_max = waited > c->stats.wait_max ? waited : c->stats.wait_max;
}

// Another request in the place of one that could not be answered; its time goes on.
static void ask_again(oct_crowd *c, uint32_t index)
{
    const uint64_t asked = unit_at(c, index)->asked;
    oct_planning_ask(c, index, WISH_PATH);
    unit_at(c, index)->asked = asked;
}

static oct_result deliver_path(oct_crowd *c, const answer *a)
{
    unit *const u = unit_at(c, a->index);
    u->is_queued = false;
    if (!u->has_goal || a->kind == WISH_NOTHING) {
        if (u->has_goal) {
            ask_again(c, a->index);
        }
        return OCT_OK;
    }
    const oct_result result = oct_waypoints_reserve(&c->pool, &c->allocator, a->count);
    if (result != OCT_OK || !fine_equal(a->to, u->goal)) {
        ask_again(c, a->index);
        return result;
    }
    note_wait(c, u, a->is_shared);
    oct_waypoints_give(&c->pool, u->first, 0);
    const oct_fine *const points = c->plan.points.items; // NULL if no answer has any
    u->first = u->target =
        oct_waypoints_make(&c->pool, a->count > 0 ? points + a->first : NULL, a->count, 0);
    u->nearest = HUGE_VAL;
    u->status = a->found ? OCT_UNIT_MOVING : OCT_UNIT_LOST;
    u->again = c->revision;
    return OCT_OK;
}

// Puts a way to the target before it. Where there is none, there is another path to be found.
static oct_result deliver_short(oct_crowd *c, const answer *a)
{
    unit *const u = unit_at(c, a->index);
    u->is_checked = false;
    if (!u->target || !fine_equal(waypoint_at(&c->pool, u->target)->at, a->to)) {
        return OCT_OK;
    }
    if (!a->found) {
        if (!u->is_queued) {
            oct_planning_ask(c, a->index, WISH_PATH);
        }
        return OCT_OK;
    }
    OCT_TRY(oct_waypoints_reserve(&c->pool, &c->allocator, a->count));
    u->first = u->target = oct_waypoints_make(
        &c->pool, (const oct_fine *)c->plan.points.items + a->first, a->count - 1u, u->target);
    u->nearest = HUGE_VAL;
    return OCT_OK;
}

oct_result oct_planning_deliver(oct_crowd *c)
{
    oct_result result = c->plan.result;
    for (size_t i = 0; i < c->plan.answers.count; i++) {
        const answer *const a = (const answer *)c->plan.answers.items + i;
        const unit *const u = unit_at(c, a->index);
        if (!u->is_used || u->generation != a->generation) {
            continue;
        }
        const oct_result one = a->kind == WISH_SHORT ? deliver_short(c, a) : deliver_path(c, a);
        result = result == OCT_OK ? one : result;
    }
    c->plan.answers.count = c->plan.points.count = 0;
    return result;
}
