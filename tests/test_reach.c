// SPDX-License-Identifier: MIT
// What a body calls reachable, compared with the truth by bits, against the oracle of cells.
#include "octant/tree.h"
#include "tour_scene.h"
#include "verify/reach.h"

// A map that knows some boxes of a random world, and some of its things.
static void know_parts(tour_scene *s, oct_random *random)
{
    for (uint64_t i = oct_random_below(random, 9); i > 0; i--) {
        oct_box box = s->bounds;
        int32_t *const lo[3] = {&box.min.x, &box.min.y, &box.min.z};
        int32_t *const hi[3] = {&box.max.x, &box.max.y, &box.max.z};
        for (uint32_t axis = 0; axis < oct_tree_dims(oct_map_tree(s->map)); axis++) {
            *lo[axis] = oct_random_range(random, *lo[axis] - 2, *hi[axis] - 1);
            *hi[axis] = oct_random_range(random, *lo[axis] + 1, *hi[axis] + 2);
        }
        assert_int_equal(oct_map_set_box(s->map, box, OCT_MARK_KNOWN), OCT_OK);
    }
    for (uint64_t id = 1; id < 1010; id++) {
        oct_thing each;
        if (oct_map_thing(s->truth, id, &each) && oct_random_below(random, 8) > 0) {
            each.label = oct_random_below(random, 12) == 0 ? OCT_UNKNOWN : each.label;
            assert_int_equal(oct_map_put(s->map, &each), OCT_OK);
        }
    }
}

static void compare(const tour_scene *s, oct_point at, oct_vec cell)
{
    explore_oracle known, truth;
    reach out;
    explore_oracle_make(&known, s->map, s->bounds, cell);
    explore_oracle_make(&truth, s->truth, s->bounds, cell);
    assert_int_equal(oct_reach_compare(s->map, s->truth, &s->bounds, at, NULL, &out), OCT_OK);
    assert_int_equal(out.reachable, explore_oracle_remains(&known).open);
    assert_int_equal(out.flood, explore_oracle_remains(&truth).open);
    assert_int_equal(out.differ, explore_oracle_differ(&known, &truth));
    if (out.differ > 0) {
        assert_true(explore_oracle_reaches(&known, out.first) !=
                    explore_oracle_reaches(&truth, out.first));
    }
    explore_oracle_free(&known);
    explore_oracle_free(&truth);
}

static void floods_match_the_oracle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(300); seed++) {
        oct_random random = oct_random_seed(seed);
        tour_scene s;
        if (scene_make(&s, seed, NULL)) {
            know_parts(&s, &random);
            compare(&s, s.def.start, s.start);
        }
        scene_free(&s);
    }
}

// Rows longer than a word, with holes at the seams of words.
static void rows_of_many_words_are_flooded(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        oct_random random = oct_random_seed(seed);
        oct_map_def def = oct_map_def_default();
        tour_scene s = {.bounds = {{-70, 0, 0}, {130, 5, 1}}, .start = {0, 2, 0}};
        def.dims = 2;
        assert_int_equal(oct_map_create(&def, &s.truth), OCT_OK);
        for (uint64_t id = 1; id < 220; id++) {
            const double x = oct_random_range(&random, -70, 129);
            const double y = oct_random_range(&random, 0, 4);
            const oct_thing each = {
                .id = id, .box = {{x, y, 0}, {x + 1, y + 1, 0}}, .label = OCT_BLOCKED};
            assert_int_equal(x == 0 && y == 2 ? OCT_OK : oct_map_add(s.truth, &each), OCT_OK);
        }
        s.map = scene_map(s.truth, NULL);
        know_parts(&s, &random);
        assert_int_equal(oct_map_set_box(s.truth, s.bounds, OCT_MARK_KNOWN), OCT_OK);
        compare(&s, (oct_point){0.5, 2.5, 0}, s.start);
        scene_free(&s);
    }
}

static void a_point_between_cells_is_of_an_open_one(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    tour_scene s = {.bounds = {{-3, -3, -3}, {3, 3, 3}}};
    assert_int_equal(oct_map_create(&def, &s.truth), OCT_OK);
    const oct_thing half = {.id = 1, .box = {{0, -3, -3}, {3, 3, 3}}, .label = OCT_BLOCKED};
    assert_int_equal(oct_map_add(s.truth, &half), OCT_OK);
    s.map = scene_map(s.truth, NULL);
    assert_int_equal(oct_map_add(s.map, &half), OCT_OK);
    assert_int_equal(oct_map_set_box(s.map, s.bounds, OCT_MARK_KNOWN), OCT_OK);
    reach out;
    const oct_point on_wall = {0.0, 0.25, 0.25}; // of the blocked cell, to the letter
    assert_int_equal(oct_reach_compare(s.map, s.truth, &s.bounds, on_wall, NULL, &out), OCT_OK);
    assert_int_equal(out.reachable, 3 * 6 * 6);
    assert_int_equal(out.flood, 3 * 6 * 6);
    const oct_point in_wall = {0.5, 0.25, 0.25};
    assert_int_equal(oct_reach_compare(s.map, s.truth, &s.bounds, in_wall, NULL, &out), OCT_OK);
    assert_int_equal(out.reachable, 0);
    assert_int_equal(out.flood, 0);
    const oct_point nowhere = {1e18, 0, 0};
    assert_int_equal(oct_reach_compare(s.map, s.truth, &s.bounds, nowhere, NULL, &out),
                     OCT_ERROR_RANGE);
    scene_free(&s);
}

// Without bounds the truth must end where the map's OPEN cells do.
static void without_bounds_what_goes_on_differs(void **state)
{
    (void)state;
    for (int hole = 0; hole < 2; hole++) {
        oct_map_def def = oct_map_def_default();
        tour_scene s = {.bounds = {{1, 1, 1}, {5, 5, 5}}};
        assert_int_equal(oct_map_create(&def, &s.truth), OCT_OK);
        for (uint64_t side = 0; side < 6; side++) {
            double lo[3] = {0, 0, 0}, hi[3] = {6, 6, 6};
            *(side % 2 ? &lo[side / 2] : &hi[side / 2]) = side % 2 ? 5.0 : 1.0;
            hi[1] = hole && side == 0 ? 4.0 : hi[1];
            const oct_thing each = {.id = side,
                                    .box = {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}},
                                    .label = OCT_BLOCKED};
            assert_int_equal(oct_map_add(s.truth, &each), OCT_OK);
        }
        s.map = scene_map(s.truth, NULL);
        reach out;
        const oct_point at = {2.5, 2.5, 2.5};
        assert_int_equal(oct_reach_compare(s.map, s.truth, NULL, at, NULL, &out), OCT_OK);
        assert_int_equal(out.reachable, 0);
        assert_int_equal(oct_map_set_box(s.map, s.bounds, OCT_MARK_OPEN), OCT_OK);
        assert_int_equal(oct_reach_compare(s.map, s.truth, NULL, at, NULL, &out), OCT_OK);
        assert_int_equal(out.reachable, 64);
        assert_int_equal(out.box.min.x, 0);
        assert_int_equal(out.box.max.z, 6);
        assert_true(hole ? out.differ > 0 : out.differ == 0);
        scene_free(&s);
    }
}

static oct_result compare_in(const oct_allocator *allocator, void *ctx)
{
    const tour_scene *const s = ctx;
    reach out;
    return oct_reach_compare(s->map, s->truth, &s->bounds, s->def.start, allocator, &out);
}

static void out_of_memory_is_an_error(void **state)
{
    (void)state;
    tour_scene s;
    assert_true(scene_make(&s, 7, NULL));
    assert_int_equal(test_each_failure(compare_in, &s), 5);
    reach out;
    const oct_box large = {{-OCT_RANGE, -OCT_RANGE, 0}, {OCT_RANGE, OCT_RANGE, 1}};
    assert_int_equal(oct_reach_compare(s.map, s.truth, &large, s.def.start, NULL, &out),
                     OCT_ERROR_RANGE);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_match_the_oracle),
        cmocka_unit_test(rows_of_many_words_are_flooded),
        cmocka_unit_test(a_point_between_cells_is_of_an_open_one),
        cmocka_unit_test(without_bounds_what_goes_on_differs),
        cmocka_unit_test(out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
