// SPDX-License-Identifier: MIT
// The configuration space of what is not excluded: where the thinnest reading of a body may be.
//
// A body holds a ball around its centre; that ball, made thinner by 2 mm, needs less room than the
// body in any orientation. A cell is closed only if the ball would touch one told solid, as it is
// shaped, wherever in the cell its centre is. So whatever the body can do, the ball can do here;
// what the ball cannot reach is out of reach for certain. Everything that was not told, and
// everything that may move, is free.
//
// Doors are kept apart: space is cut into parts with all doors in the way, and the cells that only
// doors close are parts of their own, each with the doors that close it.
#ifndef OCTANT_CONFIG_SPACE_H
#define OCTANT_CONFIG_SPACE_H

#include "agent/cell_pieces.h"
#include "agent/history.h"
#include "octant/components.h"
#include "octant/tree.h"

#define PART_NONE UINT32_MAX
#define PART_DOORS_MAX 4

// A connected part of space.
typedef struct space_part {
    uint32_t doors[PART_DOORS_MAX]; // of the history, from 0: all must be out of the way
    uint32_t door_count;            // 0 = a part that no door closes
} space_part;

// A cell that only doors close.
typedef struct door_cell {
    oct_vec cell;
    uint32_t part;
    space_part by;
} door_cell;

// A free piece of a cell that is partly solid.
typedef struct cell_strip {
    oct_vec cell;
    uint32_t piece;
} cell_strip;

// A door near to something, by the number of the history, and its box in the frame that is asked
// in.
typedef struct near_door {
    uint32_t door;
    oct_bounds box;
} near_door;

// Something to be got at, in a frame of the walls: along ways from `box` that stay within `reach`
// metres of `within`.
typedef struct space_aim {
    uint32_t frame;
    oct_bounds box, within;
    double reach;
} space_aim;

typedef struct part_link {
    uint32_t a, b;
} part_link;

// What is in the way while some doors are shut, and what it fills. Made when it is first asked for.
typedef struct space_fill {
    uint8_t *free;     // of doors: in nobody's way; NULL = it was not made
    size_t doors;      // bytes of it
    solid_list solids; // what is in the way
    oct_tree *solid;   // BLOCKED: cells wholly inside of it
    oct_tree *filled;  // BLOCKED: cells whose middle is
    piece_index index; // of the same, where it is upright
} space_fill;

#define SPACE_FILLS 4 // that are kept
struct walk_limits;   // walk_space.h

typedef struct config_space {
    oct_allocator allocator;
    const oct_history *history;
    double radius;          // of the ball, metres
    bool is_on_foot;        // it is closed where nobody gets on foot
    solid_list walls;       // what is told, and doors
    oct_tree *solid;        // BLOCKED: cells wholly inside something told
    oct_array indices;      // of piece_index: of the walls, by frame
    oct_tree *closed;       // BLOCKED: cells where the ball cannot be, whatever doors do
    oct_tree *shut;         // the same with all doors in the way
    oct_components *free;   // of `shut`, UNKNOWN being free
    oct_box bounds;         // cells; the world ends there
    oct_array parts;        // of space_part
    oct_array links;        // of part_link
    oct_array beside;       // of uint32_t: where the list of each part begins, then the lists
    oct_array flooded;      // of uint32_t: parts, in the flood under way
    key_table linked;       // pairs of parts that have a link
    key_table by_component; // parts that no door closes
    key_table door_cells;   // indices of cells
    oct_array cells;        // of door_cell
    key_table visited;      // of cells, in the search under way
    oct_array queue;        // of oct_vec
    oct_array strips;       // of cell_strip
    oct_array near;         // of near_door, not met yet in the search under way
    space_fill fills[SPACE_FILLS];
    size_t fill; // that is made next, when none is right
} config_space;

// Looks at a history on the lattice of a map. Beyond `bounds` nothing is. With limits it is closed
// where nobody gets on foot, if that can be told. On failure it is empty.
oct_result oct_config_space_make(config_space *s, const oct_history *history,
                                 const oct_tree *lattice, const oct_bounds *bounds,
                                 const struct walk_limits *limits, const oct_allocator *allocator);
void oct_config_space_free(config_space *s);

// The part that a point is in; it gets one if it has none yet. PART_NONE where it is closed.
oct_result oct_config_space_enter(config_space *s, oct_point at, uint32_t *part);

// The part of a cell; PART_NONE where it is closed, or where nobody was entered and no door leads.
uint32_t oct_config_space_part(const config_space *s, oct_vec cell);

// Something of the history, or a box of axes that are turned about the world's origin, to be got at
// from `reach` metres beyond it.
space_aim oct_config_space_aim_at(const config_space *s, const oct_entity *entity, double reach);
space_aim oct_config_space_aim(const config_space *s, const double turn[4], const oct_bounds *box,
                               const oct_bounds *within, double reach);

typedef void oct_part_fn(void *ctx, uint32_t part);

// Calls back with the parts from which something can be touched: those that a way from a box may
// come from, without crossing something solid, that stays within `reach` metres of another box. A
// way through a doorway comes from the parts of its door: who is beyond can be there as well.
oct_result oct_config_space_around(config_space *s, const space_aim *aim, oct_part_fn *visit,
                                   void *ctx);

// Sets reached[part] for all parts that can be reached from those that are set, through parts whose
// doors are all among the free ones (free[door] != 0).
void oct_config_space_flood(const config_space *s, const uint8_t *free, uint8_t *reached);

// Places that were not in sight, some way apart from each other: those nearest to a point first.
#define UNSEEN_MAX 32
typedef struct unseen_places {
    oct_point at[UNSEEN_MAX];
    size_t count;    // 0 = everything was
    bool has_hidden; // but something was told that nobody saw, and there is no place to see it at
} unseen_places;

// Looks for places that were in sight of nobody, of all that a body in the reached parts may touch
// within `reach` metres, doors that are not free being shut. Sight is decided in the middles of
// cells: where these are filled, something may hide beside them that holds no middle of its own. A
// game tells what is in range, in sight or not. So such places must have been in range, and what
// was told and not seen must not be within reach there.
oct_result oct_config_space_find_unseen(config_space *s, const uint8_t *free,
                                        const uint8_t *reached, double reach, oct_point near,
                                        unseen_places *out);

// ---- for its files ----

// Something told that stays where it is; of a door its leaf, as it is while it is told to be shut.
bool oct_history_stays(const history_thing *thing);
// Lists what is solid and stays, and doors that are not free (NULL = none is in the way), joined
// across seams. The list is begun.
oct_result oct_config_space_list(const config_space *s, const uint8_t *free, solid_list *list);
// What fills space while the doors that are not free are shut. It is the space's, and good until
// another one is asked for.
oct_result oct_config_space_fill(config_space *s, const uint8_t *free, space_fill **out);
void oct_space_fill_free(space_fill *fill, const oct_allocator *allocator);

// The cells whose middle is in something solid that stays, BLOCKED in a tree on the same lattice.
oct_result oct_config_space_filled(const config_space *s, oct_tree **out);
// Whether a cell was in range of a look: then all that is there was told. Where there is no log
// nothing was told at all. `last` is the look that had the last one, which is tried first.
bool oct_config_space_was_in_range(const config_space *s, oct_vec cell, size_t *last);
// A tree on the same lattice in which nothing is known.
oct_result oct_config_space_tree(const config_space *s, const oct_tree *lattice, oct_tree **out);

#endif
