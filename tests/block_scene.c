// SPDX-License-Identifier: MIT
#include "block_scene.h"
#include "game/block_probe.h"
#include "map/map.h"

#include <math.h>

#define CELL 2.5

void block_scene_init(block_scene *s)
{
    static const oct_world_type types[] = {
        {"stone", true, OCT_KIND_SOLID, 0, {1, 1, 1}, 100.0},
        {"glass", false, OCT_KIND_SOLID, 0, {1, 1, 1}, 50.0},
        {"door", true, OCT_KIND_DOOR, 0, {1, 1, 1}, 100.0},
        {"panel", true, OCT_KIND_PANEL, 4, {1, 1, 1}, 20.0},
        {"timer", true, OCT_KIND_TIMER, 0, {1, 1, 1}, 20.0},
        {"target", true, OCT_KIND_TARGET, 0, {1, 1, 1}, 100.0},
        {"beam", true, OCT_KIND_SOLID, 0, {3, 1, 2}, 100.0},
        {"lamp", true, OCT_KIND_SOLID, 0, {1, 1, 1}, 10.0},
        {"gate", true, OCT_KIND_DOOR, 0, {2, 1, 1}, 100.0},
    };
    _Static_assert(sizeof types / sizeof *types == SCENE_TYPES, "a type for each");
    *s = (block_scene){0};
    assert_int_equal(oct_world_create(NULL, &s->world), OCT_OK);
    assert_int_equal(oct_world_set_axes(s->world, OCT_UP_Y, false), OCT_OK);
    for (uint32_t i = 0; i < SCENE_TYPES; i++) {
        uint32_t index;
        assert_int_equal(oct_world_define(s->world, &types[i], &index), OCT_OK);
        assert_int_equal(index, i);
    }
    const oct_world_grid grid = {
        .id = 1000000, .name = "base", .pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = CELL};
    s->grid = block_scene_grid(s, &grid);
}

void block_scene_init_clear(block_scene *s)
{
    block_scene_init(s);
    scene_rules(s, scene_see_through);
}

void block_scene_free(block_scene *s)
{
    const oct_allocator heap = oct_allocator_default();
    oct_look_free(&s->look, &heap);
    oct_map_destroy(s->sight);
    oct_game_destroy(s->game);
    oct_world_destroy(s->world);
}

uint32_t block_scene_grid(block_scene *s, const oct_world_grid *grid)
{
    uint32_t index;
    assert_int_equal(oct_world_add_grid(s->world, grid, &index), OCT_OK);
    return index;
}

void scene_put_block(block_scene *s, const oct_world_block *block)
{
    assert_int_equal(oct_world_add(s->world, block), OCT_OK);
}

oct_world_block scene_block(uint32_t grid, uint64_t id, uint32_t type, oct_vec cell)
{
    return (oct_world_block){.id = id,
                             .type = type,
                             .grid = grid,
                             .label = OCT_BLOCKED,
                             .placed = true,
                             .forward = OCT_SIDE_FORWARD,
                             .up = OCT_SIDE_UP,
                             .cell = cell};
}

void scene_put_on(block_scene *s, uint32_t grid, uint64_t id, uint32_t type, oct_vec cell)
{
    const oct_world_block block = scene_block(grid, id, type, cell);
    scene_put_block(s, &block);
}

void scene_put_timer(block_scene *s, uint64_t id, oct_vec cell, double delay)
{
    oct_world_block timer = scene_block(s->grid, id, TIMER, cell);
    timer.delay = delay;
    scene_put_block(s, &timer);
}

void scene_put_open_door(block_scene *s, uint64_t id, oct_vec cell)
{
    oct_world_block door = scene_block(s->grid, id, DOOR, cell);
    door.label = OCT_OPEN;
    scene_put_block(s, &door);
}

void scene_put(block_scene *s, uint64_t id, uint32_t type, int x, int y, int z)
{
    oct_world_block block = scene_block(s->grid, id, type, (oct_vec){x, y, z});
    block.delay = type == TIMER ? 1.0 : 0.0;
    scene_put_block(s, &block);
}

void scene_put_box(block_scene *s, uint64_t id, uint32_t type, oct_bounds box)
{
    const oct_world_block block = {.id = id, .type = type, .box = box, .label = OCT_BLOCKED};
    scene_put_block(s, &block);
}

void scene_wire(block_scene *s, uint64_t from, uint32_t slot, oct_wire_action action, uint64_t to)
{
    const oct_world_wire wire = {.from = from, .slot = slot, .action = (uint8_t)action, .to = to};
    assert_int_equal(oct_world_add_wire(s->world, &wire), OCT_OK);
}

void scene_wire_group(block_scene *s, uint64_t from, uint32_t slot, oct_wire_action action,
                      const char *group)
{
    const oct_world_wire wire = {
        .from = from, .slot = slot, .action = (uint8_t)action, .group = group};
    assert_int_equal(oct_world_add_wire(s->world, &wire), OCT_OK);
}

void scene_member(block_scene *s, const char *group, uint64_t block)
{
    const oct_world_member member = {.group = group, .grid = s->grid, .block = block};
    assert_int_equal(oct_world_add_member(s->world, &member), OCT_OK);
}

void scene_rules(block_scene *s, void (*change)(oct_world_rules *rules))
{
    oct_world_rules rules = oct_world_rules_of(s->world);
    change(&rules);
    assert_int_equal(oct_world_set_rules(s->world, &rules), OCT_OK);
}

void scene_see_through(oct_world_rules *rules)
{
    rules->sight = OCT_SIGHT_THROUGH;
}

void scene_play(block_scene *s)
{
    assert_int_equal(oct_block_world_create(&(oct_block_world_def){s->world, NULL}, &s->game),
                     OCT_OK);
}

oct_pose scene_pose(oct_point centre, oct_point forward, oct_point up)
{
    const double half = OCT_BLOCK_WORLD_HEIGHT / 2.0;
    return (oct_pose){
        {centre.x - up.x * half, centre.y - up.y * half, centre.z - up.z * half}, forward, up};
}

uint32_t scene_join_turned(block_scene *s, oct_point centre, oct_point forward, oct_point up)
{
    const oct_pose pose = scene_pose(centre, forward, up);
    uint32_t who;
    assert_int_equal(oct_game_join(s->game, &pose, &who), OCT_OK);
    return who;
}

uint32_t scene_join(block_scene *s, oct_point centre)
{
    return scene_join_turned(s, centre, (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
}

void scene_move_turned(block_scene *s, uint32_t who, oct_point centre, oct_point forward,
                       oct_point up)
{
    const oct_pose pose = scene_pose(centre, forward, up);
    assert_int_equal(oct_block_world_teleport(s->game, who, &pose, (oct_point){0, 0, 0}), OCT_OK);
}

void scene_move(block_scene *s, uint32_t who, oct_point centre, oct_point forward)
{
    const oct_point up = forward.y != 0.0 ? (oct_point){0, 0, 1} : (oct_point){0, 1, 0};
    scene_move_turned(s, who, centre, forward, up);
}

oct_act scene_act(block_scene *s, uint32_t who, oct_action action)
{
    oct_act came = OCT_ACT_COUNT;
    assert_int_equal(oct_game_act(s->game, who, &action, &came), OCT_OK);
    return came;
}

oct_act scene_use(block_scene *s, uint32_t who, uint64_t target, uint32_t button)
{
    return scene_act(s, who,
                     (oct_action){.verb = OCT_VERB_USE, .target = target, .button = button});
}

oct_act scene_equip(block_scene *s, uint32_t who, uint32_t page, uint32_t slot)
{
    return scene_act(
        s, who, (oct_action){.verb = OCT_VERB_DO, .name = "equip", .number = 9.0 * page + slot});
}

oct_act scene_do(block_scene *s, uint32_t who, oct_verb verb)
{
    return scene_act(s, who, (oct_action){.verb = verb});
}

oct_act scene_do_named(block_scene *s, uint32_t who, const char *name, bool on)
{
    return scene_act(s, who, (oct_action){.verb = OCT_VERB_DO, .name = name, .on = on});
}

double scene_own(const oct_self *self, const char *name)
{
    assert_non_null(oct_property_find(self->props, self->prop_count, name));
    return oct_property_number(self->props, self->prop_count, name, -1.0);
}

const char *scene_held(const oct_self *self)
{
    const oct_property *const held = oct_property_find(self->props, self->prop_count, "held");
    assert_non_null(held);
    return held->text;
}

double scene_prop(const oct_entity *e, const char *name)
{
    return oct_property_number(e->props, e->prop_count, name, -1.0);
}

void scene_step(block_scene *s, uint32_t ticks)
{
    assert_int_equal(oct_game_step(s->game, ticks), OCT_OK);
}

oct_self scene_self(block_scene *s, uint32_t who)
{
    oct_self self;
    assert_int_equal(oct_game_self(s->game, who, &self), OCT_OK);
    return self;
}

oct_seen scene_look(block_scene *s, uint32_t who, oct_map *map, oct_observation *out)
{
    const oct_allocator heap = oct_allocator_default();
    assert_int_equal(
        oct_look_around(&s->look, &heap, s->game, who, oct_game_describe(s->game), map, out),
        OCT_OK);
    return s->look.seen;
}

void scene_observe(block_scene *s, uint32_t who, oct_observation *out)
{
    const oct_allocator heap = oct_allocator_default();
    if (!s->sight) {
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.5;
        assert_int_equal(oct_map_create(&def, &s->sight), OCT_OK);
    }
    assert_int_equal(oct_game_observe(s->game, who, out), OCT_OK);
    s->look.things.count = s->look.entities.count = 0;
    for (size_t i = 0; i < out->count; i++) {
        assert_int_equal(
            oct_array_push(&s->look.things, &heap, sizeof(oct_thing), &out->entities[i].thing),
            OCT_OK);
    }
    const oct_view view = {.centre = out->self.eye,
                           .radius = oct_game_describe(s->game)->view,
                           .sight = oct_game_describe(s->game)->sight};
    assert_int_equal(oct_map_look(s->sight, &view, s->look.things.items, out->count), OCT_OK);
    for (size_t i = 0; i < out->count; i++) {
        if (oct_map_looks(s->sight)[i] == OCT_LOOK_SEEN) {
            assert_int_equal(
                oct_array_push(&s->look.entities, &heap, sizeof(oct_entity), &out->entities[i]),
                OCT_OK);
        }
    }
    out->entities = s->look.entities.items;
    out->count = s->look.entities.count;
}

bool scene_sees(block_scene *s, uint32_t who, uint64_t id, oct_entity *out)
{
    oct_observation seen;
    scene_observe(s, who, &seen);
    for (size_t i = 0; i < seen.count; i++) {
        if (seen.entities[i].thing.id == id) {
            if (out) {
                *out = seen.entities[i];
            }
            return true;
        }
    }
    return false;
}

double scene_opening(block_scene *s, uint32_t who, uint64_t id)
{
    oct_entity door = {0};
    assert_true(scene_sees(s, who, id, &door));
    return door.opening;
}

void scene_check_near(double got, double want, double slack)
{
    if (!(fabs(got - want) <= slack)) {
        fail_msg("%.17g is not %.17g", got, want);
    }
}
