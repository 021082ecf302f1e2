// SPDX-License-Identifier: MIT
// XML piece by piece: limits, the way through the table of rules, refusals that say where.
#include "files/xml_reader.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>

// What expat gets at once. It reads a tag anew when more of it arrives: few pieces make one.
#define PIECE_SIZE ((size_t)16 * 1024)

typedef struct level {
    const xml_rule *rule; // NULL: passed over
    xml_place place;      // where it begins; not of those that are passed over
} level;

struct xml_reader {
    oct_allocator allocator;
    XML_Parser parser;
    const xml_rule *rules;
    void *ctx;
    oct_world *names;                // every name so far, as types: a set
    const XML_Char **attributes;     // of the element that opens
    level levels[XML_DEPTH_MAX + 1]; // the document, the root, ...
    uint32_t depth;
    uint32_t skipped; // the depth from which on elements are passed over; 0 = none is
    size_t text_size; // since an element ended
    size_t leaf_size;
    size_t unheard; // bytes since expat last told of something
    oct_result result;
    oct_error error;
    char leaf[XML_LEAF_MAX + 1];
};

// ---- refusals ----

static xml_place here(const xml_reader *in)
{
    const XML_Index offset = XML_GetCurrentByteIndex(in->parser);
    return (xml_place){offset < 0 ? 0 : (uint64_t)offset,
                       (uint32_t)XML_GetCurrentLineNumber(in->parser),
                       (uint32_t)XML_GetCurrentColumnNumber(in->parser) + 1};
}

static void stop(xml_reader *in, oct_result result)
{
    in->result = result;
    XML_StopParser(in->parser, XML_FALSE);
}

static void refuse_with(xml_reader *in, xml_place place, const char *format, va_list values)
{
    if (in->result != OCT_OK) {
        return;
    }
    char message[sizeof in->error.message];
    oct_vsnprintf(message, sizeof message, format, values);
    oct_error_set(&in->error, place.offset, place.line, place.column, "%s", message);
    stop(in, OCT_ERROR_FORMAT);
}

void oct_xml_refuse_at(xml_reader *in, xml_place place, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    refuse_with(in, place, format, values);
    va_end(values);
}

void oct_xml_refuse(xml_reader *in, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    refuse_with(in, oct_xml_place(in), format, values);
    va_end(values);
}

void oct_xml_out_of_memory(xml_reader *in)
{
    if (in->result == OCT_OK) {
        oct_io_out_of_memory(&in->error);
        stop(in, OCT_ERROR_MEMORY);
    }
}

bool oct_xml_is_good(const xml_reader *in)
{
    return in->result == OCT_OK;
}

oct_result oct_xml_result(const xml_reader *in, oct_error *error)
{
    if (in->result != OCT_OK && error) {
        *error = in->error;
    }
    return in->result;
}

// ---- limits ----

// Expat remembers every name that it saw: so they are counted.
static void count_name(xml_reader *in, const char *name)
{
    const oct_result result = oct_world_add_type(in->names, name, true, NULL);
    if (result == OCT_ERROR_MEMORY) {
        oct_xml_out_of_memory(in);
    } else if (result != OCT_OK) {
        oct_xml_refuse_at(in, here(in), "a name of more than %d bytes", OCT_WORLD_NAME_MAX);
    } else if (oct_world_types(in->names) > XML_NAMES_MAX) {
        oct_xml_refuse_at(in, here(in), "more than %d different names", XML_NAMES_MAX);
    }
}

static void count_names(xml_reader *in, const char *name, const XML_Char **attributes)
{
    count_name(in, name);
    for (; in->result == OCT_OK && *attributes; attributes += 2) {
        count_name(in, *attributes);
    }
}

// ---- what expat tells ----

static const xml_rule *find_rule(const xml_reader *in, uint8_t place, const char *name)
{
    for (const xml_rule *rule = in->rules; rule->name; rule++) {
        if (rule->in == place && strcmp(rule->name, name) == 0) {
            const char *const type = rule->type ? oct_xml_attribute(in, "xsi:type") : NULL;
            if (!rule->type || (type && strcmp(rule->type, type) == 0)) {
                return rule;
            }
        }
    }
    return NULL;
}

// Whether an element has its rule, and that wants what is inside it.
static bool enter(xml_reader *in, const char *name)
{
    const xml_rule *const parent = in->levels[in->depth - 1].rule;
    if (parent && parent->place == 0) {
        return false; // something inside a text
    }
    const xml_rule *const rule = find_rule(in, parent ? parent->place : 0, name);
    in->levels[in->depth] = (level){rule, here(in)};
    if (!rule && in->depth == 1) {
        oct_xml_refuse(in, "the root is '%.60s', not %s", name, in->rules[0].name);
    }
    const char *const nil = oct_xml_attribute(in, "xsi:nil");
    if (!rule || (nil && strcmp(nil, "true") == 0)) {
        return false; // not there
    }
    in->leaf_size = 0;
    return !rule->open || rule->open(in->ctx, in);
}

static void XMLCALL on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
    xml_reader *const in = ctx;
    in->unheard = 0;
    if (in->result != OCT_OK) {
        return;
    }
    if (in->depth == XML_DEPTH_MAX) {
        oct_xml_refuse_at(in, here(in), "more than %d elements in each other", XML_DEPTH_MAX);
        return;
    }
    count_names(in, name, attributes);
    in->depth++;
    if (in->result == OCT_OK && in->skipped == 0) {
        in->attributes = attributes;
        in->skipped = enter(in, name) ? 0 : in->depth;
        in->attributes = NULL;
    }
}

static void XMLCALL on_end(void *ctx, const XML_Char *name)
{
    (void)name; // expat has compared it
    xml_reader *const in = ctx;
    in->unheard = 0;
    in->text_size = 0;
    if (in->result != OCT_OK) {
        return;
    }
    if (in->skipped == 0) {
        const xml_rule *const rule = in->levels[in->depth].rule;
        in->leaf[in->leaf_size] = '\0';
        if (rule->close) {
            rule->close(in->ctx, in);
        }
    }
    in->skipped = in->skipped == in->depth ? 0 : in->skipped;
    in->depth--;
}

static void XMLCALL on_text(void *ctx, const XML_Char *text, int length)
{
    xml_reader *const in = ctx;
    const size_t size = (size_t)length;
    in->unheard = 0;
    in->text_size += size;
    if (in->result != OCT_OK) {
        return;
    }
    if (in->text_size > XML_TEXT_MAX) {
        oct_xml_refuse_at(in, here(in), "a text of more than %d bytes", XML_TEXT_MAX);
    }
    if (in->skipped != 0 || in->levels[in->depth].rule->place != 0) {
        return;
    }
    if (size > XML_LEAF_MAX - in->leaf_size) {
        oct_xml_refuse(in, "%s is longer than %d bytes", in->levels[in->depth].rule->name,
                       XML_LEAF_MAX);
        return;
    }
    memcpy(in->leaf + in->leaf_size, text, size);
    in->leaf_size += size;
}

static void XMLCALL on_other(void *ctx, const XML_Char *text, int length)
{
    (void)text;
    (void)length;
    xml_reader *const in = ctx;
    in->unheard = 0;
}

static void XMLCALL on_doctype(void *ctx, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int has_subset)
{
    (void)name;
    (void)system;
    (void)public;
    (void)has_subset;
    xml_reader *const in = ctx;
    oct_xml_refuse_at(in, here(in), "a document type declaration: saves have none");
}

// ---- life ----

xml_reader *oct_xml_create(const xml_rule *rules, void *ctx, const oct_allocator *allocator,
                           const XML_Memory_Handling_Suite *memory)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    xml_reader *const in = oct_alloc(&own, sizeof *in, _Alignof(xml_reader));
    if (!in) {
        return NULL;
    }
    *in = (xml_reader){.allocator = own, .rules = rules, .ctx = ctx};
    // Whatever a document says of itself, it is read as UTF-8.
    in->parser = XML_ParserCreate_MM("UTF-8", memory, NULL);
    if (!in->parser || oct_world_create(&(oct_world_def){&own}, &in->names) != OCT_OK) {
        oct_xml_destroy(in);
        return NULL;
    }
    XML_SetUserData(in->parser, in);
    XML_SetElementHandler(in->parser, on_start, on_end);
    XML_SetCharacterDataHandler(in->parser, on_text);
    XML_SetDefaultHandler(in->parser, on_other);
    XML_SetStartDoctypeDeclHandler(in->parser, on_doctype);
    return in;
}

void oct_xml_destroy(xml_reader *in)
{
    if (in) {
        const oct_allocator own = in->allocator;
        if (in->parser) {
            XML_ParserFree(in->parser);
        }
        oct_world_destroy(in->names);
        oct_free(&own, in, sizeof *in);
    }
}

// ---- reading ----

static void feed_piece(xml_reader *in, const char *data, size_t size, bool last)
{
    in->unheard += size;
    const enum XML_Status status = XML_Parse(in->parser, data, (int)size, last);
    if (in->result != OCT_OK) {
        return;
    }
    const enum XML_Error code = XML_GetErrorCode(in->parser);
    if (status == XML_STATUS_ERROR && code == XML_ERROR_NO_MEMORY) {
        oct_xml_out_of_memory(in);
    } else if (status == XML_STATUS_ERROR) {
        oct_xml_refuse_at(in, here(in), "%s", XML_ErrorString(code));
    } else if (in->unheard > XML_TAG_MAX) {
        oct_xml_refuse_at(in, here(in), "a tag of more than %d bytes", XML_TAG_MAX);
    }
}

oct_result oct_xml_feed(xml_reader *in, const void *data, size_t size, bool last, oct_error *error)
{
    const char *at = data;
    for (bool more = true; more && in->result == OCT_OK; more = size > 0) {
        const size_t piece = size < PIECE_SIZE ? size : PIECE_SIZE;
        feed_piece(in, at, piece, last && piece == size);
        at = piece > 0 ? at + piece : at;
        size -= piece;
    }
    return oct_xml_result(in, error);
}

// ---- for rules ----

const char *oct_xml_attribute(const xml_reader *in, const char *name)
{
    for (const XML_Char **at = in->attributes; at && *at; at += 2) {
        if (strcmp(at[0], name) == 0) {
            return at[1];
        }
    }
    return NULL;
}

const char *oct_xml_text(xml_reader *in)
{
    return in->leaf;
}

const char *oct_xml_word(xml_reader *in)
{
    static const char blanks[] = " \t\r\n";
    while (in->leaf_size > 0 && strchr(blanks, in->leaf[in->leaf_size - 1])) {
        in->leaf[--in->leaf_size] = '\0';
    }
    return in->leaf + strspn(in->leaf, blanks);
}

xml_place oct_xml_place(const xml_reader *in)
{
    return in->levels[in->depth].place;
}
