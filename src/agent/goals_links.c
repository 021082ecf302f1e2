// SPDX-License-Identifier: MIT
// Goals about what buttons do: everything that can be reached is explored and pressed until no link
// that can be decided is open, then what was learned is compared with what was claimed.
#include "agent/belief_internal.h"
#include "agent/evidence.h"
#include "agent/goals_internal.h"
#include "agent/links_internal.h"

#include <stdio.h>

// What is claimed, copied.
typedef struct claims {
    oct_allocator allocator;
    oct_arena texts;
    oct_link_claim *all;
    size_t count;
    bool is_whole; // nothing else toggles anything
} claims;

static void drop_claims(void *ctx)
{
    claims *const c = ctx;
    if (c) {
        oct_arena_free(&c->texts);
        const oct_allocator allocator = c->allocator;
        oct_free(&allocator, c, sizeof *c);
    }
}

static const char *keep(claims *c, const char *text)
{
    if (!text) {
        return NULL;
    }
    const size_t size = strlen(text) + 1;
    char *const copy = oct_arena_alloc(&c->texts, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

static bool copy_claim(claims *c, const oct_link_claim *from, oct_link_claim *to)
{
    const size_t bytes = (from->count + 1) * sizeof(const char *);
    const char **const doors = oct_arena_alloc(&c->texts, bytes, _Alignof(const char *));
    *to = (oct_link_claim){keep(c, from->panel), from->button, doors, from->count};
    bool is_whole = doors && to->panel;
    for (size_t i = 0; i < from->count && is_whole; i++) {
        doors[i] = keep(c, from->doors[i]);
        is_whole = doors[i] != NULL;
    }
    return is_whole;
}

static claims *copy_claims(const oct_allocator *may_be_null, const oct_link_claim *from,
                           size_t count)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    claims *const c = oct_alloc(&allocator, sizeof *c, _Alignof(claims));
    if (!c) {
        return NULL;
    }
    *c = (claims){.allocator = allocator, .count = count};
    oct_arena_init(&c->texts, &allocator);
    c->all = oct_arena_alloc(&c->texts, (count + 1) * sizeof *c->all, _Alignof(oct_link_claim));
    bool is_whole = c->all != NULL;
    for (size_t i = 0; i < count && is_whole; i++) {
        is_whole = copy_claim(c, &from[i], &c->all[i]);
    }
    if (!is_whole) {
        drop_claims(c);
        return NULL;
    }
    return c;
}

// ---- learning ----

static oct_did finish(void *ctx, oct_mind *mind)
{
    (void)mind;
    ((errand *)ctx)->is_done = true;
    return OCT_DID_DONE;
}

static oct_goal *make_learning(const oct_allocator *allocator)
{
    errand *const e = oct_errand_make(allocator, NULL, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->learns = true;
    oct_tactic *const ways[] = {
        oct_settle(allocator), oct_tactic_explore(allocator), oct_look_at_doors(allocator),
        oct_press_what_helps(e),
        oct_tactic_action(allocator, "finish", NULL, finish, oct_errand_hook(e))};
    const oct_leaf_goal leaf = {.name = "learn links",
                                .begin = oct_errand_begins,
                                .solved = oct_errand_is_done,
                                .is_undecided = oct_errand_is_at_work};
    return oct_errand_leaf(e, &leaf,
                           oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

// ---- comparing ----

static bool is_claimed(const oct_link_claim *claim, const char *door)
{
    for (size_t i = 0; claim && i < claim->count; i++) {
        if (strcmp(claim->doors[i], door) == 0) {
            return true;
        }
    }
    return false;
}

static const oct_link_claim *claim_of(const claims *c, const char *panel, uint32_t button)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->all[i].button == button && strcmp(c->all[i].panel, panel) == 0) {
            return &c->all[i];
        }
    }
    return NULL;
}

// One button against what is claimed of it (NULL: nothing): what certainly differs, or what is not
// certain.
static bool holds(oct_agent *a, oct_mind *mind, uint32_t button, const oct_link_claim *claim,
                  bool asks_certain)
{
    const oct_links *const links = oct_belief_links(a->belief);
    const oct_button b = oct_links_button(links, button);
    char panel[OCT_REASON_MAX / 4], door[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, b.panel, panel, sizeof panel);
    for (uint32_t i = 0; i < oct_links_doors(links); i++) {
        const oct_link link = oct_links_get(links, button, i);
        const bool is_certain = link == OCT_LINK_YES || link == OCT_LINK_NO;
        (void)oct_belief_name_of(a->belief, oct_links_door(links, i), door, sizeof door);
        const bool claimed = is_claimed(claim, door);
        if (!asks_certain && !is_certain) {
            oct_mind_because(mind, true, "whether button %u of %s toggles %s is not certain",
                             b.number, panel, door);
            oct_evidence_of_link(a, button, i);
            return false;
        }
        if (asks_certain && is_certain && claimed != (link == OCT_LINK_YES)) {
            oct_mind_because(mind, false,
                             claimed ? "missing link: button %u of %s does not toggle %s"
                                     : "extra link: button %u of %s toggles %s",
                             b.number, panel, door);
            oct_evidence_of_link(a, button, i);
            return false;
        }
    }
    return true;
}

static bool is_found(oct_agent *a, oct_mind *mind, const char *name)
{
    uint32_t index;
    if (oct_belief_find_name(a->belief, name, &index)) {
        return true;
    }
    char seen[OCT_REASON_MAX / 2];
    const bool is_sure = oct_agent_has_seen_all(a, seen, sizeof seen);
    oct_mind_because(mind, !is_sure, "%s was not found: %s", name, seen);
    return false;
}

// What a claim names must have been found.
static bool is_there(oct_agent *a, oct_mind *mind, const oct_link_claim *claim)
{
    bool all = is_found(a, mind, claim->panel);
    for (size_t i = 0; i < claim->count && all; i++) {
        all = is_found(a, mind, claim->doors[i]);
    }
    if (!all) {
        return false;
    }
    uint32_t index;
    (void)oct_belief_find_name(a->belief, claim->panel, &index);
    const oct_known *const k = oct_belief_get(a->belief, index);
    if (claim->button >= k->now.buttons) {
        oct_mind_because(mind, false, "%s has no button %u", claim->panel, claim->button);
        return false;
    }
    return true;
}

static bool hold(void *ctx, oct_mind *mind)
{
    const claims *const c = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const oct_links *const links = oct_belief_links(a->belief);
    for (size_t i = 0; i < c->count; i++) {
        if (!is_there(a, mind, &c->all[i])) {
            return false;
        }
    }
    // One link that certainly differs decides, whatever else is open.
    const uint32_t buttons = oct_links_buttons(links);
    for (uint32_t i = 0; i < 2 * buttons; i++) {
        const uint32_t button = i % buttons;
        const oct_button b = oct_links_button(links, button);
        char panel[OCT_REASON_MAX / 4];
        (void)oct_belief_name_of(a->belief, b.panel, panel, sizeof panel);
        const oct_link_claim *const claim = claim_of(c, panel, b.number);
        const bool is_tried = oct_links_presses(links, button) > 0;
        if ((claim || (c->is_whole && is_tried)) && !holds(a, mind, button, claim, i < buttons)) {
            return false;
        }
        if (!claim && c->is_whole && !is_tried && b.number == 0) {
            oct_agent_add_note(a, "%s was out of reach: what it does was not tried", panel);
        }
    }
    return true;
}

static oct_goal *make(const oct_allocator *allocator, const oct_link_claim *from, size_t count,
                      bool is_whole, const char *name)
{
    claims *const c = copy_claims(allocator, from, count);
    if (!c) {
        return NULL;
    }
    c->is_whole = is_whole;
    oct_goal *const check =
        oct_goal_check(allocator, "compare links", hold, (oct_hook){c, drop_claims});
    oct_goal *const both[] = {make_learning(allocator), check};
    return oct_goal_name(oct_goal_seq(allocator, both, 2), name);
}

oct_goal *oct_goal_opens_only(const oct_allocator *allocator, const oct_link_claim *claim)
{
    char title[OCT_REASON_MAX];
    (void)snprintf(title, sizeof title, "opens_only %s", claim->panel);
    return make(allocator, claim, 1, false, title);
}

oct_goal *oct_goal_links_are(const oct_allocator *allocator, const oct_link_claim *all,
                             size_t count)
{
    return make(allocator, all, count, true, "links_are");
}
