// SPDX-License-Identifier: MIT
// The insides of the set structure: the thesis' set of BLOCKED cells (seed 000, 5.9), and beside it
// for each row of cells where OPEN begins and ends, so that it can tell OPEN from UNKNOWN (7.3).
//
// Rows run along x. A row holds the runs of its observed cells, sorted, and how many of its cells
// are in the table. The table holds the cells that static geometry or a thing is in. So what is
// free costs nothing but the ends of its runs.
//
// Both tables are hash tables with open addressing. Slots are found by multiplication, so that a
// table may have any size; at most two slots in three are in use.
//
//   slot of a cell  bits 0-5 state >> 1, 0 = free | 6-36 x + 2^30 | 37-63 row
//   row 24 bytes, and 4 bytes a slot of their table | run 8 bytes
#ifndef OCTANT_SET_INTERNAL_H
#define OCTANT_SET_INTERNAL_H

#include "map/store_cells.h"

// ---- tables ----

// So many neighbours share a home, for the sake of the cache.
#define TABLE_GROUP_SHIFT 2

// Where the search for a key begins.
OCT_FORCE_INLINE size_t table_home(size_t size, uint64_t key)
{
    uint64_t hash = (key >> TABLE_GROUP_SHIFT) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    const uint64_t group = oct_multiply_high(hash, size >> TABLE_GROUP_SHIFT);
    return (size_t)group << TABLE_GROUP_SHIFT | (key & ((1u << TABLE_GROUP_SHIFT) - 1u));
}

// How many of so many slots may be in use; always one less at least.
OCT_FORCE_INLINE size_t table_load(size_t size)
{
    return size - (size + 2u) / 3u;
}

// The least number of slots for so many entries, in whole groups.
OCT_FORCE_INLINE uint64_t table_size(uint64_t load)
{
    const uint64_t group = UINT64_C(1) << TABLE_GROUP_SHIFT;
    return (load + (load + 1u) / 2u + group - 1u) & ~(group - 1u);
}

// How many entries a table is made for that has to hold `needed`: half as many more than it could
// hold, so that growing costs little in all.
OCT_FORCE_INLINE uint64_t table_growth(size_t size, uint64_t needed)
{
    const uint64_t load = table_load(size), roomy = load + load / 2u;
    return needed > roomy ? needed : roomy;
}

OCT_FORCE_INLINE size_t table_next(size_t size, size_t i)
{
    return i + 1u < size ? i + 1u : 0u;
}

// Whether the entry in slot i may move back into a gap: not where that is before its home.
OCT_FORCE_INLINE bool table_moves(size_t size, size_t home, size_t i, size_t gap)
{
    const size_t from_home = i >= home ? i - home : i + size - home;
    const size_t from_gap = i >= gap ? i - gap : i + size - gap;
    return from_home >= from_gap;
}

// ---- cells: set_cells.c ----

// All zero, but for the allocator, is a table of no cells.
typedef struct set_cells {
    oct_allocator allocator;
    uint64_t *slots;
    size_t size;  // slots
    size_t count; // in use
} set_cells;

OCT_FORCE_INLINE uint64_t slot_key(uint32_t index, int32_t x)
{
    return (uint64_t)index << 31 | (uint32_t)(x + OCT_RANGE);
}

OCT_FORCE_INLINE uint32_t slot_row(uint64_t slot)
{
    return (uint32_t)(slot >> 37);
}

OCT_FORCE_INLINE int32_t slot_x(uint64_t slot)
{
    return (int32_t)(slot >> 6 & 0x7fffffffu) - OCT_RANGE;
}

OCT_FORCE_INLINE uint32_t slot_state(uint64_t slot)
{
    return (uint32_t)(slot & 0x3fu) << 1;
}

// Changes the state in a slot; not to 0.
OCT_FORCE_INLINE void slot_set(uint64_t *slot, uint32_t state)
{
    *slot = (*slot & ~UINT64_C(0x3f)) | state >> 1;
}

// The slot of a cell, or the free one where it would be. There must be a table.
OCT_FORCE_INLINE uint64_t *cells_slot(const set_cells *cells, uint64_t key)
{
    size_t i = table_home(cells->size, key);
    while (cells->slots[i] && cells->slots[i] >> 6 != key) {
        i = table_next(cells->size, i);
    }
    return &cells->slots[i];
}

// The slot of a cell, or NULL. There must be a table.
OCT_FORCE_INLINE uint64_t *cells_find(const set_cells *cells, uint32_t index, int32_t x)
{
    uint64_t *slot = cells_slot(cells, slot_key(index, x));
    return *slot ? slot : NULL;
}

// Makes room for more cells.
oct_result oct_cells_reserve(set_cells *cells, uint64_t more);

// Removes a cell. Others may move.
void oct_cells_remove(set_cells *cells, uint64_t *slot);

// Moves everything into a table as small as can be; row i becomes row renumber[i].
oct_result oct_cells_pack(const set_cells *cells, const uint32_t *renumber, set_cells *out);

void oct_cells_free(set_cells *cells);
bool oct_cells_valid(const set_cells *cells);

// ---- rows: set_rows.c ----

// A row is there while it has runs, or cells in the table.
typedef struct set_row {
    int32_t y, z;
    uint32_t cells; // in the table
    uint32_t count; // runs
    union {
        run one; // where there is at most one
        struct {
            uint32_t first, size; // block in the pool
        } many;
        uint32_t next; // of a free row: the next one, or 0
    } runs;
} set_row;
_Static_assert(sizeof(set_row) == 24, "three words of 64 bits");

#define SET_ROWS_MAX ((1u << 27) - 1u)

// Rows are known by their index, which stays while they are there. Runs lie in blocks whose sizes
// are powers of two. Rows and blocks that were given back are used again first. All zero, but for
// the allocator, is a set of no rows.
typedef struct set_rows {
    oct_allocator allocator;
    oct_array rows;           // of set_row; 0 is null
    oct_array pool;           // of run; 0 is null
    uint32_t *table;          // of rows by place; 0 is free
    size_t table_size;        // slots
    uint32_t count;           // rows that are there
    uint32_t free_row;        // first row that was given back, or 0
    uint32_t free_blocks[32]; // first block that was given back, by the logarithm of its size
} set_rows;

OCT_FORCE_INLINE set_row *rows_at(const set_rows *rows, uint32_t index)
{
    return (set_row *)rows->rows.items + index;
}

// The runs of a row, sorted; no two touch.
OCT_FORCE_INLINE const run *rows_runs(const set_rows *rows, const set_row *r)
{
    return r->count > 1 ? (const run *)rows->pool.items + r->runs.many.first : &r->runs.one;
}

// Which cells of a row were observed, asked for in order of x.
typedef struct observed_walk {
    const run *runs, *end; // the first run that does not end before
} observed_walk;

// Index of the row at a place, or 0.
uint32_t oct_rows_find(const set_rows *rows, int32_t y, int32_t z);

// The first run of a row that ends beyond x; as many as it has where there is none.
uint32_t oct_rows_after(const set_rows *rows, const set_row *r, int32_t x);

OCT_FORCE_INLINE observed_walk observed_start(const set_rows *rows, uint32_t index, int32_t x)
{
    const set_row *r = rows_at(rows, index);
    const run *runs = rows_runs(rows, r);
    return (observed_walk){runs + oct_rows_after(rows, r, x), runs + r->count};
}

// CELL_OBSERVED, or 0.
OCT_FORCE_INLINE uint32_t observed_at(observed_walk *walk, int32_t x)
{
    while (walk->runs < walk->end && walk->runs->to <= x) {
        walk->runs++;
    }
    return walk->runs < walk->end && walk->runs->from <= x ? CELL_OBSERVED : 0u;
}

// Whether a row gets one run more where a run becomes observed, or not observed.
bool oct_rows_splits(const set_rows *rows, const set_row *r, run cells, bool observed);

// How much of the pool a row may take that gets some runs more; NULL: a new row.
uint64_t oct_rows_growth(const set_row *may_be_null, uint32_t more);

// Makes room for more rows, and for so much of the pool. After it the edits below cannot fail.
oct_result oct_rows_reserve(set_rows *rows, uint64_t more, uint64_t pool);

// A new row at a place where there is none.
uint32_t oct_rows_take(set_rows *rows, int32_t y, int32_t z);

// Gives a row back that has neither runs nor cells.
void oct_rows_give(set_rows *rows, uint32_t index);

// Makes cells of a row observed, or not.
void oct_rows_mark(set_rows *rows, set_row *r, run cells, bool observed);

// A copy of everything in as little memory as can be; row i becomes row renumber[i].
oct_result oct_rows_pack(const set_rows *rows, uint32_t *renumber, set_rows *out);

void oct_rows_free(set_rows *rows);
size_t oct_rows_bytes(const set_rows *rows);
bool oct_rows_valid(const set_rows *rows);

// ---- the store ----

typedef struct set {
    oct_allocator allocator;
    int dims;
    oct_box bounds; // holds every cell of every row; empty where there are none
    set_rows rows;
    set_cells cells;
    uint64_t unknown; // things that cover cells and are UNKNOWN
    journal journal;
    growth_meter *meter;
} set;

// The slot of a cell, or NULL; the row need not be there.
OCT_FORCE_INLINE uint64_t *set_find(const set *s, uint32_t index, int32_t x)
{
    return index && rows_at(&s->rows, index)->cells ? cells_find(&s->cells, index, x) : NULL;
}

// ---- whether it is valid: set_valid.c ----

// The smallest box that holds every observed cell and every cell of the table.
oct_box oct_set_stored(const set *s);

bool oct_set_is_valid(const void *store, const thing_index *things);

// ---- walks over rows: set_query.c ----

// How many rows a box has.
OCT_FORCE_INLINE uint64_t box_places(const oct_box *box)
{
    return (uint64_t)((int64_t)box->max.y - box->min.y) *
           (uint64_t)((int64_t)box->max.z - box->min.z);
}

// The rows that are there with a place in a box, in no particular order.
typedef struct row_walk {
    const set *s;
    oct_box box;
    bool by_place; // each place is looked up: the box has few of them
    int32_t y, z;  // next place
    uint32_t next; // row, if not by place
} row_walk;

row_walk oct_row_walk(const set *s, const oct_box *box);

// Index of the next row, or 0. The rows seen so far may be given back meanwhile.
uint32_t oct_row_walk_next(row_walk *walk);

// The first cell of a run that the table holds; the run's end where there is none. Never takes
// longer than to look at the whole table, however long the run is.
int32_t oct_next_cell(const set *s, uint32_t index, run cells);

// The cells of a row as runs of one state, in order of x.
typedef struct row_scan {
    const set *s;
    const run *runs, *end; // of the row, from the one at hand on
    uint32_t index;        // row, or 0
    uint32_t cells;        // of the row in the table that were not met yet
    uint32_t skip;         // 1: cells that were not observed, 2: those that were
    run left;
} row_scan;

// `index` may be 0: a row that is not there.
row_scan oct_row_scan(const set *s, uint32_t index, run cells);

// The next run and its state; false at the end.
bool oct_row_scan_next(row_scan *scan, run *out, uint32_t *state);

// ---- the questions of a store: set_query.c ----

oct_label oct_set_label(const void *store, oct_vec cell);
oct_leaf oct_set_leaf(const void *store, oct_vec cell);
oct_labels oct_set_labels_in(const void *store, oct_box box);
oct_result oct_set_count(const void *store, oct_box box, uint64_t counts[3]);
oct_box oct_set_extent(const void *store, oct_labels labels);
bool oct_set_leaves(const void *store, oct_box box, oct_labels labels, oct_leaf_fn *visit,
                    void *ctx);
size_t oct_set_neighbours(const void *store, oct_leaf leaf, uint32_t directions, oct_labels labels,
                          oct_leaf *out, size_t capacity);

#endif
