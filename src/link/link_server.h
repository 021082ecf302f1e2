// SPDX-License-Identifier: MIT
// Any game behind the protocol (docs/reference/protocol.md): requests in, answers out. What carries
// the lines is of no interest here; see link_listen.h.
//
// It sends doubles that read back the same and every change, so that a run over the wire equals one
// in process. Of a request every field is checked before anything is done.
#ifndef OCTANT_LINK_SERVER_H
#define OCTANT_LINK_SERVER_H

#include "link/link_line.h"
#include "octant/game.h"

// Where games come from.
typedef struct link_host {
    // Makes the game that a new client finds. *out NULL and OCT_OK: there is none until it is
    // reset.
    oct_result (*make)(void *ctx, oct_game **out);
    // Begins a new life: resets *game, or puts another one in its place. NULL: oct_game_reset,
    // where the game can. OCT_ERROR_RANGE: there is no such level; the game is as it was.
    oct_result (*reset)(void *ctx, oct_game **game, const oct_game_start *start);
    // What was wrong with the last reset, in a sentence; "" where `result` says it. May be NULL.
    const char *(*why)(void *ctx);
    // A line that the log may have: what came, or what goes. May be NULL.
    void (*log)(void *ctx, bool is_answer, const char *line, size_t size);
    void *ctx;
    bool runs;        // its games run on by themselves; for a hello before there is one
    const char *name; // of the program, as `engine`; NULL = "octant"
} link_host;

typedef struct link_server link_server;

// The allocator is copied; NULL = malloc.
oct_result oct_link_server_create(const link_host *host, const oct_allocator *allocator,
                                  link_server **out);
void oct_link_server_destroy(link_server *server);

// A new client: nothing of the one before is left, and there is a new game.
oct_result oct_link_server_greet(link_server *server);

// Answers a line; the answer, with its end, is valid until the next call. False: the connection
// ends after it.
bool oct_link_server_answer(link_server *server, const char *line, size_t size, const char **answer,
                            size_t *answer_size);
// The answer to a line that was too long.
void oct_link_server_refuse_long(link_server *server, const char **answer, size_t *answer_size);

// What a client gets when another one is there.
#define LINK_BUSY "{\"error\":\"game\",\"text\":\"busy\"}\n"

#endif
