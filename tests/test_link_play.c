// SPDX-License-Identifier: MIT
// A game over the protocol is the game itself, to the bit: the client against our own server.
#include "support.h"

#include "link_mock.h"

#include "base/base_internal.h"

#include <stdio.h>

typedef struct pair {
    mock_host host;
    mock_wire wire;
    oct_game *near, *far; // in process, and over the wire
} pair;

static oct_result open_pair(pair *p, uint32_t things, const oct_allocator *allocator)
{
    char why[2000];
    *p = (pair){.host = {.seed = 5, .things = things, .allocator = allocator}};
    const link_host host = mock_link_host(&p->host);
    OCT_TRY(mock_game(5, things, allocator, &p->near));
    oct_result result = mock_wire_open(&p->wire, &host, allocator);
    if (result == OCT_OK) {
        const link_carrier carrier = mock_wire_carrier(&p->wire);
        const link_client_def def = {.allocator = allocator};
        result = oct_link_play(&carrier, &def, &p->far, why, sizeof why);
        if (result != OCT_OK) {
            mock_wire_close(&p->wire);
        }
    }
    if (result != OCT_OK) {
        oct_game_destroy(p->near);
    }
    return result;
}

static void close_pair(pair *p)
{
    oct_game_destroy(p->far);
    oct_game_destroy(p->near);
    mock_wire_close(&p->wire);
}

static void same_description(pair *p)
{
    assert_true(mock_same_info(oct_game_describe(p->near), oct_game_describe(p->far)));
    assert_int_equal(oct_game_players(p->near), oct_game_players(p->far));
    for (uint32_t i = 0; i < oct_game_players(p->near); i++) {
        const oct_player_body *a, *b;
        assert_int_equal(oct_game_body(p->near, i, &a), OCT_OK);
        assert_int_equal(oct_game_body(p->far, i, &b), OCT_OK);
        assert_true(mock_same_body(a, b));
    }
}

static oct_action any_action(oct_random *random)
{
    static const double shares[] = {0.0, -0.0, 1.0, -1.0, 0.1, 1.0 / 3.0, 1e-300};
    oct_action a = {.verb = (oct_verb)oct_random_below(random, OCT_VERB_COUNT)};
    a.ticks = 1 + (uint32_t)oct_random_below(random, 30);
    a.move = (oct_point){shares[oct_random_below(random, 7)], oct_random_unit(random),
                         shares[oct_random_below(random, 7)]};
    a.rotate = (oct_point){shares[oct_random_below(random, 7)], 0.0, -oct_random_unit(random)};
    a.target = oct_random_below(random, 5);
    a.button = (uint32_t)oct_random_below(random, 3);
    a.name = "crouch";
    a.number = (double)oct_random_below(random, 10);
    a.on = oct_random_below(random, 2) == 1;
    return a;
}

static void look(pair *p, uint32_t who)
{
    oct_observation a, b;
    assert_int_equal(oct_game_observe(p->near, who, &a), OCT_OK);
    const oct_result result = oct_game_observe(p->far, who, &b);
    if (result != OCT_OK) {
        fprintf(stderr, "%s\n", oct_game_trouble(p->far));
    }
    assert_int_equal(result, OCT_OK);
    assert_true(mock_same_observation(&a, &b));
}

// Does the same to both games.
static void both(pair *p, oct_random *random)
{
    const uint32_t who = (uint32_t)oct_random_below(random, oct_game_players(p->near));
    const oct_action action = any_action(random);
    oct_act a = OCT_ACT_COUNT, b = OCT_ACT_COUNT;
    oct_self x, y;
    switch (oct_random_below(random, 8)) {
    case 0:
        assert_int_equal(oct_game_act(p->near, who, &action, &a), OCT_OK);
        assert_int_equal(oct_game_act(p->far, who, &action, &b), OCT_OK);
        break;
    case 1:
        assert_int_equal(oct_game_step(p->near, action.ticks), OCT_OK);
        assert_int_equal(oct_game_step(p->far, action.ticks), OCT_OK);
        break;
    case 2:
        assert_int_equal(oct_game_self(p->near, who, &x), OCT_OK);
        assert_int_equal(oct_game_self(p->far, who, &y), OCT_OK);
        assert_memory_equal(&x.pose, &y.pose, sizeof x.pose);
        break;
    case 3:
        look(p, who);
        break;
    default:
        assert_int_equal(oct_game_turn(p->near, who, &action, &a), OCT_OK);
        assert_int_equal(oct_game_turn(p->far, who, &action, &b), OCT_OK);
        look(p, who);
    }
    assert_int_equal(a, b);
    assert_string_equal(a == OCT_ACT_REFUSED ? oct_game_refusal(p->near) : "",
                        a == OCT_ACT_REFUSED ? oct_game_refusal(p->far) : "");
    assert_int_equal(oct_game_tick(p->near), oct_game_tick(p->far));
}

static void over_the_wire_is_the_same_game(void **state)
{
    (void)state;
    pair p;
    assert_int_equal(open_pair(&p, 120, NULL), OCT_OK);
    same_description(&p);
    oct_random random = oct_random_seed(1);
    for (uint32_t i = 0; i < 400; i++) {
        both(&p, &random);
        if (i == 100) {
            uint32_t a, b;
            const oct_pose pose = {{1.0, 2.0, 3.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
            assert_int_equal(oct_game_join(p.near, &pose, &a), OCT_OK);
            assert_int_equal(oct_game_join(p.far, &pose, &b), OCT_OK);
            assert_int_equal(a, b);
            same_description(&p);
        }
    }
    assert_true(oct_game_hash(p.near) == oct_game_hash(p.far));
    assert_true(oct_game_hash(p.near) != 0);
    close_pair(&p);
}

// Where the answers come in small pieces.
static void pieces_of_lines_are_put_together(void **state)
{
    (void)state;
    pair p;
    assert_int_equal(open_pair(&p, 5, NULL), OCT_OK);
    p.wire.chunk = 7;
    look(&p, 0);
    close_pair(&p);
}

static void scenery_comes_in_pages(void **state)
{
    (void)state;
    pair p;
    assert_int_equal(open_pair(&p, 5, NULL), OCT_OK);
    oct_scenery_page far;
    size_t from = 0, index = 0;
    do {
        assert_int_equal(oct_game_scenery(p.far, from, &far), OCT_OK);
        for (size_t i = 0; i < far.count; i++, index++) {
            oct_scenery_page near;
            assert_int_equal(oct_game_scenery(p.near, index / 500 * 500, &near), OCT_OK);
            near.parts += index % 500;
            near.count = 1;
            const oct_scenery_page one = {&far.parts[i], 1, 0};
            assert_true(mock_same_page(&near, &one));
        }
        from = far.next;
    } while (from != 0);
    assert_int_equal(index, 2500);
    look(&p, 0);
    close_pair(&p);
}

static void lives_begin_anew(void **state)
{
    (void)state;
    pair p;
    assert_int_equal(open_pair(&p, 30, NULL), OCT_OK);
    oct_random random = oct_random_seed(2);
    const oct_pose starts[] = {{{0.25, 0.5, 1.0 / 3.0}, {1, 0, 0}, {0, 1, 0}}};
    const oct_property options[] = {{"shift", OCT_VALUE_NUMBER, 0.1, NULL},
                                    {"word", OCT_VALUE_TEXT, 0.0, "a b"}};
    const oct_game_start lives[] = {{.level = NULL},
                                    {.level = "two",
                                     .seed = UINT64_MAX - 5,
                                     .starts = starts,
                                     .start_count = 1,
                                     .view = 12.5,
                                     .has_sight = true,
                                     .sight = OCT_SIGHT_THROUGH,
                                     .options = options,
                                     .option_count = 2}};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t turn = 0; turn < 50; turn++) {
            both(&p, &random);
        }
        assert_int_equal(oct_game_reset(p.near, &lives[i]), OCT_OK);
        assert_int_equal(oct_game_reset(p.far, &lives[i]), OCT_OK);
        assert_int_equal(oct_game_tick(p.far), 0);
        same_description(&p);
        assert_true(oct_game_hash(p.near) == oct_game_hash(p.far));
        look(&p, 0);
    }
    assert_int_equal(oct_game_reset(p.far, &(oct_game_start){.level = "none"}), OCT_ERROR_RANGE);
    assert_non_null(strstr(oct_game_trouble(p.far), "range"));
    assert_int_equal(oct_game_reset(p.far, &lives[0]), OCT_OK);
    close_pair(&p);
}

static void a_second_look_costs_nothing_and_tells_no_event_twice(void **state)
{
    (void)state;
    pair p;
    oct_observation seen;
    oct_act came;
    assert_int_equal(open_pair(&p, 10, NULL), OCT_OK);
    const oct_action use = {.verb = OCT_VERB_USE, .target = 3};
    assert_int_equal(oct_game_turn(p.far, 0, &use, &came), OCT_OK);
    const uint64_t asked = oct_link_facts(p.far).requests;
    assert_int_equal(oct_game_observe(p.far, 0, &seen), OCT_OK);
    assert_int_equal(seen.event_count, 2);
    assert_int_equal(oct_game_observe(p.far, 0, &seen), OCT_OK);
    assert_int_equal(seen.event_count, 0);
    assert_int_equal(oct_link_facts(p.far).requests, asked);
    // Events of turns after which nobody looks are kept.
    assert_int_equal(oct_game_turn(p.far, 0, &use, &came), OCT_OK);
    assert_int_equal(oct_game_turn(p.far, 0, &use, &came), OCT_OK);
    assert_int_equal(oct_game_observe(p.far, 0, &seen), OCT_OK);
    assert_int_equal(seen.event_count, 4);
    close_pair(&p);
}

static oct_result play_some(const oct_allocator *allocator, void *ctx)
{
    pair p;
    oct_observation seen;
    oct_scenery_page page;
    oct_act came;
    (void)ctx;
    OCT_TRY(open_pair(&p, 20, allocator));
    const oct_action action = {.verb = OCT_VERB_USE, .target = 1};
    oct_result result = oct_game_observe(p.far, 0, &seen);
    if (result == OCT_OK) {
        result = oct_game_turn(p.far, 0, &action, &came);
    }
    if (result == OCT_OK) {
        result = oct_game_observe(p.far, 0, &seen);
    }
    if (result == OCT_OK) {
        result = oct_game_scenery(p.far, 0, &page);
    }
    close_pair(&p);
    // What the server lacks memory for, the client takes for a broken game.
    return result == OCT_ERROR_LINK ? OCT_ERROR_MEMORY : result;
}

static void running_out_of_memory_is_a_result(void **state)
{
    (void)state;
    for (size_t fail = 0;; fail++) {
        test_allocator memory;
        test_allocator_init(&memory, fail);
        const oct_result result = play_some(&memory.allocator, NULL);
        test_allocator_check_empty(&memory);
        if (!memory.refused) {
            assert_int_equal(result, OCT_OK);
            assert_true(fail > 20);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_the_wire_is_the_same_game),
        cmocka_unit_test(pieces_of_lines_are_put_together),
        cmocka_unit_test(scenery_comes_in_pages),
        cmocka_unit_test(lives_begin_anew),
        cmocka_unit_test(a_second_look_costs_nothing_and_tells_no_event_twice),
        cmocka_unit_test(running_out_of_memory_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
