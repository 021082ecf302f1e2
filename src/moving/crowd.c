// SPDX-License-Identifier: MIT
// Crowds: their units, and what a tick consists of.
#include "moving/crowd_internal.h"
#include "octant/tree.h"

#define CROWD_COOKIE 0x63726f77u
// Ticks ahead: enough for those who come nearer to half of the gap, and few enough for all sums.
#define HORIZON_MIN 3.0
#define HORIZON_MAX 1000.0
#define CHUNK 128 // units that one task decides about

oct_crowd_def oct_crowd_def_default(void)
{
    return (oct_crowd_def){.terms = oct_terms_default(),
                           .ticks_per_second = 20.0,
                           .horizon = 0.5,
                           .plan_budget = 2000,
                           .cookie = CROWD_COOKIE};
}

// ---- life ----

static void run_here(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        task(arg, i, 0);
    }
}

static bool def_is_valid(const oct_crowd_def *def)
{
    return def->cookie == CROWD_COOKIE && def->tree && def->ticks_per_second > 0.0 &&
           def->ticks_per_second <= 1e6 && def->horizon >= 0.0 && def->horizon <= 1e3;
}

// The first item of both arrays is none, so that 0 is no unit.
static oct_result reserve_units(oct_crowd *c, size_t capacity)
{
    if (capacity > UINT32_MAX / 2) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_array_reserve(&c->units, &c->allocator, sizeof(unit), capacity));
    OCT_TRY(oct_array_reserve(&c->moves, &c->allocator, sizeof(unit_move), capacity));
    if (c->units.count == 0) {
        *unit_at(c, 0) = (unit){.is_used = false};
        c->units.count = c->moves.count = 1;
    }
    return OCT_OK;
}

oct_result oct_crowd_create(const oct_crowd_def *def, oct_crowd **out)
{
    *out = NULL;
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_terms_check(&def->terms));
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_crowd *const c = oct_alloc(&allocator, sizeof *c, _Alignof(oct_crowd));
    if (!c) {
        return OCT_ERROR_MEMORY;
    }
    const double ahead = def->horizon * def->ticks_per_second;
    *c = (oct_crowd){.allocator = allocator,
                     .executor = def->executor ? *def->executor : (oct_executor){run_here, NULL, 1},
                     .tree = def->tree,
                     .terms = def->terms,
                     .cell_size = oct_tree_cell_size(def->tree),
                     .ticks_per_second = def->ticks_per_second,
                     .horizon = ahead < HORIZON_MIN   ? HORIZON_MIN
                                : ahead > HORIZON_MAX ? HORIZON_MAX
                                                      : ahead,
                     .second = def->ticks_per_second > 1.0 ? (uint32_t)def->ticks_per_second : 1,
                     .budget = def->plan_budget ? def->plan_budget : UINT64_MAX,
                     .revision = oct_tree_revision(def->tree)};
    oct_view_init(&c->map, c->tree, &c->terms);
    c->index.dims = c->map.dims;
    oct_result result = oct_planning_create(c, def);
    result = result == OCT_OK ? reserve_units(c, 1) : result;
    if (result != OCT_OK) {
        oct_crowd_destroy(c);
        return result;
    }
    *out = c;
    return OCT_OK;
}

void oct_crowd_destroy(oct_crowd *c)
{
    if (!c) {
        return;
    }
    const oct_allocator allocator = c->allocator;
    oct_planning_free(c);
    oct_unit_index_free(&c->index, &c->allocator);
    oct_array_free(&c->pool.items, &allocator, sizeof(waypoint));
    oct_array_free(&c->units, &allocator, sizeof(unit));
    oct_array_free(&c->moves, &allocator, sizeof(unit_move));
    oct_free(&allocator, c, sizeof *c);
}

// ---- places ----

uint32_t oct_crowd_octants(const view *v, oct_fine at, uint32_t before)
{
    const uint32_t open = oct_view_octants(v, at);
    const uint32_t own = open & before ? open & before : open;
    return view_joined(v, own & (0u - own), open);
}

// ---- units ----

static unit *find_unit(const oct_crowd *c, oct_unit id)
{
    unit *const u = id.index > 0 && id.index < c->units.count ? unit_at(c, id.index) : NULL;
    return u && u->is_used && u->generation == id.generation ? u : NULL;
}

// A point of the world on the sub-lattice, within the bounds.
static bool locate(const oct_crowd *c, oct_point at, oct_fine *out)
{
    oct_vec cell;
    if (!oct_tree_cell_at(c->tree, at, &cell) || !oct_tree_fine_at(c->tree, at, out) ||
        !view_holds(&c->map, cell)) {
        return false;
    }
    out->z = c->map.dims == 2 ? FLAT_Z : out->z;
    return true;
}

typedef struct overlap_search {
    const oct_crowd *crowd;
    oct_fine at;
    double radius;
} overlap_search;

static bool is_apart(void *ctx, uint32_t index)
{
    const overlap_search *const s = ctx;
    const unit *const other = unit_at(s->crowd, index);
    const oct_point apart = fine_apart(s->at, other->at);
    const double least = s->radius + other->radius;
    return point_dot(apart, apart) >= least * least;
}

static oct_result take_unit(oct_crowd *c, uint32_t *index)
{
    if (!c->free_unit && c->units.count == c->units.capacity) {
        OCT_TRY(reserve_units(c, c->units.count + c->units.count / 2 + 1));
    }
    OCT_TRY(oct_planning_reserve(c, c->unit_count + 1u));
    OCT_TRY(oct_unit_index_reserve(&c->index, &c->allocator, (uint32_t)c->units.count + 1u));
    *index = c->free_unit ? c->free_unit : (uint32_t)c->units.count;
    if (c->free_unit) {
        c->free_unit = unit_at(c, *index)->next_free;
    } else {
        *unit_at(c, *index) = (unit){.generation = 0};
        c->units.count++;
        c->moves.count++;
    }
    return OCT_OK;
}

oct_result oct_crowd_add(oct_crowd *c, const oct_unit_def *def, oct_unit *out)
{
    *out = (oct_unit){0, 0};
    const double fine = OCT_FINE / c->cell_size;
    const double step = def->speed / c->ticks_per_second * fine, radius = def->radius * fine;
    oct_fine at;
    if (!(step >= OCT_UNIT_SPEED_MIN * OCT_FINE * 0.999999) ||
        !(step <= OCT_UNIT_SPEED_MAX * OCT_FINE) || !(radius > 0.0) ||
        !(radius <= OCT_UNIT_RADIUS_MAX * OCT_FINE) || !locate(c, def->at, &at)) {
        return OCT_ERROR_RANGE;
    }
    overlap_search s = {c, at, radius};
    if (!oct_unit_index_near(&c->index, at, radius, is_apart, &s)) {
        return OCT_ERROR_EXISTS;
    }
    uint32_t index;
    OCT_TRY(take_unit(c, &index));
    const double reach = step * c->horizon + 4.0;
    oct_unit_index_put(&c->index, index, at, radius + reach);
    const uint32_t generation = unit_at(c, index)->generation + 1u;
    *unit_at(c, index) = (unit){.at = at,
                                .radius = radius,
                                .status = OCT_UNIT_IDLE,
                                .is_used = true,
                                .octants = oct_crowd_octants(&c->map, at, 0),
                                .step = step,
                                .reach = reach,
                                .generation = generation};
    c->unit_count++;
    *out = (oct_unit){index, generation};
    return OCT_OK;
}

static void drop_path(oct_crowd *c, unit *u)
{
    oct_waypoints_give(&c->pool, u->first, 0);
    u->first = u->target = 0;
    u->stalled = 0;
}

oct_result oct_crowd_remove(oct_crowd *c, oct_unit id)
{
    unit *const u = find_unit(c, id);
    if (!u) {
        return OCT_ERROR_ABSENT;
    }
    drop_path(c, u);
    oct_unit_index_take(&c->index, id.index);
    u->is_used = false;
    u->next_free = c->free_unit;
    c->free_unit = id.index;
    c->unit_count--;
    return OCT_OK;
}

size_t oct_crowd_count(const oct_crowd *c)
{
    return c->unit_count;
}

oct_result oct_crowd_send(oct_crowd *c, oct_unit id, oct_point goal, double tolerance)
{
    unit *const u = find_unit(c, id);
    oct_fine at;
    if (!u) {
        return OCT_ERROR_ABSENT;
    }
    if (!(tolerance >= 0.0) || !locate(c, goal, &at)) {
        return OCT_ERROR_RANGE;
    }
    drop_path(c, u);
    u->goal = at;
    u->goal_point = goal;
    u->tolerance = tolerance * OCT_FINE / c->cell_size;
    u->has_goal = true;
    u->is_held = false;
    u->status = OCT_UNIT_WAITING;
    if (!u->is_queued) {
        oct_planning_ask(c, id.index, WISH_PATH);
    }
    return OCT_OK;
}

oct_result oct_crowd_stop(oct_crowd *c, oct_unit id)
{
    unit *const u = find_unit(c, id);
    if (!u) {
        return OCT_ERROR_ABSENT;
    }
    drop_path(c, u);
    u->has_goal = u->is_held = false;
    u->status = OCT_UNIT_IDLE;
    return OCT_OK;
}

bool oct_crowd_state(const oct_crowd *c, oct_unit id, oct_unit_state *out)
{
    const unit *const u = find_unit(c, id);
    if (!u) {
        return false;
    }
    const double metre = c->cell_size / OCT_FINE;
    *out = (oct_unit_state){.at = oct_tree_point(c->tree, u->at),
                            .velocity = point_scale(u->velocity, metre * c->ticks_per_second),
                            .place = u->at,
                            .radius = u->radius * metre,
                            .status = (oct_unit_status)u->status,
                            .waited =
                                u->is_queued && u->has_goal ? (uint32_t)(c->tick - u->asked) : 0};
    return true;
}

// ---- time ----

// What the map has changed since the last tick.
static void look_at_changes(oct_crowd *c)
{
    const uint64_t now = oct_tree_revision(c->tree);
    c->has_changed = now != c->revision;
    c->changes_all = false;
    c->change_count = 0;
    if (!c->has_changed) {
        return;
    }
    oct_view_init(&c->map, c->tree, &c->terms);
    c->changes_all =
        now - c->revision > CHANGES_MAX ||
        oct_tree_changes(c->tree, c->revision, c->changes, CHANGES_MAX, &c->change_count) != OCT_OK;
    c->revision = now;
}

static void run_part(void *arg, uint32_t index, uint32_t worker)
{
    oct_crowd *const c = arg;
    (void)worker;
    if (index == 0) {
        oct_planning_run(c);
        return;
    }
    const size_t first = (size_t)(index - 1u) * CHUNK, end = first + CHUNK;
    oct_crowd_decide(c, (uint32_t)first, (uint32_t)(end < c->units.count ? end : c->units.count));
}

static void make_move(oct_crowd *c, uint32_t index)
{
    unit *const u = unit_at(c, index);
    const unit_move *const m = move_at(c, index);
    u->velocity = fine_apart(u->at, m->at);
    u->at = m->at;
    u->octants = m->octants;
    oct_unit_index_move(&c->index, index, u->at);
    u->heading = m->heading;
    u->status = m->status;
    u->is_held = m->is_held;
    c->stats.checks += m->is_checked;
    oct_waypoints_give(&c->pool, u->first, u->target);
    u->first = u->target;
    if (m->wish == WISH_PATH && !u->is_queued) {
        oct_planning_ask(c, index, WISH_PATH);
    } else if (m->wish == WISH_SHORT && !u->is_checked) {
        oct_planning_ask(c, index, WISH_SHORT);
    }
}

oct_result oct_crowd_step(oct_crowd *c)
{
    look_at_changes(c);
    const uint32_t chunks = (uint32_t)((c->units.count + CHUNK - 1u) / CHUNK);
    c->executor.run(c->executor.ctx, chunks + 1u, run_part, c);
    for (uint32_t i = 1; i < c->units.count; i++) {
        if (unit_at(c, i)->is_used) {
            make_move(c, i);
        }
    }
    c->tick++;
    c->stats.ticks++;
    return oct_planning_deliver(c);
}

// ---- measures ----

oct_crowd_stats oct_crowd_measure(const oct_crowd *c)
{
    const planning *const plan = &c->plan;
    oct_crowd_stats stats = c->stats;
    for (uint32_t i = 1; i < c->units.count; i++) {
        stats.waiting +=
            unit_at(c, i)->is_used && unit_at(c, i)->is_queued && unit_at(c, i)->has_goal;
    }
    stats.bytes =
        sizeof *c + c->units.capacity * sizeof(unit) + c->moves.capacity * sizeof(unit_move) +
        oct_unit_index_bytes(&c->index) + c->pool.items.capacity * sizeof(waypoint) +
        (plan->queue.size + plan->short_queue.size) * sizeof(request) +
        plan->answers.capacity * sizeof(answer) + plan->points.capacity * sizeof(oct_fine);
    stats.planner_bytes = oct_planner_bytes(plan->paths) + oct_planner_bytes(plan->shorts);
    return stats;
}

static bool unit_is_valid(const oct_crowd *c, uint32_t index, size_t *waypoints)
{
    const unit *const u = unit_at(c, index);
    const index_entry *const e = &c->index.entries[index];
    if (e->size == INDEX_OUT || !fine_equal(e->at, u->at) || u->first != u->target) {
        return false;
    }
    for (uint32_t at = u->first; at != 0; at = waypoint_at(&c->pool, at)->next) {
        if (at >= c->pool.items.count || ++*waypoints > c->pool.items.count) {
            return false;
        }
    }
    for (uint32_t i = index + 1u; i < c->units.count; i++) {
        overlap_search s = {c, u->at, u->radius};
        if (unit_at(c, i)->is_used && !is_apart(&s, i)) {
            return false;
        }
    }
    return true;
}

bool oct_crowd_is_valid(const oct_crowd *c)
{
    size_t waypoints = 0;
    uint32_t used = 0;
    for (uint32_t i = 1; i < c->units.count; i++) {
        if (unit_at(c, i)->is_used) {
            used++;
            if (!unit_is_valid(c, i, &waypoints)) {
                return false;
            }
        }
    }
    const size_t held = waypoints + c->pool.free_count + (c->pool.items.count > 0);
    return used == c->unit_count && held == c->pool.items.count &&
           oct_unit_index_is_valid(&c->index);
}
