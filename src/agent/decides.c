// SPDX-License-Identifier: MIT
// What would decide a verdict that is open: said by who leaves it open, beside the reason.
#include "agent/decides.h"
#include "agent/belief_internal.h"
#include "agent/evidence.h"
#include "agent/goals_internal.h"
#include "agent/link_kind.h"
#include "agent/mind_internal.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>

void oct_agent_would_decide(oct_agent *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    oct_reason_write(a->decides, format, arguments);
    va_end(arguments);
    oct_reason_copy(a->decides_of, a->mind->said);
}

void oct_agent_would_decide_doubt(oct_agent *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    oct_reason_write(a->decides, format, arguments);
    va_end(arguments);
    oct_reason_copy(a->decides_of, a->mind->doubt);
}

void oct_agent_would_decide_possible(oct_agent *a, const possible_answer *answer)
{
    char need[OCT_REASON_MAX];
    const oct_game_info *const info = oct_belief_info(a->belief);
    const oct_point p = answer->unseen.at[0];
    if (answer->status == POSSIBLE_EXCLUDED) {
        return;
    }
    if (answer->has_denied && answer->denied == OCT_ASSUME_TRUTH && !info->has_bounds) {
        oct_agent_would_decide(a, "bounds of the level that the game promises");
    } else if (answer->has_denied) {
        oct_agent_would_decide(a, "a game and a test that do not deny '%s'",
                               oct_assumption_name(answer->denied));
    } else if (answer->undecided_count > 0) {
        const possible_link *const link = &answer->undecided[0];
        oct_agent_would_decide(a, "%s",
                               oct_evidence_needed(a, link->button, link->door, need, sizeof need));
    } else if (answer->status == POSSIBLE_UNSEEN && answer->unseen.has_hidden) {
        oct_agent_would_decide(a, "smaller cells of the map: a smaller `cell` of the test");
    } else if (answer->status == POSSIBLE_UNSEEN && answer->unseen.count == 0) {
        oct_agent_would_decide(a, "a level in which nothing solid moves but doors");
    } else if (answer->status == POSSIBLE_UNSEEN) {
        oct_agent_would_decide(a, "a look at %.1f, %.1f, %.1f", p.x, p.y, p.z);
    } else if (answer->unwatched_count > 0) {
        char door[OCT_REASON_MAX / 4];
        const effect_rules rules = oct_effect_rules_of(info);
        (void)oct_belief_name_of(a->belief, answer->unwatched[0], door, sizeof door);
        oct_agent_would_decide(a, "watching %s for %.0f s while nothing is pending", door,
                               (double)rules.settle / oct_belief_info(a->belief)->rate);
    } else if (answer->status == POSSIBLE_LIMIT) {
        oct_agent_would_decide(a, oct_belief_history(a->belief)->starts.count > 1
                                      ? "a test of it with one agent"
                                      : "fewer doors and buttons that matter for it");
    } else {
        oct_agent_would_decide(
            a, "a part of the way as a goal of its own: one to there is not excluded");
    }
}

// ---- when the run has ended ----

// What is left to do until all is certain: how long presses alone take, and what is to be seen.
static void say_how_long(oct_agent *a)
{
    const oct_links *const links = oct_belief_links(a->belief);
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    char seen[OCT_REASON_MAX / 2];
    uint64_t open = 0;
    for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
        for (uint32_t d = 0; d < oct_links_doors(links) && !rules.toggles; d++) {
            open += oct_agent_link(a, oct_links_button(links, b), oct_links_door(links, d)) ==
                    OCT_LINK_KIND_UNDECIDED;
        }
    }
    const bool has_seen_all = oct_agent_has_seen_all(a, seen, sizeof seen);
    // Each takes a press while the door is shut and one while it is open.
    const double seconds =
        (double)(open * 2 * oct_effects_spell(&rules)) / oct_belief_info(a->belief)->rate;
    if (open > 0) {
        (void)oct_snprintf(
            a->decides, sizeof a->decides,
            "more time: at most %.0f s for presses alone, which decide %llu link%s%s%s", seconds,
            (unsigned long long)open, open == 1 ? "" : "s", has_seen_all ? "" : "; ",
            has_seen_all ? "" : seen);
    } else {
        (void)snprintf(a->decides, sizeof a->decides, "a larger limit of seconds or turns%s%s",
                       has_seen_all ? "" : "; ", has_seen_all ? "" : seen);
    }
}

void oct_agent_settle_decides(oct_agent *a)
{
    const char *const reason = a->reason;
    // Another goal may have had the last word.
    if (a->decides[0] && a->decides_of[0] && strstr(reason, a->decides_of)) {
        return;
    }
    if (strncmp(reason, "out of time", 11) == 0 || strncmp(reason, "out of budget", 13) == 0) {
        say_how_long(a);
    } else if (strstr(reason, "was not found") || strstr(reason, "was not seen yet")) {
        (void)snprintf(a->decides, sizeof a->decides,
                       "a goal before it that explores until it is "
                       "seen");
    } else {
        (void)snprintf(a->decides, sizeof a->decides,
                       "another test: this run shows nothing about the level");
    }
}

const char *oct_agent_decides(const oct_agent *a)
{
    const char *reason;
    if (oct_agent_verdict(a, &reason) != OCT_VERDICT_INCONCLUSIVE) {
        return "";
    }
    return a->has_ended ? a->decides : "playing it to its end";
}
