// SPDX-License-Identifier: MIT
// Proofs of what buttons do, from the agent's claim to the checker: what follows from the log is
// accepted, and each that lacks something is rejected.
#include "agent_world.h"
#include "proof_scene.h"

#include "agent/belief_internal.h"
#include "agent/goals_certain.h"

#include <string.h>

// Both buttons are pressed while the door is shut, and again while the first has opened it.
static proof_scene *pressed(bool is_linear)
{
    proof_scene *const s = proof_scene_create(1);
    s->toggles[0] = 1;
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 1);
    proof_scene_press(s, 0);
    proof_scene_press(s, 1);
    proof_scene_press(s, 0);
    s->log.info.promises |= is_linear ? 1u << OCT_ASSUME_TOGGLES : 0;
    proof_scene_prove_links(s, is_linear);
    return s;
}

static void links_that_were_shown_are_accepted(void **state)
{
    (void)state;
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        proof_scene *const s = pressed(is_linear);
        proof_scene_accepts(s);
        s->effects[0] |= OCT_EFFECT_OPEN; // less than was shown
        s->effects[1] = OCT_EFFECT_ANY;   // nothing
        proof_scene_accepts(s);
        // It speaks of no place: neither bounds nor walls that stay are needed.
        s->log.info.has_bounds = false;
        s->versions[0].velocity.x = 1.0;
        s->log.info.fov = 1.0;
        proof_scene_accepts(s);
        proof_scene_destroy(s);
    }
}

static void links_that_are_others_are_rejected(void **state)
{
    (void)state;
    static const uint8_t wrong[] = {OCT_EFFECT_NOTHING, OCT_EFFECT_OPEN, OCT_EFFECT_SHUT,
                                    OCT_EFFECT_ANY & ~OCT_EFFECT_TOGGLE};
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        for (size_t i = 0; i < sizeof wrong; i++) {
            proof_scene *const s = pressed(is_linear);
            s->effects[0] = wrong[i];
            REJECTS(s, "button 0 may do more to door 0 than is claimed");
        }
        proof_scene *const s = pressed(is_linear);
        s->effects[1] = OCT_EFFECT_TOGGLE;
        REJECTS(s, "button 1 may do more to door 0 than is claimed");
    }
}

static void links_that_were_not_shown_are_rejected(void **state)
{
    (void)state;
    proof_scene *s = pressed(false);
    s->log.act_count = 0; // never pressed
    REJECTS(s, "");
    s = proof_scene_create(1); // each in one state of the door alone
    s->toggles[0] = 1;
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 1);
    proof_scene_press(s, 0);
    proof_scene_prove_links(s, false);
    REJECTS(s, "may do more");
    s = pressed(false);
    s->acts[2].tick = s->acts[1].tick + 20; // not isolated
    REJECTS(s, "may do more");
    s = pressed(false);
    s->acts[0].came = OCT_ACT_REFUSED; // and once it was refused
    REJECTS(s, "'memory', which is denied");
    s = pressed(false);
    s->log.info.settle = 30; // nobody watched what lasted
    REJECTS(s, "may do more");
    s = pressed(false);
    s->acts[3].button = 1; // the same press did something else
    REJECTS(s, "may do more");
    s = pressed(false);
    s->log.act_count = 3; // it shut by itself
    REJECTS(s, "moves by itself");
    s = pressed(false);
    s->log.info.promises = 0;
    s->log.info.settle = 100; // and was not watched long enough to see that it does not
    REJECTS(s, "moves by itself");
    s = pressed(false);
    s->proof_doors[0].id = SCENE_PANEL_ID;
    REJECTS(s, "was never told");
    s = pressed(true);
    s->log.info.promises = 0;
    REJECTS(s, "not promised");
}

static void links_rest_on_assumptions(void **state)
{
    (void)state;
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        for (oct_assumption a = 0; a < OCT_ASSUME_COUNT; a++) {
            proof_scene *s = pressed(is_linear);
            const uint32_t bit = 1u << a;
            if ((s->proof.assumes & bit) != 0) {
                s->log.denies = bit;
                REJECTS(s, a == OCT_ASSUME_TOGGLES ? "toggles" : "which is denied");
                s = pressed(is_linear);
                s->proof.assumes &= ~bit;
                REJECTS(s, "which it does not assume");
            } else {
                proof_scene_destroy(s);
            }
        }
    }
}

static void links_that_claim_nothing_are_rejected(void **state)
{
    (void)state;
    proof_scene *s = pressed(false);
    s->effects[0] = s->effects[1] = OCT_EFFECT_ANY;
    REJECTS(s, "it claims nothing of any button");
    s = pressed(false);
    s->effects[0] = 0;
    REJECTS(s, "effect 0 is none");
    s = pressed(false);
    s->proof_doors[0].is_loose = true;
    REJECTS(s, "nothing is claimed of door 0");
    s = pressed(false);
    s->proof.door_count = 0;
    REJECTS(s, "it claims nothing of any button");
    s = pressed(false);
    s->proof.leaves = s->leaves;
    s->proof.parts = s->parts;
    s->proof.leaf_count = s->proof.part_count = 1;
    REJECTS(s, "no leaves, parts, contacts or states");
}

// ---- from the agent ----

static const char *const two_doors[] = {"########", "#S.D...#", "#P.#...#",
                                        "#..E...#", "########", NULL};

typedef struct link_case {
    bool whole;
    const char *door;
    oct_verdict verdict;
    uint32_t buttons, doors; // of the proof
} link_case;

// Plays it, with a counting sight of all effects of the proof.
static void play_case(const link_case *c)
{
    block_scene scene;
    plan_build(&scene, two_doors);
    scene_wire(&scene, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_wire(&scene, 'P', 1, OCT_WIRE_TOGGLE, 'E');
    scene_play(&scene);
    const oct_link_claim claims[] = {
        {"Panel1", 0, &c->door, 1, OCT_LINK_KIND_TOGGLES},
        {"Panel1", 1, (const char *[]){"Door2"}, 1, OCT_LINK_KIND_TOGGLES}};
    oct_agent *const a = agent_make(&scene);
    agent_run(a, c->whole ? oct_goal_links_are(NULL, claims, 2) : oct_goal_link(NULL, claims),
              2000);
    const char *why;
    assert_int_equal(oct_agent_verdict(a, &why), c->verdict);
    const oct_run_log log = oct_log_view(&oct_belief_history(oct_agent_belief(a))->log);
    size_t found = 0;
    for (size_t i = 0; i < oct_agent_proofs(a); i++) {
        const oct_proof *const p = oct_agent_proof(a, i);
        oct_proof_verdict v;
        if (p->kind != OCT_PROOF_WITNESS) {
            continue;
        }
        found++;
        assert_true(oct_agent_rests_on(a, i));
        assert_int_equal(p->button_count, c->buttons);
        assert_int_equal(p->door_count, c->doors);
        assert_int_equal(oct_proof_check(p, &log, NULL, &v), OCT_OK);
        assert_string_equal(v.reason, "");
        // And the opposite is not.
        uint8_t effects[8] = {0};
        oct_proof other = *p;
        for (size_t k = 0; k < c->buttons * c->doors && k < sizeof effects; k++) {
            effects[k] = (uint8_t)(OCT_EFFECT_ANY & ~p->effects[k]);
        }
        other.effects = effects;
        assert_int_equal(oct_proof_check(&other, &log, NULL, &v), OCT_OK);
        assert_false(v.is_accepted);
    }
    assert_int_equal(found, 1);
    oct_agent_destroy(a);
    block_scene_free(&scene);
}

static void verdicts_about_links_come_with_their_proof(void **state)
{
    (void)state;
    static const link_case cases[] = {
        {false, "Door2", OCT_VERDICT_FAIL, 1, 1},
        {true, "Door2", OCT_VERDICT_FAIL, 1, 1},
        {true, "Door1", OCT_VERDICT_PASS, 4, 2},
        {false, "Door1", OCT_VERDICT_PASS, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        play_case(&cases[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_that_were_shown_are_accepted),
        cmocka_unit_test(links_that_are_others_are_rejected),
        cmocka_unit_test(links_that_were_not_shown_are_rejected),
        cmocka_unit_test(links_rest_on_assumptions),
        cmocka_unit_test(links_that_claim_nothing_are_rejected),
        cmocka_unit_test(verdicts_about_links_come_with_their_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
