// SPDX-License-Identifier: MIT
// Goals of touching and taking, of what happens meanwhile, and of properties.
#include "script/script_internal.h"

static int goal_touched(lua_State *L)
{
    return oct_goal_about(L, "touched", oct_goal_touched);
}

static int goal_took(lua_State *L)
{
    return oct_goal_about(L, "took", oct_goal_took);
}

static int goal_avoided(lua_State *L)
{
    static const char who[] = "avoided";
    oct_pick pick;
    goal_box *const child = oct_arg_box(L, 2, BOX_GOAL, who, "what is done");
    lua_settop(L, 2);
    oct_arg_pick(L, 1, who, &pick);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    oct_goal *const taken = oct_take_goal(L, child);
    return oct_fill_goal(L, b, oct_goal_avoided(&oct_host_of(L)->budget, &pick, taken), who);
}

static int goal_survived(lua_State *L)
{
    goal_box *const child = oct_arg_box(L, 1, BOX_GOAL, "survived", "what is done");
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    oct_goal *const taken = oct_take_goal(L, child);
    return oct_fill_goal(L, b, oct_goal_survived(&oct_host_of(L)->budget, taken), "survived");
}

// The goal at index 2, which may be left out.
static goal_box *optional_goal(lua_State *L, const char *who)
{
    lua_settop(L, 2);
    return lua_isnil(L, 2) ? NULL : oct_arg_box(L, 2, BOX_GOAL, who, "what is done");
}

static int goal_game_over(lua_State *L)
{
    static const char who[] = "game_over";
    const char *const how = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
    const oct_over over = strcmp(how, "won") == 0    ? OCT_OVER_WON
                          : strcmp(how, "lost") == 0 ? OCT_OVER_LOST
                                                     : OCT_OVER_NOT;
    if (over == OCT_OVER_NOT) {
        return luaL_error(L, "game_over: 'won' or 'lost', not %s", oct_what(L, 1));
    }
    goal_box *const child = optional_goal(L, who);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    oct_goal *const taken = child ? oct_take_goal(L, child) : NULL;
    return oct_fill_goal(L, b, oct_goal_game_over(&oct_host_of(L)->budget, over, taken), who);
}

static int goal_said(lua_State *L)
{
    static const char who[] = "said";
    const char *const text = oct_arg_text(L, 1, who, "the text");
    goal_box *const child = optional_goal(L, who);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    oct_goal *const taken = child ? oct_take_goal(L, child) : NULL;
    return oct_fill_goal(L, b, oct_goal_said(&oct_host_of(L)->budget, text, taken), who);
}

// What is wanted is a value or a function of the value.
static int goal_property(lua_State *L)
{
    static const char who[] = "property";
    const char *const name = oct_arg_text(L, 2, who, "the property");
    const int kind = lua_type(L, 3);
    oct_pick pick;
    oct_property wanted = {.name = name};
    lua_settop(L, 3);
    if (kind == LUA_TNUMBER) {
        wanted.number = lua_tonumber(L, 3);
    } else if (kind == LUA_TSTRING) {
        wanted.kind = OCT_VALUE_TEXT;
        wanted.text = oct_arg_text(L, 3, who, "the value");
    } else if (kind == LUA_TBOOLEAN) {
        wanted.kind = OCT_VALUE_BOOL;
        wanted.number = lua_toboolean(L, 3);
    } else if (kind != LUA_TFUNCTION) {
        return luaL_error(L, "property: what is wanted is a value or a function of it, not %s",
                          oct_what(L, 3));
    }
    oct_arg_pick(L, 1, who, &pick);
    const oct_hook hook =
        kind == LUA_TFUNCTION ? oct_callback(L, 3, 0, 0) : (oct_hook){.ctx = NULL};
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    const oct_allocator *const budget = &oct_host_of(L)->budget;
    return oct_fill_goal(L, b,
                         kind == LUA_TFUNCTION
                             ? oct_goal_property(budget, &pick, name, oct_callback_property, hook)
                             : oct_goal_property_is(budget, &pick, &wanted),
                         who);
}

void oct_bind_events(lua_State *L)
{
    static const luaL_Reg functions[] = {{"touched", goal_touched},     {"took", goal_took},
                                         {"avoided", goal_avoided},     {"survived", goal_survived},
                                         {"game_over", goal_game_over}, {"said", goal_said},
                                         {"property", goal_property},   {NULL, NULL}};
    lua_pushglobaltable(L);
    oct_set_functions(L, functions);
    lua_pop(L, 1);
}
