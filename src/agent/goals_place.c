// SPDX-License-Identifier: MIT
// Placing a block: from beside the cell where it will be, with the eyes on the side that it is set
// against. Straight before that side one would stand in its way, and behind its way out of reach.
#include "agent/goals_internal.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>

// How far from the edge of a side one looks at it; room between body and block, metres.
#define FROM_EDGE 0.35
#define ROOM 0.15
#define SPOTS_MAX 24

typedef struct spot {
    oct_point stand, look;
    double away; // from the body
} spot;

// ---- the act ----

static bool is_placed(void *ctx, oct_mind *mind)
{
    return oct_goal_target_came(ctx, mind, OCT_VERB_DO);
}

static oct_did place(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (e->is_done) {
        oct_action last;
        // From another place, or against another side, the game might not have refused.
        oct_mind_because(mind, true, "the block could not be placed: %s",
                         oct_act_name(oct_agent_came(a, &last)));
        return OCT_DID_ABORT;
    }
    const oct_action action = {.verb = OCT_VERB_DO, .name = "place"};
    oct_agent_act(a, &action);
    e->is_done = true;
    return OCT_DID_DONE;
}

static oct_goal *make_act(const oct_allocator *allocator)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    const oct_leaf_goal leaf = {
        .name = "place", .begin = oct_goal_target_begins, .solved = is_placed};
    return e ? oct_goal_target_leaf(
                   e, &leaf,
                   oct_tactic_action(allocator, "place", NULL, place, oct_goal_target_hook(e)))
             : NULL;
}

// ---- from where ----

static void add_spots(const oct_agent *a, const oct_known *k, oct_side side, spot *spots,
                      size_t *count)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const double metre = agent_metre(a), pad = oct_map_padding(map).x;
    const oct_point centre = oct_known_centre(k);
    oct_point normal;
    const oct_point face = oct_known_face(k, side, &normal);
    for (oct_side to = OCT_SIDE_FORWARD; to < OCT_SIDE_ANY; to++) {
        oct_point aside;
        const oct_point edge = oct_known_face(k, to, &aside);
        if (fabs(point_dot(aside, normal)) > 0.5) {
            continue;
        }
        const double half = point_length(point_sub(edge, centre));
        const spot new = {
            .stand = point_add(face, point_add(point_scale(normal, pad + ROOM * metre),
                                               point_scale(aside, half + pad + ROOM * metre))),
            .look = point_add(face, point_scale(aside, half - FROM_EDGE * metre))};
        if (*count < SPOTS_MAX && navigator_label(&a->navigator, new.stand) != OCT_BLOCKED) {
            spots[*count] = new;
            spots[*count].away = point_length(point_sub(new.stand, agent_self(a)->centre));
            ++*count;
        }
    }
}

// The nearest first; equal ones as they came.
static void sort_spots(spot *spots, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const spot it = spots[i];
        size_t at = i;
        for (; at > 0 && spots[at - 1].away > it.away; at--) {
            spots[at] = spots[at - 1];
        }
        spots[at] = it;
    }
}

static oct_goal *deploy(void *ctx, oct_mind *mind)
{
    goal_target *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_goal_target_begin(e);
    const oct_known *const k = oct_goal_target_find(e, a);
    if (!k) {
        oct_mind_because(mind, true, "%s was not seen yet", e->what);
        return NULL;
    }
    spot spots[SPOTS_MAX];
    size_t count = 0;
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        if (e->side == OCT_SIDE_ANY || e->side == side) {
            add_spots(a, k, side, spots, &count);
        }
    }
    if (count == 0) {
        oct_mind_because(mind, true, "there is no room beside %s to place a block from", e->what);
        return NULL;
    }
    sort_spots(spots, count);
    oct_goal *ways[SPOTS_MAX];
    for (size_t i = 0; i < count; i++) {
        oct_goal *const steps[] = {
            oct_goal_close_to(&e->allocator, spots[i].stand, PRESS_TOLERANCE),
            oct_goal_face_towards(&e->allocator, NULL, spots[i].look), make_act(&e->allocator)};
        ways[i] = oct_goal_seq(&e->allocator, steps, 3);
    }
    return oct_goal_first_of(&e->allocator, ways, count);
}

oct_goal *oct_goal_placed(const oct_allocator *allocator, const char *type, const oct_pick *against,
                          oct_side side)
{
    // The hook of the pick belongs to one of the two: the other has none to drop.
    oct_pick again = *against;
    again.hook.drop = NULL;
    goal_target *const e = oct_goal_target_make(allocator, &again, (oct_hook){0});
    oct_goal *there = NULL;
    if (e) {
        e->side = side;
        there = oct_goal_deploy(allocator, "place it", deploy, (oct_hook){e, oct_goal_target_drop});
    }
    oct_goal *const steps[] = {oct_goal_equipped(allocator, OCT_ITEM_BLOCK, type),
                               oct_goal_explore_to_find(allocator, against), there};
    return oct_goal_steps(allocator, steps, 3, "placed", against);
}
