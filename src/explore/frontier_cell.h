// SPDX-License-Identifier: MIT
// The definition of a frontier cell, asked of one cell.
#ifndef OCTANT_FRONTIER_CELL_H
#define OCTANT_FRONTIER_CELL_H

#include "octant/map.h"
#include "octant/tree.h"

static const oct_vec frontier_faces[6] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                          {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

static inline bool frontier_is_within(const oct_box *bounds, int dims, oct_vec cell)
{
    return !bounds || (cell.x >= bounds->min.x && cell.x < bounds->max.x &&
                       cell.y >= bounds->min.y && cell.y < bounds->max.y &&
                       (dims == 2 || (cell.z >= bounds->min.z && cell.z < bounds->max.z)));
}

// Whether the cell across a face is UNKNOWN and within the bounds.
static inline bool frontier_is_unknown(const oct_map *map, const oct_box *bounds, oct_vec cell,
                                       int face)
{
    const oct_vec next = {cell.x + frontier_faces[face].x, cell.y + frontier_faces[face].y,
                          cell.z + frontier_faces[face].z};
    return frontier_is_within(bounds, (int)oct_tree_dims(oct_map_tree(map)), next) &&
           oct_tree_label(oct_map_tree(map), next) == OCT_UNKNOWN;
}

// Whether a cell is OPEN and the cell across one of its faces, within the bounds (NULL = none), is
// UNKNOWN.
static inline bool frontier_cell(const oct_map *map, const oct_box *bounds, oct_vec cell)
{
    const int dims = (int)oct_tree_dims(oct_map_tree(map));
    bool found = false;
    for (int face = 0; face < 2 * dims && !found; face++) {
        found = frontier_is_unknown(map, bounds, cell, face);
    }
    return found && frontier_is_within(bounds, dims, cell) &&
           oct_tree_label(oct_map_tree(map), cell) == OCT_OPEN;
}

#endif
