// SPDX-License-Identifier: MIT
// Games as processes of their own: started with the address to connect to, watched, and ended with
// all that they have started.
#ifndef OCTANT_LINK_PROCESS_H
#define OCTANT_LINK_PROCESS_H

#include "link/link_socket.h"

#include <stdatomic.h>

// Bytes of a game's output that are kept: the last ones.
#define LINK_OUTPUT_MAX ((size_t)64 << 10)

// The process groups that are running, for a handler of signals. All zero is an empty list; more
// than these are not in it.
#define LINK_GROUPS_MAX 256
typedef struct link_groups {
    atomic_int groups[LINK_GROUPS_MAX];
} link_groups;

// Ends all of them at once. May be called by a handler of signals.
void oct_link_groups_kill(link_groups *groups);

// Splits a command into words as a POSIX shell does: blanks, quotes and backslashes, nothing else.
// *words is one block, freed by oct_link_words_free. OCT_ERROR_FORMAT: a quotation mark is open, or
// there is no word.
oct_result oct_link_words(const char *command, const oct_allocator *allocator, char ***words,
                          size_t *count, oct_error *error);
void oct_link_words_free(const oct_allocator *allocator, char **words);

typedef struct link_process link_process;

// Starts a program, without a shell, in the folder where Octant was started, in a session and a
// process group of its own, with OCTANT_CONNECT=`address`. It gets no open file but its output.
// `groups` may be NULL.
oct_result oct_link_process_start(char *const *words, const char *address, link_groups *groups,
                                  const oct_allocator *allocator, link_process **out,
                                  oct_error *error);

// To be done while one waits for it: keeps its output.
link_meanwhile oct_link_process_meanwhile(link_process *process);
// Takes what it has written so far.
void oct_link_process_drain(link_process *process);

// Whether it has ended, which leaves it to be ended all the same.
bool oct_link_process_has_ended(link_process *process);
// Says how: "the game ended with exit code 3"; "" while it runs.
void oct_link_process_epitaph(link_process *process, char *out, size_t size);

// The last of what it has written to its standard output and error, terminated by 0.
const char *oct_link_process_output(link_process *process);

// Asks it to end (SIGTERM), waits for `grace_ms`, then kills it with all of its group, and frees.
void oct_link_process_end(link_process *process, uint32_t grace_ms);

#endif
