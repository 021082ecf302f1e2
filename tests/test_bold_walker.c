// SPDX-License-Identifier: MIT
// What an agent on foot takes for out of reach is tried by somebody bold, who runs and jumps at
// random, leans in the air, and falls as often as it likes: it never gets there. Some halls; four
// hundred with OCTANT_SOAK=1.
#include "agent_world.h"

#include "agent/agent_internal.h"
#include "agent/monitor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define START_X (-7.0)
#define TICKS 420 // of one try
#define BODY_HIGH 0.9

// A hall of 20 m in a shell: ground, then a gap with pillars in it, then a shelf.
typedef struct hall {
    double height, gap;   // of the shelf, and to it
    double walk, jump;    // of the body, metres a second
    double pillars[3][3]; // where each begins and ends, and its height
    size_t pillar_count;
} hall;

static double between(oct_random *random, double least, double most)
{
    return least + (most - least) * oct_random_unit(random);
}

// The first is out of reach, the second is not.
static hall make_hall(oct_random *random, uint64_t number)
{
    if (number < 2) {
        return (hall){
            .height = number == 0 ? 2.5 : 0.3, .walk = 2.0, .jump = 2.0 + 2.0 * (double)number};
    }
    hall h = {.walk = between(random, 1.0, 5.0), .jump = between(random, 1.0, 5.0)};
    h.gap = oct_random_below(random, 3) == 0 ? 0.0 : between(random, 0.5, 7.5);
    h.height = between(random, -1.0, 3.0);
    double x = between(random, 0.5, 2.5);
    while (h.pillar_count < 3 && x < h.gap - 0.5 && oct_random_below(random, 3) > 0) {
        double *const p = h.pillars[h.pillar_count++];
        p[0] = x;
        p[1] = fmin(x + between(random, 0.3, 2.0), h.gap);
        p[2] = between(random, -1.0, 2.0);
        x = p[1] + between(random, 0.2, 2.5);
    }
    return h;
}

static void build(block_scene *s, const hall *h)
{
    block_scene_init(s);
    oct_world_rules rules = oct_world_rules_of(s->world);
    rules.gravity = (oct_point){0, -9.8, 0};
    rules.walk = h->walk;
    rules.jump = h->jump;
    assert_int_equal(oct_world_set_rules(s->world, &rules), OCT_OK);
    scene_put_box(s, 1, STONE, (oct_bounds){{-10, -1, -4}, {0, 0, 4}});
    scene_put_box(s, 2, STONE, (oct_bounds){{h->gap, -3, -4}, {10, h->height, 4}});
    scene_put_box(s, 3, STONE, (oct_bounds){{-11, -7, -5}, {11, -6, 5}});
    scene_put_box(s, 4, STONE, (oct_bounds){{-11, 7, -5}, {11, 8, 5}});
    scene_put_box(s, 5, STONE, (oct_bounds){{-11, -7, -5}, {11, 8, -4}});
    scene_put_box(s, 6, STONE, (oct_bounds){{-11, -7, 4}, {11, 8, 5}});
    scene_put_box(s, 7, STONE, (oct_bounds){{-11, -7, -5}, {-10, 8, 5}});
    scene_put_box(s, 8, STONE, (oct_bounds){{10, -7, -5}, {11, 8, 5}});
    for (size_t i = 0; i < h->pillar_count; i++) {
        const double *const p = h->pillars[i];
        scene_put_box(s, 20 + i, STONE, (oct_bounds){{p[0], -6, -1.5}, {p[1], p[2], 1.5}});
    }
    const oct_pose start =
        scene_pose((oct_point){START_X, 0.95, 0}, (oct_point){1, 0, 0}, (oct_point){0, 1, 0});
    assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
    scene_play(s);
}

// ---- the agent ----

static oct_verdict ask(const hall *h, bool *is_on_floors)
{
    block_scene s;
    build(&s, h);
    oct_agent_def def = oct_agent_def_default();
    def.move = OCT_MOVE_WALK;
    oct_agent *const a = agent_make_as(&s, def);
    const oct_point goal = {8.0, h->height + BODY_HIGH, 0};
    assert_int_equal(oct_agent_pursue(a, oct_goal_close_to(NULL, goal, 0.5)), OCT_OK);
    for (int turns = 0; turns < 3000 && !oct_agent_has_ended(a); turns++) {
        assert_int_equal(oct_agent_turn(a, NULL), OCT_OK);
    }
    assert_true(oct_agent_has_ended(a));
    // Nothing that happened was excluded.
    const oct_allocator heap = oct_allocator_default();
    char said[MONITOR_TEXT];
    assert_int_equal(oct_monitor_claims(a, &heap, said), OCT_OK);
    assert_string_equal(said, "");
    assert_int_equal(oct_monitor_model(a, &heap, said), OCT_OK);
    assert_string_equal(said, "");
    *is_on_floors = false;
    for (size_t i = 0; i < a->proofs.count; i++) {
        *is_on_floors |= ((const agent_proof *)a->proofs.items + i)->proof->is_on_foot;
    }
    const char *why;
    const oct_verdict verdict = oct_agent_verdict(a, &why);
    oct_agent_destroy(a);
    block_scene_free(&s);
    return verdict;
}

// ---- the bold one ----

// Whether one try ends on the shelf. It jumps where it can in places chosen at random, and turns in
// the air.
static bool try_once(block_scene *s, const hall *h, oct_random *random)
{
    scene_move(s, 0, (oct_point){START_X + 4.0, BODY_HIGH + 0.01, 0}, (oct_point){1, 0, 0});
    scene_do_named(s, 0, "jetpack", false);
    const double first = between(random, -1.0, 0.8), rate = between(random, 0.0, 1.0);
    const oct_point lean = {between(random, -1.0, 1.0), 0, between(random, -1.0, 1.0)};
    const bool leans = oct_random_below(random, 2) == 0;
    for (int tick = 0; tick < TICKS; tick++) {
        const oct_self self = scene_self(s, 0);
        const double x = self.centre.x;
        if (self.stands && x > h->gap + 0.3 && self.centre.y > h->height) {
            return true;
        }
        if (self.centre.y < -4.0) {
            return false;
        }
        const bool jumps = self.stands && x > first && oct_random_unit(random) < 0.3 + 0.7 * rate;
        scene_act(s, 0,
                  (oct_action){.verb = OCT_VERB_MOVE,
                               .ticks = 1,
                               .move = {0, 0, -1},
                               .rotate = leans && x > first ? lean : (oct_point){0, 0, 0}});
        if (jumps) {
            scene_act(s, 0, (oct_action){.verb = OCT_VERB_JUMP});
        }
        scene_step(s, 1);
    }
    return false;
}

static bool gets_there(const hall *h, oct_random *random, int tries)
{
    block_scene s;
    build(&s, h);
    scene_join(&s, (oct_point){START_X, BODY_HIGH + 0.01, 0});
    bool does = false;
    for (int i = 0; i < tries && !does; i++) {
        does = try_once(&s, h, random);
    }
    block_scene_free(&s);
    return does;
}

static void nobody_gets_to_what_is_out_of_reach(void **state)
{
    (void)state;
    const uint64_t seed = 41, rounds = getenv("OCTANT_SOAK") ? 400 : test_is_slow() ? 2 : 6;
    printf("seed %d, %d halls\n", (int)seed, (int)rounds);
    oct_random random = oct_random_seed(seed);
    unsigned failed = 0, passed = 0, bold = 0, on_floors = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        const hall h = make_hall(&random, i);
        bool is_on_floors;
        const oct_verdict verdict = ask(&h, &is_on_floors);
        const bool does = gets_there(&h, &random, verdict == OCT_VERDICT_FAIL ? 60 : 4);
        if (verdict == OCT_VERDICT_FAIL && does) {
            fail_msg("hall %d: shelf at %g, gap %g, walk %g, jump %g", (int)i, h.height, h.gap,
                     h.walk, h.jump);
        }
        failed += verdict == OCT_VERDICT_FAIL;
        on_floors += verdict == OCT_VERDICT_FAIL && is_on_floors;
        passed += verdict == OCT_VERDICT_PASS;
        bold += does;
    }
    printf("%u fail (%u by floors), %u pass; the bold one gets to %u\n", failed, on_floors, passed,
           bold);
    assert_true(on_floors > 0 && passed > 0 && bold > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_gets_to_what_is_out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
