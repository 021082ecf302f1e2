// SPDX-License-Identifier: MIT
// Fuzzes worlds that agents play: bytes become goals and a world, which is played for some turns.
// Whatever the world is, the body stays outside of solids, numbers stay finite, memory comes back,
// and a second run of the same test gives the same bits.
//
// The first bytes choose goals and rules. What follows is a world as text if it begins with '{';
// otherwise each byte is a choice from a small table, ordinary and extreme values among them.

// A map needs more than the text of a world.
#define FUZZ_BYTES_MAX ((size_t)24 << 20)

#include "files/files_internal.h"
#include "fuzz.h"
#include "game/block_probe.h"
#include "octant/play_test.h"

#include <math.h>

#define TURNS_MAX 20
#define BLOCKS_MAX 40
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

// ---- choices ----

// The bytes that are left; 0 for ever behind the last.
typedef struct choices {
    const uint8_t *at, *end;
} choices;

static uint32_t choose(choices *c, size_t count)
{
    return c->at < c->end ? (uint32_t)(*c->at++ % count) : 0;
}

// A length or rate that is at least 0.
static double choose_size(choices *c)
{
    static const double sizes[] = {1.0,  0.0,  0.5,   2.5,  0.1,  3.0,  5.0,    7.3,  10.0,
                                   20.0, 60.0, 300.0, 1e-3, 1e-9, 1e4,  1e6,    1e12, 1e300,
                                   0.9,  1.8,  2.0,   4.0,  1.5,  0.25, 1.0001, 12.5};
    return sizes[choose(c, COUNT_OF(sizes))];
}

// A place or direction: mostly near, in steps that are and are not multiples of cells.
static double choose_place(choices *c)
{
    static const double far[] = {1e3, -1e3, 1e6, -1e6, 1e9, -1e9, 1e15, -1e300};
    const uint32_t byte = choose(c, 256);
    return byte < 248 ? ((double)byte - 124.0) / 8.0 : far[byte - 248];
}

static oct_point choose_point(choices *c)
{
    const double x = choose_place(c), y = choose_place(c), z = choose_place(c);
    return (oct_point){x, y, z};
}

static int32_t choose_cell(choices *c)
{
    const int32_t byte = (int32_t)choose(c, 256);
    return byte < 250 ? byte % 9 - 4 : (byte % 2 ? 1 : -1) * ((1 << 20) - byte);
}

static oct_pose choose_pose(choices *c)
{
    static const oct_point axes[] = {{0, 0, -1}, {0, 1, 0},      {1, 0, 0},      {0, 0, 1},
                                     {0, -1, 0}, {0.6, 0, -0.8}, {0, 0.8, -0.6}, {-1, 0, 0}};
    oct_pose pose = {.position = choose_point(c)};
    pose.forward = axes[choose(c, COUNT_OF(axes))];
    pose.up = axes[choose(c, COUNT_OF(axes))];
    return pose;
}

// ---- worlds ----

// What makes no sense the world refuses, which is no finding.
static void add_types(oct_world *world)
{
    static const oct_world_type types[] = {
        {"stone", true, OCT_KIND_SOLID, 0, {1, 1, 1}, 100.0},
        {"door", true, OCT_KIND_DOOR, 0, {1, 1, 1}, 100.0},
        {"panel", true, OCT_KIND_PANEL, 4, {1, 1, 1}, 20.0},
        {"timer", true, OCT_KIND_TIMER, 0, {1, 1, 1}, 20.0},
        {"target", true, OCT_KIND_TARGET, 0, {1, 1, 1}, 1e-3},
        {"glass", false, OCT_KIND_SOLID, 0, {3, 1, 2}, 50.0},
        {"gate", true, OCT_KIND_DOOR, 0, {2, 3, 1}, 1e9},
    };
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        (void)oct_world_define(world, &types[i], NULL);
    }
}

static void add_grids(choices *c, oct_world *world)
{
    const uint32_t count = 1 + choose(c, 3);
    for (uint32_t i = 0; i < count; i++) {
        oct_world_grid grid = {.id = 1000 + i, .name = "grid", .pose = choose_pose(c)};
        grid.cell = choose_size(c);
        if (choose(c, 2) == 1) {
            grid.drift = choose_point(c);
            grid.range = choose_size(c);
        }
        (void)oct_world_add_grid(world, &grid, NULL);
    }
}

static void add_block(choices *c, oct_world *world, uint64_t id)
{
    static const char *const names[] = {"a", "b", "", "Door1", "\xc3\xa4"};
    oct_world_block block = {.id = id, .label = OCT_BLOCKED};
    block.type = choose(c, oct_world_types(world));
    block.name = names[choose(c, COUNT_OF(names))];
    block.placed = choose(c, 4) != 3;
    if (block.placed) {
        block.grid = choose(c, 3);
        const uint32_t turned = choose(c, 36);
        block.forward = (uint8_t)(turned % 6);
        block.up = (uint8_t)(turned == 0 ? OCT_SIDE_UP : turned / 6);
        block.cell.x = choose_cell(c);
        block.cell.y = choose_cell(c);
        block.cell.z = choose_cell(c);
    } else {
        block.box.min = choose_point(c);
        const double width = choose_size(c), height = choose_size(c), depth = choose_size(c);
        const oct_point low = block.box.min;
        block.box.max = (oct_point){low.x + width, low.y + height, low.z + depth};
    }
    block.delay = block.type == 3 ? choose_size(c) : 0.0;
    block.label = block.type == 1 && choose(c, 2) ? OCT_OPEN : OCT_BLOCKED;
    (void)oct_world_add(world, &block);
    if (block.type == 2 || block.type == 3) {
        const oct_world_wire wire = {.from = id,
                                     .slot = choose(c, 5),
                                     .action = (uint8_t)choose(c, OCT_WIRE_COUNT),
                                     .to = choose(c, BLOCKS_MAX)};
        (void)oct_world_add_wire(world, &wire);
    }
}

static void choose_rules(choices *c, oct_world *world)
{
    oct_world_rules rules = oct_world_rules_of(world);
    const uint32_t which = choose(c, 16);
    rules.view = 3.0 + (double)choose(c, 4);
    rules.sight = which & 1 ? OCT_SIGHT_THROUGH : OCT_SIGHT_LINE;
    if (which & 2) {
        rules.acceleration = choose_size(c);
        rules.speed = choose_size(c);
        rules.turn = choose_size(c);
        rules.walk = choose_size(c);
    }
    if (which & 4) {
        rules.jump = choose_size(c);
        rules.door = choose_size(c);
        rules.reach = choose_size(c);
        rules.grind = choose_size(c);
    }
    if (which & 8) {
        rules.gravity = choose_point(c);
    }
    (void)oct_world_set_rules(world, &rules);
}

static oct_world *make_world(choices *c, const oct_allocator *allocator)
{
    oct_world *world;
    if (oct_world_create(&(oct_world_def){allocator}, &world) != OCT_OK) {
        return NULL;
    }
    (void)oct_world_set_axes(world, (oct_up)choose(c, 3), choose(c, 2) == 1);
    add_types(world);
    choose_rules(c, world);
    const oct_pose start = choose_pose(c);
    (void)oct_world_set_start(world, &start);
    add_grids(c, world);
    for (uint64_t id = 1; id <= BLOCKS_MAX && c->at < c->end; id++) {
        add_block(c, world, id);
    }
    return world;
}

static oct_world *load_world(choices *c, const oct_allocator *allocator)
{
    if (c->at == c->end || *c->at != '{') {
        return make_world(c, allocator);
    }
    oct_world *world;
    oct_error error;
    const size_t size = (size_t)(c->end - c->at);
    if (oct_world_decode(c->at, size, allocator, &world, NULL, &error) != OCT_OK) {
        return NULL;
    }
    // What one sees costs time, and is not what is tried here.
    oct_world_rules rules = oct_world_rules_of(world);
    rules.view = rules.view < 5.0 ? rules.view : 5.0;
    (void)oct_world_set_rules(world, &rules);
    return world;
}

// ---- goals ----

typedef struct fuzz_test {
    uint8_t goals[4];
    const oct_allocator *allocator;
} fuzz_test;

static bool is_whole(void *ctx, const oct_belief *belief, const oct_known *known)
{
    (void)ctx;
    (void)belief;
    return known != NULL;
}

static bool is_never(void *ctx, oct_mind *mind)
{
    (void)ctx;
    (void)mind;
    return false;
}

static oct_pick make_pick(uint8_t choice)
{
    static const char *const types[] = {"door", "panel", "target", "timer", "stone"};
    switch (choice % 5) {
    case 0:
        return (oct_pick){.type = types[choice / 5 % COUNT_OF(types)]};
    case 1:
        return (oct_pick){.name = "a"};
    case 2:
        return (oct_pick){.id = choice / 5 % BLOCKS_MAX, .by_id = true};
    case 3:
        return (oct_pick){.by_place = true, .place = {choice / 16.0, -choice / 32.0, 1.0}};
    default:
        return (oct_pick){.name = "Door1", .type = "door"};
    }
}

static oct_goal *make_goal(const oct_allocator *allocator, uint8_t kind, uint8_t detail)
{
    static const char *const doors[] = {"a", "Door1"};
    const oct_pick pick = make_pick(detail);
    const oct_point point = {detail / 8.0 - 16.0, detail % 7 - 3.0, detail % 11 - 5.0};
    const oct_side side = (oct_side)(detail % 7);
    switch (kind % 17) {
    case 0:
        return oct_goal_smart_close_to_block(allocator, &pick, side, 0.0);
    case 1:
        return oct_goal_close_to(allocator, point, detail / 100.0);
    case 2:
        return oct_goal_close_to_block(allocator, &pick, side, detail / 50.0);
    case 3:
        return oct_goal_explore(allocator);
    case 4:
        return oct_goal_explore_to(allocator, point, 0.5);
    case 5:
        return oct_goal_explore_to_find(allocator, &pick);
    case 6:
        return oct_goal_interacted(allocator, &pick, detail % 5);
    case 7:
        return oct_goal_face_towards(allocator, detail % 2 ? &pick : NULL, point);
    case 8:
        return oct_goal_entity_in_range(allocator, &pick, detail % 4);
    case 9:
        return oct_goal_ground_down(allocator, &pick);
    case 10:
        return oct_goal_placed(allocator, "stone", &pick, (oct_side)(detail % 6));
    case 11:
        return oct_goal_opens_only(allocator, &(oct_link_claim){"b", detail % 4, doors, 2, 0});
    case 12:
        return oct_goal_links_are(allocator, &(oct_link_claim){"b", 0, doors, detail % 3, 0}, 1);
    case 13:
        return oct_goal_check_all(allocator, &pick, "is whole", is_whole, (oct_hook){0});
    case 14:
        return oct_goal_press_button(allocator, &pick, detail % 5);
    case 15:
        return oct_goal_wait_until(allocator, "never", is_never, (oct_hook){0}, detail * 3);
    default:
        return oct_goal_close_to_button(allocator, &pick);
    }
}

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    const fuzz_test *const test = ctx;
    const uint8_t *const g = test->goals;
    const oct_allocator *const allocator = test->allocator;
    (void)agent;
    oct_goal *const both[] = {make_goal(allocator, g[0], g[1]), make_goal(allocator, g[2], g[3])};
    switch (g[0] / 17 % 3) {
    case 0:
        *goal = oct_goal_seq(allocator, both, 2);
        break;
    case 1:
        *goal = oct_goal_first_of(allocator, both, 2);
        break;
    default:
        *goal = oct_goal_any_of(allocator, both, 2);
        break;
    }
    return *goal ? OCT_OK : OCT_ERROR_MEMORY;
}

// ---- playing ----

static bool is_finite_point(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static void check_turn(void *ctx, oct_agent *const *agents, size_t count)
{
    (void)ctx;
    oct_game *const game = oct_agent_game(agents[0]);
    for (uint32_t i = 0; i < count; i++) {
        oct_self self;
        FUZZ_CHECK(oct_game_self(game, i, &self) == OCT_OK);
        FUZZ_CHECK(is_finite_point(self.pose.position) && is_finite_point(self.velocity));
        FUZZ_CHECK(is_finite_point(self.pose.forward) && is_finite_point(self.pose.up));
        FUZZ_CHECK(self.health >= 0.0 && self.health <= 1.0);
        FUZZ_CHECK(oct_block_world_clearance(game, i, 1.0) >= 0.0);
    }
}

static oct_result play(const uint8_t *data, size_t size, const oct_allocator *allocator,
                       oct_play_result *out)
{
    static const double cells[] = {0.6, 1.0, 0.9, 319.0 / 1024.0};
    choices c = {data, data + size};
    fuzz_test test = {.allocator = allocator};
    for (size_t i = 0; i < COUNT_OF(test.goals); i++) {
        test.goals[i] = (uint8_t)choose(&c, 256);
    }
    const uint32_t more = choose(&c, 32), agent_count = 1 + more % 8 / 7, cell = more / 8;
    oct_world *const world = load_world(&c, allocator);
    if (!world) {
        return OCT_ERROR_FORMAT;
    }
    oct_test_agent agents[2] = {oct_test_agent_default(), oct_test_agent_default()};
    for (uint32_t i = 0; i < agent_count; i++) {
        agents[i].agent.name = i == 0 ? "first" : "second";
        agents[i].agent.belief.cell = cells[cell];
        agents[i].begin = begin;
        agents[i].ctx = &test;
    }
    oct_test_def def = oct_test_def_default();
    def.world = world;
    def.turns = TURNS_MAX;
    def.agents = agents;
    def.agent_count = agent_count;
    const oct_play_watch watch = {.turned = check_turn};
    const oct_play_options options = {.watches = &watch, .watch_count = 1, .allocator = allocator};
    const oct_result result = oct_play_test(&def, &options, out);
    oct_world_destroy(world);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0, used_again = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    const oct_allocator limited_again = {fuzz_alloc, fuzz_free, &used_again};
    oct_play_result first, second;
    const oct_result result = play(data, size, &limited, &first);
    FUZZ_CHECK(result == OCT_OK || result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
    if (result == OCT_OK) {
        FUZZ_CHECK(first.verdict < OCT_VERDICT_COUNT);
        FUZZ_CHECK((first.verdict == OCT_VERDICT_PASS) == (first.reason[0] == '\0'));
        FUZZ_CHECK(first.explored >= 0.0 && first.explored <= 1.0);
    }
    // Every fourth input is played again.
    if (result == OCT_OK && size % 4 == 0) {
        FUZZ_CHECK(play(data, size, &limited_again, &second) == OCT_OK);
        FUZZ_CHECK(first.hash == second.hash && first.verdict == second.verdict);
        FUZZ_CHECK(first.turns == second.turns && first.ticks == second.ticks);
        FUZZ_CHECK(strcmp(first.reason, second.reason) == 0);
        oct_play_result_free(&second);
    }
    if (result == OCT_OK) {
        oct_play_result_free(&first);
    }
    FUZZ_CHECK(used == 0 && used_again == 0);
    return 0;
}
