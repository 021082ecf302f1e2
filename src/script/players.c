// SPDX-License-Identifier: MIT
// What the body of a test says: who plays, and what must hold.
#include "script/script_internal.h"

static void check_phase(lua_State *L, const char *who)
{
    if (oct_host_of(L)->phase != HOST_PREPARES) {
        luaL_error(L, "%s: only in the body of a test", who);
    }
}

static void check_name(lua_State *L, const host *h, const char *name)
{
    oct_charge(L, h->players.count);
    for (size_t i = 0; i < h->players.count; i++) {
        if (strcmp(((const player *)h->players.items)[i].name, name) == 0) {
            luaL_error(L, "agent: there is an agent '%s' already", name);
        }
    }
}

// Takes the goal; raises where memory is short.
static void add_player(lua_State *L, host *h, const char *name, const char *role,
                       const agent_plan *plan, goal_box *goal)
{
    player p = {.name = oct_copy_text(&h->budget, name),
                .role = oct_copy_text(&h->budget, role),
                .plan = *plan,
                .self = LUA_NOREF,
                .host = h};
    if (!p.name || !p.role || oct_array_push(&h->players, &h->budget, sizeof p, &p) != OCT_OK) {
        oct_free_text(&h->budget, p.name);
        oct_free_text(&h->budget, p.role);
        luaL_error(L, "agent: not enough memory");
    }
    ((player *)h->players.items)[h->players.count - 1].goal = oct_take_goal(L, goal);
}

static int body_agent(lua_State *L)
{
    static const char *const more[] = {"role", NULL};
    host *const h = oct_host_of(L);
    const char *const name = oct_arg_text(L, 1, "agent", "the name");
    const char *role = "tester";
    agent_plan plan = {.has_cell = false};
    check_phase(L, "agent");
    check_name(L, h, name);
    const bool has_options = lua_gettop(L) > 2;
    if (has_options) {
        oct_check_table(L, 2, "agent", "options");
        oct_check_fields(L, 2, "agent", oct_agent_fields, more, 0);
        oct_read_agent_plan(L, 2, "agent", &plan);
        (void)oct_field_text(L, 2, "agent", "role", &role);
    }
    goal_box *const goal =
        oct_arg_box(L, has_options ? 3 : 2, BOX_GOAL, "agent", "what it shall do");
    add_player(L, h, name, role, &plan, goal);
    return 0;
}

// The formula is at an index.
static void add_demand(lua_State *L, host *h, const char *name, int at)
{
    lua_pushvalue(L, at);
    const int formula = luaL_ref(L, LUA_REGISTRYINDEX);
    const demanded d = {oct_host_copy(L, name), formula};
    if (oct_array_push(&h->demands, &h->budget, sizeof d, &d) != OCT_OK) {
        oct_free_text(&h->budget, d.name);
        luaL_error(L, "invariant: not enough memory");
    }
}

static int body_invariant(lua_State *L)
{
    const char *const name = oct_arg_text(L, 1, "invariant", "the name");
    check_phase(L, "invariant");
    oct_check_formula(L, 2, "invariant", "what must hold");
    add_demand(L, oct_host_of(L), name, 2);
    return 0;
}

// In the order of their names: which of two is violated first must not be chance.
static void add_invariants(lua_State *L, host *h)
{
    if (h->test->invariants == LUA_NOREF) {
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->test->invariants);
    const int table = lua_gettop(L);
    oct_push_keys(L, table);
    const int keys = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
        const int name = lua_gettop(L);
        lua_pushvalue(L, name);
        lua_rawget(L, table);
        add_demand(L, h, lua_tostring(L, name), lua_gettop(L));
        lua_settop(L, keys);
    }
    lua_settop(L, table - 1);
}

static int run_body(lua_State *L)
{
    host *const h = lua_touserdata(L, 1);
    static const agent_plan as_test = {.has_cell = false};
    add_invariants(L, h);
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->test->body);
    lua_call(L, 0, 1);
    if (h->players.count == 0) {
        goal_box *const goal = oct_to_box(L, -1, BOX_GOAL);
        if (!goal) {
            return luaL_error(L, "test '%s', in line %d: its body must return a goal, not %s",
                              h->test->name, (int)h->test->line, oct_what(L, -1));
        }
        add_player(L, h, "agent", "tester", &as_test,
                   oct_arg_box(L, -1, BOX_GOAL, "test", "what the body returns"));
    } else if (!lua_isnil(L, -1)) {
        return luaL_error(L, "test '%s', in line %d: its body has agents and returns %s too",
                          h->test->name, (int)h->test->line, oct_what(L, -1));
    }
    return 0;
}

bool oct_host_prepare(host *h)
{
    h->phase = HOST_PREPARES;
    return oct_host_call(h, run_body, h);
}

// ---- demands ----

static int demand_all(lua_State *L)
{
    const player *const p = lua_touserdata(L, 1);
    host *const h = oct_host_of(L);
    for (size_t i = 0; i < h->demands.count; i++) {
        const demanded *const d = (const demanded *)h->demands.items + i;
        lua_rawgeti(L, LUA_REGISTRYINDEX, d->formula);
        oct_ltl *const formula = oct_make_formula(L, lua_gettop(L), d->name, true);
        const oct_result result = oct_agent_demand(p->agent, d->name, formula);
        if (result != OCT_OK) {
            h->lacks_memory = h->lacks_memory || (result == OCT_ERROR_MEMORY && !h->was_refused);
            return luaL_error(L, "invariant '%s': %s", d->name,
                              result == OCT_ERROR_RANGE ? "it is too intricate"
                                                        : oct_result_text(result));
        }
        lua_settop(L, 1);
    }
    return 0;
}

bool oct_player_demand(player *p)
{
    return oct_host_call(p->host, demand_all, p);
}

// ---- seeds ----

typedef struct seeding {
    host *host;
    uint64_t seed;
} seeding;

static int set_seed(lua_State *L)
{
    const seeding *const s = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->host->randomseed);
    lua_pushinteger(L, (lua_Integer)s->seed);
    lua_call(L, 1, 0);
    return 0;
}

bool oct_host_seed(host *h, uint64_t seed)
{
    seeding s = {h, seed};
    return oct_host_call(h, set_seed, &s);
}

void oct_bind_players(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"agent", body_agent}, {"invariant", body_invariant}, {NULL, NULL}};
    lua_pushglobaltable(L);
    oct_set_functions(L, functions);
    lua_pop(L, 1);
}
