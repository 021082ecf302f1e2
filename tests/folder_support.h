// SPDX-License-Identifier: MIT
// A folder of its own for a test of files. Who includes it asks for POSIX first.
#ifndef OCTANT_TESTS_FOLDER_SUPPORT_H
#define OCTANT_TESTS_FOLDER_SUPPORT_H

#include "support.h"

#include <stdio.h>
#include <stdlib.h>

// A set-up of cmocka: `state` is the path, to be freed. Below $TMPDIR, if that is set.
static inline int make_folder(void **state)
{
    const char *base = getenv("TMPDIR");
    char *folder = malloc(512);
    assert_non_null(folder);
    snprintf(folder, 512, "%s/octant-test-XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(folder));
    *state = folder;
    return 0;
}

#endif
