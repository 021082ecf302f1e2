// SPDX-License-Identifier: MIT
// The octree's life: creation, memory, coordinates, the journal, and what it consists of.
#include "octant/tree.h"
#include "base/base_internal.h"
#include "octree/octree_internal.h"

#include <math.h>
#include <string.h>

#define TREE_COOKIE 0x0c7a9e01u
#define JOURNAL_MAX (1u << 20)

oct_tree_def oct_tree_def_default(void)
{
    return (oct_tree_def){
        .cell_size = 1.0,
        .dims = 3,
        .journal = 256,
        .cookie = TREE_COOKIE,
    };
}

static bool def_is_valid(const oct_tree_def *def)
{
    return def->cookie == TREE_COOKIE && def->cell_size > 0.0 && isfinite(def->cell_size) &&
           isfinite(def->origin.x) && isfinite(def->origin.y) && isfinite(def->origin.z) &&
           (def->dims == 2 || def->dims == 3) && def->journal <= JOURNAL_MAX;
}

oct_result oct_tree_create(const oct_tree_def *def, oct_tree **out)
{
    *out = NULL;
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_tree *tree = oct_alloc(&allocator, sizeof *tree, _Alignof(oct_tree));
    if (!tree) {
        return OCT_ERROR_MEMORY;
    }
    journal changes;
    if (oct_journal_init(&changes, &allocator, def->journal) != OCT_OK) {
        oct_free(&allocator, tree, sizeof *tree);
        return OCT_ERROR_MEMORY;
    }
    *tree = (oct_tree){
        .allocator = allocator,
        .origin = def->origin,
        .cell_size = def->cell_size,
        .dims = (int)def->dims,
        .root = word_leaf(0),
        .under = word_leaf(0),
        .root_level = brick_level((int)def->dims),
        .siblings = {.item_size = (uint32_t)sizeof(uint32_t) << def->dims,
                     .used = 1,
                     .capacity = 1},
        .bricks = {.item_size = sizeof(brick), .used = 1, .capacity = 1},
        .journal = changes,
    };
    *out = tree;
    return OCT_OK;
}

static size_t pool_bytes(const pool *items)
{
    return items->items ? (size_t)items->capacity * items->item_size : 0;
}

static void pool_free(const oct_allocator *allocator, pool *items)
{
    if (items->items) {
        oct_free(allocator, items->items, pool_bytes(items));
    }
}

void oct_tree_destroy(oct_tree *tree)
{
    if (!tree) {
        return;
    }
    const oct_allocator allocator = tree->allocator;
    pool_free(&allocator, &tree->siblings);
    pool_free(&allocator, &tree->bricks);
    oct_journal_free(&tree->journal, &allocator);
    oct_free(&allocator, tree, sizeof *tree);
}

double oct_tree_cell_size(const oct_tree *tree)
{
    return tree->cell_size;
}

oct_point oct_tree_origin(const oct_tree *tree)
{
    return tree->origin;
}

uint32_t oct_tree_dims(const oct_tree *tree)
{
    return (uint32_t)tree->dims;
}

oct_cell oct_tree_root(const oct_tree *tree)
{
    return (oct_cell){(int32_t)tree->root_min.x, (int32_t)tree->root_min.y,
                      (int32_t)tree->root_min.z, tree_is_empty(tree) ? -1 : tree->root_level};
}

// ---- coordinates ----

// One axis of a world position in units of 1/steps cell; false where it leaves the lattice.
static bool lattice_at(double at, double origin, double cell_size, double steps, double *out)
{
    const double limit = (double)OCT_RANGE * steps;
    *out = (at - origin) / cell_size * steps;
    return *out >= -limit && *out < limit;
}

bool oct_tree_cell_at(const oct_tree *tree, oct_point at, oct_vec *cell)
{
    double x, y, z = 0.0;
    if (!lattice_at(at.x, tree->origin.x, tree->cell_size, 1.0, &x) ||
        !lattice_at(at.y, tree->origin.y, tree->cell_size, 1.0, &y) ||
        (tree->dims == 3 && !lattice_at(at.z, tree->origin.z, tree->cell_size, 1.0, &z))) {
        return false;
    }
    *cell = (oct_vec){(int32_t)floor(x), (int32_t)floor(y), (int32_t)floor(z)};
    return true;
}

bool oct_tree_fine_at(const oct_tree *tree, oct_point at, oct_fine *fine)
{
    double x, y, z = 0.0;
    if (!lattice_at(at.x, tree->origin.x, tree->cell_size, OCT_FINE, &x) ||
        !lattice_at(at.y, tree->origin.y, tree->cell_size, OCT_FINE, &y) ||
        (tree->dims == 3 && !lattice_at(at.z, tree->origin.z, tree->cell_size, OCT_FINE, &z))) {
        return false;
    }
    *fine = (oct_fine){(int64_t)floor(x + 0.5), (int64_t)floor(y + 0.5), (int64_t)floor(z + 0.5)};
    return true;
}

oct_point oct_tree_point(const oct_tree *tree, oct_fine at)
{
    const double step = tree->cell_size / OCT_FINE;
    return (oct_point){tree->origin.x + (double)at.x * step, tree->origin.y + (double)at.y * step,
                       tree->dims == 3 ? tree->origin.z + (double)at.z * step : 0.0};
}

oct_point oct_tree_centre(const oct_tree *tree, oct_vec cell)
{
    const double size = tree->cell_size;
    return (oct_point){tree->origin.x + (cell.x + 0.5) * size,
                       tree->origin.y + (cell.y + 0.5) * size,
                       tree->dims == 3 ? tree->origin.z + (cell.z + 0.5) * size : 0.0};
}

// ---- pools ----

// Moves a pool into memory for exactly `capacity` items.
static oct_result pool_resize(const oct_allocator *allocator, pool *items, uint32_t capacity)
{
    void *memory = oct_alloc(allocator, (size_t)capacity * items->item_size, OCT_CACHE_LINE);
    if (!memory) {
        return OCT_ERROR_MEMORY;
    }
    if (items->items) {
        memcpy(memory, items->items, (size_t)items->used * items->item_size);
        pool_free(allocator, items);
    } else {
        memset(memory, 0, items->item_size);
    }
    items->items = memory;
    items->capacity = capacity;
    return OCT_OK;
}

#define POOL_MAX ((uint64_t)WORD_INDEX_MAX + 1u)

// The capacity that holds so many items more.
static uint64_t pool_needed(const pool *items, uint64_t more)
{
    const uint32_t room = pool_room(items);
    return more > room ? items->capacity + (more - room) : items->capacity;
}

static oct_result pool_reserve(const oct_allocator *allocator, pool *items, uint64_t more)
{
    const uint64_t needed = pool_needed(items, more);
    if (needed == items->capacity) {
        return OCT_OK;
    }
    if (needed > POOL_MAX) {
        return OCT_ERROR_RANGE;
    }
    const uint64_t roomy = items->capacity + (uint64_t)items->capacity / 2u + 8u;
    const uint64_t capacity = needed > roomy ? needed : roomy;
    return pool_resize(allocator, items, (uint32_t)(capacity < POOL_MAX ? capacity : POOL_MAX));
}

oct_result oct_tree_reserve(oct_tree *tree, uint64_t siblings, uint64_t bricks)
{
    // What one pool cannot hold is refused before the other one takes memory.
    if (pool_needed(&tree->bricks, bricks) > POOL_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(pool_reserve(&tree->allocator, &tree->siblings, siblings));
    return pool_reserve(&tree->allocator, &tree->bricks, bricks);
}

static uint32_t *pool_link(const pool *items, uint32_t index)
{
    return (uint32_t *)(void *)((char *)items->items + (size_t)index * items->item_size);
}

uint32_t oct_pool_take(pool *items)
{
    const uint32_t index = items->free_head;
    if (index == 0) {
        OCT_ASSERT(items->used < items->capacity);
        return items->used++;
    }
    items->free_head = *pool_link(items, index);
    items->free_count--;
    return index;
}

void oct_pool_give(pool *items, uint32_t index)
{
    *pool_link(items, index) = items->free_head;
    items->free_head = index;
    items->free_count++;
}

static void pool_forget_all(pool *items)
{
    items->used = 1;
    items->free_head = 0;
    items->free_count = 0;
}

void oct_tree_clear(oct_tree *tree)
{
    if (tree_is_empty(tree)) {
        return;
    }
    const oct_labels known = OCT_HAS_OPEN | OCT_HAS_BLOCKED;
    const oct_change change = {.box = oct_tree_extent(tree, known),
                               .before = word_labels(tree->root) & known,
                               .after = OCT_HAS_UNKNOWN};
    pool_forget_all(&tree->siblings);
    pool_forget_all(&tree->bricks);
    tree->root = tree->under = word_leaf(0);
    tree->root_level = brick_level(tree->dims);
    tree->root_min = (corner){0, 0, 0};
    oct_journal_record(&tree->journal, &change);
}

// ---- building from the bottom up ----

oct_result oct_tree_join(oct_tree *tree, const uint32_t *children, uint32_t *word)
{
    const uint32_t count = 1u << tree->dims;
    uint32_t equal = 0, labels = 0;
    for (uint32_t i = 0; i < count; i++) {
        equal += children[i] == children[0];
        labels |= word_labels(children[i]);
    }
    if (equal == count && word_kind(children[0]) == KIND_LEAF) {
        *word = children[0];
        return OCT_OK;
    }
    OCT_TRY(pool_reserve(&tree->allocator, &tree->siblings, 1));
    const uint32_t index = oct_pool_take(&tree->siblings);
    memcpy(tree_siblings(tree, tree->dims, index), children, count * sizeof *children);
    *word = word_make(KIND_INNER, labels, index);
    return OCT_OK;
}

oct_result oct_tree_pack(oct_tree *tree, brick cells, uint32_t *word)
{
    if (brick_is_uniform(cells)) {
        *word = word_leaf(brick_state(cells, 0));
        return OCT_OK;
    }
    OCT_TRY(pool_reserve(&tree->allocator, &tree->bricks, 1));
    const uint32_t index = oct_pool_take(&tree->bricks);
    *tree_brick(tree, index) = cells;
    *word = word_make(KIND_BRICK, brick_labels(cells), index);
    return OCT_OK;
}

void oct_tree_plant(oct_tree *tree, uint32_t word, int level, corner min)
{
    OCT_ASSERT(tree_is_empty(tree) && level >= brick_level(tree->dims) && level <= OCT_LEVEL_MAX);
    if (word == word_leaf(0)) {
        return;
    }
    tree->root = word;
    tree->root_level = level;
    tree->root_min = min;
    oct_tree_trim(tree);
    const oct_labels known = OCT_HAS_OPEN | OCT_HAS_BLOCKED;
    oct_journal_record(&tree->journal, &(oct_change){.box = oct_tree_extent(tree, known),
                                                     .before = OCT_HAS_UNKNOWN,
                                                     .after = word_labels(tree->root) & known});
}

// Copies the labels of a node, as far as it lies in the box, which meets it.
static oct_result copy_node(const oct_tree *from, oct_tree *to, const span *box, node n,
                            uint32_t *out)
{
    const int dims = from->dims;
    const bool is_leaf = word_kind(n.word) == KIND_LEAF;
    const uint32_t state = is_leaf ? word_index(n.word) : 0u;
    *out = word_leaf(state & STATE_BLOCKED ? STATE_KNOWN | STATE_BLOCKED : state);
    if (is_leaf && (state == 0 || span_covers(dims, box, n.at, n.level))) {
        return OCT_OK;
    }
    if (n.level == brick_level(dims)) {
        const uint64_t mask = span_mask(dims, box, n.at);
        brick cells = {state & STATE_KNOWN ? mask : 0u, state & STATE_BLOCKED ? mask : 0u};
        if (!is_leaf) {
            cells = *tree_brick(from, word_index(n.word));
        }
        cells.blocked &= mask;
        cells.known = (cells.known & mask) | cells.blocked;
        return oct_tree_pack(to, cells, out);
    }
    const uint32_t set = span_children(dims, box, n.at, n.level);
    uint32_t children[8];
    for (uint32_t i = 0; i < 1u << dims; i++) {
        children[i] = word_leaf(0);
        if (set >> i & 1u) {
            const uint32_t word =
                is_leaf ? n.word : tree_siblings(from, dims, word_index(n.word))[i];
            const node child = {word, n.level - 1, child_position(dims, n.at, n.level, i)};
            OCT_TRY(copy_node(from, to, box, child, &children[i]));
        }
    }
    return oct_tree_join(to, children, out);
}

oct_result oct_tree_copy_labels(const oct_tree *from, oct_box box, oct_tree *to)
{
    span inside;
    uint32_t word;
    if (tree_is_empty(from) || !oct_tree_clip(from, box, &inside)) {
        return OCT_OK;
    }
    OCT_TRY(copy_node(from, to, &inside, tree_top(from), &word));
    oct_tree_plant(to, word, from->root_level, from->root_min);
    return OCT_OK;
}

// ---- journal ----

uint64_t oct_tree_revision(const oct_tree *tree)
{
    return tree->journal.revision;
}

oct_result oct_tree_changes(const oct_tree *tree, uint64_t revision, oct_change *out,
                            size_t capacity, size_t *count)
{
    return oct_journal_changes(&tree->journal, revision, out, capacity, count);
}

// ---- measures ----

size_t oct_tree_bytes(const oct_tree *tree)
{
    return pool_bytes(&tree->siblings) + pool_bytes(&tree->bricks);
}

// Adds the nodes inside a brick, level by level: groups that are not uniform have children.
static void measure_brick(int dims, brick cells, oct_tree_stats *stats)
{
    uint64_t split = 1; // nodes of the level above that have children
    for (int level = brick_level(dims) - 1; level >= 0; level--) {
        const uint32_t width = 1u << (dims * level);
        const uint64_t nodes = split << dims;
        split = level > 0 ? oct_bit_count(~group_uniform(cells, width) & group_first(width)) : 0;
        stats->nodes[level] += nodes;
        stats->leaves[level] += nodes - split;
    }
}

static void measure_node(const oct_tree *tree, uint32_t word, int level, oct_tree_stats *stats)
{
    stats->nodes[level]++;
    if (word_kind(word) == KIND_LEAF) {
        stats->leaves[level]++;
    } else if (word_kind(word) == KIND_BRICK) {
        measure_brick(tree->dims, *tree_brick(tree, word_index(word)), stats);
    } else {
        const uint32_t *children = tree_siblings(tree, tree->dims, word_index(word));
        for (uint32_t i = 0; i < 1u << tree->dims; i++) {
            measure_node(tree, children[i], level - 1, stats);
        }
    }
}

static uint32_t pool_count(const pool *items)
{
    return items->used - 1u - items->free_count;
}

oct_tree_stats oct_tree_measure(const oct_tree *tree)
{
    oct_tree_stats stats = {.siblings = pool_count(&tree->siblings),
                            .bricks = pool_count(&tree->bricks),
                            .bytes = oct_tree_bytes(tree)};
    if (!tree_is_empty(tree)) {
        measure_node(tree, tree->root, tree->root_level, &stats);
    }
    return stats;
}

// ---- shrinking ----

// Copies what a word refers to into the pools of `to`, which have room; a block still refers to the
// old pools then.
static uint32_t move(const oct_tree *from, oct_tree *to, uint32_t word)
{
    if (word_kind(word) == KIND_LEAF) {
        return word;
    }
    const bool is_brick = word_kind(word) == KIND_BRICK;
    const uint32_t index = oct_pool_take(is_brick ? &to->bricks : &to->siblings);
    if (is_brick) {
        *tree_brick(to, index) = *tree_brick(from, word_index(word));
    } else {
        memcpy(tree_siblings(to, to->dims, index),
               tree_siblings(from, from->dims, word_index(word)), to->siblings.item_size);
    }
    return word_make(word_kind(word), word_labels(word), index);
}

oct_result oct_tree_shrink(oct_tree *tree)
{
    oct_tree packed = *tree;
    packed.siblings = (pool){.item_size = tree->siblings.item_size, .used = 1, .capacity = 1};
    packed.bricks = (pool){.item_size = tree->bricks.item_size, .used = 1, .capacity = 1};
    const uint32_t blocks = pool_count(&tree->siblings), bricks = pool_count(&tree->bricks);
    if (blocks > 0) {
        OCT_TRY(pool_resize(&tree->allocator, &packed.siblings, blocks + 1u));
    }
    if (bricks > 0 && pool_resize(&tree->allocator, &packed.bricks, bricks + 1u) != OCT_OK) {
        pool_free(&tree->allocator, &packed.siblings);
        return OCT_ERROR_MEMORY;
    }
    // Level after level: the new pool is the queue of blocks whose children are still to be moved.
    // So the upper levels lie close together, and nodes of one level in Morton order.
    packed.root = move(tree, &packed, tree->root);
    packed.under = move(tree, &packed, tree->under);
    for (uint32_t i = 1; i < packed.siblings.used; i++) {
        uint32_t *children = tree_siblings(&packed, packed.dims, i);
        for (uint32_t child = 0; child < 1u << packed.dims; child++) {
            children[child] = move(tree, &packed, children[child]);
        }
    }
    pool_free(&tree->allocator, &tree->siblings);
    pool_free(&tree->allocator, &tree->bricks);
    *tree = packed;
    return OCT_OK;
}
