// SPDX-License-Identifier: MIT
// One loop for all clients. Nothing in it waits for a single one: lines are taken when they are
// whole, answers are sent as far as the client takes them, and a client that does not read its
// answer is not read from either, so that it holds no more than one answer.
#define _POSIX_C_SOURCE 200809L
#include "link/recruits_listen.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define SLICE_MS 20       // for which nobody's clock may stand still
#define LINES_PER_ROUND 8 // of one client, before the others are looked at

typedef struct client {
    int fd;
    link_lines lines;
    oct_array out; // uint8_t
    size_t sent;
} client;

typedef struct crowd {
    recruits_server *server;
    oct_allocator allocator;
    client *clients[RECRUITS_CLIENTS_MAX];
    uint32_t count;
} crowd;

// ---- one client ----

static link_status read_now(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    const client *const c = ctx;
    (void)until;
    for (;;) {
        const ssize_t count = recv(c->fd, buffer, room, MSG_DONTWAIT);
        if (count > 0) {
            *got = (size_t)count;
            return LINK_FINE;
        }
        if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            return LINK_CLOSED;
        }
        if (errno != EINTR) {
            return LINK_SILENT;
        }
    }
}

static bool has_answer(const client *c)
{
    return c->sent < c->out.count;
}

// Sends what the client takes; false where it is gone.
static bool send_now(client *c)
{
    while (has_answer(c)) {
        const ssize_t count = send(c->fd, (const char *)c->out.items + c->sent,
                                   c->out.count - c->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count <= 0) {
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
        }
        c->sent += (size_t)count;
    }
    return true;
}

// The server's own answer lives until the next request of anybody.
static bool keep_answer(crowd *all, client *c, const char *answer, size_t size)
{
    c->sent = c->out.count = 0;
    if (oct_array_reserve(&c->out, &all->allocator, 1, size) != OCT_OK) {
        return false;
    }
    memcpy(c->out.items, answer, size);
    c->out.count = size;
    return true;
}

// Answers the lines that are there; false where the client is gone.
static bool serve_now(crowd *all, client *c)
{
    for (int i = 0; i < LINES_PER_ROUND; i++) {
        char *line;
        size_t size, answer_size;
        const char *answer;
        if (!send_now(c)) {
            return false;
        }
        if (has_answer(c)) {
            return true;
        }
        const link_status status = oct_link_line_next(&c->lines, 0, &line, &size);
        if (status == LINK_SILENT || status == LINK_CLOSED) {
            return status == LINK_SILENT;
        }
        if (status != LINK_FINE) {
            continue; // too long: there is no answer to that
        }
        oct_recruits_server_answer(all->server, line, size, &answer, &answer_size);
        if (answer_size > 0 && !keep_answer(all, c, answer, answer_size)) {
            return false;
        }
    }
    return send_now(c);
}

static void drop(crowd *all, uint32_t i)
{
    client *const c = all->clients[i];
    close(c->fd);
    oct_link_lines_free(&c->lines);
    oct_array_free(&c->out, &all->allocator, 1);
    oct_free(&all->allocator, c, sizeof *c);
    all->clients[i] = all->clients[--all->count];
}

// ---- all of them ----

static void take_client(crowd *all, int fd)
{
    client *const c = all->count < RECRUITS_CLIENTS_MAX
                          ? oct_alloc(&all->allocator, sizeof *c, _Alignof(client))
                          : NULL;
    if (!c) {
        close(fd);
        return;
    }
    oct_link_prepare(fd);
    *c = (client){.fd = fd,
                  .lines = {.carrier = {.read = read_now, .ctx = c},
                            .allocator = all->allocator,
                            .limit = LINK_REQUEST_SIZE}};
    all->clients[all->count++] = c;
}

// False where the socket is broken. Where there is no room for another one it is looked at later.
static bool take_clients(crowd *all, int listener)
{
    for (;;) {
        const int fd = accept(listener, NULL, NULL);
        if (fd >= 0) {
            take_client(all, fd);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return errno != EBADF && errno != EINVAL && errno != ENOTSOCK;
        }
    }
}

// Whether a whole line is there that was not looked at yet.
static bool has_line(const crowd *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        if (!has_answer(all->clients[i]) && oct_link_line_waits(&all->clients[i]->lines)) {
            return true;
        }
    }
    return false;
}

static bool serve_round(crowd *all, int listener)
{
    struct pollfd fds[RECRUITS_CLIENTS_MAX + 1] = {{.fd = listener, .events = POLLIN}};
    for (uint32_t i = 0; i < all->count; i++) {
        fds[i + 1] = (struct pollfd){.fd = all->clients[i]->fd,
                                     .events = has_answer(all->clients[i]) ? POLLOUT : POLLIN};
    }
    const uint32_t count = all->count;
    const bool is_busy = has_line(all);
    if (poll(fds, count + 1, is_busy ? 0 : SLICE_MS) < 0 && errno != EINTR) {
        return false;
    }
    // Backwards: who is dropped is replaced by the last one, which was served already.
    for (uint32_t i = count; i-- > 0;) {
        if ((is_busy || fds[i + 1].revents != 0) && !serve_now(all, all->clients[i])) {
            drop(all, i);
        }
    }
    return fds[0].revents == 0 || take_clients(all, listener);
}

oct_result oct_recruits_serve(recruits_server *server, int listener, bool (*stops)(void *ctx),
                              void *stop_ctx, const oct_allocator *allocator)
{
    crowd all = {.server = server, .allocator = oct_allocator_or_default(allocator)};
    bool goes_on = true;
    while (goes_on && !(stops && stops(stop_ctx))) {
        goes_on = serve_round(&all, listener);
        oct_recruits_server_catch_up(server);
    }
    while (all.count > 0) {
        drop(&all, all.count - 1);
    }
    return goes_on ? OCT_OK : OCT_ERROR_LINK;
}
