// SPDX-License-Identifier: MIT
// Cells that were in sight themselves: what a map without padding would have observed.
#include "support.h"

#include "map/sighted.h"
#include "octant/tree.h"

#include "base/base_internal.h"

#define CELL 0.5
#define THINGS 40

static oct_map *make(double padding, bool keeps)
{
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    def.cell_size = CELL;
    def.padding = (oct_point){padding, padding, padding};
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    if (keeps) {
        assert_int_equal(oct_map_keep_sighted(map), OCT_OK);
    }
    return map;
}

static double draw(oct_random *random, double most)
{
    return most * (double)oct_random_below(random, 1u << 20) / (1u << 20);
}

static oct_thing draw_thing(oct_random *random, uint64_t id)
{
    const oct_point at = {draw(random, 16), draw(random, 16), draw(random, 16)};
    const oct_point to = {at.x + draw(random, 3), at.y + draw(random, 3), at.z + draw(random, 3)};
    return (oct_thing){.id = id, .box = {at, to}, .label = OCT_BLOCKED, .opaque = id % 4 != 0};
}

// The same looks into a map with padding and one without.
static void sighted_cells_are_those_of_a_map_without_padding(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        oct_random random = oct_random_seed(seed);
        oct_map *const padded = make(1.0, true), *const plain = make(0.0, false);
        oct_thing things[THINGS];
        for (uint64_t i = 0; i < THINGS; i++) {
            things[i] = draw_thing(&random, i);
        }
        for (int look = 0; look < 4; look++) {
            const oct_view view = {
                .centre = {draw(&random, 16), draw(&random, 16), draw(&random, 16)},
                .radius = 2.0 + draw(&random, 8),
                .sight = look == 3 && seed % 4 == 0 ? OCT_SIGHT_THROUGH : OCT_SIGHT_LINE};
            assert_int_equal(oct_map_observe(padded, &view, things, THINGS, NULL), OCT_OK);
            assert_int_equal(oct_map_observe(plain, &view, things, THINGS, NULL), OCT_OK);
        }
        uint64_t seen = 0;
        for (int i = 0; i < 64 * 64 * 64; i++) {
            const oct_vec cell = {i % 64 - 16, i / 64 % 64 - 16, i / 4096 - 16};
            const oct_label own = oct_tree_label(oct_map_tree(plain), cell);
            const oct_label kept = oct_tree_label(oct_map_sighted(padded), cell);
            seen += kept == OCT_OPEN;
            // What blocks hides whether it was seen.
            if (own != OCT_BLOCKED && own != kept) {
                fail_msg("seed %d, cell %d %d %d: %d, not %d", (int)seed, cell.x, cell.y, cell.z,
                         (int)kept, (int)own);
            }
        }
        assert_true(seen > 100);
        oct_map_destroy(padded);
        oct_map_destroy(plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sighted_cells_are_those_of_a_map_without_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
