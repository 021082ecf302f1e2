// SPDX-License-Identifier: MIT
// What the parts of the block world share: its state.
//
// Everything that can be met is one of `blocks`, and one of the solids that bodies move among.
// Blocks stay where they are in their array, so that wires, lists and solids name them by index;
// slots of blocks that players placed and took away again are given anew.
//
// A tick costs what moves: doors under way stand in a list, timers that wait in a heap, grids that
// drift in a list. Nothing is allocated in a tick: the lists have room for all.
#ifndef OCTANT_BLOCK_INTERNAL_H
#define OCTANT_BLOCK_INTERNAL_H

#include "base/index_table.h"
#include "game/body.h"
#include "octant/block_world.h"

#define BLOCK_NONE UINT32_MAX

// Where things may be, metres from the world's zero on each axis: a millionth of the skin is then
// still a number of its own.
#define BLOCK_WORLD_FAR 1e8
// What all buttons and timers together may do: wires, each as often as its group has members.
#define BLOCK_WORLD_EFFECTS_MAX (UINT32_C(1) << 22)
#define BLOCK_WORLD_PLAYERS_MAX (UINT32_C(1) << 16)
// How far beside its pose a body that joins may be put, metres.
#define BLOCK_WORLD_BESIDE 0.5
// What comes nearer to a body than this would meet it. Bodies rest at a skin's distance, give or
// take rounding.
#define BLOCK_WORLD_TOUCH (SOLIDS_SKIN / 2.0)

typedef struct door_state {
    uint32_t opened; // ticks of the way to open that it has gone
    uint32_t listed; // where in the list of moving doors, or BLOCK_NONE
    bool opens;      // it opens or is open
} door_state;

typedef struct timer_state {
    uint64_t due;            // the tick in which it fires
    uint32_t delay;          // ticks, at least 1
    uint32_t heaped;         // where in the heap of waiting timers, or BLOCK_NONE: it does not wait
    uint32_t effects, count; // what it does
} timer_state;

typedef struct panel_state {
    uint32_t effects, count; // of all its buttons, by button
} panel_state;

typedef struct block {
    uint64_t id;
    const char *name;
    oct_bounds box; // in the world, where its grid has not drifted
    double integrity;
    oct_property props[2]; // as last told: its integrity, and that of a whole one
    uint32_t type;
    uint32_t grid; // as the world says; which rigid whole it is
    uint32_t solid;
    uint32_t next_spare; // of one that is gone
    oct_vec cell;        // of one that is placed, and how many it covers
    oct_vec span;
    uint8_t forward, up;
    uint8_t kind;
    bool placed;
    bool gone;
    bool passable; // not a door, and never solid
    union {
        door_state door;
        timer_state timer;
        panel_state panel;
    } is;
} block;

// What a button or a timer does to one block.
typedef struct effect {
    uint32_t slot;
    uint32_t block;
    uint8_t action; // an oct_wire_action
} effect;

// A grid of the world. Its frame among the solids is the next number: 0 is the world's.
typedef struct rigid {
    oct_world_grid grid; // as the world has it, but for its name
    motion_frame axes;
    oct_point direction; // of its drift: a unit vector, or 0
    double step;         // metres a tick; 0 = it stands
    double at;           // how far it has drifted
    bool returns;
    bool waits;     // someone was in its way in the last tick
    bool is_turned; // its axes are not the world's
    double turn[4]; // its axes as a quaternion x y z w
} rigid;

enum { SELF_HELD, SELF_PAGE, SELF_DAMPENERS, SELF_BOOTS, SELF_WORKS, SELF_GRIND, SELF_PROPS };

typedef struct player {
    uint64_t id;
    body body;
    oct_item held;
    uint32_t page;
    bool works;
    oct_property props[SELF_PROPS]; // as last told
} player;

// Something near, for observations.
typedef struct near_item {
    uint64_t id;
    uint32_t index; // of a block, or of a player after them
    bool is_player;
} near_item;

typedef struct block_world {
    oct_game game; // first
    oct_allocator allocator;
    oct_game_info info;
    oct_world_rules rules;
    oct_player_body body; // of every player
    oct_arena texts;      // names
    oct_array types;      // oct_world_type
    oct_array blocks;     // block
    oct_array owners;     // uint32_t: the block of each solid
    oct_array rigids;     // rigid
    oct_array drifting;   // uint32_t: grids that move
    oct_array effects;    // effect
    oct_array moving;     // uint32_t: doors under way; room for all
    oct_array waiting;    // uint32_t: timers, the first to fire first; room for all
    oct_array players;    // player
    oct_array saved;      // body: of the players, while a grid pushes them
    index_table ids;
    solids *solids;
    oct_item items[OCT_TOOLBAR_PAGES][OCT_TOOLBAR_SLOTS];
    oct_pose start;
    bool has_start;
    bool has_turned; // a grid is
    oct_up up;
    uint32_t spare;                 // a block whose slot is free, or BLOCK_NONE
    uint32_t world_blocks;          // that were there from the start
    uint32_t alive[OCT_KIND_COUNT]; // and now
    uint32_t door_ticks;            // that a door takes
    double slack;                   // how far boxes of blocks reach beyond what is solid of them
    uint64_t tick;
    const char *refusal; // of the last act
    // For observations, kept from one to the next.
    oct_array near, near_other; // near_item
    oct_array entities;         // oct_entity
    oct_array pieces;           // oct_piece: shapes of blocks on turned grids
} block_world;

OCT_FORCE_INLINE block *block_at(const block_world *g, uint32_t index)
{
    return (block *)g->blocks.items + index;
}

OCT_FORCE_INLINE rigid *rigid_at(const block_world *g, uint32_t index)
{
    return (rigid *)g->rigids.items + index;
}

OCT_FORCE_INLINE player *player_at(const block_world *g, uint32_t index)
{
    return (player *)g->players.items + index;
}

OCT_FORCE_INLINE const oct_world_type *type_at(const block_world *g, uint32_t index)
{
    return (const oct_world_type *)g->types.items + index;
}

OCT_FORCE_INLINE uint32_t frame_of(const block *b)
{
    return b->placed ? b->grid + 1u : 0u;
}

// ---- block_world.c ----

// The block of an id, or BLOCK_NONE.
uint32_t oct_block_find(const block_world *g, uint64_t id);
// An id like this one that nobody has.
uint64_t oct_block_free_id(const block_world *g, uint64_t id);

// ---- block_make.c: from a world ----

// Copies everything of a world. On failure what was copied so far is there to be freed.
oct_result oct_block_copy_world(block_world *g, const oct_world *world);
// Appends a block, or takes the slot of one that is gone: enters it everywhere. On failure nothing
// has changed.
oct_result oct_block_add(block_world *g, const block *b, const oct_bounds *home, uint32_t *index);
// The box of a placed block in its grid's frame.
oct_bounds oct_block_home(const block_world *g, const block *b);

// ---- block_wires.c ----

oct_result oct_block_copy_wires(block_world *g, const oct_world *world);

// ---- block_promises.c ----

// Writes into the description what holds of all that buttons and timers do, and the bounds.
oct_result oct_block_promise(block_world *g);

// ---- block_devices.c: doors, panels, timers, grids that drift ----

// Each for one tick.
void oct_block_tick_timers(block_world *g);
void oct_block_tick_doors(block_world *g);
void oct_block_tick_grids(block_world *g);

// Does what is wired to a button.
void oct_block_press(block_world *g, const block *panel, uint32_t button);
// It no longer moves or waits.
void oct_block_stop(block_world *g, uint32_t index);
// Sets what of a door is solid.
void oct_block_set_leaf(block_world *g, const block *door);
// How far a grid has drifted, and how it moves, metres and metres a second.
oct_point oct_block_offset(const rigid *r);
oct_point oct_block_drift(const rigid *r);
// Whether a body is in the way of a solid as it now is.
bool oct_block_meets_body(const block_world *g, const block *b);

// ---- block_tools.c: what hands do ----

enum {
    BLOCK_MOVE,
    BLOCK_JUMP,
    BLOCK_USE,
    BLOCK_JETPACK,
    BLOCK_DAMPENERS,
    BLOCK_BOOTS,
    BLOCK_EQUIP,
    BLOCK_ACTIVATE,
    BLOCK_TOOL,
    BLOCK_PLACE,
    BLOCK_REMOVE,
    BLOCK_VERBS
};

extern const char *const oct_block_verbs[BLOCK_VERBS];

oct_result oct_block_act(block_world *g, uint32_t who, const oct_action *action, oct_act *came);
void oct_block_tick_tools(block_world *g);

// ---- block_observe.c ----

oct_result oct_block_observe(block_world *g, uint32_t who, oct_observation *out);
void oct_block_self(const block_world *g, uint32_t who, oct_self *out);

#endif
