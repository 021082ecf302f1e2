// SPDX-License-Identifier: MIT
// octant game check: whether an adapter keeps the protocol.
#include "cli/games.h"
#include "link/link_check.h"
#include "link/link_connect.h"

#include <stdlib.h>
#include <string.h>

#define TROUBLE_SIZE 4096

enum { CHECK_WORLD, CHECK_PATIENCE, CHECK_OPTION_COUNT };

typedef struct check_run {
    const char *text;
    uint32_t answer_ms;
} check_run;

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return oct_cli_is_stopped();
}

static oct_result open_game(void *ctx, oct_game **out, char *trouble, size_t size)
{
    const check_run *const run = ctx;
    const link_connect_def def = {.answer_ms = run->answer_ms,
                                  .load_ms = 2 * run->answer_ms,
                                  .groups = oct_cli_process_groups(),
                                  .stops = is_stopped};
    return oct_link_open_game(run->text, &def, out, trouble, size);
}

// ---- what the game can ----

typedef struct ability {
    const char *name;
    bool has;
} ability;

#define ABILITIES 7

static void list_abilities(const link_facts *f, ability out[ABILITIES])
{
    const ability all[ABILITIES] = {
        {"geometry", f->can_geometry}, {"self", f->can_self}, {"turn", f->can_turn},
        {"join", f->can_join},         {"hash", f->can_hash}, {"reset", f->can_reset},
        {"since", f->can_since},
    };
    memcpy(out, all, sizeof all);
}

static json_t *answer_json(link_answer answer)
{
    return answer == LINK_NOT_TRIED ? json_null() : json_boolean(answer == LINK_YES);
}

static link_answer repeats_of(const link_check *check)
{
    return check->reset_repeats != LINK_NOT_TRIED ? check->reset_repeats : check->start_repeats;
}

static json_t *check_json(const link_check *check)
{
    json_t *const faults = json_array(), *const can = json_array(), *const advice = json_array();
    ability abilities[ABILITIES];
    list_abilities(&check->facts, abilities);
    for (int i = 0; i < FAULT_COUNT; i++) {
        if (check->what[i][0]) {
            char what[LINK_WHAT_SIZE];
            json_array_append_new(
                faults, json_pack("{s:s, s:s}", "name", oct_link_fault_name((link_fault)i), "what",
                                  oct_words_copy(check->what[i], what, sizeof what)));
        }
    }
    for (int i = 0; i < ABILITIES; i++) {
        if (abilities[i].has) {
            json_array_append_new(can, json_string(abilities[i].name));
        }
    }
    for (size_t i = 0; i < check->advice_count; i++) {
        char line[LINK_ADVICE_SIZE];
        json_array_append_new(advice,
                              json_string(oct_words_copy(check->advice[i], line, sizeof line)));
    }
    return json_pack("{s:o, s:o, s:o, s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:o, s:I, s:I, s:I, s:I}",
                     "faults", faults, "advice", advice, "can", can, "game", check->game, "level",
                     check->level, "rate", check->info.rate, "ticks_per_s", check->ticks_per_s,
                     "turns_per_s", check->turns_per_s, "repeats", answer_json(repeats_of(check)),
                     "repeats_reset", answer_json(check->reset_repeats), "repeats_start",
                     answer_json(check->start_repeats), "uses", (json_int_t)check->presses,
                     "requests", (json_int_t)check->facts.requests, "sent_bytes",
                     (json_int_t)check->facts.sent, "taken_bytes", (json_int_t)check->facts.taken);
}

// ---- in words ----

static const char *answer_words(link_answer answer)
{
    return answer == LINK_YES  ? "gives equal runs"
           : answer == LINK_NO ? "gives other runs"
                               : "was not tried";
}

static void print_check(const check_run *run, const link_check *check)
{
    ability abilities[ABILITIES];
    const size_t faults = oct_link_check_faults(check);
    list_abilities(&check->facts, abilities);
    oct_cli_printf(CLI_BOLD, "%s", CLI_SHOWN(check->game[0] ? check->game : run->text));
    printf("%s%s\n  can     ", check->level[0] ? ": " : "", CLI_SHOWN(check->level));
    for (int i = 0; i < ABILITIES; i++) {
        printf("%s", abilities[i].has ? " " : "");
        printf("%s", abilities[i].has ? abilities[i].name : "");
    }
    printf("\n  without ");
    for (int i = 0; i < ABILITIES; i++) {
        printf("%s", abilities[i].has ? "" : " ");
        printf("%s", abilities[i].has ? "" : abilities[i].name);
    }
    printf("\n");
    if (check->ticks_per_s > 0.0) {
        printf("  speed    %.3g ticks a second at %g a second of the game; %.3g turns of one tick "
               "with a look\n",
               check->ticks_per_s, check->info.rate, check->turns_per_s);
    }
    printf("  repeats  a reset %s; a new process %s\n", answer_words(check->reset_repeats),
           answer_words(check->start_repeats));
    printf("  used     %u thing%s\n", check->presses, check->presses == 1 ? "" : "s");
    for (int i = 0; i < FAULT_COUNT; i++) {
        if (check->what[i][0]) {
            oct_cli_printf(CLI_RED, "fault    %s", oct_link_fault_name((link_fault)i));
            printf(": %s\n", CLI_SHOWN(check->what[i]));
        }
    }
    for (size_t i = 0; i < check->advice_count; i++) {
        printf("advice   %s\n", CLI_SHOWN(check->advice[i]));
    }
    if (faults == 0) {
        oct_cli_printf(CLI_GREEN, "no fault found\n");
    } else {
        printf("%zu fault%s\n", faults, faults == 1 ? "" : "s");
    }
}

static int print_result(const cli_args *args, const check_run *run, const link_check *check)
{
    if (args->json) {
        CLI_TRY(oct_cli_print_json(check_json(check)));
    } else {
        print_check(run, check);
    }
    return oct_link_check_faults(check) == 0 ? CLI_YES : CLI_NO;
}

static int run_check(const cli_args *args)
{
    char trouble[TROUBLE_SIZE] = "";
    const double ms = args->options[CHECK_PATIENCE].real * 1e3;
    check_run run = {args->operands[0].text, (uint32_t)(ms < 1.0 ? 1.0 : ms)};
    const link_check_def def = {.open = open_game,
                                .ctx = &run,
                                .is_process = oct_link_is_command(run.text),
                                .level = args->options[CHECK_WORLD].text};
    if (!oct_link_is_named(run.text) || oct_link_is_lab(run.text)) {
        return oct_cli_complain("game check: a game is tcp:HOST:PORT or exec:COMMAND, not '%s'",
                                run.text);
    }
    link_check *const check = malloc(sizeof *check);
    if (!check) {
        return oct_cli_check("game check", OCT_ERROR_MEMORY);
    }
    oct_cli_catch_signals();
    const oct_result result = oct_link_check(&def, check, trouble, sizeof trouble);
    oct_cli_release_signals();
    int code;
    if (oct_cli_is_stopped()) {
        code = CLI_INTERRUPTED;
    } else if (result == OCT_OK) {
        code = print_result(args, &run, check);
    } else {
        code =
            trouble[0] ? oct_cli_complain_game(run.text, trouble) : oct_cli_check(run.text, result);
    }
    free(check);
    return code;
}

static const cli_param check_operands[] = {
    {.name = "GAME", .kind = CLI_TEXT, .required = true, .help = "tcp:HOST:PORT or exec:COMMAND"},
};

static const cli_param check_options[CHECK_OPTION_COUNT] = {
    [CHECK_WORLD] = CLI_PARAM_TEXT("world", "TEXT", NULL, "the level to try (default: its own)"),
    [CHECK_PATIENCE] = CLI_PATIENCE_OPTION,
};

const cli_command oct_cmd_game_check = {
    .name = "game check",
    .summary = "says whether the adapter of a game keeps the protocol",
    .details = "  It connects, tries every request, moves in every direction, uses what it gets "
               "to, and begins\n"
               "  lives anew. Exit code 0: no fault was found, 1: there are faults, 2: it cannot "
               "connect.",
    .operands = check_operands,
    .operand_count = sizeof check_operands / sizeof check_operands[0],
    .options = check_options,
    .option_count = CHECK_OPTION_COUNT,
    .run = run_check,
};
