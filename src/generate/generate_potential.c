// SPDX-License-Identifier: MIT
// Drawing cells by potential, in steps of O(log n).
//
// What takes time is memory that a draw has to wait for, so little is kept: a bit for each cell,
// and a sum of potentials for each tile of 8 x 8. The potentials in a tile follow from its bits and
// those around it, worked out for all 64 cells at once: plane i holds bit i of each cell's number.
//
// Over the tiles stands a tree in which an entry is over eight in a row below it, and has the sum
// of those before it among its eight: which of them a draw goes down to is told by comparing, not
// by adding up. It ends at a tile, its row, its cell. A cell and its neighbours mostly lie in one
// tile, and adding to that takes a step for each level.
#include "generate/generate_potential.h"
#include "octant/tree.h"

#include "octree/octree_internal.h"

// 1 in each byte.
#define EACH_BYTE UINT64_C(0x0101010101010101)
#define FIRST_COLUMN EACH_BYTE
#define LAST_COLUMN (EACH_BYTE << 7)

// A sum below the top is over 4096 tiles at most, of cells with a potential of 1 + 12 D at most.
_Static_assert(UINT64_C(4096) * 64 * (1 + 12 * OCT_GENERATE_CLUSTERING_MAX) <= UINT32_MAX,
               "sums below the top fit 32 bits");

// ---- life ----

static size_t round_to_eight(size_t count)
{
    return (count + 7) / 8 * 8;
}

// All bits set in the entries of eight that stand behind one.
static const uint32_t behind[8][8] = {
    {0, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u},
    {0, 0, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u},
    {0, 0, 0, ~0u, ~0u, ~0u, ~0u, ~0u},
    {0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u},
    {0, 0, 0, 0, 0, ~0u, ~0u, ~0u},
    {0, 0, 0, 0, 0, 0, ~0u, ~0u},
    {0, 0, 0, 0, 0, 0, 0, ~0u},
    {0, 0, 0, 0, 0, 0, 0, 0},
};

// Adds to a tile's sum: to what stands before its later siblings, and so on upwards. A loss is a
// gain modulo 2^64.
static void add_to_tile(potential_field *f, size_t at, uint64_t gain)
{
    for (int level = 0; level < f->levels; level++) {
        uint32_t *const group = f->sums[level] + at / 8 * 8;
        const uint32_t *const mask = behind[at % 8];
        for (int i = 0; i < 8; i++) {
            group[i] += (uint32_t)gain & mask[i];
        }
        at /= 8;
    }
    for (size_t i = at + 1; i < 8; i++) {
        f->top[i] += gain;
    }
    f->total += gain;
}

oct_result oct_potential_init(potential_field *f, const oct_allocator *allocator, uint32_t size,
                              uint32_t clustering)
{
    OCT_ASSERT(size > 0 && size <= OCT_GENERATE_SIZE_MAX);
    OCT_ASSERT(clustering <= OCT_GENERATE_CLUSTERING_MAX);
    const size_t edge = (size + 7) / 8;
    *f = (potential_field){.size = size, .clustering = clustering};
    f->tile_stride = edge + 1;
    for (f->sum_stride = 8; f->sum_stride < edge; f->sum_stride *= 8) {
    }
    // A tile before each row and one behind the last, and a row below and above.
    const size_t tiles = (edge + 2) * f->tile_stride + 1;
    f->sum_count = edge * f->sum_stride;
    size_t counts[POTENTIAL_LEVELS] = {f->sum_count};
    size_t sums = counts[0];
    for (f->levels = 1; counts[f->levels - 1] > 64; f->levels++) {
        counts[f->levels] = round_to_eight(counts[f->levels - 1] / 8);
        sums += counts[f->levels];
    }
    f->bytes = tiles * sizeof *f->tiles + sums * sizeof *f->sums[0];
    // The sums come first, so that no group of eight is in two cache lines.
    f->sums[0] = oct_alloc(allocator, f->bytes, OCT_CACHE_LINE);
    if (!f->sums[0]) {
        return OCT_ERROR_MEMORY;
    }
    memset(f->sums[0], 0, f->bytes);
    f->tiles = (uint64_t *)(void *)(f->sums[0] + sums);
    for (int level = 1; level < f->levels; level++) {
        f->sums[level] = f->sums[level - 1] + counts[level - 1];
    }
    for (uint32_t y = 0; y < edge; y++) {
        for (uint32_t x = 0; x < edge; x++) {
            add_to_tile(f, y * f->sum_stride + x,
                        (uint64_t)least(8, size - 8 * x) * least(8, size - 8 * y));
        }
    }
    return OCT_OK;
}

void oct_potential_free(potential_field *f, const oct_allocator *allocator)
{
    oct_free(allocator, f->sums[0], f->bytes);
    *f = (potential_field){.tiles = NULL};
}

// ---- the potentials in a tile ----

// Tile (x, y), counted in tiles; each of both may be one beyond the map.
static uint64_t *tile_at(const potential_field *f, size_t x, size_t y)
{
    return f->tiles + (y + 1) * f->tile_stride + x + 1;
}

// Which cells of tile (x, y) are in the map and free.
static uint64_t free_in_tile(const potential_field *f, size_t x, size_t y)
{
    uint64_t cells = ~*tile_at(f, x, y);
    const size_t right = 8 * (x + 1), above = 8 * (y + 1);
    if (OCT_UNLIKELY(right > f->size)) {
        cells &= (0xffu >> (right - f->size)) * EACH_BYTE;
    }
    if (OCT_UNLIKELY(above > f->size)) {
        cells &= UINT64_MAX >> 8 * (above - f->size);
    }
    return cells;
}

// Of the cells of a tile: which are free, and by how many times D those are raised, 12 at most.
typedef struct tile_planes {
    uint64_t free_cells;
    uint64_t raised[4];
} tile_planes;

// Adds four bits of each cell; the sum's three bits.
static void add_four(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t sum[3])
{
    const uint64_t ab = a ^ b, cd = c ^ d;
    const uint64_t two_ab = a & b, two_cd = c & d;
    const uint64_t two_ones = ab & cd;
    sum[0] = ab ^ cd;
    sum[1] = two_ab ^ two_cd ^ two_ones;
    sum[2] = two_ab & two_cd;
}

// A tile, or what of the tiles beside it comes to lie in it, moved by one column or row.
static uint64_t from_left(uint64_t tile, uint64_t left)
{
    return (tile << 1 & ~FIRST_COLUMN) | (left >> 7 & FIRST_COLUMN);
}

static uint64_t from_right(uint64_t tile, uint64_t right)
{
    return (tile >> 1 & ~LAST_COLUMN) | (right << 7 & LAST_COLUMN);
}

OCT_FORCE_INLINE tile_planes look_around(const potential_field *f, size_t x, size_t y)
{
    const uint64_t *const same = tile_at(f, x, y);
    const uint64_t *const below = same - f->tile_stride;
    const uint64_t *const above = same + f->tile_stride;
    const uint64_t west = from_left(same[0], same[-1]);
    const uint64_t east = from_right(same[0], same[1]);
    const uint64_t below_west = from_left(below[0], below[-1]) >> 56;
    const uint64_t below_east = from_right(below[0], below[1]) >> 56;
    const uint64_t above_west = from_left(above[0], above[-1]) << 56;
    const uint64_t above_east = from_right(above[0], above[1]) << 56;

    uint64_t edges[3], corners[3];
    add_four(west, east, same[0] << 8 | below[0] >> 56, same[0] >> 8 | above[0] << 56, edges);
    add_four(west << 8 | below_west, east << 8 | below_east, west >> 8 | above_west,
             east >> 8 | above_east, corners);
    // Twice the edges and the corners: 12 at most, so that nothing is carried beyond the eights.
    const uint64_t carry_four = edges[0] & corners[1];
    const uint64_t fours = edges[1] ^ corners[2];
    const uint64_t carry_eight = (edges[1] & corners[2]) | (fours & carry_four);
    const uint64_t free_cells = free_in_tile(f, x, y);
    return (tile_planes){free_cells,
                         {corners[0] & free_cells, (edges[0] ^ corners[1]) & free_cells,
                          (fours ^ carry_four) & free_cells,
                          (edges[2] ^ carry_eight) & free_cells}};
}

// The sum of the bits in each byte.
static uint64_t byte_counts(uint64_t bits)
{
    bits -= bits >> 1 & 0x55u * EACH_BYTE;
    bits = (bits & 0x33u * EACH_BYTE) + (bits >> 2 & 0x33u * EACH_BYTE);
    return (bits + (bits >> 4)) & 0x0fu * EACH_BYTE;
}

// The lowest eight bits as bytes, each 0 or 1.
static uint64_t bits_to_bytes(uint64_t bits)
{
    const uint64_t own = (bits & 0xffu) * EACH_BYTE & UINT64_C(0x8040201008040201);
    return (own + 0x7fu * EACH_BYTE) >> 7 & EACH_BYTE;
}

// The potential of what byte i of both counts: free cells, and by how many times D they are raised.
OCT_FORCE_INLINE uint32_t potential_of(const potential_field *f, uint64_t free_cells,
                                       uint64_t raised, uint32_t i)
{
    return (uint32_t)(free_cells >> 8 * i & 0xffu) +
           f->clustering * (uint32_t)(raised >> 8 * i & 0xffu);
}

// For each row of a tile, the potential of those before it.
OCT_FORCE_INLINE void rows_before(const potential_field *f, const tile_planes *tile,
                                  uint32_t before[8])
{
    const uint64_t free_cells = byte_counts(tile->free_cells);
    const uint64_t raised = byte_counts(tile->raised[0]) + 2 * byte_counts(tile->raised[1]) +
                            4 * byte_counts(tile->raised[2]) + 8 * byte_counts(tile->raised[3]);
    before[0] = 0;
    for (uint32_t i = 0; i < 7; i++) {
        before[i + 1] = before[i] + potential_of(f, free_cells, raised, i);
    }
}

// The cells of a row, a byte each.
typedef struct row_bytes {
    uint64_t free_cells;
    uint64_t raised;
} row_bytes;

OCT_FORCE_INLINE row_bytes row_of(const tile_planes *tile, uint32_t row)
{
    row_bytes out = {bits_to_bytes(tile->free_cells >> 8 * row), 0};
    for (uint32_t i = 0; i < 4; i++) {
        out.raised += bits_to_bytes(tile->raised[i] >> 8 * row) << i;
    }
    return out;
}

uint64_t oct_potential_at(const potential_field *f, potential_cell cell)
{
    const tile_planes tile = look_around(f, cell.x / 8, cell.y / 8);
    const row_bytes row = row_of(&tile, cell.y % 8);
    return potential_of(f, row.free_cells, row.raised, cell.x % 8);
}

// ---- blocking ----

// Raises free cells of tile (x, y): those at an edge of a blocked one, and those at a corner. The
// tile loses what the blocked one had, if it holds it.
static void raise(potential_field *f, size_t x, size_t y, uint64_t edges, uint64_t corners,
                  uint64_t lost)
{
    const uint64_t free_cells = free_in_tile(f, x, y);
    const uint64_t counts = 2 * byte_counts(free_cells & edges) + byte_counts(free_cells & corners);
    add_to_tile(f, y * f->sum_stride + x, f->clustering * (counts * EACH_BYTE >> 56) - lost);
}

// The cells of a tile beside those given, in their rows.
static uint64_t beside(uint64_t cells)
{
    return from_left(cells, 0) | from_right(cells, 0);
}

// Blocks a free cell of which the potential is known.
static void block(potential_field *f, potential_cell cell, uint64_t lost)
{
    OCT_ASSERT(lost > 0);
    const size_t x = cell.x / 8, y = cell.y / 8, last = (f->size - 1u) / 8;
    const uint32_t column = cell.x % 8, row = cell.y % 8;
    const uint64_t own = UINT64_C(1) << (8 * row + column);
    *tile_at(f, x, y) |= own;
    raise(f, x, y, beside(own) | own << 8 | own >> 8, beside(own << 8 | own >> 8), lost);

    // Where the cell is at its tile's border: its neighbours in the tiles beside, and what of them
    // is at the other border of those.
    const bool is_left = column == 0 && x > 0, is_right = column == 7 && x < last;
    const bool is_low = row == 0 && y > 0, is_high = row == 7 && y < last;
    const uint64_t over = column == 0 ? own << 7 : own >> 7;
    const uint64_t above = row == 0 ? own << 56 : own >> 56;
    if (is_left || is_right) {
        raise(f, is_left ? x - 1 : x + 1, y, over, over << 8 | over >> 8, 0);
    }
    if (is_low || is_high) {
        raise(f, x, is_low ? y - 1 : y + 1, above, beside(above), 0);
    }
    if ((is_left || is_right) && (is_low || is_high)) {
        raise(f, is_left ? x - 1 : x + 1, is_low ? y - 1 : y + 1, 0,
              row == 0 ? over << 56 : over >> 56, 0);
    }
}

void oct_potential_block(potential_field *f, potential_cell cell)
{
    block(f, cell, oct_potential_at(f, cell));
}

// ---- drawing ----

// The entry of eight at which their sum first exceeds *below, which becomes what is left of it; of
// each, the sum of those before it is given. Without branches: which one it is cannot be foreseen.
OCT_FORCE_INLINE uint32_t choose_top(const uint64_t before[8], uint64_t *below)
{
    uint32_t chosen = 0;
    for (int i = 1; i < 8; i++) {
        chosen += before[i] <= *below;
    }
    *below -= before[chosen];
    return chosen;
}

// The same below the top.
OCT_FORCE_INLINE uint32_t choose(const uint32_t before[8], uint32_t *below)
{
    uint32_t chosen = 0;
    for (int i = 1; i < 8; i++) {
        chosen += before[i] <= *below;
    }
    *below -= before[chosen];
    return chosen;
}

// The same among the cells of a row: their sums, 96 times D at most, are made for all at once.
OCT_FORCE_INLINE uint32_t choose_cell(const potential_field *f, row_bytes row, uint32_t below,
                                      uint64_t *potential)
{
    const row_bytes up_to = {row.free_cells * EACH_BYTE, row.raised * EACH_BYTE};
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < 7; i++) {
        chosen += potential_of(f, up_to.free_cells, up_to.raised, i) <= below;
    }
    *potential = potential_of(f, row.free_cells, row.raised, chosen);
    return chosen;
}

// The eight tiles, by the first one's index, that hold what is drawn; *left is what is left of it.
OCT_FORCE_INLINE size_t choose_group(const potential_field *f, uint64_t below, uint32_t *left)
{
    size_t at = choose_top(f->top, &below);
    *left = (uint32_t)below;
    for (int level = f->levels - 1; level > 0; level--) {
        at = at * 8 + choose(f->sums[level] + at * 8, left);
    }
    return at * 8;
}

// Picks a cell and tells its potential.
static potential_cell pick(const potential_field *f, uint64_t below, uint64_t *potential)
{
    OCT_ASSERT(below < f->total);
    uint32_t left;
    const size_t group = choose_group(f, below, &left);
    const size_t at = group + choose(f->sums[0] + group, &left);
    const size_t x = at % f->sum_stride, y = at / f->sum_stride;
    const tile_planes tile = look_around(f, x, y);
    uint32_t before[8];
    rows_before(f, &tile, before);
    const uint32_t row = choose(before, &left);
    const uint32_t column = choose_cell(f, row_of(&tile, row), left, potential);
    return (potential_cell){(uint32_t)x * 8 + column, (uint32_t)y * 8 + row};
}

potential_cell oct_potential_pick(const potential_field *f, uint64_t below)
{
    uint64_t potential;
    return pick(f, below, &potential);
}

// Fetches what the next draw would look at if it were made now: mostly what it will look at. The
// tiles above and below, and their sums, are those of neighbours.
static void look_ahead(const potential_field *f, oct_random random)
{
    uint32_t left;
    const size_t group = choose_group(f, oct_random_below(&random, f->total), &left);
    const uint64_t *const tiles = tile_at(f, group % f->sum_stride, group / f->sum_stride);
    const uint32_t *const sums = f->sums[0] + group;
    OCT_PREFETCH(sums);
    OCT_PREFETCH(tiles);
    OCT_PREFETCH(tiles - f->tile_stride);
    OCT_PREFETCH(tiles + f->tile_stride);
    if (group >= f->sum_stride) {
        OCT_PREFETCH(sums - f->sum_stride);
    }
    if (group + f->sum_stride < f->sum_count) {
        OCT_PREFETCH(sums + f->sum_stride);
    }
}

void oct_potential_draw(potential_field *f, oct_random *random, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t below = oct_random_below(random, f->total);
        look_ahead(f, *random);
        uint64_t potential;
        const potential_cell cell = pick(f, below, &potential);
        block(f, cell, potential);
    }
}

// ---- the map ----

// The bits of a tile in the order of a brick's.
static uint64_t tile_to_morton(uint64_t cells)
{
    cells = swap_index_bits(cells, UINT64_C(0x0000ff000000ff00), 8);
    cells = swap_index_bits(cells, UINT64_C(0x0000f0f00000f0f0), 12);
    return swap_index_bits(cells, UINT64_C(0x0c0c0c0c0c0c0c0c), 2);
}

// Builds the node of `level` at `at`.
static oct_result build(const potential_field *f, oct_tree *tree, rel at, int level, uint32_t *word)
{
    if (at.x >= f->size || at.y >= f->size) {
        *word = word_leaf(0);
        return OCT_OK;
    }
    if (level == BRICK_LEVEL_2D) {
        const span all = {{0, 0, 0}, {f->size - 1u, f->size - 1u, 0}};
        const uint64_t blocked = tile_to_morton(*tile_at(f, at.x / 8, at.y / 8));
        return oct_tree_pack(tree, (brick){span_mask(2, &all, at), blocked}, word);
    }
    uint32_t children[4];
    for (uint32_t child = 0; child < 4; child++) {
        OCT_TRY(build(f, tree, child_position(2, at, level, child), level - 1, &children[child]));
    }
    return oct_tree_join(tree, children, word);
}

oct_result oct_potential_build(const potential_field *f, oct_tree *tree)
{
    const int levels = (int)oct_bit_length(f->size - 1u);
    const int level = levels > BRICK_LEVEL_2D ? levels : BRICK_LEVEL_2D;
    uint32_t word;
    OCT_TRY(build(f, tree, (rel){0, 0, 0}, level, &word));
    oct_tree_plant(tree, word, level, (corner){0, 0, 0});
    return OCT_OK;
}
