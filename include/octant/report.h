// SPDX-License-Identifier: MIT
/// \file
/// Reports of tests: text, JUnit XML, one HTML page, and traces to be replayed.
///
/// Play tests (octant/play.h) with records and traces as their watches, gather what came of them in
/// an oct_report_run, and write it. Apart from times, the same run gives the same bytes.
///
/// Threading: a record or trace belongs to the thread that plays its test.
#ifndef OCTANT_REPORT_H
#define OCTANT_REPORT_H

#include "octant/formats.h"
#include "octant/play_test.h"

/// The record of one test while it is played, for the maps and time lines of the HTML report. It
/// stays small however long a test takes: details that do not fit are left out and counted.
typedef struct oct_play_record oct_play_record;

/// The allocator is copied; NULL = malloc. On failure *out is NULL.
OCT_API oct_result oct_play_record_create(const oct_allocator *allocator, oct_play_record **out);
OCT_API void oct_play_record_destroy(oct_play_record *record);
/// Short memory ends the record, not the test.
OCT_API oct_play_watch oct_play_record_watch(oct_play_record *record);

/// One test as it was played.
typedef struct oct_report_test {
    const char *file;              ///< where it is defined, as people name it
    const char *name;              ///< of the test
    const char *world;             ///< the world's file, or ""
    const char *trace;             ///< the file of its trace; NULL = none
    uint32_t line;                 ///< of `file`
    bool is_repeated;              ///< show the seed with its name
    oct_play_result result;        ///< as oct_play_test wrote it
    const oct_play_record *record; ///< NULL = none was kept
    double time_ms;                ///< CPU time, with loading
    const char *output;            ///< the end of what its game has written; NULL = nothing
} oct_report_test;

/// All tests of a run.
typedef struct oct_report_run {
    const oct_report_test *tests; ///< in the order of files and lines
    size_t count;
    size_t not_played;   ///< tests that were left out
    const char *stopped; ///< why they were; NULL = none were
    uint32_t threads;
    double wall_ms; ///< all tests together
    /// Inconclusive tests are warnings: they do not make the run bad, and JUnit has them as
    /// skipped.
    bool warns_inconclusive;
} oct_report_run;

/// Whether all were played and passed, or are inconclusive where those are warnings.
OCT_API bool oct_report_is_good(const oct_report_run *run);

/// Each writes a whole report through a callback. OCT_ERROR_FILE if the callback refuses.
OCT_API oct_result oct_report_text(const oct_report_run *run, oct_write_fn *write, void *ctx);
OCT_API oct_result oct_report_junit(const oct_report_run *run, oct_write_fn *write, void *ctx);
OCT_API oct_result oct_report_html(const oct_report_run *run, oct_write_fn *write, void *ctx);

/// A trace: what agents saw, wanted, thought and did, turn by turn, as lines of JSON that are
/// written while the test is played (docs/reference/trace-file.md).
typedef struct oct_trace oct_trace;

/// `test` is borrowed: file, name, world and line are set before the test is played, and it is
/// played into its result. The allocator is copied; NULL = malloc. On failure *out is NULL.
OCT_API oct_result oct_trace_create(const oct_report_test *test, oct_write_fn *write, void *ctx,
                                    const oct_allocator *allocator, oct_trace **out);
OCT_API void oct_trace_destroy(oct_trace *trace);
OCT_API oct_play_watch oct_trace_watch(oct_trace *trace);
/// Hands over what was written so far, for who watches a test while it is played.
OCT_API void oct_trace_flush(oct_trace *trace);
/// Writes the last line, after the test was played. OCT_ERROR_FILE if the callback has refused.
OCT_API oct_result oct_trace_end(oct_trace *trace);

#endif
