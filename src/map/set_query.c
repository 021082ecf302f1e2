// SPDX-License-Identifier: MIT
// Walks over the rows and cells of the set, and the questions of a store.
#include "map/set_internal.h"

// ---- walks ----

// Looking up a place takes as long as passing over several rows.
#define PLACE_COST 8u

row_walk oct_row_walk(const set *s, const oct_box *box)
{
    return (row_walk){.s = s,
                      .box = *box,
                      .by_place = box_places(box) < s->rows.rows.count / PLACE_COST,
                      .y = box->min.y,
                      .z = box->min.z,
                      .next = 1};
}

// The next place of a box, in order of z and y.
OCT_FORCE_INLINE void next_place(const oct_box *box, int32_t *y, int32_t *z)
{
    if (++*y == box->max.y) {
        *y = box->min.y;
        ++*z;
    }
}

static bool has_place(const oct_box *box, const set_row *r)
{
    return r->y >= box->min.y && r->y < box->max.y && r->z >= box->min.z && r->z < box->max.z &&
           (r->count || r->cells);
}

uint32_t oct_row_walk_next(row_walk *walk)
{
    const set_rows *rows = &walk->s->rows;
    while (walk->by_place && walk->z < walk->box.max.z) {
        const uint32_t index = oct_rows_find(rows, walk->y, walk->z);
        next_place(&walk->box, &walk->y, &walk->z);
        if (index) {
            return index;
        }
    }
    while (!walk->by_place && walk->next < rows->rows.count) {
        const uint32_t index = walk->next++;
        if (has_place(&walk->box, rows_at(rows, index))) {
            return index;
        }
    }
    return 0;
}

row_scan oct_row_scan(const set *s, uint32_t index, run cells)
{
    row_scan scan = {.s = s, .index = index, .left = cells};
    if (index) {
        const set_row *r = rows_at(&s->rows, index);
        const run *runs = rows_runs(&s->rows, r);
        scan.runs = runs + oct_rows_after(&s->rows, r, cells.from);
        scan.end = runs + r->count;
        scan.cells = r->cells;
    }
    return scan;
}

int32_t oct_next_cell(const set *s, uint32_t index, run cells)
{
    if (!index || rows_at(&s->rows, index)->cells == 0) {
        return cells.to;
    }
    if ((uint64_t)((int64_t)cells.to - cells.from) > s->cells.size) {
        int32_t first = cells.to;
        for (size_t i = 0; i < s->cells.size; i++) {
            const uint64_t slot = s->cells.slots[i];
            const int32_t x = slot_x(slot);
            if (slot && slot_row(slot) == index && x >= cells.from && x < first) {
                first = x;
            }
        }
        return first;
    }
    int32_t x = cells.from;
    while (x < cells.to && !cells_find(&s->cells, index, x)) {
        x++;
    }
    return x;
}

// The part of a row from x on in which all cells were observed, or none: where it ends, and which.
static int32_t observed_part(row_scan *scan, int32_t x, uint32_t *observed)
{
    while (scan->runs < scan->end && scan->runs->to <= x) {
        scan->runs++;
    }
    if (scan->runs == scan->end) {
        *observed = 0;
        return scan->left.to;
    }
    *observed = scan->runs->from <= x ? CELL_OBSERVED : 0u;
    const int32_t stop = *observed ? scan->runs->to : scan->runs->from;
    return stop < scan->left.to ? stop : scan->left.to;
}

// The state of a cell in the table.
OCT_FORCE_INLINE uint32_t table_state(const row_scan *scan, int32_t x)
{
    const uint64_t *slot = scan->cells > 0 ? cells_find(&scan->s->cells, scan->index, x) : NULL;
    return slot ? slot_state(*slot) : 0u;
}

bool oct_row_scan_next(row_scan *scan, run *out, uint32_t *state)
{
    int32_t x = scan->left.from, stop;
    uint32_t observed;
    for (;; x = stop) {
        if (x >= scan->left.to) {
            return false;
        }
        stop = observed_part(scan, x, &observed);
        if (!(scan->skip >> observed & 1u)) {
            break;
        }
    }
    const uint32_t here = table_state(scan, x);
    out->from = x++;
    if (here) {
        while (x < stop && table_state(scan, x) == here) {
            x++;
        }
        scan->cells -= (uint32_t)(x - out->from);
    } else {
        x = scan->cells > 0 ? oct_next_cell(scan->s, scan->index, (run){x, stop}) : stop;
    }
    out->to = scan->left.from = x;
    *state = observed | here;
    return true;
}

// ---- questions ----

// CELL_OBSERVED, or 0.
OCT_FORCE_INLINE uint32_t observed_in(const set *s, const set_row *r, int32_t x)
{
    const uint32_t at = oct_rows_after(&s->rows, r, x);
    return at < r->count && rows_runs(&s->rows, r)[at].from <= x ? CELL_OBSERVED : 0u;
}

// State of a cell in a row, which need not be there.
OCT_FORCE_INLINE uint32_t state_in(const set *s, uint32_t index, int32_t x)
{
    if (!index) {
        return 0;
    }
    const uint64_t *slot = set_find(s, index, x);
    return observed_in(s, rows_at(&s->rows, index), x) | (slot ? slot_state(*slot) : 0u);
}

// The part of a box that may hold anything; false where there is none.
static bool clip(const set *s, oct_box *box)
{
    *box = box_common(box_flat(s->dims, *box), s->bounds);
    return !box_is_empty(3, box);
}

// State of a cell, or CELL_OUTSIDE.
static uint32_t state_at(const set *s, oct_vec cell)
{
    return box_has(&s->bounds, cell) ? state_in(s, oct_rows_find(&s->rows, cell.y, cell.z), cell.x)
                                     : CELL_OUTSIDE;
}

oct_label oct_set_label(const void *store, oct_vec cell)
{
    const set *s = store;
    cell.z = s->dims == 3 ? cell.z : 0;
    return cell_label(state_at(s, cell));
}

oct_leaf oct_set_leaf(const void *store, oct_vec cell)
{
    const set *s = store;
    cell.z = s->dims == 3 ? cell.z : 0;
    const uint32_t state = state_at(s, cell);
    return state & CELL_OUTSIDE ? CELL_LEAF_OUTSIDE
                                : cell_leaf(cell.x, cell.y, cell.z, cell_label(state));
}

static uint32_t set_around(const void *store, int32_t x, int32_t y, int32_t z)
{
    const set *s = store;
    const oct_box *box = &s->bounds;
    const bool inside = y >= box->min.y && y < box->max.y && z >= box->min.z && z < box->max.z;
    const uint32_t index = inside ? oct_rows_find(&s->rows, y, z) : 0u;
    uint32_t states = 0;
    for (int32_t i = 0; i < 3; i++) {
        const int32_t at = x + i - 1;
        const bool stored = inside && at >= box->min.x && at < box->max.x;
        states |= (stored ? state_in(s, index, at) : (uint32_t)CELL_OUTSIDE) << 8 * i;
    }
    return states;
}

size_t oct_set_neighbours(const void *store, oct_leaf leaf, uint32_t directions, oct_labels labels,
                          oct_leaf *out, size_t capacity)
{
    const set *s = store;
    return cells_neighbours(s, set_around, s->dims, leaf, directions, labels, out, capacity);
}

oct_labels oct_set_labels_in(const void *store, oct_box box)
{
    const set *s = store;
    oct_box part = box;
    if (!clip(s, &part)) {
        return box_is_empty(s->dims, &box) ? 0u : OCT_HAS_UNKNOWN;
    }
    const oct_box whole = box_flat(s->dims, box);
    oct_labels found = box_equal(&part, &whole) ? 0u : OCT_HAS_UNKNOWN;
    uint64_t rows = 0;
    row_walk walk = oct_row_walk(s, &part);
    for (uint32_t index; found != OCT_HAS_ANY && (index = oct_row_walk_next(&walk)) != 0; rows++) {
        row_scan scan = oct_row_scan(s, index, (run){part.min.x, part.max.x});
        uint32_t state;
        for (run cells; found != OCT_HAS_ANY && oct_row_scan_next(&scan, &cells, &state);) {
            found |= 1u << cell_label(state);
        }
    }
    return rows < box_places(&part) ? found | OCT_HAS_UNKNOWN : found;
}

// Adds up by row and cell: for boxes of fewer cells than the table has slots.
static void count_cells(const set *s, const oct_box *box, uint64_t counts[3])
{
    row_walk walk = oct_row_walk(s, box);
    for (uint32_t index; (index = oct_row_walk_next(&walk)) != 0;) {
        row_scan scan = oct_row_scan(s, index, (run){box->min.x, box->max.x});
        uint32_t state;
        for (run cells; oct_row_scan_next(&scan, &cells, &state);) {
            counts[cell_label(state)] += (uint64_t)((int64_t)cells.to - cells.from);
        }
    }
}

// Adds up what was observed, then takes away what of it the table holds.
static void count_table(const set *s, const oct_box *box, uint64_t counts[3])
{
    const run within = {box->min.x, box->max.x};
    row_walk walk = oct_row_walk(s, box);
    for (uint32_t index; (index = oct_row_walk_next(&walk)) != 0;) {
        const set_row *r = rows_at(&s->rows, index);
        const run *runs = rows_runs(&s->rows, r);
        for (uint32_t i = oct_rows_after(&s->rows, r, within.from);
             i < r->count && runs[i].from < within.to; i++) {
            const run part = run_common(runs[i], within);
            counts[OCT_OPEN] += (uint64_t)((int64_t)part.to - part.from);
        }
    }
    for (size_t i = 0; i < s->cells.size; i++) {
        const uint64_t slot = s->cells.slots[i];
        const set_row *r = slot ? rows_at(&s->rows, slot_row(slot)) : NULL;
        if (r && box_has(box, (oct_vec){slot_x(slot), r->y, r->z})) {
            counts[OCT_OPEN] -= observed_in(s, r, slot_x(slot)) != 0;
            counts[OCT_BLOCKED] += cell_label(slot_state(slot)) == OCT_BLOCKED;
        }
    }
}

oct_result oct_set_count(const void *store, oct_box box, uint64_t counts[3])
{
    const set *s = store;
    counts[OCT_UNKNOWN] = counts[OCT_OPEN] = counts[OCT_BLOCKED] = 0;
    const oct_box whole = box_flat(s->dims, box);
    uint64_t volume, part;
    if (!oct_box_volume(&whole, &volume)) {
        return OCT_ERROR_RANGE;
    }
    if (clip(s, &box)) {
        oct_box_volume(&box, &part);
        if (part < s->cells.size) {
            count_cells(s, &box, counts);
        } else {
            count_table(s, &box, counts);
        }
    }
    counts[OCT_UNKNOWN] = volume - counts[OCT_OPEN] - counts[OCT_BLOCKED];
    return OCT_OK;
}

// Widens the box by the OPEN cells of a part of a row.
static void widen_by_open(oct_box *box, const set *s, uint32_t index, run cells)
{
    const set_row *r = rows_at(&s->rows, index);
    row_scan scan = oct_row_scan(s, index, cells);
    uint32_t state;
    for (run part; oct_row_scan_next(&scan, &part, &state);) {
        if (cell_label(state) == OCT_OPEN) {
            box_widen(box, part, r->y, r->z);
        }
    }
}

static void widen_by_blocked(oct_box *box, const set *s)
{
    for (size_t i = 0; i < s->cells.size; i++) {
        const uint64_t slot = s->cells.slots[i];
        if (slot && cell_label(slot_state(slot)) == OCT_BLOCKED) {
            const set_row *r = rows_at(&s->rows, slot_row(slot));
            box_widen(box, (run){slot_x(slot), slot_x(slot) + 1}, r->y, r->z);
        }
    }
}

oct_box oct_set_extent(const void *store, oct_labels labels)
{
    const set *s = store;
    oct_box box = BOX_EMPTY;
    if (labels & OCT_HAS_BLOCKED) {
        widen_by_blocked(&box, s);
    }
    row_walk walk = oct_row_walk(s, &s->bounds);
    for (uint32_t index; (labels & OCT_HAS_OPEN) && (index = oct_row_walk_next(&walk)) != 0;) {
        const set_row *r = rows_at(&s->rows, index);
        const run all = {s->bounds.min.x, s->bounds.max.x};
        if (box_has(&box, (oct_vec){box.min.x, r->y, r->z})) {
            widen_by_open(&box, s, index, (run){all.from, box.min.x});
            widen_by_open(&box, s, index, (run){box.max.x, all.to});
        } else {
            widen_by_open(&box, s, index, all);
        }
    }
    return box;
}

// ---- leaves ----

typedef struct leaf_visit {
    const set *s;
    oct_box box;
    oct_labels labels;
    oct_leaf_fn *visit;
    void *ctx;
} leaf_visit;

static bool visit_row(const leaf_visit *v, uint32_t index, int32_t y, int32_t z)
{
    row_scan scan = oct_row_scan(v->s, index, (run){v->box.min.x, v->box.max.x});
    uint32_t state;
    for (run cells; oct_row_scan_next(&scan, &cells, &state);) {
        const oct_label label = cell_label(state);
        for (int32_t x = cells.from; (v->labels >> label & 1u) && x < cells.to; x++) {
            const oct_leaf leaf = cell_leaf(x, y, z, label);
            if (!v->visit(v->ctx, &leaf)) {
                return false;
            }
        }
    }
    return true;
}

// Rows that are far apart: each pass over them picks the first of those that were not visited yet.
#define BATCH 256

typedef struct batch {
    uint64_t orders[BATCH]; // sorted
    uint32_t rows[BATCH];
    uint32_t count;
} batch;

// Where a row comes among others.
static uint64_t place_order(const set_row *r)
{
    return ((uint64_t)(uint32_t)r->z << 32 | (uint32_t)r->y) ^ UINT64_C(0x8000000080000000);
}

// Takes a row in, where it is among the first.
static void batch_add(batch *b, uint64_t order, uint32_t index)
{
    if (b->count == BATCH && order > b->orders[BATCH - 1]) {
        return;
    }
    uint32_t at = b->count < BATCH ? b->count++ : BATCH - 1u;
    for (; at > 0 && b->orders[at - 1u] > order; at--) {
        b->orders[at] = b->orders[at - 1u];
        b->rows[at] = b->rows[at - 1u];
    }
    b->orders[at] = order;
    b->rows[at] = index;
}

static bool visit_sparse(const leaf_visit *v)
{
    const set_rows *rows = &v->s->rows;
    batch b;
    uint64_t begin = 0;
    do {
        b.count = 0;
        row_walk walk = oct_row_walk(v->s, &v->box);
        for (uint32_t index; (index = oct_row_walk_next(&walk)) != 0;) {
            const uint64_t order = place_order(rows_at(rows, index));
            if (order >= begin) {
                batch_add(&b, order, index);
            }
        }
        for (uint32_t i = 0; i < b.count; i++) {
            const set_row *r = rows_at(rows, b.rows[i]);
            if (!visit_row(v, b.rows[i], r->y, r->z)) {
                return false;
            }
            begin = b.orders[i] + 1u;
        }
    } while (b.count == BATCH);
    return true;
}

// In order of z, y, x.
bool oct_set_leaves(const void *store, oct_box box, oct_labels labels, oct_leaf_fn *visit,
                    void *ctx)
{
    const set *s = store;
    leaf_visit v = {s, box, labels, visit, ctx};
    if (!clip(s, &v.box)) {
        return true;
    }
    const bool all = labels & OCT_HAS_UNKNOWN; // also of rows that are not there
    if (!all && box_places(&v.box) > PLACE_COST * (uint64_t)s->rows.count) {
        return visit_sparse(&v);
    }
    for (int32_t y = v.box.min.y, z = v.box.min.z; z < v.box.max.z; next_place(&v.box, &y, &z)) {
        const uint32_t index = oct_rows_find(&s->rows, y, z);
        if ((index || all) && !visit_row(&v, index, y, z)) {
            return false;
        }
    }
    return true;
}
