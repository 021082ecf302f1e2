// SPDX-License-Identifier: MIT
// A small game with every kind of thing that can be told, and a link that needs no socket: requests
// are answered on the spot.
#ifndef OCTANT_TESTS_LINK_MOCK_H
#define OCTANT_TESTS_LINK_MOCK_H

#include "link/link_client.h"
#include "link/link_server.h"

// The same seed and calls give the same bits. `view_count` things are around each player.
oct_result mock_game(uint64_t seed, uint32_t things, const oct_allocator *allocator,
                     oct_game **out);

// A host of mock games; ctx is a mock_host. A reset to the level "none" is out of range.
typedef struct mock_host {
    uint64_t seed;
    uint32_t things;
    const oct_allocator *allocator;
    uint32_t made;
} mock_host;
link_host mock_link_host(mock_host *host);

// A server within the same process, as a carrier for a client.
typedef struct mock_wire {
    link_server *server;
    oct_array answers; // uint8_t
    size_t taken;
    size_t chunk; // bytes that one read gives at most; 0 = all
    bool is_closed;
} mock_wire;
link_carrier mock_wire_carrier(mock_wire *wire);
// Also greets it.
oct_result mock_wire_open(mock_wire *wire, const link_host *host, const oct_allocator *allocator);
void mock_wire_close(mock_wire *wire);

// A game that answers each request with the next of some lines, whatever was asked; "$n" in them is
// the request's number. Behind the last it is closed, or silent.
typedef struct mock_script {
    const char *const *lines;
    size_t count, next;
    bool is_silent;
    char out[1 << 16];
    size_t size, taken;
    char asked[1 << 16]; // the last request
} mock_script;
link_carrier mock_script_carrier(mock_script *script);

// Whether two observations are equal to the bit; prints what differs.
bool mock_same_observation(const oct_observation *a, const oct_observation *b);
bool mock_same_info(const oct_game_info *a, const oct_game_info *b);
bool mock_same_body(const oct_player_body *a, const oct_player_body *b);
bool mock_same_page(const oct_scenery_page *a, const oct_scenery_page *b);

#endif
