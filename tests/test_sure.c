// SPDX-License-Identifier: MIT
// What agents are sure of: what is in sight, and what nothing may have changed since it was.
#include "agent_world.h"

#include <string.h>

#define PASS OCT_VERDICT_PASS
#define FAIL OCT_VERDICT_FAIL
#define OPEN_END OCT_VERDICT_INCONCLUSIVE

// The door is seen along the upper hall, and not from the panel.
static const char *const halls[] = {"##########", "#S.....D.#", "#.########",
                                    "#......P.#", "##########", NULL};

// What is asked of an entity, and the answer.
typedef struct claim {
    const char *name;
    oct_aspect aspect;
    bool is_sure;
} claim;

static const oct_known *find(const oct_agent *a, const char *name)
{
    const oct_belief *const belief = oct_agent_belief(a);
    for (uint32_t i = 0; i < oct_belief_count(belief); i++) {
        if (strcmp(oct_belief_get(belief, i)->now.name, name) == 0) {
            return oct_belief_get(belief, i);
        }
    }
    return NULL;
}

static bool is_as_claimed(void *ctx, oct_mind *mind)
{
    const claim *const c = ctx;
    const oct_agent *const a = oct_agent_of(mind);
    const oct_known *const k = find(a, c->name);
    const bool is_sure = k && oct_agent_is_sure(a, k, c->aspect);
    // Who should be sure, and is not, looks first.
    if (c->is_sure && !is_sure) {
        oct_mind_doubt(mind, "%s is out of sight", c->name);
    }
    return is_sure == c->is_sure;
}

static claim door_is_sure = {"Door1", OCT_ASPECT_OPENING, true};
static claim door_is_open = {"Door1", OCT_ASPECT_OPENING, false};
static claim leaf_is_sure = {"Door1", OCT_ASPECT_BODY, true};
static claim panel_is_sure = {"Panel1", OCT_ASPECT_OPENING, true};

static oct_goal *check(claim *c, const char *name)
{
    return oct_goal_check(NULL, name, is_as_claimed, (oct_hook){c, NULL});
}

static oct_goal *press(uint32_t button)
{
    const oct_pick panel = pick_name("Panel1");
    return oct_goal_interacted(NULL, &panel, button);
}

static oct_goal *look(void)
{
    return oct_goal_close_to(NULL, plan_at(1, 1), 0.0);
}

static void play(oct_goal *const *steps, size_t count, oct_wire_action action)
{
    block_scene s;
    plan_build(&s, halls);
    scene_wire(&s, 'P', 0, action, 'D');
    scene_play(&s);
    scene_expect(&s, oct_goal_seq(NULL, steps, count), PASS, "");
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void presses_make_doors_out_of_sight_uncertain(void **state)
{
    (void)state;
    const oct_pick panel = pick_name("Panel1");
    oct_goal *const steps[] = {
        check(&door_is_sure, "seen at the start"), oct_goal_close_to_button(NULL, &panel),
        check(&door_is_sure, "nobody has pressed"), press(0),
        check(&door_is_open, "a press may have moved it"), check(&leaf_is_sure, "it is there"),
        check(&panel_is_sure, "no door"), look(), check(&door_is_sure, "seen again"),
        // That button moves it.
        press(0), check(&door_is_open, "it moves"), look(), check(&door_is_sure, "seen again")};
    play(steps, COUNT(steps), OCT_WIRE_TOGGLE);
}

// Where buttons toggle and nothing else, what was learned of one holds.
static void buttons_that_do_nothing_leave_doors_alone(void **state)
{
    (void)state;
    oct_goal *const steps[] = {press(1), check(&door_is_open, "it may move it"),
                               look(),   check(&door_is_sure, "it did not"),
                               press(1), check(&door_is_sure, "nor does it now"),
                               press(0), check(&door_is_open, "another one")};
    play(steps, COUNT(steps), OCT_WIRE_TOGGLE);
}

// What opens a door does nothing to one that is open.
static void what_is_open_stays_open(void **state)
{
    (void)state;
    oct_goal *const steps[] = {press(0), look(), check(&door_is_sure, "seen"), press(0),
                               // It may also toggle: that was not seen.
                               check(&door_is_open, "toggles or opens"), look(), press(0),
                               check(&door_is_sure, "only opens")};
    play(steps, COUNT(steps), OCT_WIRE_OPEN);
}

// ---- what is in sight ----

// Everything is in sight all the time, and agents look once a second where nothing calls for it.
static const char *const one_room[] = {"#########", "#S...P..#", "####D####",
                                       "#.......#", "#########", NULL};

// A door of a scene: how far open it is, when it was asked about and when that was certain.
typedef struct watched {
    block_scene *s;
    uint64_t door;
    uint32_t asked, sure, moving;
} watched;

// What an agent is sure of is as the game has it now.
static oct_truth is_as_it_is(void *ctx, void *agent)
{
    watched *const w = ctx;
    const oct_known *const k = find(agent, "Door1");
    w->asked++;
    if (!oct_agent_is_sure(agent, k, OCT_ASPECT_OPENING)) {
        return OCT_UNDECIDED;
    }
    const double opening = scene_opening(w->s, 0, w->door);
    w->sure++;
    w->moving += opening > 0.0 && opening < 1.0;
    return k->now.opening == opening ? OCT_TRUE : OCT_FALSE;
}

static bool is_checked(void *ctx, oct_mind *mind)
{
    oct_agent *const a = oct_agent_of(mind);
    const oct_truth truth = is_as_it_is(ctx, a);
    if (truth == OCT_UNDECIDED) {
        oct_mind_doubt(mind, "not sure");
    }
    return truth == OCT_TRUE;
}

static bool is_late(void *ctx, oct_mind *mind)
{
    return oct_belief_self(oct_agent_belief(oct_agent_of(mind)))->tick >= *(const uint64_t *)ctx;
}

// A timer of some seconds shuts the door again, at a time that the agent does not expect.
static void what_was_in_sight_a_second_ago_may_have_changed(void **state)
{
    (void)state;
    for (int is_demand = 0; is_demand < 2; is_demand++) {
        uint32_t moving = 0;
        for (uint64_t end = 5 * OCT_BLOCK_WORLD_RATE; end < 12 * OCT_BLOCK_WORLD_RATE; end += 35) {
            block_scene s;
            plan_build(&s, one_room);
            scene_put_timer(&s, 'U', (oct_vec){1, 0, 3}, 3.5);
            scene_wire(&s, 'P', 0, OCT_WIRE_OPEN, 'D');
            scene_wire(&s, 'P', 0, OCT_WIRE_START, 'U');
            scene_wire(&s, 'U', 0, OCT_WIRE_SHUT, 'D');
            scene_play(&s);
            watched w = {.s = &s, .door = 'D'};
            oct_agent *const agent = agent_make(&s);
            if (is_demand) {
                oct_ltl *const atom = oct_ltl_atom(NULL, "so", is_as_it_is, (oct_hook){&w, NULL});
                assert_int_equal(oct_agent_demand(agent, "it", oct_ltl_always(atom)), OCT_OK);
            }
            oct_goal *const steps[] = {
                press(0), oct_goal_wait_until(NULL, "late", is_late, (oct_hook){&end, NULL}, 0),
                is_demand ? oct_goal_success(NULL)
                          : oct_goal_check(NULL, "so", is_checked, (oct_hook){&w, NULL})};
            agent_run(agent, oct_goal_seq(NULL, steps, 3), 500);
            agent_check(agent, PASS, "");
            assert_true(w.sure > 0);
            moving += w.moving;
            oct_agent_destroy(agent);
            block_scene_free(&s);
        }
        assert_true(moving > 0);
    }
}

// ---- what follows ----

static bool is_shut(void *ctx, const oct_belief *belief, const oct_known *known)
{
    (void)ctx;
    (void)belief;
    return known->now.opening <= 0.0;
}

static void what_is_not_certain_is_not_checked(void **state)
{
    (void)state;
    const oct_pick door = pick_name("Door1"), all = pick_type("door");
    const char *const why = " is not known: Door1 may have changed since it was last seen, at ";
    for (int i = 0; i < 3; i++) {
        block_scene s;
        plan_build(&s, halls);
        scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        oct_agent *const agent = agent_make(&s);
        oct_goal *const steps[] = {
            press(0),
            i == 2 ? oct_goal_check_all(NULL, &all, "shut", is_shut, (oct_hook){0})
                   : oct_goal_invariant_checked(NULL, &door, "shut", is_shut, (oct_hook){0})};
        const char *reason;
        agent_run(agent, i == 0 ? oct_goal_seq(NULL, steps + 1, 1) : oct_goal_seq(NULL, steps, 2),
                  500);
        const oct_verdict verdict = oct_agent_verdict(agent, &reason);
        if (i == 0) {
            assert_int_equal(verdict, PASS);
            oct_goal_destroy(steps[0]);
        } else if (i == 1) {
            assert_int_equal(verdict, OPEN_END);
            assert_non_null(strstr(reason, why));
        } else {
            // Exploring sees it again.
            assert_int_equal(verdict, FAIL);
            assert_string_equal(reason, "Door1: shut does not hold");
            assert_int_equal(oct_agent_ground(agent).kind, OCT_PROOF_WITNESS);
        }
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

// True, false or undecided, as told, in the state of that number.
typedef struct told {
    uint32_t at;
    const char *values;
} told;

static oct_truth tell(void *ctx, void *state)
{
    (void)state;
    told *const t = ctx;
    const char value = t->values[t->at];
    t->at += value != '\0' && t->values[t->at + 1] != '\0';
    return value == '?' ? OCT_UNDECIDED : value == '1' ? OCT_TRUE : OCT_FALSE;
}

static void check_demand(const char *values, bool is_always, oct_verdict verdict,
                         const char *reason)
{
    block_scene s;
    plan_play(&s, halls);
    oct_agent *const agent = agent_make(&s);
    told t = {.values = values};
    oct_ltl *const atom = oct_ltl_atom(NULL, "told", tell, (oct_hook){&t, NULL});
    assert_int_equal(
        oct_agent_demand(agent, "it", is_always ? oct_ltl_always(atom) : oct_ltl_eventually(atom)),
        OCT_OK);
    agent_run(agent, look(), 500);
    const char *why;
    assert_int_equal(oct_agent_verdict(agent, &why), verdict);
    assert_string_equal(why, reason);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void demands_that_were_undecided_stay_so(void **state)
{
    (void)state;
    check_demand("1", true, PASS, "");
    check_demand("?", true, OPEN_END, "whether it held is not known since 0.0 s");
    check_demand("0", true, FAIL, "it did not hold at 0.0 s");
    check_demand("?", false, OPEN_END, "whether it held is not known since 0.0 s");
    check_demand("0", false, FAIL, "it did not hold when the run ended, at 0.0 s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presses_make_doors_out_of_sight_uncertain),
        cmocka_unit_test(buttons_that_do_nothing_leave_doors_alone),
        cmocka_unit_test(what_is_open_stays_open),
        cmocka_unit_test(what_was_in_sight_a_second_ago_may_have_changed),
        cmocka_unit_test(what_is_not_certain_is_not_checked),
        cmocka_unit_test(demands_that_were_undecided_stay_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
