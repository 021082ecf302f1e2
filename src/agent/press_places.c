// SPDX-License-Identifier: MIT
// Where the press planner's buttons can be pressed from.
#include "agent/approach.h"
#include "agent/belief_internal.h"
#include "agent/doorway.h"
#include "agent/hand.h"
#include "agent/press_planner_internal.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

// How far from the middle of a doorway somebody stands who holds its door and leaves on that side,
// metres.
#define HOLD_OFF 0.75

static oct_result add_seed(press_planner *w, oct_point at)
{
    return oct_array_push(&w->seeds, &w->a->allocator, sizeof at, &at);
}

// The body's own cell, or the nearest free one: who stands on something is padded into it.
static oct_point free_place(const oct_agent *a)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const oct_point at = agent_self(a)->centre;
    const double cell = oct_tree_cell_size(oct_map_tree(map));
    oct_point best = at;
    double least = HUGE_VAL;
    for (int i = 0; i < 7 * 7 * 7; i++) {
        const oct_point by = {(i % 7 - 3) * cell, (i / 7 % 7 - 3) * cell, (i / 49 - 3) * cell};
        const double away = point_dot(by, by);
        if (away < least && navigator_label(&a->navigator, point_add(at, by)) == OCT_OPEN) {
            best = point_add(at, by);
            least = away;
        }
    }
    return best;
}

static oct_result add_panel(press_planner *w, const oct_known *k)
{
    oct_point at[OCT_SIDE_ANY];
    uint32_t found;
    OCT_TRY(oct_approach_all(w->a, k, BLOCK_SIDES, APPROACH_HAND, at, &found));
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        for (uint32_t i = 0; found >> side & 1 && i < k->now.use_count; i++) {
            press_place place = {
                .at = at[side], .room = (uint32_t)w->seeds.count, .holds = PRESS_NO_DOOR};
            if (oct_links_find_button(w->links, (oct_button){k->now.thing.id, i}, &place.button)) {
                OCT_TRY(oct_array_push(&w->places, &w->a->allocator, sizeof place, &place));
            }
        }
        OCT_TRY(found >> side & 1 ? add_seed(w, at[side]) : OCT_OK);
    }
    return OCT_OK;
}

// Places in a doorway from which a panel can be pressed, one for each side to leave on.
static oct_result add_doorway(press_planner *w, const oct_known *panel, uint32_t index)
{
    oct_known door = *oct_belief_get(w->a->belief, index);
    door.now.thing.box = oct_entity_doorway(&door.now);
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        oct_point normal;
        const oct_point face = oct_known_face(&door, side, &normal);
        const oct_point at =
            point_add(oct_known_centre(&door), point_scale(normal, HOLD_OFF * agent_metre(w->a)));
        const oct_map *const map = oct_belief_map(w->a->belief);
        const double out = oct_map_padding(map).x + oct_tree_cell_size(oct_map_tree(map));
        if (!oct_hand_reaches(w->a, panel, at) ||
            !oct_known_is_free(w->a, panel, oct_hand_eye(w->a, at), door.now.thing.id)) {
            continue;
        }
        for (uint32_t i = 0; i < panel->now.use_count; i++) {
            press_place place = {.at = at, .room = (uint32_t)w->seeds.count, .holds = index};
            const oct_button button = {panel->now.thing.id, i};
            if (oct_links_find_button(w->links, button, &place.button)) {
                OCT_TRY(oct_array_push(&w->places, &w->a->allocator, sizeof place, &place));
            }
        }
        OCT_TRY(add_seed(w, point_add(face, point_scale(normal, out))));
    }
    return OCT_OK;
}

static oct_result add_doorways(press_planner *w, const oct_known *panel)
{
    for (uint32_t i = 0; i < oct_belief_count(w->a->belief); i++) {
        const oct_known *const k = oct_belief_get(w->a->belief, i);
        if (!k->gone && k->now.kind == OCT_ENTITY_DOOR) {
            OCT_TRY(add_doorway(w, panel, i));
        }
    }
    return OCT_OK;
}

oct_result oct_press_seeds(press_planner *w)
{
    OCT_TRY(add_seed(w, free_place(w->a)));
    for (size_t i = 0; i < w->aim->stand_count; i++) {
        OCT_TRY(add_seed(w, w->aim->stands[i]));
    }
    for (uint32_t i = 0; i < oct_belief_count(w->a->belief); i++) {
        const oct_known *const k = oct_belief_get(w->a->belief, i);
        if (!k->gone && k->now.use_count > 0) {
            OCT_TRY(add_panel(w, k));
            OCT_TRY(add_doorways(w, k));
        }
    }
    return OCT_OK;
}
