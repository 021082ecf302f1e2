// SPDX-License-Identifier: MIT
// Some of the nearest cells, one of each brick: those found so far stand in a list, sorted, and
// what is further than its last is passed over.
#include "explore/frontier_distance.h"

typedef struct few_entry {
    double square;
    rel cell;
} few_entry;

typedef struct few {
    oct_frontier *f;
    front_point from;
    few_entry entries[OCT_FRONTIER_FEW];
    size_t count, capacity;
    double part; // of the nearest one's square that others may have
} few;

static bool entry_before(const few_entry *a, const few_entry *b)
{
    return a->square < b->square || (a->square == b->square && cell_before(a->cell, b->cell));
}

static bool few_allows(const few *q, double square)
{
    return q->count == 0 || !(square > q->part * q->entries[0].square); // no number where all may
}

static bool few_wants(const few *q, double square)
{
    return (q->count < q->capacity || square <= q->entries[q->count - 1].square) &&
           few_allows(q, square);
}

static void few_insert(few *q, const few_entry *entry)
{
    if (q->count == q->capacity) {
        if (!entry_before(entry, &q->entries[q->count - 1])) {
            return;
        }
        q->count--;
    }
    size_t i = q->count++;
    for (; i > 0 && entry_before(entry, &q->entries[i - 1]); i--) {
        q->entries[i] = q->entries[i - 1];
    }
    q->entries[i] = *entry;
}

static void few_brick(few *q, uint64_t cells, rel at)
{
    if (!cells) {
        return;
    }
    const int dims = q->f->dims;
    few_entry best = {HUGE_VAL, at};
    for (; cells; cells &= cells - 1u) {
        const rel cell = brick_cell(dims, at, oct_lowest_bit(cells));
        const few_entry entry = {cell_square(&q->from, dims, cell), cell};
        best = entry_before(&entry, &best) ? entry : best;
    }
    few_insert(q, &best);
}

// Layers are looked at as their children would be; they count.
static void few_slab(few *q, uint32_t word, int level, rel at)
{
    const oct_frontier *f = q->f;
    if (level == brick_level(f->dims)) {
        few_brick(q, oct_front_cells(f, word, at), at);
        return;
    }
    double bounds[8];
    child_squares(&q->from, f->dims, level, at, bounds);
    for (uint32_t set = (1u << (1u << f->dims)) - 1u; set;) {
        const uint32_t child = nearest_child(bounds, set);
        if (!few_wants(q, bounds[child])) {
            return;
        }
        set ^= 1u << child;
        const uint32_t below = front_slab(front_value(word) & child_faces(f->dims, child));
        const rel there = child_position(f->dims, at, level, child);
        if (below && front_is_inside(f, level - 1, there)) {
            few_slab(q, below, level - 1, there);
        }
    }
}

// False where nothing in a block counts.
static bool few_block(few *q, uint32_t index, int level, rel at)
{
    oct_frontier *f = q->f;
    const int dims = f->dims;
    uint32_t *block = front_block(f, dims, index), *marks = front_marks(f, dims, block);
    double bounds[8];
    child_squares(&q->from, dims, level, at, bounds);
    for (uint32_t set = *marks & 0xffu; set;) {
        const uint32_t child = nearest_child(bounds, set), word = block[child];
        if (!few_wants(q, bounds[child])) {
            break;
        }
        set ^= 1u << child;
        const rel below = child_position(dims, at, level, child);
        bool counts;
        if (front_kind(word) == FRONT_SLAB) {
            counts = front_child_counts(f, marks, child, below);
            if (counts) {
                few_slab(q, word, level - 1, below);
            }
        } else if (front_kind(word) == FRONT_BRICK) {
            const uint64_t cells = front_counted(f, front_value(word), below);
            few_brick(q, cells, below);
            counts = cells != 0;
        } else {
            counts = few_block(q, front_value(word), level - 1, below);
        }
        *marks &= counts ? UINT32_MAX : ~(1u << child);
    }
    return (*marks & 0xffu) != 0;
}

size_t oct_frontier_nearest_few(oct_frontier *f, oct_fine at, double slack, oct_vec *cells,
                                size_t capacity)
{
    // Distances are rounded where they are compared.
    few q = {.f = f,
             .from = front_point_of(f, at),
             .part = (1.0 + slack) * (1.0 + slack) * (1.0 + 0x1p-40)};
    q.capacity = capacity < OCT_FRONTIER_FEW ? capacity : OCT_FRONTIER_FEW;
    const rel root = {0, 0, 0};
    if (q.capacity == 0 || f->root == FRONT_NONE) {
        return 0;
    }
    if (front_kind(f->root) == FRONT_INNER) {
        few_block(&q, front_value(f->root), f->root_level, root);
    } else if (front_kind(f->root) == FRONT_BRICK) {
        few_brick(&q, front_counted(f, front_value(f->root), root), root);
    } else if (oct_front_slab_counts(f, root)) {
        few_slab(&q, f->root, f->root_level, root);
    }
    size_t count = 0;
    for (; count < q.count && few_allows(&q, q.entries[count].square); count++) {
        cells[count] = front_cell(f, q.entries[count].cell);
    }
    return count;
}
