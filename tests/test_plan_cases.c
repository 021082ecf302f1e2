// SPDX-License-Identifier: MIT
// Queries by hand: names, arguments that make no sense, starts and goals in the same place, in
// walls, at the ends of the lattice, and planners that outlive what they knew.
#include "geom/geom_internal.h"
#include "octant/components.h"
#include "octant/crowd.h"
#include "octant/line.h"
#include "octant/names.h"
#include "octant/tree.h"
#include "search_scene.h"

#include <math.h>

static oct_query query_between(const search_scene *s, oct_point from, oct_point to)
{
    oct_query q = oct_query_default();
    q.from = from;
    q.to = to;
    q.terms = s->terms;
    return q;
}

// ---- names ----

static void everything_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(oct_lab_graph_name(OCT_LAB_GRAPH_PROGRESSIVE_DUAL), "progressive-dual");
    assert_string_equal(oct_lab_algorithm_name(OCT_LAB_LAZY_THETA), "lazy-theta");
    assert_string_equal(oct_path_status_name(OCT_PATH_UNDECIDED), "undecided");
    for (int i = 0; i < OCT_LAB_GRAPH_COUNT; i++) {
        assert_non_null(oct_lab_graph_name((oct_lab_graph)i));
    }
    for (int i = 0; i < OCT_LAB_ALGORITHM_COUNT; i++) {
        assert_non_null(oct_lab_algorithm_name((oct_lab_algorithm)i));
    }
    for (int i = 0; i < OCT_PATH_COUNT; i++) {
        assert_non_null(oct_path_status_name((oct_path_status)i));
    }
    assert_null(oct_lab_graph_name(OCT_LAB_GRAPH_COUNT));
    assert_null(oct_lab_algorithm_name(OCT_LAB_ALGORITHM_COUNT));
    assert_null(oct_path_status_name(OCT_PATH_COUNT));
    assert_true(oct_lab_serves(OCT_LAB_GREEDY, OCT_LAB_GRAPH_DUAL));
    assert_true(oct_lab_serves(OCT_LAB_GREEDY, OCT_LAB_GRAPH_PROGRESSIVE_DUAL));
    assert_false(oct_lab_serves(OCT_LAB_GREEDY, OCT_LAB_GRAPH_CELLS));
    assert_false(oct_lab_serves(OCT_LAB_GREEDY, OCT_LAB_GRAPH_USER));
    assert_false(oct_lab_serves(OCT_LAB_ALGORITHM_COUNT, OCT_LAB_GRAPH_CELLS));
    assert_false(oct_lab_serves(OCT_LAB_ASTAR, OCT_LAB_GRAPH_COUNT));
}

// ---- what makes no sense ----

static void refuse(oct_planner *planner, const oct_query *q, oct_result expected)
{
    oct_path path;
    assert_int_equal(oct_planner_plan(planner, q, &path), expected);
    assert_int_equal(path.point_count, 0);
    assert_int_equal(path.status, OCT_PATH_NONE);
    assert_int_equal(oct_planner_begin(planner, q), expected);
    assert_int_equal(oct_planner_step(planner, 1, &path), OCT_ERROR_ARGUMENT);
}

static void queries_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 3, 3, "...", "...", "...");
    oct_planner *const planner = scene_planner(&s, NULL);
    const oct_query good =
        query_between(&s, (oct_point){0.5, 0.5, 0.5}, (oct_point){2.5, 2.5, 2.5});
    oct_query q = {.from = good.from, .to = good.to};
    refuse(planner, &q, OCT_ERROR_ARGUMENT);
    q = good;
    q.terms.cookie = 0;
    refuse(planner, &q, OCT_ERROR_ARGUMENT);
    q = good;
    LAB_SET(&q, graph, OCT_LAB_GRAPH_COUNT);
    refuse(planner, &q, OCT_ERROR_ARGUMENT);
    q = good;
    LAB_SET(&q, algorithm, OCT_LAB_ALGORITHM_COUNT);
    refuse(planner, &q, OCT_ERROR_ARGUMENT);
    q = good;
    LAB_SET(&q, heuristic, OCT_LAB_HEURISTIC_COUNT);
    refuse(planner, &q, OCT_ERROR_ARGUMENT);
    q = good;
    LAB_SET(&q, graph, OCT_LAB_GRAPH_USER);
    refuse(planner, &q, OCT_ERROR_ARGUMENT);
    q = good;
    q.terms.unknown_price = 0.0;
    refuse(planner, &q, OCT_ERROR_RANGE);
    static const oct_lab_graph no_greedy[] = {OCT_LAB_GRAPH_CELLS, OCT_LAB_GRAPH_CORNER,
                                              OCT_LAB_GRAPH_PROGRESSIVE_CORNER, OCT_LAB_GRAPH_USER};
    for (int i = 0; i < 4; i++) {
        q = good;
        LAB_SET(&q, algorithm, OCT_LAB_GREEDY);
        LAB_SET(&q, graph, no_greedy[i]);
        refuse(planner, &q, OCT_ERROR_ARGUMENT);
    }
    static const uint32_t no_neighbours[] = {1, 4, 7, 8, 27, 1000};
    for (int i = 0; i < 6; i++) {
        q = good;
        LAB_SET(&q, graph, i % 2 ? OCT_LAB_GRAPH_CELLS : OCT_LAB_GRAPH_DUAL);
        LAB_SET(&q, neighbours, no_neighbours[i]);
        refuse(planner, &q, OCT_ERROR_ARGUMENT);
    }
    const oct_path path = scene_plan(&s, planner, &good);
    scene_check_path(&s, &good, &path);
    oct_planner_destroy(planner);
    oct_planner_destroy(NULL);
    search_scene_free(&s);

    oct_planner_def def = oct_planner_def_default();
    def.lab = oct_lab();
    oct_planner *none;
    assert_int_equal(oct_planner_create(&def, &none), OCT_OK);
    refuse(none, &good, OCT_ERROR_ARGUMENT);
    oct_planner_destroy(none);
    def.cookie = 0;
    assert_int_equal(oct_planner_create(&def, &none), OCT_ERROR_ARGUMENT);
    assert_null(none);
}

static void starts_and_goals_must_be_in_range(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 3, 3, "...", "...", "...");
    const oct_box bounds = {{0, 0, 0}, {2, 3, 3}};
    scene_set_terms(&s, OCT_UNKNOWN_BLOCKED, &bounds);
    oct_planner *const planner = scene_planner(&s, NULL);
    const oct_point in = {0.5, 0.5, 0.5};
    static const oct_point out[] = {
        {2.01, 0.5, 0.5},     {2.5, 0.5, 0.5},  {-0.001, 0.5, 0.5},      {0.5, 0.5, 3.01},
        {1e10, 0, 0},         {0, -1e10, 0},    {(double)NAN, 0.5, 0.5}, {0.5, (double)NAN, 0.5},
        {0.5, 0.5, HUGE_VAL}, {0.5, 1e300, 0.5}};
    for (int i = 0; i < SCENE_CHOICES; i++) {
        for (size_t k = 0; k < sizeof out / sizeof out[0]; k++) {
            oct_query q = query_between(&s, in, out[k]);
            if (scene_choose(&s, &q, i)) {
                refuse(planner, &q, OCT_ERROR_RANGE);
                q.from = q.to;
                q.to = in;
                refuse(planner, &q, OCT_ERROR_RANGE);
            }
        }
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// At two dimensions neighbours go by either name, and z is ignored.
static void flat_neighbours_have_two_names(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "....", ".##.", "....");
    oct_planner *const planner = scene_planner(&s, NULL), *const other = scene_planner(&s, NULL);
    static const uint32_t names[][2] = {{4, 6}, {8, 26}, {8, 18}};
    for (int i = 0; i < SCENE_CHOICES; i++) {
        oct_query q = query_between(&s, (oct_point){0.5, 0.5, 0}, (oct_point){3.5, 2.5, 0});
        if (!scene_choose(&s, &q, i)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            LAB_SET(&q, neighbours, names[k][0]);
            q.from.z = q.to.z = 0.0;
            if (oct_lab_check(&q, 2) != OCT_OK) {
                continue;
            }
            const oct_path a = scene_plan(&s, planner, &q);
            LAB_SET(&q, neighbours, names[k][1]);
            q.from.z = (double)NAN;
            q.to.z = 1e300;
            const oct_path b = scene_plan(&s, other, &q);
            assert_true(scene_paths_equal(&a, &b));
        }
    }
    oct_planner_destroy(other);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// ---- ends ----

static void check_goals_at_starts(int dims)
{
    search_scene s;
    SCENE_DRAW(&s, dims, dims == 3 ? 3 : 1, "...", ".#.", "...");
    oct_planner *const planner = scene_planner(&s, NULL);
    static const oct_point ends[] = {{0.5, 0.5, 0.5}, {1.0, 1.0, 1.0},  {0.3, 0.7, 2.1},
                                     {2.0, 2.5, 0.0}, {1.5, 1.25, 1.5}, {1.5, 1.5, 1.5}};
    for (int i = 0; i < SCENE_CHOICES; i++) {
        for (int k = 0; k < 6; k++) {
            oct_query q = query_between(&s, ends[k], ends[k]);
            if (!scene_choose(&s, &q, i)) {
                continue;
            }
            const oct_path path = scene_plan(&s, planner, &q);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            scene_check_path(&s, &q, &path);
            assert_true(fabs(scene_free_length(&s, &q, &path)) < 1e-9);
            assert_true(path.straight == 0.0);
            assert_true(path.expanded <= 3);
        }
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

static void a_goal_at_the_start_is_found_at_once(void **state)
{
    (void)state;
    check_goals_at_starts(2);
    check_goals_at_starts(3);
}

// At both ends of the lattice.
static void paths_at_the_end_of_the_lattice(void **state)
{
    (void)state;
    for (int end = 0; end < 4; end++) {
        search_scene s;
        const int dims = end < 2 ? 3 : 2;
        SCENE_DRAW(&s, dims, 1, ".");
        const int32_t lo = end % 2 ? OCT_RANGE - 6 : -OCT_RANGE;
        oct_tree_clear(s.tree);
        s.drawn = (oct_box){{lo, lo, dims == 3 ? lo : 0}, {lo + 6, lo + 6, dims == 3 ? lo + 6 : 1}};
        assert_int_equal(oct_tree_set_box(s.tree, s.drawn, OCT_MARK_OPEN), OCT_OK);
        const oct_box wall = {{lo, lo + 2, s.drawn.min.z}, {lo + 5, lo + 4, s.drawn.max.z}};
        assert_int_equal(oct_tree_set_box(s.tree, wall, OCT_MARK_BLOCKED), OCT_OK);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            oct_query q = query_between(&s, (oct_point){lo + 0.5, lo + 0.5, lo + 0.5},
                                        (oct_point){lo + 1.25, lo + 5.75, lo + 5.5});
            if (scene_choose(&s, &q, i)) {
                const oct_path path = scene_plan(&s, planner, &q);
                assert_true(
                    path.status == OCT_PATH_FOUND ||
                    (path.status == OCT_PATH_UNDECIDED && lab_of(&q).algorithm == OCT_LAB_GREEDY));
                if (path.status == OCT_PATH_FOUND) {
                    scene_check_path(&s, &q, &path);
                }
            }
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// From one end of the lattice to the other, past the only thing there is.
static void paths_across_the_whole_lattice(void **state)
{
    (void)state;
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const double end = OCT_RANGE - 0.5;
    for (int dims = 2; dims <= 3; dims++) {
        search_scene s;
        SCENE_DRAW(&s, dims, 2, "##", "##");
        scene_set_terms(&s, OCT_UNKNOWN_OPEN, &all);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            oct_query q =
                query_between(&s, (oct_point){-end, -end, -end}, (oct_point){end, end, end});
            if (!scene_choose(&s, &q, i) || lab_of(&q).graph == OCT_LAB_GRAPH_LATTICE ||
                (lab_of(&q).graph == OCT_LAB_GRAPH_CELLS && !scene_has_plane(&q))) {
                continue; // cell by cell it would take too long
            }
            if (scene_has_plane(&q)) {
                refuse(planner, &q, OCT_ERROR_RANGE);
                continue;
            }
            const oct_path path = scene_plan(&s, planner, &q);
            assert_true(path.status == OCT_PATH_FOUND || (path.status == OCT_PATH_UNDECIDED &&
                                                          lab_of(&q).algorithm == OCT_LAB_GREEDY));
            for (uint32_t k = 1; k < path.lattice_count; k++) {
                assert_true(
                    oct_tree_line_of_sight(s.tree, &s.terms, path.lattice[k - 1], path.lattice[k]));
            }
            assert_true(path.status != OCT_PATH_FOUND ||
                        (path.length >= path.straight * (1.0 - 1e-12) &&
                         path.length < 2.0 * path.straight));
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// ---- the far sides of bounds ----

// Free ground with single blocked cells in a box of so many cells along an edge, and nothing
// beyond.
static void draw_speckles(search_scene *s, uint64_t seed, int dims, int32_t edge)
{
    SCENE_DRAW(s, dims, 1, ".");
    s->random = oct_random_seed(seed);
    s->drawn = (oct_box){{0, 0, 0}, {edge, edge, dims == 3 ? edge : 1}};
    assert_int_equal(oct_tree_set_box(s->tree, s->drawn, OCT_MARK_OPEN), OCT_OK);
    for (int32_t i = 0; i < edge * edge / 5; i++) {
        const oct_vec at = {oct_random_range(&s->random, 0, edge - 1),
                            oct_random_range(&s->random, 0, edge - 1),
                            dims == 3 ? oct_random_range(&s->random, 0, edge - 1) : 0};
        const oct_box cell = {at, {at.x + 1, at.y + 1, at.z + 1}};
        assert_int_equal(oct_tree_set_box(s->tree, cell, OCT_MARK_BLOCKED), OCT_OK);
    }
}

// A point on the far side of what was drawn, at a free cell: in the middle of a face or, at two
// dimensions, also where two cells touch and in the very corner.
static oct_point far_point(search_scene *s)
{
    const int32_t last = s->drawn.max.x - 1;
    for (;;) {
        int32_t cell[3] = {oct_random_range(&s->random, 0, last),
                           oct_random_range(&s->random, 0, last),
                           s->dims == 3 ? oct_random_range(&s->random, 0, last) : 0};
        const int32_t axis = oct_random_range(&s->random, 0, s->dims - 1);
        const bool is_corner = s->dims == 2 && oct_random_range(&s->random, 0, 1);
        cell[axis] = last;
        if (oct_tree_label(s->tree, (oct_vec){cell[0], cell[1], cell[2]}) == OCT_OPEN) {
            double at[3] = {cell[0] + 0.5, cell[1] + 0.5, s->dims == 3 ? cell[2] + 0.5 : 0.0};
            at[axis] = last + 1.0;
            at[1 - (axis & 1)] += is_corner ? 0.5 : 0.0;
            return (oct_point){at[0], at[1], at[2]};
        }
    }
}

// What is found from there is what is found where the bounds go on, with nothing free behind them.
static void check_far_sides(search_scene *s, oct_planner *planner, int choice)
{
    const oct_box beyond = {{-2, -2, -2},
                            {s->drawn.max.x + 2, s->drawn.max.y + 2, s->drawn.max.z + 2}};
    const oct_point far = far_point(s), other = far_point(s);
    for (int i = 0; i < 3; i++) {
        oct_query q =
            query_between(s, i == 1 ? (oct_point){0.0, 0.0, s->dims == 3 ? 0.5 : 0.0} : other, far);
        if (i == 2) {
            q.from = far;
            q.to = other;
        }
        if (!scene_choose(s, &q, choice)) {
            return;
        }
        q.terms.bounds = &beyond;
        oct_path expected = scene_plan(s, planner, &q);
        expected = scene_copy_path(&expected);
        q.terms.bounds = &s->drawn;
        const oct_path path = scene_plan(s, planner, &q);
        char why[200] = "";
        SCENE_CHECK(s, &q, path.status == expected.status || lab_of(&q).algorithm == OCT_LAB_GREEDY,
                    "found from one side alone");
        // Between two cells either may be the one that a path through cells begins in.
        SCENE_CHECK(s, &q,
                    !oct_lab_graph_is_flat(lab_of(&q).graph) ||
                        fabs(path.length - expected.length) < 1e-9,
                    "%.9g, not %.9g", path.length, expected.length);
        SCENE_CHECK(s, &q,
                    path.status != OCT_PATH_FOUND ||
                        exact_path_is_valid(&s->world, path.lattice, path.lattice_count,
                                            path.leaves_blocked, path.enters_blocked, why,
                                            sizeof why),
                    "invalid: %s", why);
        scene_free_copy(&expected);
    }
}

static void ends_lie_on_the_far_sides_of_bounds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        search_scene s;
        draw_speckles(&s, seed, seed % 3 ? 2 : 3, seed % 3 ? 8 + (int32_t)(seed % 5) : 6);
        const oct_box drawn = s.drawn;
        scene_set_terms(&s, OCT_UNKNOWN_BLOCKED, &drawn);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            check_far_sides(&s, planner, i);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// ---- walls ----

// A wall across the world, from x = `at` on, so and so thick. Starts in it nearer to the left side.
static void check_wall(int dims, int32_t at, int32_t thick)
{
    search_scene s;
    SCENE_DRAW(&s, dims, 1, ".");
    s.drawn = (oct_box){{-8, -8, dims == 3 ? -8 : 0}, {24, 8, dims == 3 ? 8 : 1}};
    assert_int_equal(oct_tree_set_box(s.tree, s.drawn, OCT_MARK_OPEN), OCT_OK);
    oct_box wall = s.drawn;
    wall.min.x = at;
    wall.max.x = at + thick;
    assert_int_equal(oct_tree_set_box(s.tree, wall, OCT_MARK_BLOCKED), OCT_OK);
    scene_set_terms(&s, OCT_UNKNOWN_BLOCKED, NULL);
    oct_planner *const planner = scene_planner(&s, NULL);
    const double depth = thick * 0.25;
    const oct_point start = {at + depth, 1.3125, 0.71875};
    for (int i = 0; i < SCENE_CHOICES; i++) {
        oct_query q = query_between(&s, start, (oct_point){at - 4.5, 3.5, 0.5});
        if (!scene_choose(&s, &q, i)) {
            continue;
        }
        oct_path path = scene_plan(&s, planner, &q);
        const bool greedy = lab_of(&q).algorithm == OCT_LAB_GREEDY;
        if (path.status == OCT_PATH_FOUND) {
            scene_check_path(&s, &q, &path);
            assert_true(path.leaves_blocked && !path.enters_blocked);
            assert_int_equal(path.lattice[1].x, (int64_t)at * OCT_FINE);
            assert_int_equal(path.lattice[1].y, path.lattice[0].y);
            assert_int_equal(path.lattice[1].z, path.lattice[0].z);
        } else {
            assert_true(greedy && path.status == OCT_PATH_UNDECIDED);
        }
        // The other side is not reached, neither from here nor into the wall.
        q.to.x = at + thick + 3.5;
        path = scene_plan(&s, planner, &q);
        assert_int_equal(path.status, greedy ? OCT_PATH_UNDECIDED : OCT_PATH_NONE);
        scene_check_no_path(&s, &q, &path);
        q.from = q.to;
        q.to = start;
        path = scene_plan(&s, planner, &q);
        assert_int_equal(path.status, greedy ? OCT_PATH_UNDECIDED : OCT_PATH_NONE);
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

static void ways_out_of_walls_stay_on_the_near_side(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        check_wall(dims, 3, 1);
        check_wall(dims, 4, 1);
        check_wall(dims, 3, 2); // not merged
        check_wall(dims, 4, 2); // merged
        check_wall(dims, 0, 8);
        check_wall(dims, 1, 7);
    }
}

// One cell of a thick wall is open: not the nearest way out for all.
static void the_nearest_way_out_is_taken(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1,   //
               "........", //
               "########", //
               "###.####", //
               "########", //
               "........");
    oct_planner *const planner = scene_planner(&s, NULL);
    const struct {
        oct_point from;
        int64_t x, y; // where the way out ends
    } cases[] = {
        {{2.75, 2.5, 0}, 3 * 256, 640}, // into the hole
        {{2.5, 1.75, 0}, 768, 512},     // to the hole's corner
        {{2.5, 1.25, 0}, 640, 256},     // down
        {{6.5, 2.5, 0}, 1664, 256},     // down, as near as up: the lower cell
        {{6.5, 3.0, 0}, 1664, 1024},    // up
    };
    for (int i = 0; i < SCENE_CHOICES; i++) {
        for (int k = 0; k < 5; k++) {
            oct_query q = query_between(&s, cases[k].from, (oct_point){3.25, 2.5, 0});
            if (!scene_choose(&s, &q, i)) {
                continue;
            }
            q.partial = true;
            const oct_path path = scene_plan(&s, planner, &q);
            scene_check_path(&s, &q, &path);
            assert_true(path.lattice_count > 1);
            assert_int_equal(path.lattice[1].x, cases[k].x);
            assert_int_equal(path.lattice[1].y, cases[k].y);
            // Only what can be reached from there counts.
            assert_int_equal(path.status == OCT_PATH_FOUND, k < 2);
        }
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// ---- prices ----

// A line through a dear region may cost more than any way around.
static void dear_regions_are_gone_around(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, ".");
    s.drawn = (oct_box){{0, 0, 0}, {4096, 8, 1}};
    assert_int_equal(oct_tree_set_box(s.tree, s.drawn, OCT_MARK_OPEN), OCT_OK);
    const oct_priced_box dear = {{{0, 0, 0}, {4096, 2, 1}}, OCT_PRICE_MAX};
    s.terms.priced = s.regions;
    s.terms.priced_count = 1;
    s.regions[0] = dear;
    s.is_priced = true;
    oct_planner *const planner = scene_planner(&s, NULL);
    for (int i = 0; i < SCENE_CHOICES; i++) {
        oct_query q = query_between(&s, (oct_point){0.5, 0.5, 0}, (oct_point){4000.5, 0.5, 0});
        if (scene_choose(&s, &q, i) && lab_of(&q).algorithm != OCT_LAB_GREEDY) {
            const oct_path path = scene_plan(&s, planner, &q);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            scene_check_path(&s, &q, &path);
            SCENE_CHECK(&s, &q, path.cost < 10.0 * OCT_PRICE_MAX, "costs %g", path.cost);
        }
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// ---- planners ----

static void where_nothing_is_free_there_is_no_path(void **state)
{
    (void)state;
    for (int i = 0; i < SCENE_CHOICES; i++) {
        for (int k = 0; k < 4; k++) {
            search_scene s;
            SCENE_DRAW(&s, 3, 4, "....", "....", "....", "....");
            oct_planner *const planner = scene_planner(&s, NULL);
            oct_query q = query_between(&s, (oct_point){0.5, 0.5, 0.5}, (oct_point){3.5, 3.5, 3.5});
            if (scene_choose(&s, &q, i)) {
                q.partial = k & 1;
                q.record = k & 2;
                if (k > 0) {
                    assert_int_equal(scene_plan(&s, planner, &q).status, OCT_PATH_FOUND);
                }
                assert_int_equal(oct_tree_set_box(s.tree, s.drawn, OCT_MARK_BLOCKED), OCT_OK);
                const oct_path path = scene_plan(&s, planner, &q);
                SCENE_CHECK(&s, &q, path.status == OCT_PATH_NONE, "%s",
                            oct_path_status_name(path.status));
                scene_check_no_path(&s, &q, &path);
                assert_int_equal(path.expanded + path.generated + path.sight_checks, 0);
                assert_int_equal(path.record_count, 0);
            }
            oct_planner_destroy(planner);
            search_scene_free(&s);
        }
    }
}

// A planner follows its map: what it remembers is not older than that.
static void planners_follow_edits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < test_rounds(40); seed++) {
        search_scene s;
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 10 : 6,
                          (scene_wish){.no_bounds = true});
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int edit = 0; edit < 4; edit++) {
            const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
            oct_query q = scene_query(&s, &from, &to);
            for (int i = 0; i < SCENE_CHOICES; i++) {
                if (!scene_choose(&s, &q, i)) {
                    continue;
                }
                oct_planner *const fresh = scene_planner(&s, NULL);
                const oct_path a = scene_plan(&s, planner, &q), b = scene_plan(&s, fresh, &q);
                SCENE_CHECK(&s, &q, scene_paths_equal(&a, &b), "not what a new planner gives");
                oct_planner_destroy(fresh);
            }
            const oct_vec at = to.cell;
            const oct_box near = {{at.x - 1, at.y - 1, at.z}, {at.x + 3, at.y + 1, at.z + 2}};
            const oct_box box = box_common(near, s.drawn);
            assert_int_equal(
                oct_tree_set_box(s.tree, box, edit % 2 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN), OCT_OK);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// Whatever it has searched before: what an earlier query left in the boxes does not count.
static void used_planners_answer_as_new_ones(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(40); seed++) {
        search_scene s;
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 32 : 12,
                          (scene_wish){.no_prices = true, .known = true, .sparse = true});
        oct_planner *const used = scene_planner(&s, NULL);
        for (int i = 0; i < 100; i++) {
            const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
            oct_query q = scene_query(&s, &from, &to);
            q.grade = (oct_grade)(i % OCT_GRADE_COUNT);
            oct_planner *const fresh = scene_planner(&s, NULL);
            const oct_path a = scene_plan(&s, used, &q), b = scene_plan(&s, fresh, &q);
            SCENE_CHECK(&s, &q, scene_paths_equal(&a, &b), "not what a new planner gives");
            oct_planner_destroy(fresh);
        }
        oct_planner_destroy(used);
        search_scene_free(&s);
    }
}

// Components end a search that has no way, and nothing else; those that lag behind are not asked.
static void components_say_none_at_once(void **state)
{
    (void)state;
    int ended = 0, lagged = 0;
    const int worlds = 12 + (int)test_rounds(48);
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++) {
        search_scene s;
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 10 : 6,
                          (scene_wish){.sparse = false});
        oct_components *parts[2];
        oct_planner_def def = oct_planner_def_default();
        def.lab = oct_lab();
        def.tree = s.tree;
        for (int i = 0; i < 2; i++) {
            oct_components_def of = oct_components_def_default();
            of.tree = s.tree;
            of.unknown = i ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_BLOCKED;
            assert_int_equal(oct_components_create(&of, &parts[i]), OCT_OK);
            def.components[i] = parts[i];
        }
        oct_planner *const plain = scene_planner(&s, NULL);
        oct_planner *knowing;
        assert_int_equal(oct_planner_create(&def, &knowing), OCT_OK);
        for (int edit = 0; edit < 4; edit++) {
            const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
            oct_query q = scene_query(&s, &from, &to);
            for (int i = 0; i < SCENE_CHOICES; i++) {
                if (!scene_choose(&s, &q, i)) {
                    continue;
                }
                q.partial = i % 5 == 0;
                const oct_path a = scene_plan(&s, plain, &q), b = scene_plan(&s, knowing, &q);
                const bool is_ended = b.status == OCT_PATH_NONE && b.expanded == 0;
                SCENE_CHECK(&s, &q,
                            is_ended ? a.status == OCT_PATH_NONE || a.status == OCT_PATH_UNDECIDED
                                     : scene_paths_equal(&a, &b),
                            "%s, without components %s", oct_path_status_name(b.status),
                            oct_path_status_name(a.status));
                ended += is_ended && a.expanded > 0;
                lagged += !is_ended && a.status == OCT_PATH_NONE && edit == 2 && !s.terms.bounds;
            }
            const oct_vec at = to.cell;
            const oct_box near = {{at.x - 1, at.y - 1, at.z}, {at.x + 3, at.y + 1, at.z + 2}};
            assert_int_equal(oct_tree_set_box(s.tree, box_common(near, s.drawn),
                                              edit % 2 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN),
                             OCT_OK);
            for (int i = 0; i < 2 && edit != 1; i++) {
                assert_int_equal(oct_components_update(parts[i]), OCT_OK);
            }
        }
        oct_planner_destroy(plain);
        oct_planner_destroy(knowing);
        oct_components_destroy(parts[0]);
        oct_components_destroy(parts[1]);
        search_scene_free(&s);
    }
    assert_true(ended > worlds * 5 / 6 && lagged > 0);
}

static oct_tree *open_square(void)
{
    oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    def.dims = 2;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {8, 8, 1}}, OCT_MARK_OPEN),
                     OCT_OK);
    return tree;
}

static oct_components *parts_of(const oct_tree *tree, oct_unknown unknown)
{
    oct_components_def def = oct_components_def_default();
    oct_components *parts;
    def.tree = tree;
    def.unknown = unknown;
    assert_int_equal(oct_components_create(&def, &parts), OCT_OK);
    return parts;
}

// Two trees at the same revision: by the walled one's components there is no path in the other.
static void components_of_another_tree_are_refused(void **state)
{
    (void)state;
    oct_tree *const free = open_square(), *const walled = open_square();
    const oct_box wall = {{4, 0, 0}, {5, 8, 1}};
    assert_int_equal(oct_tree_set_box(walled, wall, OCT_MARK_BLOCKED), OCT_OK);
    assert_int_equal(oct_tree_set_box(free, (oct_box){{0, 7, 0}, {1, 8, 1}}, OCT_MARK_BLOCKED),
                     OCT_OK);
    assert_int_equal(oct_tree_revision(free), oct_tree_revision(walled));
    oct_components *const own = parts_of(free, OCT_UNKNOWN_BLOCKED);
    oct_components *const own_open = parts_of(free, OCT_UNKNOWN_PRICED);
    oct_components *const foreign = parts_of(walled, OCT_UNKNOWN_BLOCKED);
    oct_components *const foreign_open = parts_of(walled, OCT_UNKNOWN_OPEN);
    const struct {
        oct_components *parts[2];
        bool fits;
    } cases[] = {{{own, own_open}, true},       {{own, NULL}, true},
                 {{NULL, own_open}, true},      {{foreign, NULL}, false},
                 {{NULL, foreign_open}, false}, {{own, foreign_open}, false},
                 {{own_open, NULL}, false},     {{NULL, own}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oct_planner_def def = oct_planner_def_default();
        oct_crowd_def crowd_def = oct_crowd_def_default();
        oct_planner *planner;
        oct_crowd *crowd;
        def.tree = crowd_def.tree = free;
        for (int k = 0; k < 2; k++) {
            def.components[k] = crowd_def.components[k] = cases[i].parts[k];
        }
        const oct_result expected = cases[i].fits ? OCT_OK : OCT_ERROR_ARGUMENT;
        assert_int_equal(oct_planner_create(&def, &planner), expected);
        assert_int_equal(oct_crowd_create(&crowd_def, &crowd), expected);
        assert_true((planner != NULL) == cases[i].fits && (crowd != NULL) == cases[i].fits);
        oct_planner_destroy(planner);
        oct_crowd_destroy(crowd);
    }
    oct_components_destroy(own);
    oct_components_destroy(own_open);
    oct_components_destroy(foreign);
    oct_components_destroy(foreign_open);
    oct_tree_destroy(free);
    oct_tree_destroy(walled);
}

static void drop_path(void *ctx, size_t index, uint32_t worker, const oct_path *path)
{
    (void)ctx;
    (void)index;
    (void)worker;
    (void)path;
}

static void run_in_order(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        task(arg, i, i % 2u);
    }
}

// Which worker takes a query is chance, and so would be its answer.
static void a_batch_refuses_planners_of_two_trees(void **state)
{
    (void)state;
    oct_tree *const trees[2] = {open_square(), open_square()};
    oct_planner *planners[3];
    for (int i = 0; i < 3; i++) {
        oct_planner_def def = oct_planner_def_default();
        def.tree = trees[i / 2];
        assert_int_equal(oct_planner_create(&def, &planners[i]), OCT_OK);
    }
    oct_query queries[2] = {oct_query_default(), oct_query_default()};
    queries[0].from = queries[1].from = (oct_point){1.5, 1.5, 0.0};
    queries[0].to = queries[1].to = (oct_point){6.5, 5.5, 0.0};
    const oct_executor two = {run_in_order, NULL, 2};
    assert_int_equal(oct_planner_plan_batch(planners, &two, queries, 2, drop_path, NULL), OCT_OK);
    assert_int_equal(oct_planner_plan_batch(planners + 1, &two, queries, 2, drop_path, NULL),
                     OCT_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++) {
        oct_planner_destroy(planners[i]);
    }
    oct_tree_destroy(trees[0]);
    oct_tree_destroy(trees[1]);
}

// An empty map, on terms where UNKNOWN is free.
static void empty_maps_can_be_searched(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        search_scene s;
        SCENE_DRAW(&s, dims, 1, "?");
        assert_int_equal(oct_tree_root(s.tree).level, -1);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            scene_set_terms(&s, OCT_UNKNOWN_BLOCKED, NULL);
            oct_query q =
                query_between(&s, (oct_point){-7.5, 0.5, 0.5}, (oct_point){12.25, 3.5, -2.5});
            if (!scene_choose(&s, &q, i)) {
                continue;
            }
            assert_int_equal(scene_plan(&s, planner, &q).status, OCT_PATH_NONE);
            scene_set_terms(&s, i % 2 ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_PRICED, NULL);
            q.terms = s.terms;
            if (!scene_choose(&s, &q, i)) {
                continue;
            }
            const oct_path path = scene_plan(&s, planner, &q);
            if (path.status == OCT_PATH_FOUND) {
                scene_check_path(&s, &q, &path);
            } else {
                assert_int_equal(lab_of(&q).algorithm, OCT_LAB_GREEDY);
            }
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_a_name),
        cmocka_unit_test(queries_that_make_no_sense_are_refused),
        cmocka_unit_test(starts_and_goals_must_be_in_range),
        cmocka_unit_test(ends_lie_on_the_far_sides_of_bounds),
        cmocka_unit_test(flat_neighbours_have_two_names),
        cmocka_unit_test(a_goal_at_the_start_is_found_at_once),
        cmocka_unit_test(paths_at_the_end_of_the_lattice),
        cmocka_unit_test(paths_across_the_whole_lattice),
        cmocka_unit_test(ways_out_of_walls_stay_on_the_near_side),
        cmocka_unit_test(the_nearest_way_out_is_taken),
        cmocka_unit_test(dear_regions_are_gone_around),
        cmocka_unit_test(where_nothing_is_free_there_is_no_path),
        cmocka_unit_test(planners_follow_edits),
        cmocka_unit_test(used_planners_answer_as_new_ones),
        cmocka_unit_test(components_say_none_at_once),
        cmocka_unit_test(components_of_another_tree_are_refused),
        cmocka_unit_test(a_batch_refuses_planners_of_two_trees),
        cmocka_unit_test(empty_maps_can_be_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
