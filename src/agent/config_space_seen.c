// SPDX-License-Identifier: MIT
// Whether a body that may be in some parts of a configuration space has seen all that it could
// touch from there.
#include "agent/config_space.h"
#include "game/entity_pool.h"

#include "geom/geom_internal.h"

#include <math.h>

#define STEPS 1.7320508075688774

static const oct_vec faces[] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

typedef struct search {
    config_space *s;
    const uint8_t *reached;
    space_fill *fill;
    oct_array strips; // of strip
    oct_point near;
    unseen_places *unseen;
    size_t last_look; // of the log: it had the last cell in range
    bool is_got_at;   // what is asked about can be got at from a reached part
    oct_result result;
} search;

static bool is_reached(const search *x, oct_vec c)
{
    const uint32_t part = oct_config_space_part(x->s, c);
    return part != PART_NONE && x->reached[part];
}

static bool is_within(const oct_box *b, oct_vec c)
{
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z;
}

static double furthest(double at, double lo, double hi)
{
    return fmax(fabs(at - lo), fabs(at - hi));
}

static bool is_in_range_of(const oct_log_look *l, const oct_bounds *b)
{
    const double x = furthest(l->centre.x, b->min.x, b->max.x);
    const double y = furthest(l->centre.y, b->min.y, b->max.y);
    const double z = furthest(l->centre.z, b->min.z, b->max.z);
    return x * x + y * y + z * z <= l->radius * l->radius;
}

bool oct_config_space_was_in_range(const config_space *s, oct_vec c, size_t *last)
{
    const oct_array *const looks = &s->history->log.looks;
    const oct_log_look *const all = looks->items;
    const oct_bounds b = oct_cell_bounds(s->shut, c);
    bool is = looks->count == 0 || is_in_range_of(&all[*last], &b);
    for (size_t i = 0; i < looks->count && !is; i++) {
        is = is_in_range_of(&all[i], &b);
        *last = is ? i : *last;
    }
    return is;
}

static bool is_in_range(search *x, oct_vec c)
{
    return oct_config_space_was_in_range(x->s, c, &x->last_look);
}

// What is beyond the bounds is nothing, and what fills a cell's middle is known.
static bool is_seen(search *x, oct_vec c)
{
    return oct_history_has_seen(x->s->history, x->s->shut, c) || !is_within(&x->s->bounds, c) ||
           (oct_tree_label(x->fill->filled, c) == OCT_BLOCKED && is_in_range(x, c));
}

// Places so near to one that was found are not told, metres.
#define NEAR 1.0

static double distance(oct_point a, oct_point b)
{
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static void check_cell(search *x, oct_vec c)
{
    unseen_places *const all = x->unseen;
    if (is_seen(x, c)) {
        return;
    }
    const oct_bounds b = oct_cell_bounds(x->fill->solid, c);
    const oct_point at = {(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2,
                          (b.min.z + b.max.z) / 2};
    const double away = distance(at, x->near);
    if (all->count == UNSEEN_MAX && away >= distance(all->at[UNSEEN_MAX - 1], x->near)) {
        return;
    }
    for (size_t i = 0; i < all->count; i++) {
        if (distance(all->at[i], at) < NEAR) {
            return;
        }
    }
    size_t place = all->count < UNSEEN_MAX ? all->count++ : UNSEEN_MAX - 1;
    for (; place > 0 && away < distance(all->at[place - 1], x->near); place--) {
        all->at[place] = all->at[place - 1];
    }
    all->at[place] = at;
}

static double nearest(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static oct_bounds bounds_of(const search *x, const oct_box *box)
{
    const double size = oct_tree_cell_size(x->s->shut);
    const oct_point o = oct_tree_origin(x->s->shut);
    return (oct_bounds){
        {o.x + box->min.x * size, o.y + box->min.y * size, o.z + box->min.z * size},
        {o.x + box->max.x * size, o.y + box->max.y * size, o.z + box->max.z * size}};
}

// The square of the least distance of a point from a box.
static double least_square(const oct_bounds *b, oct_point p)
{
    const double x = nearest(p.x, b->min.x, b->max.x), y = nearest(p.y, b->min.y, b->max.y),
                 z = nearest(p.z, b->min.z, b->max.z);
    return x * x + y * y + z * z;
}

// Whether all of a box is nearer to a point than NEAR.
static bool is_near(const oct_bounds *b, oct_point p)
{
    const double x = furthest(p.x, b->min.x, b->max.x);
    if (x >= NEAR) {
        return false; // most boxes
    }
    const double y = furthest(p.y, b->min.y, b->max.y), z = furthest(p.z, b->min.z, b->max.z);
    return x * x + y * y + z * z < NEAR * NEAR;
}

// Whether no cell of a box would be told of, seen or not.
static bool is_told(const search *x, const oct_box *box)
{
    const unseen_places *const all = x->unseen;
    if (all->count == 0) {
        return false;
    }
    const oct_bounds b = bounds_of(x, box);
    const double least = all->count == UNSEEN_MAX ? least_square(&b, x->near) : -1.0;
    if (least >= 0.0 && sqrt(least) >= distance(all->at[UNSEEN_MAX - 1], x->near)) {
        return true;
    }
    // Wider boxes are nowhere near as a whole.
    const double wide = 2.0 * NEAR;
    bool is = false;
    for (size_t i = 0; i < all->count && !is && b.max.x - b.min.x < wide; i++) {
        is = is_near(&b, all->at[i]);
    }
    return is;
}

// Cuts a box in two across its longest side.
static void halve(const oct_box *box, oct_box halves[2])
{
    const int32_t x = box->max.x - box->min.x, y = box->max.y - box->min.y,
                  z = box->max.z - box->min.z;
    halves[0] = halves[1] = *box;
    if (x >= y && x >= z) {
        halves[0].max.x = halves[1].min.x = box->min.x + x / 2;
    } else if (y >= z) {
        halves[0].max.y = halves[1].min.y = box->min.y + y / 2;
    } else {
        halves[0].max.z = halves[1].min.z = box->min.z + z / 2;
    }
}

// Finds the places of a box that were not seen, halving it, the nearer half first.
static void check_box(search *x, const oct_box *box)
{
    const oct_vec size = {box->max.x - box->min.x, box->max.y - box->min.y,
                          box->max.z - box->min.z};
    if (size.x <= 0 || size.y <= 0 || size.z <= 0 || is_told(x, box) ||
        oct_history_has_seen_box(x->s->history, x->s->shut, *box)) {
        return;
    }
    if (size.x == 1 && size.y == 1 && size.z == 1) {
        check_cell(x, box->min);
        return;
    }
    oct_box halves[2];
    halve(box, halves);
    const oct_bounds first = bounds_of(x, &halves[0]), second = bounds_of(x, &halves[1]);
    const bool is_second_nearer = least_square(&second, x->near) < least_square(&first, x->near);
    check_box(x, &halves[is_second_nearer]);
    check_box(x, &halves[!is_second_nearer]);
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// A leaf of free space that may be reached: all of it within the bounds must have been in sight.
static bool check_free(void *ctx, const oct_leaf *leaf)
{
    search *const x = ctx;
    const oct_box all = oct_leaf_box(*leaf), b = x->s->bounds;
    const oct_box box = {
        {most(all.min.x, b.min.x), most(all.min.y, b.min.y), most(all.min.z, b.min.z)},
        {least(all.max.x, b.max.x), least(all.max.y, b.max.y), least(all.max.z, b.max.z)}};
    if (is_reached(x, all.min)) {
        check_box(x, &box);
    }
    return true;
}

// ---- beside where it may be ----
//
// A piece has to have been seen if it holds the middle of its cell: sight is decided there. Others
// must have been in range.

static bool holds(const oct_bounds *b, oct_point p)
{
    return p.x > b->min.x && p.x < b->max.x && p.y > b->min.y && p.y < b->max.y && p.z > b->min.z &&
           p.z < b->max.z;
}

// A piece of a cell, in the search.
typedef struct strip {
    oct_vec cell;
    uint32_t piece;
} strip;

// Where the body cannot be, or does not get to: a hand may reach through a slit.
static bool is_strip(const search *x, oct_vec c)
{
    return oct_tree_label(x->fill->solid, c) != OCT_BLOCKED && is_within(&x->s->bounds, c) &&
           !is_reached(x, c);
}

static void check_piece(search *x, oct_vec c, const oct_bounds *piece)
{
    const oct_bounds b = oct_cell_bounds(x->fill->solid, c);
    const oct_point middle = {(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2,
                              (b.min.z + b.max.z) / 2};
    if (holds(piece, middle) || !is_in_range(x, c)) {
        check_cell(x, c);
    }
}

// Queues the pieces of a cell that touch a box, and those that touch them in turn: a line takes a
// step when it leaves the cell, not within it.
static oct_result queue_pieces(search *x, oct_vec c, const oct_bounds *from)
{
    config_space *const s = x->s;
    cell_pieces p;
    OCT_TRY(oct_piece_index_get(&x->fill->index, c, &p));
    for (uint32_t i = 0; i < p.count; i++) {
        if (!oct_pieces_touch(&p.all[i], from)) {
            continue;
        }
        OCT_TRY(oct_key_table_reserve(&s->visited, &s->allocator, 1));
        const lattice_key key = {c.x, c.y, c.z, i};
        key_slot *const slot = key_table_slot(&s->visited, key);
        if (!key_slot_is_used(&s->visited, slot)) {
            const strip new = {c, i};
            const oct_bounds piece = p.all[i];
            key_slot_fill(&s->visited, slot, key, 0);
            OCT_TRY(oct_array_push(&x->strips, &s->allocator, sizeof new, &new));
            check_piece(x, c, &piece);
            OCT_TRY(queue_pieces(x, c, &piece));
            OCT_TRY(oct_piece_index_get(&x->fill->index, c, &p));
        }
    }
    return OCT_OK;
}

// Queues cells of a leaf where the body cannot be, but something that it may touch.
static bool queue_leaf(void *ctx, const oct_leaf *leaf)
{
    search *const x = ctx;
    const oct_box box = oct_leaf_box(*leaf);
    if (oct_tree_labels_in(x->fill->solid, box) == OCT_HAS_BLOCKED) {
        return true;
    }
    for (int32_t k = box.min.z; k < box.max.z; k++) {
        for (int32_t j = box.min.y; j < box.max.y; j++) {
            for (int32_t i = box.min.x; i < box.max.x; i++) {
                const oct_vec c = {i, j, k};
                for (int f = 0; f < 6 && x->result == OCT_OK; f++) {
                    const oct_vec beside = {i + faces[f].x, j + faces[f].y, k + faces[f].z};
                    if (is_reached(x, beside) && is_strip(x, c)) {
                        const oct_bounds from = oct_cell_bounds(x->fill->solid, beside);
                        x->result = queue_pieces(x, c, &from);
                    }
                }
            }
        }
    }
    return x->result == OCT_OK;
}

// From a piece to those that it touches, in its own cell and in those beside it.
static oct_result spread(search *x, strip at)
{
    cell_pieces own;
    OCT_TRY(oct_piece_index_get(&x->fill->index, at.cell, &own));
    const oct_bounds from = own.all[at.piece];
    OCT_TRY(queue_pieces(x, at.cell, &from));
    for (int f = 0; f < 6; f++) {
        const oct_vec next = {at.cell.x + faces[f].x, at.cell.y + faces[f].y,
                              at.cell.z + faces[f].z};
        OCT_TRY(is_strip(x, next) ? queue_pieces(x, next, &from) : OCT_OK);
    }
    return OCT_OK;
}

// ---- the same among what is turned ----
//
// There a piece of a cell may lie on both sides of a wall. So steps lead straight from middle to
// middle, past what fills it.

static oct_point middle_of(const search *x, oct_vec c)
{
    const oct_bounds b = oct_cell_bounds(x->fill->solid, c);
    return (oct_point){(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2, (b.min.z + b.max.z) / 2};
}

// A cell beside one from which it may be got at.
static oct_result step(search *x, oct_vec from, oct_vec to)
{
    config_space *const s = x->s;
    const lattice_key key = {to.x, to.y, to.z, 0};
    if (!is_within(&s->bounds, to) || is_reached(x, to)) {
        return OCT_OK;
    }
    OCT_TRY(oct_key_table_reserve(&s->visited, &s->allocator, 1));
    key_slot *const slot = key_table_slot(&s->visited, key);
    if (key_slot_is_used(&s->visited, slot)) {
        return OCT_OK;
    }
    if (oct_solid_list_meet(&x->fill->solids, middle_of(x, from), middle_of(x, to))) {
        if (!is_in_range(x, to)) {
            check_cell(x, to);
        }
        return OCT_OK;
    }
    const strip new = {to, 0};
    key_slot_fill(&s->visited, slot, key, 0);
    check_cell(x, to);
    return oct_array_push(&x->strips, &s->allocator, sizeof new, &new);
}

static bool step_from_leaf(void *ctx, const oct_leaf *leaf)
{
    search *const x = ctx;
    const oct_box box = oct_leaf_box(*leaf);
    for (int32_t k = box.min.z; k < box.max.z; k++) {
        for (int32_t j = box.min.y; j < box.max.y; j++) {
            for (int32_t i = box.min.x; i < box.max.x; i++) {
                for (int f = 0; f < 6 && x->result == OCT_OK; f++) {
                    const oct_vec from = {i + faces[f].x, j + faces[f].y, k + faces[f].z};
                    x->result = is_reached(x, from) ? step(x, from, (oct_vec){i, j, k}) : OCT_OK;
                }
            }
        }
    }
    return x->result == OCT_OK;
}

static oct_result step_on(search *x, strip at)
{
    for (int f = 0; f < 6; f++) {
        const oct_vec next = {at.cell.x + faces[f].x, at.cell.y + faces[f].y,
                              at.cell.z + faces[f].z};
        OCT_TRY(step(x, at.cell, next));
    }
    return OCT_OK;
}

// ---- both ----

static oct_result check_strips(search *x, double reach)
{
    config_space *const s = x->s;
    const bool is_turned = oct_solid_list_are_turned(&x->fill->solids);
    const size_t layers = (size_t)(STEPS * reach / oct_tree_cell_size(s->shut)) + 2;
    oct_key_table_clear(&s->visited);
    (void)oct_tree_leaves(s->shut, s->bounds, OCT_HAS_BLOCKED,
                          is_turned ? step_from_leaf : queue_leaf, x);
    OCT_TRY(x->result);
    size_t begin = 0;
    // What is deeper is looked at first from where it begins: it may be a wall that was not seen.
    for (size_t layer = 0; layer < layers && begin < x->strips.count && x->unseen->count == 0;
         layer++) {
        const size_t end = x->strips.count;
        for (; begin < end; begin++) {
            const strip at = ((const strip *)x->strips.items)[begin];
            OCT_TRY(is_turned ? step_on(x, at) : spread(x, at));
        }
    }
    return OCT_OK;
}

// ---- what hides between middles ----

// Where a line of sight leads through a slit that holds no middle it is looked along so far,
// metres.
#define SLIT 5.0

// The middles of cells that lie in a stretch of an axis: first up to end.
static void middles_in(double lo, double hi, double origin, double size, int32_t *first,
                       int32_t *end)
{
    *first = (int32_t)floor((lo - origin) / size - 0.5) + 1;
    *end = (int32_t)ceil((hi - origin) / size - 0.5);
}

// Whether a thing holds a point, as far as that is certain.
static bool is_inside(const oct_entity *e, oct_point p)
{
    bool is = oct_entity_is_upright(e);
    for (size_t i = 0; i < e->shape.count && !is; i++) {
        const oct_piece *const piece = &e->shape.pieces[i];
        is = piece->kind != OCT_PIECE_TRIANGLES && oct_convex_gap(piece, 0, p).most <= 0x1p-30;
    }
    return is;
}

// Whether a thing holds the middle of a cell that nothing seen fills: then it was asked for.
static bool holds_middle(const search *x, const oct_entity *e)
{
    const oct_bounds *const b = &e->thing.box;
    const double size = oct_tree_cell_size(x->fill->solid);
    const oct_point o = oct_tree_origin(x->fill->solid);
    oct_box in;
    middles_in(b->min.x, b->max.x, o.x, size, &in.min.x, &in.max.x);
    middles_in(b->min.y, b->max.y, o.y, size, &in.min.y, &in.max.y);
    middles_in(b->min.z, b->max.z, o.z, size, &in.min.z, &in.max.z);
    for (int32_t k = in.min.z; k < in.max.z; k++) {
        for (int32_t j = in.min.y; j < in.max.y; j++) {
            for (int32_t i = in.min.x; i < in.max.x; i++) {
                const oct_vec c = {i, j, k};
                if (oct_tree_label(x->fill->filled, c) != OCT_BLOCKED &&
                    is_inside(e, middle_of(x, c))) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void note_part(void *ctx, uint32_t part)
{
    search *const x = ctx;
    x->is_got_at = x->is_got_at || x->reached[part] != 0;
}

// What was told and not seen. Where it is is not said: nobody is to know that.
static oct_result check_hidden(search *x, double reach)
{
    config_space *const s = x->s;
    const run_log *const log = &s->history->log;
    const uint32_t *const latest = log->latest.items;
    for (size_t i = 0; i < log->latest.count && !x->is_got_at; i++) {
        const oct_entity *const e = (const oct_entity *)log->things.items + latest[i];
        if (e->kind != OCT_ENTITY_PLAYER && !oct_history_find(s->history, e->thing.id) &&
            !holds_middle(x, e)) {
            const space_aim aim = oct_config_space_aim_at(s, e, fmin(reach, SLIT));
            OCT_TRY(oct_config_space_around(s, &aim, note_part, x));
        }
    }
    x->unseen->has_hidden = x->is_got_at;
    return OCT_OK;
}

static oct_result check_all(search *x, const uint8_t *free, double reach)
{
    config_space *const s = x->s;
    OCT_TRY(oct_config_space_fill(s, free, &x->fill));
    (void)oct_tree_leaves(s->shut, s->bounds, OCT_HAS_UNKNOWN | OCT_HAS_OPEN, check_free, x);
    const door_cell *const cells = s->cells.items;
    for (size_t i = 0; i < s->cells.count; i++) {
        if (x->reached[cells[i].part]) {
            check_cell(x, cells[i].cell);
        }
    }
    // What is beside is looked at last, and takes longest.
    OCT_TRY(x->unseen->count == 0 ? check_strips(x, reach) : OCT_OK);
    return x->unseen->count == 0 ? check_hidden(x, reach) : OCT_OK;
}

oct_result oct_config_space_find_unseen(config_space *s, const uint8_t *free,
                                        const uint8_t *reached, double reach, oct_point near,
                                        unseen_places *out)
{
    search x = {.s = s, .reached = reached, .near = near, .unseen = out, .result = OCT_OK};
    *out = (unseen_places){.count = 0};
    const oct_result result = check_all(&x, free, reach);
    oct_array_free(&x.strips, &s->allocator, sizeof(strip));
    return result;
}
