// SPDX-License-Identifier: MIT
// A client of the protocol of Lab Recruits: one request, one answer, and what the answer says.
//
// The game takes one request at a time, in one piece, and answers nothing to what makes no sense:
// so a request is written at once, the next one only after the answer, and an answer that does not
// come in time breaks the link. After that every call returns OCT_ERROR_LINK.
#ifndef OCTANT_LINK_RECRUITS_CLIENT_H
#define OCTANT_LINK_RECRUITS_CLIENT_H

#include "link/link_line.h"
#include "link/link_running.h"
#include "octant/recruits_level.h"

// What one command lets pass in a game whose time follows no clock.
#define RECRUITS_COMMAND_TICKS 3
#define RECRUITS_ID_MAX (OCT_RECRUITS_NAME_MAX + 80)

// All but `time` may be zero.
typedef struct recruits_client_def {
    uint32_t answer_ms, load_ms;    // how long to wait; 0 = 30 000, and 60 000 for INIT
    double speed;                   // seconds of the game in one of the clock; 0 = no clock
    link_time time;                 // used where `speed` is not 0
    const oct_allocator *allocator; // copied; NULL = malloc
} recruits_client_def;

// How far a door is.
typedef enum recruits_panel {
    RECRUITS_PANEL_SHUT,
    RECRUITS_PANEL_OPEN,
    RECRUITS_PANEL_MOVES
} recruits_panel;

// A thing that is seen.
typedef struct recruits_seen {
    const char *id;         // its name; of what has none of its own, its kind and its place
    uint64_t number;        // of it in this life of the game
    oct_recruits_kind kind; // AGENT: another agent
    oct_point origin;
    uint8_t turn;
    oct_bounds box;       // of its collider as it is now
    bool is_on;           // a button that is on, a door that is open or opens
    recruits_panel panel; // of a door
    bool has_colour;
    double colour[3]; // 0 to 1
} recruits_seen;

// What an agent sees; valid until the next command.
typedef struct recruits_view {
    bool is_over;
    oct_point feet;
    double health, score; // 100 = well
    const char *mood;
    const recruits_seen *things;
    size_t count;
    const uint32_t *vertices; // of the mesh
    size_t vertex_count;
} recruits_view;

// The mesh of a level; valid until the next one.
typedef struct recruits_link_mesh {
    const oct_point *points;
    size_t point_count;
    const uint32_t *corners; // three of each triangle
    size_t corner_count;
} recruits_link_mesh;

typedef struct recruits_client recruits_client;

// The carrier's context must live as long as the client.
oct_result oct_recruits_client_create(const link_carrier *carrier, const recruits_client_def *def,
                                      recruits_client **out);
void oct_recruits_client_destroy(recruits_client *c);

// Begins a level anew: its path on the machine of the game, "" = an empty world. `view` in metres,
// 0 = as the game has it.
oct_result oct_recruits_client_init(recruits_client *c, const char *path, double view,
                                    recruits_link_mesh *out);

// Commands; each tells what the agent sees. Walking goes on until it is near the target, or until
// the next target.
oct_result oct_recruits_client_look(recruits_client *c, const char *agent, recruits_view *out);
oct_result oct_recruits_client_go(recruits_client *c, const char *agent, oct_point to,
                                  recruits_view *out);
oct_result oct_recruits_client_press(recruits_client *c, const char *agent, const char *button,
                                     recruits_view *out);

// Ticks of the game since the level began, 50 a second, as nearly as is known here.
uint64_t oct_recruits_client_tick(const recruits_client *c);
// Lets time pass until that tick; `agent` does nothing meanwhile.
oct_result oct_recruits_client_wait(recruits_client *c, const char *agent, uint64_t tick);

// Why the link broke, or an answer could not be used, with the last exchange.
const char *oct_recruits_client_trouble(const recruits_client *c);

#endif
