// SPDX-License-Identifier: MIT
// Games by name: `tcp:HOST:PORT` is connected to, `exec:COMMAND` is started, `lab:HOST:PORT` is a
// running Lab Recruits. Behind `lab:HOST:PORT*N` time passes N times as fast, behind `*max` with
// each command alone.
#ifndef OCTANT_LINK_CONNECT_H
#define OCTANT_LINK_CONNECT_H

#include "link/link_client.h"
#include "link/link_process.h"
#include "link/recruits_client.h"

// All may be zero.
typedef struct link_connect_def {
    const oct_game_start *start; // as in link_client_def
    uint32_t answer_ms, load_ms;
    uint32_t grace_ms; // from asking a game to end to killing it; 0 = 2000
    const oct_allocator *allocator;
    link_groups *groups;
    bool is_restarted;        // a new one is opened for each life
    bool (*stops)(void *ctx); // whoever waits stops waiting
    void *stop_ctx;
} link_connect_def;

// Whether a text names a game like that.
bool oct_link_is_named(const char *text);
bool oct_link_is_command(const char *text); // it is exec:
bool oct_link_is_lab(const char *text);     // it is lab:

// Opens a game; freeing it closes the connection and ends the process. On failure *out is NULL and
// `trouble` (at least 2 KiB) says why, with the last output of the process.
oct_result oct_link_open_game(const char *text, const link_connect_def *def, oct_game **out,
                              char *trouble, size_t trouble_size);

// A client of Lab Recruits that plays without the game interface; *release is to be called with
// *ctx when it was freed.
oct_result oct_link_open_lab(const char *text, const link_connect_def *def, recruits_client **out,
                             void (**release)(void *ctx), void **ctx, char *trouble,
                             size_t trouble_size);

// What the process of a game that was opened so has written lately; "" of others.
const char *oct_link_output(const oct_game *game);

#endif
