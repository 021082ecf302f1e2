// SPDX-License-Identifier: MIT
// What is seen in the block world: all that is near and in sight, as it is, in the order of ids.
#include "block_scene.h"
#include "game/block_probe.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"
#include "world/world_internal.h"

#include "base/base_internal.h"

#include <math.h>
#include <string.h>

static oct_map *new_map(double cell, double padding)
{
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    def.cell_size = cell;
    def.padding = (oct_point){padding, padding, padding};
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    return map;
}

// ---- sight ----

// A closed room of stone of 5 x 5 x 5 cells around the zero, with a door (id 1) in the wall at
// z = 5, a target (id 2) inside, and outside a panel (id 3) for the door.
static void init_room(block_scene *s, uint32_t wall)
{
    uint64_t id = 100;
    block_scene_init(s);
    for (int x = -2; x <= 2; x++) {
        for (int y = -2; y <= 2; y++) {
            for (int z = -2; z <= 2; z++) {
                const bool is_wall = x * x == 4 || y * y == 4 || z * z == 4;
                if (x == 0 && y == 0 && z == 2) {
                    scene_put(s, 1, DOOR, x, y, z);
                } else if (is_wall) {
                    scene_put(s, id++, wall, x, y, z);
                }
            }
        }
    }
    scene_put(s, 2, TARGET, 0, 0, -1);
    scene_put(s, 3, PANEL, 2, 0, 3);
    scene_wire(s, 3, 0, OCT_WIRE_TOGGLE, 1);
}

static void a_shut_door_hides_and_an_open_one_shows(void **state)
{
    (void)state;
    block_scene s;
    init_room(&s, STONE);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){3, 0, 10});
    const uint32_t inside = scene_join(&s, (oct_point){0, 0, 1});
    const uint64_t other = scene_self(&s, inside).id;
    scene_move(&s, who, (oct_point){0, 0, 11}, (oct_point){1, 0, 0}); // it sees all around
    assert_true(scene_sees(&s, who, 1, NULL));
    assert_false(scene_sees(&s, who, 2, NULL));
    assert_false(scene_sees(&s, who, other, NULL));
    scene_move(&s, who, (oct_point){2.5, 0, 8}, (oct_point){1, 0, 0});
    assert_int_equal(scene_use(&s, who, 3, 0), OCT_ACT_DONE);
    scene_move(&s, who, (oct_point){0, 0, 11}, (oct_point){1, 0, 0});
    scene_step(&s, 59); // nearly open is not open
    assert_false(scene_sees(&s, who, 2, NULL));
    scene_step(&s, 1);
    assert_true(scene_sees(&s, who, 2, NULL));
    assert_true(scene_sees(&s, who, other, NULL));
    assert_true(scene_sees(&s, who, 1, NULL));
    // Who is inside sees out.
    assert_true(scene_sees(&s, inside, scene_self(&s, who).id, NULL));
    block_scene_free(&s);
}

static void glass_hides_nothing_and_see_through_no_more(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        block_scene s;
        init_room(&s, i ? STONE : GLASS);
        if (i) {
            scene_rules(&s, scene_see_through);
        }
        scene_play(&s);
        const uint32_t who = scene_join(&s, (oct_point){11, 0, 0});
        assert_true(scene_sees(&s, who, 2, NULL));
        oct_observation seen;
        assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
        const oct_game_info *const info = oct_game_describe(s.game);
        assert_int_equal(info->sight, i ? OCT_SIGHT_THROUGH : OCT_SIGHT_LINE);
        assert_true(info->view == 20.0);
        block_scene_free(&s);
    }
}

// What is hidden is told as well: a game has no eyes.
static void a_game_tells_what_is_in_range_and_changes_nothing(void **state)
{
    (void)state;
    block_scene s;
    init_room(&s, STONE);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 11});
    const uint64_t before = oct_game_hash(s.game);
    oct_observation told, seen;
    assert_int_equal(oct_game_observe(s.game, who, &told), OCT_OK);
    bool tells_target = false;
    for (size_t i = 0; i < told.count; i++) {
        tells_target = tells_target || told.entities[i].thing.id == 2;
    }
    assert_true(tells_target);
    assert_false(scene_sees(&s, who, 2, NULL));
    const size_t count = told.count;
    scene_observe(&s, who, &seen);
    assert_true(seen.count > 0 && seen.count < count);
    assert_true(oct_game_hash(s.game) == before);
    block_scene_free(&s);
}

static void what_is_taken_away_shows_what_is_behind(void **state)
{
    (void)state;
    block_scene s;
    init_room(&s, STONE);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 6.25 + 2});
    oct_map *const map = new_map(0.5, 0.0);
    oct_observation seen;
    oct_seen new = scene_look(&s, who, map, &seen);
    const size_t known = oct_map_things(map);
    assert_int_equal(known, seen.count);
    assert_int_equal(new.added, known);
    new = scene_look(&s, who, map, &seen);
    assert_int_equal(new.same, known);
    assert_int_equal(new.added + new.changed + new.removed, 0);
    oct_thing thing;
    assert_true(oct_map_thing(map, 1, &thing));
    assert_false(oct_map_thing(map, 2, &thing));
    assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_DONE);
    assert_int_equal(scene_look(&s, who, map, &seen).removed, 1);
    assert_false(oct_map_thing(map, 1, &thing));
    assert_true(oct_map_thing(map, 2, &thing));
    oct_map_destroy(map);
    block_scene_free(&s);
}

// ---- what is told ----

// Blocks of all types, anyhow on grids that lie anyhow.
static void put_anyhow(block_scene *s, oct_random *random)
{
    for (uint64_t g = 0; g < 6; g++) {
        double sine, cosine, sine2, cosine2;
        oct_sin_cos(oct_random_unit(random) * 6.0, &sine, &cosine);
        oct_sin_cos(oct_random_unit(random) * 6.0, &sine2, &cosine2);
        const oct_point f = {sine * cosine2, sine2, -cosine * cosine2};
        const oct_point up = {-sine * sine2, cosine2, cosine * sine2};
        const oct_world_grid grid = {.id = 50 + g,
                                     .pose = {{oct_random_unit(random) * 20 - 10, 3.0 * (double)g,
                                               oct_random_unit(random) * 20 - 10},
                                              f,
                                              up},
                                     .cell = 0.5 + oct_random_unit(random)};
        const uint32_t index = block_scene_grid(s, &grid);
        for (uint64_t i = 0; i < 20; i++) {
            const uint8_t forward = (uint8_t)oct_random_below(random, 6);
            const oct_world_block block = {
                .id = oct_random_next(random) >> (i % 40),
                .name = i % 3 ? NULL : "thing",
                .type = (uint32_t)oct_random_below(random, SCENE_TYPES),
                .grid = index,
                .label = (uint8_t)oct_random_below(random, 3),
                .placed = true,
                .forward = forward,
                .up = (uint8_t)((forward / 2u * 2u + 2u + (uint32_t)oct_random_below(random, 2)) %
                                6u),
                .cell = {oct_random_range(random, -4, 4), oct_random_range(random, -4, 4),
                         oct_random_range(random, -4, 4)},
                .damage = (double)(i % 2) * 5.0};
            scene_put_block(s, &block);
        }
    }
}

// The same box, to the bit, and labels as a loader gives to a map: nothing seems to change between
// the two.
static void check_entity(const block_scene *s, const oct_entity *e)
{
    size_t index;
    assert_true(oct_world_find(s->world, e->thing.id, &index));
    const oct_world_block block = oct_world_get(s->world, index);
    const oct_world_type type = oct_world_get_type(s->world, block.type);
    oct_thing thing = oct_world_thing(s->world, index);
    // What may or may not be there is there.
    thing.label = thing.label == OCT_UNKNOWN ? OCT_BLOCKED : thing.label;
    assert_memory_equal(&e->thing.box, &thing.box, sizeof thing.box);
    assert_int_equal(e->thing.label, thing.label);
    assert_int_equal(e->thing.opaque, thing.opaque);
    assert_int_equal(e->thing.tag, thing.tag);
    assert_string_equal(e->name, block.name);
    assert_string_equal(e->type, type.name);
    assert_int_equal(e->use_count, type.buttons);
    assert_true(scene_prop(e, "integrity") == type.integrity - block.damage);
    assert_true(scene_prop(e, "whole") == type.integrity);
    assert_true(e->opening == (type.kind == OCT_KIND_DOOR && block.label == OCT_OPEN));
}

static size_t count_within(const block_scene *s, oct_point at, double radius)
{
    size_t count = 0;
    for (size_t i = 0; i < oct_world_blocks(s->world); i++) {
        const oct_bounds box = oct_world_get(s->world, i).box;
        const double x = fmax(fmax(box.min.x - at.x, at.x - box.max.x), 0.0);
        const double y = fmax(fmax(box.min.y - at.y, at.y - box.max.y), 0.0);
        const double z = fmax(fmax(box.min.z - at.z, at.z - box.max.z), 0.0);
        count += x * x + y * y + z * z <= radius * radius;
    }
    return count;
}

static void narrow(oct_world_rules *rules)
{
    rules->sight = OCT_SIGHT_THROUGH;
    rules->view = 7.0;
}

static void a_game_shows_things_as_the_world_has_them(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(17);
    block_scene s;
    block_scene_init(&s);
    scene_rules(&s, narrow);
    put_anyhow(&s, &random);
    scene_put_box(&s, 4, LAMP, (oct_bounds){{30, 0, 0}, {30, 0, 0}});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){30, 5, 3});
    assert_true(scene_sees(&s, who, 4, NULL)); // a point is a box
    size_t told = 0;
    for (int round = 0; round < 60;) {
        const oct_point at = {oct_random_unit(&random) * 40 - 20,
                              oct_random_unit(&random) * 30 - 10,
                              oct_random_unit(&random) * 40 - 20};
        const oct_pose pose = scene_pose(at, (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
        if (oct_block_world_teleport(s.game, who, &pose, (oct_point){0, 0, 0}) != OCT_OK) {
            continue;
        }
        oct_observation seen;
        assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
        assert_int_equal(seen.count, count_within(&s, seen.self.centre, 7.0));
        for (size_t i = 0; i < seen.count; i++) {
            assert_true(i == 0 || seen.entities[i].thing.id > seen.entities[i - 1].thing.id);
            check_entity(&s, &seen.entities[i]);
        }
        told += seen.count;
        round++;
    }
    assert_true(told > 200);
    block_scene_free(&s);
}

// A face of a turned block looks where the entity says.
static void orientation_is_told_in_the_world(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    // forward = x, up = z: right = -y.
    const oct_world_grid grid = {.id = 9, .pose = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, .cell = 2.5};
    const uint32_t index = block_scene_grid(&s, &grid);
    static const struct {
        uint8_t forward, up;
        oct_point f, u;
    } cases[] = {
        {OCT_SIDE_FORWARD, OCT_SIDE_UP, {1, 0, 0}, {0, 0, 1}},
        {OCT_SIDE_BACKWARD, OCT_SIDE_DOWN, {-1, 0, 0}, {0, 0, -1}},
        {OCT_SIDE_LEFT, OCT_SIDE_FORWARD, {0, 1, 0}, {1, 0, 0}},
        {OCT_SIDE_RIGHT, OCT_SIDE_BACKWARD, {0, -1, 0}, {-1, 0, 0}},
        {OCT_SIDE_UP, OCT_SIDE_LEFT, {0, 0, 1}, {0, 1, 0}},
        {OCT_SIDE_DOWN, OCT_SIDE_RIGHT, {0, 0, -1}, {0, -1, 0}},
    };
    for (uint64_t i = 0; i < 6; i++) {
        const oct_world_block block = {.id = i,
                                       .type = STONE,
                                       .grid = index,
                                       .label = OCT_BLOCKED,
                                       .placed = true,
                                       .forward = cases[i].forward,
                                       .up = cases[i].up,
                                       .cell = {(int32_t)i, 0, 0}};
        scene_put_block(&s, &block);
    }
    scene_put_box(&s, 7, STONE, (oct_bounds){{9, 9, 9}, {10, 10, 10}});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){5, 0, 5});
    oct_entity e = {0};
    for (uint64_t i = 0; i < 6; i++) {
        assert_true(scene_sees(&s, who, i, &e));
        scene_check_near(e.forward.x, cases[i].f.x, 1e-12);
        scene_check_near(e.forward.y, cases[i].f.y, 1e-12);
        scene_check_near(e.forward.z, cases[i].f.z, 1e-12);
        scene_check_near(e.up.x, cases[i].u.x, 1e-12);
        scene_check_near(e.up.y, cases[i].u.y, 1e-12);
        scene_check_near(e.up.z, cases[i].u.z, 1e-12);
    }
    assert_true(scene_sees(&s, who, 7, &e));
    assert_true(e.up.y == 1.0 && e.forward.z == -1.0);
    block_scene_free(&s);
}

static void oneself_is_told(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_play(&s);
    const uint32_t who =
        scene_join_turned(&s, (oct_point){1, 2, 3}, (oct_point){0, 1, 0}, (oct_point){1, 0, 0});
    scene_step(&s, 3);
    oct_observation seen;
    assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
    const oct_self self = scene_self(&s, who);
    assert_memory_equal(&self.pose, &seen.self.pose, sizeof self.pose);
    assert_int_equal(self.tick, 3);
    assert_int_equal(seen.self.tick, 3);
    assert_int_equal(seen.count, 0); // not itself
    scene_check_near(self.centre.x, 1.0, 1e-12);
    scene_check_near(self.pose.position.x, 0.1, 1e-12);
    scene_check_near(self.pose.position.y, 2.0, 1e-12);
    scene_check_near(self.pose.forward.y, 1.0, 1e-12);
    scene_check_near(self.pose.up.x, 1.0, 1e-12);
    assert_true(self.health == 1.0);
    assert_int_equal(self.bumps, 0);
    block_scene_free(&s);
}

// Others are boxes around their capsules, in nobody's way, and hide nothing.
static void other_players_are_seen_and_block_nothing(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_put(&s, 1, STONE, 0, 0, -2);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
    const oct_pose lying =
        scene_pose((oct_point){0, 0, 0}, (oct_point){0, 1, 0}, (oct_point){1, 0, 0});
    uint32_t other;
    assert_int_equal(oct_game_join(s.game, &lying, &other), OCT_OK);
    assert_int_equal(oct_block_world_teleport(s.game, other, &lying, (oct_point){0, 3, 0}), OCT_OK);
    oct_entity e = {0};
    const uint64_t id = scene_self(&s, other).id;
    assert_true(id != scene_self(&s, who).id);
    assert_true(scene_sees(&s, who, id, &e));
    assert_int_equal(e.kind, OCT_ENTITY_PLAYER);
    assert_int_equal(e.thing.label, OCT_OPEN);
    assert_false(e.thing.opaque);
    assert_string_equal(e.name, "");
    assert_true(e.velocity.y == 3.0);
    scene_check_near(e.thing.box.min.x, -0.9, 1e-9);
    scene_check_near(e.thing.box.max.y, 0.5, 1e-9);
    scene_check_near(e.thing.box.max.z, 0.5, 1e-9);
    assert_true(scene_sees(&s, who, 1, NULL));
    oct_map *const map = new_map(0.25, 0.5);
    oct_observation seen;
    oct_vec cell;
    (void)scene_look(&s, who, map, &seen);
    assert_true(oct_tree_cell_at(oct_map_tree(map), (oct_point){0, 0, 0}, &cell));
    assert_int_equal(oct_tree_label(oct_map_tree(map), cell), OCT_OPEN);
    oct_map_destroy(map);
    block_scene_free(&s);
}

static void players_beyond_the_radius_are_not_seen(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    const uint32_t other = scene_join(&s, (oct_point){20.4, 0, 0});
    const uint64_t id = scene_self(&s, other).id;
    assert_true(scene_sees(&s, who, id, NULL));
    scene_move(&s, other, (oct_point){20.6, 0, 0}, (oct_point){0, 0, -1});
    assert_false(scene_sees(&s, who, id, NULL));
    block_scene_free(&s);
}

// ---- what the map makes of it ----

// Things have the shapes that the game tells of them.
static void take_shapes(const oct_observation *told, oct_thing *things, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        things[i].shape = NULL;
        for (size_t k = 0; k < told->count; k++) {
            if (told->entities[k].thing.id == things[i].id) {
                things[i].shape = &told->entities[k].shape;
            }
        }
    }
}

// The same look as a loader would make: everything that is within the radius, as it is or by boxes.
static void compare_looks(bool takes_shapes)
{
    block_scene s;
    init_room(&s, STONE);
    // A turned block, whose box reaches further than it.
    const double c = 0.70710678118654752;
    const oct_world_grid grid = {
        .id = 9, .pose = {{0, 18, 0}, {-c, 0, -c}, {0, 1, 0}}, .cell = 2.5};
    const uint32_t index = block_scene_grid(&s, &grid);
    for (int32_t i = 0; i < 12; i++) {
        scene_put_on(&s, index, 40 + (uint64_t)i, i % 2 ? STONE : GLASS,
                     (oct_vec){i % 3, i / 6, i / 3});
    }
    scene_play(&s);
    s.look.takes_shapes = takes_shapes;
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    oct_map *const by_game = new_map(0.4, 0.5), *const by_hand = new_map(0.4, 0.5);
    const size_t count = oct_world_blocks(s.world);
    oct_thing things[200];
    assert_true(count <= 200);
    for (size_t i = 0; i < count; i++) {
        things[i] = oct_world_thing(s.world, i);
    }
    oct_random random = oct_random_seed(5);
    int looks = 0;
    while (looks < 12) {
        const oct_point at = {oct_random_unit(&random) * 60 - 30,
                              oct_random_unit(&random) * 60 - 20,
                              oct_random_unit(&random) * 60 - 30};
        const oct_pose pose = scene_pose(at, (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
        if (oct_block_world_teleport(s.game, who, &pose, (oct_point){0, 0, 0}) != OCT_OK) {
            continue;
        }
        oct_observation seen;
        oct_seen hand;
        const oct_seen game = scene_look(&s, who, by_game, &seen);
        const oct_view view = {.centre = seen.self.centre, .radius = 20.0, .sight = OCT_SIGHT_LINE};
        if (takes_shapes) {
            take_shapes(&s.look.told, things, count);
        }
        assert_int_equal(oct_map_observe(by_hand, &view, things, count, &hand), OCT_OK);
        assert_memory_equal(&hand, &game, sizeof hand);
        assert_int_equal(oct_map_things(by_game), oct_map_things(by_hand));
        // Told is what was seen.
        const uint8_t *const told = oct_map_looks(by_hand);
        size_t expected = 0;
        for (size_t i = 0; i < count; i++) {
            expected += told[i] == OCT_LOOK_SEEN;
        }
        assert_int_equal(seen.count, expected);
        looks++;
    }
    oct_map_destroy(by_hand);
    oct_map_destroy(by_game);
    block_scene_free(&s);
}

static void the_players_map_is_as_after_a_look_at_all_things(void **state)
{
    (void)state;
    compare_looks(false);
    compare_looks(true);
}

static void far_sight(oct_world_rules *rules)
{
    rules->view = 300.0;
}

// A game tells however much there is; a map of small cells refuses to decide what is in sight.
static void a_view_that_is_too_wide_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_rules(&s, far_sight);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
    oct_observation seen;
    assert_int_equal(oct_game_observe(s.game, who, &seen), OCT_OK);
    assert_int_equal(seen.count, 1);
    const oct_allocator heap = oct_allocator_default();
    oct_map *const fine = new_map(0.5, 0.0), *const coarse = new_map(5.0, 0.0);
    assert_int_equal(
        oct_look_around(&s.look, &heap, s.game, who, oct_game_describe(s.game), fine, &seen),
        OCT_ERROR_RANGE);
    assert_int_equal(oct_map_things(fine), 0);
    (void)scene_look(&s, who, coarse, &seen);
    assert_int_equal(seen.count, 1);
    oct_map_destroy(coarse);
    oct_map_destroy(fine);
    block_scene_free(&s);
}

// A ship under way is seen where it is.
static void drifting_things_move_in_the_map(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    const oct_world_grid grid = {.id = 9,
                                 .pose = {{0, 0, -10}, {0, 0, -1}, {0, 1, 0}},
                                 .cell = 2.5,
                                 .drift = {3, 0, 0},
                                 .range = 5};
    scene_put_on(&s, block_scene_grid(&s, &grid), 1, STONE, (oct_vec){0, 0, 0});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    oct_map *const map = new_map(0.5, 0.0);
    oct_observation seen;
    oct_vec cell;
    (void)scene_look(&s, who, map, &seen);
    scene_step(&s, 60);
    assert_int_equal(scene_look(&s, who, map, &seen).changed, 1);
    assert_true(oct_tree_cell_at(oct_map_tree(map), (oct_point){-1.1, 0.1, -9}, &cell));
    assert_int_equal(oct_tree_label(oct_map_tree(map), cell), OCT_OPEN);
    assert_true(oct_tree_cell_at(oct_map_tree(map), (oct_point){4.1, 0.1, -9}, &cell));
    assert_int_equal(oct_tree_label(oct_map_tree(map), cell), OCT_BLOCKED);
    oct_map_destroy(map);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shut_door_hides_and_an_open_one_shows),
        cmocka_unit_test(glass_hides_nothing_and_see_through_no_more),
        cmocka_unit_test(a_game_tells_what_is_in_range_and_changes_nothing),
        cmocka_unit_test(what_is_taken_away_shows_what_is_behind),
        cmocka_unit_test(a_game_shows_things_as_the_world_has_them),
        cmocka_unit_test(orientation_is_told_in_the_world),
        cmocka_unit_test(oneself_is_told),
        cmocka_unit_test(other_players_are_seen_and_block_nothing),
        cmocka_unit_test(players_beyond_the_radius_are_not_seen),
        cmocka_unit_test(the_players_map_is_as_after_a_look_at_all_things),
        cmocka_unit_test(a_view_that_is_too_wide_is_refused_and_changes_nothing),
        cmocka_unit_test(drifting_things_move_in_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
