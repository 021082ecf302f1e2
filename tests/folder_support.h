// SPDX-License-Identifier: MIT
// A folder of its own for a test of files. Who includes it asks for POSIX first.
#ifndef OCTANT_TESTS_FOLDER_SUPPORT_H
#define OCTANT_TESTS_FOLDER_SUPPORT_H

#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// The path of a name in the folder; it lives until the next four calls.
static inline char *in_folder(void **state, const char *name)
{
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", (const char *)*state, name);
    return path;
}

// How many files, of any kind, are in a folder.
static inline int count_files(const char *folder)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(listing));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(listing);
    return count;
}

#endif
