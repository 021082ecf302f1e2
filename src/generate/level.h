// SPDX-License-Identifier: MIT
// A level as it is drafted: a row of rooms, rooms at its sides, doors, panels, timers, wires, and
// the plan that solves it. First everything is drafted, then the building is carved out, then it
// becomes a world.
#ifndef OCTANT_GENERATE_LEVEL_INTERNAL_H
#define OCTANT_GENERATE_LEVEL_INTERNAL_H

#include "base/base_internal.h"
#include "octant/block_world.h"
#include "octant/game.h"
#include "octant/generate_level.h"

#define LEVEL_EDGE 2.5      // of a cell, metres
#define LEVEL_BODY_HALF 0.9 // from the feet of a body to its middle, metres
#define LEVEL_ROOMS_MAX 200
#define LEVEL_TIMERS_MAX 90
#define LEVEL_WIRES_MAX 512
#define LEVEL_NONE UINT32_MAX

// Where a room is: in the row, beside or above a room of it, or in one.
typedef enum level_side {
    LEVEL_ROW,
    LEVEL_NORTH,
    LEVEL_SOUTH,
    LEVEL_ABOVE,
    LEVEL_HOUSE // in the middle of a hall, on a grid of its own
} level_side;

// What is in the wall between a room and the one that it hangs on.
typedef enum level_opening {
    LEVEL_FREE,
    LEVEL_DOOR,
    LEVEL_WIDE_DOOR, // two cells
    LEVEL_WALL,
    LEVEL_GAP // narrower or lower than a cell
} level_opening;

typedef struct level_room {
    level_side side;
    uint32_t host;  // the room before it in the row, or that it is beside
    uint32_t place; // its own in the row, or its host's
    int32_t w, d;   // cells along x and z
    int32_t rise;   // of one above: cells of the shaft
    level_opening opening;
    uint32_t door;
    double gap_width, gap_height; // metres
    oct_box cells;                // inside; by carving
    oct_vec way;                  // cell of the opening; by carving
} level_room;

typedef enum level_style {
    LEVEL_PLAIN,
    LEVEL_NICHE,  // at the end of a niche of two cells
    LEVEL_BESIDE, // behind a block of glass, but free from its sides
    LEVEL_CASED,  // behind a pane that nobody gets past
    LEVEL_AFLOAT  // on a grid of its own that drifts
} level_style;

// Where in its room a panel is to stand.
typedef enum level_spot { LEVEL_ANYWHERE, LEVEL_FAR, LEVEL_BY_DOOR } level_spot;

typedef struct level_panel {
    uint32_t room;
    level_style style;
    level_spot spot;
    uint32_t first, buttons;
    oct_vec cell;    // by carving
    uint8_t forward; // oct_side
} level_panel;

typedef struct level_wire {
    bool from_timer;
    uint32_t from;  // button or timer
    uint8_t action; // oct_wire_action; START and STOP lead to timers
    uint32_t to;    // door or timer; LEVEL_NONE = to nothing that is there
} level_wire;

// What a cell holds. What is kept stays free: it is beside an opening, before a panel, or a start.
enum { LEVEL_CELL_SOLID, LEVEL_CELL_FREE, LEVEL_CELL_KEPT, LEVEL_CELL_TAKEN, LEVEL_CELL_GLASS };

typedef struct level {
    oct_random random;
    oct_allocator allocator;
    oct_level_class level_class;
    oct_level_why why;
    uint32_t agents;
    oct_world_rules rules;
    level_room room[LEVEL_ROOMS_MAX];
    uint32_t rooms;
    uint32_t row[LEVEL_ROOMS_MAX]; // rooms of the row
    uint32_t row_count;
    uint32_t doors, buttons, panels, timers, wires, steps;
    bool open[OCT_LEVEL_DOORS_MAX];
    uint32_t door_room[OCT_LEVEL_DOORS_MAX]; // the room whose opening it is in
    level_panel panel[OCT_LEVEL_BUTTONS_MAX];
    uint32_t panel_of[OCT_LEVEL_BUTTONS_MAX];
    double delay[LEVEL_TIMERS_MAX];
    level_wire wire[LEVEL_WIRES_MAX];
    oct_level_step step[OCT_LEVEL_STEPS_MAX];
    uint32_t at[OCT_LEVEL_AGENTS_MAX]; // the room in which the plan has an agent now
    bool needs_others;                 // the first agent cannot do it alone
    bool has_overflowed;               // more was drafted than there is room for
    uint32_t start_room, target_room;
    // By carving.
    oct_vec origin, size; // smallest cell of `cells`, and how many there are
    uint8_t *cells;
    oct_vec start[OCT_LEVEL_AGENTS_MAX];
    oct_vec target;
    uint8_t target_forward;
    oct_point forward, up; // of the grid
    oct_point position;
    uint32_t house;      // a room; LEVEL_NONE = there is none
    oct_pose house_pose; // of its grid; by carving the position
} level;

// A house covers so many cells of its grid, walls included; it stands in a hall of so many.
#define LEVEL_HOUSE_LONG 4
#define LEVEL_HOUSE_WIDE 3
#define LEVEL_HALL 7

// ---- level_draft.c: drawing numbers ----

uint32_t oct_level_below(level *l, uint32_t n);
uint32_t oct_level_between(level *l, uint32_t lo, uint32_t hi); // both included
bool oct_level_chance(level *l, uint32_t one_in);

// ---- level_draft.c: drafting ----

// The last room of the row.
uint32_t oct_level_here(const level *l);
// Appends a room to the row; its opening is free.
uint32_t oct_level_next_room(level *l, int32_t w, int32_t d);
// A room of a usual size.
uint32_t oct_level_next_usual(level *l);
// A room at the side of one of the row, which has none there yet; its opening is free.
uint32_t oct_level_side_room(level *l, uint32_t host, level_side side);
// A door in a room's opening.
uint32_t oct_level_add_door(level *l, uint32_t room, bool is_open);
// A panel; returns its first button.
uint32_t oct_level_add_panel(level *l, uint32_t room, level_style style, level_spot spot,
                             uint32_t buttons);
uint32_t oct_level_add_timer(level *l, double delay);

// Wires from a button to a door, from a timer to a door, and to timers.
void oct_level_wire(level *l, uint32_t button, oct_wire_action action, uint32_t door);
void oct_level_wire_late(level *l, uint32_t timer, oct_wire_action action, uint32_t door);
void oct_level_wire_timer(level *l, uint32_t button, oct_wire_action action, uint32_t timer);
void oct_level_chain(level *l, uint32_t timer, uint32_t next);

// A door between here and a new room, with a button here, or in a room beside it, that toggles it;
// and the presses that open it.
void oct_level_plain_stage(level *l);

// ---- level_draft.c: the plan ----

// What an agent waits after a press until a door has opened, ticks.
uint32_t oct_level_settle(const level *l, double delay);
// Goes to a room of the row, through all doors on the way; flies there at once.
void oct_level_walk(level *l, uint32_t agent, uint32_t room);
void oct_level_press(level *l, uint32_t agent, uint32_t button, uint32_t ticks);
void oct_level_step_to(level *l, uint32_t agent, oct_level_verb verb, uint32_t which,
                       uint32_t ticks);

// How many cells a room must be long, so that nobody flies through it in so many seconds, even at
// twice the speed of the rules.
int32_t oct_level_too_far(const level *l, double seconds);
// How many seconds are enough to fly through so many cells, and twice that.
double oct_level_enough(int32_t cells);

// ---- classes: each makes at least its least number of doors, as many as asked for if it can ----

void oct_level_toggles(level *l, uint32_t doors);
void oct_level_opens(level *l, uint32_t doors);
void oct_level_shuts(level *l, uint32_t doors);
void oct_level_traps(level *l, uint32_t doors);
void oct_level_ambushes(level *l, uint32_t doors);
void oct_level_together(level *l, uint32_t doors);
void oct_level_decoys(level *l, uint32_t doors);
void oct_level_rows(level *l, uint32_t doors);
void oct_level_detours(level *l, uint32_t doors);

void oct_level_timers(level *l, uint32_t doors);
void oct_level_windows(level *l, uint32_t doors);
void oct_level_stops(level *l, uint32_t doors);
void oct_level_chains(level *l, uint32_t doors);
void oct_level_pending(level *l, uint32_t doors);
void oct_level_closing(level *l, uint32_t doors);
void oct_level_held(level *l, uint32_t doors);
void oct_level_wide(level *l, uint32_t doors);

void oct_level_glass(level *l, uint32_t doors);
void oct_level_niches(level *l, uint32_t doors);
void oct_level_drifting(level *l, uint32_t doors);
void oct_level_shafts(level *l, uint32_t doors);
void oct_level_gaps(level *l, uint32_t doors);
void oct_level_turned(level *l, uint32_t doors);
void oct_level_tilted(level *l, uint32_t doors);
// Makes the last room a hall with a house in it, into which the target goes.
void oct_level_add_house(level *l, bool has_door);
void oct_level_of_agents(level *l, uint32_t doors);

// ---- level_twins.c: the end that nobody gets past ----

// How many doors that takes.
uint32_t oct_level_twin_doors(oct_level_why why);
void oct_level_twin(level *l);
// What a fail rests on.
uint32_t oct_level_assumes(oct_level_why why);

// ---- level_carve.c, level_world.c, level_truth.c ----

// False where something found no place.
oct_result oct_level_carve(level *l, bool *done);
oct_result oct_level_build(const level *l, oct_world *world);
void oct_level_tell(const level *l, oct_level_truth *out);

// Ids: doors from 1, panels from 101, timers from 201, the target 301, fillers of gaps from 401,
// armour from 1001; nothing has the id 999.
enum {
    LEVEL_DOOR_ID = 1,
    LEVEL_PANEL_ID = 101,
    LEVEL_TIMER_ID = 201,
    LEVEL_TARGET_ID = 301,
    LEVEL_FILLER_ID = 401,
    LEVEL_NO_ID = 999,
    LEVEL_ARMOUR_ID = 1001
};

// Where a point of the building is in the world; in cells, cell 0 0 0 having its centre at 0 0 0.
oct_point oct_level_to_world(const level *l, oct_point cells);
oct_point oct_level_direction(const level *l, uint8_t side);
// A place of a grid, by its cells; and the pose of who stands in the middle of one of the
// building's.
oct_point oct_level_on_grid(const oct_pose *grid, oct_point cells);
oct_pose oct_level_stand(const level *l, oct_vec cell);

#endif
