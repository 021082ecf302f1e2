// SPDX-License-Identifier: MIT
// Worlds in JSON: they come back with the same bits, and nothing that a file says can do harm.

// For mkdtemp.
#define _XOPEN_SOURCE 700

#include "folder_support.h"
#include "world_support.h"

#include "octant/generate_world.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

// ---- random worlds ----

// Any finite double: half of them any bits, the others what people write.
static double random_double(oct_random *random)
{
    double value = oct_random_range(random, -40000, 40000) / 8.0;
    switch (oct_random_below(random, 8)) {
    case 0:
        return value / 1000.0;
    case 1:
        return oct_random_below(random, 2) ? 0.0 : -0.0;
    case 2:
    case 3:
    case 4:
    case 5:
        do {
            const uint64_t bits = oct_random_next(random);
            memcpy(&value, &bits, sizeof value);
        } while (!isfinite(value));
    }
    return value;
}

static oct_bounds random_box(oct_random *random)
{
    double v[6];
    for (int i = 0; i < 6; i++) {
        v[i] = random_double(random);
    }
    for (int i = 0; i < 3; i++) {
        if (v[i] > v[i + 3]) {
            const double swap = v[i];
            v[i] = v[i + 3];
            v[i + 3] = swap;
        }
    }
    return (oct_bounds){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

// Everything that has to be escaped, and characters of every length.
static void random_name(oct_random *random, char *out, size_t size)
{
    static const char *const parts[] = {
        "a", "Door", "\"", "\\", "\n",   "\t",      "\x1f", "\xc3\xa9",        "\xe2\x82\xac",
        "/", "\x7f", " ",  "{",  "\x01", "\\u0000", "]",    "\xf0\x9f\x9a\xaa"};
    out[0] = '\0';
    const uint64_t count = oct_random_below(random, 8);
    for (uint64_t i = 0; i < count; i++) {
        const char *part = parts[oct_random_below(random, sizeof parts / sizeof parts[0])];
        if (strlen(out) + strlen(part) < size) {
            strcat(out, part);
        }
    }
}

static uint64_t random_id(oct_random *random)
{
    static const uint64_t borders[] = {0, (UINT64_C(1) << 53) - 2, UINT64_MAX - 3,
                                       UINT64_C(1) << 63};
    const uint64_t part = oct_random_below(random, 8);
    return part < 4 ? borders[part] + oct_random_below(random, 4)
                    : oct_random_next(random) >> (part == 4 ? 40 : 0);
}

static oct_world *random_world(uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    char name[64];
    oct_world *world;
    assert_int_equal(oct_world_create(NULL, &world), OCT_OK);
    random_name(&random, name, sizeof name);
    assert_int_equal(oct_world_set_name(world, name), OCT_OK);
    assert_int_equal(oct_world_set_axes(world, (oct_up)oct_random_below(&random, 3),
                                        oct_random_below(&random, 2)),
                     OCT_OK);
    if (oct_random_below(&random, 2)) {
        assert_int_equal(oct_world_set_passage(world, fabs(random_double(&random))), OCT_OK);
        assert_int_equal(oct_world_set_bounds(world, random_box(&random)), OCT_OK);
        double s, c;
        oct_sin_cos(oct_random_unit(&random) * 6.0, &s, &c);
        const oct_pose start = {random_box(&random).min, {s, c, 0}, {0, -0.0, -1}};
        assert_int_equal(oct_world_set_start(world, &start), OCT_OK);
    }
    const uint64_t types = oct_random_below(&random, 5);
    for (uint64_t i = 0; i < types; i++) {
        random_name(&random, name, sizeof name);
        oct_world_add_type(world, name, oct_random_below(&random, 2), NULL); // some are no names
    }
    const uint64_t blocks = oct_world_types(world) ? oct_random_below(&random, 40) : 0;
    for (uint64_t i = 0; i < blocks; i++) {
        random_name(&random, name, sizeof name);
        const oct_world_block block = {
            .id = random_id(&random),
            .name = name,
            .box = random_box(&random),
            .type = (uint32_t)oct_random_below(&random, oct_world_types(world)),
            .grid = (uint32_t)(oct_random_below(&random, 3) * UINT32_C(0x7fffffff)),
            .label = (uint8_t)oct_random_below(&random, 3)};
        oct_world_add(world, &block); // some ids are taken
    }
    return world;
}

static void worlds_come_back_with_the_same_bits(void **state)
{
    (void)state;
    printf("seeds 1 to 2000\n");
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        oct_world *world = random_world(seed);
        oct_array bytes = encoded(world);
        oct_world *back;
        oct_error error;
        if (decode(bytes.items, bytes.count, &back, &error) != OCT_OK) {
            fail_msg("seed %llu: %u:%u: %s", (unsigned long long)seed, error.line, error.column,
                     error.message);
        }
        assert_same_world(world, back);
        // And once more to the same bytes.
        oct_array again = encoded(back);
        assert_int_equal(again.count, bytes.count);
        assert_memory_equal(again.items, bytes.items, bytes.count);
        drop(&again);
        drop(&bytes);
        oct_world_destroy(back);
        oct_world_destroy(world);
    }
}

// ---- our format ----

static const char small_world[] =
    "{\n"
    "  \"format\": \"octant-world\",\n"
    "  \"version\": 1,\n"
    "  \"name\": \"a \\\"small\\\" one\",\n"
    "  \"up\": \"y\",\n"
    "  \"handed\": \"left\",\n"
    "  \"passage\": 2.5,\n"
    "  \"start\": {\"position\": [1, 2, 3], \"forward\": [1, 0, 0], \"up\": [0, 1, -0.0]},\n"
    "  \"bounds\": [-10, -10, -10, 10, 10, 10],\n"
    "  \"types\": [\n"
    "    {\"name\": \"stone\", \"opaque\": true},\n"
    "    {\"name\": \"glass\", \"opaque\": false}\n"
    "  ],\n"
    "  \"blocks\": [\n"
    "    {\"id\": 17, \"type\": \"glass\", \"name\": \"pane\", \"box\": [0, 0, 0, 2.5, 2.5, "
    "0.1]},\n"
    "    {\"id\": 9007199254740991, \"type\": \"stone\", \"box\": [0, 0, 0, 1e+20, 0.3, 1]},\n"
    "    {\"id\": \"9007199254740992\", \"type\": \"stone\", \"box\": [0, 0, 0, 1, 1, 1], "
    "\"label\": \"open\"},\n"
    "    {\"id\": \"18446744073709551615\", \"type\": \"stone\", \"box\": [0, 0, 0, 1, 1, 1], "
    "\"label\": \"unknown\"}\n"
    "  ]\n"
    "}\n";

static void the_text_is_one_block_a_line(void **state)
{
    (void)state;
    oct_world *world = decoded(small_world);
    assert_int_equal(oct_world_blocks(world), 4);
    assert_string_equal(oct_world_name(world), "a \"small\" one");
    assert_int_equal(oct_world_get(world, 0).type, 1);
    assert_true(oct_world_get(world, 1).box.max.y == 0.3);
    assert_true(oct_world_get(world, 2).id == UINT64_C(1) << 53);
    assert_int_equal(oct_world_get(world, 2).label, OCT_OPEN);
    assert_true(oct_world_get(world, 3).id == UINT64_MAX);
    assert_int_equal(oct_world_get(world, 3).label, OCT_UNKNOWN);
    oct_array bytes = encoded(world);
    assert_int_equal(bytes.count, strlen(small_world));
    assert_memory_equal(bytes.items, small_world, bytes.count);
    drop(&bytes);
    oct_world_destroy(world);
}

static void an_empty_world_is_one(void **state)
{
    (void)state;
    oct_world *world = decoded("{\"format\":\"octant-world\",\"version\":1,\"types\":[],"
                               "\"blocks\":[]}");
    oct_pose pose;
    oct_bounds bounds;
    assert_string_equal(oct_world_name(world), "");
    assert_int_equal(oct_world_up(world), OCT_UP_Z);
    assert_false(oct_world_left_handed(world));
    assert_true(oct_world_passage(world) == 0.0);
    assert_false(oct_world_start(world, &pose) || oct_world_bounds(world, &bounds));
    oct_array bytes = encoded(world);
    append(&bytes, "", 1);
    assert_string_equal(bytes.items, "{\n  \"format\": \"octant-world\",\n  \"version\": 1,\n"
                                     "  \"name\": \"\",\n  \"up\": \"z\",\n  \"handed\": \"right\","
                                     "\n  \"types\": [\n  ],\n  \"blocks\": [\n  ]\n}\n");
    drop(&bytes);
    oct_world_destroy(world);
}

static void the_order_of_keys_does_not_matter(void **state)
{
    (void)state;
    oct_world *world =
        decoded(" {\"blocks\" : [ { \"box\":[0,0,0,1,1,1] , \"type\":\"a]\\\"\", \"id\": \"5\" } ] "
                ",\t\"x-note\": [{\"a]\\\\\": \"}\"}, []],\r\n"
                "\"types\":[{\"name\":\"a]\\\"\", \"x-colour\": [1, 2]}],\"version\":1,"
                "\"x-more\":{},\"format\":\"octant-world\"} \n");
    assert_int_equal(oct_world_blocks(world), 1);
    assert_int_equal(oct_world_get(world, 0).id, 5);
    assert_true(oct_world_get_type(world, 0).opaque); // unless it says otherwise
    oct_world_destroy(world);
}

// ---- damage ----

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    const size_t size = strlen(small_world) - 1; // the last is a line feed
    for (size_t cut = 0; cut < size; cut++) {
        oct_world *world;
        oct_error error;
        assert_int_equal(decode(small_world, cut, &world, &error), OCT_ERROR_FORMAT);
        assert_null(world);
        assert_true(error.message[0]);
        assert_true(error.offset <= cut);
    }
}

// What is accepted after a change can be written and read again.
static void no_change_of_a_byte_does_harm(void **state)
{
    (void)state;
    const size_t size = strlen(small_world);
    static const char bytes[] = "\"\\{}[],:019-.eE x\n\xff\x80";
    size_t accepted = 0;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < sizeof bytes; j++) { // the last is zero
            char text[sizeof small_world];
            memcpy(text, small_world, sizeof text);
            text[i] = bytes[j];
            oct_world *world, *again;
            oct_error error;
            const oct_result result = decode(text, size, &world, &error);
            if (result != OCT_OK) {
                assert_int_equal(result, OCT_ERROR_FORMAT);
                assert_true(!world && error.message[0] && error.line > 0 && error.offset <= size);
                continue;
            }
            oct_array out = encoded(world);
            assert_int_equal(decode(out.items, out.count, &again, &error), OCT_OK);
            assert_same_world(world, again);
            drop(&out);
            oct_world_destroy(again);
            oct_world_destroy(world);
            accepted++;
        }
    }
    assert_in_range(accepted, 500, 10000);
}

// ---- memory ----

static void reading_survives_every_failing_allocation(void **state)
{
    (void)state;
    char ours[sizeof small_world];
    strcpy(ours, small_world);
    assert_true(test_each_failure(decode_with, ours) > 5);
}

// jansson has its own memory, the same for everyone.
static size_t jansson_calls, jansson_fail_at, jansson_live;

static void *jansson_alloc(size_t size)
{
    void *memory = jansson_calls++ == jansson_fail_at ? NULL : malloc(size);
    jansson_live += memory != NULL;
    return memory;
}

static void jansson_free(void *memory)
{
    jansson_live -= memory != NULL;
    free(memory);
}

// It is not always honest about why it failed; but nothing leaks, and a failure is one.
static void nothing_leaks_where_jansson_has_no_memory(void **state)
{
    (void)state;
    json_malloc_t old_alloc;
    json_free_t old_free;
    json_get_alloc_funcs(&old_alloc, &old_free);
    json_set_alloc_funcs(jansson_alloc, jansson_free);
    size_t said = 0;
    for (jansson_fail_at = 0;; jansson_fail_at++) {
        oct_world *world;
        oct_error error = {.line = 0};
        jansson_calls = 0;
        const oct_result result =
            oct_world_decode(small_world, strlen(small_world), NULL, &world, NULL, &error);
        assert_int_equal(jansson_live, 0);
        assert_int_equal(result == OCT_OK, world != NULL);
        assert_true(result == OCT_OK || error.message[0]);
        oct_world_destroy(world);
        said += result == OCT_ERROR_MEMORY;
        if (jansson_calls <= jansson_fail_at) {
            assert_int_equal(result, OCT_OK);
            break;
        }
    }
    json_set_alloc_funcs(old_alloc, old_free);
    assert_true(said > jansson_fail_at / 2);
}

// ---- files ----

static void path_in(void **state, char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", (const char *)*state, name);
}

static int remove_folder(void **state)
{
    char path[1024];
    path_in(state, path, sizeof path, "world.json");
    remove(path);
    assert_int_equal(rmdir(*state), 0);
    free(*state);
    return 0;
}

static void files_are_written_whole_and_read_back(void **state)
{
    char path[1024], nowhere[1024];
    path_in(state, path, sizeof path, "world.json");
    path_in(state, nowhere, sizeof nowhere, "no/world.json");
    oct_world *world = decoded(small_world), *back;
    const char *kind;
    uint64_t size;
    oct_error error;
    assert_int_equal(oct_world_save(path, world, &size, &error), OCT_OK);
    assert_int_equal(size, strlen(small_world));
    assert_int_equal(oct_world_save(path, world, NULL, NULL), OCT_OK);
    size_t bytes;
    void *file = test_read_file(path, &bytes);
    assert_int_equal(bytes, strlen(small_world));
    assert_memory_equal(file, small_world, bytes);
    free(file);
    assert_int_equal(oct_world_load(path, NULL, &back, &kind, &error), OCT_OK);
    assert_string_equal(kind, "octant-world");
    assert_same_world(world, back);
    oct_world_destroy(back);

    assert_int_equal(oct_world_save(nowhere, world, NULL, &error), OCT_ERROR_FILE);
    assert_non_null(strstr(error.message, "cannot create"));
    assert_int_equal(oct_world_load(nowhere, NULL, &back, NULL, &error), OCT_ERROR_FILE);
    assert_string_equal(error.message, "cannot open: No such file or directory");
    assert_null(back);
    assert_int_equal(oct_world_load(*state, NULL, &back, NULL, &error), OCT_ERROR_FILE);
    assert_int_equal(oct_world_save(*state, world, NULL, &error), OCT_ERROR_FILE);
    oct_world_destroy(world);
}

static bool write_some(void *ctx, const void *data, size_t size)
{
    size_t *left = ctx;
    (void)data;
    *left = size < *left ? *left - size : 0;
    return *left > 0;
}

static void writing_stops_where_the_file_does(void **state)
{
    (void)state;
    const oct_generate_world_def def = oct_generate_world_def_default();
    oct_world *world;
    assert_int_equal(oct_generate_world(&def, NULL, &world), OCT_OK);
    for (size_t room = 1; room < 100000; room *= 10) {
        size_t left = room;
        assert_int_equal(oct_world_encode(world, write_some, &left), OCT_ERROR_FILE);
        assert_int_equal(left, 0);
    }
    oct_world_destroy(world);
}

static void worlds_go_by_their_extension(void **state)
{
    (void)state;
    assert_true(oct_world_is_named("a.json"));
    assert_true(oct_world_is_named("b.bt/a.b.json"));
    assert_false(oct_world_is_named("a.json/b"));
    assert_false(oct_world_is_named("a.json.bt"));
    assert_false(oct_world_is_named("json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_come_back_with_the_same_bits),
        cmocka_unit_test(the_text_is_one_block_a_line),
        cmocka_unit_test(an_empty_world_is_one),
        cmocka_unit_test(the_order_of_keys_does_not_matter),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(no_change_of_a_byte_does_harm),
        cmocka_unit_test(reading_survives_every_failing_allocation),
        cmocka_unit_test(nothing_leaks_where_jansson_has_no_memory),
        cmocka_unit_test_setup_teardown(files_are_written_whole_and_read_back, make_folder,
                                        remove_folder),
        cmocka_unit_test(writing_stops_where_the_file_does),
        cmocka_unit_test(worlds_go_by_their_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
