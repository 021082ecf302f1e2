// SPDX-License-Identifier: MIT
// Effects that are not excluded: what is true never is, whatever was pressed and seen when.
#include "support.h"

#include "agent/effects.h"

#include "base/base_internal.h"

#define SLIDE 60u
#define DOOR_ID 1u

// What one button does to the door: at once, and what follows after a time.
typedef struct wiring {
    uint32_t effect;   // at `delay` ticks after the press
    uint64_t delay;    // ticks
    bool is_undone;    // the door is shut again,
    uint64_t duration; // so many ticks later
} wiring;

#define EVENTS 400
typedef struct event {
    uint64_t tick;
    uint32_t effect;
} event;

// A door that slides, and what will happen to it.
typedef struct door_model {
    event events[EVENTS];
    size_t count;
    bool opens;
    uint32_t opened; // ticks of SLIDE
    bool is_held;    // a body stands in it: it does not shut
    bool is_hidden;  // it is another one than the looker's, and out of sight
} door_model;

static void plan(door_model *m, uint64_t tick, uint32_t effect)
{
    assert_true(m->count < EVENTS);
    m->events[m->count++] = (event){tick, effect};
}

static void press(door_model *m, const wiring *w, uint64_t tick)
{
    plan(m, tick + w->delay, w->effect);
    if (w->is_undone) {
        plan(m, tick + w->delay + w->duration, EFFECT_SHUT);
    }
}

static void step(door_model *m, uint64_t tick)
{
    for (size_t i = 0; i < m->count; i++) {
        if (m->events[i].tick == tick) {
            const uint32_t e = m->events[i].effect;
            m->opens = e == EFFECT_TOGGLE    ? !m->opens
                       : e == EFFECT_NOTHING ? m->opens
                                             : e == EFFECT_OPEN;
        }
    }
    m->opened += m->opens && m->opened < SLIDE;
    m->opened -= !m->opens && m->opened > 0 && !m->is_held;
}

static void look(oct_history *h, const oct_game_info *info, const door_model *m, uint64_t tick)
{
    const double opening = m->opened / (double)SLIDE;
    const oct_entity e = {.thing = {.id = DOOR_ID, .box = {{0, 0, 0}, {1, 1, 1}}},
                          .name = "",
                          .type = "",
                          .kind = OCT_ENTITY_DOOR,
                          .forward = {0, 0, -1},
                          .up = {0, 1, 0},
                          .opening = opening};
    oct_entity told[2] = {e, e};
    told[1].thing.id = DOOR_ID + 1;
    told[1].kind = OCT_ENTITY_PLAYER;
    const double x = m->is_held && !m->is_hidden ? 0.5 : 50.0;
    const oct_point at = {x, 0.5, 0.5};
    const oct_observation all = {.self = {.tick = tick, .centre = at, .eye = at},
                                 .entities = told,
                                 .count = m->is_held && m->is_hidden ? 2 : 1};
    oct_observation seen = all;
    seen.count = 1;
    assert_int_equal(oct_history_look(h, info, &seen, &all), OCT_OK);
}

// A door that begins in one state in each life.
typedef struct scene {
    oct_game_info info;
    effect_rules rules;
    wiring wires[2];
    oct_history *h;
    bool is_open;
    bool has_others;
    uint32_t lives;
} scene;

static wiring draw_wiring(oct_random *random, bool has_timers)
{
    wiring w = {.effect = 1u << oct_random_below(random, 4)};
    if (has_timers) {
        w.delay = oct_random_below(random, 3) * oct_random_below(random, 300);
        w.is_undone = w.effect == EFFECT_OPEN && oct_random_below(random, 2) == 0;
        w.duration = SLIDE + oct_random_below(random, 300);
    }
    return w;
}

static bool may_move(void *ctx, oct_button button, uint32_t door)
{
    const scene *const s = ctx;
    return oct_effects_of(s->h, &s->rules, NULL, button, door) != EFFECT_NOTHING;
}

// Presses and looks at random, now and then in peace, from the start to some end.
static void play_life(const scene *s, oct_random *random)
{
    door_model m = {
        .opens = s->is_open, .opened = s->is_open ? SLIDE : 0, .is_hidden = s->has_others};
    const uint64_t pace = 1 + oct_random_below(random, 2500);
    const uint64_t sight = 1 + oct_random_below(random, 40);
    const uint64_t length = s->lives > 1 ? 200 + oct_random_below(random, 4000) : 12000;
    bool is_watching = s->lives == 1 || oct_random_below(random, 2) == 0;
    const uint64_t steps = oct_random_below(random, 2) == 0 ? 700 : UINT64_MAX;
    for (uint64_t tick = 1; tick < length; tick++) {
        // One enters a doorway where there is room.
        if (oct_random_below(random, steps) == 0 && (m.is_held || m.opened == SLIDE)) {
            m.is_held = !m.is_held;
        }
        step(&m, tick);
        if (oct_random_below(random, 600) == 0) {
            is_watching = !is_watching;
        }
        if (is_watching && tick % sight == 0) {
            look(s->h, &s->info, &m, tick);
        }
        if (oct_random_below(random, pace) == 0 && m.count + 4 < EVENTS) {
            const uint32_t b = (uint32_t)oct_random_below(random, 2);
            assert_int_equal(oct_history_press(s->h, (oct_button){7, b}, tick), OCT_OK);
            press(&m, &s->wires[b], tick + 1);
        }
    }
}

static void check_effects(const scene *s, uint64_t seed, size_t *decided)
{
    for (uint32_t b = 0; b < 2; b++) {
        const uint32_t left = oct_effects_of(s->h, &s->rules, NULL, (oct_button){7, b}, 0);
        const wiring *const w = &s->wires[b];
        // One that is undone is none of the four: it must not be said that it never opens.
        const bool may_be = w->is_undone || w->delay > 0
                                ? w->effect == EFFECT_NOTHING || w->effect == EFFECT_SHUT ||
                                      (left & (EFFECT_TOGGLE | EFFECT_OPEN)) != 0
                                : (left & w->effect) != 0;
        if (!may_be) {
            fail_msg("seed %d, %u lives: effect %u of button %u was excluded, left are %u",
                     (int)seed, s->lives, w->effect, b, left);
        }
        *decided += left != EFFECT_ANY;
    }
}

// Plays lives, and asks what was not excluded. Counts what was narrowed down, and known starts.
static void play(uint64_t seed, bool has_timers, uint32_t lives, size_t *decided, size_t *starts)
{
    oct_random random = oct_random_seed(seed);
    scene s = {.info = {.rate = 60.0,
                        .view = 60.0,
                        .slide = SLIDE,
                        .has_settle = true,
                        .settle = has_timers ? 960 : 0},
               .wires = {draw_wiring(&random, has_timers), draw_wiring(&random, has_timers)},
               .h = oct_history_create(NULL),
               .is_open = oct_random_below(&random, 2) == 0,
               .has_others = seed % 2 == 0,
               .lives = lives};
    s.rules = oct_effect_rules_of(&s.info);
    for (uint32_t life = 0; life < lives; life++) {
        if (life > 0) {
            oct_history_begin_life(s.h);
        }
        play_life(&s, &random);
    }
    if (s.h->doors.count > 0) {
        check_effects(&s, seed, decided);
        assert_false(oct_effects_moves_alone(s.h, &s.rules, 0));
        const uint32_t start = oct_effects_at_start(s.h, 0, may_move, &s);
        if ((start & (s.is_open ? 2u : 1u)) == 0) {
            fail_msg("seed %d, %u lives: the true start was excluded", (int)seed, lives);
        }
        *starts += start != 3;
    }
    oct_history_drop(s.h);
}

static void check(bool has_timers, uint32_t lives, size_t least_decided, size_t least_starts)
{
    size_t decided = 0, starts = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        play(seed, has_timers, lives, &decided, &starts);
    }
    print_message("%d of 6000 were narrowed down, %d of 3000 starts known\n", (int)decided,
                  (int)starts);
    assert_true(decided > least_decided);
    assert_true(starts > least_starts);
}

static void what_is_true_is_never_excluded(void **state)
{
    (void)state;
    check(false, 1, 600, 100);
}

static void nor_with_timers(void **state)
{
    (void)state;
    check(true, 1, 100, 100);
}

static void nor_over_several_lives(void **state)
{
    (void)state;
    check(false, 4, 600, 100);
    check(true, 4, 100, 100);
}

// What a door at the edge of the view did after a press says nothing, where there are others: one
// may stand in it that was not told.
static void nobody_tells_who_stands_at_the_edge_of_the_view(void **state)
{
    (void)state;
    for (int is_alone = 0; is_alone < 2; is_alone++) {
        const oct_game_info info = {.rate = 60.0, .view = 50.0, .slide = SLIDE, .has_settle = true};
        const effect_rules rules = oct_effect_rules_of(&info);
        oct_history *const h = oct_history_create(NULL);
        for (int i = 0; i < (is_alone ? 1 : 2); i++) {
            assert_int_equal(oct_history_start(h, (oct_point){50, i, 0}), OCT_OK);
        }
        const door_model open = {.opens = true, .opened = SLIDE};
        look(h, &info, &open, 100);
        assert_int_equal(oct_history_press(h, (oct_button){7, 0}, 110), OCT_OK);
        look(h, &info, &open, 400);
        assert_int_equal(oct_effects_of(h, &rules, NULL, (oct_button){7, 0}, 0),
                         is_alone ? EFFECT_NOTHING | EFFECT_OPEN : EFFECT_ANY);
        oct_history_drop(h);
    }
}

static void a_body_begins_each_life_at_its_place(void **state)
{
    (void)state;
    oct_history *const h = oct_history_create(NULL);
    for (uint32_t life = 0; life < 3; life++) {
        // Two that begin at one place are two.
        for (int i = 0; i < 2; i++) {
            assert_int_equal(oct_history_start(h, (oct_point){1, 2, 3}), OCT_OK);
        }
        assert_int_equal(h->starts.count, 2);
        oct_history_begin_life(h);
    }
    oct_history_drop(h);
}

// What is told against what the game has described: no fail rests on that any more.
static void sightings_deny_assumptions(void **state)
{
    (void)state;
    const oct_game_info info = {.rate = 60.0, .has_bounds = true, .bounds = {{0, 0, 0}, {9, 9, 9}}};
    static const char *const uses[] = {"press"};
    const oct_entity panel = {.thing = {.id = 1, .box = {{20, 1, 1}, {21, 2, 2}}},
                              .name = "",
                              .forward = {0, 0, -1},
                              .up = {0, 1, 0},
                              .type = "",
                              .uses = uses,
                              .use_count = 1};
    const struct {
        oct_self self;
        size_t count;
        uint32_t denied;
    } cases[] = {
        {{.centre = {5, 5, 5}, .velocity = {4, 0, 0}}, 0, 0},
        {{.centre = {5, 5, 5}, .velocity = {3, 3, 0}}, 0, 1u << OCT_ASSUME_PACE},
        {{.centre = {9.5, 5, 5}}, 0, 1u << OCT_ASSUME_TRUTH},
        {{.centre = {5, 5, 5}}, 1, 1u << OCT_ASSUME_TRUTH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oct_history *const h = oct_history_create(NULL);
        const oct_observation seen = {
            .self = cases[i].self, .entities = &panel, .count = cases[i].count};
        assert_int_equal(oct_history_look(h, &info, &seen, &seen), OCT_OK);
        assert_int_equal(h->denied, cases[i].denied);
        oct_history_drop(h);
    }
}

static void see_door_at(oct_history *h, const oct_game_info *info, double opening, uint64_t tick)
{
    const oct_entity door = {.thing = {.id = 2, .box = {{5, 5, 5}, {6, 6, 6}}},
                             .kind = OCT_ENTITY_DOOR,
                             .name = "",
                             .type = "",
                             .forward = {0, 0, -1},
                             .up = {0, 1, 0},
                             .opening = opening};
    const oct_observation seen = {
        .self = {.centre = {1, 1, 1}, .tick = tick}, .entities = &door, .count = 1};
    assert_int_equal(oct_history_look(h, info, &seen, &seen), OCT_OK);
}

// A door that is seen to open a little after a press, and shuts again: later than the game says, or
// though all presses are promised to be toggles. The button is not one that does nothing to it.
static void a_door_that_comes_back_was_moved_whatever_is_promised(void **state)
{
    (void)state;
    const oct_game_info info = {.rate = 60.0,
                                .settle = 60,
                                .has_settle = true,
                                .view = 100.0,
                                .promises = 1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_CAUSES};
    const effect_rules rules = oct_effect_rules_of(&info);
    const oct_button button = {1, 0};
    for (int opens_at = 0; opens_at <= 400; opens_at += 20) {
        oct_history *const h = oct_history_create(NULL);
        see_door_at(h, &info, 0.0, 20);
        assert_int_equal(oct_history_press(h, button, 21), OCT_OK);
        for (int tick = 40; tick <= 500; tick += 20) {
            see_door_at(h, &info, tick == opens_at ? 0.1 : 0.0, (uint64_t)tick);
        }
        const uint32_t effects = oct_effects_of(h, &rules, NULL, button, 0);
        assert_int_equal(effects, opens_at >= 40 ? EFFECT_ANY : EFFECT_NOTHING);
        oct_history_drop(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_true_is_never_excluded),
        cmocka_unit_test(nor_with_timers),
        cmocka_unit_test(nor_over_several_lives),
        cmocka_unit_test(nobody_tells_who_stands_at_the_edge_of_the_view),
        cmocka_unit_test(a_body_begins_each_life_at_its_place),
        cmocka_unit_test(sightings_deny_assumptions),
        cmocka_unit_test(a_door_that_comes_back_was_moved_whatever_is_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
