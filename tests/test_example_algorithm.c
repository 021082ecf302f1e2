// SPDX-License-Identifier: MIT
// The algorithm that docs/engine/search.md adds as an example: it works, and does what it promises.
#include "flat/lab_space.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "lab_query.h"
#include "octant/generate.h"
#include "support.h"
#include "verify/exact_path.h"

extern const search_algorithm oct_search_weighted;

// The laboratory's table with one row more.
#define WEIGHTED OCT_LAB_ALGORITHM_COUNT
static const search_algorithm *algorithms[WEIGHTED + 1];
static oct_lab_table table;

static const oct_lab_table *table_with_weighted(void)
{
    table = *oct_lab();
    memcpy(algorithms, table.algorithms, WEIGHTED * sizeof algorithms[0]);
    algorithms[WEIGHTED] = &oct_search_weighted;
    table.algorithms = algorithms;
    table.algorithm_count = WEIGHTED + 1;
    return &table;
}

typedef struct fixture {
    oct_tree *tree;
    oct_box box;
    oct_planner *planner;
} fixture;

static fixture make_fixture(void)
{
    fixture f = {.tree = NULL};
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_CLUSTERS;
    def.size = 48;
    def.fill = 0.2;
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_tree_info info;
    assert_int_equal(oct_tree_generate(&def, &tree_def, &f.tree, &info), OCT_OK);
    f.box = info.box;
    oct_planner_def planner_def = oct_planner_def_default();
    planner_def.tree = f.tree;
    planner_def.lab = table_with_weighted();
    assert_int_equal(oct_planner_create(&planner_def, &f.planner), OCT_OK);
    return f;
}

static oct_point random_point(oct_random *random, const fixture *f)
{
    oct_vec cell;
    do {
        cell = (oct_vec){oct_random_range(random, 0, f->box.max.x - 1),
                         oct_random_range(random, 0, f->box.max.y - 1),
                         oct_random_range(random, 0, f->box.max.z - 1)};
    } while (oct_tree_label(f->tree, cell) != OCT_OPEN);
    return (oct_point){cell.x + 0.5, cell.y + 0.5, cell.z + 0.5};
}

// Paths are valid, there is one exactly where A* finds one, and they cost at most half as much
// again; and it is worth it: fewer nodes are expanded in all.
static void it_keeps_its_promise(void **state)
{
    (void)state;
    fixture f = make_fixture();
    oct_random random = oct_random_seed(7);
    const exact_world world = {.tree = f.tree, .bounded = true, .bounds = f.box, .dims = 3};
    for (oct_lab_graph graph = OCT_LAB_GRAPH_CELLS; graph <= OCT_LAB_GRAPH_PROGRESSIVE_CORNER;
         graph++) {
        uint64_t expanded[2] = {0, 0};
        for (int i = 0; i < 12; i++) {
            oct_query query = oct_query_default();
            LAB_SET(&query, graph, graph);
            LAB_SET(&query, algorithm, OCT_LAB_ASTAR);
            query.from = random_point(&random, &f);
            query.to = random_point(&random, &f);
            query.terms.bounds = &f.box;
            oct_path best, path;
            char why[160];
            assert_int_equal(oct_planner_plan(f.planner, &query, &best), OCT_OK);
            LAB_SET(&query, algorithm, WEIGHTED);
            assert_int_equal(oct_planner_plan(f.planner, &query, &path), OCT_OK);
            assert_int_equal(path.status, best.status);
            if (path.status != OCT_PATH_FOUND) {
                continue;
            }
            if (!exact_path_is_valid(&world, path.lattice, path.lattice_count, false, false, why,
                                     sizeof why)) {
                fail_msg("%s", why);
            }
            assert_true(path.cost <= 1.5 * best.cost + 1e-6);
            assert_true(path.cost >= best.cost - 1e-6);
            expanded[0] += best.expanded;
            expanded[1] += path.expanded;
        }
        assert_true(expanded[1] < expanded[0]);
    }
    oct_planner_destroy(f.planner);
    oct_tree_destroy(f.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_keeps_its_promise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
