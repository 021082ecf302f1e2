// SPDX-License-Identifier: MIT
// Looks from the same place at the same things: a map that was asked to look elsewhere in between
// casts them anew, and everything is the same.
#include "support.h"

#include "map/map.h"
#include "map/sighted.h"
#include "octant/tree.h"

#include "base/base_internal.h"

#define THINGS 30
#define SIDE 48

static oct_map *make(double padding)
{
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    def.cell_size = 0.5;
    def.padding = (oct_point){padding, padding, padding};
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    assert_int_equal(oct_map_keep_sighted(map), OCT_OK);
    return map;
}

static double draw(oct_random *random, double most)
{
    return most * (double)oct_random_below(random, 1u << 20) / (1u << 20);
}

static oct_bounds draw_box(oct_random *random)
{
    const oct_point at = {draw(random, 16), draw(random, 16), draw(random, 16)};
    return (oct_bounds){at,
                        {at.x + draw(random, 3), at.y + draw(random, 3), at.z + draw(random, 3)}};
}

static void change_things(oct_random *random, oct_thing *things)
{
    oct_thing *const t = &things[oct_random_below(random, THINGS)];
    switch (oct_random_below(random, 4)) {
    case 0:
        t->box = draw_box(random);
        break;
    case 1:
        t->opaque = !t->opaque;
        break;
    default:
        t->label = (uint8_t)oct_random_below(random, 3);
    }
}

static void change_map(oct_map *map, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    const oct_box cells = {{4, 4, 4}, {20, 24, 28}};
    oct_map_relabel(map, oct_random_below(&random, THINGS),
                    (oct_label)oct_random_below(&random, 3));
    switch (oct_random_below(&random, 5)) {
    case 0:
        assert_int_equal(oct_map_set_box(map, cells, OCT_MARK_UNKNOWN), OCT_OK);
        break;
    case 1:
        assert_int_equal(oct_map_keep(map, (oct_point){8, 8, 8}, 4.0), OCT_OK);
        break;
    case 2:
        (void)oct_map_move(map, oct_random_below(&random, THINGS), draw_box(&random));
        break;
    case 3:
        assert_int_equal(oct_map_shrink(map), OCT_OK);
        break;
    default:
        (void)oct_map_remove(map, oct_random_below(&random, THINGS));
    }
}

static void check_same(const oct_map *a, const oct_map *b)
{
    assert_int_equal(oct_map_things(a), oct_map_things(b));
    assert_int_equal(oct_tree_revision(oct_map_tree(a)), oct_tree_revision(oct_map_tree(b)));
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const oct_vec cell = {i % SIDE - 8, i / SIDE % SIDE - 8, i / (SIDE * SIDE) - 8};
        if (oct_tree_label(oct_map_tree(a), cell) != oct_tree_label(oct_map_tree(b), cell) ||
            oct_tree_label(oct_map_sighted(a), cell) != oct_tree_label(oct_map_sighted(b), cell)) {
            fail_msg("cell %d %d %d differs", cell.x, cell.y, cell.z);
        }
    }
}

static void observe_both(oct_map *a, oct_map *b, const oct_view *view, const oct_thing *things)
{
    const oct_view elsewhere = {.centre = {1, 2, 3}, .radius = 1.0};
    oct_seen one, other;
    assert_int_equal(oct_map_look(b, &elsewhere, NULL, 0), OCT_OK);
    assert_int_equal(oct_map_observe(a, view, things, THINGS, &one), OCT_OK);
    assert_int_equal(oct_map_observe(b, view, things, THINGS, &other), OCT_OK);
    assert_memory_equal(&one, &other, sizeof one);
    assert_memory_equal(oct_map_looks(a), oct_map_looks(b), THINGS);
}

static void a_repeated_look_shows_the_same(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(60);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        oct_random random = oct_random_seed(seed);
        const double padding = draw(&random, 1);
        oct_map *const a = make(padding), *const b = make(padding);
        oct_thing things[THINGS];
        for (uint64_t i = 0; i < THINGS; i++) {
            things[i] = (oct_thing){.id = i,
                                    .box = draw_box(&random),
                                    .label = (uint8_t)oct_random_below(&random, 3),
                                    .opaque = i % 4 != 0};
        }
        oct_view view = {.radius = 9.0, .sight = OCT_SIGHT_LINE};
        for (int i = 0; i < 20; i++) {
            if (i == 0 || oct_random_below(&random, 5) == 0) {
                view.centre = (oct_point){draw(&random, 16), draw(&random, 16), draw(&random, 16)};
                view.forward = (oct_point){draw(&random, 2) - 1.0, 1.0, draw(&random, 2) - 1.0};
                view.fov = oct_random_below(&random, 3) == 0 ? 2.0 : 0.0;
            }
            if (oct_random_below(&random, 4) == 0) {
                change_things(&random, things);
            }
            if (oct_random_below(&random, 3) == 0) {
                const uint64_t how = oct_random_below(&random, 1u << 20);
                change_map(a, how);
                change_map(b, how);
            }
            observe_both(a, b, &view, things);
        }
        check_same(a, b);
        oct_map_destroy(a);
        oct_map_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_repeated_look_shows_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
