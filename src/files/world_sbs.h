// SPDX-License-Identifier: MIT
// Saves of Space Engineers (.sbs), read piece by piece into a world.
#ifndef OCTANT_WORLD_SBS_H
#define OCTANT_WORLD_SBS_H

#include "files/files_internal.h"

#include <expat.h>

typedef struct save_reader save_reader;

// What is read into. The extras are borrowed and may be NULL; `memory` is expat's, borrowed, NULL =
// malloc. NULL where memory is short.
save_reader *oct_save_create(const oct_world_extras *extras, const oct_allocator *allocator,
                             const XML_Memory_Handling_Suite *memory);
void oct_save_destroy(save_reader *save);

// Lets findings know the lines of what is read; may be NULL.
void oct_save_find(save_reader *save, world_findings *may_be_null);

// Reads on; the last call must say so, and then *world is the caller's. It is NULL on failure, and
// before the end.
oct_result oct_save_feed(save_reader *save, const void *data, size_t size, bool last,
                         oct_world **world, oct_error *error);

// Whether a file may be a save, by its first bytes.
bool oct_save_is_meant(const void *data, size_t size);

#define OCT_SAVE_KIND "space-engineers-save"

#endif
