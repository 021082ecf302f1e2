// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

bool oct_text_word(text *in, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) {
        return false;
    }
    const char *after = in->at + length;
    if (after < in->end && !text_is_space(*after)) {
        return false;
    }
    in->at = after;
    return true;
}

oct_result oct_text_end(text *in, oct_error *error)
{
    while (in->at < in->end) {
        if (!text_line_end(in)) {
            return TEXT_REFUSE(in, error, "expected nothing but empty lines to the end");
        }
    }
    return OCT_OK;
}

// Appends the digits at `at` to a number's text; returns where they end.
static const char *gather_digits(const char *at, const char *end, char *digits, size_t room,
                                 size_t *count)
{
    for (; at < end && (uint32_t)*at - '0' < 10u; at++) {
        if (*count < room) {
            digits[*count] = *at;
        }
        (*count)++;
    }
    return at;
}

// The digits are handed to strtod as an integer with an exponent: correctly rounded, and free of
// the decimal point that a locale may spell differently.
bool oct_text_decimal(text *in, double *out)
{
    enum { DIGITS = 40 };
    char digits[DIGITS + 8];
    size_t count = 0;
    int exponent = 0;
    const char *at = gather_digits(in->at, in->end, digits, DIGITS, &count);
    if (at < in->end && *at == '.') {
        const size_t whole = count;
        at = gather_digits(at + 1, in->end, digits, DIGITS, &count);
        exponent = -(int)(count - whole < DIGITS ? count - whole : DIGITS);
    }
    if (count == 0 || count > DIGITS) {
        return false;
    }
    if (at < in->end && (*at == 'e' || *at == 'E')) {
        text power = *in;
        power.at = at + 1;
        const bool negative = power.at < in->end && *power.at == '-';
        power.at += power.at < in->end && (*power.at == '-' || *power.at == '+');
        uint32_t value;
        if (!text_number(&power, &value) || value > 9999) {
            return false;
        }
        exponent += negative ? -(int)value : (int)value;
        at = power.at;
    }
    snprintf(digits + count, sizeof digits - count, "e%d", exponent);
    *out = strtod(digits, NULL);
    in->at = at;
    return true;
}

bool oct_text_signed(text *in, double *out)
{
    const bool negative = in->at < in->end && *in->at == '-';
    text ahead = *in;
    ahead.at += ahead.at < ahead.end && (*ahead.at == '-' || *ahead.at == '+');
    if (!oct_text_decimal(&ahead, out)) {
        return false;
    }
    *out = negative ? -*out : *out;
    *in = ahead;
    return true;
}
