// SPDX-License-Identifier: MIT
// Links by hand: small cases, names, limits, memory.
#include "agent/links_internal.h"
#include "base/base_internal.h"
#include "links_support.h"
#include "valid.h"

// The links of a door as a word: n, y, ? and ! for odd.
static void check_door(const oct_links *links, uint32_t door, const char *expected)
{
    char text[16] = {0};
    for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
        text[b] = "ny?!"[oct_links_get(links, b, door)];
    }
    assert_string_equal(text, expected);
}

// ---- by hand ----

// Level CR3_3_3_M of the contest: button1 - door1; button3 - door1, door2, door3; button4 - door1.
// Buttons and doors from 0.
typedef struct step {
    int button; // pressed, or -1
    int door;   // seen, or -1
    oct_door_state state;
    const char *links[3]; // of each door, afterwards
    oct_door_state predicted[3];
} step;

static const step contest[] = {
    {-1, 0, SHUT, {"????", "????", "????"}, {SHUT, UNKNOWN, UNKNOWN}},
    {-1, 1, SHUT, {"????", "????", "????"}, {SHUT, SHUT, UNKNOWN}},
    {2, -1, 0, {"????", "????", "????"}, {UNKNOWN, UNKNOWN, UNKNOWN}},
    {-1, 0, OPEN, {"??y?", "????", "????"}, {OPEN, UNKNOWN, UNKNOWN}},
    // The third door is seen for the first time, and so tells nothing.
    {-1, 2, OPEN, {"??y?", "????", "????"}, {OPEN, UNKNOWN, OPEN}},
    {0, -1, 0, {"??y?", "????", "????"}, {UNKNOWN, UNKNOWN, UNKNOWN}},
    // Two unlooked-at presses: only their sum is seen.
    {3, -1, 0, {"??y?", "????", "????"}, {UNKNOWN, UNKNOWN, UNKNOWN}},
    {-1, 0, OPEN, {"??y?", "????", "????"}, {OPEN, UNKNOWN, UNKNOWN}},
    {-1, 1, OPEN, {"??y?", "????", "????"}, {OPEN, OPEN, UNKNOWN}},
    // Both pressed again: certain, although no link of them is.
    {0, -1, 0, {"??y?", "????", "????"}, {UNKNOWN, UNKNOWN, UNKNOWN}},
    {3, -1, 0, {"??y?", "????", "????"}, {OPEN, UNKNOWN, OPEN}},
    {0, -1, 0, {"??y?", "????", "????"}, {UNKNOWN, UNKNOWN, UNKNOWN}},
    {-1, 0, SHUT, {"y?yy", "????", "????"}, {SHUT, UNKNOWN, UNKNOWN}},
    {-1, 2, OPEN, {"y?yy", "????", "n???"}, {SHUT, UNKNOWN, OPEN}},
    {2, -1, 0, {"y?yy", "????", "n???"}, {OPEN, UNKNOWN, UNKNOWN}},
    {-1, 2, SHUT, {"y?yy", "????", "n?y?"}, {OPEN, UNKNOWN, SHUT}},
    {-1, 1, SHUT, {"y?yy", "n???", "n?y?"}, {OPEN, SHUT, SHUT}},
    {0, -1, 0, {"y?yy", "n???", "n?y?"}, {SHUT, SHUT, SHUT}},
    {-1, 1, SHUT, {"y?yy", "n???", "n?y?"}, {SHUT, SHUT, SHUT}},
    {2, -1, 0, {"y?yy", "n???", "n?y?"}, {OPEN, UNKNOWN, OPEN}},
    {-1, 1, OPEN, {"y?yy", "n?yn", "n?y?"}, {OPEN, OPEN, OPEN}},
    {1, -1, 0, {"y?yy", "n?yn", "n?y?"}, {UNKNOWN, UNKNOWN, UNKNOWN}},
    {-1, 0, OPEN, {"ynyy", "n?yn", "n?y?"}, {OPEN, UNKNOWN, UNKNOWN}},
    {-1, 1, OPEN, {"ynyy", "nnyn", "n?y?"}, {OPEN, OPEN, UNKNOWN}},
    {3, -1, 0, {"ynyy", "nnyn", "n?y?"}, {SHUT, OPEN, UNKNOWN}},
    {-1, 2, OPEN, {"ynyy", "nnyn", "n?y?"}, {SHUT, OPEN, OPEN}},
    {3, -1, 0, {"ynyy", "nnyn", "n?y?"}, {OPEN, OPEN, UNKNOWN}},
    {-1, 2, OPEN, {"ynyy", "nnyn", "nnyn"}, {OPEN, OPEN, OPEN}},
};

static void a_contest_level_is_learned_step_by_step(void **state)
{
    (void)state;
    oct_links *const links = make_level(10, 1000, 4, 3);
    for (size_t i = 0; i < sizeof contest / sizeof *contest; i++) {
        const step *const s = &contest[i];
        const uint64_t tick = 100 * i;
        if (s->button >= 0) {
            press(links, (uint32_t)s->button, tick);
        } else {
            see(links, (uint32_t)s->door, tick, s->state);
        }
        for (uint32_t d = 0; d < 3; d++) {
            check_door(links, d, s->links[d]);
            assert_int_equal(oct_links_predict(links, d), s->predicted[d]);
        }
    }
    assert_int_equal(oct_links_presses(links, 0), 4);
    assert_int_equal(oct_links_presses(links, 1), 1);
    assert_int_equal(oct_links_presses(links, 2), 3);
    assert_int_equal(oct_links_presses(links, 3), 4);
    // Not the first sighting of the door, at 400, but those around a press of the button.
    oct_sighting found[8];
    assert_int_equal(oct_links_evidence(links, 2, 2, found, 8), 2);
    assert_int_equal(found[0].tick, 1300);
    assert_int_equal(found[0].state, OPEN);
    assert_int_equal(found[1].tick, 1500);
    assert_int_equal(found[1].state, SHUT);
    assert_int_equal(oct_links_evidence(links, 2, 2, found, 1), 2);
    assert_int_equal(oct_links_evidence(links, 2, 2, NULL, 0), 2);
    oct_links_destroy(links);
}

static void advice_is_the_least_that_decides(void **state)
{
    (void)state;
    oct_links *const links = make_level(10, 1000, 3, 1);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_SEE_PRESS_SEE);
    see(links, 0, 0, SHUT);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_PRESS_SEE);
    press(links, 0, 0);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_SEE);
    assert_int_equal(oct_links_advise(links, 1, 0), OCT_ADVICE_SEE_PRESS_SEE);
    press(links, 1, 5);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_SEE_PRESS_SEE);
    see(links, 0, 100, OPEN);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_PRESS_SEE);
    press(links, 1, 100);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_SEE);
    assert_int_equal(oct_links_advise(links, 1, 0), OCT_ADVICE_SEE);
    see(links, 0, 200, SHUT);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_NONE);
    assert_int_equal(oct_links_advise(links, 2, 0), OCT_ADVICE_PRESS_SEE);
    check_door(links, 0, "ny?");
    oct_links_destroy(links);
}

static void sightings_count_once_effects_have_settled(void **state)
{
    (void)state;
    oct_links *const links = make_level(180, 3600, 1, 1);
    assert_int_equal(oct_links_settled(links), 0);
    see(links, 0, 50, SHUT);
    press(links, 0, 50);
    assert_int_equal(oct_links_settled(links), 230);
    see(links, 0, 50, OPEN);
    see(links, 0, 229, OPEN);
    check_door(links, 0, "?");
    see(links, 0, 230, OPEN);
    check_door(links, 0, "y");
    assert_int_equal(oct_links_settle(links), 180);
    oct_sighting found[2];
    see(links, 0, 500, OPEN);
    assert_int_equal(oct_links_evidence(links, 0, 0, found, 2), 2);
    assert_int_equal(found[0].tick, 50);
    assert_int_equal(found[1].tick, 230);
    press(links, 0, UINT64_MAX - 3);
    assert_true(oct_links_settled(links) == UINT64_MAX);
    oct_links_destroy(links);
}

static void late_effects_are_learned(void **state)
{
    (void)state;
    // Button 0 moves the door after 50 ticks; nobody looks then, and the sightings contradict.
    oct_links *const links = make_level(10, 1000, 2, 1);
    see(links, 0, 0, SHUT);
    see(links, 0, 60, SHUT);
    press(links, 0, 100);
    see(links, 0, 115, SHUT);
    press(links, 1, 120);
    see(links, 0, 135, SHUT);
    check_door(links, 0, "nn");
    press(links, 1, 155);
    see(links, 0, 170, OPEN);
    check_door(links, 0, "!!");
    assert_int_equal(oct_links_predict(links, 0), UNKNOWN);
    assert_int_equal(oct_links_advise(links, 0, 0), OCT_ADVICE_NONE);
    assert_int_equal(oct_links_evidence(links, 0, 0, NULL, 0), 0);
    see(links, 0, 240, OPEN);
    // Then it is seen on its way. Of the sightings at 170 and 240 the second is late enough still.
    press(links, 0, 300);
    see(links, 0, 310, OPEN);
    see(links, 0, 356, MOVING);
    assert_int_equal(oct_links_settle(links), 56 + 14 + 1);
    check_door(links, 0, "y?");
    see(links, 0, 371, SHUT);
    check_door(links, 0, "y?");
    oct_sighting found[3];
    assert_int_equal(oct_links_evidence(links, 0, 0, found, 3), 2);
    assert_int_equal(found[0].tick, 0);
    assert_int_equal(found[1].tick, 240);
    oct_links_destroy(links);
}

static void a_change_without_a_press_is_a_late_effect(void **state)
{
    (void)state;
    oct_links *const links = make_level(10, 100, 1, 1);
    see(links, 0, 0, SHUT);
    press(links, 0, 0);
    see(links, 0, 20, SHUT);
    check_door(links, 0, "n");
    see(links, 0, 40, OPEN);
    assert_int_equal(oct_links_settle(links), 51);
    check_door(links, 0, "?");
    see(links, 0, 51, OPEN);
    check_door(links, 0, "y");
    // Up to the most. What was seen before it is no longer counted, and what comes after it is.
    see(links, 0, 200, SHUT);
    assert_int_equal(oct_links_settle(links), 100);
    check_door(links, 0, "n");
    // And no further: it moves by itself.
    see(links, 0, 201, OPEN);
    assert_int_equal(oct_links_settle(links), 100);
    check_door(links, 0, "!");
    see(links, 0, 202, SHUT);
    see(links, 0, 300, MOVING);
    check_door(links, 0, "!");
    oct_links_destroy(links);
}

static void odd_doors_are_known_as_such(void **state)
{
    (void)state;
    // A button that only opens, beside a door that it toggles.
    oct_links *const links = make_level(10, 100, 1, 4);
    see(links, 0, 0, SHUT);
    see(links, 1, 0, SHUT);
    press(links, 0, 0);
    see(links, 0, 50, OPEN);
    see(links, 1, 50, OPEN);
    check_door(links, 0, "y");
    press(links, 0, 50);
    see(links, 0, 90, OPEN);
    see(links, 1, 90, SHUT);
    check_door(links, 0, "!");
    check_door(links, 1, "y");
    assert_int_equal(oct_links_predict(links, 0), UNKNOWN);
    assert_int_equal(oct_links_predict_press(links, 0, 0), UNKNOWN);
    assert_int_equal(oct_links_predict_press(links, 1, 0), OPEN);
    // It stays so.
    press(links, 0, 200);
    see(links, 0, 300, SHUT);
    check_door(links, 0, "!");
    // On its way long after all presses; another one's links and the bound stay as they are.
    see(links, 2, 300, MOVING);
    check_door(links, 2, "!");
    assert_int_equal(oct_links_settle(links), 10);
    check_door(links, 1, "y");
    check_door(links, 3, "?");
    oct_links_destroy(links);
}

static void doors_that_change_before_all_presses_are_odd(void **state)
{
    (void)state;
    oct_links *const links = make_level(10, 100, 1, 2);
    see(links, 0, 0, MOVING);
    see(links, 0, 5, SHUT);
    see(links, 1, 5, SHUT);
    check_door(links, 0, "?");
    see(links, 1, 6, OPEN);
    check_door(links, 1, "!");
    press(links, 0, 7);
    see(links, 0, 20, OPEN);
    see(links, 1, 20, SHUT);
    check_door(links, 0, "y");
    check_door(links, 1, "!");
    oct_links_destroy(links);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    oct_links_def def = oct_links_def_default();
    oct_links *links = (oct_links *)&def;
    def.cookie++;
    assert_int_equal(oct_links_create(&def, &links), OCT_ERROR_ARGUMENT);
    assert_null(links);
    oct_links_destroy(NULL);

    links = make_level(10, 0, 1, 1); // the most is 10 then
    see(links, 0, 20, SHUT);
    assert_int_equal(oct_links_press(links, 0, 19), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_links_press(links, 1, 30), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_links_presses(links, 0), 0);
    press(links, 0, 21);
    assert_int_equal(oct_links_see(links, 0, 20, SHUT), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_links_see(links, 1, 40, OPEN), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_links_see(links, 0, 40, UNKNOWN), OCT_ERROR_ARGUMENT);
    // Nor did the clock go on; but it does with sightings that do not count.
    see(links, 0, 30, OPEN);
    check_door(links, 0, "?");
    assert_int_equal(oct_links_press(links, 0, 29), OCT_ERROR_ARGUMENT);
    see(links, 0, 31, OPEN);
    check_door(links, 0, "y");
    see(links, 0, 32, MOVING);
    assert_int_equal(oct_links_settle(links), 10);
    check_door(links, 0, "!");
    assert_int_equal(oct_links_see(links, 0, 31, SHUT), OCT_ERROR_ARGUMENT);
    oct_links_destroy(links);

    assert_string_equal(oct_link_name(OCT_LINK_NO), "no");
    assert_string_equal(oct_link_name(OCT_LINK_YES), "yes");
    assert_string_equal(oct_link_name(OCT_LINK_UNDECIDED), "open");
    assert_string_equal(oct_link_name(OCT_LINK_ODD), "odd");
    assert_null(oct_link_name(OCT_LINK_COUNT));
}

static void names_are_found_again(void **state)
{
    (void)state;
    oct_links *const links = make_links(NULL, 10, 100);
    oct_random random = oct_random_seed(1);
    uint32_t index = 77;
    for (uint32_t i = 0; i < 2000; i++) {
        const oct_button button = {oct_random_below(&random, 30),
                                   (uint32_t)oct_random_below(&random, 10)};
        const uint32_t count = oct_links_buttons(links), doors = oct_links_doors(links);
        uint32_t at = 0, door = 0;
        while (at < count && (oct_links_button(links, at).panel != button.panel ||
                              oct_links_button(links, at).number != button.number)) {
            at++;
        }
        while (door < doors && oct_links_door(links, door) != button.panel) {
            door++;
        }
        index = 77;
        assert_int_equal(oct_links_find_button(links, button, &index), at < count);
        assert_int_equal(index, at < count ? at : 77);
        assert_int_equal(add_button(links, button.panel, button.number), at);
        index = 77;
        assert_int_equal(oct_links_find_door(links, button.panel, &index), door < doors);
        assert_int_equal(index, door < doors ? door : 77);
        assert_int_equal(add_door(links, button.panel), door);
    }
    assert_int_equal(oct_links_doors(links), 30);
    oct_links_destroy(links);
}

static void as_many_as_allowed_can_be_known(void **state)
{
    (void)state;
    oct_links *const links = make_links(NULL, 10, 100);
    uint32_t index = 77;
    for (uint32_t i = 0; i < OCT_LINKS_BUTTONS_MAX; i++) {
        assert_int_equal(add_button(links, 5, i), i);
    }
    for (uint32_t i = 0; i < OCT_LINKS_DOORS_MAX; i++) {
        assert_int_equal(add_door(links, OCT_LINKS_DOORS_MAX - i), i);
    }
    assert_int_equal(oct_links_add_button(links, (oct_button){6, 0}, &index), OCT_ERROR_RANGE);
    assert_int_equal(oct_links_add_door(links, 0, &index), OCT_ERROR_RANGE);
    assert_int_equal(index, 77);
    assert_int_equal(oct_links_buttons(links), OCT_LINKS_BUTTONS_MAX);
    assert_int_equal(oct_links_doors(links), OCT_LINKS_DOORS_MAX);
    const uint32_t button = OCT_LINKS_BUTTONS_MAX - 1, door = OCT_LINKS_DOORS_MAX - 1;
    see(links, door, 0, OPEN);
    press(links, button, 0);
    assert_int_equal(oct_links_advise(links, button, door), OCT_ADVICE_SEE);
    see(links, door, 10, SHUT);
    assert_int_equal(oct_links_get(links, button, door), OCT_LINK_YES);
    assert_int_equal(oct_links_get(links, button - 1, door), OCT_LINK_UNDECIDED);
    assert_int_equal(oct_links_predict_press(links, door, button), OPEN);
    oct_links_destroy(links);
}

// ---- memory ----

static void repeated_sightings_cost_nothing(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_links *const links = make_links(&memory.allocator, 10, 1000);
    add_button(links, 1, 0);
    add_door(links, 1);
    add_door(links, 2);
    see(links, 0, 0, SHUT);
    see(links, 1, 0, SHUT);
    press(links, 0, 0);
    see(links, 0, 10, OPEN);
    see(links, 1, 10, SHUT);
    const size_t before = memory.allocations, bytes = memory.live_bytes;
    for (uint64_t i = 0; i < 100000; i++) {
        assert_int_equal(oct_links_see(links, 0, 10 + i, OPEN), OCT_OK);
        (void)oct_links_get(links, 0, 0);
        (void)oct_links_predict(links, 0);
        (void)oct_links_predict_press(links, 0, 0);
        (void)oct_links_advise(links, 0, 0);
        (void)oct_links_evidence(links, 0, 0, NULL, 0);
    }
    // Nor does one that blinks.
    for (uint64_t i = 0; i < 100000; i++) {
        assert_int_equal(oct_links_see(links, 1, 100100 + i, i % 2 ? SHUT : OPEN), OCT_OK);
    }
    assert_int_equal(memory.allocations, before);
    assert_true(memory.live_bytes < bytes); // given up, and its memory back
    assert_int_equal(oct_links_get(links, 0, 0), OCT_LINK_YES);
    assert_int_equal(oct_links_get(links, 0, 1), OCT_LINK_ODD);
    oct_links_destroy(links);
    test_allocator_check_empty(&memory);
}

// All answers in one number.
static uint64_t fingerprint(const oct_links *links)
{
    uint64_t hash = oct_links_settled(links) * 31 + oct_links_settle(links);
    for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
        hash = hash * 1099511628211u + oct_links_presses(links, b);
        hash = hash * 1099511628211u + oct_links_button(links, b).number;
    }
    for (uint32_t d = 0; d < oct_links_doors(links); d++) {
        hash = hash * 1099511628211u + oct_links_door(links, d);
        hash = hash * 1099511628211u + (uint64_t)oct_links_predict(links, d);
        for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
            hash = hash * 1099511628211u + (uint64_t)oct_links_get(links, b, d);
            hash = hash * 1099511628211u + (uint64_t)oct_links_advise(links, b, d);
            hash = hash * 1099511628211u + oct_links_evidence(links, b, d, NULL, 0);
        }
    }
    return hash * 1099511628211u + oct_links_buttons(links);
}

// One call of a history that has everything in it: many buttons, late effects, odd doors.
static oct_result history_call(oct_links *links, uint32_t i, oct_random random)
{
    const uint64_t tick = i * 7, kind = oct_random_below(&random, 8);
    const uint32_t buttons = oct_links_buttons(links), doors = oct_links_doors(links);
    uint32_t index;
    if (i < 2 || kind < 3) {
        return oct_links_add_button(links, (oct_button){3, i}, &index);
    }
    if (i < 4 || (kind == 3 && doors < 4)) {
        return oct_links_add_door(links, i, &index);
    }
    if (kind == 4) {
        return oct_links_press(links, (uint32_t)oct_random_below(&random, buttons), tick);
    }
    const uint32_t door = (uint32_t)oct_random_below(&random, doors);
    const bool moves = oct_random_below(&random, 20) == 0;
    return oct_links_see(links, door, tick, moves ? MOVING : door == 1 && i % 3 ? OPEN : SHUT);
}

static void refused_memory_changes_nothing(void **state)
{
    (void)state;
    uint64_t expected = 0;
    size_t refusals = 0;
    for (size_t fail_at = SIZE_MAX;; fail_at++) { // first never
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        oct_links_def def = oct_links_def_default();
        oct_links *links;
        def.settle = 3;
        def.settle_most = 100;
        def.allocator = &memory.allocator;
        if (oct_links_create(&def, &links) != OCT_OK) {
            assert_null(links);
            assert_int_equal(fail_at, 0);
            assert_int_equal(oct_links_create(&def, &links), OCT_OK);
        }
        oct_random random = oct_random_seed(5);
        for (uint32_t i = 0; i < 400; i++, oct_random_next(&random)) {
            const uint64_t before = memory.refused ? 0 : fingerprint(links);
            oct_result result = history_call(links, i, random);
            if (result != OCT_OK) {
                assert_int_equal(result, OCT_ERROR_MEMORY);
                assert_true(memory.refused);
                assert_true(fingerprint(links) == before);
                assert_true(oct_links_is_valid(links));
                refusals++;
                result = history_call(links, i, random);
            }
            assert_int_equal(result, OCT_OK);
        }
        expected = fail_at == SIZE_MAX ? fingerprint(links) : expected;
        assert_true(fingerprint(links) == expected);
        assert_true(fail_at != SIZE_MAX || oct_links_buttons(links) > 130);
        oct_links_destroy(links);
        test_allocator_check_empty(&memory);
        if (fail_at != SIZE_MAX && !memory.refused) {
            break;
        }
    }
    assert_true(refusals > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contest_level_is_learned_step_by_step),
        cmocka_unit_test(advice_is_the_least_that_decides),
        cmocka_unit_test(sightings_count_once_effects_have_settled),
        cmocka_unit_test(late_effects_are_learned),
        cmocka_unit_test(a_change_without_a_press_is_a_late_effect),
        cmocka_unit_test(odd_doors_are_known_as_such),
        cmocka_unit_test(doors_that_change_before_all_presses_are_odd),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(names_are_found_again),
        cmocka_unit_test(as_many_as_allowed_can_be_known),
        cmocka_unit_test(repeated_sightings_cost_nothing),
        cmocka_unit_test(refused_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
