// SPDX-License-Identifier: MIT
// The distance to the nearest cell as moves from cell to cell make it: as frontier_nearest.c, with
// another measure.
#include "explore/frontier_distance.h"

// What one more axis adds to a move along another, and to one along two.
#define SECOND_AXIS 0x1.a827999fcef34p-2 // sqrt 2 - 1
#define THIRD_AXIS 0x1.4577207644374p-2  // sqrt 3 - sqrt 2

typedef struct fewest {
    oct_frontier *f;
    int64_t from[3]; // cell, from the root's smallest
    double best;
    bool found;
} fewest;

static double moves_between(double x, double y, double z)
{
    const double low = x < y ? x : y, high = x < y ? y : x;
    const double most = z > high ? z : high, least = z < low ? z : low;
    const double middle = z > high ? high : z < low ? low : z;
    return most + SECOND_AXIS * middle + THIRD_AXIS * least;
}

static double apart(int64_t at, uint32_t lo, uint32_t hi)
{
    return at < (int64_t)lo   ? (double)((int64_t)lo - at)
           : at > (int64_t)hi ? (double)(at - (int64_t)hi)
                              : 0.0;
}

static double span_moves(const fewest *q, const span *box)
{
    return moves_between(apart(q->from[0], box->lo.x, box->hi.x),
                         apart(q->from[1], box->lo.y, box->hi.y),
                         q->f->dims == 3 ? apart(q->from[2], box->lo.z, box->hi.z) : 0.0);
}

static void offer(fewest *q, const span *cells)
{
    const double moves = span_moves(q, cells);
    if (moves < q->best) {
        q->best = moves;
        q->found = true;
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
    for (uint32_t left = set; left; left &= left - 1u) {
        const uint32_t child = oct_lowest_bit(left);
        const span box = span_of(dims, child_position(dims, at, level, child), level - 1);
        bounds[child] = span_moves(q, &box);
    }
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

bool oct_front_moves(oct_frontier *f, oct_vec cell, double limit, double *moves)
{
    const corner *const min = &f->root_min;
    fewest q = {
        .f = f,
        .from = {(int64_t)cell.x - min->x, (int64_t)cell.y - min->y, (int64_t)cell.z - min->z},
        .best = limit};
    const rel root = {0, 0, 0};
    if (f->root == FRONT_NONE) {
        return false;
    }
    if (front_kind(f->root) == FRONT_SLAB) {
        if (oct_front_slab_counts(f, root)) {
            fewest_slab(&q, front_value(f->root), f->root_level, root);
        }
    } else if (front_kind(f->root) == FRONT_BRICK) {
        fewest_brick(&q, front_value(f->root), root);
    } else {
        fewest_below(&q, front_value(f->root), f->root_level, root);
    }
    *moves = q.best;
    return q.found;
}
