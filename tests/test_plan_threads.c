// SPDX-License-Identifier: MIT
// Batches of queries over threads: the same bits as single queries. Under the thread sanitizer this
// shows that planners of one tree share nothing that is written.
#include "search_scene.h"
#include "thread_support.h"

#define WORKERS_MAX 3
#define QUERIES 120

// ---- batches ----

typedef struct report {
    oct_path paths[QUERIES];
    int times[QUERIES];
    uint32_t workers;
    atomic_bool wrong;
} report;

static void note(void *ctx, size_t index, uint32_t worker, const oct_path *path)
{
    report *const r = ctx;
    if (index >= QUERIES || worker >= r->workers || r->times[index]++) {
        atomic_store(&r->wrong, true);
        return;
    }
    r->paths[index] = scene_copy_path(path);
}

static void make_queries(search_scene *s, oct_query queries[QUERIES])
{
    for (int i = 0; i < QUERIES; i++) {
        const scene_end from = scene_random_end(s), to = scene_random_end(s);
        queries[i] = scene_query(s, &from, &to);
        for (int k = i; !scene_choose(s, &queries[i], k % SCENE_CHOICES); k++) {
        }
        queries[i].record = i % 3 == 0;
        queries[i].partial = i % 4 == 0;
    }
}

// Compares with single queries; those that are refused were not reported.
static void check_report(const search_scene *s, const oct_query *queries, report *r)
{
    oct_planner *const planner = scene_planner(s, NULL);
    assert_false(atomic_load(&r->wrong));
    for (int i = 0; i < QUERIES; i++) {
        oct_path path;
        const bool good = oct_planner_plan(planner, &queries[i], &path) == OCT_OK;
        assert_int_equal(r->times[i], good);
        if (good) {
            SCENE_CHECK(s, &queries[i], scene_paths_equal(&path, &r->paths[i]),
                        "query %d: not what it is alone", i);
            scene_free_copy(&r->paths[i]);
        }
    }
    oct_planner_destroy(planner);
}

static void check_batch(const search_scene *s, const oct_query *queries, uint32_t workers,
                        oct_result expected)
{
    report r = {.workers = workers ? workers : 1};
    oct_planner *planners[WORKERS_MAX];
    const oct_executor executor = {test_run_threads, &workers, workers};
    for (uint32_t i = 0; i < r.workers; i++) {
        planners[i] = scene_planner(s, NULL);
    }
    assert_int_equal(
        oct_planner_plan_batch(planners, workers ? &executor : NULL, queries, QUERIES, note, &r),
        expected);
    check_report(s, queries, &r);
    for (uint32_t i = 0; i < r.workers; i++) {
        oct_planner_destroy(planners[i]);
    }
}

static void batches_are_as_single_queries(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 9; seed++) {
        search_scene s;
        oct_query queries[QUERIES];
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 16 : 8, (scene_wish){0});
        make_queries(&s, queries);
        check_batch(&s, queries, 0, OCT_OK);
        check_batch(&s, queries, 1, OCT_OK);
        check_batch(&s, queries, 3, OCT_OK);
        search_scene_free(&s);
    }
}

// The first failure by index is what comes back, whoever met it; all others are done.
static void the_first_failure_comes_back(void **state)
{
    (void)state;
    search_scene s;
    oct_query queries[QUERIES];
    search_scene_init(&s, 11, 2, 12, (scene_wish){0});
    make_queries(&s, queries);
    queries[17].from.x = 1e300;
    queries[23].cookie = 0;
    queries[90].to.y = 1e300;
    for (uint32_t workers = 0; workers <= 3; workers++) {
        check_batch(&s, queries, workers, OCT_ERROR_RANGE);
    }
    LAB_SET(&queries[16], neighbours, 7);
    for (uint32_t workers = 0; workers <= 3; workers++) {
        check_batch(&s, queries, workers, OCT_ERROR_ARGUMENT);
    }
    // A batch forgets the failures of the one before.
    make_queries(&s, queries);
    check_batch(&s, queries, 3, OCT_OK);
    search_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_as_single_queries),
        cmocka_unit_test(the_first_failure_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
