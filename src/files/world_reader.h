// SPDX-License-Identifier: MIT
// What the readers of worlds share: a JSON document whose lists are read item by item, and refusals
// that say where.
//
// A tree of everything in a large world would take ten times the file's bytes. So only the frame,
// one object of named members, is read by our own code; lists are passed over at first and then
// handed out one item at a time. Each value and each item is jansson's, and of limited size. Items
// may need members that stand behind them: what JSON objects hold has no order.
#ifndef OCTANT_WORLD_READER_H
#define OCTANT_WORLD_READER_H

#include "files/files_internal.h"
#include "files/world_findings.h"

#include <jansson.h>

#define WORLD_MEMBERS_MAX 64
// Cells that fills name and blocks cover, in all, where there are fills.
#define OCT_WORLD_FILLED_MAX (UINT32_C(1) << 22)

typedef struct world_member {
    json_t *key;
    json_t *value;    // NULL for a list that was not asked for as a value
    size_t key_start; // in the data
    size_t start;     // of the value
    size_t end;       // behind it
} world_member;

typedef struct world_reader {
    const char *data;
    size_t size;
    size_t at;        // the next byte to read
    size_t item;      // what refusals point to
    char subject[96]; // and what they say it is: "block 12 (id 17)"; empty for the world itself
    world_member members[WORLD_MEMBERS_MAX];
    size_t member_count;
    oct_allocator allocator;
    oct_array grids; // of uint64_t, the ids; of Space Engineers
    void *ctx;       // what the reader of a list keeps from item to item
    oct_world *world;
    oct_error *error;
    world_findings *findings; // NULL = nobody wants to know more than the world
} world_reader;

// Fills the error with the line and column of the item, and "subject: message"; the value is
// OCT_ERROR_FORMAT.
OCT_FORMAT(2, 3)
oct_result oct_world_refuse(const world_reader *in, const char *format, ...);

// Hands on a result, but lets reading go on where a refusal may be told instead of ending it.
oct_result oct_world_forgive(world_reader *in, oct_result result);

// ---- members ----

// A member's value, or NULL where there is no such member. Refusals point to it from now on.
oct_result oct_world_value(world_reader *in, const char *key, json_t **out);

// Called for each item of a list; refusals point to it, and call it by a word and its index from 0.
// It may add to the subject.
typedef oct_result world_item_fn(world_reader *in, size_t index, json_t *item);

// Reads a list, which must be there.
oct_result oct_world_each(world_reader *in, const char *key, const char *word, world_item_fn *read);
// The same for one that need not be.
oct_result oct_world_each_of(world_reader *in, const char *key, const char *word,
                             world_item_fn *read);

// Reads a document that is a list and nothing else.
oct_result oct_world_items(world_reader *in, const char *word, world_item_fn *read);

// ---- values ----

// Each refuses a value of another type; `name` is what the refusal calls it. A NULL value is one
// that is missing.
oct_result oct_world_object(const world_reader *in, const json_t *value, const char *name);
oct_result oct_world_text(const world_reader *in, const json_t *value, const char *name,
                          const char **out);
// A name that a world takes.
oct_result oct_world_short_text(const world_reader *in, const json_t *value, const char *name,
                                const char **out);
oct_result oct_world_bool(const world_reader *in, const json_t *value, const char *name, bool *out);
oct_result oct_world_numbers(const world_reader *in, const json_t *value, const char *name,
                             size_t count, double *out);

oct_result oct_world_real(const world_reader *in, const json_t *value, const char *name,
                          double *out);
// A whole number, not negative; `below` is at most OCT_WORLD_WHOLE_BELOW.
#define OCT_WORLD_WHOLE_BELOW (UINT64_C(1) << 32)
oct_result oct_world_whole(const world_reader *in, const json_t *value, const char *name,
                           uint64_t below, uint32_t *out);
// Three whole numbers from `least` up to `most`.
oct_result oct_world_cells(const world_reader *in, const json_t *value, const char *name,
                           int32_t least, int32_t most, oct_vec *out);
// One of some words; *out is its index.
oct_result oct_world_word(const world_reader *in, const json_t *value, const char *name,
                          const char *const *words, size_t count, size_t *out);

// An object of position, forward and up. Directions that are missing are left as they are where
// `may_lack` says so.
oct_result oct_world_pose(const world_reader *in, const json_t *value, bool may_lack,
                          oct_pose *pose);

// Reads decimal digits, without leading zeros, up to 2^64 - 1.
bool oct_world_parse_id(const char *digits, uint64_t *id);

// ---- what worlds hold ----

// Each adds to the world and refuses what it does not take, with the reason.
oct_result oct_world_take(world_reader *in, const oct_world_block *block);
oct_result oct_world_take_type(world_reader *in, const oct_world_type *type, uint32_t *index);
oct_result oct_world_take_grid(world_reader *in, const oct_world_grid *grid);
oct_result oct_world_take_start(world_reader *in, const oct_pose *start);
oct_result oct_world_take_wire(world_reader *in, const oct_world_wire *wire);
oct_result oct_world_take_member(world_reader *in, const oct_world_member *member);

// ---- formats ----

typedef struct world_format {
    const char *name;
    oct_result (*read)(world_reader *in); // into in->world, which is empty
} world_format;

extern const world_format oct_world_octant, oct_world_engineers;

#endif
