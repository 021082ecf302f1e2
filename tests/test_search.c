// SPDX-License-Identifier: MIT
// Every algorithm on every graph, in thousands of small random worlds: paths are judged by
// exact_path.h, and their costs and existence by search_oracle.h.
#include "octant/names.h"
#include "octant/tree.h"
#include "search_scene.h"

#include <math.h>

// ---- what there is ----

// An algorithm, and what it promises. A new one is one more row.
typedef struct algorithm_row {
    oct_lab_algorithm algorithm;
    bool is_exact;    // finds the least cost in its graph
    bool is_complete; // finds a path where there is one
    bool is_no_worse; // costs no more than the least in its graph
    double detour;    // many paths together are longer than the shortest ways by less than this
} algorithm_row;

static const algorithm_row algorithms[] = {
    {OCT_LAB_DIJKSTRA, true, true, true, 1.6},       {OCT_LAB_ASTAR, true, true, true, 1.6},
    {OCT_LAB_ASTAR_SMOOTH, false, true, true, 1.15}, {OCT_LAB_THETA, false, true, false, 1.12},
    {OCT_LAB_LAZY_THETA, false, true, false, 1.12},  {OCT_LAB_GREEDY, false, false, false, 2.0},
    {OCT_LAB_PORTAL, false, true, false, 1.02},      {OCT_LAB_JPS, true, true, true, 1.6},
    {OCT_LAB_ANYA, true, true, true, 1.000001},      {OCT_LAB_BLOCK, false, true, false, 1.06},
};
#define ALGORITHMS (sizeof algorithms / sizeof algorithms[0])
_Static_assert(ALGORITHMS == OCT_LAB_ALGORITHM_COUNT, "every algorithm is tested");

// A graph, and which of the oracle's it is.
typedef struct graph_row {
    oct_lab_graph graph;
    oracle_kind kind;
    bool is_progressive;
    bool has_neighbours; // they can be chosen
} graph_row;

static const graph_row graphs[] = {
    {OCT_LAB_GRAPH_CELLS, ORACLE_CELLS, false, true},
    {OCT_LAB_GRAPH_DUAL, ORACLE_DUAL, false, true},
    {OCT_LAB_GRAPH_CORNER, ORACLE_CORNER, false, false},
    {OCT_LAB_GRAPH_PROGRESSIVE_DUAL, ORACLE_DUAL, true, true},
    {OCT_LAB_GRAPH_PROGRESSIVE_CORNER, ORACLE_CORNER, true, false},
    {OCT_LAB_GRAPH_PORTAL, ORACLE_CORNER, true,
     false}, // has no least cost: all points of all faces
    {OCT_LAB_GRAPH_LATTICE, ORACLE_LATTICE, false, false},
    {OCT_LAB_GRAPH_VISIBILITY, ORACLE_SIGHT, false, false},
    {OCT_LAB_GRAPH_INTERVALS, ORACLE_SIGHT, false, false},
    {OCT_LAB_GRAPH_BLOCKS, ORACLE_LATTICE, false, false}, // test_block.c has their least cost
    {OCT_LAB_GRAPH_VISIBILITY_ALL, ORACLE_SIGHT, false, false},
};
#define GRAPHS (sizeof graphs / sizeof graphs[0])
_Static_assert(GRAPHS == OCT_LAB_GRAPH_USER, "every graph over a map is tested");

static const uint32_t neighbours_2d[] = {4, 8};
static const uint32_t neighbours_3d[] = {6, 18, 26};

// ---- what is true ----

// The oracles of one scene. Costs are compared where everything that is free lies in the root and
// nothing has a price.
typedef struct truth {
    bool has_costs;
    bool has_best;
    oracle_net faces; // cells over faces: what is connected
    oracle_leaves leaves, balanced;
    uint32_t neighbours;
    oracle_net nets[GRAPHS];
    oracle_net sight; // the shortest way of all, or at three dimensions what none is shorter than
    oracle_net squeezed_lattice, squeezed_sight; // at two dimensions, where paths may squeeze
} truth;

static oracle_net net_of(const search_scene *s, const truth *t, const graph_row *row)
{
    const oracle_leaves *const leaves = row->is_progressive ? &t->balanced : &t->leaves;
    return row->kind == ORACLE_CELLS  ? oracle_net_cells(&s->small, (int)t->neighbours)
           : row->kind == ORACLE_DUAL ? oracle_net_dual(&s->small, leaves, (int)t->neighbours)
                                      : oracle_net_corner(&s->small, leaves);
}

// The graphs of the plane do not depend on leaves: their costs are known outside the root as well.
static void truth_init_flat(truth *t, const search_scene *s)
{
    exact_world squeezed = s->small;
    squeezed.squeeze = true;
    t->nets[OCT_LAB_GRAPH_LATTICE] = oracle_net_lattice(&s->small);
    t->squeezed_lattice = oracle_net_lattice(&squeezed);
    if (t->has_best) {
        t->squeezed_sight = oracle_net_sight(&squeezed, 1);
    }
}

static void truth_init(truth *t, const search_scene *s, bool with_best)
{
    // The bound at three dimensions is found in finer cells, for which the lattice must have room.
    const bool has_room = s->dims == 2 || s->drawn.min.x > -OCT_RANGE;
    *t = (truth){.has_costs = s->is_inside && !s->is_priced,
                 .has_best = with_best && has_room && !s->is_priced,
                 .neighbours =
                     s->dims == 2 ? neighbours_2d[s->seed % 2] : neighbours_3d[s->seed % 3]};
    t->faces = oracle_net_cells(&s->small, s->dims == 2 ? 4 : 6);
    if (t->has_best && t->faces.places.count > 0) {
        t->sight = s->dims == 2 ? oracle_net_sight(&s->small, 1) : oracle_net_below(&s->small, 3);
    }
    if (s->dims == 2) {
        truth_init_flat(t, s);
    }
    if (!t->has_costs) {
        return;
    }
    t->leaves = oracle_leaves_of(s->tree);
    t->balanced = oracle_leaves_of(s->tree);
    oracle_leaves_balance(&t->balanced, s->dims);
    for (size_t g = 0; g < OCT_LAB_GRAPH_PORTAL; g++) {
        t->nets[g] = net_of(s, t, &graphs[g]);
    }
}

static void truth_free(truth *t)
{
    for (size_t g = 0; g < GRAPHS; g++) {
        oracle_net_free(&t->nets[g]);
    }
    oracle_net_free(&t->faces);
    oracle_net_free(&t->sight);
    oracle_net_free(&t->squeezed_lattice);
    oracle_net_free(&t->squeezed_sight);
    oracle_leaves_free(&t->leaves);
    oracle_leaves_free(&t->balanced);
}

static bool same_cell(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Between points in cells: over the middles of their cells, or straight in one.
static double least_over_cells(const search_scene *s, const oracle_net *net, const oracle_end *from,
                               const oracle_end *to)
{
    if (same_cell(from->cell, to->cell)) {
        return oracle_distance(&s->world, from->at, to->at);
    }
    const oracle_end a = oracle_middle(&s->world, from->cell);
    const oracle_end b = oracle_middle(&s->world, to->cell);
    const double cost = oracle_least(net, &a, &b);
    return cost < 0.0 ? cost
                      : cost + oracle_distance(&s->world, from->at, a.at) +
                            oracle_distance(&s->world, to->at, b.at);
}

// The least cost on a graph; negative where it is not known. Where a graph of leaves has no path,
// the progressive corner graph is asked.
static double least_of(const search_scene *s, const truth *t, size_t graph, const oracle_end *from,
                       const oracle_end *to)
{
    const oracle_net *const net = &t->nets[graph];
    if (graphs[graph].kind == ORACLE_SIGHT) {
        return t->has_best ? oracle_least(&t->sight, from, to) : -1.0;
    }
    if (graph == OCT_LAB_GRAPH_LATTICE) {
        return s->is_priced ? -1.0 : oracle_least(net, from, to);
    }
    if (!t->has_costs || graph >= OCT_LAB_GRAPH_PORTAL) {
        return -1.0;
    }
    if (graphs[graph].kind == ORACLE_CELLS) {
        return least_over_cells(s, net, from, to);
    }
    const double cost = oracle_least(net, from, to);
    return cost < 0.0 ? oracle_least(&t->nets[OCT_LAB_GRAPH_PROGRESSIVE_CORNER], from, to) : cost;
}

// ---- checks ----

// Lengths of all paths by graph and algorithm, and of the shortest ways there are.
typedef struct sums {
    double lengths[GRAPHS][ALGORITHMS], best[GRAPHS][ALGORITHMS];
} sums;

// What is known of a query on one graph.
typedef struct expected {
    bool is_free; // something is free at all
    bool is_connected;
    double best;  // no path is shorter, in cells; 0: not known
    double least; // what the graph's least cost is, in cells; negative: not known
    sums *total;  // of paths whose best is known; may be NULL
} expected;

static void check_status(const search_scene *s, const oct_query *q, const algorithm_row *row,
                         const expected *e, oct_path_status status)
{
    if (!e->is_connected) {
        const bool is_none = row->is_complete || !e->is_free;
        SCENE_CHECK(s, q, status == (is_none ? OCT_PATH_NONE : OCT_PATH_UNDECIDED),
                    "not connected, but %s", oct_path_status_name(status));
    } else if (row->is_complete) {
        SCENE_CHECK(s, q, status == OCT_PATH_FOUND, "connected, but %s",
                    oct_path_status_name(status));
    } else {
        SCENE_CHECK(s, q, status == OCT_PATH_FOUND || status == OCT_PATH_UNDECIDED,
                    "connected, but %s", oct_path_status_name(status));
    }
}

// The product of all prices below 1.
static double least_price(const search_scene *s)
{
    double price = s->terms.unknown == OCT_UNKNOWN_PRICED && s->terms.unknown_price < 1.0
                       ? s->terms.unknown_price
                       : 1.0;
    for (uint32_t i = 0; i < s->terms.priced_count; i++) {
        price *= s->regions[i].price < 1.0 ? s->regions[i].price : 1.0;
    }
    return price;
}

static void check_cost(const search_scene *s, const oct_query *q, const expected *e,
                       const oct_path *path)
{
    const double size = oct_tree_cell_size(s->tree);
    SCENE_CHECK(s, q, path->length >= path->straight - 1e-9 * size, "shorter than straight");
    SCENE_CHECK(s, q, path->cost >= least_price(s) * path->straight - 1e-9 * size,
                "cheaper than straight");
    if (!s->is_priced) {
        const double length = scene_free_length(s, q, path);
        SCENE_CHECK(s, q, length >= e->best - 1e-9, "length %.12g is less than the best, %.12g",
                    length, e->best);
        if (e->total && e->best > 0.0) {
            e->total->lengths[lab_of(q).graph][lab_of(q).algorithm] += length;
            e->total->best[lab_of(q).graph][lab_of(q).algorithm] += e->best;
        }
    }
}

// Runs one algorithm. Returns what the path costs, in metres; negative where there is none.
static double run(const search_scene *s, oct_planner *planner, const oct_query *q,
                  const algorithm_row *row, const expected *e)
{
    const oct_path path = scene_plan(s, planner, q);
    check_status(s, q, row, e, path.status);
    if (path.status != OCT_PATH_FOUND) {
        scene_check_no_path(s, q, &path);
        return -1.0;
    }
    scene_check_path(s, q, &path);
    check_cost(s, q, e, &path);
    if (row->is_exact && e->least >= 0.0) {
        const double length = scene_free_length(s, q, &path);
        SCENE_CHECK(s, q, fabs(length - e->least) <= 1e-6, "length %.12g is not the least, %.12g",
                    length, e->least);
    }
    return path.cost;
}

// All algorithms on one graph: those that are exact agree.
static void run_algorithms(const search_scene *s, oct_planner *planner, oct_query *q,
                           const expected *e)
{
    double least = -1.0;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        LAB_SET(q, algorithm, algorithms[i].algorithm);
        if (oct_lab_check(q, (uint32_t)s->dims) != OCT_OK) {
            continue;
        }
        const double close = 1e-9 * oct_tree_cell_size(s->tree);
        const double cost = run(s, planner, q, &algorithms[i], e);
        if (lab_of(q).algorithm == OCT_LAB_PORTAL) {
            q->grade = OCT_GRADE_FAST;
            run(s, planner, q, &algorithms[i], e);
            q->grade = OCT_GRADE_BEST;
            continue;
        }
        least = i == 0 ? cost : least;
        SCENE_CHECK(s, q, !algorithms[i].is_exact || least < 0.0 || fabs(cost - least) <= close,
                    "cost %.12g is not Dijkstra's, %.12g", cost, least);
        SCENE_CHECK(s, q, !algorithms[i].is_no_worse || least < 0.0 || cost <= least + close,
                    "cost %.12g is more than the least, %.12g", cost, least);
        if (lab_of(q).squeeze) {
            continue; // nothing pulls such paths
        }
        algorithm_row pulled = algorithms[i];
        pulled.is_exact = false;
        expected other = *e;
        other.total = NULL;
        q->taut = OCT_TAUT_YES;
        const double taut = run(s, planner, q, &pulled, &other);
        SCENE_CHECK(s, q, taut <= cost + close, "pulled: %.12g, was %.12g", taut, cost);
        q->taut = OCT_TAUT_DEFAULT;
    }
}

// Which estimates are consistent with a graph's costs.
static bool is_consistent(const search_scene *s, const oct_query *q)
{
    const bool cells = lab_of(q).graph == OCT_LAB_GRAPH_CELLS;
    const uint32_t faces = s->dims == 2 ? 4 : 6;
    switch (lab_of(q).heuristic) {
    case OCT_LAB_HEURISTIC_OCTILE:
        return cells || lab_of(q).graph == OCT_LAB_GRAPH_LATTICE;
    case OCT_LAB_HEURISTIC_MANHATTAN:
        return cells && lab_of(q).neighbours == faces;
    default:
        return true;
    }
}

// Whatever guides a search, its paths are valid, and found where there are some.
static void run_heuristics(const search_scene *s, oct_planner *planner, oct_query *q, expected e)
{
    e.total = NULL;
    for (int h = OCT_LAB_HEURISTIC_DEFAULT; h < OCT_LAB_HEURISTIC_COUNT; h++) {
        for (size_t i = 0; i < ALGORITHMS; i++) {
            LAB_SET(q, algorithm, algorithms[i].algorithm);
            LAB_SET(q, heuristic, (oct_lab_heuristic)h);
            if (oct_lab_check(q, (uint32_t)s->dims) == OCT_OK) {
                algorithm_row row = algorithms[i];
                row.is_exact =
                    row.is_exact && (row.algorithm == OCT_LAB_DIJKSTRA || is_consistent(s, q));
                run(s, planner, q, &row, &e);
            }
        }
    }
    LAB_SET(q, heuristic, OCT_LAB_HEURISTIC_DEFAULT);
}

// One start and goal where paths may squeeze through corners.
static void run_squeezing(search_scene *s, const truth *t, oct_planner *planner, bool heuristics,
                          const scene_end *from, const scene_end *to)
{
    scene_set_squeeze(s, true);
    oct_query q = scene_query(s, from, to);
    expected e = {.is_free = from->has_anchor && to->has_anchor, .least = -1.0};
    double on_lattice = -1.0;
    if (e.is_free) {
        const double least = oracle_least(&t->squeezed_lattice, &from->anchor, &to->anchor);
        e.is_connected = least >= 0.0;
        on_lattice = s->is_priced ? -1.0 : least;
        e.best = t->has_best ? oracle_least(&t->squeezed_sight, &from->anchor, &to->anchor) : 0.0;
        SCENE_CHECK(s, &q, !t->has_best || e.is_connected == (e.best >= 0.0),
                    "the oracles do not agree");
    }
    for (int g = OCT_LAB_GRAPH_LATTICE; g < OCT_LAB_GRAPH_USER; g++) {
        LAB_SET(&q, graph, graphs[g].graph);
        LAB_SET(&q, distances, scene_distances(&q));
        e.least = graphs[g].kind == ORACLE_SIGHT ? (t->has_best ? e.best : -1.0) : on_lattice;
        run_algorithms(s, planner, &q, &e);
        if (heuristics) {
            run_heuristics(s, planner, &q, e);
        }
    }
    scene_set_squeeze(s, false);
}

// One start and goal on all graphs. Returns whether they are connected.
static bool run_pair(search_scene *s, const truth *t, oct_planner *planner, bool heuristics,
                     sums *total)
{
    const scene_end from = scene_random_end(s), to = scene_random_end(s);
    oct_query q = scene_query(s, &from, &to);
    expected e = {.is_free = from.has_anchor && to.has_anchor, .least = -1.0, .total = total};
    const oracle_end *const a = &from.anchor, *const b = &to.anchor;
    if (e.is_free) {
        const oracle_end m = oracle_middle(&s->world, a->cell),
                         n = oracle_middle(&s->world, b->cell);
        e.is_connected = oracle_least(&t->faces, &m, &n) >= 0.0;
    }
    e.best = e.is_connected && t->has_best ? oracle_least(&t->sight, a, b) : 0.0;
    for (size_t g = 0; g < GRAPHS; g++) {
        LAB_SET(&q, graph, graphs[g].graph);
        LAB_SET(&q, distances, scene_distances(&q));
        if (s->dims == 3 && oct_lab_graph_is_flat(lab_of(&q).graph)) {
            continue;
        }
        LAB_SET(&q, neighbours, graphs[g].has_neighbours ? t->neighbours : 0);
        e.least = e.is_connected ? least_of(s, t, g, a, b) : -1.0;
        run_algorithms(s, planner, &q, &e);
        if (heuristics) {
            run_heuristics(s, planner, &q, e);
        }
    }
    if (s->dims == 2) {
        run_squeezing(s, t, planner, heuristics, &from, &to);
    }
    return e.is_connected;
}

// ---- worlds ----

typedef struct batch {
    int dims;
    uint64_t seed;
    int worlds;
    int32_t edge_least, edge_most;
    int pairs;
    bool with_best; // also compared with the shortest way of all, or a bound of it
    bool is_sparse; // large leaves
} batch;

static sums run_batch(batch b)
{
    sums total = {{{0}}, {{0}}};
    int connected = 0, pairs = 0;
    const int worlds = (int)test_rounds((uint64_t)b.worlds);
    for (int i = 0; i < worlds; i++) {
        search_scene s;
        truth t;
        oct_random random = oct_random_seed(b.seed + (uint64_t)i);
        const int32_t edge = oct_random_range(&random, b.edge_least, b.edge_most);
        search_scene_init(&s, b.seed + (uint64_t)i, b.dims, edge,
                          (scene_wish){.sparse = b.is_sparse});
        truth_init(&t, &s, b.with_best);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int k = 0; k < b.pairs; k++) {
            connected += run_pair(&s, &t, planner, (i + k) % 8 == 0, &total);
            pairs++;
        }
        oct_planner_destroy(planner);
        truth_free(&t);
        search_scene_free(&s);
    }
    // Both answers occur, where there is much in the way.
    assert_in_range(connected, pairs / 10, b.is_sparse ? pairs : pairs - pairs / 20);
    return total;
}

// How much longer paths are than they could be, in all.
static void check_detours(const sums *total)
{
    for (size_t g = 0; g < GRAPHS; g++) {
        for (size_t i = 0; i < ALGORITHMS; i++) {
            const double best = total->best[graphs[g].graph][algorithms[i].algorithm];
            const double length = total->lengths[graphs[g].graph][algorithms[i].algorithm];
            assert_true(length <= best * algorithms[i].detour);
        }
    }
}

static void searches_in_flat_worlds(void **state)
{
    (void)state;
    run_batch((batch){2, 10000, 600, 2, 6, 3, true, false});
    const sums total = run_batch((batch){2, 20000, 80, 7, 12, 2, true, false});
    check_detours(&total);
}

static void searches_in_solid_worlds(void **state)
{
    (void)state;
    run_batch((batch){3, 30000, 240, 2, 4, 2, false, false});
    run_batch((batch){3, 40000, 20, 5, 6, 2, false, false});
    run_batch((batch){3, 70000, 20, 2, 3, 2, true, false});
}

static void searches_in_larger_worlds(void **state)
{
    (void)state;
    run_batch((batch){2, 50000, 15, 16, 24, 2, false, false});
    run_batch((batch){3, 60000, 5, 9, 10, 2, false, false});
}

static void searches_among_large_leaves(void **state)
{
    (void)state;
    run_batch((batch){2, 80000, 12, 25, 64, 2, false, true});
    run_batch((batch){3, 90000, 4, 12, 20, 2, false, true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_in_flat_worlds),
        cmocka_unit_test(searches_in_solid_worlds),
        cmocka_unit_test(searches_in_larger_worlds),
        cmocka_unit_test(searches_among_large_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
