// SPDX-License-Identifier: MIT
// Searches for the nearest of many goals, against one search for each of them.
#include "octant/tree.h"
#include "search_scene.h"

#include <math.h>

#define GOALS_MAX 24
// By how much the path to the goal that is found may be longer than the shortest to any: at most,
// in parts of it and in cells, and in the mean. Portal search is not exact, for one goal or for
// many.
#define LONGER_PART 0.15
#define LONGER_CELLS 0.25
#define LONGER_MEAN 0.002

typedef struct goal_list {
    oct_vec cells[GOALS_MAX];
    size_t count;
    uint64_t asked;
} goal_list;

static bool is_within(const oct_box *box, oct_vec c)
{
    return c.x >= box->min.x && c.x < box->max.x && c.y >= box->min.y && c.y < box->max.y &&
           c.z >= box->min.z && c.z < box->max.z;
}

static oct_fine middle(oct_vec c)
{
    return (oct_fine){(int64_t)c.x * OCT_FINE + OCT_FINE / 2,
                      (int64_t)c.y * OCT_FINE + OCT_FINE / 2,
                      (int64_t)c.z * OCT_FINE + OCT_FINE / 2};
}

static bool nearest(void *ctx, oct_fine at, const oct_box *within, double limit, double slack,
                    oct_vec *cell)
{
    (void)slack;
    goal_list *const list = ctx;
    double best = limit;
    bool found = false;
    list->asked++;
    for (size_t i = 0; i < list->count; i++) {
        const oct_fine to = middle(list->cells[i]);
        const double x = (double)(to.x - at.x), y = (double)(to.y - at.y),
                     z = (double)(to.z - at.z);
        const double away = sqrt(x * x + y * y + z * z) / OCT_FINE;
        if (away < best && (!within || is_within(within, list->cells[i]))) {
            best = away;
            *cell = list->cells[i];
            found = true;
        }
    }
    return found;
}

// Goals in free cells of the scene, each once.
static void draw_goals(search_scene *s, goal_list *list)
{
    const size_t wanted = 1 + oct_random_below(&s->random, GOALS_MAX);
    *list = (goal_list){.count = 0};
    for (int tries = 0; tries < 200 && list->count < wanted; tries++) {
        oct_vec c;
        assert_true(oct_tree_cell_at(s->tree, scene_random_point(s), &c));
        c.z = s->dims == 3 ? c.z : 0;
        bool is_new = exact_is_free(&s->world, c);
        for (size_t i = 0; i < list->count; i++) {
            const oct_vec other = list->cells[i];
            is_new = is_new && (other.x != c.x || other.y != c.y || other.z != c.z);
        }
        if (is_new) {
            list->cells[list->count++] = c;
        }
    }
}

static oct_point point_of(const search_scene *s, oct_vec cell)
{
    return oct_tree_point(s->tree, middle(cell));
}

// The least length over single searches, cells; HUGE_VAL where no goal can be reached.
static double shortest_of(const search_scene *s, oct_planner *planner, oct_query query,
                          const goal_list *list)
{
    double best = HUGE_VAL;
    query.goals = NULL;
    for (size_t i = 0; i < list->count; i++) {
        query.to = point_of(s, list->cells[i]);
        const oct_path path = scene_plan(s, planner, &query);
        best = path.status == OCT_PATH_FOUND && path.length < best ? path.length : best;
    }
    return best;
}

static void check_nearest(search_scene *s, oct_planner *planner, oct_grade grade, double *excess)
{
    goal_list list;
    draw_goals(s, &list);
    const oct_goals goals = {&list, nearest};
    const scene_end from = scene_random_end(s);
    oct_query query = scene_query(s, &from, &from);
    query.goals = &goals;
    query.grade = grade;
    const oct_path path = scene_plan(s, planner, &query);
    if (path.status == OCT_PATH_FOUND) {
        const oct_fine last = path.lattice[path.lattice_count - 1];
        const oct_vec cell = {(int32_t)(last.x >> 8), (int32_t)(last.y >> 8),
                              s->dims == 3 ? (int32_t)(last.z >> 8) : 0};
        bool is_goal = false;
        for (size_t i = 0; i < list.count; i++) {
            is_goal = is_goal || (cell.x == list.cells[i].x && cell.y == list.cells[i].y &&
                                  cell.z == list.cells[i].z);
        }
        SCENE_CHECK(s, &query, is_goal, "the path ends at no goal");
        query.to = point_of(s, cell);
        scene_check_path(s, &query, &path);
        SCENE_CHECK(s, &query, !path.enters_blocked, "goals are free");
    } else {
        SCENE_CHECK(s, &query, path.status == OCT_PATH_NONE, "status %d", (int)path.status);
        scene_check_no_path(s, &query, &path);
    }
    const oct_path_status status = path.status;
    const double length = path.length, cell = oct_tree_cell_size(s->tree);
    const double shortest = shortest_of(s, planner, query, &list);
    SCENE_CHECK(s, &query, (shortest == HUGE_VAL) == (status == OCT_PATH_NONE),
                "%zu goals, status %d, shortest %g", list.count, (int)status, shortest);
    if (status == OCT_PATH_FOUND) {
        SCENE_CHECK(s, &query, length <= (1.0 + LONGER_PART) * shortest + LONGER_CELLS * cell,
                    "length %.17g, shortest %.17g", length, shortest);
        *excess += shortest > 0.0 ? length / shortest - 1.0 : 0.0;
    }
}

// The path is that of a single search to the goal that is nearest by path.
static void goals_nearest_by_path_are_found(void **state)
{
    (void)state;
    static const struct {
        int dims;
        int32_t edge;
        bool sparse;
        uint64_t worlds;
    } kinds[] = {{2, 12, false, 300}, {2, 40, true, 60}, {3, 7, false, 200}, {3, 20, true, 60}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double excess[2] = {0.0};
        for (uint64_t seed = 1; seed <= test_rounds(kinds[k].worlds); seed++) {
            search_scene scene;
            const scene_wish wish = {.no_prices = true, .sparse = kinds[k].sparse};
            search_scene_init(&scene, seed * 4 + k, kinds[k].dims, kinds[k].edge, wish);
            oct_planner *const planner = scene_planner(&scene, NULL);
            for (int i = 0; i < 6; i++) {
                check_nearest(&scene, planner, i % 2 ? OCT_GRADE_FAST : OCT_GRADE_BEST,
                              &excess[i % 2]);
            }
            oct_planner_destroy(planner);
            search_scene_free(&scene);
        }
        const double count = 3.0 * (double)test_rounds(kinds[k].worlds);
        print_message("dims %d, edge %d: longer by %.4f (best), %.4f (fast) in the mean\n",
                      kinds[k].dims, kinds[k].edge, excess[0] / count, excess[1] / count);
        assert_true(excess[0] / count < LONGER_MEAN && excess[1] / count < LONGER_MEAN);
    }
}

// No goal, no path; and a set of goals is only for the portal search.
static void no_goal_is_no_path(void **state)
{
    (void)state;
    search_scene scene;
    SCENE_DRAW(&scene, 2, 1, "....", ".##.", "....");
    oct_planner *const planner = scene_planner(&scene, NULL);
    goal_list list = {.count = 0};
    const oct_goals goals = {&list, nearest};
    const scene_end from = scene_end_of(&scene, (oct_point){0.5, 0.5, 0.0});
    oct_query query = scene_query(&scene, &from, &from);
    query.goals = &goals;
    assert_int_equal(scene_plan(&scene, planner, &query).status, OCT_PATH_NONE);
    assert_true(list.asked > 0);
    const oct_point to = {1.5, 0.5, 0.0};
    assert_int_equal(oct_lab_plan_to_many(planner, &query, &to, 1, NULL, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_lab_plan_from_many(planner, &query, &to, 1, NULL, NULL),
                     OCT_ERROR_ARGUMENT);
    LAB_SET(&query, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&query, algorithm, OCT_LAB_ASTAR);
    oct_path path;
    assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_lab_check(&query, 2), OCT_ERROR_ARGUMENT);
    oct_planner_destroy(planner);
    search_scene_free(&scene);
}

// The goal that is nearest in a straight line is behind a wall; the box at hand holds another.
static void a_goal_behind_a_wall_does_not_hide_others(void **state)
{
    (void)state;
    search_scene scene;
    SCENE_DRAW(&scene, 2, 1, "...#...", "...#...", "...#...", "...#...");
    oct_planner *const planner = scene_planner(&scene, NULL);
    goal_list list = {{{4, 1, 0}, {0, 3, 0}}, 2, 0};
    const oct_goals goals = {&list, nearest};
    const scene_end from = scene_end_of(&scene, (oct_point){2.5, 1.5, 0.0});
    oct_query query = scene_query(&scene, &from, &from);
    query.goals = &goals;
    const oct_path path = scene_plan(&scene, planner, &query);
    assert_int_equal(path.status, OCT_PATH_FOUND);
    const oct_point last = path.points[path.point_count - 1];
    assert_true(last.x == 0.5 && last.y == 3.5);
    assert_true(fabs(path.straight - path.length) < 1e-12);
    oct_planner_destroy(planner);
    search_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals_nearest_by_path_are_found),
        cmocka_unit_test(no_goal_is_no_path),
        cmocka_unit_test(a_goal_behind_a_wall_does_not_hide_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
