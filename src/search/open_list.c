// SPDX-License-Identifier: MIT
#include "search/open_list.h"

// Buckets in the expected range of ranks; twice the range has buckets of its own, and what is
// beyond shares the last.
#define BUCKETS_A_SCALE (OPEN_BUCKETS / 2)

// Chunks are counted from 1.
static open_chunk *chunk_at(const open_list *list, uint32_t index)
{
    return (open_chunk *)list->chunks.items + index - 1;
}

void oct_open_begin(open_list *list, double base, double scale)
{
    list->near.entries.count = 0;
    list->is_held = false;
    list->chunks.count = 0;
    list->free = 0;
    list->base = base;
    list->per_width = scale > 0.0 ? BUCKETS_A_SCALE / scale : 0.0;
    list->current = list->last = 0;
    memset(list->heads, 0, sizeof list->heads);
}

void oct_open_free(open_list *list, const oct_allocator *allocator)
{
    oct_array_free(&list->near.entries, allocator, sizeof(oct_heap_entry));
    oct_array_free(&list->chunks, allocator, sizeof(open_chunk));
}

size_t oct_open_bytes(const open_list *list)
{
    return list->near.entries.capacity * sizeof(oct_heap_entry) +
           list->chunks.capacity * sizeof(open_chunk);
}

// A chunk to begin a bucket's list with.
static oct_result take_chunk(open_list *list, const oct_allocator *allocator, uint32_t *out)
{
    if (list->free) {
        *out = list->free;
        list->free = chunk_at(list, *out)->next;
        return OCT_OK;
    }
    if (list->chunks.count == list->chunks.capacity) {
        OCT_TRY(oct_array_grow(&list->chunks, allocator, sizeof(open_chunk)));
    }
    *out = (uint32_t)++list->chunks.count;
    return OCT_OK;
}

oct_result oct_open_defer(open_list *list, const oct_allocator *allocator, uint32_t bucket,
                          const oct_heap_entry *entry)
{
    uint32_t head = list->heads[bucket];
    if (!head || chunk_at(list, head)->count == OPEN_CHUNK) {
        OCT_TRY(take_chunk(list, allocator, &head));
        chunk_at(list, head)->count = 0;
        chunk_at(list, head)->next = list->heads[bucket];
        list->heads[bucket] = head;
        list->last = bucket > list->last ? bucket : list->last;
    }
    open_chunk *const chunk = chunk_at(list, head);
    chunk->entries[chunk->count++] = *entry;
    return OCT_OK;
}

oct_result oct_open_advance(open_list *list, const oct_allocator *allocator, bool *found)
{
    *found = false;
    while (!*found && list->current < list->last) {
        list->current++;
        for (uint32_t at = list->heads[list->current]; at; at = list->heads[list->current]) {
            open_chunk *const chunk = chunk_at(list, at);
            for (uint32_t i = 0; i < chunk->count; i++) {
                OCT_TRY(oct_heap_push(&list->near, allocator, chunk->entries[i]));
            }
            list->heads[list->current] = chunk->next;
            chunk->next = list->free;
            list->free = at;
            *found = true;
        }
    }
    return OCT_OK;
}

oct_result oct_open_drain(open_list *list, const oct_allocator *allocator, oct_array *out)
{
    out->count = 0;
    if (list->is_held) {
        OCT_TRY(oct_array_push(out, allocator, sizeof list->held, &list->held));
        list->is_held = false;
    }
    for (;;) {
        const oct_heap_entry *const entries = list->near.entries.items;
        for (size_t i = 0; i < list->near.entries.count; i++) {
            OCT_TRY(oct_array_push(out, allocator, sizeof entries[i], &entries[i]));
        }
        bool found;
        list->near.entries.count = 0;
        OCT_TRY(oct_open_advance(list, allocator, &found));
        if (!found) {
            return OCT_OK;
        }
    }
}
