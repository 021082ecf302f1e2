// SPDX-License-Identifier: MIT
// What is not excluded, in a world of two rooms: a wall, a door in it, a panel on one of its sides.
#include "game_words.h"
#include "support.h"

#include "agent/possible.h"

#define SIZE 8.0
#define DOOR_ID 900
#define PANEL_ID 901
#define TARGET_ID 902

typedef struct scene {
    oct_history *history;
    oct_game_info info;
    oct_tree *lattice, *sighted;
    oct_array entities; // of oct_entity
    oct_allocator allocator;
    uint64_t tick;
} scene;

static void put(scene *s, uint64_t id, oct_bounds box, bool is_door, uint32_t buttons)
{
    static const char *const uses[] = {"press", "press", "press", "press"};
    const oct_entity e = {.thing = {.id = id, .box = box, .label = OCT_BLOCKED},
                          .name = "",
                          .type = "",
                          .kind = is_door ? OCT_ENTITY_DOOR : OCT_ENTITY_SOLID,
                          .forward = {0, 0, -1},
                          .up = {0, 1, 0},
                          .uses = uses,
                          .use_count = buttons};
    assert_int_equal(oct_array_push(&s->entities, &s->allocator, sizeof e, &e), OCT_OK);
}

static const oct_bounds doorway = {{4, 2, 2}, {4.5, 4, 4}};
static const oct_bounds target = {{7, 3, 3}, {7.5, 3.5, 3.5}};

// The wall between the rooms, with a door or without a way through.
static void init(scene *s, bool has_door)
{
    *s = (scene){.allocator = oct_allocator_default()};
    s->info = (oct_game_info){.rate = 60.0,
                              .slide = 60,
                              .has_settle = true,
                              .promises = 1u << OCT_ASSUME_CAUSES,
                              .has_bounds = true,
                              .bounds = {{0.2, 0.2, 0.2}, {7.7, 7.7, 7.7}}};
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = 319.0 / 1024.0;
    assert_int_equal(oct_tree_create(&def, &s->lattice), OCT_OK);
    assert_int_equal(oct_tree_create(&def, &s->sighted), OCT_OK);
    const oct_bounds all = {{-1, -1, -1}, {SIZE + 1, SIZE + 1, SIZE + 1}};
    assert_int_equal(oct_tree_set_world_box(s->sighted, all, OCT_COVER_TOUCH, OCT_MARK_KNOWN),
                     OCT_OK);
    s->history = oct_history_create(NULL);
    assert_non_null(s->history);
    const oct_player_body flies = flying_body();
    oct_history_note_body(s->history, &flies, false);
    assert_int_equal(oct_history_add_sight(s->history, s->sighted), OCT_OK);
    assert_int_equal(oct_history_start(s->history, (oct_point){1.5, 3, 3}), OCT_OK);
    uint64_t id = 1;
    for (int i = 0; i < 16; i++) {
        const double y = i % 4 * 2.0, z = i / 4 * 2.0;
        const bool is_doorway = y == 2.0 && z == 2.0;
        if (!is_doorway || !has_door) {
            put(s, id++, (oct_bounds){{4, y, z}, {4.5, y + 2, z + 2}}, false, 0);
        }
    }
    if (has_door) {
        put(s, DOOR_ID, doorway, true, 0);
    }
    put(s, TARGET_ID, target, false, 0);
}

static void put_panel(scene *s, double x)
{
    put(s, PANEL_ID, (oct_bounds){{x, 1, 6}, {x + 0.5, 1.5, 6.5}}, false, 1);
}

static void free_scene(scene *s)
{
    oct_array_free(&s->entities, &s->allocator, sizeof(oct_entity));
    oct_history_drop(s->history);
    oct_tree_destroy(s->lattice);
    oct_tree_destroy(s->sighted);
}

// Looks, with the door so far open, and lets time pass.
static void look(scene *s, double opening, uint64_t ticks)
{
    oct_entity *const all = s->entities.items;
    for (size_t i = 0; i < s->entities.count; i++) {
        if (all[i].thing.id == DOOR_ID) {
            all[i].opening = opening;
        }
    }
    const oct_observation seen = {
        .self = {.tick = s->tick}, .entities = all, .count = s->entities.count};
    assert_int_equal(oct_history_look(s->history, &s->info, &seen, &seen), OCT_OK);
    s->tick += ticks;
}

static void press(scene *s)
{
    assert_int_equal(oct_history_press(s->history, (oct_button){PANEL_ID, 0}, s->tick), OCT_OK);
    s->tick++;
}

static possible_answer ask_about(const scene *s, bool is_known, bool presses)
{
    const possible_question q = {.history = s->history,
                                 .info = &s->info,
                                 .lattice = s->lattice,
                                 .is_known = is_known,
                                 .target = target,
                                 .within = target,
                                 .reach = 1.0,
                                 .presses = presses};
    possible_answer answer;
    assert_int_equal(oct_possible_ask(&q, &s->allocator, &answer), OCT_OK);
    return answer;
}

static possible_answer ask(const scene *s, bool presses)
{
    return ask_about(s, true, presses);
}

#define ASSUMES(a) (1u << OCT_ASSUME_##a)
#define OF_SPACE (ASSUMES(MEANS) | ASSUMES(BODY) | ASSUMES(SOLID) | ASSUMES(TRUTH))

static void a_wall_excludes_without_a_word_about_doors(void **state)
{
    (void)state;
    scene s;
    init(&s, false);
    put_panel(&s, 1);
    look(&s, 0, 600);
    const possible_answer a = ask(&s, true);
    assert_int_equal(a.status, POSSIBLE_EXCLUDED);
    assert_int_equal(a.assumes, OF_SPACE);
    free_scene(&s);
}

// Something that is nowhere: doors that hide nothing are no part of that, those that do are.
static void what_was_not_found_rests_on_doors_that_hide_something(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        init(&s, true);
        look(&s, 0, 600);
        const oct_bounds dark = {{6, 6, 6}, {7, 7, 7}};
        assert_int_equal(oct_tree_set_world_box(s.sighted, dark, OCT_COVER_TOUCH,
                                                i == 0 ? OCT_MARK_KNOWN : OCT_MARK_UNKNOWN),
                         OCT_OK);
        const possible_answer a = ask_about(&s, false, true);
        assert_int_equal(a.status, POSSIBLE_EXCLUDED);
        assert_int_equal(a.assumes, i == 0 ? OF_SPACE
                                           : OF_SPACE | ASSUMES(CAUSES) | ASSUMES(MEMORY) |
                                                 ASSUMES(ALONE) | ASSUMES(DELAY));
        assert_int_equal(a.unseen.count, 0);
        // Doors that move as they like take nothing from a wall.
        s.info.denies = ASSUMES(CAUSES);
        assert_int_equal(ask_about(&s, false, true).status,
                         i == 0 ? POSSIBLE_EXCLUDED : POSSIBLE_MAYBE);
        free_scene(&s);
    }
}

// Who promises toggles promises memory too, unless somebody denies that.
static void promised_toggles_stand_for_what_they_imply(void **state)
{
    (void)state;
    scene s;
    init(&s, true);
    look(&s, 0, 600);
    s.info.promises |= ASSUMES(TOGGLES);
    assert_int_equal(ask(&s, true).assumes,
                     OF_SPACE | ASSUMES(CAUSES) | ASSUMES(DELAY) | ASSUMES(TOGGLES));
    s.info.denies = ASSUMES(ALONE);
    const possible_answer a = ask(&s, true);
    assert_int_equal(a.status, POSSIBLE_MAYBE);
    assert_true(a.has_denied && a.denied == OCT_ASSUME_ALONE);
    free_scene(&s);
}

static void a_shut_door_without_buttons_excludes(void **state)
{
    (void)state;
    scene s;
    init(&s, true);
    look(&s, 0, 600);
    const possible_answer a = ask(&s, true);
    assert_int_equal(a.status, POSSIBLE_EXCLUDED);
    assert_true((a.assumes & ASSUMES(CAUSES)) != 0);
    // Not if it was seen open, or moving.
    look(&s, 0.5, 600);
    assert_int_equal(ask(&s, true).status, POSSIBLE_MAYBE);
    free_scene(&s);
}

static void a_denied_assumption_leaves_it_open(void **state)
{
    (void)state;
    scene s;
    init(&s, false);
    look(&s, 0, 600);
    s.info.denies = ASSUMES(SOLID);
    const possible_answer a = ask(&s, true);
    assert_int_equal(a.status, POSSIBLE_MAYBE);
    assert_true(a.has_denied && a.denied == OCT_ASSUME_SOLID);
    free_scene(&s);
}

static void a_button_that_was_not_tried_may_open(void **state)
{
    (void)state;
    scene s;
    init(&s, true);
    put_panel(&s, 1);
    look(&s, 0, 600);
    assert_int_equal(ask(&s, true).status, POSSIBLE_MAYBE);
    // Who does not press is shut out.
    assert_int_equal(ask(&s, false).status, POSSIBLE_EXCLUDED);
    // One behind its own door cannot be pressed.
    free_scene(&s);
    init(&s, true);
    put_panel(&s, 6);
    look(&s, 0, 600);
    assert_int_equal(ask(&s, true).status, POSSIBLE_EXCLUDED);
    free_scene(&s);
}

// An isolated press that left a shut door shut shows that it never opens it, unless effects come
// late and nobody watched.
static void a_press_in_vain_excludes_unless_it_comes_late(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        scene s;
        init(&s, true);
        put_panel(&s, 1);
        s.info.settle = i == 0 ? 0 : 300;
        look(&s, 0, 10);
        press(&s);
        for (int k = 0; i == 2 && k < 40; k++) {
            look(&s, 0, 15);
        }
        s.tick += 600;
        look(&s, 0, 600);
        assert_int_equal(ask(&s, true).status, i == 1 ? POSSIBLE_MAYBE : POSSIBLE_EXCLUDED);
        free_scene(&s);
    }
}

// What was not seen may hold a button; a wall keeps its word all the same.
static void a_place_that_was_not_seen_is_named(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        init(&s, i == 0);
        look(&s, 0, 600);
        const oct_bounds dark = {{1, 6, 6}, {2, 7, 7}};
        assert_int_equal(oct_tree_set_world_box(s.sighted, dark, OCT_COVER_TOUCH, OCT_MARK_UNKNOWN),
                         OCT_OK);
        const possible_answer a = ask(&s, true);
        assert_int_equal(a.status, i == 0 ? POSSIBLE_UNSEEN : POSSIBLE_EXCLUDED);
        if (i == 0) {
            assert_true(a.unseen.at[0].x > 0.7 && a.unseen.at[0].x < 2.3 &&
                        a.unseen.at[0].y > 5.7 && a.unseen.at[0].z > 5.7);
        }
        free_scene(&s);
    }
}

// Who promises nothing has doors that may move by themselves: they do so while they are watched for
// the longest delay with nothing pending.
static void a_door_that_may_move_by_itself_is_watched(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        scene s;
        init(&s, true);
        s.info.promises = 0;
        s.info.settle = 300;
        if (how == 1) { // what it does may still come
            put_panel(&s, 6);
            press(&s);
        }
        look(&s, 0, 15);
        possible_answer a = ask(&s, false);
        assert_int_equal(a.status, POSSIBLE_MAYBE);
        assert_true(a.unwatched_count == 1 && a.unwatched[0] == DOOR_ID);
        for (int k = 0; k < 20; k++) {
            look(&s, how == 2 && k == 10 ? 1 : 0, how == 3 ? 30 : 15);
        }
        a = ask(&s, false);
        assert_int_equal(a.status, how == 0 ? POSSIBLE_EXCLUDED : POSSIBLE_MAYBE);
        free_scene(&s);
    }
}

// What moves may carry what was not seen to where all was: a wall keeps its word all the same.
static void what_moves_may_hide_something(void **state)
{
    (void)state;
    static const oct_property worn = {.name = "integrity", .number = 0.5};
    for (int i = 0; i < 4; i++) {
        scene s;
        init(&s, i > 0);
        put(&s, 903, (oct_bounds){{1, 6, 6}, {2, 6.5, 7}}, false, 0);
        look(&s, 0, 600);
        assert_int_equal(ask_about(&s, false, true).status, POSSIBLE_EXCLUDED);
        oct_entity *const crate = (oct_entity *)s.entities.items + s.entities.count - 1;
        crate->velocity.x = i < 2 ? 1 : 0;
        crate->props = i == 3 ? &worn : NULL; // what is damaged stays
        crate->prop_count = i == 3;
        crate->thing.box.max.x += i == 2 ? 0.5 : 0;
        look(&s, 0, 600);
        const possible_answer a = ask_about(&s, false, true);
        assert_int_equal(a.status, i == 3 ? POSSIBLE_EXCLUDED : POSSIBLE_UNSEEN);
        assert_true(a.has_carrier == (i < 3) && a.unseen.count == 0);
        assert_int_equal(a.carrier, i < 3 ? 903 : 0);
        assert_int_equal(ask(&s, true).status,
                         i == 0 || i == 3 ? POSSIBLE_EXCLUDED : POSSIBLE_UNSEEN);
        free_scene(&s);
    }
}

// A door that was first seen after a press may have been open before.
static void the_start_counts(void **state)
{
    (void)state;
    scene s;
    init(&s, true);
    put_panel(&s, 1);
    press(&s);
    s.tick += 600;
    look(&s, 0, 600);
    assert_int_equal(ask(&s, false).status, POSSIBLE_MAYBE);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_excludes_without_a_word_about_doors),
        cmocka_unit_test(what_was_not_found_rests_on_doors_that_hide_something),
        cmocka_unit_test(promised_toggles_stand_for_what_they_imply),
        cmocka_unit_test(a_shut_door_without_buttons_excludes),
        cmocka_unit_test(a_denied_assumption_leaves_it_open),
        cmocka_unit_test(a_button_that_was_not_tried_may_open),
        cmocka_unit_test(a_press_in_vain_excludes_unless_it_comes_late),
        cmocka_unit_test(a_place_that_was_not_seen_is_named),
        cmocka_unit_test(a_door_that_may_move_by_itself_is_watched),
        cmocka_unit_test(what_moves_may_hide_something),
        cmocka_unit_test(the_start_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
