// SPDX-License-Identifier: MIT
// Where to look is decided by rays: a look is worth its turn where enough of them meet a cell that
// was never in sight and would be now. What those rays miss is found from nearer by.
#include "agent/turn_around.h"

#include "agent/approach.h"
#include "agent/belief_internal.h"
#include "agent/doorway.h"
#include "agent/goals_internal.h"
#include "agent/history.h"
#include "agent/lookout.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"

#include <math.h>

#define WHOLE_TURN 6.283185307179586
// From look to look it turns by this part of what it sees: neighbouring looks overlap.
#define PART 0.7
// Up and down it looks so far, radians.
#define STEEP 1.3
#define RINGS_MAX 7u
#define LOOKS_MAX 24u
_Static_assert(RINGS_MAX *LOOKS_MAX <= 64 * TURN_AROUND_WORDS, "a bit each");
// Rays are so far apart, radians; and a look has to tell something about one more than this part of
// its own.
#define APART 0.18
#define WORTH 0.05
// What is nearer to the edge of a look than this part of it does not count.
#define INNER 0.9
// So exactly it faces where it looks, radians.
#define FACING 0.05
// From a place so far away it looks anew, metres.
#define ELSEWHERE 0.5
#define DOORS_MAX 64u

static bool sees_all_around(const oct_game_info *info)
{
    return !(info->fov > 0.0 && info->fov < OCT_FOV_ALL);
}

// ---- directions ----

// The direction at an angle to the left of one that is the same all the time, and upwards.
static oct_point direction(const oct_game_info *info, double left, double rise)
{
    const oct_point x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const oct_point up = info->up == OCT_UP_X ? x : info->up == OCT_UP_Y ? y : z;
    const oct_point ahead = info->up == OCT_UP_X ? y : x, side = point_cross(up, ahead);
    double sine, cosine, high, low;
    oct_sin_cos(left, &sine, &cosine);
    oct_sin_cos(rise, &high, &low);
    const oct_point level = point_add(point_scale(ahead, cosine), point_scale(side, sine));
    return point_add(point_scale(level, low), point_scale(up, high));
}

static uint32_t rings_of(const oct_game_info *info)
{
    const double rings = ceil(2.0 * STEEP / (PART * info->fov));
    return info->fov < WHOLE_TURN / 2.0 ? (uint32_t)fmin(rings, RINGS_MAX) : 1;
}

static uint32_t looks_of(const oct_game_info *info)
{
    return (uint32_t)fmin(ceil(WHOLE_TURN / fmin(PART * info->fov, WHOLE_TURN / 2.0)), LOOKS_MAX);
}

static oct_point look_at(const oct_game_info *info, uint32_t index)
{
    const uint32_t rings = rings_of(info), looks = looks_of(info);
    const double apart = 2.0 * STEEP / rings;
    return direction(info, WHOLE_TURN * (index % looks) / looks,
                     rings == 1 ? 0.0 : -STEEP + (index / looks + 0.5) * apart);
}

// ---- what was never in sight ----

typedef struct rays {
    oct_point all[512]; // those that meet what was never in sight
    size_t count;
} rays;

// How far along a direction a box is left.
static double leaves_at(const oct_tree *tree, const oct_box *box, oct_point from, oct_point way)
{
    const double size = oct_tree_cell_size(tree);
    const oct_point o = oct_tree_origin(tree);
    const double origin[3] = {o.x, o.y, o.z};
    const double at[3] = {from.x, from.y, from.z}, by[3] = {way.x, way.y, way.z};
    const int32_t lo[3] = {box->min.x, box->min.y, box->min.z};
    const int32_t hi[3] = {box->max.x, box->max.y, box->max.z};
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double end = origin[k] + size * (by[k] > 0.0 ? hi[k] : lo[k]);
        least = by[k] != 0.0 ? fmin(least, (end - at[k]) / by[k]) : least;
    }
    return least;
}

// Whether the first cell along a direction that was never in sight would be now.
static bool meets_unseen(const oct_agent *a, oct_point way, sight_hint *hint)
{
    const oct_tree *const tree = oct_belief_sights(a->belief);
    const oct_point eye = agent_self(a)->eye;
    const double size = oct_tree_cell_size(tree);
    const double most = oct_belief_info(a->belief)->view - 2.0 * size;
    for (double far = 0.0; far < most;) {
        oct_vec cell;
        if (!oct_tree_cell_at(tree, point_add(eye, point_scale(way, far)), &cell)) {
            return false;
        }
        const oct_leaf leaf = oct_tree_leaf(tree, cell);
        if (leaf.label == OCT_UNKNOWN) {
            return oct_lookout_sees_cell(a, eye, oct_tree_centre(tree, cell), hint);
        }
        const oct_box box = oct_leaf_box(leaf);
        far = fmax(leaves_at(tree, &box, eye, way), far) + size / 64.0;
    }
    return false;
}

static void cast_rays(const oct_agent *a, rays *out)
{
    const oct_game_info *const info = oct_belief_info(a->belief);
    sight_hint hint = {.is_set = false};
    out->count = 0;
    for (double rise = -STEEP; rise <= STEEP; rise += APART) {
        double sine, cosine;
        oct_sin_cos(rise, &sine, &cosine);
        const uint32_t around = (uint32_t)ceil(WHOLE_TURN * cosine / APART);
        for (uint32_t i = 0; i < around && out->count < sizeof out->all / sizeof *out->all; i++) {
            const oct_point way = direction(info, WHOLE_TURN * i / around, rise);
            if (meets_unseen(a, way, &hint)) {
                out->all[out->count++] = way;
            }
        }
    }
}

static size_t count_in(const rays *r, oct_point look, double cosine)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        count += point_dot(r->all[i], look) >= cosine;
    }
    return count;
}

// The look with the shortest turn of those that are worth it and were not made from here.
static bool find_look(oct_agent *a, oct_point *towards)
{
    turn_around *const t = &a->turning;
    const oct_game_info *const info = oct_belief_info(a->belief);
    const double half = fmin(INNER * info->fov / 2.0, WHOLE_TURN / 2.0);
    double ignored, cosine, least = HUGE_VAL;
    oct_sin_cos(half, &ignored, &cosine);
    const double own = WHOLE_TURN * (1.0 - cosine) / (APART * APART); // rays in a look
    const uint32_t count = rings_of(info) * looks_of(info);
    uint32_t best = 0;
    rays r;
    cast_rays(a, &r);
    for (uint32_t i = 0; i < count; i++) {
        const oct_point look = look_at(info, i);
        const double turn = oct_angle_between(agent_self(a)->look, look);
        if (!(t->made[i / 64] >> i % 64 & 1) && turn < least &&
            (double)count_in(&r, look, cosine) > WORTH * own) {
            least = turn;
            best = i;
            *towards = look;
        }
    }
    t->made[best / 64] |= least < HUGE_VAL ? (uint64_t)1 << best % 64 : 0;
    return least < HUGE_VAL;
}

// ---- doors ----

// Whether a door may be otherwise than it was last seen.
static bool is_stale(const oct_agent *a, const oct_known *door)
{
    const oct_history *const h = oct_belief_history(a->belief);
    oct_thing thing;
    uint64_t press;
    const bool is_unknown = oct_map_thing(oct_belief_map(a->belief), door->now.thing.id, &thing) &&
                            thing.label == OCT_UNKNOWN;
    return !door->gone && !door->in_sight &&
           (is_unknown || (h && oct_history_last_press(h, &press) && door->last <= press));
}

// A door that is to be seen from here, and was not looked for.
static bool find_door(oct_agent *a, oct_point *towards)
{
    turn_around *const t = &a->turning;
    const oct_links *const links = oct_belief_links(a->belief);
    const oct_point eye = agent_self(a)->eye;
    for (uint32_t i = 0; i < oct_links_doors(links) && i < DOORS_MAX; i++) {
        uint32_t index;
        oct_thing things[ENTITY_THINGS_MAX];
        sight_hint hint = {.is_set = false};
        if (t->doors >> i & 1 || !oct_belief_find(a->belief, oct_links_door(links, i), &index) ||
            !is_stale(a, oct_belief_get(a->belief, index))) {
            continue;
        }
        const oct_known *const door = oct_belief_get(a->belief, index);
        (void)oct_entity_things(&door->now, things);
        if (oct_lookout_sees(a, eye, things, &hint)) {
            const oct_bounds *const box = &things[0].box;
            t->doors |= (uint64_t)1 << i;
            *towards = point_sub(point_scale(point_add(box->min, box->max), 0.5), eye);
            return point_length(*towards) > 0.0;
        }
    }
    return false;
}

// ---- turning ----

// Begins anew where it is elsewhere, or something may look otherwise; false where it has looked.
static bool has_to_look(oct_agent *a)
{
    turn_around *const t = &a->turning;
    const oct_history *const h = oct_belief_history(a->belief);
    const size_t presses = h ? h->presses.count : 0;
    const uint64_t openings = oct_belief_openings(a->belief);
    const oct_point at = agent_self(a)->centre;
    const bool is_unsettled = oct_agent_is_unsettled(a);
    if (t->presses != presses || t->is_unsettled != is_unsettled) {
        t->doors = 0;
        t->has_looked = false;
    }
    if (!t->has_place || t->openings != openings ||
        point_length(point_sub(at, t->at)) > ELSEWHERE * agent_metre(a)) {
        *t = (turn_around){.has_place = true, .at = at};
    }
    t->presses = presses;
    t->openings = openings;
    t->is_unsettled = is_unsettled;
    return !t->has_looked;
}

static bool may_turn(const oct_agent *a)
{
    const oct_player_body *const body = oct_belief_body(a->belief);
    return oct_agent_rests(a) && body->turn > 0.0 && oct_player_body_has(body, "move");
}

bool oct_turn_around(oct_agent *a)
{
    turn_around *const t = &a->turning;
    if (sees_all_around(oct_belief_info(a->belief)) || !(agent_self(a)->health > 0.0)) {
        return false;
    }
    // What it faces when it asks has been looked at.
    while (!t->is_turning || !oct_hand_face(a, t->towards, FACING, &t->aim)) {
        t->is_turning = false;
        if (!may_turn(a) || !has_to_look(a)) {
            return false;
        }
        t->is_turning = find_door(a, &t->towards) || find_look(a, &t->towards);
        t->has_looked = !t->is_turning;
    }
    oct_agent_think(a, "looking around");
    a->must_look = true;
    return true;
}
