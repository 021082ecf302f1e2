// SPDX-License-Identifier: MIT
// A thread that looks after scripts. Limits end a script while Lua's instructions run; a function
// of C that does not return it can only see.
#ifndef OCTANT_CLI_WATCHDOG_H
#define OCTANT_CLI_WATCHDOG_H

#include "script/script.h"

typedef struct watchdog watchdog;

// `bite` is called once, by the thread of the watchdog, when the script of a worker has run for a
// second of CPU time more than `seconds` at a stretch. NULL where there is no memory, or no thread.
watchdog *oct_watchdog_create(uint32_t workers, double seconds,
                              void (*bite)(void *ctx, uint32_t worker), void *ctx);
// Who plays asks for what the limits of its script need, on its own thread. NULL is taken.
script_watch *oct_watchdog_enter(watchdog *dog, uint32_t worker);
void oct_watchdog_destroy(watchdog *dog);

#endif
