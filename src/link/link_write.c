// SPDX-License-Identifier: MIT
#include "link/link_write.h"

#include "base/print.h"
#include "base/words.h"

#include <math.h>

static bool append(void *ctx, const void *data, size_t size)
{
    link_writer *const w = ctx;
    oct_array *const bytes = w->bytes;
    size_t needed;
    if (!oct_size_add(bytes->count, size, &needed)) {
        return false;
    }
    if (needed > bytes->capacity &&
        oct_array_reserve(bytes, w->allocator, 1, needed + needed / 2) != OCT_OK) {
        return false;
    }
    memcpy((char *)bytes->items + bytes->count, data, size);
    bytes->count = needed;
    return true;
}

void oct_link_write(link_writer *w, oct_array *bytes, const oct_allocator *allocator)
{
    w->bytes = bytes;
    w->allocator = allocator;
    w->comma = false;
    w->is_broken = false;
    oct_sink_open(&w->out, append, w);
}

oct_result oct_link_write_end(link_writer *w)
{
    sink_byte(&w->out, '\n');
    oct_sink_flush(&w->out);
    return w->out.failed ? OCT_ERROR_MEMORY : w->is_broken ? OCT_ERROR_FORMAT : OCT_OK;
}

// Whether a text stands in JSON as it is.
static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\') {
            return false;
        }
    }
    return true;
}

// A text as it is, at once where there is room.
static void put_raw(link_writer *w, const char *text)
{
    const size_t size = strlen(text);
    if (size > sizeof w->out.buffer - w->out.used) {
        oct_sink_text(&w->out, text);
        return;
    }
    memcpy(w->out.buffer + w->out.used, text, size);
    w->out.used += size;
}

// Without \u where there is a shorter way: not every reader of JSON knows it.
static void put_escaped(link_writer *w, const char *text)
{
    static const char short_names[32] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    sink_byte(&w->out, '"');
    while (*text) {
        char character[8] = "";
        const char *const from = text;
        const uint32_t c = oct_words_next(&text);
        const bool is_broken = c == 0xfffd && text == from + 1;
        if (c < 0x20 && short_names[c]) {
            character[0] = '\\';
            character[1] = short_names[c];
        } else if (c < 0x20) {
            oct_snprintf(character, sizeof character, "\\u%04x", (unsigned)c);
        } else if (c == '"' || c == '\\') {
            character[0] = '\\';
            character[1] = (char)c;
        } else {
            memcpy(character, is_broken ? "\xef\xbf\xbd" : from,
                   is_broken ? 3 : (size_t)(text - from));
        }
        put_raw(w, character);
    }
    sink_byte(&w->out, '"');
}

static void put_string(link_writer *w, const char *text)
{
    if (!is_plain(text)) {
        put_escaped(w, text);
        return;
    }
    sink_byte(&w->out, '"');
    put_raw(w, text);
    sink_byte(&w->out, '"');
}

// Names are our own words, but for those of properties.
static void begin(link_writer *w, const char *name)
{
    if (w->comma) {
        sink_byte(&w->out, ',');
    }
    w->comma = true;
    if (name) {
        sink_byte(&w->out, '"');
        put_raw(w, name);
        put_raw(w, "\":");
    }
}

void oct_link_open(link_writer *w, const char *name, char bracket)
{
    begin(w, name);
    sink_byte(&w->out, (uint8_t)bracket);
    w->comma = false;
}

void oct_link_close(link_writer *w, char bracket)
{
    sink_byte(&w->out, (uint8_t)bracket);
    w->comma = true;
}

void oct_link_put_null(link_writer *w, const char *name)
{
    begin(w, name);
    put_raw(w, "null");
}

// A number with a few digits behind the point, quickly. A quotient of a whole number below 2^53 and
// a power of ten that is exact is the double nearest to the decimal number: it reads back the same,
// and fewer digits would not, as those are not left over.
static bool put_short(link_writer *w, double value)
{
    static const double powers[] = {1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    const double size = fabs(value);
    if (!(size >= 1e-4 && size < 1e9)) {
        return false;
    }
    for (uint32_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        const double scaled = floor(size * powers[i] + 0.5);
        if (scaled / powers[i] != size) {
            continue;
        }
        const uint64_t digits = (uint64_t)scaled, power = (uint64_t)powers[i];
        if (value < 0.0) {
            sink_byte(&w->out, '-');
        }
        oct_sink_number(&w->out, digits / power);
        sink_byte(&w->out, '.');
        for (uint64_t rest = digits % power, unit = power / 10; unit > 0; unit /= 10) {
            sink_byte(&w->out, (uint8_t)('0' + rest / unit % 10));
        }
        return true;
    }
    return false;
}

static void put_double(link_writer *w, double value)
{
    if (!isfinite(value)) {
        w->is_broken = true;
        sink_byte(&w->out, '0');
    } else if (value == 0.0 && signbit(value)) {
        oct_sink_text(&w->out, "-0.0"); // without its point it would be an integer, which has no -0
    } else if (fabs(value) < 1e15 && floor(value) == value) {
        if (value < 0.0) {
            sink_byte(&w->out, '-');
        }
        oct_sink_number(&w->out, (uint64_t)fabs(value));
    } else if (!put_short(w, value)) {
        oct_sink_decimal(&w->out, value);
    }
}

void oct_link_put_number(link_writer *w, const char *name, double value)
{
    begin(w, name);
    put_double(w, value);
}

void oct_link_put_whole(link_writer *w, const char *name, uint64_t value)
{
    begin(w, name);
    oct_sink_number(&w->out, value);
}

void oct_link_put_bool(link_writer *w, const char *name, bool value)
{
    begin(w, name);
    put_raw(w, value ? "true" : "false");
}

void oct_link_put_text(link_writer *w, const char *name, const char *value)
{
    begin(w, name);
    put_string(w, value ? value : "");
}

void oct_link_put_numbers(link_writer *w, const char *name, const double *values, size_t count)
{
    oct_link_open(w, name, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            sink_byte(&w->out, ',');
        }
        put_double(w, values[i]);
    }
    oct_link_close(w, ']');
}

void oct_link_put_point(link_writer *w, const char *name, oct_point p)
{
    oct_link_put_numbers(w, name, (const double[]){p.x, p.y, p.z}, 3);
}

void oct_link_put_box(link_writer *w, const char *name, const oct_bounds *box)
{
    oct_link_put_numbers(
        w, name,
        (const double[]){box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z},
        6);
}

void oct_link_put_texts(link_writer *w, const char *name, const char *const *texts, size_t count)
{
    oct_link_open(w, name, '[');
    for (size_t i = 0; i < count; i++) {
        oct_link_put_text(w, NULL, texts[i]);
    }
    oct_link_close(w, ']');
}

void oct_link_put_props(link_writer *w, const char *name, const oct_property *all, size_t count)
{
    oct_link_open(w, name, '{');
    for (size_t i = 0; i < count; i++) {
        const oct_property *const p = &all[i];
        if (i > 0) {
            sink_byte(&w->out, ',');
        }
        put_string(w, p->name);
        sink_byte(&w->out, ':');
        if (p->kind == OCT_VALUE_TEXT) {
            put_string(w, p->text ? p->text : "");
        } else if (p->kind == OCT_VALUE_BOOL) {
            put_raw(w, p->number != 0.0 ? "true" : "false");
        } else {
            put_double(w, p->number);
        }
    }
    oct_link_close(w, '}');
}
