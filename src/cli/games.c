// SPDX-License-Identifier: MIT
#include "cli/games.h"

#include "link/link_connect.h"

#include <stdlib.h>
#include <string.h>

#define TROUBLE_SIZE 4096
#define OUTPUT_SIZE 4096 // bytes of a process' output that are kept for the report
#define REPORT_SIZE (OUTPUT_SIZE + TROUBLE_SIZE)

typedef struct place {
    oct_game lent; // what a life is given; first
    const cli_games *games;
    oct_game *game; // NULL = none
    oct_budget budget;
    oct_game_source source;
    oct_result failed; // to open one: what the next life is told
    bool has_refused;  // the last life: the level, or where somebody starts
    char trouble[TROUBLE_SIZE];
    char output[REPORT_SIZE];
} place;

struct cli_games {
    const char *text;
    uint32_t answer_ms, load_ms;
    uint64_t memory;
    place *places;
    uint32_t count;
};

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return oct_cli_is_stopped();
}

// ---- opening and ending ----

static void keep_output(place *p)
{
    const char *const output = oct_link_output(p->game);
    const size_t length = strlen(output), room = OUTPUT_SIZE - 1;
    snprintf(p->output, sizeof p->output, "%s", output + (length > room ? length - room : 0));
}

static void end_game(place *p)
{
    if (p->game) {
        keep_output(p);
        oct_game_destroy(p->game);
        p->game = NULL;
    }
}

// Opens a game where there is none.
static oct_result open_game(place *p)
{
    const cli_games *const g = p->games;
    const link_connect_def def = {.answer_ms = g->answer_ms,
                                  .load_ms = g->load_ms,
                                  .allocator = &p->budget.allocator,
                                  .groups = oct_cli_process_groups(),
                                  .is_restarted = oct_link_is_command(g->text),
                                  .stops = is_stopped};
    if (p->game) {
        return OCT_OK;
    }
    p->output[0] = '\0';
    oct_budget_init(&p->budget, g->memory > 0 ? (size_t)g->memory : SIZE_MAX, NULL);
    const oct_result result =
        oct_link_open_game(g->text, &def, &p->game, p->trouble, sizeof p->trouble);
    if (result == OCT_OK) {
        p->source.rate = oct_game_describe(p->game)->rate;
    }
    // Whatever went wrong: there is no game.
    return result == OCT_OK || result == OCT_ERROR_MEMORY ? result : OCT_ERROR_LINK;
}

// Whether another life may be played in the same game.
static bool is_kept(const place *p)
{
    if (oct_link_is_lab(p->games->text)) {
        return oct_game_step(p->game, 0) == OCT_OK;
    }
    const link_facts facts = oct_link_facts(p->game);
    return facts.can_reset && (facts.exact_reset || !oct_link_is_command(p->games->text)) &&
           oct_game_step(p->game, 0) == OCT_OK;
}

// ---- what is lent ----

// A game that tells more than there is memory for has failed; other tests go on.
static oct_result judge(place *p, oct_result result)
{
    if (result == OCT_ERROR_MEMORY && p->budget.refused > 0) {
        snprintf(p->trouble, sizeof p->trouble, "the game told more than %.4g MB",
                 (double)p->games->memory / (double)OCT_MEGABYTE);
        return OCT_ERROR_LINK;
    }
    return result;
}

static void give_back(void *self)
{
    place *const p = self;
    if (is_kept(p)) {
        keep_output(p);
    } else {
        end_game(p);
    }
}

static const oct_game_info *describe(const void *self)
{
    return oct_game_describe(((const place *)self)->game);
}

static uint32_t players(const void *self)
{
    return oct_game_players(((const place *)self)->game);
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    return judge(self, oct_game_join(((place *)self)->game, pose, who));
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    const oct_player_body *out = NULL;
    (void)oct_game_body(((const place *)self)->game, who, &out); // it plays
    return out;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    return judge(self, oct_game_observe(((place *)self)->game, who, out));
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    return judge(self, oct_game_self(((place *)self)->game, who, out));
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    return judge(self, oct_game_scenery(((place *)self)->game, from, out));
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    return judge(self, oct_game_act(((place *)self)->game, who, action, came));
}

static const char *refusal(const void *self)
{
    return oct_game_refusal(((const place *)self)->game);
}

static oct_result step(void *self, uint32_t ticks)
{
    return judge(self, oct_game_step(((place *)self)->game, ticks));
}

static oct_result turn(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    return judge(self, oct_game_turn(((place *)self)->game, who, action, came));
}

static uint64_t tick(const void *self)
{
    return oct_game_tick(((const place *)self)->game);
}

static uint64_t hash(const void *self)
{
    return oct_game_hash(((const place *)self)->game);
}

static oct_result reset(void *self, const oct_game_start *start)
{
    return judge(self, oct_game_reset(((place *)self)->game, start));
}

static const char *trouble(const void *self)
{
    const place *const p = self;
    return p->budget.refused > 0 ? p->trouble : oct_game_trouble(p->game);
}

static const oct_game_ops lent_ops = {.destroy = give_back,
                                      .describe = describe,
                                      .players = players,
                                      .join = join,
                                      .body = body,
                                      .observe = observe,
                                      .self = self_of,
                                      .scenery = scenery,
                                      .act = act,
                                      .refusal = refusal,
                                      .step = step,
                                      .turn = turn,
                                      .tick = tick,
                                      .hash = hash,
                                      .reset = reset,
                                      .trouble = trouble};

// ---- the source ----

static oct_result refuse(place *p, oct_result result, oct_error *error)
{
    oct_error_set(error, 0, 0, 0, "%.*s", (int)strcspn(p->trouble, "\n"), p->trouble);
    if (p->game && !is_kept(p)) {
        end_game(p);
    } else if (p->game) {
        keep_output(p);
    }
    // There is no agent to note the last exchange.
    const char *const exchange = strchr(p->trouble, '\n');
    if (exchange) {
        const size_t used = strlen(p->output);
        snprintf(p->output + used, sizeof p->output - used, "%s%s", used > 0 ? "\n" : "",
                 exchange + 1);
    }
    return result;
}

static oct_result open_life(void *ctx, const oct_game_start *start, uint32_t life,
                            const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    place *const p = ctx;
    (void)life;
    (void)allocator; // a game may outlive the test
    oct_result result = p->failed != OCT_OK ? p->failed : judge(p, open_game(p));
    p->failed = OCT_OK;
    p->has_refused = false;
    if (result != OCT_OK) {
        return refuse(p, result, error);
    }
    // A game without reset begins as it does by itself.
    if (oct_game_describe(p->game)->can_reset) {
        result = judge(p, oct_game_reset(p->game, start));
        p->has_refused = result == OCT_ERROR_RANGE;
    }
    if (result != OCT_OK) {
        snprintf(p->trouble, sizeof p->trouble, "%s", trouble(p));
        return refuse(p, result, error);
    }
    *out = &p->lent;
    return OCT_OK;
}

const oct_game_source *oct_cli_games_source(cli_games *games, uint32_t worker)
{
    place *const p = &games->places[worker];
    p->has_refused = false;
    if (!(p->source.rate > 0.0)) {
        p->failed = judge(p, open_game(p));
    }
    return &p->source;
}

bool oct_cli_games_refused(const cli_games *games, uint32_t worker)
{
    return games->places[worker].has_refused;
}

const char *oct_cli_games_output(const cli_games *games, uint32_t worker)
{
    return games->places[worker].output;
}

// ---- life ----

int oct_cli_games_open(const char *command, const cli_value *game, const cli_value *patience,
                       uint64_t memory, cli_games **out)
{
    *out = NULL;
    if (!oct_link_is_named(game->text)) {
        return oct_cli_complain(
            "%s: --game is tcp:HOST:PORT, exec:COMMAND or lab:HOST:PORT, not '%s'", command,
            game->text);
    }
    cli_games *const g = calloc(1, sizeof *g);
    if (!g) {
        return oct_cli_check(command, OCT_ERROR_MEMORY);
    }
    const double ms = patience->real * 1e3;
    *g = (cli_games){.text = game->text,
                     .answer_ms = (uint32_t)(ms < 1.0 ? 1.0 : ms),
                     .load_ms = (uint32_t)(ms < 1.0 ? 2.0 : 2.0 * ms),
                     .memory = memory > 0 ? memory : OCT_TEST_MEMORY};
    *out = g;
    return CLI_YES;
}

int oct_cli_complain_game(const char *text, char *trouble)
{
    for (char *end = strchr(trouble, '\n'); end; end = strchr(end, '\n')) {
        *end = end[1] ? '|' : '\0';
    }
    return oct_cli_complain("%s: %s", text, trouble);
}

uint32_t oct_cli_games_workers(const cli_games *games, uint32_t most)
{
    return oct_link_is_command(games->text) ? most : 1;
}

int oct_cli_games_begin(cli_games *games, uint32_t workers)
{
    const bool opens_lives = oct_link_is_command(games->text);
    games->places = calloc(workers, sizeof *games->places);
    if (!games->places) {
        return oct_cli_check(games->text, OCT_ERROR_MEMORY);
    }
    games->count = workers;
    for (uint32_t i = 0; i < workers; i++) {
        place *const p = &games->places[i];
        p->lent.ops = &lent_ops;
        p->games = games;
        p->source = (oct_game_source){p, 0.0, opens_lives, open_life};
    }
    place *const first = &games->places[0];
    const oct_result result = judge(first, open_game(first));
    if (result == OCT_OK) {
        return CLI_YES;
    }
    return oct_cli_complain_game(games->text, first->trouble);
}

void oct_cli_games_close(cli_games *games)
{
    if (!games) {
        return;
    }
    for (uint32_t i = 0; i < games->count; i++) {
        end_game(&games->places[i]);
    }
    free(games->places);
    free(games);
}
