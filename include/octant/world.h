// SPDX-License-Identifier: MIT
/// \file
/// Worlds: things with ids, types and true boxes, as level files describe them.
///
/// A world is what is there, not what is known of it: oct_map_observe and oct_map_add take its
/// things into a map, oct_block_world_create (octant/block_world.h) plays it. World coordinates are
/// the game's own, in metres.
///
/// Blocks are boxes, or stand on the cells of a grid: a rigid whole with a place and an orientation
/// of its own, a building or a ship. Some types do something: doors open, panels have buttons,
/// timers wait; wires say what a button or a timer does.
///
/// Everything in a world is sound: numbers are finite, names are UTF-8. What would break that is
/// OCT_ERROR_ARGUMENT, what exceeds a limit OCT_ERROR_RANGE; on failure nothing has changed.
///
/// Threading: one writer or many readers.
#ifndef OCTANT_WORLD_H
#define OCTANT_WORLD_H

#include "octant/formats.h"
#include "octant/map.h"

/// Limits: blocks, types, grids, wires and members of groups of a world, bytes of a name.
#define OCT_WORLD_BLOCKS_MAX (UINT32_C(1) << 24)
#define OCT_WORLD_TYPES_MAX (UINT32_C(1) << 16)
#define OCT_WORLD_GRIDS_MAX (UINT32_C(1) << 16)
#define OCT_WORLD_WIRES_MAX (UINT32_C(1) << 20)
#define OCT_WORLD_MEMBERS_MAX (UINT32_C(1) << 20)
/// Cells of a grid have coordinates from -this to below this; sizes of types and buttons of panels
/// are at most these.
#define OCT_WORLD_CELL_MAX (INT32_C(1) << 20)
#define OCT_WORLD_SIZE_MAX 64
#define OCT_WORLD_BUTTONS_MAX 64
#define OCT_WORLD_NAME_MAX 1023
/// What directions may be off by: in length, and from a right angle to each other (its cosine).
#define OCT_WORLD_UNIT_SLACK 1e-3

typedef struct oct_world oct_world;

/// What a block does.
typedef enum oct_kind {
    OCT_KIND_SOLID,  ///< it is there
    OCT_KIND_DOOR,   ///< slides open and shut
    OCT_KIND_PANEL,  ///< has buttons
    OCT_KIND_TIMER,  ///< does what its wires say, a while after it was started
    OCT_KIND_TARGET, ///< what one is sent to
    OCT_KIND_COUNT
} oct_kind;

/// "solid", "door", "panel", "timer", "target"; NULL beyond the last.
OCT_API const char *oct_kind_name(oct_kind kind);

/// What things have in common. Start from oct_world_type_default().
typedef struct oct_world_type {
    const char *name; ///< the world's; unique in it, never empty
    bool opaque;      ///< hides what is behind it; default true
    uint8_t kind;     ///< an oct_kind; default SOLID
    uint8_t buttons;  ///< of a panel, at least 1; of others 0
    oct_vec size;     ///< in cells of a grid: to its right, up and back; 1 to OCT_WORLD_SIZE_MAX
    double integrity; ///< of a whole one: what it takes to grind it down; > 0; default 100
} oct_world_type;

OCT_API oct_world_type oct_world_type_default(void);

/// The six sides of a block, in its own frame, and directions of a grid.
typedef enum oct_side {
    OCT_SIDE_FORWARD,
    OCT_SIDE_BACKWARD,
    OCT_SIDE_LEFT,
    OCT_SIDE_RIGHT,
    OCT_SIDE_UP,
    OCT_SIDE_DOWN,
    OCT_SIDE_COUNT,
    OCT_SIDE_ANY = OCT_SIDE_COUNT ///< of goals: whichever is nearest by path
} oct_side;

/// "forward", "backward", "left", "right", "up", "down"; NULL beyond the last.
OCT_API const char *oct_side_name(oct_side side);

/// One thing of a world. What is not said of it is 0.
typedef struct oct_world_block {
    uint64_t id;      ///< unique in the world
    const char *name; ///< the world's; "" where it has none
    oct_bounds box;   ///< true box in the world, metres; min <= max
    uint32_t type;    ///< index of its type
    uint32_t grid;    ///< which rigid whole it is part of; 0 where unstated
    uint8_t label;    ///< BLOCKED; OPEN for an open door; UNKNOWN
    /// Whether it stands on cells of its grid, which is then one of the world's; `box` is that of
    /// its corners. A block that is not placed is a box of the world, whatever its grid's pose.
    bool placed;
    uint8_t forward, up; ///< placed: its orientation in the grid, oct_side, at a right angle
    oct_vec cell;        ///< placed: the smallest cell that it covers
    double damage;       ///< 0 = whole, up to its type's integrity (not included)
    double delay;        ///< of a timer, seconds; >= 0; of others 0
} oct_world_block;

/// A rigid whole of blocks. Cell (x, y, z) has its centre at position + cell * (x right + y up +
/// z back), right = forward x up (in a left-handed world too), back = -forward.
typedef struct oct_world_grid {
    uint64_t id;      ///< unique among grids
    const char *name; ///< the world's; "" where it has none
    oct_pose pose;    ///< of the centre of cell 0 0 0
    double cell;      ///< edge of a cell, metres; > 0
    oct_point drift;  ///< how it moves, metres a second; 0 0 0 = not at all
    double range;     ///< how far it drifts before it turns back, metres; >= 0
} oct_world_grid;

/// What a wire does to what it leads to.
typedef enum oct_wire_action {
    OCT_WIRE_TOGGLE, ///< a door opens if it was shut or shutting, else it shuts
    OCT_WIRE_OPEN,
    OCT_WIRE_SHUT,
    OCT_WIRE_START, ///< a timer begins to wait, unless it does
    OCT_WIRE_STOP,  ///< a timer waits no longer
    OCT_WIRE_OTHER, ///< something that worlds here do not know: nothing
    OCT_WIRE_COUNT
} oct_wire_action;

/// "toggle", "open", "shut", "start", "stop", "other"; NULL beyond the last.
OCT_API const char *oct_wire_action_name(oct_wire_action action);

/// What a button or a timer does: one line of its list.
typedef struct oct_world_wire {
    uint64_t from;     ///< a panel or a timer
    uint32_t slot;     ///< of a panel the button, from 0; of a timer in which order
    uint8_t action;    ///< an oct_wire_action
    uint64_t to;       ///< a block, where `group` is ""; else 0
    const char *group; ///< the world's: a group of the grid of `from`; "" for a block
} oct_world_wire;

/// One block of a group of blocks. Groups belong to a grid and have a name there.
typedef struct oct_world_member {
    const char *group; ///< the world's; never empty
    uint32_t grid;
    uint64_t block; ///< an id
} oct_world_member;

/// How a world is to be played. Start from oct_world_rules_default(); the world has these until it
/// is told others. All are finite and >= 0.
typedef struct oct_world_rules {
    double acceleration; ///< of a jetpack, in every direction, m/s2; default 10; > 0
    double speed;        ///< that nobody exceeds, m/s; default 20; > 0
    double turn;         ///< how fast a body turns, radians a second; default 2 pi; > 0
    double walk;         ///< speed on foot, m/s; default 4
    double jump;         ///< speed at which a jump begins, m/s; default 4
    double door;         ///< what a door takes to open, seconds; default 1; > 0
    double reach;        ///< from the body's centre to what it uses, metres; default 3
    double grind;        ///< integrity that a tool takes or mends in a second; default 100
    double view;         ///< how far one sees, metres; default 20; > 0
    oct_sight sight;     ///< default LINE
    oct_point gravity;   ///< acceleration of those who do not fly, m/s2, any sign; default 0
} oct_world_rules;

OCT_API oct_world_rules oct_world_rules_default(void);

/// What a slot of a toolbar may hold beside a type of block.
typedef enum oct_item_kind {
    OCT_ITEM_NONE,
    OCT_ITEM_GRINDER, ///< takes a block apart
    OCT_ITEM_WELDER,  ///< mends one
    OCT_ITEM_BLOCK,   ///< is placed
    OCT_ITEM_COUNT
} oct_item_kind;

#define OCT_TOOLBAR_PAGES 9
#define OCT_TOOLBAR_SLOTS 9

typedef struct oct_item {
    uint8_t kind;  ///< an oct_item_kind
    uint32_t type; ///< of a BLOCK; else 0
} oct_item;

/// How to create a world. All 0 is the default.
typedef struct oct_world_def {
    const oct_allocator *allocator; ///< copied; NULL = malloc
} oct_world_def;

/// Creates an empty world; the definition is copied, NULL = malloc. On failure *out is NULL.
OCT_API oct_result oct_world_create(const oct_world_def *def, oct_world **out);
/// Frees a world; NULL is allowed.
OCT_API void oct_world_destroy(oct_world *world);

/// The world's name; never NULL. Copied.
OCT_API const char *oct_world_name(const oct_world *world);
OCT_API oct_result oct_world_set_name(oct_world *world, const char *name);

/// Which axis is up, and the handedness; default Z, right-handed.
OCT_API oct_up oct_world_up(const oct_world *world);
OCT_API bool oct_world_left_handed(const oct_world *world);
OCT_API oct_result oct_world_set_axes(oct_world *world, oct_up up, bool left_handed);

/// Where the agent starts (its body's feet); false if the world does not say.
OCT_API bool oct_world_start(const oct_world *world, oct_pose *out);
OCT_API oct_result oct_world_set_start(oct_world *world, const oct_pose *start);

/// The box that the world is meant to fill, where it says so: blocks may lie beyond it.
OCT_API bool oct_world_bounds(const oct_world *world, oct_bounds *out);
OCT_API oct_result oct_world_set_bounds(oct_world *world, oct_bounds bounds);

/// The width of the narrowest passage that should stay open, metres; 0 = not stated.
OCT_API double oct_world_passage(const oct_world *world);
OCT_API oct_result oct_world_set_passage(oct_world *world, double width);

/// The rules of the game.
OCT_API oct_world_rules oct_world_rules_of(const oct_world *world);
OCT_API oct_result oct_world_set_rules(oct_world *world, const oct_world_rules *rules);

/// What the agent has at hand at the start. An empty toolbar has a grinder and a welder in the
/// first two slots of the first page.
OCT_API oct_item oct_world_item(const oct_world *world, uint32_t page, uint32_t slot);
OCT_API oct_result oct_world_set_item(oct_world *world, uint32_t page, uint32_t slot,
                                      oct_item item);

/// Adds a type, or finds the one of that name (which must then be the same in everything: else
/// OCT_ERROR_ARGUMENT). The name is copied. `index` may be NULL.
OCT_API oct_result oct_world_define(oct_world *world, const oct_world_type *type, uint32_t *index);
/// The same for a type that is as by default but for this.
OCT_API oct_result oct_world_add_type(oct_world *world, const char *name, bool opaque,
                                      uint32_t *index);
OCT_API size_t oct_world_types(const oct_world *world);
OCT_API oct_world_type oct_world_get_type(const oct_world *world, uint32_t index);
/// The index of the type with a name; false if there is none.
OCT_API bool oct_world_find_type(const oct_world *world, const char *name, uint32_t *index);

/// Whether a type is called so: by its name; or, where that is a type and a subtype,
/// "TargetDummyBlock/TargetDummy", by either of the two.
OCT_API bool oct_world_type_is(const char *type, const char *words);

/// Adds a grid; its name is copied and may be NULL. OCT_ERROR_EXISTS where the id is taken. The
/// index may be NULL.
OCT_API oct_result oct_world_add_grid(oct_world *world, const oct_world_grid *grid,
                                      uint32_t *index);
OCT_API size_t oct_world_grids(const oct_world *world);
OCT_API oct_world_grid oct_world_get_grid(const oct_world *world, uint32_t index);

/// Adds a block; its name is copied and may be NULL. OCT_ERROR_EXISTS where the id is taken. The
/// box of one that is placed is made from its cells, whatever `box` says.
OCT_API oct_result oct_world_add(oct_world *world, const oct_world_block *block);
OCT_API size_t oct_world_blocks(const oct_world *world);
/// Block by index, in the order of adding.
OCT_API oct_world_block oct_world_get(const oct_world *world, size_t index);
/// The index of the block with an id; false if there is none.
OCT_API bool oct_world_find(const oct_world *world, uint64_t id, size_t *index);

/// How many cells a placed block covers along its grid's axes right, up and back: its type's size,
/// turned.
OCT_API oct_vec oct_world_span(const oct_world *world, const oct_world_block *block);

/// The id of a block on a grid that nobody gave one: from the grid's id and the block's smallest
/// cell, with the highest bit set.
OCT_API uint64_t oct_world_cell_id(uint64_t grid_id, oct_vec cell);

/// Adds a wire, whose names are copied. What it leads from and to need not be there yet; what is
/// missing when the world is played does nothing.
OCT_API oct_result oct_world_add_wire(oct_world *world, const oct_world_wire *wire);
OCT_API size_t oct_world_wires(const oct_world *world);
OCT_API oct_world_wire oct_world_get_wire(const oct_world *world, size_t index);

/// Makes a block a member of a group.
OCT_API oct_result oct_world_add_member(oct_world *world, const oct_world_member *member);
OCT_API size_t oct_world_members(const oct_world *world);
OCT_API oct_world_member oct_world_get_member(const oct_world *world, size_t index);

/// The smallest box that holds all blocks, and the world's bounds where it states them; all zero
/// for neither. Constant time.
OCT_API oct_bounds oct_world_extent(const oct_world *world);

/// The smallest box that holds a place, the world's bounds where it states them, and every grid
/// that is at most so many metres from the place, whole. Linear but for a sort of the blocks.
OCT_API oct_result oct_world_extent_near(const oct_world *world, oct_point at, double distance,
                                         oct_bounds *out);

/// Adds every block to a map, those on turned grids with their true shapes; on failure those before
/// it stay, and *index (may be NULL) is the one that failed.
OCT_API oct_result oct_world_add_to(const oct_world *world, oct_map *map, size_t *index);

#endif
