// SPDX-License-Identifier: MIT
#include "agent/link_kind.h"
#include "agent/belief_internal.h"

#define BIT(assumption) (1u << (assumption))

// What follows from presses and sightings holds under these.
#define OF_LINKS (BIT(OCT_ASSUME_CAUSES) | BIT(OCT_ASSUME_DELAY) | BIT(OCT_ASSUME_TRUTH))

const char *oct_link_kind_name(oct_link_kind kind)
{
    static const char *const names[] = {"undecided", "nothing", "toggles", "opens", "shuts"};
    return kind < OCT_LINK_KIND_COUNT ? names[kind] : NULL;
}

uint32_t oct_agent_effects_assume(const oct_agent *a)
{
    const oct_game_info *const info = oct_belief_info(a->belief);
    return OF_LINKS |
           (oct_effect_rules_of(info).toggles ? BIT(OCT_ASSUME_TOGGLES) : BIT(OCT_ASSUME_MEMORY));
}

bool oct_agent_can_learn_effects(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const oct_game_info *const info = oct_belief_info(a->belief);
    return h && oct_game_players(a->game) <= h->starts.count &&
           !oct_effect_rules_of(info).forgets && (info->denies & oct_agent_effects_assume(a)) == 0;
}

uint32_t oct_agent_effects(const oct_agent *a, oct_button button, uint64_t door)
{
    if (!oct_agent_can_learn_effects(a)) {
        return EFFECT_ANY;
    }
    const oct_history *const h = oct_belief_history(a->belief);
    const history_thing *const thing = oct_history_find(h, door);
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    if (!thing || thing->door == 0 || oct_effects_moves_alone(h, &rules, thing->door - 1)) {
        return EFFECT_ANY;
    }
    return oct_effects_of(h, &rules, oct_belief_links(a->belief), button, thing->door - 1);
}

bool oct_agent_has_watched(const oct_agent *a, uint64_t door)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const history_thing *const thing = h ? oct_history_find(h, door) : NULL;
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    return !thing || thing->door == 0 || oct_effects_is_watched(h, &rules, thing->door - 1);
}

uint32_t oct_agent_certain_effects(const oct_agent *a, oct_button button, uint64_t door)
{
    return oct_agent_has_watched(a, door) ? oct_agent_effects(a, button, door) : EFFECT_ANY;
}

oct_link_kind oct_agent_link(const oct_agent *a, oct_button button, uint64_t door)
{
    switch (oct_agent_certain_effects(a, button, door)) {
    case EFFECT_NOTHING:
        return OCT_LINK_KIND_NOTHING;
    case EFFECT_TOGGLE:
        return OCT_LINK_KIND_TOGGLES;
    case EFFECT_OPEN:
        return OCT_LINK_KIND_OPENS;
    case EFFECT_SHUT:
        return OCT_LINK_KIND_SHUTS;
    default:
        return OCT_LINK_KIND_UNDECIDED;
    }
}
