// SPDX-License-Identifier: MIT
// Signals. Long work stops where one says so, between two rows and not within one: a signal sets a
// flag that work looks at before each of its parts, and that a planner takes for the end of its
// time. Where nobody looks, a signal ends the process and leaves no unfinished file behind.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"
#include "files/files_internal.h"
#include "link/link_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// A handler has nothing else to talk to.
static atomic_int stop_signal;
static atomic_bool is_looked_at; // somebody asks oct_cli_is_stopped
static link_groups groups;       // games that run: they end with the process

static void on_signal(int number)
{
    int none = 0;
    if (atomic_load(&is_looked_at) && atomic_compare_exchange_strong(&stop_signal, &none, number)) {
        return;
    }
    oct_link_groups_kill(&groups);
    oct_file_remove_drafts();
    signal(number, SIG_DFL);
    raise(number);
}

static void handle(int number)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESTART | SA_NODEFER)};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

// Whether nohup, or the like, wants the process to outlive its terminal.
static bool outlives_terminal(void)
{
    struct sigaction old;
    return sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

// A file that is opened must not take the place of a standard stream that is closed: what is
// printed would go there. Writing to these places fails, as it should.
static void fill_descriptors(void)
{
    for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY)) {
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
    }
}

void oct_cli_guard_process(void)
{
    fill_descriptors();
    handle(SIGINT);
    handle(SIGTERM);
    if (!outlives_terminal()) {
        handle(SIGHUP);
    }
    signal(SIGPIPE, SIG_IGN); // writing fails instead, and what else is to be written is
    signal(SIGXFSZ, SIG_IGN);
}

struct link_groups *oct_cli_process_groups(void)
{
    return &groups;
}

bool oct_cli_is_stopped(void)
{
    return atomic_load_explicit(&stop_signal, memory_order_relaxed) != 0;
}

int oct_cli_stop_code(void)
{
    const int number = atomic_load(&stop_signal);
    return number != 0 ? 128 + number : CLI_INTERRUPTED;
}

void oct_cli_catch_signals(void)
{
    atomic_store(&stop_signal, 0);
    atomic_store(&is_looked_at, true);
}

void oct_cli_release_signals(void)
{
    atomic_store(&is_looked_at, false);
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
