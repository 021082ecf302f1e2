// SPDX-License-Identifier: MIT
// Fuzzes the reader of saves of Space Engineers, and that of the sizes of blocks: what stands
// before a zero byte is sizes. What is accepted must be the same after writing and reading, and
// whatever pieces it came in.
#include "files/world_sbs.h"
#include "fuzz.h"

static oct_result read_save(const uint8_t *data, size_t size, size_t piece, const oct_world *sizes,
                            const oct_allocator *allocator, oct_world **world, oct_error *error)
{
    const oct_world_extras extras = {.sizes = sizes};
    save_reader *const save = oct_save_create(&extras, allocator, NULL);
    *world = NULL;
    *error = (oct_error){.line = 0};
    if (!save) {
        return OCT_ERROR_MEMORY;
    }
    oct_result result = OCT_OK;
    do {
        const size_t now = size < piece ? size : piece;
        result = oct_save_feed(save, data, now, now == size, world, error);
        data += now;
        size -= now;
    } while (result == OCT_OK && size > 0);
    oct_save_destroy(save);
    return result;
}

static oct_array encode(const oct_world *world)
{
    oct_array out = {0};
    FUZZ_CHECK(oct_world_encode(world, fuzz_append, &out) == OCT_OK);
    return out;
}

static void check_same(const oct_world *a, const oct_world *b)
{
    oct_array x = encode(a), y = encode(b);
    FUZZ_CHECK(x.count == y.count && memcmp(x.items, y.items, x.count) == 0);
    fuzz_drop(&x);
    fuzz_drop(&y);
}

static void check_again(const oct_world *world)
{
    oct_array bytes = encode(world);
    oct_world *again;
    oct_error error;
    FUZZ_CHECK(oct_world_decode(bytes.items, bytes.count, NULL, &again, NULL, &error) == OCT_OK);
    FUZZ_CHECK(oct_world_blocks(again) == oct_world_blocks(world));
    check_same(world, again);
    fuzz_drop(&bytes);
    oct_world_destroy(again);
}

// The sizes before a zero byte, or NULL.
static oct_world *read_sizes(const uint8_t **data, size_t *size)
{
    const uint8_t *const zero = memchr(*data, 0, *size);
    if (!zero) {
        return NULL;
    }
    oct_world *sizes;
    oct_error error = {.line = 0};
    const size_t length = (size_t)(zero - *data);
    const oct_result result = oct_block_sizes_decode(*data, length, NULL, &sizes, &error);
    FUZZ_CHECK(result == OCT_OK ||
               (result == OCT_ERROR_FORMAT && !sizes && error.message[0] && error.line > 0));
    *data = zero + 1;
    *size -= length + 1;
    return sizes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_world *const sizes = read_sizes(&data, &size);
    oct_world *world, *slowly;
    oct_error error, other;
    const oct_result result = read_save(data, size, SIZE_MAX, sizes, &limited, &world, &error);
    const oct_result again = read_save(data, size, 7, sizes, &limited, &slowly, &other);
    FUZZ_CHECK((result == OCT_OK) == (world != NULL));
    if (result == OCT_OK) {
        FUZZ_CHECK(again == OCT_OK);
        check_same(world, slowly);
        check_again(world);
    } else {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || (error.message[0] && error.line > 0));
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || error.offset <= size);
    }
    oct_world_destroy(slowly);
    oct_world_destroy(world);
    oct_world_destroy(sizes);
    FUZZ_CHECK(used == 0);
    return 0;
}
