// SPDX-License-Identifier: MIT
// Files: reading one whole, or piece by piece, within a limit. draft.c writes them.

// For the strerror_r of POSIX.
#define _XOPEN_SOURCE 700

#include "files/files_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

oct_result oct_io_out_of_memory(oct_error *error)
{
    oct_error_set(error, 0, 0, 0, "%s", oct_result_text(OCT_ERROR_MEMORY));
    return OCT_ERROR_MEMORY;
}

oct_result oct_io_refuse(oct_error *error, const char *what, int code)
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
        return oct_io_refuse(error, "cannot open", errno);
    }
    struct stat about;
    oct_result result = OCT_OK;
    if (fstat(fd, &about) != 0) {
        result = oct_io_refuse(error, "cannot read", errno);
    } else if (S_ISDIR(about.st_mode)) {
        result = oct_io_refuse(error, "cannot read", EISDIR);
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
        return oct_io_refuse(error, "cannot read", errno);
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

oct_result oct_file_check_source(const char *path, oct_error *error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    if (fd < 0) {
        return oct_io_refuse(error, "cannot open", errno);
    }
    const int code = fstat(fd, &about) == 0 ? 0 : errno;
    close(fd);
    if (code != 0) {
        return oct_io_refuse(error, "cannot read", code);
    }
    if (!S_ISREG(about.st_mode)) {
        oct_error_set(error, 0, 0, 0, "not a regular file");
        return OCT_ERROR_FILE;
    }
    return OCT_OK;
}
