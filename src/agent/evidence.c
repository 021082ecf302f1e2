// SPDX-License-Identifier: MIT
#include "agent/evidence.h"
#include "agent/belief_internal.h"
#include "agent/link_kind.h"
#include "agent/links_internal.h"
#include "base/print.h"

#include <stdio.h>

// How many presses and sightings are listed.
#define LISTED_MAX 4
#define SIGHTINGS_MAX 64

typedef struct list {
    char text[OCT_REASON_MAX];
    size_t used, count;
} list;

static void add_item(list *l, const char *item)
{
    const size_t room = sizeof l->text - l->used;
    if (++l->count <= LISTED_MAX) {
        const int more = snprintf(l->text + l->used, room, "%s%s", l->count > 1 ? ", " : "", item);
        l->used += more > 0 && (size_t)more < room ? (size_t)more : room - 1;
    }
}

static const char *end_list(list *l)
{
    if (l->count > LISTED_MAX) {
        (void)snprintf(l->text + l->used, sizeof l->text - l->used, " and %zu more",
                       l->count - LISTED_MAX);
    }
    return l->count > 0 ? l->text : "nothing";
}

static const char *state_name(oct_door_state state)
{
    return state == OCT_DOOR_OPEN ? "open" : state == OCT_DOOR_SHUT ? "shut" : "moving";
}

static void note_sightings(oct_agent *a, const char *button, const char *door, oct_link_kind kind,
                           const oct_sighting *seen, size_t count)
{
    list sightings = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        char item[32];
        const char *const state = state_name(seen[i].state);
        if (seen[i].is_earlier) {
            (void)snprintf(item, sizeof item, "%s in an earlier life", state);
        } else {
            (void)oct_snprintf(item, sizeof item, "%s at %.1f s", state,
                               (double)seen[i].tick / oct_belief_info(a->belief)->rate);
        }
        add_item(&sightings, item);
    }
    oct_agent_add_note(a, "that %s %s %s follows from %s as it was seen: %s", button,
                       kind == OCT_LINK_KIND_NOTHING ? "does not toggle" : "toggles", door, door,
                       end_list(&sightings));
}

const char *oct_evidence_needed(const oct_agent *a, oct_button button, uint64_t door, char *out,
                                size_t size)
{
    const oct_game_info *const info = oct_belief_info(a->belief);
    const uint32_t denied = info->denies & oct_agent_effects_assume(a);
    const uint32_t left = oct_agent_effects(a, button, door);
    const bool when_shut = oct_effects_tell(left, false), when_open = oct_effects_tell(left, true);
    char panel[OCT_REASON_MAX / 4], name[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, button.panel, panel, sizeof panel);
    (void)oct_belief_name_of(a->belief, door, name, sizeof name);
    for (oct_assumption i = 0; i < OCT_ASSUME_COUNT; i++) {
        if (denied >> i & 1) {
            (void)snprintf(out, size, "nothing, as long as '%s' is denied", oct_assumption_name(i));
            return out;
        }
    }
    if (!oct_agent_has_watched(a, door)) {
        const effect_rules rules = oct_effect_rules_of(info);
        (void)oct_snprintf(out, size, "watching %s for %.0f s while nothing is pending", name,
                           (double)rules.settle / info->rate);
        return out;
    }
    (void)snprintf(out, size,
                   "a press of button %u of %s alone, with %s %s before and watched after it",
                   button.number, panel, name,
                   when_shut && when_open ? "seen"
                   : when_open            ? "open"
                                          : "shut");
    return out;
}

void oct_evidence_of_link(oct_agent *a, uint32_t button, uint32_t door)
{
    const oct_links *const links = oct_belief_links(a->belief);
    const oct_button which = oct_links_button(links, button);
    const uint64_t id = oct_links_door(links, door);
    const oct_link_kind kind = oct_agent_link(a, which, id);
    const oct_link link = oct_links_get(links, button, door);
    char panel[OCT_REASON_MAX / 4], name[OCT_REASON_MAX / 2], other[OCT_REASON_MAX / 4];
    char need[OCT_REASON_MAX];
    (void)oct_belief_name_of(a->belief, which.panel, panel, sizeof panel);
    (void)snprintf(name, sizeof name, "button %u of %s", which.number, panel);
    (void)oct_belief_name_of(a->belief, id, other, sizeof other);
    oct_sighting seen[SIGHTINGS_MAX];
    if (kind == OCT_LINK_KIND_UNDECIDED) {
        oct_agent_add_note(a, "what %s does to %s would be decided by %s", name, other,
                           oct_evidence_needed(a, which, id, need, sizeof need));
    } else if (link == (kind == OCT_LINK_KIND_NOTHING ? OCT_LINK_NO : OCT_LINK_YES)) {
        const size_t all = oct_links_evidence(links, button, door, seen, SIGHTINGS_MAX);
        note_sightings(a, name, other, kind, seen, all < SIGHTINGS_MAX ? all : SIGHTINGS_MAX);
    }
}
