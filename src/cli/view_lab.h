// SPDX-License-Identifier: MIT
// The laboratory behind its page: a flat map that is drawn in, and what algorithms found there.
#ifndef OCTANT_CLI_VIEW_LAB_H
#define OCTANT_CLI_VIEW_LAB_H

#include "cli/lab.h"

#define VIEW_LAB_EDGE_MAX 2048 // cells

typedef struct view_lab {
    char *rows; // malloc's, '.' and '@', row after row from y = 0 on
    uint32_t width, height;
    lab_plan plan;       // of the results
    lab_result *results; // one for each of its items, malloc's; or NULL
    lab_task task;       // of the results
    lab_file loaded;     // paths of a file, shown without running; or empty
    oct_array upload;    // of char: a file that is on its way
} view_lab;

// Begins with a map file or a laboratory file, or with an empty map where `path` is NULL. Complains
// where it fails; it is to be closed in any case.
int oct_cli_lab_begin(view_lab *lab, const char *path, cli_files *files);
void oct_cli_lab_close(view_lab *lab);

// Forgets what was found.
void oct_cli_lab_forget(view_lab *lab);

// Takes the map of a tree. False where it is no flat one, or too large.
bool oct_cli_lab_take(view_lab *lab, const oct_tree *tree, oct_box box);

#endif
