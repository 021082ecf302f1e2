// SPDX-License-Identifier: MIT
// Links over sockets and to processes: games that serve, hang, write without end, refuse to end, or
// die at any moment. This program is its own game where it is called with a word.
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include "link_mock.h"

#include "base/base_internal.h"
#include "link/link_connect.h"
#include "link/link_listen.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *own_path;

// ---- games ----

static uint32_t lines_left = UINT32_MAX;

static void count_lines(void *ctx, bool is_answer, const char *line, size_t size)
{
    (void)ctx;
    (void)line;
    (void)size;
    if (!is_answer && lines_left-- == 0) {
        raise(SIGKILL);
    }
}

static int serve(bool is_stubborn)
{
    mock_host mock = {.seed = 5, .things = 40};
    link_host host = mock_link_host(&mock);
    host.log = count_lines;
    int fd;
    oct_error error;
    if (oct_link_connect(getenv("OCTANT_CONNECT"), 5000, NULL, &fd, &error) != OCT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 4;
    }
    const int code = oct_link_serve_client(&host, fd, -1, NULL, NULL, NULL) == OCT_OK ? 0 : 5;
    while (is_stubborn) {
        pause();
    }
    return code;
}

// What this program does as a game.
static int be_a_game(const char *word, const char *number)
{
    if (strcmp(word, "serve") == 0) {
        printf("a game begins\n");
        fflush(stdout);
        return serve(false);
    }
    if (strcmp(word, "die") == 0) {
        lines_left = (uint32_t)strtoul(number, NULL, 10);
        return serve(false);
    }
    if (strcmp(word, "noisy") == 0) {
        for (int i = 0; i < 30000; i++) {
            printf("line %d of a lot of output\n", i);
        }
        fflush(stdout);
        return serve(false);
    }
    if (strcmp(word, "exit") == 0) {
        fprintf(stderr, "no level found\n");
        return 3;
    }
    if (strcmp(word, "stubborn") == 0) {
        signal(SIGTERM, SIG_IGN);
        if (fork() == 0) {
            for (;;) {
                pause();
            }
        }
        return serve(true);
    }
    for (;;) {
        pause(); // hangs
    }
}

static const char *command(char *out, size_t size, const char *words)
{
    snprintf(out, size, "exec:'%s' %s", own_path, words);
    return out;
}

static oct_result open_game(const char *words, const link_connect_def *def, oct_game **out,
                            char *why, size_t size)
{
    char text[1000];
    return oct_link_open_game(command(text, sizeof text, words), def, out, why, size);
}

// Whether a process group has nobody any more.
static bool is_gone(int group)
{
    for (int i = 0; i < 200; i++) {
        if (kill(-group, 0) != 0 && errno == ESRCH) {
            return true;
        }
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    return false;
}

static int group_of(const link_groups *groups)
{
    for (size_t i = 0; i < LINK_GROUPS_MAX; i++) {
        const int group = atomic_load(&groups->groups[i]);
        if (group != 0) {
            return group;
        }
    }
    return 0;
}

// ---- tests ----

static void a_started_game_is_the_same_game(void **state)
{
    (void)state;
    link_groups groups = {0};
    const link_connect_def def = {.groups = &groups};
    oct_game *near, *far;
    char why[3000];
    assert_int_equal(mock_game(5, 40, NULL, &near), OCT_OK);
    assert_int_equal(open_game("serve", &def, &far, why, sizeof why), OCT_OK);
    const int group = group_of(&groups);
    assert_true(group > 1);
    for (uint32_t i = 0; i < 50; i++) {
        oct_observation a, b;
        oct_act came;
        const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = 20, .move = {0.1, 0.2, i / 7.0}};
        assert_int_equal(oct_game_turn(near, 0, &move, &came), OCT_OK);
        assert_int_equal(oct_game_turn(far, 0, &move, &came), OCT_OK);
        assert_int_equal(oct_game_observe(near, 0, &a), OCT_OK);
        assert_int_equal(oct_game_observe(far, 0, &b), OCT_OK);
        assert_true(mock_same_observation(&a, &b));
    }
    assert_true(oct_game_hash(near) == oct_game_hash(far));
    assert_non_null(strstr(oct_link_output(far), "a game begins"));
    oct_game_destroy(near);
    oct_game_destroy(far);
    assert_true(is_gone(group));
    assert_int_equal(group_of(&groups), 0);
}

static void games_that_do_not_connect_are_told_apart(void **state)
{
    (void)state;
    const link_connect_def def = {.load_ms = 400, .grace_ms = 200};
    oct_game *game;
    char why[3000];
    assert_int_equal(open_game("exit", &def, &game, why, sizeof why), OCT_ERROR_LINK);
    assert_non_null(strstr(why, "ended with exit code 3 before it connected"));
    assert_non_null(strstr(why, "no level found"));
    assert_int_equal(open_game("hang", &def, &game, why, sizeof why), OCT_ERROR_LINK);
    assert_non_null(strstr(why, "did not connect to OCTANT_CONNECT within 0.4 s"));
    assert_int_equal(oct_link_open_game("exec:no_such_game_here", &def, &game, why, sizeof why),
                     OCT_ERROR_LINK);
    assert_non_null(strstr(why, "there is no program 'no_such_game_here'"));
    assert_int_equal(oct_link_open_game("exec:a 'b", &def, &game, why, sizeof why),
                     OCT_ERROR_FORMAT);
    assert_int_equal(oct_link_open_game("tcp:127.0.0.1:1", &def, &game, why, sizeof why),
                     OCT_ERROR_LINK);
    assert_non_null(strstr(why, "nobody answers"));
    assert_int_equal(oct_link_open_game("tcp:here", &def, &game, why, sizeof why),
                     OCT_ERROR_ARGUMENT);
}

static void a_noisy_game_is_not_stuck(void **state)
{
    (void)state;
    const link_connect_def def = {0};
    oct_game *game;
    char why[3000];
    assert_int_equal(open_game("noisy", &def, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_step(game, 5), OCT_OK);
    const char *const output = oct_link_output(game);
    assert_int_equal(strlen(output), LINK_OUTPUT_MAX);
    assert_non_null(strstr(output, "line 29999 of a lot of output"));
    oct_game_destroy(game);
}

static void a_stubborn_game_is_ended_with_its_children(void **state)
{
    (void)state;
    link_groups groups = {0};
    const link_connect_def def = {.groups = &groups, .grace_ms = 100};
    oct_game *game;
    char why[3000];
    assert_int_equal(open_game("stubborn", &def, &game, why, sizeof why), OCT_OK);
    const int group = group_of(&groups);
    oct_game_destroy(game);
    assert_true(is_gone(group));
    // As a handler of signals would do it.
    assert_int_equal(open_game("stubborn", &def, &game, why, sizeof why), OCT_OK);
    const int other = group_of(&groups);
    oct_link_groups_kill(&groups);
    assert_int_equal(oct_game_step(game, 1), OCT_ERROR_LINK);
    assert_non_null(strstr(oct_game_trouble(game), "ended by signal 9"));
    oct_game_destroy(game);
    assert_true(is_gone(other));
}

// A game that is killed at any request: an error at once, and nobody is left.
static void games_that_die_leave_nothing(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(40);
    for (uint64_t i = 0; i < rounds; i++) {
        link_groups groups = {0};
        const link_connect_def def = {.groups = &groups};
        char words[40], why[3000];
        oct_game *game;
        oct_result result;
        snprintf(words, sizeof words, "die %d", (int)(i % 20));
        result = open_game(words, &def, &game, why, sizeof why);
        const int group = group_of(&groups);
        for (int turn = 0; result == OCT_OK && turn < 30; turn++) {
            oct_act came;
            oct_observation seen;
            const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 10};
            result = oct_game_turn(game, 0, &wait, &came);
            if (result == OCT_OK) {
                result = oct_game_observe(game, 0, &seen);
            }
        }
        assert_int_equal(result, OCT_ERROR_LINK);
        assert_non_null(strstr(game ? oct_game_trouble(game) : why, "ended by signal 9"));
        oct_game_destroy(game);
        assert_true(group == 0 || is_gone(group));
    }
}

// ---- sockets ----

typedef struct served {
    int listener;
    atomic_bool stops;
    oct_result result;
} served;

static bool is_over(void *ctx)
{
    return atomic_load(&((served *)ctx)->stops);
}

static void *serve_all(void *arg)
{
    served *const s = arg;
    mock_host mock = {.seed = 5, .things = 40};
    const link_host host = mock_link_host(&mock);
    s->result = oct_link_serve(&host, s->listener, is_over, s, NULL);
    return NULL;
}

static void one_client_at_a_time(void **state)
{
    (void)state;
    served s = {.result = OCT_ERROR_LINK};
    uint32_t port;
    oct_error error;
    pthread_t thread;
    char text[60], why[3000];
    oct_game *game, *other;
    const link_connect_def def = {.load_ms = 2000};
    assert_int_equal(oct_link_listen(0, &s.listener, &port, &error), OCT_OK);
    assert_int_equal(pthread_create(&thread, NULL, serve_all, &s), 0);
    snprintf(text, sizeof text, "tcp:%lu", (unsigned long)port);
    assert_int_equal(oct_link_open_game(text, &def, &game, why, sizeof why), OCT_OK);
    snprintf(text, sizeof text, "tcp:127.0.0.1:%lu", (unsigned long)port);
    assert_int_equal(oct_link_open_game(text, &def, &other, why, sizeof why), OCT_ERROR_LINK);
    assert_non_null(strstr(why, "busy"));
    assert_int_equal(oct_game_step(game, 7), OCT_OK);
    oct_game_destroy(game);
    // A new client finds a new level.
    assert_int_equal(oct_link_open_game(text, &def, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_step(game, 1), OCT_OK);
    assert_int_equal(oct_game_tick(game), 1);
    oct_game_destroy(game);
    atomic_store(&s.stops, true);
    pthread_join(thread, NULL);
    assert_int_equal(s.result, OCT_OK);
    close(s.listener);
}

// Requests that are sent ahead, \r\n, empty lines, a line without end, and one in small pieces.
static void lines_come_as_they_like(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    mock_host mock = {.seed = 5, .things = 2};
    const link_host host = mock_link_host(&mock);
    static const char first[] = "\r\n\n{\"n\":1,\"do\":\"hello\",\"octant\":1}\r\n"
                                "{\"n\":2,\"do\":\"step\",\"ticks\":3}\n{\"n\":3,\"do\":\"se";
    static const char second[] = "lf\"}\n";
    static const char last[] = "\n{\"n\":4,\"do\":\"bye\"}\n";
    assert_int_equal(write(ends[1], first, sizeof first - 1), sizeof first - 1);
    assert_int_equal(write(ends[1], second, sizeof second - 1), sizeof second - 1);
    char *const rubbish = malloc(100000);
    memset(rubbish, 'x', 100000);
    assert_int_equal(write(ends[1], rubbish, 100000), 100000);
    free(rubbish);
    assert_int_equal(write(ends[1], last, sizeof last - 1), sizeof last - 1);
    assert_int_equal(oct_link_serve_client(&host, ends[0], -1, NULL, NULL, NULL), OCT_OK);
    char answer[20000];
    size_t used = 0;
    for (ssize_t got; (got = read(ends[1], answer + used, sizeof answer - 1 - used)) > 0;) {
        used += (size_t)got;
    }
    answer[used] = '\0';
    assert_non_null(strstr(answer, "{\"n\":1,\"octant\":1"));
    assert_non_null(strstr(answer, "\n{\"n\":2,\"tick\":3}\n{\"n\":3,\"self\":"));
    assert_non_null(strstr(answer, "\n{\"error\":\"range\",\"text\":"));
    assert_non_null(strstr(answer, "\n{\"n\":4}\n"));
    close(ends[1]);
}

static void commands_are_split_as_a_shell_does(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        size_t count;
        const char *words[4];
    } all[] = {
        {"a b  c", 3, {"a", "b", "c"}},
        {" 'a b' \"c d\"e ", 2, {"a b", "c de"}},
        {"a\\ b '\\' \"\\\"\\x\"", 3, {"a b", "\\", "\"\\x"}},
        {"'' \"\"", 2, {"", ""}},
        {"$HOME *.c # x", 4, {"$HOME", "*.c", "#", "x"}},
        {"a\\\nb", 1, {"ab"}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char **words;
        size_t count;
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        assert_int_equal(oct_link_words(all[i].command, &memory.allocator, &words, &count, NULL),
                         OCT_OK);
        assert_int_equal(count, all[i].count);
        for (size_t j = 0; j < count; j++) {
            assert_string_equal(words[j], all[i].words[j]);
        }
        assert_null(words[count]);
        oct_link_words_free(&memory.allocator, words);
        test_allocator_check_empty(&memory);
    }
    static const char *const wrongs[] = {"", "  ", "'a", "\"a", "a \"b\\\""};
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        char **words;
        size_t count;
        oct_error error;
        assert_int_equal(oct_link_words(wrongs[i], NULL, &words, &count, &error), OCT_ERROR_FORMAT);
        assert_true(error.message[0] != '\0');
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        return be_a_game(argv[1], argc > 2 ? argv[2] : "0");
    }
    own_path = argv[0];
    signal(SIGPIPE, SIG_DFL); // nobody may rely on its being ignored
#if defined(__linux__)
    prctl(PR_SET_CHILD_SUBREAPER, 1); // a machine's init may be slow to bury what has died
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_split_as_a_shell_does),
        cmocka_unit_test(lines_come_as_they_like),
        cmocka_unit_test(one_client_at_a_time),
        cmocka_unit_test(a_started_game_is_the_same_game),
        cmocka_unit_test(games_that_do_not_connect_are_told_apart),
        cmocka_unit_test(a_noisy_game_is_not_stuck),
        cmocka_unit_test(a_stubborn_game_is_ended_with_its_children),
        cmocka_unit_test(games_that_die_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
