// SPDX-License-Identifier: MIT
// Whether a world can be played from where it starts: asked of the game itself.
#include "octant/block_world.h"

#include "base/base_internal.h"
#include "base/print.h"

#include <stdio.h>

static oct_result try_pose(oct_game *game, const oct_pose *may_be_null, bool has_start)
{
    uint32_t who;
    if (may_be_null) {
        return oct_game_join(game, may_be_null, &who);
    }
    return has_start && oct_game_players(game) == 0 ? OCT_ERROR_RANGE : OCT_OK;
}

oct_result oct_block_world_check_room(const oct_world *world, const oct_pose *pose,
                                      const oct_allocator *allocator, oct_problem_fn *tell,
                                      void *ctx)
{
    char text[OCT_PROBLEM_TEXT];
    oct_problem problem = {.kind = OCT_PROBLEM_ROOM,
                           .severity = OCT_SEVERITY_ERROR,
                           .about = OCT_ABOUT_START,
                           .text = text};
    oct_game *game;
    oct_pose start = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const bool has_start = oct_world_start(world, &start);
    oct_result result = oct_block_world_create(&(oct_block_world_def){world, allocator}, &game);
    if (result == OCT_ERROR_MEMORY) {
        return result;
    }
    if (result != OCT_OK) {
        problem.about = OCT_ABOUT_WORLD;
        (void)snprintf(text, sizeof text,
                       "it cannot be played: a place, a speed or the number of effects is out of "
                       "range");
        tell(ctx, &problem);
        return OCT_OK;
    }
    result = try_pose(game, pose, has_start);
    oct_game_destroy(game);
    if (result != OCT_OK && result != OCT_ERROR_MEMORY) {
        const oct_point at = pose ? pose->position : start.position;
        (void)oct_snprintf(text, sizeof text,
                           "there is no room for a body at the start, %g, %g, %g", at.x, at.y,
                           at.z);
        tell(ctx, &problem);
        result = OCT_OK;
    }
    return result;
}

oct_result oct_block_world_check(const oct_world *world, const oct_allocator *allocator,
                                 oct_problem_fn *tell, void *ctx)
{
    OCT_TRY(oct_world_check(world, allocator, tell, ctx));
    return oct_block_world_check_room(world, NULL, allocator, tell, ctx);
}
