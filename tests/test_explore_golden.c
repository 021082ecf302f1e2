// SPDX-License-Identifier: MIT
// Exploring, crowds and repaired paths have the same bits, whatever compiler and optimisation made
// the code.
#include "explore_support.h"
#include "octant/crowd.h"
#include "octant/tree.h"
#include "octant/watch.h"

#include <inttypes.h>
#include <string.h>

static uint64_t mix(uint64_t hash, const void *numbers, size_t count, size_t width)
{
    const uint64_t added = test_hash_add(TEST_HASH_START, numbers, count, width);
    return count ? (hash * UINT64_C(0x100000001b3)) ^ added : hash;
}

static void expect(const char *what, uint64_t hash, uint64_t golden)
{
    if (hash != golden) {
        fail_msg("%s: 0x%016" PRIx64, what, hash);
    }
}

// ---- exploring ----

// Worlds explored to the end, by a strategy, in line of sight or not, with a field of view or not.
static uint64_t hash_of_tours(oct_strategy strategy)
{
    uint64_t hash = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        explore_scene s;
        explore_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 24 : 10, NULL);
        s.view.forward = (oct_point){0.3, 1.0, 0.2};
        s.view.fov = seed % 3 ? 0.0 : 1.7;
        oct_explorer_def def = oct_explorer_def_default();
        def.map = s.map;
        def.bounds = &s.bounds;
        def.radius = s.view.radius;
        def.strategy = strategy;
        oct_explorer *explorer;
        assert_int_equal(oct_explorer_create(&def, &explorer), OCT_OK);
        oct_exploration next = {.status = OCT_EXPLORE_GO};
        for (int i = 0; i < 60 && next.status == OCT_EXPLORE_GO; i++) {
            explore_observe(&s);
            assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
            assert_int_equal(oct_explorer_next(explorer, s.view.centre, &next), OCT_OK);
            const uint64_t words[] = {next.status, next.why, next.path.expanded};
            hash = mix(hash, words, 3, 8);
            hash = mix(hash, &next.frontier, 3, sizeof next.frontier.x);
            hash = mix(hash, next.path.points, 3 * next.path.point_count, 8);
            if (next.status == OCT_EXPLORE_GO) {
                s.view.centre = next.path.points[next.path.point_count - 1];
            }
        }
        oct_explorer_destroy(explorer);
        explore_scene_free(&s);
    }
    return hash;
}

static void exploring_has_the_bits_it_always_had(void **state)
{
    (void)state;
    expect("nearest", hash_of_tours(OCT_STRATEGY_NEAREST), UINT64_C(0xf93ed8ec839e7fac));
    expect("gain", hash_of_tours(OCT_STRATEGY_GAIN), UINT64_C(0xf5518ca37e25b135));
    expect("random", hash_of_tours(OCT_STRATEGY_RANDOM), UINT64_C(0x27d11d3ce45d2264));
    expect("depth", hash_of_tours(OCT_STRATEGY_DEPTH), UINT64_C(0x810cfda92a202650));
}

// ---- what moves ----

static oct_point random_place(oct_random *random, const oct_map *map)
{
    oct_vec c;
    do {
        c = (oct_vec){oct_random_range(random, 1, 30), oct_random_range(random, 1, 30),
                      oct_random_range(random, 1, 30)};
    } while (oct_tree_label(oct_map_tree(map), c) != OCT_OPEN);
    return (oct_point){c.x + 0.5, c.y + 0.5, c.z + 0.5};
}

static oct_map *make_rubble(void)
{
    oct_map_def def = oct_map_def_default();
    oct_random random = oct_random_seed(5);
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    assert_int_equal(oct_map_set_box(map, (oct_box){{0, 0, 0}, {32, 32, 32}}, OCT_MARK_OPEN),
                     OCT_OK);
    for (uint64_t id = 0; id < 60; id++) {
        const oct_point at = {oct_random_range(&random, 0, 28), oct_random_range(&random, 0, 28),
                              oct_random_range(&random, 0, 28)};
        const oct_thing thing = {
            .id = id, .box = {at, {at.x + 4, at.y + 3, at.z + 5}}, .label = OCT_BLOCKED};
        assert_int_equal(oct_map_add(map, &thing), OCT_OK);
    }
    return map;
}

// Units on their ways among things that move.
static void crowds_have_the_bits_they_always_had(void **state)
{
    (void)state;
    oct_map *const map = make_rubble();
    oct_random random = oct_random_seed(6);
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    def.plan_budget = 300;
    oct_crowd *crowd;
    oct_unit units[60];
    uint64_t hash = 0;
    assert_int_equal(oct_crowd_create(&def, &crowd), OCT_OK);
    for (int i = 0; i < 60; i++) {
        oct_unit_def unit = {.radius = 0.5, .speed = 5.0};
        do {
            unit.at = random_place(&random, map);
        } while (oct_crowd_add(crowd, &unit, &units[i]) != OCT_OK);
        assert_int_equal(oct_crowd_send(crowd, units[i], random_place(&random, map), 0.5), OCT_OK);
    }
    for (int tick = 0; tick < 120; tick++) {
        if (tick % 10 == 9) {
            oct_thing thing;
            assert_true(oct_map_thing(map, (uint64_t)tick / 10, &thing));
            thing.box.min.x += 1.0;
            thing.box.max.x += 1.0;
            assert_int_equal(oct_map_move(map, thing.id, thing.box), OCT_OK);
        }
        assert_int_equal(oct_crowd_step(crowd), OCT_OK);
        for (int i = 0; i < 60; i++) {
            oct_unit_state now;
            assert_true(oct_crowd_state(crowd, units[i], &now));
            hash = mix(hash, &now.place, 3, 8);
        }
    }
    oct_crowd_destroy(crowd);
    oct_map_destroy(map);
    expect("crowd", hash, UINT64_C(0x288f2d99d1d20297));
}

typedef struct broken_list {
    uint32_t ids[32];
    size_t count;
} broken_list;

static void note_broken(void *ctx, const oct_broken *news)
{
    broken_list *const list = ctx;
    list->ids[list->count++] = news->id;
}

// Watched paths that break while things move, and are planned anew.
static void replanned_paths_have_the_bits_they_always_had(void **state)
{
    (void)state;
    oct_map *const map = make_rubble();
    oct_random random = oct_random_seed(7);
    oct_planner_def planner_def = oct_planner_def_default();
    oct_watch_def def = oct_watch_def_default();
    planner_def.tree = def.tree = oct_map_tree(map);
    oct_planner *planner;
    oct_watch *watch;
    uint64_t hash = 0;
    assert_int_equal(oct_planner_create(&planner_def, &planner), OCT_OK);
    assert_int_equal(oct_watch_create(&def, &watch), OCT_OK);
    for (uint64_t i = 0; i < 30; i++) {
        oct_query query = def.query;
        oct_path path;
        uint32_t id;
        query.from = random_place(&random, map);
        query.to = random_place(&random, map);
        assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
        if (path.status == OCT_PATH_FOUND) {
            assert_int_equal(oct_watch_add(watch, &path, i, &id), OCT_OK);
        }
    }
    for (uint64_t step = 0; step < 200; step++) {
        oct_thing thing;
        broken_list list = {.count = 0};
        assert_true(oct_map_thing(map, step % 60, &thing));
        const double by = step / 60 % 2 ? -1.0 : 1.0;
        thing.box.min.y += by;
        thing.box.max.y += by;
        assert_int_equal(oct_map_move(map, thing.id, thing.box), OCT_OK);
        oct_watch_update(watch, note_broken, &list);
        for (size_t i = 0; i < list.count; i++) {
            oct_watched old;
            oct_path path;
            oct_watch_path(watch, list.ids[i], &old);
            const oct_point from = oct_tree_point(def.tree, old.lattice[0]);
            assert_int_equal(oct_watch_replan(watch, planner, list.ids[i], from, &path), OCT_OK);
            hash = mix(hash, path.points, 3 * path.point_count, 8);
            hash = mix(hash, &list.ids[i], 1, sizeof list.ids[i]);
        }
    }
    oct_watch_destroy(watch);
    oct_planner_destroy(planner);
    oct_map_destroy(map);
    expect("replanned paths", hash, UINT64_C(0x9f6e94f5f7c71d83));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exploring_has_the_bits_it_always_had),
        cmocka_unit_test(crowds_have_the_bits_they_always_had),
        cmocka_unit_test(replanned_paths_have_the_bits_they_always_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
