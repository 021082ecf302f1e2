// SPDX-License-Identifier: MIT
// What the files of the client share.
#ifndef OCTANT_LINK_CLIENT_INTERNAL_H
#define OCTANT_LINK_CLIENT_INTERNAL_H

#include "link/link_client.h"
#include "link/link_describe.h"
#include "link/link_entity.h"
#include "link/link_self.h"

// Bytes of an exchange that a trouble quotes.
#define LINK_QUOTE 400
// Entities around a player, and events that nobody has asked for yet.
#define LINK_ENTITIES_MAX ((size_t)1 << 20)
#define LINK_EVENTS_MAX ((size_t)1 << 16)
// How often a level may change in one life.
#define LINK_SCENES_MAX 64

// What was told to one player.
typedef struct client_player {
    oct_array told;   // link_entity, by id
    oct_array view;   // oct_entity: the same, as handed out
    oct_array events; // oct_event, not handed out yet, or just now
    oct_arena self_arena, event_arena;
    oct_self self;
    oct_over over;
    uint64_t scene;
    uint64_t rev;
    uint64_t epoch;   // of the client, when it was told; 0 = never
    uint64_t answers; // so far: stamps of entities
    bool has_rev;
    bool events_are_out; // they were handed out
    bool is_unread;      // nobody has asked since it was told
} client_player;

typedef struct link_client {
    oct_game game;            // first
    struct link_client *self; // for calls that only read, but have to ask
    oct_allocator allocator;
    link_client_def def;
    link_lines lines;
    link_facts facts;
    oct_array request; // uint8_t
    uint64_t n;        // of the last request
    bool is_broken;
    oct_game_info hello; // what it told of the game
    link_description now;
    oct_bounds bounds; // of this level, where the game tells none
    bool has_bounds;
    uint32_t scenes; // descriptions asked for in this life
    oct_arena hello_arena, life_arena, page_arena, scratch;
    link_ids ids;
    index_table parts; // ids of the scenery's parts, as far as it was asked for
    size_t part_count, triangle_count;
    size_t page_count, page_mark; // pages so far, and the `next` of one of them
    oct_array players;            // client_player
    uint64_t tick;
    uint64_t epoch; // rises whenever what was told may be out of date; at least 1
    link_reader in;
    char refusal[1024];
    char asked[LINK_QUOTE + 8], answered[LINK_QUOTE + 8];
    char trouble[2 * LINK_QUOTE + 1000];
} link_client;

// ---- exchanges (client_ask.c) ----

// Begins a request; fields follow, then oct_link_ask.
oct_result oct_link_request(link_client *c, link_writer *w, const char *what);
// Sends it and waits for the answer, which the caller gives back. Errors of the game come as
// results.
oct_result oct_link_ask(link_client *c, link_writer *w, uint32_t wait_ms, json_t **answer);
// The link has failed: says why. The value is OCT_ERROR_LINK.
OCT_FORMAT(2, 3) oct_result oct_link_fail(link_client *c, const char *format, ...);
// What became of reading an answer: a refusal ends the link.
oct_result oct_link_judge(link_client *c, oct_result result);
// The tick of an answer, which must not be below the last one.
oct_result oct_link_take_tick(link_client *c, const json_t *answer, uint64_t other);

// ---- life (client_life.c) ----

oct_result oct_link_hello(link_client *c);
oct_result oct_link_describe(link_client *c);
oct_result oct_link_reset(link_client *c, const oct_game_start *start);
client_player *oct_link_player(link_client *c, uint32_t who);

// ---- looking (client_observe.c) ----

// Takes an answer to observe or turn. `since`: it was asked for a difference.
oct_result oct_link_take_observation(link_client *c, uint32_t who, const json_t *answer,
                                     bool since);
oct_result oct_link_observe(link_client *c, uint32_t who, oct_observation *out);
oct_result oct_link_self(link_client *c, uint32_t who, oct_self *out);
void oct_link_forget_player(link_client *c, client_player *p);
void oct_link_free_player(link_client *c, client_player *p);
// Writes `who`, and `since` where that is known; the value tells whether it is.
bool oct_link_put_who(link_client *c, link_writer *w, uint32_t who, bool with_since);

// Looks, unless that was done, for what is told alone: who observes next is told all of it.
oct_result oct_link_peek(link_client *c, uint32_t who);

// ---- bounds (client_bounds.c) ----

// Finds the bounds of a level that has just begun, where its game tells none. OCT_ERROR_MEMORY
// alone is a failure.
oct_result oct_link_find_bounds(link_client *c);

// ---- scenery (client_scenery.c) ----

oct_result oct_link_scenery(link_client *c, size_t from, oct_scenery_page *out);

#endif
