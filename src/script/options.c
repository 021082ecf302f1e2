// SPDX-License-Identifier: MIT
// The options of tests and agents.
#include "script/script_internal.h"

#define DISTANCE_MAX 1e6 // metres
#define MEMORY_MB_MAX 1000000
#define LIVES_MAX 1000
#define PADDING_MAX 10.0 // a look takes time with its third power

const char *const oct_agent_fields[] = {"cell",  "padding", "facing", "strategy", "bounds", "seed",
                                        "ticks", "start",   "settle", "move",     NULL};

static const char *const test_fields[] = {"world",  "view",       "sight",  "turns",  "seconds",
                                          "delay",  "invariants", "expect", "reason", "memory",
                                          "denies", "lives",      NULL};

static const char *const facings[] = {"yaw", "full", "none", NULL};
static const char *const strategies[] = {"nearest", "gain", "random", "depth", NULL};
// As oct_move has them, but for the first.
static const char *const moves[] = {"fly", "walk", NULL};
static const char *const sights[] = {"line", "through", NULL};
static const char *const verdicts[] = {"pass", "fail", "inconclusive", "error", NULL};

// As oct_assumption has them.
static uint32_t read_denied(lua_State *L, int table, const char *who)
{
    const char *words[OCT_ASSUME_COUNT + 1] = {NULL};
    for (int i = 0; i < OCT_ASSUME_COUNT; i++) {
        words[i] = oct_assumption_name((oct_assumption)i);
    }
    return oct_field_words(L, table, who, "denies", words);
}

// A list of so many numbers.
static bool read_numbers(lua_State *L, int table, const char *who, const char *name, double *out,
                         int count, double max)
{
    if (oct_get_field(L, table, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    const int at = lua_gettop(L);
    oct_check_table(L, at, who, name);
    if (lua_rawlen(L, at) != (lua_Unsigned)count) {
        luaL_error(L, "%s: %s must be %d numbers", who, name, count);
    }
    oct_check_fields(L, at, who, oct_no_fields, NULL, count);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, at, i + 1);
        out[i] = oct_arg_number(L, -1, who, name, -max, max);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

static void read_bounds(lua_State *L, int table, const char *who, agent_plan *out)
{
    double b[6];
    out->has_bounds = out->has_bounds | read_numbers(L, table, who, "bounds", b, 6, DISTANCE_MAX);
    if (!out->has_bounds) {
        return;
    }
    out->bounds = (oct_bounds){{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
    if (!(b[0] <= b[3] && b[1] <= b[4] && b[2] <= b[5])) {
        luaL_error(L, "%s: bounds must be {x0, y0, z0, x1, y1, z1}, the smaller ones first", who);
    }
}

void oct_read_agent_plan(lua_State *L, int table, const char *who, agent_plan *out)
{
    agent_plan p = {.has_bounds = false};
    int facing = 0, strategy = 0, move = 0;
    uint64_t ticks = 0;
    p.has_facing = oct_field_word(L, table, who, "facing", facings, &facing);
    p.has_strategy = oct_field_word(L, table, who, "strategy", strategies, &strategy);
    p.move = oct_field_word(L, table, who, "move", moves, &move)
                 ? (oct_move)(OCT_MOVE_FLY + (unsigned)move)
                 : OCT_MOVE_BY_BODY;
    p.has_cell = oct_field_number(L, table, who, "cell", 0.01, 100.0, &p.cell);
    p.has_padding = oct_field_number(L, table, who, "padding", 0.0, PADDING_MAX, &p.padding);
    p.has_settle = oct_field_number(L, table, who, "settle", 0.0, 3600.0, &p.settle);
    p.has_seed = oct_field_integer(L, table, who, "seed", 0, INT64_MAX, &p.seed);
    p.has_ticks = oct_field_integer(L, table, who, "ticks", 1, OCT_ACTION_TICKS_MAX, &ticks);
    p.has_start = oct_field_point(L, table, who, "start", &p.start);
    read_bounds(L, table, who, &p);
    p.facing = (oct_facing)facing;
    p.strategy = (oct_strategy)strategy;
    p.ticks = (uint32_t)ticks;
    *out = p;
}

static uint32_t ticks_of_ms(lua_State *L, double ms)
{
    const uint64_t ticks = oct_play_ticks(ms / 1000.0, oct_host_of(L)->rate);
    return ticks > 0 ? (uint32_t)ticks : 1;
}

static void read_delay(lua_State *L, int table, const char *who, test_plan *out)
{
    double ms[2];
    out->has_delay = read_numbers(L, table, who, "delay", ms, 2, 60000.0);
    if (!out->has_delay) {
        return;
    }
    if (!(ms[0] >= 0.0 && ms[0] <= ms[1])) {
        luaL_error(L, "%s: delay must be {least, most}, in milliseconds", who);
    }
    out->delay[0] = ticks_of_ms(L, ms[0]);
    out->delay[1] = ticks_of_ms(L, ms[1]);
}

// Pushes a copy that no script reaches: what was checked here, so that it has the line of the test,
// must be what is demanded when the test is played.
static int read_invariants(lua_State *L, int table, const char *who)
{
    if (oct_get_field(L, table, "invariants") == LUA_TNIL) {
        lua_pop(L, 1);
        return LUA_NOREF;
    }
    const int at = lua_gettop(L);
    oct_check_table(L, at, who, "invariants");
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            luaL_error(L, "%s: invariants must have names, not %s", who, oct_what(L, -2));
        }
        const int value = lua_gettop(L);
        const char *const what = lua_pushfstring(L, "invariant '%s'", lua_tostring(L, value - 1));
        oct_check_formula(L, value, who, what);
        lua_pop(L, 1);
        lua_pushvalue(L, value - 1);
        lua_pushvalue(L, value);
        lua_rawset(L, at + 1);
    }
    const int copy = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pop(L, 1);
    return copy;
}

static void read_texts(lua_State *L, int table, const char *who, declared_test *out)
{
    // They are only read until they are copied.
    union {
        const char *read;
        char *kept;
    } text;
    if (oct_field_text(L, table, who, "world", &text.read)) {
        out->world = text.kept;
    }
    if (oct_field_text(L, table, who, "reason", &text.read)) {
        out->reason = text.kept;
    }
}

void oct_read_test_plan(lua_State *L, int at, const char *who, declared_test *out)
{
    test_plan *const p = &out->plan;
    int sight = 0, expect = OCT_VERDICT_PASS;
    const oct_test_def usual = oct_test_def_default();
    *p = (test_plan){.seconds = usual.seconds, .lives = usual.lives};
    out->invariants = LUA_NOREF;
    if (at == 0) {
        return;
    }
    oct_check_fields(L, at, who, test_fields, oct_agent_fields, 0);
    oct_read_agent_plan(L, at, who, &p->agent);
    p->has_view = oct_field_number(L, at, who, "view", 0.1, DISTANCE_MAX, &p->view);
    p->has_sight = oct_field_word(L, at, who, "sight", sights, &sight);
    p->sight = sight == 0 ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH;
    read_delay(L, at, who, p);
    (void)oct_field_integer(L, at, who, "turns", 1, UINT32_MAX, &p->turns);
    (void)oct_field_number(L, at, who, "seconds", 0.02, SECONDS_MAX, &p->seconds);
    (void)oct_field_integer(L, at, who, "lives", 1, LIVES_MAX, &p->lives);
    (void)oct_field_integer(L, at, who, "memory", 1, MEMORY_MB_MAX, &p->memory_mb);
    p->denies = read_denied(L, at, who);
    (void)oct_field_word(L, at, who, "expect", verdicts, &expect);
    p->expect = (oct_verdict)expect;
    out->invariants = read_invariants(L, at, who);
    read_texts(L, at, who, out);
    if (out->reason && expect == OCT_VERDICT_PASS) {
        luaL_error(L, "%s: reason is for tests that expect something else than to pass", who);
    }
}
