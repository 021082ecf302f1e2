// SPDX-License-Identifier: MIT
// A folder of databases of local distances: each is worked out once, and mapped from then on.
//
// A file is the database's own bytes. Its name tells all that they depend on, so a file of another
// version is never looked at. Files are only ever replaced as a whole: what is mapped stays as it
// is, and processes that make the same one at the same time write the same bytes.
#ifndef OCTANT_DISTANCES_FILE_H
#define OCTANT_DISTANCES_FILE_H

#include "base/base_internal.h"
#include "octant/distances.h"

// Where a database that was loaded comes from.
typedef enum distances_source {
    DISTANCES_MAPPED,  // from its file, as it was
    DISTANCES_RENEWED, // from its file, which was absent or broken and has been written
    DISTANCES_KEPT     // from memory: its file could not be written, or there is no folder
} distances_source;

typedef struct distances_mapping {
    void *bytes; // NULL = the database has its own memory
    size_t size;
    distances_source source;
} distances_mapping;

// The database of a definition: its file in the folder, which is made if need be, with those above
// it; else, and where the folder is NULL, worked out. Give it back with oct_distances_unload. The
// error's message is empty, or with RENEWED what was wrong with the old file, with KEPT why there
// is no new one. Fails only where the definition is wrong or memory is short: *out is NULL then.
oct_result oct_distances_load(const char *folder, const oct_distances_def *def, oct_distances **out,
                              distances_mapping *mapping, oct_error *error);

// NULL is allowed.
void oct_distances_unload(oct_distances *distances, distances_mapping *mapping);

// The name of a definition's file, at most DISTANCES_NAME_MAX bytes with the end.
#define DISTANCES_NAME_MAX 64
void oct_distances_file_name(const oct_distances_def *def, char out[DISTANCES_NAME_MAX]);

#endif
