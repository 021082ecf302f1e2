// SPDX-License-Identifier: MIT
// Edits of a tree by its public interface.
//
// Memory is reserved before anything changes, so that a failure leaves the tree as it was. For a
// box a bound from its size is usually met already; else the split nodes are counted by a dry run.
#include "octant/tree.h"
#include "octree/edit_shapes.h"
#include "octree/octree_internal.h"

// ---- instances of the recursion ----

static uint32_t edit_box_3d(edit *e, uint32_t word, int level, rel at)
{
    return edit_node(e, 3, &box_ops, edit_box_3d, word, level, at);
}

static uint32_t edit_box_2d(edit *e, uint32_t word, int level, rel at)
{
    return edit_node(e, 2, &box_ops, edit_box_2d, word, level, at);
}

static uint32_t edit_ball_3d(edit *e, uint32_t word, int level, rel at)
{
    return edit_node(e, 3, &ball_ops, edit_ball_3d, word, level, at);
}

static uint32_t edit_ball_2d(edit *e, uint32_t word, int level, rel at)
{
    return edit_node(e, 2, &ball_ops, edit_ball_2d, word, level, at);
}

static uint32_t edit_bits_3d(edit *e, uint32_t word, int level, rel at)
{
    return edit_node(e, 3, &bits_ops, edit_bits_3d, word, level, at);
}

static uint32_t edit_bits_2d(edit *e, uint32_t word, int level, rel at)
{
    return edit_node(e, 2, &bits_ops, edit_bits_2d, word, level, at);
}

static ball make_ball(const oct_tree *tree, oct_point centre, double radius)
{
    return (ball){
        .centre = {centre.x, centre.y, centre.z},
        .root = {(double)tree->root_min.x, (double)tree->root_min.y, (double)tree->root_min.z},
        .square = radius * radius};
}

oct_result oct_shape_init(const oct_tree *tree, const cell_set *cells, cell_shape *out)
{
    const bool flat = tree->dims == 2;
    *out = (cell_shape){.ops = &ball_ops, .run = flat ? edit_ball_2d : edit_ball_3d};
    switch (cells->kind) {
    case CELL_SET_BOX:
        out->ops = &box_ops;
        out->run = flat ? edit_box_2d : edit_box_3d;
        out->empty = !oct_tree_clip(tree, cells->box, &out->as.box);
        return OCT_OK;
    case CELL_SET_BITS:
        out->ops = &bits_ops;
        out->run = flat ? edit_bits_2d : edit_bits_3d;
        out->owns = true;
        return oct_bits_build(tree, cells->bits, &out->as.bits);
    case CELL_SET_BALL:
        out->as.ball = make_ball(tree, cells->centre, cells->radius);
        out->as.ball.pad[0] = cells->pad.x;
        out->as.ball.pad[1] = cells->pad.y;
        out->as.ball.pad[2] = cells->pad.z;
        break;
    case CELL_SET_OUTSIDE:
        out->as.ball = make_ball(tree, cells->centre, cells->radius);
        out->as.ball.near = out->as.ball.outside = true;
        break;
    }
    bool any, all;
    ball_meets(tree->dims, &out->as.ball, (rel){0, 0, 0}, tree->root_level, &any, &all);
    out->empty = !any;
    return OCT_OK;
}

void oct_shape_free(const oct_tree *tree, cell_shape *s)
{
    if (s->owns) {
        oct_bits_free(tree, &s->as.bits);
    }
}

// ---- memory ----

// The nodes of a level that a range of cells of one axis touches, or that lie wholly inside it,
// which may be none.
typedef struct node_range {
    uint64_t first, end;
} node_range;

static node_range nodes_touched(uint32_t lo, uint32_t hi, int level)
{
    return (node_range){(uint64_t)lo >> level, ((uint64_t)hi >> level) + 1u};
}

static node_range nodes_inside(uint32_t lo, uint32_t hi, int level)
{
    const uint64_t last = (UINT64_C(1) << level) - 1u;
    return (node_range){((uint64_t)lo + last) >> level, ((uint64_t)hi + 1u) >> level};
}

static uint64_t range_common(node_range a, node_range b)
{
    const uint64_t first = a.first > b.first ? a.first : b.first;
    const uint64_t end = a.end < b.end ? a.end : b.end;
    return end > first ? end - first : 0u;
}

// Nodes of a level that meet two boxes without lying inside both; at most NEED_MAX + 1.
static uint64_t nodes_cut(int dims, const span *a, const span *b, int level)
{
    const uint32_t lo[2][3] = {{a->lo.x, a->lo.y, a->lo.z}, {b->lo.x, b->lo.y, b->lo.z}};
    const uint32_t hi[2][3] = {{a->hi.x, a->hi.y, a->hi.z}, {b->hi.x, b->hi.y, b->hi.z}};
    oct_uint128 touched = 1, inside = 1;
    for (int i = 0; i < dims; i++) {
        touched *= range_common(nodes_touched(lo[0][i], hi[0][i], level),
                                nodes_touched(lo[1][i], hi[1][i], level));
        inside *= range_common(nodes_inside(lo[0][i], hi[0][i], level),
                               nodes_inside(lo[1][i], hi[1][i], level));
    }
    const oct_uint128 cut = touched - inside;
    return cut > NEED_MAX ? NEED_MAX + 1u : (uint64_t)cut;
}

void oct_need_add(need *n, int dims, const span *a, const span *b, rel at, int level,
                  uint64_t times)
{
    const span all = span_of(dims, at, level);
    const span first = span_common(a, &all), second = span_common(b, &all);
    for (; level > brick_level(dims); level--) {
        n->siblings += times * nodes_cut(dims, &first, &second, level);
    }
    n->bricks += times * nodes_cut(dims, &first, &second, level);
}

void oct_edit_count(const edit *e, const shape_ops *ops, uint32_t word, int level, rel at, need *n)
{
    const int dims = e->tree->dims;
    const bool is_leaf = word_kind(word) == KIND_LEAF;
    n->visited++;
    // Nothing is split inside the shape.
    if ((is_leaf && rule_apply(e->mark, word_index(word)) == word_index(word)) ||
        ops->covers(dims, e->shape, at, level) || need_is_too_much(n)) {
        return;
    }
    if (level == brick_level(dims)) {
        n->bricks += is_leaf;
        return;
    }
    const span *const box = is_leaf ? shape_box(ops, dims, e->shape, at, level) : NULL;
    if (box) {
        oct_need_add(n, dims, box, box, at, level, 1);
        return;
    }
    n->siblings += is_leaf;
    const uint32_t *children = is_leaf ? NULL : tree_siblings(e->tree, dims, word_index(word));
    for (uint32_t set = ops->children(dims, e->shape, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        oct_edit_count(e, ops, children ? children[i] : word, level - 1,
                       child_position(dims, at, level, i), n);
    }
}

// ---- edits ----

void oct_edit_record(edit *e)
{
    if (!e->changed) {
        return;
    }
    if (e->bounds) {
        e->extent = span_common(&e->extent, e->bounds);
    }
    oct_change change = {oct_tree_unclip(e->tree, &e->extent), e->before, e->after};
    for (uint32_t label = 0; label < 3; label++) {
        change.before |= e->was[label] ? 1u << label : 0u;
        change.after |= e->became[label] ? 1u << label : 0u;
    }
    oct_journal_record(&e->tree->journal, &change);
}

// Runs an edit whose memory is reserved and writes it into the journal.
static void commit(edit *e, edit_fn *run)
{
    e->tree->root = run(e, e->tree->root, e->tree->root_level, (rel){0, 0, 0});
    oct_edit_record(e);
    oct_tree_trim(e->tree);
}

static bool in_range(int32_t min, int32_t max)
{
    return min >= -OCT_RANGE && max <= OCT_RANGE;
}

static oct_result set_box(oct_tree *tree, oct_box box, oct_mark mark)
{
    edit e = {.tree = tree, .mark = rules[mark]};
    if (mark_reaches_outside(mark)) {
        OCT_TRY(oct_tree_hold(tree, &box));
    }
    span inside;
    if (!oct_tree_clip(tree, box, &inside)) {
        return OCT_OK;
    }
    e.shape = e.bounds = &inside;
    const need bound = box_bound(tree, &inside);
    if (bound.siblings > pool_room(&tree->siblings) || bound.bricks > pool_room(&tree->bricks)) {
        need exact = {0, 0, 0};
        oct_edit_count(&e, &box_ops, tree->root, tree->root_level, (rel){0, 0, 0}, &exact);
        const oct_result result = oct_tree_reserve(tree, exact.siblings, exact.bricks);
        if (result != OCT_OK) {
            oct_tree_trim(tree);
            return result;
        }
    }
    commit(&e, tree->dims == 3 ? edit_box_3d : edit_box_2d);
    return OCT_OK;
}

oct_result oct_tree_set_box(oct_tree *tree, oct_box box, oct_mark mark)
{
    if (mark >= OCT_MARK_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    if (box_is_empty(tree->dims, &box)) {
        return OCT_OK;
    }
    if (!in_range(box.min.x, box.max.x) || !in_range(box.min.y, box.max.y) ||
        (tree->dims == 3 && !in_range(box.min.z, box.max.z))) {
        return OCT_ERROR_RANGE;
    }
    return set_box(tree, box, mark);
}

oct_result oct_tree_set(oct_tree *tree, oct_cell cube, oct_mark mark)
{
    if (cube.level < 0 || cube.level > 31) {
        return cube.level < 0 ? OCT_ERROR_ARGUMENT : OCT_ERROR_RANGE;
    }
    const int64_t edge = INT64_C(1) << cube.level, limit = OCT_RANGE;
    if (cube.x + edge > limit || cube.y + edge > limit ||
        (tree->dims == 3 && cube.z + edge > limit)) {
        return OCT_ERROR_RANGE;
    }
    const int32_t z = tree->dims == 3 ? cube.z : 0;
    const oct_box box = {{cube.x, cube.y, z},
                         {(int32_t)(cube.x + edge), (int32_t)(cube.y + edge),
                          tree->dims == 3 ? (int32_t)(z + edge) : 1}};
    return oct_tree_set_box(tree, box, mark);
}

// Edits within the root, by a shape other than a box.
static oct_result set_shape(oct_tree *tree, const shape_ops *ops, const void *shape, edit_fn *run,
                            oct_mark mark)
{
    edit e = {.tree = tree, .mark = rules[mark], .shape = shape};
    need exact = {0, 0, 0};
    oct_edit_count(&e, ops, tree->root, tree->root_level, (rel){0, 0, 0}, &exact);
    const oct_result result = oct_tree_reserve(tree, exact.siblings, exact.bricks);
    if (result != OCT_OK) {
        oct_tree_trim(tree);
        return result;
    }
    commit(&e, run);
    return OCT_OK;
}

static oct_result set_ball(oct_tree *tree, const ball *shape, oct_mark mark)
{
    bool any, all;
    ball_meets(tree->dims, shape, (rel){0, 0, 0}, tree->root_level, &any, &all);
    if (!any) {
        oct_tree_trim(tree);
        return OCT_OK;
    }
    return set_shape(tree, &ball_ops, shape, tree->dims == 3 ? edit_ball_3d : edit_ball_2d, mark);
}

oct_result oct_tree_set_cells(oct_tree *tree, const cell_set *cells, oct_mark mark)
{
    if (cells->kind == CELL_SET_BOX) {
        return oct_tree_set_box(tree, cells->box, mark);
    }
    if (mark_reaches_outside(mark) && cells->kind != CELL_SET_OUTSIDE) {
        if (box_is_empty(tree->dims, &cells->box)) {
            return OCT_OK;
        }
        OCT_TRY(oct_tree_hold(tree, &cells->box));
    }
    cell_shape s;
    oct_result result = oct_shape_init(tree, cells, &s);
    if (result != OCT_OK || s.empty) {
        oct_tree_trim(tree);
        return result;
    }
    result = set_shape(tree, s.ops, &s.as, s.run, mark);
    oct_shape_free(tree, &s);
    return result;
}

static bool ball_is_finite(int dims, oct_point centre, double radius)
{
    return isfinite(centre.x) && isfinite(centre.y) && (dims == 2 || isfinite(centre.z)) &&
           isfinite(radius) && radius >= 0.0;
}

static bool ball_axis_in_range(double centre, double radius)
{
    return centre - radius >= -(double)OCT_RANGE && centre + radius <= (double)OCT_RANGE;
}

oct_result oct_tree_set_ball(oct_tree *tree, oct_point centre, double radius, oct_cover cover,
                             oct_mark mark)
{
    const int dims = tree->dims;
    if (mark >= OCT_MARK_COUNT || cover > OCT_COVER_TOUCH ||
        !ball_is_finite(dims, centre, radius)) {
        return OCT_ERROR_ARGUMENT;
    }
    if (!ball_axis_in_range(centre.x, radius) || !ball_axis_in_range(centre.y, radius) ||
        (dims == 3 && !ball_axis_in_range(centre.z, radius))) {
        return OCT_ERROR_RANGE;
    }
    if (mark_reaches_outside(mark)) {
        const oct_box box = {{(int32_t)floor(centre.x - radius), (int32_t)floor(centre.y - radius),
                              dims == 3 ? (int32_t)floor(centre.z - radius) : 0},
                             {(int32_t)-floor(-centre.x - radius),
                              (int32_t)-floor(-centre.y - radius),
                              dims == 3 ? (int32_t)-floor(-centre.z - radius) : 1}};
        if (box_is_empty(dims, &box)) {
            return OCT_OK;
        }
        OCT_TRY(oct_tree_hold(tree, &box));
    }
    ball shape = make_ball(tree, centre, radius);
    shape.near = cover == OCT_COVER_TOUCH;
    return set_ball(tree, &shape, mark);
}

oct_result oct_tree_keep(oct_tree *tree, oct_point centre, double radius)
{
    if (!ball_is_finite(tree->dims, centre, radius)) {
        return OCT_ERROR_ARGUMENT;
    }
    ball shape = make_ball(tree, centre, radius);
    shape.near = shape.outside = true;
    return set_ball(tree, &shape, OCT_MARK_UNKNOWN);
}

oct_result oct_tree_forget(oct_tree *tree, oct_box box)
{
    return box_is_empty(tree->dims, &box) ? OCT_OK : set_box(tree, box, OCT_MARK_UNKNOWN);
}

// ---- world coordinates ----

// One axis of a world box in cells.
static oct_result world_axis(double min, double max, double origin, double cell, oct_cover cover,
                             int32_t *from, int32_t *to)
{
    if (!isfinite(min) || !isfinite(max)) {
        return OCT_ERROR_ARGUMENT;
    }
    const double lo = (min - origin) / cell, hi = (max - origin) / cell;
    const bool touch = cover == OCT_COVER_TOUCH;
    if (!(touch ? axis_has_floor(lo) && axis_has_ceiling(hi)
                : axis_has_ceiling(lo) && axis_has_floor(hi))) {
        return OCT_ERROR_RANGE;
    }
    *from = touch ? axis_floor(lo) : axis_ceiling(lo);
    *to = touch ? axis_ceiling(hi) : axis_floor(hi);
    return OCT_OK;
}

oct_result oct_cells_of_bounds(int dims, oct_point origin, double cell, const oct_bounds *bounds,
                               oct_cover cover, oct_box *out)
{
    if ((uint32_t)cover > OCT_COVER_TOUCH) {
        return OCT_ERROR_ARGUMENT;
    }
    *out = (oct_box){{0, 0, 0}, {0, 0, 1}};
    const oct_point min = bounds->min, max = bounds->max;
    OCT_TRY(world_axis(min.x, max.x, origin.x, cell, cover, &out->min.x, &out->max.x));
    OCT_TRY(world_axis(min.y, max.y, origin.y, cell, cover, &out->min.y, &out->max.y));
    return dims == 2 ? OCT_OK
                     : world_axis(min.z, max.z, origin.z, cell, cover, &out->min.z, &out->max.z);
}

oct_result oct_tree_set_world_box(oct_tree *tree, oct_bounds bounds, oct_cover cover, oct_mark mark)
{
    oct_box box;
    OCT_TRY(oct_cells_of_bounds(tree->dims, tree->origin, tree->cell_size, &bounds, cover, &box));
    return oct_tree_set_box(tree, box, mark);
}

oct_result oct_tree_set_world_ball(oct_tree *tree, oct_point centre, double radius, oct_cover cover,
                                   oct_mark mark)
{
    const double cell = tree->cell_size;
    const oct_point o = tree->origin;
    const oct_point at = {(centre.x - o.x) / cell, (centre.y - o.y) / cell,
                          (centre.z - o.z) / cell};
    return oct_tree_set_ball(tree, at, radius / cell, cover, mark);
}
