// SPDX-License-Identifier: MIT
// Loaded into the command by LD_PRELOAD: lets the n-th of its calls to the operating system, or the
// n-th allocation, fail. Only Linux with glibc.
//   OCTANT_FAIL_AT=io:N:ERRNO      the N-th call fails with that number; with 0 a read or write is
//                                  short instead: one byte; with 0 and EINTR no other call fails
//   OCTANT_FAIL_AT=memory:N:0      the N-th allocation, and then all of them if N is negative
//   OCTANT_FAIL_COUNT=FILE         the numbers of calls and allocations are written there at exit
// What the C library calls by itself is not seen: that is standard output and standard error, which
// are tried with devices that fail.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long io_count, memory_count;
static long io_at, memory_at;
static int io_error;
static bool is_ready;

__attribute__((constructor)) static void begin(void)
{
    const char *const at = getenv("OCTANT_FAIL_AT");
    if (at && strncmp(at, "io:", 3) == 0) {
        sscanf(at + 3, "%ld:%d", &io_at, &io_error);
    } else if (at && strncmp(at, "memory:", 7) == 0) {
        sscanf(at + 7, "%ld", &memory_at);
    }
    atomic_store(&io_count, 0);
    atomic_store(&memory_count, 0);
    is_ready = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *const path = getenv("OCTANT_FAIL_COUNT");
    is_ready = false;
    FILE *const file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %ld\n", atomic_load(&io_count), atomic_load(&memory_count));
        fclose(file);
    }
}

// Whether this call is the one.
static bool is_chosen(void)
{
    return is_ready && atomic_fetch_add(&io_count, 1) + 1 == io_at;
}

// Whether it fails; then errno is set.
static bool fails(void)
{
    if (!is_chosen() || io_error == 0 || io_error == EINTR) {
        return false;
    }
    errno = io_error;
    return true;
}

// The function that is behind this one.
#define NEXT(name) (__extension__(__typeof__(&(name))) dlsym(RTLD_NEXT, #name))

// ---- files ----

static mode_t mode_of(int flags, va_list values)
{
    const bool has_mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    return has_mode ? va_arg(values, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list values;
    va_start(values, flags);
    const mode_t mode = mode_of(flags, values);
    va_end(values);
    return fails() ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list values;
    va_start(values, flags);
    const mode_t mode = mode_of(flags, values);
    va_end(values);
    return fails() ? -1 : NEXT(openat)(folder, path, flags, mode);
}

int fcntl(int fd, int command, ...)
{
    va_list values;
    va_start(values, command);
    void *const value = va_arg(values, void *);
    va_end(values);
    return fails() ? -1 : NEXT(fcntl)(fd, command, value);
}

// Short where the error is 0.
#define TRANSFER(name, ...)                                                                        \
    do {                                                                                           \
        if (is_chosen()) {                                                                         \
            if (io_error != 0) {                                                                   \
                errno = io_error;                                                                  \
                return -1;                                                                         \
            }                                                                                      \
            size = size > 0 ? 1 : 0;                                                               \
        }                                                                                          \
        return NEXT(name)(__VA_ARGS__);                                                            \
    } while (0)

ssize_t read(int fd, void *bytes, size_t size)
{
    TRANSFER(read, fd, bytes, size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    TRANSFER(write, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    TRANSFER(pread, fd, bytes, size, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    TRANSFER(pwrite, fd, bytes, size, at);
}

// A file is closed even if that fails.
int close(int fd)
{
    const bool is_failing = fails();
    const int failed_with = errno;
    const int result = NEXT(close)(fd);
    errno = is_failing ? failed_with : errno;
    return is_failing ? -1 : result;
}

#define CALL(type, name, failure, parameters, ...)                                                 \
    type name parameters                                                                           \
    {                                                                                              \
        return fails() ? failure : NEXT(name)(__VA_ARGS__);                                        \
    }

CALL(int, fsync, -1, (int fd), fd)
CALL(int, fdatasync, -1, (int fd), fd)
CALL(int, ftruncate, -1, (int fd, off_t size), fd, size)
CALL(off_t, lseek, -1, (int fd, off_t to, int from), fd, to, from)
CALL(int, fchmod, -1, (int fd, mode_t mode), fd, mode)
CALL(int, fchown, -1, (int fd, uid_t user, gid_t group), fd, user, group)
CALL(int, stat, -1, (const char *restrict path, struct stat *restrict out), path, out)
CALL(int, lstat, -1, (const char *restrict path, struct stat *restrict out), path, out)
CALL(int, fstat, -1, (int fd, struct stat *out), fd, out)
CALL(int, mkdir, -1, (const char *path, mode_t mode), path, mode)
CALL(int, rename, -1, (const char *from, const char *to), from, to)
CALL(int, link, -1, (const char *from, const char *to), from, to)
CALL(int, linkat, -1, (int old, const char *from, int new, const char *to, int flags), old, from,
     new, to, flags)
CALL(int, flock, -1, (int fd, int operation), fd, operation)
CALL(int, unlink, -1, (const char *path), path)
CALL(int, remove, -1, (const char *path), path)
CALL(char *, realpath, NULL, (const char *restrict path, char *restrict out), path, out)
CALL(DIR *, opendir, NULL, (const char *path), path)
CALL(FILE *, fopen, NULL, (const char *restrict path, const char *restrict mode), path, mode)
CALL(FILE *, fdopen, NULL, (int fd, const char *mode), fd, mode)

// The end of a folder and an error differ by errno alone.
struct dirent *readdir(DIR *dir)
{
    return fails() ? NULL : NEXT(readdir)(dir);
}

int fclose(FILE *file)
{
    const bool is_failing = fails();
    const int failed_with = errno;
    const int result = NEXT(fclose)(file);
    errno = is_failing ? failed_with : errno;
    return is_failing ? EOF : result;
}

// ---- memory ----

// Names that glibc has for its own.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

// jansson goes on with half of its text where an allocation fails in the middle of it, and may
// crash: that is not ours to test.
static bool is_of_jansson(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) != 0 && info.dli_fname && strstr(info.dli_fname, "libjansson");
}

static bool is_short(const void *caller)
{
    const long number = is_ready ? atomic_fetch_add(&memory_count, 1) + 1 : 0;
    const bool is_it = number > 0 && memory_at != 0 &&
                       (number == memory_at || (memory_at < 0 && number >= -memory_at)) &&
                       !is_of_jansson(caller);
    if (is_it) {
        errno = ENOMEM;
    }
    return is_it;
}

void *malloc(size_t size)
{
    return is_short(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_short(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return is_short(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return is_short(__builtin_return_address(0)) ? NULL : __libc_memalign(align, size);
}
