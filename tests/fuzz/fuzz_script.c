// SPDX-License-Identifier: MIT
// Random scripts, played. The first byte chooses: the rest is a script as it stands, or drives a
// grammar that writes one, so that most are valid Lua: calls of all functions that scripts have,
// with values that they may not expect, in loops, protected calls, metatables, goals, tactics,
// formulas and callbacks.
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"
#include "script_room.h"

#include "script/script_internal.h"

#include <unistd.h>

#define SOURCE_MAX 16384
#define NAMES_MAX 256
#define VARIABLES 6
#define DEPTH_MAX 5

static const char head[] = "world 'room.json'\nlocal v0, v1, v2, v3, v4, v5\n";

static const char *const values[] = {"nil",
                                     "true",
                                     "false",
                                     "0",
                                     "1",
                                     "-1",
                                     "2",
                                     "math.maxinteger",
                                     "math.mininteger",
                                     "0/0",
                                     "1/0",
                                     "-1/0",
                                     "1e308",
                                     "0.5",
                                     "''",
                                     "'x'",
                                     "'Door'",
                                     "'Panel'",
                                     "'lamp'",
                                     "('y'):rep(3000)",
                                     "'a\\0b\\x9b'",
                                     "'%s%5.1f'",
                                     "'(.-)%b()'",
                                     "'done'",
                                     "'move'",
                                     "{}",
                                     "{1, 2, 3}",
                                     "print",
                                     "function() end",
                                     "function(...) return ... end",
                                     "DONE",
                                     "MORE",
                                     "{3.77, 3.77, 3.77}"};
static const char *const fields[] = {
    "name",       "type",        "id",     "at",      "where",      "side",     "tolerance",
    "test",       "check",       "turns",  "seconds", "solved",     "distance", "epsilon",
    "begin",      "open",        "tactic", "run",     "guard",      "block",    "against",
    "share",      "button",      "verb",   "ticks",   "move",       "rotate",   "target",
    "to",         "role",        "topic",  "text",    "number",     "in_sight", "__index",
    "__newindex", "__call",      "__lt",   "__eq",    "__tostring", "__len",    "__pairs",
    "__close",    "__metatable", "x",      "y",       "z",          "cell",     "start",
    "seed",       "invariants"};
static const char *const methods[] = {"entity", "entities", "link", "links", "send",     "take",
                                      "act",    "came",     "note", "think", "because",  "distance",
                                      "limit",  "named",    "find", "gsub",  "position", "held"};
static const char *const goals[] = {"SUCCESS()",
                                    "explore()",
                                    "explore_to_find'Lamp'",
                                    "FAIL'no'",
                                    "interacted('Panel', 0)",
                                    "close_to{3.77, 3.77, 8.77}",
                                    "close_to_block'Lamp'",
                                    "smart_close_to_block'Target'"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// ---- names ----

static char names[NAMES_MAX][40]; // "print", "string.find"
static size_t name_count;

static void add_name(const char *table, const char *name)
{
    FUZZ_CHECK(name_count < NAMES_MAX);
    snprintf(names[name_count++], sizeof names[0], "%s%s%s", table, table[0] ? "." : "", name);
}

static void add_names(lua_State *L, const char *table)
{
    const int at = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
        if (lua_isfunction(L, -1)) {
            add_name(table, lua_tostring(L, -2));
        } else if (lua_istable(L, -1) && !table[0] && strcmp(lua_tostring(L, -2), "_G") != 0) {
            add_names(L, lua_tostring(L, -2));
        }
    }
}

// ---- the grammar ----

typedef struct writer {
    const uint8_t *data;
    size_t size, at;
    char text[SOURCE_MAX];
    size_t used;
    int depth;
} writer;

static uint32_t choose(writer *w, size_t count)
{
    return w->at < w->size ? (uint32_t)(w->data[w->at++] % count) : 0;
}

static void put(writer *w, const char *text)
{
    const size_t length = strlen(text);
    if (w->used + length + 1 < SOURCE_MAX / 2 || w->depth == 0) {
        FUZZ_CHECK(w->used + length + 1 < SOURCE_MAX);
        memcpy(w->text + w->used, text, length + 1);
        w->used += length;
    }
}

static bool is_full(const writer *w)
{
    return w->depth > DEPTH_MAX || w->at >= w->size || w->used > SOURCE_MAX / 4;
}

static void put_variable(writer *w)
{
    const char name[] = {'v', (char)('0' + choose(w, VARIABLES)), '\0'};
    put(w, name);
}

static void put_expression(writer *w);
static void put_statements(writer *w);

static void put_list(writer *w)
{
    for (uint32_t i = choose(w, 5), first = i; i > 0; i--) {
        put(w, i < first ? ", " : "");
        put_expression(w);
    }
}

static void put_table(writer *w)
{
    put(w, "{");
    for (uint32_t i = choose(w, 5); i > 0; i--) {
        if (choose(w, 3) > 0) {
            put(w, fields[choose(w, COUNT(fields))]);
            put(w, " = ");
        }
        put_expression(w);
        put(w, ", ");
    }
    put(w, "}");
}

static void put_function(writer *w)
{
    put(w, "function(a, b) ");
    put_statements(w);
    put(w, " return ");
    put_expression(w);
    put(w, " end");
}

static void put_call(writer *w)
{
    if (choose(w, 4) == 0) {
        put(w, "(");
        put(w, choose(w, 2) == 0 ? "a" : "v0");
        put(w, "):");
        put(w, methods[choose(w, COUNT(methods))]);
    } else {
        put(w, names[choose(w, name_count)]);
    }
    put(w, "(");
    put_list(w);
    put(w, ")");
}

static void put_goal(writer *w)
{
    static const char *const makers[] = {"SEQ{", "FIRSTof{", "ANYof{"};
    w->depth++;
    switch (is_full(w) ? 0 : choose(w, 6)) {
    case 1:
        put(w, makers[choose(w, COUNT(makers))]);
        put_goal(w);
        put(w, ", ");
        put_goal(w);
        put(w, "}");
        break;
    case 2:
        put(w, "CHECK('c', ");
        put_function(w);
        put(w, ")");
        break;
    case 3:
        put(w, "goal{name = 'g', tactic = ACTION{name = 'x', run = ");
        put_function(w);
        put(w, "}}:limit{turns = 3}");
        break;
    case 4:
        put(w, "DEPLOY(");
        put_function(w);
        put(w, ")");
        break;
    default:
        put(w, goals[choose(w, COUNT(goals))]);
    }
    w->depth--;
}

static void put_expression(writer *w)
{
    static const char *const operators[] = {" + ", " .. ", " == ", " < ", " // ", " % ", " << "};
    w->depth++;
    switch (is_full(w) ? 0 : choose(w, 12)) {
    case 1:
    case 2:
        put_variable(w);
        break;
    case 3:
        put(w, "a");
        break;
    case 4:
        put_table(w);
        break;
    case 5:
        put_function(w);
        break;
    case 6:
    case 7:
        put_call(w);
        break;
    case 8:
        put(w, "(");
        put_expression(w);
        put(w, operators[choose(w, COUNT(operators))]);
        put_expression(w);
        put(w, ")");
        break;
    case 9:
        put_goal(w);
        break;
    case 10:
        put(w, names[choose(w, name_count)]);
        break;
    default:
        put(w, values[choose(w, COUNT(values))]);
    }
    w->depth--;
}

static void put_statement(writer *w)
{
    switch (choose(w, 8)) {
    case 0:
        put(w, "for i = 1, 9 do ");
        put_statements(w);
        put(w, " end ");
        break;
    case 1:
        put(w, "v0 = pcall(setmetatable, v1, ");
        put_table(w);
        put(w, ") ");
        break;
    case 2:
        put(w, "if type(v1) == 'table' then v1[v2 or 1] = ");
        put_expression(w);
        put(w, " end ");
        break;
    case 3:
        put(w, "for k, x in pairs(type(v1) == 'table' and v1 or {}) do v2 = k ");
        put_statements(w);
        put(w, " end ");
        break;
    case 4:
        put_variable(w);
        put(w, " = ");
        put_expression(w);
        put(w, " ");
        break;
    default:
        put(w, "pcall(function() ");
        put_variable(w);
        put(w, " = ");
        put_call(w);
        put(w, " end) ");
    }
}

static void put_statements(writer *w)
{
    w->depth++;
    for (uint32_t i = choose(w, 4) + 1; i > 0 && !is_full(w); i--) {
        put_statement(w);
    }
    w->depth--;
}

static void write_script(writer *w)
{
    put(w, head);
    put_statements(w);
    put(w, "\ntest('t', {turns = 4, seconds = 20, view = 3, cell = 0.5}, function()\n");
    put_statements(w);
    w->depth = 0;
    if (choose(w, 4) == 0) {
        put(w, "pcall(invariant, 'i', ltl.always(");
        put_function(w);
        put(w, "))\n");
    }
    put(w, "agent('one', ");
    put_goal(w);
    w->depth = 0;
    put(w, ")\nagent('two', ");
    put_goal(w);
    w->depth = 0;
    put(w, ")\nend)");
}

// ---- playing ----

static char folder[512];

static void save(const char *name, const void *data, size_t size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void remove_folder(void)
{
    char path[600];
    snprintf(path, sizeof path, "%s/room.json", folder);
    (void)remove(path);
    snprintf(path, sizeof path, "%s/test.lua", folder);
    (void)remove(path);
    (void)rmdir(folder);
}

static script_limits small_limits(void)
{
    return (script_limits){.steps = 300000, .memory = (size_t)2 << 20, .seconds = 10.0};
}

static void prepare(void)
{
    const char *const base = getenv("TMPDIR");
    const script_limits limits = oct_script_limits_default();
    host *h;
    snprintf(folder, sizeof folder, "%s/octant-fuzz-XXXXXX", base && *base ? base : "/tmp");
    FUZZ_CHECK(mkdtemp(folder));
    (void)atexit(remove_folder);
    save("room.json", script_room, strlen(script_room));
    FUZZ_CHECK(oct_host_open(&limits, NULL, &h) == OCT_OK && !h->has_failed);
    lua_pushglobaltable(h->lua);
    add_names(h->lua, "");
    oct_host_close(h);
    FUZZ_CHECK(name_count > 100);
}

// Plays a test; some twice: what does not end by an error is the same again.
static void play_all(const oct_script *script, bool is_twice)
{
    const script_limits limits = small_limits();
    const oct_play_options options = {.seed = 0};
    oct_play_result first, second;
    if (oct_script_tests(script) == 0) {
        return;
    }
    FUZZ_CHECK(oct_script_play(script, 0, &limits, &options, &first) == OCT_OK);
    FUZZ_CHECK(first.reason && first.where);
    if (is_twice) {
        FUZZ_CHECK(oct_script_play(script, 0, &limits, &options, &second) == OCT_OK);
        const bool is_error =
            first.verdict == OCT_VERDICT_ERROR || second.verdict == OCT_VERDICT_ERROR;
        FUZZ_CHECK(is_error || (first.hash == second.hash && first.turns == second.turns &&
                                strcmp(first.reason, second.reason) == 0));
        oct_play_result_free(&second);
    }
    oct_play_result_free(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static writer w;
    char path[600];
    oct_error error = {.line = 0};
    oct_script *script;
    if (name_count == 0) {
        prepare();
    }
    if (size == 0) {
        return 0;
    }
    w = (writer){.data = data + 1, .size = size - 1};
    if (data[0] & 1) {
        save("test.lua", data + 1, size - 1);
    } else {
        write_script(&w);
        save("test.lua", w.text, w.used);
    }
    snprintf(path, sizeof path, "%s/test.lua", folder);
    const script_limits limits = small_limits();
    const oct_result result = oct_script_open(path, &limits, &script, &error);
    FUZZ_CHECK(result == OCT_OK || (result == OCT_ERROR_FORMAT && error.message[0] != '\0'));
    if (script) {
        play_all(script, data[0] & 2);
    }
    oct_script_close(script);
    return 0;
}
