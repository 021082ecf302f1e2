// SPDX-License-Identifier: MIT
// The nearest cell: depth first, the nearer child first, passing over what cannot be nearer.
#include "explore/frontier_distance.h"

// ---- what was found ----

typedef struct nearest {
    oct_frontier *f;
    front_point from;
    span within;
    bool whole; // all of the root is within
    bool found;
    double best;  // square of the distance; of what was found, or the limit
    double part;  // of it that what is looked at has to be within
    double worth; // their product
    rel cell;     // found
} nearest;

// Of the cells from `lo` to `hi` that nearest to a place; of two the lower.
static uint32_t nearest_axis(uint32_t lo, uint32_t hi, double at)
{
    const double cell = at / OCT_FINE;
    if (!(cell > (double)lo)) {
        return lo;
    }
    if (cell >= (double)hi) {
        return hi;
    }
    const uint32_t below = (uint32_t)cell;
    return below + (cell - (double)below > 0.5);
}

OCT_FORCE_INLINE void offer(nearest *q, double square, rel cell)
{
    if (square > q->best) {
        return;
    }
    if (q->found && square == q->best && !cell_before(cell, q->cell)) {
        return;
    }
    q->found = true;
    q->best = square;
    q->worth = square * q->part;
    q->cell = cell;
}

static void nearest_slab(nearest *q, uint32_t faces, int level, rel at)
{
    const int dims = q->f->dims;
    for (; faces; faces &= faces - 1u) {
        span layer;
        if (oct_front_layer(dims, level, at, oct_lowest_bit(faces), &q->within, &layer)) {
            const rel cell = {nearest_axis(layer.lo.x, layer.hi.x, q->from.axis[0]),
                              nearest_axis(layer.lo.y, layer.hi.y, q->from.axis[1]),
                              dims == 3 ? nearest_axis(layer.lo.z, layer.hi.z, q->from.axis[2])
                                        : 0u};
            offer(q, cell_square(&q->from, dims, cell), cell);
        }
    }
}

// ---- bricks ----

// Squares of distances along each axis for the cells of a brick; and the least ones for pairs of
// cells, the sides of the groups that a brick's bytes (at two dimensions nibbles) stand for.
typedef struct squares {
    double one[3][8];
    double two[3][4];
} squares;

OCT_FORCE_INLINE void squares_fill(squares *s, const nearest *q, int dims, rel at)
{
    const double from[3] = {(double)at.x * OCT_FINE - q->from.axis[0],
                            (double)at.y * OCT_FINE - q->from.axis[1],
                            (double)at.z * OCT_FINE - q->from.axis[2]};
    const int edge = 1 << brick_level(dims);
    for (int axis = 0; axis < dims; axis++) {
        for (int i = 0; i < edge; i++) {
            const double away = from[axis] + i * OCT_FINE;
            s->one[axis][i] = away * away;
        }
        for (int i = 0; i < edge / 2; i++) {
            const double a = s->one[axis][2 * i], b = s->one[axis][2 * i + 1];
            s->two[axis][i] = a < b ? a : b;
        }
    }
}

// Looks at cells of a brick. Whole groups that are too far away are passed over.
OCT_FORCE_INLINE void nearest_cells(nearest *q, int dims, uint64_t cells, rel at)
{
    const uint32_t width = 1u << dims;
    squares s;
    squares_fill(&s, q, dims, at);
    for (uint64_t groups = group_any(cells, width); groups; groups &= groups - 1u) {
        const uint32_t start = oct_lowest_bit(groups), low = morton_cell(dims, start);
        const uint32_t x = low & 0xffu, y = low >> 8 & 0xffu, z = low >> 16;
        const double flat = s.two[0][x / 2u] + s.two[1][y / 2u];
        if ((dims == 3 ? flat + s.two[2][z / 2u] : flat) > q->worth) {
            continue;
        }
        for (uint64_t left = cells >> start & ((1u << width) - 1u); left; left &= left - 1u) {
            const uint32_t i = oct_lowest_bit(left);
            const double plane = s.one[0][x + (i & 1u)] + s.one[1][y + (i >> 1 & 1u)];
            const double square = dims == 3 ? plane + s.one[2][z + (i >> 2)] : plane;
            if (square <= q->best) {
                offer(q, square, brick_cell(dims, at, start + i));
            }
        }
    }
}

// A brick of the tree; false where none of its cells counts.
OCT_FORCE_INLINE bool nearest_brick(nearest *q, int dims, uint32_t index, rel at)
{
    const uint64_t cells = front_counted(q->f, index, at);
    const uint64_t asked = q->whole ? cells : cells & span_mask(dims, &q->within, at);
    if (asked) {
        nearest_cells(q, dims, asked, at);
    }
    return cells != 0;
}

// ---- nodes ----

// Those of a set of children that may have something nearer; without a branch for each, which could
// not be foreseen.
OCT_FORCE_INLINE uint32_t children_within(int dims, const double bounds[8], double worth,
                                          uint32_t set)
{
    uint32_t within = 0;
    for (uint32_t i = 0; i < 1u << dims; i++) {
        within |= (uint32_t)(bounds[i] <= worth) << i;
    }
    return within & set;
}

static bool nearest_2d(nearest *q, uint32_t index, int level, rel at);
static bool nearest_3d(nearest *q, uint32_t index, int level, rel at);

// Looks below a block; false where nothing below counts, wherever it is.
OCT_FORCE_INLINE bool nearest_below(nearest *q, int dims, uint32_t index, int level, rel at)
{
    oct_frontier *f = q->f;
    uint32_t *block = front_block(f, dims, index);
    uint32_t *marks = front_marks(f, dims, block);
    uint32_t set = *marks & 0xffu;
    set &= q->whole ? set : span_children(dims, &q->within, at, level);
    double bounds[8];
    child_squares(&q->from, dims, level, at, bounds);
    set = children_within(dims, bounds, q->worth, set);
    while (set) {
        const uint32_t child = nearest_child(bounds, set), value = front_value(block[child]);
        if (bounds[child] > q->worth) {
            break;
        }
        set ^= 1u << child;
        const rel below = child_position(dims, at, level, child);
        bool counts;
        if (front_kind(block[child]) == FRONT_SLAB) {
            counts = front_child_counts(f, marks, child, below);
            if (counts) {
                nearest_slab(q, value, level - 1, below);
            }
        } else if (front_kind(block[child]) == FRONT_BRICK) {
            counts = nearest_brick(q, dims, value, below);
        } else {
            counts = dims == 3 ? nearest_3d(q, value, level - 1, below)
                               : nearest_2d(q, value, level - 1, below);
        }
        if (OCT_UNLIKELY(!counts)) {
            *marks &= ~(1u << child);
        }
    }
    return (*marks & 0xffu) != 0;
}

static bool nearest_2d(nearest *q, uint32_t index, int level, rel at)
{
    return nearest_below(q, 2, index, level, at);
}

static bool nearest_3d(nearest *q, uint32_t index, int level, rel at)
{
    return nearest_below(q, 3, index, level, at);
}

// The square that holds every distance below the limit, rounding included.
static double limit_square(double limit)
{
    const double fine = limit * OCT_FINE;
    return fine * fine * (1.0 + 0x1p-50);
}

bool oct_frontier_nearest(oct_frontier *f, oct_fine at, const oct_box *within, double limit,
                          double slack, oct_vec *cell, double *distance)
{
    nearest q = {.f = f,
                 .from = front_point_of(f, at),
                 .within = f->inside,
                 .best = limit_square(limit),
                 .part = 1.0 / ((1.0 + slack) * (1.0 + slack))};
    q.worth = q.best;
    if (!(limit > 0.0) || f->root == FRONT_NONE ||
        (within && !oct_front_clip(f, within, 0, &q.within))) {
        return false;
    }
    q.whole = span_covers(f->dims, &q.within, (rel){0, 0, 0}, f->root_level);
    const rel root = {0, 0, 0};
    if (front_kind(f->root) == FRONT_SLAB) {
        if (oct_front_slab_counts(f, root)) {
            nearest_slab(&q, front_value(f->root), f->root_level, root);
        }
    } else if (front_kind(f->root) == FRONT_BRICK) {
        nearest_brick(&q, f->dims, front_value(f->root), root);
    } else if (f->dims == 3) {
        nearest_3d(&q, front_value(f->root), f->root_level, root);
    } else {
        nearest_2d(&q, front_value(f->root), f->root_level, root);
    }
    const double away = q.found ? sqrt(q.best) * (1.0 / OCT_FINE) : HUGE_VAL;
    if (!(away < limit)) {
        return false;
    }
    *cell = front_cell(f, q.cell);
    if (distance) {
        *distance = away;
    }
    return true;
}
