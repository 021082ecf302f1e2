// SPDX-License-Identifier: MIT
// The trace of a swarm, for octant view (docs/reference/trace-file.md).
#ifndef OCTANT_CLI_SWARM_OUT_H
#define OCTANT_CLI_SWARM_OUT_H

#include "cli/cli_internal.h"

typedef struct cli_swarm {
    const char *trace; // FILE.jsonl; the map goes to FILE.octant
    const char *map;   // a map, a mesh or a world; NULL = the scene of the bench
    uint32_t size;     // of that scene, cells along an edge
    uint32_t units;
    uint32_t seconds;
} cli_swarm;

// Runs a swarm and writes both files. Complains where it fails.
int oct_cli_swarm(const cli_swarm *plan, const cli_value *world_options, struct cli_files *files);

#endif
