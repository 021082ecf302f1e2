// SPDX-License-Identifier: MIT
// Walls of components: boxes of cells that are in the way, whatever the map says.
//
// A wall that comes or goes is a change like those of the map's journal: what is free is compared
// inside its box, and what differs is carried out. While both trees are compared, the walls that
// meet a node stand first in their list; below it only those are looked at.
#include "search/components_internal.h"

// One axis of a box within a root, relative to it; false where nothing is left.
static bool clip_axis(int64_t from, int64_t to, int64_t min, int64_t edge, uint32_t *lo,
                      uint32_t *hi)
{
    const int64_t first = from - min, last = to - 1 - min;
    *lo = (uint32_t)(first > 0 ? first : 0);
    *hi = (uint32_t)(last < edge ? last : edge - 1);
    return first < edge && last >= 0;
}

bool oct_space_clip(const oct_components *c, const oct_box *box, span *out)
{
    const int64_t edge = INT64_C(1) << c->root_level;
    const corner min = c->root_min;
    out->lo.z = out->hi.z = 0;
    return clip_axis(box->min.x, box->max.x, min.x, edge, &out->lo.x, &out->hi.x) &&
           clip_axis(box->min.y, box->max.y, min.y, edge, &out->lo.y, &out->hi.y) &&
           (c->dims == 2 || clip_axis(box->min.z, box->max.z, min.z, edge, &out->lo.z, &out->hi.z));
}

static bool has_box(const oct_box *boxes, size_t from, size_t count, const oct_box *box)
{
    for (size_t i = from; i < count; i++) {
        if (box_equal(&boxes[i], box)) {
            return true;
        }
    }
    return false;
}

// Notes those boxes of a list from an index on that another list does not have from there on; there
// must be room. An empty list may be NULL.
static void note_missing(oct_components *c, size_t from, const oct_box *boxes, size_t count,
                         const oct_box *others, size_t other_count)
{
    for (size_t i = from; i < count; i++) {
        if (!has_box(others, from, other_count, &boxes[i])) {
            ((oct_box *)c->rewalled.items)[c->rewalled.count++] = boxes[i];
        }
    }
}

oct_result oct_components_set_walls(oct_components *c, const oct_box *boxes, size_t count)
{
    const size_t old = c->walls.count;
    OCT_TRY(oct_array_reserve(&c->walls, &c->allocator, sizeof(oct_box), count));
    OCT_TRY(oct_array_reserve(&c->rewalled, &c->allocator, sizeof(oct_box),
                              c->rewalled.count + old + count));
    oct_box *const walls = c->walls.items;
    // Mostly they are the same as before, or more.
    size_t same = 0;
    while (same < old && same < count && box_equal(&walls[same], &boxes[same])) {
        same++;
    }
    note_missing(c, same, walls, old, boxes, count);
    note_missing(c, same, boxes, count, walls, old);
    for (size_t i = same; i < count; i++) {
        walls[i] = boxes[i];
    }
    c->walls.count = count;
    return OCT_OK;
}

oct_result oct_walls_renew(oct_components *c)
{
    c->rewalled.count = 0;
    OCT_TRY(oct_array_reserve(&c->rewalled, &c->allocator, sizeof(oct_box), c->walls.count));
    for (size_t i = 0; i < c->walls.count; i++) {
        ((oct_box *)c->rewalled.items)[c->rewalled.count++] = ((const oct_box *)c->walls.items)[i];
    }
    return OCT_OK;
}

oct_result oct_walls_place(oct_components *c)
{
    const oct_box *const walls = c->walls.items;
    c->spans.count = 0;
    OCT_TRY(oct_array_reserve(&c->spans, &c->allocator, sizeof(span), c->walls.count));
    for (size_t i = 0; i < c->walls.count; i++) {
        c->spans.count += oct_space_clip(c, &walls[i], (span *)c->spans.items + c->spans.count);
    }
    return OCT_OK;
}

uint32_t oct_walls_near(oct_components *c, rel at, int level, uint32_t count, bool *is_all)
{
    span *const spans = c->spans.items;
    uint32_t near = 0;
    *is_all = false;
    for (uint32_t i = 0; i < count; i++) {
        if (span_meets(c->dims, &spans[i], at, level)) {
            const span wall = spans[i];
            spans[i] = spans[near];
            spans[near++] = wall;
            *is_all = *is_all || span_covers(c->dims, &wall, at, level);
        }
    }
    return near;
}
