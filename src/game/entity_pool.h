// SPDX-License-Identifier: MIT
// Entities that outlive what a game told: everything that they point to is kept, each text, shape
// and list of properties once. Nothing is given back before the end.
#ifndef OCTANT_ENTITY_POOL_H
#define OCTANT_ENTITY_POOL_H

#include "base/base_internal.h"
#include "base/key_table.h"
#include "octant/game_data.h"

typedef struct entity_pool {
    oct_arena arena;
    key_table table; // hashes of contents
    oct_array kept;  // of pool_item: what the table's values are
    oct_array list;  // scratch: a list whose parts are kept already
} entity_pool;

void oct_pool_init(entity_pool *pool, const oct_allocator *allocator);
void oct_pool_free(entity_pool *pool, const oct_allocator *allocator);

// A copy of a text; "" for an empty one.
oct_result oct_pool_text(entity_pool *pool, const oct_allocator *allocator, const char *text,
                         const char **out);
// Texts of properties, in a copy that the caller has made of them.
oct_result oct_pool_props(entity_pool *pool, const oct_allocator *allocator, oct_property *props,
                          size_t count);
// The entity itself is copied too; it may be its own copy.
oct_result oct_pool_entity(entity_pool *pool, const oct_allocator *allocator,
                           const oct_entity *entity, oct_entity *out);
// The same for the body of a player.
oct_result oct_pool_body(entity_pool *pool, const oct_allocator *allocator,
                         const oct_player_body *body, oct_player_body *out);

// Whether two entities are the same in all but where they are, which way they face and how they
// move: name, type, kind, shape, properties, and what can be done to them.
bool oct_entity_is_alike(const oct_entity *a, const oct_entity *b);
bool oct_shape_is_equal(const oct_shape *a, const oct_shape *b);
bool oct_props_are_equal(const oct_property *a, size_t a_count, const oct_property *b,
                         size_t b_count);
// Whether its box is its shape.
bool oct_entity_is_upright(const oct_entity *entity);

#endif
