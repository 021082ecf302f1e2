// SPDX-License-Identifier: MIT
// Block A*, against its own graph written out: all boundary points of all blocks, with exact
// distances inside each.
#include "block_support.h"
#include "geom/geom_internal.h"
#include "octant/components.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <math.h>
#include <stdlib.h>

// ---- the graph, written out ----

#define NODES_MAX 4096
#define BLOCK_PLACES 25

// A block: its boundary points and turns, and how far it is between them inside it.
typedef struct plain_block {
    exact_world world; // what is beyond the block is in the way
    int count, boundary;
    oct_fine at[BLOCK_PLACES];
    exact_cells in[BLOCK_PLACES];
    double far[BLOCK_PLACES][BLOCK_PLACES];
    int nodes[BLOCK_PLACES]; // of boundary points
} plain_block;

typedef struct plain_graph {
    exact_world world;
    int32_t edge;
    int block_count, node_count;
    plain_block *blocks;
    oct_fine at[NODES_MAX];
    exact_cells in[NODES_MAX];
} plain_graph;

static oct_fine lattice_point(int32_t x, int32_t y)
{
    return (oct_fine){(int64_t)x * OCT_FINE, (int64_t)y * OCT_FINE, OCT_FINE / 2};
}

// The node of a place: places of several blocks are one where a path may turn from one's cells to
// the other's.
static int node_of(plain_graph *g, oct_fine at, const exact_cells *in)
{
    const exact_cells all = exact_joined(&g->world, at, in);
    for (int i = 0; i < g->node_count; i++) {
        if (g->at[i].x == at.x && g->at[i].y == at.y && exact_cells_meet(&g->in[i], &all)) {
            return i;
        }
    }
    assert_true(g->node_count < NODES_MAX);
    g->at[g->node_count] = at;
    g->in[g->node_count] = all;
    return g->node_count++;
}

static double sight(const exact_world *world, oct_fine a, const exact_cells *from, oct_fine b,
                    const exact_cells *to)
{
    return exact_sees_between(world, a, from, b, to) ? oracle_distance(world, a, b) : HUGE_VAL;
}

static void add_places(plain_graph *g, plain_block *b, oct_box box, bool is_boundary)
{
    for (int32_t y = box.min.y; y <= box.max.y; y++) {
        for (int32_t x = box.min.x; x <= box.max.x; x++) {
            const bool on_edge =
                x == box.min.x || x == box.max.x || y == box.min.y || y == box.max.y;
            const oct_fine at = lattice_point(x, y);
            const exact_cells in = exact_around(&b->world, at);
            if (on_edge == is_boundary && in.count > 0 && (is_boundary || in.count == 3)) {
                b->at[b->count] = at;
                b->in[b->count] = in;
                b->nodes[b->count++] = is_boundary ? node_of(g, at, &in) : -1;
            }
        }
    }
}

static void measure_block(plain_block *b)
{
    for (int i = 0; i < b->count; i++) {
        for (int k = 0; k <= i; k++) {
            b->far[i][k] = b->far[k][i] =
                i == k ? 0.0 : sight(&b->world, b->at[i], &b->in[i], b->at[k], &b->in[k]);
        }
    }
    for (int over = 0; over < b->count; over++) {
        for (int i = 0; i < b->count; i++) {
            for (int k = 0; k < b->count; k++) {
                const double sum = b->far[i][over] + b->far[over][k];
                b->far[i][k] = sum < b->far[i][k] ? sum : b->far[i][k];
            }
        }
    }
}

// Blocks count from the smallest cell of `frame`.
static plain_graph *plain_graph_of(const exact_world *world, oct_box frame, int32_t edge)
{
    plain_graph *const g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->world = *world;
    g->edge = edge;
    const int32_t columns = (frame.max.x - frame.min.x + edge - 1) / edge;
    const int32_t rows = (frame.max.y - frame.min.y + edge - 1) / edge;
    g->blocks = calloc((size_t)(columns * rows) + 1u, sizeof *g->blocks);
    assert_non_null(g->blocks);
    for (int32_t i = 0; i < columns * rows; i++) {
        plain_block *const b = &g->blocks[g->block_count++];
        const int32_t x = frame.min.x + i % columns * edge, y = frame.min.y + i / columns * edge;
        const oct_box box = {{x, y, 0}, {x + edge, y + edge, 1}};
        b->world = *world;
        b->world.bounded = true;
        b->world.bounds = box_common(box, frame);
        add_places(g, b, box, true);
        b->boundary = b->count;
        add_places(g, b, box, false);
        measure_block(b);
    }
    return g;
}

static void plain_graph_free(plain_graph *g)
{
    free(g->blocks);
    free(g);
}

// The cells of a set that a block has.
static exact_cells cells_inside(const plain_block *b, const exact_cells *all)
{
    exact_cells out = {0};
    for (int i = 0; i < all->count; i++) {
        if (exact_is_free(&b->world, all->cells[i])) {
            out.cells[out.count++] = all->cells[i];
        }
    }
    return out;
}

// How far it is from an end to all places of a block; false where the end is not in or on it.
static bool measure_end(const plain_graph *g, const plain_block *b, const oracle_end *end,
                        double far[BLOCK_PLACES], exact_cells *own)
{
    const exact_cells one = {1, {end->cell}}, all = exact_joined(&g->world, end->at, &one);
    *own = cells_inside(b, &all);
    if (own->count == 0) {
        return false;
    }
    double straight[BLOCK_PLACES];
    for (int i = 0; i < b->count; i++) {
        straight[i] = sight(&b->world, end->at, own, b->at[i], &b->in[i]);
    }
    for (int i = 0; i < b->count; i++) {
        far[i] = straight[i];
        for (int k = 0; k < b->count; k++) {
            const double bent = straight[k] + b->far[k][i];
            far[i] = bent < far[i] ? bent : far[i];
        }
    }
    return true;
}

// The least cost between two ends, or -1.
static double plain_least(const plain_graph *g, const oracle_end *from, const oracle_end *to)
{
    static double costs[NODES_MAX];
    double least = HUGE_VAL, far[BLOCK_PLACES], back[BLOCK_PLACES];
    exact_cells own, other;
    for (int i = 0; i < g->node_count; i++) {
        costs[i] = HUGE_VAL;
    }
    for (int k = 0; k < g->block_count; k++) {
        const plain_block *const b = &g->blocks[k];
        if (!measure_end(g, b, from, far, &own)) {
            continue;
        }
        for (int i = 0; i < b->boundary; i++) {
            costs[b->nodes[i]] = fmin(costs[b->nodes[i]], far[i]);
        }
        if (measure_end(g, b, to, back, &other)) {
            least = fmin(least, sight(&b->world, from->at, &own, to->at, &other));
            for (int i = 0; i < b->count; i++) {
                least = fmin(least, far[i] + back[i]);
            }
        }
    }
    for (bool is_better = true; is_better;) {
        is_better = false;
        for (int k = 0; k < g->block_count; k++) {
            const plain_block *const b = &g->blocks[k];
            for (int i = 0; i < b->boundary; i++) {
                for (int j = 0; j < b->boundary; j++) {
                    const double sum = costs[b->nodes[i]] + b->far[i][j];
                    if (sum < costs[b->nodes[j]]) {
                        costs[b->nodes[j]] = sum;
                        is_better = true;
                    }
                }
            }
        }
    }
    for (int k = 0; k < g->block_count; k++) {
        const plain_block *const b = &g->blocks[k];
        for (int i = 0; measure_end(g, b, to, back, &other) && i < b->boundary; i++) {
            least = fmin(least, costs[b->nodes[i]] + back[i]);
        }
    }
    return least < HUGE_VAL ? least : -1.0;
}

// Where blocks begin: at the bounds, within the root where UNKNOWN is in the way. False where the
// planner chooses them.
static bool frame_of(const search_scene *s, oct_box *frame)
{
    const oct_cell root = oct_tree_root(s->tree);
    const oct_box lattice = {{-OCT_RANGE, -OCT_RANGE, 0}, {OCT_RANGE, OCT_RANGE, 1}};
    if (s->terms.unknown != OCT_UNKNOWN_BLOCKED) {
        *frame = box_common(s->bounds, lattice);
        return s->terms.bounds != NULL;
    }
    if (root.level < 0) {
        return false;
    }
    const int32_t edge = 1 << root.level;
    *frame = (oct_box){{root.x, root.y, 0}, {root.x + edge, root.y + edge, 1}};
    if (s->terms.bounds) {
        *frame = box_common(*frame, (oct_box){{s->bounds.min.x, s->bounds.min.y, 0},
                                              {s->bounds.max.x, s->bounds.max.y, 1}});
    }
    return !box_is_empty(2, frame);
}

// ---- lengths ----

typedef struct truth {
    oracle_net faces, sight;
    oct_box frame;
    bool has_frame;
    plain_graph *graphs[OCT_DISTANCES_EDGE_MAX + 1];
} truth;

static void truth_init(truth *t, const search_scene *s)
{
    *t = (truth){.faces = oracle_net_cells(&s->small, 4)};
    if (t->faces.places.count > 0) {
        t->sight = oracle_net_sight(&s->small, 1);
    }
    t->has_frame = frame_of(s, &t->frame);
}

static void truth_free(truth *t)
{
    oracle_net_free(&t->faces);
    oracle_net_free(&t->sight);
    for (int i = 0; i <= OCT_DISTANCES_EDGE_MAX; i++) {
        if (t->graphs[i]) {
            plain_graph_free(t->graphs[i]);
        }
    }
}

static bool are_connected(const search_scene *s, const truth *t, const scene_end *from,
                          const scene_end *to)
{
    if (!from->has_anchor || !to->has_anchor) {
        return false;
    }
    const oracle_end a = oracle_middle(&s->world, from->anchor.cell);
    const oracle_end b = oracle_middle(&s->world, to->anchor.cell);
    return oracle_least(&t->faces, &a, &b) >= 0.0;
}

// Plans, and checks all that is known. Returns whether the path's least cost was known too.
static bool check_pair(const search_scene *s, truth *t, oct_planner *planner, const oct_query *q,
                       const scene_end *from, const scene_end *to)
{
    const oct_path path = scene_plan(s, planner, q);
    if (!are_connected(s, t, from, to)) {
        SCENE_CHECK(s, q, path.status == OCT_PATH_NONE, "not connected, but %s",
                    oct_path_status_name(path.status));
        scene_check_no_path(s, q, &path);
        return false;
    }
    SCENE_CHECK(s, q, path.status == OCT_PATH_FOUND, "connected, but %s",
                oct_path_status_name(path.status));
    scene_check_path(s, q, &path);
    const double length = scene_free_length(s, q, &path);
    const double best = oracle_least(&t->sight, &from->anchor, &to->anchor);
    SCENE_CHECK(s, q, length >= best - 1e-9, "%.12g is shorter than %.12g", length, best);
    if (!t->has_frame) {
        return false;
    }
    const uint32_t edge = oct_distances_about(lab_of(q).distances).edge;
    if (!t->graphs[edge]) {
        t->graphs[edge] = plain_graph_of(&s->world, t->frame, (int32_t)edge);
    }
    const double least = plain_least(t->graphs[edge], &from->anchor, &to->anchor);
    // Costs are rounded up by less than 2^-31 a leg.
    const double close = 1e-8 + (q->taut == OCT_TAUT_YES ? HUGE_VAL : 0.0);
    SCENE_CHECK(s, q, length <= least + 1e-8, "length %.12g, least %.12g", length, least);
    SCENE_CHECK(s, q, length >= least - close, "length %.12g, least is %.12g", length, least);
    return true;
}

static void run_world(search_scene *s, int pairs, int *known)
{
    truth t;
    truth_init(&t, s);
    oct_planner *const planner = scene_planner(s, NULL);
    for (int i = 0; i < pairs; i++) {
        const scene_end from = random_end(s), to = i % 8 == 7 ? from : random_end(s);
        oct_query q = scene_query(s, &from, &to);
        for (int k = 0; k < 2; k++) {
            use_blocks(&q, random_database(&s->random));
            q.taut = k == 0 ? OCT_TAUT_DEFAULT : OCT_TAUT_YES;
            *known += check_pair(s, &t, planner, &q, &from, &to);
        }
    }
    oct_planner_destroy(planner);
    truth_free(&t);
    search_scene_free(s);
}

static void paths_are_the_least_of_all_boundary_points(void **state)
{
    (void)state;
    int known = 0;
    for (uint64_t seed = 0; seed < test_rounds(180); seed++) {
        search_scene s;
        dense_scene(&s, 10000 + seed, 5 + (int32_t)(seed % 9), (scene_wish){0});
        run_world(&s, 12, &known);
    }
    assert_true(known > (int)test_rounds(1200));
}

static void paths_among_larger_things(void **state)
{
    (void)state;
    int known = 0;
    for (uint64_t seed = 0; seed < test_rounds(90); seed++) {
        search_scene s;
        search_scene_init(&s, 20000 + seed, 2, 6 + (int32_t)(seed % 8),
                          (scene_wish){.no_prices = true, .sparse = seed % 2});
        run_world(&s, 12, &known);
    }
    assert_true(known > (int)test_rounds(700));
}

// Both ends in one block or beside it, where ways inside and outside compete.
static void ends_in_one_block(void **state)
{
    (void)state;
    int known = 0;
    for (uint64_t seed = 0; seed < test_rounds(150); seed++) {
        search_scene s;
        truth t;
        dense_scene(&s, 30000 + seed, 4 + (int32_t)(seed % 3),
                    (scene_wish){.known = true, .no_bounds = seed % 2});
        truth_init(&t, &s);
        oct_planner *const planner = scene_planner(&s, NULL);
        for (int i = 0; i < 20; i++) {
            const scene_end from = random_end(&s), to = random_end(&s);
            oct_query q = scene_query(&s, &from, &to);
            use_blocks(&q, databases[4][i % OCT_DISTANCES_KIND_COUNT]);
            known += check_pair(&s, &t, planner, &q, &from, &to);
        }
        oct_planner_destroy(planner);
        truth_free(&t);
        search_scene_free(&s);
    }
    assert_true(known > (int)test_rounds(1200));
}

// ---- drawn worlds ----

static oct_path plan_drawn(const search_scene *s, oct_planner *planner, oct_point from,
                           oct_point to, const oct_distances *distances, bool squeeze)
{
    oct_query q = oct_query_default();
    q.from = from;
    q.to = to;
    LAB_SET(&q, squeeze, squeeze);
    use_blocks(&q, distances);
    return scene_plan(s, planner, &q);
}

// Freeman takes the way inside the block of both, however long.
static void a_way_outside_the_block_may_be_shorter(void **state)
{
    (void)state;
    search_scene s;
    // Blocks of 4 x 4 begin at the lower left: both ends are in the second of the lower row.
    SCENE_DRAW(&s, 2, 1, "........", "........", "....#...", "....##..", "....#..#", "....#.##",
               "....##.#", "....#...");
    oct_planner *const planner = scene_planner(&s, NULL);
    for (int kind = 0; kind < OCT_DISTANCES_KIND_COUNT; kind++) {
        const oct_path path = plan_drawn(&s, planner, (oct_point){7.5, 0.5, 0},
                                         (oct_point){5.5, 2.5, 0}, databases[4][kind], false);
        assert_int_equal(path.status, OCT_PATH_NONE);
    }
    search_scene_free(&s);
    oct_planner_destroy(planner);

    SCENE_DRAW(&s, 2, 1, "........", "........", "........", "........", ".#......", ".#......",
               ".#......", "........");
    oct_planner *const other = scene_planner(&s, NULL);
    for (int kind = 0; kind < OCT_DISTANCES_KIND_COUNT; kind++) {
        // Inside, the way leads below the wall; above it is outside, and shorter.
        const oct_path path = plan_drawn(&s, other, (oct_point){1, 3.5, 0}, (oct_point){2, 3.5, 0},
                                         databases[4][kind], false);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        assert_true(fabs(path.length - 2.0) < 1e-9);
    }
    oct_planner_destroy(other);
    search_scene_free(&s);
}

// Ends on the edge between two blocks, with something in the way on both sides of it: the way leads
// around what is shorter, inside one of the blocks.
static void ends_on_the_edge_between_two_blocks(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "........", "........", "...###..", "........", "........", "..###...",
               "........", "........");
    oct_planner *const planner = scene_planner(&s, NULL);
    for (int i = 0; i < 4; i++) {
        const double y = i % 2 ? 4.0 : 1.0;
        const oct_point low = {4, y + 0.5, 0}, high = {4, y + 2.5, 0};
        const oct_path path = plan_drawn(&s, planner, i < 2 ? low : high, i < 2 ? high : low,
                                         databases[4][OCT_DISTANCES_FULL], false);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        assert_true(fabs(path.length - (1.0 + 2.0 * sqrt(1.25))) < 1e-9);
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// Inside one block, around three corners, there and back, and upside down.
static void ways_inside_a_block_turn_several_times(void **state)
{
    (void)state;
    const double length = sqrt(0.25 + 6.25) + 2.0 + 1.0 + sqrt(0.25 + 2.25);
    for (int i = 0; i < 4; i++) {
        search_scene s;
        if (i < 2) {
            SCENE_DRAW(&s, 2, 1, "....", ".##.", ".#..", ".#..");
        } else {
            SCENE_DRAW(&s, 2, 1, ".#..", ".#..", ".##.", "....");
        }
        oct_planner *const planner = scene_planner(&s, NULL);
        const double y = i < 2 ? 0.5 : 3.5;
        const oct_point left = {0.5, y, 0}, right = {2.5, y, 0};
        const oct_path path = plan_drawn(&s, planner, i % 2 ? left : right, i % 2 ? right : left,
                                         databases[4][OCT_DISTANCES_PLAIN], false);
        assert_int_equal(path.status, OCT_PATH_FOUND);
        assert_int_equal(path.lattice_count, 5);
        assert_true(fabs(path.length - length) < 1e-9);
        oct_planner_destroy(planner);
        search_scene_free(&s);
    }
}

// What the database knows is not looked for: from boundary points, from points inside a block where
// it is made for these, and between two of them.
static void known_ways_need_no_sight(void **state)
{
    (void)state;
    search_scene s;
    SCENE_DRAW(&s, 2, 1, "........", ".#....#.", "........", "........");
    oct_planner *const planner = scene_planner(&s, NULL);
    static const struct {
        oct_point from, to;
        int least_kind; // that needs no sight
    } rows[] = {{{0, 1, 0}, {8, 3, 0}, OCT_DISTANCES_PLAIN},
                {{4, 2, 0}, {4, 0, 0}, OCT_DISTANCES_PLAIN},
                {{1, 1, 0}, {7, 3, 0}, OCT_DISTANCES_SEMI},
                {{0, 1, 0}, {6, 2, 0}, OCT_DISTANCES_SEMI},
                {{1, 1, 0}, {2, 3, 0}, OCT_DISTANCES_FULL},
                {{1.5, 1, 0}, {8, 3, 0}, OCT_DISTANCES_KIND_COUNT},
                {{0, 1, 0}, {7, 3.25, 0}, OCT_DISTANCES_KIND_COUNT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int kind = 0; kind < OCT_DISTANCES_KIND_COUNT; kind++) {
            const oct_path path =
                plan_drawn(&s, planner, rows[i].from, rows[i].to, databases[4][kind], false);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            assert_int_equal(path.sight_checks == 0, kind >= rows[i].least_kind);
        }
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// Through corners between blocks, on their edges and inside: only where paths squeeze.
static void squeezing_is_as_the_terms_say(void **state)
{
    (void)state;
    for (uint32_t edge = 2; edge <= 4; edge++) {
        for (int32_t at = 1; at < 8; at++) {
            search_scene s;
            SCENE_DRAW(&s, 2, 1, "........", "........", "........", "........", "........",
                       "........", "........", "........");
            for (int32_t i = 0; i < 8; i++) {
                // A wall from the upper left, and one from the lower right, meet in one corner.
                const oct_box wall = i < at ? (oct_box){{i, at, 0}, {i + 1, at + 1, 1}}
                                            : (oct_box){{i, at - 1, 0}, {i + 1, at, 1}};
                assert_int_equal(oct_tree_set_box(s.tree, wall, OCT_MARK_BLOCKED), OCT_OK);
            }
            // Components do not squeeze: they are not asked.
            oct_components_def parts = oct_components_def_default();
            oct_planner_def def = oct_planner_def_default();
            def.lab = oct_lab();
            oct_components *components;
            oct_planner *planner;
            parts.tree = s.tree;
            assert_int_equal(oct_components_create(&parts, &components), OCT_OK);
            def.tree = s.tree;
            def.components[0] = components;
            assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
            const oct_point from = {at - 0.75, at - 0.25, 0}, to = {at + 0.75, at + 0.25, 0};
            const oct_point corner = {at, at, 0};
            oct_path path = plan_drawn(&s, planner, to, corner, databases[edge][2], false);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            path = plan_drawn(&s, planner, from, to, databases[edge][2], false);
            assert_int_equal(path.status, OCT_PATH_NONE);
            path = plan_drawn(&s, planner, from, to, squeezers[edge], true);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            assert_true(fabs(path.length - sqrt(1.5 * 1.5 + 0.25)) < 1e-9);
            // From the corner itself both sides are reached; else that of its own cell.
            path = plan_drawn(&s, planner, corner, from, squeezers[edge], true);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            path = plan_drawn(&s, planner, corner, to, squeezers[edge], true);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            path = plan_drawn(&s, planner, corner, from, databases[edge][2], false);
            assert_int_equal(path.status, OCT_PATH_NONE);
            path = plan_drawn(&s, planner, to, corner, databases[edge][2], false);
            assert_int_equal(path.status, OCT_PATH_FOUND);
            oct_planner_destroy(planner);
            oct_components_destroy(components);
            search_scene_free(&s);
        }
    }
}

// ---- queries that are refused ----

static void refuse(oct_planner *planner, const oct_query *q)
{
    oct_path path;
    assert_int_equal(oct_planner_plan(planner, q, &path), OCT_ERROR_ARGUMENT);
}

static void what_blocks_cannot_do_is_refused(void **state)
{
    (void)state;
    search_scene flat, solid;
    SCENE_DRAW(&flat, 2, 1, "....", "....");
    SCENE_DRAW(&solid, 3, 2, "....", "....");
    oct_planner *const planner = scene_planner(&flat, NULL);
    oct_planner *const other = scene_planner(&solid, NULL);
    oct_query q = oct_query_default();
    q.from = (oct_point){0.5, 0.5, 0.5};
    q.to = (oct_point){3.5, 1.5, 0.5};
    use_blocks(&q, databases[4][0]);
    const oct_query good = q;
    scene_plan(&flat, planner, &q);
    refuse(other, &q);
    LAB_SET(&q, distances, NULL);
    refuse(planner, &q);
    LAB_SET(&q, distances, squeezers[4]);
    refuse(planner, &q);
    q = good;
    LAB_SET(&q, squeeze, true);
    refuse(planner, &q);
    q = good;
    q.terms.unknown = OCT_UNKNOWN_PRICED;
    refuse(planner, &q);
    q = good;
    const oct_priced_box region = {{{0, 0, 0}, {1, 1, 1}}, 2.0};
    q.terms.priced = &region;
    q.terms.priced_count = 1;
    refuse(planner, &q);
    q = good;
    LAB_SET(&q, algorithm, OCT_LAB_ASTAR);
    refuse(planner, &q);
    q = good;
    LAB_SET(&q, graph, OCT_LAB_GRAPH_CELLS);
    refuse(planner, &q);
    oct_planner_destroy(planner);
    oct_planner_destroy(other);
    search_scene_free(&flat);
    search_scene_free(&solid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_the_least_of_all_boundary_points),
        cmocka_unit_test(paths_among_larger_things),
        cmocka_unit_test(ends_in_one_block),
        cmocka_unit_test(a_way_outside_the_block_may_be_shorter),
        cmocka_unit_test(ends_on_the_edge_between_two_blocks),
        cmocka_unit_test(ways_inside_a_block_turn_several_times),
        cmocka_unit_test(known_ways_need_no_sight),
        cmocka_unit_test(squeezing_is_as_the_terms_say),
        cmocka_unit_test(what_blocks_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, make_databases, free_databases);
}
