// SPDX-License-Identifier: MIT
// To the frontier: A* that goes on until it knows all ways that cost as little as the least one. A
// cell's cost and the cell before it are then those of Dijkstra's algorithm, in whatever order
// cells were expanded: the least sum over all cells before it, and of those that attain it the
// first by cost and place. Ways of equal length differ by rounding, as sums taken in another order
// do; so costs of cells that were expanded may still be bettered by a last bit, and such cells are
// expanded again.
#include "explore/cell_search.h"

#include "explore/frontier_distance.h"
#include "geom/geom_internal.h"
#include "search/graph_internal.h"

#include <math.h>

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
    uint32_t beside[27];         // chunks around, counted from 1; 0 = not looked for
    uint16_t free[ROWS][ROWS];   // rows along x of its cells and those around it, by z and y
    uint64_t closed[CHUNK_EDGE]; // to a cell: those that were expanded, by layers
    uint8_t came[CHUNK_CELLS];   // the move that leads to a cell, or UNMET
    double cost[CHUNK_CELLS];    // from the start
    double left[CHUNK_CELLS];    // to the nearest cell of the frontier, through everything
    oct_vec near[CHUNK_CELLS];   // that cell
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

static void set_free(search_chunk *c, oct_vec cell, bool is_free)
{
    uint16_t *const row = &c->free[cell.z - c->min.z + 1][cell.y - c->min.y + 1];
    const uint32_t bit = 1u << (cell.x - c->min.x + 1);
    *row = (uint16_t)(is_free ? *row | bit : *row & ~bit);
}

static bool take_open(void *ctx, const oct_leaf *leaf)
{
    set_free(ctx, oct_leaf_box(*leaf).min, true);
    return true;
}

static bool take_blocked(void *ctx, const oct_leaf *leaf)
{
    set_free(ctx, oct_leaf_box(*leaf).min, false);
    return true;
}

// Which cells of a chunk and around it are free. Most chunks are all free or not at all, which a
// map tells faster than it tells cells. What is UNKNOWN it does not tell one by one.
static void look_at(const cell_search *s, search_chunk *c)
{
    const oct_vec min = c->min;
    const oct_box around = {
        {min.x - 1, min.y - 1, min.z - 1},
        {min.x + CHUNK_EDGE + 1, min.y + CHUNK_EDGE + 1, min.z + CHUNK_EDGE + 1}};
    const oct_box in = box_common(around, s->box);
    const oct_labels labels = oct_map_labels_in(s->map, in);
    const bool is_whole = !(labels & ~s->free) && box_equal(&in, &around);
    memset(c->free, is_whole ? 0xff : 0, sizeof c->free);
    if (is_whole || !(labels & s->free)) {
        return;
    }
    if (!(s->free & OCT_HAS_UNKNOWN)) {
        oct_map_leaves(s->map, in, OCT_HAS_OPEN, take_open, c);
        return;
    }
    for (int32_t z = in.min.z; z < in.max.z; z++) {
        for (int32_t y = in.min.y; y < in.max.y; y++) {
            for (int32_t x = in.min.x; x < in.max.x; x++) {
                set_free(c, (oct_vec){x, y, z}, true);
            }
        }
    }
    oct_map_leaves(s->map, in, OCT_HAS_BLOCKED, take_blocked, c);
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
    memset(c->closed, 0, sizeof c->closed);
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
        around |= ((uint32_t)c->free[z + i / 3u][y + i % 3u] >> x & 7u) << (3u * i);
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

static oct_result begin(const search_run *r, oct_vec from, cell_place *start)
{
    cell_search *const s = r->search;
    const int32_t low = CHUNK_EDGE - 1;
    const oct_vec min = {from.x & ~low, from.y & ~low, from.z & ~low};
    s->way.count = 0;
    s->found = false;
    s->expanded = s->generated = 0;
    s->chunks.count = 0;
    oct_key_table_clear(&s->places);
    oct_open_begin(&s->open, 0.0, 0.0);
    start->cell =
        (uint32_t)(((from.z & low) * CHUNK_EDGE + (from.y & low)) * CHUNK_EDGE + (from.x & low));
    OCT_TRY(find_chunk(s, r->allocator, min, &start->chunk));
    search_chunk *const c = chunk_at(s, start->chunk);
    c->came[start->cell] = START;
    c->cost[start->cell] = 0.0;
    return OCT_OK;
}

static oct_result begin_nearest(const search_run *r, oct_vec from)
{
    cell_search *const s = r->search;
    cell_place start;
    oct_vec near;
    double left = HUGE_VAL;
    OCT_TRY(begin(r, from, &start));
    if (!oct_front_moves(s->frontier, from, &near, &left)) {
        return OCT_OK;
    }
    search_chunk *const c = chunk_at(s, start.chunk);
    c->left[start.cell] = left;
    c->near[start.cell] = near;
    oct_open_begin(&s->open, left, left);
    return push(r, start, 0.0, left);
}

// The cells of the way, from the start on.
static oct_result trace(const search_run *r, cell_place at)
{
    cell_search *const s = r->search;
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
            return s->found ? trace(r, r->best) : OCT_OK;
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
    s->flood.free = s->free;
    OCT_TRY(oct_cell_flood_run(&s->flood, r->allocator, from));
    oct_front_select_reached(s->frontier, &s->flood);
    oct_result result = begin_nearest(r, from);
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
    OCT_TRY(begin_nearest(&r, from));
    OCT_TRY(go_on(&r, is_selected ? UINT64_MAX : s->patience, &is_over));
    return is_over ? OCT_OK : search_reached(&r, from);
}

// ---- to a cell ----

typedef struct aimed_run {
    search_run base;
    oct_vec from, to;
} aimed_run;

// By z, y and x, as far as places near the start can be told apart.
static uint64_t order_of(const aimed_run *r, oct_vec c)
{
    const int64_t middle = INT64_C(1) << 20, mask = 2 * middle - 1;
    const uint64_t x = (uint64_t)((c.x - (int64_t)r->from.x + middle) & mask);
    const uint64_t y = (uint64_t)((c.y - (int64_t)r->from.y + middle) & mask);
    const uint64_t z = (uint64_t)((c.z - (int64_t)r->from.z + middle) & mask);
    return x | y << 21 | z << 42;
}

static oct_result push_aimed(const aimed_run *r, cell_place at, double cost)
{
    cell_search *const s = r->base.search;
    const oct_vec cell = cell_at(s, at);
    const double left = oct_fine_distance(cell_middle(cell), cell_middle(r->to));
    s->generated++;
    return open_push(&s->open, r->base.allocator,
                     (oct_heap_entry){.f = cost + left,
                                      .g = cost,
                                      .key = order_of(r, cell),
                                      .id = (at.chunk - 1u) * CHUNK_CELLS + at.cell});
}

static bool is_closed(const search_chunk *c, uint32_t cell)
{
    return c->closed[cell / 64u] >> cell % 64u & 1u;
}

static oct_result expand_aimed(const aimed_run *r, cell_place at)
{
    cell_search *const s = r->base.search;
    search_chunk *const c = chunk_at(s, at.chunk);
    const double so_far = c->cost[at.cell];
    c->closed[at.cell / 64u] |= UINT64_C(1) << at.cell % 64u;
    s->expanded++;
    for (uint32_t moves = free_moves(look_around(c, at.cell)); moves; moves &= moves - 1u) {
        const uint32_t move = oct_lowest_bit(moves);
        const double cost = so_far + move_cost(move);
        cell_place to;
        OCT_TRY(step(s, r->base.allocator, at, move, &to));
        search_chunk *const t = chunk_at(s, to.chunk);
        if (!is_closed(t, to.cell) && (t->came[to.cell] == UNMET || cost < t->cost[to.cell])) {
            t->came[to.cell] = (uint8_t)move;
            t->cost[to.cell] = cost;
            OCT_TRY(push_aimed(r, to, cost));
        }
    }
    return OCT_OK;
}

static oct_result is_cut_off(const aimed_run *r, bool *out)
{
    cell_search *const s = r->base.search;
    const oct_box own = {r->to, {r->to.x + 1, r->to.y + 1, r->to.z + 1}};
    cell_flood *const f = s->free & OCT_HAS_UNKNOWN ? &s->wide : &s->flood;
    f->map = s->map;
    f->box = s->box;
    f->free = s->free;
    OCT_TRY(oct_cell_flood_run(f, r->base.allocator, r->from));
    *out = !oct_cell_flood_reached(f, &own);
    return OCT_OK;
}

static bool cells_equal(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

oct_result oct_cell_search_to(cell_search *s, const oct_allocator *allocator, oct_vec from,
                              oct_vec to)
{
    const aimed_run r = {{.search = s, .allocator = allocator}, from, to};
    const double away = oct_fine_distance(cell_middle(from), cell_middle(to));
    bool is_asked = false, is_over = false;
    cell_place at;
    OCT_TRY(begin(&r.base, from, &at));
    oct_open_begin(&s->open, away, away);
    OCT_TRY(push_aimed(&r, at, 0.0));
    while (!is_over) {
        oct_heap_entry next;
        bool has_next;
        OCT_TRY(open_pop(&s->open, allocator, &next, &has_next));
        if (!has_next) {
            break;
        }
        at = (cell_place){next.id / CHUNK_CELLS + 1u, next.id % CHUNK_CELLS};
        const search_chunk *const c = chunk_at(s, at.chunk);
        if (is_closed(c, at.cell) || c->cost[at.cell] != next.g) {
            continue; // a way that was bettered since
        }
        if (cells_equal(cell_at(s, at), to)) {
            s->expanded++;
            s->found = true;
            s->cost = next.g;
            return trace(&r.base, at);
        }
        OCT_TRY(expand_aimed(&r, at));
        if (s->expanded >= s->patience && !is_asked) {
            is_asked = true;
            OCT_TRY(is_cut_off(&r, &is_over));
        }
    }
    return OCT_OK;
}

void oct_cell_search_free(cell_search *s, const oct_allocator *allocator)
{
    oct_open_free(&s->open, allocator);
    oct_array_free(&s->chunks, allocator, sizeof(search_chunk));
    oct_key_table_free(&s->places, allocator);
    oct_cell_flood_free(&s->flood, allocator);
    oct_cell_flood_free(&s->wide, allocator);
    oct_array_free(&s->way, allocator, sizeof(oct_vec));
}

size_t oct_cell_search_bytes(const cell_search *s)
{
    return oct_open_bytes(&s->open) + s->chunks.capacity * sizeof(search_chunk) +
           oct_key_table_bytes(&s->places) + oct_cell_flood_bytes(&s->flood) +
           oct_cell_flood_bytes(&s->wide) + s->way.capacity * sizeof(oct_vec);
}
