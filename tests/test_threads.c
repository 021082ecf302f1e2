// SPDX-License-Identifier: MIT
// The command's executor: every part once, no worker twice at a time, and the same bits as one
// thread gives. Under the thread sanitizer this shows that the parts of a cast share nothing.
#include "sight_scene.h"

#include "cli/cli_internal.h"

#include <stdatomic.h>

#define WORKERS_MAX 7
#define PARTS_MAX 300

static const uint32_t worker_counts[] = {1, 2, 3, 7};

// Written without locks: the sanitizer would see two parts with one worker at the same time.
typedef struct tally {
    uint32_t workers;
    atomic_bool wrong;
    uint32_t busy[WORKERS_MAX]; // parts that run with a worker
    uint32_t parts[WORKERS_MAX];
    uint32_t times[PARTS_MAX];
} tally;

static void count_part(void *arg, uint32_t index, uint32_t worker)
{
    tally *t = arg;
    if (index >= PARTS_MAX || worker >= t->workers || t->busy[worker] != 0) {
        atomic_store(&t->wrong, true);
        return;
    }
    t->busy[worker]++;
    t->parts[worker]++;
    t->times[index]++;
    t->busy[worker]--;
}

static void every_part_runs_once(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        cli_threads *threads = oct_cli_threads_create(worker_counts[w]);
        assert_non_null(threads);
        const oct_executor executor = oct_cli_threads_executor(threads);
        assert_int_equal(executor.workers, worker_counts[w]);
        for (uint32_t count = 0; count < PARTS_MAX; count++) {
            tally t = {.workers = executor.workers};
            executor.run(executor.ctx, count, count_part, &t);
            assert_false(atomic_load(&t.wrong));
            uint32_t sum = 0;
            for (uint32_t i = 0; i < PARTS_MAX; i++) {
                assert_int_equal(t.times[i], i < count);
            }
            for (uint32_t i = 0; i < executor.workers; i++) {
                sum += t.parts[i];
            }
            assert_int_equal(sum, count);
        }
        oct_cli_threads_destroy(threads);
    }
}

static void threads_that_never_worked_end(void **state)
{
    (void)state;
    oct_cli_threads_destroy(NULL);
    for (uint32_t workers = 0; workers < 20; workers++) {
        cli_threads *threads = oct_cli_threads_create(workers);
        assert_non_null(threads);
        assert_int_equal(oct_cli_threads_executor(threads).workers, workers ? workers : 1u);
        oct_cli_threads_destroy(threads);
    }
}

static void threads_see_what_one_sees(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        cli_threads *threads = oct_cli_threads_create(worker_counts[w]);
        assert_non_null(threads);
        const oct_executor executor = oct_cli_threads_executor(threads);
        for (uint64_t seed = 0; seed < 150; seed++) {
            sight_scene one, many;
            scene_random(&one, seed);
            scene_random(&many, seed);
            scene_cast(&one, NULL);
            scene_cast(&many, &executor);
            assert_memory_equal(one.seen.words, many.seen.words, scene_bytes(&one.seen));
            scene_free(&one);
            scene_free(&many);
        }
        oct_cli_threads_destroy(threads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_runs_once),
        cmocka_unit_test(threads_that_never_worked_end),
        cmocka_unit_test(threads_see_what_one_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
