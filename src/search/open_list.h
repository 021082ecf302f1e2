// SPDX-License-Identifier: MIT
// The nodes that a search has met and not expanded, by rank.
//
// Most nodes that are met are never expanded. So only those whose turn is near are kept in order,
// in a heap that stays in the nearest cache; the others wait in buckets of equal width, unsorted,
// and enter the heap when their bucket's turn comes. And the best of the nodes just met is often
// the next to be expanded: it is held back from the heap. The order in which nodes come out is that
// of one large heap.
#ifndef OCTANT_OPEN_LIST_H
#define OCTANT_OPEN_LIST_H

#include "base/base_internal.h"

#define OPEN_BUCKETS 1024
#define OPEN_CHUNK 15

// Entries of one bucket, in no order.
typedef struct open_chunk {
    oct_heap_entry entries[OPEN_CHUNK];
    uint32_t count;
    uint32_t next; // chunk of the same bucket, or 0
    uint32_t unused[6];
} open_chunk;
_Static_assert(sizeof(open_chunk) == 512, "eight cache lines");

// All zero is an empty list, to be begun before use.
typedef struct open_list {
    oct_heap near;
    oct_heap_entry held; // the best that was pushed of late, kept out of the heap
    bool is_held;
    oct_array chunks; // of open_chunk, counted from 1
    uint32_t free;    // list of chunks
    double base;      // where the first bucket begins
    double per_width; // buckets in one unit of rank
    uint32_t current; // what ranks in this bucket, or before it, is in the heap
    uint32_t last;    // the last bucket that may hold something
    uint32_t heads[OPEN_BUCKETS];
} open_list;

// Empties the list. Ranks are expected from `base` on, and to differ by some `scale`: both only
// matter for speed.
void oct_open_begin(open_list *list, double base, double scale);

void oct_open_free(open_list *list, const oct_allocator *allocator);
size_t oct_open_bytes(const open_list *list);

// Puts the next bucket that holds something into the heap; false where there is none. The heap must
// be empty.
oct_result oct_open_advance(open_list *list, const oct_allocator *allocator, bool *found);

// Puts an entry into a bucket behind the current one.
oct_result oct_open_defer(open_list *list, const oct_allocator *allocator, uint32_t bucket,
                          const oct_heap_entry *entry);

// Puts everything into one array, in no order, and empties the list.
oct_result oct_open_drain(open_list *list, const oct_allocator *allocator, oct_array *out);

OCT_FORCE_INLINE uint32_t open_bucket(const open_list *list, double f)
{
    const double at = (f - list->base) * list->per_width;
    return at < OPEN_BUCKETS - 1 ? at > 0.0 ? (uint32_t)at : 0u : OPEN_BUCKETS - 1u;
}

OCT_FORCE_INLINE oct_result open_push(open_list *list, const oct_allocator *allocator,
                                      oct_heap_entry entry)
{
    const uint32_t bucket = open_bucket(list, entry.f);
    if (bucket > list->current) {
        return oct_open_defer(list, allocator, bucket, &entry);
    }
    if (!list->is_held) {
        list->is_held = true;
        list->held = entry;
        return OCT_OK;
    }
    if (oct_heap_before(&entry, &list->held)) {
        const oct_heap_entry worse = list->held;
        list->held = entry;
        entry = worse;
    }
    return oct_heap_push(&list->near, allocator, entry);
}

// Takes out the least entry; *found is false where there is none.
OCT_FORCE_INLINE oct_result open_pop(open_list *list, const oct_allocator *allocator,
                                     oct_heap_entry *out, bool *found)
{
    *found = true;
    if (OCT_UNLIKELY(!list->is_held && list->near.entries.count == 0)) {
        OCT_TRY(oct_open_advance(list, allocator, found));
        if (!*found) {
            return OCT_OK;
        }
    }
    const oct_heap_entry *const top = list->near.entries.items;
    if (list->is_held && (list->near.entries.count == 0 || oct_heap_before(&list->held, top))) {
        list->is_held = false;
        *out = list->held;
        return OCT_OK;
    }
    *out = oct_heap_pop(&list->near);
    return OCT_OK;
}

#endif
