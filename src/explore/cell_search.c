// SPDX-License-Identifier: MIT
// A* that goes on until it knows all ways that cost as little as the least one. A cell's cost and
// the cell before it are then those of Dijkstra's algorithm, in whatever order cells were expanded:
// the least sum over all cells before it, and of those that attain it the first by cost and place.
// Ways of equal length differ by rounding, as sums taken in another order do; so costs of cells
// that were expanded may still be bettered by a last bit, and such cells are expanded again.
#include "explore/cell_search.h"

#include "explore/frontier_distance.h"
#include "geom/geom_internal.h"

#include <math.h>

#define CHUNK_BITS 3
#define CHUNK_EDGE 8
#define CHUNK_CELLS 512
#define ROWS (CHUNK_EDGE + 2)
#define UNMET 27u
#define START 13u // the cell itself
#define ALL_AROUND 0x7ffffffu
// More than rounding can make of a distance, and much more than that, cells.
#define ROUNDING 0x1p-24
#define SLACK 0x1p-16

typedef struct search_chunk {
    oct_vec min;
    uint32_t beside[27];       // chunks around, counted from 1; 0 = not looked for
    uint16_t free[ROWS][ROWS]; // rows along x of its cells and those around it, by z and y
    uint8_t came[CHUNK_CELLS]; // the move that leads to a cell, or UNMET
    double cost[CHUNK_CELLS];  // from the start
    double left[CHUNK_CELLS];  // to the nearest cell of the frontier, through everything
    oct_vec near[CHUNK_CELLS]; // that cell
} search_chunk;

// A cell, as the index of its chunk and its place in that.
typedef struct cell_place {
    uint32_t chunk, cell;
} cell_place;

static search_chunk *chunk_at(const cell_search *s, uint32_t index)
{
    return (search_chunk *)s->chunks.items + (index - 1u);
}

static oct_vec move_of(uint32_t move)
{
    return (oct_vec){(int32_t)(move % 3u) - 1, (int32_t)(move / 3u % 3u) - 1,
                     (int32_t)(move / 9u) - 1};
}

static double move_cost(uint32_t move)
{
    const oct_vec m = move_of(move);
    return cell_costs[(m.x != 0) + (m.y != 0) + (m.z != 0)];
}

static oct_vec cell_at(const cell_search *s, cell_place p)
{
    const oct_vec min = chunk_at(s, p.chunk)->min;
    return (oct_vec){min.x + (int32_t)(p.cell % CHUNK_EDGE),
                     min.y + (int32_t)(p.cell / CHUNK_EDGE % CHUNK_EDGE),
                     min.z + (int32_t)(p.cell / CHUNK_EDGE / CHUNK_EDGE)};
}

// ---- chunks ----

static bool take_leaf(void *ctx, const oct_leaf *leaf)
{
    search_chunk *const c = ctx;
    const oct_box cell = oct_leaf_box(*leaf);
    const int32_t x = cell.min.x - c->min.x + 1;
    c->free[cell.min.z - c->min.z + 1][cell.min.y - c->min.y + 1] |= (uint16_t)(1u << x);
    return true;
}

// Which cells of a chunk and around it are free. Most chunks are all free or not at all, which a
// map tells faster than it tells cells.
static void look_at(const cell_search *s, search_chunk *c)
{
    const oct_vec min = c->min;
    const oct_box around = {
        {min.x - 1, min.y - 1, min.z - 1},
        {min.x + CHUNK_EDGE + 1, min.y + CHUNK_EDGE + 1, min.z + CHUNK_EDGE + 1}};
    const oct_box in = box_common(around, s->box);
    const oct_labels labels = oct_map_labels_in(s->map, in);
    const bool is_open = labels == OCT_HAS_OPEN && box_equal(&in, &around);
    memset(c->free, is_open ? 0xff : 0, sizeof c->free);
    if ((labels & OCT_HAS_OPEN) && !is_open) {
        oct_map_leaves(s->map, in, OCT_HAS_OPEN, take_leaf, c);
    }
}

static oct_result find_chunk(cell_search *s, const oct_allocator *allocator, oct_vec min,
                             uint32_t *out)
{
    const lattice_key key = {min.x, min.y, min.z, 0};
    OCT_TRY(oct_key_table_reserve(&s->places, allocator, 1));
    key_slot *const slot = key_table_slot(&s->places, key);
    if (key_slot_is_used(&s->places, slot)) {
        *out = slot->value;
        return OCT_OK;
    }
    if (s->chunks.count == s->chunks.capacity) {
        OCT_TRY(oct_array_grow(&s->chunks, allocator, sizeof(search_chunk)));
    }
    *out = (uint32_t)++s->chunks.count;
    key_slot_fill(&s->places, slot, key, *out);
    search_chunk *const c = chunk_at(s, *out);
    c->min = min;
    memset(c->beside, 0, sizeof c->beside);
    memset(c->came, UNMET, sizeof c->came);
    look_at(s, c);
    return OCT_OK;
}

static oct_result find_beside(cell_search *s, const oct_allocator *allocator, uint32_t chunk,
                              oct_vec by, uint32_t *out)
{
    const uint32_t side = (uint32_t)((by.z + 1) * 9 + (by.y + 1) * 3 + by.x + 1);
    const search_chunk *const c = chunk_at(s, chunk);
    *out = c->beside[side];
    if (OCT_LIKELY(*out)) {
        return OCT_OK;
    }
    const oct_vec min = {c->min.x + by.x * CHUNK_EDGE, c->min.y + by.y * CHUNK_EDGE,
                         c->min.z + by.z * CHUNK_EDGE};
    OCT_TRY(find_chunk(s, allocator, min, out));
    chunk_at(s, chunk)->beside[side] = *out;
    return OCT_OK;
}

// ---- moves ----

// The cells around one that are free, a bit each.
static uint32_t look_around(const search_chunk *c, uint32_t cell)
{
    const uint32_t x = cell % CHUNK_EDGE, y = cell / CHUNK_EDGE % CHUNK_EDGE;
    const uint32_t z = cell / CHUNK_EDGE / CHUNK_EDGE;
    uint32_t around = 0;
    for (uint32_t i = 0; i < 9; i++) {
        around |= (c->free[z + i / 3u][y + i % 3u] >> x & 7u) << (3u * i);
    }
    return around;
}

// The cells of the box that a move spans, as bits of those around.
static uint32_t spanned(uint32_t move)
{
    const oct_vec m = move_of(move);
    uint32_t cells = 0;
    for (int k = 0; k < 8; k++) {
        const int x = k & 1 ? m.x : 0, y = k & 2 ? m.y : 0, z = k & 4 ? m.z : 0;
        cells |= 1u << ((z + 1) * 9 + (y + 1) * 3 + x + 1);
    }
    return cells;
}

// The moves that are free: all cells of the box that each spans are.
static uint32_t free_moves(uint32_t around)
{
    uint32_t moves = 0;
    if (around == ALL_AROUND) {
        return ALL_AROUND & ~(1u << START);
    }
    for (uint32_t left = around & ~(1u << START); left; left &= left - 1u) {
        const uint32_t move = oct_lowest_bit(left), cells = spanned(move);
        moves |= (uint32_t)((around & cells) == cells) << move;
    }
    return moves;
}

// Where a move leads.
static oct_result step(cell_search *s, const oct_allocator *allocator, cell_place from,
                       uint32_t move, cell_place *out)
{
    const oct_vec m = move_of(move);
    const int32_t x = (int32_t)(from.cell % CHUNK_EDGE) + m.x;
    const int32_t y = (int32_t)(from.cell / CHUNK_EDGE % CHUNK_EDGE) + m.y;
    const int32_t z = (int32_t)(from.cell / CHUNK_EDGE / CHUNK_EDGE) + m.z;
    const int32_t low = CHUNK_EDGE - 1;
    out->cell = (uint32_t)(((z & low) * CHUNK_EDGE + (y & low)) * CHUNK_EDGE + (x & low));
    out->chunk = from.chunk;
    if (((x | y | z) & ~low) == 0) {
        return OCT_OK;
    }
    const oct_vec by = {(x > low) - (x < 0), (y > low) - (y < 0), (z > low) - (z < 0)};
    return find_beside(s, allocator, from.chunk, by, &out->chunk);
}

// ---- the search ----

typedef struct search_run {
    cell_search *search;
    const oct_allocator *allocator;
    cell_place best; // cell of the frontier
} search_run;

static oct_result push(const search_run *r, cell_place at, double cost, double left)
{
    cell_search *const s = r->search;
    if (s->found && cost + left > s->cost + SLACK) {
        return OCT_OK;
    }
    const uint32_t id = (at.chunk - 1u) * CHUNK_CELLS + at.cell;
    s->generated++;
    return open_push(&s->open, r->allocator,
                     (oct_heap_entry){.f = cost + left, .g = cost, .key = id, .id = id});
}

static double moves_between(oct_vec a, oct_vec b)
{
    return moves_along(fabs((double)a.x - b.x), fabs((double)a.y - b.y), fabs((double)a.z - b.z));
}

// What is left from a cell, given what it is at least, and the cell that was nearest one move
// before: if the move was towards that, it still is.
static double measure(const cell_search *s, oct_vec cell, double least, oct_vec *near)
{
    double left = moves_between(cell, *near);
    if (left > least + ROUNDING) {
        oct_front_moves(s->frontier, cell, near, &left);
    }
    return left;
}

// Whether of two moves that lead to a cell at the same cost the one comes from a cell that is
// expanded first. Of cells with the same cost, the one that a later move starts at lies before.
static oct_result comes_first(const search_run *r, cell_place to, uint32_t move, double cost,
                              uint32_t than, bool *out)
{
    cell_place other;
    OCT_TRY(step(r->search, r->allocator, to, 26u - than, &other));
    const double others = chunk_at(r->search, other.chunk)->cost[other.cell];
    *out = cost < others || (cost == others && move > than);
    return OCT_OK;
}

static oct_result meet(const search_run *r, cell_place from, uint32_t move)
{
    cell_search *const s = r->search;
    cell_place to;
    OCT_TRY(step(s, r->allocator, from, move, &to));
    const search_chunk *const source = chunk_at(s, from.chunk);
    search_chunk *const c = chunk_at(s, to.chunk);
    const double so_far = source->cost[from.cell], by = move_cost(move);
    const double cost = so_far + by;
    const uint32_t came = c->came[to.cell];
    if (came == UNMET) {
        c->near[to.cell] = source->near[from.cell];
        c->left[to.cell] =
            measure(s, cell_at(s, to), source->left[from.cell] - by, &c->near[to.cell]);
    } else if (cost == c->cost[to.cell]) {
        bool first;
        OCT_TRY(comes_first(r, to, move, so_far, came, &first));
        chunk_at(s, to.chunk)->came[to.cell] = (uint8_t)(first ? move : came);
        return OCT_OK;
    } else if (cost > c->cost[to.cell]) {
        return OCT_OK;
    }
    c->came[to.cell] = (uint8_t)move;
    c->cost[to.cell] = cost;
    return push(r, to, cost, c->left[to.cell]);
}

static bool lies_before(oct_vec a, oct_vec b)
{
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

// Of the cells of the frontier that are reached, the first by cost and place.
static void arrive(search_run *r, cell_place at, double cost)
{
    cell_search *const s = r->search;
    if (!s->found || cost < s->cost ||
        (cost == s->cost && lies_before(cell_at(s, at), cell_at(s, r->best)))) {
        s->found = true;
        s->cost = cost;
        r->best = at;
    }
}

static oct_result expand(search_run *r, cell_place at)
{
    cell_search *const s = r->search;
    const search_chunk *const c = chunk_at(s, at.chunk);
    s->expanded++;
    if (c->left[at.cell] == 0.0) {
        arrive(r, at, c->cost[at.cell]);
        return OCT_OK;
    }
    for (uint32_t moves = free_moves(look_around(c, at.cell)); moves; moves &= moves - 1u) {
        OCT_TRY(meet(r, at, oct_lowest_bit(moves)));
    }
    return OCT_OK;
}

static oct_result begin(const search_run *r, oct_vec from)
{
    cell_search *const s = r->search;
    const int32_t low = CHUNK_EDGE - 1;
    s->way.count = 0;
    s->found = false;
    s->expanded = s->generated = 0;
    s->chunks.count = 0;
    oct_key_table_clear(&s->places);
    oct_vec near;
    double left = HUGE_VAL;
    const bool is_any = oct_front_moves(s->frontier, from, &near, &left);
    oct_open_begin(&s->open, is_any ? left : 0.0, is_any ? left : 0.0);
    if (!is_any) {
        return OCT_OK;
    }
    const oct_vec min = {from.x & ~low, from.y & ~low, from.z & ~low};
    cell_place start = {0, (uint32_t)(((from.z & low) * CHUNK_EDGE + (from.y & low)) * CHUNK_EDGE +
                                      (from.x & low))};
    OCT_TRY(find_chunk(s, r->allocator, min, &start.chunk));
    search_chunk *const c = chunk_at(s, start.chunk);
    c->came[start.cell] = START;
    c->cost[start.cell] = 0.0;
    c->left[start.cell] = left;
    c->near[start.cell] = near;
    return push(r, start, 0.0, left);
}

// The cells of the way, from the start on.
static oct_result trace(const search_run *r)
{
    cell_search *const s = r->search;
    cell_place at = r->best;
    for (uint32_t came = UNMET; came != START;) {
        const oct_vec cell = cell_at(s, at);
        OCT_TRY(oct_array_push(&s->way, r->allocator, sizeof cell, &cell));
        came = chunk_at(s, at.chunk)->came[at.cell];
        OCT_TRY(step(s, r->allocator, at, 26u - came, &at));
    }
    oct_vec *const way = s->way.items;
    for (size_t i = 0, j = s->way.count - 1; i < j; i++, j--) {
        const oct_vec cell = way[i];
        way[i] = way[j];
        way[j] = cell;
    }
    return OCT_OK;
}

// Goes on until all is known, or so many cells were expanded in vain.
static oct_result go_on(search_run *r, uint64_t patience, bool *is_over)
{
    cell_search *const s = r->search;
    *is_over = false;
    while (s->found || s->expanded < patience) {
        oct_heap_entry next;
        bool found;
        OCT_TRY(open_pop(&s->open, r->allocator, &next, &found));
        if (!found || (s->found && next.f > s->cost + SLACK)) {
            *is_over = true;
            return s->found ? trace(r) : OCT_OK;
        }
        const cell_place at = {next.id / CHUNK_CELLS + 1u, next.id % CHUNK_CELLS};
        if (chunk_at(s, at.chunk)->cost[at.cell] == next.g) {
            OCT_TRY(expand(r, at));
        }
    }
    return OCT_OK;
}

// Searches with those cells of the frontier alone that can be reached: others would lead it astray.
static oct_result search_reached(search_run *r, oct_vec from)
{
    cell_search *const s = r->search;
    bool is_over;
    s->flood.map = s->map;
    s->flood.box = s->box;
    OCT_TRY(oct_cell_flood_run(&s->flood, r->allocator, from));
    oct_front_select_reached(s->frontier, &s->flood);
    oct_result result = begin(r, from);
    if (result == OCT_OK) {
        result = go_on(r, UINT64_MAX, &is_over);
    }
    oct_front_select_all(s->frontier);
    return result;
}

oct_result oct_cell_search_run(cell_search *s, const oct_allocator *allocator, oct_vec from)
{
    search_run r = {.search = s, .allocator = allocator};
    const bool is_selected = s->frontier->components != NULL;
    bool is_over;
    OCT_TRY(begin(&r, from));
    OCT_TRY(go_on(&r, is_selected ? UINT64_MAX : s->patience, &is_over));
    return is_over ? OCT_OK : search_reached(&r, from);
}

void oct_cell_search_free(cell_search *s, const oct_allocator *allocator)
{
    oct_open_free(&s->open, allocator);
    oct_array_free(&s->chunks, allocator, sizeof(search_chunk));
    oct_key_table_free(&s->places, allocator);
    oct_cell_flood_free(&s->flood, allocator);
    oct_array_free(&s->way, allocator, sizeof(oct_vec));
}

size_t oct_cell_search_bytes(const cell_search *s)
{
    return oct_open_bytes(&s->open) + s->chunks.capacity * sizeof(search_chunk) +
           oct_key_table_bytes(&s->places) + oct_cell_flood_bytes(&s->flood) +
           s->way.capacity * sizeof(oct_vec);
}
