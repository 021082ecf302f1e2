// SPDX-License-Identifier: MIT
// Agents in buildings whose grid is turned: they get through doorways and doors as in upright ones.
#include "agent_world.h"
#include "geom/geom_internal.h"

#include <math.h>

#define DOOR_ID 1
#define PANEL_ID 2
#define TARGET_ID 3
#define WALLS_ID 1000

// A vector turned around an axis of any length.
static oct_point turned(oct_point axis, double angle, oct_point v)
{
    double sine, cosine;
    oct_sin_cos(angle, &sine, &cosine);
    const oct_point n = point_scale(axis, 1.0 / point_length(axis));
    const oct_point along = point_scale(n, point_dot(n, v) * (1.0 - cosine));
    return point_add(point_add(point_scale(v, cosine), point_scale(point_cross(n, v), sine)),
                     along);
}

// What is between the two rooms.
typedef enum way { DOORWAY, SHUT_DOOR, WALL } way;

// Two rooms of 3 x 2 x 3 cells of 2.5 m, and a wall between them.
static void build(block_scene *s, oct_point axis, double degrees, way between)
{
    const double angle = degrees * 3.141592653589793 / 180.0;
    const oct_world_grid grid = {.name = "building",
                                 .pose = {{0.37, 1.36, -0.81},
                                          turned(axis, angle, (oct_point){0, 0, -1}),
                                          turned(axis, angle, (oct_point){0, 1, 0})},
                                 .cell = PLAN_CELL};
    block_scene_init(s);
    const uint32_t own = block_scene_grid(s, &grid);
    uint64_t id = WALLS_ID;
    for (int i = 0; i < 9 * 4 * 5; i++) {
        const oct_vec c = {i % 9, i / 9 % 4, i / 36};
        const bool is_outer = c.x == 0 || c.x == 8 || c.y == 0 || c.y == 3 || c.z == 0 || c.z == 4;
        const bool is_way = between != WALL && c.y == 1 && c.z == 2;
        if (is_outer || (c.x == 4 && !is_way)) {
            scene_put_on(s, own, id++, STONE, c);
        }
    }
    oct_world_block block = scene_block(own, TARGET_ID, TARGET, (oct_vec){6, 1, 2});
    block.name = "Target";
    scene_put_block(s, &block);
    if (between == SHUT_DOOR) {
        scene_put_on(s, own, DOOR_ID, DOOR, (oct_vec){4, 1, 2});
        scene_put_on(s, own, PANEL_ID, PANEL, (oct_vec){1, 1, 1});
        scene_wire(s, PANEL_ID, 0, OCT_WIRE_TOGGLE, DOOR_ID);
    }
    const oct_point in = turned(axis, angle, (oct_point){2 * PLAN_CELL, PLAN_CELL, 2 * PLAN_CELL});
    const oct_pose start =
        scene_pose(point_add(grid.pose.position, in), grid.pose.forward, grid.pose.up);
    assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
    scene_play(s);
}

static const oct_point axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 2, 3}};
#define AXES (sizeof axes / sizeof *axes)
// Fewer where that takes long.
#define STEP ((size_t)(test_rounds(8) == 8 ? 1 : 4))

static oct_goal *reach(void)
{
    const oct_pick target = {.name = "Target"};
    return oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0);
}

static void doorways_are_passed_at_every_angle(void **state)
{
    (void)state;
    const double degrees[] = {1, 10, 22, 33, 45};
    for (size_t i = 0; i < AXES * 5; i += STEP) {
        block_scene s;
        build(&s, axes[i % AXES], degrees[i / AXES], DOORWAY);
        scene_expect(&s, reach(), OCT_VERDICT_PASS, "");
    }
}

static void doors_are_opened_and_passed(void **state)
{
    (void)state;
    for (size_t i = 0; i < AXES; i += STEP) {
        block_scene s;
        build(&s, axes[i], 7.0 + 9.0 * (double)i, SHUT_DOOR);
        scene_expect(&s, reach(), OCT_VERDICT_PASS, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doorways_are_passed_at_every_angle),
        cmocka_unit_test(doors_are_opened_and_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
