// SPDX-License-Identifier: MIT
// What a verdict rests on, in words for people.
#ifndef OCTANT_ASSUMPTIONS_H
#define OCTANT_ASSUMPTIONS_H

#include "octant/play_test.h"

// Bytes of the longest sentence, its end included.
#define ASSUMPTIONS_MAX 1024

// "This holds if what is solid stays, and the game tells the truth." Returns `out`; "" where
// nothing is assumed. `assumes` has bits 1 << oct_assumption.
const char *oct_report_assumptions(uint32_t assumes, char *out, size_t size);

#endif
