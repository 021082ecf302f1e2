// SPDX-License-Identifier: MIT
// octant test: plays the tests of scripts and says what came of them.
#define _POSIX_C_SOURCE 200809L
#include "base/words.h"
#include "cli/test.h"
#include "cli/test_view.h"
#include "files/files_internal.h"
#include "link/link_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- before ----

static int make_folder(const cli_value *option)
{
    struct stat info;
    if (!option->given || (mkdir(option->text, 0777) == 0)) {
        return CLI_YES;
    }
    if (errno == EEXIST && stat(option->text, &info) == 0 && !S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
    }
    return errno == EEXIST ? CLI_YES : oct_cli_complain("%s: %s", option->text, strerror(errno));
}

static int check_options(const cli_value *options)
{
    if (options[TEST_QUIET].given && options[TEST_VERBOSE].given) {
        return oct_cli_complain("test: --quiet and --verbose do not go together");
    }
    return oct_cli_check_root(&options[TEST_ROOT]);
}

static bool add_input(void *ctx, const char *path)
{
    return oct_cli_files_add(ctx, CLI_FILE, "", path) == CLI_YES;
}

// What scripts read, though the command line does not name it.
static int add_inputs(const test_session *s, cli_files *files)
{
    oct_script *const *const scripts = s->scripts.items;
    for (size_t i = 0; i < s->scripts.count; i++) {
        if (!oct_script_each_file(scripts[i], add_input, files)) {
            return CLI_BAD;
        }
    }
    return oct_cli_files_check(files);
}

static int add_traces(const test_session *s, cli_files *files)
{
    for (size_t i = 0; i < s->count && s->items[i].trace; i++) {
        CLI_TRY(oct_cli_files_add(files, CLI_OUTPUT, "--trace", s->items[i].trace));
    }
    return oct_cli_files_check(files);
}

// ---- list ----

static json_t *text_json(const char *words)
{
    char clean[1024];
    return json_string(oct_words_copy(words, clean, sizeof clean));
}

static int list_json(const test_session *s)
{
    json_t *const tests = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const test_item *const item = &s->items[i];
        const script_test test = oct_script_test(item->script, item->test);
        json_array_append_new(
            tests,
            json_pack("{s:o, s:o, s:I, s:o, s:o}", "name", text_json(test.name), "file",
                      text_json(oct_script_path(item->script)), "line", (json_int_t)test.line,
                      "world", text_json(test.world ? test.world : ""), "seed",
                      item->seed > 0 ? json_integer((json_int_t)item->seed) : json_null()));
    }
    return oct_cli_print_json(
        json_array_size(tests) == s->count ? json_pack("{s:o}", "tests", tests) : NULL);
}

static int list_tests(const test_session *s)
{
    if (s->json) {
        return list_json(s);
    }
    for (size_t i = 0; i < s->count; i++) {
        const test_item *const item = &s->items[i];
        const script_test test = oct_script_test(item->script, item->test);
        printf("%s:%u: %s", CLI_SHOWN(oct_script_path(item->script)), test.line,
               CLI_SHOWN(test.name));
        if (item->seed > 0) {
            printf(" [seed %llu]", (unsigned long long)item->seed);
        }
        printf("\n");
    }
    return CLI_YES;
}

// ---- after ----

typedef oct_result write_report_fn(const oct_report_run *run, oct_write_fn *write, void *ctx);

typedef struct report_job {
    const oct_report_run *run;
    write_report_fn *write;
} report_job;

static oct_result fill_report(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const report_job *const job = ctx;
    (void)error;
    return job->write(job->run, write, file);
}

static int save_report(const cli_value *option, const oct_report_run *run, write_report_fn *write)
{
    oct_error error = {.line = 0};
    report_job job = {run, write};
    if (!option->given) {
        return CLI_YES;
    }
    const oct_result result = oct_file_replace(option->text, fill_report, &job, NULL, &error);
    return oct_cli_check_file(option->text, result, &error);
}

static int print_total(const test_session *s)
{
    if (s->json) {
        return oct_cli_print_json(oct_test_json(&s->run));
    }
    const report_style style = oct_test_style();
    sink out = oct_test_stdout();
    oct_report_text_total(&out, &s->run, &style);
    oct_sink_flush(&out);
    return CLI_YES;
}

// Writes all that can be written.
static int report(const test_session *s)
{
    const int junit = save_report(&s->options[TEST_JUNIT], &s->run, oct_report_junit);
    const int html = save_report(&s->options[TEST_HTML], &s->run, oct_report_html);
    const int total = print_total(s);
    CLI_TRY(s->code);
    CLI_TRY(junit);
    CLI_TRY(html);
    CLI_TRY(total);
    if (s->is_interrupted) {
        return CLI_INTERRUPTED;
    }
    return oct_report_is_good(&s->run) ? CLI_YES : CLI_NO;
}

// ---- the whole ----

// By the thread of the watchdog. Nothing but the end of the process ends a function of C that does
// not return.
static void bite(void *ctx, uint32_t worker)
{
    test_session *const s = ctx;
    const oct_report_test *const test = oct_test_cut(s, worker);
    if (test) {
        (void)report(s);
        fflush(stdout);
        (void)oct_cli_complain("%s:%u: '%s' did not end: a function of Lua worked a second longer "
                               "than the limit; the reports have what was played",
                               test->file, test->line, test->name);
    } else {
        (void)oct_cli_complain("test: a script did not end while it was loaded");
    }
    oct_link_groups_kill(oct_cli_process_groups());
    oct_file_remove_drafts();
    _exit(CLI_BAD);
}

static uint64_t test_memory(const cli_value *options)
{
    return (uint64_t)options[TEST_MEMORY].integer * OCT_MEGABYTE;
}

static int do_session(const cli_args *args, test_session *s)
{
    CLI_TRY(check_options(args->options));
    if (args->options[TEST_GAME].given) {
        CLI_TRY(oct_cli_games_open("test", &args->options[TEST_GAME], &args->options[TEST_PATIENCE],
                                   test_memory(args->options), &s->games));
    }
    CLI_TRY(oct_test_open(s, args));
    CLI_TRY(oct_test_choose(s));
    if (args->options[TEST_LIST].given) {
        return list_tests(s);
    }
    CLI_TRY(add_inputs(s, args->files));
    CLI_TRY(make_folder(&args->options[TEST_TRACE]));
    CLI_TRY(add_traces(s, args->files));
    if (args->options[TEST_VIEW].given) {
        CLI_TRY(oct_test_view_open(s, &s->view));
    }
    CLI_TRY(oct_test_play(s));
    return report(s);
}

static int run_test(const cli_args *args)
{
    test_session s = {.options = args->options, .json = args->json};
    s.run.warns_inconclusive = args->options[TEST_INCONCLUSIVE].integer == 1;
    s.dog = oct_watchdog_create(CLI_THREADS_MAX, oct_script_limits_default().seconds, bite, &s);
    const int code = do_session(args, &s);
    fflush(stdout);
    oct_test_view_close(s.view);
    oct_cli_games_close(s.games);
    oct_watchdog_destroy(s.dog);
    oct_test_close(&s);
    return code;
}

static const cli_param test_operands[] = {
    {.name = "SCRIPT",
     .kind = CLI_FILE,
     .required = true,
     .many = true,
     .help = "a .lua file, or a folder: all that are in it"},
};

static const cli_param test_options[TEST_OPTION_COUNT] = {
    [TEST_FILTER] = CLI_PARAM_TEXT("filter", "TEXT", NULL, "only tests whose names hold this"),
    [TEST_ROOT] =
        CLI_PARAM_FOLDER("root", "all files that scripts name lie below it (default: see below)"),
    [TEST_SEED] = CLI_PARAM_INTEGER("seed", "N", NULL, 1, CLI_INTEGER_MAX,
                                    "of what is drawn at random (default: the test's own, or 1)"),
    [TEST_REPEAT] = CLI_PARAM_INTEGER("repeat", "N", "1", 1, 10000,
                                      "play each so often, with seeds from --seed (or 1) on"),
    [TEST_INCONCLUSIVE] = CLI_PARAM_CHOICE("inconclusive", "fail|warn", "fail",
                                           "whether such tests make the exit code 1"),
    [TEST_STRUCTURE] = CLI_PARAM_CHOICE("structure", "octree|grid|set" /* then as baseline_kind */,
                                        "octree", "what keeps the map of agents and plans by it"),
    [TEST_FAIL_FAST] = CLI_PARAM_FLAG("fail-fast", "end with the first test that does not pass"),
    [TEST_JUNIT] = CLI_PARAM_OUTPUT("junit", "write a report as JUnit XML"),
    [TEST_HTML] = CLI_PARAM_OUTPUT("html", "write a report as one page, with maps and time lines"),
    [TEST_TRACE] = CLI_PARAM_FOLDER("trace", "write a replay of each test there; made if missing"),
    [TEST_THREADS] = CLI_PARAM_INTEGER("threads", "N", NULL, 1, CLI_THREADS_MAX,
                                       "how many tests at a time (default: one a core)"),
    [TEST_MEMORY] = CLI_PARAM_INTEGER("memory", "MB", NULL, 1, CLI_MEMORY_MAX,
                                      "megabytes that each test may take (default: its own, 1000)"),
    [TEST_GAME] = CLI_GAME_OPTION,
    [TEST_PATIENCE] = CLI_PATIENCE_OPTION,
    [TEST_LIST] = CLI_PARAM_FLAG("list", "name the tests, and play none"),
    [TEST_QUIET] = {.name = "quiet",
                    .letter = 'q',
                    .kind = CLI_FLAG,
                    .help = "print only what did not pass, and the total"},
    [TEST_VERBOSE] = {.name = "verbose",
                      .letter = 'v',
                      .kind = CLI_FLAG,
                      .help = "print where the time went, coverage and notes too"},
    [TEST_VIEW] = CLI_PARAM_FLAG("view", "show them on a page while they are played; it is waited "
                                         "for"),
};

const cli_command oct_cmd_test = {
    .name = "test",
    .summary = "plays the tests of Lua scripts in game worlds, with verdicts",
    .details =
        "  All scripts are loaded first: if one cannot be, nothing is played. Tests are played "
        "side\n"
        "  by side and printed in their order; apart from times the results are the same for any\n"
        "  number of threads. Times are CPU time of a thread. Ctrl-C stops the tests that are\n"
        "  being played at their next turn: they are reported as inconclusive, 'interrupted', "
        "with\n"
        "  all that had ended (exit code 130). A second one ends at once. Worlds and included "
        "scripts\n"
        "  lie below --root; by default below what the working folder and the script's have in "
        "common,\n"
        "  or below the folder that OCTANT_DATA names. Exit code 0: all passed, 1: one failed, "
        "was\n"
        "  inconclusive (unless --inconclusive warn) or an error, 2: bad usage, a bad script, or\n"
        "  something could not be played or written; what could be is.",
    .operands = test_operands,
    .operand_count = sizeof test_operands / sizeof test_operands[0],
    .options = test_options,
    .option_count = TEST_OPTION_COUNT,
    .run = run_test,
};
