// SPDX-License-Identifier: MIT
// Between fork and exec a process of several threads may do very little; everything that needs
// memory is done before.
#if defined(__linux__)
#define _GNU_SOURCE // close_range, by its number
#endif
#define _POSIX_C_SOURCE 200809L
#include "link/link_process.h"

#include "base/print.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#else
extern char **environ;
#endif

// Between two looks whether a process has ended, nanoseconds.
#define LOOK_NS 2000000L
// File descriptors that are closed where the system cannot close all at once.
#define DESCRIPTORS 4096

struct link_process {
    oct_allocator allocator;
    link_groups *groups;
    int slot; // in the groups; < 0 = none
    pid_t pid;
    int output; // may be read; < 0 = at its end
    bool has_ended;
    siginfo_t end;
    link_meanwhile meanwhile;
    size_t written; // bytes so far; the last ones are in the ring
    char ring[LINK_OUTPUT_MAX];
    char text[LINK_OUTPUT_MAX + 1];
};

// ---- groups ----

// To the process as well: it may not have made its group yet.
static void signal_group(pid_t group, int number)
{
    kill(-group, number);
    kill(group, number);
}

void oct_link_groups_kill(link_groups *groups)
{
    for (size_t i = 0; i < LINK_GROUPS_MAX; i++) {
        const int group = atomic_load(&groups->groups[i]);
        if (group > 1) {
            signal_group(group, SIGKILL);
        }
    }
}

static int enter_group(link_groups *groups, pid_t pid)
{
    for (int i = 0; groups && i < LINK_GROUPS_MAX; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&groups->groups[i], &none, (int)pid)) {
            return i;
        }
    }
    return -1;
}

// ---- starting ----

// What the new process needs, made before it is there.
typedef struct launch {
    char *program; // with its path
    char **environment;
    size_t variables, program_size, setting_size;
    char *setting;
} launch;

static void free_launch(const oct_allocator *allocator, launch *l)
{
    oct_free(allocator, l->program, l->program_size);
    oct_free(allocator, l->setting, l->setting_size);
    oct_free(allocator, l->environment, (l->variables + 2) * sizeof *l->environment);
    *l = (launch){0};
}

// The file of a program: as it stands where it names a folder, else in one of those of PATH.
static oct_result find_program(const char *name, const oct_allocator *allocator, launch *l,
                               oct_error *error)
{
    const char *const told = getenv("PATH");
    const char *path = strchr(name, '/') ? "" : told ? told : "/usr/local/bin:/usr/bin:/bin";
    l->program_size = strlen(path) + strlen(name) + 3;
    l->program = oct_alloc(allocator, l->program_size, 1);
    if (!l->program) {
        return OCT_ERROR_MEMORY;
    }
    for (bool is_last = false; !is_last;) {
        const size_t length = strcspn(path, ":");
        const char *const slash = length > 0 ? "/" : "";
        oct_snprintf(l->program, l->program_size, "%.*s%s%s", (int)length, path, slash, name);
        if (access(l->program, X_OK) == 0) {
            return OCT_OK;
        }
        is_last = path[length] == '\0';
        path += length + !is_last;
    }
    oct_error_set(error, 0, 0, 0, "there is no program '%.100s'", name);
    return OCT_ERROR_LINK;
}

static bool is_ours(const char *variable)
{
    return strncmp(variable, "OCTANT_CONNECT=", 15) == 0 ||
           strncmp(variable, "OCTANT_PORT=", 12) == 0;
}

static oct_result make_environment(const char *address, const oct_allocator *allocator, launch *l)
{
    static const char name[] = "OCTANT_CONNECT=";
    while (environ && environ[l->variables]) {
        l->variables++;
    }
    l->environment =
        oct_alloc(allocator, (l->variables + 2) * sizeof *l->environment, _Alignof(char *));
    l->setting_size = sizeof name + strlen(address);
    l->setting = oct_alloc(allocator, l->setting_size, 1);
    if (!l->environment || !l->setting) {
        return OCT_ERROR_MEMORY;
    }
    oct_snprintf(l->setting, l->setting_size, "%s%s", name, address);
    size_t used = 0;
    for (size_t i = 0; i < l->variables; i++) {
        if (!is_ours(environ[i])) {
            l->environment[used++] = environ[i];
        }
    }
    l->environment[used++] = l->setting;
    l->environment[used] = NULL;
    return OCT_OK;
}

static void close_others(void)
{
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) {
        return;
    }
#endif
    for (int fd = 3; fd < DESCRIPTORS; fd++) {
        close(fd);
    }
}

// The new process: never returns.
static void become(const launch *l, char *const *words, int output)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM,
                                  SIGUSR1, SIGUSR2, SIGCHLD, SIGXFSZ, SIGTTIN, SIGTTOU};
    sigset_t none;
    setsid();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        signal(numbers[i], SIG_DFL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
    }
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close_others();
    execve(l->program, words, l->environment);
    static const char failed[] = "octant: the program cannot be started\n";
    (void)!write(STDERR_FILENO, failed, sizeof failed - 1);
    _exit(127);
}

// Both ends are for us alone; reading never waits.
static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    if (oct_link_keep_private(ends[0]) && oct_link_keep_private(ends[1]) &&
        fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK) == 0) {
        return true;
    }
    close(ends[0]);
    close(ends[1]);
    return false;
}

static void take_output(void *ctx)
{
    oct_link_process_drain(ctx);
}

static oct_result launch_process(link_process *p, const launch *l, char *const *words,
                                 oct_error *error)
{
    int ends[2];
    if (!make_pipe(ends)) {
        oct_error_set(error, 0, 0, 0, "cannot make a pipe: %s", strerror(errno));
        return OCT_ERROR_LINK;
    }
    p->pid = fork();
    if (p->pid == 0) {
        become(l, words, ends[1]);
    }
    const int code = errno;
    close(ends[1]);
    if (p->pid < 0) {
        close(ends[0]);
        oct_error_set(error, 0, 0, 0, "cannot start a process: %s", strerror(code));
        return OCT_ERROR_LINK;
    }
    p->output = ends[0];
    p->slot = enter_group(p->groups, p->pid);
    p->meanwhile = (link_meanwhile){.fd = p->output, .ready = take_output, .ctx = p};
    return OCT_OK;
}

oct_result oct_link_process_start(char *const *words, const char *address, link_groups *groups,
                                  const oct_allocator *allocator, link_process **out,
                                  oct_error *error)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    launch l = {0};
    *out = NULL;
    link_process *const p = oct_alloc(&own, sizeof *p, _Alignof(link_process));
    if (!p) {
        return OCT_ERROR_MEMORY;
    }
    *p = (link_process){.allocator = own, .groups = groups, .slot = -1, .output = -1};
    oct_result result = find_program(words[0], &own, &l, error);
    if (result == OCT_OK) {
        result = make_environment(address, &own, &l);
    }
    if (result == OCT_OK) {
        result = launch_process(p, &l, words, error);
    }
    free_launch(&own, &l);
    if (result != OCT_OK) {
        oct_free(&own, p, sizeof *p);
        return result;
    }
    *out = p;
    return OCT_OK;
}

// ---- watching ----

link_meanwhile oct_link_process_meanwhile(link_process *process)
{
    return process->meanwhile;
}

void oct_link_process_drain(link_process *p)
{
    char bytes[4096];
    // A game that writes without end is read again at the next occasion.
    for (int i = 0; i < 64 && p->output >= 0; i++) {
        const ssize_t got = read(p->output, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        }
        if (got <= 0) {
            close(p->output);
            p->output = p->meanwhile.fd = -1;
            return;
        }
        for (ssize_t j = 0; j < got; j++) {
            p->ring[p->written++ % LINK_OUTPUT_MAX] = bytes[j];
        }
    }
}

const char *oct_link_process_output(link_process *p)
{
    oct_link_process_drain(p);
    const size_t count = p->written < LINK_OUTPUT_MAX ? p->written : LINK_OUTPUT_MAX;
    for (size_t i = 0; i < count; i++) {
        const char c = p->ring[(p->written - count + i) % LINK_OUTPUT_MAX];
        p->text[i] = c ? c : '?';
    }
    p->text[count] = '\0';
    return p->text;
}

// It stays a zombie, so that nobody else gets its number before its group is ended.
bool oct_link_process_has_ended(link_process *p)
{
    if (!p->has_ended) {
        siginfo_t end = {.si_pid = 0};
        p->has_ended = waitid(P_PID, (id_t)p->pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                       end.si_pid == p->pid;
        p->end = end;
    }
    return p->has_ended;
}

void oct_link_process_epitaph(link_process *p, char *out, size_t size)
{
    out[0] = '\0';
    if (oct_link_process_has_ended(p)) {
        oct_snprintf(out, size,
                     p->end.si_code == CLD_EXITED ? "the game has ended with exit code %d"
                                                  : "the game was ended by signal %d",
                     p->end.si_status);
    }
}

// ---- ending ----

static bool wait_for_end(link_process *p, uint32_t ms)
{
    const uint64_t until = oct_link_clock() + ms;
    while (!oct_link_process_has_ended(p)) {
        if (oct_link_clock() >= until) {
            return false;
        }
        oct_link_process_drain(p); // it may be stuck in writing
        nanosleep(&(struct timespec){0, LOOK_NS}, NULL);
    }
    return true;
}

void oct_link_process_end(link_process *p, uint32_t grace_ms)
{
    if (!p) {
        return;
    }
    // First by itself, then when it is asked: those who handle SIGTERM put their things in order.
    if (!wait_for_end(p, grace_ms / 10)) {
        signal_group(p->pid, SIGTERM);
        (void)wait_for_end(p, grace_ms);
    }
    signal_group(p->pid, SIGKILL);
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    // Its children are ours now where we stand for init, as in a container.
    while (waitpid(-p->pid, NULL, 0) > 0 || errno == EINTR) {
    }
    if (p->slot >= 0) {
        atomic_store(&p->groups->groups[p->slot], 0);
    }
    if (p->output >= 0) {
        close(p->output);
    }
    const oct_allocator own = p->allocator;
    oct_free(&own, p, sizeof *p);
}
