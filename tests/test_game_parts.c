// SPDX-License-Identifier: MIT
// Parts of games: what a body and a door do is what is told of them.
#include "octant/game_parts.h"
#include "support.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

#include <math.h>

#define RATE 60.0

// A room of 6 x 4 x 3 m with a pillar.
static const oct_bounds room[] = {
    {{-1, -1, -1}, {7, 5, 0}}, {{-1, -1, 3}, {7, 5, 4}}, {{-1, -1, 0}, {0, 5, 3}},
    {{6, -1, 0}, {7, 5, 3}},   {{0, -1, 0}, {6, 0, 3}},  {{0, 4, 0}, {6, 5, 3}},
    {{2, 1, 0}, {3, 2, 3}},
};
#define SOLIDS (sizeof room / sizeof *room)

static oct_flyer flyer_at(double x, double y, double z)
{
    oct_flyer f = oct_flyer_default();
    f.centre = (oct_point){x, y, z};
    return f;
}

static double share(oct_random *random)
{
    return 2.0 * oct_random_unit(random) - 1.0;
}

static double deepest(const oct_flyer *f)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < SOLIDS; i++) {
        least = fmin(least, oct_flyer_gap(f, &room[i]));
    }
    return least;
}

// Whatever it does it stays in the room, keeps upright, and is no faster than it says.
static void a_body_keeps_to_its_description(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(7);
    for (int run = 0; run < 200; run++) {
        oct_flyer f = flyer_at(1.0, 3.0, 1.5);
        for (int i = 0; i < 60; i++) {
            const oct_action move = {.verb = OCT_VERB_MOVE,
                                     .ticks = 1 + (uint32_t)(10.0 * oct_random_unit(&random)),
                                     .move = {share(&random), share(&random), share(&random)},
                                     .rotate = {share(&random), share(&random), 0.0}};
            assert_int_equal(oct_flyer_act(&f, &move), OCT_ACT_DONE);
            for (int tick = 0; tick < 10; tick++) {
                const oct_point was = f.centre;
                const oct_point before = f.forward;
                oct_flyer_step(&f, RATE, room, SOLIDS);
                assert_true(deepest(&f) >= -1e-3); // a corner is left in a few rounds
                assert_true(point_length(f.velocity) <= f.speed + 1e-9);
                assert_true(point_length(point_sub(f.centre, was)) <= f.speed / RATE + 1e-3);
                assert_true(oct_angle_between(before, f.forward) <= f.turn / RATE + 1e-9);
                assert_true(fabs(point_dot(f.forward, f.up)) < 1e-9);
            }
        }
    }
}

static void without_a_move_it_brakes_as_it_says(void **state)
{
    (void)state;
    oct_flyer f = flyer_at(1.0, 3.0, 1.5);
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
    f.velocity = (oct_point){2.0, 0.0, 0.0};
    assert_int_equal(oct_flyer_act(&f, &wait), OCT_ACT_DONE);
    for (int tick = 1; tick <= 20; tick++) {
        oct_flyer_step(&f, RATE, room, SOLIDS);
        assert_true(fabs(point_length(f.velocity) - fmax(2.0 - tick * f.acceleration / RATE, 0.0)) <
                    1e-9);
    }
    assert_int_equal(f.bumps, 0);
}

static void what_stops_it_counts_as_a_bump(void **state)
{
    (void)state;
    oct_flyer f = flyer_at(0.5, 3.0, 1.5);
    f.velocity = (oct_point){-3.0, 1.0, 0.0};
    while (f.bumps == 0) {
        oct_flyer_step(&f, RATE, room, SOLIDS);
    }
    assert_true(f.velocity.x >= 0.0 && f.velocity.y > 0.0); // it slides on
    f.centre = (oct_point){2.5, 1.1, 1.0};                  // within the pillar: out by its side
    oct_flyer_step(&f, RATE, room, SOLIDS);
    assert_true(deepest(&f) >= -1e-3);
}

static void the_dead_do_nothing_and_nobody_does_what_it_cannot(void **state)
{
    (void)state;
    oct_flyer f = flyer_at(1.0, 3.0, 1.5);
    const oct_action jump = {.verb = OCT_VERB_JUMP}, keep = {.verb = OCT_VERB_KEEP, .ticks = 1};
    assert_int_equal(oct_flyer_act(&f, &jump), OCT_ACT_REFUSED);
    assert_int_equal(oct_flyer_act(&f, &keep), OCT_ACT_DONE);
    f.health = 0.0;
    assert_int_equal(oct_flyer_act(&f, &keep), OCT_ACT_NOT_NOW);
}

static void what_is_told_of_a_body_fits_together(void **state)
{
    (void)state;
    oct_flyer f = flyer_at(1.0, 3.0, 1.5);
    f.pitch = 0.5;
    const oct_player_body body = oct_flyer_body(&f);
    const oct_self self = oct_flyer_self(&f, 5, 17);
    assert_true(body.gait == OCT_GAIT_FLY && body.height == 2.0 * f.radius);
    assert_true(self.tick == 17 && self.id == 5 && self.flies);
    assert_true(fabs(self.pose.position.z + body.eye - self.eye.z) < 1e-12);
    assert_true(fabs(point_length(self.look) - 1.0) < 1e-12 && self.look.z > 0.0);
}

static void a_door_slides_and_waits(void **state)
{
    (void)state;
    oct_sliding_door door = {
        .gap = {{2, 2, 0}, {2.2, 4, 2}}, .slide = {0.0, -2.0, 0.0}, .seconds = 0.5};
    oct_flyer f = flyer_at(0.5, 3.0, 1.0);
    door.opens = true;
    for (int tick = 0; tick < 30; tick++) {
        oct_sliding_door_step(&door, RATE, &f);
    }
    const oct_entity open = oct_sliding_door_entity(&door, 3, "Door");
    assert_true(fabs(door.opening - 1.0) < 1e-9 && open.has_gap && open.thing.id == 3);
    assert_true(fabs(open.thing.box.min.y) < 1e-9 && open.gap.min.y == 2.0);
    door.opens = false;
    f.centre = (oct_point){2.1, 2.5, 1.0}; // in its gap
    for (int tick = 0; tick < 60; tick++) {
        oct_sliding_door_step(&door, RATE, &f);
    }
    const oct_bounds leaf = oct_sliding_door_box(&door);
    assert_true(door.opening > 0.0 && oct_flyer_gap(&f, &leaf) > 0.0);
}

static void boxes_are_told_as_solid(void **state)
{
    (void)state;
    oct_piece piece;
    const oct_scenery_part part = oct_box_part(9, "Wall", room[0], &piece);
    const oct_entity box = oct_box_entity(2, "Box", OCT_ENTITY_SOLID, room[1]);
    assert_true(part.solid && part.opaque && part.shape.count == 1 && part.id == 9);
    assert_memory_equal(&piece.box, &room[0], sizeof piece.box);
    assert_true(box.thing.label == OCT_BLOCKED && box.thing.opaque && box.harm == OCT_NOT_TOLD);
    assert_true(oct_box_distance(&room[6], (oct_point){2.5, 1.5, 1.0}) == 0.0);
    assert_true(oct_box_distance(&room[6], (oct_point){6.0, 6.0, 1.0}) == 5.0);
}

static void a_game_of_boxes_answers_for_itself(void **state)
{
    (void)state;
    static const oct_named_box walls[] = {{"Floor", {{-1, -1, -1}, {7, 5, 0}}},
                                          {"Ceiling", {{-1, -1, 3}, {7, 5, 4}}}};
    static const oct_game_ops ops = {.body = oct_box_game_body, .self = oct_box_game_self};
    oct_flyer f = flyer_at(1.0, 3.0, 1.5);
    f.speed = 2.5;
    oct_scenery_part parts[2];
    oct_piece pieces[2];
    oct_scenery_page page;
    oct_self self;
    oct_box_game game;
    oct_box_game_begin(&game, &ops, &f, walls, 2, parts, pieces);
    game.tick = 9;
    game.flyer.centre.x = 2.0;
    assert_ptr_equal(game.game.ops, &ops);
    assert_ptr_equal(oct_box_game_describe(&game), &game.info);
    assert_true(oct_box_game_body(&game, 0)->speed == 2.5);
    assert_int_equal(oct_box_game_scenery(&game, 0, &page), OCT_OK);
    assert_int_equal(page.count, 2);
    assert_int_equal(page.next, 0);
    assert_int_equal(page.parts[1].id, 2);
    assert_string_equal(page.parts[1].name, "Ceiling");
    assert_memory_equal(&page.parts[1].shape.pieces->box, &walls[1].box, sizeof walls[1].box);
    assert_int_equal(oct_box_game_self(&game, 0, &self), OCT_OK);
    assert_true(self.id == 3 && self.tick == 9 && self.centre.x == 2.0);
    assert_int_equal(oct_box_game_tick(&game), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_keeps_to_its_description),
        cmocka_unit_test(without_a_move_it_brakes_as_it_says),
        cmocka_unit_test(what_stops_it_counts_as_a_bump),
        cmocka_unit_test(the_dead_do_nothing_and_nobody_does_what_it_cannot),
        cmocka_unit_test(what_is_told_of_a_body_fits_together),
        cmocka_unit_test(a_door_slides_and_waits),
        cmocka_unit_test(boxes_are_told_as_solid),
        cmocka_unit_test(a_game_of_boxes_answers_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
