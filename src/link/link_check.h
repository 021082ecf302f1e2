// SPDX-License-Identifier: MIT
// Whether a game keeps the protocol, for those who write adapters: it is played a little, and what
// is wrong or unwise is told in plain words.
//
// The examination describes, looks, moves in every direction, uses what it gets to, begins lives
// anew, and compares. It cannot prove that an adapter is right.
#ifndef OCTANT_LINK_CHECK_H
#define OCTANT_LINK_CHECK_H

#include "link/link_client.h"

// "ids_change", ...: names that stay. The first ten are of games that answer; "protocol" is an
// answer that cannot be used, "start_differs" a process that does not begin as the last one.
typedef enum link_fault {
    FAULT_IDS_CHANGE,
    FAULT_ENTITIES_JUMP,
    FAULT_TICK_DIFFERS,
    FAULT_NO_GEOMETRY,
    FAULT_INSIDE_OUT,
    FAULT_TOO_FAST,
    FAULT_SINCE_LOST,
    FAULT_ACT_IGNORED,
    FAULT_RESET_DIFFERS,
    FAULT_SILENT,
    FAULT_START_DIFFERS,
    FAULT_NO_PLAYER,
    FAULT_PROTOCOL,
    FAULT_COUNT
} link_fault;

const char *oct_link_fault_name(link_fault fault);

#define LINK_WHAT_SIZE 1200
#define LINK_ADVICE_MAX 12
#define LINK_ADVICE_SIZE 300

typedef enum link_answer { LINK_NOT_TRIED, LINK_NO, LINK_YES } link_answer;

typedef struct link_check {
    char what[FAULT_COUNT][LINK_WHAT_SIZE]; // "" = not found
    char advice[LINK_ADVICE_MAX][LINK_ADVICE_SIZE];
    size_t advice_count;
    char game[128], level[128];
    link_facts facts;   // `engine` and `addon` are not kept
    oct_game_info info; // its texts are not kept
    double ticks_per_s; // of steps of many ticks; 0 = not measured
    double turns_per_s; // of one tick and a look
    link_answer reset_repeats, start_repeats;
    uint32_t presses; // things that were used
} link_check;

typedef struct link_check_def {
    // Opens another game: a new process, or a new connection.
    oct_result (*open)(void *ctx, oct_game **out, char *trouble, size_t trouble_size);
    void *ctx;
    bool is_process;   // each is a process of its own
    const char *level; // for reset; NULL = the game's own
} link_check_def;

// OCT_ERROR_LINK, with `trouble`, where no game can be opened at all; else OCT_OK, whatever is
// found. The result is large.
oct_result oct_link_check(const link_check_def *def, link_check *out, char *trouble, size_t size);

size_t oct_link_check_faults(const link_check *check);

#endif
