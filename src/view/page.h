// SPDX-License-Identifier: MIT
// The viewer's page: files that scripts/viewer.sh makes and the command carries.
#ifndef OCTANT_VIEW_PAGE_H
#define OCTANT_VIEW_PAGE_H

#include "base/platform.h"

#include <stddef.h>

typedef struct view_file {
    const char *name; // "" is the page itself
    const char *type;
    const unsigned char *data; // compressed by gzip
    size_t size;
} view_file;

// None where the page was not built.
extern const view_file oct_view_files[];
extern const size_t oct_view_file_count;

#endif
