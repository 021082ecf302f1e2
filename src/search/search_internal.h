// SPDX-License-Identifier: MIT
// The state of a search, and what an algorithm is to the planner.
#ifndef OCTANT_SEARCH_INTERNAL_H
#define OCTANT_SEARCH_INTERNAL_H

#include "octant/search.h"
#include "search/open_list.h"
#include "search/space.h"

// A node as a search sees it. It was met if its stamp is the search's, and expanded if it is one
// more; stamps of earlier searches are lower, so that a new one need not clear anything.
typedef struct search_node {
    double g;
    uint32_t parent;
    uint32_t stamp;
} search_node;
_Static_assert(sizeof(search_node) == 16, "four nodes in a cache line");

// A node that was expanded, as it was then.
typedef struct search_step {
    oct_fine at;
    uint64_t key;
    double g;
    uint32_t id;
    uint32_t parent;
} search_step;

typedef struct search {
    oct_allocator allocator;
    space *space;
    search_node *nodes; // by id
    size_t node_count;
    uint32_t stamp;     // of open nodes; even
    uint32_t last_goal; // what was aimed at, and whether it was no node of the graph
    bool last_is_own;
    open_list open;
    oct_array moved; // of oct_heap_entry: what was open, between two goals
    oct_path_status status;
    bool has_begun;
    bool is_watched; // whether expansions are looked at: for records, or for a nearest node
    bool is_recorded;
    bool is_partial;
    uint64_t pause; // expansions after which to leave
    uint64_t expanded, generated;
    double nearest_h; // of the nearest node that was expanded
    uint32_t nearest;
    oct_array steps; // of search_step
} search;

OCT_FORCE_INLINE bool search_is_open(const search *s, const search_node *n)
{
    return n->stamp == s->stamp;
}

OCT_FORCE_INLINE bool search_is_closed(const search *s, const search_node *n)
{
    return n->stamp == s->stamp + 1u;
}

// Makes room for every id that the space has given.
oct_result oct_search_grow(search *s);

OCT_FORCE_INLINE oct_result search_cover(search *s)
{
    return OCT_LIKELY(s->space->id_count <= s->node_count) ? OCT_OK : oct_search_grow(s);
}

// Takes the next entry of the open list: none where the search has to pause, and where nothing is
// left, which ends it.
OCT_FORCE_INLINE oct_result search_next(search *s, oct_heap_entry *out, bool *found)
{
    *out = (oct_heap_entry){.f = 0.0};
    *found = false;
    if (OCT_LIKELY(s->expanded < s->pause)) {
        OCT_TRY(open_pop(&s->open, &s->allocator, out, found));
        s->status = OCT_LIKELY(*found) ? s->status : OCT_PATH_NONE;
    }
    return OCT_OK;
}

// Notes an expansion for records and for the nearest node.
oct_result oct_search_watch(const space_ops *ops, search *s, uint32_t id);

// Begins a search of the space.
oct_result oct_search_begin(search *s, space *where);
void oct_search_free(search *s);
size_t oct_search_bytes(const search *s);

// Runs a search of one graph until it ends or pauses.
typedef oct_result search_fn(search *s);

// The spaces of a planner, by number. Those of the laboratory follow the core's.
enum {
    SPACE_PORTAL,      // with UNKNOWN blocked
    SPACE_PORTAL_OPEN, // with UNKNOWN open: by itself, since queries may take turns
    SPACE_USER,
    SPACE_LAB,       // the first of the laboratory
    SPACES_MAX = 16, // room for all
};

// An algorithm: one file, and one row in a table.
typedef struct search_algorithm {
    const char *name;
    search_fn *run[SPACES_MAX]; // NULL where the space is not served
    search_fn *aim[SPACES_MAX]; // goes on to a further goal; NULL where results would differ
    bool is_complete;           // no path found means that there is none
    bool is_smooth;             // vertices are left out where the line of sight allows
    bool is_taut;               // the path is pulled taut
    bool is_any_angle;          // lines need not follow the graph's edges
} search_algorithm;

// What a query is searched with.
typedef struct search_choice {
    uint32_t space;
    const search_algorithm *algorithm;
} search_choice;

// The laboratory, as a planner sees it.
struct oct_lab_table {
    const space_kind *const *kinds; // of the spaces from SPACE_LAB on
    const search_algorithm *const *algorithms;
    uint32_t algorithm_count;
    // Checks a query with a `lab` part for a map of so many dimensions, 0 = none, and chooses.
    oct_result (*choose)(const oct_lab_table *table, const oct_query *query, uint32_t dims,
                         search_choice *out);
    // What its spaces share: so many bytes in each planner, all zero in a new one.
    size_t shared_size;
    void (*free_shared)(void *shared, const oct_allocator *allocator);
    size_t (*shared_bytes)(const void *shared);
};

#endif
