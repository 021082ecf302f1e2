// SPDX-License-Identifier: MIT
#include "link/link_shape.h"

#include <math.h>

// ---- boxes ----

oct_bounds oct_link_join_boxes(oct_bounds a, oct_bounds b)
{
    return (oct_bounds){
        {a.min.x < b.min.x ? a.min.x : b.min.x, a.min.y < b.min.y ? a.min.y : b.min.y,
         a.min.z < b.min.z ? a.min.z : b.min.z},
        {a.max.x > b.max.x ? a.max.x : b.max.x, a.max.y > b.max.y ? a.max.y : b.max.y,
         a.max.z > b.max.z ? a.max.z : b.max.z}};
}

// How far a turned box reaches from its centre along each axis.
static oct_point reach_of(const oct_piece *piece)
{
    const double x = piece->turn[0], y = piece->turn[1], z = piece->turn[2], w = piece->turn[3];
    const oct_point h = piece->half;
    return (oct_point){fabs(1 - 2 * (y * y + z * z)) * h.x + fabs(2 * (x * y - w * z)) * h.y +
                           fabs(2 * (x * z + w * y)) * h.z,
                       fabs(2 * (x * y + w * z)) * h.x + fabs(1 - 2 * (x * x + z * z)) * h.y +
                           fabs(2 * (y * z - w * x)) * h.z,
                       fabs(2 * (x * z - w * y)) * h.x + fabs(2 * (y * z + w * x)) * h.y +
                           fabs(1 - 2 * (x * x + y * y)) * h.z};
}

oct_bounds oct_link_piece_box(const oct_piece *piece)
{
    if (piece->kind == OCT_PIECE_BOX) {
        return piece->box;
    }
    if (piece->kind == OCT_PIECE_OBB) {
        const oct_point c = piece->centre, r = reach_of(piece);
        return (oct_bounds){{c.x - r.x, c.y - r.y, c.z - r.z}, {c.x + r.x, c.y + r.y, c.z + r.z}};
    }
    oct_bounds box = {piece->points[0], piece->points[0]};
    for (size_t i = 1; i < piece->point_count; i++) {
        box = oct_link_join_boxes(box, (oct_bounds){piece->points[i], piece->points[i]});
    }
    return box;
}

// ---- comparing numbers ----

bool oct_link_same_numbers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t left, right;
        memcpy(&left, &a[i], sizeof left);
        memcpy(&right, &b[i], sizeof right);
        if (left != right) {
            return false;
        }
    }
    return true;
}

bool oct_link_same_points(const oct_point *a, const oct_point *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double left[] = {a[i].x, a[i].y, a[i].z}, right[] = {b[i].x, b[i].y, b[i].z};
        if (!oct_link_same_numbers(left, right, 3)) {
            return false;
        }
    }
    return true;
}

bool oct_link_same_box(const oct_bounds *a, const oct_bounds *b)
{
    return oct_link_same_points(&a->min, &b->min, 1) && oct_link_same_points(&a->max, &b->max, 1);
}

// ---- in ----

static oct_result read_obb(link_reader *in, const double v[10], oct_piece *out)
{
    *out = (oct_piece){.kind = OCT_PIECE_OBB,
                       .centre = {v[0], v[1], v[2]},
                       .half = {v[3], v[4], v[5]},
                       .turn = {v[6], v[7], v[8], v[9]}};
    if (v[3] < 0.0 || v[4] < 0.0 || v[5] < 0.0) {
        return oct_link_refuse(in, "'obb' is inside out: a half extent is negative");
    }
    const double square = v[6] * v[6] + v[7] * v[7] + v[8] * v[8] + v[9] * v[9];
    const double length = sqrt(square);
    if (!(length > 1e-6) || !isfinite(length)) {
        return oct_link_refuse(in, "the quaternion of 'obb' is no rotation");
    }
    for (size_t i = 0; i < 4 && fabs(square - 1.0) > 1e-9; i++) {
        out->turn[i] = v[6 + i] / length;
    }
    return OCT_OK;
}

// A flat list of coordinates.
static oct_result read_points(link_reader *in, const char *name, const json_t *list, oct_piece *out)
{
    const size_t numbers = json_array_size(list);
    if (!json_is_array(list) || numbers == 0 || numbers % 3 != 0 || numbers / 3 > LINK_POINTS_MAX) {
        return oct_link_refuse(in, "'%s' must be a flat list of x y z, x y z, ...", name);
    }
    oct_point *const points = oct_link_items(in, numbers / 3, sizeof *points, _Alignof(oct_point));
    if (!points) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < numbers; i++) {
        const json_t *const item = json_array_get(list, i);
        const double value = json_number_value(item);
        if (!json_is_number(item) || !(fabs(value) <= LINK_FAR)) {
            return oct_link_refuse(in, "'%s' must hold numbers within 1e15", name);
        }
        double *const axes[3] = {&points[i / 3].x, &points[i / 3].y, &points[i / 3].z};
        *axes[i % 3] = value;
    }
    out->points = points;
    out->point_count = numbers / 3;
    return OCT_OK;
}

static oct_result read_triangles(link_reader *in, const json_t *object, oct_piece *out)
{
    const json_t *const list = oct_link_field(object, "t");
    const size_t count = list ? json_array_size(list) : out->point_count;
    if ((list && !json_is_array(list)) || count == 0 || count % 3 != 0 ||
        count / 3 > LINK_POINTS_MAX) {
        return oct_link_refuse(in, "'t' must be a list of three indices for each triangle");
    }
    uint32_t *const indices = oct_link_items(in, count, sizeof *indices, _Alignof(uint32_t));
    if (!indices) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t index = i;
        if (list &&
            (!oct_link_is_whole(json_array_get(list, i), &index) || index >= out->point_count)) {
            return oct_link_refuse(in, "'t' names a point that 'v' does not have");
        }
        indices[i] = (uint32_t)index;
    }
    out->triangles = indices;
    out->triangle_count = count / 3;
    return OCT_OK;
}

// The box that the game itself keeps, where it holds ours but for rounding.
static oct_result read_upright(link_reader *in, const json_t *object, const char *name,
                               oct_bounds *box)
{
    oct_bounds told;
    bool found;
    OCT_TRY(oct_link_get_box(in, object, name, &told, &found));
    const oct_bounds both = found ? oct_link_join_boxes(told, *box) : *box;
    const double slack = 1e-6;
    if (found && told.min.x - both.min.x <= slack && told.min.y - both.min.y <= slack &&
        told.min.z - both.min.z <= slack && both.max.x - told.max.x <= slack &&
        both.max.y - told.max.y <= slack && both.max.z - told.max.z <= slack) {
        *box = told;
    }
    return OCT_OK;
}

// The most exact of what is told.
static oct_result read_piece(link_reader *in, const json_t *object, oct_piece *out, bool *found)
{
    double v[10];
    const json_t *list = oct_link_field(object, "hull");
    OCT_TRY(oct_link_get_numbers(in, object, "obb", 10, v, found));
    if (list) {
        *out = (oct_piece){.kind = OCT_PIECE_HULL};
        *found = true;
        OCT_TRY(read_points(in, "hull", list, out));
    } else if (*found) {
        OCT_TRY(read_obb(in, v, out));
    } else if ((list = oct_link_field(object, "v"))) {
        *out = (oct_piece){.kind = OCT_PIECE_TRIANGLES};
        *found = true;
        OCT_TRY(read_points(in, "v", list, out));
        OCT_TRY(read_triangles(in, object, out));
    } else {
        *out = (oct_piece){.kind = OCT_PIECE_BOX};
        OCT_TRY(oct_link_get_box(in, object, "box", &out->box, found));
    }
    if (!*found || out->kind == OCT_PIECE_BOX) {
        return OCT_OK;
    }
    out->box = oct_link_piece_box(out);
    return read_upright(in, object, "piece_box", &out->box);
}

static oct_result read_pieces(link_reader *in, const json_t *list, oct_shape *shape)
{
    const size_t count = json_array_size(list);
    if (count == 0) {
        return oct_link_refuse(in, "'boxes' is empty");
    }
    oct_piece *const pieces = oct_link_items(in, count, sizeof *pieces, _Alignof(oct_piece));
    if (!pieces) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        const json_t *const item = json_array_get(list, i);
        if (json_is_object(item)) {
            OCT_TRY(read_piece(in, item, &pieces[i], &found));
        }
        if (!found) {
            return oct_link_refuse(in, "'boxes' must hold objects with a box, an obb or a hull");
        }
    }
    *shape = (oct_shape){pieces, count};
    return OCT_OK;
}

oct_result oct_link_read_shape(link_reader *in, const json_t *object, bool always_pieces,
                               oct_shape *shape, oct_bounds *box, bool *found)
{
    const json_t *list;
    oct_piece one;
    *found = false;
    *shape = (oct_shape){NULL, 0};
    OCT_TRY(oct_link_get_list(in, object, "boxes", &list));
    if (list) {
        *found = true;
        OCT_TRY(read_pieces(in, list, shape));
    } else {
        OCT_TRY(read_piece(in, object, &one, found));
        if (!*found) {
            return OCT_OK;
        }
        if (one.kind == OCT_PIECE_BOX && !always_pieces) {
            *box = one.box;
            return OCT_OK;
        }
        oct_piece *const piece = oct_link_items(in, 1, sizeof *piece, _Alignof(oct_piece));
        if (!piece) {
            return OCT_ERROR_MEMORY;
        }
        *piece = one;
        *shape = (oct_shape){piece, 1};
    }
    *box = shape->pieces[0].box;
    for (size_t i = 1; i < shape->count; i++) {
        *box = oct_link_join_boxes(*box, shape->pieces[i].box);
    }
    return read_upright(in, object, "upright", box);
}

oct_result oct_link_read_gap(link_reader *in, const json_t *object, oct_bounds *gap, bool *found)
{
    const json_t *const value = oct_link_field(object, "gap");
    oct_piece piece;
    *found = value != NULL;
    if (json_is_object(value)) {
        OCT_TRY(read_piece(in, value, &piece, found));
        *gap = *found ? piece.box : *gap;
        return *found ? OCT_OK : oct_link_refuse(in, "'gap' must be a box or an obb");
    }
    if (json_array_size(value) == 10) {
        double v[10];
        OCT_TRY(oct_link_get_numbers(in, object, "gap", 10, v, found));
        OCT_TRY(read_obb(in, v, &piece));
        *gap = oct_link_piece_box(&piece);
        return OCT_OK;
    }
    return oct_link_get_box(in, object, "gap", gap, found);
}

// ---- out ----

static void put_points(link_writer *w, const char *name, const oct_piece *piece)
{
    oct_link_open(w, name, '[');
    for (size_t i = 0; i < piece->point_count; i++) {
        oct_link_put_number(w, NULL, piece->points[i].x);
        oct_link_put_number(w, NULL, piece->points[i].y);
        oct_link_put_number(w, NULL, piece->points[i].z);
    }
    oct_link_close(w, ']');
}

static void put_numbers_of(link_writer *w, const oct_piece *piece)
{
    switch (piece->kind) {
    case OCT_PIECE_OBB:
        oct_link_put_numbers(w, "obb",
                             (const double[]){piece->centre.x, piece->centre.y, piece->centre.z,
                                              piece->half.x, piece->half.y, piece->half.z,
                                              piece->turn[0], piece->turn[1], piece->turn[2],
                                              piece->turn[3]},
                             10);
        break;
    case OCT_PIECE_HULL:
        put_points(w, "hull", piece);
        break;
    case OCT_PIECE_TRIANGLES:
        put_points(w, "v", piece);
        oct_link_open(w, "t", '[');
        for (size_t i = 0; i < 3 * piece->triangle_count; i++) {
            oct_link_put_whole(w, NULL, piece->triangles[i]);
        }
        oct_link_close(w, ']');
        break;
    default:
        oct_link_put_box(w, "box", &piece->box);
    }
}

// What does not follow from its numbers to the bit is told beside them.
static void put_piece(link_writer *w, const oct_piece *piece)
{
    const oct_bounds own = oct_link_piece_box(piece);
    put_numbers_of(w, piece);
    if (!oct_link_same_box(&own, &piece->box)) {
        oct_link_put_box(w, "piece_box", &piece->box);
    }
}

// Under which of the names a shape is told.
static const char *name_of(const oct_shape *shape)
{
    static const char *const names[] = {[OCT_PIECE_BOX] = "boxes",
                                        [OCT_PIECE_OBB] = "obb",
                                        [OCT_PIECE_HULL] = "hull",
                                        [OCT_PIECE_TRIANGLES] = "v"};
    return shape->count == 0 ? "box" : shape->count > 1 ? "boxes" : names[shape->pieces[0].kind];
}

void oct_link_write_shape(link_writer *w, const oct_shape *shape, const oct_bounds *box,
                          const oct_shape *before)
{
    static const char *const others[] = {"boxes", "hull", "obb", "v", "t"};
    const char *const name = name_of(shape);
    const bool resets = before && strcmp(name_of(before), name) != 0;
    if (strcmp(name, "box") == 0) {
        oct_link_put_box(w, "box", box);
    } else if (strcmp(name, "boxes") == 0) {
        oct_link_open(w, "boxes", '[');
        for (size_t i = 0; i < shape->count; i++) {
            oct_link_open(w, NULL, '{');
            put_piece(w, &shape->pieces[i]);
            oct_link_close(w, '}');
        }
        oct_link_close(w, ']');
    } else {
        put_piece(w, &shape->pieces[0]);
    }
    for (size_t i = 0; resets && i < sizeof others / sizeof *others; i++) {
        if (strcmp(others[i], name) != 0 && (strcmp(name, "v") != 0 || i < 3)) {
            oct_link_put_null(w, others[i]);
        }
    }
    if (shape->count == 0) {
        return;
    }
    oct_bounds own = shape->pieces[0].box;
    for (size_t i = 1; i < shape->count; i++) {
        own = oct_link_join_boxes(own, shape->pieces[i].box);
    }
    if (!oct_link_same_box(&own, box)) {
        oct_link_put_box(w, "upright", box);
    }
}

// ---- comparing ----

static bool same_piece(const oct_piece *a, const oct_piece *b)
{
    if (a->kind != b->kind || !oct_link_same_box(&a->box, &b->box)) {
        return false;
    }
    if (a->kind == OCT_PIECE_BOX) {
        return true;
    }
    if (a->kind == OCT_PIECE_OBB) {
        return oct_link_same_points(&a->centre, &b->centre, 1) &&
               oct_link_same_points(&a->half, &b->half, 1) &&
               oct_link_same_numbers(a->turn, b->turn, 4);
    }
    return a->point_count == b->point_count && a->triangle_count == b->triangle_count &&
           oct_link_same_points(a->points, b->points, a->point_count) &&
           (a->triangle_count == 0 ||
            memcmp(a->triangles, b->triangles, 3 * a->triangle_count * sizeof *a->triangles) == 0);
}

bool oct_link_same_shape(const oct_shape *a, const oct_shape *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!same_piece(&a->pieces[i], &b->pieces[i])) {
            return false;
        }
    }
    return true;
}
