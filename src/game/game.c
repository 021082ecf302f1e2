// SPDX-License-Identifier: MIT
// The interface of games: what all of them refuse, what stands for what one does not do, and who
// does the rest.
#include "octant/game.h"

#include "base/base_internal.h"

#include <math.h>

// ---- names ----

const char *oct_act_name(oct_act act)
{
    static const char *const names[] = {"done",       "no target", "no button", "too far",
                                        "in the way", "not held",  "not now",   "refused"};
    _Static_assert(sizeof names / sizeof *names == OCT_ACT_COUNT, "a name for each");
    return (uint32_t)act < OCT_ACT_COUNT ? names[act] : NULL;
}

const char *oct_verb_name(oct_verb verb)
{
    static const char *const names[] = {"keep", "wait", "move", "jump", "use", "do"};
    _Static_assert(sizeof names / sizeof *names == OCT_VERB_COUNT, "a name for each");
    return (uint32_t)verb < OCT_VERB_COUNT ? names[verb] : NULL;
}

const char *oct_entity_kind_name(oct_entity_kind kind)
{
    static const char *const names[] = {"solid", "door",  "button", "hazard", "item",
                                        "goal",  "actor", "player", "mover"};
    _Static_assert(sizeof names / sizeof *names == OCT_ENTITY_COUNT, "a name for each");
    return (uint32_t)kind < OCT_ENTITY_COUNT ? names[kind] : NULL;
}

oct_label oct_entity_label(const oct_entity *e, bool is_solid)
{
    const bool has_left = e->kind == OCT_ENTITY_DOOR && !e->has_gap && e->opening >= 1.0;
    return is_solid && !has_left ? OCT_BLOCKED : OCT_OPEN;
}

const char *oct_assumption_name(oct_assumption assumption)
{
    static const char *const names[] = {"means", "body",  "causes", "memory", "alone",  "delay",
                                        "pace",  "solid", "feet",   "truth",  "toggles"};
    _Static_assert(sizeof names / sizeof *names == OCT_ASSUME_COUNT, "a name for each");
    return (uint32_t)assumption < OCT_ASSUME_COUNT ? names[assumption] : NULL;
}

// ---- defaults ----

static const oct_player_body default_body = {.height = 1.8,
                                             .width = 1.0,
                                             .eye = 0.9 * 1.8,
                                             .gait = OCT_GAIT_WALK,
                                             .speed = 4.0,
                                             .turn = 6.283185307179586,
                                             .reach = 2.5,
                                             .walk = OCT_NOT_TOLD,
                                             .step = OCT_NOT_TOLD,
                                             .slope = OCT_NOT_TOLD,
                                             .climb = OCT_NOT_TOLD,
                                             .leap = OCT_NOT_TOLD,
                                             .air = OCT_NOT_TOLD,
                                             .fall = OCT_NOT_TOLD,
                                             .hurts = OCT_NOT_TOLD,
                                             .low = OCT_NOT_TOLD};

oct_game_info oct_game_info_default(void)
{
    return (oct_game_info){.game = "",
                           .level = "",
                           .rate = 60.0,
                           .up = OCT_UP_Z,
                           .metre = 1.0,
                           .view = 20.0,
                           .sight = OCT_SIGHT_LINE};
}

oct_player_body oct_player_body_default(void)
{
    return default_body;
}

bool oct_player_body_has(const oct_player_body *body, const char *verb)
{
    for (size_t i = 0; i < body->verb_count; i++) {
        if (strcmp(body->verbs[i], verb) == 0) {
            return true;
        }
    }
    return false;
}

// ---- properties ----

const oct_property *oct_property_find(const oct_property *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

double oct_property_number(const oct_property *all, size_t count, const char *name, double other)
{
    const oct_property *const p = oct_property_find(all, count, name);
    return p && p->kind != OCT_VALUE_TEXT ? p->number : other;
}

bool oct_property_is_equal(const oct_property *a, const oct_property *b)
{
    return a->kind == b->kind && (a->name == b->name || strcmp(a->name, b->name) == 0) &&
           (a->kind == OCT_VALUE_TEXT ? strcmp(a->text, b->text) == 0 : a->number == b->number);
}

// ---- asking ----

void oct_game_destroy(oct_game *game)
{
    if (game) {
        game->ops->destroy(game);
    }
}

const oct_game_info *oct_game_describe(const oct_game *game)
{
    return game->ops->describe(game);
}

uint32_t oct_game_players(const oct_game *game)
{
    return game->ops->players ? game->ops->players(game) : 1;
}

oct_result oct_game_join(oct_game *game, const oct_pose *pose, uint32_t *who)
{
    return game->ops->join ? game->ops->join(game, pose, who) : OCT_ERROR_UNSUPPORTED;
}

static bool plays(const oct_game *game, uint32_t who)
{
    return who < oct_game_players(game);
}

oct_result oct_game_body(const oct_game *game, uint32_t who, const oct_player_body **out)
{
    *out = &default_body;
    if (!plays(game, who)) {
        return OCT_ERROR_ARGUMENT;
    }
    if (game->ops->body) {
        *out = game->ops->body(game, who);
    }
    return OCT_OK;
}

oct_result oct_game_observe(oct_game *game, uint32_t who, oct_observation *out)
{
    return plays(game, who) ? game->ops->observe(game, who, out) : OCT_ERROR_ARGUMENT;
}

oct_result oct_game_self(oct_game *game, uint32_t who, oct_self *out)
{
    return plays(game, who) ? game->ops->self(game, who, out) : OCT_ERROR_ARGUMENT;
}

oct_result oct_game_scenery(oct_game *game, size_t from, oct_scenery_page *out)
{
    *out = (oct_scenery_page){0};
    return game->ops->scenery ? game->ops->scenery(game, from, out) : OCT_OK;
}

// ---- acting ----

static bool is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool is_share(double part)
{
    return part >= -1.0 && part <= 1.0;
}

static bool takes_time(const oct_action *action)
{
    return action->verb == OCT_VERB_KEEP || action->verb == OCT_VERB_WAIT ||
           action->verb == OCT_VERB_MOVE;
}

static bool makes_sense(const oct_action *action)
{
    if ((uint32_t)action->verb >= OCT_VERB_COUNT ||
        (takes_time(action) && (action->ticks < 1 || action->ticks > OCT_ACTION_TICKS_MAX))) {
        return false;
    }
    if (action->verb == OCT_VERB_MOVE) {
        return is_finite(action->move) && is_share(action->rotate.x) &&
               is_share(action->rotate.y) && is_share(action->rotate.z);
    }
    return action->verb != OCT_VERB_DO || (action->name && isfinite(action->number));
}

oct_result oct_game_act(oct_game *game, uint32_t who, const oct_action *action, oct_act *came)
{
    oct_act own;
    if (!plays(game, who) || !makes_sense(action)) {
        return OCT_ERROR_ARGUMENT;
    }
    return game->ops->act(game, who, action, came ? came : &own);
}

const char *oct_game_refusal(const oct_game *game)
{
    return game->ops->refusal ? game->ops->refusal(game) : "";
}

oct_result oct_game_step(oct_game *game, uint32_t ticks)
{
    return game->ops->step(game, ticks);
}

oct_result oct_game_turn(oct_game *game, uint32_t who, const oct_action *action, oct_act *came)
{
    if (game->ops->turn) {
        oct_act own;
        return plays(game, who) && makes_sense(action)
                   ? game->ops->turn(game, who, action, came ? came : &own)
                   : OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(oct_game_act(game, who, action, came));
    if (oct_game_describe(game)->delay_max > 0) {
        return OCT_OK;
    }
    return oct_game_step(game, takes_time(action) ? action->ticks : 1);
}

uint64_t oct_game_tick(const oct_game *game)
{
    return game->ops->tick(game);
}

uint64_t oct_game_hash(const oct_game *game)
{
    return game->ops->hash ? game->ops->hash(game) : 0;
}

oct_result oct_game_reset(oct_game *game, const oct_game_start *start)
{
    const oct_game_start again = {0};
    return game->ops->reset ? game->ops->reset(game, start ? start : &again)
                            : OCT_ERROR_UNSUPPORTED;
}

const char *oct_game_trouble(const oct_game *game)
{
    return game->ops->trouble ? game->ops->trouble(game) : "";
}
