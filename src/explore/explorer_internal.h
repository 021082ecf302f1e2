// SPDX-License-Identifier: MIT
// An explorer's insides, shared by the files that choose, that plan and that count.
#ifndef OCTANT_EXPLORER_INTERNAL_H
#define OCTANT_EXPLORER_INTERNAL_H

#include "base/key_table.h"
#include "explore/frontier.h"
#include "octant/explore.h"
#include "octant/tree.h"
#include "search/graph_internal.h"

struct oct_explorer {
    oct_allocator allocator;
    const oct_map *map;
    const oct_tree *tree; // the map's
    int dims;
    bool is_bounded;
    oct_box bounds; // all of the lattice where nothing bounds it
    double radius;  // metres
    oct_strategy strategy;
    oct_random random;
    oct_random drawn; // what the last answer has made of it; counts from the next arrival on
    oct_choose_fn *choose;
    void *choose_ctx;
    oct_grade grade;
    oct_frontier *frontier;
    oct_components *components; // of the tree
    // Of the tree with UNKNOWN open: what no way leads to whatever is there. It follows the map
    // when that is asked.
    oct_components *maybes;
    oct_planner *planner;
    // The body, as of the present call.
    oct_point from;
    oct_vec cell;       // free; the nearest one where the body is in something
    bool has_place;     // there is one
    oct_array places;   // of oct_vec: cells that were arrived at, for DEPTH
    size_t places_left; // of these, by the last answer, have anything left; as above
    oct_array choices;  // of oct_candidate
    key_table cubes;    // of choices
    oct_array goals;    // of oct_box: free cells next to a thing
    // The last answer to oct_explorer_next_towards: it holds, points included, until something else
    // is asked or the map changes.
    oct_exploration answer;
    oct_point answer_to;
    uint64_t answer_revision; // of the map
    bool has_answer;
    // What is looked for.
    oct_thing_fn *wanted;
    void *wanted_ctx;
    uint64_t wanted_revision; // up to which the map was looked at
    oct_array changes;        // of oct_change
    oct_thing found;
    bool has_found;
};

OCT_FORCE_INLINE bool explorer_holds(const oct_explorer *e, oct_vec c)
{
    const oct_box *const b = &e->bounds;
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           (e->dims == 2 || (c.z >= b->min.z && c.z < b->max.z));
}

// How many cells a box has, which is not empty.
OCT_FORCE_INLINE uint64_t box_cells(const oct_box *box)
{
    return (uint64_t)(box->max.x - (int64_t)box->min.x) *
           (uint64_t)(box->max.y - (int64_t)box->min.y) *
           (uint64_t)(box->max.z - (int64_t)box->min.z);
}

// ---- explorer.c ----

// Follows the map and finds the body's cell.
oct_result oct_explorer_settle(oct_explorer *e, oct_point from);

// Where nothing is left to choose.
oct_result oct_explorer_end(oct_explorer *e, oct_exploration *out);

// Tells to go to a cell of the frontier on the path that `out` holds.
void oct_explorer_go(const oct_explorer *e, oct_vec cell, oct_explore_why why,
                     oct_exploration *out);

// A cell's middle, in metres.
oct_point oct_explorer_point(const oct_explorer *e, oct_vec cell);

// ---- explore_ways.c: paths through OPEN cells ----

// To the frontier, by the shortest way.
oct_result oct_explorer_plan_nearest(oct_explorer *e, oct_path *out);
// To a point; `unknown`: UNKNOWN counts as free.
oct_result oct_explorer_plan(oct_explorer *e, oct_point to, bool unknown, oct_path *out);
// To one of the goals.
oct_result oct_explorer_plan_goals(oct_explorer *e, oct_path *out);

// The free cell that a body is in, or the nearest one; false where there is none.
bool oct_explorer_anchor(const oct_explorer *e, oct_point at, oct_vec *cell);

// ---- explore_choose.c ----

oct_result oct_explorer_choose(oct_explorer *e, oct_exploration *out);

// ---- explore_remains.c ----

// Whether a body and a place are connected by what was OPEN when it was last asked, or told of an
// arrival; true where one of them is not in the lattice. A body that touches something is where the
// nearest free cell is, as for all other questions.
bool oct_explorer_connects(const oct_explorer *e, oct_point body, oct_point place);

// Whether cells that can be reached lie at the bounds, with OPEN or UNKNOWN behind them.
oct_result oct_explorer_is_bounded(oct_explorer *e, bool *out);

#endif
