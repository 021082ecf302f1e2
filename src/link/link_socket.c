// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "link/link_socket.h"

#include "base/print.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Between two questions whether to stop, milliseconds.
#define SLICE 100

uint64_t oct_link_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

// ---- waiting ----

// How long one call of poll may take; < 0 = for ever, 0 = the time is over.
static int slice(const link_meanwhile *meanwhile, uint64_t until)
{
    const bool is_asked = meanwhile && meanwhile->stops;
    if (until == LINK_NEVER) {
        return is_asked ? SLICE : -1;
    }
    const uint64_t now = oct_link_clock();
    const uint64_t left = now < until ? until - now : 0;
    const uint64_t most = is_asked ? SLICE : 1000000;
    return (int)(left < most ? left : most);
}

link_status oct_link_wait(link_socket *socket, bool writes, uint64_t until)
{
    link_meanwhile *const meanwhile = socket->meanwhile;
    for (;;) {
        if (meanwhile && meanwhile->stops && meanwhile->stops(meanwhile->ctx)) {
            return LINK_STOPPED;
        }
        struct pollfd fds[2] = {{.fd = socket->fd, .events = writes ? POLLOUT : POLLIN},
                                {.fd = -1, .events = POLLIN}};
        if (meanwhile && meanwhile->ready) {
            fds[1].fd = meanwhile->fd;
        }
        const int wait = slice(meanwhile, until);
        const int count = poll(fds, 2, wait);
        if (count > 0 && fds[1].revents != 0) {
            meanwhile->ready(meanwhile->ctx);
        }
        if (count > 0 && fds[0].revents != 0) {
            return LINK_FINE;
        }
        if (count < 0 && errno != EINTR) {
            return LINK_CLOSED;
        }
        if (wait == 0) {
            return LINK_SILENT;
        }
    }
}

static link_status read_socket(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    link_socket *const s = ctx;
    for (;;) {
        const ssize_t count = recv(s->fd, buffer, room, MSG_DONTWAIT);
        if (count > 0) {
            *got = (size_t)count;
            return LINK_FINE;
        }
        if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            return LINK_CLOSED;
        }
        if (errno != EINTR) {
            const link_status status = oct_link_wait(s, false, until);
            if (status != LINK_FINE) {
                return status;
            }
        }
    }
}

static link_status write_socket(void *ctx, const void *bytes, size_t size, uint64_t until)
{
    link_socket *const s = ctx;
    for (const char *at = bytes; size > 0;) {
        const ssize_t count = send(s->fd, at, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count > 0) {
            at += count;
            size -= (size_t)count;
            continue;
        }
        if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            return LINK_CLOSED;
        }
        if (count == 0 || errno != EINTR) {
            const link_status status = oct_link_wait(s, true, until);
            if (status != LINK_FINE) {
                return status;
            }
        }
    }
    return LINK_FINE;
}

static uint64_t read_clock(void *ctx)
{
    (void)ctx;
    return oct_link_clock();
}

link_carrier oct_link_socket_carrier(link_socket *socket)
{
    return (link_carrier){read_socket, write_socket, read_clock, socket};
}

// ---- making ----

bool oct_link_keep_private(int fd)
{
    const int flags = fcntl(fd, F_GETFD);
    return flags >= 0 && fcntl(fd, F_SETFD, flags | FD_CLOEXEC) == 0;
}

void oct_link_prepare(int fd)
{
    const int on = 1;
    // Not every socket is one of TCP; those that are not need it not.
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)oct_link_keep_private(fd);
}

// HOST:PORT taken apart; the brackets of an IPv6 address are optional in front of the last colon.
static bool split_address(const char *address, char *host, size_t host_size, char *port,
                          size_t port_size)
{
    const char *const colon = strrchr(address, ':');
    if (!colon || colon == address || strlen(colon + 1) >= port_size || !colon[1] ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1)) {
        return false;
    }
    const bool brackets = address[0] == '[' && colon[-1] == ']';
    const size_t skip = brackets ? 1 : 0;
    const size_t length = (size_t)(colon - address) - 2 * skip;
    if (length == 0 || length >= host_size) {
        return false;
    }
    memcpy(host, address + skip, length);
    host[length] = '\0';
    memcpy(port, colon + 1, strlen(colon + 1) + 1);
    return true;
}

// Waits until a connection is there; errno says why it is not.
static bool finish_connect(int fd, uint64_t until, link_meanwhile *meanwhile)
{
    link_socket s = {fd, meanwhile};
    int code = 0;
    socklen_t size = sizeof code;
    if (oct_link_wait(&s, true, until) != LINK_FINE) {
        errno = ETIMEDOUT;
        return false;
    }
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0 || code != 0) {
        errno = code != 0 ? code : errno;
        return false;
    }
    return true;
}

static int connect_to(const struct addrinfo *to, uint64_t until, link_meanwhile *meanwhile)
{
    const int fd = socket(to->ai_family, to->ai_socktype, to->ai_protocol);
    if (fd < 0) {
        return -1;
    }
    const int flags = fcntl(fd, F_GETFL);
    oct_link_prepare(fd);
    if (fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
        (connect(fd, to->ai_addr, to->ai_addrlen) == 0 ||
         ((errno == EINPROGRESS || errno == EINTR) && finish_connect(fd, until, meanwhile)))) {
        return fd;
    }
    const int code = errno;
    close(fd);
    errno = code;
    return -1;
}

oct_result oct_link_connect(const char *address, uint32_t wait_ms, link_meanwhile *meanwhile,
                            int *fd, oct_error *error)
{
    char host[256], port[8];
    *fd = -1;
    if (!split_address(address, host, sizeof host, port, sizeof port)) {
        oct_error_set(error, 0, 0, 0, "'%.60s' is not HOST:PORT", address);
        return OCT_ERROR_ARGUMENT;
    }
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *all = NULL;
    const int code = getaddrinfo(host, port, &hints, &all);
    if (code != 0) {
        oct_error_set(error, 0, 0, 0, "there is no host '%.60s': %s", host, gai_strerror(code));
        return OCT_ERROR_LINK;
    }
    const uint64_t until = oct_link_clock() + wait_ms;
    errno = ECONNREFUSED;
    for (const struct addrinfo *to = all; to && *fd < 0; to = to->ai_next) {
        *fd = connect_to(to, until, meanwhile);
    }
    const int failure = errno;
    freeaddrinfo(all);
    if (*fd < 0) {
        oct_error_set(error, 0, 0, 0, "nobody answers at %.60s: %s; is the game running?", address,
                      strerror(failure));
        return OCT_ERROR_LINK;
    }
    return OCT_OK;
}

oct_result oct_link_listen(uint32_t port, int *fd, uint32_t *got, oct_error *error)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    const int on = 1;
    *fd = port > 65535 ? -1 : socket(AF_INET, SOCK_STREAM, 0);
    if (*fd >= 0 && oct_link_keep_private(*fd) &&
        setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(*fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(*fd, 32) == 0 &&
        getsockname(*fd, (struct sockaddr *)&at, &size) == 0 &&
        fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) | O_NONBLOCK) == 0) {
        *got = ntohs(at.sin_port);
        return OCT_OK;
    }
    oct_error_set(error, 0, 0, 0, "cannot listen at port %lu: %s", (unsigned long)port,
                  strerror(port > 65535 ? EINVAL : errno));
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
    return OCT_ERROR_LINK;
}
