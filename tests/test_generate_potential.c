// SPDX-License-Identifier: MIT
// Cells drawn by potential: Freeman's figure, sums and draws against a plain matrix, coverage and
// clustering of whole maps, the same bits from the same seed.
#include "octant/tree.h"
#include "support.h"

#include "generate/generate_potential.h"
#include "valid.h"

#include <math.h>

// ---- the plain way ----

// Freeman's matrix: a potential for each cell, 0 where blocked.
typedef struct matrix {
    uint32_t size, clustering;
    uint64_t cells[80 * 80];
} matrix;

static void matrix_init(matrix *m, uint32_t size, uint32_t clustering)
{
    assert_true((size_t)size * size <= sizeof m->cells / sizeof m->cells[0]);
    *m = (matrix){size, clustering, {0}};
    for (uint32_t i = 0; i < size * size; i++) {
        m->cells[i] = 1;
    }
}

static void matrix_block(matrix *m, potential_cell cell)
{
    m->cells[cell.y * m->size + cell.x] = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const uint32_t x = cell.x + (uint32_t)dx, y = cell.y + (uint32_t)dy;
            if (x < m->size && y < m->size && m->cells[y * m->size + x] != 0) {
                m->cells[y * m->size + x] += m->clustering * (dx == 0 || dy == 0 ? 2 : 1);
            }
        }
    }
}

static uint64_t matrix_total(const matrix *m)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < m->size * m->size; i++) {
        total += m->cells[i];
    }
    return total;
}

// Walks the cells tile by tile, as the field orders them, until their sum exceeds `below`.
static potential_cell matrix_pick(const matrix *m, uint64_t below)
{
    const uint32_t edge = (m->size + 7) / 8;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < edge * edge * 64; i++) {
        const uint32_t x = i / 64 % edge * 8 + i % 8;
        const uint32_t y = i / 64 / edge * 8 + i / 8 % 8;
        if (x < m->size && y < m->size) {
            sum += m->cells[y * m->size + x];
            if (sum > below) {
                return (potential_cell){x, y};
            }
        }
    }
    fail();
    return (potential_cell){0, 0};
}

static void assert_same(const potential_field *f, const matrix *m)
{
    assert_int_equal(f->total, matrix_total(m));
    for (uint32_t y = 0; y < m->size; y++) {
        for (uint32_t x = 0; x < m->size; x++) {
            assert_int_equal(oct_potential_at(f, (potential_cell){x, y}),
                             m->cells[y * m->size + x]);
        }
    }
}

static potential_field field_of(uint32_t size, uint32_t clustering)
{
    const oct_allocator allocator = oct_allocator_default();
    potential_field f;
    assert_int_equal(oct_potential_init(&f, &allocator, size, clustering), OCT_OK);
    return f;
}

static void free_field(potential_field *f)
{
    const oct_allocator allocator = oct_allocator_default();
    oct_potential_free(f, &allocator);
}

// ---- steps ----

static void two_steps_are_those_of_the_seeds_figure(void **state)
{
    (void)state;
    static const uint64_t figure[3][4][4] = {
        {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}},
        {{1, 1, 1, 1}, {3, 5, 3, 1}, {5, 0, 5, 1}, {3, 5, 3, 1}},
        {{1, 1, 1, 1}, {3, 5, 3, 1}, {5, 0, 9, 3}, {3, 9, 0, 5}},
    };
    static const potential_cell blocked[2] = {{1, 2}, {2, 3}};
    potential_field f = field_of(4, 2);
    for (int step = 0; step < 3; step++) {
        uint64_t total = 0;
        for (uint32_t y = 0; y < 4; y++) {
            for (uint32_t x = 0; x < 4; x++) {
                assert_int_equal(oct_potential_at(&f, (potential_cell){x, y}), figure[step][y][x]);
                total += figure[step][y][x];
            }
        }
        assert_int_equal(f.total, total);
        if (step < 2) {
            oct_potential_block(&f, blocked[step]);
        }
    }
    free_field(&f);
}

// Every sum that a cell is found by is used: each number below the total is picked once.
static void every_number_picks_the_cell_that_a_plain_sum_reaches(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 4, 7, 8, 9, 17};
    static const uint32_t clusterings[] = {0, 1, 3};
    static matrix m;
    oct_random random = oct_random_seed(5);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof clusterings / sizeof clusterings[0]; j++) {
            potential_field f = field_of(sizes[i], clusterings[j]);
            matrix_init(&m, sizes[i], clusterings[j]);
            while (f.total > 0) {
                for (uint64_t below = 0; below < f.total; below++) {
                    const potential_cell picked = oct_potential_pick(&f, below);
                    const potential_cell expected = matrix_pick(&m, below);
                    assert_int_equal(picked.x, expected.x);
                    assert_int_equal(picked.y, expected.y);
                }
                const potential_cell cell =
                    oct_potential_pick(&f, oct_random_below(&random, f.total));
                oct_potential_block(&f, cell);
                matrix_block(&m, cell);
                assert_same(&f, &m);
            }
            free_field(&f);
        }
    }
}

// Draws until all is blocked, on sizes with more levels of sums.
static void thousands_of_draws_follow_the_plain_matrix(void **state)
{
    (void)state;
    static const struct {
        uint32_t size, clustering;
    } cases[] = {{64, 0}, {65, 1}, {72, 10}, {80, 1000}};
    static matrix m;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        potential_field f = field_of(cases[i].size, cases[i].clustering);
        matrix_init(&m, cases[i].size, cases[i].clustering);
        oct_random ours = oct_random_seed(i), theirs = ours;
        for (uint64_t total; (total = matrix_total(&m)) > 0;) {
            const potential_cell expected = matrix_pick(&m, oct_random_below(&theirs, total));
            matrix_block(&m, expected);
            assert_int_not_equal(oct_potential_at(&f, expected), 0);
            oct_potential_draw(&f, &ours, 1);
            assert_int_equal(oct_potential_at(&f, expected), 0);
        }
        assert_int_equal(f.total, 0);
        free_field(&f);
    }
}

// The largest map has the most levels. Cells far apart, and at the borders of what a sum is over.
static void the_largest_field_keeps_its_sums(void **state)
{
    (void)state;
    static const uint32_t places[] = {0, 7, 8, 63, 64, 511, 512, 2047, 4088, 4095};
    const uint32_t count = sizeof places / sizeof places[0];
    potential_field f = field_of(OCT_GENERATE_SIZE_MAX, OCT_GENERATE_CLUSTERING_MAX);
    assert_int_equal(f.total, UINT64_C(4096) * 4096);
    for (uint32_t i = 0; i < count * count; i++) {
        const potential_cell cell = {places[i % count], places[i / count]};
        const uint64_t before = f.total, own = oct_potential_at(&f, cell);
        uint64_t gain = 0;
        for (uint32_t n = 0; n < 9; n++) {
            const potential_cell near = {cell.x + n % 3 - 1, cell.y + n / 3 - 1};
            if (n != 4 && near.x < 4096 && near.y < 4096 && oct_potential_at(&f, near) > 0) {
                gain += n % 2 ? 2000 : 1000;
            }
        }
        oct_potential_block(&f, cell);
        assert_int_equal(f.total, before - own + gain);
        assert_int_equal(oct_potential_at(&f, cell), 0);
    }
    const potential_cell last = oct_potential_pick(&f, f.total - 1);
    assert_int_equal(last.x, 4094);
    assert_int_equal(last.y, 4095);
    const potential_cell first = oct_potential_pick(&f, 0);
    assert_int_equal(first.x, 1);
    assert_int_equal(first.y, 0);
    free_field(&f);
}

// ---- maps ----

static oct_generate_def def_of(uint32_t size, double coverage, uint32_t clustering)
{
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_POTENTIAL;
    def.dims = 2;
    def.size = size;
    def.coverage = coverage;
    def.clustering = clustering;
    return def;
}

static oct_tree *generate(const oct_generate_def *def)
{
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_generate(def, &tree_def, &tree, NULL), OCT_OK);
    return tree;
}

static bool is_blocked(const oct_tree *tree, uint32_t x, uint32_t y)
{
    return oct_tree_label(tree, (oct_vec){(int32_t)x, (int32_t)y, 0}) == OCT_BLOCKED;
}

static void coverage_is_exact(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {8, 9, 16, 63, 65, 130, 521};
    static const double coverages[] = {0.0, 0.001, 0.05, 0.25, 0.4, 0.5, 0.999, 1.0};
    static const uint32_t clusterings[] = {0, 1, 10, 1000};
    enum { ALL = 7 * 8 * 4 };
    const uint32_t stride = (uint32_t)(ALL / test_rounds(ALL));
    for (uint32_t i = 0; i < ALL; i += stride) {
        const oct_generate_def def =
            def_of(sizes[i % 7], coverages[i / 7 % 8], clusterings[i / 56]);
        const uint64_t cells = (uint64_t)def.size * def.size;
        const uint64_t wanted = (uint64_t)floor(def.coverage * (double)cells + 0.5);
        oct_tree *tree = generate(&def);
        const oct_box all = {{0, 0, 0}, {(int32_t)def.size, (int32_t)def.size, 1}};
        uint64_t counts[3];
        assert_true(oct_tree_is_valid(tree));
        assert_int_equal(oct_tree_count(tree, all, counts), OCT_OK);
        assert_int_equal(counts[OCT_BLOCKED], wanted);
        assert_int_equal(counts[OCT_OPEN], cells - wanted);
        const oct_box extent = oct_tree_extent(tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
        assert_memory_equal(&extent, &all, sizeof all);
        oct_tree_destroy(tree);
    }
}

static void the_map_has_the_fields_cells(void **state)
{
    (void)state;
    const oct_generate_def def = def_of(77, 0.3, 5);
    oct_tree *tree = generate(&def);
    potential_field f = field_of(77, 5);
    oct_random random = oct_random_seed(def.seed);
    oct_potential_draw(&f, &random, 1779); // 0.3 x 77 x 77 = 1778.7
    for (uint32_t y = 0; y < 77; y++) {
        for (uint32_t x = 0; x < 77; x++) {
            assert_int_equal(is_blocked(tree, x, y),
                             oct_potential_at(&f, (potential_cell){x, y}) == 0);
        }
    }
    free_field(&f);
    oct_tree_destroy(tree);
}

// Without clustering every cell is as likely as any other: over many maps, the cells' counts are
// spread as chance has it. 255 degrees of freedom: a sum beyond 340 has a chance of 0.0003.
static void without_clustering_cells_are_blocked_evenly(void **state)
{
    (void)state;
    enum { SIZE = 16, ROUNDS = 400, DRAWN = 64 };
    uint32_t counts[SIZE * SIZE] = {0};
    oct_random random = oct_random_seed(11);
    for (int round = 0; round < ROUNDS; round++) {
        potential_field f = field_of(SIZE, 0);
        oct_potential_draw(&f, &random, DRAWN);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            counts[i] += oct_potential_at(&f, (potential_cell){i % SIZE, i / SIZE}) == 0;
        }
        free_field(&f);
    }
    // Drawing without putting back spreads less, by the share of cells that stay.
    const double share = (double)DRAWN / (SIZE * SIZE), expected = ROUNDS * share;
    double sum = 0.0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        sum += (counts[i] - expected) * (counts[i] - expected) / (expected * (1.0 - share));
    }
    assert_true(sum < 340.0);
    assert_true(sum > 180.0); // too even is not by chance either
}

// How many pairs of cells beside each other are both blocked.
static uint32_t blocked_pairs(const oct_tree *tree, uint32_t size)
{
    uint32_t pairs = 0;
    for (uint32_t y = 0; y + 1 < size; y++) {
        for (uint32_t x = 0; x + 1 < size; x++) {
            pairs += is_blocked(tree, x, y) && is_blocked(tree, x + 1, y);
            pairs += is_blocked(tree, x, y) && is_blocked(tree, x, y + 1);
        }
    }
    return pairs;
}

static void more_clustering_crowds_blocked_cells(void **state)
{
    (void)state;
    static const uint32_t clusterings[] = {0, 1, 10, 100, 1000};
    uint32_t last = 0;
    for (size_t i = 0; i < 5; i++) {
        const oct_generate_def def = def_of(128, 0.2, clusterings[i]);
        oct_tree *tree = generate(&def);
        const uint32_t pairs = blocked_pairs(tree, 128);
        assert_true(pairs > last + last / 20);
        // By chance alone: 2 x 127 x 127 pairs, of which 0.2 x 0.2 are blocked.
        assert_true(i > 0 || (pairs > 1290 * 0.9 && pairs < 1290 * 1.1));
        oct_tree_destroy(tree);
        last = pairs;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_steps_are_those_of_the_seeds_figure),
        cmocka_unit_test(every_number_picks_the_cell_that_a_plain_sum_reaches),
        cmocka_unit_test(thousands_of_draws_follow_the_plain_matrix),
        cmocka_unit_test(the_largest_field_keeps_its_sums),
        cmocka_unit_test(coverage_is_exact),
        cmocka_unit_test(the_map_has_the_fields_cells),
        cmocka_unit_test(without_clustering_cells_are_blocked_evenly),
        cmocka_unit_test(more_clustering_crowds_blocked_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
