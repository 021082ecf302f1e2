// SPDX-License-Identifier: MIT
// The agent that predicates and actions are given: what it answers and what it is told.
#include "script/script_internal.h"

#include "agent/agent_internal.h"
#include "agent/approach.h"
#include "agent/evidence.h"
#include "agent/goal_target.h"
#include "agent/mind.h"
#include "agent/sure.h"
#include "geom/geom_internal.h"

static const char agent_name[] = "octant.agent";

// ---- picking ----

typedef struct chosen {
    oct_pick pick;
    int where; // index of a function, or 0
} chosen;

static bool is_meant(lua_State *L, const chosen *c, const oct_belief *belief, const oct_known *k)
{
    const oct_pick *const p = &c->pick;
    if ((p->by_id && k->now.thing.id != p->id) || (p->name && strcmp(k->now.name, p->name) != 0) ||
        (p->type && !oct_world_type_is(k->now.type, p->type))) {
        return false;
    }
    if (!c->where) {
        return true;
    }
    lua_pushvalue(L, c->where);
    oct_push_known(L, belief, k);
    lua_call(L, 1, 1);
    const bool is = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is;
}

static chosen read_choice(lua_State *L, int at, const char *who)
{
    chosen c;
    if (lua_istable(L, at) && !oct_is_entity(L, at)) {
        oct_check_fields(L, at, who, oct_pick_fields, NULL, 0);
    }
    c.where = oct_read_pick_fields(L, at, who, &c.pick);
    return c;
}

// The nearest to the agent, or to where it should be; one that has gone only where there is no
// other. What `where` reads of those that may be it counts: that it is this one, or none, rests on
// it.
const oct_known *oct_pick_known(lua_State *L, int at, const char *who, oct_agent *agent)
{
    const chosen c = read_choice(L, at, who);
    const oct_belief *const belief = oct_agent_belief(agent);
    const oct_point from = c.pick.by_place ? c.pick.place : oct_belief_self(belief)->centre;
    const oct_known *best = NULL;
    double least = 0.0;
    oct_charge(L, oct_belief_count(belief));
    for (uint32_t i = 0; i < oct_belief_count(belief); i++) {
        const oct_known *const k = oct_belief_get(belief, i);
        const double away = point_length(point_sub(oct_known_centre(k), from));
        const bool is_better =
            !best || (best->gone && !k->gone) || (best->gone == k->gone && away < least);
        if (is_better && is_meant(L, &c, belief, k)) {
            best = k;
            least = away;
        }
    }
    return best;
}

// An answer rests on something that is not known.
static void doubt_choice(lua_State *L, int at, const char *who, oct_agent *agent)
{
    const chosen c = read_choice(L, at, who);
    char what[OCT_REASON_MAX / 2];
    oct_pick_describe(&c.pick, what, sizeof what);
    host *const h = oct_host_of(L);
    (void)snprintf(h->unseen, sizeof h->unseen, "%s", what);
    oct_mind_doubt(oct_agent_mind(agent), "%s was not seen yet", what);
}

// ---- methods ----

static oct_agent *to_agent(lua_State *L, const char *who)
{
    oct_agent **const a = luaL_testudata(L, 1, agent_name);
    if (!a) {
        luaL_error(L, "%s: call it as a:%s(...), on the agent", who, who);
        return NULL;
    }
    return *a;
}

static int agent_entity(lua_State *L)
{
    oct_agent *const a = to_agent(L, "entity");
    const oct_known *const known = oct_pick_known(L, 2, "entity", a);
    if (!known) {
        doubt_choice(L, 2, "entity", a);
        return 0;
    }
    oct_push_known(L, oct_agent_belief(a), known);
    return 1;
}

// What it sees now is certain, and that it sees none. Where it has not looked now, neither is.
static int agent_sees(lua_State *L)
{
    oct_agent *const a = to_agent(L, "sees");
    const oct_known *const known = oct_pick_known(L, 2, "sees", a);
    if (a->looked != agent_self(a)->tick) {
        oct_mind_doubt(oct_agent_mind(a), "it has not looked around since %.1f s",
                       oct_seconds_of(L, a->looked));
    }
    if (!known || !known->in_sight) {
        return 0;
    }
    oct_push_known(L, oct_agent_belief(a), known);
    return 1;
}

// Whether a choice is one thing by its name or id, and that was seen.
static bool names_known(const oct_pick *pick, const oct_belief *belief)
{
    for (uint32_t i = 0; i < oct_belief_count(belief); i++) {
        const oct_known *const k = oct_belief_get(belief, i);
        if ((pick->name && strcmp(k->now.name, pick->name) == 0) ||
            (pick->by_id && k->now.thing.id == pick->id)) {
            return true;
        }
    }
    return false;
}

static int agent_entities(lua_State *L)
{
    oct_agent *const a = to_agent(L, "entities");
    const oct_belief *const belief = oct_agent_belief(a);
    const bool is_any = lua_isnoneornil(L, 2);
    const chosen c = is_any ? (chosen){.where = 0} : read_choice(L, 2, "entities");
    lua_newtable(L);
    const int list = lua_gettop(L);
    lua_Integer count = 0;
    oct_charge(L, oct_belief_count(belief));
    for (uint32_t i = 0; i < oct_belief_count(belief); i++) {
        const oct_known *const k = oct_belief_get(belief, i);
        if (!k->gone && is_meant(L, &c, belief, k)) {
            oct_push_known(L, belief, k);
            lua_rawseti(L, list, ++count);
        }
    }
    if (!names_known(&c.pick, belief) && !oct_agent_knows_all(a)) {
        oct_mind_doubt(oct_agent_mind(a), "there may be more that was not seen yet");
    }
    return 1;
}

// A button and a door, as methods about links take them.
typedef struct link_ends {
    const oct_known *panel, *door; // NULL = not known
    oct_button button;             // of the panel
} link_ends;

static link_ends read_link(lua_State *L, oct_agent *a, const char *who)
{
    const bool has_button = lua_gettop(L) > 3;
    link_ends ends = {.panel = NULL};
    ends.button.number =
        has_button ? (uint32_t)oct_arg_integer(L, 3, who, "the button", OCT_WORLD_BUTTONS_MAX - 1)
                   : 0;
    ends.panel = oct_pick_known(L, 2, who, a);
    ends.door = oct_pick_known(L, has_button ? 4 : 3, who, a);
    ends.button.panel = ends.panel ? ends.panel->now.thing.id : 0;
    return ends;
}

static int agent_link(lua_State *L)
{
    oct_agent *const a = to_agent(L, "link");
    const oct_links *const links = oct_belief_links(oct_agent_belief(a));
    const link_ends ends = read_link(L, a, "link");
    uint32_t from, to;
    oct_link link = OCT_LINK_UNDECIDED;
    if (ends.panel && ends.door && oct_links_find_button(links, ends.button, &from) &&
        oct_links_find_door(links, ends.door->now.thing.id, &to)) {
        link = oct_links_get(links, from, to);
    }
    lua_pushstring(L, oct_link_name(link));
    return 1;
}

// Whether a button certainly does, or does not, what is asked: nil, and why, where neither is
// certain.
static int ask_link(lua_State *L, const char *who, oct_link_kind kind, oct_link_kind or_kind)
{
    oct_agent *const a = to_agent(L, who);
    const link_ends ends = read_link(L, a, who);
    const oct_link_kind is = ends.panel && ends.door
                                 ? oct_agent_link(a, ends.button, ends.door->now.thing.id)
                                 : OCT_LINK_KIND_UNDECIDED;
    if (is == OCT_LINK_KIND_UNDECIDED) {
        char panel[OCT_REASON_MAX / 4] = "it", door[OCT_REASON_MAX / 4] = "it";
        const oct_belief *const belief = oct_agent_belief(a);
        if (ends.panel && ends.door) {
            (void)oct_belief_name_of(belief, ends.button.panel, panel, sizeof panel);
            (void)oct_belief_name_of(belief, ends.door->now.thing.id, door, sizeof door);
        }
        oct_mind_because(oct_agent_mind(a), true, "whether button %u of %s %s %s is not certain",
                         ends.button.number, panel, who, door);
        char need[OCT_REASON_MAX];
        oct_agent_would_decide(
            a, "%s",
            ends.panel && ends.door
                ? oct_evidence_needed(a, ends.button, ends.door->now.thing.id, need, sizeof need)
                : "a look at both");
        lua_pushnil(L);
    } else {
        lua_pushboolean(L, is == kind || is == or_kind);
    }
    return 1;
}

static int agent_toggles(lua_State *L)
{
    return ask_link(L, "toggles", OCT_LINK_KIND_TOGGLES, OCT_LINK_KIND_TOGGLES);
}

static int agent_opens(lua_State *L)
{
    return ask_link(L, "opens", OCT_LINK_KIND_TOGGLES, OCT_LINK_KIND_OPENS);
}

static void set_name(lua_State *L, const char *field, const oct_belief *belief, uint64_t id)
{
    char name[OCT_REASON_MAX];
    (void)oct_belief_name_of(belief, id, name, sizeof name);
    oct_set_text(L, field, name);
}

static int agent_links(lua_State *L)
{
    const oct_agent *const a = to_agent(L, "links");
    const oct_belief *const belief = oct_agent_belief(a);
    const oct_links *const links = oct_belief_links(belief);
    const uint32_t doors = oct_links_doors(links);
    lua_Integer count = 0;
    lua_newtable(L);
    oct_charge(L, 16 * (uint64_t)oct_links_buttons(links) * doors);
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        for (uint32_t j = 0; j < doors; j++) {
            const oct_button button = oct_links_button(links, i);
            const oct_link_kind kind = oct_agent_link(a, button, oct_links_door(links, j));
            // Of an earlier life: a script begins anew, and has not met them.
            uint32_t ignored;
            const bool is_met = oct_belief_find(belief, button.panel, &ignored) &&
                                oct_belief_find(belief, oct_links_door(links, j), &ignored);
            if (kind > OCT_LINK_KIND_NOTHING && is_met) {
                lua_createtable(L, 0, 4);
                oct_set_text(L, "kind", oct_link_kind_name(kind));
                set_name(L, "panel", belief, button.panel);
                set_name(L, "door", belief, oct_links_door(links, j));
                lua_pushinteger(L, button.number);
                lua_setfield(L, -2, "button");
                lua_rawseti(L, -2, ++count);
            }
        }
    }
    return 1;
}

// What is known of a property of something, for certain or not.
static int agent_property(lua_State *L)
{
    oct_agent *const a = to_agent(L, "property");
    const char *const name = oct_arg_text(L, 3, "property", "the property");
    const oct_known *const known = oct_pick_known(L, 2, "property", a);
    if (!known) {
        doubt_choice(L, 2, "property", a);
        return 0;
    }
    if (!oct_agent_is_sure(a, known, OCT_ASPECT_PROPS)) {
        oct_agent_doubt(a, known);
    }
    oct_charge(L, known->now.prop_count);
    oct_push_property(L, oct_property_find(known->now.props, known->now.prop_count, name));
    return 1;
}

static void push_event(lua_State *L, const oct_belief *belief, const oct_event *event)
{
    oct_charge(L, ENTITY_STEPS + strlen(event->text) / TEXT_BYTES_A_STEP);
    lua_createtable(L, 0, 6);
    oct_set_text(L, "what", event->what);
    oct_set_text(L, "text", event->text);
    oct_set_number(L, "time", oct_seconds_of(L, event->tick));
    lua_pushinteger(L, (lua_Integer)event->tick);
    lua_setfield(L, -2, "tick");
    lua_pushinteger(L, (lua_Integer)event->id);
    lua_setfield(L, -2, "id");
    set_name(L, "name", belief, event->id);
    if (event->id == 0) {
        oct_set_text(L, "name", "");
    }
}

// Those of this turn.
static int agent_events(lua_State *L)
{
    oct_agent *const a = to_agent(L, "events");
    const oct_belief *const belief = oct_agent_belief(a);
    const char *const what = lua_isnoneornil(L, 2) ? NULL : oct_arg_text(L, 2, "events", "what");
    lua_Integer count = 0;
    lua_newtable(L);
    oct_charge(L, oct_belief_events(belief) - oct_agent_news(a));
    for (uint64_t i = oct_agent_news(a); i < oct_belief_events(belief); i++) {
        oct_event event;
        if (!oct_belief_event(belief, i, &event)) {
            oct_mind_doubt(oct_agent_mind(a), "more events were told than are kept");
        } else if (!what || strcmp(event.what, what) == 0) {
            push_event(L, belief, &event);
            lua_rawseti(L, -2, ++count);
        }
    }
    return 1;
}

static int agent_send(lua_State *L)
{
    static const char *const fields[] = {"to", "role", "topic", "text", "number", NULL};
    oct_agent *const a = to_agent(L, "send");
    const char *to = NULL, *role = NULL, *topic = "", *text = "";
    double number = 0.0;
    oct_check_table(L, 2, "send", "the message");
    oct_check_fields(L, 2, "send", fields, NULL, 0);
    (void)oct_field_text(L, 2, "send", "to", &to);
    (void)oct_field_text(L, 2, "send", "role", &role);
    (void)oct_field_text(L, 2, "send", "topic", &topic);
    (void)oct_field_text(L, 2, "send", "text", &text);
    (void)oct_field_number(L, 2, "send", "number", -1e300, 1e300, &number);
    switch (oct_agent_send(a, to, role, topic, text, number)) {
    case OCT_OK:
        return 0;
    case OCT_ERROR_ABSENT:
        return luaL_error(L, "send: there is no agent '%s'", to ? to : "");
    case OCT_ERROR_ARGUMENT:
        return luaL_error(L, "send: '%s' would get its own message", to ? to : "");
    case OCT_ERROR_RANGE:
        return luaL_error(L, "send: the message is too long, or too many wait to be taken");
    default:
        return luaL_error(L, "send: not enough memory");
    }
}

static int agent_take(lua_State *L)
{
    oct_agent *const a = to_agent(L, "take");
    const char *const topic =
        lua_isnoneornil(L, 2) ? NULL : oct_arg_text(L, 2, "take", "the topic");
    oct_message message;
    if (!oct_agent_take(a, topic, &message)) {
        return 0;
    }
    lua_createtable(L, 0, 5);
    oct_set_text(L, "from", message.from);
    oct_set_text(L, "topic", message.topic);
    oct_set_text(L, "text", message.text);
    oct_set_number(L, "number", message.number);
    oct_set_number(L, "time", oct_seconds_of(L, message.tick));
    return 1;
}

static int agent_act(lua_State *L)
{
    oct_agent *const a = to_agent(L, "act");
    const oct_action action = oct_read_action(L, 2, "act", a);
    oct_agent_act(a, &action);
    return 0;
}

static int agent_came(lua_State *L)
{
    oct_action last;
    lua_pushstring(L, oct_act_name(oct_agent_came(to_agent(L, "came"), &last)));
    return 1;
}

static int agent_note(lua_State *L)
{
    oct_agent *const a = to_agent(L, "note");
    oct_agent_add_note(a, "%s", oct_arg_text(L, 2, "note", "the note"));
    return 0;
}

static int agent_think(lua_State *L)
{
    oct_agent *const a = to_agent(L, "think");
    oct_agent_think(a, "%s", oct_arg_text(L, 2, "think", "the thought"));
    return 0;
}

static int agent_because(lua_State *L)
{
    const oct_agent *const a = to_agent(L, "because");
    oct_mind_because(oct_agent_mind(a), lua_toboolean(L, 3), "%s",
                     oct_arg_text(L, 2, "because", "the reason"));
    return 0;
}

static int agent_distance(lua_State *L)
{
    oct_agent *const a = to_agent(L, "distance");
    oct_point to;
    if (oct_is_point(L, 2)) {
        to = oct_arg_point(L, 2, "distance", "the point");
    } else if (oct_is_entity(L, 2)) {
        // A script may have taken its fields away.
        lua_pushstring(L, "position");
        if (oct_get_field(L, 2, "position") == LUA_TNIL && !oct_push_unsure(L, 2, -2)) {
            return luaL_error(L, "distance: the entity has no position any more");
        }
        to = oct_arg_point(L, -1, "distance", "position");
    } else {
        const oct_known *const known = oct_pick_known(L, 2, "distance", a);
        if (!known) {
            doubt_choice(L, 2, "distance", a);
            return 0;
        }
        to = oct_known_centre(known);
        if (!oct_agent_is_sure(a, known, OCT_ASPECT_BODY)) {
            oct_agent_doubt(a, known);
        }
    }
    const oct_point from = oct_belief_self(oct_agent_belief(a))->centre;
    lua_pushnumber(L, point_length(point_sub(to, from)));
    return 1;
}

// ---- fields ----

static const player *player_of(lua_State *L, const oct_agent *agent)
{
    const host *const h = oct_host_of(L);
    for (size_t i = 0; i < h->players.count; i++) {
        const player *const p = (const player *)h->players.items + i;
        if (p->agent == agent) {
            return p;
        }
    }
    return NULL;
}

static void push_held(lua_State *L, const oct_belief *belief)
{
    const oct_self *const self = oct_belief_self(belief);
    const oct_property *const held = oct_property_find(self->props, self->prop_count, "held");
    if (held && held->kind == OCT_VALUE_TEXT && held->text[0]) {
        lua_pushstring(L, held->text);
    } else {
        lua_pushnil(L);
    }
}

typedef enum agent_field {
    FIELD_POSITION,
    FIELD_CENTRE,
    FIELD_VELOCITY,
    FIELD_FORWARD,
    FIELD_UP,
    FIELD_GRAVITY,
    FIELD_HEALTH,
    FIELD_HELD,
    FIELD_FLIES,
    FIELD_STANDS,
    FIELD_TIME,
    FIELD_TICK,
    FIELD_TURNS,
    FIELD_NAME,
    FIELD_SEED,
    FIELD_PROPS,
    FIELD_OVER,
    FIELD_COUNT
} agent_field;

static const char *const field_names[] = {
    "position", "centre", "velocity", "forward", "up",   "gravity", "health", "held", "flies",
    "stands",   "time",   "tick",     "turns",   "name", "seed",    "props",  "over", NULL};
_Static_assert(sizeof field_names / sizeof *field_names == FIELD_COUNT + 1, "one each");

static void push_number_field(lua_State *L, const oct_agent *a, agent_field field)
{
    const oct_self *const self = oct_belief_self(oct_agent_belief(a));
    const player *const p = player_of(L, a);
    switch (field) {
    case FIELD_HEALTH:
        lua_pushnumber(L, self->health);
        break;
    case FIELD_TIME:
        lua_pushnumber(L, oct_seconds_of(L, self->tick));
        break;
    case FIELD_TICK:
        lua_pushinteger(L, (lua_Integer)self->tick);
        break;
    case FIELD_TURNS:
        lua_pushinteger(L, (lua_Integer)oct_agent_turns(a));
        break;
    default:
        lua_pushinteger(L, p ? (lua_Integer)p->seed : 0);
    }
}

static void push_field(lua_State *L, const oct_agent *a, agent_field field)
{
    const oct_belief *const belief = oct_agent_belief(a);
    const oct_self *const self = oct_belief_self(belief);
    const oct_point points[] = {self->pose.position, self->centre,
                                self->velocity,      self->pose.forward,
                                self->pose.up,       oct_belief_info(belief)->gravity};
    if (field <= FIELD_GRAVITY) {
        oct_push_point(L, points[field]);
    } else if (field == FIELD_HELD) {
        push_held(L, belief);
    } else if (field == FIELD_FLIES || field == FIELD_STANDS) {
        lua_pushboolean(L, field == FIELD_FLIES ? self->flies : self->stands);
    } else if (field == FIELD_PROPS) {
        oct_push_properties(L, self->props, self->prop_count);
    } else if (field == FIELD_OVER) {
        static const char *const words[] = {NULL, "won", "lost"}; // NULL: nil
        lua_pushstring(L, words[oct_belief_over(belief)]);
    } else if (field == FIELD_NAME) {
        lua_pushstring(L, oct_agent_name(a));
    } else {
        push_number_field(L, a, field);
    }
}

static const char *const method_names[] = {
    "entity", "entities", "sees", "link",  "links",   "toggles",  "opens",  "send",     "take",
    "act",    "came",     "note", "think", "because", "distance", "events", "property", NULL};

// Methods are in a table, the upvalue.
static int agent_index(lua_State *L)
{
    const oct_agent *const a = to_agent(L, "agent");
    oct_charge(L, AGENT_FIELD_STEPS);
    const char *const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        return 1;
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (strcmp(field_names[i], name) == 0) {
            push_field(L, a, (agent_field)i);
            return 1;
        }
    }
    return oct_refuse_field(L, "agent", oct_what(L, 2), field_names, method_names);
}

static int agent_newindex(lua_State *L)
{
    return luaL_error(L, "an agent is not changed: field %s", oct_what(L, 2));
}

static int agent_text(lua_State *L)
{
    lua_pushfstring(L, "agent %s", oct_agent_name(to_agent(L, "tostring")));
    return 1;
}

void oct_push_agent(lua_State *L, oct_agent *agent)
{
    host *const h = oct_host_of(L);
    for (size_t i = 0; i < h->players.count; i++) {
        player *const p = (player *)h->players.items + i;
        if (p->agent != agent) {
            continue;
        }
        h->current = agent;
        if (p->self == LUA_NOREF) {
            oct_agent **const a = lua_newuserdatauv(L, sizeof(oct_agent *), 0);
            *a = agent;
            luaL_setmetatable(L, agent_name);
            p->self = luaL_ref(L, LUA_REGISTRYINDEX);
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, p->self);
        return;
    }
    lua_pushnil(L);
}

void oct_bind_agent(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"entity", agent_entity}, {"entities", agent_entities}, {"sees", agent_sees},
        {"link", agent_link},     {"links", agent_links},       {"toggles", agent_toggles},
        {"opens", agent_opens},   {"send", agent_send},         {"take", agent_take},
        {"act", agent_act},       {"came", agent_came},         {"note", agent_note},
        {"think", agent_think},   {"because", agent_because},   {"distance", agent_distance},
        {"events", agent_events}, {"property", agent_property}, {NULL, NULL}};
    _Static_assert(sizeof methods / sizeof *methods == sizeof method_names / sizeof *method_names,
                   "one each");
    oct_bind_entities(L);
    (void)luaL_newmetatable(L, agent_name);
    lua_newtable(L);
    oct_set_functions(L, methods);
    lua_pushcclosure(L, agent_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, agent_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, agent_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
