// SPDX-License-Identifier: MIT
#include "agent/lookout.h"
#include "agent/approach.h"
#include "agent/belief_internal.h"
#include "agent/doorway.h"
#include "agent/history.h"
#include "agent/shape_parts.h"
#include "octant/tree.h"

#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <math.h>

// Places are tried on rays from the point, so many cells long, in all directions whose parts are
// whole numbers up to this: what is behind something low is seen from steeply above alone.
#define PART_MAX 3
#define PARTS (2 * PART_MAX + 1)
#define STEPS_MAX 64
// Of a side of a thing so many places are looked at each way.
#define SPOTS 3
// Sight does not pass where things only touch, metres.
#define SKIN 1e-3

typedef struct sightline {
    oct_point from, to;
    uint64_t but, nor; // not these
    double skin;       // that things have, metres
    double until;      // what is met from this part of the way on hides nothing
    sight_hint *hint;
} sightline;

// Whether the segment meets a box, as the map decides what is in sight: a touch hides as well, and
// a box that holds the eye hides nothing.
static bool passes_box(const oct_bounds *b, const sightline *l)
{
    const double from[3] = {l->from.x, l->from.y, l->from.z}, to[3] = {l->to.x, l->to.y, l->to.z};
    const double lo[3] = {b->min.x - l->skin, b->min.y - l->skin, b->min.z - l->skin};
    const double hi[3] = {b->max.x + l->skin, b->max.y + l->skin, b->max.z + l->skin};
    double first = 0.0, last = HUGE_VAL;
    bool holds = true;
    for (int axis = 0; axis < 3; axis++) {
        const double way = to[axis] - from[axis];
        const bool is_level = from[axis] >= lo[axis] && from[axis] <= hi[axis];
        holds = holds && is_level;
        if (way == 0.0 && !is_level) {
            return false;
        }
        if (way == 0.0) {
            continue;
        }
        const double one = (lo[axis] - from[axis]) / way, other = (hi[axis] - from[axis]) / way;
        first = fmax(first, fmin(one, other));
        last = fmin(last, fmax(one, other));
    }
    return !holds && first <= last && first < l->until;
}

static bool passes(const oct_thing *thing, const sightline *l)
{
    bool is = false;
    for (size_t i = 0; i < oct_thing_parts(thing) && !is; i++) {
        sightline own = *l;
        const oct_bounds box = oct_thing_part(thing, i, &own.from, &own.to);
        is = passes_box(&box, &own);
    }
    return is;
}

static bool hides(const oct_thing *thing, const sightline *l)
{
    return thing->opaque && thing->id != l->but && thing->id != l->nor && passes(thing, l);
}

static bool lets_through(void *ctx, const oct_thing *thing)
{
    const sightline *const l = ctx;
    if (!hides(thing, l)) {
        return true;
    }
    *l->hint = (sight_hint){true, *thing};
    return false;
}

static bool sees(const oct_agent *a, sightline l)
{
    if (l.hint->is_set && hides(&l.hint->thing, &l)) {
        return false;
    }
    const oct_map *const map = oct_belief_map(a->belief);
    const oct_bounds box = {
        {fmin(l.from.x, l.to.x), fmin(l.from.y, l.to.y), fmin(l.from.z, l.to.z)},
        {fmax(l.from.x, l.to.x), fmax(l.from.y, l.to.y), fmax(l.from.z, l.to.z)}};
    return oct_map_things_in(map, oct_map_cover(map, box), lets_through, &l);
}

// What a thing is that is one turned box, whose sides are its own; NULL for others.
static const oct_piece *turned_box(const oct_thing *t)
{
    const bool is = t->shape && t->shape->count == 1 && t->shape->pieces[0].kind == OCT_PIECE_OBB;
    return is ? &t->shape->pieces[0] : NULL;
}

// Whether one of the places on a side of a thing is in sight: the side is turned to the eye.
static bool sees_side(const oct_agent *a, oct_point from, const oct_thing *thing,
                      const oct_bounds *b, int axis, bool is_upper, sight_hint *hint)
{
    const oct_piece *const turned = turned_box(thing);
    const double lo[3] = {b->min.x, b->min.y, b->min.z}, hi[3] = {b->max.x, b->max.y, b->max.z};
    const double most = oct_belief_info(a->belief)->view;
    // The middle first: it is in sight most often.
    for (int i = 0; i < SPOTS * SPOTS; i++) {
        const int which = (i + SPOTS * SPOTS / 2) % (SPOTS * SPOTS);
        double at[3];
        for (int k = 1; k < 3; k++) {
            const int other = (axis + k) % 3, part = k == 1 ? which % SPOTS : which / SPOTS;
            at[other] = lo[other] + (hi[other] - lo[other]) * (2 * part + 1) / (2 * SPOTS);
        }
        at[axis] = is_upper ? hi[axis] : lo[axis];
        const oct_point own = {at[0], at[1], at[2]};
        const oct_point to = turned ? oct_piece_world(turned, own) : own;
        if (point_length(point_sub(to, from)) < most - SKIN &&
            sees(a, (sightline){from, to, thing->id, oct_leaf_id(thing->id), SKIN, 1.0, hint})) {
            return true;
        }
    }
    return false;
}

bool oct_lookout_sees(const oct_agent *a, oct_point from, const oct_thing *thing, sight_hint *hint)
{
    oct_point own = from, ignored = from;
    const oct_bounds b = turned_box(thing) ? oct_thing_part(thing, 0, &own, &ignored) : thing->box;
    const double eye[3] = {own.x, own.y, own.z};
    const double lo[3] = {b.min.x, b.min.y, b.min.z}, hi[3] = {b.max.x, b.max.y, b.max.z};
    for (int axis = 0; axis < 3; axis++) {
        const bool is_upper = eye[axis] > hi[axis];
        if ((is_upper || eye[axis] < lo[axis]) &&
            sees_side(a, from, thing, &b, axis, is_upper, hint)) {
            return true;
        }
    }
    return false;
}

bool oct_lookout_is_place(const oct_agent *a, oct_point place)
{
    return navigator_label(&a->navigator, place) == OCT_OPEN &&
           navigator_connects(&a->navigator, agent_self(a)->centre, place);
}

bool oct_lookout_holds(const oct_agent *a, oct_point place, const oct_thing *door)
{
    const body_limits limits = oct_body_limits_of(oct_belief_body(a->belief));
    const oct_observation there = {.self = {.centre = place}};
    return oct_history_is_held(&limits, &there, &(oct_entity){.thing = *door});
}

// Something that is to be seen: a thing, from outside of it, or else a point.
typedef struct sight_aim {
    oct_point at;
    const oct_thing *thing;
} sight_aim;

bool oct_lookout_sees_cell(const oct_agent *a, oct_point from, oct_point middle, sight_hint *hint)
{
    const double half = oct_tree_cell_size(oct_map_tree(oct_belief_map(a->belief))) / 2.0;
    const oct_point way = point_sub(middle, from);
    const double most = fmax(fabs(way.x), fmax(fabs(way.y), fabs(way.z)));
    return most <= half || sees(a, (sightline){from, middle, 0, 0, 0.0, 1.0 - half / most, hint});
}

static bool find(const oct_agent *a, const sight_aim *aim, oct_point *out)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const double cell = oct_tree_cell_size(oct_map_tree(map));
    const double most = oct_belief_info(a->belief)->view - 2.0 * cell;
    sight_hint hint = {.is_set = false};
    for (int step = 1; step <= STEPS_MAX && step * cell <= most; step++) {
        for (int i = 0; i < PARTS * PARTS * PARTS; i++) {
            const oct_point way = {i % PARTS - PART_MAX, i / PARTS % PARTS - PART_MAX,
                                   i / (PARTS * PARTS) - PART_MAX};
            const double length = point_length(way);
            if (length == 0.0) {
                continue;
            }
            const oct_point out_there = point_add(aim->at, point_scale(way, step * cell / length));
            const oct_point place = navigator_stand(&a->navigator, out_there, oct_agent_half(a));
            if (oct_lookout_is_place(a, place) &&
                (aim->thing ? !oct_lookout_holds(a, place, aim->thing) &&
                                  oct_lookout_sees(a, place, aim->thing, &hint)
                            : oct_lookout_sees_cell(a, place, aim->at, &hint))) {
                *out = place;
                return true;
            }
        }
    }
    return false;
}

bool oct_lookout_find(const oct_agent *a, oct_point at, oct_point *out)
{
    return find(a, &(sight_aim){.at = at}, out);
}

bool oct_lookout_find_door(const oct_agent *a, const oct_known *door, oct_point *out)
{
    oct_thing things[ENTITY_THINGS_MAX];
    (void)oct_entity_things(&door->now, things);
    const oct_bounds *const box = &things[0].box;
    const oct_point at = point_scale(point_add(box->min, box->max), 0.5);
    return find(a, &(sight_aim){.at = at, .thing = things}, out);
}
