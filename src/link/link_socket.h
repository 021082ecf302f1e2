// SPDX-License-Identifier: MIT
// Sockets as carriers of lines: TCP without delay, no signals, and a time to wait that holds
// whatever the other side does.
#ifndef OCTANT_LINK_SOCKET_H
#define OCTANT_LINK_SOCKET_H

#include "link/link_line.h"

// Something else that is to be done while one waits, and when to stop waiting. All may be zero.
typedef struct link_meanwhile {
    int fd;                   // may be read: then `ready` is called; < 0 = none
    void (*ready)(void *ctx); // must read what is there, or set `fd` to -1
    bool (*stops)(void *ctx); // asked at least ten times a second
    void *ctx;
} link_meanwhile;

typedef struct link_socket {
    int fd;
    link_meanwhile *meanwhile; // NULL = nothing
} link_socket;

// Milliseconds of a clock that only rises.
uint64_t oct_link_clock(void);

// Waits until something can be read (`writes` false) or written; or is over, which a call of recv
// or send then tells.
link_status oct_link_wait(link_socket *socket, bool writes, uint64_t until);

// The socket must stay where it is. It is not closed by anybody here.
link_carrier oct_link_socket_carrier(link_socket *socket);

// TCP_NODELAY; not for other programs.
void oct_link_prepare(int fd);
// Not for programs that are started.
bool oct_link_keep_private(int fd);

// Connects to HOST:PORT ([::1]:80 for an address with colons). OCT_ERROR_ARGUMENT where it is not
// of that form, OCT_ERROR_LINK where nobody answers; *error says why.
oct_result oct_link_connect(const char *address, uint32_t wait_ms, link_meanwhile *meanwhile,
                            int *fd, oct_error *error);

// Listens at a port of 127.0.0.1; 0 = any free one. *port gets it.
oct_result oct_link_listen(uint32_t port, int *fd, uint32_t *got, oct_error *error);

#endif
