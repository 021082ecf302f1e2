// SPDX-License-Identifier: MIT
// Our patterns against those of Lua's own library, on random texts.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include "script/script_internal.h"

#include <lualib.h>

#define CALLS 60000
#define DEEP 230 // levels, beyond what is matched

typedef struct pair {
    host *host;
    lua_State *own, *plain; // a script's, and Lua's
} pair;

// ---- random patterns and texts ----

static const char *const parts[] = {
    "a",     "b",    "ab",    ".",    "%a",     "%d",          "%s",    "%w",   "%A",
    "%p",    "%x",   "%u",    "%l",   "%c",     "%g",          "%z",    "[ab]", "[^a]",
    "[a-c]", "[%d]", "[^%s]", "[]]",  "[^]]",   "[a-]",        "(",     ")",    "()",
    "%1",    "%2",   "%b()",  "%bab", "%f[%a]", "%f[^%w]",     "^",     "$",    "%%",
    "*",     "+",    "-",     "?",    "(a*)",   "(.-)",        "(%w+)", "[",    "]",
    "%",     "%b",   "%f",    "\xe9", "%\xe9",  "[\x80-\xff]", " ",     "1",    "%S",
    "[%a_]", "[%",   "%.",    "a-b",  "%B",     "[^",          "--"};

static const char *const scraps[] = {"a",    "b", "ab", "aab", " ", "1", "(",  ")", "(a)",
                                     "\xe9", "A", "_",  "b a", "%", ".", "\n", "-"};

static size_t make_text(oct_random *random, const char *const *from, size_t count, size_t most,
                        char *out)
{
    size_t used = 0;
    for (uint64_t i = oct_random_below(random, most + 1); i > 0; i--) {
        const char *const part = from[oct_random_below(random, count)];
        memcpy(out + used, part, strlen(part));
        used += strlen(part);
        if (oct_random_below(random, 40) == 0) {
            out[used++] = '\0';
        }
    }
    return used;
}

// ---- calls in both ----

static int replace_in_lua(lua_State *L)
{
    // Sometimes nothing, a boolean, a number, a text, or what is none of them.
    const lua_Integer kind = (lua_Integer)luaL_len(L, lua_upvalueindex(1)) % 6;
    if (kind == 0) {
        return 0;
    }
    if (kind == 1) {
        lua_pushboolean(L, 0);
    } else if (kind == 2) {
        lua_pushinteger(L, lua_gettop(L));
    } else if (kind == 3) {
        lua_newtable(L);
    } else {
        lua_pushvalue(L, lua_gettop(L));
    }
    return 1;
}

typedef struct question {
    const char *function;
    char text[256], pattern[128], instead[64];
    size_t text_size, pattern_size, instead_size;
    int kind;          // of the replacement
    lua_Integer start; // or how many
    bool has_start, plain;
} question;

static int push_arguments(lua_State *L, const question *q)
{
    const int before = lua_gettop(L);
    lua_pushlstring(L, q->text, q->text_size);
    lua_pushlstring(L, q->pattern, q->pattern_size);
    if (strcmp(q->function, "gsub") == 0) {
        if (q->kind == 0) {
            lua_pushlstring(L, q->instead, q->instead_size);
        } else if (q->kind == 1) {
            lua_newtable(L);
            lua_pushinteger(L, 7);
            lua_setfield(L, -2, "a");
            lua_pushstring(L, "text");
            lua_setfield(L, -2, "ab");
            lua_pushboolean(L, 1);
            lua_setfield(L, -2, "1");
        } else {
            lua_pushlstring(L, q->instead, q->instead_size);
            lua_pushcclosure(L, replace_in_lua, 1);
        }
    }
    if (q->has_start) {
        lua_pushinteger(L, q->start);
        if (strcmp(q->function, "find") == 0 && q->plain) {
            lua_pushboolean(L, 1);
        }
    }
    return lua_gettop(L) - before;
}

// Adds the values on top of the stack, in words.
static void add_values(lua_State *L, int from, char *out, size_t size)
{
    for (int i = from; i <= lua_gettop(L); i++) {
        size_t length;
        const char *const text = luaL_tolstring(L, i, &length);
        size_t used = strlen(out);
        used += (size_t)snprintf(out + used, size - used, " %s:", luaL_typename(L, i));
        for (size_t j = 0; j < length && used + 8 < size; j++) {
            used += (size_t)snprintf(out + used, size - used, "%02x", (unsigned char)text[j]);
        }
        lua_pop(L, 1);
    }
}

// What comes of it, in words. Messages are compared but for the names of functions and arguments.
static void ask(lua_State *L, const question *q, char *out, size_t size)
{
    lua_settop(L, 0);
    out[0] = '\0';
    lua_getglobal(L, "string");
    lua_getfield(L, -1, q->function);
    lua_remove(L, 1);
    const int count = push_arguments(L, q);
    if (lua_pcall(L, count, LUA_MULTRET, 0) != LUA_OK) {
        (void)snprintf(out, size, "error: %s", lua_tostring(L, -1));
        return;
    }
    if (strcmp(q->function, "gmatch") != 0) {
        add_values(L, 1, out, size);
        return;
    }
    lua_settop(L, 1);
    for (int i = 0; i < 20; i++) {
        lua_settop(L, 1);
        lua_pushvalue(L, 1);
        if (lua_pcall(L, 0, LUA_MULTRET, 0) != LUA_OK) {
            (void)snprintf(out, size, "error: %s", lua_tostring(L, -1));
            return;
        }
        if (lua_gettop(L) == 1) {
            return;
        }
        add_values(L, 2, out, size);
    }
}

static void compare(pair *p, const question *q, uint64_t *errors)
{
    static char own[65536], plain[65536];
    ask(p->plain, q, plain, sizeof plain);
    p->host->spent = 0;
    ask(p->own, q, own, sizeof own);
    if (strcmp(own, plain) != 0) {
        fail_msg("%s('%s', '%s', '%s', %lld)\n  is  %s\n  not %s", q->function, q->text, q->pattern,
                 q->instead, (long long)q->start, own, plain);
    }
    *errors += own[0] == 'e';
}

// ---- tests ----

static int setup(void **state)
{
    pair *const p = calloc(1, sizeof *p);
    const script_limits limits = oct_script_limits_default();
    assert_non_null(p);
    assert_int_equal(oct_host_open(&limits, NULL, &p->host), OCT_OK);
    p->own = p->host->lua;
    p->plain = luaL_newstate();
    assert_non_null(p->plain);
    luaL_openlibs(p->plain);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    pair *const p = *state;
    lua_close(p->plain);
    oct_host_close(p->host);
    free(p);
    return 0;
}

static void random_patterns_match_as_in_lua(void **state)
{
    static const char *const functions[] = {"find", "match", "gmatch", "gsub"};
    static const char *const insteads[] = {"%0", "%1", "%2", "x", "%%", "%", "<", "%a", ">"};
    oct_random random = oct_random_seed(21);
    uint64_t errors = 0;
    const uint64_t rounds = test_rounds(CALLS);
    for (uint64_t i = 0; i < rounds; i++) {
        question q = {.function = functions[i % 4], .kind = (int)oct_random_below(&random, 3)};
        q.text_size = make_text(&random, scraps, sizeof scraps / sizeof *scraps, 12, q.text);
        q.pattern_size = make_text(&random, parts, sizeof parts / sizeof *parts,
                                   1 + oct_random_below(&random, 6), q.pattern);
        q.instead_size =
            make_text(&random, insteads, sizeof insteads / sizeof *insteads, 4, q.instead);
        q.has_start = oct_random_below(&random, 3) == 0;
        q.start = oct_random_range(&random, -20, 40);
        q.plain = oct_random_below(&random, 4) == 0;
        compare(*state, &q, &errors);
    }
    // Both kinds of answers are among them.
    assert_true(errors > rounds / 100 && errors < rounds / 2);
}

// Deep ones end where Lua's do.
static void deep_patterns_are_refused_as_in_lua(void **state)
{
    static const char *const repeated[] = {"a?", "a*", "a-", "(a)", "()", "a+"};
    uint64_t errors = 0;
    for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
        for (int count = 20; count <= 50; count++) {
            question q = {.function = "find", .text_size = 60};
            memset(q.text, i % 2 == 0 ? 'a' : 'b', q.text_size);
            for (int j = 0; j < count && j < 40; j++) {
                memcpy(q.pattern + q.pattern_size, repeated[i], strlen(repeated[i]));
                q.pattern_size += strlen(repeated[i]);
            }
            compare(*state, &q, &errors);
        }
    }
    pair *const p = *state;
    lua_State *const both[] = {p->own, p->plain};
    for (size_t i = 0; i < 2; i++) {
        for (int count = DEEP - 40; count <= DEEP; count++) {
            char source[128];
            (void)snprintf(source, sizeof source,
                           "return pcall(string.find, ('a'):rep(300), ('a?'):rep(%d) .. 'b')",
                           count < 205 ? 12 : count);
            p->host->spent = 0;
            assert_int_equal(luaL_loadstring(both[i], source), LUA_OK);
            lua_call(both[i], 0, 2);
            assert_int_equal(lua_toboolean(both[i], -2), count < 205);
            lua_settop(both[i], 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_patterns_match_as_in_lua, setup, teardown),
        cmocka_unit_test_setup_teardown(deep_patterns_are_refused_as_in_lua, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
