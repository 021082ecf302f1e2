// SPDX-License-Identifier: MIT
// The examination of adapters: the block world behind the protocol has no fault, and with one in it
// that one is named. The games of tests/faulty_game.py are examined by tests/cli/games.sh.
#include "support.h"

#include "link_mock.h"

#include "base/base_internal.h"
#include "files/files_internal.h"
#include "link/link_check.h"
#include "octant/block_world.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum planted { PLANTED_NONE, PLANTED_FAST, PLANTED_DEAF, PLANTED_JUMP } planted;

// The block world with a fault.
typedef struct faulty {
    oct_game game; // first
    struct faulty *self;
    oct_game *inner;
    planted fault;
    oct_player_body body;
    oct_entity *entities;
} faulty;

static void destroy(void *self)
{
    faulty *const f = self;
    oct_game_destroy(f->inner);
    free(f->entities);
    free(f);
}

static const oct_game_info *describe(const void *self)
{
    return oct_game_describe(((const faulty *)self)->inner);
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    faulty *const f = ((const faulty *)self)->self;
    const oct_player_body *out;
    assert_int_equal(oct_game_body(f->inner, who, &out), OCT_OK);
    f->body = *out;
    f->body.speed = f->fault == PLANTED_FAST ? out->speed / 4.0 : out->speed;
    return &f->body;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    faulty *const f = self;
    OCT_TRY(oct_game_observe(f->inner, who, out));
    free(f->entities);
    f->entities = calloc(out->count + 1, sizeof *f->entities);
    assert_non_null(f->entities);
    for (size_t i = 0; i < out->count; i++) {
        f->entities[i] = out->entities[i];
        oct_entity *const e = &f->entities[i];
        if (f->fault == PLANTED_JUMP && e->kind == OCT_ENTITY_BUTTON && out->self.tick / 30 % 2) {
            e->thing.box.min.z += 3.0;
            e->thing.box.max.z += 3.0;
        }
    }
    out->entities = f->entities;
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    return oct_game_self(((faulty *)self)->inner, who, out);
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    return oct_game_scenery(((faulty *)self)->inner, from, out);
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    faulty *const f = self;
    *came = OCT_ACT_DONE;
    return f->fault == PLANTED_DEAF && action->verb == OCT_VERB_MOVE
               ? OCT_OK
               : oct_game_act(f->inner, who, action, came);
}

static oct_result step(void *self, uint32_t ticks)
{
    return oct_game_step(((faulty *)self)->inner, ticks);
}

static uint64_t tick(const void *self)
{
    return oct_game_tick(((const faulty *)self)->inner);
}

static uint64_t hash(const void *self)
{
    return oct_game_hash(((const faulty *)self)->inner);
}

static const oct_game_ops ops = {.destroy = destroy,
                                 .describe = describe,
                                 .body = body,
                                 .observe = observe,
                                 .self = self_of,
                                 .scenery = scenery,
                                 .act = act,
                                 .step = step,
                                 .tick = tick,
                                 .hash = hash};

typedef struct scene {
    oct_world *world;
    planted fault;
} scene;

static oct_result make(void *ctx, oct_game **out)
{
    const scene *const s = ctx;
    faulty *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    *f = (faulty){.game = {&ops}, .self = f, .fault = s->fault};
    *out = &f->game;
    return oct_block_world_create(&(oct_block_world_def){.world = s->world}, &f->inner);
}

static oct_result renew(void *ctx, oct_game **game, const oct_game_start *start)
{
    (void)start;
    oct_game_destroy(*game);
    *game = NULL;
    return make(ctx, game);
}

static void release(void *ctx)
{
    mock_wire_close(ctx);
    free(ctx);
}

static oct_result open_game(void *ctx, oct_game **out, char *trouble, size_t size)
{
    scene *const s = ctx;
    const link_host host = {.make = make, .reset = renew, .ctx = s};
    mock_wire *const wire = calloc(1, sizeof *wire);
    assert_non_null(wire);
    assert_int_equal(mock_wire_open(wire, &host, NULL), OCT_OK);
    const link_carrier carrier = mock_wire_carrier(wire);
    const link_client_def def = {.release = release, .ctx = wire};
    return oct_link_play(&carrier, &def, out, trouble, size);
}

static oct_world *load(void)
{
    oct_error error;
    oct_array bytes = {0};
    oct_world *world;
    const oct_allocator heap = oct_allocator_default();
    assert_int_equal(
        oct_file_read(OCT_SOURCE_DIR "/worlds/three_doors.json", 1 << 24, &heap, &bytes, &error),
        OCT_OK);
    assert_int_equal(oct_world_decode(bytes.items, bytes.count, NULL, &world, NULL, &error),
                     OCT_OK);
    oct_array_free(&bytes, &heap, 1);
    return world;
}

// Examines the block world with a fault: that one alone is found, or none.
static link_check examine(planted fault, link_fault expected)
{
    scene s = {.world = load(), .fault = fault};
    char trouble[2048];
    link_check *const check = malloc(sizeof *check);
    const link_check_def def = {.open = open_game, .ctx = &s, .is_process = true};
    assert_non_null(check);
    assert_int_equal(oct_link_check(&def, check, trouble, sizeof trouble), OCT_OK);
    for (int i = 0; i < FAULT_COUNT; i++) {
        const bool is_expected = (link_fault)i == expected;
        if (is_expected != (check->what[i][0] != '\0')) {
            fail_msg("%s: %s", oct_link_fault_name((link_fault)i), check->what[i]);
        }
    }
    assert_int_equal(oct_link_check_faults(check), expected == FAULT_COUNT ? 0 : 1);
    const link_check out = *check;
    free(check);
    oct_world_destroy(s.world);
    return out;
}

static void a_game_without_faults_has_none(void **state)
{
    (void)state;
    const link_check check = examine(PLANTED_NONE, FAULT_COUNT);
    assert_true(check.facts.can_reset && check.facts.can_turn && check.facts.can_since);
    assert_int_equal(check.reset_repeats, LINK_YES);
    assert_int_equal(check.start_repeats, LINK_YES);
    assert_true(check.presses > 0);
    assert_true(check.ticks_per_s > 0.0 && check.turns_per_s > 0.0);
    assert_string_equal(check.game, "block world");
}

static void each_fault_is_named(void **state)
{
    (void)state;
    (void)examine(PLANTED_FAST, FAULT_TOO_FAST);
    (void)examine(PLANTED_DEAF, FAULT_ACT_IGNORED);
    (void)examine(PLANTED_JUMP, FAULT_ENTITIES_JUMP);
}

static void faults_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < FAULT_COUNT; i++) {
        assert_non_null(oct_link_fault_name((link_fault)i));
    }
    assert_null(oct_link_fault_name(FAULT_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_without_faults_has_none),
        cmocka_unit_test(each_fault_is_named),
        cmocka_unit_test(faults_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
