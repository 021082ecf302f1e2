// SPDX-License-Identifier: MIT
#include "cli/puzzles_out.h"

static const puzzles_row *row_at(const oct_array *rows, size_t i)
{
    return (const puzzles_row *)rows->items + i;
}

static double per(double what, double of)
{
    return of > 0.0 ? what / of : 0.0;
}

static void print_row(const puzzles_row *row)
{
    const bool met = oct_puzzles_is_met(row);
    printf("%-5s %7u %8u %5u %8llu %6llu %5llu %8.2f %7.1f %8.1f %7.2f  %s%s%s\n", row->task,
           row->puzzles, row->solvable, row->wrong, (unsigned long long)row->learned,
           (unsigned long long)row->untrue, (unsigned long long)row->bumps,
           per((double)row->presses, (double)row->fewest), per(row->game_s, row->puzzles),
           per(row->game_s, row->spent_s), 100.0 * per(row->thought_s, row->game_s),
           oct_cli_style(stdout, met ? CLI_GREEN : CLI_RED), met ? "ok" : "missed",
           oct_cli_style(stdout, CLI_PLAIN));
    if (row->first_bad > 0) {
        printf("      the first that went wrong is number %llu: %s\n",
               (unsigned long long)row->first_bad, row->why[0] ? row->why : "no reason was given");
    }
}

void oct_puzzles_print(const oct_array *rows)
{
    printf("%s%-5s %7s %8s %5s %8s %6s %5s %8s %7s %8s %7s%s\n", oct_cli_style(stdout, CLI_BOLD),
           "task", "puzzles", "solvable", "wrong", "learned", "untrue", "bumps", "presses",
           "game s", "faster", "think %", oct_cli_style(stdout, CLI_PLAIN));
    for (size_t i = 0; i < rows->count; i++) {
        print_row(row_at(rows, i));
    }
    printf(
        "\nwrong: verdicts (who learns: something was left to be learned). learned: links that "
        "are\n"
        "certain, there or not; untrue: of them. presses: for each one that the shortest solution\n"
        "takes. game s: a puzzle; faster: than real time; think: planning and mapping, of the\n"
        "game's time. Wrong, untrue and bumps should be 0.\n");
}

static json_t *row_json(const puzzles_row *row)
{
    return json_pack(
        "{s:s, s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:s, s:b}", "task",
        row->task, "puzzles", (int)row->puzzles, "solvable", (int)row->solvable, "wrong",
        (int)row->wrong, "learned", (json_int_t)row->learned, "untrue", (json_int_t)row->untrue,
        "bumps", (json_int_t)row->bumps, "presses", (json_int_t)row->presses, "fewest",
        (json_int_t)row->fewest, "turns", (json_int_t)row->turns, "game_s", row->game_s, "spent_s",
        row->spent_s, "thought_s", row->thought_s, "first_bad", (json_int_t)row->first_bad, "why",
        row->why, "met", (int)oct_puzzles_is_met(row));
}

json_t *oct_puzzles_json(const oct_array *rows)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        json_array_append_new(list, row_json(row_at(rows, i)));
    }
    return list;
}

void oct_puzzles_write(FILE *file, const oct_array *rows)
{
    fprintf(file, "task,puzzles,solvable,wrong,learned,untrue,bumps,presses,fewest,turns,"
                  "game_s,spent_s,thought_s,first_bad,met\n");
    for (size_t i = 0; i < rows->count; i++) {
        const puzzles_row *const r = row_at(rows, i);
        fprintf(file, "%s,%u,%u,%u,%llu,%llu,%llu,%llu,%llu,%llu,%.6g,%.6g,%.6g,%llu,%s\n", r->task,
                r->puzzles, r->solvable, r->wrong, (unsigned long long)r->learned,
                (unsigned long long)r->untrue, (unsigned long long)r->bumps,
                (unsigned long long)r->presses, (unsigned long long)r->fewest,
                (unsigned long long)r->turns, r->game_s, r->spent_s, r->thought_s,
                (unsigned long long)r->first_bad, oct_puzzles_is_met(r) ? "yes" : "no");
    }
}
