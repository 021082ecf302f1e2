// SPDX-License-Identifier: MIT
// A small game that is no block world: two rooms and a door between them that a button opens,
// played by a ball that flies. It is told as an adapter of an engine would: 50 ticks a second, an
// eye off the centre, walls as scenery in two pages, a door with a gap beside its leaf.
//
// z is up. Room A is x 0 to 6, room B x 6.4 to 12, both y 0 to 6, z 0 to 3. The doorway is in the
// wall between them, y 2 to 4.6, z 0 to 2.6. The player starts in A, the goal is in B.
#ifndef OCTANT_TESTS_MOCK_GAME_H
#define OCTANT_TESTS_MOCK_GAME_H

#include "octant/play.h"

// What becomes of the leaf when the door opens.
typedef enum mock_leaf {
    MOCK_SLIDES, // into the wall
    MOCK_SWINGS, // into room B, where it stands at a right angle to the wall
    MOCK_SINKS,  // nowhere: the door has no gap, and leaves its box
    MOCK_NO_LEAF // it is told as a door, but is not solid
} mock_leaf;

enum {
    MOCK_PLAYER = 1,
    MOCK_BUTTON,
    MOCK_DOOR,
    MOCK_GOAL,
    MOCK_SAFE,
    MOCK_BESIDE,
    MOCK_SCENERY = 10
};

// Something that happens at a tick of each life.
typedef struct mock_event {
    uint64_t tick;
    const char *what, *text; // NULL = nothing is told
    oct_over over;
    double harm; // share of the health that it takes
} mock_event;

typedef struct mock_def {
    mock_leaf leaf;
    bool is_broken;    // the button does nothing
    bool is_open;      // the door is open from the start
    bool latches;      // presses shut the door, and nothing opens it again
    bool is_bare;      // it leaves out all that a game may; walls are told as entities
    bool walks;        // the body is the default one
    bool has_safe;     // something else to use, which refuses
    uint64_t dies_at;  // the tick at which the link is lost; 0 = never
    uint64_t scene_at; // the tick at which the next scene begins, which is as this one, and from
                       // which on the end of the game is told once; 0 = never
    double fov;        // radians; 0 = all around
    double reach;      // 0 = 1.5 m
    bool must_face;    // it uses only what it looks at
    uint64_t wakes_at; // the tick before which the button refuses
    // Something that is told beside the rest, and nothing runs into; NULL = nothing.
    const oct_entity *beside;
    bool left_handed; // of the same world: who plays has right and left the other way round
    const mock_event *events;
    size_t event_count;
} mock_def;

#define MOCK_RATE 50.0
#define MOCK_SETTLE 100 // ticks
#define MOCK_SLIDE 25   // ticks that the door takes

// Memory of a test: malloc.
oct_game *mock_game(const mock_def *def);
// Puts the player's centre somewhere.
void mock_put(oct_game *game, oct_point centre);

// A source of such games, and how many were opened and begun anew.
typedef struct mock_source {
    mock_def def;
    uint32_t opened, resets;
    oct_game_start start; // the last one; what it points to is gone
} mock_source;

oct_game_source mock_source_of(mock_source *source);

#endif
