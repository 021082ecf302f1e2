// SPDX-License-Identifier: MIT
// Maps from and to bytes: the table of formats, and the checks they share.
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/formats_internal.h"

#define INFO_COOKIE 0x0c7a9e02u

typedef struct format_row {
    read_map_fn *read;
    write_map_fn *write;
    int dims; // that a tree must have to be written; 0 = either
    const char *name;
} format_row;

static const format_row formats[OCT_FORMAT_COUNT] = {
    [OCT_FORMAT_3DMAP] = {oct_read_3dmap, oct_write_3dmap, 3, ".3dmap"},
    [OCT_FORMAT_MAP] = {oct_read_map, oct_write_map, 2, ".map"},
    [OCT_FORMAT_BT] = {oct_read_bt, oct_write_bt, 3, ".bt"},
    [OCT_FORMAT_TREE] = {oct_read_tree, oct_write_tree, 0, "tree"},
};

oct_tree_info oct_tree_info_default(void)
{
    return (oct_tree_info){.up = OCT_UP_Z, .id = "OcTree", .cookie = INFO_COOKIE};
}

// Says in words what a format's own code only returned.
static void explain(oct_result result, oct_error *error)
{
    if (error && error->message[0] == '\0') {
        oct_error_set(error, 0, 0, 0, "%s",
                      result == OCT_ERROR_RANGE ? "more nodes than a tree can hold"
                                                : oct_result_text(result));
    }
}

static const uint8_t nothing[1];

// Tidies up after a reader.
static oct_result finish(oct_result result, oct_tree **tree, const oct_tree_info *found,
                         oct_tree_info *info, oct_error *error)
{
    if (result != OCT_OK) {
        oct_tree_destroy(*tree);
        *tree = NULL;
        explain(result, error);
    } else if (info) {
        *info = *found;
    }
    return result;
}

oct_result oct_tree_read(oct_format format, const void *data, size_t size, const oct_tree_def *def,
                         oct_tree **tree, oct_tree_info *info, oct_error *error)
{
    *tree = NULL;
    if (error) {
        *error = (oct_error){0};
    }
    if ((unsigned)format >= OCT_FORMAT_COUNT || !def || (!data && size > 0)) {
        explain(OCT_ERROR_ARGUMENT, error);
        return OCT_ERROR_ARGUMENT;
    }
    oct_tree_info found = oct_tree_info_default();
    const input in = {data ? data : nothing, size};
    return finish(formats[format].read(in, def, tree, &found, error), tree, &found, info, error);
}

oct_result oct_tree_read_pieces(more_bytes_fn *more, void *ctx, const oct_tree_def *def,
                                oct_tree **tree, oct_tree_info *info, oct_error *error)
{
    *tree = NULL;
    oct_tree_info found = oct_tree_info_default();
    const input none = {nothing, 0};
    const oct_result result = oct_read_tree_pieces(none, more, ctx, def, tree, &found, error);
    return finish(result, tree, &found, info, error);
}

oct_result oct_tree_write(oct_format format, const oct_tree *tree, const oct_tree_info *info,
                          oct_write_fn *write, void *ctx, oct_error *error)
{
    if (error) {
        *error = (oct_error){0};
    }
    if ((unsigned)format >= OCT_FORMAT_COUNT || !tree || !info || info->cookie != INFO_COOKIE ||
        !write) {
        explain(OCT_ERROR_ARGUMENT, error);
        return OCT_ERROR_ARGUMENT;
    }
    const format_row *row = &formats[format];
    if (row->dims != 0 && row->dims != tree->dims) {
        oct_error_set(error, 0, 0, 0, "a %s map has %d dimensions, not %d", row->name, row->dims,
                      tree->dims);
        return OCT_ERROR_ARGUMENT;
    }
    sink out;
    oct_sink_open(&out, write, ctx);
    oct_result result = row->write(tree, info, &out, error);
    if (result == OCT_OK) {
        oct_sink_flush(&out);
        result = out.failed ? OCT_ERROR_FILE : OCT_OK;
    }
    if (result != OCT_OK) {
        explain(result, error);
    }
    return result;
}

// ---- sizes in text formats ----

oct_result oct_text_edge(text *in, uint32_t *out, oct_error *error)
{
    text_blanks(in);
    const text here = *in;
    if (!text_number(in, out) || *out < 1 || *out > TEXT_EDGE_MAX) {
        return TEXT_REFUSE(&here, error, "expected a size from 1 to %u", (unsigned)TEXT_EDGE_MAX);
    }
    return OCT_OK;
}

oct_result oct_text_edge_line(text *in, const char *word, uint32_t *out, oct_error *error)
{
    if (!oct_text_word(in, word)) {
        return TEXT_REFUSE(in, error, "expected `%s` and a number", word);
    }
    OCT_TRY(oct_text_edge(in, out, error));
    if (!text_line_end(in)) {
        return TEXT_REFUSE(in, error, "expected the end of the line after the %s", word);
    }
    return OCT_OK;
}

// ---- shared checks ----

static bool edge_fits(int32_t min, int32_t max)
{
    return min >= -OCT_RANGE && max <= OCT_RANGE && min < max &&
           (int64_t)max - min <= (int64_t)TEXT_EDGE_MAX;
}

oct_result oct_check_text_box(const oct_tree *tree, oct_box box, oct_error *error)
{
    if (!edge_fits(box.min.x, box.max.x) || !edge_fits(box.min.y, box.max.y) ||
        (tree->dims == 3 && !edge_fits(box.min.z, box.max.z))) {
        oct_error_set(error, 0, 0, 0, "the edges of the declared box must be from 1 to %u cells",
                      (unsigned)TEXT_EDGE_MAX);
        return OCT_ERROR_RANGE;
    }
    if (oct_tree_labels_in(tree, box) & OCT_HAS_UNKNOWN) {
        oct_error_set(error, 0, 0, 0, "the declared box has UNKNOWN cells, which the format lacks");
        return OCT_ERROR_FORMAT;
    }
    return OCT_OK;
}
