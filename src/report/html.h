// SPDX-License-Identifier: MIT
// Parts of the HTML report.
#ifndef OCTANT_HTML_H
#define OCTANT_HTML_H

#include "report/report_internal.h"

// What stands between <style> and </style>, and between <script> and </script>.
extern const char *const oct_html_style[];
extern const char *const oct_html_script[];

// A plan of the map with the ways of all agents.
void oct_html_plan(sink *out, const oct_play_record *record, const record_plan *plan);
// What an agent wanted, thought and did, over time.
void oct_html_time_line(sink *out, const oct_play_record *record, const record_agent *agent);
// Its goals as they stood at the end.
void oct_html_goals(sink *out, const oct_play_record *record, const record_agent *agent);

// Colours of ways and agents: a class name.
const char *oct_html_agent_class(size_t agent);

#endif
