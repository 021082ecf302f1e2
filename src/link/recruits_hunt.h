// SPDX-License-Identifier: MIT
// Finding out which button of a level of Lab Recruits toggles which door, by exploring, pressing
// and looking, over the game's protocol.
//
// A press flips every door that its button is linked with, at once; so each sighting of a door is
// an equation (octant/links.h), and nothing is done that would tell nothing new: the next step is
// the one with the fewest fires, then the fewest presses, then the shortest way, after which a door
// is seen whose state does not follow from what is known, or a place that was not seen. It ends
// when there is no such step. The links of the level's file are never read.
#ifndef OCTANT_LINK_RECRUITS_HUNT_H
#define OCTANT_LINK_RECRUITS_HUNT_H

#include "link/recruits_client.h"
#include "octant/links.h"

#define RECRUITS_HUNT_STATES 5000 // that one plan looks at

typedef struct recruits_hunt_def {
    recruits_client *client; // borrowed
    const char *level;       // its path on the machine of the game
    const char *agent;       // its name
    double seconds;          // of the game, at most; 0 = no limit
    uint32_t lives;          // at most; at least 1
    const oct_allocator *allocator;
    // Told of each step, for people; may be NULL.
    void (*note)(void *ctx, const char *text);
    bool (*stops)(void *ctx); // asked before each step; may be NULL
    void *ctx;
} recruits_hunt_def;

// A button and a door.
typedef struct recruits_pair {
    const char *button, *door;
    oct_link link;
    uint32_t presses;     // of the button, in all lives
    uint32_t sightings;   // from which it follows
    bool is_through_fire; // the button was reached only through fire
} recruits_pair;

typedef struct recruits_hunt_result {
    recruits_pair *pairs; // button after button
    size_t buttons, doors;
    double game_s;                  // of all lives
    double health;                  // at the end, 0 to 100
    uint32_t lives, presses, fires; // begun; made; entered
    const char *end;                // why it ended
    bool is_whole;                  // everything that can be reached is certain
} recruits_hunt_result;

typedef struct recruits_hunt recruits_hunt;

// On failure *out may be there all the same, for its trouble.
oct_result oct_recruits_hunt_run(const recruits_hunt_def *def, recruits_hunt **out,
                                 recruits_hunt_result *result);
void oct_recruits_hunt_destroy(recruits_hunt *h);

#endif
