// SPDX-License-Identifier: MIT
// Pages of the lattice and the moves between cells, against looks at single cells.
#include "classic/cells.h"
#include "classic/corner.h"
#include "octant/tree.h"
#include "view_support.h"

#include <math.h>

static bool window_bit(const uint64_t window[WINDOW_LAYERS], int x, int y, int z)
{
    return window[z + 1] >> (6 * (y + 1) + x + 1) & 1u;
}

static oct_vec random_page(const tree_model *model, oct_random *random)
{
    const oct_vec cell = model_random_cell(model, random);
    return (oct_vec){cell.x & -4, cell.y & -4, model->dims == 3 ? cell.z & -4 : 0};
}

static void check_window(const view *v, oct_vec at)
{
    uint64_t window[WINDOW_LAYERS];
    oct_pages_look(v, at, window);
    for (int z = -1; z <= 4; z++) {
        const bool is_there = v->dims == 3 || z == 0;
        assert_true(window[z + 1] >> 36 == 0);
        for (int y = -1; y <= 4; y++) {
            for (int x = -1; x <= 4; x++) {
                const oct_vec cell = {at.x + x, at.y + y, at.z + z};
                assert_int_equal(window_bit(window, x, y, z), is_there && view_is_free(v, cell));
            }
        }
    }
}

// The cells around a cell, the octants around its lower corner, and its leaf.
static void check_page(const view *v, const map_page *page)
{
    for (uint32_t i = 0; i < (v->dims == 3 ? PAGE_CELLS : 16u); i++) {
        const oct_vec cell = {page->x + (int32_t)(i & 3u), page->y + (int32_t)(i >> 2 & 3u),
                              page->z + (int32_t)(i >> 4)};
        assert_int_equal(page_cell(cell), i);
        const uint64_t around = cells_around(page, i);
        for (int d = 0; d < 27; d++) {
            const int x = d % 3 - 1, y = d / 3 % 3 - 1, z = d / 9 - 1;
            const bool is_free = (v->dims == 3 || z == 0) &&
                                 view_is_free(v, (oct_vec){cell.x + x, cell.y + y, cell.z + z});
            assert_int_equal(around >> (x + 1 + 6 * (y + 1) + 20 * (z + 1)) & 1u, is_free);
        }
        const oct_fine point = {(int64_t)cell.x * OCT_FINE, (int64_t)cell.y * OCT_FINE,
                                v->dims == 3 ? (int64_t)cell.z * OCT_FINE : FLAT_Z};
        assert_int_equal(page_octants(v->dims, page, i), oct_view_octants(v, point));
        const oct_leaf leaf = oct_view_leaf(v, cell);
        assert_int_equal(page_leaf_level(page, i), leaf.level);
        if (!page->is_cut && view_holds(v, cell)) {
            const oct_box box = view_leaf_box(v, leaf);
            assert_int_equal(box.max.x - box.min.x, INT64_C(1) << leaf.level);
            assert_int_equal(box.max.y - box.min.y, INT64_C(1) << leaf.level);
            assert_true(v->dims == 2 || box.max.z - box.min.z == INT64_C(1) << leaf.level);
        }
    }
}

// Pages are found again, and know their neighbours.
static void check_pages(const view *v, const tree_model *model, oct_random *random,
                        page_table *table, const oct_allocator *heap)
{
    assert_int_equal(oct_pages_begin(table, heap), OCT_OK);
    for (int i = 0; i < 10; i++) {
        const oct_vec at = random_page(model, random);
        uint32_t page, again, beside, back;
        assert_int_equal(oct_pages_find(table, heap, v, at, &page), OCT_OK);
        assert_true(page > 0);
        const map_page *found = page_at(table, page);
        assert_true(found->x == at.x && found->y == at.y && found->z == at.z);
        check_page(v, found);
        const oct_vec last = {at.x + 3, at.y + 3, at.z + (v->dims == 3 ? 3 : 0)};
        assert_int_equal(oct_pages_find(table, heap, v, last, &again), OCT_OK);
        assert_int_equal(again, page);
        uint32_t link = (uint32_t)oct_random_below(random, 27);
        link = v->dims == 3 ? link : 9 + link % 9;
        assert_int_equal(oct_pages_link(table, heap, v, page, link, &beside), OCT_OK);
        found = page_at(table, beside);
        assert_int_equal(found->x, at.x + 4 * ((int)link % 3 - 1));
        assert_int_equal(found->y, at.y + 4 * ((int)link / 3 % 3 - 1));
        assert_int_equal(found->z, at.z + 4 * ((int)link / 9 - 1));
        assert_int_equal(oct_pages_link(table, heap, v, beside, 26 - link, &back), OCT_OK);
        assert_int_equal(back, page);
    }
}

static void run_worlds(int dims, uint64_t seed, oct_vec base, int worlds)
{
    const oct_allocator heap = oct_allocator_default();
    oct_random random = oct_random_seed(seed);
    page_table table = {.pages = {0}};
    for (int i = 0; i < worlds; i++) {
        static tree_model model;
        oct_tree *const tree = model_new_tree(dims, NULL);
        model_init(&model, dims, base);
        for (int edits = i % 20; edits > 0; edits--) {
            model_random_edit(&model, tree, &random);
        }
        for (int k = 0; k < 4; k++) {
            const view v = test_random_view(&model, tree, &random);
            for (int page = 0; page < 10; page++) {
                check_window(&v, random_page(&model, &random));
            }
            check_pages(&v, &model, &random, &table, &heap);
        }
        oct_tree_destroy(tree);
    }
    oct_pages_free(&table, &heap);
}

static void pages_show_the_map(void **state)
{
    (void)state;
    run_worlds(2, 1, (oct_vec){0, 0, 0}, 60);
    run_worlds(2, 2, (oct_vec){-20, -1000, 0}, 60);
    run_worlds(3, 3, (oct_vec){0, 0, 0}, 60);
    run_worlds(3, 4, (oct_vec){-8, -12, -24}, 60);
    run_worlds(3, 5, (oct_vec){-7, 1001, 3}, 40);
}

// At both ends of the lattice.
static void pages_at_the_end_of_the_lattice(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        for (int end = 0; end < 2; end++) {
            const int32_t lo = end ? OCT_RANGE - 8 : -OCT_RANGE;
            oct_tree *const tree = model_new_tree(dims, NULL);
            const oct_box box = {{lo, lo, lo}, {lo + 8, lo + 5, lo + 8}};
            assert_int_equal(oct_tree_set_box(tree, box, OCT_MARK_OPEN), OCT_OK);
            for (int unknown = 0; unknown < 2; unknown++) {
                const view v = test_view(tree, unknown, LATTICE);
                for (int32_t i = 0; i < 8; i++) {
                    check_window(&v, (oct_vec){lo + 4 * (i & 1), lo + 2 * (i & 2),
                                               dims == 3 ? lo + (i & 4) : 0});
                }
            }
            oct_tree_destroy(tree);
        }
    }
}

// ---- moves ----

// Whether every cell of the box that a move spans is free.
static bool is_legal(uint32_t free, int x, int y, int z)
{
    for (int o = 0; o < 8; o++) {
        const int cx = o & 1 ? x : 0, cy = o & 2 ? y : 0, cz = o & 4 ? z : 0;
        if (!(free >> (13 + cx + 3 * cy + 9 * cz) & 1u)) {
            return false;
        }
    }
    return x != 0 || y != 0 || z != 0;
}

static void moves_need_the_whole_box(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(6);
    for (int i = 0; i < 100000; i++) {
        // The cell itself is free; few or many of the others are.
        uint32_t free = (uint32_t)oct_random_next(&random) & 0x7ffffffu;
        free |= i % 3 ? (uint32_t)oct_random_next(&random) & 0x7ffffffu : 0u;
        free |= i % 3 == 2 ? (uint32_t)oct_random_next(&random) & 0x7ffffffu : 0u;
        free |= 1u << 13;
        uint64_t around = 0, expected = 0;
        for (int d = 0; d < 27; d++) {
            const int x = d % 3 - 1, y = d / 3 % 3 - 1, z = d / 9 - 1;
            const uint64_t bit = UINT64_C(1) << (x + 1 + 6 * (y + 1) + 20 * (z + 1));
            assert_int_equal(cells_direction[oct_lowest_bit(bit)], d);
            around |= free >> d & 1u ? bit : 0;
            expected |= is_legal(free, x, y, z) ? bit : 0;
        }
        assert_true(cells_legal(around) == expected);
    }
}

static void moves_cost_their_length(void **state)
{
    (void)state;
    for (int d = 0; d < 27; d++) {
        const int x = d % 3 - 1, y = d / 3 % 3 - 1, z = d / 9 - 1;
        const double length = sqrt((double)(x * x + y * y + z * z));
        assert_true(cells_cost[d] >= length && cells_cost[d] < length + COST_QUANTUM);
        const double quanta = cells_cost[d] / COST_QUANTUM;
        assert_true(quanta == floor(quanta));
    }
}

// Sets of octants that are connected over faces.
static void octants_are_one_or_several(void **state)
{
    (void)state;
    for (uint32_t set = 1; set < 256; set++) {
        const uint32_t first = octants_joined(set & (0u - set), set);
        assert_int_equal(octants_are_one(set), first == set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_show_the_map),
        cmocka_unit_test(pages_at_the_end_of_the_lattice),
        cmocka_unit_test(moves_need_the_whole_box),
        cmocka_unit_test(moves_cost_their_length),
        cmocka_unit_test(octants_are_one_or_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
