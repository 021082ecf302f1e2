// SPDX-License-Identifier: MIT
// Contacts: from which parts something can be got at.
//
// One gets at a box along a straight line of at most `reach` metres that crosses nothing solid. In
// its place stands a flood from the box, which finds all such lines and some crooked ones: space
// around the box is cut along the faces of everything solid and along the lattice, and the pieces
// that are free are flooded over the area that they share, as far as they are near enough and for
// as many cells as a straight line may take. Doors are asked in two ways. As obstacles, all of
// them: then a door that the flood touches stands for the parts that it closes, since who looks
// through it can as well stand in it. And, for a cut, with free doors out of the way.
#include "verify/proof_internal.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

#define MERGE 2e-6 // planes that are nearer are one: nothing leads through between, metres
#define THIN 1e-5  // boxes are at least so thick on each side
#define PIECES_MAX ((size_t)6000000)
#define STEPS 1.7320508075688774
#define COARSEST 10
#define FINER 4.0 // cells are cut into so many along each axis where something is turned

#define MARK_FREE 0u
#define MARK_SOLID 1u
#define MARK_DOORS 2u // and the number of the door

typedef enum door_mode {
    DOORS_BLOCK, // all that stay
    DOORS_HELD,  // those that stay shut
    DOORS_NONE
} door_mode;

// Along the axes of a frame.
typedef struct arrangement {
    proof_check *c;
    uint32_t frame;
    oct_bounds box, within;
    double reach;
    door_mode mode;
    uint8_t *found;  // of parts
    uint32_t coarse; // cells along the lattice planes that are used: 1 << coarse
    oct_array planes[3];
    oct_array cells[3]; // of int32_t: which coarse cell each piece lies in
    size_t size[3];
    size_t bytes, visited_bytes;
    uint32_t *marks;
    uint8_t *visited;
    oct_array now, next; // of uint32_t: pieces
    uint8_t *touched;    // of doors
    oct_array others;    // of const proof_body *: in the way, and not of the frame
    oct_array doorways;  // of doorway: of doors that are not of the frame
} arrangement;

typedef struct doorway {
    uint32_t door;
    oct_bounds box; // in the frame
} doorway;

// ---- planes ----

static double axis_of(oct_point p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static oct_bounds domain_of(const arrangement *a)
{
    const oct_bounds near = proof_grown(&a->within, a->reach);
    return bounds_join(near, a->box);
}

static oct_result add_planes(arrangement *a, int axis, const oct_bounds *of)
{
    const oct_bounds domain = domain_of(a);
    const double lo = axis_of(domain.min, axis), hi = axis_of(domain.max, axis);
    const double all[2] = {axis_of(of->min, axis), axis_of(of->max, axis)};
    for (int i = 0; i < 2; i++) {
        if (all[i] >= lo && all[i] <= hi) {
            OCT_TRY(oct_array_push(&a->planes[axis], &a->c->allocator, sizeof all[i], &all[i]));
        }
    }
    return OCT_OK;
}

static bool has_part(const oct_proof *p, uint32_t door)
{
    for (size_t i = 0; i < p->part_count; i++) {
        for (uint32_t k = 0; k < p->parts[i].door_count; k++) {
            if (p->parts[i].doors[k] == door) {
                return true;
            }
        }
    }
    return false;
}

static bool is_in_way(const arrangement *a, uint32_t door)
{
    const proof_check *const c = a->c;
    const bool stays = c->things[c->door_things[door]].stays;
    // Through a hatch that no body enters one gets at things all the same while it is open.
    const bool is_hatch = c->proof->kind == OCT_PROOF_STATES && c->proof->doors[door].is_free &&
                          !has_part(c->proof, door);
    return a->mode == DOORS_BLOCK ? stays && !is_hatch
                                  : a->mode == DOORS_HELD && !c->proof->doors[door].is_free &&
                                        oct_proof_door_holds(c, door);
}

// Body number i of those in the way: solids first, then doors; NULL for one that is not near.
static const proof_body *body_in_way(const arrangement *a, size_t i, uint32_t *mark)
{
    const proof_check *const c = a->c;
    const proof_body *const bodies = c->bodies.items;
    const uint32_t *const solids = c->solids.items;
    const bool is_solid = i < c->solids.count;
    const uint32_t door = is_solid ? 0 : (uint32_t)(i - c->solids.count);
    if (!is_solid && (!is_in_way(a, door) || oct_proof_door_bodies(c, door).count != 1)) {
        return NULL;
    }
    const proof_body *const body =
        is_solid ? &bodies[solids[i]] : oct_proof_door_bodies(c, door).items;
    const oct_bounds domain = domain_of(a);
    const oct_bounds box = body->frame == a->frame
                               ? body->own
                               : oct_proof_turned(c, PROOF_UPRIGHT, a->frame, &body->box);
    *mark = is_solid ? MARK_SOLID : MARK_DOORS + door;
    return proof_box_distance2(&box, &domain) == 0.0 ? body : NULL;
}

// The box of one of those, if it is one along the axes of the frame.
static const oct_bounds *obstacle(const arrangement *a, size_t i, uint32_t *mark)
{
    const proof_body *const body = body_in_way(a, i, mark);
    return body && body->frame == a->frame ? &body->own : NULL;
}

static size_t obstacle_count(const arrangement *a)
{
    return a->c->solids.count + a->c->proof->door_count;
}

// Lists what is in the way and not of the frame. A doorway that is turned to it is met where the
// box around it is.
static oct_result find_others(arrangement *a)
{
    const proof_check *const c = a->c;
    for (size_t i = 0; i < obstacle_count(a); i++) {
        uint32_t mark = MARK_FREE;
        const proof_body *const body = body_in_way(a, i, &mark);
        if (!body || body->frame == a->frame) {
            continue;
        }
        OCT_TRY(oct_array_push(&a->others, &c->allocator, sizeof body, &body));
        if (mark >= MARK_DOORS) {
            const doorway new = {mark - MARK_DOORS,
                                 body->frame == PROOF_NONE
                                     ? oct_proof_turned(c, PROOF_UPRIGHT, a->frame, &body->box)
                                     : oct_proof_turned(c, body->frame, a->frame, &body->own)};
            OCT_TRY(oct_array_push(&a->doorways, &c->allocator, sizeof new, &new));
        }
    }
    return OCT_OK;
}

static oct_result add_lattice(arrangement *a, int axis)
{
    const oct_bounds domain = domain_of(a);
    const double fine = a->others.count > 0 ? FINER : 1.0;
    const double step = a->c->proof->cell_size * (double)(1u << a->coarse) / fine;
    const double origin = axis_of(a->c->proof->origin, axis);
    const double from = floor((axis_of(domain.min, axis) - origin) / step);
    const double to = (axis_of(domain.max, axis) - origin) / step;
    if (to - from > 4096.0) {
        return OCT_OK; // too fine: that is found out below
    }
    for (double i = from; i <= to; i += 1.0) {
        const double at = origin + i * step;
        if (at >= axis_of(domain.min, axis)) {
            OCT_TRY(oct_array_push(&a->planes[axis], &a->c->allocator, sizeof at, &at));
        }
    }
    return OCT_OK;
}

static void merge_planes(oct_array *list)
{
    double *const all = list->items;
    qsort(all, list->count, sizeof *all, compare);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || all[i] - all[kept - 1] > MERGE) {
            all[kept++] = all[i];
        }
    }
    list->count = kept;
}

static oct_result find_cells(arrangement *a, int axis)
{
    const double *const planes = a->planes[axis].items;
    const double step = a->c->proof->cell_size * (double)(1u << a->coarse);
    const double origin = axis_of(a->c->proof->origin, axis);
    a->cells[axis].count = 0;
    for (size_t i = 0; i + 1 < a->planes[axis].count; i++) {
        const int32_t cell = axis_floor(((planes[i] + planes[i + 1]) / 2 - origin) / step);
        OCT_TRY(oct_array_push(&a->cells[axis], &a->c->allocator, sizeof cell, &cell));
    }
    return OCT_OK;
}

static oct_result make_planes(arrangement *a)
{
    const oct_bounds domain = domain_of(a);
    double pieces = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        a->planes[axis].count = 0;
        OCT_TRY(add_planes(a, axis, &domain));
        OCT_TRY(add_planes(a, axis, &a->box));
        for (size_t i = 0; i < obstacle_count(a); i++) {
            uint32_t mark;
            const oct_bounds *const box = obstacle(a, i, &mark);
            OCT_TRY(box ? add_planes(a, axis, box) : OCT_OK);
        }
        const size_t before = a->planes[axis].count;
        OCT_TRY(add_lattice(a, axis));
        const bool is_fine = a->planes[axis].count > before;
        merge_planes(&a->planes[axis]);
        a->size[axis] = a->planes[axis].count > 0 ? a->planes[axis].count - 1 : 0;
        pieces *= is_fine || a->coarse == COARSEST ? (double)a->size[axis] : 1e9;
    }
    if (pieces > (double)PIECES_MAX) {
        a->coarse++;
        return a->coarse <= COARSEST
                   ? make_planes(a)
                   : oct_proof_reject(a->c, "what is near to something to be got at is too large");
    }
    for (int axis = 0; axis < 3; axis++) {
        OCT_TRY(find_cells(a, axis));
    }
    return OCT_OK;
}

// ---- pieces ----

static size_t plane_near(const arrangement *a, int axis, double at)
{
    const double *const planes = a->planes[axis].items;
    size_t lo = 0, hi = a->planes[axis].count;
    while (lo < hi) { // the first that is not below
        const size_t middle = (lo + hi) / 2;
        if (planes[middle] < at - MERGE) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static void mark_box(arrangement *a, const oct_bounds *b, uint32_t mark)
{
    size_t lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
        lo[i] = plane_near(a, i, axis_of(b->min, i));
        hi[i] = plane_near(a, i, axis_of(b->max, i));
        hi[i] = hi[i] > a->size[i] ? a->size[i] : hi[i];
    }
    for (size_t z = lo[2]; z < hi[2]; z++) {
        for (size_t y = lo[1]; y < hi[1]; y++) {
            for (size_t x = lo[0]; x < hi[0]; x++) {
                uint32_t *const m = &a->marks[(z * a->size[1] + y) * a->size[0] + x];
                *m = *m == MARK_SOLID ? *m : mark;
            }
        }
    }
}

typedef struct piece {
    size_t at[3];
} piece;

static piece piece_of(const arrangement *a, size_t index)
{
    const size_t rest = index / a->size[0];
    return (piece){{index % a->size[0], rest % a->size[1], rest / a->size[1]}};
}

static oct_bounds bounds_of(const arrangement *a, const piece *p)
{
    const double *const x = a->planes[0].items, *const y = a->planes[1].items,
                        *const z = a->planes[2].items;
    return (oct_bounds){{x[p->at[0]], y[p->at[1]], z[p->at[2]]},
                        {x[p->at[0] + 1], y[p->at[1] + 1], z[p->at[2] + 1]}};
}

static double shared(double a_lo, double a_hi, double b_lo, double b_hi)
{
    return fmin(a_hi, b_hi) - fmax(a_lo, b_lo);
}

// Whether two boxes overlap or share some area of their faces.
static bool is_touching(const oct_bounds *a, const oct_bounds *b)
{
    const double x = shared(a->min.x, a->max.x, b->min.x, b->max.x);
    const double y = shared(a->min.y, a->max.y, b->min.y, b->max.y);
    const double z = shared(a->min.z, a->max.z, b->min.z, b->max.z);
    return x > -MERGE && y > -MERGE && z > -MERGE && (x > MERGE) + (y > MERGE) + (z > MERGE) >= 2;
}

static bool overlap(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// Whether a cell of the world lies at a piece, and near enough.
static bool is_at(const arrangement *a, const oct_bounds *cell, const oct_bounds *what)
{
    const oct_bounds own = oct_proof_turned(a->c, PROOF_UPRIGHT, a->frame, cell);
    const double reach = a->reach + 1e-9;
    return proof_box_distance2(&own, &a->within) <= reach * reach &&
           (a->frame == PROOF_UPRIGHT || overlap(&own, what));
}

// Notes the parts of the cells that a piece lies in, as far as they are near enough.
static void find_parts(arrangement *a, const oct_bounds *what)
{
    const proof_check *const c = a->c;
    const oct_proof *const p = c->proof;
    const oct_bounds world = oct_proof_turned(c, a->frame, PROOF_UPRIGHT, what), *const b = &world;
    const double s = p->cell_size, in = MERGE;
    const oct_vec lo = {axis_floor((b->min.x + in - p->origin.x) / s),
                        axis_floor((b->min.y + in - p->origin.y) / s),
                        axis_floor((b->min.z + in - p->origin.z) / s)};
    const oct_vec hi = {axis_floor((b->max.x - in - p->origin.x) / s),
                        axis_floor((b->max.y - in - p->origin.y) / s),
                        axis_floor((b->max.z - in - p->origin.z) / s)};
    for (int32_t z = lo.z; z <= hi.z; z++) {
        for (int32_t y = lo.y; y <= hi.y; y++) {
            for (int32_t x = lo.x; x <= hi.x; x++) {
                const oct_vec cell = {x, y, z};
                const oct_bounds box = proof_cells(p, cell, 1, 1, 1);
                const uint32_t leaf = oct_proof_find_leaf(c, cell);
                if (leaf != PROOF_NONE && proof_is_within(&c->bounds, cell) &&
                    is_at(a, &box, what)) {
                    a->found[p->leaves[leaf].part] = 1;
                }
            }
        }
    }
}

// ---- the flood ----

static oct_result queue_seeds(arrangement *a)
{
    size_t lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
        lo[i] = plane_near(a, i, axis_of(a->box.min, i));
        hi[i] = plane_near(a, i, axis_of(a->box.max, i));
        lo[i] -= lo[i] > 0;
        hi[i] = hi[i] + 1 > a->size[i] ? a->size[i] : hi[i] + 1;
    }
    for (size_t z = lo[2]; z < hi[2]; z++) {
        for (size_t y = lo[1]; y < hi[1]; y++) {
            for (size_t x = lo[0]; x < hi[0]; x++) {
                const piece p = {{x, y, z}};
                const oct_bounds b = bounds_of(a, &p);
                const uint32_t index = (uint32_t)((z * a->size[1] + y) * a->size[0] + x);
                if (is_touching(&b, &a->box)) {
                    OCT_TRY(oct_array_push(&a->now, &a->c->allocator, sizeof index, &index));
                }
            }
        }
    }
    return OCT_OK;
}

static bool is_inside(const arrangement *a, const piece *p)
{
    if (a->frame != PROOF_UPRIGHT) {
        const oct_bounds own = bounds_of(a, p);
        const oct_bounds world = oct_proof_turned(a->c, a->frame, PROOF_UPRIGHT, &own);
        return overlap(&world, &a->c->log->info.bounds);
    }
    const int32_t edge = (int32_t)1 << a->coarse;
    const oct_box *const b = &a->c->bounds;
    const int32_t x = ((const int32_t *)a->cells[0].items)[p->at[0]];
    const int32_t y = ((const int32_t *)a->cells[1].items)[p->at[1]];
    const int32_t z = ((const int32_t *)a->cells[2].items)[p->at[2]];
    return (int64_t)(x + 1) * edge > b->min.x && (int64_t)x * edge < b->max.x &&
           (int64_t)(y + 1) * edge > b->min.y && (int64_t)y * edge < b->max.y &&
           (int64_t)(z + 1) * edge > b->min.z && (int64_t)z * edge < b->max.z;
}

// What the bodies that are turned to the frame do to a piece: they fill it, or a doorway is met.
static bool is_filled(const arrangement *a, const oct_bounds *b)
{
    const doorway *const doorways = a->doorways.items;
    for (size_t i = 0; i < a->doorways.count; i++) {
        if (is_touching(&doorways[i].box, b)) {
            a->touched[doorways[i].door] = 1;
        }
    }
    return a->others.count > 0 &&
           oct_proof_is_covered(a->c, a->frame, b, a->others.items, a->others.count);
}

// One piece: notes what it is in, and queues what is beside it.
static oct_result visit(arrangement *a, uint32_t index)
{
    if (a->visited[index]) {
        return OCT_OK;
    }
    a->visited[index] = 1;
    if (a->marks[index] >= MARK_DOORS) {
        a->touched[a->marks[index] - MARK_DOORS] = 1;
    }
    const piece p = piece_of(a, index);
    const oct_bounds b = bounds_of(a, &p);
    if (a->marks[index] != MARK_FREE || !is_inside(a, &p) ||
        proof_box_distance2(&b, &a->within) > (a->reach + 1e-9) * (a->reach + 1e-9) ||
        is_filled(a, &b)) {
        return OCT_OK;
    }
    find_parts(a, &b);
    size_t step = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t *const cells = a->cells[axis].items;
        for (int side = 0; side < 2; side++) {
            const size_t at = p.at[axis];
            if (side == 0 ? at == 0 : at + 1 == a->size[axis]) {
                continue;
            }
            const size_t beside = side == 0 ? at - 1 : at + 1;
            const uint32_t to = (uint32_t)(side == 0 ? index - step : index + step);
            oct_array *const list = cells[beside] == cells[at] ? &a->now : &a->next;
            OCT_TRY(a->visited[to] ? OCT_OK
                                   : oct_array_push(list, &a->c->allocator, sizeof to, &to));
        }
        step *= a->size[axis];
    }
    return OCT_OK;
}

static oct_result flood(arrangement *a)
{
    const double across =
        fmax(a->within.max.x - a->within.min.x,
             fmax(a->within.max.y - a->within.min.y, a->within.max.z - a->within.min.z));
    const double step = a->c->proof->cell_size * (double)(1u << a->coarse);
    const size_t layers = (size_t)(STEPS * (across + a->reach) / step) + 2;
    OCT_TRY(queue_seeds(a));
    for (size_t layer = 0; layer <= layers && a->now.count > 0; layer++) {
        while (a->now.count > 0) {
            OCT_TRY(visit(a, ((const uint32_t *)a->now.items)[--a->now.count]));
        }
        const oct_array swapped = a->now;
        a->now = a->next;
        a->next = swapped;
    }
    return OCT_OK;
}

// Who is beyond a door that is out of the way can as well stand in it.
static void add_doorways(const arrangement *a)
{
    const oct_proof *const p = a->c->proof;
    for (size_t i = 0; i < p->part_count; i++) {
        for (uint32_t k = 0; k < p->parts[i].door_count; k++) {
            a->found[i] |= a->touched[p->parts[i].doors[k]];
        }
    }
}

static oct_result run(arrangement *a)
{
    proof_check *const c = a->c;
    const size_t pieces = a->size[0] * a->size[1] * a->size[2];
    a->bytes = (pieces + 1) * sizeof *a->marks;
    a->visited_bytes = pieces + 1;
    a->marks = oct_alloc(&c->base, a->bytes, _Alignof(uint32_t));
    a->visited = oct_alloc(&c->base, a->visited_bytes, 1);
    a->touched = oct_proof_alloc(c, c->proof->door_count, 1);
    if (!a->marks || !a->visited || !a->touched) {
        return OCT_ERROR_MEMORY;
    }
    memset(a->marks, 0, a->bytes);
    memset(a->visited, 0, a->visited_bytes);
    for (size_t i = 0; i < obstacle_count(a); i++) {
        uint32_t mark;
        const oct_bounds *const box = obstacle(a, i, &mark);
        if (box) {
            mark_box(a, box, mark);
            if (mark >= MARK_DOORS && is_touching(box, &a->box)) {
                a->touched[mark - MARK_DOORS] = 1;
            }
        }
    }
    const doorway *const doorways = a->doorways.items;
    for (size_t i = 0; i < a->doorways.count; i++) {
        a->touched[doorways[i].door] |= is_touching(&doorways[i].box, &a->box) ? 1 : 0;
    }
    OCT_TRY(flood(a));
    add_doorways(a);
    return OCT_OK;
}

// Sets found[part] for the parts from which a box can be got at.
static oct_result find_around(proof_check *c, const proof_aim *aim, door_mode mode, uint8_t *found)
{
    const oct_bounds *const box = &aim->box;
    const bool is_thin = box->max.x - box->min.x < THIN || box->max.y - box->min.y < THIN ||
                         box->max.z - box->min.z < THIN;
    arrangement a = {.c = c,
                     .frame = aim->frame,
                     .box = is_thin ? proof_grown(box, THIN) : *box,
                     .within = aim->within,
                     .reach = aim->reach,
                     .mode = mode,
                     .found = found};
    OCT_TRY(find_others(&a));
    OCT_TRY(make_planes(&a));
    const oct_result result = run(&a);
    if (a.marks) {
        oct_free(&c->base, a.marks, a.bytes);
    }
    if (a.visited) {
        oct_free(&c->base, a.visited, a.visited_bytes);
    }
    return result;
}

// ---- targets and panels ----

static bool is_reached_in(const oct_proof *p, const uint8_t *found)
{
    for (size_t i = 0; i < p->part_count; i++) {
        if (found[i] && p->parts[i].is_reached) {
            return true;
        }
    }
    return false;
}

static oct_result find_target(proof_check *c)
{
    const oct_proof *const p = c->proof;
    c->target_parts = oct_proof_alloc(c, p->part_count, 1);
    uint8_t *const without = oct_proof_alloc(c, p->part_count, 1);
    if (!c->target_parts || !without) {
        return OCT_ERROR_MEMORY;
    }
    if (!p->target.is_known) {
        return OCT_OK;
    }
    const bool is_cut = p->kind == OCT_PROOF_CUT;
    const proof_aim aim = oct_proof_aim_at_target(c);
    OCT_TRY(find_around(c, &aim, is_cut ? DOORS_HELD : DOORS_BLOCK, c->target_parts));
    if (is_cut && is_reached_in(p, c->target_parts)) {
        return oct_proof_reject(c, "the target can be got at from a part that is reached");
    }
    OCT_TRY(find_around(c, &aim, DOORS_NONE, without));
    c->target_needs_doors = is_reached_in(p, without);
    return OCT_OK;
}

static bool was_pressed(const proof_check *c, oct_button button)
{
    for (size_t i = 0; i < c->press_count; i++) {
        const oct_button b = c->presses[i].button;
        if (b.panel == button.panel && b.number == button.number) {
            return true;
        }
    }
    return false;
}

// Others press what they like.
static bool may_press(const proof_check *c, const told_thing *t, uint32_t number)
{
    return c->proof->target.presses || c->players > 1 ||
           was_pressed(c, (oct_button){t->id, number});
}

static uint32_t find_button(const oct_proof *p, uint64_t panel, uint32_t number)
{
    for (uint32_t i = 0; i < p->button_count; i++) {
        if (p->buttons[i].button.panel == panel && p->buttons[i].button.number == number) {
            return i;
        }
    }
    return PROOF_NONE;
}

// The claimed contacts of a button hold those that were found, as far as somebody may be there.
static oct_result compare_contacts(proof_check *c, uint32_t button, const uint8_t *found)
{
    const oct_proof *const p = c->proof;
    const oct_proof_button *const b = &p->buttons[button];
    for (uint32_t i = 0; i < p->part_count; i++) {
        bool is_claimed = !found[i] || !p->parts[i].is_reached;
        for (uint32_t k = 0; k < b->count && !is_claimed; k++) {
            is_claimed = p->contacts[b->first + k] == i;
        }
        if (!is_claimed) {
            return oct_proof_reject(c, "button %u can be pressed from part %u as well", button, i);
        }
        c->contacts[button * p->part_count + i] = found[i];
    }
    return OCT_OK;
}

static oct_result find_panel(proof_check *c, uint32_t thing)
{
    const oct_proof *const p = c->proof;
    const told_thing *const t = &c->things[thing];
    const bool is_cut = p->kind == OCT_PROOF_CUT;
    uint8_t *const found = oct_proof_alloc(c, p->part_count, 1);
    uint8_t *const open = oct_proof_alloc(c, p->part_count, 1);
    if (!found || !open) {
        return OCT_ERROR_MEMORY;
    }
    // What may move can be met anywhere.
    memset(found, !t->stays, p->part_count);
    memset(open, !t->stays, p->part_count);
    const proof_aim aim = oct_proof_aim_at(c, thing, c->reach);
    OCT_TRY(t->stays ? find_around(c, &aim, DOORS_BLOCK, found) : OCT_OK);
    OCT_TRY(t->stays && is_cut ? find_around(c, &aim, DOORS_HELD, open) : OCT_OK);
    const bool can_press = is_reached_in(p, is_cut ? open : found);
    const bool needs_doors = c->leaves_by_door || c->target_needs_doors || !is_cut;
    for (uint32_t i = 0; i < t->buttons; i++) {
        const uint32_t button = find_button(p, t->id, i);
        if (!can_press && was_pressed(c, (oct_button){t->id, i})) {
            return oct_proof_reject(c, "button %u of panel %llu was pressed from nowhere", i,
                                    (unsigned long long)t->id);
        }
        if (button == PROOF_NONE && can_press && needs_doors && may_press(c, t, i)) {
            return oct_proof_reject(c, "button %u of panel %llu is not listed", i,
                                    (unsigned long long)t->id);
        }
        if (button != PROOF_NONE) {
            c->can_press[button] = can_press && may_press(c, t, i);
            OCT_TRY(needs_doors ? compare_contacts(c, button, found) : OCT_OK);
        }
    }
    return OCT_OK;
}

static oct_result check_buttons(proof_check *c)
{
    const oct_proof *const p = c->proof;
    for (uint32_t i = 0; i < p->button_count; i++) {
        const oct_button b = p->buttons[i].button;
        const uint32_t t = oct_proof_find_thing(c, b.panel);
        if (t == PROOF_NONE || c->things[t].buttons <= b.number) {
            return oct_proof_reject(c, "button %u was never told", i);
        }
        if (find_button(p, b.panel, b.number) != i) {
            return oct_proof_reject(c, "button %u is listed twice", i);
        }
    }
    for (size_t i = 0; i < c->press_count; i++) {
        const uint32_t t = oct_proof_find_thing(c, c->presses[i].button.panel);
        if (t == PROOF_NONE || c->things[t].buttons <= c->presses[i].button.number) {
            return oct_proof_reject(c, "something was pressed that was never told");
        }
    }
    return OCT_OK;
}

double oct_proof_reach(const proof_check *c)
{
    const oct_proof_target *const target = &c->proof->target;
    return target->is_known ? c->reach : fmax(c->reach, target->reach);
}

oct_result oct_proof_find_beside(proof_check *c)
{
    const oct_proof *const p = c->proof;
    c->beside = oct_proof_alloc(c, p->door_count * p->part_count, 1);
    c->is_met = oct_proof_alloc(c, p->door_count, 1);
    if (!c->beside || !c->is_met) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t d = 0; d < p->door_count; d++) {
        const proof_aim aim = oct_proof_aim_at(c, c->door_things[d], oct_proof_reach(c));
        OCT_TRY(find_around(c, &aim, DOORS_BLOCK, c->beside + d * p->part_count));
    }
    return OCT_OK;
}

oct_result oct_proof_is_got_at(proof_check *c, const proof_aim *aim, bool *is)
{
    const bool is_cut = c->proof->kind == OCT_PROOF_CUT;
    uint8_t *const found = oct_proof_alloc(c, c->proof->part_count, 1);
    if (!found) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(find_around(c, aim, is_cut ? DOORS_HELD : DOORS_BLOCK, found));
    *is = is_reached_in(c->proof, found);
    return OCT_OK;
}

oct_result oct_proof_find_contacts(proof_check *c)
{
    const oct_proof *const p = c->proof;
    OCT_TRY(check_buttons(c));
    OCT_TRY(find_target(c));
    c->contacts = oct_proof_alloc(c, p->button_count * p->part_count, 1);
    c->can_press = oct_proof_alloc(c, p->button_count, 1);
    if (!c->contacts || !c->can_press) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < c->thing_count; i++) {
        if (c->things[i].buttons > 0) {
            OCT_TRY(find_panel(c, i));
        }
    }
    return OCT_OK;
}
