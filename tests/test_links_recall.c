// SPDX-License-Identifier: MIT
// Links that are told earlier lives afterwards, against links that were there all the time.
#include "agent/links_recall.h"
#include "links_support.h"

#define DOORS 3
#define BUTTONS 4
#define LIVES 3

typedef struct scene {
    oct_history *history;
    oct_links *live;
    uint64_t tick; // of the life
} scene;

static oct_entity door_of(uint32_t number, double opening)
{
    const double x = 10.0 * number;
    return (oct_entity){.kind = OCT_ENTITY_DOOR,
                        .thing = {.id = 200 + number,
                                  .box = {{x, 0, 0}, {x + 1, 3, 3}},
                                  .label = opening >= 1.0 ? OCT_OPEN : OCT_BLOCKED,
                                  .opaque = true},
                        .opening = opening,
                        .name = "",
                        .type = "",
                        .forward = {0, 0, 1},
                        .up = {0, 1, 0}};
}

// One look at some of the doors from far away.
static void look(scene *s, oct_random *random, const bool *is_open)
{
    static const oct_game_info info = {.rate = 60.0, .view = 20.0, .metre = 1.0};
    oct_entity seen[DOORS];
    oct_observation o = {.entities = seen};
    o.self.tick = s->tick;
    o.self.centre = o.self.eye = (oct_point){0, 50, 0};
    for (uint32_t d = 0; d < DOORS; d++) {
        if (oct_random_below(random, 2) == 0) {
            seen[o.count++] = door_of(d, is_open[d] ? 1.0 : 0.0);
            uint32_t index;
            assert_int_equal(oct_links_add_door(s->live, 200 + d, &index), OCT_OK);
            see(s->live, index, s->tick, is_open[d] ? OPEN : SHUT);
        }
    }
    assert_int_equal(oct_history_look(s->history, &info, &o, &o), OCT_OK);
}

static void push(scene *s, uint32_t number)
{
    const oct_button button = {100, number};
    uint32_t index;
    assert_int_equal(oct_links_add_button(s->live, button, &index), OCT_OK);
    press(s->live, index, s->tick);
    assert_int_equal(oct_history_press(s->history, button, s->tick), OCT_OK);
}

static void play_life(scene *s, oct_random *random, const uint32_t *toggles, uint32_t at_start)
{
    uint32_t open = at_start;
    s->tick = 0;
    for (uint64_t steps = 1 + oct_random_below(random, 30); steps > 0; steps--) {
        bool is_open[DOORS];
        for (uint32_t d = 0; d < DOORS; d++) {
            is_open[d] = (open >> d & 1) != 0;
        }
        look(s, random, is_open);
        if (oct_random_below(random, 3) == 0) {
            const uint32_t button = (uint32_t)oct_random_below(random, BUTTONS);
            push(s, button);
            open ^= toggles[button];
            s->tick += 100; // nothing is seen while doors move
        }
        s->tick += oct_random_below(random, 40);
    }
}

static void expect_same(const oct_links *live, const oct_links *recalled, uint32_t *decided)
{
    assert_int_equal(oct_links_buttons(live), oct_links_buttons(recalled));
    for (uint32_t d = 0; d < oct_links_doors(live); d++) {
        uint32_t door = 0;
        if (!oct_links_find_door(recalled, oct_links_door(live, d), &door)) {
            fail_msg("a door was not told of");
        }
        assert_int_equal(oct_links_predict(live, d), oct_links_predict(recalled, door));
        for (uint32_t b = 0; b < oct_links_buttons(live); b++) {
            uint32_t button = 0;
            assert_true(oct_links_find_button(recalled, oct_links_button(live, b), &button));
            const oct_link link = oct_links_get(live, b, d);
            assert_int_equal(link, oct_links_get(recalled, button, door));
            *decided += link != OCT_LINK_UNDECIDED;
        }
    }
}

static void what_is_told_afterwards_is_what_was_seen(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(5);
    uint32_t decided = 0;
    const uint64_t rounds = test_rounds(300);
    for (uint64_t round = 0; round < rounds; round++) {
        scene s = {.history = oct_history_create(NULL), .live = make_links(NULL, 80, 200)};
        assert_non_null(s.history);
        uint32_t toggles[BUTTONS];
        const uint32_t at_start = (uint32_t)oct_random_below(&random, 1u << DOORS);
        for (uint32_t b = 0; b < BUTTONS; b++) {
            toggles[b] = (uint32_t)oct_random_below(&random, 1u << DOORS);
        }
        for (uint32_t life = 0; life < LIVES; life++) {
            play_life(&s, &random, toggles, at_start);
            oct_history_begin_life(s.history);
            assert_int_equal(oct_links_begin_life(s.live), OCT_OK);
        }
        oct_links *const recalled = make_links(NULL, 80, 200);
        assert_int_equal(oct_links_recall(recalled, s.history), OCT_OK);
        assert_true(oct_links_is_valid(recalled));
        expect_same(s.live, recalled, &decided);
        oct_links_destroy(recalled);
        oct_links_destroy(s.live);
        oct_history_drop(s.history);
    }
    assert_true(decided > rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_afterwards_is_what_was_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
