// SPDX-License-Identifier: MIT
// The interface of games: what all of them refuse, and who does the rest.
#include "octant/game.h"

#include "base/base_internal.h"

#include <math.h>

const char *oct_act_name(oct_act act)
{
    static const char *const names[] = {"done",       "no target", "no button", "too far",
                                        "in the way", "not held",  "not now"};
    _Static_assert(sizeof names / sizeof *names == OCT_ACT_COUNT, "a name for each");
    return (uint32_t)act < OCT_ACT_COUNT ? names[act] : NULL;
}

const char *oct_assumption_name(oct_assumption assumption)
{
    static const char *const names[] = {"means", "body",  "causes", "memory", "alone",  "delay",
                                        "pace",  "solid", "feet",   "truth",  "toggles"};
    _Static_assert(sizeof names / sizeof *names == OCT_ASSUME_COUNT, "a name for each");
    return (uint32_t)assumption < OCT_ASSUME_COUNT ? names[assumption] : NULL;
}

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
    return game->ops->players(game);
}

oct_result oct_game_join(oct_game *game, const oct_pose *pose, uint32_t *who)
{
    return game->ops->join(game, pose, who);
}

static bool plays(const oct_game *game, uint32_t who)
{
    return who < game->ops->players(game);
}

oct_result oct_game_observe(oct_game *game, uint32_t who, oct_observation *out)
{
    return plays(game, who) ? game->ops->observe(game, who, out) : OCT_ERROR_ARGUMENT;
}

oct_result oct_game_self(oct_game *game, uint32_t who, oct_self *out)
{
    return plays(game, who) ? game->ops->self(game, who, out) : OCT_ERROR_ARGUMENT;
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
    return action->verb != OCT_VERB_SWITCH || (uint32_t)action->gear <= OCT_GEAR_BOOTS;
}

oct_result oct_game_act(oct_game *game, uint32_t who, const oct_action *action, oct_act *came)
{
    oct_act own;
    if (!plays(game, who) || !makes_sense(action)) {
        return OCT_ERROR_ARGUMENT;
    }
    return game->ops->act(game, who, action, came ? came : &own);
}

oct_result oct_game_step(oct_game *game, uint32_t ticks)
{
    return game->ops->step(game, ticks);
}

oct_result oct_game_turn(oct_game *game, uint32_t who, const oct_action *action, oct_act *came)
{
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
    return game->ops->hash(game);
}
