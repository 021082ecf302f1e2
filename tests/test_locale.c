// SPDX-License-Identifier: MIT
// Numbers have a point whatever the locale says: in reasons, notes, errors, reports and files.

// For mkdtemp and setenv.
#define _XOPEN_SOURCE 700

#include "base/print.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/words.h"
#include "files/files_internal.h"
#include "folder_support.h"
#include "octant/files.h"
#include "report_scene.h"
#include "support.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- a locale with a comma ----

static bool has_comma; // it could be made, and is in force

// As many systems have none but C, one is made.
static int set_comma(void **state)
{
    char command[1024];
    (void)state;
    void *folder;
    make_folder(&folder);
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\n"
             "grouping 3;3\\nEND LC_NUMERIC\\n' >comma.src && "
             "localedef -c -i comma.src ./comma >/dev/null 2>&1; test -e comma/LC_NUMERIC",
             (const char *)folder);
    if (system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
        setlocale(LC_NUMERIC, "comma")) {
        char number[8];
        snprintf(number, sizeof number, "%.1f", 0.5);
        has_comma = strcmp(number, "0,5") == 0;
    }
    snprintf(command, sizeof command, "rm -rf %s", (const char *)folder);
    (void)!system(command);
    free(folder);
    if (!has_comma) {
        printf("skipped: no locale with a comma could be made\n");
    }
    return 0;
}

#define SKIP_WITHOUT_COMMA                                                                         \
    if (!has_comma) {                                                                              \
        skip();                                                                                    \
    }

// ---- tests ----

#define ASSERT_FORMAT(expected, ...)                                                               \
    do {                                                                                           \
        char text_[512];                                                                           \
        assert_int_equal(oct_snprintf(text_, sizeof text_, __VA_ARGS__), (int)strlen(expected));   \
        assert_string_equal(text_, expected);                                                      \
    } while (0)

static void formats_are_those_of_c(void **state)
{
    (void)state;
    ASSERT_FORMAT("", "%s", "");
    ASSERT_FORMAT("a, 1,5: 1.5|  2.50|-1e+300|0.001   |inf", "a, 1,5: %g|%6.2f|%g|%-8g|%g", 1.5,
                  2.5, -1e300, 0.001, (double)INFINITY);
    ASSERT_FORMAT("1.50|    x|ab|-7|7 %", "%.*f|%*s|%.*s|%d|%u %%", 2, 1.5, 5, "x", 2, "abc", -7,
                  7u);
    ASSERT_FORMAT("18446744073709551615 -9223372036854775808 12 c 00ff", "%llu %lld %zu %c %04x",
                  ULLONG_MAX, LLONG_MIN, (size_t)12, 'c', 255u);
    ASSERT_FORMAT("x    |-1", "%-*s|%ld", 5, "x", -1L);
    ASSERT_FORMAT("4294967295 18446744073709551615", "%" PRIu32 " %" PRIu64, UINT32_MAX,
                  UINT64_MAX);
    char cut[6];
    assert_int_equal(oct_snprintf(cut, sizeof cut, "%s %.3f", "ab", 1.25), 8);
    assert_string_equal(cut, "ab 1.");
    assert_int_equal(oct_snprintf(NULL, 0, "%.2f", 0.5), 4);
    char large[512];
    oct_snprintf(large, sizeof large, "%.2f", -DBL_MAX);
    assert_int_equal(strlen(large), 313);
    assert_string_equal(large + 310, ".00");
}

static void numbers_are_read_and_written_with_a_point(void **state)
{
    (void)state;
    SKIP_WITHOUT_COMMA
    oct_error error;
    oct_error_set(&error, 0, 0, 0, "from %g to %.2f", 0.5, 1.25);
    assert_string_equal(error.message, "from 0.5 to 1.25");
    scene_text words;
    scene_text_init(&words);
    oct_words_format(&words.out, "%.1f,%g", 0.5, 1.5);
    oct_sink_decimal(&words.out, 0.1);
    assert_string_equal(scene_text_read(&words), "0.5,1.50.1");
    scene_text_free(&words);
    static const char world[] =
        "{\"format\": \"octant-world\", \"version\": 1, \"types\": [{\"name\": \"a\"}], "
        "\"blocks\": [{\"id\": 1, \"type\": \"a\", \"box\": [0.5, 0, 0, 1.25, 1, 1]}]}";
    oct_world *read;
    if (oct_world_decode(world, sizeof world - 1, NULL, &read, NULL, &error) != OCT_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(oct_world_get(read, 0).box.min.x == 0.5);
    assert_true(oct_world_get(read, 0).box.max.x == 1.25);
    oct_world_destroy(read);
}

static oct_goal *press_panel(const oct_allocator *allocator)
{
    const oct_pick panel = {.name = "Panel"};
    return oct_goal_interacted(allocator, &panel, 0);
}

typedef struct played {
    oct_play_result result;
    oct_play_record *record;
    char *junit, *html, *text;
} played;

static char *write_report(const oct_report_run *run,
                          oct_result (*report)(const oct_report_run *, oct_write_fn *, void *))
{
    scene_text words;
    scene_text_init(&words);
    assert_int_equal(report(run, scene_text_write, &words), OCT_OK);
    char *const copy = strdup(scene_text_read(&words));
    scene_text_free(&words);
    return copy;
}

// Plays a test and writes all its reports; times are made equal.
static played play(void)
{
    played out;
    assert_int_equal(oct_play_record_create(NULL, &out.record), OCT_OK);
    const oct_play_watch watch = oct_play_record_watch(out.record);
    scene_play("door_and_button.json", press_panel, 1, 3, &watch, &out.result);
    out.result.times = (oct_agent_times){.all = 1500000, .looks = 3};
    const oct_report_test test = {.file = "a.lua",
                                  .name = "a",
                                  .world = "w",
                                  .time_ms = 1.25,
                                  .result = out.result,
                                  .record = out.record};
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1, .wall_ms = 2.5};
    out.junit = write_report(&run, oct_report_junit);
    out.html = write_report(&run, oct_report_html);
    out.text = write_report(&run, oct_report_text);
    return out;
}

static void free_played(played *p)
{
    oct_play_result_free(&p->result);
    oct_play_record_destroy(p->record);
    free(p->junit);
    free(p->html);
    free(p->text);
}

static void reports_are_the_same_in_every_locale(void **state)
{
    (void)state;
    SKIP_WITHOUT_COMMA
    played comma = play();
    setlocale(LC_NUMERIC, "C");
    played plain = play();
    setlocale(LC_NUMERIC, "comma");
    assert_string_equal(comma.result.reason, plain.result.reason);
    assert_string_equal(comma.result.where, plain.result.where);
    assert_int_equal(comma.result.hash, plain.result.hash);
    assert_non_null(strstr(plain.result.where, "."));
    assert_string_equal(comma.junit, plain.junit);
    assert_string_equal(comma.html, plain.html);
    assert_string_equal(comma.text, plain.text);
    free_played(&comma);
    free_played(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_those_of_c),
        cmocka_unit_test(numbers_are_read_and_written_with_a_point),
        cmocka_unit_test(reports_are_the_same_in_every_locale),
    };
    return cmocka_run_group_tests(tests, set_comma, NULL);
}
