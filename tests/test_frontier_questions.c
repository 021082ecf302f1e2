// SPDX-License-Identifier: MIT
// What is asked of a frontier, against a plain scan: the nearest cell, what counts, what is
// skipped.
#include "frontier_support.h"
#include "octant/components.h"
#include "octant/tree.h"

#include <stdlib.h>

#define SKIPS_MOST 64

// What counts, by the plain way.
typedef struct oracle {
    const oct_components *components;
    uint32_t component;
    oct_vec skipped[SKIPS_MOST];
    size_t skips;
} oracle;

static bool same(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool oracle_counts(const oracle *o, oct_vec cell)
{
    for (size_t i = 0; i < o->skips; i++) {
        if (same(o->skipped[i], cell)) {
            return false;
        }
    }
    return !o->components || oct_components_at(o->components, cell) == o->component;
}

static bool before(oct_vec a, oct_vec b)
{
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

// In integers: exact.
static int64_t square_to(int dims, oct_fine at, oct_vec cell)
{
    const int64_t x = at.x - cell.x * INT64_C(256) - 128, y = at.y - cell.y * INT64_C(256) - 128;
    const int64_t z = dims == 3 ? at.z - cell.z * INT64_C(256) - 128 : 0;
    return x * x + y * y + z * z;
}

static bool oracle_nearest(const arena *a, const oracle *o, oct_fine at, const oct_box *within,
                           double limit, oct_vec *out, double *distance)
{
    int64_t best = INT64_MAX;
    for (size_t i = 0; i < scanned.count; i++) {
        const oct_vec cell = scanned.cells[i];
        const int64_t square = square_to(a->dims, at, cell);
        if (square > best || !box_has(within, a->dims, cell) || !oracle_counts(o, cell) ||
            (square == best && !before(cell, *out))) {
            continue;
        }
        best = square;
        *out = cell;
    }
    *distance = sqrt((double)best) / 256.0;
    return best < INT64_MAX && *distance < limit;
}

static void check_nearest(arena *a, const oracle *o)
{
    const oct_fine at = arena_point(a);
    const oct_box box = arena_part(a, arena_box(a));
    const oct_box *within = oct_random_below(&a->random, 3) ? NULL : &box;
    oct_vec want = {0, 0, 0}, got;
    double far, distance;
    bool found = oracle_nearest(a, o, at, within, HUGE_VAL, &want, &far);
    double limit = HUGE_VAL;
    switch (oct_random_below(&a->random, 4)) {
    case 0:
        limit = found ? far : 1.0; // exclusive
        break;
    case 1:
        limit = found ? nextafter(far, HUGE_VAL) : 2.0;
        break;
    case 2:
        limit = (double)oct_random_below(&a->random, 10);
        break;
    default:
        break;
    }
    found = found && far < limit;
    assert_int_equal(oct_frontier_nearest(a->frontier, at, within, limit, 0.0, &got, &distance),
                     found);
    if (found) {
        assert_true(same(got, want));
        assert_true(distance == far);
        assert_true(oct_frontier_nearest(a->frontier, at, within, limit, 0.0, &got, NULL));
        assert_true(same(got, want));
    }
}

// With slack it may be another, but not by more.
static void check_slack(arena *a, const oracle *o)
{
    const oct_fine at = arena_point(a);
    const double slack = 0.125 * (double)oct_random_below(&a->random, 5);
    const double limit = oct_random_below(&a->random, 2) ? HUGE_VAL : 6.0;
    oct_vec want = {0, 0, 0}, got;
    double far, distance;
    const bool found = oracle_nearest(a, o, at, NULL, limit, &want, &far);
    assert_int_equal(oct_frontier_nearest(a->frontier, at, NULL, limit, slack, &got, &distance),
                     found);
    if (found) {
        assert_true(distance >= far && distance <= far * (1.0 + slack) * (1.0 + 1e-12));
        assert_true(distance < limit && oct_frontier_has(a->frontier, got));
        assert_true(oracle_counts(o, got));
        assert_true(distance == sqrt((double)square_to(a->dims, at, got)) / 256.0);
    }
}

// ---- the nearest of each brick ----

typedef struct near_cell {
    int64_t square;
    oct_vec cell;
} near_cell;

static int compare_near(const void *one, const void *other)
{
    const near_cell *a = one, *b = other;
    if (a->square != b->square) {
        return a->square < b->square ? -1 : 1;
    }
    return before(a->cell, b->cell) ? -1 : before(b->cell, a->cell);
}

static bool share_brick(int dims, oct_vec a, oct_vec b)
{
    const int shift = brick_level(dims);
    return a.x >> shift == b.x >> shift && a.y >> shift == b.y >> shift &&
           (dims == 2 || a.z >> shift == b.z >> shift);
}

static void check_few(arena *a, const oracle *o)
{
    static near_cell all[SCAN_MOST];
    const oct_fine at = arena_point(a);
    const size_t capacity = (size_t)oct_random_range(&a->random, 0, 80);
    size_t count = 0, expected = 0;
    for (size_t i = 0; i < scanned.count; i++) {
        if (oracle_counts(o, scanned.cells[i])) {
            all[count++] = (near_cell){square_to(a->dims, at, scanned.cells[i]), scanned.cells[i]};
        }
    }
    qsort(all, count, sizeof *all, compare_near);
    oct_vec cells[80];
    const double slack = 0.5 * (double)oct_random_below(&a->random, 4);
    const double most_part = slack > 1.0 ? HUGE_VAL : (1.0 + slack) * (1.0 + slack);
    const size_t got =
        oct_frontier_nearest_few(a->frontier, at, sqrt(most_part) - 1.0, cells, capacity);
    const size_t most_cells = capacity < OCT_FRONTIER_FEW ? capacity : OCT_FRONTIER_FEW;
    for (size_t i = 0; i < count && expected < most_cells &&
                       !((double)all[i].square > most_part * (double)all[0].square);
         i++) {
        bool first = true;
        for (size_t k = 0; k < expected; k++) {
            first &= !share_brick(a->dims, cells[k], all[i].cell);
        }
        if (first) {
            assert_true(expected < got && same(cells[expected], all[i].cell));
            expected++;
        }
    }
    assert_int_equal(got, expected);
}

typedef struct visited {
    const arena *a;
    const oracle *o;
    const oct_box *within;
    uint64_t cells;
    uint64_t hash;
} visited;

static bool count_box(void *ctx, const oct_box *box)
{
    visited *v = ctx;
    assert_false(box_is_empty(3, box));
    for (int32_t z = box->min.z; z < box->max.z; z++) {
        for (int32_t y = box->min.y; y < box->max.y; y++) {
            for (int32_t x = box->min.x; x < box->max.x; x++) {
                const oct_vec cell = {x, y, z};
                assert_true(oct_frontier_has(v->a->frontier, cell));
                assert_true(box_has(v->within, v->a->dims, cell));
                assert_true(oracle_counts(v->o, cell));
                v->cells++;
            }
        }
    }
    v->hash = v->hash * 31u + oct_hash_bytes(box, sizeof *box);
    return true;
}

static bool stop_at_once(void *ctx, const oct_box *box)
{
    (void)box;
    ++*(int *)ctx;
    return false;
}

// Each cell that counts is visited; as many are as there are, so each is once.
static void check_visit(arena *a, const oracle *o)
{
    const oct_box box = arena_part(a, arena_box(a));
    visited v = {.a = a, .o = o, .within = oct_random_below(&a->random, 2) ? NULL : &box};
    assert_true(oct_frontier_visit(a->frontier, v.within, count_box, &v));
    uint64_t expected = 0;
    for (size_t i = 0; i < scanned.count; i++) {
        expected +=
            box_has(v.within, a->dims, scanned.cells[i]) && oracle_counts(o, scanned.cells[i]);
    }
    assert_int_equal(v.cells, expected);
    const uint64_t hash = v.hash;
    v.hash = v.cells = 0;
    assert_true(oct_frontier_visit(a->frontier, v.within, count_box, &v));
    assert_int_equal(v.hash, hash);
    int calls = 0;
    assert_int_equal(oct_frontier_visit(a->frontier, v.within, stop_at_once, &calls),
                     expected == 0);
    assert_int_equal(calls, expected > 0);
}

static oct_components *components_of(const oct_map *map, oct_unknown unknown)
{
    oct_components_def def = oct_components_def_default();
    def.tree = oct_map_tree(map);
    def.unknown = unknown;
    oct_components *c;
    assert_int_equal(oct_components_create(&def, &c), OCT_OK);
    return c;
}

// Chooses a component, or everything.
static void choose(arena *a, oracle *o, const oct_components *components)
{
    o->components = oct_random_below(&a->random, 4) ? components : NULL;
    o->component = 0;
    if (o->components && scanned.count > 0) {
        o->component = oct_components_at(
            components, scanned.cells[oct_random_below(&a->random, scanned.count)]);
    }
    if (oct_random_below(&a->random, 8) == 0) {
        o->component += 1000;
    }
    oct_frontier_select(a->frontier, o->components, o->component);
}

static void skip_some(arena *a, oracle *o)
{
    for (uint64_t n = oct_random_below(&a->random, 4); n > 0 && scanned.count > 0; n--) {
        const oct_vec cell = scanned.cells[oct_random_below(&a->random, scanned.count)];
        assert_int_equal(oct_frontier_skip(a->frontier, cell), OCT_OK);
        oracle all = {.skips = o->skips};
        memcpy(all.skipped, o->skipped, sizeof all.skipped);
        if (oracle_counts(&all, cell)) {
            assert_true(o->skips < SKIPS_MOST);
            o->skipped[o->skips++] = cell;
        }
    }
    const oct_vec nowhere = {a->base.x - 5, a->base.y, a->base.z};
    assert_int_equal(oct_frontier_skip(a->frontier, nowhere), OCT_OK);
}

static void ask(arena *a, const oct_map *map, oracle *o)
{
    oct_components *c = components_of(map, oct_random_below(&a->random, 3) ? OCT_UNKNOWN_BLOCKED
                                                                           : OCT_UNKNOWN_OPEN);
    for (int selection = 0; selection < 3; selection++) {
        choose(a, o, c);
        for (int i = 0; i < 6; i++) {
            check_nearest(a, o);
        }
        check_few(a, o);
        skip_some(a, o);
        check_visit(a, o);
        check_few(a, o);
        check_slack(a, o);
        for (int i = 0; i < 6; i++) {
            check_nearest(a, o);
        }
    }
    assert_int_equal(oct_frontier_count(a->frontier), scanned.count);
    assert_true(frontier_is_right(a->frontier));
    oct_components_destroy(c);
}

static void ask_all(int dims, uint64_t seeds)
{
    for (uint64_t seed = 100; seed < 100 + test_rounds(seeds); seed++) {
        arena a;
        arena_open(&a, dims, seed);
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 7; i++) {
                arena_edit(&a);
            }
            assert_int_equal(oct_frontier_update(a.frontier), OCT_OK);
            arena_check(&a);
            // So many edits at once leave nothing skipped that the oracle could know of.
            oct_frontier_destroy(a.frontier);
            a.frontier = frontier_of(a.map, arena_limits(&a));
            oracle o = {.skips = 0};
            ask(&a, a.map, &o);
        }
        arena_close(&a);
    }
}

static void questions_match_a_plain_scan(void **state)
{
    (void)state;
    ask_all(3, 18);
    ask_all(2, 40);
}

// Edits, or none; then the component of a place, mostly the same one, is selected again.
static void select_again(arena *a, oct_components *c, oracle *o, int edits)
{
    static oct_vec place;
    for (int i = 0; i < edits; i++) {
        arena_edit(a);
    }
    assert_int_equal(oct_frontier_update(a->frontier), OCT_OK);
    assert_int_equal(oct_components_update(c), OCT_OK);
    if (edits > 0) {
        arena_check(a);
    }
    if (oct_random_below(&a->random, 4) == 0) {
        oct_frontier_select(a->frontier, NULL, 0);
        o->components = NULL;
        check_visit(a, o);
    }
    if (scanned.count > 0 && oct_random_below(&a->random, 3) == 0) {
        place = scanned.cells[oct_random_below(&a->random, scanned.count)];
    }
    o->components = c;
    o->component = oct_components_at(c, place);
    oct_front_select_again(a->frontier, c, o->component);
    check_nearest(a, o);
    check_few(a, o);
    check_visit(a, o);
    assert_true(frontier_is_right(a->frontier));
}

// What was found of a selection is right as long as it is kept: over updates that change nothing,
// other selections and cells that are skipped.
static void selections_are_taken_up_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(20); seed++) {
        arena a;
        arena_open(&a, seed % 2 ? 3 : 2, seed);
        oct_components *const c = components_of(a.map, OCT_UNKNOWN_BLOCKED);
        oracle o = {.skips = 0};
        for (int round = 0; round < 40; round++) {
            select_again(&a, c, &o, round % 4 ? (int)oct_random_below(&a.random, 2) : 4);
        }
        for (int round = 0; round < 8; round++) {
            skip_some(&a, &o);
            select_again(&a, c, &o, 0);
        }
        oct_components_destroy(c);
        arena_close(&a);
    }
}

// A layer that is all of a node's frontier, in a node of which only a part is OPEN.
static void layers_beside_walls_count(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        oct_map *map = arena_map(3, 8);
        const oct_box all = {{-16, -16, -16}, {16, 16, 16}};
        const oct_box room = {{side ? 4 : 0, 0, 0}, {side ? 8 : 4, 8, 8}};
        const oct_box dark = {{side ? 8 : -8, 0, 0}, {side ? 16 : 0, 8, 8}};
        assert_int_equal(oct_map_set_box(map, all, OCT_MARK_BLOCKED), OCT_OK);
        assert_int_equal(oct_map_set_box(map, room, OCT_MARK_OPEN), OCT_OK);
        assert_int_equal(oct_map_set_box(map, dark, OCT_MARK_UNKNOWN), OCT_OK);
        oct_frontier *f = frontier_of(map, NULL);
        assert_true(frontier_is_right(f));
        assert_int_equal(oct_frontier_count(f), 64);
        oct_components *c = components_of(map, OCT_UNKNOWN_BLOCKED);
        oct_frontier_select(f, c, oct_components_at(c, room.min));
        oct_vec cell;
        const oct_fine at = {0, 128, 128};
        assert_true(oct_frontier_nearest(f, at, NULL, HUGE_VAL, 0.0, &cell, NULL));
        assert_true(same(cell, (oct_vec){side ? 7 : 0, 0, 0}));
        oct_components_destroy(c);
        oct_frontier_destroy(f);
        oct_map_destroy(map);
    }
}

// Layers of one block that only touch in a corner are apart.
static void layers_that_meet_in_a_corner_count_apart(void **state)
{
    (void)state;
    oct_map *map = arena_map(3, 8);
    const oct_box low = {{0, 0, 0}, {4, 4, 4}}, high = {{4, 4, 4}, {8, 8, 8}};
    assert_int_equal(oct_map_set_box(map, low, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_map_set_box(map, high, OCT_MARK_OPEN), OCT_OK);
    oct_frontier *f = frontier_of(map, NULL);
    oct_components *c = components_of(map, OCT_UNKNOWN_BLOCKED);
    const oct_fine at = {1000, 1000, 1000};
    for (int round = 0; round < 2; round++) {
        const oct_box *box = round ? &high : &low;
        oct_frontier_select(f, c, oct_components_at(c, box->min));
        for (int i = 0; i < 2; i++) {
            oct_vec cell;
            assert_true(oct_frontier_nearest(f, at, NULL, HUGE_VAL, 0.0, &cell, NULL));
            assert_true(box_has(box, 3, cell));
            int boxes = 0;
            assert_true(oct_frontier_visit(f, round ? &low : &high, stop_at_once, &boxes));
            assert_int_equal(boxes, 0);
        }
    }
    oct_components_destroy(c);
    oct_frontier_destroy(f);
    oct_map_destroy(map);
}

// ---- skipping ----

static bool offered(oct_frontier *f, oct_vec cell)
{
    const oct_box box = {cell, {cell.x + 1, cell.y + 1, cell.z + 1}};
    const oct_fine at = {0, 0, 0};
    oct_vec got;
    return oct_frontier_nearest(f, at, &box, HUGE_VAL, 0.0, &got, NULL);
}

static uint64_t labels_near(const oct_map *map, oct_vec cell)
{
    uint64_t labels = 0;
    const int32_t dz = oct_tree_dims(oct_map_tree(map)) == 3;
    for (int32_t z = -dz; z <= dz; z++) {
        for (int32_t y = -1; y <= 1; y++) {
            for (int32_t x = -1; x <= 1; x++) {
                const oct_vec at = {cell.x + x, cell.y + y, cell.z + z};
                labels = labels * 3u + (uint64_t)oct_tree_label(oct_map_tree(map), at);
            }
        }
    }
    return labels;
}

// A skipped cell stays out until a label around it changes, whatever else does.
static void skips_last_until_labels_around_change(void **state)
{
    (void)state;
    uint64_t kept = 0, returned = 0;
    for (uint64_t seed = 0; seed < test_rounds(60); seed++) {
        arena a;
        arena_open(&a, seed % 2 ? 3 : 2, 500 + seed);
        oct_vec cells[SKIPS_MOST];
        uint64_t labels[SKIPS_MOST];
        size_t count = 0;
        for (int i = 0; i < 25; i++) {
            arena_edit(&a);
            assert_int_equal(oct_frontier_update(a.frontier), OCT_OK);
            for (size_t k = 0; k < count;) {
                const bool stays = labels_near(a.map, cells[k]) == labels[k];
                const bool has = oct_frontier_has(a.frontier, cells[k]);
                assert_true(has || !stays);
                assert_int_equal(offered(a.frontier, cells[k]), has && !stays);
                kept += stays;
                returned += has && !stays;
                if (!stays) {
                    cells[k] = cells[--count];
                    labels[k] = labels[count];
                } else {
                    k++;
                }
            }
            arena_check(&a);
            assert_true(frontier_is_right(a.frontier));
            for (int n = 0; n < 3 && scanned.count > 0 && count < SKIPS_MOST; n++) {
                const oct_vec cell = scanned.cells[oct_random_below(&a.random, scanned.count)];
                if (offered(a.frontier, cell)) {
                    assert_int_equal(oct_frontier_skip(a.frontier, cell), OCT_OK);
                    assert_false(offered(a.frontier, cell));
                    assert_true(oct_frontier_has(a.frontier, cell));
                    cells[count] = cell;
                    labels[count++] = labels_near(a.map, cell);
                }
            }
            assert_int_equal(oct_frontier_count(a.frontier), scanned.count);
            assert_true(frontier_is_right(a.frontier));
        }
        arena_close(&a);
    }
    // Both were really tried.
    assert_true(kept >= test_rounds(1000) && returned >= test_rounds(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_match_a_plain_scan),
        cmocka_unit_test(selections_are_taken_up_again),
        cmocka_unit_test(layers_beside_walls_count),
        cmocka_unit_test(layers_that_meet_in_a_corner_count_apart),
        cmocka_unit_test(skips_last_until_labels_around_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
