// SPDX-License-Identifier: MIT
// Searches and floods from cell to cell are those of the plain algorithms, to the bit.
#include "explore/cell_search.h"
#include "explore/frontier_internal.h"
#include "octant/search.h"
#include "search/graph_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

#define GOAL UINT64_MAX

// A map of random boxes, its frontier, and what counts as the world.
typedef struct place {
    oct_random random;
    oct_map *map;
    oct_frontier *frontier;
    int dims;
    int32_t edge;
    oct_box box; // not at the origin
    oct_vec from;
    oct_labels free;
    bool is_aimed; // at a cell, not at the frontier
} place;

static int32_t draw(place *p, int32_t below)
{
    return (int32_t)oct_random_below(&p->random, (uint64_t)below);
}

static oct_box draw_box(place *p, int32_t most)
{
    const oct_vec min = {p->box.min.x + draw(p, p->edge), p->box.min.y + draw(p, p->edge),
                         p->dims == 3 ? p->box.min.z + draw(p, p->edge) : 0};
    return (oct_box){min,
                     {min.x + 1 + draw(p, most), min.y + 1 + draw(p, most),
                      p->dims == 3 ? min.z + 1 + draw(p, most) : 1}};
}

static void draw_start(place *p)
{
    do {
        p->from = draw_box(p, 1).min;
    } while (oct_map_label(p->map, p->from) != OCT_OPEN);
}

// Mostly OPEN, with walls from side to side that have a hole, or none, and UNKNOWN here and there;
// in every other world BLOCKED all around.
static void place_open(place *p, uint64_t seed, int dims, oct_structure structure, int32_t edge)
{
    *p = (place){.random = oct_random_seed(seed), .dims = dims, .edge = edge, .free = OCT_HAS_OPEN};
    p->box = (oct_box){{-7, 3, dims == 3 ? -edge / 2 : 0},
                       {-7 + edge, 3 + edge, dims == 3 ? -edge / 2 + edge : 1}};
    oct_map_def def = oct_map_def_default();
    def.structure = structure;
    def.dims = (uint32_t)dims;
    assert_int_equal(oct_map_create(&def, &p->map), OCT_OK);
    const oct_box around = {{p->box.min.x - 1, p->box.min.y - 1, dims == 3 ? p->box.min.z - 1 : 0},
                            {p->box.max.x + 1, p->box.max.y + 1, dims == 3 ? p->box.max.z + 1 : 1}};
    if (draw(p, 2) == 0) {
        assert_int_equal(oct_map_set_box(p->map, around, OCT_MARK_BLOCKED), OCT_OK);
    }
    assert_int_equal(oct_map_set_box(p->map, p->box, OCT_MARK_OPEN), OCT_OK);
    for (int32_t i = draw(p, 4); i > 0; i--) {
        oct_box wall = p->box;
        wall.min.x += draw(p, edge);
        wall.max.x = wall.min.x + 1;
        assert_int_equal(oct_map_set_box(p->map, wall, OCT_MARK_BLOCKED), OCT_OK);
        if (draw(p, 3) > 0) {
            oct_box hole = draw_box(p, 3);
            hole.min.x = wall.min.x;
            hole.max.x = wall.max.x;
            assert_int_equal(oct_map_set_box(p->map, hole, OCT_MARK_OPEN), OCT_OK);
        }
    }
    for (int32_t i = draw(p, 12); i > 0; i--) {
        assert_int_equal(oct_map_set_box(p->map, draw_box(p, edge / 4), OCT_MARK_BLOCKED), OCT_OK);
    }
    for (int32_t i = draw(p, 4); i > 0; i--) {
        assert_int_equal(oct_map_set_box(p->map, draw_box(p, 3), OCT_MARK_UNKNOWN), OCT_OK);
    }
    draw_start(p);
    oct_frontier_def frontier = oct_frontier_def_default();
    frontier.map = p->map;
    frontier.bounds = &p->box;
    assert_int_equal(oct_frontier_create(&frontier, &p->frontier), OCT_OK);
}

static void place_close(place *p)
{
    oct_frontier_destroy(p->frontier);
    oct_map_destroy(p->map);
}

static bool is_free(const place *p, oct_vec c)
{
    const oct_box *const b = &p->box;
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z && (p->free >> oct_map_label(p->map, c) & 1u);
}

static size_t place_cells(const place *p)
{
    return (size_t)p->edge * (size_t)p->edge * (p->dims == 3 ? (size_t)p->edge : 1u);
}

// Cells by number, x fastest.
static uint64_t name_of(const place *p, oct_vec c)
{
    const uint64_t edge = (uint64_t)p->edge;
    return ((uint64_t)(c.z - p->box.min.z) * edge + (uint64_t)(c.y - p->box.min.y)) * edge +
           (uint64_t)(c.x - p->box.min.x);
}

static oct_vec cell_of(const place *p, uint64_t name)
{
    const uint64_t edge = (uint64_t)p->edge;
    return (oct_vec){p->box.min.x + (int32_t)(name % edge),
                     p->box.min.y + (int32_t)(name / edge % edge),
                     p->box.min.z + (int32_t)(name / edge / edge)};
}

// ---- the plain search ----

static size_t plain_edges(void *ctx, uint64_t name, oct_user_edge *out, size_t capacity)
{
    const place *const p = ctx;
    size_t count = 0;
    if (name == GOAL) {
        return 0;
    }
    const oct_vec c = cell_of(p, name);
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
        bool is_open = i != 13;
        for (int k = 1; k < 8; k++) {
            is_open =
                is_open && is_free(p, (oct_vec){c.x + (k & 1 ? dx : 0), c.y + (k & 2 ? dy : 0),
                                                c.z + (k & 4 ? dz : 0)});
        }
        if (is_open && count < capacity) {
            out[count] = (oct_user_edge){name_of(p, (oct_vec){c.x + dx, c.y + dy, c.z + dz}),
                                         sqrt((dx != 0) + (dy != 0) + (dz != 0))};
        }
        count += is_open;
    }
    oct_vec found;
    const oct_box own = {c, {c.x + 1, c.y + 1, c.z + 1}};
    if (!p->is_aimed &&
        oct_frontier_nearest(p->frontier, cell_middle(c), &own, 1.0, 0.0, &found, NULL)) {
        if (count < capacity) {
            out[count] = (oct_user_edge){GOAL, 0x1p-30};
        }
        count++;
    }
    return count;
}

static double plain_estimate(void *ctx, uint64_t a, uint64_t b)
{
    (void)ctx;
    (void)a;
    (void)b;
    return 0.0;
}

static double aimed_estimate(void *ctx, uint64_t a, uint64_t b)
{
    return oct_fine_distance(cell_middle(cell_of(ctx, a)), cell_middle(cell_of(ctx, b)));
}

static void check_way(const place *p, const cell_search *s, const oct_path *plain, uint32_t count)
{
    const oct_vec *const way = s->way.items;
    assert_int_equal(s->way.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(name_of(p, way[i]), plain->nodes[i]);
    }
}

static void check_search(const place *p, cell_search *s, uint64_t patience, oct_planner *planner)
{
    place copy = *p;
    const oct_user_graph graph = {.ctx = &copy, .edges = plain_edges, .estimate = plain_estimate};
    oct_query query = oct_query_default();
    query.user = &graph;
    query.user_algorithm = OCT_USER_DIJKSTRA;
    query.user_from = name_of(p, p->from);
    query.user_to = GOAL;
    oct_path plain;
    assert_int_equal(oct_plan(planner, &query, &plain), OCT_OK);
    s->map = p->map;
    s->frontier = p->frontier;
    s->box = p->box;
    s->free = OCT_HAS_OPEN;
    s->patience = patience;
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    assert_int_equal(oct_cell_search_run(s, &allocator, p->from), OCT_OK);
    assert_int_equal(s->found, plain.status == OCT_STATUS_FOUND);
    if (!s->found) {
        return;
    }
    check_way(p, s, &plain, plain.node_count - 1u);
    assert_true(s->cost + 0x1p-30 == plain.cost);
}

static const oct_structure structures[2] = {OCT_STRUCTURE_GRID, OCT_STRUCTURE_SET};

// The way to the frontier is that of Dijkstra's algorithm, cell by cell, ties and all.
static void ways_are_those_of_the_plain_search(void **state)
{
    (void)state;
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    oct_planner *planner;
    const oct_planner_def def = oct_planner_def_default();
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    int found = 0;
    const uint64_t rounds = test_rounds(100);
    for (uint64_t seed = 0; seed < rounds; seed++) {
        place p;
        cell_search search = {0};
        const int dims = seed % 4 ? 3 : 2;
        place_open(&p, seed, dims, structures[seed / 4 % 2],
                   dims == 2       ? 90
                   : seed % 4 == 1 ? 26
                                   : 14);
        check_search(&p, &search, UINT64_MAX, planner);
        check_search(&p, &search, seed % 100, planner);
        found += search.found;
        // Places that were left out, as an explorer leaves them out.
        for (int i = 0; i < 4 && search.found; i++) {
            const oct_vec *const way = search.way.items;
            assert_int_equal(oct_frontier_skip(p.frontier, way[search.way.count - 1]), OCT_OK);
            check_search(&p, &search, 4, planner);
        }
        oct_cell_search_free(&search, &allocator);
        place_close(&p);
    }
    print_message("%d of %d have a way\n", found, (int)rounds);
    assert_true(found > 0 && found < (int)rounds);
    oct_planner_destroy(planner);
}

// Ways to a cell are those of A*, whether UNKNOWN is free or not.
static void aimed_ways_are_those_of_the_plain_search(void **state)
{
    (void)state;
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    oct_planner *planner;
    const oct_planner_def def = oct_planner_def_default();
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    int found = 0;
    const uint64_t rounds = test_rounds(120);
    for (uint64_t seed = 0; seed < rounds; seed++) {
        place p;
        cell_search s = {0};
        const int dims = seed % 4 ? 3 : 2;
        place_open(&p, seed, dims, structures[seed / 4 % 2], dims == 2 ? 60 : 18);
        p.is_aimed = true;
        p.free |= seed % 3 ? OCT_HAS_UNKNOWN : 0u;
        oct_vec to;
        do {
            to = draw_box(&p, 1).min;
        } while (!is_free(&p, to));
        const oct_user_graph graph = {.ctx = &p, .edges = plain_edges, .estimate = aimed_estimate};
        oct_query query = oct_query_default();
        query.user_algorithm = OCT_USER_ASTAR;
        query.user = &graph;
        query.user_from = name_of(&p, p.from);
        query.user_to = name_of(&p, to);
        oct_path plain;
        assert_int_equal(oct_plan(planner, &query, &plain), OCT_OK);
        s.map = p.map;
        s.box = p.box;
        s.free = p.free;
        s.patience = seed % 100;
        assert_int_equal(oct_cell_search_to(&s, &allocator, p.from, to), OCT_OK);
        assert_int_equal(s.found, plain.status == OCT_STATUS_FOUND);
        if (s.found) {
            check_way(&p, &s, &plain, plain.node_count);
            assert_true(s.cost == plain.cost);
            assert_int_equal(s.expanded, plain.expanded);
        }
        found += s.found;
        oct_cell_search_free(&s, &allocator);
        place_close(&p);
    }
    print_message("%d of %d have a way\n", found, (int)rounds);
    assert_true(found > 0 && found < (int)rounds);
    oct_planner_destroy(planner);
}

// ---- distances ----

static double plain_moves(oct_vec a, oct_vec b)
{
    int32_t d[3] = {abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)};
    double cost = 0.0;
    for (int axes = 3; axes > 0; axes--) {
        // Diagonals first, for as long as all of so many axes have something left.
        for (;;) {
            int left = 0;
            for (int i = 0; i < 3; i++) {
                left += d[i] > 0;
            }
            if (left < axes) {
                break;
            }
            for (int i = 0; i < 3; i++) {
                d[i] -= d[i] > 0;
            }
            cost += sqrt(axes);
        }
    }
    return cost;
}

// What moves to the frontier cost is the least of all its cells.
static void moves_are_the_fewest(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(60); seed++) {
        place p;
        place_open(&p, seed, seed % 3 ? 3 : 2, structures[seed / 3 % 2], 14);
        for (int i = 0; i < 6; i++) {
            oct_vec at = draw_box(&p, 1).min;
            at.x += i == 5 ? 400 : 0; // beyond what the frontier spans
            oct_vec near = {0, 0, 0};
            double best = HUGE_VAL, moves = HUGE_VAL;
            for (size_t k = 0; k < place_cells(&p); k++) {
                const oct_vec c = cell_of(&p, k);
                best = oct_frontier_has(p.frontier, c) ? fmin(best, plain_moves(at, c)) : best;
            }
            assert_int_equal(oct_front_moves(p.frontier, at, &near, &moves), best < HUGE_VAL);
            if (best < HUGE_VAL) {
                assert_true(fabs(moves - best) < 1e-9);
                assert_true(oct_frontier_has(p.frontier, near));
                assert_true(fabs(plain_moves(at, near) - best) < 1e-9);
                moves = best - 1e-6;
                assert_false(oct_front_moves(p.frontier, at, &near, &moves));
                assert_true((best == 0.0) == oct_frontier_has(p.frontier, at));
            }
        }
        place_close(&p);
    }
}

// ---- floods ----

static const oct_vec sides[6] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                 {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

static uint8_t *plain_flood(const place *p)
{
    uint8_t *const reached = calloc(place_cells(p), 1);
    uint64_t *const waiting = malloc(place_cells(p) * sizeof *waiting);
    assert_non_null(reached);
    assert_non_null(waiting);
    size_t count = 1;
    waiting[0] = name_of(p, p->from);
    reached[waiting[0]] = 1;
    while (count > 0) {
        const oct_vec c = cell_of(p, waiting[--count]);
        for (int i = 0; i < 6; i++) {
            const oct_vec to = {c.x + sides[i].x, c.y + sides[i].y, c.z + sides[i].z};
            if (is_free(p, to) && !reached[name_of(p, to)]) {
                reached[name_of(p, to)] = 1;
                waiting[count++] = name_of(p, to);
            }
        }
    }
    free(waiting);
    return reached;
}

static bool plain_is_bounded(const place *p, const uint8_t *reached)
{
    const oct_box *const b = &p->box;
    bool is_bounded = false;
    for (size_t k = 0; k < place_cells(p); k++) {
        const oct_vec c = cell_of(p, k);
        for (int i = 0; i < 2 * p->dims; i++) {
            const oct_vec to = {c.x + sides[i].x, c.y + sides[i].y, c.z + sides[i].z};
            const bool is_beyond = to.x < b->min.x || to.x >= b->max.x || to.y < b->min.y ||
                                   to.y >= b->max.y || to.z < b->min.z || to.z >= b->max.z;
            is_bounded =
                is_bounded || (reached[k] && is_beyond && oct_map_label(p->map, to) != OCT_BLOCKED);
        }
    }
    return is_bounded;
}

// Returns whether it goes on beyond the box.
static bool check_flood(const place *p, cell_flood *tide, const oct_allocator *allocator)
{
    tide->map = p->map;
    tide->box = p->box;
    tide->free = p->free;
    assert_int_equal(oct_cell_flood_run(tide, allocator, p->from), OCT_OK);
    uint8_t *const reached = plain_flood(p);
    for (size_t k = 0; k < place_cells(p); k++) {
        const oct_vec c = cell_of(p, k);
        const oct_box own = {c, {c.x + 1, c.y + 1, c.z + 1}};
        assert_int_equal(oct_cell_flood_reached(tide, &own), reached[k]);
    }
    const bool is_bounded = oct_cell_flood_is_bounded(tide);
    assert_int_equal(is_bounded, plain_is_bounded(p, reached));
    free(reached);
    return is_bounded;
}

// A flood reaches what is connected over faces, and tells whether that goes on beyond the box.
static void floods_are_those_of_the_plain_one(void **state)
{
    (void)state;
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    int bounded = 0;
    const uint64_t rounds = test_rounds(60);
    for (uint64_t seed = 0; seed < rounds; seed++) {
        place p;
        cell_flood tide = {0};
        place_open(&p, seed, seed % 3 ? 3 : 2, structures[seed / 3 % 2], 19);
        p.free |= seed % 2 ? OCT_HAS_UNKNOWN : 0u;
        for (int i = 0; i < 4; i++) {
            bounded += check_flood(&p, &tide, &allocator);
            // The next one begins with what it knows of the last.
            const oct_mark mark = (oct_mark)draw(&p, 3);
            assert_int_equal(oct_map_set_box(p.map, draw_box(&p, 6), mark), OCT_OK);
            draw_start(&p);
        }
        oct_cell_flood_free(&tide, &allocator);
        place_close(&p);
    }
    print_message("%d of %d go on beyond the bounds\n", bounded, 4 * (int)rounds);
    assert_true(bounded > 0 && bounded < 4 * (int)rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_are_those_of_the_plain_search),
        cmocka_unit_test(aimed_ways_are_those_of_the_plain_search),
        cmocka_unit_test(moves_are_the_fewest),
        cmocka_unit_test(floods_are_those_of_the_plain_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
