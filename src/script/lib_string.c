// SPDX-License-Identifier: MIT
// The string library, with patterns that end: matching takes up to as many steps as the subject is
// long, to the power of the pattern's quantifiers, and nothing counts them.
#include "script/script_internal.h"

#include <lualib.h>

// Steps that one call may take at worst.
#define PATTERN_STEPS 1e9
// Steps in the time of an instruction, where the worst seldom happens.
#define PATTERN_SHARE 1e4

// Calls the function that it stands for with all arguments.
static int go_on(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

// ---- patterns ----

// The most steps that a pattern can take. Characters that would be plain in a set count too.
static double worst_of(const char *pattern, size_t size, size_t length)
{
    const double each = (double)length + 1.0;
    double steps = (double)size * (size > 0 && pattern[0] == '^' ? 1.0 : each);
    for (size_t i = 0; i < size && steps <= PATTERN_STEPS; i++) {
        switch (pattern[i]) {
        case '%': // %b and %1 look at the subject, too
            i++;
            steps *= i < size && (pattern[i] == 'b' || (pattern[i] >= '0' && pattern[i] <= '9'))
                         ? each
                         : 1.0;
            break;
        case '*':
        case '+':
        case '-':
            steps *= each;
            break;
        case '?':
            steps *= 2.0;
            break;
        default:
            break;
        }
    }
    return steps;
}

static void check_pattern(lua_State *L, const char *who)
{
    size_t length, size;
    (void)luaL_checklstring(L, 1, &length);
    const char *const pattern = luaL_checklstring(L, 2, &size);
    const double steps = worst_of(pattern, size, length);
    if (steps > PATTERN_STEPS) {
        luaL_error(L, "%s: the pattern could take too long for a text of %d bytes", who,
                   (int)length);
    }
    oct_charge(L, length / 8 + (uint64_t)(steps / PATTERN_SHARE));
}

static int string_find(lua_State *L)
{
    if (lua_toboolean(L, 4)) {
        size_t length, size;
        (void)luaL_checklstring(L, 1, &length);
        (void)luaL_checklstring(L, 2, &size);
        oct_charge(L, length / 8 + length / 1024 * (size / 1024));
    } else {
        check_pattern(L, "string.find");
    }
    return go_on(L);
}

static int string_match(lua_State *L)
{
    check_pattern(L, "string.match");
    return go_on(L);
}

static int string_gmatch(lua_State *L)
{
    check_pattern(L, "string.gmatch");
    return go_on(L);
}

static int string_gsub(lua_State *L)
{
    check_pattern(L, "string.gsub");
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
    oct_charge(L, count > 0 ? (uint64_t)count / 8 : 0);
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
    }
    return go_on(L);
}

void oct_patch_string(lua_State *L)
{
    static const luaL_Reg counted[] = {
        {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch},
        {"gsub", string_gsub}, {"rep", string_rep},     {"format", string_format},
        {NULL, NULL},
    };
    lua_getglobal(L, LUA_STRLIBNAME);
    for (const luaL_Reg *each = counted; each->name; each++) {
        lua_getfield(L, -1, each->name);
        lua_pushcclosure(L, each->func, 1);
        lua_setfield(L, -2, each->name);
    }
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    // Texts find these functions through a metatable that nobody else gets.
    lua_pushstring(L, "");
    lua_getmetatable(L, -1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 3);
}
