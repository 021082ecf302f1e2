// SPDX-License-Identifier: MIT
// Reading what scripts write. Messages say who wants what, and what was given.
#include "script/script_internal.h"

#include <math.h>
#include <stdio.h>

const char *const oct_no_fields[] = {NULL};

const char *oct_what(lua_State *L, int at)
{
    const int kind = lua_type(L, at);
    if (kind == LUA_TSTRING) {
        return lua_pushfstring(L, "'%s'", lua_tostring(L, at));
    }
    if (kind == LUA_TNUMBER || kind == LUA_TBOOLEAN || kind == LUA_TNIL) {
        return luaL_tolstring(L, at, NULL);
    }
    if (kind == LUA_TNONE) {
        return "nothing";
    }
    return oct_to_box(L, at, BOX_GOAL)      ? "a goal"
           : oct_to_box(L, at, BOX_TACTIC)  ? "a tactic"
           : oct_to_box(L, at, BOX_HANDLER) ? "a HANDLE"
           : oct_is_formula(L, at)          ? "a formula"
                                            : lua_pushfstring(L, "a %s", luaL_typename(L, at));
}

// ---- tables ----

// Without metamethods: what is read stays in its table, and nothing of the script runs meanwhile.
int oct_get_field(lua_State *L, int table, const char *name)
{
    table = lua_absindex(L, table);
    lua_pushstring(L, name);
    return lua_rawget(L, table);
}

static bool is_in(const char *const *names, const char *name)
{
    for (; names && *names; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_allowed(lua_State *L, int key, const char *const *names, const char *const *more,
                       int items)
{
    if (lua_type(L, key) == LUA_TSTRING) {
        const char *const name = lua_tostring(L, key);
        return is_in(names, name) || is_in(more, name);
    }
    return lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= items;
}

// Adds names as long as a message can hold them.
static bool add_names(char *out, size_t size, const char *const *names)
{
    for (; names && *names; names++) {
        const size_t used = strlen(out);
        const char *const before = used > 0 ? ", " : "; there are ";
        if (used + strlen(before) + strlen(*names) + sizeof ", ..." > size) {
            (void)snprintf(out + used, size - used, ", ...");
            return false;
        }
        (void)snprintf(out + used, size - used, "%s%s", before, *names);
    }
    return true;
}

int oct_refuse_field(lua_State *L, const char *who, const char *key, const char *const *names,
                     const char *const *more)
{
    char list[120] = ""; // of the 168 bytes that an oct_error has
    (void)(add_names(list, sizeof list, names) && add_names(list, sizeof list, more));
    return luaL_error(L, "%s: there is no field %s%s", who, key, list);
}

// Of several that are wrong the message names the first in the order of text.
void oct_check_fields(lua_State *L, int table, const char *who, const char *const *names,
                      const char *const *more, int items)
{
    char worst[64] = "";
    bool has_worst = false;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const int top = lua_gettop(L);
        oct_charge(L, FIELD_STEPS);
        char key[64] = "";
        if (is_allowed(L, -2, names, more, items)) {
            continue;
        }
        // What it is may be pushed, or not: lua_next must find the key where it was.
        (void)snprintf(key, sizeof key, "%s", oct_what(L, top - 1));
        lua_settop(L, top);
        if (!has_worst || strcmp(key, worst) < 0) {
            memcpy(worst, key, sizeof worst);
            has_worst = true;
        }
    }
    if (has_worst) {
        (void)oct_refuse_field(L, who, worst, names, more);
    }
}

void oct_check_table(lua_State *L, int at, const char *who, const char *what)
{
    if (!lua_istable(L, at)) {
        luaL_error(L, "%s: %s must be a table, not %s", who, what, oct_what(L, at));
    }
}

void oct_check_function(lua_State *L, int at, const char *who, const char *what)
{
    if (!lua_isfunction(L, at)) {
        luaL_error(L, "%s: %s must be a function, not %s", who, what, oct_what(L, at));
    }
}

// ---- values ----

double oct_arg_number(lua_State *L, int at, const char *who, const char *what, double min,
                      double max)
{
    const double value = lua_type(L, at) == LUA_TNUMBER ? lua_tonumber(L, at) : HUGE_VAL;
    if (!(value >= min && value <= max)) {
        luaL_error(L, "%s: %s must be a number from %f to %f, not %s", who, what, min, max,
                   oct_what(L, at));
    }
    return value;
}

static uint64_t check_integer(lua_State *L, int at, const char *who, const char *what, uint64_t min,
                              uint64_t max)
{
    int is_integer = 0;
    const lua_Integer value =
        lua_type(L, at) == LUA_TNUMBER ? lua_tointegerx(L, at, &is_integer) : 0;
    if (!is_integer || value < 0 || (uint64_t)value < min || (uint64_t)value > max) {
        luaL_error(L, "%s: %s must be a whole number from %I to %I, not %s", who, what,
                   (LUAI_UACINT)min, (LUAI_UACINT)(max < INT64_MAX ? max : INT64_MAX),
                   oct_what(L, at));
    }
    return (uint64_t)value;
}

uint64_t oct_arg_integer(lua_State *L, int at, const char *who, const char *what, uint64_t max)
{
    return check_integer(L, at, who, what, 0, max);
}

const char *oct_arg_text(lua_State *L, int at, const char *who, const char *what)
{
    size_t length = 0;
    const char *const text = lua_type(L, at) == LUA_TSTRING ? lua_tolstring(L, at, &length) : NULL;
    oct_charge(L, length / TEXT_BYTES_A_STEP);
    if (!text || strlen(text) != length) {
        luaL_error(L, "%s: %s must be a text, not %s", who, what,
                   text ? "one with zero bytes" : oct_what(L, at));
    }
    return text;
}

bool oct_is_point(lua_State *L, int at)
{
    if (!lua_istable(L, at)) {
        return false;
    }
    at = lua_absindex(L, at);
    const bool is_list = lua_rawgeti(L, at, 1) != LUA_TNIL;
    const bool has_x = oct_get_field(L, at, "x") != LUA_TNIL;
    lua_pop(L, 2);
    return is_list || has_x;
}

oct_point oct_arg_point(lua_State *L, int at, const char *who, const char *what)
{
    static const char *const names[] = {"x", "y", "z"};
    double values[3];
    at = lua_absindex(L, at);
    if (!oct_is_point(L, at)) {
        luaL_error(L, "%s: %s must be a point such as {1, 2, 3}, not %s", who, what,
                   oct_what(L, at));
    }
    for (int i = 0; i < 3; i++) {
        if (lua_rawgeti(L, at, i + 1) == LUA_TNIL) {
            lua_pop(L, 1);
            (void)oct_get_field(L, at, names[i]);
        }
        values[i] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : HUGE_VAL;
        if (!(fabs(values[i]) <= 1e12)) {
            luaL_error(L, "%s: %s of %s must be a number, not %s", who, names[i], what,
                       oct_what(L, -1));
        }
        lua_pop(L, 1);
    }
    return (oct_point){values[0], values[1], values[2]};
}

void oct_push_point(lua_State *L, oct_point p)
{
    static const char *const names[] = {"x", "y", "z"};
    const double values[] = {p.x, p.y, p.z};
    lua_createtable(L, 3, 3);
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, values[i]);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, i + 1);
        lua_setfield(L, -2, names[i]);
    }
}

// ---- fields ----

// Pushes the field; nothing where it is nil.
static bool push_field(lua_State *L, int table, const char *name)
{
    if (oct_get_field(L, table, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    return true;
}

bool oct_field_number(lua_State *L, int table, const char *who, const char *name, double min,
                      double max, double *out)
{
    if (!push_field(L, table, name)) {
        return false;
    }
    *out = oct_arg_number(L, -1, who, name, min, max);
    lua_pop(L, 1);
    return true;
}

bool oct_field_integer(lua_State *L, int table, const char *who, const char *name, uint64_t min,
                       uint64_t max, uint64_t *out)
{
    if (!push_field(L, table, name)) {
        return false;
    }
    *out = check_integer(L, -1, who, name, min, max);
    lua_pop(L, 1);
    return true;
}

// The text stays in its table.
bool oct_field_text(lua_State *L, int table, const char *who, const char *name, const char **out)
{
    if (!push_field(L, table, name)) {
        return false;
    }
    *out = oct_arg_text(L, -1, who, name);
    lua_pop(L, 1);
    return true;
}

bool oct_field_bool(lua_State *L, int table, const char *who, const char *name, bool *out)
{
    if (!push_field(L, table, name)) {
        return false;
    }
    if (!lua_isboolean(L, -1)) {
        luaL_error(L, "%s: %s must be true or false, not %s", who, name, oct_what(L, -1));
    }
    *out = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return true;
}

static int refuse_word(lua_State *L, const char *who, const char *name, const char *const *words)
{
    const char *const given = oct_what(L, -1);
    lua_pushstring(L, "");
    for (int i = 0; words[i]; i++) {
        lua_pushfstring(L, "%s'%s'", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
        lua_concat(L, 2);
    }
    return luaL_error(L, "%s: %s must be %s, not %s", who, name, lua_tostring(L, -1), given);
}

// Which of the words is on top of the stack, which is popped.
static int pop_word(lua_State *L, const char *who, const char *name, const char *const *words)
{
    const char *const text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            lua_pop(L, 1);
            return i;
        }
    }
    return refuse_word(L, who, name, words);
}

bool oct_field_word(lua_State *L, int table, const char *who, const char *name,
                    const char *const *words, int *out)
{
    if (!push_field(L, table, name)) {
        return false;
    }
    *out = pop_word(L, who, name, words);
    return true;
}

uint32_t oct_field_words(lua_State *L, int table, const char *who, const char *name,
                         const char *const *words)
{
    uint32_t bits = 0;
    if (!push_field(L, table, name)) {
        return 0;
    }
    const int list = lua_gettop(L);
    oct_check_table(L, list, who, name);
    const lua_Unsigned count = lua_rawlen(L, list);
    oct_check_fields(L, list, who, oct_no_fields, NULL, count < INT32_MAX ? (int)count : 0);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        bits |= 1u << pop_word(L, who, name, words);
    }
    lua_pop(L, 1);
    return bits;
}

bool oct_field_point(lua_State *L, int table, const char *who, const char *name, oct_point *out)
{
    if (!push_field(L, table, name)) {
        return false;
    }
    *out = oct_arg_point(L, -1, who, name);
    lua_pop(L, 1);
    return true;
}

int oct_field_function(lua_State *L, int table, const char *who, const char *name)
{
    if (!push_field(L, table, name)) {
        return 0;
    }
    oct_check_function(L, -1, who, name);
    return lua_gettop(L);
}
