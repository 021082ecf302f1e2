// SPDX-License-Identifier: MIT
// Moving AI grid maps, two dimensions: four header lines, then a row of characters for every y.
//
// All rows are checked first, so that an error has its line and column; then bricks of 8x8 cells
// are taken straight from the text and joined upwards.
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/formats_internal.h"

typedef struct grid {
    const char **rows; // where each row starts
    uint32_t width, height;
} grid;

// ---- reading ----

enum { CELL_BAD, CELL_OPEN, CELL_BLOCKED };

// Swamp can be walked, water cannot: who plans for other movers reads the file their own way.
static const uint8_t cell_kinds[256] = {
    ['.'] = CELL_OPEN,    ['G'] = CELL_OPEN,    ['S'] = CELL_OPEN,    ['@'] = CELL_BLOCKED,
    ['O'] = CELL_BLOCKED, ['T'] = CELL_BLOCKED, ['W'] = CELL_BLOCKED,
};

static oct_result read_header(text *in, grid *map, oct_error *error)
{
    if (!oct_text_word(in, "type")) {
        return TEXT_REFUSE(in, error, "expected `type octile`");
    }
    text_blanks(in);
    if (!oct_text_word(in, "octile") || !text_line_end(in)) {
        return TEXT_REFUSE(in, error, "expected `octile`, the only type there is");
    }
    OCT_TRY(oct_text_edge_line(in, "height", &map->height, error));
    OCT_TRY(oct_text_edge_line(in, "width", &map->width, error));
    if (!oct_text_word(in, "map") || !text_line_end(in)) {
        return TEXT_REFUSE(in, error, "expected `map` on a line of its own");
    }
    if ((uint64_t)(in->end - in->at) / map->width < map->height) {
        return TEXT_REFUSE(in, error, "%u rows of %u cells do not fit in what follows",
                           (unsigned)map->height, (unsigned)map->width);
    }
    return OCT_OK;
}

static oct_result read_row(text *in, const grid *map, uint32_t y, oct_error *error)
{
    if (in->at == in->end) {
        return TEXT_REFUSE(in, error, "row %u of %u is missing", (unsigned)y + 1u,
                           (unsigned)map->height);
    }
    map->rows[y] = in->at;
    for (uint32_t x = 0; x < map->width; x++, in->at++) {
        if (in->at == in->end || *in->at == '\n' || *in->at == '\r') {
            return TEXT_REFUSE(in, error, "the row has %u cells, not %u", (unsigned)x,
                               (unsigned)map->width);
        }
        if (cell_kinds[(uint8_t)*in->at] == CELL_BAD) {
            return TEXT_REFUSE(in, error, "expected a cell, one of . G S @ O T W");
        }
    }
    if (!text_line_end(in)) {
        return TEXT_REFUSE(in, error, "the row has more than %u cells", (unsigned)map->width);
    }
    return OCT_OK;
}

static brick gather_brick(const grid *map, rel at)
{
    const span box = {{0, 0, 0}, {map->width - 1u, map->height - 1u, 0}};
    brick cells = {span_mask(2, &box, at), 0};
    for (uint64_t left = cells.known; left; left &= left - 1u) {
        const uint32_t i = oct_lowest_bit(left);
        const rel cell = brick_cell(2, at, i);
        const uint8_t c = (uint8_t)map->rows[cell.y][cell.x];
        cells.blocked |= (uint64_t)(cell_kinds[c] == CELL_BLOCKED) << i;
    }
    return cells;
}

// Builds the node of `level` at `at`.
static oct_result build(oct_tree *tree, const grid *map, rel at, int level, uint32_t *word)
{
    if (at.x >= map->width || at.y >= map->height) {
        *word = word_leaf(0);
        return OCT_OK;
    }
    if (level == BRICK_LEVEL_2D) {
        return oct_tree_pack(tree, gather_brick(map, at), word);
    }
    uint32_t children[4];
    for (uint32_t child = 0; child < 4; child++) {
        OCT_TRY(build(tree, map, child_position(2, at, level, child), level - 1, &children[child]));
    }
    return oct_tree_join(tree, children, word);
}

static oct_result read_and_build(text *in, const grid *map, oct_tree *tree, oct_error *error)
{
    for (uint32_t y = 0; y < map->height; y++) {
        OCT_TRY(read_row(in, map, y, error));
    }
    OCT_TRY(oct_text_end(in, error));
    const int levels = (int)oct_bit_length((map->width - 1u) | (map->height - 1u));
    const int level = levels > BRICK_LEVEL_2D ? levels : BRICK_LEVEL_2D;
    uint32_t word;
    OCT_TRY(build(tree, map, (rel){0, 0, 0}, level, &word));
    oct_tree_plant(tree, word, level, (corner){0, 0, 0});
    return OCT_OK;
}

oct_result oct_read_map(input in, const oct_tree_def *def, oct_tree **tree, oct_tree_info *info,
                        oct_error *error)
{
    text scanner = text_open(in);
    grid map = {0};
    OCT_TRY(read_header(&scanner, &map, error));
    oct_tree_def own = *def;
    own.dims = 2;
    OCT_TRY(oct_tree_create(&own, tree));
    info->box.max = (oct_vec){(int32_t)map.width, (int32_t)map.height, 1};

    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    const size_t size = map.height * sizeof *map.rows;
    map.rows = oct_alloc(&allocator, size, _Alignof(const char *));
    if (!map.rows) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result = read_and_build(&scanner, &map, *tree, error);
    oct_free(&allocator, (void *)map.rows, size);
    return result;
}

// ---- writing ----

typedef struct row_writer {
    int32_t next, end; // cells of the row that are not yet written
    sink *out;
} row_writer;

// Writes what is open before a BLOCKED leaf, then the leaf's part of the row.
static bool write_run(void *ctx, const oct_leaf *leaf)
{
    row_writer *row = ctx;
    const int64_t leaf_end = (int64_t)leaf->x + (INT64_C(1) << leaf->level);
    const int32_t start = leaf->x > row->next ? leaf->x : row->next;
    const int32_t end = leaf_end < row->end ? (int32_t)leaf_end : row->end;
    oct_sink_fill(row->out, '.', (uint64_t)(start - row->next));
    oct_sink_fill(row->out, '@', (uint64_t)(end - start));
    row->next = end;
    return !row->out->failed;
}

oct_result oct_write_map(const oct_tree *tree, const oct_tree_info *info, sink *out,
                         oct_error *error)
{
    const oct_box box = info->box;
    OCT_TRY(oct_check_text_box(tree, box, error));
    oct_sink_text(out, "type octile\nheight ");
    oct_sink_number(out, (uint64_t)(box.max.y - box.min.y));
    oct_sink_text(out, "\nwidth ");
    oct_sink_number(out, (uint64_t)(box.max.x - box.min.x));
    oct_sink_text(out, "\nmap\n");
    for (int32_t y = box.min.y; y < box.max.y && !out->failed; y++) {
        row_writer row = {box.min.x, box.max.x, out};
        const oct_box cells = {{box.min.x, y, 0}, {box.max.x, y + 1, 1}};
        oct_tree_leaves(tree, cells, OCT_HAS_BLOCKED, write_run, &row);
        oct_sink_fill(out, '.', (uint64_t)(row.end - row.next));
        sink_byte(out, '\n');
    }
    return OCT_OK;
}
