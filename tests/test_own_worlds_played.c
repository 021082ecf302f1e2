// SPDX-License-Identifier: MIT
// Our own worlds (worlds/*.json) in the game: the start has room, buttons work where one is meant
// to press them and nowhere else, doors open and shut as the wires say, the ship pushes nobody into
// a wall.
#include "game/block_probe.h"
#include "own_world.h"

#include "base/base_internal.h"
#include "octant/block_world.h"

#include <string.h>

#define TIMER_MAX 3.2 // seconds; the longest timer takes 3
#define ACTION(what) ((oct_action){.verb = (what), .ticks = 1})

static oct_game *play(const oct_world *world)
{
    oct_game *game;
    assert_int_equal(oct_block_world_create(&(oct_block_world_def){world, NULL}, &game), OCT_OK);
    assert_int_equal(oct_game_players(game), 1);
    return game;
}

static void step(oct_game *game, double seconds)
{
    assert_int_equal(oct_game_step(game, (uint32_t)ceil(seconds * OCT_BLOCK_WORLD_RATE)), OCT_OK);
}

static oct_self self_of(oct_game *game)
{
    oct_self self;
    assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
    return self;
}

// Upright as at the start, its centre at a point.
static oct_result put(oct_game *game, const own_scene *s, oct_point centre)
{
    oct_pose pose;
    assert_true(oct_world_start(s->world, &pose));
    pose.position = plus(centre, pose.up, -OWN_BALL);
    return oct_block_world_teleport(game, 0, &pose, (oct_point){0, 0, 0});
}

static oct_act use(oct_game *game, uint64_t panel, uint32_t button)
{
    oct_action action = ACTION(OCT_VERB_USE);
    action.target = panel;
    action.button = button;
    oct_act came;
    assert_int_equal(oct_game_act(game, 0, &action, &came), OCT_OK);
    return came;
}

static oct_point middle(oct_bounds b)
{
    return (oct_point){(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2, (b.min.z + b.max.z) / 2};
}

// Doors are open where a body has room in them. The ship's own are left out: it has moved.
static void check_doors(oct_game *game, const own_scene *s, uint32_t bits)
{
    for (uint32_t i = 0; i < s->door_count; i++) {
        size_t index;
        assert_true(oct_world_find(s->world, s->doors[i], &index));
        const oct_world_block door = oct_world_get(s->world, index);
        if (oct_world_get_grid(s->world, door.grid).range > 0.0) {
            continue;
        }
        const oct_result expected = bits >> i & 1 ? OCT_OK : OCT_ERROR_RANGE;
        if (put(game, s, middle(door.box)) != expected) {
            fail_msg("%s: %s is %s", oct_world_name(s->world), door.name,
                     expected == OCT_OK ? "shut" : "open");
        }
    }
}

static void the_start_has_room(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        oct_world *world = own_load(own_worlds[i].file);
        oct_game *game = play(world);
        oct_pose start;
        assert_true(oct_world_start(world, &start));
        const oct_self self = self_of(game);
        assert_memory_equal(&self.pose.position, &start.position, sizeof start.position);
        assert_true(oct_block_world_clearance(game, 0, 1.0) > 0.3);
        step(game, 3.0); // it stays, or falls no deeper than to the floor
        const oct_self later = self_of(game);
        const oct_point off = plus(later.pose.position, start.position, -1.0);
        assert_true(dot(off, off) < 0.5 * 0.5 && later.health == 1.0);
        assert_true(oct_block_world_clearance(game, 0, 1.0) > 0.0);
        oct_game_destroy(game);
        oct_world_destroy(world);
    }
}

// Each button of the solution, pressed in front of its panel, does what the wires say; from the
// start it is out of reach.
static void the_solution_opens_the_doors(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        const own_world *own = &own_worlds[i];
        own_scene s;
        own_open(own, &s);
        oct_game *game = play(s.world);
        const oct_world_rules rules = oct_world_rules_of(s.world);
        uint32_t bits = own_doors(&s);
        check_doors(game, &s, bits);
        for (int k = 0; k < own->presses; k++) {
            const own_place *panel = own_panel(&s, own->solution[k].panel);
            assert_int_equal(put(game, &s, s.start), OCT_OK);
            assert_int_equal(use(game, panel->id, own->solution[k].button), OCT_ACT_TOO_FAR);
            assert_int_equal(put(game, &s, panel->at), OCT_OK);
            assert_int_equal(use(game, panel->id, own->solution[k].button), OCT_ACT_DONE);
            bits = own_follow(&s, panel->id, own->solution[k].button, false, bits);
            step(game, rules.door + TIMER_MAX);
            check_doors(game, &s, bits);
        }
        assert_int_equal(put(game, &s, s.target.at), OCT_OK);
        oct_game_destroy(game);
        own_close(&s);
    }
}

// Whatever is pressed, in whatever order, the doors are as the wires have it.
static void doors_follow_the_wires(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(7);
    for (int i = 0; i < WORLDS; i++) {
        own_scene s;
        own_open(&own_worlds[i], &s);
        oct_game *game = play(s.world);
        uint32_t bits = own_doors(&s);
        for (uint64_t k = 0; k < test_rounds(24); k++) {
            const own_place *panel = &s.panels[oct_random_below(&random, s.panel_count)];
            const uint32_t type = own_named(s.world, panel->name).type;
            const uint32_t buttons = oct_world_get_type(s.world, type).buttons;
            const uint32_t button = (uint32_t)oct_random_below(&random, buttons);
            if (strcmp(panel->name, "Ship panel") == 0) {
                continue; // it is no longer where it was
            }
            assert_int_equal(put(game, &s, panel->at), OCT_OK);
            assert_int_equal(use(game, panel->id, button), OCT_ACT_DONE);
            bits = own_follow(&s, panel->id, button, false, bits);
            step(game, oct_world_rules_of(s.world).door + TIMER_MAX);
            check_doors(game, &s, bits);
        }
        oct_game_destroy(game);
        own_close(&s);
    }
}

// However one flies, one stays inside and out of what is solid.
static void nobody_flies_out(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(8);
    for (int i = 0; i < WORLDS; i++) {
        oct_world *world = own_load(own_worlds[i].file);
        oct_game *game = play(world);
        oct_bounds bounds;
        oct_act came;
        assert_true(oct_world_bounds(world, &bounds));
        oct_action action = ACTION(OCT_VERB_DO);
        action.name = "jetpack";
        action.on = true;
        assert_int_equal(oct_game_turn(game, 0, &action, &came), OCT_OK);
        for (uint64_t k = 0; k < test_rounds(400); k++) {
            action = ACTION(OCT_VERB_MOVE);
            action.ticks = 1 + (uint32_t)oct_random_below(&random, 60);
            action.move = (oct_point){oct_random_normal(&random), oct_random_normal(&random),
                                      oct_random_normal(&random)};
            action.rotate =
                (oct_point){oct_random_unit(&random) - 0.5, oct_random_unit(&random) - 0.5,
                            oct_random_unit(&random) - 0.5};
            assert_int_equal(oct_game_turn(game, 0, &action, &came), OCT_OK);
            assert_true(oct_block_world_clearance(game, 0, 1.0) >= 0.0);
            assert_true(distance_to(bounds, self_of(game).centre) <= 0.0);
        }
        oct_game_destroy(game);
        oct_world_destroy(world);
    }
}

// Whoever is in the ship's way is pushed along it and not crushed, there and back.
static void the_ship_crushes_nobody(void **state)
{
    (void)state;
    own_scene s;
    own_open(&own_worlds[SHIP], &s);
    oct_game *game = play(s.world);
    const oct_world_grid ship = oct_world_get_grid(s.world, 1);
    const double speed = sqrt(dot(ship.drift, ship.drift));
    // Before the bow, in the hold, and behind the stern.
    const double ahead[] = {3.0, -16.0, -27.0};
    for (int i = 0; i < 3; i++) {
        oct_point at = plus(ship.pose.position, ship.pose.forward, ahead[i]);
        at = plus(at, ship.pose.up, 2 * ship.cell);
        assert_int_equal(put(game, &s, at), OCT_OK);
        for (uint32_t tick = 0; tick < 2 * ship.range / speed * OCT_BLOCK_WORLD_RATE; tick += 10) {
            step(game, 10.0 / OCT_BLOCK_WORLD_RATE);
            assert_true(oct_block_world_clearance(game, 0, 1.0) >= 0.0);
        }
        oct_bounds bounds;
        assert_true(oct_world_bounds(s.world, &bounds));
        const oct_self self = self_of(game);
        assert_true(self.health == 1.0 && distance_to(bounds, self.centre) <= 0.0);
    }
    oct_game_destroy(game);
    own_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_has_room),      cmocka_unit_test(the_solution_opens_the_doors),
        cmocka_unit_test(doors_follow_the_wires),  cmocka_unit_test(nobody_flies_out),
        cmocka_unit_test(the_ship_crushes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
