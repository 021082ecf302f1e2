// SPDX-License-Identifier: MIT
// Levels: what the generator says of them is worked out anew from the world alone, and every plan
// is carried out in the game.
#include "level_flight.h"
#include "level_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 4, STATES = 200000, STATES_LONG = 1000000 };

// OCTANT_LEVEL_SEEDS says how many of each class are tried; make soak does.
static uint64_t seeds_to_try(void)
{
    const char *const asked = getenv("OCTANT_LEVEL_SEEDS");
    return asked ? strtoull(asked, NULL, 10) : test_rounds(SEEDS);
}

static size_t states_to_try(void)
{
    return getenv("OCTANT_LEVEL_SEEDS") ? STATES_LONG : test_rounds(STATES);
}

// ---- the oracle ----

typedef struct tally {
    uint32_t levels, full;
    size_t states;
} tally;

static void ask_oracle(const oct_level_def *def, tally *sum)
{
    oct_level_truth *truth = test_calloc(1, sizeof *truth);
    oct_world *world = generate(def, truth);
    level_scene *scene = level_scene_read(world);
    oct_point starts[OCT_LEVEL_AGENTS_MAX];
    for (uint32_t i = 0; i < truth->agents; i++) {
        starts[i] = scene_from_world(scene, truth->start[i].position);
        starts[i].y += 0.9;
    }
    const size_t most = states_to_try();
    const oracle_answer together = level_oracle_ask(scene, starts, truth->agents, most);
    const oracle_answer alone =
        truth->agents > 1 ? level_oracle_ask(scene, starts, 1, most) : together;
    const oracle_verdict right = truth->solvable ? ORACLE_SOLVABLE : ORACLE_UNSOLVABLE;
    if (together.verdict != right ||
        alone.verdict != (truth->alone ? ORACLE_SOLVABLE : ORACLE_UNSOLVABLE)) {
        fail_msg("%s, seed %llu, %s: the oracle says %d, of one agent %d, after %zu states",
                 oct_level_class_name(def->level_class), (unsigned long long)def->seed,
                 oct_level_why_name(truth->why), (int)together.verdict, (int)alone.verdict,
                 together.states);
    }
    sum->levels++;
    sum->full += together.is_full;
    sum->states += together.states;
    level_scene_free(scene);
    oct_world_destroy(world);
    test_free(truth);
}

static void ask_all(bool unsolvable)
{
    const uint64_t seeds = seeds_to_try();
    tally sum = {0};
    printf("seeds 1 to %llu\n", (unsigned long long)seeds);
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            const oct_level_def def = def_of((oct_level_class)of, seed, unsolvable);
            if (of != OCT_LEVEL_HOUSES) { // a scene has one frame
                ask_oracle(&def, &sum);
            }
        }
    }
    printf("%u levels, %zu states; %u unsolvable with all doors at once\n", sum.levels, sum.states,
           sum.full);
}

static void an_oracle_finds_solvable_ones_solvable(void **state)
{
    (void)state;
    ask_all(false);
}

static void an_oracle_finds_unsolvable_ones_unsolvable(void **state)
{
    (void)state;
    ask_all(true);
}

static void an_oracle_agrees_on_every_reason(void **state)
{
    (void)state;
    const uint64_t seeds = seeds_to_try();
    tally sum = {0};
    for (int why = OCT_LEVEL_SEALED; why < OCT_LEVEL_WHY_COUNT; why++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            oct_level_def def = def_of(seed % 2 ? OCT_LEVEL_OPENS : OCT_LEVEL_CHAINS, seed, true);
            def.why = (oct_level_why)why;
            ask_oracle(&def, &sum);
        }
    }
}

// ---- plans ----

static void every_plan_leads_to_the_target(void **state)
{
    (void)state;
    const uint64_t seeds = seeds_to_try();
    oct_level_truth *truth = test_calloc(1, sizeof *truth);
    printf("seeds 1 to %llu\n", (unsigned long long)seeds);
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            const oct_level_def def = def_of((oct_level_class)of, seed, false);
            if (of == OCT_LEVEL_HOUSES) {
                continue;
            }
            oct_world *world = generate(&def, truth);
            level_scene *scene = level_scene_read(world);
            assert_true(level_fly_plan(world, scene, truth) > 0.0);
            level_scene_free(scene);
            oct_world_destroy(world);
        }
    }
    test_free(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_leads_to_the_target),
        cmocka_unit_test(an_oracle_finds_solvable_ones_solvable),
        cmocka_unit_test(an_oracle_finds_unsolvable_ones_unsolvable),
        cmocka_unit_test(an_oracle_agrees_on_every_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
