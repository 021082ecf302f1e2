// SPDX-License-Identifier: MIT
// What jumps need to know of a map, worked out for all cells when the map has changed: where those
// along rows, columns and diagonals end, and which cells are nodes.
#include "flat/jump.h"

// ---- stops ----

// Cells that something beside ends at: free, and the one before is blocked. `before` and `behind`
// are one cell lower and higher in the line.
static uint64_t ends_up(const uint64_t *line, size_t word)
{
    const uint64_t before = line[word] << 1 | (word ? line[word - 1] >> 63 : 0);
    return line[word] & ~before;
}

static uint64_t ends_down(const uint64_t *line, size_t word, size_t words)
{
    const uint64_t behind = line[word] >> 1 | (word + 1 < words ? line[word + 1] << 63 : 0);
    return line[word] & ~behind;
}

// The stops both ways along lines, of which each is between its neighbours.
static void fill_stops(const uint64_t *lines, size_t words, size_t count, uint64_t *up,
                       uint64_t *down)
{
    memset(up, 0xff, words * count * sizeof *up);
    memset(down, 0xff, words * count * sizeof *down);
    for (size_t i = 1; i + 1 < count; i++) {
        const uint64_t *const line = lines + i * words;
        for (size_t word = 0; word < words; word++) {
            const size_t at = i * words + word;
            up[at] = ~line[word] | ends_up(line - words, word) | ends_up(line + words, word);
            down[at] = ~line[word] | ends_down(line - words, word, words) |
                       ends_down(line + words, word, words);
        }
    }
}

// ---- diagonals ----

// Cells from which the next stop above is free.
static void reach_up(const uint64_t *stops, const uint64_t *cells, size_t words, uint64_t *out)
{
    uint64_t above = 0; // of the word above: whether its first cell is, or sees, such a stop
    for (size_t word = words; word-- > 0;) {
        uint64_t pass = ~stops[word];
        uint64_t sees = (stops[word] & cells[word]) | (pass & above << 63);
        for (uint32_t by = 1; by < 64; by *= 2) {
            sees |= pass & sees >> by;
            pass &= pass >> by;
        }
        out[word] = sees >> 1 | above << 63;
        above = sees & 1u;
    }
}

static void reach_down(const uint64_t *stops, const uint64_t *cells, size_t words, uint64_t *out)
{
    uint64_t below = 0;
    for (size_t word = 0; word < words; word++) {
        uint64_t pass = ~stops[word];
        uint64_t sees = (stops[word] & cells[word]) | (pass & below);
        for (uint32_t by = 1; by < 64; by *= 2) {
            sees |= pass & sees << by;
            pass &= pass << by;
        }
        out[word] = sees << 1 | below;
        below = sees >> 63;
    }
}

static void reach_all(const uint64_t *stops, const uint64_t *lines, size_t words, int32_t count,
                      bool is_up, uint64_t *out)
{
    for (size_t i = 1; i <= (size_t)count; i++) {
        const size_t at = i * words;
        if (is_up) {
            reach_up(stops + at, lines + at, words, out + at);
        } else {
            reach_down(stops + at, lines + at, words, out + at);
        }
    }
}

// Turns columns into rows.
static void turn_back(const bit_plane *p, const uint64_t *columns, uint64_t *rows)
{
    for (int32_t x = 0; x < p->width; x += 64) {
        for (int32_t y = 0; y < p->height; y += 64) {
            uint64_t square[64];
            for (int32_t i = 0; i < 64; i++) {
                const size_t line = (size_t)(x + i + 1) * p->column_words;
                square[i] = x + i < p->width ? columns[line + 1u + (size_t)y / 64u] : 0;
            }
            oct_turn_square(square);
            for (int32_t i = 0; i < 64 && y + i < p->height; i++) {
                rows[(size_t)(y + i + 1) * p->row_words + 1u + (size_t)x / 64u] = square[i];
            }
        }
    }
}

// Adds to `out`, which tells from which cells a jump along the row leads somewhere, those where one
// along the column does, and where no diagonal move goes on.
static void add_ends(const bit_plane *p, bool is_east, bool is_north, const uint64_t *along,
                     uint64_t *out)
{
    const size_t words = p->row_words;
    for (int32_t y = 0; y < p->height; y++) {
        const uint64_t *const row = plane_row(p, y), *const next =
                                                         plane_row(p, y + (is_north ? 1 : -1));
        uint64_t *const ends = out + (size_t)(y + 1) * words;
        for (size_t word = 1; word + 1 < words; word++) {
            const uint64_t both = row[word] & next[word];
            const uint64_t more =
                is_east ? row[word + 1] & next[word + 1] : row[word - 1] & next[word - 1];
            const uint64_t beside = is_east ? both >> 1 | more << 63 : both << 1 | more >> 63;
            ends[word] |= along[(size_t)(y + 1) * words + word] | ~(both & beside);
        }
    }
}

// 64 cells of a row from cell x on, and from its beginning again behind its end.
static uint64_t bits_around(const uint64_t *row, int32_t x, int32_t width)
{
    const int32_t left = width - x;
    const uint64_t bits = plane_bits(row, x);
    return left < 64 ? (bits & ((UINT64_C(1) << left) - 1u)) | plane_bits(row, 0) << left : bits;
}

// Turns rows into diagonals.
static void turn_diagonally(const bit_plane *p, const uint64_t *rows, bool is_rising, uint64_t *out)
{
    for (int32_t y = 0; y < p->height; y += 64) {
        for (int32_t line = 0; line < p->width; line += 64) {
            uint64_t square[64];
            for (int32_t i = 0; i < 64; i++) {
                const int64_t x = jump_modulo(
                    is_rising ? (int64_t)line + y + i : (int64_t)line - y - i, p->width);
                square[i] = y + i < p->height
                                ? bits_around(rows + (size_t)(y + i + 1) * p->row_words, (int32_t)x,
                                              p->width)
                                : UINT64_MAX;
            }
            oct_turn_square(square);
            for (int32_t i = 0; i < 64 && line + i < p->width; i++) {
                out[(size_t)(line + i) * p->column_words + 1u + (size_t)y / 64u] = square[i];
            }
        }
    }
}

// The ends of diagonals, from the stops.
static void make_ends(jump_space *s, uint64_t *scratch)
{
    const bit_plane *const p = s->plane;
    const size_t row_room = ((size_t)p->height + 2u) * p->row_words;
    uint64_t *const rows = scratch, *const turned = scratch + row_room,
                    *const columns = turned + row_room;
    for (jump_way along = JUMP_NORTH; along <= JUMP_SOUTH; along++) {
        const bool is_north = along == JUMP_NORTH;
        reach_all(s->stops[along], p->columns, p->column_words, p->width, is_north, columns);
        turn_back(p, columns, turned);
        for (jump_way across = JUMP_EAST; across <= JUMP_WEST; across++) {
            const bool is_east = across == JUMP_EAST;
            reach_all(s->stops[across], p->rows, p->row_words, p->height, is_east, rows);
            add_ends(p, is_east, is_north, turned, rows);
            turn_diagonally(p, rows, is_east == is_north, s->ends[is_north][is_east]);
        }
    }
}

static oct_result make_stops(jump_space *s)
{
    const bit_plane *const p = s->plane;
    const size_t rows = (size_t)p->height + 2u, columns = (size_t)p->width + 2u;
    const size_t row_words = rows * p->row_words, column_words = columns * p->column_words;
    const size_t count = 4 * row_words + 7 * column_words;
    if (count > s->room) {
        oct_free(&s->base.allocator, s->memory, s->room * sizeof *s->memory);
        s->room = 0;
        s->memory = oct_alloc(&s->base.allocator, count * sizeof *s->memory, _Alignof(uint64_t));
        if (!s->memory) {
            return OCT_ERROR_MEMORY;
        }
        s->room = count;
    }
    uint64_t *at = s->memory;
    for (jump_way way = JUMP_EAST; way < JUMP_WAYS; way++) {
        s->stops[way] = at;
        at += way < JUMP_NORTH ? row_words : column_words;
    }
    for (int i = 0; i < 4; i++) {
        s->ends[i / 2][i % 2] = at;
        at += column_words;
    }
    fill_stops(p->rows, p->row_words, rows, s->stops[JUMP_EAST], s->stops[JUMP_WEST]);
    fill_stops(p->columns, p->column_words, columns, s->stops[JUMP_NORTH], s->stops[JUMP_SOUTH]);
    make_ends(s, at);
    return OCT_OK;
}

// ---- nodes ----

// The free cells of 64 where a jump may turn aside: beside the row a cell is free next to one that
// is not. That holds for jumps along columns too: one comes from a free cell, which is beside the
// blocked one.
static uint64_t turns_of(const bit_plane *p, int32_t y, size_t word)
{
    const uint64_t *const below = plane_row(p, y - 1), *const above = plane_row(p, y + 1);
    return plane_row(p, y)[word] &
           (ends_up(below, word) | ends_up(above, word) | ends_down(below, word, p->row_words) |
            ends_down(above, word, p->row_words));
}

static oct_result make_nodes(jump_space *s)
{
    const bit_plane *const p = s->plane;
    const oct_allocator *const memory = &s->base.allocator;
    const size_t count = ((size_t)p->height + 2u) * p->row_words;
    if (count > s->word_room) {
        oct_free(memory, s->words, s->word_room * sizeof *s->words);
        s->word_room = 0;
        s->words = oct_alloc(memory, count * sizeof *s->words, _Alignof(jump_word));
        if (!s->words) {
            return OCT_ERROR_MEMORY;
        }
        s->word_room = count;
    }
    OCT_TRY(oct_array_reserve(&s->nodes, memory, sizeof(jump_node), 64));
    memset(s->nodes.items, 0, JUMP_FIRST * sizeof(jump_node));
    s->nodes.count = JUMP_FIRST;
    for (int32_t y = 0; y < p->height; y++) {
        jump_word *const line = s->words + (size_t)(y + 1) * p->row_words;
        for (size_t word = 0; word < p->row_words; word++) {
            line[word] = (jump_word){turns_of(p, y, word), s->nodes.count};
            for (uint64_t left = line[word].nodes; left; left &= left - 1u) {
                const jump_node at = {(int32_t)(word << 6) + (int32_t)oct_lowest_bit(left) - 64, y};
                OCT_TRY(oct_array_push(&s->nodes, memory, sizeof at, &at));
            }
        }
    }
    s->node_count = s->nodes.count;
    return s->node_count < UINT32_MAX / 2 ? OCT_OK : OCT_ERROR_RANGE;
}

oct_result oct_jump_make(jump_space *s)
{
    OCT_TRY(make_stops(s));
    return make_nodes(s);
}
