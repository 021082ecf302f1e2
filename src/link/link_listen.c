// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "link/link_listen.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

// How long a client may take to read an answer, milliseconds.
#define PATIENCE 30000u

typedef struct waiting {
    link_meanwhile meanwhile;
    bool (*stops)(void *ctx);
    void *stop_ctx;
} waiting;

// Somebody else knocks.
static void turn_away(void *ctx)
{
    waiting *const w = ctx;
    const int other = accept(w->meanwhile.fd, NULL, NULL);
    if (other >= 0) {
        (void)send(other, LINK_BUSY, sizeof LINK_BUSY - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)shutdown(other, SHUT_WR);
        close(other);
    }
}

static bool is_stopped(void *ctx)
{
    const waiting *const w = ctx;
    return w->stops && w->stops(w->stop_ctx);
}

static link_status serve_line(link_server *server, link_lines *lines, bool *goes_on)
{
    char *line;
    size_t size, answer_size;
    const char *answer;
    link_status status = oct_link_line_next(lines, LINK_NEVER, &line, &size);
    *goes_on = true;
    if (status == LINK_TOO_LONG) {
        oct_link_server_refuse_long(server, &answer, &answer_size);
    } else if (status == LINK_FINE) {
        *goes_on = oct_link_server_answer(server, line, size, &answer, &answer_size);
    } else {
        return status;
    }
    status = lines->carrier.write(lines->carrier.ctx, answer, answer_size,
                                  lines->carrier.clock(lines->carrier.ctx) + PATIENCE);
    *goes_on = *goes_on && status == LINK_FINE;
    return status;
}

oct_result oct_link_serve_client(const link_host *host, int fd, int listener,
                                 bool (*stops)(void *ctx), void *stop_ctx,
                                 const oct_allocator *allocator)
{
    link_server *server = NULL;
    waiting w = {.meanwhile = {.fd = listener,
                               .ready = listener >= 0 ? turn_away : NULL,
                               .stops = is_stopped},
                 .stops = stops,
                 .stop_ctx = stop_ctx};
    w.meanwhile.ctx = &w;
    link_socket socket = {fd, &w.meanwhile};
    link_lines lines = {.carrier = oct_link_socket_carrier(&socket),
                        .allocator = oct_allocator_or_default(allocator),
                        .limit = LINK_REQUEST_SIZE};
    oct_link_prepare(fd);
    oct_result result = oct_link_server_create(host, allocator, &server);
    if (result == OCT_OK) {
        result = oct_link_server_greet(server);
    }
    for (bool goes_on = result == OCT_OK; goes_on;) {
        goes_on = serve_line(server, &lines, &goes_on) == LINK_FINE && goes_on;
    }
    oct_link_server_destroy(server);
    oct_link_lines_free(&lines);
    close(fd);
    return result;
}

oct_result oct_link_serve(const link_host *host, int listener, bool (*stops)(void *ctx),
                          void *stop_ctx, const oct_allocator *allocator)
{
    waiting w = {
        .meanwhile = {.fd = -1, .stops = is_stopped}, .stops = stops, .stop_ctx = stop_ctx};
    w.meanwhile.ctx = &w;
    link_socket socket = {listener, &w.meanwhile};
    for (;;) {
        const link_status status = oct_link_wait(&socket, false, LINK_NEVER);
        if (status == LINK_STOPPED) {
            return OCT_OK;
        }
        const int fd = accept(listener, NULL, NULL);
        if (fd >= 0) {
            OCT_TRY(oct_link_serve_client(host, fd, listener, stops, stop_ctx, allocator));
        } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR &&
                   errno != ECONNABORTED) {
            return OCT_ERROR_LINK;
        }
    }
}
