// SPDX-License-Identifier: MIT
// Lua's patterns (find, match, gmatch, gsub), matched by steps that are counted.
//
// A pattern is read while it is matched, as Lua 5.4 does, so that what is wrong in a part that is
// never reached is no error. Backtracking takes exponential time at worst: the limit of steps is
// what ends it. Letters are those of ASCII, whatever the locale.
#include "script/script_internal.h"

#include <lualib.h>

#define CAPTURES_MAX 32
#define DEPTH_MAX 200       // of matches within matches, as in Lua
#define STEPS_AT_ONCE 1024u // that are counted before they are charged
#define BYTES_A_STEP 4u     // looked at in the time of an instruction

#define IS_OPEN (-1)     // a capture that has not ended
#define IS_POSITION (-2) // one that is a place

typedef struct capture {
    const char *from;
    ptrdiff_t length;
} capture;

typedef struct matcher {
    lua_State *lua;
    const char *text, *text_end;
    const char *pattern, *pattern_end; // followed by a zero, as all strings of Lua
    uint32_t depth, work;
    int count;
    capture captures[CAPTURES_MAX];
} matcher;

// A part of a pattern that matches one character.
typedef struct single {
    const char *from, *end;
} single;

static const char *match_here(matcher *m, const char *at, const char *p);

static void count_work(matcher *m, size_t bytes)
{
    m->work += (uint32_t)(bytes < STEPS_AT_ONCE ? bytes : STEPS_AT_ONCE);
    if (bytes > STEPS_AT_ONCE) {
        oct_charge(m->lua, bytes / BYTES_A_STEP);
    }
    if (m->work >= STEPS_AT_ONCE) {
        m->work = 0;
        oct_charge(m->lua, STEPS_AT_ONCE / BYTES_A_STEP);
    }
}

// ---- one character ----

static bool is_between(uint8_t c, uint8_t least, uint8_t most)
{
    return c >= least && c <= most;
}

static bool is_letter(uint8_t c)
{
    return is_between(c | 0x20, 'a', 'z');
}

static bool is_digit(uint8_t c)
{
    return is_between(c, '0', '9');
}

// The class that a letter stands for, or the character itself.
static bool is_of_class(uint8_t c, uint8_t letter)
{
    bool is;
    switch (letter | 0x20) {
    case 'a':
        is = is_letter(c);
        break;
    case 'c':
        is = c < 0x20 || c == 0x7f;
        break;
    case 'd':
        is = is_digit(c);
        break;
    case 'g':
        is = is_between(c, 0x21, 0x7e);
        break;
    case 'l':
        is = is_between(c, 'a', 'z');
        break;
    case 'p':
        is = is_between(c, 0x21, 0x7e) && !is_letter(c) && !is_digit(c);
        break;
    case 's':
        is = c == ' ' || is_between(c, '\t', '\r');
        break;
    case 'u':
        is = is_between(c, 'A', 'Z');
        break;
    case 'w':
        is = is_letter(c) || is_digit(c);
        break;
    case 'x':
        is = is_digit(c) || is_between(c | 0x20, 'a', 'f');
        break;
    case 'z': // an old way to write a zero
        is = c == 0;
        break;
    default:
        return letter == c;
    }
    return is != is_between(letter, 'A', 'Z'); // an upper-case letter means all others
}

// A set from '[' to behind ']'.
static bool is_in_set(matcher *m, uint8_t c, single set)
{
    const char *p = set.from + 1;
    const char *const last = set.end - 1;
    const bool is_negated = *p == '^';
    bool is = false;
    count_work(m, (size_t)(set.end - set.from) / 2);
    for (p += is_negated; p < last && !is; p++) {
        if (*p == '%') {
            p++;
            is = is_of_class(c, (uint8_t)*p);
        } else if (p[1] == '-' && p + 2 < last) {
            is = is_between(c, (uint8_t)p[0], (uint8_t)p[2]);
            p += 2;
        } else {
            is = (uint8_t)*p == c;
        }
    }
    return is != is_negated;
}

// The part at p, which is not the end.
static single read_single(matcher *m, const char *p)
{
    single s = {p, p + 1};
    if (*p == '%') {
        if (s.end == m->pattern_end) {
            luaL_error(m->lua, "malformed pattern (ends with '%%')");
        }
        s.end++;
    } else if (*p == '[') {
        s.end += *s.end == '^';
        do { // a ']' that comes first is an item
            if (s.end == m->pattern_end) {
                luaL_error(m->lua, "malformed pattern (missing ']')");
            }
            s.end += *s.end == '%' && s.end + 1 < m->pattern_end ? 2 : 1;
        } while (s.end == m->pattern_end || *s.end != ']');
        s.end++;
        count_work(m, (size_t)(s.end - p));
    }
    return s;
}

static bool matches(matcher *m, const char *at, single s)
{
    count_work(m, 1);
    if (at >= m->text_end) {
        return false;
    }
    const uint8_t c = (uint8_t)*at;
    switch (*s.from) {
    case '.':
        return true;
    case '%':
        return is_of_class(c, (uint8_t)s.from[1]);
    case '[':
        return is_in_set(m, c, s);
    default:
        return (uint8_t)*s.from == c;
    }
}

// ---- more than one ----

// It matches up to `at`, and may end from `least` on.
static const char *match_most(matcher *m, const char *at, const char *least, single s)
{
    const char *last = at;
    while (matches(m, last, s)) {
        last++;
    }
    for (; last >= least; last--) {
        const char *const end = match_here(m, last, s.end + 1);
        if (end) {
            return end;
        }
    }
    return NULL;
}

static const char *match_least(matcher *m, const char *at, single s)
{
    for (;; at++) {
        const char *const end = match_here(m, at, s.end + 1);
        if (end || !matches(m, at, s)) {
            return end;
        }
    }
}

// "%bxy", of which p is x.
static const char *match_balance(matcher *m, const char *at, const char *p)
{
    if (p >= m->pattern_end - 1) {
        luaL_error(m->lua, "malformed pattern (missing arguments to '%%b')");
    }
    if (at >= m->text_end || *at != *p) {
        return NULL;
    }
    size_t open = 1;
    for (const char *each = at + 1; each < m->text_end; each++) {
        count_work(m, 1);
        if (*each == p[1]) {
            if (--open == 0) {
                return each + 1;
            }
        } else if (*each == *p) {
            open++;
        }
    }
    return NULL;
}

// "%f[set]", of which p is the '['.
static bool is_frontier(matcher *m, const char *at, const char *p, single *set)
{
    if (*p != '[') {
        luaL_error(m->lua, "missing '[' after '%%f' in pattern");
    }
    *set = read_single(m, p);
    const uint8_t before = at == m->text ? 0 : (uint8_t)at[-1];
    const uint8_t here = at == m->text_end ? 0 : (uint8_t)*at;
    return !is_in_set(m, before, *set) && is_in_set(m, here, *set);
}

// ---- captures ----

static const char *begin_capture(matcher *m, const char *at, const char *p, ptrdiff_t kind)
{
    if (m->count >= CAPTURES_MAX) {
        luaL_error(m->lua, "too many captures");
    }
    m->captures[m->count++] = (capture){at, kind};
    const char *const end = match_here(m, at, p);
    m->count -= !end;
    return end;
}

static const char *end_capture(matcher *m, const char *at, const char *p)
{
    int i = m->count - 1;
    while (i >= 0 && m->captures[i].length != IS_OPEN) {
        i--;
    }
    if (i < 0) {
        luaL_error(m->lua, "invalid pattern capture");
        return NULL;
    }
    m->captures[i].length = at - m->captures[i].from;
    const char *const end = match_here(m, at, p);
    if (!end) {
        m->captures[i].length = IS_OPEN;
    }
    return end;
}

// The same text as a capture before.
static const char *match_again(matcher *m, const char *at, char digit)
{
    const int i = digit - '1';
    if (i < 0 || i >= m->count || m->captures[i].length == IS_OPEN) {
        luaL_error(m->lua, "invalid capture index %%%d", i + 1);
        return NULL;
    }
    const size_t length = (size_t)m->captures[i].length;
    if ((size_t)(m->text_end - at) < length) { // no text is as long as a place would be
        return NULL;
    }
    count_work(m, length);
    return memcmp(m->captures[i].from, at, length) == 0 ? at + length : NULL;
}

// ---- the whole ----

// What stands alone; false where the part at *p is a character. Else *at is NULL where it fails,
// and *is_done says that the rest is matched as well.
static bool match_special(matcher *m, const char **at, const char **p, bool *is_done)
{
    const char *const here = *p;
    single set;
    if (*here == '(' || *here == ')') {
        *is_done = true;
        *at = *here == ')'     ? end_capture(m, *at, here + 1)
              : here[1] == ')' ? begin_capture(m, *at, here + 2, IS_POSITION)
                               : begin_capture(m, *at, here + 1, IS_OPEN);
        return true;
    }
    if (*here == '$' && here + 1 == m->pattern_end) {
        *is_done = true;
        *at = *at == m->text_end ? *at : NULL;
        return true;
    }
    if (*here != '%') {
        return false;
    }
    if (here[1] == 'b') {
        *at = match_balance(m, *at, here + 2);
        *p = here + 4;
    } else if (here[1] == 'f') {
        *at = is_frontier(m, *at, here + 2, &set) ? *at : NULL;
        *p = set.end;
    } else if (is_digit((uint8_t)here[1])) {
        *at = match_again(m, *at, here[1]);
        *p = here + 2;
    } else {
        return false;
    }
    return true;
}

// Matches the character at *p with what repeats it. As match_special.
static bool match_single(matcher *m, const char **at, const char **p)
{
    const single s = read_single(m, *p);
    const char repeat = *s.end;
    const bool may_miss = repeat == '*' || repeat == '-' || repeat == '?';
    const bool is = matches(m, *at, s);
    *p = s.end + may_miss;
    if (!is) {
        *at = may_miss ? *at : NULL;
        return false;
    }
    if (repeat == '?') {
        const char *const end = match_here(m, *at + 1, *p);
        *at = end ? end : *at;
        return end != NULL;
    }
    if (repeat == '-') {
        *at = match_least(m, *at, s);
        return true;
    }
    ++*at;
    if (repeat != '*' && repeat != '+') {
        return false;
    }
    *at = match_most(m, *at, repeat == '+' ? *at : *at - 1, s);
    return true;
}

// Where a match of the pattern from p on ends, that begins at `at`; NULL where there is none.
static const char *match_here(matcher *m, const char *at, const char *p)
{
    bool is_done = false;
    if (m->depth++ >= DEPTH_MAX) {
        luaL_error(m->lua, "pattern too complex");
    }
    while (at && !is_done && p != m->pattern_end) {
        if (!match_special(m, &at, &p, &is_done)) {
            is_done = match_single(m, &at, &p);
        }
    }
    m->depth--;
    return at;
}

static const char *match_at(matcher *m, const char *at)
{
    m->count = 0;
    m->depth = 0;
    return match_here(m, at, m->pattern);
}

// The text and the pattern are at indices.
static matcher begin_match(lua_State *L, int text, int pattern)
{
    size_t length, size;
    const char *const t = luaL_checklstring(L, text, &length);
    const char *const p = luaL_checklstring(L, pattern, &size);
    return (matcher){
        .lua = L, .text = t, .text_end = t + length, .pattern = p, .pattern_end = p + size};
}

// Where a search begins that is asked to begin at an index, from 0; beyond the end is length + 1.
static size_t read_start(lua_State *L, int at, size_t length)
{
    const lua_Integer start = luaL_optinteger(L, at, 1);
    if (start > 0) {
        return (lua_Unsigned)start - 1 <= length ? (size_t)start - 1 : length + 1;
    }
    return start == 0 || start < -(lua_Integer)length ? 0 : (size_t)((lua_Integer)length + start);
}

// ---- what was captured ----

// Pushes capture i of a match; without captures the first is the match.
static void push_capture(matcher *m, int i, const char *from, const char *end)
{
    if (i >= m->count) {
        if (i > 0) {
            luaL_error(m->lua, "invalid capture index %%%d", i + 1);
        }
        lua_pushlstring(m->lua, from, (size_t)(end - from));
    } else if (m->captures[i].length == IS_POSITION) {
        lua_pushinteger(m->lua, m->captures[i].from - m->text + 1);
    } else if (m->captures[i].length == IS_OPEN) {
        luaL_error(m->lua, "unfinished capture");
    } else {
        lua_pushlstring(m->lua, m->captures[i].from, (size_t)m->captures[i].length);
    }
}

// All of them; `from` may be NULL: then a match without captures gives nothing.
static int push_captures(matcher *m, const char *from, const char *end)
{
    const int count = m->count == 0 && from ? 1 : m->count;
    luaL_checkstack(m->lua, count, "too many captures");
    for (int i = 0; i < count; i++) {
        push_capture(m, i, from, end);
    }
    return count;
}

// ---- find and match ----

// Compares as far as they are equal, and counts that.
static bool is_at(matcher *m, const char *at, size_t size)
{
    size_t i = 0;
    for (; i + 64 <= size && memcmp(at + i, m->pattern + i, 64) == 0; i += 64) {
    }
    count_work(m, 4 + i / 16);
    const size_t rest = size - i < 64 ? size - i : 64;
    return memcmp(at + i, m->pattern + i, rest) == 0;
}

// The pattern as it stands, without meaning.
static const char *find_plain(matcher *m, const char *at)
{
    const size_t size = (size_t)(m->pattern_end - m->pattern);
    if (size == 0) {
        return at;
    }
    while ((size_t)(m->text_end - at) >= size) {
        const size_t room = (size_t)(m->text_end - at) - size + 1;
        const char *const first = memchr(at, m->pattern[0], room);
        count_work(m, (first ? (size_t)(first - at) : room) / 8);
        if (!first || is_at(m, first, size)) {
            return first;
        }
        at = first + 1;
    }
    return NULL;
}

static bool is_plain(matcher *m)
{
    const size_t size = (size_t)(m->pattern_end - m->pattern);
    count_work(m, size);
    for (size_t i = 0; i < size; i++) {
        if (m->pattern[i] != '\0' && strchr("^$*+?.([%-", m->pattern[i])) {
            return false;
        }
    }
    return true;
}

static int push_found(matcher *m, const char *from, const char *end)
{
    lua_pushinteger(m->lua, from - m->text + 1);
    lua_pushinteger(m->lua, end - m->text);
    return 2;
}

static int search(lua_State *L, bool is_find)
{
    matcher m = begin_match(L, 1, 2);
    const size_t length = (size_t)(m.text_end - m.text);
    const size_t start = read_start(L, 3, length);
    if (start > length) {
        lua_pushnil(L);
        return 1;
    }
    const char *at = m.text + start;
    if (is_find && (lua_toboolean(L, 4) || is_plain(&m))) {
        const char *const found = find_plain(&m, at);
        if (found) {
            return push_found(&m, found, found + (m.pattern_end - m.pattern));
        }
    } else {
        const bool is_anchored = m.pattern < m.pattern_end && *m.pattern == '^';
        m.pattern += is_anchored;
        do {
            const char *const end = match_at(&m, at);
            if (end) {
                return is_find ? push_found(&m, at, end) + push_captures(&m, NULL, NULL)
                               : push_captures(&m, at, end);
            }
        } while (at++ < m.text_end && !is_anchored);
    }
    lua_pushnil(L);
    return 1;
}

static int pattern_find(lua_State *L)
{
    return search(L, true);
}

static int pattern_match(lua_State *L)
{
    return search(L, false);
}

// ---- gmatch ----

// Upvalues: the text, the pattern, where to go on, and where the last match ended, from 0.
static int step_gmatch(lua_State *L)
{
    matcher m = begin_match(L, lua_upvalueindex(1), lua_upvalueindex(2));
    const size_t length = (size_t)(m.text_end - m.text);
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    for (size_t i = (size_t)lua_tointeger(L, lua_upvalueindex(3)); i <= length; i++) {
        const char *const end = match_at(&m, m.text + i);
        if (end && end - m.text != last) {
            lua_pushinteger(L, end - m.text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return push_captures(&m, m.text + i, end);
        }
    }
    return 0;
}

static int pattern_gmatch(lua_State *L)
{
    size_t length;
    (void)luaL_checklstring(L, 1, &length);
    (void)luaL_checkstring(L, 2);
    const size_t start = read_start(L, 3, length);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, step_gmatch, 4);
    return 1;
}

// ---- gsub ----

// Adds what a text says instead of a match: %0 to %9 are captures, %% is a '%'.
static void add_text(matcher *m, luaL_Buffer *out, const char *from, const char *end)
{
    size_t size;
    const char *at = lua_tolstring(m->lua, 3, &size);
    const char *const last = at + size;
    count_work(m, size);
    for (;;) {
        const char *const mark = memchr(at, '%', (size_t)(last - at));
        luaL_addlstring(out, at, (size_t)((mark ? mark : last) - at));
        if (!mark) {
            return;
        }
        at = mark + 2;
        if (mark[1] == '%') {
            luaL_addchar(out, '%');
        } else if (mark[1] == '0') {
            luaL_addlstring(out, from, (size_t)(end - from));
        } else if (is_digit((uint8_t)mark[1])) {
            push_capture(m, mark[1] - '1', from, end);
            luaL_addvalue(out);
        } else {
            luaL_error(m->lua, "invalid use of '%%' in replacement string");
        }
    }
}

// Adds what comes instead of a match; false where that stays.
static bool add_instead(matcher *m, luaL_Buffer *out, const char *from, const char *end)
{
    lua_State *const L = m->lua;
    switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, from, end), 1);
        break;
    case LUA_TTABLE:
        push_capture(m, 0, from, end);
        lua_gettable(L, 3);
        break;
    default:
        add_text(m, out, from, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, from, (size_t)(end - from));
        return false;
    }
    if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
    luaL_addvalue(out);
    return true;
}

static int pattern_gsub(lua_State *L)
{
    matcher m = begin_match(L, 1, 2);
    const int kind = lua_type(L, 3);
    luaL_argexpected(L,
                     kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
                         kind == LUA_TTABLE,
                     3, "string/function/table");
    const lua_Integer most = luaL_optinteger(L, 4, m.text_end - m.text + 1);
    const bool is_anchored = m.pattern < m.pattern_end && *m.pattern == '^';
    const char *at = m.text, *last = NULL;
    lua_Integer count = 0;
    bool is_changed = false;
    luaL_Buffer out;
    m.pattern += is_anchored;
    luaL_buffinit(L, &out);
    while (count < most) {
        const char *const end = match_at(&m, at);
        if (end && end != last) {
            count++;
            is_changed = add_instead(&m, &out, at, end) || is_changed;
            at = last = end;
        } else if (at < m.text_end) {
            luaL_addchar(&out, *at++);
        } else {
            break;
        }
        if (is_anchored) {
            break;
        }
    }
    if (is_changed) {
        luaL_addlstring(&out, at, (size_t)(m.text_end - at));
        luaL_pushresult(&out);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, count);
    return 2;
}

void oct_set_patterns(lua_State *L)
{
    static const luaL_Reg functions[] = {{"find", pattern_find},
                                         {"match", pattern_match},
                                         {"gmatch", pattern_gmatch},
                                         {"gsub", pattern_gsub},
                                         {NULL, NULL}};
    oct_set_functions(L, functions);
}
