// SPDX-License-Identifier: MIT
// What is asked of the dense grid.
#include "map/grid_internal.h"

// State of a cell in a row of a chunk; CELL_OUTSIDE where that is not there.
OCT_FORCE_INLINE uint32_t state_in(const uint64_t *row, uint32_t column)
{
    return row ? (uint32_t)(row[column / 8u] >> column % 8u * 8u) & 0xffu : CELL_OUTSIDE;
}

OCT_FORCE_INLINE uint32_t state_at(const grid *g, int32_t x, int32_t y, int32_t z)
{
    const uint32_t at = biased(x);
    return state_in(row_at(g, at, biased(y), biased(z)), at & ((1u << g->shift) - 1u));
}

oct_label oct_grid_label(const void *store, oct_vec cell)
{
    const grid *g = store;
    return cell_label(state_at(g, cell.x, cell.y, g->dims == 3 ? cell.z : 0));
}

oct_leaf oct_grid_leaf(const void *store, oct_vec cell)
{
    const grid *g = store;
    const int32_t z = g->dims == 3 ? cell.z : 0;
    const uint32_t state = state_at(g, cell.x, cell.y, z);
    return state & CELL_OUTSIDE ? CELL_LEAF_OUTSIDE
                                : cell_leaf(cell.x, cell.y, z, cell_label(state));
}

static uint32_t grid_around(const void *store, int32_t x, int32_t y, int32_t z)
{
    const grid *g = store;
    const uint32_t at = biased(x), last = (1u << g->shift) - 1u, column = at & last;
    if (column == 0 || column == last) {
        return state_at(g, x - 1, y, z) | state_at(g, x, y, z) << 8 |
               state_at(g, x + 1, y, z) << 16;
    }
    const uint64_t *row = row_at(g, at, biased(y), biased(z));
    return state_in(row, column - 1u) | state_in(row, column) << 8 |
           state_in(row, column + 1u) << 16;
}

size_t oct_grid_neighbours(const void *store, oct_leaf leaf, uint32_t directions, oct_labels labels,
                           oct_leaf *out, size_t capacity)
{
    const grid *g = store;
    return cells_neighbours(g, grid_around, g->dims, leaf, directions, labels, out, capacity);
}

// Whether a chunk is missing of those that a box meets, which the directory spans.
static bool misses_chunk(const grid *g, const oct_box *box)
{
    const chunk_range range = oct_grid_range(g, box);
    size_t count = 0;
    oct_range_count(&range, &count);
    for (size_t n = 0; n < count; n++) {
        if (!*oct_range_slot(g, &range, n)) {
            return true;
        }
    }
    return false;
}

oct_labels oct_grid_labels_in(const void *store, oct_box box)
{
    const grid *g = store;
    const oct_box whole = box_flat(g->dims, box);
    if (!oct_grid_clip(g, &box)) {
        return box_is_empty(3, &whole) ? 0u : OCT_HAS_UNKNOWN;
    }
    oct_labels found = box_equal(&box, &whole) && !misses_chunk(g, &box) ? 0u : OCT_HAS_UNKNOWN;
    grid_walk walk = grid_walk_start(g, &box);
    for (int32_t y, z; found != OCT_HAS_ANY && oct_grid_walk_next(&walk, &y, &z);) {
        pieces row = row_pieces(g, (run){box.min.x, box.max.x}, y, z);
        for (piece p; pieces_next(&row, &p);) {
            for (uint32_t i = p.from / 8u; p.words && i < (p.to + 7u) / 8u; i++) {
                const planes with = word_planes(p.words[i]);
                const uint64_t mask = piece_mask(&p, i) & LANES;
                found |= (with.blocked & mask ? OCT_HAS_BLOCKED : 0u) |
                         (with.open & mask ? OCT_HAS_OPEN : 0u) |
                         (mask & ~(with.blocked | with.open) ? OCT_HAS_UNKNOWN : 0u);
            }
        }
    }
    return found;
}

oct_result oct_grid_count(const void *store, oct_box box, uint64_t counts[3])
{
    const grid *g = store;
    counts[OCT_UNKNOWN] = counts[OCT_OPEN] = counts[OCT_BLOCKED] = 0;
    const oct_box whole = box_flat(g->dims, box);
    uint64_t volume;
    if (!oct_box_volume(&whole, &volume)) {
        return OCT_ERROR_RANGE;
    }
    if (oct_grid_clip(g, &box)) {
        grid_walk walk = grid_walk_start(g, &box);
        for (int32_t y, z; oct_grid_walk_next(&walk, &y, &z);) {
            pieces row = row_pieces(g, (run){box.min.x, box.max.x}, y, z);
            for (piece p; pieces_next(&row, &p);) {
                uint64_t open = 0, blocked = 0; // a sum for each byte of a word
                for (uint32_t i = p.from / 8u; p.words && i < (p.to + 7u) / 8u; i++) {
                    const planes with = word_planes(p.words[i] & piece_mask(&p, i));
                    open += with.open;
                    blocked += with.blocked;
                }
                counts[OCT_OPEN] += open * LANES >> 56;
                counts[OCT_BLOCKED] += blocked * LANES >> 56;
            }
        }
    }
    counts[OCT_UNKNOWN] = volume - counts[OCT_OPEN] - counts[OCT_BLOCKED];
    return OCT_OK;
}

// Calls `found` for every word of a box that has cells with one of the labels, until it says no.
typedef bool found_fn(void *ctx, uint64_t word, uint64_t cells, oct_vec at);

OCT_FORCE_INLINE bool find_words(const grid *g, const oct_box *box, oct_labels labels,
                                 found_fn *found, void *ctx)
{
    grid_walk walk = grid_walk_start(g, box);
    for (int32_t y, z; oct_grid_walk_next(&walk, &y, &z);) {
        pieces row = row_pieces(g, (run){box->min.x, box->max.x}, y, z);
        for (piece p; pieces_next(&row, &p);) {
            for (uint32_t i = p.from / 8u; p.words && i < (p.to + 7u) / 8u; i++) {
                const uint64_t cells = word_with(p.words[i], labels) & piece_mask(&p, i);
                const oct_vec at = {p.x + (int32_t)(8u * i), y, z};
                if (cells && !found(ctx, p.words[i], cells, at)) {
                    return false;
                }
            }
        }
    }
    return true;
}

OCT_FORCE_INLINE bool found_extent(void *ctx, uint64_t word, uint64_t cells, oct_vec at)
{
    (void)word;
    box_widen(ctx, word_run(cells, at.x), at.y, at.z);
    return true;
}

oct_box oct_grid_extent(const void *store, oct_labels labels)
{
    const grid *g = store;
    oct_box box = BOX_EMPTY;
    if (g->directory) {
        const oct_box all = oct_range_box(g, &g->all);
        find_words(g, &all, labels & (OCT_HAS_OPEN | OCT_HAS_BLOCKED), found_extent, &box);
    }
    return box;
}

typedef struct leaf_visit {
    oct_leaf_fn *visit;
    void *ctx;
} leaf_visit;

OCT_FORCE_INLINE bool found_leaves(void *ctx, uint64_t word, uint64_t cells, oct_vec at)
{
    const leaf_visit *v = ctx;
    for (; cells; cells &= cells - 1u) {
        const uint32_t bit = oct_lowest_bit(cells);
        const oct_leaf leaf = cell_leaf(at.x + (int32_t)(bit / 8u), at.y, at.z,
                                        cell_label((uint32_t)(word >> bit) & CELL_STATE));
        if (!v->visit(v->ctx, &leaf)) {
            return false;
        }
    }
    return true;
}

// In order of z, y, x.
bool oct_grid_leaves(const void *store, oct_box box, oct_labels labels, oct_leaf_fn *visit,
                     void *ctx)
{
    const grid *g = store;
    leaf_visit v = {visit, ctx};
    return !oct_grid_clip(g, &box) || find_words(g, &box, labels, found_leaves, &v);
}
