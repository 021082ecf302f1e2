// SPDX-License-Identifier: MIT
// Maps of things: what the model does not show. Doors, failures, threads, arguments.
#include "map_model.h"
#include "octant/tree.h"
#include "valid.h"

#include <math.h>

static oct_map *new_map(double padding, const oct_allocator *allocator)
{
    oct_map_def def = oct_map_def_default();
    def.padding = (oct_point){padding, padding, padding};
    def.allocator = allocator;
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    return map;
}

static oct_thing cube(uint64_t id, double x, double y, double z, double edge)
{
    return (oct_thing){.id = id,
                       .box = {{x, y, z}, {x + edge, y + edge, z + edge}},
                       .label = OCT_BLOCKED,
                       .opaque = 1};
}

static oct_label label_at(const oct_map *map, int32_t x, int32_t y, int32_t z)
{
    return oct_tree_label(oct_map_tree(map), (oct_vec){x, y, z});
}

// A door is BLOCKED, UNKNOWN after its button was pressed, and OPEN when it is seen to be open;
// each time what is underneath comes back.
static void a_door_may_be_unknown(void **state)
{
    (void)state;
    oct_map *map = new_map(0.0, NULL);
    assert_int_equal(oct_map_set_box(map, (oct_box){{0, 0, 0}, {9, 9, 9}}, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_map_set_box(map, (oct_box){{4, 4, 4}, {5, 5, 5}}, OCT_MARK_BLOCKED),
                     OCT_OK);
    const oct_thing door = cube(7, 3, 3, 3, 3);
    assert_int_equal(oct_map_add(map, &door), OCT_OK);
    assert_int_equal(label_at(map, 3, 3, 3), OCT_BLOCKED);
    assert_int_equal(oct_map_relabel(map, 7, OCT_UNKNOWN), OCT_OK);
    assert_int_equal(label_at(map, 3, 3, 3), OCT_UNKNOWN);
    assert_int_equal(label_at(map, 4, 4, 4), OCT_BLOCKED); // static geometry wins
    assert_int_equal(oct_map_relabel(map, 7, OCT_OPEN), OCT_OK);
    assert_int_equal(label_at(map, 3, 3, 3), OCT_OPEN);
    assert_int_equal(label_at(map, 4, 4, 4), OCT_BLOCKED);
    assert_int_equal(oct_map_remove(map, 7), OCT_OK);
    assert_int_equal(label_at(map, 3, 3, 3), OCT_OPEN);
    oct_map_destroy(map);
}

// The octree keeps nothing beside its labels where nothing is hidden, and gives it back.
static void nothing_hidden_costs_nothing(void **state)
{
    (void)state;
    oct_map *map = new_map(0.3, NULL);
    assert_int_equal(oct_map_set_box(map, (oct_box){{0, 0, 0}, {64, 64, 64}}, OCT_MARK_OPEN),
                     OCT_OK);
    const oct_tree_stats empty = oct_tree_measure(oct_map_tree(map));
    for (uint64_t id = 0; id < 50; id++) {
        const oct_thing thing = cube(id, (double)(id % 7) * 8.5, (double)(id % 5) * 9.1, 7.7, 5);
        assert_int_equal(oct_map_add(map, &thing), OCT_OK);
        assert_int_equal(oct_map_relabel(map, id, OCT_UNKNOWN), OCT_OK);
    }
    for (uint64_t id = 0; id < 50; id++) {
        assert_int_equal(oct_map_remove(map, id), OCT_OK);
    }
    const oct_tree_stats again = oct_tree_measure(oct_map_tree(map));
    assert_int_equal(again.siblings, empty.siblings);
    assert_int_equal(again.bricks, empty.bricks);
    oct_map_destroy(map);
}

// What lies far outside is no thing's business: adding one thing after another in a row grows the
// map, forgetting shrinks it.
static void keeping_forgets_things_far_away(void **state)
{
    (void)state;
    oct_map *map = new_map(0.0, NULL);
    for (uint64_t id = 0; id < 20; id++) {
        const oct_thing thing = cube(id, (double)id * 10.0, -3.0, 2.0, 4.0);
        assert_int_equal(oct_map_add(map, &thing), OCT_OK);
    }
    const uint64_t revision = oct_tree_revision(oct_map_tree(map));
    assert_int_equal(oct_map_keep(map, (oct_point){50, 0, 0}, 25.0), OCT_OK);
    assert_int_equal(oct_tree_revision(oct_map_tree(map)), revision + 1u);
    assert_int_equal(oct_map_things(map), 5);
    oct_thing thing;
    assert_true(oct_map_thing(map, 5, &thing) && thing.box.min.x == 50.0);
    assert_false(oct_map_thing(map, 9, &thing));
    assert_true(oct_map_is_valid(map));
    oct_map_destroy(map);
}

// The cell that holds a point of the world, and its label.
static oct_label label_near(const oct_map *map, oct_point at)
{
    oct_vec cell;
    assert_true(oct_tree_cell_at(oct_map_tree(map), at, &cell));
    return oct_tree_label(oct_map_tree(map), cell);
}

// Rays in metres against small steps along the segment: nothing is met before the hit, which is
// where it says. Steps of 1/50 cell may miss the corners that a ray cuts off.
static void rays_meet_what_steps_meet(void **state)
{
    (void)state;
    enum { STEPS = 2000 };
    const double cell = 0.5;
    oct_random random = oct_random_seed(31);
    for (uint64_t round = 0; round < test_rounds(40); round++) {
        oct_map_def def = oct_map_def_default();
        def.cell_size = cell;
        def.origin = (oct_point){0.25, -3, 7};
        oct_map *map;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        for (uint64_t id = 1; id <= 12; id++) {
            const oct_point at = {20 * oct_random_unit(&random), 20 * oct_random_unit(&random),
                                  20 * oct_random_unit(&random)};
            const oct_thing thing = {
                .id = id, .box = {at, {at.x + 3, at.y + 3, at.z + 3}}, .label = OCT_BLOCKED};
            assert_int_equal(oct_map_add(map, &thing), OCT_OK);
        }
        for (int i = 0; i < 20; i++) {
            const oct_point from = {20 * oct_random_unit(&random), 20 * oct_random_unit(&random),
                                    20 * oct_random_unit(&random)};
            const oct_point to = {20 * oct_random_unit(&random), 20 * oct_random_unit(&random),
                                  20 * oct_random_unit(&random)};
            const oct_point way = {to.x - from.x, to.y - from.y, to.z - from.z};
            const double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
            oct_ray_hit hit;
            const bool is_hit = oct_map_raycast(map, from, to, OCT_HAS_BLOCKED, &hit);
            double met = -1.0;
            for (int k = 0; k <= STEPS && met < 0.0; k++) {
                const double part = (double)k / STEPS;
                const oct_point at = {from.x + part * way.x, from.y + part * way.y,
                                      from.z + part * way.z};
                met = label_near(map, at) == OCT_BLOCKED ? part * length : met;
            }
            if (is_hit) {
                assert_int_equal(hit.leaf.label, OCT_BLOCKED);
                assert_true(fabs(hit.distance - sqrt((hit.at.x - from.x) * (hit.at.x - from.x) +
                                                     (hit.at.y - from.y) * (hit.at.y - from.y) +
                                                     (hit.at.z - from.z) * (hit.at.z - from.z))) <
                            0.02 * cell);
                assert_true(met < 0.0 || hit.distance < met + 0.02 * cell);
            } else {
                // What lies in the way for more than a corner's breadth would have been met.
                assert_true(met < 0.0);
            }
        }
        oct_ray_hit hit;
        assert_false(oct_map_raycast(map, (oct_point){0, 0, 0}, (oct_point){1e30, 0, 0},
                                     OCT_HAS_BLOCKED, &hit));
        oct_map_destroy(map);
    }
}

static bool add_id(void *ctx, const oct_thing *found)
{
    *(uint64_t *)ctx += found->id;
    return true;
}

// The questions that the model does not ask.
static void questions_reach_the_tree(void **state)
{
    (void)state;
    oct_map *map = new_map(0.0, NULL);
    const oct_bounds room = {{0, 0, 0}, {8, 8, 8}};
    assert_int_equal(oct_map_set_world_box(map, room, OCT_COVER_INSIDE, OCT_MARK_OPEN), OCT_OK);
    const oct_thing near = cube(1, 2, 2, 2, 2), far = cube(2, 50, 0, 0, 1);
    assert_int_equal(oct_map_add(map, &near), OCT_OK);
    assert_int_equal(oct_map_add(map, &far), OCT_OK);
    oct_vec cell;
    assert_true(oct_tree_cell_at(oct_map_tree(map), (oct_point){1.5, 2.5, 2.5}, &cell));
    assert_int_equal(cell.x * 100 + cell.y * 10 + cell.z, 122);
    const oct_leaf leaf = oct_tree_leaf(oct_map_tree(map), cell);
    assert_int_equal(leaf.label, OCT_OPEN);
    oct_leaf beside[64];
    const size_t found = oct_tree_neighbours(oct_map_tree(map), leaf, OCT_DIRECTION(1, 0, 0),
                                             OCT_HAS_BLOCKED, beside, 64);
    assert_true(found >= 1 && beside[0].x == 2 && beside[0].label == OCT_BLOCKED);
    assert_int_equal(oct_tree_labels_in(oct_map_tree(map), oct_map_cover(map, near.box)),
                     OCT_HAS_BLOCKED);
    assert_int_equal(oct_tree_labels_in(oct_map_tree(map), (oct_box){{0, 0, 0}, {8, 8, 8}}),
                     OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    uint64_t counts[3], ids = 0;
    assert_int_equal(oct_tree_count(oct_map_tree(map), (oct_box){{0, 0, 0}, {8, 8, 8}}, counts),
                     OCT_OK);
    assert_int_equal(counts[OCT_BLOCKED], 8);
    assert_int_equal(counts[OCT_OPEN], 512 - 8);
    assert_true(oct_map_things_in(map, (oct_box){{0, 0, 0}, {8, 8, 8}}, add_id, &ids));
    assert_int_equal(ids, 1);
    assert_int_equal(oct_tree_extent(oct_map_tree(map), OCT_HAS_BLOCKED).max.x, 51);
    oct_map_destroy(map);
}

// ---- failures ----

#define SIDE 24

typedef struct snapshot {
    uint64_t revision;
    size_t things;
    uint8_t labels[SIDE][SIDE][SIDE];
} snapshot;

static void take_snapshot(const oct_map *map, snapshot *out)
{
    out->revision = oct_tree_revision(oct_map_tree(map));
    out->things = oct_map_things(map);
    for (int z = 0; z < SIDE; z++) {
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                out->labels[z][y][x] = (uint8_t)label_at(map, x, y, z);
            }
        }
    }
}

// An edit of many: each is a case.
static oct_result edit_number(oct_map *map, int which)
{
    oct_thing things[7];
    things[6] = (oct_thing){.id = 1, .box = {{5, 5, 5}, {17, 11, 14}}, .label = OCT_UNKNOWN};
    for (uint64_t i = 0; i < 6; i++) {
        things[i] = cube(10 + i, 3.0 * (double)i + 0.5, 4.0 + (double)i, 7.25, 2.5);
        things[i].label = i == 2 ? OCT_UNKNOWN : OCT_BLOCKED;
    }
    const oct_view line = {.centre = {9, 9, 9}, .radius = 8.0};
    const oct_view through = {.centre = {13, 12, 11}, .radius = 9.0, .sight = OCT_SIGHT_THROUGH};
    switch (which) {
    case 0:
        return oct_map_set_box(map, (oct_box){{2, 2, 2}, {13, 9, 11}}, OCT_MARK_SOLID);
    case 1:
        return oct_map_observe(map, &line, things, 6, NULL);
    case 2:
        return oct_map_add(map, &things[6]);
    case 3:
        // Some are gone, one has moved.
        things[3].box.max.z += 5.0;
        return oct_map_observe(map, &through, things + 2, 5, NULL);
    case 4:
        return oct_map_move(map, 1, (oct_bounds){{6, 4, 5}, {18, 10, 14}});
    case 5:
        return oct_map_relabel(map, 1, OCT_BLOCKED);
    case 6:
        return oct_map_set_box(map, (oct_box){{0, 0, 0}, {20, 20, 20}}, OCT_MARK_CLEAR);
    case 7:
        return oct_map_keep(map, (oct_point){12, 9, 9}, 6.0);
    case 8:
        return oct_map_shrink(map);
    case 9:
        return oct_map_remove(map, 1);
    default:
        return OCT_OK;
    }
}

static oct_result edit_or_keep(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_map_def def = oct_map_def_default();
    def.padding = (oct_point){0.4, 0.4, 0.4};
    def.allocator = allocator;
    oct_map *map;
    OCT_TRY(oct_map_create(&def, &map));
    oct_result result = OCT_OK;
    for (int i = 0; i < 10 && result == OCT_OK; i++) {
        snapshot before, after;
        take_snapshot(map, &before);
        result = edit_number(map, i);
        if (result != OCT_OK) {
            take_snapshot(map, &after);
            assert_memory_equal(&before, &after, sizeof before);
            // And there is nothing left behind: the same edit works now.
            assert_int_equal(edit_number(map, i), OCT_OK);
        }
    }
    oct_map_destroy(map);
    return result;
}

// Whatever allocation fails: the map is as it was.
static void out_of_memory_changes_nothing(void **state)
{
    (void)state;
    assert_true(test_each_failure(edit_or_keep, NULL) > 20);
}

// Memory that ends for good.
typedef struct ending {
    oct_allocator under;
    size_t left; // allocations until the end
} ending;

static void *ending_alloc(void *ctx, size_t size, size_t align)
{
    ending *e = ctx;
    if (e->left == 0) {
        return NULL;
    }
    e->left--;
    return e->under.alloc(e->under.ctx, size, align);
}

static void ending_free(void *ctx, void *ptr, size_t size)
{
    const ending *e = ctx;
    e->under.free(e->under.ctx, ptr, size);
}

// Many things, the more and the farther away the later: nothing is hidden, and the map grows.
static oct_result look_again(oct_map *map, uint64_t turn)
{
    oct_thing things[60];
    size_t count = 0;
    for (uint64_t i = 0; i < 30 * turn; i++) {
        if ((i + turn) % 5 != 0) {
            const double away = turn == 2 && i % 7 == 0 ? 0.75 : 0.0; // has moved
            things[count++] = cube(i, (double)(i % 6) * 5.0 - 4.0 + away, (double)(i % 11) * 3.0,
                                   (double)(i / 4) * (double)turn, 3.5);
        }
    }
    const oct_view view = {
        .centre = {11, 10, 9}, .radius = 20.0 * (double)turn, .sight = OCT_SIGHT_THROUGH};
    return oct_map_observe(map, &view, things, count, NULL);
}

// A first edit, and the observation that shall fail.
typedef oct_result map_edit(oct_map *map);

static oct_result look_first(oct_map *map)
{
    return look_again(map, 1);
}

static oct_result look_farther(oct_map *map)
{
    return look_again(map, 2);
}

static oct_result hide_facts(oct_map *map)
{
    for (int i = 0; i < 3; i++) {
        OCT_TRY(edit_number(map, i));
    }
    return OCT_OK;
}

static oct_result look_under(oct_map *map)
{
    return edit_number(map, 3);
}

// Ends the memory after every number of allocations until the observation works.
static void check_undoing(map_edit *first, map_edit *observes)
{
    oct_result last = OCT_ERROR_MEMORY;
    for (size_t left = 0; last != OCT_OK; left++) {
        ending memory = {oct_allocator_default(), SIZE_MAX};
        const oct_allocator allocator = {ending_alloc, ending_free, &memory};
        oct_map *map = new_map(0.4, &allocator);
        assert_int_equal(first(map), OCT_OK);
        assert_int_equal(oct_map_shrink(map), OCT_OK);
        snapshot before, after;
        take_snapshot(map, &before);
        memory.left = left;
        last = observes(map);
        memory.left = SIZE_MAX;
        take_snapshot(map, &after);
        if (last != OCT_OK) {
            assert_memory_equal(&before, &after, sizeof before);
        }
        assert_true(oct_map_is_valid(map));
        oct_map_destroy(map);
    }
}

// An observation that fails half-way is undone though there is no memory left at all: where nothing
// is hidden, and where things hide static geometry and what was observed.
static void undoing_needs_no_memory(void **state)
{
    (void)state;
    check_undoing(look_first, look_farther);
    check_undoing(hide_facts, look_under);
}

// ---- threads ----

static void run_backwards(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    const uint32_t workers = *(const uint32_t *)ctx;
    for (uint32_t i = count; i-- > 0;) {
        task(arg, i, i % workers);
    }
}

// However the work is divided, the labels are the same.
static void any_executor_gives_the_same_labels(void **state)
{
    (void)state;
    oct_thing things[60];
    oct_random random = oct_random_seed(5);
    for (uint64_t i = 0; i < 60; i++) {
        things[i] =
            cube(i, oct_random_unit(&random) * 60.0 - 30.0, oct_random_unit(&random) * 60.0 - 30.0,
                 oct_random_unit(&random) * 60.0 - 30.0, 1.0 + oct_random_unit(&random) * 6.0);
    }
    const oct_view view = {.centre = {0.3, 0.2, 0.1}, .radius = 30.0};
    oct_map *alone = new_map(0.9, NULL);
    assert_int_equal(oct_map_observe(alone, &view, things, 60, NULL), OCT_OK);
    for (uint32_t workers = 1; workers < 6; workers++) {
        const oct_executor executor = {run_backwards, &workers, workers};
        oct_map_def def = oct_map_def_default();
        def.padding = (oct_point){0.9, 0.9, 0.9};
        def.executor = &executor;
        oct_map *map;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        assert_int_equal(oct_map_observe(map, &view, things, 60, NULL), OCT_OK);
        for (int32_t z = -31; z < 31; z++) {
            for (int32_t y = -31; y < 31; y++) {
                for (int32_t x = -31; x < 31; x++) {
                    assert_int_equal(label_at(map, x, y, z), label_at(alone, x, y, z));
                }
            }
        }
        oct_map_destroy(map);
    }
    oct_map_destroy(alone);
}

// ---- arguments ----

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    oct_map *map;
    oct_map_def def = oct_map_def_default();
    def.cell_size = 0.0;
    assert_int_equal(oct_map_create(&def, &map), OCT_ERROR_ARGUMENT);
    def = oct_map_def_default();
    def.padding.y = -1.0;
    assert_int_equal(oct_map_create(&def, &map), OCT_ERROR_ARGUMENT);
    def = (oct_map_def){.cell_size = 1.0, .dims = 3};
    assert_int_equal(oct_map_create(&def, &map), OCT_ERROR_ARGUMENT);
    assert_null(map);

    map = new_map(0.5, NULL);
    oct_thing thing = cube(1, 0, 0, 0, -1.0);
    assert_int_equal(oct_map_add(map, &thing), OCT_ERROR_ARGUMENT);
    thing = cube(1, 0, 0, 0, 1.0);
    thing.label = 3;
    assert_int_equal(oct_map_add(map, &thing), OCT_ERROR_ARGUMENT);
    thing = cube(1, 2e9, 0, 0, 1.0);
    assert_int_equal(oct_map_add(map, &thing), OCT_ERROR_RANGE);
    thing = cube(1, (double)OCT_RANGE - 1.0, 0, 0, 1.0); // only its padding is outside
    assert_int_equal(oct_map_add(map, &thing), OCT_ERROR_RANGE);
    assert_int_equal(oct_map_remove(map, 1), OCT_ERROR_ABSENT);
    assert_int_equal(oct_map_move(map, 1, thing.box), OCT_ERROR_ABSENT);
    assert_int_equal(oct_map_relabel(map, 1, OCT_OPEN), OCT_ERROR_ABSENT);

    const oct_thing twice[2] = {cube(4, 0, 0, 0, 1), cube(4, 2, 0, 0, 1)};
    oct_view view = {.centre = {0, 0, 0}, .radius = 5.0};
    assert_int_equal(oct_map_observe(map, &view, twice, 2, NULL), OCT_ERROR_ARGUMENT);
    view.radius = -1.0;
    assert_int_equal(oct_map_observe(map, &view, twice, 1, NULL), OCT_ERROR_ARGUMENT);
    view.radius = OCT_SIGHT_CELLS_MAX + 1.0;
    assert_int_equal(oct_map_observe(map, &view, twice, 1, NULL), OCT_ERROR_RANGE);
    view.sight = OCT_SIGHT_THROUGH;
    assert_int_equal(oct_map_observe(map, &view, twice, 1, NULL), OCT_OK);
    assert_int_equal(oct_map_set_box(map, (oct_box){{0, 0, 0}, {1, 1, INT32_MAX}}, OCT_MARK_OPEN),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_map_things(map), 1);
    oct_map_destroy(map);
    oct_map_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_may_be_unknown),
        cmocka_unit_test(nothing_hidden_costs_nothing),
        cmocka_unit_test(keeping_forgets_things_far_away),
        cmocka_unit_test(questions_reach_the_tree),
        cmocka_unit_test(rays_meet_what_steps_meet),
        cmocka_unit_test(out_of_memory_changes_nothing),
        cmocka_unit_test(undoing_needs_no_memory),
        cmocka_unit_test(any_executor_gives_the_same_labels),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
