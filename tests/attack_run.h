// SPDX-License-Identifier: MIT
// For programs that attack the command: runs it with limits, and keeps what it says.
#ifndef OCTANT_TESTS_ATTACK_RUN_H
#define OCTANT_TESTS_ATTACK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATTACK_ARGUMENTS_MAX 64

typedef struct attack_args {
    const char *items[ATTACK_ARGUMENTS_MAX + 1]; // the command first; NULL behind the last
    size_t count;
} attack_args;

void attack_add(attack_args *args, const char *argument);

typedef struct attack_limits {
    double seconds;      // then it gets SIGTERM
    uint64_t bytes;      // of its address space; 0 = any
    const char *preload; // a library that is loaded into it; NULL = none
    const char *fail_at; // for that library: see failing_calls.c; NULL = nothing fails
    const char *count_file;
    const char *out; // file that becomes its standard output; NULL = it is kept
} attack_limits;

typedef struct attack_result {
    int code;        // of its exit; -1 where a signal ended it
    int signal;      // that ended it; 0 = none
    bool is_stopped; // it was told to end, and did
    bool is_hung;    // it was told to end, and did not
    char *out, *err; // what it said, ended by 0
    size_t out_size, err_size;
} attack_result;

// Ends the program where the command cannot be started.
attack_result attack_run(const attack_args *args, const attack_limits *limits);
void attack_free(attack_result *result);

// Prints the arguments as a line for a shell.
void attack_print(const attack_args *args);

// What is wrong with how it ended, whatever it was told to do; NULL = nothing. Exit codes are 0, 1
// and 2, or those of signals for one that was told to end; 2 comes with one line on stderr, or with
// at most so many where several parts may fail; no line steers a terminal.
const char *attack_judge(const attack_result *result, uint32_t most);

// A file as bytes with a 0 behind them, to be freed; NULL where it cannot be read.
char *attack_read(const char *path, size_t *size);
void attack_write(const char *path, const void *bytes, size_t size);
// A hash of the names, sizes and bytes of what lies in a folder.
uint64_t attack_hash(const char *folder);
// Removes all that is in a folder.
void attack_clear(const char *folder);

// Makes a folder for one attack, below $TMPDIR or where temporary files are, with the folders `in`
// and `here`, and goes into the latter. Puts there what all attacks read: a world of the sources, a
// scenario. Ends the program where that fails. The folder's path is written to `out`.
void attack_open(const char *source, char *out, size_t size);
void attack_close(const char *folder);

// A sequence of numbers from a seed.
uint32_t attack_draw(uint64_t *state, uint32_t count);

#endif
