// SPDX-License-Identifier: MIT
// Nobody ever gets through anything: a million random moves at up to ten times the speed of the
// game, in rooms that nobody may leave.
//
// A hall is cut by walls into eight chambers. The walls have slits that are narrower than a body,
// and doors that never open far enough for one. There are pillars at odd angles, and rigs that
// drift to and fro and push whoever they meet. After each tick a body has to be free, and in the
// chamber where it was.
#include "game/body.h"
#include "octant/block_world.h"
#include "solids_support.h"

#include <stdlib.h>

#define EDGE 7        // half the hall's inside, metres
#define SLIT 0.95     // a body is 1 m wide
#define BODIES 16     // two a chamber
#define RIG_STEP 0.05 // metres a tick
#define DOORS 3
#define RIGS 5
#define STILL_MAX 400

typedef struct hall {
    model m;
    double thick; // of its walls
    uint32_t doors[DOORS];
    double openings[DOORS]; // metres
    bool opens[DOORS];
    uint32_t rigs[RIGS]; // frames
    oct_point ways[RIGS];
    body bodies[BODIES];
    int chambers[BODIES];
    oct_point last[BODIES]; // where it was when it last got anywhere
    int still[BODIES];      // ticks since then
    oct_world_rules rules;
    uint64_t moves, bumps, waits, shoves;
} hall;

// ---- building ----

// A wall across an axis from lo to hi along the others, in blocks or in one piece.
static void add_wall(hall *h, int axis, double at, const double lo[2], const double hi[2])
{
    const double t = 0.5 * h->thick;
    const double step = oct_random_below(&h->m.random, 2) ? 2.5 : 100.0;
    for (double u = lo[0]; u < hi[0]; u += step) {
        for (double v = lo[1]; v < hi[1]; v += step) {
            const double to_u = fmin(u + step, hi[0]), to_v = fmin(v + step, hi[1]);
            const oct_bounds x = box_from(at - t, u, v, at + t, to_u, to_v);
            const oct_bounds y = box_from(u, at - t, v, to_u, at + t, to_v);
            const oct_bounds z = box_from(u, v, at - t, to_u, to_v, at + t);
            model_add(&h->m, 0, axis == 0 ? x : axis == 1 ? y : z);
        }
    }
}

// A wall through the middle: with a slit all along it, and a door of 2.5 m beside that.
static void add_partition(hall *h, int axis)
{
    const double e = EDGE, slit = random_in(&h->m.random, -e + 1.0, 0.0 - SLIT);
    const double door = random_in(&h->m.random, 0.5, e - 3.0), t = 0.5 * h->thick;
    const double below[2][2] = {{-e, -e}, {slit, e}};
    const double between[2][2] = {{slit + SLIT, -e}, {door, e}};
    const double beside[2][2][2] = {{{door, -e}, {door + 2.5, -1.25}},
                                    {{door, 1.25}, {door + 2.5, e}}};
    const double above[2][2] = {{door + 2.5, -e}, {e, e}};
    add_wall(h, axis, 0.0, below[0], below[1]);
    add_wall(h, axis, 0.0, between[0], between[1]);
    add_wall(h, axis, 0.0, beside[0][0], beside[0][1]);
    add_wall(h, axis, 0.0, beside[1][0], beside[1][1]);
    add_wall(h, axis, 0.0, above[0], above[1]);
    const oct_bounds x = box_from(-t, door, -1.25, t, door + 2.5, 1.25);
    const oct_bounds y = box_from(door, -t, -1.25, door + 2.5, t, 1.25);
    const oct_bounds z = box_from(door, -1.25, -t, door + 2.5, 1.25, t);
    h->doors[axis] = model_add(&h->m, 0, axis == 0 ? x : axis == 1 ? y : z);
    h->openings[axis] = 0.0;
    h->opens[axis] = true;
}

static void add_pillars(hall *h)
{
    oct_random *const random = &h->m.random;
    for (int i = 0; i < 6; i++) {
        const oct_point at = random_point(random, EDGE);
        const uint32_t frame =
            model_add_frame(&h->m, oct_solids_to_world(h->m.s, 0, at), random_axes(random));
        const oct_point size = random_between(random, (oct_point){0, 0, 0}, (oct_point){1, 2, 0.3});
        model_add(&h->m, frame, box_from(-size.x, -size.y, -size.z, size.x, size.y, size.z));
    }
    for (int i = 0; i < RIGS; i++) {
        const oct_point at = random_point(random, EDGE - 1.0);
        h->rigs[i] =
            model_add_frame(&h->m, oct_solids_to_world(h->m.s, 0, at), random_axes(random));
        h->ways[i] = add_scaled((oct_point){0, 0, 0}, random_direction(random), RIG_STEP);
        model_add(&h->m, h->rigs[i], box_from(-0.7, -0.7, -0.1, 0.7, 0.7, 0.1));
        model_add(&h->m, h->rigs[i], box_from(-0.1, -0.1, -1.0, 0.1, 0.1, 1.0));
    }
}

static int chamber_of(const hall *h, oct_point centre)
{
    const oct_point at = model_local(&h->m, 0, centre);
    assert_true(fabs(at.x) < EDGE && fabs(at.y) < EDGE && fabs(at.z) < EDGE);
    return (at.x > 0.0) | (at.y > 0.0) << 1 | (at.z > 0.0) << 2;
}

static void add_bodies(hall *h)
{
    oct_random *const random = &h->m.random;
    for (int i = 0; i < BODIES;) {
        const motion_frame axes = random_axes(random);
        const oct_pose pose = {
            oct_solids_to_world(h->m.s, 0, random_point(random, EDGE)),
            add_scaled((oct_point){0, 0, 0}, axes.back, -1.0),
            axes.up,
        };
        h->bodies[i] = (body){.flies = true};
        const oct_point centre = add_scaled(pose.position, axes.up, 0.9);
        const capsule c = {centre, axes.up, 0.4, 0.5};
        const bool is_free = model_gap(&h->m, &c, 1.0) >= SOLIDS_SKIN;
        const oct_point local = model_local(&h->m, 0, centre);
        if (fmax(fabs(local.x), fmax(fabs(local.y), fabs(local.z))) > EDGE) {
            continue;
        }
        assert_true(!is_free || oct_body_place(h->m.s, &pose, &h->bodies[i]));
        if (is_free) {
            h->chambers[i] = chamber_of(h, h->bodies[i].centre);
            h->last[i] = h->bodies[i].centre;
            h->still[i] = 0;
            i++;
        }
    }
}

static void hall_init(hall *h, uint64_t seed)
{
    static const double thicknesses[] = {2.5, 0.1, 0.0};
    const double e = EDGE, lo[2] = {-e, -e}, hi[2] = {e, e};
    model_init(&h->m, seed, NULL);
    h->thick = thicknesses[seed % 3];
    h->moves = h->bumps = h->waits = h->shoves = 0;
    h->rules = oct_world_rules_default();
    h->rules.speed = 200.0;
    h->rules.turn = seed % 4 ? 6.0 : 100.0;
    h->rules.gravity = seed % 2 ? (oct_point){0, 0, 0} : random_point(&h->m.random, 10.0);
    model_add_frame(&h->m, random_point(&h->m.random, 1000.0),
                    seed % 5 ? random_axes(&h->m.random) : straight_axes());
    for (int axis = 0; axis < 3; axis++) {
        add_wall(h, axis, -e - 0.5 * h->thick, lo, hi);
        add_wall(h, axis, e + 0.5 * h->thick, lo, hi);
        add_partition(h, axis);
    }
    add_pillars(h);
    add_bodies(h);
}

// ---- playing ----

static bool all_are_free_of(const hall *h, uint32_t solid)
{
    for (int i = 0; i < BODIES; i++) {
        const capsule c = oct_body_capsule(&h->bodies[i]);
        if (oct_solids_gap_to(h->m.s, solid, &c, 1.0) < SOLIDS_SKIN) {
            return false;
        }
    }
    return true;
}

// A door slides by a random bit, and goes back where somebody stands in its way.
static void move_door(hall *h, int axis)
{
    const uint32_t door = h->doors[axis];
    const double was = h->openings[axis];
    const double by = random_in(&h->m.random, 0.0, 0.1);
    const double now = h->opens[axis] ? fmin(was + by, SLIT) : fmax(was - by, 0.0);
    oct_bounds part = h->m.boxes[door].home;
    const oct_bounds before = h->m.boxes[door].part;
    *(axis == 0 ? &part.max.y : &part.max.x) -= now;
    model_set(&h->m, door, &part);
    if (now < was && !all_are_free_of(h, door)) {
        model_set(&h->m, door, &before);
        h->waits++;
    } else {
        h->openings[axis] = now;
    }
    if (now == SLIT || now == 0.0 || oct_random_below(&h->m.random, 50) == 0) {
        h->opens[axis] = !h->opens[axis];
    }
}

// A rig drifts, through walls too; bodies are pushed, or it turns back.
static void move_rig(hall *h, int i)
{
    const oct_point from = h->m.origins[h->rigs[i]];
    const oct_point to = add_scaled(from, h->ways[i], 1.0);
    body before[BODIES];
    bool moves = true;
    memcpy(before, h->bodies, sizeof before);
    for (int k = 0; k < BODIES && moves; k++) {
        moves = oct_body_push(h->m.s, h->rigs[i], h->ways[i], &h->bodies[k]);
        h->shoves += length_of(add_scaled(h->bodies[k].centre, before[k].centre, -1.0)) > 0.0;
    }
    const oct_point local = model_local(&h->m, 0, to);
    if (moves) {
        model_move(&h->m, h->rigs[i], to);
    } else {
        memcpy(h->bodies, before, sizeof before);
        h->waits++;
    }
    if (!moves || fmax(fabs(local.x), fmax(fabs(local.y), fabs(local.z))) > EDGE ||
        oct_random_below(&h->m.random, 200) == 0) {
        h->ways[i] = add_scaled((oct_point){0, 0, 0}, random_direction(&h->m.random), RIG_STEP);
    }
}

// Any speed in any direction, along the walls, or into a corner; any gear.
static void steer(hall *h, body *b)
{
    oct_random *const random = &h->m.random;
    const uint64_t kind = oct_random_below(random, 40);
    if (kind < 8) {
        const double speed = random_in(random, 0.0, 200.0);
        b->velocity = add_scaled((oct_point){0, 0, 0}, random_direction(random), speed);
    } else if (kind < 10) {
        const double x = random_in(random, -200, 200);
        const motion_frame *const a = &h->m.axes[0];
        b->velocity = add_scaled((oct_point){0, 0, 0}, kind == 8 ? a->right : a->up, x);
    } else if (kind == 10) {
        b->flies = !b->flies;
    } else if (kind == 11) {
        b->boots = !b->boots;
        b->damps = !b->damps;
    } else if (kind == 12) {
        b->jumps = true;
    } else if (kind < 20 && b->ticks == 0) {
        b->move = random_point(random, 1.0);
        b->rotate = kind < 16 ? (oct_point){0, 0, 0} : random_point(random, 1.0);
        b->ticks = (uint32_t)oct_random_range(random, 1, 60);
    }
}

static void check_body(hall *h, int i)
{
    const capsule c = oct_body_capsule(&h->bodies[i]);
    assert_true(oct_solids_gap(h->m.s, &c, 0.1) >= 0.0);
    assert_int_equal(chamber_of(h, c.centre), h->chambers[i]);
    if (h->moves % 16 == 0) {
        assert_true(model_gap(&h->m, &c, 0.1) >= 0.0);
        assert_true(fabs(length_of(c.axis) - 1.0) < 1e-12);
    }
}

// Whoever is thrown about in all directions gets somewhere: nobody is stuck.
static void check_still(hall *h, int i)
{
    if (length_of(add_scaled(h->bodies[i].centre, h->last[i], -1.0)) > 0.01) {
        h->last[i] = h->bodies[i].centre;
        h->still[i] = 0;
    }
    assert_true(++h->still[i] < STILL_MAX);
}

static void play_tick(hall *h)
{
    for (int i = 0; i < DOORS; i++) {
        move_door(h, i);
    }
    for (int i = 0; i < RIGS; i++) {
        move_rig(h, i);
    }
    for (int i = 0; i < BODIES; i++) {
        check_body(h, i); // not squeezed by doors and rigs
        const uint64_t bumps = h->bodies[i].bumps;
        steer(h, &h->bodies[i]);
        oct_body_tick(h->m.s, &h->rules, &h->bodies[i]);
        h->bumps += h->bodies[i].bumps - bumps;
        h->moves++;
        check_body(h, i);
        check_still(h, i);
    }
}

static void nobody_gets_through_in_a_million_moves(void **state)
{
    (void)state;
    hall *const h = malloc(sizeof *h);
    const uint64_t most = test_rounds(1000000), halls = 40;
    uint64_t moves = 0, bumps = 0, waits = 0, shoves = 0;
    for (uint64_t seed = 1; seed <= halls; seed++) {
        hall_init(h, seed);
        while (h->moves < most / halls) {
            play_tick(h);
        }
        moves += h->moves;
        bumps += h->bumps;
        waits += h->waits;
        shoves += h->shoves;
        oct_solids_destroy(h->m.s);
    }
    print_message("%llu moves, %llu bumps, %llu waits, %llu shoves\n", (unsigned long long)moves,
                  (unsigned long long)bumps, (unsigned long long)waits, (unsigned long long)shoves);
    assert_true(moves >= most && bumps > moves / 20 && shoves > moves / 1000 &&
                waits > moves / 1000);
    free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_gets_through_in_a_million_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
