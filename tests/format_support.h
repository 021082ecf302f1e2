// SPDX-License-Identifier: MIT
// What the tests of the formats share: reading and writing in memory, refusals, random worlds.
#ifndef OCTANT_TESTS_FORMAT_SUPPORT_H
#define OCTANT_TESTS_FORMAT_SUPPORT_H

#include "octant/formats.h"
#include "octant/tree.h"
#include "support.h"

#include "octree/formats_internal.h"
#include "valid.h"

#include <stdlib.h>

// Bytes that a writer handed over.
typedef struct output {
    char *data;
    size_t size;
    size_t refuse_after; // calls that are accepted
} output;

static inline bool collect(void *ctx, const void *data, size_t size)
{
    output *out = ctx;
    if (out->refuse_after == 0) {
        return false;
    }
    out->refuse_after--;
    out->data = realloc(out->data, out->size + size);
    assert_non_null(out->data);
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return true;
}

static inline output written(oct_format format, const oct_tree *tree, const oct_tree_info *info)
{
    output out = {NULL, 0, SIZE_MAX};
    oct_error error;
    if (oct_tree_write(format, tree, info, collect, &out, &error) != OCT_OK) {
        fail_msg("not written: %s", error.message);
    }
    return out;
}

static inline oct_tree *read_bytes(oct_format format, const void *data, size_t size,
                                   oct_tree_info *info)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    oct_error error;
    if (oct_tree_read(format, data, size, &def, &tree, info, &error) != OCT_OK) {
        fail_msg("not read: %u:%u, byte %llu: %s", error.line, error.column,
                 (unsigned long long)error.offset, error.message);
    }
    assert_true(oct_tree_is_valid(tree));
    return tree;
}

static inline oct_tree *read_text(oct_format format, const char *words, oct_tree_info *info)
{
    return read_bytes(format, words, strlen(words), info);
}

// Two trees hold the same where our own bytes of them are equal.
static inline void assert_same_tree(const oct_tree *a, const oct_tree *b)
{
    const oct_tree_info info = oct_tree_info_default();
    const output a_bytes = written(OCT_FORMAT_TREE, a, &info);
    const output b_bytes = written(OCT_FORMAT_TREE, b, &info);
    assert_int_equal(a_bytes.size, b_bytes.size);
    assert_memory_equal(a_bytes.data, b_bytes.data, a_bytes.size);
    free(a_bytes.data);
    free(b_bytes.data);
}

typedef struct refusal {
    const char *data;
    size_t size; // 0 = up to the end of the string
    uint64_t offset;
    uint32_t line, column;
    const char *message; // a part of it
} refusal;

static inline void assert_refused(oct_format format, const refusal *bad)
{
    const size_t size = bad->size ? bad->size : strlen(bad->data);
    // In memory of its own, so that a sanitizer sees what is read beyond the end.
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bad->data, size);
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree = (oct_tree *)copy;
    oct_error error;
    assert_int_equal(oct_tree_read(format, copy, size, &def, &tree, NULL, &error),
                     OCT_ERROR_FORMAT);
    assert_null(tree);
    if (!strstr(error.message, bad->message)) {
        fail_msg("\"%s\" is not in \"%s\"", bad->message, error.message);
    }
    assert_int_equal(error.line, bad->line);
    assert_int_equal(error.column, bad->column);
    assert_int_equal(error.offset, bad->offset);
    assert_int_equal(oct_tree_read(format, copy, size, &def, &tree, NULL, NULL), OCT_ERROR_FORMAT);
    free(copy);
}

static inline void assert_label(const oct_tree *tree, int32_t x, int32_t y, int32_t z,
                                oct_label label)
{
    assert_int_equal(oct_tree_label(tree, (oct_vec){x, y, z}), label);
}

static inline oct_tree *new_tree(uint32_t dims)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = dims;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    return tree;
}

static inline oct_box random_box(oct_random *random, oct_box within, int32_t edge_max)
{
    const oct_vec min = {oct_random_range(random, within.min.x, within.max.x - 1),
                         oct_random_range(random, within.min.y, within.max.y - 1),
                         oct_random_range(random, within.min.z, within.max.z - 1)};
    return (oct_box){min,
                     {min.x + oct_random_range(random, 1, edge_max),
                      min.y + oct_random_range(random, 1, edge_max),
                      min.z + oct_random_range(random, 1, edge_max)}};
}

static inline void mark_random(oct_random *random, oct_tree *tree, oct_box within, int32_t edge_max,
                               oct_mark marks, int edits)
{
    for (int i = 0; i < edits; i++) {
        const oct_mark mark = (oct_mark)oct_random_below(random, (uint64_t)marks);
        assert_int_equal(oct_tree_set_box(tree, random_box(random, within, edge_max), mark),
                         OCT_OK);
    }
}

#endif
