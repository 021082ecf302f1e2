// SPDX-License-Identifier: MIT
// Works out the ways through every block.
//
// The shortest way inside a block bends only where it goes around a blocked cell: at points inside
// with exactly three free cells around, and, where squeezing is allowed, between two blocked cells
// that meet in a corner. There are nine such points at most. So each block is searched exactly: all
// ways between bends by Floyd and Warshall, then from each point to each bend, then to each point.
//
// Which lines are free is a matter of two bit tests. A line needs the cells that it enters, the
// unit edges that it runs along (free if a cell beside them is), and that no point it passes is a
// double corner: between those it stays in one cell, or one pair of cells that share an edge.
//
// Only canonical images are searched. Costs are integers, in quanta, with the number of bends below
// them and the list of bends to decide ties: concatenation keeps the order of such keys, so the
// least way is made of least ways.
#include "base/hash.h"
#include "flat/distances.h"

#define CELLS_MAX (OCT_DISTANCES_EDGE_MAX * OCT_DISTANCES_EDGE_MAX)
#define EDGES_MAX (2 * OCT_DISTANCES_EDGE_MAX * (OCT_DISTANCES_EDGE_MAX + 1))
#define CORNERS_MAX ((OCT_DISTANCES_EDGE_MAX - 1) * (OCT_DISTANCES_EDGE_MAX - 1))
_Static_assert(CELLS_MAX + EDGES_MAX <= 64, "cells and unit edges are one mask");

// Rows, or codes, that an executor takes at once.
#define CHUNK 64u

// ---- what all blocks of a size have in common ----

// A straight line from point to point.
typedef struct line {
    uint64_t needs;  // cells that it enters, unit edges that it runs along
    uint32_t passes; // points that it runs through, ends not included
    uint64_t cost;   // as of a way
} line;

// The least of these is the best way. Costs of ways add up when they are joined at a bend, with
// ONE_BEND more.
typedef struct way {
    uint64_t cost;  // quanta, and in the lowest byte how many bends
    uint64_t bends; // five bits each, the last one lowest
} way;
#define ONE_BEND 1u
#define NEVER (UINT64_C(1) << 60)

// What is kept of a way.
typedef struct made_way {
    double distance;
    uint32_t bends;
    uint32_t number; // among the different ones
} made_way;

typedef struct maker {
    oct_distances_def def;
    oct_distances tables;                                           // as of a packed database
    uint32_t edges;                                                 // unit edges
    line lines[OCT_DISTANCES_POINTS_MAX][OCT_DISTANCES_POINTS_MAX]; // by points
    uint32_t beside[EDGES_MAX];                                     // the cells at a unit edge
    uint32_t around[OCT_DISTANCES_POINTS_MAX];  // the cells at a point, up to four
    uint32_t rising[OCT_DISTANCES_POINTS_MAX];  // of them those at its lower left and upper right
    uint32_t falling[OCT_DISTANCES_POINTS_MAX]; // and the others
    uint32_t *codes;                            // of every code, as they are stored
    uint32_t *images;                           // the code of every row
    made_way *made;                             // of every row and pair
    uint32_t rows;
    distances_header *out; // the unpacked database in the making
} maker;

static uint32_t cell_bit(uint32_t edge, uint32_t x, uint32_t y)
{
    return x < edge && y < edge ? 1u << (x + edge * y) : 0;
}

// Unit edges come behind the cells in a mask: first those along x.
static uint32_t edge_along_x(uint32_t edge, uint32_t x, uint32_t y)
{
    return x + edge * y;
}

static uint32_t edge_along_y(uint32_t edge, uint32_t x, uint32_t y)
{
    return edge * (edge + 1) + y + edge * x;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a < b ? b - a : a - b;
}

// The cells that a line enters which is not along an axis. Within the box that it spans a cell is
// entered if corners of it lie on both sides.
static uint64_t entered(uint32_t edge, int32_t ax, int32_t ay, int32_t bx, int32_t by)
{
    uint64_t cells = 0;
    const int32_t dx = bx - ax, dy = by - ay;
    for (int32_t y = ay < by ? ay : by; y < (ay < by ? by : ay); y++) {
        for (int32_t x = ax < bx ? ax : bx; x < (ax < bx ? bx : ax); x++) {
            bool left = false, right = false;
            for (int32_t corner = 0; corner < 4; corner++) {
                const int32_t side = dx * (y + corner / 2 - ay) - dy * (x + corner % 2 - ax);
                left = left || side > 0;
                right = right || side < 0;
            }
            cells |= left && right ? cell_bit(edge, (uint32_t)x, (uint32_t)y) : 0;
        }
    }
    return cells;
}

static uint64_t run_along(uint32_t edge, uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by)
{
    uint64_t edges = 0;
    for (uint32_t i = 0; i < apart(ax, bx) + apart(ay, by); i++) {
        edges |= UINT64_C(1) << (ay == by ? edge_along_x(edge, least(ax, bx) + i, ay)
                                          : edge_along_y(edge, ax, least(ay, by) + i));
    }
    return edges << CELLS_MAX;
}

static line draw(uint32_t edge, uint32_t a, uint32_t b)
{
    const uint32_t row = edge + 1;
    const uint32_t ax = a % row, ay = a / row, bx = b % row, by = b / row;
    const uint32_t dx = apart(ax, bx), dy = apart(ay, by);
    line out = {.cost = (uint64_t)(cost_above(sqrt((double)(dx * dx + dy * dy))) / COST_QUANTUM)
                        << 8};
    out.needs = dx && dy ? entered(edge, (int32_t)ax, (int32_t)ay, (int32_t)bx, (int32_t)by)
                         : run_along(edge, ax, ay, bx, by);
    for (uint32_t p = 0; p < row * row; p++) {
        const uint32_t px = p % row, py = p / row;
        if (p != a && p != b && apart(ax, px) + apart(px, bx) == dx &&
            apart(ay, py) + apart(py, by) == dy && apart(ax, px) * dy == apart(ay, py) * dx) {
            out.passes |= 1u << p;
        }
    }
    return out;
}

static void set_up(maker *m)
{
    const uint32_t edge = m->def.edge, row = edge + 1;
    oct_distances_set_up(&m->tables, edge, m->def.kind, true);
    m->edges = 2 * edge * row;
    for (uint32_t a = 0; a < m->tables.points; a++) {
        const uint32_t x = a % row, y = a / row;
        // Coordinates below 0 wrap, and so are beyond the block as well.
        m->rising[a] = cell_bit(edge, x - 1, y - 1) | cell_bit(edge, x, y);
        m->falling[a] = cell_bit(edge, x, y - 1) | cell_bit(edge, x - 1, y);
        m->around[a] = m->rising[a] | m->falling[a];
        if (x < edge) {
            m->beside[edge_along_x(edge, x, y)] = cell_bit(edge, x, y - 1) | cell_bit(edge, x, y);
        }
        if (y < edge) {
            m->beside[edge_along_y(edge, x, y)] = cell_bit(edge, x - 1, y) | cell_bit(edge, x, y);
        }
        for (uint32_t b = 0; b < m->tables.points; b++) {
            m->lines[a][b] = draw(edge, a, b);
        }
    }
}

// ---- one block ----

typedef struct block {
    const maker *m;
    uint64_t blocked; // cells, and unit edges without a free cell beside them
    uint32_t barred;  // points that a line may not pass, nor a way end at
    uint32_t ends;    // points that a way may end at
    uint32_t bend_count;
    uint32_t bends[CORNERS_MAX]; // points
    way between[CORNERS_MAX][CORNERS_MAX];
    way reach[OCT_DISTANCES_POINTS_MAX][CORNERS_MAX]; // from the point of a rank to a bend
} block;

static void look_around(block *b, uint32_t code)
{
    const maker *const m = b->m;
    b->blocked = code;
    b->barred = b->ends = b->bend_count = 0;
    for (uint32_t i = 0; i < m->edges; i++) {
        b->blocked |= (uint64_t)((m->beside[i] & ~code) == 0) << (CELLS_MAX + i);
    }
    for (uint32_t rank = 0; rank < m->tables.points; rank++) {
        const uint32_t p = m->tables.point[rank], free = m->around[p] & ~code;
        const bool is_inside = rank >= m->tables.boundary;
        const bool is_double = is_inside && (free == m->rising[p] || free == m->falling[p]);
        const bool is_barred = is_double && !m->def.squeeze;
        b->barred |= (uint32_t)is_barred << p;
        b->ends |= (uint32_t)(free && !is_barred) << p;
        if (is_inside && (oct_bit_count(free) == 3 || (is_double && m->def.squeeze))) {
            b->bends[b->bend_count++] = p;
        }
    }
}

OCT_FORCE_INLINE bool sees(const block *b, uint32_t from, uint32_t to)
{
    const line *const l = &b->m->lines[from][to];
    return from != to && !(l->needs & b->blocked) && !(l->passes & b->barred);
}

static way straight(const block *b, uint32_t from, uint32_t to)
{
    return (way){sees(b, from, to) ? b->m->lines[from][to].cost : NEVER, 0};
}

// Makes *best the way that goes on from `first` at a bend with `second`, if that is better.
OCT_FORCE_INLINE void improve(way *best, const way *first, uint32_t bend, const way *second)
{
    const uint64_t cost = first->cost + second->cost + ONE_BEND;
    if (cost > best->cost || cost >= NEVER) {
        return;
    }
    const uint32_t behind = BEND_BITS * (uint32_t)(second->cost & 0xffu);
    const uint64_t bends = (first->bends << BEND_BITS | bend) << behind | second->bends;
    if (cost < best->cost || bends < best->bends) {
        *best = (way){cost, bends};
    }
}

static void join_bends(block *b)
{
    const uint32_t count = b->bend_count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            b->between[i][j] = straight(b, b->bends[i], b->bends[j]);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = 0; j < count; j++) {
                if (i != j && i != k && j != k) {
                    improve(&b->between[i][j], &b->between[i][k], b->bends[k], &b->between[k][j]);
                }
            }
        }
    }
}

static void reach_bends(block *b)
{
    for (uint32_t rank = 0; rank < b->m->tables.points; rank++) {
        const uint32_t from = b->m->tables.point[rank];
        way *const reach = b->reach[rank];
        way first[CORNERS_MAX];
        for (uint32_t i = 0; i < b->bend_count; i++) {
            first[i] = reach[i] = straight(b, from, b->bends[i]);
        }
        for (uint32_t i = 0; i < b->bend_count; i++) {
            for (uint32_t j = 0; j < b->bend_count; j++) {
                if (i != j) {
                    improve(&reach[j], &first[i], b->bends[i], &b->between[i][j]);
                }
            }
        }
    }
}

// Between points that see each other nothing is better than the straight line: cost_above rounds
// so that every other way costs more.
static way best_way(const block *b, uint32_t low, uint32_t high)
{
    const uint32_t from = b->m->tables.point[low], to = b->m->tables.point[high];
    if (!(b->ends >> from & b->ends >> to & 1u)) {
        return (way){NEVER, 0};
    }
    if (from == to) {
        return (way){0, 0};
    }
    way best = straight(b, from, to);
    if (best.cost < NEVER) {
        return best;
    }
    for (uint32_t i = 0; i < b->bend_count; i++) {
        const way last = straight(b, b->bends[i], to);
        improve(&best, &b->reach[low][i], b->bends[i], &last);
    }
    return best;
}

static made_way keep(way w)
{
    if (w.cost >= NEVER) {
        return (made_way){.distance = NO_WAY};
    }
    const uint32_t count = (uint32_t)(w.cost & 0xffu);
    OCT_ASSERT(count <= OCT_DISTANCES_BENDS_MAX);
    made_way out = {.distance = (double)(w.cost >> 8) * COST_QUANTUM};
    for (uint32_t i = 0; i < count; i++, w.bends >>= BEND_BITS) {
        out.bends = out.bends << BEND_BITS | (uint32_t)(w.bends & BEND_MASK);
    }
    return out;
}

static void make_row(const maker *m, uint32_t row)
{
    block b;
    b.m = m;
    look_around(&b, m->images[row]);
    join_bends(&b);
    reach_bends(&b);
    made_way *const out = m->made + (size_t)row * m->tables.pairs;
    for (uint32_t high = 0; high < m->tables.points; high++) {
        for (uint32_t low = 0; low <= high; low++) {
            const uint32_t slot = m->tables.slots[0][low][high];
            if (slot != SLOT_NONE) {
                out[slot] = keep(best_way(&b, low, high));
            }
        }
    }
}

// ---- all blocks ----

// What symmetries make of codes, by their lower and upper bits: cells are turned each by itself.
typedef struct turns {
    uint16_t low[SYMMETRIES][256], high[SYMMETRIES][256];
} turns;

static void find_turns(turns *t, uint32_t edge)
{
    const uint32_t codes = 1u << edge * edge;
    for (uint32_t s = 0; s < SYMMETRIES; s++) {
        for (uint32_t bits = 0; bits < least(codes, 256); bits++) {
            t->low[s][bits] = (uint16_t)oct_distances_turn_code(edge, s, bits);
        }
        for (uint32_t bits = 0; bits << 8 < codes; bits++) {
            t->high[s][bits] = (uint16_t)oct_distances_turn_code(edge, s, bits << 8);
        }
    }
}

// Every code's image and which symmetry makes it: the lowest of those that do.
static void find_images(maker *m)
{
    const uint32_t count = 1u << m->def.edge * m->def.edge;
    turns t;
    find_turns(&t, m->def.edge);
    m->rows = 0;
    for (uint32_t code = 0; code < count; code++) {
        uint32_t image = code, symmetry = 0;
        for (uint32_t s = 1; s < SYMMETRIES; s++) {
            const uint32_t turned = t.low[s][code & 0xffu] | t.high[s][code >> 8];
            if (turned < image) {
                image = turned;
                symmetry = s;
            }
        }
        // Images come before all else that is turned into them.
        if (image == code) {
            m->images[m->rows] = code;
            m->codes[code] = m->rows++ * SYMMETRIES;
        } else {
            m->codes[code] = m->codes[image] | symmetry;
        }
    }
}

static void make_rows(void *arg, uint32_t index, uint32_t worker)
{
    (void)worker;
    const maker *const m = arg;
    for (uint32_t row = index * CHUNK; row < least(m->rows, (index + 1) * CHUNK); row++) {
        make_row(m, row);
    }
}

static void run_chunks(const maker *m, uint32_t count, oct_task_fn *task, void *arg)
{
    const uint32_t chunks = (count + CHUNK - 1) / CHUNK;
    if (m->def.executor) {
        m->def.executor->run(m->def.executor->ctx, chunks, task, arg);
        return;
    }
    for (uint32_t i = 0; i < chunks; i++) {
        task(arg, i, 0);
    }
}

// ---- packed ----

// A table of the numbers of different ways, by their hash; 0 is an empty slot, and the way that is
// none, which is not looked for. At most 1501 are different.
#define TABLE_BITS 13
#define WAYS_MAX (1u << (TABLE_BITS - 1))

static size_t table_slot(const made_way *w)
{
    uint64_t bits;
    memcpy(&bits, &w->distance, sizeof bits);
    bits = (bits ^ (uint64_t)w->bends << 32 ^ w->bends) * OCT_HASH_FACTOR;
    return (size_t)((bits ^ bits >> 32) * UINT64_C(0xbf58476d1ce4e5b9) >> (64 - TABLE_BITS));
}

// Numbers the different ways in the order in which they are met. `firsts` gets one of each.
static oct_result number_ways(maker *m, uint16_t *table, oct_array *firsts)
{
    memset(table, 0, sizeof *table << TABLE_BITS);
    const oct_allocator *const allocator = m->def.allocator;
    const made_way none = {.distance = NO_WAY};
    OCT_TRY(oct_array_push(firsts, allocator, sizeof none, &none));
    const size_t count = (size_t)m->rows * m->tables.pairs;
    for (size_t i = 0; i < count; i++) {
        made_way *const w = &m->made[i];
        w->number = 0;
        if (w->distance == NO_WAY) {
            continue;
        }
        size_t slot = table_slot(w);
        const made_way *known = firsts->items;
        while (table[slot] && (known[table[slot]].distance != w->distance ||
                               known[table[slot]].bends != w->bends)) {
            slot = (slot + 1) % ((size_t)1 << TABLE_BITS);
        }
        if (!table[slot]) {
            OCT_ASSERT(firsts->count < WAYS_MAX);
            table[slot] = (uint16_t)firsts->count;
            OCT_TRY(oct_array_push(firsts, allocator, sizeof *w, w));
        }
        w->number = table[slot];
    }
    return OCT_OK;
}

// The memory of a database with its header, and zeros where sections end.
static distances_header *take_memory(const maker *m, uint32_t ways)
{
    distances_header header;
    oct_distances_lay_out(&header, &m->def, ways);
    uint8_t *const out =
        header.size <= SIZE_MAX ? oct_alloc(m->def.allocator, (size_t)header.size, 8) : NULL;
    if (out) {
        memcpy(out, &header, sizeof header);
        for (int i = 0; i < SECTION_COUNT; i++) {
            const uint64_t end = i + 1 < SECTION_COUNT ? header.at[i + 1] : header.size;
            if (end > header.at[i]) {
                memset(out + end - 8, 0, 8);
            }
        }
    }
    return (distances_header *)(void *)out;
}

static void *section(distances_header *header, int which)
{
    return (uint8_t *)header + header->at[which];
}

static oct_result pack(maker *m, uint16_t *table, oct_array *firsts, distances_header **out)
{
    OCT_TRY(number_ways(m, table, firsts));
    *out = take_memory(m, (uint32_t)firsts->count);
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(section(*out, SECTION_CODES), m->codes, sizeof *m->codes << m->def.edge * m->def.edge);
    uint16_t *const entries = section(*out, SECTION_ENTRIES);
    for (size_t i = 0; i < (size_t)m->rows * m->tables.pairs; i++) {
        entries[i] = (uint16_t)m->made[i].number;
    }
    double *const distances = section(*out, SECTION_DISTANCES);
    uint32_t *const bends = section(*out, SECTION_BENDS);
    for (size_t i = 0; i < firsts->count; i++) {
        const made_way *const w = (const made_way *)firsts->items + i;
        distances[i] = w->distance;
        bends[i] = w->bends;
    }
    return OCT_OK;
}

static oct_result make_packed(maker *m, distances_header **out)
{
    const size_t size = sizeof(uint16_t) << TABLE_BITS;
    uint16_t *const table = oct_alloc(m->def.allocator, size, _Alignof(uint16_t));
    if (!table) {
        return OCT_ERROR_MEMORY;
    }
    oct_array firsts = {0};
    const oct_result result = pack(m, table, &firsts, out);
    oct_array_free(&firsts, m->def.allocator, sizeof(made_way));
    oct_free(m->def.allocator, table, size);
    return result;
}

// ---- unpacked ----

// The bends of an image's way as those of the block that a symmetry turns into it.
static uint32_t turn_back(const oct_distances *tables, uint32_t s, uint32_t bends, bool reversed)
{
    uint32_t out = 0;
    for (uint32_t shift = 0; bends; bends >>= BEND_BITS, shift += BEND_BITS) {
        const uint32_t bend = tables->back[s][bends & BEND_MASK];
        out = reversed ? out << BEND_BITS | bend : out | bend << shift;
    }
    return out;
}

static void unpack_codes(void *arg, uint32_t index, uint32_t worker)
{
    (void)worker;
    const maker *const m = arg;
    const oct_distances *const tables = &m->tables;
    const uint32_t width = tables->width;
    const uint32_t pairs = m->out->pairs, codes = 1u << m->def.edge * m->def.edge;
    for (uint32_t code = index * CHUNK; code < least(codes, (index + 1) * CHUNK); code++) {
        const uint32_t s = m->codes[code] % SYMMETRIES, row = m->codes[code] / SYMMETRIES;
        const made_way *const made = m->made + (size_t)row * tables->pairs;
        double *const distances =
            (double *)section(m->out, SECTION_DISTANCES) + (size_t)code * pairs;
        uint32_t *const bends = (uint32_t *)section(m->out, SECTION_BENDS) + (size_t)code * pairs;
        for (uint32_t pair = 0; pair < pairs; pair++) {
            const uint32_t slot = tables->slots[s][pair / width][pair % width];
            const made_way *const w = &made[slot & SLOT_NUMBER];
            distances[pair] = w->distance;
            bends[pair] = turn_back(tables, s, w->bends, slot & SLOT_REVERSED);
        }
    }
}

static oct_result make_unpacked(maker *m, distances_header **out)
{
    *out = m->out = take_memory(m, 0);
    if (!m->out) {
        return OCT_ERROR_MEMORY;
    }
    run_chunks(m, 1u << m->def.edge * m->def.edge, unpack_codes, m);
    return OCT_OK;
}

// ---- everything ----

static oct_result make(maker *m, distances_header **out)
{
    find_images(m);
    run_chunks(m, m->rows, make_rows, m);
    return m->def.packed ? make_packed(m, out) : make_unpacked(m, out);
}

oct_result oct_distances_make(const oct_distances_def *def, void **out, size_t *size)
{
    const oct_allocator *const allocator = def->allocator;
    maker *const m = oct_alloc(allocator, sizeof *m, _Alignof(maker));
    if (!m) {
        return OCT_ERROR_MEMORY;
    }
    m->def = *def;
    set_up(m);
    distances_header like;
    oct_distances_def packed = *def;
    packed.packed = true;
    oct_distances_lay_out(&like, &packed, 0);
    const size_t codes_size = sizeof *m->codes << def->edge * def->edge;
    const size_t images_size = like.rows * sizeof *m->images;
    const size_t made_size = (size_t)like.rows * like.pairs * sizeof *m->made;
    m->codes = oct_alloc(allocator, codes_size, _Alignof(uint32_t));
    m->images = oct_alloc(allocator, images_size, _Alignof(uint32_t));
    m->made = oct_alloc(allocator, made_size, _Alignof(made_way));
    distances_header *header = NULL;
    const oct_result result =
        m->codes && m->images && m->made ? make(m, &header) : OCT_ERROR_MEMORY;
    oct_free(allocator, m->made, made_size);
    oct_free(allocator, m->images, images_size);
    oct_free(allocator, m->codes, codes_size);
    oct_free(allocator, m, sizeof *m);
    if (result == OCT_OK) {
        header->checksum = oct_distances_checksum(header, (size_t)header->size);
        *size = (size_t)header->size;
        *out = header;
    }
    return result;
}
