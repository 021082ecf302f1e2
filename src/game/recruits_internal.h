// SPDX-License-Identifier: MIT
// What the parts of the lab world share: its state.
//
// Walls, floors and ramps are flags of cells. Everything else but agents is one of `things`, found
// through the columns of cells that its box touches; those that walk by themselves are in a list
// besides. A tick costs the agents, the doors that swing and those who walk, not the level.
// Nothing is allocated in a tick but paths, which grow rarely.
#ifndef OCTANT_RECRUITS_INTERNAL_H
#define OCTANT_RECRUITS_INTERNAL_H

#include "base/base_internal.h"
#include "base/hash.h"
#include "geom/geom_internal.h"
#include "octant/recruits_world.h"
#include "octant/surface_path.h"

#define RECRUITS_NONE UINT32_MAX

// Of cells.
#define CELL_FLOOR 1u
#define CELL_WALL 2u
#define CELL_RAMP 4u
#define CELL_TURN_SHIFT 4 // the ramp's quarter turns

#define FLOOR_HEIGHT 0.001 // of a floor above its sheet, metres
#define SKIN 0.0001        // how far above the ground feet rest
#define SWING_TICKS 50     // that a door takes to open or to close
#define COOLDOWN_TICKS 25  // after which a button can be pressed again
#define MOODS_MAX 16       // bytes of a mood
#define EVENTS_MAX 32      // of one agent that wait to be told

typedef struct recruits_thing {
    const char *id;
    oct_point origin;               // the middle of its cell's bottom; of who walks: where it is
    oct_bounds box;                 // of its collider: of a door that is shut
    uint64_t pressed;               // the tick of the last press, and 1; 0 = never
    uint64_t touched;               // the tick in which an agent last walked onto it, and 1
    uint32_t trigger;               // number among triggers; NONE
    uint32_t stamp;                 // of the question that met it last
    uint32_t swinging;              // where in the list of doors that move; NONE
    uint32_t effects, effect_count; // things that a press acts on
    uint16_t swing;                 // of a door: ticks towards open
    uint8_t kind;                   // oct_recruits_kind
    uint8_t turn;
    bool is_on; // a button that is on, a door that is open or opens, an enemy that is active
    bool begins_on;
    bool has_colour;
    uint8_t colour[3];
    uint32_t mixed[3]; // of a screen: sum of the colours of its buttons that are on, of 255
    char colour_text[24];
    oct_property props[2];
    oct_piece piece; // of a door that swings
} recruits_thing;

// Who walks by itself: an enemy or another character.
typedef struct recruits_actor {
    uint32_t thing;
    uint32_t waypoints, waypoint_count, next_waypoint; // of a character
    uint32_t point, point_count;                       // of the path that it walks
    oct_array points;                                  // oct_point
    oct_point goal;                                    // of that path
    oct_point home;
    oct_point velocity; // m/s
    uint64_t plans_at;  // the tick in which it plans anew
    uint64_t waits_until;
    uint32_t hits;
} recruits_actor;

typedef struct recruits_event {
    oct_event event;
    char text[48];
} recruits_event;

enum { AGENT_SCORE, AGENT_MOOD, AGENT_PROPS };

typedef struct recruits_agent {
    const char *id;
    oct_point home;
    oct_point feet, velocity;
    double yaw_x, yaw_z; // forward
    oct_point target;    // where it goes by itself
    oct_point move;      // in its own frame: right, up, back; a share of the speed
    double turning;      // share of the turning rate
    uint64_t bumps;
    int32_t health, score;
    uint32_t ticks; // of the movement under way
    uint32_t event_count, event_start;
    bool has_target, jumps, stands, won;
    char mood[MOODS_MAX];
    oct_property props[AGENT_PROPS];
    recruits_event events[EVENTS_MAX];
} recruits_agent;

// Lists of numbers by column: those of column i are first[i] to first[i + 1].
typedef struct column_lists {
    uint32_t *first;
    uint32_t *items;
    uint32_t count; // of items
} column_lists;

// The mesh to walk on (recruits_mesh.c).
typedef struct recruits_mesh {
    oct_array points;    // oct_point
    oct_array triangles; // uint32_t, three each
} recruits_mesh;

typedef struct recruits_world {
    oct_game game; // first
    oct_allocator allocator;
    oct_game_info info;
    oct_player_body body;
    oct_recruits_level *level;
    oct_recruits_world_def def;
    uint32_t width, depth, sheets, columns;
    uint8_t *cells;     // width * depth * sheets
    oct_array things;   // recruits_thing
    oct_array agents;   // recruits_agent
    oct_array actors;   // recruits_actor
    oct_array effects;  // uint32_t: things
    oct_array swinging; // uint32_t: doors that move; room for all
    column_lists near;  // things
    uint32_t triggers;
    uint8_t *inside;  // bit agent * triggers + trigger: it is in there
    uint8_t *walked;  // it was there before
    uint8_t *pressed; // it has turned it on before
    size_t bit_bytes; // of each of the three
    recruits_mesh mesh;
    column_lists vertices; // of the mesh
    oct_surface *surface;  // for who walks by itself; NULL where nobody does
    oct_surface_planner *planner;
    oct_array scenery;  // oct_scenery_part
    oct_array pieces;   // oct_piece: of the scenery
    oct_array corners;  // oct_point: of ramps
    oct_array entities; // oct_entity; room for all
    oct_array found;    // uint32_t: things near; room for all
    oct_array told;     // oct_event; room for all
    uint32_t stamp;
    uint64_t tick;
} recruits_world;

// ---- access ----

OCT_FORCE_INLINE recruits_thing *thing_at(const recruits_world *g, uint32_t i)
{
    return (recruits_thing *)g->things.items + i;
}

OCT_FORCE_INLINE recruits_agent *agent_at(const recruits_world *g, uint32_t i)
{
    return (recruits_agent *)g->agents.items + i;
}

OCT_FORCE_INLINE recruits_actor *actor_at(const recruits_world *g, uint32_t i)
{
    return (recruits_actor *)g->actors.items + i;
}

OCT_FORCE_INLINE uint64_t agent_number(uint32_t agent)
{
    return (uint64_t)agent + 1;
}

OCT_FORCE_INLINE uint64_t thing_number(const recruits_world *g, uint32_t thing)
{
    return g->agents.count + 1 + (uint64_t)thing;
}

// The flags of a cell; 0 outside.
OCT_FORCE_INLINE uint8_t cell_at(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    const bool is_inside =
        (uint32_t)x < g->width && (uint32_t)y < g->sheets && (uint32_t)z < g->depth;
    return is_inside ? g->cells[((uint32_t)y * g->depth + (uint32_t)z) * g->width + (uint32_t)x]
                     : (uint8_t)0;
}

// The way that a letter names: w -x, s +z, e +x, n -z.
OCT_FORCE_INLINE int32_t turn_x(uint32_t turn)
{
    return turn == 2 ? 1 : turn == 0 ? -1 : 0;
}

OCT_FORCE_INLINE int32_t turn_z(uint32_t turn)
{
    return turn == 1 ? 1 : turn == 3 ? -1 : 0;
}

// How high a ramp's surface is above its sheet at a place of its cell, from its middle.
OCT_FORCE_INLINE double ramp_height(uint32_t turn, double x, double z)
{
    return 0.5 + turn_x(turn) * x + turn_z(turn) * z;
}

// The columns of cells that a stretch of an axis touches, within the level.
OCT_FORCE_INLINE int32_t column_low(double at)
{
    const int32_t c = axis_floor(at + 0.5);
    return c < 0 ? 0 : c;
}

OCT_FORCE_INLINE int32_t column_high(double at, uint32_t size)
{
    const int32_t c = axis_floor(at + 0.5);
    return c >= (int32_t)size ? (int32_t)size - 1 : c;
}

OCT_FORCE_INLINE bool is_button(const recruits_thing *t)
{
    return t->kind == OCT_RECRUITS_BUTTON || t->kind == OCT_RECRUITS_COLOUR_BUTTON;
}

OCT_FORCE_INLINE bool is_actor(const recruits_thing *t)
{
    return t->kind == OCT_RECRUITS_ENEMY || t->kind == OCT_RECRUITS_NPC;
}

// What bodies collide with.
OCT_FORCE_INLINE bool is_solid(const recruits_thing *t)
{
    return t->kind == OCT_RECRUITS_DOOR || t->kind == OCT_RECRUITS_SCREEN || is_actor(t) ||
           t->kind >= OCT_RECRUITS_CHAIR;
}

// ---- recruits_make.c ----

oct_result oct_recruits_make(recruits_world *g);
void oct_recruits_begin(recruits_world *g); // a new life
// What is true of every level, of the game and of its agents.
void oct_recruits_describe(const oct_recruits_world_def *def, oct_game_info *info,
                           oct_player_body *body);
// Lists of what touches which column; `boxes` of `count` things.
oct_result oct_recruits_list_columns(recruits_world *g, uint32_t count,
                                     oct_bounds (*box_of)(const recruits_world *g, uint32_t i),
                                     bool (*is_listed)(const recruits_world *g, uint32_t i),
                                     column_lists *out);

// ---- recruits_shapes.c: what things fill ----

// A box that is turned around the upright axis.
typedef struct turned_box {
    double x, z; // its middle
    double half_x, half_z;
    double cosine, sine; // of its own x axis: (cosine, sine) in x and z
    double bottom, top;
} turned_box;

oct_bounds oct_recruits_collider(uint32_t kind, uint32_t turn, oct_point origin);
turned_box oct_recruits_box_of(const recruits_thing *t);
// The signed size of the first collider along the axes, as the game tells it.
oct_point oct_recruits_signed_size(const recruits_thing *t);
oct_bounds oct_recruits_bounds_of(const recruits_thing *t);

// ---- recruits_move.c ----

void oct_recruits_move_agent(recruits_world *g, uint32_t who);

// ---- recruits_sight.c ----

enum { SIGHT_OBJECTS, SIGHT_MESH };
// Whether something stands between two points: for objects everything but fires, triggers too; for
// the mesh floors, walls, furniture, doors and screens. `agent` never hides anything.
bool oct_recruits_is_hidden(const recruits_world *g, oct_point from, oct_point to, int what,
                            uint32_t agent);
// Whether the game shows a thing, another agent, or a vertex of the mesh to an agent.
bool oct_recruits_sees_thing(const recruits_world *g, uint32_t who, uint32_t thing);
bool oct_recruits_sees_agent(const recruits_world *g, uint32_t who, uint32_t other);
bool oct_recruits_sees_vertex(const recruits_world *g, uint32_t who, oct_point vertex);
oct_point oct_recruits_eye(const recruits_agent *a);
// How far a point is from a box.
double oct_recruits_distance(oct_point at, const oct_bounds *box);

// ---- recruits_rules.c ----

typedef enum press_result { PRESS_DONE, PRESS_TOO_FAR, PRESS_TOO_SOON } press_result;
press_result oct_recruits_press(recruits_world *g, uint32_t who, uint32_t thing);
// What an agent walks into and out of.
void oct_recruits_touch(recruits_world *g, uint32_t who);
void oct_recruits_hurt(recruits_world *g, uint32_t who, int32_t health, uint64_t by,
                       const char *mood);
OCT_FORMAT(5, 6)
void oct_recruits_tell(recruits_world *g, uint32_t who, const char *what, uint64_t id,
                       const char *format, ...);
void oct_recruits_swing_doors(recruits_world *g);
oct_over oct_recruits_over(const recruits_world *g);

// ---- recruits_actors.c ----

oct_result oct_recruits_move_actors(recruits_world *g);

// ---- recruits_mesh.c ----

oct_result oct_recruits_make_mesh(recruits_world *g);

// ---- recruits_observe.c ----

oct_result oct_recruits_observe(recruits_world *g, uint32_t who, oct_observation *out);
void oct_recruits_self(recruits_world *g, uint32_t who, oct_self *out);
// What is told of a thing, of an agent by others, and of an agent by itself.
void oct_recruits_entity(recruits_thing *t, uint64_t id, oct_entity *e);
oct_entity oct_recruits_agent_entity(const recruits_agent *a, uint64_t id);
void oct_recruits_agent_self(recruits_agent *a, uint64_t id, uint64_t tick, oct_self *out);
// The things within the view of an eye, by number, into `found`.
void oct_recruits_find_things(recruits_world *g, oct_point eye);
oct_result oct_recruits_make_scenery(recruits_world *g);

// ---- recruits_world.c: what the server of the game's own protocol asks ----

// The lab world behind an interface, or NULL for another game.
recruits_world *oct_recruits_inside(oct_game *game);
// The agent of a name; NONE where there is none.
uint32_t oct_recruits_agent_of(const recruits_world *g, const char *id);
// The first thing of a name.
uint32_t oct_recruits_thing_of(const recruits_world *g, const char *id);
void oct_recruits_go(recruits_world *g, uint32_t who, oct_point target, bool jumps);

#endif
