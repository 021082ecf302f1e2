// SPDX-License-Identifier: MIT
// Reading lines of JSON that nobody vouches for: limits before anything is parsed, then fields one
// by one, each with a check and a sentence for who wrote them.
//
// `null` counts as missing everywhere. Missing fields leave *out as it is: it holds the default.
// Every number is a finite double.
#ifndef OCTANT_LINK_READ_H
#define OCTANT_LINK_READ_H

#include "link/link_line.h"
#include "octant/game.h"

#include <jansson.h>

// Brackets in a line, which cost jansson most.
#define LINK_BRACKETS_MAX ((size_t)1 << 20)
// Bytes of a name, and of other texts; what is longer is cut.
#define LINK_NAME_MAX 1023
#define LINK_TEXT_MAX 65535
// Ids and counts lie below.
#define LINK_WHOLE_END (UINT64_C(1) << 53)
// No coordinate or size is further from 0.
#define LINK_FAR 1e15

typedef struct link_reader {
    oct_arena *arena;  // where texts and lists go
    char subject[160]; // what is being read: "entity 5"; "" = the line
    char why[400];     // what is wrong with it
} link_reader;

// Whether a line keeps to the limits that parsing it needs.
bool oct_link_is_shallow(const char *line, size_t size, uint32_t depth_max);

// The object of a line; NULL, and why, where there is none.
json_t *oct_link_parse(const char *line, size_t size, char *why, size_t why_size);

// Says what is wrong; the value is OCT_ERROR_FORMAT.
OCT_FORMAT(2, 3) oct_result oct_link_refuse(link_reader *in, const char *format, ...);
// What is read from now on.
OCT_FORMAT(2, 3) void oct_link_subject(link_reader *in, const char *format, ...);

// A field; NULL where it is missing.
json_t *oct_link_field(const json_t *object, const char *name);

// Memory from the arena, or NULL: never for 0 items.
void *oct_link_items(link_reader *in, size_t count, size_t size, size_t align);
// A copy of a text, cut between characters.
oct_result oct_link_copy(link_reader *in, const char *text, size_t most, const char **out);

bool oct_link_is_whole(const json_t *value, uint64_t *out);

oct_result oct_link_get_number(link_reader *in, const json_t *object, const char *name, double low,
                               double high, double *out);
oct_result oct_link_get_whole(link_reader *in, const json_t *object, const char *name,
                              uint64_t most, uint64_t *out);
oct_result oct_link_get_bool(link_reader *in, const json_t *object, const char *name, bool *out);
oct_result oct_link_get_text(link_reader *in, const json_t *object, const char *name, size_t most,
                             const char **out);
// One of words; any other word leaves *out as it is.
oct_result oct_link_get_word(link_reader *in, const json_t *object, const char *name,
                             const char *const *words, size_t count, uint32_t *out);
// A list of exactly so many numbers; *found (may be NULL) tells whether it is there.
oct_result oct_link_get_numbers(link_reader *in, const json_t *object, const char *name,
                                size_t count, double *out, bool *found);
oct_result oct_link_get_point(link_reader *in, const json_t *object, const char *name,
                              oct_point *out, bool *found);
oct_result oct_link_get_box(link_reader *in, const json_t *object, const char *name,
                            oct_bounds *out, bool *found);
// A list of objects or of anything; NULL where it is missing.
oct_result oct_link_get_list(link_reader *in, const json_t *object, const char *name,
                             const json_t **out);
// A list of texts; what is no text is passed over.
oct_result oct_link_get_texts(link_reader *in, const json_t *object, const char *name,
                              const char *const **out, size_t *count);
// Numbers, texts and booleans by name; what is neither is passed over.
oct_result oct_link_get_props(link_reader *in, const json_t *object, const char *name,
                              const oct_property **out, size_t *count);

// Makes unit vectors at right angles to each other of what is nearly so, and refuses what is not.
// What is exact is left as it is, to the bit.
oct_result oct_link_make_unit(link_reader *in, const char *name, oct_point *vector);
oct_result oct_link_make_frame(link_reader *in, oct_point *forward, oct_point *up);
// A direction that stands at right angles to another.
oct_point oct_link_across(oct_point up);

#endif
