// SPDX-License-Identifier: MIT
// Events that a game has told in one life: the last of them, each with a number.
#ifndef OCTANT_EVENT_LIST_H
#define OCTANT_EVENT_LIST_H

#include "base/base_internal.h"
#include "octant/game_data.h"

typedef struct event_list {
    oct_array kept; // of kept events: a ring once it is full
    uint64_t told;  // so far
} event_list;

void oct_event_list_free(event_list *list, const oct_allocator *allocator);

// Adds a copy. Texts that are not there count as empty.
oct_result oct_event_list_note(event_list *list, const oct_allocator *allocator,
                               const oct_event *event);

// The event of a number, from 0 on; false for one that was forgotten, or is to come.
bool oct_event_list_get(const event_list *list, uint64_t index, oct_event *out);

#endif
