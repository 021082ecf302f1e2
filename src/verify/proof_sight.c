// SPDX-License-Identifier: MIT
// Sight: everything that can be got at from where a body may be was in sight of some look.
//
// A cell was in sight of a look if all of it is within the look's radius and, where sight is by
// line, the way from the eye to the cell's middle meets nothing opaque before it enters the cell.
// A box that holds the eye hides nothing. What is opaque and not solid does not hide what it fills
// itself, nor anything from a body that is about to touch it. A cube of cells was in sight if
// nothing opaque meets the hull of the eye and the cube: that asks for more, and is asked first.
//
// Which cells: those that are reached and whose middle is not filled; and those beside them from
// whose middle straight steps from middle to middle, through nothing solid and no door that stays
// shut, lead to a reached cell, as many as a line of `reach` metres takes at most. What lies only
// in corners of cells whose middle is filled is not asked for: sight is decided in the middle. It
// must have been in range of a look; what is there was told then. So each thing that holds no open
// middle, and was in sight of no look itself, must be out of reach.
//
// Cells stay, and what moves may hide a place and carry it along to where all was seen before. So
// nothing is known to have been seen where anything moves that is in the way of a body or of sight.
#include "verify/proof_internal.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

#define CLOSE 2e-6  // a step so near to something solid does not pass it, metres
#define INNER 1e-9  // what only grazes a box so far inside is not hidden, metres
#define WITHIN 1e-6 // what the radius may be exceeded by, metres
#define TRIES 12    // looks that are tried for a whole cube
#define REGION 4    // cells of one cube of this level share the order of looks
#define STEPS 1.7320508075688774

// A look, with what was opaque then and is not always.
typedef struct view {
    oct_point eye;
    double radius;
    bool is_line;
    uint32_t first, count; // of `boxes`
} view;

// Something opaque; soft where bodies pass through it.
typedef struct screen {
    oct_bounds box;
    const proof_body *body;
    uint64_t is_soft; // 0 or 1: no byte of it is left open
} screen;

typedef struct view_order {
    double away;
    uint32_t view;
} view_order;

typedef struct sight_search {
    proof_check *c;
    oct_array opaque;  // of screen: always
    oct_array moving;  // of uint32_t: things that are opaque now and then, or here and there
    oct_array boxes;   // of screen
    oct_array views;   // of view
    double touches;    // so near to something soft a body looks through it, metres
    view_order *order; // nearest first
    oct_vec region;
    bool has_region;
    uint32_t last;       // the view that was of use last
    uint32_t last_range; // the same, for what has to be in range alone
    oct_array shut;      // of const proof_body *: doors that stay shut
    key_table visited;
    oct_array queue; // of beside
} sight_search;

typedef struct beside {
    oct_vec cell;
    uint32_t steps;
} beside;

// ---- views ----

// Whether a door is shut whenever somebody gets at it.
static bool is_shut_to_all(const proof_check *c, uint32_t door)
{
    return c->is_met ? !c->is_met[door] : !c->proof->doors[door].is_free;
}

// What an entity hides, by its bodies.
static oct_result add_screens(sight_search *s, const oct_entity *e, oct_array *list)
{
    proof_check *const c = s->c;
    const uint32_t version = (uint32_t)(e - c->log->things);
    const proof_bodies all = oct_proof_bodies_of(c, version);
    for (size_t i = 0; i < all.count; i++) {
        const screen new = {all.items[i].box, &all.items[i], e->thing.label == OCT_OPEN ? 1 : 0};
        OCT_TRY(oct_array_push(list, &c->allocator, sizeof new, &new));
    }
    return OCT_OK;
}

static oct_result list_opaque(sight_search *s)
{
    proof_check *const c = s->c;
    for (uint32_t i = 0; i < c->thing_count; i++) {
        const oct_entity *const e = oct_proof_entity(c, i);
        const bool is_fixed = c->things[i].stays && !c->things[i].is_door;
        if (!is_fixed) {
            OCT_TRY(oct_array_push(&s->moving, &c->allocator, sizeof i, &i));
        } else if (e->thing.opaque) {
            OCT_TRY(add_screens(s, e, &s->opaque));
        }
    }
    for (uint32_t d = 0; d < c->proof->door_count; d++) {
        const proof_bodies all = oct_proof_door_bodies(c, d);
        for (size_t i = 0; i < all.count && oct_proof_door_holds(c, d) && is_shut_to_all(c, d);
             i++) {
            const proof_body *const body = &all.items[i];
            OCT_TRY(oct_array_push(&s->shut, &c->allocator, sizeof body, &body));
        }
    }
    return OCT_OK;
}

static bool is_same_view(const sight_search *s, const view *a, const view *b)
{
    return a->eye.x == b->eye.x && a->eye.y == b->eye.y && a->eye.z == b->eye.z &&
           a->radius == b->radius && a->is_line == b->is_line && a->count == b->count &&
           (a->count == 0 ||
            memcmp((const screen *)s->boxes.items + a->first,
                   (const screen *)s->boxes.items + b->first, a->count * sizeof(screen)) == 0);
}

static oct_result add_view(void *ctx, const oct_log_look *look, const uint32_t *now)
{
    sight_search *const s = ctx;
    proof_check *const c = s->c;
    const uint32_t *const moving = s->moving.items;
    view new = {look->eye, look->radius, look->sight != OCT_SIGHT_THROUGH, (uint32_t)s->boxes.count,
                0};
    for (size_t i = 0; i < s->moving.count; i++) {
        const uint32_t version = now[moving[i]];
        const oct_entity *const e = version ? &c->log->things[version - 1] : NULL;
        if (e && e->thing.opaque) {
            OCT_TRY(add_screens(s, e, &s->boxes));
        }
    }
    new.count = (uint32_t)s->boxes.count - new.first;
    const view *const last =
        s->views.count > 0 ? (const view *)s->views.items + s->views.count - 1 : NULL;
    if (last && is_same_view(s, last, &new)) {
        s->boxes.count = new.first;
        return OCT_OK;
    }
    return oct_array_push(&s->views, &c->allocator, sizeof new, &new);
}

static int compare(const void *a, const void *b)
{
    const view_order *const x = a, *const y = b;
    return x->away != y->away ? (x->away < y->away ? -1 : 1)
                              : (x->view > y->view) - (x->view < y->view);
}

static void order_views(sight_search *s, oct_vec cell)
{
    const oct_vec region = {cell.x >> REGION, cell.y >> REGION, cell.z >> REGION};
    if (s->has_region && region.x == s->region.x && region.y == s->region.y &&
        region.z == s->region.z) {
        return;
    }
    s->has_region = true;
    s->region = region;
    const int32_t edge = (int32_t)1 << REGION;
    const oct_bounds b =
        proof_cells(s->c->proof, (oct_vec){region.x * edge, region.y * edge, region.z * edge}, edge,
                    edge, edge);
    const oct_bounds middle = {proof_middle(&b), proof_middle(&b)};
    const view *const views = s->views.items;
    for (uint32_t i = 0; i < s->views.count; i++) {
        s->order[i] = (view_order){proof_point_distance2(views[i].eye, &middle), i};
    }
    qsort(s->order, s->views.count, sizeof *s->order, compare);
}

// ---- lines ----

// After which part of the way to its middle a cell begins.
static double entry_of(oct_point eye, const oct_bounds *cell)
{
    const oct_point m = proof_middle(cell);
    const double from[3] = {eye.x, eye.y, eye.z}, to[3] = {m.x, m.y, m.z};
    const double lo[3] = {cell->min.x, cell->min.y, cell->min.z};
    const double hi[3] = {cell->max.x, cell->max.y, cell->max.z};
    double entry = 0.0;
    for (int i = 0; i < 3; i++) {
        const double way = to[i] - from[i];
        const double face = way > 0.0 ? lo[i] : hi[i];
        entry = way != 0.0 ? fmax(entry, (face - from[i]) / way) : entry;
    }
    return entry;
}

static bool is_off(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x > b->max.x || a->max.x < b->min.x || a->min.y > b->max.y ||
           a->max.y < b->min.y || a->min.z > b->max.z || a->max.z < b->min.z;
}

static bool holds(const oct_bounds *b, double more, const oct_bounds *what)
{
    return what->min.x >= b->min.x - more && what->max.x <= b->max.x + more &&
           what->min.y >= b->min.y - more && what->max.y <= b->max.y + more &&
           what->min.z >= b->min.z - more && what->max.z <= b->max.z + more;
}

static bool is_hidden_by(const sight_search *search, const view *v, const oct_bounds *to,
                         double entry, const screen *all, size_t count)
{
    const oct_bounds eye = {v->eye, v->eye}, around = bounds_join(eye, *to);
    for (size_t i = 0; i < count; i++) {
        const oct_bounds *const box = &all[i].box;
        const bool is_upright = all[i].body->frame == PROOF_UPRIGHT;
        if (is_off(&around, box) || oct_proof_holds(search->c, all[i].body, v->eye) ||
            (all[i].is_soft && is_upright &&
             (holds(box, INNER, to) || holds(box, search->touches, &eye)))) {
            continue;
        }
        const proof_stretch s = oct_proof_meet(search->c, all[i].body, v->eye, to);
        if (s.from <= s.to && s.from < entry) {
            return true;
        }
    }
    return false;
}

static bool is_within(const view *v, const oct_bounds *b)
{
    const double x = fmax(fabs(b->min.x - v->eye.x), fabs(b->max.x - v->eye.x));
    const double y = fmax(fabs(b->min.y - v->eye.y), fabs(b->max.y - v->eye.y));
    const double z = fmax(fabs(b->min.z - v->eye.z), fabs(b->max.z - v->eye.z));
    return x * x + y * y + z * z <= (v->radius + WITHIN) * (v->radius + WITHIN);
}

// Whether a look had all of a cube of cells in sight; exact for a single cell.
static bool sees(const sight_search *s, uint32_t index, const oct_bounds *b, bool is_cell)
{
    const view *const v = (const view *)s->views.items + index;
    if (!is_within(v, b) || !v->is_line) {
        return is_within(v, b);
    }
    const oct_point m = proof_middle(b);
    const oct_bounds to = is_cell ? (oct_bounds){m, m} : *b;
    const double entry = is_cell ? entry_of(v->eye, b) - 1e-9 : 2.0;
    const screen *const told = s->boxes.items; // NULL if no look told anything
    return !is_hidden_by(s, v, &to, entry, told ? told + v->first : NULL, v->count) &&
           !is_hidden_by(s, v, &to, entry, s->opaque.items, s->opaque.count);
}

static bool is_seen(sight_search *s, oct_vec cell, const oct_bounds *b, bool is_cell)
{
    const size_t count = s->views.count;
    if (s->last < count && sees(s, s->last, b, is_cell)) {
        return true;
    }
    order_views(s, cell);
    const size_t most = is_cell || count < TRIES ? count : TRIES;
    for (size_t i = 0; i < most; i++) {
        if (sees(s, s->order[i].view, b, is_cell)) {
            s->last = s->order[i].view;
            return true;
        }
    }
    return false;
}

// ---- where a body may be ----

static bool is_filled(const sight_search *s, oct_point at)
{
    const proof_body *const *const shut = s->shut.items;
    bool is = oct_proof_is_solid_at(s->c, at, 1e-6);
    for (size_t i = 0; i < s->shut.count && !is; i++) {
        is = oct_proof_distance(s->c, shut[i], at) <= 1e-6;
    }
    return is;
}

static bool was_in_range(sight_search *s, const oct_bounds *b)
{
    const view *const views = s->views.items;
    for (uint32_t i = 0; i < s->views.count; i++) {
        const uint32_t at = i == 0 ? s->last_range : i - 1;
        if (is_within(&views[at], b)) {
            s->last_range = at;
            return true;
        }
    }
    return s->views.count > 0 && is_within(&views[s->views.count - 1], b);
}

static oct_result check_range(sight_search *s, oct_vec cell)
{
    const oct_bounds b = proof_cells(s->c->proof, cell, 1, 1, 1);
    const oct_point m = proof_middle(&b);
    return was_in_range(s, &b)
               ? OCT_OK
               : oct_proof_reject(s->c, "%.2f, %.2f, %.2f was never in range", m.x, m.y, m.z);
}

static oct_result check_cell(sight_search *s, oct_vec cell)
{
    const oct_bounds b = proof_cells(s->c->proof, cell, 1, 1, 1);
    const oct_point m = proof_middle(&b);
    if (is_filled(s, m)) {
        return check_range(s, cell);
    }
    return is_seen(s, cell, &b, true)
               ? OCT_OK
               : oct_proof_reject(s->c, "%.2f, %.2f, %.2f was never in sight", m.x, m.y, m.z);
}

static oct_result check_cube(sight_search *s, oct_vec at, uint32_t level)
{
    const int32_t edge = (int32_t)1 << level, half = edge / 2;
    const oct_box cells = {at, {at.x + edge, at.y + edge, at.z + edge}};
    const oct_box common = box_common(cells, s->c->bounds);
    if (box_is_empty(3, &common)) {
        return OCT_OK;
    }
    if (level == 0) {
        return check_cell(s, at);
    }
    const oct_bounds b = proof_cells(s->c->proof, at, edge, edge, edge);
    if (is_seen(s, at, &b, false)) {
        return OCT_OK;
    }
    for (int i = 0; i < 8; i++) {
        const oct_vec part = {at.x + (i & 1 ? half : 0), at.y + (i & 2 ? half : 0),
                              at.z + (i & 4 ? half : 0)};
        OCT_TRY(check_cube(s, part, level - 1));
    }
    return OCT_OK;
}

// ---- beside it ----

static bool is_reached(const sight_search *s, oct_vec cell)
{
    const oct_proof *const p = s->c->proof;
    const uint32_t leaf = oct_proof_find_leaf(s->c, cell);
    return leaf != PROOF_NONE && p->parts[p->leaves[leaf].part].is_reached;
}

// Whether nothing lies between the middles of two cells.
static bool is_open(const sight_search *s, oct_vec a, oct_vec b)
{
    const proof_body *const *const shut = s->shut.items;
    const oct_bounds one = proof_cells(s->c->proof, a, 1, 1, 1),
                     two = proof_cells(s->c->proof, b, 1, 1, 1);
    const oct_point from = proof_middle(&one), to = proof_middle(&two);
    bool is = !oct_proof_solid_is_in_way(s->c, from, to, CLOSE);
    for (size_t i = 0; i < s->shut.count && is; i++) {
        is = !oct_proof_is_in_way(s->c, shut[i], from, to, CLOSE);
    }
    return is;
}

static oct_result step(sight_search *s, oct_vec from, oct_vec to, uint32_t steps)
{
    const lattice_key key = {to.x, to.y, to.z, 0};
    if (!proof_is_within(&s->c->bounds, to) || is_reached(s, to)) {
        return OCT_OK;
    }
    OCT_TRY(oct_key_table_reserve(&s->visited, &s->c->allocator, 1));
    key_slot *const slot = key_table_slot(&s->visited, key);
    if (key_slot_is_used(&s->visited, slot)) {
        return OCT_OK;
    }
    if (!is_open(s, from, to)) {
        return check_range(s, to);
    }
    key_slot_fill(&s->visited, slot, key, 0);
    const beside new = {to, steps};
    OCT_TRY(check_cell(s, to));
    return oct_array_push(&s->queue, &s->c->allocator, sizeof new, &new);
}

// What lies beyond a side.
static oct_vec next_to(oct_vec c, int face)
{
    const int32_t out = face & 1 ? 1 : -1;
    return (oct_vec){c.x + (face < 2 ? out : 0), c.y + (face >= 2 && face < 4 ? out : 0),
                     c.z + (face >= 4 ? out : 0)};
}

// Whether one leaf, at least as large, lies beside all of a side, and is reached.
static bool is_reached_beside(const sight_search *s, uint32_t level, oct_vec beyond)
{
    const oct_proof *const p = s->c->proof;
    const uint32_t leaf = oct_proof_find_leaf(s->c, beyond);
    return leaf != PROOF_NONE && p->leaves[leaf].level >= level &&
           p->parts[p->leaves[leaf].part].is_reached;
}

// From the cells of one side of a leaf outwards, as far as they lie within the bounds.
static oct_result step_off(sight_search *s, const oct_proof_leaf *leaf, int face)
{
    const int32_t edge = (int32_t)1 << leaf->level;
    oct_box side = {proof_leaf_at(leaf), proof_leaf_at(leaf)};
    side.max = (oct_vec){side.min.x + edge, side.min.y + edge, side.min.z + edge};
    int32_t *const lo = face < 2 ? &side.min.x : face < 4 ? &side.min.y : &side.min.z;
    int32_t *const hi = face < 2 ? &side.max.x : face < 4 ? &side.max.y : &side.max.z;
    *lo = face & 1 ? *hi - 1 : *lo;
    *hi = *lo + 1;
    if (is_reached_beside(s, leaf->level, next_to(side.min, face))) {
        return OCT_OK;
    }
    side = box_common(side, s->c->bounds);
    for (int32_t z = side.min.z; z < side.max.z; z++) {
        for (int32_t y = side.min.y; y < side.max.y; y++) {
            for (int32_t x = side.min.x; x < side.max.x; x++) {
                OCT_TRY(step(s, (oct_vec){x, y, z}, next_to((oct_vec){x, y, z}, face), 0));
            }
        }
    }
    return OCT_OK;
}

static oct_result check_beside(sight_search *s, double reach)
{
    const oct_proof *const p = s->c->proof;
    const uint32_t most = (uint32_t)fmin(STEPS * reach / p->cell_size + 1.0, 1e6);
    for (size_t i = 0; i < p->leaf_count; i++) {
        for (int face = 0; face < 6 && p->parts[p->leaves[i].part].is_reached; face++) {
            OCT_TRY(step_off(s, &p->leaves[i], face));
        }
    }
    for (size_t i = 0; i < s->queue.count; i++) {
        const beside b = ((const beside *)s->queue.items)[i];
        for (int face = 0; face < 6 && b.steps < most; face++) {
            OCT_TRY(step(s, b.cell, next_to(b.cell, face), b.steps + 1));
        }
    }
    return OCT_OK;
}

// ---- what holds no middle ----

// Where a line of sight leads through a slit that holds no middle it is looked along so far,
// metres.
#define SLIT 5.0

static bool thing_holds(const proof_check *c, uint32_t thing, oct_point at)
{
    const proof_bodies all = oct_proof_thing_bodies(c, thing);
    bool is = false;
    for (size_t i = 0; i < all.count && !is &&
                       proof_point_distance2(at, &oct_proof_entity(c, thing)->thing.box) == 0.0;
         i++) {
        is = oct_proof_distance(c, &all.items[i], at) <= INNER;
    }
    return is;
}

// Whether something but a thing itself fills a point.
static bool is_filled_by_others(const proof_check *c, uint32_t thing, oct_point at)
{
    for (uint32_t i = 0; i < c->thing_count; i++) {
        const oct_entity *const e = oct_proof_entity(c, i);
        if (i != thing && c->things[i].stays && !c->things[i].is_door &&
            e->thing.label == OCT_BLOCKED && thing_holds(c, i, at)) {
            return true;
        }
    }
    return false;
}

static oct_box cells_of(const proof_check *c, const oct_bounds *b)
{
    const double size = c->proof->cell_size;
    const oct_point o = c->proof->origin;
    return (oct_box){
        {(int32_t)floor((b->min.x - o.x) / size), (int32_t)floor((b->min.y - o.y) / size),
         (int32_t)floor((b->min.z - o.z) / size)},
        {(int32_t)ceil((b->max.x - o.x) / size), (int32_t)ceil((b->max.y - o.y) / size),
         (int32_t)ceil((b->max.z - o.z) / size)}};
}

// Whether a thing holds the middle of a cell that nothing else fills.
static bool holds_middle(const proof_check *c, uint32_t thing)
{
    const oct_bounds *const box = &oct_proof_entity(c, thing)->thing.box;
    const oct_box in = cells_of(c, box);
    for (int32_t z = in.min.z; z < in.max.z; z++) {
        for (int32_t y = in.min.y; y < in.max.y; y++) {
            for (int32_t x = in.min.x; x < in.max.x; x++) {
                const oct_bounds b = proof_cells(c->proof, (oct_vec){x, y, z}, 1, 1, 1);
                const oct_point m = proof_middle(&b);
                if (m.x > box->min.x && m.x < box->max.x && m.y > box->min.y && m.y < box->max.y &&
                    m.z > box->min.z && m.z < box->max.z && thing_holds(c, thing, m) &&
                    !is_filled_by_others(c, thing, m)) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Whether a look had a place of a thing in sight.
static bool is_place_seen(const sight_search *s, const proof_body *of, oct_point at)
{
    const view *const views = s->views.items;
    const screen *const told = s->boxes.items;
    const oct_bounds to = {at, at};
    for (size_t i = 0; i < s->views.count; i++) {
        const view *const v = &views[i];
        if (proof_point_distance2(v->eye, &of->box) <= v->radius * v->radius &&
            !is_hidden_by(s, v, &to, 1.0, told ? told + v->first : NULL, v->count) &&
            !is_hidden_by(s, v, &to, 1.0, s->opaque.items, s->opaque.count)) {
            return true;
        }
    }
    return false;
}

// The same of the middle of a side; what is no box is looked at in the middle of its corners.
static bool is_side_seen(const sight_search *s, const proof_body *body)
{
    if (body->frame == PROOF_NONE) {
        return is_place_seen(s, body, body->hull.middle);
    }
    const oct_point m = proof_middle(&body->own);
    bool is = false;
    for (int side = 0; side < 6 && !is; side++) {
        oct_point at = m;
        const oct_point end = side & 1 ? body->own.max : body->own.min;
        *(side < 2   ? &at.x
          : side < 4 ? &at.y
                     : &at.z) = side < 2   ? end.x
                                : side < 4 ? end.y
                                           : end.z;
        const oct_bounds own = {at, at};
        is = is_place_seen(s, body, oct_proof_turned(s->c, body->frame, PROOF_UPRIGHT, &own).min);
    }
    return is;
}

// Whether a cell surely shares some of its inside with a body.
static bool is_cell_of(const proof_check *c, const proof_body *body, const oct_bounds *cell)
{
    const oct_point m = proof_middle(cell);
    return body->frame == PROOF_UPRIGHT ||
           oct_proof_distance(c, body, m) < c->proof->cell_size / 2.0;
}

static bool is_body_seen(sight_search *s, const proof_body *body)
{
    const oct_box in = cells_of(s->c, &body->box);
    for (int32_t z = in.min.z; z < in.max.z; z++) {
        for (int32_t y = in.min.y; y < in.max.y; y++) {
            for (int32_t x = in.min.x; x < in.max.x; x++) {
                const oct_bounds b = proof_cells(s->c->proof, (oct_vec){x, y, z}, 1, 1, 1);
                if (is_cell_of(s->c, body, &b) && is_seen(s, (oct_vec){x, y, z}, &b, true)) {
                    return true;
                }
            }
        }
    }
    return is_side_seen(s, body);
}

static bool is_thing_seen(sight_search *s, uint32_t thing)
{
    const proof_bodies all = oct_proof_thing_bodies(s->c, thing);
    bool is = false;
    for (size_t i = 0; i < all.count && !is; i++) {
        is = is_body_seen(s, &all.items[i]);
    }
    return is;
}

static oct_result check_small(sight_search *s, double reach)
{
    proof_check *const c = s->c;
    for (uint32_t i = 0; i < c->thing_count; i++) {
        bool is_got_at = false;
        if (!c->things[i].is_player && !holds_middle(c, i) && !is_thing_seen(s, i)) {
            const proof_aim aim = oct_proof_aim_at(c, i, fmin(reach, SLIT));
            OCT_TRY(oct_proof_is_got_at(c, &aim, &is_got_at));
        }
        if (is_got_at) {
            return oct_proof_reject(c, "thing %llu was never in sight",
                                    (unsigned long long)c->things[i].id);
        }
    }
    return OCT_OK;
}

static oct_result begin(sight_search *s)
{
    proof_check *const c = s->c;
    for (size_t i = 0; i < c->thing_count; i++) {
        if (c->things[i].carries) {
            return oct_proof_reject(c, "thing %llu moves: what moves with it may not be seen",
                                    (unsigned long long)c->things[i].id);
        }
    }
    OCT_TRY(list_opaque(s));
    OCT_TRY(oct_proof_replay(c, add_view, s));
    s->order = oct_proof_alloc(c, s->views.count, sizeof *s->order);
    return s->order ? OCT_OK : OCT_ERROR_MEMORY;
}

oct_result oct_proof_begin_sight(proof_check *c, sight_search **out)
{
    sight_search *const s = oct_proof_alloc(c, 1, sizeof *s);
    *out = s;
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    s->c = c;
    s->touches = c->most + 4.0 * c->proof->cell_size;
    return begin(s);
}

bool oct_proof_has_seen(sight_search *s, oct_vec cell)
{
    const oct_bounds b = proof_cells(s->c->proof, cell, 1, 1, 1);
    if (!proof_is_within(&s->c->bounds, cell)) {
        return true; // nothing is there
    }
    return is_seen(s, cell, &b, true) ||
           (oct_proof_is_solid_at(s->c, proof_middle(&b), 0.0) && was_in_range(s, &b));
}

oct_result oct_proof_check_seen(proof_check *c)
{
    const oct_proof *const p = c->proof;
    // More than a body's size and the cells that a map keeps around it.
    sight_search s = {.c = c, .touches = c->most + 4.0 * p->cell_size};
    OCT_TRY(begin(&s));
    for (size_t i = 0; i < p->leaf_count; i++) {
        if (p->parts[p->leaves[i].part].is_reached) {
            OCT_TRY(check_cube(&s, proof_leaf_at(&p->leaves[i]), p->leaves[i].level));
        }
    }
    const double reach = oct_proof_reach(c);
    OCT_TRY(check_beside(&s, reach));
    return check_small(&s, reach);
}
