// SPDX-License-Identifier: MIT
// Worlds in JSON: they come back with the same bits, and nothing that a file says can do harm.

// For mkdtemp.
#define _XOPEN_SOURCE 700

#include "folder_support.h"
#include "geom/geom_internal.h"
#include "world_support.h"

#include "octant/generate_world.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

// ---- random worlds ----

// Any finite double: half of them any bits, the others what people write.
static double random_double(oct_random *random)
{
    double value = oct_random_range(random, -40000, 40000) / 8.0;
    switch (oct_random_below(random, 8)) {
    case 0:
        return value / 1000.0;
    case 1:
        return oct_random_below(random, 2) ? 0.0 : -0.0;
    case 2:
    case 3:
    case 4:
    case 5:
        do {
            const uint64_t bits = oct_random_next(random);
            memcpy(&value, &bits, sizeof value);
        } while (!isfinite(value));
    }
    return value;
}

static oct_bounds random_box(oct_random *random)
{
    double v[6];
    for (int i = 0; i < 6; i++) {
        v[i] = random_double(random);
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

// Everything that has to be escaped, and characters of every length.
static void random_name(oct_random *random, char *out, size_t size)
{
    static const char *const parts[] = {
        "a", "Door", "\"", "\\", "\n",   "\t",      "\x1f", "\xc3\xa9",        "\xe2\x82\xac",
        "/", "\x7f", " ",  "{",  "\x01", "\\u0000", "]",    "\xf0\x9f\x9a\xaa"};
    out[0] = '\0';
    const uint64_t count = oct_random_below(random, 8);
    for (uint64_t i = 0; i < count; i++) {
        const char *part = parts[oct_random_below(random, sizeof parts / sizeof parts[0])];
        if (strlen(out) + strlen(part) < size) {
            strcat(out, part);
        }
    }
}

static uint64_t random_id(oct_random *random)
{
    static const uint64_t borders[] = {0, (UINT64_C(1) << 53) - 2, UINT64_MAX - 3,
                                       UINT64_C(1) << 63};
    const uint64_t part = oct_random_below(random, 8);
    return part < 4 ? borders[part] + oct_random_below(random, 4)
                    : oct_random_next(random) >> (part == 4 ? 40 : 0);
}

// A unit vector and one at a right angle to it, most of them turned.
static oct_pose random_pose(oct_random *random)
{
    double s, c;
    oct_sin_cos(oct_random_unit(random) * 6.0, &s, &c);
    oct_pose pose = {random_box(random).min, {s, c, 0}, {0, -0.0, -1}};
    if (oct_random_below(random, 2)) { // near enough for boxes to be finite
        pose.position = (oct_point){oct_random_range(random, -99, 99) / 3.0, 0.1, -0.0};
    }
    return pose;
}

static void add_random_types(oct_world *world, oct_random *random)
{
    char name[64];
    const uint64_t types = oct_random_below(random, 5);
    for (uint64_t i = 0; i < types; i++) {
        random_name(random, name, sizeof name);
        oct_world_type type = oct_world_type_default();
        type.name = name;
        type.opaque = oct_random_below(random, 2);
        type.kind = (uint8_t)oct_random_below(random, OCT_KIND_COUNT);
        type.buttons =
            type.kind == OCT_KIND_PANEL ? (uint8_t)(1 + oct_random_below(random, 64)) : 0;
        if (oct_random_below(random, 2)) {
            type.size = (oct_vec){(int32_t)oct_random_range(random, 1, 64),
                                  (int32_t)oct_random_range(random, 1, 3),
                                  (int32_t)oct_random_range(random, 1, 3)};
            type.integrity = fabs(random_double(random));
        }
        oct_world_define(world, &type, NULL); // some are no names, or twice there
    }
}

static void add_random_grids(oct_world *world, oct_random *random)
{
    char name[64];
    const uint64_t grids = oct_random_below(random, 4);
    for (uint64_t i = 0; i < grids; i++) {
        random_name(random, name, sizeof name);
        oct_world_grid grid = {.id = random_id(random),
                               .name = name,
                               .pose = random_pose(random),
                               .cell = fabs(random_double(random))};
        if (oct_random_below(random, 2)) {
            grid.cell = oct_random_below(random, 2) ? 2.5 : 0.3;
            grid.drift = random_box(random).min;
            grid.range = fabs(random_double(random));
        }
        oct_world_add_grid(world, &grid, NULL); // some ids are taken
    }
}

static void add_random_blocks(oct_world *world, oct_random *random)
{
    char name[64];
    const uint64_t blocks = oct_world_types(world) ? oct_random_below(random, 40) : 0;
    for (uint64_t i = 0; i < blocks; i++) {
        random_name(random, name, sizeof name);
        oct_world_block block = {.id = random_id(random),
                                 .name = name,
                                 .box = random_box(random),
                                 .type = (uint32_t)oct_random_below(random, oct_world_types(world)),
                                 .grid = (uint32_t)(oct_random_below(random, 3) * 0x7fffffffu),
                                 .label = (uint8_t)oct_random_below(random, 3)};
        const oct_world_type type = oct_world_get_type(world, block.type);
        if (oct_world_grids(world) && oct_random_below(random, 2)) {
            block.placed = true;
            block.grid = (uint32_t)oct_random_below(random, oct_world_grids(world));
            block.forward = (uint8_t)oct_random_below(random, OCT_SIDE_COUNT);
            block.up = (uint8_t)oct_random_below(random, OCT_SIDE_COUNT);
            block.cell = (oct_vec){(int32_t)oct_random_range(random, -9, 9),
                                   (int32_t)oct_random_range(random, -1100000, 1100000), 0};
        }
        if (oct_random_below(random, 2)) {
            block.damage = type.integrity * oct_random_unit(random);
            block.delay = type.kind == OCT_KIND_TIMER ? fabs(random_double(random)) : -0.0;
        }
        oct_world_add(world, &block); // some ids are taken, some cells too far, some turns none
    }
}

static void add_random_wiring(oct_world *world, oct_random *random)
{
    char name[64];
    const uint64_t wires = oct_random_below(random, 6), members = oct_random_below(random, 12);
    for (uint64_t i = 0; i < wires; i++) {
        random_name(random, name, sizeof name);
        const oct_world_wire wire = {.from = random_id(random),
                                     .slot = (uint32_t)oct_random_next(random),
                                     .action = (uint8_t)oct_random_below(random, OCT_WIRE_COUNT),
                                     .to = random_id(random),
                                     .group = oct_random_below(random, 2) ? name : ""};
        assert_int_equal(oct_world_add_wire(world, &wire), OCT_OK);
    }
    random_name(random, name, sizeof name);
    for (uint64_t i = 0; i < members; i++) {
        if (oct_random_below(random, 3) == 0) {
            random_name(random, name, sizeof name);
        }
        const oct_world_member member = {.group = name,
                                         .grid = (uint32_t)oct_random_below(random, 2),
                                         .block = random_id(random)};
        oct_world_add_member(world, &member); // some are no names
    }
}

static void set_random_play(oct_world *world, oct_random *random)
{
    oct_world_rules rules = oct_world_rules_default();
    double *const values[] = {&rules.acceleration, &rules.speed, &rules.turn,
                              &rules.walk,         &rules.jump,  &rules.door,
                              &rules.reach,        &rules.grind, &rules.view};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (oct_random_below(random, 3) == 0) {
            *values[i] = fabs(random_double(random));
        }
    }
    rules.sight = oct_random_below(random, 2) ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH;
    if (oct_random_below(random, 2)) {
        rules.gravity = random_box(random).min;
    }
    oct_world_set_rules(world, &rules); // some are 0 that may not
    for (uint64_t i = oct_random_below(random, 5); i > 0; i--) {
        const oct_item item = {.kind = (uint8_t)oct_random_below(random, OCT_ITEM_COUNT),
                               .type = (uint32_t)oct_random_below(random, 2)};
        oct_world_set_item(world, (uint32_t)oct_random_below(random, 2),
                           (uint32_t)oct_random_below(random, 9), item); // some have no type
    }
}

static oct_world *random_world(uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    char name[64];
    oct_world *world;
    assert_int_equal(oct_world_create(NULL, &world), OCT_OK);
    random_name(&random, name, sizeof name);
    assert_int_equal(oct_world_set_name(world, name), OCT_OK);
    assert_int_equal(oct_world_set_axes(world, (oct_up)oct_random_below(&random, 3),
                                        oct_random_below(&random, 2)),
                     OCT_OK);
    if (oct_random_below(&random, 2)) {
        const oct_pose start = random_pose(&random);
        assert_int_equal(oct_world_set_passage(world, fabs(random_double(&random))), OCT_OK);
        assert_int_equal(oct_world_set_bounds(world, random_box(&random)), OCT_OK);
        assert_int_equal(oct_world_set_start(world, &start), OCT_OK);
    }
    add_random_types(world, &random);
    add_random_grids(world, &random);
    add_random_blocks(world, &random);
    if (oct_random_below(&random, 2)) {
        add_random_wiring(world, &random);
        set_random_play(world, &random);
    }
    return world;
}

static size_t count_placed(const oct_world *world)
{
    size_t count = 0;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        count += oct_world_get(world, i).placed;
    }
    return count;
}

static void worlds_come_back_with_the_same_bits(void **state)
{
    (void)state;
    size_t placed = 0, wires = 0, members = 0;
    const uint64_t rounds = test_rounds(1500);
    printf("seeds 1 to %llu\n", (unsigned long long)rounds);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        oct_world *world = random_world(seed);
        oct_array bytes = encoded(world);
        oct_world *back;
        oct_error error;
        if (decode(bytes.items, bytes.count, &back, &error) != OCT_OK) {
            fail_msg("seed %llu: %u:%u: %s", (unsigned long long)seed, error.line, error.column,
                     error.message);
        }
        assert_same_world(world, back);
        // And once more to the same bytes.
        oct_array again = encoded(back);
        assert_int_equal(again.count, bytes.count);
        assert_memory_equal(again.items, bytes.items, bytes.count);
        placed += count_placed(world);
        wires += oct_world_wires(world);
        members += oct_world_members(world);
        drop(&again);
        drop(&bytes);
        oct_world_destroy(back);
        oct_world_destroy(world);
    }
    assert_true(placed > rounds && wires > rounds && members > rounds);
}

// ---- our format ----

static const char small_world[] =
    "{\n"
    "  \"format\": \"octant-world\",\n"
    "  \"version\": 1,\n"
    "  \"name\": \"a \\\"small\\\" one\",\n"
    "  \"up\": \"y\",\n"
    "  \"handed\": \"left\",\n"
    "  \"passage\": 2.5,\n"
    "  \"start\": {\"position\": [1, 2, 3], \"forward\": [1, 0, 0], \"up\": [0, 1, -0.0]},\n"
    "  \"bounds\": [-10, -10, -10, 10, 10, 10],\n"
    "  \"types\": [\n"
    "    {\"name\": \"stone\", \"opaque\": true},\n"
    "    {\"name\": \"glass\", \"opaque\": false}\n"
    "  ],\n"
    "  \"blocks\": [\n"
    "    {\"id\": 17, \"type\": \"glass\", \"name\": \"pane\", \"box\": [0, 0, 0, 2.5, 2.5, "
    "0.1]},\n"
    "    {\"id\": 9007199254740991, \"type\": \"stone\", \"box\": [0, 0, 0, 1e+20, 0.3, 1]},\n"
    "    {\"id\": \"9007199254740992\", \"type\": \"stone\", \"box\": [0, 0, 0, 1, 1, 1], "
    "\"label\": \"open\"},\n"
    "    {\"id\": \"18446744073709551615\", \"type\": \"stone\", \"box\": [0, 0, 0, 1, 1, 1], "
    "\"label\": \"unknown\"}\n"
    "  ]\n"
    "}\n";

static const char small_game[] =
    "{\n"
    "  \"format\": \"octant-world\",\n"
    "  \"version\": 1,\n"
    "  \"name\": \"\",\n"
    "  \"up\": \"y\",\n"
    "  \"handed\": \"right\",\n"
    "  \"rules\": {\"acceleration\": 12.5, \"walk\": 0, \"sight\": \"through\", "
    "\"gravity\": [0, -9.81, -0.0]},\n"
    "  \"toolbar\": [\n"
    "    {\"page\": 0, \"slot\": 1, \"item\": \"none\"},\n"
    "    {\"page\": 8, \"slot\": 8, \"item\": \"block\", \"type\": \"door\"}\n"
    "  ],\n"
    "  \"grids\": [\n"
    "    {\"id\": 1, \"name\": \"base\", \"position\": [0, 0, 0], \"forward\": [0, 0, -1], "
    "\"up\": [0, 1, 0], \"cell\": 2.5},\n"
    "    {\"id\": \"18446744073709551615\", \"position\": [7, 8, 9], \"forward\": [1, 0, 0], "
    "\"up\": [0, 0, 1], \"cell\": 0.5, \"drift\": [0, 1, -0.0], \"range\": 4.5}\n"
    "  ],\n"
    "  \"types\": [\n"
    "    {\"name\": \"door\", \"opaque\": true, \"kind\": \"door\", \"size\": [1, 2, 3], "
    "\"integrity\": 7.5},\n"
    "    {\"name\": \"panel\", \"opaque\": false, \"kind\": \"panel\", \"buttons\": 3},\n"
    "    {\"name\": \"timer\", \"opaque\": true, \"kind\": \"timer\"}\n"
    "  ],\n"
    "  \"blocks\": [\n"
    "    {\"id\": 17, \"type\": \"door\", \"name\": \"Door1\", \"cell\": [-3, 0, 1048573], "
    "\"label\": \"open\", \"damage\": 0.25},\n"
    "    {\"id\": 18, \"type\": \"door\", \"grid\": 1, \"cell\": [1, 2, 3], "
    "\"forward\": \"left\", \"up\": \"down\"},\n"
    "    {\"id\": 19, \"type\": \"timer\", \"box\": [0, 0, 0, 1, 1, 1], \"grid\": 7, "
    "\"delay\": 1.5}\n"
    "  ],\n"
    "  \"wires\": [\n"
    "    {\"from\": 20, \"slot\": 0, \"action\": \"toggle\", \"to\": 17},\n"
    "    {\"from\": 19, \"slot\": 4294967295, \"action\": \"shut\", \"group\": "
    "\"Do\\\"ors\"}\n"
    "  ],\n"
    "  \"groups\": [\n"
    "    {\"name\": \"Do\\\"ors\", \"grid\": 0, \"blocks\": [17, 18, "
    "\"9007199254740992\"]},\n"
    "    {\"name\": \"Do\\\"ors\", \"grid\": 1, \"blocks\": [17]},\n"
    "    {\"name\": \"b\", \"grid\": 1, \"blocks\": [17]}\n"
    "  ]\n"
    "}\n";

// What the file says is what the world has, and is written again to the byte.
static void what_makes_a_game_is_read_and_written(void **state)
{
    (void)state;
    oct_world *world = decoded(small_game);
    const oct_world_rules rules = oct_world_rules_of(world);
    assert_true(rules.acceleration == 12.5 && rules.walk == 0 && rules.speed == 20);
    assert_true(rules.gravity.y == -9.81 && signbit(rules.gravity.z));
    assert_int_equal(rules.sight, OCT_SIGHT_THROUGH);
    assert_int_equal(oct_world_item(world, 0, 0).kind, OCT_ITEM_GRINDER);
    assert_int_equal(oct_world_item(world, 0, 1).kind, OCT_ITEM_NONE);
    assert_int_equal(oct_world_item(world, 8, 8).kind, OCT_ITEM_BLOCK);
    assert_int_equal(oct_world_grids(world), 2);
    const oct_world_grid ship = oct_world_get_grid(world, 1);
    assert_true(ship.id == UINT64_MAX && ship.cell == 0.5 && ship.range == 4.5);
    assert_true(ship.pose.position.y == 8 && ship.pose.forward.x == 1 && ship.pose.up.z == 1);
    assert_true(ship.drift.y == 1 && signbit(ship.drift.z));
    assert_string_equal(oct_world_get_grid(world, 0).name, "base");
    const oct_world_type door = oct_world_get_type(world, 0);
    assert_int_equal(door.kind, OCT_KIND_DOOR);
    assert_true(door.size.x == 1 && door.size.y == 2 && door.size.z == 3 && door.integrity == 7.5);
    assert_int_equal(oct_world_get_type(world, 1).buttons, 3);
    const oct_world_block first = oct_world_get(world, 0), second = oct_world_get(world, 1);
    assert_true(first.placed && first.cell.x == -3 && first.cell.z == 1048573);
    assert_true(first.forward == OCT_SIDE_FORWARD && first.up == OCT_SIDE_UP);
    assert_true(first.damage == 0.25 && first.label == OCT_OPEN);
    assert_true(second.forward == OCT_SIDE_LEFT && second.up == OCT_SIDE_DOWN);
    // It covers 3 cells right, which is -y, 2 up, which is z, and 1 back, which is -x.
    const oct_bounds box = {{5.25, 6.25, 9.75}, {5.75, 7.75, 10.75}};
    ASSERT_SAME(second.box, box);
    const oct_world_block third = oct_world_get(world, 2);
    assert_true(!third.placed && third.grid == 7 && third.delay == 1.5);
    const oct_world_wire wire = oct_world_get_wire(world, 1);
    assert_true(wire.from == 19 && wire.slot == UINT32_MAX && wire.action == OCT_WIRE_SHUT);
    assert_string_equal(wire.group, "Do\"ors");
    assert_int_equal(oct_world_get_wire(world, 0).to, 17);
    assert_int_equal(oct_world_members(world), 5);
    assert_true(oct_world_get_member(world, 2).block == UINT64_C(1) << 53);
    assert_int_equal(oct_world_get_member(world, 3).grid, 1);
    assert_string_equal(oct_world_get_member(world, 4).group, "b");
    oct_array bytes = encoded(world);
    assert_int_equal(bytes.count, strlen(small_game));
    assert_memory_equal(bytes.items, small_game, bytes.count);
    drop(&bytes);
    oct_world_destroy(world);
}

// All that need not be said.
static const char short_game[] =
    "{\"format\": \"octant-world\", \"version\": 1, \"rules\": {}, \"toolbar\": "
    "[{\"item\": \"welder\"}],\n \"grids\": [{\"id\": 3, \"position\": [1, 2, 3]}],\n"
    " \"types\": [{\"name\": \"a\"}, {\"name\": \"p\", \"kind\": \"panel\", "
    "\"buttons\": 1}],\n"
    " \"blocks\": [{\"type\": \"a\", \"cell\": [4, 5, 6]}, {\"id\": 8, \"type\": \"p\", "
    "\"cell\": [0, 0, 0], \"up\": \"left\"}],\n"
    " \"fills\": [{\"type\": \"a\", \"from\": [0, 0, 0], \"to\": [2, 2, 3], "
    "\"hollow\": true},\n {\"from\": [1, 1, 0], \"to\": [1, 1, 3]}],\n"
    " \"wires\": [{\"from\": 8, \"to\": \"9\"}], \"groups\": [{\"name\": \"g\", "
    "\"blocks\": []}]}";

static void what_is_not_said_is_as_usual(void **state)
{
    (void)state;
    oct_world *world = decoded(short_game);
    const oct_world_rules rules = oct_world_rules_of(world), usual = oct_world_rules_default();
    assert_true(rules.acceleration == usual.acceleration && rules.view == usual.view);
    assert_int_equal(oct_world_item(world, 0, 0).kind, OCT_ITEM_WELDER);
    assert_int_equal(oct_world_item(world, 0, 1).kind, OCT_ITEM_WELDER);
    const oct_world_grid grid = oct_world_get_grid(world, 0);
    const oct_pose pose = {{1, 2, 3}, {0, 0, -1}, {0, 1, 0}};
    ASSERT_SAME(grid.pose, pose);
    assert_true(grid.cell == 2.5 && grid.range == 0 && grid.drift.x == 0 && !grid.name[0]);
    const oct_world_block first = oct_world_get(world, 0), second = oct_world_get(world, 1);
    assert_true(first.id == oct_world_cell_id(3, (oct_vec){4, 5, 6}));
    assert_true(first.box.min.x == 1 + 3.5 * 2.5 && first.box.max.z == 3 + 6.5 * 2.5);
    assert_true(second.forward == OCT_SIDE_FORWARD && second.up == OCT_SIDE_LEFT);
    const oct_world_wire wire = oct_world_get_wire(world, 0);
    assert_true(wire.slot == 0 && wire.action == OCT_WIRE_TOGGLE && wire.to == 9);
    assert_int_equal(oct_world_members(world), 0);
    // A shell of 3 x 3 x 4 cells without two lids' middles and one corner.
    assert_int_equal(oct_world_blocks(world), 2 + 36 - 2 - 2 - 1);
    oct_world_destroy(world);
}

// A group of more blocks than a line takes comes back, too.
static void large_groups_take_several_lines(void **state)
{
    (void)state;
    oct_world *world, *back;
    oct_error error;
    assert_int_equal(oct_world_create(NULL, &world), OCT_OK);
    for (uint64_t i = 0; i < 60001; i++) { // 24 bytes each: more than a value may have
        const oct_world_member member = {.group = "g", .grid = 3, .block = UINT64_MAX - i};
        assert_int_equal(oct_world_add_member(world, &member), OCT_OK);
    }
    oct_array bytes = encoded(world);
    assert_int_equal(decode(bytes.items, bytes.count, &back, &error), OCT_OK);
    assert_same_world(world, back);
    drop(&bytes);
    oct_world_destroy(back);
    oct_world_destroy(world);
}

static void the_text_is_one_block_a_line(void **state)
{
    (void)state;
    oct_world *world = decoded(small_world);
    assert_int_equal(oct_world_blocks(world), 4);
    assert_string_equal(oct_world_name(world), "a \"small\" one");
    assert_int_equal(oct_world_get(world, 0).type, 1);
    assert_true(oct_world_get(world, 1).box.max.y == 0.3);
    assert_true(oct_world_get(world, 2).id == UINT64_C(1) << 53);
    assert_int_equal(oct_world_get(world, 2).label, OCT_OPEN);
    assert_true(oct_world_get(world, 3).id == UINT64_MAX);
    assert_int_equal(oct_world_get(world, 3).label, OCT_UNKNOWN);
    oct_array bytes = encoded(world);
    assert_int_equal(bytes.count, strlen(small_world));
    assert_memory_equal(bytes.items, small_world, bytes.count);
    drop(&bytes);
    oct_world_destroy(world);
}

static void an_empty_world_is_one(void **state)
{
    (void)state;
    oct_world *world = decoded("{\"format\":\"octant-world\",\"version\":1,\"types\":[],"
                               "\"blocks\":[]}");
    oct_pose pose;
    oct_bounds bounds;
    assert_string_equal(oct_world_name(world), "");
    assert_int_equal(oct_world_up(world), OCT_UP_Z);
    assert_false(oct_world_left_handed(world));
    assert_true(oct_world_passage(world) == 0.0);
    assert_false(oct_world_start(world, &pose) || oct_world_bounds(world, &bounds));
    oct_array bytes = encoded(world);
    append(&bytes, "", 1);
    assert_string_equal(bytes.items, "{\n  \"format\": \"octant-world\",\n  \"version\": 1,\n"
                                     "  \"name\": \"\",\n  \"up\": \"z\",\n  \"handed\": \"right\","
                                     "\n  \"types\": [\n  ],\n  \"blocks\": [\n  ]\n}\n");
    drop(&bytes);
    oct_world_destroy(world);
}

static void the_order_of_keys_does_not_matter(void **state)
{
    (void)state;
    oct_world *world =
        decoded(" {\"blocks\" : [ { \"box\":[0,0,0,1,1,1] , \"type\":\"a]\\\"\", \"id\": \"5\" } ] "
                ",\t\"x-note\": [{\"a]\\\\\": \"}\"}, []],\r\n"
                "\"types\":[{\"name\":\"a]\\\"\", \"x-colour\": [1, 2]}],\"version\":1,"
                "\"x-more\":{},\"format\":\"octant-world\"} \n");
    assert_int_equal(oct_world_blocks(world), 1);
    assert_int_equal(oct_world_get(world, 0).id, 5);
    assert_true(oct_world_get_type(world, 0).opaque); // unless it says otherwise
    oct_world_destroy(world);
}

// ---- damage ----

static const char *const texts[] = {small_world, small_game, short_game};

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t size = (size_t)(strrchr(texts[i], '}') - texts[i]);
        for (size_t cut = 0; cut <= size; cut++) {
            oct_world *world;
            oct_error error;
            assert_int_equal(decode(texts[i], cut, &world, &error), OCT_ERROR_FORMAT);
            assert_null(world);
            assert_true(error.message[0]);
            assert_true(error.offset <= cut);
        }
    }
}

// What is accepted after a change can be written and read again. Every `stride`th change is tried.
static size_t change_bytes(const char *original, size_t stride)
{
    static const char bytes[] = "\"\\{}[],:019-.eE x\n\xff\x80";
    const size_t size = strlen(original);
    char *text = test_malloc(size);
    size_t accepted = 0;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = i % stride; j < sizeof bytes; j += stride) { // the last is zero
            memcpy(text, original, size);
            text[i] = bytes[j];
            oct_world *world, *again;
            oct_error error;
            const oct_result result = decode(text, size, &world, &error);
            if (result != OCT_OK) {
                assert_int_equal(result, OCT_ERROR_FORMAT);
                assert_true(!world && error.message[0] && error.line > 0 && error.offset <= size);
                continue;
            }
            oct_array out = encoded(world);
            assert_int_equal(decode(out.items, out.count, &again, &error), OCT_OK);
            assert_same_world(world, again);
            drop(&out);
            oct_world_destroy(again);
            oct_world_destroy(world);
            accepted++;
        }
    }
    test_free(text);
    return accepted;
}

static void no_change_of_a_byte_does_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_in_range(change_bytes(texts[i], i == 0 ? 1 : 5), 50, 10000);
    }
}

// ---- memory ----

static void reading_survives_every_failing_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *text = strdup(texts[i]);
        assert_non_null(text);
        assert_true(test_each_failure(decode_with, text) > 5);
        free(text);
    }
}

// jansson has its own memory, the same for everyone.
static size_t jansson_calls, jansson_fail_at, jansson_live;

static void *jansson_alloc(size_t size)
{
    void *memory = jansson_calls++ == jansson_fail_at ? NULL : malloc(size);
    jansson_live += memory != NULL;
    return memory;
}

static void jansson_free(void *memory)
{
    jansson_live -= memory != NULL;
    free(memory);
}

static void fail_each_of_jansson(const char *text)
{
    size_t said = 0;
    for (jansson_fail_at = 0;; jansson_fail_at++) {
        oct_world *world;
        oct_error error = {.line = 0};
        jansson_calls = 0;
        const oct_result result = oct_world_decode(text, strlen(text), NULL, &world, NULL, &error);
        assert_int_equal(jansson_live, 0);
        assert_int_equal(result == OCT_OK, world != NULL);
        assert_true(result == OCT_OK || error.message[0]);
        oct_world_destroy(world);
        said += result == OCT_ERROR_MEMORY;
        if (jansson_calls <= jansson_fail_at) {
            assert_int_equal(result, OCT_OK);
            break;
        }
    }
    assert_true(said > jansson_fail_at / 2);
}

// It is not always honest about why it failed; but nothing leaks, and a failure is one.
static void nothing_leaks_where_jansson_has_no_memory(void **state)
{
    (void)state;
    json_malloc_t old_alloc;
    json_free_t old_free;
    json_get_alloc_funcs(&old_alloc, &old_free);
    json_set_alloc_funcs(jansson_alloc, jansson_free);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fail_each_of_jansson(texts[i]);
    }
    json_set_alloc_funcs(old_alloc, old_free);
}

// ---- files ----

static void path_in(void **state, char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", (const char *)*state, name);
}

static int remove_folder(void **state)
{
    char path[1024];
    path_in(state, path, sizeof path, "world.json");
    remove(path);
    assert_int_equal(rmdir(*state), 0);
    free(*state);
    return 0;
}

static void files_are_written_whole_and_read_back(void **state)
{
    char path[1024], nowhere[1024];
    path_in(state, path, sizeof path, "world.json");
    path_in(state, nowhere, sizeof nowhere, "no/world.json");
    oct_world *world = decoded(small_world), *back;
    const char *kind;
    uint64_t size;
    oct_error error;
    assert_int_equal(oct_world_save(path, world, &size, &error), OCT_OK);
    assert_int_equal(size, strlen(small_world));
    assert_int_equal(oct_world_save(path, world, NULL, NULL), OCT_OK);
    size_t bytes;
    void *file = test_read_file(path, &bytes);
    assert_int_equal(bytes, strlen(small_world));
    assert_memory_equal(file, small_world, bytes);
    free(file);
    assert_int_equal(oct_world_load(path, NULL, NULL, &back, &kind, &error), OCT_OK);
    assert_string_equal(kind, "octant-world");
    assert_same_world(world, back);
    oct_world_destroy(back);

    assert_int_equal(oct_world_save(nowhere, world, NULL, &error), OCT_ERROR_FILE);
    assert_non_null(strstr(error.message, "cannot create"));
    assert_int_equal(oct_world_load(nowhere, NULL, NULL, &back, NULL, &error), OCT_ERROR_FILE);
    assert_string_equal(error.message, "cannot open: No such file or directory");
    assert_null(back);
    assert_int_equal(oct_world_load(*state, NULL, NULL, &back, NULL, &error), OCT_ERROR_FILE);
    assert_int_equal(oct_world_save(*state, world, NULL, &error), OCT_ERROR_FILE);
    oct_world_destroy(world);
}

// As for maps: a device that never ends is refused by its first bytes.
static void endless_files_are_refused_by_their_first_bytes(void **state)
{
    static const char *const names[] = {"zero.json", "zero.sbs"};
    for (size_t i = 0; i < 2; i++) {
        char path[1024];
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        oct_error error = {.line = 0};
        oct_world *world;
        path_in(state, path, sizeof path, names[i]);
        assert_int_equal(symlink("/dev/zero", path), 0);
        assert_int_equal(oct_world_load(path, NULL, &memory.allocator, &world, NULL, &error),
                         OCT_ERROR_FORMAT);
        assert_int_equal(unlink(path), 0);
        assert_null(world);
        assert_string_equal(error.message, "not a world: expected '{'");
        assert_true(memory.peak_bytes <= (size_t)256 << 10);
        test_allocator_check_empty(&memory);
    }
}

static bool write_some(void *ctx, const void *data, size_t size)
{
    size_t *left = ctx;
    (void)data;
    *left = size < *left ? *left - size : 0;
    return *left > 0;
}

static void writing_stops_where_the_file_does(void **state)
{
    (void)state;
    const oct_generate_world_def def = oct_generate_world_def_default();
    oct_world *world;
    assert_int_equal(oct_world_generate(&def, NULL, &world), OCT_OK);
    for (size_t room = 1; room < 100000; room *= 10) {
        size_t left = room;
        assert_int_equal(oct_world_encode(world, write_some, &left), OCT_ERROR_FILE);
        assert_int_equal(left, 0);
    }
    oct_world_destroy(world);
}

static void worlds_go_by_their_extension(void **state)
{
    (void)state;
    assert_true(oct_world_is_named("a.json"));
    assert_true(oct_world_is_named("b.bt/a.b.json"));
    assert_false(oct_world_is_named("a.json/b"));
    assert_false(oct_world_is_named("a.json.bt"));
    assert_false(oct_world_is_named("json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_come_back_with_the_same_bits),
        cmocka_unit_test(the_text_is_one_block_a_line),
        cmocka_unit_test(what_makes_a_game_is_read_and_written),
        cmocka_unit_test(what_is_not_said_is_as_usual),
        cmocka_unit_test(large_groups_take_several_lines),
        cmocka_unit_test(an_empty_world_is_one),
        cmocka_unit_test(the_order_of_keys_does_not_matter),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(no_change_of_a_byte_does_harm),
        cmocka_unit_test(reading_survives_every_failing_allocation),
        cmocka_unit_test(nothing_leaks_where_jansson_has_no_memory),
        cmocka_unit_test_setup_teardown(files_are_written_whole_and_read_back, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(endless_files_are_refused_by_their_first_bytes, make_folder,
                                        remove_folder),
        cmocka_unit_test(writing_stops_where_the_file_does),
        cmocka_unit_test(worlds_go_by_their_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
