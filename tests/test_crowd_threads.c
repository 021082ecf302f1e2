// SPDX-License-Identifier: MIT
// Crowds over threads: the same bits as without. Under the thread sanitizer this shows that units
// decide, and paths are searched for, without writing what others read.
#include "crowd_support.h"
#include "octant/generate.h"
#include "octant/tree.h"
#include "thread_support.h"
#include "valid.h"

#define WORKERS_MAX 3
#define UNITS 200
#define TICKS 60

// Parts from the last to the first: who is first must not matter.
static void run_backwards(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    (void)ctx;
    for (uint32_t i = count; i-- > 0;) {
        task(arg, i, 0);
    }
}

static oct_point random_place(oct_random *random, const oct_tree *tree)
{
    for (;;) {
        const int32_t x = oct_random_range(random, 1, 30), y = oct_random_range(random, 1, 30);
        const int32_t z = oct_random_range(random, 1, 30);
        if (oct_tree_label(tree, (oct_vec){x, y, z}) == OCT_OPEN) {
            return (oct_point){x + 0.5, y + 0.5, z + 0.5};
        }
    }
}

// Everyone goes somewhere, every third to the same place, while boxes come and go.
static void play(const oct_executor *executor, oct_fine *trail, oct_crowd_stats *stats)
{
    oct_generate_def make = oct_generate_def_default();
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_tree *tree;
    make.kind = OCT_GENERATE_CLUSTERS;
    make.size = 32;
    assert_int_equal(oct_tree_generate(&make, &tree_def, &tree, NULL), OCT_OK);
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = tree;
    def.plan_budget = 300;
    def.executor = executor;
    test_crowd t;
    crowd_create(&t, &def);
    oct_random random = oct_random_seed(17);
    const oct_point common = random_place(&random, tree);
    while (t.count < UNITS) {
        const oct_unit_def unit = {random_place(&random, tree), 0.4, 5.0};
        t.count += oct_crowd_add(t.crowd, &unit, &t.units[t.count]) == OCT_OK;
    }
    for (int i = 0; i < UNITS; i++) {
        const oct_point goal = i % 3 ? random_place(&random, tree) : common;
        assert_int_equal(oct_crowd_send(t.crowd, t.units[i], goal, 0.2), OCT_OK);
    }
    for (int tick = 0; tick < TICKS; tick++) {
        if (tick % 7 == 3) {
            const oct_point at = random_place(&random, tree);
            const oct_vec low = {(int32_t)at.x, (int32_t)at.y, (int32_t)at.z};
            const oct_box box = {low, {low.x + 2, low.y + 2, low.z + 2}};
            assert_int_equal(oct_tree_set_box(tree, box, OCT_MARK_BLOCKED), OCT_OK);
        }
        crowd_step(&t);
        for (int i = 0; i < UNITS; i++) {
            trail[tick * UNITS + i] = t.now[i].place;
        }
    }
    assert_true(oct_crowd_is_valid(t.crowd));
    *stats = oct_crowd_measure(t.crowd);
    oct_crowd_destroy(t.crowd);
    oct_tree_destroy(tree);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static oct_fine alone[TICKS * UNITS], together[TICKS * UNITS];
    oct_crowd_stats expected, stats;
    play(NULL, alone, &expected);
    assert_true(expected.shared > 0 && expected.searches > 100 && expected.wait_max > 3);
    for (uint32_t workers = 0; workers <= WORKERS_MAX; workers += 1) {
        const oct_executor executor = {workers ? test_run_threads : run_backwards, &workers,
                                       workers ? workers : 1};
        play(&executor, together, &stats);
        assert_memory_equal(alone, together, sizeof alone);
        assert_int_equal(stats.searches, expected.searches);
        assert_int_equal(stats.expanded, expected.expanded);
        assert_int_equal(stats.wait_sum, expected.wait_sum);
        assert_int_equal(stats.bytes, expected.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
