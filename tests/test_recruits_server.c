// SPDX-License-Identifier: MIT
// The server of Lab Recruits' protocol, without sockets: requests, answers, and time on a clock of
// the test's own. tests/recruits_client.py tries the same over sockets.
#define _POSIX_C_SOURCE 200809L
#include "link/link_read.h"
#include "link/recruits_server.h"
#include "recruits_support.h"

// ---- support ----

typedef struct host {
    recruits_host host;
    const char *level; // of every path but "gone"
    uint64_t now;
    uint32_t notes;
} host;

static oct_result load(void *ctx, const char *path, const char *name, oct_recruits_level **out)
{
    const host *const h = ctx;
    (void)name;
    *out = NULL;
    return strcmp(path, "gone") == 0
               ? OCT_ERROR_FILE
               : oct_recruits_level_read(h->level, strlen(h->level), NULL, out, NULL);
}

static uint64_t now_ns(void *ctx)
{
    return ((const host *)ctx)->now;
}

static void date(void *ctx, double ago, char *out, size_t size)
{
    (void)ctx;
    snprintf(out, size, "%.2f s ago", ago);
}

static void note(void *ctx, const char *what)
{
    assert_true(what[0] != '\0');
    ((host *)ctx)->notes++;
}

static recruits_server *serve(host *h, const char *level, double speed)
{
    recruits_server *server;
    *h = (host){
        .host =
            {.load = load, .now_ns = now_ns, .date = date, .note = note, .ctx = h, .speed = speed},
        .level = level};
    assert_int_equal(oct_recruits_server_create(&h->host, recruits_play(level), NULL, &server),
                     OCT_OK);
    return server;
}

// The answer to a line, or NULL where there is none.
static json_t *ask(recruits_server *server, const char *line)
{
    const char *answer;
    size_t size;
    oct_recruits_server_answer(server, line, strlen(line), &answer, &size);
    if (size == 0) {
        return NULL;
    }
    assert_int_equal(answer[size - 1], '\n');
    json_t *const value = json_loadb(answer, size, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

static bool has_answer(recruits_server *server, const char *line)
{
    json_t *const answer = ask(server, line);
    json_decref(answer);
    return answer != NULL;
}

#define COMMAND(cmd, arg)                                                                          \
    "{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"" cmd                                            \
    "\",\"agentId\":\"x\",\"targetId\":\"b1\","                                                    \
    "\"arg\":" arg "}}"
#define WAIT COMMAND("DONOTHING", "null")
#define PRESS COMMAND("INTERACT", "null")
#define GO(x)                                                                                      \
    COMMAND("MOVETOWARD", "{\"object1\":{\"x\":" x ",\"y\":0.1,\"z\":0},\"object2\":false}")

static const char *const room = "b1,d1\n|f:a^x:b^b1,f,f,f:d^d1,f\n";

static double place(recruits_server *server, const char *line)
{
    json_t *const seen = ask(server, line);
    double x;
    assert_int_equal(json_unpack(seen, "{s:{s:{s:F}}}", "agent", "position", "x", &x), 0);
    json_decref(seen);
    return x;
}

static json_int_t tick(recruits_server *server)
{
    json_t *const seen = ask(server, WAIT);
    json_int_t number;
    assert_int_equal(json_unpack(seen, "{s:{s:I}}", "meta", "tick", &number), 0);
    json_decref(seen);
    return number;
}

// ---- tests ----

static void what_makes_no_sense_has_no_answer(void **state)
{
    static const char *const lines[] = {
        "",
        "x",
        "true",
        "[]",
        "{}",
        "{\"cmd\":null}",
        "{\"cmd\":\"OBSERVE\"}",
        "{\"cmd\":\"UPDATE_ENVIRONMENT\",\"arg\":null}",
        "{\"cmd\":\"AGENTCOMMAND\"}",
        "{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"DONOTHING\",\"agentId\":\"y\"}}",
        "{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"FLY\",\"agentId\":\"x\"}}",
        COMMAND("MOVETOWARD", "null"),
        COMMAND("MOVETOWARD", "{\"object1\":{\"x\":1,\"y\":2}}"),
        COMMAND("MOVETOWARD", "{\"object1\":{\"x\":1e300,\"y\":2,\"z\":3}}"),
        "{\"cmd\":\"INIT\",\"arg\":{\"level_path\":\"gone\"}}",
    };
    host h;
    recruits_server *const server = serve(&h, room, 1.0);
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (has_answer(server, lines[i])) {
            fail_msg("%s", lines[i]);
        }
    }
    assert_int_equal(h.notes, sizeof lines / sizeof *lines);
    assert_true(has_answer(server, WAIT));
    oct_recruits_server_destroy(server);
}

static void time_passes_on_the_clock(void **state)
{
    host h;
    recruits_server *const server = serve(&h, room, 1.0);
    (void)state;
    assert_int_equal(tick(server), 0);
    assert_true(place(server, GO("3")) == 0.0); // as it was before it moved
    h.now += 100000000;                         // 5 steps
    assert_true(fabs(place(server, WAIT) - 5.0 * 0.13 / sqrt(1.0 + 1e-4)) < 1e-6);
    assert_int_equal(tick(server), 5);
    h.now += UINT64_C(19999999);
    assert_int_equal(tick(server), 5);
    h.now += 1;
    assert_int_equal(tick(server), 6);
    oct_recruits_server_destroy(server);
}

static void twice_the_speed_is_twice_the_time(void **state)
{
    host h;
    recruits_server *const server = serve(&h, room, 2.0);
    (void)state;
    h.now += 100000000;
    oct_recruits_server_catch_up(server);
    assert_int_equal(tick(server), 10);
    oct_recruits_server_destroy(server);
}

static void what_is_long_overdue_is_forgotten(void **state)
{
    host h;
    recruits_server *const server = serve(&h, room, 1.0);
    (void)state;
    h.now += UINT64_C(3600000000000);
    assert_int_equal(tick(server), 3000);
    h.now += 100000000;
    assert_in_range(tick(server), 3004, 3006);
    oct_recruits_server_destroy(server);
}

static void without_a_clock_each_command_takes_three_steps(void **state)
{
    host h;
    recruits_server *const server = serve(&h, room, 0.0);
    (void)state;
    h.now += UINT64_C(3600000000000);
    assert_int_equal(tick(server), 3);
    assert_true(place(server, GO("3")) == 0.0);
    assert_true(fabs(place(server, WAIT) - 3.0 * 0.13 / sqrt(1.0 + 1e-4)) < 1e-6);
    assert_int_equal(tick(server), 12);
    oct_recruits_server_destroy(server);
}

static void init_begins_anew_and_goes_on_counting(void **state)
{
    host h;
    recruits_server *const server = serve(&h, room, 1.0);
    (void)state;
    h.now += 1000000000;
    assert_int_equal(tick(server), 50);
    assert_true(has_answer(server, "{\"cmd\":\"INIT\",\"arg\":{\"level_path\":\"a\"}}"));
    h.now += 1000000000;
    assert_int_equal(tick(server), 100);
    assert_true(has_answer(server, "{\"cmd\":\"INIT\",\"arg\":{\"level_path\":\"\"}}"));
    assert_false(has_answer(server, WAIT)); // nobody is in an empty world
    assert_true(has_answer(server, "{\"cmd\":\"INIT\",\"arg\":{\"level_path\":\"a\"}}"));
    assert_true(has_answer(server, WAIT));
    oct_recruits_server_destroy(server);
}

static void speeds_and_views_come_from_init(void **state)
{
    host h;
    recruits_server *const server = serve(&h, room, 1.0);
    (void)state;
    assert_true(has_answer(server,
                           "{\"cmd\":\"INIT\",\"arg\":{\"level_path\":\"a\",\"agent_speed\":"
                           "0.1,\"view_distance\":1.7,\"jump_force\":null}}"));
    (void)place(server, GO("3"));
    h.now += 100000000;
    assert_true(fabs(place(server, WAIT) - 5.0 * 0.1 / sqrt(1.0 + 1e-4)) < 1e-6);
    json_t *const seen = ask(server, WAIT);
    // The door is out of sight now.
    assert_int_equal(json_array_size(json_object_get(seen, "objects")), 1);
    json_decref(seen);
    oct_recruits_server_destroy(server);
}

static void a_press_is_told_with_its_age(void **state)
{
    host h;
    const char *bytes;
    size_t size;
    recruits_server *const server = serve(&h, "b1,d1\n|f:a^x,f:b^b1,f:d^d1\n", 1.0);
    (void)state;
    h.now += 1000000000;
    (void)has_answer(server, PRESS);
    h.now += 600000000;
    oct_recruits_server_answer(server, WAIT, strlen(WAIT), &bytes, &size);
    char *const answer = strndup(bytes, size);
    assert_non_null(strstr(answer, "\"timeSinceInteraction\":0.6}"));
    assert_non_null(strstr(answer, "\"Toggleable\":{\"isActive\":true}"));
    assert_non_null(strstr(answer, "\"time\":\"0.00 s ago\""));
    free(answer);
    oct_recruits_server_destroy(server);
}

static oct_result serve_with(const oct_allocator *allocator, void *ctx)
{
    host h = {.host = {.load = load, .now_ns = now_ns, .date = date, .ctx = &h, .speed = 1.0},
              .level = ctx};
    recruits_server *server;
    const char *answer;
    size_t size;
    oct_game *const game = recruits_play(ctx);
    const oct_result result = oct_recruits_server_create(&h.host, game, allocator, &server);
    if (result != OCT_OK) {
        oct_game_destroy(game);
        return result;
    }
    oct_recruits_server_answer(server, WAIT, strlen(WAIT), &answer, &size);
    const oct_result came = size > 0 ? OCT_OK : OCT_ERROR_MEMORY;
    oct_recruits_server_destroy(server);
    return came;
}

static void short_memory_leaves_a_request_without_answer(void **state)
{
    char text[] = "f:a^x,f:b^b1\n";
    (void)state;
    assert_true(test_each_failure(serve_with, text) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_makes_no_sense_has_no_answer),
        cmocka_unit_test(time_passes_on_the_clock),
        cmocka_unit_test(twice_the_speed_is_twice_the_time),
        cmocka_unit_test(what_is_long_overdue_is_forgotten),
        cmocka_unit_test(without_a_clock_each_command_takes_three_steps),
        cmocka_unit_test(init_begins_anew_and_goes_on_counting),
        cmocka_unit_test(speeds_and_views_come_from_init),
        cmocka_unit_test(a_press_is_told_with_its_age),
        cmocka_unit_test(short_memory_leaves_a_request_without_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
