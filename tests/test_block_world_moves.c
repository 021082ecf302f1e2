// SPDX-License-Identifier: MIT
// Movements and gear of players in the block world, and what they stand on.
#include "block_scene.h"

static void actions_but_wait_and_move_leave_the_movement(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 40, .move = {0, 0, -1}};
    assert_int_equal(scene_act(&s, who, move), OCT_ACT_DONE);
    scene_step(&s, 10);
    assert_int_equal(scene_self(&s, who).ticks, 30);
    assert_int_equal(scene_act(&s, who, (oct_action){.verb = OCT_VERB_KEEP, .ticks = 5}),
                     OCT_ACT_DONE);
    scene_equip(&s, who, 0, 0);
    scene_use(&s, who, 1, 0);
    assert_int_equal(scene_self(&s, who).ticks, 30);
    scene_step(&s, 10);
    const oct_self under_way = scene_self(&s, who);
    assert_int_equal(under_way.ticks, 20);
    scene_check_near(under_way.velocity.z, -20 * 10.0 / 60.0, 1e-9);
    assert_int_equal(scene_act(&s, who, (oct_action){.verb = OCT_VERB_WAIT, .ticks = 7}),
                     OCT_ACT_DONE);
    scene_step(&s, 4);
    const oct_self braking = scene_self(&s, who);
    assert_int_equal(braking.ticks, 3);
    assert_true(braking.velocity.z > under_way.velocity.z); // dampeners brake
    block_scene_free(&s);
}

static void gear_is_switched(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    oct_self self = scene_self(&s, who);
    assert_true(self.flies && scene_own(&self, "dampeners") == 1.0 &&
                scene_own(&self, "boots") == 0.0 && !self.stands);
    assert_int_equal(scene_do(&s, who, OCT_VERB_JUMP), OCT_ACT_NOT_NOW);
    const oct_action changes[] = {
        {.verb = OCT_VERB_DO, .name = "dampeners", .on = false},
        {.verb = OCT_VERB_DO, .name = "boots", .on = true},
        {.verb = OCT_VERB_DO, .name = "jetpack", .on = false},
    };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scene_act(&s, who, changes[i]), OCT_ACT_DONE);
        self = scene_self(&s, who);
        assert_true(scene_own(&self, "dampeners") == 0.0);
        assert_true(scene_own(&self, "boots") == (i >= 1));
        assert_int_equal(self.flies, i < 2);
    }
    block_scene_free(&s);
}

static void heavy(oct_world_rules *rules)
{
    rules->gravity = (oct_point){0, -9.81, 0};
}

static void one_jumps_off_what_one_stands_on(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_rules(&s, heavy);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 1.25 + 1.2, 0});
    const oct_action off = {.verb = OCT_VERB_DO, .name = "jetpack", .on = false};
    scene_act(&s, who, off);
    assert_true(oct_game_describe(s.game)->gravity.y == -9.81);
    assert_int_equal(scene_do(&s, who, OCT_VERB_JUMP), OCT_ACT_NOT_NOW); // it falls
    scene_step(&s, 60);
    assert_true(scene_self(&s, who).stands);
    scene_act(&s, who, (oct_action){.verb = OCT_VERB_DO, .name = "jetpack", .on = true});
    assert_int_equal(scene_do(&s, who, OCT_VERB_JUMP), OCT_ACT_NOT_NOW); // it flies
    scene_act(&s, who, off);
    assert_int_equal(scene_do(&s, who, OCT_VERB_JUMP), OCT_ACT_DONE);
    scene_step(&s, 2);
    assert_false(scene_self(&s, who).stands);
    assert_true(scene_self(&s, who).velocity.y > 3.0);
    scene_step(&s, 120);
    assert_true(scene_self(&s, who).stands);
    // What it stands on taken away, it falls.
    scene_move(&s, who, (oct_point){0, 1.25 + 0.902, 0}, (oct_point){0, 0, -1});
    scene_step(&s, 2);
    const uint32_t other =
        scene_join_turned(&s, (oct_point){0, -3, 0}, (oct_point){0, 1, 0}, (oct_point){0, 0, 1});
    assert_true(scene_self(&s, who).stands);
    assert_int_equal(scene_do_named(&s, other, "remove", false), OCT_ACT_DONE);
    scene_step(&s, 30);
    assert_false(scene_self(&s, who).stands);
    assert_true(scene_self(&s, who).velocity.y < -4.0);
    block_scene_free(&s);
}

// Who stands on a ship is carried, until what it stands on is taken away: also where something new
// on the ship gets the number of the solid.
static void nobody_is_carried_by_what_is_gone(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_rules(&s, heavy);
    const oct_world_grid grid = {.id = 7,
                                 .pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}},
                                 .cell = 2.5,
                                 .drift = {3, 0, 0},
                                 .range = 50};
    const uint32_t ship = block_scene_grid(&s, &grid);
    scene_put_on(&s, ship, 1, STONE, (oct_vec){0, 0, 0});
    scene_put_on(&s, ship, 2, STONE, (oct_vec){4, 0, 0});
    const oct_item item = {.kind = OCT_ITEM_BLOCK, .type = STONE};
    assert_int_equal(oct_world_set_item(s.world, 1, 0, item), OCT_OK);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 1.25 + 0.91, 0});
    const oct_action off = {.verb = OCT_VERB_DO, .name = "jetpack", .on = false};
    scene_act(&s, who, off);
    scene_step(&s, 60);
    const oct_self carried = scene_self(&s, who);
    assert_true(carried.stands);
    scene_step(&s, 1);
    scene_check_near(scene_self(&s, who).centre.x - carried.centre.x, 3.0 / 60.0, 1e-9);
    const uint32_t other = scene_join_turned(&s, (oct_point){carried.centre.x, -3, 0},
                                             (oct_point){0, 1, 0}, (oct_point){0, 0, 1});
    assert_int_equal(scene_do_named(&s, other, "remove", false), OCT_ACT_DONE);
    const double c = 0.70710678118654752;
    scene_move_turned(&s, other, (oct_point){10 + carried.centre.x, -1.25 - 2.05, 2.05},
                      (oct_point){0, c, -c}, (oct_point){1, 0, 0});
    const oct_action place = {.verb = OCT_VERB_DO, .name = "activate", .number = 9};
    assert_int_equal(scene_act(&s, other, place), OCT_ACT_DONE);
    const double before = scene_self(&s, who).centre.x;
    scene_step(&s, 1);
    assert_true(scene_self(&s, who).centre.x == before);
    assert_false(scene_self(&s, who).stands);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_but_wait_and_move_leave_the_movement),
        cmocka_unit_test(gear_is_switched),
        cmocka_unit_test(one_jumps_off_what_one_stands_on),
        cmocka_unit_test(nobody_is_carried_by_what_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
