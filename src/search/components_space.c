// SPDX-License-Identifier: MIT
// The tree of what is free: its memory, how it is built and changed, and what touches what in it.
#include "search/components_internal.h"

// ---- memory ----

// Makes room for `more` items beside those that are in use.
static oct_result reserve(oct_components *c, oct_array *array, size_t item_size, size_t unused,
                          size_t more)
{
    const size_t wanted = array->count + (more > unused ? more - unused : 0);
    if (wanted <= array->capacity) {
        return OCT_OK;
    }
    if (wanted > SPACE_VALUE_MAX >> c->dims) {
        return OCT_ERROR_MEMORY;
    }
    const size_t roomy = array->capacity + array->capacity / 2;
    return oct_array_reserve(array, &c->allocator, item_size, wanted > roomy ? wanted : roomy);
}

oct_result oct_space_reserve(oct_components *c, size_t blocks, size_t pieces)
{
    OCT_TRY(reserve(c, &c->blocks, sizeof(uint32_t) << c->dims, c->free_blocks, blocks));
    OCT_TRY(reserve(c, &c->parents, sizeof(uint32_t), c->free_blocks, blocks));
    return reserve(c, &c->pieces, sizeof(piece), c->free_pieces, pieces);
}

void oct_space_clear(oct_components *c)
{
    OCT_ASSERT(c->blocks.capacity > 0 && c->pieces.capacity > 0 && c->groups.capacity > 0);
    c->blocks.count = c->parents.count = c->pieces.count = c->groups.count = 1;
    memset(c->blocks.items, 0, sizeof(uint32_t) << c->dims);
    space_parents(c)[0] = 0;
    space_pieces(c)[0] = (piece){.cells = 0};
    space_groups(c)[0] = (group){.parent = 0};
    c->free_block = c->free_piece = c->free_group = 0;
    c->free_blocks = c->free_pieces = c->free_groups = 0;
    c->outside = 0;
    c->piece_count = c->component_count = 0;
}

static uint32_t take_block(oct_components *c, uint32_t parent)
{
    uint32_t block = c->free_block;
    if (block) {
        c->free_block = space_parents(c)[block];
        c->free_blocks--;
    } else {
        OCT_ASSERT(c->blocks.count < c->blocks.capacity);
        block = (uint32_t)c->blocks.count++;
        c->parents.count++;
    }
    space_parents(c)[block] = parent;
    return block;
}

static void give_block(oct_components *c, uint32_t block)
{
    space_parents(c)[block] = c->free_block;
    c->free_block = block;
    c->free_blocks++;
}

static uint32_t take_piece(oct_components *c)
{
    const uint32_t index = c->free_piece;
    if (!index) {
        OCT_ASSERT(c->pieces.count < c->pieces.capacity);
        return (uint32_t)c->pieces.count++;
    }
    c->free_piece = space_pieces(c)[index].next;
    c->free_pieces--;
    return index;
}

static void give_piece(oct_components *c, uint32_t index)
{
    space_pieces(c)[index] = (piece){.next = c->free_piece};
    c->free_piece = index;
    c->free_pieces++;
}

// ---- nodes ----

// Puts a word into a slot. What hangs from it hangs from there now.
static void set_word(oct_components *c, uint32_t slot, uint32_t word)
{
    space_words(c)[slot] = word;
    if (space_kind(word) == SPACE_INNER) {
        space_parents(c)[space_value(word)] = slot;
    }
}

// Puts a brick into a slot: pieces with their groups, which refer to them already.
static void set_pieces(oct_components *c, uint32_t slot, const uint64_t *cells,
                       const uint32_t *groups, uint32_t count)
{
    c->piece_count += count;
    if (count == 0 || cells[0] == UINT64_MAX) {
        space_words(c)[slot] = count ? space_word(SPACE_FREE, groups[0]) : SPACE_BLOCKED;
        return;
    }
    uint32_t next = 0;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t index = take_piece(c);
        space_pieces(c)[index] = (piece){cells[i], groups[i], next};
        next = index;
    }
    space_words(c)[slot] = space_word(SPACE_BRICK, next);
}

// Takes away the pieces of a leaf or brick.
static void clear_pieces(oct_components *c, uint32_t slot)
{
    const uint32_t word = space_words(c)[slot];
    space_words(c)[slot] = SPACE_BLOCKED;
    if (space_kind(word) == SPACE_FREE) {
        c->piece_count--;
        oct_group_release(c, space_value(word));
    } else if (space_kind(word) == SPACE_BRICK) {
        for (uint32_t i = space_value(word); i;) {
            const piece old = space_pieces(c)[i];
            c->piece_count--;
            oct_group_release(c, old.group);
            give_piece(c, i);
            i = old.next;
        }
    }
}

uint64_t oct_space_cells(const oct_components *c, uint32_t word)
{
    uint64_t cells = space_kind(word) == SPACE_FREE ? UINT64_MAX : 0u;
    if (space_kind(word) == SPACE_BRICK) {
        for (uint32_t i = space_value(word); i; i = space_pieces(c)[i].next) {
            cells |= space_pieces(c)[i].cells;
        }
    }
    return cells;
}

uint32_t oct_space_slot(const oct_components *c, rel at, int *level)
{
    const uint32_t *words = space_words(c);
    uint32_t slot = 0;
    int here = c->root_level;
    for (; space_kind(words[slot]) == SPACE_INNER; here--) {
        slot = space_value(words[slot]) << c->dims | child_at(c->dims, here, at);
    }
    *level = here;
    return slot;
}

// ---- edits ----

// The component of cells that were free before: `found`, 0 if none was so far, and another.
static uint32_t gather(oct_components *c, uint32_t found, uint32_t other)
{
    if (!found) {
        return other;
    }
    oct_group_join(c, found, other);
    return found;
}

// The component that cells of a leaf or brick have so far, or 0.
static uint32_t group_of_cells(oct_components *c, uint32_t word, uint64_t cells)
{
    if (space_kind(word) == SPACE_FREE) {
        return space_value(word);
    }
    uint32_t found = 0;
    if (space_kind(word) == SPACE_BRICK) {
        for (uint32_t i = space_value(word); i; i = space_pieces(c)[i].next) {
            if (space_pieces(c)[i].cells & cells) {
                found = gather(c, found, space_pieces(c)[i].group);
            }
        }
    }
    return found;
}

static void put_brick(oct_components *c, uint32_t slot, uint64_t cells)
{
    uint64_t parts[PIECES_MAX];
    uint32_t groups[PIECES_MAX];
    const uint32_t count =
        c->dims == 3 ? cells_divide(3, cells, parts) : cells_divide(2, cells, parts);
    for (uint32_t i = 0; i < count; i++) {
        groups[i] = group_of_cells(c, space_words(c)[slot], parts[i]);
        groups[i] = groups[i] ? groups[i] : oct_group_new(c);
        group_hold(c, groups[i]);
    }
    clear_pieces(c, slot);
    set_pieces(c, slot, parts, groups, count);
    c->visited += count;
}

// Takes away everything at and below a slot. The first group there is goes to *found, if that is
// 0, and is held.
static void drop(oct_components *c, uint32_t slot, uint32_t *found)
{
    const uint32_t word = space_words(c)[slot];
    if (space_kind(word) == SPACE_INNER) {
        const uint32_t first = space_value(word) << c->dims;
        for (uint32_t i = 0; i < 1u << c->dims; i++) {
            drop(c, first + i, found);
        }
        give_block(c, space_value(word));
        space_words(c)[slot] = SPACE_BLOCKED;
        return;
    }
    c->visited++;
    if (!*found && word != SPACE_BLOCKED) {
        *found = space_kind(word) == SPACE_FREE ? space_value(word)
                                                : space_pieces(c)[space_value(word)].group;
        group_hold(c, *found);
    }
    clear_pieces(c, slot);
}

// Makes a node a leaf. Where that is free it will be joined with all around it: any component that
// was there will do.
static void put_leaf(oct_components *c, uint32_t slot, bool is_free)
{
    uint32_t g = 0;
    drop(c, slot, &g);
    if (is_free) {
        if (!g) {
            g = oct_group_new(c);
            group_hold(c, g);
        }
        space_words(c)[slot] = space_word(SPACE_FREE, g);
        c->piece_count++;
    } else if (g) {
        oct_group_release(c, g);
    }
}

static void split(oct_components *c, uint32_t slot)
{
    const uint32_t word = space_words(c)[slot], count = 1u << c->dims;
    const uint32_t block = take_block(c, slot);
    for (uint32_t i = 0; i < count; i++) {
        space_words(c)[(block << c->dims) + i] = word;
    }
    if (space_kind(word) == SPACE_FREE) {
        space_groups(c)[space_value(word)].refs += count - 1u;
        c->piece_count += count - 1u;
    }
    space_words(c)[slot] = space_word(SPACE_INNER, block);
}

// Merges the block that a slot is in, and those above, while all their words are leaves of a kind.
static void merge(oct_components *c, uint32_t slot)
{
    const uint32_t count = 1u << c->dims;
    while (slot != 0) {
        const uint32_t block = slot >> c->dims;
        const uint32_t *words = space_words(c) + ((size_t)block << c->dims);
        const uint32_t kind = space_kind(words[0]);
        for (uint32_t i = 0; i < count; i++) {
            if (kind > SPACE_FREE || space_kind(words[i]) != kind) {
                return;
            }
        }
        slot = space_parents(c)[block];
        uint32_t g = 0;
        for (uint32_t i = 0; i < count && kind == SPACE_FREE; i++) {
            g = gather(c, g, space_value(words[i]));
        }
        for (uint32_t i = 1; i < count && kind == SPACE_FREE; i++) {
            oct_group_release(c, space_value(words[i]));
            c->piece_count--;
        }
        give_block(c, block);
        space_words(c)[slot] = space_word(kind, g);
    }
}

void oct_space_put(oct_components *c, const note *n)
{
    uint32_t slot = 0;
    for (int level = c->root_level; level > n->level; level--) {
        if (space_kind(space_words(c)[slot]) != SPACE_INNER) {
            split(c, slot);
        }
        slot = space_value(space_words(c)[slot]) << c->dims | child_at(c->dims, level, n->at);
    }
    if (n->level == brick_level(c->dims)) {
        put_brick(c, slot, n->now);
    } else {
        put_leaf(c, slot, n->now != 0);
    }
    merge(c, slot);
}

// ---- building ----

static oct_result build(oct_components *c, uint32_t seen, int level, uint32_t slot)
{
    const oct_labels labels = word_labels(seen);
    if (!(labels & c->free)) {
        space_words(c)[slot] = SPACE_BLOCKED;
        return OCT_OK;
    }
    if (!(labels & ~c->free) || level == brick_level(c->dims)) {
        const uint64_t cells = labels & ~c->free
                                   ? brick_with(*tree_brick(c->tree, word_index(seen)), c->free)
                                   : UINT64_MAX;
        uint64_t parts[PIECES_MAX];
        uint32_t groups[PIECES_MAX];
        const uint32_t count =
            c->dims == 3 ? cells_divide(3, cells, parts) : cells_divide(2, cells, parts);
        OCT_TRY(oct_space_reserve(c, 0, count));
        OCT_TRY(oct_groups_reserve(c, count));
        for (uint32_t i = 0; i < count; i++) {
            groups[i] = oct_group_new(c);
            group_hold(c, groups[i]);
        }
        set_pieces(c, slot, parts, groups, count);
        return OCT_OK;
    }
    OCT_TRY(oct_space_reserve(c, 1, 0));
    const uint32_t block = take_block(c, slot);
    space_words(c)[slot] = space_word(SPACE_INNER, block);
    const uint32_t *children = tree_siblings(c->tree, c->dims, word_index(seen));
    for (uint32_t i = 0; i < 1u << c->dims; i++) {
        OCT_TRY(build(c, children[i], level - 1, (block << c->dims) + i));
    }
    return OCT_OK;
}

oct_result oct_space_build(oct_components *c)
{
    const oct_tree *tree = c->tree;
    c->root_level = tree->root_level;
    c->root_min = tree->root_min;
    if (c->free & OCT_HAS_UNKNOWN) {
        OCT_TRY(oct_groups_reserve(c, 1));
        c->outside = oct_group_new(c);
        group_hold(c, c->outside);
        c->piece_count++;
    }
    // Room for as many as the map has: mostly there are no more.
    const uint32_t bricks = tree->bricks.used - 1u - tree->bricks.free_count;
    OCT_TRY(oct_space_reserve(c, tree->siblings.used - 1u - tree->siblings.free_count, bricks));
    return build(c, tree->root, tree->root_level, 0);
}

// ---- the root ----

static uint32_t default_word(const oct_components *c)
{
    return c->outside ? space_word(SPACE_FREE, c->outside) : SPACE_BLOCKED;
}

static bool root_holds(const oct_components *c, const oct_box *box)
{
    const int64_t edge = INT64_C(1) << c->root_level;
    const corner min = c->root_min;
    return box->min.x >= min.x && box->max.x <= min.x + edge && box->min.y >= min.y &&
           box->max.y <= min.y + edge &&
           (c->dims == 2 || (box->min.z >= min.z && box->max.z <= min.z + edge));
}

// Whether one axis doubles downwards: as the map's root lies, as long as that is larger; then as it
// grows itself.
static bool grows_down(const oct_components *c, int64_t min, int64_t map_min, int32_t from)
{
    const int64_t edge = INT64_C(1) << c->root_level;
    if (c->root_level < c->tree->root_level) {
        return (min - map_min) & edge;
    }
    return from < min || min + edge >= OCT_RANGE;
}

static void double_root(oct_components *c, const oct_box *box)
{
    const corner map = c->tree->root_min;
    const int64_t edge = INT64_C(1) << c->root_level;
    uint32_t child = grows_down(c, c->root_min.x, map.x, box->min.x) ? 1u : 0u;
    child |= grows_down(c, c->root_min.y, map.y, box->min.y) ? 2u : 0u;
    child |= c->dims == 3 && grows_down(c, c->root_min.z, map.z, box->min.z) ? 4u : 0u;
    c->root_min.x -= child & 1u ? edge : 0;
    c->root_min.y -= child & 2u ? edge : 0;
    c->root_min.z -= child & 4u ? edge : 0;
    c->root_level++;
    const uint32_t old = space_words(c)[0], count = 1u << c->dims;
    if (space_is_default(c, old)) {
        return;
    }
    const uint32_t block = take_block(c, 0), first = block << c->dims;
    for (uint32_t i = 0; i < count; i++) {
        space_words(c)[first + i] = default_word(c);
    }
    if (c->outside) {
        space_groups(c)[c->outside].refs += count - 1u;
        c->piece_count += count - 1u;
    }
    set_word(c, first + child, old);
    space_words(c)[0] = space_word(SPACE_INNER, block);
}

oct_result oct_space_grow(oct_components *c, const oct_box *box)
{
    while (!root_holds(c, box)) {
        OCT_TRY(oct_space_reserve(c, 1, 0));
        double_root(c, box);
    }
    return OCT_OK;
}

// Which children of the root differ from the outside, as a set of bits.
static uint32_t children_used(const oct_components *c, uint32_t first)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < 1u << c->dims; i++) {
        set |= (uint32_t)!space_is_default(c, space_words(c)[first + i]) << i;
    }
    return set;
}

void oct_space_trim(oct_components *c)
{
    while (space_kind(space_words(c)[0]) == SPACE_INNER) {
        const uint32_t block = space_value(space_words(c)[0]), first = block << c->dims;
        const uint32_t set = children_used(c, first), only = oct_lowest_bit(set);
        if (set & (set - 1u)) {
            return;
        }
        for (uint32_t i = 0; i < 1u << c->dims; i++) {
            if (i != only) {
                clear_pieces(c, first + i);
            }
        }
        set_word(c, 0, space_words(c)[first + only]);
        give_block(c, block);
        c->root_level--;
        const int64_t edge = INT64_C(1) << c->root_level;
        c->root_min.x += only & 1u ? edge : 0;
        c->root_min.y += only & 2u ? edge : 0;
        c->root_min.z += only & 4u ? edge : 0;
    }
}

// ---- neighbours ----

// The node across a face of a slot: of the same level, or a leaf above it; *level is its own.
OCT_FORCE_INLINE uint32_t across(const oct_components *c, int dims, uint32_t slot, uint32_t face,
                                 int *level)
{
    const uint32_t *words = space_words(c), *parents = space_parents(c);
    const uint32_t bit = 1u << (face >> 1), all = (1u << dims) - 1u;
    const uint32_t end = face & 1u ? bit : 0u;
    uint32_t path[OCT_LEVEL_MAX];
    int climbed = 0;
    while (slot != 0 && (slot & bit) == end) {
        path[climbed++] = (slot ^ bit) & all;
        slot = parents[slot >> dims];
    }
    if (slot == 0) {
        return SLOT_OUTSIDE;
    }
    slot ^= bit;
    while (climbed > 0 && space_kind(words[slot]) == SPACE_INNER) {
        slot = space_value(words[slot]) << dims | path[--climbed];
    }
    *level += climbed;
    return slot;
}

// Goes to the next face with cells and finds what is across.
OCT_FORCE_INLINE bool next_face(const oct_components *c, int dims, cursor *at, uint64_t cells)
{
    const uint32_t faces = 2u * (uint32_t)dims;
    while (at->face < faces && !(cells & face_cells(dims, at->face))) {
        at->face++;
    }
    if (at->face == faces) {
        return false;
    }
    int level = at->level;
    at->across = at->slot == SLOT_OUTSIDE ? 0 : across(c, dims, at->slot, at->face, &level);
    at->across_level = (uint8_t)level;
    return true;
}

OCT_FORCE_INLINE bool cursor_next(const oct_components *c, int dims, cursor *at, uint64_t cells,
                                  contact *out)
{
    if (at->index == 0 && !next_face(c, dims, at, cells)) {
        return false;
    }
    *out = (contact){.slot = SLOT_OUTSIDE, .level = c->root_level, .whole = c->outside != 0};
    if (at->across == SLOT_OUTSIDE) {
        at->face++;
        return true;
    }
    const uint32_t *words = space_words(c);
    const int step = dims - 1, low = brick_level(dims);
    const uint32_t axis = at->face >> 1, end = at->face & 1u ? 0u : 1u << axis;
    uint32_t slot = at->across;
    int level = at->across_level;
    while (space_kind(words[slot]) == SPACE_INNER) {
        level--;
        const uint32_t bits = (uint32_t)(at->index >> (step * (level - low))) & ((1u << step) - 1u);
        slot = space_value(words[slot]) << dims | face_child(axis, bits) | end;
    }
    *out = contact_of(c, slot, level, face_across(dims, at->face, cells));
    at->index += UINT64_C(1) << (step * (level - low));
    if (at->index >> (step * (at->level - low))) {
        at->index = 0;
        at->face++;
    }
    return true;
}

bool oct_cursor_next(const oct_components *c, cursor *at, uint64_t cells, contact *out)
{
    return c->dims == 3 ? cursor_next(c, 3, at, cells, out) : cursor_next(c, 2, at, cells, out);
}
