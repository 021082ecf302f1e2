// SPDX-License-Identifier: MIT
// Our server, request by request: every answer, every error, and requests that nobody should send.
#include "support.h"

#include "link_mock.h"

#include "base/base_internal.h"

#include <stdio.h>

typedef struct scene {
    mock_host host;
    link_server *server;
    bool goes_on;
    const char *answer;
    size_t size;
} scene;

static void open_scene(scene *s)
{
    *s = (scene){.host = {.seed = 3, .things = 12}};
    const link_host host = mock_link_host(&s->host);
    assert_int_equal(oct_link_server_create(&host, NULL, &s->server), OCT_OK);
    assert_int_equal(oct_link_server_greet(s->server), OCT_OK);
}

static void ask(scene *s, const char *line)
{
    s->goes_on = oct_link_server_answer(s->server, line, strlen(line), &s->answer, &s->size);
    assert_true(s->size > 0 && s->answer[s->size - 1] == '\n');
    assert_null(memchr(s->answer, '\n', s->size - 1));
}

// How often the answer contains a text.
static size_t count_of(const scene *s, const char *text)
{
    const size_t length = strlen(text);
    size_t count = 0;
    for (size_t i = 0; i + length <= s->size; i++) {
        count += memcmp(s->answer + i, text, length) == 0;
    }
    return count;
}

// Whether the answer contains a text.
static bool says(const scene *s, const char *text)
{
    if (count_of(s, text) > 0) {
        return true;
    }
    fprintf(stderr, "not '%s' but %.*s\n", text, (int)(s->size < 600 ? s->size : 600), s->answer);
    return false;
}

static void asked(scene *s, const char *line, const char *text)
{
    ask(s, line);
    assert_true(says(s, text));
}

static void hello_comes_first(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    asked(&s, "{\"n\":1,\"do\":\"observe\"}", "\"error\":\"unknown\",\"n\":1");
    asked(&s, "{\"n\":2,\"do\":\"hello\",\"octant\":0}", "\"error\":\"version\"");
    asked(&s, "{\"n\":3,\"do\":\"hello\",\"octant\":9}", "\"octant\":1,");
    asked(&s, "{\"n\":4,\"do\":\"hello\"}", "\"exact\":[\"start\",\"reset\"]");
    asked(&s, "{\"n\":4.0,\"do\":\"hello\"}", "\"n\":4,");
    asked(&s, "{\"do\":\"bye\"}", "{}");
    assert_false(s.goes_on);
    oct_link_server_destroy(s.server);
}

static void every_error_has_its_code(void **state)
{
    (void)state;
    static const struct {
        const char *line, *code;
    } all[] = {
        {"x", "\"error\":\"syntax\""},
        {"[]", "\"error\":\"syntax\""},
        {"{\"n\":5}", "\"error\":\"unknown\",\"n\":5"},
        {"{\"n\":5,\"do\":\"fly\"}", "\"error\":\"unknown\""},
        {"{\"n\":5,\"do\":\"navmesh\"}", "\"error\":\"unknown\""},
        {"{\"n\":5,\"do\":7}", "\"error\":\"unknown\""},
        {"{\"n\":5,\"do\":[[[[[[[[8]]]]]]]]}", "\"error\":\"range\""},
        {"{\"do\":\"observe\",\"who\":1}", "\"error\":\"player\""},
        {"{\"do\":\"observe\",\"who\":0.5}", "\"error\":\"player\""},
        {"{\"do\":\"observe\",\"since\":-1}", "\"error\":\"argument\""},
        {"{\"do\":\"self\",\"who\":1e300}", "\"error\":\"player\""},
        {"{\"do\":\"step\"}", "\"error\":\"argument\""},
        {"{\"do\":\"step\",\"ticks\":0}", "\"error\":\"argument\""},
        {"{\"do\":\"step\",\"ticks\":3601}", "\"error\":\"argument\""},
        {"{\"do\":\"step\",\"ticks\":1.5}", "\"error\":\"argument\""},
        {"{\"do\":\"act\"}", "\"error\":\"argument\""},
        {"{\"do\":\"act\",\"verb\":\"swim\"}", "\"error\":\"argument\""},
        {"{\"do\":\"act\",\"verb\":\"move\",\"move\":[1,2]}", "list of 3 numbers"},
        {"{\"do\":\"act\",\"verb\":\"move\",\"rotate\":[0,0,2]}", "'rotate'"},
        {"{\"do\":\"act\",\"verb\":\"move\",\"ticks\":0}", "'ticks'"},
        {"{\"do\":\"act\",\"verb\":\"do\"}", "needs a 'name'"},
        {"{\"do\":\"geometry\",\"from\":7}", "\"error\":\"argument\""},
        {"{\"do\":\"reset\",\"world\":\"none\"}", "\"error\":\"range\""},
        {"{\"do\":\"reset\",\"start\":[{}]}", "\"error\":\"argument\""},
        {"{\"do\":\"reset\",\"delay\":[500,100]}", "\"error\":\"argument\""},
    };
    scene s;
    open_scene(&s);
    asked(&s, "{\"n\":1,\"do\":\"hello\",\"octant\":1}", "\"engine\"");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        asked(&s, all[i].line, all[i].code);
        assert_true(s.goes_on);
    }
    // After an error the game is as it was.
    asked(&s, "{\"do\":\"self\"}", "\"tick\":0}");
    oct_link_server_refuse_long(s.server, &s.answer, &s.size);
    assert_true(says(&s, "\"error\":\"range\""));
    oct_link_server_destroy(s.server);
}

static void refusals_are_no_errors_and_turns_pass_their_ticks(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    asked(&s, "{\"do\":\"hello\",\"octant\":1}", "\"rate\":50");
    asked(&s, "{\"do\":\"act\",\"verb\":\"do\",\"name\":\"fly\"}", "\"came\":\"refused\",\"text\"");
    asked(&s, "{\"do\":\"act\",\"verb\":\"use\",\"target\":2}", "\"came\":\"too far\"");
    asked(&s, "{\"do\":\"turn\",\"verb\":\"use\",\"target\":3,\"ticks\":5}", "\"tick\":5}");
    assert_true(says(&s, "\"came\":\"done\"") && says(&s, "\"events\":[{"));
    asked(&s, "{\"do\":\"turn\",\"verb\":\"do\",\"name\":\"fly\",\"ticks\":7}", "\"tick\":12}");
    asked(&s, "{\"do\":\"turn\",\"verb\":\"jump\"}", "\"came\":\"not now\"");
    assert_true(says(&s, "\"tick\":13}"));
    asked(&s, "{\"do\":\"turn\",\"verb\":\"move\",\"move\":null,\"ticks\":3.0}", "\"tick\":16}");
    asked(&s, "{\"do\":\"hash\"}", "{\"hash\":\"");
    assert_int_equal(s.size, strlen("{\"hash\":\"0123456789abcdef\"}\n"));
    asked(&s, "{\"do\":\"join\"}", "\"who\":1");
    asked(&s, "{\"do\":\"observe\",\"who\":1}", "\"self\"");
    asked(&s, "{\"do\":\"reset\"}", "\"tick\":0");
    asked(&s, "{\"do\":\"observe\",\"who\":1}", "\"error\":\"player\"");
    oct_link_server_destroy(s.server);
}

static void differences_tell_what_has_changed(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    asked(&s, "{\"do\":\"hello\",\"octant\":1}", "\"since\"");
    asked(&s, "{\"do\":\"observe\"}", "\"rev\":1,\"self\"");
    const size_t whole = s.size, ids = count_of(&s, "\"id\":");
    assert_int_equal(count_of(&s, "\"id64\":"), 2);
    asked(&s, "{\"do\":\"observe\",\"since\":1}", "\"entities\":[],\"gone\":[]");
    assert_true(says(&s, "\"rev\":2,\"since\":1,"));
    // A rev that is not known: all again, but for the digits of large ids, which are.
    asked(&s, "{\"do\":\"observe\",\"since\":1}", "\"rev\":3,\"self\"");
    assert_int_equal(count_of(&s, "\"id\":"), ids);
    assert_int_equal(count_of(&s, "\"id64\":"), 0);
    // Every seventh is away after 40 ticks; each third moves.
    asked(&s, "{\"do\":\"step\",\"ticks\":40}", "\"tick\":40");
    asked(&s, "{\"do\":\"observe\",\"since\":3.0}", "\"gone\":[106]");
    assert_true(s.size < whole && says(&s, "\"entities\":[{\"id\":100,\"box\":"));
    oct_link_server_destroy(s.server);
}

// ---- what nobody should send ----

static const char *const pieces[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     ":",
                                     ",",
                                     "\"do\":",
                                     "\"n\":",
                                     "\"who\":",
                                     "\"ticks\":",
                                     "\"verb\":",
                                     "\"since\":",
                                     "\"turn\"",
                                     "\"act\"",
                                     "\"step\"",
                                     "\"observe\"",
                                     "\"reset\"",
                                     "\"describe\"",
                                     "\"geometry\"",
                                     "\"hello\"",
                                     "\"join\"",
                                     "\"self\"",
                                     "\"hash\"",
                                     "null",
                                     "true",
                                     "1e400",
                                     "-1",
                                     "0.5",
                                     "3",
                                     "9007199254740993",
                                     "\"move\":",
                                     "[0,0,1]",
                                     "\"\\ud800\"",
                                     "\xff",
                                     "\"position\":",
                                     "\"world\":",
                                     "\"delay\":",
                                     "\"start\":",
                                     " ",
                                     "\"x\""};

static void ten_thousand_malformed_requests(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    oct_random random = oct_random_seed(4);
    uint32_t refused = 0;
    asked(&s, "{\"do\":\"hello\",\"octant\":1}", "\"octant\":1");
    for (uint32_t i = 0; i < 10000; i++) {
        char line[600] = "";
        size_t used = 0;
        const uint64_t count = 1 + oct_random_below(&random, 16);
        // Half of them begin as a request does.
        if (oct_random_below(&random, 2) == 0) {
            static const char *const names[] = {"turn",     "act",   "step", "observe", "reset",
                                                "geometry", "hello", "join", "self",    "describe"};
            used = (size_t)snprintf(line, sizeof line, "{\"n\":%lu,\"do\":\"%s\",",
                                    (unsigned long)i, names[oct_random_below(&random, 10)]);
        }
        for (uint64_t j = 0; j < count; j++) {
            const char *const piece =
                pieces[oct_random_below(&random, sizeof pieces / sizeof *pieces)];
            used += (size_t)snprintf(line + used, sizeof line - used, "%s", piece);
        }
        ask(&s, line);
        refused += memcmp(s.answer, "{\"error\":", 9) == 0;
        assert_true(s.goes_on);
    }
    assert_true(refused > 9000);
    asked(&s, "{\"do\":\"self\"}", "\"self\"");
    oct_link_server_destroy(s.server);
}

// ---- games that break ----

static oct_result make_nothing(void *ctx, oct_game **out)
{
    (void)ctx;
    *out = NULL;
    return OCT_OK;
}

static oct_result reset_to_mock(void *ctx, oct_game **game, const oct_game_start *start)
{
    (void)ctx;
    if (!start->level) {
        return OCT_ERROR_RANGE;
    }
    oct_game_destroy(*game);
    return mock_game(start->seed, 3, NULL, game);
}

static void a_server_may_begin_without_a_level(void **state)
{
    (void)state;
    const link_host host = {.make = make_nothing, .reset = reset_to_mock};
    scene s = {.goes_on = true};
    assert_int_equal(oct_link_server_create(&host, NULL, &s.server), OCT_OK);
    assert_int_equal(oct_link_server_greet(s.server), OCT_OK);
    asked(&s, "{\"do\":\"hello\",\"octant\":1}", "\"reset\"");
    asked(&s, "{\"do\":\"describe\"}", "\"error\":\"range\"");
    asked(&s, "{\"do\":\"reset\"}", "\"error\":\"range\"");
    asked(&s, "{\"do\":\"reset\",\"world\":\"any\"}", "\"tick\":0");
    asked(&s, "{\"do\":\"describe\"}", "\"game\":\"mock\"");
    oct_link_server_destroy(s.server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_comes_first),
        cmocka_unit_test(every_error_has_its_code),
        cmocka_unit_test(refusals_are_no_errors_and_turns_pass_their_ticks),
        cmocka_unit_test(differences_tell_what_has_changed),
        cmocka_unit_test(ten_thousand_malformed_requests),
        cmocka_unit_test(a_server_may_begin_without_a_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
