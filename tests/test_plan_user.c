// SPDX-License-Identifier: MIT
// Callers' graphs: a grid and random graphs, against costs by brute force.
#include "search_scene.h"

#include <math.h>

#define NODES_MAX 120
#define NO_EDGE HUGE_VAL

// Points in the plane. Nodes have scattered names, to show that any numbers will do.
typedef struct graph {
    int count;
    double x[NODES_MAX], y[NODES_MAX];
    int room[NODES_MAX];                // what is in one room sees each other
    double costs[NODES_MAX][NODES_MAX]; // NO_EDGE where there is none
    double scale;                       // of estimates
} graph;

static uint64_t name_of(int i)
{
    return ((uint64_t)i + 1u) * UINT64_C(0x9e3779b97f4a7c15);
}

static int find(const graph *g, uint64_t name)
{
    for (int i = 0; i < g->count; i++) {
        if (name_of(i) == name) {
            return i;
        }
    }
    fail_msg("no such node");
    return -1;
}

static double apart(const graph *g, int a, int b)
{
    const double x = g->x[a] - g->x[b], y = g->y[a] - g->y[b];
    return sqrt(x * x + y * y);
}

static size_t edges(void *ctx, uint64_t name, oct_user_edge *out, size_t capacity)
{
    const graph *const g = ctx;
    const int from = find(g, name);
    size_t count = 0;
    for (int i = 0; i < g->count; i++) {
        if (g->costs[from][i] != NO_EDGE) {
            if (count < capacity) {
                out[count] = (oct_user_edge){name_of(i), g->costs[from][i]};
            }
            count++;
        }
    }
    return count;
}

static double estimate(void *ctx, uint64_t a, uint64_t b)
{
    const graph *const g = ctx;
    return apart(g, find(g, a), find(g, b)) * g->scale;
}

static double straight(void *ctx, uint64_t a, uint64_t b)
{
    const graph *const g = ctx;
    const int from = find(g, a), to = find(g, b);
    const double cost = g->costs[from][to];
    return from == to                     ? 0.0
           : g->room[from] == g->room[to] ? apart(g, from, to)
           : cost != NO_EDGE              ? cost
                                          : -1.0;
}

static void join(graph *g, int a, int b, double more)
{
    g->costs[a][b] = g->costs[b][a] = apart(g, a, b) * more;
}

static void clear_costs(graph *g)
{
    for (int i = 0; i < NODES_MAX; i++) {
        for (int k = 0; k < NODES_MAX; k++) {
            g->costs[i][k] = NO_EDGE;
        }
    }
}

// Ten by ten, some left out, with four neighbours.
static void make_grid(graph *g, oct_random *random)
{
    *g = (graph){.count = 100, .scale = 1.0};
    clear_costs(g);
    bool out[100];
    for (int i = 0; i < 100; i++) {
        g->x[i] = i % 10;
        g->y[i] = i / 10;
        g->room[i] = i; // no lines but edges
        out[i] = oct_random_below(random, 4) == 0;
    }
    for (int i = 0; i < 100; i++) {
        if (i % 10 && !out[i] && !out[i - 1]) {
            join(g, i, i - 1, 1.0);
        }
        if (i >= 10 && !out[i] && !out[i - 10]) {
            join(g, i, i - 10, 1.0);
        }
    }
}

// Points at random, in rooms; costs are at least the distance. Some have more edges than there is
// room for at first.
static void make_random(graph *g, oct_random *random)
{
    *g = (graph){.count = oct_random_range(random, 2, NODES_MAX), .scale = 1.0};
    clear_costs(g);
    const int rooms = oct_random_range(random, 1, 5);
    const int joins = oct_random_range(random, 0, 3 * g->count);
    for (int i = 0; i < g->count; i++) {
        g->x[i] = oct_random_unit(random) * 10.0;
        g->y[i] = oct_random_unit(random) * 10.0;
        g->room[i] = (int)oct_random_below(random, (uint64_t)rooms);
    }
    for (int i = 0; i < joins; i++) {
        const int a = (int)oct_random_below(random, (uint64_t)g->count);
        const int b = (int)oct_random_below(random, (uint64_t)g->count);
        if (a != b) {
            join(g, a, b, 1.0 + oct_random_unit(random) * (double)oct_random_below(random, 2));
        }
    }
    for (int i = 1; i < g->count && oct_random_below(random, 3) == 0; i++) {
        join(g, 0, i, 1.0);
    }
}

// Bellman and Ford; with lines, also over all of these.
static double least_cost(graph *g, int from, int to, bool lines)
{
    double costs[NODES_MAX];
    for (int i = 0; i < g->count; i++) {
        costs[i] = i == from ? 0.0 : HUGE_VAL;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int a = 0; a < g->count; a++) {
            for (int b = 0; b < g->count; b++) {
                const double line = lines ? straight(g, name_of(a), name_of(b)) : -1.0;
                const double edge = line >= 0.0 && line < g->costs[a][b] ? line : g->costs[a][b];
                if (a != b && costs[a] + edge < costs[b]) {
                    costs[b] = costs[a] + edge;
                    changed = true;
                }
            }
        }
    }
    return costs[to];
}

// ---- checks ----

static void check_way(graph *g, const oct_path *path, int from, int to, bool lines)
{
    assert_int_equal(path->point_count + path->lattice_count, 0);
    assert_true(path->node_count > 0);
    assert_int_equal(find(g, path->nodes[0]), from);
    assert_int_equal(find(g, path->nodes[path->node_count - 1]), to);
    double cost = 0.0;
    for (uint32_t i = 1; i < path->node_count; i++) {
        const int a = find(g, path->nodes[i - 1]), b = find(g, path->nodes[i]);
        const double line = straight(g, path->nodes[i - 1], path->nodes[i]);
        assert_true(lines ? line >= 0.0 : g->costs[a][b] != NO_EDGE);
        cost += lines ? line : g->costs[a][b];
    }
    assert_true(fabs(path->cost - cost) < 1e-9);
}

static void check_records(graph *g, const oct_path *path, int from)
{
    assert_int_equal(path->record_count, path->expanded);
    assert_int_equal(find(g, path->records[0].node), from);
    for (uint32_t i = 0; i < path->record_count; i++) {
        assert_true(path->records[i].parent < i || (i == 0 && path->records[i].parent == 0));
        find(g, path->records[i].node);
    }
}

static void check_query(graph *g, oct_planner *planner, oct_lab_algorithm algorithm, int from,
                        int to)
{
    const oct_user_graph user = {g, edges, estimate, straight};
    const bool exact = algorithm == OCT_LAB_DIJKSTRA || algorithm == OCT_LAB_ASTAR;
    oct_query q = oct_query_default();
    LAB_SET(&q, graph, OCT_LAB_GRAPH_USER);
    LAB_SET(&q, algorithm, algorithm);
    q.user = &user;
    q.user_from = name_of(from);
    q.user_to = name_of(to);
    q.record = true;
    oct_path path;
    assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_OK);
    const double least = least_cost(g, from, to, !exact);
    const double along = least_cost(g, from, to, false);
    check_records(g, &path, from);
    if (along == HUGE_VAL) {
        assert_int_equal(path.status, OCT_PATH_NONE);
        assert_int_equal(path.node_count, 0);
        q.partial = true;
        assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_OK);
        assert_int_equal(path.status, OCT_PATH_PARTIAL);
        const int last = find(g, path.nodes[path.node_count - 1]);
        check_way(g, &path, from, last, !exact);
        for (uint32_t i = 0; i < path.record_count; i++) {
            assert_true(apart(g, last, to) <= apart(g, find(g, path.records[i].node), to));
        }
        return;
    }
    assert_int_equal(path.status, OCT_PATH_FOUND);
    check_way(g, &path, from, to, !exact);
    assert_true(path.cost >= least - 1e-9);
    assert_true(!exact || fabs(path.cost - least) < 1e-9);
    assert_true(algorithm != OCT_LAB_ASTAR_SMOOTH || path.cost <= along + 1e-9);
}

static oct_planner *new_planner(const oct_allocator *allocator)
{
    oct_planner_def def = oct_planner_def_default();
    def.lab = oct_lab();
    def.allocator = allocator;
    oct_planner *planner;
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    return planner;
}

static void callers_graphs_are_searched(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    oct_planner *const planner = new_planner(NULL);
    static graph g;
    const int rounds = (int)test_rounds(150);
    for (int i = 0; i < rounds; i++) {
        if (i % 3 == 0) {
            make_grid(&g, &random);
        } else {
            make_random(&g, &random);
        }
        const int from = (int)oct_random_below(&random, (uint64_t)g.count);
        const int to = (int)oct_random_below(&random, (uint64_t)g.count);
        for (int a = 0; a < OCT_LAB_ALGORITHM_COUNT; a++) {
            if (oct_lab_serves((oct_lab_algorithm)a, OCT_LAB_GRAPH_USER)) {
                check_query(&g, planner, (oct_lab_algorithm)a, from, to);
            }
        }
    }
    oct_planner_destroy(planner);
}

// ---- results ----

static void slices_and_budgets_hold_here_too(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2);
    static graph g;
    oct_planner *const planner = new_planner(NULL), *const other = new_planner(NULL);
    for (int i = 0; i < 60; i++) {
        make_random(&g, &random);
        const oct_user_graph user = {&g, edges, estimate, straight};
        oct_query q = oct_query_default();
        LAB_SET(&q, graph, OCT_LAB_GRAPH_USER);
        LAB_SET(&q, algorithm, (oct_lab_algorithm)(i % OCT_LAB_GREEDY));
        q.user = &user;
        q.user_from = name_of(0);
        q.user_to = name_of(g.count - 1);
        q.record = true;
        q.partial = i % 2;
        q.node_budget = i % 3 ? 0 : 5;
        oct_path whole, sliced;
        assert_int_equal(oct_planner_plan(planner, &q, &whole), OCT_OK);
        assert_true(whole.expanded <= 5 || q.node_budget == 0);
        assert_int_equal(oct_planner_begin(other, &q), OCT_OK);
        do {
            assert_int_equal(oct_planner_step(other, 3, &sliced), OCT_OK);
        } while (sliced.status == OCT_PATH_RUNNING);
        assert_true(scene_paths_equal(&whole, &sliced));
    }
    oct_planner_destroy(other);
    oct_planner_destroy(planner);
}

static oct_result plan_once(const oct_allocator *allocator, void *ctx)
{
    oct_planner_def def = oct_planner_def_default();
    def.lab = oct_lab();
    def.allocator = allocator;
    oct_planner *planner;
    OCT_TRY(oct_planner_create(&def, &planner));
    oct_path path;
    const oct_query *const q = ctx;
    oct_result result = oct_planner_plan(planner, q, &path);
    if (result == OCT_OK) {
        assert_int_equal(path.status, OCT_PATH_FOUND);
        assert_true(oct_planner_bytes(planner) > 0);
    }
    oct_planner_destroy(planner);
    return result;
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    static graph g = {.count = NODES_MAX, .scale = 1.0};
    clear_costs(&g);
    for (int i = 0; i < g.count; i++) {
        g.x[i] = i;
        for (int k = 0; k < i; k++) {
            join(&g, i, k, 1.0);
        }
    }
    const oct_user_graph user = {&g, edges, estimate, straight};
    oct_query q = oct_query_default();
    LAB_SET(&q, graph, OCT_LAB_GRAPH_USER);
    LAB_SET(&q, algorithm, OCT_LAB_DIJKSTRA);
    q.user = &user;
    q.user_from = name_of(3);
    q.user_to = name_of(NODES_MAX - 1);
    q.record = true;
    assert_true(test_each_failure(plan_once, &q) > 8);
}

static void graphs_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static graph g;
    oct_random random = oct_random_seed(3);
    make_grid(&g, &random);
    oct_planner *const planner = new_planner(NULL);
    const oct_user_graph good = {&g, edges, estimate, straight};
    oct_user_graph user = good;
    oct_path path;
    oct_query q = oct_query_default();
    LAB_SET(&q, graph, OCT_LAB_GRAPH_USER);
    q.user = &user;
    q.user_from = name_of(0);
    q.user_to = name_of(99);
    // Lines are needed by some algorithms alone.
    user.straight = NULL;
    for (int a = 0; a < OCT_LAB_GREEDY; a++) {
        LAB_SET(&q, algorithm, (oct_lab_algorithm)a);
        const bool lines = a != OCT_LAB_DIJKSTRA && a != OCT_LAB_ASTAR;
        assert_int_equal(oct_planner_plan(planner, &q, &path), lines ? OCT_ERROR_ARGUMENT : OCT_OK);
    }
    LAB_SET(&q, algorithm, OCT_LAB_ASTAR);
    user.edges = NULL;
    assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
    user = good;
    user.estimate = NULL;
    assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
    q.user = NULL;
    assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
    q.user = &user;
    user = good;
    LAB_SET(&q, algorithm, OCT_LAB_GREEDY);
    assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
    // Edges that cost nothing, less, or no number.
    static const double wrong[] = {0.0, -1.0, (double)NAN};
    g = (graph){.count = 3, .scale = 0.0};
    clear_costs(&g);
    q.user_from = name_of(0);
    q.user_to = name_of(2);
    for (int a = 0; a < OCT_LAB_GREEDY; a++) {
        for (int i = 0; i < 3; i++) {
            LAB_SET(&q, algorithm, (oct_lab_algorithm)a);
            g.costs[0][1] = g.costs[1][0] = 1.0;
            g.costs[1][2] = g.costs[2][1] = wrong[i];
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
            g.costs[1][2] = g.costs[2][1] = 2.0;
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_OK);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            assert_int_equal(path.node_count, a < OCT_LAB_ASTAR_SMOOTH ? 3 : 2);
        }
    }
    oct_planner_destroy(planner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_graphs_are_searched),
        cmocka_unit_test(slices_and_budgets_hold_here_too),
        cmocka_unit_test(refused_memory_is_a_result),
        cmocka_unit_test(graphs_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
