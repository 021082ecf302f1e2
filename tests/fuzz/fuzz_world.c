// SPDX-License-Identifier: MIT
// Fuzzes the reader of worlds: ours, and those of Space Engineers. What is accepted must come back
// the same when written and read.
#include "fuzz.h"
#include "io/io_internal.h"

static oct_array encode(const oct_world *world)
{
    oct_array out = {0};
    FUZZ_CHECK(oct_world_encode(world, fuzz_append, &out) == OCT_OK);
    return out;
}

static void check_again(const oct_world *world)
{
    oct_array bytes = encode(world);
    oct_world *again;
    const char *kind;
    oct_error error;
    FUZZ_CHECK(oct_world_decode(bytes.items, bytes.count, NULL, &again, &kind, &error) == OCT_OK);
    FUZZ_CHECK(strcmp(kind, "octant-world") == 0);
    FUZZ_CHECK(oct_world_blocks(again) == oct_world_blocks(world));
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_bounds a = oct_world_get(world, i).box;
        const oct_bounds b = oct_world_get(again, i).box;
        FUZZ_CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
    oct_array again_bytes = encode(again);
    FUZZ_CHECK(bytes.count == again_bytes.count);
    FUZZ_CHECK(memcmp(bytes.items, again_bytes.items, bytes.count) == 0);
    fuzz_drop(&again_bytes);
    fuzz_drop(&bytes);
    oct_world_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_world *world;
    oct_error error = {.line = 0};
    const oct_result result = oct_world_decode(data, size, &limited, &world, NULL, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
        FUZZ_CHECK(!world);
        FUZZ_CHECK(error.message[0] != '\0');
        FUZZ_CHECK(error.offset <= size);
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || size == 0 || error.line > 0);
    } else {
        check_again(world);
        oct_world_destroy(world);
    }
    FUZZ_CHECK(used == 0);
    return 0;
}
