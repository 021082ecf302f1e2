// SPDX-License-Identifier: MIT
// What the fuzz targets share: memory with a limit, and the promises that every reader keeps.
#ifndef OCTANT_TESTS_FUZZ_H
#define OCTANT_TESTS_FUZZ_H

#include "base/base_internal.h"
#include "octant/formats.h"
#include "octant/tree.h"
#include "valid.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Not an assert: it must hold in every build.
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition);        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

// Small inputs may declare large boxes. What they take beyond this is refused, which keeps inputs
// quick and tries the readers' ways out as well. A target may choose another limit.
#ifndef FUZZ_BYTES_MAX
#define FUZZ_BYTES_MAX ((size_t)1 << 20)
#endif

static inline void *fuzz_alloc(void *ctx, size_t size, size_t align)
{
    size_t *used = ctx;
    if (size > FUZZ_BYTES_MAX - *used) {
        return NULL;
    }
    const oct_allocator heap = oct_allocator_default();
    void *memory = heap.alloc(heap.ctx, size, align);
    *used += memory ? size : 0;
    return memory;
}

static inline void fuzz_free(void *ctx, void *memory, size_t size)
{
    size_t *used = ctx;
    FUZZ_CHECK(size <= *used);
    *used -= size;
    const oct_allocator heap = oct_allocator_default();
    heap.free(heap.ctx, memory, size);
}

static inline bool fuzz_append(void *ctx, const void *data, size_t size)
{
    oct_array *out = ctx;
    const oct_allocator heap = oct_allocator_default();
    while (out->capacity - out->count < size) {
        FUZZ_CHECK(oct_array_grow(out, &heap, 1) == OCT_OK);
    }
    memcpy((char *)out->items + out->count, data, size);
    out->count += size;
    return true;
}

static inline oct_array fuzz_write(oct_format format, const oct_tree *tree,
                                   const oct_tree_info *info)
{
    oct_array out = {0};
    oct_error error;
    const oct_result result = oct_tree_write(format, tree, info, fuzz_append, &out, &error);
    FUZZ_CHECK(result == OCT_OK);
    return out;
}

static inline void fuzz_drop(oct_array *bytes)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(bytes, &heap, 1);
}

// A refusal says why and leaves nothing behind.
static inline void fuzz_check_refusal(oct_result result, const oct_tree *tree,
                                      const oct_error *error, size_t used)
{
    FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY ||
               result == OCT_ERROR_RANGE);
    FUZZ_CHECK(!tree);
    FUZZ_CHECK(error->message[0] != '\0');
    FUZZ_CHECK(used == 0);
}

// Two trees are the same where our own bytes of them are.
static inline void fuzz_check_same(const oct_tree *a, const oct_tree_info *a_info,
                                   const oct_tree *b, const oct_tree_info *b_info)
{
    oct_array a_bytes = fuzz_write(OCT_FORMAT_TREE, a, a_info);
    oct_array b_bytes = fuzz_write(OCT_FORMAT_TREE, b, b_info);
    FUZZ_CHECK(a_bytes.count == b_bytes.count);
    FUZZ_CHECK(memcmp(a_bytes.items, b_bytes.items, a_bytes.count) == 0);
    fuzz_drop(&a_bytes);
    fuzz_drop(&b_bytes);
}

// Reads; what is accepted must be a valid tree that comes back the same when written and read.
static inline void fuzz_format(oct_format format, const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_tree_def def = oct_tree_def_default();
    def.allocator = &limited;
    oct_tree *tree;
    oct_tree_info info;
    oct_error error;
    const oct_result result = oct_tree_read(format, data, size, &def, &tree, &info, &error);
    if (result != OCT_OK) {
        fuzz_check_refusal(result, tree, &error, used);
        return;
    }
    FUZZ_CHECK(oct_tree_is_valid(tree));
    oct_array bytes = fuzz_write(format, tree, &info);
    const oct_tree_def roomy = oct_tree_def_default();
    oct_tree *again;
    oct_tree_info again_info;
    FUZZ_CHECK(oct_tree_read(format, bytes.items, bytes.count, &roomy, &again, &again_info, NULL) ==
               OCT_OK);
    fuzz_check_same(tree, &info, again, &again_info);
    fuzz_drop(&bytes);
    oct_tree_destroy(again);
    oct_tree_destroy(tree);
    FUZZ_CHECK(used == 0);
}

#endif
