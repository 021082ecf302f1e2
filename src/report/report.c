// SPDX-License-Identifier: MIT
#include "agent/agent_internal.h"
#include "base/print.h"
#include "report/report_internal.h"

#include <stdio.h>

report_total oct_report_total(const oct_report_run *run)
{
    report_total total = {.turns = 0};
    for (size_t i = 0; i < run->count; i++) {
        const oct_play_result *const result = &run->tests[i].result;
        total.verdicts[result->verdict]++;
        total.turns += result->turns;
        total.ticks += result->ticks;
        total.time_ms += run->tests[i].time_ms;
        oct_agent_times_add(&total.times, &result->times);
    }
    return total;
}

bool oct_report_is_good(const oct_report_run *run)
{
    return run->not_played == 0 &&
           oct_report_total(run).verdicts[OCT_VERDICT_PASS] == (uint64_t)run->count;
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
