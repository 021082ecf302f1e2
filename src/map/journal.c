// SPDX-License-Identifier: MIT
#include "map/journal.h"

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

static int32_t lower(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t upper(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void gather(journal *j, const oct_change *change)
{
    oct_change *g = &j->group;
    if (!j->gathered) {
        *g = *change;
        j->gathered = true;
        return;
    }
    const oct_box *box = &change->box;
    g->box.min = (oct_vec){lower(g->box.min.x, box->min.x), lower(g->box.min.y, box->min.y),
                           lower(g->box.min.z, box->min.z)};
    g->box.max = (oct_vec){upper(g->box.max.x, box->max.x), upper(g->box.max.y, box->max.y),
                           upper(g->box.max.z, box->max.z)};
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
