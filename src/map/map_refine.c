// SPDX-License-Identifier: MIT
#include "map/map_refine.h"

#include "map/map.h"
#include "octant/tree.h"

// What is observed of a tree with things on it: see edit_layers.c.
typedef struct copying {
    const oct_tree *from;
    oct_map *to;
} copying;

static oct_result mark(const copying *c, rel at, uint32_t edge)
{
    const oct_tree *const t = c->from;
    const oct_vec min = {2 * (int32_t)(at.x + (uint32_t)t->root_min.x),
                         2 * (int32_t)(at.y + (uint32_t)t->root_min.y),
                         2 * (int32_t)(at.z + (uint32_t)t->root_min.z)};
    const int32_t by = 2 * (int32_t)edge;
    return oct_map_set_box(c->to, (oct_box){min, {min.x + by, min.y + by, min.z + by}},
                           OCT_MARK_KNOWN);
}

static brick brick_at(const oct_tree *t, uint32_t word)
{
    const uint32_t state = word_index(word);
    return word_kind(word) == KIND_BRICK ? *tree_brick(t, word_index(word))
                                         : (brick){state & STATE_KNOWN ? UINT64_MAX : 0u,
                                                   state & STATE_BLOCKED ? UINT64_MAX : 0u};
}

static oct_result copy_bricks(const copying *c, uint32_t top, uint32_t under, rel at)
{
    const brick upper = brick_at(c->from, top), lower = brick_at(c->from, under);
    uint64_t known = upper.known | (lower.known & ~lower.blocked);
    if (known == UINT64_MAX) {
        return mark(c, at, 1u << BRICK_LEVEL_3D);
    }
    for (; known != 0; known &= known - 1u) {
        const uint32_t cell = morton_cell(3, oct_lowest_bit(known));
        const rel own = {at.x + (cell & 0xffu), at.y + (cell >> 8 & 0xffu), at.z + (cell >> 16)};
        OCT_TRY(mark(c, own, 1));
    }
    return OCT_OK;
}

static oct_result copy_node(const copying *c, uint32_t top, uint32_t under, int level, rel at)
{
    if (level == BRICK_LEVEL_3D) {
        return copy_bricks(c, top, under, at);
    }
    if (word_kind(top) == KIND_LEAF && word_kind(under) == KIND_LEAF) {
        const brick upper = brick_at(c->from, top), lower = brick_at(c->from, under);
        return upper.known | (lower.known & ~lower.blocked) ? mark(c, at, 1u << level) : OCT_OK;
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t one =
            word_kind(top) == KIND_INNER ? tree_siblings(c->from, 3, word_index(top))[i] : top;
        const uint32_t other = word_kind(under) == KIND_INNER
                                   ? tree_siblings(c->from, 3, word_index(under))[i]
                                   : under;
        OCT_TRY(copy_node(c, one, other, level - 1, child_position(3, at, level, i)));
    }
    return OCT_OK;
}

// ---- things ----

typedef struct shaping {
    oct_map *to;
    map_shape_of shape_of;
    void *ctx;
} shaping;

static bool copy_thing(void *ctx, const oct_thing *added)
{
    shaping *const s = ctx;
    oct_thing copy = *added;
    copy.shape = s->shape_of && !copy.shape ? s->shape_of(s->ctx, copy.id) : copy.shape;
    const oct_result result = oct_map_add(s->to, &copy);
    if (result != OCT_OK) {
        oct_map_destroy(s->to);
        s->to = NULL;
    }
    return result == OCT_OK;
}

static oct_result make(const oct_map *map, oct_map **out)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = map->lattice.cell_size / 2.0;
    def.origin = map->lattice.origin;
    def.padding = map->lattice.padding;
    def.is_ball = map->lattice.is_ball;
    def.journal = map->tree->journal.size;
    def.allocator = &map->allocator;
    OCT_TRY(oct_map_create(&def, out));
    // Who compares revisions sees that it is another one.
    (*out)->tree->journal.revision = map->tree->journal.revision;
    const copying c = {map->tree, *out};
    return copy_node(&c, map->tree->root, map->tree->under, map->tree->root_level, (rel){0, 0, 0});
}

oct_result oct_map_refine(oct_map *map, map_shape_of shape_of, void *ctx)
{
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    oct_map *finer;
    if (map->lattice.dims != 3 || map->statics || map_step(map) != 1) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_result result = make(map, &finer);
    if (result != OCT_OK) {
        oct_map_destroy(finer);
        return result;
    }
    shaping s = {finer, shape_of, ctx};
    if (!oct_map_things_in(map, all, copy_thing, &s)) {
        return OCT_ERROR_MEMORY;
    }
    oct_map old = *map;
    *map = *finer;
    map->executor = old.executor;
    map->sighted = old.sighted;
    map->lattice.looks = 2;
    map->things.lattice.looks = 2;
    old.sighted = NULL;
    *finer = old;
    oct_map_destroy(finer);
    return OCT_OK;
}
