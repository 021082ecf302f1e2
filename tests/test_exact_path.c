// SPDX-License-Identifier: MIT
// The judge of paths against cases with known answers, and against a flood through crumbs of cells
// that lie near the line.
#include "base/base_internal.h"
#include "octant/tree.h"
#include "support.h"
#include "tree_model.h"
#include "verify/exact_path.h"

#include <stdio.h>
#include <string.h>

#define C OCT_FINE
#define H (OCT_FINE / 2)

// ---- small worlds drawn by hand ----

typedef struct drawing {
    oct_tree *tree;
    exact_world world;
} drawing;

// Rows from the highest y down; '.' is OPEN, '#' BLOCKED, '?' UNKNOWN.
static drawing draw(const char *const *rows, int count)
{
    drawing d = {model_new_tree(2, NULL), {0}};
    for (int i = 0; i < count; i++) {
        for (int x = 0; rows[i][x]; x++) {
            if (rows[i][x] != '?') {
                assert_int_equal(oct_tree_set(d.tree, (oct_cell){x, count - 1 - i, 0, 0},
                                              rows[i][x] == '#' ? OCT_MARK_BLOCKED : OCT_MARK_OPEN),
                                 OCT_OK);
            }
        }
    }
    d.world = (exact_world){d.tree, false, false, {{0, 0, 0}, {0, 0, 0}}, 2, false};
    return d;
}

#define DRAW(...)                                                                                  \
    draw((const char *const[]){__VA_ARGS__},                                                       \
         (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

static oct_fine at(int64_t x, int64_t y)
{
    return (oct_fine){x, y, 12345};
}

// Both ways must agree.
static bool sees(const exact_world *world, oct_fine a, oct_fine b)
{
    const bool there = exact_sees(world, a, b);
    assert_int_equal(exact_sees(world, b, a), there);
    return there;
}

static bool valid(const exact_world *world, const oct_fine *points, size_t count)
{
    oct_fine back[16];
    char why[200];
    for (size_t i = 0; i < count; i++) {
        back[i] = points[count - 1 - i];
    }
    const bool there = exact_path_is_valid(world, points, count, false, false, why, sizeof why);
    assert_int_equal(why[0] == '\0', there);
    assert_int_equal(exact_path_is_valid(world, back, count, false, false, why, sizeof why), there);
    return there;
}

#define VALID(world, ...)                                                                          \
    valid((world), (const oct_fine[]){__VA_ARGS__},                                                \
          sizeof((const oct_fine[]){__VA_ARGS__}) / sizeof(oct_fine))

// ---- two dimensions ----

static void lines_slide_along_walls(void **state)
{
    (void)state;
    drawing d = DRAW("....", //
                     "####", //
                     "....");
    assert_true(sees(&d.world, at(0, 2 * C), at(4 * C, 2 * C)));
    assert_true(sees(&d.world, at(0, C), at(4 * C, C)));
    assert_true(sees(&d.world, at(0, 0), at(4 * C, 0)));
    assert_false(sees(&d.world, at(0, C + 1), at(4 * C, C + 1)));
    assert_false(sees(&d.world, at(0, 2 * C), at(4 * C, 2 * C - 1)));
    assert_false(sees(&d.world, at(H, C), at(H, 2 * C)));
    assert_false(sees(&d.world, at(H, H), at(H, 2 * C + H)));
    oct_tree_destroy(d.tree);
}

static void lines_do_not_run_between_blocked_cells(void **state)
{
    (void)state;
    drawing d = DRAW("..#.", //
                     "..#.");
    assert_true(sees(&d.world, at(0, C), at(2 * C, C)));
    assert_false(sees(&d.world, at(0, C), at(2 * C + 1, C)));
    assert_false(sees(&d.world, at(H, C), at(4 * C, C)));
    assert_true(sees(&d.world, at(3 * C, C), at(4 * C, C)));
    oct_tree_destroy(d.tree);
}

// Along y = 1 the free side changes from below to above.
static void lines_do_not_change_sides_at_a_diagonal_pair(void **state)
{
    (void)state;
    drawing d = DRAW("##..", //
                     "..##");
    assert_true(sees(&d.world, at(0, C), at(2 * C, C)));
    assert_true(sees(&d.world, at(2 * C, C), at(4 * C, C)));
    assert_false(sees(&d.world, at(0, C), at(4 * C, C)));
    assert_false(VALID(&d.world, at(0, C), at(2 * C, C), at(4 * C, C)));
    assert_false(VALID(&d.world, at(H, H), at(2 * C, C), at(2 * C, C), at(3 * C, 2 * C)));
    assert_true(VALID(&d.world, at(H, H), at(2 * C, C), at(C, 0)));
    oct_tree_destroy(d.tree);

    drawing e = DRAW("##..", //
                     "...#");
    assert_true(sees(&e.world, at(0, C), at(4 * C, C)));
    assert_true(VALID(&e.world, at(0, C), at(2 * C, C), at(2 * C, C), at(4 * C, C)));
    oct_tree_destroy(e.tree);
}

static void corners_need_one_free_side(void **state)
{
    (void)state;
    const char *const above[] = {"#.", ".."}, *const below[] = {"..", ".#"};
    const char *const both[] = {"#.", ".#"}, *const none[] = {"..", ".."};
    const char *const *const worlds[] = {above, below, both, none};
    for (int i = 0; i < 4; i++) {
        drawing d = draw(worlds[i], 2);
        assert_int_equal(sees(&d.world, at(H, H), at(C + H, C + H)), i != 2);
        assert_int_equal(sees(&d.world, at(0, 0), at(2 * C, 2 * C)), i != 2);
        assert_int_equal(sees(&d.world, at(H, 0), at(C + H, 2 * C)), i != 2);
        assert_int_equal(VALID(&d.world, at(H, H), at(C, C), at(C + 3, C + 1)), i != 2);
        assert_true(sees(&d.world, at(H, H), at(C, C)));
        assert_true(sees(&d.world, at(C, C), at(C + H, C + H)));
        oct_tree_destroy(d.tree);
    }
}

static void turns_do_not_squeeze(void **state)
{
    (void)state;
    drawing d = DRAW("..#.", //
                     ".#..", //
                     "....");
    const oct_fine middle = at(2 * C, 2 * C);
    assert_true(VALID(&d.world, at(C + H, 2 * C + H), middle, at(C, 2 * C)));
    assert_false(VALID(&d.world, at(C + H, 2 * C + H), middle, at(2 * C + H, C)));
    assert_false(VALID(&d.world, at(C, 2 * C), middle, at(2 * C, C)));
    assert_false(VALID(&d.world, at(C, 2 * C), middle, at(3 * C, 2 * C)));
    assert_true(VALID(&d.world, at(2 * C, H), middle, at(3 * C, 2 * C)));
    oct_tree_destroy(d.tree);
}

static void squeezing_may_be_allowed(void **state)
{
    (void)state;
    drawing d = DRAW("..#.", //
                     ".#..", //
                     "....");
    d.world.squeeze = true;
    const oct_fine middle = at(2 * C, 2 * C);
    assert_true(VALID(&d.world, at(C + H, 2 * C + H), middle, at(2 * C + H, C)));
    assert_true(VALID(&d.world, at(C, 2 * C), middle, at(2 * C, C)));
    assert_true(VALID(&d.world, at(C, 2 * C), middle, at(3 * C, 2 * C)));
    assert_true(sees(&d.world, at(C, 3 * C), at(3 * C, C)));
    assert_true(sees(&d.world, at(C, 2 * C), at(3 * C, 2 * C)));
    assert_false(sees(&d.world, at(C, C), at(3 * C, 3 * C)));
    oct_tree_destroy(d.tree);
    // Between cells that share an edge there is no way all the same, nor into a cell.
    drawing e = DRAW("#.", //
                     "##");
    e.world.squeeze = true;
    assert_false(sees(&e.world, at(0, C), at(C, C)));
    assert_false(sees(&e.world, at(C, 0), at(C, C)));
    assert_false(sees(&e.world, at(H, H), at(C + H, C + H)));
    oct_tree_destroy(e.tree);
}

static void points_alone_and_legs_without_length(void **state)
{
    (void)state;
    drawing d = DRAW(".##", //
                     "###");
    assert_true(VALID(&d.world, at(H, C + H)));
    assert_true(VALID(&d.world, at(C, C)));
    assert_false(VALID(&d.world, at(2 * C, C)));
    assert_false(VALID(&d.world, at(2 * C, C), at(2 * C, C)));
    assert_true(VALID(&d.world, at(C, C), at(C, C), at(C, C)));
    assert_true(VALID(&d.world, at(C, C), at(C, C), at(H, C + H), at(H, C + H)));
    char why[100];
    assert_false(exact_path_is_valid(&d.world, NULL, 0, false, false, why, sizeof why));
    assert_string_not_equal(why, "");
    oct_tree_destroy(d.tree);
}

static void messages_say_where(void **state)
{
    (void)state;
    drawing d = DRAW(".#.", //
                     "..#");
    char why[100];
    const oct_fine through[] = {at(0, 0), at(H, H), at(H, C + H), at(3 * C, C + H)};
    assert_false(exact_path_is_valid(&d.world, through, 4, false, false, why, sizeof why));
    assert_string_equal(why, "leg 2 enters a cell that is not free at (1, 1.5, 0.5)");
    const oct_fine squeeze[] = {at(C + H, H), at(2 * C + H, C + H)};
    assert_false(exact_path_is_valid(&d.world, squeeze, 2, false, false, why, sizeof why));
    assert_string_equal(why, "leg 0 squeezes between cells that are not free at (2, 1, 0.5)");
    assert_false(exact_path_is_valid(&d.world, squeeze, 2, false, false, why, 6));
    assert_string_equal(why, "leg 0");
    oct_tree_destroy(d.tree);
}

static void unknown_and_bounds_count(void **state)
{
    (void)state;
    drawing d = DRAW("..?..");
    assert_false(sees(&d.world, at(0, H), at(5 * C, H)));
    assert_false(sees(&d.world, at(0, -1), at(C, -1)));
    d.world.unknown_is_free = true;
    assert_true(sees(&d.world, at(0, H), at(5 * C, H)));
    assert_true(sees(&d.world, at(0, -1), at(C, -1)));
    d.world.bounded = true;
    d.world.bounds = (oct_box){{0, 0, 5}, {4, 1, 5}};
    assert_false(sees(&d.world, at(0, H), at(5 * C, H)));
    assert_true(sees(&d.world, at(0, 0), at(4 * C, C)));
    assert_false(sees(&d.world, at(0, -1), at(C, -1)));
    oct_tree_destroy(d.tree);
}

// ---- out of what is in the way ----

static bool out_valid(const exact_world *world, bool leaves, bool enters, const oct_fine *points,
                      size_t count)
{
    char why[200];
    return exact_path_is_valid(world, points, count, leaves, enters, why, sizeof why);
}

static void starts_in_walls_leave_by_the_nearest_way(void **state)
{
    (void)state;
    drawing d = DRAW(".....",  //
                     "#####",  //
                     "....."); // a wall of one cell
    const oct_fine low[] = {at(C + 9, C + 100), at(C + 9, C), at(C + 9, 3)};
    assert_true(out_valid(&d.world, true, false, low, 3));
    assert_false(out_valid(&d.world, false, false, low, 3));
    const oct_fine aside[] = {at(C + 9, C + 100), at(C + 10, C), at(C + 9, 3)};
    assert_false(out_valid(&d.world, true, false, aside, 3));
    const oct_fine far[] = {at(C + 9, C + 100), at(C + 9, 2 * C), at(C + 9, 2 * C + 1)};
    assert_false(out_valid(&d.world, true, false, far, 3));
    const oct_fine half[] = {at(C + 9, C + H), at(C + 9, 2 * C), at(C + 9, 2 * C + 1)};
    assert_true(out_valid(&d.world, true, false, half, 3));
    const oct_fine wrong_side[] = {at(C + 9, C + 100), at(C + 9, C), at(C + 9, 2 * C + 1)};
    assert_false(out_valid(&d.world, true, false, wrong_side, 3));
    const oct_fine short_of[] = {at(C + 9, C + 100), at(C + 9, C + 1), at(C + 9, 3)};
    assert_false(out_valid(&d.world, true, false, short_of, 3));
    const oct_fine open[] = {at(9, 9), at(9, 0)};
    assert_false(out_valid(&d.world, true, false, open, 2));
    assert_true(out_valid(&d.world, false, false, open, 2));
    const oct_fine into[] = {at(9, 9), at(C, C), at(C, C + 1)};
    assert_true(out_valid(&d.world, false, true, into, 3));
    assert_false(out_valid(&d.world, false, false, into, 3));
    const oct_fine both[] = {at(9, C + 7), at(9, C), at(C, C), at(C, C + 1)};
    assert_true(out_valid(&d.world, true, true, both, 4));
    const oct_fine through[] = {at(9, C + 7), at(9, 2 * C - 7)};
    assert_false(out_valid(&d.world, true, true, through, 2));
    // On the surface already: the way out has no length.
    const oct_fine surface[] = {at(9, C), at(9, C), at(9, 0)};
    assert_true(out_valid(&d.world, true, false, surface, 3));
    assert_true(out_valid(&d.world, true, false, surface + 1, 2));
    oct_tree_destroy(d.tree);
}

static void thick_walls_are_left_on_the_nearer_side(void **state)
{
    (void)state;
    drawing d = DRAW(".....", //
                     "#####", //
                     "#####", //
                     ".....");
    const oct_fine low[] = {at(700, 2 * C - 1), at(700, C), at(C, C)};
    const oct_fine high[] = {at(700, 2 * C - 1), at(700, 3 * C), at(C, 3 * C)};
    assert_true(out_valid(&d.world, true, false, low, 3));
    assert_false(out_valid(&d.world, true, false, high, 3));
    const oct_fine middle_low[] = {at(700, 2 * C), at(700, C), at(C, C)};
    const oct_fine middle_high[] = {at(700, 2 * C), at(700, 3 * C), at(C, 3 * C)};
    assert_true(out_valid(&d.world, true, false, middle_low, 3));
    assert_true(out_valid(&d.world, true, false, middle_high, 3));
    oct_tree_destroy(d.tree);
}

// ---- three dimensions ----

static oct_tree *eight_cells(uint32_t open)
{
    oct_tree *tree = model_new_tree(3, NULL);
    for (int32_t i = 0; i < 8; i++) {
        assert_int_equal(oct_tree_set(tree, (oct_cell){i & 1, i >> 1 & 1, i >> 2, 0},
                                      open >> i & 1 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED),
                         OCT_OK);
    }
    return tree;
}

static bool has(uint32_t set, uint32_t i)
{
    return set >> i & 1u;
}

// From cell 0 to cell 7 through the corner they share: over one of 1, 2, 4 to one of 3, 5, 6.
static bool corner_rule(uint32_t open)
{
    return has(open, 0) && has(open, 7) &&
           ((has(open, 1) && (has(open, 3) || has(open, 5))) ||
            (has(open, 2) && (has(open, 3) || has(open, 6))) ||
            (has(open, 4) && (has(open, 5) || has(open, 6))));
}

// From cell 0 to cell 3 through the edge they share, beside z = 1.
static bool edge_rule(uint32_t open)
{
    return has(open, 0) && has(open, 3) && (has(open, 1) || has(open, 2));
}

static void all_patterns_around_a_corner(void **state)
{
    (void)state;
    for (uint32_t open = 0; open < 256; open++) {
        oct_tree *tree = eight_cells(open);
        const exact_world w = {tree, false, false, {{0, 0, 0}, {0, 0, 0}}, 3, false};
        const oct_fine mid = {C, C, C}, low = {9, 9, 9}, high = {2 * C - 9, 2 * C - 9, 2 * C - 9};
        assert_int_equal(sees(&w, low, high), corner_rule(open));
        assert_int_equal(VALID(&w, low, mid, (oct_fine){C + 1, C + 2, C + 3}), corner_rule(open));
        assert_int_equal(
            VALID(&w, (oct_fine){3, 2, 1}, (oct_fine){C, C, 9}, (oct_fine){C + 5, C + 3, 9}),
            edge_rule(open));
        assert_int_equal(sees(&w, (oct_fine){C - 9, C - 9, 7}, (oct_fine){C + 9, C + 9, 9}),
                         edge_rule(open));
        // Along an edge of the lattice: from a cell below straight into one above.
        assert_int_equal(sees(&w, (oct_fine){C, C, 0}, (oct_fine){C, C, 2 * C}),
                         (open & open >> 4 & 0xfu) != 0);
        assert_int_equal(sees(&w, mid, mid), open != 0);
        assert_int_equal(sees(&w, mid, low), has(open, 0));
        oct_tree_destroy(tree);
    }
}

static void faces_and_edges_between_blocked_cells(void **state)
{
    (void)state;
    oct_tree *tree = eight_cells(0xf0); // the lower four are blocked
    exact_world w = {tree, false, false, {{0, 0, 0}, {0, 0, 0}}, 3, false};
    assert_true(sees(&w, (oct_fine){0, 3, C}, (oct_fine){2 * C, C + 1, C}));
    assert_true(sees(&w, (oct_fine){C, 0, C}, (oct_fine){C, 2 * C, C}));
    assert_false(sees(&w, (oct_fine){C, 0, C}, (oct_fine){C, 2 * C, C - 1}));
    oct_tree_destroy(tree);
    w.tree = tree = eight_cells(0x09); // 0 and 3 share an edge alone
    assert_true(sees(&w, (oct_fine){C, C, 0}, (oct_fine){C, C, C}));
    assert_false(sees(&w, (oct_fine){C, C, 0}, (oct_fine){C, C, C + 1}));
    assert_false(VALID(&w, (oct_fine){0, C, 3}, (oct_fine){C, C, 3}, (oct_fine){2 * C, C, 3}));
    assert_true(VALID(&w, (oct_fine){0, C, 3}, (oct_fine){C, C, 3}, (oct_fine){C, 0, 9}));
    oct_tree_destroy(tree);
    w.tree = tree = eight_cells(0x99); // the same, two cells high: no way between both parts
    const exact_cells low = {1, {{0, 0, 0}}}, high = {1, {{0, 0, 1}}}, other = {1, {{1, 1, 1}}};
    const oct_fine a = {C, C, 0}, b = {C, C, 2 * C};
    assert_true(exact_sees_between(&w, a, &low, b, &high));
    assert_false(exact_sees_between(&w, a, &low, b, &other));
    assert_true(exact_sees_between(&w, b, &high, a, &low));
    assert_false(exact_sees_between(&w, b, &other, a, &low));
    assert_int_equal(exact_around(&w, (oct_fine){C, C, C}).count, 4);
    assert_int_equal(exact_joined(&w, (oct_fine){C, C, C}, &low).count, 2);
    oct_tree_destroy(tree);
}

// From the middle of a block all six sides are as near, and nothing else is.
static void blocks_are_left_on_any_nearest_side(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_box all = {{-1, -1, -1}, {4, 4, 4}}, block = {{0, 0, 0}, {3, 3, 3}};
    assert_int_equal(oct_tree_set_box(tree, all, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, block, OCT_MARK_BLOCKED), OCT_OK);
    const exact_world w = {tree, false, false, {{0, 0, 0}, {0, 0, 0}}, 3, false};
    const int64_t mid = C + H;
    for (int i = 0; i < 27; i++) {
        const int64_t side[3] = {0, mid, 3 * C};
        const oct_fine out = {side[i % 3], side[i / 3 % 3], side[i / 9]};
        const oct_fine points[] = {{mid, mid, mid}, out};
        const oct_fine aside[] = {{mid, mid, mid + 1}, out};
        const bool is_side = (i % 3 != 1) + (i / 3 % 3 != 1) + (i / 9 != 1) == 1;
        assert_int_equal(out_valid(&w, true, false, points, 2), is_side);
        assert_int_equal(out_valid(&w, true, false, aside, 2), i == 9 + 9 + 3 + 1);
    }
    oct_tree_destroy(tree);
}

// Coordinates as large as they can be, on a line that misses a corner by one part in 2^38.
static void the_longest_lines_are_exact(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(2, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){0, -1, 0, 0}, OCT_MARK_BLOCKED), OCT_OK);
    assert_int_equal(oct_tree_set(tree, (oct_cell){-1, 0, 0, 0}, OCT_MARK_BLOCKED), OCT_OK);
    exact_world w = {tree, true, false, {{0, 0, 0}, {0, 0, 0}}, 2, false};
    // Only the last few cells are walked: from 2^10 cells away, seen from a corner of the lattice.
    const int64_t far = (int64_t)OCT_RANGE * C, near = 1024 * C;
    assert_false(sees(&w, at(-near, -near), at(near, near)));
    assert_false(sees(&w, at(-near, -near), at(near, near - 1)));
    assert_false(sees(&w, at(far - C, far - C), at(far, far + 1)));
    assert_true(sees(&w, at(far - near, far - near), at(far, far)));
    assert_true(sees(&w, at(-far, -far), at(-far + near, -far + 1)));
    assert_false(sees(&w, at(far, H), at(far + 1, H)));
    assert_false(sees(&w, at(-far, far), at(-far, far + 1)));
    oct_tree_destroy(tree);
    tree = model_new_tree(2, NULL);
    assert_int_equal(oct_tree_set(tree, (oct_cell){1, 0, 0, 0}, OCT_MARK_BLOCKED), OCT_OK);
    w.tree = tree;
    w.bounded = true;
    w.bounds = (oct_box){{-4, -4, 0}, {4, 4, 1}};
    assert_true(sees(&w, at(0, 0), at(C, C)));
    assert_false(sees(&w, at(0, 0), at(far, far)));
    assert_true(sees(&w, at(3 * C, C), at(-3 * C, C)));
    assert_false(sees(&w, at(3 * C, C), at(-3 * C, C - 1)));
    oct_tree_destroy(tree);
}

// ---- crumbs ----

// Divide every cell into crumbs and flood over faces, from the crumbs that touch one end to those
// that touch the other, through crumbs of free cells whose middles lie near the line. With crumbs
// small enough nothing else is needed: no crossing points, no rule for planes, edges and corners.
// Ends are at multiples of half a cell, worlds at most EDGE cells wide: a line then misses what it
// does not touch by more than the crumbs that count.
#define CRUMBS_2D 128 // along a cell
#define EDGE_2D 6
#define CRUMBS_3D 64
#define EDGE_3D 3
#define SIDE_2D (CRUMBS_2D * EDGE_2D)
#define SIDE_3D (CRUMBS_3D * EDGE_3D)
#define MOST (SIDE_3D * SIDE_3D * SIDE_3D)

typedef struct crumbs {
    const exact_world *world;
    int32_t per_cell, side[3];
    int64_t a[3], b[3]; // ends, in halves of a crumb
} crumbs;

static uint16_t stamps[MOST];
static uint16_t stamp;
static uint32_t queue[MOST];

static bool crumb_is_near(const crumbs *k, const int32_t c[3])
{
    int64_t length = 0, along = 0, away = 0;
    for (int i = 0; i < 3; i++) {
        const int64_t d = k->b[i] - k->a[i], p = 2 * c[i] + 1 - k->a[i];
        length += d * d;
        along += d * p;
        away += p * p;
    }
    // Within 2.5 crumbs of the segment; all in halves of a crumb.
    if (along <= 0) {
        return away <= 25;
    }
    if (along >= length) {
        return away - 2 * along + length <= 25;
    }
    return away * length - along * along <= 25 * length;
}

static bool crumb_is_free(const crumbs *k, const int32_t c[3])
{
    return exact_is_free(k->world, (oct_vec){c[0] / k->per_cell, c[1] / k->per_cell,
                                             k->world->dims == 3 ? c[2] / k->per_cell : 0});
}

static bool crumb_touches(const int32_t c[3], const int64_t p[3])
{
    for (int i = 0; i < 3; i++) {
        if (p[i] < 2 * c[i] || p[i] > 2 * c[i] + 2) {
            return false;
        }
    }
    return true;
}

static void crumb_visit(const crumbs *k, const int32_t c[3], uint32_t *end)
{
    for (int i = 0; i < 3; i++) {
        if (c[i] < 0 || c[i] >= k->side[i]) {
            return;
        }
    }
    const uint32_t id = (uint32_t)((c[2] * k->side[1] + c[1]) * k->side[0] + c[0]);
    if (stamps[id] != stamp && crumb_is_near(k, c) && crumb_is_free(k, c)) {
        stamps[id] = stamp;
        queue[(*end)++] = id;
    }
}

static bool crumbs_see(const exact_world *world, oct_fine from, oct_fine to)
{
    crumbs k = {world, CRUMBS_3D, {SIDE_3D, SIDE_3D, SIDE_3D}, {0}, {0}};
    if (world->dims == 2) {
        k = (crumbs){world, CRUMBS_2D, {SIDE_2D, SIDE_2D, 1}, {0}, {0}};
    }
    const int64_t scale = C / 2 / k.per_cell;
    const int64_t a[3] = {from.x / scale, from.y / scale, world->dims == 3 ? from.z / scale : 1};
    const int64_t b[3] = {to.x / scale, to.y / scale, world->dims == 3 ? to.z / scale : 1};
    memcpy(k.a, a, sizeof a);
    memcpy(k.b, b, sizeof b);
    stamp++;
    uint32_t end = 0;
    for (int i = 0; i < 8; i++) {
        const int32_t c[3] = {(int32_t)(a[0] / 2) - (i & 1), (int32_t)(a[1] / 2) - (i >> 1 & 1),
                              (int32_t)(a[2] / 2) - (i >> 2)};
        if (crumb_touches(c, a)) {
            crumb_visit(&k, c, &end);
        }
    }
    for (uint32_t head = 0; head < end; head++) {
        const int32_t id = (int32_t)queue[head];
        const int32_t c[3] = {id % k.side[0], id / k.side[0] % k.side[1],
                              id / k.side[0] / k.side[1]};
        if (crumb_touches(c, b)) {
            return true;
        }
        for (int i = 0; i < 6; i++) {
            int32_t next[3] = {c[0], c[1], c[2]};
            next[i >> 1] += i & 1 ? 1 : -1;
            crumb_visit(&k, next, &end);
        }
        for (int i = 0; i < 4 && world->squeeze; i++) {
            const int32_t next[3] = {c[0] + (i & 1 ? 1 : -1), c[1] + (i & 2 ? 1 : -1), c[2]};
            crumb_visit(&k, next, &end);
        }
    }
    return false;
}

// Each cell is BLOCKED with the same chance.
static oct_tree *random_world(int dims, int32_t edge, uint64_t percent, oct_random *random)
{
    oct_tree *tree = model_new_tree(dims, NULL);
    for (int32_t z = 0; z < (dims == 3 ? edge : 1); z++) {
        for (int32_t y = 0; y < edge; y++) {
            for (int32_t x = 0; x < edge; x++) {
                const oct_mark mark =
                    oct_random_below(random, 100) < percent ? OCT_MARK_BLOCKED : OCT_MARK_OPEN;
                assert_int_equal(oct_tree_set(tree, (oct_cell){x, y, z, 0}, mark), OCT_OK);
            }
        }
    }
    return tree;
}

// Multiples of half a cell, most of them on lattice planes.
static int64_t random_half(oct_random *random, int32_t edge)
{
    const int64_t half = oct_random_range(random, 0, 2 * edge);
    return (oct_random_below(random, 3) ? half / 2 * 2 : half) * H;
}

static oct_fine random_end(int dims, int32_t edge, oct_random *random)
{
    return (oct_fine){random_half(random, edge), random_half(random, edge),
                      dims == 3 ? random_half(random, edge) : 77};
}

static void compare_with_crumbs(int dims, bool squeeze, uint64_t seed, int worlds, int lines)
{
    oct_random random = oct_random_seed(seed);
    const int32_t edge = dims == 3 ? EDGE_3D : EDGE_2D;
    int seen = 0;
    for (int i = 0; i < worlds; i++) {
        oct_tree *tree = random_world(dims, edge, 15 + 10 * (uint64_t)(i % 5), &random);
        const exact_world w = {tree, false, false, {{0, 0, 0}, {0, 0, 0}}, dims, squeeze};
        for (int k = 0; k < lines; k++) {
            const oct_fine a = random_end(dims, edge, &random);
            oct_fine b = random_end(dims, edge, &random);
            if (oct_random_below(&random, 4) == 0) {
                b.x = a.x;
            }
            if (oct_random_below(&random, 4) == 0) {
                b.y = a.y;
            }
            const bool expected = crumbs_see(&w, a, b);
            if (sees(&w, a, b) != expected) {
                fail_msg("seed %d world %d line %d", (int)seed, i, k);
            }
            seen += expected;
        }
        oct_tree_destroy(tree);
    }
    assert_in_range(seen, worlds * lines / 10, worlds * lines * 9 / 10);
}

static void lines_agree_with_a_flood_through_crumbs(void **state)
{
    (void)state;
    compare_with_crumbs(2, false, 1, (int)test_rounds(300), 60);
    compare_with_crumbs(2, true, 4, (int)test_rounds(300), 60);
    compare_with_crumbs(3, false, 2, (int)test_rounds(200), 30);
}

// A path through points on a fine lattice: random, so most are not valid; the same backwards.
static void paths_are_valid_both_ways(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    int good = 0;
    for (int i = 0; i < 3000; i++) {
        const int dims = i % 2 ? 3 : 2;
        const int32_t edge = 4;
        oct_tree *tree = random_world(dims, edge, 20, &random);
        const exact_world w = {tree, i % 3 == 0, false, {{0, 0, 0}, {0, 0, 0}}, dims, i % 5 == 0};
        oct_fine points[4];
        for (int k = 0; k < 4; k++) {
            points[k] = random_end(dims, edge, &random);
        }
        good += valid(&w, points, 2 + (size_t)(i % 3));
        oct_tree_destroy(tree);
    }
    assert_in_range(good, 100, 2900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_slide_along_walls),
        cmocka_unit_test(lines_do_not_run_between_blocked_cells),
        cmocka_unit_test(lines_do_not_change_sides_at_a_diagonal_pair),
        cmocka_unit_test(corners_need_one_free_side),
        cmocka_unit_test(turns_do_not_squeeze),
        cmocka_unit_test(squeezing_may_be_allowed),
        cmocka_unit_test(points_alone_and_legs_without_length),
        cmocka_unit_test(messages_say_where),
        cmocka_unit_test(unknown_and_bounds_count),
        cmocka_unit_test(starts_in_walls_leave_by_the_nearest_way),
        cmocka_unit_test(thick_walls_are_left_on_the_nearer_side),
        cmocka_unit_test(all_patterns_around_a_corner),
        cmocka_unit_test(faces_and_edges_between_blocked_cells),
        cmocka_unit_test(blocks_are_left_on_any_nearest_side),
        cmocka_unit_test(the_longest_lines_are_exact),
        cmocka_unit_test(lines_agree_with_a_flood_through_crumbs),
        cmocka_unit_test(paths_are_valid_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
