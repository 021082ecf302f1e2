// SPDX-License-Identifier: MIT
// A first agent: it is put into a level that it has never seen, and told what to reach.
#include <octant/play.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Three doors, A to C, and four buttons. 1 toggles A; 3 toggles all three doors, after a second;
// 4 toggles A; 2 does nothing. The agent starts at @ and shall reach T.
static const char *const plan[] = {"#################", "#.........3#....#", "#..........B....#",
                                   "#..#########...4#", "#..#########....#", "#..##############",
                                   "#A###############", "#......1..#.....#", "#...@.....#.....#",
                                   "#.........C....T#", "#....2....#.....#", "#.........#.....#",
                                   "#################"};
enum { ROWS = sizeof plan / sizeof *plan, TIMER = 5 };
#define EDGE 2.5 // of a block, metres

static const oct_world_type types[] = {{"wall", true, OCT_KIND_SOLID, 0, {1, 1, 1}, 100},
                                       {"door", true, OCT_KIND_DOOR, 0, {1, 1, 1}, 100},
                                       {"panel", true, OCT_KIND_PANEL, 1, {1, 1, 1}, 100},
                                       {"timer", true, OCT_KIND_TIMER, 0, {1, 1, 1}, 100},
                                       {"target", true, OCT_KIND_TARGET, 0, {1, 1, 1}, 100}};
static const oct_world_wire wires[] = {
    {'1', 0, OCT_WIRE_TOGGLE, 'A', ""},   {'3', 0, OCT_WIRE_START, TIMER, ""},
    {TIMER, 0, OCT_WIRE_TOGGLE, 'A', ""}, {TIMER, 1, OCT_WIRE_TOGGLE, 'B', ""},
    {TIMER, 2, OCT_WIRE_TOGGLE, 'C', ""}, {'4', 0, OCT_WIRE_TOGGLE, 'A', ""}};

static void check(oct_result result)
{
    if (result != OCT_OK) {
        fprintf(stderr, "%s\n", oct_result_text(result));
        exit(1);
    }
}

// A block of so many cells, from a cell of the plan on.
static void add(oct_world *world, uint64_t id, const char *name, uint32_t type, oct_vec at,
                oct_vec size)
{
    const oct_point min = {at.x * EDGE, -(at.y + size.y) * EDGE, at.z * EDGE};
    const oct_point max = {min.x + size.x * EDGE, min.y + size.y * EDGE, min.z + size.z * EDGE};
    const oct_world_block block = {.id = id,
                                   .name = name,
                                   .type = type,
                                   .label = OCT_BLOCKED,
                                   .box = {min, max},
                                   .delay = type == 3 ? 1.0 : 0.0};
    check(oct_world_add(world, &block));
}

static oct_world *build(void)
{
    oct_world *world;
    check(oct_world_create(NULL, &world));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        check(oct_world_define(world, &types[i], NULL));
    }
    const int columns = (int)strlen(plan[0]);
    add(world, 1, "floor", 0, (oct_vec){0, 0, -1}, (oct_vec){columns, ROWS, 1});
    add(world, 2, "ceiling", 0, (oct_vec){0, 0, 1}, (oct_vec){columns, ROWS, 1});
    add(world, TIMER, "timer", 3, (oct_vec){0, 0, 2}, (oct_vec){1, 1, 1});
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < columns; x++) {
            const char c = plan[y][x], name[] = {c, '\0'};
            const bool is_door = c >= 'A' && c <= 'C', is_panel = c >= '1' && c <= '4';
            if (c == '@') {
                const oct_point feet = {(x + 0.5) * EDGE, -(y + 0.5) * EDGE, 0.1};
                check(oct_world_set_start(world, &(oct_pose){feet, {1, 0, 0}, {0, 0, 1}}));
            } else if (c == '#') {
                add(world, 1000u + (uint64_t)(y * columns + x), "", 0, (oct_vec){x, y, 0},
                    (oct_vec){1, 1, 1});
            } else if (c != '.') {
                add(world, (uint64_t)c, name,
                    is_door    ? 1
                    : is_panel ? 2
                               : 4,
                    (oct_vec){x, y, 0}, (oct_vec){1, 1, 1});
            }
        }
    }
    for (size_t i = 0; i < sizeof wires / sizeof *wires; i++) {
        check(oct_world_add_wire(world, &wires[i]));
    }
    return world;
}

// All that it is certain of.
static void tell_links(const oct_links *links)
{
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        for (uint32_t k = 0; k < oct_links_doors(links); k++) {
            if (oct_links_get(links, i, k) == OCT_LINK_YES) {
                printf("%c toggles %c\n", (char)oct_links_button(links, i).panel,
                       (char)oct_links_door(links, k));
            }
        }
    }
}

int main(void)
{
    oct_world *const world = build();
    oct_agent_def def = oct_agent_def_default();
    // A game to play in.
    check(oct_block_world_create(&(oct_block_world_def){.world = world}, &def.game));
    oct_agent *agent;
    check(oct_agent_create(&def, &agent));

    // Be beside the target, whatever that takes, within ten minutes of the game.
    const oct_pick target = {.type = "target"};
    oct_goal *const goal = oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0);
    check(oct_agent_pursue(agent, oct_goal_limit(goal, 0, 600 * OCT_BLOCK_WORLD_RATE)));

    char before[128] = "";
    while (!oct_agent_has_ended(agent)) {
        oct_goal_status status;
        check(oct_agent_turn(agent, &status)); // one look, one action
        if (strcmp(oct_agent_thought(agent), before) != 0) {
            snprintf(before, sizeof before, "%s", oct_agent_thought(agent));
            printf("%5.1f s: %s\n", (double)oct_game_tick(def.game) / OCT_BLOCK_WORLD_RATE, before);
        }
    }
    const char *reason;
    const oct_verdict verdict = oct_agent_verdict(agent, &reason);
    printf("%s after %d turns%s%s\n", oct_verdict_name(verdict), (int)oct_agent_turns(agent),
           reason[0] ? ": " : "", reason);
    tell_links(oct_belief_links(oct_agent_belief(agent)));
    oct_agent_destroy(agent);
    oct_game_destroy(def.game);
    oct_world_destroy(world);
    return verdict == OCT_VERDICT_PASS ? 0 : 1;
}
