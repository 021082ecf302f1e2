// SPDX-License-Identifier: MIT
// Maps of meshes against brute force: contact in exact integers, what is enclosed by solid angles,
// clearance by plain distances; random meshes, and the public ones.
#include "base/base_internal.h"
#include "mesh_oracle.h"
#include "octant/formats.h"
#include "thread_support.h"
#include "valid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- random meshes ----

typedef struct soup {
    oct_point vertices[256];
    uint32_t indices[768];
    size_t vertex_count, triangle_count;
} soup;

static void add_triangle(soup *s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *const at = s->indices + 3 * s->triangle_count++;
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

// A box with its faces outwards, or inwards, each of two triangles; perhaps without its lid.
static void add_box(soup *s, oct_point lo, oct_point hi, bool inwards, bool lid)
{
    static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {1, 3, 7, 5},
                                         {3, 2, 6, 7}, {2, 0, 4, 6}, {4, 5, 7, 6}};
    const uint32_t first = (uint32_t)s->vertex_count;
    for (int i = 0; i < 8; i++) {
        s->vertices[s->vertex_count++] =
            (oct_point){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
    }
    for (int i = 0; i < (lid ? 6 : 5); i++) {
        const uint32_t *const q = quads[i];
        const uint32_t b = first + q[inwards ? 3 : 1], d = first + q[inwards ? 1 : 3];
        add_triangle(s, first + q[0], b, first + q[2]);
        add_triangle(s, first + q[0], first + q[2], d);
    }
}

// On a coarse lattice, so that much is in contact, or anywhere.
static double random_at(oct_random *random, bool coarse, double span)
{
    return coarse ? (double)oct_random_range(random, 0, (int32_t)span * 2) / 2.0
                  : oct_random_unit(random) * span;
}

static oct_point random_point(oct_random *random, bool coarse, double span)
{
    const double x = random_at(random, coarse, span), y = random_at(random, coarse, span);
    return (oct_point){x, y, random_at(random, coarse, span)};
}

static void turn_some(soup *s, oct_random *random)
{
    // A shear keeps boxes closed and makes their faces slanted.
    const double a = oct_random_unit(random) - 0.5, b = oct_random_unit(random) - 0.5;
    for (size_t i = 0; i < s->vertex_count; i++) {
        s->vertices[i].x += a * s->vertices[i].y;
        s->vertices[i].y += b * s->vertices[i].z;
    }
}

static void random_soup(oct_random *random, double span, soup *s)
{
    *s = (soup){.vertex_count = 0};
    const bool coarse = oct_random_below(random, 2) == 0;
    const int boxes = (int)oct_random_below(random, 4), loose = (int)oct_random_below(random, 5);
    for (int i = 0; i < boxes; i++) {
        const oct_point a = random_point(random, coarse, span),
                        b = random_point(random, coarse, span);
        const oct_point lo = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
        const oct_point hi = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
        add_box(s, lo, hi, oct_random_below(random, 3) == 0, oct_random_below(random, 5) != 0);
    }
    if (!coarse) {
        turn_some(s, random);
    }
    for (int i = 0; i < loose; i++) {
        const uint32_t first = (uint32_t)s->vertex_count;
        for (int j = 0; j < 3; j++) {
            s->vertices[s->vertex_count++] = random_point(random, coarse, span);
        }
        add_triangle(s, first, first + 1, first + (oct_random_below(random, 6) == 0 ? 1 : 2));
    }
    if (s->triangle_count == 0) {
        add_box(s, (oct_point){1, 1, 1}, (oct_point){3.25, 3, 4}, false, true);
    }
}

static oct_mesh *make_mesh(const soup *s)
{
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    assert_int_equal(
        oct_mesh_create(&def, s->vertices, s->vertex_count, s->indices, s->triangle_count, &mesh),
        OCT_OK);
    return mesh;
}

static oct_tree *make_tree(double cell, oct_point origin)
{
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = cell;
    def.origin = origin;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    return tree;
}

static oct_tree *voxelise(const oct_mesh *mesh, double cell, oct_point origin,
                          const oct_voxels_def *def)
{
    oct_tree *tree = make_tree(cell, origin);
    assert_int_equal(oct_mesh_voxelise(mesh, def, tree), OCT_OK);
    assert_true(oct_tree_is_valid(tree));
    return tree;
}

static void fail_cell(uint64_t seed, int round, oct_vec c, int got, int wanted)
{
    fail_msg("seed %llu, mesh %d, cell (%d, %d, %d): label %d, not %d", (unsigned long long)seed,
             round, c.x, c.y, c.z, got, wanted);
}

static oct_label true_label(const mesh_oracle *o, oct_vec c, bool fill)
{
    return mesh_oracle_meets(o, c) || (fill && mesh_oracle_winding(o, c) != 0) ? OCT_BLOCKED
                                                                               : OCT_OPEN;
}

static void cells_of_random_meshes_are_those_of_brute_force(void **state)
{
    (void)state;
    const uint64_t seed = 2411, rounds = test_rounds(1000);
    oct_random random = oct_random_seed(seed);
    uint64_t enclosed = 0;
    for (int round = 0; round < (int)rounds; round++) {
        soup s;
        random_soup(&random, 9.0, &s);
        oct_mesh *mesh = make_mesh(&s);
        const oct_point origin = {round % 3 - 1.0, round % 5 * 0.5, -round % 7 * 0.25};
        oct_voxels_def def = oct_voxels_def_default();
        def.open_inside = round % 4 == 0;
        oct_tree *tree = voxelise(mesh, 1.0, origin, &def);
        mesh_oracle *oracle = mesh_oracle_create(mesh, tree);
        oct_box box;
        assert_true(oct_mesh_cells(mesh, tree, &box));
        for (int32_t z = box.min.z - 1; z <= box.max.z; z++) {
            for (int32_t y = box.min.y - 1; y <= box.max.y; y++) {
                for (int32_t x = box.min.x - 1; x <= box.max.x; x++) {
                    const oct_vec c = {x, y, z};
                    const bool inside = x >= box.min.x && x < box.max.x && y >= box.min.y &&
                                        y < box.max.y && z >= box.min.z && z < box.max.z;
                    const oct_label wanted =
                        inside ? true_label(oracle, c, !def.open_inside) : OCT_UNKNOWN;
                    const oct_label got = oct_tree_label(tree, c);
                    if (got != wanted) {
                        fail_cell(seed, round, c, (int)got, (int)wanted);
                    }
                    enclosed += inside && wanted == OCT_BLOCKED && !mesh_oracle_meets(oracle, c);
                }
            }
        }
        mesh_oracle_destroy(oracle);
        oct_tree_destroy(tree);
        oct_mesh_destroy(mesh);
    }
    assert_true(enclosed > rounds);
}

static void clearance_is_that_of_brute_force(void **state)
{
    (void)state;
    const uint64_t seed = 2412, rounds = test_rounds(1000);
    oct_random random = oct_random_seed(seed);
    uint64_t sure_cells = 0, all_cells = 0;
    for (int round = 0; round < (int)rounds; round++) {
        soup s;
        random_soup(&random, 7.0, &s);
        oct_mesh *mesh = make_mesh(&s);
        const double cell = round % 2 ? 1.0 : 0.7;
        oct_voxels_def def = oct_voxels_def_default();
        def.open_inside = true;
        def.box = (oct_box){{-4, -4, -4}, {14, 14, 14}};
        def.clearance.radius = round % 4 == 0 ? 0.0 : oct_random_unit(&random) * 2.5;
        if (round % 4 == 0 || round % 4 == 3) { // a box; and a capsule along z
            def.clearance.half.z = oct_random_unit(&random) * 2.0;
            def.clearance.half.x = round % 4 == 0 ? oct_random_unit(&random) : 0.0;
            def.clearance.half.y = round % 4 == 0 ? 0.5 : 0.0;
        }
        oct_tree *tree = voxelise(mesh, cell, (oct_point){0, 0, 0}, &def);
        mesh_oracle *oracle = mesh_oracle_create(mesh, tree);
        const oct_point half = {def.clearance.half.x / cell, def.clearance.half.y / cell,
                                def.clearance.half.z / cell};
        for (int i = 0; i < 120; i++) {
            const oct_vec c = {oct_random_range(&random, -4, 13), oct_random_range(&random, -4, 13),
                               oct_random_range(&random, -4, 13)};
            bool sure;
            const bool blocked =
                mesh_oracle_body(oracle, c, half, def.clearance.radius / cell, &sure) ||
                mesh_oracle_meets(oracle, c);
            const oct_label wanted = blocked ? OCT_BLOCKED : OCT_OPEN;
            all_cells++;
            sure_cells += sure;
            if ((sure || blocked) && oct_tree_label(tree, c) != wanted) {
                fail_cell(seed, round, c, (int)oct_tree_label(tree, c), (int)wanted);
            }
        }
        mesh_oracle_destroy(oracle);
        oct_tree_destroy(tree);
        oct_mesh_destroy(mesh);
    }
    assert_true(sure_cells * 20 > all_cells * 19);
}

// ---- threads ----

typedef struct bytes {
    uint8_t *data;
    size_t count;
} bytes;

static bool keep(void *ctx, const void *data, size_t size)
{
    bytes *const b = ctx;
    b->data = realloc(b->data, b->count + size);
    memcpy(b->data + b->count, data, size);
    b->count += size;
    return true;
}

static bytes written(const oct_mesh *mesh, uint32_t workers)
{
    const oct_executor executor = {test_run_threads, &workers, workers};
    oct_voxels_def def = oct_voxels_def_default();
    def.executor = workers > 1 ? &executor : NULL;
    oct_tree *tree = voxelise(mesh, 0.05, (oct_point){0, 0, 0}, &def);
    const oct_tree_info info = oct_tree_info_default();
    bytes out = {0};
    assert_int_equal(oct_tree_write(OCT_FORMAT_TREE, tree, &info, keep, &out, NULL), OCT_OK);
    const size_t size = oct_tree_bytes(tree); // the same, too
    assert_true(keep(&out, &size, sizeof size));
    oct_tree_destroy(tree);
    return out;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(2413);
    for (int round = 0; round < 12; round++) {
        soup s;
        random_soup(&random, 6.0, &s);
        oct_mesh *mesh = make_mesh(&s);
        bytes alone = written(mesh, 1);
        for (uint32_t workers = 2; workers <= 5; workers++) {
            bytes many = written(mesh, workers);
            assert_int_equal(many.count, alone.count);
            assert_memory_equal(many.data, alone.data, many.count);
            free(many.data);
        }
        free(alone.data);
        oct_mesh_destroy(mesh);
    }
}

// ---- life ----

static void a_mesh_beyond_the_lattice_is_refused(void **state)
{
    (void)state;
    soup s = {.vertex_count = 0};
    add_box(&s, (oct_point){0, 0, 0}, (oct_point){1e9, 1, 1}, false, true);
    oct_mesh *mesh = make_mesh(&s);
    oct_tree *tree = make_tree(1.0, (oct_point){0, 0, 0});
    oct_voxels_def def = oct_voxels_def_default();
    oct_box box;
    assert_false(oct_mesh_cells(mesh, tree, &box));
    assert_int_equal(oct_mesh_voxelise(mesh, &def, tree), OCT_ERROR_RANGE);
    assert_int_equal(oct_tree_root(tree).level, -1);
    def.clearance.radius = -1.0;
    assert_int_equal(oct_mesh_voxelise(mesh, &def, tree), OCT_ERROR_ARGUMENT);
    def = oct_voxels_def_default();
    assert_int_equal(oct_tree_set_box(tree, (oct_box){{0, 0, 0}, {1, 1, 1}}, OCT_MARK_OPEN),
                     OCT_OK);
    assert_int_equal(oct_mesh_voxelise(mesh, &def, tree), OCT_ERROR_ARGUMENT);
    oct_tree_destroy(tree);
    oct_mesh_destroy(mesh);
}

static oct_result voxelise_with(const oct_allocator *allocator, void *ctx)
{
    const oct_mesh *const mesh = ctx;
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = 0.4;
    def.allocator = allocator;
    oct_tree *tree;
    OCT_TRY(oct_tree_create(&def, &tree));
    const oct_voxels_def how = oct_voxels_def_default();
    const oct_result result = oct_mesh_voxelise(mesh, &how, tree);
    if (result != OCT_OK && oct_tree_root(tree).level != -1) {
        fail_msg("the tree is not empty");
    }
    oct_tree_destroy(tree);
    return result;
}

static void running_out_of_memory_leaves_an_empty_tree(void **state)
{
    (void)state;
    soup s = {.vertex_count = 0};
    add_box(&s, (oct_point){1, 1, 1}, (oct_point){9, 8, 7}, false, true);
    oct_mesh *mesh = make_mesh(&s);
    test_each_failure(voxelise_with, mesh);
    oct_mesh_destroy(mesh);
}

// ---- public meshes ----

static uint64_t cells_to_sample(void)
{
    return getenv("OCTANT_SOAK") ? 100000 : test_rounds(600);
}

// Half of the cells lie at the surface, half anywhere.
static void check_file(const char *path, int32_t cells)
{
    size_t size;
    void *const data = test_read_file(path, &size);
    const oct_mesh_def def = oct_mesh_def_default();
    oct_mesh *mesh;
    assert_int_equal(oct_mesh_read(OCT_MESH_OBJ, data, size, &def, &mesh, NULL), OCT_OK);
    const oct_bounds b = oct_mesh_bounds(mesh);
    const double xy = b.max.x - b.min.x > b.max.y - b.min.y ? b.max.x - b.min.x : b.max.y - b.min.y;
    const double longest = xy > b.max.z - b.min.z ? xy : b.max.z - b.min.z;
    const oct_voxels_def how = oct_voxels_def_default();
    oct_tree *tree = voxelise(mesh, longest / cells, b.min, &how);
    mesh_oracle *oracle = mesh_oracle_create(mesh, tree);
    oct_box box;
    assert_true(oct_mesh_cells(mesh, tree, &box));
    oct_random random = oct_random_seed(2414);
    uint64_t blocked = 0, enclosed = 0;
    const uint64_t count = cells_to_sample();
    for (uint64_t i = 0; i < count; i++) {
        oct_vec c = {oct_random_range(&random, box.min.x, box.max.x - 1),
                     oct_random_range(&random, box.min.y, box.max.y - 1),
                     oct_random_range(&random, box.min.z, box.max.z - 1)};
        if (i % 2 == 0) {
            const size_t triangle = oct_random_below(&random, mesh_oracle_count(oracle));
            const double u = oct_random_unit(&random), v = oct_random_unit(&random);
            const oct_point p = mesh_oracle_point(oracle, triangle, u, v);
            c = (oct_vec){(int32_t)p.x + oct_random_range(&random, -2, 2),
                          (int32_t)p.y + oct_random_range(&random, -2, 2),
                          (int32_t)p.z + oct_random_range(&random, -2, 2)};
        }
        if (c.x < box.min.x || c.y < box.min.y || c.z < box.min.z || c.x >= box.max.x ||
            c.y >= box.max.y || c.z >= box.max.z) {
            continue;
        }
        const oct_label wanted = true_label(oracle, c, true);
        if (oct_tree_label(tree, c) != wanted) {
            fail_msg("%s: cell (%d, %d, %d): label %d, not %d", path, c.x, c.y, c.z,
                     (int)oct_tree_label(tree, c), (int)wanted);
        }
        blocked += wanted == OCT_BLOCKED;
        enclosed += wanted == OCT_BLOCKED && !mesh_oracle_meets(oracle, c);
    }
    printf("%s: %llu cells, %llu blocked, %llu of them enclosed: all agree\n", path,
           (unsigned long long)count, (unsigned long long)blocked, (unsigned long long)enclosed);
    mesh_oracle_destroy(oracle);
    oct_tree_destroy(tree);
    oct_mesh_destroy(mesh);
    free(data);
}

static void cells_of_public_meshes_are_those_of_brute_force(void **state)
{
    (void)state;
    static const char *const names[] = {"216Kleopatra",      "recast_dungeon", "recast_nav_test",
                                        "recast_undulating", "space_station",  "sponza",
                                        "stanford-bunny"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64], path[1024];
        snprintf(name, sizeof name, "mesh/%s.obj", names[i]);
        if (!test_data_path(name, path, sizeof path)) {
            skip();
        }
        check_file(path, 512);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_random_meshes_are_those_of_brute_force),
        cmocka_unit_test(clearance_is_that_of_brute_force),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_mesh_beyond_the_lattice_is_refused),
        cmocka_unit_test(running_out_of_memory_leaves_an_empty_tree),
        cmocka_unit_test(cells_of_public_meshes_are_those_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
