// SPDX-License-Identifier: MIT
// Games that are played over a link: a client of the protocol (docs/reference/protocol.md) as an
// oct_game. Of what comes nothing is trusted, and everything that the protocol allows is taken.
//
// After a failure of the link every call returns OCT_ERROR_LINK at once, and oct_game_trouble has a
// sentence and the last exchange.
#ifndef OCTANT_LINK_CLIENT_H
#define OCTANT_LINK_CLIENT_H

#include "link/link_line.h"
#include "octant/game.h"

// What the other side is, and what was exchanged.
typedef struct link_facts {
    const char *engine, *addon; // "" = not told; as long as the game lives
    bool can_geometry, can_self, can_turn, can_join, can_hash, can_reset, can_since;
    bool exact_start;    // a new process begins as before, to the bit
    bool exact_reset;    // so does a reset
    bool has_own_bounds; // the game tells none: they follow from what it tells as a life begins
    uint64_t requests;
    uint64_t sent, taken; // bytes
} link_facts;

// All may be zero.
typedef struct link_client_def {
    const char *name;            // of this program; NULL = "octant" and its version
    uint32_t answer_ms, load_ms; // how long to wait; 0 = 30 000, and 60 000 for hello and reset
    const oct_game_start *start; // how the first life begins; NULL = as the game does by itself
    // A new process is made for each life: then what is exact from its start repeats.
    bool is_restarted;
    const oct_allocator *allocator; // copied; NULL = malloc
    // Of who made the link: says in a sentence why it may have been lost, "" if it cannot; and
    // lets go of it, after the last line. Both may be NULL.
    void (*epitaph)(void *ctx, char *out, size_t size);
    void (*release)(void *ctx);
    void *ctx;
} link_client_def;

// Shakes hands and asks for the description. On failure *out is NULL, `trouble` says why, and
// `release` was not called.
oct_result oct_link_play(const link_carrier *carrier, const link_client_def *def, oct_game **out,
                         char *trouble, size_t trouble_size);

// Whether a game is one of these, and what is known of it.
bool oct_link_is_client(const oct_game *game);
link_facts oct_link_facts(const oct_game *game);
// Forgets what a player was told: the next observation asks for all of it, not for a difference.
void oct_link_forget(oct_game *game, uint32_t who);
// The `ctx` that it was made with.
void *oct_link_context(const oct_game *game);

#endif
