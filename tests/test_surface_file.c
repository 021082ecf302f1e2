// SPDX-License-Identifier: MIT
// Surfaces in JSON.
#include "support.h"

#include "files/surface_file.h"

#include <math.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_are_the_same),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
