// SPDX-License-Identifier: MIT
// How an agent's run ends: its demands, its verdict, and whether that still holds.
#include "agent/agent_turn.h"
#include "agent/decides.h"
#include "agent/goals_certain.h"
#include "agent/ltl_internal.h"
#include "agent/mind.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>

void oct_agent_end(oct_agent *a, oct_verdict verdict, const char *format, ...)
{
    if (a->has_ended) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)oct_vsnprintf(a->reason, sizeof a->reason, format, args);
    va_end(args);
    a->has_ended = true;
    a->verdict = verdict;
    a->ground.kind = verdict == OCT_VERDICT_FAIL ? OCT_PROOF_WITNESS : OCT_PROOF_NONE;
    if (verdict == OCT_VERDICT_INCONCLUSIVE) {
        oct_agent_settle_decides(a);
    }
}

oct_result oct_agent_break(oct_agent *a, oct_result result)
{
    if (result != OCT_OK) {
        // What a link says ends with the last exchange, line by line.
        const char *const trouble = result != OCT_ERROR_MEMORY ? oct_game_trouble(a->game) : "";
        const char *const reason = trouble[0] ? trouble : oct_result_text(result);
        const char *line = reason + strcspn(reason, "\n");
        a->failed = result;
        oct_agent_end(a, OCT_VERDICT_ERROR, "%.*s", (int)(line - reason), reason);
        for (size_t length; *line; line += length) {
            length = strcspn(++line, "\n");
            oct_agent_add_note(a, "the last exchange: %.*s", (int)length, line);
        }
    }
    return result;
}

static double seconds_of(const oct_agent *a)
{
    return (double)agent_self(a)->tick / oct_belief_info(a->belief)->rate;
}

oct_result oct_agent_check_demands(oct_agent *a)
{
    a->heard = oct_belief_events(a->belief);
    for (size_t i = 0; i < a->demands.count; i++) {
        demand *const each = (demand *)a->demands.items + i;
        oct_ltl_verdict verdict;
        oct_mind_listen(a->mind);
        OCT_TRY(oct_ltl_step(each->formula, a, &verdict));
        if (!each->is_open && oct_ltl_is_split(each->formula)) {
            each->is_open = true;
            each->since = agent_self(a)->tick;
            (void)snprintf(each->doubt, sizeof each->doubt, "%s", oct_mind_first_doubt(a->mind));
        }
        if (verdict == OCT_LTL_VIOLATED) {
            oct_agent_end(a, OCT_VERDICT_FAIL, "%s did not hold at %.1f s", each->name,
                          seconds_of(a));
        }
    }
    return OCT_OK;
}

// What was to come before the end and did not.
static void end_demands(oct_agent *a)
{
    for (size_t i = 0; i < a->demands.count; i++) {
        const demand *const each = (const demand *)a->demands.items + i;
        if (oct_ltl_end(each->formula) == OCT_LTL_VIOLATED) {
            oct_agent_end(a, OCT_VERDICT_FAIL, "%s did not hold when the run ended, at %.1f s",
                          each->name, seconds_of(a));
        }
    }
    for (size_t i = 0; i < a->demands.count; i++) {
        const demand *const each = (const demand *)a->demands.items + i;
        if (oct_ltl_end(each->formula) == OCT_LTL_UNDECIDED) {
            oct_agent_end(a, OCT_VERDICT_INCONCLUSIVE,
                          "whether %s held is not known since %.1f s%s%s", each->name,
                          (double)each->since / oct_belief_info(a->belief)->rate,
                          each->doubt[0] ? ": " : "", each->doubt);
        }
    }
}

void oct_agent_conclude(oct_agent *a, oct_goal_status status)
{
    if (oct_mind_is_out_of_memory(a->mind)) {
        (void)oct_agent_break(a, OCT_ERROR_MEMORY);
    }
    if (status == OCT_GOAL_SUCCESS) {
        end_demands(a);
        oct_agent_end(a, OCT_VERDICT_PASS, "%s", "");
    } else if (status == OCT_GOAL_FAILED) {
        oct_ground ground = oct_mind_ground(a->mind);
        if ((ground.assumes & oct_belief_info(a->belief)->denies) != 0) {
            ground = (oct_ground){.kind = OCT_PROOF_NONE}; // something was seen against it since
        }
        // A goal may fail because another way was not found. What games and demands say stays so.
        const char *const doubt = ground.kind != OCT_PROOF_NONE ? a->navigator.kind->doubt : NULL;
        ground = doubt ? (oct_ground){.kind = OCT_PROOF_NONE} : ground;
        const bool had_ended = a->has_ended;
        oct_agent_end(a,
                      ground.kind == OCT_PROOF_NONE ? OCT_VERDICT_INCONCLUSIVE : OCT_VERDICT_FAIL,
                      doubt ? "%s (not certain: %s)" : "%s%s", oct_mind_reason(a->mind, NULL),
                      doubt ? doubt : "");
        a->ground = had_ended || a->verdict != OCT_VERDICT_FAIL ? a->ground : ground;
    }
    oct_agent_review(a);
}

void oct_agent_review(oct_agent *a)
{
    const bool is_pass = a->verdict == OCT_VERDICT_PASS;
    possible_answer now;
    if (!a->has_ended || (!is_pass && a->verdict != OCT_VERDICT_FAIL) ||
        oct_agent_upholds(a, &now) || a->verdict == OCT_VERDICT_ERROR) {
        return;
    }
    char said[OCT_REASON_MAX], doubt[OCT_REASON_MAX / 2];
    (void)snprintf(said, sizeof said, "%s", is_pass ? "all was as claimed" : a->reason);
    (void)oct_possible_explain(a, &now, doubt, sizeof doubt);
    (void)oct_snprintf(a->reason, sizeof a->reason, "withdrawn: %s (%.*s)", doubt,
                       OCT_REASON_MAX / 2, said);
    a->verdict = OCT_VERDICT_INCONCLUSIVE;
    a->ground = (oct_ground){.kind = OCT_PROOF_NONE};
    a->gave_up = true;
    oct_agent_would_decide_possible(a, &now);
}

static const char *const verdict_names[] = {"pass", "fail", "inconclusive", "error"};
_Static_assert(sizeof verdict_names / sizeof *verdict_names == OCT_VERDICT_COUNT, "one each");

const char *oct_verdict_name(oct_verdict verdict)
{
    return (unsigned)verdict < OCT_VERDICT_COUNT ? verdict_names[verdict] : NULL;
}

oct_verdict oct_agent_verdict(const oct_agent *a, const char **reason)
{
    *reason = a->has_ended ? a->reason : "the run has not ended";
    return a->has_ended ? a->verdict : OCT_VERDICT_INCONCLUSIVE;
}

oct_ground oct_agent_ground(const oct_agent *a)
{
    return a->ground;
}

bool oct_agent_has_ended(const oct_agent *a)
{
    return a->has_ended;
}
