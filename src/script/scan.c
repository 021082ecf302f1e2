// SPDX-License-Identifier: MIT
// Looks over a source before Lua compiles it, token by token.
//
// The operator ^ calls libm inside of Lua, which gives other bits on other machines: it is refused.
// And the compiler, which no hook interrupts, takes quadratic time for some sources: names are
// looked for in all functions around them, labels among all labels, and an elseif walks over all
// before it. That is charged here, before it is done.
#include "script/script_internal.h"

#define BLOCKS_MAX 256    // more than Lua compiles
#define FUNCTION_STEPS 8u // that a name costs for each function around it

typedef struct scanner {
    lua_State *lua;
    const char *name; // of the file
    const char *at, *end;
    int line;
    bool is_function[BLOCKS_MAX]; // which of the blocks around are
    uint32_t blocks, functions;
    uint64_t labels, branches, steps;
} scanner;

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void advance(scanner *s)
{
    s->line += *s->at == '\n';
    s->at++;
}

// How many '=' stand between two brackets that open a long text, or -1.
static int read_level(const scanner *s)
{
    const char *at = s->at + 1;
    while (at < s->end && *at == '=') {
        at++;
    }
    return at < s->end && *at == '[' ? (int)(at - s->at - 1) : -1;
}

static void skip_long(scanner *s, int level)
{
    for (s->at += level + 2; s->at < s->end; advance(s)) {
        if (*s->at != ']') {
            continue;
        }
        const char *at = s->at + 1;
        while (at < s->end && *at == '=') {
            at++;
        }
        if (at < s->end && *at == ']' && at - s->at - 1 == level) {
            s->at = at + 1;
            return;
        }
        s->at = at - 1; // the '=' may be many
    }
}

static void skip_comment(scanner *s)
{
    s->at += 2;
    const int level = s->at < s->end && *s->at == '[' ? read_level(s) : -1;
    if (level >= 0) {
        skip_long(s, level);
        return;
    }
    while (s->at < s->end && *s->at != '\n' && *s->at != '\r') {
        s->at++;
    }
}

// A text that does not end is for Lua to complain about.
static void skip_text(scanner *s)
{
    const char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        const bool is_escaped = *s->at == '\\' && s->at + 1 < s->end;
        const bool skips_space = is_escaped && s->at[1] == 'z';
        s->at += is_escaped;
        advance(s);
        while (skips_space && s->at < s->end && strchr(" \t\r\n\v\f", *s->at) && *s->at) {
            advance(s);
        }
    }
    s->at += s->at < s->end && *s->at == quote;
}

// ---- names ----

static bool is_word(const char *from, size_t length, const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == length && memcmp(*words, from, length) == 0) {
            return true;
        }
    }
    return false;
}

static void open_block(scanner *s, bool is_function)
{
    if (s->blocks < BLOCKS_MAX) {
        s->is_function[s->blocks] = is_function;
        s->functions += is_function;
    }
    s->blocks++;
}

static void close_block(scanner *s)
{
    if (s->blocks > 0 && --s->blocks < BLOCKS_MAX) {
        s->functions -= s->is_function[s->blocks];
    }
}

static void read_word(scanner *s)
{
    static const char *const functions[] = {"function", NULL};
    static const char *const opening[] = {"do", "if", "repeat", NULL};
    static const char *const closing[] = {"end", "until", NULL};
    static const char *const jumps[] = {"goto", "break", NULL};
    static const char *const branches[] = {"elseif", NULL};
    const char *const from = s->at;
    while (s->at < s->end && is_name(*s->at)) {
        s->at++;
    }
    const size_t length = (size_t)(s->at - from);
    if (is_word(from, length, functions) || is_word(from, length, opening)) {
        open_block(s, from[0] == 'f');
    } else if (is_word(from, length, closing)) {
        close_block(s);
    } else if (is_word(from, length, jumps)) {
        s->steps += ++s->labels;
    } else if (is_word(from, length, branches)) {
        s->steps += ++s->branches;
    } else {
        s->steps += FUNCTION_STEPS * s->functions;
    }
}

// ---- all ----

static void skip_number(scanner *s)
{
    while (s->at < s->end && (is_name(*s->at) || *s->at == '.')) {
        s->at++;
    }
}

static void read_token(scanner *s)
{
    const char c = *s->at;
    const bool is_double = s->at + 1 < s->end && s->at[1] == c;
    const int level = c == '[' ? read_level(s) : -1;
    if (c == '-' && is_double) {
        skip_comment(s);
    } else if (c == '"' || c == '\'') {
        skip_text(s);
    } else if (level >= 0) {
        skip_long(s, level);
    } else if (c >= '0' && c <= '9') {
        skip_number(s);
    } else if (is_name(c)) {
        read_word(s);
    } else if (c == '^') {
        luaL_error(s->lua,
                   "%s:%d: scripts have no '^', which differs from machine to machine: write x*x, "
                   "or math.power(x, n) for whole n",
                   s->name, s->line);
    } else {
        s->steps += c == ':' && is_double ? ++s->labels : 0;
        advance(s);
    }
}

void oct_scan_source(lua_State *L, const char *name, const char *text, size_t size)
{
    scanner s = {.lua = L, .name = name, .at = text, .end = text + size, .line = 1};
    oct_charge(L, size);
    while (s.at < s.end) {
        read_token(&s);
        if (s.steps > 1000) {
            oct_charge(L, s.steps);
            s.steps = 0;
        }
    }
    oct_charge(L, s.steps);
}
