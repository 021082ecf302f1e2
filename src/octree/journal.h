// SPDX-License-Identifier: MIT
// The journal of a tree: its latest changes, in a ring.
//
// Several edits can be bracketed into one change: an observation is one event, however many things
// it brings.
#ifndef OCTANT_JOURNAL_H
#define OCTANT_JOURNAL_H

#include "base/base_internal.h"
#include "octant/tree.h"

typedef struct journal {
    oct_change *ring;  // change r is at ring[(r - 1) % size]
    uint32_t size;     // at least 1
    bool open;         // changes are gathered in `group`
    bool gathered;     // there is something in it
    bool undoing;      // edits take back what was gathered: there is memory for them
    uint64_t revision; // changes so far
    oct_change group;
} journal;

// Room for that many changes; 0 counts as 1.
oct_result oct_journal_init(journal *j, const oct_allocator *allocator, uint32_t size);
void oct_journal_free(journal *j, const oct_allocator *allocator);

void oct_journal_record(journal *j, const oct_change *change);

// From here on changes are gathered, until they are recorded as one, or thrown away because they
// were all undone. The one change may name a label that a cell had only in between.
void oct_journal_open(journal *j);
void oct_journal_close(journal *j, bool undone);

// What oct_tree_changes promises.
oct_result oct_journal_changes(const journal *j, uint64_t revision, oct_change *out,
                               size_t capacity, size_t *count);

#endif
