// SPDX-License-Identifier: MIT
// Watched paths under random edits: told are exactly those that broke, once; those planned anew are
// what new searches find.
#include "valid.h"
#include "watch_support.h"

// ---- telling ----

// Edits, mostly with an update after each. Some of the broken paths are replaced by others, the
// rest stay as they are for a while.
static void tell_in(uint64_t seed, int dims, int32_t edge, int edits)
{
    watch_scene f;
    watch_scene_init(&f, seed, dims, edge, (scene_wish){0});
    f.watch = new_watch(&f, NULL);
    add_paths(&f, 24);
    for (int i = 0; i < edits; i++) {
        random_edit(&f);
        if (oct_random_below(&f.s.random, 5) == 0) {
            random_edit(&f);
        }
        update_and_check(&f);
        assert_int_equal(oct_watch_update(f.watch, note_told, &f), 0);
        const uint32_t which = (uint32_t)oct_random_below(&f.s.random, 24);
        oct_watched path;
        if (oct_watch_path(f.watch, f.ids[which], &path)) {
            assert_int_equal(path.owner, 1000u + which);
            if (!path.is_broken) {
                continue;
            }
            assert_int_equal(oct_watch_remove(f.watch, f.ids[which]), OCT_OK);
            assert_int_equal(oct_watch_remove(f.watch, f.ids[which]), OCT_ERROR_ABSENT);
        }
        add_random_path(&f, which);
    }
    watch_scene_free(&f);
}

static void exactly_the_broken_are_told_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        tell_in(seed, seed % 2 ? 2 : 3, seed % 2 ? 20 : 9, 60);
    }
}

// ---- planning anew ----

// Plans a path anew from a place, and sees that the result is what a new search finds, and watched.
static oct_path_status check_replan(watch_scene *f, uint32_t which, oct_point at)
{
    oct_path path;
    oct_watched before, now;
    oct_query query = f->query;
    query.from = at;
    query.to = f->goals[which];
    assert_true(oct_watch_path(f->watch, f->ids[which], &before));
    assert_int_equal(oct_watch_replan(f->watch, f->planner, f->ids[which], at, &path), OCT_OK);
    assert_true(oct_watch_path(f->watch, f->ids[which], &now));
    assert_true(oct_watch_is_valid(f->watch));
    const oct_path fresh = scene_plan(&f->s, f->judge, &query);
    assert_true(scene_paths_equal(&path, &fresh));
    if (path.status != OCT_PATH_FOUND) {
        assert_int_equal(now.is_broken, before.is_broken);
        assert_int_equal(now.lattice_count, before.lattice_count);
        return path.status;
    }
    scene_check_path(&f->s, &query, &path);
    assert_false(now.is_broken);
    assert_int_equal(now.lattice_count, path.lattice_count);
    return path.status;
}

// Plans what is broken anew, and some of the rest.
static void replan_some(watch_scene *f, uint64_t counts[OCT_PATH_COUNT])
{
    for (uint32_t k = 0; k < f->count; k++) {
        oct_watched path;
        assert_true(oct_watch_path(f->watch, f->ids[k], &path));
        if (oct_random_below(&f->s.random, path.is_broken ? 2 : 8)) {
            continue;
        }
        // Most owners have come as far as the path was free; some stray.
        bool is_free;
        const uint32_t legs = (uint32_t)legs_free(f, &path, &is_free);
        oct_point at = place_on(f, &path, path.is_broken || legs == 0 ? legs : legs / 2);
        if (oct_random_below(&f->s.random, 6) == 0) {
            at = scene_random_end(&f->s).at;
        }
        counts[check_replan(f, k, at)]++;
    }
}

static void replanned_paths_are_those_of_new_searches(void **state)
{
    (void)state;
    uint64_t counts[OCT_PATH_COUNT] = {0};
    for (uint64_t seed = 1; seed <= test_rounds(45); seed++) {
        watch_scene f;
        const int dims = seed % 2 ? 2 : 3;
        if (seed % 3) {
            watch_scene_init(&f, seed, dims, dims == 2 ? 24 : 10, (scene_wish){0});
        } else {
            watch_scene_rooms(&f, seed, dims, dims == 2 ? 6 : 4);
            for (int i = 0; i < 50; i++) {
                random_door(&f, OCT_MARK_OPEN);
            }
        }
        f.query.grade = seed % 4 < 2 ? OCT_GRADE_BEST : OCT_GRADE_FAST;
        f.watch = new_watch(&f, NULL);
        add_paths(&f, 12);
        for (int i = 0; i < 20 && f.count > 0; i++) {
            if (seed % 3) {
                random_edit(&f);
            } else {
                random_door(&f, i % 3 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN);
            }
            update_and_check(&f);
            replan_some(&f, counts);
        }
        watch_scene_free(&f);
    }
    assert_true(counts[OCT_PATH_FOUND] >= test_rounds(40));
    assert_true(counts[OCT_PATH_NONE] >= test_rounds(40) / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_broken_are_told_once),
        cmocka_unit_test(replanned_paths_are_those_of_new_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
