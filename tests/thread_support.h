// SPDX-License-Identifier: MIT
// An executor for tests: new threads for every run, so that the thread sanitizer sees all there is.
#ifndef OCTANT_TESTS_THREAD_SUPPORT_H
#define OCTANT_TESTS_THREAD_SUPPORT_H

#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

#define TEST_WORKERS_MAX 8

typedef struct test_job {
    oct_task_fn *task;
    void *arg;
    uint32_t count;
    atomic_uint next;
} test_job;

typedef struct test_worker {
    test_job *work;
    uint32_t worker;
} test_worker;

static void *test_work_off(void *arg)
{
    const test_worker *const w = arg;
    uint32_t i;
    while ((i = atomic_fetch_add(&w->work->next, 1)) < w->work->count) {
        w->work->task(w->work->arg, i, w->worker);
    }
    return NULL;
}

// An executor's `run`; ctx is the number of workers, a uint32_t.
static void test_run_threads(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    const uint32_t workers = *(const uint32_t *)ctx;
    pthread_t threads[TEST_WORKERS_MAX];
    test_worker args[TEST_WORKERS_MAX];
    test_job work = {.task = task, .arg = arg, .count = count};
    assert_true(workers <= TEST_WORKERS_MAX);
    for (uint32_t i = 0; i < workers; i++) {
        args[i] = (test_worker){&work, i};
        assert_int_equal(pthread_create(&threads[i], NULL, test_work_off, &args[i]), 0);
    }
    for (uint32_t i = 0; i < workers; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

#endif
