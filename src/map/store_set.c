// SPDX-License-Identifier: MIT
// The set of BLOCKED cells with its rows of observed ones, as a store: life, edits and memory.
//
// An edit runs twice over its rows: first it adds up what it may take; then, with all memory there,
// it cannot fail. Uncovering cells takes nothing, and putting back what was taken away neither.
#include "map/set_internal.h"

// ---- memory ----

static size_t set_bytes(const void *store)
{
    const set *s = store;
    return oct_rows_bytes(&s->rows) + s->cells.size * sizeof *s->cells.slots;
}

// What an edit may take. Cells are a bound.
typedef struct need {
    uint64_t rows, pool, cells;
} need;

// Counts the cells that are really new.
typedef uint64_t missing_fn(const void *ctx);

static oct_result reserve(set *s, const need *n, missing_fn *missing, const void *ctx)
{
    const uint64_t begun = meter_begin(s->meter);
    const size_t bytes = set_bytes(s);
    OCT_TRY(oct_rows_reserve(&s->rows, n->rows, n->pool));
    const size_t load = table_load(s->cells.size);
    // Counting costs no more than the table is worth.
    const bool count = n->cells > load - s->cells.count && n->cells <= load;
    OCT_TRY(oct_cells_reserve(&s->cells, count ? missing(ctx) : n->cells));
    if (set_bytes(s) > bytes) {
        meter_end(s->meter, begun);
    }
    return OCT_OK;
}

// Whether a box has more rows than can be kept, even if only half of them, as of a ball, are used.
static bool has_too_many_rows(const oct_box *box)
{
    return box_places(box) / 2u > SET_ROWS_MAX;
}

// Gives a row back of which nothing is left.
static void row_tidy(set *s, uint32_t index)
{
    const set_row *r = rows_at(&s->rows, index);
    if (index && r->cells == 0 && r->count == 0) {
        oct_rows_give(&s->rows, index);
    }
}

static void commit(set *s, const oct_change *change)
{
    if (s->rows.count == 0) {
        s->bounds = BOX_EMPTY;
    }
    change_record(change, &s->journal);
}

// Changes the state of a cell that the table holds; it leaves the table where nothing is left.
OCT_FORCE_INLINE void change_cell(set *s, set_row *r, uint64_t *slot, uint32_t state)
{
    if (state) {
        slot_set(slot, state);
    } else {
        oct_cells_remove(&s->cells, slot);
        r->cells--;
    }
}

// The slot of a cell of a row, which is added where the table does not hold it; then its state is 0
// and must be set.
OCT_FORCE_INLINE uint64_t *take_cell(set *s, uint32_t index, int32_t x)
{
    uint64_t *slot = cells_slot(&s->cells, slot_key(index, x));
    if (*slot == 0) {
        OCT_ASSERT(s->cells.count < table_load(s->cells.size));
        *slot = slot_key(index, x) << 6;
        s->cells.count++;
        rows_at(&s->rows, index)->cells++;
    }
    return slot;
}

// Adds bits to the state of a cell; returns what it was.
OCT_FORCE_INLINE uint32_t add_to_cell(set *s, uint32_t index, int32_t x, uint32_t bits)
{
    uint64_t *slot = take_cell(s, index, x);
    const uint32_t state = slot_state(*slot);
    slot_set(slot, state | bits);
    return state;
}

// ---- marks ----

typedef struct marking {
    set *s;
    const region *cells;
    cell_rule rule;
    oct_box box; // what of the region can change
    need need;
    oct_change change;
} marking;

// Does something with the row at a place; its index is 0 where it is not there. False stops.
typedef bool marking_fn(marking *m, uint32_t index, int32_t y, int32_t z);

// Visits the rows of the region: those that are there, or all where the mark may bring new ones.
static bool marking_rows(marking *m, marking_fn *visit)
{
    if (!m->rule.set) {
        row_walk walk = oct_row_walk(m->s, &m->box);
        for (uint32_t index; (index = oct_row_walk_next(&walk)) != 0;) {
            const set_row *r = rows_at(&m->s->rows, index);
            if (!visit(m, index, r->y, r->z)) {
                return false;
            }
        }
        return true;
    }
    for (int32_t z = m->box.min.z; z < m->box.max.z; z++) {
        for (int32_t y = m->box.min.y; y < m->box.max.y; y++) {
            if (!visit(m, oct_rows_find(&m->s->rows, y, z), y, z)) {
                return false;
            }
        }
    }
    return true;
}

static region_row marking_row(const marking *m, int32_t y, int32_t z)
{
    region_row row;
    oct_region_row(m->cells, m->s->dims, (run){m->box.min.x, m->box.max.x}, y, z, &row);
    return row;
}

// Adds up what a row may take.
static bool plan_row(marking *m, uint32_t index, int32_t y, int32_t z)
{
    const set_row *r = index ? rows_at(&m->s->rows, index) : NULL;
    const bool observes = m->rule.set & CELL_OBSERVED, forgets = m->rule.clear & CELL_OBSERVED;
    region_row row = marking_row(m, y, z);
    uint32_t parts = 0, splits = 0;
    for (run part; oct_region_next(&row, &part); parts++) {
        if (observes || forgets) {
            splits += !r || oct_rows_splits(&m->s->rows, r, part, observes);
        }
        m->need.cells += m->rule.set & CELL_STATIC ? (uint64_t)((int64_t)part.to - part.from) : 0u;
    }
    m->need.rows += parts && !r;
    m->need.pool += oct_rows_growth(r, splits);
    return m->need.rows <= SET_ROWS_MAX;
}

// Counts the cells of a row that the table does not hold.
static bool count_missing(marking *m, uint32_t index, int32_t y, int32_t z)
{
    region_row row = marking_row(m, y, z);
    for (run part; oct_region_next(&row, &part);) {
        for (int32_t x = part.from; x < part.to; x++) {
            m->need.cells += !set_find(m->s, index, x);
        }
    }
    return true;
}

static uint64_t marking_missing(const void *ctx)
{
    marking m = *(const marking *)ctx;
    m.need.cells = 0;
    marking_rows(&m, count_missing);
    return m.need.cells;
}

// Notes what a mark changes in a run. Where it leaves static geometry alone, only cells whose
// observed bit turns matter; and where no thing is UNKNOWN, the table holds nothing but BLOCKED
// cells, so that once one of them and a free one are noted there is nothing to learn from it.
static void note_run(marking *m, uint32_t index, int32_t y, int32_t z, run cells)
{
    row_scan scan = oct_row_scan(m->s, index, cells);
    if (!((m->rule.set | m->rule.clear) & CELL_STATIC)) {
        const bool observes = m->rule.set & CELL_OBSERVED;
        const oct_labels free = observes ? OCT_HAS_UNKNOWN : OCT_HAS_OPEN;
        scan.skip = observes ? 2u : 1u;
        if (m->s->unknown == 0 && m->change.before == (free | OCT_HAS_BLOCKED)) {
            scan.cells = 0;
        }
    }
    uint32_t state;
    for (run part; oct_row_scan_next(&scan, &part, &state);) {
        change_run(&m->change, part, y, z, state, cell_mark(m->rule, state));
    }
}

static void mark_run(set *s, cell_rule rule, uint32_t index, run cells)
{
    set_row *r = rows_at(&s->rows, index);
    if ((rule.set | rule.clear) & CELL_OBSERVED) {
        oct_rows_mark(&s->rows, r, cells, rule.set & CELL_OBSERVED);
    }
    for (int32_t x = cells.from; (rule.set & CELL_STATIC) && x < cells.to; x++) {
        add_to_cell(s, index, x, CELL_STATIC);
    }
    while (rule.clear & CELL_STATIC) {
        cells.from = oct_next_cell(s, index, cells);
        if (cells.from == cells.to) {
            break;
        }
        uint64_t *slot = cells_find(&s->cells, index, cells.from++);
        change_cell(s, r, slot, slot_state(*slot) & ~(uint32_t)CELL_STATIC);
    }
}

static bool mark_row(marking *m, uint32_t index, int32_t y, int32_t z)
{
    set *s = m->s;
    region_row row = marking_row(m, y, z);
    for (run part; oct_region_next(&row, &part);) {
        note_run(m, index, y, z, part);
        if (m->rule.set) {
            box_widen(&s->bounds, part, y, z);
            index = index ? index : oct_rows_take(&s->rows, y, z);
        }
        mark_run(s, m->rule, index, part);
    }
    row_tidy(s, index);
    return true;
}

static oct_result set_mark(void *store, const thing_index *others, const region *cells,
                           oct_mark mark)
{
    (void)others;
    set *s = store;
    marking m = {.s = s,
                 .cells = cells,
                 .rule = oct_cell_rules[mark],
                 .box = oct_region_box(cells, s->dims)};
    if (!m.rule.set) {
        m.box = box_common(m.box, s->bounds);
    }
    if (box_is_empty(3, &m.box)) {
        return OCT_OK;
    }
    if ((m.rule.set && has_too_many_rows(&m.box)) || !marking_rows(&m, plan_row)) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(reserve(s, &m.need, marking_missing, &m));
    marking_rows(&m, mark_row);
    commit(s, &m.change);
    return OCT_OK;
}

// ---- covers ----

typedef struct covering {
    set *s;
    const thing_index *others;
    oct_box was, now; // empty where there is none
    uint32_t bits;    // what the cells get
    need need;
    oct_change change;
} covering;

// Does something with the part of a row that a box holds; its index is 0 where it is not there.
typedef void covering_fn(covering *c, uint32_t index, run cells, int32_t y, int32_t z);

OCT_FORCE_INLINE void covering_rows(covering *c, const oct_box *box, covering_fn *visit)
{
    for (int32_t z = box->min.z; z < box->max.z; z++) {
        for (int32_t y = box->min.y; y < box->max.y; y++) {
            const uint32_t index = oct_rows_find(&c->s->rows, y, z);
            visit(c, index, (run){box->min.x, box->max.x}, y, z);
        }
    }
}

static void plan_cover(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    (void)y;
    (void)z;
    c->need.rows += !index;
    c->need.cells += (uint64_t)((int64_t)cells.to - cells.from);
}

static void count_uncovered(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    (void)y;
    (void)z;
    for (int32_t x = cells.from; x < cells.to; x++) {
        c->need.cells += !set_find(c->s, index, x);
    }
}

static uint64_t covering_missing(const void *ctx)
{
    covering c = *(const covering *)ctx;
    c.need.cells = 0;
    covering_rows(&c, &c.now, count_uncovered);
    return c.need.cells;
}

// Nothing was covered before: one pass will do.
static void add_cover(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    set *s = c->s;
    index = index ? index : oct_rows_take(&s->rows, y, z);
    observed_walk walk = observed_start(&s->rows, index, cells.from);
    for (int32_t x = cells.from; x < cells.to; x++) {
        const uint32_t old = add_to_cell(s, index, x, c->bits) | observed_at(&walk, x);
        change_run(&c->change, (run){x, x + 1}, y, z, old, old | c->bits);
    }
}

// Cells remember what covered them, and are uncovered.
static void uncover(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    (void)y;
    (void)z;
    for (int32_t x = cells.from; x < cells.to; x++) {
        uint64_t *slot = cells_find(&c->s->cells, index, x);
        const uint32_t state = slot_state(*slot);
        slot_set(slot,
                 (state & CELL_STATIC) | (state & CELL_COVER) << CELL_COVER_SHIFT | CELL_TOUCHED);
    }
}

static void cover_again(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    (void)y;
    (void)z;
    for (int32_t x = cells.from; x < cells.to; x++) {
        add_to_cell(c->s, index, x, c->bits);
    }
}

static bool cover_by_other(void *ctx, uint32_t slot, const oct_box *cells)
{
    covering *c = ctx;
    const oct_box box = box_common(box_flat(c->s->dims, *cells), c->was);
    c->bits = cover_state((oct_label)oct_things_at(c->others, slot)->label);
    if (c->bits) {
        covering_rows(c, &box, cover_again);
    }
    return true;
}

// Cells remember what covers them, and are covered. One that remembers already is covered by
// nothing else than before.
static void cover_anew(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    set *s = c->s;
    index = index ? index : oct_rows_take(&s->rows, y, z);
    for (int32_t x = cells.from; x < cells.to; x++) {
        uint64_t *slot = take_cell(s, index, x);
        const uint32_t state = slot_state(*slot);
        slot_set(slot, state | (state & CELL_COVER) << CELL_COVER_SHIFT | CELL_TOUCHED | c->bits);
    }
}

// Notes how cells differ from what they remember, and lets them forget.
static void settle(covering *c, uint32_t index, run cells, int32_t y, int32_t z)
{
    set *s = c->s;
    set_row *r = rows_at(&s->rows, index);
    observed_walk walk = observed_start(&s->rows, index, cells.from);
    for (int32_t x = cells.from; x < cells.to; x++) {
        uint64_t *slot = cells_find(&s->cells, index, x);
        const uint32_t state = slot ? slot_state(*slot) : 0u, observed = observed_at(&walk, x);
        if (state & CELL_TOUCHED) {
            const uint32_t now = state & CELL_STATE;
            const uint32_t old = (now & CELL_STATIC) | (state >> CELL_COVER_SHIFT & CELL_COVER);
            change_run(&c->change, (run){x, x + 1}, y, z, old | observed, now | observed);
            change_cell(s, r, slot, now);
        }
    }
    row_tidy(s, index);
}

static oct_result set_cover(void *store, const thing_index *others, const thing_cover *was,
                            const thing_cover *now)
{
    set *s = store;
    covering c = {.s = s,
                  .others = others,
                  .was = was ? box_flat(s->dims, was->box) : BOX_EMPTY,
                  .now = now ? box_flat(s->dims, now->box) : BOX_EMPTY};
    if (has_too_many_rows(&c.now)) {
        return OCT_ERROR_RANGE;
    }
    covering_rows(&c, &c.now, plan_cover);
    OCT_TRY(reserve(s, &c.need, covering_missing, &c));
    const uint32_t bits = now ? cover_state(now->label) : 0u;
    if (!was) {
        c.bits = bits;
        covering_rows(&c, &c.now, add_cover);
    } else {
        covering_rows(&c, &c.was, uncover);
        oct_things_in(others, &c.was, cover_by_other, &c);
        c.bits = bits;
        covering_rows(&c, &c.now, cover_anew);
        covering_rows(&c, &c.was, settle);
        covering_rows(&c, &c.now, settle);
    }
    s->unknown += now && now->label == OCT_UNKNOWN;
    s->unknown -= was && was->label == OCT_UNKNOWN;
    s->bounds = box_union(s->bounds, c.now);
    commit(s, &c.change);
    return OCT_OK;
}

// ---- life ----

static void set_destroy(void *store)
{
    set *s = store;
    const oct_allocator allocator = s->allocator;
    oct_rows_free(&s->rows);
    oct_cells_free(&s->cells);
    oct_journal_free(&s->journal, &allocator);
    oct_free(&allocator, s, sizeof *s);
}

oct_result oct_store_set_create(const oct_map_def *def, const oct_allocator *allocator,
                                growth_meter *meter, void **store)
{
    set *s = oct_alloc(allocator, sizeof *s, _Alignof(set));
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (set){.allocator = *allocator,
               .dims = (int)def->dims,
               .rows = {.allocator = *allocator},
               .cells = {.allocator = *allocator},
               .meter = meter};
    if (oct_journal_init(&s->journal, allocator, def->journal) != OCT_OK) {
        oct_free(allocator, s, sizeof *s);
        return OCT_ERROR_MEMORY;
    }
    *store = s;
    return OCT_OK;
}

static journal *set_journal(void *store)
{
    return &((set *)store)->journal;
}

static oct_result set_shrink(void *store)
{
    set *s = store;
    const size_t count = s->rows.rows.count + 1u; // never 0
    uint32_t *renumber = oct_alloc(&s->allocator, count * sizeof *renumber, _Alignof(uint32_t));
    if (!renumber) {
        return OCT_ERROR_MEMORY;
    }
    set_rows rows;
    set_cells cells;
    oct_result result = oct_rows_pack(&s->rows, renumber, &rows);
    if (result == OCT_OK) {
        result = oct_cells_pack(&s->cells, renumber, &cells);
        if (result != OCT_OK) {
            oct_rows_free(&rows);
        }
    }
    oct_free(&s->allocator, renumber, count * sizeof *renumber);
    if (result != OCT_OK) {
        return result;
    }
    oct_rows_free(&s->rows);
    oct_cells_free(&s->cells);
    s->rows = rows;
    s->cells = cells;
    s->bounds = oct_set_stored(s);
    return OCT_OK;
}

const store_ops oct_store_set_ops = {
    .destroy = set_destroy,
    .mark = set_mark,
    .cover = set_cover,
    .label = oct_set_label,
    .leaf = oct_set_leaf,
    .labels_in = oct_set_labels_in,
    .count = oct_set_count,
    .extent = oct_set_extent,
    .leaves = oct_set_leaves,
    .neighbours = oct_set_neighbours,
    .journal = set_journal,
    .bytes = set_bytes,
    .shrink = set_shrink,
    .is_valid = oct_set_is_valid,
};
