// SPDX-License-Identifier: MIT
// Which scripts and tests octant test plays.
#include "cli/test.h"
#include "files/files_internal.h"

#include <stdlib.h>
#include <string.h>

#define SLUG_MAX 48

static int complain_memory(void)
{
    return oct_cli_check("test", OCT_ERROR_MEMORY);
}

// ---- scripts ----

// What the command line does not name itself must be a regular file.
static int open_script(test_session *s, const char *path, bool is_named)
{
    const oct_allocator allocator = oct_allocator_default();
    script_limits limits = oct_script_limits_default();
    limits.root = s->options[TEST_ROOT].text;
    limits.watch = oct_watchdog_enter(s->dog, 0);
    limits.has_game = s->games != NULL;
    oct_error error = {.line = 0};
    oct_script *script = NULL;
    oct_result result = is_named ? OCT_OK : oct_file_check_source(path, &error);
    if (result == OCT_OK) {
        result = oct_script_open(path, &limits, &script, &error);
    }
    if (result != OCT_OK) {
        return error.line > 0 && error.column == 0
                   ? oct_cli_complain("%s:%u: %s", path, error.line, error.message)
                   : oct_cli_check_file(path, result, &error);
    }
    if (oct_array_push(&s->scripts, &allocator, sizeof script, &script) != OCT_OK) {
        oct_script_close(script);
        return complain_memory();
    }
    return CLI_YES;
}

int oct_test_open(test_session *s, const cli_args *args)
{
    int code = CLI_YES;
    for (size_t i = 0; code == CLI_YES && i < args->many_count; i++) {
        const char *const path = args->many[i];
        const size_t first = s->paths.count;
        const bool is_named = !oct_cli_is_folder(path);
        code = oct_cli_add_paths(&s->paths, path, oct_cli_is_script, ".lua file");
        for (size_t k = first; code == CLI_YES && k < s->paths.count; k++) {
            code = open_script(s, ((char *const *)s->paths.items)[k], is_named);
        }
    }
    return code;
}

// ---- tests ----

static bool is_chosen(const test_session *s, const oct_script *script, size_t test)
{
    const char *const filter = s->options[TEST_FILTER].text;
    return !filter || strstr(oct_script_test(script, test).name, filter) != NULL;
}

// A name for the trace of the test at a place, from 1: letters and digits of the test's own.
static char *trace_path(const char *folder, size_t place, const char *name)
{
    char slug[SLUG_MAX + 1];
    size_t used = 0;
    for (; *name && used < SLUG_MAX; name++) {
        const char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            slug[used++] = c;
        } else if (used > 0 && slug[used - 1] != '-') {
            slug[used++] = '-';
        }
    }
    used -= used > 0 && slug[used - 1] == '-';
    slug[used] = '\0';
    const size_t size = strlen(folder) + used + 40;
    char *const path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%03zu%s%s.jsonl", folder, place, used > 0 ? "-" : "", slug);
    }
    return path;
}

static int prepare_item(test_session *s, test_item *item)
{
    const script_test test = oct_script_test(item->script, item->test);
    const char *const folder = s->options[TEST_TRACE].text;
    item->report = (oct_report_test){.file = oct_script_path(item->script),
                                     .name = test.name,
                                     .world = test.world ? test.world : "",
                                     .line = test.line,
                                     .is_repeated = s->options[TEST_REPEAT].integer > 1};
    if (folder) {
        item->trace = trace_path(folder, (size_t)(item - s->items) + 1, test.name);
        item->report.trace = item->trace;
    }
    if (s->options[TEST_HTML].given) {
        (void)oct_play_record_create(NULL, &item->record);
        item->report.record = item->record;
    }
    const bool whole = (!folder || item->trace) && (!s->options[TEST_HTML].given || item->record);
    return whole ? CLI_YES : complain_memory();
}

// Adds a test so often as it is to be played.
static void add_test(test_session *s, const oct_script *script, size_t test)
{
    const cli_value *const seed = &s->options[TEST_SEED], *const repeat = &s->options[TEST_REPEAT];
    const bool has_seed = seed->given || repeat->integer > 1;
    const uint64_t first = seed->given ? (uint64_t)seed->integer : 1;
    for (uint64_t i = 0; i < (uint64_t)repeat->integer; i++) {
        s->items[s->count++] =
            (test_item){.script = script, .test = test, .seed = has_seed ? first + i : 0};
    }
}

static int complain_none(const test_session *s, size_t tests)
{
    const char *const filter = s->options[TEST_FILTER].text;
    return tests > 0
               ? oct_cli_complain("test: no test matches --filter '%s'", filter)
               : oct_cli_complain("%s: it declares no test", ((char *const *)s->paths.items)[0]);
}

int oct_test_choose(test_session *s)
{
    oct_script *const *const scripts = s->scripts.items;
    const size_t repeat = (size_t)s->options[TEST_REPEAT].integer;
    size_t tests = 0, chosen = 0, room;
    for (size_t i = 0; i < s->scripts.count; i++) {
        tests += oct_script_tests(scripts[i]);
        for (size_t j = 0; j < oct_script_tests(scripts[i]); j++) {
            chosen += is_chosen(s, scripts[i], j);
        }
    }
    if (chosen == 0) {
        return complain_none(s, tests);
    }
    if (!oct_size_mul(chosen, repeat, &room) || room > UINT32_MAX ||
        !(s->items = calloc(room, sizeof *s->items)) ||
        !(s->tests = calloc(room, sizeof *s->tests))) {
        return complain_memory();
    }
    for (size_t i = 0; i < s->scripts.count; i++) {
        for (size_t j = 0; j < oct_script_tests(scripts[i]); j++) {
            if (is_chosen(s, scripts[i], j)) {
                add_test(s, scripts[i], j);
            }
        }
    }
    int code = CLI_YES;
    for (size_t i = 0; code == CLI_YES && i < s->count && !s->options[TEST_LIST].given; i++) {
        code = prepare_item(s, &s->items[i]);
    }
    return code;
}

void oct_test_close(test_session *s)
{
    const oct_allocator allocator = oct_allocator_default();
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].is_broken) {
            s->items[i].report.result.reason = NULL; // its own
        }
        oct_play_result_free(&s->items[i].report.result);
        oct_play_record_destroy(s->items[i].record);
        free(s->items[i].trace);
        free(s->items[i].output);
    }
    for (size_t i = 0; i < s->scripts.count; i++) {
        oct_script_close(((oct_script **)s->scripts.items)[i]);
    }
    oct_array_free(&s->scripts, &allocator, sizeof(oct_script *));
    oct_cli_free_paths(&s->paths);
    free(s->items);
    free(s->tests);
    free(s->workers);
}
