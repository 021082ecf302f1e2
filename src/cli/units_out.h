// SPDX-License-Identifier: MIT
// The table of Abdo 2017 as text, JSON and CSV. Rows are an array of units_row.
#ifndef OCTANT_CLI_UNITS_OUT_H
#define OCTANT_CLI_UNITS_OUT_H

#include "bench/table_units.h"
#include "cli/cli_internal.h"

void oct_units_print(const oct_array *rows);
json_t *oct_units_json(const oct_array *rows);
void oct_units_write(FILE *file, const oct_array *rows);

#endif
