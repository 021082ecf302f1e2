// SPDX-License-Identifier: MIT
// Watched paths under random edits: told are exactly those that broke, once; repaired ones are
// valid, and as short as is said.
#include "watch_support.h"

#include <math.h>
#include <stdio.h>

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

// ---- repairing ----

typedef struct tally {
    uint64_t kinds[OCT_REPAIR_COUNT];
    uint64_t none;
    double worst; // length over that of a new search
    double sum, new_sum;
} tally;

static void check_repair(watch_scene *f, uint32_t which, oct_point at, double slack, tally *t)
{
    oct_path path;
    oct_repair kind;
    oct_query query = f->query;
    query.from = at;
    query.to = f->goals[which];
    assert_int_equal(oct_watch_repair(f->watch, f->planner, f->ids[which], at, &path, &kind),
                     OCT_OK);
    const oct_path fresh = scene_plan(&f->s, f->judge, &query);
    assert_int_equal(path.status, fresh.status);
    if (path.status != OCT_STATUS_FOUND) {
        scene_check_no_path(&f->s, &query, &path);
        t->none++;
        return;
    }
    scene_check_path(&f->s, &query, &path);
    oct_watched now;
    assert_true(oct_watch_path(f->watch, f->ids[which], &now));
    assert_false(now.is_broken);
    assert_int_equal(now.lattice_count, path.lattice_count);
    assert_true(oct_watch_is_valid(f->watch));
    t->kinds[kind]++;
    t->sum += path.cost;
    t->new_sum += fresh.cost;
    // Where the owner is, is rounded to the sub-lattice.
    const double spare = oct_tree_cell_size(f->s.tree) / 64.0;
    const double ratio = (path.cost - spare) / (fresh.cost + 1e-9);
    t->worst = ratio > t->worst ? ratio : t->worst;
    SCENE_CHECK(&f->s, &query, ratio <= f->factor * slack, "%s, and %g times as long as a new one",
                oct_repair_name(kind), ratio);
}

// Up to three cells away, perhaps beyond a wall.
static oct_point beside(watch_scene *f, oct_point at)
{
    const double cell = oct_tree_cell_size(f->s.tree);
    at.x += (oct_random_unit(&f->s.random) - 0.5) * 6.0 * cell;
    at.y += (oct_random_unit(&f->s.random) - 0.5) * 6.0 * cell;
    at.z += f->s.dims == 3 ? (oct_random_unit(&f->s.random) - 0.5) * 6.0 * cell : 0.0;
    return at;
}

// Repairs what is broken and some of the rest.
static void repair_some(watch_scene *f, double slack, tally *t)
{
    for (uint32_t k = 0; k < f->count; k++) {
        oct_watched path;
        assert_true(oct_watch_path(f->watch, f->ids[k], &path));
        if (oct_random_below(&f->s.random, path.is_broken ? 2 : 8)) {
            continue;
        }
        // Most owners have come as far as the path was free; some are beside it, some stray.
        bool is_free;
        const uint32_t legs = (uint32_t)legs_free(f, &path, &is_free);
        oct_point at = place_on(f, &path, path.is_broken || legs == 0 ? legs : legs / 2);
        const uint64_t where = oct_random_below(&f->s.random, 12);
        if (where < 4) {
            at = beside(f, at);
        } else if (where < 6) {
            at = scene_random_end(&f->s).at;
        }
        oct_vec cell;
        if (oct_tree_cell_at(f->s.tree, at, &cell) && view_holds(&f->watch->map, cell)) {
            check_repair(f, k, at, slack, t);
        }
        // Who has arrived, or nearly, goes somewhere else.
        assert_true(oct_watch_path(f->watch, f->ids[k], &path));
        if (path.lattice_count < 3 && oct_random_below(&f->s.random, 4) == 0) {
            assert_int_equal(oct_watch_remove(f->watch, f->ids[k]), OCT_OK);
            while (!add_random_path(f, k)) {
            }
        }
    }
}

static void repair_in(watch_scene *f, int edits, double slack, tally *t)
{
    f->watch = new_watch(f, NULL);
    add_paths(f, 12);
    for (int i = 0; i < edits && f->count > 0; i++) {
        random_edit(f);
        update_and_check(f);
        repair_some(f, slack, t);
    }
}

// Doors open and close: detours are long, and so are the ways that something opened saves.
static void repair_in_rooms(watch_scene *f, int edits, double slack, tally *t)
{
    const int doors = f->s.dims == 3 ? 60 : 40;
    for (int i = 0; i < doors; i++) {
        random_door(f, OCT_MARK_OPEN);
    }
    f->watch = new_watch(f, NULL);
    add_paths(f, 12);
    for (int i = 0; i < edits && f->count > 0; i++) {
        for (int k = 0; k < 3; k++) {
            random_door(f, k == 0 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
        }
        if (i % 2) {
            random_door(f, OCT_MARK_OPEN);
        }
        update_and_check(f);
        repair_some(f, slack, t);
    }
}

static void print_tally(const char *name, const tally *t)
{
    printf("%s: kept %llu, mended %llu, new %llu, none %llu; worst %.4f, mean %.4f\n", name,
           (unsigned long long)t->kinds[0], (unsigned long long)t->kinds[1],
           (unsigned long long)t->kinds[2], (unsigned long long)t->none, t->worst,
           t->sum / t->new_sum);
}

// By the search that gives shortest paths the factor holds to the letter, also that of 1.
static void repaired_paths_are_as_short_as_is_said(void **state)
{
    (void)state;
    static const double factors[] = {1.0, 1.1, 1.02};
    tally t = {.none = 0};
    for (uint64_t seed = 1; seed <= test_rounds(45); seed++) {
        watch_scene f;
        if (seed % 3 == 0) {
            watch_scene_init(&f, seed, 2, 24, (scene_wish){.no_prices = true});
        } else {
            watch_scene_rooms(&f, seed, 2, 6);
        }
        scene_set_squeeze(&f.s, seed % 5 == 0);
        f.query.terms = f.s.terms;
        f.query.graph = OCT_GRAPH_INTERVALS;
        f.query.algorithm = OCT_ALGORITHM_ANYA;
        f.factor = factors[seed / 3 % 3];
        if (seed % 3 == 0) {
            repair_in(&f, 30, 1.0, &t);
        } else {
            repair_in_rooms(&f, 40, 1.0, &t);
        }
        watch_scene_free(&f);
    }
    print_tally("anya", &t);
    for (int kind = 0; kind < OCT_REPAIR_COUNT; kind++) {
        assert_true(t.kinds[kind] >= test_rounds(40) / 2);
    }
    assert_true(t.none >= test_rounds(40) / 2);
}

static void repairs_by_the_portal_search_come_close(void **state)
{
    (void)state;
    tally t = {.none = 0};
    for (uint64_t seed = 1; seed <= test_rounds(45); seed++) {
        watch_scene f;
        if (seed % 3) {
            watch_scene_init(&f, seed, seed % 2 ? 2 : 3, seed % 2 ? 24 : 10, (scene_wish){0});
        } else {
            watch_scene_rooms(&f, seed, seed % 2 ? 2 : 3, seed % 2 ? 6 : 4);
        }
        f.query.grade = seed % 4 < 2 ? OCT_GRADE_BEST : OCT_GRADE_FAST;
        if (seed % 3) {
            repair_in(&f, 20, 1.1, &t);
        } else {
            repair_in_rooms(&f, 20, 1.1, &t);
        }
        watch_scene_free(&f);
    }
    print_tally("portal", &t);
    for (int kind = 0; kind < OCT_REPAIR_COUNT; kind++) {
        assert_true(t.kinds[kind] >= test_rounds(40) / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_broken_are_told_once),
        cmocka_unit_test(repaired_paths_are_as_short_as_is_said),
        cmocka_unit_test(repairs_by_the_portal_search_come_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
