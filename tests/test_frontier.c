// SPDX-License-Identifier: MIT
// The frontier follows a map of any structure: equal to a plain scan after each edit.
#include "frontier_support.h"

static void follow_edits(oct_structure structure, int dims, uint64_t seeds, int edits)
{
    for (uint64_t seed = 0; seed < test_rounds(seeds); seed++) {
        arena a;
        arena_open(&a, structure, dims, seed);
        for (int i = 0; i < edits; i++) {
            // Some edits are followed together.
            for (uint64_t more = oct_random_below(&a.random, 4) ? 1 : 3; more > 0; more--) {
                arena_edit(&a);
            }
            assert_int_equal(oct_frontier_update(a.frontier), OCT_OK);
            arena_check(&a);
            if (!oct_frontier_is_valid(a.frontier)) {
                fail_msg("seed %d edit %d", (int)seed, i);
            }
        }
        arena_close(&a);
    }
}

static void the_octree_is_followed(void **state)
{
    (void)state;
    follow_edits(OCT_STRUCTURE_OCTREE, 3, 12, 30);
    follow_edits(OCT_STRUCTURE_OCTREE, 2, 60, 30);
}

static void the_grid_is_followed(void **state)
{
    (void)state;
    follow_edits(OCT_STRUCTURE_GRID, 3, 8, 30);
    follow_edits(OCT_STRUCTURE_GRID, 2, 30, 30);
}

static void the_set_is_followed(void **state)
{
    (void)state;
    follow_edits(OCT_STRUCTURE_SET, 3, 8, 30);
    follow_edits(OCT_STRUCTURE_SET, 2, 30, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_octree_is_followed),
        cmocka_unit_test(the_grid_is_followed),
        cmocka_unit_test(the_set_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
