// SPDX-License-Identifier: MIT
// Meshes from bytes and from arrays: what is read, what is refused and where, what is enclosed.
#include "mesh/mesh_internal.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oct_mesh *read_obj(const char *words)
{
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    oct_error error;
    if (oct_mesh_read(OCT_MESH_OBJ, words, strlen(words), &def, &mesh, &error) != OCT_OK) {
        fail_msg("not read: %u:%u: %s", error.line, error.column, error.message);
    }
    return mesh;
}

static void assert_refused(const char *words, uint32_t line, const char *why)
{
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    oct_error error;
    assert_int_equal(oct_mesh_read(OCT_MESH_OBJ, words, strlen(words), &def, &mesh, &error),
                     OCT_ERROR_FORMAT);
    assert_null(mesh);
    assert_int_equal(error.line, line);
    if (!strstr(error.message, why)) {
        fail_msg("'%s' does not say '%s'", error.message, why);
    }
}

static void assert_triangle(const oct_mesh *mesh, size_t at, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t *const corners = oct_mesh_indices(mesh) + 3 * at;
    assert_int_equal(corners[0], a);
    assert_int_equal(corners[1], b);
    assert_int_equal(corners[2], c);
}

static double area_of(const char *words)
{
    oct_mesh *mesh = read_obj(words);
    const double area = oct_mesh_area(mesh);
    oct_mesh_destroy(mesh);
    return area;
}

#define SQUARE "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n"

// ---- OBJ ----

static void faces_name_vertices_from_either_end(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("# a square\nmtllib a.mtl\n" SQUARE
                              "vt 0 0\nvn 0 0 1\nf 1 2 3\r\nf -4/1/1 -2//1 -1/1 # rest\n");
    assert_int_equal(oct_mesh_vertex_count(mesh), 4);
    assert_int_equal(oct_mesh_triangle_count(mesh), 2);
    assert_triangle(mesh, 0, 0, 1, 2);
    assert_triangle(mesh, 1, 0, 2, 3);
    const oct_bounds box = oct_mesh_bounds(mesh);
    assert_true(box.min.x == 0 && box.max.y == 2 && box.max.z == 0);
    assert_true(oct_mesh_area(mesh) == 4.0);
    oct_mesh_destroy(mesh);
}

static void faces_may_stand_before_their_vertices(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("f 1 2 3\n" SQUARE);
    assert_int_equal(oct_mesh_triangle_count(mesh), 1);
    oct_mesh_destroy(mesh);
}

static void a_backslash_takes_back_the_end_of_a_line(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("v 0 0 \\\n 1\nv 1 0 0\nv 0 1 0\nf 1 2 \\\r\n3\n");
    assert_true(oct_mesh_bounds(mesh).max.z == 1.0);
    oct_mesh_destroy(mesh);
    assert_refused("v 0 0 \\\n 1\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n9\n", 6, "no vertex 9");
}

static void numbers_are_rounded_once(void **state)
{
    (void)state;
    static const char *const words[] = {"0.1",
                                        "-31.688222885",
                                        "+5e-3",
                                        "123456789012345678901",
                                        "0.000000000000001",
                                        "1.7976931348623157e308",
                                        ".5",
                                        "5."};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char lines[256];
        snprintf(lines, sizeof lines, "v %s 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", words[i]);
        oct_mesh *mesh = read_obj(lines);
        assert_true(oct_mesh_vertices(mesh)[0].x == strtod(words[i], NULL));
        oct_mesh_destroy(mesh);
    }
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    (void)state;
    assert_refused("", 0, "no faces");
    assert_refused(SQUARE, 0, "no faces");
    assert_refused(SQUARE "f 1 2 5\n", 5, "no vertex 5: there are 4");
    assert_refused(SQUARE "f 1 2 0\n", 5, "from 1 on");
    assert_refused(SQUARE "f 1 2 -5\n", 5, "no vertex -5");
    assert_refused("v 0 0 0\nf -1 -2 -1\nv 1 0 0\n", 2, "no vertex -2");
    assert_refused(SQUARE "f 1 2\n", 5, "three corners");
    assert_refused(SQUARE "f 1 2 3x\n", 5, "corner such as");
    assert_refused(SQUARE "f 1 2 99999999999\n", 5, "index of a vertex");
    assert_refused("v 0 0\nv 1 1 1\n", 1, "three numbers");
    assert_refused("v nan 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", 4, "not finite");
    assert_refused("v 1e999 0 0\nv 1 0 0\nv 1 1 0\n\nf 1 2 3\n", 5, "not finite");
    assert_refused("v 1,5 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", 4, "not finite");
    assert_refused("\x7f"
                   "ELF\n",
                   1, "statement");
    assert_refused("v 0 0 0\n\x89PNG", 2, "statement");
}

static void vertices_that_no_face_uses_may_be_anything(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("v nan inf -inf\n" SQUARE "f 2 3 4\n");
    assert_int_equal(oct_mesh_get_report(mesh).open_edges, 3);
    oct_mesh_destroy(mesh);
}

static void limits_hold_before_memory_is_taken(void **state)
{
    (void)state;
    oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    oct_error error;
    def.vertices_max = 3;
    const char square[] = SQUARE "f 1 2 3 4\n";
    assert_int_equal(oct_mesh_read(OCT_MESH_OBJ, square, strlen(square), &def, &mesh, &error),
                     OCT_ERROR_FORMAT);
    assert_int_equal(error.line, 4);
    def.vertices_max = 4;
    def.triangles_max = 1;
    assert_int_equal(oct_mesh_read(OCT_MESH_OBJ, square, strlen(square), &def, &mesh, &error),
                     OCT_ERROR_FORMAT);
    assert_int_equal(error.line, 5);
    assert_non_null(strstr(error.message, "1 triangles"));
}

static void curves_are_passed_over_and_counted(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("cstype bezier\ndeg 3\n" SQUARE "curv 0 1 1 2 3\nl 1 2\nf 1 2 3\n");
    assert_int_equal(oct_mesh_get_report(mesh).passed, 3);
    oct_mesh_destroy(mesh);
}

// ---- polygons ----

static void polygons_of_500_corners_keep_their_area(void **state)
{
    (void)state;
    // A comb: every other corner is pushed inwards, so that it is concave all over.
    static char lines[64000];
    size_t used = 0;
    double wanted = 0.0;
    double before_x = 0.0, before_y = 0.0;
    for (int i = 0; i <= 500; i++) {
        const double angle = (i % 500) * 0.0125663706143592, radius = i % 2 ? 1.0 : 3.0;
        const double x = radius * cos(angle), y = radius * sin(angle);
        if (i < 500) {
            used += (size_t)snprintf(lines + used, sizeof lines - used, "v 7 %.17g %.17g\n", x, y);
        }
        wanted += i > 0 ? (before_x * y - before_y * x) / 2.0 : 0.0;
        before_x = x;
        before_y = y;
    }
    used += (size_t)snprintf(lines + used, sizeof lines - used, "f");
    for (int i = 1; i <= 500; i++) {
        used += (size_t)snprintf(lines + used, sizeof lines - used, " %d", i);
    }
    oct_mesh *mesh = read_obj(lines);
    assert_int_equal(oct_mesh_triangle_count(mesh), 498);
    assert_int_equal(oct_mesh_get_report(mesh).concave, 1);
    assert_int_equal(oct_mesh_get_report(mesh).tangled, 0);
    assert_true(fabs(oct_mesh_area(mesh) - wanted) < 1e-9);
    oct_mesh_destroy(mesh);
}

static void concave_polygons_are_divided_by_ears(void **state)
{
    (void)state;
    // Both ways round, and seen along each axis.
    assert_true(area_of("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 1 2 3 4\n") == 4.0);
    assert_true(area_of("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 4 3 2 1\n") == 4.0);
    assert_true(area_of("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 2 3 4 1\n") == 4.0);
    assert_true(area_of("v 0 0 0\nv 0 4 0\nv 0 4 4\nv 0 3 1\nf 2 3 4 1\n") == 4.0);
    assert_true(area_of("v 0 0 0\nv 4 0 0\nv 4 0 4\nv 3 0 1\nf 2 3 4 1\n") == 4.0);
}

static void a_polygon_that_crosses_itself_is_named(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("v 0 0 0\nv 4 0 0\nv 0 4 0\nv 4 4 0\nv 2 9 0\nf 1 2 3 4 5\n");
    assert_int_equal(oct_mesh_triangle_count(mesh), 3);
    assert_true(oct_mesh_get_report(mesh).concave == 1);
    oct_mesh_destroy(mesh);
}

static void too_many_corners_are_refused(void **state)
{
    (void)state;
    static char lines[16384] = SQUARE "f";
    for (int i = 0; i <= OCT_MESH_CORNERS_MAX; i++) {
        strcat(lines, i % 2 ? " 1" : " 2");
    }
    assert_refused(lines, 5, "at most 1024 corners");
}

// ---- what is enclosed ----

#define CUBE                                                                                       \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"                     \
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"

static void a_part_is_closed_where_its_edges_go_both_ways(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj(CUBE "f 4 1 5 8\n");
    oct_mesh_report about = oct_mesh_get_report(mesh);
    assert_int_equal(about.parts, 1);
    assert_int_equal(about.closed, 1);
    assert_int_equal(about.inward, 0);
    assert_int_equal(about.open_edges, 0);
    oct_mesh_destroy(mesh);

    mesh = read_obj(CUBE);
    about = oct_mesh_get_report(mesh);
    assert_int_equal(about.closed, 0);
    assert_int_equal(about.open_edges, 4);
    assert_true(about.open_edge[0].x == 0.0 && about.open_edge[1].x == 0.0);
    oct_mesh_destroy(mesh);
}

static void faces_that_look_the_wrong_way_are_turned_round(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj(CUBE "f 8 5 1 4\n");
    assert_int_equal(oct_mesh_get_report(mesh).closed, 1);
    assert_int_equal(oct_mesh_get_report(mesh).open_edges, 0);
    oct_mesh_destroy(mesh);
}

static void corners_at_one_place_are_one_corner(void **state)
{
    (void)state;
    // A tetrahedron whose faces have corners of their own, one of them at -0.
    oct_mesh *mesh = read_obj("v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 -0\nv 1 0 0\nv 0 0 1\nv 0 0 0\n"
                              "v 0 0 1\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                              "f 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n");
    assert_int_equal(oct_mesh_get_report(mesh).parts, 1);
    assert_int_equal(oct_mesh_get_report(mesh).closed, 1);
    oct_mesh_destroy(mesh);
}

static void faces_that_look_inwards_are_told(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                              "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    assert_int_equal(oct_mesh_get_report(mesh).closed, 1);
    assert_int_equal(oct_mesh_get_report(mesh).inward, 1);
    oct_mesh_destroy(mesh);
}

// ---- names ----

static void names_say_what_collides(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        object_kind kind;
    } rows[] = {{"wall", OBJECT_DRAWN},
                {"wall-col", OBJECT_COLLIDES},
                {"wall-colonly", OBJECT_COLLIDES},
                {"Wall-COL.001", OBJECT_COLLIDES},
                {"wall-convcol", OBJECT_HULL},
                {"wall-convcolonly", OBJECT_HULL},
                {"UCX_wall_01", OBJECT_HULL},
                {"UBX_wall", OBJECT_COLLIDES},
                {"floor-navmesh", OBJECT_NEVER},
                {"protocol", OBJECT_DRAWN},
                {"-col", OBJECT_COLLIDES},
                {"", OBJECT_DRAWN},
                {"col-umn", OBJECT_DRAWN},
                {"ucx", OBJECT_DRAWN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(oct_mesh_object_kind(rows[i].name, strlen(rows[i].name)), rows[i].kind);
    }
}

static void collision_shapes_count_and_what_is_drawn_does_not(void **state)
{
    (void)state;
    oct_mesh *mesh = read_obj(SQUARE "f 1 2 3\no drawn\nf 1 2 3 4\no wall-colonly\nf 2 3 4\n"
                                     "g floor-navmesh\nf 1 2 3\n");
    assert_int_equal(oct_mesh_triangle_count(mesh), 1);
    assert_triangle(mesh, 0, 1, 2, 3);
    assert_int_equal(oct_mesh_get_report(mesh).objects, 3);
    assert_int_equal(oct_mesh_get_report(mesh).colliding, 1);
    oct_mesh_destroy(mesh);

    mesh = read_obj(SQUARE "o drawn\nf 1 2 3 4\no floor-navmesh\nf 1 2 3\n");
    assert_int_equal(oct_mesh_triangle_count(mesh), 2);
    oct_mesh_destroy(mesh);

    assert_refused(SQUARE "o floor-navmesh\nf 1 2 3\n", 0, "no triangles");
}

static void hulls_are_convex_closed_and_hold_their_corners(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2402);
    for (int round = 0; round < 60; round++) {
        static char lines[20000];
        size_t used = 0;
        oct_point corners[60];
        const int count = 4 + (int)oct_random_below(&random, 57);
        const int32_t range = round % 3 == 0 ? 2 : 1000; // many in one plane, or few
        for (int i = 0; i < count; i++) {
            corners[i] = (oct_point){oct_random_range(&random, -range, range),
                                     oct_random_range(&random, -range, range),
                                     oct_random_range(&random, -range, range)};
            used += (size_t)snprintf(lines + used, sizeof lines - used, "v %g %g %g\n",
                                     corners[i].x, corners[i].y, corners[i].z);
        }
        used += (size_t)snprintf(lines + used, sizeof lines - used, "o UCX_a\n");
        for (int i = 1; i + 2 <= count; i++) {
            used += (size_t)snprintf(lines + used, sizeof lines - used, "f %d %d %d\n", i, i + 1,
                                     i + 2);
        }
        oct_mesh *mesh = read_obj(lines);
        const oct_mesh_report about = oct_mesh_get_report(mesh);
        if (about.open_edges == 0) {
            assert_int_equal(about.inward, 0);
        } else {
            assert_true(range == 2); // all in one plane: the triangles themselves
        }
        for (size_t i = 0; i < oct_mesh_triangle_count(mesh) && about.open_edges == 0; i++) {
            const uint32_t *const at = oct_mesh_indices(mesh) + 3 * i;
            const oct_point a = oct_mesh_vertices(mesh)[at[0]];
            const oct_point b = oct_mesh_vertices(mesh)[at[1]];
            const oct_point c = oct_mesh_vertices(mesh)[at[2]];
            const double u[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
            const double v[3] = {c.x - a.x, c.y - a.y, c.z - a.z};
            const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                 u[0] * v[1] - u[1] * v[0]};
            for (int j = 0; j < count; j++) {
                const double off = n[0] * (corners[j].x - a.x) + n[1] * (corners[j].y - a.y) +
                                   n[2] * (corners[j].z - a.z);
                assert_true(off <= 1e-3 * range * range * range);
            }
        }
        oct_mesh_destroy(mesh);
    }
}

// ---- STL ----

static size_t put_stl(uint8_t *out, const float (*corners)[3], uint32_t count)
{
    memset(out, 0, 84 + (size_t)count * 50);
    for (int i = 0; i < 4; i++) {
        out[80 + i] = (uint8_t)(count >> 8 * i);
    }
    for (uint32_t i = 0; i < 9 * count; i++) {
        uint32_t bits;
        memcpy(&bits, &corners[i / 3][i % 3], 4);
        for (int j = 0; j < 4; j++) {
            out[84 + i / 9 * 50 + 12 + i % 9 * 4 + (uint32_t)j] = (uint8_t)(bits >> 8 * j);
        }
    }
    return 84 + (size_t)count * 50;
}

static const float tetrahedron[12][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0},
                                         {1, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 1},
                                         {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void a_binary_stl_is_read(void **state)
{
    (void)state;
    uint8_t bytes[512];
    const size_t size = put_stl(bytes, tetrahedron, 4);
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    assert_int_equal(oct_mesh_read(OCT_MESH_STL, bytes, size, &def, &mesh, NULL), OCT_OK);
    assert_int_equal(oct_mesh_triangle_count(mesh), 4);
    assert_int_equal(oct_mesh_get_report(mesh).closed, 1);
    oct_mesh_destroy(mesh);
}

static void a_broken_stl_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[512];
    const size_t size = put_stl(bytes, tetrahedron, 4);
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    oct_error error;
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(oct_mesh_read(OCT_MESH_STL, bytes, cut, &def, &mesh, &error),
                         OCT_ERROR_FORMAT);
        assert_null(mesh);
    }
    memset(bytes + 80, 255, 4); // four thousand million triangles
    assert_int_equal(oct_mesh_read(OCT_MESH_STL, bytes, size, &def, &mesh, &error),
                     OCT_ERROR_FORMAT);
    put_stl(bytes, tetrahedron, 4);
    memset(bytes + 84 + 50 + 12, 255, 4); // NaN
    assert_int_equal(oct_mesh_read(OCT_MESH_STL, bytes, size, &def, &mesh, &error),
                     OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "triangle 2"));
    assert_int_equal(oct_mesh_read(OCT_MESH_STL, "solid a\nfacet", 13, &def, &mesh, &error),
                     OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "text form"));
}

// ---- arrays and memory ----

static void arrays_are_checked(void **state)
{
    (void)state;
    const oct_point points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const oct_point bad[3] = {{0, 0, 0}, {1, 0, (double)NAN}, {0, 1, 0}};
    const uint32_t corners[3] = {0, 1, 2}, high[3] = {0, 1, 3};
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    assert_int_equal(oct_mesh_create(&def, points, 3, corners, 1, &mesh), OCT_OK);
    assert_true(oct_mesh_area(mesh) == 0.5);
    oct_mesh_destroy(mesh);
    assert_int_equal(oct_mesh_create(&def, points, 3, high, 1, &mesh), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_mesh_create(&def, bad, 3, corners, 1, &mesh), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_mesh_create(&def, NULL, 0, NULL, 0, &mesh), OCT_OK);
    assert_int_equal(oct_mesh_triangle_count(mesh), 0);
    oct_mesh_destroy(mesh);
    const oct_mesh_def none = {0};
    assert_int_equal(oct_mesh_create(&none, points, 3, corners, 1, &mesh), OCT_ERROR_ARGUMENT);
}

static oct_result read_with(const oct_allocator *allocator, void *ctx)
{
    const char *const words = ctx;
    oct_mesh_def def = oct_mesh_def_default();
    def.allocator = allocator;
    oct_mesh *mesh;
    oct_error error;
    const oct_result result =
        oct_mesh_read(OCT_MESH_OBJ, words, strlen(words), &def, &mesh, &error);
    oct_mesh_destroy(mesh);
    return result;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    char words[] = CUBE "f 4 1 5 8\no UCX_a\nf 1 2 3 4\nf 5 6 7\n";
    test_each_failure(read_with, words);
}

static void public_meshes_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t triangles, closed;
    } rows[] = {{"216Kleopatra", 4092, 1},     {"recast_dungeon", 10133, 2},
                {"recast_nav_test", 1612, 42}, {"recast_undulating", 5202, 50},
                {"space_station", 23065, 16},  {"sponza", 33663, 3},
                {"stanford-bunny", 69451, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[64], path[1024];
        snprintf(name, sizeof name, "mesh/%s.obj", rows[i].name);
        if (!test_data_path(name, path, sizeof path)) {
            skip();
        }
        size_t size;
        void *const bytes = test_read_file(path, &size);
        const oct_mesh_def def = oct_mesh_def_default();
        oct_mesh *mesh;
        assert_int_equal(oct_mesh_read(OCT_MESH_OBJ, bytes, size, &def, &mesh, NULL), OCT_OK);
        assert_int_equal(oct_mesh_triangle_count(mesh), rows[i].triangles);
        assert_int_equal(oct_mesh_get_report(mesh).closed, rows[i].closed);
        assert_int_equal(oct_mesh_get_report(mesh).tangled, 0);
        oct_mesh_destroy(mesh);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_name_vertices_from_either_end),
        cmocka_unit_test(faces_may_stand_before_their_vertices),
        cmocka_unit_test(a_backslash_takes_back_the_end_of_a_line),
        cmocka_unit_test(numbers_are_rounded_once),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
        cmocka_unit_test(vertices_that_no_face_uses_may_be_anything),
        cmocka_unit_test(limits_hold_before_memory_is_taken),
        cmocka_unit_test(curves_are_passed_over_and_counted),
        cmocka_unit_test(polygons_of_500_corners_keep_their_area),
        cmocka_unit_test(concave_polygons_are_divided_by_ears),
        cmocka_unit_test(a_polygon_that_crosses_itself_is_named),
        cmocka_unit_test(too_many_corners_are_refused),
        cmocka_unit_test(a_part_is_closed_where_its_edges_go_both_ways),
        cmocka_unit_test(faces_that_look_the_wrong_way_are_turned_round),
        cmocka_unit_test(corners_at_one_place_are_one_corner),
        cmocka_unit_test(faces_that_look_inwards_are_told),
        cmocka_unit_test(names_say_what_collides),
        cmocka_unit_test(collision_shapes_count_and_what_is_drawn_does_not),
        cmocka_unit_test(hulls_are_convex_closed_and_hold_their_corners),
        cmocka_unit_test(a_binary_stl_is_read),
        cmocka_unit_test(a_broken_stl_is_refused),
        cmocka_unit_test(arrays_are_checked),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(public_meshes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
