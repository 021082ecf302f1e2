// SPDX-License-Identifier: MIT
// Which things share cells with a box.
//
// Things no larger than the box lie in or below a few nodes of about its size: these are probed,
// and below them only nodes that exist are looked at. Of the levels of larger things, those that
// hold any are probed one by one. Most things that are met lie beside the box. Their boxes in the
// world tell so, before their cells have to be worked out: that saves a quarter of the time.
#include "map/things_internal.h"

#include <math.h>

typedef struct question {
    const thing_index *index;
    oct_box box;      // inside the lattice, not empty
    oct_bounds reach; // a thing that does not meet it shares no cell with the box
    oct_things_fn *visit;
    void *ctx;
} question;

// ---- the box in the world ----

// A little more than what a thing has to meet to cover one of the cells from `first` to `end`. The
// steps from a thing's box to its cells keep order, rounding included. So all things beyond are
// beside the cells if one at the end of the reach is; if rounding spoils that, it has no end.
OCT_FORCE_INLINE void reach_axis(double padding, double origin, double cell, int32_t first,
                                 int32_t end, double *min, double *max)
{
    const double lo = first * cell, hi = end * cell;
    const double larger = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);
    const double slack = (larger + fabs(origin) + padding + cell) * 0x1p-48;
    *min = lo + origin - padding - slack;
    *max = hi + origin + padding + slack;
    if (!((*min + padding - origin) / cell < first)) {
        *min = -(double)INFINITY;
    }
    if (!((*max - padding - origin) / cell >= end)) {
        *max = (double)INFINITY;
    }
}

OCT_FORCE_INLINE oct_bounds reach_of(int dims, const lattice *l, const oct_box *box)
{
    const double cell = l->cell_size;
    oct_bounds reach = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    reach_axis(l->padding.x, l->origin.x, cell, box->min.x, box->max.x, &reach.min.x, &reach.max.x);
    reach_axis(l->padding.y, l->origin.y, cell, box->min.y, box->max.y, &reach.min.y, &reach.max.y);
    if (dims == 3) {
        reach_axis(l->padding.z, l->origin.z, cell, box->min.z, box->max.z, &reach.min.z,
                   &reach.max.z);
    }
    return reach;
}

// One branch for all axes: which of them will tell is anyone's guess.
OCT_FORCE_INLINE bool reach_meets(int dims, const oct_bounds *reach, const oct_bounds *box)
{
    const bool flat = (box->min.x <= reach->max.x) & (box->max.x >= reach->min.x) &
                      (box->min.y <= reach->max.y) & (box->max.y >= reach->min.y);
    return dims == 2 ? flat : flat & (box->min.z <= reach->max.z) & (box->max.z >= reach->min.z);
}

OCT_FORCE_INLINE bool boxes_meet(int dims, const oct_box *a, const oct_box *b)
{
    const bool flat = (a->min.x < b->max.x) & (a->max.x > b->min.x) & (a->min.y < b->max.y) &
                      (a->max.y > b->min.y);
    return dims == 2 ? flat : flat & (a->min.z < b->max.z) & (a->max.z > b->min.z);
}

// ---- nodes ----

// Nodes of one level: their places, both ends included. A question asks for three an axis at most.
#define RANGE_MAX 27

typedef struct place_range {
    oct_vec lo, hi;
} place_range;

// How far things of some levels reach beyond their nodes: half an edge of the highest one.
OCT_FORCE_INLINE int32_t margin_of(uint32_t levels)
{
    return (int32_t)(UINT64_C(1) << oct_bit_length(levels) >> 2);
}

// The nodes of a level that lie within the margin of the box. Nothing leaves 32 bits: both the
// lattice and the margin end at 2^30.
OCT_FORCE_INLINE place_range range_of(int dims, const oct_box *box, int32_t margin, int level)
{
    return (place_range){{(box->min.x - margin) >> level, (box->min.y - margin) >> level,
                          dims == 3 ? (box->min.z - margin) >> level : 0},
                         {(box->max.x - 1 + margin) >> level, (box->max.y - 1 + margin) >> level,
                          dims == 3 ? (box->max.z - 1 + margin) >> level : 0}};
}

// One axis of range_children: of the two halves of a node, those that lie from lo to hi.
OCT_FORCE_INLINE uint32_t range_halves(int32_t lo, int32_t hi, int32_t low, uint32_t lower,
                                       uint32_t upper)
{
    return (lo <= low && low <= hi ? lower : 0u) | (lo <= low + 1 && low < hi ? upper : 0u);
}

// The children of a node that lie in a range of their level, as a set of bits.
OCT_FORCE_INLINE uint32_t range_children(int dims, const place_range *range, place at)
{
    const place low = place_below(at, 0);
    const uint32_t set = range_halves(range->lo.x, range->hi.x, low.x, 0x55u, 0xaau) &
                         range_halves(range->lo.y, range->hi.y, low.y, 0x33u, 0xccu);
    return dims == 2 ? set : set & range_halves(range->lo.z, range->hi.z, low.z, 0x0fu, 0xf0u);
}

// ---- visits ----

OCT_FORCE_INLINE bool visit_things(int dims, const question *q, const thing_node *node)
{
    for (uint32_t slot = node->first; slot != 0;) {
        const thing *at = oct_things_at(q->index, slot);
        if (reach_meets(dims, &q->reach, &at->box)) {
            oct_box cells;
            cover_box(dims, &q->index->lattice, &at->box, false, &cells);
            if (boxes_meet(dims, &cells, &q->box) && !q->visit(q->ctx, slot, &cells)) {
                return false;
            }
        }
        slot = at->next;
    }
    return true;
}

// Nodes that are to be visited: those of a range, and what lies below them.
typedef struct node_stack {
    int top;
    const thing_node *nodes[RANGE_MAX + 7 * THING_LEVEL_TOP];
} node_stack;

// A node waits in the stack before it is looked at: time to fetch its first thing.
OCT_FORCE_INLINE void push(const question *q, node_stack *stack, place at)
{
    const uint32_t found = node_find(q->index, at);
    const thing_node *node = node_at(q->index, found);
    OCT_PREFETCH(oct_things_at(q->index, node->first));
    stack->nodes[stack->top] = node;
    stack->top += found != 0;
}

OCT_FORCE_INLINE void push_range(const question *q, node_stack *stack, const place_range *range,
                                 int level)
{
    for (int32_t z = range->lo.z; z <= range->hi.z; z++) {
        for (int32_t y = range->lo.y; y <= range->hi.y; y++) {
            for (int32_t x = range->lo.x; x <= range->hi.x; x++) {
                push(q, stack, (place){x, y, z, level});
            }
        }
    }
}

OCT_FORCE_INLINE void push_children(int dims, const question *q, node_stack *stack,
                                    const thing_node *node)
{
    const place at = node_place(node);
    const uint32_t below = q->index->levels & ((1u << at.level) - 1u);
    const place_range range = range_of(dims, &q->box, margin_of(below), at.level - 1);
    for (uint32_t set = node->children & range_children(dims, &range, at); set; set &= set - 1u) {
        push(q, stack, place_below(at, oct_lowest_bit(set)));
    }
}

// Visits the things in the nodes of a range, and in those below or not.
OCT_FORCE_INLINE bool visit_range(int dims, const question *q, const place_range *range, int level,
                                  bool below)
{
    node_stack stack;
    stack.top = 0;
    push_range(q, &stack, range, level);
    while (stack.top > 0) {
        const thing_node *node = stack.nodes[--stack.top];
        if (!visit_things(dims, q, node)) {
            return false;
        }
        if (below && node->children != 0) {
            push_children(dims, q, &stack, node);
        }
    }
    return true;
}

OCT_FORCE_INLINE bool visit_box(int dims, const question *q)
{
    const int64_t side = box_side(dims, &q->box);
    const uint32_t small = (uint32_t)((UINT64_C(2) << level_of(side)) - 1u) & q->index->levels;
    if (small != 0) {
        // The box with its margin is no longer than two edges of this level.
        const int32_t margin = margin_of(small);
        const int fitting = level_of(side + 2 * (int64_t)margin);
        const int level = fitting > 0 ? fitting - 1 : 0;
        const place_range range = range_of(dims, &q->box, margin, level);
        if (!visit_range(dims, q, &range, level, true)) {
            return false;
        }
    }
    for (uint32_t large = q->index->levels ^ small; large != 0; large &= large - 1u) {
        const int level = (int)oct_lowest_bit(large);
        const place_range range = range_of(dims, &q->box, margin_of(1u << level), level);
        if (!visit_range(dims, q, &range, level, false)) {
            return false;
        }
    }
    return true;
}

bool oct_things_in(const thing_index *index, const oct_box *box, oct_things_fn *visit, void *ctx)
{
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const int dims = index->lattice.dims;
    const oct_box inside = box_common(*box, all);
    if (index->levels == 0 || box_is_empty(dims, &inside)) {
        return true;
    }
    const question q = {index, inside, reach_of(dims, &index->lattice, &inside), visit, ctx};
    return dims == 3 ? visit_box(3, &q) : visit_box(2, &q);
}
