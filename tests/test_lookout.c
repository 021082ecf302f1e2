// SPDX-License-Identifier: MIT
// Lookouts: from there a cell is in sight, as the map decides that.
#include "agent_world.h"

#include "agent/cell_pieces.h"
#include "agent/lookout.h"
#include "map/map.h"
#include "octant/tree.h"

#include <stdlib.h>

#define BOXES_MAX 4000

typedef struct opaque_boxes {
    const oct_map *map;
    uint32_t count;
    sight_box all[BOXES_MAX];
} opaque_boxes;

static bool add_box(void *ctx, const oct_thing *each)
{
    opaque_boxes *const o = ctx;
    if (each->opaque) {
        assert_true(o->count < BOXES_MAX);
        const oct_point lo = oct_map_to_cells(o->map, each->box.min);
        const oct_point hi = oct_map_to_cells(o->map, each->box.max);
        o->all[o->count++] = (sight_box){{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
    }
    return true;
}

static bool is_seen(const opaque_boxes *o, oct_point from, oct_vec cell)
{
    const sight s = {oct_map_to_cells(o->map, from), o->all, o->count, 3, 0, NULL, NULL};
    return oct_sight_sees(&s, cell);
}

// Rooms with windows and something in the middle. At the outer corners two walls touch along an
// edge, and no sight slips through there.
static const char *const rows[] = {".########.", "#....#...#", "#.S......#", "#..X.#...#",
                                   "##G###.#.#", "#....#...#", ".########.", NULL};

static void cells_are_in_sight_from_their_lookouts(void **state)
{
    (void)state;
    block_scene s;
    plan_play(&s, rows);
    oct_agent *const agent = agent_make(&s);
    agent_run(agent, oct_goal_explore(NULL), 500);
    const oct_map *const map = oct_belief_map(oct_agent_belief(agent));
    opaque_boxes *const boxes = calloc(1, sizeof *boxes);
    assert_non_null(boxes);
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    boxes->map = map;
    (void)oct_map_things_in(map, all, add_box, boxes);
    assert_true(boxes->count > 50);
    oct_random random = oct_random_seed(1);
    int found = 0, none = 0;
    for (uint64_t i = 0; i < test_rounds(400); i++) {
        const oct_tree *const tree = oct_map_tree(map);
        oct_point about = {-4.0 + (double)oct_random_below(&random, 32),
                           -3.0 + (double)oct_random_below(&random, 7),
                           -4.0 + (double)oct_random_below(&random, 26)};
        if (i % 4 == 0) { // beyond a corner
            about.x = about.z = 1.2 - (double)oct_random_below(&random, 8) * 0.3125;
        }
        oct_vec cell;
        assert_true(oct_tree_cell_at(tree, about, &cell));
        const oct_bounds b = oct_cell_bounds(tree, cell);
        const oct_point middle = {(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2,
                                  (b.min.z + b.max.z) / 2};
        oct_point place;
        if (!oct_lookout_find(agent, middle, &place)) {
            none++;
            continue;
        }
        found++;
        assert_true(oct_lookout_is_place(agent, place));
        if (!is_seen(boxes, place, cell)) {
            fail_msg("%.3f, %.3f, %.3f is not in sight from %.3f, %.3f, %.3f", middle.x, middle.y,
                     middle.z, place.x, place.y, place.z);
        }
    }
    const int least = (int)test_rounds(400) * 3 / 40;
    assert_true(found > least && none > least);
    free(boxes);
    oct_agent_destroy(agent);
    block_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_in_sight_from_their_lookouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
