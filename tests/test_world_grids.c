// SPDX-License-Identifier: MIT
// Grids of a world and the places of blocks on them, compared with plain 3x3 matrices.
#include "geom/geom_internal.h"
#include "world_build.h"

#include "octant/geom.h"
#include "octant/map.h"
#include "octant/tree.h"

#include <math.h>
#include <stdio.h>

static oct_world_type type_of(const char *name)
{
    oct_world_type type = oct_world_type_default();
    type.name = name;
    return type;
}

// ---- grids ----

static void grids_must_be_sound(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_grid bad[15];
    for (size_t i = 0; i < COUNT(bad); i++) {
        bad[i] = grid_of(1);
    }
    bad[0].pose.position.y = (double)NAN;
    bad[1].pose.forward = (oct_point){0, 0, -1.002};
    bad[2].pose.up = (oct_point){0, 0.998, 0};
    bad[3].pose.up = (oct_point){0, 1, 0.002};
    bad[4].cell = 0;
    bad[5].cell = -2.5;
    bad[6].cell = HUGE_VAL;
    bad[7].cell = (double)NAN;
    bad[8].drift.x = (double)NAN;
    bad[9].drift.y = HUGE_VAL;
    bad[10].drift.z = -HUGE_VAL;
    bad[11].range = -1;
    bad[12].range = (double)NAN;
    bad[13].range = HUGE_VAL;
    bad[14].name = "\xff";
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint32_t index = 77;
        assert_int_equal(oct_world_add_grid(world, &bad[i], &index), OCT_ERROR_ARGUMENT);
        assert_int_equal(index, 77);
    }
    char name[OCT_WORLD_NAME_MAX + 2];
    memset(name, 'a', sizeof name - 1);
    name[OCT_WORLD_NAME_MAX + 1] = '\0';
    oct_world_grid grid = grid_of(1);
    grid.name = name;
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_ERROR_RANGE);
    assert_int_equal(oct_world_grids(world), 0);

    name[2] = '\0';
    grid.drift = (oct_point){1, -0.0, 3};
    grid.range = -0.0;
    uint32_t index = 77;
    assert_int_equal(oct_world_add_grid(world, &grid, &index), OCT_OK);
    assert_int_equal(index, 0);
    name[0] = 'x';
    const oct_world_grid got = oct_world_get_grid(world, 0);
    assert_string_equal(got.name, "aa");
    assert_memory_equal(&got.pose, &grid.pose, sizeof got.pose);
    assert_memory_equal(&got.drift, &grid.drift, sizeof got.drift);
    assert_true(got.cell == 2.5 && got.range == 0.0 && !signbit(got.range));
    assert_int_equal(oct_world_add_grid(world, &grid, &index), OCT_ERROR_EXISTS);
    grid.id = 2;
    grid.name = NULL;
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
    assert_string_equal(oct_world_get_grid(world, 1).name, "");
    oct_world_destroy(world);
}

static void grids_are_found_by_id_and_have_a_limit(void **state)
{
    (void)state;
    oct_world *world = new_world();
    uint32_t index;
    assert_false(oct_world_find_grid(world, 0, &index));
    for (uint32_t i = 0; i < OCT_WORLD_GRIDS_MAX; i++) {
        oct_world_grid grid = grid_of((uint64_t)i << (i % 2 ? 0 : 40));
        assert_int_equal(oct_world_add_grid(world, &grid, &index), OCT_OK);
        assert_int_equal(index, i);
    }
    for (uint32_t i = 0; i < OCT_WORLD_GRIDS_MAX; i++) {
        assert_true(oct_world_find_grid(world, (uint64_t)i << (i % 2 ? 0 : 40), &index));
        assert_int_equal(index, i);
        assert_int_equal(oct_world_find_grid(world, (uint64_t)i << (i % 2 ? 40 : 0), &index),
                         i == 0);
    }
    oct_world_grid grid = grid_of(UINT64_MAX);
    assert_int_equal(oct_world_add_grid(world, &grid, &index), OCT_ERROR_RANGE);
    grid.id = 0;
    assert_int_equal(oct_world_add_grid(world, &grid, &index), OCT_ERROR_EXISTS);
    assert_int_equal(oct_world_grids(world), OCT_WORLD_GRIDS_MAX);
    oct_world_destroy(world);
}

// ---- places ----

typedef struct matrix {
    double column[3][3]; // where x, y and z go
} matrix;

static oct_point times(const matrix *m, oct_point p)
{
    double out[3];
    for (int i = 0; i < 3; i++) {
        out[i] = m->column[0][i] * p.x + m->column[1][i] * p.y + m->column[2][i] * p.z;
    }
    return (oct_point){out[0], out[1], out[2]};
}

// Where right, up and back are, for directions forward and up.
static matrix matrix_of(oct_point f, oct_point u)
{
    return (matrix){{{f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x},
                     {u.x, u.y, u.z},
                     {-f.x, -f.y, -f.z}}};
}

static double determinant(const matrix *m)
{
    const double(*c)[3] = m->column;
    return c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
           c[1][0] * (c[0][1] * c[2][2] - c[0][2] * c[2][1]) +
           c[2][0] * (c[0][1] * c[1][2] - c[0][2] * c[1][1]);
}

// In a grid's axes: right, up, back.
static oct_point side_direction(oct_side side)
{
    static const oct_point directions[] = {{0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                           {1, 0, 0},  {0, 1, 0}, {0, -1, 0}};
    return directions[side];
}

static oct_bounds around(const oct_point *points, size_t count)
{
    oct_bounds all = {points[0], points[0]};
    for (size_t i = 1; i < count; i++) {
        all.min = (oct_point){fmin(all.min.x, points[i].x), fmin(all.min.y, points[i].y),
                              fmin(all.min.z, points[i].z)};
        all.max = (oct_point){fmax(all.max.x, points[i].x), fmax(all.max.y, points[i].y),
                              fmax(all.max.z, points[i].z)};
    }
    return all;
}

static void corners_of(oct_bounds box, oct_point out[8])
{
    for (int i = 0; i < 8; i++) {
        out[i] = (oct_point){i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                             i & 4 ? box.max.z : box.min.z};
    }
}

// How many cells a block of some size covers along its grid's axes: all its corners, turned.
static oct_vec slow_span(oct_vec size, oct_side forward, oct_side up)
{
    const matrix turn = matrix_of(side_direction(forward), side_direction(up));
    assert_true(determinant(&turn) == 1.0);
    oct_point corners[8];
    corners_of((oct_bounds){{0, 0, 0}, {size.x, size.y, size.z}}, corners);
    for (int i = 0; i < 8; i++) {
        corners[i] = times(&turn, corners[i]);
    }
    const oct_bounds all = around(corners, 8);
    return (oct_vec){(int32_t)(all.max.x - all.min.x), (int32_t)(all.max.y - all.min.y),
                     (int32_t)(all.max.z - all.min.z)};
}

static oct_bounds slow_box(const oct_world_grid *grid, oct_vec cell, oct_vec size)
{
    const matrix axes = matrix_of(grid->pose.forward, grid->pose.up);
    oct_point corners[8];
    corners_of((oct_bounds){{cell.x - 0.5, cell.y - 0.5, cell.z - 0.5},
                            {cell.x + size.x - 0.5, cell.y + size.y - 0.5, cell.z + size.z - 0.5}},
               corners);
    for (int i = 0; i < 8; i++) {
        const oct_point p = times(&axes, corners[i]);
        corners[i] = (oct_point){grid->pose.position.x + grid->cell * p.x,
                                 grid->pose.position.y + grid->cell * p.y,
                                 grid->pose.position.z + grid->cell * p.z};
    }
    return around(corners, 8);
}

static void assert_near(oct_bounds got, oct_bounds expected, double slack)
{
    const double differences[] = {got.min.x - expected.min.x, got.min.y - expected.min.y,
                                  got.min.z - expected.min.z, got.max.x - expected.max.x,
                                  got.max.y - expected.max.y, got.max.z - expected.max.z};
    for (size_t i = 0; i < 6; i++) {
        assert_true(fabs(differences[i]) <= slack);
    }
}

// Any orientation: three turns, one after the other.
static oct_pose random_pose(oct_random *random)
{
    oct_point f = {0, 0, -1}, u = {0, 1, 0};
    for (int axis = 0; axis < 3; axis++) {
        double s, c;
        oct_sin_cos(oct_random_unit(random) * 6.283, &s, &c);
        matrix turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        turn.column[a][a] = turn.column[b][b] = c;
        turn.column[a][b] = s;
        turn.column[b][a] = -s;
        f = times(&turn, f);
        u = times(&turn, u);
    }
    return (oct_pose){{oct_random_range(random, -100, 100) / 8.0,
                       oct_random_range(random, -100, 100) / 8.0,
                       oct_random_range(random, -100, 100) / 8.0},
                      f,
                      u};
}

static void blocks_of_all_orientations_cover_their_cells(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_type type = type_of("long");
    type.size = (oct_vec){2, 3, 5};
    oct_world_grid grid = grid_of(1);
    grid.pose.position = (oct_point){10, 20, 30};
    assert_int_equal(oct_world_define(world, &type, NULL), OCT_OK);
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
    size_t count = 0;
    for (uint8_t forward = 0; forward < OCT_SIDE_COUNT; forward++) {
        for (uint8_t up = 0; up < OCT_SIDE_COUNT; up++) {
            oct_world_block block = placed_at(count, (oct_vec){-7, 4, 1});
            block.forward = forward;
            block.up = up;
            const bool is_turn = forward / 2 != up / 2;
            assert_int_equal(oct_world_is_turn(forward, up), is_turn);
            assert_int_equal(oct_world_add(world, &block), is_turn ? OCT_OK : OCT_ERROR_ARGUMENT);
            if (!is_turn) {
                continue;
            }
            const oct_vec expected = slow_span(type.size, (oct_side)forward, (oct_side)up);
            const oct_vec got = oct_world_span(world, &block);
            const oct_vec back = oct_world_unturn(got, forward, up);
            assert_memory_equal(&got, &expected, sizeof got);
            assert_memory_equal(&back, &type.size, sizeof back);
            const oct_world_block own = oct_world_get(world, count);
            const oct_bounds box = slow_box(&grid, block.cell, expected);
            assert_memory_equal(&own.box, &box, sizeof box); // no rounding here
            assert_true(own.box.min.x == 10 - 7.5 * 2.5 && own.box.min.y == 20 + 3.5 * 2.5 &&
                        own.box.min.z == 30 + 0.5 * 2.5);
            assert_true(own.placed && own.forward == forward && own.up == up);
            assert_memory_equal(&own.cell, &block.cell, sizeof own.cell);
            count++;
        }
    }
    assert_int_equal(count, 24);
    assert_false(oct_world_is_turn(OCT_SIDE_COUNT, OCT_SIDE_UP));
    assert_false(oct_world_is_turn(OCT_SIDE_FORWARD, OCT_SIDE_COUNT));
    oct_world_destroy(world);
}

static void boxes_on_turned_grids_hold_all_corners(void **state)
{
    (void)state;
    printf("seed 1\n");
    oct_random random = oct_random_seed(1);
    const uint64_t rounds = test_rounds(4000);
    for (uint64_t i = 0; i < rounds; i++) {
        oct_world *world = new_world();
        oct_world_type type = type_of("a");
        type.size = (oct_vec){(int32_t)oct_random_range(&random, 1, 6),
                              (int32_t)oct_random_range(&random, 1, 6),
                              (int32_t)oct_random_range(&random, 1, 6)};
        oct_world_grid grid = grid_of(1);
        grid.pose = random_pose(&random);
        grid.cell = oct_random_range(&random, 1, 20) / 4.0;
        assert_int_equal(oct_world_define(world, &type, NULL), OCT_OK);
        assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
        oct_world_block block =
            placed_at(1, (oct_vec){(int32_t)oct_random_range(&random, -20, 20),
                                   (int32_t)oct_random_range(&random, -20, 20),
                                   (int32_t)oct_random_range(&random, -20, 20)});
        block.forward = (uint8_t)oct_random_below(&random, 6);
        do {
            block.up = (uint8_t)oct_random_below(&random, 6);
        } while (block.up / 2 == block.forward / 2);
        block.box = (oct_bounds){{9, 9, 9}, {-9, -9, -9}}; // never looked at
        assert_int_equal(oct_world_add(world, &block), OCT_OK);
        const oct_bounds got = oct_world_get(world, 0).box;
        assert_near(got,
                    slow_box(&grid, block.cell,
                             slow_span(type.size, (oct_side)block.forward, (oct_side)block.up)),
                    1e-9);
        const oct_bounds extent = oct_world_extent(world);
        assert_memory_equal(&extent, &got, sizeof got);
        oct_world_destroy(world);
    }
}

// How far a point is from a block that is grown along each axis of its grid.
static double slow_distance(const oct_world_grid *grid, oct_vec cell, oct_vec size, double grown,
                            oct_point at)
{
    const matrix axes = matrix_of(grid->pose.forward, grid->pose.up);
    const int32_t from[3] = {cell.x, cell.y, cell.z}, span[3] = {size.x, size.y, size.z};
    const oct_point way = point_sub(at, grid->pose.position);
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *const axis = axes.column[i];
        const double own = way.x * axis[0] + way.y * axis[1] + way.z * axis[2];
        const double below = (from[i] - 0.5) * grid->cell - grown - own;
        const double above = own - grown - (from[i] + span[i] - 0.5) * grid->cell;
        const double away = below > 0.0 ? below : above > 0.0 ? above : 0.0;
        square += away * away;
    }
    return sqrt(square);
}

// Cells whose middle a block, grown by the padding, holds; none whose middle is further from that
// than half a diagonal.
static void check_cells(const oct_world_grid *grid, oct_vec cell, oct_vec size, const oct_map *map)
{
    const oct_tree *const tree = oct_map_tree(map);
    const oct_box box = oct_tree_extent(tree, OCT_HAS_BLOCKED);
    const double edge = oct_tree_cell_size(tree), grown = oct_map_padding(map).x;
    uint64_t blocked = 0;
    for (oct_vec c = {.z = box.min.z - 2}; c.z < box.max.z + 2; c.z++) {
        for (c.y = box.min.y - 2; c.y < box.max.y + 2; c.y++) {
            for (c.x = box.min.x - 2; c.x < box.max.x + 2; c.x++) {
                const oct_point middle = {(c.x + 0.5) * edge, (c.y + 0.5) * edge,
                                          (c.z + 0.5) * edge};
                const double away = slow_distance(grid, cell, size, grown, middle);
                const bool is_blocked = oct_tree_label(tree, c) == OCT_BLOCKED;
                assert_true(is_blocked ? away < edge * sqrt(0.75) + 1e-6 : away > -1e-6);
                blocked += is_blocked;
            }
        }
    }
    const double volume = size.x * size.y * size.z * grid->cell * grid->cell * grid->cell;
    assert_true((double)blocked * edge * edge * edge > volume);
}

static void blocks_on_turned_grids_block_what_they_fill(void **state)
{
    (void)state;
    printf("seed 2\n");
    oct_random random = oct_random_seed(2);
    const uint64_t rounds = test_rounds(60);
    for (uint64_t i = 0; i < rounds; i++) {
        oct_world *world = new_world();
        oct_world_type type = type_of("a");
        type.size = (oct_vec){1, 2, 3};
        oct_world_grid grid = grid_of(1);
        grid.pose = random_pose(&random);
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.5;
        def.is_ball = true;
        def.padding.x = def.padding.y = def.padding.z = i % 2 ? 0.0 : 0.75;
        oct_map *map;
        const oct_world_block block = placed_at(1, (oct_vec){3, -2, 1});
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        assert_int_equal(oct_world_define(world, &type, NULL), OCT_OK);
        assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
        assert_int_equal(oct_world_add(world, &block), OCT_OK);
        assert_int_equal(oct_world_add_to(world, map, NULL), OCT_OK);
        check_cells(&grid, block.cell, oct_world_span(world, &block), map);
        oct_map_destroy(map);
        oct_world_destroy(world);
    }
}

static void cells_have_limits(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_type type = type_of("a");
    type.size = (oct_vec){1, 2, 4};
    const oct_world_grid grid = grid_of(1);
    assert_int_equal(oct_world_define(world, &type, NULL), OCT_OK);
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
    const int32_t limit = OCT_WORLD_CELL_MAX;
    const struct {
        oct_vec cell;
        oct_result result;
    } cases[] = {
        {{-limit, -limit, -limit}, OCT_OK},
        {{limit - 1, limit - 2, limit - 4}, OCT_OK},
        {{-limit - 1, 0, 0}, OCT_ERROR_RANGE},
        {{0, -limit - 1, 0}, OCT_ERROR_RANGE},
        {{0, 0, -limit - 1}, OCT_ERROR_RANGE},
        {{limit, 0, 0}, OCT_ERROR_RANGE},
        {{0, limit - 1, 0}, OCT_ERROR_RANGE},
        {{0, 0, limit - 3}, OCT_ERROR_RANGE},
        {{INT32_MAX, INT32_MAX, INT32_MAX}, OCT_ERROR_RANGE},
        {{INT32_MIN, INT32_MIN, INT32_MIN}, OCT_ERROR_RANGE},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const oct_world_block block = placed_at(i, cases[i].cell);
        assert_int_equal(oct_world_add(world, &block), cases[i].result);
    }
    oct_world_destroy(world);
}

static void blocks_on_grids_must_be_sound(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_world_type timer = type_of("timer");
    timer.kind = OCT_KIND_TIMER;
    timer.integrity = 50;
    oct_world_grid far = grid_of(2);
    far.pose.position.x = 1e308;
    far.cell = 1e308;
    const oct_world_grid grid = grid_of(1);
    assert_int_equal(oct_world_define(world, &timer, NULL), OCT_OK);
    assert_int_equal(oct_world_add_type(world, "stone", true, NULL), OCT_OK);
    oct_world_block bad[14];
    for (size_t i = 0; i < COUNT(bad); i++) {
        bad[i] = placed_at(1, (oct_vec){2, 0, 0});
    }
    assert_int_equal(oct_world_add(world, &bad[0]), OCT_ERROR_ARGUMENT); // no grid
    assert_int_equal(oct_world_add_grid(world, &grid, NULL), OCT_OK);
    assert_int_equal(oct_world_add_grid(world, &far, NULL), OCT_OK);
    bad[0].grid = 2;
    bad[1].forward = OCT_SIDE_COUNT;
    bad[2].up = OCT_SIDE_COUNT;
    bad[3].up = OCT_SIDE_BACKWARD;
    bad[4].grid = 1; // beyond all numbers
    bad[5].damage = -1;
    bad[6].damage = 50;
    bad[7].damage = (double)NAN;
    bad[8].delay = -1;
    bad[9].delay = (double)NAN;
    bad[10].delay = HUGE_VAL;
    bad[11].type = 1; // not a timer
    bad[11].delay = 1;
    bad[12].label = OCT_BLOCKED + 1;
    bad[13].type = 2;
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(oct_world_add(world, &bad[i]), OCT_ERROR_ARGUMENT);
        bad[i].placed = false;
        assert_int_equal(oct_world_add(world, &bad[i]), i < 5 ? OCT_OK : OCT_ERROR_ARGUMENT);
        bad[i].id++;
        if (i < 5) {
            bad[i + 1].id = bad[i].id;
        }
    }
    // What only blocks on cells have, others have not.
    for (size_t i = 0; i < 5; i++) {
        const oct_world_block block = oct_world_get(world, i);
        assert_true(!block.placed && block.forward == 0 && block.up == 0);
        assert_true(block.cell.x == 0 && block.cell.y == 0 && block.cell.z == 0);
    }
    oct_world_block good = placed_at(99, (oct_vec){2, 0, 0});
    good.delay = 1.5;
    good.damage = 49.9;
    assert_int_equal(oct_world_add(world, &good), OCT_OK);
    good.id = 100;
    good.delay = -0.0;
    good.damage = -0.0;
    assert_int_equal(oct_world_add(world, &good), OCT_OK);
    const oct_world_block first = oct_world_get(world, 5), second = oct_world_get(world, 6);
    assert_true(first.delay == 1.5 && first.damage == 49.9);
    assert_false(signbit(second.delay) || signbit(second.damage));
    // A block that is not placed has its type's size, as it is.
    oct_world_type large = type_of("large");
    large.size = (oct_vec){1, 2, 3};
    uint32_t index;
    assert_int_equal(oct_world_define(world, &large, &index), OCT_OK);
    const oct_world_block loose = {.type = index, .forward = OCT_SIDE_UP, .up = OCT_SIDE_LEFT};
    const oct_vec got = oct_world_span(world, &loose);
    assert_memory_equal(&got, &large.size, sizeof got);
    oct_world_destroy(world);
}

// Ids are in files: they must stay what they are.
static void ids_by_cell_stay_what_they_are(void **state)
{
    (void)state;
    assert_true(oct_world_cell_id(77, (oct_vec){-1, 18, 20}) == UINT64_C(0xc61ac20aec85882b));
    assert_true(oct_world_cell_id(UINT64_MAX - 4, (oct_vec){0, 0, 0}) ==
                UINT64_C(0xa0dfeb261b9cc668));
    const oct_vec far = {INT32_MIN, INT32_MIN, INT32_MIN};
    assert_true(oct_world_cell_id(UINT64_C(1) << 63, far) >> 63 == 1);
    // No two are the same in a grid of some size, nor in two.
    enum { EDGE = 12 };
    static uint64_t ids[2 * EDGE * EDGE * EDGE];
    size_t count = 0;
    for (uint64_t grid = 1; grid <= 2; grid++) {
        for (int32_t i = 0; i < EDGE * EDGE * EDGE; i++) {
            const oct_vec cell = {i % EDGE - 6, i / EDGE % EDGE - 6, i / EDGE / EDGE - 6};
            ids[count++] = oct_world_cell_id(grid, cell);
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(ids[i] != ids[j]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_must_be_sound),
        cmocka_unit_test(grids_are_found_by_id_and_have_a_limit),
        cmocka_unit_test(blocks_of_all_orientations_cover_their_cells),
        cmocka_unit_test(boxes_on_turned_grids_hold_all_corners),
        cmocka_unit_test(blocks_on_turned_grids_block_what_they_fill),
        cmocka_unit_test(cells_have_limits),
        cmocka_unit_test(blocks_on_grids_must_be_sound),
        cmocka_unit_test(ids_by_cell_stay_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
