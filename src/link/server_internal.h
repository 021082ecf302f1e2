// SPDX-License-Identifier: MIT
// What the files of the server share.
#ifndef OCTANT_LINK_SERVER_INTERNAL_H
#define OCTANT_LINK_SERVER_INTERNAL_H

#include "link/link_describe.h"
#include "link/link_entity.h"
#include "link/link_self.h"
#include "link/link_server.h"

// What was told to one player.
typedef struct server_player {
    oct_array told;  // link_entity, by id
    oct_array other; // link_entity, for the next one
    uint64_t rev;    // 0 = nothing was told
} server_player;

struct link_server {
    oct_allocator allocator;
    link_host host;
    oct_game *game; // NULL = none yet
    bool is_greeted;
    bool is_over;     // the connection ends after this answer
    oct_array answer; // uint8_t
    link_writer w;
    link_reader in;
    oct_arena scratch;
    link_ids ids;
    oct_array players;           // server_player
    size_t geometry_next;        // the only `from` beside 0: parts told so far
    size_t page_from, page_skip; // where that is in the game's own pages
    char code[16];               // of the error; "" = none
    char why[440];
};

typedef struct link_server server_state;

// Fails a request: `code` is that of the protocol. The value is OCT_ERROR_FORMAT.
OCT_FORMAT(3, 4)
oct_result oct_link_server_refuse(link_server *s, const char *code, const char *format, ...);
// Fails it where the game's result is not OCT_OK.
oct_result oct_link_server_check(link_server *s, oct_result result);

// The player of a request.
oct_result oct_link_server_who(link_server *s, const json_t *request, uint32_t *who);

// Writes all of an observation into the answer.
oct_result oct_link_server_observe(link_server *s, uint32_t who, const json_t *request);
oct_result oct_link_server_geometry(link_server *s, const json_t *request);
void oct_link_server_forget(link_server *s);

#endif
