// SPDX-License-Identifier: MIT
// The library's goals, and how scripts say which entity is meant.
#include "script/script_internal.h"

#include <stdlib.h>

#define METRES_MAX 1e6

const char *const oct_pick_fields[] = {"name", "type", "id", "at", "where", NULL};
const char *const oct_side_words[] = {"front", "back",   "left", "right",
                                      "top",   "bottom", "any",  NULL};

// ---- picks ----

bool oct_is_entity(lua_State *L, int at)
{
    const bool is = lua_istable(L, at) && oct_get_field(L, at, "in_sight") != LUA_TNIL;
    lua_settop(L, lua_gettop(L) - lua_istable(L, at));
    return is;
}

static void read_id(lua_State *L, int at, const char *who, oct_pick *out)
{
    out->by_id = oct_get_field(L, at, "id") != LUA_TNIL;
    if (out->by_id) {
        if (!lua_isinteger(L, -1)) {
            luaL_error(L, "%s: id must be a whole number, not %s", who, oct_what(L, -1));
        }
        out->id = (uint64_t)lua_tointeger(L, -1);
    }
    lua_pop(L, 1);
}

int oct_read_pick_fields(lua_State *L, int at, const char *who, oct_pick *out)
{
    *out = (oct_pick){.name = NULL};
    if (lua_type(L, at) == LUA_TSTRING) {
        out->name = oct_arg_text(L, at, who, "the name");
        oct_keep_pick(L, out);
        return 0;
    }
    if (!lua_istable(L, at)) {
        luaL_error(L, "%s: who is meant must be a name or a table, not %s", who, oct_what(L, at));
    }
    at = lua_absindex(L, at);
    read_id(L, at, who, out);
    if (oct_is_entity(L, at)) {
        return 0;
    }
    (void)oct_field_text(L, at, who, "name", &out->name);
    (void)oct_field_text(L, at, who, "type", &out->type);
    out->by_place = oct_field_point(L, at, who, "at", &out->place);
    const int where = oct_field_function(L, at, who, "where");
    if (!out->name && !out->type && !out->by_id && !where) {
        luaL_error(L, "%s: nothing says who is meant: name, type, id or where", who);
    }
    oct_keep_pick(L, out);
    return where;
}

void oct_read_pick(lua_State *L, int at, const char *who, oct_pick *out)
{
    const int top = lua_gettop(L);
    const int where = oct_read_pick_fields(L, at, who, out);
    if (where) {
        out->test = oct_callback_known;
        out->hook = oct_callback(L, where, 0, 0);
    }
    lua_settop(L, top);
}

void oct_arg_pick(lua_State *L, int at, const char *who, oct_pick *out)
{
    if (lua_istable(L, at) && !oct_is_entity(L, at)) {
        oct_check_fields(L, at, who, oct_pick_fields, NULL, 0);
    }
    oct_read_pick(L, at, who, out);
}

// A pick with more fields beside it. A name alone has none of them: the table is then an empty one.
static void read_more(lua_State *L, const char *who, const char *const *more, oct_pick *out)
{
    lua_settop(L, 2);
    const bool is_pick = lua_istable(L, 1) && !oct_is_entity(L, 1);
    if (is_pick) {
        oct_check_fields(L, 1, who, oct_pick_fields, more, 0);
    }
    oct_read_pick(L, 1, who, out);
    if (!is_pick) {
        lua_newtable(L);
        lua_insert(L, 1);
    }
}

const char *oct_push_button(lua_State *L, const char *text, uint32_t *number)
{
    const char *const colon = strrchr(text, ':');
    *number = 0;
    if (colon && colon[1] >= '0' && colon[1] <= '9' && strspn(colon + 1, "0123456789") < 4 &&
        colon[1 + strspn(colon + 1, "0123456789")] == '\0') {
        *number = (uint32_t)strtoul(colon + 1, NULL, 10);
        return lua_pushlstring(L, text, (size_t)(colon - text));
    }
    return lua_pushstring(L, text);
}

// ---- going ----

static int go_to(lua_State *L, const char *who,
                 oct_goal *make(const oct_allocator *, oct_point, double))
{
    static const char *const fields[] = {"x", "y", "z", "tolerance", NULL};
    double tolerance = 0.0;
    const oct_point point = oct_arg_point(L, 1, who, "the place");
    oct_check_fields(L, 1, who, fields, NULL, 3);
    (void)oct_field_number(L, 1, who, "tolerance", 0.0, METRES_MAX, &tolerance);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, make(&oct_host_of(L)->budget, point, tolerance), who);
}

static int goal_close_to(lua_State *L)
{
    return go_to(L, "close_to", oct_goal_close_to);
}

static int goal_explore_to(lua_State *L)
{
    return go_to(L, "explore_to", oct_goal_explore_to);
}

static int go_beside(lua_State *L, const char *who,
                     oct_goal *make(const oct_allocator *, const oct_pick *, oct_side, double))
{
    static const char *const more[] = {"side", "tolerance", NULL};
    oct_pick pick;
    int side = OCT_SIDE_ANY;
    double tolerance = 0.0;
    read_more(L, who, more, &pick);
    (void)oct_field_word(L, 1, who, "side", oct_side_words, &side);
    (void)oct_field_number(L, 1, who, "tolerance", 0.0, METRES_MAX, &tolerance);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, make(&oct_host_of(L)->budget, &pick, (oct_side)side, tolerance),
                         who);
}

static int goal_close_to_block(lua_State *L)
{
    return go_beside(L, "close_to_block", oct_goal_close_to_block);
}

static int goal_smart_close_to_block(lua_State *L)
{
    return go_beside(L, "smart_close_to_block", oct_goal_smart_close_to_block);
}

static int goal_explore(lua_State *L)
{
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_explore(&oct_host_of(L)->budget), "explore");
}

// ---- goals about one entity ----

int oct_goal_about(lua_State *L, const char *who,
                   oct_goal *make(const oct_allocator *, const oct_pick *))
{
    oct_pick pick;
    oct_arg_pick(L, 1, who, &pick);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, make(&oct_host_of(L)->budget, &pick), who);
}

static int goal_explore_to_find(lua_State *L)
{
    return oct_goal_about(L, "explore_to_find", oct_goal_explore_to_find);
}

static int goal_close_to_button(lua_State *L)
{
    static const char *const more[] = {"button", NULL};
    oct_pick pick;
    read_more(L, "close_to_button", more, &pick);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_close_to_button(&oct_host_of(L)->budget, &pick),
                         "close_to_button");
}

static int goal_ground_down(lua_State *L)
{
    return oct_goal_about(L, "ground_down", oct_goal_ground_down);
}

static int press(lua_State *L, const char *who,
                 oct_goal *make(const oct_allocator *, const oct_pick *, uint32_t))
{
    static const char *const more[] = {"button", NULL};
    oct_pick pick;
    uint64_t button = 0;
    if (!lua_isnoneornil(L, 2)) {
        button = oct_arg_integer(L, 2, who, "button", OCT_WORLD_BUTTONS_MAX - 1);
    }
    read_more(L, who, more, &pick);
    (void)oct_field_integer(L, 1, who, "button", 0, OCT_WORLD_BUTTONS_MAX - 1, &button);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, make(&oct_host_of(L)->budget, &pick, (uint32_t)button), who);
}

static int goal_press_button(lua_State *L)
{
    return press(L, "press_button", oct_goal_press_button);
}

static int goal_interacted(lua_State *L)
{
    return press(L, "interacted", oct_goal_interacted);
}

static int goal_face_towards(lua_State *L)
{
    static const char who[] = "face_towards";
    const bool is_point = oct_is_point(L, 1);
    oct_point point = {0, 0, 0};
    oct_pick pick;
    if (is_point) {
        point = oct_arg_point(L, 1, who, "the point");
    } else {
        oct_arg_pick(L, 1, who, &pick);
    }
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(
        L, b, oct_goal_face_towards(&oct_host_of(L)->budget, is_point ? NULL : &pick, point), who);
}

// A goal that takes a pick and a number.
static int measured(lua_State *L, const char *who, const char *const *field, double otherwise,
                    double max, oct_goal *make(const oct_allocator *, const oct_pick *, double))
{
    oct_pick pick;
    double value = otherwise;
    read_more(L, who, field, &pick);
    (void)oct_field_number(L, 1, who, field[0], 0.0, max, &value);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, make(&oct_host_of(L)->budget, &pick, value), who);
}

static int goal_block_ok(lua_State *L)
{
    static const char *const fields[] = {"share", NULL};
    return measured(L, "block_ok", fields, 1.0, 1.0, oct_goal_block_ok);
}

static int goal_entity_in_range(lua_State *L)
{
    static const char *const fields[] = {"distance", NULL};
    return measured(L, "entity_in_range", fields, 0.0, METRES_MAX, oct_goal_entity_in_range);
}

// ---- checks ----

typedef bool known_test_fn(void *ctx, const oct_belief *belief, const oct_known *known);

static int check(lua_State *L, const char *who,
                 oct_goal *make(const oct_allocator *, const oct_pick *, const char *,
                                known_test_fn *, oct_hook))
{
    static const char *const more[] = {"check", "test", NULL};
    oct_pick pick;
    const char *name;
    oct_check_table(L, 1, who, "what is given");
    read_more(L, who, more, &pick);
    if (!oct_field_text(L, 1, who, "check", &name)) {
        return luaL_error(L, "%s: check is missing: what it is that holds", who);
    }
    const int test = oct_field_function(L, 1, who, "test");
    if (!test) {
        return luaL_error(L, "%s: test is missing: a function of the entity", who);
    }
    const oct_hook hook = oct_callback(L, test, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, make(&oct_host_of(L)->budget, &pick, name, oct_callback_known, hook),
                         who);
}

static int goal_invariant_checked(lua_State *L)
{
    return check(L, "invariant_checked", oct_goal_invariant_checked);
}

static int goal_check_all(lua_State *L)
{
    return check(L, "check_all", oct_goal_check_all);
}

static int goal_wait_until(lua_State *L)
{
    static const char who[] = "wait_until";
    const char *const name = oct_arg_text(L, 1, who, "the name");
    oct_check_function(L, 2, who, "the test");
    const double seconds =
        lua_isnoneornil(L, 3) ? 0.0 : oct_arg_number(L, 3, who, "seconds", 0.01, SECONDS_MAX);
    const oct_hook hook = oct_callback(L, 2, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    b->ticks = oct_play_ticks(seconds, oct_host_of(L)->rate);
    return oct_fill_goal(
        L, b, oct_goal_wait_until(&oct_host_of(L)->budget, name, oct_callback_test, hook, b->ticks),
        who);
}

// ---- tools ----

static int goal_equipped(lua_State *L)
{
    static const char *const fields[] = {"block", NULL};
    static const char who[] = "equipped";
    const char *block = NULL;
    oct_item_kind kind = OCT_ITEM_BLOCK;
    if (lua_istable(L, 1)) {
        oct_check_fields(L, 1, who, fields, NULL, 0);
        if (!oct_field_text(L, 1, who, "block", &block)) {
            return luaL_error(L, "equipped: block is missing: a type's name");
        }
        oct_keep_name(L, block, true);
    } else {
        const char *const item = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
        if (strcmp(item, "grinder") != 0 && strcmp(item, "welder") != 0) {
            return luaL_error(L, "equipped: 'grinder', 'welder' or {block = type}, not %s",
                              oct_what(L, 1));
        }
        kind = item[0] == 'g' ? OCT_ITEM_GRINDER : OCT_ITEM_WELDER;
    }
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_equipped(&oct_host_of(L)->budget, kind, block), who);
}

static int goal_placed(lua_State *L)
{
    static const char *const fields[] = {"type", "against", "side", NULL};
    static const char who[] = "placed";
    const char *type;
    int side = OCT_SIDE_ANY;
    oct_pick pick;
    oct_check_table(L, 1, who, "what is given");
    oct_check_fields(L, 1, who, fields, NULL, 0);
    if (!oct_field_text(L, 1, who, "type", &type)) {
        return luaL_error(L, "placed: type is missing: which block");
    }
    oct_keep_name(L, type, true);
    (void)oct_field_word(L, 1, who, "side", oct_side_words, &side);
    (void)oct_get_field(L, 1, "against");
    oct_arg_pick(L, lua_gettop(L), "placed against", &pick);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(
        L, b, oct_goal_placed(&oct_host_of(L)->budget, type, &pick, (oct_side)side), who);
}

// ---- links ----

// Reads a list of doors' names; all stay in their table, the array in memory of the state (pushed).
static void read_doors(lua_State *L, int list, const char *who, const char *const *fields,
                       oct_link_claim *claim)
{
    oct_check_table(L, list, who, "the doors");
    const lua_Unsigned count = lua_rawlen(L, list);
    oct_check_fields(L, list, who, fields, NULL, count < INT32_MAX ? (int)count : 0);
    const char **const doors = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *doors, 0);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        doors[i] = oct_arg_text(L, -1, who, "a door");
        lua_pop(L, 1);
    }
    claim->doors = doors;
    claim->count = (size_t)count;
}

// The first argument: a button as {panel, number}, or as "panel:number". Leaves at least one value
// more on the stack.
static void read_button(lua_State *L, const char *who, oct_link_claim *claim)
{
    if (lua_istable(L, 1)) {
        oct_check_fields(L, 1, who, oct_no_fields, NULL, 2);
        lua_rawgeti(L, 1, 1);
        claim->panel = oct_arg_text(L, -1, who, "the panel");
        if (lua_rawgeti(L, 1, 2) != LUA_TNIL) {
            claim->button =
                (uint32_t)oct_arg_integer(L, -1, who, "the button", OCT_WORLD_BUTTONS_MAX - 1);
        }
    } else {
        claim->panel = oct_push_button(L, oct_arg_text(L, 1, who, "the panel"), &claim->button);
    }
}

// One link: what a button does to a door.
static int link_goal(lua_State *L, const char *who, oct_link_kind kind)
{
    lua_settop(L, 2);
    const char *const door = oct_arg_text(L, 2, who, "the door");
    oct_link_claim claim = {.doors = &door, .count = 1, .kind = kind};
    read_button(L, who, &claim);
    oct_keep_claim(L, &claim);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_link(&oct_host_of(L)->budget, &claim), who);
}

static int goal_toggles(lua_State *L)
{
    return link_goal(L, "toggles", OCT_LINK_KIND_TOGGLES);
}

static int goal_opens(lua_State *L)
{
    return link_goal(L, "opens", OCT_LINK_KIND_UNDECIDED);
}

static int goal_opens_only(lua_State *L)
{
    static const char who[] = "opens_only";
    oct_link_claim claim = {.panel = NULL};
    lua_settop(L, 2);
    read_button(L, who, &claim);
    read_doors(L, 2, who, oct_no_fields, &claim);
    oct_keep_claim(L, &claim);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_opens_only(&oct_host_of(L)->budget, &claim), who);
}

static int compare_claims(const void *left, const void *right)
{
    const oct_link_claim *const a = left, *const b = right;
    const int differs = strcmp(a->panel, b->panel);
    return differs != 0            ? differs
           : a->button < b->button ? -1
           : a->button > b->button ? 1
                                   : (int)a->kind - (int)b->kind;
}

// What a button does: the doors of the list it toggles, `opens` and `shuts` are lists of their own.
// Writes at most three claims; returns how many. What they point to is kept in the table 3.
static size_t read_claims(lua_State *L, const char *who, oct_link_claim *out, size_t *kept)
{
    static const char *const fields[] = {"opens", "shuts", NULL};
    static const oct_link_kind kinds[] = {OCT_LINK_KIND_OPENS, OCT_LINK_KIND_SHUTS};
    size_t count = 1;
    *out = (oct_link_claim){.kind = OCT_LINK_KIND_TOGGLES};
    out->panel = oct_push_button(L, oct_arg_text(L, 4, who, "a panel"), &out->button);
    lua_rawseti(L, 3, (lua_Integer)++ * kept);
    read_doors(L, 5, who, fields, out);
    lua_rawseti(L, 3, (lua_Integer)++ * kept);
    for (size_t i = 0; fields[i]; i++) {
        if (oct_get_field(L, 5, fields[i]) != LUA_TNIL) {
            out[count] = *out;
            out[count].kind = kinds[i];
            read_doors(L, lua_gettop(L), who, oct_no_fields, &out[count++]);
            lua_rawseti(L, 3, (lua_Integer)++ * kept);
        }
        lua_settop(L, 5);
    }
    return count;
}

// What the claims point to is kept in a table until they are copied.
static int goal_links_are(lua_State *L)
{
    static const char who[] = "links_are";
    oct_check_table(L, 1, who, "what is given");
    lua_settop(L, 1);
    size_t count = 0, kept = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            return luaL_error(L, "links_are: panels must be names, not %s", oct_what(L, -2));
        }
        count++;
    }
    oct_charge(L, FIELD_STEPS * count * oct_bit_length(count));
    oct_link_claim *const claims = lua_newuserdatauv(L, (3 * count + 1) * sizeof *claims, 0);
    lua_newtable(L);
    count = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_settop(L, 4)) {
        count += read_claims(L, who, &claims[count], &kept);
    }
    // The order of a table's keys differs from run to run.
    qsort(claims, count, sizeof *claims, compare_claims);
    for (size_t i = 0; i < count; i++) {
        oct_keep_claim(L, &claims[i]);
    }
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_links_are(&oct_host_of(L)->budget, claims, count), who);
}

void oct_bind_goals(lua_State *L)
{
    static const luaL_Reg functions[] = {{"close_to", goal_close_to},
                                         {"close_to_block", goal_close_to_block},
                                         {"smart_close_to_block", goal_smart_close_to_block},
                                         {"explore", goal_explore},
                                         {"explore_to", goal_explore_to},
                                         {"explore_to_find", goal_explore_to_find},
                                         {"close_to_button", goal_close_to_button},
                                         {"press_button", goal_press_button},
                                         {"interacted", goal_interacted},
                                         {"face_towards", goal_face_towards},
                                         {"block_ok", goal_block_ok},
                                         {"equipped", goal_equipped},
                                         {"ground_down", goal_ground_down},
                                         {"placed", goal_placed},
                                         {"entity_in_range", goal_entity_in_range},
                                         {"invariant_checked", goal_invariant_checked},
                                         {"wait_until", goal_wait_until},
                                         {"check_all", goal_check_all},
                                         {"toggles", goal_toggles},
                                         {"opens", goal_opens},
                                         {"opens_only", goal_opens_only},
                                         {"links_are", goal_links_are},
                                         {NULL, NULL}};
    lua_pushglobaltable(L);
    oct_set_functions(L, functions);
    lua_pop(L, 1);
}
