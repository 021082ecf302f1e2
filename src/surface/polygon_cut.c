// SPDX-License-Identifier: MIT
// Polygons that are not convex: cut into triangles by ears, which are joined again as long as they
// stay convex (Hertel and Mehlhorn 1983).
#include "surface/surface_internal.h"

#include <math.h>

typedef struct ear_work {
    const ground_point *corners;
    uint32_t *left; // corners that are left, as a ring
    uint32_t left_count;
    ground_point *piece; // the convex piece that grows
    uint32_t piece_count;
} ear_work;

// ---- crossings ----

static bool is_between(double a, double b, double c)
{
    return (a <= c && c <= b) || (b <= c && c <= a);
}

static bool is_on(const ground_point *a, const ground_point *b, const ground_point *c)
{
    return turn_of(a, b, c) == 0.0 && is_between(a->x, b->x, c->x) && is_between(a->y, b->y, c->y);
}

static bool segments_meet(const ground_point *a, const ground_point *b, const ground_point *c,
                          const ground_point *d)
{
    const double abc = turn_of(a, b, c), abd = turn_of(a, b, d);
    const double cda = turn_of(c, d, a), cdb = turn_of(c, d, b);
    if (((abc > 0.0 && abd < 0.0) || (abc < 0.0 && abd > 0.0)) &&
        ((cda > 0.0 && cdb < 0.0) || (cda < 0.0 && cdb > 0.0))) {
        return true;
    }
    return is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b);
}

static bool crosses_itself(const ground_point *corners, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 2; j < count; j++) {
            if (i == 0 && j == count - 1) {
                continue;
            }
            if (segments_meet(&corners[i], &corners[i + 1], &corners[j],
                              &corners[(j + 1) % count])) {
                return true;
            }
        }
    }
    return false;
}

// ---- ears ----

static bool is_ear(const ear_work *w, uint32_t i)
{
    const uint32_t n = w->left_count;
    const ground_point *const a = &w->corners[w->left[(i + n - 1) % n]];
    const ground_point *const b = &w->corners[w->left[i]];
    const ground_point *const c = &w->corners[w->left[(i + 1) % n]];
    if (!(turn_of(a, b, c) > 0.0)) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        const ground_point *const p = &w->corners[w->left[k]];
        if (p != a && p != b && p != c && turn_of(a, b, p) >= 0.0 && turn_of(b, c, p) >= 0.0 &&
            turn_of(c, a, p) >= 0.0) {
            return false;
        }
    }
    return true;
}

static void drop(ear_work *w, uint32_t i)
{
    memmove(&w->left[i], &w->left[i + 1], (w->left_count - i - 1) * sizeof *w->left);
    w->left_count--;
}

// Corners on a straight line between their neighbours make no ear, and are no matter.
static bool drop_straight(ear_work *w)
{
    const uint32_t n = w->left_count;
    for (uint32_t i = 0; i < n && n > 3; i++) {
        if (turn_of(&w->corners[w->left[(i + n - 1) % n]], &w->corners[w->left[i]],
                    &w->corners[w->left[(i + 1) % n]]) == 0.0) {
            drop(w, i);
            return true;
        }
    }
    return false;
}

static bool is_same_place(const ground_point *a, const ground_point *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

// Adds a triangle to the piece that grows, if the two share an edge and stay convex together.
static bool grow_piece(ear_work *w, const ground_point triangle[3])
{
    const uint32_t n = w->piece_count;
    for (uint32_t i = 0; i < n; i++) {
        const ground_point *const a = &w->piece[i], *const b = &w->piece[(i + 1) % n];
        for (uint32_t k = 0; k < 3; k++) {
            const ground_point *const c = &triangle[k], *const d = &triangle[(k + 1) % 3];
            if (!is_same_place(a, d) || !is_same_place(b, c)) {
                continue;
            }
            memmove(&w->piece[i + 2], &w->piece[i + 1], (n - i - 1) * sizeof *w->piece);
            w->piece[i + 1] = triangle[(k + 2) % 3];
            if (oct_polygon_is_convex(w->piece, n + 1, 0.0)) {
                w->piece_count++;
                return true;
            }
            memmove(&w->piece[i + 1], &w->piece[i + 2], (n - i - 1) * sizeof *w->piece);
        }
    }
    return false;
}

static oct_result add_triangle(ear_work *w, polygons *out, const ground_point triangle[3],
                               uint32_t source)
{
    if (w->piece_count > 0 && grow_piece(w, triangle)) {
        return OCT_OK;
    }
    if (w->piece_count > 0) {
        OCT_TRY(oct_polygons_add(out, w->piece, w->piece_count, source));
    }
    memcpy(w->piece, triangle, 3 * sizeof *triangle);
    w->piece_count = 3;
    return OCT_OK;
}

static oct_result cut_ears(ear_work *w, polygons *out, uint32_t source)
{
    while (w->left_count >= 3) {
        const uint32_t n = w->left_count;
        uint32_t i = 0;
        while (i < n && !is_ear(w, i)) {
            i++;
        }
        if (i == n) {
            if (!drop_straight(w)) {
                break; // what is left has no area
            }
            continue;
        }
        const ground_point triangle[3] = {w->corners[w->left[(i + n - 1) % n]],
                                          w->corners[w->left[i]], w->corners[w->left[(i + 1) % n]]};
        OCT_TRY(add_triangle(w, out, triangle, source));
        drop(w, i);
    }
    return w->piece_count > 0 ? oct_polygons_add(out, w->piece, w->piece_count, source) : OCT_OK;
}

oct_result oct_polygon_cut(polygons *out, const ground_point *corners, uint32_t count,
                           uint32_t source, bool *crosses)
{
    *crosses = crosses_itself(corners, count);
    if (*crosses) {
        return OCT_OK;
    }
    const size_t left_size = count * sizeof(uint32_t);
    const size_t piece_size = (count + 1u) * sizeof(ground_point);
    ear_work w = {.corners = corners, .left_count = count};
    w.left = oct_alloc(out->memory, left_size, _Alignof(uint32_t));
    w.piece = oct_alloc(out->memory, piece_size, _Alignof(ground_point));
    oct_result result = w.left && w.piece ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        for (uint32_t i = 0; i < count; i++) {
            w.left[i] = i;
        }
        result = cut_ears(&w, out, source);
    }
    oct_free(out->memory, w.left, left_size);
    oct_free(out->memory, w.piece, piece_size);
    return result;
}
