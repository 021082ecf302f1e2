// SPDX-License-Identifier: MIT
// What is known of a life before it is played, on the wire: hello's part of it, describe, reset.
#ifndef OCTANT_LINK_DESCRIBE_H
#define OCTANT_LINK_DESCRIBE_H

#include "link/link_ids.h"

#define LINK_PLAYERS_MAX 1000

// A player of a description.
typedef struct link_player {
    uint64_t id; // 0 = not told
    const char *name;
    oct_player_body body;
} link_player;

typedef struct link_description {
    oct_game_info info;
    const link_player *players; // at least one
    uint32_t player_count;
} link_description;

// Reads the answer to describe; *out holds what hello told. Texts and lists are the reader's.
oct_result oct_link_read_description(link_reader *in, link_ids *ids, const oct_allocator *allocator,
                                     const json_t *answer, link_description *out);

// Writes it, into an object that is open.
oct_result oct_link_write_description(link_writer *w, link_ids *ids, const oct_allocator *allocator,
                                      const link_description *of);

// How a life is to begin.
oct_result oct_link_read_start(link_reader *in, const json_t *request, double rate,
                               oct_game_start *out);
void oct_link_write_start(link_writer *w, const oct_game_start *start, double rate);

#endif
