// SPDX-License-Identifier: MIT
// The lattice graph itself: its edges against lines that the judge of paths allows between
// neighbouring points, from and to every part of a double corner; starts and goals; and queries
// that are refused.
#include "classic/lattice.h"
#include "octant/components.h"
#include "octant/line.h"
#include "octant/tree.h"
#include "search_scene.h"

#include <math.h>
#include <stdlib.h>

// ---- edges ----

typedef struct fixture {
    search_scene s;
    lattice_space *space;
    int doubles, edges; // met so far
} fixture;

static anchor anchor_of(const view *v, const oracle_end *end)
{
    return (anchor){oct_view_spot(v, end->at, end->cell), end->cell, false};
}

// A space over the scene between two places.
static void begin(fixture *f, const oracle_end *from, const oracle_end *to)
{
    space *const base = &f->space->base;
    oct_view_init(&base->map, f->s.tree, &f->s.terms);
    base->map.squeezes = f->s.world.squeeze;
    base->from = anchor_of(&base->map, from);
    base->to = anchor_of(&base->map, to);
    base->estimate = ESTIMATE_OCTILE;
    base->least_price = base->map.least_price;
    assert_int_equal(oct_lattice_kind.begin(base), OCT_OK);
}

static oct_fine point_of(oct_vec at)
{
    return (oct_fine){(int64_t)at.x * OCT_FINE, (int64_t)at.y * OCT_FINE, FLAT_Z};
}

// The parts of a point's free cells.
static int parts_of(const exact_world *world, oct_fine at, exact_cells parts[4])
{
    const exact_cells all = exact_around(world, at);
    int count = 0;
    for (int i = 0; i < all.count; i++) {
        const exact_cells one = {1, {all.cells[i]}};
        bool is_new = true;
        for (int k = 0; k < count; k++) {
            is_new = is_new && !exact_cells_meet(&one, &parts[k]);
        }
        if (is_new) {
            parts[count++] = exact_joined(world, at, &one);
        }
    }
    return count;
}

// The node of a part: the same whichever of its cells one asks with.
static uint32_t node_of(const fixture *f, oct_vec at, const exact_cells *part)
{
    uint32_t id = 0;
    for (int i = 0; i < part->count; i++) {
        const oct_vec c = part->cells[i];
        const uint32_t octant = (uint32_t)(c.x == at.x) | (uint32_t)(c.y == at.y) << 1;
        uint32_t again;
        assert_int_equal(oct_lattice_node(f->space, at, octant, &again), OCT_OK);
        assert_true(i == 0 || again == id);
        id = again;
    }
    return id;
}

// What an edge from one node to another costs; negative where there is none. At most one is there.
static double edge_cost(const space *base, uint32_t to)
{
    double cost = -1.0;
    for (uint32_t i = 0; i < base->edge_count; i++) {
        if (space_edges(base)[i].to == to) {
            assert_true(cost < 0.0);
            cost = space_edges(base)[i].cost;
        }
    }
    return cost;
}

// The spot of a node is its part.
static void check_spot(const fixture *f, uint32_t id, oct_fine at, const exact_cells *part)
{
    const spot place = lattice_spot(&f->space->base, id);
    const spot expected = oct_view_spot(&f->space->base.map, at, part->cells[0]);
    assert_true(place.at.x == at.x && place.at.y == at.y && place.at.z == at.z);
    assert_int_equal(place.octants, expected.octants);
}

// All edges of one part of a point.
static void check_edges(fixture *f, oct_vec at, const exact_cells *part)
{
    const exact_world *const world = &f->s.world;
    space *const base = &f->space->base;
    const uint32_t id = node_of(f, at, part);
    const oct_fine here = point_of(at);
    check_spot(f, id, here, part);
    uint32_t expected = 0;
    for (int d = 0; d < 9; d++) {
        const oct_vec to = {at.x + d % 3 - 1, at.y + d / 3 - 1, 0};
        const oct_fine there = point_of(to);
        exact_cells ends[4];
        const int count = d == 4 ? 0 : parts_of(world, there, ends);
        for (int k = 0; k < count; k++) {
            const uint32_t other = node_of(f, to, &ends[k]);
            assert_int_equal(lattice_edges(base, id, 0), OCT_OK);
            const double cost = edge_cost(base, other);
            if (!exact_sees_between(world, here, part, there, &ends[k])) {
                assert_true(cost < 0.0);
                continue;
            }
            expected++;
            f->doubles += count > 1;
            const double wanted = f->s.is_priced
                                      ? oct_tree_line_cost(f->s.tree, &f->s.terms, here, there)
                                      : oracle_distance(world, here, there);
            assert_true(fabs(cost - wanted) <= 1e-8);
            assert_true(lattice_node_key(base, id) != lattice_node_key(base, other));
        }
    }
    assert_int_equal(lattice_edges(base, id, 0), OCT_OK);
    uint32_t joined = 0;
    for (uint32_t i = 0; i < base->edge_count; i++) {
        joined += space_edges(base)[i].to < PAGE_CELLS;
    }
    assert_int_equal(base->edge_count - joined, expected);
    assert_true(base->id_count == f->space->pages.pages.count * PAGE_CELLS);
    f->edges += (int)expected;
}

static void check_points(fixture *f)
{
    for (int32_t y = f->s.drawn.min.y; y <= f->s.drawn.max.y; y++) {
        for (int32_t x = f->s.drawn.min.x; x <= f->s.drawn.max.x; x++) {
            exact_cells parts[4];
            const oct_vec at = {x, y, 0};
            const int count = parts_of(&f->s.world, point_of(at), parts);
            for (int i = 0; i < count; i++) {
                check_edges(f, at, &parts[i]);
                assert_true(count == 1 || node_of(f, at, &parts[0]) != node_of(f, at, &parts[1]));
            }
        }
    }
}

// ---- start and goal ----

// Joined to the corners of their cells and to each other, as the oracle says, both ways.
static void check_end(const fixture *f, uint32_t end, const oracle_end *own,
                      const oracle_end *other)
{
    space *const base = &f->space->base;
    const exact_world *const world = &f->s.world;
    const exact_cells cell = {1, {own->cell}}, beyond = {1, {other->cell}};
    const exact_cells mine = exact_joined(world, own->at, &cell);
    const exact_cells theirs = exact_joined(world, other->at, &beyond);
    const uint32_t id = end == LATTICE_START ? base->start : base->goal;
    const uint32_t to = end == LATTICE_START ? base->goal : base->start;
    const oct_fine at = lattice_at(base, id);
    assert_true(at.x == own->at.x && at.y == own->at.y);
    assert_int_equal(id == end, own->at.x % OCT_FINE != 0 || own->at.y % OCT_FINE != 0);
    if (id != end) {
        assert_int_equal(id, node_of(f, (oct_vec){fine_cell(at.x), fine_cell(at.y), 0}, &mine));
        return;
    }
    uint32_t corners = 0;
    for (int32_t i = 0; i < 16; i++) {
        const oct_vec near = {fine_cell(at.x) + i % 4 - 1, fine_cell(at.y) + i / 4 - 1, 0};
        exact_cells parts[4];
        const int count = parts_of(world, point_of(near), parts);
        for (int k = 0; k < count; k++) {
            const uint32_t node = node_of(f, near, &parts[k]);
            const bool joined = exact_cells_meet(&parts[k], &mine);
            const double length = oracle_distance(world, at, point_of(near));
            assert_int_equal(lattice_edges(base, id, 0), OCT_OK);
            const double cost = edge_cost(base, node);
            assert_true(joined ? f->s.is_priced || fabs(cost - length) < 1e-8 : cost < 0.0);
            corners += joined;
            assert_int_equal(lattice_edges(base, node, 0), OCT_OK);
            assert_true(edge_cost(base, id) == cost);
        }
    }
    assert_int_equal(lattice_edges(base, id, 0), OCT_OK);
    const bool meet = to < PAGE_CELLS && exact_cells_meet(&mine, &theirs);
    assert_int_equal(base->edge_count, corners + meet);
    assert_int_equal(to < PAGE_CELLS && edge_cost(base, to) >= 0.0, meet);
}

// No estimate exceeds an edge's cost and the estimate behind it; the goal's is nothing.
static void check_estimates(const fixture *f)
{
    space *const base = &f->space->base;
    assert_true(lattice_estimate(base, base->goal) == 0.0);
    for (uint32_t id = base->goal; id < base->id_count; id++) {
        const bool is_node = id == base->goal || (id >= PAGE_CELLS && id % PAGE_CELLS < 16);
        if (!is_node || id / PAGE_CELLS >= f->space->pages.pages.count) {
            continue;
        }
        assert_int_equal(lattice_edges(base, id, 0), OCT_OK);
        for (uint32_t i = 0; i < base->edge_count; i++) {
            const space_edge edge = space_edges(base)[i];
            assert_true(edge.to == LATTICE_START ||
                        lattice_estimate(base, id) <= edge.cost + lattice_estimate(base, edge.to));
        }
        if (id > 40 * PAGE_CELLS) {
            break; // enough of what grows while one looks
        }
    }
}

static void run_worlds(uint64_t seed, int worlds, int32_t edge, scene_wish wish)
{
    fixture f = {.doubles = 0};
    const oct_allocator heap = oct_allocator_default();
    space *made;
    assert_int_equal(oct_space_create(&oct_lattice_kind, &heap, &made), OCT_OK);
    f.space = (lattice_space *)made;
    for (int i = 0; i < worlds; i++) {
        search_scene_init(&f.s, seed + (uint64_t)i, 2, edge, wish);
        const scene_end from = scene_random_end(&f.s), to = scene_random_end(&f.s);
        for (int squeeze = 0; squeeze < 2 && from.has_anchor && to.has_anchor; squeeze++) {
            scene_set_squeeze(&f.s, squeeze);
            begin(&f, &from.anchor, &to.anchor);
            check_points(&f);
            check_end(&f, LATTICE_START, &from.anchor, &to.anchor);
            check_end(&f, LATTICE_GOAL, &to.anchor, &from.anchor);
            check_estimates(&f);
        }
        search_scene_free(&f.s);
    }
    assert_true(f.edges > worlds * 4 && f.doubles > worlds / 4);
    oct_space_destroy(&oct_lattice_kind, made);
}

static void edges_are_what_the_judge_allows(void **state)
{
    (void)state;
    run_worlds(100, (int)test_rounds(400), 3, (scene_wish){0});
    run_worlds(2000, (int)test_rounds(300), 6, (scene_wish){0});
    run_worlds(3000, (int)test_rounds(60), 11, (scene_wish){.no_prices = true});
}

// Every pattern of cells around two neighbouring points: the tables, whatever the worlds above met.
static void all_patterns_around_a_way(void **state)
{
    (void)state;
    fixture f = {.doubles = 0};
    const oct_allocator heap = oct_allocator_default();
    space *made;
    assert_int_equal(oct_space_create(&oct_lattice_kind, &heap, &made), OCT_OK);
    f.space = (lattice_space *)made;
    for (uint32_t pattern = 0; pattern < 512; pattern++) {
        char rows[3][4] = {"...", "...", "..."};
        for (int i = 0; i < 9; i++) {
            rows[i / 3][i % 3] = pattern >> i & 1u ? '#' : '.';
        }
        SCENE_DRAW(&f.s, 2, 1, rows[0], rows[1], rows[2]);
        const scene_end end = scene_end_of(&f.s, (oct_point){1.25, 1.5, 0});
        for (int squeeze = 0; squeeze < 2 && end.has_anchor; squeeze++) {
            scene_set_squeeze(&f.s, squeeze);
            begin(&f, &end.anchor, &end.anchor);
            check_points(&f);
        }
        search_scene_free(&f.s);
    }
    assert_true(f.doubles > 500);
    oct_space_destroy(&oct_lattice_kind, made);
}

// ---- paths by hand ----

static oct_query query_of(const search_scene *s, oct_lab_algorithm algorithm, oct_point from,
                          oct_point to)
{
    oct_query q = oct_query_default();
    q.from = from;
    q.to = to;
    LAB_SET(&q, graph, OCT_LAB_GRAPH_LATTICE);
    LAB_SET(&q, algorithm, algorithm);
    q.terms = s->terms;
    LAB_SET(&q, squeeze, s->world.squeeze);
    return q;
}

static const oct_lab_algorithm served[] = {OCT_LAB_DIJKSTRA, OCT_LAB_ASTAR, OCT_LAB_ASTAR_SMOOTH,
                                           OCT_LAB_THETA, OCT_LAB_LAZY_THETA};
#define SERVED (sizeof served / sizeof served[0])

// Rooms that meet in a corner: apart, or not; components know nothing of the latter.
static void rooms_that_meet_in_a_corner(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "##..", "##..", "..##", "..##");
    oct_components_def def = oct_components_def_default();
    def.tree = s.tree;
    oct_components *components;
    assert_int_equal(oct_components_create(&def, &components), OCT_OK);
    oct_planner_def planner_def = oct_planner_def_default();
    planner_def.lab = oct_lab();
    planner_def.tree = s.tree;
    oct_planner *planners[2];
    assert_int_equal(oct_planner_create(&planner_def, &planners[0]), OCT_OK);
    planner_def.components[0] = components;
    assert_int_equal(oct_planner_create(&planner_def, &planners[1]), OCT_OK);
    const oct_point a = {0, 0, 0}, b = {3.5, 3.5, 0}, corner = {2, 2, 0};
    for (size_t i = 0; i < SERVED * 2; i++) {
        scene_set_squeeze(&s, false);
        oct_query q = query_of(&s, served[i / 2], a, b);
        oct_path path = scene_plan(&s, planners[i % 2], &q);
        assert_int_equal(path.status, OCT_PATH_NONE);
        assert_int_equal(path.expanded > 0, i % 2 == 0);
        // The corner itself belongs to the upper room, whose cell it is in.
        q.to = corner;
        assert_int_equal(scene_plan(&s, planners[i % 2], &q).status, OCT_PATH_NONE);
        q.from = b;
        assert_int_equal(scene_plan(&s, planners[i % 2], &q).status, OCT_PATH_FOUND);
        scene_set_squeeze(&s, true);
        q = query_of(&s, served[i / 2], a, b);
        path = scene_plan(&s, planners[i % 2], &q);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        scene_check_path(&s, &q, &path);
        assert_true(fabs(path.length - 3.5 * sqrt(2.0)) < 1e-9);
    }
    oct_planner_destroy(planners[0]);
    oct_planner_destroy(planners[1]);
    oct_components_destroy(components);
    search_scene_free(&s);
}

typedef struct counted {
    int found, others;
    double length;
} counted;

static void count_path(void *ctx, size_t index, uint32_t worker, const oct_path *path)
{
    (void)index;
    (void)worker;
    counted *const c = ctx;
    c->found += path->status == OCT_PATH_FOUND;
    c->others += path->status != OCT_PATH_FOUND;
    c->length += path->length;
}

// One search for many goals, with components at hand: in cells, on points, on a double corner.
static void many_goals_where_paths_squeeze(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "##..", "##..", "..##", "..##");
    oct_components_def def = oct_components_def_default();
    def.tree = s.tree;
    oct_components *components;
    assert_int_equal(oct_components_create(&def, &components), OCT_OK);
    oct_planner_def planner_def = oct_planner_def_default();
    planner_def.lab = oct_lab();
    planner_def.tree = s.tree;
    planner_def.components[0] = components;
    oct_planner *planner;
    assert_int_equal(oct_planner_create(&planner_def, &planner), OCT_OK);
    static const oct_point goals[] = {
        {3.5, 3.5, 0}, {2, 2, 0}, {0.5, 0.5, 0}, {3, 2, 0}, {0, 0, 0}};
    const double h = sqrt(2.0);
    const double lengths[2] = {0.5 * h + 0.0, 3.5 * h + 2.0 * h + 0.5 * h + 2.0 * h + 1.0};
    for (int squeeze = 0; squeeze < 2; squeeze++) {
        scene_set_squeeze(&s, squeeze);
        for (int i = 0; i < 2; i++) {
            const oct_query q = query_of(&s, served[i], (oct_point){0, 0, 0}, goals[0]);
            counted c = {0};
            assert_int_equal(oct_lab_plan_to_many(planner, &q, goals, 5, count_path, &c), OCT_OK);
            assert_int_equal(c.found, squeeze ? 5 : 2);
            assert_int_equal(c.others, squeeze ? 0 : 3);
            assert_true(fabs(c.length - lengths[squeeze]) < 1e-9);
        }
    }
    oct_planner_destroy(planner);
    oct_components_destroy(components);
    search_scene_free(&s);
}

// ---- what makes no sense ----

static void refused_queries(void **state)
{
    (void)state;
    search_scene flat, solid;
    oct_path path;
    SCENE_DRAW(&flat, 2, 1, "....", "....");
    SCENE_DRAW(&solid, 3, 2, "....", "....");
    oct_planner *const on_flat = scene_planner(&flat, NULL);
    oct_planner *const on_solid = scene_planner(&solid, NULL);
    const oct_point a = {0.5, 0.5, 0.5}, b = {3.5, 1.5, 1.5};
    for (size_t i = 0; i < SERVED; i++) {
        oct_query q = query_of(&flat, served[i], a, b);
        assert_int_equal(oct_planner_plan(on_solid, &q, &path), OCT_ERROR_ARGUMENT);
        counted c = {0};
        assert_int_equal(oct_lab_plan_to_many(on_solid, &q, &b, 1, count_path, &c),
                         OCT_ERROR_ARGUMENT);
        assert_int_equal(oct_planner_plan(on_flat, &q, &path), OCT_OK);
        q.taut = OCT_TAUT_YES;
        assert_int_equal(oct_planner_plan(on_flat, &q, &path), OCT_OK);
        LAB_SET(&q, squeeze, true);
        assert_int_equal(oct_planner_plan(on_flat, &q, &path), OCT_ERROR_ARGUMENT);
        q.taut = OCT_TAUT_NO;
        assert_int_equal(oct_planner_plan(on_flat, &q, &path), OCT_OK);
        assert_int_equal(oct_planner_plan(on_solid, &q, &path), OCT_ERROR_ARGUMENT);
    }
    for (int i = 0; i < SCENE_CHOICES; i++) {
        oct_query q = query_of(&flat, OCT_LAB_ASTAR, a, b);
        LAB_SET(&q, squeeze, true);
        if (scene_choose(&flat, &q, i) && !oct_lab_graph_is_flat(lab_of(&q).graph)) {
            assert_int_equal(oct_planner_plan(on_flat, &q, &path), OCT_ERROR_ARGUMENT);
            assert_int_equal(oct_planner_plan(on_solid, &q, &path), OCT_ERROR_ARGUMENT);
        }
    }
    assert_false(oct_lab_serves(OCT_LAB_GREEDY, OCT_LAB_GRAPH_LATTICE));
    assert_false(oct_lab_serves(OCT_LAB_PORTAL, OCT_LAB_GRAPH_LATTICE));
    oct_planner_destroy(on_flat);
    oct_planner_destroy(on_solid);
    search_scene_free(&flat);
    search_scene_free(&solid);
}

// ---- memory ----

static oct_result plan_all(const oct_allocator *allocator, void *ctx)
{
    search_scene *const s = ctx;
    oct_planner_def def = oct_planner_def_default();
    def.lab = oct_lab();
    def.tree = s->tree;
    def.allocator = allocator;
    oct_planner *planner;
    OCT_TRY(oct_planner_create(&def, &planner));
    oct_result result = OCT_OK;
    for (size_t i = 0; i < SERVED && result == OCT_OK; i++) {
        const oct_query q =
            query_of(s, served[i], (oct_point){0.25, 0.5, 0}, (oct_point){6.5, 0.75, 0});
        oct_path path;
        result = oct_planner_plan(planner, &q, &path);
        assert_true(result != OCT_OK || path.status == OCT_PATH_FOUND);
    }
    oct_planner_destroy(planner);
    return result;
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, ".......", ".#.#.#.", ".#.#.#.", ".#.#.#.", ".#...#.");
    assert_true(test_each_failure(plan_all, &s) > 5);
    scene_set_squeeze(&s, true);
    assert_true(test_each_failure(plan_all, &s) > 5);
    search_scene_free(&s);
}

static void what_is_warm_allocates_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        search_scene s;
        test_allocator memory;
        size_t warm = 0;
        search_scene_init(&s, seed, 2, 12, (scene_wish){0});
        const scene_end from = scene_random_end(&s), to = scene_random_end(&s);
        test_allocator_init(&memory, TEST_NEVER);
        oct_planner *const planner = scene_planner(&s, &memory.allocator);
        for (int round = 0; round < 2; round++) {
            for (size_t i = 0; i < SERVED * 2; i++) {
                scene_set_squeeze(&s, i % 2);
                const oct_query q = query_of(&s, served[i / 2], from.at, to.at);
                scene_plan(&s, planner, &q);
                assert_int_equal(oct_planner_bytes(planner), memory.live_bytes);
            }
            assert_true(round == 0 || memory.allocations == warm);
            warm = memory.allocations;
        }
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
        search_scene_free(&s);
    }
}

// ---- size ----

// Edges of a part of a point, to points that come later.
static uint64_t count_edges(const exact_world *world, oct_vec at, const exact_cells *part)
{
    uint64_t edges = 0;
    for (int d = 5; d < 9; d++) {
        const oct_fine there = point_of((oct_vec){at.x + d % 3 - 1, at.y + d / 3 - 1, 0});
        exact_cells ends[4];
        const int count = parts_of(world, there, ends);
        for (int k = 0; k < count; k++) {
            edges += exact_sees_between(world, point_of(at), part, there, &ends[k]);
        }
    }
    return edges;
}

static void the_size_is_that_of_all_parts_of_all_points(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(150); seed++) {
        search_scene s;
        search_scene_init(&s, seed, 2, seed % 10 ? 4 + (int32_t)(seed % 13) : 70,
                          (scene_wish){.no_prices = true, .known = true});
        const oct_box bounds = s.drawn;
        scene_set_terms(&s, OCT_UNKNOWN_BLOCKED, &bounds);
        scene_set_squeeze(&s, seed % 3 == 0);
        oct_lab_size expected = {0, 0}, size;
        for (int32_t y = bounds.min.y; y <= bounds.max.y; y++) {
            for (int32_t x = bounds.min.x; x <= bounds.max.x; x++) {
                exact_cells parts[4];
                const oct_vec at = {x, y, 0};
                const int count = parts_of(&s.world, point_of(at), parts);
                expected.nodes += (uint64_t)count;
                for (int i = 0; i < count; i++) {
                    expected.edges += count_edges(&s.world, at, &parts[i]);
                }
            }
        }
        oct_planner *const planner = scene_planner(&s, NULL);
        const scene_end here = scene_random_end(&s);
        oct_query query = scene_query(&s, &here, &here);
        LAB_SET(&query, graph, OCT_LAB_GRAPH_LATTICE);
        LAB_SET(&query, algorithm, OCT_LAB_ASTAR);
        assert_int_equal(oct_lab_measure(planner, &size), OCT_ERROR_ARGUMENT);
        scene_plan(&s, planner, &query);
        assert_int_equal(oct_lab_measure(planner, &size), OCT_OK);
        SCENE_CHECK(&s, &query, size.nodes == expected.nodes && size.edges == expected.edges,
                    "%d nodes and %d edges, not %d and %d", (int)size.nodes, (int)size.edges,
                    (int)expected.nodes, (int)expected.edges);
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_is_that_of_all_parts_of_all_points),
        cmocka_unit_test(edges_are_what_the_judge_allows),
        cmocka_unit_test(all_patterns_around_a_way),
        cmocka_unit_test(rooms_that_meet_in_a_corner),
        cmocka_unit_test(many_goals_where_paths_squeeze),
        cmocka_unit_test(refused_queries),
        cmocka_unit_test(refused_memory_is_a_result),
        cmocka_unit_test(what_is_warm_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
