// SPDX-License-Identifier: MIT
// Rays through a map, in metres.
#include "map/map.h"
#include "octant/tree.h"

// The part of the segment that lies before a slab along one axis, if that is later.
static double enter_slab(double from, double to, double low, double high, double so_far)
{
    const double length = to - from;
    if (length == 0.0) {
        return so_far;
    }
    const double part = ((length > 0.0 ? low : high) - from) / length;
    return part > so_far ? part : so_far;
}

bool oct_map_raycast(const oct_map *map, oct_point from, oct_point to, oct_labels labels,
                     oct_ray_hit *hit)
{
    const oct_tree *const tree = map->tree;
    oct_fine a, b;
    if (!oct_tree_fine_at(tree, from, &a) || !oct_tree_fine_at(tree, to, &b) ||
        !oct_tree_raycast(tree, a, b, labels, &hit->leaf)) {
        return false;
    }
    const oct_box cells = oct_leaf_box(hit->leaf);
    const oct_point o = oct_tree_origin(tree), start = oct_tree_point(tree, a),
                    end = oct_tree_point(tree, b);
    const double cell = oct_tree_cell_size(tree);
    double part = enter_slab(start.x, end.x, o.x + cells.min.x * cell, o.x + cells.max.x * cell, 0);
    part = enter_slab(start.y, end.y, o.y + cells.min.y * cell, o.y + cells.max.y * cell, part);
    if (oct_tree_dims(tree) == 3) {
        part = enter_slab(start.z, end.z, o.z + cells.min.z * cell, o.z + cells.max.z * cell, part);
    }
    const oct_point way = point_sub(end, start);
    hit->at = (oct_point){start.x + part * way.x, start.y + part * way.y, start.z + part * way.z};
    hit->distance = part * point_length(way);
    return true;
}
