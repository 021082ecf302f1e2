// SPDX-License-Identifier: MIT
// The baselines: their paths are the shortest from cell to cell, exploring with them ends with what
// the octree knows, and they say how large they are. Their labels are checked in test_map.
#include "baseline/baseline.h"
#include "explore_support.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"
#include "search/graph_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLS_MAX 4000
#define FRONTIER UINT64_MAX // the node that every cell of the frontier leads to

// A world, the octree that sees it, and a baseline that repeats what the octree has seen.
typedef struct pair {
    explore_scene scene;
    oct_baseline_map *baseline;
} pair;

static void pair_open(pair *p, uint64_t seed, baseline_kind kind)
{
    const int dims = seed % 2 ? 3 : 2;
    explore_scene_init(&p->scene, seed, dims, dims == 3 ? 10 : 24, NULL);
    assert_int_equal(oct_baseline_map_create(kind, p->scene.map, NULL, &p->baseline), OCT_OK);
}

static void pair_close(pair *p)
{
    oct_baseline_map_destroy(p->baseline);
    explore_scene_free(&p->scene);
}

static void pair_look(pair *p)
{
    explore_scene *const s = &p->scene;
    explore_observe(s);
    assert_int_equal(oct_baseline_map_repeat(p->baseline, s->map, s->things, s->count), OCT_OK);
}

static bool is_within(const explore_scene *s, oct_vec c)
{
    const oct_box *const b = &s->bounds;
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z;
}

static bool is_free(const explore_scene *s, oct_vec c)
{
    return is_within(s, c) && oct_tree_label(oct_map_tree(s->map), c) == OCT_OPEN;
}

static oct_vec cell_of(const explore_scene *s, uint64_t name)
{
    const uint64_t x = (uint64_t)(s->bounds.max.x - s->bounds.min.x);
    const uint64_t y = (uint64_t)(s->bounds.max.y - s->bounds.min.y);
    return (oct_vec){s->bounds.min.x + (int32_t)(name % x),
                     s->bounds.min.y + (int32_t)(name / x % y),
                     s->bounds.min.z + (int32_t)(name / x / y)};
}

// ---- the shortest ways, by the planner over a graph of cells ----

static bool is_frontier(const explore_scene *s, oct_vec c)
{
    bool found = false;
    for (int i = 0; i < 2 * s->dims; i++) {
        const int32_t step = i % 2 ? 1 : -1;
        const oct_vec n = {c.x + (i / 2 == 0 ? step : 0), c.y + (i / 2 == 1 ? step : 0),
                           c.z + (i / 2 == 2 ? step : 0)};
        found |= is_within(s, n) && oct_tree_label(oct_map_tree(s->map), n) == OCT_UNKNOWN;
    }
    return found && is_free(s, c);
}

static size_t edges_of(void *ctx, uint64_t name, oct_user_edge *out, size_t capacity)
{
    const explore_scene *const s = ctx;
    size_t count = 0;
    if (name == FRONTIER) {
        return 0;
    }
    const oct_vec c = cell_of(s, name);
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
        bool is_open = i != 13;
        for (int k = 1; k < 8; k++) {
            is_open =
                is_open && is_free(s, (oct_vec){c.x + (k & 1 ? dx : 0), c.y + (k & 2 ? dy : 0),
                                                c.z + (k & 4 ? dz : 0)});
        }
        if (is_open && count < capacity) {
            out[count] = (oct_user_edge){explore_index(s, (oct_vec){c.x + dx, c.y + dy, c.z + dz}),
                                         sqrt((dx != 0) + (dy != 0) + (dz != 0))};
        }
        count += is_open;
    }
    if (is_frontier(s, c)) {
        if (count < capacity) {
            out[count] = (oct_user_edge){FRONTIER, 0x1p-30};
        }
        count++;
    }
    return count;
}

static double no_estimate(void *ctx, uint64_t a, uint64_t b)
{
    (void)ctx;
    (void)a;
    (void)b;
    return 0.0;
}

// The cost of the shortest way from the body's cell; negative where there is none.
static double least_cost(oct_planner *planner, explore_scene *s, uint64_t to)
{
    const oct_user_graph graph = {.ctx = s, .edges = edges_of, .estimate = no_estimate};
    oct_query query = oct_query_default();
    query.user_algorithm = OCT_USER_DIJKSTRA;
    query.user = &graph;
    query.user_from = explore_index(s, explore_cell(s));
    query.user_to = to;
    oct_path path;
    assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
    return path.status == OCT_PATH_FOUND ? path.cost : -1.0;
}

static oct_planner *new_planner(void)
{
    oct_planner *planner;
    const oct_planner_def def = oct_planner_def_default();
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    return planner;
}

// Every leg leads through OPEN cells, from the body's cell to the end.
static void check_legs(const explore_scene *s, const oct_path *path, oct_vec to)
{
    const oct_fine end = cell_middle(to);
    assert_memory_equal(&path->lattice[path->lattice_count - 1], &end, sizeof end);
    assert_true(path->points[0].x == s->view.centre.x && path->points[0].y == s->view.centre.y);
    for (uint32_t i = 0; i + 1 < path->lattice_count; i++) {
        const oct_fine a = path->lattice[i], b = path->lattice[i + 1];
        const int64_t longest =
            llabs(b.x - a.x) > llabs(b.y - a.y) ? llabs(b.x - a.x) : llabs(b.y - a.y);
        const int64_t steps = (longest > llabs(b.z - a.z) ? longest : llabs(b.z - a.z)) / OCT_FINE;
        for (int64_t k = 0; k <= steps; k++) {
            const oct_vec c = {fine_cell(a.x + (b.x - a.x) / steps * k),
                               fine_cell(a.y + (b.y - a.y) / steps * k),
                               fine_cell(a.z + (b.z - a.z) / steps * k)};
            assert_true(is_free(s, c));
        }
    }
}

static void check_plan(pair *p, oct_planner *planner, int *found)
{
    explore_scene *const s = &p->scene;
    const uint64_t name = oct_random_below(&s->random, explore_cells(s));
    const oct_vec to = cell_of(s, name);
    if (!is_free(s, to)) {
        return;
    }
    oct_path path;
    const double least = least_cost(planner, s, name);
    assert_int_equal(oct_baseline_map_plan(p->baseline, &s->bounds, s->view.centre, to, &path),
                     OCT_OK);
    assert_int_equal(path.status == OCT_PATH_FOUND, least >= 0.0);
    if (least >= 0.0) {
        assert_true(fabs(path.length - least) < 1e-9);
        check_legs(s, &path, to);
        ++*found;
    }
}

// A* and Dijkstra's algorithm find ways as short as the planner's over the same graph.
static void ways_are_the_shortest_from_cell_to_cell(void **state)
{
    (void)state;
    oct_planner *const planner = new_planner();
    int found = 0;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        pair p;
        pair_open(&p, seed, (baseline_kind)(seed / 2 % 2));
        pair_look(&p);
        for (int i = 0; i < 200; i++) {
            check_plan(&p, planner, &found);
        }
        // The body's own cell would be the nearest.
        if (!is_frontier(&p.scene, explore_cell(&p.scene))) {
            oct_exploration where;
            const double least = least_cost(planner, &p.scene, FRONTIER);
            assert_int_equal(
                oct_baseline_map_explore(p.baseline, &p.scene.bounds, p.scene.view.centre, &where),
                OCT_OK);
            assert_int_equal(where.status == OCT_EXPLORE_GO, least >= 0.0);
            if (least >= 0.0) {
                assert_true(fabs(where.path.length + 0x1p-30 - least) < 1e-9);
                assert_true(is_frontier(&p.scene, where.frontier));
                check_legs(&p.scene, &where.path, where.frontier);
            }
        }
        pair_close(&p);
    }
    print_message("%d ways found\n", found);
    assert_true(found > 10);
    oct_planner_destroy(planner);
}

// ---- exploring ----

static void check_remains(pair *p)
{
    explore_scene *const s = &p->scene;
    oct_explorer_def def = oct_explorer_def_default();
    def.map = s->map;
    def.bounds = &s->bounds;
    oct_explorer *explorer;
    oct_remains ours, expected;
    assert_int_equal(oct_explorer_create(&def, &explorer), OCT_OK);
    assert_int_equal(oct_explorer_remains(explorer, s->view.centre, &expected), OCT_OK);
    assert_int_equal(oct_baseline_map_remains(p->baseline, &s->bounds, s->view.centre, &ours),
                     OCT_OK);
    assert_int_equal(ours.frontier, 0);
    // The explorer has not been anywhere yet.
    assert_int_equal(ours.hidden, expected.hidden + expected.frontier);
    expected.hidden = ours.hidden;
    expected.frontier = ours.frontier;
    assert_memory_equal(&ours, &expected, sizeof ours);
    oct_explorer_destroy(explorer);
}

// What the body knows and can reach is what the true world has, as in test_explore.
static void check_known(pair *p, oct_vec start)
{
    explore_scene *const s = &p->scene;
    uint8_t *const there = explore_flood(s, s->truth, start);
    uint8_t *const known = explore_flood(s, s->map, start);
    for (size_t i = 0; i < explore_cells(s); i++) {
        assert_true(there[i] >= known[i]);
        assert_true(there[i] == known[i] || s->view.sight == OCT_SIGHT_LINE);
        const oct_vec c = cell_of(s, i);
        assert_int_equal(oct_baseline_map_label(p->baseline, c),
                         oct_tree_label(oct_map_tree(s->map), c));
    }
    free(there);
    free(known);
}

static void worlds_are_explored_to_the_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(24); seed++) {
        pair p;
        pair_open(&p, seed, (baseline_kind)(seed / 2 % 2));
        explore_scene *const s = &p.scene;
        const oct_vec start = explore_cell(s);
        oct_exploration where = {.status = OCT_EXPLORE_GO};
        for (int calls = 0; where.status == OCT_EXPLORE_GO; calls++) {
            assert_true(calls < CALLS_MAX);
            pair_look(&p);
            assert_int_equal(oct_baseline_map_arrive(p.baseline, &s->bounds, s->view.centre),
                             OCT_OK);
            assert_int_equal(
                oct_baseline_map_explore(p.baseline, &s->bounds, s->view.centre, &where), OCT_OK);
            if (where.status == OCT_EXPLORE_GO) {
                s->view.centre = where.path.points[where.path.point_count - 1];
            }
        }
        check_known(&p, start);
        check_remains(&p);
        oct_remains remains;
        assert_int_equal(oct_baseline_map_remains(p.baseline, &s->bounds, s->view.centre, &remains),
                         OCT_OK);
        assert_int_equal(where.status == OCT_EXPLORE_BOUNDED, remains.beyond > 0);
        pair_close(&p);
    }
}

// The least way to a cell of the frontier and straight on to a cell, by the planner; negative where
// no cell of the frontier can be reached.
static double least_towards(oct_planner *planner, explore_scene *s, oct_vec to)
{
    double least = -1.0;
    for (uint64_t i = 0; i < explore_cells(s); i++) {
        const oct_vec c = cell_of(s, i);
        const double there = is_frontier(s, c) ? least_cost(planner, s, i) : -1.0;
        const double x = (double)c.x - to.x, y = (double)c.y - to.y, z = (double)c.z - to.z;
        const double length = there + sqrt(x * x + y * y + z * z);
        least = there >= 0.0 && (least < 0.0 || length < least) ? length : least;
    }
    return least;
}

static oct_point middle_of(const explore_scene *s, oct_vec c)
{
    const oct_tree *const tree = oct_map_tree(s->map);
    const oct_point origin = oct_tree_origin(tree);
    const double size = oct_tree_cell_size(tree);
    return (oct_point){origin.x + (c.x + 0.5) * size, origin.y + (c.y + 0.5) * size,
                       origin.z + (c.z + 0.5) * size};
}

static void check_towards(pair *p, oct_planner *planner, int counts[OCT_EXPLORE_STATUS_COUNT])
{
    explore_scene *const s = &p->scene;
    const uint64_t name = oct_random_below(&s->random, explore_cells(s));
    const oct_vec to = cell_of(s, name);
    const oct_label label = oct_tree_label(oct_map_tree(s->map), to);
    if (label == OCT_BLOCKED) {
        return;
    }
    oct_exploration where;
    const double known = label == OCT_OPEN ? least_cost(planner, s, name) : -1.0;
    assert_int_equal(
        oct_baseline_map_towards(p->baseline, &s->bounds, s->view.centre, middle_of(s, to), &where),
        OCT_OK);
    counts[where.status]++;
    if (known >= 0.0) {
        assert_int_equal(where.status, OCT_EXPLORE_ARRIVE);
        assert_true(fabs(where.path.length - known) < 1e-9);
        check_legs(s, &where.path, to);
        return;
    }
    const double least = least_towards(planner, s, to);
    assert_int_equal(where.status, least < 0.0 ? OCT_EXPLORE_UNREACHABLE : OCT_EXPLORE_GO);
    assert_int_equal(where.is_hidden, least < 0.0);
    if (least >= 0.0) {
        const oct_vec c = where.frontier;
        const double x = (double)c.x - to.x, y = (double)c.y - to.y, z = (double)c.z - to.z;
        assert_true(oct_baseline_map_is_frontier(p->baseline, &s->bounds, c));
        assert_true(fabs(where.path.length + sqrt(x * x + y * y + z * z) - least) < 1e-9);
        check_legs(s, &where.path, c);
    }
}

// Towards a point it goes the shortest known way; else to the best cell of the frontier.
static void ways_to_a_point_match_a_search_of_all(void **state)
{
    (void)state;
    oct_planner *const planner = new_planner();
    int counts[OCT_EXPLORE_STATUS_COUNT] = {0};
    for (uint64_t seed = 1; seed <= test_rounds(16); seed++) {
        pair p;
        pair_open(&p, seed, (baseline_kind)(seed / 2 % 2));
        pair_look(&p);
        for (int i = 0; i < 24; i++) {
            check_towards(&p, planner, counts);
        }
        pair_close(&p);
    }
    print_message("%d ways known, %d to the frontier\n", counts[OCT_EXPLORE_ARRIVE],
                  counts[OCT_EXPLORE_GO]);
    assert_true(counts[OCT_EXPLORE_ARRIVE] > 0 && counts[OCT_EXPLORE_GO] > 0);
    oct_planner_destroy(planner);
}

// A body at a place of the frontier is offered it however often it asks, until it has arrived.
static void asking_writes_nothing_off(void **state)
{
    (void)state;
    int offered = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        pair p;
        oct_exploration where;
        pair_open(&p, seed, (baseline_kind)(seed % 2));
        const oct_box *const bounds = &p.scene.bounds;
        pair_look(&p);
        const oct_point from = p.scene.view.centre;
        assert_int_equal(oct_baseline_map_explore(p.baseline, bounds, from, &where), OCT_OK);
        const oct_vec first = where.frontier;
        if (where.status == OCT_EXPLORE_GO) {
            const oct_point at = where.path.points[where.path.point_count - 1];
            for (int i = 0; i < 3; i++, offered++) {
                assert_int_equal(oct_baseline_map_explore(p.baseline, bounds, at, &where), OCT_OK);
                assert_int_equal(where.status, OCT_EXPLORE_GO);
                assert_memory_equal(&where.frontier, &first, sizeof first);
            }
            assert_int_equal(oct_baseline_map_arrive(p.baseline, bounds, at), OCT_OK);
            assert_int_equal(oct_baseline_map_explore(p.baseline, bounds, at, &where), OCT_OK);
            assert_true(where.status != OCT_EXPLORE_GO ||
                        memcmp(&where.frontier, &first, sizeof first) != 0);
        }
        pair_close(&p);
    }
    assert_true(offered > 10);
}

static void a_body_beyond_the_bounds_is_refused(void **state)
{
    (void)state;
    pair p;
    oct_exploration where;
    oct_path path;
    pair_open(&p, 1, BASELINE_GRID);
    pair_look(&p);
    const oct_point far = {1e6, 0.0, 0.0}, nowhere = {1e12, 0.0, 0.0};
    assert_int_equal(oct_baseline_map_explore(p.baseline, &p.scene.bounds, far, &where),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_baseline_map_explore(p.baseline, NULL, nowhere, &where), OCT_ERROR_RANGE);
    assert_int_equal(oct_baseline_map_arrive(p.baseline, &p.scene.bounds, far), OCT_ERROR_RANGE);
    assert_int_equal(oct_baseline_map_arrive(p.baseline, NULL, nowhere), OCT_ERROR_RANGE);
    assert_int_equal(
        oct_baseline_map_towards(p.baseline, &p.scene.bounds, p.scene.view.centre, far, &where),
        OCT_ERROR_RANGE);
    assert_int_equal(oct_baseline_map_plan(p.baseline, NULL, nowhere, (oct_vec){0, 0, 0}, &path),
                     OCT_ERROR_RANGE);
    pair_close(&p);
}

// ---- single questions ----

static void questions_match_the_octree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(20); seed++) {
        pair p;
        pair_open(&p, seed, (baseline_kind)(seed / 2 % 2));
        pair_look(&p);
        explore_scene *const s = &p.scene;
        uint64_t ours[3], expected[3];
        oct_baseline_map_count(p.baseline, s->bounds, ours);
        assert_int_equal(oct_tree_count(oct_map_tree(s->map), s->bounds, expected), OCT_OK);
        assert_memory_equal(ours, expected, sizeof ours);
        for (int i = 0; i < 40; i++) {
            const oct_vec c = cell_of(s, oct_random_below(&s->random, explore_cells(s)));
            const oct_labels labels = (oct_labels)oct_random_below(&s->random, 8);
            oct_vec around[26];
            const size_t count = oct_baseline_map_neighbours(p.baseline, c, labels, around);
            size_t wanted = 0;
            for (int k = 0; k < 27; k++) {
                const oct_vec n = {c.x + k % 3 - 1, c.y + k / 3 % 3 - 1, c.z + k / 9 - 1};
                wanted += k != 13 && (s->dims == 3 || n.z == 0) &&
                          (labels >> oct_tree_label(oct_map_tree(s->map), n) & 1u);
            }
            assert_int_equal(count, wanted);
            for (size_t k = 0; k < count; k++) {
                assert_true(labels >> oct_tree_label(oct_map_tree(s->map), around[k]) & 1u);
            }
        }
        pair_close(&p);
    }
    assert_string_equal(oct_baseline_name(BASELINE_GRID), "grid");
    assert_string_equal(oct_baseline_name(BASELINE_SET), "set");
    assert_null(oct_baseline_name(BASELINE_KIND_COUNT));
}

// ---- size ----

static oct_map *new_map(uint32_t dims)
{
    oct_map_def def = oct_map_def_default();
    def.dims = dims;
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    return map;
}

static oct_result mark_cell(oct_baseline_map *b, oct_vec at, oct_mark mark)
{
    const cell_set one = {.kind = CELL_SET_BOX, .box = {at, {at.x + 1, at.y + 1, at.z + 1}}};
    return oct_baseline_map_mark(b, &one, mark);
}

// Towards each of the six sides in turn, in ever larger steps: after each growth every cell is what
// it was, and the sizes are those of what is held.
static void growing_keeps_every_cell(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        const int dims = round / 2 ? 3 : 2;
        const baseline_kind kind = (baseline_kind)(round % 2);
        oct_map *const map = new_map((uint32_t)dims);
        oct_baseline_map *b;
        oct_vec cells[60];
        assert_int_equal(oct_baseline_map_create(kind, map, NULL, &b), OCT_OK);
        assert_int_equal(oct_baseline_map_kind(b), kind);
        for (int i = 0; i < 60; i++) {
            const int axis = i / 2 % dims;
            const int32_t d = (i % 2 ? 3 : -3) * i;
            cells[i] = (oct_vec){axis == 0 ? d : -7, axis == 1 ? d : 95, axis == 2 ? d : 0};
            assert_int_equal(mark_cell(b, cells[i], i % 2 ? OCT_MARK_SOLID : OCT_MARK_OPEN),
                             OCT_OK);
            for (int k = 0; k <= i; k++) {
                assert_int_equal(oct_baseline_map_label(b, cells[k]),
                                 k % 2 ? OCT_BLOCKED : OCT_OPEN);
            }
        }
        const baseline_size size = oct_baseline_map_measure(b);
        const oct_vec lo = size.box.min, hi = size.box.max;
        assert_true(size.cells > 0);
        for (int i = 0; i < 60; i++) {
            const oct_vec c = cells[i];
            assert_true(c.x >= lo.x && c.x < hi.x && c.y >= lo.y && c.y < hi.y && c.z >= lo.z &&
                        c.z < hi.z);
        }
        assert_int_equal(size.nodes,
                         kind == BASELINE_SET ? 30 : (hi.x - lo.x) * (hi.y - lo.y) * (hi.z - lo.z));
        assert_true(dims == 3 || hi.z - lo.z == 1);
        oct_baseline_map_destroy(b);
        oct_map_destroy(map);
    }
}

// Cells all over the lattice take the set no more than their number; the grid cannot hold them.
static void only_a_set_may_be_sparse(void **state)
{
    (void)state;
    const oct_vec corners[2] = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                                {OCT_RANGE - 1, OCT_RANGE - 1, OCT_RANGE - 1}};
    oct_map *const map = new_map(3);
    for (baseline_kind kind = 0; kind < BASELINE_KIND_COUNT; kind++) {
        oct_baseline_map *b;
        assert_int_equal(oct_baseline_map_create(kind, map, NULL, &b), OCT_OK);
        assert_int_equal(mark_cell(b, corners[0], OCT_MARK_SOLID), OCT_OK);
        assert_int_equal(mark_cell(b, corners[1], OCT_MARK_SOLID),
                         kind == BASELINE_GRID ? OCT_ERROR_MEMORY : OCT_OK);
        assert_int_equal(oct_baseline_map_label(b, corners[0]), OCT_BLOCKED);
        oct_baseline_map_destroy(b);
    }
    oct_map_destroy(map);
}

static oct_piece random_box(oct_random *random)
{
    oct_piece piece = {.kind = OCT_PIECE_OBB};
    double size = 0.0;
    for (int i = 0; i < 4; i++) {
        piece.turn[i] = oct_random_unit(random) - 0.5;
        size += piece.turn[i] * piece.turn[i];
    }
    for (int i = 0; i < 4; i++) {
        piece.turn[i] /= sqrt(size);
    }
    piece.centre = (oct_point){8.0 * oct_random_unit(random), 8.0 * oct_random_unit(random),
                               8.0 * oct_random_unit(random)};
    piece.half = (oct_point){0.2 + 3.0 * oct_random_unit(random), 1.0, 0.4};
    const double reach = point_length(piece.half);
    const oct_point around = {reach, reach, reach};
    piece.box = (oct_bounds){point_sub(piece.centre, around), point_add(piece.centre, around)};
    return piece;
}

static void assert_same_labels(const oct_map *map, const oct_baseline_map *b)
{
    for (oct_vec c = {.z = -8}; c.z < 16; c.z++) {
        for (c.y = -8; c.y < 16; c.y++) {
            for (c.x = -8; c.x < 16; c.x++) {
                assert_int_equal(oct_baseline_map_label(b, c),
                                 oct_tree_label(oct_map_tree(map), c));
            }
        }
    }
}

// Turned boxes come, change their shape within their box, become upright, and go.
static void shapes_cover_what_they_do_in_the_octree(void **state)
{
    (void)state;
    printf("seed 5\n");
    for (baseline_kind kind = 0; kind < BASELINE_KIND_COUNT; kind++) {
        oct_random random = oct_random_seed(5);
        oct_map *const map = new_map(3);
        oct_baseline_map *b;
        assert_int_equal(oct_baseline_map_create(kind, map, NULL, &b), OCT_OK);
        const uint64_t rounds = test_rounds(40);
        for (uint64_t i = 0; i < rounds; i++) {
            oct_piece piece = random_box(&random);
            const oct_shape shape = {&piece, 1};
            oct_thing thing = {.id = oct_random_below(&random, 4),
                               .box = piece.box,
                               .label = i % 5 == 4 ? OCT_UNKNOWN : OCT_BLOCKED,
                               .shape = i % 4 == 3 ? NULL : &shape};
            for (int k = 0; k < 2; k++) {
                assert_int_equal(oct_map_put(map, &thing), OCT_OK);
                assert_int_equal(oct_baseline_map_put(b, &thing), OCT_OK);
                piece.half.y = 0.3;
                assert_same_labels(map, b);
            }
            if (i % 3 == 2) {
                assert_int_equal(oct_map_remove(map, thing.id), OCT_OK);
                assert_int_equal(oct_baseline_map_remove(b, thing.id), OCT_OK);
                assert_same_labels(map, b);
            }
        }
        oct_baseline_map_destroy(b);
        oct_map_destroy(map);
    }
}

static oct_result use_all(const oct_allocator *allocator, void *ctx)
{
    oct_map *const map = new_map(3);
    const oct_piece piece = {.kind = OCT_PIECE_OBB,
                             .box = {{3, 3, 3}, {5, 5, 5}},
                             .centre = {4, 4, 4},
                             .half = {1, 0.5, 0.5},
                             .turn = {0.6, 0, 0, 0.8}};
    const oct_shape shape = {&piece, 1};
    const oct_thing thing = {.id = 7, .box = piece.box, .label = OCT_BLOCKED, .shape = &shape};
    const cell_set ball = {.kind = CELL_SET_BALL,
                           .box = {{-4, -4, -4}, {5, 5, 5}},
                           .centre = {0.5, 0.5, 0.5},
                           .radius = 4.0};
    const oct_point from = {0.5, 0.5, 0.5};
    oct_exploration where;
    oct_baseline_map *b = NULL;
    oct_result result = oct_baseline_map_create(*(const baseline_kind *)ctx, map, allocator, &b);
    if (result == OCT_OK) {
        result = oct_baseline_map_mark(b, &ball, OCT_MARK_KNOWN);
    }
    if (result == OCT_OK) {
        result = oct_baseline_map_put(b, &thing);
    }
    for (int i = 0; i < 2 && result == OCT_OK; i++) {
        result = oct_baseline_map_explore(b, NULL, from, &where);
    }
    if (result == OCT_OK && where.status == OCT_EXPLORE_GO) {
        result = oct_baseline_map_arrive(b, NULL, where.chosen.at);
    }
    if (result == OCT_OK) {
        result = oct_baseline_map_remove(b, thing.id);
    }
    oct_baseline_map_destroy(b);
    oct_map_destroy(map);
    return result;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    for (baseline_kind kind = 0; kind < BASELINE_KIND_COUNT; kind++) {
        assert_true(test_each_failure(use_all, &kind) >= 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_are_the_shortest_from_cell_to_cell),
        cmocka_unit_test(worlds_are_explored_to_the_end),
        cmocka_unit_test(ways_to_a_point_match_a_search_of_all),
        cmocka_unit_test(asking_writes_nothing_off),
        cmocka_unit_test(a_body_beyond_the_bounds_is_refused),
        cmocka_unit_test(questions_match_the_octree),
        cmocka_unit_test(growing_keeps_every_cell),
        cmocka_unit_test(only_a_set_may_be_sparse),
        cmocka_unit_test(shapes_cover_what_they_do_in_the_octree),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
