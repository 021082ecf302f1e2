// SPDX-License-Identifier: MIT
// Anya, and A* and Dijkstra's algorithm on the visibility graph: every path is valid, and as long
// as the shortest there is.
#include "search_scene.h"

#include <math.h>

// The searches that find the shortest path of all.
static const struct {
    oct_graph graph;
    oct_algorithm algorithm;
} searches[] = {{OCT_GRAPH_INTERVALS, OCT_ALGORITHM_ANYA},
                {OCT_GRAPH_VISIBILITY, OCT_ALGORITHM_ASTAR},
                {OCT_GRAPH_VISIBILITY, OCT_ALGORITHM_DIJKSTRA}};
#define SEARCHES (sizeof searches / sizeof searches[0])

static void check_one(search_scene *s, const oracle_net *sight, oct_planner *planner)
{
    const scene_end from = scene_random_end(s), to = scene_random_end(s);
    const double least =
        from.has_anchor && to.has_anchor ? oracle_least(sight, &from.anchor, &to.anchor) : -1.0;
    for (size_t i = 0; i < SEARCHES; i++) {
        oct_query query = scene_query(s, &from, &to);
        query.graph = searches[i].graph;
        query.algorithm = searches[i].algorithm;
        const oct_path path = scene_plan(s, planner, &query);
        if (least < 0.0) {
            SCENE_CHECK(s, &query, path.status == OCT_STATUS_NONE, "a path where there is none");
            scene_check_no_path(s, &query, &path);
            continue;
        }
        SCENE_CHECK(s, &query, path.status == OCT_STATUS_FOUND, "no path, but there is one of %.9g",
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_the_shortest_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
