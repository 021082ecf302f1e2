// SPDX-License-Identifier: MIT
// Where the thinnest reading of a body may be: never less than a fine flood of true distances
// finds, and closed where walls close it.
#include "support.h"

#include "agent/config_space.h"
#include "agent/solid_boxes.h"
#include "geom/geom_internal.h"

#include <math.h>

#define CELL (319.0 / 1024.0)
#define SIZE 8.0 // of the world, metres

typedef struct scene {
    oct_history *history;
    oct_game_info info;
    oct_tree *lattice;
    oct_array entities; // of oct_entity
    oct_allocator allocator;
} scene;

static void init(scene *s)
{
    *s = (scene){.allocator = oct_allocator_default()};
    s->info = (oct_game_info){
        .rate = 60.0, .slide = 60, .has_bounds = true, .bounds = {{0, 0, 0}, {SIZE, SIZE, SIZE}}};
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = CELL;
    assert_int_equal(oct_tree_create(&def, &s->lattice), OCT_OK);
    s->history = oct_history_create(NULL);
    assert_non_null(s->history);
}

static void put(scene *s, oct_bounds box, bool is_door)
{
    const oct_entity e = {.thing = {.id = s->entities.count + 1, .box = box, .label = OCT_BLOCKED},
                          .name = "",
                          .type = "",
                          .kind = is_door ? OCT_ENTITY_DOOR : OCT_ENTITY_SOLID,
                          .forward = {0, 0, -1},
                          .up = {0, 1, 0}};
    assert_int_equal(oct_array_push(&s->entities, &s->allocator, sizeof e, &e), OCT_OK);
}

static void make(scene *s, config_space *out)
{
    const oct_observation seen = {.entities = s->entities.items, .count = s->entities.count};
    assert_int_equal(oct_history_look(s->history, &s->info, &seen, &seen), OCT_OK);
    assert_int_equal(
        oct_config_space_make(out, s->history, s->lattice, &s->info.bounds, &s->allocator), OCT_OK);
}

static void free_scene(scene *s)
{
    oct_array_free(&s->entities, &s->allocator, sizeof(oct_entity));
    oct_history_drop(s->history);
    oct_tree_destroy(s->lattice);
}

static uint32_t part_at(config_space *space, double x, double y, double z)
{
    uint32_t part;
    assert_int_equal(oct_config_space_enter(space, (oct_point){x, y, z}, &part), OCT_OK);
    return part;
}

// ---- against a fine flood ----

#define FINE 0.1
#define FINE_COUNT 80

static double outside(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static double clearance(const scene *s, oct_point p)
{
    double least = HUGE_VAL;
    const oct_entity *const all = s->entities.items;
    for (size_t i = 0; i < s->entities.count; i++) {
        const oct_bounds *const b = &all[i].thing.box;
        const double x = outside(p.x, b->min.x, b->max.x), y = outside(p.y, b->min.y, b->max.y);
        const double z = outside(p.z, b->min.z, b->max.z);
        least = fmin(least, sqrt(x * x + y * y + z * z));
    }
    return least;
}

static oct_point fine_point(size_t i)
{
    return (oct_point){FINE * ((double)(i % FINE_COUNT) + 0.5),
                       FINE * ((double)(i / FINE_COUNT % FINE_COUNT) + 0.5),
                       FINE * ((double)(i / FINE_COUNT / FINE_COUNT) + 0.5)};
}

// Marks with numbers what is connected. Where two neighbours have a little more room than the body
// needs, all points between them have enough.
static void flood(const scene *s, uint8_t *parts)
{
    static uint32_t queue[FINE_COUNT * FINE_COUNT * FINE_COUNT];
    const size_t count = sizeof queue / sizeof *queue;
    uint8_t next = 1;
    for (size_t i = 0; i < count; i++) {
        parts[i] = clearance(s, fine_point(i)) >= 0.5 + FINE / 2.0 ? 0 : UINT8_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i] != 0) {
            continue;
        }
        size_t ends = 0;
        queue[ends++] = (uint32_t)i;
        parts[i] = next;
        for (size_t k = 0; k < ends; k++) {
            const size_t at = queue[k];
            const size_t x = at % FINE_COUNT, y = at / FINE_COUNT % FINE_COUNT,
                         z = at / FINE_COUNT / FINE_COUNT;
            const size_t steps[3] = {1, FINE_COUNT, FINE_COUNT * FINE_COUNT}, place[3] = {x, y, z};
            for (int axis = 0; axis < 3; axis++) {
                if (place[axis] > 0 && parts[at - steps[axis]] == 0) {
                    parts[at - steps[axis]] = next;
                    queue[ends++] = (uint32_t)(at - steps[axis]);
                }
                if (place[axis] + 1 < FINE_COUNT && parts[at + steps[axis]] == 0) {
                    parts[at + steps[axis]] = next;
                    queue[ends++] = (uint32_t)(at + steps[axis]);
                }
            }
        }
        next = next < UINT8_MAX - 1 ? next + 1 : next;
    }
}

static double draw(oct_random *random, double most)
{
    return most * (double)oct_random_below(random, 1u << 20) / (1u << 20);
}

// Boxes of all sizes anywhere; some are plates that cut the whole world.
static void put_random(scene *s, oct_random *random)
{
    const oct_point at = {draw(random, SIZE), draw(random, SIZE), draw(random, SIZE)};
    oct_bounds box = {at, {at.x + draw(random, 4), at.y + draw(random, 4), at.z + draw(random, 4)}};
    const uint64_t kind = oct_random_below(random, 6);
    if (kind < 3) {
        double *const lo[3] = {&box.min.x, &box.min.y, &box.min.z};
        double *const hi[3] = {&box.max.x, &box.max.y, &box.max.z};
        for (uint64_t axis = 0; axis < 3; axis++) {
            if (axis == kind) {
                *hi[axis] = *lo[axis] + draw(random, 0.3);
            } else if (oct_random_below(random, 3) > 0) {
                *lo[axis] = -1.0;
                *hi[axis] = SIZE + 1.0;
            }
        }
    }
    put(s, box, false);
}

static void what_is_connected_is_never_divided(void **state)
{
    (void)state;
    static uint8_t parts[FINE_COUNT * FINE_COUNT * FINE_COUNT];
    static uint32_t first[UINT8_MAX + 1];
    size_t joined = 0, divided = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        oct_random random = oct_random_seed(seed);
        scene s;
        config_space space;
        init(&s);
        for (uint64_t i = 0; i < 3 + seed; i++) {
            put_random(&s, &random);
        }
        make(&s, &space);
        flood(&s, parts);
        memset(first, 0xff, sizeof first);
        for (size_t i = 0; i < sizeof parts; i++) {
            if (parts[i] == UINT8_MAX) {
                continue;
            }
            const oct_point p = fine_point(i);
            const uint32_t part = part_at(&space, p.x, p.y, p.z);
            if (part == PART_NONE) {
                fail_msg("seed %d: %.2f %.2f %.2f is free, and closed", (int)seed, p.x, p.y, p.z);
            }
            if (first[parts[i]] == UINT32_MAX) {
                first[parts[i]] = part;
            }
            if (parts[i] < UINT8_MAX - 1 && first[parts[i]] != part) {
                fail_msg("seed %d: a way to %.2f %.2f %.2f was missed", (int)seed, p.x, p.y, p.z);
            }
        }
        for (int i = 2; i < UINT8_MAX - 1 && first[i] != UINT32_MAX; i++) {
            joined += first[i] == first[1];
            divided += first[i] != first[1];
        }
        oct_config_space_free(&space);
        free_scene(&s);
    }
    // It would be right, and of no use, if everything were one.
    print_message("%d parts were told apart, %d were not\n", (int)divided, (int)joined);
    assert_true(divided > joined);
}

// ---- walls of blocks ----

// A wall of blocks across the world, at x from 4 to 4 + thick, but for one opening.
static void put_wall(scene *s, double thick, double block, oct_bounds opening)
{
    for (double y = 0.0; y < SIZE; y += block) {
        for (double z = 0.0; z < SIZE; z += block) {
            const oct_bounds b = {{4, y, z}, {4 + thick, y + block, z + block}};
            const bool is_open = b.min.y < opening.max.y - 1e-9 && b.max.y > opening.min.y + 1e-9 &&
                                 b.min.z < opening.max.z - 1e-9 && b.max.z > opening.min.z + 1e-9;
            if (!is_open) {
                put(s, b, false);
            }
        }
    }
}

static const oct_bounds nowhere = {{0, -9, -9}, {0, -8, -8}};

static void a_wall_of_blocks_has_no_cracks(void **state)
{
    (void)state;
    static const double thicks[] = {0.05, 0.5, 2.5};
    for (size_t i = 0; i < sizeof thicks / sizeof *thicks; i++) {
        scene s;
        config_space space;
        init(&s);
        put_wall(&s, thicks[i], 1.0, nowhere);
        make(&s, &space);
        const uint32_t a = part_at(&space, 1, 1, 1), b = part_at(&space, 7.5, 7.5, 7.5);
        assert_true(a != PART_NONE && b != PART_NONE && a != b);
        oct_config_space_free(&space);
        free_scene(&s);
    }
}

// An opening of one block of 1 m lets a body of 1 m through, as far as anybody can say; one of half
// a metre does not.
static void tight_gaps_are_not_excluded(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        config_space space;
        const double block = i == 0 ? 1.0 : 0.5;
        init(&s);
        put_wall(&s, 0.5, block, (oct_bounds){{0, 3, 3}, {0, 3 + block, 3 + block}});
        make(&s, &space);
        const bool is_same = part_at(&space, 1, 1, 1) == part_at(&space, 7, 7, 7);
        assert_int_equal(is_same, i == 0);
        oct_config_space_free(&space);
        free_scene(&s);
    }
}

// A turned block, and one that was seen to move, close nothing.
static void what_may_be_elsewhere_closes_nothing(void **state)
{
    (void)state;
    const oct_piece turned = {.kind = OCT_PIECE_OBB};
    for (int i = 0; i < 2; i++) {
        scene s;
        config_space space;
        init(&s);
        put(&s, (oct_bounds){{4, -1, -1}, {5, SIZE + 1, SIZE + 1}}, false);
        oct_entity *const wall = s.entities.items;
        if (i == 0) {
            wall->shape = (oct_shape){&turned, 1};
        } else {
            wall->velocity = (oct_point){0, 0, 1};
        }
        make(&s, &space);
        assert_int_equal(part_at(&space, 1, 1, 1), part_at(&space, 7, 7, 7));
        oct_config_space_free(&space);
        free_scene(&s);
    }
}

// ---- doors ----

static void a_door_divides_and_joins(void **state)
{
    (void)state;
    scene s;
    config_space space;
    const oct_bounds opening = {{4, 2, 2}, {4.5, 4, 4}};
    init(&s);
    put_wall(&s, 0.5, 2.0, opening);
    put(&s, opening, true);
    make(&s, &space);
    const uint32_t from = part_at(&space, 1, 1, 1), to = part_at(&space, 7, 7, 7);
    assert_true(from != to);
    uint8_t reached[16] = {0}, free_doors[1] = {0};
    assert_true(space.parts.count <= sizeof reached);
    reached[from] = 1;
    oct_config_space_flood(&space, free_doors, reached);
    assert_false(reached[to]);
    free_doors[0] = 1;
    oct_config_space_flood(&space, free_doors, reached);
    assert_true(reached[to]);
    oct_config_space_free(&space);
    free_scene(&s);
}

// ---- seams ----

static void boxes_are_joined_within_their_union(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        oct_random random = oct_random_seed(seed);
        const oct_allocator allocator = oct_allocator_default();
        oct_array boxes = {0}, given = {0};
        for (int i = 0; i < 40; i++) {
            const oct_point at = {(double)oct_random_below(&random, 6),
                                  (double)oct_random_below(&random, 6),
                                  (double)oct_random_below(&random, 6)};
            const oct_bounds b = {at, {at.x + 1, at.y + 1, at.z + 1}};
            assert_int_equal(oct_array_push(&boxes, &allocator, sizeof b, &b), OCT_OK);
            assert_int_equal(oct_array_push(&given, &allocator, sizeof b, &b), OCT_OK);
        }
        assert_int_equal(oct_solid_boxes_join(&boxes, &allocator), OCT_OK);
        for (int i = 0; i < 12 * 12 * 12; i++) {
            const oct_point p = {i % 12 * 0.5 + 0.25, i / 12 % 12 * 0.5 + 0.25,
                                 i / 144 * 0.5 + 0.25};
            bool was = false, is = false;
            for (size_t k = 0; k < given.count; k++) {
                const oct_bounds b = ((const oct_bounds *)given.items)[k];
                was = was || (p.x > b.min.x && p.x < b.max.x && p.y > b.min.y && p.y < b.max.y &&
                              p.z > b.min.z && p.z < b.max.z);
            }
            for (size_t k = 0; k < boxes.count; k++) {
                const oct_bounds b = ((const oct_bounds *)boxes.items)[k];
                is = is || (p.x > b.min.x && p.x < b.max.x && p.y > b.min.y && p.y < b.max.y &&
                            p.z > b.min.z && p.z < b.max.z);
            }
            assert_int_equal(is, was);
        }
        oct_array_free(&boxes, &allocator, sizeof(oct_bounds));
        oct_array_free(&given, &allocator, sizeof(oct_bounds));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_connected_is_never_divided),
        cmocka_unit_test(a_wall_of_blocks_has_no_cracks),
        cmocka_unit_test(tight_gaps_are_not_excluded),
        cmocka_unit_test(what_may_be_elsewhere_closes_nothing),
        cmocka_unit_test(a_door_divides_and_joins),
        cmocka_unit_test(boxes_are_joined_within_their_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
