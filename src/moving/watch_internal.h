// SPDX-License-Identifier: MIT
// The insides of a watch, shared by its files.
//
// Legs are kept by the cubes of space that they pass: an edit looks into the cubes that its box
// meets. Boxes that were opened are kept by where they begin, the latest first, since a path is
// only as old as its last search.
#ifndef OCTANT_WATCH_INTERNAL_H
#define OCTANT_WATCH_INTERNAL_H

#include "base/key_table.h"
#include "octant/watch.h"
#include "search/graph_internal.h"
#include "search/taut.h"

// ---- watch_index.c: legs by cubes ----

// Cubes have 16 cells an edge; those of legs beyond 1024 cells are larger, so that no leg passes
// more than some hundred.
#define CUBE_LEVEL 4
#define CUBE_STEPS 64

// Cubes that hold legs, of all levels. 0 is none.
typedef struct leg_cube {
    lattice_key key; // its place in units of its edge, and its level
    uint32_t next;   // with the same hash
    uint32_t first;  // sheet
} leg_cube;

#define SHEET_LINKS 10

// Some of the legs in a cube: what most of them are passed over by lies in the first cache line.
typedef struct leg_sheet {
    uint32_t next;               // of the cube; all but the first one are full
    uint32_t count;              // 0: not in use
    uint32_t boxes[SHEET_LINKS]; // the part of the cube: a sixteenth is a nibble, from and to
    uint32_t paths[SHEET_LINKS];
    uint32_t legs[SHEET_LINKS];
} leg_sheet;
_Static_assert(sizeof(leg_sheet) == 128, "two cache lines");

typedef struct leg_index {
    int dims;
    oct_array heads;  // of uint32_t: cubes by hash; a power of two
    oct_array cubes;  // of leg_cube
    oct_array sheets; // of leg_sheet
    uint32_t free_cubes, free_sheets;
    uint32_t cube_count, sheet_count, link_count; // in use
    uint32_t levels[OCT_LEVEL_MAX + 1];           // links of each level
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

// Visits links that may touch a box of cells, grown by nothing: all that do, and few others; a leg
// may come several times.
typedef void link_fn(void *ctx, uint32_t path, uint32_t leg);
void oct_leg_index_visit(const leg_index *index, const oct_box *box, link_fn *visit, void *ctx);

// Whether every invariant holds, as far as it shows without the paths.
bool oct_leg_index_is_valid(const leg_index *index);

// ---- watch_opened.c: what was opened ----

#define OPENED_MAX 1024

// Boxes that begin in one cube and are no longer than its edge, as one box.
typedef struct opened_box {
    lattice_key key;
    oct_box box;
    uint64_t revision; // of the latest
    uint32_t next;     // with the same hash
    uint32_t older, newer;
} opened_box;

typedef struct opened {
    opened_box *boxes; // from 1 to OPENED_MAX
    uint32_t *heads;   // OPENED_MAX
    uint32_t count;
    uint32_t oldest, newest;
    uint64_t lost; // what was opened up to this revision may not be here
} opened;

oct_result oct_opened_init(opened *o, const oct_allocator *allocator);
void oct_opened_free(opened *o, const oct_allocator *allocator);
size_t oct_opened_bytes(void);

// Notes a box, at two dimensions with z from 0 to 1; revisions rise.
void oct_opened_add(opened *o, oct_box box, uint64_t revision);

// Forgets all, and that anything is known up to a revision.
void oct_opened_lose(opened *o, uint64_t revision);

// No path from a to b that leads through something opened after `since` is shorter than this,
// cells; HUGE_VAL where there is none, 0 where it is not known. May stop as soon as it is below
// `enough`.
double oct_opened_least(const opened *o, uint64_t since, oct_fine a, oct_fine b, double enough);

bool oct_opened_is_valid(const opened *o);

// ---- the watch ----

// What an update looks at comes first.
typedef struct watched {
    oct_array points;     // of oct_fine; z is FLAT_Z at two dimensions
    uint32_t first, last; // between these it is free; before and behind it goes through something
    uint64_t met;         // number of the change at which
    uint32_t met_leg;     // this leg was looked at
    uint32_t broken_leg;
    bool is_used, is_broken;
    bool is_news;  // of the update that is on
    uint32_t next; // free one
    uint64_t owner;
    oct_point to;      // the goal, metres
    oct_vec goal_cell; // that it was reached in, or the nearest free one
    uint64_t since;    // a revision of the map: then
    double least;      // no path between first and last was shorter, cells
    uint64_t effort;   // expansions of its last whole search
} watched;
_Static_assert(sizeof(watched) == 128, "two cache lines");

struct oct_watch {
    oct_allocator allocator;
    oct_query query;
    view map;
    double factor;
    uint64_t revision;
    leg_index index;
    opened opened;
    oct_array paths; // of watched; 0 is none
    oct_array news;  // of uint32_t: paths that are broken; room for all
    uint32_t free_paths;
    uint32_t path_count, broken_count;
    uint64_t changes; // looked at so far
    uint64_t met, checked;
    // Of repairs.
    taut taut;
    oct_array chain;   // of oct_fine: the free part of a path while it is made
    oct_array reached; // of uint32_t: the octants in which its vertices are reached
    oct_array places;  // of spot: the same path, while it is pulled
    oct_array lattice; // of oct_fine: what came out
    oct_array points;  // of oct_point
};

OCT_FORCE_INLINE watched *watch_path(const oct_watch *w, uint32_t id)
{
    return (watched *)w->paths.items + id;
}

// NULL where there is none.
OCT_FORCE_INLINE watched *watch_find(const oct_watch *w, uint32_t id)
{
    return id < w->paths.count && watch_path(w, id)->is_used ? watch_path(w, id) : NULL;
}

OCT_FORCE_INLINE const oct_fine *watched_points(const watched *path)
{
    return path->points.items;
}

// Puts the legs of a path into the index, and takes them out again.
size_t oct_watch_links(const oct_watch *w, const oct_fine *points, uint32_t first, uint32_t last);
void oct_watch_index(oct_watch *w, uint32_t id);
void oct_watch_unindex(oct_watch *w, uint32_t id);

// ---- watch_update.c: what is free ----

// Follows a line: of the octants at `to` those in which it can arrive from those at `from`, as
// whole places; 0 where it is not free.
uint32_t oct_watch_arrive(const view *v, oct_fine from, uint32_t octants, oct_fine to);

// The first leg from `first` on that a path cannot go, or `last` where it can go all. A path of one
// point is free if it touches a free cell; where not, its leg is `first`, and *is_free false.
uint32_t oct_watch_first_broken(const view *v, const oct_fine *points, uint32_t first,
                                uint32_t last, bool *is_free);

// ---- watch_chain.c: a path while it is made ----

// Goes along the chain, from octants of its first point to octants of its last, as far as it is
// free: how many of its legs can be gone, and whether that is all of them. The first `known` legs
// were gone before, and are as they were.
oct_result oct_chain_follow(oct_watch *w, size_t known, uint32_t from, uint32_t to, size_t *legs,
                            bool *is_free);

// The first point from which the rest of the chain is free up to octants of its last one; points up
// to `after` do not count.
size_t oct_chain_tail(const oct_watch *w, size_t after, uint32_t to);

// Puts points in the place of those between two of the chain's.
oct_result oct_chain_splice(oct_watch *w, size_t from, size_t to, const oct_fine *points,
                            size_t count);

// Pulls a chain taut that was followed, and is free.
oct_result oct_chain_pull(oct_watch *w);

// What it costs, cells.
double oct_chain_cost(const view *v, const oct_fine *points, size_t count);

#endif
