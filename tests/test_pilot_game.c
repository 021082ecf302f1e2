// SPDX-License-Identifier: MIT
// Pilots that play the block world through its interface: doors that shut before them, walls that
// their maps do not know, delays, and each other.
#include "base/base_internal.h"
#include "block_scene.h"
#include "game/block_probe.h"
#include "geom/geom_internal.h"
#include "octant/flight.h"
#include "octant/search.h"

#include <inttypes.h>
#include <math.h>

#define PADDING 0.95
#define CELL 0.3
#define DOOR_ID 1
#define PANEL_ID 2
#define DOOR_X 20.0
// A wall of its own, or a thing that nobody sees.
#define WALL_ID 3

// Two rooms, 17.5 x 5 x 12.5 m each, and a door between them.
typedef struct house {
    block_scene s;
    oct_game *inner; // the game without its delay
    oct_map *map;
    oct_planner *planner;
    oct_pilot *pilot;
    bool looks; // it observes as it goes
} house;

static const oct_point first_room = {4.0, 3.0, 7.0}, second_room = {35.0, 3.2, 7.8};

static void put_house(house *h, double view)
{
    block_scene_init(&h->s);
    oct_world_rules rules = oct_world_rules_of(h->s.world);
    rules.view = view;
    assert_int_equal(oct_world_set_rules(h->s.world, &rules), OCT_OK);
    uint64_t id = 100;
    for (int x = 0; x <= 16; x++) {
        for (int y = 0; y <= 3; y++) {
            for (int z = 0; z <= 6; z++) {
                const bool is_door = x == 8 && y == 1 && z == 3;
                const bool is_panel = x == 1 && y == 1 && z == 5;
                const bool is_wall =
                    x % 8 == 0 || y == 0 || y == 3 || z == 0 || z == 6 || is_door || is_panel;
                if (is_wall) {
                    scene_put(&h->s,
                              is_door    ? DOOR_ID
                              : is_panel ? PANEL_ID
                                         : id++,
                              is_door    ? DOOR
                              : is_panel ? PANEL
                                         : STONE,
                              x, y, z);
                }
            }
        }
    }
    scene_wire(&h->s, PANEL_ID, 0, OCT_WIRE_TOGGLE, DOOR_ID);
}

static void make_map(house *h)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = CELL;
    def.padding = (oct_point){PADDING, PADDING, PADDING};
    assert_int_equal(oct_map_create(&def, &h->map), OCT_OK);
    assert_int_equal(oct_map_set_world_box(h->map, oct_world_extent(h->s.world), OCT_COVER_INSIDE,
                                           OCT_MARK_KNOWN),
                     OCT_OK);
    assert_int_equal(oct_world_add_to(h->s.world, h->map, NULL), OCT_OK);
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = oct_map_tree(h->map);
    assert_int_equal(oct_planner_create(&planner, &h->planner), OCT_OK);
}

static oct_pilot *make_pilot(const house *h, uint32_t ticks)
{
    oct_pilot_def def = oct_pilot_def_default();
    oct_pilot *pilot;
    def.info = oct_game_describe(h->s.game);
    assert_int_equal(oct_game_body(h->s.game, 0, &def.body), OCT_OK);
    def.map = h->map;
    def.ticks = ticks;
    assert_int_equal(oct_pilot_create(&def, &pilot), OCT_OK);
    return pilot;
}

// Plays what has been put; someone is in the first room, another one before the panel.
static void play(house *h, uint32_t delay, uint64_t seed)
{
    scene_play(&h->s);
    h->inner = h->s.game;
    assert_int_equal(scene_join(&h->s, first_room), 0);
    assert_int_equal(scene_join(&h->s, (oct_point){5.0, 2.5, 12.0}), 1);
    if (delay > 0) {
        assert_int_equal(oct_game_delay(h->inner, 2, delay, seed, NULL, &h->s.game), OCT_OK);
    }
    make_map(h);
    h->pilot = make_pilot(h, 10);
}

static void free_house(house *h)
{
    oct_pilot_destroy(h->pilot);
    oct_planner_destroy(h->planner);
    oct_map_destroy(h->map);
    block_scene_free(&h->s);
}

// The second player presses, without a delay of its own.
static void press(house *h)
{
    oct_act came;
    const oct_action use = {.verb = OCT_VERB_USE, .target = PANEL_ID, .button = 0};
    assert_int_equal(oct_game_act(h->inner, 1, &use, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_DONE);
}

// The door is open, and the map knows.
static void open_door(house *h)
{
    press(h);
    scene_step(&h->s, 60);
    assert_int_equal(oct_map_relabel(h->map, DOOR_ID, OCT_OPEN), OCT_OK);
}

static bool plan(house *h, oct_pilot *pilot, oct_point from, oct_point to)
{
    oct_query query = oct_query_default();
    oct_path path;
    query.from = from;
    query.to = to;
    assert_int_equal(oct_planner_plan(h->planner, &query, &path), OCT_OK);
    if (path.status != OCT_PATH_FOUND || path.enters_blocked) {
        return false;
    }
    assert_int_equal(oct_pilot_follow(pilot, path.points, path.point_count), OCT_OK);
    return true;
}

static oct_self look(house *h, uint32_t who)
{
    oct_observation seen;
    if (!h->looks) {
        return scene_self(&h->s, who);
    }
    (void)scene_look(&h->s, who, h->map, &seen);
    return seen.self;
}

static oct_pilot_status turn(house *h)
{
    const oct_self self = look(h, 0);
    oct_action action;
    const oct_pilot_status status = oct_pilot_next(h->pilot, &self, &action);
    assert_int_equal(oct_game_turn(h->s.game, 0, &action, NULL), OCT_OK);
    return status;
}

// Until the pilot has done or so many seconds have passed.
static oct_pilot_status go(house *h, uint32_t seconds)
{
    const uint64_t begin = oct_game_tick(h->s.game);
    oct_pilot_status status = OCT_PILOT_FLYING;
    while (status == OCT_PILOT_FLYING) {
        status = turn(h);
        assert_true(oct_game_tick(h->s.game) - begin < seconds * OCT_BLOCK_WORLD_RATE);
    }
    return status;
}

static void come_to_rest(house *h)
{
    for (int i = 0; point_length(scene_self(&h->s, 0).velocity) > 0.0; i++) {
        turn(h);
        assert_true(i < 200);
    }
}

static void check_there(house *h, uint32_t who, oct_point to)
{
    const oct_self self = scene_self(&h->s, who);
    assert_true(point_length(point_sub(self.centre, to)) <= 0.25);
    assert_true(point_length(self.velocity) <= 0.05);
}

// ---- a door that shuts ----

static void shut_while_it_comes(uint32_t delay, uint64_t seed)
{
    house h = {.looks = true};
    put_house(&h, 16.0);
    play(&h, delay, seed);
    open_door(&h);
    assert_true(plan(&h, h.pilot, first_room, second_room));
    // As late as it can still stop, with what it may take to hear of it.
    oct_self self = scene_self(&h.s, 0);
    const double heard = (delay > 0 ? 2.0 * delay : 10.0) / OCT_BLOCK_WORLD_RATE;
    double stops = 0.0;
    while (DOOR_X - 2.6 - self.centre.x > stops + (double)(seed % 3)) {
        assert_int_equal(turn(&h), OCT_PILOT_FLYING);
        self = scene_self(&h.s, 0);
        const double speed = self.velocity.x + 10.0 * heard;
        stops = speed * heard + speed * speed / 20.0 + speed / OCT_BLOCK_WORLD_RATE;
    }
    press(&h);
    assert_int_equal(go(&h, 4), OCT_PILOT_BLOCKED);
    come_to_rest(&h);
    self = scene_self(&h.s, 0);
    assert_int_equal(self.bumps, 0);
    assert_true(self.centre.x < DOOR_X - 1.25 - 0.9);
    assert_true(oct_block_world_clearance(h.inner, 0, 1.0) > 0.0);
    // There is no way until it opens again.
    assert_true(!plan(&h, h.pilot, self.centre, second_room));
    press(&h);
    scene_step(&h.s, 130);
    look(&h, 0);
    self = scene_self(&h.s, 0);
    assert_true(plan(&h, h.pilot, self.centre, second_room));
    assert_int_equal(go(&h, 15), OCT_PILOT_ARRIVED);
    check_there(&h, 0, second_room);
    assert_int_equal(scene_self(&h.s, 0).bumps, 0);
    free_house(&h);
}

static void it_stops_before_a_door_that_shuts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(3); seed++) {
        shut_while_it_comes(0, seed);
        shut_while_it_comes(12, seed);
    }
}

// ---- walls that the map does not know ----

// A wall across the first room which leaves a gap at one side.
static const oct_bounds wall = {{13.0, 1.25, 4.0}, {13.5, 6.25, 13.75}};
static const oct_point behind_wall = {17.0, 3.0, 10.0};

static void a_wall_is_learned_on_the_way(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 8; delay += 4) {
        house h = {.looks = true};
        put_house(&h, 7.0);
        scene_put_box(&h.s, WALL_ID, STONE, wall);
        play(&h, delay, 3);
        assert_int_equal(oct_map_remove(h.map, WALL_ID), OCT_OK);
        assert_true(plan(&h, h.pilot, first_room, behind_wall));
        // It is out of sight at first.
        assert_int_equal(turn(&h), OCT_PILOT_FLYING);
        oct_thing seen;
        assert_true(!oct_map_thing(h.map, WALL_ID, &seen));
        int plans = 1;
        while (go(&h, 15) == OCT_PILOT_BLOCKED) {
            come_to_rest(&h);
            assert_true(plan(&h, h.pilot, scene_self(&h.s, 0).centre, behind_wall));
            assert_true(++plans < 6);
        }
        assert_true(plans > 1 && oct_map_thing(h.map, WALL_ID, &seen));
        check_there(&h, 0, behind_wall);
        assert_int_equal(scene_self(&h.s, 0).bumps, 0);
        free_house(&h);
    }
}

// Something that is there and that nothing tells of: it is felt.
static void what_nobody_sees_makes_it_stuck(void **state)
{
    (void)state;
    for (uint32_t delay = 0; delay <= 30; delay += 30) {
        house h = {.looks = false};
        put_house(&h, 7.0);
        scene_put_box(&h.s, WALL_ID, STONE, wall);
        play(&h, delay, 4);
        oct_thing thing;
        assert_true(oct_map_thing(h.map, WALL_ID, &thing));
        assert_int_equal(oct_map_remove(h.map, WALL_ID), OCT_OK);
        assert_true(plan(&h, h.pilot, first_room, behind_wall));
        const oct_pilot_status status = go(&h, 20);
        assert_true(status == OCT_PILOT_STUCK || status == OCT_PILOT_BLOCKED);
        assert_true(scene_self(&h.s, 0).bumps > 0);
        come_to_rest(&h);
        assert_int_equal(oct_map_add(h.map, &thing), OCT_OK);
        const uint64_t bumps = scene_self(&h.s, 0).bumps;
        assert_true(plan(&h, h.pilot, scene_self(&h.s, 0).centre, behind_wall));
        assert_int_equal(go(&h, 20), OCT_PILOT_ARRIVED);
        check_there(&h, 0, behind_wall);
        assert_int_equal(scene_self(&h.s, 0).bumps, bumps);
        free_house(&h);
    }
}

// ---- delays ----

// Through the door and back to the first room; the hash of the game at the end.
static uint64_t there_and_back(uint32_t delay, uint64_t seed)
{
    house h = {.looks = false};
    put_house(&h, 7.0);
    play(&h, delay, seed);
    // To the panel, to press it oneself.
    const oct_point before_panel = {5.0, 2.6, 11.0};
    assert_true(plan(&h, h.pilot, first_room, before_panel));
    assert_int_equal(go(&h, 15), OCT_PILOT_ARRIVED);
    check_there(&h, 0, before_panel);
    const oct_action use = {.verb = OCT_VERB_USE, .target = PANEL_ID, .button = 0};
    oct_act came;
    assert_int_equal(oct_game_turn(h.s.game, 0, &use, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_DONE);
    scene_step(&h.s, 60);
    assert_int_equal(oct_map_relabel(h.map, DOOR_ID, OCT_OPEN), OCT_OK);
    assert_true(plan(&h, h.pilot, scene_self(&h.s, 0).centre, second_room));
    assert_int_equal(go(&h, 25), OCT_PILOT_ARRIVED);
    check_there(&h, 0, second_room);
    assert_true(plan(&h, h.pilot, scene_self(&h.s, 0).centre, first_room));
    assert_int_equal(go(&h, 25), OCT_PILOT_ARRIVED);
    check_there(&h, 0, first_room);
    assert_int_equal(scene_self(&h.s, 0).bumps, 0);
    const uint64_t hash = oct_game_hash(h.s.game);
    free_house(&h);
    return hash;
}

static void equal_seeds_give_equal_flights(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(8); seed++) {
        const uint64_t hash = there_and_back(30, seed);
        assert_int_equal(hash, there_and_back(30, seed));
        assert_int_not_equal(hash, there_and_back(30, seed + 100));
    }
}

// At any optimisation, by any compiler.
static void a_flight_has_the_bits_it_always_had(void **state)
{
    (void)state;
    const uint64_t golden[2] = {UINT64_C(0x17d936a3307ec7b6), UINT64_C(0x6c2a660792d374b3)};
    int wrong = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t hash = there_and_back(30 * i, 7);
        if (hash != golden[i]) {
            print_error("%s: 0x%016" PRIx64 "\n", i ? "delayed" : "stepped", hash);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// ---- two in one game ----

static void two_pilots_share_a_game(void **state)
{
    (void)state;
    house h = {.looks = false};
    put_house(&h, 7.0);
    play(&h, 0, 0);
    open_door(&h);
    oct_pilot *const pilots[2] = {h.pilot, make_pilot(&h, 20)};
    const oct_point from[2] = {first_room, scene_self(&h.s, 1).centre};
    const oct_point to[2] = {second_room, {30.0, 3.0, 4.0}};
    uint64_t next[2] = {0, 0}; // when each action has ended
    bool arrived[2] = {false, false};
    for (int i = 0; i < 2; i++) {
        assert_true(plan(&h, pilots[i], from[i], to[i]));
    }
    const uint64_t begin = oct_game_tick(h.s.game);
    while (!arrived[0] || !arrived[1]) {
        const uint64_t now = oct_game_tick(h.s.game);
        assert_true(now - begin < 20 * OCT_BLOCK_WORLD_RATE);
        for (uint32_t i = 0; i < 2; i++) {
            if (now >= next[i]) {
                const oct_self self = scene_self(&h.s, i);
                oct_action action;
                const oct_pilot_status status = oct_pilot_next(pilots[i], &self, &action);
                assert_true(status == OCT_PILOT_FLYING || status == OCT_PILOT_ARRIVED);
                arrived[i] = status == OCT_PILOT_ARRIVED;
                scene_act(&h.s, i, action);
                next[i] = now + action.ticks;
            }
        }
        scene_step(&h.s, 1);
    }
    for (uint32_t i = 0; i < 2; i++) {
        check_there(&h, i, to[i]);
        assert_int_equal(scene_self(&h.s, i).bumps, 0);
    }
    oct_pilot_destroy(pilots[1]);
    free_house(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stops_before_a_door_that_shuts),
        cmocka_unit_test(a_wall_is_learned_on_the_way),
        cmocka_unit_test(what_nobody_sees_makes_it_stuck),
        cmocka_unit_test(equal_seeds_give_equal_flights),
        cmocka_unit_test(a_flight_has_the_bits_it_always_had),
        cmocka_unit_test(two_pilots_share_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
