// SPDX-License-Identifier: MIT
#include "verify/reach.h"
#include "octant/tree.h"

#include "base/base_internal.h"
#include "geom/geom_internal.h"

// Cells of a box as bits, in rows along x.
typedef struct bits {
    uint64_t *words;
} bits;

typedef struct field {
    oct_allocator allocator;
    const oct_map *map;
    oct_box box;
    int dims;
    size_t row_words, rows, bytes; // bytes of one set of bits
    bits free, known, truth;       // what is being flooded; the two floods
    uint32_t *queue;               // rows that have changed, a ring of `rows`
    bool *queued;
    size_t queue_bytes, queued_bytes;
} field;

static uint64_t *row_of(const field *f, bits set, size_t row)
{
    return set.words + row * f->row_words;
}

static size_t row_at(const field *f, int32_t y, int32_t z)
{
    const size_t height = (size_t)((int64_t)f->box.max.y - f->box.min.y);
    return (size_t)((int64_t)z - f->box.min.z) * height + (size_t)((int64_t)y - f->box.min.y);
}

static bool field_has(const field *f, bits set, oct_vec cell)
{
    const oct_box *const box = &f->box;
    if (cell.x < box->min.x || cell.x >= box->max.x || cell.y < box->min.y ||
        cell.y >= box->max.y || cell.z < box->min.z || cell.z >= box->max.z) {
        return false;
    }
    const size_t x = (size_t)((int64_t)cell.x - box->min.x);
    return row_of(f, set, row_at(f, cell.y, cell.z))[x / 64u] >> (x % 64u) & 1u;
}

static void set_cell(const field *f, bits set, oct_vec cell)
{
    const size_t x = (size_t)((int64_t)cell.x - f->box.min.x);
    row_of(f, set, row_at(f, cell.y, cell.z))[x / 64u] |= UINT64_C(1) << x % 64u;
}

// Sets or clears the cells of a box.
static void write_box(const field *f, bits set, oct_box cells, bool value)
{
    if (f->dims == 2) {
        cells.min.z = 0;
        cells.max.z = 1;
    }
    const oct_box part = box_common(cells, f->box);
    if (box_is_empty(3, &part)) {
        return;
    }
    const size_t from = (size_t)((int64_t)part.min.x - f->box.min.x);
    const size_t to = (size_t)((int64_t)part.max.x - f->box.min.x);
    for (int32_t z = part.min.z; z < part.max.z; z++) {
        for (int32_t y = part.min.y; y < part.max.y; y++) {
            uint64_t *const row = row_of(f, set, row_at(f, y, z));
            for (size_t word = from / 64u; word <= (to - 1u) / 64u; word++) {
                uint64_t mask = word == from / 64u ? UINT64_MAX << from % 64u : UINT64_MAX;
                mask &=
                    word == (to - 1u) / 64u ? UINT64_MAX >> (63u - (to - 1u) % 64u) : UINT64_MAX;
                row[word] = value ? row[word] | mask : row[word] & ~mask;
            }
        }
    }
}

// ---- what is free ----

static bool take_leaf(void *ctx, const oct_leaf *leaf)
{
    const field *const f = ctx;
    write_box(f, f->free, oct_leaf_box(*leaf), true);
    return true;
}

// Cell by cell, in the most direct way.
static void take_shape(const field *f, const oct_thing *thing, oct_box cells)
{
    const oct_box part = box_common(cells, f->box);
    for (oct_vec c = {.z = part.min.z}; c.z < part.max.z; c.z++) {
        for (c.y = part.min.y; c.y < part.max.y; c.y++) {
            for (c.x = part.min.x; c.x < part.max.x; c.x++) {
                if (oct_map_covers(f->map, thing->id, c)) {
                    write_box(f, f->free, (oct_box){c, {c.x + 1, c.y + 1, c.z + 1}}, false);
                }
            }
        }
    }
}

static bool take_thing(void *ctx, const oct_thing *thing)
{
    const field *const f = ctx;
    const oct_box cells = oct_map_cover(f->map, thing->box);
    if (thing->label != OCT_OPEN && thing->shape && f->dims == 3) {
        take_shape(f, thing, cells);
    } else if (thing->label != OCT_OPEN) {
        write_box(f, f->free, cells, false);
    }
    return true;
}

// ---- flooding ----

// Spreads bits along a word, both ways, over what is free; `low` and `high` come in from beside it.
static uint64_t spread(uint64_t set, uint64_t open, uint64_t low, uint64_t high)
{
    set |= ((low & 1u) | (high & UINT64_C(1) << 63)) & open;
    uint64_t up = open, down = open;
    for (uint32_t by = 1; by < 64u; by *= 2u) {
        set |= up & set << by;
        up &= up << by;
    }
    for (uint32_t by = 1; by < 64u; by *= 2u) {
        set |= down & set >> by;
        down &= down >> by;
    }
    return set;
}

static void spread_row(const field *f, uint64_t *set, const uint64_t *open)
{
    for (size_t i = 0; i < f->row_words; i++) {
        set[i] = spread(set[i], open[i], i > 0 ? set[i - 1] >> 63 : 0u, 0u);
    }
    for (size_t i = f->row_words; i-- > 0;) {
        const uint64_t high = i + 1 < f->row_words ? set[i + 1] << 63 : 0u;
        set[i] = spread(set[i], open[i], 0u, high);
    }
}

typedef struct ring {
    size_t first, count;
} ring;

static void enqueue(const field *f, ring *waiting, size_t row)
{
    if (!f->queued[row]) {
        f->queued[row] = true;
        f->queue[(waiting->first + waiting->count++) % f->rows] = (uint32_t)row;
    }
}

// Takes over into a row what lies beside it in another.
static void touch_row(const field *f, bits set, ring *waiting, size_t from, size_t to)
{
    const uint64_t *const source = row_of(f, set, from), *const open = row_of(f, f->free, to);
    uint64_t *const target = row_of(f, set, to);
    uint64_t more = 0;
    for (size_t i = 0; i < f->row_words; i++) {
        const uint64_t add = source[i] & open[i] & ~target[i];
        target[i] |= add;
        more |= add;
    }
    if (more) {
        enqueue(f, waiting, to);
    }
}

static void flood(const field *f, bits set, oct_vec from)
{
    memset(set.words, 0, f->bytes);
    if (!field_has(f, f->free, from)) {
        return;
    }
    const size_t height = (size_t)((int64_t)f->box.max.y - f->box.min.y);
    ring waiting = {0, 0};
    set_cell(f, set, from);
    enqueue(f, &waiting, row_at(f, from.y, from.z));
    while (waiting.count > 0) {
        const size_t row = f->queue[waiting.first];
        waiting.first = (waiting.first + 1u) % f->rows;
        waiting.count--;
        f->queued[row] = false;
        spread_row(f, row_of(f, set, row), row_of(f, f->free, row));
        if (row % height > 0) {
            touch_row(f, set, &waiting, row, row - 1u);
        }
        if (row % height + 1u < height) {
            touch_row(f, set, &waiting, row, row + 1u);
        }
        if (row >= height) {
            touch_row(f, set, &waiting, row, row - height);
        }
        if (row + height < f->rows) {
            touch_row(f, set, &waiting, row, row + height);
        }
    }
}

// ---- the whole ----

// Where the flood begins: the point's cell, or an OPEN one that touches the point.
static bool start_at(const oct_map *map, oct_point at, oct_vec *out)
{
    const double cell_size = oct_tree_cell_size(oct_map_tree(map));
    const oct_point origin = oct_tree_origin(oct_map_tree(map));
    const double place[3] = {(at.x - origin.x) / cell_size, (at.y - origin.y) / cell_size,
                             (at.z - origin.z) / cell_size};
    oct_vec own;
    if (!oct_tree_cell_at(oct_map_tree(map), at, &own)) {
        return false;
    }
    *out = own;
    const int dims = (int)oct_tree_dims(oct_map_tree(map));
    const double slack = 1.0 / OCT_FINE;
    for (int i = 0; i < (dims == 2 ? 9 : 27); i++) {
        const int32_t d[3] = {(i + 1) % 3 - 1, (i / 3 + 1) % 3 - 1,
                              dims == 2 ? 0 : (i / 9 + 1) % 3 - 1}; // its own first
        const int32_t cell[3] = {own.x + d[0], own.y + d[1], own.z + d[2]};
        bool touches = true;
        for (int axis = 0; axis < dims; axis++) {
            touches = touches && place[axis] >= (double)cell[axis] - slack &&
                      place[axis] <= (double)cell[axis] + 1.0 + slack;
        }
        const oct_vec each = {cell[0], cell[1], cell[2]};
        if (touches && oct_tree_label(oct_map_tree(map), each) == OCT_OPEN) {
            *out = each;
            return true;
        }
    }
    return true;
}

static oct_result field_open(field *f)
{
    const uint64_t width = (uint64_t)((int64_t)f->box.max.x - f->box.min.x);
    const uint64_t height = (uint64_t)((int64_t)f->box.max.y - f->box.min.y);
    const uint64_t depth = (uint64_t)((int64_t)f->box.max.z - f->box.min.z);
    f->row_words = (size_t)((width + 63u) / 64u);
    if (height * depth > UINT32_MAX ||
        (double)f->row_words * 64.0 * (double)(height * depth) > (double)OCT_REACH_CELLS_MAX) {
        return OCT_ERROR_RANGE;
    }
    f->rows = (size_t)(height * depth);
    f->bytes = f->rows * f->row_words * sizeof(uint64_t);
    f->queue_bytes = f->rows * sizeof *f->queue;
    f->queued_bytes = f->rows * sizeof *f->queued;
    f->free.words = oct_alloc(&f->allocator, f->bytes, _Alignof(uint64_t));
    f->known.words = oct_alloc(&f->allocator, f->bytes, _Alignof(uint64_t));
    f->truth.words = oct_alloc(&f->allocator, f->bytes, _Alignof(uint64_t));
    f->queue = oct_alloc(&f->allocator, f->queue_bytes, _Alignof(uint32_t));
    f->queued = oct_alloc(&f->allocator, f->queued_bytes, _Alignof(bool));
    if (!f->free.words || !f->known.words || !f->truth.words || !f->queue || !f->queued) {
        return OCT_ERROR_MEMORY;
    }
    memset(f->queued, 0, f->queued_bytes);
    return OCT_OK;
}

static void field_close(field *f)
{
    oct_free(&f->allocator, f->free.words, f->bytes);
    oct_free(&f->allocator, f->known.words, f->bytes);
    oct_free(&f->allocator, f->truth.words, f->bytes);
    oct_free(&f->allocator, f->queue, f->queue_bytes);
    oct_free(&f->allocator, f->queued, f->queued_bytes);
}

static void count(const field *f, reach *out)
{
    const size_t words = f->rows * f->row_words;
    const size_t height = (size_t)((int64_t)f->box.max.y - f->box.min.y);
    for (size_t i = 0; i < words; i++) {
        const uint64_t a = f->known.words[i], b = f->truth.words[i];
        out->reachable += oct_bit_count(a);
        out->flood += oct_bit_count(b);
        if (a != b && out->differ == 0) {
            const size_t row = i / f->row_words;
            out->first = (oct_vec){
                f->box.min.x + (int32_t)(i % f->row_words * 64u + oct_lowest_bit(a ^ b)),
                f->box.min.y + (int32_t)(row % height), f->box.min.z + (int32_t)(row / height)};
        }
        out->differ += oct_bit_count(a ^ b);
    }
}

static int32_t one_less(int32_t at)
{
    return at > -OCT_RANGE ? at - 1 : at;
}

static int32_t one_more(int32_t at)
{
    return at < OCT_RANGE ? at + 1 : at;
}

static oct_box grown(oct_box box)
{
    return (oct_box){{one_less(box.min.x), one_less(box.min.y), one_less(box.min.z)},
                     {one_more(box.max.x), one_more(box.max.y), one_more(box.max.z)}};
}

oct_result oct_reach_compare(const oct_map *map, const oct_map *truth, const oct_box *bounds,
                             oct_point from, const oct_allocator *allocator, reach *out)
{
    field f = {.allocator = oct_allocator_or_default(allocator),
               .map = truth,
               .dims = (int)oct_tree_dims(oct_map_tree(map)),
               .box = bounds ? *bounds : grown(oct_tree_extent(oct_map_tree(map), OCT_HAS_OPEN))};
    oct_vec start;
    if (f.dims == 2) {
        f.box.min.z = 0;
        f.box.max.z = 1;
    }
    *out = (reach){.box = f.box};
    if (!start_at(map, from, &start)) {
        return OCT_ERROR_RANGE;
    }
    if (box_is_empty(3, &f.box)) {
        return OCT_OK;
    }
    const oct_result result = field_open(&f);
    if (result == OCT_OK) {
        memset(f.free.words, 0, f.bytes);
        oct_tree_leaves(oct_map_tree(map), f.box, OCT_HAS_OPEN, take_leaf, &f);
        flood(&f, f.known, start);
        memset(f.free.words, 0, f.bytes);
        write_box(&f, f.free, f.box, true);
        oct_map_things_in(truth, f.box, take_thing, &f);
        flood(&f, f.truth, start);
        count(&f, out);
    }
    field_close(&f);
    return result;
}
