// SPDX-License-Identifier: MIT
// Surfaces in JSON.

// For mkstemp.
#define _XOPEN_SOURCE 700
#include "support.h"

#include "files/surface_file.h"
#include "generate/generate_floor.h"
#include "octant/files.h"
#include "surface/surface_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static oct_result read_json(const char *text, oct_surface **out, oct_error *error)
{
    const oct_surface_def def = oct_surface_def_default();
    return oct_surface_read_json(text, strlen(text), &def, out, error);
}

static void all_forms_are_the_same(void **state)
{
    (void)state;
    static const char by_name[] =
        "{\"indices\": [0,1,2, 2,3,0], \"vertices\": [{\"x\":0,\"y\":0,\"z\":0},"
        "{\"x\":4,\"y\":0,\"z\":0},{\"x\":4,\"y\":1,\"z\":4},{\"x\":0,\"y\":1,\"z\":4}]}";
    static const char *const texts[] = {
        "{\"vertices\": [[0,0,0],[4,0,0],[4,1,4],[0,1,4]], \"faces\": [[0,1,2,3]]}",
        "{\"vertices\": [0,0,0, 4,0,0, 4,1,4, 0,1,4], \"faces\": [[3,2,1,0]]}",
        by_name,
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        oct_surface *surface;
        oct_error error;
        assert_int_equal(read_json(texts[i], &surface, &error), OCT_OK);
        const oct_surface_info info = oct_surface_info_of(surface);
        assert_true(fabs(info.area - 16.0) < 1e-12);
        assert_int_equal(info.islands, 1);
        assert_int_equal(info.faces, i == 2 ? 2 : 1);
        oct_surface_destroy(surface);
    }
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        const char *words;
    } cases[] = {
        {"{", 1, ""},
        {"[]", 1, "vertices"},
        {"{\"vertices\": []}", 1, "indices"},
        {"{\"vertices\": [],\n\"faces\": []}", 1, "no face"},
        {"{\"vertices\": [[0,0,0],\n[1,2]], \"faces\": []}", 2, "vertices[1]"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]],\n\"faces\": [[0,1,2],\n[0,1]]}", 3, "faces[1]"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]],\n\"faces\": [\n[0,1,3]]}", 3, "faces[0]"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]],\n\"indices\": [0,1,\n-2]}", 3, "indices[2]"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]],\n\"indices\": [0,1]}", 2, "indices[1]"},
        {"{\"vertices\": [[0,0,0],[4,0,0],[4,0,4],[1,0,9]],\n\"faces\":\n[[0,1,3,2]]}", 3,
         "crosses"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]], \"faces\": [[0,1,2]], \"up\": \"a\"}", 1, "up"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]], \"faces\": [[0,1,2]], \"baked\": {}}", 1,
         "baked"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]], \"faces\": [[0,1,2]], \"details\": []}", 1,
         "one item"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]], \"faces\": [[0,1,2]],\n\"details\": [\n[1]]}",
         3, "details[0]"},
        {"{\"vertices\": [[0,0,0],[1,0,0],[0,0,1]], \"faces\": [[0,1,2]],\n\"details\": "
         "[[[0,0,0,1,0,0,0,0,1e9]]]}",
         2, "details[0]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oct_surface *surface;
        oct_error error;
        assert_int_equal(read_json(cases[i].text, &surface, &error), OCT_ERROR_FORMAT);
        assert_null(surface);
        assert_int_equal(error.line, cases[i].line);
        assert_non_null(strstr(error.message, cases[i].words));
    }
}

// ---- saving ----

// A random floor whose faces have a triangle of heights for each of their fan, moved up by 1.
static oct_surface *make_surface(uint64_t seed, oct_surface_baked baked)
{
    const oct_allocator memory = oct_allocator_default();
    const floor_def floor = {.kind = (floor_kind)(seed % FLOOR_KINDS),
                             .seed = seed,
                             .edge = 3,
                             .holes = 0.2,
                             .heights = 1.0,
                             .unshared = seed % 2 == 0};
    floor_mesh mesh;
    assert_int_equal(oct_floor_generate(&floor, &memory, &mesh), OCT_OK);
    oct_surface_def def = oct_floor_def(&mesh);
    oct_array details = {.count = 0};
    uint32_t *const sizes = malloc((def.face_count + 1u) * sizeof *sizes);
    const uint32_t *corner = def.corners;
    for (uint32_t f = 0; f < def.face_count; f++) {
        const uint32_t count = def.sizes ? def.sizes[f] : 3;
        sizes[f] = seed % 3 == 0 ? 0 : count - 2;
        for (uint32_t i = 2; i < count && sizes[f] > 0; i++) {
            const uint32_t fan[3] = {corner[0], corner[i - 1], corner[i]};
            for (int k = 0; k < 3; k++) {
                oct_point p = def.points[fan[k]];
                p.z += 1.0;
                assert_int_equal(oct_array_push(&details, &memory, sizeof p, &p), OCT_OK);
            }
        }
        corner += count;
    }
    def.details = details.items;
    def.detail_sizes = sizes;
    def.baked = baked;
    oct_surface *surface;
    assert_int_equal(oct_surface_create(&def, &surface, NULL), OCT_OK);
    oct_floor_free(&mesh, &memory);
    oct_array_free(&details, &memory, sizeof(oct_point));
    free(sizes);
    return surface;
}

static void check_same(const oct_surface *a, const oct_surface *b)
{
    assert_int_equal(a->info.faces, b->info.faces);
    assert_int_equal(a->info.corners, b->info.corners);
    assert_int_equal(a->info.details, b->info.details);
    const oct_surface_baked p = a->info.baked, q = b->info.baked;
    assert_true(p.is_known == q.is_known && p.radius == q.radius && p.climb == q.climb &&
                p.clearance == q.clearance && p.height_mean == q.height_mean &&
                p.height_most == q.height_most);
    for (uint32_t f = 0; f < a->info.faces; f++) {
        const oct_point centre = oct_surface_face_of(a, f).centre;
        assert_true(oct_surface_height(a, f, centre) == oct_surface_height(b, f, centre));
        for (uint32_t i = 0; i < oct_surface_face_of(a, f).corners; i++) {
            const oct_point from = oct_surface_corner(a, f, i), to = oct_surface_corner(b, f, i);
            assert_true(from.x == to.x && from.y == to.y && from.z == to.z);
            assert_int_equal(oct_surface_neighbour(a, f, i), oct_surface_neighbour(b, f, i));
        }
    }
}

static void what_is_saved_is_read_to_the_bit(void **state)
{
    (void)state;
    char path[] = "/tmp/octant-surface-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const oct_surface_baked baked = {seed % 2 == 0, 0.1, 0.2, 0.3, 1.0 / 3.0, 1e-7};
        const oct_surface_baked none = {.is_known = false};
        oct_surface *const surface = make_surface(seed, baked.is_known ? baked : none);
        if (surface->info.faces > 0) {
            uint64_t size = 0;
            oct_error error;
            assert_int_equal(oct_surface_save(path, surface, &size, &error), OCT_OK);
            assert_true(size > 0);
            oct_surface *again;
            const oct_surface_def def = oct_surface_def_default(); // the file says what is up
            assert_int_equal(oct_surface_load(path, &def, &again, NULL, &error), OCT_OK);
            check_same(surface, again);
            oct_surface_destroy(again);
        }
        oct_surface_destroy(surface);
    }
    unlink(path);
}

static void heights_are_those_of_the_details(void **state)
{
    (void)state;
    oct_surface *const surface = make_surface(1, (oct_surface_baked){.is_known = false});
    assert_true(surface->info.details > 0);
    uint32_t checked = 0;
    for (uint32_t f = 0; f < surface->info.faces; f++) {
        const oct_point corner = oct_surface_corner(surface, f, 0);
        checked += fabs(oct_surface_height(surface, f, corner) - corner.z - 1.0) < 1e-9;
    }
    assert_int_equal(checked, surface->info.faces);
    oct_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_are_the_same),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(what_is_saved_is_read_to_the_bit),
        cmocka_unit_test(heights_are_those_of_the_details),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
