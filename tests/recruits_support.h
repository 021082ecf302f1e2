// SPDX-License-Identifier: MIT
// Levels and games of the lab world for tests.
#ifndef OCTANT_TESTS_RECRUITS_SUPPORT_H
#define OCTANT_TESTS_RECRUITS_SUPPORT_H

#include "game/recruits_internal.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline oct_recruits_level *recruits_read(const char *text, size_t size)
{
    oct_recruits_level *level;
    assert_int_equal(oct_recruits_level_read(text, size, NULL, &level, NULL), OCT_OK);
    return level;
}

static inline oct_game *recruits_game(oct_recruits_level *level)
{
    oct_game *game;
    oct_recruits_world_def def = oct_recruits_world_def_default();
    def.level = level;
    assert_int_equal(oct_recruits_world_create(&def, &game), OCT_OK);
    return game;
}

static inline oct_game *recruits_play(const char *text)
{
    return recruits_game(recruits_read(text, strlen(text)));
}

// A level of the game itself; NULL where there is none.
static inline oct_game *recruits_load(const char *name)
{
    char path[4096], relative[300];
    size_t size;
    snprintf(relative, sizeof relative, "labrecruits/%s", name);
    if (!test_data_path(relative, path, sizeof path)) {
        return NULL;
    }
    char *const data = test_read_file(path, &size);
    oct_game *const game = recruits_game(recruits_read(data, size));
    free(data);
    return game;
}

static inline oct_point feet_of(oct_game *game, uint32_t who)
{
    oct_self self;
    assert_int_equal(oct_game_self(game, who, &self), OCT_OK);
    return self.pose.position;
}

static inline recruits_thing *thing_named(oct_game *game, const char *id)
{
    const recruits_world *const g = oct_recruits_inside(game);
    const uint32_t index = oct_recruits_thing_of(g, id);
    assert_true(index != RECRUITS_NONE);
    return thing_at(g, index);
}

static inline void pass(oct_game *game, uint32_t ticks)
{
    assert_int_equal(oct_game_step(game, ticks), OCT_OK);
}

// Goes straight to a place for at most so many ticks; whether it came as near as that.
static inline bool go_near(oct_game *game, uint32_t who, double x, double z, double near,
                           uint32_t ticks)
{
    recruits_world *const g = oct_recruits_inside(game);
    for (uint32_t i = 0; i < ticks; i++) {
        const oct_point feet = feet_of(game, who);
        if (hypot(feet.x - x, feet.z - z) < near) {
            return true;
        }
        // A target that is near would be dropped: one behind it is not.
        const double ahead = near < 0.33 ? 1.0 / hypot(feet.x - x, feet.z - z) : 0.0;
        const oct_point to = {x + ahead * (x - feet.x), feet.y, z + ahead * (z - feet.z)};
        oct_recruits_go(g, who, to, false);
        pass(game, 1);
    }
    return false;
}

// The same within 0.33 m.
static inline bool go_to(oct_game *game, uint32_t who, double x, double z, uint32_t ticks)
{
    return go_near(game, who, x, z, 0.33, ticks);
}

static inline oct_act press(oct_game *game, uint32_t who, const char *id)
{
    const recruits_world *const g = oct_recruits_inside(game);
    const oct_action use = {.verb = OCT_VERB_USE,
                            .target = thing_number(g, oct_recruits_thing_of(g, id))};
    oct_act came;
    assert_int_equal(oct_game_act(game, who, &use, &came), OCT_OK);
    return came;
}

#endif
