// SPDX-License-Identifier: MIT
// The free leaves next to a leaf, also outside the tree's root.
#include "classic/leaves.h"
#include "classic/touch.h"
#include "octant/tree.h"

// What is asked, while the answer is gathered.
typedef struct request {
    const view *v;
    oct_box box;         // the leaf's part within the bounds
    uint32_t directions; // that exist
    const oct_allocator *allocator;
    oct_array *out;
    oct_result result;
} request;

// Whether a leaf's part within the bounds lies next to the box.
OCT_FORCE_INLINE bool is_near(const request *r, oct_leaf leaf)
{
    const oct_box part = view_leaf_box(r->v, leaf);
    return !box_is_empty(r->v->dims, &part) && box_touches(&r->box, &part, r->directions);
}

static bool add_if_near(void *ctx, const oct_leaf *leaf)
{
    request *r = ctx;
    if (is_near(r, *leaf)) {
        r->result = oct_array_push(r->out, r->allocator, sizeof *leaf, leaf);
    }
    return r->result == OCT_OK;
}

// A cube of the outside; the index counts cubes of its size from the root.
static bool add_cube(request *r, int level, int64_t x, int64_t y, int64_t z)
{
    const corner root = r->v->tree->root_min;
    const int64_t edge = INT64_C(1) << level;
    const oct_leaf leaf = {(int32_t)(root.x + x * edge),
                           (int32_t)(root.y + y * edge),
                           (int32_t)(root.z + z * edge),
                           (uint8_t)level,
                           OCT_UNKNOWN,
                           0};
    return add_if_near(r, &leaf);
}

// The box and the cells around it, within the bounds, relative to the root; both ends included.
typedef struct reach {
    int64_t lo[3], hi[3];
} reach;

static reach reach_of(const request *r)
{
    const corner root = r->v->tree->root_min;
    const oct_vec min = r->box.min, max = r->box.max;
    const oct_box grown = {{min.x - 1, min.y - 1, min.z - 1}, {max.x + 1, max.y + 1, max.z + 1}};
    const oct_box near = box_common(grown, r->v->bounds);
    return (reach){{near.min.x - root.x, near.min.y - root.y, near.min.z - root.z},
                   {near.max.x - root.x - 1, near.max.y - root.y - 1, near.max.z - root.z - 1}};
}

// Adds the cubes beside the root, doubled again and again, that may be near.
static bool add_shells(request *r, const reach *near)
{
    int64_t lo = 0, hi = 0;
    for (int i = 0; i < 3; i++) {
        lo = near->lo[i] > lo ? near->lo[i] : lo;
        hi = near->hi[i] > hi ? near->hi[i] : hi;
    }
    int level = (int)oct_bit_length((uint64_t)lo) - 1;
    level = level > r->v->tree->root_level ? level : r->v->tree->root_level;
    for (; level < OUTSIDE_LEVEL_MAX && hi >> level > 0; level++) {
        for (uint32_t child = 1; child < 1u << r->v->dims; child++) {
            if (!add_cube(r, level, child & 1u, child >> 1 & 1u, child >> 2)) {
                return false;
            }
        }
    }
    return true;
}

// Adds the cubes of the largest size.
static bool add_largest(request *r, const reach *near)
{
    const int above = r->v->tree->root_level - OUTSIDE_LEVEL_MAX;
    const int64_t inner = above > 0 ? INT64_C(1) << above : 1; // what holds the root, or is held
    reach at;
    for (int i = 0; i < 3; i++) {
        at.lo[i] = near->lo[i] >> OUTSIDE_LEVEL_MAX; // rounds down
        at.hi[i] = near->hi[i] >> OUTSIDE_LEVEL_MAX;
    }
    for (int64_t z = at.lo[2]; z <= at.hi[2]; z++) {
        for (int64_t y = at.lo[1]; y <= at.hi[1]; y++) {
            for (int64_t x = at.lo[0]; x <= at.hi[0]; x++) {
                const bool is_inner =
                    x >= 0 && x < inner && y >= 0 && y < inner && z >= 0 && z < inner;
                if (!is_inner && !add_cube(r, OUTSIDE_LEVEL_MAX, x, y, z)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static oct_result add_outside(request *r)
{
    const reach near = reach_of(r);
    return add_shells(r, &near) && add_largest(r, &near) ? OCT_OK : r->result;
}

// The tree's leaves next to a box outside the root.
static oct_result add_tree_leaves(request *r)
{
    const oct_tree *tree = r->v->tree;
    if (tree_is_empty(tree)) {
        const oct_leaf root = leaf_make(tree, tree->dims, (rel){0, 0, 0}, tree->root_level, 0);
        if (r->v->free & OCT_HAS_UNKNOWN) {
            add_if_near(r, &root);
        }
        return r->result;
    }
    const oct_vec min = r->box.min, max = r->box.max;
    const oct_box grown = {{min.x - 1, min.y - 1, min.z - 1}, {max.x + 1, max.y + 1, max.z + 1}};
    oct_tree_leaves(tree, grown, r->v->free, add_if_near, r);
    return r->result;
}

// The tree's leaves next to one of its leaves; whether the outside is next to it too. What is near
// a leaf's part is near the leaf: so the tree's own answer has all that are wanted.
static oct_result add_tree_neighbours(request *r, oct_leaf leaf, bool *outside)
{
    oct_array *out = r->out;
    out->count =
        oct_tree_neighbours(r->v->tree, leaf, r->directions, r->v->free, out->items, out->capacity);
    if (OCT_UNLIKELY(out->count > out->capacity)) {
        const size_t count = out->count;
        out->count = 0;
        OCT_TRY(oct_array_reserve(out, r->allocator, sizeof leaf, count + count / 2));
        out->count = oct_tree_neighbours(r->v->tree, leaf, r->directions, r->v->free, out->items,
                                         out->capacity);
    }
    const oct_leaf *found = out->items;
    *outside = out->count > 0 && found[out->count - 1].level == OCT_LEVEL_OUTSIDE;
    out->count -= *outside;
    return OCT_OK;
}

// Takes out what is not near within the bounds.
static void keep_near(request *r)
{
    oct_leaf *leaves = r->out->items;
    size_t kept = 0;
    for (size_t i = 0; i < r->out->count; i++) {
        leaves[kept] = leaves[i];
        kept += is_near(r, leaves[i]);
    }
    r->out->count = kept;
}

// Whether the bounds hold a leaf's part and all cells around it.
static bool holds_around(const view *v, const oct_box *box)
{
    const oct_box *b = &v->bounds;
    return b->min.x < box->min.x && b->max.x > box->max.x && b->min.y < box->min.y &&
           b->max.y > box->max.y &&
           (v->dims == 2 || (b->min.z < box->min.z && b->max.z > box->max.z));
}

oct_result oct_view_neighbours(const view *v, oct_leaf leaf, uint32_t directions,
                               const oct_allocator *allocator, oct_array *out)
{
    request r = {v,     view_leaf_box(v, leaf), directions_at(v->dims, directions), allocator, out,
                 OCT_OK};
    out->count = 0;
    if (box_is_empty(v->dims, &r.box)) {
        return OCT_OK;
    }
    bool outside = (v->free & OCT_HAS_UNKNOWN) != 0;
    if (tree_holds(v->tree, v->dims, tree_rel(v->tree, (oct_vec){leaf.x, leaf.y, leaf.z}))) {
        OCT_TRY(add_tree_neighbours(&r, leaf, &outside));
        if (!holds_around(v, &r.box)) {
            keep_near(&r);
        }
    } else {
        OCT_TRY(add_tree_leaves(&r));
    }
    return outside ? add_outside(&r) : OCT_OK;
}
