// SPDX-License-Identifier: MIT
// What the two structures do, and what the files of the baselines share.
#ifndef OCTANT_BASELINE_INTERNAL_H
#define OCTANT_BASELINE_INTERNAL_H

#include "base/key_table.h"
#include "baseline/baseline.h"
#include "map/things.h"

// The state of a cell.
enum {
    CELL_OBSERVED = 1,
    CELL_STATIC = 2,
    CELL_BLOCKED = 4, // under a BLOCKED thing
    CELL_UNKNOWN = 8, // under an UNKNOWN thing
    CELL_COVER = CELL_BLOCKED | CELL_UNKNOWN
};

// What an edit does to a cell: new = (old & ~clear) | set.
typedef struct cell_edit {
    uint32_t set, clear;
} cell_edit;

// Cells of one row along x: from <= x < to.
typedef struct cell_run {
    int32_t from, to, y, z;
} cell_run;

// ---- baseline_grid.c ----

// All zero but for `is_flat` is a grid of no cells.
typedef struct voxel_grid {
    bool is_flat; // one layer of cells
    oct_box box;
    uint8_t *states; // of every cell of the box; x fastest, then y
} voxel_grid;

// Makes the grid hold a box.
oct_result oct_voxels_hold(voxel_grid *g, const oct_allocator *allocator, const oct_box *box);
// All cells of the run must be in the grid.
void oct_voxels_edit(voxel_grid *g, cell_run run, cell_edit edit);
uint32_t oct_voxels_state(const voxel_grid *g, oct_vec cell);
size_t oct_voxels_count(const voxel_grid *g);
void oct_voxels_free(voxel_grid *g, const oct_allocator *allocator);

// ---- baseline_set.c ----

// A slot of the hash set: a cell that something is or was in.
typedef struct blocked_cell {
    int32_t x, y, z;
    uint32_t state; // without CELL_OBSERVED, and SLOT_USED; 0 = the slot is free
} blocked_cell;

// All zero is a set of no cells.
typedef struct blocked_set {
    blocked_cell *slots;
    size_t size;      // slots: a power of two, or 0
    size_t used;      // at most two of three
    key_table places; // of rows, by y and z
    oct_array rows;   // of oct_array of span: the observed parts, sorted; no two touch
    uint64_t blocked; // cells that something is in
} blocked_set;

oct_result oct_blocked_edit(blocked_set *s, const oct_allocator *allocator, cell_run run,
                            cell_edit edit);
uint32_t oct_blocked_state(const blocked_set *s, oct_vec cell);
size_t oct_blocked_bytes(const blocked_set *s);
void oct_blocked_free(blocked_set *s, const oct_allocator *allocator);

// ---- baseline_search.c ----

// A cell that a search has met.
typedef struct search_node {
    oct_vec cell;
    uint32_t parent; // index; its own for the start
    bool is_closed;
    double cost; // from the start, in cells
} search_node;

// All zero is one that was never used.
typedef struct cell_search {
    key_table places; // indices of nodes
    oct_array nodes;  // of search_node
    oct_heap heap;
    uint64_t expanded;
    uint32_t found; // index of the node at the goal
    bool is_found;
} cell_search;

// Whether a search may end at a cell.
typedef bool search_goal_fn(const oct_baseline_map *b, const oct_box *bounds, oct_vec cell);

// Searches from an OPEN cell through OPEN cells within the bounds: to a cell, or with `to` NULL to
// the nearest cell that `is_goal` accepts; with neither it meets all cells that can be reached.
oct_result oct_baseline_map_search(oct_baseline_map *b, const oct_box *bounds, oct_vec from,
                                   const oct_vec *to, search_goal_fn *is_goal);

// The way that the last search has found, from a body on.
oct_result oct_baseline_map_draw(oct_baseline_map *b, oct_point from, oct_path *out);

void oct_baseline_map_search_free(cell_search *s, const oct_allocator *allocator);
size_t oct_baseline_map_search_bytes(const cell_search *s);

// ---- the whole ----

typedef struct known_thing {
    oct_thing thing;    // without its shape
    oct_box cells;      // that it covers, or of them those that its shape does
    thing_shape *shape; // NULL = its box
    bool is_there;      // false: it was removed, and its place is kept for its id
} known_thing;

// A cell that is left out of exploring, and the labels around it at that time, two bits each.
typedef struct skipped_cell {
    oct_vec cell;
    uint64_t around;
} skipped_cell;

struct oct_baseline_map {
    oct_allocator allocator;
    baseline_kind kind;
    lattice lattice;
    voxel_grid grid;  // of GRID
    blocked_set set;  // of SET
    oct_box held;     // holds every cell that was ever edited
    key_table ids;    // indices of things
    oct_array things; // of known_thing
    cell_search search;
    oct_array cells;          // of oct_vec: a way
    oct_array points;         // of oct_point
    oct_array lattice_points; // of oct_fine
    key_table skip_places;    // indices of skips
    oct_array skips;          // of skipped_cell
};

static inline bool cell_is_within(const oct_baseline_map *b, const oct_box *bounds, oct_vec c)
{
    return !bounds || (c.x >= bounds->min.x && c.x < bounds->max.x && c.y >= bounds->min.y &&
                       c.y < bounds->max.y &&
                       (b->lattice.dims == 2 || (c.z >= bounds->min.z && c.z < bounds->max.z)));
}

// The cells around a cell are numbered 0 to 26, x fastest; 13 is the cell itself.
static inline oct_vec cell_around(oct_vec c, int i)
{
    return (oct_vec){c.x + i % 3 - 1, c.y + i / 3 % 3 - 1, c.z + i / 9 - 1};
}

// The first of them and the one after the last: at two dimensions those of one layer.
static inline int around_first(const oct_baseline_map *b)
{
    return b->lattice.dims == 2 ? 9 : 0;
}

static inline int around_end(const oct_baseline_map *b)
{
    return b->lattice.dims == 2 ? 18 : 27;
}

// The middle of a cell.
oct_point oct_baseline_map_point(const oct_baseline_map *b, oct_vec cell);

#endif
