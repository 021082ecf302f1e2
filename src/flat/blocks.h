// SPDX-License-Identifier: MIT
// A flat map as blocks: squares of n x n cells that are crossed by looking up.
//
// Blocks lie at multiples of n from the plane's smallest cell. A block is known by its boundary
// points, 4 n of them, in the order of oct_distances_boundary_point. Inside one block the free
// cells at a boundary point always touch each other, so a point is one place there. Two blocks
// share the points of an edge, four a corner: what one has reached the others have, but for double
// corners, where the cells of one block do not touch those of another. Nothing passes there, and so
// such a point is of no use: it is not open (unless paths may squeeze).
//
// Blocks get a slot as they are met. Slots of earlier queries are told by comparing both ways, so
// that a query begins in constant time. What a block is like is found once and kept while the map
// is the same, what a code costs to cross while the database is.
//
//   site    12 bytes, for every block of the map
//   block   192 bytes, three cache lines, for those met: two of costs, one for the rest
//   matrix  2 KB, for codes met: a row for each point that a block is entered at
#ifndef OCTANT_BLOCKS_H
#define OCTANT_BLOCKS_H

#include "flat/distances.h"
#include "flat/lab_space.h"

#define BLOCK_POINTS OCT_DISTANCES_BOUNDARY_MAX
// Directions to other blocks: four over an edge, then four over a corner.
#define BLOCK_DIRECTIONS 8
// Blocks that have a start or goal in or on them, at most.
#define BLOCK_ENDS 4
// Points inside a block, at which ways bend.
#define BLOCK_TURNS 9
#define TURN_NONE 0xffu

// A block of the map, met or not.
typedef struct block_site {
    uint32_t slot;   // where it was when it was last met
    uint32_t matrix; // 0: not looked at yet
    uint32_t open;   // points at which it is entered and left
} block_site;

typedef struct map_block {
    double g[BLOCK_POINTS]; // least cost from the start so far
    double queued;          // rank at which it waits; HUGE_COST where it does not
    int32_t x, y;           // which block it is
    uint32_t matrix;
    uint32_t step;     // of records: its last expansion
    uint32_t open;     // points at which it is entered and left
    uint32_t updated;  // points that were reached at less cost since its last expansion
    uint32_t goal_end; // 1 + which of the goal's ends it has, or 0
    uint32_t unused[7];
} map_block;
_Static_assert(sizeof(map_block) == 192, "three cache lines");

typedef struct block_matrix {
    double cost[BLOCK_POINTS][BLOCK_POINTS]; // HUGE_COST where there is no way
} block_matrix;

// A place inside a block at which ways bend, as seen from an end.
typedef struct block_turn {
    spot place;
    double length;  // of the way from the end
    uint8_t before; // the turn before, or TURN_NONE
} block_turn;

// A start or goal in one of the blocks that it is in or on.
typedef struct block_end {
    int32_t x, y;
    uint32_t code;
    bool is_known; // ways are the database's, and begin at its point
    bool has_turns;
    uint32_t point;
    double cost[BLOCK_POINTS]; // of the way to a boundary point, or HUGE_COST
    uint8_t via[BLOCK_POINTS]; // the turn before that point, or TURN_NONE
    uint32_t turn_count;
    block_turn turns[BLOCK_TURNS];
} block_end;

// The way from start to goal inside one block.
typedef struct block_direct {
    double cost;           // HUGE_COST where there is none
    const block_end *from; // the block as each of them has it
    const block_end *to;
    bool is_known; // it is the database's
    uint8_t via;   // a turn of both, or TURN_NONE
} block_direct;

typedef struct block_space {
    space base;
    // Of the query, set before it begins.
    const oct_distances *distances;
    uint64_t (*clock)(void *ctx); // may be NULL
    void *clock_ctx;
    // What the database is like, and what follows from it.
    uint32_t edge; // 0: none yet
    oct_distances_kind kind;
    bool squeeze;
    uint32_t reach[BLOCK_DIRECTIONS];                    // points that a block there has too
    uint8_t across[BLOCK_DIRECTIONS][BLOCK_POINTS];      // which of its points they are
    double point_x[BLOCK_POINTS], point_y[BLOCK_POINTS]; // in a block, sub-lattice
    // The map.
    bit_plane *plane;      // the planner's
    uint32_t version;      // of the plane that the blocks are of
    bool is_ready;         // the sites are of this map and database
    int32_t columns, rows; // of blocks
    block_site *sites;     // row by row
    size_t site_room;
    oct_array blocks; // of map_block, from 1
    // Matrices of codes, of databases with this edge and squeezing.
    uint32_t *matrix_of; // by code; 0 = not looked up yet
    size_t matrix_room;
    oct_array matrices; // of block_matrix, from 1
    // The query.
    double goal_x, goal_y; // sub-lattice, from the plane's smallest point
    block_end starts[BLOCK_ENDS], goals[BLOCK_ENDS];
    uint32_t start_count, goal_count;
    block_direct direct;
    uint64_t ends_time;
    uint64_t nodes; // that were expanded
    // The search's, see block.c.
    double goal_cost;                      // the least at which the goal was met so far
    uint32_t goal_block, goal_point;       // from where; block 0: inside one block
    uint32_t nearest_block, nearest_point; // where the nearest point is; block 0: the start
    double nearest_g;
    oct_array way; // of oct_fine, from 1
} block_space;

extern const space_kind oct_blocks_kind;
extern const space_ops oct_block_ops; // block.c

// Gives a block of the map that has none a slot.
oct_result oct_blocks_add(block_space *s, int32_t x, int32_t y, uint32_t *slot);

uint32_t oct_blocks_code(const block_space *s, int32_t x, int32_t y);
oct_result oct_blocks_matrix(block_space *s, uint32_t code, uint32_t *out);

// ---- blocks_ends.c ----

// Finds the ways from start and goal to the boundaries of their blocks, and inside one.
oct_result oct_blocks_find_ends(block_space *s);

// A way is traced back from the goal to the start. These append the points at which it bends
// between a boundary point and the start, between the goal and a boundary point, and inside one
// block.
oct_result oct_blocks_trace_to_start(block_space *s, const block_end *start, uint32_t point);
oct_result oct_blocks_trace_from_goal(block_space *s, const block_end *goal, uint32_t point);
oct_result oct_blocks_trace_direct(block_space *s);

// ---- accessors ----

OCT_FORCE_INLINE map_block *map_block_at(const block_space *s, uint32_t slot)
{
    return (map_block *)s->blocks.items + slot;
}

OCT_FORCE_INLINE const block_matrix *block_matrix_at(const block_space *s, uint32_t id)
{
    return (const block_matrix *)s->matrices.items + id;
}

OCT_FORCE_INLINE bool blocks_hold(const block_space *s, int32_t x, int32_t y)
{
    return (uint32_t)x < (uint32_t)s->columns && (uint32_t)y < (uint32_t)s->rows;
}

OCT_FORCE_INLINE size_t block_place(const block_space *s, int32_t x, int32_t y)
{
    return (size_t)y * (size_t)s->columns + (size_t)x;
}

// The slot of a block that was met in this query, or 0.
OCT_FORCE_INLINE uint32_t block_slot(const block_space *s, int32_t x, int32_t y)
{
    const uint32_t slot = s->sites[block_place(s, x, y)].slot;
    if (slot >= s->blocks.count) {
        return 0;
    }
    const map_block *const b = map_block_at(s, slot);
    return b->x == x && b->y == y ? slot : 0;
}

// The slot of a block of the map.
OCT_FORCE_INLINE oct_result block_meet(block_space *s, int32_t x, int32_t y, uint32_t *slot)
{
    *slot = block_slot(s, x, y);
    return OCT_LIKELY(*slot) ? OCT_OK : oct_blocks_add(s, x, y, slot);
}

// Which block is next in a direction: right, above, left, below; then above right, above left,
// below left, below right.
OCT_FORCE_INLINE void block_step(uint32_t direction, int32_t *x, int32_t *y)
{
    static const int8_t steps[BLOCK_DIRECTIONS][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                                      {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    *x += steps[direction][0];
    *y += steps[direction][1];
}

// A point of a block on the sub-lattice, by its number there.
OCT_FORCE_INLINE oct_fine block_fine(const block_space *s, int32_t x, int32_t y, uint32_t point)
{
    const int64_t n = s->edge;
    return (oct_fine){(s->plane->x + n * x + point % (n + 1)) * OCT_FINE,
                      (s->plane->y + n * y + point / (n + 1)) * OCT_FINE, FLAT_Z};
}

OCT_FORCE_INLINE oct_fine block_boundary_fine(const block_space *s, const map_block *b, uint32_t i)
{
    return block_fine(s, b->x, b->y, oct_distances_boundary_point(s->edge, i));
}

#endif
