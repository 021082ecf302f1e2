// SPDX-License-Identifier: MIT
// Parts of the HTML report.
#ifndef OCTANT_HTML_H
#define OCTANT_HTML_H

#include "report/report_internal.h"

// What stands between <style> and </style>, and between <script> and </script>.
extern const char *const oct_html_style[];
extern const char *const oct_html_script[];

// What is drawn of a test gets thinner by `thin`, a power of two: see oct_report_html().

// A plan of the map with the ways of all agents.
void oct_html_plan(sink *out, const oct_play_record *record, const record_plan *plan,
                   uint32_t thin);
// Every mark that a plan may have.
void oct_html_plan_legend(sink *out);
// What the page's script replays on plans and time lines.
void oct_html_replay(sink *out, const oct_play_record *record, uint32_t thin);
// What an agent wanted, thought and did, over time.
void oct_html_time_line(sink *out, const oct_play_record *record, const record_agent *agent,
                        uint32_t thin);
// Its goals as they stood at the end.
void oct_html_goals(sink *out, const oct_play_record *record, const record_agent *agent,
                    uint32_t thin);

#endif
