// SPDX-License-Identifier: MIT
// Functions of scripts that the library calls. Each call is protected: what a function raises is
// kept by the host, which ends the run, and the library gets an answer that does no harm.
#include "script/script_internal.h"

#include "agent/agent_internal.h"
#include "agent/mind.h"

#include <math.h>

static void drop(void *ctx)
{
    const callback *const c = ctx;
    luaL_unref(c->host->lua, LUA_REGISTRYINDEX, c->self);
}

oct_hook oct_callback(lua_State *L, int first, int second, int third)
{
    const int functions[CALLBACK_SLOTS] = {first, second, third};
    callback *const c = lua_newuserdatauv(L, sizeof *c, CALLBACK_SLOTS);
    for (int i = 0; i < CALLBACK_SLOTS; i++) {
        if (functions[i] != 0) {
            lua_pushvalue(L, functions[i]);
            lua_setiuservalue(L, -2, i + 1);
        }
    }
    *c = (callback){oct_host_of(L), LUA_NOREF};
    c->self = luaL_ref(L, LUA_REGISTRYINDEX);
    return (oct_hook){c, drop};
}

// ---- calls ----

// One call: what it is given, and what comes of it.
typedef struct call {
    const callback *callback;
    int slot;
    oct_agent *agent; // or an entity
    const oct_belief *belief;
    const oct_known *known;
    bool truth;
    double number;
    oct_did did;
    oct_goal *goal;
} call;

// Leaves what the function returned on top of the stack.
static call *run(lua_State *L)
{
    call *const c = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->callback->self);
    lua_getiuservalue(L, -1, c->slot);
    if (c->agent) {
        oct_push_agent(L, c->agent);
    } else {
        oct_push_known(L, c->belief, c->known);
    }
    lua_call(L, 1, 1);
    return c;
}

// Who gave a wrong answer: a function that has returned has no line, but where it begins.
static const char *push_who(lua_State *L, const call *c, const char *name)
{
    lua_Debug ar;
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->callback->self);
    lua_getiuservalue(L, -1, c->slot);
    return lua_getinfo(L, ">S", &ar) && ar.linedefined > 0
               ? lua_pushfstring(L, "%s:%d: %s", ar.short_src, ar.linedefined, name)
               : name;
}

static int call_test(lua_State *L)
{
    call *const c = run(L);
    c->truth = lua_toboolean(L, -1);
    return 0;
}

static bool ask(void *ctx, oct_agent *agent, int slot)
{
    call c = {.callback = ctx, .slot = slot, .agent = agent};
    return oct_host_call(c.callback->host, call_test, &c) && c.truth;
}

bool oct_callback_test(void *ctx, oct_mind *mind)
{
    return ask(ctx, oct_agent_of(mind), 1);
}

bool oct_callback_test_2(void *ctx, oct_mind *mind)
{
    return ask(ctx, oct_agent_of(mind), 2);
}

bool oct_callback_test_3(void *ctx, oct_mind *mind)
{
    return ask(ctx, oct_agent_of(mind), 3);
}

// A formula that an error makes true is not said to be violated because of it. What the answer
// rests on may be undecided.
oct_truth oct_callback_atom(void *ctx, void *agent)
{
    const oct_mind *const mind = oct_agent_mind(agent);
    const uint32_t doubts = oct_mind_doubts(mind);
    oct_agent_recall(agent);
    const bool is_true = ask(ctx, agent, 1) || ((const callback *)ctx)->host->has_failed;
    return oct_mind_doubts(mind) > doubts ? OCT_UNDECIDED : is_true ? OCT_TRUE : OCT_FALSE;
}

bool oct_callback_known(void *ctx, const oct_belief *belief, const oct_known *known)
{
    call c = {.callback = ctx, .slot = 1, .belief = belief, .known = known};
    host *const h = c.callback->host;
    h->chooses = true;
    const bool is = oct_host_call(h, call_test, &c) && c.truth;
    h->chooses = false;
    return is;
}

typedef struct property_call {
    const callback *callback;
    const oct_property *property;
    bool truth;
} property_call;

static int call_property(lua_State *L)
{
    property_call *const c = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->callback->self);
    lua_getiuservalue(L, -1, 1);
    oct_push_property(L, c->property);
    lua_call(L, 1, 1);
    c->truth = lua_toboolean(L, -1);
    return 0;
}

bool oct_callback_property(void *ctx, const oct_property *property)
{
    property_call c = {.callback = ctx, .property = property};
    return oct_host_call(c.callback->host, call_property, &c) && c.truth;
}

static int call_distance(lua_State *L)
{
    call *const c = run(L);
    if (lua_type(L, -1) != LUA_TNUMBER) {
        const char *const what = oct_what(L, -1);
        return luaL_error(L, "%s: distance must return a number, not %s", push_who(L, c, "goal"),
                          what);
    }
    c->number = lua_tonumber(L, -1);
    return 0;
}

double oct_callback_distance(void *ctx, oct_mind *mind)
{
    call c = {.callback = ctx, .slot = 1, .agent = oct_agent_of(mind)};
    return oct_host_call(c.callback->host, call_distance, &c) ? c.number : HUGE_VAL;
}

// DONE, STEP and MORE are texts; ABORT is a function that makes a tactic, which keeps the reason.
static int call_run(lua_State *L)
{
    call *const c = run(L);
    const char *const text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    c->did = OCT_DID_ABORT;
    static const char *const words[] = {
        [OCT_DID_DONE] = "done", [OCT_DID_STEP] = "step", [OCT_DID_MORE] = "more"};
    for (oct_did did = OCT_DID_DONE; did <= OCT_DID_MORE; did++) {
        if (strcmp(text, words[did]) == 0) {
            c->did = did;
            return 0;
        }
    }
    lua_getglobal(L, "ABORT");
    const bool is_plain = !lua_isnil(L, -1) && lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (is_plain) {
        return 0;
    }
    if (!oct_to_box(L, -1, BOX_TACTIC) || lua_getiuservalue(L, -1, 1) != LUA_TSTRING) {
        const char *const what = oct_what(L, -1);
        return luaL_error(L, "%s: run must return DONE, STEP, MORE or ABORT 'why', not %s",
                          push_who(L, c, "ACTION"), what);
    }
    oct_mind_because(oct_agent_mind(c->agent), false, "%s", lua_tostring(L, -1));
    return 0;
}

oct_did oct_callback_run(void *ctx, oct_mind *mind)
{
    call c = {.callback = ctx, .slot = 2, .agent = oct_agent_of(mind)};
    return oct_host_call(c.callback->host, call_run, &c) ? c.did : OCT_DID_ABORT;
}

static int call_deploy(lua_State *L)
{
    call *const c = run(L);
    if (!lua_isnil(L, -1)) {
        const int at = lua_gettop(L);
        const char *const who = push_who(L, c, "DEPLOY");
        c->goal = oct_take_goal(L, oct_arg_box(L, at, BOX_GOAL, who, "what is returned"));
    }
    return 0;
}

oct_goal *oct_callback_deploy(void *ctx, oct_mind *mind)
{
    call c = {.callback = ctx, .slot = 1, .agent = oct_agent_of(mind)};
    return oct_host_call(c.callback->host, call_deploy, &c) ? c.goal : NULL;
}
