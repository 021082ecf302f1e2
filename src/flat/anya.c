// SPDX-License-Identifier: MIT
// Anya (Harabor and Grastien 2013; with Öz and Aksakalli 2016): the shortest path there is through
// a flat map, without anything made in advance.
//
// A view is an interval of a lattice row together with the root that sees it. The cheapest path
// that goes on through it is worth the root's cost, the distance to its best point, and from there
// to the goal, or to the goal's mirror image where that lies on the root's side. A view is expanded
// into what the root sees on the next row; and where it ends at a corner, into what is seen around
// that corner, from there as the new root. A path along a row goes in stretches, each to the next
// point where a blocked cell beside it ends.
//
// Everything that decides what is seen is exact (flat/sweep.h). Costs are those of the other
// searches; a corner that is reached again at the same cost is followed only where more is seen.
#include "flat/intervals.h"

// How far beyond the view that is expanded a single further one may rank to be gone on with at
// once, cells: putting it into the list and taking it out again would cost more.
#define ANYA_ON 0.5

// ---- what the planner asks ----

static oct_fine anya_at(const space *base, uint32_t id)
{
    const interval_space *const s = (const interval_space *)base;
    return plane_fine(s->plane, interval_root_at(s, id)->at);
}

static double anya_estimate(const space *base, uint32_t id)
{
    const interval_space *const s = (const interval_space *)base;
    return cost_below(flat_distance(interval_root_at(s, id)->at, s->goal.at));
}

static double anya_cost(const space *base, uint32_t a, uint32_t b)
{
    const interval_space *const s = (const interval_space *)base;
    return cost_above(flat_distance(interval_root_at(s, a)->at, interval_root_at(s, b)->at));
}

static uint64_t anya_key(const space *base, uint32_t id)
{
    return space_key_of(anya_at(base, id));
}

// Roots see each other only as views tell; the path is made of roots alone.
const space_ops oct_anya_ops = {
    .estimate = anya_estimate, .cost = anya_cost, .at = anya_at, .key = anya_key};

// ---- views ----

typedef struct anya {
    search *s;
    interval_space *field;
    const bit_plane *plane;
    bool squeezes;
    uint32_t root;
    flat_point at; // of the root
    double g;
} anya;

static anya anya_from(search *s, uint32_t root)
{
    interval_space *const field = (interval_space *)s->space;
    return (anya){s,
                  field,
                  field->plane,
                  field->base.map.squeezes,
                  root,
                  interval_root_at(field, root)->at,
                  s->nodes[root].g};
}

static oct_result anya_push(const anya *a, const seen_span *span, double f, double far)
{
    search *const s = a->s;
    interval_space *const field = a->field;
    uint32_t id = field->free_view;
    if (id) {
        field->free_view = interval_view_at(field, id)->next;
    } else {
        if (OCT_UNLIKELY(field->views.count == field->views.capacity)) {
            OCT_TRY(oct_array_grow(&field->views, &s->allocator, sizeof(interval_view)));
        }
        id = (uint32_t)field->views.count++;
    }
    *interval_view_at(field, id) = (interval_view){.span = *span, .g = a->g, .root = a->root};
    s->generated++;
    const uint64_t place = (uint64_t)(uint32_t)span->row << 32 | (uint32_t)span->left.whole;
    return open_push(&s->open, &s->allocator,
                     (oct_heap_entry){.f = f, .g = a->g + far, .key = place, .id = id});
}

// Notes that the goal is seen from a root.
static oct_result anya_reach(const anya *a)
{
    search *const s = a->s;
    search_node *const n = &s->nodes[INTERVALS_GOAL];
    const double g = a->g + cost_above(flat_distance(a->at, a->field->goal.at));
    if (search_is_open(s, n) && n->g <= g) {
        return OCT_OK;
    }
    *n = (search_node){g, a->root, s->stamp};
    s->generated++;
    return open_push(&s->open, &s->allocator, (oct_heap_entry){.f = g, .g = g, .key = 0, .id = 0});
}

OCT_FORCE_INLINE double leg(double x, double y)
{
    return sqrt(x * x + y * y) * (1.0 / OCT_FINE);
}

// What the cheapest path through an interval is worth; *far is the root's distance to its point.
OCT_FORCE_INLINE double anya_rank(const anya *a, const seen_span *span, double *far)
{
    const flat_point goal = a->field->goal.at;
    const double x = (double)a->at.x, to = (double)goal.x, row = (double)flat_of(span->row);
    const double left = ray_value(span->left), right = ray_value(span->right);
    const double before = fabs(row - (double)a->at.y), behind = fabs((double)goal.y - row);
    double best = x + (to - x) * (before / (before + behind));
    best = best < left ? left : best > right ? right : best;
    *far = leg(best - x, before);
    return a->g + cost_below(*far + leg(to - best, behind));
}

OCT_FORCE_INLINE bool anya_end_bends(const anya *a, ray_x end, int32_t row)
{
    return ray_on_lattice(end) && sweep_bends_at(a->plane, a->squeezes, end.whole >> 8, row);
}

// Puts the parts of what is seen on a row into the list. Where there is one alone that no path
// bends at the ends of, and that ranks below `limit`, it is handed back instead to be gone on with.
OCT_FORCE_INLINE oct_result anya_emit(const anya *a, const seen_span *seen, double limit,
                                      seen_span *on, bool *goes_on)
{
    sweep_parts parts = sweep_divide(a->plane, seen);
    seen_span part;
    uint32_t count = 0;
    double f = 0.0, far = 0.0;
    *goes_on = false;
    while (sweep_part(&parts, seen, &part)) {
        if (!sweep_leads_on(a->plane, a->squeezes, &part)) {
            continue;
        }
        if (count > 0) {
            OCT_TRY(anya_push(a, on, f, far));
        }
        *on = part;
        f = anya_rank(a, on, &far);
        count++;
    }
    if (count == 0) {
        return OCT_OK;
    }
    *goes_on = count == 1 && f <= limit && !anya_end_bends(a, on->left, on->row) &&
               !anya_end_bends(a, on->right, on->row);
    return *goes_on ? OCT_OK : anya_push(a, on, f, far);
}

// Looks through a gate: for the goal, and at the row behind.
OCT_FORCE_INLINE oct_result anya_see(const anya *a, const sweep_gate *gate, double limit,
                                     seen_span *on, bool *goes_on)
{
    seen_span seen;
    *goes_on = false;
    if (OCT_UNLIKELY(sweep_finds(a->at, gate, &a->field->goal))) {
        OCT_TRY(anya_reach(a));
    }
    return sweep_through(a->at, gate, &seen) ? anya_emit(a, &seen, limit, on, goes_on) : OCT_OK;
}

// The same from a new root.
static oct_result anya_open(const anya *a, const sweep_gate *gate)
{
    seen_span on;
    bool goes_on;
    return anya_see(a, gate, -1.0, &on, &goes_on);
}

// The next stretch of a row from x on, and the goal on it.
static oct_result anya_along(const anya *a, int32_t x, int32_t row, int32_t way)
{
    const int32_t end = sweep_along(a->plane, x, row, way);
    const flat_point last = {flat_of(end), flat_of(row)};
    if (sweep_finds_along(a->plane, x, end, row, &a->field->goal)) {
        OCT_TRY(anya_reach(a));
    }
    const seen_span span = {.left = ray_at(flat_of(x)), .right = ray_at(last.x), .row = row};
    const double far = flat_distance(a->at, last);
    return anya_push(a, &span, a->g + cost_below(far + flat_distance(last, a->field->goal.at)),
                     far);
}

// ---- bends ----

// A root at a lattice point that the present one sees, if it is worth leaving: reached at a lower
// cost than before, or at the same cost so that more is seen. `side`: 0 bending to the left, 1 to
// the right; *to is set.
static oct_result anya_bend(const anya *a, int32_t x, int32_t row, uint32_t side, sweep_bend bend,
                            anya *to, bool *is_worth)
{
    search *const s = a->s;
    uint32_t id;
    OCT_TRY(oct_intervals_root(a->field, x, row, &id));
    OCT_TRY(search_cover(s));
    interval_root *const root = interval_root_at(a->field, id);
    search_node *const n = &s->nodes[id];
    const double g = a->g + cost_above(flat_distance(a->at, root->at));
    const bool is_met = search_is_open(s, n) || search_is_closed(s, n);
    if (!is_met || g < n->g) {
        *n = (search_node){g, a->root, s->stamp};
        root->via[0] = root->via[1] = 0;
    } else if (n->g < g) {
        *is_worth = false;
        return OCT_OK;
    }
    if (root->via[side]) {
        const flat_point before = interval_root_at(a->field, root->via[side])->at;
        // The point that the way from before goes on to, and the one that this way goes on to.
        const int64_t turn = flat_cross(root->at, before, a->at);
        if (bend == BEND_BETWEEN || (side ? turn <= 0 : turn >= 0)) {
            *is_worth = false;
            return OCT_OK;
        }
    }
    root->via[side] = a->root;
    *to = anya_from(s, id);
    *is_worth = true;
    return OCT_OK;
}

// What is seen around an end of an interval at which a path may bend.
static oct_result anya_turn(const anya *a, const seen_span *span, bool is_right)
{
    const sweep_bend bend = sweep_bend_at(a->plane, a->squeezes, a->at, span, is_right);
    if (OCT_LIKELY(bend == BEND_NONE || bend == BEND_STRAIGHT)) {
        return OCT_OK;
    }
    const int32_t row = span->row, step = span->step;
    const int32_t x = (is_right ? span->right : span->left).whole >> 8;
    anya to;
    bool is_worth;
    OCT_TRY(anya_bend(a, x, row, is_right == (step > 0), bend, &to, &is_worth));
    if (!is_worth) {
        return OCT_OK;
    }
    const flat_point straight = {2 * to.at.x - a->at.x, 2 * to.at.y - a->at.y};
    const flat_point upright = {to.at.x, flat_of(row + step)};
    const flat_point *const inner = bend == BEND_BETWEEN ? &upright : &straight;
    const flat_point *const outer = bend == BEND_UP ? &upright : NULL;
    const int32_t cell = sweep_bend_cell(x, is_right, bend);
    const sweep_gate gate = {sweep_run(a->plane, cell, span_cells(row, step)),
                             is_right ? inner : outer, is_right ? outer : inner, row + step, step};
    OCT_TRY(anya_open(&to, &gate));
    return bend == BEND_UP ? OCT_OK : anya_along(&to, x, row, is_right ? 1 : -1);
}

// What is seen above (step 1) or below a row from the point where a blocked cell beside it ends.
static oct_result anya_leave(const anya *a, int32_t x, int32_t row, int32_t way, int32_t step)
{
    const sweep_bend bend = sweep_leaves_at(a->plane, a->squeezes, x, row, way, step);
    anya to;
    bool is_worth;
    if (bend == BEND_NONE) {
        return OCT_OK;
    }
    OCT_TRY(anya_bend(a, x, row, (way > 0) != (step > 0), bend, &to, &is_worth));
    if (!is_worth) {
        return OCT_OK;
    }
    const flat_point upright = {to.at.x, flat_of(row + step)};
    const sweep_gate gate = {sweep_run(a->plane, way > 0 ? x : x - 1, span_cells(row, step)),
                             way > 0 ? &upright : NULL, way > 0 ? NULL : &upright, row + step,
                             step};
    return anya_open(&to, &gate);
}

static oct_result anya_expand_along(const anya *a, const seen_span *span)
{
    const int32_t way = span->right.whole > span->left.whole ? 1 : -1;
    const int32_t x = span->right.whole >> 8, row = span->row;
    OCT_TRY(anya_leave(a, x, row, way, 1));
    OCT_TRY(anya_leave(a, x, row, way, -1));
    return sweep_goes_on(a->plane, a->squeezes, x, row, way) ? anya_along(a, x, row, way) : OCT_OK;
}

static oct_result anya_expand(const anya *a, seen_span span, double limit)
{
    for (bool goes_on = true; goes_on;) {
        OCT_TRY(anya_turn(a, &span, false));
        OCT_TRY(anya_turn(a, &span, true));
        const sweep_gate gate = {sweep_ahead(a->plane, &span), &span.left_ray, &span.right_ray,
                                 span.row + span.step, span.step};
        seen_span on;
        OCT_TRY(anya_see(a, &gate, limit, &on, &goes_on));
        span = on;
    }
    return OCT_OK;
}

// ---- the search ----

// Counts an expansion: the start, a view of a root, or the goal.
static oct_result anya_count(search *s, uint32_t root)
{
    s->expanded++;
    s->nodes[root].stamp = s->stamp + 1u;
    return OCT_UNLIKELY(s->is_watched) ? oct_search_watch(&oct_anya_ops, s, root) : OCT_OK;
}

static oct_result anya_begin(search *s)
{
    const double h = anya_estimate(s->space, INTERVALS_START);
    oct_open_begin(&s->open, h, h);
    s->nodes[INTERVALS_START] = (search_node){0.0, INTERVALS_START, s->stamp};
    s->has_begun = true;
    OCT_TRY(anya_count(s, INTERVALS_START));
    const anya a = anya_from(s, INTERVALS_START);
    const spot *const from = &a.field->base.from.place;
    const sweep_goal *const goal = &a.field->goal;
    for (int32_t step = 1; step >= -1; step -= 2) {
        sweep_gate gate;
        int32_t x, row;
        if (sweep_first_gate(a.plane, from, step, &gate)) {
            if (sweep_finds_level(a.at, &gate, goal)) {
                OCT_TRY(anya_reach(&a));
            }
            OCT_TRY(anya_open(&a, &gate));
        }
        if (sweep_first_along(a.plane, from, step, &x, &row)) {
            OCT_TRY(anya_along(&a, x, row, step));
        }
    }
    return OCT_OK;
}

static oct_result anya_run(search *s)
{
    interval_space *const field = (interval_space *)s->space;
    if (!s->has_begun) {
        OCT_TRY(anya_begin(s));
    }
    for (;;) {
        oct_heap_entry top;
        bool found;
        OCT_TRY(search_next(s, &top, &found));
        if (OCT_UNLIKELY(!found)) {
            return OCT_OK;
        }
        const bool is_goal = top.id == 0;
        const interval_view taken = *interval_view_at(field, top.id);
        const uint32_t root = is_goal ? INTERVALS_GOAL : taken.root;
        if (!is_goal) {
            interval_view_at(field, top.id)->next = field->free_view;
            field->free_view = top.id;
        }
        if (s->nodes[root].g != (is_goal ? top.g : taken.g)) {
            continue; // a cheaper way to the root was found since
        }
        const uint32_t before = s->nodes[root].parent;
        if (is_goal && search_is_open(s, &s->nodes[before])) {
            // That root saw the goal as soon as it was met: it has its turn now.
            OCT_TRY(anya_count(s, before));
            OCT_TRY(open_push(&s->open, &s->allocator, top));
            continue;
        }
        OCT_TRY(anya_count(s, root));
        if (is_goal) {
            s->status = OCT_PATH_FOUND;
            return OCT_OK;
        }
        const anya a = anya_from(s, root);
        OCT_TRY(taken.span.step ? anya_expand(&a, taken.span, top.f + ANYA_ON)
                                : anya_expand_along(&a, &taken.span));
    }
}

const search_algorithm oct_search_anya = {.name = "anya",
                                          .run = {[SPACE_INTERVALS] = anya_run},
                                          .is_complete = true,
                                          .is_any_angle = true};
