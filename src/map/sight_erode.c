// SPDX-License-Identifier: MIT
// Erosion of a grid of bits: by a box, one axis after the other, in place; or by a ball.
//
// A bit stays if the 2 reach + 1 bits around it are all set. First each becomes the AND of itself
// and those after it: after it was combined with one `have` further on, it stands for twice as many
// as before. Then all move up by reach. Whatever comes from beyond the grid is 0.
#include "map/sight.h"

// ---- along x: bits of a row ----

// The bits from `at` bits on, 64 of them.
static uint64_t bits_at(const uint64_t *row, size_t words, size_t at)
{
    const size_t word = at / 64u, bit = at % 64u;
    const uint64_t low = word < words ? row[word] >> bit : 0;
    return bit && word + 1u < words ? low | row[word + 1u] << (64u - bit) : low;
}

static void row_and_ahead(uint64_t *row, size_t words, size_t by)
{
    for (size_t w = 0; w < words; w++) {
        row[w] &= bits_at(row, words, w * 64u + by);
    }
}

static void row_move_up(uint64_t *row, size_t words, size_t by)
{
    const size_t whole = by / 64u, bit = by % 64u;
    for (size_t w = words; w-- > 0;) {
        uint64_t moved = w >= whole ? row[w - whole] << bit : 0;
        if (bit && w > whole) {
            moved |= row[w - whole - 1u] >> (64u - bit);
        }
        row[w] = moved;
    }
}

static void erode_row(uint64_t *row, size_t words, size_t reach)
{
    uint64_t any = 0;
    for (size_t w = 0; w < words; w++) {
        any |= row[w];
    }
    if (any == 0) {
        return;
    }
    const size_t all = 2 * reach + 1;
    for (size_t have = 1, by; have < all; have += by) {
        by = have < all - have ? have : all - have;
        row_and_ahead(row, words, by);
    }
    row_move_up(row, words, reach);
}

// ---- along y and z: rows of a layer, layers of the grid ----

// Items of `size` words; each stands for a row or a layer.
static void erode_items(uint64_t *words, size_t size, size_t count, size_t reach)
{
    const size_t all = 2 * reach + 1;
    for (size_t have = 1, by; have < all; have += by) {
        by = have < all - have ? have : all - have;
        const size_t stay = (count - by) * size;
        for (size_t i = 0; i < stay; i++) {
            words[i] &= words[i + by * size];
        }
        memset(words + stay, 0, by * size * sizeof *words);
    }
    memmove(words + reach * size, words, (count - reach) * size * sizeof *words);
    memset(words, 0, reach * size * sizeof *words);
}

void oct_sight_erode(bit_grid *grid, oct_vec reach)
{
    const oct_vec min = grid->box.min, max = grid->box.max;
    const int64_t size[SIGHT_AXES] = {(int64_t)max.x - min.x, (int64_t)max.y - min.y,
                                      (int64_t)max.z - min.z};
    const int64_t by[SIGHT_AXES] = {reach.x, reach.y, reach.z};
    if (size[0] <= 0 || size[1] <= 0 || size[2] <= 0) {
        return;
    }
    const size_t height = (size_t)size[1], depth = (size_t)size[2];
    const size_t layer = height * grid->row_words;
    for (int a = 0; a < SIGHT_AXES; a++) {
        OCT_ASSERT(by[a] >= 0);
        if (2 * by[a] + 1 > size[a]) {
            memset(grid->words, 0, depth * layer * sizeof *grid->words);
            return;
        }
    }
    for (size_t i = 0; by[0] > 0 && i < depth * height; i++) {
        erode_row(grid->words + i * grid->row_words, grid->row_words, (size_t)by[0]);
    }
    for (size_t z = 0; by[1] > 0 && z < depth; z++) {
        erode_items(grid->words + z * layer, grid->row_words, height, (size_t)by[1]);
    }
    if (by[2] > 0) {
        erode_items(grid->words, layer, depth, (size_t)by[2]);
    }
}

// ---- by a ball ----

// How far along x the ball around any point of a cell may reach, cells, in the row so many cells
// away; -1 for nowhere.
typedef struct ball_rows {
    int32_t reach; // of the ball itself
    int8_t x[2 * SIGHT_BALL_MAX + 1][2 * SIGHT_BALL_MAX + 1];
} ball_rows;

// Cells are as far apart as their sides are.
static double gap_of(int32_t by)
{
    return by > 0 ? by - 1 : by < 0 ? -by - 1 : 0;
}

static int32_t reach_in(double radius, int32_t y, int32_t z)
{
    const double square = radius * radius - gap_of(y) * gap_of(y) - gap_of(z) * gap_of(z);
    int32_t x = square > 0.0 ? 0 : -1;
    while (x >= 0 && x < SIGHT_BALL_MAX && (double)x * x < square) {
        x++; // the side of the next one is x cells away
    }
    return x;
}

static void make_rows(ball_rows *b, double radius)
{
    b->reach = reach_in(radius, 0, 0);
    for (int32_t z = -b->reach; z <= b->reach; z++) {
        for (int32_t y = -b->reach; y <= b->reach; y++) {
            b->x[z + b->reach][y + b->reach] = (int8_t)reach_in(radius, y, z);
        }
    }
}

// Where a row of the one is not set, the rows of the other that reach so far along x into it are
// cleared.
static void and_around(const ball_rows *b, bit_grid *to, oct_vec size, int32_t y, int32_t z,
                       int32_t x, const uint64_t *row)
{
    for (int32_t dz = -b->reach; dz <= b->reach; dz++) {
        for (int32_t dy = -b->reach; dy <= b->reach; dy++) {
            const int32_t at_y = y + dy, at_z = z + dz;
            if (b->x[dz + b->reach][dy + b->reach] != x || at_y < 0 || at_z < 0 || at_y >= size.y ||
                at_z >= size.z) {
                continue;
            }
            uint64_t *const out = bit_grid_row(to, (uint32_t)at_y, (uint32_t)at_z);
            for (size_t w = 0; w < to->row_words; w++) {
                out[w] &= row[w];
            }
        }
    }
}

// What is beyond the grid is not set: it clears the rows that reach into it.
static void clear_ends(bit_grid *to, oct_vec size, int32_t reach)
{
    for (int32_t z = 0; z < size.z; z++) {
        for (int32_t y = 0; y < size.y; y++) {
            if (y < reach || z < reach || y >= size.y - reach || z >= size.z - reach) {
                memset(bit_grid_row(to, (uint32_t)y, (uint32_t)z), 0,
                       to->row_words * sizeof *to->words);
            }
        }
    }
}

void oct_sight_erode_ball(const bit_grid *from, double radius, uint64_t *row, bit_grid *to)
{
    const oct_box *const box = &from->box;
    const oct_vec size = {box->max.x - box->min.x, box->max.y - box->min.y,
                          box->max.z - box->min.z};
    const size_t words = from->row_words;
    ball_rows b;
    OCT_ASSERT(radius <= SIGHT_BALL_MAX);
    make_rows(&b, radius);
    memcpy(to->words, from->words, words * (size_t)size.y * (size_t)size.z * sizeof *to->words);
    clear_ends(to, size, b.reach);
    for (int32_t z = 0; z < size.z; z++) {
        for (int32_t y = 0; y < size.y; y++) {
            for (int32_t x = 0; x <= b.reach; x++) {
                memcpy(row, bit_grid_row(from, (uint32_t)y, (uint32_t)z), words * sizeof *row);
                erode_row(row, words, (size_t)x);
                and_around(&b, to, size, y, z, x, row);
            }
        }
    }
}
