// SPDX-License-Identifier: MIT
// Goals and tactics in scripts: boxes that own one until something takes it.
#include "script/script_internal.h"

static const char *const kinds[] = {"octant.goal", "octant.tactic", "octant.handler"};
static const char *const names[] = {"a goal", "a tactic", "a HANDLE"};

goal_box *oct_push_box(lua_State *L, box_kind kind)
{
    oct_charge(L, BOX_STEPS);
    oct_make_room(L);
    goal_box *const b = lua_newuserdatauv(L, sizeof *b, 1);
    *b = (goal_box){.kind = kind};
    luaL_setmetatable(L, kinds[kind]);
    oct_host_of(L)->was_refused = false;
    return b;
}

int oct_fill_goal(lua_State *L, goal_box *b, oct_goal *goal, const char *who)
{
    b->goal = goal;
    return goal ? 1 : oct_raise_null(L, who);
}

int oct_fill_tactic(lua_State *L, goal_box *b, oct_tactic *tactic, const char *who)
{
    b->tactic = tactic;
    return tactic ? 1 : oct_raise_null(L, who);
}

goal_box *oct_to_box(lua_State *L, int at, box_kind kind)
{
    return luaL_testudata(L, at, kinds[kind]);
}

static void check_free(lua_State *L, const goal_box *b, const char *who, const char *what)
{
    if (b->is_taken && b->line > 0) {
        luaL_error(L, "%s: %s is part of something else since line %d: make another one", who, what,
                   b->line);
    }
    if (b->is_taken) {
        luaL_error(L, "%s: %s was taken before: make another one", who, what);
    }
    if (!b->goal && !b->tactic) {
        luaL_error(L, "%s: %s was not made", who, what);
    }
}

goal_box *oct_arg_box(lua_State *L, int at, box_kind kind, const char *who, const char *what)
{
    goal_box *const b = oct_to_box(L, at, kind);
    if (!b) {
        luaL_error(L, "%s: %s must be %s, not %s", who, what, names[kind], oct_what(L, at));
    }
    check_free(L, b, who, what);
    return b;
}

static void take(lua_State *L, goal_box *b)
{
    char ignored[HOST_PLACE];
    b->is_taken = true;
    (void)oct_script_place(L, ignored, sizeof ignored, &b->line);
}

oct_goal *oct_take_goal(lua_State *L, goal_box *b)
{
    oct_goal *const goal = b->goal;
    take(L, b);
    b->goal = NULL;
    return goal;
}

oct_tactic *oct_take_tactic(lua_State *L, goal_box *b)
{
    oct_tactic *const tactic = b->tactic;
    take(L, b);
    b->tactic = NULL;
    return tactic;
}

goal_box **oct_push_boxes(lua_State *L, int table, box_kind kind, const char *who, size_t *count)
{
    const lua_Unsigned length = lua_rawlen(L, table);
    const uint64_t mark = ++oct_host_of(L)->marks;
    oct_check_fields(L, table, who, oct_no_fields, NULL, length < INT32_MAX ? (int)length : 0);
    goal_box **const boxes = lua_newuserdatauv(L, ((size_t)length + 1) * sizeof *boxes, 0);
    for (lua_Unsigned i = 0; i < length; i++) {
        const char *const what = lua_pushfstring(L, "item %I", (LUAI_UACINT)i + 1);
        lua_rawgeti(L, table, (lua_Integer)i + 1);
        boxes[i] = oct_arg_box(L, -1, kind, who, what);
        if (boxes[i]->mark == mark) {
            luaL_error(L, "%s: %s is there twice: make another one", who, what);
        }
        boxes[i]->mark = mark;
        lua_pop(L, 2);
    }
    *count = (size_t)length;
    return boxes;
}

// ---- methods ----

// No script reaches metatables of boxes, and none is trusted.
static goal_box *check_box(lua_State *L)
{
    for (box_kind kind = BOX_GOAL; kind < BOX_HANDLER; kind++) {
        goal_box *const b = oct_to_box(L, 1, kind);
        if (b) {
            return b;
        }
    }
    return luaL_checkudata(L, 1, kinds[BOX_HANDLER]);
}

static int collect(lua_State *L)
{
    goal_box *const b = check_box(L);
    oct_goal_destroy(b->goal);
    oct_tactic_destroy(b->tactic);
    if (b->kind == BOX_HANDLER && !b->is_taken && b->hook.drop) {
        b->hook.drop(b->hook.ctx);
    }
    b->is_taken = true;
    b->goal = NULL;
    b->tactic = NULL;
    return 0;
}

static int goal_limit(lua_State *L)
{
    static const char *const fields[] = {"turns", "seconds", NULL};
    goal_box *const b = oct_arg_box(L, 1, BOX_GOAL, "limit", "this");
    double seconds;
    oct_check_table(L, 2, "limit", "what is given");
    oct_check_fields(L, 2, "limit", fields, NULL, 0);
    (void)oct_field_integer(L, 2, "limit", "turns", 1, UINT32_MAX, &b->turns);
    if (oct_field_number(L, 2, "limit", "seconds", 0.01, SECONDS_MAX, &seconds)) {
        b->ticks = oct_play_ticks(seconds, oct_host_of(L)->rate);
    }
    (void)oct_goal_limit(b->goal, b->turns, b->ticks);
    lua_settop(L, 1);
    return 1;
}

static int goal_named(lua_State *L)
{
    goal_box *const b = oct_arg_box(L, 1, BOX_GOAL, "named", "this");
    const char *const name = oct_arg_text(L, 2, "named", "the name");
    lua_settop(L, 2);
    b->goal = oct_goal_name(b->goal, name);
    if (!b->goal) {
        return oct_raise_null(L, "named");
    }
    lua_settop(L, 1);
    return 1;
}

static int goal_text(lua_State *L)
{
    lua_pushstring(L, names[check_box(L)->kind]);
    return 1;
}

void oct_bind_boxes(lua_State *L)
{
    static const luaL_Reg methods[] = {{"limit", goal_limit}, {"named", goal_named}, {NULL, NULL}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        (void)luaL_newmetatable(L, kinds[i]);
        lua_pushcfunction(L, collect);
        lua_setfield(L, -2, "__gc");
        lua_pushcfunction(L, goal_text);
        lua_setfield(L, -2, "__tostring");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_newtable(L);
        if (i == BOX_GOAL) {
            oct_set_functions(L, methods);
        }
        lua_setfield(L, -2, "__index");
        lua_pop(L, 1);
    }
}
