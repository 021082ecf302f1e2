// SPDX-License-Identifier: MIT
// The lab world behind the protocol of Lab Recruits: lines of requests in, lines of answers out.
// What carries the lines is of no interest here; see recruits_listen.h.
//
// All clients act on one world. As in the game, what makes no sense gets no answer at all: a line
// that is no request, an agent that is not there, a level that cannot be read.
#ifndef OCTANT_LINK_RECRUITS_SERVER_H
#define OCTANT_LINK_RECRUITS_SERVER_H

#include "link/link_line.h"
#include "octant/recruits_world.h"

// Physics steps that each command of an agent lets pass where time is not tied to a clock: what
// passes in the game between two requests of a client that asks as often as those of the game do.
#define RECRUITS_TURN_TICKS 3

typedef struct recruits_host {
    // Reads a level by what INIT says of it: `path` is not empty; `name` may be. After a failure
    // INIT has no answer.
    oct_result (*load)(void *ctx, const char *path, const char *name, oct_recruits_level **out);
    uint64_t (*now_ns)(void *ctx); // never goes back
    // The date so many seconds ago, as in 2023-05-01T17:44:35.12+02:00.
    void (*date)(void *ctx, double ago, char *out, size_t size);
    void (*note)(void *ctx, const char *what); // for who runs the server; may be NULL
    void *ctx;
    double speed; // seconds of the game in one of the clock; 0 = as RECRUITS_TURN_TICKS says
} recruits_host;

typedef struct recruits_server recruits_server;

// `first` is the world until INIT; the server's, if it is made. The allocator is copied.
oct_result oct_recruits_server_create(const recruits_host *host, oct_game *first,
                                      const oct_allocator *allocator, recruits_server **out);
void oct_recruits_server_destroy(recruits_server *server);

// Answers a line; the answer, with its end, is valid until the next call, and empty where there is
// none.
void oct_recruits_server_answer(recruits_server *server, const char *line, size_t size,
                                const char **answer, size_t *answer_size);

// Lets pass what has passed on the clock; to be called now and then where nobody asks.
void oct_recruits_server_catch_up(recruits_server *server);

#endif
