// SPDX-License-Identifier: MIT
// The lab world's server on sockets: many clients at once, none of which can keep another waiting.
#ifndef OCTANT_LINK_RECRUITS_LISTEN_H
#define OCTANT_LINK_RECRUITS_LISTEN_H

#include "link/link_socket.h"
#include "link/recruits_server.h"

#define RECRUITS_CLIENTS_MAX 256

// Serves all who connect to a socket that listens (oct_link_listen), until `stops` says so; then
// OCT_OK. OCT_ERROR_LINK where the socket breaks. It is not closed.
oct_result oct_recruits_serve(recruits_server *server, int listener, bool (*stops)(void *ctx),
                              void *stop_ctx, const oct_allocator *allocator);

#endif
