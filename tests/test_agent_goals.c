// SPDX-License-Identifier: MIT
// The goals of going somewhere, in small plans: how each is reached, and each way to fail with the
// reason that it gives.
#include "agent_world.h"

#include "agent/goal_target.h"
#include "base/base_internal.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <string.h>

#define PASS OCT_VERDICT_PASS
#define FAIL OCT_VERDICT_FAIL
#define OPEN_END OCT_VERDICT_INCONCLUSIVE

static const oct_self *self_of(const oct_agent *agent)
{
    return oct_belief_self(oct_agent_belief(agent));
}

static double away(const oct_agent *agent, oct_point from)
{
    return point_length(point_sub(self_of(agent)->centre, from));
}

// 1 where it looks straight at a point.
static double looks_at(const oct_agent *agent, oct_point at)
{
    const oct_point to = point_sub(at, self_of(agent)->centre);
    return point_dot(to, self_of(agent)->pose.forward) / point_length(to);
}

static oct_goal *beside(const char *name, oct_side side)
{
    const oct_pick pick = pick_name(name);
    return oct_goal_close_to_block(NULL, &pick, side, 0.0);
}

static oct_goal *smart(const char *name, oct_side side)
{
    const oct_pick pick = pick_name(name);
    return oct_goal_smart_close_to_block(NULL, &pick, side, 0.0);
}

// ---- close_to ----

static void a_point_is_reached_around_a_corner(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, PLAN("#######", "#.....#", "#.###.#", "#S###.#", "#######"));
    oct_agent *const agent = agent_make_as(&s, oct_agent_def_default());
    agent_run(agent, oct_goal_close_to(NULL, plan_at(5, 3), 0.01), 200);
    agent_check(agent, PASS, "");
    assert_true(away(agent, plan_at(5, 3)) <= 0.2);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void a_point_may_be_walled_in_or_in_a_wall(void **state)
{
    (void)state;
    plan_expect(PLAN("#######", "#S.#..#", "#..#..#", "#######"),
                oct_goal_close_to(NULL, plan_at(4, 1), 0.0), FAIL,
                "the place is not reachable: walled in, no door leads there");
    plan_expect(PLAN("#######", "#S.#..#", "#..#..#", "#######"),
                oct_goal_explore_to(NULL, plan_at(0, 1), 0.0), FAIL,
                "the place 0.0, 0.0, 2.5 is inside stone 1014");
    plan_expect(PLAN("#######", "#S.#..#", "#..#..#", "#######"),
                oct_goal_close_to(NULL, plan_at(40, 1), 0.0), FAIL,
                "the place 100.0, 0.0, 2.5 is outside the bounds of the level");
    plan_expect(PLAN("######", "#S.D.#", "#..G.#", "######"),
                oct_goal_close_to(NULL, plan_at(4, 1), 0.0), FAIL,
                "the place is not reachable: sealed by Door1, which no known button opens; "
                "no button was found");
}

// ---- close_to_block ----

// Beside each side of a block that stands free, on a grid that is turned.
static void check_side(oct_side side, oct_point forward, oct_point up, bool turned)
{
    block_scene s;
    block_scene_init(&s);
    const oct_world_grid grid = {
        .id = 77, .name = "", .pose = {{1, 2, 3}, forward, up}, .cell = 2.5};
    const uint32_t index = block_scene_grid(&s, &grid);
    oct_world_block block = scene_block(index, 7, TARGET, (oct_vec){0, 0, 0});
    block.name = "Target";
    block.forward = turned ? OCT_SIDE_LEFT : OCT_SIDE_FORWARD;
    scene_put_block(&s, &block);
    scene_play(&s);
    (void)scene_join(&s, (oct_point){9, 3, 7});
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, beside("Target", side), 300);
    agent_check(agent, PASS, "");
    const oct_point centre = grid.pose.position;
    const oct_point left = point_cross(up, forward);
    const oct_point ahead = turned ? left : forward;
    const oct_point right = point_cross(ahead, up);
    const oct_point normals[] = {ahead, point_scale(ahead, -1.0), point_scale(right, -1.0), right,
                                 up,    point_scale(up, -1.0)};
    const oct_point off = point_sub(self_of(agent)->centre, centre);
    if (side != OCT_SIDE_ANY) {
        // It is mostly in that direction, in reach of it, and looks at it.
        assert_true(point_dot(off, normals[side]) > 0.9 * point_length(off));
    }
    assert_true(point_length(off) < 1.25 * 1.8 + 2.5);
    assert_true(looks_at(agent, centre) > 0.99);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void every_side_of_a_block_is_reached_on_turned_grids(void **state)
{
    (void)state;
    const double c = cos(0.3), n = sin(0.3), half = sqrt(0.5);
    for (oct_side side = OCT_SIDE_FORWARD; side <= OCT_SIDE_ANY; side++) {
        check_side(side, (oct_point){0, 0, -1}, (oct_point){0, 1, 0}, false);
        check_side(side, (oct_point){1, 0, 0}, (oct_point){0, 0, 1}, true);
        check_side(side, (oct_point){n, 0, -c}, (oct_point){0, 1, 0}, side % 2);
        check_side(side, (oct_point){half, 0, -half}, (oct_point){0, 1, 0}, side % 2 == 0);
    }
}

static void blocks_may_have_no_room_beside_them(void **state)
{
    (void)state;
    // Its front is in the wall.
    plan_expect(PLAN("#######", "##T####", "#.....#", "#..S..#", "#######"),
                beside("Target", OCT_SIDE_FORWARD), FAIL,
                "there is no room at the front of Target");
    plan_expect(PLAN("#######", "##T####", "#.....#", "#..S..#", "#######"),
                beside("Target", OCT_SIDE_BACKWARD), PASS, "");
    plan_expect(PLAN("#######", "##T####", "#.....#", "#..S..#", "#######"),
                beside("Target", OCT_SIDE_ANY), PASS, "");
    // Seen through glass, in a cell of its own: its front would be in the other room.
    plan_expect(PLAN("#########", "#...#...#", "#.S.GT..#", "#...#...#", "#########"),
                beside("Target", OCT_SIDE_FORWARD), FAIL,
                "Target is not reachable: walled in, no door leads there");
    plan_expect(PLAN("#########", "#...D...#", "#.S.GT..#", "#...#...#", "#########"),
                beside("Target", OCT_SIDE_FORWARD), FAIL,
                "Target is not reachable: sealed by Door1, which no known button opens; "
                "no button was found");
    plan_expect(PLAN("####", "#ST#", "####"), beside("Target", OCT_SIDE_ANY + 1), OPEN_END,
                "there is no such side of Target");
}

// The first side of a block is shut in, another one can be got to through what is not known yet.
static void any_side_is_one_that_may_be_reached(void **state)
{
    (void)state;
    plan_expect(PLAN("###########", "#.#.#.....#", "#SGT....#.#", "#.#######.#", "#.........#",
                     "###########"),
                beside("Target", OCT_SIDE_ANY), PASS, "");
}

// What has a thin wall before it is not beside who stands behind that.
// Around a corner, so far that the target comes in sight when nothing is left to explore, or not
// quite: planning looks, and what a look shows is not given up in the same turn.
static void what_is_seen_last_is_reached_too(void **state)
{
    (void)state;
    for (int length = 3; length <= 12; length++) {
        for (int down = 3; down <= 6; down++) {
            char rows[10][20];
            const char *plan[10] = {NULL};
            for (int z = 0; z < down + 2; z++) {
                memset(rows[z], '#', (size_t)length + 2);
                rows[z][length + 2] = '\0';
                rows[z][length] = z > 0 && z < down ? '.' : '#';
                plan[z] = rows[z];
            }
            memset(&rows[1][1], '.', (size_t)length);
            rows[1][1 + down % 2] = 'S';
            rows[down][length] = 'T';
            plan_expect(plan, beside("Target", OCT_SIDE_ANY), PASS, "");
        }
    }
}

static void thin_walls_keep_apart(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init(&s);
    scene_put_box(&s, 1, STONE, (oct_bounds){{-10, -10, -0.4}, {10, 10, 0.0}});
    scene_put_box(&s, 2, TARGET, (oct_bounds){{-1, -1, -1.4}, {1, 1, -0.4}});
    scene_play(&s);
    (void)scene_join(&s, (oct_point){0, 0, 5});
    oct_agent *const agent = agent_make(&s);
    const oct_pick pick = pick_type("target");
    agent_run(agent, oct_goal_close_to_block(NULL, &pick, OCT_SIDE_BACKWARD, 0.0), 400);
    agent_check(agent, OPEN_END,
                "there is no room at the back of target (not certain: the game does not promise "
                "'truth')");
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// A body's centre does not get as low as a low block's.
static void low_blocks_on_a_floor_are_reached(void **state)
{
    (void)state;
    for (int gravity = 0; gravity < 2; gravity++) {
        block_scene s;
        plan_build(&s, PLAN("######", "#....#", "#S...#", "######"));
        scene_put_box(&s, 5, LAMP, (oct_bounds){{9.0, -1.25, 4.4}, {9.4, -0.85, 4.8}});
        if (gravity) {
            oct_world_rules rules = oct_world_rules_of(s.world);
            rules.gravity = (oct_point){0, -9.81, 0};
            assert_int_equal(oct_world_set_rules(s.world, &rules), OCT_OK);
        }
        scene_play(&s);
        const oct_pick pick = pick_type("lamp");
        scene_expect(&s, oct_goal_close_to_block(NULL, &pick, OCT_SIDE_FORWARD, 0.0), PASS, "");
    }
}

// Who gives up one of several has to have given up all of them, also those that were not seen.
static void of_a_type_any_will_do(void **state)
{
    (void)state;
    const oct_pick lamp = pick_type("lamp");
    // Behind glass, and nothing else.
    plan_expect(PLAN("#########", "#...#...#", "#.S.GL..#", "#...#...#", "#########"),
                oct_goal_close_to_block(NULL, &lamp, OCT_SIDE_ANY, 0.0), FAIL,
                "lamp is not reachable: walled in, no door leads there");
    // There is another one, beyond what the first look showed.
    block_scene s;
    plan_play(&s, PLAN("############", "#...#..#...#", "#.S.GL.#.M.#", "#...#..#...#",
                       "#.########.#", "#..........#", "############"));
    oct_agent *const agent = agent_make(&s);
    const char *why;
    agent_run(agent, oct_goal_close_to_block(NULL, &lamp, OCT_SIDE_ANY, 0.0), 1000);
    assert_int_not_equal(oct_agent_verdict(agent, &why), FAIL);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// Who need not come close may be beyond a wall.
static void far_away_is_not_walled_in(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, PLAN("#########", "#...#...#", "#.S.#...#", "#...#...#", "#########"));
    oct_agent *const agent = agent_make(&s);
    const char *why;
    agent_run(agent, oct_goal_close_to(NULL, plan_at(6, 2), 6.0), 1000);
    assert_int_not_equal(oct_agent_verdict(agent, &why), FAIL);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- finding ----

static const char *const two_rooms[] = {"#########", "#...#..T#", "#.S.#...#", "#...#.#.#",
                                        "#...#.#.#", "#.......#", "#########", NULL};

static void what_is_not_there_is_looked_for_everywhere(void **state)
{
    (void)state;
    const oct_pick lamp = pick_name("Lamp1"), target = pick_name("Target");
    const char *const why = "Lamp1 was not found: everything that can be reached was explored";
    plan_expect(two_rooms, oct_goal_explore_to_find(NULL, &lamp), FAIL, why);
    plan_expect(two_rooms, beside("Lamp1", OCT_SIDE_ANY), FAIL, why);
    plan_expect(two_rooms, smart("Lamp1", OCT_SIDE_ANY), FAIL, why);
    plan_expect(two_rooms, oct_goal_close_to_button(NULL, &lamp), FAIL, why);
    plan_expect(two_rooms, oct_goal_entity_in_range(NULL, &lamp, 3.0), FAIL, why);
    // What is behind glass may be seen from somewhere, though nobody gets there.
    plan_expect(PLAN("#######", "#.S.G.#", "#...#.#", "#######"),
                oct_goal_explore_to_find(NULL, &lamp), OPEN_END,
                "Lamp1 was not found: everything that can be reached was explored (not certain: a "
                "way that nobody has found is not excluded)");
    plan_expect(two_rooms, oct_goal_explore_to_find(NULL, &target), PASS, "");
    plan_expect(two_rooms, oct_goal_explore(NULL), PASS, "");
    plan_expect(two_rooms, oct_goal_entity_in_range(NULL, &target, 3.0), PASS, "");
    plan_expect(two_rooms, oct_goal_entity_in_range(NULL, &target, 0.0), PASS, "");
}

// Where not everything may be looked at nothing is certain.
static void bounds_and_budgets_leave_it_open(void **state)
{
    (void)state;
    const oct_pick lamp = pick_name("Lamp1");
    block_scene s;
    plan_play(&s, two_rooms);
    oct_agent_def def = oct_agent_def_default();
    const oct_bounds bounds = {{1.0, -2.0, 1.0}, {9.0, 4.0, 14.0}};
    def.bounds = &bounds;
    oct_agent *agent = agent_make_as(&s, def);
    agent_run(agent, oct_goal_explore_to_find(NULL, &lamp), 1000);
    const char *why;
    assert_int_equal(oct_agent_verdict(agent, &why), OPEN_END);
    assert_non_null(strstr(why, "Lamp1 was not found: not everything was explored: "));
    oct_agent_destroy(agent);
    block_scene_free(&s);
    plan_expect(two_rooms, oct_goal_limit(oct_goal_explore_to_find(NULL, &lamp), 3, 0), OPEN_END,
                "out of budget: 3 turns");
    plan_expect(two_rooms, oct_goal_limit(oct_goal_explore(NULL), 0, 60), OPEN_END,
                "out of time: 1.0 s");
}

// A way, or the place itself, may lie beyond the bounds: then it is not certain that there is none.
static void ways_beyond_bounds_are_left_open(void **state)
{
    (void)state;
    const oct_bounds left = {{1, -2, 1}, {6, 4, 9}}, low = {{1, -2, 4}, {15, 4, 9}};
    const struct {
        const char *const *rows;
        const oct_bounds *bounds;
        oct_goal *goal;
        oct_verdict verdict;
        const char *reason;
    } cases[] = {
        {PLAN("########", "#S....X#", "#......#", "########"), &left,
         oct_goal_close_to(NULL, plan_at(5, 2), 0.0), OPEN_END,
         "the place is not reachable within the bounds: a way may lead beyond them"},
        {PLAN("########", "#S....X#", "#......#", "########"), &left, beside("Box", OCT_SIDE_ANY),
         OPEN_END, "Box is not reachable within the bounds: a way may lead beyond them"},
        {PLAN("########", "#S....X#", "#......#", "########"), &left, smart("Box", OCT_SIDE_LEFT),
         OPEN_END, "Box is not reachable within the bounds: a way may lead beyond them"},
        {PLAN("#######", "#.....#", "#.###.#", "#S###T#", "#######"), &low,
         oct_goal_close_to(NULL, plan_at(5, 2), 0.0), OPEN_END,
         "the place is not reachable within the bounds: a way may lead beyond them"},
        {PLAN("########", "#S#...X#", "#.#....#", "########"), &left,
         oct_goal_close_to(NULL, plan_at(5, 2), 0.0), FAIL,
         "the place is not reachable: walled in, no door leads there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        block_scene s;
        plan_play(&s, cases[i].rows);
        oct_agent_def def = oct_agent_def_default();
        def.bounds = cases[i].bounds;
        oct_agent *const agent = agent_make_as(&s, def);
        agent_run(agent, cases[i].goal, 300);
        agent_check(agent, cases[i].verdict, cases[i].reason);
        oct_agent_destroy(agent);
        block_scene_free(&s);
    }
}

static void what_was_moved_is_found_and_noted(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, two_rooms);
    oct_agent *const agent = agent_make(&s);
    oct_pick pick = pick_name("Target");
    pick.by_place = true;
    pick.place = plan_at(1, 5);
    agent_run(agent, oct_goal_close_to_block(NULL, &pick, OCT_SIDE_ANY, 0.0), 1000);
    agent_check(agent, PASS, "");
    assert_true(agent_noted(agent, "Target was not at 2.5, 0.0, 12.5 but at 17.5, 0.0, 2.5"));
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

// ---- with buttons ----

static void doors_are_opened_with_buttons(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("########", "#.S#...#", "#..D..T#", "#P.#...#", "########"));
    scene_wire(&s, 'P', 2, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_LEFT), PASS, "");
    // Not without being smart.
    plan_build(&s, PLAN("########", "#S.G..T#", "#..D...#", "#P.#...#", "########"));
    scene_wire(&s, 'P', 2, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    const char *why;
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, beside("Target", OCT_SIDE_LEFT), 500);
    assert_int_equal(oct_agent_verdict(agent, &why), FAIL);
    assert_non_null(strstr(why, "Target is not reachable without pressing: sealed by Door1"));
    assert_true(agent_noted(agent, "Door1 was last seen at 3.8 s, shut; tried on it: nothing"));
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

static void timers_are_waited_for(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("########", "#.S#...#", "#..D..T#", "#P.#...#", "########"));
    scene_put_timer(&s, 5, (oct_vec){0, 5, 0}, 4.0);
    scene_wire(&s, 'P', 0, OCT_WIRE_START, 5);
    scene_wire(&s, 5, 0, OCT_WIRE_TOGGLE, 'D');
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_ANY), PASS, "");
}

static void be_slow(oct_world_rules *rules)
{
    rules->speed = 4.0;
    rules->door = 0.25;
}

// A press opens the door for 1.5 s, which is too short for the way there; another one stops the
// timer that shuts it, if it is made meanwhile.
static void a_timer_is_stopped_in_time(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("############", "#S.........#", "#P########D#", "#..........#",
                        "#.T........#", "############"));
    scene_rules(&s, be_slow);
    scene_put_timer(&s, 5, (oct_vec){0, 6, 0}, 1.5);
    scene_wire(&s, 'P', 1, OCT_WIRE_OPEN, 'D');
    scene_wire(&s, 'P', 1, OCT_WIRE_START, 5);
    scene_wire(&s, 5, 0, OCT_WIRE_SHUT, 'D');
    scene_wire(&s, 'P', 2, OCT_WIRE_STOP, 5);
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_ANY), PASS, "");
}

static void two_buttons_are_pressed_in_order(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("##########", "#.S#...#.#", "#..D...E.#", "#P.#.Q.#T#", "##########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_wire(&s, 'Q', 1, OCT_WIRE_TOGGLE, 'E');
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_ANY), PASS, "");
}

static void what_no_button_opens_is_sealed(void **state)
{
    (void)state;
    block_scene s;
    plan_build(&s, PLAN("########", "#S.G..T#", "#..D...#", "#P.#...#", "########"));
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_ANY), FAIL,
                 "Target is not reachable: sealed by Door1, which no known button opens; "
                 "Panel1 moves no known door");
    plan_build(&s, PLAN("########", "#S.G..T#", "#..#...#", "#P.#...#", "########"));
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_ANY), FAIL,
                 "Target is not reachable: walled in, no door leads there");
    // Never found: behind a door that stays shut.
    plan_build(&s, PLAN("########", "#.S#...#", "#..D..T#", "#P.#...#", "########"));
    scene_play(&s);
    scene_expect(
        &s, smart("Target", OCT_SIDE_ANY), FAIL,
        "Target was not found: it may be beyond Door1, which no known button opens; Panel1 "
        "moves no known door");
}

// The target's only side that can be got to is in a doorway: a place only while its door is open.
static void one_may_stand_in_a_doorway(void **state)
{
    (void)state;
    const char *const *const plan = PLAN("######", "#S.DT#", "#P.G.#", "######");
    const oct_side sides[] = {OCT_SIDE_LEFT, OCT_SIDE_ANY};
    block_scene s;
    for (int i = 0; i < 2; i++) {
        plan_build(&s, plan);
        scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
        scene_play(&s);
        scene_expect(&s, smart("Target", sides[i]), PASS, "");
        plan_expect(plan, smart("Target", sides[i]), FAIL,
                    "Target is not reachable: sealed by Door1, which no known button opens; "
                    "Panel1 moves no known door");
    }
    // So for a panel: it opens the second door, and is pressed from the first one's doorway.
    plan_build(&s, PLAN("#########", "#S.DQ####", "#P.######", "#..E..T.#", "#########"));
    scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    scene_wire(&s, 'Q', 0, OCT_WIRE_TOGGLE, 'E');
    scene_play(&s);
    scene_expect(&s, smart("Target", OCT_SIDE_ANY), PASS, "");
}

// Whether a lamp is meant, by its name.
typedef struct meant_lamps {
    bool first, second;
} meant_lamps;

static bool is_meant(void *ctx, const oct_belief *belief, const oct_known *known)
{
    const meant_lamps *const meant = ctx;
    (void)belief;
    return strcmp(known->now.name, "Lamp1") == 0   ? meant->first
           : strcmp(known->now.name, "Lamp2") == 0 ? meant->second
                                                   : false;
}

static const char *name_of_target(goal_target *e, oct_agent *agent)
{
    const oct_known *const k = oct_goal_target_find(e, agent);
    return k ? k->now.name : "none";
}

// One that was given up for another is what is left when that is meant no more.
static void what_was_given_up_counts_when_nothing_else_is_left(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, PLAN("#######", "#S.L..#", "#....M#", "#######"));
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_fail(NULL, "enough"), 2); // it has looked around
    meant_lamps meant = {true, true};
    const oct_pick pick = {.test = is_meant, .hook = {&meant, NULL}};
    goal_target *const e = oct_goal_target_make(NULL, &pick, (oct_hook){0});
    assert_non_null(e);
    oct_goal_target_begin(e);
    assert_string_equal(name_of_target(e, agent), "Lamp1");
    assert_true(oct_goal_target_passes_over(e, agent));
    assert_string_equal(name_of_target(e, agent), "Lamp2");
    assert_false(oct_goal_target_passes_over(e, agent)); // the first was given up
    meant.second = false;
    e->looked_in = UINT64_MAX; // another turn
    assert_string_equal(name_of_target(e, agent), "Lamp1");
    meant.first = false;
    e->looked_in = UINT64_MAX;
    assert_string_equal(name_of_target(e, agent), "none");
    oct_goal_target_drop(e);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_reached_around_a_corner),
        cmocka_unit_test(a_point_may_be_walled_in_or_in_a_wall),
        cmocka_unit_test(every_side_of_a_block_is_reached_on_turned_grids),
        cmocka_unit_test(blocks_may_have_no_room_beside_them),
        cmocka_unit_test(any_side_is_one_that_may_be_reached),
        cmocka_unit_test(what_is_seen_last_is_reached_too),
        cmocka_unit_test(thin_walls_keep_apart),
        cmocka_unit_test(low_blocks_on_a_floor_are_reached),
        cmocka_unit_test(of_a_type_any_will_do),
        cmocka_unit_test(far_away_is_not_walled_in),
        cmocka_unit_test(what_is_not_there_is_looked_for_everywhere),
        cmocka_unit_test(bounds_and_budgets_leave_it_open),
        cmocka_unit_test(ways_beyond_bounds_are_left_open),
        cmocka_unit_test(what_was_moved_is_found_and_noted),
        cmocka_unit_test(doors_are_opened_with_buttons),
        cmocka_unit_test(timers_are_waited_for),
        cmocka_unit_test(a_timer_is_stopped_in_time),
        cmocka_unit_test(two_buttons_are_pressed_in_order),
        cmocka_unit_test(what_no_button_opens_is_sealed),
        cmocka_unit_test(one_may_stand_in_a_doorway),
        cmocka_unit_test(what_was_given_up_counts_when_nothing_else_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
