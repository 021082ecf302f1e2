// SPDX-License-Identifier: MIT
// Decision diagrams against truth tables.
#include "agent/bdd.h"
#include "support.h"

#define VARIABLES 5
#define ROWS (1u << VARIABLES)
#define FUNCTIONS 40

// A function and its value in each row; bit i of a row is variable i + 1.
typedef struct function {
    uint32_t edge, table;
} function;

static bool value_of(const bdd *d, uint32_t edge, uint32_t row)
{
    while (!edge_is_constant(edge)) {
        const bdd_node *const node = &bdd_nodes(d)[edge_node(edge)];
        edge = (row >> (node->variable - 1) & 1u ? node->high : node->low) ^ (edge & 1u);
    }
    return edge == EDGE_TRUE;
}

// Children stand before their parents and ask smaller variables; high edges are not negated.
static void check_nodes(const bdd *d)
{
    const bdd_node *const nodes = bdd_nodes(d);
    assert_int_equal(d->notes.count, d->nodes.count);
    assert_true(2 * d->places.count <= d->places.capacity);
    for (uint32_t i = 1; i < d->nodes.count; i++) {
        assert_true(edge_node(nodes[i].low) < i && edge_node(nodes[i].high) < i);
        assert_true(nodes[edge_node(nodes[i].low)].variable < nodes[i].variable);
        assert_true(nodes[edge_node(nodes[i].high)].variable < nodes[i].variable);
        assert_true(nodes[i].low != nodes[i].high && !(nodes[i].high & 1u));
    }
}

static void check_functions(const bdd *d, const function *functions)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        for (uint32_t row = 0; row < ROWS; row++) {
            assert_int_equal(value_of(d, functions[i].edge, row), functions[i].table >> row & 1u);
        }
        assert_int_equal(oct_bdd_at_false(d, functions[i].edge), functions[i].table & 1u);
        // Equal functions are equal numbers.
        for (uint32_t k = 0; k < i; k++) {
            assert_int_equal(functions[i].edge == functions[k].edge,
                             functions[i].table == functions[k].table);
        }
    }
}

static function combine(bdd *d, oct_random *random, const function *functions)
{
    const function a = functions[oct_random_below(random, FUNCTIONS)];
    const function b = functions[oct_random_below(random, FUNCTIONS)];
    const function c = functions[oct_random_below(random, FUNCTIONS)];
    function made;
    switch (oct_random_below(random, 4)) {
    case 0:
        assert_int_equal(oct_bdd_and(d, a.edge, b.edge, &made.edge), OCT_OK);
        made.table = a.table & b.table;
        break;
    case 1:
        assert_int_equal(oct_bdd_or(d, a.edge, b.edge, &made.edge), OCT_OK);
        made.table = a.table | b.table;
        break;
    case 2:
        made = (function){edge_not(a.edge), ~a.table};
        break;
    default:
        assert_int_equal(oct_bdd_choose(d, a.edge, b.edge, c.edge, &made.edge), OCT_OK);
        made.table = (~a.table & b.table) | (a.table & c.table);
    }
    return made;
}

static void sweep(bdd *d, function *functions)
{
    oct_bdd_clear_notes(d);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        bdd_note(d, functions[i].edge);
    }
    oct_bdd_sweep(d);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        functions[i].edge = bdd_moved(d, functions[i].edge);
    }
}

static void functions_agree_with_truth_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        oct_random random = oct_random_seed(seed);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        bdd d;
        function functions[FUNCTIONS], variables[VARIABLES];
        assert_int_equal(oct_bdd_init(&d, &memory.allocator), OCT_OK);
        for (uint32_t i = 0; i < VARIABLES; i++) {
            uint32_t number;
            assert_int_equal(oct_bdd_variable(&d, &number, &variables[i].edge), OCT_OK);
            assert_int_equal(number, i + 1);
            variables[i].table = 0;
            for (uint32_t row = 0; row < ROWS; row++) {
                variables[i].table |= (row >> i & 1u) << row;
            }
        }
        for (uint32_t i = 0; i < FUNCTIONS; i++) {
            functions[i] = variables[i % VARIABLES];
        }
        for (int i = 0; i < 300; i++) {
            functions[oct_random_below(&random, FUNCTIONS)] = combine(&d, &random, functions);
            if (i % 50 == 49) {
                sweep(&d, functions);
            }
            if (i % 10 == 9) {
                check_nodes(&d);
                check_functions(&d, functions);
            }
        }
        oct_bdd_free(&d);
        test_allocator_check_empty(&memory);
    }
}

// Whether an odd number of all variables is true, and of every second: small, but with as many ways
// from top to bottom as there are rows.
static void many_ways_take_few_steps(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 64; count++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        bdd d;
        uint32_t odd[2] = {EDGE_FALSE, EDGE_FALSE}, both, number;
        assert_int_equal(oct_bdd_init(&d, &memory.allocator), OCT_OK);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t variable;
            assert_int_equal(oct_bdd_variable(&d, &number, &variable), OCT_OK);
            for (uint32_t k = 0; k <= i % 2; k++) {
                assert_int_equal(oct_bdd_choose(&d, variable, odd[k], edge_not(odd[k]), &odd[k]),
                                 OCT_OK);
            }
        }
        assert_int_equal(oct_bdd_and(&d, odd[0], odd[1], &both), OCT_OK);
        const uint32_t places = d.places.count;
        assert_int_equal(oct_bdd_and(&d, odd[1], odd[0], &number), OCT_OK);
        assert_int_equal(d.places.count, places);
        assert_int_equal(both, number);
        check_nodes(&d);
        assert_true(d.nodes.count <= 10u * count && d.places.count <= 20u * count);
        oct_bdd_free(&d);
        test_allocator_check_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_agree_with_truth_tables),
        cmocka_unit_test(many_ways_take_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
