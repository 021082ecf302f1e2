// SPDX-License-Identifier: MIT
// The flat map as bits, against the labels of the tree cell by cell.
#include "flat/plane.h"
#include "octant/tree.h"
#include "support.h"

// ---- worlds ----

// A tree, terms and the view that they make. The struct must not move.
typedef struct world {
    oct_random random;
    oct_tree *tree;
    oct_box drawn;
    oct_box bounds;
    oct_terms terms;
    view v;
} world;

static oct_tree *new_tree(void)
{
    oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    def.dims = 2;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    return tree;
}

static void mark(const world *w, oct_box box, oct_mark as)
{
    assert_int_equal(oct_tree_set_box(w->tree, box, as), OCT_OK);
}

static oct_box box_at(oct_vec at, int32_t width, int32_t height)
{
    return (oct_box){at, {at.x + width, at.y + height, 1}};
}

static void look(world *w, oct_unknown unknown, const oct_box *bounds)
{
    w->terms = oct_terms_default();
    w->terms.unknown = unknown;
    if (bounds) {
        w->bounds = *bounds;
        w->terms.bounds = &w->bounds;
    }
    oct_view_init(&w->v, w->tree, &w->terms);
}

static oct_box random_part(world *w)
{
    const int32_t width = w->drawn.max.x - w->drawn.min.x, height = w->drawn.max.y - w->drawn.min.y;
    const int32_t x = oct_random_range(&w->random, 0, width - 1);
    const int32_t y = oct_random_range(&w->random, 0, height - 1);
    const int32_t right = oct_random_range(&w->random, x + 1, width);
    const int32_t top = oct_random_range(&w->random, y + 1, height);
    return box_at((oct_vec){w->drawn.min.x + x, w->drawn.min.y + y, 0}, right - x, top - y);
}

// Anywhere in the lattice; sizes around words; labels in leaves of all sizes.
static void world_init(world *w, uint64_t seed)
{
    static const oct_mark marks[] = {OCT_MARK_OPEN, OCT_MARK_BLOCKED, OCT_MARK_UNKNOWN};
    static const int32_t sizes[] = {1, 2, 7, 8, 62, 63, 64, 65, 66, 127, 128, 129, 193};
    *w = (world){.random = oct_random_seed(seed), .tree = new_tree()};
    oct_random *const random = &w->random;
    const int32_t width = sizes[oct_random_below(random, 13)];
    const int32_t height = sizes[oct_random_below(random, 13)];
    const oct_vec bases[] = {{0, 0, 0},
                             {-width / 2, -height / 2, 0},
                             {1000003, -700001, 0},
                             {-OCT_RANGE, -OCT_RANGE, 0},
                             {OCT_RANGE - width, OCT_RANGE - height, 0}};
    w->drawn = box_at(bases[oct_random_below(random, 5)], width, height);
    mark(w, w->drawn, marks[oct_random_below(random, 3)]);
    for (int i = 0; i < 6; i++) {
        const oct_mark as = marks[oct_random_below(random, 3)];
        mark(w, random_part(w), as);
    }
    const uint64_t singles = oct_random_below(random, (uint64_t)(1 + width * height / 3));
    for (uint64_t i = 0; i < singles; i++) {
        const int32_t x = oct_random_range(random, w->drawn.min.x, w->drawn.max.x - 1);
        const int32_t y = oct_random_range(random, w->drawn.min.y, w->drawn.max.y - 1);
        const oct_mark as = marks[oct_random_below(random, 3)];
        mark(w, box_at((oct_vec){x, y, 0}, 1, 1), as);
    }
    const oct_unknown unknown =
        oct_random_below(random, 2) ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_BLOCKED;
    const oct_box inside = random_part(w);
    const oct_box around = {{w->drawn.min.x - 3, w->drawn.min.y - 70, 0},
                            {w->drawn.max.x + 66, w->drawn.max.y + 5, 1}};
    const uint64_t kind = oct_random_below(random, 4);
    const bool is_free = kind == 3 && unknown == OCT_UNKNOWN_BLOCKED;
    const oct_box *const choices[] = {&inside, &around, &w->drawn, is_free ? NULL : &w->drawn};
    look(w, unknown, choices[kind]);
}

static void world_free(world *w)
{
    oct_tree_destroy(w->tree);
}

// By the label and the bounds alone.
static bool is_free(const world *w, int64_t x, int64_t y)
{
    const oct_box *const b = w->terms.bounds;
    if (x < -OCT_RANGE || x >= OCT_RANGE || y < -OCT_RANGE || y >= OCT_RANGE ||
        (b && (x < b->min.x || x >= b->max.x || y < b->min.y || y >= b->max.y))) {
        return false;
    }
    const oct_label label = oct_tree_label(w->tree, (oct_vec){(int32_t)x, (int32_t)y, 0});
    return label == OCT_OPEN || (label == OCT_UNKNOWN && w->terms.unknown == OCT_UNKNOWN_OPEN);
}

static void check_plane(const world *w, const bit_plane *p)
{
    for (int32_t y = -1; y <= p->height + PLANE_MARGIN; y++) {
        for (int32_t x = -1; x <= p->width; x++) {
            const bool expected = is_free(w, (int64_t)p->x + x, (int64_t)p->y + y);
            assert_int_equal(plane_is_free(p, x, y), expected);
        }
    }
    for (int32_t x = -1; x <= p->width + PLANE_MARGIN && p->column_words; x++) {
        for (int32_t y = -1; y <= p->height; y++) {
            const bool expected = is_free(w, (int64_t)p->x + x, (int64_t)p->y + y);
            assert_int_equal(plane_bits(plane_column(p, x), y) & 1u, expected);
        }
    }
    // Nothing free is left out of the frame.
    const oct_box all = {{w->drawn.min.x - 80, w->drawn.min.y - 80, 0},
                         {w->drawn.max.x + 80, w->drawn.max.y + 80, 1}};
    for (int32_t y = all.min.y; y < all.max.y; y++) {
        for (int32_t x = all.min.x; x < all.max.x; x++) {
            const bool inside =
                x >= p->x && x < p->x + p->width && y >= p->y && y < p->y + p->height;
            assert_true(inside || !is_free(w, x, y));
        }
    }
}

static void make(const world *w, bit_plane *p, const oct_allocator *allocator)
{
    assert_int_equal(oct_plane_begin(p, allocator, &w->v), OCT_OK);
    assert_int_equal(oct_plane_turn(p, allocator), OCT_OK);
}

// ---- what is free ----

static void rows_and_columns_are_the_labels_of_the_tree(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_or_default(NULL);
    bit_plane p = {.tree = NULL}; // one for all: sizes go up and down
    for (uint64_t seed = 0; seed < test_rounds(240); seed++) {
        world w;
        world_init(&w, seed);
        assert_int_equal(oct_plane_begin(&p, &heap, &w.v), OCT_OK);
        check_plane(&w, &p);
        assert_int_equal(oct_plane_turn(&p, &heap), OCT_OK);
        check_plane(&w, &p);
        world_free(&w);
        p.tree = NULL; // another tree may get the same address
    }
    oct_plane_free(&p, &heap);
}

static void bounds_beside_everything_that_is_known_leave_nothing_free(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_or_default(NULL);
    world w;
    world_init(&w, 5);
    const oct_box beside = box_at((oct_vec){w.drawn.max.x + 5000, w.drawn.min.y, 0}, 70, 3);
    look(&w, OCT_UNKNOWN_BLOCKED, &beside);
    bit_plane p = {.tree = NULL};
    make(&w, &p, &heap);
    check_plane(&w, &p);
    assert_int_equal(oct_plane_bytes(&p), (p.row_room + p.column_room) * sizeof(uint64_t));
    oct_plane_free(&p, &heap);
    assert_int_equal(oct_plane_bytes(&p), 0);
    world_free(&w);
}

// ---- scans ----

static void check_scans(const uint64_t *line, int32_t count, const bool *free_cells)
{
    // free_cells[i + 1] is cell i, from -1 to count.
    for (int32_t x = -1; x <= count; x++) {
        int32_t up = x, down = x, open = x;
        while (free_cells[up + 1]) {
            up++;
        }
        while (free_cells[down + 1]) {
            down--;
        }
        assert_int_equal(plane_blocked_from(line, x), up);
        assert_int_equal(plane_blocked_to(line, x), down);
        const int32_t ends[] = {count, x, x + 1, x + 64 < count ? x + 64 : count, (x + count) / 2};
        for (int i = 0; i < 5; i++) {
            for (open = x; open < ends[i] && !free_cells[open + 1];) {
                open++;
            }
            assert_int_equal(plane_free_from(line, x, ends[i]), open < ends[i] ? open : ends[i]);
        }
        const uint64_t bits = plane_bits(line, x);
        for (int32_t i = 0; i < 64 && x + i <= count; i++) {
            assert_int_equal(bits >> i & 1u, free_cells[x + i + 1]);
        }
    }
}

static void scans_find_what_loops_find(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_or_default(NULL);
    for (uint64_t seed = 1000; seed < 1000 + test_rounds(60); seed++) {
        world w;
        bool cells[600];
        bit_plane p = {.tree = NULL};
        world_init(&w, seed);
        make(&w, &p, &heap);
        for (int32_t y = 0; y < p.height; y += 1 + p.height / 16) {
            for (int32_t x = -1; x <= p.width; x++) {
                cells[x + 1] = is_free(&w, (int64_t)p.x + x, (int64_t)p.y + y);
            }
            check_scans(plane_row(&p, y), p.width, cells);
        }
        for (int32_t x = 0; x < p.width; x += 1 + p.width / 16) {
            for (int32_t y = -1; y <= p.height; y++) {
                cells[y + 1] = is_free(&w, (int64_t)p.x + x, (int64_t)p.y + y);
            }
            check_scans(plane_column(&p, x), p.height, cells);
        }
        oct_plane_free(&p, &heap);
        world_free(&w);
    }
}

static void quads_are_the_cells_around_a_lattice_point(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_or_default(NULL);
    for (uint64_t seed = 2000; seed < 2000 + test_rounds(60); seed++) {
        world w;
        bit_plane p = {.tree = NULL};
        world_init(&w, seed);
        make(&w, &p, &heap);
        for (int32_t y = 0; y <= p.height; y++) {
            for (int32_t x = 0; x <= p.width; x++) {
                uint32_t expected = 0;
                for (int i = 0; i < 4; i++) {
                    const int64_t at_x = (int64_t)p.x + x - 1 + i % 2;
                    const int64_t at_y = (int64_t)p.y + y - 1 + i / 2;
                    expected |= (uint32_t)is_free(&w, at_x, at_y) << i;
                }
                assert_int_equal(plane_quads(&p, x, y), expected);
            }
        }
        oct_plane_free(&p, &heap);
        world_free(&w);
    }
}

// ---- life ----

static void frames_beyond_the_limits_are_refused(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_or_default(NULL);
    static const struct {
        int32_t width, height;
    } refused[] = {{PLANE_EDGE_MAX + 1, 1}, {1, PLANE_EDGE_MAX + 1}, {PLANE_EDGE_MAX, 4097}};
    world w;
    bit_plane p = {.tree = NULL};
    world_init(&w, 7);
    make(&w, &p, &heap);
    for (int i = 0; i < 3; i++) {
        const oct_box wide =
            box_at((oct_vec){-1000, -2000, 0}, refused[i].width, refused[i].height);
        look(&w, OCT_UNKNOWN_OPEN, &wide);
        assert_int_equal(oct_plane_begin(&p, &heap, &w.v), OCT_ERROR_RANGE);
    }
    look(&w, OCT_UNKNOWN_OPEN, NULL);
    assert_int_equal(oct_plane_begin(&p, &heap, &w.v), OCT_ERROR_RANGE);
    // As wide as can be; and of what is wide only the root counts where UNKNOWN is in the way.
    const oct_box widest = box_at((oct_vec){-1000, -2, 0}, PLANE_EDGE_MAX, 3);
    look(&w, OCT_UNKNOWN_OPEN, &widest);
    make(&w, &p, &heap);
    assert_int_equal(p.width, PLANE_EDGE_MAX);
    assert_true(plane_is_free(&p, PLANE_EDGE_MAX - 1, 2));
    assert_false(plane_is_free(&p, PLANE_EDGE_MAX, 2));
    look(&w, OCT_UNKNOWN_BLOCKED, NULL);
    make(&w, &p, &heap);
    check_plane(&w, &p);
    oct_plane_free(&p, &heap);
    world_free(&w);
}

// Whether a plane was made anew: a bit that was turned around in a corner is right again.
static bool is_remade(const world *w, bit_plane *p, const oct_allocator *allocator)
{
    p->rows[0] ^= 1u;
    const uint64_t before = p->rows[0];
    make(w, p, allocator);
    const bool remade = p->rows[0] != before;
    p->rows[0] = 0;
    return remade;
}

static void a_plane_is_kept_while_it_is_true(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    const oct_allocator *const heap = &memory.allocator;
    world w;
    bit_plane p = {.tree = NULL};
    world_init(&w, 11);
    const oct_box bounds = {{w.drawn.min.x - 2, w.drawn.min.y - 2, 0},
                            {w.drawn.max.x + 2, w.drawn.max.y + 2, 1}};
    look(&w, OCT_UNKNOWN_OPEN, &bounds);
    make(&w, &p, heap);
    assert_false(is_remade(&w, &p, heap));
    // Terms that are others, but say the same.
    const oct_box same = bounds;
    look(&w, OCT_UNKNOWN_OPEN, &same);
    assert_false(is_remade(&w, &p, heap));
    look(&w, OCT_UNKNOWN_BLOCKED, &bounds);
    assert_true(is_remade(&w, &p, heap));
    check_plane(&w, &p);
    const oct_box other = {bounds.min, {bounds.max.x, bounds.max.y - 1, 1}};
    look(&w, OCT_UNKNOWN_BLOCKED, &other);
    assert_true(is_remade(&w, &p, heap));
    look(&w, OCT_UNKNOWN_OPEN, &bounds);
    assert_true(is_remade(&w, &p, heap));
    const size_t allocations = memory.allocations;
    for (int i = 0; i < 20; i++) {
        const uint64_t revision = oct_tree_revision(w.tree);
        mark(&w, random_part(&w), i % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
        assert_int_equal(is_remade(&w, &p, heap), oct_tree_revision(w.tree) != revision);
        check_plane(&w, &p);
        assert_false(is_remade(&w, &p, heap));
    }
    assert_int_equal(memory.allocations, allocations); // the memory served before
    world second;
    world_init(&second, 11);
    look(&second, OCT_UNKNOWN_OPEN, &bounds);
    assert_true(is_remade(&second, &p, heap));
    check_plane(&second, &p);
    oct_plane_free(&p, heap);
    test_allocator_check_empty(&memory);
    world_free(&w);
    world_free(&second);
}

static void a_plane_that_could_not_be_made_can_be_made_later(void **state)
{
    (void)state;
    world w;
    world_init(&w, 13);
    for (size_t fail_at = 0; fail_at < 4; fail_at++) {
        test_allocator memory;
        test_allocator_init(&memory, fail_at);
        bit_plane p = {.tree = NULL};
        const oct_box small = box_at(w.drawn.min, 5, 9), large = box_at(w.drawn.min, 300, 200);
        for (int i = 0; i < 5; i++) {
            look(&w, OCT_UNKNOWN_OPEN, i % 2 == 0 ? &small : &large);
            oct_result result = oct_plane_begin(&p, &memory.allocator, &w.v);
            result = result == OCT_OK ? oct_plane_turn(&p, &memory.allocator) : result;
            assert_true(result == OCT_OK || (result == OCT_ERROR_MEMORY && memory.refused));
            if (result == OCT_OK) {
                check_plane(&w, &p);
            }
        }
        assert_true(memory.refused);
        assert_non_null(p.tree);
        oct_plane_free(&p, &memory.allocator);
        test_allocator_check_empty(&memory);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns_are_the_labels_of_the_tree),
        cmocka_unit_test(bounds_beside_everything_that_is_known_leave_nothing_free),
        cmocka_unit_test(scans_find_what_loops_find),
        cmocka_unit_test(quads_are_the_cells_around_a_lattice_point),
        cmocka_unit_test(frames_beyond_the_limits_are_refused),
        cmocka_unit_test(a_plane_is_kept_while_it_is_true),
        cmocka_unit_test(a_plane_that_could_not_be_made_can_be_made_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
