// SPDX-License-Identifier: MIT
// The table of puzzles as text, JSON and CSV. Rows are an array of puzzles_row.
#ifndef OCTANT_CLI_PUZZLES_OUT_H
#define OCTANT_CLI_PUZZLES_OUT_H

#include "bench/table_puzzles.h"
#include "cli/cli_internal.h"

void oct_puzzles_print(const oct_array *rows);
json_t *oct_puzzles_json(const oct_array *rows);
void oct_puzzles_write(FILE *file, const oct_array *rows);

#endif
