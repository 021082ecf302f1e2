// SPDX-License-Identifier: MIT
// Baking: what a surface says was measured of it, against dense sampling in rooms whose walls are
// known; and the floors of maps, against a flood over their cells. Without Recast it is refused.
#include "support.h"

#include "octant/surface_bake.h"
#include "octant/surface_path.h"
#include "surface/surface_internal.h"

#include <math.h>
#include <string.h>

#define EDGE 10  // rooms along an edge of a map's floor
#define ROOM 4   // cells along the edge of one: Recast loses what is a cell or two wide
#define CELL 0.5 // metres
#define TOP 8

// ---- a room with a pillar and a ramp ----

typedef struct box {
    double x0, y0, z0, x1, y1, z1;
} box;

// Recast sees triangles: thick walls would have floors inside.
static const box boxes[] = {
    {-0.3, -0.3, -1, 10.3, 10.3, 0}, // floor
    {-0.3, -0.3, 0, 0, 10.3, 4},     // walls
    {10, -0.3, 0, 10.3, 10.3, 4},    {0, -0.3, 0, 10, 0, 4},
    {0, 10, 0, 10, 10.3, 4},         {4.13, 4.71, 0, 5.37, 5.9, 3}, // pillar
    {8, 8, 0, 10, 10, 0.35}, // a low step, which is walked onto
    {1, 7, 2.5, 4, 9, 2.7},  // a slab above heads
};
#define BOXES (sizeof boxes / sizeof boxes[0])

static oct_mesh *make_room(void)
{
    static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                          {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                          {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    oct_point points[8 * BOXES];
    uint32_t indices[36 * BOXES];
    for (uint32_t i = 0; i < BOXES; i++) {
        const box *const b = &boxes[i];
        for (uint32_t k = 0; k < 8; k++) {
            const bool right = k % 4 == 1 || k % 4 == 2, back = k % 4 >= 2;
            points[8 * i + k] =
                (oct_point){right ? b->x1 : b->x0, back ? b->y1 : b->y0, k >= 4 ? b->z1 : b->z0};
        }
        for (uint32_t k = 0; k < 36; k++) {
            indices[36 * i + k] = 8 * i + faces[k / 3][k % 3];
        }
    }
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    assert_int_equal(oct_mesh_create(&def, points, 8 * BOXES, indices, 12 * BOXES, &mesh), OCT_OK);
    return mesh;
}

static double distance_to_box(const box *b, double x, double y)
{
    const double dx = fmax(fmax(b->x0 - x, x - b->x1), 0.0);
    const double dy = fmax(fmax(b->y0 - y, y - b->y1), 0.0);
    return sqrt(dx * dx + dy * dy);
}

static double floor_at(double x, double y)
{
    return x >= 8.0 && y >= 8.0 ? 0.35 : 0.0;
}

// The least clearance by places 5 mm apart; walls and the pillar are in the way.
static double sampled_clearance(const oct_surface *s)
{
    double least = HUGE_VAL;
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        const double parts = ceil(200.0 / sqrt(p->inverse));
        // The slab is floor, too.
        for (double i = 0.0; i <= parts && p->twin == NO_EDGE && p->z < 2.0; i += 1.0) {
            const double x = p->x + i / parts * (q->x - p->x), y = p->y + i / parts * (q->y - p->y);
            for (size_t k = 1; k < 6; k++) {
                least = fmin(least, distance_to_box(&boxes[k], x, y));
            }
        }
    }
    return least;
}

static void what_was_measured_is_true(void **state)
{
    (void)state;
    if (!oct_bake_is_there()) {
        skip();
    }
    oct_mesh *const mesh = make_room();
    for (int round = 0; round < 12; round++) {
        oct_bake_def def = oct_bake_def_default();
        def.up = OCT_UP_Z;
        def.cell = 0.1 + 0.05 * (round % 4);
        def.radius = 0.2 + 0.1 * (round / 4);
        oct_surface *surface;
        oct_error error;
        assert_int_equal(oct_surface_bake_mesh(mesh, &def, &surface, &error), OCT_OK);
        const oct_surface_info info = oct_surface_info_of(surface);
        assert_true(info.baked.is_known && info.details > 0);
        assert_true(info.baked.radius == def.radius);
        assert_true(fabs(info.baked.climb - 0.4) < 1e-6);
        const double truth = sampled_clearance(surface);
        assert_true(info.baked.clearance <= truth + 1e-4);
        assert_true(info.baked.clearance > truth - 0.01);
        double worst = 0.0;
        for (uint32_t f = 0; f < info.faces; f++) {
            const oct_point c = oct_surface_face_of(surface, f).centre;
            assert_true(c.x > 0 && c.x < 10 && c.y > 0 && c.y < 10);
            worst = fmax(worst, fabs(c.z - (c.z > 2.0 ? 2.7 : floor_at(c.x, c.y))));
        }
        assert_true(info.baked.height_most >= worst - 0.05);
        assert_true(info.baked.height_most < 0.6 && info.baked.height_mean < 0.3);
        assert_true(info.area > 40.0 && info.area < 100.0);
        oct_surface_destroy(surface);
    }
    oct_mesh_destroy(mesh);
}

// ---- floors of maps ----

typedef struct level {
    oct_tree *tree;
    bool solid[EDGE][EDGE];
    int part[EDGE][EDGE]; // of the flood
} level;

static oct_vec cell_of(int x, int y, int z, oct_up up)
{
    return up == OCT_UP_Z   ? (oct_vec){x, y, z}
           : up == OCT_UP_Y ? (oct_vec){y, z, x}
                            : (oct_vec){z, x, y};
}

static void fill(oct_tree *tree, int x, int y, int z0, int z1, oct_up up, oct_mark mark)
{
    const oct_vec low = cell_of(ROOM * x, ROOM * y, z0, up);
    const oct_vec high = cell_of(ROOM * (x + 1), ROOM * (y + 1), z1, up);
    assert_int_equal(oct_tree_set_box(tree, (oct_box){low, high}, mark), OCT_OK);
}

// One storey, of rooms that are open or solid at random.
static void make_level(uint64_t seed, oct_up up, level *out)
{
    memset(out, 0, sizeof *out);
    oct_random random = oct_random_seed(seed);
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = CELL;
    def.origin = (oct_point){0.25, -3.0, 1.5};
    assert_int_equal(oct_tree_create(&def, &out->tree), OCT_OK);
    for (int x = 0; x < EDGE; x++) {
        for (int y = 0; y < EDGE; y++) {
            out->solid[x][y] = x == 0 || y == 0 || x == EDGE - 1 || y == EDGE - 1 ||
                               oct_random_below(&random, 5) < 2;
            fill(out->tree, x, y, 0, TOP, up, OCT_MARK_BLOCKED);
            if (!out->solid[x][y]) {
                fill(out->tree, x, y, 1, TOP - 1, up, OCT_MARK_OPEN);
            }
        }
    }
}

static void flood(level *l, int x, int y, int part)
{
    if (l->solid[x][y] || l->part[x][y] != 0) {
        return;
    }
    l->part[x][y] = part;
    flood(l, x + 1, y, part);
    flood(l, x - 1, y, part);
    flood(l, x, y + 1, part);
    flood(l, x, y - 1, part);
}

static oct_point middle_of(int x, int y, oct_up up)
{
    const oct_point o = {0.25, -3.0, 1.5};
    const double a = CELL * ROOM * (x + 0.5), b = CELL * ROOM * (y + 0.5), c = CELL;
    return up == OCT_UP_Z   ? (oct_point){o.x + a, o.y + b, o.z + c}
           : up == OCT_UP_Y ? (oct_point){o.x + b, o.y + c, o.z + a}
                            : (oct_point){o.x + c, o.y + a, o.z + b};
}

// The least distance of borders from rooms that are solid, by places 5 mm apart.
static double sampled_distance(const level *l, const oct_surface *s)
{
    double least = HUGE_VAL;
    const ground_point o = surface_in(s, (oct_point){0.25, -3.0, 1.5});
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const half_edge *const p = &s->edges[h], *const q = &s->edges[p->next];
        const double parts = ceil(200.0 / sqrt(p->inverse));
        for (double i = 0.0; i <= parts && p->twin == NO_EDGE; i += 1.0) {
            const double x = p->x + i / parts * (q->x - p->x) - o.x;
            const double y = p->y + i / parts * (q->y - p->y) - o.y;
            for (int k = 0; k < EDGE * EDGE; k++) {
                const double size = CELL * ROOM, left = size * (k / EDGE), low = size * (k % EDGE);
                const box room = {left, low, 0, left + size, low + size, 0};
                least = l->solid[k / EDGE][k % EDGE] ? fmin(least, distance_to_box(&room, x, y))
                                                     : least;
            }
        }
    }
    return least;
}

static void compare_with_flood(level *l, const oct_surface *surface, oct_up up)
{
    uint32_t island_of[EDGE * EDGE + 1];
    int parts = 0;
    memset(island_of, 0xff, sizeof island_of);
    for (int x = 1; x < EDGE - 1; x++) {
        for (int y = 1; y < EDGE - 1; y++) {
            if (!l->solid[x][y] && l->part[x][y] == 0) {
                flood(l, x, y, ++parts);
            }
            const oct_surface_place at = oct_surface_locate(surface, middle_of(x, y, up), 0.6);
            assert_int_equal(at.is_on, !l->solid[x][y]);
            if (!l->solid[x][y]) {
                const uint32_t island = oct_surface_face_of(surface, at.face).island;
                uint32_t *const known = &island_of[l->part[x][y]];
                *known = *known == UINT32_MAX ? island : *known;
                assert_int_equal(*known, island);
            }
        }
    }
    for (int i = 1; i <= parts; i++) {
        for (int k = 1; k < i; k++) {
            assert_true(island_of[i] != island_of[k]);
        }
    }
}

static void floors_of_maps_are_those_of_a_flood(void **state)
{
    (void)state;
    if (!oct_bake_is_there()) {
        skip();
    }
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const oct_up up = (oct_up)(seed % 3);
        level l;
        make_level(seed, up, &l);
        oct_bake_def def = oct_bake_def_default();
        def.up = up;
        def.radius = CELL;
        def.least_area = 0.0;
        const oct_box all = oct_tree_extent(l.tree, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
        oct_surface *surface;
        oct_error error;
        assert_int_equal(oct_surface_bake_tree(l.tree, all, &def, &surface, &error), OCT_OK);
        compare_with_flood(&l, surface, up);
        const oct_surface_baked baked = oct_surface_info_of(surface).baked;
        const double truth = sampled_distance(&l, surface);
        assert_true(baked.clearance <= truth + 1e-4 && baked.clearance > truth - 0.01);
        assert_true(baked.height_most < CELL + 1e-4);
        oct_surface_destroy(surface);
        oct_tree_destroy(l.tree);
    }
}

// ---- what is refused ----

static void what_cannot_be_baked_is_refused(void **state)
{
    (void)state;
    oct_mesh *const mesh = make_room();
    oct_bake_def def = oct_bake_def_default();
    oct_surface *surface;
    oct_error error;
    if (!oct_bake_is_there()) {
        assert_int_equal(oct_surface_bake_mesh(mesh, &def, &surface, &error),
                         OCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, "librecast-dev"));
        oct_mesh_destroy(mesh);
        return;
    }
    def.cell = 1e-5; // more columns than Recast can take
    assert_int_equal(oct_surface_bake_mesh(mesh, &def, &surface, &error), OCT_ERROR_RANGE);
    assert_null(surface);
    def = oct_bake_def_default(); // Y is up: floors are walls, of which only thin edges are left
    def.radius = 20.0;
    assert_int_equal(oct_surface_bake_mesh(mesh, &def, &surface, &error), OCT_ERROR_RANGE);
    assert_non_null(strstr(error.message, "walked on"));
    const double bad[] = {-1.0, HUGE_VAL, (double)NAN};
    for (int i = 0; i < 3; i++) {
        for (int field = 0; field < 8; field++) {
            def = oct_bake_def_default();
            double *const fields[] = {&def.cell,  &def.cell_height, &def.height,     &def.radius,
                                      &def.climb, &def.slope,       &def.least_area, &def.error};
            *fields[field] = bad[i];
            assert_int_equal(oct_surface_bake_mesh(mesh, &def, &surface, NULL), OCT_ERROR_ARGUMENT);
        }
    }
    oct_tree *tree;
    const oct_tree_def tree_def = oct_tree_def_default();
    assert_int_equal(oct_tree_create(&tree_def, &tree), OCT_OK);
    def = oct_bake_def_default();
    assert_int_equal(oct_surface_bake_tree(tree, (oct_box){0}, &def, &surface, &error),
                     OCT_ERROR_RANGE);
    const oct_box high = {{0, 0, 0}, {4, 9000, 4}};
    assert_int_equal(oct_surface_bake_tree(tree, high, &def, &surface, &error), OCT_ERROR_RANGE);
    const oct_box unknown = {{0, 0, 0}, {4, 4, 4}};
    assert_int_equal(oct_surface_bake_tree(tree, unknown, &def, &surface, &error), OCT_ERROR_RANGE);
    oct_tree_destroy(tree);
    oct_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_is_true),
        cmocka_unit_test(floors_of_maps_are_those_of_a_flood),
        cmocka_unit_test(what_cannot_be_baked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
