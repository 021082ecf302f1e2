// SPDX-License-Identifier: MIT
// Components against flooding an array of cells, after every edit of long random sequences.
#include "components_support.h"
#include "octant/components.h"
#include "octant/map.h"
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "valid.h"

#include <stdlib.h>

static const struct {
    int dims;
    oct_unknown unknown;
} kinds[] = {{3, OCT_UNKNOWN_BLOCKED},
             {3, OCT_UNKNOWN_OPEN},
             {2, OCT_UNKNOWN_BLOCKED},
             {2, OCT_UNKNOWN_PRICED}};
#define KINDS (sizeof kinds / sizeof *kinds)

// ---- bricks ----

// Cells of a brick are near exactly if they share a face.
static void cells_of_a_brick_are_near_if_they_share_a_face(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        for (uint32_t i = 0; i < 64; i++) {
            for (uint32_t j = 0; j < 64; j++) {
                const uint32_t a = morton_cell(dims, i), b = morton_cell(dims, j);
                int apart = 0;
                for (int axis = 0; axis < 3; axis++) {
                    apart += abs((int)(a >> 8 * axis & 0xffu) - (int)(b >> 8 * axis & 0xffu));
                }
                const uint64_t near = cells_near(dims, UINT64_C(1) << i);
                assert_int_equal(near >> j & 1u, apart <= 1);
            }
        }
    }
}

// ---- random edits ----

static void random_edits_match_flooding(void **state)
{
    (void)state;
    static tree_model model;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        oct_random random = oct_random_seed(41 + kind);
        model_init(&model, dims, (oct_vec){-9, 5, -14});
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, kinds[kind].unknown);
        const oct_box all = cube(dims, model.base, MODEL_EDGE);
        for (int i = 0; i < (dims == 3 ? 110 : 800); i++) {
            model_random_edit(&model, tree, &random);
            update(c);
            check(c, grown(dims, all));
        }
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// Small edits in a small region of which so much is blocked that everything is nearly cut.
static void small_edits_match_flooding(void **state)
{
    (void)state;
    static const oct_mark marks[] = {OCT_MARK_OPEN,    OCT_MARK_OPEN,    OCT_MARK_CLEAR,
                                     OCT_MARK_BLOCKED, OCT_MARK_BLOCKED, OCT_MARK_BLOCKED,
                                     OCT_MARK_SOLID,   OCT_MARK_UNKNOWN, OCT_MARK_KNOWN};
    uint64_t components = 0, rebuilt = 0;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        oct_random random = oct_random_seed(7 + kind);
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, kinds[kind].unknown);
        const oct_box all = cube(dims, (oct_vec){-5, -7, 2}, dims == 3 ? 11 : 26);
        for (int i = 0; i < 1200; i++) {
            const size_t which = (size_t)oct_random_below(&random, sizeof marks / sizeof *marks);
            oct_box box = random_box(&random, dims, all);
            if (oct_random_below(&random, 4)) {
                box = cube(dims, box.min, 1);
            } else if (oct_random_below(&random, 8) == 0) { // through everything
                box.min.x = all.min.x;
                box.max.x = all.max.x;
            }
            set_box(tree, box, marks[which]);
            update(c);
            check(c, grown(dims, all));
            components += window.count;
        }
        rebuilt += oct_components_measure(c).rebuilt;
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
    assert_true(components > UINT64_C(6) * 1200 * KINDS);
    assert_true(rebuilt < 10); // mostly they follow
}

static void several_edits_at_once_match_flooding(void **state)
{
    (void)state;
    static tree_model model;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        oct_random random = oct_random_seed(90 + kind);
        model_init(&model, dims, (oct_vec){100, -50, 3});
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, kinds[kind].unknown);
        const oct_box all = cube(dims, model.base, MODEL_EDGE);
        for (int i = 0; i < (dims == 3 ? 60 : 400); i++) {
            const int edits = (int)oct_random_range(&random, 1, 40);
            for (int e = 0; e < edits; e++) {
                if (oct_random_below(&random, 4) == 0) {
                    model_random_edit(&model, tree, &random);
                } else {
                    const bool open = oct_random_below(&random, 2);
                    set_box(tree, random_box(&random, dims, all),
                            open ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
                }
            }
            update(c);
            check(c, grown(dims, all));
        }
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// Long walls in a large space: floods go from small leaves to large ones and back.
static void walls_between_large_leaves_match_flooding(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        oct_random random = oct_random_seed(60 + kind);
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, kinds[kind].unknown);
        const oct_box all = cube(dims, (oct_vec){0, 0, 0}, dims == 3 ? 16 : 64);
        set_box(tree, all, OCT_MARK_OPEN);
        for (int i = 0; i < (dims == 3 ? 100 : 200); i++) {
            oct_box box = all;
            const int32_t at = (int32_t)oct_random_range(&random, 0, all.max.x - 1);
            const int32_t from = (int32_t)oct_random_range(&random, 0, all.max.x - 1);
            const uint64_t axis = oct_random_below(&random, (uint64_t)dims);
            int32_t *min = axis == 0 ? &box.min.x : axis == 1 ? &box.min.y : &box.min.z;
            int32_t *max = axis == 0 ? &box.max.x : axis == 1 ? &box.max.y : &box.max.z;
            *min = at;
            *max = at + 1;
            if (oct_random_below(&random, 3)) { // not quite through
                *(axis == 0 ? &box.min.y : &box.min.x) = from;
            }
            set_box(tree, box, OCT_MARK_BLOCKED);
            update(c);
            check(c, grown(dims, all));
            set_box(tree, i % 3 ? box : cube(dims, box.min, 3), OCT_MARK_OPEN);
            update(c);
            check(c, grown(dims, all));
        }
        assert_int_equal(oct_components_measure(c).rebuilt, 1);
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// Two large rooms with dead ends on all sides, and a way from one to the other: when that is closed
// one room is flooded from end to end.
static void rooms_with_dead_ends_are_told_apart(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(33);
    for (int i = 0; i < 60; i++) {
        const int dims = i % 3 ? 2 : 3;
        const int32_t edge = dims == 3 ? 16 : 32;
        oct_tree *tree = model_new_tree(dims, NULL);
        const oct_box all = cube(dims, (oct_vec){0, 0, 0}, 3 * edge);
        for (int room = 0; room < 2; room++) {
            const int32_t from = 2 * room * edge;
            set_box(tree, cube(dims, (oct_vec){from, 0, 0}, edge), OCT_MARK_OPEN);
            for (int end = 0; end < 12; end++) {
                const uint64_t axis = oct_random_below(&random, (uint64_t)dims);
                int32_t at[3] = {from, 0, 0}, to[3];
                for (int a = 0; a < 3; a++) {
                    at[a] += (int32_t)oct_random_range(&random, 0, edge - 1);
                    to[a] = at[a] + 1;
                }
                const int32_t side = (axis == 0 ? from : 0);
                const bool up = oct_random_below(&random, 2);
                at[axis] = up ? side + edge : side - 3;
                to[axis] = at[axis] + 3;
                set_box(tree,
                        (oct_box){{at[0], at[1], dims == 3 ? at[2] : 0},
                                  {to[0], to[1], dims == 3 ? to[2] : 1}},
                        OCT_MARK_OPEN);
            }
        }
        set_box(tree, (oct_box){{edge, 7, 0}, {2 * edge, 8, 1}}, OCT_MARK_OPEN);
        oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
        const oct_box window_box = {{-4, -4, dims == 3 ? -4 : 0},
                                    {all.max.x + 4, edge + 4, dims == 3 ? edge + 4 : 1}};
        set_cell(tree, edge + edge / 2, 7, 0, OCT_MARK_UNKNOWN);
        update(c);
        check(c, window_box);
        assert_int_equal(oct_components_measure(c).rebuilt, 1);
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// The root moves along with what is known, and everything is forgotten behind it.
static void a_walk_through_the_world_matches_flooding(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        oct_random random = oct_random_seed(15 + kind);
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, kinds[kind].unknown);
        oct_vec at = {-60, 40, dims == 3 ? -20 : 0};
        for (int i = 0; i < 160; i++) {
            at.x += (int32_t)oct_random_range(&random, -1, 3);
            at.y -= (int32_t)oct_random_range(&random, -1, 3);
            at.z += dims == 3 ? (int32_t)oct_random_range(&random, -2, 2) : 0;
            const oct_point eye = {at.x, at.y, at.z};
            assert_int_equal(oct_tree_set_ball(tree, eye, 5, OCT_COVER_INSIDE, OCT_MARK_KNOWN),
                             OCT_OK);
            const oct_box near = cube(dims, (oct_vec){at.x - 6, at.y - 6, at.z - 6}, 12);
            set_box(tree, random_box(&random, dims, near), OCT_MARK_BLOCKED);
            if (oct_random_below(&random, 2)) {
                update(c);
            }
            assert_int_equal(oct_tree_keep(tree, eye, oct_random_below(&random, 20) ? 7 : 0),
                             OCT_OK);
            update(c);
            check(c, cube(dims, (oct_vec){at.x - 10, at.y - 10, at.z - 10}, 20));
        }
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// All that was here is forgotten; what is left lies elsewhere, and makes the map's root go there.
static void what_is_left_may_lie_elsewhere(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        const bool open = kinds[kind].unknown != OCT_UNKNOWN_BLOCKED;
        for (int large = 0; large < 2; large++) {
            oct_tree *tree = model_new_tree(dims, NULL);
            const oct_box here = cube(dims, (oct_vec){2, 2, 2}, large ? 27 : 3);
            set_box(tree, here, open ? OCT_MARK_BLOCKED : OCT_MARK_OPEN);
            const oct_box there = cube(dims, (oct_vec){-40, -30, -50}, large ? 1 : 16);
            set_box(tree, there, open ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
            oct_components *c = new_components(tree, kinds[kind].unknown);
            assert_int_equal(oct_components_measure(c).count, 1);
            assert_int_equal(oct_tree_forget(tree, here), OCT_OK);
            update(c);
            assert_true(oct_components_is_valid(c));
            assert_int_equal(oct_components_measure(c).count, open);
            assert_int_equal(oct_components_at(c, here.min) != 0, open);
            assert_int_equal(oct_components_at(c, there.min) != 0, open);
            oct_components_destroy(c);
            oct_tree_destroy(tree);
        }
    }
}

// Things come, go, move and change what they are, over static geometry.
static void things_match_flooding(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    const oct_box all = {{0, 0, 0}, {20, 16, 12}};
    assert_int_equal(oct_map_set_box(map, all, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_map_set_box(map, (oct_box){{9, 0, 0}, {10, 16, 7}}, OCT_MARK_SOLID),
                     OCT_OK);
    oct_components *c = new_components(oct_map_tree(map), OCT_UNKNOWN_BLOCKED);
    oct_random random = oct_random_seed(3);
    for (int i = 0; i < 400; i++) {
        const oct_box box = random_box(&random, 3, all);
        const oct_bounds bounds = {{box.min.x, box.min.y, box.min.z},
                                   {box.max.x, box.max.y, box.max.z}};
        const oct_thing thing = {.id = oct_random_below(&random, 12),
                                 .box = bounds,
                                 .label = (uint8_t)oct_random_below(&random, 3)};
        if (oct_random_below(&random, 3)) {
            assert_int_equal(oct_map_put(map, &thing), OCT_OK);
        } else {
            oct_map_remove(map, thing.id);
        }
        update(c);
        check(c, grown(3, all));
    }
    oct_components_destroy(c);
    oct_map_destroy(map);
}

// ---- walls ----

// Walls come and go while the map changes; some reach beyond everything that is known.
static void walls_match_flooding(void **state)
{
    (void)state;
    uint64_t components = 0, rebuilt = 0;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const int dims = kinds[kind].dims;
        oct_random random = oct_random_seed(17 + kind);
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, kinds[kind].unknown);
        const oct_box all = cube(dims, (oct_vec){-5, -7, 2}, dims == 3 ? 13 : 26);
        const oct_box inner = cube(dims, (oct_vec){-3, -5, 4}, dims == 3 ? 9 : 21);
        oct_box walls[12];
        size_t count = 0;
        for (int i = 0; i < 1500; i++) {
            const uint64_t what = oct_random_below(&random, 6);
            if (what < 3) {
                set_box(tree, random_box(&random, dims, inner),
                        oct_random_below(&random, 3) ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
            }
            if (what > 1 && oct_random_below(&random, 3) && count < 12) {
                walls[count++] = random_box(&random, dims, all);
            } else if (what > 1 && count > 0) {
                walls[oct_random_below(&random, count)] = walls[count - 1];
                count--;
            }
            assert_int_equal(oct_components_set_walls(c, walls, count), OCT_OK);
            // Now and then several changes are taken together.
            if (oct_random_below(&random, 4)) {
                update(c);
                check(c, grown(dims, all));
                components += window.count;
            }
            assert_int_equal(oct_components_are_of(c, tree, kinds[kind].unknown), count == 0);
        }
        rebuilt += oct_components_measure(c).rebuilt;
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
    assert_true(components > UINT64_C(2) * 1000 * KINDS);
    assert_true(rebuilt < 10); // mostly they follow
}

// Many doors in long walls: shutting all of them in thought, and opening them again, leaves the map
// alone and costs nothing where nothing has changed.
static void walls_are_kept_without_cost(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    set_box(tree, (oct_box){{0, 0, 0}, {400, 8, 8}}, OCT_MARK_OPEN);
    oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
    oct_box doors[100];
    for (int i = 0; i < 100; i++) {
        doors[i] = (oct_box){{4 * i + 2, 0, 0}, {4 * i + 3, 8, 8}};
    }
    const uint64_t revision = oct_tree_revision(tree);
    assert_int_equal(oct_components_set_walls(c, doors, 100), OCT_OK);
    update(c);
    assert_int_equal(oct_components_measure(c).count, 101);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(oct_components_set_walls(c, doors, 100), OCT_OK);
        update(c);
        assert_int_equal(oct_components_measure(c).visited, 0);
    }
    set_box(tree, (oct_box){{0, 0, 0}, {2, 8, 8}}, OCT_MARK_BLOCKED);
    update(c);
    assert_int_equal(oct_components_measure(c).count, 100);
    assert_int_equal(oct_components_set_walls(c, NULL, 0), OCT_OK);
    update(c);
    assert_int_equal(oct_components_measure(c).count, 1);
    assert_int_equal(oct_tree_revision(tree), revision + 1);
    assert_int_equal(oct_components_measure(c).rebuilt, 2); // so many walls at once
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

// ---- shapes ----

// A corridor that winds inwards, one cell wide: x and y of its n-th cell.
#define SPIRAL_EDGE 41
static size_t make_spiral(oct_tree *tree, oct_vec *path)
{
    static bool open[SPIRAL_EDGE + 2][SPIRAL_EDGE + 2];
    memset(open, 0, sizeof open);
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    size_t count = 0;
    set_box(tree, (oct_box){{0, 0, 0}, {SPIRAL_EDGE, SPIRAL_EDGE, 1}}, OCT_MARK_BLOCKED);
    int x = 0, y = 0, way = 0;
    for (int turns = 0; turns < 2;) {
        if (!open[y][x]) {
            open[y][x] = true;
            path[count++] = (oct_vec){x, y, 0};
            set_cell(tree, x, y, 0, OCT_MARK_OPEN);
            turns = 0;
        }
        const int nx = x + dx[way], ny = y + dy[way], fx = nx + dx[way], fy = ny + dy[way];
        const bool inside = nx >= 0 && ny >= 0 && nx < SPIRAL_EDGE && ny < SPIRAL_EDGE;
        const bool ahead = fx >= 0 && fy >= 0 && fx < SPIRAL_EDGE && fy < SPIRAL_EDGE;
        if (!inside || open[ny][nx] || (ahead && open[fy][fx])) {
            way = (way + 1) % 4;
            turns++;
            continue;
        }
        x = nx;
        y = ny;
    }
    return count;
}

static void a_spiral_is_cut_and_opened_again(void **state)
{
    (void)state;
    static oct_vec path[SPIRAL_EDGE * SPIRAL_EDGE];
    for (int dims = 2; dims <= 3; dims++) {
        oct_tree *tree = model_new_tree(dims, NULL);
        const size_t count = make_spiral(tree, path);
        assert_true(count > 800);
        oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
        const uint64_t pieces = oct_components_measure(c).pieces;
        const oct_box all = {{-1, -1, dims == 3 ? -1 : 0},
                             {SPIRAL_EDGE + 1, SPIRAL_EDGE + 1, dims == 3 ? 2 : 1}};
        check(c, all);
        assert_int_equal(window.count, 1);
        for (size_t i = 1; i + 1 < count; i += 13) {
            const oct_vec at = path[i];
            set_cell(tree, at.x, at.y, 0, OCT_MARK_BLOCKED);
            update(c);
            check(c, all);
            assert_int_equal(window.count, 2);
            assert_false(oct_components_joined(c, path[0], path[count - 1]));
            assert_true(oct_components_joined(c, path[0], path[i - 1]));
            assert_in_range(oct_components_measure(c).visited, 1, 12 * pieces);
            set_cell(tree, at.x, at.y, 0, OCT_MARK_OPEN);
            update(c);
            check(c, all);
            assert_int_equal(window.count, 1);
        }
        assert_true(c->waiting.capacity < 64); // what is done with is used again
        // The short side decides: near an end a cut costs next to nothing.
        set_cell(tree, path[3].x, path[3].y, 0, OCT_MARK_BLOCKED);
        update(c);
        assert_in_range(oct_components_measure(c).visited, 1, 60);
        assert_int_equal(oct_components_measure(c).rebuilt, 1);
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

static void a_checkerboard_has_as_many_components_as_cells(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        oct_tree *tree = model_new_tree(dims, NULL);
        const oct_box all = cube(dims, (oct_vec){2, 3, 5}, dims == 3 ? 10 : 20);
        set_box(tree, all, OCT_MARK_BLOCKED);
        oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
        uint32_t count = 0;
        for (int parity = 0; parity < 2; parity++) {
            for (int32_t z = all.min.z; z < all.max.z; z++) {
                for (int32_t y = all.min.y; y < all.max.y; y++) {
                    for (int32_t x = all.min.x; x < all.max.x; x++) {
                        if (((x + y + z) & 1) == parity) {
                            set_cell(tree, x, y, z, OCT_MARK_OPEN);
                            update(c);
                            count++;
                        }
                    }
                }
                check(c, grown(dims, all));
            }
            assert_int_equal(window.count, parity ? 1u : count);
        }
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// ---- outside ----

static void where_unknown_is_open_the_outside_is_one_component(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        oct_tree *tree = model_new_tree(dims, NULL);
        oct_components *c = new_components(tree, OCT_UNKNOWN_OPEN);
        const oct_vec inside = {23, 23, dims == 3 ? 23 : 0};
        const oct_vec far[2] = {{-OCT_RANGE, 7, 0}, {OCT_RANGE - 1, -OCT_RANGE, 0}};
        assert_true(oct_components_joined(c, far[0], far[1]));
        assert_int_equal(oct_components_measure(c).count, 1);
        set_box(tree, cube(dims, (oct_vec){20, 20, 20}, 7), OCT_MARK_BLOCKED);
        assert_int_equal(oct_tree_forget(tree, cube(dims, (oct_vec){21, 21, 21}, 5)), OCT_OK);
        update(c);
        check(c, grown(dims, cube(dims, (oct_vec){16, 16, 16}, 16)));
        assert_false(oct_components_joined(c, inside, far[0]));
        assert_int_equal(oct_components_at(c, (oct_vec){20, 22, inside.z}), 0);
        assert_int_equal(oct_components_measure(c).count, 2);
        // A hole in the shell, on the root's hull or not.
        set_cell(tree, 26, 23, inside.z, OCT_MARK_CLEAR);
        update(c);
        check(c, grown(dims, cube(dims, (oct_vec){16, 16, 16}, 16)));
        assert_true(oct_components_joined(c, inside, far[1]));
        // The lattice's ends.
        set_cell(tree, -OCT_RANGE, -OCT_RANGE, dims == 3 ? -OCT_RANGE : 0, OCT_MARK_BLOCKED);
        set_cell(tree, 26, 23, inside.z, OCT_MARK_BLOCKED);
        update(c);
        assert_true(oct_components_is_valid(c));
        assert_false(oct_components_joined(c, inside, far[1]));
        assert_int_equal(oct_components_measure(c).count, 2);
        oct_tree_clear(tree);
        update(c);
        assert_true(oct_components_is_valid(c));
        assert_true(oct_components_joined(c, inside, far[1]));
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

static void where_unknown_is_blocked_the_outside_is_in_the_way(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
    assert_int_equal(oct_components_at(c, (oct_vec){0, 0, 0}), 0);
    assert_int_equal(oct_components_measure(c).count, 0);
    // The whole lattice, from end to end; then a wall through its middle.
    const int32_t low = -OCT_RANGE, high = OCT_RANGE;
    const oct_vec first = {low, low, low}, last = {high - 1, high - 1, high - 1};
    set_box(tree, (oct_box){{low, low, low}, {high, high, high}}, OCT_MARK_OPEN);
    update(c);
    assert_true(oct_components_joined(c, first, last));
    assert_int_equal(oct_components_at(c, (oct_vec){high, 0, 0}), 0);
    set_box(tree, (oct_box){{low, low, 0}, {high, high, high / 8}}, OCT_MARK_UNKNOWN);
    update(c);
    assert_false(oct_components_joined(c, first, last));
    assert_true(oct_components_joined(c, first, (oct_vec){3, 4, -1}));
    assert_int_equal(oct_components_measure(c).count, 2);
    assert_true(oct_components_is_valid(c));
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_a_brick_are_near_if_they_share_a_face),
        cmocka_unit_test(random_edits_match_flooding),
        cmocka_unit_test(small_edits_match_flooding),
        cmocka_unit_test(several_edits_at_once_match_flooding),
        cmocka_unit_test(walls_between_large_leaves_match_flooding),
        cmocka_unit_test(rooms_with_dead_ends_are_told_apart),
        cmocka_unit_test(a_walk_through_the_world_matches_flooding),
        cmocka_unit_test(what_is_left_may_lie_elsewhere),
        cmocka_unit_test(things_match_flooding),
        cmocka_unit_test(walls_match_flooding),
        cmocka_unit_test(walls_are_kept_without_cost),
        cmocka_unit_test(a_spiral_is_cut_and_opened_again),
        cmocka_unit_test(a_checkerboard_has_as_many_components_as_cells),
        cmocka_unit_test(where_unknown_is_open_the_outside_is_one_component),
        cmocka_unit_test(where_unknown_is_blocked_the_outside_is_in_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
