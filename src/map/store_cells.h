// SPDX-License-Identifier: MIT
// What the two plain structures share: the state of a cell, the runs of cells that a region is made
// of, what an edit has changed, and the cells around a cell.
//
//   state  bit 0 observed | 1 static geometry | 2 under a BLOCKED thing | 3 under an UNKNOWN one
//
// While a thing goes or moves, bits 4 and 5 keep what covered the cell before, and bit 6 says so.
#ifndef OCTANT_STORE_CELLS_H
#define OCTANT_STORE_CELLS_H

#include "map/store.h"

enum {
    CELL_OBSERVED = 1,
    CELL_STATIC = 2,
    CELL_BLOCKED = 4,
    CELL_UNKNOWN = 8,
    CELL_TOUCHED = 64,
    CELL_OUTSIDE = 128, // not a cell that is stored
    CELL_FACTS = CELL_OBSERVED | CELL_STATIC,
    CELL_COVER = CELL_BLOCKED | CELL_UNKNOWN,
    CELL_STATE = CELL_FACTS | CELL_COVER,
    CELL_TOUCHED_SHIFT = 6,
    CELL_COVER_SHIFT = 2 // from what covers a cell to what did
};

OCT_FORCE_INLINE oct_label cell_label(uint32_t state)
{
    if (state & (CELL_STATIC | CELL_BLOCKED)) {
        return OCT_BLOCKED;
    }
    return (state & (CELL_OBSERVED | CELL_UNKNOWN)) == CELL_OBSERVED ? OCT_OPEN : OCT_UNKNOWN;
}

// What a thing does to the cells that it covers.
OCT_FORCE_INLINE uint32_t cover_state(oct_label label)
{
    return label == OCT_BLOCKED ? CELL_BLOCKED : label == OCT_UNKNOWN ? CELL_UNKNOWN : 0u;
}

OCT_FORCE_INLINE oct_leaf cell_leaf(int32_t x, int32_t y, int32_t z, oct_label label)
{
    return (oct_leaf){.x = x, .y = y, .z = z, .label = (uint8_t)label};
}

#define CELL_LEAF_OUTSIDE ((oct_leaf){.level = OCT_LEVEL_OUTSIDE, .label = OCT_UNKNOWN})

// ---- marks ----

// What a mark does to a cell: new = (old & ~clear) | set.
typedef struct cell_rule {
    uint32_t set, clear; // of CELL_FACTS
} cell_rule;

extern const cell_rule oct_cell_rules[OCT_MARK_COUNT];

OCT_FORCE_INLINE uint32_t cell_mark(cell_rule rule, uint32_t state)
{
    return (state & ~rule.clear) | rule.set;
}

// ---- boxes ----

#define BOX_EMPTY ((oct_box){{0, 0, 0}, {0, 0, 0}})

// Every cell that there can be.
#define BOX_ALL ((oct_box){{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}})

// A box as both structures count in it: one layer, z = 0, at two dimensions.
OCT_FORCE_INLINE oct_box box_flat(int dims, oct_box box)
{
    return dims == 3 ? box : (oct_box){{box.min.x, box.min.y, 0}, {box.max.x, box.max.y, 1}};
}

OCT_FORCE_INLINE bool box_has(const oct_box *box, oct_vec cell)
{
    return cell.x >= box->min.x && cell.x < box->max.x && cell.y >= box->min.y &&
           cell.y < box->max.y && cell.z >= box->min.z && cell.z < box->max.z;
}

// Cells of a box; false where they are more than 2^63.
bool oct_box_volume(const oct_box *box, uint64_t *out);

// ---- runs ----

// Cells of one row: from <= x < to.
typedef struct run {
    int32_t from, to;
} run;

// Empty, or even inside out, where the two share nothing.
OCT_FORCE_INLINE run run_common(run a, run b)
{
    return (run){a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to};
}

// The box that holds every cell of a region; of one without bounds, every cell there is.
oct_box oct_region_box(const region *cells, int dims);

// The runs of a region in one row, one after the other.
typedef struct region_row {
    run runs[2]; // those of shapes
    uint32_t next, count;
    const uint64_t *bits; // of the row, or NULL
    int32_t first;        // x of bit 0
    run left;             // where bits have not been looked at
} region_row;

// Begins with a row that the region's box meets; `within` is a part of that box.
void oct_region_row(const region *cells, int dims, run within, int32_t y, int32_t z,
                    region_row *out);

// The next run, in order of x; no two touch. False where there is none.
bool oct_region_next(region_row *row, run *out);

// ---- what an edit changed ----

void oct_box_widen(oct_box *box, run cells, int32_t y, int32_t z);

// Makes a box hold a part of a row.
OCT_FORCE_INLINE void box_widen(oct_box *box, run cells, int32_t y, int32_t z)
{
    if (OCT_UNLIKELY(cells.from < box->min.x || cells.to > box->max.x || y < box->min.y ||
                     y >= box->max.y || z < box->min.z || z >= box->max.z)) {
        oct_box_widen(box, cells, y, z);
    }
}

// Cells of a row go from one state to another. They are part of the change where their label or
// facts differ.
OCT_FORCE_INLINE void change_run(oct_change *change, run cells, int32_t y, int32_t z, uint32_t old,
                                 uint32_t now)
{
    const oct_label before = cell_label(old), after = cell_label(now);
    if (before != after || ((old ^ now) & CELL_FACTS)) {
        change->before |= 1u << before;
        change->after |= 1u << after;
        box_widen(&change->box, cells, y, z);
    }
}

// Enters a change that changed anything.
OCT_FORCE_INLINE void change_record(const oct_change *change, journal *j)
{
    if (change->before) {
        oct_journal_record(j, change);
    }
}

// ---- neighbours ----

// The states of the cells x - 1, x and x + 1 of a row, one byte each, lowest first.
typedef uint32_t cells_around_fn(const void *store, int32_t x, int32_t y, int32_t z);

// What oct_tree_neighbours promises, for a leaf of one cell. In order of z, y, x; the outside last.
OCT_FORCE_INLINE size_t cells_neighbours(const void *store, cells_around_fn *around, int dims,
                                         oct_leaf leaf, uint32_t directions, oct_labels labels,
                                         oct_leaf *out, size_t capacity)
{
    size_t count = 0;
    bool outside = false;
    directions &= OCT_DIRECTIONS_26;
    for (uint32_t row = dims == 3 ? 0 : 3; row < (dims == 3 ? 9u : 6u); row++) {
        const uint32_t set = directions >> 3u * row & 7u;
        if (!set) {
            continue;
        }
        const int32_t y = leaf.y + (int32_t)(row % 3u) - 1;
        const int32_t z = dims == 3 ? leaf.z + (int32_t)(row / 3u) - 1 : 0;
        const uint32_t states = around(store, leaf.x, y, z);
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t state = states >> 8u * i & 0xffu;
            const oct_label label = cell_label(state);
            if (!(set >> i & 1u) || !(labels >> label & 1u)) {
                continue;
            }
            if (state & CELL_OUTSIDE) {
                outside = true;
                continue;
            }
            if (count < capacity) {
                out[count] = cell_leaf(leaf.x + (int32_t)i - 1, y, z, label);
            }
            count++;
        }
    }
    if (outside) {
        if (count < capacity) {
            out[count] = CELL_LEAF_OUTSIDE;
        }
        count++;
    }
    return count;
}

#endif
