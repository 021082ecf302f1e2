// SPDX-License-Identifier: MIT
// The sizes of Space Engineers' blocks: a list in JSON with an item for each type, as a world of
// types without blocks, which finds them by name.

// For access.
#define _XOPEN_SOURCE 700

#include "files/engineers.h"
#include "files/world_reader.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define FILE_NAME "block_sizes.json"
#define FILE_SIZE_MAX (UINT64_C(1) << 24)
#define PREFIX "MyObjectBuilder_"

static oct_result read_size(const world_reader *in, const json_t *item, oct_vec *size)
{
    double cells[3];
    OCT_TRY(oct_world_numbers(in, json_object_get(item, "size"), "size", 3, cells));
    for (int i = 0; i < 3; i++) {
        if (cells[i] != floor(cells[i]) || cells[i] < 1 || cells[i] > OCT_WORLD_SIZE_MAX) {
            return oct_world_refuse(in, "size must be whole numbers from 1 to %d",
                                    OCT_WORLD_SIZE_MAX);
        }
    }
    *size = (oct_vec){(int32_t)cells[0], (int32_t)cells[1], (int32_t)cells[2]};
    return OCT_OK;
}

static oct_result read_type(world_reader *in, size_t index, json_t *item)
{
    (void)index;
    const char *id, *subtype;
    char name[OCT_WORLD_NAME_MAX + 1];
    oct_world_type type;
    OCT_TRY(oct_world_object(in, item, "it"));
    OCT_TRY(oct_world_text(in, json_object_get(item, "id"), "id", &id));
    OCT_TRY(oct_world_text(in, json_object_get(item, "type"), "type", &subtype));
    if (strncmp(id, PREFIX, strlen(PREFIX)) != 0) {
        return oct_world_refuse(in, "id does not begin with " PREFIX);
    }
    if (!oct_engineers_type(id + strlen(PREFIX), subtype, name, &type)) {
        return oct_world_refuse(in, "id and type are too long");
    }
    OCT_TRY(read_size(in, item, &type.size));
    const oct_result result = oct_world_define(in->world, &type, NULL);
    if (result == OCT_ERROR_MEMORY) {
        return oct_io_out_of_memory(in->error);
    }
    if (result == OCT_ERROR_RANGE) {
        return oct_world_refuse(in, "more than %u types", (unsigned)OCT_WORLD_TYPES_MAX);
    }
    return result == OCT_OK ? OCT_OK : oct_world_refuse(in, "the type has another size above");
}

oct_result oct_block_sizes_decode(const void *data, size_t size, const oct_allocator *allocator,
                                  oct_world **types, oct_error *error)
{
    *types = NULL;
    world_reader in = {.data = data,
                       .size = size,
                       .allocator = oct_allocator_or_default(allocator),
                       .error = error};
    if (oct_world_create(&(oct_world_def){&in.allocator}, &in.world) != OCT_OK) {
        return oct_io_out_of_memory(error);
    }
    const oct_result result = oct_world_items(&in, "item", read_type);
    if (result != OCT_OK) {
        oct_world_destroy(in.world);
        return result;
    }
    *types = in.world;
    return OCT_OK;
}

oct_result oct_block_sizes_load(const char *path, const oct_allocator *allocator, oct_world **types,
                                oct_error *error)
{
    *types = NULL;
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_array file = {0};
    oct_result result = oct_file_read(path, FILE_SIZE_MAX, &own, &file, error);
    if (result == OCT_OK) {
        result = oct_block_sizes_decode(file.items, file.count, &own, types, error);
    }
    oct_array_free(&file, &own, 1);
    return result;
}

bool oct_block_sizes_find(const char *save, char *out, size_t size)
{
    const char *const slash = strrchr(save, '/');
    const size_t folder = slash ? (size_t)(slash - save) + 1 : 0;
    static const char *const names[] = {FILE_NAME, "../" FILE_NAME};
    for (size_t i = 0; i < 2; i++) {
        const int length = snprintf(out, size, "%.*s%s", (int)folder, save, names[i]);
        if (folder < 65536 && length >= 0 && (size_t)length < size && access(out, R_OK) == 0) {
            return true;
        }
    }
    return false;
}
