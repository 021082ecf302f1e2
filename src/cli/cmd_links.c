// SPDX-License-Identifier: MIT
// octant links: which button of a level toggles which door, found out by playing it.
#define _XOPEN_SOURCE 700
#include "cli/games.h"
#include "files/files_internal.h"
#include "link/link_connect.h"
#include "link/recruits_hunt.h"
#include "link/recruits_local.h"

#include <stdlib.h>
#include <string.h>

#define TROUBLE_SIZE 4096
#define WHY_SIZE 400

enum {
    LINKS_GAME,
    LINKS_PATIENCE,
    LINKS_AGENT,
    LINKS_SECONDS,
    LINKS_LIVES,
    LINKS_CSV,
    LINKS_VERBOSE,
    LINKS_OPTION_COUNT
};

typedef struct links_run {
    const cli_args *args;
    const char *level;
    recruits_hunt *hunt;
    recruits_hunt_result result;
    oct_error error; // of the level's file
} links_run;

// ---- words ----

static void say_how(const recruits_pair *p, char out[WHY_SIZE])
{
    snprintf(out, WHY_SIZE, "%u sighting%s, %u press%s of the button%s", p->sightings,
             p->sightings == 1 ? "" : "s", p->presses, p->presses == 1 ? "" : "es",
             p->is_through_fire ? "; only through fire" : "");
}

static void say_why(const links_run *r, const recruits_pair *p, char out[WHY_SIZE])
{
    if (p->link == OCT_LINK_ODD) {
        snprintf(out, WHY_SIZE, "the door moves by something else than presses");
    } else if (p->presses == 0) {
        snprintf(out, WHY_SIZE, "the button was not reached; %s", r->result.end);
    } else {
        snprintf(out, WHY_SIZE, "the door was not seen when that would have told it; %s",
                 r->result.end);
    }
}

// ---- output ----

static size_t count_of(const links_run *r, bool decided)
{
    size_t count = 0;
    for (size_t i = 0; i < r->result.buttons * r->result.doors; i++) {
        const oct_link link = r->result.pairs[i].link;
        count += decided ? link == OCT_LINK_YES : link != OCT_LINK_YES && link != OCT_LINK_NO;
    }
    return count;
}

static json_t *pairs_json(const links_run *r, bool decided)
{
    json_t *const out = json_array();
    for (size_t i = 0; i < r->result.buttons * r->result.doors; i++) {
        const recruits_pair *const p = &r->result.pairs[i];
        char text[WHY_SIZE], button[400], door[400];
        oct_words_copy(p->button, button, sizeof button);
        oct_words_copy(p->door, door, sizeof door);
        if (decided && p->link == OCT_LINK_YES) {
            say_how(p, text);
            json_array_append_new(out,
                                  json_pack("{s:s, s:s, s:s, s:b}", "button", button, "door", door,
                                            "how", text, "through_fire", p->is_through_fire));
        } else if (!decided && p->link != OCT_LINK_YES && p->link != OCT_LINK_NO) {
            say_why(r, p, text);
            json_array_append_new(
                out, json_pack("{s:s, s:s, s:s}", "button", button, "door", door, "why", text));
        }
    }
    return out;
}

static int print_json(const links_run *r)
{
    const recruits_hunt_result *const h = &r->result;
    return oct_cli_print_json(json_pack(
        "{s:o, s:o, s:b, s:s, s:I, s:I, s:f, s:f, s:i, s:i, s:i}", "links", pairs_json(r, true),
        "undecided", pairs_json(r, false), "whole", h->is_whole, "end", h->end, "buttons",
        (json_int_t)h->buttons, "doors", (json_int_t)h->doors, "game_s", h->game_s, "health",
        h->health, "presses", (int)h->presses, "fires", (int)h->fires, "lives", (int)h->lives));
}

static void print_text(const links_run *r)
{
    const recruits_hunt_result *const h = &r->result;
    for (size_t i = 0; i < h->buttons * h->doors; i++) {
        const recruits_pair *const p = &h->pairs[i];
        char text[WHY_SIZE];
        if (p->link == OCT_LINK_YES) {
            say_how(p, text);
            printf("%s toggles %s: %s\n", CLI_SHOWN(p->button), CLI_SHOWN(p->door), text);
        } else if (p->link != OCT_LINK_NO) {
            say_why(r, p, text);
            printf("%s, %s: undecided: %s\n", CLI_SHOWN(p->button), CLI_SHOWN(p->door), text);
        }
    }
    printf("%zu buttons, %zu doors, %zu links, %zu undecided; %.1f s of the game, health %g, %u "
           "presses, %u fires, %u %s; %s\n",
           h->buttons, h->doors, count_of(r, true), count_of(r, false), h->game_s, h->health,
           h->presses, h->fires, h->lives, h->lives == 1 ? "life" : "lives", h->end);
}

static oct_result write_csv(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const links_run *const r = ctx;
    (void)error;
    for (size_t i = 0; i < r->result.buttons * r->result.doors; i++) {
        const recruits_pair *const p = &r->result.pairs[i];
        if (p->link == OCT_LINK_YES &&
            !(write(file, p->button, strlen(p->button)) && write(file, ",", 1) &&
              write(file, p->door, strlen(p->door)) && write(file, "\n", 1))) {
            return OCT_ERROR_FILE;
        }
    }
    return OCT_OK;
}

static int tell(links_run *r)
{
    const cli_value *const csv = &r->args->options[LINKS_CSV];
    oct_error error = {.line = 0};
    if (csv->given) {
        CLI_TRY(oct_cli_check_file(
            csv->text, oct_file_replace(csv->text, write_csv, r, NULL, &error), &error));
    }
    if (r->args->json) {
        CLI_TRY(print_json(r));
    } else {
        print_text(r);
    }
    return r->result.is_whole && count_of(r, false) == 0 ? CLI_YES : CLI_NO;
}

// ---- playing ----

static void note(void *ctx, const char *text)
{
    const links_run *const r = ctx;
    if (r->args->options[LINKS_VERBOSE].given && !r->args->json) {
        printf("  %s\n", CLI_SHOWN(text));
    }
}

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return oct_cli_is_stopped();
}

static int play(links_run *r, recruits_client *client, const char *level)
{
    const cli_value *const options = r->args->options;
    const recruits_hunt_def def = {.client = client,
                                   .level = level,
                                   .agent = options[LINKS_AGENT].text,
                                   .seconds = options[LINKS_SECONDS].real,
                                   .lives = (uint32_t)options[LINKS_LIVES].integer,
                                   .note = note,
                                   .stops = is_stopped,
                                   .ctx = r};
    const oct_result result = oct_recruits_hunt_run(&def, &r->hunt, &r->result);
    if (oct_cli_is_stopped()) {
        return CLI_INTERRUPTED;
    }
    if (result == OCT_OK) {
        return tell(r);
    }
    char trouble[TROUBLE_SIZE];
    snprintf(trouble, sizeof trouble, "%s", oct_recruits_client_trouble(client));
    if (r->error.message[0]) {
        return oct_cli_check_file(r->level, OCT_ERROR_FORMAT, &r->error);
    }
    if (trouble[0] && result == OCT_ERROR_LINK) {
        return oct_cli_complain_game(r->level, trouble);
    }
    if (result == OCT_ERROR_RANGE) {
        return oct_cli_complain("%s: it has no ground to walk on, or more doors and buttons than "
                                "256 and 128",
                                r->level);
    }
    return oct_cli_check(r->level, result);
}

static oct_result load(void *ctx, oct_recruits_level **out)
{
    links_run *const r = ctx;
    return oct_recruits_level_load(r->level, NULL, out, &r->error);
}

// The agent is looked for before: the game answers nothing to one that it does not know.
static int check_level(links_run *r)
{
    oct_recruits_level *level;
    const char *const agent = r->args->options[LINKS_AGENT].text;
    const oct_result result = load(r, &level);
    CLI_TRY(oct_cli_check_file(r->level, result, &r->error));
    const uint32_t part = oct_recruits_level_find(level, agent);
    size_t count;
    const oct_recruits_part *const parts = oct_recruits_level_parts(level, &count);
    const bool is_there = part < count && parts[part].kind == OCT_RECRUITS_AGENT;
    oct_recruits_level_destroy(level);
    return is_there ? CLI_YES
                    : oct_cli_complain("%s: there is no agent '%.100s'; --agent names another",
                                       r->level, agent);
}

static int play_here(links_run *r)
{
    recruits_local *local;
    CLI_TRY(check_level(r));
    CLI_TRY(oct_cli_check(r->level, oct_recruits_local_create(load, r, NULL, &local)));
    const int code = play(r, oct_recruits_local_client(local), r->level);
    oct_recruits_hunt_destroy(r->hunt);
    oct_recruits_local_destroy(local);
    return code;
}

static int play_there(links_run *r)
{
    const char *const game = r->args->options[LINKS_GAME].text;
    const double ms = r->args->options[LINKS_PATIENCE].real * 1e3;
    const link_connect_def def = {.answer_ms = (uint32_t)(ms < 1.0 ? 1.0 : ms),
                                  .load_ms = (uint32_t)(ms < 1.0 ? 2.0 : 2.0 * ms),
                                  .stops = is_stopped};
    char trouble[TROUBLE_SIZE];
    recruits_client *client;
    void (*release)(void *ctx);
    void *ctx;
    if (!oct_link_is_lab(game)) {
        return oct_cli_complain("links: --game is lab:HOST:PORT, not '%s'", game);
    }
    const oct_result result =
        oct_link_open_lab(game, &def, &client, &release, &ctx, trouble, sizeof trouble);
    if (result != OCT_OK) {
        return trouble[0] ? oct_cli_complain_game(game, trouble) : oct_cli_check(game, result);
    }
    char *const whole = realpath(r->level, NULL);
    const int code = play(r, client, whole ? whole : r->level);
    free(whole);
    oct_recruits_hunt_destroy(r->hunt);
    oct_recruits_client_destroy(client);
    release(ctx);
    return code;
}

static int run(const cli_args *args)
{
    links_run r = {.args = args, .level = args->operands[0].text};
    oct_cli_catch_signals();
    const int code = args->options[LINKS_GAME].given ? play_there(&r) : play_here(&r);
    oct_cli_release_signals();
    return code;
}

static const cli_param operands[] = {
    {.name = "LEVEL",
     .kind = CLI_TEXT,
     .required = true,
     .help = "a level of Lab Recruits, .csv; with --game, its path on the game's machine"},
};

static const cli_param options[LINKS_OPTION_COUNT] = {
    [LINKS_GAME] = CLI_PARAM_TEXT("game", "GAME", NULL, "play this game: lab:HOST:PORT"),
    [LINKS_PATIENCE] = CLI_PATIENCE_OPTION,
    [LINKS_AGENT] = CLI_PARAM_TEXT("agent", "NAME", "agent0", "who plays"),
    [LINKS_SECONDS] =
        CLI_PARAM_REAL("seconds", "S", "0", 0, 1e9, "of the game, at most; 0 = no limit"),
    [LINKS_LIVES] = CLI_PARAM_INTEGER("lives", "N", "5", 1, 1000, "how often it begins anew"),
    [LINKS_CSV] = CLI_PARAM_OUTPUT("csv", "also write the links, button,door in each row"),
    [LINKS_VERBOSE] = CLI_PARAM_FLAG("verbose", "print each press"),
};

const cli_command oct_cmd_links = {
    .name = "links",
    .summary = "finds out which button toggles which door",
    .details = "  It explores the level, presses buttons and looks at doors until nothing that it "
               "can get to\n"
               "  tells anything new. It goes around fire where it can. The links in the level's "
               "file are never\n"
               "  read. Exit code 0: all links of all buttons and doors that it saw are certain, "
               "1: some are not.",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .options = options,
    .option_count = LINKS_OPTION_COUNT,
    .run = run,
};
