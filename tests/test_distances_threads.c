// SPDX-License-Identifier: MIT
// Databases of local distances made by threads have the same bytes as those made by one. Under the
// thread sanitizer this shows that blocks are worked out without sharing anything.
#include "distances_support.h"

#include "cli/cli_internal.h"

#include <string.h>

static void check_workers(const oct_distances *alone, uint32_t workers)
{
    cli_threads *threads = oct_cli_threads_create(workers);
    assert_non_null(threads);
    const oct_executor executor = oct_cli_threads_executor(threads);
    oct_distances_def def = oct_distances_about(alone);
    def.executor = &executor;
    oct_distances *shared;
    assert_int_equal(oct_distances_create(&def, &shared), OCT_OK);
    size_t sizes[2];
    const void *const one = oct_distances_bytes(alone, &sizes[0]);
    const void *const two = oct_distances_bytes(shared, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_int_equal(memcmp(one, two, sizes[0]), 0);
    oct_distances_destroy(shared);
    oct_cli_threads_destroy(threads);
}

static void any_number_of_workers_makes_the_same_bytes(void **state)
{
    (void)state;
    static const uint32_t workers[] = {1, 2, 3, 7};
    oct_distances *alone[] = {make_distances(3, OCT_DISTANCES_FULL, false, true),
                              make_distances(3, OCT_DISTANCES_SEMI, true, false),
                              make_distances(4, OCT_DISTANCES_PLAIN, true, false)};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            check_workers(alone[i], workers[j]);
        }
        oct_distances_destroy(alone[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_makes_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
