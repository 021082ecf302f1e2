// SPDX-License-Identifier: MIT
// Terms of travel, and what lines cost on them, against a sum over every cell that a line passes.
#include "octant/line.h"
#include "octant/tree.h"
#include "search/graph_internal.h"
#include "tree_model.h"

#include <math.h>
#include <stdlib.h>

#define REGIONS 12
#define CUTS_MAX 4000

// ---- the slow way ----

typedef struct job {
    const tree_model *model;
    const oct_terms *terms;
} job;

static bool holds(const oct_box *box, int dims, oct_vec cell)
{
    return cell.x >= box->min.x && cell.x < box->max.x && cell.y >= box->min.y &&
           cell.y < box->max.y && (dims == 2 || (cell.z >= box->min.z && cell.z < box->max.z));
}

// The price of a cell; negative where it is in the way.
static double cell_price(const job *j, oct_vec cell)
{
    const int dims = j->model->dims;
    const oct_label label = model_label(j->model, cell);
    if ((j->terms->bounds && !holds(j->terms->bounds, dims, cell)) || label == OCT_BLOCKED ||
        (label == OCT_UNKNOWN && j->terms->unknown == OCT_UNKNOWN_BLOCKED)) {
        return -1.0;
    }
    const bool priced = label == OCT_UNKNOWN && j->terms->unknown == OCT_UNKNOWN_PRICED;
    double price = priced ? j->terms->unknown_price : 1.0;
    for (uint32_t i = 0; i < j->terms->priced_count; i++) {
        const oct_priced_box *r = &j->terms->priced[i];
        price *= holds(&r->cells, dims, cell) ? r->price : 1.0;
    }
    return price;
}

static int compare(const void *a, const void *b)
{
    const long double x = *(const long double *)a, y = *(const long double *)b;
    return x < y ? -1 : x > y;
}

// Where a line crosses lattice planes, as parts of its way, in order, its ends included.
static size_t cuts_of(const int64_t from[3], const int64_t to[3], int dims, long double *cuts)
{
    size_t count = 0;
    cuts[count++] = 0.0L;
    cuts[count++] = 1.0L;
    for (int i = 0; i < dims; i++) {
        const int64_t low = from[i] < to[i] ? from[i] : to[i];
        const int64_t high = from[i] < to[i] ? to[i] : from[i];
        for (int64_t at = (low / OCT_FINE - 1) * OCT_FINE; at < high; at += OCT_FINE) {
            if (at > low) {
                assert_true(count < CUTS_MAX);
                cuts[count++] = (long double)(at - from[i]) / (long double)(to[i] - from[i]);
            }
        }
    }
    qsort(cuts, count, sizeof *cuts, compare);
    return count;
}

// The least price among the free cells around the point at a part of the way that crosses no plane
// there; negative where none is free.
static double least_around(const job *j, const int64_t from[3], const int64_t to[3],
                           long double part)
{
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int i = 0; i < j->model->dims; i++) {
        const long double at = (long double)from[i] + (long double)(to[i] - from[i]) * part;
        high[i] = (int32_t)floorl(at / OCT_FINE);
        low[i] = from[i] == to[i] && from[i] % OCT_FINE == 0 ? high[i] - 1 : high[i];
    }
    double least = -1.0;
    for (int32_t z = low[2]; z <= high[2]; z++) {
        for (int32_t y = low[1]; y <= high[1]; y++) {
            for (int32_t x = low[0]; x <= high[0]; x++) {
                const double price = cell_price(j, (oct_vec){x, y, z});
                least = price >= 0.0 && (least < 0.0 || price < least) ? price : least;
            }
        }
    }
    return least;
}

// The cost of a line; negative where a piece of it has no free cell beside it.
static double slow_cost(const job *j, oct_fine a, oct_fine b)
{
    static long double cuts[CUTS_MAX];
    const int64_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    const size_t count = cuts_of(from, to, j->model->dims, cuts);
    long double sum = 0.0L;
    for (size_t i = 1; i < count; i++) {
        if (cuts[i] - cuts[i - 1] > 1e-14L) {
            const double price = least_around(j, from, to, (cuts[i] + cuts[i - 1]) / 2);
            if (price < 0.0) {
                return -1.0;
            }
            sum += (long double)price * (cuts[i] - cuts[i - 1]);
        }
    }
    return (double)sum * oct_fine_distance(a, b);
}

// ---- random lines ----

// On the sub-lattice, on half cells or on cell planes, in the region or a little outside.
static int64_t random_coordinate(oct_random *random, int32_t base)
{
    static const int32_t steps[] = {1, 128, 256, 256};
    const int32_t step = steps[oct_random_below(random, 4)];
    const int64_t at =
        oct_random_range(random, -6 * OCT_FINE, (MODEL_EDGE + 6) * OCT_FINE) / step * step;
    return (int64_t)base * OCT_FINE + at;
}

static oct_fine random_point(const tree_model *model, oct_random *random)
{
    return (oct_fine){random_coordinate(random, model->base.x),
                      random_coordinate(random, model->base.y),
                      model->dims == 3 ? random_coordinate(random, model->base.z) : FLAT_Z};
}

// Anywhere, near, in a plane, along an axis or a diagonal.
static oct_fine random_end(const tree_model *model, oct_fine from, oct_random *random)
{
    const oct_fine to = random_point(model, random);
    const int64_t d = oct_random_range(random, -9 * OCT_FINE, 9 * OCT_FINE);
    switch (oct_random_below(random, 7)) {
    case 0:
        return (oct_fine){to.x, from.y, from.z};
    case 1:
        return (oct_fine){from.x, to.y, to.z};
    case 2:
        return (oct_fine){to.x, to.y, from.z};
    case 3:
        return (oct_fine){from.x + d, from.y - d, model->dims == 3 ? from.z + d : from.z};
    case 4:
        return (oct_fine){from.x + d, from.y + d / 3, from.z};
    default:
        return to;
    }
}

static void random_terms(const tree_model *model, oct_random *random, oct_priced_box *regions,
                         oct_box *bounds, oct_terms *terms)
{
    static const double prices[] = {0.25, 0.7, 1.0, 1.5, 2.0, 33.3, OCT_PRICE_MIN, 1e5};
    *terms = oct_terms_default();
    terms->unknown = (oct_unknown)oct_random_below(random, 3);
    terms->unknown_price = prices[oct_random_below(random, 6)];
    terms->priced = regions;
    terms->priced_count = (uint32_t)oct_random_below(random, REGIONS + 1);
    for (uint32_t i = 0; i < terms->priced_count; i++) {
        regions[i].cells = model_random_box(model, random);
        regions[i].price = prices[oct_random_below(random, 8)];
    }
    const oct_vec b = model->base;
    *bounds = (oct_box){{b.x - 1, b.y + 2, b.z}, {b.x + 20, b.y + 24, b.z + 22}};
    terms->bounds = oct_random_below(random, 2) ? bounds : NULL;
}

// ---- tests ----

static void check_line(const job *j, const view *v, oct_fine a, oct_fine b, int *checked)
{
    const double expected = slow_cost(j, a, b);
    const double cost = oct_view_price(v, a, b), back = oct_view_price(v, b, a);
    assert_memory_equal(&cost, &back, sizeof cost);
    assert_true(cost >= v->least_price * oct_fine_distance(a, b));
    if (expected >= 0.0) {
        ++*checked;
        if (!(fabs(cost - expected) <= 1e-10 * (1.0 + expected))) {
            fail_msg("(%lld %lld %lld) to (%lld %lld %lld): %.15g and not %.15g", (long long)a.x,
                     (long long)a.y, (long long)a.z, (long long)b.x, (long long)b.y, (long long)b.z,
                     cost, expected);
        }
    }
}

static void run_random_worlds(int dims, uint64_t seed, int *checked)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = model_new_tree(dims, NULL);
    tree_model model;
    model_init(&model, dims, (oct_vec){-11, 3, dims == 3 ? -1000 : 0});
    oct_priced_box regions[REGIONS];
    oct_box bounds;
    oct_terms terms;
    for (int edit = 0; edit < 10; edit++) {
        model_random_edit(&model, tree, &random);
        for (int i = 0; i < 30; i++) {
            random_terms(&model, &random, regions, &bounds, &terms);
            assert_int_equal(oct_terms_check(&terms), OCT_OK);
            view v;
            oct_view_init(&v, tree, &terms);
            const job j = {&model, &terms};
            const oct_fine a = random_point(&model, &random);
            check_line(&j, &v, a, random_end(&model, a, &random), checked);
        }
    }
    oct_tree_destroy(tree);
}

static void lines_cost_what_the_cells_beside_them_do(void **state)
{
    (void)state;
    const int rounds = (int)test_rounds(60);
    int checked = 0;
    for (uint64_t seed = 0; seed < (uint64_t)rounds; seed++) {
        run_random_worlds(2, seed, &checked);
        run_random_worlds(3, seed, &checked);
    }
    // Lines through what is in the way have no cost to compare.
    print_message("%d of %d lines compared\n", checked, 600 * rounds);
    assert_true(checked > 160 * rounds);
}

// A wall's face is where a region begins: beside it only the dear side is free.
static void along_a_wall_the_free_side_counts(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_box room = {{0, 0, 0}, {16, 16, 16}}, wall = {{4, 0, 0}, {12, 16, 8}};
    assert_int_equal(oct_tree_set_box(tree, room, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, wall, OCT_MARK_BLOCKED), OCT_OK);
    const oct_priced_box dear = {{{0, 0, 8}, {16, 16, 16}}, 3.0};
    oct_terms terms = oct_terms_default();
    terms.priced = &dear;
    terms.priced_count = 1;
    const oct_fine a = {0, 700, 8 * OCT_FINE}, b = {16 * OCT_FINE, 700, 8 * OCT_FINE};
    assert_true(oct_tree_line_cost(tree, &terms, a, b) == 8.0 * 3.0 + 8.0);
    // One step up all of it is dear.
    const oct_fine c = {a.x, a.y, a.z + 1}, d = {b.x, b.y, b.z + 1};
    assert_true(oct_tree_line_cost(tree, &terms, c, d) == 16.0 * 3.0);
    oct_tree_destroy(tree);
}

// However finely the map is divided: what has one price is not cut.
static void a_line_of_one_price_costs_its_length_times_that(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    for (int32_t i = 0; i < 200; i++) {
        const oct_cell cell = {i * 7 % 64, i * 11 % 64, i * 13 % 64, 0};
        assert_int_equal(oct_tree_set(tree, cell, i % 3 ? OCT_MARK_OPEN : OCT_MARK_SOLID), OCT_OK);
        assert_int_equal(oct_tree_set(tree, cell, OCT_MARK_CLEAR), OCT_OK);
    }
    oct_priced_box regions[2] = {{{{-100, -100, -100}, {100, 100, 100}}, 0.7},
                                 {{{0, 0, 0}, {64, 64, 64}}, 1.0}};
    oct_terms terms = oct_terms_default();
    terms.unknown = OCT_UNKNOWN_PRICED;
    terms.unknown_price = 1.0;
    terms.priced = regions;
    terms.priced_count = 2;
    for (int64_t i = 0; i < 50; i++) {
        const oct_fine a = {-1000, -55 + i, 777 - 3 * i}, b = {17000, 12345, 9876 + 99 * i};
        assert_true(oct_tree_line_cost(tree, &terms, a, b) == 0.7 * oct_fine_distance(a, b));
        assert_true(oct_tree_line_cost(tree, &terms, a, a) == 0.0);
    }
    oct_tree_destroy(tree);
}

// Pieces whose prices differ by rounding alone: their sum does not come out below.
static void no_line_costs_less_than_the_least_price_says(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    oct_random random = oct_random_seed(7);
    oct_priced_box regions[8];
    oct_terms terms = oct_terms_default();
    terms.priced = regions;
    for (int i = 0; i < 10000; i++) {
        terms.priced_count = 1 + (uint32_t)oct_random_below(&random, 8);
        for (uint32_t j = 0; j < terms.priced_count; j++) {
            const int32_t x = oct_random_range(&random, 0, 90);
            regions[j] = (oct_priced_box){{{x, 0, 0}, {x + 6, 100, 100}}, 1.0 + 0x1p-52};
        }
        oct_fine ends[2];
        for (int j = 0; j < 2; j++) {
            ends[j] = (oct_fine){oct_random_range(&random, 0, 100 * OCT_FINE),
                                 oct_random_range(&random, 0, 100 * OCT_FINE), 5000};
        }
        assert_true(oct_tree_line_cost(tree, &terms, ends[0], ends[1]) >=
                    oct_fine_distance(ends[0], ends[1]));
    }
    oct_tree_destroy(tree);
}

// Across the lattice, most of it outside the root.
static void the_longest_lines_have_a_cost(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    assert_int_equal(oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {64, 64, 64}}, OCT_MARK_OPEN),
                     OCT_OK);
    oct_priced_box region = {{{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, 0}},
                             2.0};
    oct_terms terms = oct_terms_default();
    terms.unknown = OCT_UNKNOWN_PRICED;
    terms.unknown_price = 5.0;
    terms.priced = &region;
    terms.priced_count = 1;
    const int64_t end = (int64_t)OCT_RANGE * OCT_FINE;
    const oct_fine a = {-end, -end, -end}, b = {end, end, end};
    const double cells = sqrt(3.0), half = OCT_RANGE * cells;
    const double expected = half * 10.0 + 64.0 * cells + (half - 64.0 * cells) * 5.0;
    assert_true(fabs(oct_tree_line_cost(tree, &terms, a, b) - expected) < 1e-12 * expected);
    assert_true(oct_tree_line_cost(tree, &terms, a, b) == oct_tree_line_cost(tree, &terms, b, a));
    // In an edge of the lattice, of an empty tree.
    oct_tree_clear(tree);
    const oct_fine c = {-end, -end, end};
    assert_true(oct_tree_line_cost(tree, &terms, a, c) == OCT_RANGE * 10.0 + OCT_RANGE * 5.0);
    oct_tree_destroy(tree);
}

static void without_prices_a_line_costs_its_length(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        oct_tree *tree = model_new_tree(dims, NULL);
        const oct_fine a = {0, 0, 0}, b = {3 * OCT_FINE, 4 * OCT_FINE, 12 * OCT_FINE};
        oct_terms terms = oct_terms_default();
        terms.unknown = OCT_UNKNOWN_OPEN;
        assert_true(oct_tree_line_cost(tree, NULL, a, b) == (dims == 3 ? 13.0 : 5.0));
        assert_true(oct_tree_line_cost(tree, &terms, a, b) == (dims == 3 ? 13.0 : 5.0));
        terms.unknown = OCT_UNKNOWN_PRICED;
        assert_true(oct_tree_line_cost(tree, &terms, a, b) == (dims == 3 ? 26.0 : 10.0));
        oct_tree_destroy(tree);
    }
}

static void terms_are_checked(void **state)
{
    (void)state;
    oct_priced_box regions[OCT_PRICED_BOXES_MAX + 1];
    for (int i = 0; i <= OCT_PRICED_BOXES_MAX; i++) {
        regions[i] =
            (oct_priced_box){{{0, 0, 0}, {1, 1, 1}}, i % 2 ? OCT_PRICE_MIN : OCT_PRICE_MAX};
    }
    oct_terms terms = oct_terms_default();
    assert_int_equal(terms.unknown, OCT_UNKNOWN_BLOCKED);
    assert_true(terms.unknown_price == 2.0 && !terms.bounds && terms.priced_count == 0);
    assert_int_equal(oct_terms_check(&terms), OCT_OK);
    terms.priced = regions;
    terms.priced_count = OCT_PRICED_BOXES_MAX;
    assert_int_equal(oct_terms_check(&terms), OCT_OK);
    terms.priced_count = OCT_PRICED_BOXES_MAX + 1;
    assert_int_equal(oct_terms_check(&terms), OCT_ERROR_RANGE);
    terms.priced_count = 1;
    terms.priced = NULL;
    assert_int_equal(oct_terms_check(&terms), OCT_ERROR_ARGUMENT);

    const double bad[] = {0.0,        -1.0, OCT_PRICE_MIN / 2, OCT_PRICE_MAX * 2, (double)INFINITY,
                          (double)NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        terms = oct_terms_default();
        terms.unknown_price = bad[i];
        assert_int_equal(oct_terms_check(&terms), OCT_ERROR_RANGE);
        terms = oct_terms_default();
        regions[3].price = bad[i];
        terms.priced = regions;
        terms.priced_count = 4;
        assert_int_equal(oct_terms_check(&terms), OCT_ERROR_RANGE);
    }
    const oct_box empty = {{0, 4, 0}, {4, 4, 4}}, flat = {{0, 0, 0}, {1, 1, 0}};
    terms = oct_terms_default();
    terms.bounds = &empty;
    assert_int_equal(oct_terms_check(&terms), OCT_ERROR_ARGUMENT);
    terms.bounds = &flat;
    assert_int_equal(oct_terms_check(&terms), OCT_OK);
    terms = oct_terms_default();
    terms.unknown = (oct_unknown)3;
    assert_int_equal(oct_terms_check(&terms), OCT_ERROR_ARGUMENT);
    const oct_terms zeroed = {.unknown_price = 1.0};
    assert_int_equal(oct_terms_check(&zeroed), OCT_ERROR_ARGUMENT);
}

static void a_view_knows_the_least_price_and_the_bounds(void **state)
{
    (void)state;
    const oct_priced_box regions[3] = {{{{0, 0, 0}, {1, 1, 1}}, 0.5},
                                       {{{0, 0, 0}, {1, 1, 1}}, 8.0},
                                       {{{0, 0, 0}, {1, 1, 1}}, 0.25}};
    const oct_box bounds = {{-3, -4, 5}, {6, 7, 8}};
    oct_tree *deep = model_new_tree(3, NULL), *flat = model_new_tree(2, NULL);
    oct_terms terms = oct_terms_default();
    terms.unknown_price = 0.5;
    view v;
    oct_view_init(&v, deep, &terms);
    assert_true(v.least_price == 1.0 && !v.is_priced);
    assert_true(v.free == OCT_HAS_OPEN && v.blocked == (OCT_HAS_BLOCKED | OCT_HAS_UNKNOWN));
    assert_true(v.bounds.min.z == -OCT_RANGE && v.bounds.max.x == OCT_RANGE);
    terms.unknown = OCT_UNKNOWN_PRICED;
    terms.priced = regions;
    terms.priced_count = 3;
    terms.bounds = &bounds;
    oct_view_init(&v, flat, &terms);
    assert_true(v.least_price == 0.5 * 0.25 * 0.5 && v.is_priced);
    assert_true(v.free == (OCT_HAS_OPEN | OCT_HAS_UNKNOWN) && v.blocked == OCT_HAS_BLOCKED);
    assert_true(v.bounds.min.y == -4 && v.bounds.min.z == 0 && v.bounds.max.z == 1);
    terms.priced_count = 0;
    terms.unknown_price = 4.0;
    oct_view_init(&v, deep, &terms);
    assert_true(v.least_price == 1.0 && v.is_priced);
    assert_memory_equal(&v.bounds, &bounds, sizeof bounds);
    oct_tree_destroy(deep);
    oct_tree_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_cost_what_the_cells_beside_them_do),
        cmocka_unit_test(along_a_wall_the_free_side_counts),
        cmocka_unit_test(a_line_of_one_price_costs_its_length_times_that),
        cmocka_unit_test(no_line_costs_less_than_the_least_price_says),
        cmocka_unit_test(the_longest_lines_have_a_cost),
        cmocka_unit_test(without_prices_a_line_costs_its_length),
        cmocka_unit_test(terms_are_checked),
        cmocka_unit_test(a_view_knows_the_least_price_and_the_bounds),
    };
    return cmocka_run_group_tests_name("price", tests, NULL, NULL);
}
