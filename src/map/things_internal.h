// SPDX-License-Identifier: MIT
// What the files of the index of things share: cells, places, and how nodes are found.
#ifndef OCTANT_THINGS_INTERNAL_H
#define OCTANT_THINGS_INTERNAL_H

#include "base/hash.h"
#include "map/things.h"

// ---- cells ----

OCT_FORCE_INLINE bool cover_axis(double min, double max, double padding, double origin, double cell,
                                 bool checked, int32_t *first, int32_t *end)
{
    const double lo = (min - padding - origin) / cell, hi = (max + padding - origin) / cell;
    if (checked && !(min <= max && axis_has_floor(lo) && axis_has_ceiling(hi))) {
        return false;
    }
    *first = axis_floor(lo);
    *end = axis_ceiling(hi);
    *end += *end == *first; // flat, and on a boundary
    return !checked || *end <= OCT_RANGE;
}

// What oct_lattice_cover promises. Where it is not checked the cells must be known to be in range.
OCT_FORCE_INLINE bool cover_box(int dims, const lattice *l, const oct_bounds *box, bool checked,
                                oct_box *cells)
{
    const double cell = l->cell_size;
    cells->min.z = 0;
    cells->max.z = 1;
    return cover_axis(box->min.x, box->max.x, l->padding.x, l->origin.x, cell, checked,
                      &cells->min.x, &cells->max.x) &&
           cover_axis(box->min.y, box->max.y, l->padding.y, l->origin.y, cell, checked,
                      &cells->min.y, &cells->max.y) &&
           (dims == 2 || cover_axis(box->min.z, box->max.z, l->padding.z, l->origin.z, cell,
                                    checked, &cells->min.z, &cells->max.z));
}

// ---- places ----

// The code of a node.
typedef struct place {
    int32_t x, y, z; // in edges of the level
    int32_t level;
} place;

// The length of the longest side of a box.
OCT_FORCE_INLINE int64_t box_side(int dims, const oct_box *box)
{
    const int64_t x = (int64_t)box->max.x - box->min.x, y = (int64_t)box->max.y - box->min.y;
    const int64_t z = dims == 3 ? (int64_t)box->max.z - box->min.z : 0;
    const int64_t flat = x > y ? x : y;
    return flat > z ? flat : z;
}

// The lowest level whose edge is no shorter than a length > 0.
OCT_FORCE_INLINE int level_of(int64_t length)
{
    return (int)oct_bit_length((uint64_t)length - 1u);
}

// Where the middle between two ends is, in edges of a level.
OCT_FORCE_INLINE int32_t middle_of(int32_t min, int32_t max, int level)
{
    return (int32_t)(((int64_t)min + max) >> (level + 1));
}

// The node where a box of cells belongs.
OCT_FORCE_INLINE place place_of(int dims, const oct_box *cells)
{
    const int level = level_of(box_side(dims, cells));
    return (place){middle_of(cells->min.x, cells->max.x, level),
                   middle_of(cells->min.y, cells->max.y, level),
                   dims == 3 ? middle_of(cells->min.z, cells->max.z, level) : 0, level};
}

OCT_FORCE_INLINE place place_parent(place at)
{
    return (place){at.x >> 1, at.y >> 1, at.z >> 1, at.level + 1};
}

// Which child of its parent a node is.
OCT_FORCE_INLINE uint32_t place_child(place at)
{
    return ((uint32_t)at.x & 1u) | ((uint32_t)at.y & 1u) << 1 | ((uint32_t)at.z & 1u) << 2;
}

// A child of a node.
OCT_FORCE_INLINE place place_below(place at, uint32_t child)
{
    return (place){at.x * 2 + (int32_t)(child & 1u), at.y * 2 + (int32_t)(child >> 1 & 1u),
                   at.z * 2 + (int32_t)(child >> 2), at.level - 1};
}

// ---- nodes ----

#define NODE_FREE 255 // the level of a node that is not in use

OCT_FORCE_INLINE thing_node *node_at(const thing_index *index, uint32_t node)
{
    return (thing_node *)index->nodes.items + node;
}

OCT_FORCE_INLINE place node_place(const thing_node *node)
{
    return (place){node->x, node->y, node->z, node->level};
}

// ---- tables ----

// How many quarters of a table may be in use. A query is mostly a matter of finding nodes, and
// there are few of them: their table has more room.
#define IDS_QUARTERS 3
#define CODES_QUARTERS 2

OCT_FORCE_INLINE uint64_t place_hash(place at)
{
    return oct_hash_pair((uint32_t)at.x | (uint64_t)(uint32_t)at.y << 32,
                         (uint32_t)at.z | (uint64_t)(uint32_t)at.level << 32);
}

// Where the search for a hash begins.
OCT_FORCE_INLINE uint32_t table_home(const thing_table *table, uint64_t hash)
{
    return (uint32_t)((hash >> 32) * table->size >> 32);
}

OCT_FORCE_INLINE uint32_t table_after(const thing_table *table, uint32_t at)
{
    return at + 1u < table->size ? at + 1u : 0u;
}

// The node of a place, or 0; there must be a table.
OCT_FORCE_INLINE uint32_t node_find(const thing_index *index, place at)
{
    const thing_table *codes = &index->codes;
    for (uint32_t i = table_home(codes, place_hash(at));; i = table_after(codes, i)) {
        const uint32_t found = codes->items[i];
        const thing_node *node = node_at(index, found);
        if (found == 0 || ((node->x ^ at.x) | (node->y ^ at.y) | (node->z ^ at.z) |
                           (node->level ^ at.level)) == 0) {
            return found;
        }
    }
}

#endif
