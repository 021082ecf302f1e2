// SPDX-License-Identifier: MIT
#include "report/assumptions.h"
#include "base/platform.h"

#include <stdio.h>
#include <string.h>

// Each goes on with "This holds if ...".
static const char *const halves[] = {
    [OCT_ASSUME_MEANS] = "nobody has other means than the goal uses",
    [OCT_ASSUME_BODY] = "the body has the shape that the game describes",
    [OCT_ASSUME_CAUSES] = "doors move only because something usable was pressed",
    [OCT_ASSUME_MEMORY] = "a press does the same to a door each time",
    [OCT_ASSUME_ALONE] = "presses together move no door that none of them moves alone",
    [OCT_ASSUME_DELAY] = "all that a press does has begun within the longest delay",
    [OCT_ASSUME_PACE] = "nobody is faster than the game describes",
    [OCT_ASSUME_SOLID] = "what is solid stays and nothing new appears",
    [OCT_ASSUME_FEET] = "nothing unknown changes where a body can stand",
    [OCT_ASSUME_TRUTH] = "what the game tells is true",
    [OCT_ASSUME_TOGGLES] = "a button toggles a door or does nothing to it",
};
_Static_assert(sizeof halves / sizeof *halves == OCT_ASSUME_COUNT, "one each");

const char *oct_report_assumptions(uint32_t assumes, char *out, size_t size)
{
    size_t used = 0;
    uint32_t left = assumes & ((1u << OCT_ASSUME_COUNT) - 1u);
    out[0] = '\0';
    for (uint32_t i = 0; left != 0 && used < size; i++) {
        if ((left >> i & 1) == 0) {
            continue;
        }
        left &= ~(1u << i);
        const char *const before = used == 0 ? "This holds if " : left == 0 ? ", and " : ", ";
        const int more =
            snprintf(out + used, size - used, "%s%s%s", before, halves[i], left == 0 ? "." : "");
        used += more > 0 ? (size_t)more : 0;
    }
    return out;
}
