// SPDX-License-Identifier: MIT
// The same query gives the same path, to the bit, whatever compiler and optimisation made the code.
#include "base/base_internal.h"
#include "lab_query.h"
#include "octant/generate.h"
#include "octant/tree.h"
#include "support.h"

#include <inttypes.h>

#define QUERIES 6

// All of it are numbers of 64 bits.
static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const uint64_t added = test_hash_add(TEST_HASH_START, data, size / 8, 8);
    return size ? (hash * UINT64_C(0x100000001b3)) ^ added : hash;
}

static oct_point random_point(oct_random *random, const oct_tree *tree, uint32_t edge)
{
    oct_vec cell;
    do {
        cell = (oct_vec){(int32_t)oct_random_below(random, edge),
                         (int32_t)oct_random_below(random, edge),
                         oct_tree_dims(tree) == 3 ? (int32_t)oct_random_below(random, edge) : 0};
    } while (oct_tree_label(tree, cell) != OCT_OPEN);
    return (oct_point){cell.x + oct_random_unit(random), cell.y + oct_random_unit(random),
                       cell.z + oct_random_unit(random)};
}

static uint64_t hash_of_path(uint64_t hash, const oct_path *path)
{
    hash = mix(hash, path->lattice, path->lattice_count * sizeof *path->lattice);
    hash = mix(hash, path->points, path->point_count * sizeof *path->points);
    const double measures[] = {path->length, path->cost, path->straight, path->turning};
    const uint64_t counts[] = {path->status, path->expanded, path->generated, path->sight_checks};
    hash = mix(hash, measures, sizeof measures);
    return mix(hash, counts, sizeof counts);
}

// As it is by default; and the portal search by its other grade, other paths pulled taut.
static uint64_t hash_of_search(uint64_t hash, oct_planner *planner, oct_query query)
{
    for (int i = 0; i < 2; i++) {
        oct_path path;
        assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
        hash = hash_of_path(hash, &path);
        query.grade = OCT_GRADE_FAST;
        query.taut = lab_of(&query).squeeze ? OCT_TAUT_NO : OCT_TAUT_YES;
    }
    return hash;
}

// All graphs from one to another and their algorithms on one scene, without and with prices.
static uint64_t hash_of_scene(uint32_t dims, uint32_t edge, oct_lab_graph first, oct_lab_graph last,
                              bool squeeze)
{
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_CLUSTERS;
    def.size = edge;
    def.dims = dims;
    def.fill = 0.25;
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_planner_def planner_def = oct_planner_def_default();
    planner_def.lab = oct_lab();
    oct_tree *tree;
    oct_planner *planner;
    assert_int_equal(oct_tree_generate(&def, &tree_def, &tree, NULL), OCT_OK);
    planner_def.tree = tree;
    assert_int_equal(oct_planner_create(&planner_def, &planner), OCT_OK);
    const int32_t half = (int32_t)edge / 2;
    const oct_priced_box dear = {{{0, 0, 0}, {half, half, half}}, 3.0};
    oct_random random = oct_random_seed(11);
    uint64_t hash = 0;
    for (int i = 0; i < QUERIES; i++) {
        oct_query query = oct_query_default();
        query.from = random_point(&random, tree, edge);
        query.to = random_point(&random, tree, edge);
        query.terms.priced = &dear;
        query.terms.priced_count = (uint32_t)i % 2;
        LAB_SET(&query, squeeze, squeeze);
        for (oct_lab_graph graph = first; graph <= last; graph++) {
            for (oct_lab_algorithm algorithm = 0; algorithm < OCT_LAB_ALGORITHM_COUNT;
                 algorithm++) {
                LAB_SET(&query, graph, graph);
                LAB_SET(&query, algorithm, algorithm);
                // Jump points have their own: test_jps.c.
                if (algorithm != OCT_LAB_JPS && oct_lab_check(&query, dims) == OCT_OK) {
                    hash = hash_of_search(hash, planner, query);
                }
            }
        }
    }
    oct_planner_destroy(planner);
    oct_tree_destroy(tree);
    return hash;
}

static void paths_have_the_bits_they_always_had(void **state)
{
    (void)state;
    static const struct {
        uint32_t dims, edge;
        oct_lab_graph first, last;
        bool squeeze;
        uint64_t hash;
    } scenes[] = {
        {3, 24, OCT_LAB_GRAPH_CELLS, OCT_LAB_GRAPH_PORTAL, false, UINT64_C(0x0e721483acf3dbe3)},
        {2, 64, OCT_LAB_GRAPH_CELLS, OCT_LAB_GRAPH_PORTAL, false, UINT64_C(0xffb56ed4b05ef60d)},
        {2, 64, OCT_LAB_GRAPH_LATTICE, OCT_LAB_GRAPH_LATTICE, false, UINT64_C(0xa6f8245a128958c7)},
        {2, 64, OCT_LAB_GRAPH_LATTICE, OCT_LAB_GRAPH_LATTICE, true, UINT64_C(0xe69638c3d5fd5a84)},
        {2, 64, OCT_LAB_GRAPH_VISIBILITY, OCT_LAB_GRAPH_INTERVALS, false,
         UINT64_C(0x80e9d63da0928c61)},
        {2, 64, OCT_LAB_GRAPH_VISIBILITY, OCT_LAB_GRAPH_INTERVALS, true,
         UINT64_C(0xfb424b184b334058)},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const uint64_t hash = hash_of_scene(scenes[i].dims, scenes[i].edge, scenes[i].first,
                                            scenes[i].last, scenes[i].squeeze);
        if (hash != scenes[i].hash) {
            fail_msg("%u dimensions, %s to %s: 0x%016" PRIx64, scenes[i].dims,
                     oct_lab_graph_name(scenes[i].first), oct_lab_graph_name(scenes[i].last), hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_have_the_bits_they_always_had)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
