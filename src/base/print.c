// SPDX-License-Identifier: MIT
// Each conversion is handed to snprintf alone, so that the decimal point of a number can be told
// from a comma in the text around it.
#include "base/print.h"

#include "base/platform.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SPEC_MAX 48
#define NUMBER_MAX 400

// One conversion: "%-8.3f", with the numbers that stars stand for.
typedef struct conversion {
    char spec[SPEC_MAX];
    size_t used;
    bool is_size; // z, t or j: as wide as a size_t here
    int longs;    // how many l
    char letter;
} conversion;

// What was put so far; the length may be more than there is room for.
typedef struct target {
    char *out;
    size_t size, length;
} target;

static char *room_of(const target *t)
{
    return t->length < t->size ? t->out + t->length : NULL;
}

static size_t left_of(const target *t)
{
    return t->length < t->size ? t->size - t->length : 0;
}

static void put_text(target *t, const char *text, size_t length)
{
    char *const to = room_of(t);
    if (to) {
        const size_t left = left_of(t) - 1;
        const size_t count = length < left ? length : left;
        memcpy(to, text, count);
        to[count] = '\0';
    }
    t->length += length;
}

static void add_char(conversion *c, char letter)
{
    if (c->used + 1 < SPEC_MAX) {
        c->spec[c->used++] = letter;
        c->spec[c->used] = '\0';
    }
}

static void add_number(conversion *c, int number)
{
    char digits[16];
    (void)snprintf(digits, sizeof digits, "%d", number);
    for (const char *at = digits; *at; at++) {
        add_char(c, *at);
    }
}

// ---- numbers with a point ----

// All but the point is the same in every locale; the point may have several bytes.
static void put_point(char *number)
{
    char *to = number;
    bool in_point = false;
    for (const char *at = number; *at; at++) {
        const bool is_point = !strchr("0123456789+- abcdefABCDEFinINtyTYxXpP", *at);
        if (!is_point) {
            *to++ = *at;
        } else if (!in_point) {
            *to++ = '.';
        }
        in_point = is_point;
    }
    *to = '\0';
}

static void put_real(target *t, const char *spec, double value)
{
    char number[NUMBER_MAX];
    (void)snprintf(number, sizeof number, spec, value);
    put_point(number);
    put_text(t, number, strlen(number));
}

// ---- the others ----

static void put_integer(target *t, const conversion *c, va_list *values)
{
    char *const to = room_of(t);
    const size_t left = left_of(t);
    int length;
    // Each takes another type.
    // NOLINTNEXTLINE(bugprone-branch-clone)
    if (c->is_size) {
        length = snprintf(to, left, c->spec, va_arg(*values, size_t));
    } else if (c->longs > 1) {
        length = snprintf(to, left, c->spec, va_arg(*values, unsigned long long));
    } else if (c->longs == 1) {
        length = snprintf(to, left, c->spec, va_arg(*values, unsigned long));
    } else {
        length = snprintf(to, left, c->spec, va_arg(*values, unsigned));
    }
    t->length += length > 0 ? (size_t)length : 0;
}

static void put_pointer(target *t, const conversion *c, va_list *values)
{
    const int length = snprintf(room_of(t), left_of(t), c->spec, va_arg(*values, void *));
    t->length += length > 0 ? (size_t)length : 0;
}

static void put_value(target *t, const conversion *c, va_list *values)
{
    switch (c->letter) {
    case '%':
        put_text(t, "%", 1);
        break;
    case 's':
    case 'p':
        put_pointer(t, c, values);
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        put_real(t, c->spec, va_arg(*values, double));
        break;
    default:
        put_integer(t, c, values);
    }
}

// ---- formats ----

// Reads a conversion behind its '%'; returns where it ends.
static const char *read_conversion(const char *at, conversion *out, va_list *values)
{
    *out = (conversion){.spec = "%", .used = 1};
    for (; *at && strchr("-+ #0123456789.*hlzjt", *at); at++) {
        if (*at == '*') {
            const int number = va_arg(*values, int);
            const bool is_none = number < 0 && out->spec[out->used - 1] == '.';
            out->used -= is_none; // a precision less than 0 is none
            if (!is_none) {
                add_number(out, number);
            }
        } else {
            add_char(out, *at);
        }
        out->longs += *at == 'l';
        out->is_size = out->is_size || *at == 'z' || *at == 'j' || *at == 't';
    }
    out->letter = *at;
    add_char(out, *at);
    return *at ? at + 1 : at;
}

int oct_vsnprintf(char *out, size_t size, const char *format, va_list values)
{
    target t = {out, size, 0};
    va_list rest;
    va_copy(rest, values);
    if (size > 0) {
        out[0] = '\0';
    }
    while (*format) {
        const size_t plain = strcspn(format, "%");
        put_text(&t, format, plain);
        format += plain;
        if (*format) {
            conversion c;
            format = read_conversion(format + 1, &c, &rest);
            put_value(&t, &c, &rest);
        }
    }
    va_end(rest);
    return (int)t.length;
}

int oct_snprintf(char *out, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = oct_vsnprintf(out, size, format, values);
    va_end(values);
    return length;
}
