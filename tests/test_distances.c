// SPDX-License-Identifier: MIT
// Databases of local distances: every entry against ways found by the judge of paths among all
// points, packed as unpacked, kind as kind, and image as image.
#include "distances_support.h"
#include "flat/distances.h"
#include "octant/tree.h"

#include "support.h"
#include "tree_model.h"
#include "verify/exact_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES_MAX (2 * OCT_DISTANCES_POINTS_MAX)

// ---- the slow and obviously right way ----

// A way's cost: quanta first, then bends.
typedef struct cost {
    int64_t quanta; // negative = no way
    int bends;
} cost;

// A block, its places (a point, and free cells around it that belong together), and the best ways
// between all of them.
typedef struct oracle {
    exact_world world;
    uint32_t edge, code;
    bool squeeze;
    uint32_t count;
    uint32_t points[PLACES_MAX];
    exact_cells cells[PLACES_MAX];
    cost straight[PLACES_MAX][PLACES_MAX];
    cost best[PLACES_MAX][PLACES_MAX];
} oracle;

static oct_fine point_at(uint32_t edge, uint32_t point)
{
    return (oct_fine){(int64_t)(point % (edge + 1)) * OCT_FINE,
                      (int64_t)(point / (edge + 1)) * OCT_FINE, 0};
}

static int64_t quanta_between(uint32_t edge, uint32_t a, uint32_t b)
{
    const oct_fine from = point_at(edge, a), to = point_at(edge, b);
    const double x = (double)(to.x - from.x) / OCT_FINE, y = (double)(to.y - from.y) / OCT_FINE;
    return (int64_t)floor(sqrt(x * x + y * y) * 4294967296.0) + 2;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

// With squeezing nothing happens at points: a line is free if its pieces from point to point are.
static bool pieces_are_free(const oracle *o, uint32_t a, uint32_t b)
{
    const oct_fine from = point_at(o->edge, a), to = point_at(o->edge, b);
    const int64_t x = to.x - from.x, y = to.y - from.y;
    const int64_t pieces =
        common_divisor((uint32_t)llabs(x) / OCT_FINE, (uint32_t)llabs(y) / OCT_FINE);
    for (int64_t i = 0; i < pieces; i++) {
        const oct_fine first = {from.x + x / pieces * i, from.y + y / pieces * i, 0};
        const oct_fine last = {first.x + x / pieces, first.y + y / pieces, 0};
        if (!exact_sees(&o->world, first, last)) {
            return false;
        }
    }
    return true;
}

static bool places_see(const oracle *o, uint32_t i, uint32_t j)
{
    if (o->squeeze) {
        return pieces_are_free(o, o->points[i], o->points[j]);
    }
    return exact_sees_between(&o->world, point_at(o->edge, o->points[i]), &o->cells[i],
                              point_at(o->edge, o->points[j]), &o->cells[j]);
}

// Without squeezing a point is as many places as its free cells fall into.
static void find_places(oracle *o)
{
    o->count = 0;
    for (uint32_t p = 0; p < (o->edge + 1) * (o->edge + 1); p++) {
        exact_cells left = exact_around(&o->world, point_at(o->edge, p));
        while (left.count > 0) {
            const exact_cells one = {1, {left.cells[0]}};
            exact_cells part = exact_joined(&o->world, point_at(o->edge, p), &one);
            exact_cells rest = {0};
            for (int i = 0; i < left.count; i++) {
                const exact_cells cell = {1, {left.cells[i]}};
                if (!o->squeeze && !exact_cells_meet(&cell, &part)) {
                    rest.cells[rest.count++] = left.cells[i];
                }
            }
            o->points[o->count] = p;
            o->cells[o->count++] = o->squeeze ? left : part;
            left = rest;
        }
    }
}

static bool is_less(cost a, cost b)
{
    return a.quanta >= 0 &&
           (b.quanta < 0 || a.quanta < b.quanta || (a.quanta == b.quanta && a.bends < b.bends));
}

static void find_ways(oracle *o)
{
    for (uint32_t i = 0; i < o->count; i++) {
        o->straight[i][i] = (cost){0, 0};
        for (uint32_t j = 0; j < i; j++) {
            const bool free = o->points[i] != o->points[j] && places_see(o, i, j);
            const int64_t quanta = free ? quanta_between(o->edge, o->points[i], o->points[j]) : -1;
            o->straight[i][j] = o->straight[j][i] = (cost){quanta, 0};
        }
    }
    memcpy(o->best, o->straight, sizeof o->best);
    for (uint32_t k = 0; k < o->count; k++) {
        for (uint32_t i = 0; i < o->count; i++) {
            const cost first = o->best[i][k];
            for (uint32_t j = 0; j < o->count && first.quanta >= 0 && i != k; j++) {
                const cost last = o->best[k][j];
                const cost both = {first.quanta + last.quanta, first.bends + last.bends + 1};
                if (j != k && i != j && last.quanta >= 0 && is_less(both, o->best[i][j])) {
                    o->best[i][j] = both;
                }
            }
        }
    }
}

// The tree is one that model_new_tree made; its cells of the block are set.
static void ask_oracle(oracle *o, oct_tree *tree, uint32_t edge, uint32_t code, bool squeeze)
{
    const int32_t n = (int32_t)edge;
    for (int32_t i = 0; i < n * n; i++) {
        assert_int_equal(oct_tree_set(tree, (oct_cell){i % n, i / n, 0, 0},
                                      code >> i & 1u ? OCT_MARK_BLOCKED : OCT_MARK_OPEN),
                         OCT_OK);
    }
    // Beyond the block all is open: the bounds alone keep ways inside.
    o->world = (exact_world){tree, true, true, {{0, 0, 0}, {n, n, 1}}, 2, false};
    o->edge = edge;
    o->code = code;
    o->squeeze = squeeze;
    find_places(o);
    find_ways(o);
}

// The only place of a point; -1 where there are none, or two.
static int place_of(const oracle *o, uint32_t point)
{
    int found = -1;
    for (uint32_t i = 0; i < o->count; i++) {
        if (o->points[i] == point) {
            if (found >= 0) {
                return -1;
            }
            found = (int)i;
        }
    }
    return found;
}

// ---- databases ----

static bool is_on_boundary(uint32_t edge, uint32_t point)
{
    const uint32_t x = point % (edge + 1), y = point / (edge + 1);
    return x == 0 || y == 0 || x == edge || y == edge;
}

static bool kind_knows(oct_distances_kind kind, uint32_t edge, uint32_t a, uint32_t b)
{
    const int on = is_on_boundary(edge, a) + is_on_boundary(edge, b);
    return kind == OCT_DISTANCES_FULL || on == 2 || (kind == OCT_DISTANCES_SEMI && on == 1);
}

// Packed databases of the largest blocks: made once for all tests.
static oct_distances *large_ones[OCT_DISTANCES_KIND_COUNT][2];

static const oct_distances *large(oct_distances_kind kind, bool squeeze)
{
    oct_distances **const one = &large_ones[kind][squeeze];
    if (!*one) {
        *one = make_distances(4, kind, true, squeeze);
    }
    return *one;
}

static int drop_large(void **state)
{
    (void)state;
    for (int i = 0; i < OCT_DISTANCES_KIND_COUNT; i++) {
        oct_distances_destroy(large_ones[i][0]);
        oct_distances_destroy(large_ones[i][1]);
    }
    return 0;
}

// The bends are where a way may bend, each piece of it is free, and they add up to the distance.
static void check_bends(const oct_distances *d, const oracle *o, uint32_t a, uint32_t b, cost truth)
{
    uint8_t bends[OCT_DISTANCES_BENDS_MAX];
    const uint32_t count = oct_distances_bends(d, o->code, a, b, bends);
    assert_int_equal(count, truth.bends);
    oct_fine way[OCT_DISTANCES_BENDS_MAX + 2] = {point_at(o->edge, a)};
    int64_t sum = 0;
    uint32_t last = a;
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t next = i < count ? bends[i] : b;
        assert_true(next < (o->edge + 1) * (o->edge + 1));
        sum += a == b ? 0 : quanta_between(o->edge, last, next);
        assert_true(!o->squeeze || pieces_are_free(o, last, next));
        way[i + 1] = point_at(o->edge, next);
        last = next;
    }
    assert_int_equal(sum, truth.quanta);
    char why[200];
    if (!o->squeeze &&
        !exact_path_is_valid(&o->world, way, count + 2, false, false, why, sizeof why)) {
        fail_msg("code %x from %u to %u: %s", (unsigned)o->code, (unsigned)a, (unsigned)b, why);
    }
}

static void check_matrix(const oct_distances *d, uint32_t edge, uint32_t code)
{
    double matrix[OCT_DISTANCES_BOUNDARY_MAX][OCT_DISTANCES_BOUNDARY_MAX];
    memset(matrix, 0, sizeof matrix);
    oct_distances_matrix(d, code, matrix);
    for (uint32_t i = 0; i < OCT_DISTANCES_BOUNDARY_MAX; i++) {
        for (uint32_t j = 0; j < OCT_DISTANCES_BOUNDARY_MAX; j++) {
            double expected = 0.0;
            if (i < 4 * edge && j < 4 * edge) {
                expected = oct_distances_between(d, code, oct_distances_boundary_point(edge, i),
                                                 oct_distances_boundary_point(edge, j));
                assert_true(distances_boundary(d, code, i, j) == expected);
                expected = expected < 0.0 ? HUGE_COST : expected;
            }
            assert_true(matrix[i][j] == expected);
        }
    }
}

static void check_block(const oct_distances *d, const oracle *o)
{
    const uint32_t points = (o->edge + 1) * (o->edge + 1);
    const oct_distances_kind kind = oct_distances_about(d).kind;
    for (uint32_t a = 0; a < points; a++) {
        for (uint32_t b = 0; b < points; b++) {
            const int i = place_of(o, a), j = place_of(o, b);
            const bool known = kind_knows(kind, o->edge, a, b) && i >= 0 && j >= 0;
            const cost truth = known ? o->best[i][j] : (cost){-1, 0};
            const double distance = oct_distances_between(d, o->code, a, b);
            if (distance != (truth.quanta < 0 ? -1.0 : (double)truth.quanta * 0x1p-32)) {
                fail_msg("code %x from %u to %u: %.12g, not %.12g", (unsigned)o->code, (unsigned)a,
                         (unsigned)b, distance, (double)truth.quanta * 0x1p-32);
            }
            // One direction is enough, but not always the same.
            if (truth.quanta >= 0 && (a == b || (a < b) == ((a ^ b ^ o->code) & 1u))) {
                check_bends(d, o, a, b, truth);
            }
        }
    }
    check_matrix(d, o->edge, o->code);
}

// ---- what is held ----

static void every_small_block_is_as_the_oracle_says(void **state)
{
    (void)state;
    oracle *o = malloc(sizeof *o);
    assert_non_null(o);
    oct_tree *tree = model_new_tree(2, NULL);
    for (uint32_t edge = 2; edge <= 3; edge++) {
        for (int squeeze = 0; squeeze < 2; squeeze++) {
            oct_distances *d[2] = {make_distances(edge, OCT_DISTANCES_FULL, true, squeeze),
                                   make_distances(edge, OCT_DISTANCES_FULL, false, squeeze)};
            for (uint32_t code = 0; code < 1u << edge * edge; code++) {
                ask_oracle(o, tree, edge, code, squeeze);
                check_block(d[0], o);
                check_block(d[1], o);
            }
            oct_distances_destroy(d[0]);
            oct_distances_destroy(d[1]);
        }
    }
    oct_tree_destroy(tree);
    free(o);
}

// Of the same seed as many blocks with few blocked cells as with many.
static uint32_t random_code(oct_random *random, uint32_t cells)
{
    const uint64_t share = 1 + oct_random_below(random, 9);
    uint32_t code = 0;
    for (uint32_t i = 0; i < cells; i++) {
        code |= (uint32_t)(oct_random_below(random, 10) < share) << i;
    }
    return code;
}

static void random_large_blocks_are_as_the_oracle_says(void **state)
{
    (void)state;
    oracle *o = malloc(sizeof *o);
    assert_non_null(o);
    oct_tree *tree = model_new_tree(2, NULL);
    for (int squeeze = 0; squeeze < 2; squeeze++) {
        oct_random random = oct_random_seed(4);
        for (uint64_t round = test_rounds(500); round > 0; round--) {
            ask_oracle(o, tree, 4, random_code(&random, 16), squeeze);
            check_block(large(OCT_DISTANCES_FULL, squeeze), o);
        }
    }
    oct_tree_destroy(tree);
    free(o);
}

static void known_blocks_have_known_ways(void **state)
{
    (void)state;
    uint8_t bends[OCT_DISTANCES_BENDS_MAX];
    const oct_distances *const d = large(OCT_DISTANCES_FULL, false);
    const oct_distances *const squeezing = large(OCT_DISTANCES_FULL, true);
    // Nothing is in the way: straight from corner to corner.
    assert_true(oct_distances_between(d, 0, 0, 24) == cost_above(sqrt(32.0)));
    assert_int_equal(oct_distances_bends(d, 0, 0, 24, bends), 0);
    // One cell, (1, 1), is: around its corner (2, 1), or (1, 2), from (0, 0) to (3, 3).
    assert_true(oct_distances_between(d, 1u << 5, 0, 18) == 2.0 * cost_above(sqrt(5.0)));
    assert_int_equal(oct_distances_bends(d, 1u << 5, 0, 18, bends), 1);
    assert_true(bends[0] == 7 || bends[0] == 11);
    // Cells (1, 1) and (2, 2): point (2, 2) is two places, or one to squeeze through.
    const uint32_t pinch = 1u << 5 | 1u << 10;
    assert_true(oct_distances_between(d, pinch, 12, 12) == -1.0);
    assert_true(oct_distances_between(d, pinch, 4, 12) == -1.0);
    assert_true(oct_distances_between(squeezing, pinch, 12, 12) == 0.0);
    assert_true(oct_distances_between(squeezing, pinch, 4, 20) == cost_above(sqrt(32.0)));
    assert_true(oct_distances_between(d, pinch, 4, 20) == 2.0 * cost_above(sqrt(10.0)));
    assert_int_equal(oct_distances_bends(d, pinch, 4, 20, bends), 1);
    assert_true(bends[0] == 6 || bends[0] == 18);
    // Nothing is free.
    assert_true(oct_distances_between(d, 0xffff, 3, 3) == -1.0);
}

// ---- one database against another ----

// Same distances, and same bends, where both kinds know the pair.
static void check_same(const oct_distances *d, const oct_distances *other, uint32_t code)
{
    const oct_distances_def one = oct_distances_about(d), two = oct_distances_about(other);
    const uint32_t points = (one.edge + 1) * (one.edge + 1);
    for (uint32_t a = 0; a < points; a++) {
        for (uint32_t b = 0; b < points; b++) {
            const double distance = oct_distances_between(d, code, a, b);
            if (!kind_knows(one.kind, one.edge, a, b)) {
                assert_true(distance == -1.0);
                continue;
            }
            if (!kind_knows(two.kind, one.edge, a, b)) {
                continue;
            }
            assert_true(oct_distances_between(other, code, a, b) == distance);
            if (distance >= 0.0) {
                uint8_t bends[2][OCT_DISTANCES_BENDS_MAX];
                const uint32_t count = oct_distances_bends(d, code, a, b, bends[0]);
                assert_int_equal(oct_distances_bends(other, code, a, b, bends[1]), count);
                assert_memory_equal(bends[0], bends[1], count);
            }
        }
    }
}

static void kinds_and_packings_agree(void **state)
{
    (void)state;
    for (uint32_t edge = 2; edge <= 3; edge++) {
        for (int squeeze = 0; squeeze < 2; squeeze++) {
            oct_distances *full = make_distances(edge, OCT_DISTANCES_FULL, true, squeeze);
            for (int i = 0; i < 6; i++) {
                const oct_distances_kind kind = (oct_distances_kind)(i / 2);
                oct_distances *d = make_distances(edge, kind, i % 2, squeeze);
                for (uint32_t code = 0; code < 1u << edge * edge; code++) {
                    check_same(d, full, code);
                    check_matrix(d, edge, code);
                }
                oct_distances_destroy(d);
            }
            oct_distances_destroy(full);
        }
    }
}

static void large_kinds_and_packings_agree(void **state)
{
    (void)state;
    const oct_distances *const full = large(OCT_DISTANCES_FULL, false);
    const oct_distances *const semi = large(OCT_DISTANCES_SEMI, false);
    const oct_distances *const plain = large(OCT_DISTANCES_PLAIN, false);
    oct_distances *unpacked = make_distances(4, OCT_DISTANCES_PLAIN, false, false);
    oct_random random = oct_random_seed(7);
    for (uint64_t round = test_rounds(1200); round > 0; round--) {
        const uint32_t code = random_code(&random, 16);
        check_same(semi, full, code);
        check_same(plain, full, code);
        check_same(unpacked, plain, code);
        check_matrix(plain, 4, code);
        check_matrix(unpacked, 4, code);
    }
    oct_distances_destroy(unpacked);
}

static uint32_t mirror_cells(uint32_t edge, uint32_t code, bool x, bool exchange)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i < edge * edge; i++) {
        const uint32_t column = x ? edge - 1 - i % edge : i % edge, row = i / edge;
        out |= (code >> i & 1u) << (exchange ? row + edge * column : column + edge * row);
    }
    return out;
}

static uint32_t mirror_point(uint32_t edge, uint32_t p, bool x, bool exchange)
{
    const uint32_t column = x ? edge - p % (edge + 1) : p % (edge + 1), row = p / (edge + 1);
    return exchange ? row + (edge + 1) * column : column + (edge + 1) * row;
}

// The two mirrors make all eight images, and what holds for all codes holds for all of those.
static void images_and_ways_back_are_as_long(void **state)
{
    (void)state;
    for (uint32_t edge = 2; edge <= 4; edge++) {
        const uint32_t points = (edge + 1) * (edge + 1);
        oct_distances *const small =
            edge < 4 ? make_distances(edge, OCT_DISTANCES_FULL, true, false) : NULL;
        const oct_distances *const d = small ? small : large(OCT_DISTANCES_FULL, false);
        oct_random random = oct_random_seed(edge);
        for (int round = 0; round < 400; round++) {
            const uint32_t code = random_code(&random, edge * edge);
            const bool x = round % 2, exchange = round % 4 / 2;
            const uint32_t image = mirror_cells(edge, code, x, exchange);
            const uint32_t a = (uint32_t)oct_random_below(&random, points);
            for (uint32_t b = 0; b < points; b++) {
                const double distance = oct_distances_between(d, code, a, b);
                assert_true(oct_distances_between(d, code, b, a) == distance);
                const uint32_t from = mirror_point(edge, a, x, exchange);
                const uint32_t to = mirror_point(edge, b, x, exchange);
                assert_true(oct_distances_between(d, image, from, to) == distance);
                if (distance < 0.0) {
                    continue;
                }
                uint8_t there[OCT_DISTANCES_BENDS_MAX], back[OCT_DISTANCES_BENDS_MAX];
                const uint32_t count = oct_distances_bends(d, code, a, b, there);
                assert_int_equal(oct_distances_bends(d, code, b, a, back), count);
                for (uint32_t i = 0; i < count; i++) {
                    assert_int_equal(there[i], back[count - 1 - i]);
                }
            }
        }
        oct_distances_destroy(small);
    }
}

// ---- the choice among ways ----

// Tries all ways that bend inside: `way` has `count` bends so far and ends at place `last`. Keeps
// the one with the lowest bends among those of the least cost.
static void try_ways(const oracle *o, uint32_t last, uint32_t goal, cost so_far, uint8_t *way,
                     cost truth, uint8_t best[OCT_DISTANCES_BENDS_MAX], bool *found)
{
    const cost end = o->straight[last][goal];
    if (end.quanta >= 0 && so_far.quanta + end.quanta == truth.quanta &&
        so_far.bends == truth.bends) {
        if (!*found || memcmp(way, best, (size_t)truth.bends) < 0) {
            memcpy(best, way, (size_t)truth.bends);
        }
        *found = true;
    }
    for (uint32_t i = 0; i < o->count && so_far.bends < truth.bends; i++) {
        const cost step = o->straight[last][i];
        if (i != last && step.quanta >= 0 && so_far.quanta + step.quanta < truth.quanta) {
            way[so_far.bends] = (uint8_t)o->points[i];
            try_ways(o, i, goal, (cost){so_far.quanta + step.quanta, so_far.bends + 1}, way, truth,
                     best, found);
        }
    }
}

static void of_equal_ways_the_lowest_is_held(void **state)
{
    (void)state;
    oracle *o = malloc(sizeof *o);
    assert_non_null(o);
    oct_tree *tree = model_new_tree(2, NULL);
    int ties = 0;
    for (int squeeze = 0; squeeze < 2; squeeze++) {
        oct_distances *d = make_distances(3, OCT_DISTANCES_FULL, true, squeeze);
        for (uint32_t code = 0; code < 512; code++) {
            uint32_t image = code;
            for (uint32_t s = 1; s < 8; s++) {
                const uint32_t turned = oct_distances_turn_code(3, s, code);
                image = turned < image ? turned : image;
            }
            if (image != code) {
                continue;
            }
            ask_oracle(o, tree, 3, code, squeeze);
            for (uint32_t low = 0; low < 16; low++) {
                for (uint32_t high = low + 1; high < 16; high++) {
                    const uint32_t a = d->point[low], b = d->point[high];
                    const int i = place_of(o, a), j = place_of(o, b);
                    if (i < 0 || j < 0 || o->best[i][j].bends == 0 || o->best[i][j].quanta < 0) {
                        continue;
                    }
                    uint8_t way[8], best[8] = {0}, bends[OCT_DISTANCES_BENDS_MAX];
                    bool found = false;
                    try_ways(o, (uint32_t)i, (uint32_t)j, (cost){0, 0}, way, o->best[i][j], best,
                             &found);
                    assert_true(found);
                    const uint32_t count = oct_distances_bends(d, code, a, b, bends);
                    assert_memory_equal(bends, best, count);
                    ties++;
                }
            }
        }
        oct_distances_destroy(d);
    }
    assert_true(ties > 500);
    oct_tree_destroy(tree);
    free(o);
}

// ---- making ----

static void reverse_each(uint8_t *numbers, size_t size, size_t width)
{
    for (size_t i = 0; i < size; i++) {
        const size_t other = i - i % width + width - 1 - i % width;
        if (i < other) {
            const uint8_t byte = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = byte;
        }
    }
}

// The checksum that a little-endian machine would write. A database is for machines of the byte
// order of the one that made it, so that on the others it is turned around number by number, and
// then word by word, since sums are taken of words.
static uint64_t little_endian_checksum(const oct_distances *d)
{
    const distances_header *const header = d->header;
    const uint8_t first = *(const uint8_t *)&header->byte_order;
    if (first == (DISTANCES_BYTE_ORDER & 0xff)) {
        return header->checksum;
    }
    static const size_t widths[SECTION_COUNT] = {4, 2, 8, 4};
    const size_t size = (size_t)header->size;
    uint8_t *const copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, header, size);
    const size_t small = offsetof(distances_header, byte_order);
    const size_t large = offsetof(distances_header, size);
    reverse_each(copy + small, large - small, 4);
    reverse_each(copy + large, sizeof *header - large, 8);
    for (int i = 0; i < SECTION_COUNT; i++) {
        const size_t at = (size_t)header->at[i];
        const size_t end = i + 1 < SECTION_COUNT ? (size_t)header->at[i + 1] : size;
        reverse_each(copy + at, end - at, widths[i]);
    }
    reverse_each(copy, size, 8);
    const uint64_t sum = oct_distances_checksum(copy, size);
    free(copy);
    return sum;
}

// And no larger than Freeman's, packed.
static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    static const size_t most[3] = {17 << 10, 600 << 10, 60 << 20};
    static const uint64_t sums[3][2][3] = {
        {{0xe001ece19db4d52f, 0x788b38037e7f7c4b, 0x880a6bc3ff943b6a},
         {0xe9e2f10d1fb392ec, 0x204c9c0cb88f2db1, 0xd165b9a044ea42bf}},
        {{0x14bd3d94f1260ed0, 0xe14f8dd804516716, 0x80379833f16bd614},
         {0x41822dc1f1caf8bd, 0x74aa22bc99fb64bc, 0x6841aee0ef5f529f}},
        {{0xe0b17b079684e394, 0x577de9c89ccd950a, 0xe046a75ed4e137b1},
         {0x46229221968596cf, 0xa181aeb2540f7ba3, 0xbd21f860aeacd3a8}},
    };
    for (int i = 0; i < 18; i++) {
        const uint32_t edge = 2 + (uint32_t)i / 6;
        const oct_distances_kind kind = (oct_distances_kind)(i % 3);
        const bool squeeze = i / 3 % 2;
        oct_distances *const small = edge < 4 ? make_distances(edge, kind, true, squeeze) : NULL;
        const oct_distances *const d = small ? small : large(kind, squeeze);
        assert_int_equal(little_endian_checksum(d), sums[edge - 2][squeeze][kind]);
        if (kind == OCT_DISTANCES_PLAIN) {
            size_t size;
            assert_ptr_equal(oct_distances_bytes(d, &size), d->header);
            assert_true(size <= most[edge - 2]);
        }
        oct_distances_destroy(small);
    }
}

static void run_backwards(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    *(uint32_t *)ctx += count;
    while (count > 0) {
        count--;
        task(arg, count, count % 3);
    }
}

static void parts_in_any_order_make_the_same_bytes(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        oct_distances *alone = make_distances(3, OCT_DISTANCES_SEMI, packed, false);
        uint32_t parts = 0;
        const oct_executor executor = {run_backwards, &parts, 3};
        oct_distances_def def = oct_distances_about(alone);
        def.executor = &executor;
        oct_distances *shared;
        assert_int_equal(oct_distances_create(&def, &shared), OCT_OK);
        assert_true(parts > 1);
        size_t sizes[2];
        const void *one = oct_distances_bytes(alone, &sizes[0]);
        const void *two = oct_distances_bytes(shared, &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(one, two, sizes[0]);
        oct_distances_destroy(alone);
        oct_distances_destroy(shared);
    }
}

static oct_result make_and_open(const oct_allocator *allocator, void *ctx)
{
    oct_distances_def def = oct_distances_def_default();
    def.edge = 2;
    def.packed = *(const bool *)ctx;
    def.allocator = allocator;
    oct_distances *d, *opened;
    OCT_TRY(oct_distances_create(&def, &d));
    size_t size;
    const void *const bytes = oct_distances_bytes(d, &size);
    oct_error error;
    const oct_result result = oct_distances_open(bytes, size, allocator, &opened, &error);
    assert_true((result == OCT_OK) == (opened != NULL));
    oct_distances_destroy(opened);
    oct_distances_destroy(d);
    return result;
}

static void running_out_of_memory_is_a_result(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bool packed = i;
        assert_true(test_each_failure(make_and_open, &packed) >= 5);
    }
}

static void wrong_definitions_are_refused(void **state)
{
    (void)state;
    const oct_executor none = {NULL, NULL, 1}, nobody = {run_backwards, NULL, 0};
    oct_distances_def defs[7];
    for (int i = 0; i < 7; i++) {
        defs[i] = oct_distances_def_default();
    }
    defs[0].cookie = 0;
    defs[1].edge = 1;
    defs[2].edge = 5;
    defs[3].kind = OCT_DISTANCES_KIND_COUNT;
    defs[4].kind = (oct_distances_kind)-1;
    defs[5].executor = &none;
    defs[6].executor = &nobody;
    for (int i = 0; i < 7; i++) {
        oct_distances *d = (oct_distances *)&defs[i];
        assert_int_equal(oct_distances_create(&defs[i], &d), OCT_ERROR_ARGUMENT);
        assert_null(d);
    }
    assert_string_equal(oct_distances_kind_name(OCT_DISTANCES_PLAIN), "plain");
    assert_string_equal(oct_distances_kind_name(OCT_DISTANCES_SEMI), "semi");
    assert_string_equal(oct_distances_kind_name(OCT_DISTANCES_FULL), "full");
    assert_null(oct_distances_kind_name(OCT_DISTANCES_KIND_COUNT));
    assert_null(oct_distances_kind_name((oct_distances_kind)-1));
    oct_distances_destroy(NULL);
}

static void a_database_knows_what_it_is(void **state)
{
    (void)state;
    const oct_distances_def initial = oct_distances_def_default();
    assert_true(initial.edge == 4 && initial.kind == OCT_DISTANCES_PLAIN && initial.packed &&
                !initial.squeeze && !initial.executor && !initial.allocator);
    for (int i = 0; i < 12; i++) {
        oct_distances *d = make_distances(2, (oct_distances_kind)(i / 4), i & 1, i & 2);
        const oct_distances_def about = oct_distances_about(d);
        assert_int_equal(about.edge, 2);
        assert_int_equal(about.kind, i / 4);
        assert_int_equal(about.packed, i & 1);
        assert_int_equal(about.squeeze, (i & 2) != 0);
        assert_int_equal(about.cookie, initial.cookie);
        assert_true(!about.executor && !about.allocator);
        oct_distances_destroy(d);
    }
    // Round the block: (0, 0), (2, 0), (4, 0), (4, 2), (4, 4), (2, 4), (0, 4), (0, 2).
    static const uint32_t around[8] = {0, 2, 4, 14, 24, 22, 20, 10};
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(oct_distances_boundary_point(4, 2 * i), around[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_block_is_as_the_oracle_says),
        cmocka_unit_test(random_large_blocks_are_as_the_oracle_says),
        cmocka_unit_test(known_blocks_have_known_ways),
        cmocka_unit_test(kinds_and_packings_agree),
        cmocka_unit_test(large_kinds_and_packings_agree),
        cmocka_unit_test(images_and_ways_back_are_as_long),
        cmocka_unit_test(of_equal_ways_the_lowest_is_held),
        cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(parts_in_any_order_make_the_same_bytes),
        cmocka_unit_test(running_out_of_memory_is_a_result),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(a_database_knows_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, drop_large);
}
