// SPDX-License-Identifier: MIT
// The convex hull of corners, corner by corner: the faces that a new corner sees are taken away,
// and it is joined with the edges around the hole.
//
// Corners are rounded to 2^-21 of the longest side of their box to decide what sees what: then all
// is exact in integers of 128 bits, and the hull is closed whatever the corners are. The triangles
// have the corners as they were.
#include "mesh/mesh_internal.h"

#include <math.h>

#define HULL_STEPS (INT64_C(1) << 21)

typedef struct place {
    int64_t x, y, z;
} place;

typedef struct face {
    uint32_t corner[3]; // counter-clockwise, seen from outside
    bool seen;          // by the corner that is being added
} face;

typedef struct hull {
    const oct_allocator *allocator;
    oct_array faces; // face
    oct_array rim;   // uint32_t, two per edge
    const oct_point *vertices;
    double from[3], scale;
    uint64_t looks; // of corners at faces
} hull;

// Seconds. More are refused: it takes thousands of corners that all are on the hull.
#define LOOKS_MAX (UINT64_C(1) << 27)

static place place_of(const hull *h, uint32_t vertex)
{
    const oct_point p = h->vertices[vertex];
    return (place){(int64_t)floor((p.x - h->from[0]) * h->scale + 0.5),
                   (int64_t)floor((p.y - h->from[1]) * h->scale + 0.5),
                   (int64_t)floor((p.z - h->from[2]) * h->scale + 0.5)};
}

static place minus(place a, place b)
{
    return (place){a.x - b.x, a.y - b.y, a.z - b.z};
}

static place cross(place a, place b)
{
    return (place){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Above 0 where d lies on the outer side of a, b, c.
static int side(const hull *h, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const place from = place_of(h, a);
    const place normal = cross(minus(place_of(h, b), from), minus(place_of(h, c), from));
    const place to = minus(place_of(h, d), from);
    const oct_int128 dot =
        (oct_int128)normal.x * to.x + (oct_int128)normal.y * to.y + (oct_int128)normal.z * to.z;
    return (dot > 0) - (dot < 0);
}

static oct_result add_face(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    const face f = {{a, b, c}, false};
    return oct_array_push(&h->faces, h->allocator, sizeof f, &f);
}

// ---- the first four ----

static bool is_zero(place p)
{
    return p.x == 0 && p.y == 0 && p.z == 0;
}

// The first corners that are not in one place, on one line, in one plane; false without.
static bool find_first(const hull *h, const uint32_t *corners, size_t count, uint32_t out[4])
{
    size_t i = 0;
    out[0] = corners[0];
    while (i < count && is_zero(minus(place_of(h, corners[i]), place_of(h, out[0])))) {
        i++;
    }
    if (i == count) {
        return false;
    }
    out[1] = corners[i];
    const place along = minus(place_of(h, out[1]), place_of(h, out[0]));
    while (i < count &&
           is_zero(cross(along, minus(place_of(h, corners[i]), place_of(h, out[0]))))) {
        i++;
    }
    if (i == count) {
        return false;
    }
    out[2] = corners[i];
    while (i < count && side(h, out[0], out[1], out[2], corners[i]) == 0) {
        i++;
    }
    if (i == count) {
        return false;
    }
    out[3] = corners[i];
    return true;
}

static oct_result add_first(hull *h, const uint32_t at[4])
{
    const bool above = side(h, at[0], at[1], at[2], at[3]) > 0;
    const uint32_t a = at[0], b = above ? at[2] : at[1], c = above ? at[1] : at[2], d = at[3];
    OCT_TRY(add_face(h, a, b, c));
    OCT_TRY(add_face(h, a, d, b));
    OCT_TRY(add_face(h, b, d, c));
    return add_face(h, c, d, a);
}

// ---- one more ----

static bool mark_seen(hull *h, uint32_t corner)
{
    face *const faces = h->faces.items;
    bool any = false;
    for (size_t i = 0; i < h->faces.count; i++) {
        const uint32_t *const c = faces[i].corner;
        faces[i].seen = side(h, c[0], c[1], c[2], corner) > 0;
        any = any || faces[i].seen;
    }
    return any;
}

// Puts an edge of a seen face on the rim, or takes it off where it was there the other way round.
static oct_result toggle_rim(hull *h, uint32_t from, uint32_t to)
{
    uint32_t *const rim = h->rim.items;
    for (size_t i = 0; i + 1 < h->rim.count; i += 2) {
        if (rim[i] == to && rim[i + 1] == from) {
            rim[i] = rim[h->rim.count - 2];
            rim[i + 1] = rim[h->rim.count - 1];
            h->rim.count -= 2;
            return OCT_OK;
        }
    }
    OCT_TRY(oct_array_push(&h->rim, h->allocator, sizeof from, &from));
    return oct_array_push(&h->rim, h->allocator, sizeof to, &to);
}

static oct_result add_corner(hull *h, uint32_t corner)
{
    h->looks += h->faces.count;
    if (h->looks > LOOKS_MAX) {
        return OCT_ERROR_RANGE;
    }
    if (!mark_seen(h, corner)) {
        return OCT_OK;
    }
    h->rim.count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < h->faces.count; i++) {
        const face f = ((face *)h->faces.items)[i];
        if (!f.seen) {
            ((face *)h->faces.items)[kept++] = f;
            continue;
        }
        for (int j = 0; j < 3; j++) {
            OCT_TRY(toggle_rim(h, f.corner[j], f.corner[(j + 1) % 3]));
        }
    }
    h->faces.count = kept;
    for (size_t i = 0; i + 1 < h->rim.count; i += 2) {
        const uint32_t *const rim = h->rim.items;
        OCT_TRY(add_face(h, rim[i], rim[i + 1], corner));
    }
    return OCT_OK;
}

// ---- the whole ----

static void set_scale(hull *h, const uint32_t *corners, size_t count)
{
    double most[3];
    for (size_t i = 0; i < count; i++) {
        const oct_point p = h->vertices[corners[i]];
        const double at[3] = {p.x, p.y, p.z};
        for (int axis = 0; axis < 3; axis++) {
            h->from[axis] = i == 0 || at[axis] < h->from[axis] ? at[axis] : h->from[axis];
            most[axis] = i == 0 || at[axis] > most[axis] ? at[axis] : most[axis];
        }
    }
    double longest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        longest = most[axis] - h->from[axis] > longest ? most[axis] - h->from[axis] : longest;
    }
    h->scale = longest > 0.0 && isfinite(longest) ? (double)HULL_STEPS / longest : 0.0;
    h->scale = isfinite(h->scale) ? h->scale : 0.0;
}

oct_result oct_mesh_hull(const oct_allocator *allocator, const oct_point *vertices,
                         const uint32_t *indices, size_t index_count, oct_array *out, bool *flat)
{
    hull h = {.allocator = allocator, .vertices = vertices};
    uint32_t first[4];
    set_scale(&h, indices, index_count);
    *flat = !find_first(&h, indices, index_count, first);
    oct_result result = *flat ? OCT_OK : add_first(&h, first);
    for (size_t i = 0; i < index_count && !*flat && result == OCT_OK; i++) {
        result = add_corner(&h, indices[i]);
    }
    const face *const faces = h.faces.items;
    for (size_t i = 0; i < 3 * h.faces.count && result == OCT_OK; i++) {
        const uint32_t corner = faces[i / 3].corner[i % 3];
        result = oct_array_push(out, allocator, sizeof corner, &corner);
    }
    oct_array_free(&h.faces, allocator, sizeof(face));
    oct_array_free(&h.rim, allocator, sizeof(uint32_t));
    return result;
}
