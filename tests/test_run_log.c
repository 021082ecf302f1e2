// SPDX-License-Identifier: MIT
// The log of a run replays to exactly what was told and done.
#include "agent_world.h"

#include "agent/agent_internal.h"
#include "agent/belief_internal.h"
#include "agent/history.h"
#include "base/base_internal.h"

#include <stdio.h>

#define IDS_MAX 64

// ---- what was told, kept by the test ----

typedef struct kept_look {
    oct_log_look look; // without its changes
    oct_entity *told;
    size_t count;
} kept_look;

typedef struct kept {
    oct_allocator heap;
    oct_array looks; // of kept_look
    oct_array acts;  // of oct_log_act
} kept;

static void keep(kept *k, uint32_t life, uint32_t who, const oct_observation *o)
{
    kept_look new = {.look = {.tick = o->self.tick,
                              .life = life,
                              .who = who,
                              .pose = o->self.pose,
                              .centre = o->self.centre,
                              .eye = o->self.eye},
                     .count = o->count};
    new.told = oct_alloc(&k->heap, (o->count + 1) * sizeof *new.told, _Alignof(oct_entity));
    assert_non_null(new.told);
    for (size_t i = 0; i < o->count; i++) {
        new.told[i] = o->entities[i];
        new.told[i].name = oct_copy_text(&k->heap, o->entities[i].name);
    }
    assert_int_equal(oct_array_push(&k->looks, &k->heap, sizeof new, &new), OCT_OK);
}

static void free_kept(kept *k)
{
    kept_look *const all = k->looks.items;
    for (size_t i = 0; i < k->looks.count; i++) {
        for (size_t n = 0; n < all[i].count; n++) {
            char *name;
            memcpy(&name, &all[i].told[n].name, sizeof name);
            oct_free_text(&k->heap, name);
        }
        oct_free(&k->heap, all[i].told, (all[i].count + 1) * sizeof *all[i].told);
    }
    oct_array_free(&k->looks, &k->heap, sizeof(kept_look));
    oct_array_free(&k->acts, &k->heap, sizeof(oct_log_act));
}

// ---- replaying ----

static bool same_point(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_pose(oct_pose a, oct_pose b)
{
    return same_point(a.position, b.position) && same_point(a.forward, b.forward) &&
           same_point(a.up, b.up);
}

static void check_entity(const oct_entity *a, const oct_entity *b)
{
    assert_true(a->thing.id == b->thing.id);
    assert_true(same_point(a->thing.box.min, b->thing.box.min));
    assert_true(same_point(a->thing.box.max, b->thing.box.max));
    assert_int_equal(a->thing.label, b->thing.label);
    assert_int_equal(a->thing.opaque, b->thing.opaque);
    assert_string_equal(a->name, b->name);
    assert_true(oct_entity_is_alike(a, b));
    assert_true(same_point(a->forward, b->forward) && same_point(a->up, b->up));
    assert_true(same_point(a->velocity, b->velocity));
    assert_true(a->opening == b->opening);
}

// What a player is told, as the log has it so far.
typedef struct told_list {
    uint32_t who, life;
    oct_array things; // of uint32_t
} told_list;

static void apply(told_list *t, const oct_allocator *heap, const oct_run_log *log,
                  const oct_log_change *c)
{
    assert_true(c->thing < log->thing_count);
    const uint64_t id = log->things[c->thing].thing.id;
    uint32_t *things = t->things.items;
    size_t at = 0;
    while (at < t->things.count && log->things[things[at]].thing.id != id) {
        at++;
    }
    if (c->is_gone) {
        assert_true(at < t->things.count && things[at] == c->thing);
        things[at] = things[--t->things.count];
    } else if (at < t->things.count) {
        assert_true(things[at] != c->thing); // else it would be told as before
        things[at] = c->thing;
    } else {
        assert_int_equal(oct_array_push(&t->things, heap, sizeof *things, &c->thing), OCT_OK);
    }
}

static void check_told(const told_list *t, const oct_run_log *log, const kept_look *k)
{
    const uint32_t *const things = t->things.items;
    assert_int_equal(t->things.count, k->count);
    for (size_t i = 0; i < k->count; i++) {
        size_t at = 0;
        while (at < k->count && log->things[things[at]].thing.id != k->told[i].thing.id) {
            at++;
        }
        assert_true(at < k->count);
        check_entity(&log->things[things[at]], &k->told[i]);
    }
}

#define PLAYERS_MAX 4

static void check_looks(const kept *k, const oct_run_log *log)
{
    told_list lists[PLAYERS_MAX] = {{0}};
    size_t starts = 0, next = 0;
    bool has_begun[PLAYERS_MAX] = {false};
    assert_int_equal(log->look_count, k->looks.count);
    for (size_t i = 0; i < log->look_count; i++) {
        const kept_look *const own = (const kept_look *)k->looks.items + i;
        const oct_log_look *const look = &log->looks[i];
        told_list *const list = &lists[look->who];
        assert_true(look->tick == own->look.tick && look->radius > 0.0);
        assert_int_equal(look->life, own->look.life);
        assert_int_equal(look->who, own->look.who);
        assert_int_equal(look->tick, own->look.tick);
        assert_true(same_pose(look->pose, own->look.pose));
        assert_true(same_point(look->centre, own->look.centre));
        if (!has_begun[look->who] || list->life != look->life) {
            assert_true(starts < log->start_count);
            const oct_log_start *const start = &log->starts[starts++];
            assert_true(start->who == look->who && start->life == look->life);
            assert_true(same_point(start->centre, look->centre));
            has_begun[look->who] = true;
            list->life = look->life;
            list->things.count = 0;
        }
        assert_int_equal(look->first, next);
        next += look->count;
        for (uint32_t n = 0; n < look->count; n++) {
            apply(list, &k->heap, log, &log->changes[look->first + n]);
        }
        check_told(list, log, own);
    }
    assert_int_equal(starts, log->start_count);
    assert_int_equal(next, log->change_count);
    for (int i = 0; i < PLAYERS_MAX; i++) {
        oct_array_free(&lists[i].things, &k->heap, sizeof(uint32_t));
    }
}

static void check_acts(const kept *k, const oct_run_log *log)
{
    const oct_log_act *const own = k->acts.items;
    assert_int_equal(log->act_count, k->acts.count);
    for (size_t i = 0; i < log->act_count; i++) {
        const oct_log_act *const a = &log->acts[i];
        assert_true(a->tick == own[i].tick && a->target == own[i].target);
        assert_true(a->life == own[i].life && a->who == own[i].who && a->verb == own[i].verb);
        assert_true(a->button == own[i].button && a->came == own[i].came);
        assert_true(same_pose(a->pose, own[i].pose) && same_point(a->centre, own[i].centre));
    }
}

// ---- random looks ----

static const oct_game_info info = {.game = "mock",
                                   .level = "any",
                                   .rate = 60.0,
                                   .view = 10.0,
                                   .denies = 1u << OCT_ASSUME_ALONE,
                                   .settle = 7,
                                   .has_settle = true};

static const oct_property wear[] = {{.name = "integrity", .number = 1.0},
                                    {.name = "integrity", .number = 0.5},
                                    {.name = "paint", .kind = OCT_VALUE_TEXT, .text = "red"}};
static const char *const uses[] = {"press", "pull",  "press", "pull",  "press", "pull",  "press",
                                   "pull",  "press", "pull",  "press", "pull",  "press", "pull"};

static oct_entity make_entity(uint64_t id)
{
    static const char *const names[] = {"", "one", "another"};
    return (oct_entity){.thing = {.id = id, .box = {{(double)id, 0, 0}, {(double)id + 1, 1, 1}}},
                        .name = names[id % 3],
                        .type = id % 4 == 3 ? "" : "block",
                        .kind = id % 4 == 3   ? OCT_ENTITY_PLAYER
                                : id % 4 == 1 ? OCT_ENTITY_DOOR
                                              : OCT_ENTITY_SOLID,
                        .uses = uses,
                        .props = wear,
                        .forward = {0, 0, -1},
                        .up = {0, 1, 0}};
}

// Changes one thing of an entity.
static void change(oct_random *r, oct_entity *e)
{
    switch (oct_random_below(r, 9)) {
    case 0:
        e->thing.box.max.z += 1.0;
        break;
    case 1:
        e->thing.label ^= OCT_BLOCKED;
        break;
    case 2:
        e->thing.opaque ^= 1;
        break;
    case 3:
        e->opening = e->opening > 0.0 ? 0.0 : 0.5;
        break;
    case 4:
        e->velocity.x = e->velocity.x > 0.0 ? 0.0 : 1.0;
        break;
    case 5:
        e->prop_count = (e->prop_count + 1) % 4;
        break;
    case 6:
        e->forward.z = -e->forward.z;
        break;
    case 7:
        e->use_count = (e->use_count + 1) % 14;
        break;
    default:
        e->name = e->name[0] ? "" : "new";
        break;
    }
}

// Some looks of two players in three lives. Order is as games have it, or any.
static oct_result look_at_random(const oct_allocator *allocator, kept *k, uint64_t seed,
                                 bool is_sorted, run_log *log)
{
    oct_random r = oct_random_seed(seed);
    oct_entity world[IDS_MAX], seen[IDS_MAX];
    const oct_player_body body = oct_player_body_default();
    oct_log_init(log, allocator);
    for (uint64_t i = 0; i < IDS_MAX; i++) {
        world[i] = make_entity(is_sorted ? i * 3 : (i * 37) % IDS_MAX);
    }
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t life = i / 20, who = (uint32_t)oct_random_below(&r, 2);
        for (uint64_t n = oct_random_below(&r, 4); n > 0; n--) {
            change(&r, &world[oct_random_below(&r, IDS_MAX)]);
        }
        const uint64_t from = oct_random_below(&r, IDS_MAX), to = oct_random_below(&r, IDS_MAX);
        oct_observation o = {.self = {.tick = i % 20, .centre = {i, who, 0}}, .entities = seen};
        for (uint64_t n = from; n < to; n++) {
            seen[o.count++] = world[n];
        }
        OCT_TRY(oct_log_note_look(log, &info, &body, false, life, who, &o));
        if (k) {
            keep(k, life, who, &o);
        }
    }
    return OCT_OK;
}

static void a_log_replays_to_what_was_told(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    for (uint64_t seed = 0; seed < 20; seed++) {
        kept k = {.heap = heap};
        run_log log;
        oct_run_log *out;
        assert_int_equal(look_at_random(&heap, &k, seed, seed % 2 == 0, &log), OCT_OK);
        assert_int_equal(oct_log_finish(&log, NULL, &out), OCT_OK);
        oct_log_free(&log); // it stands for itself
        check_looks(&k, out);
        assert_string_equal(out->info.game, "");
        assert_true(out->info.settle == 7 && out->info.denies == info.denies && out->denies == 0);
        oct_run_log_destroy(out);
        free_kept(&k);
    }
}

// What is told as before takes nothing but the look.
static void nothing_new_takes_no_room(void **state)
{
    (void)state;
    run_log log;
    const oct_allocator heap = oct_allocator_default();
    const oct_player_body body = oct_player_body_default();
    oct_log_init(&log, &heap);
    const oct_entity seen[] = {make_entity(1), make_entity(2), make_entity(5)};
    const oct_observation o = {.entities = seen, .count = 3}, none = {.count = 0};
    for (uint32_t life = 0; life < 2; life++) {
        for (int i = 0; i < 10; i++) {
            assert_int_equal(oct_log_note_look(&log, &info, &body, false, life, 0, &o), OCT_OK);
        }
        assert_int_equal(log.changes.count, 6 * life + 3);
        assert_int_equal(oct_log_note_look(&log, &info, &body, false, life, 0, &none), OCT_OK);
        assert_int_equal(log.changes.count, 6 * life + 6);
        assert_int_equal(log.things.count, 3);
    }
    oct_log_free(&log);
}

// What a press changes besides doors and the pressed panel is noted, in the life and while it may
// still come.
static void changes_by_presses_are_noted(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    const oct_player_body body = oct_player_body_default();
    for (int how = 0; how < 8; how++) {
        run_log log;
        oct_log_init(&log, &heap);
        oct_entity lamp = make_entity(1);
        lamp.kind = OCT_ENTITY_SOLID;
        lamp.prop_count = 1;
        lamp.opening = how == 6 ? 0.5 : 0.0;
        const oct_observation o = {.entities = &lamp, .count = 1, .self = {.tick = 0}};
        const uint64_t id = how == 1 ? lamp.thing.id : lamp.thing.id + 100;
        const oct_action use = {.verb = OCT_VERB_USE, .target = id};
        assert_int_equal(oct_log_note_look(&log, &info, &body, false, 0, 0, &o), OCT_OK);
        if (how != 2) {
            assert_int_equal(oct_log_note_act(&log, 0, 0, &(oct_self){.tick = 5}, &use,
                                              how == 3 ? OCT_ACT_TOO_FAR : OCT_ACT_DONE),
                             OCT_OK);
        }
        oct_observation later = o;
        later.self.tick = 20;
        if (how == 4) { // after all has come
            later.self.tick = 100000;
            assert_int_equal(oct_log_note_look(&log, &info, &body, false, 0, 0, &later), OCT_OK);
            later.self.tick++;
        }
        lamp.props = how == 7 ? lamp.props : &wear[1];
        lamp.velocity.x += how == 7; // where it is does not count
        assert_int_equal(oct_log_note_look(&log, &info, &body, false, how == 5, 0, &later), OCT_OK);
        assert_true(log.forgets == (how == 0 || how == 6));
        oct_log_free(&log);
    }
}

static oct_result look_and_finish(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    run_log log;
    oct_run_log *out = NULL;
    oct_result result = look_at_random(allocator, NULL, 3, true, &log);
    if (result == OCT_OK) {
        const oct_action action = {.verb = OCT_VERB_WAIT};
        result = oct_log_note_act(&log, 0, 0, &(oct_self){.tick = 1}, &action, OCT_ACT_DONE);
    }
    result = result == OCT_OK ? oct_log_finish(&log, allocator, &out) : result;
    oct_run_log_destroy(out);
    oct_log_free(&log);
    return result;
}

static void a_log_survives_any_allocation_failure(void **state)
{
    (void)state;
    assert_true(test_each_failure(look_and_finish, NULL) > 20);
    oct_run_log_destroy(NULL);
}

// ---- a game that is listened to ----

typedef struct spy {
    oct_game base;
    oct_game *inner;
    kept *kept;
} spy;

static oct_game *inner_of(const void *self)
{
    return ((const spy *)self)->inner;
}

static void spy_destroy(void *self)
{
    (void)self;
}

static const oct_game_info *spy_describe(const void *self)
{
    return oct_game_describe(inner_of(self));
}

static uint32_t spy_players(const void *self)
{
    return oct_game_players(inner_of(self));
}

static oct_result spy_join(void *self, const oct_pose *pose, uint32_t *who)
{
    return oct_game_join(inner_of(self), pose, who);
}

static oct_result spy_observe(void *self, uint32_t who, oct_observation *out)
{
    const oct_result result = oct_game_observe(inner_of(self), who, out);
    keep(((spy *)self)->kept, 0, who, out);
    return result;
}

static oct_result spy_self(void *self, uint32_t who, oct_self *out)
{
    return oct_game_self(inner_of(self), who, out);
}

static oct_result spy_act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    kept *const k = ((spy *)self)->kept;
    oct_self now;
    assert_int_equal(oct_game_self(inner_of(self), who, &now), OCT_OK);
    const oct_result result = oct_game_act(inner_of(self), who, action, came);
    const bool is_use = action->verb == OCT_VERB_USE;
    const oct_log_act new = {.tick = now.tick,
                             .who = who,
                             .pose = now.pose,
                             .centre = now.centre,
                             .verb = action->verb,
                             .target = is_use ? action->target : 0,
                             .button = is_use ? action->button : 0,
                             .came = *came};
    assert_int_equal(oct_array_push(&k->acts, &k->heap, sizeof new, &new), OCT_OK);
    return result;
}

static const oct_player_body *spy_body(const void *self, uint32_t who)
{
    const oct_player_body *body;
    assert_int_equal(oct_game_body(inner_of(self), who, &body), OCT_OK);
    return body;
}

static oct_result spy_step(void *self, uint32_t ticks)
{
    return oct_game_step(inner_of(self), ticks);
}

static uint64_t spy_tick(const void *self)
{
    return oct_game_tick(inner_of(self));
}

static uint64_t spy_hash(const void *self)
{
    return oct_game_hash(inner_of(self));
}

static const oct_game_ops spy_ops = {.destroy = spy_destroy,
                                     .describe = spy_describe,
                                     .players = spy_players,
                                     .join = spy_join,
                                     .body = spy_body,
                                     .observe = spy_observe,
                                     .self = spy_self,
                                     .act = spy_act,
                                     .step = spy_step,
                                     .tick = spy_tick,
                                     .hash = spy_hash};

// Two agents of one history, one of whom presses: the other sees the door move, and the body.
static void agents_log_what_they_are_told_and_do(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    block_scene s;
    kept k = {.heap = heap};
    plan_build(&s, PLAN("#########", "#..P#...#", "#S..D..T#", "#...#...#", "#########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    const uint32_t other = scene_join(&s, plan_at(1, 3));
    spy game = {{&spy_ops}, s.game, &k};
    oct_agent *agents[2];
    oct_history *const history = oct_history_create(NULL);
    assert_non_null(history);
    for (uint32_t i = 0; i < 2; i++) {
        oct_agent_def def = oct_agent_def_default();
        def.game = &game.base;
        def.who = i == 0 ? 0 : other;
        def.belief.history = history;
        assert_int_equal(oct_agent_create(&def, &agents[i]), OCT_OK);
        const oct_pick pick = pick_name(i == 0 ? "Target" : "Panel1");
        oct_goal *const goal = i == 0 ? oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0)
                                      : oct_goal_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0);
        assert_non_null(goal);
        assert_int_equal(oct_agent_pursue(agents[i], goal), OCT_OK);
    }
    for (int i = 0; i < 2000 && !(agents[0]->has_ended && agents[1]->has_ended); i++) {
        assert_int_equal(oct_agents_turn(agents, 2), OCT_OK);
    }
    agent_check(agents[0], OCT_VERDICT_PASS, "");
    oct_run_log *log;
    assert_int_equal(oct_log_finish(&history->log, NULL, &log), OCT_OK);
    check_looks(&k, log);
    check_acts(&k, log);
    assert_int_equal(log->start_count, 2);
    assert_true(log->starts[0].body.width == OCT_BLOCK_WORLD_WIDTH);
    size_t presses = 0;
    for (size_t i = 0; i < log->act_count; i++) {
        presses += log->acts[i].verb == OCT_VERB_USE && log->acts[i].came == OCT_ACT_DONE;
    }
    assert_true(presses > 0);
    print_message("%zu looks, %zu acts, %zu things, %zu changes\n", log->look_count, log->act_count,
                  log->thing_count, log->change_count);
    oct_run_log_destroy(log);
    oct_agent_destroy(agents[0]);
    oct_agent_destroy(agents[1]);
    oct_history_drop(history);
    free_kept(&k);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_replays_to_what_was_told),
        cmocka_unit_test(nothing_new_takes_no_room),
        cmocka_unit_test(changes_by_presses_are_noted),
        cmocka_unit_test(a_log_survives_any_allocation_failure),
        cmocka_unit_test(agents_log_what_they_are_told_and_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
