// SPDX-License-Identifier: MIT
// Levels of the lab world for octant gen.
#ifndef OCTANT_CLI_GEN_LAB_H
#define OCTANT_CLI_GEN_LAB_H

#include "cli/cli_internal.h"
#include "octant/generate_recruits.h"

// Makes a level, writes it to a .csv and tells the truth about it; the exit code.
int oct_cli_gen_lab(const oct_recruits_gen_def *def, const char *path, bool json);

#endif
