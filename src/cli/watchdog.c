// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/watchdog.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define LOOK_NS 100000000L // between two looks
#define GRACE_NS UINT64_C(1000000000)

typedef struct watched {
    script_watch watch;
    clockid_t clock; // of the thread, once it has entered
    atomic_bool is_there;
} watched;

struct watchdog {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wakes;
    bool stops;
    uint64_t most; // nanoseconds
    void (*bite)(void *ctx, uint32_t worker);
    void *ctx;
    uint32_t count;
    watched workers[];
};

static bool is_over(const watchdog *dog, watched *w)
{
    struct timespec now;
    if (!atomic_load(&w->is_there) || clock_gettime(w->clock, &now) != 0) {
        return false;
    }
    // Read after the clock: a stretch that began meanwhile is not over.
    const uint64_t began = atomic_load(&w->watch.began);
    const uint64_t time = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    return began > 0 && time > began && time - began > dog->most;
}

static bool look(watchdog *dog)
{
    for (uint32_t i = 0; i < dog->count; i++) {
        if (is_over(dog, &dog->workers[i])) {
            dog->bite(dog->ctx, i);
            return true;
        }
    }
    return false;
}

static void *watch(void *arg)
{
    watchdog *const dog = arg;
    pthread_mutex_lock(&dog->mutex);
    while (!dog->stops) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        (void)pthread_cond_timedwait(&dog->wakes, &dog->mutex, &until);
        if (!dog->stops && look(dog)) {
            break;
        }
    }
    pthread_mutex_unlock(&dog->mutex);
    return NULL;
}

watchdog *oct_watchdog_create(uint32_t workers, double seconds,
                              void (*bite)(void *ctx, uint32_t worker), void *ctx)
{
    watchdog *const dog = calloc(1, sizeof *dog + workers * sizeof dog->workers[0]);
    if (!dog) {
        return NULL;
    }
    dog->most = (uint64_t)(seconds * 1e9) + GRACE_NS;
    dog->bite = bite;
    dog->ctx = ctx;
    dog->count = workers;
    pthread_mutex_init(&dog->mutex, NULL);
    pthread_cond_init(&dog->wakes, NULL);
    if (pthread_create(&dog->thread, NULL, watch, dog) != 0) {
        pthread_cond_destroy(&dog->wakes);
        pthread_mutex_destroy(&dog->mutex);
        free(dog);
        return NULL;
    }
    return dog;
}

script_watch *oct_watchdog_enter(watchdog *dog, uint32_t worker)
{
    if (!dog || worker >= dog->count) {
        return NULL;
    }
    watched *const w = &dog->workers[worker];
    if (!atomic_load(&w->is_there)) {
        if (pthread_getcpuclockid(pthread_self(), &w->clock) != 0) {
            return NULL;
        }
        atomic_store(&w->is_there, true);
    }
    return &w->watch;
}

void oct_watchdog_destroy(watchdog *dog)
{
    if (!dog) {
        return;
    }
    pthread_mutex_lock(&dog->mutex);
    dog->stops = true;
    pthread_cond_signal(&dog->wakes);
    pthread_mutex_unlock(&dog->mutex);
    pthread_join(dog->thread, NULL);
    pthread_cond_destroy(&dog->wakes);
    pthread_mutex_destroy(&dog->mutex);
    free(dog);
}
