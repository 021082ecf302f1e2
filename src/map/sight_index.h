// SPDX-License-Identifier: MIT
// Opaque boxes by where they are: of thousands, those near a line are asked.
//
// The cube around the eye is cut into parts, and each part has a list of the boxes that reach into
// it, a hair more than they do: so a line meets only boxes of parts that it passes.
#ifndef OCTANT_SIGHT_INDEX_H
#define OCTANT_SIGHT_INDEX_H

#include "map/sight.h"

#include <math.h>

typedef struct sight_index {
    int size[SIGHT_AXES]; // parts along an axis
    double lo[SIGHT_AXES], scale;
    const uint32_t *starts; // of a part's list; its end is where the next one starts
    const uint32_t *items;  // indices of boxes
} sight_index;

// Makes an index of the sight's boxes for lines of at most `reach` cells. The arrays, of uint32_t,
// hold it.
oct_result oct_sight_index_make(const sight *s, double reach, const oct_allocator *allocator,
                                oct_array *starts, oct_array *items, sight_index *out);

OCT_FORCE_INLINE int sight_part(const sight_index *index, int axis, double at)
{
    const double part = (at - index->lo[axis]) * index->scale;
    return part < 1.0 ? 0 : part >= index->size[axis] ? index->size[axis] - 1 : (int)part;
}

// Parts from..to along one axis, both included.
typedef struct part_range {
    int from, to;
} part_range;

// Those that a line passes between two places on the way, which goes from `at` by `length`.
OCT_FORCE_INLINE part_range parts_between(const sight_index *index, int axis, double at,
                                          double length, double begin, double end)
{
    const int a = sight_part(index, axis, at + begin * length);
    const int b = sight_part(index, axis, at + end * length);
    return a < b ? (part_range){a, b} : (part_range){b, a};
}

typedef bool sight_box_fn(void *ctx, uint32_t box);

// Whether `test` holds for a box near the way from the eye to a point, from near to far. A box may
// be tested several times.
OCT_FORCE_INLINE bool sight_index_any(const sight_index *index, const double eye[SIGHT_AXES],
                                      const double at[SIGHT_AXES], sight_box_fn *test, void *ctx)
{
    const double way[SIGHT_AXES] = {at[0] - eye[0], at[1] - eye[1], at[2] - eye[2]};
    int main = fabs(way[1]) > fabs(way[0]) ? 1 : 0;
    main = index->size[2] > 1 && fabs(way[2]) > fabs(way[main]) ? 2 : main;
    const int from = sight_part(index, main, eye[main]), to = sight_part(index, main, at[main]);
    const int step = from <= to ? 1 : -1;
    for (int slab = from; slab != to + step; slab += step) {
        // Where the way is in the slab; the first and the last one also have what lies before and
        // behind them.
        const double lower = index->lo[main] + slab / index->scale;
        const double upper = index->lo[main] + (slab + 1) / index->scale;
        const double enters = ((step > 0 ? lower : upper) - eye[main]) / way[main];
        const double leaves = ((step > 0 ? upper : lower) - eye[main]) / way[main];
        const double begin = slab == from || !(enters > 0.0) ? 0.0 : enters;
        const double end = slab == to || !(leaves < 1.0) ? 1.0 : leaves;
        part_range r[SIGHT_AXES];
        for (int axis = 0; axis < SIGHT_AXES; axis++) {
            r[axis] = axis == main ? (part_range){slab, slab}
                                   : parts_between(index, axis, eye[axis], way[axis], begin, end);
        }
        for (int z = r[2].from; z <= r[2].to; z++) {
            for (int y = r[1].from; y <= r[1].to; y++) {
                for (int x = r[0].from; x <= r[0].to; x++) {
                    const size_t part =
                        ((size_t)z * (size_t)index->size[1] + (size_t)y) * (size_t)index->size[0] +
                        (size_t)x;
                    for (uint32_t i = index->starts[part]; i < index->starts[part + 1]; i++) {
                        if (test(ctx, index->items[i])) {
                            return true;
                        }
                    }
                }
            }
        }
    }
    return false;
}

#endif
