// SPDX-License-Identifier: MIT
// Our own bytes, described in docs/reference/formats.md: everything a tree and an oct_tree_info
// hold, so that reading gives back the very same tree.
//
// A header of 124 bytes, then the nodes depth first in Morton order, one byte each; a brick's byte
// is followed by its two planes. There is exactly one way to write a tree: what could be merged, or
// a root that could be smaller, is refused.
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/formats_internal.h"

#include <math.h>

enum {
    AT_MAGIC = 0,
    AT_VERSION = 4,
    AT_DIMS = 5,
    AT_UP = 6,
    AT_LEFT_HANDED = 7,
    AT_CELL_SIZE = 8,
    AT_ORIGIN = 16,
    AT_BOX = 40,
    AT_ID = 64,
    AT_ROOT_MIN = 96,
    AT_ROOT_LEVEL = 120,
    HEADER_SIZE = 124
};

static const uint8_t tree_magic[4] = {'O', 'c', 't', 'T'};
#define TREE_VERSION 1

// Bytes of nodes. The states 0 to 3 are leaves.
enum { NODE_INNER = 4, NODE_BRICK = 5 };

// ---- reading ----

static int32_t load_int(const uint8_t *at)
{
    return (int32_t)(uint32_t)oct_load_little(at, 4);
}

static int64_t load_long(const uint8_t *at)
{
    return (int64_t)oct_load_little(at, 8);
}

static double load_double(const uint8_t *at)
{
    const uint64_t bits = oct_load_little(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static oct_vec load_vec(const uint8_t *at)
{
    return (oct_vec){load_int(at), load_int(at + 4), load_int(at + 8)};
}

// Printable ASCII, then zeros, at least one.
static bool id_is_valid(const char *id, size_t size)
{
    size_t length = 0;
    while (length < size && id[length] > ' ' && id[length] <= '~') {
        length++;
    }
    bool zeros = length < size;
    for (size_t i = length; i < size; i++) {
        zeros = zeros && id[i] == '\0';
    }
    return zeros;
}

static bool box_is_valid(oct_box box)
{
    return box.min.x >= -OCT_RANGE && box.min.x <= box.max.x && box.max.x <= OCT_RANGE &&
           box.min.y >= -OCT_RANGE && box.min.y <= box.max.y && box.max.y <= OCT_RANGE &&
           box.min.z >= -OCT_RANGE && box.min.z <= box.max.z && box.max.z <= OCT_RANGE;
}

static oct_result read_header(const uint8_t *data, oct_tree_def *def, oct_tree_info *info,
                              oct_error *error)
{
    if (data[AT_DIMS] != 2 && data[AT_DIMS] != 3) {
        return OCT_REFUSE(error, AT_DIMS, "a tree has 2 or 3 dimensions, not %u", data[AT_DIMS]);
    }
    if (data[AT_UP] > OCT_UP_Z || data[AT_LEFT_HANDED] > 1) {
        return OCT_REFUSE(error, AT_UP, "no such axes");
    }
    def->dims = data[AT_DIMS];
    def->cell_size = load_double(data + AT_CELL_SIZE);
    def->origin = (oct_point){load_double(data + AT_ORIGIN), load_double(data + AT_ORIGIN + 8),
                              load_double(data + AT_ORIGIN + 16)};
    if (!isfinite(def->cell_size) || def->cell_size <= 0.0) {
        return OCT_REFUSE(error, AT_CELL_SIZE, "the cell size must be above 0");
    }
    if (!isfinite(def->origin.x) || !isfinite(def->origin.y) || !isfinite(def->origin.z)) {
        return OCT_REFUSE(error, AT_ORIGIN, "the origin must be finite");
    }
    info->up = (oct_up)data[AT_UP];
    info->left_handed = data[AT_LEFT_HANDED] == 1;
    info->box = (oct_box){load_vec(data + AT_BOX), load_vec(data + AT_BOX + 12)};
    const oct_box box = info->box;
    if (!box_is_valid(box) || (def->dims == 2 && (box.min.z != 0 || box.max.z != 1))) {
        return OCT_REFUSE(error, AT_BOX, "no such box");
    }
    memcpy(info->id, data + AT_ID, sizeof info->id);
    if (!id_is_valid(info->id, sizeof info->id)) {
        return OCT_REFUSE(error, AT_ID, "the id must be printable and end in zeros");
    }
    return OCT_OK;
}

typedef struct tree_reader {
    input in;            // what is there of the bytes
    size_t at;           // in it
    uint64_t passed;     // bytes before it
    more_bytes_fn *more; // NULL where there are no more
    void *ctx;
    oct_tree *tree;
    corner root_min;
    oct_error *error;
} tree_reader;

OCT_NO_INLINE static oct_result fetch(tree_reader *reader, size_t count)
{
    while (reader->more && reader->in.size - reader->at < count) {
        const size_t left = reader->in.size - reader->at;
        reader->passed += reader->at;
        reader->in = (input){reader->in.data + reader->at, left};
        reader->at = 0;
        OCT_TRY(reader->more(reader->ctx, &reader->in, reader->error));
        reader->more = reader->in.size > left ? reader->more : NULL;
    }
    return OCT_OK;
}

// Sees to it that so many bytes are there, or all that are left.
OCT_FORCE_INLINE oct_result want(tree_reader *reader, size_t count)
{
    return OCT_LIKELY(reader->in.size - reader->at >= count) ? OCT_OK : fetch(reader, count);
}

static bool axis_in_range(int64_t low, int64_t edge)
{
    return low >= -OCT_RANGE && low + edge <= OCT_RANGE;
}

// Whether all cells of a node lie in the lattice. A brick cannot lie there in part: the root's
// corner is a multiple of its edge.
static bool node_in_range(const tree_reader *reader, rel at, int level)
{
    const int64_t edge = INT64_C(1) << level;
    return axis_in_range(reader->root_min.x + at.x, edge) &&
           axis_in_range(reader->root_min.y + at.y, edge) &&
           (reader->tree->dims == 2 || axis_in_range(reader->root_min.z + at.z, edge));
}

static oct_result read_brick(tree_reader *reader, rel at, uint32_t *word)
{
    const uint64_t start = reader->passed + reader->at - 1;
    OCT_TRY(want(reader, sizeof(brick)));
    if (reader->in.size - reader->at < sizeof(brick)) {
        return OCT_REFUSE(reader->error, reader->passed + reader->in.size,
                          "the data end inside a brick");
    }
    const uint8_t *planes = reader->in.data + reader->at;
    const brick cells = {oct_load_little(planes, 8), oct_load_little(planes + 8, 8)};
    reader->at += sizeof(brick);
    if (brick_is_uniform(cells)) {
        return OCT_REFUSE(reader->error, start, "a brick of equal cells must be a leaf");
    }
    if (!node_in_range(reader, at, brick_level(reader->tree->dims))) {
        return OCT_REFUSE(reader->error, start, "a brick outside the lattice");
    }
    return oct_tree_pack(reader->tree, cells, word);
}

static oct_result read_node(tree_reader *reader, rel at, int level, uint32_t *word)
{
    const int dims = reader->tree->dims;
    OCT_TRY(want(reader, 1));
    const uint64_t start = reader->passed + reader->at;
    if (reader->at == reader->in.size) {
        return OCT_REFUSE(reader->error, start, "the data end inside the tree");
    }
    const uint8_t kind = reader->in.data[reader->at++];
    if (kind < NODE_INNER) {
        if (kind != 0 && !node_in_range(reader, at, level)) {
            return OCT_REFUSE(reader->error, start, "a leaf outside the lattice");
        }
        *word = word_leaf(kind);
        return OCT_OK;
    }
    if (kind == NODE_BRICK && level == brick_level(dims)) {
        return read_brick(reader, at, word);
    }
    if (kind != NODE_INNER || level == brick_level(dims)) {
        return OCT_REFUSE(reader->error, start, "no node of level %d starts with %u", level, kind);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 1u << dims; i++) {
        OCT_TRY(read_node(reader, child_position(dims, at, level, i), level - 1, &children[i]));
    }
    OCT_TRY(oct_tree_join(reader->tree, children, word));
    if (word_kind(*word) == KIND_LEAF) {
        return OCT_REFUSE(reader->error, start, "a node of equal leaves must be a leaf");
    }
    return OCT_OK;
}

// A root that holds a cell of the lattice begins at most 2^32 cells before it.
static bool corner_is_valid(int dims, corner min)
{
    const int64_t low = (INT64_C(1) << brick_level(dims)) - 1;
    const int64_t far = INT64_C(1) << (OCT_LEVEL_MAX + 1);
    return ((min.x | min.y | min.z) & low) == 0 && min.x >= -far && min.x <= far && min.y >= -far &&
           min.y <= far && min.z >= -far && min.z <= far && (dims == 3 || min.z == 0);
}

static oct_result read_nodes(tree_reader *reader, uint64_t level)
{
    oct_tree *tree = reader->tree;
    const corner min = reader->root_min;
    if (!corner_is_valid(tree->dims, min)) {
        return OCT_REFUSE(reader->error, AT_ROOT_MIN, "no root can lie there");
    }
    if (level < (uint64_t)brick_level(tree->dims) || level > OCT_LEVEL_MAX) {
        return OCT_REFUSE(reader->error, AT_ROOT_LEVEL, "no root has level %llu",
                          (unsigned long long)level);
    }
    uint32_t word;
    OCT_TRY(read_node(reader, (rel){0, 0, 0}, (int)level, &word));
    OCT_TRY(want(reader, 1));
    if (reader->at < reader->in.size) {
        return OCT_REFUSE(reader->error, reader->passed + reader->at,
                          "the data go on after the tree");
    }
    oct_tree_plant(tree, word, (int)level, min);
    if ((uint64_t)tree->root_level != level || tree->root_min.x != min.x ||
        tree->root_min.y != min.y || tree->root_min.z != min.z) {
        return OCT_REFUSE(reader->error, AT_ROOT_MIN,
                          "the root must be as small as its cells allow");
    }
    return OCT_OK;
}

oct_result oct_read_tree_pieces(input here, more_bytes_fn *more, void *ctx, const oct_tree_def *def,
                                oct_tree **tree, oct_tree_info *info, oct_error *error)
{
    tree_reader reader = {.in = here, .more = more, .ctx = ctx, .error = error};
    OCT_TRY(want(&reader, HEADER_SIZE));
    const uint8_t *const data = reader.in.data;
    const size_t magic = reader.in.size < sizeof tree_magic ? reader.in.size : sizeof tree_magic;
    if (magic == 0 || memcmp(data, tree_magic, magic) != 0) {
        return OCT_REFUSE(error, AT_MAGIC, "not an Octant tree");
    }
    if (reader.in.size < HEADER_SIZE) {
        return OCT_REFUSE(error, reader.in.size, "the data end inside the header");
    }
    if (data[AT_VERSION] != TREE_VERSION) {
        return OCT_REFUSE(error, AT_VERSION, "version %u is not known, only version %d",
                          data[AT_VERSION], TREE_VERSION);
    }
    oct_tree_def own = *def;
    OCT_TRY(read_header(data, &own, info, error));
    OCT_TRY(oct_tree_create(&own, tree));
    const uint8_t *const min = data + AT_ROOT_MIN;
    reader.tree = *tree;
    reader.root_min = (corner){load_long(min), load_long(min + 8), load_long(min + 16)};
    reader.at = HEADER_SIZE;
    return read_nodes(&reader, oct_load_little(data + AT_ROOT_LEVEL, 4));
}

oct_result oct_read_tree(input in, const oct_tree_def *def, oct_tree **tree, oct_tree_info *info,
                         oct_error *error)
{
    return oct_read_tree_pieces(in, NULL, NULL, def, tree, info, error);
}

// ---- writing ----

static void write_double(sink *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sink_little(out, bits, 8);
}

static void write_vec(sink *out, oct_vec vec)
{
    sink_little(out, (uint32_t)vec.x, 4);
    sink_little(out, (uint32_t)vec.y, 4);
    sink_little(out, (uint32_t)vec.z, 4);
}

static void write_node(const oct_tree *tree, uint32_t word, sink *out)
{
    if (word_kind(word) == KIND_LEAF) {
        sink_byte(out, (uint8_t)word_index(word));
    } else if (word_kind(word) == KIND_BRICK) {
        const brick cells = *tree_brick(tree, word_index(word));
        sink_byte(out, NODE_BRICK);
        sink_little(out, cells.known, 8);
        sink_little(out, cells.blocked, 8);
    } else {
        const uint32_t *children = tree_siblings(tree, tree->dims, word_index(word));
        sink_byte(out, NODE_INNER);
        for (uint32_t i = 0; i < 1u << tree->dims && !out->failed; i++) {
            write_node(tree, children[i], out);
        }
    }
}

// What is written of an info: at two dimensions no z, and no bytes after the end of the id.
static oct_tree_info normal_info(const oct_tree_info *info, int dims)
{
    oct_tree_info normal = *info;
    if (dims == 2) {
        normal.box.min.z = 0;
        normal.box.max.z = 1;
    }
    const char *end = memchr(info->id, '\0', sizeof info->id);
    if (end) {
        const size_t length = (size_t)(end - info->id);
        memset(normal.id + length, 0, sizeof normal.id - length);
    }
    return normal;
}

static void write_header(const oct_tree *tree, const oct_tree_info *info, sink *out)
{
    for (size_t i = 0; i < sizeof tree_magic; i++) {
        sink_byte(out, tree_magic[i]);
    }
    sink_byte(out, TREE_VERSION);
    sink_byte(out, (uint8_t)tree->dims);
    sink_byte(out, (uint8_t)info->up);
    sink_byte(out, info->left_handed);
    write_double(out, tree->cell_size);
    write_double(out, tree->origin.x);
    write_double(out, tree->origin.y);
    write_double(out, tree->origin.z);
    write_vec(out, info->box.min);
    write_vec(out, info->box.max);
    for (size_t i = 0; i < sizeof info->id; i++) {
        sink_byte(out, (uint8_t)info->id[i]);
    }
    // An emptied tree's root may still lie where it was; all empty trees are written alike.
    const bool empty = tree_is_empty(tree);
    const corner min = empty ? (corner){0, 0, 0} : tree->root_min;
    sink_little(out, (uint64_t)min.x, 8);
    sink_little(out, (uint64_t)min.y, 8);
    sink_little(out, (uint64_t)min.z, 8);
    sink_little(out, (uint64_t)(empty ? brick_level(tree->dims) : tree->root_level), 4);
}

oct_result oct_write_tree(const oct_tree *tree, const oct_tree_info *info, sink *out,
                          oct_error *error)
{
    const oct_tree_info normal = normal_info(info, tree->dims);
    if (!box_is_valid(normal.box) || !id_is_valid(normal.id, sizeof normal.id) ||
        (unsigned)normal.up > OCT_UP_Z) {
        oct_error_set(error, 0, 0, 0, "the map's info has a bad box, id or axis");
        return OCT_ERROR_ARGUMENT;
    }
    write_header(tree, &normal, out);
    write_node(tree, tree->root, out);
    return OCT_OK;
}
