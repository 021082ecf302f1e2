// SPDX-License-Identifier: MIT
#include "agent/agent_internal.h"
#include "base/print.h"
#include "base/words.h"
#include "report/assumptions.h"
#include "report/report_internal.h"

#include <stdio.h>
#include <string.h>

#define REPORT_LINE 1024 // bytes of a line that a game has written

report_total oct_report_total(const oct_report_run *run)
{
    report_total total = {.turns = 0};
    for (size_t i = 0; i < run->count; i++) {
        const oct_play_result *const result = &run->tests[i].result;
        total.verdicts[result->verdict]++;
        total.turns += result->turns;
        total.game_s += (double)result->ticks / result->rate;
        total.moving_s += (double)result->times.moving_ticks / result->rate;
        total.time_ms += run->tests[i].time_ms;
        oct_agent_times_add(&total.times, &result->times);
    }
    return total;
}

bool oct_report_is_warning(const oct_report_run *run, oct_verdict verdict)
{
    return run->warns_inconclusive && verdict == OCT_VERDICT_INCONCLUSIVE;
}

bool oct_report_is_good(const oct_report_run *run)
{
    const report_total total = oct_report_total(run);
    const uint64_t warnings =
        run->warns_inconclusive ? total.verdicts[OCT_VERDICT_INCONCLUSIVE] : 0;
    return run->not_played == 0 &&
           total.verdicts[OCT_VERDICT_PASS] + warnings == (uint64_t)run->count;
}

const char *oct_report_basis(const oct_play_result *result, char *out, size_t size)
{
    out[0] = '\0';
    if (result->verdict == OCT_VERDICT_FAIL) {
        return oct_report_assumptions(result->assumes, out, size);
    }
    if (result->verdict == OCT_VERDICT_INCONCLUSIVE && result->decides && result->decides[0]) {
        (void)snprintf(out, size, "Would be decided by: %s.", result->decides);
    }
    return out;
}

bool oct_report_is_finding(const oct_play_result *result, const char *note)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        if (strcmp(result->findings[i], note) == 0) {
            return true;
        }
    }
    return false;
}

void oct_report_output(sink *out, const char *output)
{
    char line[REPORT_LINE];
    while (*output) {
        const size_t length = strcspn(output, "\n");
        const size_t kept = length < sizeof line - 1 ? length : sizeof line - 1;
        memcpy(line, output, kept);
        line[kept] = '\0';
        oct_words_markup(out, line);
        oct_sink_text(out, "\n");
        output += length + (output[length] != '\0');
    }
}

oct_result oct_report_finish(sink *out)
{
    oct_sink_flush(out);
    return out->failed ? OCT_ERROR_FILE : OCT_OK;
}

void oct_report_sight(const oct_play_result *result, char *out, size_t size)
{
    oct_snprintf(out, size, "%s, %.4g m",
                 result->sight == OCT_SIGHT_LINE ? "line of sight" : "through everything",
                 result->view);
}
