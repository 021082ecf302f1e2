// SPDX-License-Identifier: MIT
// XML that nobody vouches for, read piece by piece with expat. There is never a tree: a table says
// which elements are of interest and what to do with them, all others are passed over.
//
// Expat's memory is bounded by what it is fed: depth, the bytes of one tag, and the number of
// different names (it remembers each) have limits. A document type declaration, and with it every
// entity, is refused at its beginning.
#ifndef OCTANT_XML_READER_H
#define OCTANT_XML_READER_H

#include "files/files_internal.h"

#include <expat.h>

#define XML_DEPTH_MAX 64
#define XML_NAMES_MAX 4096
#define XML_TAG_MAX (64 * 1024)         // bytes, or what one piece more lets pass
#define XML_LEAF_MAX 1023               // bytes of a text that is read
#define XML_TEXT_MAX (16 * 1024 * 1024) // bytes of a text that is passed over

typedef struct xml_reader xml_reader;

// Called at an element's beginning and end. False passes over what is in the element, and then its
// end is not told. Refusals are remembered by the reader.
typedef bool xml_open_fn(void *ctx, xml_reader *in);
typedef void xml_close_fn(void *ctx, xml_reader *in);

// What to do with an element. Places are the caller's numbers from 1; the root stands in 0.
typedef struct xml_rule {
    uint8_t in;          // the place that it stands in
    uint8_t place;       // that its children stand in; 0: none, it has a text
    const char *name;    // NULL ends the table
    const char *type;    // what its xsi:type must be; NULL = anything
    xml_open_fn *open;   // may be NULL
    xml_close_fn *close; // may be NULL
} xml_rule;

typedef struct xml_place {
    uint64_t offset;
    uint32_t line, column;
} xml_place;

// The rules are borrowed, and `memory` too (NULL = malloc). NULL where memory is short.
xml_reader *oct_xml_create(const xml_rule *rules, void *ctx, const oct_allocator *allocator,
                           const XML_Memory_Handling_Suite *memory);
void oct_xml_destroy(xml_reader *in);

// Reads on. The last call must say so; its piece may be empty. After a failure every call fails.
oct_result oct_xml_feed(xml_reader *in, const void *data, size_t size, bool last, oct_error *error);

// ---- for rules ----

// An attribute of the element that opens, or NULL.
const char *oct_xml_attribute(const xml_reader *in, const char *name);

// The text of the element that closes, for one without a place for children. Without the blanks
// around it where it is a word or a number.
const char *oct_xml_text(xml_reader *in);
const char *oct_xml_word(xml_reader *in);

// Where the innermost element that is not passed over begins.
xml_place oct_xml_place(const xml_reader *in);

// Reading ends; the first refusal counts.
OCT_FORMAT(2, 3)
void oct_xml_refuse(xml_reader *in, const char *format, ...);
OCT_FORMAT(3, 4)
void oct_xml_refuse_at(xml_reader *in, xml_place place, const char *format, ...);
void oct_xml_out_of_memory(xml_reader *in);

// Whether nothing was refused so far; and what was.
bool oct_xml_is_good(const xml_reader *in);
oct_result oct_xml_result(const xml_reader *in, oct_error *error);

#endif
