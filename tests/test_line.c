// SPDX-License-Identifier: MIT
// Lines of sight against the judge of paths, which walks cell by cell: random segments in random
// worlds, with ends on planes, edges, corners and middles of cells, from every part of a point.
#include "octant/line.h"
#include "octant/tree.h"
#include "search/graph_internal.h"
#include "tree_model.h"
#include "verify/exact_path.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct scene {
    oct_tree *tree;
    int dims;
    int32_t edge; // cells of the region along each axis
    oct_vec base; // smallest cell of the region
    oct_box bounds;
    oct_terms terms;
    exact_world world;
    view map;
} scene;

// ---- worlds ----

static scene new_scene(int dims, int32_t edge, oct_vec base)
{
    scene s = {.tree = model_new_tree(dims, NULL), .dims = dims, .edge = edge, .base = base};
    s.base.z = dims == 3 ? base.z : 0;
    return s;
}

static int32_t depth(const scene *s)
{
    return s->dims == 3 ? s->edge : 1;
}

static oct_box random_box(const scene *s, oct_random *random, int32_t longest)
{
    oct_box box = {s->base, s->base};
    int32_t *const lo[] = {&box.min.x, &box.min.y, &box.min.z};
    int32_t *const hi[] = {&box.max.x, &box.max.y, &box.max.z};
    const int32_t most[] = {s->edge, s->edge, depth(s)};
    for (int i = 0; i < 3; i++) {
        const int32_t length = oct_random_range(random, 1, longest < most[i] ? longest : most[i]);
        *lo[i] += oct_random_range(random, 0, most[i] - length);
        *hi[i] = *lo[i] + length;
    }
    return box;
}

// Mostly one label, then boxes and single cells of any.
static void fill(scene *s, oct_random *random)
{
    static const oct_mark marks[] = {OCT_MARK_OPEN, OCT_MARK_BLOCKED, OCT_MARK_UNKNOWN};
    const oct_box all = {s->base, {s->base.x + s->edge, s->base.y + s->edge, s->base.z + depth(s)}};
    const oct_mark most = oct_random_below(random, 4) ? OCT_MARK_OPEN : OCT_MARK_UNKNOWN;
    assert_int_equal(oct_tree_set_box(s->tree, all, most), OCT_OK);
    const int boxes = (int)oct_random_below(random, 4);
    const int singles = (int)oct_random_below(random, (uint64_t)(s->edge * s->edge * depth(s) / 2));
    for (int i = 0; i < boxes + singles; i++) {
        const oct_box box = random_box(s, random, i < boxes ? s->edge : 1);
        assert_int_equal(oct_tree_set_box(s->tree, box, marks[oct_random_below(random, 3)]),
                         OCT_OK);
    }
}

// The world of a tree on some terms.
static void set_terms(scene *s, oct_unknown unknown, const oct_box *bounds)
{
    s->terms = oct_terms_default();
    s->terms.unknown = unknown;
    s->bounds = bounds ? *bounds : (oct_box){{0, 0, 0}, {0, 0, 0}};
    s->terms.bounds = bounds ? &s->bounds : NULL;
    s->world = (exact_world){
        s->tree, unknown != OCT_UNKNOWN_BLOCKED, bounds != NULL, s->bounds, s->dims, false};
    assert_int_equal(oct_terms_check(&s->terms), OCT_OK);
    oct_view_init(&s->map, s->tree, &s->terms);
}

// Lets paths pass between blocked cells that meet in a corner, or not.
static void set_squeeze(scene *s, bool squeeze)
{
    s->world.squeeze = squeeze;
    s->map.squeezes = squeeze && s->dims == 2;
}

static void random_terms(scene *s, oct_random *random)
{
    oct_box bounds = random_box(s, random, s->edge);
    if (oct_random_below(random, 2)) {
        bounds.max.x++; // beyond what is known
        bounds.min.y--;
    }
    set_terms(s, (oct_unknown)oct_random_below(random, 3),
              oct_random_below(random, 2) ? &bounds : NULL);
}

// ---- points ----

// On a plane, midway, or anywhere, up to a cell outside the region, but within the lattice.
static int64_t random_coordinate(oct_random *random, int32_t base, int32_t edge)
{
    const int64_t at =
        (int64_t)base * OCT_FINE + oct_random_range(random, -OCT_FINE, (edge + 1) * OCT_FINE);
    const int64_t most = (int64_t)OCT_RANGE * OCT_FINE;
    const int64_t cell = (at >> 8) * OCT_FINE;
    const int64_t kinds[] = {cell, cell, cell + OCT_FINE / 2, at};
    const int64_t chosen = kinds[oct_random_below(random, 4)];
    return chosen < -most ? -most : chosen > most ? most : chosen;
}

static oct_fine random_point(const scene *s, oct_random *random)
{
    return (oct_fine){random_coordinate(random, s->base.x, s->edge),
                      random_coordinate(random, s->base.y, s->edge),
                      s->dims == 3 ? random_coordinate(random, s->base.z, s->edge) : FLAT_Z};
}

// The other end: anywhere, in the same plane, on the same line, or along a diagonal.
static oct_fine random_end(const scene *s, oct_fine from, oct_random *random)
{
    oct_fine to = random_point(s, random);
    const uint64_t kind = oct_random_below(random, 8);
    const int64_t d = to.x - from.x;
    const bool has_room =
        from.y + d < (int64_t)OCT_RANGE * OCT_FINE && from.y - d < (int64_t)OCT_RANGE * OCT_FINE;
    if (kind == 0 && has_room) {
        to.y = from.y + d;
    } else if (kind == 1 && has_room) {
        to.y = from.y - d;
    }
    if (kind == 2 || kind == 3) {
        to.x = from.x;
    }
    if (kind == 3 || kind == 4) {
        to.y = from.y;
    }
    if (s->dims == 3 && (kind == 5 || kind == 4)) {
        to.z = from.z;
    }
    return to;
}

// ---- checks ----

// The octants of a point whose cells are in a set.
static uint32_t octants_in(oct_fine at, const exact_cells *cells)
{
    uint32_t set = 0;
    for (uint32_t o = 0; o < 8; o++) {
        const exact_cells one = {1, {octant_cell(at, o)}};
        set |= exact_cells_meet(&one, cells) ? 1u << o : 0u;
    }
    return set;
}

static void print_scene(const scene *s, const char *what, oct_fine a, oct_fine b, bool expected)
{
    printf("%s: from (%lld, %lld, %lld) to (%lld, %lld, %lld) should be %d; dims %d, unknown %d, "
           "squeeze %d\n",
           what, (long long)a.x, (long long)a.y, (long long)a.z, (long long)b.x, (long long)b.y,
           (long long)b.z, expected, s->dims, (int)s->terms.unknown, s->world.squeeze);
    if (s->terms.bounds) {
        printf("bounds (%d, %d, %d) to (%d, %d, %d)\n", s->bounds.min.x, s->bounds.min.y,
               s->bounds.min.z, s->bounds.max.x, s->bounds.max.y, s->bounds.max.z);
    }
    for (int32_t z = 0; z < depth(s) && s->edge <= 8; z++) {
        for (int32_t y = s->edge - 1; y >= 0; y--) {
            for (int32_t x = 0; x < s->edge; x++) {
                const oct_vec c = {s->base.x + x, s->base.y + y, s->base.z + z};
                putchar("?.#"[oct_tree_label(s->tree, c)]);
            }
            printf("  z %d, y %d, from x %d\n", s->base.z + z, s->base.y + y, s->base.x);
        }
    }
    fflush(stdout);
}

static void check(const scene *s, const char *what, oct_fine a, oct_fine b, bool is, bool expected)
{
    if (is != expected) {
        print_scene(s, what, a, b, expected);
        fail_msg("%s disagrees", what);
    }
}

// From any free cell around one end to any around the other.
static bool check_line(const scene *s, oct_fine a, oct_fine b)
{
    const bool expected = exact_sees(&s->world, a, b);
    const oct_fine other_z = {0, 0, s->dims == 2 ? 12345 : 0};
    const oct_fine c = {b.x, b.y, b.z + other_z.z};
    if (!s->map.squeezes) {
        check(s, "oct_tree_line_of_sight", a, b, oct_tree_line_of_sight(s->tree, &s->terms, a, c),
              expected);
        check(s, "oct_tree_line_of_sight", b, a, oct_tree_line_of_sight(s->tree, &s->terms, c, a),
              expected);
    }
    const spot from = {a, oct_view_octants(&s->map, a)}, to = {b, oct_view_octants(&s->map, b)};
    check(s, "oct_view_sees", a, b, oct_view_sees(&s->map, &from, &to), expected);
    check(s, "oct_view_sees", b, a, oct_view_sees(&s->map, &to, &from), expected);
    check(s, "oct_view_sees_plain", a, b, oct_view_sees_plain(&s->map, &from, &to), expected);
    check(s, "oct_view_sees_plain", b, a, oct_view_sees_plain(&s->map, &to, &from), expected);
    // What is said for sure is so; and off lattice planes, in small trees, all is said, unless it
    // takes squeezing.
    const bool surely = oct_view_sees_surely(&s->map, &from, &to);
    const bool is_plain = a.x != b.x && a.y != b.y && (s->dims == 2 || a.z != b.z) &&
                          oct_tree_root(s->tree).level <= 10 && !s->map.squeezes;
    check(s, "oct_view_sees_surely", a, b, surely, is_plain ? expected : expected && surely);
    return expected;
}

// The parts of the free cells around a point.
static int parts_of(const scene *s, oct_fine at, exact_cells parts[8])
{
    const exact_cells all = exact_around(&s->world, at);
    int count = 0;
    for (int i = 0; i < all.count; i++) {
        const exact_cells one = {1, {all.cells[i]}};
        bool is_new = true;
        for (int k = 0; k < count; k++) {
            is_new = is_new && !exact_cells_meet(&one, &parts[k]);
        }
        if (is_new) {
            parts[count++] = exact_joined(&s->world, at, &one);
        }
    }
    return count;
}

// From every part of one end to every part of the other. Returns how many pairs there are.
static int check_parts(const scene *s, oct_fine a, oct_fine b)
{
    exact_cells from[8], to[8];
    const int from_count = parts_of(s, a, from), to_count = parts_of(s, b, to);
    for (int i = 0; i < from_count; i++) {
        for (int k = 0; k < to_count; k++) {
            const bool expected = exact_sees_between(&s->world, a, &from[i], b, &to[k]);
            assert_int_equal(exact_sees_between(&s->world, b, &to[k], a, &from[i]), expected);
            const spot p = {a, octants_in(a, &from[i])}, q = {b, octants_in(b, &to[k])};
            check(s, "oct_view_sees of parts", a, b, oct_view_sees(&s->map, &p, &q), expected);
            check(s, "oct_view_sees of parts", b, a, oct_view_sees(&s->map, &q, &p), expected);
            check(s, "oct_view_sees_plain of parts", a, b, oct_view_sees_plain(&s->map, &p, &q),
                  expected);
            check(s, "oct_view_sees_plain of parts", b, a, oct_view_sees_plain(&s->map, &q, &p),
                  expected);
        }
    }
    return from_count * to_count;
}

static void check_place(const scene *s, oct_fine at)
{
    exact_cells parts[8];
    const exact_cells all = exact_around(&s->world, at);
    assert_int_equal(oct_view_octants(&s->map, at), octants_in(at, &all));
    const int count = parts_of(s, at, parts);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < parts[i].count; k++) {
            const spot place = oct_view_spot(&s->map, at, parts[i].cells[k]);
            assert_int_equal(place.octants, octants_in(at, &parts[i]));
            assert_memory_equal(&place.at, &at, sizeof at);
        }
    }
}

// ---- random worlds ----

static void run_worlds(int dims, uint64_t seed, int32_t edge, oct_vec base, int worlds, int lines)
{
    worlds = (int)test_rounds((uint64_t)worlds);
    oct_random random = oct_random_seed(seed);
    int seen = 0, pairs = 0;
    for (int i = 0; i < worlds; i++) {
        scene s = new_scene(dims, edge, base);
        fill(&s, &random);
        random_terms(&s, &random);
        for (int k = 0; k < lines; k++) {
            const oct_fine a = random_point(&s, &random), b = random_end(&s, a, &random);
            check_place(&s, a);
            seen += check_line(&s, a, b);
            pairs += check_parts(&s, a, b) - 1;
        }
        oct_tree_destroy(s.tree);
    }
    assert_in_range(seen, worlds * lines / 20, worlds * lines * 19 / 20);
    assert_true(pairs != 0);
}

// Every other cell blocked, by chance: corners where blocked cells meet are all over.
static void sprinkle(const scene *s, oct_random *random)
{
    for (int32_t i = 0; i < s->edge * s->edge; i++) {
        const oct_cell one = {s->base.x + i % s->edge, s->base.y + i / s->edge, s->base.z, 0};
        const oct_mark as = oct_random_below(random, 5) < 2 ? OCT_MARK_BLOCKED : OCT_MARK_OPEN;
        assert_int_equal(oct_tree_set(s->tree, one, as), OCT_OK);
    }
}

// Moves the middle of a line to a lattice point of the region, and keeps its ends in range.
static void aim_at_corner(const scene *s, oct_random *random, oct_fine *a, oct_fine *b)
{
    const int64_t most = (int64_t)OCT_RANGE * OCT_FINE;
    const int64_t x = (int64_t)oct_random_range(random, s->base.x, s->base.x + s->edge) * OCT_FINE;
    const int64_t y = (int64_t)oct_random_range(random, s->base.y, s->base.y + s->edge) * OCT_FINE;
    const oct_fine p = {2 * x - a->x, 2 * y - a->y, a->z};
    if (p.x >= -most && p.x <= most && p.y >= -most && p.y <= most) {
        *b = p;
    }
}

// The same lines with squeezing: whoever sees without sees with it, and more. At three dimensions
// it changes nothing.
static void run_squeezing(int dims, uint64_t seed, int32_t edge, oct_vec base, int worlds,
                          int lines)
{
    worlds = (int)test_rounds((uint64_t)worlds);
    oct_random random = oct_random_seed(seed);
    int more = 0;
    for (int i = 0; i < worlds; i++) {
        scene s = new_scene(dims, edge, base);
        fill(&s, &random);
        if (i % 4) {
            sprinkle(&s, &random);
        }
        random_terms(&s, &random);
        for (int k = 0; k < lines; k++) {
            oct_fine a = random_point(&s, &random), b = random_end(&s, a, &random);
            if (k % 2) {
                aim_at_corner(&s, &random, &a, &b);
            }
            const bool before = exact_sees(&s.world, a, b);
            set_squeeze(&s, true);
            check_place(&s, a);
            const bool after = check_line(&s, a, b);
            check_parts(&s, a, b);
            assert_true(after || !before);
            more += after && !before;
            set_squeeze(&s, false);
        }
        oct_tree_destroy(s.tree);
    }
    assert_true(dims == 3 ? more == 0 : more > worlds * lines / 1000);
}

static void lines_that_squeeze_through(void **state)
{
    (void)state;
    run_squeezing(2, 51, 2, (oct_vec){0, 0, 0}, 1000, 10);
    run_squeezing(2, 52, 3, (oct_vec){-1, -2, 0}, 1000, 20);
    run_squeezing(2, 53, 4, (oct_vec){2, -2, 0}, 300, 40);
    run_squeezing(2, 54, 8, (oct_vec){0, 0, 0}, 100, 100);
    run_squeezing(2, 55, 21, (oct_vec){-7, 1000, 0}, 20, 200);
    run_squeezing(2, 56, 4, (oct_vec){OCT_RANGE - 4, -OCT_RANGE, 0}, 100, 50);
    run_squeezing(3, 57, 3, (oct_vec){-1, -2, -3}, 200, 20);
}

// Through a diagonal blockage, but not along the edge that two blocked cells share.
static void squeezing_by_hand(void **state)
{
    (void)state;
    scene s = new_scene(2, 4, (oct_vec){0, 0, 0});
    const oct_box all = {{0, 0, 0}, {4, 4, 1}};
    assert_int_equal(oct_tree_set_box(s.tree, all, OCT_MARK_OPEN), OCT_OK);
    const oct_cell blocked[] = {{1, 2, 0, 0}, {2, 1, 0, 0}, {3, 1, 0, 0}, {3, 0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(oct_tree_set(s.tree, blocked[i], OCT_MARK_BLOCKED), OCT_OK);
    }
    set_terms(&s, OCT_UNKNOWN_BLOCKED, NULL);
    const oct_fine a = {256, 256, 0}, b = {768, 768, 0};  // over the double corner (2, 2)
    const oct_fine c = {256, 512, 0}, d = {1024, 512, 0}; // below one cell, then above two
    const oct_fine e = {768, 0, 0}, f = {768, 512, 0};    // between blocked cells for a part
    assert_false(check_line(&s, a, b));
    assert_false(check_line(&s, c, d));
    assert_false(check_line(&s, e, f));
    set_squeeze(&s, true);
    assert_true(check_line(&s, a, b));
    assert_true(check_line(&s, c, d));
    assert_false(check_line(&s, e, f));
    assert_false(check_line(&s, (oct_fine){768, 256, 0}, (oct_fine){1024, 256, 0}));
    oct_tree_destroy(s.tree);
}

static void lines_in_tiny_worlds(void **state)
{
    (void)state;
    run_worlds(2, 1, 2, (oct_vec){0, 0, 0}, 1000, 10);
    run_worlds(3, 2, 2, (oct_vec){0, 0, 0}, 2000, 10);
    run_worlds(2, 3, 3, (oct_vec){-1, -2, 0}, 600, 20);
    run_worlds(3, 4, 3, (oct_vec){-1, -2, -3}, 1000, 20);
    run_worlds(2, 5, 4, (oct_vec){2, -2, 0}, 400, 40);
    run_worlds(3, 6, 4, (oct_vec){2, -2, 0}, 400, 40);
}

static void lines_in_small_worlds(void **state)
{
    (void)state;
    run_worlds(2, 11, 8, (oct_vec){0, 0, 0}, 300, 100);
    run_worlds(3, 12, 8, (oct_vec){0, 0, 0}, 300, 100);
    run_worlds(2, 13, 21, (oct_vec){-7, 1000, 0}, 60, 200);
    run_worlds(3, 14, 13, (oct_vec){-7, 1000, -3}, 60, 200);
}

// Around the end of the lattice, and where positions are large.
static void lines_far_from_the_middle(void **state)
{
    (void)state;
    const int32_t half = INT32_C(1) << 29;
    run_worlds(2, 21, 6, (oct_vec){half - 3, -half - 3, 0}, 100, 50);
    run_worlds(3, 22, 6, (oct_vec){half - 3, -half - 3, half}, 100, 50);
    run_worlds(2, 23, 4, (oct_vec){OCT_RANGE - 4, -OCT_RANGE, 0}, 100, 50);
    run_worlds(3, 24, 4, (oct_vec){OCT_RANGE - 4, -OCT_RANGE, OCT_RANGE - 4}, 100, 50);
}

// ---- long lines ----

static int64_t along(int64_t a, int64_t b, int32_t i, int32_t n)
{
    return a + (int64_t)((oct_int128)(b - a) * i / n);
}

// Blocks cells beside a line, so that it is free or not by little.
static void block_beside(const scene *s, oct_fine a, oct_fine b, oct_random *random)
{
    for (int32_t i = 1; i < 8; i++) {
        const oct_cell one = {
            fine_cell(along(a.x, b.x, i, 8)) + oct_random_range(random, -1, 1),
            fine_cell(along(a.y, b.y, i, 8)) + oct_random_range(random, -1, 1),
            s->dims == 3 ? fine_cell(along(a.z, b.z, i, 8)) + oct_random_range(random, -1, 1) : 0,
            0};
        if (oct_random_below(random, 3) == 0) {
            assert_int_equal(oct_tree_set(s->tree, one, OCT_MARK_BLOCKED), OCT_OK);
        }
    }
}

static int run_long(int dims, uint64_t seed, int32_t length, int lines)
{
    oct_random random = oct_random_seed(seed);
    const int32_t half = INT32_C(1) << 29;
    int seen = 0;
    for (int i = 0; i < lines; i++) {
        scene s = new_scene(dims, length, (oct_vec){-half, half - length, 0});
        const oct_fine a = random_point(&s, &random), b = random_end(&s, a, &random);
        block_beside(&s, a, b, &random);
        set_terms(&s, OCT_UNKNOWN_OPEN, NULL);
        seen += check_line(&s, a, b);
        check_parts(&s, a, b);
        oct_tree_destroy(s.tree);
    }
    return seen;
}

static void long_lines_in_nearly_empty_trees(void **state)
{
    (void)state;
    const int seen = run_long(2, 31, 1000, 400) + run_long(3, 32, 1000, 400) +
                     run_long(2, 33, 1 << 16, 4) + run_long(3, 34, 1 << 16, 4);
    assert_in_range(seen, 80, 700);
}

// Past one corner of a blocked cell near its end, and then into that cell, by one step.
static void lines_of_a_million_cells(void **state)
{
    (void)state;
    const int32_t length = INT32_C(1) << 20, half = INT32_C(1) << 29;
    for (int dims = 2; dims <= 3; dims++) {
        scene s = new_scene(dims, length, (oct_vec){half - length, -half, half});
        const oct_fine a = {(int64_t)s.base.x * OCT_FINE, (int64_t)s.base.y * OCT_FINE,
                            dims == 3 ? (int64_t)s.base.z * OCT_FINE : FLAT_Z};
        const int64_t wide = (int64_t)length * OCT_FINE;
        // At 3 / 4 of the way it is at a corner of the lattice.
        oct_fine b = {a.x + wide, a.y + 1024 * OCT_FINE, dims == 3 ? a.z + 4 * OCT_FINE : FLAT_Z};
        const oct_cell one = {s.base.x + length / 4 * 3, s.base.y + 767, s.base.z + 3 * (dims == 3),
                              0};
        assert_int_equal(oct_tree_set(s.tree, one, OCT_MARK_BLOCKED), OCT_OK);
        set_terms(&s, OCT_UNKNOWN_OPEN, NULL);
        assert_true(check_line(&s, a, b));
        b.y--;
        assert_false(check_line(&s, a, b));
        oct_tree_destroy(s.tree);
    }
}

// A point sees itself where something is free around it.
static void points_see_themselves(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(41);
    for (int i = 0; i < 200; i++) {
        scene s = new_scene(i % 2 ? 2 : 3, 3, (oct_vec){0, 0, 0});
        fill(&s, &random);
        random_terms(&s, &random);
        for (int k = 0; k < 10; k++) {
            const oct_fine a = random_point(&s, &random);
            assert_int_equal(check_line(&s, a, a), exact_around(&s.world, a).count > 0);
            check_parts(&s, a, a);
        }
        oct_tree_destroy(s.tree);
    }
}

// NULL terms are the default ones.
static void terms_may_be_left_out(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    const oct_fine a = {1, 1, 1}, b = {700, 800, 900};
    assert_false(oct_tree_line_of_sight(tree, NULL, a, b));
    const oct_box box = {{0, 0, 0}, {4, 4, 4}};
    assert_int_equal(oct_tree_set_box(tree, box, OCT_MARK_OPEN), OCT_OK);
    assert_true(oct_tree_line_of_sight(tree, NULL, a, b));
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_in_tiny_worlds),
        cmocka_unit_test(lines_in_small_worlds),
        cmocka_unit_test(lines_far_from_the_middle),
        cmocka_unit_test(long_lines_in_nearly_empty_trees),
        cmocka_unit_test(lines_of_a_million_cells),
        cmocka_unit_test(lines_that_squeeze_through),
        cmocka_unit_test(squeezing_by_hand),
        cmocka_unit_test(points_see_themselves),
        cmocka_unit_test(terms_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
