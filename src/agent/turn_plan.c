// SPDX-License-Identifier: MIT
#include "agent/turn_plan.h"

// What a tactic holds.
typedef struct planning {
    oct_allocator allocator;
    goal_target *target; // NULL = none
    turn_plan_fn *make;
    carry_out_fn *carry_out;
    turn_plan plan; // of the guard, until it is asked again
} planning;

static void drop(void *ctx)
{
    planning *const p = ctx;
    const oct_allocator allocator = p->allocator;
    oct_goal_target_drop(p->target);
    oct_way_free(&p->plan.way);
    oct_free(&allocator, p, sizeof *p);
}

static bool is_enabled(void *ctx, oct_mind *mind)
{
    planning *const p = ctx;
    p->plan.thought[0] = p->plan.reason[0] = '\0';
    const bool does = p->make(p->target, oct_agent_of(mind), &p->plan);
    if (p->plan.reason[0] != '\0') {
        oct_mind_because(mind, true, "%s", p->plan.reason);
    }
    return does;
}

static oct_did run(void *ctx, oct_mind *mind)
{
    planning *const p = ctx;
    oct_agent *const a = oct_agent_of(mind);
    if (p->plan.thought[0] != '\0') {
        oct_agent_think(a, "%s", p->plan.thought);
    }
    return p->carry_out(p->target, a, &p->plan);
}

oct_tactic *oct_plan_tactic(const oct_allocator *may_be_null, goal_target *e, const char *name,
                            turn_plan_fn *make, carry_out_fn *carry_out)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    planning *const p = oct_alloc(&allocator, sizeof *p, _Alignof(planning));
    if (!p) {
        oct_goal_target_drop(e);
        return NULL;
    }
    *p = (planning){.allocator = allocator,
                    .target = e,
                    .make = make,
                    .carry_out = carry_out,
                    .plan = {.way = {.allocator = allocator}}};
    return oct_tactic_action(&allocator, name, is_enabled, run, (oct_hook){p, drop});
}

oct_tactic *oct_plan_for_target(goal_target *e, const char *name, turn_plan_fn *make,
                                carry_out_fn *carry_out)
{
    return e ? oct_plan_tactic(&e->allocator, e, name, make, carry_out) : NULL;
}

oct_did oct_plan_go(goal_target *e, oct_agent *a, const turn_plan *plan)
{
    (void)e;
    if (!oct_journey_set_out(a, &plan->way)) {
        return OCT_DID_STEP; // the run has ended
    }
    if (plan->way.kind == JOURNEY_NONE) {
        return OCT_DID_DONE;
    }
    oct_journey_step(a);
    return OCT_DID_STEP;
}
