// SPDX-License-Identifier: MIT
// The table of seed 003 as text, JSON and CSV. Rows are an array of seed003_row.
#ifndef OCTANT_CLI_SEED003_OUT_H
#define OCTANT_CLI_SEED003_OUT_H

#include "bench/table_seed003.h"
#include "cli/cli_internal.h"

void oct_seed003_print(const oct_array *rows);
json_t *oct_seed003_json(const oct_array *rows);
void oct_seed003_write(FILE *file, const oct_array *rows);

#endif
