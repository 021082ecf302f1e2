// SPDX-License-Identifier: MIT
// The table library, with its work counted. Its C functions would run for ever over a table that
// claims any length, so that they take plain tables alone; sorting is a merge sort, which is stable
// and takes n log n steps whatever the comparison answers. Texts are compared by their bytes: the
// locale has no say, and what they have in common is charged.
#include "script/script_internal.h"

#include <lualib.h>

#define ITEM_STEPS 4u    // of an item of concat: it may be a number that is written
#define BYTES_A_STEP 64u // of two texts that are compared

// The table at an index, without metamethods that would act for its items; how long it is.
static lua_Unsigned check_plain(lua_State *L, int at, const char *who)
{
    static const char *const refused[] = {"__index", "__newindex", "__len"};
    oct_check_table(L, at, who, "a list");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (luaL_getmetafield(L, at, refused[i]) != LUA_TNIL) {
            luaL_error(L, "%s: lists with %s are not taken", who, refused[i]);
        }
    }
    return lua_rawlen(L, at);
}

// Calls the function that it stands for with all arguments.
static int go_on(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

// Counts the items from `first` to `last`.
static void charge_range(lua_State *L, lua_Integer first, lua_Integer last)
{
    if (first <= last) {
        oct_charge(L, (lua_Unsigned)last - (lua_Unsigned)first);
    }
}

static int table_concat(lua_State *L)
{
    const lua_Unsigned length = check_plain(L, 1, "table.concat");
    // It ends at the first item that is missing.
    oct_charge(L, ITEM_STEPS * length);
    return go_on(L);
}

static int table_insert(lua_State *L)
{
    const lua_Unsigned length = check_plain(L, 1, "table.insert");
    oct_charge(L, lua_gettop(L) > 2 ? length : 1);
    return go_on(L);
}

static int table_remove(lua_State *L)
{
    const lua_Unsigned length = check_plain(L, 1, "table.remove");
    oct_charge(L, lua_gettop(L) > 1 ? length : 1);
    return go_on(L);
}

static int table_move(lua_State *L)
{
    (void)check_plain(L, 1, "table.move");
    if (!lua_isnoneornil(L, 5)) {
        (void)check_plain(L, 5, "table.move");
    }
    charge_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return go_on(L);
}

static int table_unpack(lua_State *L)
{
    const lua_Unsigned length = check_plain(L, 1, "table.unpack");
    charge_range(L, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, (lua_Integer)length));
    return go_on(L);
}

static int table_pack(lua_State *L)
{
    oct_charge(L, (uint64_t)lua_gettop(L));
    return go_on(L);
}

// ---- sorting ----

// Whether a text comes before another: by their bytes, a shorter one first.
static bool is_less_text(lua_State *L, int left, int right)
{
    size_t a_length, b_length;
    const char *const a = lua_tolstring(L, left, &a_length);
    const char *const b = lua_tolstring(L, right, &b_length);
    const size_t least = a_length < b_length ? a_length : b_length;
    oct_charge(L, least / BYTES_A_STEP);
    const int differs = memcmp(a, b, least);
    return differs != 0 ? differs < 0 : a_length < b_length;
}

// Whether the item at `b` of the list at index `list` comes before that at `a`.
static bool comes_before(lua_State *L, int list, lua_Integer b, lua_Integer a, bool has_function)
{
    bool is_less;
    if (has_function) {
        lua_pushvalue(L, 2);
        lua_rawgeti(L, list, b);
        lua_rawgeti(L, list, a);
        lua_call(L, 2, 1);
        is_less = lua_toboolean(L, -1);
        lua_pop(L, 1);
    } else {
        lua_rawgeti(L, list, b);
        lua_rawgeti(L, list, a);
        is_less = lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING
                      ? is_less_text(L, -2, -1)
                      : lua_compare(L, -2, -1, LUA_OPLT);
        lua_pop(L, 2);
    }
    return is_less;
}

// Merges [begin, middle) and [middle, end) of one list into the other.
static void merge(lua_State *L, int from, int to, const lua_Integer at[3], bool has_function)
{
    lua_Integer left = at[0], right = at[1];
    for (lua_Integer i = at[0]; i < at[2]; i++) {
        const bool takes_right =
            left >= at[1] || (right < at[2] && comes_before(L, from, right, left, has_function));
        lua_rawgeti(L, from, takes_right ? right++ : left++);
        lua_rawseti(L, to, i);
    }
}

static lua_Integer at_most(lua_Integer a, lua_Integer b)
{
    return a < b ? a : b;
}

static int table_sort(lua_State *L)
{
    const lua_Integer count = (lua_Integer)check_plain(L, 1, "table.sort");
    const bool has_function = !lua_isnoneornil(L, 2);
    if (has_function) {
        oct_check_function(L, 2, "table.sort", "the comparison");
    }
    oct_charge(L, 4 * (uint64_t)count * oct_bit_length((uint64_t)count));
    lua_settop(L, 2);
    // An odd number: nothing that looks like the keys of a large table (limits.c).
    lua_createtable(L, (int)count | 1, 0);
    lua_createtable(L, (int)count | 1, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, i);
        lua_rawseti(L, 3, i);
    }
    int from = 3, to = 4;
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer i = 1; i <= count; i += 2 * width) {
            const lua_Integer ends[3] = {i, at_most(i + width, count + 1),
                                         at_most(i + 2 * width, count + 1)};
            merge(L, from, to, ends, has_function);
        }
        const int sorted = to;
        to = from;
        from = sorted;
    }
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, from, i);
        lua_rawseti(L, 1, i);
    }
    return 0;
}

void oct_patch_table(lua_State *L)
{
    static const luaL_Reg counted[] = {
        {"concat", table_concat},
        {"insert", table_insert},
        {"remove", table_remove},
        {"move", table_move},
        {"unpack", table_unpack},
        {"pack", table_pack},
        {NULL, NULL},
    };
    lua_getglobal(L, LUA_TABLIBNAME);
    for (const luaL_Reg *each = counted; each->name; each++) {
        lua_getfield(L, -1, each->name);
        lua_pushcclosure(L, each->func, 1);
        lua_setfield(L, -2, each->name);
    }
    lua_pushcfunction(L, table_sort);
    lua_setfield(L, -2, "sort");
    lua_pop(L, 1);
}
