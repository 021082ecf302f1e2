// SPDX-License-Identifier: MIT
// Jump point search: its jumps against plain ones, cell by cell; its costs against those of A*, to
// the bit; and all that a planner promises.
#include "flat/jump.h"
#include "octant/names.h"
#include "octant/tree.h"
#include "search_scene.h"

#include <inttypes.h>
#include <stdlib.h>

// ---- worlds ----

static void new_tree(search_scene *s)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = 2;
    assert_int_equal(oct_tree_create(&def, &s->tree), OCT_OK);
}

static void mark(const search_scene *s, int32_t x, int32_t y, int32_t right, int32_t top,
                 oct_mark as)
{
    const oct_box box = {{x, y, 0}, {right, top, 1}};
    assert_int_equal(oct_tree_set_box(s->tree, box, as), OCT_OK);
}

static void mark_singles(search_scene *s, uint64_t percent, oct_mark as)
{
    const oct_box *const b = &s->drawn;
    for (int32_t y = b->min.y; y < b->max.y; y++) {
        for (int32_t x = b->min.x; x < b->max.x; x++) {
            if (oct_random_below(&s->random, 100) < percent) {
                mark(s, x, y, x + 1, y + 1, as);
            }
        }
    }
}

// Walls from edge to edge with a few doors.
static void mark_rooms(search_scene *s)
{
    const oct_box *const b = &s->drawn;
    const int32_t step = oct_random_range(&s->random, 2, 20);
    for (int32_t x = b->min.x + step; x < b->max.x; x += step) {
        mark(s, x, b->min.y, x + 1, b->max.y, OCT_MARK_BLOCKED);
    }
    for (int32_t y = b->min.y + step; y < b->max.y; y += step) {
        mark(s, b->min.x, y, b->max.x, y + 1, OCT_MARK_BLOCKED);
    }
    mark_singles(s, 8, OCT_MARK_OPEN);
}

static void mark_corridors(search_scene *s)
{
    const oct_box *const b = &s->drawn;
    mark(s, b->min.x, b->min.y, b->max.x, b->max.y, OCT_MARK_BLOCKED);
    for (int i = 0; i < 25; i++) {
        const int32_t x = oct_random_range(&s->random, b->min.x, b->max.x - 1);
        const int32_t y = oct_random_range(&s->random, b->min.y, b->max.y - 1);
        const int32_t end_x = oct_random_range(&s->random, x + 1, b->max.x);
        const int32_t end_y = oct_random_range(&s->random, y + 1, b->max.y);
        const bool is_row = oct_random_below(&s->random, 2) == 0;
        mark(s, x, y, is_row ? end_x : x + 1, is_row ? y + 1 : end_y, OCT_MARK_OPEN);
    }
}

static void random_terms(search_scene *s)
{
    const oct_box *const b = &s->drawn;
    oct_random *const random = &s->random;
    const oct_unknown unknown =
        oct_random_below(random, 3) == 0 ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_BLOCKED;
    const int32_t x = oct_random_range(random, b->min.x - 3, b->max.x - 1);
    const int32_t y = oct_random_range(random, b->min.y - 3, b->max.y - 1);
    const int32_t right = oct_random_range(random, x + 1, b->max.x + 3);
    const int32_t top = oct_random_range(random, y + 1, b->max.y + 3);
    const oct_box bounds = {{x, y, 0}, {right, top, 1}};
    scene_set_terms(s, unknown, oct_random_below(random, 4) == 0 ? &bounds : NULL);
}

// Up to 100 cells wide and high, by chance of sizes around a word, from open ground to 60 %
// blocked.
static void world_init(search_scene *s, uint64_t seed)
{
    static const oct_vec bases[] = {{0, 0, 0}, {-50, -50, 0}, {-63, 1, 0}, {100001, -7777, 0}};
    static const int32_t sizes[] = {1, 2, 3, 62, 63, 64, 65, 66, 100};
    *s = (search_scene){.seed = seed, .random = oct_random_seed(seed), .dims = 2};
    new_tree(s);
    oct_random *const random = &s->random;
    const oct_vec base = bases[oct_random_below(random, 4)];
    const int32_t any = oct_random_range(random, 1, 100), other = oct_random_range(random, 1, 40);
    const int32_t width = oct_random_below(random, 2) ? sizes[oct_random_below(random, 9)] : any;
    const int32_t height = oct_random_below(random, 4) ? other : sizes[oct_random_below(random, 9)];
    s->drawn = (oct_box){base, {base.x + width, base.y + height, 1}};
    mark(s, s->drawn.min.x, s->drawn.min.y, s->drawn.max.x, s->drawn.max.y, OCT_MARK_OPEN);
    const uint64_t kind = oct_random_below(random, 6);
    if (kind == 0) {
        mark_rooms(s);
    } else if (kind == 1) {
        mark_corridors(s);
    } else {
        mark_singles(s, oct_random_below(random, 61), OCT_MARK_BLOCKED);
    }
    mark_singles(s, oct_random_below(random, 2) * 5, OCT_MARK_UNKNOWN);
    random_terms(s);
}

static oct_query jps_query(search_scene *s)
{
    const scene_end from = scene_random_end(s), to = scene_random_end(s);
    oct_query q = scene_query(s, &from, &to);
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&q, algorithm, OCT_LAB_JPS);
    return q;
}

static double goal_cost(const oct_planner *planner)
{
    return planner->search.nodes[planner->search.space->goal].g;
}

// ---- jumps ----

typedef struct plain_jumps {
    const exact_world *world;
    oct_vec goal;
    oct_vec cells[512];
    double costs[512];
    int count;
} plain_jumps;

static bool is_open(const plain_jumps *j, int32_t x, int32_t y)
{
    return exact_is_free(j->world, (oct_vec){x, y, 0});
}

static bool is_goal(const plain_jumps *j, int32_t x, int32_t y)
{
    return x == j->goal.x && y == j->goal.y;
}

static void found(plain_jumps *j, int32_t x, int32_t y, double cost)
{
    assert_in_range(j->count, 0, 511);
    j->cells[j->count] = (oct_vec){x, y, 0};
    j->costs[j->count++] = cost;
}

// Step by step along a row or column; a side is forced where the cell behind it was blocked.
static void go_straight(plain_jumps *j, int32_t x, int32_t y, int32_t dx, int32_t dy, double cost)
{
    for (;;) {
        x += dx;
        y += dy;
        cost += 1.0;
        if (!is_open(j, x, y)) {
            return;
        }
        const bool left = is_open(j, x + dy, y + dx) && !is_open(j, x + dy - dx, y + dx - dy);
        const bool right = is_open(j, x - dy, y - dx) && !is_open(j, x - dy - dx, y - dx - dy);
        if (left || right || is_goal(j, x, y)) {
            found(j, x, y, cost);
            return;
        }
    }
}

static void go_diagonally(plain_jumps *j, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    double cost = 0.0;
    while (is_open(j, x + dx, y) && is_open(j, x, y + dy) && is_open(j, x + dx, y + dy)) {
        x += dx;
        y += dy;
        cost += COST_SQRT2;
        if (is_goal(j, x, y)) {
            found(j, x, y, cost);
            return;
        }
        go_straight(j, x, y, dx, 0, cost);
        go_straight(j, x, y, 0, dy, cost);
    }
}

// All successors of a cell that was reached by moves (dx, dy): none, a row's or a column's.
static void go_on(plain_jumps *j, oct_vec at, int32_t dx, int32_t dy)
{
    j->count = 0;
    for (int32_t y = -1; y <= 1; y++) {
        for (int32_t x = -1; x <= 1; x++) {
            // To the side only where a cell on that side is free, and the one before it is not.
            const int32_t side_x = dx ? 0 : x, side_y = dy ? 0 : y;
            const bool is_back = x * dx + y * dy < 0;
            const bool is_aside = (dx || dy) && (side_x || side_y);
            const bool is_forced = is_open(j, at.x + side_x, at.y + side_y) &&
                                   !is_open(j, at.x + side_x - dx, at.y + side_y - dy);
            if (is_back || (is_aside && !is_forced)) {
                continue;
            }
            if (x && y) {
                go_diagonally(j, at.x, at.y, x, y);
            } else if (x || y) {
                go_straight(j, at.x, at.y, x, y, 0.0);
            }
        }
    }
}

// The edges are the plain jumps, in any order.
static void check_edges(const jump_space *s, const plain_jumps *j)
{
    assert_int_equal(s->base.edge_count, j->count);
    for (uint32_t i = 0; i < s->base.edge_count; i++) {
        const space_edge edge = space_edges(&s->base)[i];
        const oct_fine at = jump_at(&s->base, edge.to);
        int matches = 0;
        for (int k = 0; k < j->count; k++) {
            matches += j->cells[k].x == fine_cell(at.x) && j->cells[k].y == fine_cell(at.y) &&
                       j->costs[k] == edge.cost;
        }
        assert_true(matches > 0);
    }
}

static anchor middle_of(const search_scene *s, oct_vec cell)
{
    anchor out;
    const oct_fine at = {cell.x * (int64_t)OCT_FINE + OCT_FINE / 2,
                         cell.y * (int64_t)OCT_FINE + OCT_FINE / 2, FLAT_Z};
    view v;
    oct_view_init(&v, s->tree, &s->terms);
    assert_true(oct_view_anchor(&v, at, cell, &out));
    return out;
}

// From one cell in all directions, and from each jump point on.
static void check_jumps_from(const search_scene *scene, jump_space *s, oct_vec cell)
{
    plain_jumps j = {.world = &scene->world, .goal = s->base.to.cell};
    s->base.from = middle_of(scene, cell);
    assert_int_equal(oct_jump_kind.begin(&s->base), OCT_OK);
    if (s->base.start == s->base.goal) {
        assert_int_equal(oct_jump_edges(&s->base, s->base.start, 0), OCT_OK);
        assert_int_equal(s->base.edge_count, 0);
        return;
    }
    assert_int_equal(oct_jump_edges(&s->base, s->base.start, 0), OCT_OK);
    go_on(&j, cell, 0, 0);
    check_edges(s, &j);
    const uint32_t count = s->base.edge_count < 24 ? s->base.edge_count : 24;
    uint32_t next[24];
    for (uint32_t i = 0; i < count; i++) {
        next[i] = space_edges(&s->base)[i].to;
    }
    for (uint32_t i = 0; i < count; i++) {
        const oct_fine at = jump_at(&s->base, next[i]);
        const oct_vec there = {fine_cell(at.x), fine_cell(at.y), 0};
        const int32_t x = there.x - cell.x, y = there.y - cell.y;
        if (next[i] == s->goal_cell) {
            continue;
        }
        assert_int_not_equal(abs(x), abs(y));
        const bool is_row = abs(x) > abs(y);
        assert_int_equal(oct_jump_edges(&s->base, next[i], s->base.start), OCT_OK);
        go_on(&j, there, is_row ? (x > 0) - (x < 0) : 0, is_row ? 0 : (y > 0) - (y < 0));
        check_edges(s, &j);
    }
}

static void jumps_are_those_of_plain_steps(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_or_default(NULL);
    int begun = 0;
    for (uint64_t seed = 1; seed <= test_rounds(150); seed++) {
        search_scene scene;
        space *made;
        world_init(&scene, seed);
        bit_plane plane = {.tree = NULL};
        assert_int_equal(oct_space_create(&oct_jump_kind, &heap, &made), OCT_OK);
        jump_space *const s = (jump_space *)made;
        s->plane = &plane;
        oct_box bounds =
            scene.small.bounded ? box_common(scene.small.bounds, scene.drawn) : scene.drawn;
        if (!scene.terms.bounds) {
            scene.world.bounded = true; // as a planner bounds it
            scene.world.bounds = scene.bounds = scene.drawn;
            scene.terms.bounds = &scene.bounds;
            bounds = scene.drawn;
        }
        oct_view_init(&s->base.map, scene.tree, &scene.terms);
        s->base.least_price = 1.0;
        const int32_t step = 1 + (bounds.max.x - bounds.min.x) / 12;
        for (int32_t y = bounds.min.y; y < bounds.max.y; y += 1 + step / 3) {
            for (int32_t x = bounds.min.x; x < bounds.max.x; x += step) {
                const oct_vec cell = {x, y, 0};
                const oct_vec goal = {oct_random_range(&scene.random, bounds.min.x, x), y, 0};
                if (exact_is_free(&scene.world, cell) && exact_is_free(&scene.world, goal)) {
                    s->base.to = middle_of(&scene, goal);
                    check_jumps_from(&scene, s, cell);
                    begun++;
                }
            }
        }
        oct_space_destroy(&oct_jump_kind, made);
        oct_plane_free(&plane, &heap);
        search_scene_free(&scene);
    }
    assert_true(begun > (int)test_rounds(2400));
}

// ---- costs ----

static void check_pair(search_scene *s, oct_planner *planner, int *connected)
{
    oct_query q = jps_query(s);
    const oct_path path = scene_plan(s, planner, &q);
    const double cost = path.status == OCT_PATH_FOUND ? goal_cost(planner) : 0.0;
    const double length = path.length;
    const oct_path_status status = path.status;
    if (status == OCT_PATH_FOUND) {
        scene_check_path(s, &q, &path);
        *connected += 1;
    } else {
        scene_check_no_path(s, &q, &path);
    }
    LAB_SET(&q, algorithm, OCT_LAB_ASTAR);
    const oct_path astar = scene_plan(s, planner, &q);
    SCENE_CHECK(s, &q, astar.status == status, "A* says %s, JPS %s",
                oct_path_status_name(astar.status), oct_path_status_name(status));
    if (status == OCT_PATH_FOUND) {
        SCENE_CHECK(s, &q, goal_cost(planner) == cost, "cost %.17g is not that of A*, %.17g", cost,
                    goal_cost(planner));
        SCENE_CHECK(s, &q, length - astar.length < 1e-6 && astar.length - length < 1e-6,
                    "length %.17g is not that of A*, %.17g", length, astar.length);
    }
}

static void costs_are_those_of_astar_to_the_bit(void **state)
{
    (void)state;
    int connected = 0;
    const uint64_t worlds = test_rounds(600);
    for (uint64_t seed = 1; seed <= worlds; seed++) {
        search_scene s;
        world_init(&s, 5000 + seed);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < 8; i++) {
            check_pair(&s, planner, &connected);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
    assert_in_range(connected, worlds * 3, worlds * 8 - 200);
}

static void consistent_estimates_give_the_same_costs(void **state)
{
    (void)state;
    static const oct_lab_heuristic heuristics[] = {OCT_LAB_HEURISTIC_OCTILE,
                                                   OCT_LAB_HEURISTIC_EUCLIDEAN};
    static const uint32_t neighbours[] = {8, 18, 26};
    for (uint64_t seed = 1; seed <= test_rounds(120); seed++) {
        search_scene s;
        world_init(&s, 9000 + seed);
        oct_planner *const planner = scene_planner(&s, NULL);
        oct_query q = jps_query(&s);
        const oct_path_status status = scene_plan(&s, planner, &q).status;
        const double cost = status == OCT_PATH_FOUND ? goal_cost(planner) : 0.0;
        for (int i = 0; i < 6; i++) {
            LAB_SET(&q, heuristic, heuristics[i % 2]);
            LAB_SET(&q, neighbours, neighbours[i / 2]);
            const oct_path path = scene_plan(&s, planner, &q);
            assert_int_equal(path.status, status);
            SCENE_CHECK(&s, &q, status != OCT_PATH_FOUND || goal_cost(planner) == cost,
                        "another cost");
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// ---- pictures ----

static oct_path plan_picture(search_scene *s, oct_planner *planner, oct_point from, oct_point to)
{
    const scene_end a = scene_end_of(s, from), b = scene_end_of(s, to);
    oct_query q = scene_query(s, &a, &b);
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    LAB_SET(&q, algorithm, OCT_LAB_JPS);
    const oct_path path = scene_plan(s, planner, &q);
    scene_check_path(s, &q, &path);
    return path;
}

static void on_open_ground_the_goal_is_the_second_expansion(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "....................", "....................", "....................",
               "....................", "....................");
    oct_planner *const planner = scene_planner(&s, NULL);
    const oct_path path =
        plan_picture(&s, planner, (oct_point){0.5, 0.5, 0}, (oct_point){15.5, 4.5, 0});
    assert_int_equal(path.expanded, 2);
    assert_int_equal(path.generated, 2);
    assert_int_equal(path.lattice_count, 3); // diagonally, then straight
    assert_int_equal(path.lattice[1].x, 4 * OCT_FINE + OCT_FINE / 2);
    assert_true(goal_cost(planner) == 4 * COST_SQRT2 + 11);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

static void a_corner_is_not_cut(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "....", ".##.", "....");
    oct_planner *const planner = scene_planner(&s, NULL);
    const oct_path path =
        plan_picture(&s, planner, (oct_point){0.5, 0.5, 0}, (oct_point){3.5, 2.5, 0});
    assert_true(goal_cost(planner) == 5.0);
    assert_int_equal(path.lattice_count, 3);
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

static void start_and_goal_may_share_a_cell(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "...", "...", "...");
    oct_planner *const planner = scene_planner(&s, NULL);
    static const oct_point ends[] = {{1.5, 1.5, 0}, {1.25, 1.75, 0}, {1.75, 1.5, 0}};
    for (int i = 0; i < 9; i++) {
        const oct_path path = plan_picture(&s, planner, ends[i % 3], ends[i / 3]);
        assert_int_equal(path.lattice_count, i % 3 == i / 3 ? 1 : 2);
        assert_true(path.length == path.straight);
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// ---- what a planner promises ----

static void slices_and_budgets_are_those_of_the_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(120); seed++) {
        search_scene s;
        world_init(&s, 12000 + seed);
        oct_planner *const planner = scene_planner(&s, NULL), *const other =
                                                                  scene_planner(&s, NULL);
        oct_query q = jps_query(&s);
        q.record = seed % 2 == 0;
        q.partial = seed % 3 == 0;
        const oct_path whole = scene_plan(&s, planner, &q);
        oct_path path = {.status = OCT_PATH_RUNNING};
        assert_int_equal(oct_planner_begin(other, &q), OCT_OK);
        while (path.status == OCT_PATH_RUNNING) {
            assert_int_equal(oct_planner_step(other, 1 + seed % 3, &path), OCT_OK);
        }
        assert_true(scene_paths_equal(&whole, &path));
        if (whole.expanded > 1) {
            q.node_budget = whole.expanded - 1;
            path = scene_plan(&s, other, &q);
            assert_int_equal(path.status, OCT_PATH_BUDGET);
            assert_int_equal(path.expanded, q.node_budget);
            if (q.partial) {
                scene_check_path(&s, &q, &path);
            }
        }
        oct_planner_destroy(planner);
        oct_planner_destroy(other);
        search_scene_free(&s);
    }
}

// A record's leg goes diagonally first, then straight; costs add up to the bit.
static void check_records(const search_scene *s, const oct_query *q, const oct_path *path)
{
    SCENE_CHECK(s, q, path->record_count == path->expanded, "records are missing");
    for (uint32_t i = 0; i < path->record_count; i++) {
        const oct_record *const at = &path->records[i];
        const oct_record *const from = &path->records[at->parent];
        SCENE_CHECK(s, q, at->parent < i || i == 0, "record %u before its parent", i);
        const bool is_middle = (at->at.x & 255) == 128 && (at->at.y & 255) == 128 &&
                               (from->at.x & 255) == 128 && (from->at.y & 255) == 128;
        if (i == 0 || !is_middle) {
            continue;
        }
        const int64_t x = at->at.x - from->at.x, y = at->at.y - from->at.y;
        const int64_t far_x = x < 0 ? -x : x, far_y = y < 0 ? -y : y;
        const int64_t both = far_x < far_y ? far_x : far_y;
        const oct_fine a = {from->at.x, from->at.y, FLAT_Z}, b = {at->at.x, at->at.y, FLAT_Z};
        const oct_fine bend = {a.x + (x < 0 ? -both : both), a.y + (y < 0 ? -both : both), FLAT_Z};
        const double cost = from->g + COST_SQRT2 * (double)(both / OCT_FINE) +
                            (double)((far_x + far_y - 2 * both) / OCT_FINE);
        SCENE_CHECK(s, q, at->g == cost, "cost of record %u does not add up", i);
        SCENE_CHECK(s, q, exact_sees(&s->world, a, bend) && exact_sees(&s->world, bend, b),
                    "the leg of record %u is not free", i);
    }
}

static void records_and_partial_paths_are_true(void **state)
{
    (void)state;
    int partial = 0;
    for (uint64_t seed = 1; seed <= test_rounds(300); seed++) {
        search_scene s;
        world_init(&s, 15000 + seed);
        oct_planner *const planner = scene_planner(&s, NULL);
        oct_query q = jps_query(&s);
        q.record = q.partial = true;
        const oct_path path = scene_plan(&s, planner, &q);
        check_records(&s, &q, &path);
        if (path.point_count > 0) {
            scene_check_path(&s, &q, &path);
        }
        partial += path.status == OCT_PATH_PARTIAL;
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
    assert_true(partial > 10);
}

static void a_used_planner_is_as_good_as_a_new_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        search_scene s;
        world_init(&s, 18000 + seed);
        oct_planner *const used = scene_planner(&s, NULL);
        for (int i = 0; i < 10; i++) {
            if (i % 3 == 2) { // edits, and other terms
                const int32_t x = oct_random_range(&s.random, s.drawn.min.x, s.drawn.max.x - 1);
                const int32_t y = oct_random_range(&s.random, s.drawn.min.y, s.drawn.max.y - 1);
                mark(&s, x, y, x + 3, y + 2, i % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
                random_terms(&s);
            }
            oct_planner *const fresh = scene_planner(&s, NULL);
            const oct_query q = jps_query(&s);
            const oct_path a = scene_plan(&s, used, &q), b = scene_plan(&s, fresh, &q);
            SCENE_CHECK(&s, &q, scene_paths_equal(&a, &b), "another path");
            oct_planner_destroy(fresh);
        }
        oct_planner_destroy(used);
        search_scene_free(&s);
    }
}

static void a_warm_planner_allocates_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        search_scene s;
        test_allocator memory;
        oct_query queries[6];
        world_init(&s, 21000 + seed);
        test_allocator_init(&memory, TEST_NEVER);
        oct_planner *const planner = scene_planner(&s, &memory.allocator);
        size_t allocations = 0;
        for (int i = 0; i < 12; i++) {
            if (i < 6) {
                queries[i] = jps_query(&s);
            } else if (i == 6) {
                allocations = memory.allocations;
            }
            scene_plan(&s, planner, &queries[i % 6]);
        }
        assert_int_equal(memory.allocations, allocations);
        assert_true(oct_planner_bytes(planner) == memory.live_bytes);
        oct_planner_destroy(planner);
        test_allocator_check_empty(&memory);
        search_scene_free(&s);
    }
}

// Every allocation refused once, by a planner that goes on to be used.
static void out_of_memory_leaves_a_planner_usable(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        search_scene s;
        world_init(&s, 24000 + seed);
        const oct_query q = jps_query(&s);
        oct_planner *const good = scene_planner(&s, NULL);
        const oct_path expected = scene_plan(&s, good, &q);
        bool is_over = false;
        for (size_t fail_at = 1; !is_over; fail_at++) {
            test_allocator memory;
            oct_path path;
            test_allocator_init(&memory, fail_at);
            oct_planner *const planner = scene_planner(&s, &memory.allocator);
            const oct_result result = oct_planner_plan(planner, &q, &path);
            assert_int_equal(result, memory.refused ? OCT_ERROR_MEMORY : OCT_OK);
            is_over = !memory.refused;
            path = scene_plan(&s, planner, &q);
            assert_true(scene_paths_equal(&path, &expected));
            oct_planner_destroy(planner);
            test_allocator_check_empty(&memory);
        }
        oct_planner_destroy(good);
        search_scene_free(&s);
    }
}

typedef struct many {
    const search_scene *s;
    oct_planner *single;
    oct_query q;
    const oct_point *goals;
    int done;
} many;

static void compare_goal(void *ctx, size_t index, uint32_t worker, const oct_path *path)
{
    many *const m = ctx;
    (void)worker;
    m->q.to = m->goals[index];
    const oct_path alone = scene_plan(m->s, m->single, &m->q);
    assert_true(scene_paths_equal(path, &alone));
    m->done++;
}

static void many_goals_are_as_single_ones(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        search_scene s;
        oct_point goals[5];
        world_init(&s, 27000 + seed);
        oct_planner *const planner = scene_planner(&s, NULL);
        many m = {&s, scene_planner(&s, NULL), jps_query(&s), goals, 0};
        for (int i = 0; i < 5; i++) {
            goals[i] = scene_random_end(&s).at;
        }
        const oct_query q = m.q;
        assert_int_equal(oct_lab_plan_to_many(planner, &q, goals, 5, compare_goal, &m), OCT_OK);
        assert_int_equal(m.done, 5);
        oct_planner_destroy(planner);
        oct_planner_destroy(m.single);
        search_scene_free(&s);
    }
}

static void paths_have_the_bits_they_always_had(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        search_scene s;
        world_init(&s, 30000 + seed);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < 5; i++) {
            oct_query q = jps_query(&s);
            q.record = true;
            const oct_path path = scene_plan(&s, planner, &q);
            hash =
                hash * 31 + test_hash_add(TEST_HASH_START, path.lattice, 3 * path.lattice_count, 8);
            hash = hash * 31 + path.generated;
            for (uint32_t k = 0; k < path.record_count; k++) {
                hash = hash * 31 + test_hash_add(TEST_HASH_START, &path.records[k].at, 3, 8);
            }
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
    if (hash != UINT64_C(0x34eed08f7978dc5d)) {
        fail_msg("0x%016" PRIx64, hash);
    }
}

static void what_jumps_cannot_serve_is_refused(void **state)
{
    (void)state;
    search_scene s;
    oct_path path;
    for (int dims = 2; dims <= 3; dims++) {
        SCENE_DRAW(&s, dims, dims == 3 ? 3 : 1, "...", ".#.", "...");
        oct_planner *const planner = scene_planner(&s, NULL);
        const oct_point at = {0.5, 0.5, 0.5};
        const scene_end end = scene_end_of(&s, at);
        oct_query q = scene_query(&s, &end, &end);
        LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
        LAB_SET(&q, algorithm, OCT_LAB_JPS);
        assert_int_equal(oct_planner_plan(planner, &q, &path),
                         dims == 2 ? OCT_OK : OCT_ERROR_ARGUMENT);
        if (dims == 2) {
            const oct_query good = q;
            const oct_priced_box dear = {{{0, 0, 0}, {1, 1, 1}}, 2.0};
            LAB_SET(&q, neighbours, 4);
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
            LAB_SET(&q, neighbours, 6);
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
            q = good;
            LAB_SET(&q, heuristic, OCT_LAB_HEURISTIC_MANHATTAN);
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
            q = good;
            q.terms.priced = &dear;
            q.terms.priced_count = 1;
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
            q = good;
            q.terms.unknown = OCT_UNKNOWN_PRICED;
            q.terms.unknown_price = 2.0;
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_ARGUMENT);
            // More cells than a plane may have.
            const oct_box wide = {{-2, -2, 0}, {PLANE_EDGE_MAX, 3, 1}};
            q = good;
            q.terms.unknown = OCT_UNKNOWN_OPEN;
            q.terms.bounds = &wide;
            assert_int_equal(oct_planner_plan(planner, &q, &path), OCT_ERROR_RANGE);
            assert_int_equal(oct_planner_plan(planner, &good, &path), OCT_OK);
            assert_int_equal(path.status, OCT_PATH_FOUND);
        }
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
    assert_true(oct_lab_serves(OCT_LAB_JPS, OCT_LAB_GRAPH_CELLS));
    assert_false(oct_lab_serves(OCT_LAB_JPS, OCT_LAB_GRAPH_DUAL));
    assert_string_equal(oct_lab_algorithm_name(OCT_LAB_JPS), "jps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_are_those_of_plain_steps),
        cmocka_unit_test(costs_are_those_of_astar_to_the_bit),
        cmocka_unit_test(consistent_estimates_give_the_same_costs),
        cmocka_unit_test(on_open_ground_the_goal_is_the_second_expansion),
        cmocka_unit_test(a_corner_is_not_cut),
        cmocka_unit_test(start_and_goal_may_share_a_cell),
        cmocka_unit_test(slices_and_budgets_are_those_of_the_core),
        cmocka_unit_test(records_and_partial_paths_are_true),
        cmocka_unit_test(a_used_planner_is_as_good_as_a_new_one),
        cmocka_unit_test(a_warm_planner_allocates_nothing),
        cmocka_unit_test(out_of_memory_leaves_a_planner_usable),
        cmocka_unit_test(many_goals_are_as_single_ones),
        cmocka_unit_test(paths_have_the_bits_they_always_had),
        cmocka_unit_test(what_jumps_cannot_serve_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
