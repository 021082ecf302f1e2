// SPDX-License-Identifier: MIT
// The string library and utf8, at the price of what they do. Patterns are in pattern.c.
//
// The idea of the prices: a step takes about as long as an instruction, some nanoseconds. Memory
// that a function takes is charged by the allocator; here the rest is, before it is done: bytes
// that are looked at one by one, values that are pushed, pieces that are put together.
#include "script/script_internal.h"

#include <lualib.h>

#define BYTES_A_STEP 8u   // looked at one by one
#define FORMAT_STEPS 100u // of one conversion: "%99.99f" of a large number takes a microsecond
#define PACK_STEPS 2u     // of one letter of a format of pack

// Calls the function that it stands for with all arguments.
static int go_on(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static size_t text_length(lua_State *L, int at)
{
    size_t length = 0;
    if (lua_type(L, at) == LUA_TSTRING) {
        (void)lua_tolstring(L, at, &length);
    }
    return length;
}

// For what looks at each byte of its first argument, or each of its arguments.
static int go_on_by_length(lua_State *L)
{
    oct_charge(L, text_length(L, 1) / BYTES_A_STEP + (uint64_t)lua_gettop(L));
    return go_on(L);
}

// For what looks at the bytes, or pushes the values, from its second to its third argument.
static int go_on_by_range(lua_State *L)
{
    const lua_Integer length = (lua_Integer)text_length(L, 1);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    lua_Integer last = luaL_optinteger(L, 3, first);
    first = first < -length ? 1 : first < 0 ? length + first + 1 : first;
    last = last > length ? length : last < 0 ? length + last + 1 : last;
    oct_charge(L, first <= last ? (uint64_t)(last - first) : 0);
    return go_on(L);
}

// ---- repeating ----

// Nothing, repeated, is nothing: Lua would count up to any number for it.
static int string_rep(lua_State *L)
{
    size_t length, between = 0;
    (void)luaL_checklstring(L, 1, &length);
    const lua_Integer count = luaL_checkinteger(L, 2);
    (void)luaL_optlstring(L, 3, "", &between);
    if (length == 0 && between == 0) {
        lua_pushstring(L, "");
        return 1;
    }
    oct_charge(L, count > 0 ? (uint64_t)count / 2 : 0);
    return go_on(L);
}

// ---- formats ----

// The conversion letter of a format that begins after a '%'.
static const char *find_letter(const char *at, const char *end)
{
    while (at < end && strchr("-+ #0123456789.", *at) && *at) {
        at++;
    }
    return at;
}

// Values for %s are turned into text here, and %p has no meaning: both would show addresses.
static int string_format(lua_State *L)
{
    size_t size;
    const char *at = luaL_checklstring(L, 1, &size);
    const char *const end = at + size;
    oct_charge(L, size / BYTES_A_STEP);
    for (int arg = 1; at < end; at++) {
        if (*at != '%') {
            continue;
        }
        at = find_letter(at + 1, end);
        if (at >= end || *at == '%') {
            continue;
        }
        arg++;
        if (*at == 'p') {
            return luaL_error(L, "string.format: scripts have no %%p");
        }
        if (*at == 's' && arg <= lua_gettop(L) && lua_type(L, arg) != LUA_TSTRING) {
            (void)oct_push_text(L, arg);
            lua_replace(L, arg);
        }
        // %s and %q look at each byte.
        oct_charge(L, FORMAT_STEPS + text_length(L, arg) / BYTES_A_STEP);
    }
    return go_on(L);
}

// ---- packing ----

// What is packed is memory. Each letter of the format takes time, and so does looking for the zero
// that ends a text.
static int string_pack(lua_State *L)
{
    uint64_t steps = PACK_STEPS * text_length(L, 1);
    for (int i = 2; i <= lua_gettop(L); i++) {
        steps += 1 + text_length(L, i) / BYTES_A_STEP;
    }
    oct_charge(L, steps);
    return go_on(L);
}

static int string_packsize(lua_State *L)
{
    oct_charge(L, PACK_STEPS * text_length(L, 1));
    return go_on(L);
}

static int string_unpack(lua_State *L)
{
    size_t size;
    const char *const format = luaL_checklstring(L, 1, &size);
    uint64_t zeros = 0;
    for (size_t i = 0; i < size; i++) {
        zeros += format[i] == 'z';
    }
    oct_charge(L, PACK_STEPS * size + zeros * (text_length(L, 2) / BYTES_A_STEP));
    return go_on(L);
}

// ---- utf8 ----

// Bytes that go on a character, from a place (from 0) on.
static size_t count_parts(const char *text, size_t length, lua_Integer from)
{
    size_t at = from >= 0 && (lua_Unsigned)from < length ? (size_t)from : length;
    const size_t first = at;
    while (at < length && ((unsigned char)text[at] & 0xc0u) == 0x80u) {
        at++;
    }
    return at - first;
}

// Upvalue: Lua's own step, which passes over all that go on the last character.
static int step_codes(lua_State *L)
{
    size_t length;
    const char *const text = luaL_checklstring(L, 1, &length);
    const lua_Integer at = luaL_checkinteger(L, 2);
    oct_charge(L, 1 + count_parts(text, length, at) / BYTES_A_STEP);
    return go_on(L);
}

static int utf8_codes(lua_State *L)
{
    const int count = go_on(L);
    lua_pushvalue(L, -count);
    lua_pushcclosure(L, step_codes, 1);
    lua_replace(L, -count - 1);
    return count;
}

// ---- all ----

static void wrap_all(lua_State *L, const luaL_Reg *functions)
{
    for (; functions->name; functions++) {
        lua_getfield(L, -1, functions->name);
        lua_pushcclosure(L, functions->func, 1);
        lua_setfield(L, -2, functions->name);
    }
}

void oct_patch_string(lua_State *L)
{
    static const luaL_Reg of_string[] = {
        {"byte", go_on_by_range},
        {"char", go_on_by_length},
        {"format", string_format},
        {"lower", go_on_by_length},
        {"pack", string_pack},
        {"packsize", string_packsize},
        {"rep", string_rep},
        {"reverse", go_on_by_length},
        {"unpack", string_unpack},
        {"upper", go_on_by_length},
        {NULL, NULL},
    };
    static const luaL_Reg of_utf8[] = {
        {"char", go_on_by_length}, {"codepoint", go_on_by_range}, {"codes", utf8_codes},
        {"len", go_on_by_length},  {"offset", go_on_by_length},   {NULL, NULL},
    };
    lua_getglobal(L, LUA_STRLIBNAME);
    wrap_all(L, of_string);
    oct_set_patterns(L);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    // Texts find these functions through a metatable that nobody else gets.
    lua_pushstring(L, "");
    lua_getmetatable(L, -1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 3);
    lua_getglobal(L, LUA_UTF8LIBNAME);
    wrap_all(L, of_utf8);
    lua_pop(L, 1);
}
