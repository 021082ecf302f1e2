// SPDX-License-Identifier: MIT
// Agents that walk in block worlds: the same goals as in flight, by pressing, over ledges and gaps;
// what is said to be out of reach for certain has a proof that the checker accepts.
#include "agent_world.h"

#include "agent/agent_internal.h"
#include "agent/history.h"
#include "agent/monitor.h"
#include "octant/proof_check.h"

#include <stdlib.h>
#include <string.h>

#define DOUBT "not certain"

static void pull(oct_world_rules *rules)
{
    rules->gravity = (oct_point){0, -9.8, 0};
}

static void build(block_scene *s, const char *const *rows)
{
    plan_build(s, rows);
    scene_rules(s, pull);
}

// Why a proof is rejected with a log; "" where it is not.
static const char *reject(const oct_proof *proof, const oct_run_log *log)
{
    static oct_proof_verdict v;
    assert_int_equal(oct_proof_check(proof, log, NULL, &v), OCT_OK);
    return v.reason;
}

static void expect_rejected(const oct_proof *proof, const oct_run_log *log, const char *why)
{
    const char *const reason = reject(proof, log);
    if (!*why || !strstr(reason, why)) {
        fail_msg("\"%s\" in place of \"%s\"", reason, why);
    }
}

static bool holds(const oct_proof *p, const oct_proof_leaf *leaf, oct_point at)
{
    const double edge = p->cell_size * (double)((int64_t)1 << leaf->level);
    const double x = (at.x - p->origin.x) / edge - leaf->at.x,
                 y = (at.y - p->origin.y) / edge - leaf->at.y,
                 z = (at.z - p->origin.z) / edge - leaf->at.z;
    return x >= 0 && x < 1 && y >= 0 && y < 1 && z >= 0 && z < 1;
}

// A proof that rests on floors, each time with something else that is not so.
static void check_broken(const oct_proof *good, const oct_run_log *log)
{
    static const char *const verbs[] = {"move", "jump", "climb"};
    const oct_log_start start = log->starts[0];
    assert_string_equal(reject(good, log), "");
    oct_proof p = *good;
    p.is_on_foot = false;
    expect_rejected(&p, log, "which is not closed");
    p = *good;
    p.assumes &= ~(1u << OCT_ASSUME_FEET);
    expect_rejected(&p, log, "it needs 'feet'");
    for (int i = 0; i < 9; i++) {
        oct_log_start other = start;
        oct_run_log l = *log;
        l.starts = &other;
        l.start_count = 1;
        const char *why = "on foot it leads to";
        if (i == 0) {
            other.walks = false;
            why = "not everybody goes on foot";
        } else if (i == 1) {
            other.body.verbs = verbs;
            other.body.verb_count = 3;
            why = "'climb' may get a body on";
        } else if (i == 2) {
            other.body.step = OCT_NOT_TOLD;
            why = "it is not told";
        } else if (i == 3) {
            other.body.climb = 20.0;
        } else if (i == 4) {
            other.body.jump = 20.0;
        } else if (i == 5) {
            l.info.gravity = (oct_point){0, 0, 0};
            why = "gravity";
        } else if (i == 6) {
            l.info.gravity.y /= 20.0;
        } else if (i == 7) {
            l.denies |= 1u << OCT_ASSUME_FEET;
            why = "it assumes 'feet', which is denied";
        } else {
            l.look_count = p.extent.looks = 1;
            l.act_count = p.extent.acts = 0;
            l.info.view = 1.0;
            oct_log_look near = log->looks[0];
            near.radius = 1.0;
            l.looks = &near;
            expect_rejected(&p, &l, why);
            continue;
        }
        p = *good;
        expect_rejected(&p, &l, why);
    }
    // Nothing may be left out of where it stands.
    oct_proof_leaf *const leaves = malloc(good->leaf_count * sizeof *leaves);
    assert_non_null(leaves);
    for (int i = 1; i < 8; i++) {
        const oct_point at = {-10.0 + i, start.centre.y, -2.0 + i / 2.0};
        size_t gone = 0;
        while (gone < good->leaf_count && !holds(good, &good->leaves[gone], at)) {
            gone++;
        }
        assert_true(gone < good->leaf_count);
        memcpy(leaves, good->leaves, good->leaf_count * sizeof *leaves);
        leaves[gone] = leaves[good->leaf_count - 1];
        p = *good;
        p.leaves = leaves;
        p.leaf_count--;
        assert_string_not_equal(reject(&p, log), "");
    }
    free(leaves);
}

// Nothing that happened was excluded, and the checker accepts every proof.
static void check_claims(const oct_agent *a, bool breaks)
{
    const oct_allocator heap = oct_allocator_default();
    const oct_run_log log = oct_log_view(&oct_belief_history(a->belief)->log);
    char said[MONITOR_TEXT];
    assert_int_equal(oct_monitor_claims(a, &heap, said), OCT_OK);
    assert_string_equal(said, "");
    assert_int_equal(oct_monitor_model(a, &heap, said), OCT_OK);
    assert_string_equal(said, "");
    for (size_t i = 0; i < a->proofs.count; i++) {
        oct_proof_verdict v;
        const agent_proof *const claim = (const agent_proof *)a->proofs.items + i;
        assert_int_equal(oct_proof_check(claim->proof, &log, NULL, &v), OCT_OK);
        assert_string_equal(v.reason, "");
        if (claim->proof->is_on_foot && breaks) {
            check_broken(claim->proof, &log);
        }
    }
}

// What comes of a goal on foot; the agent never flies once it stands.
static void run_and_break(block_scene *s, oct_goal *goal, oct_verdict verdict, const char *reason,
                          bool breaks)
{
    scene_play(s);
    oct_agent_def def = oct_agent_def_default();
    def.move = OCT_MOVE_WALK;
    oct_agent *const a = agent_make_as(s, def);
    assert_int_equal(oct_agent_pursue(a, goal), OCT_OK);
    bool has_stood = false;
    for (int turns = 0; turns < 3000 && !oct_agent_has_ended(a); turns++) {
        assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
        const oct_self self = scene_self(s, 0);
        has_stood = has_stood || self.stands;
        assert_false(has_stood && self.flies);
    }
    assert_true(oct_agent_has_ended(a));
    const char *why;
    if (oct_agent_verdict(a, &why) != verdict || !strstr(why, reason)) {
        const oct_point at = scene_self(s, 0).centre;
        fail_msg("%s, at %.2f %.2f %.2f", why, at.x, at.y, at.z);
    }
    check_claims(a, breaks);
    oct_agent_destroy(a);
    block_scene_free(s);
}

static void run(block_scene *s, oct_goal *goal, oct_verdict verdict, const char *reason)
{
    run_and_break(s, goal, verdict, reason, false);
}

static void a_target_behind_a_door_is_reached(void **state)
{
    (void)state;
    block_scene s;
    build(&s, PLAN("#########", "#...#...#", "#.S.D.T.#", "#..P#...#", "#########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    const oct_pick pick = pick_name("Target");
    run(&s, oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0), OCT_VERDICT_PASS, "");
}

// Stone above the panel of a plan: on foot its upper side is never in sight.
static void cover_panel(block_scene *s)
{
    scene_put(s, 99, STONE, 3, 1, 3);
}

// Who cannot fly there cannot walk there.
static void a_walled_in_target_fails(void **state)
{
    (void)state;
    block_scene s;
    build(&s, PLAN("#########", "#...#...#", "#.S.#.T.#", "#..P#...#", "#########"));
    cover_panel(&s);
    const oct_pick pick = pick_name("Target");
    run(&s, oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0), OCT_VERDICT_FAIL,
        "everything that can be reached was explored");
}

static void a_target_behind_glass_fails(void **state)
{
    (void)state;
    block_scene s;
    build(&s, PLAN("#########", "#...#...#", "#.S.G.T.#", "#...#...#", "#########"));
    const oct_pick pick = pick_name("Target");
    run(&s, oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0), OCT_VERDICT_FAIL,
        "walled in");
}

static void a_door_that_nothing_opens_seals(void **state)
{
    (void)state;
    block_scene s;
    build(&s, PLAN("#########", "#...#...#", "#.S.D.T.#", "#..P#...#", "#########"));
    cover_panel(&s);
    const oct_pick pick = pick_name("Target");
    run(&s, oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0), OCT_VERDICT_FAIL,
        "beyond Door1, which no known button opens");
}

// A hall of 20 m with a step in the ground, or a gap, from wall to wall.
static void make_hall(block_scene *s, double height, double gap)
{
    block_scene_init(s);
    scene_rules(s, pull);
    scene_put_box(s, 1, STONE, (oct_bounds){{-10, -1, -4}, {0, 0, 4}});
    scene_put_box(s, 2, STONE, (oct_bounds){{gap, -3, -4}, {10, height, 4}});
    scene_put_box(s, 3, STONE, (oct_bounds){{-11, -7, -5}, {11, -6, 5}});
    scene_put_box(s, 4, STONE, (oct_bounds){{-11, 5, -5}, {11, 6, 5}});
    scene_put_box(s, 5, STONE, (oct_bounds){{-11, -7, -5}, {11, 6, -4}});
    scene_put_box(s, 6, STONE, (oct_bounds){{-11, -7, 4}, {11, 6, 5}});
    scene_put_box(s, 7, STONE, (oct_bounds){{-11, -7, -5}, {-10, 6, 5}});
    scene_put_box(s, 8, STONE, (oct_bounds){{10, -7, -5}, {11, 6, 5}});
    const oct_pose start =
        scene_pose((oct_point){-7, 0.95, 0}, (oct_point){1, 0, 0}, (oct_point){0, 1, 0});
    assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
}

static oct_goal *go_over(double height)
{
    return oct_goal_close_to(NULL, (oct_point){7, height + 0.9, 0}, 0.4);
}

static void steps_are_walked_and_ledges_jumped(void **state)
{
    (void)state;
    static const double heights[] = {0.0, 0.1, 0.14, 0.3, 0.5};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        block_scene s;
        make_hall(&s, heights[i], 0.0);
        run(&s, go_over(heights[i]), OCT_VERDICT_PASS, "");
    }
}

static void gaps_are_jumped(void **state)
{
    (void)state;
    for (double gap = 0.3; gap < 1.9; gap += 0.3) {
        block_scene s;
        make_hall(&s, 0.0, gap);
        run(&s, go_over(0.0), OCT_VERDICT_PASS, "");
    }
}

static void tire(oct_world_rules *rules)
{
    pull(rules);
    rules->walk = rules->jump = 2.0;
}

// No body of this world gets up 2.5 m, or over 5 m.
static void what_is_too_high_or_wide_fails(void **state)
{
    (void)state;
    block_scene s;
    make_hall(&s, 2.5, 0.0);
    scene_rules(&s, tire);
    run_and_break(&s, go_over(2.5), OCT_VERDICT_FAIL, "climbs at most 1.7 m", true);
    make_hall(&s, 0.0, 5.0);
    scene_rules(&s, tire);
    const oct_point far_end = {9, 0.9, 0};
    run(&s, oct_goal_close_to(NULL, far_end, 0.4), OCT_VERDICT_FAIL, "leaps at most 3.8 m");
}

// What a body that leans, or takes off at an edge, might get over is not certain.
static void what_is_nearly_within_reach_is_inconclusive(void **state)
{
    (void)state;
    block_scene s;
    make_hall(&s, 1.2, 0.0);
    run(&s, go_over(1.2), OCT_VERDICT_INCONCLUSIVE, DOUBT);
    make_hall(&s, 0.0, 5.0);
    run(&s, go_over(0.0), OCT_VERDICT_INCONCLUSIVE, DOUBT);
}

// What can be come back from is explored first: it drops only in the end.
static void drops_are_taken(void **state)
{
    (void)state;
    block_scene s;
    make_hall(&s, -2.0, 0.0);
    run(&s, go_over(-2.0), OCT_VERDICT_PASS, "");
}

static oct_truth is_behind(void *ctx, void *state)
{
    (void)ctx;
    const oct_point at = oct_belief_self(oct_agent_belief(state))->pose.position;
    return at.x < 0.0 ? OCT_TRUE : OCT_FALSE;
}

// What happened is certain, on foot as in flight.
static void a_broken_invariant_fails(void **state)
{
    (void)state;
    block_scene s;
    make_hall(&s, 0.0, 0.0);
    scene_play(&s);
    oct_agent_def def = oct_agent_def_default();
    def.move = OCT_MOVE_WALK;
    oct_agent *const a = agent_make_as(&s, def);
    oct_ltl *const atom = oct_ltl_atom(NULL, "behind", is_behind, (oct_hook){0});
    assert_int_equal(oct_agent_demand(a, "it stays behind", oct_ltl_always(atom)), OCT_OK);
    assert_int_equal(oct_agent_pursue(a, go_over(0.0)), OCT_OK);
    while (!oct_agent_has_ended(a)) {
        assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
    }
    const char *why;
    assert_int_equal(oct_agent_verdict(a, &why), OCT_VERDICT_FAIL);
    assert_non_null(strstr(why, "it stays behind did not hold"));
    oct_agent_destroy(a);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_behind_a_door_is_reached),
        cmocka_unit_test(a_walled_in_target_fails),
        cmocka_unit_test(a_target_behind_glass_fails),
        cmocka_unit_test(a_door_that_nothing_opens_seals),
        cmocka_unit_test(steps_are_walked_and_ledges_jumped),
        cmocka_unit_test(gaps_are_jumped),
        cmocka_unit_test(what_is_too_high_or_wide_fails),
        cmocka_unit_test(what_is_nearly_within_reach_is_inconclusive),
        cmocka_unit_test(drops_are_taken),
        cmocka_unit_test(a_broken_invariant_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
