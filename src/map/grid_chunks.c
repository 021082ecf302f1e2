// SPDX-License-Identifier: MIT
// The memory of the dense grid: chunks, and the directory that grows with them.
#include "map/grid_internal.h"

chunk_range oct_grid_range(const grid *g, const oct_box *box)
{
    const int32_t min[3] = {box->min.x, box->min.y, box->min.z};
    const int32_t max[3] = {box->max.x, box->max.y, box->max.z};
    chunk_range range;
    for (int axis = 0; axis < 3; axis++) {
        range.first[axis] = biased(min[axis]) >> g->shift;
        range.size[axis] = ((biased(max[axis]) - 1u) >> g->shift) - range.first[axis] + 1u;
    }
    return range;
}

oct_box oct_range_box(const grid *g, const chunk_range *range)
{
    int32_t min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = unbiased(range->first[axis] << g->shift);
        max[axis] = unbiased((range->first[axis] + range->size[axis]) << g->shift);
    }
    return box_flat(g->dims, (oct_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}});
}

static chunk_range range_union(const chunk_range *a, const chunk_range *b)
{
    if (a->size[0] == 0) {
        return *b;
    }
    chunk_range both;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t a_end = a->first[axis] + a->size[axis];
        const uint32_t b_end = b->first[axis] + b->size[axis];
        both.first[axis] = a->first[axis] < b->first[axis] ? a->first[axis] : b->first[axis];
        both.size[axis] = (a_end > b_end ? a_end : b_end) - both.first[axis];
    }
    return both;
}

bool oct_range_count(const chunk_range *range, size_t *count)
{
    return oct_size_mul(range->size[0], range->size[1], count) &&
           oct_size_mul(*count, range->size[2], count);
}

chunk_range oct_range_part(const chunk_range *range, size_t n)
{
    const size_t x = n % range->size[0], rest = n / range->size[0];
    return (chunk_range){{range->first[0] + (uint32_t)x,
                          range->first[1] + (uint32_t)(rest % range->size[1]),
                          range->first[2] + (uint32_t)(rest / range->size[1])},
                         {1, 1, 1}};
}

uint64_t **oct_range_slot(const grid *g, const chunk_range *range, size_t n)
{
    const chunk_range at = oct_range_part(range, n);
    return slot_at(g, at.first[0], at.first[1], at.first[2]);
}

bool oct_grid_clip(const grid *g, oct_box *box)
{
    *box = box_flat(g->dims, *box);
    if (!g->directory) {
        return false;
    }
    *box = box_common(*box, oct_range_box(g, &g->all));
    return !box_is_empty(3, box);
}

// Whether a row of the box begins in chunks that are all missing.
static bool chunks_missing(const grid_walk *walk)
{
    const grid *g = walk->g;
    const uint32_t first = biased(walk->box.min.x) >> g->shift;
    const uint32_t last = (biased(walk->box.max.x) - 1u) >> g->shift;
    uint64_t **chunk = slot_at(g, first, biased(walk->y) >> g->shift, biased(walk->z) >> g->shift);
    for (uint32_t i = 0; i <= last - first; i++) {
        if (chunk[i]) {
            return false;
        }
    }
    return true;
}

bool oct_grid_walk_next(grid_walk *walk, int32_t *y, int32_t *z)
{
    const uint32_t edge = 1u << walk->g->shift;
    while (walk->z < walk->box.max.z) {
        const uint32_t row = biased(walk->y) & (edge - 1u);
        if (walk->y >= walk->box.max.y) {
            walk->y = walk->box.min.y;
            walk->z++;
        } else if ((row == 0 || walk->y == walk->box.min.y) && chunks_missing(walk)) {
            walk->y += (int32_t)(edge - row);
        } else {
            *y = walk->y++;
            *z = walk->z;
            return true;
        }
    }
    return false;
}

// ---- memory ----

size_t oct_chunk_bytes(const grid *g)
{
    return (size_t)1 << (g->shift * (uint32_t)g->dims);
}

size_t oct_directory_count(const grid *g)
{
    size_t count = 0;
    oct_range_count(&g->all, &count);
    return count;
}

static size_t directory_bytes(const grid *g)
{
    return oct_directory_count(g) * sizeof *g->directory;
}

size_t oct_grid_memory(const grid *g)
{
    return directory_bytes(g) + g->chunks * oct_chunk_bytes(g);
}

void oct_grid_free(grid *g)
{
    for (size_t n = 0; n < oct_directory_count(g); n++) {
        oct_free(&g->allocator, g->directory[n], oct_chunk_bytes(g));
    }
    oct_free(&g->allocator, g->directory, directory_bytes(g));
}

static bool chunk_is_empty(const grid *g, const uint64_t *chunk)
{
    uint64_t any = 0;
    for (size_t i = 0; i < oct_chunk_bytes(g) / sizeof *chunk; i++) {
        any |= chunk[i];
    }
    return any == 0;
}

// Makes the directory span another range, which must have a place for every chunk that is kept:
// all, or all that are not empty.
static oct_result directory_move(grid *g, const chunk_range *to, bool drop_empty)
{
    size_t count, bytes;
    if (!oct_range_count(to, &count) || !oct_size_mul(count, sizeof *g->directory, &bytes)) {
        return OCT_ERROR_MEMORY;
    }
    uint64_t **directory = NULL;
    if (count > 0) {
        directory = oct_alloc(&g->allocator, bytes, _Alignof(uint64_t *));
        if (!directory) {
            return OCT_ERROR_MEMORY;
        }
        memset(directory, 0, bytes);
    }
    const grid old = *g;
    g->directory = directory;
    g->all = *to;
    for (size_t n = 0; n < oct_directory_count(&old); n++) {
        uint64_t *chunk = old.directory[n];
        if (chunk && drop_empty && chunk_is_empty(g, chunk)) {
            oct_free(&g->allocator, chunk, oct_chunk_bytes(g));
            g->chunks--;
        } else if (chunk) {
            *oct_range_slot(g, &old.all, n) = chunk;
        }
    }
    oct_free(&g->allocator, old.directory, directory_bytes(&old));
    return OCT_OK;
}

// New chunks wait in a list, linked through their first words, until all are there.
static void free_waiting(const grid *g, void *waiting)
{
    while (waiting) {
        void *next = *(void **)waiting;
        oct_free(&g->allocator, waiting, oct_chunk_bytes(g));
        waiting = next;
    }
}

oct_result oct_grid_reserve(grid *g, const oct_box *box)
{
    const uint64_t begun = meter_begin(g->meter);
    const size_t chunks = g->chunks;
    const chunk_range range = oct_grid_range(g, box), all = range_union(&g->all, &range);
    if (memcmp(&all, &g->all, sizeof all) != 0) {
        OCT_TRY(directory_move(g, &all, false));
    }
    size_t count = 0;
    oct_range_count(&range, &count);
    void *waiting = NULL;
    for (size_t n = 0; n < count; n++) {
        if (!*oct_range_slot(g, &range, n)) {
            void *chunk = oct_alloc(&g->allocator, oct_chunk_bytes(g), GRID_ALIGN);
            if (!chunk) {
                free_waiting(g, waiting);
                return OCT_ERROR_MEMORY;
            }
            *(void **)chunk = waiting;
            waiting = chunk;
        }
    }
    for (size_t n = 0; waiting; n++) {
        uint64_t **slot = oct_range_slot(g, &range, n);
        if (!*slot) {
            *slot = waiting;
            waiting = *(void **)waiting;
            memset(*slot, 0, oct_chunk_bytes(g));
            g->chunks++;
        }
    }
    if (g->chunks > chunks) {
        meter_end(g->meter, begun);
    }
    return OCT_OK;
}

oct_result oct_grid_shrink(void *store)
{
    grid *g = store;
    chunk_range used = {{0, 0, 0}, {0, 0, 0}};
    for (size_t n = 0; n < oct_directory_count(g); n++) {
        if (g->directory[n] && !chunk_is_empty(g, g->directory[n])) {
            const chunk_range at = oct_range_part(&g->all, n);
            used = range_union(&used, &at);
        }
    }
    return directory_move(g, &used, true);
}
