// SPDX-License-Identifier: MIT
// What the viewer draws: every face that can be seen once, and no other, against looking at each
// part of a chunk and its six neighbours.
#include "support.h"

#include "base/base_internal.h"
#include "view/mesh.h"

#include <string.h>

#define HALF 40 // cells of a map on each side of 0

enum { P_UNKNOWN = 1, P_OPEN, P_BLOCKED, P_FRONTIER, P_LEVEL = 8 };

static uint8_t by_label(void *ctx, const oct_leaf *leaf)
{
    (void)ctx;
    return (uint8_t)(P_UNKNOWN + leaf->label);
}

static uint8_t by_level(void *ctx, const oct_leaf *leaf)
{
    (void)ctx;
    return leaf->label == OCT_BLOCKED ? (uint8_t)(P_LEVEL + leaf->level) : by_label(ctx, leaf);
}

static oct_tree *random_tree(oct_random *random)
{
    oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    for (int i = 0; i < 60; i++) {
        oct_box box;
        int32_t *const min = &box.min.x, *const max = &box.max.x;
        for (int k = 0; k < 3; k++) {
            min[k] = (int32_t)oct_random_below(random, 2 * HALF) - HALF;
            max[k] = min[k] + 1 + (int32_t)oct_random_below(random, 16);
        }
        const oct_mark mark = oct_random_below(random, 2) ? OCT_MARK_OPEN : OCT_MARK_BLOCKED;
        assert_int_equal(oct_tree_set_box(tree, box, mark), OCT_OK);
    }
    return tree;
}

static bool is_shown(const view_look *look, uint8_t paint)
{
    return (look->solid | look->faded) >> paint & 1u;
}

// The paint of a part: the largest that is shown among its cells, else the largest.
static uint8_t plain_part(const oct_tree *tree, const view_look *look, view_chunk c, int x, int y,
                          int z)
{
    const int32_t edge = 1 << c.lod;
    uint32_t best = 0;
    for (int32_t i = 0; i < edge * edge * edge; i++) {
        const oct_vec cell = {c.at.x + x * edge + i % edge, c.at.y + y * edge + i / edge % edge,
                              c.at.z + z * edge + i / edge / edge};
        const oct_box b = look->box;
        if (cell.x < b.min.x || cell.y < b.min.y || cell.z < b.min.z || cell.x >= b.max.x ||
            cell.y >= b.max.y || cell.z >= b.max.z) {
            continue;
        }
        const oct_leaf leaf = oct_tree_leaf(tree, cell);
        const uint8_t paint = look->paint(look->ctx, &leaf);
        const uint32_t rank = paint + (is_shown(look, paint) ? 100u : 0u);
        best = rank > best ? rank : best;
    }
    return (uint8_t)(best % 100u);
}

// 0, or the paint of a face of a part.
static uint8_t plain_face(const view_look *look, const view_mesher *m, int x, int y, int z,
                          int face)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const uint8_t part = oct_view_part(m, x, y, z);
    const uint8_t next =
        oct_view_part(m, x + steps[face][0], y + steps[face][1], z + steps[face][2]);
    if (!part || part == next || !is_shown(look, part) || (look->solid >> next & 1u)) {
        return 0;
    }
    const bool both_faded = (look->faded >> part & 1u) && (look->faded >> next & 1u);
    return both_faded && part < next ? 0 : part;
}

static uint8_t faces[6][VIEW_CHUNK][VIEW_CHUNK][VIEW_CHUNK];

static void draw_quads(const view_look *look, const view_quads *quads)
{
    memset(faces, 0, sizeof faces);
    for (size_t i = 0; i < quads->solid + quads->faded; i++) {
        const view_quad q = quads->items[i];
        assert_true(q.face < 6 && q.w > 0 && q.h > 0);
        assert_int_equal(look->solid >> q.paint & 1u, i < quads->solid);
        for (int v = 0; v < q.h; v++) {
            for (int u = 0; u < q.w; u++) {
                const int x = q.x + (q.face / 2 == 0 ? 0 : u);
                const int y = q.y + (q.face / 2 == 0 ? u : q.face / 2 == 1 ? 0 : v);
                const int z = q.z + (q.face / 2 == 2 ? 0 : v);
                assert_true(x < VIEW_CHUNK && y < VIEW_CHUNK && z < VIEW_CHUNK);
                assert_int_equal(faces[q.face][z][y][x], 0); // never twice
                faces[q.face][z][y][x] = q.paint;
            }
        }
    }
}

static void check_chunk(view_mesher *m, const oct_tree *tree, const view_look *look, view_chunk c)
{
    view_quads quads;
    assert_int_equal(oct_view_mesh(m, tree, look, c, &quads), OCT_OK);
    draw_quads(look, &quads);
    for (int z = 0; z < VIEW_CHUNK; z++) {
        for (int y = 0; y < VIEW_CHUNK; y++) {
            for (int x = 0; x < VIEW_CHUNK; x++) {
                for (int face = 0; face < 6; face++) {
                    assert_int_equal(faces[face][z][y][x], plain_face(look, m, x, y, z, face));
                }
            }
        }
    }
}

static view_look random_look(oct_random *random)
{
    view_look look = {.paint = oct_random_below(random, 2) ? by_label : by_level,
                      .box = {{-HALF, -HALF, -HALF}, {HALF, HALF, HALF}}};
    const uint32_t groups[3] = {1u << P_UNKNOWN, 1u << P_OPEN, 1u << P_BLOCKED | 0xffu << P_LEVEL};
    for (int i = 0; i < 3; i++) {
        const uint64_t how = oct_random_below(random, 3);
        look.solid |= how == 0 ? groups[i] : 0u;
        look.faded |= how == 1 ? groups[i] : 0u;
    }
    return look;
}

static void every_face_is_drawn_once(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(11);
    view_mesher *m;
    assert_int_equal(oct_view_mesher_create(NULL, &m), OCT_OK);
    for (int round = 0; round < 12; round++) {
        oct_tree *const tree = random_tree(&random);
        for (uint32_t lod = 0; lod < 3; lod++) {
            const view_look look = random_look(&random);
            const int32_t at = (int32_t)oct_random_below(&random, 60) - 70;
            check_chunk(m, tree, &look, (view_chunk){{at, -HALF, at + 7}, lod});
        }
        oct_tree_destroy(tree);
    }
    oct_view_mesher_destroy(m);
}

static void parts_are_those_of_the_cells(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(12);
    view_mesher *m;
    assert_int_equal(oct_view_mesher_create(NULL, &m), OCT_OK);
    for (int round = 0; round < 30; round++) {
        oct_tree *const tree = random_tree(&random);
        const view_look look = random_look(&random);
        const view_chunk c = {{-HALF + (int32_t)oct_random_below(&random, 9), -HALF, -50},
                              (uint32_t)oct_random_below(&random, 3)};
        view_quads quads;
        assert_int_equal(oct_view_mesh(m, tree, &look, c, &quads), OCT_OK);
        for (int i = 0; i < 3000; i++) {
            const int x = (int)oct_random_below(&random, VIEW_CHUNK + 2) - 1;
            const int y = (int)oct_random_below(&random, VIEW_CHUNK + 2) - 1;
            const int z = (int)oct_random_below(&random, VIEW_CHUNK + 2) - 1;
            assert_int_equal(oct_view_part(m, x, y, z), plain_part(tree, &look, c, x, y, z));
        }
        oct_tree_destroy(tree);
    }
    oct_view_mesher_destroy(m);
}

// A flat wall is one rectangle, and what lies in the open has its frontier.
static void equal_faces_become_one(void **state)
{
    (void)state;
    oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    view_mesher *m;
    view_quads quads;
    assert_int_equal(oct_view_mesher_create(NULL, &m), OCT_OK);
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    assert_int_equal(oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {64, 64, 1}}, OCT_MARK_BLOCKED),
                     OCT_OK);
    view_look look = {
        .paint = by_label, .solid = 1u << P_BLOCKED, .box = {{0, 0, 0}, {64, 64, 64}}};
    assert_int_equal(oct_view_mesh(m, tree, &look, (view_chunk){{0, 0, 0}, 0}, &quads), OCT_OK);
    assert_int_equal(quads.solid, 6);
    assert_int_equal(oct_tree_set_box(tree, (oct_box){{9, 9, 1}, {12, 12, 4}}, OCT_MARK_OPEN),
                     OCT_OK);
    look.has_frontier = true;
    look.open = P_OPEN;
    look.unknown = P_UNKNOWN;
    look.frontier = P_FRONTIER;
    look.solid = 1u << P_FRONTIER;
    assert_int_equal(oct_view_mesh(m, tree, &look, (view_chunk){{0, 0, 0}, 0}, &quads), OCT_OK);
    assert_int_equal(oct_view_part(m, 9, 9, 1), P_FRONTIER);
    assert_int_equal(oct_view_part(m, 10, 10, 2), P_OPEN);
    // Beyond everything there is nothing, and no coordinate is too large.
    assert_int_equal(oct_view_mesh(m, tree, &look,
                                   (view_chunk){{OCT_RANGE, -OCT_RANGE, OCT_RANGE}, VIEW_LOD_MAX},
                                   &quads),
                     OCT_OK);
    assert_int_equal(quads.solid + quads.faded, 0);
    oct_tree_destroy(tree);
    oct_view_mesher_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_face_is_drawn_once),
        cmocka_unit_test(parts_are_those_of_the_cells),
        cmocka_unit_test(equal_faces_become_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
