// SPDX-License-Identifier: MIT
// What agents give up for certain leaves a proof, and nothing that happened speaks against it.
#include "agent_world.h"
#include "game_words.h"

#include "agent/belief_internal.h"
#include "agent/history.h"
#include "agent/monitor.h"
#include "agent/possible.h"
#include "agent/proof.h"
#include "level_support.h"
#include "octant/play_test.h"

#include <math.h>

// ---- playing plans ----

// Goes to the target, or explores, or looks for what is not there.
typedef enum aim { AIM_TARGET, AIM_TARGET_WITHOUT_PRESSES, AIM_ALL, AIM_NOTHING } aim;

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)agent;
    const aim to = *(const aim *)ctx;
    const oct_pick pick = pick_name(to == AIM_NOTHING ? "Nothing" : "Target");
    *goal = to == AIM_ALL ? oct_goal_explore(NULL)
            : to == AIM_TARGET_WITHOUT_PRESSES
                ? oct_goal_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0)
                : oct_goal_smart_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0);
    return *goal ? OCT_OK : OCT_ERROR_MEMORY;
}

typedef struct playing {
    aim aim;
    oct_verdict expect;
    const oct_point *other; // where a second agent starts, who explores; NULL = there is none
    const oct_play_watch *watch;
    const oct_allocator *allocator;
} playing;

static oct_result play_world(oct_world *world, const playing *as, oct_play_result *out)
{
    aim aims[2] = {as->aim, AIM_ALL};
    oct_test_agent agents[2] = {oct_test_agent_default(), oct_test_agent_default()};
    for (int i = 0; i < 2; i++) {
        agents[i].agent.name = i == 0 ? "one" : "two";
        agents[i].begin = begin;
        agents[i].ctx = &aims[i];
    }
    agents[1].start = as->other;
    oct_test_def def = oct_test_def_default();
    def.world = world;
    def.seconds = 300;
    def.expect = as->expect;
    def.denies = 1u << OCT_ASSUME_FEET;
    def.agents = agents;
    def.agent_count = as->other ? 2 : 1;
    const oct_play_options options = {.monitors = true,
                                      .watches = as->watch,
                                      .watch_count = as->watch ? 1 : 0,
                                      .allocator = as->allocator};
    return oct_play_test(&def, &options, out);
}

static oct_play_result play_scene(block_scene *s, const playing *as)
{
    oct_play_result r;
    assert_int_equal(play_world(s->world, as, &r), OCT_OK);
    print_message("%s, by %s: %s; %zu proofs\n", oct_verdict_name(r.verdict),
                  oct_proof_name(r.proof), r.reason, r.proof_count);
    return r;
}

// ---- what holds of each proof ----

static bool holds(const oct_proof *p, const oct_proof_leaf *leaf, oct_point at)
{
    const double edge = p->cell_size * (double)((int64_t)1 << leaf->level);
    const double x = (at.x - p->origin.x) / edge - leaf->at.x,
                 y = (at.y - p->origin.y) / edge - leaf->at.y,
                 z = (at.z - p->origin.z) / edge - leaf->at.z;
    return x >= 0 && x < 1 && y >= 0 && y < 1 && z >= 0 && z < 1;
}

// The part that a point is in; UINT32_MAX for none. Leaves do not overlap.
static uint32_t part_at(const oct_proof *p, oct_point at)
{
    uint32_t part = UINT32_MAX;
    for (size_t i = 0; i < p->leaf_count; i++) {
        if (holds(p, &p->leaves[i], at)) {
            assert_int_equal(part, UINT32_MAX);
            part = p->leaves[i].part;
        }
    }
    return part;
}

static bool is_reached(const oct_proof *p, oct_point at)
{
    const uint32_t part = part_at(p, at);
    return part != UINT32_MAX && p->parts[part].is_reached;
}

static void check_states(const oct_proof *p)
{
    const uint64_t doors = p->door_count < 64 ? (UINT64_C(1) << p->door_count) - 1 : UINT64_MAX;
    assert_true((p->kind == OCT_PROOF_STATES) == (p->state_count > 0));
    for (size_t i = 0; i < p->state_count; i++) {
        const oct_proof_state *const s = &p->states[i];
        assert_true(s->home < p->part_count && p->parts[s->home].is_reached);
        assert_true(((s->open | s->moving) & ~doors) == 0);
        for (size_t k = 0; k < p->door_count; k++) {
            assert_true(p->doors[k].is_free || ((s->open | s->moving) >> k & 1) == 0);
        }
    }
}

static void check_proof(const oct_proof *p, const oct_run_log *log)
{
    char said[MONITOR_TEXT];
    const oct_allocator heap = oct_allocator_default();
    assert_true(p->kind == OCT_PROOF_CUT || p->kind == OCT_PROOF_STATES);
    assert_true(p->leaf_count > 0 && p->cell_size > 0.0);
    assert_true(fabs(p->radius - (log->starts[0].body.width / 2.0 - 0.002)) < 1e-12);
    for (size_t i = 0; i < p->leaf_count; i++) {
        assert_true(p->leaves[i].part < p->part_count && p->leaves[i].level < 32);
        // Of what is not reached only what doors close is there.
        const oct_proof_part *const part = &p->parts[p->leaves[i].part];
        assert_true(part->is_reached || (part->door_count > 0 && p->leaves[i].level == 0));
    }
    for (size_t i = 0; i < p->part_count; i++) {
        assert_true(p->parts[i].door_count <= OCT_PROOF_PART_DOORS);
        for (uint32_t k = 0; k < p->parts[i].door_count; k++) {
            assert_true(p->parts[i].doors[k] < p->door_count);
            assert_true(!p->parts[i].is_reached || p->doors[p->parts[i].doors[k]].is_free);
        }
    }
    for (size_t i = 0; i < p->button_count; i++) {
        assert_true(p->buttons[i].first + p->buttons[i].count <= p->contact_count);
    }
    for (size_t i = 0; i < p->contact_count; i++) {
        assert_true(p->contacts[i] < p->part_count);
    }
    for (size_t i = 0; i < p->button_count * p->door_count; i++) {
        assert_true(p->effects[i] > 0 && p->effects[i] < 16);
    }
    for (size_t i = 0; i < log->start_count; i++) {
        assert_true(is_reached(p, log->starts[i].centre));
    }
    check_states(p);
    assert_int_equal(oct_monitor_check(p, log, &heap, said), OCT_OK);
    assert_string_equal(said, "");
}

static void check_result(const oct_play_result *r)
{
    assert_non_null(r->log);
    assert_true(r->log->look_count > 0 && r->log->start_count > 0);
    assert_true((r->log->info.denies >> OCT_ASSUME_FEET & 1) != 0);
    assert_int_equal(r->log->denies, 1u << OCT_ASSUME_FEET);
    for (size_t i = 0; i < r->proof_count; i++) {
        check_proof(r->proofs[i], r->log);
    }
}

// ---- proofs ----

static const oct_point in_first_room = {2.5, 0, 5.0}, in_last_room = {17.5, 0, 5.0};

static void a_wall_is_a_cut_whatever_doors_do(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("#########", "#..D#...#", "#S..G..T#", "#...#...#", "#########"));
    oct_play_result r = play_scene(&s, &(playing){.aim = AIM_TARGET});
    assert_int_equal(r.verdict, OCT_VERDICT_FAIL);
    assert_int_equal(r.proof, OCT_PROOF_CUT);
    assert_int_equal(r.proof_count, 1);
    check_result(&r);
    const oct_proof *const p = r.proofs[0];
    assert_int_equal(p->assumes, r.assumes);
    assert_int_equal(p->assumes & 1u << OCT_ASSUME_CAUSES, 0);
    assert_true(p->target.presses);
    for (size_t i = 0; i < p->door_count; i++) {
        assert_true(p->doors[i].is_free);
    }
    assert_true(is_reached(p, in_first_room));
    assert_false(is_reached(p, in_last_room));
    oct_play_result_free(&r);
    assert_null(r.log);
    block_scene_free(&s);
}

static void build_sealed(block_scene *s)
{
    plan_build(s, PLAN("#########", "#..P#...#", "#S..D..T#", "#...#...#", "#########"));
}

static void a_door_that_nothing_opens_is_a_cut(void **state)
{
    (void)state;
    block_scene s;
    build_sealed(&s);
    oct_play_result r = play_scene(&s, &(playing){.aim = AIM_NOTHING, .expect = OCT_VERDICT_FAIL});
    assert_int_equal(r.verdict, OCT_VERDICT_PASS); // as expected
    assert_int_equal(r.proof, OCT_PROOF_CUT);
    check_result(&r);
    assert_int_equal(r.proof_count, 1);
    const oct_proof *const p = r.proofs[0];
    assert_false(p->target.is_known);
    assert_int_equal(p->door_count, 1);
    assert_true(p->doors[0].id == 'D');
    assert_false(p->doors[0].is_free || p->doors[0].is_loose);
    assert_int_equal(p->doors[0].at_start, 1);
    assert_int_equal(p->button_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(p->buttons[i].button.panel == 'P' && p->buttons[i].count > 0);
        assert_int_equal(p->effects[i] & (OCT_EFFECT_TOGGLE | OCT_EFFECT_OPEN), 0);
    }
    assert_true(is_reached(p, in_first_room));
    assert_false(is_reached(p, in_last_room));
    const oct_point doorway = {10, 0, 5};
    const uint32_t part = part_at(p, doorway);
    assert_true(part != UINT32_MAX && !p->parts[part].is_reached);
    assert_int_equal(p->parts[part].door_count, 1);
    oct_play_result_free(&r);
    block_scene_free(&s);
}

// ---- states, from a history made by hand ----

// A corridor with two doors in it, far from the panel that moves both: one is open when the other
// is shut, as two presses have shown.
typedef struct corridor {
    oct_history *history;
    oct_tree *lattice, *sighted;
    oct_game_info info;
} corridor;

static oct_player_body slow_body(void)
{
    oct_player_body body = flying_body();
    body.speed = 1.0;
    return body;
}

static void look_along(corridor *c, uint64_t tick, double first, double second)
{
    const oct_bounds boxes[] = {{{1, 1, 1}, {1.5, 1.5, 1.5}}, // the panel, the doors, the target
                                {{20, 0, 0}, {20.5, 4, 4}},
                                {{25, 0, 0}, {25.5, 4, 4}},
                                {{29, 2, 2}, {29.5, 2.5, 2.5}}};
    static const char *const uses[] = {"press"};
    const oct_player_body flies = slow_body();
    oct_entity seen[4];
    for (uint32_t i = 0; i < 4; i++) {
        seen[i] = (oct_entity){.thing = {.id = 10 + i, .box = boxes[i], .label = OCT_BLOCKED},
                               .name = "",
                               .type = "",
                               .kind = i == 1 || i == 2 ? OCT_ENTITY_DOOR : OCT_ENTITY_BUTTON,
                               .forward = {0, 0, -1},
                               .up = {0, 1, 0},
                               .uses = uses,
                               .use_count = i == 0,
                               .opening = i == 1   ? first
                                          : i == 2 ? second
                                                   : 0.0};
    }
    const oct_observation o = {
        .self = {.tick = tick, .centre = {3, 2, 2}}, .entities = seen, .count = 4};
    assert_int_equal(oct_log_note_look(&c->history->log, &c->info, &flies, false, 0, 0, &o),
                     OCT_OK);
    assert_int_equal(oct_history_look(c->history, &c->info, &o, &o), OCT_OK);
}

static void make_corridor(corridor *c)
{
    const oct_player_body flies = slow_body();
    *c = (corridor){.history = oct_history_create(NULL)};
    c->info = (oct_game_info){.rate = 60.0,
                              .slide = 60,
                              .has_settle = true,
                              .has_bounds = true,
                              .bounds = {{0.2, 0.2, 0.2}, {30, 3.8, 3.8}}};
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = 319.0 / 1024.0;
    assert_int_equal(oct_tree_create(&def, &c->lattice), OCT_OK);
    assert_int_equal(oct_tree_create(&def, &c->sighted), OCT_OK);
    const oct_bounds all = {{-2, -2, -2}, {33, 6, 6}};
    assert_int_equal(oct_tree_set_world_box(c->sighted, all, OCT_COVER_TOUCH, OCT_MARK_KNOWN),
                     OCT_OK);
    assert_non_null(c->history);
    oct_history_note_body(c->history, &flies, false);
    assert_int_equal(oct_history_add_sight(c->history, c->sighted), OCT_OK);
    assert_int_equal(oct_history_start(c->history, (oct_point){3, 2, 2}), OCT_OK);
    look_along(c, 0, 0, 1);
    assert_int_equal(oct_history_press(c->history, (oct_button){10, 0}, 1), OCT_OK);
    look_along(c, 600, 1, 0);
    assert_int_equal(oct_history_press(c->history, (oct_button){10, 0}, 601), OCT_OK);
    look_along(c, 1200, 0, 1);
}

static void free_corridor(corridor *c)
{
    oct_history_drop(c->history);
    oct_tree_destroy(c->lattice);
    oct_tree_destroy(c->sighted);
}

static oct_result ask_corridor(const corridor *c, const oct_allocator *allocator, oct_proof **out)
{
    const oct_bounds target = {{29, 2, 2}, {29.5, 2.5, 2.5}};
    const possible_question q = {.history = c->history,
                                 .info = &c->info,
                                 .lattice = c->lattice,
                                 .is_known = true,
                                 .target = target,
                                 .within = target,
                                 .reach = 1.0,
                                 .presses = true,
                                 .proof = out};
    possible_answer answer;
    OCT_TRY(oct_possible_ask(&q, allocator, &answer));
    assert_int_equal(answer.status, POSSIBLE_EXCLUDED);
    assert_true(answer.is_exact);
    return OCT_OK;
}

static void doors_that_exclude_each_other_are_states(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    corridor c;
    oct_proof *p;
    make_corridor(&c);
    assert_int_equal(ask_corridor(&c, &heap, &p), OCT_OK);
    assert_non_null(p);
    assert_int_equal(p->kind, OCT_PROOF_STATES);
    const oct_run_log log = oct_log_view(&c.history->log);
    check_proof(p, &log);
    assert_false(p->is_linear); // that is promised, or not
    assert_int_equal(p->state_count, 2);
    assert_int_equal(p->door_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(p->doors[i].is_free); // each in one of the states
        assert_int_equal(p->doors[i].at_start, i == 0 ? 1 : 2);
        assert_int_equal(p->effects[i], OCT_EFFECT_TOGGLE);
        assert_true(p->states[i].open == (i == 0 ? 2 : 1));
    }
    assert_true(is_reached(p, (oct_point){23, 2, 2}));
    assert_false(is_reached(p, (oct_point){27, 2, 2}));
    oct_proof_destroy(p);
    free_corridor(&c);
}

static oct_result ask_short_of_memory(const oct_allocator *allocator, void *ctx)
{
    oct_proof *p;
    OCT_TRY(ask_corridor(ctx, allocator, &p));
    oct_proof_destroy(p);
    return OCT_OK;
}

static void asking_survives_any_allocation_failure(void **state)
{
    (void)state;
    corridor c;
    make_corridor(&c);
    assert_true(test_each_failure(ask_short_of_memory, &c) > 20);
    free_corridor(&c);
}

// ---- proofs of runs ----

// All that can be reached was seen: that is claimed too.
static void who_has_explored_all_has_a_proof(void **state)
{
    (void)state;
    block_scene s;
    build_sealed(&s);
    const oct_point other = {7.5, -0.9, 7.5};
    for (int i = 0; i < 2; i++) {
        oct_play_result r =
            play_scene(&s, &(playing){.aim = AIM_ALL, .other = i == 0 ? NULL : &other});
        check_result(&r);
        assert_int_equal(r.log->start_count, i + 1);
        if (r.verdict == OCT_VERDICT_PASS) {
            assert_true(r.proof_count > 0);
        }
        oct_play_result_free(&r);
    }
    block_scene_free(&s);
}

static oct_result copy_proof(const oct_allocator *allocator, void *ctx)
{
    oct_proof *copy;
    OCT_TRY(oct_proof_copy(ctx, allocator, &copy));
    assert_true(oct_proof_is_about(copy, ctx));
    oct_proof_destroy(copy);
    return OCT_OK;
}

static oct_result check_log(const oct_allocator *allocator, void *ctx)
{
    const oct_play_result *const r = ctx;
    char said[MONITOR_TEXT];
    return oct_monitor_check(r->proofs[0], r->log, allocator, said);
}

static void proofs_survive_any_allocation_failure(void **state)
{
    (void)state;
    block_scene s;
    build_sealed(&s);
    oct_play_result r = play_scene(&s, &(playing){.aim = AIM_TARGET});
    assert_true(r.proof_count == 1);
    assert_true(test_each_failure(copy_proof, r.proofs[0]) >= 6);
    assert_true(test_each_failure(check_log, &r) >= 2);
    oct_proof_destroy(NULL);
    oct_play_result_free(&r);
    block_scene_free(&s);
}

// ---- what speaks against them ----

static void what_was_excluded_and_happened_is_found(void **state)
{
    (void)state;
    block_scene s;
    const oct_allocator heap = oct_allocator_default();
    char said[MONITOR_TEXT];
    build_sealed(&s);
    oct_play_result r = play_scene(&s, &(playing){.aim = AIM_TARGET});
    assert_int_equal(r.proof_count, 1);
    const oct_proof *const p = r.proofs[0];
    oct_run_log log = *r.log;
    oct_log_look look = r.log->looks[0];
    oct_log_act act = r.log->acts[0];
    log.looks = &look;
    log.acts = &act;
    log.look_count = log.act_count = 1;
    look.centre = in_last_room;
    assert_int_equal(oct_monitor_check(p, &log, &heap, said), OCT_OK);
    assert_string_equal(said, "the body was at 17.5, 0.0, 5.0, which was excluded");
    look.centre = (oct_point){1e12, -1e12, 5.0}; // farther than a map has cells
    assert_int_equal(oct_monitor_check(p, &log, &heap, said), OCT_OK);
    assert_non_null(strstr(said, "at 1000000000000.0, -1000000000000.0, 5.0, which was excluded"));
    look = r.log->looks[0];
    act.centre = in_last_room;
    assert_int_equal(oct_monitor_check(p, &log, &heap, said), OCT_OK);
    assert_non_null(strstr(said, "17.5, 0.0, 5.0"));
    act = (oct_log_act){
        .centre = in_first_room, .verb = OCT_VERB_USE, .target = 'Q', .came = OCT_ACT_DONE};
    assert_int_equal(oct_monitor_check(p, &log, &heap, said), OCT_OK);
    assert_non_null(strstr(said, "was pressed"));
    act.target = 'P';
    assert_int_equal(oct_monitor_check(p, &log, &heap, said), OCT_OK);
    assert_string_equal(said, "");
    const oct_entity door = {.thing = {.id = 'D'}, .kind = OCT_ENTITY_DOOR, .opening = 0.5};
    log.things = &door;
    log.thing_count = 1;
    assert_int_equal(oct_monitor_check(p, &log, &heap, said), OCT_OK);
    assert_non_null(strstr(said, "told to be open"));
    oct_play_result_free(&r);
    block_scene_free(&s);
}

typedef struct forgery {
    oct_point at;
    bool is_done;
} forgery;

// Writes into the log of the first agent that its body was somewhere else.
static void forge(void *ctx, oct_agent *const *agents, size_t count)
{
    const oct_history *const known = oct_belief_history(oct_agent_belief(agents[0]));
    oct_history *h;
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
    forgery *const f = ctx;
    const oct_self self = {.centre = f->at};
    (void)count;
    memcpy(&h, &known, sizeof h);
    if (!f->is_done) {
        f->is_done = true;
        assert_int_equal(oct_log_note_act(&h->log, 0, 0, &self, &wait, OCT_ACT_DONE), OCT_OK);
    }
}

// The fail is withdrawn, whether it was expected or not; and what was not given up is watched too:
// in the last one the target is reached, and the body was in a wall.
static void a_contradiction_is_an_error_of_octant(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        block_scene s;
        forgery f = {.at = i < 3 ? in_last_room : (oct_point){10, 0, 2.5}};
        const oct_play_watch watch = {.ctx = &f, .turned = forge};
        build_sealed(&s);
        if (i == 3) {
            scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
        }
        oct_play_result r =
            play_scene(&s, &(playing){.aim = i == 2 ? AIM_ALL : AIM_TARGET,
                                      .expect = i == 1 ? OCT_VERDICT_FAIL : OCT_VERDICT_PASS,
                                      .watch = &watch});
        assert_int_equal(r.verdict, OCT_VERDICT_ERROR);
        assert_int_equal(r.proof, OCT_PROOF_NONE);
        assert_int_equal(r.proof_count, 0);
        assert_memory_equal(r.reason, "error of Octant: ", strlen("error of Octant: "));
        assert_non_null(
            strstr(r.reason, i < 3 ? "the body was at 17.5, 0.0, 5.0, which was excluded"
                                   : "the body was at 10.0, 0.0, 2.5, which was excluded"));
        oct_play_result_free(&r);
        block_scene_free(&s);
    }
}

// Whatever becomes of ordinary runs, nothing speaks against them.
static void ordinary_runs_contradict_nothing(void **state)
{
    (void)state;
    const char *const *const plans[] = {
        // A door to open; one that its own button shuts; one that stands open; a button in a room.
        PLAN("#########", "#..P#...#", "#S..D..T#", "#...#...#", "#########"),
        PLAN("#########", "#..P#...#", "#S..d..T#", "#...#...#", "#########"),
        PLAN("#########", "#..P#Q..#", "#S..D.E.#", "#...#.#T#", "#########"),
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        for (int k = 0; k < 3; k++) {
            block_scene s;
            plan_build(&s, plans[i]);
            scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
            if (i == 2) {
                scene_wire(&s, 'Q', 1, OCT_WIRE_TOGGLE, 'E');
            }
            const oct_point other = {7.5, -0.9, 7.5};
            oct_play_result r =
                play_scene(&s, &(playing){.aim = k == 1 ? AIM_TARGET_WITHOUT_PRESSES : AIM_TARGET,
                                          .other = k == 2 ? &other : NULL});
            assert_int_not_equal(r.verdict, OCT_VERDICT_ERROR);
            check_result(&r);
            oct_play_result_free(&r);
            block_scene_free(&s);
        }
    }
    oct_level_truth truth;
    const oct_level_def def = def_of(OCT_LEVEL_OPENS, 2, false);
    oct_world *const world = generate(&def, &truth);
    oct_play_result r;
    assert_int_equal(play_world(world, &(playing){.aim = AIM_TARGET}, &r), OCT_OK);
    assert_int_not_equal(r.verdict, OCT_VERDICT_ERROR);
    check_result(&r);
    oct_play_result_free(&r);
    oct_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_a_cut_whatever_doors_do),
        cmocka_unit_test(a_door_that_nothing_opens_is_a_cut),
        cmocka_unit_test(doors_that_exclude_each_other_are_states),
        cmocka_unit_test(asking_survives_any_allocation_failure),
        cmocka_unit_test(who_has_explored_all_has_a_proof),
        cmocka_unit_test(proofs_survive_any_allocation_failure),
        cmocka_unit_test(what_was_excluded_and_happened_is_found),
        cmocka_unit_test(a_contradiction_is_an_error_of_octant),
        cmocka_unit_test(ordinary_runs_contradict_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
