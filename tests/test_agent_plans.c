// SPDX-License-Identifier: MIT
// Agents in random plans against a flood of them: whoever can be reached is reached, and whoever
// cannot is called so for certain.
#include "agent_world.h"

#include "base/base_internal.h"

#include <stdio.h>
#include <string.h>

#define ROWS_MAX 12
#define COLUMNS_MAX 14

// A plan, two cells high; doors D and E, of which a panel may toggle the first.
typedef struct drawing {
    int width, height;
    char rows[ROWS_MAX][COLUMNS_MAX + 1];
    bool is_wired;
    bool is_open;                           // the first door
    bool reached[2][ROWS_MAX][COLUMNS_MAX]; // by level, row, column
} drawing;

static uint32_t below(oct_random *random, int n)
{
    return (uint32_t)oct_random_below(random, (uint64_t)n);
}

// Puts a letter where there is nothing; false where that is not found.
static bool put(drawing *d, oct_random *random, char letter)
{
    for (int i = 0; i < 60; i++) {
        char *const at =
            &d->rows[1 + below(random, d->height - 2)][1 + below(random, d->width - 2)];
        if (*at == '.') {
            *at = letter;
            return true;
        }
    }
    return false;
}

static bool is_gap(const drawing *d, int x, int z)
{
    return d->rows[z][x] == '#' && ((d->rows[z][x - 1] == '#' && d->rows[z][x + 1] == '#') ||
                                    (d->rows[z - 1][x] == '#' && d->rows[z + 1][x] == '#'));
}

static bool draw(drawing *d, oct_random *random)
{
    *d = (drawing){.width = 5 + (int)below(random, COLUMNS_MAX - 5),
                   .height = 5 + (int)below(random, ROWS_MAX - 5)};
    const uint32_t walls = 20 + below(random, 45), glass = below(random, 20);
    for (int z = 0; z < d->height; z++) {
        for (int x = 0; x < d->width; x++) {
            const bool is_edge = x == 0 || z == 0 || x == d->width - 1 || z == d->height - 1;
            const bool is_wall = is_edge || below(random, 100) < walls;
            const bool is_glass = !is_edge && below(random, 100) < glass;
            d->rows[z][x] = !is_wall ? '.' : is_glass ? 'G' : '#';
        }
    }
    int doors = 0;
    for (int z = 1; z < d->height - 1; z++) {
        for (int x = 1; x < d->width - 1; x++) {
            if (doors < 2 && is_gap(d, x, z) && below(random, 4) == 0) {
                d->rows[z][x] = "DE"[doors++];
            }
        }
    }
    d->is_wired = put(d, random, 'P') && doors > 0 && below(random, 4) > 0;
    return put(d, random, 'S') && put(d, random, 'T');
}

// ---- the oracle ----

static bool is_free(const drawing *d, int level, int x, int z)
{
    const char c = d->rows[z][x];
    if (c == 'D' || c == 'E') {
        return level == 0 && c == 'D' && d->is_open;
    }
    return c != '#' && c != 'G' && (level == 1 || (c != 'P' && c != 'T'));
}

static void flood(drawing *d, int level, int x, int z)
{
    if (!is_free(d, level, x, z) || d->reached[level][z][x]) {
        return;
    }
    d->reached[level][z][x] = true;
    flood(d, 1 - level, x, z);
    flood(d, level, x - 1, z);
    flood(d, level, x + 1, z);
    flood(d, level, x, z - 1);
    flood(d, level, x, z + 1);
}

static void find(const drawing *d, char letter, int *x, int *z)
{
    *x = *z = 0;
    for (int i = 0; i < d->height * d->width; i++) {
        if (d->rows[i / d->width][i % d->width] == letter) {
            *x = i % d->width;
            *z = i / d->width;
        }
    }
}

// Whether one can be beside a block that stands on the floor.
static bool is_beside(const drawing *d, char letter)
{
    int x, z;
    find(d, letter, &x, &z);
    return x > 0 && (d->reached[1][z][x] || d->reached[0][z][x - 1] || d->reached[0][z][x + 1] ||
                     d->reached[0][z - 1][x] || d->reached[0][z + 1][x]);
}

static bool can_reach(drawing *d, bool presses)
{
    int x, z;
    find(d, 'S', &x, &z);
    flood(d, 0, x, z);
    if (presses && d->is_wired && is_beside(d, 'P')) {
        d->is_open = true;
        memset(d->reached, 0, sizeof d->reached);
        flood(d, 0, x, z);
    }
    return is_beside(d, 'T');
}

// ---- the agents ----

static oct_verdict play(const drawing *d, bool presses, bool is_bounded, const char *what)
{
    const char *rows[ROWS_MAX + 1] = {NULL};
    for (int z = 0; z < d->height; z++) {
        rows[z] = d->rows[z];
    }
    block_scene s;
    plan_build(&s, rows);
    if (d->is_wired) {
        scene_wire(&s, 'P', 0, OCT_WIRE_TOGGLE, 'D');
    }
    scene_play(&s);
    int x, z;
    find(d, 'S', &x, &z);
    const oct_point start = plan_at(x, z);
    const oct_bounds around = {{start.x - 5.5, -2.0, start.z - 4.0},
                               {start.x + 8.0, 4.0, start.z + 6.5}};
    oct_agent_def def = oct_agent_def_default();
    def.bounds = is_bounded ? &around : NULL;
    oct_agent *const agent = agent_make_as(&s, def);
    const oct_pick target = pick_name("Target");
    agent_run(agent,
              presses ? oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0)
                      : oct_goal_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0),
              3000);
    const char *why;
    const oct_verdict verdict = oct_agent_verdict(agent, &why);
    print_message("%s%s%s", *what ? what : "", *what ? why : "", *what ? "\n" : "");
    oct_agent_destroy(agent);
    block_scene_free(&s);
    return verdict;
}

// Plays random plans. Who is bounded may not know; what is certain is right.
static void play_all(int plans, bool is_bounded)
{
    int reachable = 0, opened = 0, open = 0;
    for (int i = 0; i < plans; i++) {
        oct_random random = oct_random_seed((uint64_t)i);
        drawing d;
        if (!draw(&d, &random)) {
            continue;
        }
        const bool presses = i % 2;
        const bool is_reachable = can_reach(&d, presses);
        const oct_verdict wanted = is_reachable ? OCT_VERDICT_PASS : OCT_VERDICT_FAIL;
        const oct_verdict verdict = play(&d, presses, is_bounded, "");
        const bool is_open = is_bounded && verdict == OCT_VERDICT_INCONCLUSIVE;
        if (verdict != wanted && !is_open) {
            for (int z = 0; z < d.height; z++) {
                print_message("%s\n", d.rows[z]);
            }
            (void)play(&d, presses, is_bounded,
                       is_reachable ? "can be reached: " : "cannot be reached: ");
            fail_msg("plan %d", i);
        }
        reachable += is_reachable;
        opened += d.is_open;
        open += is_open;
    }
    // No kind is missing.
    assert_true(reachable > plans / 5 && reachable < plans * 4 / 5 && opened > plans / 20);
    assert_true(is_bounded ? open > 0 && open < plans * 3 / 4 : open == 0);
}

static void verdicts_are_those_of_a_flood(void **state)
{
    (void)state;
    play_all((int)test_rounds(160), false);
}

static void bounds_leave_verdicts_open_and_not_wrong(void **state)
{
    (void)state;
    play_all((int)test_rounds(80), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_a_flood),
        cmocka_unit_test(bounds_leave_verdicts_open_and_not_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
