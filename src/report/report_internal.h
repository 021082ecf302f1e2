// SPDX-License-Identifier: MIT
// What the files of the report module share, and parts of reports that the command writes by
// itself.
#ifndef OCTANT_REPORT_INTERNAL_H
#define OCTANT_REPORT_INTERNAL_H

#include "base/sink.h"
#include "octant/report.h"
#include "report/record.h"

// What comes of all tests together.
typedef struct report_total {
    uint64_t verdicts[OCT_VERDICT_COUNT];
    uint64_t turns;
    double game_s, moving_s;
    oct_agent_times times;
    double time_ms;
} report_total;

report_total oct_report_total(const oct_report_run *run);

// Whether a verdict does not make the run bad although it is none to be proud of.
bool oct_report_is_warning(const oct_report_run *run, oct_verdict verdict);

// "line of sight, 20 m" or "through everything, 20 m": the rule by which a test's game was seen.
void oct_report_sight(const oct_play_result *result, char *out, size_t size);

// What goes with a verdict that is no pass, after its reason, one line for people: of a FAIL what
// it assumes, of INCONCLUSIVE what would decide it. Returns `out`; "" where there is nothing to
// say.
const char *oct_report_basis(const oct_play_result *result, char *out, size_t size);
// Whether a note is a finding too, which is printed as one.
bool oct_report_is_finding(const oct_play_result *result, const char *note);

// What a game has written, as markup, line by line.
void oct_report_output(sink *out, const char *output);

// Flushes a sink: OCT_ERROR_FILE if its callback has refused something.
oct_result oct_report_finish(sink *out);

// ---- report_text.c ----

// How words are marked; all "" where they are not.
typedef struct report_style {
    const char *plain, *bold, *good, *bad;
} report_style;

// One test: a line, and more if it did not pass, or with `is_long`. `file` is that of the test
// before it, which is not named again; NULL = none.
void oct_report_text_test(sink *out, const oct_report_test *test, const char *file, bool is_long,
                          const report_style *style);
// What comes of all: the last lines.
void oct_report_text_total(sink *out, const oct_report_run *run, const report_style *style);

#endif
