// SPDX-License-Identifier: MIT
// The steps of a turn. Each looks at the last goal of the path: a leaf is judged, and acts if it is
// still open; a combination concludes, or begins its next child. What concludes leaves the path,
// and stays as it is for the one above to look at.
#include "agent/mind_internal.h"
#include "octant/game.h"

#include <inttypes.h>
#include <math.h>

// ---- words ----

OCT_FORMAT(2, 3) static void write_reason(char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    oct_reason_write(reason, format, arguments);
    va_end(arguments);
}

static void tell(const oct_mind *m, unsigned kind, uint32_t depth, const char *words)
{
    if (!m->event) {
        return;
    }
    const oct_mind_event event = {.kind = kind,
                                  .turn = m->turns,
                                  .tick = m->tick,
                                  .depth = depth,
                                  .goal = m->path[depth]->name,
                                  .text = words,
                                  .status = m->path[depth]->status};
    m->event(m->event_ctx, &event);
}

// ---- beginnings and ends ----

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void shuffle(oct_goal *goal, oct_random *random)
{
    for (size_t i = 0; i < goal->count; i++) {
        goal->order[i] = (uint32_t)i;
    }
    for (size_t left = goal->count; left > 1; left--) {
        const size_t i = (size_t)oct_random_below(random, left);
        const uint32_t last = goal->order[left - 1];
        goal->order[left - 1] = goal->order[i];
        goal->order[i] = last;
    }
}

void oct_mind_begin(oct_mind *m, oct_goal *goal)
{
    oct_goal *const above = m->depth > 0 ? m->path[m->depth - 1] : NULL;
    if (above) {
        above->last = goal;
    }
    oct_goal_reset(goal);
    goal->status = OCT_GOAL_CURRENT;
    goal->rounds++;
    goal->begun = m->tick;
    goal->ended = 0;
    goal->turns_left = least(goal->turns_limit, above ? above->turns_left : UINT64_MAX);
    goal->ticks_left = least(goal->ticks_limit, above ? above->ticks_left : UINT64_MAX);
    goal->last = NULL;
    goal->at = 0;
    goal->has_begun = goal->is_done = goal->is_aborted = goal->runs_on = false;
    goal->goes_on = NULL;
    if (goal->kind == OCT_GOAL_ANY_OF) {
        shuffle(goal, &m->random);
    }
    m->has_said = false;
    m->choice_doubt[0] = m->done_doubt[0] = '\0';
    m->path[m->depth++] = goal;
    tell(m, OCT_MIND_BEGINS, m->depth - 1, "");
}

// Concludes the last goal of the path. Where memory was short no answer counts.
static void conclude(oct_mind *m, oct_goal_status status, const char *reason, oct_ground ground)
{
    oct_goal *const goal = m->path[m->depth - 1];
    goal->status = m->lacks_memory ? OCT_GOAL_FAILED : status;
    goal->ended = m->tick;
    goal->ground = m->lacks_memory ? ground_none : ground;
    oct_reason_copy(goal->reason, m->lacks_memory ? "out of memory" : reason);
    tell(m, OCT_MIND_ENDS, m->depth - 1, goal->reason);
    m->depth--;
    m->concluded++;
}

static void succeed(oct_mind *m)
{
    conclude(m, OCT_GOAL_SUCCESS, "", ground_none);
}

void oct_mind_fail_from(oct_mind *m, uint32_t depth, const char *reason, oct_ground ground)
{
    while (m->depth > depth) {
        conclude(m, OCT_GOAL_FAILED, reason, ground);
    }
}

// Fails the last goal for what was said, or else because it, say, "was aborted".
static void fail(oct_mind *m, const char *otherwise)
{
    if (m->has_said) {
        conclude(m, OCT_GOAL_FAILED, m->said, m->said_ground);
        return;
    }
    char reason[OCT_REASON_MAX];
    write_reason(reason, "%s %s", m->path[m->depth - 1]->name, otherwise);
    conclude(m, OCT_GOAL_FAILED, reason, ground_witness);
}

static void write_doubt(const oct_mind *m, char *reason)
{
    if (m->has_said) {
        write_reason(reason, "%s (not certain: %s)", m->said, m->doubt);
    } else {
        write_reason(reason, "whether %s holds is not known: %s", m->path[m->depth - 1]->name,
                     m->doubt);
    }
}

// Fails the last goal because what it asked is not known.
static void fail_in_doubt(oct_mind *m)
{
    char reason[OCT_REASON_MAX];
    write_doubt(m, reason);
    conclude(m, OCT_GOAL_FAILED, reason, ground_none);
}

// As the child did.
static void pass_up(oct_mind *m, const oct_goal *child)
{
    conclude(m, child->status, child->reason, child->ground);
}

// ---- questions ----

// Only a leaf, CHECK and DEPLOY have something to say. Doubts about the answer are noted.
static bool ask(oct_mind *m, oct_test_fn *test, const oct_hook *hook, bool may_speak)
{
    m->may_speak = may_speak;
    oct_mind_listen(m);
    const bool answer = test(hook->ctx, m);
    m->may_speak = false;
    return answer;
}

// What is undecided may be so because nobody has looked.
static bool may_know_more(oct_mind *m)
{
    return m->refresh && m->refresh(m->state);
}

// An answer may rest on what was read before.
static void recall(const oct_mind *m)
{
    if (m->recall) {
        m->recall(m->state);
    }
}

// REPEAT goes on where it is in doubt, and may be for ever: what was read before does not count.
static bool ask_once(oct_mind *m, const oct_goal *goal, bool may_speak)
{
    const bool answer = ask(m, goal->test, &goal->hook, may_speak);
    if (goal->kind != OCT_GOAL_REPEAT) {
        recall(m);
    }
    return answer;
}

static bool ask_goal(oct_mind *m, const oct_goal *goal, bool may_speak)
{
    const bool answer = ask_once(m, goal, may_speak);
    return m->doubts > 0 && may_know_more(m) ? ask_once(m, goal, may_speak) : answer;
}

// Who seems to be there, but is not certain of it, looks; who is not there goes on anyway.
static bool is_solved(oct_mind *m, const oct_goal *leaf)
{
    if (leaf->test) {
        const bool is = ask(m, leaf->test, &leaf->hook, true);
        return (is && m->doubts > 0 && may_know_more(m) ? ask(m, leaf->test, &leaf->hook, true)
                                                        : is) &&
               m->doubts == 0;
    }
    oct_mind_listen(m);
    if (!leaf->distance) {
        return leaf->is_done && !m->done_doubt[0];
    }
    m->may_speak = true;
    const double distance = leaf->distance(leaf->hook.ctx, m);
    m->may_speak = false;
    return fabs(distance) <= leaf->epsilon && m->doubts == 0;
}

// ---- budgets ----

static bool has_ended(const oct_goal *goal)
{
    return goal->turns_left == 0 || goal->ticks_left == 0;
}

// Why its last goal would go on, if it could: what is not known, what the leaf said, or why the
// last child failed.
static const char *say_what_was(oct_mind *m)
{
    const oct_goal *const goal = m->path[m->depth - 1];
    if (m->doubts > 0) {
        return m->doubt;
    }
    if (goal->kind != OCT_GOAL_LEAF) {
        const bool has_failed = goal->last && goal->last->status == OCT_GOAL_FAILED;
        return has_failed ? goal->last->reason : "";
    }
    if (goal->is_undecided) {
        (void)ask(m, goal->is_undecided, &goal->hook, true);
    }
    return m->has_said ? m->said : "";
}

// Fails the outermost goal whose budget has ended; false where none has. It has a limit of its own,
// since the one above it has something left. That a budget ends says nothing about the world,
// unless the time is what is tested.
static bool fail_without_budget(oct_mind *m)
{
    uint32_t depth = 0;
    while (depth < m->depth && !has_ended(m->path[depth])) {
        depth++;
    }
    if (depth == m->depth) {
        return false;
    }
    const oct_goal *const goal = m->path[depth];
    const char *const said = say_what_was(m);
    const bool is_tested = goal->is_within && goal->turns_left > 0;
    const char *const before = *said ? " (" : "", *const after = *said ? ")" : "";
    char reason[OCT_REASON_MAX];
    if (goal->turns_left == 0) {
        const char *const plural = goal->turns_limit == 1 ? "" : "s";
        write_reason(reason, "out of budget: %" PRIu64 " turn%s%s%s%s", goal->turns_limit, plural,
                     before, said, after);
    } else {
        write_reason(reason,
                     is_tested ? "not done within %.1f s by this agent%s%s%s"
                               : "out of time: %.1f s%s%s%s",
                     (double)goal->ticks_limit / m->rate, before, said, after);
    }
    oct_mind_fail_from(m, depth, reason,
                       is_tested ? (oct_ground){.kind = OCT_PROOF_TIME} : ground_none);
    return true;
}

// ---- steps ----

// Begins to call what acts: what it reads that is not certain is noted.
static void begin_acting(oct_mind *m)
{
    m->may_speak = m->is_acting = true;
    oct_mind_listen(m);
}

static void end_acting(oct_mind *m)
{
    m->may_speak = m->is_acting = false;
}

// Where a guard that is not certain of it would let the leaf fail, it is asked again after a look.
static oct_tactic *choose(oct_mind *m, oct_tactic *from)
{
    begin_acting(m);
    oct_tactic *chosen = oct_tactic_choose(from, m, &m->random);
    if (chosen && chosen->kind == TACTIC_ABORT && m->doubts > 0 && may_know_more(m)) {
        oct_mind_listen(m);
        chosen = oct_tactic_choose(from, m, &m->random);
    }
    end_acting(m);
    oct_reason_copy(m->choice_doubt, m->doubts > 0 ? m->doubt : "");
    return chosen;
}

static void abort_leaf(oct_mind *m, const oct_tactic *chosen)
{
    if (chosen->text.chars && m->doubts > 0) {
        oct_reason_copy(m->said, chosen->text.chars);
        m->has_said = true;
    }
    if (m->doubts > 0) {
        fail_in_doubt(m);
    } else if (chosen->text.chars) {
        conclude(m, OCT_GOAL_FAILED, chosen->text.chars, ground_witness);
    } else {
        fail(m, "was aborted");
    }
}

// Carries out an action. One that gives up because of something that is not certain says so.
static oct_did act(oct_mind *m, oct_tactic *chosen)
{
    begin_acting(m);
    const oct_did did = chosen->run(chosen->hook.ctx, m);
    end_acting(m);
    if (did == OCT_DID_ABORT && m->doubts > 0) {
        char reason[OCT_REASON_MAX];
        write_doubt(m, reason);
        oct_reason_copy(m->said, reason);
        m->said_ground = ground_none;
        m->has_said = true;
    }
    return did;
}

// All that a leaf is solved by is that its tactic has completed, and which of its actions were
// chosen for that is not certain.
static void doubt_completion(oct_mind *m)
{
    m->doubts = 1;
    oct_reason_copy(m->doubt, m->done_doubt);
    fail_in_doubt(m);
}

// Looks at a leaf; true: it has acted, or waits, and the turn is over.
static bool step_leaf(oct_mind *m, oct_goal *leaf)
{
    if (!leaf->has_begun) {
        leaf->has_begun = true;
        if (leaf->begin && !ask(m, leaf->begin, &leaf->hook, true)) {
            if (m->doubts > 0) {
                fail_in_doubt(m);
            } else {
                fail(m, "could not begin");
            }
            return false;
        }
    }
    if (leaf->is_aborted) {
        fail(m, "was aborted");
        return false;
    }
    if (is_solved(m, leaf)) {
        succeed(m);
        return false;
    }
    if (leaf->is_done && !leaf->test && !leaf->distance) {
        doubt_completion(m);
        return false;
    }
    if (fail_without_budget(m)) {
        return false;
    }
    oct_tactic *const from = leaf->goes_on ? leaf->goes_on : leaf->tactic;
    oct_tactic *const chosen = leaf->runs_on ? from : choose(m, from);
    if (m->lacks_memory) {
        return true;
    }
    if (!chosen) {
        tell(m, OCT_MIND_WAITS, m->depth - 1, "");
        return true;
    }
    if (chosen->kind == TACTIC_ABORT) {
        abort_leaf(m, chosen);
        return false;
    }
    m->action = chosen->text.chars;
    tell(m, OCT_MIND_ACTS, m->depth - 1, m->action);
    const oct_did did = act(m, chosen);
    leaf->is_aborted = did == OCT_DID_ABORT;
    leaf->runs_on = did == OCT_DID_MORE;
    leaf->goes_on = did == OCT_DID_MORE   ? chosen
                    : did == OCT_DID_STEP ? oct_tactic_place(chosen)
                                          : oct_tactic_after(chosen);
    leaf->is_done = did == OCT_DID_DONE && !leaf->goes_on;
    if (did == OCT_DID_DONE && !m->done_doubt[0]) {
        oct_reason_copy(m->done_doubt, m->choice_doubt);
    }
    return true;
}

bool oct_mind_runs_on(const oct_mind *m)
{
    return m->path[m->depth - 1]->runs_on;
}

static void step_check(oct_mind *m, const oct_goal *goal)
{
    if (goal->is_fail) {
        if (goal->fail.chars) {
            conclude(m, OCT_GOAL_FAILED, goal->fail.chars, ground_witness);
        } else {
            fail(m, "was reached");
        }
        return;
    }
    const bool is_so = !goal->test || ask_goal(m, goal, true);
    if (goal->test && m->doubts > 0) {
        fail_in_doubt(m);
    } else if (is_so) {
        succeed(m);
    } else {
        fail(m, "is not so");
    }
}

static void step_seq(oct_mind *m, oct_goal *goal)
{
    if (goal->last && goal->last->status == OCT_GOAL_FAILED) {
        pass_up(m, goal->last);
    } else if (goal->at == goal->count) {
        succeed(m);
    } else {
        oct_mind_begin(m, goal->children[goal->at++]);
    }
}

// All children have failed: for certain only where each did. Those that did not say what is open.
static void fail_either(oct_mind *m, const oct_goal *goal)
{
    const oct_goal *speaker = goal->last;
    oct_ground ground = ground_witness;
    for (size_t i = 0; i < goal->count; i++) {
        const oct_goal *const child = goal->children[goal->order ? goal->order[i] : i];
        if (child->ground.kind == OCT_PROOF_NONE) {
            speaker = child;
            ground = ground_none;
        } else if (ground.kind != OCT_PROOF_NONE) {
            ground.kind = child->ground.kind > ground.kind ? child->ground.kind : ground.kind;
            ground.assumes |= child->ground.assumes;
            ground.claims |= child->ground.claims;
        }
    }
    conclude(m, OCT_GOAL_FAILED, speaker ? speaker->reason : "nothing to choose from", ground);
}

// FIRSTof and ANYof.
static void step_either(oct_mind *m, oct_goal *goal)
{
    if (goal->last && goal->last->status == OCT_GOAL_SUCCESS) {
        succeed(m);
    } else if (goal->at == goal->count) {
        fail_either(m, goal);
    } else if (!goal->last || !fail_without_budget(m)) {
        const size_t i = goal->at++;
        oct_mind_begin(m, goal->children[goal->order ? goal->order[i] : i]);
    }
}

// REPEAT, with a test or without, and WHILE. Whoever is there in the turn in which the budget ends
// is there.
static void step_loop(oct_mind *m, oct_goal *goal)
{
    bool is_over = goal->last && goal->last->status == OCT_GOAL_SUCCESS;
    if (goal->kind == OCT_GOAL_WHILE) {
        is_over = !ask_goal(m, goal, false);
        if (m->doubts > 0) {
            fail_in_doubt(m);
            return;
        }
    } else if (goal->test) {
        is_over = goal->last && ask_goal(m, goal, false) && m->doubts == 0;
    }
    if (is_over) {
        succeed(m);
    } else if (!goal->last || !fail_without_budget(m)) {
        oct_mind_begin(m, goal->children[0]);
    }
}

static void step_if(oct_mind *m, oct_goal *goal)
{
    if (goal->last) {
        pass_up(m, goal->last);
        return;
    }
    const size_t i = ask_goal(m, goal, false) ? 0 : 1;
    if (m->doubts > 0) {
        fail_in_doubt(m);
    } else if (i < goal->count) {
        oct_mind_begin(m, goal->children[i]);
    } else {
        succeed(m);
    }
}

// One that is part of another is not its own.
static void drop_made(oct_goal *made)
{
    if (made && !made->is_taken) {
        oct_goal_free(made);
    }
}

static oct_goal *deploy(oct_mind *m, const oct_goal *goal)
{
    m->may_speak = true;
    oct_mind_listen(m);
    oct_goal *const made = goal->deploy(goal->hook.ctx, m);
    m->may_speak = false;
    recall(m);
    return made;
}

// Which goal is made is an answer like any other.
static oct_goal *ask_deploy(oct_mind *m, const oct_goal *goal)
{
    oct_goal *const made = deploy(m, goal);
    if (m->doubts == 0 || !may_know_more(m)) {
        return made;
    }
    drop_made(made);
    return deploy(m, goal);
}

static void step_deploy(oct_mind *m, oct_goal *goal)
{
    if (goal->last) {
        pass_up(m, goal->last);
        return;
    }
    if (goal->count > 0 && !goal->is_once) {
        goal->count = 0;
        oct_goal_free(goal->children[0]);
    }
    if (goal->count == 0) {
        oct_goal *const made = ask_deploy(m, goal);
        if (m->doubts > 0) {
            drop_made(made);
            fail_in_doubt(m);
            return;
        }
        if (!made) {
            fail(m, "made no goal");
            return;
        }
        if (made->is_taken) {
            conclude(m, OCT_GOAL_FAILED, "the goal is part of another", ground_none);
            return;
        }
        if (m->depth + made->height > OCT_GOAL_DEPTH_MAX) {
            oct_goal_free(made);
            conclude(m, OCT_GOAL_FAILED, "goals too deep", ground_none);
            return;
        }
        made->is_taken = true;
        goal->children[goal->count++] = made;
    }
    oct_mind_begin(m, goal->children[0]);
}

static void step_interruptible(oct_mind *m, oct_goal *goal)
{
    if (goal->last == goal->children[0]) {
        pass_up(m, goal->last);
    } else if (!goal->last || !fail_without_budget(m)) {
        oct_mind_begin(m, goal->children[0]);
    }
}

static oct_goal_status ask_watch(oct_mind *m, const oct_goal *goal, oct_goal_status child)
{
    m->may_speak = true;
    oct_mind_listen(m);
    const oct_goal_status status = goal->watch(goal->hook.ctx, m, child);
    m->may_speak = false;
    return status;
}

// The goal has ended: what its last moments brought is told by a look.
static void end_watch(oct_mind *m, const oct_goal *goal)
{
    if (m->refresh) {
        (void)m->refresh(m->state);
    }
    m->has_said = false;
    const oct_goal_status status = ask_watch(m, goal, goal->last->status);
    const bool is_well = status == OCT_GOAL_SUCCESS ||
                         (status == OCT_GOAL_CURRENT && goal->last->status == OCT_GOAL_SUCCESS);
    if (is_well && m->doubts > 0) {
        fail_in_doubt(m);
    } else if (is_well) {
        succeed(m);
    } else if (status == OCT_GOAL_FAILED) {
        fail(m, "was not so");
    } else {
        pass_up(m, goal->last);
    }
}

static void step_watch(oct_mind *m, oct_goal *goal)
{
    if (goal->last) {
        end_watch(m, goal);
        return;
    }
    if (goal->begin) {
        (void)ask(m, goal->begin, &goal->hook, true);
    }
    m->has_said = false;
    const oct_goal_status status = ask_watch(m, goal, OCT_GOAL_CURRENT);
    if (status == OCT_GOAL_SUCCESS) {
        succeed(m);
    } else if (status == OCT_GOAL_FAILED) {
        fail(m, "was not so");
    } else {
        oct_mind_begin(m, goal->children[0]);
    }
}

bool oct_mind_step(oct_mind *m)
{
    oct_goal *const goal = m->path[m->depth - 1];
    oct_mind_listen(m);
    switch (goal->kind) {
    case OCT_GOAL_LEAF:
        return step_leaf(m, goal);
    case OCT_GOAL_CHECK:
        step_check(m, goal);
        return false;
    case OCT_GOAL_SEQ:
        step_seq(m, goal);
        return false;
    case OCT_GOAL_FIRST_OF:
    case OCT_GOAL_ANY_OF:
        step_either(m, goal);
        return false;
    case OCT_GOAL_REPEAT:
    case OCT_GOAL_WHILE:
        step_loop(m, goal);
        return false;
    case OCT_GOAL_IF:
        step_if(m, goal);
        return false;
    case OCT_GOAL_DEPLOY:
        step_deploy(m, goal);
        return false;
    case OCT_GOAL_INTERRUPTIBLE:
        step_interruptible(m, goal);
        return false;
    case OCT_GOAL_WATCH:
        step_watch(m, goal);
        return false;
    case OCT_GOAL_KIND_COUNT:
        break;
    }
    OCT_ASSERT(false);
    return true;
}

// What is not certain interrupts nothing.
static bool is_called(oct_mind *m, const handler *h)
{
    m->is_acting = true;
    bool is = ask(m, h->test, &h->hook, false);
    if (is && m->doubts > 0 && may_know_more(m)) {
        is = ask(m, h->test, &h->hook, false);
    }
    m->is_acting = false;
    return is && m->doubts == 0;
}

void oct_mind_interrupt(oct_mind *m)
{
    for (uint32_t depth = 0; depth < m->depth; depth++) {
        oct_goal *const goal = m->path[depth];
        if (goal->kind != OCT_GOAL_INTERRUPTIBLE || goal->last != goal->children[0]) {
            continue;
        }
        for (size_t i = 0; i + 1 < goal->count; i++) {
            if (is_called(m, &goal->handlers[i])) {
                const handler *const h = &goal->handlers[i];
                m->depth = depth + 1;
                oct_goal_reset(goal->children[0]);
                tell(m, OCT_MIND_INTERRUPTED, depth, h->name.chars);
                oct_mind_begin(m, goal->children[i + 1]);
                return;
            }
        }
    }
}

// Ends a goal on the path as its watch says; all below it is as if it had not begun.
static void cut_short(oct_mind *m, uint32_t depth, oct_goal_status status)
{
    if (status == OCT_GOAL_FAILED) {
        char reason[OCT_REASON_MAX];
        oct_reason_copy(reason, m->has_said ? m->said : m->path[depth]->name);
        oct_mind_fail_from(m, depth, reason, m->has_said ? m->said_ground : ground_witness);
        return;
    }
    m->depth = depth + 1;
    oct_goal_reset(m->path[depth]->children[0]);
    succeed(m);
}

void oct_mind_watch(oct_mind *m)
{
    for (uint32_t depth = 0; depth < m->depth; depth++) {
        const oct_goal *const goal = m->path[depth];
        if (goal->kind != OCT_GOAL_WATCH || !goal->last || goal->last->status != OCT_GOAL_CURRENT) {
            continue;
        }
        // What the leaf has said stays, unless the watch ends it.
        const bool had_said = m->has_said;
        const oct_ground ground = m->said_ground;
        char said[OCT_REASON_MAX];
        memcpy(said, m->said, sizeof said);
        m->has_said = false;
        const oct_goal_status status = ask_watch(m, goal, OCT_GOAL_CURRENT);
        if (status == OCT_GOAL_SUCCESS || status == OCT_GOAL_FAILED) {
            cut_short(m, depth, status);
            return;
        }
        m->has_said = had_said;
        m->said_ground = ground;
        memcpy(m->said, said, sizeof said);
    }
}
