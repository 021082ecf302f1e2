// SPDX-License-Identifier: MIT
// Where starts and goals join the graphs, against a loop over all cells.
#include "octant/tree.h"
#include "view_support.h"

// What a loop over all cells finds.
typedef struct nearest {
    bool found;
    oct_int128 distance;
    oct_vec cell;
    oct_fine at;
} nearest;

static int64_t clamp(int64_t at, int32_t cell)
{
    const int64_t lo = (int64_t)cell * OCT_FINE, hi = lo + OCT_FINE;
    return at < lo ? lo : at > hi ? hi : at;
}

static bool lower(oct_vec a, oct_vec b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static void try_cell(nearest *best, const view *v, oct_fine at, oct_vec cell)
{
    const oct_fine to = {clamp(at.x, cell.x), clamp(at.y, cell.y), clamp(at.z, cell.z)};
    const oct_int128 x = to.x - at.x, y = to.y - at.y, z = to.z - at.z;
    const oct_int128 distance = x * x + y * y + z * z;
    const bool better = !best->found || distance < best->distance ||
                        (distance == best->distance && lower(cell, best->cell));
    if (better && view_is_free(v, cell)) {
        *best = (nearest){true, distance, cell, to};
    }
}

static nearest nearest_of_box(const view *v, oct_fine at, oct_box box)
{
    nearest best = {0};
    for (int32_t x = box.min.x; x < box.max.x; x++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t z = box.min.z; z < box.max.z; z++) {
                try_cell(&best, v, at, (oct_vec){x, y, z});
            }
        }
    }
    return best;
}

static bool same_cell(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The place's octants are those that are connected with the cell.
static void check_octants(const view *v, const anchor *found)
{
    uint32_t own = 0, free = 0;
    for (uint32_t o = 0; o < 8; o++) {
        const oct_vec cell = octant_cell(found->place.at, o);
        own |= (uint32_t)same_cell(cell, found->cell) << o;
        free |= (uint32_t)view_is_free(v, cell) << o;
    }
    assert_true(own != 0);
    assert_int_equal(found->place.octants, octants_joined(own, free));
}

static void check_anchor(const view *v, oct_fine at, oct_vec cell, const nearest *expected)
{
    anchor found;
    const bool any = oct_view_anchor(v, at, cell, &found);
    if (view_is_free(v, cell)) {
        assert_true(any && !found.out && same_cell(found.cell, cell));
        assert_memory_equal(&found.place.at, &at, sizeof at);
        check_octants(v, &found);
        return;
    }
    assert_int_equal(any, expected->found);
    if (any) {
        assert_true(found.out);
        assert_true(same_cell(found.cell, expected->cell));
        assert_memory_equal(&found.place.at, &expected->at, sizeof at);
        check_octants(v, &found);
    }
}

// ---- small worlds ----

static int64_t random_coordinate(oct_random *random, int32_t base)
{
    static const int32_t steps[] = {1, 64, 128, 256, 1024};
    const int32_t step = steps[oct_random_below(random, 5)];
    const int32_t cells = MODEL_EDGE + 10;
    return (int64_t)base * OCT_FINE +
           oct_random_range(random, -10 * OCT_FINE, cells * OCT_FINE) / step * step;
}

// A box around the region, as far as any nearest free cell of a point around it can be.
static oct_box around_region(const view *v, const tree_model *model)
{
    const oct_vec base = model->base;
    const int32_t more = 12, last = MODEL_EDGE + more;
    const oct_box box = {
        {test_in_range((int64_t)base.x - more), test_in_range((int64_t)base.y - more),
         test_in_range((int64_t)base.z - more)},
        {test_in_range((int64_t)base.x + last), test_in_range((int64_t)base.y + last),
         test_in_range((int64_t)base.z + last)}};
    return box_common(box, v->bounds);
}

static void run_small_world(int dims, uint64_t seed, oct_vec base, int edits, int points)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    tree_model model;
    model_init(&model, dims, base);
    for (int edit = 0; edit < edits; edit++) {
        if (edit == 1 && seed % 2 == 0) { // much that is in the way
            const oct_box box = {base,
                                 {base.x + MODEL_EDGE, base.y + MODEL_EDGE, base.z + MODEL_EDGE}};
            model_set_box(&model, box, OCT_MARK_BLOCKED);
            assert_int_equal(oct_tree_set_box(tree, box, OCT_MARK_BLOCKED), OCT_OK);
        } else if (edit > 0) {
            model_random_edit(&model, tree, &random);
        }
        for (int i = 0; i < points; i++) {
            const view v = test_random_view(&model, tree, &random);
            const oct_fine at = {random_coordinate(&random, base.x),
                                 random_coordinate(&random, base.y),
                                 dims == 3 ? random_coordinate(&random, base.z) : FLAT_Z};
            const nearest expected = nearest_of_box(&v, at, around_region(&v, &model));
            check_anchor(&v, at, octant_cell(at, (uint32_t)oct_random_below(&random, 8)),
                         &expected);
        }
    }
    oct_tree_destroy(tree);
}

static void small_worlds_match_a_loop_over_all_cells(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(12); seed++) {
        run_small_world(3, seed, (oct_vec){-11, 3, -1000}, 6, 10);
        run_small_world(2, seed, (oct_vec){-11, 3, 0}, 20, 40);
        run_small_world(2, seed + 100, (oct_vec){20, -60, 0}, 20, 40);
    }
    const int32_t last = OCT_RANGE - MODEL_EDGE;
    run_small_world(3, 50, (oct_vec){last, -OCT_RANGE, 8}, 6, 10);
    run_small_world(2, 51, (oct_vec){-OCT_RANGE, last, 0}, 12, 40);
}

// ---- the whole lattice ----

static int32_t anywhere(oct_random *random)
{
    return oct_random_range(random, -OCT_RANGE, OCT_RANGE - 1);
}

static void run_far_cells(int dims, uint64_t seed)
{
    enum { COUNT = 12 };
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    oct_vec cells[COUNT];
    for (int i = 0; i < COUNT; i++) {
        cells[i] =
            (oct_vec){anywhere(&random), anywhere(&random), dims == 3 ? anywhere(&random) : 0};
        assert_int_equal(
            oct_tree_set(tree, (oct_cell){cells[i].x, cells[i].y, cells[i].z, 0}, OCT_MARK_OPEN),
            OCT_OK);
    }
    const view v = test_view(tree, false, LATTICE);
    for (int i = 0; i < 100; i++) {
        const oct_vec cell = {anywhere(&random), anywhere(&random),
                              dims == 3 ? anywhere(&random) : 0};
        const oct_fine at = {(int64_t)cell.x * OCT_FINE + oct_random_range(&random, 0, OCT_FINE),
                             (int64_t)cell.y * OCT_FINE + oct_random_range(&random, 0, OCT_FINE),
                             dims == 3 ? (int64_t)cell.z * OCT_FINE : FLAT_Z};
        nearest expected = {0};
        for (int k = 0; k < COUNT; k++) {
            try_cell(&expected, &v, at, cells[k]);
        }
        check_anchor(&v, at, cell, &expected);
    }
    oct_tree_destroy(tree);
}

static void distances_across_the_lattice_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(20); seed++) {
        run_far_cells(3, seed);
        run_far_cells(2, seed);
    }
}

// ---- walls ----

// Every start in a wall leaves it at its nearest side, the lower one in the middle, and has nothing
// to do with the other side.
static void run_wall(int dims, int32_t from, int32_t thick, oct_mark inside, bool merged)
{
    oct_tree *tree = model_new_tree(dims, NULL);
    const oct_box room = {{-32, -32, -32}, {32, 32, 32}};
    const oct_box wall = {{from, -32, -32}, {from + thick, 32, 32}};
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, wall, inside), OCT_OK);
    for (int32_t y = -32; y < 32 && !merged; y += 2) { // cells that differ do not merge
        const oct_box row = {{from, y, -32}, {from + thick, y + 1, 32}};
        assert_int_equal(oct_tree_set_box(tree, row, OCT_MARK_SOLID), OCT_OK);
        assert_int_equal(oct_tree_set_box(tree, row, OCT_MARK_UNSEEN), OCT_OK);
    }
    const view v = test_view(tree, false, LATTICE);
    const int64_t lo = (int64_t)from * OCT_FINE, hi = lo + (int64_t)thick * OCT_FINE;
    for (int64_t x = lo; x <= hi; x++) {
        for (int32_t y = -3; y <= 3; y++) {
            const oct_fine at = {x, y * 100, dims == 3 ? y * 128 : FLAT_Z};
            const int32_t column = fine_cell(x == hi ? x - 1 : x);
            anchor found;
            assert_true(oct_view_anchor(&v, at, (oct_vec){column, fine_cell(at.y), fine_cell(at.z)},
                                        &found));
            const bool low = x - lo <= hi - x;
            assert_true(found.out);
            assert_int_equal(found.place.at.x, low ? lo : hi);
            assert_int_equal(found.place.at.y, at.y);
            assert_int_equal(found.place.at.z, at.z);
            assert_int_equal(found.cell.x, low ? from - 1 : from + thick);
            assert_int_equal(found.place.octants, low ? 0x55u : 0xaau);
        }
    }
    oct_tree_destroy(tree);
}

static void a_wall_is_left_at_its_nearest_side_only(void **state)
{
    (void)state;
    static const int32_t walls[][2] = {{0, 1}, {3, 1}, {7, 2}, {8, 2}, {-16, 8}, {5, 9}, {0, 16}};
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++) {
        for (int dims = 2; dims <= 3; dims++) {
            run_wall(dims, walls[i][0], walls[i][1], OCT_MARK_BLOCKED, true);
            run_wall(dims, walls[i][0], walls[i][1], OCT_MARK_BLOCKED, false);
            run_wall(dims, walls[i][0], walls[i][1], OCT_MARK_UNKNOWN, false);
        }
    }
}

static void nothing_free_is_told(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_fine at = {0, 0, 0};
    const oct_vec cell = {0, 0, 0};
    anchor found;
    view v = test_view(tree, false, LATTICE);
    assert_false(oct_view_anchor(&v, at, cell, &found));
    assert_int_equal(oct_tree_set(tree, (oct_cell){5, 5, 5, 0}, OCT_MARK_OPEN), OCT_OK);
    assert_true(oct_view_anchor(&v, at, cell, &found));
    assert_int_equal(found.place.octants, 0x80u);
    v.bounds = (oct_box){{0, 0, 0}, {6, 6, 5}};
    assert_false(oct_view_anchor(&v, at, cell, &found));
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_worlds_match_a_loop_over_all_cells),
        cmocka_unit_test(distances_across_the_lattice_are_exact),
        cmocka_unit_test(a_wall_is_left_at_its_nearest_side_only),
        cmocka_unit_test(nothing_free_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
