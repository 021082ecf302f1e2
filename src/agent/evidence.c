// SPDX-License-Identifier: MIT
#include "agent/evidence.h"
#include "agent/belief_internal.h"
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

void oct_evidence_of_door(oct_agent *a, const oct_known *door)
{
    const oct_links *const links = oct_belief_links(a->belief);
    char name[OCT_REASON_MAX / 4], item[OCT_REASON_MAX / 2];
    list presses = {.count = 0};
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        if (oct_links_presses(links, i) > 0) {
            const oct_button button = oct_links_button(links, i);
            (void)oct_belief_name_of(a->belief, button.panel, name, sizeof name);
            (void)snprintf(item, sizeof item, "%s %u", name, button.number);
            add_item(&presses, item);
        }
    }
    (void)oct_belief_name(a->belief, door, name, sizeof name);
    oct_agent_add_note(a, "%s was last seen at %.1f s, %s; pressed so far: %s", name,
                       (double)door->last / OCT_TICKS, state_name(oct_entity_door(&door->now)),
                       end_list(&presses));
}

static void note_sightings(oct_agent *a, const char *button, const char *door, bool is_linked,
                           const oct_sighting *seen, size_t count)
{
    list sightings = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        char item[32];
        (void)oct_snprintf(item, sizeof item, "%s at %.1f s", state_name(seen[i].state),
                           (double)seen[i].tick / OCT_TICKS);
        add_item(&sightings, item);
    }
    oct_agent_add_note(a, "that %s %s %s follows from %s as it was seen: %s", button,
                       is_linked ? "toggles" : "does not toggle", door, door, end_list(&sightings));
}

void oct_evidence_of_link(oct_agent *a, uint32_t button, uint32_t door)
{
    static const char *const needs[] = {
        [OCT_ADVICE_NONE] = NULL,
        [OCT_ADVICE_SEE] = "seeing it",
        [OCT_ADVICE_PRESS_SEE] = "a press, and seeing it then",
        [OCT_ADVICE_SEE_PRESS_SEE] = "seeing it, a press, and seeing it again",
    };
    const oct_links *const links = oct_belief_links(a->belief);
    const oct_button which = oct_links_button(links, button);
    char panel[OCT_REASON_MAX / 4], name[OCT_REASON_MAX / 2], other[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, which.panel, panel, sizeof panel);
    (void)snprintf(name, sizeof name, "button %u of %s", which.number, panel);
    (void)oct_belief_name_of(a->belief, oct_links_door(links, door), other, sizeof other);
    const oct_link link = oct_links_get(links, button, door);
    const char *const need = needs[oct_links_advise(links, button, door)];
    oct_sighting seen[SIGHTINGS_MAX];
    if (link == OCT_LINK_YES || link == OCT_LINK_NO) {
        const size_t all = oct_links_evidence(links, button, door, seen, SIGHTINGS_MAX);
        note_sightings(a, name, other, link == OCT_LINK_YES, seen,
                       all < SIGHTINGS_MAX ? all : SIGHTINGS_MAX);
    } else if (need) {
        oct_agent_add_note(a, "whether %s toggles %s would be decided by %s", name, other, need);
    } else {
        oct_agent_add_note(a, "%s moves in other ways than buttons that toggle explain", other);
    }
}
