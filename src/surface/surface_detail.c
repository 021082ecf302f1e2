// SPDX-License-Identifier: MIT
// Triangles of heights: the ground within a face where it is not what the fan of its corners says.
#include "surface/surface_internal.h"

#include <math.h>

#define DETAILS_MAX (4 * OCT_SURFACE_CORNERS_MAX)

void oct_surface_free_details(oct_surface *s)
{
    surface_details *const d = &s->details;
    if (d->faces > 0) {
        oct_free(&s->allocator, d->triangles, s->info.details * sizeof *d->triangles);
        oct_free(&s->allocator, d->starts, (d->faces + 1u) * sizeof *d->starts);
    }
    *d = (surface_details){.faces = 0};
    s->info.details = 0;
}

// Room for so many triangles of so many faces.
static oct_result make_room(oct_surface *s, uint32_t faces, uint32_t count)
{
    surface_details *const d = &s->details;
    const size_t starts = (faces + 1u) * sizeof *d->starts, size = count * sizeof *d->triangles;
    d->faces = faces;
    s->info.details = count;
    d->starts = oct_alloc(&s->allocator, starts, _Alignof(uint32_t));
    d->triangles = oct_alloc(&s->allocator, size, _Alignof(ground_point));
    if (!d->starts || !d->triangles) {
        oct_surface_free_details(s);
        return OCT_ERROR_MEMORY;
    }
    memset(d->starts, 0, starts);
    s->info.bytes += starts + size;
    return OCT_OK;
}

static oct_result refuse(oct_error *error, uint32_t face, const char *why)
{
    oct_error_set(error, face, 0, 0, "details of face %u %s", (unsigned)face, why);
    return OCT_ERROR_FORMAT;
}

// A triangle, counter-clockwise; false where it has a coordinate that is no number.
static bool take_triangle(const oct_surface *s, const oct_point *from, ground_point out[3])
{
    for (int i = 0; i < 3; i++) {
        const oct_point p = from[i];
        if (!(fabs(p.x) <= OCT_SURFACE_REACH_MAX && fabs(p.y) <= OCT_SURFACE_REACH_MAX &&
              fabs(p.z) <= OCT_SURFACE_REACH_MAX)) {
            return false;
        }
        out[i] = surface_in(s, p);
    }
    if (turn_of(&out[0], &out[1], &out[2]) < 0.0) {
        const ground_point keep = out[1];
        out[1] = out[2];
        out[2] = keep;
    }
    return true;
}

oct_result oct_surface_take_details(oct_surface *s, const oct_surface_def *def, oct_error *error)
{
    uint64_t count = 0;
    for (uint32_t f = 0; f < def->face_count; f++) {
        count += def->detail_sizes[f];
    }
    if (count == 0) {
        return OCT_OK;
    }
    if (count > DETAILS_MAX) {
        oct_error_set(error, 0, 0, 0, "more than %d triangles of heights", DETAILS_MAX);
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(make_room(s, def->face_count, (uint32_t)count));
    uint32_t at = 0;
    for (uint32_t f = 0; f < def->face_count; f++) {
        s->details.starts[f] = at;
        for (const uint32_t end = at + def->detail_sizes[f]; at < end; at++) {
            if (!take_triangle(s, &def->details[3 * (size_t)at], s->details.triangles[at])) {
                return refuse(error, f, "have a coordinate that is not a number within +-1e7");
            }
        }
    }
    s->details.starts[def->face_count] = at;
    return OCT_OK;
}

oct_result oct_surface_copy_details(oct_surface *s, const oct_surface *from)
{
    if (from->details.faces == 0) {
        return OCT_OK;
    }
    const ground_point(*triangles)[3] = NULL;
    uint64_t count = 0;
    for (uint32_t f = 0; f < from->info.faces; f++) {
        count += details_of(from, f, &triangles);
    }
    if (count == 0 || count > DETAILS_MAX) {
        return count == 0 ? OCT_OK : OCT_ERROR_RANGE;
    }
    OCT_TRY(make_room(s, from->info.faces, (uint32_t)count));
    uint32_t at = 0;
    for (uint32_t f = 0; f < from->info.faces; f++) {
        const uint32_t own = details_of(from, f, &triangles);
        s->details.starts[f] = at;
        if (own > 0) {
            memcpy(s->details.triangles[at], triangles, own * sizeof *triangles);
        }
        at += own;
    }
    s->details.starts[from->info.faces] = at;
    return OCT_OK;
}
