// SPDX-License-Identifier: MIT
// The library's tactics, and actions as scripts write them.
#include "script/script_internal.h"

#define METRES_MAX 1e6
#define TICKS 20u // of an action, where nothing is said

// ---- actions ----

// After the verbs those of the block world, which are things to DO.
enum {
    WORD_SWITCH = OCT_VERB_COUNT,
    WORD_EQUIP,
    WORD_ACTIVATE,
    WORD_BEGIN,
    WORD_END,
    WORD_PLACE,
    WORD_REMOVE,
    WORD_COUNT
};
static const char *const verbs[] = {"keep",     "wait",   "move",   "jump",     "use",
                                    "do",       "switch", "equip",  "activate", "tool_begin",
                                    "tool_end", "place",  "remove", NULL};
_Static_assert(sizeof verbs / sizeof *verbs == WORD_COUNT + 1, "one each");
static const char *const gears[] = {"jetpack", "dampeners", "boots", NULL};
static const char *const action_fields[] = {"verb",   "ticks",  "seconds", "move", "rotate",
                                            "target", "button", "page",    "slot", "gear",
                                            "on",     "name",   "number",  NULL};

static void check_rotation(lua_State *L, const char *who, oct_point r)
{
    const double all[] = {r.x, r.y, r.z};
    for (int i = 0; i < 3; i++) {
        if (!(all[i] >= -1.0 && all[i] <= 1.0)) {
            luaL_error(L, "%s: rotate must be from -1 to 1 around each axis", who);
        }
    }
}

static uint64_t read_target(lua_State *L, int table, const char *who, oct_agent *agent)
{
    uint64_t id = 0;
    if (oct_get_field(L, table, "target") == LUA_TNIL) {
        luaL_error(L, "%s: target is missing: what is to be used", who);
    }
    const int at = lua_gettop(L);
    if (lua_isinteger(L, at)) {
        id = (uint64_t)lua_tointeger(L, at);
    } else if (oct_is_entity(L, at)) {
        (void)oct_get_field(L, at, "id");
        id = (uint64_t)lua_tointeger(L, -1);
    } else if (agent) {
        const oct_known *const known = oct_pick_known(L, at, who, agent);
        if (!known) {
            luaL_error(L, "%s: the target is not known", who);
        }
        id = known->now.thing.id;
    } else {
        luaL_error(L, "%s: target must be an id or an entity, not %s", who, oct_what(L, at));
    }
    lua_settop(L, at - 1);
    return id;
}

static void read_ticks(lua_State *L, int table, const char *who, oct_action *out)
{
    uint64_t ticks = TICKS;
    double seconds;
    (void)oct_field_integer(L, table, who, "ticks", 1, OCT_ACTION_TICKS_MAX, &ticks);
    if (oct_field_number(L, table, who, "seconds", 0.01,
                         OCT_ACTION_TICKS_MAX / oct_host_of(L)->rate, &seconds)) {
        ticks = oct_play_ticks(seconds, oct_host_of(L)->rate);
    }
    out->ticks = (uint32_t)ticks;
}

// What a word of the block world stands for.
static void read_old_word(int word, const char *gear, double slot, oct_action *out)
{
    static const char *const names[] = {NULL,   "equip", "activate", "tool",
                                        "tool", "place", "remove"};
    out->verb = OCT_VERB_DO;
    out->name = word == WORD_SWITCH ? gear : names[word - WORD_SWITCH];
    out->number = word == WORD_EQUIP || word == WORD_ACTIVATE ? slot : 0.0;
    out->on = word == WORD_BEGIN || (word == WORD_SWITCH && out->on);
}

oct_action oct_read_action(lua_State *L, int table, const char *who, oct_agent *agent)
{
    oct_action out = {.verb = OCT_VERB_KEEP};
    int verb = 0, gear = 0;
    uint64_t button = 0, page = 0, slot = 0;
    oct_check_table(L, table, who, "what is given");
    oct_check_fields(L, table, who, action_fields, NULL, 0);
    if (!oct_field_word(L, table, who, "verb", verbs, &verb)) {
        luaL_error(L, "%s: verb is missing: what to do", who);
    }
    out.verb = verb < OCT_VERB_COUNT ? (oct_verb)verb : OCT_VERB_DO;
    if (verb == OCT_VERB_KEEP || verb == OCT_VERB_WAIT || verb == OCT_VERB_MOVE) {
        read_ticks(L, table, who, &out);
    }
    (void)oct_field_point(L, table, who, "move", &out.move);
    (void)oct_field_point(L, table, who, "rotate", &out.rotate);
    check_rotation(L, who, out.rotate);
    (void)oct_field_integer(L, table, who, "button", 0, OCT_WORLD_BUTTONS_MAX - 1, &button);
    (void)oct_field_integer(L, table, who, "page", 0, OCT_TOOLBAR_PAGES - 1, &page);
    (void)oct_field_integer(L, table, who, "slot", 0, OCT_TOOLBAR_SLOTS - 1, &slot);
    (void)oct_field_word(L, table, who, "gear", gears, &gear);
    (void)oct_field_bool(L, table, who, "on", &out.on);
    if (verb == OCT_VERB_USE) {
        out.target = read_target(L, table, who, agent);
    }
    out.button = (uint32_t)button;
    (void)oct_field_number(L, table, who, "number", -1e300, 1e300, &out.number);
    if (verb == OCT_VERB_DO && !oct_field_text(L, table, who, "name", &out.name)) {
        luaL_error(L, "%s: name is missing: what to do", who);
    }
    if (verb >= OCT_VERB_COUNT) {
        read_old_word(verb, gears[gear], (double)(page * OCT_TOOLBAR_SLOTS + slot), &out);
    }
    return out;
}

// ---- tactics ----

// A point, or beside an entity.
static void read_place(lua_State *L, int at, const char *who, oct_place *out)
{
    static const char *const beside[] = {"side", "tolerance", NULL};
    static const char *const point[] = {"x", "y", "z", "tolerance", NULL};
    int side = OCT_SIDE_ANY;
    *out = (oct_place){.is_point = oct_is_point(L, at)};
    if (lua_istable(L, at) && !oct_is_entity(L, at)) {
        oct_check_fields(L, at, who, out->is_point ? point : oct_pick_fields,
                         out->is_point ? NULL : beside, out->is_point ? 3 : 0);
        (void)oct_field_number(L, at, who, "tolerance", 0.0, METRES_MAX, &out->tolerance);
        (void)oct_field_word(L, at, who, "side", oct_side_words, &side);
    }
    out->side = (oct_side)side;
    if (out->is_point) {
        out->point = oct_arg_point(L, at, who, "the place");
    } else {
        oct_read_pick(L, at, who, &out->pick);
    }
}

static int go(lua_State *L, const char *who,
              oct_tactic *make(const oct_allocator *, const oct_place *))
{
    oct_place place;
    read_place(L, 1, who, &place);
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(L, b, make(&oct_host_of(L)->budget, &place), who);
}

static int tactic_navigate_to(lua_State *L)
{
    return go(L, "tactic.navigate_to", oct_tactic_navigate_to);
}

static int tactic_explore_to(lua_State *L)
{
    return go(L, "tactic.explore_to", oct_tactic_explore_to);
}

static int tactic_explore(lua_State *L)
{
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(L, b, oct_tactic_explore(&oct_host_of(L)->budget), "tactic.explore");
}

static int tactic_interact(lua_State *L)
{
    static const char who[] = "tactic.interact";
    oct_pick pick;
    const uint64_t button =
        lua_isnoneornil(L, 2) ? 0 : oct_arg_integer(L, 2, who, "button", OCT_WORLD_BUTTONS_MAX - 1);
    oct_arg_pick(L, 1, who, &pick);
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(
        L, b, oct_tactic_interact(&oct_host_of(L)->budget, &pick, (uint32_t)button), who);
}

static int tactic_face(lua_State *L)
{
    static const char who[] = "tactic.face";
    const bool is_point = oct_is_point(L, 1);
    oct_point point = {0, 0, 0};
    oct_pick pick;
    if (is_point) {
        point = oct_arg_point(L, 1, who, "the point");
    } else {
        oct_arg_pick(L, 1, who, &pick);
    }
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(
        L, b, oct_tactic_face(&oct_host_of(L)->budget, is_point ? NULL : &pick, point), who);
}

static int push_do(lua_State *L, const oct_action *action, const char *who)
{
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(L, b, oct_tactic_do(&oct_host_of(L)->budget, action), who);
}

static int tactic_act(lua_State *L)
{
    const oct_action action = oct_read_action(L, 1, "tactic.act", NULL);
    return push_do(L, &action, "tactic.act");
}

static int tactic_move(lua_State *L)
{
    static const char *const fields[] = {"move", "rotate", "ticks", "seconds", NULL};
    static const char who[] = "tactic.move";
    oct_action action = {.verb = OCT_VERB_MOVE};
    oct_check_table(L, 1, who, "what is given");
    oct_check_fields(L, 1, who, fields, NULL, 0);
    read_ticks(L, 1, who, &action);
    (void)oct_field_point(L, 1, who, "move", &action.move);
    (void)oct_field_point(L, 1, who, "rotate", &action.rotate);
    check_rotation(L, who, action.rotate);
    return push_do(L, &action, who);
}

static int tactic_tool(lua_State *L)
{
    if (!lua_isboolean(L, 1)) {
        return luaL_error(L, "tactic.tool: true or false, not %s", oct_what(L, 1));
    }
    const oct_action action = {.verb = OCT_VERB_DO, .name = "tool", .on = lua_toboolean(L, 1)};
    return push_do(L, &action, "tactic.tool");
}

static int tactic_wait(lua_State *L)
{
    const double seconds = oct_arg_number(L, 1, "tactic.wait", "seconds", 0.0, 1e6);
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(L, b,
                           oct_tactic_wait(&oct_host_of(L)->budget,
                                           (uint32_t)oct_play_ticks(seconds, oct_host_of(L)->rate)),
                           "tactic.wait");
}

void oct_bind_tactics(lua_State *L)
{
    static const luaL_Reg functions[] = {{"navigate_to", tactic_navigate_to},
                                         {"explore", tactic_explore},
                                         {"explore_to", tactic_explore_to},
                                         {"interact", tactic_interact},
                                         {"face", tactic_face},
                                         {"act", tactic_act},
                                         {"move", tactic_move},
                                         {"tool", tactic_tool},
                                         {"wait", tactic_wait},
                                         {NULL, NULL}};
    lua_newtable(L);
    oct_set_functions(L, functions);
    lua_setglobal(L, "tactic");
}
