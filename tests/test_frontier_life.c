// SPDX-License-Identifier: MIT
// How a frontier begins, fails and grows: memory, journals that were lost, large spaces.
#include "frontier_support.h"
#include "octant/components.h"
#include "octant/tree.h"

#define HUGE_EDGE (INT32_C(1) << 20)

static void set_box(oct_map *map, oct_box box, oct_mark mark)
{
    assert_int_equal(oct_map_set_box(map, box, mark), OCT_OK);
}

static void update(oct_frontier *f)
{
    assert_int_equal(oct_frontier_update(f), OCT_OK);
}

static oct_box cube(int32_t at, int32_t edge)
{
    return (oct_box){{at, at, at}, {at + edge, at + edge, at + edge}};
}

static bool nearest(oct_frontier *f, oct_fine at, oct_vec *cell)
{
    return oct_frontier_nearest(f, at, NULL, HUGE_VAL, 0.0, cell, NULL);
}

static void assert_cell(oct_vec cell, int32_t x, int32_t y, int32_t z)
{
    assert_int_equal(cell.x, x);
    assert_int_equal(cell.y, y);
    assert_int_equal(cell.z, z);
}

// ---- beginning ----

static void definitions_are_checked(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 8);
    oct_frontier *f = NULL;
    oct_frontier_def def = oct_frontier_def_default();
    assert_int_equal(oct_frontier_create(&def, &f), OCT_ERROR_ARGUMENT);
    assert_null(f);
    def.map = map;
    def.cookie++;
    assert_int_equal(oct_frontier_create(&def, &f), OCT_ERROR_ARGUMENT);
    oct_frontier_destroy(NULL);
    f = frontier_of(map, NULL);
    oct_vec cell;
    assert_false(nearest(f, (oct_fine){0, 0, 0}, &cell));
    assert_int_equal(oct_frontier_count(f), 0);
    assert_true(frontier_is_right(f));
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

// Cells beyond the bounds are neither OPEN nor UNKNOWN.
static void bounds_end_the_world(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 8);
    set_box(map, cube(0, 16), OCT_MARK_OPEN);
    const oct_box same = cube(0, 16), less = cube(3, 9), more = {{0, 0, 0}, {17, 16, 16}};
    const oct_box none = cube(5, 0), elsewhere = cube(100, 9);
    const oct_box *bounds[] = {&same, &less, &more, &none, &elsewhere};
    const uint64_t counts[] = {0, 0, 256, 0, 0};
    for (size_t i = 0; i < 5; i++) {
        oct_frontier *f = frontier_of(map, bounds[i]);
        assert_int_equal(oct_frontier_count(f), counts[i]);
        assert_true(frontier_is_right(f));
        oct_frontier_destroy(f);
    }
    oct_map_destroy(map);
}

static void facts_alone_change_nothing(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 8);
    set_box(map, cube(0, 8), OCT_MARK_OPEN);
    set_box(map, cube(8, 8), OCT_MARK_SOLID);
    oct_frontier *f = frontier_of(map, NULL);
    const uint64_t count = oct_frontier_count(f), revision = oct_tree_revision(oct_map_tree(map));
    set_box(map, cube(9, 3), OCT_MARK_KNOWN);
    assert_int_equal(oct_tree_revision(oct_map_tree(map)), revision + 1);
    update(f);
    assert_int_equal(oct_frontier_revision(f), revision + 1);
    assert_int_equal(oct_frontier_count(f), count);
    assert_true(frontier_is_right(f));
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

static void a_lost_journal_is_no_loss(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 3);
    set_box(map, cube(0, 12), OCT_MARK_OPEN);
    oct_frontier *f = frontier_of(map, NULL);
    assert_int_equal(oct_frontier_skip(f, (oct_vec){0, 5, 5}), OCT_OK);
    assert_int_equal(oct_frontier_skip(f, (oct_vec){11, 5, 5}), OCT_OK);
    for (int32_t i = 0; i < 9; i++) {
        set_box(map, cube(10 + 2 * i, 3), i % 3 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
    }
    set_box(map, (oct_box){{12, 5, 5}, {13, 6, 6}}, OCT_MARK_BLOCKED);
    update(f);
    assert_true(frontier_is_right(f));
    scanned.count = 0;
    scan_box(map, NULL, f, cube(-2, 40));
    assert_int_equal(oct_frontier_count(f), scanned.count);
    // What is skipped is still known, and that something has changed around one of them.
    oct_vec cell;
    const oct_fine low = {128, 5 * 256 + 128, 5 * 256 + 128};
    assert_true(nearest(f, low, &cell));
    assert_cell(cell, 0, 5, 4);
    assert_false(oct_frontier_has(f, (oct_vec){11, 5, 5}));
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

// The root of the map moves on by parts of its size: what is still in it is kept.
static void a_moving_root_is_followed(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        oct_map *map = arena_map(dims, 64);
        oct_frontier *f = frontier_of(map, NULL);
        for (int32_t i = 0; i < 60; i++) {
            const int32_t x = i < 30 ? 5 * i : 5 * (60 - i), y = -3 * i;
            const oct_view view = {
                .centre = {x + 0.5, y + 0.5, 0.5}, .radius = 9.0, .sight = OCT_SIGHT_THROUGH};
            assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_OK);
            if (i % 2) {
                assert_int_equal(oct_map_keep(map, view.centre, 13.0), OCT_OK);
            }
            if (i % 3 == 0) {
                assert_int_equal(oct_frontier_skip(f, (oct_vec){x - 8, y, 0}), OCT_OK);
            }
            update(f);
            assert_true(frontier_is_right(f));
            assert_true(oct_frontier_count(f) > 30);
        }
        oct_frontier_destroy(f);
        oct_map_destroy(map);
    }
}

// ---- large spaces ----

static bool count_boxes(void *ctx, const oct_box *box)
{
    (void)box;
    ++*(int *)ctx;
    return true;
}

static void huge_spaces_are_small(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 64);
    oct_frontier *f = frontier_of(map, NULL);
    set_box(map, cube(0, HUGE_EDGE), OCT_MARK_OPEN);
    update(f);
    const uint64_t edge = HUGE_EDGE, inner = edge - 2;
    assert_int_equal(oct_frontier_count(f), edge * edge * edge - inner * inner * inner);
    assert_true(oct_frontier_bytes(f) < 4096);
    int boxes = 0;
    assert_true(oct_frontier_visit(f, NULL, count_boxes, &boxes));
    assert_int_equal(boxes, 6);
    oct_vec cell;
    const int32_t middle = HUGE_EDGE / 2;
    const oct_fine at = {70 * 256 + 3, middle * INT64_C(256) + 128, middle * INT64_C(256)};
    assert_true(nearest(f, at, &cell));
    assert_cell(cell, 0, middle, middle - 1);
    // A cell of a large face is left out, and after an edit far away it still is.
    assert_int_equal(oct_frontier_skip(f, cell), OCT_OK);
    assert_true(nearest(f, at, &cell));
    assert_cell(cell, 0, middle, middle);
    set_box(map, cube(HUGE_EDGE / 3, 9), OCT_MARK_UNKNOWN);
    set_box(map, cube(HUGE_EDGE + 4, 9), OCT_MARK_OPEN);
    update(f);
    assert_true(nearest(f, at, &cell));
    assert_cell(cell, 0, middle, middle);
    assert_true(oct_frontier_has(f, (oct_vec){0, middle, middle - 1}));
    assert_int_equal(oct_frontier_count(f),
                     edge * edge * edge - inner * inner * inner + 6 * 81 + 729 - 343);
    assert_true(oct_frontier_bytes(f) < 128 * 1024);
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

static void the_whole_lattice_has_a_frontier(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 64);
    set_box(map, (oct_box){{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}},
            OCT_MARK_OPEN);
    oct_frontier *f = frontier_of(map, NULL);
    const uint64_t edge = UINT64_C(1) << 31, inner = edge - 2;
    assert_true(oct_frontier_count(f) == edge * edge * edge - inner * inner * inner);
    assert_true(oct_frontier_bytes(f) < 4096);
    oct_vec cell;
    const oct_fine at = {(OCT_RANGE - 5) * INT64_C(256), 77, -999};
    assert_true(nearest(f, at, &cell));
    assert_cell(cell, OCT_RANGE - 1, 0, -4);
    const oct_fine beyond = {INT64_C(1) << 39, INT64_C(1) << 39, -(INT64_C(1) << 39)};
    assert_true(nearest(f, beyond, &cell));
    assert_cell(cell, OCT_RANGE - 1, OCT_RANGE - 1, -OCT_RANGE);
    assert_int_equal(oct_frontier_skip(f, cell), OCT_OK);
    assert_true(nearest(f, beyond, &cell));
    assert_true(oct_frontier_has(f, cell));
    oct_frontier_destroy(f);
    const oct_box half = {{-OCT_RANGE, -OCT_RANGE, -7}, {7, OCT_RANGE, OCT_RANGE + 1}};
    f = frontier_of(map, &half);
    // Beyond the lattice there is something to see on one side alone.
    assert_int_equal(oct_frontier_count(f), ((UINT64_C(1) << 30) + 7) << 31);
    assert_true(oct_frontier_bytes(f) < 4096);
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

// ---- memory ----

static oct_result fail_somewhere(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_map *map = arena_map(3, 64);
    set_box(map, cube(0, 20), OCT_MARK_OPEN);
    set_box(map, cube(3, 5), OCT_MARK_UNKNOWN);
    oct_frontier_def def = oct_frontier_def_default();
    def.map = map;
    def.allocator = allocator;
    oct_frontier *f;
    oct_result result = oct_frontier_create(&def, &f);
    if (result != OCT_OK) {
        assert_null(f);
        oct_map_destroy(map);
        return result;
    }
    for (int32_t i = 0; i < 6 && result == OCT_OK; i++) {
        const uint64_t count = oct_frontier_count(f);
        result = oct_frontier_skip(f, (oct_vec){0, 2 * i, 7});
        assert_int_equal(oct_frontier_count(f), count);
        assert_true(oct_frontier_has(f, (oct_vec){0, 2 * i, 7}));
        if (result != OCT_OK) {
            break;
        }
        set_box(map, cube(30 * i - 60, 3 + i), i % 2 ? OCT_MARK_UNKNOWN : OCT_MARK_OPEN);
        set_box(map, cube(2 * i, 7), OCT_MARK_BLOCKED);
        set_box(map, cube(2 * i + 1, 5), i % 2 ? OCT_MARK_UNKNOWN : OCT_MARK_OPEN);
        result = oct_frontier_update(f);
        if (result != OCT_OK) {
            // Holds nothing, and comes back.
            oct_vec cell;
            assert_int_equal(oct_frontier_count(f), 0);
            assert_false(nearest(f, (oct_fine){0, 0, 0}, &cell));
            assert_true(frontier_is_right(f));
            assert_int_equal(oct_frontier_skip(f, (oct_vec){0, 0, 7}), OCT_OK);
        }
    }
    update(f);
    // The check needs memory, too: none may be refused any more.
    assert_true(result == OCT_OK || frontier_is_right(f));
    oct_frontier_destroy(f);
    oct_map_destroy(map);
    return result;
}

// Layers become bricks one after the other; a failure leaves the set as it was.
static oct_result fail_to_skip(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_map *map = arena_map(3, 64);
    set_box(map, cube(0, 32), OCT_MARK_OPEN);
    oct_frontier_def def = oct_frontier_def_default();
    def.map = map;
    def.allocator = allocator;
    oct_frontier *f;
    oct_result result = oct_frontier_create(&def, &f);
    if (result != OCT_OK) {
        oct_map_destroy(map);
        return result;
    }
    const uint64_t count = oct_frontier_count(f);
    for (int32_t i = 0; i < 64 && result == OCT_OK; i++) {
        const oct_vec cell = {0, i % 8 * 4, i / 8 * 4};
        result = oct_frontier_skip(f, cell);
        assert_int_equal(oct_frontier_count(f), count);
        assert_true(oct_frontier_has(f, cell));
    }
    if (result != OCT_OK) {
        assert_true(frontier_is_right(f));
    }
    oct_frontier_destroy(f);
    oct_map_destroy(map);
    return result;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_each_failure(fail_to_skip, NULL) > 10);
    assert_true(test_each_failure(fail_somewhere, NULL) > 10);
}

static bool add_hash(void *ctx, const oct_box *box)
{
    uint64_t *hash = ctx;
    *hash = *hash * 31u + oct_hash_bytes(box, sizeof *box);
    return true;
}

static oct_components *components_of(const oct_map *map)
{
    oct_components_def def = oct_components_def_default();
    def.tree = oct_map_tree(map);
    oct_components *c;
    assert_int_equal(oct_components_create(&def, &c), OCT_OK);
    return c;
}

// One round of an explorer's life; the hash of all that was told.
static uint64_t round_of_life(oct_map *map, oct_frontier *f)
{
    uint64_t hash = 0;
    const oct_box everything = cube(-60, 160);
    for (int32_t i = 0; i < 8; i++) {
        const oct_view view = {
            .centre = {10.5 + 4 * i, 10.5, 10.5}, .radius = 9.0, .sight = OCT_SIGHT_THROUGH};
        assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_OK);
        set_box(map, cube(10 + 4 * i, 3), OCT_MARK_BLOCKED);
        update(f);
        oct_components *c = components_of(map);
        oct_frontier_select(f, c, oct_components_at(c, (oct_vec){10, 10, 9}));
        for (int32_t k = 0; k < 20; k++) {
            oct_vec cell;
            const oct_fine at = {256 * (9 + k + i), 256 * 10, 256 * k};
            if (oct_frontier_nearest(f, at, NULL, 40.0, 0.0, &cell, NULL)) {
                hash = hash * 31u + oct_hash_bytes(&cell, sizeof cell);
                if (k % 7 == 0) {
                    assert_int_equal(oct_frontier_skip(f, cell), OCT_OK);
                }
            }
        }
        oct_frontier_visit(f, NULL, add_hash, &hash);
        oct_components_destroy(c);
    }
    set_box(map, everything, OCT_MARK_UNKNOWN);
    update(f);
    assert_int_equal(oct_frontier_count(f), 0);
    return hash;
}

static void the_same_calls_tell_the_same_and_soon_allocate_nothing(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 64);
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_frontier_def def = oct_frontier_def_default();
    def.map = map;
    def.allocator = &memory.allocator;
    oct_frontier *f;
    assert_int_equal(oct_frontier_create(&def, &f), OCT_OK);
    const uint64_t hash = round_of_life(map, f);
    const size_t allocations = memory.allocations;
    assert_true(hash == round_of_life(map, f));
    assert_int_equal(memory.allocations, allocations);
    oct_frontier_destroy(f);
    test_allocator_check_empty(&memory);
    oct_map_destroy(map);
}

// Stamps come round again after 2^32 selections.
static void old_selections_do_not_come_back(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 64);
    set_box(map, (oct_box){{0, 0, 0}, {7, 7, 7}}, OCT_MARK_OPEN);
    set_box(map, (oct_box){{40, 0, 0}, {47, 7, 7}}, OCT_MARK_OPEN);
    oct_frontier *f = frontier_of(map, NULL);
    oct_components *c = components_of(map);
    const uint32_t first = oct_components_at(c, (oct_vec){1, 1, 1});
    const uint32_t second = oct_components_at(c, (oct_vec){41, 1, 1});
    assert_true(first != second);
    const oct_fine at = {5 * 256, 256, 256};
    oct_vec cell;
    // Up to the stamp 2, at which the second one's nodes were found not to count.
    oct_frontier_select(f, NULL, 0);
    f->stamps = 1;
    oct_front_select_again(f, c, first);
    assert_int_equal(f->stamp, 2);
    uint64_t hash = 0;
    oct_frontier_visit(f, NULL, add_hash, &hash);
    f->stamps = UINT32_MAX;
    oct_frontier_select(f, c, first);
    assert_int_equal(f->stamp, 1);
    oct_frontier_select(f, c, second);
    assert_int_equal(f->stamp, 2);
    assert_true(nearest(f, at, &cell));
    assert_true(cell.x >= 40);
    // Nor is the first one taken up again by its old stamp.
    oct_front_select_again(f, c, first);
    assert_true(nearest(f, at, &cell));
    assert_true(cell.x < 8);
    oct_components_destroy(c);
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

// Components that failed know nothing: every cell is of the component 1.
static void components_that_know_nothing_count_everything(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 64);
    set_box(map, (oct_box){{0, 0, 0}, {7, 7, 7}}, OCT_MARK_OPEN);
    oct_components *c = components_of(map);
    oct_frontier *f = frontier_of(map, NULL);
    c->known = false;
    oct_vec cell;
    oct_frontier_select(f, c, 1);
    assert_true(nearest(f, (oct_fine){0, 0, 0}, &cell));
    oct_frontier_select(f, c, 2);
    assert_false(nearest(f, (oct_fine){0, 0, 0}, &cell));
    oct_components_destroy(c);
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

// The validity check notices what is wrong.
static void damage_is_noticed(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 64);
    set_box(map, (oct_box){{0, 0, 0}, {21, 7, 7}}, OCT_MARK_OPEN);
    oct_frontier *f = frontier_of(map, NULL);
    assert_true(frontier_is_right(f));
    f->count++;
    assert_false(frontier_is_right(f));
    f->count--;
    front_brick *b = front_brick_at(f, 1);
    const front_brick kept = *b;
    b->cells &= b->cells - 1u;
    f->count--;
    assert_false(frontier_is_right(f));
    f->count++;
    *b = kept;
    b->skipped = b->cells & (0u - b->cells);
    assert_false(frontier_is_right(f));
    *b = kept;
    b->skipped = ~b->cells;
    assert_false(frontier_is_right(f));
    *b = kept;
    f->bricks.free_count++;
    assert_false(frontier_is_right(f));
    f->bricks.free_count--;
    assert_true(frontier_is_right(f));
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(bounds_end_the_world),
        cmocka_unit_test(facts_alone_change_nothing),
        cmocka_unit_test(a_lost_journal_is_no_loss),
        cmocka_unit_test(a_moving_root_is_followed),
        cmocka_unit_test(huge_spaces_are_small),
        cmocka_unit_test(the_whole_lattice_has_a_frontier),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_same_calls_tell_the_same_and_soon_allocate_nothing),
        cmocka_unit_test(old_selections_do_not_come_back),
        cmocka_unit_test(components_that_know_nothing_count_everything),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
