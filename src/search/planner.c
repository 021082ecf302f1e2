// SPDX-License-Identifier: MIT
// Planners: from a query to a search and its budgets.
#include "search/planner.h"
#include "octant/components.h"
#include "octant/tree.h"

#include <math.h>

#define PLANNER_COOKIE 0x706c616eu
// Expansions between two looks at the clock.
#define CLOCK_STEP 64
// Cells around root, start and goal that count where UNKNOWN is free and nothing bounds it.
#define MARGIN 4

oct_planner_def oct_planner_def_default(void)
{
    return (oct_planner_def){.cookie = PLANNER_COOKIE};
}

// ---- life ----

// Components of another tree, or with another meaning of UNKNOWN, would call paths impossible that
// are there.
static bool def_is_valid(const oct_planner_def *def, const oct_tree *tree)
{
    const oct_components *const *const parts = def->components;
    return def->cookie == PLANNER_COOKIE &&
           (!parts[0] || oct_components_are_of(parts[0], tree, OCT_UNKNOWN_BLOCKED)) &&
           (!parts[1] || oct_components_are_of(parts[1], tree, OCT_UNKNOWN_OPEN));
}

oct_result oct_planner_create(const oct_planner_def *def, oct_planner **out)
{
    *out = NULL;
    const oct_tree *const tree = def->map ? oct_map_tree(def->map) : def->tree;
    if (!def_is_valid(def, tree)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_planner *const p = oct_alloc(&allocator, sizeof *p, _Alignof(oct_planner));
    if (!p) {
        return OCT_ERROR_MEMORY;
    }
    *p = (oct_planner){.allocator = allocator,
                       .tree = tree,
                       .keeps_components = def->map != NULL,
                       .components = {def->components[0], def->components[1]},
                       .lab = def->lab,
                       .search = {.allocator = allocator},
                       .taut = {.allocator = allocator}};
    *out = p;
    return OCT_OK;
}

void oct_planner_destroy(oct_planner *planner)
{
    if (!planner) {
        return;
    }
    const oct_allocator allocator = planner->allocator;
    oct_planner_free_spaces(planner);
    oct_components_destroy(planner->own[0]);
    oct_components_destroy(planner->own[1]);
    oct_search_free(&planner->search);
    oct_taut_free(&planner->taut);
    oct_array_free(&planner->places, &allocator, sizeof(spot));
    oct_array_free(&planner->ids, &allocator, sizeof(uint32_t));
    oct_array_free(&planner->points, &allocator, sizeof(oct_point));
    oct_array_free(&planner->lattice, &allocator, sizeof(oct_fine));
    oct_array_free(&planner->nodes, &allocator, sizeof(uint64_t));
    oct_array_free(&planner->records, &allocator, sizeof(oct_record));
    oct_array_free(&planner->order, &allocator, sizeof(uint32_t));
    oct_array_free(&planner->missed, &allocator, sizeof(size_t));
    oct_free(&allocator, planner, sizeof *planner);
}

size_t oct_planner_bytes(const oct_planner *planner)
{
    size_t components = 0;
    for (int i = 0; i < 2; i++) {
        components += planner->own[i] ? oct_components_measure(planner->own[i]).bytes : 0;
    }
    return sizeof *planner + components + oct_search_bytes(&planner->search) +
           oct_taut_bytes(&planner->taut) + planner->places.capacity * sizeof(spot) +
           oct_planner_space_bytes(planner) + planner->ids.capacity * sizeof(uint32_t) +
           planner->points.capacity * sizeof(oct_point) +
           planner->lattice.capacity * sizeof(oct_fine) +
           planner->nodes.capacity * sizeof(uint64_t) +
           planner->records.capacity * sizeof(oct_record) +
           planner->order.capacity * sizeof(uint32_t) + planner->missed.capacity * sizeof(size_t);
}

// The planner's own components, with what a query takes UNKNOWN for, at the map's revision.
static oct_result follow_components(oct_planner *p)
{
    const bool is_open = p->query.terms.unknown != OCT_UNKNOWN_BLOCKED;
    if (p->own[is_open]) {
        return oct_components_update(p->own[is_open]);
    }
    oct_components_def def = oct_components_def_default();
    def.tree = p->tree;
    def.unknown = is_open ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_BLOCKED;
    def.allocator = &p->allocator;
    OCT_TRY(oct_components_create(&def, &p->own[is_open]));
    p->components[is_open] = p->own[is_open];
    return OCT_OK;
}

// ---- a query's parts ----

oct_result oct_planner_locate(const oct_planner *p, oct_point at, oct_fine *fine, oct_vec *cell)
{
    if (!oct_tree_cell_at(p->tree, at, cell) || !oct_tree_fine_at(p->tree, at, fine)) {
        return OCT_ERROR_RANGE;
    }
    if (oct_tree_dims(p->tree) == 2) {
        fine->z = FLAT_Z;
        cell->z = 0;
    }
    return OCT_OK;
}

static oct_box around_cell(oct_vec cell)
{
    return (oct_box){cell, {cell.x + 1, cell.y + 1, cell.z + 1}};
}

static int32_t clamp_range(int64_t at)
{
    return at < -OCT_RANGE ? -OCT_RANGE : at > OCT_RANGE ? OCT_RANGE : (int32_t)at;
}

// What bounds a search where UNKNOWN is free and the query has no bounds.
static oct_box default_bounds(const oct_tree *tree, oct_vec from, oct_vec to)
{
    const oct_cell root = oct_tree_root(tree);
    oct_box box = box_union(around_cell(from), around_cell(to));
    if (root.level >= 0) {
        const int64_t edge = INT64_C(1) << root.level;
        box = box_union(box, (oct_box){{root.x, root.y, root.z},
                                       {clamp_range(root.x + edge), clamp_range(root.y + edge),
                                        clamp_range(root.z + edge)}});
    }
    return (oct_box){
        {clamp_range((int64_t)box.min.x - MARGIN), clamp_range((int64_t)box.min.y - MARGIN),
         clamp_range((int64_t)box.min.z - MARGIN)},
        {clamp_range((int64_t)box.max.x + MARGIN), clamp_range((int64_t)box.max.y + MARGIN),
         clamp_range((int64_t)box.max.z + MARGIN)}};
}

// ---- beginning ----

bool oct_planner_is_apart(const oct_planner *p)
{
    const space *const s = p->search.space;
    if (s->map.squeezes) {
        return false;
    }
    const oct_components *const parts = p->components[s->map.terms.unknown != OCT_UNKNOWN_BLOCKED];
    return parts && oct_components_revision(parts) == p->revision &&
           !oct_components_joined(parts, s->from.cell, s->to.cell);
}

// Makes the middle of a cell the goal.
static void set_goal(oct_planner *p, oct_vec cell)
{
    p->to = cell_middle(cell);
    p->query.to = oct_tree_point(p->tree, p->to);
}

// Begins a query of a map. Where nothing is free near start or goal, there is no path.
static oct_result begin_map(oct_planner *p)
{
    oct_vec from, to;
    space *s;
    OCT_TRY(oct_planner_locate(p, p->query.from, &p->from, &from));
    const oct_goals *const goals = p->query.goals;
    // Which of many goals it is does not matter yet.
    const bool has_goal =
        !goals || goals->nearest(goals->ctx, p->from, NULL, HUGE_VAL, HUGE_VAL, &to);
    if (goals) {
        set_goal(p, has_goal ? to : from);
    }
    OCT_TRY(oct_planner_locate(p, p->query.to, &p->to, &to));
    OCT_TRY(oct_planner_use_space(p, p->space_index, &s));
    if (!p->query.terms.bounds && p->query.terms.unknown != OCT_UNKNOWN_BLOCKED) {
        p->bounds = default_bounds(p->tree, from, to);
        p->query.terms.bounds = &p->bounds;
    }
    oct_view_init(&s->map, p->tree, &p->query.terms);
    // The far sides belong to the bounds.
    from = box_end_cell(&s->map.bounds, p->from, from);
    to = box_end_cell(&s->map.bounds, p->to, to);
    if (!view_holds(&s->map, from) || !view_holds(&s->map, to)) {
        return OCT_ERROR_RANGE;
    }
    p->kind->take(s, p);
    s->least_price = s->map.least_price;
    s->shortcut = 0.0;
    p->revision = oct_tree_revision(p->tree);
    OCT_TRY(p->keeps_components ? follow_components(p) : OCT_OK);
    p->search.space = s;
    if (!has_goal || !oct_view_anchor(&s->map, p->from, from, &s->from) ||
        !oct_view_anchor(&s->map, p->to, to, &s->to) ||
        (!p->query.partial && !p->is_shared && !goals && oct_planner_is_apart(p))) {
        s->sight_checks = 0;
        p->search.status = OCT_PATH_NONE;
        p->search.has_begun = false;
        p->search.nearest = 0;
        return OCT_OK;
    }
    return oct_planner_begin_space(p, s);
}

static oct_result begin_user(oct_planner *p)
{
    space *s;
    OCT_TRY(oct_planner_use_space(p, SPACE_USER, &s));
    p->kind->take(s, p);
    return oct_planner_begin_space(p, s);
}

oct_result oct_planner_begin(oct_planner *p, const oct_query *query)
{
    search_choice choice;
    search *const s = &p->search;
    p->is_running = false;
    OCT_TRY(oct_query_choose(query, p->lab, p->tree ? oct_tree_dims(p->tree) : 0, &choice));
    p->query = *query;
    p->algorithm = choice.algorithm;
    p->space_index = choice.space;
    s->expanded = s->generated = 0;
    s->is_recorded = query->record;
    s->is_partial = query->partial;
    s->steps.count = 0;
    p->budget_end = query->node_budget ? query->node_budget : UINT64_MAX;
    p->clock_end = query->clock ? query->clock(query->clock_ctx) + query->time_budget : 0;
    OCT_TRY(p->space_index == SPACE_USER ? begin_user(p) : begin_map(p));
    p->is_running = true;
    return OCT_OK;
}

// ---- running ----

bool oct_planner_may_have_missed(const oct_planner *p)
{
    return p->search.has_begun && p->algorithm->is_complete && p->kind->may_miss &&
           p->kind->may_miss(p->search.space);
}

// Begins anew in the space that misses nothing.
static oct_result ask_again(oct_planner *p)
{
    const space before = *p->search.space;
    space *s;
    OCT_TRY(oct_planner_use_space(p, p->kind->retry, &s));
    p->kind->take(s, p);
    s->map = before.map;
    s->from = before.from;
    s->to = before.to;
    s->directions = before.directions;
    s->estimate = before.estimate;
    s->least_price = before.least_price;
    OCT_TRY(oct_planner_begin_space(p, s));
    s->sight_checks = before.sight_checks;
    return OCT_OK;
}

oct_result oct_planner_run(oct_planner *p, uint64_t expansions, oct_path_status *status)
{
    search *const s = &p->search;
    const uint64_t slice_end =
        expansions < UINT64_MAX - s->expanded ? s->expanded + expansions : UINT64_MAX;
    *status = s->status;
    while (*status == OCT_PATH_RUNNING ||
           (*status == OCT_PATH_NONE && !p->is_shared && oct_planner_may_have_missed(p))) {
        if (*status == OCT_PATH_NONE) {
            OCT_TRY(ask_again(p));
        }
        if (s->expanded >= p->budget_end ||
            (p->query.clock && p->query.clock(p->query.clock_ctx) >= p->clock_end)) {
            *status = OCT_PATH_BUDGET;
            return OCT_OK;
        }
        if (s->expanded >= slice_end) {
            return OCT_OK;
        }
        s->pause = slice_end < p->budget_end ? slice_end : p->budget_end;
        if (p->query.clock && s->pause - s->expanded > CLOCK_STEP) {
            s->pause = s->expanded + CLOCK_STEP;
        }
        OCT_TRY(p->algorithm->run[p->space_index](s));
        *status = s->status;
    }
    return OCT_OK;
}

uint32_t oct_planner_verdict(const oct_planner *p, oct_path_status *status)
{
    const search *const s = &p->search;
    if (*status == OCT_PATH_FOUND) {
        return s->space->goal;
    }
    if (*status == OCT_PATH_NONE && !p->algorithm->is_complete && s->has_begun) {
        *status = OCT_PATH_UNDECIDED;
    }
    if (!p->query.partial || !s->nearest || *status == OCT_PATH_RUNNING ||
        *status == OCT_PATH_STALE) {
        return 0;
    }
    *status = *status == OCT_PATH_NONE ? OCT_PATH_PARTIAL : *status;
    return s->nearest;
}

// Of many goals the one that was reached is the query's.
static void arrive(oct_planner *p, uint32_t last)
{
    space *const s = p->search.space;
    const oct_fine at = p->kind->ops->at(s, last);
    const oct_vec cell = {fine_cell(at.x), fine_cell(at.y), s->map.dims == 3 ? fine_cell(at.z) : 0};
    set_goal(p, cell);
    s->to = (anchor){oct_view_spot(&s->map, p->to, cell), cell, false};
}

oct_result oct_planner_step(oct_planner *planner, uint64_t expansions, oct_path *out)
{
    oct_path_status status;
    *out = (oct_path){.status = OCT_PATH_NONE};
    if (!planner->is_running) {
        return OCT_ERROR_ARGUMENT;
    }
    planner->is_running = false; // a failure ends it
    if (planner->space_index != SPACE_USER &&
        oct_tree_revision(planner->tree) != planner->revision) {
        status = OCT_PATH_STALE;
    } else {
        OCT_TRY(oct_planner_run(planner, expansions, &status));
    }
    out->status = status;
    const uint32_t last = oct_planner_verdict(planner, &out->status);
    if (planner->query.goals && status == OCT_PATH_FOUND) {
        arrive(planner, last);
    }
    OCT_TRY(oct_planner_path(planner, last, false, out));
    planner->is_running = status == OCT_PATH_RUNNING;
    return OCT_OK;
}

oct_result oct_planner_plan(oct_planner *planner, const oct_query *query, oct_path *out)
{
    *out = (oct_path){.status = OCT_PATH_NONE};
    OCT_TRY(oct_planner_begin(planner, query));
    return oct_planner_step(planner, UINT64_MAX, out);
}
