// SPDX-License-Identifier: MIT
// Crowds: what is refused, memory that runs out, calls that need none, the same bits again; and the
// pool that holds their paths.
#include "crowd_support.h"
#include "moving/crowd_internal.h"
#include "octant/names.h"
#include "octant/tree.h"
#include "valid.h"

// A hall with pillars, for units of radius 0.4.
static oct_tree *make_hall(const oct_allocator *allocator)
{
    oct_tree_def def = oct_tree_def_default();
    oct_tree *tree = NULL;
    def.allocator = allocator;
    if (oct_tree_create(&def, &tree) != OCT_OK ||
        oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {24, 24, 8}}, OCT_MARK_OPEN) != OCT_OK) {
        oct_tree_destroy(tree);
        return NULL;
    }
    for (int32_t i = 0; i < 3; i++) {
        const oct_box pillar = {{4 + 6 * i, 3 + 5 * i, 0}, {8 + 6 * i, 9 + 5 * i, 8}};
        if (oct_tree_set_box(tree, pillar, OCT_MARK_BLOCKED) != OCT_OK) {
            oct_tree_destroy(tree);
            return NULL;
        }
    }
    return tree;
}

static oct_point corner_of(int i, bool is_there)
{
    const double z = 1.0 + i % 6;
    const double a = 1.0 + i / 6 * 1.5;
    return is_there ? (oct_point){23.0 - a, 23.0, z} : (oct_point){a, 1.0, z};
}

// ---- what is refused ----

static void definitions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    oct_tree *const tree = make_hall(NULL);
    oct_crowd *crowd;
    oct_crowd_def def = oct_crowd_def_default();
    assert_int_equal(oct_crowd_create(&def, &crowd), OCT_ERROR_ARGUMENT);
    assert_null(crowd);
    def.tree = tree;
    for (int i = 0; i < 4; i++) {
        oct_crowd_def bad = def;
        bad.cookie = i == 0 ? 0 : def.cookie;
        bad.ticks_per_second = i == 1 ? 0.0 : def.ticks_per_second;
        bad.horizon = i == 2 ? -1.0 : def.horizon;
        bad.terms.cookie = i == 3 ? 0 : def.terms.cookie;
        assert_int_equal(oct_crowd_create(&bad, &crowd), OCT_ERROR_ARGUMENT);
    }
    assert_int_equal(oct_crowd_create(&def, &crowd), OCT_OK);
    oct_unit added;
    const oct_unit_def good = {{1, 1, 1}, 0.4, 2.0};
    oct_unit_def wrong[] = {{{1, 1, 1}, 0.0, 2.0},         {{1, 1, 1}, (double)NAN, 2.0},
                            {{1, 1, 1}, 1e9, 2.0},         {{1, 1, 1}, 0.4, 0.001},
                            {{1, 1, 1}, 0.4, (double)NAN}, {{1, 1, 1}, 0.4, 1e9},
                            {{1e300, 1, 1}, 0.4, 2.0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(oct_crowd_add(crowd, &wrong[i], &added), OCT_ERROR_RANGE);
        assert_int_equal(added.index, 0);
    }
    assert_int_equal(oct_crowd_add(crowd, &good, &added), OCT_OK);
    assert_int_equal(oct_crowd_send(crowd, added, (oct_point){1e300, 0, 0}, 0.0), OCT_ERROR_RANGE);
    assert_int_equal(oct_crowd_send(crowd, added, (oct_point){1, 1, 1}, -1.0), OCT_ERROR_RANGE);
    assert_int_equal(oct_crowd_send(crowd, added, (oct_point){1, 1, 1}, (double)NAN),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_crowd_send(crowd, (oct_unit){0, 0}, (oct_point){1, 1, 1}, 0.0),
                     OCT_ERROR_ABSENT);
    oct_crowd_destroy(crowd);
    oct_crowd_destroy(NULL);
    oct_tree_destroy(tree);
}

static void units_come_and_go(void **state)
{
    (void)state;
    oct_tree *const tree = make_hall(NULL);
    oct_crowd_def def = oct_crowd_def_default();
    oct_crowd *crowd;
    oct_unit a, b, c;
    oct_unit_state out;
    def.tree = tree;
    def.plan_budget = 1;
    assert_int_equal(oct_crowd_create(&def, &crowd), OCT_OK);
    const oct_unit_def one = {{1, 1, 1}, 0.5, 2.0};
    oct_unit_def two = {{2, 1, 1}, 0.5, 2.0};
    assert_int_equal(oct_crowd_add(crowd, &one, &a), OCT_OK);
    assert_int_equal(oct_crowd_add(crowd, &two, &b), OCT_OK); // they touch
    two.at.x = 2.9960;
    assert_int_equal(oct_crowd_add(crowd, &two, &c), OCT_ERROR_EXISTS);
    assert_int_equal(oct_crowd_count(crowd), 2);
    // Asked for, and gone: nobody answers.
    assert_int_equal(oct_crowd_send(crowd, a, (oct_point){20, 20, 2}, 0.0), OCT_OK);
    assert_int_equal(oct_crowd_remove(crowd, a), OCT_OK);
    assert_int_equal(oct_crowd_remove(crowd, a), OCT_ERROR_ABSENT);
    assert_int_equal(oct_crowd_stop(crowd, a), OCT_ERROR_ABSENT);
    assert_false(oct_crowd_state(crowd, a, &out));
    for (int i = 0; i < 50; i++) { // each time a new one in the same place, with a request
        assert_int_equal(oct_crowd_add(crowd, &one, &c), OCT_OK);
        assert_int_equal(c.index, a.index);
        assert_int_not_equal(c.generation, a.generation);
        assert_int_equal(oct_crowd_send(crowd, c, (oct_point){20, 20, 2}, 0.0), OCT_OK);
        assert_int_equal(oct_crowd_remove(crowd, c), OCT_OK);
    }
    assert_int_equal(oct_crowd_add(crowd, &one, &c), OCT_OK);
    assert_int_equal(oct_crowd_send(crowd, c, (oct_point){20, 20, 2}, 0.0), OCT_OK);
    assert_int_equal(oct_crowd_send(crowd, b, (oct_point){2, 20, 2}, 0.0), OCT_OK);
    assert_int_equal(oct_crowd_stop(crowd, b), OCT_OK); // it is in the queue still
    for (int i = 0; i < 400; i++) {
        assert_int_equal(oct_crowd_step(crowd), OCT_OK);
        assert_true(oct_crowd_is_valid(crowd));
    }
    assert_true(oct_crowd_state(crowd, c, &out));
    assert_int_equal(out.status, OCT_UNIT_ARRIVED);
    assert_true(oct_crowd_state(crowd, b, &out));
    assert_int_equal(out.status, OCT_UNIT_IDLE);
    assert_int_equal(out.waited, 0);
    assert_int_equal(oct_crowd_send(crowd, b, (oct_point){2, 20, 2}, 0.0), OCT_OK);
    for (int i = 0; i < 400; i++) {
        assert_int_equal(oct_crowd_step(crowd), OCT_OK);
    }
    assert_true(oct_crowd_state(crowd, b, &out));
    assert_int_equal(out.status, OCT_UNIT_ARRIVED);
    assert_string_equal(oct_unit_status_name(out.status), "arrived");
    assert_null(oct_unit_status_name(OCT_UNIT_STATUS_COUNT));
    oct_crowd_destroy(crowd);
    oct_tree_destroy(tree);
}

// ---- memory ----

typedef struct hall {
    const oct_tree *tree;
    int ticks;
    bool goes_on; // after memory ran out in a tick
    oct_fine last[12];
} hall;

static oct_result add_all(oct_crowd *crowd, oct_unit *units, bool is_there)
{
    for (int i = 0; i < 12; i++) {
        const oct_unit_def body = {corner_of(i, is_there), 0.4, 5.0};
        OCT_TRY(oct_crowd_add(crowd, &body, &units[i]));
        OCT_TRY(oct_crowd_send(crowd, units[i], corner_of(i, !is_there), 0.1));
    }
    return OCT_OK;
}

static oct_result play(oct_crowd *crowd, hall *h)
{
    oct_unit units[12];
    oct_result first = OCT_OK;
    OCT_TRY(add_all(crowd, units, false));
    for (int i = 0; i < h->ticks; i++) {
        const oct_result result = oct_crowd_step(crowd);
        first = first == OCT_OK ? result : first;
        assert_true(oct_crowd_is_valid(crowd));
        if (result != OCT_OK && !h->goes_on) {
            return result;
        }
    }
    for (int i = 0; i < 12; i++) {
        oct_unit_state state;
        assert_true(oct_crowd_state(crowd, units[i], &state));
        h->last[i] = state.place;
        if (h->goes_on) {
            assert_int_equal(state.status, OCT_UNIT_ARRIVED);
        }
    }
    return first;
}

static oct_result play_once(const oct_allocator *allocator, void *ctx)
{
    hall *const h = ctx;
    oct_crowd_def def = oct_crowd_def_default();
    oct_crowd *crowd;
    def.tree = h->tree;
    def.allocator = allocator;
    OCT_TRY(oct_crowd_create(&def, &crowd));
    const oct_result result = play(crowd, h);
    oct_crowd_destroy(crowd);
    return result;
}

static void no_memory_is_no_disaster(void **state)
{
    (void)state;
    oct_tree *const tree = make_hall(NULL);
    hall h = {.tree = tree, .ticks = 12};
    assert_true(test_each_failure(play_once, &h) > 20);
    // A tick without memory is made up for: everyone arrives all the same.
    h = (hall){.tree = tree, .ticks = 200, .goes_on = true};
    for (size_t fail_at = 0;; fail_at += 3) {
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        const oct_result result = play_once(&memory.allocator, &h);
        test_allocator_check_empty(&memory);
        assert_int_equal(result, memory.refused ? OCT_ERROR_MEMORY : OCT_OK);
        if (!memory.refused) {
            break;
        }
    }
    oct_tree_destroy(tree);
}

static void a_warm_crowd_needs_no_memory(void **state)
{
    (void)state;
    oct_tree *const tree = make_hall(NULL);
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_crowd_def def = oct_crowd_def_default();
    oct_crowd *crowd;
    oct_unit units[12];
    def.tree = tree;
    def.allocator = &memory.allocator;
    assert_int_equal(oct_crowd_create(&def, &crowd), OCT_OK);
    assert_int_equal(add_all(crowd, units, false), OCT_OK);
    size_t before = 0;
    int trips = 0;
    for (int tick = 0; tick < 1200; tick++) {
        before = tick == 800 ? memory.allocations : before;
        assert_int_equal(oct_crowd_step(crowd), OCT_OK);
        for (int i = 0; i < 12; i++) {
            oct_unit_state at;
            assert_true(oct_crowd_state(crowd, units[i], &at));
            if (at.status == OCT_UNIT_ARRIVED) { // back again
                assert_int_equal(oct_crowd_send(crowd, units[i], corner_of(i, at.at.y < 12.0), 0.1),
                                 OCT_OK);
                trips += tick >= 800;
            }
        }
    }
    assert_int_equal(memory.allocations, before);
    assert_true(trips > 10);
    const oct_crowd_stats stats = oct_crowd_measure(crowd);
    assert_int_equal(stats.ticks, 1200);
    assert_true(stats.bytes + stats.planner_bytes >= memory.live_bytes);
    oct_crowd_destroy(crowd);
    test_allocator_check_empty(&memory);
    oct_tree_destroy(tree);
}

static void the_same_calls_give_the_same_bits(void **state)
{
    (void)state;
    oct_tree *const tree = make_hall(NULL);
    hall a = {.tree = tree, .ticks = 60}, b = a;
    assert_int_equal(play_once(NULL, &a), OCT_OK);
    assert_int_equal(play_once(NULL, &b), OCT_OK);
    assert_memory_equal(a.last, b.last, sizeof a.last);
    oct_tree_destroy(tree);
}

// ---- who is near ----

typedef struct near_list {
    int visits[101];
} near_list;

static bool note_near(void *ctx, uint32_t index)
{
    ((near_list *)ctx)->visits[index]++;
    return true;
}

static bool stop_at_once(void *ctx, uint32_t index)
{
    (void)index;
    ++*(int *)ctx;
    return false;
}

static bool boxes_meet(oct_fine a, double a_half, oct_fine b, double b_half)
{
    const double most = a_half + b_half;
    return fabs((double)(a.x - b.x)) <= most && fabs((double)(a.y - b.y)) <= most &&
           fabs((double)(a.z - b.z)) <= most;
}

// Against a loop over all, with units of all sizes that come, go and move.
static void all_that_are_near_are_found_once(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_random random = oct_random_seed(12);
    for (int dims = 2; dims <= 3; dims++) {
        unit_index index = {.dims = dims};
        oct_fine at[101];
        double half[101] = {0.0}; // 0 = not in
        uint64_t met = 0, missed = 0;
        for (int i = 0; i < 6000; i++) {
            const uint32_t who = 1u + (uint32_t)oct_random_below(&random, 100);
            const int32_t far = i % 5 ? 4000 : 100000;
            const oct_fine to = {oct_random_range(&random, -far, far),
                                 oct_random_range(&random, -far, far),
                                 dims == 3 ? oct_random_range(&random, -far, far) : FLAT_Z};
            assert_int_equal(oct_unit_index_reserve(&index, &memory.allocator, who + 1u), OCT_OK);
            if (half[who] == 0.0) {
                const uint64_t size = oct_random_below(&random, 9);
                half[who] = i % 7 ? (1.0 + oct_random_unit(&random)) * (double)(16u << size)
                                  : (double)(128u << size); // just fits a cell
                oct_unit_index_put(&index, who, to, half[who]);
                at[who] = to;
            } else if (oct_random_below(&random, 4) == 0) {
                oct_unit_index_take(&index, who);
                half[who] = 0.0;
            } else {
                oct_unit_index_move(&index, who, to);
                at[who] = to;
            }
            near_list found = {.visits = {0}};
            const double mine = oct_random_unit(&random) * (i % 3 ? 500.0 : 20000.0);
            const oct_fine here = {to.x / 2, to.y / 2, to.z};
            assert_true(oct_unit_index_near(&index, here, mine, note_near, &found));
            for (uint32_t k = 1; k <= 100; k++) {
                const bool meets = half[k] > 0.0 && boxes_meet(here, mine, at[k], half[k]);
                assert_true(found.visits[k] <= (half[k] > 0.0));
                assert_true(!meets || found.visits[k] == 1);
                met += meets;
                missed += half[k] > 0.0 && found.visits[k] == 0;
            }
        }
        int visits = 0;
        assert_false(oct_unit_index_near(&index, at[1], 1e6, stop_at_once, &visits));
        assert_int_equal(visits, 1);
        assert_true(oct_unit_index_is_valid(&index));
        assert_true(met > 1000 && missed > 1000);
        oct_unit_index_free(&index, &memory.allocator);
    }
    test_allocator_check_empty(&memory);
}

// ---- waypoints ----

static void lists_of_waypoints_come_and_go(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_random random = oct_random_seed(9);
    waypoint_pool pool = {.free_first = 0};
    uint32_t lists[16] = {0};
    oct_fine points[16][20];
    size_t counts[16] = {0}, heads[16] = {0};
    for (int i = 0; i < 20000; i++) {
        const size_t k = oct_random_below(&random, 16);
        if (oct_random_below(&random, 3) == 0) { // its first point is passed
            if (heads[k] < counts[k]) {
                const uint32_t next = waypoint_at(&pool, lists[k])->next;
                oct_waypoints_give(&pool, lists[k], next);
                lists[k] = next;
                heads[k]++;
            }
        } else {
            oct_waypoints_give(&pool, lists[k], 0);
            counts[k] = oct_random_below(&random, 20);
            heads[k] = 0;
            for (size_t p = 0; p < counts[k]; p++) {
                points[k][p] = (oct_fine){i, (int64_t)p, (int64_t)k};
            }
            // In two parts, the second one first.
            const size_t cut = counts[k] / 3;
            assert_int_equal(oct_waypoints_reserve(&pool, &memory.allocator, counts[k]), OCT_OK);
            const uint32_t rest = oct_waypoints_make(&pool, points[k] + cut, counts[k] - cut, 0);
            lists[k] = oct_waypoints_make(&pool, points[k], cut, rest);
        }
        uint32_t at = lists[k];
        for (size_t p = heads[k]; p < counts[k]; p++) {
            assert_true(fine_equal(waypoint_at(&pool, at)->at, points[k][p]));
            at = waypoint_at(&pool, at)->next;
        }
        assert_int_equal(at, 0);
    }
    assert_true(pool.items.count <= 16 * 20 + 1);
    oct_array_free(&pool.items, &memory.allocator, sizeof(waypoint));
    test_allocator_check_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_that_make_no_sense_are_refused),
        cmocka_unit_test(units_come_and_go),
        cmocka_unit_test(no_memory_is_no_disaster),
        cmocka_unit_test(a_warm_crowd_needs_no_memory),
        cmocka_unit_test(the_same_calls_give_the_same_bits),
        cmocka_unit_test(all_that_are_near_are_found_once),
        cmocka_unit_test(lists_of_waypoints_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
