// SPDX-License-Identifier: MIT
// Fuzzes the reader of laboratory files. What is accepted must come back the same when written and
// read, and rows must be a map.
#include "files/lab_file.h"
#include "fuzz.h"
#include "octant/formats.h"
#include "octant/tree.h"

static oct_array encode(const lab_file *file)
{
    oct_array out = {0};
    FUZZ_CHECK(oct_lab_file_encode(file, fuzz_append, &out) == OCT_OK);
    return out;
}

static void check_again(const lab_file *file)
{
    oct_array bytes = encode(file);
    lab_file again;
    oct_error error;
    FUZZ_CHECK(oct_lab_file_decode(bytes.items, bytes.count, NULL, &again, &error) == OCT_OK);
    FUZZ_CHECK(again.path_count == file->path_count);
    oct_array again_bytes = encode(&again);
    FUZZ_CHECK(bytes.count == again_bytes.count);
    FUZZ_CHECK(memcmp(bytes.items, again_bytes.items, bytes.count) == 0);
    fuzz_drop(&again_bytes);
    fuzz_drop(&bytes);
    oct_lab_file_free(&again);
}

static void check_rows(const lab_file_map *map)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    oct_tree_info info;
    FUZZ_CHECK(oct_lab_file_tree(map, &def, &tree, &info, NULL) == OCT_OK);
    FUZZ_CHECK(info.box.max.x == (int32_t)map->width && info.box.max.y == (int32_t)map->height);
    oct_tree_destroy(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    lab_file file;
    oct_error error = {.line = 0};
    const oct_result result = oct_lab_file_decode(data, size, &limited, &file, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
        FUZZ_CHECK(error.message[0] != '\0');
        FUZZ_CHECK(error.offset <= size);
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || size == 0 || error.line > 0);
        FUZZ_CHECK(file.path_count == 0 && !file.has_ends);
    } else {
        check_again(&file);
        if (file.map.kind == LAB_MAP_ROWS) {
            check_rows(&file.map);
        }
        oct_lab_file_free(&file);
    }
    FUZZ_CHECK(used == 0);
    return 0;
}
