// SPDX-License-Identifier: MIT
// Sight: the definition against exact fractions, the cast against the definition, erosion against a
// plain loop.
#include "map/sight_index.h"
#include "sight_scene.h"

#include <math.h>
#include <stdlib.h>

// ---- the definition ----

// A fraction; its denominator is positive.
typedef struct fraction {
    int64_t over, under;
} fraction;

static fraction fraction_of(int64_t over, int64_t under)
{
    return under < 0 ? (fraction){-over, -under} : (fraction){over, under};
}

// Below 0, 0, above 0 as a < b, a = b, a > b.
static int compare(fraction a, fraction b)
{
    const int64_t left = a.over * b.under, right = b.over * a.under;
    return (left > right) - (left < right);
}

typedef enum verdict { SEEN, HIDDEN, TIE } verdict;

// What the definition says of one box, in units of 1/8 cell. Where two times are equal, rounding
// may decide: a tie.
static verdict ask_exactly(const int64_t eye[3], const int64_t cell[3], const int64_t lo[3],
                           const int64_t hi[3], int dims)
{
    fraction start = {0, 1}, end = {1000000, 1}, entry = {0, 1};
    bool holds = true;
    for (int a = 0; a < dims; a++) {
        const int64_t d = cell[a] * 8 + 4 - eye[a];
        holds = holds && lo[a] <= eye[a] && eye[a] <= hi[a];
        if (d == 0) {
            if (eye[a] < lo[a] || eye[a] > hi[a]) {
                return SEEN;
            }
            continue;
        }
        const fraction near = fraction_of((d > 0 ? lo[a] : hi[a]) - eye[a], d);
        const fraction far = fraction_of((d > 0 ? hi[a] : lo[a]) - eye[a], d);
        const fraction face = fraction_of((d > 0 ? cell[a] : cell[a] + 1) * 8 - eye[a], d);
        start = compare(near, start) > 0 ? near : start;
        end = compare(far, end) < 0 ? far : end;
        entry = compare(face, entry) > 0 ? face : entry;
    }
    if (holds || compare(start, end) > 0 || compare(start, entry) > 0) {
        return SEEN;
    }
    return compare(start, end) == 0 || compare(start, entry) == 0 ? TIE : HIDDEN;
}

static bool holds_middle(const int64_t cell[3], const int64_t lo[3], const int64_t hi[3], int dims)
{
    bool holds = true;
    for (int a = 0; a < dims; a++) {
        holds = holds && lo[a] <= cell[a] * 8 + 4 && cell[a] * 8 + 4 <= hi[a];
    }
    return holds;
}

// Random boxes, eyes and cells on a lattice of eighths.
static void one_cell_is_seen_as_exact_fractions_say(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(17);
    size_t verdicts[3] = {0, 0, 0};
    for (int i = 0; i < 300000; i++) {
        const int dims = 2 + i % 2;
        int64_t eye[3], cell[3], lo[3], hi[3];
        sight_box box;
        for (int a = 0; a < 3; a++) {
            eye[a] = oct_random_range(&random, -40, 40);
            cell[a] = oct_random_range(&random, -9, 9);
            lo[a] = oct_random_range(&random, -50, 40);
            hi[a] = lo[a] + oct_random_range(&random, 0, 50);
            box.lo[a] = (double)lo[a] / 8.0;
            box.hi[a] = (double)hi[a] / 8.0;
        }
        const sight s = {{(double)eye[0] / 8.0, (double)eye[1] / 8.0, (double)eye[2] / 8.0},
                         &box,
                         1,
                         dims,
                         i % 3 == 0, // soft
                         NULL,
                         NULL};
        const oct_vec at = {(int32_t)cell[0], (int32_t)cell[1], (int32_t)cell[2]};
        const verdict exact = s.soft_count > 0 && holds_middle(cell, lo, hi, dims)
                                  ? SEEN
                                  : ask_exactly(eye, cell, lo, hi, dims);
        verdicts[exact]++;
        if (exact != TIE && oct_sight_sees(&s, at) == (exact == HIDDEN)) {
            fail_msg("case %d", i);
        }
    }
    assert_true(verdicts[SEEN] > 10000 && verdicts[HIDDEN] > 10000 && verdicts[TIE] > 100);
}

static bool sees(oct_point eye, const sight_box *boxes, uint32_t count, oct_vec cell)
{
    const sight s = {eye, boxes, count, 3, 0, NULL, NULL};
    return oct_sight_sees(&s, cell);
}

static void a_wall_shows_its_surface_and_hides_what_is_behind_it(void **state)
{
    (void)state;
    const oct_point eye = {0.25, 0.5, 0.5};
    const sight_box wall = {{4.0, -50.0, -50.0}, {6.0, 50.0, 50.0}};
    assert_true(sees(eye, &wall, 1, (oct_vec){3, 0, 0}));
    assert_true(sees(eye, &wall, 1, (oct_vec){4, 0, 0}));
    for (int32_t x = 5; x < 40; x++) {
        assert_false(sees(eye, &wall, 1, (oct_vec){x, 0, 0}));
        assert_false(sees(eye, &wall, 1, (oct_vec){x, x / 2, -x / 3}));
        assert_true(sees(eye, &wall, 1, (oct_vec){-x, 0, 0}));
    }
    // Beside the wall, and over its top.
    assert_true(sees(eye, &wall, 1, (oct_vec){0, 60, 0}));
    assert_true(sees(eye, &wall, 1, (oct_vec){5, 0, 90}));
}

static void a_box_behind_a_cell_or_at_its_face_hides_nothing_of_it(void **state)
{
    (void)state;
    const oct_point eyes[] = {{0.5, 0.5, 0.5}, {0.1, 0.7, 0.3}, {0.0, 0.5, 0.9}};
    const sight_box behind = {{5.0, -9.0, -9.0}, {7.0, 9.0, 9.0}};
    const sight_box at_face = {{4.0, -9.0, -9.0}, {7.0, 9.0, 9.0}};
    const sight_box in_front = {{3.0, -9.0, -9.0}, {4.0, 9.0, 9.0}};
    for (int i = 0; i < 3; i++) {
        assert_true(sees(eyes[i], &behind, 1, (oct_vec){4, 0, 0}));
        assert_true(sees(eyes[i], &at_face, 1, (oct_vec){4, 0, 0}));
        assert_false(sees(eyes[i], &in_front, 1, (oct_vec){4, 0, 0}));
    }
}

static void a_box_that_holds_the_eye_hides_nothing(void **state)
{
    (void)state;
    const sight_box box = {{0.0, 0.0, 0.0}, {2.0, 2.0, 2.0}};
    const oct_vec far = {30, 1, 1};
    assert_true(sees((oct_point){1.0, 1.0, 1.0}, &box, 1, far));
    assert_true(sees((oct_point){0.0, 1.5, 1.5}, &box, 1, far)); // on its face
    assert_true(sees((oct_point){2.0, 2.0, 0.0}, &box, 1, far)); // on its corner
    assert_false(sees((oct_point){-0.125, 1.5, 1.5}, &box, 1, far));
}

// Walls of boxes that share faces, edges and corners, whose coordinates are rounded.
static void touching_boxes_leave_no_gap(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    sight_box wall[144];
    for (int turn = 0; turn < 60; turn++) {
        const double edge = 0.3 + oct_random_unit(&random), base = oct_random_unit(&random);
        uint32_t count = 0;
        for (int y = -6; y < 6; y++) {
            for (int z = -6; z < 6; z++) {
                wall[count++] =
                    (sight_box){{4.0, (base + y) * edge, (base + z) * edge},
                                {4.0 + edge, (base + (y + 1)) * edge, (base + (z + 1)) * edge}};
            }
        }
        // Through edges and corners of the boxes, and anywhere.
        oct_point eye = {-0.5, base * edge, turn % 2 ? base * edge : 0.5};
        if (turn % 3 == 0) {
            eye = (oct_point){oct_random_unit(&random), oct_random_unit(&random), 0.5};
        }
        for (int32_t y = -2; y < 2; y++) {
            for (int32_t z = -2; z < 2; z++) {
                assert_false(sees(eye, wall, count, (oct_vec){6, y, z}));
                assert_false(sees(eye, wall, count, (oct_vec){9, y, z}));
            }
        }
    }
}

// ---- the cast ----

static void a_hole_in_a_wall_shows_a_cone(void **state)
{
    (void)state;
    // A wall in front of the eye, with a hole of 2 x 2 cells.
    const sight_box wall[] = {{{8.0, -100.0, -100.0}, {9.25, -1.0, 100.0}},
                              {{8.0, 1.0, -100.0}, {9.25, 100.0, 100.0}},
                              {{8.0, -1.0, -100.0}, {9.25, 1.0, -1.0}},
                              {{8.0, -1.0, 1.0}, {9.25, 1.0, 100.0}}};
    const sight s = {{0.0, 0.0, 0.0}, wall, 4, 3, 0, NULL, NULL};
    bit_grid grid = scene_grid((oct_box){{0, -24, -24}, {40, 24, 24}});
    const oct_allocator heap = oct_allocator_default();
    assert_int_equal(oct_sight_cast(&s, 1000.0, NULL, &heap, &grid), OCT_OK);
    for (int32_t z = -24; z < 24; z++) {
        for (int32_t y = -24; y < 24; y++) {
            for (int32_t x = 10; x < 40; x++) {
                // The far edges of the hole are 1 away from the middle.
                const double wide = fmax(fabs(y + 0.5), fabs(z + 0.5)), open = (x + 0.5) / 9.25;
                assert_true(fabs(wide - open) > 1e-6);
                assert_int_equal(scene_bit(&grid, (oct_vec){x, y, z}), wide < open);
            }
        }
    }
    free(grid.words);
}

static void cells_in_reach_share_inner_points_with_the_ball(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    const sight s = {{0.0, 0.0, 0.0}, NULL, 0, 3, 0, NULL, NULL};
    bit_grid grid = scene_grid((oct_box){{-8, -8, -8}, {8, 8, 8}});
    assert_int_equal(oct_sight_cast(&s, 5.0, NULL, &heap, &grid), OCT_OK);
    assert_true(scene_bit(&grid, (oct_vec){4, 0, 0}));
    assert_true(scene_bit(&grid, (oct_vec){3, 3, 0}));
    assert_true(scene_bit(&grid, (oct_vec){-1, -4, -4}));
    assert_false(scene_bit(&grid, (oct_vec){5, 0, 0})); // touches it
    assert_false(scene_bit(&grid, (oct_vec){3, 4, 0}));
    assert_false(scene_bit(&grid, (oct_vec){-1, -4, -5}));
    free(grid.words);
}

// Thousands of scenes: every bit is what the definition says.
static void a_cast_gives_the_bits_of_the_plain_loop(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(1600); seed++) {
        sight_scene scene;
        scene_random(&scene, seed);
        scene_cast(&scene, NULL);
        scene_check(&scene, seed);
        scene_free(&scene);
    }
}

// Far cells, where the bounds are least sure.
static void long_rows_are_cast_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(60); seed++) {
        oct_random random = oct_random_seed(seed);
        sight_scene scene;
        scene_init(&scene, (oct_box){{-520, -2, -2}, {520, 2, 2}}, seed % 2 ? 3 : 2);
        scene.within = 512.0;
        scene.sight.eye = (oct_point){oct_random_unit(&random) * 8.0, oct_random_unit(&random),
                                      seed % 3 ? oct_random_unit(&random) : 0.5};
        for (int i = 0; i < 60; i++) {
            scene_add_random(&scene, &random);
        }
        scene_cast(&scene, NULL);
        scene_check(&scene, seed);
        scene_free(&scene);
    }
}

// Boxes so near to a plane through the eye that products leave the range of doubles.
static void boxes_next_to_nothing_are_cast_exactly(void **state)
{
    (void)state;
    static const double tiny[] = {0x1p-1074, -0x1p-1074, 1e-310, -1e-300, 0x1p-62, -0x1p-58, 1e-9};
    const oct_box cells = {{-8, -8, -8}, {9, 9, 9}};
    for (uint64_t seed = 0; seed < test_rounds(400); seed++) {
        oct_random random = oct_random_seed(seed);
        sight_scene scene;
        scene_init(&scene, cells, seed % 2 ? 3 : 2);
        scene.within = 20.0;
        scene.sight.eye = (oct_point){seed % 3 ? 0.0 : 0.5, 0.0, seed % 5 ? 0.0 : 1.5};
        for (int i = 0; i < 3; i++) {
            sight_box box;
            for (int a = 0; a < 3; a++) {
                const double at = tiny[oct_random_below(&random, 7)];
                const double wide = (double)oct_random_below(&random, 3) * 2.0;
                const bool below = oct_random_below(&random, 2) == 0;
                box.lo[a] = below ? at - wide : at;
                box.hi[a] = below ? at : at + wide;
            }
            scene_add(&scene, box);
        }
        scene_cast(&scene, NULL);
        scene_check(&scene, seed);
        scene_free(&scene);
    }
}

static void an_empty_grid_is_left_alone(void **state)
{
    (void)state;
    const sight s = {{0.0, 0.0, 0.0}, NULL, 0, 3, 0, NULL, NULL};
    test_allocator memory;
    test_allocator_init(&memory, 0);
    bit_grid none = {{{0, 0, 0}, {0, 8, 8}}, 0, NULL};
    assert_int_equal(oct_sight_cast(&s, 5.0, NULL, &memory.allocator, &none), OCT_OK);
    oct_sight_erode(&none, (oct_vec){1, 1, 1});
    assert_int_equal(memory.allocations, 0);
}

// Runs the parts on one thread, but in a strange order and as if by many workers.
typedef struct juggler {
    uint32_t workers;
    uint32_t ran;
} juggler;

static void juggle(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    juggler *j = ctx;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t part = i % 2 ? i / 2 : count - 1 - i / 2;
        task(arg, part, i * 5 % j->workers);
    }
    j->ran += count;
}

static void any_executor_gives_the_same_bits(void **state)
{
    (void)state;
    static const uint32_t workers[] = {1, 2, 3, 7};
    for (uint64_t seed = 0; seed < test_rounds(200); seed++) {
        sight_scene one, many;
        scene_random(&one, seed);
        scene_cast(&one, NULL);
        for (int i = 0; i < 4; i++) {
            juggler j = {workers[i], 0};
            const oct_executor executor = {juggle, &j, workers[i]};
            scene_random(&many, seed);
            scene_cast(&many, &executor);
            assert_true(j.ran > 0);
            assert_memory_equal(one.seen.words, many.seen.words, scene_bytes(&one.seen));
            scene_free(&many);
        }
        scene_free(&one);
    }
}

static oct_result cast_in(const oct_allocator *allocator, void *ctx)
{
    sight_scene *s = ctx;
    return oct_sight_cast(&s->sight, s->within, NULL, allocator, &s->seen);
}

static void a_cast_survives_every_failed_allocation(void **state)
{
    (void)state;
    sight_scene scene;
    scene_random(&scene, 5);
    assert_true(test_each_failure(cast_in, &scene) > 0);
    scene_check(&scene, 5);
    scene_free(&scene);
}

// Every build gives the same bits.
static void casts_have_the_golden_hash(void **state)
{
    (void)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t seed = 0; seed < 200; seed++) {
        sight_scene scene;
        scene_random(&scene, seed);
        scene.sight.soft_count = 0;
        scene_cast(&scene, NULL);
        for (size_t i = 0; i < scene_bytes(&scene.seen) / sizeof(uint64_t); i++) {
            hash = (hash ^ scene.seen.words[i]) * UINT64_C(0x100000001b3);
        }
        scene_free(&scene);
    }
    const uint64_t golden = UINT64_C(0x5d1bc92fde49ab7d);
    if (hash != golden) {
        print_message("hash 0x%016llx\n", (unsigned long long)hash);
    }
    assert_int_equal(hash, golden);
}

// ---- erosion ----

static bool stays(const bit_grid *grid, oct_vec at, oct_vec reach)
{
    for (int32_t z = at.z - reach.z; z <= at.z + reach.z; z++) {
        for (int32_t y = at.y - reach.y; y <= at.y + reach.y; y++) {
            for (int32_t x = at.x - reach.x; x <= at.x + reach.x; x++) {
                if (!scene_bit(grid, (oct_vec){x, y, z})) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Sets most bits, in a way that leaves large areas whole.
static void fill_random(bit_grid *grid, oct_random *random)
{
    const oct_box box = grid->box;
    const uint64_t holes = oct_random_below(random, 12);
    memset(grid->words, 0, scene_bytes(grid));
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                scene_set(grid, (oct_vec){x, y, z}, true);
            }
        }
    }
    for (uint64_t i = 0; i < holes; i++) {
        scene_set(grid,
                  (oct_vec){oct_random_range(random, box.min.x, box.max.x - 1),
                            oct_random_range(random, box.min.y, box.max.y - 1),
                            oct_random_range(random, box.min.z, box.max.z - 1)},
                  false);
    }
}

static void check_erosion(oct_box box, oct_vec reach, oct_random *random)
{
    bit_grid before = scene_grid(box), grid = scene_grid(box), expected = scene_grid(box);
    fill_random(&before, random);
    memcpy(grid.words, before.words, scene_bytes(&grid));
    memset(expected.words, 0, scene_bytes(&grid));
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                scene_set(&expected, (oct_vec){x, y, z}, stays(&before, (oct_vec){x, y, z}, reach));
            }
        }
    }
    oct_sight_erode(&grid, reach);
    assert_memory_equal(grid.words, expected.words, scene_bytes(&grid));
    free(before.words);
    free(grid.words);
    free(expected.words);
}

// Whether all cells that a ball around any point of a cell reaches into are set.
static bool stays_by_ball(const bit_grid *grid, oct_vec at, double radius)
{
    const int32_t most = (int32_t)radius + 2;
    for (int32_t z = -most; z <= most; z++) {
        for (int32_t y = -most; y <= most; y++) {
            for (int32_t x = -most; x <= most; x++) {
                const double gx = fmax(abs(x) - 1, 0), gy = fmax(abs(y) - 1, 0),
                             gz = fmax(abs(z) - 1, 0);
                if (gx * gx + gy * gy + gz * gz < radius * radius &&
                    !scene_bit(grid, (oct_vec){at.x + x, at.y + y, at.z + z})) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void erosion_by_a_ball_is_that_of_the_plain_loop(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(12);
    for (int i = 0; i < 300; i++) {
        const oct_vec min = {8 * oct_random_range(&random, -3, 3), -8, 16};
        const oct_box box = {min,
                             {min.x + oct_random_range(&random, 1, 140),
                              min.y + oct_random_range(&random, 1, 12),
                              min.z + oct_random_range(&random, 1, 12)}};
        const double radius = (double)oct_random_below(&random, 9) / 2.0;
        bit_grid before = scene_grid(box), grid = scene_grid(box), expected = scene_grid(box);
        uint64_t row[8];
        fill_random(&before, &random);
        memset(expected.words, 0, scene_bytes(&grid));
        for (oct_vec at = box.min; at.z < box.max.z; at.z++) {
            for (at.y = box.min.y; at.y < box.max.y; at.y++) {
                for (at.x = box.min.x; at.x < box.max.x; at.x++) {
                    scene_set(&expected, at,
                              scene_bit(&before, at) && stays_by_ball(&before, at, radius));
                }
            }
        }
        oct_sight_erode_ball(&before, radius, row, &grid);
        assert_memory_equal(grid.words, expected.words, scene_bytes(&grid));
        free(before.words);
        free(grid.words);
        free(expected.words);
    }
}

static void erosion_is_that_of_the_plain_loop(void **state)
{
    (void)state;
    static const int32_t wide[] = {1, 5, 63, 64, 65, 128, 130, 200};
    oct_random random = oct_random_seed(11);
    for (int i = 0; i < 1500; i++) {
        const bool flat = i % 3 == 0;
        const oct_vec min = {8 * oct_random_range(&random, -3, 3), -8, flat ? 0 : 16};
        const oct_box box = {min,
                             {min.x + wide[oct_random_below(&random, 8)],
                              min.y + oct_random_range(&random, 1, 9),
                              flat ? 1 : min.z + oct_random_range(&random, 1, 7)}};
        const int32_t most = oct_random_below(&random, 20) == 0 ? 70 : 3;
        check_erosion(box,
                      (oct_vec){oct_random_range(&random, 0, most), oct_random_range(&random, 0, 3),
                                flat ? 0 : oct_random_range(&random, 0, 2)},
                      &random);
    }
}

// Points are reached past many boxes as without an index of them; boxes touch each other, and
// points lie on their sides.
static void an_index_of_boxes_changes_no_answer(void **state)
{
    (void)state;
    enum { BOXES = 300 };
    static sight_box boxes[BOXES];
    oct_random random = oct_random_seed(23);
    oct_array starts = {0}, items = {0};
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    size_t counts[2] = {0, 0};
    for (int i = 0; i < 60; i++) {
        const int dims = 2 + i % 2;
        const double reach = 20.0;
        const sight s = {{oct_random_unit(&random), 0.5, i % 4 ? 0.25 : 0.0},
                         boxes,
                         i % 5 ? BOXES : 3,
                         dims,
                         0,
                         NULL,
                         NULL};
        for (int k = 0; k < BOXES; k++) {
            for (int a = 0; a < 3; a++) {
                boxes[k].lo[a] = oct_random_range(&random, -24, 22);
                boxes[k].hi[a] = boxes[k].lo[a] + oct_random_range(&random, 0, k % 40 ? 2 : 30);
            }
        }
        sight_index index;
        assert_int_equal(oct_sight_index_make(&s, reach, &allocator, &starts, &items, &index),
                         OCT_OK);
        for (int k = 0; k < 2000; k++) {
            const sight_box *const box = &boxes[oct_random_below(&random, BOXES)];
            double at[3] = {(box->lo[0] + box->hi[0]) / 2.0, box->lo[1], box->hi[2]};
            double square = 0.0;
            for (int a = 0; a < dims; a++) {
                const double eye = a == 0 ? s.eye.x : a == 1 ? s.eye.y : s.eye.z;
                square += (at[a] - eye) * (at[a] - eye);
            }
            uint32_t plain_first = UINT32_MAX, first = UINT32_MAX;
            const bool plain = oct_sight_reaches(&s, NULL, at, box, SIGHT_NO_OWNER, &plain_first);
            if (square < reach * reach) {
                assert_int_equal(oct_sight_reaches(&s, &index, at, box, SIGHT_NO_OWNER, &first),
                                 plain);
                counts[plain]++;
            }
        }
    }
    assert_true(counts[0] > 1000 && counts[1] > 1000);
    oct_array_free(&starts, &allocator, sizeof(uint32_t));
    oct_array_free(&items, &allocator, sizeof(uint32_t));
}

static oct_result make_index(const oct_allocator *allocator, void *ctx)
{
    const sight *const s = ctx;
    oct_array starts = {0}, items = {0};
    sight_index index;
    const oct_result result = oct_sight_index_make(s, 8.0, allocator, &starts, &items, &index);
    oct_array_free(&starts, allocator, sizeof(uint32_t));
    oct_array_free(&items, allocator, sizeof(uint32_t));
    return result;
}

static void an_index_survives_every_failed_allocation(void **state)
{
    (void)state;
    const sight_box boxes[2] = {{{1, 1, 1}, {2, 2, 2}}, {{-3, 0, 0}, {-2, 4, 4}}};
    sight s = {{0.0, 0.0, 0.0}, boxes, 2, 3, 0, NULL, NULL};
    assert_int_equal(test_each_failure(make_index, &s), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cell_is_seen_as_exact_fractions_say),
        cmocka_unit_test(a_wall_shows_its_surface_and_hides_what_is_behind_it),
        cmocka_unit_test(a_box_behind_a_cell_or_at_its_face_hides_nothing_of_it),
        cmocka_unit_test(a_box_that_holds_the_eye_hides_nothing),
        cmocka_unit_test(touching_boxes_leave_no_gap),
        cmocka_unit_test(a_hole_in_a_wall_shows_a_cone),
        cmocka_unit_test(cells_in_reach_share_inner_points_with_the_ball),
        cmocka_unit_test(a_cast_gives_the_bits_of_the_plain_loop),
        cmocka_unit_test(long_rows_are_cast_exactly),
        cmocka_unit_test(boxes_next_to_nothing_are_cast_exactly),
        cmocka_unit_test(an_empty_grid_is_left_alone),
        cmocka_unit_test(any_executor_gives_the_same_bits),
        cmocka_unit_test(a_cast_survives_every_failed_allocation),
        cmocka_unit_test(casts_have_the_golden_hash),
        cmocka_unit_test(erosion_is_that_of_the_plain_loop),
        cmocka_unit_test(erosion_by_a_ball_is_that_of_the_plain_loop),
        cmocka_unit_test(an_index_of_boxes_changes_no_answer),
        cmocka_unit_test(an_index_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
