// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "attack_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAID_MAX ((size_t)1 << 26) // bytes that are kept of an output
#define GRACE_SECONDS 5.0          // from being told to end until it must have
#define PATH_SIZE 4096

void attack_add(attack_args *args, const char *argument)
{
    if (args->count < ATTACK_ARGUMENTS_MAX) {
        args->items[args->count++] = argument;
        args->items[args->count] = NULL;
    }
}

static void check(bool is_fine, const char *what)
{
    if (!is_fine) {
        perror(what);
        exit(2);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- running ----

// Never returns.
static void become(const attack_args *args, const attack_limits *limits, int out, int err)
{
    const struct rlimit no_core = {0, 0}, memory = {limits->bytes, limits->bytes};
    setrlimit(RLIMIT_CORE, &no_core);
    if (limits->bytes > 0) {
        setrlimit(RLIMIT_AS, &memory);
    }
    if (limits->preload) {
        setenv("LD_PRELOAD", limits->preload, 1);
    }
    if (limits->fail_at) {
        setenv("OCTANT_FAIL_AT", limits->fail_at, 1);
    }
    if (limits->count_file) {
        setenv("OCTANT_FAIL_COUNT", limits->count_file, 1);
    }
    const int in = open("/dev/null", O_RDONLY);
    const int file = limits->out ? open(limits->out, O_WRONLY) : out;
    if (in < 0 || file < 0 || dup2(in, 0) < 0 || dup2(file, 1) < 0 || dup2(err, 2) < 0) {
        _exit(126);
    }
    // The program does not write to its arguments.
    union {
        const char *const *in;
        char *const *out;
    } list = {.in = args->items};
    execv(args->items[0], list.out);
    _exit(127);
}

typedef struct said {
    int fd;
    char *bytes;
    size_t size, room;
} said;

static void hear(said *s)
{
    if (s->room - s->size < 65536) {
        s->room = s->room > 0 ? 2 * s->room : 131072;
        s->bytes = realloc(s->bytes, s->room);
        check(s->bytes, "realloc");
    }
    const ssize_t got = read(s->fd, s->bytes + s->size, s->room - s->size - 1);
    if (got <= 0) {
        close(s->fd);
        s->fd = -1;
        return;
    }
    // What is beyond the limit is not kept.
    s->size = s->size + (size_t)got < SAID_MAX ? s->size + (size_t)got : s->size;
}

// Listens until both outputs are closed; tells it to end when its time is over.
static void listen_to(pid_t child, const attack_limits *limits, said streams[2], attack_result *r)
{
    double deadline = now() + limits->seconds;
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        struct pollfd polled[2] = {{streams[0].fd, POLLIN, 0}, {streams[1].fd, POLLIN, 0}};
        const double left = deadline - now();
        if (left <= 0.0) {
            kill(child, r->is_stopped ? SIGKILL : SIGTERM);
            r->is_hung = r->is_stopped;
            r->is_stopped = true;
            deadline = now() + GRACE_SECONDS;
        }
        (void)poll(polled, 2, left > 0.0 ? (int)(left * 1000.0) + 1 : 10);
        for (int i = 0; i < 2; i++) {
            if (polled[i].revents) {
                hear(&streams[i]);
            }
        }
    }
}

static char *end_text(said *s)
{
    if (!s->bytes) {
        s->bytes = malloc(1);
        check(s->bytes, "malloc");
    }
    s->bytes[s->size] = '\0';
    return s->bytes;
}

attack_result attack_run(const attack_args *args, const attack_limits *limits)
{
    attack_result r = {.code = -1};
    int out[2], err[2], status;
    fflush(NULL);
    check(pipe(out) == 0 && pipe(err) == 0, "pipe");
    const pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        close(out[0]);
        close(err[0]);
        become(args, limits, out[1], err[1]);
    }
    close(out[1]);
    close(err[1]);
    said streams[2] = {{.fd = out[0]}, {.fd = err[0]}};
    listen_to(child, limits, streams, &r);
    check(waitpid(child, &status, 0) == child, "waitpid");
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    check(r.code != 126 && r.code != 127, args->items[0]);
    r.out = end_text(&streams[0]);
    r.out_size = streams[0].size;
    r.err = end_text(&streams[1]);
    r.err_size = streams[1].size;
    return r;
}

void attack_free(attack_result *result)
{
    free(result->out);
    free(result->err);
}

void attack_print(const attack_args *args)
{
    for (size_t i = 0; i < args->count; i++) {
        printf("%s'", i > 0 ? " " : "");
        for (const char *c = args->items[i]; *c; c++) {
            printf(*c == '\'' ? "'\\''" : "%c", *c);
        }
        printf("'");
    }
    printf("\n");
}

// ---- judging ----

static bool has_controls(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i], next = (unsigned char)text[i + 1];
        if ((c < ' ' && c != '\n') || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0)) {
            return true;
        }
    }
    return false;
}

// Warnings may come before the lines that count.
static const char *judge_refusal(const attack_result *r, uint32_t most)
{
    uint32_t lines = 0;
    const char *at = r->err;
    for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        if (strncmp(at, "octant: ", 8) != 0) {
            return "a line on stderr does not begin with 'octant: '";
        }
        lines += strncmp(at, "octant: warning: ", 17) != 0;
    }
    return *at == '\0' && lines >= 1 && lines <= most
               ? NULL
               : "exit code 2 without as many lines on stderr as there may be";
}

const char *attack_judge(const attack_result *r, uint32_t most)
{
    if (r->is_hung) {
        return "it hangs: SIGTERM did not end it";
    }
    const bool is_told =
        r->signal == SIGTERM || r->code == 128 + SIGTERM || r->code == 128 + SIGINT;
    if (r->is_stopped && is_told) {
        return NULL;
    }
    if (r->signal != 0) {
        return "a signal ended it";
    }
    if (r->code < 0 || r->code > 2) {
        return "an exit code that is not documented";
    }
    if (has_controls(r->err, r->err_size)) {
        return "control characters on stderr";
    }
    return r->code == 2 ? judge_refusal(r, most) : NULL;
}

// ---- files ----

char *attack_read(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    said s = {.fd = fileno(file)};
    size_t got;
    do {
        s.room = s.room > 0 ? 2 * s.room : 65536;
        s.bytes = realloc(s.bytes, s.room);
        check(s.bytes, "realloc");
        got = fread(s.bytes + s.size, 1, s.room - s.size - 1, file);
        s.size += got;
    } while (got > 0);
    fclose(file);
    *size = s.size;
    return end_text(&s);
}

void attack_write(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    check(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, path);
}

static uint64_t mix(uint64_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

typedef void entry_fn(void *ctx, const char *path, const char *name, const struct stat *about);

static void each_entry(const char *folder, entry_fn *visit, void *ctx)
{
    DIR *const dir = opendir(folder);
    check(dir, folder);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char path[PATH_SIZE];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            lstat(path, &about) == 0) {
            visit(ctx, path, entry->d_name, &about);
        }
    }
    closedir(dir);
}

// Entries come in any order.
static void add_hash(void *ctx, const char *path, const char *name, const struct stat *about)
{
    uint64_t *const sum = ctx;
    uint64_t own = mix(UINT64_C(0xcbf29ce484222325), name, strlen(name));
    size_t size = 0;
    char *const bytes = S_ISREG(about->st_mode) ? attack_read(path, &size) : NULL;
    own = mix(own, bytes ? bytes : "", size);
    *sum += own ^ (uint64_t)about->st_mode << 32;
    free(bytes);
}

uint64_t attack_hash(const char *folder)
{
    uint64_t hash = 0;
    each_entry(folder, add_hash, &hash);
    return hash;
}

static void remove_entry(void *ctx, const char *path, const char *name, const struct stat *about)
{
    (void)ctx;
    (void)name;
    if (S_ISDIR(about->st_mode)) {
        attack_clear(path);
    }
    check(remove(path) == 0, path);
}

void attack_clear(const char *folder)
{
    each_entry(folder, remove_entry, NULL);
}

void attack_open(const char *source, char *out, size_t size)
{
    static const char scenario[] = "version 1\n0\tflat.map\t16\t16\t1\t1\t9\t9\t11.3\n";
    const char *const base = getenv("TMPDIR");
    char path[PATH_SIZE], root[PATH_SIZE];
    size_t bytes;
    check(realpath(source, root), source);
    snprintf(out, size, "%s/attack_XXXXXX", base && *base ? base : P_tmpdir);
    check(mkdtemp(out) && chdir(out) == 0 && mkdir("in", 0700) == 0 && mkdir("here", 0700) == 0 &&
              chdir("here") == 0,
          out);
    check(snprintf(path, sizeof path, "%s/worlds/door_and_button.json", root) < (int)sizeof path,
          root);
    char *const world = attack_read(path, &bytes);
    check(world, path);
    attack_write("../in/world.json", world, bytes);
    free(world);
    attack_write("../in/flat.scen", scenario, sizeof scenario - 1);
    setenv("OCTANT_CACHE", "../cache", 1);
}

void attack_close(const char *folder)
{
    attack_clear(folder);
    rmdir(folder);
}

// splitmix64
uint32_t attack_draw(uint64_t *state, uint32_t count)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) % count);
}
