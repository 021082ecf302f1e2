// SPDX-License-Identifier: MIT
// What the tests of scripts share: scripts in files of their own, opened and played in a line.
// Who includes it asks for POSIX first.
#ifndef OCTANT_TESTS_SCRIPT_SUPPORT_H
#define OCTANT_TESTS_SCRIPT_SUPPORT_H

#include "folder_support.h"
#include "script_room.h"

#include "script/script.h"

#include <string.h>
#include <unistd.h>

static inline void script_path(const char *folder, const char *name, char *out, size_t size)
{
    assert_true((size_t)snprintf(out, size, "%s/%s", folder, name) < size);
}

static inline void script_write(const char *folder, const char *name, const char *source)
{
    char path[1024];
    script_path(folder, name, path, sizeof path);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(source, 1, strlen(source), file), strlen(source));
    assert_int_equal(fclose(file), 0);
}

// The folder of a test of scripts has the room, and a script `test.lua`.
static inline int script_setup(void **state)
{
    make_folder(state);
    script_write(*state, "room.json", script_room);
    return 0;
}

static inline int script_teardown(void **state)
{
    char *const folder = *state;
    char command[1100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    free(folder);
    return 0;
}

static inline oct_script *script_open(const char *folder, const char *source)
{
    char path[1024];
    oct_error error = {.line = 0};
    oct_script *script;
    const script_limits limits = oct_script_limits_default();
    script_write(folder, "test.lua", source);
    script_path(folder, "test.lua", path, sizeof path);
    if (oct_script_open(path, &limits, &script, &error) != OCT_OK) {
        fail_msg("line %u: %s", error.line, error.message);
    }
    return script;
}

// Opening is refused, at a line, with a message that holds this.
static inline void script_refused(const char *folder, const char *source, uint32_t line,
                                  const char *message)
{
    char path[1024];
    oct_error error = {.line = 0};
    oct_script *script;
    const script_limits limits = oct_script_limits_default();
    script_write(folder, "test.lua", source);
    script_path(folder, "test.lua", path, sizeof path);
    assert_int_equal(oct_script_open(path, &limits, &script, &error), OCT_ERROR_FORMAT);
    assert_null(script);
    if (error.line != line || !strstr(error.message, message)) {
        fail_msg("line %u: %s\n  not line %u: %s", error.line, error.message, line, message);
    }
}

// Plays a test within these limits.
static inline oct_play_result script_play_within(const oct_script *script, size_t test,
                                                 const script_limits *limits)
{
    const oct_play_options options = {.seed = 0};
    oct_play_result result;
    assert_int_equal(oct_script_play(script, test, limits, &options, &result), OCT_OK);
    return result;
}

static inline oct_play_result script_play_with(const oct_script *script, size_t test,
                                               const oct_play_options *options)
{
    const script_limits limits = oct_script_limits_default();
    oct_play_result result;
    assert_int_equal(oct_script_play(script, test, &limits, options, &result), OCT_OK);
    return result;
}

// Plays all tests of a source: each must have this verdict, and a reason that holds this.
static inline void script_verdict(const char *folder, const char *source, oct_verdict verdict,
                                  const char *reason)
{
    oct_script *const script = script_open(folder, source);
    const oct_play_options options = {.seed = 0};
    assert_true(oct_script_tests(script) > 0);
    for (size_t i = 0; i < oct_script_tests(script); i++) {
        oct_play_result r = script_play_with(script, i, &options);
        if (r.verdict != verdict || !strstr(r.reason, reason)) {
            fail_msg("%s\n%s: %s: %s (%s)\n  not %s: %s", source, oct_script_test(script, i).name,
                     oct_verdict_name(r.verdict), r.reason, r.where, oct_verdict_name(verdict),
                     reason);
        }
        oct_play_result_free(&r);
    }
    oct_script_close(script);
}

// A result, but for times, in words.
static inline void script_words(const oct_play_result *r, char *out, size_t size)
{
    size_t used = (size_t)snprintf(
        out, size, "%d %s %s %llu %llu %llu %llu %llu %.17g", (int)r->verdict, r->reason, r->where,
        (unsigned long long)r->turns, (unsigned long long)r->ticks, (unsigned long long)r->open,
        (unsigned long long)r->blocked, (unsigned long long)r->unknown, r->explored);
    for (size_t i = 0; i < r->note_count && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "; %s", r->notes[i]);
    }
    assert_true(used < size);
}

// A body in the room, "return ..." or more lines.
static inline void script_body(const char *folder, const char *body, oct_verdict verdict,
                               const char *reason)
{
    char source[16384];
    assert_true(
        (size_t)snprintf(source, sizeof source,
                         "world 'room.json' test('t', { seconds = 120 }, function()\n%s\nend)",
                         body) < sizeof source);
    script_verdict(folder, source, verdict, reason);
}

static inline void script_passes(const char *folder, const char *body)
{
    script_body(folder, body, OCT_VERDICT_PASS, "");
}

#endif
