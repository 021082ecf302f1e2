// SPDX-License-Identifier: MIT
// The distance to the nearest cell as moves from cell to cell make it: as frontier_nearest.c, with
// another measure.
#include "explore/frontier_distance.h"

typedef struct fewest {
    oct_frontier *f;
    double from[3]; // cell, from the root's smallest
    double best;
    rel cell; // that has it, where it was found here
    bool found;
} fewest;

// How far a place on an axis is from an interval.
OCT_FORCE_INLINE double apart(double at, double lo, double hi)
{
    const double below = lo - at, above = at - hi;
    const double beyond = below > above ? below : above;
    return beyond > 0.0 ? beyond : 0.0;
}

static uint32_t nearest_axis(double at, uint32_t lo, uint32_t hi)
{
    return at < lo ? lo : at > hi ? hi : (uint32_t)at;
}

static void offer(fewest *q, const span *cells)
{
    const bool is_flat = q->f->dims == 2;
    const double moves = moves_along(apart(q->from[0], cells->lo.x, cells->hi.x),
                                     apart(q->from[1], cells->lo.y, cells->hi.y),
                                     is_flat ? 0.0 : apart(q->from[2], cells->lo.z, cells->hi.z));
    if (moves < q->best) {
        q->best = moves;
        q->cell = (rel){nearest_axis(q->from[0], cells->lo.x, cells->hi.x),
                        nearest_axis(q->from[1], cells->lo.y, cells->hi.y),
                        is_flat ? 0u : nearest_axis(q->from[2], cells->lo.z, cells->hi.z)};
        q->found = true;
    }
}

// How near the cells of each child of a node may be.
OCT_FORCE_INLINE void child_moves(const fewest *q, int level, rel at, double out[8])
{
    const double half = (double)(INT64_C(1) << (level - 1)), last = half - 1.0;
    const double from[3] = {at.x, at.y, at.z};
    double away[3][2] = {{0.0}};
    for (int axis = 0; axis < q->f->dims; axis++) {
        const double low = from[axis], high = low + half;
        away[axis][0] = apart(q->from[axis], low, low + last);
        away[axis][1] = apart(q->from[axis], high, high + last);
    }
    for (int i = 0; i < 1 << q->f->dims; i++) {
        out[i] = moves_along(away[0][i & 1], away[1][i >> 1 & 1], away[2][i >> 2]);
    }
}

static void fewest_slab(fewest *q, uint32_t faces, int level, rel at)
{
    for (; faces; faces &= faces - 1u) {
        span layer;
        if (oct_front_layer(q->f->dims, level, at, oct_lowest_bit(faces), &q->f->inside, &layer)) {
            offer(q, &layer);
        }
    }
}

static bool fewest_brick(fewest *q, uint32_t index, rel at)
{
    const int dims = q->f->dims;
    const uint64_t cells = front_counted(q->f, index, at);
    for (uint64_t left = cells & span_mask(dims, &q->f->inside, at); left; left &= left - 1u) {
        const rel cell = brick_cell(dims, at, oct_lowest_bit(left));
        offer(q, &(span){cell, cell});
    }
    return cells != 0;
}

// Looks below a block; false where nothing below counts, wherever it is.
static bool fewest_below(fewest *q, uint32_t index, int level, rel at)
{
    oct_frontier *const f = q->f;
    const int dims = f->dims;
    uint32_t *const block = front_block(f, dims, index);
    uint32_t *const marks = front_marks(f, dims, block);
    uint32_t set = *marks & 0xffu;
    double bounds[8];
    child_moves(q, level, at, bounds);
    while (set) {
        const uint32_t child = nearest_child(bounds, set), value = front_value(block[child]);
        if (bounds[child] >= q->best) {
            break;
        }
        set ^= 1u << child;
        const rel below = child_position(dims, at, level, child);
        bool counts;
        if (front_kind(block[child]) == FRONT_SLAB) {
            counts = front_child_counts(f, marks, child, below);
            if (counts) {
                fewest_slab(q, value, level - 1, below);
            }
        } else if (front_kind(block[child]) == FRONT_BRICK) {
            counts = fewest_brick(q, value, below);
        } else {
            counts = fewest_below(q, value, level - 1, below);
        }
        if (OCT_UNLIKELY(!counts)) {
            *marks &= ~(1u << child);
        }
    }
    return (*marks & 0xffu) != 0;
}

bool oct_front_moves(oct_frontier *f, oct_vec from, oct_vec *nearest, double *moves)
{
    const corner *const min = &f->root_min;
    fewest q = {.f = f,
                .from = {(double)((int64_t)from.x - min->x), (double)((int64_t)from.y - min->y),
                         (double)((int64_t)from.z - min->z)},
                .best = *moves};
    const rel root = {0, 0, 0};
    if (front_kind(f->root) == FRONT_SLAB) {
        if (oct_front_slab_counts(f, root)) {
            fewest_slab(&q, front_value(f->root), f->root_level, root);
        }
    } else if (front_kind(f->root) == FRONT_BRICK) {
        fewest_brick(&q, front_value(f->root), root);
    } else if (f->root != FRONT_NONE) {
        fewest_below(&q, front_value(f->root), f->root_level, root);
    }
    if (q.found) {
        *nearest = front_cell(f, q.cell);
        *moves = q.best;
    }
    return q.found;
}
