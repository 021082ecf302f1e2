// SPDX-License-Identifier: MIT
// Erosion of a grid of bits, one axis after the other, in place.
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
