// SPDX-License-Identifier: MIT
// The client as a game: the interface's calls, each one request or none.
#include "link/link_client.h"

#include "base/print.h"
#include "link/client_internal.h"

// ---- what is known ----

static const oct_game_info *describe(const void *self)
{
    return &((const link_client *)self)->now.info;
}

static uint32_t players(const void *self)
{
    return (uint32_t)((const link_client *)self)->players.count;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    return &((const link_client *)self)->now.players[who].body;
}

static uint64_t tick(const void *self)
{
    return ((const link_client *)self)->tick;
}

static const char *refusal(const void *self)
{
    return ((const link_client *)self)->refusal;
}

static const char *trouble(const void *self)
{
    return ((const link_client *)self)->trouble;
}

// ---- asking ----

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    return oct_link_observe(self, who, out);
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    return oct_link_self(self, who, out);
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    return oct_link_scenery(self, from, out);
}

static oct_result reset(void *self, const oct_game_start *start)
{
    return oct_link_reset(self, start);
}

// What came of an action; a word that is not known is a refusal in that word.
static oct_result take_came(link_client *c, const json_t *answer, oct_act *came)
{
    const char *word = NULL, *text = "";
    c->refusal[0] = '\0';
    OCT_TRY(oct_link_get_text(&c->in, answer, "came", LINK_NAME_MAX, &word));
    OCT_TRY(oct_link_get_text(&c->in, answer, "text", LINK_TEXT_MAX, &text));
    *came = word ? OCT_ACT_REFUSED : OCT_ACT_DONE;
    for (uint32_t i = 0; word && i < OCT_ACT_COUNT; i++) {
        if (strcmp(word, oct_act_name((oct_act)i)) == 0) {
            *came = (oct_act)i;
            word = NULL;
        }
    }
    if (*came == OCT_ACT_REFUSED) {
        oct_snprintf(c->refusal, sizeof c->refusal, "%.900s", text[0] || !word ? text : word);
    }
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    link_client *const c = self;
    link_writer w;
    json_t *answer;
    OCT_TRY(oct_link_request(c, &w, "act"));
    (void)oct_link_put_who(c, &w, who, false);
    oct_link_write_action(&w, &c->ids, action);
    c->epoch++;
    OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
    oct_result result = take_came(c, answer, came);
    if (result == OCT_OK) {
        result = oct_link_take_tick(c, answer, c->tick);
    }
    json_decref(answer);
    return oct_link_judge(c, result);
}

static oct_result step(void *self, uint32_t ticks)
{
    link_client *const c = self;
    link_writer w;
    json_t *answer;
    if (ticks == 0) {
        return c->is_broken ? OCT_ERROR_LINK : OCT_OK;
    }
    for (uint32_t left = ticks; left > 0;) {
        const uint32_t some = left < OCT_ACTION_TICKS_MAX ? left : OCT_ACTION_TICKS_MAX;
        OCT_TRY(oct_link_request(c, &w, "step"));
        oct_link_put_whole(&w, "ticks", some);
        c->epoch++;
        OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
        const oct_result result = oct_link_judge(c, oct_link_take_tick(c, answer, c->tick + some));
        json_decref(answer);
        OCT_TRY(result);
        left -= some;
    }
    return OCT_OK;
}

// A turn, and what there is to see after it: the next observation costs nothing.
static oct_result turn(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    link_client *const c = self;
    link_writer w;
    json_t *answer;
    if (!c->facts.can_turn) {
        OCT_TRY(act(self, who, action, came));
        const bool passes = c->now.info.delay_max == 0;
        return passes ? step(self, oct_link_takes_time(action) ? action->ticks : 1) : OCT_OK;
    }
    OCT_TRY(oct_link_request(c, &w, "turn"));
    const bool since = oct_link_put_who(c, &w, who, true);
    oct_link_write_action(&w, &c->ids, action);
    c->epoch++;
    OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
    oct_result result = oct_link_judge(c, take_came(c, answer, came));
    if (result == OCT_OK) {
        result = oct_link_take_observation(c, who, answer, since);
    }
    json_decref(answer);
    return result;
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    link_client *const c = self;
    link_writer w;
    json_t *answer;
    uint64_t index = UINT64_MAX;
    if (!c->facts.can_join) {
        return OCT_ERROR_UNSUPPORTED;
    }
    OCT_TRY(oct_link_request(c, &w, "join"));
    if (pose) {
        oct_link_write_pose(&w, pose);
    }
    c->epoch++;
    OCT_TRY(oct_link_ask(c, &w, c->def.answer_ms, &answer));
    const oct_result result =
        oct_link_judge(c, oct_link_get_whole(&c->in, answer, "who", LINK_PLAYERS_MAX, &index));
    json_decref(answer);
    OCT_TRY(result);
    c->scenes--; // the same level, and one player more
    OCT_TRY(oct_link_describe(c));
    if (index >= c->players.count) {
        return oct_link_fail(c, "the player that joined is not among those that describe tells");
    }
    *who = (uint32_t)index;
    return OCT_OK;
}

static bool parse_hash(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (!text || strlen(text) != 16) {
        return false;
    }
    for (size_t i = 0; i < 16; i++) {
        const char *const digits = "0123456789abcdef";
        const char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] - 'A' + 'a') : text[i];
        const char *const digit = strchr(digits, c);
        if (!digit || c == '\0') {
            return false;
        }
        value = value << 4 | (uint64_t)(digit - digits);
    }
    *out = value;
    return true;
}

static uint64_t hash(const void *self)
{
    link_client *const c = ((const link_client *)self)->self;
    link_writer w;
    json_t *answer;
    uint64_t value = 0;
    if (!c->facts.can_hash || oct_link_request(c, &w, "hash") != OCT_OK ||
        oct_link_ask(c, &w, c->def.answer_ms, &answer) != OCT_OK) {
        return 0;
    }
    if (!parse_hash(json_string_value(oct_link_field(answer, "hash")), &value)) {
        (void)oct_link_fail(c, "'hash' must be a text of 16 hex digits");
    }
    json_decref(answer);
    return value;
}

// ---- life ----

static void say_bye(link_client *c)
{
    link_writer w;
    json_t *answer;
    if (oct_link_request(c, &w, "bye") == OCT_OK &&
        oct_link_ask(c, &w, c->def.answer_ms < 1000 ? c->def.answer_ms : 1000, &answer) == OCT_OK) {
        json_decref(answer);
    }
}

static void free_client(link_client *c)
{
    const oct_allocator own = c->allocator;
    for (uint32_t i = 0; i < c->players.count; i++) {
        oct_link_free_player(c, oct_link_player(c, i));
    }
    oct_array_free(&c->players, &own, sizeof(client_player));
    oct_array_free(&c->request, &own, 1);
    oct_link_lines_free(&c->lines);
    oct_link_ids_free(&c->ids, &own);
    oct_index_table_free(&c->parts, &own);
    oct_arena_free(&c->hello_arena);
    oct_arena_free(&c->life_arena);
    oct_arena_free(&c->page_arena);
    oct_arena_free(&c->scratch);
    oct_free(&own, c, sizeof *c);
}

static void destroy(void *self)
{
    link_client *const c = self;
    say_bye(c);
    if (c->def.release) {
        c->def.release(c->def.ctx);
    }
    free_client(c);
}

static const oct_game_ops client_ops = {.destroy = destroy,
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
                                        .tick = tick,
                                        .hash = hash,
                                        .reset = reset,
                                        .trouble = trouble,
                                        .turn = turn};

static link_client *create(const link_carrier *carrier, const link_client_def *def)
{
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    link_client *const c = oct_alloc(&own, sizeof *c, _Alignof(link_client));
    if (!c) {
        return NULL;
    }
    *c = (link_client){.game = {&client_ops},
                       .self = c,
                       .allocator = own,
                       .def = *def,
                       .lines = {.carrier = *carrier, .allocator = own, .limit = LINK_ANSWER_SIZE},
                       .facts = {.engine = "", .addon = ""},
                       .hello = oct_game_info_default(),
                       .epoch = 1};
    c->def.allocator = &c->allocator;
    c->def.answer_ms = def->answer_ms > 0 ? def->answer_ms : 30000;
    c->def.load_ms = def->load_ms > 0 ? def->load_ms : 60000;
    oct_arena_init(&c->hello_arena, &own);
    oct_arena_init(&c->life_arena, &own);
    oct_arena_init(&c->page_arena, &own);
    oct_arena_init(&c->scratch, &own);
    return c;
}

// A game without a level waits for the reset that names one: until then nobody plays.
static oct_result begin(link_client *c)
{
    OCT_TRY(oct_link_hello(c));
    if (c->def.start) {
        return oct_link_reset(c, c->def.start);
    }
    const oct_result result = oct_link_describe(c);
    if (result == OCT_ERROR_RANGE && c->facts.can_reset) {
        c->now = (link_description){.info = c->hello};
        return OCT_OK;
    }
    return result == OCT_OK ? oct_link_find_bounds(c) : result;
}

oct_result oct_link_play(const link_carrier *carrier, const link_client_def *def, oct_game **out,
                         char *why, size_t why_size)
{
    *out = NULL;
    why[0] = '\0';
    link_client *const c = create(carrier, def);
    if (!c) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result = begin(c);
    c->def.start = NULL;
    if (result != OCT_OK) {
        const char *const text = c->trouble[0]                     ? c->trouble
                                 : result == OCT_ERROR_UNSUPPORTED ? "the game cannot be reset"
                                                                   : oct_result_text(result);
        oct_snprintf(why, why_size, "%s", text);
        free_client(c);
        return result;
    }
    *out = &c->game;
    return OCT_OK;
}

bool oct_link_is_client(const oct_game *game)
{
    return game->ops == &client_ops;
}

link_facts oct_link_facts(const oct_game *game)
{
    return ((const link_client *)game)->facts;
}

void oct_link_forget(oct_game *game, uint32_t who)
{
    link_client *const c = (link_client *)game;
    oct_link_player(c, who)->has_rev = false;
    c->epoch++;
}

void *oct_link_context(const oct_game *game)
{
    return ((const link_client *)game)->def.ctx;
}
