// SPDX-License-Identifier: MIT
// What the protocols of octant serve share.
#ifndef OCTANT_CLI_SERVE_H
#define OCTANT_CLI_SERVE_H

#include "cli/cli_internal.h"

#define SERVE_PATH_SIZE 4096
#define SERVE_NS_PER_S UINT64_C(1000000000)

// What was asked for.
typedef struct serve_plan {
    const char *level; // NULL = none
    const char *root;  // a real path
    bool has_root;     // it was given
    double speed;      // seconds of the game in one of the clock; 0 = max
    uint32_t port;
    bool json;
} serve_plan;

// Finds a regular file by its path below the root, or by the end of that where only one has it.
bool oct_serve_find(const char *root, const char *text, char out[SERVE_PATH_SIZE]);
// The real path of a regular file, if that lies below the root.
bool oct_serve_take(const char *root, const char *path, char out[SERVE_PATH_SIZE]);

// A clock that never goes back.
uint64_t oct_serve_now_ns(void *ctx);

bool oct_serve_is_stopped(void *ctx);
// Listens, and says where; the exit code where that is not possible.
int oct_serve_listen(uint32_t port, bool json, int *listener);
int oct_serve_end(oct_result result, const oct_error *error);

// The lab world behind the protocol of Lab Recruits (serve_lab.c).
int oct_serve_lab(const serve_plan *plan);

#endif
