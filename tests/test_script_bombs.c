// SPDX-License-Identifier: MIT
// Hostile scripts: what works for ever, in every way to call it. None may go on beyond its limits.
// A part of them is tried, all where OCTANT_SOAK is set.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define PART 23 // one of so many is tried

// What is prepared, and what is done again and again.
static const struct {
    const char *before, *again;
} bombs[] = {
    {"", ""},
    {"local n = 0", "n = n + 1"},
    {"local s = ('x'):rep(200000)", "local t = s .. s"},
    {"local s = ('a'):rep(60000)", "s:find(('a'):rep(30000) .. 'b', 1, true)"},
    {"local s = ('a'):rep(60000)", "s:find('.-.-.-.-b')"},
    {"local s = ('a'):rep(60)", "s:find(('a?'):rep(60) .. ('a'):rep(60))"},
    {"local s = ('('):rep(60000)", "s:gsub('%b()', '')"},
    {"local s = ('a'):rep(3000)", "s:match('(.*)(.*)(.*)b')"},
    {"local s = ('a'):rep(100000)", "for w in s:gmatch('a*b') do end"},
    {"local s = ('x'):rep(60000)", "s:gsub('x', function() end)"},
    {"local s = ('x'):rep(60000)", "s:gsub('x', {x = 'yy'})"},
    {"local s = ('x'):rep(60000)", "s:find('[' .. ('a-b'):rep(9999) .. ']')"},
    {"local s = ('ab'):rep(9999)", "s:find('%f[b]%f[a]%f[b]')"},
    {"local s = ('a'):rep(9999)", "s:find('(a*)%1%1b')"},
    {"local s = ('x'):rep(60000)", "s:upper() s:lower() s:reverse()"},
    {"local s = ('x'):rep(60000)", "s:byte(1, 20000)"},
    {"local s = ('x'):rep(60000)", "s:sub(2, -2)"},
    {"", "string.rep('x', 60000, 'y')"},
    {"", "pcall(string.rep, 'x', 1 << 40)"},
    {"", "string.format(('%99.99f'):rep(20), table.unpack({1e308, 1e308, 1e308, 1e308, 1e308, "
         "1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, "
         "1e308, 1e308, 1e308}))"},
    {"local s = ('\\0\\n\"'):rep(20000)", "string.format('%q', s)"},
    {"local s = ('b'):rep(9999)", "pcall(string.pack, s, 1)"},
    {"local s = ('i1'):rep(9999)", "pcall(string.unpack, s, ('x'):rep(99))"},
    {"local s = ('x'):rep(60000)", "string.unpack('z', s .. '\\0')"},
    {"local s = ('c1000'):rep(9999)", "string.packsize(s)"},
    {"local s = ('\\x80'):rep(60000)", "pcall(utf8.len, s, 1, -1, true)"},
    {"local s = 'a' .. ('\\x80'):rep(60000) local f = utf8.codes('a')", "pcall(f, s, 1)"},
    {"local s = ('\\u{7ff}'):rep(30000)", "utf8.len(s) utf8.offset(s, -1)"},
    {"local s = ('\\u{7ff}'):rep(9000)", "utf8.codepoint(s, 1, 9000)"},
    {"local t = {} for i = 1, 9999 do t[i] = i end",
     "table.sort(t, function(a, b) return a > b end)"},
    {"local s, t = ('x'):rep(60000), {} for i = 1, 999 do t[i] = s end", "table.sort(t)"},
    {"local t = {} for i = 1, 9999 do t[i] = -i end", "table.sort(t, rawequal)"},
    {"local mt = {__lt = function() return true end} local t = {} for i = 1, 99 do t[i] = "
     "setmetatable({}, mt) end",
     "table.sort(t)"},
    {"local t = {} for i = 1, 9999 do t[i] = i end", "table.insert(t, 1, 0) table.remove(t, 1)"},
    {"local t = {} for i = 1, 9999 do t[i] = i end", "table.move(t, 1, #t, 2) t[#t] = nil"},
    {"local t = {} for i = 1, 9999 do t[i] = 1e100 end", "table.concat(t, ', ')"},
    {"local t = {} for i = 1, 9999 do t[i] = i end", "table.unpack(t) table.pack(table.unpack(t))"},
    {"local t = {} for i = 1, 200 do t[i] = i end", "select(-1, table.unpack(t))"},
    {"local t = {} for i = 1, 9999 do t['k' .. i] = i end", "for k in pairs(t) do end"},
    {"local t = {} for i = 1, 999 do t['k' .. i] = i end", "next(t, 'k500')"},
    {"local t = {} for i = 1, 99 do t[('k'):rep(9000) .. i] = i end", "for k in pairs(t) do end"},
    {"local a = ('x'):rep(200000) local b, c = a .. 'a', a .. 'a'", "local x = b == c"},
    {"local a = ('x'):rep(200000) local b, c = a .. 'a', a .. 'b'", "local x = b < c"},
    {"local a = ('x'):rep(60000) local b, c = a .. 'a', a .. 'a'", "local x = b == c"},
    {"local a = ('\\0'):rep(60000) local b, c = a .. 'a', a .. 'b'", "local x = b < c"},
    {"local t, s = {}, ('x'):rep(200000)", "t[s .. 'a'] = 1"},
    {"local s = ('9'):rep(60000)", "local x = s + 1"},
    {"local s = ('9'):rep(60000)", "tonumber(s) tonumber(s, 36)"},
    {"local t, n = {}, (1 << 15) - 1", "for i = 1, 20000 do t[i * n] = i end t = {}"},
    {"local t, n = {}, (1 << 16) - 1", "for i = 1, 32769 do t[i * n] = i end t = {}"},
    {"local t, n = {}, (1 << 17) - 1", "for i = 1, 65537 do t[i * n] = i end t = {}"},
    {"local t = {}", "for i = 1, 20000 do t[i + 0.5] = i end t = {}"},
    {"local f = 0 for i = 1, 30 do f = setmetatable({}, {__index = f ~= 0 and f or nil}) end",
     "local x = f.absent"},
    {"local function close() end", "local x <close> = setmetatable({}, {__close = close})"},
    {"", "local t = {} for i = 1, 999 do t = {t} end"},
    {"", "pcall(error, {})"},
    {"", "pcall(error, setmetatable({}, {__tostring = error}))"},
    {"local function deep() return 1 + deep() end", "pcall(deep)"},
    {"local t = setmetatable({}, {__tostring = tostring})", "pcall(tostring, t)"},
    {"local t = setmetatable({}, {__index = function(t, k) return t[k] end})",
     "pcall(function() return t.x end)"},
    {"local t = setmetatable({}, {__concat = function(a, b) return a end})",
     "local x = t .. t .. t"},
    {"", "SUCCESS()"},
    {"", "SEQ{SUCCESS(), SUCCESS(), explore()}"},
    {"local f = function() end", "ltl.both(ltl.always(f), ltl.eventually(f))"},
    {"", "print(('x'):rep(100))"},
    {"", "pcall(goal, {name = ('x'):rep(50000), tactic = tactic.explore()})"},
    {"local t = {} for i = 1, 999 do t['f' .. i] = i end", "pcall(goal, t)"},
    {"", "math.random(1 << 40) math.sin(1e300) math.exp(9) math.power(3, 1 << 60)"},
    {"", "close_to{1, 2, 3} explore_to_find{where = print}"},
};

// How it is called.
static const char *const ways[] = {
    "%s while true do %s end",
    "%s local function f() while true do %s end end pcall(f) pcall(f)",
    "%s xpcall(function() while true do %s end end, function() while true do end end)",
    "%s local t = setmetatable({}, {__index = function() while true do %s end end}) return t.x",
    "%s ('x'):gsub('x', function() while true do %s end end)",
    "%s table.sort({2, 1}, function() while true do %s end end)",
    "%s tostring(setmetatable({}, {__tostring = function() while true do %s end end}))",
    "%s while true do pcall(function() %s end) end",
};

static double cpu_seconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double try_bomb(const char *folder, const char *text, const script_limits *limits)
{
    char path[1024];
    oct_script *script;
    oct_error error = {.line = 0};
    script_write(folder, "test.lua", text);
    script_path(folder, "test.lua", path, sizeof path);
    const double begin = cpu_seconds();
    const oct_result result = oct_script_open(path, limits, &script, &error);
    const double took = cpu_seconds() - begin;
    oct_script_close(script);
    if (result == OCT_ERROR_MEMORY || (result != OCT_OK && error.message[0] == '\0')) {
        fail_msg("%s\n  is %d: %s", text, result, error.message);
    }
    // Some end well: what they take too much of is refused, and they catch that.
    return took;
}

static void none_goes_on_beyond_its_limits(void **state)
{
    const bool is_whole = getenv("OCTANT_SOAK") != NULL;
    script_limits limits = oct_script_limits_default();
    limits.steps = is_whole ? 5000000 : 2000000;
    limits.seconds = 1.0;
    double worst = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < COUNT(bombs) * COUNT(ways); i += is_whole ? 1 : PART) {
        char text[2048];
        (void)snprintf(text, sizeof text, ways[i % COUNT(ways)], bombs[i / COUNT(ways)].before,
                       bombs[i / COUNT(ways)].again);
        const double took = try_bomb(*state, text, &limits);
        count++;
        if (took > worst) {
            worst = took;
            print_message("%.2f s: %s\n", took, text);
        }
        if (took > limits.seconds + 1.0) {
            fail_msg("%.1f s, which is %.1f s more than the limit: %s", took, took - limits.seconds,
                     text);
        }
    }
    print_message("%zu scripts of %zu, the longest %.2f s; %.1f s are allowed\n", count,
                  COUNT(bombs) * COUNT(ways), worst, limits.seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        none_goes_on_beyond_its_limits, script_setup, script_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
