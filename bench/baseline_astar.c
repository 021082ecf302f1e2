// SPDX-License-Identifier: MIT
// Plain A* on a dense grid: one bit a cell, flat arrays for what is known of each, a binary heap.
//
// The box has a border of blocked cells, so that no neighbour needs a test for the box's end. What
// a query leaves in the arrays carries the query's stamp, and the next one takes another stamp:
// nothing is cleared between queries. An entry of the heap that is no longer the best of its cell
// is passed over when it comes up. Square roots are rounded to 32 bits after the point: sums of
// them are exact, so that ways of equal length are equal whatever the order of their moves.
#include "bench/baseline_astar.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"

#include <stdlib.h>

#define SQRT2 (6074001000.0 * 0x1p-32)
#define SQRT3 (7439101574.0 * 0x1p-32)

#define MOVES_MAX 26
#define ROWS_MAX 9

// The lowest bits of a mark say by which move a cell was reached and whether it was expanded, the
// others in which query.
#define MARK_STAMP 64u
#define MARK_CLOSED 32u
#define MARK_MOVE 31u

typedef struct move {
    oct_vec step;
    int32_t offset; // of the cell's index
    uint32_t spans; // cells of the neighbourhood that must be free: those of the two cells' box
    double cost;
} move;

typedef struct entry {
    double f;
    float g; // to break ties; the exact one is the cell's
    int32_t cell;
} entry;

struct oct_baseline {
    oct_allocator allocator;
    uint32_t dims;
    oct_box box;        // as declared
    oct_vec min;        // with the border, of which there is none along z in a box one cell deep
    int32_t size[3];    // with the border, cells
    int32_t cell_count; // of them all
    uint8_t *blocked;   // bits, x fastest
    size_t blocked_bytes;
    double *g; // cost of the best way known, where the mark has the query's stamp
    uint32_t *marks;
    uint32_t stamp; // of the last query
    uint32_t move_count, row_count;
    move moves[MOVES_MAX];
    int32_t rows[ROWS_MAX]; // offsets of the first cells of the neighbourhood's rows of three
    oct_array heap;         // of entry
    oct_array cells;        // of oct_vec: the path
};

// ---- the grid ----

static int32_t cell_index(const oct_baseline *b, oct_vec cell)
{
    const int32_t row = (cell.z - b->min.z) * b->size[1] + cell.y - b->min.y;
    return row * b->size[0] + cell.x - b->min.x;
}

static oct_vec index_cell(const oct_baseline *b, int32_t cell)
{
    const int32_t row = cell / b->size[0], layer = row / b->size[1];
    return (oct_vec){b->min.x + cell - row * b->size[0], b->min.y + row - layer * b->size[1],
                     b->min.z + layer};
}

static void clear_bits(uint8_t *bits, uint32_t first, uint32_t count)
{
    for (; count > 0 && first % 8u != 0; first++, count--) {
        bits[first / 8u] &= (uint8_t) ~(1u << first % 8u);
    }
    memset(bits + first / 8u, 0, count / 8u);
    first += count & ~7u;
    for (count &= 7u; count > 0; first++, count--) {
        bits[first / 8u] &= (uint8_t) ~(1u << first % 8u);
    }
}

static bool free_leaf(void *ctx, const oct_leaf *leaf)
{
    oct_baseline *b = ctx;
    const oct_box cells = box_common(oct_leaf_box(*leaf), b->box);
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            const int32_t first = cell_index(b, (oct_vec){cells.min.x, y, z});
            clear_bits(b->blocked, (uint32_t)first, (uint32_t)(cells.max.x - cells.min.x));
        }
    }
    return true;
}

static bool is_free(const oct_baseline *b, oct_vec cell)
{
    if (cell.x < b->box.min.x || cell.x >= b->box.max.x || cell.y < b->box.min.y ||
        cell.y >= b->box.max.y || cell.z < b->box.min.z || cell.z >= b->box.max.z) {
        return false;
    }
    const int32_t i = cell_index(b, cell);
    return !(b->blocked[i / 8] >> i % 8 & 1);
}

static void make_moves(oct_baseline *b)
{
    static const double costs[] = {0.0, 1.0, SQRT2, SQRT3};
    const int32_t row = b->size[0], layer = row * b->size[1];
    const int deep = b->size[2] > 1 ? 1 : 0;
    for (int dz = -deep; dz <= deep; dz++) {
        for (int dy = -1; dy <= 1; dy++) {
            b->rows[b->row_count++] = dz * layer + dy * row - 1;
            for (int dx = -1; dx <= 1; dx++) {
                const int axes = (dx != 0) + (dy != 0) + (dz != 0);
                if (axes == 0) {
                    continue;
                }
                move *m = &b->moves[b->move_count++];
                *m = (move){.step = {dx, dy, dz},
                            .offset = dz * layer + dy * row + dx,
                            .cost = costs[axes]};
                for (int corner = 0; corner < 8; corner++) {
                    const int x = corner & 1 ? dx : 0, y = corner & 2 ? dy : 0;
                    const int z = corner & 4 ? dz : 0;
                    m->spans |= 1u << (((z + deep) * 3 + y + 1) * 3 + x + 1);
                }
            }
        }
    }
}

// ---- life ----

static oct_result take_memory(oct_baseline *b)
{
    const size_t cells = (size_t)b->cell_count;
    if (cells > SIZE_MAX / sizeof *b->g) {
        return OCT_ERROR_MEMORY;
    }
    b->blocked = oct_alloc(&b->allocator, b->blocked_bytes, 1);
    b->g = oct_alloc(&b->allocator, cells * sizeof *b->g, _Alignof(double));
    b->marks = oct_alloc(&b->allocator, cells * sizeof *b->marks, _Alignof(uint32_t));
    return b->blocked && b->g && b->marks ? OCT_OK : OCT_ERROR_MEMORY;
}

// Cells along an axis with `border` of them on either side; 0 where the lattice does not hold them.
static int64_t padded(int32_t min, int32_t max, int border)
{
    const bool fits = min >= -OCT_RANGE && max <= OCT_RANGE && min < max;
    return fits ? (int64_t)max - min + 2 * border : 0;
}

oct_result oct_baseline_create(const oct_tree *tree, oct_box box, const oct_allocator *allocator,
                               oct_baseline **out)
{
    *out = NULL;
    if (oct_tree_dims(tree) == 2) {
        box.min.z = 0;
        box.max.z = 1;
    }
    const int deep = (int64_t)box.max.z - box.min.z > 1;
    const int64_t x = padded(box.min.x, box.max.x, 1), y = padded(box.min.y, box.max.y, 1);
    const int64_t z = padded(box.min.z, box.max.z, deep);
    if (x == 0 || y == 0 || z == 0 || x > INT32_MAX / y || x * y > INT32_MAX / z) {
        return OCT_ERROR_RANGE;
    }
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_baseline *b = oct_alloc(&memory, sizeof *b, _Alignof(oct_baseline));
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    *b = (oct_baseline){.allocator = memory,
                        .dims = oct_tree_dims(tree),
                        .box = box,
                        .min = {box.min.x - 1, box.min.y - 1, box.min.z - deep},
                        .size = {(int32_t)x, (int32_t)y, (int32_t)z},
                        .cell_count = (int32_t)(x * y * z)};
    // One byte more, since a row of three bits is read from two bytes.
    b->blocked_bytes = (size_t)b->cell_count / 8u + 2u;
    if (take_memory(b) != OCT_OK) {
        oct_baseline_destroy(b);
        return OCT_ERROR_MEMORY;
    }
    memset(b->blocked, 0xff, b->blocked_bytes);
    memset(b->marks, 0, (size_t)b->cell_count * sizeof *b->marks);
    make_moves(b);
    oct_tree_leaves(tree, box, OCT_HAS_OPEN, free_leaf, b);
    *out = b;
    return OCT_OK;
}

void oct_baseline_destroy(oct_baseline *b)
{
    if (!b) {
        return;
    }
    const oct_allocator memory = b->allocator;
    oct_free(&memory, b->blocked, b->blocked_bytes);
    oct_free(&memory, b->g, (size_t)b->cell_count * sizeof *b->g);
    oct_free(&memory, b->marks, (size_t)b->cell_count * sizeof *b->marks);
    oct_array_free(&b->heap, &memory, sizeof(entry));
    oct_array_free(&b->cells, &memory, sizeof(oct_vec));
    oct_free(&memory, b, sizeof *b);
}

size_t oct_baseline_bytes(const oct_baseline *b)
{
    return sizeof *b + b->blocked_bytes +
           (size_t)b->cell_count * (sizeof *b->g + sizeof *b->marks) +
           b->heap.capacity * sizeof(entry) + b->cells.capacity * sizeof(oct_vec);
}

// ---- heap ----

static bool entry_before(const entry *a, const entry *b)
{
    return a->f < b->f || (a->f == b->f && a->g > b->g);
}

static oct_result heap_push(oct_baseline *b, entry e)
{
    if (OCT_UNLIKELY(b->heap.count == b->heap.capacity)) {
        OCT_TRY(oct_array_grow(&b->heap, &b->allocator, sizeof(entry)));
    }
    entry *heap = b->heap.items;
    size_t at = b->heap.count++;
    while (at > 0 && entry_before(&e, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = e;
    return OCT_OK;
}

// Takes out the least entry; its cell. Large heaps leave the caches, so that what may be compared
// three levels below is asked for in time.
static int32_t heap_pop(oct_baseline *b)
{
    entry *heap = b->heap.items;
    const size_t count = --b->heap.count;
    const int32_t top = heap[0].cell;
    const entry last = heap[count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (8 * at + 14 < count) {
            OCT_PREFETCH(&heap[8 * at + 7]);
            OCT_PREFETCH(&heap[8 * at + 11]);
        }
        child += child + 1 < count && entry_before(&heap[child + 1], &heap[child]);
        if (!entry_before(&heap[child], &last)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

// ---- search ----

// The shortest way where nothing blocks.
static double octile(oct_vec a, oct_vec b)
{
    const int32_t x = abs(a.x - b.x), y = abs(a.y - b.y), z = abs(a.z - b.z);
    const int32_t low = x < y ? x : y, high = x < y ? y : x;
    const int32_t most = high > z ? high : z;
    const int32_t least = low < z ? low : z;
    const int32_t middle = x + y + z - most - least;
    return most + (SQRT2 - 1.0) * middle + (SQRT3 - SQRT2) * least;
}

// Which cells of the neighbourhood are blocked.
static uint32_t neighbourhood(const oct_baseline *b, int32_t cell)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < b->row_count; i++) {
        const uint32_t first = (uint32_t)(cell + b->rows[i]);
        const uint32_t two = (uint32_t)oct_load_little(b->blocked + first / 8u, 2);
        bits |= (two >> first % 8u & 7u) << 3u * i;
    }
    return bits;
}

// Looks at the neighbours of a cell.
static oct_result expand(oct_baseline *b, int32_t from, oct_vec to)
{
    const uint32_t blocked = neighbourhood(b, from);
    const oct_vec here = index_cell(b, from);
    const double so_far = b->g[from];
    for (uint32_t i = 0; i < b->move_count; i++) {
        const move *m = &b->moves[i];
        if (blocked & m->spans) {
            continue;
        }
        const int32_t cell = from + m->offset;
        const double g = so_far + m->cost;
        if (b->marks[cell] < b->stamp || g < b->g[cell]) {
            b->marks[cell] = b->stamp | i;
            b->g[cell] = g;
            const oct_vec there = {here.x + m->step.x, here.y + m->step.y, here.z + m->step.z};
            OCT_TRY(heap_push(b, (entry){g + octile(there, to), (float)g, cell}));
        }
    }
    return OCT_OK;
}

// Follows the moves back from the goal, once to count the cells and once to write them.
static oct_result gather_path(oct_baseline *b, int32_t from, int32_t to, baseline_path *out)
{
    size_t count = 1;
    for (int32_t at = to; at != from; count++) {
        at -= b->moves[b->marks[at] & MARK_MOVE].offset;
    }
    OCT_TRY(oct_array_reserve(&b->cells, &b->allocator, sizeof(oct_vec), count));
    oct_vec *cells = b->cells.items;
    int32_t at = to;
    for (size_t i = count - 1; i > 0; i--) {
        cells[i] = index_cell(b, at);
        at -= b->moves[b->marks[at] & MARK_MOVE].offset;
    }
    cells[0] = index_cell(b, from);
    out->found = true;
    out->length = b->g[to];
    out->cells = cells;
    out->cell_count = count;
    return OCT_OK;
}

// A stamp that no mark has.
static void next_stamp(oct_baseline *b)
{
    if (b->stamp > UINT32_MAX - MARK_STAMP) {
        memset(b->marks, 0, (size_t)b->cell_count * sizeof *b->marks);
        b->stamp = 0;
    }
    b->stamp += MARK_STAMP;
}

oct_result oct_baseline_find(oct_baseline *b, oct_vec from, oct_vec to, baseline_path *out)
{
    *out = (baseline_path){.found = false};
    if (b->dims == 2) {
        from.z = to.z = 0;
    }
    if (!is_free(b, from) || !is_free(b, to)) {
        return OCT_OK;
    }
    const int32_t start = cell_index(b, from), goal = cell_index(b, to);
    next_stamp(b);
    b->marks[start] = b->stamp;
    b->g[start] = 0.0;
    b->heap.count = 0;
    OCT_TRY(heap_push(b, (entry){octile(from, to), 0.0f, start}));
    while (b->heap.count > 0) {
        const int32_t best = heap_pop(b);
        if (b->marks[best] & MARK_CLOSED) {
            continue;
        }
        if (best == goal) {
            return gather_path(b, start, goal, out);
        }
        b->marks[best] |= MARK_CLOSED;
        out->expanded++;
        OCT_TRY(expand(b, best, to));
    }
    return OCT_OK;
}
