// SPDX-License-Identifier: MIT
// The tables of seed 000 as text, JSON and CSV.
#ifndef OCTANT_CLI_SEED000_OUT_H
#define OCTANT_CLI_SEED000_OUT_H

#include "bench/table_seed000.h"
#include "cli/cli_internal.h"

void oct_seed000_print(const oct_array *rows);
json_t *oct_seed000_json(const oct_array *rows);
void oct_seed000_write(FILE *file, const oct_array *rows);

#endif
