// SPDX-License-Identifier: MIT
// Scratch memory that is given back all at once.
//
// Chunks form a list in the order in which they are filled. A reset goes back to the first one and
// keeps the rest, so that the second round of the same work finds its memory waiting.
#include "base/base_internal.h"

#define FIRST_CHUNK_SIZE 4096

typedef struct arena_chunk {
    struct arena_chunk *next;
    size_t size; // bytes of data
    _Alignas(max_align_t) char data[];
} arena_chunk;

void oct_arena_init(oct_arena *arena, const oct_allocator *may_be_null)
{
    *arena = (oct_arena){.allocator = oct_allocator_or_default(may_be_null),
                         .next_size = FIRST_CHUNK_SIZE};
}

// Takes bytes from the current chunk; NULL where they do not fit.
static void *take(oct_arena *arena, size_t size, size_t align)
{
    arena_chunk *chunk = arena->current;
    const uintptr_t end = (uintptr_t)chunk->data + arena->used;
    const size_t padding = (size_t)(-end & (align - 1));
    const size_t room = chunk->size - arena->used;
    if (padding > room || size > room - padding) {
        return NULL;
    }
    char *bytes = chunk->data + arena->used + padding;
    arena->used += padding + size;
    return bytes;
}

// Makes a new chunk that holds the bytes however it is aligned the current one, after the last.
static bool extend(oct_arena *arena, size_t size, size_t align)
{
    size_t data_size;
    size_t chunk_size;
    if (!oct_size_add(size, align - 1, &data_size)) {
        return false;
    }
    data_size = data_size < arena->next_size ? arena->next_size : data_size;
    if (!oct_size_add(data_size, sizeof(arena_chunk), &chunk_size)) {
        return false;
    }
    arena_chunk *chunk = oct_alloc(&arena->allocator, chunk_size, _Alignof(arena_chunk));
    if (!chunk) {
        return false;
    }
    chunk->next = NULL;
    chunk->size = data_size;
    if (arena->current) {
        arena->current->next = chunk;
    } else {
        arena->first = chunk;
    }
    arena->current = chunk;
    arena->used = 0;
    arena->next_size *= 2;
    return true;
}

void *oct_arena_alloc(oct_arena *arena, size_t size, size_t align)
{
    OCT_ASSERT(align > 0 && (align & (align - 1)) == 0);
    while (arena->current) {
        void *bytes = take(arena, size, align);
        if (bytes) {
            return bytes;
        }
        if (!arena->current->next) {
            break;
        }
        arena->current = arena->current->next;
        arena->used = 0;
    }
    return extend(arena, size, align) ? take(arena, size, align) : NULL;
}

void oct_arena_reset(oct_arena *arena)
{
    arena->current = arena->first;
    arena->used = 0;
}

void oct_arena_free(oct_arena *arena)
{
    arena_chunk *chunk = arena->first;
    while (chunk) {
        arena_chunk *next = chunk->next;
        oct_free(&arena->allocator, chunk, sizeof(arena_chunk) + chunk->size);
        chunk = next;
    }
    const oct_allocator allocator = arena->allocator;
    oct_arena_init(arena, &allocator);
}
