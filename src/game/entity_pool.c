// SPDX-License-Identifier: MIT
#include "game/entity_pool.h"
#include "geom/geom_internal.h"

typedef struct pool_item {
    const void *data;
    size_t size;
} pool_item;

void oct_pool_init(entity_pool *pool, const oct_allocator *allocator)
{
    *pool = (entity_pool){0};
    oct_arena_init(&pool->arena, allocator);
}

void oct_pool_free(entity_pool *pool, const oct_allocator *allocator)
{
    oct_array_free(&pool->list, allocator, 1);
    oct_array_free(&pool->kept, allocator, sizeof(pool_item));
    oct_key_table_free(&pool->table, allocator);
    oct_arena_free(&pool->arena);
}

// Finds what has the same bytes, or keeps them.
static oct_result keep(entity_pool *pool, const oct_allocator *allocator, const void *data,
                       size_t size, const void **out)
{
    *out = NULL;
    if (size == 0) {
        return OCT_OK;
    }
    OCT_TRY(oct_key_table_reserve(&pool->table, allocator, 1));
    const uint64_t hash = oct_hash_bytes(data, size);
    lattice_key key = {(int32_t)(uint32_t)hash, (int32_t)(uint32_t)(hash >> 32), 0, 0};
    key_slot *slot = key_table_slot(&pool->table, key);
    for (; key_slot_is_used(&pool->table, slot); slot = key_table_slot(&pool->table, key)) {
        const pool_item *const item = (const pool_item *)pool->kept.items + slot->value;
        if (item->size == size && memcmp(item->data, data, size) == 0) {
            *out = item->data;
            return OCT_OK;
        }
        key.w++; // another one of the same hash
    }
    if (pool->kept.count == pool->kept.capacity) {
        OCT_TRY(oct_array_grow(&pool->kept, allocator, sizeof(pool_item)));
    }
    void *const copy = oct_arena_alloc(&pool->arena, size, _Alignof(max_align_t));
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(copy, data, size);
    key_slot_fill(&pool->table, slot, key, (uint32_t)pool->kept.count);
    ((pool_item *)pool->kept.items)[pool->kept.count++] = (pool_item){copy, size};
    *out = copy;
    return OCT_OK;
}

// A cleared list of the scratch.
static void *list_of(entity_pool *pool, const oct_allocator *allocator, size_t size)
{
    if (oct_array_reserve(&pool->list, allocator, 1, size) != OCT_OK) {
        return NULL;
    }
    memset(pool->list.items, 0, size);
    return pool->list.items;
}

oct_result oct_pool_text(entity_pool *pool, const oct_allocator *allocator, const char *text,
                         const char **out)
{
    *out = "";
    if (!text || !text[0]) {
        return OCT_OK;
    }
    const void *copy;
    OCT_TRY(keep(pool, allocator, text, strlen(text) + 1, &copy));
    *out = copy;
    return OCT_OK;
}

oct_result oct_pool_props(entity_pool *pool, const oct_allocator *allocator, oct_property *props,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(oct_pool_text(pool, allocator, props[i].name, &props[i].name));
        if (props[i].kind == OCT_VALUE_TEXT) {
            OCT_TRY(oct_pool_text(pool, allocator, props[i].text, &props[i].text));
        } else {
            props[i].text = NULL;
        }
    }
    return OCT_OK;
}

static oct_result keep_texts(entity_pool *pool, const oct_allocator *allocator,
                             const char *const *from, size_t count, const char *const **out)
{
    const void *copy = NULL;
    const char **const list = count > 0 ? list_of(pool, allocator, count * sizeof *list) : NULL;
    if (count > 0 && !list) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(oct_pool_text(pool, allocator, from[i], &list[i]));
    }
    OCT_TRY(keep(pool, allocator, list, count * sizeof *list, &copy));
    *out = copy;
    return OCT_OK;
}

static oct_result keep_props(entity_pool *pool, const oct_allocator *allocator, oct_entity *e)
{
    const size_t size = e->prop_count * sizeof(oct_property);
    const void *copy = NULL;
    if (size > 0) {
        oct_property *const list = list_of(pool, allocator, size);
        if (!list) {
            return OCT_ERROR_MEMORY;
        }
        for (size_t i = 0; i < e->prop_count; i++) {
            // Field by field: padding stays 0.
            list[i].name = e->props[i].name;
            list[i].kind = e->props[i].kind;
            list[i].number = e->props[i].number;
            list[i].text = e->props[i].text;
        }
        OCT_TRY(oct_pool_props(pool, allocator, list, e->prop_count));
        OCT_TRY(keep(pool, allocator, list, size, &copy));
    }
    e->props = copy;
    return OCT_OK;
}

static oct_result keep_piece(entity_pool *pool, const oct_allocator *allocator,
                             const oct_piece *from, oct_piece *to)
{
    const void *copy;
    to->kind = from->kind;
    to->box = from->box;
    to->centre = from->centre;
    to->half = from->half;
    memcpy(to->turn, from->turn, sizeof to->turn);
    OCT_TRY(keep(pool, allocator, from->points, from->point_count * sizeof *from->points, &copy));
    to->points = copy;
    to->point_count = from->point_count;
    OCT_TRY(keep(pool, allocator, from->triangles,
                 from->triangle_count * 3 * sizeof *from->triangles, &copy));
    to->triangles = copy;
    to->triangle_count = from->triangle_count;
    return OCT_OK;
}

static oct_result keep_shape(entity_pool *pool, const oct_allocator *allocator, oct_shape *shape)
{
    const size_t size = shape->count * sizeof(oct_piece);
    const void *copy = NULL;
    if (size > 0) {
        oct_piece *const list = list_of(pool, allocator, size);
        if (!list) {
            return OCT_ERROR_MEMORY;
        }
        for (size_t i = 0; i < shape->count; i++) {
            OCT_TRY(keep_piece(pool, allocator, &shape->pieces[i], &list[i]));
        }
        OCT_TRY(keep(pool, allocator, list, size, &copy));
    }
    shape->pieces = copy;
    return OCT_OK;
}

oct_result oct_pool_entity(entity_pool *pool, const oct_allocator *allocator,
                           const oct_entity *entity, oct_entity *out)
{
    oct_entity e = *entity;
    const void *stops;
    OCT_TRY(oct_pool_text(pool, allocator, e.name, &e.name));
    OCT_TRY(oct_pool_text(pool, allocator, e.type, &e.type));
    OCT_TRY(keep_texts(pool, allocator, e.uses, e.use_count, &e.uses));
    OCT_TRY(keep_props(pool, allocator, &e));
    OCT_TRY(keep_shape(pool, allocator, &e.shape));
    OCT_TRY(keep(pool, allocator, e.stops, e.stop_count * sizeof *e.stops, &stops));
    e.stops = stops;
    *out = e;
    return OCT_OK;
}

oct_result oct_pool_body(entity_pool *pool, const oct_allocator *allocator,
                         const oct_player_body *body, oct_player_body *out)
{
    oct_player_body own = *body;
    OCT_TRY(keep_texts(pool, allocator, body->verbs, body->verb_count, &own.verbs));
    *out = own;
    return OCT_OK;
}

// ---- comparing ----

static bool is_same_text(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

static bool is_same_memory(const void *a, const void *b, size_t size)
{
    return size == 0 || a == b || memcmp(a, b, size) == 0;
}

static bool is_same_piece(const oct_piece *a, const oct_piece *b)
{
    return a->kind == b->kind && is_same_bounds(&a->box, &b->box) &&
           is_same_point(a->centre, b->centre) && is_same_point(a->half, b->half) &&
           a->turn[0] == b->turn[0] && a->turn[1] == b->turn[1] && a->turn[2] == b->turn[2] &&
           a->turn[3] == b->turn[3] && a->point_count == b->point_count &&
           a->triangle_count == b->triangle_count &&
           is_same_memory(a->points, b->points, a->point_count * sizeof *a->points) &&
           is_same_memory(a->triangles, b->triangles, a->triangle_count * 3 * sizeof *a->triangles);
}

bool oct_shape_is_equal(const oct_shape *a, const oct_shape *b)
{
    bool is = a->count == b->count;
    for (size_t i = 0; is && a->pieces != b->pieces && i < a->count; i++) {
        is = is_same_piece(&a->pieces[i], &b->pieces[i]);
    }
    return is;
}

bool oct_props_are_equal(const oct_property *a, size_t a_count, const oct_property *b,
                         size_t b_count)
{
    bool are = a_count == b_count;
    for (size_t i = 0; are && a != b && i < a_count; i++) {
        are = oct_property_is_equal(&a[i], &b[i]);
    }
    return are;
}

static bool are_same_uses(const oct_entity *a, const oct_entity *b)
{
    bool are = a->use_count == b->use_count;
    for (uint32_t i = 0; are && a->uses != b->uses && i < a->use_count; i++) {
        are = is_same_text(a->uses[i], b->uses[i]);
    }
    return are;
}

bool oct_entity_is_alike(const oct_entity *a, const oct_entity *b)
{
    return a->kind == b->kind && a->whole == b->whole && a->has_gap == b->has_gap &&
           (!a->has_gap || is_same_bounds(&a->gap, &b->gap)) && a->meets == b->meets &&
           a->harm == b->harm && a->stop_count == b->stop_count && a->is_scenery == b->is_scenery &&
           is_same_text(a->name, b->name) && is_same_text(a->type, b->type) &&
           are_same_uses(a, b) &&
           is_same_memory(a->stops, b->stops, a->stop_count * sizeof *a->stops) &&
           oct_shape_is_equal(&a->shape, &b->shape) &&
           oct_props_are_equal(a->props, a->prop_count, b->props, b->prop_count);
}

bool oct_entity_is_upright(const oct_entity *e)
{
    return e->shape.count == 0 || (e->shape.count == 1 && e->shape.pieces[0].kind == OCT_PIECE_BOX);
}
