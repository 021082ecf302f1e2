// SPDX-License-Identifier: MIT
// The real saves of Space Engineers against the same worlds in JSON.
#include "sbs_support.h"

#include <math.h>

static bool is_near(oct_point a, oct_point b, double slack)
{
    return fabs(a.x - b.x) <= slack && fabs(a.y - b.y) <= slack && fabs(a.z - b.z) <= slack;
}

static bool is_pose_near(const oct_pose *a, const oct_pose *b)
{
    return is_near(a->position, b->position, 1e-9) && is_near(a->forward, b->forward, 1e-7) &&
           is_near(a->up, b->up, 1e-7);
}

static void compare_types(oct_world_type a, oct_world_type b)
{
    assert_string_equal(a.name, b.name);
    assert_int_equal(a.opaque, b.opaque);
    assert_int_equal(a.kind, b.kind);
    assert_int_equal(a.buttons, b.buttons);
    assert_memory_equal(&a.size, &b.size, sizeof a.size);
    assert_true(a.integrity == b.integrity);
}

static void compare_blocks(const oct_world *save, const oct_world *json)
{
    assert_int_equal(oct_world_types(save), oct_world_types(json));
    assert_int_equal(oct_world_blocks(save), oct_world_blocks(json));
    for (size_t i = 0; i < oct_world_blocks(save); i++) {
        const oct_world_block a = oct_world_get(save, i), b = oct_world_get(json, i);
        compare_types(oct_world_get_type(save, a.type), oct_world_get_type(json, b.type));
        assert_int_equal(a.id, b.id);
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.grid, b.grid);
        assert_int_equal(a.label, b.label);
        assert_true(a.placed && b.placed);
        assert_memory_equal(&a.cell, &b.cell, sizeof a.cell);
        assert_int_equal(a.forward, b.forward);
        assert_int_equal(a.up, b.up);
        assert_true(a.delay == b.delay);
        assert_true(is_near(a.box.min, b.box.min, 1e-3) && is_near(a.box.max, b.box.max, 1e-3));
    }
}

static void compare_parts(const oct_world *save, const oct_world *json)
{
    assert_int_equal(oct_world_grids(save), oct_world_grids(json));
    for (uint32_t i = 0; i < oct_world_grids(save); i++) {
        const oct_world_grid a = oct_world_get_grid(save, i), b = oct_world_get_grid(json, i);
        assert_int_equal(a.id, b.id);
        assert_string_equal(a.name, b.name);
        assert_true(a.cell == b.cell && is_pose_near(&a.pose, &b.pose));
    }
    assert_int_equal(oct_world_wires(save), oct_world_wires(json));
    for (size_t i = 0; i < oct_world_wires(save); i++) {
        assert_wire(save, i, oct_world_get_wire(json, i));
    }
    oct_pose start[2];
    assert_true(oct_world_start(save, &start[0]) && oct_world_start(json, &start[1]));
    assert_true(is_pose_near(&start[0], &start[1]));
    assert_int_equal(oct_world_up(save), oct_world_up(json));
    assert_true(oct_world_passage(save) == oct_world_passage(json));
}

static bool data_path(const char *folder, const char *name, const char *extension, char *path,
                      size_t size)
{
    char relative[128];
    snprintf(relative, sizeof relative, "space_engineers/%s/%s%s", folder, name, extension);
    return test_data_path(relative, path, size);
}

static size_t members_of(const oct_world *world, const char *group, oct_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < oct_world_members(world); i++) {
        const oct_world_member member = oct_world_get_member(world, i);
        size_t block;
        assert_true(oct_world_find(world, member.block, &block));
        const oct_world_block b = oct_world_get(world, block);
        count += strcmp(member.group, group) == 0 && member.grid == b.grid &&
                 oct_world_get_type(world, b.type).kind == kind;
    }
    return count;
}

static void the_real_saves_are_the_worlds_in_json(void **state)
{
    (void)state;
    static const struct {
        const char *name, *warnings;
        size_t blocks, wires, members, doors, damaged;
    } saves[] = {
        {"test1_myworld-3_Indoors", "left out: terrain, which is in files of its own (1)\n", 740, 1,
         0, 0, 0},
        {"test2_CR3_3_3_M", "", 966, 15, 23, 5, 64},
    };
    for (size_t i = 0; i < sizeof saves / sizeof saves[0]; i++) {
        char path[1024], json_path[1024], sizes_path[1024];
        if (!data_path("saves", saves[i].name, ".sbs", path, sizeof path) ||
            !data_path("worlds", saves[i].name, ".json", json_path, sizeof json_path)) {
            skip();
        }
        oct_world *sizes, *save, *json;
        oct_error error;
        warnings all = {""};
        assert_true(oct_block_sizes_find(path, sizes_path, sizeof sizes_path));
        assert_int_equal(oct_block_sizes_load(sizes_path, NULL, &sizes, &error), OCT_OK);
        assert_int_equal(oct_world_types(sizes), 897);
        const oct_world_extras extras = {sizes, note_warning, &all};
        if (oct_world_load(path, &extras, NULL, &save, NULL, &error) != OCT_OK) {
            fail_msg("%s:%u:%u: %s", path, error.line, error.column, error.message);
        }
        assert_int_equal(oct_world_load(json_path, NULL, NULL, &json, NULL, &error), OCT_OK);
        assert_string_equal(all.text, saves[i].warnings);
        assert_int_equal(oct_world_blocks(save), saves[i].blocks);
        compare_blocks(save, json);
        compare_parts(save, json);
        assert_int_equal(oct_world_wires(save), saves[i].wires);
        assert_int_equal(oct_world_members(save), saves[i].members);
        assert_int_equal(members_of(save, "Doors", OCT_KIND_DOOR), saves[i].doors);
        size_t damaged = 0;
        for (size_t j = 0; j < oct_world_blocks(save); j++) {
            damaged += oct_world_get(save, j).damage > 0.0;
        }
        assert_int_equal(damaged, saves[i].damaged);
        oct_world_destroy(json);
        oct_world_destroy(save);
        oct_world_destroy(sizes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_real_saves_are_the_worlds_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
