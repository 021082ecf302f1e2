// SPDX-License-Identifier: MIT
// Reports of made-up runs: letter by letter, and with names that are meant to break them.
#include "report/assumptions.h"
#include "report_scene.h"
#include "support.h"

#include "base/words.h"
#include "cli/test.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>

static char reason_closed[] = "not reachable: sealed by Door1, which no known button opens";
static char reason_hostile[] = "</failure>]]><b>&amp;\x01\x1b[31m\xff\xc3 \xed\xa0\x80 \"x\"";
static char where_at[] = "at 1.0, 2.5, -3.0 after 12.3 s";
static char nothing[] = "";
static char note_text[] = "Button1 was not at (1, 2, 3), but at (4, 5, 6)";
static char *notes[] = {note_text};

static oct_report_test made_up(const char *name, oct_verdict verdict, char *reason)
{
    return (oct_report_test){
        .file = "worlds/tests/doors.lua",
        .name = name,
        .world = "worlds/three_doors.json",
        .line = 12,
        .time_ms = 35.25,
        .result = {.verdict = verdict,
                   .reason = reason,
                   .where = verdict == OCT_VERDICT_PASS ? nothing : where_at,
                   .notes = notes,
                   .note_count = 1,
                   .agents = 1,
                   .turns = 41,
                   .ticks = 741,
                   .rate = 60.0,
                   .seed = 7,
                   .sight = OCT_SIGHT_LINE,
                   .view = 20,
                   .times = {.all = 34000000,
                             .initialising = 1200000,
                             .adding = 10200000,
                             .pathfinding = 900000,
                             .exploring = 2100000,
                             .steering = 450000,
                             .game = 19000000,
                             .looks = 31,
                             .paths = 7,
                             .explorations = 5,
                             .steers = 40,
                             .moving_ticks = 600},
                   .open = 1000,
                   .blocked = 200,
                   .unknown = 30,
                   .explored = 0.975,
                   .memory = 2500000},
    };
}

static const report_style no_style = {"", "", "", ""};

static void people_read_a_line_a_test(void **state)
{
    (void)state;
    scene_text out;
    scene_text_init(&out);
    oct_report_test tests[2] = {made_up("the door opens", OCT_VERDICT_PASS, nothing),
                                made_up("the target is near", OCT_VERDICT_FAIL, reason_closed)};
    tests[1].is_repeated = true;
    const oct_report_run run = {tests, 2, 3, "an earlier test did not pass", 2, 80.5, false};
    oct_report_text_test(&out.out, &tests[0], NULL, false, &no_style);
    oct_report_text_test(&out.out, &tests[1], tests[0].file, true, &no_style);
    oct_report_text_total(&out.out, &run, &no_style);
    assert_string_equal(
        scene_text_read(&out),
        "worlds/tests/doors.lua\n"
        "  pass         the door opens                                               41 turns     "
        "12.3 s    35.2 ms\n"
        "  FAIL         the target is near [seed 7]                                  41 turns     "
        "12.3 s    35.2 ms\n"
        "               not reachable: sealed by Door1, which no known button opens\n"
        "               worlds/tests/doors.lua:12; the agent was at 1.0, 2.5, -3.0 after "
        "12.3 s; explored 97.5 %\n"
        "               note: Button1 was not at (1, 2, 3), but at (4, 5, 6)\n"
        "               in all 34 ms: game 19 ms, initialising 1.2 ms, adding 10.2 ms (31 looks), "
        "exploring 2.1 ms (5), pathfinding 900 us (7), steering 450 us\n"
        "               moving 10.0 s of the game\n"
        "               line of sight, 20 m; seed 7; cells: 1000 open, 200 blocked, 30 "
        "unknown; explored 97.5 %; memory 2.5 MB\n"
        "\n"
        "1 passed, 1 failed, 0 inconclusive, 0 errors, 3 not played: an earlier test did not "
        "pass\n"
        "  82 turns, 24.7 s of the game in 80.5 ms on 2 threads; 350 times as fast as the game on "
        "one core\n"
        "  time of the agents: the game 55.9 %, adding 30 %, exploring 6.18 %, initialising 3.53 "
        "%, pathfinding 2.65 %, steering 1.32 %\n");
    scene_text_free(&out);
}

static void programs_find_every_field(void **state)
{
    (void)state;
    oct_report_test tests[2] = {made_up("the door opens", OCT_VERDICT_PASS, nothing),
                                made_up("\xff\xfe", OCT_VERDICT_INCONCLUSIVE, reason_hostile)};
    tests[1].result.sight = OCT_SIGHT_THROUGH;
    const oct_report_run run = {tests, 2, 0, NULL, 1, 80.5, false};
    json_t *const root = oct_test_json(&run);
    assert_non_null(root);
    const char *name, *verdict, *reason, *file, *world, *sight, *note;
    json_int_t passed, failed, inconclusive, errors, line, turns, seed, looks;
    double game_s, time_ms, view, explored, all_ms, moving_s, adding_ms;
    assert_int_equal(json_unpack(root, "{s:I, s:I, s:I, s:I}", "passed", &passed, "failed", &failed,
                                 "inconclusive", &inconclusive, "errors", &errors),
                     0);
    assert_int_equal(passed, 1);
    assert_int_equal(failed + errors, 0);
    assert_int_equal(inconclusive, 1);
    json_t *const test = json_array_get(json_object_get(root, "tests"), 0);
    assert_int_equal(
        json_unpack(test, "{s:s, s:s, s:s, s:s, s:I, s:s, s:I, s:F, s:F, s:s, s:F, s:I}", "name",
                    &name, "verdict", &verdict, "reason", &reason, "file", &file, "line", &line,
                    "world", &world, "turns", &turns, "game_s", &game_s, "time_ms", &time_ms,
                    "sight", &sight, "view", &view, "seed", &seed),
        0);
    assert_int_equal(json_unpack(test, "{s:{s:F}, s:[s], s:{s:F, s:F, s:F, s:I}}", "coverage",
                                 "explored", &explored, "notes", &note, "times", "all_ms", &all_ms,
                                 "moving_s", &moving_s, "adding_ms", &adding_ms, "looks", &looks),
                     0);
    assert_string_equal(name, "the door opens");
    assert_string_equal(verdict, "pass");
    assert_string_equal(sight, "line");
    assert_string_equal(note, note_text);
    assert_true(all_ms == 34.0 && moving_s == 10.0 && adding_ms == 10.2);
    assert_true(game_s == 12.35 && view == 20.0 && explored == 0.975 && looks == 31 && seed == 7);
    json_t *const other = json_array_get(json_object_get(root, "tests"), 1);
    assert_string_equal(json_string_value(json_object_get(other, "name")),
                        "\xef\xbf\xbd\xef\xbf\xbd");
    assert_string_equal(json_string_value(json_object_get(other, "sight")), "through");
    json_decref(root);
}

// ---- JUnit ----

typedef struct junit {
    int depth, suites, cases, failures, errors, properties;
    int tests_stated, failures_stated, errors_stated;
    char message[512], name[512], case_text[1024];
    bool in_outcome;
} junit;

static void open_element(void *ctx, const XML_Char *name, const XML_Char **pairs)
{
    junit *const j = ctx;
    j->depth++;
    const bool is_case = strcmp(name, "testcase") == 0;
    j->suites += strcmp(name, "testsuite") == 0;
    j->cases += is_case;
    j->failures += strcmp(name, "failure") == 0;
    j->errors += strcmp(name, "error") == 0;
    j->properties += strcmp(name, "property") == 0;
    j->in_outcome = strcmp(name, "failure") == 0 || strcmp(name, "error") == 0;
    for (; *pairs; pairs += 2) {
        if (strcmp(pairs[0], "message") == 0) {
            snprintf(j->message, sizeof j->message, "%s", pairs[1]);
        } else if (is_case && strcmp(pairs[0], "name") == 0) {
            snprintf(j->name, sizeof j->name, "%s", pairs[1]);
        } else if (strcmp(name, "testsuites") == 0 && strcmp(pairs[0], "tests") == 0) {
            j->tests_stated = atoi(pairs[1]);
        } else if (strcmp(name, "testsuites") == 0 && strcmp(pairs[0], "failures") == 0) {
            j->failures_stated = atoi(pairs[1]);
        } else if (strcmp(name, "testsuites") == 0 && strcmp(pairs[0], "errors") == 0) {
            j->errors_stated = atoi(pairs[1]);
        }
    }
}

static void close_element(void *ctx, const XML_Char *name)
{
    (void)name;
    ((junit *)ctx)->depth--;
}

static void parse_junit(const char *bytes, junit *j)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    *j = (junit){.depth = 0};
    XML_SetUserData(parser, j);
    XML_SetElementHandler(parser, open_element, close_element);
    if (XML_Parse(parser, bytes, (int)strlen(bytes), 1) != XML_STATUS_OK) {
        fail_msg("line %lu: %s", (unsigned long)XML_GetCurrentLineNumber(parser),
                 XML_ErrorString(XML_GetErrorCode(parser)));
    }
    XML_ParserFree(parser);
    assert_int_equal(j->depth, 0);
}

static void junit_is_xml_that_counts_right(void **state)
{
    (void)state;
    scene_text out;
    junit j;
    scene_text_init(&out);
    oct_report_test tests[4] = {made_up("one", OCT_VERDICT_PASS, nothing),
                                made_up("two", OCT_VERDICT_FAIL, reason_closed),
                                made_up("three", OCT_VERDICT_INCONCLUSIVE, reason_closed),
                                made_up("<four> & \"five\"", OCT_VERDICT_ERROR, reason_hostile)};
    tests[3].file = "other.lua";
    const oct_report_run run = {tests, 4, 0, NULL, 1, 80.5, false};
    assert_int_equal(oct_report_junit(&run, scene_text_write, &out), OCT_OK);
    parse_junit(scene_text_read(&out), &j);
    assert_int_equal(j.suites, 2);
    assert_int_equal(j.cases, 4);
    assert_int_equal(j.tests_stated, 4);
    assert_int_equal(j.failures, 2);
    assert_int_equal(j.failures_stated, 2);
    assert_int_equal(j.errors, 1);
    assert_int_equal(j.errors_stated, 1);
    assert_int_equal(j.properties, 4 * 8);
    assert_string_equal(j.name, "<four> & \"five\"");
    assert_string_equal(j.message,
                        "</failure>]]><b>&amp;\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd "
                        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \"x\"");
    scene_text_free(&out);
}

// Whether each of the reports for people, and that for programs, says this of the test.
static void all_say(const oct_report_test *test, const char *words)
{
    const oct_report_run run = {.tests = test, .count = 1, .threads = 1};
    scene_text text, xml, page;
    scene_text_init(&text);
    scene_text_init(&xml);
    scene_text_init(&page);
    assert_int_equal(oct_report_text(&run, scene_text_write, &text), OCT_OK);
    assert_int_equal(oct_report_junit(&run, scene_text_write, &xml), OCT_OK);
    assert_int_equal(oct_report_html(&run, scene_text_write, &page), OCT_OK);
    assert_non_null(strstr(scene_text_read(&text), words));
    assert_non_null(strstr(scene_text_read(&xml), words));
    assert_non_null(strstr(scene_text_read(&page), words));
    scene_text_free(&page);
    scene_text_free(&xml);
    scene_text_free(&text);
}

static void fails_say_what_they_assume(void **state)
{
    (void)state;
    static char step[] = "a press of Button1 alone";
    char all[ASSUMPTIONS_MAX];
    oct_report_test test = made_up("one", OCT_VERDICT_FAIL, reason_closed);
    test.result.proof = OCT_PROOF_CUT;
    test.result.assumes = 1u << OCT_ASSUME_SOLID;
    all_say(&test, "This holds if what is solid stays and nothing new appears.");
    test.result.assumes |= 1u << OCT_ASSUME_TRUTH | 1u << OCT_ASSUME_BODY;
    all_say(&test, "This holds if the body has the shape that the game describes, what is solid "
                   "stays and nothing new appears, and what the game tells is true.");
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    json_t *const root = oct_test_json(&run);
    const char *words[3], *proof;
    json_t *decides;
    assert_int_equal(json_unpack(root, "{s:[{s:[s, s, s], s:s, s:o}]}", "tests", "assumes",
                                 &words[0], &words[1], &words[2], "proof", &proof, "decides",
                                 &decides),
                     0);
    assert_string_equal(words[0], "body");
    assert_string_equal(words[1], "solid");
    assert_string_equal(words[2], "truth");
    assert_string_equal(proof, "cut");
    assert_true(json_is_null(decides));
    json_decref(root);
    test.result = made_up("two", OCT_VERDICT_INCONCLUSIVE, reason_closed).result;
    test.result.decides = step;
    all_say(&test, "Would be decided by: a press of Button1 alone.");
    // All of them fit, and each has its half.
    (void)oct_report_assumptions(UINT32_MAX, all, sizeof all);
    assert_true(strlen(all) + 1 < sizeof all && all[strlen(all) - 1] == '.');
    assert_null(strstr(all, "(null)"));
    assert_string_equal(oct_report_assumptions(0, all, sizeof all), "");
}

// A soft lock is told whatever the verdict, once, and so is each life.
static void findings_and_lives_are_told(void **state)
{
    (void)state;
    static char lock[] = "soft lock: Trap shuts Door1 for good";
    static char shut_in[] = "shut in";
    char *both[] = {lock, shut_in};
    oct_play_life lives[] = {{.verdict = OCT_VERDICT_INCONCLUSIVE,
                              .reason = shut_in,
                              .ticks = OCT_BLOCK_WORLD_RATE,
                              .presses = 3},
                             {.verdict = OCT_VERDICT_PASS, .reason = nothing}};
    oct_report_test test = made_up("one", OCT_VERDICT_PASS, nothing);
    test.result.notes = both;
    test.result.note_count = 2;
    test.result.findings = both;
    test.result.finding_count = 1;
    test.result.lives = lives;
    test.result.life_count = 2;
    all_say(&test, "finding: soft lock: Trap shuts Door1 for good");
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    json_t *const root = oct_test_json(&run);
    const char *finding, *verdicts[2], *reason;
    int presses;
    double seconds;
    assert_int_equal(json_unpack(root, "{s:[{s:[s!], s:[{s:s, s:s, s:i, s:f}, {s:s}!]}]}", "tests",
                                 "findings", &finding, "lives", "verdict", &verdicts[0], "reason",
                                 &reason, "presses", &presses, "game_s", &seconds, "verdict",
                                 &verdicts[1]),
                     0);
    assert_string_equal(finding, lock);
    assert_string_equal(verdicts[0], "inconclusive");
    assert_string_equal(verdicts[1], "pass");
    assert_string_equal(reason, shut_in);
    assert_int_equal(presses, 3);
    assert_true(seconds == 1.0);
    json_decref(root);
}

// Where inconclusive tests are warnings they make no run bad, and are skipped with their reason;
// failures and tests that were not played still do.
static void inconclusive_tests_may_be_warnings(void **state)
{
    (void)state;
    oct_report_test tests[3] = {made_up("one", OCT_VERDICT_PASS, nothing),
                                made_up("two", OCT_VERDICT_INCONCLUSIVE, reason_closed),
                                made_up("three", OCT_VERDICT_FAIL, reason_closed)};
    oct_report_run run = {.tests = tests, .count = 2, .threads = 1, .warns_inconclusive = true};
    scene_text words, page, out;
    junit j;
    assert_true(oct_report_is_good(&run));
    scene_text_init(&out);
    scene_text_init(&words);
    scene_text_init(&page);
    assert_int_equal(oct_report_junit(&run, scene_text_write, &out), OCT_OK);
    parse_junit(scene_text_read(&out), &j);
    assert_int_equal(j.failures, 0);
    assert_int_equal(j.failures_stated, 0);
    assert_non_null(strstr(scene_text_read(&out), "skipped=\"1\""));
    assert_non_null(strstr(scene_text_read(&out), "<skipped message=\"inconclusive: "));
    assert_int_equal(oct_report_text(&run, scene_text_write, &words), OCT_OK);
    assert_non_null(strstr(scene_text_read(&words), "1 inconclusive, 0 errors (inconclusive tests "
                                                    "are warnings)"));
    assert_int_equal(oct_report_html(&run, scene_text_write, &page), OCT_OK);
    assert_non_null(strstr(scene_text_read(&page), "none failed; inconclusive tests are warnings"));
    scene_text_free(&page);
    scene_text_free(&words);
    scene_text_free(&out);
    run.not_played = 1;
    assert_false(oct_report_is_good(&run));
    run.not_played = 0;
    run.count = 3;
    assert_false(oct_report_is_good(&run));
    run.count = 2;
    run.warns_inconclusive = false;
    assert_false(oct_report_is_good(&run));
}

// ---- any bytes ----

// The end of an element's name.
static const char *name_end(const char *at)
{
    return at + strcspn(at, " >/\n");
}

static bool is_void(const char *name, size_t length)
{
    return (length == 4 && memcmp(name, "meta", 4) == 0) ||
           (length == 2 && memcmp(name, "br", 2) == 0);
}

// Every tag is closed by its own, and no text holds what only tags may.
static void check_tags(const char *at)
{
    char open[64][16];
    int depth = 0;
    while ((at = strchr(at, '<')) != NULL) {
        at++;
        const bool closes = *at == '/';
        const char *const name = at + closes;
        const size_t length = (size_t)(name_end(name) - name);
        const char *const end = strchr(at, '>');
        assert_non_null(end);
        if (*at == '!') {
            continue;
        }
        assert_in_range(length, 1, 15);
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(open[depth]), length);
            assert_memory_equal(open[depth], name, length);
        } else if (end[-1] != '/' && !is_void(name, length)) {
            assert_true(depth < 64);
            snprintf(open[depth++], 16, "%.*s", (int)length, name);
        }
        const bool is_raw =
            !closes && (strncmp(name, "script", 6) == 0 || strncmp(name, "style", 5) == 0);
        at = is_raw ? strstr(end, "</s") : end;
        assert_non_null(at);
    }
    assert_int_equal(depth, 0);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void random_bytes(uint32_t *seed, char *out, size_t size)
{
    static const char *const nasty[] = {"<",
                                        ">",
                                        "&",
                                        "\"",
                                        "'",
                                        "</script>",
                                        "]]>",
                                        "\xf0\x9f\x98\x80",
                                        "\xe2\x80\xae",
                                        "\xef\xbf\xbf",
                                        "\x7f",
                                        "\xc2\x85",
                                        "\\",
                                        "%s"};
    size_t used = 0;
    while (used + 16 < size) {
        const uint32_t which = next_random(seed) % 28;
        if (which < sizeof nasty / sizeof nasty[0]) {
            used += (size_t)snprintf(out + used, size - used, "%s", nasty[which]);
        } else {
            out[used++] = (char)(1 + next_random(seed) % 255);
        }
    }
    out[used] = '\0';
}

static void no_name_breaks_a_report(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int round = 0; round < 300; round++) {
        char name[200], reason[200], world[64];
        random_bytes(&seed, name, sizeof name);
        random_bytes(&seed, reason, sizeof reason);
        random_bytes(&seed, world, sizeof world);
        oct_report_test test = made_up(name, (oct_verdict)(round % 4), reason);
        test.world = test.file = test.trace = world;
        test.result.where = reason;
        char *own_notes[] = {reason};
        test.result.notes = own_notes;
        const oct_report_run run = {&test, 1, 0, NULL, 1, 1, false};
        scene_text junit_text, html, words;
        junit j;
        scene_text_init(&junit_text);
        assert_int_equal(oct_report_junit(&run, scene_text_write, &junit_text), OCT_OK);
        parse_junit(scene_text_read(&junit_text), &j);
        assert_int_equal(j.cases, 1);
        scene_text_init(&html);
        assert_int_equal(oct_report_html(&run, scene_text_write, &html), OCT_OK);
        check_tags(scene_text_read(&html));
        scene_text_init(&words);
        oct_report_text_test(&words.out, &test, NULL, true, &no_style);
        for (const char *c = scene_text_read(&words); *c; c++) {
            assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        }
        json_t *const json = oct_test_json(&run);
        assert_non_null(json);
        json_decref(json);
        scene_text line;
        scene_text_init(&line);
        oct_sink_text(&line.out, "[");
        oct_words_json(&line.out, name);
        oct_sink_text(&line.out, "]");
        json_t *const back = json_loads(scene_text_read(&line), 0, NULL);
        assert_non_null(back);
        json_decref(back);
        scene_text_free(&line);
        scene_text_free(&words);
        scene_text_free(&html);
        scene_text_free(&junit_text);
    }
}

static void characters_are_read_as_the_standard_says(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t first;
        size_t used;
    } cases[] = {
        {"a", 'a', 1},
        {"\xc3\xa9", 0xe9, 2},
        {"\xe2\x82\xac", 0x20ac, 3},
        {"\xf0\x9f\x98\x80", 0x1f600, 4},
        {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
        {"\xf4\x90\x80\x80", 0xfffd, 1}, // beyond the last
        {"\xed\xa0\x80", 0xfffd, 1},     // a surrogate
        {"\xc0\x80", 0xfffd, 1},         // not the shortest form
        {"\xe0\x80\x80", 0xfffd, 1},
        {"\x80", 0xfffd, 1},
        {"\xe2\x82", 0xfffd, 1}, // cut
        {"\xff", 0xfffd, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = cases[i].bytes;
        assert_int_equal(oct_words_next(&at), cases[i].first);
        assert_int_equal(at - cases[i].bytes, cases[i].used);
    }
    char small[6];
    assert_string_equal(oct_words_copy("ab\xe2\x82\xac"
                                       "c",
                                       small, sizeof small),
                        "ab\xe2\x82\xac");
    assert_string_equal(oct_words_copy("abc\xe2\x82\xac", small, sizeof small), "abc");
    char steering[] = "a\x1b[1m\xc2\x9b"
                      "b\x9b"
                      "c\xe2\x80\xae\xe2\x82\xac\xef\xbf\xbd\x7f";
    oct_words_defuse(steering, '?');
    assert_string_equal(steering, "a?[1m??b?c???\xe2\x82\xac\xef\xbf\xbd?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_a_line_a_test),
        cmocka_unit_test(programs_find_every_field),
        cmocka_unit_test(junit_is_xml_that_counts_right),
        cmocka_unit_test(inconclusive_tests_may_be_warnings),
        cmocka_unit_test(fails_say_what_they_assume),
        cmocka_unit_test(findings_and_lives_are_told),
        cmocka_unit_test(no_name_breaks_a_report),
        cmocka_unit_test(characters_are_read_as_the_standard_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
