// SPDX-License-Identifier: MIT
// What is particular to each of our own worlds (worlds/*.json).
#include "octant/components.h"
#include "own_world.h"

#include <string.h>

#define ROOM 5.5 // between the ship and everything else, metres

// Nobody slips through the first door while the timer waits, and it shuts: from where the button
// can be pressed it is too far, at full thrust and in a straight line.
static void the_third_button_is_too_far_from_the_first_door(void **state)
{
    (void)state;
    own_scene s;
    own_open(&own_worlds[THREE_DOORS], &s);
    own_set_doors(&s, 1);
    const oct_world_rules rules = oct_world_rules_of(s.world);
    const oct_world_block door = own_named(s.world, "Door1");
    const own_place *button = own_panel(&s, "Button3");
    const own_nearby near = own_in_reach(&s, button->at, button->box, door.box);
    const double wide = door.box.max.x - door.box.min.x;
    const double time = own_named(s.world, "Timer").delay + rules.door * (1.0 - OWN_WIDTH / wide);
    assert_true(near.cells > 0);
    assert_true(near.nearest > rules.acceleration * time * time / 2.0 * 1.2);
    own_close(&s);
}

enum { TX = 17, TY = 9, TZ = 17, TIGHT_CELLS = TX * TY * TZ };

static size_t tight_at(oct_vec c)
{
    return (size_t)((c.z * TY + c.y) * TX + c.x);
}

// Blocks that are no passage: all but the door, the panel and the target.
static void tight_walls(const oct_world *world, bool wall[TIGHT_CELLS])
{
    memset(wall, 0, TIGHT_CELLS * sizeof *wall);
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        assert_true(block.cell.x >= 0 && block.cell.x < TX && block.cell.y >= 0 &&
                    block.cell.y < TY && block.cell.z >= 0 && block.cell.z < TZ);
        wall[tight_at(block.cell)] = own_kind(world, &block) == OCT_KIND_SOLID;
    }
}

static oct_vec stepped(oct_vec c, int axis, int by)
{
    return (oct_vec){c.x + (axis == 0 ? by : 0), c.y + (axis == 1 ? by : 0),
                     c.z + (axis == 2 ? by : 0)};
}

// Whether a way bends here: there are two ways on, and they are not opposite.
static bool is_bend(const bool *wall, oct_vec c)
{
    int ways = 0, straight = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int two =
            !wall[tight_at(stepped(c, axis, -1))] + !wall[tight_at(stepped(c, axis, 1))];
        ways += two;
        straight += two == 2;
    }
    return ways == 2 && straight == 0;
}

static void tight_passages_are_one_block_wide(void **state)
{
    (void)state;
    own_scene s;
    bool wall[TIGHT_CELLS];
    own_open(&own_worlds[TIGHT], &s);
    tight_walls(s.world, wall);
    own_set_doors(&s, 1);
    const oct_world_grid grid = oct_world_get_grid(s.world, 0);
    size_t bends = 0;
    for (int i = 0; i < TIGHT_CELLS; i++) {
        const oct_vec c = {i % TX, i / TX % TY, i / (TX * TY)};
        const bool is_shell =
            c.x == 0 || c.y == 0 || c.z == 0 || c.x == TX - 1 || c.y == TY - 1 || c.z == TZ - 1;
        assert_true(wall[i] || !is_shell);
        for (int axis = 0; axis < 3 && !wall[i]; axis++) {
            const oct_vec a = stepped(c, axis, 1), b = stepped(c, (axis + 1) % 3, 1);
            const oct_vec ab = stepped(a, (axis + 1) % 3, 1);
            assert_true(wall[tight_at(a)] || wall[tight_at(b)] || wall[tight_at(ab)]);
        }
        bends += !wall[i] && is_bend(wall, c);
        const oct_point at = {grid.pose.position.x + c.x * grid.cell,
                              grid.pose.position.y + c.y * grid.cell,
                              grid.pose.position.z + c.z * grid.cell};
        if (!wall[i] && distance_to(s.target.box, at) > 0 && distance_to(s.panels[0].box, at) > 0) {
            assert_true(own_joined(&s, s.start, at));
        }
    }
    assert_true(bends > 100);
    own_close(&s);
}

static void the_glass_box_has_the_printed_size(void **state)
{
    (void)state;
    own_scene s;
    own_open(&own_worlds[GLASS_BOX], &s);
    const oct_bounds extent = oct_world_extent(s.world);
    const oct_point size = plus(extent.max, extent.min, -1.0);
    assert_true(fabs(size.x - 117.5) < 1e-9 && fabs(size.y - 132.5) < 1e-9 &&
                fabs(size.z - 95.0) < 1e-9);
    // The panel is high above all else, and far from both houses.
    const oct_point panel = s.panels[0].at;
    assert_true(panel.z > s.start.z + 60.0 && panel.z > s.target.at.z + 25.0);
    assert_true(distance_to(s.target.box, panel) > 40.0 &&
                distance_to(s.target.box, s.start) > 60.0);
    own_close(&s);
}

static double turn_of(const oct_world_grid *grid)
{
    // The angle to the nearest orientation along the axes, about: by the axis that is furthest off.
    const oct_point axes[3] = {cross(grid->pose.forward, grid->pose.up), grid->pose.up,
                               grid->pose.forward};
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        const double along = fmax(fabs(axes[i].x), fmax(fabs(axes[i].y), fabs(axes[i].z)));
        most = fmax(most, sqrt(fmax(0.0, 1.0 - along * along)));
    }
    return most;
}

static void count_turns(const oct_world *world, size_t *slightly, size_t *oddly)
{
    *slightly = *oddly = 0;
    for (uint32_t i = 0; i < oct_world_grids(world); i++) {
        const oct_world_grid grid = oct_world_get_grid(world, i);
        const double turn = turn_of(&grid);
        *slightly += turn > 1e-5 && turn < 0.03;
        *oddly += turn >= 0.2;
    }
}

// Beside the walls it has what the box has, and where it has it, but for where walls end.
static void the_glass_maze_is_the_box_with_walls(void **state)
{
    (void)state;
    oct_world *box = own_load("glass_box");
    oct_world *maze = own_load("glass_maze");
    for (size_t i = 0; i < oct_world_blocks(box); i++) {
        const oct_world_block block = oct_world_get(box, i);
        size_t index;
        assert_true(oct_world_find(maze, block.id, &index));
        const oct_world_block other = oct_world_get(maze, index);
        assert_memory_equal(&block.box, &other.box, sizeof block.box);
        assert_true(own_is_type(maze, &other, oct_world_get_type(box, block.type).name));
    }
    size_t glass = 0, armour = 0, slightly, oddly;
    for (size_t i = 0; i < oct_world_blocks(maze); i++) {
        const oct_world_block block = oct_world_get(maze, i);
        size_t index;
        if (!oct_world_find(box, block.id, &index)) {
            glass += own_is_type(maze, &block, "glass");
            armour += own_is_type(maze, &block, "armour");
        }
    }
    assert_true(glass > 1500 && armour > 1500);
    count_turns(maze, &slightly, &oddly);
    assert_true(slightly >= 8 && oddly >= 8);
    uint32_t type;
    assert_true(oct_world_find_type(maze, "glass", &type));
    assert_false(oct_world_get_type(maze, type).opaque);
    oct_world_destroy(maze);
    oct_world_destroy(box);
}

// Free space is one, but for the station, which is shut, and what is outside.
static void no_part_of_the_glass_worlds_is_closed_off(void **state)
{
    (void)state;
    for (int i = GLASS_BOX; i <= GLASS_MAZE; i++) {
        own_scene s;
        own_open(&own_worlds[i], &s);
        assert_int_equal(oct_components_measure(s.components).count, 3);
        own_close(&s);
    }
}

static void the_asteroid_pulls_down(void **state)
{
    (void)state;
    oct_world *world = own_load("asteroid_base");
    const oct_point g = oct_world_rules_of(world).gravity;
    oct_pose start;
    size_t slightly, oddly, rock = 0, gates = 0;
    assert_true(oct_world_start(world, &start));
    assert_true(dot(g, start.up) < -1.0 &&
                fabs(dot(g, g) - dot(g, start.up) * dot(g, start.up)) < 1e-9);
    double below = HUGE_VAL; // what one falls at the start
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        rock += own_is_type(world, &block, "rock");
        gates += own_is_type(world, &block, "gate");
        const double fall = start.position.y - block.box.max.y;
        if (fall >= 0.0 && fall < below &&
            beyond(start.position.x, block.box.min.x, block.box.max.x) <= 0.0 &&
            beyond(start.position.z, block.box.min.z, block.box.max.z) <= 0.0) {
            below = fall;
        }
    }
    assert_true(below < 0.5);
    assert_true(rock > 4000 && gates == 1 && oct_world_members(world) == 3);
    count_turns(world, &slightly, &oddly);
    assert_true(oddly >= 10);
    oct_world_destroy(world);
}

static void the_scrapyard_is_dense(void **state)
{
    (void)state;
    oct_world *world = own_load("scrapyard");
    size_t slightly, oddly, scrap = 0, batteries = 0, damaged = 0;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        scrap += own_is_type(world, &block, "scrap");
        batteries += own_is_type(world, &block, "battery") ||
                     own_is_type(world, &block, "tall battery") ||
                     own_is_type(world, &block, "battery bank");
        damaged += block.damage > 0.0;
    }
    count_turns(world, &slightly, &oddly);
    assert_true(scrap > 2000 && batteries > 10 && damaged > 5 && oddly > 60);
    oct_world_destroy(world);
}

// ---- the ship ----

static bool is_of_ship(const oct_world *world, const oct_world_block *block)
{
    return oct_world_get_grid(world, block->grid).range > 0.0;
}

static double gap_between(oct_bounds a, oct_bounds b)
{
    const oct_point off = {fmax(0.0, fmax(b.min.x - a.max.x, a.min.x - b.max.x)),
                           fmax(0.0, fmax(b.min.y - a.max.y, a.min.y - b.max.y)),
                           fmax(0.0, fmax(b.min.z - a.max.z, a.min.z - b.max.z))};
    return sqrt(dot(off, off));
}

static oct_bounds shifted(oct_bounds box, oct_point by)
{
    return (oct_bounds){plus(box.min, by, 1.0), plus(box.max, by, 1.0)};
}

static oct_point drift_of(const oct_world *world, double share)
{
    const oct_world_grid ship = oct_world_get_grid(world, 1);
    const double speed = sqrt(dot(ship.drift, ship.drift));
    assert_true(speed >= 1.0 && speed <= 2.0 && ship.range >= 20.0);
    const double along = ship.range / speed * share;
    return (oct_point){ship.drift.x * along, ship.drift.y * along, ship.drift.z * along};
}

// All along its way there is room for a body between it and everything else.
static void the_ship_leaves_room_to_dodge(void **state)
{
    (void)state;
    oct_world *world = own_load("drifting_ship");
    oct_bounds hull = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    const size_t count = oct_world_blocks(world);
    for (size_t i = 0; i < count; i++) {
        const oct_world_block block = oct_world_get(world, i);
        if (is_of_ship(world, &block)) {
            hull =
                (oct_bounds){{fmin(hull.min.x, block.box.min.x), fmin(hull.min.y, block.box.min.y),
                              fmin(hull.min.z, block.box.min.z)},
                             {fmax(hull.max.x, block.box.max.x), fmax(hull.max.y, block.box.max.y),
                              fmax(hull.max.z, block.box.max.z)}};
        }
    }
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    for (int step = 0; step <= 100; step++) {
        const oct_bounds now = shifted(hull, drift_of(world, step / 100.0));
        for (size_t i = 0; i < count; i++) {
            const oct_world_block block = oct_world_get(world, i);
            assert_true(is_of_ship(world, &block) || gap_between(now, block.box) > ROOM);
        }
        assert_true(distance_to(now, start.position) > ROOM);
    }
    oct_world_destroy(world);
}

// Wherever the ship is, one gets to both panels and to the vault, and back.
static void the_ship_is_never_in_the_way(void **state)
{
    (void)state;
    const own_world *own = &own_worlds[SHIP];
    own_scene s;
    own_open(own, &s);
    const own_place *on_board = own_panel(&s, "Ship panel"), *shore = own_panel(&s, "Shore panel");
    for (int step = 0; step <= 4; step++) {
        const oct_point by = drift_of(s.world, step / 4.0);
        for (size_t i = 0; i < oct_world_blocks(s.world); i++) {
            const oct_world_block block = oct_world_get(s.world, i);
            if (is_of_ship(s.world, &block)) {
                assert_int_equal(oct_map_move(s.map, block.id, shifted(block.box, by)), OCT_OK);
            }
        }
        own_set_doors(&s, 0);
        const own_place moved = {on_board->id, on_board->name, plus(on_board->at, by, 1.0),
                                 shifted(on_board->box, by)};
        assert_true(own_gets_to(&s, s.start, &moved) && own_gets_to(&s, s.start, shore));
        assert_false(own_gets_to(&s, s.start, &s.target));
        own_set_doors(&s, own_follow(&s, shore->id, 0, false, 0));
        assert_true(own_gets_to(&s, s.start, &s.target));
    }
    own_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_button_is_too_far_from_the_first_door),
        cmocka_unit_test(tight_passages_are_one_block_wide),
        cmocka_unit_test(the_glass_box_has_the_printed_size),
        cmocka_unit_test(the_glass_maze_is_the_box_with_walls),
        cmocka_unit_test(no_part_of_the_glass_worlds_is_closed_off),
        cmocka_unit_test(the_asteroid_pulls_down),
        cmocka_unit_test(the_scrapyard_is_dense),
        cmocka_unit_test(the_ship_leaves_room_to_dodge),
        cmocka_unit_test(the_ship_is_never_in_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
