// SPDX-License-Identifier: MIT
// A run as one page: no other file, no network, no script needed.
#include "base/print.h"
#include "base/words.h"
#include "report/assumptions.h"
#include "report/html.h"

#include <stdio.h>

#define OPEN_UP_TO 3 // so few tests are all unfolded
#define GOALS_SHOWN_UP_TO 60
#define TEST_BYTES_MAX 200000 // a test is drawn thinner until it takes no more
#define THIN_MAX 7
#define OUTPUT_KEPT 65536

static void put_all(sink *out, const char *const *parts)
{
    for (; *parts; parts++) {
        oct_sink_text(out, *parts);
    }
}

static void put_name(sink *out, const oct_report_test *test)
{
    oct_words_markup(out, test->name);
    if (test->is_repeated) {
        oct_words_format(out, " <span class=\"dim\">seed %llu</span>",
                         (unsigned long long)test->result.seed);
    }
}

static void put_tag(sink *out, oct_verdict verdict)
{
    const char *const name = oct_verdict_name(verdict);
    oct_words_format(out, "<span class=\"tag b-%s\">%s</span>", name, name);
}

static void put_fact(sink *out, const char *name, const char *value)
{
    oct_words_format(out, "<dt>%s</dt><dd>", name);
    oct_words_markup(out, value);
    oct_sink_text(out, "</dd>\n");
}

// A number with three digits or more.
static void put_number(sink *out, double value)
{
    oct_words_format(out, value >= 100.0 ? "%.0f" : value >= 0.01 ? "%.3g" : "%.2g", value);
}

static void put_ns(sink *out, double ns)
{
    const bool is_long = ns >= 1e9, is_short = ns < 1e6;
    put_number(out, ns * (is_long ? 1e-9 : is_short ? 1e-3 : 1e-6));
    oct_sink_text(out, is_long ? " s" : is_short ? " us" : " ms");
}

static double seconds(const oct_play_result *r, uint64_t ticks)
{
    return (double)ticks / r->rate;
}

// ---- the head ----

static void put_count(sink *out, uint64_t count, oct_verdict verdict, const char *words)
{
    oct_words_format(out, "<div class=\"card\"><b class=\"%s%s\">%llu</b><span>%s</span></div>\n",
                     count > 0 ? "c-" : "", count > 0 ? oct_verdict_name(verdict) : "dim",
                     (unsigned long long)count, words);
}

static void put_figure(sink *out, double value, const char *unit, const char *words)
{
    oct_sink_text(out, "<div class=\"card\"><b>");
    put_number(out, value);
    oct_words_format(out, "%s</b><span>%s</span></div>\n", unit, words);
}

static void put_verdict_bar(sink *out, const oct_report_run *run, const report_total *total)
{
    oct_sink_text(out, "<div class=\"bar\">");
    for (int i = 0; i < OCT_VERDICT_COUNT && run->count > 0; i++) {
        if (total->verdicts[i] > 0) {
            oct_words_format(out, "<i class=\"b-%s\" style=\"width:%.3f%%\"></i>",
                             oct_verdict_name((oct_verdict)i),
                             (double)total->verdicts[i] * 100.0 / (double)run->count);
        }
    }
    oct_sink_text(out, "</div>\n");
}

static void put_head(sink *out, const oct_report_run *run)
{
    const report_total total = oct_report_total(run);
    const bool good = oct_report_is_good(run);
    const uint64_t warnings = total.verdicts[OCT_VERDICT_INCONCLUSIVE];
    oct_words_format(out,
                     "<header><h1>Octant test report</h1><p class=\"dim\">%llu test%s: "
                     "<b class=\"c-%s\">%s</b>",
                     (unsigned long long)run->count, run->count == 1 ? "" : "s",
                     good ? "pass" : "fail",
                     !good          ? "not all passed"
                     : warnings > 0 ? "none failed; inconclusive tests are warnings"
                                    : "all passed");
    if (run->not_played > 0) {
        oct_words_format(out, "; %llu more not played: %s", (unsigned long long)run->not_played,
                         run->stopped);
    }
    oct_sink_text(out, "</p>\n<div class=\"sum\">\n");
    put_count(out, total.verdicts[OCT_VERDICT_PASS], OCT_VERDICT_PASS, "passed");
    put_count(out, total.verdicts[OCT_VERDICT_FAIL], OCT_VERDICT_FAIL, "failed");
    put_count(out, total.verdicts[OCT_VERDICT_INCONCLUSIVE], OCT_VERDICT_INCONCLUSIVE,
              "inconclusive");
    put_count(out, total.verdicts[OCT_VERDICT_ERROR], OCT_VERDICT_ERROR, "errors");
    put_figure(out, total.game_s, " s", "of the game");
    const bool is_short = total.time_ms < 1e3;
    put_figure(out, total.time_ms * (is_short ? 1.0 : 1e-3), is_short ? " ms" : " s", "CPU time");
    if (total.time_ms > 0.0 && total.game_s > 0) {
        put_figure(out, total.game_s * 1e3 / total.time_ms, "x", "as fast as the game");
    }
    oct_sink_text(out, "</div>\n");
    put_verdict_bar(out, run, &total);
    oct_sink_text(out, "</header>\n");
}

// ---- the table ----

static void put_row(sink *out, const oct_report_test *test, size_t index)
{
    const oct_play_result *const r = &test->result;
    const char *const verdict = oct_verdict_name(r->verdict);
    oct_words_format(out, "<tr class=\"v-%s\"><td>", verdict);
    put_tag(out, r->verdict);
    oct_words_format(out, "</td><td class=\"name\"><a href=\"#t%llu\">",
                     (unsigned long long)index + 1);
    put_name(out, test);
    oct_sink_text(out, "</a>");
    if (r->verdict != OCT_VERDICT_PASS && r->reason) {
        oct_words_format(out, "<div class=\"c-%s\">", verdict);
        oct_words_markup(out, r->reason);
        oct_sink_text(out, "</div>");
    }
    oct_sink_text(out, "</td><td class=\"name world dim\">");
    oct_words_markup(out, test->world);
    oct_words_format(out, "</td><td class=\"n\">%llu</td><td class=\"n\">%.1f</td><td class=\"n\">",
                     (unsigned long long)r->turns, seconds(r, r->ticks));
    put_number(out, test->time_ms);
    oct_words_format(out, "</td><td class=\"n\">%.3g %%</td></tr>\n", r->explored * 100.0);
}

static void put_table(sink *out, const oct_report_run *run)
{
    oct_sink_text(out,
                  "<div class=\"tools\" id=\"tools\" hidden><button id=\"few\">Only what did not "
                  "pass</button><button id=\"open\">Unfold all</button><button id=\"shut\">Fold all"
                  "</button></div>\n<div class=\"card wide\"><table><thead><tr><th>verdict</th>"
                  "<th>test</th><th>world</th><th class=\"n\">turns</th><th class=\"n\">game s</th>"
                  "<th class=\"n\">CPU ms</th><th class=\"n\">explored</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < run->count; i++) {
        put_row(out, &run->tests[i], i);
    }
    oct_sink_text(out, "</tbody></table></div>\n");
}

// ---- one test ----

// Whether it came so far that there was a game.
static bool has_game(const oct_report_test *test)
{
    return test->result.agents > 0;
}

static void put_reason(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    if (r->verdict == OCT_VERDICT_PASS) {
        return;
    }
    char basis[ASSUMPTIONS_MAX];
    oct_words_format(out, "<p class=\"reason v-%s\">", oct_verdict_name(r->verdict));
    oct_words_markup(out, r->reason ? r->reason : "");
    if (oct_report_basis(r, basis, sizeof basis)[0]) {
        oct_sink_text(out, "<br>");
        oct_words_markup(out, basis);
    }
    if (r->where && r->where[0]) {
        oct_sink_text(out, "<br><span class=\"dim\">");
        oct_sink_text(out, strncmp(r->where, "at ", 3) == 0 ? "the agent was " : "");
        oct_words_markup(out, r->where);
        oct_sink_text(out, "</span>");
    }
    oct_sink_text(out, "</p>\n");
}

static void put_facts(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    char words[96];
    oct_sink_text(out, "<h3>Run</h3><dl>\n");
    put_fact(out, "world", test->world);
    if (has_game(test)) {
        oct_report_sight(r, words, sizeof words);
        put_fact(out, "sight", words);
    }
    snprintf(words, sizeof words, "%llu", (unsigned long long)r->seed);
    put_fact(out, "seed", words);
    oct_snprintf(words, sizeof words, "%llu, %.1f s of the game", (unsigned long long)r->turns,
                 seconds(r, r->ticks));
    put_fact(out, "turns", words);
    for (size_t i = 0; test->record && i < test->record->agent_count; i++) {
        const record_agent *const agent = &test->record->agents[i];
        oct_snprintf(words, sizeof words, "%.1f m%s%s", agent->travelled,
                     r->agents > 1 ? " by " : "", r->agents > 1 ? agent->name : "");
        put_fact(out, "travelled", words);
    }
    snprintf(words, sizeof words, ":%u", test->line);
    oct_sink_text(out, "<dt>declared</dt><dd>");
    oct_words_markup(out, test->file);
    oct_sink_text(out, words);
    oct_sink_text(out, "</dd>\n");
    if (test->trace) {
        put_fact(out, "trace", test->trace);
    }
    oct_sink_text(out, "</dl>\n");
}

static void put_share(sink *out, size_t place, uint64_t count, uint64_t all)
{
    oct_words_format(out, "<i class=\"p%llu\" style=\"width:%.3f%%\"></i>",
                     (unsigned long long)place,
                     all > 0 ? (double)count * 100.0 / (double)all : 0.0);
}

static void put_coverage(sink *out, const oct_report_test *test)
{
    const oct_play_result *const r = &test->result;
    const uint64_t all = r->open + r->blocked + r->unknown;
    const record_agent *const agent =
        test->record && test->record->agent_count > 0 ? &test->record->agents[0] : NULL;
    oct_sink_text(out, "<h3>Coverage</h3><div class=\"bar\">");
    put_share(out, 1, r->open, all);
    put_share(out, 0, r->blocked, all);
    oct_words_format(out,
                     "</div>\n<div class=\"legend\"><span><i class=\"k p1\"></i>%llu open</span>"
                     "<span><i class=\"k p0\"></i>%llu blocked</span><span>%llu unknown</span>"
                     "</div><p style=\"margin:6px 0 0\"><b>%.4g %%</b> of what can be reached, or "
                     "may be, was seen",
                     (unsigned long long)r->open, (unsigned long long)r->blocked,
                     (unsigned long long)r->unknown, r->explored * 100.0);
    if (agent && agent->has_remains) {
        oct_words_format(out,
                         "<br><span class=\"dim\">left to see: %llu cells of the frontier; %llu "
                         "that hide what is behind them; %llu open cells out of reach</span>",
                         (unsigned long long)agent->remains.frontier,
                         (unsigned long long)agent->remains.hidden,
                         (unsigned long long)agent->remains.sealed);
    }
    oct_sink_text(out, "</p>\n");
}

static void put_time(sink *out, size_t place, const char *name, uint64_t ns, uint64_t times)
{
    oct_words_format(out, "<tr><td><i class=\"k p%llu\"></i>%s</td><td class=\"n\">",
                     (unsigned long long)place, name);
    put_ns(out, (double)ns);
    oct_sink_text(out, "</td><td class=\"n dim\">");
    if (times > 0) {
        oct_words_format(out, "%llu x ", (unsigned long long)times);
        put_ns(out, (double)ns / (double)times);
    }
    oct_sink_text(out, "</td></tr>\n");
}

static void put_times(sink *out, const oct_report_test *test)
{
    const oct_agent_times *const t = &test->result.times;
    const struct {
        const char *name;
        uint64_t ns, times;
    } parts[] = {{"the game", t->game, 0},
                 {"adding", t->adding, t->looks > 1 ? t->looks - 1 : 0},
                 {"exploring", t->exploring, t->explorations},
                 {"pathfinding", t->pathfinding, t->paths},
                 {"steering", t->steering, t->steers},
                 {"initialising", t->initialising, 0}};
    const size_t count = sizeof parts / sizeof parts[0];
    uint64_t sum = 0;
    oct_sink_text(out, "<h3>Times</h3><div class=\"bar\">");
    for (size_t i = 0; i < count; i++) {
        put_share(out, i, parts[i].ns, t->all);
        sum += parts[i].ns;
    }
    const uint64_t rest = t->all > sum ? t->all - sum : 0;
    put_share(out, count, rest, t->all);
    oct_sink_text(out, "</div><table class=\"parts\">\n");
    for (size_t i = 0; i < count; i++) {
        put_time(out, i, parts[i].name, parts[i].ns, parts[i].times);
    }
    put_time(out, count, "thinking", rest, 0);
    oct_sink_text(out, "<tr><td>in all, with loading</td><td class=\"n\">");
    put_ns(out, test->time_ms * 1e6);
    oct_words_format(out,
                     "</td><td></td></tr>"
                     "<tr><td>moving</td><td class=\"n\">%.1f s</td><td class=\"n dim\">of the game"
                     "</td></tr></table>\n",
                     seconds(&test->result, t->moving_ticks));
}

static void put_notes(sink *out, const oct_play_result *r)
{
    if (r->note_count == 0) {
        return;
    }
    oct_sink_text(out, "<h3>Notes</h3><ul class=\"notes\">\n");
    for (size_t i = 0; i < r->note_count; i++) {
        oct_sink_text(out, oct_report_is_finding(r, r->notes[i]) ? "<li>finding: " : "<li>");
        oct_words_markup(out, r->notes[i]);
        oct_sink_text(out, "</li>\n");
    }
    oct_sink_text(out, "</ul>\n");
}

static void put_link(sink *out, const record_link *link)
{
    oct_sink_text(out, "<tr><td class=\"name\">");
    oct_words_markup(out, link->button);
    oct_words_format(out, "</td><td class=\"n\">%u</td><td class=\"name\">", link->presses);
    oct_words_markup(out, link->doors[0] ? link->doors : "-");
    if (link->odd[0]) {
        oct_sink_text(out, "<div class=\"dim\">moved in other ways too: ");
        oct_words_markup(out, link->odd);
        oct_sink_text(out, "</div>");
    }
    oct_words_format(out, "</td><td class=\"n\">%u</td></tr>\n", link->undecided);
}

static void put_links(sink *out, const record_agent *agent, bool is_one)
{
    const record_link *const links = agent->links.items;
    size_t pressed = 0;
    for (size_t i = 0; i < agent->links.count; i++) {
        pressed += links[i].presses > 0;
    }
    if (agent->links.count == 0) {
        return;
    }
    oct_sink_text(out, "<h3>Buttons, as far as ");
    oct_words_markup(out, is_one ? "they" : agent->name);
    oct_sink_text(out, is_one ? " were learned</h3>\n" : " learned them</h3>\n");
    if (pressed > 0) {
        oct_sink_text(out,
                      "<table><thead><tr><th>button</th><th class=\"n\">pressed</th><th>"
                      "does for certain</th><th class=\"n\">doors not decided</th></tr></thead>"
                      "<tbody>\n");
        for (size_t i = 0; i < agent->links.count; i++) {
            if (links[i].presses > 0) {
                put_link(out, &links[i]);
            }
        }
        oct_sink_text(out, "</tbody></table>\n");
    }
    if (pressed < agent->links.count) {
        oct_words_format(out, "<p class=\"dim\">%s%llu that were seen and never pressed</p>\n",
                         pressed > 0 ? "and " : "",
                         (unsigned long long)(agent->links.count - pressed));
    }
}

static void put_plans(sink *out, const oct_play_record *record, uint32_t thin)
{
    if (record->plan_count == 0) {
        return;
    }
    oct_sink_text(out, "<h3>Replay and map</h3>\n<div class=\"plans\">\n");
    oct_html_replay(out, record, thin);
    for (size_t i = 0; i < record->plan_count; i++) {
        oct_html_plan(out, record, &record->plans[i], thin);
    }
    oct_sink_text(out, "</div>\n");
    oct_html_plan_legend(out);
}

static void put_agent(sink *out, const oct_play_record *record, size_t index, uint32_t thin)
{
    const record_agent *const agent = &record->agents[index];
    const bool is_one = record->agent_count == 1;
    oct_sink_text(out, "<h3>Time line");
    oct_sink_text(out, is_one ? "" : " of ");
    oct_words_markup(out, is_one ? "" : agent->name);
    oct_sink_text(out, "</h3>\n");
    oct_html_time_line(out, record, agent, thin);
    if (agent->goals.count > 0) {
        oct_words_format(out,
                         "<details%s><summary><h3 style=\"display:inline\">Goals (%llu)</h3>"
                         "</summary>\n",
                         agent->goals.count <= GOALS_SHOWN_UP_TO ? " open" : "",
                         (unsigned long long)agent->goals.count);
        oct_html_goals(out, record, agent, thin);
        oct_sink_text(out, "</details>\n");
    }
}

static void put_record(sink *out, const oct_play_record *record, uint32_t thin)
{
    for (size_t i = 0; i < record->agent_count; i++) {
        put_agent(out, record, i, thin);
    }
    if (record->left_out > 0) {
        oct_words_format(out,
                         "<p class=\"dim\">Left out for want of room: %llu short goals, "
                         "thoughts or marks.</p>\n",
                         (unsigned long long)record->left_out);
    }
    if (record->result != OCT_OK) {
        oct_words_format(out, "<p class=\"c-error\">The record is not whole: %s.</p>\n",
                         oct_result_text(record->result));
    }
}

static void put_pictures(sink *out, const oct_report_test *test, uint32_t thin)
{
    if (test->record) {
        put_plans(out, test->record, thin);
        for (size_t i = 0; i < test->record->agent_count; i++) {
            put_links(out, &test->record->agents[i], test->record->agent_count == 1);
        }
    }
}

// What a game wrote last is what matters.
static const char *end_of_output(const char *output, uint32_t thin)
{
    const size_t length = strlen(output), kept = (size_t)OUTPUT_KEPT >> thin;
    const char *const end = output + (length > kept && thin > 0 ? length - kept : 0);
    const char *const line = end > output ? strchr(end, '\n') : NULL;
    return line ? line + 1 : end;
}

static void put_test(sink *out, const oct_report_test *test, size_t index, bool is_open,
                     uint32_t thin)
{
    const oct_play_result *const r = &test->result;
    const char *const verdict = oct_verdict_name(r->verdict);
    oct_words_format(out, "<details class=\"test card v-%s\" id=\"t%llu\"%s><summary>", verdict,
                     (unsigned long long)index + 1, is_open ? " open" : "");
    put_tag(out, r->verdict);
    oct_sink_text(out, "<span class=\"title\">");
    put_name(out, test);
    oct_words_format(out,
                     "</span><span class=\"dim n\">%llu turns, %.1f s</span></summary>\n"
                     "<div class=\"body\">\n",
                     (unsigned long long)r->turns, seconds(r, r->ticks));
    put_reason(out, test);
    if (has_game(test)) {
        oct_sink_text(out, "<div class=\"cols\"><div>\n");
        put_pictures(out, test, thin);
        oct_sink_text(out, "</div><div>\n");
    }
    put_facts(out, test);
    put_notes(out, r);
    if (test->output) {
        oct_sink_text(out, "<details><summary>Output of the game</summary><pre>");
        oct_report_output(out, end_of_output(test->output, thin));
        oct_sink_text(out, "</pre></details>\n");
    }
    if (has_game(test)) {
        put_coverage(out, test);
        put_times(out, test);
        oct_sink_text(out, "</div></div>\n");
    }
    if (test->record) {
        put_record(out, test->record, thin);
    }
    oct_sink_text(out, "</div></details>\n");
}

static bool count_bytes(void *ctx, const void *data, size_t size)
{
    (void)data;
    *(size_t *)ctx += size;
    return true;
}

// How thin a test has to be drawn.
static uint32_t thin_of(const oct_report_test *test, size_t index)
{
    for (uint32_t thin = 0; thin < THIN_MAX; thin++) {
        size_t bytes = 0;
        sink out;
        oct_sink_open(&out, count_bytes, &bytes);
        put_test(&out, test, index, false, thin);
        oct_sink_flush(&out);
        if (bytes <= TEST_BYTES_MAX) {
            return thin;
        }
    }
    return THIN_MAX;
}

static void put_run(sink *out, const oct_report_run *run)
{
    oct_sink_text(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
                       "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
                       "Octant test report</title>\n<style>\n");
    put_all(out, oct_drawing_style);
    put_all(out, oct_html_style);
    oct_sink_text(out, "</style></head><body>\n");
    put_head(out, run);
    oct_sink_text(out, "<main>\n");
    put_table(out, run);
    for (size_t i = 0; i < run->count && !out->failed; i++) {
        const oct_report_test *const test = &run->tests[i];
        if (i == 0 || strcmp(test->file, run->tests[i - 1].file) != 0) {
            oct_sink_text(out, "<h2>");
            oct_words_markup(out, test->file);
            oct_sink_text(out, "</h2>\n");
        }
        put_test(out, test, i, run->count <= OPEN_UP_TO || test->result.verdict != OCT_VERDICT_PASS,
                 thin_of(test, i));
    }
    oct_words_format(out, "</main>\n<footer>octant %s</footer>\n<script>", oct_version());
    put_all(out, oct_html_script);
    oct_sink_text(out, "</script></body></html>\n");
}

oct_result oct_report_html(const oct_report_run *run, oct_write_fn *write, void *ctx)
{
    sink out = {.write = write, .ctx = ctx};
    put_run(&out, run);
    return oct_report_finish(&out);
}
