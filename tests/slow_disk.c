// SPDX-License-Identifier: MIT
// To be preloaded: a file system that has no files without a name, and whose disk takes a second
// to sync a file, so that a test can send a signal while a file is unfinished.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

typedef int open_fn(const char *path, int flags, ...);

int open(const char *path, int flags, ...)
{
    union {
        void *object;
        open_fn *function;
    } next = {.object = dlsym(RTLD_NEXT, "open")};
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return next.function(path, flags, mode);
}

int fsync(int fd)
{
    struct timespec left = {.tv_sec = 1};
    (void)fd;
    while (nanosleep(&left, &left) != 0) {
    }
    return 0;
}
