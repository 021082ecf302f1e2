// SPDX-License-Identifier: MIT
// The library's tactics, each alone in a leaf of the caller's: when it is enabled and when not,
// what it does, how tactics combine, and what comes of nonsense.
#include "agent/agent_internal.h"
#include "agent/links_internal.h"
#include "agent_world.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PASS OCT_VERDICT_PASS
#define FAIL OCT_VERDICT_FAIL
#define OPEN_END OCT_VERDICT_INCONCLUSIVE

// ---- trials ----

// What the mind did, turn by turn: a letter for each action, '.' where nothing was enabled.
typedef struct trial {
    block_scene s;
    oct_agent *agent;
    char log[600];
    size_t count;
} trial;

static char letter_of(const char *action)
{
    static const struct {
        const char *name;
        char letter;
    } all[] = {{"navigate_to", 'n'}, {"explore", 'e'}, {"explore_to", 't'}, {"interact", 'i'},
               {"face", 'f'},        {"do", 'd'},      {"wait", 'w'}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, action) == 0) {
            return all[i].letter;
        }
    }
    return '?';
}

static void log_event(void *ctx, const oct_mind_event *event)
{
    trial *const t = ctx;
    const bool acts = event->kind == OCT_MIND_ACTS;
    if ((acts || event->kind == OCT_MIND_WAITS) && t->count + 1 < sizeof t->log) {
        t->log[t->count++] = acts ? letter_of(event->text) : '.';
        t->log[t->count] = '\0';
    }
}

static void open_as(trial *t, oct_agent_def def)
{
    def.event = log_event;
    def.event_ctx = t;
    t->agent = agent_make_as(&t->s, def);
    t->count = 0;
    t->log[0] = '\0';
}

static void open_scene(trial *t)
{
    scene_play(&t->s);
    open_as(t, oct_agent_def_default());
}

static void open_plan(trial *t, const char *const *rows)
{
    plan_build(&t->s, rows);
    open_scene(t);
}

static void close_trial(trial *t)
{
    oct_agent_destroy(t->agent);
    block_scene_free(&t->s);
}

static void check_log(const trial *t, const char *log)
{
    assert_string_equal(t->log, log);
}

// Turns of one kind, at least one, then turns of another, at least so many.
static void check_log_turns(const trial *t, char first, char then, size_t least)
{
    const char both[] = {first, '\0'}, rest[] = {then, '\0'};
    const size_t count = strspn(t->log, both);
    if (count == 0 || strspn(t->log + count, rest) != t->count - count ||
        t->count - count < least) {
        fail_msg("%s: not '%c', then '%c'", t->log, first, then);
    }
}

static oct_self self_of(trial *t)
{
    return scene_self(&t->s, 0);
}

static double away(trial *t, oct_point from)
{
    return point_length(point_sub(self_of(t).centre, from));
}

// ---- leaves ----

static bool is_never(void *ctx, oct_mind *mind)
{
    (void)ctx;
    (void)mind;
    return false;
}

// Goes on for ever, or is solved when the tactic has completed.
static oct_goal *endless(oct_tactic *tactic)
{
    const oct_leaf_goal leaf = {.name = "leaf", .solved = is_never, .tactic = tactic};
    return oct_goal_leaf(NULL, &leaf);
}

static oct_goal *once(oct_tactic *tactic)
{
    const oct_leaf_goal leaf = {.name = "leaf", .tactic = tactic};
    return oct_goal_leaf(NULL, &leaf);
}

// Works at an endless leaf for so many turns: its budget ends, and what the tactic said last is
// told.
static void work(trial *t, oct_tactic *tactic, uint64_t turns, const char *said)
{
    char reason[OCT_REASON_MAX];
    snprintf(reason, sizeof reason, "out of budget: %u turn%s%s%s%s", (unsigned)turns,
             turns == 1 ? "" : "s", *said ? " (" : "", said, *said ? ")" : "");
    agent_run(t->agent, oct_goal_limit(endless(tactic), turns, 0), turns + 1);
    agent_check(t->agent, OPEN_END, reason);
}

// The tactic, or a reason.
static oct_tactic *or_abort(oct_tactic *tactic)
{
    oct_tactic *const ways[] = {tactic, oct_tactic_abort(NULL, NULL)};
    return oct_tactic_first_of(NULL, ways, 2);
}

// It is not enabled, for that reason: said after a turn in which it waited, and at once where the
// leaf gives up.
static void check_disabled(const char *const *rows, oct_tactic *alone, oct_tactic *again,
                           oct_verdict verdict, const char *why)
{
    trial t;
    open_plan(&t, rows);
    const oct_point at = self_of(&t).centre;
    const bool has_said = strcmp(why, "leaf was aborted") != 0;
    work(&t, alone, 3, has_said ? why : "");
    check_log(&t, "...");
    assert_true(away(&t, at) == 0.0);
    assert_int_equal(oct_game_tick(t.s.game), 60); // turns pass
    close_trial(&t);
    open_plan(&t, rows);
    agent_run(t.agent, endless(or_abort(again)), 10);
    agent_check(t.agent, verdict, why);
    check_log(&t, "");
    assert_int_equal(oct_game_tick(t.s.game), 0);
    close_trial(&t);
}

static oct_place point_place(oct_point at, double tolerance)
{
    return (oct_place){.is_point = true, .point = at, .tolerance = tolerance};
}

static oct_place side_place(const char *name, oct_side side, double tolerance)
{
    return (oct_place){.pick = pick_name(name), .side = side, .tolerance = tolerance};
}

static oct_tactic *navigate(oct_place place)
{
    return oct_tactic_navigate_to(NULL, &place);
}

static oct_tactic *towards(oct_place place)
{
    return oct_tactic_explore_to(NULL, &place);
}

static oct_tactic *press(const char *name, uint32_t button)
{
    const oct_pick pick = pick_name(name);
    return oct_tactic_interact(NULL, &pick, button);
}

// ---- navigate_to ----

static const char *const hall[] = {"########", "#S....X#", "#......#", "########", NULL};
// The other arm is not seen from where it starts.
static const char *const bend[] = {"#######", "#.....#", "#.###.#", "#S###.#", "#######", NULL};
static const char *const shut_in[] = {"#######", "#S.#..#", "#..#T.#", "#######", NULL};

// Enabled on the way, and when it is there and at rest.
static void known_ways_are_gone(void **state)
{
    (void)state;
    static const double tolerances[] = {0.0, 0.2, 2.0};
    for (size_t i = 0; i < 3; i++) {
        trial t;
        open_plan(&t, hall);
        work(&t, navigate(point_place(plan_at(4, 2), tolerances[i])), 60,
             "on the way to the place");
        check_log_turns(&t, 'n', 'n', 0);
        assert_int_equal(t.count, 60);
        assert_true(away(&t, plan_at(4, 2)) <= (i == 0 ? 0.5 : tolerances[i]));
        assert_true(point_length(self_of(&t).velocity) <= 0.05);
        close_trial(&t);
    }
}

// Who is near enough stays where it is.
static void tolerances_say_what_is_there(void **state)
{
    (void)state;
    static const struct {
        double tolerance;
        bool is_there; // 0.4 m away
    } cases[] = {{0.0, true}, {0.45, true}, {0.35, false}, {0.2, false}, {0.01, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial t;
        open_plan(&t, hall);
        const oct_point start = self_of(&t).centre, at = {start.x + 0.4, start.y, start.z};
        work(&t, navigate(point_place(at, cases[i].tolerance)), 30, "on the way to the place");
        assert_int_equal(away(&t, start) == 0.0, cases[i].is_there);
        assert_true(away(&t, at) <= (cases[i].is_there ? 0.4 + 1e-9 : 0.2));
        close_trial(&t);
    }
}

static void there_is_no_way_where_none_is_known(void **state)
{
    (void)state;
    const oct_place round_the_bend = point_place(plan_at(5, 3), 0.0);
    check_disabled(bend, navigate(round_the_bend), navigate(round_the_bend), OPEN_END,
                   "no way to the place is known");
    const oct_place cell = point_place(plan_at(4, 1), 0.0);
    check_disabled(shut_in, navigate(cell), navigate(cell), OPEN_END,
                   "no way to the place is known");
    const oct_place wall = point_place(plan_at(0, 1), 0.0);
    check_disabled(shut_in, navigate(wall), navigate(wall), OPEN_END,
                   "no way to the place is known");
    const oct_place unseen = side_place("Target", OCT_SIDE_ANY, 0.0);
    check_disabled(shut_in, navigate(unseen), navigate(unseen), OPEN_END, "Target was not found");
    // Whose front is in the wall.
    const oct_place front = side_place("Box", OCT_SIDE_RIGHT, 0.0);
    check_disabled(hall, navigate(front), navigate(front), OPEN_END, "no way to Box is known");
}

// Beside every side of a block that stands free, within the tolerance of straight before its
// middle.
static void check_side(oct_side side, double tolerance)
{
    static const oct_point normals[] = {{0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                        {1, 0, 0},  {0, 1, 0}, {0, -1, 0}};
    trial t;
    block_scene_init(&t.s);
    oct_world_block block = scene_block(t.s.grid, 7, TARGET, (oct_vec){0, 0, 0});
    block.name = "Target";
    scene_put_block(&t.s, &block);
    scene_play(&t.s);
    (void)scene_join(&t.s, (oct_point){7, 5, 6});
    open_as(&t, oct_agent_def_default());
    const oct_place place = side_place("Target", side, tolerance);
    oct_tactic *const ways[] = {navigate(place), towards(place)};
    work(&t, oct_tactic_first_of(NULL, ways, 2), 120, "on the way to Target");
    const oct_point at = self_of(&t).centre;
    if (side == OCT_SIDE_ANY) {
        // The nearest by path.
        side = OCT_SIDE_RIGHT;
    }
    const double out = point_dot(at, normals[side]) - PLAN_CELL / 2.0;
    const oct_point aside = point_sub(at, point_scale(normals[side], point_dot(at, normals[side])));
    const double near = tolerance > 0.0 ? tolerance : 0.5;
    assert_true(point_length(aside) <= near);
    assert_true(out > 0.5 && out <= 1.5 + near);
    assert_int_equal(t.log[t.count - 1], 'n');
    close_trial(&t);
}

static void all_sides_are_gone_to(void **state)
{
    (void)state;
    for (oct_side side = OCT_SIDE_FORWARD; side <= OCT_SIDE_ANY; side++) {
        check_side(side, 0.2);
        check_side(side, side % 2 ? 0.0 : 1.0);
    }
}

// ---- explore and explore_to ----

static oct_remains remains_of(trial *t)
{
    oct_remains left;
    assert_int_equal(oct_agent_remains(t->agent, &left), OCT_OK);
    return left;
}

static void exploring_is_enabled_until_nothing_is_left(void **state)
{
    (void)state;
    trial t;
    open_plan(&t, bend);
    work(&t, oct_tactic_explore(NULL), 60, "");
    check_log_turns(&t, 'e', '.', 20);
    oct_remains left = remains_of(&t);
    assert_int_equal(left.frontier + left.hidden + left.beyond, 0);
    close_trial(&t);
    // Within bounds: there is more beyond them, which is not gone to.
    plan_play(&t.s, bend);
    oct_agent_def def = oct_agent_def_default();
    const oct_bounds bounds = {{1.0, -2.0, 1.0}, {4.0, 4.0, 9.0}};
    def.bounds = &bounds;
    open_as(&t, def);
    work(&t, oct_tactic_explore(NULL), 60, "");
    check_log_turns(&t, 'e', '.', 20);
    assert_true(self_of(&t).centre.x < 4.5);
    left = remains_of(&t);
    assert_int_equal(left.frontier, 0);
    assert_true(left.beyond > 0);
    close_trial(&t);
}

static void check_towards(const char *const *rows, oct_place place, double near)
{
    trial t;
    open_plan(&t, rows);
    work(&t, towards(place), 80, "");
    if (near > 0.0) {
        check_log_turns(&t, 't', 't', 0);
        assert_true(away(&t, place.point) <= near);
        assert_true(point_length(self_of(&t).velocity) <= 0.05);
    } else {
        check_log_turns(&t, 't', '.', 20);
    }
    close_trial(&t);
}

// Whether a way leads to the cell on the right is known once all of the other arm was seen.
static const char *const far_cell[] = {"#########", "#.......#", "#.###.#.#", "#S###.###",
                                       "####..#.#", "#########", NULL};

static void the_unknown_is_crossed_while_there_may_be_a_way(void **state)
{
    (void)state;
    check_towards(bend, point_place(plan_at(5, 3), 0.0), 0.5);
    check_towards(far_cell, point_place(plan_at(4, 4), 0.0), 0.5);
    check_towards(far_cell, point_place(plan_at(7, 4), 0.0), 0.0);
    // To where somebody is said to be, until that was seen to be wrong; nowhere where nothing is
    // known.
    oct_place place = side_place("Target", OCT_SIDE_ANY, 0.0);
    check_disabled(bend, towards(place), towards(place), FAIL, "leaf was aborted");
    place.pick.by_place = true;
    place.pick.place = plan_at(5, 3);
    check_towards(bend, place, 0.0);
    // Known to be shut in from the beginning.
    const oct_place cell = point_place(plan_at(4, 1), 0.0);
    check_disabled(shut_in, towards(cell), towards(cell), FAIL, "leaf was aborted");
}

// ---- interact ----

static void check_press(trial *t, oct_tactic *tactic, oct_verdict verdict, const char *reason)
{
    agent_run(t->agent, once(tactic), 10);
    agent_check(t->agent, verdict, reason);
    check_log(t, "ii"); // one turn to press, one to see what came of it
    close_trial(t);
}

static void buttons_are_pressed_from_where_one_is(void **state)
{
    (void)state;
    static const char *const cell[] = {"######", "#SP..#", "######", NULL};
    trial t;
    open_plan(&t, cell);
    check_press(&t, press("Panel1", 3), PASS, "");
    open_plan(&t, cell);
    check_press(&t, press("Panel1", 4), FAIL,
                "button 4 of Panel1 could not be pressed: it has no such button");
    open_plan(&t, PLAN("######", "#SX..#", "######"));
    check_press(&t, press("Box", UINT32_MAX), FAIL,
                "button 4294967295 of Box could not be pressed: it has no such button");
    plan_build(&t.s, cell);
    scene_put_box(&t.s, 5, GLASS, (oct_bounds){{3.3, -1.25, 1.25}, {3.4, 3.75, 3.75}});
    open_scene(&t);
    check_press(&t, press("Panel1", 0), OPEN_END,
                "button 0 of Panel1 could not be pressed: something is in the way");
    check_disabled(PLAN("########", "#S.....#", "########"), press("Panel1", 0), press("Panel1", 0),
                   OPEN_END, "Panel1 was not seen yet");
}

// Reach is from the body's centre to the panel's side. Of a turned panel too, whose upright box is
// nearer.
static void check_reach(bool is_turned, double beyond, oct_verdict verdict, const char *reason,
                        const char *log)
{
    trial t;
    block_scene_init(&t.s);
    const double half = sqrt(0.5);
    const oct_world_grid turned = {
        .id = 77, .name = "", .pose = {{0, 0, 0}, {half, 0, -half}, {0, 1, 0}}, .cell = PLAN_CELL};
    oct_world_block panel = scene_block(is_turned ? block_scene_grid(&t.s, &turned) : t.s.grid, 'P',
                                        PANEL, (oct_vec){0, 0, 0});
    panel.name = "Panel1";
    scene_put_block(&t.s, &panel);
    const double away = PLAN_CELL / 2.0 + oct_world_rules_of(t.s.world).reach + beyond;
    scene_play(&t.s);
    (void)scene_join(&t.s, is_turned ? (oct_point){half * away, 0, half * away}
                                     : (oct_point){away, 0, 0});
    open_as(&t, oct_agent_def_default());
    agent_run(t.agent, oct_goal_limit(once(press("Panel1", 0)), 3, 0), 10);
    agent_check(t.agent, verdict, reason);
    check_log(&t, log);
    close_trial(&t);
}

static void reach_ends_where_it_ends(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        check_reach(turned, -0.01, PASS, "", "ii");
        check_reach(turned, 0.01, OPEN_END, "out of budget: 3 turns (Panel1 is out of reach)",
                    "...");
    }
    static const char *const far[] = {"######", "#S.P.#", "######", NULL};
    check_disabled(far, press("Panel1", 0), press("Panel1", 0), OPEN_END, "Panel1 is out of reach");
}

// ---- face ----

static double looks_at(trial *t, oct_point at)
{
    const oct_point to = point_sub(at, self_of(t).centre);
    return point_dot(to, self_of(t).pose.forward) / point_length(to);
}

static void faces_turn_to_entities_and_points(void **state)
{
    (void)state;
    const oct_pick box = pick_name("Box"), none = pick_name("Lamp1");
    const oct_point nowhere = {0, 0, 0}, up = {9, 3, 2}, behind = plan_at(1, 3);
    trial t;
    open_plan(&t, hall);
    assert_true(looks_at(&t, plan_at(6, 1)) < 0.1);
    agent_run(t.agent, once(oct_tactic_face(NULL, &box, nowhere)), 60);
    agent_check(t.agent, PASS, "");
    check_log_turns(&t, 'f', 'f', 0);
    assert_true(t.count > 1);
    assert_true(looks_at(&t, plan_at(6, 1)) >= cos(0.06));
    close_trial(&t);
    open_plan(&t, hall);
    oct_goal *const both[] = {once(oct_tactic_face(NULL, NULL, behind)),
                              once(oct_tactic_face(NULL, NULL, up))};
    agent_run(t.agent, oct_goal_seq(NULL, both, 2), 60);
    agent_check(t.agent, PASS, "");
    assert_true(looks_at(&t, up) >= cos(0.06));
    close_trial(&t);
    check_disabled(hall, oct_tactic_face(NULL, &none, up), oct_tactic_face(NULL, &none, up),
                   OPEN_END, "Lamp1 was not found");
}

// ---- do and wait ----

static void actions_are_sent_once_and_waits_are_as_long_as_told(void **state)
{
    (void)state;
    const oct_action equip = {.verb = OCT_VERB_DO, .name = "equip", .number = 0};
    static const uint32_t waits[] = {1, 20, 21, 60, 125};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        trial t;
        open_plan(&t, hall);
        oct_goal *const both[] = {once(oct_tactic_do(NULL, &equip)),
                                  once(oct_tactic_wait(NULL, waits[i]))};
        agent_run(t.agent, oct_goal_seq(NULL, both, 2), 60);
        agent_check(t.agent, PASS, "");
        assert_int_equal(t.count, 1 + (waits[i] + 19) / 20);
        assert_int_equal(oct_game_tick(t.s.game), 1 + waits[i]);
        close_trial(&t);
    }
}

// Who flies comes to rest by waiting.
static void waiting_comes_to_rest(void **state)
{
    (void)state;
    const oct_action thrust = {.verb = OCT_VERB_MOVE, .move = {1, 0, 0}, .ticks = 20};
    trial t;
    open_plan(&t, hall);
    oct_goal *const both[] = {once(oct_tactic_do(NULL, &thrust)), once(oct_tactic_wait(NULL, 120))};
    agent_run(t.agent, oct_goal_seq(NULL, both, 2), 60);
    agent_check(t.agent, PASS, "");
    check_log(&t, "dwwwwww");
    assert_true(away(&t, plan_at(1, 1)) > 0.5);
    assert_true(point_length(self_of(&t).velocity) == 0.0);
    close_trial(&t);
}

// ---- together ----

// Goes where it can, else looks; FIRSTof asks them in their order.
static void first_of_takes_the_first_that_is_enabled(void **state)
{
    (void)state;
    const oct_place there = point_place(plan_at(5, 3), 0.0);
    trial t;
    open_plan(&t, bend);
    oct_tactic *const ways[] = {navigate(there), towards(there), oct_tactic_wait(NULL, 20)};
    work(&t, oct_tactic_first_of(NULL, ways, 3), 60, "on the way to the place");
    check_log_turns(&t, 't', 'n', 20);
    assert_true(away(&t, there.point) <= 0.5);
    close_trial(&t);
    open_plan(&t, shut_in);
    const oct_place cell = point_place(plan_at(4, 1), 0.0);
    oct_tactic *const none[] = {navigate(cell), towards(cell), press("Panel1", 0),
                                oct_tactic_wait(NULL, 20)};
    work(&t, oct_tactic_first_of(NULL, none, 4), 3, "Panel1 was not seen yet");
    check_log(&t, "www");
    close_trial(&t);
}

// One after the other, each until it has completed; what is not enabled is waited for.
static void seq_waits_for_the_next(void **state)
{
    (void)state;
    const oct_pick panel = pick_name("Panel1");
    trial t;
    plan_build(&t.s, PLAN("########", "#SP...D#", "########"));
    scene_wire(&t.s, 'P', 1, OCT_WIRE_TOGGLE, 'D');
    open_scene(&t);
    oct_tactic *const steps[] = {oct_tactic_face(NULL, &panel, (oct_point){0, 0, 0}),
                                 press("Panel1", 1), oct_tactic_wait(NULL, 30)};
    agent_run(t.agent, once(oct_tactic_seq(NULL, steps, 3)), 60);
    agent_check(t.agent, PASS, "");
    const size_t faces = strspn(t.log, "f");
    assert_true(faces > 0);
    assert_string_equal(t.log + faces, "iiww");
    close_trial(&t);
    open_plan(&t, PLAN("########", "#SP....#", "########"));
    oct_tactic *const stuck[] = {oct_tactic_wait(NULL, 20), press("Panel2", 0),
                                 oct_tactic_wait(NULL, 20)};
    work(&t, oct_tactic_seq(NULL, stuck, 3), 5, "Panel2 was not seen yet");
    check_log(&t, "w....");
    close_trial(&t);
}

// What an agent thinks and where its path leads are those of the action that was drawn, and not of
// the one whose guard was asked last.
// Exploring looks, and may show what going there asked for in vain: that is not given up.
static void what_a_guard_has_shown_is_not_given_up(void **state)
{
    (void)state;
    for (int length = 3; length <= 12; length++) {
        char rows[9][20];
        const char *plan[9] = {NULL};
        const int down = 5 + length % 2;
        for (int z = 0; z < down + 2; z++) {
            memset(rows[z], '#', (size_t)length + 2);
            rows[z][length + 2] = '\0';
            rows[z][length] = z > 0 && z < down ? '.' : '#';
            plan[z] = rows[z];
        }
        memset(&rows[1][1], '.', (size_t)length);
        rows[1][1] = 'S';
        rows[down][length] = 'T';
        trial t;
        open_plan(&t, plan);
        oct_tactic *const ways[] = {navigate(side_place("Target", OCT_SIDE_ANY, 0.0)),
                                    oct_tactic_explore(NULL), oct_tactic_abort(NULL, "gave up")};
        agent_run(t.agent, once(oct_tactic_first_of(NULL, ways, 3)), 200);
        agent_check(t.agent, PASS, "");
        close_trial(&t);
    }
}

// Who goes somewhere has completed when it is there, and then the next in a SEQ has its turn.
static void ways_complete_at_their_end(void **state)
{
    (void)state;
    const char *const *const rows = PLAN("########", "#S.....#", "#.....P#", "########");
    trial t;
    open_plan(&t, rows);
    agent_run(t.agent, once(navigate(point_place(plan_at(5, 1), 0.3))), 100);
    agent_check(t.agent, PASS, "");
    assert_true(away(&t, plan_at(5, 1)) <= 0.3);
    close_trial(&t);
    open_plan(&t, rows);
    const oct_pick panel = pick_name("Panel1");
    oct_tactic *const steps[] = {navigate(side_place("Panel1", OCT_SIDE_ANY, 0.3)),
                                 oct_tactic_interact(NULL, &panel, 0)};
    agent_run(t.agent, once(oct_tactic_seq(NULL, steps, 2)), 100);
    agent_check(t.agent, PASS, "");
    const char *const pressed = strchr(t.log, 'i');
    assert_non_null(pressed);
    assert_int_equal(strspn(t.log, "n"), pressed - t.log);
    assert_int_equal(strspn(pressed, "i"), strlen(pressed));
    close_trial(&t);
}

static void any_of_does_what_was_drawn(void **state)
{
    (void)state;
    trial t;
    open_plan(&t, PLAN("#################", "#L......S......M#", "#################"));
    const oct_place left = side_place("Lamp1", OCT_SIDE_ANY, 0.0);
    oct_tactic *const ways[] = {navigate(left), towards(point_place(plan_at(14, 1), 0.0))};
    assert_int_equal(oct_agent_pursue(t.agent, endless(oct_tactic_any_of(NULL, ways, 2))), OCT_OK);
    uint32_t to_left = 0;
    for (uint32_t i = 0; i < 12; i++) {
        oct_goal_status status;
        size_t count;
        assert_int_equal(oct_agent_turn(t.agent, &status), OCT_OK);
        const bool is_left = t.log[i] == 'n';
        assert_string_equal(oct_agent_thought(t.agent),
                            is_left ? "going to Lamp1" : "exploring towards a point");
        const oct_point *const path = oct_agent_path(t.agent, &count);
        assert_true(count > 0);
        assert_int_equal(is_left, path[count - 1].x < plan_at(8, 1).x);
        to_left += is_left;
    }
    assert_in_range(to_left, 2, 10); // of 12 fair draws
    close_trial(&t);
}

// ---- beginning anew ----

// From a tick until before another.
typedef struct span {
    uint64_t from, until;
} span;

static bool is_within(void *ctx, oct_mind *mind)
{
    const span *const s = ctx;
    const uint64_t now = oct_belief_self(oct_agent_belief(oct_agent_of(mind)))->tick;
    return now >= s->from && now < s->until;
}

// A leaf that is interrupted meanwhile.
static oct_goal *interrupted(oct_tactic *tactic, span *when, oct_tactic *by)
{
    const oct_handler handler = {
        .name = "by", .test = is_within, .hook = {when, NULL}, .goal = once(by)};
    return oct_goal_interruptible(NULL, once(tactic), &handler, 1);
}

static uint64_t presses_of(const trial *t, uint32_t number)
{
    const oct_links *const links = oct_belief_links(oct_agent_belief(t->agent));
    uint32_t button;
    assert_true(oct_links_find_button(links, (oct_button){'P', number}, &button));
    return oct_links_presses(links, button);
}

// Who is interrupted waits the whole time anew, and does not take another's press for its own.
static void interrupted_tactics_begin_anew(void **state)
{
    (void)state;
    trial t;
    span when = {40, 60};
    open_plan(&t, hall);
    agent_run(t.agent, interrupted(oct_tactic_wait(NULL, 100), &when, oct_tactic_wait(NULL, 200)),
              60);
    agent_check(t.agent, PASS, "");
    assert_int_equal(oct_game_tick(t.s.game), 40 + 200 + 100);
    close_trial(&t);
    open_plan(&t, PLAN("######", "#SP..#", "######"));
    const oct_action other = {.verb = OCT_VERB_USE, .target = 'P', .button = 2, .ticks = 1};
    when = (span){1, 2};
    agent_run(t.agent, interrupted(press("Panel1", 1), &when, oct_tactic_do(NULL, &other)), 60);
    agent_check(t.agent, PASS, "");
    check_log(&t, "idii");
    assert_int_equal(presses_of(&t, 1), 2);
    assert_int_equal(presses_of(&t, 2), 1);
    close_trial(&t);
}

// So does one whose budget has ended.
static void repeated_waits_are_whole(void **state)
{
    (void)state;
    trial t;
    open_plan(&t, hall);
    oct_goal *const waiting = oct_goal_limit(once(oct_tactic_wait(NULL, 100)), 2, 0);
    agent_run(t.agent, oct_goal_limit(oct_goal_repeat(NULL, waiting), 10, 0), 20);
    agent_check(t.agent, OPEN_END, "out of budget: 10 turns");
    check_log(&t, "wwwwwwwwww");
    close_trial(&t);
}

// ---- nonsense ----

static void nonsense_has_a_reason(void **state)
{
    (void)state;
    static const char *const no_way = "no way to the place is known";
    const oct_point beyond[] = {{1e30, 0, 0}, {0, -HUGE_VAL, 0}, {0, 0, (double)NAN}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        const oct_place place = point_place(beyond[i], 0.0);
        check_disabled(hall, navigate(place), navigate(place), OPEN_END, no_way);
        check_disabled(hall, towards(place), towards(place), FAIL, "leaf was aborted");
    }
    // Who asks for nothing at all means anything.
    const oct_place anything = {.side = OCT_SIDE_ANY};
    trial t;
    open_plan(&t, hall);
    work(&t, navigate(anything), 60, "on the way to entity");
    check_log_turns(&t, 'n', 'n', 0);
    close_trial(&t);
    const oct_place nobody = {.pick = {.by_id = true, .id = 4711, .type = "lamp"}};
    check_disabled(hall, navigate(nobody), navigate(nobody), OPEN_END, "lamp 4711 was not found");
    const oct_place no_side = side_place("Box", OCT_SIDE_ANY + 1, 0.0);
    check_disabled(hall, navigate(no_side), navigate(no_side), OPEN_END,
                   "there is no such side of Box");
    check_disabled(hall, towards(no_side), towards(no_side), FAIL, "leaf was aborted");
    // A tolerance that is none is the default's.
    static const double tolerances[] = {-1.0, (double)NAN, 1e-300};
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        open_plan(&t, hall);
        work(&t, navigate(point_place(plan_at(4, 2), tolerances[i])), 60,
             "on the way to the place");
        check_log_turns(&t, 'n', 'n', 0);
        assert_true(away(&t, plan_at(4, 2)) <= (i == 2 ? 0.2 : 0.5));
        close_trial(&t);
    }
    open_plan(&t, hall);
    work(&t, navigate(point_place(plan_at(4, 2), HUGE_VAL)), 3, "on the way to the place");
    assert_true(away(&t, plan_at(1, 1)) == 0.0); // it is there
    close_trial(&t);
}

static void nobody_turns_to_nowhere(void **state)
{
    (void)state;
    const oct_point nowhere[] = {
        plan_at(1, 1), {(double)NAN, 0, 0}, {HUGE_VAL, 0, 0}, {1e300, 0, 0}};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        check_disabled(hall, oct_tactic_face(NULL, NULL, nowhere[i]),
                       oct_tactic_face(NULL, NULL, nowhere[i]), OPEN_END,
                       "no direction leads to the point");
    }
    // Far away is somewhere.
    trial t;
    open_plan(&t, hall);
    const oct_point far = {-1e12, 0, 1e12};
    agent_run(t.agent, once(oct_tactic_face(NULL, NULL, far)), 60);
    agent_check(t.agent, PASS, "");
    assert_true(self_of(&t).pose.forward.x < -0.7 && self_of(&t).pose.forward.z > 0.65);
    close_trial(&t);
}

// ---- memory ----

typedef struct drops {
    uint32_t count;
} drops;

static void count_drop(void *ctx)
{
    ((drops *)ctx)->count++;
}

static oct_result make_all(const oct_allocator *allocator, void *ctx)
{
    drops *const d = ctx;
    d->count = 0;
    const oct_pick pick = {.name = "Box", .type = "stone", .hook = {d, count_drop}};
    const oct_place beside = {.pick = pick}, at = point_place(plan_at(1, 1), 0.0);
    const oct_action action = {.verb = OCT_VERB_WAIT, .ticks = 1};
    oct_tactic *const all[] = {oct_tactic_navigate_to(allocator, &beside),
                               oct_tactic_navigate_to(allocator, &at),
                               oct_tactic_explore(allocator),
                               oct_tactic_explore_to(allocator, &beside),
                               oct_tactic_interact(allocator, &pick, 0),
                               oct_tactic_face(allocator, &pick, at.point),
                               oct_tactic_face(allocator, NULL, at.point),
                               oct_tactic_do(allocator, &action),
                               oct_tactic_wait(allocator, 1)};
    oct_tactic *const any = oct_tactic_any_of(allocator, all, sizeof all / sizeof *all);
    const oct_leaf_goal leaf = {.name = "leaf", .tactic = any};
    oct_goal *const goal = oct_goal_leaf(allocator, &leaf);
    const bool is_made = goal;
    oct_goal_destroy(goal);
    assert_int_equal(d->count, 4); // each hook once, made or not
    return is_made ? OCT_OK : OCT_ERROR_MEMORY;
}

static void tactics_that_are_not_made_leave_nothing(void **state)
{
    (void)state;
    drops d;
    assert_true(test_each_failure(make_all, &d) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_ways_are_gone),
        cmocka_unit_test(tolerances_say_what_is_there),
        cmocka_unit_test(there_is_no_way_where_none_is_known),
        cmocka_unit_test(all_sides_are_gone_to),
        cmocka_unit_test(exploring_is_enabled_until_nothing_is_left),
        cmocka_unit_test(the_unknown_is_crossed_while_there_may_be_a_way),
        cmocka_unit_test(buttons_are_pressed_from_where_one_is),
        cmocka_unit_test(reach_ends_where_it_ends),
        cmocka_unit_test(faces_turn_to_entities_and_points),
        cmocka_unit_test(actions_are_sent_once_and_waits_are_as_long_as_told),
        cmocka_unit_test(waiting_comes_to_rest),
        cmocka_unit_test(first_of_takes_the_first_that_is_enabled),
        cmocka_unit_test(seq_waits_for_the_next),
        cmocka_unit_test(what_a_guard_has_shown_is_not_given_up),
        cmocka_unit_test(ways_complete_at_their_end),
        cmocka_unit_test(any_of_does_what_was_drawn),
        cmocka_unit_test(interrupted_tactics_begin_anew),
        cmocka_unit_test(repeated_waits_are_whole),
        cmocka_unit_test(nonsense_has_a_reason),
        cmocka_unit_test(nobody_turns_to_nowhere),
        cmocka_unit_test(tactics_that_are_not_made_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
