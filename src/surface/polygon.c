// SPDX-License-Identifier: MIT
// Polygons on their way to a surface: area, centre, height, convexity, and splitting.
#include "surface/surface_internal.h"

#include <math.h>

void oct_polygons_free(polygons *all)
{
    oct_array_free(&all->corners, all->memory, sizeof(ground_point));
    oct_array_free(&all->faces, all->memory, sizeof(polygon));
}

oct_result oct_polygons_add(polygons *all, const ground_point *corners, uint32_t count,
                            uint32_t source)
{
    if (all->corners.count + count > OCT_SURFACE_CORNERS_MAX) {
        return OCT_ERROR_RANGE;
    }
    const polygon face = {(uint32_t)all->corners.count, count, source};
    const size_t wanted = all->corners.count + count;
    if (wanted > all->corners.capacity) {
        OCT_TRY(oct_array_reserve(&all->corners, all->memory, sizeof(ground_point),
                                  wanted + wanted / 2));
    }
    OCT_TRY(oct_array_push(&all->faces, all->memory, sizeof face, &face));
    memcpy((ground_point *)all->corners.items + all->corners.count, corners,
           count * sizeof *corners);
    all->corners.count += count;
    return OCT_OK;
}

double oct_polygon_area(const ground_point *corners, uint32_t count)
{
    double twice = 0.0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        twice += turn_of(&corners[0], &corners[i], &corners[i + 1]);
    }
    return 0.5 * twice;
}

double oct_polygon_height(const ground_point *corners, uint32_t count, double x, double y)
{
    double miss = HUGE_VAL, height = corners[0].z;
    for (uint32_t i = 1; i + 1 < count && miss > 0.0; i++) {
        take_height(&corners[0], &corners[i], &corners[i + 1], x, y, &miss, &height);
    }
    return height;
}

ground_point oct_polygon_centre(const ground_point *corners, uint32_t count)
{
    const ground_point *const a = &corners[0];
    double twice = 0.0, x = 0.0, y = 0.0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        const ground_point *const b = &corners[i], *const c = &corners[i + 1];
        const double area = turn_of(a, b, c);
        twice += area;
        x += area * ((b->x - a->x) + (c->x - a->x));
        y += area * ((b->y - a->y) + (c->y - a->y));
    }
    ground_point centre = *a;
    if (twice > 0.0) {
        centre.x += x / (3.0 * twice);
        centre.y += y / (3.0 * twice);
        centre.z = oct_polygon_height(corners, count, centre.x, centre.y);
    }
    return centre;
}

bool oct_polygon_is_convex(const ground_point *corners, uint32_t count, double slack)
{
    // Every corner is to the left of every edge's line: also of a polygon that winds twice that
    // turns left everywhere.
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *const a = &corners[i], *const b = &corners[(i + 1) % count];
        const double x = b->x - a->x, y = b->y - a->y;
        const double limit = slack * sqrt(x * x + y * y);
        const ground_point *const c = &corners[(i + 2) % count];
        const double turn = turn_of(a, b, c);
        // Nor does it turn back.
        const bool is_back = (c->x - b->x) * x + (c->y - b->y) * y < 0.0;
        if (turn < -limit || (is_back && turn <= limit)) {
            return false;
        }
    }
    // Seen from the first corner, the others are in counter-clockwise order, once around.
    for (uint32_t i = 1; i + 1 < count; i++) {
        const ground_point *const a = &corners[0], *const b = &corners[i], *c = &corners[i + 1];
        const double x = b->x - a->x, y = b->y - a->y;
        if (turn_of(a, b, c) < -slack * sqrt(x * x + y * y)) {
            return false;
        }
    }
    return true;
}

// ---- splitting ----

typedef struct cut_line {
    double x, y;   // a point of it
    double nx, ny; // normal
} cut_line;

static double side_of(const cut_line *line, const ground_point *p)
{
    return (p->x - line->x) * line->nx + (p->y - line->y) * line->ny;
}

// The place where an edge crosses the line, the same from both ends.
static ground_point crossing(const ground_point *p, const ground_point *q, double at_p, double at_q)
{
    const bool swap = q->x < p->x || (q->x == p->x && q->y < p->y);
    const ground_point *const a = swap ? q : p, *const b = swap ? p : q;
    const double at_a = swap ? at_q : at_p, at_b = swap ? at_p : at_q;
    const double t = at_a / (at_a - at_b);
    return (ground_point){a->x + (b->x - a->x) * t, a->y + (b->y - a->y) * t,
                          a->z + (b->z - a->z) * t};
}

// The part of a convex polygon on one side of a line; returns the number of its corners. These are
// twice as many at most: corners of what is hardly wider than rounding may go to and fro across it.
static uint32_t half_of(const ground_point *corners, uint32_t count, const cut_line *line,
                        double sign, ground_point *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *const p = &corners[i], *const q = &corners[(i + 1) % count];
        const double at_p = sign * side_of(line, p), at_q = sign * side_of(line, q);
        if (at_p >= 0.0) {
            out[n++] = *p;
        }
        if ((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0)) {
            out[n++] = crossing(p, q, at_p, at_q);
        }
    }
    return n;
}

// Whether all corners are near enough to the centre; else the line across the longest extent.
static bool is_fine(const ground_point *corners, uint32_t count, double view, cut_line *line)
{
    const ground_point centre = oct_polygon_centre(corners, count);
    double furthest = -1.0;
    for (uint32_t i = 0; i < count; i++) {
        const double x = corners[i].x - centre.x, y = corners[i].y - centre.y,
                     z = corners[i].z - centre.z;
        const double distance = sqrt(x * x + y * y + z * z);
        if (distance > furthest) {
            furthest = distance;
            *line = (cut_line){centre.x, centre.y, x, y};
        }
    }
    return furthest < view;
}

// Splits one polygon; what is still too large goes to the end of the list.
static oct_result split_one(polygons *all, size_t i, const cut_line *line, oct_array *scratch)
{
    const uint32_t count = polygon_at(all, i)->count, source = polygon_at(all, i)->source;
    const size_t most = 2 * (size_t)count; // of each half
    OCT_TRY(oct_array_reserve(scratch, all->memory, sizeof(ground_point), 2 * most));
    ground_point *const left = scratch->items, *const right = left + most;
    const uint32_t left_count = half_of(polygon_corners(all, i), count, line, 1.0, left);
    const uint32_t right_count = half_of(polygon_corners(all, i), count, line, -1.0, right);
    if (left_count < 3 || right_count < 3) {
        return OCT_ERROR_RANGE;
    }
    polygon *const face = (polygon *)all->faces.items + i;
    face->count = 0; // replaced by its halves
    OCT_TRY(oct_polygons_add(all, left, left_count, source));
    return oct_polygons_add(all, right, right_count, source);
}

oct_result oct_polygons_split(polygons *all, double view, uint32_t *split)
{
    oct_array scratch = {0};
    oct_result result = OCT_OK;
    uint32_t last = OCT_SURFACE_NONE;
    const size_t given = all->faces.count;
    for (size_t i = 0; i < all->faces.count && result == OCT_OK; i++) {
        const polygon face = *polygon_at(all, i);
        cut_line line = {0};
        if (is_fine(polygon_corners(all, i), face.count, view, &line)) {
            continue;
        }
        if (i < given && face.source != last) {
            (*split)++;
            last = face.source;
        }
        result = split_one(all, i, &line, &scratch);
    }
    oct_array_free(&scratch, all->memory, sizeof(ground_point));
    return result;
}
