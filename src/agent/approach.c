// SPDX-License-Identifier: MIT
#include "agent/approach.h"
#include "agent/doorway.h"
#include "agent/hand.h"
#include "agent/shape_parts.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>

// How often places are tried beside the way straight out from a face, and how far apart, metres.
#define SHIFTS 2
#define SHIFT (APPROACH_BESIDE / SHIFTS)
// Doors near an entity that are thought of as open, to find places in doorways.
#define DOORS_NEAR_MAX 16
// What only touches a line, metres.
#define TOUCH 1e-3

static double less(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static const char *const side_names[] = {"front", "back", "left", "right", "top", "bottom", "any"};
_Static_assert(sizeof side_names / sizeof *side_names == OCT_SIDE_ANY + 1, "one each");

const char *oct_approach_side_name(oct_side side)
{
    return (unsigned)side <= OCT_SIDE_ANY ? side_names[side] : NULL;
}

oct_point oct_known_centre(const oct_known *k)
{
    const oct_bounds *const box = &k->now.thing.box;
    return point_scale(point_add(box->min, box->max), 0.5);
}

oct_side oct_side_by_hand(const oct_game_info *info, oct_side side)
{
    return !info->left_handed       ? side
           : side == OCT_SIDE_LEFT  ? OCT_SIDE_RIGHT
           : side == OCT_SIDE_RIGHT ? OCT_SIDE_LEFT
                                    : side;
}

oct_point oct_known_face(const oct_known *k, oct_side side, oct_point *normal)
{
    const oct_point forward = k->now.forward, up = k->now.up, right = point_cross(forward, up);
    const oct_point normals[] = {
        forward, point_scale(forward, -1.0), point_scale(right, -1.0), right,
        up,      point_scale(up, -1.0)};
    const oct_bounds *const box = &k->now.thing.box;
    const oct_point half = point_scale(point_sub(box->max, box->min), 0.5);
    *normal = normals[side];
    double out = fabs(normal->x) * half.x + fabs(normal->y) * half.y + fabs(normal->z) * half.z;
    if (k->now.shape.count > 0) {
        const oct_thing thing = oct_entity_thing(&k->now);
        out = oct_thing_along(&thing, *normal) - point_dot(oct_known_centre(k), *normal);
    }
    return point_add(oct_known_centre(k), point_scale(*normal, out));
}

// The world as it is, or as it would be if some doors stood open.
typedef struct supposed {
    const oct_agent *agent;
    uint64_t doors[DOORS_NEAR_MAX];
    size_t count; // 0 = as it is
} supposed;

static oct_label label_of(const supposed *s, const oct_thing *thing)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->doors[i] == thing->id) {
            return OCT_OPEN;
        }
    }
    return (oct_label)thing->label;
}

static oct_label label_at(const supposed *s, oct_point at)
{
    const navigator *const n = &s->agent->navigator;
    return s->count > 0 ? n->kind->label_if(n->self, at) : n->kind->label(n->self, at);
}

// A straight line that things may cross.
typedef struct line {
    const supposed *supposed;
    uint64_t but, nor; // not these
    oct_point from, to;
} line;

static bool is_off_box(const oct_bounds *box, oct_point begin, oct_point end)
{
    const double from[3] = {begin.x, begin.y, begin.z}, to[3] = {end.x, end.y, end.z};
    const double lo[3] = {box->min.x, box->min.y, box->min.z};
    const double hi[3] = {box->max.x, box->max.y, box->max.z};
    double first = 0.0, last = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = to[axis] - from[axis];
        if (fabs(way) < TOUCH) {
            if (from[axis] < lo[axis] + TOUCH || from[axis] > hi[axis] - TOUCH) {
                return true;
            }
            continue;
        }
        const double a = (lo[axis] + TOUCH - from[axis]) / way;
        const double b = (hi[axis] - TOUCH - from[axis]) / way;
        first = greater(first, less(a, b));
        last = less(last, greater(a, b));
    }
    return first >= last;
}

static bool is_off(const oct_thing *thing, const line *l)
{
    bool is = true;
    for (size_t i = 0; i < oct_thing_parts(thing) && is; i++) {
        oct_point from = l->from, to = l->to;
        const oct_bounds box = oct_thing_part(thing, i, &from, &to);
        is = is_off_box(&box, from, to);
    }
    return is;
}

static bool leaves_free(void *ctx, const oct_thing *thing)
{
    const line *const l = ctx;
    return thing->id == l->but || thing->id == l->nor ||
           label_of(l->supposed, thing) != OCT_BLOCKED || is_off(thing, l);
}

// Whether nothing else stands between a face and a place before it.
static bool is_free(const supposed *s, uint64_t but, uint64_t nor, oct_point from, oct_point to)
{
    const oct_map *const map = oct_belief_map(s->agent->belief);
    line l = {s, but, nor, from, to};
    const oct_bounds box = {{less(from.x, to.x), less(from.y, to.y), less(from.z, to.z)},
                            {greater(from.x, to.x), greater(from.y, to.y), greater(from.z, to.z)}};
    return oct_map_things_in(map, oct_map_cover(map, box), leaves_free, &l);
}

oct_point oct_known_nearest(const oct_known *k, oct_point at)
{
    const oct_thing thing = oct_entity_thing(&k->now);
    return oct_thing_nearest(&thing, at);
}

double oct_known_distance(const oct_known *k, oct_point at)
{
    return point_length(point_sub(at, oct_known_nearest(k, at)));
}

bool oct_known_is_free(const oct_agent *a, const oct_known *k, oct_point at, uint64_t but)
{
    const supposed as_it_is = {.agent = a};
    return is_free(&as_it_is, k->now.thing.id, but, oct_known_nearest(k, at), at);
}

// Whether a body uses a thing from a place: an eye that is elsewhere needs a free line of its own.
static bool is_at_hand(const supposed *s, const oct_known *k, oct_point at)
{
    const oct_point eye = oct_hand_eye(s->agent, at);
    const uint64_t id = k->now.thing.id;
    return oct_hand_reaches(s->agent, k, at) &&
           (point_length(point_sub(eye, at)) < TOUCH ||
            is_free(s, id, id, oct_known_nearest(k, eye), eye));
}

// How far from a face places are tried.
typedef struct approach_range {
    double most;
    bool is_hand; // and only from where the hand reaches
} approach_range;

// The nearest place straight out from a point of a face.
static approach stand_before(const supposed *s, const oct_known *k, oct_point face,
                             oct_point normal, approach_range range, oct_point *out)
{
    const uint64_t id = k->now.thing.id;
    const oct_map *const map = oct_belief_map(s->agent->belief);
    const double step = oct_tree_cell_size(oct_map_tree(map)) / 4.0;
    approach best = APPROACH_NONE;
    for (double away = oct_map_padding(map).x; away <= range.most && best != APPROACH_OPEN;
         away += step) {
        const oct_point out_there = point_add(face, point_scale(normal, away));
        const oct_point at = navigator_stand(&s->agent->navigator, out_there, range.most);
        oct_vec cell;
        if (!oct_tree_cell_at(oct_map_tree(map), at, &cell)) {
            break;
        }
        const oct_label label = label_at(s, at);
        if (label == OCT_BLOCKED || (label == OCT_UNKNOWN && best != APPROACH_NONE)) {
            continue;
        }
        if (point_length(point_sub(at, face)) > range.most + TOUCH) {
            continue;
        }
        if (!is_free(s, id, id, face, at)) {
            break;
        }
        if (range.is_hand && !is_at_hand(s, k, at)) {
            continue;
        }
        *out = at;
        best = label == OCT_OPEN ? APPROACH_OPEN : APPROACH_UNKNOWN;
    }
    return best;
}

static approach stand_in(const supposed *s, const oct_known *k, oct_side side, double asked,
                         oct_point *out)
{
    const bool is_hand = asked == APPROACH_HAND;
    const double most = is_hand ? oct_hand_most(s->agent) : asked;
    oct_point normal;
    const oct_point face = oct_known_face(k, side, &normal);
    approach best = stand_before(s, k, face, normal, (approach_range){most, is_hand}, out);
    const double metre = agent_metre(s->agent);
    // A low block has no room for a body straight before it: above or beside that there may be.
    const oct_point up = k->now.up, forward = k->now.forward, right = point_cross(forward, up);
    const oct_point ways[] = {up, right, forward};
    for (int i = 1; i <= 2 * SHIFTS * 3 && best == APPROACH_NONE; i++) {
        const oct_point way = ways[(i - 1) / 2 % 3];
        const double by = SHIFT * metre * ((i - 1) / 6 + 1) * (i % 2 ? 1.0 : -1.0);
        if (fabs(point_dot(way, normal)) < 0.5 && most > fabs(by)) {
            const oct_point from = point_add(face, point_scale(way, by));
            const approach_range left = {sqrt(most * most - by * by), is_hand};
            best = stand_before(s, k, from, normal, left, out);
        }
    }
    return best;
}

approach oct_approach_side(const oct_agent *a, const oct_known *k, oct_side side, double most,
                           oct_point *out)
{
    const supposed as_it_is = {.agent = a};
    return stand_in(&as_it_is, k, oct_side_by_hand(oct_belief_info(a->belief), side), most, out);
}

static bool is_within(const oct_bounds *a, const oct_bounds *b, double most)
{
    return a->min.x - b->max.x <= most && b->min.x - a->max.x <= most &&
           a->min.y - b->max.y <= most && b->min.y - a->max.y <= most &&
           a->min.z - b->max.z <= most && b->min.z - a->max.z <= most;
}

// The world as it would be if the doors near an entity stood open; as it is where they do, there
// are none, or nobody can tell.
static oct_result open_doors(const oct_agent *a, const oct_known *near, double most, supposed *out)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const oct_links *const links = oct_belief_links(a->belief);
    *out = (supposed){.agent = a};
    for (uint32_t i = 0; i < oct_links_doors(links) && out->count < DOORS_NEAR_MAX; i++) {
        oct_thing door;
        if (oct_map_thing(map, oct_links_door(links, i), &door) && door.label != OCT_OPEN &&
            is_within(&door.box, &near->now.thing.box, most)) {
            out->doors[out->count++] = door.id;
        }
    }
    bool can;
    OCT_TRY(a->navigator.kind->suppose_open(a->navigator.self, out->doors, out->count, &can));
    out->count = can ? out->count : 0;
    return OCT_OK;
}

static uint32_t find_stands(const supposed *s, const oct_known *k, uint32_t sides, double most,
                            oct_point *out)
{
    uint32_t found = 0;
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        if (sides >> side & 1 && stand_in(s, k, side, most, &out[side]) != APPROACH_NONE) {
            found |= 1u << side;
        }
    }
    return found;
}

oct_result oct_approach_all(oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out, uint32_t *found)
{
    const supposed as_it_is = {.agent = a};
    *found = find_stands(&as_it_is, k, sides, most, out);
    if (*found == sides) {
        return OCT_OK;
    }
    supposed open;
    const double far = most == APPROACH_HAND ? oct_hand_most(a) : most;
    const oct_result result = open_doors(a, k, far, &open);
    // Doors too large to be thought about stay as they are.
    if (result != OCT_OK) {
        return result == OCT_ERROR_RANGE ? OCT_OK : result;
    }
    if (open.count > 0) {
        *found |= find_stands(&open, k, sides & ~*found, most, out);
    }
    return OCT_OK;
}
