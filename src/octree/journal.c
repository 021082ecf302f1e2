// SPDX-License-Identifier: MIT
#include "octree/journal.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

oct_result oct_journal_init(journal *j, const oct_allocator *allocator, uint32_t size)
{
    *j = (journal){.size = size > 0 ? size : 1};
    j->ring = oct_alloc(allocator, j->size * sizeof *j->ring, _Alignof(oct_change));
    return j->ring ? OCT_OK : OCT_ERROR_MEMORY;
}

void oct_journal_free(journal *j, const oct_allocator *allocator)
{
    oct_free(allocator, j->ring, j->size * sizeof *j->ring);
}

static void gather(journal *j, const oct_change *change)
{
    oct_change *g = &j->group;
    if (!j->gathered) {
        *g = *change;
        j->gathered = true;
        return;
    }
    g->box = box_union(g->box, change->box);
    g->before |= change->before;
    g->after |= change->after;
}

void oct_journal_record(journal *j, const oct_change *change)
{
    if (j->open) {
        gather(j, change);
        return;
    }
    j->ring[j->revision % j->size] = *change;
    j->revision++;
}

void oct_journal_open(journal *j)
{
    OCT_ASSERT(!j->open);
    j->open = true;
    j->gathered = false;
}

void oct_journal_close(journal *j, bool undone)
{
    OCT_ASSERT(j->open);
    j->open = false;
    if (j->gathered && !undone) {
        oct_journal_record(j, &j->group);
    }
}

oct_result oct_journal_changes(const journal *j, uint64_t revision, oct_change *out,
                               size_t capacity, size_t *count)
{
    *count = 0;
    if (revision > j->revision) {
        return OCT_ERROR_ARGUMENT;
    }
    if (j->revision - revision > j->size) {
        return OCT_ERROR_LOST;
    }
    for (; revision < j->revision && *count < capacity; revision++) {
        out[(*count)++] = j->ring[revision % j->size];
    }
    return OCT_OK;
}
