// SPDX-License-Identifier: MIT
// The libraries that scripts have, and the basic functions that are not as Lua has them: tables are
// walked in the order of their keys and nothing shows an address, so that a script does the same in
// every run; nothing loads code, and nothing runs when garbage is collected.
#include "script/script_internal.h"

#include <lualib.h>

#include <math.h>
#include <stdlib.h>

#define VALUES_A_STEP 4u // that are pushed
#define BYTES_A_STEP 64u // of two texts that are compared

// Calls the function that it stands for with all arguments.
static int go_on(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

void oct_set_functions(lua_State *L, const luaL_Reg *functions)
{
    for (; functions->name; functions++) {
        if (functions->func) {
            lua_pushcfunction(L, functions->func);
        } else {
            lua_pushnil(L);
        }
        lua_setfield(L, -2, functions->name);
    }
}

// ---- text ----

const char *oct_push_text(lua_State *L, int at)
{
    at = lua_absindex(L, at);
    if (luaL_callmeta(L, at, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING) {
            luaL_error(L, "__tostring must return a string");
        }
        return lua_tostring(L, -1);
    }
    switch (lua_type(L, at)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
    case LUA_TBOOLEAN:
    case LUA_TNIL:
        return luaL_tolstring(L, at, NULL);
    default:
        return lua_pushstring(L, luaL_typename(L, at));
    }
}

static int base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    (void)oct_push_text(L, 1);
    return 1;
}

static int base_print(lua_State *L)
{
    const int count = lua_gettop(L);
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1) {
            luaL_addchar(&line, ' ');
        }
        (void)oct_push_text(L, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    oct_host_note(oct_host_of(L), lua_tostring(L, -1));
    return 0;
}

// ---- walking tables ----

// A key that has an order: false, true, numbers, strings.
typedef struct ordered_key {
    int kind;
    bool is_integer;
    lua_Integer integer;
    lua_Number number;
    const char *text; // the table's
    size_t length;
} ordered_key;

static ordered_key read_key(lua_State *L, int at)
{
    ordered_key k = {.kind = lua_type(L, at)};
    switch (k.kind) {
    case LUA_TBOOLEAN:
        k.integer = lua_toboolean(L, at);
        break;
    case LUA_TNUMBER:
        k.is_integer = lua_isinteger(L, at);
        k.integer = k.is_integer ? lua_tointeger(L, at) : 0;
        k.number = lua_tonumber(L, at);
        break;
    case LUA_TSTRING:
        k.text = lua_tolstring(L, at, &k.length);
        break;
    default:
        luaL_error(L, "pairs, next: a key that is a %s has no order that is the same in every run",
                   luaL_typename(L, at));
    }
    return k;
}

static int order(lua_Integer a, lua_Integer b)
{
    return a < b ? -1 : a > b;
}

static int compare_keys(const void *left, const void *right)
{
    const ordered_key *const a = left, *const b = right;
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->kind == LUA_TSTRING) {
        const size_t least = a->length < b->length ? a->length : b->length;
        const int differs = memcmp(a->text, b->text, least);
        return differs != 0 ? differs : a->length < b->length ? -1 : a->length > b->length;
    }
    if (a->number < b->number || a->number > b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return order(a->integer, b->integer);
}

// How many there are, and the bytes of those that are texts.
static size_t count_keys(lua_State *L, int table, size_t *bytes)
{
    size_t count = 0;
    *bytes = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        *bytes += lua_type(L, -2) == LUA_TSTRING ? (size_t)lua_rawlen(L, -2) : 0;
        count++;
    }
    return count;
}

void oct_push_keys(lua_State *L, int table)
{
    size_t bytes;
    const size_t count = count_keys(L, table, &bytes);
    oct_charge(L, (count + bytes / BYTES_A_STEP) * oct_bit_length(count));
    ordered_key *const keys = lua_newuserdatauv(L, (count + 1) * sizeof *keys, 0);
    size_t i = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        keys[i++] = read_key(L, -2);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    lua_createtable(L, (int)count, 0);
    for (i = 0; i < count; i++) {
        const ordered_key *const k = &keys[i];
        if (k->kind == LUA_TSTRING) {
            lua_pushlstring(L, k->text, k->length);
        } else if (k->kind == LUA_TBOOLEAN) {
            lua_pushboolean(L, k->integer != 0);
        } else if (k->is_integer) {
            lua_pushinteger(L, k->integer);
        } else {
            lua_pushnumber(L, k->number);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

// Upvalues: the keys, and how many were given. Keys that have gone meanwhile are passed over. A
// script may keep this function and call it with anything.
static int step_pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
    for (;;) {
        if (lua_rawgeti(L, lua_upvalueindex(1), ++i) == LUA_TNIL) {
            return 1;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) {
            break;
        }
        lua_pop(L, 2);
        oct_charge(L, 1);
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
}

static int base_pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    oct_push_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, step_pairs, 2);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static int base_next(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    const bool begins = lua_isnil(L, 2);
    const ordered_key from = begins ? (ordered_key){0} : read_key(L, 2);
    ordered_key best = {0};
    bool has_best = false;
    uint64_t steps = 0;
    lua_pushnil(L); // the best, and its value
    lua_pushnil(L);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        const ordered_key k = read_key(L, -2);
        steps += 1 + k.length / BYTES_A_STEP;
        if ((begins || compare_keys(&k, &from) > 0) && (!has_best || compare_keys(&k, &best) < 0)) {
            best = k;
            has_best = true;
            lua_pushvalue(L, -2);
            lua_replace(L, 3);
            lua_pushvalue(L, -1);
            lua_replace(L, 4);
        }
    }
    oct_charge(L, steps);
    return has_best ? 2 : 1;
}

// ---- values ----

// It pushes all that follow.
static int base_select(lua_State *L)
{
    oct_charge(L, (uint64_t)lua_gettop(L) / VALUES_A_STEP);
    return go_on(L);
}

static int base_tonumber(lua_State *L)
{
    size_t length = 0;
    if (lua_type(L, 1) == LUA_TSTRING) {
        (void)lua_tolstring(L, 1, &length);
    }
    oct_charge(L, length);
    return go_on(L);
}

// ---- errors ----

// The upvalue is the script's handler. Beyond its limits a script handles nothing any more: each
// handler would raise again, and call the next.
static int handle(lua_State *L)
{
    return oct_host_of(L)->is_exceeded ? 1 : go_on(L);
}

static int base_xpcall(lua_State *L)
{
    oct_check_function(L, 2, "xpcall", "the handler");
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle, 1);
    lua_replace(L, 2);
    return go_on(L);
}

// ---- all ----

static void wrap(lua_State *L, const char *name, lua_CFunction function)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

void oct_patch_base(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"print", base_print},
        {"pairs", base_pairs},
        {"next", base_next},
        {"tostring", base_tostring},
        {"collectgarbage", NULL},
        {"dofile", NULL},
        {"load", NULL},
        {"loadfile", NULL},
        {"require", NULL},
        {"warn", NULL},
        {NULL, NULL},
    };
    lua_pushglobaltable(L);
    oct_set_functions(L, functions);
    wrap(L, "select", base_select);
    wrap(L, "tonumber", base_tonumber);
    wrap(L, "xpcall", base_xpcall);
    oct_bind_metatables(L);
    lua_pop(L, 1);
}

// Functions of Lua that ours stand for have no name when they complain, unless they are in this
// table, which scripts do not see.
static void keep_names(lua_State *L, const char *library)
{
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_newtable(L);
    lua_getglobal(L, library);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -6);
    }
    lua_pop(L, 1);
    lua_setfield(L, -2, library);
    lua_pop(L, 1);
}

void oct_open_libraries(lua_State *L)
{
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},       {LUA_STRLIBNAME, luaopen_string},
        {LUA_TABLIBNAME, luaopen_table}, {LUA_MATHLIBNAME, luaopen_math},
        {LUA_UTF8LIBNAME, luaopen_utf8},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
    keep_names(L, LUA_STRLIBNAME);
    keep_names(L, LUA_TABLIBNAME);
    oct_patch_math(L);
    oct_patch_base(L);
    oct_patch_string(L);
    oct_patch_table(L);
}
