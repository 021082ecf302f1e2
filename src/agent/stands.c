// SPDX-License-Identifier: MIT
#include "agent/stands.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>

// How far, and how often, places are tried beside the way straight out from a face, metres.
#define SHIFT 0.625
#define SHIFTS 2
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

const char *oct_stands_side_name(oct_side side)
{
    return (unsigned)side <= OCT_SIDE_ANY ? side_names[side] : NULL;
}

oct_point oct_known_centre(const oct_known *k)
{
    const oct_bounds *const box = &k->now.thing.box;
    return point_scale(point_add(box->min, box->max), 0.5);
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
    const double out =
        fabs(normal->x) * half.x + fabs(normal->y) * half.y + fabs(normal->z) * half.z;
    return point_add(oct_known_centre(k), point_scale(*normal, out));
}

// A straight line that things may cross.
typedef struct line {
    uint64_t but; // not this one
    oct_point from, to;
} line;

static bool is_off(const oct_bounds *box, const line *l)
{
    const double from[3] = {l->from.x, l->from.y, l->from.z}, to[3] = {l->to.x, l->to.y, l->to.z};
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

static bool leaves_free(void *ctx, const oct_thing *thing)
{
    const line *const l = ctx;
    return thing->id == l->but || thing->label != OCT_BLOCKED || is_off(&thing->box, l);
}

// Whether nothing else stands between a face and a place before it.
static bool is_free(const oct_map *map, uint64_t but, oct_point from, oct_point to)
{
    line l = {but, from, to};
    const oct_bounds box = {{less(from.x, to.x), less(from.y, to.y), less(from.z, to.z)},
                            {greater(from.x, to.x), greater(from.y, to.y), greater(from.z, to.z)}};
    return oct_map_things_in(map, oct_map_cover(map, box), leaves_free, &l);
}

// The nearest place straight out from a point of a face.
static stand stand_before(const oct_map *map, uint64_t id, oct_point face, oct_point normal,
                          double most, oct_point *out)
{
    const double step = oct_tree_cell_size(oct_map_tree(map)) / 4.0;
    stand best = STAND_NONE;
    for (double away = oct_map_padding(map).x; away <= most && best != STAND_OPEN; away += step) {
        const oct_point at = point_add(face, point_scale(normal, away));
        oct_vec cell;
        if (!oct_tree_cell_at(oct_map_tree(map), at, &cell)) {
            break;
        }
        const oct_label label = oct_tree_label(oct_map_tree(map), cell);
        if (label == OCT_BLOCKED || (label == OCT_UNKNOWN && best != STAND_NONE)) {
            continue;
        }
        if (!is_free(map, id, face, at)) {
            break;
        }
        *out = at;
        best = label == OCT_OPEN ? STAND_OPEN : STAND_UNKNOWN;
    }
    return best;
}

stand oct_known_stand(const oct_agent *a, const oct_known *k, oct_side side, double most,
                      oct_point *out)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const uint64_t id = k->now.thing.id;
    oct_point normal;
    const oct_point face = oct_known_face(k, side, &normal);
    stand best = stand_before(map, id, face, normal, most, out);
    // A low block has no room for a body straight before it: above or beside that there may be.
    const oct_point up = k->now.up, forward = k->now.forward, right = point_cross(forward, up);
    const oct_point ways[] = {up, right, forward};
    for (int i = 1; i <= 2 * SHIFTS * 3 && best == STAND_NONE; i++) {
        const oct_point way = ways[(i - 1) / 2 % 3];
        const double by = SHIFT * ((i - 1) / 6 + 1) * (i % 2 ? 1.0 : -1.0);
        if (fabs(point_dot(way, normal)) < 0.5 && most > fabs(by)) {
            const oct_point from = point_add(face, point_scale(way, by));
            best = stand_before(map, id, from, normal, sqrt(most * most - by * by), out);
        }
    }
    return best;
}

// Doors that stand open for a moment.
typedef struct opened {
    oct_thing doors[DOORS_NEAR_MAX];
    size_t count;
} opened;

static bool is_within(const oct_bounds *a, const oct_bounds *b, double most)
{
    return a->min.x - b->max.x <= most && b->min.x - a->max.x <= most &&
           a->min.y - b->max.y <= most && b->min.y - a->max.y <= most &&
           a->min.z - b->max.z <= most && b->min.z - a->max.z <= most;
}

static oct_result open_doors(oct_agent *a, const oct_known *near, double most, opened *out)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_doors(links) && out->count < DOORS_NEAR_MAX; i++) {
        oct_thing door;
        if (oct_map_thing(map, oct_links_door(links, i), &door) && door.label != OCT_OPEN &&
            is_within(&door.box, &near->now.thing.box, most)) {
            OCT_TRY(oct_belief_suppose(a->belief, door.id, OCT_OPEN));
            out->doors[out->count++] = door;
        }
    }
    return OCT_OK;
}

static oct_result shut_doors(oct_agent *a, const opened *doors)
{
    for (size_t i = 0; i < doors->count; i++) {
        const oct_thing *const door = &doors->doors[i];
        OCT_TRY(oct_belief_suppose(a->belief, door->id, door->label));
    }
    return OCT_OK;
}

static uint32_t find_stands(const oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out)
{
    uint32_t found = 0;
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        if (sides >> side & 1 && oct_known_stand(a, k, side, most, &out[side]) != STAND_NONE) {
            found |= 1u << side;
        }
    }
    return found;
}

oct_result oct_known_stands(oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out, uint32_t *found)
{
    *found = find_stands(a, k, sides, most, out);
    if (*found == sides) {
        return OCT_OK;
    }
    opened doors = {.count = 0};
    const oct_result result = open_doors(a, k, most, &doors);
    if (result == OCT_OK && doors.count > 0) {
        *found |= find_stands(a, k, sides & ~*found, most, out);
    }
    const oct_result back = shut_doors(a, &doors);
    return result == OCT_OK ? back : result;
}
