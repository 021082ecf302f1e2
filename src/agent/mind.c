// SPDX-License-Identifier: MIT
// Minds: their life, their turns, and what can be seen of them.
#include "agent/mind_internal.h"
#include "base/print.h"

#include <stdio.h>

#define COOKIE 0x6d696e64u

// ---- life ----

oct_mind_def oct_mind_def_default(void)
{
    return (oct_mind_def){.seed = 1, .rate = 60.0, .cookie = COOKIE};
}

oct_result oct_mind_create(const oct_mind_def *def, oct_mind **out)
{
    *out = NULL;
    if (def->cookie != COOKIE) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    oct_mind *const m = oct_alloc(&own, sizeof *m, _Alignof(oct_mind));
    if (!m) {
        return OCT_ERROR_MEMORY;
    }
    *m = (oct_mind){.allocator = own,
                    .state = def->state,
                    .refresh = def->refresh,
                    .recall = def->recall,
                    .random = oct_random_seed(def->seed),
                    .rate = def->rate,
                    .event = def->event,
                    .event_ctx = def->event_ctx,
                    .action = ""};
    *out = m;
    return OCT_OK;
}

void oct_mind_destroy(oct_mind *mind)
{
    if (mind) {
        if (mind->goal) {
            oct_goal_free(mind->goal);
        }
        const oct_allocator own = mind->allocator;
        oct_free(&own, mind, sizeof *mind);
    }
}

void *oct_mind_state(const oct_mind *mind)
{
    return mind->state;
}

oct_result oct_mind_pursue(oct_mind *mind, oct_goal *goal)
{
    if (!goal) {
        return OCT_ERROR_MEMORY;
    }
    if (goal->is_taken || mind->is_turning) {
        return OCT_ERROR_ARGUMENT;
    }
    if (mind->goal) {
        oct_goal_free(mind->goal);
    }
    goal->is_taken = true;
    mind->goal = goal;
    mind->depth = 0;
    mind->action = "";
    mind->lacks_memory = false;
    return OCT_OK;
}

// ---- words ----

// Cuts what did not fit, of so many bytes: also those of a UTF-8 character without the rest of it.
static void cut(char *reason, size_t length)
{
    if (length < OCT_REASON_MAX) {
        return;
    }
    reason[OCT_REASON_MAX - 1] = '\0';
    size_t lead = OCT_REASON_MAX - 2; // the last byte
    while (lead > 0 && ((unsigned char)reason[lead] & 0xC0) == 0x80) {
        lead--;
    }
    const unsigned char first = (unsigned char)reason[lead];
    const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (lead + size > OCT_REASON_MAX - 1) {
        reason[lead] = '\0';
    }
}

void oct_reason_copy(char *reason, const char *from)
{
    const size_t length = strlen(from);
    memcpy(reason, from, length < OCT_REASON_MAX ? length + 1 : OCT_REASON_MAX);
    cut(reason, length);
}

void oct_reason_write(char *reason, const char *format, va_list arguments)
{
    reason[0] = '\0';
    const int length = oct_vsnprintf(reason, OCT_REASON_MAX, format, arguments);
    cut(reason, length > 0 ? (size_t)length : 0);
}

static void say(oct_mind *mind, oct_ground ground, const char *format, va_list arguments)
{
    if (!mind->may_speak) {
        return;
    }
    // Its own words may be among the arguments.
    char said[OCT_REASON_MAX];
    oct_reason_write(said, format, arguments);
    oct_reason_copy(mind->said, said);
    mind->said_ground = ground;
    mind->has_said = true;
}

void oct_mind_because(oct_mind *mind, bool is_undecided, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(mind, is_undecided ? ground_none : ground_witness, format, arguments);
    va_end(arguments);
}

void oct_mind_because_of(oct_mind *mind, oct_ground ground, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(mind, ground, format, arguments);
    va_end(arguments);
}

void oct_mind_listen(oct_mind *mind)
{
    mind->doubts = 0;
}

bool oct_mind_is_acting(const oct_mind *mind)
{
    return mind->is_acting;
}

uint32_t oct_mind_doubts(const oct_mind *mind)
{
    return mind->doubts;
}

const char *oct_mind_first_doubt(const oct_mind *mind)
{
    return mind->doubts > 0 ? mind->doubt : "";
}

void oct_mind_forget_doubts(oct_mind *mind, uint32_t count)
{
    mind->doubts = count < mind->doubts ? count : mind->doubts;
}

void oct_mind_doubt(oct_mind *mind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (mind->doubts++ == 0) {
        oct_reason_write(mind->doubt, format, arguments);
    }
    va_end(arguments);
}

// ---- turns ----

static void charge_turn(oct_mind *m)
{
    for (uint32_t i = 0; i < m->depth; i++) {
        oct_goal *const goal = m->path[i];
        goal->turns++;
        if (goal->turns_left != UINT64_MAX && goal->turns_left > 0) {
            goal->turns_left--;
        }
    }
}

// A clock that was set back costs nothing.
static void charge_ticks(oct_mind *m, uint64_t tick)
{
    const uint64_t passed = tick > m->tick ? tick - m->tick : 0;
    for (uint32_t i = 0; i < m->depth; i++) {
        oct_goal *const goal = m->path[i];
        goal->ticks += passed;
        if (goal->ticks_left != UINT64_MAX) {
            goal->ticks_left -= passed < goal->ticks_left ? passed : goal->ticks_left;
        }
    }
}

// Until an action has run, or nothing is left to do.
static void run(oct_mind *m)
{
    bool is_over = false;
    while (m->depth > 0 && !m->lacks_memory && !is_over && m->concluded < OCT_MIND_STEPS_MAX) {
        is_over = oct_mind_step(m);
    }
    if (m->lacks_memory) {
        oct_mind_fail_from(m, 0, "", ground_none);
    }
}

oct_goal_status oct_mind_turn(oct_mind *mind, uint64_t tick)
{
    if (!mind->goal) {
        return OCT_GOAL_WAITING;
    }
    if (mind->is_turning) {
        return mind->goal->status;
    }
    mind->action = "";
    if (mind->goal->status == OCT_GOAL_SUCCESS || mind->goal->status == OCT_GOAL_FAILED) {
        return mind->goal->status;
    }
    mind->is_turning = true;
    mind->concluded = 0;
    charge_ticks(mind, tick);
    mind->tick = tick;
    mind->turns++;
    if (mind->depth == 0) {
        oct_mind_begin(mind, mind->goal);
    } else {
        oct_mind_watch(mind);
        oct_mind_interrupt(mind);
    }
    run(mind);
    charge_turn(mind);
    mind->is_turning = false;
    return mind->goal->status;
}

void oct_mind_lack_memory(oct_mind *mind)
{
    mind->lacks_memory = mind->lacks_memory || mind->is_turning;
}

bool oct_mind_is_out_of_memory(const oct_mind *mind)
{
    return mind->lacks_memory;
}

const char *oct_mind_action(const oct_mind *mind)
{
    return mind->action;
}

const char *oct_mind_goal(const oct_mind *mind)
{
    const oct_goal *const goal = mind->depth > 0 ? mind->path[mind->depth - 1] : NULL;
    return goal && goal->kind == OCT_GOAL_LEAF ? goal->name : "";
}

uint64_t oct_mind_turns(const oct_mind *mind)
{
    return mind->turns;
}

const char *oct_mind_reason(const oct_mind *mind, bool *is_undecided)
{
    const bool has_failed = mind->goal && mind->goal->status == OCT_GOAL_FAILED;
    if (is_undecided) {
        *is_undecided = has_failed && mind->goal->ground.kind == OCT_PROOF_NONE;
    }
    return has_failed ? mind->goal->reason : "";
}

oct_ground oct_mind_ground(const oct_mind *mind)
{
    const bool has_failed = mind->goal && mind->goal->status == OCT_GOAL_FAILED;
    return has_failed ? mind->goal->ground : ground_none;
}

// ---- views ----

static bool visit_goals(const oct_goal *goal, uint32_t depth, oct_goal_view_fn *visit, void *ctx)
{
    const bool waits = goal->status == OCT_GOAL_WAITING;
    const oct_goal_view view = {.kind = goal->kind,
                                .status = goal->status,
                                .depth = depth,
                                .name = goal->name,
                                .reason = goal->reason,
                                .turns = goal->turns,
                                .ticks = goal->ticks,
                                .begun = goal->begun,
                                .ended = goal->ended,
                                .rounds = goal->rounds,
                                .turns_left = waits ? goal->turns_limit : goal->turns_left,
                                .ticks_left = waits ? goal->ticks_limit : goal->ticks_left};
    if (!visit(ctx, &view)) {
        return false;
    }
    for (size_t i = 0; i < goal->count; i++) {
        if (!visit_goals(goal->children[i], depth + 1, visit, ctx)) {
            return false;
        }
    }
    return true;
}

bool oct_mind_goals(const oct_mind *mind, oct_goal_view_fn *visit, void *ctx)
{
    return !mind->goal || visit_goals(mind->goal, 0, visit, ctx);
}
