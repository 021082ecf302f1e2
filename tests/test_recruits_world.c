// SPDX-License-Identifier: MIT
// The lab world, feature by feature, driven by commands.
#include "recruits_support.h"

#define REST 0.0011 // of feet on the lowest floor

// ---- standing and walking ----

static void an_agent_rests_on_its_floor(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f\n");
    pass(game, 100);
    const oct_point feet = feet_of(game, 0);
    assert_true(feet.x == 0.0 && feet.z == 0.0);
    assert_true(fabs(feet.y - REST) < 1e-12);
    oct_game_destroy(game);
}

static void walls_stop_it_at_its_radius(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("w,w,w,w\nw,f:a^x,f,w\nw,w,w,w\n");
    const oct_action left = {.verb = OCT_VERB_MOVE, .ticks = 20, .move = {-1.0, 0.0, 0.0}};
    assert_int_equal(oct_game_turn(game, 0, &left, NULL), OCT_OK);
    assert_true(fabs(feet_of(game, 0).x - 0.82) < 1e-9);
    // Along a wall it slides.
    const oct_action aslant = {.verb = OCT_VERB_MOVE, .ticks = 30, .move = {0.7, 0.0, -0.7}};
    assert_int_equal(oct_game_turn(game, 0, &aslant, NULL), OCT_OK);
    assert_true(fabs(feet_of(game, 0).x - 2.18) < 1e-9);
    assert_true(fabs(feet_of(game, 0).z - 1.18) < 1e-9);
    oct_game_destroy(game);
}

static void it_goes_by_shares_of_a_step(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f,f,f,f,f\n");
    const double step = 0.13 / sqrt(1.0 + 1e-4);
    const oct_action right = {.verb = OCT_VERB_MOVE, .ticks = 10, .move = {1.0, 0.0, 0.0}};
    assert_int_equal(oct_game_turn(game, 0, &right, NULL), OCT_OK);
    assert_true(fabs(feet_of(game, 0).x - 10.0 * step) < 1e-12);
    const oct_action slower = {.verb = OCT_VERB_MOVE, .ticks = 8, .move = {0.25, 0.0, 0.0}};
    assert_int_equal(oct_game_turn(game, 0, &slower, NULL), OCT_OK);
    assert_true(fabs(feet_of(game, 0).x - 12.0 * step) < 1e-12);
    oct_game_destroy(game);
}

static void to_a_target_it_goes_in_full_steps(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f,f,f,f,f\n");
    oct_recruits_go(oct_recruits_inside(game), 0, (oct_point){0.4, 0.0, 0.0}, false);
    pass(game, 10);
    assert_true(fabs(feet_of(game, 0).x - 0.13 / sqrt(1.0 + 1e-4)) < 1e-12);
    oct_game_destroy(game);
}

static void a_target_is_kept_until_it_is_near(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f,f,f,f,f\n");
    recruits_world *const g = oct_recruits_inside(game);
    oct_recruits_go(g, 0, (oct_point){3.0, 0.2, 0.0}, false);
    pass(game, 60);
    const oct_point feet = feet_of(game, 0);
    assert_true(feet.x > 3.0 - 0.316 && feet.x < 3.0);
    assert_false(agent_at(g, 0)->has_target);
    // One that is higher than that is never reached: it goes to and fro.
    oct_recruits_go(g, 0, (oct_point){2.0, 0.4, 0.0}, false);
    pass(game, 60);
    assert_true(agent_at(g, 0)->has_target);
    assert_true(fabs(feet_of(game, 0).x - 2.0) < 0.14);
    oct_game_destroy(game);
}

static void agents_stop_each_other(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("w,w,w,w,w\nf:a^x,f,f,f:a^y,f\nw,w,w,w,w\n");
    assert_false(go_to(game, 0, 4.0, 1.0, 100));
    assert_true(fabs(feet_of(game, 0).x - 2.36) < 1e-9);
    oct_game_destroy(game);
}

static void who_has_no_floor_falls_and_dies(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f,,f,f\n");
    oct_observation seen;
    (void)go_to(game, 0, 4.0, 0.0, 200); // over a gap of one cell
    pass(game, 200);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_true(seen.self.health == 0.0 && seen.self.pose.position.y < -12.0);
    assert_int_equal(seen.over, OCT_OVER_LOST);
    const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 1, .move = {1.0, 0.0, 0.0}};
    oct_act came;
    assert_int_equal(oct_game_act(game, 0, &move, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_NOT_NOW);
    oct_game_destroy(game);
}

// Nobody is ever in a wall.
static void check_bodies(const recruits_world *g)
{
    for (uint32_t i = 0; i < g->agents.count; i++) {
        const oct_point feet = agent_at(g, i)->feet;
        for (int32_t y = axis_floor(feet.y + 0.35); y <= axis_floor(feet.y + 1.35); y++) {
            for (int32_t z = axis_floor(feet.z) - 1; z <= axis_floor(feet.z) + 2; z++) {
                for (int32_t x = axis_floor(feet.x) - 1; x <= axis_floor(feet.x) + 2; x++) {
                    const double off_x = fmax(fabs(feet.x - x) - 0.5, 0.0);
                    const double off_z = fmax(fabs(feet.z - z) - 0.5, 0.0);
                    if ((cell_at(g, x, y, z) & CELL_WALL) && hypot(off_x, off_z) < 0.3199999) {
                        fail_msg("agent %s at %.6f %.6f %.6f", agent_at(g, i)->id, feet.x, feet.y,
                                 feet.z);
                    }
                }
            }
        }
    }
}

// ---- ramps ----

static const char tower[] = "|w,w,w,w,w,w,w\nf,f:a^x,f:r>e,,,,\nw,w,w,w,w,w,w\n"
                            "|,,,,,,\n,,,r>e,,,\n,,,,,,\n"
                            "|,,,,,,\n,,,,r>e,,\n,,,,,,\n"
                            "|,,,,,,\n,,,,,f,f\n,,,,,,\n";

static void ramps_lead_up_and_down(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(tower);
    assert_true(go_to(game, 0, 6.0, 1.0, 100));
    pass(game, 20);
    assert_true(fabs(feet_of(game, 0).y - 3.0 - REST) < 1e-9);
    assert_true(go_to(game, 0, 0.0, 1.0, 200));
    pass(game, 20);
    assert_true(fabs(feet_of(game, 0).y - REST) < 1e-9);
    oct_game_destroy(game);
}

static void who_rests_on_a_ramp_stays(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(tower);
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 50};
    assert_true(go_to(game, 0, 3.0, 1.0, 60));
    assert_int_equal(oct_game_turn(game, 0, &wait, NULL), OCT_OK);
    const oct_point feet = feet_of(game, 0);
    pass(game, 50);
    assert_true(feet.y > 1.0 && feet.y < 2.0);
    const oct_point later = feet_of(game, 0);
    assert_memory_equal(&feet, &later, sizeof feet);
    oct_game_destroy(game);
}

// Who steps from a ramp over the edge of the wall beside it falls beside that wall, not in it.
static void who_falls_from_an_edge_stays_out_of_the_wall(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("|w,w,w,w,w,w\nf:a^x,r>e,w,f,f,w\nf,f,f,f,f,w\n"
                                         "|w,w,w,w,w,w\n,,r>e,,,w\n,,,,,w\n");
    for (double x = 1.6; x < 2.6; x += 0.1) {
        assert_int_equal(oct_game_reset(game, NULL), OCT_OK);
        assert_true(go_to(game, 0, 1.2, 1.0, 60));
        (void)go_to(game, 0, x, 2.0, 60);
        for (int i = 0; i < 40; i++) {
            pass(game, 1);
            check_bodies(oct_recruits_inside(game));
        }
        assert_true(feet_of(game, 0).y < 2.0);
    }
    oct_game_destroy(game);
}

static void ramps_are_walls_from_beside_and_behind(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f,f,f\nf,f:r>w,f\nf,f,f:a^x\n");
    assert_true(go_to(game, 0, 0.7, 2.0, 60));
    assert_false(go_to(game, 0, 0.7, 1.0, 60));
    assert_true(feet_of(game, 0).y < 0.01 && feet_of(game, 0).z > 1.8);
    assert_true(go_to(game, 0, 0.0, 2.0, 60) && go_to(game, 0, 0.0, 1.2, 60));
    assert_false(go_to(game, 0, 1.0, 1.0, 60));
    assert_true(feet_of(game, 0).y < 0.01 && feet_of(game, 0).x < 0.2);
    assert_true(go_to(game, 0, 0.0, 2.0, 60) && go_to(game, 0, 2.0, 2.0, 60));
    assert_true(go_to(game, 0, 2.0, 1.0, 60) && go_to(game, 0, 1.0, 1.0, 60));
    assert_true(feet_of(game, 0).y > 0.2);
    oct_game_destroy(game);
}

// ---- doors ----

static const char hall[] = "b1,d1\n"
                           "|w,w,w,w,w,w,w\nw,f:a^x,f:b^b1,f,f:d>e^d1,f,w\nw,w,w,w,w,w,w\n"
                           "|w,w,w,w,w,w,w\nw,,,,,,w\nw,w,w,w,w,w,w\n";

static void a_shut_door_stops_and_an_open_one_lets_pass(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(hall);
    assert_false(go_to(game, 0, 5.0, 1.0, 100));
    // The panel stands at the far edge of its cell: 4.3 to 4.6.
    assert_true(fabs(feet_of(game, 0).x - 3.98) < 1e-9);
    assert_true(go_to(game, 0, 2.0, 1.0, 100));
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    assert_true(thing_named(game, "d1")->is_on);
    pass(game, 49);
    assert_int_equal(thing_named(game, "d1")->swing, 49);
    pass(game, 10);
    assert_int_equal(thing_named(game, "d1")->swing, 50);
    assert_true(go_to(game, 0, 5.0, 1.0, 100));
    oct_game_destroy(game);
}

static void the_four_turns_of_a_door(void **state)
{
    (void)state;
    oct_game *const game =
        recruits_play("f:a^x,f:d>w^w,f,f:d>s^s,f,f:d>e^e,f,f:d>n^n,f:od>w^open\n");
    const oct_bounds w = oct_recruits_bounds_of(thing_named(game, "w"));
    const oct_bounds s = oct_recruits_bounds_of(thing_named(game, "s"));
    const oct_bounds e = oct_recruits_bounds_of(thing_named(game, "e"));
    const oct_bounds n = oct_recruits_bounds_of(thing_named(game, "n"));
    const oct_bounds open = oct_recruits_bounds_of(thing_named(game, "open"));
    (void)state;
    assert_true(fabs(w.min.x - 0.4) < 1e-9 && fabs(w.max.x - 0.7) < 1e-9);
    assert_true(fabs(w.min.z + 0.75) < 1e-9 && w.min.y == 0.0 && w.max.y == 2.0);
    assert_true(fabs(s.min.z - 0.3) < 1e-9 && fabs(s.max.z - 0.6) < 1e-9);
    assert_true(fabs(e.min.x - 5.3) < 1e-9 && fabs(e.max.x - 5.6) < 1e-9);
    assert_true(fabs(n.min.z + 0.6) < 1e-9 && fabs(n.max.z + 0.3) < 1e-9);
    // Around (-0.4, 0.5): middle at (0.1, 0.45), 1.5 m along x.
    assert_true(fabs(open.min.x - (8.0 + 0.1 - 0.75)) < 1e-9);
    assert_true(fabs(open.max.x - (8.0 + 0.1 + 0.75)) < 1e-9);
    assert_true(fabs(open.min.z - 0.3) < 1e-9 && fabs(open.max.z - 0.6) < 1e-9);
    oct_game_destroy(game);
}

static void a_door_that_swings_pushes(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("b1,d1\n"
                                         "|f,f,f,f\nf,f:od>w^d1:a^x,f,f\nf:b^b1,f,f,f\n");
    const oct_point begin = feet_of(game, 0);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    for (int i = 0; i < 60; i++) {
        pass(game, 1);
        const turned_box b = oct_recruits_box_of(thing_named(game, "d1"));
        const oct_point feet = feet_of(game, 0);
        const double x = fabs(b.cosine * (feet.x - b.x) + b.sine * (feet.z - b.z));
        const double z = fabs(b.cosine * (feet.z - b.z) - b.sine * (feet.x - b.x));
        assert_true(hypot(fmax(x - b.half_x, 0.0), fmax(z - b.half_z, 0.0)) > 0.31);
    }
    assert_true(hypot(feet_of(game, 0).x - begin.x, feet_of(game, 0).z - begin.z) > 0.05);
    // Nobody is stuck afterwards.
    assert_true(go_to(game, 0, 0.0, 0.0, 100) && go_to(game, 0, 3.0, 0.0, 100));
    oct_game_destroy(game);
}

// ---- buttons ----

static void a_button_is_pressed_from_near_and_not_too_often(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(hall);
    assert_true(go_to(game, 0, 3.6, 1.0, 60));
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_NOT_NOW);
    pass(game, 25);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_NOT_NOW); // not more than half a second yet
    pass(game, 1);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    assert_false(thing_named(game, "d1")->is_on);
    assert_int_equal(press(game, 0, "d1"), OCT_ACT_NO_BUTTON);
    pass(game, 60);
    assert_true(go_to(game, 0, 3.9, 1.0, 60) && feet_of(game, 0).x > 3.5);
    pass(game, 10);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_TOO_FAR);
    oct_game_destroy(game);
}

static void scores_are_counted_once(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(hall);
    recruits_world *const g = oct_recruits_inside(game);
    pass(game, 1);
    assert_int_equal(agent_at(g, 0)->score, 0);
    assert_true(go_to(game, 0, 2.0, 1.0, 60));
    assert_int_equal(agent_at(g, 0)->score, 1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
        assert_int_equal(agent_at(g, 0)->score, 11);
        pass(game, 30);
    }
    assert_true(go_to(game, 0, 1.0, 1.0, 60) && go_to(game, 0, 2.0, 1.0, 60));
    assert_int_equal(agent_at(g, 0)->score, 11);
    oct_game_destroy(game);
}

static void one_press_toggles_all_linked_doors(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("b1,d1,d2,d1\nb1,d3\n"
                                         "|f:a^x:b^b1,f:d^d1,f:od^d2,f:d^d3,f:d^d4\n");
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    assert_false(thing_named(game, "d1")->is_on); // twice
    assert_false(thing_named(game, "d2")->is_on);
    assert_true(thing_named(game, "d3")->is_on);
    assert_false(thing_named(game, "d4")->is_on);
    oct_game_destroy(game);
}

static void colours_are_mixed_on_screens(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("red,s\ngreen,s\n"
                                         "|f:a^x:cb#ff0000^red,f:cb#008000^green,f:cs^s\n");
    assert_string_equal(thing_named(game, "s")->colour_text, "#000000");
    assert_int_equal(press(game, 0, "red"), OCT_ACT_DONE);
    assert_string_equal(thing_named(game, "s")->colour_text, "#ff0000");
    assert_int_equal(press(game, 0, "green"), OCT_ACT_DONE);
    assert_string_equal(thing_named(game, "s")->colour_text, "#ff8000");
    pass(game, 30);
    assert_int_equal(press(game, 0, "red"), OCT_ACT_DONE);
    assert_string_equal(thing_named(game, "s")->colour_text, "#008000");
    oct_game_destroy(game);
}

// ---- fire, flags, enemies, characters ----

static void each_entry_into_a_fire_costs_health(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f,f:dhf,f,f\n");
    recruits_world *const g = oct_recruits_inside(game);
    assert_true(go_to(game, 0, 2.0, 0.0, 60));
    pass(game, 100);
    assert_int_equal(agent_at(g, 0)->health, 95);
    assert_true(go_to(game, 0, 4.0, 0.0, 60));
    assert_int_equal(agent_at(g, 0)->health, 95);
    assert_true(go_to(game, 0, 0.0, 0.0, 60));
    assert_int_equal(agent_at(g, 0)->health, 90);
    oct_game_destroy(game);
}

static void flags_score_heal_and_end_the_game(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("f:a^x,f:dhf,f:g^flag,f,f:g^Finish\n");
    recruits_world *const g = oct_recruits_inside(game);
    oct_observation seen;
    assert_true(go_to(game, 0, 1.0, 0.0, 60));
    assert_int_equal(agent_at(g, 0)->health, 95);
    assert_true(go_to(game, 0, 2.0, 0.0, 60));
    assert_int_equal(agent_at(g, 0)->health, 100);
    assert_int_equal(agent_at(g, 0)->score, 100);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.over, OCT_OVER_NOT);
    bool has_told = false;
    for (size_t i = 0; i < seen.event_count; i++) {
        has_told = has_told || (strcmp(seen.events[i].what, "flag") == 0 &&
                                strcmp(seen.events[i].text, "flag") == 0);
    }
    assert_true(has_told);
    assert_true(go_to(game, 0, 4.0, 0.0, 60));
    assert_int_equal(agent_at(g, 0)->score, 600);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.over, OCT_OVER_WON);
    oct_game_destroy(game);
}

static void an_enemy_comes_and_hits(void **state)
{
    (void)state;
    oct_game *const game =
        recruits_play("w,w,w,w,w,w,w,w,w\nw,f:a^x,f,f,f,f:m^orc,f,f,w\nw,f,f,f,f,f,f,f,w\n"
                      "w,w,w,w,w,w,w,w,w\n");
    recruits_world *const g = oct_recruits_inside(game);
    pass(game, 1);
    assert_int_equal(agent_at(g, 0)->health, 100);
    // 3 m at 1.5 m/s, then a blow every 2 s, and a longer rest after the third.
    pass(game, 104);
    assert_int_equal(agent_at(g, 0)->health, 90);
    pass(game, 100);
    assert_int_equal(agent_at(g, 0)->health, 80);
    pass(game, 100);
    assert_int_equal(agent_at(g, 0)->health, 70);
    pass(game, 490);
    assert_int_equal(agent_at(g, 0)->health, 70);
    pass(game, 20);
    assert_int_equal(agent_at(g, 0)->health, 60);
    oct_game_destroy(game);
}

static void a_linked_enemy_sleeps_until_a_press(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("b1,orc\n|f:a^x:b^b1,f,f:m^orc,f\nf,f,f,f\n");
    recruits_world *const g = oct_recruits_inside(game);
    pass(game, 200);
    assert_int_equal(agent_at(g, 0)->health, 100);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    pass(game, 200);
    assert_true(agent_at(g, 0)->health < 100);
    pass(game, 30);
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    assert_true(thing_named(game, "orc")->is_on);
    oct_game_destroy(game);
}

static void a_character_goes_around_its_waypoints(void **state)
{
    (void)state;
    oct_game *const game =
        recruits_play("bob,p1,p2\n"
                      "|w,w,w,w,w,w,w\nw,f:ng^p1,f,w,f,f:ng^p2,w\nw,f,f,w,f,f:npc^bob,w\n"
                      "w,f,f,f,f,f,w\nw,w,w,w,w,w,w\n");
    uint32_t visits[2] = {0};
    bool was[2] = {false};
    for (int i = 0; i < 1000; i++) {
        const oct_point at = thing_named(game, "bob")->origin;
        const bool now[2] = {hypot(at.x - 1.0, at.z - 1.0) < 0.6,
                             hypot(at.x - 5.0, at.z - 1.0) < 0.6};
        visits[0] += now[0] && !was[0];
        visits[1] += now[1] && !was[1];
        was[0] = now[0];
        was[1] = now[1];
        // Never in the wall.
        assert_false(at.x > 2.5 && at.x < 3.5 && at.z < 2.5);
        pass(game, 1);
    }
    assert_true(visits[0] >= 2 && visits[1] >= 2);
    oct_game_destroy(game);
}

// ---- sight ----

static bool sees(oct_game *game, const char *id)
{
    const recruits_world *const g = oct_recruits_inside(game);
    return oct_recruits_sees_thing(g, 0, oct_recruits_thing_of(g, id));
}

static void walls_of_a_metre_are_looked_over(void **state)
{
    (void)state;
    oct_game *low = recruits_play("f:a^x,w,f,f,f,f,f:b^b1\n");
    assert_true(sees(low, "b1"));
    oct_game_destroy(low);
    oct_game *high = recruits_play("f:a^x,w,f,f,f,f,f:b^b1\n|,w,,,,,\n");
    assert_false(sees(high, "b1"));
    oct_game_destroy(high);
}

static void what_hides_and_what_does_not(void **state)
{
    static const struct {
        const char *text;
        bool shows;
    } cases[] = {
        {"f:a^x,f,f,f,f:b^b1\n", true},
        {"f:a^x,f,f:d^d,f,f:b^b1\n", false},
        {"f:a^x,f,f:od^d,f,f:b^b1\n", true},
        {"f:a^x,f,f:cs>s^s,f,f:b^b1\n", false},
        {"f:a^x,f,f:dhf,f,f:b^b1\n", true},
        {"f:a^x,f,f:bc,f,f:b^b1\n", false},
        {"f:a^x,f,f,f:m^m,f:b^b1\n", false},
        {"f:a^x,f,f,f:a^y,f:b^b1\n", false},
        {"f:a^x,f,f:g^g,f,f:b^b1\n", false},
        {"f:a^x,f:r>e,f,f,f,f:b^b1\n", true},
        {"f:a^x,f,f,f,f,f,f,f,f,f:b^b1\n", true},
        {"f:a^x,f,f,f,f,f,f,f,f,f,f:b^b1\n", true},
        {"f:a^x,f,f,f,f,f,f,f,f,f,f,f:b^b1\n", false},
        {"f:a^x:b^b1,f\n", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oct_game *const game = recruits_play(cases[i].text);
        if (sees(game, "b1") != cases[i].shows) {
            fail_msg("%s", cases[i].text);
        }
        oct_game_destroy(game);
    }
}

static void doors_hide_until_they_have_opened(void **state)
{
    (void)state;
    oct_game *const game =
        recruits_play("b1,d1\n|w,w,w,w,w,w\nf:a^x,f:b^b1,f:d>w^d1,f,f,f:b^b2\nw,w,w,w,w,w\n"
                      "|w,w,w,w,w,w\n,,,,,\nw,w,w,w,w,w\n");
    assert_false(sees(game, "b2"));
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    pass(game, 60);
    assert_true(sees(game, "b2"));
    oct_game_destroy(game);
}

// The ray of the fast walk through columns against the same ray in many short parts.
static bool plain_hidden(const recruits_world *g, oct_point from, oct_point to, int steps)
{
    for (int i = 1; i < steps; i++) {
        const double share = (double)i / steps;
        const oct_point at = point_add(from, point_scale(point_sub(to, from), share));
        const int32_t x = axis_floor(at.x + 0.5), y = axis_floor(at.y), z = axis_floor(at.z + 0.5);
        const uint8_t cell = cell_at(g, x, y, z);
        if ((cell & CELL_WALL) ||
            ((cell & CELL_RAMP) &&
             at.y - y < ramp_height(cell >> CELL_TURN_SHIFT, at.x - x, at.z - z))) {
            return true;
        }
        for (uint32_t k = 0; k < g->things.count; k++) {
            const recruits_thing *const t = thing_at(g, k);
            if (is_solid(t) && oct_recruits_distance(at, &t->box) <= 0.0) {
                return true;
            }
        }
    }
    return false;
}

static void rays_agree_with_a_plain_walk(void **state)
{
    static const char *const words[] = {"", "", "", "", "w", "r>e", "r>n", "c", "t>s", "cs"};
    oct_random random = oct_random_seed(5);
    uint32_t differences = 0;
    (void)state;
    for (int round = 0; round < 20; round++) {
        char text[4000] = "";
        for (int i = 0; i < 3 * 64; i++) {
            const char *const word = words[oct_random_below(&random, 10)];
            snprintf(text + strlen(text), 20, "%s%s%s", i % 64 == 0 ? "|" : "", word,
                     i % 8 == 7 ? "\n" : ",");
        }
        oct_game *const game = recruits_play(text);
        for (int i = 0; i < 100; i++) {
            oct_point ends[2];
            for (int k = 0; k < 2; k++) {
                ends[k] = (oct_point){oct_random_unit(&random) * 8.0 - 0.5,
                                      oct_random_unit(&random) * 4.0,
                                      oct_random_unit(&random) * 8.0 - 0.5};
            }
            const recruits_world *const g = oct_recruits_inside(game);
            // Rays that begin inside something are not compared: they do not meet that.
            const oct_point beside = point_add(ends[0], (oct_point){1e-6, 0.0, 0.0});
            const bool is_hidden = oct_recruits_is_hidden(g, ends[0], ends[1], SIGHT_MESH, 0);
            // What the ray grazes needs a closer look.
            if (!plain_hidden(g, ends[0], beside, 2) &&
                is_hidden != plain_hidden(g, ends[0], ends[1], 1000)) {
                differences += is_hidden != plain_hidden(g, ends[0], ends[1], 1000000);
            }
        }
        oct_game_destroy(game);
    }
    assert_int_equal(differences, 0);
}

// ---- the interface ----

static void it_describes_itself(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(hall);
    const oct_game_info *const info = oct_game_describe(game);
    const oct_player_body *body;
    assert_int_equal(info->up, OCT_UP_Y);
    assert_true(info->left_handed && info->rate == 50.0 && info->view == 10.0);
    assert_true(info->has_settle && info->settle == 100 && info->slide == 50);
    assert_int_equal(info->promises,
                     1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_MEMORY | 1u << OCT_ASSUME_CAUSES);
    assert_int_equal(oct_game_body(game, 0, &body), OCT_OK);
    assert_true(body->gait == OCT_GAIT_WALK && fabs(body->speed - 6.5) < 1e-12);
    assert_true(oct_player_body_has(body, "use") && !oct_player_body_has(body, "jump"));
    oct_game_destroy(game);
}

static void it_denies_its_reach_where_the_ground_is_uneven(void **state)
{
    static const struct {
        const char *text;
        bool denies;
    } cases[] = {
        {"f:a^x,f,f,f:b^b\n", false},
        {"w,w,w,w,w\nw,f:a^x,f,f:b^b,w\nw,w,w,w,w\n", true},
        {"|w,w,w,w\nw,f:a^x,f:b^b,w\nw,w,w,w\n|w,w,w,w\nw,,,w\nw,w,w,w\n", false},
        {"f:a^x,f:r>e,f,f:b^b\n", true},
        {"|f:a^x,f,f:b^b\n|,f,\n", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oct_game *const game = recruits_play(cases[i].text);
        assert_int_equal(oct_game_describe(game)->denies,
                         cases[i].denies ? 1u << OCT_ASSUME_BODY : 0u);
        oct_game_destroy(game);
    }
}

static const oct_entity *entity(const oct_observation *seen, const char *name)
{
    for (size_t i = 0; i < seen->count; i++) {
        if (strcmp(seen->entities[i].name, name) == 0) {
            return &seen->entities[i];
        }
    }
    return NULL;
}

static void it_tells_what_is_in_range(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(hall);
    oct_observation seen;
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.count, 2);
    const oct_entity *const button = entity(&seen, "b1"), *const door = entity(&seen, "d1");
    assert_int_equal(button->kind, OCT_ENTITY_BUTTON);
    assert_int_equal(button->use_count, 1);
    assert_int_equal(button->thing.label, OCT_OPEN);
    assert_int_equal(door->kind, OCT_ENTITY_DOOR);
    assert_int_equal(door->thing.label, OCT_BLOCKED);
    assert_true(door->has_gap && door->opening == 0.0 && door->thing.opaque);
    assert_int_equal(oct_property_number(door->props, door->prop_count, "isOpen", 2.0), 0.0);
    const oct_bounds gap = door->gap;
    assert_true(go_to(game, 0, 2.0, 1.0, 60));
    assert_int_equal(press(game, 0, "b1"), OCT_ACT_DONE);
    pass(game, 25);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    const oct_entity *const half = entity(&seen, "d1");
    assert_int_equal(half->shape.count, 1);
    assert_true(half->opening == 0.5 && memcmp(&half->gap, &gap, sizeof gap) == 0);
    // The quaternion turns the box's own x axis as the panel has turned.
    const double *const q = half->shape.pieces[0].turn;
    const turned_box b = oct_recruits_box_of(thing_named(game, "d1"));
    assert_true(fabs(1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) - b.cosine) < 1e-12);
    assert_true(fabs(2.0 * (q[0] * q[2] - q[3] * q[1]) - b.sine) < 1e-12);
    oct_game_destroy(game);
}

static void scenery_is_what_cells_say(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("|w,w,w\nw,f:a^x,r>e\nw,f,w\n|w,,\n,,\n,,\n");
    oct_scenery_page page;
    double walls = 0.0;
    uint32_t hulls = 0;
    assert_int_equal(oct_game_scenery(game, 0, &page), OCT_OK);
    assert_int_equal(page.next, 0);
    for (size_t i = 0; i < page.count; i++) {
        const oct_piece *const p = page.parts[i].shape.pieces;
        hulls += p->kind == OCT_PIECE_HULL && p->point_count == 6;
        const double volume = (p->box.max.x - p->box.min.x) * (p->box.max.y - p->box.min.y) *
                              (p->box.max.z - p->box.min.z);
        walls += p->kind == OCT_PIECE_BOX && p->box.max.y > p->box.min.y + 0.5 ? volume : 0.0;
    }
    assert_int_equal(hulls, 1);
    assert_true(fabs(walls - 7.0) < 1e-9);
    oct_game_destroy(game);
}

// ---- determinism, life ----

static void act_at_random(oct_game *game, oct_random *random)
{
    recruits_world *const g = oct_recruits_inside(game);
    for (uint32_t who = 0; who < g->agents.count; who++) {
        const oct_point feet = feet_of(game, who);
        if (g->things.count > 0 && oct_random_below(random, 4) == 0) {
            const uint32_t thing = (uint32_t)oct_random_below(random, g->things.count);
            const oct_action use = {.verb = OCT_VERB_USE, .target = thing_number(g, thing)};
            assert_int_equal(oct_game_act(game, who, &use, NULL), OCT_OK);
        } else {
            const oct_point to = {feet.x + oct_random_unit(random) * 4.0 - 2.0, feet.y,
                                  feet.z + oct_random_unit(random) * 4.0 - 2.0};
            oct_recruits_go(g, who, to, false);
        }
    }
}

static void the_same_commands_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t hashes[3];
    oct_game *const game = recruits_play("b1,d1,orc\nbob,p1,p2\n"
                                         "|f:a^x,f:b^b1,f,f:d^d1,f\nf,f:dhf,f,f:m^orc,f:ng^p1\n"
                                         "f:a^y,f:npc^bob,f:c,f,f:ng^p2\n");
    for (int run = 0; run < 3; run++) {
        oct_random random = oct_random_seed(run == 2 ? 8 : 7);
        for (int i = 0; i < 300; i++) {
            act_at_random(game, &random);
            pass(game, 5);
        }
        hashes[run] = oct_game_hash(game);
        assert_int_equal(oct_game_reset(game, NULL), OCT_OK);
        assert_int_equal(oct_game_tick(game), 0);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_true(hashes[0] != hashes[2]);
    oct_game_destroy(game);
}

static void nobody_enters_a_wall(void **state)
{
    static const char *const names[] = {
        "gym/contest/CR3_1_1_H.csv",    "gym/contest/CR3_3_3_MH.csv",
        "gym/samira_8room.csv",         "gym/CLRSWTCH.csv",
        "demo/twoFloorsTest4.csv",      "demo/ramptest2.csv",
        "demo/simple3_withEnemies.csv", "gym/square2.csv",
        "gym/HZRDDirect.csv",           "demo/level_with_simple_npc_walk.csv"};
    (void)state;
    oct_random random = oct_random_seed(11);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        oct_game *const game = recruits_load(names[i]);
        if (!game) {
            skip();
        }
        for (int k = 0; k < 1000; k++) {
            act_at_random(game, &random);
            pass(game, 3);
            check_bodies(oct_recruits_inside(game));
        }
        oct_game_destroy(game);
    }
}

static oct_result play_with(const oct_allocator *allocator, void *ctx)
{
    oct_recruits_level *level;
    oct_game *game;
    const char *const text = ctx;
    const oct_recruits_reading how = {.allocator = allocator};
    OCT_TRY(oct_recruits_level_read(text, strlen(text), &how, &level, NULL));
    oct_recruits_world_def def = oct_recruits_world_def_default();
    def.level = level;
    def.allocator = allocator;
    oct_result result = oct_recruits_world_create(&def, &game);
    if (result != OCT_OK) {
        oct_recruits_level_destroy(level);
        return result;
    }
    result = oct_game_step(game, 100);
    oct_game_destroy(game);
    return result;
}

static void short_memory_is_a_result(void **state)
{
    char text[] = "b1,d1\nbob,p1\n|f:a^x:b^b1,f:d^d1,f:npc^bob,r>e\nf,f:ng^p1,f:m^orc,f\n";
    (void)state;
    assert_true(test_each_failure(play_with, text) > 20);
}

static void hostile_definitions_are_refused(void **state)
{
    oct_recruits_level *const level = recruits_read("f:a^x\n", 6);
    oct_game *game;
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 1e300};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oct_recruits_world_def def = oct_recruits_world_def_default();
        def.level = level;
        def.view = bad[i];
        assert_int_equal(oct_recruits_world_create(&def, &game), OCT_ERROR_ARGUMENT);
        def.view = 10.0;
        def.agent_speed = bad[i];
        assert_int_equal(oct_recruits_world_create(&def, &game), OCT_ERROR_ARGUMENT);
    }
    oct_recruits_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_rests_on_its_floor),
        cmocka_unit_test(walls_stop_it_at_its_radius),
        cmocka_unit_test(it_goes_by_shares_of_a_step),
        cmocka_unit_test(to_a_target_it_goes_in_full_steps),
        cmocka_unit_test(a_target_is_kept_until_it_is_near),
        cmocka_unit_test(agents_stop_each_other),
        cmocka_unit_test(who_has_no_floor_falls_and_dies),
        cmocka_unit_test(ramps_lead_up_and_down),
        cmocka_unit_test(who_rests_on_a_ramp_stays),
        cmocka_unit_test(who_falls_from_an_edge_stays_out_of_the_wall),
        cmocka_unit_test(ramps_are_walls_from_beside_and_behind),
        cmocka_unit_test(a_shut_door_stops_and_an_open_one_lets_pass),
        cmocka_unit_test(the_four_turns_of_a_door),
        cmocka_unit_test(a_door_that_swings_pushes),
        cmocka_unit_test(a_button_is_pressed_from_near_and_not_too_often),
        cmocka_unit_test(scores_are_counted_once),
        cmocka_unit_test(one_press_toggles_all_linked_doors),
        cmocka_unit_test(colours_are_mixed_on_screens),
        cmocka_unit_test(each_entry_into_a_fire_costs_health),
        cmocka_unit_test(flags_score_heal_and_end_the_game),
        cmocka_unit_test(an_enemy_comes_and_hits),
        cmocka_unit_test(a_linked_enemy_sleeps_until_a_press),
        cmocka_unit_test(a_character_goes_around_its_waypoints),
        cmocka_unit_test(walls_of_a_metre_are_looked_over),
        cmocka_unit_test(what_hides_and_what_does_not),
        cmocka_unit_test(doors_hide_until_they_have_opened),
        cmocka_unit_test(rays_agree_with_a_plain_walk),
        cmocka_unit_test(it_describes_itself),
        cmocka_unit_test(it_denies_its_reach_where_the_ground_is_uneven),
        cmocka_unit_test(it_tells_what_is_in_range),
        cmocka_unit_test(scenery_is_what_cells_say),
        cmocka_unit_test(the_same_commands_give_the_same_bits),
        cmocka_unit_test(nobody_enters_a_wall),
        cmocka_unit_test(short_memory_is_a_result),
        cmocka_unit_test(hostile_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
