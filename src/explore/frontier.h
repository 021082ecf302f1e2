// SPDX-License-Identifier: MIT
// \file
// The frontier: where what is known ends.
//
// A cell is of the frontier if it is OPEN and the cell across one of its faces is UNKNOWN; what is
// outside the map's root is UNKNOWN, too. A leaf is of the frontier if one of its cells is.
//
// The set is kept, not searched for: it follows the map's journal, and an edit costs what it
// touches. Its own tree mirrors the map: cells in bricks of 64, and where a large OPEN leaf meets
// UNKNOWN with a whole face, that face as one; so it is never larger than the surfaces of the map.
// Threading: a frontier belongs to one thread and borrows a map that nobody writes meanwhile.
#ifndef OCTANT_EXPLORE_FRONTIER_H
#define OCTANT_EXPLORE_FRONTIER_H

#include "octant/components.h"
#include "octant/explore.h"

typedef struct oct_frontier oct_frontier;

// How to create a frontier. Start from oct_frontier_def_default().
typedef struct oct_frontier_def {
    const oct_map *map;             // borrowed
    const oct_box *bounds;          // copied; cells beyond count neither as OPEN nor as UNKNOWN;
                                    // NULL (default) = there are none
    const oct_allocator *allocator; // copied; NULL = malloc
    uint32_t cookie;                // set by the default; do not touch
} oct_frontier_def;

oct_frontier_def oct_frontier_def_default(void);

// Looks at the whole map. On failure *out is NULL.
oct_result oct_frontier_create(const oct_frontier_def *def, oct_frontier **out);

// Frees a frontier; NULL is allowed.
void oct_frontier_destroy(oct_frontier *frontier);

// Follows the map to its present revision, by the journal or, where that has lost changes, by
// looking at everything. Undoes the last selection. On failure (OCT_ERROR_MEMORY) it holds
// nothing, and the next update looks at everything.
oct_result oct_frontier_update(oct_frontier *frontier);

// The revision of the map that it is true of.
uint64_t oct_frontier_revision(const oct_frontier *frontier);

// Whether a cell is of the frontier. Costs one descent.
bool oct_frontier_has(const oct_frontier *frontier, oct_vec cell);

// How many cells it has, skipped ones included.
uint64_t oct_frontier_count(const oct_frontier *frontier);

// Bytes that it holds.
size_t oct_frontier_bytes(const oct_frontier *frontier);

// ---- choosing ----

// From here on only cells of one component count for the questions below: those that can be
// reached. `components` (borrowed until the next selection, true of the same map, at the same
// revision) may be NULL: all cells count, as after an update. Costs nothing: what does not count
// is found when it is met, once.
void oct_frontier_select(oct_frontier *frontier, const oct_components *components,
                         uint32_t component);

// Leaves a cell out of the questions below: a place from which nothing more is to be seen. It
// comes back with the update that finds another label in one of the cells around it (26; 8 at two
// dimensions) or in itself; edits elsewhere leave it out. No error where it is not of the
// frontier. On failure (OCT_ERROR_MEMORY) nothing has changed.
oct_result oct_frontier_skip(oct_frontier *frontier, oct_vec cell);

// The cell, of those that count, whose middle is nearest to a point, among those at a distance of
// less than `limit` cells (HUGE_VAL = any) and inside a box of cells (NULL = anywhere); of equally
// near ones that with the smallest z, then y, then x. False if there is none. With `slack` above 0
// it may be one that is further than the nearest by that part, which is found sooner where many
// are about as near. `distance`, in cells, may be NULL. One descent where the nearest is near;
// where all are about as far (from the middle of a ball that was seen), all are looked at unless
// there is slack. Distances above 370 000 cells are compared rounded.
bool oct_frontier_nearest(oct_frontier *frontier, oct_fine at, const oct_box *within, double limit,
                          double slack, oct_vec *cell, double *distance);

// Some of the nearest cells, the nearest first, no two of which share a brick of 4x4x4 cells (8x8
// at two dimensions): so they are not all in one corner. None is further than the nearest by more
// than the part `slack` (HUGE_VAL = any): so less has to be looked at. Returns how many there are,
// at most `capacity`, which is at most OCT_FRONTIER_FEW.
#define OCT_FRONTIER_FEW 64
size_t oct_frontier_nearest_few(oct_frontier *frontier, oct_fine at, double slack, oct_vec *cells,
                                size_t capacity);

// Visits every cell that counts and lies in a box (NULL = all) once, in boxes, in an order that
// depends only on the calls so far. `visit` must not change the frontier. Returns false if it
// stopped it.
bool oct_frontier_visit(oct_frontier *frontier, const oct_box *within, oct_frontier_fn *visit,
                        void *ctx);

#endif
