// SPDX-License-Identifier: MIT
// Lives: whether a test is played again from the start, and what is done differently then.
#include "agent/agent_internal.h"
#include "agent/belief_internal.h"
#include "agent/ltl_internal.h"
#include "play/play_internal.h"
#include "play/soft_lock.h"

#include <stdio.h>

// ---- what a life has lost ----

// As the agents know the game: a test may deny what it promises.
static effect_rules rules_of(const play *p)
{
    return oct_effect_rules_of(oct_belief_info(play_agents(p)[0]->belief));
}

// Whether no way is known back to where an agent began.
static bool is_cut_off(const play *p, size_t index)
{
    const oct_agent *const a = play_agents(p)[index];
    const oct_point here = agent_self(a)->centre;
    oct_remains ignored; // asking brings what is connected up to date
    if (index >= p->history->starts.count || oct_agent_remains(a, &ignored) != OCT_OK) {
        return false;
    }
    const oct_point start = ((const oct_point *)p->history->starts.items)[index];
    return navigator_connects(&a->navigator, here, here) &&
           navigator_connects(&a->navigator, start, start) &&
           !navigator_connects(&a->navigator, here, start);
}

// Whether it is known how all doors are.
static bool knows_doors(const oct_agent *a)
{
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_doors(links); i++) {
        oct_thing door;
        if (oct_map_thing(oct_belief_map(a->belief), oct_links_door(links, i), &door) &&
            door.label == OCT_UNKNOWN) {
            return false;
        }
    }
    return true;
}

typedef enum shut_in { SHUT_IN_NOBODY, SHUT_IN_MAYBE, SHUT_IN_SURELY } shut_in;

static shut_in find_shut_in(const play *p)
{
    shut_in most = SHUT_IN_NOBODY;
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_agent *const a = play_agents(p)[i];
        if (oct_agent_gave_up(a) && is_cut_off(p, i)) {
            const bool is_sure = knows_doors(a) && !a->navigator.kind->doubt;
            const shut_in is = is_sure ? SHUT_IN_SURELY : SHUT_IN_MAYBE;
            most = is > most ? is : most;
        }
    }
    return most;
}

static const char *name_button(const play *p, oct_button button, char *out, size_t size)
{
    const history_thing *const panel = oct_history_find(p->history, button.panel);
    const char *const name = panel ? panel->told.name : "";
    if (name[0] && panel->told.use_count > 1) {
        (void)snprintf(out, size, "%.80s %u", name, button.number);
    } else if (name[0]) {
        (void)snprintf(out, size, "%.80s", name);
    } else {
        (void)snprintf(out, size, "panel %llu", (unsigned long long)button.panel);
    }
    return out;
}

static oct_result add_finding(play *p, const char *text)
{
    char *const *const all = p->findings.items;
    for (size_t i = 0; i < p->findings.count; i++) {
        if (strcmp(all[i], text) == 0) {
            return OCT_OK;
        }
    }
    char *const copy = oct_copy_text(&p->allocator, text);
    oct_result result = copy ? OCT_OK : OCT_ERROR_MEMORY;
    if (copy) {
        result = oct_array_push(&p->findings, &p->allocator, sizeof copy, &copy);
    }
    if (result != OCT_OK) {
        oct_free_text(&p->allocator, copy);
        return result;
    }
    oct_play_note(p, text);
    return OCT_OK;
}

static oct_result add_soft_lock(play *p, const soft_lock *lock)
{
    char button[128], text[PLAY_TEXT];
    const history_door *const d = (const history_door *)p->history->doors.items + lock->door;
    const char *const door = ((const history_thing *)p->history->things.items)[d->thing].told.name;
    (void)snprintf(text, sizeof text,
                   "soft lock: after pressing %s, %.80s stayed shut, which is open otherwise",
                   name_button(p, lock->button, button, sizeof button), door[0] ? door : "a door");
    return add_finding(p, text);
}

// Soft locks of lives that ended without a verdict: how a door was at the start may have been
// learned in a later one.
static oct_result find_soft_locks(play *p)
{
    const effect_rules rules = rules_of(p);
    const oct_play_life *const lives = p->lives.items;
    const size_t forgotten = p->lives.count - 1 - p->history->life;
    for (size_t i = forgotten; i < p->lives.count; i++) {
        if (lives[i].verdict == OCT_VERDICT_INCONCLUSIVE) {
            const soft_lock lock = oct_soft_lock_of(p->history, &rules, (uint32_t)(i - forgotten));
            OCT_TRY(lock.is_certain ? add_soft_lock(p, &lock) : OCT_OK);
        }
    }
    return OCT_OK;
}

// Says what was lost; what is certain is a finding.
static oct_result tell_loss(play *p, const soft_lock *lock, shut_in shut, oct_button last)
{
    char button[128], text[PLAY_TEXT];
    if (!lock->is_certain && shut < SHUT_IN_SURELY) {
        (void)snprintf(p->loss, sizeof p->loss, "; from the start another order may work");
        return OCT_OK;
    }
    (void)name_button(p, lock->is_certain ? lock->button : last, button, sizeof button);
    (void)snprintf(p->loss, sizeof p->loss,
                   "; shut in after pressing %s; from the start another order may work", button);
    (void)snprintf(text, sizeof text, "soft lock: shut in after pressing %s", button);
    return lock->is_certain ? OCT_OK : add_finding(p, text);
}

// ---- what the next one does differently ----

static bool has_button(const oct_array *list, oct_button button)
{
    const oct_button *const all = list->items;
    for (size_t i = 0; i < list->count; i++) {
        if (all[i].panel == button.panel && all[i].number == button.number) {
            return true;
        }
    }
    return false;
}

static oct_result add_button(play *p, oct_array *list, oct_button button)
{
    return has_button(list, button) ? OCT_OK
                                    : oct_array_push(list, &p->allocator, sizeof button, &button);
}

// Buttons after whose presses a door was seen to shut, and never to open, in any life that is
// remembered.
static oct_result find_shutters(play *p)
{
    for (size_t d = 0; d < p->history->doors.count; d++) {
        const history_door *const door = (const history_door *)p->history->doors.items + d;
        for (size_t i = 0; i < door->runs.count; i++) {
            const history_press *const press = oct_soft_lock_press(p->history, door, i);
            OCT_TRY(press && !oct_press_was_seen_to_open(p->history, door, press->button)
                        ? add_button(p, &p->shutters, press->button)
                        : OCT_OK);
        }
    }
    return OCT_OK;
}

// Whether presses of a button were seen to open anything, in any life that is remembered.
static bool is_useful(const play *p, oct_button button)
{
    for (size_t d = 0; d < p->history->doors.count; d++) {
        const history_door *const door = (const history_door *)p->history->doors.items + d;
        if (oct_press_was_seen_to_open(p->history, door, button)) {
            return true;
        }
    }
    return false;
}

// The last button that was pressed in this life and never avoided so far; one that opens nothing
// before all others.
static const history_press *find_suspect(const play *p)
{
    const history_press *const all = p->history->presses.items;
    const history_press *useful = NULL;
    for (size_t i = p->history->presses.count; i-- > 0;) {
        if (all[i].life != p->history->life || has_button(&p->shutters, all[i].button) ||
            has_button(&p->suspects, all[i].button)) {
            continue;
        }
        if (!is_useful(p, all[i].button)) {
            return &all[i];
        }
        useful = useful ? useful : &all[i];
    }
    return useful;
}

// Whether the last life was the one before it all over again: another would be, too.
static bool is_repeated(const play *p)
{
    const history_press *const all = p->history->presses.items;
    const oct_play_life *const lives = (const oct_play_life *)p->lives.items + p->lives.count;
    const size_t count = p->lives.count > 1 ? lives[-1].presses : 0;
    if (count == 0 || p->history->life == 0 || lives[-2].presses != count ||
        lives[-2].ticks != lives[-1].ticks) {
        return false;
    }
    const history_press *const last = all + p->history->presses.count - count;
    for (size_t i = 0; i < count; i++) {
        const history_press *const before = last - count + i;
        if (before->button.panel != last[i].button.panel ||
            before->button.number != last[i].button.number ||
            last[i].tick - last[0].tick != before->tick - (last - count)->tick) {
            return false;
        }
    }
    return true;
}

// Chooses what the next life avoids; false where it would avoid what an earlier one did.
static oct_result choose_avoided(play *p, bool *is_new)
{
    if (is_repeated(p)) {
        *is_new = false;
        return OCT_OK;
    }
    const size_t before = p->shutters.count;
    OCT_TRY(find_shutters(p));
    p->has_suspect = p->shutters.count == before;
    *is_new = !p->has_suspect;
    const history_press *const suspect = p->has_suspect ? find_suspect(p) : NULL;
    if (suspect) {
        *is_new = true;
        OCT_TRY(add_button(p, &p->suspects, suspect->button));
    }
    return OCT_OK;
}

oct_result oct_lives_avoid(play *p)
{
    const oct_button *const shutters = p->shutters.items, *const suspects = p->suspects.items;
    for (size_t i = 0; i < p->shutters.count; i++) {
        OCT_TRY(oct_history_avoid(p->history, shutters[i]));
    }
    return p->has_suspect ? oct_history_avoid(p->history, suspects[p->suspects.count - 1]) : OCT_OK;
}

// ---- the end of a life ----

// Whether all have ended, nobody has failed, and somebody gave up what is not excluded.
static bool is_open_ended(const play *p)
{
    bool has_given_up = false;
    for (size_t i = 0; i < p->agents.count; i++) {
        const char *reason;
        const oct_agent *const a = play_agents(p)[i];
        const oct_verdict verdict = oct_agent_verdict(a, &reason);
        // Nobody rises from the dead.
        if (verdict == OCT_VERDICT_FAIL || verdict == OCT_VERDICT_ERROR ||
            !oct_agent_has_ended(a) || !(agent_self(a)->health > 0.0)) {
            return false;
        }
        has_given_up =
            has_given_up || (verdict == OCT_VERDICT_INCONCLUSIVE && oct_agent_gave_up(a));
    }
    return has_given_up;
}

static oct_result log_life(play *p, size_t presses)
{
    oct_play_life life = {.presses = (uint32_t)presses, .ticks = oct_game_tick(p->game)};
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_agent_times times = oct_agent_spent(play_agents(p)[i]);
        const uint64_t turns = oct_agent_turns(play_agents(p)[i]);
        oct_agent_times_add(&p->times, &times);
        life.turns = turns > life.turns ? turns : life.turns;
    }
    p->ticks += life.ticks;
    p->turns += life.turns;
    OCT_TRY(oct_play_judge_life(p, &life));
    const oct_result result = oct_array_push(&p->lives, &p->allocator, sizeof life, &life);
    if (result != OCT_OK) {
        oct_free_text(&p->allocator, life.reason);
    }
    return result;
}

static bool has_budget(const play *p)
{
    const oct_test_def *const test = p->test;
    return p->lives.count < (test->lives > 0 ? test->lives : 1) &&
           (test->seconds == 0.0 || p->ticks < oct_play_ticks(test->seconds, p->rate)) &&
           (test->turns == 0 || p->turns < test->turns);
}

static void note_life(play *p)
{
    const oct_play_life *const life = (const oct_play_life *)p->lives.items + p->lives.count - 1;
    char note[PLAY_TEXT];
    (void)snprintf(note, sizeof note, "life %zu: %s after %.1f s, %u presses: %.300s",
                   p->lives.count, oct_verdict_name(life->verdict), (double)life->ticks / p->rate,
                   life->presses, life->reason);
    oct_play_note(p, note);
}

// Keeps the first demand of which it is not known whether the life that has ended broke it.
static void keep_open_demand(play *p)
{
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_array *const all = &play_agents(p)[i]->demands;
        for (size_t k = 0; k < all->count && !p->open[0]; k++) {
            const demand *const each = (const demand *)all->items + k;
            if (each->is_open && oct_ltl_may_be_violated(each->formula)) {
                (void)snprintf(p->open, sizeof p->open,
                               "whether %.80s held is not known since %.1f s of life %zu%s%.200s",
                               each->name, (double)each->since / oct_game_describe(p->game)->rate,
                               p->lives.count, each->doubt[0] ? ": " : "", each->doubt);
            }
        }
    }
}

oct_result oct_lives_end(play *p, bool is_interrupted, bool *goes_on)
{
    const history_press *last;
    const uint32_t life = p->history->life;
    const size_t presses = oct_life_presses(p->history, life, &last);
    *goes_on = false;
    p->loss[0] = '\0';
    OCT_TRY(log_life(p, presses));
    if (is_interrupted || p->has_failed) {
        return OCT_OK;
    }
    OCT_TRY(find_soft_locks(p));
    if (presses == 0 || !is_open_ended(p) || !oct_stage_has_lives(p)) {
        return OCT_OK;
    }
    const effect_rules rules = rules_of(p);
    const soft_lock lock = oct_soft_lock_of(p->history, &rules, life);
    const shut_in shut = find_shut_in(p);
    if (!lock.may_be && shut == SHUT_IN_NOBODY) {
        return OCT_OK;
    }
    OCT_TRY(tell_loss(p, &lock, shut, last->button));
    OCT_TRY(has_budget(p) ? choose_avoided(p, goes_on) : OCT_OK);
    if (*goes_on) {
        keep_open_demand(p);
        note_life(p);
    }
    return OCT_OK;
}
