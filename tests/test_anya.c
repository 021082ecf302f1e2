// SPDX-License-Identifier: MIT
// Anya, and A* and Dijkstra's algorithm on the visibility graph: every path is valid, and as long
// as the shortest there is.
#include "octant/tree.h"
#include "search_scene.h"

#include <inttypes.h>
#include <math.h>

// The searches that find the shortest path of all.
static const struct {
    oct_lab_graph graph;
    oct_lab_algorithm algorithm;
} searches[] = {{OCT_LAB_GRAPH_INTERVALS, OCT_LAB_ANYA},
                {OCT_LAB_GRAPH_VISIBILITY, OCT_LAB_ASTAR},
                {OCT_LAB_GRAPH_VISIBILITY, OCT_LAB_DIJKSTRA},
                {OCT_LAB_GRAPH_VISIBILITY_ALL, OCT_LAB_ASTAR}};
#define SEARCHES (sizeof searches / sizeof searches[0])

static void check_one(search_scene *s, const oracle_net *sight, oct_planner *planner)
{
    const scene_end from = scene_random_end(s), to = scene_random_end(s);
    const double least =
        from.has_anchor && to.has_anchor ? oracle_least(sight, &from.anchor, &to.anchor) : -1.0;
    for (size_t i = 0; i < SEARCHES; i++) {
        oct_query query = scene_query(s, &from, &to);
        LAB_SET(&query, graph, searches[i].graph);
        LAB_SET(&query, algorithm, searches[i].algorithm);
        const oct_path path = scene_plan(s, planner, &query);
        if (least < 0.0) {
            SCENE_CHECK(s, &query, path.status == OCT_PATH_NONE, "a path where there is none");
            scene_check_no_path(s, &query, &path);
            continue;
        }
        SCENE_CHECK(s, &query, path.status == OCT_PATH_FOUND, "no path, but there is one of %.9g",
                    least);
        scene_check_path(s, &query, &path);
        const double length = scene_free_length(s, &query, &path);
        SCENE_CHECK(s, &query, fabs(length - least) < 1e-7, "length %.9g, the shortest is %.9g",
                    length, least);
    }
}

static void paths_are_the_shortest_there_are(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(1500); seed++) {
        search_scene s;
        search_scene_init(&s, seed, 2, 4 + (int32_t)(seed % 17),
                          (scene_wish){.no_prices = true, .sparse = seed % 3 == 0});
        oracle_net sight = oracle_net_sight(&s.small, 1);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < 12; i++) {
            check_one(&s, &sight, planner);
        }
        oct_planner_destroy(planner);
        oracle_net_free(&sight);
        search_scene_free(&s);
    }
}

// ---- made before it is asked for ----

static oct_query visibility_query(const search_scene *s, const scene_end *from, const scene_end *to)
{
    oct_query query = scene_query(s, from, to);
    LAB_SET(&query, graph, OCT_LAB_GRAPH_VISIBILITY);
    LAB_SET(&query, algorithm, OCT_LAB_ASTAR);
    return query;
}

// Whether every corner is there: the same queries find nothing more to look at.
static void a_graph_that_is_made_whole_gives_the_same_paths(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        search_scene s;
        search_scene_init(&s, seed, 2, 16, (scene_wish){.no_prices = true, .no_bounds = seed & 1});
        oct_planner *const whole = scene_planner(&s, NULL), *const lazy = scene_planner(&s, NULL);
        const scene_end here = scene_random_end(&s);
        const oct_query first = visibility_query(&s, &here, &here);
        assert_int_equal(oct_lab_prepare(whole, &first), OCT_OK);
        assert_int_equal(oct_lab_prepare(whole, &first), OCT_OK);
        for (int i = 0; i < 10; i++) {
            const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
            const oct_query query = visibility_query(&s, &from, &to);
            const oct_path a = scene_plan(&s, whole, &query), b = scene_plan(&s, lazy, &query);
            SCENE_CHECK(&s, &query, a.status == b.status && fabs(a.length - b.length) < 1e-9,
                        "whole: %.12g, else %.12g", a.length, b.length);
        }
        assert_int_equal(oct_tree_set_box(s.tree, s.drawn, OCT_MARK_BLOCKED), OCT_OK);
        const oct_path none = scene_plan(&s, whole, &first);
        SCENE_CHECK(&s, &first, none.status == scene_plan(&s, lazy, &first).status,
                    "an edit is not noticed");
        oct_planner_destroy(whole);
        oct_planner_destroy(lazy);
        search_scene_free(&s);
    }
}

// ---- how large graphs are ----

// The corners within the bounds.
static int list_corners(const search_scene *s, oct_fine *out, int most)
{
    const oct_box *const box = s->terms.bounds;
    int count = 0;
    for (int32_t y = box->min.y; y <= box->max.y; y++) {
        for (int32_t x = box->min.x; x <= box->max.x; x++) {
            uint32_t free = 0;
            for (int i = 0; i < 4; i++) {
                free |= (uint32_t)exact_is_free(&s->world, (oct_vec){x - (i & 1), y - (i >> 1), 0})
                        << i;
            }
            const bool is_double = free == 6 || free == 9;
            if (oct_bit_count(free) == 3 || (is_double && s->world.squeeze)) {
                assert_true(count < most);
                out[count++] =
                    (oct_fine){(int64_t)x * OCT_FINE, (int64_t)y * OCT_FINE, OCT_FINE / 2};
            }
        }
    }
    return count;
}

// Nodes and edges of VISIBILITY_ALL are all corners, and all pairs of them in sight; VISIBILITY has
// the same corners, and some of the edges.
static void check_sizes(search_scene *s, oct_planner *planner)
{
    static oct_fine corners[600];
    const int count = list_corners(s, corners, 600);
    const scene_end here = scene_random_end(s);
    oct_query query = visibility_query(s, &here, &here);
    uint64_t pairs = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            pairs += exact_sees(&s->world, corners[i], corners[j]);
        }
    }
    oct_lab_size all, some;
    LAB_SET(&query, graph, OCT_LAB_GRAPH_VISIBILITY_ALL);
    assert_int_equal(oct_lab_prepare(planner, &query), OCT_OK);
    assert_int_equal(oct_lab_measure(planner, &all), OCT_OK);
    LAB_SET(&query, graph, OCT_LAB_GRAPH_VISIBILITY);
    assert_int_equal(oct_lab_prepare(planner, &query), OCT_OK);
    assert_int_equal(oct_lab_measure(planner, &some), OCT_OK);
    SCENE_CHECK(s, &query, all.nodes == (uint64_t)count && some.nodes == all.nodes,
                "%d corners, but %" PRIu64 " and %" PRIu64 " nodes", count, all.nodes, some.nodes);
    SCENE_CHECK(s, &query, all.edges == pairs && some.edges <= all.edges,
                "%" PRIu64 " pairs in sight, but %" PRIu64 " and %" PRIu64 " edges", pairs,
                all.edges, some.edges);
}

static void sizes_are_those_of_all_pairs_in_sight(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(1500); seed++) {
        search_scene s;
        search_scene_init(&s, seed, 2, 4 + (int32_t)(seed % 9),
                          (scene_wish){.no_prices = true, .known = true, .sparse = seed % 3 == 0});
        const oct_box bounds = s.drawn;
        scene_set_terms(&s, OCT_UNKNOWN_BLOCKED, &bounds);
        scene_set_squeeze(&s, seed % 4 == 0);
        oct_planner *const planner = scene_planner(&s, NULL);
        if (scene_random_end(&s).has_anchor) {
            check_sizes(&s, planner);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

static void graphs_that_are_not_made_have_no_size(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "..#", "...");
    oct_planner *const planner = scene_planner(&s, NULL);
    const scene_end here = scene_end_of(&s, (oct_point){0.5, 0.5, 0.0});
    oct_query query = visibility_query(&s, &here, &here);
    oct_lab_size size;
    assert_int_equal(oct_lab_measure(planner, &size), OCT_ERROR_ARGUMENT);
    scene_plan(&s, planner, &query); // as far as the query looked
    assert_int_equal(oct_lab_measure(planner, &size), OCT_ERROR_ARGUMENT);
    LAB_SET(&query, graph, OCT_LAB_GRAPH_INTERVALS);
    LAB_SET(&query, algorithm, OCT_LAB_ANYA);
    scene_plan(&s, planner, &query);
    assert_int_equal(oct_lab_measure(planner, &size), OCT_ERROR_ARGUMENT);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

static void refused_memory_while_it_is_made_is_a_result(void **state)
{
    (void)state;
    search_scene s;
    search_scene_init(&s, 3, 2, 12, (scene_wish){.no_prices = true, .known = true});
    const scene_end here = scene_random_end(&s), there = scene_random_end(&s);
    const oct_query query = visibility_query(&s, &here, &there);
    oct_planner_def def = oct_planner_def_default();
    def.lab = oct_lab();
    def.tree = s.tree;
    bool refused = true;
    for (size_t fail_at = 1; refused; fail_at++) {
        test_allocator memory;
        oct_planner *planner;
        test_allocator_init(&memory, fail_at);
        def.allocator = &memory.allocator;
        assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
        const oct_result result = oct_lab_prepare(planner, &query);
        refused = memory.refused;
        assert_int_equal(result, refused ? OCT_ERROR_MEMORY : OCT_OK);
        memory.fail_at = TEST_NEVER;
        assert_int_equal(oct_lab_prepare(planner, &query), OCT_OK);
        const oct_path path = scene_plan(&s, planner, &query);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
    }
    search_scene_free(&s);
}

static void what_cannot_be_asked_is_not_prepared(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 3, 2, "..", "..");
    const scene_end here = scene_end_of(&s, (oct_point){0.5, 0.5, 0.5});
    oct_planner *const planner = scene_planner(&s, NULL);
    oct_query query = visibility_query(&s, &here, &here);
    assert_int_equal(oct_lab_check(&query, 2), OCT_OK);
    assert_int_equal(oct_lab_check(&query, 3), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_lab_prepare(planner, &query), OCT_ERROR_ARGUMENT);
    query.terms.unknown = OCT_UNKNOWN_PRICED;
    assert_int_equal(oct_lab_check(&query, 2), OCT_ERROR_ARGUMENT);
    query.terms.unknown = OCT_UNKNOWN_OPEN;
    LAB_SET(&query, squeeze, true);
    assert_int_equal(oct_lab_check(&query, 2), OCT_OK);
    query.taut = OCT_TAUT_YES;
    assert_int_equal(oct_lab_check(&query, 2), OCT_ERROR_ARGUMENT);
    query = scene_query(&s, &here, &here);
    LAB_SET(&query, graph, OCT_LAB_GRAPH_BLOCKS);
    LAB_SET(&query, algorithm, OCT_LAB_BLOCK);
    assert_int_equal(oct_lab_check(&query, 2), OCT_ERROR_ARGUMENT);
    LAB_SET(&query, distances, scene_distances(&query));
    assert_int_equal(oct_lab_check(&query, 2), OCT_OK);
    LAB_SET(&query, squeeze, true);
    assert_int_equal(oct_lab_check(&query, 2), OCT_ERROR_ARGUMENT);
    query = scene_query(&s, &here, &here);
    LAB_SET(&query, squeeze, true);
    assert_int_equal(oct_lab_check(&query, 2), OCT_ERROR_ARGUMENT);
    assert_true(oct_lab_graph_is_flat(OCT_LAB_GRAPH_LATTICE) &&
                !oct_lab_graph_is_flat(OCT_LAB_GRAPH_PORTAL));
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_the_shortest_there_are),
        cmocka_unit_test(a_graph_that_is_made_whole_gives_the_same_paths),
        cmocka_unit_test(sizes_are_those_of_all_pairs_in_sight),
        cmocka_unit_test(graphs_that_are_not_made_have_no_size),
        cmocka_unit_test(refused_memory_while_it_is_made_is_a_result),
        cmocka_unit_test(what_cannot_be_asked_is_not_prepared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
