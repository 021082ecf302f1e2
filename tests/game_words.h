// SPDX-License-Identifier: MIT
// What tests say of games in a word: bodies like those of the block world, rules of flight.
#ifndef OCTANT_TESTS_GAME_WORDS_H
#define OCTANT_TESTS_GAME_WORDS_H

#include "agent/flight_model.h"
#include "octant/block_world.h"

// A body that flies as the block world's do by its usual rules.
static inline oct_player_body flying_body(void)
{
    static const char *const verbs[] = {"move", "jump", "use", "jetpack", "dampeners", "boots"};
    const oct_world_rules rules = oct_world_rules_default();
    oct_player_body body = oct_player_body_default();
    body.eye = body.height / 2.0;
    body.gait = OCT_GAIT_BOTH;
    body.tumbles = true;
    body.speed = rules.speed;
    body.acceleration = body.brake = rules.acceleration;
    body.brakes_axes = body.uses_all_around = true;
    body.turn = rules.turn;
    body.reach = rules.reach;
    body.walk = rules.walk;
    body.jump = rules.jump;
    body.verbs = verbs;
    body.verb_count = sizeof verbs / sizeof *verbs;
    return body;
}

static inline oct_player_body flying_body_like(const oct_world_rules *rules)
{
    oct_player_body body = flying_body();
    body.speed = rules->speed;
    body.acceleration = rules->acceleration;
    body.turn = rules->turn;
    body.walk = rules->walk;
    return body;
}

static inline flight_rules flight_rules_like(const oct_world_rules *rules)
{
    const oct_player_body body = flying_body_like(rules);
    return oct_flight_rules_of(&body, 60.0);
}

#endif
