// SPDX-License-Identifier: MIT
// octant test: what its files share.
#ifndef OCTANT_CLI_TEST_H
#define OCTANT_CLI_TEST_H

#include "cli/cli_internal.h"
#include "cli/games.h"
#include "cli/watchdog.h"
#include "report/report_internal.h"
#include "script/script.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    TEST_FILTER,
    TEST_ROOT,
    TEST_SEED,
    TEST_REPEAT,
    TEST_INCONCLUSIVE, // "fail" is 0, "warn" is 1
    TEST_STRUCTURE,    // the octree is 0, then as baseline_kind
    TEST_FAIL_FAST,
    TEST_JUNIT,
    TEST_HTML,
    TEST_TRACE,
    TEST_THREADS,
    TEST_MEMORY,
    TEST_GAME,
    TEST_PATIENCE,
    TEST_LIST,
    TEST_QUIET,
    TEST_VERBOSE,
    TEST_VIEW,
    TEST_OPTION_COUNT
};

// A test that is to be played, or was.
typedef struct test_item {
    const oct_script *script;
    size_t test;   // of the script
    uint64_t seed; // 0 = its own
    bool is_done;
    bool is_refused;   // its game does not begin as it says: an error, with that reason
    bool is_broken;    // it could not be played, or its trace not be written: an error
    char trouble[256]; // what then is the reason
    oct_report_test report;
    oct_play_record *record; // NULL where nobody wants it
    char *trace;             // the file; NULL = none
    char *output;            // what its game has written, the end of it; NULL = none
} test_item;

#define TEST_THOUGHT_MAX 128

// What a worker is about, for the live line.
typedef struct test_worker {
    const test_item *item; // NULL = nothing
    uint64_t tick;
    double rate; // of its game
    char thought[TEST_THOUGHT_MAX];
} test_worker;

typedef struct test_session {
    const cli_value *options;
    bool json;
    oct_array paths;   // char *, of scripts
    oct_array scripts; // oct_script *
    test_item *items;
    size_t count;
    oct_report_test *tests; // the reports, in a row, once all are done
    oct_report_run run;
    bool is_interrupted;    // by a signal, before all were played to their end
    watchdog *dog;          // NULL = none
    cli_games *games;       // NULL = the block world
    struct test_view *view; // a page that shows them; NULL = none
    atomic_bool plays;      // scripts are loaded, and the mutex is there

    pthread_mutex_t mutex; // guards what follows, and `is_done` of items
    size_t printed;        // items so far
    const char *file;      // of the last one printed
    size_t first_bad;      // the first that did not pass; `count` = none so far
    size_t done;
    int code; // CLI_BAD where something could not be played, or a trace not be written
    const test_item *hanging; // whose script does not end; NULL = none
    test_worker *workers;
    uint32_t worker_count;
    double drawn_ms; // when the live line was
    int drawn;       // how long it is
} test_session;

// ---- test_files.c ----

// Opens all scripts; complains about the first that is wrong, before anything is played.
int oct_test_open(test_session *session, const cli_args *args);
// Which tests, how often, in which order.
int oct_test_choose(test_session *session);
// Frees all of it.
void oct_test_close(test_session *session);

// ---- test_run.c ----

// Plays them, and prints each as soon as those before it are done.
int oct_test_play(test_session *session);

// For the watchdog, on its thread: gathers and prints what was played, and the test of this worker
// as an error. Others wait from then on. NULL where the worker plays nothing.
const oct_report_test *oct_test_cut(test_session *session, uint32_t worker);

// Standard output, and its styles, as reports take them.
sink oct_test_stdout(void);
report_style oct_test_style(void);

// ---- test_json.c ----

// NULL where memory is short.
json_t *oct_test_json(const oct_report_run *run);

// ---- test_live.c ----

// The live line: one on a terminal, none elsewhere. Called with the mutex held.
void oct_test_live_draw(test_session *session);
void oct_test_live_clear(test_session *session);

#endif
