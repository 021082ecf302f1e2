// SPDX-License-Identifier: MIT
// The viewer's server: one page and a WebSocket, on this machine alone.
//
// Everything lies below a random token, which only who started the command knows. Requests whose
// Host or Origin is another are refused, so that no page from elsewhere gets in through a browser.
// A client sends questions and gets answers; while it does not read its answers, no further
// questions of it are read, and after a while it is dropped. One thread.
#ifndef OCTANT_VIEW_SERVER_H
#define OCTANT_VIEW_SERVER_H

#include "base/base_internal.h"

#define VIEW_QUESTION_MAX 65536u // bytes
#define VIEW_BAD_MAX 100u        // questions that nobody understands, of one client
#define VIEW_CLIENTS_MAX 16u
#define VIEW_QUEUE_MAX (16u * 1024u * 1024u) // bytes of answers that a client has not read
#define VIEW_PATIENCE_S 20                   // for a client that reads nothing
#define VIEW_URL_MAX 128

typedef struct view_server view_server;

// An answer: bytes, of text or not.
typedef struct view_answer {
    oct_array bytes; // of the default allocator
    bool is_text;
} view_answer;

// Answers a question, which ends in a zero byte behind its size. Returns false where it is none:
// the answer then says why.
typedef bool view_answer_fn(void *ctx, const char *question, size_t size, view_answer *out);

typedef struct view_server_def {
    uint32_t port; // 0 = a free one
    view_answer_fn *answer;
    void *ctx;
} view_server_def;

// NULL where the port cannot be had; then `why` says so.
view_server *oct_view_server_create(const view_server_def *def, const char **why);
void oct_view_server_destroy(view_server *server);

// Where the page is: "http://127.0.0.1:PORT/TOKEN/".
const char *oct_view_server_url(const view_server *server);

// How many pages there are.
uint32_t oct_view_server_clients(const view_server *server);

// Serves what there is to serve, for about as long; may be called by its owner alone.
void oct_view_server_serve(view_server *server);
// Ends a call of it from any thread.
void oct_view_server_wake(view_server *server);

#endif
