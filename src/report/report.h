// SPDX-License-Identifier: MIT
// Reports of test runs: for people (text, HTML), and for other programs (JSON, JUnit).
//
// All take the same run. Apart from times the same run gives the same bytes, however many threads
// played it.
#ifndef OCTANT_REPORT_H
#define OCTANT_REPORT_H

#include "base/sink.h"
#include "report/record.h"

#include <jansson.h>

// One test as it was played.
typedef struct report_test {
    const char *file; // the script, as it was named
    const char *name;
    const char *world; // as the script names it; may be ""
    const char *trace; // the file of its trace; NULL = none
    uint32_t line;     // of the script
    bool is_repeated;  // the seed is part of its name
    play_result result;
    const test_record *record; // NULL = none was kept
    double time_ms;            // CPU time, with loading the script and the world
} report_test;

typedef struct report_run {
    const report_test *tests; // in the order of files and lines
    size_t count;
    size_t not_played;   // that were left out because another one did not pass, or by a signal
    const char *stopped; // why they were; NULL = they were not
    uint32_t threads;
    double wall_ms; // all tests together
} report_run;

// What comes of all tests together.
typedef struct report_total {
    uint64_t verdicts[OCT_VERDICT_COUNT];
    uint64_t turns, ticks;
    oct_agent_times times;
    double time_ms;
} report_total;

report_total oct_report_total(const report_run *run);
bool oct_report_is_good(const report_run *run);

// "line of sight, 20 m" or "through everything, 20 m": the rule by which a test's game was seen.
void oct_report_sight(const play_result *result, char *out, size_t size);

// ---- report_text.c ----

// How words are marked; all "" where they are not.
typedef struct report_style {
    const char *plain, *bold, *good, *bad;
} report_style;

// One test: a line, and more where it did not pass, or with `is_long`. `file` is the script of the
// test before it, which is not named again; NULL = none.
void oct_report_text_test(sink *out, const report_test *test, const char *file, bool is_long,
                          const report_style *style);
// What comes of all: the last lines.
void oct_report_text_total(sink *out, const report_run *run, const report_style *style);

// ---- report_json.c ----

// NULL where memory is short.
json_t *oct_report_json(const report_run *run);

// ---- report_junit.c, report_html.c ----

void oct_report_junit(sink *out, const report_run *run);
void oct_report_html(sink *out, const report_run *run);

#endif
