// SPDX-License-Identifier: MIT
// The leaves next to a leaf, of any size, in any set of the 26 directions.
//
// The default way grows the leaf's box by one cell on the sides that are asked for. The bits in
// which the grown box's corners differ give the lowest node that holds it all: the common ancestor.
// From there one scan meets every neighbour once, so nothing needs to be removed afterwards.
// The other way looks up each direction on its own from the root; it meets a large neighbour
// several times and has to remove duplicates.
#include "octant/tree.h"
#include "octree/octree_internal.h"

// Directions by their step on an axis.
static const uint32_t step_x[3] = {STEPS_X(-1), STEPS_X(0), STEPS_X(1)};
static const uint32_t step_y[3] = {STEPS_Y(-1), STEPS_Y(0), STEPS_Y(1)};
static const uint32_t step_z[3] = {STEPS_Z(-1), STEPS_Z(0), STEPS_Z(1)};

// What is asked: a leaf relative to the root, and where to look.
typedef struct request {
    rel at;
    int level;
    uint32_t edge;
    uint32_t directions; // without those that leave the root
    oct_labels labels;
    bool outside; // a direction left the root
} request;

typedef struct answer {
    oct_leaf *out;
    size_t capacity, count;
} answer;

OCT_FORCE_INLINE void answer_add(answer *a, oct_leaf leaf)
{
    if (a->count < a->capacity) {
        a->out[a->count] = leaf;
    }
    a->count++;
}

// Directions in which a leaf that begins at `from` on an axis would leave the root.
OCT_FORCE_INLINE uint32_t leaving(const uint32_t step[3], uint32_t from, uint64_t edge,
                                  uint64_t root_edge)
{
    return (from == 0 ? step[0] : 0u) | (from + edge == root_edge ? step[2] : 0u);
}

OCT_FORCE_INLINE request request_make(const oct_tree *tree, int dims, oct_leaf leaf,
                                      uint32_t directions, oct_labels labels)
{
    const rel at = tree_rel(tree, (oct_vec){leaf.x, leaf.y, leaf.z});
    OCT_ASSERT(leaf.level <= tree->root_level && tree_holds(tree, dims, at));
    const uint64_t root_edge = UINT64_C(1) << tree->root_level, edge = UINT64_C(1) << leaf.level;
    uint32_t hull = leaving(step_x, at.x, edge, root_edge) | leaving(step_y, at.y, edge, root_edge);
    directions &= OCT_DIRECTIONS_26;
    if (dims == 3) {
        hull |= leaving(step_z, at.z, edge, root_edge);
    } else {
        directions &= step_z[1];
    }
    return (request){.at = {at.x, at.y, dims == 3 ? at.z : 0u},
                     .level = leaf.level,
                     .edge = (uint32_t)edge,
                     .directions = directions & ~hull,
                     .labels = labels,
                     .outside = (directions & hull) != 0 && (labels & OCT_HAS_UNKNOWN)};
}

// One axis of the smallest box that holds the cells of all directions asked for.
OCT_FORCE_INLINE void reach(const uint32_t step[3], uint32_t directions, uint32_t from,
                            uint32_t edge, uint32_t *lo, uint32_t *hi)
{
    *lo = directions & step[0] ? from - 1u : directions & step[1] ? from : from + edge;
    *hi = directions & step[2] ? from + edge : directions & step[1] ? from + edge - 1u : from - 1u;
}

OCT_FORCE_INLINE span request_reach(int dims, const request *r)
{
    span box = {{0, 0, 0}, {0, 0, 0}};
    reach(step_x, r->directions, r->at.x, r->edge, &box.lo.x, &box.hi.x);
    reach(step_y, r->directions, r->at.y, r->edge, &box.lo.y, &box.hi.y);
    if (dims == 3) {
        reach(step_z, r->directions, r->at.z, r->edge, &box.lo.z, &box.hi.z);
    }
    return box;
}

// On one axis, the directions whose cells the range lo to hi meets.
OCT_FORCE_INLINE uint32_t meets(const uint32_t step[3], uint32_t from, uint32_t edge, uint32_t lo,
                                uint32_t hi)
{
    const uint32_t last = from + (edge - 1u); // the cell after it may be beyond 32 bits
    return (lo < from ? step[0] : 0u) | (lo <= last && hi >= from ? step[1] : 0u) |
           (hi > last ? step[2] : 0u);
}

// Whether the part of a node inside the reach has a cell in one of the directions.
OCT_FORCE_INLINE bool request_meets(int dims, const request *r, const span *part)
{
    uint32_t set = r->directions & meets(step_x, r->at.x, r->edge, part->lo.x, part->hi.x) &
                   meets(step_y, r->at.y, r->edge, part->lo.y, part->hi.y);
    if (dims == 3) {
        set &= meets(step_z, r->at.z, r->edge, part->lo.z, part->hi.z);
    }
    return set != 0;
}

// The cells of a brick on one axis before, within and after the leaf, inside lo to hi.
OCT_FORCE_INLINE void slabs(int dims, int axis, uint32_t brick_from, uint32_t from, uint32_t edge,
                            uint32_t lo, uint32_t hi, uint64_t out[3])
{
    const uint32_t first = lo - brick_from, last = hi - brick_from;
    const uint64_t all = morton_slab(dims, axis, first, last);
    out[0] = lo < from ? morton_slab(dims, axis, first, first) : 0u;
    out[2] = hi > from + (edge - 1u) ? morton_slab(dims, axis, last, last) : 0u;
    out[1] = all & ~(out[0] | out[2]);
}

// The cells of a brick that lie in one of the directions.
OCT_FORCE_INLINE uint64_t request_mask(int dims, const request *r, const span *part, rel at)
{
    uint64_t x[3], y[3], z[3] = {0, UINT64_MAX, 0};
    slabs(dims, 0, at.x, r->at.x, r->edge, part->lo.x, part->hi.x, x);
    slabs(dims, 1, at.y, r->at.y, r->edge, part->lo.y, part->hi.y, y);
    if (dims == 3) {
        slabs(dims, 2, at.z, r->at.z, r->edge, part->lo.z, part->hi.z, z);
    }
    uint64_t mask = 0;
    for (int dy = 0; dy < 3; dy++) {
        for (int dx = 0; dx < 3; dx++) {
            const uint32_t column = r->directions & step_x[dx] & step_y[dy];
            const uint64_t along = (column & step_z[0] ? z[0] : 0u) |
                                   (column & step_z[1] ? z[1] : 0u) |
                                   (column & step_z[2] ? z[2] : 0u);
            mask |= x[dx] & y[dy] & along;
        }
    }
    return mask;
}

// The cells of a brick that belong to the leaf itself.
OCT_FORCE_INLINE uint64_t request_self(int dims, const request *r, rel at)
{
    const uint32_t apart = (r->at.x ^ at.x) | (r->at.y ^ at.y) | (r->at.z ^ at.z);
    if (r->level >= brick_level(dims) || apart >> brick_level(dims)) {
        return 0;
    }
    const uint64_t all = (UINT64_C(1) << (1u << (dims * r->level))) - 1u;
    return all << morton_index(dims, r->at.x, r->at.y, r->at.z);
}

// Adds the leaves below a node that lie in the directions and inside the reach. `around`: the
// directions are all there are, so that only the leaf itself is to be left out.
OCT_FORCE_INLINE void collect(const oct_tree *tree, int dims, const request *r, const span *box,
                              node from, bool around, answer *a)
{
    scan s;
    node here;
    scan_start(&s, from);
    while (scan_next(tree, dims, box, r->labels, &s, &here)) {
        const span whole = span_of(dims, here.at, here.level);
        const span part = span_common(box, &whole);
        if (word_kind(here.word) == KIND_LEAF) {
            const bool self = here.at.x == r->at.x && here.at.y == r->at.y && here.at.z == r->at.z;
            if (around ? !self || here.level != r->level : request_meets(dims, r, &part)) {
                answer_add(a, leaf_make(tree, dims, here.at, here.level, word_label(here.word)));
            }
            continue;
        }
        const brick cells = *tree_brick(tree, word_index(here.word));
        const brick_leaves leaves = brick_divide(dims, cells);
        const uint64_t near = around
                                  ? span_mask(dims, box, here.at) & ~request_self(dims, r, here.at)
                                  : request_mask(dims, r, &part, here.at);
        uint64_t firsts = brick_leaf_firsts(dims, leaves, brick_with(cells, r->labels) & near);
        for (; firsts; firsts &= firsts - 1u) {
            const uint32_t i = oct_lowest_bit(firsts);
            answer_add(a,
                       leaf_make(tree, dims, brick_cell(dims, here.at, i),
                                 brick_leaf_level(leaves, i), state_label(brick_state(cells, i))));
        }
    }
}

OCT_FORCE_INLINE size_t neighbours(const oct_tree *tree, int dims, oct_leaf leaf,
                                   uint32_t directions, oct_labels labels, oct_leaf *out,
                                   size_t capacity)
{
    const request r = request_make(tree, dims, leaf, directions, labels);
    answer a = {out, capacity, 0};
    if (r.directions) {
        const span box = request_reach(dims, &r);
        const uint32_t differ =
            (box.lo.x ^ box.hi.x) | (box.lo.y ^ box.hi.y) | (box.lo.z ^ box.hi.z);
        const node ancestor = tree_descend(tree, dims, box.lo, (int)oct_bit_length(differ));
        if (r.directions == (dims == 3 ? OCT_DIRECTIONS_26 : OCT_DIRECTIONS_26 & step_z[1])) {
            collect(tree, dims, &r, &box, ancestor, true, &a);
        } else {
            collect(tree, dims, &r, &box, ancestor, false, &a);
        }
    }
    if (r.outside) {
        answer_add(&a, (oct_leaf){.level = OCT_LEVEL_OUTSIDE, .label = OCT_UNKNOWN});
    }
    return a.count;
}

size_t oct_tree_neighbours(const oct_tree *tree, oct_leaf leaf, uint32_t directions,
                           oct_labels labels, oct_leaf *out, size_t capacity)
{
    return tree->dims == 3 ? neighbours(tree, 3, leaf, directions, labels, out, capacity)
                           : neighbours(tree, 2, leaf, directions, labels, out, capacity);
}

// ---- by descent ----

static bool leaf_equal(const oct_leaf *a, const oct_leaf *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z && a->level == b->level;
}

size_t oct_tree_neighbours_by_descent(const oct_tree *tree, oct_leaf leaf, uint32_t directions,
                                      oct_labels labels, oct_leaf *out, size_t capacity)
{
    const int dims = tree->dims;
    const request all = request_make(tree, dims, leaf, directions, labels);
    answer a = {out, capacity, 0};
    oct_leaf large[26]; // neighbours that may lie in several directions
    size_t large_count = 0;
    for (uint32_t set = all.directions; set; set &= set - 1u) {
        request one = all;
        one.directions = set & (0u - set);
        const span box = request_reach(dims, &one);
        const oct_vec first = oct_tree_unclip(tree, &box).min;
        const oct_leaf found = oct_tree_leaf(tree, first);
        if (found.level < leaf.level) {
            collect(tree, dims, &one, &box, tree_descend(tree, dims, box.lo, leaf.level), false,
                    &a);
            continue;
        }
        size_t seen = 0;
        while (seen < large_count && !leaf_equal(&large[seen], &found)) {
            seen++;
        }
        if (seen == large_count && (labels >> found.label & 1u)) {
            large[large_count++] = found;
            answer_add(&a, found);
        }
    }
    if (all.outside) {
        answer_add(&a, (oct_leaf){.level = OCT_LEVEL_OUTSIDE, .label = OCT_UNKNOWN});
    }
    return a.count;
}
