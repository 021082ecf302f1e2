// SPDX-License-Identifier: MIT
// Generated worlds: closed where they should be, connected where they should be, the same bytes
// from the same seed.
#include "support.h"

#include "base/base_internal.h"
#include "files/files_internal.h"
#include "octant/generate_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 47, NY = 53, NZ = 38, PLACES = NX * NY * NZ, SEEDS = 40 };

static oct_generate_world_def def_of(oct_generate_world_kind kind, uint64_t seed)
{
    oct_generate_world_def def = oct_generate_world_def_default();
    def.kind = kind;
    def.seed = seed;
    return def;
}

static oct_world *generate(oct_generate_world_kind kind, uint64_t seed)
{
    const oct_generate_world_def def = def_of(kind, seed);
    oct_world *world;
    assert_int_equal(oct_world_generate(&def, NULL, &world), OCT_OK);
    assert_string_equal(oct_world_name(world), oct_generate_world_kind_name(kind));
    return world;
}

// ---- the lattice of blocks, made anew from what the world says ----

typedef struct lattice {
    size_t blocks[PLACES]; // index of the block + 1, or 0
    uint8_t seen[PLACES];
    size_t stack[PLACES];
    size_t door, button, goal, start;
} lattice;

static size_t place_of(int x, int y, int z)
{
    assert_true(x >= 0 && x < NX && y >= 0 && y < NY && z >= 0 && z < NZ);
    return (size_t)((z * NY + y) * NX + x);
}

static size_t place_at(oct_point p, double edge)
{
    return place_of((int)floor(p.x / edge), (int)floor(p.y / edge), (int)floor(p.z / edge));
}

static const char *type_of(const oct_world *world, size_t index)
{
    return oct_world_get_type(world, oct_world_get(world, index).type).name;
}

// Every block is one whole place that no other has.
static lattice *lattice_of(const oct_world *world)
{
    lattice *l = test_calloc(1, sizeof *l);
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        const size_t place = place_at(block.box.min, 2.5);
        assert_true(block.box.max.x - block.box.min.x == 2.5);
        assert_true(block.box.max.y - block.box.min.y == 2.5);
        assert_true(block.box.max.z - block.box.min.z == 2.5);
        assert_true(fmod(block.box.min.x, 2.5) == 0.0 && fmod(block.box.min.y, 2.5) == 0.0 &&
                    fmod(block.box.min.z, 2.5) == 0.0);
        assert_int_equal(block.label, OCT_BLOCKED);
        assert_int_equal(l->blocks[place], 0);
        l->blocks[place] = i + 1;
        const char *type = type_of(world, i);
        if (strcmp(type, "glass") == 0 || strcmp(type, "armour") == 0) {
            assert_string_equal(block.name, "");
            continue;
        }
        size_t *once = strcmp(type, "door") == 0     ? &l->door
                       : strcmp(type, "button") == 0 ? &l->button
                                                     : &l->goal;
        assert_string_equal(block.name, type);
        assert_int_equal(*once, 0);
        *once = place;
    }
    assert_true(l->door && l->button && l->goal);
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    l->start = place_at(start.position, 2.5);
    return l;
}

// Floods free places over faces; returns how many were reached. Fails at the side of the lattice.
static size_t flood(lattice *l, size_t from)
{
    size_t depth = 0;
    size_t count = 0;
    memset(l->seen, 0, sizeof l->seen);
    assert_int_equal(l->blocks[from], 0);
    l->seen[from] = 1;
    l->stack[depth++] = from;
    while (depth > 0) {
        const size_t at = l->stack[--depth];
        const int x = (int)(at % NX), y = (int)(at / NX % NY), z = (int)(at / NX / NY);
        const size_t next[6] = {place_of(x - 1, y, z), place_of(x + 1, y, z),
                                place_of(x, y - 1, z), place_of(x, y + 1, z),
                                place_of(x, y, z - 1), place_of(x, y, z + 1)};
        count++;
        for (int i = 0; i < 6; i++) {
            if (!l->blocks[next[i]] && !l->seen[next[i]]) {
                l->seen[next[i]] = 1;
                l->stack[depth++] = next[i];
            }
        }
    }
    return count;
}

static size_t count_free(const lattice *l)
{
    size_t count = 0;
    for (size_t i = 0; i < PLACES; i++) {
        count += l->blocks[i] == 0;
    }
    return count;
}

static bool is_seen_beside(const lattice *l, size_t place)
{
    return l->seen[place - 1] || l->seen[place + 1] || l->seen[place - NX] || l->seen[place + NX] ||
           l->seen[place - NX * NY] || l->seen[place + NX * NY];
}

// ---- glass ----

static void the_box_has_the_printed_size(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(SEEDS); seed++) {
        oct_world *world = generate(OCT_GENERATE_GLASS_BOX, seed);
        const oct_bounds extent = oct_world_extent(world);
        assert_memory_equal(&extent, &((oct_bounds){{0, 0, 0}, {117.5, 132.5, 95}}), sizeof extent);
        assert_in_range(oct_world_blocks(world), 12300, 12800);
        assert_true(oct_world_passage(world) == 2.5);
        size_t glass = 0;
        for (size_t i = 0; i < oct_world_blocks(world); i++) {
            const bool opaque = oct_world_get_type(world, oct_world_get(world, i).type).opaque;
            assert_int_equal(opaque, strcmp(type_of(world, i), "glass") != 0);
            glass += !opaque;
        }
        assert_in_range(glass, 12038, 12200);
        oct_world_destroy(world);
    }
}

// The flood fails where it leaves the lattice; from anywhere else it is kept in by the hull.
static void nothing_gets_out_of_the_box(void **state)
{
    (void)state;
    printf("seeds 1 to %d\n", SEEDS);
    for (uint64_t seed = 1; seed <= test_rounds(SEEDS); seed++) {
        for (int kind = OCT_GENERATE_GLASS_BOX; kind <= OCT_GENERATE_GLASS_MAZE; kind++) {
            oct_world *world = generate((oct_generate_world_kind)kind, seed);
            lattice *l = lattice_of(world);
            assert_true(flood(l, l->start) > 30000);
            for (int i = 0; i < PLACES; i++) {
                const int x = i % NX, y = i / NX % NY, z = i / NX / NY;
                if (x == 0 || y == 0 || z == 0 || x == NX - 1 || y == NY - 1 || z == NZ - 1) {
                    assert_non_null(l->blocks[i]);
                    assert_string_equal(type_of(world, l->blocks[i] - 1), "glass");
                }
            }
            test_free(l);
            oct_world_destroy(world);
        }
    }
}

static void start_and_goal_are_in_their_houses(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(SEEDS); seed++) {
        for (int kind = OCT_GENERATE_GLASS_BOX; kind <= OCT_GENERATE_GLASS_MAZE; kind++) {
            oct_world *world = generate((oct_generate_world_kind)kind, seed);
            lattice *l = lattice_of(world);
            const size_t free_places = count_free(l);

            // One gets out of the first house and to the button, but not to the goal.
            const size_t reached = flood(l, l->start);
            assert_true(is_seen_beside(l, l->button));
            assert_true(is_seen_beside(l, l->door));
            assert_false(is_seen_beside(l, l->goal));
            // All but the inside of the goal's house: 7 x 7 x 4, without the goal.
            assert_int_equal(free_places - reached, 7 * 7 * 4 - 1);

            // Behind the door there is the goal.
            const size_t door = l->blocks[l->door];
            l->blocks[l->door] = 0;
            assert_int_equal(flood(l, l->start), free_places + 1);
            assert_true(is_seen_beside(l, l->goal));
            l->blocks[l->door] = door;

            // The start looks along x at its doorway, through which alone one gets out.
            size_t doorway = l->start;
            while (!l->blocks[doorway + NX] || !l->blocks[doorway - NX]) {
                doorway++;
            }
            assert_in_range(doorway - l->start, 5, 7);
            l->blocks[doorway] = 1;
            assert_int_equal(flood(l, l->start), 7 * 7 * 3);
            // It stands on the floor.
            assert_non_null(l->blocks[l->start - NX * NY]);
            oct_pose start;
            assert_true(oct_world_start(world, &start));
            assert_true(fmod(start.position.z, 2.5) == 0.0);
            assert_true(start.forward.x == 1.0 && start.up.z == 1.0);

            // The button is much higher, and away from both.
            const oct_point button = oct_world_get(world, l->blocks[l->button] - 1).box.min;
            assert_true(button.z - start.position.z > 40.0);
            assert_true(button.y - start.position.y > 40.0);
            test_free(l);
            oct_world_destroy(world);
        }
    }
}

static void a_maze_is_its_box_and_walls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(SEEDS); seed++) {
        oct_world *box = generate(OCT_GENERATE_GLASS_BOX, seed);
        oct_world *maze = generate(OCT_GENERATE_GLASS_MAZE, seed);
        const size_t walls = oct_world_blocks(maze) - oct_world_blocks(box);
        assert_in_range(walls, 2900, 3400);
        for (size_t i = 0; i < oct_world_blocks(box); i++) {
            const oct_world_block block = oct_world_get(box, i);
            size_t index;
            assert_true(oct_world_find(maze, block.id, &index));
            assert_string_equal(type_of(maze, index), type_of(box, i));
        }
        size_t glass = 0;
        for (size_t i = 0; i < oct_world_blocks(maze); i++) {
            size_t index;
            if (!oct_world_find(box, oct_world_get(maze, i).id, &index)) {
                glass += strcmp(type_of(maze, i), "glass") == 0;
            }
        }
        assert_in_range(glass, walls / 5, walls * 4 / 5); // both kinds of wall
        oct_pose a, b;
        assert_true(oct_world_start(box, &a) && oct_world_start(maze, &b));
        assert_memory_equal(&a, &b, sizeof a);
        oct_world_destroy(maze);
        oct_world_destroy(box);
    }
}

// However full it is: places that walls had closed off are opened again.
static void a_full_maze_is_still_connected(void **state)
{
    (void)state;
    oct_generate_world_def def = def_of(OCT_GENERATE_GLASS_MAZE, 3);
    size_t last = 0;
    static const uint32_t asked[] = {1, 1000, 8000, OCT_GENERATE_MAZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        def.blocks = asked[i];
        oct_world *world;
        assert_int_equal(oct_world_generate(&def, NULL, &world), OCT_OK);
        assert_true(oct_world_blocks(world) > last);
        last = oct_world_blocks(world);
        lattice *l = lattice_of(world);
        assert_int_equal(count_free(l) - flood(l, l->start), 7 * 7 * 4 - 1);
        test_free(l);
        oct_world_destroy(world);
    }
    assert_true(last > 12600 + OCT_GENERATE_MAZE_MAX * 8 / 10);
}

// ---- open scenes ----

static void check_cubes(const oct_world *world, size_t count)
{
    assert_int_equal(oct_world_blocks(world), count);
    const oct_bounds extent = oct_world_extent(world);
    assert_memory_equal(&extent, &((oct_bounds){{0, 0, 0}, {500, 500, 500}}), sizeof extent);
    uint8_t *taken = test_calloc(50 * 50 * 50, 1);
    for (size_t i = 0; i < count; i++) {
        const oct_bounds b = oct_world_get(world, i).box;
        assert_true(b.max.x - b.min.x == 10 && b.max.y - b.min.y == 10 && b.max.z - b.min.z == 10);
        assert_true(b.min.x >= 0 && b.max.x <= 500 && b.min.y >= 0 && b.max.y <= 500 &&
                    b.min.z >= 0 && b.max.z <= 500);
        const size_t place =
            (size_t)(b.min.x / 10 + 50 * (b.min.y / 10) + 50 * 50 * (b.min.z / 10));
        assert_int_equal(taken[place], 0);
        taken[place] = 1;
    }
    test_free(taken);
}

static void random_cubes_are_as_many_as_asked_for(void **state)
{
    (void)state;
    oct_generate_world_def def = def_of(OCT_GENERATE_SVO_RANDOM, 1);
    static const uint32_t asked[] = {0, 1, 64, 1000, OCT_GENERATE_SVO_MAX};
    for (size_t i = 0; i < 5; i++) {
        def.blocks = asked[i];
        oct_world *world;
        assert_int_equal(oct_world_generate(&def, NULL, &world), OCT_OK);
        check_cubes(world, asked[i] ? asked[i] : 64);
        oct_world_destroy(world);
    }
}

static void the_wall_spans_the_tree(void **state)
{
    (void)state;
    oct_world *world = generate(OCT_GENERATE_SVO_WALL, 1);
    check_cubes(world, 500);
    size_t layers[50] = {0};
    for (size_t i = 0; i < 500; i++) {
        const oct_bounds b = oct_world_get(world, i).box;
        assert_true(b.min.y == 250);
        layers[(size_t)(b.min.z / 10)]++;
    }
    for (size_t z = 0; z < 50; z++) {
        assert_int_equal(layers[z], z >= 20 && z < 30 ? 50 : 0);
    }
    oct_world_destroy(world);
}

// ---- all ----

static bool mix(void *ctx, const void *data, size_t size)
{
    const uint8_t *at = data;
    uint64_t *hash = ctx;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return true;
}

static uint64_t hash_of(oct_generate_world_kind kind, uint64_t seed)
{
    oct_world *world = generate(kind, seed);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    assert_int_equal(oct_world_encode(world, mix, &hash), OCT_OK);
    oct_world_destroy(world);
    return hash;
}

// Of the file's bytes. A changed one means that worlds measured before cannot be compared with
// those measured after.
static void the_same_seed_makes_the_same_file(void **state)
{
    (void)state;
    static const uint64_t golden[OCT_GENERATE_WORLD_COUNT] = {
        UINT64_C(0x0fe9397d7db542a3),
        UINT64_C(0x86fd28fc860b4d4c),
        UINT64_C(0x5e24c76f045c46bb),
        UINT64_C(0xec1a0cbcfda49f28),
    };
    for (int k = 0; k < OCT_GENERATE_WORLD_COUNT; k++) {
        const oct_generate_world_kind kind = (oct_generate_world_kind)k;
        const uint64_t hash = hash_of(kind, 1);
        if (hash != golden[k]) {
            print_message("%s: 0x%016llx\n", oct_generate_world_kind_name(kind),
                          (unsigned long long)hash);
        }
        assert_int_equal(hash, golden[k]);
        assert_int_equal(hash, hash_of(kind, 1));
        assert_true(kind == OCT_GENERATE_SVO_WALL || hash != hash_of(kind, 2));
    }
}

static void refuse(oct_generate_world_def def, oct_result expected)
{
    oct_world *world = (oct_world *)&def; // anything but NULL
    assert_int_equal(oct_world_generate(&def, NULL, &world), expected);
    assert_null(world);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    oct_generate_world_def def = oct_generate_world_def_default();
    def.cookie = 0;
    refuse(def, OCT_ERROR_ARGUMENT);
    refuse(def_of(OCT_GENERATE_WORLD_COUNT, 1), OCT_ERROR_ARGUMENT);
    def = def_of(OCT_GENERATE_GLASS_MAZE, 1);
    def.blocks = OCT_GENERATE_MAZE_MAX + 1;
    refuse(def, OCT_ERROR_RANGE);
    def = def_of(OCT_GENERATE_SVO_RANDOM, 1);
    def.blocks = OCT_GENERATE_SVO_MAX + 1;
    refuse(def, OCT_ERROR_RANGE);
    def = def_of(OCT_GENERATE_GLASS_BOX, 1);
    def.blocks = 1;
    refuse(def, OCT_ERROR_RANGE);
}

static oct_result generate_once(const oct_allocator *allocator, void *ctx)
{
    oct_world *world;
    const oct_result result = oct_world_generate(ctx, allocator, &world);
    assert_int_equal(result == OCT_OK, world != NULL);
    oct_world_destroy(world);
    return result;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    for (int kind = 0; kind < OCT_GENERATE_WORLD_COUNT; kind++) {
        oct_generate_world_def def = def_of((oct_generate_world_kind)kind, 1);
        assert_true(test_each_failure(generate_once, &def) > 4);
    }
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(oct_generate_world_kind_name(OCT_GENERATE_GLASS_BOX), "glass-box");
    assert_string_equal(oct_generate_world_kind_name(OCT_GENERATE_GLASS_MAZE), "glass-maze");
    assert_string_equal(oct_generate_world_kind_name(OCT_GENERATE_SVO_RANDOM), "svo-random");
    assert_string_equal(oct_generate_world_kind_name(OCT_GENERATE_SVO_WALL), "svo-wall");
    assert_null(oct_generate_world_kind_name(OCT_GENERATE_WORLD_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_has_the_printed_size),
        cmocka_unit_test(nothing_gets_out_of_the_box),
        cmocka_unit_test(start_and_goal_are_in_their_houses),
        cmocka_unit_test(a_maze_is_its_box_and_walls),
        cmocka_unit_test(a_full_maze_is_still_connected),
        cmocka_unit_test(random_cubes_are_as_many_as_asked_for),
        cmocka_unit_test(the_wall_spans_the_tree),
        cmocka_unit_test(the_same_seed_makes_the_same_file),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
