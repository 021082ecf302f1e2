// SPDX-License-Identifier: MIT
// A body among solids: flying, walking on any side of anything, falling, jumping, being pushed.
#include "game/body.h"
#include "octant/block_world.h"
#include "solids_support.h"

#include <stdlib.h>

#define TICK (1.0 / OCT_BLOCK_WORLD_RATE)

static const oct_point zero = {0, 0, 0};

typedef struct scene {
    model m;
    body b;
    oct_world_rules rules;
} scene;

static scene *scene_new(void)
{
    scene *const f = malloc(sizeof *f);
    model_init(&f->m, 1, NULL);
    model_add_frame(&f->m, zero, straight_axes());
    f->rules = oct_world_rules_default();
    f->b = (body){.flies = true, .damps = true};
    return f;
}

static void scene_free(scene *f)
{
    oct_solids_destroy(f->m.s);
    free(f);
}

static double gap_now(const scene *f)
{
    const capsule c = oct_body_capsule(&f->b);
    return model_gap(&f->m, &c, 10.0);
}

static void tick(scene *f, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        oct_body_tick(f->m.s, &f->rules, &f->b);
        assert_true(gap_now(f) >= 0.0);
    }
}

// Begins a movement and lets it pass.
static void play(scene *f, oct_point move, oct_point rotate, uint32_t ticks)
{
    f->b.move = move;
    f->b.rotate = rotate;
    f->b.ticks = ticks;
    tick(f, ticks);
    assert_int_equal(f->b.ticks, 0);
}

static void place(scene *f, oct_point feet, oct_point forward, oct_point up)
{
    const oct_pose pose = {feet, forward, up};
    assert_true(oct_body_place(f->m.s, &pose, &f->b));
}

static void place_upright(scene *f, oct_point feet)
{
    place(f, feet, (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
}

static bool near_to(double a, double b, double slack)
{
    return fabs(a - b) <= slack;
}

// ---- flying ----

static void flight_is_bang_bang(void **state)
{
    (void)state;
    scene *const f = scene_new();
    const double a = f->rules.acceleration * TICK * TICK;
    place_upright(f, zero);
    assert_true(near_to(f->b.centre.y, 0.9, 1e-15));
    // n ticks of thrust, then the dampeners: n (n + 1) / 2 and n (n - 1) / 2 steps of a.
    play(f, (oct_point){0, 0, -1}, zero, 30);
    assert_true(near_to(f->b.centre.z, -a * 30.0 * 31.0 / 2.0, 1e-9));
    assert_true(near_to(f->b.velocity.z, -5.0, 1e-12));
    tick(f, 31);
    assert_true(near_to(f->b.centre.z, -a * 900.0, 1e-9));
    assert_true(length_of(f->b.velocity) == 0.0);
    // The greatest speed, without dampeners, in a direction of its own.
    f->b.damps = false;
    play(f, (oct_point){3, 0, 4}, zero, 200);
    assert_true(near_to(length_of(f->b.velocity), 20.0, 1e-9));
    assert_true(near_to(f->b.velocity.x, 12.0, 1e-9));
    const oct_point before = f->b.centre;
    tick(f, 60);
    assert_true(near_to(f->b.centre.x - before.x, 12.0, 1e-9));
    assert_int_equal(f->b.bumps, 0);
    assert_false(f->b.stands);
    scene_free(f);
}

static void walls_stop_and_count(void **state)
{
    (void)state;
    scene *const f = scene_new();
    model_add(&f->m, 0, box_from(-50, -50, -6, 50, 50, -5));
    model_add(&f->m, 0, box_from(5, -50, -50, 6, 50, 50));
    place_upright(f, zero);
    play(f, (oct_point){0, 0, -1}, zero, 120);
    assert_true(near_to(f->b.centre.z, -4.5 + SOLIDS_SKIN, 1e-6));
    assert_true(fabs(f->b.velocity.z) < 1e-9 && f->b.bumps > 10);
    // Along the wall: not held by it, and no bump.
    const uint64_t bumps = f->b.bumps;
    play(f, (oct_point){1, 0, 0}, zero, 20);
    assert_true(near_to(f->b.centre.x, f->rules.acceleration * TICK * TICK * 210.0, 1e-9));
    assert_int_equal(f->b.bumps, bumps);
    // Obliquely into the corner.
    play(f, (oct_point){1, 0, -1}, zero, 120);
    assert_true(near_to(f->b.centre.x, 4.5 - SOLIDS_SKIN, 1e-6));
    assert_true(near_to(f->b.centre.z, -4.5 + SOLIDS_SKIN, 1e-6));
    assert_true(length_of(f->b.velocity) < 1e-9);
    // Up along the edge, and away again.
    play(f, (oct_point){1, 1, -1}, zero, 30);
    assert_true(f->b.centre.y > 1.5);
    play(f, (oct_point){-1, 0, 1}, zero, 30);
    assert_true(f->b.centre.x < 4.0 && f->b.centre.z > -4.0);
    // One tick of a touch counts once.
    f->b.bumps = 0;
    place_upright(f, (oct_point){0, 0, -4.4});
    f->b.velocity = (oct_point){0, 0, -20};
    tick(f, 10);
    assert_int_equal(f->b.bumps, 1);
    scene_free(f);
}

// In a wedge of any angle it goes along the edge as fast as if there were no walls.
static void wedges_lead_along_their_edge(void **state)
{
    (void)state;
    for (int degrees = 20; degrees < 180; degrees += 20) {
        const double half = 0.5 * degrees * 3.14159265358979 / 180.0;
        scene *const f = scene_new();
        // Two walls that meet at the origin, open towards +x.
        const motion_frame left = {
            {cos(half), 0, sin(half)}, {0, 1, 0}, {-sin(half), 0, cos(half)}};
        const motion_frame right = {
            {cos(half), 0, -sin(half)}, {0, 1, 0}, {sin(half), 0, cos(half)}};
        model_add_frame(&f->m, zero, left);
        model_add_frame(&f->m, zero, right);
        model_add(&f->m, 1, box_from(-20, -20, 0, 20, 20, 1));
        model_add(&f->m, 2, box_from(-20, -20, -1, 20, 20, 0));
        place_upright(f, (oct_point){0.6 / sin(half), 0, 0});
        f->b.damps = false;
        play(f, (oct_point){-0.8, 0, 0.01}, zero, 60);
        const double from = f->b.centre.y;
        play(f, (oct_point){-0.8, 0.6, 0.01}, zero, 30);
        assert_true(
            near_to(f->b.centre.y - from, 0.6 * f->rules.acceleration * TICK * TICK * 465.0, 1e-3));
        assert_true(near_to(f->b.centre.x, 0.5 / sin(half), 0.05));
        // A third wall ends it.
        model_add(&f->m, 0, box_from(-20, 8, -20, 20, 9, 20));
        play(f, (oct_point){-0.8, 0.6, 0.01}, zero, 120);
        assert_true(length_of(f->b.velocity) < 1e-9);
        assert_true(near_to(f->b.centre.y, 7.1 - SOLIDS_SKIN, 1e-4));
        scene_free(f);
    }
}

// What appears, or comes, in free space is met all the same.
static void what_appears_in_the_way_stops(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        scene *const f = scene_new();
        const oct_bounds wall = box_from(-5, -5, -1, 5, 5, 0.7);
        const uint32_t frame = model_add_frame(&f->m, (oct_point){0, 0, -20}, straight_axes());
        const uint32_t door = model_add(&f->m, 0, wall);
        model_add(&f->m, frame, wall);
        model_set(&f->m, door, NULL);
        place_upright(f, (oct_point){0, 0, 2});
        f->b.damps = false;
        f->b.velocity = (oct_point){0, 0, -20};
        tick(f, 2);
        assert_true(f->b.clear > 1.0); // and the wall will be nearer than that
        if (kind == 0) {
            model_set(&f->m, door, &wall);
        } else if (kind == 1) {
            model_add(&f->m, 0, wall);
        } else {
            model_move(&f->m, frame, zero);
        }
        tick(f, 120);
        assert_true(near_to(f->b.centre.z, 1.2 + SOLIDS_SKIN, 1e-5));
        assert_int_equal(f->b.bumps, 1);
        scene_free(f);
    }
}

// ---- turning ----

static void a_tight_corridor_refuses_tilting(void **state)
{
    (void)state;
    scene *const f = scene_new();
    const double turn = f->rules.turn * TICK;
    model_add(&f->m, 0, box_from(-2, -10, -10, -0.52, 10, 10));
    model_add(&f->m, 0, box_from(0.52, -10, -10, 2, 10, 10));
    place_upright(f, zero);
    // Pitch is in the plane of the corridor; roll is not, yaw moves nothing.
    play(f, zero, (oct_point){1, 0, 0}, 5);
    assert_true(near_to(f->b.frame.up.y, cos(5.0 * turn), 1e-12));
    play(f, zero, (oct_point){-1, 0, 0}, 5);
    const oct_point up = f->b.frame.up;
    play(f, zero, (oct_point){0, 0, 1}, 20);
    assert_memory_equal(&f->b.frame.up, &up, sizeof up);
    play(f, zero, (oct_point){0, 0.5, 1}, 3);
    assert_memory_equal(&f->b.frame.up, &up, sizeof up);
    assert_true(near_to(-f->b.frame.back.x, -sin(1.5 * turn), 1e-12));
    play(f, zero, (oct_point){0, 1, 0}, 1000);
    assert_memory_equal(&f->b.frame.up, &up, sizeof up);
    assert_true(near_to(length_of(f->b.frame.right), 1.0, 1e-15));
    assert_true(near_to(dot_of(f->b.frame.back, up), 0.0, 1e-15));
    // On foot yaw alone, wherever it is.
    place_upright(f, (oct_point){20, 0, 0});
    f->b.flies = false;
    play(f, zero, (oct_point){1, 0, 1}, 10);
    assert_true(f->b.frame.up.y == 1.0);
    f->b.flies = true;
    play(f, zero, (oct_point){1, 0, 1}, 10);
    assert_true(f->b.frame.up.y < 0.9);
    scene_free(f);
}

// ---- gravity ----

static void gravity_pulls_who_is_not_held(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->rules.gravity = (oct_point){0, -9.0, 0};
    model_add(&f->m, 0, box_from(-50, -51, -50, 50, -50, 50));
    place_upright(f, zero);
    tick(f, 60);
    assert_true(f->b.centre.y == 0.9);
    f->b.damps = false;
    tick(f, 60);
    const double fell = 9.0 * TICK * TICK * 60.0 * 61.0 / 2.0;
    assert_true(near_to(f->b.centre.y, 0.9 - fell, 1e-9));
    place_upright(f, zero);
    f->b.flies = false;
    tick(f, 60);
    assert_true(near_to(f->b.centre.y, 0.9 - fell, 1e-9) && !f->b.stands);
    // No faster than anybody; then it stands.
    tick(f, 120);
    assert_true(near_to(f->b.velocity.y, -20.0, 1e-9));
    tick(f, 200);
    assert_true(f->b.stands && f->b.ground == 0);
    assert_true(near_to(f->b.centre.y, -49.1 + SOLIDS_SKIN, 1e-6));
    assert_true(length_of(f->b.velocity) == 0.0);
    assert_int_equal(f->b.bumps, 0);
    scene_free(f);
}

static void jumps_are_as_high_as_they_should_be(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->rules.gravity = (oct_point){0, -5.0, 0};
    model_add(&f->m, 0, box_from(-50, -1, -50, 50, 0, 50));
    place_upright(f, zero);
    f->b.flies = false;
    tick(f, 5);
    assert_true(f->b.stands);
    const double from = f->b.centre.y;
    double top = from;
    f->b.jumps = true;
    for (int i = 0; i < 90; i++) {
        tick(f, 1);
        assert_false(f->b.jumps);
        assert_true(f->b.stands == (i > 60 && f->b.stands));
        top = fmax(top, f->b.centre.y);
    }
    // v2 / 2 g less what whole ticks make of it.
    assert_true(near_to(top - from, 4.0 * 4.0 / 10.0, 0.5 * 4.0 * TICK + 1e-3));
    tick(f, 30);
    assert_true(f->b.stands && near_to(f->b.centre.y, from, 1e-6));
    // A small jump is not caught by the ground that it leaves.
    f->rules.jump = 1.0;
    f->b.jumps = true;
    top = from;
    for (int i = 0; i < 30; i++) {
        tick(f, 1);
        top = fmax(top, f->b.centre.y);
    }
    assert_true(near_to(top - from, 0.1, 0.5 * TICK + 1e-3) && f->b.stands);
    // In the air there is nothing to jump off.
    f->rules.jump = 4.0;
    f->b.jumps = true;
    tick(f, 10);
    f->b.jumps = true;
    const double before = f->b.velocity.y;
    tick(f, 1);
    assert_true(f->b.velocity.y < before && !f->b.jumps);
    scene_free(f);
}

// Who lies on its side or stands on its head is not upright: it slides about, and does not walk.
static void only_who_is_upright_stands(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->rules.gravity = (oct_point){0, -9.0, 0};
    f->b.flies = false;
    model_add(&f->m, 0, box_from(-50, -1, -50, 50, 0, 50));
    place(f, (oct_point){0, 0.6, 0}, (oct_point){0, 1, 0}, (oct_point){0, 0, 1});
    play(f, (oct_point){1, 0, 0}, zero, 60);
    assert_true(!f->b.stands && near_to(f->b.centre.y, 0.5 + SOLIDS_SKIN, 1e-5));
    assert_true(near_to(f->b.centre.x, 0.0, 1e-9));
    place(f, (oct_point){0, 3, 0}, (oct_point){0, 0, 1}, (oct_point){0, -1, 0});
    play(f, (oct_point){1, 0, 0}, zero, 60);
    assert_true(!f->b.stands && near_to(f->b.centre.x, 0.0, 1e-9));
    // With the feet on a wall it falls along that, unless it has boots.
    model_add(&f->m, 0, box_from(-21, 0, -5, -20, 30, 5));
    for (int boots = 0; boots < 2; boots++) {
        f->b.boots = boots;
        place(f, (oct_point){-20, 20, 0}, (oct_point){0, 1, 0}, (oct_point){1, 0, 0});
        tick(f, 60);
        assert_true(f->b.stands == boots && (f->b.centre.y < 17.0) == !boots);
    }
    scene_free(f);
}

// ---- walking ----

// A floor of blocks.
static void add_floor(scene *f, int cells)
{
    for (int x = -cells; x <= cells; x++) {
        for (int z = -cells; z <= cells; z++) {
            model_add(
                &f->m, 0,
                box_from(2.5 * x - 1.25, -2.5, 2.5 * z - 1.25, 2.5 * x + 1.25, 0, 2.5 * z + 1.25));
        }
    }
}

static void walking_is_even_and_stops_at_once(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->rules.gravity = (oct_point){0, -9.81, 0};
    f->b.flies = false;
    add_floor(f, 6);
    place_upright(f, zero);
    tick(f, 2);
    const double height = f->b.centre.y;
    play(f, (oct_point){0.3, 1, -0.4}, zero, 180);
    assert_true(near_to(f->b.centre.x, 3.0 * 0.3 * 4.0, 1e-3));
    assert_true(near_to(f->b.centre.z, -3.0 * 0.4 * 4.0, 1e-3));
    assert_true(near_to(f->b.centre.y, height, 1e-4) && f->b.stands);
    const oct_point at = f->b.centre;
    tick(f, 60);
    assert_memory_equal(&f->b.centre, &at, sizeof at);
    // Faster than a whole share is none; a wall ends it, and it goes on along the wall.
    model_add(&f->m, 0, box_from(-20, 0, 6, 20, 5, 7));
    place_upright(f, (oct_point){-5, 0, 3});
    tick(f, 2);
    play(f, (oct_point){3, 0, 3}, zero, 120);
    assert_true(near_to(f->b.centre.z, 5.5 - SOLIDS_SKIN, 1e-4));
    assert_true(near_to(f->b.centre.x, -5.0 + 2.0 * 4.0 * sqrt(0.5), 1e-2) && f->b.stands);
    assert_int_equal(f->b.bumps, 0);
    scene_free(f);
}

static void who_walks_off_an_edge_falls(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->rules.gravity = (oct_point){0, -9.81, 0};
    f->b.flies = false;
    add_floor(f, 1);
    model_add(&f->m, 0, box_from(-50, -9, -50, 50, -8, 50));
    place_upright(f, zero);
    tick(f, 2);
    play(f, (oct_point){1, 0, 0}, zero, 120);
    tick(f, 120);
    assert_true(f->b.stands && near_to(f->b.centre.y, -7.1 + SOLIDS_SKIN, 1e-3));
    assert_true(f->b.centre.x > 4.2);
    scene_free(f);
}

static void slopes_are_walked_up_to_half_a_right_angle(void **state)
{
    (void)state;
    for (int degrees = 10; degrees <= 60; degrees += 10) {
        const double a = degrees * 3.14159265358979 / 180.0;
        scene *const f = scene_new();
        const motion_frame axes = {{cos(a), sin(a), 0}, {-sin(a), cos(a), 0}, {0, 0, 1}};
        f->rules.gravity = (oct_point){0, -9.81, 0};
        f->b.flies = false;
        model_add_frame(&f->m, zero, axes);
        model_add(&f->m, 1, box_from(-50, -1, -50, 50, 0, 50));
        place_upright(f, (oct_point){0, 0.6, 0});
        tick(f, 60);
        const oct_point at = f->b.centre;
        if (degrees > 45) {
            assert_true(!f->b.stands && at.x < -0.2);
        } else {
            play(f, (oct_point){1, 0, 0}, zero, 60);
            assert_true(f->b.stands && f->b.centre.y > at.y + 0.5 * sin(a));
            for (int i = 0; i < 60; i++) {
                play(f, (oct_point){-1, 0, 0}, zero, 1);
                assert_true(f->b.stands && gap_now(f) < 2e-3);
            }
            assert_true(f->b.centre.y < at.y);
        }
        scene_free(f);
    }
}

// ---- boots ----

// On every side of a block of 7.5 m: walks to each edge and is held there, and jumps off.
static void boots_hold_on_every_side(void **state)
{
    (void)state;
    for (int side = 0; side < 6; side++) {
        const double sign = side & 1 ? -1.0 : 1.0;
        const oct_point up = {side / 2 == 0 ? sign : 0.0, side / 2 == 1 ? sign : 0.0,
                              side / 2 == 2 ? sign : 0.0};
        const oct_point forward = {up.y, up.z, up.x};
        scene *const f = scene_new();
        f->b.flies = false;
        add_floor(f, 1);
        f->b.boots = true;
        const oct_point middle = {0, -1.25, 0};
        const double high = side / 2 == 1 ? 1.25 : 3.75;
        place(f, add_scaled(middle, up, high), forward, up);
        tick(f, 3);
        assert_true(f->b.stands);
        for (int k = 0; k < 4; k++) {
            const oct_point way = {k == 0 ? 1 : k == 1 ? -1 : 0, 0, k == 2 ? 1 : k == 3 ? -1 : 0};
            play(f, way, zero, 200);
            assert_true(f->b.stands && length_of(f->b.velocity) < 5.0);
            const oct_point off = add_scaled(f->b.centre, middle, -1.0);
            assert_true(fmax(fabs(off.x), fmax(fabs(off.y), fabs(off.z))) < 3.75 + 0.9 + 1e-2);
        }
        const oct_point at = f->b.centre;
        f->b.jumps = true;
        tick(f, 60);
        assert_true(!f->b.stands);
        assert_true(near_to(dot_of(add_scaled(f->b.centre, at, -1.0), up), 4.0, 0.5));
        // Without boots nothing holds where nothing pulls.
        place(f, add_scaled(middle, up, high), forward, up);
        f->b.boots = false;
        play(f, (oct_point){1, 0, 0}, zero, 10);
        assert_false(f->b.stands);
        assert_true(length_of(f->b.velocity) == 0.0);
        scene_free(f);
    }
}

static void boots_are_loose_for_a_while_after_a_jump(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->b.flies = false;
    f->b.boots = true;
    f->rules.jump = 0.03;
    add_floor(f, 1);
    place_upright(f, zero);
    tick(f, 3);
    f->b.jumps = true;
    tick(f, 29);
    assert_true(!f->b.stands && f->b.velocity.y > 0.0);
    tick(f, 5);
    assert_true(f->b.stands); // so slow a jump is caught again
    // Taking off, and landing again.
    f->b.flies = true;
    play(f, (oct_point){0, 1, 0}, zero, 60);
    assert_true(!f->b.stands && f->b.centre.y > 3.0 && f->b.ground == UINT32_MAX);
    play(f, (oct_point){0, -1, 0}, zero, 240);
    f->b.flies = false;
    tick(f, 2);
    assert_true(f->b.stands && f->b.centre.y < 0.91);
    f->b.boots = false;
    tick(f, 1);
    assert_false(f->b.stands);
    f->b.boots = true;
    tick(f, 1);
    assert_true(f->b.stands);
    // What it stands on is taken away.
    model_remove(&f->m, f->b.ground);
    tick(f, 2);
    assert_false(f->b.stands);
    scene_free(f);
}

// ---- being pushed ----

static void who_stands_on_a_frame_goes_along(void **state)
{
    (void)state;
    scene *const f = scene_new();
    f->b.flies = false;
    f->b.boots = true;
    model_add_frame(&f->m, (oct_point){0, 0, 0}, straight_axes());
    model_add(&f->m, 1, box_from(-3, -1, -3, 3, 0, 3));
    model_add(&f->m, 0, box_from(10, -1, -3, 11, 5, 3));
    place_upright(f, zero);
    tick(f, 3);
    const oct_point by = {0.05, -0.01, 0.02};
    const oct_point at = f->b.centre;
    for (int i = 0; i < 100; i++) {
        assert_true(oct_body_push(f->m.s, 1, by, &f->b));
        model_move(&f->m, 1, add_scaled(f->m.origins[1], by, 1.0));
        tick(f, 1);
        assert_true(f->b.stands);
    }
    assert_true(length_of(add_scaled(add_scaled(f->b.centre, at, -1.0), by, -100.0)) < 1e-6);
    // Another frame moves nobody.
    const body before = f->b;
    assert_true(oct_body_push(f->m.s, 0, (oct_point){0.05, 0.05, 0}, &f->b));
    assert_memory_equal(&f->b, &before, sizeof before);
    // Against a wall of the world it slips, and stays on.
    for (int i = 0; i < 100; i++) {
        const oct_point along = {0.05, 0, 0};
        f->b.velocity = (oct_point){3, 0, 0}; // its own, whatever it is pushed against
        assert_true(oct_body_push(f->m.s, 1, along, &f->b));
        assert_true(f->b.velocity.x == 3.0);
        model_move(&f->m, 1, add_scaled(f->m.origins[1], along, 1.0));
        tick(f, 1);
    }
    assert_true(near_to(f->b.centre.x, 9.5 - SOLIDS_SKIN, 1e-4) && f->b.stands);
    scene_free(f);
}

static void who_is_in_the_way_is_pushed_or_holds_it(void **state)
{
    (void)state;
    scene *const f = scene_new();
    model_add_frame(&f->m, (oct_point){-5, 0, 0}, straight_axes());
    model_add(&f->m, 1, box_from(-1, -5, -5, 1, 5, 5));
    model_add(&f->m, 0, box_from(3, -5, -5, 4, 5, 5));
    place_upright(f, zero);
    const oct_point by = {0.03, 0, 0};
    int moved = 0;
    while (moved < 1000 && oct_body_push(f->m.s, 1, by, &f->b)) {
        model_move(&f->m, 1, add_scaled(f->m.origins[1], by, 1.0));
        assert_true(gap_now(f) >= 0.0);
        moved++;
    }
    // 1 m of room is left between them, and what a step is more.
    const double left = 3.0 - (f->m.origins[1].x + 1.0);
    assert_true(left >= 1.0 && left < 1.0 + 0.03 + 4.0 * SOLIDS_SKIN);
    const body before = f->b;
    assert_false(oct_body_push(f->m.s, 1, by, &f->b));
    assert_memory_equal(&f->b, &before, sizeof before);
    // Away from it is free.
    assert_true(oct_body_push(f->m.s, 1, (oct_point){-1, 0, 0}, &f->b));
    assert_memory_equal(&f->b, &before, sizeof before);
    tick(f, 1);
    scene_free(f);
}

// It goes along with what pushes it, not aside: where that is blocked, the frame waits.
static void a_wedge_pushes_until_there_is_no_room(void **state)
{
    (void)state;
    scene *const f = scene_new();
    const double r = sqrt(0.5);
    const motion_frame axes = {{r, 0, r}, {0, 1, 0}, {-r, 0, r}};
    model_add_frame(&f->m, (oct_point){-4, 0, 0.2}, axes);
    model_add(&f->m, 1, box_from(-1, -5, -1, 1, 5, 1));
    model_add(&f->m, 0, box_from(0.6, -5, -9, 4, 5, 9));
    place_upright(f, zero);
    int moved = 0;
    while (moved < 1000 && oct_body_push(f->m.s, 1, (oct_point){0.02, 0, 0}, &f->b)) {
        model_move(&f->m, 1, add_scaled(f->m.origins[1], (oct_point){0.02, 0, 0}, 1.0));
        assert_true(gap_now(f) >= 0.0);
        moved++;
    }
    assert_true(moved > 20);
    scene_free(f);
}

// A door that came nearer than the skin holds nobody: along it, and away from it, until the skin is
// between them again.
static void who_was_touched_gets_away(void **state)
{
    (void)state;
    scene *const f = scene_new();
    const uint32_t door = model_add(&f->m, 0, box_from(0.5, -5, -5, 3, 5, 5));
    const oct_bounds shut = box_from(0.5 + 1e-5, -5, -5, 3, 5, 5);
    const oct_bounds open = box_from(1, -5, -5, 3, 5, 5);
    model_set(&f->m, door, &open);
    place_upright(f, zero);
    model_set(&f->m, door, &shut);
    assert_true(gap_now(f) < 2e-5);
    play(f, (oct_point){0, 0, -1}, zero, 20);
    assert_true(near_to(f->b.centre.z, -f->rules.acceleration * TICK * TICK * 210.0, 1e-9));
    play(f, (oct_point){0.1, 0, -0.9}, zero, 5);
    assert_true(gap_now(f) >= SOLIDS_SKIN && f->b.centre.z < -0.8);
    // Exactly touched, pressed on by thrust: it stays free.
    model_set(&f->m, door, &open);
    place_upright(f, zero);
    const oct_bounds touching = box_from(0.5, -5, -5, 3, 5, 5);
    model_set(&f->m, door, &touching);
    play(f, (oct_point){1, 0.01, 0}, zero, 20);
    assert_true(gap_now(f) >= 0.0);
    scene_free(f);
}

// ---- places ----

static void places_have_room(void **state)
{
    (void)state;
    scene *const f = scene_new();
    const body before = f->b;
    add_floor(f, 1);
    model_add(&f->m, 0, box_from(1.25, 0, -3.75, 1.3, 5, 3.75));
    // On the floor exactly: a skin above it.
    place_upright(f, zero);
    assert_true(near_to(f->b.centre.y, 0.9 + SOLIDS_SKIN, 1e-5) && gap_now(f) >= SOLIDS_SKIN);
    f->b = before;
    oct_pose pose = {{0.9, -0.1, 0}, {0, 0, -1}, {0, 1, 0}};
    assert_false(oct_body_place(f->m.s, &pose, &f->b));
    assert_false(oct_body_place_near(f->m.s, &pose, 0.05, &f->b));
    assert_memory_equal(&f->b, &before, sizeof before);
    // In the floor and in the wall: out of both, on its own side.
    assert_true(oct_body_place_near(f->m.s, &pose, 1.0, &f->b));
    assert_true(gap_now(f) >= SOLIDS_SKIN && f->b.centre.x < 1.25 && f->b.centre.y > 0.9);
    const oct_point wanted = {0.9, 0.8, 0};
    assert_true(length_of(add_scaled(f->b.centre, wanted, -1.0)) < 0.35);
    // A tight fit between two walls is taken as it is.
    model_add(&f->m, 0, box_from(-8, 5, -8, 8, 6, 8));
    model_add(&f->m, 0, box_from(-8, 7.8 + 1e-4, -8, 8, 9, 8));
    pose.position = (oct_point){0, 6 + 5e-5, 0};
    assert_true(oct_body_place(f->m.s, &pose, &f->b) && gap_now(f) >= 0.0);
    // Beyond a thin wall there would be room, but that is another place.
    model_add(&f->m, 0, box_from(-30, -9, -30, -20, 9, 30));
    const uint32_t thin = model_add(&f->m, 0, box_from(-19.65, -9, -30, -19.6, 9, 30));
    pose.position = (oct_point){-19.7, 0, 0};
    assert_false(oct_body_place_near(f->m.s, &pose, 1.0, &f->b));
    model_set(&f->m, thin, NULL);
    assert_true(oct_body_place_near(f->m.s, &pose, 1.0, &f->b));
    // Deep in a block there is no place.
    pose.position = (oct_point){0, -2, 0};
    assert_false(oct_body_place_near(f->m.s, &pose, 0.2, &f->b));
    scene_free(f);
}

// ---- what is known shapes nothing ----

static void random_hall(scene *f, uint64_t seed)
{
    oct_random *const random = &f->m.random;
    *random = oct_random_seed(seed);
    add_floor(f, 4);
    model_add_frame(&f->m, (oct_point){0, 3, 0}, random_axes(random));
    for (int i = 0; i < 60; i++) {
        const oct_point at = random_point(random, 9.0);
        const uint32_t frame = (uint32_t)oct_random_below(random, 2);
        if (frame == 0 && at.y < 0.0) {
            continue;
        }
        const oct_point size =
            random_between(random, (oct_point){0.1, 0.1, 0.1}, (oct_point){2.5, 2.5, 2.5});
        model_add(&f->m, frame, (oct_bounds){at, add_scaled(at, size, 1.0)});
    }
    oct_pose pose = {zero, {0, 0, -1}, {0, 1, 0}};
    do {
        pose.position = random_point(random, 9.0);
    } while (pose.position.y < 0.0 || !oct_body_place(f->m.s, &pose, &f->b));
}

// A random thing to do in each tick; the world changes, too.
static void random_tick(scene *f, uint64_t i)
{
    oct_random *const random = &f->m.random;
    if (i % 32 == 0) {
        f->b.move = random_point(random, 1.0);
        f->b.rotate = random_point(random, 1.0);
        f->b.ticks = (uint32_t)oct_random_range(random, 1, 60);
        f->b.flies = oct_random_below(random, 4) != 0;
        f->b.damps = oct_random_below(random, 2);
        f->b.boots = oct_random_below(random, 2);
        f->b.jumps = oct_random_below(random, 2);
    }
    const oct_point by = random_point(random, 0.02);
    if (i % 5 < 3 && oct_body_push(f->m.s, 1, by, &f->b)) {
        model_move(&f->m, 1, add_scaled(f->m.origins[1], by, 1.0));
    }
    const uint32_t which = (uint32_t)oct_random_below(random, f->m.count);
    oct_bounds part = f->m.boxes[which].home;
    part.max.x -= random_in(random, 0.0, part.max.x - part.min.x);
    if (i % 7 == 0) {
        const capsule c = oct_body_capsule(&f->b);
        const oct_bounds was = f->m.boxes[which].part;
        model_set(&f->m, which, &part);
        if (oct_solids_gap_to(f->m.s, which, &c, 1.0) < SOLIDS_SKIN) {
            model_set(&f->m, which, &was);
        }
    }
    oct_body_tick(f->m.s, &f->rules, &f->b);
}

static uint64_t hash_of(const body *b)
{
    const oct_point shapes[] = {b->centre, b->velocity, b->frame.right, b->frame.up, b->frame.back};
    const uint64_t hash = test_hash_add(TEST_HASH_START, shapes, sizeof shapes / 8, 8);
    return hash ^ b->bumps ^ (uint64_t)b->stands << 32;
}

// The same run with the bound forgotten in every tick gives the same bits. And the same bits as
// ever, by every compiler.
static void what_is_known_to_be_clear_shapes_nothing(void **state)
{
    (void)state;
    const uint64_t seeds = 8;
    uint64_t all = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        uint64_t hashes[2];
        for (int forgets = 0; forgets < 2; forgets++) {
            scene *const f = scene_new();
            f->rules.gravity = seed % 2 ? zero : (oct_point){0, -5, 0};
            random_hall(f, seed);
            hashes[forgets] = 0;
            for (uint64_t i = 0; i < 2000; i++) {
                random_tick(f, i);
                const capsule c = oct_body_capsule(&f->b);
                assert_true(oct_solids_gap(f->m.s, &c, 1.0) >= 0.0);
                hashes[forgets] = (hashes[forgets] ^ hash_of(&f->b)) * UINT64_C(0x100000001b3);
                if (forgets) {
                    f->b.clear = 0.0;
                    f->b.clear_revision = UINT64_MAX;
                }
            }
            scene_free(f);
        }
        assert_true(hashes[0] == hashes[1]);
        all = all * 31 + hashes[0];
    }
    assert_true(all == UINT64_C(0xbb659ec1c6e45b38));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flight_is_bang_bang),
        cmocka_unit_test(walls_stop_and_count),
        cmocka_unit_test(wedges_lead_along_their_edge),
        cmocka_unit_test(what_appears_in_the_way_stops),
        cmocka_unit_test(a_tight_corridor_refuses_tilting),
        cmocka_unit_test(gravity_pulls_who_is_not_held),
        cmocka_unit_test(jumps_are_as_high_as_they_should_be),
        cmocka_unit_test(only_who_is_upright_stands),
        cmocka_unit_test(walking_is_even_and_stops_at_once),
        cmocka_unit_test(who_walks_off_an_edge_falls),
        cmocka_unit_test(slopes_are_walked_up_to_half_a_right_angle),
        cmocka_unit_test(boots_hold_on_every_side),
        cmocka_unit_test(boots_are_loose_for_a_while_after_a_jump),
        cmocka_unit_test(who_stands_on_a_frame_goes_along),
        cmocka_unit_test(who_is_in_the_way_is_pushed_or_holds_it),
        cmocka_unit_test(a_wedge_pushes_until_there_is_no_room),
        cmocka_unit_test(who_was_touched_gets_away),
        cmocka_unit_test(places_have_room),
        cmocka_unit_test(what_is_known_to_be_clear_shapes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
