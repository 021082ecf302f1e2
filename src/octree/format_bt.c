// SPDX-License-Identifier: MIT
// OctoMap's binary occupancy trees (.bt): a text header, then a 16-bit word for every inner node,
// depth first, with two bits for each child: unknown, free leaf, occupied leaf, inner.
//
// The file's tree has 16 levels over cells from -32768 to 32767. It and ours nest alike, so both
// ways are one walk; the two levels inside a brick are a byte of the planes each child. A tree of
// ours whose root lies elsewhere on the lattice is first copied to where the file wants it.
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/formats_internal.h"

#include <math.h>

#define BT_LEVEL 16
#define BT_MIN (-32768)
#define BT_FIRST_LINE "# Octomap OcTree binary file\n"

enum { CODE_UNKNOWN = 0, CODE_FREE = 1, CODE_OCCUPIED = 2, CODE_INNER = 3 };

// The kinds of tree that OctoMap reads from this format.
static const char *const bt_ids[] = {"OcTree", "ColorOcTree", "OcTreeStamped"};

static bool id_is_known(const char *id)
{
    bool known = false;
    for (size_t i = 0; i < sizeof bt_ids / sizeof *bt_ids; i++) {
        known = known || strcmp(id, bt_ids[i]) == 0;
    }
    return known;
}

// ---- reading ----

enum { FIELD_ID = 1, FIELD_SIZE = 2, FIELD_RES = 4, FIELD_ALL = 7 };

typedef struct bt_header {
    char id[32];
    uint64_t size; // nodes
    double res;    // metres
    unsigned found;
} bt_header;

static oct_result read_id(text *in, bt_header *header, oct_error *error)
{
    for (size_t i = 0; i < sizeof bt_ids / sizeof *bt_ids; i++) {
        if (oct_text_word(in, bt_ids[i])) {
            memcpy(header->id, bt_ids[i], strlen(bt_ids[i]) + 1u);
            return OCT_OK;
        }
    }
    return TEXT_REFUSE(in, error, "expected OcTree, ColorOcTree or OcTreeStamped");
}

// Larger than text_number takes: a file may well have more than 10^9 nodes.
static oct_result read_size(text *in, bt_header *header, oct_error *error)
{
    enum { DIGITS_MAX = 18 };
    const char *at = in->at;
    while (at < in->end && at - in->at <= DIGITS_MAX && (uint32_t)*at - '0' < 10u) {
        header->size = header->size * 10u + ((uint32_t)*at++ - '0');
    }
    if (at == in->at || at - in->at > DIGITS_MAX) {
        return TEXT_REFUSE(in, error, "expected the number of nodes");
    }
    in->at = at;
    return OCT_OK;
}

static oct_result read_res(text *in, bt_header *header, oct_error *error)
{
    const text here = *in;
    if (!oct_text_decimal(in, &header->res) || !isfinite(header->res) || header->res <= 0.0) {
        return TEXT_REFUSE(&here, error, "expected the edge of a cell, a number above 0");
    }
    return OCT_OK;
}

typedef struct bt_field {
    const char *word;
    unsigned bit;
    oct_result (*read)(text *in, bt_header *header, oct_error *error);
} bt_field;

static oct_result read_field(text *in, bt_header *header, oct_error *error)
{
    static const bt_field fields[] = {
        {"id", FIELD_ID, read_id}, {"size", FIELD_SIZE, read_size}, {"res", FIELD_RES, read_res}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const text here = *in;
        if (!oct_text_word(in, fields[i].word)) {
            continue;
        }
        if (header->found & fields[i].bit) {
            return TEXT_REFUSE(&here, error, "a second `%s`", fields[i].word);
        }
        header->found |= fields[i].bit;
        text_blanks(in);
        OCT_TRY(fields[i].read(in, header, error));
        if (!text_line_end(in)) {
            return TEXT_REFUSE(in, error, "expected the end of the line");
        }
        return OCT_OK;
    }
    return TEXT_REFUSE(in, error, "expected `id`, `size`, `res` or `data`");
}

static oct_result read_header(text *in, bt_header *header, oct_error *error)
{
    const size_t first = strlen(BT_FIRST_LINE);
    if ((size_t)(in->end - in->at) < first || memcmp(in->at, BT_FIRST_LINE, first) != 0) {
        return TEXT_REFUSE(in, error, "expected `# Octomap OcTree binary file`");
    }
    while (!oct_text_word(in, "data")) {
        if (in->at < in->end && *in->at == '#') {
            while (in->at < in->end && *in->at != '\n') {
                in->at++;
            }
            text_line_end(in);
        } else {
            OCT_TRY(read_field(in, header, error));
        }
    }
    if (header->found != FIELD_ALL) {
        return TEXT_REFUSE(in, error, "`id`, `size` and `res` must come before `data`");
    }
    // What follows is binary: a blank or a missing end of line would be taken for nodes.
    if (in->at == in->end || *in->at != '\n') {
        return TEXT_REFUSE(in, error, "expected the end of the line after `data`");
    }
    in->at++;
    return OCT_OK;
}

typedef struct bt_reader {
    input in;
    size_t at;
    uint64_t nodes; // that the words so far stand for
    oct_tree *tree;
    oct_error *error;
} bt_reader;

// The codes of a node's children. Every child but an unknown one is a node of the file.
static oct_result read_codes(bt_reader *reader, uint32_t *codes)
{
    if (reader->in.size - reader->at < 2) {
        return OCT_REFUSE(reader->error, reader->at, "the data end inside the tree");
    }
    const uint8_t *at = reader->in.data + reader->at;
    *codes = at[0] | (uint32_t)at[1] << 8;
    reader->at += 2;
    reader->nodes += oct_bit_count((*codes | *codes >> 1) & 0x5555u);
    return OCT_OK;
}

static uint32_t leaf_state(uint32_t code)
{
    return code == CODE_OCCUPIED ? STATE_KNOWN | STATE_BLOCKED : code;
}

// Eight cells: one byte of each plane.
static oct_result read_octant(bt_reader *reader, uint32_t *known, uint32_t *blocked)
{
    uint32_t codes;
    OCT_TRY(read_codes(reader, &codes));
    *known = *blocked = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t code = codes >> (2u * i) & 3u;
        if (code == CODE_INNER) {
            return OCT_REFUSE(reader->error, reader->at - 2, "a node below the deepest level");
        }
        *known |= (uint32_t)(code != CODE_UNKNOWN) << i;
        *blocked |= (uint32_t)(code == CODE_OCCUPIED) << i;
    }
    return OCT_OK;
}

static oct_result read_brick(bt_reader *reader, uint32_t *word)
{
    uint32_t codes;
    OCT_TRY(read_codes(reader, &codes));
    brick cells = {0, 0};
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t code = codes >> (2u * i) & 3u;
        uint32_t known = code != CODE_UNKNOWN ? 0xffu : 0u;
        uint32_t blocked = code == CODE_OCCUPIED ? 0xffu : 0u;
        if (code == CODE_INNER) {
            OCT_TRY(read_octant(reader, &known, &blocked));
        }
        cells.known |= (uint64_t)known << (8u * i);
        cells.blocked |= (uint64_t)blocked << (8u * i);
    }
    return oct_tree_pack(reader->tree, cells, word);
}

static oct_result read_node(bt_reader *reader, int level, uint32_t *word)
{
    if (level == BRICK_LEVEL_3D) {
        return read_brick(reader, word);
    }
    uint32_t codes;
    OCT_TRY(read_codes(reader, &codes));
    uint32_t children[8];
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t code = codes >> (2u * i) & 3u;
        if (code == CODE_INNER) {
            OCT_TRY(read_node(reader, level - 1, &children[i]));
        } else {
            children[i] = word_leaf(leaf_state(code));
        }
    }
    return oct_tree_join(reader->tree, children, word);
}

oct_result oct_read_bt(input in, const oct_tree_def *def, oct_tree **tree, oct_tree_info *info,
                       oct_error *error)
{
    text scanner = text_open(in);
    bt_header header = {0};
    OCT_TRY(read_header(&scanner, &header, error));
    memcpy(info->id, header.id, sizeof info->id);
    oct_tree_def own = *def;
    own.dims = 3;
    own.cell_size = header.res;
    own.origin = (oct_point){0.0, 0.0, 0.0};
    OCT_TRY(oct_tree_create(&own, tree));

    bt_reader reader = {in, (size_t)(scanner.at - scanner.start), 0, *tree, error};
    uint32_t root = word_leaf(0);
    if (header.size > 0) {
        reader.nodes = 1;
        OCT_TRY(read_node(&reader, BT_LEVEL, &root));
    }
    if (reader.at < in.size) {
        return OCT_REFUSE(error, reader.at, "the data go on after the tree");
    }
    if (reader.nodes != header.size) {
        return OCT_REFUSE(error, reader.at, "`size` says %llu nodes, but there are %llu",
                          (unsigned long long)header.size, (unsigned long long)reader.nodes);
    }
    oct_tree_plant(*tree, root, BT_LEVEL, (corner){BT_MIN, BT_MIN, BT_MIN});
    info->box = oct_tree_extent(*tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    return OCT_OK;
}

// ---- writing ----

// A node is a leaf of the file where all its cells have one label: the file does not tell a seen
// BLOCKED cell from an unseen one.
static uint32_t labels_code(oct_labels labels)
{
    switch (labels) {
    case OCT_HAS_UNKNOWN:
        return CODE_UNKNOWN;
    case OCT_HAS_OPEN:
        return CODE_FREE;
    case OCT_HAS_BLOCKED:
        return CODE_OCCUPIED;
    default:
        return CODE_INNER;
    }
}

static oct_labels octant_labels(brick cells, uint32_t i)
{
    const uint32_t known = (uint32_t)(cells.known >> (8u * i)) & 0xffu;
    const uint32_t blocked = (uint32_t)(cells.blocked >> (8u * i)) & 0xffu;
    return (blocked ? OCT_HAS_BLOCKED : 0u) | (known & ~blocked ? OCT_HAS_OPEN : 0u) |
           ((known | blocked) != 0xffu ? OCT_HAS_UNKNOWN : 0u);
}

// A walk that counts nodes and, where there is a sink, writes them.
typedef struct bt_writer {
    const oct_tree *tree;
    sink *out;      // NULL: only count
    uint64_t nodes; // without the root of the file
} bt_writer;

static void write_codes(bt_writer *writer, uint32_t codes)
{
    writer->nodes += oct_bit_count((codes | codes >> 1) & 0x5555u);
    if (writer->out) {
        sink_little(writer->out, codes, 2);
    }
}

static void write_octant(bt_writer *writer, brick cells, uint32_t octant)
{
    uint32_t codes = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const oct_label label = state_label(brick_state(cells, 8u * octant + i));
        codes |= labels_code(1u << label) << (2u * i);
    }
    write_codes(writer, codes);
}

static void write_brick(bt_writer *writer, brick cells)
{
    uint32_t codes = 0;
    for (uint32_t i = 0; i < 8; i++) {
        codes |= labels_code(octant_labels(cells, i)) << (2u * i);
    }
    write_codes(writer, codes);
    for (uint32_t i = 0; i < 8; i++) {
        if ((codes >> (2u * i) & 3u) == CODE_INNER) {
            write_octant(writer, cells, i);
        }
    }
}

// Writes what is below a node of more than one label.
static void write_node(bt_writer *writer, uint32_t word)
{
    if (word_kind(word) == KIND_BRICK) {
        write_brick(writer, *tree_brick(writer->tree, word_index(word)));
        return;
    }
    const uint32_t *children = tree_siblings(writer->tree, 3, word_index(word));
    uint32_t codes = 0;
    for (uint32_t i = 0; i < 8; i++) {
        codes |= labels_code(word_labels(children[i])) << (2u * i);
    }
    write_codes(writer, codes);
    for (uint32_t i = 0; i < 8; i++) {
        if ((codes >> (2u * i) & 3u) == CODE_INNER) {
            write_node(writer, children[i]);
        }
    }
}

// Writes all levels of the file, from its root down to ours at `at` and on. The file has no way to
// say that its root is a leaf; its eight children are then leaves.
static void write_levels(bt_writer *writer, rel at)
{
    const oct_tree *tree = writer->tree;
    const uint32_t top = labels_code(word_labels(tree->root));
    for (int level = BT_LEVEL; level > tree->root_level; level--) {
        const uint32_t code = level - 1 > tree->root_level ? CODE_INNER : top;
        write_codes(writer, code << (2u * child_at(3, level, at)));
    }
    if (top == CODE_INNER) {
        write_node(writer, tree->root);
    } else if (tree->root_level == BT_LEVEL) {
        write_codes(writer, top * 0x5555u);
    }
}

// How many cells an origin lies from 0; false where that is no whole number, or too large to tell.
static bool whole_cells(double origin, double cell_size, int64_t *cells)
{
    const double count = floor(origin / cell_size + 0.5);
    if (fabs(count) > (double)OCT_RANGE || count * cell_size != origin) {
        return false;
    }
    *cells = (int64_t)count;
    return true;
}

typedef struct shift {
    int64_t x, y, z; // cells, from our lattice to the file's, whose lowest cell is 0
} shift;

static oct_result find_shift(const oct_tree *tree, shift *out, oct_error *error)
{
    if (!whole_cells(tree->origin.x, tree->cell_size, &out->x) ||
        !whole_cells(tree->origin.y, tree->cell_size, &out->y) ||
        !whole_cells(tree->origin.z, tree->cell_size, &out->z)) {
        oct_error_set(error, 0, 0, 0,
                      ".bt has no origin, and this one is no whole number of cells");
        return OCT_ERROR_FORMAT;
    }
    out->x -= BT_MIN;
    out->y -= BT_MIN;
    out->z -= BT_MIN;
    const oct_box known = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    const int64_t edge = INT64_C(1) << BT_LEVEL;
    if (known.min.x + out->x < 0 || known.min.y + out->y < 0 || known.min.z + out->z < 0 ||
        known.max.x + out->x > edge || known.max.y + out->y > edge || known.max.z + out->z > edge) {
        oct_error_set(error, 0, 0, 0, ".bt holds cells from -32768 to 32767; the map has others");
        return OCT_ERROR_RANGE;
    }
    return OCT_OK;
}

// Where the root lies in the file; false where it is no node of the file's tree.
static bool root_position(const oct_tree *tree, const shift *by, rel *out)
{
    const int64_t x = tree->root_min.x + by->x;
    const int64_t y = tree->root_min.y + by->y;
    const int64_t z = tree->root_min.z + by->z;
    const int64_t low = (INT64_C(1) << tree->root_level) - 1;
    if (tree->root_level > BT_LEVEL || ((x | y | z) & low) != 0) {
        return false;
    }
    *out = (rel){(uint32_t)x, (uint32_t)y, (uint32_t)z};
    return true;
}

// Builds the node of `level` at `at` in the file from what `from` has there. Only labels are kept.
static oct_result copy_node(const oct_tree *from, const shift *by, oct_tree *to, rel at, int level,
                            uint32_t *word)
{
    const oct_vec min = {(int32_t)(at.x - by->x), (int32_t)(at.y - by->y), (int32_t)(at.z - by->z)};
    const int32_t edge = INT32_C(1) << level;
    const oct_box box = {min, {min.x + edge, min.y + edge, min.z + edge}};
    const oct_labels labels = oct_tree_labels_in(from, box);
    if (labels_code(labels) != CODE_INNER) {
        *word = word_leaf(leaf_state(labels_code(labels)));
        return OCT_OK;
    }
    if (level == BRICK_LEVEL_3D) {
        brick cells = {0, 0};
        for (uint32_t i = 0; i < 64; i++) {
            const rel in = brick_cell(3, (rel){0, 0, 0}, i);
            const oct_vec cell = {min.x + (int32_t)in.x, min.y + (int32_t)in.y,
                                  min.z + (int32_t)in.z};
            const oct_label label = oct_tree_label(from, cell);
            cells.known |= (uint64_t)(label != OCT_UNKNOWN) << i;
            cells.blocked |= (uint64_t)(label == OCT_BLOCKED) << i;
        }
        return oct_tree_pack(to, cells, word);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 8; i++) {
        OCT_TRY(copy_node(from, by, to, child_position(3, at, level, i), level - 1, &children[i]));
    }
    return oct_tree_join(to, children, word);
}

static oct_result copy_aligned(const oct_tree *from, const shift *by, oct_tree **out)
{
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = from->cell_size;
    def.journal = 1;
    def.allocator = &from->allocator;
    OCT_TRY(oct_tree_create(&def, out));
    uint32_t word;
    const oct_result result = copy_node(from, by, *out, (rel){0, 0, 0}, BT_LEVEL, &word);
    if (result != OCT_OK) {
        oct_tree_destroy(*out);
        return result;
    }
    oct_tree_plant(*out, word, BT_LEVEL, (corner){BT_MIN, BT_MIN, BT_MIN});
    return OCT_OK;
}

static void write_file(const oct_tree *tree, const char *id, rel at, sink *out)
{
    bt_writer counter = {tree, NULL, 0};
    bt_writer writer = {tree, out, 0};
    const bool empty = tree_is_empty(tree);
    if (!empty) {
        write_levels(&counter, at);
    }
    oct_sink_text(out, BT_FIRST_LINE
                  "# (feel free to add / change comments, but leave the first line as it is!)\n"
                  "#\nid ");
    oct_sink_text(out, id);
    oct_sink_text(out, "\nsize ");
    oct_sink_number(out, empty ? 0 : counter.nodes + 1u);
    oct_sink_text(out, "\nres ");
    oct_sink_decimal(out, tree->cell_size);
    oct_sink_text(out, "\ndata\n");
    if (!empty) {
        write_levels(&writer, at);
    }
}

oct_result oct_write_bt(const oct_tree *tree, const oct_tree_info *info, sink *out,
                        oct_error *error)
{
    if (!memchr(info->id, '\0', sizeof info->id) || !id_is_known(info->id)) {
        oct_error_set(error, 0, 0, 0, "the id must be OcTree, ColorOcTree or OcTreeStamped");
        return OCT_ERROR_ARGUMENT;
    }
    rel at = {0, 0, 0};
    shift by = {0, 0, 0};
    if (!tree_is_empty(tree)) {
        OCT_TRY(find_shift(tree, &by, error));
    }
    if (tree_is_empty(tree) || root_position(tree, &by, &at)) {
        write_file(tree, info->id, at, out);
        return OCT_OK;
    }
    oct_tree *copy;
    OCT_TRY(copy_aligned(tree, &by, &copy));
    root_position(copy, &(shift){-BT_MIN, -BT_MIN, -BT_MIN}, &at);
    write_file(copy, info->id, at, out);
    oct_tree_destroy(copy);
    return OCT_OK;
}
