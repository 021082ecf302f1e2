// SPDX-License-Identifier: MIT
// Free space as boxes: what the portal search goes through.
//
// An octree's leaves are cubes: along a wall there are many small ones. So the tree is looked at
// through pages of 64 sub-nodes (4x4x4; 8x8 at two dimensions), one page for a brick, and above
// bricks one for every two (three) levels. In a page the sub-nodes that are free as a whole are
// joined into a few boxes as large as they get; those that hold something else besides have a page
// of their own. Boxes are disjoint, and together they are all free cells.
//
// Nothing is built in advance: a page is made when it is first asked for, and kept until the map,
// its revision or what counts as free is another. Positions are relative to a frame, which is the
// tree's root, or, where UNKNOWN is free, whatever holds root and bounds.
//
//   page  128 bytes: two cache lines, the second is which box a sub-node belongs to
//   box    64 bytes, one cache line: where it is, and what the present query knows of it
#ifndef OCTANT_BOXES_H
#define OCTANT_BOXES_H

#include "base/key_table.h"
#include "search/space.h"

#define BOX_AXES 3

typedef struct box_page {
    uint32_t at[BOX_AXES]; // smallest cell, in the frame
    uint8_t shift;         // edge of a sub-node: 1 << shift cells
    uint8_t box_count;
    uint16_t unused;
    uint64_t free;                 // sub-nodes that are free as a whole
    uint64_t mixed;                // sub-nodes in which some cells are free
    uint32_t first;                // its first box
    uint32_t beside[2 * BOX_AXES]; // what lies at its sides, see BESIDE_BOX; 0 = not looked up
    uint32_t unused_too;
    uint8_t box_of[64]; // by sub-node that is free
} box_page;
_Static_assert(sizeof(box_page) == 128, "two cache lines");

// At the side of a page is another of its size, or all of it is in one box, or nothing is free.
#define BESIDE_BOX 0x80000000u
#define BESIDE_NOTHING 0x40000000u

typedef struct free_box {
    uint32_t first[BOX_AXES], last[BOX_AXES]; // its cells in the frame
    uint32_t page;
    uint32_t stamp;       // of the query that the rest belongs to
    double last_g;        // of the last way through it that was followed: what its entry cost
    double best_sum;      // of the last entry that was made for it: what that promises
    uint32_t last_parent; // where these two came from
    uint32_t best_parent;
    uint8_t passed; // ways through it that the query has followed
    uint8_t unused[7];
} free_box;
_Static_assert(sizeof(free_box) == 64, "a cache line");

// A way into a box: a point on its surface, seen (as far as is known) from another one.
typedef struct box_entry {
    double at[BOX_AXES]; // sub-lattice; whole numbers
    double sum;          // cost of the way, and the estimate of the rest
    uint32_t box;        // 0: none, the goal itself
    uint32_t via;        // entry of the box that it comes out of: from there the point is seen
    uint8_t octants;     // of the point's place: those in both boxes, or all; 0 = not looked up
    bool has_all;        // all of them
    bool has_looked;     // straight to the goal
    uint8_t unused[5];
} box_entry;
_Static_assert(sizeof(box_entry) == 48, "four in three cache lines");

// Boxes behind a face that wait together: those of a page not made yet.
typedef struct box_wait {
    uint32_t from; // entry of the box in front
    uint32_t page; // that has the sub-node
    uint8_t bit;
    uint8_t side; // axis * 2 + 1 if the way leads up
    uint16_t unused;
} box_wait;

// Ids of entries; those of waits have this bit.
enum { BOX_START = 1, BOX_GOAL = 2 };
#define BOX_WAITS 0x80000000u

typedef struct box_space {
    space base;
    // The frame.
    int64_t origin[BOX_AXES]; // of the frame, cells
    int top_shift;            // of the page that is all of it
    oct_box inner;            // bounds, in cells relative to the lattice
    uint64_t frame_edge;      // cells
    bool is_cut;              // bounds may cut boxes
    double fine_origin[BOX_AXES], fine_min[BOX_AXES], fine_max[BOX_AXES]; // sub-lattice
    // What the pages are true of.
    const oct_tree *tree;
    uint64_t revision;
    oct_labels free;
    bool is_priced;    // then boxes also end where prices do; the pages are of one query
    oct_array pages;   // of box_page, from 1
    oct_array boxes;   // of free_box, from 1
    key_table places;  // of pages
    oct_array entries; // of box_entry
    oct_array waits;   // of box_wait
    uint32_t stamp;
    uint32_t start_box, goal_box;
    // The search's, see portal.c.
    uint32_t grade;              // an oct_grade, set before a query begins
    double weight;               // of estimates
    uint32_t ways;               // through one box, at most
    double goal_cost;            // the least at which the goal was met so far
    const oct_goals *goals;      // where there are many: BOX_GOAL is then the one that is aimed at
    double aimed_from[BOX_AXES]; // because it is the nearest from here,
    double aimed_at_least;       // or nearly: none is nearer than so many cells
} box_space;

extern const space_kind oct_boxes_kind;
extern const space_ops oct_portal_ops; // portal.c

// The box that holds a free cell within the bounds.
oct_result oct_boxes_box(box_space *s, oct_vec cell, uint32_t *box);

// The page that is a sub-node of another one's.
oct_result oct_boxes_child(box_space *s, uint32_t page, uint32_t bit, uint32_t *out);

// The page of a size that holds a cell of the frame; or, where space is not divided that far, the
// page above and which of its sub-nodes holds the cell (else *bit is BOX_WHOLE).
#define BOX_WHOLE 64u
oct_result oct_boxes_page(box_space *s, const uint32_t cell[BOX_AXES], int shift, uint32_t *page,
                          uint32_t *bit);

// ---- accessors ----

OCT_FORCE_INLINE box_page *box_page_at(const box_space *s, uint32_t id)
{
    return (box_page *)s->pages.items + id;
}

OCT_FORCE_INLINE free_box *free_box_at(const box_space *s, uint32_t id)
{
    return (free_box *)s->boxes.items + id;
}

OCT_FORCE_INLINE box_entry *box_entry_at(const box_space *s, uint32_t id)
{
    return (box_entry *)s->entries.items + id;
}

// Levels that a page spans, and its sub-nodes on an axis.
OCT_FORCE_INLINE int page_levels(int dims)
{
    return brick_level(dims);
}

OCT_FORCE_INLINE uint32_t page_edge(int dims)
{
    return 1u << page_levels(dims);
}

OCT_FORCE_INLINE oct_fine box_entry_fine(const box_entry *e)
{
    return (oct_fine){(int64_t)e->at[0], (int64_t)e->at[1], (int64_t)e->at[2]};
}

#endif
