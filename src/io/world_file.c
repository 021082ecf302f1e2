// SPDX-License-Identifier: MIT
// Worlds in files.
#include "io/io_internal.h"

// The largest file that is read. It is held in memory whole, its content item by item.
#define FILE_SIZE_MAX (UINT64_C(1) << 30)

bool oct_world_is_named(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    return dot && strcmp(dot, ".json") == 0;
}

oct_result oct_world_load(const char *path, const oct_allocator *allocator, oct_world **world,
                          const char **kind, oct_error *error)
{
    *world = NULL;
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_array file = {0};
    oct_result result = oct_file_read(path, FILE_SIZE_MAX, &own, &file, error);
    if (result == OCT_OK) {
        result = oct_world_decode(file.items, file.count, &own, world, kind, error);
    }
    oct_array_free(&file, &own, 1);
    return result;
}

static oct_result write_world(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)error; // only the file can fail, and it says why
    const oct_world *const *world = ctx;
    return oct_world_encode(*world, write, file);
}

oct_result oct_world_save(const char *path, const oct_world *world, uint64_t *size,
                          oct_error *error)
{
    return oct_file_replace(path, write_world, &world, size, error);
}
