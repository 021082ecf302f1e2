// SPDX-License-Identifier: MIT
// What a record takes down at the end of a test: goals, links, coverage.
#include "agent/agent_internal.h"
#include "agent/links_internal.h"
#include "agent/mind_internal.h"
#include "report/record.h"

#include <stdio.h>

#define DOORS_LENGTH 256

// ---- goals ----

typedef struct goal_visit {
    oct_play_record *record;
    record_agent *kept;
} goal_visit;

static bool keep_goal(void *ctx, const oct_goal_view *view)
{
    const goal_visit *const visit = ctx;
    record_goal goal = {*view};
    goal.view.name = oct_record_words(visit->record, view->name);
    goal.view.reason = oct_record_words(visit->record, view->reason);
    oct_record_push(visit->record, &visit->kept->goals, sizeof goal, &goal, RECORD_GOALS_MAX);
    return true;
}

// ---- links ----

typedef struct door_list {
    char words[DOORS_LENGTH];
    size_t used;
} door_list;

static void add_door(door_list *list, const char *name)
{
    const size_t room = sizeof list->words - list->used;
    const int length =
        snprintf(list->words + list->used, room, "%s%s", list->used > 0 ? ", " : "", name);
    list->used += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

static record_link link_of(oct_play_record *record, const oct_agent *agent, uint32_t button)
{
    const oct_belief *const belief = oct_agent_belief(agent);
    const oct_links *const links = oct_belief_links(belief);
    const oct_button which = oct_links_button(links, button);
    door_list doors = {.used = 0}, odd = {.used = 0};
    record_link link = {.presses = oct_links_presses(links, button)};
    char name[96], words[128];
    for (uint32_t i = 0; i < oct_links_doors(links); i++) {
        const oct_link_kind kind = oct_agent_link(agent, which, oct_links_door(links, i));
        (void)oct_belief_name_of(belief, oct_links_door(links, i), name, sizeof name);
        if (kind > OCT_LINK_KIND_NOTHING) {
            snprintf(words, sizeof words, "%s %s", oct_link_kind_name(kind), name);
            add_door(&doors, words);
        } else if (kind == OCT_LINK_KIND_UNDECIDED && link.presses > 0 &&
                   oct_links_get(links, button, i) == OCT_LINK_ODD) {
            add_door(&odd, name);
        }
        link.undecided += kind == OCT_LINK_KIND_UNDECIDED;
    }
    (void)oct_belief_name_of(belief, which.panel, name, sizeof name);
    snprintf(words, sizeof words, "%s:%u", name, which.number);
    link.button = oct_record_words(record, words);
    link.doors = oct_record_words(record, doors.words);
    link.odd = oct_record_words(record, odd.words);
    return link;
}

void oct_record_end_agent(oct_play_record *record, record_agent *kept, oct_agent *agent)
{
    const oct_belief *const belief = oct_agent_belief(agent);
    goal_visit visit = {record, kept};
    (void)oct_mind_goals(oct_agent_mind(agent), keep_goal, &visit);
    const uint32_t buttons = oct_links_buttons(oct_belief_links(belief));
    for (uint32_t i = 0; i < buttons; i++) {
        if (i >= RECORD_LINKS_MAX) {
            record->left_out += buttons - i;
            break;
        }
        const record_link link = link_of(record, agent, i);
        oct_record_push(record, &kept->links, sizeof link, &link, RECORD_LINKS_MAX);
    }
    kept->has_remains = oct_agent_remains(agent, &kept->remains) == OCT_OK;
}
