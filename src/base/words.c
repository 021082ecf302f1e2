// SPDX-License-Identifier: MIT
#include "base/words.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>

#define REPLACEMENT UINT32_C(0xfffd)
#define LAST UINT32_C(0x10ffff)

// ---- UTF-8 ----

// RFC 3629: the shortest form alone, no surrogates, nothing beyond the last.
uint32_t oct_words_next(const char **at)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *const from = (const uint8_t *)*at;
    const uint32_t first = from[0];
    const uint32_t length = first < 0x80                    ? 1
                            : first >= 0xc2 && first < 0xe0 ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
    uint32_t c = length > 1 ? first & (0x7fu >> length) : first;
    ++*at;
    for (uint32_t i = 1; i < length; i++) {
        if ((from[i] & 0xc0u) != 0x80u) {
            return REPLACEMENT;
        }
        c = c << 6 | (from[i] & 0x3fu);
    }
    if (length == 0 || c < least[length] || c > LAST || (c >= 0xd800 && c < 0xe000)) {
        return REPLACEMENT;
    }
    *at += length - 1;
    return c;
}

// Writes a character; returns its bytes.
static size_t encode(uint32_t c, char out[4])
{
    const size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint32_t marks[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1;) {
        out[i] = (char)(0x80u | (c & 0x3fu));
        c >>= 6;
    }
    out[0] = (char)(c | marks[length]);
    return length;
}

static void put_character(sink *out, uint32_t c)
{
    char bytes[4];
    const size_t length = encode(c, bytes);
    for (size_t i = 0; i < length; i++) {
        sink_byte(out, (uint8_t)bytes[i]);
    }
}

// What steers terminals, turns the direction of writing, or is no character of XML, is not shown as
// it is; ends of lines become blanks.
static uint32_t shown(uint32_t c)
{
    if (c == '\n' || c == '\r' || c == '\t' || c == 0x2028 || c == 0x2029) {
        return ' ';
    }
    const bool turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    const bool steers = c < 0x20 || (c >= 0x7f && c < 0xa0);
    return turns || steers || (c & 0xfffeu) == 0xfffe ? REPLACEMENT : c;
}

bool oct_words_is_plain(uint32_t character)
{
    return shown(character) == character;
}

// ---- out ----

void oct_words_plain(sink *out, const char *words)
{
    while (*words) {
        put_character(out, shown(oct_words_next(&words)));
    }
}

void oct_words_defuse(char *words, char with)
{
    while (*words) {
        const char *next = words;
        const uint32_t c = oct_words_next(&next);
        const bool is_broken = next == words + 1 && (uint8_t)*words >= 0x80;
        const bool is_shown = !is_broken && shown(c) == c;
        while (words < next) {
            *words = is_shown ? *words : with;
            words++;
        }
    }
}

void oct_words_markup(sink *out, const char *words)
{
    while (*words) {
        const uint32_t c = shown(oct_words_next(&words));
        switch (c) {
        case '&':
            oct_sink_text(out, "&amp;");
            break;
        case '<':
            oct_sink_text(out, "&lt;");
            break;
        case '>':
            oct_sink_text(out, "&gt;");
            break;
        case '"':
            oct_sink_text(out, "&quot;");
            break;
        case '\'':
            oct_sink_text(out, "&#39;");
            break;
        default:
            put_character(out, c);
        }
    }
}

void oct_words_json(sink *out, const char *words)
{
    sink_byte(out, '"');
    while (*words) {
        const uint32_t c = oct_words_next(&words);
        if (c < 0x20) {
            oct_words_format(out, "\\u%04x", c);
        } else {
            if (c == '"' || c == '\\') {
                sink_byte(out, '\\');
            }
            put_character(out, c);
        }
    }
    sink_byte(out, '"');
}

char *oct_words_copy(const char *words, char *out, size_t size)
{
    size_t used = 0;
    while (*words) {
        char bytes[4];
        const size_t length = encode(shown(oct_words_next(&words)), bytes);
        if (used + length >= size) {
            break;
        }
        memcpy(out + used, bytes, length);
        used += length;
    }
    out[used] = '\0';
    return out;
}

// Of a word so long as this or longer, one letter in so many may be wrong; of a shorter one two.
#define LONG_WORD 12
#define LETTERS_A_MISTAKE 5

size_t oct_words_mistakes(const char *word)
{
    const size_t length = strlen(word);
    return length < LONG_WORD ? 2 : length / LETTERS_A_MISTAKE;
}

size_t oct_words_distance(const char *a, const char *b)
{
    const size_t na = strlen(a), nb = strlen(b);
    if (na >= OCT_WORDS_DISTANCE_MAX || nb >= OCT_WORDS_DISTANCE_MAX) {
        return na > nb ? na : nb;
    }
    size_t rows[3][OCT_WORDS_DISTANCE_MAX];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= nb; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            }
            now[j] = best;
        }
        size_t *const oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[nb];
}

size_t oct_words_length(const char *words)
{
    size_t count = 0;
    for (; *words; count++) {
        (void)oct_words_next(&words);
    }
    return count;
}

void oct_words_format(sink *out, const char *format, ...)
{
    char line[512];
    va_list values;
    va_start(values, format);
    (void)oct_vsnprintf(line, sizeof line, format, values);
    va_end(values);
    oct_sink_text(out, line);
}
