// SPDX-License-Identifier: MIT
// Surfaces: what becomes of given faces, how they are joined, and where points are on them.
#include "support.h"

#include "generate/generate_floor.h"
#include "octant/surface_path.h"
#include "surface/surface_internal.h"

#include <math.h>
#include <string.h>

static oct_surface *read_obj(const char *text)
{
    oct_surface_def def = oct_surface_def_default();
    def.up = OCT_UP_Z;
    oct_surface *surface;
    oct_error error;
    const oct_result result = oct_surface_read_obj(text, strlen(text), &def, &surface, &error);
    if (result != OCT_OK) {
        print_error("%u:%u: %s\n", (unsigned)error.line, (unsigned)error.column, error.message);
    }
    assert_int_equal(result, OCT_OK);
    return surface;
}

static oct_surface_path plan(oct_surface_planner *planner, oct_point from, oct_point to)
{
    oct_surface_query query = oct_surface_query_default();
    query.from = from;
    query.to = to;
    oct_surface_path path;
    assert_int_equal(oct_surface_plan(planner, &query, &path), OCT_OK);
    return path;
}

static double length_between(const oct_surface *surface, oct_point from, oct_point to)
{
    oct_surface_planner *planner;
    assert_int_equal(oct_surface_planner_create(surface, NULL, &planner), OCT_OK);
    const oct_surface_path path = plan(planner, from, to);
    const double length = path.status == OCT_SURFACE_FOUND ? path.length : -1.0;
    oct_surface_planner_destroy(planner);
    return length;
}

#define SQUARE "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\n"

static void faces_keep_all_their_corners(void **state)
{
    (void)state;
    oct_surface *const s = read_obj("# six corners\nv 2 0 0\nv 4 1 0\nv 4 3 0\nv 2 4 0\nv 0 3 0\n"
                                    "v 0 1 0\nvt 0 0\nf 1/1 2/1 3/1 4/1 5/1 -1/1\n");
    assert_int_equal(s->info.faces, 1);
    assert_int_equal(s->info.corners, 6);
    assert_int_equal(s->info.borders, 6);
    assert_true(fabs(s->info.area - 12.0) < 1e-12);
    const oct_surface_face face = oct_surface_face_of(s, 0);
    assert_true(fabs(face.centre.x - 2.0) < 1e-12 && fabs(face.centre.y - 2.0) < 1e-12);
    assert_int_equal(oct_surface_neighbour(s, 0, 3), OCT_SURFACE_NONE);
    oct_surface_destroy(s);
}

static void clockwise_faces_are_turned(void **state)
{
    (void)state;
    oct_surface *const s = read_obj(SQUARE "v 8 0 0\nv 8 4 0\nf 1 2 3 4\nf 3 6 5 2\n");
    assert_int_equal(s->info.islands, 1);
    assert_true(fabs(s->info.area - 32.0) < 1e-12);
    assert_true(fabs(length_between(s, (oct_point){1, 1, 0}, (oct_point){7, 1, 0}) - 6.0) < 1e-12);
    oct_surface_destroy(s);
}

static void what_has_no_area_is_left_out(void **state)
{
    (void)state;
    oct_surface *const s =
        read_obj(SQUARE "v 4 4 3\nv 0 4 3\nf 1 2 3 4\nf 3 4 6 5\nf 1 1 2\nf 1 2 1\nf 1 3 1 3\n");
    assert_int_equal(s->info.given, 5);
    assert_int_equal(s->info.faces, 1);
    assert_int_equal(s->info.left_out, 4);
    oct_surface_destroy(s);
}

static void concave_faces_are_cut(void **state)
{
    (void)state;
    // An L: from end to end around its corner at (1, 1).
    oct_surface *const s =
        read_obj("v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nv 0 4 0\nf 1 2 3 4 5 6\n");
    assert_int_equal(s->info.concave, 1);
    assert_int_equal(s->info.islands, 1);
    assert_true(fabs(s->info.area - 7.0) < 1e-12);
    assert_int_equal(oct_surface_face_of(s, s->info.faces - 1).source, 0);
    const double wanted = 2.0 * sqrt(9.0 + 0.25);
    assert_true(fabs(length_between(s, (oct_point){4, 0.5, 0}, (oct_point){0.5, 4, 0}) - wanted) <
                1e-12);
    oct_surface_destroy(s);
}

static void edges_that_overlap_in_part_are_joined(void **state)
{
    (void)state;
    // A large square; to its right two small ones and one that reaches beyond both ends.
    oct_surface *const s = read_obj("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\n"
                                    "v 4 0 0\nv 6 0 0\nv 6 1 0\nv 4 1 0\n"
                                    "v 4 3 0\nv 6 3 0\nv 6 6 0\nv 4 6 0\n"
                                    "f 1 2 3 4\nf 5 6 7 8\nf 9 10 11 12\n");
    assert_int_equal(s->info.islands, 1);
    const oct_point a = {5, 0.5, 0}, b = {5, 5, 0};
    const double wanted = sqrt(1.0 + 0.25) + 2.0 + sqrt(1.0 + 4.0);
    assert_true(fabs(length_between(s, a, b) - wanted) < 1e-12);
    oct_surface_destroy(s);
}

static void faces_that_touch_at_a_corner_are_not_joined(void **state)
{
    (void)state;
    oct_surface *const s = read_obj(SQUARE "v 8 4 0\nv 8 8 0\nv 4 8 0\nf 1 2 3 4\nf 3 5 6 7\n");
    assert_int_equal(s->info.islands, 2);
    assert_true(length_between(s, (oct_point){3, 3, 0}, (oct_point){5, 5, 0}) < 0.0);
    oct_surface_destroy(s);
}

static void storeys_are_told_apart_by_height(void **state)
{
    (void)state;
    oct_surface *const s = read_obj(SQUARE "v 0 0 3\nv 4 0 3\nv 4 4 3\nv 0 4 3\n"
                                           "f 1 2 3 4\nf 5 6 7 8\n");
    assert_int_equal(s->info.islands, 2);
    oct_surface_place place = oct_surface_locate(s, (oct_point){1, 1, 0.3}, 0.5);
    assert_true(place.is_on);
    assert_int_equal(place.face, 0);
    place = oct_surface_locate(s, (oct_point){1, 1, 2.8}, 0.5);
    assert_true(place.is_on);
    assert_int_equal(place.face, 1);
    assert_true(fabs(place.point.z - 3.0) < 1e-12);
    place = oct_surface_locate(s, (oct_point){1, 1, 1.0}, 0.5);
    assert_false(place.is_on);
    assert_int_equal(place.face, 0);
    assert_true(fabs(place.distance - 1.0) < 1e-12);
    place = oct_surface_locate(s, (oct_point){7, 8, 0}, 0.5);
    assert_false(place.is_on);
    assert_true(fabs(place.distance - 5.0) < 1e-12);
    assert_true(fabs(place.point.x - 4.0) < 1e-12 && fabs(place.point.y - 4.0) < 1e-12);
    place = oct_surface_locate(s, (oct_point){(double)NAN, 0, 0}, 0.5);
    assert_false(place.is_on);
    oct_surface_destroy(s);
}

static void nearest_places_agree_with_all_faces(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const floor_def def = {.kind = (floor_kind)(seed % FLOOR_KINDS),
                               .seed = seed,
                               .edge = seed % FLOOR_KINDS == FLOOR_SPIRAL ? 2 : 6,
                               .holes = 0.4,
                               .heights = 2.0};
        floor_mesh mesh;
        assert_int_equal(oct_floor_generate(&def, &memory, &mesh), OCT_OK);
        const oct_surface_def surface_def = oct_floor_def(&mesh);
        oct_surface *s;
        assert_int_equal(oct_surface_create(&surface_def, &s, NULL), OCT_OK);
        oct_random random = oct_random_seed(seed);
        for (int i = 0; i < 200; i++) {
            const oct_point p = {oct_random_unit(&random) * 12.0 - 3.0,
                                 oct_random_unit(&random) * 12.0 - 3.0,
                                 oct_random_unit(&random) * 4.0 - 1.0};
            const oct_surface_place place = oct_surface_locate(s, p, 0.3);
            // No place of a fine sample of all faces is nearer.
            for (uint32_t f = 0; f < s->info.faces; f++) {
                const oct_point c = oct_surface_face_of(s, f).centre;
                const double d = sqrt((c.x - p.x) * (c.x - p.x) + (c.y - p.y) * (c.y - p.y) +
                                      (c.z - p.z) * (c.z - p.z));
                assert_true(place.is_on || place.distance <= d + 1e-9);
                if (oct_surface_holds(s, f, p.x, p.y, 0.0)) {
                    const double gap = fabs(oct_surface_height_at(s, f, p.x, p.y) - p.z);
                    assert_true(gap > 0.3 || (place.is_on && place.distance <= gap));
                }
            }
        }
        oct_surface_destroy(s);
        oct_floor_free(&mesh, &memory);
    }
}

static void faces_are_split_for_the_view_distance(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const floor_def def = {.kind = (floor_kind)(seed % FLOOR_KINDS),
                               .seed = seed,
                               .edge = seed % FLOOR_KINDS == FLOOR_SPIRAL ? 2 : 5,
                               .holes = 0.2,
                               .heights = 1.0};
        floor_mesh mesh;
        assert_int_equal(oct_floor_generate(&def, &memory, &mesh), OCT_OK);
        oct_surface_def surface_def = oct_floor_def(&mesh);
        oct_surface *whole, *split;
        assert_int_equal(oct_surface_create(&surface_def, &whole, NULL), OCT_OK);
        surface_def.view_distance = 0.4;
        assert_int_equal(oct_surface_create(&surface_def, &split, NULL), OCT_OK);
        assert_true(fabs(whole->info.area - split->info.area) < 1e-9);
        assert_int_equal(whole->info.islands, split->info.islands);
        assert_true(split->info.split > 0);
        for (uint32_t f = 0; f < split->info.faces; f++) {
            const oct_surface_face face = oct_surface_face_of(split, f);
            for (uint32_t i = 0; i < face.corners; i++) {
                const oct_point c = oct_surface_corner(split, f, i);
                const double x = c.x - face.centre.x, y = c.y - face.centre.y,
                             z = c.z - face.centre.z;
                assert_true(sqrt(x * x + y * y + z * z) < 0.4 + 1e-9);
            }
        }
        oct_surface_destroy(split);
        oct_surface_destroy(whole);
        oct_floor_free(&mesh, &memory);
    }
}

// ---- refusals ----

static void bad_text_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        const char *words;
    } cases[] = {
        {"", 1, "no face"},
        {"v 0 0\nf 1 2 3\n", 1, "coordinate"},
        {"v 0 0 nan\n", 1, "coordinate"},
        {"v 0 0 1e99\n", 1, "coordinate"},
        {"v 0 0 inf\n", 1, "coordinate"},
        {SQUARE "f 1 2\n", 5, "fewer than 3"},
        {SQUARE "f 1 2 5\n", 5, "index"},
        {SQUARE "f 1 2 -5\n", 5, "index"},
        {SQUARE "f 0 1 2\n", 5, "index"},
        {SQUARE "f 1 2 x\n", 5, "index"},
        {SQUARE "f 1 2 3x\n", 5, "v/t"},
        {SQUARE "v 1 9 0\nf 1 2 5 3\n", 6, "crosses"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oct_surface_def def = oct_surface_def_default();
        def.up = OCT_UP_Z;
        oct_surface *surface;
        oct_error error;
        assert_int_equal(
            oct_surface_read_obj(cases[i].text, strlen(cases[i].text), &def, &surface, &error),
            OCT_ERROR_FORMAT);
        assert_null(surface);
        assert_int_equal(error.line, cases[i].line);
        assert_non_null(strstr(error.message, cases[i].words));
    }
}

// Edges that turn back on themselves make no convex face.
static void folded_faces_are_refused(void **state)
{
    (void)state;
    const char *const text = "v 0 0 0\nv 4 0 0\nv 7 4 0\nf 1 2 1 2 3\n";
    oct_surface_def def = oct_surface_def_default();
    def.up = OCT_UP_Z;
    oct_surface *surface;
    oct_error error;
    assert_int_equal(oct_surface_read_obj(text, strlen(text), &def, &surface, &error),
                     OCT_ERROR_FORMAT);
    assert_int_equal(error.line, 4);
}

static void bad_arrays_are_refused_with_their_face(void **state)
{
    (void)state;
    const oct_point points[4] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {(double)NAN, 4, 0}};
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const uint32_t beyond[6] = {0, 1, 2, 0, 2, 4};
    oct_surface_def def = oct_surface_def_default();
    def.points = points;
    def.point_count = 4;
    def.face_count = 2;
    def.corners = corners;
    oct_surface *surface;
    oct_error error;
    assert_int_equal(oct_surface_create(&def, &surface, &error), OCT_ERROR_FORMAT);
    assert_int_equal(error.offset, 1);
    def.corners = beyond;
    assert_int_equal(oct_surface_create(&def, &surface, &error), OCT_ERROR_FORMAT);
    assert_int_equal(error.offset, 1);
    def.face_count = 0;
    assert_int_equal(oct_surface_create(&def, &surface, &error), OCT_OK);
    assert_int_equal(surface->info.faces, 0);
    assert_false(oct_surface_locate(surface, points[0], 1.0).is_on);
    oct_surface_destroy(surface);
    def.cookie = 0;
    assert_int_equal(oct_surface_create(&def, &surface, &error), OCT_ERROR_ARGUMENT);
}

// ---- queries ----

static void ends_that_are_off_say_so(void **state)
{
    (void)state;
    oct_surface *const s = read_obj(SQUARE "f 1 2 3 4\n");
    oct_surface_planner *planner;
    assert_int_equal(oct_surface_planner_create(s, NULL, &planner), OCT_OK);
    oct_surface_path path = plan(planner, (oct_point){5, 1, 0}, (oct_point){1, 1, 0});
    assert_int_equal(path.status, OCT_SURFACE_FROM_OFF);
    assert_true(fabs(path.from.distance - 1.0) < 1e-12);
    path = plan(planner, (oct_point){1, 1, 0}, (oct_point){1, 1, 2});
    assert_int_equal(path.status, OCT_SURFACE_TO_OFF);
    path = plan(planner, (oct_point){1, 1, 0}, (oct_point){1, 1, 0});
    assert_int_equal(path.status, OCT_SURFACE_FOUND);
    assert_true(path.length == 0.0);
    oct_surface_query query = oct_surface_query_default();
    query.from = (oct_point){(double)NAN, 0, 0};
    assert_int_equal(oct_surface_plan(planner, &query, &path), OCT_ERROR_ARGUMENT);
    query = oct_surface_query_default();
    query.to_face = 7;
    assert_int_equal(oct_surface_plan(planner, &query, &path), OCT_ERROR_ARGUMENT);
    oct_surface_planner_destroy(planner);
    oct_surface_destroy(s);
}

// A ramp of 45 degrees between two level squares.
static void lines_are_laid_on_the_surface(void **state)
{
    (void)state;
    oct_surface *const s = read_obj("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 8 0 4\nv 8 4 4\n"
                                    "v 12 0 4\nv 12 4 4\nf 1 2 3 4\nf 2 5 6 3\nf 5 7 8 6\n");
    oct_surface_planner *planner;
    assert_int_equal(oct_surface_planner_create(s, NULL, &planner), OCT_OK);
    const oct_surface_path path = plan(planner, (oct_point){1, 2, 0}, (oct_point){11, 2, 4});
    assert_true(fabs(path.length - 10.0) < 1e-12);
    const oct_point *points;
    uint32_t count;
    double length;
    assert_int_equal(oct_surface_drape(planner, path.points, path.point_count, path.from.face,
                                       &points, &count, &length),
                     OCT_OK);
    assert_true(fabs(length - (6.0 + 4.0 * sqrt(2.0))) < 1e-5);
    const oct_point outside[2] = {{1, 2, 0}, {1, 9, 0}};
    assert_int_equal(oct_surface_drape(planner, outside, 2, 0, &points, &count, &length),
                     OCT_ERROR_RANGE);
    oct_surface_planner_destroy(planner);
    oct_surface_destroy(s);
}

// ---- memory ----

static oct_result make_and_plan(const oct_allocator *allocator, void *ctx)
{
    const floor_mesh *const mesh = ctx;
    oct_surface_def def = oct_floor_def(mesh);
    def.allocator = allocator;
    def.view_distance = 0.9;
    oct_surface *s;
    OCT_TRY(oct_surface_create(&def, &s, NULL));
    oct_surface_planner *planner;
    oct_result result = oct_surface_planner_create(s, allocator, &planner);
    if (result == OCT_OK) {
        oct_surface_query query = oct_surface_query_default();
        query.from = oct_surface_face_of(s, 0).centre;
        query.to = oct_surface_face_of(s, s->info.faces - 1).centre;
        oct_surface_path path;
        result = oct_surface_plan(planner, &query, &path);
    }
    oct_surface_planner_destroy(planner);
    oct_surface_destroy(s);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    const floor_def def = {.kind = FLOOR_TILED, .seed = 3, .edge = 4, .holes = 0.1};
    floor_mesh mesh;
    assert_int_equal(oct_floor_generate(&def, &memory, &mesh), OCT_OK);
    assert_true(test_each_failure(make_and_plan, &mesh) > 10);
    oct_floor_free(&mesh, &memory);
}

static void a_warm_planner_allocates_nothing(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    const floor_def def = {.kind = FLOOR_BENT, .seed = 5, .edge = 12, .holes = 0.2};
    floor_mesh mesh;
    assert_int_equal(oct_floor_generate(&def, &memory, &mesh), OCT_OK);
    const oct_surface_def surface_def = oct_floor_def(&mesh);
    oct_surface *s;
    assert_int_equal(oct_surface_create(&surface_def, &s, NULL), OCT_OK);
    test_allocator counted;
    test_allocator_init(&counted, TEST_NEVER);
    oct_surface_planner *planner;
    assert_int_equal(oct_surface_planner_create(s, &counted.allocator, &planner), OCT_OK);
    size_t before = 0;
    for (int round = 0; round < 2; round++) {
        before = counted.allocations;
        for (uint32_t f = 0; f < s->info.faces; f++) {
            plan(planner, oct_surface_face_of(s, f).centre,
                 oct_surface_face_of(s, s->info.faces - 1 - f).centre);
        }
    }
    assert_int_equal(counted.allocations, before);
    oct_surface_planner_destroy(planner);
    test_allocator_check_empty(&counted);
    oct_surface_destroy(s);
    oct_floor_free(&mesh, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_keep_all_their_corners),
        cmocka_unit_test(clockwise_faces_are_turned),
        cmocka_unit_test(what_has_no_area_is_left_out),
        cmocka_unit_test(concave_faces_are_cut),
        cmocka_unit_test(edges_that_overlap_in_part_are_joined),
        cmocka_unit_test(faces_that_touch_at_a_corner_are_not_joined),
        cmocka_unit_test(storeys_are_told_apart_by_height),
        cmocka_unit_test(nearest_places_agree_with_all_faces),
        cmocka_unit_test(faces_are_split_for_the_view_distance),
        cmocka_unit_test(bad_text_is_refused_with_its_line),
        cmocka_unit_test(bad_arrays_are_refused_with_their_face),
        cmocka_unit_test(folded_faces_are_refused),
        cmocka_unit_test(ends_that_are_off_say_so),
        cmocka_unit_test(lines_are_laid_on_the_surface),
        cmocka_unit_test(memory_that_is_short_is_a_result),
        cmocka_unit_test(a_warm_planner_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
