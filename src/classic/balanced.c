// SPDX-License-Identifier: MIT
// The progressive octree: leaves divided until those that touch differ by one level at most.
//
// Nothing is built. Where a cube of level k is not one leaf, what touches it may be of level k at
// most: so every cube of level k + 1 that touches it is divided, then every cube of level k + 2
// that touches one of those, and so on. At level L this has come 2^(k+1) + ... + 2^(L-1) =
// 2^L - 2^(k+1) cells far, and since cubes lie at multiples of their size nothing that near is left
// out. Hence: a cube of level L inside one leaf is divided if and only if, for some k from 1 to
// L - 1, a cube of level k that is not one leaf lies within its box grown by 2^L - 2^k cells. One
// descent finds out, and a hash table remembers it.
//
// Cubes above level 30 are always divided, since those outside the root are of level 29 at most.
#include "base/hash.h"
#include "classic/leaves.h"
#include "classic/touch.h"
#include "octant/tree.h"
#include "search/descend.h"

#define LEVEL_MOST (OUTSIDE_LEVEL_MAX + 1)

// A cube of 2^level cells a side, relative to the root.
typedef struct cube {
    int64_t x, y, z;
    int level;
} cube;

// ---- what has to be divided ----

// Whether a cube of level `level` lies within n grown by 2^L - 2^level.
OCT_FORCE_INLINE bool is_within(int dims, const cube *n, int64_t x, int64_t y, int64_t z, int level)
{
    const int64_t edge = INT64_C(1) << n->level, inner = INT64_C(1) << level;
    const int64_t least_at = inner - edge, most_at = 2 * (edge - inner);
    return x - n->x >= least_at && x - n->x <= most_at && y - n->y >= least_at &&
           y - n->y <= most_at && (dims == 2 || (z - n->z >= least_at && z - n->z <= most_at));
}

// One axis of the same box, clipped to the root.
OCT_FORCE_INLINE bool reach_axis(int64_t at, int64_t edge, int64_t inner, int64_t root_edge,
                                 uint32_t *lo, uint32_t *hi)
{
    const int64_t from = at - edge + inner, to = at + 2 * edge - inner;
    *lo = (uint32_t)(from > 0 ? from : 0);
    *hi = (uint32_t)((to < root_edge ? to : root_edge) - 1);
    return from < root_edge && to > 0;
}

OCT_FORCE_INLINE bool reach_of(const oct_tree *tree, int dims, const cube *n, int level, span *out)
{
    const int64_t root_edge = INT64_C(1) << tree->root_level;
    const int64_t edge = INT64_C(1) << n->level, inner = INT64_C(1) << level;
    *out = (span){{0, 0, 0}, {0, 0, 0}};
    return reach_axis(n->x, edge, inner, root_edge, &out->lo.x, &out->hi.x) &&
           reach_axis(n->y, edge, inner, root_edge, &out->lo.y, &out->hi.y) &&
           (dims == 2 || reach_axis(n->z, edge, inner, root_edge, &out->lo.z, &out->hi.z));
}

// Whether a mixed group of cells of a brick, which meets the reach for level 1, is near enough.
OCT_FORCE_INLINE bool brick_divides(const oct_tree *tree, int dims, const cube *n,
                                    const span *reach, node here)
{
    const brick cells = *tree_brick(tree, word_index(here.word));
    if (~group_uniform(cells, 1u << dims) & span_mask(dims, reach, here.at)) {
        return true;
    }
    span nearer;
    if (dims == 3 || n->level <= 2 || !reach_of(tree, dims, n, 2, &nearer)) {
        return false;
    }
    const span whole = span_of(dims, here.at, here.level);
    const bool meets = nearer.lo.x <= whole.hi.x && nearer.hi.x >= whole.lo.x &&
                       nearer.lo.y <= whole.hi.y && nearer.hi.y >= whole.lo.y;
    return meets && (~group_uniform(cells, 16) & span_mask(dims, &nearer, here.at)) != 0;
}

// Whether an inner node or brick is near enough as a whole.
OCT_FORCE_INLINE bool node_divides(int dims, const cube *n, node here)
{
    return here.level < n->level && is_within(dims, n, here.at.x, here.at.y, here.at.z, here.level);
}

// The cubes that hold the root and more are divided as well.
static bool outside_divides(const oct_tree *tree, const cube *n)
{
    for (int level = tree->root_level + 1; level < n->level; level++) {
        if (is_within(tree->dims, n, 0, 0, 0, level)) {
            return true;
        }
    }
    return false;
}

OCT_FORCE_INLINE bool inside_divides(const oct_tree *tree, int dims, const cube *n)
{
    span reach;
    if (!reach_of(tree, dims, n, 1, &reach)) {
        return false;
    }
    scan waiting;
    scan_start(&waiting, common_node(tree, dims, reach.lo, reach.hi));
    if (word_kind(waiting.stack[0].word) == KIND_LEAF) {
        return false;
    }
    if (node_divides(dims, n, waiting.stack[0])) {
        return true;
    }
    while (waiting.top > 0) {
        const node here = waiting.stack[--waiting.top];
        if (word_kind(here.word) == KIND_BRICK) {
            if (brick_divides(tree, dims, n, &reach, here)) {
                return true;
            }
            continue;
        }
        const uint32_t *children = tree_siblings(tree, dims, word_index(here.word));
        for (uint32_t set = span_children(dims, &reach, here.at, here.level); set;
             set &= set - 1u) {
            const uint32_t child = oct_lowest_bit(set);
            const node below = {children[child], here.level - 1,
                                child_position(dims, here.at, here.level, child)};
            if (word_kind(below.word) == KIND_LEAF) {
                continue;
            }
            if (node_divides(dims, n, below)) {
                return true;
            }
            waiting.stack[waiting.top++] = below;
        }
    }
    return false;
}

// Whether a cube inside one leaf has to be divided.
static bool must_divide(const oct_tree *tree, const cube *n)
{
    if (outside_divides(tree, n)) {
        return true;
    }
    return tree->dims == 3 ? inside_divides(tree, 3, n) : inside_divides(tree, 2, n);
}

// ---- what is remembered ----

// A cube, and what was found out about it and its children: those around a leaf lie in few parents,
// and are asked for together. Slots with another stamp are empty.
typedef struct slot {
    rel index;    // the position in cubes of this size; one more bit of x, on top, tells the size
    uint32_t tag; // bits 0 to 8: known; 9 to 17: divided; from 18: stamp
} slot;
_Static_assert(sizeof(slot) == 16, "four slots in a cache line");

#define SLOT_OWN 8 // the bit of the cube itself, after those of its children
#define SLOT_DIVIDED 9
#define STAMP_SHIFT 18
#define STAMP_MAX (UINT32_MAX >> STAMP_SHIFT)

// Slots, as powers of two. At most three quarters of them are used; where that would not be enough
// at the largest size (16 MB) everything is forgotten.
#define BITS_FIRST 10
#define BITS_MOST 20

struct balanced {
    oct_allocator allocator;
    const oct_tree *tree; // whose cubes these are, at this revision
    uint64_t revision;
    corner root_min;
    int root_level;
    int bits;
    uint32_t count;
    uint32_t stamp;
    slot *slots;
};

static size_t slots_bytes(int bits)
{
    return sizeof(slot) << bits;
}

static slot *slots_create(const oct_allocator *allocator, int bits)
{
    slot *slots = oct_alloc(allocator, slots_bytes(bits), OCT_CACHE_LINE);
    if (slots) {
        memset(slots, 0, slots_bytes(bits));
    }
    return slots;
}

oct_result oct_balanced_create(const oct_allocator *allocator, balanced **out)
{
    const oct_allocator memory = oct_allocator_or_default(allocator);
    balanced *b = oct_alloc(&memory, sizeof *b, _Alignof(balanced));
    *out = NULL;
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    *b = (balanced){.allocator = memory, .bits = BITS_FIRST, .stamp = 1};
    b->slots = slots_create(&memory, b->bits);
    if (!b->slots) {
        oct_free(&memory, b, sizeof *b);
        return OCT_ERROR_MEMORY;
    }
    *out = b;
    return OCT_OK;
}

void oct_balanced_destroy(balanced *b)
{
    if (b) {
        const oct_allocator memory = b->allocator;
        oct_free(&memory, b->slots, slots_bytes(b->bits));
        oct_free(&memory, b, sizeof *b);
    }
}

size_t oct_balanced_bytes(const balanced *b)
{
    return sizeof *b + slots_bytes(b->bits);
}

static void forget(balanced *b)
{
    b->count = 0;
    if (b->stamp++ == STAMP_MAX) {
        memset(b->slots, 0, slots_bytes(b->bits));
        b->stamp = 1;
    }
}

void oct_balanced_begin(balanced *b, const view *v)
{
    const oct_tree *tree = v->tree;
    const corner min = tree->root_min;
    if (b->tree != tree || b->revision != oct_tree_revision(tree) ||
        b->root_level != tree->root_level || b->root_min.x != min.x || b->root_min.y != min.y ||
        b->root_min.z != min.z) {
        forget(b);
        b->tree = tree;
        b->revision = oct_tree_revision(tree);
        b->root_level = tree->root_level;
        b->root_min = min;
    }
}

// The slot with an index, or the empty one where it belongs.
OCT_FORCE_INLINE slot *slot_find(const balanced *b, rel index)
{
    const uint64_t key = index.x * OCT_HASH_FACTOR ^ index.y * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                         index.z * UINT64_C(0x165667b19e3779f9);
    const uint64_t hash = (key ^ key >> 32) * OCT_HASH_FACTOR;
    const uint32_t mask = (1u << b->bits) - 1u;
    for (uint32_t i = (uint32_t)(hash >> (64 - b->bits));; i = (i + 1u) & mask) {
        slot *s = &b->slots[i];
        const bool same = s->index.x == index.x && s->index.y == index.y && s->index.z == index.z;
        if (same || s->tag >> STAMP_SHIFT != b->stamp) {
            return s;
        }
    }
}

// Makes room for one more.
static oct_result make_room(balanced *b)
{
    if ((uint64_t)(b->count + 1u) * 4u <= UINT64_C(3) << b->bits) {
        return OCT_OK;
    }
    if (b->bits == BITS_MOST) {
        forget(b);
        return OCT_OK;
    }
    balanced larger = *b;
    larger.bits++;
    larger.slots = slots_create(&b->allocator, larger.bits);
    if (!larger.slots) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < (size_t)1 << b->bits; i++) {
        const slot *s = &b->slots[i];
        if (s->tag >> STAMP_SHIFT == b->stamp) {
            *slot_find(&larger, s->index) = *s;
        }
    }
    oct_free(&b->allocator, b->slots, slots_bytes(b->bits));
    *b = larger;
    return OCT_OK;
}

// The slot of a cube of level 1 to 31, which stays where it is until another one is asked for.
static oct_result slot_get(balanced *b, const cube *n, slot **out)
{
    const uint32_t size = 1u << (32 - n->level);
    const rel index = {(uint32_t)n->x >> n->level | size, (uint32_t)n->y >> n->level,
                       (uint32_t)n->z >> n->level};
    slot *s = slot_find(b, index);
    if (OCT_UNLIKELY(s->tag >> STAMP_SHIFT != b->stamp)) {
        OCT_TRY(make_room(b));
        s = slot_find(b, index);
        *s = (slot){index, b->stamp << STAMP_SHIFT};
        b->count++;
    }
    *out = s;
    return OCT_OK;
}

// Whether a cube inside one leaf is divided. It is known to the slot of a cube, which may be NULL
// still, by a bit: that of a child, or the cube's own.
static oct_result is_divided(balanced *b, const cube *of, slot **s, uint32_t bit, const cube *n,
                             bool *out)
{
    *out = n->level > LEVEL_MOST;
    if (n->level < 2 || *out) {
        return OCT_OK;
    }
    if (!*s) {
        OCT_TRY(slot_get(b, of, s));
    }
    if (OCT_UNLIKELY(!((*s)->tag >> bit & 1u))) {
        const uint32_t divided = must_divide(b->tree, n);
        (*s)->tag |= 1u << bit | divided << (bit + SLOT_DIVIDED);
    }
    *out = (*s)->tag >> (bit + SLOT_DIVIDED) & 1u;
    return OCT_OK;
}

// ---- leaves ----

// The cube of a level that holds a place, relative to the root.
OCT_FORCE_INLINE cube cube_at(int64_t x, int64_t y, int64_t z, int level)
{
    const int64_t low = (INT64_C(1) << level) - 1;
    return (cube){x - (x & low), y - (y & low), z - (z & low), level};
}

OCT_FORCE_INLINE cube cube_child(const cube *n, uint32_t child)
{
    const int64_t half = INT64_C(1) << (n->level - 1);
    return (cube){n->x + (child & 1u ? half : 0), n->y + (child & 2u ? half : 0),
                  n->z + (child & 4u ? half : 0), n->level - 1};
}

// Which child of the next larger cube a cube is.
OCT_FORCE_INLINE uint32_t cube_which(const cube *n)
{
    return (uint32_t)(n->x >> n->level & 1) | (uint32_t)(n->y >> n->level & 1) << 1 |
           (uint32_t)(n->z >> n->level & 1) << 2;
}

static oct_leaf cube_leaf(const oct_tree *tree, const cube *n, oct_label label)
{
    return (oct_leaf){(int32_t)(tree->root_min.x + n->x),
                      (int32_t)(tree->root_min.y + n->y),
                      (int32_t)(tree->root_min.z + n->z),
                      (uint8_t)n->level,
                      (uint8_t)label,
                      0};
}

oct_result oct_balanced_leaf(balanced *b, const view *v, oct_vec cell, oct_leaf *out)
{
    OCT_ASSERT(b->tree == v->tree && b->revision == oct_tree_revision(v->tree));
    const corner root = v->tree->root_min;
    const oct_leaf leaf = oct_view_leaf(v, cell);
    const int64_t x = cell.x - root.x, y = cell.y - root.y;
    const int64_t z = v->dims == 3 ? cell.z - root.z : 0;
    cube n = cube_at(x, y, z, leaf.level);
    slot *s = NULL;
    bool divided;
    OCT_TRY(is_divided(b, &n, &s, SLOT_OWN, &n, &divided));
    while (divided) {
        const cube child = cube_at(x, y, z, n.level - 1);
        OCT_TRY(is_divided(b, &n, &s, cube_which(&child), &child, &divided));
        n = child;
        s = NULL;
    }
    *out = cube_leaf(v->tree, &n, leaf.label);
    return OCT_OK;
}

// ---- neighbours ----

// The cubes of its own size around a leaf lie in eight cubes of the next size (four at two
// dimensions): its parent, and those beside it on the axes where the leaf is next to them.
typedef struct request {
    balanced *b;
    const view *v;
    cube n;
    uint32_t which;      // child of its parent
    oct_box box;         // its part within the bounds
    uint32_t directions; // that exist
    uint8_t wanted[8];   // the same in another order, see request_sides
    bool in_bounds;      // whether the bounds hold all those cubes
    bool in_root;        // whether the root does
    node common;         // and which node
    const oct_allocator *allocator;
    oct_array *out;
} request;

// One axis of a cube's part within the bounds.
OCT_FORCE_INLINE bool part_axis(int64_t from, int64_t edge, int32_t min, int32_t max,
                                int32_t *part_min, int32_t *part_max)
{
    const int64_t to = from + edge;
    *part_min = from > min ? (int32_t)from : min;
    *part_max = to < max ? (int32_t)to : max;
    return from < max && to > min;
}

// A cube's part within the bounds; false where there is none.
OCT_FORCE_INLINE bool part_of(const view *v, const cube *n, oct_box *out)
{
    const corner root = v->tree->root_min;
    const oct_box *b = &v->bounds;
    const int64_t edge = INT64_C(1) << n->level;
    *out = *b;
    return part_axis(root.x + n->x, edge, b->min.x, b->max.x, &out->min.x, &out->max.x) &&
           part_axis(root.y + n->y, edge, b->min.y, b->max.y, &out->min.y, &out->max.y) &&
           (v->dims == 2 ||
            part_axis(root.z + n->z, edge, b->min.z, b->max.z, &out->min.z, &out->max.z));
}

// What the tree knows of a cube that has a part within the bounds.
typedef struct state {
    bool whole;      // it is inside one leaf
    oct_label label; // of that leaf
    node at;         // where it is in the tree, or a leaf or brick that holds it
} state;

OCT_FORCE_INLINE state state_below(const request *r, int dims, node at, const cube *n)
{
    const oct_tree *tree = r->v->tree;
    const rel cell = {(uint32_t)n->x, (uint32_t)n->y, (uint32_t)n->z};
    while (at.level > n->level && word_kind(at.word) == KIND_INNER) {
        at.word = tree_siblings(tree, dims, word_index(at.word))[child_at(dims, at.level, cell)];
        at.level--;
    }
    if (word_kind(at.word) == KIND_LEAF) {
        return (state){true, word_label(at.word), at};
    }
    if (at.level == n->level) {
        return (state){.whole = false, .at = at};
    }
    const oct_leaf leaf = leaf_below(tree, dims, at, cell);
    return (state){leaf.level >= n->level, (oct_label)leaf.label, at};
}

// The same from a node that holds it, where the root holds all that is near.
static state state_of(const request *r, node from, const cube *n)
{
    if (OCT_LIKELY(r->in_root)) {
        return r->v->dims == 3 ? state_below(r, 3, from, n) : state_below(r, 2, from, n);
    }
    oct_box part;
    part_of(r->v, n, &part);
    const oct_leaf leaf = oct_view_leaf(r->v, part.min);
    return (state){leaf.level >= n->level, (oct_label)leaf.label, from};
}

// Adds a free leaf, if it is near within the bounds.
static oct_result add_leaf(request *r, const cube *n, oct_label label)
{
    oct_box part;
    if (!r->in_bounds &&
        (!part_of(r->v, n, &part) || !box_touches(&r->box, &part, r->directions))) {
        return OCT_OK;
    }
    const oct_leaf leaf = cube_leaf(r->v->tree, n, label);
    return oct_array_push(r->out, r->allocator, sizeof leaf, &leaf);
}

// A cube of the leaf's size next to it lies above it on some axes and below it on others. On the
// axes where that leads out of its parent it is apart, on the others beside it: a leaf that is up
// in its parent has what is above it apart, and what is below it beside it.
typedef struct side {
    uint32_t above, below;
} side;

OCT_FORCE_INLINE side side_of(const request *r, uint32_t apart, uint32_t beside)
{
    const uint32_t up = r->which;
    return (side){(apart & up) | (beside & ~up), (apart & ~up) | (beside & up)};
}

// For every set of axes apart: the sets of axes beside that are wanted, as bits.
static void request_sides(request *r)
{
    const uint32_t up = r->which;
    for (uint32_t set = r->directions; set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set), x = i % 3, y = i / 3 % 3, z = i / 9;
        const uint32_t above = (x >> 1) | (y >> 1) << 1 | (z >> 1) << 2;
        const uint32_t below =
            (uint32_t)(x == 0) | (uint32_t)(y == 0) << 1 | (uint32_t)(z == 0) << 2;
        r->wanted[(above & up) | (below & ~up)] |= (uint8_t)(1u << ((above & ~up) | (below & up)));
    }
}

// Adds the children of a divided cube that touch the leaf. They are leaves.
static oct_result add_children(request *r, const cube *m, const state *known, side to)
{
    oct_box part;
    for (uint32_t i = 0; i < 1u << r->v->dims; i++) {
        const cube child = cube_child(m, i);
        if (i & to.above || ~i & to.below || (!r->in_bounds && !part_of(r->v, &child, &part))) {
            continue;
        }
        const oct_label label = known->whole ? known->label : state_of(r, known->at, &child).label;
        if (r->v->free >> label & 1u) {
            OCT_TRY(add_leaf(r, &child, label));
        }
    }
    return OCT_OK;
}

// Adds a cube of the leaf's size, which is not in a larger leaf, or its children.
static oct_result add_cube(request *r, const cube *parent, slot **s, const cube *m,
                           const state *known, side to)
{
    if (known->whole && !(r->v->free >> known->label & 1u)) {
        return OCT_OK;
    }
    bool divided = true;
    if (known->whole) {
        OCT_TRY(is_divided(r->b, parent, s, cube_which(m), m, &divided));
    }
    return divided ? add_children(r, m, known, to) : add_leaf(r, m, known->label);
}

// Adds what is near in a cube of the next size: the one beside the parent on the axes `apart`, or
// the parent itself.
static oct_result add_in_parent(request *r, const cube *parent, uint32_t apart)
{
    uint32_t wanted = r->wanted[apart];
    oct_box part;
    if (!wanted || (!r->in_bounds && !part_of(r->v, parent, &part))) {
        return OCT_OK;
    }
    const state around = state_of(r, r->common, parent);
    slot *s = NULL;
    if (around.whole) {
        if (!(r->v->free >> around.label & 1u)) {
            return OCT_OK;
        }
        bool divided = true;
        if (apart) {
            OCT_TRY(is_divided(r->b, parent, &s, SLOT_OWN, parent, &divided));
        }
        if (!divided) {
            return add_leaf(r, parent, around.label);
        }
    }
    for (; wanted; wanted &= wanted - 1u) {
        const uint32_t beside = oct_lowest_bit(wanted);
        const cube m = cube_child(parent, r->which ^ apart ^ beside);
        if (r->in_bounds || part_of(r->v, &m, &part)) {
            const state known = around.whole ? around : state_of(r, around.at, &m);
            OCT_TRY(add_cube(r, parent, &s, &m, &known, side_of(r, apart, beside)));
        }
    }
    return OCT_OK;
}

// One axis of the cubes of the next size around the leaf: where they begin.
OCT_FORCE_INLINE int64_t region_axis(int64_t at, int level, uint32_t up)
{
    const int64_t edge = INT64_C(1) << level;
    return up ? at - edge : at - 2 * edge;
}

// Finds out whether bounds and root hold all cubes of the next size around the leaf.
static void request_surround(request *r)
{
    const oct_tree *tree = r->v->tree;
    const oct_box *b = &r->v->bounds;
    const cube *n = &r->n;
    const bool flat = r->v->dims == 2;
    const int64_t size = INT64_C(4) << n->level, root_edge = INT64_C(1) << tree->root_level;
    const int64_t x = region_axis(n->x, n->level, r->which & 1u);
    const int64_t y = region_axis(n->y, n->level, r->which & 2u);
    const int64_t z = flat ? 0 : region_axis(n->z, n->level, r->which & 4u);
    const corner at = {x + tree->root_min.x, y + tree->root_min.y, z + tree->root_min.z};
    r->in_bounds = at.x >= b->min.x && at.x + size <= b->max.x && at.y >= b->min.y &&
                   at.y + size <= b->max.y &&
                   (flat || (at.z >= b->min.z && at.z + size <= b->max.z));
    r->in_root = x >= 0 && x + size <= root_edge && y >= 0 && y + size <= root_edge &&
                 (flat || (z >= 0 && z + size <= root_edge));
    if (r->in_root) {
        const rel lo = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
        const uint32_t last = (uint32_t)size - 1u;
        r->common = common_node(tree, r->v->dims, lo,
                                (rel){lo.x + last, lo.y + last, flat ? 0u : lo.z + last});
    }
}

oct_result oct_balanced_neighbours(balanced *b, const view *v, oct_leaf leaf, uint32_t directions,
                                   const oct_allocator *allocator, oct_array *out)
{
    OCT_ASSERT(b->tree == v->tree && b->revision == oct_tree_revision(v->tree));
    const corner root = v->tree->root_min;
    request r = {
        .b = b,
        .v = v,
        .n = {leaf.x - root.x, leaf.y - root.y, v->dims == 3 ? leaf.z - root.z : 0, leaf.level},
        .directions = directions_at(v->dims, directions),
        .allocator = allocator,
        .out = out};
    out->count = 0;
    if (!part_of(v, &r.n, &r.box)) {
        return OCT_OK;
    }
    r.which = cube_which(&r.n);
    request_sides(&r);
    request_surround(&r);
    const cube own = cube_at(r.n.x, r.n.y, r.n.z, leaf.level + 1);
    const int64_t edge = INT64_C(1) << own.level;
    for (uint32_t apart = 0; apart < 1u << v->dims; apart++) {
        const side to = side_of(&r, apart, 0);
        cube parent = own;
        parent.x += to.above & 1u ? edge : to.below & 1u ? -edge : 0;
        parent.y += to.above & 2u ? edge : to.below & 2u ? -edge : 0;
        parent.z += to.above & 4u ? edge : to.below & 4u ? -edge : 0;
        OCT_TRY(add_in_parent(&r, &parent, apart));
    }
    return OCT_OK;
}
