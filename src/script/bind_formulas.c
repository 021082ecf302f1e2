// SPDX-License-Identifier: MIT
// Formulas: what a script writes is kept as a tree of its own, and made into a formula of the
// library for each agent. So one may be part of several others.
#include "script/script_internal.h"

static const char node_name[] = "octant.formula";
static const char made_name[] = "octant.formula made";

typedef enum node_kind {
    NODE_ALWAYS,
    NODE_EVENTUALLY,
    NODE_NEXT,
    NODE_WEAK_NEXT,
    NODE_NEGATE,
    NODE_TILL,
    NODE_WEAK_TILL,
    NODE_BOTH,
    NODE_EITHER,
    NODE_IMPLIES
} node_kind;

// Its parts are its values: nodes or functions.
typedef struct node {
    node_kind kind;
    int parts;
    uint32_t size, height;
} node;

static const struct {
    const char *name;
    int parts;
    oct_ltl *(*one)(oct_ltl *a);
    oct_ltl *(*two)(oct_ltl *a, oct_ltl *b);
} kinds[] = {{"always", 1, oct_ltl_always, NULL},
             {"eventually", 1, oct_ltl_eventually, NULL},
             {"next", 1, oct_ltl_next, NULL},
             {"weak_next", 1, oct_ltl_weak_next, NULL},
             {"negate", 1, oct_ltl_not, NULL},
             {"till", 2, NULL, oct_ltl_until},
             {"weak_till", 2, NULL, oct_ltl_weak_until},
             {"both", 2, NULL, oct_ltl_and},
             {"either", 2, NULL, oct_ltl_or},
             {"implies", 2, NULL, oct_ltl_implies}};

#define HEIGHT_MAX 64u

bool oct_is_formula(lua_State *L, int at)
{
    return luaL_testudata(L, at, node_name) != NULL;
}

void oct_check_formula(lua_State *L, int at, const char *who, const char *what)
{
    if (!lua_isfunction(L, at) && !oct_is_formula(L, at)) {
        luaL_error(L, "%s: %s must be a function or a formula, not %s", who, what, oct_what(L, at));
    }
}

static int make_node(lua_State *L)
{
    const node_kind kind = (node_kind)lua_tointeger(L, lua_upvalueindex(1));
    node n = {kind, kinds[kind].parts, 1, 1};
    char who[32] = "ltl.";
    strcpy(who + 4, kinds[kind].name);
    for (int i = 1; i <= n.parts; i++) {
        oct_check_formula(L, i, who, i == 1 ? "the first part" : "the second part");
        const node *const part = luaL_testudata(L, i, node_name);
        n.size += part ? part->size : 1;
        if (part && part->height >= n.height) {
            n.height = part->height + 1;
        }
    }
    if (n.size > OCT_LTL_SIZE_MAX / 2 || n.height > HEIGHT_MAX) {
        return luaL_error(L, "%s: the formula is too large", who);
    }
    node *const new = lua_newuserdatauv(L, sizeof *new, 2);
    *new = n;
    luaL_setmetatable(L, node_name);
    for (int i = 1; i <= n.parts; i++) {
        lua_pushvalue(L, i);
        lua_setiuservalue(L, -2, i);
    }
    return 1;
}

// ---- making ----

static int collect_made(lua_State *L)
{
    oct_ltl **const made = luaL_checkudata(L, 1, made_name);
    oct_ltl_destroy(*made);
    *made = NULL;
    return 0;
}

static oct_ltl **push_made(lua_State *L)
{
    oct_ltl **const made = lua_newuserdatauv(L, sizeof *made, 0);
    *made = NULL;
    luaL_setmetatable(L, made_name);
    return made;
}

static oct_ltl *take(oct_ltl **made)
{
    oct_ltl *const formula = *made;
    *made = NULL;
    return formula;
}

// Pushes the formula that the value on top of the stack stands for, in its place.
static oct_ltl **push_formula(lua_State *L, const char *name)
{
    const int at = lua_gettop(L);
    const node *const n = luaL_testudata(L, at, node_name);
    oct_ltl **parts[2] = {NULL, NULL};
    luaL_checkstack(L, 10, "a formula");
    oct_ltl **const made = push_made(L);
    if (!n) {
        const oct_hook hook = oct_callback(L, at, 0, 0);
        *made = oct_ltl_atom(&oct_host_of(L)->budget, name, oct_callback_atom, hook);
    } else {
        for (int i = 0; i < n->parts; i++) {
            lua_getiuservalue(L, at, i + 1);
            parts[i] = push_formula(L, name);
        }
        *made = n->parts == 1 ? kinds[n->kind].one(take(parts[0]))
                              : kinds[n->kind].two(take(parts[0]), take(parts[1]));
    }
    if (!*made) {
        luaL_error(L, "invariant '%s': not enough memory", name);
    }
    lua_settop(L, at + 1);
    lua_remove(L, at);
    return made;
}

oct_ltl *oct_make_formula(lua_State *L, int at, const char *name, bool is_whole)
{
    const bool is_plain = lua_isfunction(L, at);
    lua_pushvalue(L, at);
    oct_ltl **const made = push_formula(L, name);
    return is_plain && is_whole ? oct_ltl_always(take(made)) : take(made);
}

void oct_bind_formulas(lua_State *L)
{
    (void)luaL_newmetatable(L, made_name);
    lua_pushcfunction(L, collect_made);
    lua_setfield(L, -2, "__gc");
    (void)luaL_newmetatable(L, node_name);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_newtable(L);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        lua_pushinteger(L, (lua_Integer)i);
        lua_pushcclosure(L, make_node, 1);
        lua_setfield(L, -2, kinds[i].name);
    }
    lua_setglobal(L, "ltl");
    lua_pop(L, 2);
}
