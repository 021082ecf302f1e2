// SPDX-License-Identifier: MIT
// A server of the protocol on sockets: one client at a time.
#ifndef OCTANT_LINK_LISTEN_H
#define OCTANT_LINK_LISTEN_H

#include "link/link_server.h"
#include "link/link_socket.h"

// Plays with the client at the other end of a socket, until it goes or `stops` says so. The socket
// is closed afterwards. `listener` < 0, or a socket on which others are told that the game is busy.
oct_result oct_link_serve_client(const link_host *host, int fd, int listener,
                                 bool (*stops)(void *ctx), void *stop_ctx,
                                 const oct_allocator *allocator);

// Serves one client after the other on a socket that listens (oct_link_listen), until `stops` says
// so; then OCT_OK. OCT_ERROR_LINK where the socket breaks. It is not closed.
oct_result oct_link_serve(const link_host *host, int listener, bool (*stops)(void *ctx),
                          void *stop_ctx, const oct_allocator *allocator);

#endif
