// SPDX-License-Identifier: MIT
// Worlds in memory: what is put in comes out, what is not sound stays out, and a failure changes
// nothing.
#include "octant/tree.h"
#include "support.h"
#include "world/world_internal.h"

#include "base/base_internal.h"
#include "octant/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static oct_world *new_world(void)
{
    oct_world *world;
    assert_int_equal(oct_world_create(NULL, &world), OCT_OK);
    return world;
}

static const oct_bounds unit_box = {{0, 0, 0}, {1, 1, 1}};

static oct_world_block block_of(uint64_t id)
{
    return (oct_world_block){.id = id, .box = unit_box, .label = OCT_BLOCKED};
}

static void an_empty_world_says_nothing(void **state)
{
    (void)state;
    oct_world *world = new_world();
    oct_pose pose;
    oct_bounds bounds;
    size_t index;
    uint32_t type;
    assert_string_equal(oct_world_name(world), "");
    assert_int_equal(oct_world_up(world), OCT_UP_Z);
    assert_false(oct_world_left_handed(world));
    assert_false(oct_world_start(world, &pose));
    assert_false(oct_world_bounds(world, &bounds));
    assert_true(oct_world_passage(world) == 0.0);
    assert_int_equal(oct_world_types(world), 0);
    assert_int_equal(oct_world_blocks(world), 0);
    assert_false(oct_world_find(world, 0, &index));
    assert_false(oct_world_find_type(world, "", &type));
    const oct_bounds extent = oct_world_extent(world);
    assert_memory_equal(&extent, &((oct_bounds){{0, 0, 0}, {0, 0, 0}}), sizeof extent);
    oct_world_destroy(world);
    oct_world_destroy(NULL);
}

static void what_the_whole_says_is_kept(void **state)
{
    (void)state;
    oct_world *world = new_world();
    char name[] = "caf\xc3\xa9";
    assert_int_equal(oct_world_set_name(world, "first"), OCT_OK);
    assert_int_equal(oct_world_set_name(world, name), OCT_OK);
    name[0] = 'x';
    assert_string_equal(oct_world_name(world), "caf\xc3\xa9");
    assert_int_equal(oct_world_set_axes(world, OCT_UP_Y, true), OCT_OK);
    assert_int_equal(oct_world_up(world), OCT_UP_Y);
    assert_true(oct_world_left_handed(world));
    assert_int_equal(oct_world_set_passage(world, 2.5), OCT_OK);
    assert_true(oct_world_passage(world) == 2.5);
    const oct_pose pose = {{1, 2, 3}, {0.6, 0.8, 0}, {0, 0, -1}};
    oct_pose got;
    assert_int_equal(oct_world_set_start(world, &pose), OCT_OK);
    assert_true(oct_world_start(world, &got));
    assert_memory_equal(&got, &pose, sizeof pose);
    oct_bounds bounds;
    assert_int_equal(oct_world_set_bounds(world, unit_box), OCT_OK);
    assert_true(oct_world_bounds(world, &bounds));
    assert_memory_equal(&bounds, &unit_box, sizeof bounds);
    oct_world_destroy(world);
}

static void what_is_not_sound_stays_out(void **state)
{
    (void)state;
    oct_world *world = new_world();
    assert_int_equal(oct_world_set_axes(world, (oct_up)3, false), OCT_ERROR_ARGUMENT);
    static const double passages[] = {-1, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(oct_world_set_passage(world, passages[i]), OCT_ERROR_ARGUMENT);
    }
    static const oct_pose poses[] = {
        {{(double)NAN, 0, 0}, {1, 0, 0}, {0, 0, 1}},
        {{0, 0, 0}, {1.002, 0, 0}, {0, 0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {0, 0, 0.998}},
        {{0, 0, 0}, {1, 0, 0}, {0.002, 0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}},
        {{0, 0, 0}, {(double)INFINITY, 0, 0}, {0, 0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {(double)NAN, 0, 1}},
    };
    oct_pose pose;
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++) {
        assert_int_equal(oct_world_set_start(world, &poses[i]), OCT_ERROR_ARGUMENT);
        assert_false(oct_world_start(world, &pose));
    }
    // Nearly right is right, and kept as it is.
    const oct_pose near = {{0, 0, 0}, {1.0009, 0, 0}, {0.0009, 0, 1}};
    assert_int_equal(oct_world_set_start(world, &near), OCT_OK);
    assert_true(oct_world_start(world, &pose));
    assert_true(pose.forward.x == 1.0009);

    static const oct_bounds boxes[] = {
        {{0, 0, 0}, {-1, 1, 1}},
        {{0, 2, 0}, {1, 1, 1}},
        {{0, 0, 3}, {1, 1, 2}},
        {{(double)NAN, 0, 0}, {1, 1, 1}},
        {{0, 0, 0}, {1, (double)INFINITY, 1}},
        {{0, 0, -(double)INFINITY}, {1, 1, 1}},
    };
    oct_world_block block = block_of(1);
    oct_bounds bounds;
    assert_int_equal(oct_world_add(world, &block), OCT_ERROR_ARGUMENT); // no such type
    assert_int_equal(oct_world_add_type(world, "stone", true, NULL), OCT_OK);
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        block.box = boxes[i];
        assert_int_equal(oct_world_add(world, &block), OCT_ERROR_ARGUMENT);
        assert_int_equal(oct_world_set_bounds(world, boxes[i]), OCT_ERROR_ARGUMENT);
    }
    block = block_of(1);
    block.label = 3;
    assert_int_equal(oct_world_add(world, &block), OCT_ERROR_ARGUMENT);
    block = block_of(1);
    block.type = 1;
    assert_int_equal(oct_world_add(world, &block), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_blocks(world), 0);
    assert_false(oct_world_bounds(world, &bounds));
    // A box without volume is one.
    block = block_of(1);
    block.box = (oct_bounds){{1, 1, 1}, {1, 1, 1}};
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
    oct_world_destroy(world);
}

// ---- names ----

// Whether bytes are UTF-8, by decoding each character and encoding it again.
static bool is_utf8_slowly(const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size;) {
        const uint8_t c = at[i];
        const size_t count = c < 0x80       ? 1
                             : c >> 5 == 6  ? 2
                             : c >> 4 == 14 ? 3
                             : c >> 3 == 30 ? 4
                                            : 0;
        static const uint8_t masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
        static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
        if (count == 0 || count > size - i) {
            return false;
        }
        uint32_t point = c & masks[count];
        for (size_t j = 1; j < count; j++) {
            if (at[i + j] >> 6 != 2) {
                return false;
            }
            point = point << 6 | (at[i + j] & 0x3f);
        }
        if (point < least[count] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
            return false;
        }
        i += count;
    }
    return true;
}

// Bytes near the borders between what is allowed and what is not.
static uint8_t random_byte(oct_random *random)
{
    static const uint8_t borders[] = {0x01, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0,
                                      0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xee, 0xef, 0xf0,
                                      0xf3, 0xf4, 0xf5, 0xff, 0x41, 0xe1, 0xf1, 0xbb};
    return borders[oct_random_below(random, sizeof borders)];
}

static void names_are_utf8_and_nothing_else_is(void **state)
{
    (void)state;
    printf("seed 1\n");
    oct_random random = oct_random_seed(1);
    oct_world *world = new_world();
    size_t good = 0;
    for (int i = 0; i < 200000; i++) {
        uint8_t name[8] = {0};
        const size_t size = 1 + oct_random_below(&random, 5);
        for (size_t j = 0; j < size; j++) {
            name[j] = random_byte(&random);
        }
        const bool expected = is_utf8_slowly(name, size);
        const oct_result result = oct_world_set_name(world, (char *)name);
        assert_int_equal(result, expected ? OCT_OK : OCT_ERROR_ARGUMENT);
        good += expected;
    }
    assert_in_range(good, 1000, 199000);
    oct_world_destroy(world);
}

static void names_have_a_limit(void **state)
{
    (void)state;
    oct_world *world = new_world();
    char name[OCT_WORLD_NAME_MAX + 2];
    memset(name, 'a', sizeof name);
    name[OCT_WORLD_NAME_MAX + 1] = '\0';
    oct_world_block block = block_of(1);
    block.name = name;
    assert_int_equal(oct_world_set_name(world, name), OCT_ERROR_RANGE);
    assert_int_equal(oct_world_add_type(world, name, true, NULL), OCT_ERROR_RANGE);
    name[OCT_WORLD_NAME_MAX] = '\0';
    assert_int_equal(oct_world_set_name(world, name), OCT_OK);
    assert_int_equal(oct_world_add_type(world, name, true, NULL), OCT_OK);
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
    name[OCT_WORLD_NAME_MAX] = 'a';
    block.id = 2;
    assert_int_equal(oct_world_add(world, &block), OCT_ERROR_RANGE);
    block.name = "\xff";
    assert_int_equal(oct_world_add(world, &block), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_add_type(world, "\xff", true, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_add_type(world, "", true, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_types(world), 1);
    assert_int_equal(oct_world_blocks(world), 1);
    oct_world_destroy(world);
}

// ---- types ----

static void types_are_found_by_name(void **state)
{
    (void)state;
    oct_world *world = new_world();
    uint32_t index;
    for (uint32_t i = 0; i < 5000; i++) {
        char name[16];
        snprintf(name, sizeof name, "type %u", i % 1000);
        assert_int_equal(oct_world_find_type(world, name, &index), i >= 1000);
        assert_int_equal(oct_world_add_type(world, name, i % 1000 % 3 == 0, &index), OCT_OK);
        assert_int_equal(index, i % 1000);
    }
    assert_int_equal(oct_world_types(world), 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "type %u", i);
        const oct_world_type type = oct_world_get_type(world, i);
        assert_string_equal(type.name, name);
        assert_int_equal(type.opaque, i % 3 == 0);
    }
    assert_int_equal(oct_world_add_type(world, "type 3", false, &index), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_world_types(world), 1000);
    oct_world_destroy(world);
}

static void types_have_a_limit(void **state)
{
    (void)state;
    oct_world *world = new_world();
    char name[16];
    for (uint32_t i = 0; i < OCT_WORLD_TYPES_MAX; i++) {
        snprintf(name, sizeof name, "%x", i);
        assert_int_equal(oct_world_add_type(world, name, true, NULL), OCT_OK);
    }
    uint32_t index;
    assert_int_equal(oct_world_add_type(world, "more", true, NULL), OCT_ERROR_RANGE);
    assert_int_equal(oct_world_add_type(world, "ffff", true, &index), OCT_OK);
    assert_int_equal(index, 0xffff);
    oct_world_block block = block_of(7);
    block.type = index;
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
    assert_int_equal(oct_world_thing(world, 0).tag, 0xffff);
    oct_world_destroy(world);
}

// ---- blocks ----

#define MODEL_SIZE 3000

static oct_bounds random_box(oct_random *random)
{
    double v[6];
    for (int i = 0; i < 6; i++) {
        v[i] = oct_random_range(random, -50, 50) / 4.0;
    }
    for (int i = 0; i < 3; i++) {
        if (v[i] > v[i + 3]) {
            const double swap = v[i];
            v[i] = v[i + 3];
            v[i + 3] = swap;
        }
    }
    return (oct_bounds){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

// Few ids, so that many are taken, and ids that differ in high bits alone.
static uint64_t random_id(oct_random *random)
{
    return oct_random_below(random, 2500) << (oct_random_below(random, 2) ? 0 : 40);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static void check_extent(const oct_world *world, const oct_world_block *model, size_t count)
{
    oct_bounds all = model[0].box;
    for (size_t i = 1; i < count; i++) {
        const oct_bounds b = model[i].box;
        all = (oct_bounds){
            {least(all.min.x, b.min.x), least(all.min.y, b.min.y), least(all.min.z, b.min.z)},
            {most(all.max.x, b.max.x), most(all.max.y, b.max.y), most(all.max.z, b.max.z)}};
    }
    const oct_bounds extent = oct_world_extent(world);
    assert_memory_equal(&extent, &all, sizeof all);
}

static void blocks_agree_with_a_plain_list(void **state)
{
    (void)state;
    static oct_world_block model[MODEL_SIZE];
    static char names[MODEL_SIZE][24];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        printf("seed %llu\n", (unsigned long long)seed);
        oct_random random = oct_random_seed(seed);
        oct_world *world = new_world();
        assert_int_equal(oct_world_add_type(world, "stone", true, NULL), OCT_OK);
        assert_int_equal(oct_world_add_type(world, "glass", false, NULL), OCT_OK);
        size_t count = 0;
        for (int i = 0; i < MODEL_SIZE; i++) {
            oct_world_block block = {.id = random_id(&random),
                                     .box = random_box(&random),
                                     .type = (uint32_t)oct_random_below(&random, 2),
                                     .label = (uint8_t)oct_random_below(&random, 3)};
            snprintf(names[count], sizeof names[count], "block %d", i);
            block.name = i % 5 == 0 ? NULL : i % 3 == 0 ? "" : names[count];
            size_t taken = 0, index;
            while (taken < count && model[taken].id != block.id) {
                taken++;
            }
            assert_int_equal(oct_world_find(world, block.id, &index), taken < count);
            assert_int_equal(oct_world_add(world, &block),
                             taken < count ? OCT_ERROR_EXISTS : OCT_OK);
            if (taken == count) {
                block.name = block.name ? block.name : "";
                model[count++] = block;
                check_extent(world, model, count);
            } else {
                assert_int_equal(index, taken);
            }
        }
        assert_int_equal(oct_world_blocks(world), count);
        for (size_t i = 0; i < count; i++) {
            const oct_world_block got = oct_world_get(world, i);
            const oct_thing thing = oct_world_thing(world, i);
            assert_int_equal(got.id, model[i].id);
            assert_string_equal(got.name, model[i].name);
            assert_memory_equal(&got.box, &model[i].box, sizeof got.box);
            assert_int_equal(got.type, model[i].type);
            assert_int_equal(got.label, model[i].label);
            assert_int_equal(thing.id, got.id);
            assert_memory_equal(&thing.box, &got.box, sizeof got.box);
            assert_int_equal(thing.label, got.label);
            assert_int_equal(thing.opaque, got.type == 0 && got.label != OCT_OPEN);
            assert_int_equal(thing.tag, got.type);
        }
        oct_world_destroy(world);
    }
}

static void the_extent_holds_blocks_and_bounds(void **state)
{
    (void)state;
    oct_world *world = new_world();
    assert_int_equal(oct_world_add_type(world, "stone", true, NULL), OCT_OK);
    const oct_bounds bounds = {{-1, 0, 0}, {0.5, 5, 1}};
    const oct_bounds both = {{-1, 0, 0}, {1, 5, 1}};
    assert_int_equal(oct_world_set_bounds(world, bounds), OCT_OK);
    oct_bounds extent = oct_world_extent(world);
    assert_memory_equal(&extent, &bounds, sizeof extent);
    const oct_world_block block = block_of(1);
    assert_int_equal(oct_world_add(world, &block), OCT_OK);
    extent = oct_world_extent(world);
    assert_memory_equal(&extent, &both, sizeof extent);
    assert_true(oct_world_bounds(world, &extent));
    assert_memory_equal(&extent, &bounds, sizeof extent);
    oct_world_destroy(world);
}

// Grids are near or far as wholes.
static void the_extent_near_a_place_leaves_far_grids_out(void **state)
{
    (void)state;
    oct_world *world = new_world();
    assert_int_equal(oct_world_add_type(world, "stone", true, NULL), OCT_OK);
    const double at[][2] = {{0, 0}, {1000, 1}, {90, 2}, {-300, 2}, {111, 3}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        oct_world_block block = block_of(i);
        block.grid = (uint32_t)at[i][1];
        block.box = (oct_bounds){{at[i][0], 0, 0}, {at[i][0] + 1, 1, 1}};
        assert_int_equal(oct_world_add(world, &block), OCT_OK);
    }
    const oct_point here = {10, 5, 0};
    oct_bounds near, expected = {{-300, 0, 0}, {91, 5, 1}};
    assert_int_equal(oct_world_extent_near(world, here, 100.0, &near), OCT_OK);
    assert_memory_equal(&near, &expected, sizeof near);
    assert_int_equal(oct_world_extent_near(world, here, 101.2, &near), OCT_OK);
    expected.max.x = 112;
    assert_memory_equal(&near, &expected, sizeof near);
    const oct_bounds stated = {{0, -7, 0}, {1, 0, 0}};
    assert_int_equal(oct_world_set_bounds(world, stated), OCT_OK);
    assert_int_equal(oct_world_extent_near(world, here, 1.0, &near), OCT_OK);
    assert_memory_equal(&near, &((oct_bounds){{0, -7, 0}, {10, 5, 0}}), sizeof near);
    oct_world_destroy(world);
}

static void types_are_called_by_either_part(void **state)
{
    (void)state;
    const char *const dummy = "TargetDummyBlock/TargetDummy";
    assert_true(oct_world_type_is(dummy, dummy));
    assert_true(oct_world_type_is(dummy, "TargetDummy"));
    assert_true(oct_world_type_is(dummy, "TargetDummyBlock"));
    assert_false(oct_world_type_is(dummy, "Target"));
    assert_false(oct_world_type_is(dummy, "TargetDummyBlock/"));
    assert_false(oct_world_type_is(dummy, ""));
    assert_true(oct_world_type_is("door", "door"));
    assert_false(oct_world_type_is("door", "doo"));
    assert_true(oct_world_type_is("GravityGenerator/", "GravityGenerator"));
}

static void a_world_goes_into_a_map(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    oct_world *world = new_world();
    assert_int_equal(oct_world_add_type(world, "stone", true, NULL), OCT_OK);
    assert_int_equal(oct_world_add_type(world, "glass", false, NULL), OCT_OK);
    for (uint32_t i = 0; i < 10; i++) {
        oct_world_block block = block_of(100 + i);
        block.box = (oct_bounds){{3.0 * i, 0, 0}, {3.0 * i + 1, 1, 1}};
        block.type = i % 2;
        block.label = (uint8_t)(i % 3);
        assert_int_equal(oct_world_add(world, &block), OCT_OK);
    }
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    assert_int_equal(oct_map_set_box(map, (oct_box){{0, 0, 0}, {30, 1, 1}}, OCT_MARK_KNOWN),
                     OCT_OK);
    assert_int_equal(oct_world_add_to(world, map, NULL), OCT_OK);
    assert_int_equal(oct_map_things(map), 10);
    for (uint32_t i = 0; i < 10; i++) {
        const oct_thing expected = oct_world_thing(world, i);
        oct_thing thing;
        assert_true(oct_map_thing(map, 100 + i, &thing));
        assert_memory_equal(&thing.box, &expected.box, sizeof thing.box);
        assert_int_equal(thing.tag, i % 2);
        assert_int_equal(thing.opaque, i % 2 == 0 && i % 3 != OCT_OPEN); // an open door
        assert_int_equal(oct_tree_label(oct_map_tree(map), (oct_vec){(int32_t)(3 * i), 0, 0}),
                         i % 3);
        assert_int_equal(oct_tree_label(oct_map_tree(map), (oct_vec){(int32_t)(3 * i + 1), 0, 0}),
                         OCT_OPEN);
    }
    // Those before the one that fails stay.
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(oct_map_remove(map, 100 + i), OCT_OK);
    }
    const oct_thing in_the_way = oct_world_thing(world, 4);
    size_t index = 0;
    assert_int_equal(oct_map_add(map, &in_the_way), OCT_OK);
    assert_int_equal(oct_world_add_to(world, map, &index), OCT_ERROR_EXISTS);
    assert_int_equal(index, 4);
    assert_int_equal(oct_map_things(map), 5);
    oct_map_destroy(map);
    oct_world_destroy(world);
}

// ---- failures ----

// Whatever fails, what is there is as it was, and the same call may be tried again.
static oct_result build(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_world *world;
    const oct_result created = oct_world_create(&(oct_world_def){allocator}, &world);
    if (created != OCT_OK) {
        assert_null(world);
        return created;
    }
    oct_result result = oct_world_set_name(world, "old");
    const bool named = result == OCT_OK;
    if (result == OCT_OK) {
        result = oct_world_set_name(world, "new");
    }
    assert_string_equal(oct_world_name(world), result == OCT_OK ? "new" : named ? "old" : "");
    for (uint32_t i = 0; i < 100 && result == OCT_OK; i++) {
        char name[64];
        size_t index;
        uint32_t type;
        snprintf(name, sizeof name, "a name that takes some room, and the number %u", i);
        result = oct_world_add_type(world, name, i % 2, &type);
        assert_int_equal(oct_world_types(world), i + (result == OCT_OK));
        assert_int_equal(oct_world_find_type(world, name, &type), result == OCT_OK);
        if (result != OCT_OK) {
            break;
        }
        oct_world_block block = block_of(i);
        block.name = name;
        result = oct_world_add(world, &block);
        assert_int_equal(oct_world_blocks(world), i + (result == OCT_OK));
        assert_int_equal(oct_world_find(world, i, &index), result == OCT_OK);
        for (size_t j = 0; j < oct_world_blocks(world); j++) {
            assert_int_equal(oct_world_get(world, j).id, j);
        }
    }
    oct_world_destroy(world);
    return result;
}

static void every_failing_allocation_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    assert_in_range(test_each_failure(build, NULL), 15, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_world_says_nothing),
        cmocka_unit_test(what_the_whole_says_is_kept),
        cmocka_unit_test(what_is_not_sound_stays_out),
        cmocka_unit_test(names_are_utf8_and_nothing_else_is),
        cmocka_unit_test(names_have_a_limit),
        cmocka_unit_test(types_are_found_by_name),
        cmocka_unit_test(types_have_a_limit),
        cmocka_unit_test(blocks_agree_with_a_plain_list),
        cmocka_unit_test(the_extent_holds_blocks_and_bounds),
        cmocka_unit_test(the_extent_near_a_place_leaves_far_grids_out),
        cmocka_unit_test(types_are_called_by_either_part),
        cmocka_unit_test(a_world_goes_into_a_map),
        cmocka_unit_test(every_failing_allocation_leaves_the_world_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
