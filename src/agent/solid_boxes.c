// SPDX-License-Identifier: MIT
#include "agent/solid_boxes.h"

#include <stdlib.h>
#include <string.h>

// Faces that are nearer than this are the same, metres: rounding, and nothing fits in between.
#define SEAM 1e-6

static double *low(oct_bounds *b, int axis)
{
    return axis == 0 ? &b->min.x : axis == 1 ? &b->min.y : &b->min.z;
}

static double *high(oct_bounds *b, int axis)
{
    return axis == 0 ? &b->max.x : axis == 1 ? &b->max.y : &b->max.z;
}

static double low_of(const oct_bounds *b, int axis)
{
    return axis == 0 ? b->min.x : axis == 1 ? b->min.y : b->min.z;
}

static double high_of(const oct_bounds *b, int axis)
{
    return axis == 0 ? b->max.x : axis == 1 ? b->max.y : b->max.z;
}

static int order(double a, double b)
{
    return a < b - SEAM ? -1 : a > b + SEAM;
}

// By all faces but those across an axis, then by place along it. Within the seam's width faces are
// equal; that this is no strict order for worlds of odd sizes only leaves boxes apart.
static int compare(const oct_bounds *a, const oct_bounds *b, int axis)
{
    for (int i = 1; i < 3; i++) {
        const int other = (axis + i) % 3;
        const int lows = order(low_of(a, other), low_of(b, other));
        const int highs = order(high_of(a, other), high_of(b, other));
        if (lows != 0 || highs != 0) {
            return lows != 0 ? lows : highs;
        }
    }
    return order(low_of(a, axis), low_of(b, axis));
}

// Merges runs of 1, 2, 4, ...: a sort whose outcome depends on nothing but the boxes.
static void sort(oct_bounds *boxes, oct_bounds *other, size_t count, int axis)
{
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            const size_t middle = begin + run < count ? begin + run : count;
            const size_t end = begin + 2 * run < count ? begin + 2 * run : count;
            size_t left = begin, right = middle;
            for (size_t i = begin; i < end; i++) {
                const bool takes_left =
                    left < middle &&
                    (right == end || compare(&boxes[left], &boxes[right], axis) <= 0);
                other[i] = takes_left ? boxes[left++] : boxes[right++];
            }
        }
        memcpy(boxes, other, count * sizeof *boxes);
    }
}

// Joins what stands in a row along an axis; how many are left.
static size_t join_along(oct_bounds *boxes, oct_bounds *other, size_t count, int axis)
{
    size_t kept = 0;
    sort(boxes, other, count, axis);
    for (size_t i = 0; i < count; i++) {
        oct_bounds *const last = kept > 0 ? &boxes[kept - 1] : NULL;
        oct_bounds next = boxes[i];
        bool is_joined = last != NULL;
        for (int k = 1; k < 3 && is_joined; k++) {
            const int other_axis = (axis + k) % 3;
            is_joined = order(low_of(last, other_axis), low_of(&next, other_axis)) == 0 &&
                        order(high_of(last, other_axis), high_of(&next, other_axis)) == 0;
        }
        if (is_joined && low_of(&next, axis) <= high_of(last, axis) + SEAM) {
            // What both fill across is filled along the whole.
            for (int k = 1; k < 3; k++) {
                const int across = (axis + k) % 3;
                *low(last, across) = low_of(last, across) > low_of(&next, across)
                                         ? low_of(last, across)
                                         : low_of(&next, across);
                *high(last, across) = high_of(last, across) < high_of(&next, across)
                                          ? high_of(last, across)
                                          : high_of(&next, across);
            }
            *high(last, axis) = high_of(last, axis) > high_of(&next, axis) ? high_of(last, axis)
                                                                           : high_of(&next, axis);
        } else {
            boxes[kept++] = next;
        }
    }
    return kept;
}

oct_result oct_solid_boxes_join(oct_array *list, const oct_allocator *allocator)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    const size_t count = list->count, bytes = count * sizeof(oct_bounds);
    if (count == 0) {
        return OCT_OK;
    }
    oct_bounds *const first = oct_alloc(allocator, 3 * bytes, _Alignof(oct_bounds));
    if (!first) {
        return OCT_ERROR_MEMORY;
    }
    oct_bounds *const boxes = first + count, *const other = boxes + count;
    memcpy(first, list->items, bytes);
    list->count = 0;
    oct_result result = OCT_OK;
    for (int i = 0; i < 6; i++) {
        size_t left = count;
        memcpy(boxes, first, bytes);
        for (int k = 0; k < 3; k++) {
            left = join_along(boxes, other, left, orders[i][k]);
        }
        for (size_t k = 0; k < left && result == OCT_OK; k++) {
            result = oct_array_push(list, allocator, sizeof boxes[k], &boxes[k]);
        }
    }
    oct_free(allocator, first, 3 * bytes);
    return result;
}
