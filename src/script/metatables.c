// SPDX-License-Identifier: MIT
// Metatables of scripts. What a script gives to setmetatable is copied into a table of our own when
// it is set, so that what was checked then is what counts: no __gc and no __mode, metamethods that
// are functions, and chains of __index and __newindex tables that end soon. getmetatable returns
// the script's own table.
//
// Lua follows a chain of tables in one instruction. For each table we keep the length of the
// longest chain that has led to it, however it was built; a chain that would be too long is
// refused. The lengths never shrink, so that nothing is to be searched backwards.
#include "script/script_internal.h"

#define CHAIN_MAX 32
#define COPY_STEPS 20u

static const char *const functions[] = {
    "__add",  "__sub", "__mul",  "__div",  "__mod",   "__pow",      "__unm",    "__idiv",
    "__band", "__bor", "__bxor", "__shl",  "__shr",   "__bnot",     "__concat", "__len",
    "__eq",   "__lt",  "__le",   "__call", "__close", "__tostring", "__pairs",  NULL};
static const char *const others[] = {"__name", "__metatable", NULL};
// These may be tables, too.
static const char *const searched[] = {"__index", "__newindex", NULL};
static const char *const refused[] = {"__gc", "__mode", NULL};

// Tables of the host: copies by what they are copies of, and the chains of each kind. Keys and
// values are weak: the collector would follow chains through values that are not, in quadratic
// time.
enum { COPIES = 1, CHAINS };

// A copy has what it is a copy of at this key, which no script has.
static const char original_key;

static void push_kept(lua_State *L, int which)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, oct_host_of(L)->metatables);
    lua_rawgeti(L, -1, which);
    lua_remove(L, -2);
}

static int push_raw(lua_State *L, int table, const char *name)
{
    lua_pushstring(L, name);
    return lua_rawget(L, table);
}

// ---- checks ----

static void check_metatable(lua_State *L, int at)
{
    for (int i = 0; refused[i]; i++) {
        if (push_raw(L, at, refused[i]) != LUA_TNIL) {
            luaL_error(L, "setmetatable: scripts have no %s", refused[i]);
        }
        lua_pop(L, 1);
    }
    for (int i = 0; functions[i]; i++) {
        const int kind = push_raw(L, at, functions[i]);
        if (kind != LUA_TNIL && kind != LUA_TFUNCTION) {
            luaL_error(L, "setmetatable: %s must be a function, not %s", functions[i],
                       oct_what(L, -1));
        }
        lua_pop(L, 1);
    }
    for (int i = 0; searched[i]; i++) {
        const int kind = push_raw(L, at, searched[i]);
        if (kind != LUA_TNIL && kind != LUA_TFUNCTION && kind != LUA_TTABLE) {
            luaL_error(L, "setmetatable: %s must be a function or a table, not %s", searched[i],
                       oct_what(L, -1));
        }
        lua_pop(L, 1);
    }
}

// ---- chains ----

// How long the longest chain is that has led to the table on top of the stack.
static lua_Integer chain_to(lua_State *L, int chains)
{
    lua_pushvalue(L, -1);
    lua_rawget(L, chains);
    const lua_Integer length = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return length;
}

// Replaces the table on top of the stack by the next of its chain; false, and nothing is left,
// where it ends.
static bool push_next(lua_State *L, const char *name)
{
    const int kind = luaL_getmetafield(L, -1, name);
    if (kind != LUA_TNIL) {
        lua_remove(L, -2);
    }
    if (kind == LUA_TTABLE) {
        return true;
    }
    lua_pop(L, 1);
    return false;
}

// The table at 1 gets the metatable at 2: all that it leads to then have longer chains.
static void extend_chains(lua_State *L, int kind)
{
    push_kept(L, CHAINS + kind);
    const int chains = lua_gettop(L);
    lua_pushvalue(L, 1);
    lua_Integer length = chain_to(L, chains);
    lua_pop(L, 1);
    bool is_table = push_raw(L, 2, searched[kind]) == LUA_TTABLE;
    if (!is_table) {
        lua_pop(L, 1);
    }
    while (is_table) {
        if (++length > CHAIN_MAX || lua_rawequal(L, -1, 1)) {
            luaL_error(L, "setmetatable: %s leads through more than %d tables", searched[kind],
                       CHAIN_MAX);
        }
        if (chain_to(L, chains) < length) {
            lua_pushvalue(L, -1);
            lua_pushinteger(L, length);
            lua_rawset(L, chains);
        }
        is_table = push_next(L, searched[kind]);
    }
    lua_pop(L, 1);
}

// ---- copies ----

static bool is_same(lua_State *L, int copy, int original, const char *const *names)
{
    bool is = true;
    for (; is && *names; names++) {
        (void)push_raw(L, copy, *names);
        (void)push_raw(L, original, *names);
        is = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    return is;
}

static void copy_fields(lua_State *L, int copy, int original, const char *const *names)
{
    for (; *names; names++) {
        lua_pushstring(L, *names);
        if (push_raw(L, original, *names) == LUA_TNIL) {
            lua_pop(L, 2);
        } else {
            lua_rawset(L, copy);
        }
    }
}

// Pushes what stands for the metatable at 2: the last copy, if nothing has changed since.
static void push_copy(lua_State *L)
{
    push_kept(L, COPIES);
    lua_pushvalue(L, 2);
    const bool is_known = lua_rawget(L, -2) == LUA_TTABLE;
    lua_remove(L, -2);
    const int copy = lua_gettop(L);
    if (is_known && is_same(L, copy, 2, functions) && is_same(L, copy, 2, others) &&
        is_same(L, copy, 2, searched)) {
        return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    copy_fields(L, copy, 2, functions);
    copy_fields(L, copy, 2, others);
    copy_fields(L, copy, 2, searched);
    lua_pushvalue(L, 2);
    lua_rawsetp(L, copy, &original_key);
    push_kept(L, COPIES);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, copy);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

// ---- functions ----

static int base_setmetatable(lua_State *L)
{
    const int kind = lua_type(L, 2);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, kind == LUA_TNIL || kind == LUA_TTABLE, 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    oct_charge(L, COPY_STEPS);
    lua_settop(L, 2);
    if (kind == LUA_TTABLE) {
        check_metatable(L, 2);
        extend_chains(L, 0);
        extend_chains(L, 1);
        push_copy(L);
    }
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

static int base_getmetatable(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return 1;
    }
    if (!lua_getmetatable(L, 1)) {
        lua_pushnil(L);
        return 1;
    }
    (void)lua_rawgetp(L, -1, &original_key);
    return 1;
}

void oct_bind_metatables(lua_State *L)
{
    static const luaL_Reg both[] = {
        {"setmetatable", base_setmetatable}, {"getmetatable", base_getmetatable}, {NULL, NULL}};
    oct_set_functions(L, both);
    lua_newtable(L); // of all of them
    lua_createtable(L, 0, 1);
    lua_pushstring(L, "kv");
    lua_setfield(L, -2, "__mode");
    for (int i = COPIES; i <= CHAINS + 1; i++) {
        lua_newtable(L);
        lua_pushvalue(L, -2);
        lua_setmetatable(L, -2);
        lua_rawseti(L, -3, i);
    }
    lua_pop(L, 1);
    oct_host_of(L)->metatables = luaL_ref(L, LUA_REGISTRYINDEX);
}
