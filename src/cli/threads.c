// SPDX-License-Identifier: MIT
// An executor of POSIX threads. All take the next part of the same work until none is left; the
// calling thread is worker 0 and does its share.
//
// A run is over when every thread has said so, not only when every part is done: no thread can be
// late and take a part of the next run for one of this.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct helper {
    cli_threads *threads;
    pthread_t thread;
    uint32_t worker;
} helper;

struct cli_threads {
    pthread_mutex_t mutex; // guards what follows, up to the work
    pthread_cond_t begin, end;
    uint64_t runs;    // started so far
    uint32_t waiting; // helpers that have not ended this run
    bool stop;
    // The work; only `next` changes during a run.
    oct_task_fn *task;
    void *arg;
    uint32_t count;
    atomic_uint_fast64_t next;
    uint32_t helper_count;
    helper helpers[];
};

static void take_parts(cli_threads *threads, uint32_t worker)
{
    for (;;) {
        const uint64_t index = atomic_fetch_add(&threads->next, 1);
        if (index >= threads->count) {
            return;
        }
        threads->task(threads->arg, (uint32_t)index, worker);
    }
}

static void *help(void *arg)
{
    const helper *self = arg;
    cli_threads *threads = self->threads;
    uint64_t done = 0;
    pthread_mutex_lock(&threads->mutex);
    for (;;) {
        while (threads->runs == done && !threads->stop) {
            pthread_cond_wait(&threads->begin, &threads->mutex);
        }
        if (threads->stop) {
            break;
        }
        done = threads->runs;
        pthread_mutex_unlock(&threads->mutex);
        take_parts(threads, self->worker);
        pthread_mutex_lock(&threads->mutex);
        if (--threads->waiting == 0) {
            pthread_cond_signal(&threads->end);
        }
    }
    pthread_mutex_unlock(&threads->mutex);
    return NULL;
}

static void run(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    cli_threads *threads = ctx;
    pthread_mutex_lock(&threads->mutex);
    threads->task = task;
    threads->arg = arg;
    threads->count = count;
    atomic_store(&threads->next, 0);
    threads->waiting = threads->helper_count;
    threads->runs++;
    pthread_cond_broadcast(&threads->begin);
    pthread_mutex_unlock(&threads->mutex);

    take_parts(threads, 0);

    pthread_mutex_lock(&threads->mutex);
    while (threads->waiting > 0) {
        pthread_cond_wait(&threads->end, &threads->mutex);
    }
    pthread_mutex_unlock(&threads->mutex);
}

uint32_t oct_cli_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > CLI_THREADS_MAX ? CLI_THREADS_MAX : (uint32_t)cores;
}

cli_threads *oct_cli_threads_create(uint32_t workers)
{
    const size_t helpers = workers > 1 ? workers - 1u : 0u;
    cli_threads *threads = calloc(1, sizeof *threads + helpers * sizeof *threads->helpers);
    if (!threads) {
        return NULL;
    }
    pthread_mutex_init(&threads->mutex, NULL);
    pthread_cond_init(&threads->begin, NULL);
    pthread_cond_init(&threads->end, NULL);
    while (threads->helper_count < helpers) {
        helper *next = &threads->helpers[threads->helper_count];
        next->threads = threads;
        next->worker = threads->helper_count + 1u;
        if (pthread_create(&next->thread, NULL, help, next) != 0) {
            break;
        }
        threads->helper_count++;
    }
    return threads;
}

void oct_cli_threads_destroy(cli_threads *threads)
{
    if (!threads) {
        return;
    }
    pthread_mutex_lock(&threads->mutex);
    threads->stop = true;
    pthread_cond_broadcast(&threads->begin);
    pthread_mutex_unlock(&threads->mutex);
    for (uint32_t i = 0; i < threads->helper_count; i++) {
        pthread_join(threads->helpers[i].thread, NULL);
    }
    pthread_cond_destroy(&threads->end);
    pthread_cond_destroy(&threads->begin);
    pthread_mutex_destroy(&threads->mutex);
    free(threads);
}

oct_executor oct_cli_threads_executor(cli_threads *threads)
{
    return (oct_executor){run, threads, threads->helper_count + 1u};
}
