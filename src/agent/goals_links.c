// SPDX-License-Identifier: MIT
// Goals about what buttons do: everything that can be reached is explored and pressed until no link
// that can be decided is open, then what is certain is compared with what was claimed.
#include "agent/belief_internal.h"
#include "agent/decides.h"
#include "agent/evidence.h"
#include "agent/goals_certain.h"
#include "agent/goals_internal.h"
#include "agent/link_kind.h"
#include "agent/link_proof.h"
#include "agent/links_internal.h"

#include <stdio.h>

// What claims say of the doors and buttons that they do not name.
typedef enum claim_scope {
    CLAIM_PART,   // nothing
    CLAIM_BUTTON, // the button does nothing to any other door
    CLAIM_WHOLE   // and no other button does anything
} claim_scope;

// What is claimed, copied.
typedef struct claims {
    oct_allocator allocator;
    oct_arena texts;
    oct_link_claim *all;
    size_t count;
    claim_scope scope;
    oct_array undecided; // of possible_link, that are to be tried
    experiment experiment;
    bool is_tried; // no press that it knows of would tell more
} claims;

static void drop_claims(void *ctx)
{
    claims *const c = ctx;
    if (c) {
        oct_arena_free(&c->texts);
        const oct_allocator allocator = c->allocator;
        oct_array_free(&c->undecided, &allocator, sizeof(possible_link));
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
    *to = (oct_link_claim){keep(c, from->panel), from->button, doors, from->count, from->kind};
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

static bool is_found(void *ctx, oct_mind *mind)
{
    return !oct_goal_target_is_lost(ctx, mind);
}

static oct_did finish(void *ctx, oct_mind *mind)
{
    (void)mind;
    ((goal_target *)ctx)->is_done = true;
    return OCT_DID_DONE;
}

static oct_goal *make_learning(const oct_allocator *allocator)
{
    goal_target *const e = oct_goal_target_make(allocator, NULL, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->learns = true;
    oct_tactic *const ways[] = {
        oct_settle(allocator),
        oct_go_on_pressing(e),
        oct_tactic_explore(allocator),
        oct_look_at_doors(allocator),
        oct_press_what_helps(e),
        oct_tactic_action(allocator, "finish", NULL, finish, oct_goal_target_hook(e))};
    const oct_leaf_goal leaf = {.name = "learn links",
                                .begin = oct_goal_target_begins,
                                .solved = oct_goal_target_is_done,
                                .is_undecided = oct_goal_target_is_at_work};
    return oct_goal_target_leaf(e, &leaf,
                                oct_tactic_first_of(allocator, ways, sizeof ways / sizeof *ways));
}

// Looks for what a claim names, wherever presses may lead.
static oct_goal *make_finding(const oct_allocator *allocator, const char *name)
{
    goal_target *const e =
        oct_goal_target_make(allocator, &(oct_pick){.name = name}, (oct_hook){0});
    if (!e) {
        return NULL;
    }
    e->presses = true;
    oct_tactic *const ways[] = {oct_settle(allocator), oct_find(e), oct_give_up(e)};
    const oct_leaf_goal leaf = {.name = "find",
                                .begin = oct_goal_target_begins,
                                .solved = is_found,
                                .is_undecided = oct_goal_target_is_lost};
    return oct_goal_target_leaf(e, &leaf, oct_tactic_first_of(allocator, ways, 3));
}

// ---- what is asked ----

// A question about a link: is what the button does to the door one of these effects?
typedef struct link_question {
    oct_button button;
    uint64_t door;
    uint32_t effects; // EFFECT_ bits
} link_question;

typedef enum link_answer { LINK_ANSWER_NO, LINK_ANSWER_YES, LINK_ANSWER_UNDECIDED } link_answer;

static link_answer answer_to(const oct_agent *a, const link_question *q)
{
    const uint32_t left = oct_agent_certain_effects(a, q->button, q->door);
    return (left & ~q->effects) == 0  ? LINK_ANSWER_YES
           : (left & q->effects) == 0 ? LINK_ANSWER_NO
                                      : LINK_ANSWER_UNDECIDED;
}

static bool is_of(const claims *c, size_t index, const char *panel, uint32_t button)
{
    return c->all[index].button == button && strcmp(c->all[index].panel, panel) == 0;
}

// The effects that a claim allows.
static uint32_t effects_of(oct_link_kind kind)
{
    switch (kind) {
    case OCT_LINK_KIND_NOTHING:
        return EFFECT_NOTHING;
    case OCT_LINK_KIND_TOGGLES:
        return EFFECT_TOGGLE;
    case OCT_LINK_KIND_OPENS:
        return EFFECT_OPEN;
    case OCT_LINK_KIND_SHUTS:
        return EFFECT_SHUT;
    default:
        return EFFECT_TOGGLE | EFFECT_OPEN;
    }
}

static bool names_door(const oct_link_claim *claim, const char *door)
{
    for (size_t i = 0; i < claim->count; i++) {
        if (strcmp(claim->doors[i], door) == 0) {
            return true;
        }
    }
    return false;
}

// What a button may do to a door: all where nothing is claimed of them.
static uint32_t allowed(const claims *c, const oct_agent *a, uint32_t button, uint64_t door)
{
    const oct_links *const links = oct_belief_links(a->belief);
    const oct_button b = oct_links_button(links, button);
    char panel[OCT_REASON_MAX / 4], name[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, b.panel, panel, sizeof panel);
    (void)oct_belief_name_of(a->belief, door, name, sizeof name);
    bool is_named = c->scope == CLAIM_WHOLE && oct_links_presses(links, button) > 0;
    for (size_t i = 0; i < c->count; i++) {
        if (is_of(c, i, panel, b.number)) {
            if (names_door(&c->all[i], name)) {
                return effects_of(c->all[i].kind);
            }
            is_named = is_named || c->scope != CLAIM_PART;
        }
    }
    return is_named ? EFFECT_NOTHING : EFFECT_ANY;
}

// The questions, by index; false beyond the last.
static bool ask(const claims *c, const oct_agent *a, uint32_t index, link_question *out)
{
    const oct_links *const links = oct_belief_links(a->belief);
    const uint32_t doors = oct_links_doors(links);
    if (doors == 0 || index / doors >= oct_links_buttons(links)) {
        return false;
    }
    out->button = oct_links_button(links, index / doors);
    out->door = oct_links_door(links, index % doors);
    out->effects = allowed(c, a, index / doors, out->door);
    return true;
}

// ---- trying ----

// Lists what is not certain.
static oct_result list_undecided(claims *c, const oct_agent *a)
{
    link_question q;
    c->undecided.count = 0;
    for (uint32_t i = 0; ask(c, a, i, &q); i++) {
        const possible_link link = {q.button, q.door, oct_agent_effects(a, q.button, q.door)};
        if (answer_to(a, &q) == LINK_ANSWER_UNDECIDED) {
            OCT_TRY(oct_array_push(&c->undecided, &c->allocator, sizeof link, &link));
        }
    }
    return OCT_OK;
}

static bool begin_trying(void *ctx, oct_mind *mind)
{
    claims *const c = ctx;
    (void)mind;
    c->experiment = (experiment){.phase = EXPERIMENT_NONE};
    c->is_tried = false;
    return true;
}

// Whether all is certain, or no press that it knows of would tell more.
static bool is_tried(void *ctx, oct_mind *mind)
{
    claims *const c = ctx;
    oct_agent *const a = oct_agent_of(mind);
    return c->is_tried ||
           (c->experiment.phase == EXPERIMENT_NONE &&
            (!oct_agent_can_learn_effects(a) ||
             oct_agent_break(a, list_undecided(c, a)) != OCT_OK || c->undecided.count == 0));
}

// Of a door that may move by itself nothing is certain, whatever is pressed.
static bool watches(claims *c, oct_agent *a)
{
    const possible_link *const all = c->undecided.items;
    bool is = false;
    for (size_t i = 0; i < c->undecided.count && !is; i++) {
        is = oct_experiment_watch(a, &all[i].door, 1, &c->experiment);
    }
    return is;
}

static oct_did try_links(void *ctx, oct_mind *mind)
{
    claims *const c = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (oct_experiment_step(a, &c->experiment)) {
        return OCT_DID_STEP;
    }
    if (oct_agent_break(a, list_undecided(c, a)) == OCT_OK && watches(c, a)) {
        return OCT_DID_STEP;
    }
    c->is_tried = a->has_ended ||
                  !oct_experiment_begin(a, c->undecided.items, c->undecided.count, &c->experiment);
    return OCT_DID_STEP;
}

// When its time ends: how much more it would take, about. Each link takes a press while the door
// is shut and one while it is open.
static bool say_how_long(void *ctx, oct_mind *mind)
{
    claims *const c = ctx;
    oct_agent *const a = oct_agent_of(mind);
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    const size_t open = c->undecided.count;
    if (open > 0) {
        const uint64_t each = 2 * oct_effects_spell(&rules);
        oct_mind_because(mind, true, "%zu link%s not certain", open, open == 1 ? " is" : "s are");
        oct_agent_would_decide(a, "about %.0f s more for presses alone, beside the way there",
                               (double)(open * each) / oct_belief_info(a->belief)->rate);
    }
    return true;
}

static oct_goal *make_trying(const oct_allocator *allocator, claims *c)
{
    const oct_hook hook = {c, NULL};
    const oct_leaf_goal leaf = {
        .name = "try buttons",
        .begin = begin_trying,
        .solved = is_tried,
        .is_undecided = say_how_long,
        .tactic = oct_tactic_action(allocator, "try buttons", NULL, try_links, hook),
        .hook = hook};
    return oct_goal_leaf(allocator, &leaf);
}

// ---- comparing ----

// "toggle", "open", ...: what is claimed.
static const char *verb_of(uint32_t effects)
{
    return effects == EFFECT_TOGGLE    ? "toggle"
           : effects == EFFECT_SHUT    ? "shut"
           : effects == EFFECT_NOTHING ? "move"
                                       : "open";
}

// Says what is otherwise than claimed, or not certain.
static void say(oct_agent *a, oct_mind *mind, const link_question *q, link_answer said)
{
    const oct_link_kind kind = oct_agent_link(a, q->button, q->door);
    oct_ground ground = {.kind = OCT_PROOF_WITNESS, .assumes = oct_agent_effects_assume(a)};
    if (said == LINK_ANSWER_NO) {
        const possible_link link = {q->button, q->door, EFFECT_ANY & ~q->effects};
        (void)oct_agent_break(a, oct_agent_claim_links(a, &link, 1, &ground.claims));
    }
    const uint32_t number = q->button.number;
    const char *const verb = verb_of(q->effects);
    char panel[OCT_REASON_MAX / 4], door[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, q->button.panel, panel, sizeof panel);
    (void)oct_belief_name_of(a->belief, q->door, door, sizeof door);
    if (said == LINK_ANSWER_UNDECIDED) {
        char need[OCT_REASON_MAX];
        oct_mind_because(mind, true, "whether button %u of %s %ss %s is not certain", number, panel,
                         verb, door);
        oct_agent_would_decide(a, "%s",
                               oct_evidence_needed(a, q->button, q->door, need, sizeof need));
    } else if (q->effects == EFFECT_NOTHING) {
        oct_mind_because_of(mind, ground, "extra link: button %u of %s %s %s", number, panel,
                            kind == OCT_LINK_KIND_UNDECIDED ? "moves" : oct_link_kind_name(kind),
                            door);
    } else if (kind == OCT_LINK_KIND_NOTHING || kind == OCT_LINK_KIND_UNDECIDED) {
        oct_mind_because_of(mind, ground, "missing link: button %u of %s does not %s %s", number,
                            panel, verb, door);
    } else {
        oct_mind_because_of(mind, ground, "another link: button %u of %s %s %s, and does not %s it",
                            number, panel, oct_link_kind_name(kind), door, verb);
    }
}

// Whether all questions have this answer or YES; says which has not.
static bool are_all(const claims *c, oct_agent *a, oct_mind *mind, link_answer bad)
{
    const oct_links *const links = oct_belief_links(a->belief);
    link_question q;
    for (uint32_t i = 0; ask(c, a, i, &q); i++) {
        if (answer_to(a, &q) == bad) {
            say(a, mind, &q, bad);
            oct_evidence_of_link(a, i / oct_links_doors(links), i % oct_links_doors(links));
            return false;
        }
    }
    return true;
}

// What claims name was found; buttons must be there.
static bool has_buttons(const claims *c, oct_agent *a, oct_mind *mind)
{
    for (size_t i = 0; i < c->count; i++) {
        const oct_link_claim *const claim = &c->all[i];
        uint32_t index;
        if (!oct_belief_find_name(a->belief, claim->panel, &index)) {
            oct_mind_because(mind, true, "%s has gone", claim->panel);
            return false;
        }
        if (claim->button >= oct_belief_get(a->belief, index)->now.use_count) {
            oct_mind_because(mind, false, "%s has no button %u", claim->panel, claim->button);
            return false;
        }
    }
    return true;
}

// Whether it is excluded that somebody gets so near to what is picked, whatever is pressed.
static bool is_excluded(oct_agent *a, const oct_pick *pick, possible_answer *out)
{
    goal_target *const e = oct_goal_target_make(&a->allocator, pick, (oct_hook){0});
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    if (oct_agent_break(a, e ? OCT_OK : OCT_ERROR_MEMORY) == OCT_OK) {
        e->presses = true;
        e->reach = APPROACH_HAND;
        e->is_own = true; // as far as bodies reach
        oct_goal_target_ask_possible(e, a, out);
        oct_goal_target_drop(e);
    }
    return out->status == POSSIBLE_EXCLUDED;
}

static bool is_claimed(const claims *c, const char *panel, uint32_t button)
{
    for (size_t i = 0; i < c->count; i++) {
        if (is_of(c, i, panel, button)) {
            return true;
        }
    }
    return false;
}

// Buttons of which nothing is claimed were pressed, or nobody gets to them.
static bool has_tried_all(const claims *c, oct_agent *a, oct_mind *mind)
{
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button b = oct_links_button(links, i);
        const oct_pick pick = {.by_id = true, .id = b.panel};
        possible_answer answer;
        char panel[OCT_REASON_MAX / 4];
        (void)oct_belief_name_of(a->belief, b.panel, panel, sizeof panel);
        if (oct_links_presses(links, i) > 0 || is_claimed(c, panel, b.number)) {
            continue;
        }
        if (!is_excluded(a, &pick, &answer)) {
            oct_mind_because(mind, true,
                             "button %u of %s was not pressed: what it does is not "
                             "certain",
                             b.number, panel);
            return false;
        }
        oct_agent_add_note(a, "%s was out of reach: what it does was not tried", panel);
    }
    return true;
}

// Who says that there is nothing else must have seen all that may be got to.
static bool has_seen_all(oct_agent *a, oct_mind *mind)
{
    possible_answer answer;
    char doubt[OCT_REASON_MAX / 2];
    oct_agent_ask_unseen(a, true, &answer);
    if (answer.status == POSSIBLE_EXCLUDED) {
        return true;
    }
    oct_mind_because(mind, true, "all links are as claimed, but there may be more: %s",
                     oct_possible_explain(a, &answer, doubt, sizeof doubt));
    oct_agent_would_decide_possible(a, &answer);
    return false;
}

// What all of it rests on.
static bool keep_evidence(const claims *c, oct_agent *a)
{
    link_question q;
    oct_array links = {0};
    uint64_t bit = 0;
    oct_result result = OCT_OK;
    for (uint32_t i = 0; result == OCT_OK && ask(c, a, i, &q); i++) {
        const possible_link link = {q.button, q.door, q.effects};
        result = q.effects == EFFECT_ANY
                     ? OCT_OK
                     : oct_array_push(&links, &a->allocator, sizeof link, &link);
    }
    result = result == OCT_OK ? oct_agent_claim_links(a, links.items, links.count, &bit) : result;
    oct_array_free(&links, &a->allocator, sizeof(possible_link));
    a->relies |= bit;
    return oct_agent_break(a, result) == OCT_OK;
}

// Notes what each button that is named does to each door that is named with it.
static void note_kinds(const claims *c, oct_agent *a)
{
    link_question q;
    for (uint32_t i = 0; ask(c, a, i, &q); i++) {
        const oct_link_kind kind = oct_agent_link(a, q.button, q.door);
        if (q.effects != EFFECT_ANY && q.effects != EFFECT_NOTHING) {
            char panel[OCT_REASON_MAX / 4], door[OCT_REASON_MAX / 4];
            (void)oct_belief_name_of(a->belief, q.button.panel, panel, sizeof panel);
            (void)oct_belief_name_of(a->belief, q.door, door, sizeof door);
            oct_agent_add_note(a, "button %u of %s %s %s", q.button.number, panel,
                               kind == OCT_LINK_KIND_UNDECIDED ? "toggles or opens"
                                                               : oct_link_kind_name(kind),
                               door);
        }
    }
}

static bool hold(void *ctx, oct_mind *mind)
{
    const claims *const c = ctx;
    oct_agent *const a = oct_agent_of(mind);
    // One link that certainly differs decides, whatever else is open.
    if (!has_buttons(c, a, mind) || !are_all(c, a, mind, LINK_ANSWER_NO) ||
        !are_all(c, a, mind, LINK_ANSWER_UNDECIDED)) {
        return false;
    }
    if (c->scope == CLAIM_WHOLE && !has_tried_all(c, a, mind)) {
        return false;
    }
    if (c->scope != CLAIM_PART && !has_seen_all(a, mind)) {
        return false;
    }
    note_kinds(c, a);
    return keep_evidence(c, a);
}

// ---- goals ----

// Finds all that the claims name. NULL where memory is short.
static oct_goal *make_findings(const oct_allocator *may_be_null, const claims *c)
{
    const oct_allocator *const allocator = may_be_null;
    const oct_allocator memory = oct_allocator_or_default(may_be_null);
    oct_array goals = {.count = 0};
    oct_result result = OCT_OK;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k <= c->all[i].count && result == OCT_OK; k++) {
            oct_goal *const goal =
                make_finding(allocator, k == 0 ? c->all[i].panel : c->all[i].doors[k - 1]);
            result = oct_array_push(&goals, &memory, sizeof goal, &goal);
            if (result != OCT_OK) {
                oct_goal_destroy(goal);
            }
        }
    }
    oct_goal *all = NULL;
    if (result == OCT_OK) {
        all = goals.count > 0 ? oct_goal_seq(allocator, goals.items, goals.count)
                              : oct_goal_success(allocator);
    }
    for (size_t i = 0; result != OCT_OK && i < goals.count; i++) {
        oct_goal_destroy(((oct_goal **)goals.items)[i]);
    }
    oct_array_free(&goals, &memory, sizeof(oct_goal *));
    return all;
}

static oct_goal *make(const oct_allocator *allocator, const oct_link_claim *from, size_t count,
                      claim_scope scope, const char *name)
{
    claims *const c = copy_claims(allocator, from, count);
    if (!c) {
        return NULL;
    }
    c->scope = scope;
    // Who speaks of all doors or buttons looks for them everywhere first. The check owns the
    // claims, and is freed with the others.
    const bool is_part = scope == CLAIM_PART;
    oct_goal *const steps[] = {
        is_part ? oct_goal_success(allocator) : make_learning(allocator),
        is_part ? oct_goal_success(allocator) : oct_explore_all(allocator, true, true),
        oct_goal_name(make_findings(allocator, c), "find all that is named"),
        make_trying(allocator, c),
        oct_goal_check(allocator, "compare links", hold, (oct_hook){c, drop_claims})};
    return oct_goal_name(oct_goal_seq(allocator, steps, sizeof steps / sizeof *steps), name);
}

static oct_goal *make_one(const oct_allocator *allocator, const oct_link_claim *claim,
                          claim_scope scope, const char *name)
{
    char title[OCT_REASON_MAX];
    (void)snprintf(title, sizeof title, "%s %s", name, claim->panel);
    return make(allocator, claim, 1, scope, title);
}

oct_goal *oct_goal_opens_only(const oct_allocator *allocator, const oct_link_claim *claim)
{
    return make_one(allocator, claim, CLAIM_BUTTON, "opens_only");
}

oct_goal *oct_goal_links_are(const oct_allocator *allocator, const oct_link_claim *all,
                             size_t count)
{
    return make(allocator, all, count, CLAIM_WHOLE, "links_are");
}

oct_goal *oct_goal_link(const oct_allocator *allocator, const oct_link_claim *claim)
{
    const char *const name =
        claim->kind == OCT_LINK_KIND_UNDECIDED ? "opens" : oct_link_kind_name(claim->kind);
    return make_one(allocator, claim, CLAIM_PART, name);
}
