// SPDX-License-Identifier: MIT
// Visiting cells: layers as they are, cells of bricks gathered into boxes.
#include "explore/frontier_internal.h"

typedef struct visiting {
    oct_frontier *f;
    span within;
    oct_frontier_fn *visit;
    void *ctx;
} visiting;

static bool visit_span(const visiting *v, const span *cells)
{
    const oct_box box = oct_front_unclip(v->f, cells);
    return v->visit(v->ctx, &box);
}

// Layers one after the other, each without what those before it had.
static bool visit_slab(const visiting *v, uint32_t faces, int level, rel at)
{
    span left = v->within;
    for (; faces; faces &= faces - 1u) {
        const uint32_t face = oct_lowest_bit(faces), axis = face >> 1;
        span layer;
        if (!oct_front_layer(v->f->dims, level, at, face, &left, &layer)) {
            continue;
        }
        if (!visit_span(v, &layer)) {
            return false;
        }
        uint32_t *lo = axis == 0 ? &left.lo.x : axis == 1 ? &left.lo.y : &left.lo.z;
        uint32_t *hi = axis == 0 ? &left.hi.x : axis == 1 ? &left.hi.y : &left.hi.z;
        const uint32_t layer_at = axis == 0 ? layer.lo.x : axis == 1 ? layer.lo.y : layer.lo.z;
        if (layer_at == (face & 1u ? *lo : *hi)) {
            return true;
        }
        if (face & 1u) {
            *hi = layer_at - 1u;
        } else {
            *lo = layer_at + 1u;
        }
    }
    return true;
}

// Grows a box along an axis while all cells beyond are there.
static span grown(int dims, span box, uint64_t cells, int axis)
{
    const uint32_t edge = 1u << brick_level(dims);
    const rel origin = {0, 0, 0};
    for (;;) {
        span next = box;
        uint32_t *hi = axis == 0 ? &next.hi.x : axis == 1 ? &next.hi.y : &next.hi.z;
        if (++*hi == edge || (span_mask(dims, &next, origin) & ~cells)) {
            return box;
        }
        box = next;
    }
}

static bool visit_brick(const visiting *v, uint64_t cells, rel at)
{
    const int dims = v->f->dims;
    cells &= span_mask(dims, &v->within, at);
    while (cells) {
        const rel first = brick_cell(dims, (rel){0, 0, 0}, oct_lowest_bit(cells));
        span box = {first, first};
        for (int axis = 0; axis < dims; axis++) {
            box = grown(dims, box, cells, axis);
        }
        cells &= ~span_mask(dims, &box, (rel){0, 0, 0});
        const span there = {{at.x + box.lo.x, at.y + box.lo.y, at.z + box.lo.z},
                            {at.x + box.hi.x, at.y + box.hi.y, at.z + box.hi.z}};
        if (!visit_span(v, &there)) {
            return false;
        }
    }
    return true;
}

static bool visit_block(const visiting *v, uint32_t index, int level, rel at);

// `alive` is set to false where nothing below counts.
static bool visit_node(const visiting *v, uint32_t word, int level, rel at, bool *alive)
{
    oct_frontier *f = v->f;
    if (front_kind(word) == FRONT_BRICK) {
        const uint64_t cells = front_counted(f, front_value(word), at);
        *alive = cells != 0;
        return visit_brick(v, cells, at);
    }
    const bool on = visit_block(v, front_value(word), level, at);
    *alive = (*front_marks(f, f->dims, front_block(f, f->dims, front_value(word))) & 0xffu) != 0;
    return on;
}

static bool visit_block(const visiting *v, uint32_t index, int level, rel at)
{
    oct_frontier *f = v->f;
    uint32_t *block = front_block(f, f->dims, index);
    uint32_t *marks = front_marks(f, f->dims, block);
    uint32_t set = *marks & 0xffu & span_children(f->dims, &v->within, at, level);
    for (; set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        const rel below = child_position(f->dims, at, level, i);
        bool on = true, alive = true;
        if (front_kind(block[i]) != FRONT_SLAB) {
            on = visit_node(v, block[i], level - 1, below, &alive);
        } else if (front_child_counts(f, marks, i, below)) {
            on = visit_slab(v, front_value(block[i]), level - 1, below);
        }
        *marks &= alive ? UINT32_MAX : ~(1u << i);
        if (!on) {
            return false;
        }
    }
    return true;
}

bool oct_frontier_visit(oct_frontier *f, const oct_box *within, oct_frontier_fn *visit, void *ctx)
{
    visiting v = {f, f->inside, visit, ctx};
    if (f->root == FRONT_NONE || (within && !oct_front_clip(f, within, 0, &v.within))) {
        return true;
    }
    const rel root = {0, 0, 0};
    if (front_kind(f->root) == FRONT_SLAB) {
        return !oct_front_slab_counts(f, root) ||
               visit_slab(&v, front_value(f->root), f->root_level, root);
    }
    bool alive;
    return visit_node(&v, f->root, f->root_level, root, &alive);
}
