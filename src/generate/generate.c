// SPDX-License-Identifier: MIT
// Maps from a seed.
//
// The scenes are boxes painted over each other in an order that the seed alone decides. Lengths are
// meant for a cube of 256 cells and scale with the scene. A checkerboard has as many leaves as
// cells; it is built from the bottom up, brick by brick.
#include "octant/generate.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "base/base_internal.h"
#include "generate/generate_potential.h"
#include "octree/octree_internal.h"

#include <math.h>

#define GENERATE_COOKIE 0x6f63746eu
// The edge that the lengths below are meant for.
#define UNIT_SIZE 256

#define BOXES_3D 500
#define BOXES_2D 100
#define WALL_BOXES_3D 100
#define WALL_BOXES_2D 20
#define TUNNELS_3D 200
#define TUNNELS_2D 10
#define WALL_HALF 2
#define HOLE_SIZE 6
#define HOLE_CLEARANCE 10 // cells before and behind the wall in which no box blocks the hole
#define CLUSTER_COUNT 40
#define CLUSTER_MARGIN 16
#define CLUSTER_SPREAD 20
// Crowded centres fill up: after this many boxes for each cell of edge no more are tried.
#define CLUSTER_PATIENCE 4096

typedef struct scene {
    oct_tree *tree;
    oct_random random;
    int32_t size;
    int dims;
} scene;

// ---- boxes ----

static int32_t scaled(const scene *s, int32_t length)
{
    return (int32_t)((int64_t)length * s->size / UNIT_SIZE);
}

static int32_t min_int(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t max_int(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// The scene without a shell of `shell` cells.
static oct_box inner_box(const scene *s, int32_t shell)
{
    const int32_t hi = s->size - shell;
    return (oct_box){{shell, shell, s->dims == 3 ? shell : 0}, {hi, hi, s->dims == 3 ? hi : 1}};
}

// Marks what of a box lies within limits.
static oct_result paint(const scene *s, oct_box box, oct_box limits, oct_mark mark)
{
    const oct_box inside = box_common(box, limits);
    return box_is_empty(3, &inside) ? OCT_OK : oct_tree_set_box(s->tree, inside, mark);
}

static oct_result hollow_cube(const scene *s)
{
    OCT_TRY(oct_tree_set_box(s->tree, inner_box(s, 0), OCT_MARK_BLOCKED));
    return oct_tree_set_box(s->tree, inner_box(s, 1), OCT_MARK_OPEN);
}

// A box around a cell with edges from `shortest` to `longest`, in cells of the unit cube.
static oct_box box_around(scene *s, oct_vec centre, int32_t shortest, int32_t longest)
{
    const int32_t lo = max_int(1, scaled(s, shortest));
    const int32_t hi = max_int(2, scaled(s, longest));
    const int32_t x = oct_random_range(&s->random, lo, hi);
    const int32_t y = oct_random_range(&s->random, lo, hi);
    const int32_t z = s->dims == 3 ? oct_random_range(&s->random, lo, hi) : 1;
    const oct_vec min = {centre.x - x / 2, centre.y - y / 2, centre.z - z / 2};
    return (oct_box){min, {min.x + x, min.y + y, min.z + z}};
}

// A cell in a box that is not empty.
static oct_vec cell_in(scene *s, oct_box box)
{
    const int32_t x = oct_random_range(&s->random, box.min.x, box.max.x - 1);
    const int32_t y = oct_random_range(&s->random, box.min.y, box.max.y - 1);
    const int32_t z = oct_random_range(&s->random, box.min.z, box.max.z - 1);
    return (oct_vec){x, y, z};
}

// What a definition asks for, or the kind's own number.
static uint32_t count_or(const scene *s, uint32_t asked, uint32_t own_3d, uint32_t own_2d)
{
    return asked ? asked : s->dims == 3 ? own_3d : own_2d;
}

static oct_result scatter_boxes(scene *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const oct_vec centre = cell_in(s, inner_box(s, 1));
        OCT_TRY(paint(s, box_around(s, centre, 3, 16), inner_box(s, 0), OCT_MARK_BLOCKED));
    }
    return OCT_OK;
}

// ---- kinds ----

static oct_result make_boxes(scene *s, const oct_generate_def *def)
{
    OCT_TRY(hollow_cube(s));
    return scatter_boxes(s, count_or(s, def->boxes, BOXES_3D, BOXES_2D));
}

// Where a hole of HOLE_SIZE begins along one axis: away from the hull where there is room.
static int32_t hole_start(scene *s)
{
    const int32_t margin = s->size / 8;
    const int32_t last = max_int(1, s->size - 1 - HOLE_SIZE);
    return oct_random_range(&s->random, min_int(margin, last), min_int(s->size - margin, last));
}

// The boxes come before the wall, and the surroundings of the hole are cleared of them: the hole
// is always a way through.
static oct_result make_wall(scene *s, const oct_generate_def *def)
{
    const int32_t middle = s->size / 2;
    const oct_box all = inner_box(s, 0);
    const oct_box inside = inner_box(s, 1);
    const oct_box wall = {{middle - WALL_HALF, 0, all.min.z},
                          {middle + WALL_HALF, s->size, all.max.z}};
    OCT_TRY(hollow_cube(s));
    OCT_TRY(scatter_boxes(s, count_or(s, def->boxes, WALL_BOXES_3D, WALL_BOXES_2D)));

    const int32_t y = hole_start(s);
    const int32_t z = s->dims == 3 ? hole_start(s) : 0;
    const int32_t reach = WALL_HALF + HOLE_CLEARANCE;
    const oct_box around = {{middle - reach, y - HOLE_SIZE, z - HOLE_SIZE},
                            {middle + reach, y + 2 * HOLE_SIZE, z + 2 * HOLE_SIZE}};
    const oct_box hole = {{wall.min.x, y, z}, {wall.max.x, y + HOLE_SIZE, z + HOLE_SIZE}};
    OCT_TRY(paint(s, around, inside, OCT_MARK_OPEN));
    OCT_TRY(paint(s, wall, all, OCT_MARK_BLOCKED));
    return paint(s, hole, inside, OCT_MARK_OPEN);
}

static int32_t normal_around(scene *s, int32_t mean, double deviation)
{
    return (int32_t)floor(mean + 0.5 + deviation * oct_random_normal(&s->random));
}

static oct_result make_clusters(scene *s, const oct_generate_def *def)
{
    OCT_TRY(hollow_cube(s));
    const oct_box inside = inner_box(s, 1);
    const oct_box middle = inner_box(s, max_int(1, scaled(s, CLUSTER_MARGIN)));
    const double deviation = (double)CLUSTER_SPREAD * s->size / UNIT_SIZE;
    oct_vec centres[CLUSTER_COUNT];
    for (int i = 0; i < CLUSTER_COUNT; i++) {
        centres[i] = cell_in(s, middle);
    }

    const double edge = s->size - 2;
    const double wanted = def->fill * edge * edge * (s->dims == 3 ? edge : 1.0);
    const uint64_t most = (uint64_t)CLUSTER_PATIENCE * (uint64_t)s->size;
    double filled = 0.0;
    for (uint64_t i = 0; filled < wanted && i < most; i++) {
        const oct_vec mean = centres[oct_random_below(&s->random, CLUSTER_COUNT)];
        const int32_t x = normal_around(s, mean.x, deviation);
        const int32_t y = normal_around(s, mean.y, deviation);
        const int32_t z = s->dims == 3 ? normal_around(s, mean.z, deviation) : 0;
        const oct_box box = box_common(box_around(s, (oct_vec){x, y, z}, 2, 14), inside);
        if (box_is_empty(3, &box)) {
            continue;
        }
        uint64_t counts[3];
        OCT_TRY(oct_tree_count(s->tree, box, counts));
        OCT_TRY(oct_tree_set_box(s->tree, box, OCT_MARK_BLOCKED));
        filled += (double)counts[OCT_OPEN];
    }
    return OCT_OK;
}

// The cells on a straight line along an axis, both ends included.
static oct_box line_box(oct_vec a, oct_vec b)
{
    return (oct_box){{min_int(a.x, b.x), min_int(a.y, b.y), min_int(a.z, b.z)},
                     {max_int(a.x, b.x) + 1, max_int(a.y, b.y) + 1, max_int(a.z, b.z) + 1}};
}

// Each tunnel goes straight for a while, turns, and goes on until it is long enough. It stays off
// the hull, so that no tunnel opens to the outside.
static oct_result make_tunnels(scene *s, const oct_generate_def *def)
{
    OCT_TRY(oct_tree_set_box(s->tree, inner_box(s, 0), OCT_MARK_BLOCKED));
    const uint32_t count = count_or(s, def->tunnels, TUNNELS_3D, TUNNELS_2D);
    for (uint32_t i = 0; i < count; i++) {
        oct_vec from = cell_in(s, inner_box(s, 1));
        for (int32_t dug = 0; dug < 2 * s->size;) {
            const uint64_t direction = oct_random_below(&s->random, 2 * (uint64_t)s->dims);
            const int32_t length = oct_random_range(&s->random, 2, max_int(4, s->size / 8));
            oct_vec to = from;
            int32_t *const axis = direction < 2 ? &to.x : direction < 4 ? &to.y : &to.z;
            *axis += direction & 1u ? length : -length;
            *axis = max_int(1, min_int(s->size - 2, *axis));
            OCT_TRY(oct_tree_set_box(s->tree, line_box(from, to), OCT_MARK_OPEN));
            from = to;
            dug += length;
        }
    }
    return OCT_OK;
}

// The cells of a brick whose coordinates have an odd sum: the lowest bits of a Morton index decide.
#define ODD_CELLS_3D UINT64_C(0x9696969696969696)
#define ODD_CELLS_2D UINT64_C(0x6666666666666666)

// The cells of a brick at `min` that lie within the scene.
static uint64_t cells_inside(const scene *s, oct_vec min)
{
    const int32_t edge = 1 << brick_level(s->dims);
    const uint32_t x = (uint32_t)min_int(edge, s->size - min.x);
    const uint32_t y = (uint32_t)min_int(edge, s->size - min.y);
    uint64_t cells = morton_slab(s->dims, 0, 0, x - 1) & morton_slab(s->dims, 1, 0, y - 1);
    if (s->dims == 3) {
        const uint32_t z = (uint32_t)min_int(edge, s->size - min.z);
        cells &= morton_slab(s->dims, 2, 0, z - 1);
    }
    return cells;
}

static oct_result build_checkerboard(const scene *s, oct_vec min, int level, uint32_t *word)
{
    if (max_int(min.x, max_int(min.y, min.z)) >= s->size) {
        *word = word_leaf(0);
        return OCT_OK;
    }
    if (level == brick_level(s->dims)) {
        const uint64_t inside = cells_inside(s, min);
        const uint64_t odd = s->dims == 3 ? ODD_CELLS_3D : ODD_CELLS_2D;
        return oct_tree_pack(s->tree, (brick){inside, inside & odd}, word);
    }
    uint32_t children[8];
    const int32_t half = 1 << (level - 1);
    for (int32_t i = 0; i < 1 << s->dims; i++) {
        const oct_vec child = {min.x + (i & 1) * half, min.y + (i >> 1 & 1) * half,
                               min.z + (i >> 2) * half};
        OCT_TRY(build_checkerboard(s, child, level - 1, &children[i]));
    }
    return oct_tree_join(s->tree, children, word);
}

static oct_result make_checkerboard(scene *s, const oct_generate_def *def)
{
    (void)def;
    const int level = max_int((int32_t)oct_bit_length((uint64_t)s->size - 1), brick_level(s->dims));
    uint32_t root;
    OCT_TRY(build_checkerboard(s, (oct_vec){0, 0, 0}, level, &root));
    oct_tree_plant(s->tree, root, level, (corner){0, 0, 0});
    return OCT_OK;
}

static oct_result make_potential(scene *s, const oct_generate_def *def)
{
    const uint64_t cells = (uint64_t)def->size * def->size;
    const uint64_t blocked = (uint64_t)floor(def->coverage * (double)cells + 0.5);
    const oct_allocator *const allocator = &s->tree->allocator;
    potential_field field;
    OCT_TRY(oct_potential_init(&field, allocator, def->size, def->clustering));
    oct_potential_draw(&field, &s->random, blocked);
    const oct_result result = oct_potential_build(&field, s->tree);
    oct_potential_free(&field, allocator);
    return result;
}

// ---- entry ----

typedef oct_result make_fn(scene *s, const oct_generate_def *def);

static make_fn *const kinds[OCT_GENERATE_COUNT] = {
    [OCT_GENERATE_BOXES] = make_boxes,       [OCT_GENERATE_WALL] = make_wall,
    [OCT_GENERATE_CLUSTERS] = make_clusters, [OCT_GENERATE_CHECKERBOARD] = make_checkerboard,
    [OCT_GENERATE_TUNNELS] = make_tunnels,   [OCT_GENERATE_POTENTIAL] = make_potential,
};

oct_generate_def oct_generate_def_default(void)
{
    return (oct_generate_def){
        .kind = OCT_GENERATE_BOXES,
        .size = UNIT_SIZE,
        .seed = 1,
        .dims = 3,
        .fill = 0.1,
        .coverage = 0.2,
        .clustering = 2,
        .cookie = GENERATE_COOKIE,
    };
}

static oct_result check_def(const oct_generate_def *def)
{
    if (def->cookie != GENERATE_COOKIE || (uint32_t)def->kind >= OCT_GENERATE_COUNT ||
        (def->dims != 2 && (def->dims != 3 || def->kind == OCT_GENERATE_POTENTIAL)) ||
        !(def->fill >= 0.0) || !(def->coverage >= 0.0)) {
        return OCT_ERROR_ARGUMENT;
    }
    const uint32_t largest = def->kind == OCT_GENERATE_CHECKERBOARD && def->dims == 3
                                 ? OCT_GENERATE_CHECKERBOARD_MAX
                                 : OCT_GENERATE_SIZE_MAX;
    if (def->size < OCT_GENERATE_SIZE_MIN || def->size > largest ||
        def->boxes > OCT_GENERATE_COUNT_MAX || def->tunnels > OCT_GENERATE_COUNT_MAX ||
        def->fill > OCT_GENERATE_FILL_MAX || def->coverage > 1.0 ||
        def->clustering > OCT_GENERATE_CLUSTERING_MAX) {
        return OCT_ERROR_RANGE;
    }
    return OCT_OK;
}

oct_result oct_tree_generate(const oct_generate_def *def, const oct_tree_def *tree_def,
                             oct_tree **out, oct_tree_info *info)
{
    *out = NULL;
    OCT_TRY(check_def(def));
    oct_tree_def own_def = *tree_def;
    own_def.dims = def->dims;
    scene s = {NULL, oct_random_seed(def->seed), (int32_t)def->size, (int)def->dims};
    OCT_TRY(oct_tree_create(&own_def, &s.tree));
    const oct_result result = kinds[def->kind](&s, def);
    if (result != OCT_OK) {
        oct_tree_destroy(s.tree);
        return result;
    }
    if (info) {
        *info = oct_tree_info_default();
        info->box = inner_box(&s, 0);
    }
    *out = s.tree;
    return OCT_OK;
}
