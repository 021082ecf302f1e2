// SPDX-License-Identifier: MIT
// What the requests and the answers of the lab world's server share.
#ifndef OCTANT_LINK_RECRUITS_SERVER_INTERNAL_H
#define OCTANT_LINK_RECRUITS_SERVER_INTERNAL_H

#include "game/recruits_internal.h"
#include "link/link_read.h"
#include "link/link_write.h"
#include "link/recruits_server.h"

struct recruits_server {
    oct_allocator allocator;
    recruits_host host;
    oct_game *game;
    recruits_world *world; // of that game
    oct_array answer;      // uint8_t
    oct_array ids;         // uint32_t: the vertices that are seen
    uint64_t begin_ns;     // when the world began
    uint64_t past_ticks;   // of the worlds before
};

// ---- recruits_answer.c ----

// Writes the mesh of the world, or what an agent sees now.
oct_result oct_recruits_write_mesh(recruits_server *s, link_writer *w);
oct_result oct_recruits_write_observation(recruits_server *s, link_writer *w, uint32_t who,
                                          bool did_nothing);

#endif
