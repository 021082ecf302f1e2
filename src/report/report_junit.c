// SPDX-License-Identifier: MIT
// JUnit XML, as continuous integration reads it: a suite a script, a case a test.
//
// A test that failed is a failure, one that could not be played an error. An inconclusive one is a
// failure of its own type: whoever reads such a file knows no third way, and passing over it would
// turn "not everything was looked at" into "nothing is wrong". Where the run takes them as warnings
// it is skipped, with its reason.
#include "base/print.h"
#include "base/words.h"
#include "report/assumptions.h"
#include "report/report_internal.h"

#include <stdarg.h>
#include <stdio.h>

static void put_property(sink *out, const char *name, const char *value)
{
    oct_words_format(out, "        <property name=\"%s\" value=\"", name);
    oct_words_markup(out, value);
    oct_sink_text(out, "\"/>\n");
}

OCT_FORMAT(3, 4)
static void put_figure(sink *out, const char *name, const char *format, ...);

static void put_figure(sink *out, const char *name, const char *format, ...)
{
    char value[64];
    va_list values;
    va_start(values, format);
    (void)oct_vsnprintf(value, sizeof value, format, values);
    va_end(values);
    put_property(out, name, value);
}

static void put_properties(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    oct_sink_text(out, "      <properties>\n");
    put_property(out, "world", test->world);
    put_property(out, "sight", r->sight == OCT_SIGHT_LINE ? "line" : "through");
    put_figure(out, "view", "%.6g", r->view);
    put_figure(out, "seed", "%llu", (unsigned long long)r->seed);
    put_figure(out, "turns", "%llu", (unsigned long long)r->turns);
    put_figure(out, "game_s", "%.3f", (double)r->ticks / r->rate);
    put_figure(out, "explored", "%.4f", r->explored);
    put_property(out, "verdict", oct_verdict_name(r->verdict));
    oct_sink_text(out, "      </properties>\n");
}

static void put_outcome(sink *out, const oct_report_run *run, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    const bool is_skipped = oct_report_is_warning(run, r->verdict);
    char basis[ASSUMPTIONS_MAX];
    const char *const element = is_skipped                        ? "skipped"
                                : r->verdict == OCT_VERDICT_ERROR ? "error"
                                                                  : "failure";
    if (r->verdict == OCT_VERDICT_PASS) {
        return;
    }
    oct_words_format(out, "      <%s", element);
    if (!is_skipped) { // which has no type
        oct_words_format(out, " type=\"%s\"", oct_verdict_name(r->verdict));
    }
    oct_sink_text(out, " message=\"");
    oct_sink_text(out, is_skipped ? "inconclusive: " : "");
    oct_words_markup(out, r->reason ? r->reason : "");
    oct_sink_text(out, "\">");
    oct_words_markup(out, test->file);
    oct_words_format(out, ":%u: %s: ", test->line, oct_verdict_name(r->verdict));
    oct_words_markup(out, r->reason ? r->reason : "");
    if (oct_report_basis(r, basis, sizeof basis)[0]) {
        oct_sink_text(out, "\n");
        oct_words_markup(out, basis);
    }
    if (r->where && r->where[0]) {
        oct_sink_text(out, "\n");
        oct_words_markup(out, r->where);
    }
    oct_words_format(out, "</%s>\n", element);
}

static void put_notes(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    if (r->note_count == 0 && !test->output) {
        return;
    }
    oct_sink_text(out, "      <system-out>");
    for (size_t i = 0; i < r->note_count; i++) {
        oct_sink_text(out, oct_report_is_finding(r, r->notes[i]) ? "finding: " : "");
        oct_words_markup(out, r->notes[i]);
        oct_sink_text(out, "\n");
    }
    if (test->output) {
        oct_sink_text(out, "the game's output ends with:\n");
        oct_report_output(out, test->output);
    }
    oct_sink_text(out, "</system-out>\n");
}

static void put_case(sink *out, const oct_report_run *run, const oct_report_test *test)
{
    oct_sink_text(out, "    <testcase name=\"");
    oct_words_markup(out, test->name);
    if (test->is_repeated) {
        oct_words_format(out, " [seed %llu]", (unsigned long long)test->result.seed);
    }
    oct_sink_text(out, "\" classname=\"");
    oct_words_markup(out, test->file);
    oct_sink_text(out, "\" file=\"");
    oct_words_markup(out, test->file);
    oct_words_format(out, "\" line=\"%u\" time=\"%.6f\">\n", test->line, test->time_ms * 1e-3);
    put_properties(out, test);
    put_outcome(out, run, test);
    put_notes(out, test);
    oct_sink_text(out, "    </testcase>\n");
}

static void put_counts(sink *out, const oct_report_run *run)
{
    const report_total total = oct_report_total(run);
    const uint64_t inconclusive = total.verdicts[OCT_VERDICT_INCONCLUSIVE];
    const uint64_t skipped = run->warns_inconclusive ? inconclusive : 0;
    const uint64_t failures = total.verdicts[OCT_VERDICT_FAIL] + inconclusive - skipped;
    oct_words_format(
        out, " tests=\"%llu\" failures=\"%llu\" errors=\"%llu\" skipped=\"%llu\" time=\"%.6f\">\n",
        (unsigned long long)run->count, (unsigned long long)failures,
        (unsigned long long)total.verdicts[OCT_VERDICT_ERROR], (unsigned long long)skipped,
        total.time_ms * 1e-3);
}

static void put_run(sink *out, const oct_report_run *run)
{
    oct_sink_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"octant\"");
    put_counts(out, run);
    for (size_t first = 0, end; first < run->count; first = end) {
        const char *const file = run->tests[first].file;
        for (end = first; end < run->count && strcmp(run->tests[end].file, file) == 0;) {
            end++;
        }
        const oct_report_run suite = {.tests = run->tests + first,
                                      .count = end - first,
                                      .warns_inconclusive = run->warns_inconclusive};
        oct_sink_text(out, "  <testsuite name=\"");
        oct_words_markup(out, file);
        oct_sink_text(out, "\"");
        put_counts(out, &suite);
        for (size_t i = first; i < end; i++) {
            put_case(out, run, &run->tests[i]);
        }
        oct_sink_text(out, "  </testsuite>\n");
    }
    oct_sink_text(out, "</testsuites>\n");
}

oct_result oct_report_junit(const oct_report_run *run, oct_write_fn *write, void *ctx)
{
    sink out = {.write = write, .ctx = ctx};
    put_run(&out, run);
    return oct_report_finish(&out);
}
