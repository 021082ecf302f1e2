// SPDX-License-Identifier: MIT
// Fuzzes the reader of map files: every input as it is, and once more with its sizes and checksum
// put right, since chance would never get past them.
#include "files/files_internal.h"
#include "fuzz.h"
#include "octant/formats.h"
#include "octant/tree.h"
#include "valid.h"

static void decode(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_tree_def def = oct_tree_def_default();
    def.allocator = &limited;
    oct_tree *tree;
    oct_tree_info info;
    oct_error error;
    const oct_result result = oct_map_file_decode(data, size, &def, &tree, &info, &error);
    if (result != OCT_OK) {
        fuzz_check_refusal(result, tree, &error, used);
        return;
    }
    FUZZ_CHECK(oct_tree_is_valid(tree));
    const oct_allocator heap = oct_allocator_default();
    const oct_tree_def roomy = oct_tree_def_default();
    oct_array bytes = {0};
    FUZZ_CHECK(oct_map_file_encode(tree, &info, &heap, &bytes, &error) == OCT_OK);
    oct_tree *again;
    oct_tree_info again_info;
    FUZZ_CHECK(oct_map_file_decode(bytes.items, bytes.count, &roomy, &again, &again_info, &error) ==
               OCT_OK);
    fuzz_check_same(tree, &info, again, &again_info);
    fuzz_drop(&bytes);
    oct_tree_destroy(again);
    oct_tree_destroy(tree);
    FUZZ_CHECK(used == 0);
}

static void store(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    decode(data, size);
    if (size >= OCT_MAP_FILE_HEADER) {
        uint8_t *repaired = malloc(size);
        FUZZ_CHECK(repaired);
        memcpy(repaired, data, size);
        store(repaired + OCT_MAP_FILE_CHECKSUM - 8, size - OCT_MAP_FILE_HEADER);
        store(repaired + OCT_MAP_FILE_CHECKSUM, oct_map_file_checksum(repaired, size));
        decode(repaired, size);
        free(repaired);
    }
    return 0;
}
