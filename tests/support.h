// SPDX-License-Identifier: MIT
// What all test executables share: cmocka, data files, and an allocator that counts, checks and
// fails on command.
#ifndef OCTANT_TESTS_SUPPORT_H
#define OCTANT_TESTS_SUPPORT_H

// cmocka wants these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "octant/base.h"

// The path of a file in the data folder: OCTANT_DATA, else ../shared/data beside the source tree.
// Where the file cannot be read it prints "skipped: ..." and returns false: call skip().
bool test_data_path(const char *relative, char *out, size_t size);

// A whole file in exactly as much memory as it needs, so that a sanitizer sees every overrun. Fails
// the test where it cannot be read. The caller frees it.
void *test_read_file(const char *path, size_t *size);

// Numbers of `width` bytes each, added to a hash (FNV-1a): the same hash from machines of both byte
// orders, so that it can be written down. Of a struct, add every field.
#define TEST_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t test_hash_add(uint64_t hash, const void *numbers, size_t count, size_t width);

// How many random worlds, of so many, a costly property is tried on: a third where the code is
// optimised, by both compilers; an eighth where it is not, and under the sanitizers, which make
// it as slow; all of them where OCTANT_SOAK is set (make soak). The one place to turn when the
// tests take too long.
uint64_t test_rounds(uint64_t count);

// Whether this build is a slow one: not optimised, or under a sanitizer.
bool test_is_slow(void);

// Memory that is full of rubbish, aligned no better than asked for, and must come back with its own
// size and nothing written beyond it. Counts everything and refuses one allocation on command.
// Pass &memory.allocator; the struct must not move.
typedef struct test_allocator {
    oct_allocator allocator;
    size_t live_blocks; // not yet freed
    size_t live_bytes;
    size_t peak_bytes;  // the most that was ever live
    size_t allocations; // asked for so far, the refused one included
    size_t fail_at;     // which allocation is refused, from 0; SIZE_MAX = none
    bool refused;       // whether one was
} test_allocator;

#define TEST_NEVER SIZE_MAX

void test_allocator_init(test_allocator *memory, size_t fail_at);

// Fails the test if a block is still live.
void test_allocator_check_empty(const test_allocator *memory);

// Something that allocates, and gives everything back before it returns.
typedef oct_result test_body(const oct_allocator *allocator, void *ctx);

// Runs a body with allocation 0, 1, 2, ... refused, until it needs no more. A refusal must come
// back as OCT_ERROR_MEMORY, the last run as OCT_OK, and no run may leak. Returns the allocations of
// the last run.
size_t test_each_failure(test_body *body, void *ctx);

#endif
