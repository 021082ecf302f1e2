// SPDX-License-Identifier: MIT
// Hands in the block world: pressing, grinding, welding, placing, taking away.
#include "block_scene.h"
#include "game/block_probe.h"
#include "game/motion.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

#include <math.h>

// ---- pressing ----

// A panel at the zero that opens a door 25 m above; whether the press went through is seen there.
static void init_panel(block_scene *s)
{
    block_scene_init_clear(s);
    scene_put(s, 1, DOOR, 0, 6, 0);
    scene_put(s, 2, PANEL, 0, 0, 0);
    scene_wire(s, 2, 0, OCT_WIRE_OPEN, 1);
}

static void check_press(block_scene *s, uint32_t who, oct_act want)
{
    assert_true(scene_opening(s, who, 1) == 0.0);
    assert_int_equal(scene_use(s, who, 2, 0), want);
    scene_step(s, 1);
    assert_true(scene_opening(s, who, 1) == (want == OCT_ACT_DONE ? 1 / 60.0 : 0.0));
}

static void a_press_needs_reach(void **state)
{
    (void)state;
    // From the middle of the body to the nearest point of the panel: 3 m.
    const struct {
        oct_point at;
        oct_act want;
    } cases[] = {
        {{0, 0, 1.25 + 2.99}, OCT_ACT_DONE},
        {{0, 0, 1.25 + 3.01}, OCT_ACT_TOO_FAR},
        {{1.2, 1.2, -1.25 - 2.99}, OCT_ACT_DONE},
        {{1.25 + 2.1, 0, 1.25 + 2.1}, OCT_ACT_DONE},          // 2.97 from the edge
        {{1.25 + 2.2, 0, 1.25 + 2.2}, OCT_ACT_TOO_FAR},       // 3.11
        {{1.25 + 1.7, 1.25 + 1.7, 1.25 + 1.7}, OCT_ACT_DONE}, // 2.94 from the corner
        {{1.25 + 1.8, 1.25 + 1.8, 1.25 + 1.8}, OCT_ACT_TOO_FAR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        block_scene s;
        init_panel(&s);
        scene_play(&s);
        const uint32_t who = scene_join(&s, cases[i].at);
        check_press(&s, who, cases[i].want);
        block_scene_free(&s);
    }
}

static void no_press_goes_through_a_wall_or_glass(void **state)
{
    (void)state;
    const uint32_t between[] = {STONE, GLASS, DOOR, PANEL, TIMER};
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        block_scene s;
        init_panel(&s);
        // A thin wall right before the panel, wide enough to hide all of it.
        scene_put_box(&s, 3, between[i], (oct_bounds){{-4, -4, 1.3}, {4, 4, 1.4}});
        scene_play(&s);
        const uint32_t who = scene_join(&s, (oct_point){0, 0, 2.5});
        check_press(&s, who, OCT_ACT_IN_THE_WAY);
        // Around it.
        scene_move(&s, who, (oct_point){2.5, 0, 0}, (oct_point){0, 0, -1});
        check_press(&s, who, OCT_ACT_DONE);
        block_scene_free(&s);
    }
}

static void a_lamp_before_a_corner_does_not_hide_a_panel(void **state)
{
    (void)state;
    // Someone at the left end of the panel's front: the nearest point is hidden by a lamp, the
    // middle is not.
    block_scene s;
    init_panel(&s);
    scene_put_box(&s, 3, LAMP, (oct_bounds){{-1.35, -0.2, 1.3}, {-1.0, 0.2, 1.6}});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){-1.2, 0, 2.5});
    check_press(&s, who, OCT_ACT_DONE);
    block_scene_free(&s);
    // Two sides are turned to one at the edge; the front is hidden, the other is free.
    init_panel(&s);
    scene_put_box(&s, 3, STONE, (oct_bounds){{-3, -3, 1.26}, {1.2, 3, 1.5}});
    scene_play(&s);
    check_press(&s, scene_join(&s, (oct_point){2.2, 0, 2.2}), OCT_ACT_DONE);
    block_scene_free(&s);
    // Its front is hidden but for a strip that nobody tries: its sides are not turned to the body.
    init_panel(&s);
    scene_put_box(&s, 3, STONE, (oct_bounds){{-1, -4, 1.3}, {1, 4, 1.4}});
    scene_play(&s);
    check_press(&s, scene_join(&s, (oct_point){0, 0, 2.5}), OCT_ACT_IN_THE_WAY);
    block_scene_free(&s);
    // The middle is free, and too far.
    init_panel(&s);
    scene_put_box(&s, 3, LAMP, (oct_bounds){{-1.6, -0.3, 2.0}, {-1.1, 0.3, 2.2}});
    scene_play(&s);
    check_press(&s, scene_join(&s, (oct_point){-1.5, 0, 1.25 + 2.97}), OCT_ACT_IN_THE_WAY);
    block_scene_free(&s);
}

// A panel in a wall, flush with it, from any place before it.
static void neighbours_of_a_panel_are_not_in_the_way(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    for (uint64_t round = 0; round < test_rounds(60); round++) {
        block_scene s;
        init_panel(&s);
        uint64_t id = 10;
        for (int x = -2; x <= 2; x++) {
            for (int y = -2; y <= 2; y++) {
                if (x != 0 || y != 0) {
                    scene_put(&s, id++, STONE, x, y, 0);
                }
            }
        }
        scene_play(&s);
        const oct_point at = {oct_random_unit(&random) * 6 - 3, oct_random_unit(&random) * 6 - 3,
                              1.25 + 1.0 + oct_random_unit(&random)};
        const uint32_t who = scene_join(&s, at);
        const double x = fabs(at.x) > 1.25 ? fabs(at.x) - 1.25 : 0.0;
        const double y = fabs(at.y) > 1.25 ? fabs(at.y) - 1.25 : 0.0;
        const double z = at.z - 1.25, slack = 0.08; // points at the edges are a little inside
        const double far = sqrt(x * x + y * y + z * z);
        if (far < 3.0 - slack) {
            check_press(&s, who, OCT_ACT_DONE);
        } else if (far > 3.0) {
            check_press(&s, who, OCT_ACT_TOO_FAR);
        }
        block_scene_free(&s);
    }
}

// A grid somewhere, turned about the vertical by any angle or a right one.
static oct_world_grid random_grid(oct_random *random, uint64_t id, double cell)
{
    static const double right[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    oct_world_grid grid = {.id = id, .cell = cell, .pose.up = {0, 1, 0}};
    grid.pose.position =
        (oct_point){oct_random_unit(random) * 40 - 20, oct_random_unit(random) * 40 - 20,
                    oct_random_unit(random) * 40 - 20};
    if (oct_random_below(random, 2) == 0) {
        const double *const way = right[oct_random_below(random, 4)];
        grid.pose.forward = (oct_point){way[0], 0, way[1]};
    } else {
        double sine, cosine;
        oct_sin_cos(oct_random_unit(random) * 6.0, &sine, &cosine);
        grid.pose.forward = (oct_point){sine, 0, cosine};
    }
    return grid;
}

// A place on a grid, metres from the middle of its first cell.
static oct_point place_on(const oct_world_grid *grid, double x, double y, double z)
{
    const motion_frame axes = oct_motion_frame(grid->pose.forward, grid->pose.up);
    const oct_point by = oct_motion_to_world(&axes, (oct_point){x, y, z});
    const oct_point from = grid->pose.position;
    return (oct_point){from.x + by.x, from.y + by.y, from.z + by.z};
}

// Glass on all four sides of a panel, and a body in each corner between two of them: the only line
// to the panel that enters no glass runs to an edge that all three share. All corners are alike,
// wherever the grid is and however it is turned. Without the glass each of them will do.
static void no_press_goes_along_a_seam(void **state)
{
    (void)state;
    static const oct_vec sides[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    oct_random random = oct_random_seed(7);
    for (uint64_t round = 0; round < test_rounds(200); round++) {
        const oct_world_grid grid = random_grid(&random, 9, 2.5);
        const double away = 1.25 + 1.0 + oct_random_unit(&random);
        for (int has_glass = 0; has_glass < 2; has_glass++) {
            block_scene s;
            block_scene_init_clear(&s);
            const uint32_t on = block_scene_grid(&s, &grid);
            scene_put_on(&s, on, 2, PANEL, (oct_vec){0, 0, 0});
            for (uint64_t i = 0; has_glass && i < 4; i++) {
                scene_put_on(&s, on, 3 + i, GLASS, sides[i]);
            }
            scene_play(&s);
            for (int corner = 0; corner < 4; corner++) {
                const oct_point at =
                    place_on(&grid, corner & 1 ? away : -away, 0, corner & 2 ? away : -away);
                const uint32_t who = scene_join(&s, at);
                assert_int_equal(scene_use(&s, who, 2, 0),
                                 has_glass ? OCT_ACT_IN_THE_WAY : OCT_ACT_DONE);
            }
            block_scene_free(&s);
        }
    }
}

// Two blocks of glass side by side before a panel, and a body before their seam: the line to the
// panel lies in the face that the two share.
static void no_press_goes_between_two_blocks(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(8);
    for (uint64_t round = 0; round < test_rounds(200); round++) {
        const oct_world_grid grid = random_grid(&random, 9, 2.5);
        oct_world_grid wall = grid;
        wall.id = 10;
        wall.cell = 2.0;
        wall.pose.position = place_on(&grid, 1.0, 0.0, 2.3); // the seam is at x = 0
        block_scene s;
        block_scene_init_clear(&s);
        scene_put_on(&s, block_scene_grid(&s, &grid), 2, PANEL, (oct_vec){0, 0, 0});
        const uint32_t on = block_scene_grid(&s, &wall);
        scene_put_on(&s, on, 3, GLASS, (oct_vec){0, 0, 0});
        scene_put_on(&s, on, 4, GLASS, (oct_vec){-1, 0, 0});
        scene_play(&s);
        const uint32_t who = scene_join(&s, place_on(&grid, 0.0, 0.0, 3.3 + 0.6));
        assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_IN_THE_WAY);
        block_scene_free(&s);
    }
}

static void what_cannot_be_pressed_is_refused(void **state)
{
    (void)state;
    block_scene s;
    init_panel(&s);
    scene_put(&s, 3, DOOR, 1, 0, 0);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){1, 0, 3});
    const uint32_t other = scene_join(&s, (oct_point){-1, 0, 3});
    assert_int_equal(scene_use(&s, who, 99, 0), OCT_ACT_NO_TARGET);
    assert_int_equal(scene_use(&s, who, 3, 0), OCT_ACT_NO_BUTTON); // a door has none
    assert_int_equal(scene_use(&s, who, 2, 4), OCT_ACT_NO_BUTTON);
    assert_int_equal(scene_use(&s, who, 2, UINT32_MAX), OCT_ACT_NO_BUTTON);
    assert_int_equal(scene_use(&s, who, 2, 3), OCT_ACT_DONE);
    assert_int_equal(scene_use(&s, who, scene_self(&s, other).id, 0), OCT_ACT_NO_TARGET);
    scene_step(&s, 1);
    assert_true(scene_opening(&s, who, 1) == 0.0);
    assert_true(scene_opening(&s, who, 3) == 0.0);
    block_scene_free(&s);
}

// A panel on a turned grid: its own sides count, not those of the box around it.
static void reach_is_to_the_panel_and_not_to_the_box_around_it(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    const double c = 0.70710678118654752;
    const oct_world_grid grid = {.id = 9, .pose = {{0, 0, 0}, {-c, 0, -c}, {0, 1, 0}}, .cell = 2.5};
    scene_put_on(&s, block_scene_grid(&s, &grid), 2, PANEL, (oct_vec){0, 0, 0});
    scene_play(&s);
    // Along z its edge is at 1.77; along the diagonal its side is at 1.25.
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 1.767 + 2.98});
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_move(&s, who, (oct_point){c * 4.2, 0, c * 4.2}, (oct_point){0, 0, -1});
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_move(&s, who, (oct_point){c * 4.3, 0, c * 4.3}, (oct_point){0, 0, -1});
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_TOO_FAR);
    block_scene_free(&s);
}

// ---- the toolbar ----

static double has(block_scene *s, uint32_t who, const char *name)
{
    const oct_self self = scene_self(s, who);
    return scene_own(&self, name);
}

static void assert_holds(block_scene *s, uint32_t who, const char *what)
{
    const oct_self self = scene_self(s, who);
    assert_string_equal(scene_held(&self), what);
}

// Grinder, welder, then types of blocks on the second page.
static void fill_toolbar(block_scene *s)
{
    for (uint32_t i = 0; i < SCENE_TYPES; i++) {
        const oct_item item = {.kind = OCT_ITEM_BLOCK, .type = i};
        assert_int_equal(oct_world_set_item(s->world, 1, i, item), OCT_OK);
    }
}

static void hands_hold_what_they_were_given(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    fill_toolbar(&s);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    assert_holds(&s, who, "");
    assert_true(has(&s, who, "page") == 0.0);
    // Empty hands do nothing.
    assert_int_equal(scene_do_named(&s, who, "tool", true), OCT_ACT_NOT_HELD);
    assert_int_equal(scene_do_named(&s, who, "tool", false), OCT_ACT_NOT_HELD);
    assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_NOT_HELD);
    assert_int_equal(scene_equip(&s, who, 0, 1), OCT_ACT_DONE);
    assert_holds(&s, who, "welder");
    assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_NOT_HELD);
    assert_true(has(&s, who, "works") == 0.0);
    assert_int_equal(scene_do_named(&s, who, "tool", true), OCT_ACT_DONE);
    assert_true(has(&s, who, "works") == 1.0);
    assert_int_equal(scene_do_named(&s, who, "tool", false), OCT_ACT_DONE);
    assert_true(has(&s, who, "works") == 0.0);
    // Empty and impossible slots leave them as they are.
    const uint32_t empty[][2] = {{0, 2}, {9, 0}, {UINT32_MAX, 0}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(scene_equip(&s, who, empty[i][0], empty[i][1]), OCT_ACT_NOT_HELD);
        assert_holds(&s, who, "welder");
    }
    assert_int_equal(scene_do_named(&s, who, "tool", true), OCT_ACT_DONE);
    assert_int_equal(scene_equip(&s, who, 1, GLASS), OCT_ACT_DONE);
    const oct_self self = scene_self(&s, who);
    assert_string_equal(scene_held(&self), "glass");
    assert_true(scene_own(&self, "page") == 1.0);
    assert_true(scene_own(&self, "works") == 0.0); // a tool that is put away does not work
    assert_int_equal(scene_do_named(&s, who, "tool", true), OCT_ACT_NOT_HELD);
    const oct_action grind = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 0 + 0};
    assert_int_equal(scene_act(&s, who, grind), OCT_ACT_DONE);
    assert_holds(&s, who, "grinder");
    assert_true(has(&s, who, "works") == 1.0);
    assert_int_equal(scene_equip(&s, who, 0, 0), OCT_ACT_DONE);
    assert_true(has(&s, who, "works") == 0.0);
    block_scene_free(&s);
}

// ---- grinding and welding ----

static double integrity_of(block_scene *s, uint32_t who, uint64_t id)
{
    oct_entity e = {0};
    assert_true(scene_sees(s, who, id, &e));
    return scene_prop(&e, "integrity");
}

static void a_block_is_ground_down_to_the_tick(void **state)
{
    (void)state;
    // Integrity 100, 50, 20 at 100 a second.
    const uint32_t types[] = {STONE, GLASS, PANEL, DOOR};
    const uint32_t ticks[] = {60, 30, 12, 60};
    for (int i = 0; i < 4; i++) {
        block_scene s;
        block_scene_init(&s);
        scene_put(&s, 1, types[i], 0, 0, 0);
        scene_put(&s, 2, STONE, 0, 0, -1);
        scene_play(&s);
        const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
        assert_int_equal(scene_equip(&s, who, 0, 0), OCT_ACT_DONE);
        scene_step(&s, 10); // in its hands alone it does nothing
        const double whole = integrity_of(&s, who, 1);
        assert_int_equal(scene_do_named(&s, who, "tool", true), OCT_ACT_DONE);
        scene_step(&s, 6);
        scene_check_near(integrity_of(&s, who, 1), whole - 10.0, 1e-9);
        scene_do_named(&s, who, "tool", false);
        scene_step(&s, 50);
        scene_check_near(integrity_of(&s, who, 1), whole - 10.0, 1e-9);
        scene_do_named(&s, who, "tool", true);
        scene_step(&s, ticks[i] - 7);
        assert_true(scene_sees(&s, who, 1, NULL));
        scene_step(&s, 1);
        assert_false(scene_sees(&s, who, 1, NULL));
        // It was in the way; the one behind is out of reach.
        scene_step(&s, 100);
        assert_true(integrity_of(&s, who, 2) == 100.0);
        block_scene_free(&s);
    }
}

static void a_welder_mends_up_to_the_whole(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    oct_world_block stone = scene_block(s.grid, 1, STONE, (oct_vec){0, 0, 0});
    stone.damage = 30.0;
    scene_put_block(&s, &stone);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
    assert_true(integrity_of(&s, who, 1) == 70.0);
    const oct_action weld = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 0 + 1};
    assert_int_equal(scene_act(&s, who, weld), OCT_ACT_DONE);
    scene_step(&s, 6);
    scene_check_near(integrity_of(&s, who, 1), 80.0, 1e-9);
    scene_step(&s, 20);
    assert_true(integrity_of(&s, who, 1) == 100.0);
    block_scene_free(&s);
}

static void tools_reach_as_far_as_hands_and_where_one_looks(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_put(&s, 1, STONE, 0, 0, 0);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 1.25 + 3.01});
    scene_equip(&s, who, 0, 0);
    scene_do_named(&s, who, "tool", true);
    scene_step(&s, 6);
    assert_true(integrity_of(&s, who, 1) == 100.0);
    scene_move(&s, who, (oct_point){0, 0, 1.25 + 2.99}, (oct_point){1, 0, 0});
    scene_step(&s, 6);
    assert_true(integrity_of(&s, who, 1) == 100.0);
    scene_move(&s, who, (oct_point){0, 0, 1.25 + 2.99}, (oct_point){0, 0, -1});
    scene_step(&s, 6);
    scene_check_near(integrity_of(&s, who, 1), 90.0, 1e-9);
    // Two take it apart twice as fast.
    const uint32_t other = scene_join(&s, (oct_point){0.3, 0, -3});
    scene_move(&s, other, (oct_point){0.3, 0, -3}, (oct_point){0, 0, 1});
    scene_equip(&s, other, 0, 0);
    scene_do_named(&s, other, "tool", true);
    scene_step(&s, 6);
    scene_check_near(integrity_of(&s, who, 1), 70.0, 1e-9);
    block_scene_free(&s);
}

// ---- taking away ----

static void what_is_taken_away_is_gone_at_once(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    scene_put(&s, 1, DOOR, 0, 0, 0);
    scene_put(&s, 2, PANEL, 1, 0, 0);
    scene_put(&s, 3, TIMER, 2, 0, 0);
    scene_put(&s, 4, DOOR, 3, 0, 0);
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 1);
    scene_wire(&s, 2, 0, OCT_WIRE_TOGGLE, 4);
    scene_wire(&s, 2, 1, OCT_WIRE_START, 3);
    scene_wire(&s, 3, 0, OCT_WIRE_TOGGLE, 4);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 40); // both doors are under way
    assert_int_equal(scene_do_named(&s, who, "remove", false),
                     OCT_ACT_NO_TARGET); // the leaf has slid on
    scene_move(&s, who, (oct_point){0.6, 0, 3}, (oct_point){0, 0, -1});
    assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_DONE);
    assert_false(scene_sees(&s, who, 1, NULL));
    assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_NO_TARGET);
    assert_int_equal(scene_use(&s, who, 1, 0), OCT_ACT_NO_TARGET);
    scene_step(&s, 10);
    assert_true(scene_opening(&s, who, 4) == 50 / 60.0);
    // Its wire does nothing, the others do.
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_DONE);
    scene_step(&s, 5);
    assert_true(scene_opening(&s, who, 4) == 45 / 60.0);
    scene_step(&s, 45);
    // A timer that is taken away while it waits does not fire, and cannot be started.
    assert_int_equal(scene_use(&s, who, 2, 1), OCT_ACT_DONE);
    scene_move(&s, who, (oct_point){5, 0, 3}, (oct_point){0, 0, -1});
    assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_DONE);
    assert_int_equal(scene_use(&s, who, 2, 1), OCT_ACT_DONE);
    scene_step(&s, 120);
    assert_true(scene_opening(&s, who, 4) == 0.0);
    // A panel that is gone has no buttons.
    scene_move(&s, who, (oct_point){2.5, 0, 3}, (oct_point){0, 0, -1});
    assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_DONE);
    assert_int_equal(scene_use(&s, who, 2, 0), OCT_ACT_NO_TARGET);
    // One flies where it was.
    scene_move(&s, who, (oct_point){2.5, 0, 0}, (oct_point){0, 0, -1});
    block_scene_free(&s);
}

// ---- placing ----

static bool has_cell(block_scene *s, uint32_t who, oct_vec cell, oct_entity *out)
{
    return scene_sees(s, who, oct_world_cell_id(1000000, cell), out);
}

// Against each side of a block, as seen from there.
static void a_block_is_set_against_the_side_that_is_looked_at(void **state)
{
    (void)state;
    const oct_point sides[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++) {
        block_scene s;
        block_scene_init_clear(&s);
        fill_toolbar(&s);
        scene_put(&s, 1, STONE, 0, 0, 0);
        scene_play(&s);
        const oct_point n = sides[i];
        const uint32_t who = scene_join(&s, (oct_point){10, 10, 10});
        // A body before the side is in the way; from 45 degrees it is not.
        const oct_point across = n.x != 0.0 ? (oct_point){0, 0, 1} : (oct_point){1, 0, 0};
        assert_int_equal(scene_equip(&s, who, 1, GLASS), OCT_ACT_DONE);
        scene_move(&s, who, (oct_point){2.5 * n.x, 2.5 * n.y, 2.5 * n.z},
                   (oct_point){-n.x, -n.y, -n.z});
        assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_IN_THE_WAY);
        const double c = 0.70710678118654752, far = 2.05;
        const oct_point from = {n.x * (1.25 + far) + across.x * far,
                                n.y * (1.25 + far) + across.y * far,
                                n.z * (1.25 + far) + across.z * far};
        const oct_point look = {-c * (n.x + across.x), -c * (n.y + across.y),
                                -c * (n.z + across.z)};
        const oct_point up = n.y != 0.0 ? (oct_point){0, 0, 1} : (oct_point){0, 1, 0};
        scene_move_turned(&s, who, from, look, up);
        assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_DONE);
        const oct_vec cell = {(int32_t)n.x, (int32_t)n.y, (int32_t)n.z};
        oct_entity placed = {0};
        assert_true(has_cell(&s, who, cell, &placed));
        assert_true(placed.thing.box.min.x == 2.5 * n.x - 1.25);
        assert_true(placed.thing.box.max.y == 2.5 * n.y + 1.25);
        assert_true(placed.thing.box.max.z == 2.5 * n.z + 1.25);
        assert_string_equal(placed.type, "glass");
        assert_true(scene_prop(&placed, "integrity") == 50.0);
        assert_int_equal(placed.thing.label, OCT_BLOCKED);
        assert_int_equal(placed.thing.opaque, 0);
        // It is solid: nobody can be put there.
        const oct_pose in = scene_pose((oct_point){2.5 * n.x, 2.5 * n.y, 2.5 * n.z},
                                       (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
        assert_int_equal(oct_block_world_teleport(s.game, who, &in, (oct_point){0, 0, 0}),
                         OCT_ERROR_RANGE);
        block_scene_free(&s);
    }
}

static void placing_is_refused_without_a_side_or_a_grid(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    fill_toolbar(&s);
    scene_put_box(&s, 1, STONE, (oct_bounds){{-1, -1, -1}, {1, 1, 1}});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 3});
    scene_equip(&s, who, 1, STONE);
    const uint64_t before = oct_game_hash(s.game);
    assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_NO_TARGET); // a plain box
    scene_move(&s, who, (oct_point){0, 0, 9}, (oct_point){0, 0, -1});
    scene_move(&s, who, (oct_point){0, 0, 3}, (oct_point){0, 0, 1});
    assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_NO_TARGET); // nothing
    scene_move(&s, who, (oct_point){0, 0, 3}, (oct_point){0, 0, -1});
    // Activated it is refused the same, and the hands keep what they had.
    const oct_action glass = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + GLASS};
    assert_int_equal(scene_act(&s, who, glass), OCT_ACT_NO_TARGET);
    assert_holds(&s, who, "stone");
    assert_int_equal(oct_game_hash(s.game), before);
    block_scene_free(&s);
}

// A beam of 3 x 1 x 2 cells on top of a stone: x from -1 to 1, z from 0 to 1, around the cell that
// is looked at. A block or a body in the last of its cells is in the way.
static void larger_blocks_need_all_their_cells(void **state)
{
    (void)state;
    const double c = 0.70710678118654752;
    for (int taken = 0; taken < 2; taken++) {
        block_scene s;
        block_scene_init_clear(&s);
        fill_toolbar(&s);
        scene_put(&s, 1, STONE, 0, 0, 0);
        scene_put(&s, 2, STONE, taken ? 1 : 2, 1, 1);
        scene_put(&s, 3, STONE, -2, 1, 1);
        scene_put(&s, 4, STONE, -1, 1, -1);
        scene_put(&s, 5, STONE, 1, 1, 2);
        scene_play(&s);
        const uint32_t who = scene_join_turned(&s, (oct_point){0.1, 1.25 + 2.05, -3.2},
                                               (oct_point){0, -c, c}, (oct_point){1, 0, 0});
        const oct_action beam = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + BEAM};
        const uint32_t other = taken ? 0 : scene_join(&s, (oct_point){2.5, 2.5, 2.5});
        assert_int_equal(scene_act(&s, who, beam), OCT_ACT_IN_THE_WAY);
        assert_holds(&s, who, "");
        oct_entity e = {0};
        assert_false(has_cell(&s, who, (oct_vec){-1, 1, 0}, NULL));
        if (!taken) {
            scene_move(&s, other, (oct_point){0, 9, 0}, (oct_point){0, 0, -1});
            assert_int_equal(scene_act(&s, who, beam), OCT_ACT_DONE);
            assert_true(has_cell(&s, who, (oct_vec){-1, 1, 0}, &e));
            assert_true(e.thing.box.min.x == -3.75 && e.thing.box.max.x == 3.75);
            assert_true(e.thing.box.min.y == 1.25 && e.thing.box.max.y == 3.75);
            assert_true(e.thing.box.min.z == -1.25 && e.thing.box.max.z == 3.75);
            assert_holds(&s, who, "beam");
        }
        block_scene_free(&s);
    }
}

// Away from a side towards smaller cells, and behind a block of several cells. Blocks of other
// grids with the same numbers of cells take nothing.
static void larger_blocks_are_set_and_built_upon(void **state)
{
    (void)state;
    const double c = 0.70710678118654752;
    block_scene s;
    block_scene_init_clear(&s);
    fill_toolbar(&s);
    scene_put(&s, 1, BEAM, 0, 0, 0); // x from 0 to 2, z from 0 to 1
    const oct_world_grid grid = {
        .id = 5, .pose = {{0, 2.6, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = 2.5};
    // Right above where the stone goes.
    scene_put_on(&s, block_scene_grid(&s, &grid), 2, STONE, (oct_vec){3, 0, 1});
    scene_play(&s);
    // Its right side, from the front: z cell 1.
    const uint32_t who = scene_join_turned(&s, (oct_point){6.25 + 2.05, 0, 2.5 + 2.05},
                                           (oct_point){-c, 0, -c}, (oct_point){0, 1, 0});
    oct_action place = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + STONE};
    assert_int_equal(scene_act(&s, who, place), OCT_ACT_DONE);
    assert_true(has_cell(&s, who, (oct_vec){3, 0, 1}, NULL));
    // Its left side: three cells from -3 to -1.
    scene_move_turned(&s, who, (oct_point){-1.25 - 2.05, 0, -2.05}, (oct_point){c, 0, c},
                      (oct_point){0, 1, 0});
    place.number = 9 * 1 + BEAM;
    assert_int_equal(scene_act(&s, who, place), OCT_ACT_DONE);
    oct_entity e = {0};
    assert_true(has_cell(&s, who, (oct_vec){-3, 0, 0}, &e));
    assert_true(e.thing.box.min.x == -8.75 && e.thing.box.max.x == -1.25);
    block_scene_free(&s);
}

static void taken_cells_are_not_taken_again(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    fill_toolbar(&s);
    scene_put(&s, 1, STONE, 0, 0, 0);
    // An open door takes its cells as well.
    scene_put_open_door(&s, 2, (oct_vec){0, 0, 1});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 1.25 + 2.9});
    scene_equip(&s, who, 1, STONE);
    assert_int_equal(scene_do_named(&s, who, "place", false), OCT_ACT_IN_THE_WAY);
    block_scene_free(&s);
}

// A grid has cells up to a limit.
static void nothing_is_placed_beyond_the_last_cell(void **state)
{
    (void)state;
    const double c = 0.70710678118654752;
    for (int32_t last = 0; last < 2; last++) {
        block_scene s;
        block_scene_init(&s);
        fill_toolbar(&s);
        const int32_t x = OCT_WORLD_CELL_MAX - 2 + last;
        const oct_world_grid grid = {
            .id = 5, .pose = {{-2.5 * x, 0, 0}, {0, 0, -1}, {0, 1, 0}}, .cell = 2.5};
        scene_put_on(&s, block_scene_grid(&s, &grid), 1, STONE, (oct_vec){x, 0, 0});
        scene_play(&s);
        const uint32_t who = scene_join_turned(&s, (oct_point){1.25 + 2.05, 0, 2.05},
                                               (oct_point){-c, 0, -c}, (oct_point){0, 1, 0});
        const oct_action place = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + STONE};
        assert_int_equal(scene_act(&s, who, place), last ? OCT_ACT_IN_THE_WAY : OCT_ACT_DONE);
        block_scene_free(&s);
    }
}

// Placed, taken away and placed again: ids come again, devices that were placed do nothing.
static void placing_and_taking_away_goes_on_for_ever(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    fill_toolbar(&s);
    scene_put(&s, 1, STONE, 0, 0, 0);
    // Someone has the id that the first one would get.
    scene_put(&s, oct_world_cell_id(1000000, (oct_vec){0, 1, 0}), GLASS, 5, 0, 0);
    scene_play(&s);
    const double c = 0.70710678118654752;
    const uint32_t who = scene_join_turned(&s, (oct_point){-2.05, 1.25 + 2.05, 0},
                                           (oct_point){c, -c, 0}, (oct_point){0, 0, 1});
    const uint64_t id = oct_world_cell_id(1000000, (oct_vec){0, 1, 0});
    for (uint32_t i = 0; i < 200; i++) {
        static const char *const names[] = {"stone", "door", "timer", "panel"};
        const uint32_t type = (const uint32_t[]){STONE, DOOR, TIMER, PANEL}[i % 4];
        const oct_action place = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + type};
        assert_int_equal(scene_act(&s, who, place), OCT_ACT_DONE);
        assert_int_equal(scene_act(&s, who, place), OCT_ACT_IN_THE_WAY); // of oneself
        assert_true(has(&s, who, "works") == 0.0);
        oct_entity e = {0};
        assert_true(scene_sees(&s, who, id + 1, &e));
        assert_string_equal(e.type, names[i % 4]);
        assert_true(scene_sees(&s, who, id, &e));
        assert_string_equal(e.type, "glass");
        scene_step(&s, 1);
        assert_int_equal(scene_do_named(&s, who, "remove", false), OCT_ACT_DONE);
        assert_false(scene_sees(&s, who, id + 1, NULL));
    }
    block_scene_free(&s);
}

// On a turned grid that drifts: where it is now.
static void blocks_are_placed_on_grids_under_way(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    fill_toolbar(&s);
    const oct_world_grid grid = {.id = 5,
                                 .pose = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                                 .cell = 2.0,
                                 .drift = {0, 0, 6},
                                 .range = 100};
    scene_put_on(&s, block_scene_grid(&s, &grid), 1, STONE, (oct_vec){0, 0, 0});
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){-30, 0, 0});
    scene_step(&s, 60);
    // Its right is forward x up = (0, -1, 0): the side at y > 0 is the left one.
    const double c = 0.70710678118654752;
    scene_move_turned(&s, who, (oct_point){0, 1.0 + 2.05, 6.0 - 2.05}, (oct_point){0, -c, c},
                      (oct_point){1, 0, 0});
    const oct_action place = {.verb = OCT_VERB_DO, .name = "activate", .number = 9 * 1 + STONE};
    assert_int_equal(scene_act(&s, who, place), OCT_ACT_DONE);
    oct_entity e = {0};
    assert_true(scene_sees(&s, who, oct_world_cell_id(5, (oct_vec){-1, 0, 0}), &e));
    scene_check_near(e.thing.box.min.y, 1.0, 1e-9);
    scene_check_near(e.thing.box.max.y, 3.0, 1e-9);
    scene_check_near(e.thing.box.min.z, 5.0, 1e-9);
    scene_check_near(e.velocity.z, 6.0, 1e-9);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_press_needs_reach),
        cmocka_unit_test(no_press_goes_through_a_wall_or_glass),
        cmocka_unit_test(a_lamp_before_a_corner_does_not_hide_a_panel),
        cmocka_unit_test(neighbours_of_a_panel_are_not_in_the_way),
        cmocka_unit_test(no_press_goes_along_a_seam),
        cmocka_unit_test(no_press_goes_between_two_blocks),
        cmocka_unit_test(what_cannot_be_pressed_is_refused),
        cmocka_unit_test(reach_is_to_the_panel_and_not_to_the_box_around_it),
        cmocka_unit_test(hands_hold_what_they_were_given),
        cmocka_unit_test(a_block_is_ground_down_to_the_tick),
        cmocka_unit_test(a_welder_mends_up_to_the_whole),
        cmocka_unit_test(tools_reach_as_far_as_hands_and_where_one_looks),
        cmocka_unit_test(what_is_taken_away_is_gone_at_once),
        cmocka_unit_test(a_block_is_set_against_the_side_that_is_looked_at),
        cmocka_unit_test(placing_is_refused_without_a_side_or_a_grid),
        cmocka_unit_test(larger_blocks_need_all_their_cells),
        cmocka_unit_test(larger_blocks_are_set_and_built_upon),
        cmocka_unit_test(taken_cells_are_not_taken_again),
        cmocka_unit_test(nothing_is_placed_beyond_the_last_cell),
        cmocka_unit_test(placing_and_taking_away_goes_on_for_ever),
        cmocka_unit_test(blocks_are_placed_on_grids_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
