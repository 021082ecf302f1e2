// SPDX-License-Identifier: MIT
// The index of things against a plain list that is looked through from end to end.
#include "map/things_internal.h"
#include "thing_list.h"
#include "valid.h"

#include <math.h>
#include <stdio.h>

// A lattice whose numbers do not divide.
static lattice uneven(int dims)
{
    return (lattice){
        .origin = {0.1, -0.7, 12.3}, .padding = {0.59, 0.0, 1.3}, .cell_size = 0.62, .dims = dims};
}

// One whose numbers are exact, so that things begin and end on boundaries of cells.
static lattice even(int dims)
{
    return (lattice){
        .origin = {16.0, -8.0, 4.0}, .padding = {0.5, 0.0, 0.25}, .cell_size = 0.5, .dims = dims};
}

// ---- cells ----

static void covers_are_what_floor_and_ceiling_say(void **state)
{
    (void)state;
    size_t inside = 0, outside = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        const int dims = seed & 1 ? 2 : 3;
        const lattice l = seed & 2 ? uneven(dims) : even(dims);
        oct_random random = oct_random_seed(seed);
        for (int i = 0; i < 20000; i++) {
            const oct_bounds box = list_random_bounds(&random, &l, 31);
            oct_box right, got;
            const bool fits = list_cover(&l, &box, &right);
            assert_int_equal(oct_lattice_cover(&l, &box, &got), fits);
            if (fits) {
                assert_memory_equal(&got, &right, sizeof got);
            }
            inside += fits;
            outside += !fits;
        }
    }
    assert_true(inside > 20000 && outside > 20000);
}

static bool covers_x(double min, double max, oct_box *cells)
{
    const lattice l = {.cell_size = 0.5, .dims = 2};
    const oct_bounds box = {{min, 0.0, (double)NAN}, {max, 1.0, (double)NAN}};
    return oct_lattice_cover(&l, &box, cells);
}

static void covers_end_where_the_lattice_ends(void **state)
{
    (void)state;
    const double end = 0.5 * OCT_RANGE, nan = (double)NAN, inf = (double)INFINITY;
    oct_box cells;
    assert_true(covers_x(-end, end, &cells));
    assert_int_equal(cells.min.x, -OCT_RANGE);
    assert_int_equal(cells.max.x, OCT_RANGE);
    assert_int_equal(cells.min.y, 0);
    assert_int_equal(cells.max.y, 2);
    assert_int_equal(cells.min.z, 0); // at two dimensions z is not even looked at
    assert_int_equal(cells.max.z, 1);
    assert_true(covers_x(-end, -end, &cells)); // flat: the cell above the boundary
    assert_int_equal(cells.min.x, -OCT_RANGE);
    assert_int_equal(cells.max.x, -OCT_RANGE + 1);
    assert_true(covers_x(1.0, 1.0, &cells));
    assert_int_equal(cells.min.x, 2);
    assert_int_equal(cells.max.x, 3);
    assert_true(covers_x(1.1, 1.1, &cells));
    assert_int_equal(cells.min.x, 2);
    assert_int_equal(cells.max.x, 3);
    assert_false(covers_x(end, end, &cells));
    assert_false(covers_x(-end - 1e-3, 0.0, &cells));
    assert_false(covers_x(0.0, end + 1e-3, &cells));
    assert_false(covers_x(1.0, 0.5, &cells));
    assert_false(covers_x(nan, 1.0, &cells));
    assert_false(covers_x(0.0, nan, &cells));
    assert_false(covers_x(-inf, 1.0, &cells));
    assert_false(covers_x(0.0, inf, &cells));
    assert_false(covers_x(1e300, 1e300, &cells));
    assert_false(covers_x(-1e300, -1e300, &cells));
}

// ---- edits and questions ----

static void run_short(uint64_t seed, const lattice *l, int edits)
{
    static thing_list m;
    list_init(&m, seed, l, NULL);
    for (int i = 0; i < edits; i++) {
        list_edit(&m, i < edits / 2 ? 4 : 2, oct_random_below(&m.random, 4) == 0 ? 31 : 6);
        list_check(&m);
        for (int j = 0; j < 6; j++) {
            const oct_box box = list_random_cells(&m);
            list_check_question(&m, &box);
        }
    }
    oct_things_free(&m.index);
}

// The index agrees with the list after every one of thousands of edits, and holds every invariant.
static void short_runs_match_the_list(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 32; seed++) {
        const int dims = seed & 1 ? 2 : 3;
        const lattice l = seed & 2 ? uneven(dims) : even(dims);
        run_short(seed, &l, 160);
    }
}

// Cells that are tiny or huge beside the origin, so that rounding is coarse or overflows.
static void questions_miss_nothing_by_rounding(void **state)
{
    (void)state;
    const lattice lattices[] = {
        {.origin = {1e9, -1e9, 1e9}, .padding = {1.0, 1.0, 1.0}, .cell_size = 1e-3, .dims = 3},
        {.origin = {1e15, 0.1, -1e12}, .padding = {0.3, 0.3, 0.3}, .cell_size = 0.1, .dims = 3},
        {.origin = {0.0, 0.0, 0.0}, .padding = {0.0, 0.0, 0.0}, .cell_size = 1e300, .dims = 3},
        {.origin = {0.0, 0.0, 0.0}, .padding = {0.0, 0.0, 0.0}, .cell_size = 1e-316, .dims = 3},
        {.origin = {1.0, 0.0, -1.0}, .padding = {1e6, 0.0, 0.0}, .cell_size = 1.0 / 3.0, .dims = 3},
        {.origin = {0.3, 0.3, 0.3}, .padding = {0.1, 0.1, 0.1}, .cell_size = 0.1, .dims = 2},
    };
    for (uint64_t seed = 100; seed < 118; seed++) {
        run_short(seed, &lattices[seed % (sizeof lattices / sizeof *lattices)], 120);
    }
}

static void long_runs_match_the_list(void **state)
{
    (void)state;
    static thing_list m;
    const int half = (int)test_rounds(12000);
    for (uint64_t seed = 200; seed < 204; seed++) {
        const int dims = seed & 1 ? 2 : 3;
        const lattice l = seed & 2 ? uneven(dims) : even(dims);
        list_init(&m, seed, &l, NULL);
        for (int i = 0; i < 2 * half; i++) {
            // Grows for a while, then dwindles.
            list_edit(&m, i % half < half / 3 * 2 ? 5 : 1,
                      oct_random_below(&m.random, 8) == 0 ? 20 : 5);
            if (i % 40 == 0) {
                const oct_box box = list_random_cells(&m);
                list_check_question(&m, &box);
            }
            if (i % 1000 == 0) {
                list_check(&m);
            }
        }
        list_check(&m);
        oct_things_free(&m.index);
    }
}

// However large the world, nothing is left of it when the last thing has gone.
static void nodes_go_with_the_last_thing(void **state)
{
    (void)state;
    static thing_list m;
    for (uint64_t seed = 300; seed < 306; seed++) {
        const lattice l = uneven(seed & 1 ? 2 : 3);
        list_init(&m, seed, &l, NULL);
        for (int i = 0; i < 500; i++) {
            list_add(&m, list_random_bounds_inside(&m.random, &l, 20));
        }
        assert_true(m.index.node_count > 500);
        while (m.count > 0) {
            list_remove(&m, (size_t)oct_random_below(&m.random, m.count));
        }
        list_check(&m);
        assert_int_equal(m.index.node_count, 0);
        const size_t bytes = oct_things_bytes(&m.index);
        for (int i = 0; i < 500; i++) {
            list_add(&m, list_random_bounds_inside(&m.random, &l, 20));
            list_remove(&m, 0);
        }
        assert_int_equal(oct_things_bytes(&m.index), bytes); // what was freed is used again
        assert_int_equal(oct_things_shrink(&m.index), OCT_OK);
        assert_int_equal(oct_things_bytes(&m.index), 0);
        list_check(&m);
        oct_things_free(&m.index);
    }
}

// One thing as large as the lattice, one cell at each end of it, and questions about single cells.
static void the_whole_lattice_is_one_thing(void **state)
{
    (void)state;
    static thing_list m;
    for (int dims = 2; dims <= 3; dims++) {
        const lattice l = {.cell_size = 1.0, .dims = dims};
        const double end = OCT_RANGE;
        list_init(&m, 400, &l, NULL);
        list_add(&m, (oct_bounds){{-end, -end, -end}, {end, end, end}});
        list_add(&m, (oct_bounds){{-end, -end, -end}, {1.0 - end, 1.0 - end, 1.0 - end}});
        list_add(&m, (oct_bounds){{end - 1.0, end - 1.0, end - 1.0}, {end, end, end}});
        list_add(&m, (oct_bounds){{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}});
        list_check(&m);
        assert_int_equal(m.index.level_count[THING_LEVEL_TOP], 1);
        assert_int_equal(m.index.level_count[0], 2);
        const int32_t at[] = {-OCT_RANGE, -OCT_RANGE + 1, -2, -1, 0, 1, OCT_RANGE - 1};
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            const oct_box cell = {{at[i], at[i], at[i]}, {at[i] + 1, at[i] + 1, at[i] + 1}};
            list_check_question(&m, &cell);
            const oct_box rest = {{at[i], at[i], at[i]}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
            list_check_question(&m, &rest);
            const oct_box empty = {{at[i], at[i], at[i]}, {at[i], at[i] + 1, at[i] + 1}};
            list_check_question(&m, &empty);
        }
        oct_things_free(&m.index);
    }
}

static void a_visit_that_says_so_is_the_last(void **state)
{
    (void)state;
    static thing_list m;
    static list_found all, some;
    for (uint64_t seed = 500; seed < 504; seed++) {
        const lattice l = even(seed & 1 ? 2 : 3);
        const oct_box everything = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                                    {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
        const oct_box cell = {{0, 0, 0}, {1, 1, 1}};
        list_init(&m, seed, &l, NULL);
        for (int i = 0; i < 60; i++) { // large ones too, all around the cell
            const double half = list_random_length(&m.random, 12) / 2.0 + 1.0;
            list_add(&m, (oct_bounds){{l.origin.x - half, l.origin.y - half, l.origin.z - half},
                                      {l.origin.x + half, l.origin.y + half, l.origin.z + half}});
        }
        for (int i = 0; i < 2; i++) {
            const oct_box *box = i == 0 ? &everything : &cell;
            assert_true(list_ask(&m, box, SIZE_MAX, &all));
            assert_int_equal(all.count, m.count);
            for (size_t stop_at = 0; stop_at < m.count; stop_at++) {
                assert_false(list_ask(&m, box, stop_at, &some));
                assert_int_equal(some.count, stop_at + 1);
                assert_memory_equal(some.ids, all.ids, some.count * sizeof *some.ids);
            }
        }
        oct_things_free(&m.index);
    }
}

// ---- memory ----

// Packing changes neither what is list_found nor in which order, now and after further edits.
static void the_order_of_visits_depends_on_the_calls_alone(void **state)
{
    (void)state;
    static thing_list plain, packed;
    static list_found a, b;
    const oct_box everything = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                                {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    for (uint64_t seed = 600; seed < 606; seed++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        const lattice l = uneven(seed & 1 ? 2 : 3);
        list_init(&plain, seed, &l, NULL);
        list_init(&packed, seed, &l, &memory.allocator);
        for (int i = 0; i < 1500; i++) {
            list_edit(&plain, 4, 8);
            list_edit(&packed, 4, 8);
            if (i % 25 == 0) {
                assert_int_equal(oct_things_shrink(&packed.index), OCT_OK);
                list_check(&packed);
                assert_true(list_ask(&plain, &everything, SIZE_MAX, &a));
                assert_true(list_ask(&packed, &everything, SIZE_MAX, &b));
                assert_int_equal(a.count, plain.count);
                assert_int_equal(b.count, a.count);
                assert_memory_equal(a.ids, b.ids, a.count * sizeof *a.ids);
            }
        }
        oct_things_free(&plain.index);
        oct_things_free(&packed.index);
        test_allocator_check_empty(&memory);
    }
}

static void bytes_are_those_that_were_allocated(void **state)
{
    (void)state;
    static thing_list m;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    const lattice l = even(3);
    list_init(&m, 700, &l, &memory.allocator);
    assert_int_equal(memory.allocations, 0);
    for (int i = 0; i < 400; i++) {
        list_edit(&m, 5, 10);
        assert_int_equal(oct_things_bytes(&m.index), memory.live_bytes);
        if (i % 50 == 49) {
            assert_int_equal(oct_things_shrink(&m.index), OCT_OK);
            assert_int_equal(oct_things_bytes(&m.index), memory.live_bytes);
            assert_int_equal(m.index.things.capacity, m.count + 1);
            assert_int_equal(m.index.nodes.capacity, m.index.node_count + 1);
        }
    }
    oct_things_free(&m.index);
    test_allocator_check_empty(&memory);
}

// Blocks of 2.5 m in sheets, as in the largest world of Hoekzema 2024: not much more than the
// things.
static void sheets_of_blocks_take_80_bytes_a_block(void **state)
{
    (void)state;
    static thing_list m;
    for (int axis = 0; axis < 3; axis++) {
        const lattice l = {.padding = {0.59, 0.59, 0.59}, .cell_size = 0.62, .dims = 3};
        list_init(&m, 800, &l, NULL);
        for (int i = 0; i < LIST_MAX; i++) {
            const double u = 2.5 * (i % 50) - 60.0, v = 2.5 * (i / 50) - 60.0, w = 7.0;
            const oct_point at = axis == 0   ? (oct_point){w, u, v}
                                 : axis == 1 ? (oct_point){u, w, v}
                                             : (oct_point){u, v, w};
            list_add(&m, (oct_bounds){at, {at.x + 2.5, at.y + 2.5, at.z + 2.5}});
        }
        assert_int_equal(oct_things_shrink(&m.index), OCT_OK);
        list_check(&m);
        printf("%zu bytes for %zu blocks, %u nodes\n", oct_things_bytes(&m.index), m.count,
               m.index.node_count);
        assert_true(oct_things_bytes(&m.index) <= 80 * m.count);
        oct_things_free(&m.index);
    }
}

// Whatever allocation fails, the index is as it was, and the edit succeeds afterwards.
static void failed_reservations_change_nothing(void **state)
{
    (void)state;
    static thing_list m;
    size_t refused = 0;
    for (uint64_t seed = 900; seed < 906; seed++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        const lattice l = uneven(seed & 1 ? 2 : 3);
        list_init(&m, seed, &l, &memory.allocator);
        for (int i = 0; i < 150; i++) {
            for (size_t fail = 0;; fail++) {
                memory.refused = false;
                memory.fail_at = memory.allocations + fail;
                const oct_result result = oct_things_reserve(&m.index);
                memory.fail_at = TEST_NEVER;
                assert_int_equal(result, memory.refused ? OCT_ERROR_MEMORY : OCT_OK);
                list_check(&m);
                if (result == OCT_OK) {
                    break;
                }
                refused++;
            }
            // With everything reserved an edit needs no memory.
            memory.fail_at = memory.allocations;
            list_add(&m, list_random_bounds_inside(&m.random, &l, 31));
            memory.fail_at = TEST_NEVER;
            assert_false(memory.refused);
            list_check(&m);
            if (i % 10 == 9) {
                const size_t bytes = oct_things_bytes(&m.index);
                for (size_t fail = 0; fail < 4; fail++) {
                    memory.fail_at = memory.allocations + fail;
                    assert_int_equal(oct_things_shrink(&m.index), OCT_ERROR_MEMORY);
                    memory.fail_at = TEST_NEVER;
                    assert_int_equal(oct_things_bytes(&m.index), bytes);
                    list_check(&m);
                }
                // Without slack the next edit has to ask for memory.
                assert_int_equal(oct_things_shrink(&m.index), OCT_OK);
                list_check(&m);
            }
        }
        oct_things_free(&m.index);
        test_allocator_check_empty(&memory);
    }
    assert_true(refused > 100);
}

static oct_result add_and_shrink(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    const lattice l = even(3);
    oct_random random = oct_random_seed(1000);
    thing_index index;
    oct_things_init(&index, &l, allocator);
    oct_result result = OCT_OK;
    for (uint64_t id = 0; id < 40 && result == OCT_OK; id++) {
        result = oct_things_reserve(&index);
        if (result == OCT_OK) {
            const oct_thing new = {.id = id, .box = list_random_bounds_inside(&random, &l, 31)};
            oct_things_link(&index, oct_things_take(&index, &new));
        }
    }
    if (result == OCT_OK) {
        result = oct_things_shrink(&index);
    }
    oct_things_free(&index);
    return result;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_each_failure(add_and_shrink, NULL) >= 12);
}

// ---- the check itself ----

static void damage(thing_list *m, int kind)
{
    thing_index *index = &m->index;
    const uint32_t slot = oct_things_find(index, m->list[0].thing.id);
    oct_box cells;
    assert_true(oct_lattice_cover(&index->lattice, &oct_things_at(index, slot)->box, &cells));
    const place at = place_of(3, &cells);
    thing_node *node = node_at(index, node_find(index, at));
    thing_node *parent = node_at(index, node_find(index, place_parent(at)));
    switch (kind) {
    case 0:
        parent->children ^= (uint8_t)(1u << place_child(at));
        break;
    case 1:
        node->children ^= 128;
        break;
    case 2:
        index->level_count[at.level]++;
        break;
    case 3:
        index->levels ^= 1u << at.level;
        break;
    case 4:
        oct_things_at(index, slot)->box.max.x += 4000.0;
        break;
    case 5:
        oct_things_at(index, slot)->id++;
        break;
    case 6:
        oct_things_at(index, slot)->next = slot;
        break;
    case 7:
        node->first = 0;
        break;
    case 8:
        node->x++;
        break;
    case 9:
        index->free_node = 0;
        break;
    case 10:
        index->free_thing = slot;
        break;
    case 11:
        index->codes.items[table_home(&index->codes, place_hash(at))] = 0;
        break;
    case 12:
        index->thing_count--;
        break;
    default:
        index->node_count++;
        break;
    }
}

static void damage_is_noticed(void **state)
{
    (void)state;
    static thing_list m;
    const lattice l = even(3);
    for (int kind = 0; kind < 14; kind++) {
        list_init(&m, 1100, &l, NULL);
        for (int i = 0; i < 40; i++) {
            list_add(&m, list_random_bounds_inside(&m.random, &l, 5));
        }
        list_remove(&m, 20);
        list_check(&m);
        damage(&m, kind);
        if (oct_things_valid(&m.index)) {
            fail_msg("damage %d was not noticed", kind);
        }
        oct_things_free(&m.index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_are_what_floor_and_ceiling_say),
        cmocka_unit_test(covers_end_where_the_lattice_ends),
        cmocka_unit_test(short_runs_match_the_list),
        cmocka_unit_test(questions_miss_nothing_by_rounding),
        cmocka_unit_test(long_runs_match_the_list),
        cmocka_unit_test(nodes_go_with_the_last_thing),
        cmocka_unit_test(the_whole_lattice_is_one_thing),
        cmocka_unit_test(a_visit_that_says_so_is_the_last),
        cmocka_unit_test(the_order_of_visits_depends_on_the_calls_alone),
        cmocka_unit_test(bytes_are_those_that_were_allocated),
        cmocka_unit_test(sheets_of_blocks_take_80_bytes_a_block),
        cmocka_unit_test(failed_reservations_change_nothing),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
