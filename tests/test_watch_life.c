// SPDX-License-Identifier: MIT
// How watches follow the journal, what they refuse, what they cost, how they fail, and what is
// noticed.
#include "octant/line.h"
#include "octant/tree.h"
#include "valid.h"
#include "watch_support.h"

#include <math.h>

// ---- scenes ----

// A hall of `length` cells, in which paths along x are planned.
static void set_up_hall(watch_scene *f, int32_t length, int32_t width, uint32_t journal)
{
    *f = (watch_scene){.count = 0};
    f->s = (search_scene){.random = oct_random_seed(1), .dims = 3};
    oct_tree_def def = oct_tree_def_default();
    def.journal = journal;
    assert_int_equal(oct_tree_create(&def, &f->s.tree), OCT_OK);
    f->s.drawn = (oct_box){{0, 0, 0}, {length, width, width}};
    set_box(f->s.tree, f->s.drawn, OCT_MARK_OPEN);
    scene_set_terms(&f->s, OCT_UNKNOWN_BLOCKED, NULL);
    begin_scene(f);
    f->watch = new_watch(f, NULL);
}

static oct_path plan_between(const watch_scene *f, oct_point from, oct_point to)
{
    oct_query query = f->query;
    query.from = from;
    query.to = to;
    return scene_plan(&f->s, f->planner, &query);
}

static uint32_t add_between(watch_scene *f, oct_point from, oct_point to)
{
    const oct_path path = plan_between(f, from, to);
    assert_int_equal(path.status, OCT_PATH_FOUND);
    f->goals[f->count] = to;
    assert_int_equal(oct_watch_add(f->watch, &path, 1000u + f->count, &f->ids[f->count]), OCT_OK);
    return f->ids[f->count++];
}

static oct_path replan(watch_scene *f, uint32_t which, oct_point at)
{
    oct_path path;
    assert_int_equal(oct_watch_replan(f->watch, f->planner, f->ids[which], at, &path), OCT_OK);
    return path;
}

static void wall(watch_scene *f, int32_t x, oct_mark mark)
{
    const oct_box all = f->s.drawn;
    set_box(f->s.tree, (oct_box){{x, all.min.y, all.min.z}, {x + 1, all.max.y, all.max.z}}, mark);
}

// ---- journal ----

static void a_lost_journal_is_no_loss(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 40, 8, 3);
    for (int i = 0; i < 8; i++) {
        add_between(&f, (oct_point){0.5, 0.5 + i, 0.5}, (oct_point){39.5, 0.5 + i, 7.5});
    }
    for (int32_t i = 0; i < 5; i++) {
        set_box(f.s.tree, (oct_box){{20, i, 0}, {21, i + 1, 8}}, OCT_MARK_BLOCKED);
    }
    assert_int_equal(update_and_check(&f), 5);
    assert_int_equal(oct_watch_measure(f.watch).broken, 5);
    for (uint32_t i = 0; i < 8; i++) {
        const oct_path path = replan(&f, i, (oct_point){0.5, 0.5 + i, 0.5});
        assert_int_equal(path.status, OCT_PATH_FOUND);
    }
    assert_int_equal(oct_watch_measure(f.watch).broken, 0);
    assert_int_equal(update_and_check(&f), 0);
    watch_scene_free(&f);
}

static void what_comes_and_goes_is_told_to_nobody(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 40, 8, 64);
    add_between(&f, (oct_point){0.5, 0.5, 0.5}, (oct_point){39.5, 7.5, 7.5});
    wall(&f, 20, OCT_MARK_BLOCKED);
    wall(&f, 20, OCT_MARK_OPEN);
    assert_int_equal(update_and_check(&f), 0);
    // Opening breaks nothing, and nobody has to look.
    set_box(f.s.tree, (oct_box){{10, 0, 0}, {20, 8, 20}}, OCT_MARK_OPEN);
    assert_int_equal(update_and_check(&f), 0);
    assert_int_equal(oct_watch_measure(f.watch).checked, 0);
    // What is beside the path is not looked along.
    set_box(f.s.tree, (oct_box){{0, 6, 0}, {4, 8, 2}}, OCT_MARK_BLOCKED);
    assert_int_equal(update_and_check(&f), 0);
    assert_int_equal(oct_watch_measure(f.watch).checked, 0);
    watch_scene_free(&f);
}

static void a_broken_path_is_told_once_until_it_is_replanned(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 40, 8, 64);
    const oct_point from = {0.5, 0.5, 0.5};
    add_between(&f, from, (oct_point){39.5, 7.5, 7.5});
    for (int i = 0; i < 3; i++) {
        wall(&f, 10, OCT_MARK_BLOCKED);
        assert_int_equal(update_and_check(&f), 1);
        wall(&f, 20, OCT_MARK_BLOCKED);
        assert_int_equal(update_and_check(&f), 0);
        assert_int_equal(replan(&f, 0, from).status, OCT_PATH_NONE);
        // Nothing has changed: it is still broken, and its owner knows.
        assert_int_equal(oct_watch_measure(f.watch).broken, 1);
        wall(&f, 10, OCT_MARK_OPEN);
        assert_int_equal(update_and_check(&f), 0);
        assert_int_equal(replan(&f, 0, from).status, OCT_PATH_NONE);
        wall(&f, 20, OCT_MARK_OPEN);
        assert_int_equal(update_and_check(&f), 0);
        assert_int_equal(replan(&f, 0, from).status, OCT_PATH_FOUND);
        assert_int_equal(oct_watch_measure(f.watch).broken, 0);
    }
    watch_scene_free(&f);
}

// Many at once are told in the order of their ids, too.
static void many_are_told_in_order(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 40, 8, 64);
    for (int i = 0; i < PATHS_MOST; i++) {
        const double y = 0.5 + i * 3 % 8;
        add_between(&f, (oct_point){0.5, y, 0.5 + i / 8}, (oct_point){39.5, y, 7.5});
    }
    wall(&f, 20, OCT_MARK_BLOCKED);
    assert_int_equal(update_and_check(&f), PATHS_MOST);
    watch_scene_free(&f);
}

// ---- planning anew ----

// A goal at a corner where blocked cells meet counts as in its own cell, as for a search.
static void a_goal_in_a_corner_is_reached_from_its_own_side(void **state)
{
    (void)state;
    watch_scene f = {.count = 0};
    SCENE_DRAW(&f.s, 2, 1, "........", "........", "........", "........", "........", "........",
               "........", "........");
    begin_scene(&f);
    f.watch = new_watch(&f, NULL);
    const oct_point from = {2.5, 2.5, 0}, to = {5.0, 5.0, 0};
    add_between(&f, from, to);
    set_box(f.s.tree, (oct_box){{4, 5, 0}, {5, 6, 1}}, OCT_MARK_BLOCKED);
    set_box(f.s.tree, (oct_box){{5, 4, 0}, {6, 5, 1}}, OCT_MARK_BLOCKED);
    update_and_check(&f);
    oct_query query = f.query;
    query.from = from;
    query.to = to;
    const oct_path path = replan(&f, 0, from);
    scene_check_path(&f.s, &query, &path);
    const oct_path fresh = scene_plan(&f.s, f.judge, &query);
    assert_true(path.length > 4.0 && scene_paths_equal(&path, &fresh));
    watch_scene_free(&f);
}

static void ends_may_become_blocked(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 40, 9, 64);
    const oct_point from = {1.5, 4.5, 4.5}, to = {38.5, 4.5, 4.5};
    add_between(&f, from, to);
    oct_query query = f.query;
    query.from = from;
    query.to = to;
    for (int round = 0; round < 8; round++) {
        const oct_box start = {{0, 3, 3}, {4, 6, 6}}, goal = {{36, 3, 3}, {40, 6, 6}};
        set_box(f.s.tree, start, round & 1 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN);
        set_box(f.s.tree, goal, round & 2 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN);
        set_box(f.s.tree, (oct_box){{18, 0, 0}, {20, 9, 8}},
                round & 4 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN);
        update_and_check(&f);
        const oct_path path = replan(&f, 0, from);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        scene_check_path(&f.s, &query, &path);
        assert_int_equal(path.leaves_blocked, round & 1);
        assert_int_equal(path.enters_blocked, (round & 2) / 2);
        const oct_path fresh = scene_plan(&f.s, f.judge, &query);
        assert_true(scene_paths_equal(&path, &fresh));
        assert_int_equal(update_and_check(&f), 0);
    }
    watch_scene_free(&f);
}

static void a_budget_ends_a_search(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 60, 20, 64);
    oct_watch_destroy(f.watch);
    const oct_point from = {2.5, 2.5, 2.5}, to = {57.5, 2.5, 2.5};
    f.query.node_budget = 3;
    f.watch = new_watch(&f, NULL);
    add_between(&f, from, to);
    for (int32_t i = 0; i < 10; i++) {
        set_box(f.s.tree, (oct_box){{5 * i + 5, i % 2, 0}, {5 * i + 6, 19 + i % 2, 20}},
                OCT_MARK_BLOCKED);
    }
    assert_int_equal(update_and_check(&f), 1);
    assert_int_equal(replan(&f, 0, from).status, OCT_PATH_BUDGET);
    assert_int_equal(oct_watch_measure(f.watch).broken, 1);
    watch_scene_free(&f);
}

// ---- sizes ----

// Legs and edits of all sizes, in a world of a million cells an edge.
static void legs_of_any_length_are_watched(void **state)
{
    (void)state;
    watch_scene f;
    const int32_t far = 1 << 20;
    set_up_hall(&f, far, far, 64);
    oct_random random = oct_random_seed(5);
    for (int i = 0; i < 20; i++) {
        const double reach = (double)(INT64_C(1) << (1 + i)) * 0.99;
        oct_point ends[2];
        for (int k = 0; k < 2; k++) {
            ends[k].x = floor(oct_random_unit(&random) * reach) + 0.5;
            ends[k].y = floor(oct_random_unit(&random) * reach) + 0.5;
            ends[k].z = floor(oct_random_unit(&random) * reach) + 0.5;
        }
        add_between(&f, ends[0], ends[1]);
    }
    assert_true(oct_watch_measure(f.watch).entries < 20 * 300);
    for (int i = 0; i < 150; i++) {
        // On a path, mostly.
        oct_watched path;
        const uint32_t which = (uint32_t)oct_random_below(&random, 20);
        assert_true(oct_watch_path(f.watch, f.ids[which], &path));
        oct_vec at;
        assert_true(oct_tree_cell_at(f.s.tree, place_on(&f, &path, 1), &at));
        const int32_t edge = 1 << oct_random_below(&random, i % 9 == 0 ? 18 : 4);
        // Large ones where the tree has nodes, small ones anywhere near.
        const int32_t near = edge > 8 ? 0 : edge;
        at.x = (at.x + oct_random_range(&random, -near, near)) & (near ? -1 : -edge);
        at.y = (at.y + oct_random_range(&random, -near, near)) & (near ? -1 : -edge);
        at.z = (at.z + oct_random_range(&random, -near, near)) & (near ? -1 : -edge);
        set_box(f.s.tree, (oct_box){at, {at.x + edge, at.y + edge, at.z + edge}}, OCT_MARK_BLOCKED);
        // The judge walks cell by cell: too slow here.
        size_t broken = 0;
        for (uint32_t k = 0; k < 20; k++) {
            oct_watched one;
            assert_true(oct_watch_path(f.watch, f.ids[k], &one));
            broken += !one.is_broken &&
                      !oct_tree_line_of_sight(f.s.tree, &f.s.terms, one.lattice[0], one.lattice[1]);
        }
        assert_int_equal(oct_watch_update(f.watch, NULL, NULL), broken);
        assert_true(oct_watch_is_valid(f.watch));
        set_box(f.s.tree, f.s.drawn, OCT_MARK_OPEN);
        assert_int_equal(oct_watch_update(f.watch, NULL, NULL), 0);
        for (uint32_t k = 0; k < 20; k++) {
            assert_true(oct_watch_path(f.watch, f.ids[k], &path));
            const oct_point from = oct_tree_point(f.s.tree, path.lattice[0]);
            assert_int_equal(replan(&f, k, from).status, OCT_PATH_FOUND);
        }
    }
    oct_tree_clear(f.s.tree);
    assert_int_equal(oct_watch_update(f.watch, NULL, NULL), 20);
    watch_scene_free(&f);
}

// ---- memory ----

// Adds paths, edits, plans anew, removes; a refused allocation leaves everything as it was.
static oct_result live(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    watch_scene f;
    watch_scene_rooms(&f, 3, 2, 5);
    for (int i = 0; i < 50; i++) {
        random_door(&f, OCT_MARK_OPEN);
    }
    oct_watch_def def = oct_watch_def_default();
    def.tree = f.s.tree;
    def.allocator = allocator;
    oct_result result = oct_watch_create(&def, &f.watch);
    assert_true((f.watch != NULL) == (result == OCT_OK));
    for (uint32_t i = 0; i < 12 && result == OCT_OK; i++) {
        const scene_end from = scene_random_end(&f.s), to = scene_random_end(&f.s);
        const oct_path path = plan_between(&f, from.at, to.at);
        if (path.status == OCT_PATH_FOUND) {
            uint32_t id;
            result = oct_watch_add(f.watch, &path, i, &id);
            assert_true((id != 0) == (result == OCT_OK));
            assert_true(oct_watch_is_valid(f.watch));
        }
    }
    for (int i = 0; i < 30 && result == OCT_OK; i++) {
        random_door(&f, i % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
        oct_watch_update(f.watch, NULL, NULL);
        for (uint32_t id = 1; id < 13 && result == OCT_OK; id++) {
            oct_watched before, after;
            oct_path path;
            if (oct_watch_path(f.watch, id, &before)) {
                const oct_point at = oct_tree_point(f.s.tree, before.lattice[0]);
                result = oct_watch_replan(f.watch, f.planner, id, at, &path);
                assert_true(oct_watch_path(f.watch, id, &after));
                assert_true(result == OCT_OK || (after.lattice_count == before.lattice_count &&
                                                 after.is_broken == before.is_broken));
                assert_true(oct_watch_is_valid(f.watch));
            }
        }
    }
    watch_scene_free(&f);
    return result;
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_each_failure(live, NULL) > 15);
}

static void warm_calls_allocate_nothing(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    watch_scene f;
    watch_scene_rooms(&f, 5, 2, 6);
    f.watch = new_watch(&f, &memory.allocator);
    size_t allocations = 0;
    const oct_random begin = f.s.random;
    for (int round = 0; round < 3; round++) {
        allocations = memory.allocations;
        f.s.random = begin;
        f.count = 0;
        build_rooms(&f);
        for (int i = 0; i < 60; i++) {
            random_door(&f, OCT_MARK_OPEN);
        }
        add_paths(&f, 30);
        for (int i = 0; i < 60; i++) {
            random_door(&f, i % 2 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN);
            update_and_check(&f);
            for (size_t k = 0; k < f.told_count; k++) {
                const uint32_t which = (uint32_t)f.told[k].owner - 1000u;
                oct_watched path;
                assert_true(oct_watch_path(f.watch, f.ids[which], &path));
                replan(&f, which, oct_tree_point(f.s.tree, path.lattice[0]));
            }
        }
        for (uint32_t k = f.count; k > 0; k--) {
            assert_int_equal(oct_watch_remove(f.watch, f.ids[k - 1]), OCT_OK);
        }
        assert_int_equal(oct_watch_measure(f.watch).entries, 0);
        assert_int_equal(oct_watch_measure(f.watch).paths, 0);
        assert_int_equal(oct_watch_measure(f.watch).broken, 0);
    }
    assert_int_equal(memory.allocations, allocations);
    assert_int_equal(oct_watch_measure(f.watch).bytes, memory.live_bytes);
    watch_scene_free(&f);
    test_allocator_check_empty(&memory);
}

static void the_same_calls_give_the_same_paths(void **state)
{
    (void)state;
    watch_scene f[2];
    for (int i = 0; i < 2; i++) {
        watch_scene_rooms(&f[i], 8, 3, 3);
        for (int k = 0; k < 40; k++) {
            random_door(&f[i], OCT_MARK_OPEN);
        }
        f[i].watch = new_watch(&f[i], NULL);
        add_paths(&f[i], 20);
    }
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < 2; i++) {
            random_door(&f[i], k % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
            update_and_check(&f[i]);
        }
        assert_int_equal(f[0].told_count, f[1].told_count);
        for (size_t n = 0; n < f[0].told_count; n++) {
            oct_path paths[2];
            for (int i = 0; i < 2; i++) {
                oct_watched path;
                const uint32_t which = (uint32_t)f[i].told[n].owner - 1000u;
                assert_true(oct_watch_path(f[i].watch, f[i].ids[which], &path));
                const oct_point at = oct_tree_point(f[i].s.tree, path.lattice[0]);
                paths[i] = replan(&f[i], which, at);
            }
            assert_true(scene_paths_equal(&paths[0], &paths[1]));
        }
    }
    watch_scene_free(&f[0]);
    watch_scene_free(&f[1]);
}

// ---- what is refused, what is noticed ----

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 8, 8, 8);
    oct_watch_def def = oct_watch_def_default();
    oct_watch *w = f.watch;
    assert_int_equal(oct_watch_create(&def, &w), OCT_ERROR_ARGUMENT);
    assert_null(w);
    def.tree = f.s.tree;
    def.query.partial = true;
    assert_int_equal(oct_watch_create(&def, &w), OCT_ERROR_ARGUMENT);
    def.query.partial = false;
    def.query.grade = OCT_GRADE_COUNT;
    assert_int_equal(oct_watch_create(&def, &w), OCT_ERROR_ARGUMENT);
    def.query.grade = OCT_GRADE_BEST;
    def.cookie = 0;
    assert_int_equal(oct_watch_create(&def, &w), OCT_ERROR_ARGUMENT);
    oct_watch_destroy(NULL);
    watch_scene_free(&f);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    watch_scene f, other;
    set_up_hall(&f, 40, 8, 64);
    set_up_hall(&other, 40, 8, 64);
    const oct_point from = {0.5, 0.5, 0.5}, to = {39.5, 7.5, 7.5};
    oct_path path = plan_between(&f, from, to);
    uint32_t id;
    path.status = OCT_PATH_PARTIAL;
    assert_int_equal(oct_watch_add(f.watch, &path, 1, &id), OCT_ERROR_ARGUMENT);
    path.status = OCT_PATH_FOUND;
    path.revision++;
    assert_int_equal(oct_watch_add(f.watch, &path, 1, &id), OCT_ERROR_ARGUMENT);
    path.revision--;
    wall(&f, 20, OCT_MARK_BLOCKED);
    assert_int_equal(oct_watch_add(f.watch, &path, 1, &id), OCT_ERROR_ARGUMENT);
    assert_int_equal(id, 0);
    wall(&f, 20, OCT_MARK_OPEN);
    assert_int_equal(oct_watch_update(f.watch, NULL, NULL), 0);
    assert_true(oct_watch_is_valid(f.watch));
    add_between(&f, from, to);
    oct_watched none;
    for (uint32_t wrong = 0; wrong < 4; wrong += 2) {
        assert_false(oct_watch_path(f.watch, wrong, &none));
        assert_int_equal(oct_watch_remove(f.watch, wrong), OCT_ERROR_ABSENT);
        assert_int_equal(oct_watch_replan(f.watch, f.planner, wrong, from, &path),
                         OCT_ERROR_ABSENT);
    }
    assert_int_equal(oct_watch_replan(f.watch, other.planner, f.ids[0], from, &path),
                     OCT_ERROR_ARGUMENT);
    const oct_point nowhere = {1e300, 0, 0};
    assert_int_equal(oct_watch_replan(f.watch, f.planner, f.ids[0], nowhere, &path),
                     OCT_ERROR_RANGE);
    assert_true(oct_watch_is_valid(f.watch));
    watch_scene_free(&f);
    watch_scene_free(&other);
}

// Changes one number, sees that it is noticed, and puts it back.
static void expect_noticed(const oct_watch *w, uint32_t *number, uint32_t wrong)
{
    const uint32_t right = *number;
    assert_true(oct_watch_is_valid(w));
    *number = wrong;
    assert_false(oct_watch_is_valid(w));
    *number = right;
}

static void what_is_broken_is_noticed(void **state)
{
    (void)state;
    watch_scene f;
    set_up_hall(&f, 40, 8, 64);
    for (int i = 0; i < 8; i++) {
        add_between(&f, (oct_point){0.5, 0.5 + i, 0.5}, (oct_point){39.5, 7.5 - i, 7.5});
    }
    set_box(f.s.tree, (oct_box){{50, 0, 0}, {51, 1, 1}}, OCT_MARK_OPEN);
    set_box(f.s.tree, (oct_box){{150, 0, 0}, {151, 1, 1}}, OCT_MARK_OPEN);
    assert_int_equal(oct_watch_update(f.watch, NULL, NULL), 0);
    assert_int_equal(oct_watch_remove(f.watch, f.ids[3]), OCT_OK);
    oct_watch *const w = f.watch;
    leg_link *const links = w->index.links.items;
    expect_noticed(w, &w->path_count, 6);
    expect_noticed(w, &w->broken_count, 1);
    expect_noticed(w, &w->free_paths, 0);
    expect_noticed(w, &w->index.link_count, w->index.link_count + 1);
    expect_noticed(w, &w->index.free_links, 0);
    expect_noticed(w, &w->index.levels[CUBE_LEVEL], 0);
    expect_noticed(w, &links[1].path, 0);
    expect_noticed(w, (uint32_t *)&links[1].cube.x, 77);
    expect_noticed(w, &watch_path(w, 1)->last, 9);
    ((oct_fine *)watch_path(w, 1)->points.items)[0].x -= 1000;
    assert_false(oct_watch_is_valid(w));
    ((oct_fine *)watch_path(w, 1)->points.items)[0].x += 1000;
    assert_true(oct_watch_is_valid(w));
    watch_scene_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_journal_is_no_loss),
        cmocka_unit_test(what_comes_and_goes_is_told_to_nobody),
        cmocka_unit_test(a_broken_path_is_told_once_until_it_is_replanned),
        cmocka_unit_test(many_are_told_in_order),
        cmocka_unit_test(a_goal_in_a_corner_is_reached_from_its_own_side),
        cmocka_unit_test(ends_may_become_blocked),
        cmocka_unit_test(a_budget_ends_a_search),
        cmocka_unit_test(legs_of_any_length_are_watched),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(warm_calls_allocate_nothing),
        cmocka_unit_test(the_same_calls_give_the_same_paths),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(what_is_broken_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
