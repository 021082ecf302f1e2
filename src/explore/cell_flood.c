// SPDX-License-Identifier: MIT
#include "explore/cell_flood.h"

#include "geom/geom_internal.h"

#define EDGE 8
#define FIRST_X UINT64_C(0x0101010101010101)
#define LAST_X UINT64_C(0x8080808080808080)
#define FIRST_Y UINT64_C(0xff)
#define SIDES 6

// A cube of cells: a word for each layer, rows along x.
typedef struct flood_chunk {
    oct_vec min;
    uint32_t stamp;            // of the flood that the rest is of
    bool is_waiting, is_stale; // to spread; the map has changed
    uint32_t beside[SIDES];    // chunks, counted from 1; 0 = not looked for
    uint64_t free[EDGE], reached[EDGE];
} flood_chunk;

static const oct_vec sides[SIDES] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                     {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

static flood_chunk *chunk_at(const cell_flood *f, uint32_t index)
{
    return (flood_chunk *)f->chunks.items + (index - 1u);
}

static oct_box chunk_box(const flood_chunk *c)
{
    return (oct_box){c->min, {c->min.x + EDGE, c->min.y + EDGE, c->min.z + EDGE}};
}

static oct_vec chunk_of(oct_vec cell)
{
    return (oct_vec){cell.x & ~(EDGE - 1), cell.y & ~(EDGE - 1), cell.z & ~(EDGE - 1)};
}

static uint64_t bit_of(oct_vec cell)
{
    return UINT64_C(1) << ((cell.y & (EDGE - 1)) * EDGE + (cell.x & (EDGE - 1)));
}

// ---- chunks ----

static bool take_open(void *ctx, const oct_leaf *leaf)
{
    flood_chunk *const c = ctx;
    const oct_vec cell = oct_leaf_box(*leaf).min;
    c->free[cell.z & (EDGE - 1)] |= bit_of(cell);
    return true;
}

static bool take_blocked(void *ctx, const oct_leaf *leaf)
{
    flood_chunk *const c = ctx;
    const oct_vec cell = oct_leaf_box(*leaf).min;
    c->free[cell.z & (EDGE - 1)] &= ~bit_of(cell);
    return true;
}

// Most chunks are all free or not at all, which a map tells faster than it tells cells. What is
// UNKNOWN it does not tell one by one.
static void look_at(const cell_flood *f, flood_chunk *c)
{
    const oct_box own = chunk_box(c), in = box_common(own, f->box);
    const oct_labels labels = oct_map_labels_in(f->map, in);
    const bool is_whole = !(labels & ~f->free) && box_equal(&in, &own);
    memset(c->free, is_whole ? 0xff : 0, sizeof c->free);
    if (is_whole || !(labels & f->free)) {
        return;
    }
    if (!(f->free & OCT_HAS_UNKNOWN)) {
        oct_map_leaves(f->map, in, OCT_HAS_OPEN, take_open, c);
        return;
    }
    for (int32_t z = in.min.z; z < in.max.z; z++) {
        for (int32_t y = in.min.y; y < in.max.y; y++) {
            for (int32_t x = in.min.x; x < in.max.x; x++) {
                c->free[z & (EDGE - 1)] |= bit_of((oct_vec){x, y, z});
            }
        }
    }
    oct_map_leaves(f->map, in, OCT_HAS_BLOCKED, take_blocked, c);
}

static oct_result find_chunk(cell_flood *f, const oct_allocator *allocator, oct_vec min,
                             uint32_t *out)
{
    const lattice_key key = {min.x, min.y, min.z, 0};
    OCT_TRY(oct_key_table_reserve(&f->places, allocator, 1));
    key_slot *const slot = key_table_slot(&f->places, key);
    if (key_slot_is_used(&f->places, slot)) {
        *out = slot->value;
        return OCT_OK;
    }
    flood_chunk c = {.min = min, .is_stale = true};
    OCT_TRY(oct_array_push(&f->chunks, allocator, sizeof c, &c));
    *out = (uint32_t)f->chunks.count;
    key_slot_fill(&f->places, slot, key, *out);
    return OCT_OK;
}

// Readies a chunk for the present flood.
static flood_chunk *enter(const cell_flood *f, uint32_t chunk)
{
    flood_chunk *const c = chunk_at(f, chunk);
    if (c->stamp != f->stamp) {
        c->stamp = f->stamp;
        c->is_waiting = false;
        memset(c->reached, 0, sizeof c->reached);
        if (c->is_stale) {
            look_at(f, c);
            c->is_stale = false;
        }
    }
    return c;
}

// ---- following the map ----

static oct_result follow_changes(cell_flood *f, const oct_allocator *allocator, bool *is_lost)
{
    const size_t count = (size_t)(oct_map_revision(f->map) - f->revision);
    size_t got = 0;
    OCT_TRY(oct_array_reserve(&f->changes, allocator, sizeof(oct_change), count));
    const oct_result result = oct_map_changes(f->map, f->revision, f->changes.items, count, &got);
    *is_lost = result == OCT_ERROR_LOST;
    OCT_TRY(*is_lost ? OCT_OK : result);
    const oct_change *const changes = f->changes.items;
    for (size_t i = 0; i < got; i++) {
        for (uint32_t chunk = 1; chunk <= f->chunks.count; chunk++) {
            const oct_box both = box_common(chunk_box(chunk_at(f, chunk)), changes[i].box);
            chunk_at(f, chunk)->is_stale |= !box_is_empty(3, &both);
        }
    }
    return OCT_OK;
}

static oct_result follow(cell_flood *f, const oct_allocator *allocator)
{
    bool is_lost = !f->is_kept || f->kept_free != f->free || !box_equal(&f->kept_box, &f->box);
    f->is_kept = false; // a failure leaves rubbish
    if (!is_lost && f->revision != oct_map_revision(f->map)) {
        OCT_TRY(follow_changes(f, allocator, &is_lost));
    }
    if (is_lost || ++f->stamp == 0) {
        f->chunks.count = 0;
        f->stamp = 1;
        oct_key_table_clear(&f->places);
    }
    f->waiting.count = 0;
    f->kept_box = f->box;
    f->kept_free = f->free;
    f->revision = oct_map_revision(f->map);
    f->is_kept = true;
    return OCT_OK;
}

static oct_result find_beside(cell_flood *f, const oct_allocator *allocator, uint32_t chunk,
                              int side, uint32_t *out)
{
    const flood_chunk *const c = chunk_at(f, chunk);
    *out = c->beside[side];
    if (*out) {
        return OCT_OK;
    }
    const oct_vec by = sides[side];
    const oct_vec min = {c->min.x + by.x * EDGE, c->min.y + by.y * EDGE, c->min.z + by.z * EDGE};
    OCT_TRY(find_chunk(f, allocator, min, out));
    chunk_at(f, chunk)->beside[side] = *out;
    return OCT_OK;
}

// ---- flooding ----

// Spreads what is reached in a layer over its free cells.
static uint64_t spread_layer(uint64_t cells, uint64_t free)
{
    uint64_t before;
    do {
        before = cells;
        cells |= ((cells & ~LAST_X) << 1 | (cells & ~FIRST_X) >> 1) & free;
        cells |= (cells << EDGE | cells >> EDGE) & free;
    } while (cells != before);
    return cells;
}

static void spread(flood_chunk *c)
{
    for (bool more = true; more;) {
        more = false;
        for (int z = 0; z < EDGE; z++) {
            const uint64_t below = z > 0 ? c->reached[z - 1] : 0;
            const uint64_t above = z + 1 < EDGE ? c->reached[z + 1] : 0;
            const uint64_t now =
                spread_layer(c->reached[z] | ((below | above) & c->free[z]), c->free[z]);
            more |= now != c->reached[z];
            c->reached[z] = now;
        }
    }
}

// The cells beside a chunk that its own reach over one side, as those of the chunk there; false
// where there are none.
static bool reach_over(const flood_chunk *c, int side, uint64_t out[EDGE])
{
    uint64_t any = 0;
    for (int z = 0; z < EDGE; z++) {
        const uint64_t cells = c->reached[z];
        out[z] = side == 0   ? (cells & FIRST_X) << (EDGE - 1)
                 : side == 1 ? (cells & LAST_X) >> (EDGE - 1)
                 : side == 2 ? (cells & FIRST_Y) << (EDGE * (EDGE - 1))
                 : side == 3 ? cells >> (EDGE * (EDGE - 1))
                 : side == 4 ? (z == EDGE - 1 ? c->reached[0] : 0)
                             : (z == 0 ? c->reached[EDGE - 1] : 0);
        any |= out[z];
    }
    return any != 0;
}

static oct_result wait_to_spread(cell_flood *f, const oct_allocator *allocator, uint32_t chunk)
{
    if (chunk_at(f, chunk)->is_waiting) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_push(&f->waiting, allocator, sizeof chunk, &chunk));
    chunk_at(f, chunk)->is_waiting = true;
    return OCT_OK;
}

static oct_result flow_over(cell_flood *f, const oct_allocator *allocator, uint32_t chunk, int side)
{
    uint64_t over[EDGE], more = 0;
    uint32_t beside;
    if (!reach_over(chunk_at(f, chunk), side, over)) {
        return OCT_OK;
    }
    OCT_TRY(find_beside(f, allocator, chunk, side, &beside));
    flood_chunk *const b = enter(f, beside);
    for (int z = 0; z < EDGE; z++) {
        const uint64_t add = over[z] & b->free[z] & ~b->reached[z];
        b->reached[z] |= add;
        more |= add;
    }
    return more ? wait_to_spread(f, allocator, beside) : OCT_OK;
}

// Over faces alone: moves over edges and corners need all cells of the box that they span to be
// free, and connect no more.
oct_result oct_cell_flood_run(cell_flood *f, const oct_allocator *allocator, oct_vec from)
{
    uint32_t chunk;
    OCT_TRY(follow(f, allocator));
    OCT_TRY(find_chunk(f, allocator, chunk_of(from), &chunk));
    enter(f, chunk)->reached[from.z & (EDGE - 1)] = bit_of(from);
    OCT_TRY(wait_to_spread(f, allocator, chunk));
    while (f->waiting.count > 0) {
        chunk = ((const uint32_t *)f->waiting.items)[--f->waiting.count];
        chunk_at(f, chunk)->is_waiting = false;
        spread(chunk_at(f, chunk));
        for (int side = 0; side < SIDES; side++) {
            OCT_TRY(flow_over(f, allocator, chunk, side));
        }
    }
    return OCT_OK;
}

// ---- questions ----

static bool is_reached(const cell_flood *f, oct_vec cell)
{
    const oct_vec min = chunk_of(cell);
    const key_slot *const slot = key_table_slot(&f->places, (lattice_key){min.x, min.y, min.z, 0});
    return key_slot_is_used(&f->places, slot) && chunk_at(f, slot->value)->stamp == f->stamp &&
           (chunk_at(f, slot->value)->reached[cell.z & (EDGE - 1)] & bit_of(cell)) != 0;
}

// Whether a cell of a box was reached, and the one beside it is not BLOCKED where `by` says so.
static bool is_any_reached(const cell_flood *f, const oct_box *cells, const oct_vec *by)
{
    for (int32_t z = cells->min.z; z < cells->max.z; z++) {
        for (int32_t y = cells->min.y; y < cells->max.y; y++) {
            for (int32_t x = cells->min.x; x < cells->max.x; x++) {
                if (is_reached(f, (oct_vec){x, y, z}) &&
                    (!by || oct_map_label(f->map, (oct_vec){x + by->x, y + by->y, z + by->z}) !=
                                OCT_BLOCKED)) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool oct_cell_flood_reached(const cell_flood *f, const oct_box *cells)
{
    return is_any_reached(f, cells, NULL);
}

// Whether there is a place beyond a face of the box.
static bool has_beyond(const cell_flood *f, oct_vec by)
{
    const oct_box *const b = &f->box;
    return (by.x <= 0 || b->max.x < OCT_RANGE) && (by.x >= 0 || b->min.x > -OCT_RANGE) &&
           (by.y <= 0 || b->max.y < OCT_RANGE) && (by.y >= 0 || b->min.y > -OCT_RANGE) &&
           (by.z <= 0 || b->max.z < OCT_RANGE) && (by.z >= 0 || b->min.z > -OCT_RANGE) &&
           (by.z == 0 || oct_map_dims(f->map) == 3);
}

// The cells of a box that lie at a face of the whole.
static oct_box layer_of(oct_box box, const oct_box *whole, oct_vec by)
{
    oct_box layer = *whole;
    layer.min.x = by.x > 0 ? whole->max.x - 1 : layer.min.x;
    layer.max.x = by.x < 0 ? whole->min.x + 1 : layer.max.x;
    layer.min.y = by.y > 0 ? whole->max.y - 1 : layer.min.y;
    layer.max.y = by.y < 0 ? whole->min.y + 1 : layer.max.y;
    layer.min.z = by.z > 0 ? whole->max.z - 1 : layer.min.z;
    layer.max.z = by.z < 0 ? whole->min.z + 1 : layer.max.z;
    return box_common(layer, box);
}

bool oct_cell_flood_is_bounded(const cell_flood *f)
{
    for (int side = 0; side < SIDES; side++) {
        const oct_vec by = sides[side];
        for (uint32_t i = 1; has_beyond(f, by) && i <= f->chunks.count; i++) {
            const oct_box layer = layer_of(chunk_box(chunk_at(f, i)), &f->box, by);
            if (is_any_reached(f, &layer, &by)) {
                return true;
            }
        }
    }
    return false;
}

void oct_cell_flood_free(cell_flood *f, const oct_allocator *allocator)
{
    oct_array_free(&f->chunks, allocator, sizeof(flood_chunk));
    oct_key_table_free(&f->places, allocator);
    oct_array_free(&f->waiting, allocator, sizeof(uint32_t));
    oct_array_free(&f->changes, allocator, sizeof(oct_change));
}

size_t oct_cell_flood_bytes(const cell_flood *f)
{
    return f->chunks.capacity * sizeof(flood_chunk) + oct_key_table_bytes(&f->places) +
           f->waiting.capacity * sizeof(uint32_t) + f->changes.capacity * sizeof(oct_change);
}
