// SPDX-License-Identifier: MIT
// Scenery: entities by id, found through a grid of buckets. Boxes that touch many buckets are in a
// list of their own, which is looked through every time.
#include "octant/scenery.h"

#include "base/base_internal.h"
#include "game/entity_pool.h"

#include <math.h>
#include <stdlib.h>

#define BUCKET 8.0     // edge of a bucket, metres
#define BUCKETS_MAX 64 // that one box is listed in
#define FAR 1e8        // beyond this nothing is, metres
#define PAGES_MAX (1 << 20)

typedef struct bucket_node {
    uint32_t entity, next; // next: index + 1; 0 = the last
} bucket_node;

struct oct_scenery {
    oct_allocator allocator;
    entity_pool pool;
    oct_array entities; // of oct_entity, by id
    key_table buckets;  // first nodes
    oct_array nodes;    // of bucket_node
    oct_array large;    // of uint32_t
    oct_array marks;    // of uint32_t, by entity: the last question that met it
    uint32_t question;
    oct_array near;  // of uint32_t
    oct_array found; // of oct_entity
};

void oct_scenery_destroy(oct_scenery *s)
{
    if (!s) {
        return;
    }
    const oct_allocator own = s->allocator;
    oct_array_free(&s->found, &own, sizeof(oct_entity));
    oct_array_free(&s->near, &own, sizeof(uint32_t));
    oct_array_free(&s->marks, &own, sizeof(uint32_t));
    oct_array_free(&s->large, &own, sizeof(uint32_t));
    oct_array_free(&s->nodes, &own, sizeof(bucket_node));
    oct_key_table_free(&s->buckets, &own);
    oct_array_free(&s->entities, &own, sizeof(oct_entity));
    oct_pool_free(&s->pool, &own);
    oct_free(&own, s, sizeof *s);
}

size_t oct_scenery_count(const oct_scenery *s)
{
    return s->entities.count;
}

// ---- reading ----

static bool is_near_enough(double low, double high)
{
    return low >= -FAR && high <= FAR && low <= high;
}

static bool is_box(const oct_bounds *b)
{
    return is_near_enough(b->min.x, b->max.x) && is_near_enough(b->min.y, b->max.y) &&
           is_near_enough(b->min.z, b->max.z);
}

// The first entity of a part has its id, unless there are several: then all have ids of their own,
// with the highest bit set.
static uint64_t id_of(const oct_scenery_part *part, size_t index)
{
    const uint64_t words[] = {part->id, index};
    return index == 0 ? part->id : oct_hash_bytes(words, sizeof words) | UINT64_C(1) << 63;
}

static oct_result add(oct_scenery *s, const oct_scenery_part *part, const oct_piece *piece,
                      size_t index)
{
    oct_entity e = {.thing = {.id = id_of(part, index), .box = piece->box, .opaque = part->opaque},
                    .shape = {piece, piece->kind == OCT_PIECE_BOX ? 0 : 1},
                    .name = part->name ? part->name : "",
                    .type = "",
                    .kind = OCT_ENTITY_SOLID,
                    .is_scenery = true,
                    .harm = OCT_NOT_TOLD};
    e.thing.label = (uint8_t)oct_entity_label(&e, part->solid);
    if (!is_box(&piece->box) || s->entities.count == OCT_SCENERY_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_pool_entity(&s->pool, &s->allocator, &e, &e));
    return oct_array_push(&s->entities, &s->allocator, sizeof e, &e);
}

static oct_bounds box_of_points(const oct_point *points, const uint32_t corners[3])
{
    oct_bounds box = {points[corners[0]], points[corners[0]]};
    for (int i = 1; i < 3; i++) {
        const oct_point p = points[corners[i]];
        box.min = (oct_point){fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z)};
        box.max = (oct_point){fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z)};
    }
    return box;
}

// Each triangle for itself: one box around all of a mesh would be a wall across the level.
static oct_result add_triangles(oct_scenery *s, const oct_scenery_part *part,
                                const oct_piece *piece, size_t *index)
{
    for (size_t i = 0; i < piece->triangle_count; i++) {
        const uint32_t *const corners = piece->triangles + 3 * i;
        if (corners[0] >= piece->point_count || corners[1] >= piece->point_count ||
            corners[2] >= piece->point_count) {
            return OCT_ERROR_RANGE;
        }
        const oct_point points[] = {piece->points[corners[0]], piece->points[corners[1]],
                                    piece->points[corners[2]]};
        static const uint32_t own[] = {0, 1, 2};
        const oct_piece one = {.kind = OCT_PIECE_TRIANGLES,
                               .box = box_of_points(points, own),
                               .points = points,
                               .point_count = 3,
                               .triangles = own,
                               .triangle_count = 1};
        OCT_TRY(add(s, part, &one, (*index)++));
    }
    return OCT_OK;
}

static oct_result add_part(oct_scenery *s, const oct_scenery_part *part)
{
    size_t index = 0;
    for (size_t i = 0; i < part->shape.count; i++) {
        const oct_piece *const piece = &part->shape.pieces[i];
        OCT_TRY(piece->kind == OCT_PIECE_TRIANGLES ? add_triangles(s, part, piece, &index)
                                                   : add(s, part, piece, index++));
    }
    return OCT_OK;
}

static oct_result read_pages(oct_scenery *s, oct_game *game)
{
    size_t from = 0;
    for (int pages = 0; pages < PAGES_MAX; pages++) {
        oct_scenery_page page;
        OCT_TRY(oct_game_scenery(game, from, &page));
        for (size_t i = 0; i < page.count; i++) {
            OCT_TRY(add_part(s, &page.parts[i]));
        }
        from = page.next;
        if (from == 0) {
            return OCT_OK;
        }
    }
    return OCT_ERROR_RANGE;
}

// ---- order ----

// By id: merges runs from one array to the other.
static oct_result sort_all(oct_scenery *s)
{
    const size_t count = s->entities.count;
    oct_array other = {0};
    OCT_TRY(oct_array_reserve(&other, &s->allocator, sizeof(oct_entity), s->entities.capacity));
    for (size_t run = 1; run < count; run *= 2) {
        const oct_entity *const from = s->entities.items;
        oct_entity *const to = other.items;
        for (size_t low = 0; low < count; low += 2 * run) {
            const size_t middle = low + run < count ? low + run : count;
            const size_t high = middle + run < count ? middle + run : count;
            size_t a = low, b = middle;
            for (size_t i = low; i < high; i++) {
                const bool is_first =
                    a < middle && (b == high || from[a].thing.id <= from[b].thing.id);
                to[i] = is_first ? from[a++] : from[b++];
            }
        }
        other.count = count;
        const oct_array swapped = s->entities;
        s->entities = other;
        other = swapped;
    }
    oct_array_free(&other, &s->allocator, sizeof(oct_entity));
    return OCT_OK;
}

// ---- buckets ----

typedef struct bucket_box {
    int32_t min[3], max[3];
} bucket_box;

static bucket_box buckets_of(const oct_bounds *b)
{
    return (bucket_box){{(int32_t)floor(b->min.x / BUCKET), (int32_t)floor(b->min.y / BUCKET),
                         (int32_t)floor(b->min.z / BUCKET)},
                        {(int32_t)floor(b->max.x / BUCKET), (int32_t)floor(b->max.y / BUCKET),
                         (int32_t)floor(b->max.z / BUCKET)}};
}

static double count_of(const bucket_box *b)
{
    return (b->max[0] - b->min[0] + 1.0) * (b->max[1] - b->min[1] + 1.0) *
           (b->max[2] - b->min[2] + 1.0);
}

static oct_result put_in(oct_scenery *s, lattice_key key, uint32_t entity)
{
    OCT_TRY(oct_key_table_reserve(&s->buckets, &s->allocator, 1));
    key_slot *const slot = key_table_slot(&s->buckets, key);
    const bool is_used = key_slot_is_used(&s->buckets, slot);
    const bucket_node node = {entity, is_used ? slot->value : 0};
    OCT_TRY(oct_array_push(&s->nodes, &s->allocator, sizeof node, &node));
    if (is_used) {
        slot->value = (uint32_t)s->nodes.count;
    } else {
        key_slot_fill(&s->buckets, slot, key, (uint32_t)s->nodes.count);
    }
    return OCT_OK;
}

static oct_result put_all(oct_scenery *s)
{
    const oct_entity *const all = s->entities.items;
    for (uint32_t i = 0; i < s->entities.count; i++) {
        const bucket_box b = buckets_of(&all[i].thing.box);
        if (count_of(&b) > BUCKETS_MAX) {
            OCT_TRY(oct_array_push(&s->large, &s->allocator, sizeof i, &i));
            continue;
        }
        for (int32_t x = b.min[0]; x <= b.max[0]; x++) {
            for (int32_t y = b.min[1]; y <= b.max[1]; y++) {
                for (int32_t z = b.min[2]; z <= b.max[2]; z++) {
                    OCT_TRY(put_in(s, (lattice_key){x, y, z, 0}, i));
                }
            }
        }
    }
    return OCT_OK;
}

static oct_result load(oct_scenery *s, oct_game *game)
{
    OCT_TRY(read_pages(s, game));
    OCT_TRY(sort_all(s));
    const size_t count = s->entities.count;
    OCT_TRY(oct_array_reserve(&s->marks, &s->allocator, sizeof(uint32_t), count));
    OCT_TRY(oct_array_reserve(&s->near, &s->allocator, sizeof(uint32_t), count));
    if (count > 0) {
        memset(s->marks.items, 0, count * sizeof(uint32_t));
    }
    return put_all(s);
}

oct_result oct_scenery_load(oct_game *game, const oct_allocator *may_be_null, oct_scenery **out)
{
    const oct_allocator own = oct_allocator_or_default(may_be_null);
    oct_scenery *const s = oct_alloc(&own, sizeof *s, _Alignof(oct_scenery));
    *out = NULL;
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (oct_scenery){.allocator = own};
    oct_pool_init(&s->pool, &s->allocator);
    const oct_result result = load(s, game);
    if (result != OCT_OK) {
        oct_scenery_destroy(s);
        return result;
    }
    *out = s;
    return OCT_OK;
}

// ---- what is near ----

static double outside(double at, double low, double high)
{
    return at < low ? low - at : at > high ? at - high : 0.0;
}

static void meet(oct_scenery *s, uint32_t index, oct_point at, double distance)
{
    uint32_t *const mark = (uint32_t *)s->marks.items + index;
    const oct_bounds *const b = &((const oct_entity *)s->entities.items)[index].thing.box;
    const double x = outside(at.x, b->min.x, b->max.x), y = outside(at.y, b->min.y, b->max.y),
                 z = outside(at.z, b->min.z, b->max.z);
    if (*mark != s->question && x * x + y * y + z * z <= distance * distance * (1.0 + 0x1p-40)) {
        ((uint32_t *)s->near.items)[s->near.count++] = index;
    }
    *mark = s->question;
}

static int by_index(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return i < k ? -1 : i > k;
}

static void ask(oct_scenery *s, oct_point at, double distance)
{
    const oct_bounds box = {{at.x - distance, at.y - distance, at.z - distance},
                            {at.x + distance, at.y + distance, at.z + distance}};
    const bucket_box b = is_box(&box) ? buckets_of(&box) : (bucket_box){{0}, {0}};
    if (!is_box(&box) || count_of(&b) > (double)s->entities.count) {
        for (uint32_t i = 0; i < s->entities.count; i++) {
            meet(s, i, at, distance);
        }
        return;
    }
    for (size_t i = 0; i < s->large.count; i++) {
        meet(s, ((const uint32_t *)s->large.items)[i], at, distance);
    }
    for (int32_t x = b.min[0]; x <= b.max[0]; x++) {
        for (int32_t y = b.min[1]; y <= b.max[1]; y++) {
            for (int32_t z = b.min[2]; z <= b.max[2]; z++) {
                const key_slot *const slot =
                    s->buckets.count > 0 ? key_table_slot(&s->buckets, (lattice_key){x, y, z, 0})
                                         : NULL;
                const bool is_used = slot && key_slot_is_used(&s->buckets, slot);
                for (uint32_t n = is_used ? slot->value : 0; n > 0;) {
                    const bucket_node node = ((const bucket_node *)s->nodes.items)[n - 1];
                    meet(s, node.entity, at, distance);
                    n = node.next;
                }
            }
        }
    }
}

oct_result oct_scenery_near(oct_scenery *s, oct_point at, double distance, const oct_entity **out,
                            size_t *count)
{
    s->question++;
    s->near.count = 0;
    if (s->entities.count > 0) {
        ask(s, at, distance);
    }
    uint32_t *const near = s->near.items;
    if (s->near.count > 1) {
        qsort(near, s->near.count, sizeof *near, by_index);
    }
    OCT_TRY(oct_array_reserve(&s->found, &s->allocator, sizeof(oct_entity), s->near.count));
    oct_entity *const found = s->found.items;
    for (size_t i = 0; i < s->near.count; i++) {
        found[i] = ((const oct_entity *)s->entities.items)[near[i]];
    }
    *out = found;
    *count = s->near.count;
    return OCT_OK;
}
