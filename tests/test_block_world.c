// SPDX-License-Identifier: MIT
// The block world as a whole: its making and its limits, joining, determinism, memory.
#include "block_scene.h"

#include "base/base_internal.h"
#include "game/block_internal.h"
#include "game/block_probe.h"

#include <inttypes.h>
#include <math.h>

// ---- making ----

static void a_game_is_described(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    assert_int_equal(oct_world_set_name(s.world, "yard"), OCT_OK);
    scene_play(&s);
    // The world may die.
    oct_world_destroy(s.world);
    s.world = NULL;
    const oct_game_info *const info = oct_game_describe(s.game);
    assert_string_equal(info->game, "block world");
    assert_string_equal(info->level, "yard");
    assert_true(info->rate == 60.0 && info->slide == 60 && info->up == OCT_UP_Y);
    assert_int_equal(info->delay_max, 0);
    assert_int_equal(oct_game_players(s.game), 0);
    assert_int_equal(oct_game_tick(s.game), 0);
    scene_step(&s, 7);
    assert_int_equal(oct_game_tick(s.game), 7);
    block_scene_free(&s);
}

static void an_empty_world_is_a_game(void **state)
{
    (void)state;
    oct_world *world;
    oct_game *game;
    uint32_t who;
    assert_int_equal(oct_world_create(NULL, &world), OCT_OK);
    assert_int_equal(oct_block_world_create(&(oct_block_world_def){world, NULL}, &game), OCT_OK);
    oct_world_destroy(world);
    assert_int_equal(oct_game_step(game, 10), OCT_OK);
    assert_int_equal(oct_game_join(game, NULL, &who), OCT_ERROR_ARGUMENT); // no start
    const oct_pose pose = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    assert_int_equal(oct_game_join(game, &pose, &who), OCT_OK);
    oct_observation seen;
    assert_int_equal(oct_game_observe(game, who, &seen), OCT_OK);
    assert_int_equal(seen.count, 0);
    oct_game_destroy(game);
}

static void the_first_player_stands_at_the_start(void **state)
{
    (void)state;
    // Free; 0.2 m in a floor: beside it; deep in a block: nowhere.
    const double feet[] = {5.0, 1.25 - 0.2, -0.9};
    for (int i = 0; i < 3; i++) {
        block_scene s;
        block_scene_init(&s);
        scene_put(&s, 1, STONE, 0, 0, 0);
        const oct_pose start = {{0, feet[i], 0}, {0, 0, -1}, {0, 1, 0}};
        assert_int_equal(oct_world_set_start(s.world, &start), OCT_OK);
        scene_play(&s);
        uint32_t who;
        assert_int_equal(oct_game_players(s.game), i < 2);
        assert_int_equal(oct_game_join(s.game, NULL, &who), i < 2 ? OCT_OK : OCT_ERROR_RANGE);
        if (i < 2) {
            assert_int_equal(who, 1);
            const oct_point at = scene_self(&s, 0).pose.position;
            const double x = at.x, y = at.y - feet[i], z = at.z;
            assert_true(sqrt(x * x + y * y + z * z) <= (i ? 0.5 : 1e-9));
            assert_true(oct_block_world_clearance(s.game, 0, 9.0) > 0.0);
        }
        block_scene_free(&s);
    }
}

static void joining_needs_a_pose_and_room(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_put_box(&s, 2, STONE, (oct_bounds){{10, 0, 0}, {12, 2, 2}});
    // Passable, and unknown: the first is air, the second a wall.
    const oct_bounds boxes[2] = {{{20, -2, -2}, {24, 2, 2}}, {{30, -2, -2}, {34, 2, 2}}};
    for (uint8_t i = 0; i < 2; i++) {
        const oct_world_block wanted = {
            .id = 3u + i, .type = STONE, .box = boxes[i], .label = i ? OCT_UNKNOWN : OCT_OPEN};
        scene_put_block(&s, &wanted);
    }
    scene_play(&s);
    const oct_point f = {0, 0, -1}, u = {0, 1, 0};
    const double nan = (double)NAN;
    const struct {
        oct_pose pose;
        oct_result want;
    } cases[] = {
        {scene_pose((oct_point){0, 5, 0}, f, u), OCT_OK},
        {scene_pose((oct_point){0, 0, 0}, f, u), OCT_ERROR_RANGE},
        {scene_pose((oct_point){11, 1, 1}, f, u), OCT_ERROR_RANGE},
        {scene_pose((oct_point){22, 0, 0}, f, u), OCT_OK},
        {scene_pose((oct_point){32, 0, 0}, f, u), OCT_ERROR_RANGE},
        {scene_pose((oct_point){2e8, 0, 0}, f, u), OCT_ERROR_RANGE},
        {{{nan, 0, 0}, f, u}, OCT_ERROR_ARGUMENT},
        {{{0, 5, 0}, {0, 0, 2}, u}, OCT_ERROR_ARGUMENT},
        {{{0, 5, 0}, u, u}, OCT_ERROR_ARGUMENT},
    };
    uint32_t joined = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t who = 99;
        assert_int_equal(oct_game_join(s.game, &cases[i].pose, &who), cases[i].want);
        joined += cases[i].want == OCT_OK;
        assert_int_equal(who, cases[i].want == OCT_OK ? joined - 1 : 99);
        assert_int_equal(oct_game_players(s.game), joined);
    }
    block_scene_free(&s);
}

static void teleporting_needs_the_same_and_keeps_the_gear(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 5, 0});
    const oct_point f = {0, 0, -1}, u = {0, 1, 0}, rest = {0, 0, 0};
    const oct_action off = {.verb = OCT_VERB_DO, .name = "dampeners", .on = false};
    const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 100, .move = {1, 0, 0}};
    scene_act(&s, who, off);
    scene_act(&s, who, move);
    const oct_pose in = scene_pose((oct_point){0, 0, 0}, f, u);
    const oct_pose far = scene_pose((oct_point){0, 2e8, 0}, f, u);
    const oct_pose out = scene_pose((oct_point){7, 8, 9}, f, u);
    const uint64_t before = oct_game_hash(s.game);
    assert_int_equal(oct_block_world_teleport(s.game, who, &in, rest), OCT_ERROR_RANGE);
    assert_int_equal(oct_block_world_teleport(s.game, who, &far, rest), OCT_ERROR_RANGE);
    assert_int_equal(oct_block_world_teleport(s.game, who + 1, &out, rest), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_block_world_teleport(s.game, who, &out, (oct_point){0, HUGE_VAL, 0}),
                     OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_game_hash(s.game), before);
    assert_int_equal(oct_block_world_teleport(s.game, who, &out, (oct_point){3, 0, 0}), OCT_OK);
    const oct_self self = scene_self(&s, who);
    assert_true(self.velocity.x == 3.0 && scene_own(&self, "dampeners") == 0.0 && self.ticks == 0);
    scene_check_near(self.centre.y, 8.0, 1e-12);
    scene_step(&s, 60);
    scene_check_near(scene_self(&s, who).centre.x, 10.0, 1e-9);
    // Not through another game in front of it.
    oct_game *running;
    assert_int_equal(oct_game_delay(s.game, 1, 2, 1, NULL, &running), OCT_OK);
    assert_int_equal(oct_block_world_teleport(running, who, &out, rest), OCT_ERROR_ARGUMENT);
    s.game = running;
    block_scene_free(&s);
}

static void clearance_is_from_the_capsule(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
    scene_check_near(oct_block_world_clearance(s.game, who, 9.0), 3 - 1.25 - 0.5, 1e-9);
    assert_true(oct_block_world_clearance(s.game, who, 0.25) == 0.25);
    scene_move(&s, who, (oct_point){0, 4, 0}, (oct_point){0, 0, -1});
    scene_check_near(oct_block_world_clearance(s.game, who, 9.0), 4 - 1.25 - 0.9, 1e-9);
    block_scene_free(&s);
}

// ---- limits ----

static void too_fast(oct_world_rules *rules)
{
    rules->speed = 2e6;
}
static void too_quick(oct_world_rules *rules)
{
    rules->acceleration = 2e6;
}
static void too_dizzy(oct_world_rules *rules)
{
    rules->turn = 1e9;
}
static void too_heavy(oct_world_rules *rules)
{
    rules->gravity.y = -1e200;
}
static void too_long_arms(oct_world_rules *rules)
{
    rules->reach = 1e9;
}
static void too_good_eyes(oct_world_rules *rules)
{
    rules->view = 1e9;
}

static void never_opening(oct_world_rules *rules)
{
    rules->door = 1e300;
}

// A door's time is described as it is played: whole ticks, and not beyond what a game can last.
static void doors_take_the_ticks_that_are_described(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_rules(&s, never_opening);
    scene_play(&s);
    assert_true(oct_game_describe(s.game)->slide == 1u << 30);
    block_scene_free(&s);
}

static void what_is_beyond_all_measure_is_refused(void **state)
{
    (void)state;
    void (*const rules[])(oct_world_rules *) = {too_fast,  too_quick,     too_dizzy,
                                                too_heavy, too_long_arms, too_good_eyes};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        block_scene s;
        block_scene_init(&s);
        scene_rules(&s, rules[i]);
        assert_int_equal(oct_block_world_create(&(oct_block_world_def){s.world, NULL}, &s.game),
                         OCT_ERROR_RANGE);
        assert_null(s.game);
        block_scene_free(&s);
    }
    const oct_world_grid grids[] = {
        {.id = 1, .pose = {{2e8, 0, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = 1},
        {.id = 1, .pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = 1e300},
        {.id = 1,
         .pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}},
         .cell = 1,
         .drift = {1, 0, 0},
         .range = 2e8},
        {.id = 1,
         .pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}},
         .cell = 1,
         .drift = {1e300, 0, 0},
         .range = 1},
    };
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        block_scene s;
        block_scene_init(&s);
        block_scene_grid(&s, &grids[i]);
        assert_int_equal(oct_block_world_create(&(oct_block_world_def){s.world, NULL}, &s.game),
                         OCT_ERROR_RANGE);
        block_scene_free(&s);
    }
    block_scene s;
    block_scene_init(&s);
    scene_put_box(&s, 1, STONE, (oct_bounds){{0, 0, 0}, {1, 2e8, 1}});
    assert_int_equal(oct_block_world_create(&(oct_block_world_def){s.world, NULL}, &s.game),
                     OCT_ERROR_RANGE);
    block_scene_free(&s);
}

// 2^11 + 1 wires to a group of 2^11: more than all buttons may do together.
static void wires_to_groups_may_not_explode(void **state)
{
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        block_scene s;
        block_scene_init(&s);
        scene_put(&s, 1, DOOR, 0, 0, 0);
        scene_put(&s, 2, PANEL, 1, 0, 0);
        for (int i = 0; i < 2048; i++) {
            scene_member(&s, "all", 1);
        }
        for (uint32_t i = 0; i < 2048 + more; i++) {
            scene_wire_group(&s, 2, 0, OCT_WIRE_TOGGLE, "all");
        }
        assert_int_equal(oct_block_world_create(&(oct_block_world_def){s.world, NULL}, &s.game),
                         more ? OCT_ERROR_RANGE : OCT_OK);
        block_scene_free(&s);
    }
}

// ---- a busy world ----

// Rooms with doors, timers, a group, plain boxes, glass, a ship that drifts, gravity or not.
static void init_busy(block_scene *s)
{
    block_scene_init(s);
    uint64_t id = 1000;
    for (int x = -4; x <= 4; x++) {
        for (int z = -4; z <= 4; z++) {
            scene_put(s, id++, STONE, x, -2, z);
            scene_put(s, id++, (x + z) % 2 ? GLASS : STONE, x, 3, z);
            const bool is_edge = x * x == 16 || z * z == 16;
            for (int y = -1; y <= 2 && (is_edge || (x == 0 && z % 2)); y++) {
                scene_put(s, id++, (x + y) % 3 ? STONE : GLASS, x, y, z);
            }
        }
    }
    for (int i = 0; i < 5; i++) {
        const int z = 2 * i - 4;
        scene_put(s, 10u + (uint64_t)i, i == 2 ? TARGET : z * z == 16 ? LAMP : DOOR, 0, 4 + i, 0);
        scene_put(s, 20u + (uint64_t)i, PANEL, i % 2 ? 2 : -2, -1, i - 2);
        scene_put(s, 30u + (uint64_t)i, TIMER, i % 2 ? 3 : -3, -1, i - 2);
    }
    for (int i = 0; i < 3; i++) {
        const int z = 2 * i - 2;
        scene_put(s, 40u + (uint64_t)i, DOOR, 0, -1, z);
        scene_put(s, 50u + (uint64_t)i, DOOR, 0, 0, z);
        scene_member(s, "hall", 40u + (uint64_t)i);
        scene_member(s, "hall", 50u + (uint64_t)i);
    }
    for (uint64_t i = 0; i < 5; i++) {
        scene_wire_group(s, 20 + i, 0, OCT_WIRE_TOGGLE, "hall");
        scene_wire(s, 20 + i, 1, OCT_WIRE_START, 30 + i);
        scene_wire(s, 20 + i, 2, OCT_WIRE_STOP, 30 + i);
        scene_wire(s, 20 + i, 3, OCT_WIRE_TOGGLE, 40 + i % 3);
        scene_wire(s, 30 + i, 0, OCT_WIRE_TOGGLE, 50 + i % 3);
        scene_wire(s, 30 + i, 1, OCT_WIRE_START, 30 + (i + 1) % 5);
    }
    const oct_world_grid ship = {.id = 77,
                                 .pose = {{-3, 3, 2}, {0.6, 0, -0.8}, {0, 1, 0}},
                                 .cell = 1.0,
                                 .drift = {2.5, -0.5, -0.75},
                                 .range = 6.0};
    const uint32_t grid = block_scene_grid(s, &ship);
    for (int i = 0; i < 8; i++) {
        const oct_world_block wanted = {.id = 70u + (uint64_t)i,
                                        .type = i == 5   ? PANEL
                                                : i == 6 ? DOOR
                                                         : STONE,
                                        .grid = grid,
                                        .label = OCT_BLOCKED,
                                        .placed = true,
                                        .forward = OCT_SIDE_LEFT,
                                        .up = OCT_SIDE_UP,
                                        .cell = {i % 2, i / 4, i / 2 % 2}};
        scene_put_block(s, &wanted);
    }
    scene_wire(s, 75, 0, OCT_WIRE_TOGGLE, 76);
    for (uint32_t i = 0; i < SCENE_TYPES; i++) {
        const oct_item item = {.kind = OCT_ITEM_BLOCK, .type = i};
        assert_int_equal(oct_world_set_item(s->world, 1, i, item), OCT_OK);
    }
    const oct_pose start = {{5, -3, 5}, {0, 0, -1}, {0, 1, 0}};
    assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
}

static double unit(oct_random *random)
{
    return 2.0 * oct_random_unit(random) - 1.0;
}

// Anything that a player may do.
static oct_action random_action(oct_random *random)
{
    static const struct {
        oct_verb verb;
        const char *name;
    } verbs[] = {{OCT_VERB_MOVE, NULL},     {OCT_VERB_MOVE, NULL},  {OCT_VERB_MOVE, NULL},
                 {OCT_VERB_MOVE, NULL},     {OCT_VERB_WAIT, NULL},  {OCT_VERB_KEEP, NULL},
                 {OCT_VERB_JUMP, NULL},     {OCT_VERB_DO, NULL},    {OCT_VERB_USE, NULL},
                 {OCT_VERB_USE, NULL},      {OCT_VERB_DO, "equip"}, {OCT_VERB_DO, "activate"},
                 {OCT_VERB_DO, "activate"}, {OCT_VERB_DO, "tool"},  {OCT_VERB_DO, "tool"},
                 {OCT_VERB_DO, "place"},    {OCT_VERB_DO, "remove"}};
    static const char *const gears[] = {"jetpack", "dampeners", "boots"};
    static const uint64_t panels[] = {20, 21, 22, 23, 24, 75, 40, 9999};
    const uint64_t choice = oct_random_below(random, sizeof verbs / sizeof *verbs);
    oct_action action = {.verb = verbs[choice].verb, .name = verbs[choice].name};
    action.ticks = 1 + (uint32_t)oct_random_below(random, 60);
    action.move = (oct_point){unit(random), unit(random), unit(random) * 1.5};
    action.rotate = (oct_point){unit(random), unit(random), unit(random)};
    action.target = panels[oct_random_below(random, 8)];
    action.button = (uint32_t)oct_random_below(random, 5);
    action.number = 9.0 * (double)oct_random_below(random, 2);
    action.number += (double)oct_random_below(random, 9);
    const uint64_t gear = oct_random_below(random, 3);
    action.name = action.name ? action.name : gears[gear];
    action.on = oct_random_below(random, 3) != 0;
    if (strcmp(action.name, "tool") == 0) {
        action.on = choice == 13; // begins, or ends
    }
    return action;
}

// Everyone does something now and then; a hash of every tick.
static uint64_t play_busy(block_scene *s, uint64_t seed, uint32_t ticks, uint32_t observe_every)
{
    oct_random random = oct_random_seed(seed);
    uint64_t hash = 0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        for (uint32_t who = 0; who < oct_game_players(s->game); who++) {
            if (oct_random_below(&random, 6) == 0) {
                const oct_action action = random_action(&random);
                oct_act came = OCT_ACT_COUNT;
                assert_int_equal(oct_game_act(s->game, who, &action, &came), OCT_OK);
                hash = hash * 31u + (uint64_t)came;
            }
        }
        scene_step(s, 1);
        for (uint32_t who = 0; who < oct_game_players(s->game); who++) {
            assert_true(oct_block_world_clearance(s->game, who, 0.01) > 0.0);
        }
        hash = (hash * UINT64_C(0x100000001b3)) ^ oct_game_hash(s->game);
        if (tick % observe_every == 0) {
            oct_observation seen;
            scene_observe(s, tick / observe_every % 4, &seen);
            for (size_t i = 0; i < seen.count; i++) {
                const oct_entity *const e = &seen.entities[i];
                hash = hash * 31u + test_hash_add(TEST_HASH_START, &e->thing.box, 6, 8);
                hash = hash * 31u + e->thing.id + e->thing.label + (uint64_t)(e->opening * 60.0);
            }
        }
    }
    return hash;
}

static void join_four(block_scene *s)
{
    assert_int_equal(oct_game_players(s->game), 1);
    scene_join(s, (oct_point){-2.5, -2, 7.5});
    scene_join(s, (oct_point){5, -2, -5});
    scene_join(s, (oct_point){-2.5, -2.5, -2.5});
}

static void falls(oct_world_rules *rules)
{
    rules->gravity = (oct_point){0.5, -6.0, 0};
}

static uint64_t busy_run(uint64_t seed, uint32_t ticks, bool gravity)
{
    block_scene s;
    init_busy(&s);
    if (gravity) {
        scene_rules(&s, falls);
    }
    scene_play(&s);
    join_four(&s);
    const uint64_t hash = play_busy(&s, seed, ticks, 64);
    block_scene_free(&s);
    return hash;
}

static void equal_runs_have_equal_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(8); seed++) {
        const uint64_t hash = busy_run(seed, 600, seed % 2);
        assert_int_equal(hash, busy_run(seed, 600, seed % 2));
        assert_int_not_equal(hash, busy_run(seed + 100, 600, seed % 2));
    }
}

// At any optimisation, by any compiler.
static void a_long_run_has_the_bits_it_always_had(void **state)
{
    (void)state;
    int wrong = 0;
    const uint64_t golden[2] = {UINT64_C(0xf6785c94865727d5), UINT64_C(0x810a268b50d58c6f)};
    for (int i = 0; i < 2; i++) {
        const uint64_t hash = busy_run(7, 3000, i);
        if (hash != golden[i]) {
            print_error("%s: 0x%016" PRIx64 "\n", i ? "gravity" : "none", hash);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// Every part of the state has its part in the hash.
static void the_hash_tells_states_apart(void **state)
{
    (void)state;
    block_scene s;
    init_busy(&s);
    scene_play(&s);
    uint64_t last = oct_game_hash(s.game);
#define DIFFERS(what)                                                                              \
    do {                                                                                           \
        what;                                                                                      \
        const uint64_t now = oct_game_hash(s.game);                                                \
        assert_true(now != last);                                                                  \
        last = now;                                                                                \
    } while (0)
    DIFFERS(scene_step(&s, 1));
    DIFFERS(scene_join(&s, (oct_point){-2.5, -2, 7.5}));
    DIFFERS(scene_act(&s, 0, (oct_action){.verb = OCT_VERB_WAIT, .ticks = 3}));
    DIFFERS(scene_act(&s, 0, (oct_action){.verb = OCT_VERB_MOVE, .ticks = 3, .move = {1, 0, 0}}));
    DIFFERS(scene_act(&s, 0, (oct_action){.verb = OCT_VERB_MOVE, .ticks = 3, .rotate = {0, 1, 0}}));
    DIFFERS(scene_act(&s, 0, (oct_action){.verb = OCT_VERB_DO, .name = "boots", .on = true}));
    DIFFERS(scene_act(&s, 0, (oct_action){.verb = OCT_VERB_DO, .name = "dampeners"}));
    DIFFERS(scene_act(&s, 0, (oct_action){.verb = OCT_VERB_DO, .name = "jetpack"}));
    DIFFERS(scene_equip(&s, 0, 0, 0));
    DIFFERS(scene_equip(&s, 0, 0, 1));
    DIFFERS(scene_equip(&s, 0, 1, 0));
    DIFFERS(scene_equip(&s, 0, 1, 1));
    DIFFERS(scene_equip(&s, 0, 0, 0));
    DIFFERS(scene_do_named(&s, 0, "tool", true));
    DIFFERS(scene_do_named(&s, 0, "tool", false));
    DIFFERS(scene_move(&s, 0, (oct_point){-5, -0.2, 0}, (oct_point){0, -1, 0}));
    DIFFERS(assert_int_equal(scene_use(&s, 0, 22, 1), OCT_ACT_DONE)); // a timer
    DIFFERS(assert_int_equal(scene_use(&s, 0, 22, 2), OCT_ACT_DONE));
    DIFFERS(assert_int_equal(scene_use(&s, 0, 22, 3), OCT_ACT_DONE)); // a door
    DIFFERS(assert_int_equal(scene_do_named(&s, 0, "remove", false), OCT_ACT_DONE));
#undef DIFFERS
    block_scene_free(&s);
}

static void ids_of_players_are_nobody_elses(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_play(&s);
    scene_join(&s, (oct_point){0, 0, 0});
    const uint64_t id = scene_self(&s, 0).id;
    block_scene_free(&s);
    // A world that uses it already.
    block_scene_init(&s);
    scene_put(&s, id, STONE, 3, 0, 0);
    scene_put(&s, id + 1, STONE, 4, 0, 0);
    scene_play(&s);
    scene_join(&s, (oct_point){0, 0, 0});
    assert_true(scene_self(&s, 0).id == id + 2);
    // Nor does a block get a player's.
    const block_world *const g = (const block_world *)s.game;
    assert_true(oct_block_free_id(g, id) == id + 3);
    assert_true(oct_block_free_id(g, id + 2) == id + 3);
    assert_true(oct_block_free_id(g, 5) == 5);
    block_scene_free(&s);
}

// Slots and lists do not grow for what comes and goes, and a wire does not lead to who has taken
// the place of its door.
static void places_of_blocks_that_are_gone_are_given_again(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    const oct_item item = {.kind = OCT_ITEM_BLOCK, .type = DOOR};
    assert_int_equal(oct_world_set_item(s.world, 1, 0, item), OCT_OK);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_put(&s, 2, DOOR, 0, 1, 0);
    scene_put(&s, 3, PANEL, -2, 0, 0);
    scene_wire(&s, 3, 0, OCT_WIRE_OPEN, 2);
    scene_play(&s);
    const double c = 0.70710678118654752;
    const uint32_t who = scene_join_turned(&s, (oct_point){-2.05, 1.25 + 2.05, 0},
                                           (oct_point){c, -c, 0}, (oct_point){0, 0, 1});
    const block_world *const g = (const block_world *)s.game;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_DONE);
        const oct_action place = {.verb = OCT_VERB_DO, .name = "activate", .number = 9};
        assert_int_equal(scene_act(&s, who, place), OCT_ACT_DONE);
        assert_int_equal(scene_use(&s, who, 3, 0), OCT_ACT_DONE);
        scene_step(&s, 1);
        const uint64_t id = oct_world_cell_id(1000000, (oct_vec){0, 1, 0});
        assert_true(scene_opening(&s, who, id) == 0.0);
    }
    assert_int_equal(g->blocks.count, 4);
    assert_true(g->moving.capacity <= 16);
    block_scene_free(&s);
}

// ---- memory ----

typedef struct memory_run {
    const oct_world *world;
} memory_run;

// A refused allocation has changed nothing.
static oct_result act_and_check(oct_game *game, uint32_t who, oct_action action)
{
    const uint64_t before = oct_game_hash(game);
    oct_act came;
    const oct_result result = oct_game_act(game, who, &action, &came);
    if (result != OCT_OK) {
        assert_int_equal(oct_game_hash(game), before);
    } else {
        assert_int_equal(came, OCT_ACT_DONE);
    }
    return result;
}

static oct_result play_little(oct_game *game)
{
    const double c = 0.70710678118654752;
    const oct_pose pose =
        scene_pose((oct_point){-2.05, 1.25 + 2.05, 0}, (oct_point){c, -c, 0}, (oct_point){0, 0, 1});
    uint32_t who;
    oct_observation seen;
    const uint32_t players = oct_game_players(game);
    const oct_result joined = oct_game_join(game, &pose, &who);
    assert_int_equal(oct_game_players(game), players + (joined == OCT_OK));
    OCT_TRY(joined);
    OCT_TRY(oct_game_observe(game, who, &seen));
    for (uint32_t type = 0; type < 5; type++) {
        OCT_TRY(act_and_check(
            game, who,
            (oct_action){.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + type}));
        OCT_TRY(oct_game_step(game, 3));
        OCT_TRY(act_and_check(game, who, (oct_action){.verb = OCT_VERB_DO, .name = "remove"}));
    }
    OCT_TRY(act_and_check(game, who, (oct_action){.verb = OCT_VERB_USE, .target = 2, .button = 0}));
    OCT_TRY(oct_game_step(game, 100));
    return oct_game_observe(game, who, &seen);
}

static oct_result make_and_play(const oct_allocator *allocator, void *ctx)
{
    const memory_run *const run = ctx;
    oct_game *game;
    const oct_result result =
        oct_block_world_create(&(oct_block_world_def){run->world, allocator}, &game);
    if (result != OCT_OK) {
        assert_null(game);
        return result;
    }
    const oct_result played = play_little(game);
    oct_game_destroy(game);
    return played;
}

static void init_little(block_scene *s)
{
    block_scene_init(s);
    scene_put(s, 1, STONE, 0, 0, 0);
    scene_put(s, 2, PANEL, -1, 0, 0);
    scene_put(s, 3, DOOR, 1, 0, 0);
    scene_put(s, 4, TIMER, 2, 0, 0);
    scene_put(s, 5, TARGET, 3, 0, 0);
    scene_member(s, "doors", 3);
    scene_wire_group(s, 2, 0, OCT_WIRE_TOGGLE, "doors");
    scene_wire(s, 2, 0, OCT_WIRE_START, 4);
    scene_wire(s, 4, 0, OCT_WIRE_TOGGLE, 3);
    const oct_world_grid ship = {.id = 77,
                                 .pose = {{-9, 9, 2}, {0.6, 0, -0.8}, {0, 1, 0}},
                                 .cell = 1.0,
                                 .drift = {2.5, -0.5, -0.75},
                                 .range = 6.0};
    block_scene_grid(s, &ship);
    for (uint32_t i = 0; i < SCENE_TYPES; i++) {
        const oct_item item = {.kind = OCT_ITEM_BLOCK, .type = i};
        assert_int_equal(oct_world_set_item(s->world, 1, i, item), OCT_OK);
    }
    const oct_pose start = {{5, 5, 5}, {0, 0, -1}, {0, 1, 0}};
    assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
    assert_int_equal(oct_world_set_name(s->world, "little"), OCT_OK);
    // Names that need memory of their own.
    char name[OCT_WORLD_NAME_MAX + 1];
    memset(name, 'x', sizeof name);
    name[OCT_WORLD_NAME_MAX] = 0;
    for (char i = 'a'; i < 'e'; i++) {
        name[0] = i;
        assert_int_equal(oct_world_add_type(s->world, name, true, NULL), OCT_OK);
        const oct_world_block named = {.id = 100u + (uint64_t)i,
                                       .name = name,
                                       .label = OCT_BLOCKED,
                                       .box = {{9, 9, 9}, {9, 9, 9}}};
        scene_put_block(s, &named);
    }
}

static void without_memory_nothing_has_changed(void **state)
{
    (void)state;
    block_scene s;
    init_little(&s);
    memory_run run = {s.world};
    assert_true(test_each_failure(make_and_play, &run) > 40);
    block_scene_free(&s);
}

static void who_is_warmed_up_needs_no_memory(void **state)
{
    (void)state;
    block_scene s;
    init_busy(&s);
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(
        oct_block_world_create(&(oct_block_world_def){s.world, &memory.allocator}, &s.game),
        OCT_OK);
    join_four(&s);
    oct_observation seen;
    for (uint32_t who = 0; who < 4; who++) {
        assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
    }
    const size_t before = memory.allocations;
    scene_move(&s, 0, (oct_point){-5, 0.5, 0}, (oct_point){0, -1, 0});
    for (uint32_t round = 0; round < 300; round++) {
        const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 9, .move = {0.3, 0.1, -1}};
        scene_act(&s, 1 + round % 3, move);
        scene_use(&s, 0, 22, round % 4);
        scene_step(&s, 3);
        scene_self(&s, 0);
    }
    assert_int_equal(memory.allocations, before);
    // Nor does looking around again.
    for (uint32_t who = 0; who < 4; who++) {
        assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
    }
    const size_t looked = memory.allocations;
    for (uint32_t who = 0; who < 4; who++) {
        assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
    }
    assert_int_equal(memory.allocations, looked);
    oct_game_destroy(s.game);
    s.game = NULL;
    test_allocator_check_empty(&memory);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_described),
        cmocka_unit_test(an_empty_world_is_a_game),
        cmocka_unit_test(the_first_player_stands_at_the_start),
        cmocka_unit_test(joining_needs_a_pose_and_room),
        cmocka_unit_test(teleporting_needs_the_same_and_keeps_the_gear),
        cmocka_unit_test(clearance_is_from_the_capsule),
        cmocka_unit_test(doors_take_the_ticks_that_are_described),
        cmocka_unit_test(what_is_beyond_all_measure_is_refused),
        cmocka_unit_test(wires_to_groups_may_not_explode),
        cmocka_unit_test(equal_runs_have_equal_bits),
        cmocka_unit_test(a_long_run_has_the_bits_it_always_had),
        cmocka_unit_test(the_hash_tells_states_apart),
        cmocka_unit_test(ids_of_players_are_nobody_elses),
        cmocka_unit_test(places_of_blocks_that_are_gone_are_given_again),
        cmocka_unit_test(without_memory_nothing_has_changed),
        cmocka_unit_test(who_is_warmed_up_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
