// SPDX-License-Identifier: MIT
// The frontier follows a map: equal to a plain scan after each edit.
#include "frontier_support.h"

static void follow_edits(int dims, uint64_t seeds, int edits)
{
    for (uint64_t seed = 0; seed < test_rounds(seeds); seed++) {
        arena a;
        arena_open(&a, dims, seed);
        for (int i = 0; i < edits; i++) {
            // Some edits are followed together.
            for (uint64_t more = oct_random_below(&a.random, 4) ? 1 : 3; more > 0; more--) {
                arena_edit(&a);
            }
            assert_int_equal(oct_frontier_update(a.frontier), OCT_OK);
            arena_check(&a);
            if (!frontier_is_right(a.frontier)) {
                fail_msg("seed %d edit %d", (int)seed, i);
            }
        }
        arena_close(&a);
    }
}

static void edits_are_followed(void **state)
{
    (void)state;
    follow_edits(3, 20, 30);
    follow_edits(2, 90, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
