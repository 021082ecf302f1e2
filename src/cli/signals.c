// SPDX-License-Identifier: MIT
// Stopping long work where a signal says so, between two rows and not within one.
//
// A signal sets a flag that work looks at before each of its parts, and that a planner takes for
// the end of its time.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"

#include <signal.h>
#include <stdatomic.h>

// A handler has nothing else to talk to.
static atomic_int stop_signal;
static struct sigaction old_actions[2];

static void on_signal(int number)
{
    atomic_store(&stop_signal, number);
}

bool oct_cli_is_stopped(void)
{
    return atomic_load_explicit(&stop_signal, memory_order_relaxed) != 0;
}

void oct_cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    atomic_store(&stop_signal, 0);
    sigaction(SIGINT, &action, &old_actions[0]);
    sigaction(SIGTERM, &action, &old_actions[1]);
}

void oct_cli_release_signals(void)
{
    sigaction(SIGINT, &old_actions[0], NULL);
    sigaction(SIGTERM, &old_actions[1], NULL);
}

// It stands still until there was a signal.
static uint64_t signal_clock(void *ctx)
{
    uint64_t *const ticks = ctx;
    *ticks += oct_cli_is_stopped();
    return *ticks;
}

void oct_cli_stop_query(oct_query *query, uint64_t *ticks)
{
    query->clock = signal_clock;
    query->clock_ctx = ticks;
    query->time_budget = 1;
}
