// SPDX-License-Identifier: MIT
// Ids on the wire are whole numbers below 2^53, since many programs read numbers as doubles. Games
// of our own have ids of 64 bits: those from 2^52 on get a number from there on, in the order in
// which they are told, and a field more, `id64`, with their digits as a text, until an answer has
// told them.
#ifndef OCTANT_LINK_IDS_H
#define OCTANT_LINK_IDS_H

#include "base/index_table.h"
#include "link/link_read.h"
#include "link/link_write.h"

// Ids below are told as they are.
#define LINK_IDS_LARGE (UINT64_C(1) << 52)

// All zero is an empty table.
typedef struct link_ids {
    oct_array large;   // uint64_t: the ids; the first one is LINK_IDS_LARGE on the wire
    index_table by_id; // their places there
    size_t known;      // of a server: how many of them the other side has been told for certain
} link_ids;

// The number that stands for an id; a new one where it has none yet.
oct_result oct_link_ids_tell(link_ids *ids, const oct_allocator *allocator, uint64_t id,
                             uint64_t *told);
// Writes an id, and the field of digits where it is large and not known yet.
oct_result oct_link_put_id(link_ids *ids, const oct_allocator *allocator, link_writer *w,
                           const char *name, uint64_t id);

// The id for which a number stands.
uint64_t oct_link_ids_real(const link_ids *ids, uint64_t told);
// The number with which the other side told an id.
uint64_t oct_link_ids_told(const link_ids *ids, uint64_t id);
// Reads an id that must (`needed`) or may be there.
oct_result oct_link_get_id(link_ids *ids, const oct_allocator *allocator, link_reader *in,
                           const json_t *object, const char *name, bool needed, uint64_t *id);

void oct_link_ids_clear(link_ids *ids);
void oct_link_ids_free(link_ids *ids, const oct_allocator *allocator);

#endif
