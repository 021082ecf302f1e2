// SPDX-License-Identifier: MIT
// Pressing what helps: looking at doors that presses have made uncertain, and the next button.
#include "agent/goals_internal.h"
#include "agent/links_internal.h"
#include "explore/explorer_internal.h"
#include "geom/geom_internal.h"

static bool may_look_at_doors(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_doors(links); i++) {
        oct_thing door;
        if (oct_map_thing(oct_belief_map(a->belief), oct_links_door(links, i), &door) &&
            door.label == OCT_UNKNOWN) {
            const oct_point at = point_scale(point_add(door.box.min, door.box.max), 0.5);
            if (oct_journey_towards(a, at) == JOURNEY_GOING) {
                oct_agent_think(a, "looking at a door");
                return true;
            }
        }
    }
    return false;
}

oct_tactic *oct_look_at_doors(const oct_allocator *allocator)
{
    return oct_tactic_action(allocator, "look at doors", may_look_at_doors, oct_go_on,
                             (oct_hook){0});
}

// What decides about presses while there is something left to explore: buttons and doors that are
// known, and which can be got to.
static uint64_t devices(const oct_agent *a)
{
    const oct_links *const links = oct_belief_links(a->belief);
    uint64_t known = oct_links_doors(links);
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button button = oct_links_button(links, i);
        uint32_t index;
        oct_point at;
        known += 1u + oct_links_presses(links, i);
        if (button.number > 0 || !oct_belief_find(a->belief, button.panel, &index)) {
            continue;
        }
        for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
            const oct_known *const panel = oct_belief_get(a->belief, index);
            known += oct_known_stand(a, panel, side, PRESS_REACH, &at) == STAND_OPEN &&
                     oct_explorer_connects(a->explorer, agent_self(a)->centre, at);
        }
    }
    return known;
}

static bool may_press(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (e->has_press && oct_journey_to(a, e->stand, PRESS_TOLERANCE) <= JOURNEY_GOING) {
        return true;
    }
    const uint64_t known = devices(a);
    if (known == e->devices && oct_journey_explore(a) == JOURNEY_GOING) {
        return false;
    }
    e->devices = known;
    wits_aim aim;
    wits_answer answer;
    if (oct_agent_break(a, oct_errand_aim(e, a, &aim)) != OCT_OK) {
        return false;
    }
    aim.learns = e->learns;
    if (e->learns) {
        aim.stand_count = 0;
    }
    if (oct_agent_break(a, oct_wits_ask(a, &aim, &answer)) != OCT_OK) {
        return false;
    }
    e->has_press = answer.step == WITS_PRESS &&
                   oct_journey_to(a, answer.stand, PRESS_TOLERANCE) <= JOURNEY_GOING;
    e->press = answer.button;
    e->stand = answer.stand;
    return e->has_press;
}

static oct_did press(void *ctx, oct_mind *mind)
{
    errand *const e = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_button button = oct_links_button(oct_belief_links(a->belief), e->press);
    char name[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, button.panel, name, sizeof name);
    if (a->journey.kind != JOURNEY_NONE) {
        oct_agent_think(a, "going to press %s", name);
        oct_journey_step(a);
        return OCT_DID_STEP;
    }
    const oct_action use = {
        .verb = OCT_VERB_USE, .target = button.panel, .button = button.number, .ticks = 1};
    oct_agent_think(a, "pressing %s %u", name, button.number);
    oct_agent_act(a, &use);
    e->has_press = false;
    return OCT_DID_DONE;
}

oct_tactic *oct_press_what_helps(errand *e)
{
    return oct_errand_part(e, "press", may_press, press);
}
