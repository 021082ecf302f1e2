// SPDX-License-Identifier: MIT
/// \file
/// Local distances: the shortest ways through every possible square of few cells, looked up instead
/// of searched for. What Block A* crosses a flat map with.
///
/// A block is a square of n x n cells, n = 2, 3 or 4. Which cells are blocked is its code: bit
/// x + n y. Its points are the (n + 1)^2 corners of its cells, x + (n + 1) y; 4 n of them lie on
/// its boundary. For every code the database holds how far it is between two points, inside the
/// block, and at which points the way bends.
///
/// A way is free as graph.h says, with nothing but the block's own cells: it may touch blocked
/// ones and run along them, with a free cell beside it, but not pass between two that meet in a
/// corner. A point inside where two do, and the other two cells are free, is two places: of a way
/// that begins or ends there the database says nothing. Made to squeeze, it takes such a point for
/// one place, which a way may pass and bend at.
///
/// A straight piece costs its length, rounded up to a multiple of 2^-32 as searches do, and a way
/// the sum: distances are exact, and the same both ways and in all mirror images of a block. Of
/// several shortest ways the one with the fewest bends is held; of these, in the image of the block
/// with the lowest code, the one whose bends are the lowest numbers from the end that comes first:
/// points of the boundary in their order, then those inside. Back it is the same way.
///
/// A database is one piece of memory, the same bits on all machines with the same order of bytes:
/// it can be written to a file and used as it is mapped. Threading: only read once made.
#ifndef OCTANT_DISTANCES_H
#define OCTANT_DISTANCES_H

#include "octant/base.h"

typedef struct oct_distances oct_distances;

/// Between which points distances are known.
typedef enum oct_distances_kind {
    OCT_DISTANCES_PLAIN, ///< points of the boundary
    OCT_DISTANCES_SEMI,  ///< any point and points of the boundary: a start or goal inside
    OCT_DISTANCES_FULL,  ///< any two points: start and goal inside one block
    OCT_DISTANCES_KIND_COUNT
} oct_distances_kind;

/// "plain", "semi", "full"; NULL beyond.
OCT_API const char *oct_distances_kind_name(oct_distances_kind kind);

#define OCT_DISTANCES_EDGE_MIN 2
#define OCT_DISTANCES_EDGE_MAX 4
/// Points of the largest block, and those of its boundary.
#define OCT_DISTANCES_POINTS_MAX 25
#define OCT_DISTANCES_BOUNDARY_MAX 16
/// Bends of a way at most.
#define OCT_DISTANCES_BENDS_MAX 6

/// How to make a database. Start from oct_distances_def_default().
typedef struct oct_distances_def {
    uint32_t edge;                  ///< cells along a block's edge; default 4
    oct_distances_kind kind;        ///< default PLAIN
    bool packed;                    ///< default true: one of all codes that are mirror images, and
                                    ///< every way once; else each code and pair by itself
    bool squeeze;                   ///< default false
    const oct_executor *executor;   ///< NULL = the calling thread; same bits
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_distances_def;

OCT_API oct_distances_def oct_distances_def_default(void);

/// Works a database out. Of blocks of 4 x 4 cells, packed, it is 3 to 6 MB, and takes about 0.1 s;
/// unpacked 200 to 490 MB, below 1 s. On failure *out is NULL.
OCT_API oct_result oct_distances_create(const oct_distances_def *def, oct_distances **out);

/// Uses one that was written: `bytes`, aligned to 8, are borrowed and must stay as they are. All is
/// checked that looking up relies on, and a checksum: OCT_ERROR_FORMAT, with the reason in `error`
/// (may be NULL). On failure *out is NULL.
OCT_API oct_result oct_distances_open(const void *bytes, size_t count,
                                      const oct_allocator *allocator, oct_distances **out,
                                      oct_error *error);

/// Frees one, but not borrowed bytes; NULL is allowed.
OCT_API void oct_distances_destroy(oct_distances *distances);

/// The memory that it is, to be written to a file.
OCT_API const void *oct_distances_bytes(const oct_distances *distances, size_t *count);

/// What it was made with; executor and allocator are NULL.
OCT_API oct_distances_def oct_distances_about(const oct_distances *distances);

#endif
