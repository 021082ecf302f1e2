// SPDX-License-Identifier: MIT
// The table of puzzles.
#include "bench/table_puzzles.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

static double per(double what, double of)
{
    return of > 0.0 ? what / of : 0.0;
}

static void print_heading(const void *row)
{
    (void)row;
    oct_cli_printf(CLI_BOLD, "%-8s %7s %8s %5s %6s %5s %6s %5s %8s %6s %6s %5s %7s %7s %8s %7s\n",
                   "task", "puzzles", "solvable", "wrong", "solved", "told", "inconc", "false",
                   "learned", "untrue", "errors", "bumps", "presses", "game s", "faster",
                   "think %");
}

static void print_row(const void *of)
{
    const puzzles_row *const row = of;
    const bool met = oct_puzzles_is_met(row);
    printf("%-8s %7u %8u %5u %6u %5u %6u %5u %8llu %6llu %6u %5llu %7.2f %7.1f %8.1f %7.2f  ",
           row->task, row->puzzles, row->solvable, row->wrong, row->solved, row->told,
           row->inconclusive, row->false_verdicts, (unsigned long long)row->learned,
           (unsigned long long)row->untrue, row->errors, (unsigned long long)row->bumps,
           per((double)row->presses, (double)row->fewest), per(row->game_s, row->puzzles),
           per(row->game_s, row->spent_s), 100.0 * per(row->thought_s, row->game_s));
    oct_cli_printf(met ? CLI_GREEN : CLI_RED, met ? "ok\n" : "missed\n");
    if (row->first_bad > 0) {
        printf("      the first that went wrong is number %llu: %s\n",
               (unsigned long long)row->first_bad, row->why[0] ? row->why : "no reason was given");
    }
}

static const char notes[] =
    "\nwrong: verdicts that are not right (who learns: something was left to be learned); solved:\n"
    "passes of solvable ones; told: fails of the others; inconc: inconclusive; false: fails of\n"
    "solvable ones and passes of the others. learned: links that are certain, there or not;\n"
    "untrue: of them. presses: for each one that the shortest solution takes. game s: a puzzle;\n"
    "faster: than real time; think: planning and mapping, of the game's time. False, untrue, "
    "errors\n"
    "(a proof was rejected, or something excluded happened) and bumps should be 0.\n";

static void fill(const void *of, table_fields *out)
{
    const puzzles_row *const row = of;
    add_text(out, "task", row->task);
    add_count(out, "puzzles", row->puzzles);
    add_count(out, "solvable", row->solvable);
    add_count(out, "wrong", row->wrong);
    add_count(out, "solved", row->solved);
    add_count(out, "told", row->told);
    add_count(out, "inconclusive", row->inconclusive);
    add_count(out, "false", row->false_verdicts);
    add_count(out, "learned", row->learned);
    add_count(out, "untrue", row->untrue);
    add_count(out, "errors", row->errors);
    add_count(out, "proofs", row->proofs);
    add_count(out, "bumps", row->bumps);
    add_count(out, "presses", row->presses);
    add_count(out, "fewest", row->fewest);
    add_count(out, "turns", row->turns);
    add_number(out, "game_s", row->game_s);
    add_number(out, "spent_s", row->spent_s);
    add_number(out, "thought_s", row->thought_s);
    add_count(out, "first_bad", row->first_bad);
    add_flag(out, "met", oct_puzzles_is_met(row));
    add_text(out, "why", row->why);
}

const table oct_puzzles_table = {sizeof(puzzles_row), fill,  NULL, print_heading,
                                 print_row,           notes, NULL};
