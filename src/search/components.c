// SPDX-License-Identifier: MIT
// Components: their life, what they answer, and how they follow a map.
//
// An update has four steps. Inside the journal's boxes the map is compared with its copy, and every
// leaf or brick that differs becomes a note; memory is made ready. The notes are carried out: new
// pieces take over the components of the cells that were free before. Then what was opened is
// joined with what it touches. Now everything that is connected has one component, and a component
// may still hold what is not: what was blocked may have cut it (components_cut.c).
//
// All changes since the last time are taken together, since the map shows only how they ended.
#include "octant/components.h"
#include "octant/tree.h"
#include "search/components_internal.h"

#define COMPONENTS_COOKIE 0x0c7a9e0cu
#define CHANGES_AT_ONCE 16
// From so many notes on, for so many pieces, everything is labelled anew.
#define NOTES_LEAST 256u
#define NOTES_SHARE 4u

// ---- life ----

oct_components_def oct_components_def_default(void)
{
    return (oct_components_def){.cookie = COMPONENTS_COOKIE};
}

oct_result oct_components_create(const oct_components_def *def, oct_components **out)
{
    *out = NULL;
    if (def->cookie != COMPONENTS_COOKIE || !def->tree ||
        (uint32_t)def->unknown > OCT_UNKNOWN_PRICED) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_components *c = oct_alloc(&allocator, sizeof *c, _Alignof(oct_components));
    if (!c) {
        return OCT_ERROR_MEMORY;
    }
    *c = (oct_components){
        .allocator = allocator,
        .tree = def->tree,
        .dims = def->tree->dims,
        .free = def->unknown == OCT_UNKNOWN_BLOCKED ? OCT_HAS_OPEN : OCT_HAS_OPEN | OCT_HAS_UNKNOWN,
    };
    const oct_result result = oct_components_update(c);
    if (result != OCT_OK) {
        oct_components_destroy(c);
        return result;
    }
    *out = c;
    return OCT_OK;
}

void oct_components_destroy(oct_components *c)
{
    if (!c) {
        return;
    }
    const oct_allocator allocator = c->allocator;
    oct_array_free(&c->blocks, &allocator, sizeof(uint32_t) << c->dims);
    oct_array_free(&c->parents, &allocator, sizeof(uint32_t));
    oct_array_free(&c->pieces, &allocator, sizeof(piece));
    oct_array_free(&c->groups, &allocator, sizeof(group));
    oct_array_free(&c->walls, &allocator, sizeof(oct_box));
    oct_array_free(&c->rewalled, &allocator, sizeof(oct_box));
    oct_array_free(&c->spans, &allocator, sizeof(span));
    oct_array_free(&c->notes, &allocator, sizeof(note));
    oct_array_free(&c->seeds, &allocator, sizeof(part));
    oct_array_free(&c->cuts, &allocator, sizeof(cut));
    oct_array_free(&c->floods, &allocator, sizeof(flood));
    oct_array_free(&c->waiting, &allocator, sizeof(flood_entry));
    oct_free(&allocator, c, sizeof *c);
}

// ---- answers ----

OCT_FORCE_INLINE uint32_t group_at(const oct_components *c, int dims, oct_vec cell)
{
    const rel at = {(uint32_t)cell.x - (uint32_t)c->root_min.x,
                    (uint32_t)cell.y - (uint32_t)c->root_min.y,
                    dims == 3 ? (uint32_t)cell.z - (uint32_t)c->root_min.z : 0u};
    if ((uint64_t)(at.x | at.y | at.z) >> c->root_level) {
        return c->outside;
    }
    const uint32_t *words = space_words(c);
    uint32_t word = words[0];
    for (int level = c->root_level; space_kind(word) == SPACE_INNER; level--) {
        word = words[space_value(word) << dims | child_at(dims, level, at)];
    }
    if (space_kind(word) == SPACE_FREE) {
        return space_value(word);
    }
    if (space_kind(word) == SPACE_BRICK) {
        const uint32_t bit = morton_index(dims, at.x, at.y, at.z);
        const piece *pieces = space_pieces(c);
        for (uint32_t i = space_value(word); i; i = pieces[i].next) {
            if (pieces[i].cells >> bit & 1u) {
                return pieces[i].group;
            }
        }
    }
    return 0;
}

uint32_t oct_components_at(const oct_components *c, oct_vec cell)
{
    if (OCT_UNLIKELY(!c->known)) {
        return 1;
    }
    const uint32_t g = c->dims == 3 ? group_at(c, 3, cell) : group_at(c, 2, cell);
    return g ? group_root(space_groups(c), g) : 0;
}

bool oct_components_joined(const oct_components *c, oct_vec a, oct_vec b)
{
    const uint32_t component = oct_components_at(c, a);
    return component != 0 && component == oct_components_at(c, b);
}

uint64_t oct_components_revision(const oct_components *c)
{
    return c->revision;
}

bool oct_components_are_of(const oct_components *c, const oct_tree *tree, oct_unknown unknown)
{
    const bool is_open = (c->free & OCT_HAS_UNKNOWN) != 0;
    return c->tree == tree && c->walls.count == 0 && is_open == (unknown != OCT_UNKNOWN_BLOCKED);
}

oct_components_stats oct_components_measure(const oct_components *c)
{
    return (oct_components_stats){
        .count = c->component_count,
        .pieces = c->piece_count,
        .visited = c->visited,
        .rebuilt = c->rebuilt,
        .bytes = sizeof *c + (c->blocks.capacity << c->dims) * sizeof(uint32_t) +
                 c->parents.capacity * sizeof(uint32_t) + c->pieces.capacity * sizeof(piece) +
                 c->groups.capacity * sizeof(group) +
                 (c->walls.capacity + c->rewalled.capacity) * sizeof(oct_box) +
                 c->spans.capacity * sizeof(span) + c->notes.capacity * sizeof(note) +
                 c->seeds.capacity * sizeof(part) + c->cuts.capacity * sizeof(cut) +
                 c->floods.capacity * sizeof(flood) + c->waiting.capacity * sizeof(flood_entry),
    };
}

// ---- what has changed ----

// Whether a change can have made a free cell blocked, or the other way round.
static bool change_counts(const oct_components *c, const oct_change *change)
{
    const oct_labels labels = change->before | change->after;
    return (labels & c->free) && (labels & ~c->free);
}

typedef oct_result change_fn(oct_components *c, const oct_change *change, void *ctx);

// Calls a function for every change since the last update that counts, walls included.
static oct_result each_change(oct_components *c, change_fn *visit, void *ctx)
{
    uint64_t revision = c->revision;
    oct_change changes[CHANGES_AT_ONCE];
    size_t count;
    do {
        OCT_TRY(oct_tree_changes(c->tree, revision, changes, CHANGES_AT_ONCE, &count));
        for (size_t i = 0; i < count; i++) {
            if (change_counts(c, &changes[i])) {
                OCT_TRY(visit(c, &changes[i], ctx));
            }
        }
        revision += count;
    } while (count == CHANGES_AT_ONCE);
    const oct_box *const boxes = c->rewalled.items;
    for (size_t i = 0; i < c->rewalled.count; i++) {
        const oct_change change = {.box = boxes[i]};
        OCT_TRY(visit(c, &change, ctx));
    }
    return OCT_OK;
}

typedef struct reach {
    size_t count; // changes that count
    oct_box box;  // holds what has changed inside the map's root, and walls outside it
} reach;

static oct_result note_reach(oct_components *c, const oct_change *change, void *ctx)
{
    reach *r = ctx;
    span inside;
    const bool is_wall = change->before == 0 && change->after == 0;
    if (is_wall && c->outside) {
        r->box = box_union(r->box, change->box);
    } else if (oct_tree_clip(c->tree, change->box, &inside)) {
        r->box = box_union(r->box, oct_tree_unclip(c->tree, &inside));
    }
    r->count++;
    return OCT_OK;
}

// ---- comparing ----

// A map's word that stands for a cube which holds the map's root and more.
#define SEEN_ABOVE UINT32_MAX

typedef struct comparison {
    oct_components *c;
    span box;
    rel map; // the map's root, where it is inside this one
    size_t blocks, pieces;
    bool is_patient; // however much differs
} comparison;

static oct_result add_note(comparison *k, int level, rel at, uint64_t was, uint64_t now)
{
    oct_components *c = k->c;
    if (!k->is_patient && c->notes.count > NOTES_LEAST + c->piece_count / NOTES_SHARE) {
        return OCT_ERROR_LOST;
    }
    uint64_t parts[PIECES_MAX];
    k->pieces += now == UINT64_MAX ? 1u
                 : c->dims == 3    ? cells_divide(3, now, parts)
                                   : cells_divide(2, now, parts);
    const note n = {at, level, was, now};
    return oct_array_push(&c->notes, &c->allocator, sizeof n, &n);
}

// What the map has in a child of a cube.
static uint32_t seen_child(const comparison *k, uint32_t seen, int level, uint32_t child)
{
    const oct_tree *tree = k->c->tree;
    if (seen != SEEN_ABOVE) {
        return word_kind(seen) == KIND_INNER
                   ? tree_siblings(tree, tree->dims, word_index(seen))[child]
                   : seen;
    }
    if (child_at(tree->dims, level, k->map) != child) {
        return word_leaf(0);
    }
    return level - 1 == tree->root_level ? tree->root : SEEN_ABOVE;
}

// Which cells of a brick are free in the map, walls left out.
static uint64_t seen_cells(const comparison *k, uint32_t seen, rel at, uint32_t walls)
{
    const oct_components *c = k->c;
    const oct_labels labels = word_labels(seen);
    uint64_t cells = !(labels & c->free) ? 0u
                     : !(labels & ~c->free)
                         ? UINT64_MAX
                         : brick_with(*tree_brick(c->tree, word_index(seen)), c->free);
    const span *const spans = c->spans.items;
    for (uint32_t i = 0; i < walls; i++) {
        cells &= ~span_mask(c->dims, &spans[i], at);
    }
    return cells;
}

// Notes what differs in a node that the box meets: `word` here, `seen` in the map. The first walls
// meet what is around it.
static oct_result compare(comparison *k, uint32_t word, uint32_t seen, int level, rel at,
                          uint32_t walls)
{
    oct_components *c = k->c;
    bool is_wall;
    walls = oct_walls_near(c, at, level, walls, &is_wall);
    const oct_labels labels = is_wall              ? OCT_HAS_BLOCKED
                              : seen == SEEN_ABOVE ? OCT_HAS_ANY
                                                   : word_labels(seen);
    const bool uniform = !(labels & c->free) || (!(labels & ~c->free) && walls == 0);
    const uint64_t all = labels & c->free ? UINT64_MAX : 0u;
    if (uniform && space_kind(word) == (all ? SPACE_FREE : SPACE_BLOCKED)) {
        return OCT_OK;
    }
    if (level == brick_level(c->dims)) {
        const uint64_t now = uniform ? all : seen_cells(k, seen, at, walls);
        const uint64_t was = oct_space_cells(c, word);
        return was == now ? OCT_OK : add_note(k, level, at, was, now);
    }
    if (uniform) {
        return add_note(k, level, at, ~all, all);
    }
    const bool inner = space_kind(word) == SPACE_INNER;
    k->blocks += !inner;
    const uint32_t first = space_value(word) << c->dims;
    for (uint32_t set = span_children(c->dims, &k->box, at, level); set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        OCT_TRY(compare(k, inner ? space_words(c)[first + i] : word, seen_child(k, seen, level, i),
                        level - 1, child_position(c->dims, at, level, i), walls));
    }
    return OCT_OK;
}

// What the map has in the place of the root here. One root holds the other, or they are apart: then
// the map has nothing that differs from what is outside, and any of its nodes will do.
static uint32_t seen_root(comparison *k)
{
    const oct_components *c = k->c;
    const oct_tree *tree = c->tree;
    const uint32_t x = (uint32_t)(tree->root_min.x - c->root_min.x);
    const uint32_t y = (uint32_t)(tree->root_min.y - c->root_min.y);
    const uint32_t z = (uint32_t)(tree->root_min.z - c->root_min.z);
    if (tree->root_level >= c->root_level) {
        return tree_descend(tree, c->dims, (rel){0u - x, 0u - y, 0u - z}, c->root_level).word;
    }
    k->map = (rel){x, y, z};
    return SEEN_ABOVE;
}

static oct_result note_changes(oct_components *c, const oct_change *change, void *ctx)
{
    comparison *k = ctx;
    return oct_space_clip(c, &change->box, &k->box)
               ? compare(k, space_words(c)[0], seen_root(k), c->root_level, (rel){0, 0, 0},
                         (uint32_t)c->spans.count)
               : OCT_OK;
}

// ---- joining ----

// Joins a part with what touches some of its cells.
static void join_part(oct_components *c, part p, uint64_t cells)
{
    cursor at = {.slot = p.slot, .level = (uint8_t)p.level};
    contact k;
    part other;
    while (oct_cursor_next(c, &at, cells, &k)) {
        while (contact_next(c, &k, &other)) {
            oct_group_join(c, part_group(c, p), part_group(c, other));
            c->visited++;
        }
    }
}

// Joins what a note has opened with what it touches. Where the node has become part of a larger one
// everything is free, and beyond there is only the outside.
static void join_opened(oct_components *c, const note *n)
{
    const uint64_t opened = n->now & ~n->was;
    if (!opened) {
        return;
    }
    int level;
    part p;
    const uint32_t slot = oct_space_slot(c, n->at, &level);
    contact own = contact_of(c, slot, level, opened);
    while (contact_next(c, &own, &p)) {
        join_part(c, p, opened & part_cells(c, p));
        part_settle(c, p);
    }
}

// ---- following ----

// Whether nodes of this tree lie where nodes of the map do.
static bool is_aligned(const oct_components *c)
{
    const corner a = c->root_min, b = c->tree->root_min;
    const int level = c->root_level < c->tree->root_level ? c->root_level : c->tree->root_level;
    return (((a.x - b.x) | (a.y - b.y) | (a.z - b.z)) & ((INT64_C(1) << level) - 1)) == 0;
}

// Brings the tree here up to date; LOST where it is better to begin anew, unless it is patient.
static oct_result follow(oct_components *c, bool is_patient)
{
    reach r = {.count = 0};
    c->visited = 0;
    c->notes.count = 0;
    OCT_TRY(each_change(c, note_reach, &r));
    if (r.count == 0) {
        return OCT_OK;
    }
    c->changes++;
    if (space_is_default(c, space_words(c)[0])) {
        c->root_level = c->tree->root_level;
        c->root_min = c->tree->root_min;
    }
    if (!is_aligned(c)) {
        return OCT_ERROR_LOST;
    }
    if (!box_is_empty(3, &r.box)) {
        OCT_TRY(oct_space_grow(c, &r.box));
    }
    OCT_TRY(oct_walls_place(c));
    comparison k = {.c = c, .is_patient = is_patient};
    OCT_TRY(each_change(c, note_changes, &k));
    OCT_TRY(oct_space_reserve(c, k.blocks, k.pieces));
    OCT_TRY(oct_groups_reserve(c, k.pieces));
    const note *notes = c->notes.items;
    for (size_t i = 0; i < c->notes.count; i++) {
        oct_space_put(c, &notes[i]);
    }
    for (size_t i = 0; i < c->notes.count; i++) {
        join_opened(c, &notes[i]);
    }
    OCT_TRY(oct_components_cut(c));
    oct_space_trim(c);
    return OCT_OK;
}

// Labels everything anew: the map, and then what walls change in it.
static oct_result begin_anew(oct_components *c)
{
    OCT_TRY(oct_components_label(c));
    OCT_TRY(oct_walls_renew(c));
    const uint64_t before = c->revision, visited = c->visited;
    c->revision = oct_tree_revision(c->tree);
    const oct_result result = follow(c, true);
    c->revision = before;
    c->visited += visited;
    return result;
}

oct_result oct_components_update(oct_components *c)
{
    const uint64_t revision = oct_tree_revision(c->tree);
    if (c->known && c->revision == revision && c->rewalled.count == 0) {
        c->visited = 0;
        return OCT_OK;
    }
    oct_result result = c->known ? follow(c, false) : OCT_ERROR_LOST;
    if (result == OCT_ERROR_LOST) {
        result = begin_anew(c);
    }
    c->known = result == OCT_OK;
    if (c->known) {
        c->revision = revision;
        c->rewalled.count = 0;
    }
    return result;
}
