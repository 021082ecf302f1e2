// SPDX-License-Identifier: MIT
// The insides of a watch, shared by its files.
//
// Legs are kept by the cubes of space that they pass: an edit looks into the cubes that its box
// meets.
#ifndef OCTANT_WATCH_INTERNAL_H
#define OCTANT_WATCH_INTERNAL_H

#include "base/key_table.h"
#include "octant/watch.h"
#include "search/graph_internal.h"

// ---- watch_index.c: legs by cubes ----

// Cubes have 16 cells an edge; those of legs beyond 1024 cells are larger, so that no leg passes
// more than some hundred.
#define CUBE_LEVEL 4
#define CUBE_STEPS 64

// A leg in a cube that it passes. Number 0 is none.
typedef struct leg_link {
    lattice_key cube; // its place in units of its edge, and its level
    uint32_t path;    // 0: not in use
    uint32_t leg;
    uint32_t next; // with the same hash; or the next free one
    uint32_t unused;
} leg_link;
_Static_assert(sizeof(leg_link) == 32, "two in a cache line");

typedef struct leg_index {
    int dims;
    oct_array heads; // of uint32_t: links by the hash of their cube; a power of two
    oct_array links; // of leg_link
    uint32_t free_links;
    uint32_t link_count;                // in use
    uint32_t levels[OCT_LEVEL_MAX + 1]; // links of each level
} leg_index;

// Makes room for that many more links.
oct_result oct_leg_index_reserve(leg_index *index, const oct_allocator *allocator, size_t links);
void oct_leg_index_free(leg_index *index, const oct_allocator *allocator);
size_t oct_leg_index_bytes(const leg_index *index);

// How many links a leg needs.
size_t oct_leg_index_count(const leg_index *index, oct_fine a, oct_fine b);

// Room must have been reserved.
void oct_leg_index_add(leg_index *index, uint32_t path, uint32_t leg, oct_fine a, oct_fine b);
void oct_leg_index_remove(leg_index *index, uint32_t path, uint32_t leg, oct_fine a, oct_fine b);

// Visits the legs in all cubes that a box of cells touches; a leg may come several times.
typedef void link_fn(void *ctx, uint32_t path, uint32_t leg);
void oct_leg_index_visit(const leg_index *index, const oct_box *box, link_fn *visit, void *ctx);

// Whether every invariant holds, as far as it shows without the paths.
bool oct_leg_index_is_valid(const leg_index *index);

// ---- the watch ----

typedef struct watched {
    oct_array points;     // of oct_fine; z is FLAT_Z at two dimensions
    uint32_t first, last; // between these it is free; before and behind it goes through something
    uint32_t next;        // free one
    bool is_used, is_broken;
    bool is_touched; // by a change of the update that is on
    uint64_t owner;
    oct_point to; // the goal, metres
} watched;

struct oct_watch {
    oct_allocator allocator;
    oct_query query;
    view map;
    uint64_t revision;
    leg_index index;
    oct_array paths;   // of watched; 0 is none
    oct_array touched; // of uint32_t: paths that changes have touched; room for all
    oct_array scratch; // of oct_fine: the points of a path before it is watched
    uint32_t free_paths;
    uint32_t path_count, broken_count;
    uint64_t checked;
};

OCT_FORCE_INLINE watched *watch_path(const oct_watch *w, uint32_t id)
{
    return (watched *)w->paths.items + id;
}

OCT_FORCE_INLINE const oct_fine *watched_points(const watched *path)
{
    return path->points.items;
}

// A path of one point has one leg without length.
OCT_FORCE_INLINE uint32_t watched_leg_end(const watched *path, uint32_t leg)
{
    return leg < path->last ? leg + 1 : leg;
}

// ---- watch_update.c ----

// The first leg from `first` on that is not free, or `last` where all are. A path of one point is
// free if it touches a free cell; where not, its leg is `first`, and *is_free false.
uint32_t oct_watch_first_broken(const view *v, const oct_fine *points, uint32_t first,
                                uint32_t last, bool *is_free);

// Whether every invariant holds; walks everything. For tests.
bool oct_watch_is_valid(const oct_watch *watch);

#endif
