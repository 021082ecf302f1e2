// SPDX-License-Identifier: MIT
#include "agent/solid_list.h"

#include "agent/solid_boxes.h"
#include "game/entity_pool.h"
#include "geom/geom_internal.h"
#include "octree/octree_internal.h"

#include <math.h>

#define THIN 1e-6   // what is thinner lets nothing through, metres
#define INSIDE 1e-5 // a way that only grazes something so far inside does not meet it, metres
#define SAME 1e-12  // axes that differ by less are the same
#define MANY 16     // boxes of a frame that are worth an index
#define FRAMES_MAX 4096
#define LATEST 1000 // boxes that are looked through for one that is the same

// ---- frames ----

static solid_frame *frame_at(const solid_list *l, uint32_t frame)
{
    return (solid_frame *)l->frames.items + frame;
}

const solid_frame *oct_solid_list_frame(const solid_list *l, uint32_t frame)
{
    return frame_at(l, frame);
}

bool oct_solid_list_are_turned(const solid_list *l)
{
    return l->frames.count > 1 || l->bodies.count > 0;
}

static oct_point into(const solid_frame *f, oct_point p)
{
    return (oct_point){point_dot(f->axes[0], p), point_dot(f->axes[1], p),
                       point_dot(f->axes[2], p)};
}

static oct_point out_of(const solid_frame *f, oct_point p)
{
    return point_add(point_add(point_scale(f->axes[0], p.x), point_scale(f->axes[1], p.y)),
                     point_scale(f->axes[2], p.z));
}

static double axis_of(oct_point p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static oct_bounds around(oct_point middle, oct_point half)
{
    return (oct_bounds){point_sub(middle, half), point_add(middle, half)};
}

static oct_point middle_of(const oct_bounds *b)
{
    return point_scale(point_add(b->min, b->max), 0.5);
}

static oct_point half_of(const oct_bounds *b)
{
    return point_scale(point_sub(b->max, b->min), 0.5);
}

oct_bounds oct_solid_list_turned(const solid_list *l, uint32_t from, uint32_t to,
                                 const oct_bounds *b)
{
    const solid_frame *const f = frame_at(l, from), *const t = frame_at(l, to);
    if (from == to) {
        return *b;
    }
    const oct_point half = half_of(b);
    double reach[3];
    for (int i = 0; i < 3; i++) {
        reach[i] = fabs(point_dot(t->axes[i], f->axes[0])) * half.x +
                   fabs(point_dot(t->axes[i], f->axes[1])) * half.y +
                   fabs(point_dot(t->axes[i], f->axes[2])) * half.z;
    }
    return around(into(t, out_of(f, middle_of(b))), (oct_point){reach[0], reach[1], reach[2]});
}

oct_piece oct_solid_list_piece(const solid_frame *f, const oct_bounds *b)
{
    oct_piece p = {
        .kind = OCT_PIECE_OBB, .centre = out_of(f, middle_of(b)), .half = half_of(b), .box = *b};
    memcpy(p.turn, f->turn, sizeof p.turn);
    return p;
}

// The axes of a turn: where those of the world come to lie.
static void make_axes(const double turn[4], oct_point axes[3])
{
    oct_piece p = {.kind = OCT_PIECE_OBB, .centre = {0, 0, 0}};
    memcpy(p.turn, turn, sizeof p.turn);
    for (int i = 0; i < 3; i++) {
        axes[i] = oct_piece_world(&p, (oct_point){i == 0, i == 1, i == 2});
    }
}

// Whether each of some axes lies along one of a frame; order[i] is along which.
static bool are_along(const solid_frame *f, const oct_point axes[3], int order[3])
{
    for (int i = 0; i < 3; i++) {
        double rest = 0.0;
        order[i] = 0;
        for (int k = 1; k < 3; k++) {
            const bool is_more =
                fabs(point_dot(axes[i], f->axes[k])) > fabs(point_dot(axes[i], f->axes[order[i]]));
            order[i] = is_more ? k : order[i];
        }
        for (int k = 0; k < 3; k++) {
            rest += k == order[i] ? 0.0 : fabs(point_dot(axes[i], f->axes[k]));
        }
        if (rest > SAME) {
            return false;
        }
    }
    return order[0] != order[1] && order[1] != order[2] && order[0] != order[2];
}

static uint32_t find_axes(const solid_list *l, const oct_point axes[3], int order[3])
{
    for (uint32_t i = 0; i < l->frames.count; i++) {
        if (are_along(frame_at(l, i), axes, order)) {
            return i;
        }
    }
    return FRAME_NONE;
}

static uint32_t find_turn(const solid_list *l, const double turn[4])
{
    oct_point axes[3];
    int order[3];
    make_axes(turn, axes);
    return find_axes(l, axes, order);
}

static oct_result add_frame(solid_list *l, const double turn[4])
{
    solid_frame new = {.all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}};
    memcpy(new.turn, turn, sizeof new.turn);
    make_axes(turn, new.axes);
    return oct_array_push(&l->frames, &l->allocator, sizeof new, &new);
}

uint32_t oct_solid_list_own_box(const solid_list *l, const oct_piece *p, oct_bounds *own)
{
    oct_point axes[3];
    int order[3];
    make_axes(p->turn, axes);
    const uint32_t frame = find_axes(l, axes, order);
    if (frame == FRAME_NONE) {
        *own = p->box;
        return FRAME_UPRIGHT;
    }
    double half[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        half[order[i]] = axis_of(p->half, i);
    }
    *own = around(into(frame_at(l, frame), p->centre), (oct_point){half[0], half[1], half[2]});
    return frame;
}

static const oct_piece *only_piece(const oct_entity *e, oct_piece_kind kind)
{
    return e->shape.count == 1 && e->shape.pieces[0].kind == kind ? &e->shape.pieces[0] : NULL;
}

uint32_t oct_solid_list_frame_of(const solid_list *l, const oct_entity *e, oct_bounds *own)
{
    const oct_piece *const turned = only_piece(e, OCT_PIECE_OBB);
    *own = e->thing.box;
    return turned ? oct_solid_list_own_box(l, turned, own) : FRAME_UPRIGHT;
}

oct_bounds oct_solid_list_box_in(const solid_list *l, uint32_t frame, const oct_entity *e)
{
    oct_bounds own;
    const uint32_t from = oct_solid_list_frame_of(l, e, &own);
    return oct_solid_list_turned(l, from, frame, &own);
}

// ---- adding ----

oct_result oct_solid_list_begin(solid_list *l, const oct_allocator *allocator)
{
    static const double upright[4] = {0, 0, 0, 1};
    *l = (solid_list){.allocator = *allocator};
    return add_frame(l, upright);
}

void oct_solid_list_free(solid_list *l)
{
    for (uint32_t i = 0; i < l->frames.count; i++) {
        oct_array_free(&frame_at(l, i)->boxes, &l->allocator, sizeof(oct_bounds));
        oct_map_destroy(frame_at(l, i)->index);
    }
    oct_array_free(&l->frames, &l->allocator, sizeof(solid_frame));
    oct_array_free(&l->bodies, &l->allocator, sizeof(solid_body));
    oct_array_free(&l->axes, &l->allocator, sizeof(convex_axis));
    *l = (solid_list){.allocator = l->allocator};
}

static oct_result add_box(solid_list *l, uint32_t frame, const oct_bounds *b)
{
    solid_frame *const f = frame_at(l, frame);
    f->all = bounds_join(f->all, *b);
    return oct_array_push(&f->boxes, &l->allocator, sizeof *b, b);
}

static oct_result add_turned(solid_list *l, const oct_piece *p)
{
    oct_bounds own;
    const bool is_known = find_turn(l, p->turn) != FRAME_NONE;
    if (!is_known && l->frames.count == FRAMES_MAX) {
        return OCT_OK; // it closes nothing
    }
    OCT_TRY(is_known ? OCT_OK : add_frame(l, p->turn));
    const uint32_t frame = oct_solid_list_own_box(l, p, &own);
    return add_box(l, frame, &own);
}

static oct_bounds bounds_of(const oct_piece *p, size_t body)
{
    oct_point own[CONVEX_CORNERS];
    const oct_point *points;
    const size_t count = oct_convex_points(p, body, own, &points);
    oct_bounds b = {points[0], points[0]};
    for (size_t i = 1; i < count; i++) {
        b = bounds_join(b, (oct_bounds){points[i], points[i]});
    }
    return b;
}

static oct_result add_bodies(solid_list *l, const oct_piece *p)
{
    static const convex_padding none = {.half = {0, 0, 0}};
    for (size_t i = 0; i < oct_convex_bodies(p); i++) {
        solid_body new = {.piece = *p, .body = i};
        new.piece.box = bounds_of(p, i);
        // What has more points is taken for more than it is there.
        new.has_hull = p->kind == OCT_PIECE_HULL && p->point_count <= CONVEX_POINTS_MAX;
        OCT_TRY(new.has_hull ? oct_convex_of_piece(3, p, i, (oct_point){0, 0, 0}, 1.0, &none,
                                                   &l->allocator, &l->axes, &new.first, &new.hull)
                             : OCT_OK);
        OCT_TRY(oct_array_push(&l->bodies, &l->allocator, sizeof new, &new));
    }
    return OCT_OK;
}

static oct_result add_piece(solid_list *l, const oct_piece *p)
{
    switch (p->kind) {
    case OCT_PIECE_BOX:
        return add_box(l, FRAME_UPRIGHT, &p->box);
    case OCT_PIECE_OBB:
        return add_turned(l, p);
    default:
        return p->point_count > 0 ? add_bodies(l, p) : OCT_OK;
    }
}

oct_result oct_solid_list_add(solid_list *l, const oct_entity *e)
{
    if (oct_entity_is_upright(e)) {
        return add_box(l, FRAME_UPRIGHT, &e->thing.box);
    }
    for (size_t i = 0; i < e->shape.count; i++) {
        OCT_TRY(oct_convex_is_valid(&e->shape.pieces[i]) ? add_piece(l, &e->shape.pieces[i])
                                                         : OCT_OK);
    }
    return OCT_OK;
}

oct_result oct_solid_list_add_frame(solid_list *l, const oct_entity *e)
{
    const oct_piece *const turned = only_piece(e, OCT_PIECE_OBB);
    const bool is_new = turned && oct_convex_is_valid(turned) &&
                        find_turn(l, turned->turn) == FRAME_NONE && l->frames.count < FRAMES_MAX;
    return is_new ? add_frame(l, turned->turn) : OCT_OK;
}

// What is joined in several orders mostly comes to the same.
static void drop_twice(oct_array *boxes)
{
    oct_bounds *const all = boxes->items;
    size_t kept = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        bool is_new = true;
        for (size_t k = kept < LATEST ? 0 : kept - LATEST; k < kept && is_new; k++) {
            is_new = !is_same_bounds(&all[k], &all[i]);
        }
        all[kept] = all[i];
        kept += is_new;
    }
    boxes->count = kept;
}

oct_result oct_solid_list_join(solid_list *l)
{
    for (uint32_t i = 0; i < l->frames.count; i++) {
        OCT_TRY(oct_solid_boxes_join(&frame_at(l, i)->boxes, &l->allocator));
        if (i != FRAME_UPRIGHT) {
            drop_twice(&frame_at(l, i)->boxes);
        }
    }
    return OCT_OK;
}

static oct_result index_frame(solid_list *l, solid_frame *f, const oct_tree *lattice)
{
    const oct_bounds *const all = f->boxes.items;
    oct_map_def def = oct_map_def_default();
    def.cell_size = oct_tree_cell_size(lattice);
    def.origin = oct_tree_origin(lattice);
    def.journal = 0;
    def.allocator = &l->allocator;
    OCT_TRY(oct_map_create(&def, &f->index));
    for (size_t i = 0; i < f->boxes.count; i++) {
        // In nobody's way: the map's own tree is not used.
        const oct_thing thing = {.id = i, .box = all[i], .label = OCT_OPEN};
        OCT_TRY(oct_map_add(f->index, &thing));
    }
    return OCT_OK;
}

oct_result oct_solid_list_index(solid_list *l, const oct_tree *lattice)
{
    for (uint32_t i = 0; i < l->frames.count; i++) {
        solid_frame *const f = frame_at(l, i);
        OCT_TRY(f->boxes.count > MANY || i == FRAME_UPRIGHT ? index_frame(l, f, lattice) : OCT_OK);
    }
    solid_body *const bodies = l->bodies.items;
    for (size_t i = 0; i < l->bodies.count; i++) {
        bodies[i].hull.axes = (const convex_axis *)l->axes.items + bodies[i].first;
    }
    return OCT_OK;
}

// ---- cutting ----

static bool overlaps(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x < b->max.x - THIN && b->min.x < a->max.x - THIN && a->min.y < b->max.y - THIN &&
           b->min.y < a->max.y - THIN && a->min.z < b->max.z - THIN && b->min.z < a->max.z - THIN;
}

static void keep_piece(piece_list *p, const oct_bounds *b)
{
    const bool is_there =
        b->max.x - b->min.x > THIN && b->max.y - b->min.y > THIN && b->max.z - b->min.z > THIN;
    if (is_there && p->count < PIECES_MAX) {
        p->all[p->count++] = *b;
    }
}

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

static double *low_of(oct_bounds *b, int axis)
{
    return axis == 0 ? &b->min.x : axis == 1 ? &b->min.y : &b->min.z;
}

static double *high_of(oct_bounds *b, int axis)
{
    return axis == 0 ? &b->max.x : axis == 1 ? &b->max.y : &b->max.z;
}

// What is left of a piece outside of a box: up to six boxes. Along each axis what lies below and
// above the box is kept, and the rest goes on.
static void cut(piece_list *out, oct_bounds rest, oct_bounds by)
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = most_of(*low_of(&rest, axis), *low_of(&by, axis));
        const double high = least_of(*high_of(&rest, axis), *high_of(&by, axis));
        oct_bounds part = rest;
        *high_of(&part, axis) = low;
        keep_piece(out, &part);
        part = rest;
        *low_of(&part, axis) = high;
        keep_piece(out, &part);
        *low_of(&rest, axis) = low;
        *high_of(&rest, axis) = high;
    }
}

static bool subtract(void *ctx, const oct_thing *thing)
{
    piece_list *const p = ctx;
    uint32_t first = 0;
    while (first < p->count && !overlaps(&p->all[first], &thing->box)) {
        first++;
    }
    if (first == p->count) {
        return true;
    }
    const piece_list old = *p;
    p->count = first;
    for (uint32_t i = first; i < old.count; i++) {
        if (overlaps(&old.all[i], &thing->box)) {
            cut(p, old.all[i], thing->box);
        } else {
            keep_piece(p, &old.all[i]);
        }
    }
    return p->count > 0 && p->count < PIECES_MAX;
}

// Calls for each box of a frame that may meet one, while that is wanted.
static void visit_boxes(const solid_frame *f, const oct_bounds *b, oct_thing_fn *visit, void *ctx)
{
    oct_box cells;
    if (!f->index) {
        const oct_bounds *const all = f->boxes.items;
        bool goes_on = true;
        for (size_t i = 0; i < f->boxes.count && goes_on; i++) {
            goes_on = visit(ctx, &(oct_thing){.box = all[i]});
        }
        return;
    }
    const oct_tree *const tree = oct_map_tree(f->index);
    if (oct_cells_of_bounds(3, oct_tree_origin(tree), oct_tree_cell_size(tree), b, OCT_COVER_TOUCH,
                            &cells) == OCT_OK) {
        (void)oct_map_things_in(f->index, cells, visit, ctx);
    }
}

void oct_solid_list_cut(const solid_frame *f, const oct_bounds *box, piece_list *p)
{
    p->count = 1;
    p->all[0] = *box;
    visit_boxes(f, box, subtract, p);
    if (p->count >= PIECES_MAX) {
        p->count = 1;
        p->all[0] = *box;
    }
}

static bool hull_holds(const solid_body *body, const solid_frame *f, const oct_bounds *b)
{
    bool holds = body->has_hull;
    for (int i = 0; i < 8 && holds; i++) {
        const oct_point own = {i & 1 ? b->max.x : b->min.x, i & 2 ? b->max.y : b->min.y,
                               i & 4 ? b->max.z : b->min.z};
        holds = oct_convex_holds(&body->hull, out_of(f, own));
    }
    return holds;
}

solid_cover oct_solid_list_cover(const solid_list *l, uint32_t frame, const oct_bounds *box)
{
    solid_cover found = COVER_NONE;
    for (uint32_t i = 0; i < l->frames.count; i++) {
        piece_list left;
        const oct_bounds b = oct_solid_list_turned(l, frame, i, box);
        if (i == frame || !overlaps(&b, &frame_at(l, i)->all)) {
            continue;
        }
        oct_solid_list_cut(frame_at(l, i), &b, &left);
        if (left.count == 0) {
            return COVER_ALL;
        }
        found = left.count > 1 || !is_same_bounds(&left.all[0], &b) ? COVER_SOME : found;
    }
    const oct_bounds b = oct_solid_list_turned(l, frame, FRAME_UPRIGHT, box);
    const solid_body *const bodies = l->bodies.items;
    for (size_t i = 0; i < l->bodies.count; i++) {
        if (bodies[i].has_hull && overlaps(&b, &bodies[i].piece.box)) {
            if (hull_holds(&bodies[i], frame_at(l, frame), box)) {
                return COVER_ALL;
            }
            found = COVER_SOME;
        }
    }
    return found;
}

// ---- ways ----

// A way, and where on it something holds.
typedef struct way {
    oct_point from, to;
    bool is_met;
} way;

typedef struct stretch {
    double from, to;
} stretch;

// Cuts a stretch to where what goes from one value to another lies between two.
static void keep_between(stretch *s, double from, double to, double lo, double hi)
{
    const double by = to - from;
    if (by == 0.0) {
        s->to = from > lo && from < hi ? s->to : -1.0;
        return;
    }
    const double one = (lo - from) / by, two = (hi - from) / by;
    s->from = fmax(s->from, fmin(one, two));
    s->to = fmin(s->to, fmax(one, two));
}

static bool meet_box(void *ctx, const oct_thing *thing)
{
    way *const w = ctx;
    const oct_bounds *const b = &thing->box;
    stretch s = {0.0, 1.0};
    keep_between(&s, w->from.x, w->to.x, b->min.x + INSIDE, b->max.x - INSIDE);
    keep_between(&s, w->from.y, w->to.y, b->min.y + INSIDE, b->max.y - INSIDE);
    keep_between(&s, w->from.z, w->to.z, b->min.z + INSIDE, b->max.z - INSIDE);
    const bool is_thick = b->max.x - b->min.x > 2 * INSIDE && b->max.y - b->min.y > 2 * INSIDE &&
                          b->max.z - b->min.z > 2 * INSIDE;
    w->is_met = is_thick && s.from <= s.to;
    return !w->is_met;
}

static bool meets_hull(const solid_body *body, oct_point from, oct_point to)
{
    stretch s = {0.0, 1.0};
    for (uint32_t i = 0; i < body->hull.faces; i++) {
        const convex_axis *const a = &body->hull.axes[i];
        const double in = 2.0 * CONVEX_UNIT * INSIDE;
        const double lo = (double)a->lo + in, hi = (double)a->hi - in;
        const double at = 2.0 * (a->n[0] * from.x + a->n[1] * from.y + a->n[2] * from.z);
        const double end = 2.0 * (a->n[0] * to.x + a->n[1] * to.y + a->n[2] * to.z);
        if (lo >= hi) {
            return false;
        }
        keep_between(&s, at, end, lo, hi);
    }
    return s.from <= s.to;
}

// A triangle is met if the way crosses its plane well within it.
static bool meets_triangle(const solid_body *body, oct_point from, oct_point to)
{
    const uint32_t *const t = &body->piece.triangles[3 * body->body];
    const oct_point p[3] = {body->piece.points[t[0]], body->piece.points[t[1]],
                            body->piece.points[t[2]]};
    const oct_point normal = point_cross(point_sub(p[1], p[0]), point_sub(p[2], p[0]));
    const double length = point_length(normal);
    const double a = point_dot(normal, point_sub(from, p[0])) / length;
    const double b = point_dot(normal, point_sub(to, p[0])) / length;
    if (!(length > 0.0) || !((a > INSIDE && b < -INSIDE) || (a < -INSIDE && b > INSIDE))) {
        return false;
    }
    const oct_point at = point_add(from, point_scale(point_sub(to, from), a / (a - b)));
    bool is = true;
    for (int i = 0; i < 3 && is; i++) {
        const oct_point edge = point_sub(p[(i + 1) % 3], p[i]);
        const oct_point inwards = point_cross(normal, edge);
        is = point_dot(inwards, point_sub(at, p[i])) > INSIDE * point_length(inwards);
    }
    return is;
}

bool oct_solid_list_meet(const solid_list *l, oct_point from, oct_point to)
{
    way w = {.is_met = false};
    for (uint32_t i = 0; i < l->frames.count && !w.is_met; i++) {
        const solid_frame *const f = frame_at(l, i);
        w.from = into(f, from);
        w.to = into(f, to);
        const oct_bounds one = {w.from, w.from}, two = {w.to, w.to}, b = bounds_join(one, two);
        if (f->boxes.count > 0 && b.min.x <= f->all.max.x && f->all.min.x <= b.max.x &&
            b.min.y <= f->all.max.y && f->all.min.y <= b.max.y && b.min.z <= f->all.max.z &&
            f->all.min.z <= b.max.z) {
            visit_boxes(f, &b, meet_box, &w);
        }
    }
    const oct_bounds one = {from, from}, two = {to, to}, b = bounds_join(one, two);
    const solid_body *const bodies = l->bodies.items;
    for (size_t i = 0; i < l->bodies.count && !w.is_met; i++) {
        const oct_bounds *const box = &bodies[i].piece.box;
        const bool is_near = b.min.x <= box->max.x && box->min.x <= b.max.x &&
                             b.min.y <= box->max.y && box->min.y <= b.max.y &&
                             b.min.z <= box->max.z && box->min.z <= b.max.z;
        w.is_met = is_near && (bodies[i].piece.kind == OCT_PIECE_TRIANGLES
                                   ? meets_triangle(&bodies[i], from, to)
                                   : bodies[i].has_hull && meets_hull(&bodies[i], from, to));
    }
    return w.is_met;
}
