// SPDX-License-Identifier: MIT
// Trace files, letter by letter.
#include "octant/names.h"
#include "support.h"
#include "verify/tour_trace.h"

#include <math.h>
#include <stdio.h>

static char written[8192];
static size_t written_size;

static bool take(void *ctx, const void *data, size_t size)
{
    (void)ctx;
    assert_true(written_size + size < sizeof written);
    memcpy(written + written_size, data, size);
    written_size += size;
    written[written_size] = '\0';
    return true;
}

typedef struct fixture {
    sink out;
    oct_world *world;
    oct_map *map;
    oct_box bounds;
    tour_def tour;
    tour_trace_head head;
} fixture;

static void open_fixture(fixture *f, uint32_t dims)
{
    *f = (fixture){.out = {.write = take}};
    written_size = 0;
    oct_map_def def = oct_map_def_default();
    def.dims = dims;
    def.cell_size = 0.5;
    def.origin = (oct_point){1, 2, 3};
    def.padding = (oct_point){0.9, 0.9, 0.25};
    assert_int_equal(oct_map_create(&def, &f->map), OCT_OK);
    assert_int_equal(oct_world_create(NULL, &f->world), OCT_OK);
    assert_int_equal(oct_world_set_name(f->world, "a \"name\""), OCT_OK);
    assert_int_equal(oct_world_add_type(f->world, "wall", true, NULL), OCT_OK);
    assert_int_equal(oct_world_add_type(f->world, "glass", false, NULL), OCT_OK);
    f->bounds = (oct_box){{-2, -4, 0}, {6, 8, 10}};
    f->tour = (tour_def){.bounds = &f->bounds,
                         .start = {1.5, -0.0, 1},
                         .radius = 20,
                         .sight = OCT_SIGHT_LINE,
                         .fov = 360,
                         .step = 20,
                         .to = {4, 5, 6}};
    f->head = (tour_trace_head){.file = "maze.json",
                                .world = f->world,
                                .map = f->map,
                                .structure = "octree",
                                .up = OCT_UP_Y,
                                .body = {1.8, 1.8, 0.5},
                                .tour = &f->tour,
                                .strategy = "nearest",
                                .seed = 1,
                                .find = "Door1",
                                .time_us = 1e-3};
}

static void close_fixture(fixture *f, const char *expected)
{
    oct_sink_flush(&f->out);
    assert_string_equal(written, expected);
    oct_map_destroy(f->map);
    oct_world_destroy(f->world);
}

static void the_first_line_says_what_was_asked_for(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, 3);
    oct_tour_trace_head(&f.out, &f.head);
    close_fixture(
        &f, "{\"octant_trace\": 1, \"world\": \"maze.json\", \"name\": \"a \\\"name\\\"\", "
            "\"dims\": 3, \"up\": \"y\", \"handed\": \"right\", \"cell\": 0.5, "
            "\"origin\": [1, 2, 3], \"body\": [1.8, 1.8, 0.5], \"padding\": [0.9, 0.9, 0.25], "
            "\"structure\": \"octree\", \"radius\": 20, \"sight\": \"line\", \"fov\": 360, "
            "\"step\": 20, \"task\": \"explore\", \"strategy\": \"nearest\", \"seed\": 1, "
            "\"bounds\": [0, 0, 3, 4, 6, 8], \"start\": [1.5, 0, 1]}\n");

    open_fixture(&f, 2);
    f.head.world = NULL;
    f.head.left_handed = true;
    f.tour.task = TOUR_TO;
    f.tour.sight = OCT_SIGHT_THROUGH;
    oct_tour_trace_head(&f.out, &f.head);
    close_fixture(
        &f, "{\"octant_trace\": 1, \"world\": \"maze.json\", "
            "\"dims\": 2, \"up\": \"y\", \"handed\": \"left\", \"cell\": 0.5, "
            "\"origin\": [1, 2, 3], \"body\": [1.8, 1.8, 0.5], \"padding\": [0.9, 0.9, 0.25], "
            "\"structure\": \"octree\", \"radius\": 20, \"sight\": \"through\", \"fov\": 360, "
            "\"step\": 20, \"task\": \"to\", \"to\": [4, 5, 6], \"strategy\": \"nearest\", "
            "\"seed\": 1, \"bounds\": [0, 0, 0, 4, 6, 0], \"start\": [1.5, 0, 1]}\n");

    open_fixture(&f, 3);
    f.tour.task = TOUR_FIND;
    f.tour.bounds = NULL;
    oct_tour_trace_head(&f.out, &f.head);
    oct_sink_flush(&f.out);
    assert_non_null(strstr(written, "\"task\": \"find\", \"find\": \"Door1\", "));
    assert_null(strstr(written, "bounds"));
    close_fixture(&f, written);
}

static void looks_say_what_was_seen(void **state)
{
    (void)state;
    fixture f;
    const oct_thing added[] = {
        {.id = 7, .box = {{0, 0, 0}, {1, 2, 3}}, .label = OCT_BLOCKED, .opaque = 1},
        {.id = UINT64_MAX,
         .box = {{0, 0, 0}, {1, 2, 3.5}},
         .label = OCT_OPEN,
         .opaque = 0,
         .tag = 1},
        {.id = 8, .box = {{0, 0, 0}, {1, 2, 3}}, .label = OCT_UNKNOWN, .opaque = 1},
    };
    const tour_event event = {.step = TOUR_LOOK,
                              .at = {0.1, 0.2, 0.3},
                              .time = 1500,
                              .forward = {0, 0, 1},
                              .fov = 360,
                              .seen = {.hidden = 4},
                              .added = added,
                              .added_count = 3,
                              .known = 99};
    open_fixture(&f, 3);
    oct_tour_trace_event(&f.out, &f.head, &event);
    close_fixture(&f,
                  "{\"event\": \"look\", \"at\": [0.1, 0.2, 0.3], \"known\": 99, \"hidden\": 4, "
                  "\"things\": [{\"id\": 7, \"type\": \"wall\", \"box\": [0, 0, 0, 1, 2, 3]}, "
                  "{\"id\": \"18446744073709551615\", \"type\": \"glass\", \"box\": "
                  "[0, 0, 0, 1, 2, 3.5], \"label\": \"open\", \"opaque\": false}, "
                  "{\"id\": 8, \"type\": \"wall\", \"box\": [0, 0, 0, 1, 2, 3], "
                  "\"label\": \"unknown\"}]}\n");

    tour_event narrow = event;
    narrow.fov = 90;
    narrow.added_count = 0;
    open_fixture(&f, 3);
    f.head.times = true;
    f.head.world = NULL;
    oct_tour_trace_event(&f.out, &f.head, &narrow);
    close_fixture(&f, "{\"event\": \"look\", \"at\": [0.1, 0.2, 0.3], \"forward\": [0, 0, 1], "
                      "\"fov\": 90, \"known\": 99, \"hidden\": 4, \"us\": 1.5, \"things\": []}\n");
}

static void plans_and_moves_are_told(void **state)
{
    (void)state;
    fixture f;
    const oct_point points[] = {{1, 2, 3}, {-0.0, 5, 6}};
    oct_exploration plan = {
        .status = OCT_EXPLORE_GO,
        .why = OCT_WHY_IN_SIGHT,
        .frontier = {-5, 6, 7},
        .leaf = {.x = -8, .y = 4, .z = 4, .level = 2, .label = OCT_OPEN},
        .path = {.length = 4.5, .points = points, .point_count = 2},
    };
    tour_event event = {.step = TOUR_PLAN, .plan = &plan, .call = 3, .time = 2000};
    open_fixture(&f, 3);
    oct_tour_trace_event(&f.out, &f.head, &event);
    plan.status = OCT_EXPLORE_BOUNDED;
    plan.why = OCT_WHY_NOTHING;
    f.head.times = true;
    oct_tour_trace_event(&f.out, &f.head, &event);
    plan.status = OCT_EXPLORE_ARRIVE;
    plan.why = OCT_WHY_WAY_KNOWN;
    plan.has_found = true;
    plan.found.id = 12;
    oct_tour_trace_event(&f.out, &f.head, &event);
    const tour_event move = {.step = TOUR_MOVE, .points = points, .point_count = 2, .length = 0.25};
    oct_tour_trace_event(&f.out, &f.head, &move);
    char expected[2048];
    snprintf(expected, sizeof expected,
             "{\"event\": \"plan\", \"call\": 3, \"status\": \"go\", \"why\": \"%s\", "
             "\"frontier\": [-5, 6, 7], \"leaf\": [-8, 4, 4, 2], \"length\": 4.5, "
             "\"points\": [[1, 2, 3], [0, 5, 6]]}\n"
             "{\"event\": \"plan\", \"call\": 3, \"status\": \"bounded\", \"why\": \"%s\", "
             "\"us\": 2}\n"
             "{\"event\": \"plan\", \"call\": 3, \"status\": \"arrive\", \"why\": \"%s\", "
             "\"found\": {\"id\": 12}, \"us\": 2, \"length\": 4.5, "
             "\"points\": [[1, 2, 3], [0, 5, 6]]}\n"
             "{\"event\": \"move\", \"length\": 0.25, \"points\": [[1, 2, 3], [0, 5, 6]]}\n",
             oct_explore_why_name(OCT_WHY_IN_SIGHT), oct_explore_why_name(OCT_WHY_NOTHING),
             oct_explore_why_name(OCT_WHY_WAY_KNOWN));
    close_fixture(&f, expected);
}

static void the_last_line_says_how_it_ended(void **state)
{
    (void)state;
    fixture f;
    const tour_result tour = {
        .status = TOUR_BUDGET, .at = {1, 2, 3}, .calls = 4, .looks = 5, .travelled = 6.5};
    const uint64_t counts[3] = {10, 20, 30};
    const oct_remains remains = {
        .open = 1, .sealed = 2, .unknown = 3, .frontier = 4, .hidden = 5, .walled = 6, .beyond = 7};
    open_fixture(&f, 3);
    oct_tour_trace_tail(&f.out, &(tour_trace_tail){&tour, counts, &remains});
    close_fixture(&f, "{\"event\": \"end\", \"status\": \"budget\", \"at\": [1, 2, 3], "
                      "\"calls\": 4, \"looks\": 5, \"travelled\": 6.5, \"open\": 20, "
                      "\"blocked\": 30, \"unknown\": 10, \"remains\": {\"open\": 1, \"sealed\": 2, "
                      "\"unknown\": 3, \"frontier\": 4, \"hidden\": 5, \"walled\": 6, "
                      "\"beyond\": 7}}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_says_what_was_asked_for),
        cmocka_unit_test(looks_say_what_was_seen),
        cmocka_unit_test(plans_and_moves_are_told),
        cmocka_unit_test(the_last_line_says_how_it_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
