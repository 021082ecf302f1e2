// SPDX-License-Identifier: MIT
// The checker of proofs: good ones are accepted, and each that lacks something is rejected.
#include "proof_scene.h"
#include "support.h"

#include "base/base_internal.h"

#include <math.h>

// ---- good ones ----

static proof_scene *walled(void)
{
    proof_scene *const s = proof_scene_create(0);
    proof_scene_look_around(s, 0);
    proof_scene_prove_cut(s, 0, true);
    return s;
}

// A door that a button does nothing to.
static proof_scene *sealed(void)
{
    proof_scene *const s = proof_scene_create(1);
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    for (uint32_t b = 0; b < SCENE_BUTTONS; b++) {
        proof_scene_press(s, b);
    }
    proof_scene_prove_cut(s, 0, true);
    for (uint32_t b = 0; b < SCENE_BUTTONS; b++) {
        s->effects[b] = OCT_EFFECT_NOTHING | OCT_EFFECT_SHUT;
    }
    return s;
}

static proof_scene *not_found(void)
{
    proof_scene *const s = proof_scene_create(0);
    proof_scene_look_around(s, 0);
    proof_scene_prove_cut(s, 0, false);
    return s;
}

// Two doors that one button moves together: one of them is always shut.
static proof_scene *parity(bool is_linear)
{
    proof_scene *const s = proof_scene_create(3);
    proof_scene_open(s, 1, 1.0);
    s->toggles[0] = 3;
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 0);
    proof_scene_look(s, (oct_point){4.25, 1.75, 1});
    proof_scene_look_around(s, 1);
    proof_scene_wait(s, 100);
    proof_scene_press(s, 0);
    proof_scene_press(s, 1);
    proof_scene_press(s, 0);
    proof_scene_press(s, 1);
    s->log.info.promises |= is_linear ? 1u << OCT_ASSUME_TOGGLES : 0;
    proof_scene_prove_states(s, is_linear);
    return s;
}

static proof_scene *parity_alone(void)
{
    return parity(false);
}

static proof_scene *parity_linear(void)
{
    return parity(true);
}

typedef proof_scene *scene_fn(void);
static scene_fn *const good[] = {walled, sealed, not_found, parity_alone, parity_linear};
#define GOOD (sizeof good / sizeof *good)

static void good_proofs_are_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOOD; i++) {
        proof_scene *const s = good[i]();
        proof_scene_accepts(s);
        proof_scene_destroy(s);
    }
}

// ---- space ----

static void space_is_checked(void **state)
{
    (void)state;
    proof_scene *s = walled();
    s->proof.radius = 0.4981;
    REJECTS(s, "thicker");

    s = walled();
    s->starts[0].centre.x = 9;
    REJECTS(s, "the start of life 0 is not reached");

    s = walled();
    s->looks[3].centre.x = 9;
    REJECTS(s, "a body was at");

    s = walled();
    s->log.start_count = 0;
    REJECTS(s, "no start");

    s = walled();
    s->proof.target.box = s->proof.target.within = (oct_bounds){{3, 1, 1}, {3.5, 2, 1.5}};
    REJECTS(s, "can be got at");

    s = walled();
    s->proof.target.reach = 7; // through the wall: what is solid is in the way, not far
    proof_scene_accepts(s);
    proof_scene_destroy(s);

    s = walled();
    s->proof.part_count = 2;
    REJECTS(s, "malformed");

    s = sealed();
    for (size_t i = 0; i < s->proof.part_count; i++) {
        if (!s->parts[i].is_reached && s->parts[i].door_count == 0) {
            s->parts[i].doors[0] = 0;
            s->parts[i].door_count = 1;
        }
    }
    REJECTS(s, "is not closed by door 0");

    s = sealed();
    s->proof_doors[0].is_free = true;
    REJECTS(s, "which is not reached");

    s = sealed();
    s->proof_doors[0].is_loose = true;
    REJECTS(s, "which is not reached");
}

static void leaves_are_disjoint(void **state)
{
    (void)state;
    proof_scene *s = walled();
    s->leaves[s->proof.leaf_count++] = s->leaves[0];
    REJECTS(s, "listed twice");

    s = walled();
    for (size_t i = 0; i < s->proof.leaf_count; i++) {
        if (s->leaves[i].level == 1) {
            s->leaves[s->proof.leaf_count++] = (oct_proof_leaf){
                {s->leaves[i].at.x * 2, s->leaves[i].at.y * 2, s->leaves[i].at.z * 2}, 0, 1};
            break;
        }
    }
    REJECTS(s, "lies in another one");
}

// What the wall between the rooms must not be, told at look 5 or from the first on.
static void change_wall(oct_entity *e, int how)
{
    static const oct_property worn = {.name = "integrity", .number = 0.5};
    switch (how) {
    case 0:
        e->thing.label = OCT_OPEN;
        break;
    case 1:
        e->velocity.x = 0.1;
        break;
    case 2:
        e->forward = (oct_point){0.8, 0.6, 0};
        break;
    case 3:
        e->props = &worn;
        e->prop_count = 1;
        break;
    case 4:
        e->thing.box.min.x += 0.01;
        break;
    case 5:
        e->kind = OCT_ENTITY_PLAYER;
        break;
    default:
        break;
    }
}

static void only_what_stays_is_solid(void **state)
{
    (void)state;
    for (int how = 0; how < 8; how++) {
        proof_scene *const s = proof_scene_create(0);
        uint32_t wall = 0;
        while (s->things[wall].thing.box.min.x != 4 || s->things[wall].thing.box.min.y != 1) {
            wall++;
        }
        proof_scene_prove_cut(s, 0, true);
        s->is_gone[wall] = how == 7; // it appears
        proof_scene_look(s, (oct_point){2, 1.5, 1});
        change_wall(&s->things[wall], how);
        s->is_gone[wall] = how == 6; // it vanishes
        proof_scene_look_around(s, 0);
        REJECTS(s, "which is not closed");
    }
}

static void every_leaf_is_needed(void **state)
{
    (void)state;
    proof_scene *const s = walled();
    const size_t count = s->proof.leaf_count;
    for (size_t i = 0; i < count; i++) {
        oct_proof_verdict v;
        const oct_proof_leaf old = s->leaves[i];
        if (old.level == 0 || !s->parts[old.part].is_reached) {
            continue;
        }
        s->leaves[i] = s->leaves[count - 1];
        s->proof.leaf_count = count - 1;
        (void)proof_scene_check(s, &v);
        assert_false(v.is_accepted);
        s->leaves[i] = old;
        s->proof.leaf_count = count;
    }
    proof_scene_accepts(s);
    proof_scene_destroy(s);
}

// ---- assumptions ----

static void every_assumption_is_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOOD; i++) {
        for (oct_assumption a = 0; a < OCT_ASSUME_COUNT; a++) {
            proof_scene *s = good[i]();
            const uint32_t bit = 1u << a;
            if ((s->proof.assumes & bit) == 0) {
                proof_scene_destroy(s);
                continue;
            }
            s->log.info.denies = bit;
            REJECTS(s, a == OCT_ASSUME_TOGGLES ? "toggles" : "which is denied");
            s = good[i]();
            s->log.denies = bit;
            REJECTS(s, a == OCT_ASSUME_TOGGLES ? "toggles" : "which is denied");
            s = good[i]();
            s->proof.assumes &= ~bit;
            REJECTS(s, a == OCT_ASSUME_TOGGLES ? "'memory', which it does not assume"
                                               : "which it does not assume");
        }
    }
    proof_scene *s = parity_linear();
    s->log.info.promises = 0;
    REJECTS(s, "not promised");
    s = sealed();
    s->log.info.has_bounds = false;
    REJECTS(s, "no bounds");
    s = sealed();
    s->acts[s->log.act_count] = s->acts[s->log.act_count - 1];
    s->acts[s->log.act_count++].came = OCT_ACT_NOT_NOW;
    REJECTS(s, "'memory', which is denied");
}

// What a press changes besides doors and what was pressed shows that more counts than doors.
static void a_change_by_a_press_denies_memory(void **state)
{
    (void)state;
    for (int how = 0; how < 6; how++) {
        const oct_point at = {0.8, 1.5, 1};
        proof_scene *const s = proof_scene_create(1);
        const uint32_t lamp =
            proof_scene_add(s, 800, OCT_ENTITY_SOLID, (oct_bounds){{11.7, 1, 1}, {11.9, 1.2, 1.2}});
        oct_entity *const e = &s->things[lamp];
        static const oct_property worn = {.name = "integrity", .number = 0.5},
                                  whole = {.name = "integrity", .number = 1.0};
        e->props = &whole;
        e->prop_count = 1;
        proof_scene_look_around(s, 0);
        proof_scene_wait(s, 200);
        proof_scene_press(s, 0);
        proof_scene_press(s, 1);
        e->props = how == 4 ? &worn : &whole; // not by a press
        proof_scene_look(s, at);
        s->acts[s->log.act_count] = s->acts[s->log.act_count - 1];
        s->acts[s->log.act_count++].tick = s->tick;
        proof_scene_wait(s, 10);
        e->type = how == 0 || how == 5 ? "broken lamp" : e->type;
        e->props = how == 1 ? &worn : e->props;
        e->thing.opaque = how != 2;
        e->thing.label = how == 3 ? OCT_OPEN : OCT_BLOCKED;
        proof_scene_look(s, at);
        proof_scene_wait(s, 200);
        proof_scene_look(s, at);
        s->log.info.promises |= how == 5 ? 1u << OCT_ASSUME_MEMORY : 0;
        proof_scene_prove_cut(s, 0, true);
        for (uint32_t b = 0; b < SCENE_BUTTONS; b++) {
            s->effects[b] = OCT_EFFECT_NOTHING | OCT_EFFECT_SHUT;
        }
        if (how < 4) {
            REJECTS(s, "'memory', which is denied");
        } else {
            proof_scene_accepts(s);
            proof_scene_destroy(s);
        }
    }
}

// A door that may move by itself was watched at rest for the longest delay, or is in nobody's way.
static void doors_are_watched(void **state)
{
    (void)state;
    for (int how = 0; how < 5; how++) {
        proof_scene *const s = proof_scene_create(1);
        s->log.info.promises = 0;
        s->log.info.settle = 120;
        const uint64_t gap = how == 1 ? 30 : 20;
        for (int i = 0; i < (how == 2 ? 5 : 9); i++) {
            proof_scene_look(s, (oct_point){2, 1.5, 1});
            proof_scene_wait(s, gap);
        }
        if (how == 3) {
            s->acts[s->log.act_count++] = (oct_log_act){.tick = s->tick - 5 * gap,
                                                        .centre = {0.8, 1.5, 1},
                                                        .verb = OCT_VERB_USE,
                                                        .target = SCENE_PANEL_ID,
                                                        .came = OCT_ACT_DONE};
        }
        proof_scene_prove_cut(s, 0, true);
        s->proof.target.presses = false;
        s->log.info.promises = how == 4 ? 1u << OCT_ASSUME_CAUSES : 0;
        if (how == 1 || how == 2 || how == 3) {
            REJECTS(s, "moves by itself, or does not stay");
        } else {
            oct_proof_verdict v;
            const char *const reason = proof_scene_check(s, &v);
            assert_null(strstr(reason, "moves by itself"));
            proof_scene_destroy(s);
        }
    }
}

// ---- links ----

static void links_are_checked(void **state)
{
    (void)state;
    proof_scene *s = sealed();
    s->effects[0] = OCT_EFFECT_NOTHING;
    REJECTS(s, "may do more");

    s = sealed();
    s->log.act_count--; // the second button was never tried
    REJECTS(s, "may do more");

    s = sealed();
    s->acts[1].tick = s->acts[0].tick + 20; // not isolated
    REJECTS(s, "may do more");

    s = sealed();
    s->log.info.settle = 30; // nobody watched
    REJECTS(s, "may do more");

    s = sealed();
    s->effects[0] |= OCT_EFFECT_TOGGLE; // generous, but not so in truth
    proof_scene_accepts(s);
    proof_scene_destroy(s);

    s = sealed();
    s->proof.contact_count = 0;
    s->buttons[0].count = s->buttons[1].count = 0;
    REJECTS(s, "can be pressed from part");

    s = sealed();
    s->proof.button_count = 1;
    REJECTS(s, "is not listed");

    s = sealed();
    s->acts[0].target = SCENE_TARGET_ID;
    REJECTS(s, "never told");

    s = sealed();
    s->proof.door_count = 0;
    REJECTS(s, "a door that is not listed");

    s = sealed();
    s->proof_doors[0].id = SCENE_PANEL_ID;
    REJECTS(s, "was never told");
}

static void doors_of_a_cut_stay_shut(void **state)
{
    (void)state;
    // It was open when it was seen first.
    proof_scene *s = proof_scene_create(1);
    proof_scene_open(s, 0, 1.0);
    s->toggles[0] = 1;
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 0);
    proof_scene_prove_cut(s, 0, true);
    s->proof_doors[0].at_start = 1;
    s->effects[0] = s->effects[1] = 15;
    REJECTS(s, "otherwise at the start");

    // It opens, and that is said.
    s = proof_scene_create(1);
    s->toggles[0] = 1;
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 0);
    proof_scene_prove_cut(s, 0, true);
    s->effects[0] = OCT_EFFECT_TOGGLE | OCT_EFFECT_OPEN;
    s->effects[1] = 15;
    REJECTS(s, "button 0 may open door 0");
}

static void doors_that_move_by_themselves_are_loose(void **state)
{
    (void)state;
    proof_scene *s = proof_scene_create(1);
    proof_scene_look_around(s, 0);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 0);
    proof_scene_press(s, 1);
    proof_scene_open(s, 0, 0.5);
    proof_scene_wait(s, 500);
    proof_scene_look_around(s, 0);
    proof_scene_open(s, 0, 0.0);
    proof_scene_look_around(s, 0);
    proof_scene_prove_cut(s, 0, true);
    REJECTS(s, "moves by itself");

    // It was there, and then it was not.
    s = proof_scene_create(1);
    proof_scene_look_around(s, 0);
    s->is_gone[s->doors[0]] = true;
    proof_scene_look_around(s, 0);
    proof_scene_prove_cut(s, 0, true);
    REJECTS(s, "which is not reached");
}

// With a delay a press counts as doing nothing if the door was watched.
static void a_watched_door_is_shut(void **state)
{
    (void)state;
    for (uint64_t gap = 20; gap <= 21; gap++) {
        proof_scene *const s = proof_scene_create(1);
        s->log.info.settle = 100;
        proof_scene_look_around(s, 0);
        for (uint32_t b = 0; b < SCENE_BUTTONS; b++) {
            proof_scene_wait(s, 500);
            proof_scene_press(s, b);
            s->tick -= 200;
            s->log.look_count--; // the look after it
            for (int i = 0; i < 20; i++) {
                proof_scene_wait(s, gap);
                proof_scene_look(s, (oct_point){0.8, 1.5, 1});
            }
        }
        proof_scene_prove_cut(s, 0, true);
        for (uint32_t b = 0; b < SCENE_BUTTONS; b++) {
            s->effects[b] = OCT_EFFECT_NOTHING | OCT_EFFECT_SHUT;
        }
        if (gap == 20) {
            proof_scene_accepts(s);
            proof_scene_destroy(s);
        } else {
            REJECTS(s, "may do more");
        }
    }
}

// ---- states ----

static void states_are_checked(void **state)
{
    (void)state;
    for (int linear = 0; linear < 2; linear++) {
        proof_scene *s = parity(linear);
        const size_t count = s->proof.state_count;
        assert_int_equal(count, 2);
        proof_scene_destroy(s);
        for (size_t i = 0; i < count; i++) {
            s = parity(linear);
            s->states[i] = s->states[count - 1];
            s->proof.state_count--;
            REJECTS(s, "leads to a state that is not listed");
            s = parity(linear);
            s->states[i].home = (uint32_t)s->proof.part_count - 1;
            REJECTS(s, "");
        }
        s = parity(linear);
        s->proof.state_count = 0;
        REJECTS(s, "the start leads to");
        s = parity(linear);
        s->proof_doors[0].is_free = false;
        REJECTS(s, "door 0 is passable in a state");
        s = parity(linear);
        s->log.info.delay_max = 1;
        REJECTS(s, linear ? "effects come late" : "");
        s = parity(linear);
        s->starts[1] = s->starts[0];
        s->starts[1].who = 1;
        s->log.start_count = 2;
        REJECTS(s, "several players");
        s = parity(linear);
        s->proof.target.box = s->proof.target.within =
            (oct_bounds){{5.5, 1, 0.5}, {6, 2, 1}}; // in the middle room
        REJECTS(s, "can be got at from part");
        s = parity(linear);
        s->starts[0].body.speed = 20; // one slips through while they move
        REJECTS(s, "leads to a state that is not listed");
    }
    proof_scene *s = parity_alone();
    s->proof.is_linear = true;
    REJECTS(s, "toggles are not promised");
    s = parity_linear();
    s->acts[2].came = s->acts[4].came = OCT_ACT_TOO_FAR; // the second button was never pressed
    REJECTS(s, "may do more");
}

// ---- sight ----

static void everything_near_must_have_been_seen(void **state)
{
    (void)state;
    proof_scene *s = not_found();
    s->log.look_count = 1;
    REJECTS(s, "was never in sight"); // the panel hides something

    s = not_found();
    for (size_t i = 0; i < s->log.look_count; i++) {
        s->looks[i].radius = 1;
    }
    REJECTS(s, "was never in sight");

    // A pillar hides what is behind it.
    s = proof_scene_create(0);
    (void)proof_scene_add(s, 900, OCT_ENTITY_SOLID, (oct_bounds){{2.9, 1.2, 0}, {3.1, 1.8, 2}});
    proof_scene_look(s, (oct_point){0.8, 1.45, 1});
    proof_scene_look(s, (oct_point){0.8, 1.55, 1});
    proof_scene_look(s, (oct_point){0.8, 1.5, 0.6});
    proof_scene_look(s, (oct_point){0.8, 1.5, 1.4});
    proof_scene_prove_cut(s, 0, false);
    oct_proof_verdict v;
    assert_true(strncmp(proof_scene_check(s, &v), "3.", 2) == 0);
    s->looks[0].centre.x = s->looks[1].centre.x = 3.5;
    s->looks[0].centre.y = 0.8;
    s->looks[1].centre.y = 2.2;
    s->looks[0].eye = s->looks[0].centre;
    s->looks[1].eye = s->looks[1].centre;
    proof_scene_accepts(s);
    proof_scene_destroy(s);

    // The room behind a door that opens.
    s = parity_alone();
    for (size_t i = 0; i < s->log.look_count; i++) {
        if (s->looks[i].centre.x > 4) {
            s->looks[i].centre = s->looks[i].eye = (oct_point){0.8, 0.8, 1};
        }
    }
    REJECTS(s, "was never in sight");
}

// A slit lets nobody through, but a hand: what is beside it on the other side must have been seen.
// A thing that holds no middle of a cell, on the floor or under a table, where no look gets to.
static void what_holds_no_middle_must_have_been_seen(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        proof_scene *const s = proof_scene_create(0);
        if ((i & 1) != 0) {
            (void)proof_scene_add(s, 800, OCT_ENTITY_SOLID,
                                  (oct_bounds){{2.15, 1.15, 0}, {2.35, 1.35, 0.1}});
        }
        if ((i & 2) != 0) {
            (void)proof_scene_add(s, 801, OCT_ENTITY_SOLID,
                                  (oct_bounds){{1.5, 0.5, 0.1}, {3, 2, 0.3}});
        }
        proof_scene_look_around(s, 0);
        proof_scene_prove_cut(s, 0, false);
        if (i == 3) {
            REJECTS(s, "thing 800 was never in sight");
        } else {
            proof_scene_accepts(s);
            proof_scene_destroy(s);
        }
    }
}

// What moves may carry what was not seen to where all was.
static void nothing_was_seen_where_something_moves(void **state)
{
    (void)state;
    for (int is_known = 0; is_known < 2; is_known++) {
        proof_scene *const s = proof_scene_create(0);
        const uint32_t crate =
            proof_scene_add(s, 800, OCT_ENTITY_SOLID, (oct_bounds){{11.7, 1, 1}, {11.9, 1.2, 1.2}});
        s->things[crate].velocity.x = 0.1;
        proof_scene_look_around(s, 0);
        proof_scene_prove_cut(s, 0, is_known);
        if (!is_known) {
            REJECTS(s, "thing 800 moves");
        } else {
            proof_scene_accepts(s);
            proof_scene_destroy(s);
        }
    }
}

static void what_is_beyond_a_slit_must_have_been_seen(void **state)
{
    (void)state;
    for (int is_known = 0; is_known < 2; is_known++) {
        proof_scene *const s = proof_scene_create(0);
        uint32_t wall = 0;
        while (s->things[wall].thing.box.min.x != 4 || s->things[wall].thing.box.min.y != 1) {
            wall++;
        }
        s->things[wall].thing.box.max.y = 1.6;
        (void)proof_scene_add(s, 901, OCT_ENTITY_SOLID, (oct_bounds){{4, 2, 0}, {4.5, 2.5, 2}});
        proof_scene_look_around(s, 0);
        proof_scene_prove_cut(s, 0, is_known);
        if (is_known) {
            proof_scene_accepts(s); // walls alone keep one from it
            proof_scene_destroy(s);
        } else {
            REJECTS(s, "was never in sight");
        }
    }
}

// What one gets at through an open door does not need somebody to stand in it.
static void panels_are_pressed_through_open_doors(void **state)
{
    (void)state;
    proof_scene *s = proof_scene_create(3);
    // The first door is open, and a panel that nobody tried is just behind it.
    const uint32_t panel =
        proof_scene_add(s, 902, OCT_ENTITY_BUTTON, (oct_bounds){{4.6, 1.5, 0.8}, {4.7, 1.7, 1}});
    s->things[panel].use_count = 1;
    proof_scene_open(s, 0, 1.0);
    proof_scene_look_around(s, 0);
    proof_scene_look(s, (oct_point){4.25, 2.0, 1});
    proof_scene_look_around(s, 1);
    proof_scene_wait(s, 200);
    proof_scene_press(s, 0);
    proof_scene_press(s, 1);
    proof_scene_prove_cut(s, 1, true);
    memset(s->effects, 15, sizeof s->effects);
    REJECTS(s, "button 0 of panel 902 is not listed");
}

// ---- what is malformed ----

static void malformed_proofs_are_rejected(void **state)
{
    (void)state;
    proof_scene *s = sealed();
    s->leaves[7].part = 1000000;
    REJECTS(s, "leaf 7 is malformed");
    s = sealed();
    s->leaves[7].level = 60;
    REJECTS(s, "leaf 7 is malformed");
    s = sealed();
    s->leaves[7].at.x = INT32_MAX;
    REJECTS(s, "leaf 7 is malformed");
    s = sealed();
    s->parts[1].door_count = 5;
    REJECTS(s, "too many doors");
    s = sealed();
    s->buttons[1].first = UINT32_MAX;
    REJECTS(s, "contacts that are not listed");
    s = sealed();
    s->contacts[0] = UINT32_MAX;
    REJECTS(s, "is no part");
    s = sealed();
    s->proof.cell_size = (double)NAN;
    REJECTS(s, "no number");
    s = sealed();
    s->proof.origin.y = (double)INFINITY;
    REJECTS(s, "no number");
    s = sealed();
    s->proof.target.box.min.x = (double)NAN;
    REJECTS(s, "no box");
    s = sealed();
    s->versions[3].thing.box.max.z = (double)NAN;
    REJECTS(s, "no shape");
    s = sealed();
    s->changes[3].thing = 100000;
    REJECTS(s, "look that is malformed");
    s = sealed();
    s->looks[2].tick = 100000;
    REJECTS(s, "order of time");
    s = sealed();
    s->proof.kind = OCT_PROOF_TIME;
    REJECTS(s, "kind");
    s = sealed();
    s->proof.kind = OCT_PROOF_WITNESS;
    REJECTS(s, "no leaves, parts");
    s = sealed();
    s->proof.leaves = NULL;
    REJECTS(s, "lacks a list");
    s = sealed();
    s->effects[0] = 0;
    REJECTS(s, "is none");
    s = parity_linear();
    s->states[0].odd = UINT64_C(1) << 63;
    REJECTS(s, "state 0 is malformed");
    s = parity_linear();
    s->states[1].home = UINT32_MAX;
    REJECTS(s, "state 1 is malformed");
}

// Flips bits anywhere in a list.
static void flip_some(oct_random *random, void *list, size_t bytes)
{
    const uint64_t flips = 1 + oct_random_below(random, 3);
    for (uint64_t i = 0; i < flips && bytes > 0; i++) {
        ((uint8_t *)list)[oct_random_below(random, bytes)] ^=
            (uint8_t)(1u << oct_random_below(random, 8));
    }
}

// Pointers of the log's things are never looked at, and nothing may be read outside of the lists.
static void mutate(proof_scene *s, oct_random *random)
{
    oct_proof *const p = &s->proof;
    oct_run_log *const log = &s->log;
    switch (oct_random_below(random, 11)) {
    case 0:
        flip_some(random, s->leaves, p->leaf_count * sizeof *s->leaves);
        break;
    case 1:
        flip_some(random, s->parts, p->part_count * sizeof *s->parts);
        break;
    case 2:
        flip_some(random, s->proof_doors, p->door_count * sizeof *s->proof_doors);
        break;
    case 3:
        flip_some(random, s->buttons, p->button_count * sizeof *s->buttons);
        break;
    case 4:
        flip_some(random, s->contacts, p->contact_count * sizeof *s->contacts);
        break;
    case 5:
        flip_some(random, s->effects, p->button_count * p->door_count);
        break;
    case 6:
        flip_some(random, s->states, p->state_count * sizeof *s->states);
        break;
    case 7:
        flip_some(random, &p->target.box, sizeof p->target.box);
        break;
    case 8:
        flip_some(random, s->looks, log->look_count * sizeof *s->looks);
        break;
    case 9:
        flip_some(random, s->versions, log->thing_count * sizeof *s->versions);
        break;
    default:
        flip_some(random, s->acts, log->act_count * sizeof *s->acts);
        break;
    }
}

// Puts right what is not the log's to say: where lists are, and how long they are.
static void repair_things(proof_scene *s, const proof_scene *was)
{
    for (size_t i = 0; i < s->log.thing_count; i++) {
        oct_entity *const e = &s->versions[i];
        const oct_entity *const own = &was->versions[i];
        e->name = own->name;
        e->type = own->type;
        e->uses = own->uses;
        e->shape = own->shape;
        e->stops = own->stops;
        e->stop_count = own->stop_count;
        e->props = own->props;
        e->prop_count = own->prop_count;
        e->thing.opaque = own->thing.opaque;
        e->is_scenery = own->is_scenery;
        e->has_gap = own->has_gap;
    }
    for (size_t i = 0; i < s->log.act_count; i++) {
        s->acts[i].name = was->acts[i].name;
    }
}

// Values of a bool that are neither 0 nor 1 may not be read: put them right.
static void repair(proof_scene *s)
{
    for (size_t i = 0; i < s->proof.part_count; i++) {
        uint8_t byte;
        memcpy(&byte, &s->parts[i].is_reached, 1);
        s->parts[i].is_reached = byte & 1;
    }
    for (size_t i = 0; i < s->proof.door_count; i++) {
        uint8_t bytes[2];
        memcpy(&bytes[0], &s->proof_doors[i].is_free, 1);
        memcpy(&bytes[1], &s->proof_doors[i].is_loose, 1);
        s->proof_doors[i].is_free = bytes[0] & 1;
        s->proof_doors[i].is_loose = bytes[1] & 1;
    }
}

#define MUTATIONS 300

// Whatever is flipped, nothing is read outside of the lists, and what is not accepted has a reason.
static void mutations_never_break_it(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(22);
    proof_scene *const backup = malloc(sizeof *backup);
    assert_non_null(backup);
    for (size_t i = 0; i < GOOD; i++) {
        proof_scene *const s = good[i]();
        size_t accepted = 0;
        memcpy(backup, s, sizeof *s);
        for (int k = 0; k < MUTATIONS; k++) {
            oct_proof_verdict v;
            mutate(s, &random);
            repair(s);
            repair_things(s, backup);
            const char *const reason = proof_scene_check(s, &v);
            assert_int_equal(v.is_accepted, strcmp(reason, "") == 0);
            accepted += v.is_accepted;
            memcpy(s, backup, sizeof *s);
        }
        assert_in_range(accepted, 1, MUTATIONS - 1);
        proof_scene_accepts(s);
        proof_scene_destroy(s);
    }
    free(backup);
}

// What happens after a claim was made does not speak against it.
static void claims_rest_on_what_was_there(void **state)
{
    (void)state;
    proof_scene *const s = good[0]();
    oct_proof proof = s->proof;
    oct_proof_verdict v;
    const size_t last = s->log.look_count - 1;
    s->looks[last].centre.x = 9;
    proof.extent = oct_run_log_extent(&s->log);
    assert_int_equal(oct_proof_check(&proof, &s->log, NULL, &v), OCT_OK);
    assert_false(v.is_accepted);
    proof.extent.looks = last;
    assert_int_equal(oct_proof_check(&proof, &s->log, NULL, &v), OCT_OK);
    assert_true(v.is_accepted);
    proof.extent.looks = last + 2;
    assert_int_equal(oct_proof_check(&proof, &s->log, NULL, &v), OCT_OK);
    assert_string_equal(v.reason, "it was claimed from more than the log has");
    proof_scene_destroy(s);
}

// What a fail rests on must hold of all that happened: else it does not count, and nobody erred.
static void a_fail_is_withdrawn_when_more_is_known(void **state)
{
    (void)state;
    for (size_t grounds = 0; grounds < 2; grounds++) {
        proof_scene *const s = good[0]();
        oct_proof *proofs[1] = {&s->proof};
        const oct_allocator heap = oct_allocator_default();
        oct_play_result r = {.verdict = OCT_VERDICT_FAIL,
                             .reason = oct_copy_text(&heap, "walled in"),
                             .decides = oct_copy_text(&heap, ""),
                             .proof = OCT_PROOF_CUT,
                             .log = &s->log,
                             .proofs = proofs,
                             .proof_count = 1,
                             .ground_count = grounds,
                             .allocator = heap};
        bool are_accepted;
        const size_t last = s->log.look_count - 1;
        s->looks[last].centre.x = 9;
        s->proof.extent = oct_run_log_extent(&s->log);
        s->proof.extent.looks = last;
        assert_int_equal(oct_proof_check_result(&r, &are_accepted), OCT_OK);
        assert_true(are_accepted);
        assert_int_equal(r.verdict, grounds ? OCT_VERDICT_INCONCLUSIVE : OCT_VERDICT_FAIL);
        assert_int_equal(r.proof, grounds ? OCT_PROOF_NONE : OCT_PROOF_CUT);
        assert_string_equal(r.reason, grounds
                                          ? "withdrawn: a body was at 9.000, 2.250, 1.000, which "
                                            "is not reached (fail: walled in)"
                                          : "walled in");
        assert_true((r.decides[0] != '\0') == (grounds > 0));
        oct_free_text(&heap, r.reason);
        oct_free_text(&heap, r.decides);
        proof_scene_destroy(s);
    }
}

static oct_result check_with(const oct_allocator *allocator, void *ctx)
{
    const proof_scene *const s = ctx;
    oct_proof proof = s->proof;
    oct_proof_verdict v;
    proof.extent = oct_run_log_extent(&s->log);
    const oct_result result = oct_proof_check(&proof, &s->log, allocator, &v);
    assert_int_equal(v.is_accepted, result == OCT_OK);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOOD; i++) {
        proof_scene *const s = good[i]();
        assert_true(test_each_failure(check_with, s) > 1);
        proof_scene_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_proofs_are_accepted),
        cmocka_unit_test(space_is_checked),
        cmocka_unit_test(leaves_are_disjoint),
        cmocka_unit_test(only_what_stays_is_solid),
        cmocka_unit_test(every_leaf_is_needed),
        cmocka_unit_test(every_assumption_is_needed),
        cmocka_unit_test(links_are_checked),
        cmocka_unit_test(doors_of_a_cut_stay_shut),
        cmocka_unit_test(doors_that_move_by_themselves_are_loose),
        cmocka_unit_test(a_watched_door_is_shut),
        cmocka_unit_test(states_are_checked),
        cmocka_unit_test(everything_near_must_have_been_seen),
        cmocka_unit_test(a_change_by_a_press_denies_memory),
        cmocka_unit_test(doors_are_watched),
        cmocka_unit_test(nothing_was_seen_where_something_moves),
        cmocka_unit_test(what_holds_no_middle_must_have_been_seen),
        cmocka_unit_test(what_is_beyond_a_slit_must_have_been_seen),
        cmocka_unit_test(panels_are_pressed_through_open_doors),
        cmocka_unit_test(malformed_proofs_are_rejected),
        cmocka_unit_test(mutations_never_break_it),
        cmocka_unit_test(claims_rest_on_what_was_there),
        cmocka_unit_test(a_fail_is_withdrawn_when_more_is_known),
        cmocka_unit_test(memory_that_is_short_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
