// SPDX-License-Identifier: MIT
// Data files and the checking allocator of the tests.
//
// A block is laid out as  slack | header | the caller's bytes | guard.  The header sits
// right before the caller's bytes, so that freeing finds it from the pointer alone.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool test_data_path(const char *relative, char *out, size_t size)
{
    const char *folder = getenv("OCTANT_DATA");
    if (!folder || !*folder) {
        folder = OCT_SOURCE_DIR "/../shared/data";
    }
    const int length = snprintf(out, size, "%s/%s", folder, relative);
    FILE *file = length >= 0 && (size_t)length < size ? fopen(out, "rb") : NULL;
    if (!file) {
        printf("skipped: no data file %s\n", relative);
        return false;
    }
    fclose(file);
    return true;
}

void *test_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("cannot open %s", path);
    }
    fseek(file, 0, SEEK_END);
    const long end = ftell(file);
    assert_true(end >= 0);
    rewind(file);
    *size = (size_t)end;
    void *bytes = malloc(end > 0 ? (size_t)end : 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

uint64_t test_hash_add(uint64_t hash, const void *numbers, size_t count, size_t width)
{
    const uint16_t one = 1;
    const bool lowest_first = *(const uint8_t *)&one == 1;
    const uint8_t *at = numbers;
    for (size_t i = 0; i < count; i++, at += width) {
        for (size_t k = 0; k < width; k++) {
            const uint8_t byte = at[lowest_first ? k : width - 1 - k];
            hash = (hash ^ byte) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

#define MARK UINT64_C(0x6f6374616e74a55a)
#define FILL 0xa5
#define GUARD 0x5a
#define GUARD_SIZE 16
// Larger requests are refused here: under a sanitizer malloc would end the program.
#define LARGEST (SIZE_MAX / 4 < UINT32_MAX ? SIZE_MAX / 4 : UINT32_MAX)

typedef struct block_header {
    void *raw; // what malloc returned
    size_t size;
    uint64_t mark;
} block_header;

static void *memory_alloc(void *ctx, size_t size, size_t align)
{
    test_allocator *memory = ctx;
    assert_true(size > 0);
    assert_true(align > 0 && (align & (align - 1)) == 0);
    if (memory->allocations++ == memory->fail_at) {
        memory->refused = true;
        return NULL;
    }
    const size_t extra = sizeof(block_header) + 2 * align + GUARD_SIZE;
    char *raw = size <= LARGEST ? malloc(size + extra) : NULL;
    if (!raw) {
        memory->refused = true;
        return NULL;
    }
    // The first odd multiple of the alignment that leaves room for the header.
    const uintptr_t least = (uintptr_t)raw + sizeof(block_header);
    const uintptr_t start = ((least + 3 * align - 1) & ~(uintptr_t)(2 * align - 1)) - align;
    char *bytes = raw + (start - (uintptr_t)raw);
    const block_header header = {raw, size, MARK};
    memcpy(bytes - sizeof header, &header, sizeof header);
    memset(bytes, FILL, size);
    memset(bytes + size, GUARD, GUARD_SIZE);
    memory->live_blocks++;
    memory->live_bytes += size;
    if (memory->peak_bytes < memory->live_bytes) {
        memory->peak_bytes = memory->live_bytes;
    }
    return bytes;
}

static void memory_free(void *ctx, void *ptr, size_t size)
{
    test_allocator *memory = ctx;
    assert_non_null(ptr);
    const char *bytes = ptr;
    block_header header;
    memcpy(&header, bytes - sizeof header, sizeof header);
    assert_true(header.mark == MARK);
    assert_int_equal(size, header.size);
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        assert_int_equal((unsigned char)bytes[size + i], GUARD);
    }
    memory->live_blocks--;
    memory->live_bytes -= size;
    free(header.raw);
}

void test_allocator_init(test_allocator *memory, size_t fail_at)
{
    *memory =
        (test_allocator){.allocator = {memory_alloc, memory_free, memory}, .fail_at = fail_at};
}

void test_allocator_check_empty(const test_allocator *memory)
{
    assert_int_equal(memory->live_blocks, 0);
    assert_int_equal(memory->live_bytes, 0);
}

#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SLOW true
#else
#define IS_SLOW false
#endif

bool test_is_slow(void)
{
    return IS_SLOW;
}

uint64_t test_rounds(uint64_t count)
{
    const uint64_t share = getenv("OCTANT_SOAK") ? 1 : IS_SLOW ? 8 : 3;
    return (count + share - 1) / share;
}

size_t test_each_failure(test_body *body, void *ctx)
{
    for (size_t fail_at = 0;; fail_at++) {
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        const oct_result result = body(&memory.allocator, ctx);
        if (result != (memory.refused ? OCT_ERROR_MEMORY : OCT_OK)) {
            fail_msg("refusing allocation %zu gave: %s", fail_at, oct_result_text(result));
        }
        test_allocator_check_empty(&memory);
        if (!memory.refused) {
            return memory.allocations;
        }
    }
}
