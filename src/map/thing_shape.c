// SPDX-License-Identifier: MIT
#include "map/thing_shape.h"
#include "geom/geom_internal.h"
#include "map/things.h"

// ---- what is told ----

bool oct_thing_shape_is_needed(const oct_shape *s)
{
    return s && s->count > 0 && !(s->count == 1 && s->pieces[0].kind == OCT_PIECE_BOX);
}

bool oct_thing_shape_is_valid(const oct_shape *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!oct_convex_is_valid(&s->pieces[i])) {
            return false;
        }
    }
    return true;
}

static bool has_points(const oct_piece *p)
{
    return p->kind == OCT_PIECE_HULL || p->kind == OCT_PIECE_TRIANGLES;
}

static bool is_same_piece(const oct_piece *a, const oct_piece *b)
{
    bool is = a->kind == b->kind && is_same_bounds(&a->box, &b->box);
    if (is && a->kind == OCT_PIECE_OBB) {
        is = is_same_point(a->centre, b->centre) && is_same_point(a->half, b->half);
        for (int i = 0; i < 4; i++) {
            is = is && a->turn[i] == b->turn[i];
        }
    }
    if (is && has_points(a)) {
        is = a->point_count == b->point_count;
        for (size_t i = 0; i < a->point_count && is; i++) {
            is = is_same_point(a->points[i], b->points[i]);
        }
    }
    return is && (a->kind != OCT_PIECE_TRIANGLES ||
                  (a->triangle_count == b->triangle_count &&
                   (a->triangle_count == 0 ||
                    memcmp(a->triangles, b->triangles,
                           3 * a->triangle_count * sizeof *a->triangles) == 0)));
}

bool oct_thing_shape_equals(const oct_shape *a, const oct_shape *b)
{
    const bool has_a = oct_thing_shape_is_needed(a), has_b = oct_thing_shape_is_needed(b);
    if (!has_a || !has_b || a->count != b->count) {
        return has_a == has_b && !has_a;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!is_same_piece(&a->pieces[i], &b->pieces[i])) {
            return false;
        }
    }
    return true;
}

// ---- a copy of it ----

// Room for the record, its bodies, the pieces, their points and their triangles, in this order.
static bool count_bytes(const oct_shape *s, size_t *bodies, size_t *bytes)
{
    size_t points = 0, corners = 0, part;
    *bodies = 0;
    for (size_t i = 0; i < s->count; i++) {
        const oct_piece *const p = &s->pieces[i];
        if (!oct_size_add(*bodies, oct_convex_bodies(p), bodies) ||
            (has_points(p) && !oct_size_add(points, p->point_count, &points)) ||
            (p->kind == OCT_PIECE_TRIANGLES &&
             !oct_size_add(corners, p->triangle_count, &corners))) {
            return false;
        }
    }
    *bytes = sizeof(thing_shape);
    return *bodies < UINT32_MAX && oct_size_mul(*bodies, sizeof(thing_body), &part) &&
           oct_size_add(*bytes, part, bytes) && oct_size_mul(s->count, sizeof(oct_piece), &part) &&
           oct_size_add(*bytes, part, bytes) && oct_size_mul(points, sizeof(oct_point), &part) &&
           oct_size_add(*bytes, part, bytes) &&
           oct_size_mul(corners, 3 * sizeof(uint32_t), &part) && oct_size_add(*bytes, part, bytes);
}

static void copy_pieces(thing_shape *s, const oct_shape *from)
{
    oct_piece *const pieces = (oct_piece *)(void *)(s->bodies + s->count);
    oct_point *points = (oct_point *)(void *)(pieces + from->count);
    for (size_t i = 0; i < from->count; i++) {
        pieces[i] = from->pieces[i];
        if (has_points(&pieces[i]) && pieces[i].point_count > 0) {
            memcpy(points, pieces[i].points, pieces[i].point_count * sizeof *points);
            pieces[i].points = points;
            points += pieces[i].point_count;
        }
    }
    uint32_t *corners = (uint32_t *)(void *)points;
    for (size_t i = 0; i < from->count; i++) {
        const size_t count = 3 * pieces[i].triangle_count;
        if (pieces[i].kind == OCT_PIECE_TRIANGLES && count > 0) {
            memcpy(corners, pieces[i].triangles, count * sizeof *corners);
            pieces[i].triangles = corners;
            corners += count;
        }
    }
    s->told = (oct_shape){pieces, from->count};
}

// ---- bodies ----

static oct_box cells_of(const lattice *l, const convex *c, const convex_padding *padding,
                        const oct_box *most)
{
    const oct_point half = padding->half;
    oct_box box = *most;
    // A hair more than it is: rounding must not leave out what it reaches into.
    const lattice cells = {.cell_size = 1.0, .dims = l->dims};
    const oct_bounds reach = {
        {c->lo.x - half.x - 1e-6, c->lo.y - half.y - 1e-6, c->lo.z - half.z - 1e-6},
        {c->hi.x + half.x + 1e-6, c->hi.y + half.y + 1e-6, c->hi.z + half.z + 1e-6}};
    return oct_lattice_cover(&cells, &reach, &box) ? box_common(box, *most) : *most;
}

static oct_result make_bodies(thing_shape *s, const lattice *l, const oct_box *cells,
                              const oct_allocator *allocator)
{
    const double size = l->cell_size;
    const convex_padding padding = {{l->padding.x / size, l->padding.y / size, l->padding.z / size},
                                    l->is_ball};
    size_t at = 0;
    for (size_t i = 0; i < s->told.count; i++) {
        const oct_piece *const p = &s->told.pieces[i];
        for (size_t k = 0; k < oct_convex_bodies(p); k++) {
            size_t first;
            thing_body *const b = &s->bodies[at++];
            OCT_TRY(oct_convex_of_piece(l->dims, p, k, l->origin, size, &padding, allocator,
                                        &s->axes, &first, &b->body));
            b->cells = cells_of(l, &b->body, &padding, cells);
        }
    }
    const convex_axis *axes = s->axes.items;
    for (size_t i = 0; i < s->count; i++) {
        s->bodies[i].body.axes = axes;
        axes += s->bodies[i].body.count;
    }
    return OCT_OK;
}

oct_result oct_thing_shape_make(const lattice *l, const oct_bounds *box, const oct_shape *shape,
                                const oct_allocator *allocator, thing_shape **out)
{
    size_t bodies, bytes;
    oct_box cells;
    *out = NULL;
    if (!count_bytes(shape, &bodies, &bytes) || !oct_lattice_cover(l, box, &cells)) {
        return OCT_ERROR_RANGE;
    }
    thing_shape *const s = oct_alloc(allocator, bytes, _Alignof(max_align_t));
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (thing_shape){.users = 1, .count = bodies, .bytes = bytes};
    s->bodies = (thing_body *)(void *)(s + 1);
    copy_pieces(s, shape);
    const oct_result result = make_bodies(s, l, &cells, allocator);
    if (result != OCT_OK) {
        oct_thing_shape_drop(s, allocator);
        return result;
    }
    *out = s;
    return OCT_OK;
}

thing_shape *oct_thing_shape_keep(thing_shape *s)
{
    if (s) {
        s->users++;
    }
    return s;
}

void oct_thing_shape_drop(thing_shape *s, const oct_allocator *allocator)
{
    if (s && --s->users == 0) {
        oct_array_free(&s->axes, allocator, sizeof(convex_axis));
        oct_free(allocator, s, s->bytes);
    }
}

bool oct_thing_shape_covers(const thing_shape *s, oct_vec cell)
{
    for (size_t i = 0; i < s->count; i++) {
        if (box_holds(&s->bodies[i].cells, cell) &&
            convex_meets(&s->bodies[i].body, cell, 1, true)) {
            return true;
        }
    }
    return false;
}

static bool box_meets(const convex *c, oct_vec at, int32_t edge)
{
    return c->lo.x < (double)at.x + edge && c->hi.x > at.x && c->lo.y < (double)at.y + edge &&
           c->hi.y > at.y && c->lo.z <= (double)at.z + edge && c->hi.z >= at.z;
}

bool oct_thing_shape_fills(const thing_shape *s, oct_vec first, int32_t edge)
{
    for (size_t i = 0; i < s->count; i++) {
        const convex *const c = &s->bodies[i].body;
        if (box_meets(c, first, edge) && convex_meets(c, first, edge, false)) {
            return true;
        }
    }
    return false;
}
