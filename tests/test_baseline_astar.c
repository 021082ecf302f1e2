// SPDX-License-Identifier: MIT
// The yardstick of the searches against the plainest search there is, and against published
// lengths: a ratio to something wrong means nothing.
#include "octant/tree.h"
#include "support.h"

#include "bench/baseline_astar.h"
#include "octant/formats.h"
#include "octant/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EDGE 9
#define CELLS (EDGE * EDGE * EDGE)
#define FAR 1e9

// A box of cells, each free or not, and what is known of the way to each.
typedef struct world {
    oct_box box;
    bool is_free[EDGE][EDGE][EDGE]; // [z][y][x], from the box's smallest cell on
    double g[EDGE][EDGE][EDGE];
    bool done[EDGE][EDGE][EDGE];
} world;

static bool free_at(const world *w, int x, int y, int z)
{
    return x >= 0 && x < w->box.max.x - w->box.min.x && y >= 0 && y < w->box.max.y - w->box.min.y &&
           z >= 0 && z < w->box.max.z - w->box.min.z && w->is_free[z][y][x];
}

// Whether every cell of the box that two cells span is free.
static bool may_move(const world *w, const int a[3], const int b[3])
{
    int lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
        lo[i] = a[i] < b[i] ? a[i] : b[i];
        hi[i] = a[i] < b[i] ? b[i] : a[i];
    }
    for (int z = lo[2]; z <= hi[2]; z++) {
        for (int y = lo[1]; y <= hi[1]; y++) {
            for (int x = lo[0]; x <= hi[0]; x++) {
                if (!free_at(w, x, y, z)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static double move_cost(const int a[3], const int b[3])
{
    return sqrt((a[0] != b[0]) + (a[1] != b[1]) + (a[2] != b[2]));
}

// The nearest cell that is not done; false where none is left that can be reached.
static bool next_cell(const world *w, int out[3])
{
    double least = FAR;
    for (int i = 0; i < CELLS; i++) {
        const int x = i % EDGE, y = i / EDGE % EDGE, z = i / EDGE / EDGE;
        if (!w->done[z][y][x] && w->g[z][y][x] < least) {
            least = w->g[z][y][x];
            out[0] = x;
            out[1] = y;
            out[2] = z;
        }
    }
    return least < FAR;
}

// Dijkstra without a queue: fills in the distance of every cell from one.
static void flood(world *w, oct_vec from)
{
    for (int i = 0; i < CELLS; i++) {
        const int x = i % EDGE, y = i / EDGE % EDGE, z = i / EDGE / EDGE;
        w->g[z][y][x] = FAR;
        w->done[z][y][x] = false;
    }
    int at[3] = {from.x - w->box.min.x, from.y - w->box.min.y, from.z - w->box.min.z};
    if (!free_at(w, at[0], at[1], at[2])) {
        return;
    }
    w->g[at[2]][at[1]][at[0]] = 0.0;
    while (next_cell(w, at)) {
        w->done[at[2]][at[1]][at[0]] = true;
        for (int d = 0; d < 27; d++) {
            const int to[3] = {at[0] + d % 3 - 1, at[1] + d / 3 % 3 - 1, at[2] + d / 9 - 1};
            if (may_move(w, at, to)) {
                const double g = w->g[at[2]][at[1]][at[0]] + move_cost(at, to);
                double *best = &w->g[to[2]][to[1]][to[0]];
                *best = g < *best ? g : *best;
            }
        }
    }
}

static double distance_to(const world *w, oct_vec to)
{
    const int x = to.x - w->box.min.x, y = to.y - w->box.min.y, z = to.z - w->box.min.z;
    return free_at(w, x, y, z) ? w->g[z][y][x] : FAR;
}

// A world in a tree that goes on beyond the box: what is out there must not matter.
static oct_tree *random_world(world *w, uint32_t dims, oct_random *random)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = dims;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    w->box.min = (oct_vec){oct_random_range(random, -20, 20), oct_random_range(random, -20, 20),
                           dims == 3 ? oct_random_range(random, -20, 20) : 0};
    w->box.max = (oct_vec){w->box.min.x + oct_random_range(random, 1, EDGE),
                           w->box.min.y + oct_random_range(random, 1, EDGE),
                           w->box.min.z + (dims == 3 ? oct_random_range(random, 1, EDGE) : 1)};
    const oct_box around = {{w->box.min.x - 3, w->box.min.y - 3, w->box.min.z - 3},
                            {w->box.max.x + 3, w->box.max.y + 3, w->box.max.z + 3}};
    assert_int_equal(oct_tree_set_box(tree, around, OCT_MARK_OPEN), OCT_OK);
    const int percent = oct_random_range(random, 0, 60);
    for (int z = 0; z < w->box.max.z - w->box.min.z; z++) {
        for (int y = 0; y < w->box.max.y - w->box.min.y; y++) {
            for (int x = 0; x < w->box.max.x - w->box.min.x; x++) {
                const bool is_free = oct_random_range(random, 0, 99) >= percent;
                w->is_free[z][y][x] = is_free;
                const oct_cell cell = {w->box.min.x + x, w->box.min.y + y, w->box.min.z + z, 0};
                const oct_mark mark =
                    oct_random_below(random, 2) ? OCT_MARK_UNKNOWN : OCT_MARK_BLOCKED;
                assert_int_equal(is_free ? OCT_OK : oct_tree_set(tree, cell, mark), OCT_OK);
            }
        }
    }
    return tree;
}

static oct_vec random_cell(const oct_box *box, oct_random *random)
{
    return (oct_vec){oct_random_range(random, box->min.x - 1, box->max.x),
                     oct_random_range(random, box->min.y - 1, box->max.y),
                     oct_random_range(random, box->min.z, box->max.z - 1)};
}

// The path is one, and as long as it says.
static void check_path(const world *w, const baseline_path *path, oct_vec from, oct_vec to)
{
    assert_true(path->cell_count > 0);
    assert_memory_equal(&path->cells[0], &from, sizeof from);
    assert_memory_equal(&path->cells[path->cell_count - 1], &to, sizeof to);
    double length = 0.0;
    for (size_t i = 1; i < path->cell_count; i++) {
        const oct_vec p = path->cells[i - 1], q = path->cells[i];
        const int a[3] = {p.x - w->box.min.x, p.y - w->box.min.y, p.z - w->box.min.z};
        const int b[3] = {q.x - w->box.min.x, q.y - w->box.min.y, q.z - w->box.min.z};
        assert_true(abs(p.x - q.x) <= 1 && abs(p.y - q.y) <= 1 && abs(p.z - q.z) <= 1);
        assert_true(may_move(w, a, b));
        length += move_cost(a, b);
    }
    assert_true(fabs(length - path->length) < 1e-6);
}

static void check_world(uint32_t dims, uint64_t seed)
{
    static world w;
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = random_world(&w, dims, &random);
    oct_baseline *baseline;
    assert_int_equal(oct_baseline_create(tree, w.box, NULL, &baseline), OCT_OK);
    oct_tree_destroy(tree);
    for (int i = 0; i < 20; i++) {
        const oct_vec from = random_cell(&w.box, &random);
        flood(&w, from);
        for (int j = 0; j < 5; j++) {
            const oct_vec to = random_cell(&w.box, &random);
            const double truth = distance_to(&w, to);
            baseline_path path;
            assert_int_equal(oct_baseline_find(baseline, from, to, &path), OCT_OK);
            if (path.found != (truth < FAR) || (path.found && fabs(path.length - truth) > 1e-6)) {
                fail_msg("seed %llu: found %d, length %.9f and not %.9f", (unsigned long long)seed,
                         path.found, path.length, truth);
            }
            if (path.found) {
                check_path(&w, &path, from, to);
            } else {
                assert_int_equal(path.cell_count, 0);
            }
        }
    }
    oct_baseline_destroy(baseline);
}

static void lengths_are_those_of_a_plain_dijkstra(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        check_world(seed % 3 == 0 ? 2 : 3, seed);
    }
}

// Estimates are exact there, and of ties the one that has come farthest goes first.
static void in_the_open_only_the_path_is_expanded(void **state)
{
    (void)state;
    const oct_tree_def def = oct_tree_def_default();
    const oct_box room = {{-15, -15, -15}, {15, 15, 15}};
    oct_tree *tree;
    oct_baseline *baseline;
    oct_random random = oct_random_seed(3);
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_baseline_create(tree, room, NULL, &baseline), OCT_OK);
    for (int i = 0; i < 200; i++) {
        const oct_box inner = {{-14, -14, -15}, {14, 14, 15}};
        const oct_vec from = random_cell(&inner, &random), to = random_cell(&inner, &random);
        baseline_path path;
        assert_int_equal(oct_baseline_find(baseline, from, to, &path), OCT_OK);
        assert_true(path.found);
        assert_int_equal(path.expanded, path.cell_count - 1);
    }
    oct_baseline_destroy(baseline);
    oct_tree_destroy(tree);
}

static void at_two_dimensions_z_is_ignored(void **state)
{
    (void)state;
    oct_tree_def def = oct_tree_def_default();
    def.dims = 2;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {4, 4, 1}}, OCT_MARK_OPEN),
                     OCT_OK);
    oct_baseline *baseline;
    const oct_box box = {{0, 0, 70}, {4, 4, -70}};
    assert_int_equal(oct_baseline_create(tree, box, NULL, &baseline), OCT_OK);
    baseline_path path;
    assert_int_equal(oct_baseline_find(baseline, (oct_vec){0, 0, 5}, (oct_vec){3, 2, -5}, &path),
                     OCT_OK);
    assert_true(path.found && fabs(path.length - (1 + 2 * sqrt(2))) < 1e-6);
    assert_int_equal(path.cells[0].z, 0);
    oct_baseline_destroy(baseline);
    oct_tree_destroy(tree);
}

static void boxes_that_are_empty_or_too_large_are_refused(void **state)
{
    (void)state;
    static const oct_box bad[] = {
        {{0, 0, 0}, {0, 4, 4}},
        {{5, 0, 0}, {4, 4, 4}},
        {{0, 0, 4}, {4, 4, INT32_MIN}},
        {{-OCT_RANGE - 1, 0, 0}, {4, 4, 4}},
        {{-OCT_RANGE, 0, 0}, {OCT_RANGE, 1, 1}},
        {{0, 0, 0}, {1289, 1289, 1289}},
        {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}},
    };
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oct_baseline *baseline = (oct_baseline *)(void *)tree;
        assert_int_equal(oct_baseline_create(tree, bad[i], NULL, &baseline), OCT_ERROR_RANGE);
        assert_null(baseline);
    }
    oct_tree_destroy(tree);
    oct_baseline_destroy(NULL);
}

static oct_result create_and_find(const oct_allocator *allocator, void *ctx)
{
    const oct_box box = {{0, 0, 0}, {12, 12, 12}};
    oct_baseline *baseline;
    OCT_TRY(oct_baseline_create(ctx, box, allocator, &baseline));
    baseline_path path;
    oct_result result = OCT_OK;
    for (int i = 0; i < 3 && result == OCT_OK; i++) {
        result = oct_baseline_find(baseline, (oct_vec){0, 0, 0}, (oct_vec){11, 11, 0}, &path);
    }
    oct_baseline_destroy(baseline);
    return result;
}

// A wall to go around.
static oct_tree *walled_room(void)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    const oct_box room = {{0, 0, 0}, {12, 12, 12}}, wall = {{5, 0, 0}, {6, 12, 11}};
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, wall, OCT_MARK_BLOCKED), OCT_OK);
    return tree;
}

static void it_survives_every_failing_allocation(void **state)
{
    (void)state;
    oct_tree *tree = walled_room();
    assert_true(test_each_failure(create_and_find, tree) > 5);
    oct_tree_destroy(tree);
}

static void a_warm_search_allocates_nothing_and_repeats_itself(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_tree *tree = walled_room();
    oct_baseline *baseline;
    const oct_box box = {{0, 0, 0}, {12, 12, 12}};
    assert_int_equal(oct_baseline_create(tree, box, &memory.allocator, &baseline), OCT_OK);
    const oct_vec ends[2] = {{0, 3, 0}, {11, 8, 2}};
    baseline_path first, again;
    assert_int_equal(oct_baseline_find(baseline, ends[0], ends[1], &first), OCT_OK);
    oct_vec cells[200];
    assert_true(first.found && first.cell_count <= 200);
    memcpy(cells, first.cells, first.cell_count * sizeof *cells);
    const size_t allocations = memory.allocations;
    assert_int_equal(oct_baseline_bytes(baseline), memory.live_bytes);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(oct_baseline_find(baseline, ends[0], ends[1], &again), OCT_OK);
        assert_int_equal(again.expanded, first.expanded);
        assert_int_equal(again.cell_count, first.cell_count);
        assert_memory_equal(again.cells, cells, first.cell_count * sizeof *cells);
    }
    assert_int_equal(memory.allocations, allocations);
    oct_baseline_destroy(baseline);
    oct_tree_destroy(tree);
    test_allocator_check_empty(&memory);
}

// ---- public lengths ----

static oct_tree *read_map(const char *name, oct_tree_info *info)
{
    char relative[64], path[1024];
    snprintf(relative, sizeof relative, "voxel3d/%s.3dmap", name);
    if (!test_data_path(relative, path, sizeof path)) {
        skip();
    }
    size_t size;
    char *data = test_read_file(path, &size);
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_read(OCT_FORMAT_3DMAP, data, size, &def, &tree, info, NULL), OCT_OK);
    free(data);
    return tree;
}

static oct_scenario *read_scenario(const char *name)
{
    char relative[64], path[1024];
    snprintf(relative, sizeof relative, "voxel3d/%s.3dmap.3dscen", name);
    if (!test_data_path(relative, path, sizeof path)) {
        skip();
    }
    size_t size;
    char *data = test_read_file(path, &size);
    oct_scenario *scenario;
    assert_int_equal(oct_scenario_read(3, data, size, NULL, &scenario, NULL), OCT_OK);
    free(data);
    return scenario;
}

static void check_map(const char *name, size_t step)
{
    oct_tree_info info;
    oct_scenario *scenario = read_scenario(name);
    oct_tree *tree = read_map(name, &info);
    oct_baseline *baseline;
    assert_int_equal(oct_baseline_create(tree, info.box, NULL, &baseline), OCT_OK);
    oct_tree_destroy(tree);
    for (size_t i = 0; i < oct_scenario_count(scenario); i += step) {
        const oct_scenario_query query = oct_scenario_get(scenario, i);
        baseline_path path;
        assert_int_equal(oct_baseline_find(baseline, query.from, query.to, &path), OCT_OK);
        if (!path.found || fabs(path.length - query.length) > 1e-5) {
            fail_msg("%s, line %u: length %.8f and not %.8f", name, query.line, path.length,
                     query.length);
        }
    }
    oct_baseline_destroy(baseline);
    oct_scenario_destroy(scenario);
}

static void published_lengths_are_met(void **state)
{
    (void)state;
    check_map("Simple", 20);
    check_map("Complex", 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_those_of_a_plain_dijkstra),
        cmocka_unit_test(in_the_open_only_the_path_is_expanded),
        cmocka_unit_test(at_two_dimensions_z_is_ignored),
        cmocka_unit_test(boxes_that_are_empty_or_too_large_are_refused),
        cmocka_unit_test(it_survives_every_failing_allocation),
        cmocka_unit_test(a_warm_search_allocates_nothing_and_repeats_itself),
        cmocka_unit_test(published_lengths_are_met),
    };
    return cmocka_run_group_tests_name("baseline_astar", tests, NULL, NULL);
}
