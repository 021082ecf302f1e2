// SPDX-License-Identifier: MIT
// Edits of a tree that things lie on.
//
// The tree shows labels with all things on top, so that every question is answered by it alone.
// What a thing hides is kept beside it, in a second tree that shares root and pools (`under`):
// BLOCKED there is static geometry in a cell that a thing covers, OPEN is an observed cell that an
// UNKNOWN thing makes look unobserved. Everything else is still to be seen in the tree itself:
//
//   observed = observed in the tree, or OPEN under it
//   static   = BLOCKED in the tree where no thing covers, or BLOCKED under it
//
// Where nothing static lies under things and no thing is UNKNOWN, `under` is one empty leaf. An
// edit takes each cell apart into these facts, by the things that covered it before; changes them;
// and puts them together again by the things that cover it after: 64 cells at a time.
#include "octant/tree.h"
#include "octree/layers.h"

enum { BEFORE = 1, AFTER = 2 };

// Cells of a thing inside the root, and when it covers them.
typedef struct layer {
    span box;
    oct_label label;
    uint32_t when;
} layer;

typedef struct layers {
    edit e; // of the tree
    const shape_ops *ops;
    edit_fn *plain; // marks where no thing is; NULL = no facts change
    const layer *all;
    const convex *const *bodies; // of each layer, NULL = all of its box; NULL = no layer has one,
                                 // and what changes is at most two boxes
    uint32_t *lists; // indices of layers: the root's list, then that of each node on the way down
    oct_vec first;   // cell of the root
    bool statics;
    bool fixed; // what is BLOCKED stays so, and what is not does
} layers;

// A node and what lies under it.
typedef struct pair {
    uint32_t top, under;
} pair;

// ---- one layer ----

OCT_FORCE_INLINE oct_vec cell_of(oct_vec first, rel at)
{
    return (oct_vec){(int32_t)((uint32_t)first.x + at.x), (int32_t)((uint32_t)first.y + at.y),
                     (int32_t)((uint32_t)first.z + at.z)};
}

// Whether things have bodies is known when the functions below are compiled: `shaped` is false
// where all are boxes, and then costs nothing.
OCT_FORCE_INLINE const convex *body_of(const layers *l, uint32_t i, bool shaped)
{
    return shaped ? l->bodies[i] : NULL;
}

OCT_FORCE_INLINE bool layer_meets(const layers *l, int dims, bool shaped, uint32_t i, rel at,
                                  int level)
{
    const convex *const body = body_of(l, i, shaped);
    return span_meets(dims, &l->all[i].box, at, level) &&
           (!body || convex_meets(body, cell_of(l->first, at), (int64_t)1 << level, true));
}

OCT_FORCE_INLINE bool layer_covers(const layers *l, int dims, bool shaped, uint32_t i, rel at,
                                   int level)
{
    const convex *const body = body_of(l, i, shaped);
    return span_covers(dims, &l->all[i].box, at, level) &&
           (!body || convex_covers(body, cell_of(l->first, at), (int64_t)1 << level));
}

OCT_FORCE_INLINE uint64_t layer_mask(const layers *l, int dims, bool shaped, uint32_t i, rel at)
{
    const uint64_t mask = span_mask(dims, &l->all[i].box, at);
    const convex *const body = body_of(l, i, shaped);
    return body ? mask & oct_convex_mask(body, dims, cell_of(l->first, at)) : mask;
}

// ---- the shape of a thing that changes: its cells before and after ----

// Mostly it is a box, before and after.
typedef struct two_boxes {
    span box[2];
    uint32_t count;
} two_boxes;

OCT_FORCE_INLINE uint32_t two_children(int dims, const void *shape, rel at, int level)
{
    const two_boxes *b = shape;
    uint32_t set = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        if (span_meets(dims, &b->box[i], at, level)) {
            set |= span_children(dims, &b->box[i], at, level);
        }
    }
    return set;
}

OCT_FORCE_INLINE bool two_covers(int dims, const void *shape, rel at, int level)
{
    const two_boxes *b = shape;
    bool covers = false;
    for (uint32_t i = 0; i < b->count; i++) {
        covers |= span_covers(dims, &b->box[i], at, level);
    }
    return covers;
}

OCT_FORCE_INLINE uint64_t two_mask(int dims, const void *shape, rel at)
{
    const two_boxes *b = shape;
    uint64_t mask = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        if (span_meets(dims, &b->box[i], at, brick_level(dims))) {
            mask |= span_mask(dims, &b->box[i], at);
        }
    }
    return mask;
}

static const span *two_box(int dims, const void *shape, rel at, int level)
{
    const two_boxes *b = shape;
    const bool is_first = span_meets(dims, &b->box[0], at, level);
    const bool is_second = b->count == 2 && span_meets(dims, &b->box[1], at, level);
    return is_first != is_second ? &b->box[is_second] : NULL;
}

static const shape_ops two_ops = {two_children, two_covers, NULL, two_mask, two_box};

// Else any number of boxes and bodies.
typedef struct changing {
    const layers *of; // its first layers
    uint32_t count;
} changing;

OCT_FORCE_INLINE uint32_t changing_children(int dims, const void *shape, rel at, int level)
{
    const changing *c = shape;
    uint32_t set = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const span *const box = &c->of->all[i].box;
        if (span_meets(dims, box, at, level)) {
            set |= span_children(dims, box, at, level);
        }
    }
    return set;
}

OCT_FORCE_INLINE bool changing_covers(int dims, const void *shape, rel at, int level)
{
    const changing *c = shape;
    bool covers = false;
    for (uint32_t i = 0; i < c->count && !covers; i++) {
        covers = layer_covers(c->of, dims, true, i, at, level);
    }
    return covers;
}

OCT_FORCE_INLINE uint64_t changing_mask(int dims, const void *shape, rel at)
{
    const changing *c = shape;
    uint64_t mask = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (span_meets(dims, &c->of->all[i].box, at, brick_level(dims))) {
            mask |= layer_mask(c->of, dims, true, i, at);
        }
    }
    return mask;
}

static const span *changing_box(int dims, const void *shape, rel at, int level)
{
    const changing *c = shape;
    const span *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const span *const box = &c->of->all[i].box;
        if (span_meets(dims, box, at, level)) {
            found = body_of(c->of, i, true) ? NULL : box;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static const shape_ops changing_ops = {changing_children, changing_covers, NULL, changing_mask,
                                       changing_box};

// ---- cells ----

// Which of 64 cells things cover: any thing before, BLOCKED and UNKNOWN ones after.
typedef struct coverage {
    uint64_t before, blocked, unknown;
} coverage;

OCT_FORCE_INLINE void cover_cells(coverage *c, const layer *l, uint64_t mask)
{
    c->before |= l->when & BEFORE ? mask : 0u;
    if (l->when & AFTER) {
        *(l->label == OCT_BLOCKED ? &c->blocked : &c->unknown) |= mask;
    }
}

typedef struct bricks {
    brick top, under;
} bricks;

// The heart: what becomes of the cells of a mask.
OCT_FORCE_INLINE bricks resolve(const layers *l, bricks old, coverage c, uint64_t mask)
{
    const uint64_t hidden = old.under.known & ~old.under.blocked;
    const uint64_t uncovered = l->statics ? old.top.blocked & ~c.before : 0u;
    const brick facts = rule_apply_brick(
        l->e.mark, (brick){old.top.known | hidden, uncovered | old.under.blocked}, mask);
    const uint64_t blocked = l->fixed ? old.top.blocked : facts.blocked | c.blocked;
    const uint64_t solid = l->fixed ? old.under.blocked : facts.blocked & (c.blocked | c.unknown);
    const uint64_t hides = c.unknown & ~blocked; // looks unobserved
    const bricks now = {{facts.known & ~hides, blocked}, {(facts.known & hides) | solid, solid}};
    return (bricks){{(old.top.known & ~mask) | (now.top.known & mask),
                     (old.top.blocked & ~mask) | (now.top.blocked & mask)},
                    {(old.under.known & ~mask) | (now.under.known & mask),
                     (old.under.blocked & ~mask) | (now.under.blocked & mask)}};
}

static bool brick_equals(brick a, brick b)
{
    return a.known == b.known && a.blocked == b.blocked;
}

OCT_FORCE_INLINE pair layer_brick(layers *l, int dims, bool shaped, pair words, rel at,
                                  const uint32_t *list, uint32_t count)
{
    coverage c = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const layer *each = &l->all[list[i]];
        cover_cells(&c, each, layer_mask(l, dims, shaped, list[i], at));
    }
    const bricks old = {brick_of(l->e.tree, words.top), brick_of(l->e.tree, words.under)};
    const bricks now = resolve(l, old, c, l->ops->mask(dims, l->e.shape, at));
    if (note_brick(&l->e, dims, at, old.top, now.top)) {
        words.top = brick_put(l->e.tree, words.top, now.top);
    }
    if (!brick_equals(old.under, now.under)) {
        words.under = brick_put(l->e.tree, words.under, now.under);
    }
    return words;
}

// Whether a pair of leaves has one answer: the edit takes in all of the node, and so does every
// thing that meets it.
OCT_FORCE_INLINE bool is_uniform(const layers *l, int dims, bool shaped, pair words, int level,
                                 rel at, const uint32_t *list, uint32_t count)
{
    if (word_kind(words.top) != KIND_LEAF || word_kind(words.under) != KIND_LEAF ||
        !l->ops->covers(dims, l->e.shape, at, level)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!layer_covers(l, dims, shaped, list[i], at, level)) {
            return false;
        }
    }
    return true;
}

static pair layer_leaf(layers *l, pair words, int level, rel at, const uint32_t *list,
                       uint32_t count)
{
    coverage c = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        cover_cells(&c, &l->all[list[i]], UINT64_MAX);
    }
    const uint32_t state = word_index(words.top);
    const bricks now =
        resolve(l, (bricks){brick_fill(state), brick_fill(word_index(words.under))}, c, UINT64_MAX);
    note_leaf(&l->e, at, level, state, brick_state(now.top, 0));
    return (pair){word_leaf(brick_state(now.top, 0)), word_leaf(brick_state(now.under, 0))};
}

// ---- the recursion ----

// The layers of a list that meet a node; they are written behind the list.
OCT_FORCE_INLINE uint32_t layers_in(const layers *l, int dims, bool shaped, rel at, int level,
                                    uint32_t *list, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (layer_meets(l, dims, shaped, list[i], at, level)) {
            list[count + found++] = list[i];
        }
    }
    return found;
}

// The children of a node: those of its block, or what a leaf would be split into.
OCT_FORCE_INLINE void load_children(const oct_tree *tree, int dims, uint32_t word, uint32_t *out)
{
    const uint32_t *block =
        word_kind(word) == KIND_INNER ? tree_siblings(tree, dims, word_index(word)) : NULL;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        out[i] = block ? block[i] : word;
    }
}

// The node with these children in the place of `word`.
OCT_FORCE_INLINE uint32_t store_children(oct_tree *tree, int dims, uint32_t word,
                                         const uint32_t *children)
{
    uint32_t differ = 0, labels = 0;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        differ |= children[i] ^ children[0];
        labels |= children[i];
    }
    const bool inner = word_kind(word) == KIND_INNER;
    if (differ == 0 && word_kind(children[0]) == KIND_LEAF) {
        if (inner) {
            oct_pool_give(&tree->siblings, word_index(word));
        }
        return children[0];
    }
    const uint32_t index = inner ? word_index(word) : oct_pool_take(&tree->siblings);
    memcpy(tree_siblings(tree, dims, index), children, sizeof *children << dims);
    return word_make(KIND_INNER, word_labels(labels), index);
}

typedef pair layer_fn(layers *l, pair words, int level, rel at, uint32_t *list, uint32_t count);

// Edits a node that the shape meets, with the layers that meet it; returns what it has become.
OCT_FORCE_INLINE pair layer_node(layers *l, int dims, bool shaped, layer_fn *self, pair words,
                                 int level, rel at, uint32_t *list, uint32_t count)
{
    if (count == 0) {
        words.top = l->plain ? l->plain(&l->e, words.top, level, at) : words.top;
        return words;
    }
    if (level == brick_level(dims)) {
        return layer_brick(l, dims, shaped, words, at, list, count);
    }
    if (is_uniform(l, dims, shaped, words, level, at, list, count)) {
        return layer_leaf(l, words, level, at, list, count);
    }
    uint32_t tops[8], unders[8];
    load_children(l->e.tree, dims, words.top, tops);
    load_children(l->e.tree, dims, words.under, unders);
    for (uint32_t set = l->ops->children(dims, l->e.shape, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        const rel from = child_position(dims, at, level, i);
        const uint32_t found = layers_in(l, dims, shaped, from, level - 1, list, count);
        const pair child =
            self(l, (pair){tops[i], unders[i]}, level - 1, from, list + count, found);
        tops[i] = child.top;
        unders[i] = child.under;
    }
    return (pair){store_children(l->e.tree, dims, words.top, tops),
                  store_children(l->e.tree, dims, words.under, unders)};
}

static pair boxes_node_3d(layers *l, pair words, int level, rel at, uint32_t *list, uint32_t count)
{
    return layer_node(l, 3, false, boxes_node_3d, words, level, at, list, count);
}

static pair boxes_node_2d(layers *l, pair words, int level, rel at, uint32_t *list, uint32_t count)
{
    return layer_node(l, 2, false, boxes_node_2d, words, level, at, list, count);
}

static pair bodies_node_3d(layers *l, pair words, int level, rel at, uint32_t *list, uint32_t count)
{
    return layer_node(l, 3, true, bodies_node_3d, words, level, at, list, count);
}

static pair bodies_node_2d(layers *l, pair words, int level, rel at, uint32_t *list, uint32_t count)
{
    return layer_node(l, 2, true, bodies_node_2d, words, level, at, list, count);
}

// ---- memory ----

// Counts what an edit may take: the leaves that it would split, as in a plain edit. Where a thing
// changes as one edit of a group: twice what it could split if every node it visits were a leaf, so
// that there is still room after it for the opposite edit, which visits the same nodes.
typedef void count_fn(const layers *l, pair words, int level, rel at, uint32_t *list,
                      uint32_t count, need *n);

OCT_FORCE_INLINE void count_node(const layers *l, bool shaped, count_fn *self, pair words,
                                 int level, rel at, uint32_t *list, uint32_t count, need *n)
{
    const int dims = l->e.tree->dims;
    n->visited++;
    if (need_is_too_much(n)) {
        return;
    }
    if (count == 0) {
        if (l->plain) {
            oct_edit_count(&l->e, l->ops, words.top, level, at, n);
        }
        return;
    }
    const uint32_t leaves =
        l->e.tree->journal.open
            ? 4u
            : (word_kind(words.top) == KIND_LEAF) + (uint32_t)(word_kind(words.under) == KIND_LEAF);
    if (level == brick_level(dims)) {
        n->bricks += leaves;
        return;
    }
    if (is_uniform(l, dims, shaped, words, level, at, list, count)) {
        return;
    }
    // What is above a thing and what is beside it, in closed form: together no less than both.
    const span *const box = shape_box(l->ops, dims, l->e.shape, at, level);
    if (box && count == 1 && !body_of(l, list[0], shaped) && word_kind(words.top) == KIND_LEAF &&
        word_kind(words.under) == KIND_LEAF) {
        oct_need_add(n, dims, box, &l->all[list[0]].box, at, level, leaves);
        if (l->plain) {
            oct_edit_count(&l->e, l->ops, words.top, level, at, n);
        }
        return;
    }
    n->siblings += leaves;
    uint32_t tops[8], unders[8];
    load_children(l->e.tree, dims, words.top, tops);
    load_children(l->e.tree, dims, words.under, unders);
    for (uint32_t set = l->ops->children(dims, l->e.shape, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        const rel from = child_position(dims, at, level, i);
        const uint32_t found = layers_in(l, dims, shaped, from, level - 1, list, count);
        self(l, (pair){tops[i], unders[i]}, level - 1, from, list + count, found, n);
    }
}

static void count_boxes(const layers *l, pair words, int level, rel at, uint32_t *list,
                        uint32_t count, need *n)
{
    count_node(l, false, count_boxes, words, level, at, list, count, n);
}

static void count_bodies(const layers *l, pair words, int level, rel at, uint32_t *list,
                         uint32_t count, need *n)
{
    count_node(l, true, count_bodies, words, level, at, list, count, n);
}

// Whether that holds already, by the sizes of boxes alone.
static bool has_room(const oct_tree *tree, const layer *all, uint32_t count)
{
    need bound = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const need each = box_bound(tree, &all[i].box);
        bound.siblings += 4u * each.siblings;
        bound.bricks += 4u * each.bricks;
    }
    return bound.siblings <= pool_room(&tree->siblings) && bound.bricks <= pool_room(&tree->bricks);
}

bool oct_layers_has_room(const oct_tree *tree, const oct_box *cells)
{
    layer one;
    if (!oct_tree_clip(tree, *cells, &one.box)) {
        return false;
    }
    const oct_box inside = oct_tree_unclip(tree, &one.box);
    return box_equal(&inside, cells) && has_room(tree, &one, 1);
}

static oct_result reserve(layers *l, uint32_t count)
{
    oct_tree *tree = l->e.tree;
    need exact = {0, 0, 0};
    (l->bodies ? count_bodies : count_boxes)(l, (pair){tree->root, tree->under}, tree->root_level,
                                             (rel){0, 0, 0}, l->lists, count, &exact);
    return oct_tree_reserve(tree, exact.siblings, exact.bricks);
}

// ---- edits ----

static uint32_t add_layers(const oct_tree *tree, layer *all, const convex **bodies, uint32_t count,
                           const thing_cover *c, size_t covers, uint32_t when)
{
    for (size_t i = 0; i < covers; i++) {
        if (oct_tree_clip(tree, c[i].box, &all[count].box)) {
            bodies[count] = c[i].body;
            all[count].label = c[i].label;
            all[count].when = when;
            count++;
        }
    }
    return count;
}

// A list for every level: the depth may be another when an edit is undone.
oct_result oct_layers_reserve(const oct_tree *tree, size_t covers, oct_array *scratch)
{
    return oct_array_reserve(
        scratch, &tree->allocator, 1,
        covers * (sizeof(layer) + sizeof(convex *) + OCT_LEVEL_MAX * sizeof(uint32_t)));
}

// Clips all layers to the root and makes the root's list of them; how many of them change, and how
// many there are.
static oct_result make_layers(layers *l, const layered_edit *what, oct_array *scratch,
                              uint32_t *changes, uint32_t *count)
{
    const oct_tree *tree = l->e.tree;
    const size_t most = what->other_count + what->was_count + what->now_count;
    OCT_TRY(oct_layers_reserve(tree, most, scratch));
    layer *all = scratch->items;
    const convex **const bodies = (const convex **)(void *)(all + most);
    l->all = all;
    l->lists = (uint32_t *)(void *)(bodies + most);
    l->first =
        (oct_vec){(int32_t)tree->root_min.x, (int32_t)tree->root_min.y, (int32_t)tree->root_min.z};
    *count = add_layers(tree, all, bodies, 0, what->was, what->was_count, BEFORE);
    *count = add_layers(tree, all, bodies, *count, what->now, what->now_count, AFTER);
    *changes = *count;
    *count = add_layers(tree, all, bodies, *count, what->others, what->other_count, BEFORE | AFTER);
    for (uint32_t i = 0; i < *count; i++) {
        l->lists[i] = i;
        l->bodies = bodies[i] || *changes > 2 ? bodies : l->bodies;
    }
    return OCT_OK;
}

static void run(layers *l, uint32_t count)
{
    oct_tree *tree = l->e.tree;
    layer_fn *const visit = l->bodies ? (tree->dims == 3 ? bodies_node_3d : bodies_node_2d)
                                      : (tree->dims == 3 ? boxes_node_3d : boxes_node_2d);
    const pair now = visit(l, (pair){tree->root, tree->under}, tree->root_level, (rel){0, 0, 0},
                           l->lists, count);
    tree->root = now.top;
    tree->under = now.under;
    oct_edit_record(&l->e);
}

static oct_result change_thing(oct_tree *tree, const layered_edit *what, oct_array *scratch)
{
    changing any;
    two_boxes two;
    span bounds;
    uint32_t count;
    layers l = {.e = {.tree = tree, .bounds = &bounds}, .statics = what->statics};
    OCT_TRY(make_layers(&l, what, scratch, &any.count, &count));
    if (any.count == 0) {
        return OCT_OK;
    }
    any.of = &l;
    two.count = any.count;
    bounds = l.all[0].box;
    for (uint32_t i = 0; i < any.count; i++) {
        two.box[i < 2 ? i : 1] = l.all[i].box;
        bounds = span_union(&bounds, &l.all[i].box);
    }
    l.ops = l.bodies ? &changing_ops : &two_ops;
    l.e.shape = l.bodies ? (const void *)&any : &two;
    if (!tree->journal.undoing && !has_room(tree, l.all, any.count)) {
        OCT_TRY(reserve(&l, count));
    }
    run(&l, count);
    return OCT_OK;
}

static oct_result mark_facts(oct_tree *tree, const layered_edit *what, oct_array *scratch)
{
    cell_shape s;
    OCT_TRY(oct_shape_init(tree, what->cells, &s));
    layers l = {.e = {.tree = tree,
                      .shape = &s.as,
                      .bounds = what->cells->kind == CELL_SET_BOX ? &s.as.box : NULL,
                      .mark = rules[what->mark]},
                .ops = s.ops,
                .plain = s.run,
                .statics = what->statics,
                .fixed = !mark_changes_static(what->mark)};
    uint32_t count = 0, none;
    oct_result result = s.empty ? OCT_OK : make_layers(&l, what, scratch, &none, &count);
    if (result == OCT_OK && !s.empty) {
        result = reserve(&l, count);
    }
    if (result == OCT_OK && !s.empty) {
        run(&l, count);
    }
    oct_shape_free(tree, &s);
    return result;
}

// The box of all cells that must lie inside the root.
static oct_box held_by(const layered_edit *what)
{
    oct_box box = {{0, 0, 0}, {0, 0, 0}};
    if (what->cells && what->cells->kind != CELL_SET_OUTSIDE && mark_reaches_outside(what->mark)) {
        return what->cells->box;
    }
    for (size_t i = 0; i < what->now_count; i++) {
        box = what->now[i].label == OCT_BLOCKED ? box_union(box, what->now[i].box) : box;
    }
    return box;
}

oct_result oct_tree_edit_layers(oct_tree *tree, const layered_edit *what, oct_array *scratch)
{
    const oct_box box = held_by(what);
    if (!box_is_empty(tree->dims, &box)) {
        OCT_TRY(oct_tree_hold(tree, &box));
    }
    const oct_result result =
        what->cells ? mark_facts(tree, what, scratch) : change_thing(tree, what, scratch);
    oct_tree_trim(tree);
    return result;
}
