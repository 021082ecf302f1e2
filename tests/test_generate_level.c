// SPDX-License-Identifier: MIT
// Levels: what can be asked for, that the same comes out, and what presses do. What can be solved
// is in test_level_oracle.c.
#include "level_oracle.h"
#include "level_support.h"
#include "world_support.h"

#include "game/block_probe.h"
#include "octant/block_world.h"
#include "octant/generate_level.h"

static int make_truth(void **state)
{
    *state = test_calloc(1, sizeof(oct_level_truth));
    return 0;
}

static int free_truth(void **state)
{
    test_free(*state);
    return 0;
}

// ---- what can be asked for ----

static void the_truth_is_what_was_asked_for(void **state)
{
    oct_level_truth *truth = *state;
    uint32_t whys[OCT_LEVEL_WHY_COUNT] = {0};
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            const oct_level_def def = def_of((oct_level_class)of, seed, seed % 2 == 0);
            oct_world_destroy(generate(&def, truth));
            assert_int_equal(truth->level_class, of);
            assert_int_equal(truth->solvable, !def.unsolvable);
            assert_int_equal(truth->solvable, truth->why == OCT_LEVEL_SOLVABLE);
            assert_int_equal(truth->solvable, truth->steps > 0);
            assert_int_equal(truth->solvable, truth->assumes == 0);
            assert_true(truth->solvable || !truth->alone);
            assert_true(of == OCT_LEVEL_AGENTS ? truth->agents > 1 : truth->agents == 1);
            assert_in_range(truth->doors, 2, of == OCT_LEVEL_ROWS ? 70 : 12);
            whys[truth->why]++;
        }
    }
    for (int why = 0; why < OCT_LEVEL_WHY_COUNT; why++) {
        assert_true(whys[why] >= 4);
    }
}

static void there_are_as_many_as_asked_for(void **state)
{
    oct_level_truth *truth = *state;
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        static const uint32_t doors[] = {5, 12, 40};
        for (size_t i = of == OCT_LEVEL_ROWS ? 1 : 0; i < sizeof doors / sizeof doors[0]; i++) {
            oct_level_def def = def_of((oct_level_class)of, 3, i == 1);
            def.doors = doors[i];
            oct_world_destroy(generate(&def, truth));
            assert_int_equal(truth->doors, doors[i]);
            if (truth->buttons < OCT_LEVEL_BUTTONS_MAX - 4) {
                def.buttons = truth->buttons + 4;
                oct_world_destroy(generate(&def, truth));
                assert_int_equal(truth->buttons, def.buttons);
            }
        }
    }
    oct_level_def rows = def_of(OCT_LEVEL_ROWS, 1, false);
    rows.doors = OCT_LEVEL_DOORS_MAX;
    oct_world_destroy(generate(&rows, truth));
    assert_int_equal(truth->doors, OCT_LEVEL_DOORS_MAX);
}

static void refuse(const oct_level_def *def, oct_result expected)
{
    oct_world *world = (oct_world *)(uintptr_t)def; // anything but NULL
    assert_int_equal(oct_level_generate(def, NULL, &world, NULL), expected);
    assert_null(world);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    oct_level_def def = oct_level_def_default();
    def.cookie = 0;
    refuse(&def, OCT_ERROR_ARGUMENT);
    def = def_of(OCT_LEVEL_CLASS_COUNT, 1, false);
    refuse(&def, OCT_ERROR_ARGUMENT);
    def = def_of(OCT_LEVEL_TOGGLES, 1, true);
    def.why = OCT_LEVEL_WHY_COUNT;
    refuse(&def, OCT_ERROR_ARGUMENT);
    def.why = OCT_LEVEL_SEALED;
    def.unsolvable = false;
    refuse(&def, OCT_ERROR_ARGUMENT);
    // Several agents get past these.
    def = def_of(OCT_LEVEL_AGENTS, 1, true);
    for (int i = 0; i < 3; i++) {
        static const oct_level_why whys[] = {OCT_LEVEL_PARITY, OCT_LEVEL_SHORT,
                                             OCT_LEVEL_EXCLUSIVE};
        def.why = whys[i];
        refuse(&def, OCT_ERROR_ARGUMENT);
    }
    static const struct {
        oct_level_class of;
        uint32_t doors, buttons;
    } beyond[] = {{OCT_LEVEL_TOGGLES, 1, 0}, {OCT_LEVEL_TOGGLES, 41, 0},
                  {OCT_LEVEL_ROWS, 71, 0},   {OCT_LEVEL_ROWS, 3, 0},   // too few for the class
                  {OCT_LEVEL_OPENS, 0, 81},  {OCT_LEVEL_OPENS, 4, 2}}; // too few for the doors
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        def = def_of(beyond[i].of, 1, false);
        def.doors = beyond[i].doors;
        def.buttons = beyond[i].buttons;
        refuse(&def, OCT_ERROR_RANGE);
    }
}

static void classes_and_reasons_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < OCT_LEVEL_CLASS_COUNT; i++) {
        assert_non_null(oct_level_class_name((oct_level_class)i));
    }
    for (int i = 0; i < OCT_LEVEL_WHY_COUNT; i++) {
        assert_non_null(oct_level_why_name((oct_level_why)i));
    }
    assert_string_equal(oct_level_class_name(OCT_LEVEL_DETOURS), "detours");
    assert_string_equal(oct_level_class_name(OCT_LEVEL_HOUSES), "houses");
    assert_string_equal(oct_level_why_name(OCT_LEVEL_SHUT_ONLY), "shut-only");
    assert_null(oct_level_class_name(OCT_LEVEL_CLASS_COUNT));
    assert_null(oct_level_why_name(OCT_LEVEL_WHY_COUNT));
}

// ---- the same for all ----

static uint64_t hash_of(const oct_level_def *def)
{
    oct_world *world = generate(def, NULL);
    oct_array bytes = encoded(world);
    const uint64_t hash = oct_hash_bytes(bytes.items, bytes.count);
    drop(&bytes);
    oct_world_destroy(world);
    return hash;
}

// Of the files' bytes, all together.
static void the_same_seed_makes_the_same_file(void **state)
{
    (void)state;
    uint64_t all = 0;
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        const oct_level_def def = def_of((oct_level_class)of, 1, of % 2 == 1);
        const oct_level_def other = def_of((oct_level_class)of, 2, of % 2 == 1);
        const uint64_t hash = hash_of(&def);
        assert_int_equal(hash, hash_of(&def));
        assert_true(hash != hash_of(&other));
        all = 31 * all + hash;
    }
    if (all != UINT64_C(0x4cb2ad418d0d7ee6)) {
        fail_msg("0x%016llx", (unsigned long long)all);
    }
}

static void files_keep_levels_as_they_are(void **state)
{
    (void)state;
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        const oct_level_def def = def_of((oct_level_class)of, 5, of % 2 == 0);
        oct_world *world = generate(&def, NULL), *again;
        oct_array bytes = encoded(world);
        oct_error error;
        assert_int_equal(decode(bytes.items, bytes.count, &again, &error), OCT_OK);
        assert_same_world(world, again);
        drop(&bytes);
        oct_world_destroy(again);
        oct_world_destroy(world);
    }
}

static oct_result generate_once(const oct_allocator *allocator, void *ctx)
{
    oct_world *world;
    const oct_result result = oct_level_generate(ctx, allocator, &world, NULL);
    assert_int_equal(result == OCT_OK, world != NULL);
    oct_world_destroy(world);
    return result;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    oct_level_def def = def_of(OCT_LEVEL_DRIFTING, 3, true);
    assert_true(test_each_failure(generate_once, &def) > 10);
}

// ---- what presses do ----

// Presses a button of a new game, with somebody before every door to look at it; where panels are
// cased nobody can.
typedef struct bystanders {
    oct_game *game;
    const level_scene *scene;
    uint32_t doors;
} bystanders;

static double opening_of(const bystanders *b, uint32_t door)
{
    oct_observation seen;
    assert_int_equal(oct_game_observe(b->game, 1 + door, &seen), OCT_OK);
    for (size_t i = 0; i < seen.count; i++) {
        if (seen.entities[i].thing.id == b->scene->door[door].id) {
            return seen.entities[i].opening;
        }
    }
    fail_msg("door %u is not in view", door + 1);
    return 0.0;
}

// Who stands as the building does, with the middle of the body at a place of its frame.
static oct_pose pose_at(const level_scene *s, oct_point at)
{
    at.y -= 0.9;
    return (oct_pose){scene_to_world(s, at), {-s->back.x, -s->back.y, -s->back.z}, s->up};
}

static void stand_around(bystanders *b, const level_space *space)
{
    for (uint32_t d = 0; d < b->doors; d++) {
        oct_point at;
        for (int r = 0; !level_place_by_door(space, d, r, &at); r++) {
            assert_true(r < space->regions);
        }
        const oct_pose pose = pose_at(b->scene, at);
        assert_int_equal(oct_game_join(b->game, &pose, NULL), OCT_OK);
    }
}

static bool press(const bystanders *b, const level_space *space, oct_level_button button)
{
    const oct_action action = {
        .verb = OCT_VERB_USE, .ticks = 1, .target = button.panel, .button = button.number};
    uint32_t panel = 0;
    oct_point at;
    while (b->scene->panel[panel].id != button.panel) {
        panel++;
    }
    for (int r = 0; r < space->regions; r++) {
        if (level_place_by_panel(space, panel, r, &at)) {
            oct_act came;
            const oct_pose pose = pose_at(b->scene, at);
            assert_int_equal(oct_block_world_teleport(b->game, 0, &pose, (oct_point){0, 0, 0}),
                             OCT_OK);
            assert_int_equal(oct_game_act(b->game, 0, &action, &came), OCT_OK);
            assert_int_equal(came, OCT_ACT_DONE);
            return true;
        }
    }
    return false;
}

// Whether a door is to be open after a first action.
static bool opens_by(oct_level_action action, bool was_open)
{
    return action == OCT_LEVEL_TOGGLE ? !was_open : action == OCT_LEVEL_OPEN;
}

// Nothing before the delay; then what is told, until it is undone.
static void watch(const bystanders *b, const oct_level_effect *effects)
{
    bool was[OCT_LEVEL_DOORS_MAX];
    const uint32_t slide = (uint32_t)(b->scene->rules.door * OCT_BLOCK_WORLD_RATE);
    uint32_t last = 0;
    for (uint32_t d = 0; d < b->doors; d++) {
        was[d] = opening_of(b, d) > 0.0;
        last = effects[d].delay > last ? effects[d].delay : last;
        last = effects[d].undo > last ? effects[d].undo : last;
    }
    for (uint32_t tick = 1; tick <= last + slide + 2 * OCT_BLOCK_WORLD_RATE; tick++) {
        assert_int_equal(oct_game_step(b->game, 1), OCT_OK);
        for (uint32_t d = 0; d < b->doors; d++) {
            const oct_level_effect e = effects[d];
            const bool opens = opens_by((oct_level_action)e.action, was[d]);
            const bool is_before = tick < e.delay;
            const bool is_after =
                tick == e.delay + slide + 1 && (e.undo == 0 || e.undo > e.delay + slide + 1);
            if (e.action == OCT_LEVEL_NOTHING || is_before) {
                if (tick % 60 == 0 || tick + 1 == e.delay) {
                    assert_true(opening_of(b, d) == (was[d] ? 1.0 : 0.0));
                }
            } else if (is_after) {
                assert_true(opening_of(b, d) == (opens ? 1.0 : 0.0));
            } else if (e.undo > 0 && tick == e.undo + slide + 1) {
                assert_true(opening_of(b, d) == (opens ? 0.0 : 1.0));
            }
        }
    }
}

static void a_press_does_what_the_truth_says(void **state)
{
    oct_level_truth *truth = *state;
    uint32_t pressed = 0, undone = 0;
    for (int of = 0; of < OCT_LEVEL_CLASS_COUNT; of++) {
        const oct_level_def def = def_of((oct_level_class)of, 2, true);
        if (of == OCT_LEVEL_HOUSES) {
            continue; // a scene has one frame
        }
        oct_world *world = generate(&def, truth);
        level_scene *scene = level_scene_read(world);
        level_space *space = level_oracle_space(scene, false);
        for (uint32_t i = 0; i < truth->buttons && truth->doors <= 8; i++) {
            bystanders b = {.scene = scene, .doors = truth->doors};
            assert_int_equal(oct_block_world_create(&(oct_block_world_def){world, NULL}, &b.game),
                             OCT_OK);
            stand_around(&b, space);
            if (press(&b, space, truth->button[i])) {
                pressed++;
                watch(&b, truth->effect[i]);
            }
            for (uint32_t d = 0; d < truth->doors; d++) {
                undone += truth->effect[i][d].undo > 0;
            }
            oct_game_destroy(b.game);
        }
        level_space_free(space);
        level_scene_free(scene);
        oct_world_destroy(world);
    }
    assert_true(pressed > 60 && undone > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_truth_is_what_was_asked_for, make_truth, free_truth),
        cmocka_unit_test_setup_teardown(there_are_as_many_as_asked_for, make_truth, free_truth),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(classes_and_reasons_have_names),
        cmocka_unit_test(the_same_seed_makes_the_same_file),
        cmocka_unit_test(files_keep_levels_as_they_are),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test_setup_teardown(a_press_does_what_the_truth_says, make_truth, free_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
