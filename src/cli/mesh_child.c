// SPDX-License-Identifier: MIT
// Meshes that a library of others reads: in a child, this program again, with limits of time and
// memory. What the child writes is checked like a file from outside.
//
//   magic 4 | result 4 | message 168 | report | counts 16 | vertices 24 each | indices 12 a
//   triangle
//
// Both ends are the same program on the same machine, so that numbers go as they are in memory.
#define _GNU_SOURCE // for pipe2
#include "cli/cli_internal.h"

#include "files/files_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_SECONDS 60
#define CHILD_MEGABYTES 2000
#define MAGIC 0x4f635463u

typedef struct child_head {
    uint32_t magic;
    int32_t result;
    oct_error error;
    oct_mesh_report report;
    uint64_t vertices, triangles;
} child_head;

// ---- the child ----

static struct rlimit at_most(rlim_t most)
{
    return (struct rlimit){most, most};
}

// What the system does not limit is not limited.
static void set_limits(void)
{
    const struct rlimit seconds = at_most(CHILD_SECONDS), none = at_most(0);
    (void)setrlimit(RLIMIT_CPU, &seconds);
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)setrlimit(RLIMIT_FSIZE, &none);
#ifndef OCTANT_SANITIZED // whose shadows are larger
    const struct rlimit bytes = at_most((rlim_t)CHILD_MEGABYTES << 20);
    (void)setrlimit(RLIMIT_AS, &bytes);
#endif
}

static bool write_all(const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t done = write(STDOUT_FILENO, at, size);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0u;
    }
    return true;
}

int oct_cli_be_mesh_child(const char *path, const char *unit)
{
    set_limits();
    oct_mesh_def def = oct_mesh_def_default();
    double scale;
    if (oct_cli_read_numbers(unit, &scale, 1) == 1) {
        def.unit = scale;
    }
    oct_mesh *mesh;
    child_head head = {.magic = MAGIC};
    head.result = (int32_t)oct_mesh_load(path, &def, &mesh, &head.error);
    if (head.result == OCT_OK) {
        head.report = oct_mesh_get_report(mesh);
        head.vertices = oct_mesh_vertex_count(mesh);
        head.triangles = oct_mesh_triangle_count(mesh);
    }
    const bool told = write_all(&head, sizeof head) &&
                      (head.result != OCT_OK ||
                       (write_all(oct_mesh_vertices(mesh), head.vertices * sizeof(oct_point)) &&
                        write_all(oct_mesh_indices(mesh), head.triangles * 3 * sizeof(uint32_t))));
    oct_mesh_destroy(mesh);
    return told ? CLI_YES : CLI_BAD;
}

// ---- the parent ----

typedef struct child {
    pid_t pid;
    int out; // what it writes
    double end_ms;
    bool is_late;
} child;

static int start(const char *path, const char *unit, child *c)
{
    char own[4096];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    int ends[2];
    if (length <= 0 || pipe2(ends, O_CLOEXEC) != 0) {
        return oct_cli_complain("%s: the program that reads it cannot be started", path);
    }
    own[length] = '\0';
    char name[] = "octant", word[] = CLI_MESH_CHILD;
    char *const copies[2] = {strdup(path), strdup(unit)};
    char *const words[] = {name, word, copies[0], copies[1], NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const bool started =
        copies[0] && copies[1] && posix_spawn(&c->pid, own, &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    free(copies[0]);
    free(copies[1]);
    close(ends[1]);
    c->out = ends[0];
    c->end_ms = oct_cli_wall_ms() + 2.0 * CHILD_SECONDS * 1e3;
    if (!started) {
        close(ends[0]);
        return oct_cli_complain("%s: the program that reads it cannot be started", path);
    }
    return CLI_YES;
}

// Reads so many bytes; false at the end, or where it takes too long.
static bool take(child *c, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        const double left = c->end_ms - oct_cli_wall_ms();
        struct pollfd wait = {.fd = c->out, .events = POLLIN};
        const int ready = left > 0.0 ? poll(&wait, 1, (int)left + 1) : 0;
        if (ready == 0) {
            c->is_late = true;
            return false;
        }
        const ssize_t got = ready > 0 ? read(c->out, at, size) : -1;
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0u;
    }
    return true;
}

// How it ended; kills it where it still runs.
static int finish(child *c)
{
    int status = 0;
    close(c->out);
    if (c->is_late) {
        kill(c->pid, SIGKILL);
    }
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

static int complain_child(const char *path, const child *c, int status)
{
    const bool is_late = c->is_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) ||
                         (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return is_late
               ? oct_cli_complain("%s: assimp takes more than %d s to read it", path, CHILD_SECONDS)
               : oct_cli_complain("%s: assimp failed while it read it; it may take %d MB", path,
                                  CHILD_MEGABYTES);
}

// The arrays of a mesh, and the mesh.
static oct_result take_mesh(child *c, const child_head *head, const oct_mesh_def *def,
                            oct_mesh **out)
{
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    if (head->vertices > def->vertices_max || head->triangles > def->triangles_max ||
        head->triangles == 0) {
        return OCT_ERROR_RANGE;
    }
    const size_t vertex_bytes = (size_t)head->vertices * sizeof(oct_point);
    const size_t index_bytes = (size_t)head->triangles * 3 * sizeof(uint32_t);
    void *const vertices = oct_alloc(&allocator, vertex_bytes + 1, 16);
    void *const indices = oct_alloc(&allocator, index_bytes + 1, 16);
    oct_result result = OCT_ERROR_MEMORY;
    if (vertices && indices) {
        result = take(c, vertices, vertex_bytes) && take(c, indices, index_bytes)
                     ? oct_mesh_create(def, vertices, (size_t)head->vertices, indices,
                                       (size_t)head->triangles, out)
                     : OCT_ERROR_FILE;
    }
    oct_free(&allocator, vertices, vertex_bytes + 1);
    oct_free(&allocator, indices, index_bytes + 1);
    return result;
}

int oct_cli_read_mesh(const char *path, const oct_mesh_def *def, const char *unit, oct_mesh **out,
                      oct_mesh_report *report)
{
    child c = {.out = -1};
    child_head head;
    *out = NULL;
    CLI_TRY(start(path, unit, &c));
    bool told = take(&c, &head, sizeof head) && head.magic == MAGIC;
    oct_result result = OCT_ERROR_FILE;
    if (told && head.result == OCT_OK) {
        result = take_mesh(&c, &head, def, out);
        told = result != OCT_ERROR_FILE;
    }
    const int status = finish(&c);
    if (!told) {
        return complain_child(path, &c, status);
    }
    if (head.result != OCT_OK) {
        head.error.message[sizeof head.error.message - 1] = '\0';
        return oct_cli_check_file(path, (oct_result)head.result, &head.error);
    }
    if (result == OCT_OK) {
        // What the arrays do not say.
        *report = oct_mesh_get_report(*out);
        report->concave = head.report.concave;
        report->tangled = head.report.tangled;
        report->objects = head.report.objects;
        report->colliding = head.report.colliding;
    }
    return oct_cli_check(path, result);
}
