// SPDX-License-Identifier: MIT
// Entities that are kept: the client's, which changes are told of, and the server's copy of what it
// has told. Each owns what it points to.
#ifndef OCTANT_LINK_ENTITY_H
#define OCTANT_LINK_ENTITY_H

#include "link/link_ids.h"
#include "link/link_shape.h"

// What can be told of an entity, beside its id. SOLID stands for its label too.
typedef enum link_field {
    LINK_NAME,
    LINK_TYPE,
    LINK_KIND,
    LINK_SHAPE,
    LINK_SOLID,
    LINK_OPAQUE,
    LINK_OPENING,
    LINK_GAP,
    LINK_MEETS,
    LINK_USES,
    LINK_HARM,
    LINK_FORWARD,
    LINK_UP,
    LINK_VELOCITY,
    LINK_STOPS,
    LINK_PROPS,
    LINK_WHOLE,
    LINK_TAG,
    LINK_SCENERY,
    LINK_FIELDS
} link_field;

#define LINK_ALL_FIELDS ((UINT32_C(1) << LINK_FIELDS) - 1u)

typedef struct link_owned {
    void *memory;
    size_t size;
} link_owned;

typedef struct link_entity {
    oct_entity e;   // first; all it points to is in `owned`
    bool solid;     // as told; the label follows from it, unless that is told
    int8_t label;   // as told; -1 = not told
    bool opaque;    // as told: a leaf that has left its box hides nothing
    uint64_t stamp; // of the answer that told it last
    link_owned owned[LINK_FIELDS];
} link_entity;

// What an entity is of which nothing was told.
oct_entity oct_link_entity_default(const oct_game_info *info);

// The label that a thing has, as told.
uint8_t oct_link_label(const link_entity *entity);
// Whether it hides what is behind it.
bool oct_link_is_opaque(const link_entity *entity);

// Whether it is `solid`, and the label that has to be told beside that, or -1.
void oct_link_solid(const oct_entity *e, bool *solid, int8_t *label);

// Which fields of two differ, to the bit.
uint32_t oct_link_entity_differs(const oct_entity *a, const oct_entity *b);

// Takes copies of some fields. On failure some have been taken.
oct_result oct_link_entity_take(link_entity *entity, const oct_allocator *allocator,
                                uint32_t fields, const oct_entity *from);
void oct_link_entity_free(link_entity *entity, const oct_allocator *allocator);

// Reads the fields that are told, into *out; what it points to is the reader's. *fields gets which.
// Missing ones have their default in *out.
oct_result oct_link_entity_read(link_reader *in, const oct_game_info *info, link_ids *ids,
                                const oct_allocator *allocator, const json_t *object,
                                link_entity *out, uint32_t *fields);

// Writes some fields into an object that is open. `before`: as it was told last, of which they are
// the difference; NULL = not yet, and defaults are left out.
oct_result oct_link_entity_write(link_writer *w, const oct_game_info *info, link_ids *ids,
                                 const oct_allocator *allocator, const oct_entity *e,
                                 uint32_t fields, const oct_entity *before);

#endif
