// SPDX-License-Identifier: MIT
// Files: reading one whole, within a limit, and replacing one at once.

// For fsync, fchmod, realpath and the like.
#define _XOPEN_SOURCE 700

#include "files/files_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

oct_result oct_io_out_of_memory(oct_error *error)
{
    oct_error_set(error, 0, 0, 0, "%s", oct_result_text(OCT_ERROR_MEMORY));
    return OCT_ERROR_MEMORY;
}

// What the operating system refused, and why.
static oct_result system_error(oct_error *error, const char *what, int code)
{
    char why[96];
    if (strerror_r(code, why, sizeof why) != 0) {
        snprintf(why, sizeof why, "error %d", code);
    }
    oct_error_set(error, 0, 0, 0, "%s: %s", what, why);
    return OCT_ERROR_FILE;
}

// ---- in ----

static oct_result too_large(uint64_t largest, oct_error *error)
{
    const bool small = largest < UINT64_C(1) << 30;
    oct_error_set(error, 0, 0, 0, "the file is larger than %llu %s",
                  (unsigned long long)(largest >> (small ? 20 : 30)), small ? "MiB" : "GiB");
    return OCT_ERROR_FILE;
}

oct_result oct_file_open(const char *path, uint64_t largest, oct_file *out, oct_error *error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return system_error(error, "cannot open", errno);
    }
    struct stat about;
    oct_result result = OCT_OK;
    if (fstat(fd, &about) != 0) {
        result = system_error(error, "cannot read", errno);
    } else if (S_ISDIR(about.st_mode)) {
        result = system_error(error, "cannot read", EISDIR);
    } else if (about.st_size > (off_t)largest) {
        result = too_large(largest, error);
    }
    if (result != OCT_OK) {
        close(fd);
        return result;
    }
    *out = (oct_file){.fd = fd, .size = (uint64_t)about.st_size, .largest = largest};
    return OCT_OK;
}

oct_result oct_file_next(oct_file *file, void *buffer, size_t room, size_t *got, oct_error *error)
{
    ssize_t count;
    do {
        count = read(file->fd, buffer, room);
    } while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    if (count < 0) {
        return system_error(error, "cannot read", errno);
    }
    file->read += *got;
    return file->read <= file->largest ? OCT_OK : too_large(file->largest, error);
}

void oct_file_close(oct_file *file)
{
    close(file->fd);
}

static oct_result read_all(oct_file *file, const oct_allocator *allocator, oct_array *out,
                           oct_error *error)
{
    size_t got = 1;
    while (got > 0) {
        if (out->count == out->capacity && oct_array_grow(out, allocator, 1) != OCT_OK) {
            return oct_io_out_of_memory(error);
        }
        OCT_TRY(oct_file_next(file, (uint8_t *)out->items + out->count, out->capacity - out->count,
                              &got, error));
        out->count += got;
    }
    return OCT_OK;
}

oct_result oct_file_rest(oct_file *file, const oct_allocator *allocator, oct_array *out,
                         oct_error *error)
{
    const uint64_t left = file->size > file->read ? file->size - file->read : 0;
    if (left > 0 &&
        oct_array_reserve(out, allocator, 1, out->count + (size_t)left + 1u) != OCT_OK) {
        return oct_io_out_of_memory(error);
    }
    return read_all(file, allocator, out, error);
}

oct_result oct_file_read(const char *path, uint64_t largest, const oct_allocator *allocator,
                         oct_array *out, oct_error *error)
{
    oct_file file;
    OCT_TRY(oct_file_open(path, largest, &file, error));
    const oct_result result = oct_file_rest(&file, allocator, out, error);
    oct_file_close(&file);
    return result;
}

// ---- out ----

// A file in the making, beside the one that it will replace.
typedef struct draft {
    char *target;    // with links followed
    char *temporary; // NULL where there is none
    int fd;
    uint64_t size;
    int code; // errno of a write that failed, or 0
} draft;

static oct_result draft_open_beside(draft *file, mode_t mode, oct_error *error)
{
    const size_t room = strlen(file->target) + sizeof ".tmp99";
    char *name = malloc(room);
    if (!name) {
        return oct_io_out_of_memory(error);
    }
    // A number is taken where a crash, or another writer, left a file behind.
    for (int number = 0; number < 100 && file->fd < 0; number++) {
        snprintf(name, room, "%s.tmp%d", file->target, number);
        file->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file->fd < 0 && errno != EEXIST) {
            break;
        }
    }
    if (file->fd < 0) {
        const int code = errno;
        free(name);
        return system_error(error, "cannot create a file beside it", code);
    }
    file->temporary = name;
    return OCT_OK;
}

static oct_result draft_open(draft *file, const char *path, oct_error *error)
{
    *file = (draft){.fd = -1};
    struct stat old;
    const bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        oct_error_set(error, 0, 0, 0, "cannot replace what is not a regular file");
        return OCT_ERROR_FILE;
    }
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (!file->target) {
        return system_error(error, "cannot find the file", errno);
    }
    const oct_result result = draft_open_beside(file, 0666, error);
    if (result == OCT_OK && exists) {
        fchmod(file->fd, old.st_mode & 07777);
    }
    return result;
}

static bool draft_write(void *ctx, const void *data, size_t size)
{
    draft *file = ctx;
    const uint8_t *at = data;
    while (size > 0) {
        const ssize_t put = write(file->fd, at, size);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            file->code = errno;
            return false;
        }
        at += put;
        size -= (size_t)put;
        file->size += (uint64_t)put;
    }
    return true;
}

// The bytes must be on the disk before the name points to them.
static oct_result draft_publish(draft *file, oct_error *error)
{
    if (fsync(file->fd) != 0) {
        return system_error(error, "cannot write", errno);
    }
    const int closed = close(file->fd);
    file->fd = -1;
    if (closed != 0 || rename(file->temporary, file->target) != 0) {
        return system_error(error, "cannot replace the file", errno);
    }
    free(file->temporary);
    file->temporary = NULL;
    return OCT_OK;
}

// Frees everything and removes what was not published.
static void draft_close(draft *file)
{
    if (file->fd >= 0) {
        close(file->fd);
    }
    if (file->temporary) {
        unlink(file->temporary);
    }
    free(file->temporary);
    free(file->target);
}

oct_result oct_file_replace(const char *path, oct_file_fill *fill, void *ctx, uint64_t *size,
                            oct_error *error)
{
    draft file;
    oct_result result = draft_open(&file, path, error);
    if (result == OCT_OK) {
        result = fill(ctx, draft_write, &file, error);
        if (file.code != 0) {
            result = system_error(error, "cannot write", file.code);
        }
    }
    if (result == OCT_OK) {
        result = draft_publish(&file, error);
    }
    if (result == OCT_OK && size) {
        *size = file.size;
    }
    draft_close(&file);
    return result;
}
