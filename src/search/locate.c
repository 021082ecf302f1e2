// SPDX-License-Identifier: MIT
// Where a start or goal joins the graphs: where it is, or at the nearest free point.
//
// The nearest free cell is found by a descent that looks at near children first and passes over
// what cannot hold a better one. A box of cells is as good as the best of them: its nearest point
// is one point, and of the cells that touch it the lowest counts. So one comparison decides for
// cells, leaves and whole nodes, ties included.
#include "octant/tree.h"
#include "octree/octree_internal.h"
#include "search/graph_internal.h"

// The best cell of a box: by distance, then by x, y and z.
typedef struct candidate {
    oct_int128 distance; // squared, in 1/256 cells
    oct_vec cell;
} candidate;

typedef struct search {
    const view *v;
    oct_fine at;
    bool found;
    candidate best;
} search;

static bool is_better(const candidate *a, const candidate *b)
{
    if (a->distance != b->distance) {
        return a->distance < b->distance;
    }
    if (a->cell.x != b->cell.x) {
        return a->cell.x < b->cell.x;
    }
    return a->cell.y != b->cell.y ? a->cell.y < b->cell.y : a->cell.z < b->cell.z;
}

// One axis: the nearest place of the cells from min up to max.
OCT_FORCE_INLINE int64_t nearest_on_axis(int64_t at, int32_t min, int32_t max)
{
    const int64_t lo = (int64_t)min * OCT_FINE, hi = (int64_t)max * OCT_FINE;
    return at < lo ? lo : at > hi ? hi : at;
}

// The lowest of these cells that touches such a place.
OCT_FORCE_INLINE int32_t lowest_on_axis(int64_t place, int32_t min)
{
    const int32_t cell = fine_cell(place - 1);
    return cell > min ? cell : min;
}

OCT_FORCE_INLINE oct_fine nearest_in_box(oct_fine at, const oct_box *box)
{
    return (oct_fine){nearest_on_axis(at.x, box->min.x, box->max.x),
                      nearest_on_axis(at.y, box->min.y, box->max.y),
                      nearest_on_axis(at.z, box->min.z, box->max.z)};
}

static candidate candidate_of(const search *s, const oct_box *box)
{
    const oct_fine near = nearest_in_box(s->at, box);
    const oct_int128 x = near.x - s->at.x, y = near.y - s->at.y, z = near.z - s->at.z;
    return (candidate){x * x + y * y + z * z,
                       {lowest_on_axis(near.x, box->min.x), lowest_on_axis(near.y, box->min.y),
                        lowest_on_axis(near.z, box->min.z)}};
}

// Whether a box may hold a better cell than the best so far.
static bool is_worth(const search *s, const oct_box *box, candidate *out)
{
    *out = candidate_of(s, box);
    return !s->found || is_better(out, &s->best);
}

static void take(search *s, const oct_box *box)
{
    candidate one;
    if (is_worth(s, box, &one)) {
        s->best = one;
        s->found = true;
    }
}

// The squared distances of cells in a row from a coordinate.
static void square_distances(int64_t at, int64_t first, uint32_t count, oct_int128 out[])
{
    for (uint32_t i = 0; i < count; i++) {
        const int64_t lo = (first + i) * OCT_FINE;
        const int64_t away = at < lo ? lo - at : at > lo + OCT_FINE ? at - lo - OCT_FINE : 0;
        out[i] = (oct_int128)away * away;
    }
}

// The cells outside the root, where UNKNOWN is free: those on either side of it on each axis. These
// boxes overlap, which does no harm.
static void take_outside(search *s)
{
    const oct_tree *tree = s->v->tree;
    const int64_t edge = INT64_C(1) << tree->root_level;
    const int64_t root[3] = {tree->root_min.x, tree->root_min.y, tree->root_min.z};
    for (int i = 0; i < 2 * s->v->dims; i++) {
        oct_box box = s->v->bounds;
        int32_t *min[3] = {&box.min.x, &box.min.y, &box.min.z};
        int32_t *max[3] = {&box.max.x, &box.max.y, &box.max.z};
        const int axis = i / 2;
        if (i % 2 == 0 && root[axis] < *max[axis]) {
            *max[axis] = root[axis] > *min[axis] ? (int32_t)root[axis] : *min[axis];
        } else if (i % 2 == 1 && root[axis] + edge > *min[axis]) {
            const int64_t from = root[axis] + edge;
            *min[axis] = from < *max[axis] ? (int32_t)from : *max[axis];
        }
        if (!box_is_empty(s->v->dims, &box)) {
            take(s, &box);
        }
    }
}

// The free cells of a brick that lie in the span.
static void take_brick(search *s, const span *inside, node here)
{
    const oct_tree *tree = s->v->tree;
    const int dims = s->v->dims;
    uint64_t mask = brick_with(*tree_brick(tree, word_index(here.word)), s->v->free) &
                    span_mask(dims, inside, here.at);
    const uint32_t edge = 1u << brick_level(dims);
    const int64_t from[3] = {tree->root_min.x + here.at.x, tree->root_min.y + here.at.y,
                             dims == 3 ? tree->root_min.z + here.at.z : 0};
    oct_int128 x[1 << BRICK_LEVEL_2D], y[1 << BRICK_LEVEL_2D], z[1 << BRICK_LEVEL_2D] = {0};
    square_distances(s->at.x, from[0], edge, x);
    square_distances(s->at.y, from[1], edge, y);
    square_distances(s->at.z, from[2], dims == 3 ? edge : 0, z);
    for (; mask; mask &= mask - 1u) {
        const uint32_t at = morton_cell(dims, oct_lowest_bit(mask));
        const uint32_t i = at & 0xffu, j = at >> 8 & 0xffu, k = at >> 16;
        const candidate one = {
            x[i] + y[j] + z[k],
            {(int32_t)(from[0] + i), (int32_t)(from[1] + j), (int32_t)(from[2] + k)}};
        if (!s->found || is_better(&one, &s->best)) {
            s->best = one;
            s->found = true;
        }
    }
}

// Which child of a node is nearest, or one of those that are.
static uint32_t nearest_child(const search *s, node here)
{
    const corner root = s->v->tree->root_min;
    const int64_t half = INT64_C(1) << (here.level - 1);
    return (uint32_t)(s->at.x >= (root.x + here.at.x + half) * OCT_FINE) |
           (uint32_t)(s->at.y >= (root.y + here.at.y + half) * OCT_FINE) << 1 |
           (s->v->dims == 3 ? (uint32_t)(s->at.z >= (root.z + here.at.z + half) * OCT_FINE) << 2
                            : 0u);
}

static void push_children(const search *s, const span *inside, node here, scan *waiting)
{
    static const uint8_t farthest_first[8] = {7, 6, 5, 3, 4, 2, 1, 0};
    const int dims = s->v->dims;
    const uint32_t *children = tree_siblings(s->v->tree, dims, word_index(here.word));
    const uint32_t near = nearest_child(s, here);
    const uint32_t set = span_children(dims, inside, here.at, here.level);
    for (int i = 0; i < 8; i++) {
        const uint32_t child = near ^ farthest_first[i];
        if (set >> child & 1u) {
            waiting->stack[waiting->top++] = (node){
                children[child], here.level - 1, child_position(dims, here.at, here.level, child)};
        }
    }
}

static void take_inside(search *s)
{
    const oct_tree *tree = s->v->tree;
    span inside;
    if (!oct_tree_clip(tree, s->v->bounds, &inside)) {
        return;
    }
    scan waiting;
    scan_start(&waiting, tree_top(tree));
    while (waiting.top > 0) {
        const node here = waiting.stack[--waiting.top];
        if (!(word_labels(here.word) & s->v->free)) {
            continue;
        }
        const span whole = span_of(s->v->dims, here.at, here.level);
        const span part = span_common(&inside, &whole);
        const oct_box box = oct_tree_unclip(tree, &part);
        candidate one;
        if (word_kind(here.word) == KIND_LEAF) {
            take(s, &box);
        } else if (is_worth(s, &box, &one)) {
            if (word_kind(here.word) == KIND_BRICK) {
                take_brick(s, &inside, here);
            } else {
                push_children(s, &inside, here, &waiting);
            }
        }
    }
}

bool oct_view_anchor(const view *v, oct_fine at, oct_vec cell, anchor *out)
{
    if (view_is_free(v, cell)) {
        *out = (anchor){oct_view_spot(v, at, cell), cell, false};
        return true;
    }
    search s = {.v = v, .at = at};
    if (v->free & OCT_HAS_UNKNOWN) {
        take_outside(&s);
    }
    take_inside(&s);
    if (!s.found) {
        return false;
    }
    const oct_vec best = s.best.cell;
    const oct_box box = {best, {best.x + 1, best.y + 1, best.z + 1}};
    *out = (anchor){oct_view_spot(v, nearest_in_box(at, &box), best), best, true};
    return true;
}
