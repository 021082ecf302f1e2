// SPDX-License-Identifier: MIT
// What the files of the checker of proofs share.
//
// Everything here is found again from the log. Rules of thumb: what is in doubt counts in favour of
// a way. A proof that needs it the other way round is rejected.
//
// A rejection is the result OCT_ERROR_FORMAT, with the reason set; so OCT_TRY forwards it.
#ifndef OCTANT_PROOF_INTERNAL_H
#define OCTANT_PROOF_INTERNAL_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "geom/convex.h"
#include "octant/proof_check.h"

#define PROOF_NONE UINT32_MAX

// What looks and actions may be late by, ticks.
#define PROOF_SLACK 60u

// Everything that was told under one id.
typedef struct told_thing {
    uint64_t id;
    uint32_t version; // the first, of the log's things
    uint32_t buttons; // the most that any version has
    bool is_door, is_player;
    bool stays;   // it is always where it was told first
    bool carries; // it moves, and may hide what moves with it
} told_thing;

typedef struct told_press {
    uint64_t tick;
    uint32_t life;
    oct_button button;
} told_press;

// How a door was told at a look.
typedef struct told_pose {
    uint64_t tick;
    double opening;
    uint32_t life;
    bool is_held; // a body may have been in its way
} told_pose;

// Axes that boxes have in common. Coordinates in it are along these from the world's origin.
#define PROOF_UPRIGHT 0u
typedef struct proof_frame {
    oct_point axes[3]; // of unit length
} proof_frame;

// Something convex that was told.
typedef struct proof_body {
    oct_bounds box;         // upright, holds it
    uint32_t frame;         // of a box; PROOF_NONE for what is none
    oct_bounds own;         // the box in its frame
    const oct_piece *piece; // of what is no box, and which body of it
    size_t number;
    convex hull; // the same, metres
} proof_body;

typedef struct proof_bodies {
    const proof_body *items;
    size_t count;
} proof_bodies;

// Something to be got at, in a frame: along ways from `box`, at most `reach` metres from `within`.
typedef struct proof_aim {
    uint32_t frame;
    oct_bounds box, within;
    double reach;
} proof_aim;

// From where to where along a way something holds.
typedef struct proof_stretch {
    double from, to;
} proof_stretch;

// Boxes by the buckets of a grid that they touch when grown.
typedef struct box_index {
    double size;       // of a bucket, metres
    key_table buckets; // first node of each
    oct_array nodes;   // of box_node
    oct_array large;   // of uint32_t: boxes that touch too many buckets
} box_index;

typedef struct box_node {
    uint32_t box, next;
} box_node;

// Parts that touch: neighbours[first[part]] up to neighbours[first[part + 1]].
typedef struct part_graph {
    uint32_t *first, *neighbours;
} part_graph;

// Equations over how a door was at the start and which of the pressed buttons toggle it.
typedef struct door_equations {
    uint64_t **rows; // of columns: the row that begins there, or NULL; the value is its last bit
    bool is_odd;     // they contradict each other
} door_equations;

typedef struct proof_check {
    const oct_proof *proof;
    const oct_run_log *log;
    oct_proof_verdict *out;
    oct_arena arena;
    oct_allocator allocator; // of the arena: nothing has to be freed
    oct_allocator base;      // where that comes from
    // Of the description.
    uint32_t denies;
    uint32_t players;
    uint32_t last_life;
    uint64_t settle, slide; // ticks
    double reach;           // of any body, from its centre, metres
    double speed;
    double least, most; // measures of the bodies, metres
    bool walk;          // all of them go on foot alone
    bool toggles;       // every link is a toggle or nothing: promised, and assumed
    // Of what was told.
    told_thing *things;
    size_t thing_count;
    bool has_bodies;      // other players were told
    bool has_others;      // so, or several look, up to the look that is being read
    key_table ids;        // of things
    uint32_t *thing_of;   // of versions
    uint32_t *players_of; // the `who` of each player
    told_press *presses;  // in the order of time
    size_t press_count;
    uint32_t *door_things; // of the proof's doors
    oct_array *poses;      // of the proof's doors: of told_pose
    oct_array frames;      // of proof_frame; the first is upright
    oct_array bodies;      // of proof_body
    uint32_t *body_of;     // of versions: the first of each, and where the last ends
    // Of space.
    double limit;     // a ball whose centre is so near to something solid touches it
    oct_array solids; // of uint32_t: bodies
    box_index solid_index;
    oct_box bounds; // cells; beyond there is nothing
    key_table leaf_index;
    uint64_t levels; // bits: those that leaves have
    oct_array exits; // on foot: of oct_vec, cells beside what is reached where the ball could go on
    part_graph graph;
    bool leaves_by_door; // CUT: a door that is not free lies between parts
    // Of contacts, [button * part_count + part].
    uint8_t *contacts;
    uint8_t *can_press;      // of buttons: from somewhere, with all free doors open
    uint8_t *beside;         // STATES: [door * part_count + part]: from where a door is got at
    uint8_t *is_met;         // STATES: of doors: passable while a body may get at it
    uint8_t *target_parts;   // from which the target can be got at
    bool target_needs_doors; // shut doors keep it from being got at
    // Of links.
    oct_array pressed; // of oct_button: each that was pressed, once
    door_equations *equations;
    uint8_t *effects;         // [button * door_count + door]
    uint8_t *pressed_effects; // of those that were pressed on one door
    uint8_t *is_loose;
    uint8_t *at_start;
} proof_check;

OCT_FORMAT(2, 3)
oct_result oct_proof_reject(proof_check *c, const char *format, ...);

// Zeroed memory that stays until the end, or NULL.
void *oct_proof_alloc(proof_check *c, size_t count, size_t size);

// ---- geometry ----

static inline double proof_beyond(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static inline double proof_point_distance2(oct_point p, const oct_bounds *b)
{
    const double x = proof_beyond(p.x, b->min.x, b->max.x);
    const double y = proof_beyond(p.y, b->min.y, b->max.y);
    const double z = proof_beyond(p.z, b->min.z, b->max.z);
    return x * x + y * y + z * z;
}

static inline double proof_apart(double a_lo, double a_hi, double b_lo, double b_hi)
{
    return a_lo > b_hi ? a_lo - b_hi : b_lo > a_hi ? b_lo - a_hi : 0.0;
}

static inline double proof_box_distance2(const oct_bounds *a, const oct_bounds *b)
{
    const double x = proof_apart(a->min.x, a->max.x, b->min.x, b->max.x);
    const double y = proof_apart(a->min.y, a->max.y, b->min.y, b->max.y);
    const double z = proof_apart(a->min.z, a->max.z, b->min.z, b->max.z);
    return x * x + y * y + z * z;
}

static inline oct_bounds proof_grown(const oct_bounds *b, double by)
{
    return (oct_bounds){{b->min.x - by, b->min.y - by, b->min.z - by},
                        {b->max.x + by, b->max.y + by, b->max.z + by}};
}

// The box of some cells, metres.
static inline oct_bounds proof_cells(const oct_proof *p, oct_vec at, int32_t x, int32_t y,
                                     int32_t z)
{
    const double s = p->cell_size;
    return (oct_bounds){{p->origin.x + at.x * s, p->origin.y + at.y * s, p->origin.z + at.z * s},
                        {p->origin.x + ((double)at.x + x) * s, p->origin.y + ((double)at.y + y) * s,
                         p->origin.z + ((double)at.z + z) * s}};
}

static inline oct_point proof_middle(const oct_bounds *b)
{
    return (oct_point){(b->min.x + b->max.x) / 2, (b->min.y + b->max.y) / 2,
                       (b->min.z + b->max.z) / 2};
}

// The first cell of a leaf.
static inline oct_vec proof_leaf_at(const oct_proof_leaf *l)
{
    const int32_t edge = (int32_t)1 << l->level;
    return (oct_vec){l->at.x * edge, l->at.y * edge, l->at.z * edge};
}

static inline bool proof_is_within(const oct_box *b, oct_vec c)
{
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z;
}

// ---- proof_form.c: nothing is out of range ----

oct_result oct_proof_check_form(proof_check *c);

// ---- proof_told.c: what was told ----

// What each thing was told as at a look: now[thing] is its version + 1, or 0.
typedef oct_result told_look_fn(void *ctx, const oct_log_look *look, const uint32_t *now);

oct_result oct_proof_read_log(proof_check *c);
oct_result oct_proof_replay(proof_check *c, told_look_fn *visit, void *ctx);
// Whether a press has changed something that is neither a door nor what was pressed.
oct_result oct_proof_find_changes(proof_check *c, bool *has_changed);
uint32_t oct_proof_find_thing(const proof_check *c, uint64_t id);
const oct_entity *oct_proof_entity(const proof_check *c, uint32_t thing);
// A door that stays and of which something is claimed.
bool oct_proof_door_holds(const proof_check *c, uint32_t door);
const oct_bounds *oct_proof_door_box(const proof_check *c, uint32_t door);
proof_bodies oct_proof_door_bodies(const proof_check *c, uint32_t door);

// ---- proof_bodies.c: what was told, as it is shaped ----

oct_result oct_proof_make_bodies(proof_check *c);
// Of a version of the log; of a thing as it was told first.
proof_bodies oct_proof_bodies_of(const proof_check *c, uint32_t version);
proof_bodies oct_proof_thing_bodies(const proof_check *c, uint32_t thing);

oct_point oct_proof_into(const proof_check *c, uint32_t frame, oct_point at);
// The box of one frame in another one: the least that holds it.
oct_bounds oct_proof_turned(const proof_check *c, uint32_t from, uint32_t to,
                            const oct_bounds *box);
// A thing, along its own axes if it is one box; and the target as it is claimed.
proof_aim oct_proof_aim_at(const proof_check *c, uint32_t thing, double reach);
proof_aim oct_proof_aim_at_target(const proof_check *c);

// How far a point is from a body, never less; and whether it is in it.
double oct_proof_distance(const proof_check *c, const proof_body *to, oct_point at);
bool oct_proof_holds(const proof_check *c, const proof_body *body, oct_point at);
// Whether every point of an upright box is so near to a body.
bool oct_proof_is_all_near(const proof_check *c, const oct_bounds *b, const proof_body *to,
                           double limit);
// Where the ways from an eye to the points of an upright box meet a body; of a single point
// exactly, else it is more.
proof_stretch oct_proof_meet(const proof_check *c, const proof_body *body, oct_point eye,
                             const oct_bounds *to);
// Whether a body is so near to a straight way that this does not pass it.
bool oct_proof_is_in_way(const proof_check *c, const proof_body *body, oct_point from, oct_point to,
                         double close);
// Whether a box of a frame lies wholly in bodies that are not of that frame.
bool oct_proof_is_covered(const proof_check *c, uint32_t frame, const oct_bounds *box,
                          const proof_body *const *all, size_t count);

// ---- proof_space.c: where the ball may be ----

oct_result oct_proof_check_space(proof_check *c);
// The leaf that holds a cube of cells, or PROOF_NONE.
uint32_t oct_proof_find_leaf(const proof_check *c, oct_vec cell);
// The part of a point, or of one within a millimetre that is reached; PROOF_NONE for none.
uint32_t oct_proof_reached_at(const proof_check *c, oct_point at);
bool oct_proof_is_solid_at(const proof_check *c, oct_point at, double more);
// Whether something solid is so near to a straight way between cells that this does not pass it.
bool oct_proof_solid_is_in_way(const proof_check *c, oct_point from, oct_point to, double close);

// ---- proof_foot.c: where bodies get on foot ----

oct_result oct_proof_check_feet(proof_check *c);

// ---- proof_contact.c: what can be got at from where ----

oct_result oct_proof_find_contacts(proof_check *c);

// How far from a body something may be that has to have been seen, metres.
double oct_proof_reach(const proof_check *c);
// STATES: finds from which parts each door can be got at.
oct_result oct_proof_find_beside(proof_check *c);
// Whether something can be got at from a part that is reached.
oct_result oct_proof_is_got_at(proof_check *c, const proof_aim *aim, bool *is);

// ---- proof_effects.c: what presses may do ----

oct_result oct_proof_check_effects(proof_check *c);
// Whether the start (if asked) and the links of some buttons of the proof, added up, are certain.
bool oct_proof_sum(const proof_check *c, uint32_t door, bool with_start, uint64_t buttons,
                   bool *value);

// ---- proof_states.c: the closure of the states ----

oct_result oct_proof_check_states(proof_check *c);

// ---- proof_sight.c: what was in sight ----

oct_result oct_proof_check_seen(proof_check *c);

// The same, one cell after the other: whether it was in sight, or all that fills it was told.
struct sight_search;
oct_result oct_proof_begin_sight(proof_check *c, struct sight_search **out);
bool oct_proof_has_seen(struct sight_search *s, oct_vec cell);

#endif
