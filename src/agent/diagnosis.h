// SPDX-License-Identifier: MIT
// Diagnosis: why doors stay shut, in words that say what of a level to look at.
//
// Only what is certain is said of a button: what isolated presses, or the promised equations, leave
// as possible. A guess is marked as one ("as far as was seen").
#ifndef OCTANT_DIAGNOSIS_H
#define OCTANT_DIAGNOSIS_H

#include "agent/agent_internal.h"
#include "agent/history.h"

// Entities of the belief, at most so many.
#define DIAGNOSIS_DOORS_MAX 4

typedef struct door_list {
    uint32_t doors[DIAGNOSIS_DOORS_MAX];
    size_t count;
} door_list;

// Doors that were never seen but shut, in any life.
void oct_diagnosis_stuck(const oct_agent *a, door_list *out);
// Doors that were seen open, with something beyond that was not seen.
void oct_diagnosis_dark(const oct_agent *a, door_list *out);

// Appends "beyond Door1, Door2": doors with something on one of their sides that was not seen.
// False where there is none.
bool oct_diagnosis_name_dark(const oct_agent *a, char *out, size_t size);

// Whether it is not excluded that a press opens one of the doors; panels that were never got to do
// not count.
bool oct_diagnosis_may_open(const oct_agent *a, const door_list *doors);

// Whether a panel was never pressed, and no way to it is known.
bool oct_diagnosis_is_out_of_reach(const oct_agent *a, const history_thing *panel);

// Appends "Door1, Door2" and why they are not passed: "Door1, which no known button opens; Panel1
// moves no known door". `is_sure`: that they are not passed is certain.
void oct_diagnosis_explain(const oct_agent *a, const door_list *doors, bool is_sure, char *out,
                           size_t size);

#endif
