// SPDX-License-Identifier: MIT
#include "map/sight_index.h"

// By how much boxes are taken larger, in cells: more than any rounding.
#define HAIR 1e-3
#define SIZE_MAX_PARTS 64
// Items that an index may have for each box, and in any case.
#define ITEMS_A_BOX 16u
#define ITEMS_LEAST 4096u

// The parts that a box reaches into, along each axis.
static void parts_of(const sight_index *index, const sight_box *box, part_range out[SIGHT_AXES])
{
    for (int axis = 0; axis < SIGHT_AXES; axis++) {
        out[axis] = (part_range){0, 0};
        if (index->size[axis] > 1) {
            out[axis] = (part_range){sight_part(index, axis, box->lo[axis] - HAIR),
                                     sight_part(index, axis, box->hi[axis] + HAIR)};
        }
    }
}

static uint64_t count_items(const sight *s, const sight_index *index)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->box_count; i++) {
        part_range r[SIGHT_AXES];
        parts_of(index, &s->boxes[i], r);
        count += (uint64_t)(r[0].to - r[0].from + 1) * (uint64_t)(r[1].to - r[1].from + 1) *
                 (uint64_t)(r[2].to - r[2].from + 1);
    }
    return count;
}

static void place_at(const sight *s, double reach, int size, sight_index *out)
{
    const double eye[SIGHT_AXES] = {s->eye.x, s->eye.y, s->eye.z};
    for (int axis = 0; axis < SIGHT_AXES; axis++) {
        out->size[axis] = axis < s->dims ? size : 1;
        out->lo[axis] = eye[axis] - reach - 1.0;
    }
    out->scale = size / (2.0 * reach + 2.0);
}

// Counts, or notes, the boxes of each part. Noting moves the starts on to the ends.
static void enter_boxes(const sight *s, const sight_index *index, uint32_t *starts, uint32_t *items)
{
    for (uint32_t i = 0; i < s->box_count; i++) {
        part_range r[SIGHT_AXES];
        parts_of(index, &s->boxes[i], r);
        for (int z = r[2].from; z <= r[2].to; z++) {
            for (int y = r[1].from; y <= r[1].to; y++) {
                for (int x = r[0].from; x <= r[0].to; x++) {
                    const size_t part =
                        ((size_t)z * (size_t)index->size[1] + (size_t)y) * (size_t)index->size[0] +
                        (size_t)x;
                    if (items) {
                        items[starts[part]] = i;
                    }
                    starts[part]++;
                }
            }
        }
    }
}

oct_result oct_sight_index_make(const sight *s, double reach, const oct_allocator *allocator,
                                oct_array *starts, oct_array *items, sight_index *out)
{
    int size = 1;
    while (size < SIZE_MAX_PARTS &&
           (uint64_t)size * (uint64_t)size * (uint64_t)size < s->box_count) {
        size *= 2;
    }
    uint64_t total;
    for (;; size /= 2) {
        place_at(s, reach, size, out);
        total = count_items(s, out);
        if (size == 1 || total <= (uint64_t)s->box_count * ITEMS_A_BOX + ITEMS_LEAST) {
            break;
        }
    }
    const size_t parts = (size_t)out->size[0] * (size_t)out->size[1] * (size_t)out->size[2];
    OCT_TRY(oct_array_reserve(starts, allocator, sizeof(uint32_t), parts + 2));
    OCT_TRY(oct_array_reserve(items, allocator, sizeof(uint32_t), (size_t)total + 1));
    // Two further on than they belong: counts become starts, and starts ends, each one place down.
    uint32_t *const at = starts->items;
    memset(at, 0, (parts + 2) * sizeof *at);
    enter_boxes(s, out, at + 2, NULL);
    for (size_t i = 2; i < parts + 2; i++) {
        at[i] += at[i - 1];
    }
    enter_boxes(s, out, at + 1, items->items);
    out->starts = at;
    out->items = items->items;
    return OCT_OK;
}
