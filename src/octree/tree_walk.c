// SPDX-License-Identifier: MIT
// Walks along a segment from leaf to leaf, exact in integers.
//
// The segment runs from p to p + d on the sub-lattice, each axis mirrored so that d >= 0. It meets
// the plane at coordinate c of an axis at t = (c - p) / d. To compare times of different axes
// without division, all are multiplied by the product of all d that are not 0: time is an integer,
// the segment ends at that product, and the planes of a node's children lie at equal distances in
// time, found by shifts and additions (after Revelles, Urena and Lastra 2000, who use floats).
//
// Two ways. The plain one tries every child of a node in the segment's order, in 128 bits, which
// hold every case. The fast one steps from child to child in 64 bits; it serves where the products
// fit (rays of up to some thousand cells) and only leaves that are entered are asked for.
#include "octant/tree.h"
#include "octree/octree_internal.h"

#define AXES 3

// A segment relative to the root, in sub-lattice steps, mirrored.
typedef struct segment {
    int64_t p[AXES], d[AXES];
    uint32_t flip; // axes that were mirrored: child c of the mirrored tree is child c ^ flip
    uint32_t flat; // axes on which d is 0
} segment;

static segment segment_make(const oct_tree *tree, int dims, oct_fine from, oct_fine to)
{
    const int64_t a[AXES] = {from.x, from.y, from.z}, b[AXES] = {to.x, to.y, to.z};
    const int64_t min[AXES] = {tree->root_min.x, tree->root_min.y, tree->root_min.z};
    const int64_t edge = (int64_t)OCT_FINE << tree->root_level;
    segment s = {.flip = 0};
    for (int i = 0; i < dims; i++) {
        s.p[i] = a[i] - min[i] * OCT_FINE;
        s.d[i] = b[i] - a[i];
        if (s.d[i] < 0) {
            s.p[i] = edge - s.p[i];
            s.d[i] = -s.d[i];
            s.flip |= 1u << i;
        }
        s.flat |= s.d[i] == 0 ? 1u << i : 0u;
    }
    return s;
}

// What a walk does with the leaves it meets.
typedef struct walker {
    const oct_tree *tree;
    oct_labels labels;
    oct_leaf_fn *visit; // NULL: stop at the first
    void *ctx;
    oct_leaf *hit; // where the first goes
} walker;

// Reports a leaf; false to stop.
OCT_FORCE_INLINE bool walker_report(const walker *w, oct_leaf leaf)
{
    if (w->visit) {
        return w->visit(w->ctx, &leaf);
    }
    *w->hit = leaf;
    return false;
}

// A node of the tree or a group of cells inside a brick: the two look the same to a walk.
typedef struct place {
    brick cells;    // of the brick it is in; all of one state for a leaf word
    uint32_t word;  // of the node
    uint32_t first; // bit of the group's first cell
    int level;
    bool in_brick;
} place;

OCT_FORCE_INLINE place place_child(const oct_tree *tree, int dims, const place *parent,
                                   uint32_t child)
{
    place here = *parent;
    here.level--;
    if (parent->in_brick) {
        here.first += child << (dims * here.level);
        return here;
    }
    if (word_kind(parent->word) == KIND_BRICK) {
        here.cells = *tree_brick(tree, word_index(parent->word));
        here.first = child << (dims * here.level);
        here.in_brick = true;
        return here;
    }
    here.word = tree_siblings(tree, dims, word_index(parent->word))[child];
    return here;
}

OCT_FORCE_INLINE bool place_is_leaf(int dims, const place *here, oct_label *label)
{
    if (!here->in_brick) {
        *label = word_label(here->word);
        return word_kind(here->word) == KIND_LEAF;
    }
    const uint32_t width = 1u << (dims * here->level);
    const uint64_t all = (UINT64_C(1) << width) - 1u;
    const uint64_t known = here->cells.known >> here->first & all;
    const uint64_t blocked = here->cells.blocked >> here->first & all;
    *label = blocked ? OCT_BLOCKED : known ? OCT_OPEN : OCT_UNKNOWN;
    return (known == 0 || known == all) && (blocked == 0 || blocked == all);
}

// Whether one of the labels may occur in a place. (Inside a brick only leaves answer exactly.)
OCT_FORCE_INLINE bool place_may_have(const place *here, oct_labels labels)
{
    return here->in_brick || (word_labels(here->word) & labels);
}

// ---- the plain way ----

typedef struct plain {
    const walker *walker;
    int dims;
    bool touched;
    segment s;
    oct_int128 scale[AXES]; // time per sub-lattice step; 1 on flat axes
    oct_int128 end;
} plain;

// A node that the segment meets. On flat axes `begin` is a distance, not a time.
typedef struct member {
    place here;
    rel at;
    oct_int128 begin[AXES];
} member;

// Whether the segment meets the cube of `level` that begins there.
static bool plain_meets(const plain *w, const oct_int128 begin[AXES], int level)
{
    oct_int128 in = 0, out = w->end;
    for (int i = 0; i < w->dims; i++) {
        const oct_int128 leave = begin[i] + (w->scale[i] << level) * OCT_FINE;
        if (w->s.flat >> i & 1u) {
            if (w->touched ? begin[i] > 0 || leave < 0 : begin[i] >= 0 || leave <= 0) {
                return false;
            }
            continue;
        }
        in = begin[i] > in ? begin[i] : in;
        out = leave < out ? leave : out;
    }
    return w->touched ? in <= out : in < out;
}

// Adds a child of a member, given mirrored, to a bunch if the segment meets it.
static uint32_t plain_add(const plain *w, const member *parent, uint32_t child, member *bunch,
                          uint32_t count)
{
    member m = {.begin = {0, 0, 0}};
    const int level = parent->here.level;
    for (int i = 0; i < w->dims; i++) {
        const oct_int128 half = (w->scale[i] << (level - 1)) * OCT_FINE;
        m.begin[i] = parent->begin[i] + (child >> i & 1u ? half : 0);
    }
    if (!plain_meets(w, m.begin, level - 1)) {
        return count;
    }
    m.here = place_child(w->walker->tree, w->dims, &parent->here, child ^ w->s.flip);
    m.at = child_position(w->dims, parent->at, level, child ^ w->s.flip);
    if (!place_may_have(&m.here, w->walker->labels)) {
        return count;
    }
    bunch[count] = m;
    return count + 1u;
}

// Visits a bunch of nodes of one level that the segment meets over the same time: one, or several
// where it runs in the planes between them. A child comes before another if it is lower on an axis
// along which the segment moves; children that differ on flat axes alone go on as a bunch.
static bool plain_visit(const plain *w, member *bunch, uint32_t count)
{
    const uint32_t children = 1u << w->dims;
    uint32_t inner = 0;
    for (uint32_t i = 0; i < count; i++) {
        oct_label label;
        if (!place_is_leaf(w->dims, &bunch[i].here, &label)) {
            bunch[inner++] = bunch[i];
        } else if (w->walker->labels >> label & 1u) {
            const int level = bunch[i].here.level;
            if (!walker_report(w->walker,
                               leaf_make(w->walker->tree, w->dims, bunch[i].at, level, label))) {
                return false;
            }
        }
    }
    for (uint32_t moving = 0; inner > 0 && moving < children; moving++) {
        if (moving & w->s.flat) {
            continue;
        }
        member below[1 << AXES];
        uint32_t met = 0;
        for (uint32_t i = 0; i < inner; i++) {
            for (uint32_t flat = 0; flat < children; flat++) {
                if (!(flat & ~w->s.flat)) {
                    met = plain_add(w, &bunch[i], moving | flat, below, met);
                }
            }
        }
        if (met > 0 && !plain_visit(w, below, met)) {
            return false;
        }
    }
    return true;
}

static bool walk_plain(const walker *to, int dims, const segment *s, bool touched)
{
    plain w = {.walker = to, .dims = dims, .touched = touched, .s = *s, .end = 1};
    member root = {.here = {.word = to->tree->root, .level = to->tree->root_level}};
    for (int i = 0; i < dims; i++) {
        w.end *= s->d[i] ? s->d[i] : 1;
    }
    for (int i = 0; i < dims; i++) {
        w.scale[i] = s->d[i] ? w.end / s->d[i] : 1;
        root.begin[i] = -s->p[i] * w.scale[i];
    }
    return !plain_meets(&w, root.begin, root.here.level) || plain_visit(&w, &root, 1);
}

// ---- the fast way ----

// When the segment meets the planes between cells: the lower side of cell c at begin + c * step.
typedef struct course {
    int64_t begin[AXES];
    int64_t step[AXES];
    uint64_t per_step[AXES]; // 2^64 / step
    uint32_t mirror[AXES];   // what turns a mirrored cell into the tree's own, by xor
    int64_t end;
    uint32_t on_plane; // flat axes on which the segment runs in a plane between cells
} course;

// Makes a course, if its times fit into 64 bits.
static bool course_make(int dims, const segment *s, int root_level, course *out)
{
    uint32_t bits = 0;
    for (int i = 0; i < dims; i++) {
        bits += oct_bit_length((uint64_t)s->d[i]);
    }
    if (bits > 61 || root_level > 31) {
        return false;
    }
    int64_t d[AXES] = {1, 1, 1};
    for (int i = 0; i < dims; i++) {
        d[i] = s->d[i] ? s->d[i] : 1;
    }
    const int64_t others[AXES] = {d[1] * d[2], d[0] * d[2], d[0] * d[1]};
    out->end = d[0] * others[0];
    out->on_plane = 0;
    for (int i = 0; i < dims; i++) {
        // On a flat axis every plane but the one through p lies before the start or after the end.
        const int64_t scale = s->d[i] ? others[i] : out->end + 1;
        const uint64_t p = s->p[i] < 0 ? (uint64_t)-s->p[i] : (uint64_t)s->p[i];
        const uint64_t farthest = p | (uint64_t)OCT_FINE << root_level;
        if (oct_bit_length(farthest) + 1u + oct_bit_length((uint64_t)scale) > 62u) {
            return false;
        }
        out->begin[i] = -s->p[i] * scale;
        out->step[i] = scale * OCT_FINE;
        out->per_step[i] = UINT64_MAX / (uint64_t)out->step[i];
        out->mirror[i] = s->flip >> i & 1u ? (uint32_t)((UINT64_C(1) << root_level) - 1u) : 0u;
        out->on_plane |= s->d[i] == 0 && p % OCT_FINE == 0 ? 1u << i : 0u;
    }
    return true;
}

// The cell of an axis that the segment is in from a time on: the last whose lower plane it has met.
// Times are below 2^62, so that the product is at most one too small, which the remainder tells.
OCT_FORCE_INLINE uint32_t course_cell(const course *t, int axis, int64_t time)
{
    const int64_t passed = time - t->begin[axis];
    const int64_t cell = (int64_t)oct_multiply_high((uint64_t)passed, t->per_step[axis]);
    return (uint32_t)(cell + (passed - cell * t->step[axis] >= t->step[axis]));
}

// Where a walk is: in a node, and there in a cell (mirrored).
typedef struct cursor {
    uint32_t cell[AXES];
    int level;
    uint32_t words[OCT_LEVEL_MAX + 1]; // of the nodes on the way down, by level
    brick cells;                       // of the brick it is in, or was last
    uint64_t wanted;                   // those of them with one of the labels
} cursor;

// Whether the segment enters the root; puts the cursor there.
OCT_FORCE_INLINE bool cursor_start(cursor *c, int dims, const segment *s, const course *t,
                                   const oct_tree *tree, oct_labels labels)
{
    const int64_t edge = INT64_C(1) << tree->root_level;
    int64_t in = 0, out = t->end;
    for (int i = 0; i < dims; i++) {
        const int64_t leave = t->begin[i] + edge * t->step[i];
        if ((s->flat >> i & 1u) && (t->begin[i] >= 0 || leave <= 0)) {
            return false;
        }
        in = t->begin[i] > in ? t->begin[i] : in;
        out = leave < out ? leave : out;
    }
    if (in >= out) {
        return false;
    }
    for (int i = 0; i < dims; i++) {
        c->cell[i] = course_cell(t, i, in);
    }
    c->level = tree->root_level;
    c->words[c->level] = tree->root;
    const bool is_brick = word_kind(tree->root) == KIND_BRICK;
    c->cells = is_brick ? *tree_brick(tree, word_index(tree->root)) : (brick){0, 0};
    c->wanted = brick_with(c->cells, labels);
    return true;
}

// The cursor's cell in the tree's own coordinates.
OCT_FORCE_INLINE rel cursor_cell(const cursor *c, int dims, const course *t)
{
    return (rel){c->cell[0] ^ t->mirror[0], c->cell[1] ^ t->mirror[1],
                 dims == 3 ? c->cell[2] ^ t->mirror[2] : 0u};
}

// Whether the segment runs in the plane between the children of the node of `level`, so that it
// enters none of them.
OCT_FORCE_INLINE bool cursor_between(const cursor *c, int dims, const course *t, int level)
{
    const uint32_t half = 1u << (level - 1);
    bool between = false;
    for (int i = 0; i < dims; i++) {
        between |= (t->on_plane >> i & 1u) && (c->cell[i] & (2u * half - 1u)) == half;
    }
    return between;
}

// When the segment leaves the cursor's node, and whether through several of its planes at once; the
// segment's end where it does not.
OCT_FORCE_INLINE int64_t cursor_leave(const cursor *c, int dims, const course *t, bool *tied)
{
    const uint32_t last = (1u << c->level) - 1u;
    int64_t leave = t->end;
    *tied = false;
    for (int i = 0; i < dims; i++) {
        const int64_t plane = t->begin[i] + ((int64_t)(c->cell[i] | last) + 1) * t->step[i];
        *tied = plane == leave || (*tied && plane > leave);
        leave = plane < leave ? plane : leave;
    }
    return leave;
}

// Goes on through every plane that is reached then, and up to the lowest node that holds both
// sides; false at the end of the segment or of the root.
OCT_FORCE_INLINE bool cursor_go(cursor *c, int dims, const course *t, int root_level, int64_t leave)
{
    const uint32_t last = (1u << c->level) - 1u;
    if (leave == t->end) {
        return false;
    }
    uint32_t differ = 0;
    for (int i = 0; i < dims; i++) {
        const uint32_t to = course_cell(t, i, leave);
        differ |= to ^ c->cell[i];
        c->cell[i] = to;
    }
    // On axes that were not crossed the cells differ below the node's level at most.
    c->level = (int)oct_bit_length(differ & ~last);
    return c->level <= root_level;
}

// Goes down from the cursor's node, which has children, to a leaf with one of the labels (true) or
// to a node that has none of them, or that the segment does not enter.
OCT_FORCE_INLINE bool cursor_down(cursor *c, int dims, const walker *w, const course *t,
                                  oct_label *label)
{
    const rel at = cursor_cell(c, dims, t);
    if (c->level > brick_level(dims)) {
        uint32_t word = c->words[c->level];
        do {
            if (OCT_UNLIKELY(t->on_plane) && cursor_between(c, dims, t, c->level)) {
                return false;
            }
            word = tree_siblings(w->tree, dims, word_index(word))[child_at(dims, c->level, at)];
            c->words[--c->level] = word;
            if (!(word_labels(word) & w->labels)) {
                return false;
            }
        } while (word_kind(word) == KIND_INNER);
        if (word_kind(word) == KIND_LEAF) {
            *label = word_label(word);
            return true;
        }
        c->cells = *tree_brick(w->tree, word_index(word));
        c->wanted = brick_with(c->cells, w->labels);
    }
    const uint32_t bit = morton_index(dims, at.x, at.y, at.z);
    for (;;) {
        if (OCT_UNLIKELY(t->on_plane) && cursor_between(c, dims, t, c->level)) {
            return false;
        }
        const uint32_t width = 1u << (dims * --c->level);
        const uint64_t group = ((UINT64_C(1) << width) - 1u) << (bit & ~(width - 1u));
        if (!(c->wanted & group)) {
            return false;
        }
        const uint64_t known = c->cells.known & group, blocked = c->cells.blocked & group;
        if ((known == 0 || known == group) && (blocked == 0 || blocked == group)) {
            *label = blocked ? OCT_BLOCKED : known ? OCT_OPEN : OCT_UNKNOWN;
            return true;
        }
    }
}

// The leaf that the cursor is in.
OCT_FORCE_INLINE oct_leaf cursor_leaf(const cursor *c, int dims, const walker *w, const course *t,
                                      oct_label label)
{
    const rel cell = cursor_cell(c, dims, t);
    const uint32_t high = ~(uint32_t)((UINT64_C(1) << c->level) - 1u);
    const rel at = {cell.x & high, cell.y & high, cell.z & high};
    return leaf_make(w->tree, dims, at, c->level, label);
}

OCT_FORCE_INLINE bool walk_fast(const walker *w, int dims, const segment *s, const course *t)
{
    const oct_tree *tree = w->tree;
    const int root_level = tree->root_level;
    cursor c;
    if (!cursor_start(&c, dims, s, t, tree, w->labels)) {
        return true;
    }
    if (word_kind(tree->root) == KIND_LEAF) {
        return walker_report(
            w, leaf_make(tree, dims, (rel){0, 0, 0}, root_level, word_label(tree->root)));
    }
    int64_t leave;
    bool tied;
    do {
        oct_label label = OCT_UNKNOWN;
        if (cursor_down(&c, dims, w, t, &label)) {
            if (!walker_report(w, cursor_leaf(&c, dims, w, t, label))) {
                return false;
            }
        }
        leave = cursor_leave(&c, dims, t, &tied);
    } while (cursor_go(&c, dims, t, root_level, leave));
    return true;
}

// ---- lines that are free ----

// Whether the cursor, which has just gone through several planes of a node at once, came from the
// cell before to the cell behind over faces, through cells without the labels.
static bool cursor_is_joined(const cursor *c, int dims, const walker *w, const course *t,
                             int64_t when)
{
    uint32_t on = 0; // axes on which the segment is in a plane just then
    for (int i = 0; i < dims; i++) {
        on |= t->begin[i] + (int64_t)c->cell[i] * t->step[i] == when ? 1u << i : 0u;
    }
    // The cell before is octant 0, the one behind octant `on`; both are without.
    uint32_t without = 1u | 1u << on;
    for (uint32_t o = (on - 1u) & on; o; o = (o - 1u) & on) {
        uint32_t at[AXES] = {0, 0, 0};
        for (int i = 0; i < dims; i++) {
            at[i] = (c->cell[i] - (on >> i & ~o >> i & 1u)) ^ t->mirror[i];
        }
        const corner min = w->tree->root_min;
        const oct_vec cell = {(int32_t)(at[0] + (uint32_t)min.x),
                              (int32_t)(at[1] + (uint32_t)min.y),
                              (int32_t)(at[2] + (uint32_t)min.z)};
        without |= w->labels >> oct_tree_label(w->tree, cell) & 1u ? 0u : 1u << o;
    }
    return octants_joined(1u, without) >> on & 1u;
}

OCT_FORCE_INLINE tree_clear clear_line(const walker *w, int dims, oct_fine from, oct_fine to,
                                       bool squeezes)
{
    if (!(word_labels(w->tree->root) & w->labels) || tree_is_empty(w->tree)) {
        return TREE_CLEAR_YES;
    }
    const segment s = segment_make(w->tree, dims, from, to);
    course t;
    if (!course_make(dims, &s, w->tree->root_level, &t)) {
        return TREE_CLEAR_UNSURE;
    }
    const int root_level = w->tree->root_level;
    cursor c;
    if (!cursor_start(&c, dims, &s, &t, w->tree, w->labels)) {
        return TREE_CLEAR_YES;
    }
    if (word_kind(w->tree->root) == KIND_LEAF) {
        return TREE_CLEAR_NO;
    }
    for (;;) {
        oct_label label;
        bool tied;
        if (cursor_down(&c, dims, w, &t, &label)) {
            return TREE_CLEAR_NO;
        }
        const int64_t leave = cursor_leave(&c, dims, &t, &tied);
        if (!cursor_go(&c, dims, &t, root_level, leave)) {
            return TREE_CLEAR_YES;
        }
        if (OCT_UNLIKELY(tied) && !squeezes && !cursor_is_joined(&c, dims, w, &t, leave)) {
            return TREE_CLEAR_NO;
        }
    }
}

tree_clear oct_tree_clear_line(const oct_tree *tree, oct_fine from, oct_fine to, oct_labels labels,
                               bool squeezes)
{
    const walker w = {.tree = tree, .labels = labels};
    return tree->dims == 3 ? clear_line(&w, 3, from, to, squeezes)
                           : clear_line(&w, 2, from, to, squeezes);
}

// ---- both ----

OCT_FORCE_INLINE bool walk(const walker *w, int dims, oct_fine from, oct_fine to, oct_walk mode)
{
    if (!(word_labels(w->tree->root) & w->labels) || tree_is_empty(w->tree)) {
        return true;
    }
    const segment s = segment_make(w->tree, dims, from, to);
    course t;
    if (mode == OCT_WALK_ENTERED && course_make(dims, &s, w->tree->root_level, &t)) {
        return walk_fast(w, dims, &s, &t);
    }
    return walk_plain(w, dims, &s, mode == OCT_WALK_TOUCHED);
}

bool oct_tree_walk(const oct_tree *tree, oct_fine from, oct_fine to, oct_walk mode,
                   oct_leaf_fn *visit, void *ctx)
{
    const walker w = {.tree = tree, .labels = OCT_HAS_ANY, .visit = visit, .ctx = ctx};
    return tree->dims == 3 ? walk(&w, 3, from, to, mode) : walk(&w, 2, from, to, mode);
}

bool oct_tree_walk_plain(const oct_tree *tree, oct_fine from, oct_fine to, oct_walk mode,
                         oct_leaf_fn *visit, void *ctx)
{
    const walker w = {.tree = tree, .labels = OCT_HAS_ANY, .visit = visit, .ctx = ctx};
    const segment s = segment_make(tree, tree->dims, from, to);
    return tree_is_empty(tree) || walk_plain(&w, tree->dims, &s, mode == OCT_WALK_TOUCHED);
}

bool oct_tree_raycast(const oct_tree *tree, oct_fine from, oct_fine to, oct_labels labels,
                      oct_leaf *hit)
{
    const walker w = {.tree = tree, .labels = labels, .hit = hit};
    return tree->dims == 3 ? !walk(&w, 3, from, to, OCT_WALK_ENTERED)
                           : !walk(&w, 2, from, to, OCT_WALK_ENTERED);
}
