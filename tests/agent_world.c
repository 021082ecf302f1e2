// SPDX-License-Identifier: MIT
#include "agent_world.h"

#include <stdio.h>
#include <string.h>

#define WALL_ID 1000 // and above: blocks that nobody names

oct_point plan_at(int x, int z)
{
    return (oct_point){x * PLAN_CELL, 0, z * PLAN_CELL};
}

// ---- building ----

static void put(block_scene *s, oct_world_block block, const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, number > 0 ? "%s%d" : "%s", name, number);
    block.name = text;
    scene_put_block(s, &block);
}

// A letter's own block; false for walls and room.
static bool put_letter(block_scene *s, char letter, oct_vec cell)
{
    const oct_world_block plain = scene_block(s->grid, (uint64_t)letter, STONE, cell);
    oct_world_block block = plain;
    const char upper = letter >= 'd' && letter <= 'f' ? (char)(letter - 'd' + 'D') : letter;
    block.id = (uint64_t)upper;
    if (upper >= 'D' && upper <= 'F') {
        block.type = DOOR;
        block.label = letter == upper ? OCT_BLOCKED : OCT_OPEN;
        put(s, block, "Door", upper - 'D' + 1);
    } else if (letter >= 'P' && letter <= 'R') {
        block.type = PANEL;
        put(s, block, "Panel", letter - 'P' + 1);
    } else if (letter >= 'L' && letter <= 'N') {
        block.type = LAMP;
        put(s, block, "Lamp", letter - 'L' + 1);
    } else if (letter == 'T') {
        block.type = TARGET;
        put(s, block, "Target", 0);
    } else if (letter == 'X') {
        put(s, block, "Box", 0);
    } else {
        return false;
    }
    return true;
}

static bool is_high(char letter)
{
    return letter == '#' || letter == 'G' || (letter >= 'D' && letter <= 'F') ||
           (letter >= 'd' && letter <= 'f');
}

static void put_cell(block_scene *s, char letter, int x, int z, uint64_t *id)
{
    const bool has_own = put_letter(s, letter, (oct_vec){x, 0, z});
    for (int y = 0; y < 2; y++) {
        if (is_high(letter) && !(has_own && y == 0)) {
            scene_put(s, (*id)++, letter == 'G' ? GLASS : STONE, x, y, z);
        }
    }
    if (letter == 'S') {
        const oct_pose start =
            scene_pose(plan_at(x, z), (oct_point){0, 0, -1}, (oct_point){0, 1, 0});
        assert_int_equal(oct_world_set_start(s->world, &start), OCT_OK);
    }
}

void plan_build(block_scene *s, const char *const *rows)
{
    block_scene_init(s);
    uint64_t id = WALL_ID;
    int z = 0;
    size_t width = 0;
    for (; rows[z]; z++) {
        width = strlen(rows[z]) > width ? strlen(rows[z]) : width;
        for (int x = 0; rows[z][x]; x++) {
            put_cell(s, rows[z][x], x, z, &id);
        }
    }
    const double half = PLAN_CELL / 2.0, right = (double)width * PLAN_CELL - half,
                 down = z * PLAN_CELL - half;
    scene_put_box(s, id++, STONE, (oct_bounds){{-half, -3.0 * half, -half}, {right, -half, down}});
    scene_put_box(s, id++, STONE,
                  (oct_bounds){{-half, 3.0 * half, -half}, {right, 5.0 * half, down}});
}

void plan_play(block_scene *s, const char *const *rows)
{
    plan_build(s, rows);
    scene_play(s);
}

// ---- agents ----

oct_agent *agent_make_as(const block_scene *s, oct_agent_def def)
{
    def.game = s->game;
    oct_agent *agent;
    assert_int_equal(oct_agent_create(&def, &agent), OCT_OK);
    return agent;
}

oct_agent *agent_make(const block_scene *s)
{
    return agent_make_as(s, oct_agent_def_default());
}

oct_pick pick_name(const char *name)
{
    return (oct_pick){.name = name};
}

oct_pick pick_type(const char *type)
{
    return (oct_pick){.type = type};
}

void agent_run(oct_agent *agent, oct_goal *goal, uint64_t turns)
{
    const uint64_t most = 20;
    assert_non_null(goal);
    assert_int_equal(oct_agent_pursue(agent, goal), OCT_OK);
    for (uint64_t i = 0; i < turns && !oct_agent_has_ended(agent); i++) {
        const uint64_t before = oct_game_tick(oct_agent_game(agent));
        oct_goal_status status;
        assert_int_equal(oct_agent_turn(agent, &status), OCT_OK);
        assert_int_equal(status == OCT_GOAL_CURRENT, !oct_agent_has_ended(agent));
        assert_true(oct_game_tick(oct_agent_game(agent)) - before <= most);
        const oct_self *const self = oct_belief_self(oct_agent_belief(agent));
        if (self->bumps > 0) {
            fail_msg("bumped at %.2f, %.2f, %.2f: %s", self->centre.x, self->centre.y,
                     self->centre.z, oct_agent_thought(agent));
        }
    }
}

void agent_check(const oct_agent *agent, oct_verdict verdict, const char *reason)
{
    const char *why;
    const oct_verdict is = oct_agent_verdict(agent, &why);
    if (is != verdict || strcmp(why, reason) != 0) {
        fail_msg("%s: \"%s\" after %u turns, not %s: \"%s\"", oct_verdict_name(is), why,
                 (unsigned)oct_agent_turns(agent), oct_verdict_name(verdict), reason);
    }
}

bool agent_noted(const oct_agent *agent, const char *note)
{
    for (size_t i = 0; i < oct_agent_notes(agent); i++) {
        if (strcmp(oct_agent_note(agent, i), note) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < oct_agent_notes(agent); i++) {
        print_message("noted: %s\n", oct_agent_note(agent, i));
    }
    return false;
}

void scene_expect(block_scene *s, oct_goal *goal, oct_verdict verdict, const char *reason)
{
    oct_agent *const agent = agent_make(s);
    agent_run(agent, goal, 2000);
    agent_check(agent, verdict, reason);
    oct_agent_destroy(agent);
    block_scene_free(s);
}

void plan_expect(const char *const *rows, oct_goal *goal, oct_verdict verdict, const char *reason)
{
    block_scene s;
    plan_play(&s, rows);
    scene_expect(&s, goal, verdict, reason);
}
