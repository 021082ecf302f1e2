// SPDX-License-Identifier: MIT
// The dense grid as a store: life and edits. Uncovering cells takes no memory.
#include "map/grid_internal.h"

// ---- edits ----

typedef struct edit {
    grid *g;
    uint64_t set, clear;        // for every cell of a word
    uint64_t was[3], became[3]; // planes of the cells that changed, or-ed, by label
    oct_change change;
} edit;

// Notes what changed between two words at x, y, z.
OCT_FORCE_INLINE void edit_note(edit *e, uint64_t old, uint64_t now, oct_vec at)
{
    const planes before = word_planes(old), after = word_planes(now);
    const uint64_t differ = old ^ now;
    const uint64_t changed = ((differ | differ >> 1) & LANES) | (before.blocked ^ after.blocked) |
                             (before.open ^ after.open);
    if (!changed) {
        return;
    }
    e->was[OCT_UNKNOWN] |= changed & ~(before.blocked | before.open);
    e->was[OCT_OPEN] |= changed & before.open;
    e->was[OCT_BLOCKED] |= changed & before.blocked;
    e->became[OCT_UNKNOWN] |= changed & ~(after.blocked | after.open);
    e->became[OCT_OPEN] |= changed & after.open;
    e->became[OCT_BLOCKED] |= changed & after.blocked;
    box_widen(&e->change.box, word_run(changed, at.x), at.y, at.z);
}

// What becomes of a word, of which the cells in `mask` are edited.
typedef uint64_t word_fn(edit *e, uint64_t word, uint64_t mask, oct_vec at);

OCT_FORCE_INLINE void edit_run(edit *e, word_fn *become, run cells, int32_t y, int32_t z)
{
    pieces row = row_pieces(e->g, cells, y, z);
    piece p;
    while (pieces_next(&row, &p)) {
        if (!p.words) {
            continue;
        }
        for (uint32_t i = p.from / 8u; i < (p.to + 7u) / 8u; i++) {
            const oct_vec at = {p.x + (int32_t)(8u * i), y, z};
            p.words[i] = become(e, p.words[i], piece_mask(&p, i), at);
        }
    }
}

OCT_FORCE_INLINE void edit_box(edit *e, word_fn *become, const oct_box *box)
{
    for (int32_t z = box->min.z; z < box->max.z; z++) {
        for (int32_t y = box->min.y; y < box->max.y; y++) {
            edit_run(e, become, (run){box->min.x, box->max.x}, y, z);
        }
    }
}

static void edit_commit(edit *e)
{
    for (uint32_t label = 0; label < 3; label++) {
        e->change.before |= e->was[label] ? 1u << label : 0u;
        e->change.after |= e->became[label] ? 1u << label : 0u;
    }
    change_record(&e->change, &e->g->journal);
}

// Sets and clears bits.
OCT_FORCE_INLINE uint64_t word_mark(edit *e, uint64_t word, uint64_t mask, oct_vec at)
{
    const uint64_t now = (word & ~(e->clear & mask)) | (e->set & mask);
    if (now != word) {
        edit_note(e, word, now, at);
    }
    return now;
}

// Sets bits of cells that remember what covered them.
OCT_FORCE_INLINE uint64_t word_set(edit *e, uint64_t word, uint64_t mask, oct_vec at)
{
    (void)at;
    return word | (e->set & mask);
}

// Makes cells remember what covers them, and sets bits. A cell that remembers already is covered by
// nothing else than before: it loses nothing.
OCT_FORCE_INLINE uint64_t word_cover(edit *e, uint64_t word, uint64_t mask, oct_vec at)
{
    word |= (word & LANES * CELL_COVER & mask) << CELL_COVER_SHIFT;
    return word_set(e, word | (LANES * CELL_TOUCHED & mask), mask, at);
}

// Makes cells remember what covers them, and uncovers them.
OCT_FORCE_INLINE uint64_t word_uncover(edit *e, uint64_t word, uint64_t mask, oct_vec at)
{
    return word_cover(e, word, mask, at) & ~(LANES * CELL_COVER & mask);
}

// Notes how cells differ from what they remember, and lets them forget.
OCT_FORCE_INLINE uint64_t word_settle(edit *e, uint64_t word, uint64_t mask, oct_vec at)
{
    const uint64_t touched = (word >> CELL_TOUCHED_SHIFT & LANES) * CELL_COVER & mask;
    const uint64_t now = word & (LANES * CELL_STATE | ~mask);
    const uint64_t old = (now & ~touched) | (word >> CELL_COVER_SHIFT & touched);
    if (now != old) {
        edit_note(e, old, now, at);
    }
    return now;
}

// ---- what a store does ----

static oct_result grid_mark(void *store, const thing_index *others, const region *cells,
                            oct_mark mark)
{
    (void)others;
    grid *g = store;
    const cell_rule rule = oct_cell_rules[mark];
    edit e = {.g = g, .set = LANES * rule.set, .clear = LANES * rule.clear};
    oct_box box = oct_region_box(cells, g->dims);
    if (box_is_empty(3, &box)) {
        return OCT_OK;
    }
    if (rule.set) {
        OCT_TRY(oct_grid_reserve(g, &box));
    } else if (!oct_grid_clip(g, &box)) {
        return OCT_OK;
    }
    grid_walk walk = grid_walk_start(g, &box);
    for (int32_t y, z; oct_grid_walk_next(&walk, &y, &z);) {
        region_row row;
        oct_region_row(cells, g->dims, (run){box.min.x, box.max.x}, y, z, &row);
        for (run part; oct_region_next(&row, &part);) {
            edit_run(&e, word_mark, part, y, z);
        }
    }
    edit_commit(&e);
    return OCT_OK;
}

// Things that cover cells of a box again.
typedef struct rebuild {
    edit *e;
    const thing_index *things;
    oct_box box;
} rebuild;

static bool rebuild_thing(void *ctx, uint32_t slot, const oct_box *cells)
{
    const rebuild *r = ctx;
    const oct_box box = box_common(box_flat(r->e->g->dims, *cells), r->box);
    r->e->set = LANES * cover_state((oct_label)oct_things_at(r->things, slot)->label);
    edit_box(r->e, word_set, &box);
    return true;
}

static oct_result grid_cover(void *store, const thing_index *others, const thing_cover *was,
                             const thing_cover *now)
{
    grid *g = store;
    edit e = {.g = g};
    const uint64_t covered = now ? LANES * cover_state(now->label) : 0u;
    const oct_box to = now ? box_flat(g->dims, now->box) : BOX_EMPTY;
    if (now) {
        OCT_TRY(oct_grid_reserve(g, &to));
    }
    if (!was) {
        e.set = covered;
        edit_box(&e, word_mark, &to);
    } else {
        rebuild r = {&e, others, box_flat(g->dims, was->box)};
        edit_box(&e, word_uncover, &r.box);
        oct_things_in(others, &r.box, rebuild_thing, &r);
        e.set = covered;
        edit_box(&e, word_cover, &to);
        edit_box(&e, word_settle, &r.box);
        edit_box(&e, word_settle, &to);
    }
    edit_commit(&e);
    return OCT_OK;
}

static journal *grid_journal(void *store)
{
    return &((grid *)store)->journal;
}

// ---- life ----

static void grid_destroy(void *store)
{
    grid *g = store;
    const oct_allocator allocator = g->allocator;
    oct_grid_free(g);
    oct_journal_free(&g->journal, &allocator);
    oct_free(&allocator, g, sizeof *g);
}

oct_result oct_store_grid_create(const oct_map_def *def, const oct_allocator *allocator,
                                 growth_meter *meter, void **store)
{
    grid *g = oct_alloc(allocator, sizeof *g, _Alignof(grid));
    if (!g) {
        return OCT_ERROR_MEMORY;
    }
    *g = (grid){.allocator = *allocator,
                .dims = (int)def->dims,
                .shift = def->dims == 3 ? 5 : 6,
                .meter = meter};
    if (oct_journal_init(&g->journal, allocator, def->journal) != OCT_OK) {
        oct_free(allocator, g, sizeof *g);
        return OCT_ERROR_MEMORY;
    }
    *store = g;
    return OCT_OK;
}

static size_t grid_bytes(const void *store)
{
    return oct_grid_memory(store);
}

// ---- whether it is valid ----

// Whether the chunks of a thing are all there.
static bool thing_is_held(void *ctx, uint32_t slot, const oct_box *cells)
{
    const rebuild *r = ctx;
    const grid *g = r->e->g;
    if (oct_things_at(r->things, slot)->label == OCT_OPEN) {
        return true;
    }
    const oct_box box = box_flat(g->dims, *cells);
    const chunk_range range = oct_grid_range(g, &box);
    size_t count;
    if (!oct_range_count(&range, &count)) {
        return false;
    }
    for (size_t n = 0; n < count; n++) {
        uint64_t **chunk = oct_range_slot(g, &range, n);
        if (!chunk || !*chunk) {
            return false;
        }
    }
    return true;
}

// Whether the cells of a chunk are covered as the things say, which takes another chunk.
static bool chunk_is_valid(const grid *g, const thing_index *things, size_t n, uint64_t *scratch)
{
    grid other = *g;
    other.all = oct_range_part(&g->all, n);
    other.directory = &scratch;
    edit e = {.g = &other};
    rebuild r = {&e, things, oct_range_box(g, &other.all)};
    memset(scratch, 0, oct_chunk_bytes(g));
    oct_things_in(things, &r.box, rebuild_thing, &r);
    uint64_t wrong = 0;
    for (size_t i = 0; i < oct_chunk_bytes(g) / sizeof *scratch; i++) {
        wrong |= (g->directory[n][i] & ~(LANES * CELL_FACTS)) ^ scratch[i];
    }
    return wrong == 0;
}

static bool grid_is_valid(const void *store, const thing_index *things)
{
    grid g = *(const grid *)store;
    uint64_t *scratch = oct_alloc(&g.allocator, oct_chunk_bytes(&g), GRID_ALIGN);
    if (!scratch) {
        return false;
    }
    const oct_box all = BOX_ALL;
    edit e = {.g = &g};
    rebuild r = {&e, things, all};
    bool valid = oct_things_in(things, &all, thing_is_held, &r);
    size_t chunks = 0;
    for (size_t n = 0; n < oct_directory_count(&g); n++) {
        if (g.directory[n]) {
            chunks++;
            valid = valid && chunk_is_valid(&g, things, n, scratch);
        }
    }
    oct_free(&g.allocator, scratch, oct_chunk_bytes(&g));
    return valid && chunks == g.chunks;
}

const store_ops oct_store_grid_ops = {
    .destroy = grid_destroy,
    .mark = grid_mark,
    .cover = grid_cover,
    .label = oct_grid_label,
    .leaf = oct_grid_leaf,
    .labels_in = oct_grid_labels_in,
    .count = oct_grid_count,
    .extent = oct_grid_extent,
    .leaves = oct_grid_leaves,
    .neighbours = oct_grid_neighbours,
    .journal = grid_journal,
    .bytes = grid_bytes,
    .shrink = oct_grid_shrink,
    .is_valid = grid_is_valid,
};
