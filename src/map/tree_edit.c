// SPDX-License-Identifier: MIT
// Edits: one recursion over the nodes that a shape meets. Where the shape covers a node and decides
// its state, the node becomes a leaf at once; where it cuts a leaf, the leaf is split first; on the
// way back equal children merge. So the tree is always as small as it can be.
//
// Memory is reserved before anything changes, so that a failure leaves the tree as it was. For a
// box a bound from its size is usually met already; else the split nodes are counted by a dry run.
#include "map/map_internal.h"

#include <math.h>
#include <string.h>

// ---- marks ----

// What a mark does to a cell's two bits: new = (old & ~clear) | set.
typedef struct rule {
    uint32_t set, clear; // STATE bits
} rule;

static const rule rules[OCT_MARK_COUNT] = {
    [OCT_MARK_UNKNOWN] = {0, STATE_KNOWN | STATE_BLOCKED},
    [OCT_MARK_OPEN] = {STATE_KNOWN, STATE_BLOCKED},
    [OCT_MARK_BLOCKED] = {STATE_KNOWN | STATE_BLOCKED, 0},
    [OCT_MARK_KNOWN] = {STATE_KNOWN, 0},
    [OCT_MARK_UNSEEN] = {0, STATE_KNOWN},
    [OCT_MARK_SOLID] = {STATE_BLOCKED, 0},
    [OCT_MARK_CLEAR] = {0, STATE_BLOCKED},
};

OCT_FORCE_INLINE uint32_t rule_apply(rule r, uint32_t state)
{
    return (state & ~r.clear) | r.set;
}

// Whether the mark decides both bits, whatever they were.
OCT_FORCE_INLINE bool rule_is_total(rule r)
{
    return (r.set | r.clear) == (STATE_KNOWN | STATE_BLOCKED);
}

// Applies a rule to the cells of a mask.
OCT_FORCE_INLINE brick rule_apply_brick(rule r, brick cells, uint64_t mask)
{
    const uint64_t set_known = r.set & STATE_KNOWN ? mask : 0u;
    const uint64_t set_blocked = r.set & STATE_BLOCKED ? mask : 0u;
    const uint64_t clear_known = r.clear & STATE_KNOWN ? mask : 0u;
    const uint64_t clear_blocked = r.clear & STATE_BLOCKED ? mask : 0u;
    return (brick){(cells.known & ~clear_known) | set_known,
                   (cells.blocked & ~clear_blocked) | set_blocked};
}

// ---- shapes ----

// A set of cells inside the root. All three answers are exact for every cell.
typedef struct shape_ops {
    // Children of a node that hold a cell of the shape, as a set of bits.
    uint32_t (*children)(int dims, const void *shape, rel at, int level);
    // Whether every cell of a node belongs to the shape.
    bool (*covers)(int dims, const void *shape, rel at, int level);
    // The cells of each brick below a node one level above the bricks.
    void (*masks)(int dims, const void *shape, rel at, uint64_t out[8]);
    // The cells of one brick, which the shape meets.
    uint64_t (*mask)(int dims, const void *shape, rel at);
} shape_ops;

OCT_FORCE_INLINE uint32_t box_children(int dims, const void *shape, rel at, int level)
{
    return span_children(dims, shape, at, level);
}

OCT_FORCE_INLINE bool box_covers(int dims, const void *shape, rel at, int level)
{
    return span_covers(dims, shape, at, level);
}

// On one axis, the cells from lo to hi in two bricks that begin at `at`.
OCT_FORCE_INLINE void box_slabs(int dims, int axis, uint32_t at, uint32_t lo, uint32_t hi,
                                uint64_t out[2])
{
    const uint32_t edge = 1u << brick_level(dims);
    const uint32_t first = lo > at ? least(lo - at, 2u * edge) : 0u;
    const uint32_t end = hi < at ? 0u : least(hi - at, 2u * edge - 1u) + 1u;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t from = most(first, i * edge) - i * edge;
        const uint32_t to = most(end, i * edge) - i * edge;
        out[i] = morton_below(dims, axis, least(to, edge)) &
                 ~morton_below(dims, axis, least(from, edge));
    }
}

OCT_FORCE_INLINE void box_masks(int dims, const void *shape, rel at, uint64_t out[8])
{
    const span *box = shape;
    uint64_t x[2], y[2], z[2] = {UINT64_MAX, UINT64_MAX};
    box_slabs(dims, 0, at.x, box->lo.x, box->hi.x, x);
    box_slabs(dims, 1, at.y, box->lo.y, box->hi.y, y);
    if (dims == 3) {
        box_slabs(dims, 2, at.z, box->lo.z, box->hi.z, z);
    }
    for (uint32_t i = 0; i < 1u << dims; i++) {
        out[i] = x[i & 1u] & y[i >> 1 & 1u] & z[i >> 2];
    }
}

OCT_FORCE_INLINE uint64_t box_mask(int dims, const void *shape, rel at)
{
    return span_mask(dims, shape, at);
}

static const shape_ops box_ops = {box_children, box_covers, box_masks, box_mask};

// The cells that lie wholly inside a ball, or that share inner points with it. On each axis a cell
// has a distance to the centre (of its far side, or of its near one); the cell belongs to the ball
// where the squares add up to the radius' square or less (near: to less). So the nearest and the
// farthest cell of a node are found axis by axis, and the answers for nodes are exact.
typedef struct ball {
    double centre[3]; // relative to the root
    double square;    // of the radius
    bool near;        // OCT_COVER_TOUCH
    bool outside;     // the shape is every other cell
} ball;

OCT_FORCE_INLINE double ball_distance(const ball *b, int axis, uint32_t cell)
{
    const double below = b->centre[axis] - (double)cell; // centre above the cell's lower side
    const double above = (double)cell + 1.0 - b->centre[axis];
    if (b->near) {
        return below < 0.0 ? -below : above < 0.0 ? -above : 0.0;
    }
    return below > above ? below : above;
}

OCT_FORCE_INLINE bool ball_has(const ball *b, double square)
{
    return b->near ? square < b->square : square <= b->square;
}

// Squares of the least and the greatest distance among the cells lo to hi of an axis.
OCT_FORCE_INLINE void ball_range(const ball *b, int axis, uint32_t lo, uint32_t hi, double *least,
                                 double *most)
{
    const double centre = floor(b->centre[axis]);
    const uint32_t nearest = centre <= (double)lo   ? lo
                             : centre >= (double)hi ? hi
                                                    : (uint32_t)centre;
    const double first = ball_distance(b, axis, lo), last = ball_distance(b, axis, hi);
    const double middle = ball_distance(b, axis, nearest);
    *least += middle * middle;
    *most += first > last ? first * first : last * last;
}

// Whether the ball has any, and whether it has all of a node's cells.
OCT_FORCE_INLINE void ball_meets(int dims, const ball *b, rel at, int level, bool *any, bool *all)
{
    const uint32_t last = (uint32_t)((UINT64_C(1) << level) - 1u);
    double least = 0.0, most = 0.0;
    ball_range(b, 0, at.x, at.x + last, &least, &most);
    ball_range(b, 1, at.y, at.y + last, &least, &most);
    if (dims == 3) {
        ball_range(b, 2, at.z, at.z + last, &least, &most);
    }
    *any = ball_has(b, least);
    *all = ball_has(b, most);
    if (b->outside) {
        const bool none = !*any;
        *any = !*all;
        *all = none;
    }
}

OCT_FORCE_INLINE uint32_t ball_children(int dims, const void *shape, rel at, int level)
{
    uint32_t set = 0;
    for (uint32_t child = 0; child < 1u << dims; child++) {
        bool any, all;
        ball_meets(dims, shape, child_position(dims, at, level, child), level - 1, &any, &all);
        set |= (uint32_t)any << child;
    }
    return set;
}

OCT_FORCE_INLINE bool ball_covers(int dims, const void *shape, rel at, int level)
{
    bool any, all;
    ball_meets(dims, shape, at, level, &any, &all);
    return all;
}

OCT_FORCE_INLINE uint64_t ball_mask(int dims, const void *shape, rel at)
{
    const ball *b = shape;
    double squares[3][1 << BRICK_LEVEL_2D];
    const uint32_t from[3] = {at.x, at.y, at.z};
    for (int axis = 0; axis < dims; axis++) {
        for (uint32_t i = 0; i < 1u << brick_level(dims); i++) {
            const double distance = ball_distance(b, axis, from[axis] + i);
            squares[axis][i] = distance * distance;
        }
    }
    uint64_t mask = 0;
    for (uint32_t i = 0; i < 64; i++) {
        // Added in the order of ball_range, so that a node and its cells agree to the bit.
        double square =
            squares[0][morton_gather(dims, i)] + squares[1][morton_gather(dims, i >> 1)];
        if (dims == 3) {
            square += squares[2][morton_gather(dims, i >> 2)];
        }
        mask |= (uint64_t)(ball_has(b, square) != b->outside) << i;
    }
    return mask;
}

OCT_FORCE_INLINE void ball_masks(int dims, const void *shape, rel at, uint64_t out[8])
{
    for (uint32_t i = 0; i < 1u << dims; i++) {
        out[i] = ball_mask(dims, shape, child_position(dims, at, brick_level(dims) + 1, i));
    }
}

static const shape_ops ball_ops = {ball_children, ball_covers, ball_masks, ball_mask};

// ---- the recursion ----

typedef struct edit {
    oct_tree *tree;
    const void *shape;
    const span *bounds; // holds the shape; NULL = the root does
    rule mark;
    bool changed;
    span extent;                // holds all cells that changed
    oct_labels before, after;   // of leaves that changed
    uint64_t was[3], became[3]; // the same of cells in bricks, by label, as or-ed planes
} edit;

static void note_extent(edit *e, rel at, uint32_t last)
{
    const span part = {at, {at.x + last, at.y + last, at.z + last}};
    e->extent = e->changed ? span_union(&e->extent, &part) : part;
    e->changed = true;
}

OCT_FORCE_INLINE void note_leaf(edit *e, rel at, int level, uint32_t old_state, uint32_t new_state)
{
    if (old_state != new_state) {
        note_extent(e, at, (uint32_t)((UINT64_C(1) << level) - 1u));
        e->before |= 1u << state_label(old_state);
        e->after |= 1u << state_label(new_state);
    }
}

// Returns whether any cell changed.
OCT_FORCE_INLINE bool note_brick(edit *e, int dims, rel at, brick old, brick now)
{
    const uint64_t changed = (old.known ^ now.known) | (old.blocked ^ now.blocked);
    if (!changed) {
        return false;
    }
    note_extent(e, at, (1u << brick_level(dims)) - 1u);
    e->was[OCT_UNKNOWN] |= changed & ~(old.known | old.blocked);
    e->was[OCT_OPEN] |= changed & old.known & ~old.blocked;
    e->was[OCT_BLOCKED] |= changed & old.blocked;
    e->became[OCT_UNKNOWN] |= changed & ~(now.known | now.blocked);
    e->became[OCT_OPEN] |= changed & now.known & ~now.blocked;
    e->became[OCT_BLOCKED] |= changed & now.blocked;
    return true;
}

// A brick with one state throughout.
static brick brick_fill(uint32_t state)
{
    return (brick){state & STATE_KNOWN ? UINT64_MAX : 0u, state & STATE_BLOCKED ? UINT64_MAX : 0u};
}

// Gives back everything below a node that becomes one leaf.
static void drop(edit *e, int dims, uint32_t word, int level, rel at, uint32_t state)
{
    if (word_kind(word) == KIND_LEAF) {
        note_leaf(e, at, level, word_index(word), state);
    } else if (word_kind(word) == KIND_BRICK) {
        note_brick(e, dims, at, *tree_brick(e->tree, word_index(word)), brick_fill(state));
        oct_pool_give(&e->tree->bricks, word_index(word));
    } else {
        const uint32_t *children = tree_block(e->tree, dims, word_index(word));
        for (uint32_t i = 0; i < 1u << dims; i++) {
            drop(e, dims, children[i], level - 1, child_position(dims, at, level, i), state);
        }
        oct_pool_give(&e->tree->blocks, word_index(word));
    }
}

// The leaf that a block's equal children merge into, or the block with the labels below it.
OCT_FORCE_INLINE uint32_t merged(oct_tree *tree, int dims, uint32_t index)
{
    const uint32_t *children = tree_block(tree, dims, index);
    uint32_t differ = 0, labels = 0;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        differ |= children[i] ^ children[0];
        labels |= children[i];
    }
    if (differ == 0 && word_kind(children[0]) == KIND_LEAF) {
        const uint32_t leaf = children[0];
        oct_pool_give(&tree->blocks, index);
        return leaf;
    }
    return word_make(KIND_INNER, word_labels(labels), index);
}

// Edits the cells of a mask in a brick, or in a leaf of its size; returns what it has become.
OCT_FORCE_INLINE uint32_t edit_brick(edit *e, int dims, uint32_t word, rel at, uint64_t mask)
{
    pool *bricks = &e->tree->bricks;
    const bool split = word_kind(word) == KIND_LEAF;
    const brick old = split ? brick_fill(word_index(word)) : *tree_brick(e->tree, word_index(word));
    const brick now = rule_apply_brick(e->mark, old, mask);
    if (!note_brick(e, dims, at, old, now)) {
        return word;
    }
    if (brick_is_uniform(now)) {
        if (!split) {
            oct_pool_give(bricks, word_index(word));
        }
        return word_leaf(brick_state(now, 0));
    }
    const uint32_t index = split ? oct_pool_take(bricks) : word_index(word);
    *tree_brick(e->tree, index) = now;
    return word_make(KIND_BRICK, brick_labels(now), index);
}

typedef uint32_t edit_fn(edit *e, uint32_t word, int level, rel at);

// Edits the children of a node; returns whether any has changed. The bricks of a node are edited in
// one go: most of an edit is there.
OCT_FORCE_INLINE bool edit_children(edit *e, int dims, const shape_ops *ops, edit_fn *self,
                                    uint32_t *children, int level, rel at)
{
    bool changed = false;
    if (level == brick_level(dims) + 1) {
        uint64_t masks[8];
        ops->masks(dims, e->shape, at, masks);
        for (uint32_t i = 0; i < 1u << dims; i++) {
            const rel from = child_position(dims, at, level, i);
            const uint32_t child =
                masks[i] ? edit_brick(e, dims, children[i], from, masks[i]) : children[i];
            changed |= child != children[i];
            children[i] = child;
        }
        return changed;
    }
    for (uint32_t set = ops->children(dims, e->shape, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        const uint32_t child = self(e, children[i], level - 1, child_position(dims, at, level, i));
        changed |= child != children[i];
        children[i] = child;
    }
    return changed;
}

// Edits a node that the shape meets; returns what it has become. `self` is the instance of this
// body that goes on below.
OCT_FORCE_INLINE uint32_t edit_node(edit *e, int dims, const shape_ops *ops, edit_fn *self,
                                    uint32_t word, int level, rel at)
{
    const bool is_leaf = word_kind(word) == KIND_LEAF;
    const uint32_t state = rule_apply(e->mark, is_leaf ? word_index(word) : 0u);
    if (is_leaf && state == word_index(word)) {
        return word;
    }
    if ((is_leaf || rule_is_total(e->mark)) && ops->covers(dims, e->shape, at, level)) {
        drop(e, dims, word, level, at, state);
        return word_leaf(state);
    }
    if (level == brick_level(dims)) {
        return edit_brick(e, dims, word, at, ops->mask(dims, e->shape, at));
    }
    const uint32_t index = is_leaf ? oct_pool_take(&e->tree->blocks) : word_index(word);
    uint32_t *children = tree_block(e->tree, dims, index);
    if (is_leaf) {
        for (uint32_t i = 0; i < 1u << dims; i++) {
            children[i] = word;
        }
    }
    const bool changed = edit_children(e, dims, ops, self, children, level, at);
    return changed || is_leaf ? merged(e->tree, dims, index) : word;
}

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

// ---- memory ----

typedef struct need {
    uint64_t blocks, bricks;
} need;

// Counts the leaves that an edit would split; an upper bound, since merging gives some back.
static void count_splits(const edit *e, int dims, const shape_ops *ops, uint32_t word, int level,
                         rel at, need *n)
{
    const bool is_leaf = word_kind(word) == KIND_LEAF;
    if (is_leaf && rule_apply(e->mark, word_index(word)) == word_index(word)) {
        return;
    }
    if ((is_leaf || rule_is_total(e->mark)) && ops->covers(dims, e->shape, at, level)) {
        return;
    }
    if (level == brick_level(dims)) {
        n->bricks += is_leaf;
        return;
    }
    n->blocks += is_leaf;
    const uint32_t *children = is_leaf ? NULL : tree_block(e->tree, dims, word_index(word));
    for (uint32_t set = ops->children(dims, e->shape, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        count_splits(e, dims, ops, children ? children[i] : word, level - 1,
                     child_position(dims, at, level, i), n);
    }
}

// An upper bound of what any edit of a box can take, from its size alone. On each axis n bricks
// touch at most n / 2 + 1 nodes of the next level, so beyond the first levels there are at most
// two.
static need box_bound(const oct_tree *tree, const span *box)
{
    const int shift = brick_level(tree->dims);
    uint64_t bricks = (uint64_t)((box->hi.x >> shift) - (box->lo.x >> shift) + 1u);
    bricks *= (box->hi.y >> shift) - (box->lo.y >> shift) + 1u;
    if (bricks < UINT32_MAX && tree->dims == 3) {
        bricks *= (box->hi.z >> shift) - (box->lo.z >> shift) + 1u;
    }
    return (need){bricks + ((uint64_t)tree->root_level << tree->dims), bricks};
}

// ---- edits ----

// Runs an edit whose memory is reserved and writes it into the journal.
static void commit(edit *e, edit_fn *run)
{
    oct_tree *tree = e->tree;
    tree->root = run(e, tree->root, tree->root_level, (rel){0, 0, 0});
    if (e->changed) {
        if (e->bounds) {
            e->extent = span_common(&e->extent, e->bounds);
        }
        oct_change change = {oct_tree_unclip(tree, &e->extent), e->before, e->after};
        for (uint32_t label = 0; label < 3; label++) {
            change.before |= e->was[label] ? 1u << label : 0u;
            change.after |= e->became[label] ? 1u << label : 0u;
        }
        oct_journal_record(&tree->journal, &change);
    }
    oct_tree_trim(tree);
}

static bool in_range(int32_t min, int32_t max)
{
    return min >= -OCT_RANGE && max <= OCT_RANGE;
}

// Whether a mark can change what is UNKNOWN, and so what lies outside the root.
static bool reaches_outside(oct_mark mark)
{
    return rule_apply(rules[mark], 0) != 0;
}

static oct_result set_box(oct_tree *tree, oct_box box, oct_mark mark)
{
    edit e = {.tree = tree, .mark = rules[mark]};
    if (reaches_outside(mark)) {
        OCT_TRY(oct_tree_reserve(tree, oct_tree_growth(tree, &box), 0));
        oct_tree_grow(tree, &box);
    }
    span inside;
    if (!oct_tree_clip(tree, box, &inside)) {
        return OCT_OK;
    }
    e.shape = e.bounds = &inside;
    const need bound = box_bound(tree, &inside);
    if (bound.blocks > pool_room(&tree->blocks) || bound.bricks > pool_room(&tree->bricks)) {
        need exact = {0, 0};
        count_splits(&e, tree->dims, &box_ops, tree->root, tree->root_level, (rel){0, 0, 0},
                     &exact);
        const oct_result result = oct_tree_reserve(tree, exact.blocks, exact.bricks);
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

// Edits the ball, or everything outside it, within the root.
static oct_result set_ball(oct_tree *tree, ball shape, const oct_point *centre, oct_mark mark)
{
    shape.centre[0] = centre->x - (double)tree->root_min.x;
    shape.centre[1] = centre->y - (double)tree->root_min.y;
    shape.centre[2] = centre->z - (double)tree->root_min.z;
    edit e = {.tree = tree, .mark = rules[mark], .shape = &shape};
    const rel start = {0, 0, 0};
    bool any, all;
    ball_meets(tree->dims, &shape, start, tree->root_level, &any, &all);
    if (!any) {
        oct_tree_trim(tree);
        return OCT_OK;
    }
    need exact = {0, 0};
    count_splits(&e, tree->dims, &ball_ops, tree->root, tree->root_level, start, &exact);
    const oct_result result = oct_tree_reserve(tree, exact.blocks, exact.bricks);
    if (result != OCT_OK) {
        oct_tree_trim(tree);
        return result;
    }
    commit(&e, tree->dims == 3 ? edit_ball_3d : edit_ball_2d);
    return OCT_OK;
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
    if (reaches_outside(mark)) {
        const oct_box box = {{(int32_t)floor(centre.x - radius), (int32_t)floor(centre.y - radius),
                              dims == 3 ? (int32_t)floor(centre.z - radius) : 0},
                             {(int32_t)-floor(-centre.x - radius),
                              (int32_t)-floor(-centre.y - radius),
                              dims == 3 ? (int32_t)-floor(-centre.z - radius) : 1}};
        if (box_is_empty(dims, &box)) {
            return OCT_OK;
        }
        OCT_TRY(oct_tree_reserve(tree, oct_tree_growth(tree, &box), 0));
        oct_tree_grow(tree, &box);
    }
    const ball shape = {.square = radius * radius, .near = cover == OCT_COVER_TOUCH};
    return set_ball(tree, shape, &centre, mark);
}

oct_result oct_tree_keep(oct_tree *tree, oct_point centre, double radius)
{
    if (!ball_is_finite(tree->dims, centre, radius)) {
        return OCT_ERROR_ARGUMENT;
    }
    const ball shape = {.square = radius * radius, .near = true, .outside = true};
    return set_ball(tree, shape, &centre, OCT_MARK_UNKNOWN);
}

oct_result oct_tree_forget(oct_tree *tree, oct_box box)
{
    return box_is_empty(tree->dims, &box) ? OCT_OK : set_box(tree, box, OCT_MARK_UNKNOWN);
}

// ---- world coordinates ----

// One axis of a world box in cells; false where it is not finite or leaves the lattice.
static oct_result world_axis(double min, double max, double origin, double cell, oct_cover cover,
                             int32_t *from, int32_t *to)
{
    if (!isfinite(min) || !isfinite(max)) {
        return OCT_ERROR_ARGUMENT;
    }
    const double lo = (min - origin) / cell, hi = (max - origin) / cell;
    const double first = cover == OCT_COVER_TOUCH ? floor(lo) : -floor(-lo);
    const double end = cover == OCT_COVER_TOUCH ? -floor(-hi) : floor(hi);
    if (first < -(double)OCT_RANGE || end > (double)OCT_RANGE || first > (double)OCT_RANGE ||
        end < -(double)OCT_RANGE) {
        return OCT_ERROR_RANGE;
    }
    *from = (int32_t)first;
    *to = (int32_t)end;
    return OCT_OK;
}

oct_result oct_tree_set_world_box(oct_tree *tree, oct_bounds bounds, oct_cover cover, oct_mark mark)
{
    if (cover > OCT_COVER_TOUCH) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_point o = tree->origin;
    const double cell = tree->cell_size;
    oct_box box = {{0, 0, 0}, {0, 0, 1}};
    OCT_TRY(world_axis(bounds.min.x, bounds.max.x, o.x, cell, cover, &box.min.x, &box.max.x));
    OCT_TRY(world_axis(bounds.min.y, bounds.max.y, o.y, cell, cover, &box.min.y, &box.max.y));
    if (tree->dims == 3) {
        OCT_TRY(world_axis(bounds.min.z, bounds.max.z, o.z, cell, cover, &box.min.z, &box.max.z));
    }
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
