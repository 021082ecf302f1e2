// SPDX-License-Identifier: MIT
// Levels on the command line: words, refusals, and the truth as JSON.
#ifndef OCTANT_CLI_GEN_LEVEL_H
#define OCTANT_CLI_GEN_LEVEL_H

#include "octant/generate_level.h"

#include <jansson.h>

// The reason of a name; false where levels have none of that name.
bool oct_cli_level_why(const char *name, oct_level_why *why);
// Complains where a level was not made.
int oct_cli_check_level(const oct_level_def *def, oct_result result);
// What is true of a level. NULL where memory does not allow it.
json_t *oct_cli_level_json(const oct_level_truth *truth);

#endif
