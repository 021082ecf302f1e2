// SPDX-License-Identifier: MIT
// The verdict of a test: which agent decides, what it expects, and its notes.
#include "agent/agent_internal.h"
#include "agent/goals_certain.h"
#include "agent/history.h"
#include "agent/mind_internal.h"
#include "agent/proof.h"
#include "base/print.h"
#include "play/play_internal.h"

#include <stdio.h>

#define REASON_SIZE (2 * PLAY_TEXT + 16)

typedef struct judged {
    const oct_agent *decider; // NULL = none
    oct_verdict verdict;
    oct_ground ground; // of a FAIL
    char reason[REASON_SIZE];
    char decides[PLAY_TEXT]; // of INCONCLUSIVE
    char where[PLAY_TEXT];
} judged;

// ---- what happened ----

// Which agent decides: the first with an error, else with a failure, else that stayed open.
static const oct_agent *find_decider(const play *p, oct_verdict *verdict, const char **reason)
{
    static const oct_verdict order[] = {OCT_VERDICT_ERROR, OCT_VERDICT_FAIL,
                                        OCT_VERDICT_INCONCLUSIVE, OCT_VERDICT_PASS};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (size_t i = 0; i < p->agents.count; i++) {
            const oct_agent *const a = play_agents(p)[i];
            *verdict = oct_agent_verdict(a, reason);
            if (*verdict == order[k] && (oct_agent_has_ended(a) || p->agents.count == 1)) {
                return a;
            }
        }
    }
    return play_agents(p)[0];
}

// "at 1.0, 2.0, 3.0 after 4.5 s, doing: goal"
static void write_where(const play *p, const oct_agent *agent, char *out, size_t size)
{
    const oct_self *const self = oct_belief_self(oct_agent_belief(agent));
    const char *const goal = oct_mind_goal(oct_agent_mind(agent));
    (void)oct_snprintf(out, size, "at %.1f, %.1f, %.1f after %.1f s%s%s", self->centre.x,
                       self->centre.y, self->centre.z, (double)self->tick / p->rate,
                       goal[0] ? ", doing: " : "", goal);
}

// The test itself failed, or the game could not be made.
static void judge_error(const play *p, judged *j)
{
    char at[PLAY_TEXT] = "";
    if (p->has_begun) {
        write_where(p, p->culprit ? p->culprit : play_agents(p)[0], at, sizeof at);
    }
    j->verdict = OCT_VERDICT_ERROR;
    j->ground = (oct_ground){.kind = OCT_PROOF_NONE};
    (void)snprintf(j->reason, sizeof j->reason, "%s%s%s%s", p->error, at[0] ? " (" : "", at,
                   at[0] ? ")" : "");
    (void)snprintf(j->where, sizeof j->where, "%s", p->place[0] ? p->place : at);
}

static void judge_run(const play *p, judged *j)
{
    const char *reason;
    const oct_agent *const decider = find_decider(p, &j->verdict, &reason);
    j->decider = decider;
    j->ground = oct_agent_ground(decider);
    (void)snprintf(j->decides, sizeof j->decides, "%s", oct_agent_decides(decider));
    const bool is_one = p->agents.count == 1 || j->verdict == OCT_VERDICT_PASS;
    (void)snprintf(j->reason, sizeof j->reason, "%s%s%s%s", is_one ? "" : oct_agent_name(decider),
                   is_one ? "" : ": ", reason,
                   j->verdict == OCT_VERDICT_INCONCLUSIVE ? p->loss : "");
    // What may have been broken in one life is not repaired by the next.
    if (j->verdict == OCT_VERDICT_PASS && p->open[0]) {
        j->verdict = OCT_VERDICT_INCONCLUSIVE;
        (void)snprintf(j->reason, sizeof j->reason, "%s", p->open);
        (void)snprintf(j->decides, sizeof j->decides,
                       "a goal that lets it be seen in every life, or a test of one life");
    }
    write_where(p, decider, j->where, sizeof j->where);
}

// Turns the verdict of a test that expects another one than to pass.
static void turn_verdict(play *p, judged *j)
{
    const oct_verdict expected = p->test->expect;
    const char *const wanted = p->test->reason;
    char said[REASON_SIZE];
    if (expected == OCT_VERDICT_PASS) {
        return;
    }
    (void)snprintf(said, sizeof said, "%s", j->reason);
    if (expected == OCT_VERDICT_FAIL && j->verdict == OCT_VERDICT_INCONCLUSIVE) {
        // Whether it fails is what is not known.
        (void)snprintf(j->reason, sizeof j->reason,
                       "expected fail, but that is not certain: %.600s", said);
    } else if (j->verdict != expected) {
        (void)snprintf(j->reason, sizeof j->reason, "expected %s, but it was %s%s%.600s",
                       oct_verdict_name(expected), oct_verdict_name(j->verdict),
                       said[0] ? ": " : "", said);
        j->verdict = OCT_VERDICT_FAIL;
        j->ground = (oct_ground){.kind = OCT_PROOF_WITNESS};
    } else if (wanted && !strstr(said, wanted)) {
        (void)snprintf(j->reason, sizeof j->reason, "expected %s because of '%.200s', but: %.600s",
                       oct_verdict_name(expected), wanted, said);
        j->verdict = OCT_VERDICT_FAIL;
    } else {
        char note[REASON_SIZE + 48];
        (void)snprintf(note, sizeof note, "%s, as expected: %s", oct_verdict_name(expected), said);
        oct_play_note(p, note);
        j->reason[0] = '\0';
        j->verdict = OCT_VERDICT_PASS;
    }
}

// ---- the result ----

// Notes of the test come first, then those of each agent.
static oct_result keep_notes(const play *p, oct_play_result *out)
{
    size_t count = p->notes.count;
    for (size_t i = 0; i < p->agents.count; i++) {
        count += oct_agent_notes(play_agents(p)[i]);
    }
    if (count == 0) {
        return OCT_OK;
    }
    out->notes = oct_alloc(&out->allocator, count * sizeof(char *), _Alignof(char *));
    if (!out->notes) {
        return OCT_ERROR_MEMORY;
    }
    memset(out->notes, 0, count * sizeof(char *));
    out->note_count = count;
    size_t n = 0;
    bool is_whole = true;
    for (size_t i = 0; i < p->notes.count; i++, n++) {
        out->notes[n] = oct_copy_text(&out->allocator, ((char *const *)p->notes.items)[i]);
        is_whole = is_whole && out->notes[n];
    }
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_agent *const a = play_agents(p)[i];
        for (size_t k = 0; k < oct_agent_notes(a); k++, n++) {
            out->notes[n] = oct_copy_text(&out->allocator, oct_agent_note(a, k));
            is_whole = is_whole && out->notes[n];
        }
    }
    return is_whole ? OCT_OK : OCT_ERROR_MEMORY;
}

oct_result oct_play_judge_life(const play *p, oct_play_life *out)
{
    judged j = {.decider = NULL};
    if (p->has_failed) {
        judge_error(p, &j);
    } else {
        judge_run(p, &j);
    }
    out->verdict = j.verdict;
    out->reason = oct_copy_text(&p->allocator, j.reason);
    return out->reason ? OCT_OK : OCT_ERROR_MEMORY;
}

// Hands over the items of a list: they are no longer the test's.
static oct_result hand_over(oct_array *from, size_t item_size, const oct_allocator *allocator,
                            oct_array *to)
{
    OCT_TRY(oct_array_reserve(to, allocator, item_size, from->count));
    if (from->count > 0) {
        memcpy(to->items, from->items, from->count * item_size);
    }
    to->count = from->count;
    from->count = 0;
    return OCT_OK;
}

static oct_result keep_lives(play *p, oct_play_result *out)
{
    oct_array lives = {0}, findings = {0};
    OCT_TRY(hand_over(&p->lives, sizeof(oct_play_life), &out->allocator, &lives));
    out->lives = lives.items;
    out->life_count = lives.count;
    OCT_TRY(hand_over(&p->findings, sizeof(char *), &out->allocator, &findings));
    out->findings = findings.items;
    out->finding_count = findings.count;
    return OCT_OK;
}

static bool is_of_level(oct_proof_kind kind)
{
    return kind == OCT_PROOF_CUT || kind == OCT_PROOF_STATES;
}

// Whether the verdict rests on what an agent has claimed.
static bool rests_on(const oct_play_result *out, const oct_agent *decider, const oct_agent *agent)
{
    // A witness may come with claims: one child of FIRSTof, and then another.
    const bool is_of_decider =
        is_of_level(out->proof) || (decider && oct_agent_ground(decider).claims != 0);
    return decider && (is_of_decider ? agent == decider
                                     : out->verdict == OCT_VERDICT_PASS && !out->is_interrupted);
}

// Copies the proofs that the verdict rests on, or those that were claimed besides.
static oct_result copy_proofs(const play *p, const oct_agent *decider, bool is_ground,
                              oct_play_result *out, size_t *n)
{
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_agent *const a = play_agents(p)[i];
        for (size_t k = 0; rests_on(out, decider, a) && k < oct_agent_proofs(a); k++) {
            if (oct_agent_rests_on(a, k) == is_ground) {
                OCT_TRY(oct_proof_copy(oct_agent_proof(a, k), &out->allocator, &out->proofs[*n]));
                (*n)++;
            }
        }
    }
    return OCT_OK;
}

static oct_result keep_proofs(const play *p, const oct_agent *decider, oct_play_result *out)
{
    oct_array proofs = {0};
    size_t count = 0;
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_agent *const a = play_agents(p)[i];
        count += rests_on(out, decider, a) ? oct_agent_proofs(a) : 0;
    }
    OCT_TRY(oct_array_reserve(&proofs, &out->allocator, sizeof(oct_proof *), count));
    out->proofs = proofs.items;
    out->proof_count = count;
    if (count > 0) {
        memset(out->proofs, 0, count * sizeof(oct_proof *));
    }
    size_t copied = 0;
    OCT_TRY(copy_proofs(p, decider, true, out, &copied));
    out->ground_count = copied;
    return copy_proofs(p, decider, false, out, &copied);
}

oct_result oct_play_judge(play *p, oct_play_result *out)
{
    judged j = {.decides = ""};
    if (p->has_failed) {
        judge_error(p, &j);
    } else {
        judge_run(p, &j);
    }
    if (out->is_interrupted) {
        j.verdict = OCT_VERDICT_INCONCLUSIVE;
        j.ground = (oct_ground){.kind = OCT_PROOF_NONE};
        (void)snprintf(j.reason, sizeof j.reason, "interrupted");
        (void)snprintf(j.decides, sizeof j.decides, "playing it to its end");
    } else if (!p->is_contradicted && !p->is_lost) {
        turn_verdict(p, &j);
    }
    out->verdict = j.verdict;
    out->proof = j.ground.kind;
    out->assumes = j.ground.assumes;
    out->reason = oct_copy_text(&out->allocator, j.reason);
    out->where = oct_copy_text(&out->allocator, j.where);
    out->decides =
        oct_copy_text(&out->allocator, j.verdict == OCT_VERDICT_INCONCLUSIVE ? j.decides : "");
    OCT_TRY(out->reason && out->where && out->decides ? keep_notes(p, out) : OCT_ERROR_MEMORY);
    OCT_TRY(keep_lives(p, out));
    OCT_TRY(p->history ? oct_log_finish(&p->history->log, &out->allocator, &out->log) : OCT_OK);
    return keep_proofs(p, j.decider, out);
}
