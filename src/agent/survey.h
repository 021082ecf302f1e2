// SPDX-License-Identifier: MIT
// Surveys: how things stood when an agent gave up, as notes for the tester.
//
// Doors that were last seen shut and what was tried on them, panels that were seen but cannot be
// got to, links that are undecided and what would decide them, how much was explored, and where
// what was not seen begins. A later survey takes the place of an earlier one.
#ifndef OCTANT_SURVEY_H
#define OCTANT_SURVEY_H

#include "agent/agent_internal.h"
#include "agent/possible.h"

// A failure ends the run.
void oct_agent_survey(oct_agent *a, const possible_answer *answer);

#endif
