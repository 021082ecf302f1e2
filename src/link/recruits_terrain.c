// SPDX-License-Identifier: MIT
// Each triangle of the mesh is spread over the squares that it comes near to; the heights that a
// square gets say what stands there.
#include "link/recruits_terrain.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

#define SQUARES 4 // along a cell of 1 m
#define SIDE 0.25
#define MARGIN 0.26 // what the mesh keeps free, and a hair
#define SAME 0.3    // heights nearer than this are one
#define LEVEL 0.35  // a flat height is that of a sheet, if it is so near to it
#define STEEP 0.98  // of a normal: what is less level is a ramp
#define SLAB 0.05   // thickness of a floor
#define WALL 2.0    // height of what is guessed to be a wall
#define SQUARES_MAX 67108864.0

// A height over a square.
typedef struct sample {
    uint32_t square;
    double height;
    int8_t slope_x, slope_z; // which way a ramp rises; 0 0 = level
} sample;

typedef struct stretch {
    uint32_t from, to; // squares along x
    oct_bounds box;
} stretch;

typedef struct survey {
    const oct_allocator *allocator;
    recruits_terrain *out;
    uint64_t next_id;
    int32_t low_x, low_z;  // cells
    uint32_t width, depth; // squares
    double base;           // the lowest sheet
    oct_array samples;     // sample
    oct_array open, next;  // stretch: boxes that the row before ended with, and this row's
} survey;

// ---- sampling ----

static double square_x(const survey *s, uint32_t i)
{
    return s->low_x - 0.5 + (i + 0.5) * SIDE;
}

static double square_z(const survey *s, uint32_t k)
{
    return s->low_z - 0.5 + (k + 0.5) * SIDE;
}

// The nearest point of a segment, seen from above.
static oct_point nearest_on(oct_point a, oct_point b, double x, double z)
{
    const double dx = b.x - a.x, dz = b.z - a.z, all = dx * dx + dz * dz;
    const double t = all > 0.0 ? ((x - a.x) * dx + (z - a.z) * dz) / all : 0.0;
    const double at = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return (oct_point){a.x + at * dx, a.y + at * (b.y - a.y), a.z + at * dz};
}

static double side_of(oct_point a, oct_point b, double x, double z)
{
    return (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
}

// How far a triangle is from a point, seen from above, and its height there.
static double distance_to(const oct_point t[3], oct_point normal, double x, double z,
                          double *height)
{
    const double a = side_of(t[0], t[1], x, z), b = side_of(t[1], t[2], x, z),
                 c = side_of(t[2], t[0], x, z);
    if ((a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0)) {
        *height = t[0].y - (normal.x * (x - t[0].x) + normal.z * (z - t[0].z)) / normal.y;
        return 0.0;
    }
    double least = HUGE_VAL;
    *height = t[0].y;
    for (int i = 0; i < 3; i++) {
        const oct_point p = nearest_on(t[i], t[(i + 1) % 3], x, z);
        const double far = sqrt((p.x - x) * (p.x - x) + (p.z - z) * (p.z - z));
        if (far < least) {
            least = far;
            *height = p.y;
        }
    }
    return least;
}

static oct_result spread(survey *s, const oct_point t[3])
{
    const oct_point n = point_cross(point_sub(t[1], t[0]), point_sub(t[2], t[0]));
    const double length = point_length(n);
    if (!(fabs(n.y) > 1e-9)) {
        return OCT_OK;
    }
    const oct_point normal = point_scale(n, (n.y < 0.0 ? -1.0 : 1.0) / length);
    const bool is_level = normal.y > STEEP;
    const bool along_x = fabs(normal.x) > fabs(normal.z);
    const double min_x = fmin(t[0].x, fmin(t[1].x, t[2].x)) - MARGIN,
                 max_x = fmax(t[0].x, fmax(t[1].x, t[2].x)) + MARGIN,
                 min_z = fmin(t[0].z, fmin(t[1].z, t[2].z)) - MARGIN,
                 max_z = fmax(t[0].z, fmax(t[1].z, t[2].z)) + MARGIN;
    const uint32_t from_x = (uint32_t)floor((min_x - s->low_x + 0.5) / SIDE),
                   to_x = (uint32_t)ceil((max_x - s->low_x + 0.5) / SIDE),
                   from_z = (uint32_t)floor((min_z - s->low_z + 0.5) / SIDE),
                   to_z = (uint32_t)ceil((max_z - s->low_z + 0.5) / SIDE);
    for (uint32_t k = from_z; k < to_z && k < s->depth; k++) {
        for (uint32_t i = from_x; i < to_x && i < s->width; i++) {
            double height = 0.0;
            if (distance_to(t, normal, square_x(s, i), square_z(s, k), &height) > MARGIN) {
                continue;
            }
            const sample new = {.square = k * s->width + i,
                                .height = height,
                                .slope_x = (int8_t)(is_level || !along_x ? 0
                                                    : normal.x < 0.0     ? 1
                                                                         : -1),
                                .slope_z = (int8_t)(is_level || along_x ? 0
                                                    : normal.z < 0.0    ? 1
                                                                        : -1)};
            OCT_TRY(oct_array_push(&s->samples, s->allocator, sizeof new, &new));
        }
    }
    return OCT_OK;
}

static int compare_samples(const void *a, const void *b)
{
    const sample *const p = a, *const q = b;
    if (p->square != q->square) {
        return p->square < q->square ? -1 : 1;
    }
    return (p->height > q->height) - (p->height < q->height);
}

// ---- parts ----

static oct_result add_piece(survey *s, oct_piece piece)
{
    const oct_scenery_part part = {.id = s->next_id++, .name = "", .solid = true, .opaque = true};
    OCT_TRY(oct_array_push(&s->out->pieces, s->allocator, sizeof piece, &piece));
    return oct_array_push(&s->out->parts, s->allocator, sizeof part, &part);
}

// A box over one square of a row: longer where the row goes on alike.
static oct_result add_square(survey *s, uint32_t i, uint32_t k, double bottom, double top)
{
    stretch *const all = s->next.items;
    for (size_t n = s->next.count; n-- > 0 && all[n].to + 1 >= i;) {
        if (all[n].to == i && all[n].box.min.y == bottom && all[n].box.max.y == top) {
            all[n].to = i + 1;
            all[n].box.max.x += SIDE;
            return OCT_OK;
        }
    }
    const double x = square_x(s, i) - SIDE / 2.0, z = square_z(s, k) - SIDE / 2.0;
    const stretch new = {i, i + 1, {{x, bottom, z}, {x + SIDE, top, z + SIDE}}};
    return oct_array_push(&s->next, s->allocator, sizeof new, &new);
}

// Joins this row's boxes to those of the row before; what does not go on is a part.
static oct_result end_row(survey *s)
{
    stretch *const next = s->next.items;
    const stretch *const open = s->open.items;
    for (size_t i = 0; i < s->open.count; i++) {
        bool goes_on = false;
        for (size_t n = 0; n < s->next.count && !goes_on; n++) {
            goes_on = next[n].from == open[i].from && next[n].to == open[i].to &&
                      next[n].box.min.y == open[i].box.min.y &&
                      next[n].box.max.y == open[i].box.max.y;
            if (goes_on) {
                next[n].box.min.z = open[i].box.min.z;
            }
        }
        if (!goes_on) {
            OCT_TRY(add_piece(s, (oct_piece){.kind = OCT_PIECE_BOX, .box = open[i].box}));
        }
    }
    const oct_array swapped = s->open;
    s->open = s->next;
    s->next = swapped;
    s->next.count = 0;
    return OCT_OK;
}

// A wedge over the cell of a square of its middle.
static oct_result add_ramp(survey *s, const sample *at)
{
    const uint32_t i = at->square % s->width, k = at->square / s->width;
    const double x = floor(square_x(s, i) + 0.5), z = floor(square_z(s, k) + 0.5);
    const double y = floor(at->height - 0.25 * 0.75);
    oct_point corners[6];
    uint32_t count = 0;
    for (int c = 0; c < 4; c++) {
        const double off_x = c & 1 ? 0.5 : -0.5, off_z = c & 2 ? 0.5 : -0.5;
        corners[count++] = (oct_point){x + off_x, y, z + off_z};
        if (at->slope_x * off_x + at->slope_z * off_z > 0.0) {
            corners[count++] = (oct_point){x + off_x, y + 1.0, z + off_z};
        }
    }
    for (uint32_t c = 0; c < count; c++) {
        OCT_TRY(oct_array_push(&s->out->points, s->allocator, sizeof *corners, &corners[c]));
    }
    const oct_bounds box = {{x - 0.5, y, z - 0.5}, {x + 0.5, y + 1.0, z + 0.5}};
    return add_piece(s, (oct_piece){.kind = OCT_PIECE_HULL, .box = box, .point_count = count});
}

// One of the four squares around the middle of a cell.
static bool is_middle(uint32_t i, uint32_t k)
{
    return i % SQUARES == SQUARES / 2 && k % SQUARES == SQUARES / 2;
}

// What stands on a square, by the heights over it, from below.
static oct_result add_column(survey *s, const sample *heights, size_t count, uint32_t square)
{
    const uint32_t i = square % s->width, k = square / s->width;
    double last = -HUGE_VAL;
    bool has_any = false;
    for (size_t n = 0; n < count; n++) {
        if (heights[n].height - last < SAME) {
            continue;
        }
        last = heights[n].height;
        if (heights[n].slope_x != 0 || heights[n].slope_z != 0) {
            OCT_TRY(is_middle(i, k) ? add_ramp(s, &heights[n]) : OCT_OK);
            has_any = true;
            continue;
        }
        const double sheet = floor(last + 0.5), y = fabs(last - sheet) < LEVEL ? sheet : last;
        const bool is_wall = !has_any && y > s->base + SAME;
        OCT_TRY(add_square(s, i, k, is_wall ? s->base : y - SLAB, y));
        has_any = true;
    }
    return has_any ? OCT_OK : add_square(s, i, k, s->base, s->base + WALL);
}

static oct_result add_columns(survey *s)
{
    const sample *const all = s->samples.items;
    size_t at = 0;
    for (uint32_t square = 0; square < s->width * s->depth; square++) {
        size_t end = at;
        while (end < s->samples.count && all[end].square == square) {
            end++;
        }
        OCT_TRY(add_column(s, all + at, end - at, square));
        at = end;
        if ((square + 1) % s->width == 0) {
            OCT_TRY(end_row(s));
        }
    }
    return end_row(s);
}

// ---- the whole ----

static void connect_pieces(recruits_terrain *t)
{
    oct_scenery_part *const parts = t->parts.items;
    oct_piece *const pieces = t->pieces.items;
    const oct_point *points = t->points.items;
    for (size_t i = 0; i < t->parts.count; i++) {
        if (pieces[i].kind == OCT_PIECE_HULL) {
            pieces[i].points = points;
            points += pieces[i].point_count;
        }
        parts[i].shape = (oct_shape){&pieces[i], 1};
    }
}

static oct_result take_bounds(survey *s, const recruits_link_mesh *mesh)
{
    oct_bounds b = {mesh->points[0], mesh->points[0]};
    for (size_t i = 1; i < mesh->point_count; i++) {
        const oct_point p = mesh->points[i];
        b.min = (oct_point){fmin(b.min.x, p.x), fmin(b.min.y, p.y), fmin(b.min.z, p.z)};
        b.max = (oct_point){fmax(b.max.x, p.x), fmax(b.max.y, p.y), fmax(b.max.z, p.z)};
    }
    s->base = floor(b.min.y + 0.5);
    s->low_x = (int32_t)floor(b.min.x) - 1;
    s->low_z = (int32_t)floor(b.min.z) - 1;
    const double width = (ceil(b.max.x) + 2.0 - s->low_x) * SQUARES;
    const double depth = (ceil(b.max.z) + 2.0 - s->low_z) * SQUARES;
    if (width * depth > SQUARES_MAX) {
        return OCT_ERROR_RANGE;
    }
    s->width = (uint32_t)width;
    s->depth = (uint32_t)depth;
    s->out->bounds =
        (oct_bounds){{s->low_x - 0.5, s->base - 1.0, s->low_z - 0.5},
                     {s->low_x - 0.5 + width * SIDE, b.max.y + 4.0, s->low_z - 0.5 + depth * SIDE}};
    return OCT_OK;
}

static oct_result make(survey *s, const recruits_link_mesh *mesh)
{
    OCT_TRY(take_bounds(s, mesh));
    for (size_t i = 0; i + 2 < mesh->corner_count; i += 3) {
        const oct_point t[3] = {mesh->points[mesh->corners[i]], mesh->points[mesh->corners[i + 1]],
                                mesh->points[mesh->corners[i + 2]]};
        OCT_TRY(spread(s, t));
    }
    if (s->samples.count > 0) {
        qsort(s->samples.items, s->samples.count, sizeof(sample), compare_samples);
    }
    OCT_TRY(add_columns(s));
    connect_pieces(s->out);
    return OCT_OK;
}

oct_result oct_recruits_terrain_make(const recruits_link_mesh *mesh, uint64_t first_id,
                                     const oct_allocator *allocator, recruits_terrain *out)
{
    survey s = {.allocator = allocator, .out = out, .next_id = first_id};
    *out = (recruits_terrain){0};
    if (mesh->point_count == 0) {
        return OCT_OK;
    }
    const oct_result result = make(&s, mesh);
    oct_array_free(&s.samples, allocator, sizeof(sample));
    oct_array_free(&s.open, allocator, sizeof(stretch));
    oct_array_free(&s.next, allocator, sizeof(stretch));
    if (result != OCT_OK) {
        oct_recruits_terrain_free(out, allocator);
    }
    return result;
}

void oct_recruits_terrain_free(recruits_terrain *t, const oct_allocator *allocator)
{
    oct_array_free(&t->parts, allocator, sizeof(oct_scenery_part));
    oct_array_free(&t->pieces, allocator, sizeof(oct_piece));
    oct_array_free(&t->points, allocator, sizeof(oct_point));
    *t = (recruits_terrain){0};
}
