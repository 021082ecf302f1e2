// SPDX-License-Identifier: MIT
#include "tree_model.h"
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "valid.h"

#include <math.h>

oct_tree *model_new_tree(int dims, const oct_allocator *allocator)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)dims;
    def.allocator = allocator;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    return tree;
}

void model_init(tree_model *model, int dims, oct_vec base)
{
    memset(model, 0, sizeof *model);
    model->dims = dims;
    model->base = dims == 3 ? base : (oct_vec){base.x, base.y, 0};
}

int model_depth(const tree_model *model)
{
    return model->dims == 3 ? MODEL_EDGE : 1;
}

uint8_t model_marked(uint8_t state, oct_mark mark)
{
    switch (mark) {
    case OCT_MARK_UNKNOWN:
        return 0;
    case OCT_MARK_OPEN:
        return 1;
    case OCT_MARK_BLOCKED:
        return 3;
    case OCT_MARK_KNOWN:
        return state | 1;
    case OCT_MARK_UNSEEN:
        return state & 2;
    case OCT_MARK_SOLID:
        return state | 2;
    case OCT_MARK_CLEAR:
        return state & 1;
    default:
        fail_msg("no such mark");
        return state;
    }
}

oct_label model_label(const tree_model *model, oct_vec cell)
{
    const int64_t x = (int64_t)cell.x - model->base.x, y = (int64_t)cell.y - model->base.y;
    const int64_t z = model->dims == 3 ? (int64_t)cell.z - model->base.z : 0;
    if (x < 0 || y < 0 || z < 0 || x >= MODEL_EDGE || y >= MODEL_EDGE || z >= MODEL_EDGE) {
        return OCT_UNKNOWN;
    }
    const uint8_t state = model->states[z][y][x];
    return state & 2 ? OCT_BLOCKED : state & 1 ? OCT_OPEN : OCT_UNKNOWN;
}

void model_set_box(tree_model *model, oct_box box, oct_mark mark)
{
    for (int z = 0; z < model_depth(model); z++) {
        for (int y = 0; y < MODEL_EDGE; y++) {
            for (int x = 0; x < MODEL_EDGE; x++) {
                const oct_vec c = {model->base.x + x, model->base.y + y, model->base.z + z};
                if (c.x >= box.min.x && c.x < box.max.x && c.y >= box.min.y && c.y < box.max.y &&
                    (model->dims == 2 || (c.z >= box.min.z && c.z < box.max.z))) {
                    model->states[z][y][x] = model_marked(model->states[z][y][x], mark);
                }
            }
        }
    }
}

// Squares of the distances from a point to the nearest and the farthest point of a cell's side.
static void axis_distance(double centre, int32_t cell, double *near, double *far)
{
    const double lo = cell, hi = cell + 1.0;
    const double close = centre < lo ? lo - centre : centre > hi ? centre - hi : 0.0;
    const double distant = fmax(fabs(centre - lo), fabs(hi - centre));
    *near += close * close;
    *far += distant * distant;
}

static bool ball_has(const tree_model *model, oct_vec cell, oct_point centre, double radius,
                     oct_cover cover)
{
    double near = 0.0, far = 0.0;
    axis_distance(centre.x, cell.x, &near, &far);
    axis_distance(centre.y, cell.y, &near, &far);
    if (model->dims == 3) {
        axis_distance(centre.z, cell.z, &near, &far);
    }
    return cover == OCT_COVER_TOUCH ? near < radius * radius : far <= radius * radius;
}

static void mark_ball(tree_model *model, oct_point centre, double radius, oct_cover cover,
                      bool outside, oct_mark mark)
{
    for (int z = 0; z < model_depth(model); z++) {
        for (int y = 0; y < MODEL_EDGE; y++) {
            for (int x = 0; x < MODEL_EDGE; x++) {
                const oct_vec c = {model->base.x + x, model->base.y + y, model->base.z + z};
                if (ball_has(model, c, centre, radius, cover) != outside) {
                    model->states[z][y][x] = model_marked(model->states[z][y][x], mark);
                }
            }
        }
    }
}

void model_set_ball(tree_model *model, oct_point centre, double radius, oct_cover cover,
                    oct_mark mark)
{
    mark_ball(model, centre, radius, cover, false, mark);
}

void model_keep(tree_model *model, oct_point centre, double radius)
{
    mark_ball(model, centre, radius, OCT_COVER_TOUCH, true, OCT_MARK_UNKNOWN);
}

void model_check(const tree_model *model, const oct_tree *tree)
{
    assert_true(oct_tree_is_valid(tree));
    const int rim = model->dims == 3 ? 1 : 0;
    for (int z = -rim; z < model_depth(model) + rim; z++) {
        for (int y = -1; y <= MODEL_EDGE; y++) {
            for (int x = -1; x <= MODEL_EDGE; x++) {
                const oct_vec c = {model->base.x + x, model->base.y + y, model->base.z + z};
                assert_int_equal(oct_tree_label(tree, c), model_label(model, c));
            }
        }
    }
}

static int32_t along(oct_random *random, int32_t base, int32_t lo, int32_t hi)
{
    return base + (int32_t)oct_random_range(random, lo, hi);
}

oct_vec model_random_cell(const tree_model *model, oct_random *random)
{
    return (oct_vec){along(random, model->base.x, -2, MODEL_EDGE + 1),
                     along(random, model->base.y, -2, MODEL_EDGE + 1),
                     model->dims == 3 ? along(random, model->base.z, -2, MODEL_EDGE + 1) : 0};
}

static void random_range(oct_random *random, int32_t base, int32_t *min, int32_t *max)
{
    const int32_t longest = (int32_t)oct_random_range(random, 1, MODEL_EDGE);
    const int32_t length = (int32_t)oct_random_range(random, 1, longest);
    *min = along(random, base, 0, MODEL_EDGE - length);
    *max = *min + length;
}

oct_box model_random_box(const tree_model *model, oct_random *random)
{
    oct_box box = {{0, 0, 0}, {0, 0, 1}};
    random_range(random, model->base.x, &box.min.x, &box.max.x);
    random_range(random, model->base.y, &box.min.y, &box.max.y);
    if (model->dims == 3) {
        random_range(random, model->base.z, &box.min.z, &box.max.z);
    }
    return box;
}

// A ball that fits into the region, with a centre on a fine grid so that touching occurs.
static void random_ball(const tree_model *model, oct_random *random, oct_point *centre,
                        double *radius)
{
    *radius = (double)oct_random_range(random, 0, 2 * MODEL_EDGE) / 4.0;
    const int32_t lo = (int32_t)(*radius * 4.0), hi = 4 * MODEL_EDGE - lo;
    *centre = (oct_point){model->base.x + (double)oct_random_range(random, lo, hi) / 4.0,
                          model->base.y + (double)oct_random_range(random, lo, hi) / 4.0,
                          model->base.z + (double)oct_random_range(random, lo, hi) / 4.0};
}

static oct_bounds world_box(const oct_tree *tree, const oct_box *box, double slack)
{
    const double s = oct_tree_cell_size(tree);
    const oct_point o = oct_tree_origin(tree);
    return (oct_bounds){{o.x + (box->min.x + slack) * s, o.y + (box->min.y + slack) * s,
                         o.z + (box->min.z + slack) * s},
                        {o.x + (box->max.x - slack) * s, o.y + (box->max.y - slack) * s,
                         o.z + (box->max.z - slack) * s}};
}

void model_random_edit(tree_model *model, oct_tree *tree, oct_random *random)
{
    const oct_mark mark = (oct_mark)oct_random_below(random, OCT_MARK_COUNT);
    const oct_cover cover = (oct_cover)oct_random_below(random, 2);
    const oct_box box = model_random_box(model, random);
    oct_point centre;
    double radius;
    random_ball(model, random, &centre, &radius);
    switch (oct_random_below(random, 10)) {
    case 0: { // a node-sized cube
        const int level = (int)oct_random_below(random, 5);
        const int32_t edge = 1 << level, last = MODEL_EDGE - edge;
        const oct_vec at = {along(random, model->base.x, 0, last),
                            along(random, model->base.y, 0, last),
                            model->dims == 3 ? along(random, model->base.z, 0, last) : 0};
        const oct_box cube = {at, {at.x + edge, at.y + edge, at.z + edge}};
        model_set_box(model, cube, mark);
        assert_int_equal(oct_tree_set(tree, (oct_cell){at.x, at.y, at.z, level}, mark), OCT_OK);
        break;
    }
    case 1:
        model_set_ball(model, centre, radius, cover, mark);
        assert_int_equal(oct_tree_set_ball(tree, centre, radius, cover, mark), OCT_OK);
        break;
    case 2: { // a world box a little smaller than its cells, or a little larger
        const double slack = cover == OCT_COVER_TOUCH ? 0.25 : -0.25;
        model_set_box(model, box, mark);
        assert_int_equal(oct_tree_set_world_box(tree, world_box(tree, &box, slack), cover, mark),
                         OCT_OK);
        break;
    }
    case 3: {
        const double s = oct_tree_cell_size(tree);
        const oct_point o = oct_tree_origin(tree);
        const oct_point at = {o.x + centre.x * s, o.y + centre.y * s, o.z + centre.z * s};
        model_set_ball(model, centre, radius, cover, mark);
        assert_int_equal(oct_tree_set_world_ball(tree, at, radius * s, cover, mark), OCT_OK);
        break;
    }
    case 4:
        model_set_box(model, box, OCT_MARK_UNKNOWN);
        assert_int_equal(oct_tree_forget(tree, box), OCT_OK);
        break;
    case 5:
        if (oct_random_below(random, 4) == 0) {
            model_keep(model, centre, radius);
            assert_int_equal(oct_tree_keep(tree, centre, radius), OCT_OK);
        }
        break;
    case 6:
        if (oct_random_below(random, 8) == 0) {
            assert_int_equal(oct_tree_shrink(tree), OCT_OK);
        } else if (oct_random_below(random, 16) == 0) {
            memset(model->states, 0, sizeof model->states);
            oct_tree_clear(tree);
        }
        break;
    default:
        model_set_box(model, box, mark);
        assert_int_equal(oct_tree_set_box(tree, box, mark), OCT_OK);
        break;
    }
}
