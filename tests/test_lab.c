// SPDX-License-Identifier: MIT
// Planners with and without the laboratory's table: what each answers, and that portal search is
// the same through both doors.
#include "search_scene.h"

static oct_planner *planner_without_lab(const search_scene *s)
{
    oct_planner_def def = oct_planner_def_default();
    def.tree = s->tree;
    oct_planner *planner;
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    return planner;
}

// A line of nodes from 0 to 9.
static size_t line_edges(void *ctx, uint64_t node, oct_user_edge *out, size_t capacity)
{
    (void)ctx;
    size_t count = 0;
    for (uint64_t to = node > 0 ? node - 1 : 1; to <= node + 1 && to < 10; to += 2) {
        if (count < capacity) {
            out[count] = (oct_user_edge){to, 1.0};
        }
        count++;
    }
    return count;
}

static double line_estimate(void *ctx, uint64_t a, uint64_t b)
{
    (void)ctx;
    return a < b ? (double)(b - a) : (double)(a - b);
}

static const oct_user_graph line = {
    .edges = line_edges, .estimate = line_estimate, .straight = line_estimate};

static void without_the_table_all_but_the_core_is_refused(void **state)
{
    (void)state;
    search_scene s;
    search_scene_init(&s, 3, 2, 12, (scene_wish){.no_prices = true});
    oct_planner *const planner = planner_without_lab(&s);
    const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
    oct_query query = scene_query(&s, &from, &to);
    oct_path path;
    for (int i = 0; i < SCENE_CHOICES; i++) {
        scene_choose(&s, &query, i);
        assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_ERROR_ARGUMENT);
        assert_int_equal(oct_lab_prepare(planner, &query), OCT_ERROR_ARGUMENT);
    }
    query.lab = NULL;
    assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
    query.user = &line;
    query.user_to = 9;
    for (int i = 0; i < OCT_USER_ALGORITHM_COUNT; i++) {
        query.user_algorithm = (oct_user_algorithm)i;
        assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        assert_true(path.cost == 9.0);
        assert_int_equal(path.node_count, i == OCT_USER_LAZY_THETA ? 2 : 10);
    }
    query.user_algorithm = OCT_USER_ALGORITHM_COUNT;
    assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_ERROR_ARGUMENT);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// With the table or without, as the default or as one of many: the same bits.
static void portal_search_is_the_same_everywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(40); seed++) {
        search_scene s;
        search_scene_init(&s, seed, seed % 2 ? 2 : 3, seed % 2 ? 20 : 9, (scene_wish){0});
        oct_planner *const with = scene_planner(&s, NULL), *const without = planner_without_lab(&s);
        for (int i = 0; i < 20; i++) {
            const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
            oct_query query = scene_query(&s, &from, &to);
            query.grade = i % 2 ? OCT_GRADE_FAST : OCT_GRADE_BEST;
            const oct_path named = scene_plan(&s, with, &query);
            query.lab = NULL;
            const oct_path plain = scene_plan(&s, without, &query);
            SCENE_CHECK(&s, &query, scene_paths_equal(&named, &plain), "portal paths differ");
        }
        oct_planner_destroy(with);
        oct_planner_destroy(without);
        search_scene_free(&s);
    }
}

static void queries_of_the_laboratory_are_checked(void **state)
{
    (void)state;
    oct_query query = oct_query_default();
    oct_lab_query lab = oct_lab_query_default();
    assert_int_equal(oct_lab_check(&query, 3), OCT_OK);
    query.lab = &lab;
    assert_int_equal(oct_lab_check(&query, 3), OCT_OK);
    assert_int_equal(oct_lab_check(&query, 0), OCT_ERROR_ARGUMENT);
    lab.cookie = 0;
    assert_int_equal(oct_lab_check(&query, 3), OCT_ERROR_ARGUMENT);
    lab = oct_lab_query_default();
    lab.graph = OCT_LAB_GRAPH_COUNT;
    assert_int_equal(oct_lab_check(&query, 3), OCT_ERROR_ARGUMENT);
    lab.graph = OCT_LAB_GRAPH_USER; // and no graph
    lab.algorithm = OCT_LAB_THETA;
    assert_int_equal(oct_lab_check(&query, 3), OCT_ERROR_ARGUMENT);
    query.user = &line;
    assert_int_equal(oct_lab_check(&query, 0), OCT_OK);
    assert_null(oct_lab_algorithm_name(OCT_LAB_ALGORITHM_COUNT));
    assert_null(oct_lab_graph_name(OCT_LAB_GRAPH_COUNT));
    assert_null(oct_lab_heuristic_name(OCT_LAB_HEURISTIC_COUNT));
    assert_string_equal(oct_lab_heuristic_name(OCT_LAB_HEURISTIC_OCTILE), "octile");
}

// Whether some query between random ends expands another number of nodes by another heuristic.
static bool heuristics_matter(search_scene *s, oct_planner *planner, int choice)
{
    for (int i = 0; i < 12; i++) {
        const scene_end from = scene_random_end(s), to = scene_random_end(s);
        uint64_t expanded[OCT_LAB_HEURISTIC_COUNT];
        for (int h = 0; h < OCT_LAB_HEURISTIC_COUNT; h++) {
            oct_query query = scene_query(s, &from, &to);
            LAB_SET(&query, heuristic, (oct_lab_heuristic)h);
            expanded[h] = scene_choose(s, &query, choice) ? scene_plan(s, planner, &query).expanded
                                                          : expanded[0]; // jump points refuse some
            if (expanded[h] != expanded[0]) {
                return true;
            }
        }
    }
    return false;
}

static void heuristics_matter_where_the_library_says_so(void **state)
{
    (void)state;
    bool seen[SCENE_CHOICES] = {false};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        search_scene s;
        search_scene_init(&s, seed, 2, 24, (scene_wish){.no_prices = true, .known = true});
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < SCENE_CHOICES; i++) {
            oct_query query = oct_query_default();
            if (scene_choose(&s, &query, i) && !seen[i]) {
                seen[i] = heuristics_matter(&s, planner, i);
            }
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
    for (int i = 0; i < SCENE_CHOICES; i++) {
        const oct_lab_algorithm algorithm = (oct_lab_algorithm)(i % OCT_LAB_ALGORITHM_COUNT);
        const oct_lab_graph graph = (oct_lab_graph)(i / OCT_LAB_ALGORITHM_COUNT);
        if (seen[i] != oct_lab_has_heuristic(algorithm, graph)) {
            fail_msg("%s over %s: %d", oct_lab_algorithm_name(algorithm), oct_lab_graph_name(graph),
                     seen[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_table_all_but_the_core_is_refused),
        cmocka_unit_test(portal_search_is_the_same_everywhere),
        cmocka_unit_test(queries_of_the_laboratory_are_checked),
        cmocka_unit_test(heuristics_matter_where_the_library_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
