// SPDX-License-Identifier: MIT
// Scripts that would not end, take all memory or reach for what is not theirs.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static double cpu_seconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static script_limits small(void)
{
    return (script_limits){.steps = 3000000, .memory = (size_t)4 << 20, .seconds = 2.0};
}

static oct_result open_within(const char *folder, const char *text, const script_limits *limits,
                              oct_error *error)
{
    char path[1024];
    oct_script *script;
    script_write(folder, "test.lua", text);
    script_path(folder, "test.lua", path, sizeof path);
    *error = (oct_error){.line = 0};
    const double begin = cpu_seconds();
    const oct_result result = oct_script_open(path, limits, &script, error);
    const double took = cpu_seconds() - begin;
    if (took > 20.0) {
        fail_msg("%.1f s for: %s", took, text);
    }
    oct_script_close(script);
    return result;
}

static const struct {
    const char *text, *message;
} bombs[] = {
    {"while true do end", "more than 3000000 steps"},
    {"::a:: goto a", "more than 3000000 steps"},
    {"repeat until false", "more than 3000000 steps"},
    {"for i = 1, math.huge do end", "more than 3000000 steps"},
    {"while true do pcall(function() while true do end end) end", "steps"},
    {"pcall(function() while true do end end) x = 1", "steps"},
    {"local function f() pcall(f) pcall(f) end f()", "steps"},
    {"local function f() return xpcall(function() while true do end end, f) end f()", "steps"},
    {"while true do xpcall(function() while true do end end, function() while true do end end) end",
     "steps"},
    {"local t = setmetatable({}, {__index = function(t, k) while true do end end}) return t.x",
     "steps"},
    {"error(setmetatable({}, {__tostring = function() while true do end end}))", ""},
    {"local t = {} for i = 1, 1e9 do t[i] = i end", "not enough memory"},
    {"local s = 'x' while true do s = s .. s end", "not enough memory"},
    {"local s = 'x' while true do pcall(function() s = s .. s end) end", "steps"},
    {"local t = {} while true do t = {t} end", "not enough memory"},
    {"local t = {} for i = 1, 1e6 do t[i] = {} end", "not enough memory"},
    {"local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1000) .. #t end) end",
     "steps"},
    {"while true do local s = ('x'):rep(200000) end", "steps"},
    {"string.rep('x', 1 << 40)", "steps"},
    {"string.rep('x', 1 << 62)", "steps"},
    {"string.rep('x', 5000000)", "not enough memory"},
    {"string.rep('', 1 << 62)", "no tests"},
    {"string.rep('x', 1000, ('y'):rep(100000))", "not enough memory"},
    {"local s = ('a'):rep(20000) s:find(('.-'):rep(30) .. 'b')", "steps"},
    {"local s = ('a'):rep(3000) s:match('(.*)(.*)(.*)(.*)b')", "steps"},
    {"local s = ('a'):rep(40) s:find(('a?'):rep(60) .. ('a'):rep(60))", "steps"},
    {"local s = ('('):rep(100000) s:gsub('%b()%b()%b()', '')", "steps"},
    {"local s = ('a'):rep(200000) while true do s:find('b') end", "steps"},
    {"local s = ('a'):rep(200000) while true do s:find('ab', 1, true) end", "steps"},
    {"local s = ('x'):rep(99999) while true do s:gsub('x', 'yy') end", "steps"},
    {"table.concat({}, 'x', 1, 1 << 60)", "invalid value"},
    {"table.concat(setmetatable({}, {__len = function() return 1 << 60 end, __index = type}))",
     "are not taken"},
    {"table.unpack({}, 1, 1 << 60)", "steps"},
    {"table.unpack({}, 1, 2000000)", "too many results"},
    {"table.unpack(setmetatable({}, {__len = function() return 1 << 60 end}))", "are not taken"},
    {"table.move({}, 1, 1 << 60, 2)", "steps"},
    {"table.move({}, -(1 << 62), 1 << 62, 2, {})", "steps"},
    {"table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 1)",
     "are not taken"},
    {"table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)", "are not taken"},
    {"table.sort(setmetatable({}, {__len = function() return 1 << 30 end}))", "are not taken"},
    {"local t = {} for i = 1, 50000 do t[i] = i end while true do table.sort(t, rawequal) end",
     "steps"},
    {"local t = {} for i = 1, 50000 do t[i] = i end while true do table.insert(t, 1, 1) t[#t] = "
     "nil "
     "end",
     "steps"},
    {"local t = {3, 1, 2} table.sort(t, function() while true do end end)", "steps"},
    {"local t = {} for i = 1, 9999 do t['k' .. i] = i end while true do next(t) end", "steps"},
    {"local t = {} for i = 1, 9999 do t['k' .. i] = i end while true do pairs(t) end", "steps"},
    {"local function f() return 1 + f() end f()", "functions call each other very deep"},
    {"local function f() local a, b, c = f() end f()", "functions call each other very deep"},
    {"local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x",
     "overflow"},
    {"local s = ('('):rep(1000) error(s .. s, 0)", "((("},
    {"local g = {} while true do g[#g + 1] = SUCCESS() end", ""},
    {"while true do SUCCESS() end", "steps"},
    {"local g = SUCCESS() while true do g = REPEAT(g) end", "more than 64 levels"},
    {"local f = function() end while true do f = ltl.always(f) end", "too large"},
    {"local f = function() end while true do f = ltl.both(f, f) end", "too large"},
    {"while true do print(('x'):rep(1000)) end", ""},
    {"local s = ('a'):rep(100000) s:find(('a'):rep(50000) .. 'b', 1, true)", "steps"},
    {"local s, t = ('x'):rep(200000), {} for i = 1, 9999 do t[i] = s end table.sort(t)", "steps"},
    {"local f = print for i = 1, 1000 do f = setmetatable({}, {__call = f}) end f()",
     "__call must be a function"},
    {"local s = ('x'):rep(200000) local a, b = s .. 'a', s .. 'a' while a == b do end", "steps"},
    {"local s = ('x'):rep(200000) local a, b = s .. 'a', s .. 'b' while a < b do end", "steps"},
    {"local t, n = {}, (1 << 17) - 1 for i = 1, 70000 do t[i * n] = i end", "not enough memory"},
    {"local t = {} for i = 1, 99 do t = setmetatable({}, {__index = t}) end", "more than 32"},
    {"local t = {} for i = 1, 99 do t = setmetatable({}, {__newindex = t}) end", "more than 32"},
    {"local t = {} for i = 1, 99 do local n = {} setmetatable(t, {__index = n}) t = n end",
     "more than 32"},
    {"local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a})",
     "more than 32"},
    {"local t = {} t.__index = t setmetatable(t, t)", "more than 32"},
};

// Each ends with an error, soon, and nothing of a script keeps it from that.
static void bombs_end_within_their_limits(void **state)
{
    const script_limits limits = small();
    for (size_t i = 0; i < COUNT(bombs); i++) {
        oct_error error;
        const oct_result result = open_within(*state, bombs[i].text, &limits, &error);
        if (strcmp(bombs[i].message, "no tests") == 0) {
            assert_int_equal(result, OCT_OK);
        } else if (result != OCT_ERROR_FORMAT || !strstr(error.message, bombs[i].message)) {
            fail_msg("%s\n  is %d, line %u: %s\n  not: %s", bombs[i].text, result, error.line,
                     error.message, bombs[i].message);
        }
    }
}

static const struct {
    const char *text, *message;
} reaches[] = {
    {"io.open('/etc/passwd')", "global 'io'"},
    {"os.execute('true')", "global 'os'"},
    {"debug.getregistry()", "global 'debug'"},
    {"require 'io'", "global 'require'"},
    {"package.loadlib('x', 'y')", "global 'package'"},
    {"load('x = 1')", "global 'load'"},
    {"loadstring('x = 1')", "global 'loadstring'"},
    {"loadfile('/etc/passwd')", "global 'loadfile'"},
    {"dofile('/etc/passwd')", "global 'dofile'"},
    {"collectgarbage('count')", "global 'collectgarbage'"},
    {"warn('@on')", "global 'warn'"},
    {"coroutine.wrap(function() end)()", "global 'coroutine'"},
    {"string.dump(function() end)", "field 'dump'"},
    {"math.randomseed()", "field 'randomseed'"},
    {"getmetatable('').__index = nil", "a boolean value"},
    {"getmetatable(SUCCESS()).__gc(1)", "a boolean value"},
    {"SUCCESS().limit = 1", "octant.goal"},
    {"SUCCESS():__gc()", "method '__gc'"},
    {"setmetatable({}, {__gc = print})", "no __gc"},
    {"setmetatable({}, {__mode = 'k'})", "no __mode"},
    {"('%p'):format({})", "no %p"},
    {"include '/etc/passwd'", "must be a .lua file"},
    {"include '../x.lua'", "must be a .lua file"},
    {"include 'absent.lua'", "there is no file"},
    {"error({})", "table"},
    {"error(nil)", "an error without a message"},
    {"error(true)", "true"},
    {"error(42)", "42"},
    {"error(setmetatable({}, {__tostring = function() return 'said so' end}))", "said so"},
    {"error(setmetatable({}, {__tostring = function() error('twice') end}))", "table"},
    {"error(setmetatable({}, {__tostring = function() return 1 end}))", "table"},
    {"error('two\\nlines')", "two lines"},
    {"error('one\\u{9b}two\\x9bthree\\27four', 0)", "one  two three four"},
    {"local step = pairs({a = 1}) step(0x4141414141)", "table expected"},
    {"local step = pairs({a = 1}) step()", "table expected"},
    {"local step = pairs({a = 1}) step(SUCCESS())", "table expected"},
    {"local t = {} t[t] = 1 for i = 1, 9 do t[SUCCESS()] = i end SEQ(t)", "no field a goal"},
};

static void what_is_not_a_scripts_is_not_there(void **state)
{
    const script_limits limits = oct_script_limits_default();
    for (size_t i = 0; i < COUNT(reaches); i++) {
        oct_error error;
        const oct_result result = open_within(*state, reaches[i].text, &limits, &error);
        if (result != OCT_ERROR_FORMAT || error.line != 1 ||
            !strstr(error.message, reaches[i].message)) {
            fail_msg("%s\n  is %d, line %u: %s\n  not: %s", reaches[i].text, result, error.line,
                     error.message, reaches[i].message);
        }
    }
}

static void bytecode_is_refused(void **state)
{
    oct_error error;
    const script_limits limits = oct_script_limits_default();
    assert_int_equal(open_within(*state, "\x1bLua\x54", &limits, &error), OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "binary"));
    script_write(*state, "code.lua", "\x1bLua\x54");
    assert_int_equal(open_within(*state, "include 'code.lua'", &limits, &error), OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "binary"));
}

// The same while a test is played: verdict ERROR, with the line and where the agent was.
static void bombs_in_tests_end_them(void **state)
{
    static const char *const bodies[] = {
        "while true do end",
        "return CHECK('c', function(a) while true do end end)",
        "return CHECK('c', function(a) pcall(function() while true do end end) end)",
        "return REPEATuntil(SUCCESS(), function(a) local s = 'x' while true do s = s .. s end end)",
        "return DEPLOY(function(a) while true do end end)",
        "return goal{name = 'g', tactic = ACTION{name = 'x', run = function(a) while true do end "
        "end}}",
        "return goal{name = 'g', tactic = ACTION{name = 'x', guard = function(a) while true do end "
        "end, run = print}}",
        "invariant('i', function(a) while true do end end) return explore()",
        "return explore_to_find{where = function(e) while true do end end}",
        "return check_all{type = 'lamp', check = 'c', test = function(e) while true do end end}",
    };
    for (size_t i = 0; i < COUNT(bodies); i++) {
        char text[1024];
        snprintf(text, sizeof text, "world 'room.json'\ntest('t', function()\n%s\nend)", bodies[i]);
        oct_script *const script = script_open(*state, text);
        const script_limits limits = small();
        oct_play_result r = script_play_within(script, 0, &limits);
        if (r.verdict != OCT_VERDICT_ERROR || !strstr(r.reason, "test.lua:3: ") ||
            strcmp(r.where, "test.lua:3") != 0 ||
            !(strstr(r.reason, "steps") || strstr(r.reason, "memory")) ||
            (i > 0 && !strstr(r.reason, " s"))) {
            fail_msg("%s\n  is %s: %s (%s)", bodies[i], oct_verdict_name(r.verdict), r.reason,
                     r.where);
        }
        oct_play_result_free(&r);
        oct_script_close(script);
    }
}

// What a script has handed over is no more its own.
static void invariants_are_those_that_were_declared(void **state)
{
    script_verdict(*state,
                   "world 'room.json' local inv = {unhurt = function(a) return a.health > 0 end}\n"
                   "test('t', {invariants = inv}, function() return SUCCESS() end)\n"
                   "inv[true] = function() end inv.unhurt = 'no function' inv.other = {}",
                   OCT_VERDICT_PASS, "");
}

// A metatable is what it was when it was set.
static const char *const metatable_idioms[] = {
    "local Class = {} Class.__index = Class local o = setmetatable({}, Class)\n"
    "assert(getmetatable(o) == Class) function Class:later() return 7 end assert(o:later() == 7)",
    "local mt = {} local o = setmetatable({}, mt) mt.__index = function() return 1 end\n"
    "assert(o.x == nil) setmetatable(o, mt) assert(o.x == 1)",
    "local mt = {} local o = setmetatable({}, mt) mt.__mode = 'k' mt.__gc = print mt.__call = "
    "print\n"
    "assert(not pcall(o)) assert(not pcall(setmetatable, o, mt)) assert(getmetatable(o) == mt)",
    "local a = setmetatable({}, {__metatable = 'no'}) assert(getmetatable(a) == 'no')\n"
    "assert(not pcall(setmetatable, a, {}))",
    "local o = setmetatable({}, {__tostring = function() return 'o' end}) assert(tostring(o) == "
    "'o')"
    "\nassert(setmetatable(o, nil) == o and getmetatable(o) == nil)",
    "local t = {} for i = 1, 32 do t = setmetatable({}, {__index = t}) end",
    "local V = {} V.__index = V V.__add = function(a, b) return setmetatable({a[1] + b[1]}, V) "
    "end\n"
    "V.__eq = function(a, b) return a[1] == b[1] end V.__lt = function(a, b) return a[1] < b[1] "
    "end\n"
    "local function v(n) return setmetatable({n}, V) end assert(v(1) + v(2) == v(3) and v(1) < "
    "v(2))\n"
    "for i = 1, 1000 do assert(getmetatable(v(i)) == V) end",
    "assert(not pcall(setmetatable, {}, {__index = 'text'}))\n"
    "assert(not pcall(setmetatable, {}, {__add = {}})) assert(not pcall(setmetatable, 1, {}))\n"
    "assert(not pcall(setmetatable, {})) assert(getmetatable(1) == nil and not getmetatable(''))",
};

static void metatables_are_as_they_were_set(void **state)
{
    for (size_t i = 0; i < COUNT(metatable_idioms); i++) {
        oct_script_close(script_open(*state, metatable_idioms[i]));
    }
}

// An entity is a table, of which a script may take parts away.
static void entities_without_fields_are_refused(void **state)
{
    script_body(*state, "return CHECK('c', function(a) a:distance{in_sight = true} end)",
                OCT_VERDICT_ERROR, "has no position any more");
}

// Lua's memory at many sizes: a result each time, and nothing is left over.
static void memory_ends_anywhere(void **state)
{
    oct_script *const script = script_open(
        *state, "world 'room.json' test('t', { seconds = 2 }, function() invariant('i', "
                "ltl.eventually(function(a) return a:entity{type = 'lamp'} end)) return "
                "SEQ{explore_to_find 'Lamp', CHECK('c', function(a) return #a:entities() > 0 end), "
                "explore()} end)");
    bool has_run = false;
    for (size_t memory = 1000; memory < 400000; memory += test_is_slow() ? 9000 : 1500) {
        script_limits limits = oct_script_limits_default();
        limits.memory = memory;
        oct_play_result r = script_play_within(script, 0, &limits);
        const bool is_short = r.verdict == OCT_VERDICT_ERROR;
        if (is_short && !strstr(r.reason, "memory")) {
            fail_msg("%zu: %s", memory, r.reason);
        }
        assert_true(is_short || memory > 10000);
        has_run = has_run || !is_short;
        oct_play_result_free(&r);
    }
    assert_true(has_run);
    oct_script_close(script);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, script_setup, script_teardown)
    const struct CMUnitTest tests[] = {EACH(bombs_end_within_their_limits),
                                       EACH(what_is_not_a_scripts_is_not_there),
                                       EACH(bytecode_is_refused),
                                       EACH(bombs_in_tests_end_them),
                                       EACH(memory_ends_anywhere),
                                       EACH(metatables_are_as_they_were_set),
                                       EACH(invariants_are_those_that_were_declared),
                                       EACH(entities_without_fields_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
