// SPDX-License-Identifier: MIT
/// \file
/// Maps made from a seed: scenes to measure and test with, from easy ones to the worst.
///
/// The same definition gives the same map, to the bit, everywhere. A map is a cube (a square at two
/// dimensions) from cell 0 to `size`, and every cell in it is observed.
/// Threading: nothing here holds state.
#ifndef OCTANT_GENERATE_H
#define OCTANT_GENERATE_H

#include "octant/formats.h"

/// Edge of a generated map, cells.
#define OCT_GENERATE_SIZE_MIN 8
#define OCT_GENERATE_SIZE_MAX 4096
/// The same for a checkerboard of three dimensions, where nothing merges: a gigabyte of bricks.
#define OCT_GENERATE_CHECKERBOARD_MAX 1024
/// Most boxes or tunnels a map can be asked for.
#define OCT_GENERATE_COUNT_MAX 1000000
/// Largest share of the interior that clusters can be asked to fill.
#define OCT_GENERATE_FILL_MAX 0.4
/// Most that cells drawn by potential can be asked to cluster.
#define OCT_GENERATE_CLUSTERING_MAX 1000

typedef enum oct_generate_kind {
    OCT_GENERATE_BOXES,        ///< a hollow cube with boxes at uniform places
    OCT_GENERATE_WALL,         ///< halved by a wall of four cells with one hole of 6 x 6; boxes
    OCT_GENERATE_CLUSTERS,     ///< a hollow cube with boxes crowding around forty centres
    OCT_GENERATE_CHECKERBOARD, ///< OPEN and BLOCKED alternate: the worst for an octree
    OCT_GENERATE_TUNNELS,      ///< solid, with tunnels of one cell: the worst for sets of cells
    OCT_GENERATE_POTENTIAL,    ///< flat: cells blocked one by one, rather beside blocked ones
    OCT_GENERATE_COUNT
} oct_generate_kind;

/// What to make. Start from oct_generate_def_default().
typedef struct oct_generate_def {
    oct_generate_kind kind; ///< default BOXES
    uint32_t size;          ///< cells along each edge; default 256
    uint64_t seed;          ///< default 1
    uint32_t dims;          ///< 3 or 2; default 3; POTENTIAL needs 2
    uint32_t boxes;         ///< 0 (default) = 500, beside a wall 100; a fifth at two dimensions
    uint32_t tunnels;       ///< 2 x size cells each; 0 (default) = 200; 10 at two dimensions
    double fill;            ///< of CLUSTERS: share of the interior to be blocked; default 0.1
    double coverage;        ///< of POTENTIAL: share of cells to be blocked, 0 to 1; default 0.2
    uint32_t clustering; ///< of POTENTIAL: how much they attract the next one, 0 = not; default 2
    uint32_t cookie;     ///< set by the default; do not touch
} oct_generate_def;

OCT_API oct_generate_def oct_generate_def_default(void);

/// Makes a map. `tree_def` gives cell size, origin, journal and allocator; `def` the dimensions.
/// On success *out is the caller's and *info (may be NULL) declares the cube; on failure *out is
/// NULL: OCT_ERROR_ARGUMENT for a definition that makes no sense, OCT_ERROR_RANGE beyond the
/// limits above.
///
/// POTENTIAL blocks exactly coverage x size x size cells, rounded. A free cell is the next one with
/// a probability in proportion to its potential: 1, and for each blocked cell beside it 2 x
/// clustering more, for each at a corner of it 1 x clustering.
OCT_API oct_result oct_tree_generate(const oct_generate_def *def, const oct_tree_def *tree_def,
                                     oct_tree **out, oct_tree_info *info);

#endif
