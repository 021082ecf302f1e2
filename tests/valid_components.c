// SPDX-License-Identifier: MIT
// Checks every invariant of components: each block, piece and group is used once or free once,
// nothing that could merge is split, counts are right; and the whole is what labelling the map
// anew gives.
#include "octant/components.h"
#include "octant/tree.h"
#include "valid.h"

#include "search/components_internal.h"

typedef struct books {
    const oct_components *c;
    uint32_t *refs;           // by group: how many were met
    uint8_t *blocks, *pieces; // how often each was met
    size_t block_count, piece_count, part_count;
} books;

static bool meet(uint8_t *met, size_t limit, uint32_t index, size_t *count)
{
    if (index == 0 || index >= limit || met[index]) {
        return false;
    }
    met[index] = 1;
    (*count)++;
    return true;
}

static bool meet_group(books *b, uint32_t g)
{
    if (g == 0 || g >= b->c->groups.count) {
        return false;
    }
    b->refs[g]++;
    return true;
}

static bool brick_is_valid(books *b, uint32_t word)
{
    const oct_components *c = b->c;
    uint64_t all = 0, first = 0;
    for (uint32_t i = space_value(word); i; i = space_pieces(c)[i].next) {
        if (!meet(b->pieces, c->pieces.count, i, &b->piece_count)) {
            return false;
        }
        const piece *p = &space_pieces(c)[i];
        const uint64_t lowest = p->cells & (0u - p->cells);
        if (!p->cells || (p->cells & all) || lowest < first || !meet_group(b, p->group)) {
            return false;
        }
        b->part_count++;
        all |= p->cells;
        first = lowest;
    }
    for (uint32_t i = space_value(word); i; i = space_pieces(c)[i].next) {
        const uint64_t cells = space_pieces(c)[i].cells;
        if (cells_joined(c->dims, cells & (0u - cells), all) != cells) {
            return false;
        }
    }
    return all != 0 && all != UINT64_MAX;
}

static bool node_is_valid(books *b, uint32_t slot, int level)
{
    const oct_components *c = b->c;
    const uint32_t word = space_words(c)[slot], block = space_value(word);
    switch (space_kind(word)) {
    case SPACE_BLOCKED:
        return word == SPACE_BLOCKED;
    case SPACE_FREE:
        b->part_count++;
        return meet_group(b, space_value(word));
    case SPACE_BRICK:
        return level == brick_level(c->dims) && brick_is_valid(b, word);
    default:
        break;
    }
    if (level <= brick_level(c->dims) ||
        !meet(b->blocks, c->blocks.count, block, &b->block_count) ||
        space_parents(c)[block] != slot) {
        return false;
    }
    const uint32_t first = block << c->dims, kind = space_kind(space_words(c)[first]);
    bool differ = kind > SPACE_FREE;
    for (uint32_t i = 0; i < 1u << c->dims; i++) {
        differ |= space_kind(space_words(c)[first + i]) != kind;
        if (!node_is_valid(b, first + i, level - 1)) {
            return false;
        }
    }
    return differ;
}

// Each group refers to its parent; every way up ends.
static bool groups_are_valid(books *b)
{
    const oct_components *c = b->c;
    const group *groups = space_groups(c);
    size_t unused = 0, roots = 0;
    for (uint32_t i = c->free_group; i; i = groups[i].parent) {
        if (i >= c->groups.count || groups[i].refs || ++unused > c->groups.count) {
            return false;
        }
    }
    for (uint32_t i = 1; i < c->groups.count; i++) {
        if (groups[i].refs == 0) {
            continue;
        }
        roots += groups[i].parent >= GROUP_ROOT;
        uint32_t at = i;
        for (size_t steps = 0; groups[at].parent < GROUP_ROOT; at = groups[at].parent) {
            if (++steps > 64 || groups[at].parent >= c->groups.count || !groups[at].refs) {
                return false;
            }
        }
        if (at != i) {
            b->refs[groups[i].parent]++;
        }
    }
    size_t used = 0;
    for (uint32_t i = 1; i < c->groups.count; i++) {
        if (b->refs[i] != groups[i].refs) {
            return false;
        }
        used += groups[i].refs != 0;
    }
    return unused == c->free_groups && used + unused + 1u == c->groups.count &&
           roots == c->component_count;
}

static bool lists_are_valid(books *b)
{
    const oct_components *c = b->c;
    size_t blocks = 0, pieces = 0;
    for (uint32_t i = c->free_block; i; i = space_parents(c)[i]) {
        if (!meet(b->blocks, c->blocks.count, i, &blocks)) {
            return false;
        }
    }
    for (uint32_t i = c->free_piece; i; i = space_pieces(c)[i].next) {
        if (!meet(b->pieces, c->pieces.count, i, &pieces) || space_pieces(c)[i].cells) {
            return false;
        }
    }
    return blocks == c->free_blocks && pieces == c->free_pieces &&
           blocks + b->block_count + 1u == c->blocks.count && c->parents.count == c->blocks.count &&
           pieces + b->piece_count + 1u == c->pieces.count;
}

static bool books_balance(books *b)
{
    const oct_components *c = b->c;
    if (c->outside && !meet_group(b, c->outside)) {
        return false;
    }
    b->part_count += c->outside != 0;
    if ((c->outside != 0) != ((c->free & OCT_HAS_UNKNOWN) != 0) ||
        !node_is_valid(b, 0, c->root_level) || !groups_are_valid(b) || !lists_are_valid(b)) {
        return false;
    }
    return b->part_count == c->piece_count;
}

// ---- against a labelling anew ----

// Components there and here: the number of the other for each, as far as they were met.
typedef struct pairing {
    const oct_components *a, *b;
    uint32_t *of_a, *of_b;
} pairing;

static bool pair_groups(pairing *p, uint32_t a, uint32_t b)
{
    const uint32_t i = group_root(space_groups(p->a), a), j = group_root(space_groups(p->b), b);
    if (!p->of_a[i] && !p->of_b[j]) {
        p->of_a[i] = j;
        p->of_b[j] = i;
    }
    return p->of_a[i] == j && p->of_b[j] == i;
}

static bool nodes_agree(pairing *p, uint32_t a, uint32_t b)
{
    if (space_kind(a) != space_kind(b)) {
        return false;
    }
    if (space_kind(a) == SPACE_FREE) {
        return pair_groups(p, space_value(a), space_value(b));
    }
    if (space_kind(a) == SPACE_BRICK) {
        uint32_t i = space_value(a), j = space_value(b);
        while (i && j) {
            const piece *of_a = &space_pieces(p->a)[i], *of_b = &space_pieces(p->b)[j];
            if (of_a->cells != of_b->cells || !pair_groups(p, of_a->group, of_b->group)) {
                return false;
            }
            i = of_a->next;
            j = of_b->next;
        }
        return i == j;
    }
    const uint32_t *of_a = space_words(p->a) + ((size_t)space_value(a) << p->a->dims);
    const uint32_t *of_b = space_words(p->b) + ((size_t)space_value(b) << p->b->dims);
    for (uint32_t i = 0; i < 1u << p->a->dims && space_kind(a) == SPACE_INNER; i++) {
        if (!nodes_agree(p, of_a[i], of_b[i])) {
            return false;
        }
    }
    return true;
}

static bool agree(pairing *p)
{
    const oct_components *a = p->a, *b = p->b;
    const uint32_t root_a = space_words(a)[0], root_b = space_words(b)[0];
    const bool same_root = a->root_level == b->root_level && a->root_min.x == b->root_min.x &&
                           a->root_min.y == b->root_min.y && a->root_min.z == b->root_min.z;
    // Walls beyond the map's root let this one grow that way which came first: pieces may differ.
    if (a->walls.count > 0 && a->outside && !same_root) {
        return a->component_count == b->component_count;
    }
    // Where all is as outside, any root will do.
    return (same_root || space_is_default(a, root_a)) && nodes_agree(p, root_a, root_b) &&
           (!a->outside || pair_groups(p, a->outside, b->outside)) &&
           a->component_count == b->component_count && a->piece_count == b->piece_count;
}

static bool agrees_with_anew(const oct_components *c)
{
    oct_components_def def = oct_components_def_default();
    def.tree = c->tree;
    def.unknown = c->free & OCT_HAS_UNKNOWN ? OCT_UNKNOWN_OPEN : OCT_UNKNOWN_BLOCKED;
    def.allocator = &c->allocator;
    oct_components *anew;
    if (oct_components_create(&def, &anew) != OCT_OK) {
        return false;
    }
    if (oct_components_set_walls(anew, c->walls.items, c->walls.count) != OCT_OK ||
        oct_components_update(anew) != OCT_OK) {
        oct_components_destroy(anew);
        return false;
    }
    const size_t size = (c->groups.count + anew->groups.count) * sizeof(uint32_t);
    uint32_t *numbers = oct_alloc(&c->allocator, size, _Alignof(uint32_t));
    bool valid = false;
    if (numbers) {
        memset(numbers, 0, size);
        valid = agree(&(pairing){c, anew, numbers, numbers + c->groups.count});
    }
    oct_free(&c->allocator, numbers, size);
    oct_components_destroy(anew);
    return valid;
}

bool oct_components_is_valid(const oct_components *c)
{
    if (!c->known) {
        return true;
    }
    const size_t refs = c->groups.count * sizeof(uint32_t);
    const size_t size = refs + c->blocks.count + c->pieces.count;
    uint8_t *memory = oct_alloc(&c->allocator, size, _Alignof(uint32_t));
    if (!memory) {
        return false;
    }
    memset(memory, 0, size);
    books b = {.c = c,
               .refs = (uint32_t *)(void *)memory,
               .blocks = memory + refs,
               .pieces = memory + refs + c->blocks.count};
    const bool valid = books_balance(&b);
    oct_free(&c->allocator, memory, size);
    return valid && (c->revision != oct_tree_revision(c->tree) || c->rewalled.count > 0 ||
                     agrees_with_anew(c));
}
