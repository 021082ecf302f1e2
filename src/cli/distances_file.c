// SPDX-License-Identifier: MIT
// Databases of local distances in a folder.

// For mmap and the like.
#define _XOPEN_SOURCE 700

#include "cli/distances_file.h"

#include "files/files_internal.h"
#include "flat/distances.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void oct_distances_file_name(const oct_distances_def *def, char out[DISTANCES_NAME_MAX])
{
    snprintf(out, DISTANCES_NAME_MAX, "distances-v%u-%ux%u-%s%s%s.bin", (unsigned)DISTANCES_VERSION,
             (unsigned)def->edge, (unsigned)def->edge, oct_distances_kind_name(def->kind),
             def->packed ? "-packed" : "", def->squeeze ? "-squeeze" : "");
}

// ---- in ----

static bool is_of(const oct_distances *distances, const oct_distances_def *def)
{
    const oct_distances_def about = oct_distances_about(distances);
    return about.edge == def->edge && about.kind == def->kind && about.packed == def->packed &&
           about.squeeze == def->squeeze;
}

// Maps a whole file to be read. False where that does not work: an empty one cannot be mapped.
static bool map_file(const char *path, distances_mapping *mapping)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    struct stat about;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && (uint64_t)about.st_size <= SIZE_MAX) {
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    if (bytes == MAP_FAILED) {
        return false;
    }
    mapping->bytes = bytes;
    mapping->size = (size_t)about.st_size;
    return true;
}

static void unmap(distances_mapping *mapping)
{
    if (mapping->bytes) {
        munmap(mapping->bytes, mapping->size);
        mapping->bytes = NULL;
        mapping->size = 0;
    }
}

// Opens a file if it is one, sound, and of the definition; *out is NULL where not.
static oct_result open_file(const char *path, const oct_distances_def *def, oct_distances **out,
                            distances_mapping *mapping, oct_error *error)
{
    *out = NULL;
    if (!map_file(path, mapping)) {
        return OCT_OK;
    }
    const oct_result result =
        oct_distances_open(mapping->bytes, mapping->size, def->allocator, out, error);
    if (result == OCT_OK && !is_of(*out, def)) {
        oct_error_set(error, 0, 0, 0, "a database of something else");
        oct_distances_destroy(*out);
        *out = NULL;
    }
    if (!*out) {
        unmap(mapping);
    }
    return result == OCT_ERROR_MEMORY ? result : OCT_OK;
}

// ---- out ----

// Makes a folder and those above it. Where that fails so will writing, which says why.
static void make_folders(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    }
}

static oct_result write_bytes(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)error; // what the system refuses the caller says
    size_t size;
    const void *const bytes = oct_distances_bytes(ctx, &size);
    return write(file, bytes, size) ? OCT_OK : OCT_ERROR_FILE;
}

// Writes a database that was worked out, and takes the file instead of it.
static oct_result renew(char *path, const oct_distances_def *def, oct_distances **made,
                        distances_mapping *mapping, oct_error *error)
{
    make_folders(path);
    OCT_TRY(oct_file_replace(path, write_bytes, *made, NULL, error));
    oct_distances *mapped;
    if (open_file(path, def, &mapped, mapping, error) != OCT_OK || !mapped) {
        oct_error_set(error, 0, 0, 0, "cannot map what was written");
        return OCT_ERROR_FILE;
    }
    oct_distances_destroy(*made);
    *made = mapped;
    mapping->source = DISTANCES_RENEWED;
    return OCT_OK;
}

// ---- both ----

static oct_result load(char *path, const oct_distances_def *def, oct_distances **out,
                       distances_mapping *mapping, oct_error *error)
{
    OCT_TRY(open_file(path, def, out, mapping, error));
    if (*out) {
        mapping->source = DISTANCES_MAPPED;
        return OCT_OK;
    }
    OCT_TRY(oct_distances_create(def, out));
    renew(path, def, out, mapping, error); // where it fails the one in memory stays
    return OCT_OK;
}

oct_result oct_distances_load(const char *folder, const oct_distances_def *def, oct_distances **out,
                              distances_mapping *mapping, oct_error *error)
{
    *out = NULL;
    *mapping = (distances_mapping){.source = DISTANCES_KEPT};
    oct_error_set(error, 0, 0, 0, "%s", "");
    oct_result result;
    if (!folder || !oct_distances_kind_name(def->kind)) {
        result = oct_distances_create(def, out);
    } else {
        char name[DISTANCES_NAME_MAX];
        oct_distances_file_name(def, name);
        const oct_allocator allocator = oct_allocator_or_default(def->allocator);
        const size_t size = strlen(folder) + 1 + sizeof name;
        char *const path = oct_alloc(&allocator, size, 1);
        if (!path) {
            return oct_io_out_of_memory(error);
        }
        snprintf(path, size, "%s/%s", folder, name);
        result = load(path, def, out, mapping, error);
        oct_free(&allocator, path, size);
    }
    if (result != OCT_OK) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(result));
    }
    return result;
}

void oct_distances_unload(oct_distances *distances, distances_mapping *mapping)
{
    oct_distances_destroy(distances);
    unmap(mapping);
}
