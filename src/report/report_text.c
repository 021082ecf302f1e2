// SPDX-License-Identifier: MIT
// A run as people read it in a terminal.
#include "base/words.h"
#include "report/assumptions.h"
#include "report/report_internal.h"

#include <stdio.h>

#define NAME_COLUMNS 56
#define OUTPUT_LINES 12 // of a game, that are shown
#define OUTPUT_COLUMNS 400
#define INDENT "               "

typedef struct shown_time {
    double value;
    const char *unit;
} shown_time;

static shown_time time_of(double ns)
{
    return ns < 1e3   ? (shown_time){ns, "ns"}
           : ns < 1e6 ? (shown_time){ns * 1e-3, "us"}
           : ns < 1e9 ? (shown_time){ns * 1e-6, "ms"}
                      : (shown_time){ns * 1e-9, "s"};
}

static void put_time(sink *out, const char *name, uint64_t ns)
{
    const shown_time t = time_of((double)ns);
    oct_words_format(out, "%s %.3g %s", name, t.value, t.unit);
}

static void put_verdict(sink *out, oct_verdict verdict, const report_style *style)
{
    static const char *const words[OCT_VERDICT_COUNT] = {
        [OCT_VERDICT_PASS] = "pass",
        [OCT_VERDICT_FAIL] = "FAIL",
        [OCT_VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
        [OCT_VERDICT_ERROR] = "ERROR",
    };
    oct_words_format(out, "%s%-12s%s", verdict == OCT_VERDICT_PASS ? style->good : style->bad,
                     words[verdict], style->plain);
}

// A name, and blanks up to the numbers.
static void put_name(sink *out, const oct_report_test *test)
{
    size_t length = oct_words_length(test->name);
    oct_words_plain(out, test->name);
    if (test->is_repeated) {
        char seed[32];
        snprintf(seed, sizeof seed, " [seed %llu]", (unsigned long long)test->result.seed);
        oct_sink_text(out, seed);
        length += strlen(seed);
    }
    oct_sink_fill(out, ' ', length < NAME_COLUMNS ? NAME_COLUMNS - length : 0);
}

static void put_line(sink *out, const char *before, const char *words)
{
    oct_sink_text(out, INDENT);
    oct_sink_text(out, before);
    oct_words_plain(out, words);
    oct_sink_text(out, "\n");
}

static void put_reason(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    if (r->verdict != OCT_VERDICT_PASS) {
        char basis[ASSUMPTIONS_MAX];
        put_line(out, "", r->reason);
        if (oct_report_basis(r, basis, sizeof basis)[0]) {
            put_line(out, "", basis);
        }
        oct_sink_text(out, INDENT);
        oct_words_plain(out, test->file);
        oct_words_format(out, ":%u", test->line);
        // The reason of an error has its place in front.
        if (r->where && r->where[0] && !strstr(r->reason, r->where)) {
            oct_sink_text(out, strncmp(r->where, "at ", 3) == 0 ? "; the agent was " : "; ");
            oct_words_plain(out, r->where);
        }
        if (r->turns > 0) {
            oct_words_format(out, "; explored %.3g %%", r->explored * 100.0);
        }
        oct_sink_text(out, "\n");
    }
}

static void put_times(sink *out, const oct_agent_times *t, double moving_s)
{
    oct_sink_text(out, INDENT);
    put_time(out, "in all", t->all);
    put_time(out, ": game", t->game);
    put_time(out, ", initialising", t->initialising);
    put_time(out, ", adding", t->adding);
    oct_words_format(out, " (%llu looks)", (unsigned long long)t->looks);
    put_time(out, ", exploring", t->exploring);
    oct_words_format(out, " (%llu)", (unsigned long long)t->explorations);
    put_time(out, ", pathfinding", t->pathfinding);
    oct_words_format(out, " (%llu)", (unsigned long long)t->paths);
    put_time(out, ", steering", t->steering);
    oct_words_format(out, "\n" INDENT "moving %.1f s of the game\n", moving_s);
}

static void put_details(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    char sight[64];
    oct_report_sight(r, sight, sizeof sight);
    put_times(out, &r->times, (double)r->times.moving_ticks / r->rate);
    oct_words_format(out,
                     INDENT "%s; seed %llu; cells: %llu open, %llu blocked, %llu unknown; "
                            "explored %.3g %%; memory %.3g MB\n",
                     sight, (unsigned long long)r->seed, (unsigned long long)r->open,
                     (unsigned long long)r->blocked, (unsigned long long)r->unknown,
                     r->explored * 100.0, (double)r->memory / (double)OCT_MEGABYTE);
    if (test->trace) {
        put_line(out, "trace: ", test->trace);
    }
}

// The last lines that a game has written.
static void put_output(sink *out, const char *output)
{
    size_t begin = output ? strlen(output) : 0;
    while (begin > 0 && output[begin - 1] == '\n') {
        begin--;
    }
    for (int lines = 0; begin > 0; begin--) {
        lines += output[begin - 1] == '\n';
        if (lines == OUTPUT_LINES) {
            break;
        }
    }
    for (const char *at = output ? output + begin : ""; *at;) {
        char line[OUTPUT_COLUMNS + 1];
        const size_t length = strcspn(at, "\n");
        const size_t kept = length < OUTPUT_COLUMNS ? length : OUTPUT_COLUMNS;
        memcpy(line, at, kept);
        line[kept] = '\0';
        put_line(out, "game: ", line);
        at += length + (at[length] != '\0');
    }
}

void oct_report_text_test(sink *out, const oct_report_test *test, const char *file, bool is_long,
                          const report_style *style)
{
    const oct_play_result *const r = &test->result;
    const shown_time time = time_of(test->time_ms * 1e6);
    if (!file || strcmp(file, test->file) != 0) {
        oct_words_format(out, "%s%s", file ? "\n" : "", style->bold);
        oct_words_plain(out, test->file);
        oct_words_format(out, "%s\n", style->plain);
    }
    oct_sink_text(out, "  ");
    put_verdict(out, r->verdict, style);
    oct_sink_text(out, " ");
    put_name(out, test);
    oct_words_format(out, " %6llu turns %8.1f s %7.3g %s\n", (unsigned long long)r->turns,
                     (double)r->ticks / r->rate, time.value, time.unit);
    put_reason(out, test);
    for (size_t i = 0; i < r->finding_count; i++) {
        put_line(out, "finding: ", r->findings[i]);
    }
    for (size_t i = 0; i < r->note_count && (r->verdict != OCT_VERDICT_PASS || is_long); i++) {
        if (!oct_report_is_finding(r, r->notes[i])) {
            put_line(out, "note: ", r->notes[i]);
        }
    }
    if (r->verdict == OCT_VERDICT_ERROR || is_long) {
        put_output(out, test->output);
    }
    if (is_long && r->agents > 0) {
        put_details(out, test);
    }
}

static void put_count(sink *out, uint64_t count, const char *words, const char *mark,
                      const report_style *style)
{
    oct_words_format(out, "%s%llu %s%s", count > 0 ? mark : "", (unsigned long long)count, words,
                     count > 0 ? style->plain : "");
}

// What share of the time went where, the largest first.
static void put_shares(sink *out, const oct_agent_times *t)
{
    struct {
        const char *name;
        uint64_t ns;
    } parts[] = {{"the game", t->game},           {"initialising", t->initialising},
                 {"adding", t->adding},           {"exploring", t->exploring},
                 {"pathfinding", t->pathfinding}, {"steering", t->steering}};
    const size_t count = sizeof parts / sizeof parts[0];
    if (t->all == 0) {
        return;
    }
    oct_sink_text(out, "  time of the agents: ");
    for (size_t i = 0; i < count; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < count; j++) {
            best = parts[j].ns > parts[best].ns ? j : best;
        }
        const uint64_t ns = parts[best].ns;
        const char *const name = parts[best].name;
        parts[best] = parts[i];
        oct_words_format(out, "%s%s %.3g %%", i > 0 ? ", " : "", name,
                         (double)ns * 100.0 / (double)t->all);
    }
    oct_sink_text(out, "\n");
}

void oct_report_text_total(sink *out, const oct_report_run *run, const report_style *style)
{
    const report_total total = oct_report_total(run);
    const double game_s = total.game_s;
    const shown_time wall = time_of(run->wall_ms * 1e6);
    oct_sink_text(out, run->count > 0 ? "\n" : "");
    put_count(out, total.verdicts[OCT_VERDICT_PASS], "passed", style->good, style);
    oct_sink_text(out, ", ");
    put_count(out, total.verdicts[OCT_VERDICT_FAIL], "failed", style->bad, style);
    oct_sink_text(out, ", ");
    put_count(out, total.verdicts[OCT_VERDICT_INCONCLUSIVE], "inconclusive", style->bad, style);
    oct_sink_text(out, ", ");
    const uint64_t errors = total.verdicts[OCT_VERDICT_ERROR];
    put_count(out, errors, errors == 1 ? "error" : "errors", style->bad, style);
    if (oct_report_is_warning(run, OCT_VERDICT_INCONCLUSIVE) &&
        total.verdicts[OCT_VERDICT_INCONCLUSIVE] > 0) {
        oct_sink_text(out, " (inconclusive tests are warnings)");
    }
    if (run->not_played > 0) {
        oct_words_format(out, ", %llu not played: %s", (unsigned long long)run->not_played,
                         run->stopped);
    }
    oct_words_format(out, "\n  %llu turns, %.1f s of the game in %.3g %s on %u thread%s",
                     (unsigned long long)total.turns, game_s, wall.value, wall.unit, run->threads,
                     run->threads == 1 ? "" : "s");
    if (total.time_ms > 0.0) {
        oct_words_format(out, "; %.3g times as fast as the game on one core",
                         game_s * 1e3 / total.time_ms);
    }
    oct_sink_text(out, "\n");
    put_shares(out, &total.times);
}

oct_result oct_report_text(const oct_report_run *run, oct_write_fn *write, void *ctx)
{
    static const report_style plain = {"", "", "", ""};
    sink out = {.write = write, .ctx = ctx};
    for (size_t i = 0; i < run->count; i++) {
        const char *const file = i > 0 ? run->tests[i - 1].file : NULL;
        oct_report_text_test(&out, &run->tests[i], file, false, &plain);
    }
    oct_report_text_total(&out, run, &plain);
    return oct_report_finish(&out);
}
