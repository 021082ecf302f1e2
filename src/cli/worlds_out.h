// SPDX-License-Identifier: MIT
// The table of worlds as text, JSON and CSV.
#ifndef OCTANT_CLI_WORLDS_OUT_H
#define OCTANT_CLI_WORLDS_OUT_H

#include "bench/table_worlds.h"
#include "cli/cli_internal.h"

void oct_worlds_print(const oct_array *rows);
json_t *oct_worlds_json(const oct_array *rows);
void oct_worlds_write(FILE *file, const oct_array *rows);

#endif
