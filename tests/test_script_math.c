// SPDX-License-Identifier: MIT
// Numbers in scripts: the same bits on every machine, with and without fused multiplications, and
// close to what libm says; and the scanner, which finds what scripts may not have.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include <locale.h>
#include <math.h>

#define GOLDEN_MATH UINT64_C(0xe554fdd1c7a7fffb)

// FNV-1a over the bytes of a note.
static uint64_t hash_note(const char *note)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *note; note++) {
        hash = (hash ^ (uint8_t)*note) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// Every function of math on many numbers, as they are in memory, in hexadecimal.
static const char all_of_math[] =
    "world 'room.json' test('t', function()\n"
    "local first, hash, count = {}, 0, 0\n"
    "local function add(x)\n"
    "  local bits = ('<i8'):unpack(('<d'):pack(x))\n"
    "  hash, count = hash * 31 + bits, count + 1\n"
    "  if count <= 18 then first[count] = ('%016x'):format(bits) end\n"
    "end\n"
    "local random = 1\n"
    "for i = 1, 2000 do\n"
    "  random = random * 6364136223846793005 + 1442695040888963407\n"
    "  local x = (random >> 11) * 0x1p-53 * (i % 7 == 0 and 300 or 4) - (i % 3)\n"
    "  local y = (i * 37 % 101) / 17 - 3\n"
    "  add(math.sin(x)) add(math.cos(x)) add(math.tan(x)) add(math.atan(y, x)) add(math.atan(x))\n"
    "  add(math.exp(x)) add(math.log(math.abs(x) + 1e-9)) add(math.log(math.abs(x) + 1, 10))\n"
    "  add(math.power(x, i % 9 - 4)) add(math.sqrt(math.abs(x))) add(math.fmod(x, 0.7))\n"
    "  add(math.asin(math.fmod(x, 1))) add(math.acos(math.fmod(x, 1))) add(x % 0.3) add(x // 0.3)\n"
    "  add(math.random()) add(math.random(1, 1000)) add(tonumber(('%.17g'):format(x)))\n"
    "end\n"
    "print(('%016x'):format(hash) .. ' ' .. table.concat(first, ' ') .. ' ' .. 0.1 + 0.2 .. "
    "1e100)\n"
    "return SUCCESS() end)";

static uint64_t play_math(const char *folder)
{
    oct_script *const script = script_open(folder, all_of_math);
    const oct_play_options options = {.seed = 0};
    oct_play_result r = script_play_with(script, 0, &options);
    if (r.verdict != OCT_VERDICT_PASS) {
        fail_msg("%s", r.reason);
    }
    assert_true(r.note_count > 0);
    const uint64_t hash = hash_note(r.notes[0]);
    print_message("%s\n%016llx\n", r.notes[0], (unsigned long long)hash);
    oct_play_result_free(&r);
    oct_script_close(script);
    return hash;
}

static void math_gives_the_same_bits_everywhere(void **state)
{
    assert_true(play_math(*state) == GOLDEN_MATH);
}

// Numbers are written and read, and texts compared, the same in any locale.
static void no_locale_changes_results(void **state)
{
    static const char *const locales[] = {
        "de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "cs_CZ.UTF-8", "de_DE", "fr_FR", "tr_TR"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof locales / sizeof *locales; i++) {
        found = setlocale(LC_ALL, locales[i]);
    }
    if (!found) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    const uint64_t hash = play_math(*state);
    (void)setlocale(LC_ALL, "C");
    assert_true(hash == GOLDEN_MATH);
}

// Own functions are close to libm's, and right at the ends.
static const char close_to_libm[] =
    "local function near(a, b) assert(math.abs(a - b) <= 4e-15 * math.max(1, math.abs(b)),\n"
    "  a .. ' ' .. b) end\n"
    "near(math.exp(1), 2.718281828459045) near(math.exp(-20), 2.061153622438558e-09)\n"
    "near(math.exp(10) / 22026.465794806716, 1) near(math.exp(700) / 1.0142320547350045e304, 1)\n"
    "assert(math.exp(0) == 1 and math.exp(1 / 0) == 1 / 0 and math.exp(-1 / 0) == 0)\n"
    "assert(math.exp(1000) == 1 / 0 and math.exp(-1000) == 0 and math.exp(0 / 0) ~= 0)\n"
    "near(math.log(10), 2.302585092994046) near(math.log(1e-300), -690.7755278982137)\n"
    "near(math.log(1024, 2), 10) near(math.log(1000, 10), 3) assert(math.log(1) == 0)\n"
    "assert(math.log(0) == -1 / 0 and math.log(1 / 0) == 1 / 0 and math.log(-1) ~= math.log(-1))\n"
    "near(math.atan(1), math.pi / 4) near(math.atan(1, -1), 3 * math.pi / 4)\n"
    "near(math.atan(-1, -1), -3 * math.pi / 4) near(math.atan(1 / 0), math.pi / 2)\n"
    "near(math.atan(-1 / 0), -math.pi / 2) near(math.atan(0, -1), math.pi)\n"
    "near(math.atan(1 / 0, 1 / 0), math.pi / 4) near(math.atan(5, 1 / 0), 0)\n"
    "near(math.atan(1e300, 1e300), math.pi / 4) near(math.atan(0.0, 0.0), 0)\n"
    "near(math.asin(0.5), 0.5235987755982989) near(math.acos(0.5), 1.0471975511965979)\n"
    "near(math.asin(1), math.pi / 2) near(math.acos(-1), math.pi) assert(math.asin(2) ~= 0)\n"
    "near(math.tan(1), 1.5574077246549023) near(math.sin(1), 0.8414709848078965)\n"
    "assert(math.power(2, 10) == 1024 and math.type(math.power(2, 10)) == 'integer')\n"
    "assert(math.power(2, -1) == 0.5 and math.power(2.5, 2) == 6.25 and math.power(0, 0) == 1)\n"
    "assert(math.power(3, math.maxinteger) ~= nil and math.power(2.0, math.mininteger) == 0)\n"
    "assert(math.pow == nil and math.randomseed == nil)\n";

static void own_functions_are_close_to_the_true_ones(void **state)
{
    oct_script_close(script_open(*state, close_to_libm));
}

static void powers_by_operator_are_refused(void **state)
{
    static const char *const wrong[] = {"return x^2",
                                        "local a = 1\n  return 'a' .. 2^0.5",
                                        "--[==[ ^ ]] ]==] return 1^1",
                                        "return [[^]] ^ 1",
                                        "return '\\'' ^ '\\\\'",
                                        "return 0x1p4^2",
                                        "x = '\\z  \n  ' y = x^2"};
    static const uint32_t lines[] = {1, 2, 1, 1, 1, 1, 2};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        script_refused(*state, wrong[i], lines[i], "scripts have no '^'");
    }
    oct_script_close(script_open(
        *state, "-- ^\n--[[ ^\n ]] local a, b = '^', \"a'^\" local c = [==[ ]] ^ ]] ]==]\n"
                "local d = '\\'^' --[=[ ^\n]=] assert(('a'):find('^a') == 1) return 5 ~ 3"));
}

// What takes the compiler long is charged before.
static void sources_that_compile_slowly_end(void **state)
{
    enum { SIZE = 3 << 20 };
    char *const text = malloc(SIZE + 4096);
    char path[1024];
    assert_non_null(text);
    for (int kind = 0; kind < 3; kind++) {
        size_t used = 0;
        oct_error error = {.line = 0};
        oct_script *script;
        const script_limits limits = oct_script_limits_default();
        used += (size_t)sprintf(text, "%s", kind == 0 ? "if a then " : "");
        for (int i = 0; kind == 1 && i < 60; i++) {
            used += (size_t)sprintf(text + used, "function f()local a,b,c,d ");
        }
        for (uint32_t i = 0; used < SIZE; i++) {
            used += kind == 0   ? (size_t)sprintf(text + used, "elseif a then ")
                    : kind == 1 ? (size_t)sprintf(text + used, "x=y ")
                                : (size_t)sprintf(text + used, "::l%x::", i);
        }
        script_write(*state, "test.lua", text);
        script_path(*state, "test.lua", path, sizeof path);
        assert_int_equal(oct_script_open(path, &limits, &script, &error), OCT_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "steps"));
    }
    free(text);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, script_setup, script_teardown)
    const struct CMUnitTest tests[] = {
        EACH(math_gives_the_same_bits_everywhere), EACH(no_locale_changes_results),
        EACH(own_functions_are_close_to_the_true_ones), EACH(powers_by_operator_are_refused),
        EACH(sources_that_compile_slowly_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
