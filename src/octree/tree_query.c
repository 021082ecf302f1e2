// SPDX-License-Identifier: MIT
// Questions about cells, nodes and boxes. Each is one descent, or a scan that skips whole nodes by
// the labels that their words carry.
#include "octant/tree.h"
#include "octree/octree_internal.h"

OCT_FORCE_INLINE oct_label label_at(const oct_tree *tree, int dims, oct_vec cell)
{
    const rel at = tree_rel(tree, cell);
    if (!tree_holds(tree, dims, at)) {
        return OCT_UNKNOWN;
    }
    uint32_t word = tree->root;
    for (int level = tree->root_level; word_kind(word) == KIND_INNER; level--) {
        word = tree_siblings(tree, dims, word_index(word))[child_at(dims, level, at)];
    }
    if (word_kind(word) == KIND_LEAF) {
        return word_label(word);
    }
    return state_label(
        brick_state(*tree_brick(tree, word_index(word)), morton_index(dims, at.x, at.y, at.z)));
}

oct_label oct_tree_label(const oct_tree *tree, oct_vec cell)
{
    return tree->dims == 3 ? label_at(tree, 3, cell) : label_at(tree, 2, cell);
}

oct_label oct_tree_label_at(const oct_tree *tree, oct_point at)
{
    oct_vec cell;
    return oct_tree_cell_at(tree, at, &cell) ? oct_tree_label(tree, cell) : OCT_UNKNOWN;
}

OCT_FORCE_INLINE oct_leaf leaf_at(const oct_tree *tree, int dims, oct_vec cell)
{
    const rel at = tree_rel(tree, cell);
    if (!tree_holds(tree, dims, at)) {
        return (oct_leaf){.level = OCT_LEVEL_OUTSIDE, .label = OCT_UNKNOWN};
    }
    const node here = tree_descend(tree, dims, at, 0);
    if (word_kind(here.word) == KIND_LEAF) {
        return leaf_make(tree, dims, here.at, here.level, word_label(here.word));
    }
    const brick cells = *tree_brick(tree, word_index(here.word));
    const uint32_t i = morton_index(dims, at.x, at.y, at.z);
    const int level = brick_leaf_level(brick_divide(dims, cells), i);
    const uint32_t first = i & ~((1u << (dims * level)) - 1u);
    return leaf_make(tree, dims, brick_cell(dims, here.at, first), level,
                     state_label(brick_state(cells, first)));
}

oct_leaf oct_tree_leaf(const oct_tree *tree, oct_vec cell)
{
    return tree->dims == 3 ? leaf_at(tree, 3, cell) : leaf_at(tree, 2, cell);
}

oct_labels oct_tree_labels_below(const oct_tree *tree, oct_cell cube)
{
    const int dims = tree->dims;
    const rel at = tree_rel(tree, (oct_vec){cube.x, cube.y, cube.z});
    if (cube.level > tree->root_level) {
        // A cube above the root: it holds the root or misses it.
        const rel back = {(uint32_t)tree->root_min.x - (uint32_t)cube.x,
                          (uint32_t)tree->root_min.y - (uint32_t)cube.y,
                          (uint32_t)tree->root_min.z - (uint32_t)cube.z};
        const uint32_t all = back.x | back.y | (dims == 3 ? back.z : 0u);
        const bool holds = (uint64_t)all >> cube.level == 0;
        return OCT_HAS_UNKNOWN | (holds ? word_labels(tree->root) : 0u);
    }
    if (!tree_holds(tree, dims, at)) {
        return OCT_HAS_UNKNOWN;
    }
    const node here = tree_descend(tree, dims, at, cube.level);
    if (word_kind(here.word) != KIND_BRICK || here.level == cube.level) {
        return word_labels(here.word);
    }
    // The cube is a group of cells inside a brick.
    const uint32_t width = 1u << (dims * cube.level);
    const uint32_t first = morton_index(dims, at.x, at.y, at.z) & ~(width - 1u);
    const uint64_t group = ((UINT64_C(1) << width) - 1u) << first;
    const brick cells = *tree_brick(tree, word_index(here.word));
    oct_labels labels = 0;
    for (oct_labels label = 1; label <= OCT_HAS_BLOCKED; label <<= 1) {
        labels |= brick_with(cells, label) & group ? label : 0u;
    }
    return labels;
}

// One axis of a box clipped to the root.
static bool clip_axis(int64_t min, int64_t max, int64_t root, int64_t edge, uint32_t *lo,
                      uint32_t *hi)
{
    const int64_t from = min > root ? min - root : 0;
    const int64_t to = (max < root + edge ? max - root : edge) - 1;
    *lo = (uint32_t)from;
    *hi = (uint32_t)to;
    return from <= to;
}

bool oct_tree_clip(const oct_tree *tree, oct_box box, span *out)
{
    const int64_t edge = INT64_C(1) << tree->root_level;
    *out = (span){{0, 0, 0}, {0, 0, 0}};
    return clip_axis(box.min.x, box.max.x, tree->root_min.x, edge, &out->lo.x, &out->hi.x) &&
           clip_axis(box.min.y, box.max.y, tree->root_min.y, edge, &out->lo.y, &out->hi.y) &&
           (tree->dims == 2 ||
            clip_axis(box.min.z, box.max.z, tree->root_min.z, edge, &out->lo.z, &out->hi.z));
}

oct_box oct_tree_unclip(const oct_tree *tree, const span *cells)
{
    const uint32_t x = (uint32_t)tree->root_min.x, y = (uint32_t)tree->root_min.y;
    const uint32_t z = (uint32_t)tree->root_min.z;
    const bool flat = tree->dims == 2;
    return (oct_box){{(int32_t)(cells->lo.x + x), (int32_t)(cells->lo.y + y),
                      flat ? 0 : (int32_t)(cells->lo.z + z)},
                     {(int32_t)(cells->hi.x + x + 1u), (int32_t)(cells->hi.y + y + 1u),
                      flat ? 1 : (int32_t)(cells->hi.z + z + 1u)}};
}

static uint64_t edge_length(int32_t min, int32_t max)
{
    return max > min ? (uint64_t)((int64_t)max - min) : 0u;
}

// Cells of a box; false where they are more than 2^63.
static bool box_volume(int dims, oct_box box, uint64_t *out)
{
    const uint64_t x = edge_length(box.min.x, box.max.x), y = edge_length(box.min.y, box.max.y);
    const uint64_t z = dims == 3 ? edge_length(box.min.z, box.max.z) : 1u;
    const oct_int128 volume = (oct_int128)(x * y) * (oct_int128)z;
    *out = (uint64_t)volume;
    return volume <= (oct_int128)1 << 63;
}

static uint64_t span_volume(int dims, const span *box)
{
    return (uint64_t)(box->hi.x - box->lo.x + 1u) * (box->hi.y - box->lo.y + 1u) *
           (dims == 3 ? box->hi.z - box->lo.z + 1u : 1u);
}

oct_result oct_tree_count(const oct_tree *tree, oct_box box, uint64_t counts[3])
{
    const int dims = tree->dims;
    counts[OCT_UNKNOWN] = counts[OCT_OPEN] = counts[OCT_BLOCKED] = 0;
    uint64_t volume;
    if (!box_volume(dims, box, &volume)) {
        return OCT_ERROR_RANGE;
    }
    span inside;
    if (volume > 0 && oct_tree_clip(tree, box, &inside)) {
        scan s;
        node here;
        scan_start(&s, tree_top(tree));
        while (scan_next(tree, dims, &inside, OCT_HAS_OPEN | OCT_HAS_BLOCKED, &s, &here)) {
            if (word_kind(here.word) == KIND_LEAF) {
                const span whole = span_of(dims, here.at, here.level);
                const span part = span_common(&inside, &whole);
                counts[word_label(here.word)] += span_volume(dims, &part);
            } else {
                const brick cells = *tree_brick(tree, word_index(here.word));
                const uint64_t mask = span_mask(dims, &inside, here.at);
                counts[OCT_OPEN] += oct_bit_count(cells.known & ~cells.blocked & mask);
                counts[OCT_BLOCKED] += oct_bit_count(cells.blocked & mask);
            }
        }
    }
    counts[OCT_UNKNOWN] = volume - counts[OCT_OPEN] - counts[OCT_BLOCKED];
    return OCT_OK;
}

// Adds the labels of the part of a node that lies in the span.
static oct_labels labels_in(const oct_tree *tree, int dims, const span *box, node here,
                            oct_labels found)
{
    if ((word_labels(here.word) | found) == found) {
        return found;
    }
    if (word_kind(here.word) == KIND_LEAF || span_covers(dims, box, here.at, here.level)) {
        return found | word_labels(here.word);
    }
    if (word_kind(here.word) == KIND_BRICK) {
        const brick cells = *tree_brick(tree, word_index(here.word));
        const uint64_t mask = span_mask(dims, box, here.at);
        for (oct_labels label = 1; label <= OCT_HAS_BLOCKED; label <<= 1) {
            found |= brick_with(cells, label) & mask ? label : 0u;
        }
        return found;
    }
    const uint32_t *children = tree_siblings(tree, dims, word_index(here.word));
    for (uint32_t set = span_children(dims, box, here.at, here.level); set; set &= set - 1u) {
        const uint32_t child = oct_lowest_bit(set);
        const node below = {children[child], here.level - 1,
                            child_position(dims, here.at, here.level, child)};
        found = labels_in(tree, dims, box, below, found);
    }
    return found;
}

oct_labels oct_tree_labels_in(const oct_tree *tree, oct_box box)
{
    const int dims = tree->dims;
    if (box.min.x >= box.max.x || box.min.y >= box.max.y || (dims == 3 && box.min.z >= box.max.z)) {
        return 0;
    }
    span inside;
    if (!oct_tree_clip(tree, box, &inside)) {
        return OCT_HAS_UNKNOWN;
    }
    const bool whole =
        inside.hi.x - inside.lo.x + 1u == edge_length(box.min.x, box.max.x) &&
        inside.hi.y - inside.lo.y + 1u == edge_length(box.min.y, box.max.y) &&
        (dims == 2 || inside.hi.z - inside.lo.z + 1u == edge_length(box.min.z, box.max.z));
    return labels_in(tree, dims, &inside, tree_top(tree), whole ? 0u : OCT_HAS_UNKNOWN);
}

// Which planes of a brick, from the lowest to the highest, hold one of the cells; there is one.
static void brick_planes(int dims, int axis, uint64_t cells, uint32_t *lo, uint32_t *hi)
{
    const uint32_t last = (1u << brick_level(dims)) - 1u;
    *lo = 0;
    *hi = last;
    while (!(cells & morton_slab(dims, axis, 0, *lo))) {
        ++*lo;
    }
    while (!(cells & morton_slab(dims, axis, *hi, last))) {
        --*hi;
    }
}

static span brick_extent(int dims, rel at, uint64_t cells)
{
    rel lo = {0, 0, 0}, hi = {0, 0, 0};
    brick_planes(dims, 0, cells, &lo.x, &hi.x);
    brick_planes(dims, 1, cells, &lo.y, &hi.y);
    if (dims == 3) {
        brick_planes(dims, 2, cells, &lo.z, &hi.z);
    }
    return (span){{at.x + lo.x, at.y + lo.y, at.z + lo.z}, {at.x + hi.x, at.y + hi.y, at.z + hi.z}};
}

// Grows the extent by what a node has of the labels. What lies inside already is passed over whole,
// so that little more than the outermost nodes are looked at.
static void extend(const oct_tree *tree, int dims, oct_labels labels, node here, span *extent)
{
    if (!(word_labels(here.word) & labels) || span_covers(dims, extent, here.at, here.level)) {
        return;
    }
    if (word_kind(here.word) == KIND_LEAF) {
        const span part = span_of(dims, here.at, here.level);
        *extent = span_union(extent, &part);
        return;
    }
    if (word_kind(here.word) == KIND_BRICK) {
        const brick cells = *tree_brick(tree, word_index(here.word));
        const span part = brick_extent(dims, here.at, brick_with(cells, labels));
        *extent = span_union(extent, &part);
        return;
    }
    const uint32_t *children = tree_siblings(tree, dims, word_index(here.word));
    for (uint32_t i = 0; i < 1u << dims; i++) {
        // The first and the last child come first: they span most.
        const uint32_t child = i % 2 ? (1u << dims) - 1u - i / 2 : i / 2;
        extend(tree, dims, labels,
               (node){children[child], here.level - 1,
                      child_position(dims, here.at, here.level, child)},
               extent);
    }
}

oct_box oct_tree_extent(const oct_tree *tree, oct_labels labels)
{
    const int dims = tree->dims;
    labels &= OCT_HAS_OPEN | OCT_HAS_BLOCKED;
    if (!(word_labels(tree->root) & labels)) {
        return (oct_box){{0, 0, 0}, {0, 0, 0}};
    }
    const span all = span_of(dims, (rel){0, 0, 0}, tree->root_level);
    span extent = {all.hi, all.lo};
    extend(tree, dims, labels, tree_top(tree), &extent);
    return oct_tree_unclip(tree, &extent);
}

oct_box oct_leaf_box(oct_leaf leaf)
{
    OCT_ASSERT(leaf.level <= OCT_LEVEL_MAX);
    const uint32_t edge = (uint32_t)(UINT64_C(1) << leaf.level);
    return (oct_box){{leaf.x, leaf.y, leaf.z},
                     {(int32_t)((uint32_t)leaf.x + edge), (int32_t)((uint32_t)leaf.y + edge),
                      (int32_t)((uint32_t)leaf.z + edge)}};
}

OCT_FORCE_INLINE bool leaves_in(const oct_tree *tree, int dims, const span *box, oct_labels labels,
                                oct_leaf_fn *visit, void *ctx)
{
    scan s;
    node here;
    scan_start(&s, tree_top(tree));
    while (scan_next(tree, dims, box, labels, &s, &here)) {
        if (word_kind(here.word) == KIND_LEAF) {
            const oct_leaf leaf = leaf_make(tree, dims, here.at, here.level, word_label(here.word));
            if (!visit(ctx, &leaf)) {
                return false;
            }
            continue;
        }
        const brick cells = *tree_brick(tree, word_index(here.word));
        const brick_leaves leaves = brick_divide(dims, cells);
        uint64_t firsts = brick_leaf_firsts(
            dims, leaves, brick_with(cells, labels) & span_mask(dims, box, here.at));
        for (; firsts; firsts &= firsts - 1u) {
            const uint32_t i = oct_lowest_bit(firsts);
            const oct_leaf leaf =
                leaf_make(tree, dims, brick_cell(dims, here.at, i), brick_leaf_level(leaves, i),
                          state_label(brick_state(cells, i)));
            if (!visit(ctx, &leaf)) {
                return false;
            }
        }
    }
    return true;
}

bool oct_tree_leaves(const oct_tree *tree, oct_box box, oct_labels labels, oct_leaf_fn *visit,
                     void *ctx)
{
    span inside;
    if (tree_is_empty(tree) || !oct_tree_clip(tree, box, &inside)) {
        return true;
    }
    return tree->dims == 3 ? leaves_in(tree, 3, &inside, labels, visit, ctx)
                           : leaves_in(tree, 2, &inside, labels, visit, ctx);
}
