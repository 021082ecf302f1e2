// SPDX-License-Identifier: MIT
// Looks at a map by asking it which labels are in a box, and for bricks which cells have which:
// what the frontier's own way, down both trees together, is tested against.
#include "frontier_plain.h"
#include "octant/tree.h"

#include "explore/frontier_internal.h"
#include "valid.h"

typedef struct plain_look {
    oct_frontier *f;
    span box;
} plain_look;

// A box in 64 bits: a root may reach beyond every int32.
typedef struct wide {
    int64_t min[3], max[3];
} wide;

static wide wide_node(const oct_frontier *f, int level, rel at)
{
    const int64_t edge = INT64_C(1) << level;
    const int64_t x = f->root_min.x + at.x, y = f->root_min.y + at.y, z = f->root_min.z + at.z;
    return (wide){{x, y, f->dims == 3 ? z : 0}, {x + edge, y + edge, f->dims == 3 ? z + edge : 1}};
}

// Cells beyond the lattice are like the first ones beyond it.
static int32_t wide_cell(int64_t at)
{
    const int64_t most_cell = OCT_RANGE + 2;
    return (int32_t)(at < -most_cell ? -most_cell : at > most_cell ? most_cell : at);
}

static oct_labels wide_labels(const oct_frontier *f, const wide *w)
{
    const oct_box box = {{wide_cell(w->min[0]), wide_cell(w->min[1]), wide_cell(w->min[2])},
                         {wide_cell(w->max[0]), wide_cell(w->max[1]), wide_cell(w->max[2])}};
    return box_is_empty(3, &box) ? OCT_HAS_UNKNOWN : oct_tree_labels_in(f->tree, box);
}

// The labels of the layer across a face.
static oct_labels labels_across(const oct_frontier *f, const wide *cube, uint32_t face)
{
    const uint32_t axis = face >> 1;
    wide w = *cube;
    w.min[axis] = face & 1u ? cube->max[axis] : cube->min[axis] - 1;
    w.max[axis] = w.min[axis] + 1;
    return wide_labels(f, &w);
}

// ---- bricks ----

typedef struct plain_brick {
    int dims;
    int32_t edge;
    oct_vec min;
    uint64_t open, blocked;
    uint64_t known[6]; // cells at a face, across which something is known
} plain_brick;

static bool meet_leaf(void *ctx, const oct_leaf *leaf)
{
    plain_brick *b = ctx;
    const oct_box box = oct_leaf_box(*leaf);
    const oct_box around = {{b->min.x - 1, b->min.y - 1, b->min.z - (b->dims == 3)},
                            {b->min.x + b->edge + 1, b->min.y + b->edge + 1,
                             b->min.z + (b->dims == 3 ? b->edge + 1 : 1)}};
    const oct_box cells = box_common(box, around);
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                const int32_t at[3] = {x - b->min.x, y - b->min.y, z - b->min.z};
                uint32_t in[3], beyond = 0, face = 0;
                for (uint32_t axis = 0; axis < 3; axis++) {
                    const bool below = at[axis] < 0, above = at[axis] >= b->edge;
                    in[axis] = (uint32_t)(below ? 0 : above ? b->edge - 1 : at[axis]);
                    beyond += below || above;
                    face = below || above ? 2u * axis + above : face;
                }
                const uint64_t bit = UINT64_C(1) << morton_index(b->dims, in[0], in[1], in[2]);
                uint64_t *plane = leaf->label == OCT_OPEN ? &b->open : &b->blocked;
                plane = beyond == 1 ? &b->known[face] : plane;
                *plane |= beyond <= 1 ? bit : 0u;
            }
        }
    }
    return true;
}

// The cells of the frontier in a brick; *open is whether all of it is OPEN.
static uint64_t plain_frontier(const oct_frontier *f, rel at, bool *open)
{
    const int dims = f->dims, level = brick_level(dims);
    plain_brick b = {.dims = dims, .edge = 1 << level, .min = front_cell(f, at)};
    const oct_box around = {
        {b.min.x - 1, b.min.y - 1, b.min.z - (dims == 3)},
        {b.min.x + b.edge + 1, b.min.y + b.edge + 1, b.min.z + (dims == 3 ? b.edge + 1 : 1)}};
    oct_tree_leaves(f->tree, around, OCT_HAS_OPEN | OCT_HAS_BLOCKED, meet_leaf, &b);
    const uint64_t inside = span_mask(dims, &f->inside, at);
    uint64_t near = cells_near(dims, ~(b.open | b.blocked) & inside);
    for (uint32_t face = 0; face < 2u * (uint32_t)dims; face++) {
        if (front_sees_across(f, level, at, face)) {
            near |= face_cells(dims, face) & ~b.known[face];
        }
    }
    *open = b.open == UINT64_MAX;
    return b.open & near & inside;
}

// ---- nodes ----

// Whether a cube that is all OPEN has layers alone; which.
static bool plain_layers(const oct_frontier *f, const wide *cube, int level, rel at,
                         uint32_t *faces)
{
    *faces = 0;
    for (uint32_t face = 0; face < 2u * (uint32_t)f->dims; face++) {
        const oct_labels labels =
            front_sees_across(f, level, at, face) ? labels_across(f, cube, face) : 0u;
        if ((labels & OCT_HAS_UNKNOWN) && labels != OCT_HAS_UNKNOWN) {
            return false;
        }
        *faces |= labels ? (uint32_t)(labels == OCT_HAS_UNKNOWN) << face : 0u;
    }
    return true;
}

static oct_result look(const plain_look *k, int level, rel at, uint32_t *word);

static oct_result look_below(const plain_look *k, const wide *cube, int level, rel at,
                             uint32_t *word)
{
    oct_frontier *f = k->f;
    OCT_TRY(oct_front_open(f, word, level, at));
    const uint32_t index = front_value(*word);
    for (uint32_t set = span_children(f->dims, &k->box, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        uint32_t changed = front_block(f, f->dims, index)[i];
        OCT_TRY(look(k, level - 1, child_position(f->dims, at, level, i), &changed));
        front_block(f, f->dims, index)[i] = changed;
    }
    uint32_t faces;
    if (oct_front_close(f, word, level, at, &faces) && wide_labels(f, cube) == OCT_HAS_OPEN) {
        oct_front_merge(f, word, faces);
    }
    return OCT_OK;
}

// Makes a node that the box meets what the map says. Questions about a large node cost its cells:
// it is asked about only where all of it is to be looked at.
static oct_result look(const plain_look *k, int level, rel at, uint32_t *word)
{
    oct_frontier *f = k->f;
    const wide cube = wide_node(f, level, at);
    if (level > brick_level(f->dims) && !span_covers(f->dims, &k->box, at, level)) {
        return look_below(k, &cube, level, at, word);
    }
    wide around = cube;
    for (int axis = 0; axis < f->dims; axis++) {
        around.min[axis]--;
        around.max[axis]++;
    }
    const oct_labels own = wide_labels(f, &cube);
    if (!(own & OCT_HAS_OPEN) || !(wide_labels(f, &around) & OCT_HAS_UNKNOWN)) {
        oct_front_drop(f, word, level, at);
        return OCT_OK;
    }
    uint32_t faces;
    if (own == OCT_HAS_OPEN && plain_layers(f, &cube, level, at, &faces)) {
        oct_front_put_slab(f, word, level, at, faces);
        return OCT_OK;
    }
    if (level == brick_level(f->dims)) {
        bool open;
        const uint64_t cells = plain_frontier(f, at, &open);
        return oct_front_put_cells(f, word, at, cells, open);
    }
    return look_below(k, &cube, level, at, word);
}

static oct_result look_plain(oct_frontier *f, const span *box)
{
    const plain_look k = {f, *box};
    uint32_t word = f->root;
    OCT_TRY(look(&k, f->root_level, (rel){0, 0, 0}, &word));
    f->root = word;
    return OCT_OK;
}

// ---- comparing ----

// A child of a node of any kind.
static uint32_t word_below(const oct_frontier *f, uint32_t word, uint32_t child, int level, rel at)
{
    if (front_kind(word) == FRONT_INNER) {
        return front_block(f, f->dims, front_value(word))[child];
    }
    return front_is_inside(f, level, at)
               ? front_slab(front_value(word) & child_faces(f->dims, child))
               : FRONT_NONE;
}

static bool agree(const oct_frontier *a, uint32_t in_a, const oct_frontier *b, uint32_t in_b,
                  int level, rel at)
{
    if (in_a == in_b && front_kind(in_a) <= FRONT_SLAB) {
        return true;
    }
    if (level == brick_level(a->dims)) {
        return oct_front_cells(a, in_a, at) == oct_front_cells(b, in_b, at);
    }
    // Of layers within bounds several may be the same cells; but not of none.
    if (in_a == FRONT_NONE || in_b == FRONT_NONE) {
        return false;
    }
    for (uint32_t i = 0; i < 1u << a->dims; i++) {
        const rel child = child_position(a->dims, at, level, i);
        if (!agree(a, word_below(a, in_a, i, level - 1, child), b,
                   word_below(b, in_b, i, level - 1, child), level - 1, child)) {
            return false;
        }
    }
    return true;
}

// Looks at everything in the plain way, in the same root.
static bool agrees_with_plain(const oct_frontier *f)
{
    oct_frontier plain = {
        .allocator = f->allocator,
        .tree = f->tree,
        .dims = f->dims,
        .is_bounded = f->is_bounded,
        .bounds = f->bounds,
        .stamp = 1,
        .stamps = 1,
    };
    oct_front_place(&plain, f->root_level, f->root_min);
    const span all = plain.inside;
    bool valid = oct_front_clear(&plain) == OCT_OK &&
                 (plain.is_outside || look_plain(&plain, &all) == OCT_OK);
    valid = valid && agree(f, f->root, &plain, plain.root, f->root_level, (rel){0, 0, 0});
    oct_array_free(&plain.blocks.items, &f->allocator,
                   front_block_words(f->dims) * sizeof(uint32_t));
    oct_array_free(&plain.bricks.items, &f->allocator, sizeof(front_brick));
    return valid;
}

bool frontier_is_right(const oct_frontier *f)
{
    return oct_frontier_is_valid(f) &&
           (!f->known || f->revision != oct_tree_revision(f->tree) || agrees_with_plain(f));
}
