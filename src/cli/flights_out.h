// SPDX-License-Identifier: MIT
// The table of flights as text, JSON and CSV. Rows are an array of flights_row.
#ifndef OCTANT_CLI_FLIGHTS_OUT_H
#define OCTANT_CLI_FLIGHTS_OUT_H

#include "bench/table_flights.h"
#include "cli/cli_internal.h"

void oct_flights_print(const oct_array *rows);
json_t *oct_flights_json(const oct_array *rows);
void oct_flights_write(FILE *file, const oct_array *rows);

#endif
