// SPDX-License-Identifier: MIT
// Entities as scripts are given them: tables of what an agent believes, and what of that is not
// certain.
#include "script/script_internal.h"

#include "agent/mind.h"
#include "agent/sure.h"
#include "geom/geom_internal.h"

static const char entity_name[] = "octant.entity";
static const char state_name[] = "octant.entity before";

double oct_seconds_of(lua_State *L, uint64_t ticks)
{
    return (double)ticks / oct_host_of(L)->rate;
}

static oct_point centre_of(const oct_entity *e)
{
    return point_scale(point_add(e->thing.box.min, e->thing.box.max), 0.5);
}

static void set_point(lua_State *L, const char *name, oct_point p)
{
    oct_push_point(L, p);
    lua_setfield(L, -2, name);
}

void oct_set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void set_bool(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void oct_set_text(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

static const char *const known_names[] = {"id",    "name", "type",    "kind",    "in_sight", "gone",
                                          "first", "last", "changed", "changes", "before",   NULL};
static const char *const state_names[] = {"position", "min",     "max",       "velocity", "label",
                                          "opening",  "is_open", "integrity", "props",    NULL};

// Entities are tables. What is misspelt must not be nil, which a predicate takes for no.
static int entity_index(lua_State *L)
{
    const bool is_known = lua_toboolean(L, lua_upvalueindex(1));
    if (is_known && lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "before") == 0) {
        return 0;
    }
    return oct_refuse_field(L, is_known ? "entity" : "entity before", oct_what(L, 2),
                            is_known ? known_names : NULL, state_names);
}

static void bind_entity(lua_State *L, const char *name, bool is_known)
{
    (void)luaL_newmetatable(L, name);
    lua_pushboolean(L, is_known);
    lua_pushcclosure(L, entity_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

void oct_push_property(lua_State *L, const oct_property *p)
{
    if (!p) {
        lua_pushnil(L);
    } else if (p->kind == OCT_VALUE_TEXT) {
        lua_pushstring(L, p->text);
    } else if (p->kind == OCT_VALUE_BOOL) {
        lua_pushboolean(L, p->number != 0.0);
    } else {
        lua_pushnumber(L, p->number);
    }
}

void oct_push_properties(lua_State *L, const oct_property *props, size_t count)
{
    lua_createtable(L, 0, (int)(count < 1000 ? count : 1000));
    for (size_t i = 0; i < count; i++) {
        oct_push_property(L, &props[i]);
        lua_setfield(L, -2, props[i].name);
    }
}

static void set_props(lua_State *L, const oct_property *props, size_t count)
{
    oct_charge(L, count);
    oct_push_properties(L, props, count);
    lua_setfield(L, -2, "props");
}

// What may change of an entity, into the table on top of the stack: where it is, and how far open.
static void set_body(lua_State *L, const oct_entity *e)
{
    set_point(L, "position", centre_of(e));
    set_point(L, "min", e->thing.box.min);
    set_point(L, "max", e->thing.box.max);
    set_point(L, "velocity", e->velocity);
    oct_set_number(L, "integrity", oct_property_number(e->props, e->prop_count, "integrity", 1.0));
}

static void set_opening(lua_State *L, const oct_entity *e)
{
    static const char *const labels[] = {"unknown", "open", "blocked"};
    oct_set_text(L, "label", labels[e->thing.label <= OCT_BLOCKED ? e->thing.label : OCT_UNKNOWN]);
    oct_set_number(L, "opening", e->opening);
    set_bool(L, "is_open", e->opening >= 1.0);
}

// ---- what is not certain of them ----
//
// Such fields are not in the table but in another one, in its own metatable: who reads one gets it,
// and the answer that it is read for is undecided.

// The agent that is this, or has this belief; NULL where nobody who plays is.
static oct_agent *find_agent(lua_State *L, const void *is, const oct_belief *has)
{
    const host *const h = oct_host_of(L);
    for (size_t i = 0; i < h->players.count; i++) {
        oct_agent *const a = ((const player *)h->players.items)[i].agent;
        if (a && (a == is || oct_agent_belief(a) == has)) {
            return a;
        }
    }
    return NULL;
}

bool oct_push_unsure(lua_State *L, int entity, int key)
{
    const int top = lua_gettop(L);
    key = lua_absindex(L, key);
    if (!lua_getmetatable(L, entity)) {
        return false;
    }
    // A script may have made one like it: it is not trusted.
    (void)oct_get_field(L, -1, "agent");
    oct_agent *const a =
        lua_islightuserdata(L, -1) ? find_agent(L, lua_touserdata(L, -1), NULL) : NULL;
    const bool has_fields = a && oct_get_field(L, -2, "unsure") == LUA_TTABLE;
    lua_pushvalue(L, key);
    if (!has_fields || lua_rawget(L, -2) == LUA_TNIL) {
        lua_settop(L, top);
        return false;
    }
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    (void)oct_get_field(L, entity, "id");
    uint32_t index;
    // What a goal of the library chooses while it acts answers nothing.
    const bool counts = !oct_host_of(L)->chooses || !oct_mind_is_acting(oct_agent_mind(a));
    if (counts && oct_belief_find(oct_agent_belief(a), (uint64_t)lua_tointeger(L, -1), &index)) {
        oct_agent_doubt(a, oct_belief_get(oct_agent_belief(a), index));
    }
    lua_pop(L, 1);
    return true;
}

static int unsure_index(lua_State *L)
{
    return oct_push_unsure(L, 1, 2) ? 1 : entity_index(L);
}

// Gives an entity the table of what an agent is not certain of.
static void set_unsure(lua_State *L, int entity, int unsure, oct_agent *a)
{
    lua_createtable(L, 0, 4);
    lua_pushlightuserdata(L, a);
    lua_setfield(L, -2, "agent");
    lua_pushvalue(L, unsure);
    lua_setfield(L, -2, "unsure");
    lua_pushboolean(L, true);
    lua_pushcclosure(L, unsure_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, entity);
}

// What may change of an entity; what may have changed already is not certain.
static void set_state(lua_State *L, const oct_belief *belief, const oct_known *known)
{
    oct_agent *const a = find_agent(L, NULL, belief);
    const int entity = lua_gettop(L);
    const bool body = !a || oct_agent_is_sure(a, known, OCT_ASPECT_BODY);
    const bool opening = !a || oct_agent_is_sure(a, known, OCT_ASPECT_OPENING);
    const bool props = !a || oct_agent_is_sure(a, known, OCT_ASPECT_PROPS);
    luaL_setmetatable(L, entity_name);
    if (!props) {
        lua_createtable(L, 0, 9);
        set_props(L, known->now.props, known->now.prop_count);
        if (!opening) {
            set_opening(L, &known->now);
        }
        if (!body) {
            set_body(L, &known->now);
            set_bool(L, "gone", known->gone);
        }
        set_unsure(L, entity, entity + 1, a);
        lua_settop(L, entity);
    } else {
        set_props(L, known->now.props, known->now.prop_count);
    }
    if (opening) {
        set_opening(L, &known->now);
    }
    if (body) {
        set_body(L, &known->now);
    }
    // That it was seen to have gone is a fact.
    if (body || known->gone) {
        set_bool(L, "gone", known->gone);
    }
}

void oct_push_known(lua_State *L, const oct_belief *belief, const oct_known *known)
{
    oct_charge(L, ENTITY_STEPS);
    lua_createtable(L, 0, 20);
    lua_pushinteger(L, (lua_Integer)known->now.thing.id);
    lua_setfield(L, -2, "id");
    oct_set_text(L, "name", known->now.name);
    oct_set_text(L, "type", known->now.type);
    oct_set_text(L, "kind", oct_entity_kind_name(known->now.kind));
    set_bool(L, "in_sight", known->in_sight);
    oct_set_number(L, "first", oct_seconds_of(L, known->first));
    oct_set_number(L, "last", oct_seconds_of(L, known->last));
    oct_set_number(L, "changed", oct_seconds_of(L, known->changed));
    lua_pushinteger(L, known->changes);
    lua_setfield(L, -2, "changes");
    if (known->changes > 0) {
        lua_createtable(L, 0, 8);
        set_body(L, &known->before);
        set_props(L, known->before.props, known->before.prop_count);
        set_opening(L, &known->before);
        luaL_setmetatable(L, state_name);
        lua_setfield(L, -2, "before");
    }
    set_state(L, belief, known);
}

void oct_bind_entities(lua_State *L)
{
    bind_entity(L, entity_name, true);
    bind_entity(L, state_name, false);
}
