// SPDX-License-Identifier: MIT
// The frontier's own tree: its memory, its root, and how nodes change.
#include "explore/frontier_internal.h"

// ---- memory ----

static size_t block_size(const oct_frontier *f)
{
    return front_block_words(f->dims) * sizeof(uint32_t);
}

// An item, or 0 where there is no memory. A free block's list goes through its first word.
static uint32_t take(oct_frontier *f, front_pool *p, size_t size)
{
    if (p->items.count == p->items.capacity &&
        (p->items.count > FRONT_INDEX_MAX ||
         oct_array_grow(&p->items, &f->allocator, size) != OCT_OK)) {
        return 0;
    }
    return (uint32_t)p->items.count++;
}

static uint32_t take_block(oct_frontier *f)
{
    front_pool *p = &f->blocks;
    uint32_t index = p->free_head;
    if (index) {
        p->free_head = front_block(f, f->dims, index)[0];
        p->free_count--;
    } else {
        index = take(f, p, block_size(f));
    }
    if (index) {
        memset(front_block(f, f->dims, index), 0, block_size(f));
    }
    return index;
}

static void give_block(oct_frontier *f, uint32_t index)
{
    front_block(f, f->dims, index)[0] = f->blocks.free_head;
    f->blocks.free_head = index;
    f->blocks.free_count++;
}

static uint32_t take_brick(oct_frontier *f)
{
    front_pool *p = &f->bricks;
    const uint32_t index = p->free_head;
    if (!index) {
        return take(f, p, sizeof(front_brick));
    }
    p->free_head = front_brick_at(f, index)->next;
    p->free_count--;
    return index;
}

static void give_brick(oct_frontier *f, uint32_t index)
{
    *front_brick_at(f, index) = (front_brick){.next = f->bricks.free_head};
    f->bricks.free_head = index;
    f->bricks.free_count++;
}

oct_result oct_front_clear(oct_frontier *f)
{
    f->root = FRONT_NONE;
    f->count = 0;
    f->blocks.items.count = f->bricks.items.count = 0;
    f->blocks.free_head = f->blocks.free_count = 0;
    f->bricks.free_head = f->bricks.free_count = 0;
    f->skips_lost = f->skips.count > 0;
    OCT_TRY(oct_array_reserve(&f->blocks.items, &f->allocator, block_size(f), 1));
    OCT_TRY(oct_array_reserve(&f->bricks.items, &f->allocator, sizeof(front_brick), 1));
    // Item 0 of both is null.
    f->blocks.items.count = f->bricks.items.count = 1;
    return OCT_OK;
}

// ---- places ----

static void place_axis(int64_t min, int64_t edge, int32_t from, int32_t to, int64_t *low,
                       int64_t *high, uint32_t *lo, uint32_t *hi)
{
    *low = from - min;
    *high = to - 1 - min;
    *lo = (uint32_t)(*low > 0 ? *low : 0);
    *hi = (uint32_t)(*high < edge ? *high : edge - 1);
}

void oct_front_place(oct_frontier *f, int level, corner min)
{
    f->root_level = level;
    f->root_min = min;
    f->inside = span_of(f->dims, (rel){0, 0, 0}, level);
    f->is_outside = false;
    for (int axis = 0; axis < 3; axis++) {
        f->low[axis] = INT64_MIN / 2;
        f->high[axis] = INT64_MAX / 2;
    }
    if (!f->is_bounded) {
        return;
    }
    const int64_t edge = INT64_C(1) << level;
    const oct_box *b = &f->bounds;
    span *in = &f->inside;
    place_axis(min.x, edge, b->min.x, b->max.x, &f->low[0], &f->high[0], &in->lo.x, &in->hi.x);
    place_axis(min.y, edge, b->min.y, b->max.y, &f->low[1], &f->high[1], &in->lo.y, &in->hi.y);
    if (f->dims == 3) {
        place_axis(min.z, edge, b->min.z, b->max.z, &f->low[2], &f->high[2], &in->lo.z, &in->hi.z);
    }
    for (int axis = 0; axis < f->dims; axis++) {
        f->is_outside |= f->low[axis] >= edge || f->high[axis] < 0 || f->low[axis] > f->high[axis];
    }
}

static bool clip_axis(int64_t from, int64_t to, int64_t min, uint32_t *lo, uint32_t *hi)
{
    const int64_t first = from - min, last = to - 1 - min;
    if (first > *hi || last < *lo || first > last) {
        return false;
    }
    *lo = first > *lo ? (uint32_t)first : *lo;
    *hi = last < *hi ? (uint32_t)last : *hi;
    return true;
}

bool oct_front_clip(const oct_frontier *f, const oct_box *box, int32_t grown, span *out)
{
    *out = f->inside;
    const int64_t g = grown;
    return !f->is_outside && !box_is_empty(f->dims, box) &&
           clip_axis(box->min.x - g, box->max.x + g, f->root_min.x, &out->lo.x, &out->hi.x) &&
           clip_axis(box->min.y - g, box->max.y + g, f->root_min.y, &out->lo.y, &out->hi.y) &&
           (f->dims == 2 ||
            clip_axis(box->min.z - g, box->max.z + g, f->root_min.z, &out->lo.z, &out->hi.z));
}

oct_box oct_front_unclip(const oct_frontier *f, const span *cells)
{
    const oct_vec min = front_cell(f, cells->lo), last = front_cell(f, cells->hi);
    return (oct_box){min, {last.x + 1, last.y + 1, last.z + 1}};
}

bool oct_front_layer(int dims, int level, rel at, uint32_t face, const span *within, span *out)
{
    *out = span_of(dims, at, level);
    const uint32_t axis = face >> 1;
    uint32_t *lo = axis == 0 ? &out->lo.x : axis == 1 ? &out->lo.y : &out->lo.z;
    uint32_t *hi = axis == 0 ? &out->hi.x : axis == 1 ? &out->hi.y : &out->hi.z;
    *(face & 1u ? lo : hi) = face & 1u ? *hi : *lo;
    if (!spans_meet(out, within)) {
        return false;
    }
    *out = span_common(out, within);
    return true;
}

// ---- counting ----

// The cells along an axis within the bounds, and those of them that are in no layer. Layers are
// within the bounds: what is across them is.
static void count_axis(uint32_t from, uint32_t to, uint32_t faces, uint64_t *all, uint64_t *core)
{
    const uint64_t length = (uint64_t)to - from + 1u;
    *all *= length;
    *core *= length - (faces & 1u) - (faces >> 1 & 1u);
}

uint64_t oct_front_slab_count(const oct_frontier *f, uint32_t faces, int level, rel at)
{
    const span whole = span_of(f->dims, at, level), s = span_common(&whole, &f->inside);
    // Both may pass 64 bits; their difference does not.
    uint64_t all = 1, core = 1;
    count_axis(s.lo.x, s.hi.x, faces, &all, &core);
    count_axis(s.lo.y, s.hi.y, faces >> 2, &all, &core);
    if (f->dims == 3) {
        count_axis(s.lo.z, s.hi.z, faces >> 4, &all, &core);
    }
    return all - core;
}

static uint64_t layer_cells(int dims, uint32_t faces)
{
    uint64_t cells = 0;
    for (uint32_t face = 0; face < 2u * (uint32_t)dims; face++) {
        cells |= faces >> face & 1u ? face_cells(dims, face) : 0u;
    }
    return cells;
}

uint64_t oct_front_cells(const oct_frontier *f, uint32_t word, rel at)
{
    if (front_kind(word) == FRONT_BRICK) {
        return front_brick_at(f, front_value(word))->cells;
    }
    return front_kind(word) == FRONT_SLAB
               ? layer_cells(f->dims, front_value(word)) & span_mask(f->dims, &f->inside, at)
               : 0u;
}

// ---- nodes ----

void oct_front_drop(oct_frontier *f, uint32_t *word, int level, rel at)
{
    const uint32_t value = front_value(*word);
    switch (front_kind(*word)) {
    case FRONT_SLAB:
        f->count -= oct_front_slab_count(f, value, level, at);
        break;
    case FRONT_BRICK:
        f->count -= oct_bit_count(front_brick_at(f, value)->cells);
        f->skips_lost |= front_brick_at(f, value)->skipped != 0;
        give_brick(f, value);
        break;
    case FRONT_INNER:
        for (uint32_t i = 0; i < 1u << f->dims; i++) {
            uint32_t *child = &front_block(f, f->dims, value)[i];
            if (*child) {
                oct_front_drop(f, child, level - 1, child_position(f->dims, at, level, i));
            }
        }
        give_block(f, value);
        break;
    default:
        break;
    }
    *word = FRONT_NONE;
}

void oct_front_put_slab(oct_frontier *f, uint32_t *word, int level, rel at, uint32_t faces)
{
    if (*word != front_slab(faces)) {
        oct_front_drop(f, word, level, at);
        *word = front_slab(faces);
        f->count += faces ? oct_front_slab_count(f, faces, level, at) : 0u;
    }
}

// The faces whose layers, as far as they are within the bounds, are these cells; 0 where there are
// no such faces.
static uint32_t cells_as_faces(const oct_frontier *f, rel at, uint64_t cells)
{
    const uint64_t inside = span_mask(f->dims, &f->inside, at);
    uint32_t faces = 0;
    uint64_t covered = 0;
    for (uint32_t face = 0; face < 2u * (uint32_t)f->dims; face++) {
        const uint64_t layer = face_cells(f->dims, face) & inside;
        if (layer && (layer & ~cells) == 0) {
            faces |= 1u << face;
            covered |= layer;
        }
    }
    return covered == cells ? faces : 0u;
}

oct_result oct_front_put_cells(oct_frontier *f, uint32_t *word, rel at, uint64_t cells, bool open)
{
    const int level = brick_level(f->dims);
    const uint32_t faces = open && cells ? cells_as_faces(f, at, cells) : 0u;
    if (faces || !cells) {
        oct_front_put_slab(f, word, level, at, faces);
        return OCT_OK;
    }
    if (front_kind(*word) != FRONT_BRICK) {
        const uint32_t index = take_brick(f);
        if (!index) {
            return OCT_ERROR_MEMORY;
        }
        oct_front_drop(f, word, level, at);
        *front_brick_at(f, index) = (front_brick){.cells = 0};
        *word = front_word(FRONT_BRICK, index);
    }
    front_brick *b = front_brick_at(f, front_value(*word));
    f->skips_lost |= b->skipped != 0;
    f->count = f->count + oct_bit_count(cells) - oct_bit_count(b->cells);
    *b = (front_brick){.cells = cells};
    return OCT_OK;
}

oct_result oct_front_open(oct_frontier *f, uint32_t *word, int level, rel at)
{
    if (front_kind(*word) == FRONT_INNER) {
        return OCT_OK;
    }
    const uint32_t index = take_block(f);
    if (!index) {
        return OCT_ERROR_MEMORY;
    }
    if (front_kind(*word) == FRONT_SLAB) {
        uint32_t *children = front_block(f, f->dims, index);
        for (uint32_t i = 0; i < 1u << f->dims; i++) {
            const rel below = child_position(f->dims, at, level, i);
            const bool inside = front_is_inside(f, level - 1, below);
            children[i] = front_slab(inside ? front_value(*word) & child_faces(f->dims, i) : 0u);
        }
    }
    *word = front_word(FRONT_INNER, index);
    return OCT_OK;
}

// Whether children are the parts of layers of their parent.
static bool are_layers(const oct_frontier *f, const uint32_t *children, int level, rel at,
                       uint32_t faces)
{
    for (uint32_t i = 0; i < 1u << f->dims; i++) {
        if (children[i] != front_slab(faces & child_faces(f->dims, i)) &&
            front_is_inside(f, level - 1, child_position(f->dims, at, level, i))) {
            return false;
        }
    }
    return true;
}

bool oct_front_close(oct_frontier *f, uint32_t *word, int level, rel at, uint32_t *faces)
{
    const uint32_t index = front_value(*word);
    const uint32_t *children = front_block(f, f->dims, index);
    uint32_t kinds = 0;
    *faces = 0;
    for (uint32_t i = 0; i < 1u << f->dims; i++) {
        kinds |= 1u << front_kind(children[i]);
        *faces |= front_kind(children[i]) == FRONT_SLAB ? front_value(children[i]) : 0u;
    }
    if (kinds == 1u << FRONT_NONE) {
        give_block(f, index);
        *word = FRONT_NONE;
        return false;
    }
    return !(kinds >> FRONT_BRICK) && are_layers(f, children, level, at, *faces);
}

void oct_front_merge(oct_frontier *f, uint32_t *word, uint32_t faces)
{
    give_block(f, front_value(*word));
    *word = front_slab(faces);
}

// ---- the root ----

// Which half of the root, on one axis, holds all that it shares with other cells; -1 for both.
static int half_of(int64_t min, int64_t half, int64_t from, int64_t to)
{
    return to <= min + half ? 0 : from >= min + half ? 1 : -1;
}

static bool is_within(corner a, int level_a, corner b, int level_b)
{
    const int64_t room = (INT64_C(1) << level_b) - (INT64_C(1) << level_a);
    return a.x >= b.x && a.x - b.x <= room && a.y >= b.y && a.y - b.y <= room && a.z >= b.z &&
           a.z - b.z <= room;
}

// Makes one child of the root, which has to be one, the root. LOST where that cannot be.
static oct_result lower_root(oct_frontier *f, int level, corner min)
{
    const int64_t edge = INT64_C(1) << level, half = (INT64_C(1) << f->root_level) / 2;
    const corner at = f->root_min;
    const int x = half_of(at.x, half, min.x, min.x + edge);
    const int y = half_of(at.y, half, min.y, min.y + edge);
    const int z = f->dims == 3 ? half_of(at.z, half, min.z, min.z + edge) : 0;
    if (x < 0 || y < 0 || z < 0 || f->root_level == brick_level(f->dims)) {
        return OCT_ERROR_LOST;
    }
    OCT_TRY(oct_front_open(f, &f->root, f->root_level, (rel){0, 0, 0}));
    const uint32_t index = front_value(f->root), only = (uint32_t)(x | y << 1 | z << 2);
    uint32_t *slot = &front_block(f, f->dims, index)[only];
    const uint32_t child = *slot;
    *slot = FRONT_NONE;
    oct_front_drop(f, &f->root, f->root_level, (rel){0, 0, 0});
    f->root = child;
    oct_front_place(f, f->root_level - 1,
                    (corner){at.x + (x ? half : 0), at.y + (y ? half : 0), at.z + (z ? half : 0)});
    return OCT_OK;
}

// Makes the root a child of a new one.
static oct_result raise_root(oct_frontier *f, uint32_t child)
{
    if (f->root) {
        uint32_t word = FRONT_NONE;
        OCT_TRY(oct_front_open(f, &word, f->root_level + 1, (rel){0, 0, 0}));
        front_block(f, f->dims, front_value(word))[child] = f->root;
        f->root = word;
    }
    const int64_t edge = INT64_C(1) << f->root_level;
    const corner at = f->root_min;
    oct_front_place(f, f->root_level + 1,
                    (corner){at.x - (child & 1u ? edge : 0), at.y - (child & 2u ? edge : 0),
                             at.z - (child & 4u ? edge : 0)});
    return OCT_OK;
}

oct_result oct_front_fit(oct_frontier *f, int level, corner min)
{
    while (f->root && !is_within(f->root_min, f->root_level, min, level)) {
        OCT_TRY(lower_root(f, level, min));
    }
    if (!f->root) {
        oct_front_place(f, level, min);
        return OCT_OK;
    }
    const int64_t x = f->root_min.x - min.x, y = f->root_min.y - min.y, z = f->root_min.z - min.z;
    if ((x | y | z) & ((INT64_C(1) << f->root_level) - 1)) {
        return OCT_ERROR_LOST;
    }
    while (f->root_level < level) {
        const int bit = f->root_level;
        OCT_TRY(raise_root(f, (uint32_t)((x >> bit & 1) | (y >> bit & 1) << 1 |
                                         (f->dims == 3 ? (z >> bit & 1) << 2 : 0))));
    }
    return OCT_OK;
}
