// SPDX-License-Identifier: MIT
// The command's executor: every part once, no worker twice at a time, and the same bits as one
// thread gives. Under the thread sanitizer this shows that the parts of a cast share nothing.
#include "octant/tree.h"
#include "sight_scene.h"

#include "cli/cli_internal.h"
#include "octant/map.h"

#include <stdatomic.h>

#define WORKERS_MAX 7
#define PARTS_MAX 300

static const uint32_t worker_counts[] = {1, 2, 3, 7};

// Written without locks: the sanitizer would see two parts with one worker at the same time.
typedef struct tally {
    uint32_t workers;
    atomic_bool wrong;
    uint32_t busy[WORKERS_MAX]; // parts that run with a worker
    uint32_t parts[WORKERS_MAX];
    uint32_t times[PARTS_MAX];
} tally;

static void count_part(void *arg, uint32_t index, uint32_t worker)
{
    tally *t = arg;
    if (index >= PARTS_MAX || worker >= t->workers || t->busy[worker] != 0) {
        atomic_store(&t->wrong, true);
        return;
    }
    t->busy[worker]++;
    t->parts[worker]++;
    t->times[index]++;
    t->busy[worker]--;
}

static void every_part_runs_once(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        cli_threads *threads = oct_cli_threads_create(worker_counts[w]);
        assert_non_null(threads);
        const oct_executor executor = oct_cli_threads_executor(threads);
        assert_int_equal(executor.workers, worker_counts[w]);
        for (uint32_t count = 0; count < PARTS_MAX; count++) {
            tally t = {.workers = executor.workers};
            executor.run(executor.ctx, count, count_part, &t);
            assert_false(atomic_load(&t.wrong));
            uint32_t sum = 0;
            for (uint32_t i = 0; i < PARTS_MAX; i++) {
                assert_int_equal(t.times[i], i < count);
            }
            for (uint32_t i = 0; i < executor.workers; i++) {
                sum += t.parts[i];
            }
            assert_int_equal(sum, count);
        }
        oct_cli_threads_destroy(threads);
    }
}

static void threads_that_never_worked_end(void **state)
{
    (void)state;
    oct_cli_threads_destroy(NULL);
    for (uint32_t workers = 0; workers < 20; workers++) {
        cli_threads *threads = oct_cli_threads_create(workers);
        assert_non_null(threads);
        assert_int_equal(oct_cli_threads_executor(threads).workers, workers ? workers : 1u);
        oct_cli_threads_destroy(threads);
    }
}

static void threads_see_what_one_sees(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        cli_threads *threads = oct_cli_threads_create(worker_counts[w]);
        assert_non_null(threads);
        const oct_executor executor = oct_cli_threads_executor(threads);
        for (uint64_t seed = 0; seed < 150; seed++) {
            sight_scene one, many;
            scene_random(&one, seed);
            scene_random(&many, seed);
            scene_cast(&one, NULL);
            scene_cast(&many, &executor);
            assert_memory_equal(one.seen.words, many.seen.words, scene_bytes(&one.seen));
            scene_free(&one);
            scene_free(&many);
        }
        oct_cli_threads_destroy(threads);
    }
}

// ---- maps ----

#define THINGS 400

static void random_things(oct_random *random, oct_thing *things)
{
    for (uint64_t i = 0; i < THINGS; i++) {
        const oct_point min = {oct_random_range(random, -14, 13), oct_random_range(random, -14, 13),
                               oct_random_range(random, -14, 13)};
        const double edge = 0.5 * oct_random_range(random, 1, 8);
        things[i] = (oct_thing){.id = i,
                                .box = {min, {min.x + edge, min.y + 1.25, min.z + edge}},
                                .label = OCT_BLOCKED,
                                .opaque = i % 4 != 0};
    }
}

static oct_map *new_map(const oct_executor *executor)
{
    oct_map_def def = oct_map_def_default();
    def.padding = (oct_point){0.3, 0.3, 0.3};
    def.executor = executor;
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    return map;
}

static void assert_same_cells(const oct_map *a, const oct_map *b)
{
    const oct_box box = oct_tree_extent(oct_map_tree(a), OCT_HAS_ANY & ~OCT_HAS_UNKNOWN);
    const oct_box other = oct_tree_extent(oct_map_tree(b), OCT_HAS_ANY & ~OCT_HAS_UNKNOWN);
    assert_memory_equal(&box, &other, sizeof box);
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                const oct_vec cell = {x, y, z};
                assert_int_equal(oct_tree_label(oct_map_tree(a), cell),
                                 oct_tree_label(oct_map_tree(b), cell));
            }
        }
    }
}

// Things are seen, hidden, moved and gone alike, and so are cells.
static void threads_observe_what_one_observes(void **state)
{
    (void)state;
    static oct_thing things[THINGS];
    for (int w = 0; w < 4; w++) {
        cli_threads *threads = oct_cli_threads_create(worker_counts[w]);
        assert_non_null(threads);
        const oct_executor executor = oct_cli_threads_executor(threads);
        oct_random random = oct_random_seed((uint64_t)w);
        random_things(&random, things);
        oct_map *one = new_map(NULL);
        oct_map *many = new_map(&executor);
        size_t hidden = 0, seen = 0;
        for (int i = 0; i < 5; i++) {
            const oct_view view = {.centre = {oct_random_range(&random, -9, 9), 0.5, i},
                                   .radius = 18.0,
                                   .sight = i == 3 ? OCT_SIGHT_THROUGH : OCT_SIGHT_LINE,
                                   .forward = {0.5, 1.0, 0.25},
                                   .fov = i % 2 ? 2.0 : 0.0};
            const size_t count = THINGS - 20u * (size_t)i; // the last ones are gone
            oct_seen a, b;
            assert_int_equal(oct_map_observe(one, &view, things, count, &a), OCT_OK);
            assert_int_equal(oct_map_observe(many, &view, things, count, &b), OCT_OK);
            assert_memory_equal(&a, &b, sizeof a);
            hidden += a.hidden;
            seen += a.added;
        }
        assert_true(hidden > 50 && seen > 50);
        assert_same_cells(one, many);
        oct_map_destroy(one);
        oct_map_destroy(many);
        oct_cli_threads_destroy(threads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_runs_once),
        cmocka_unit_test(threads_that_never_worked_end),
        cmocka_unit_test(threads_see_what_one_sees),
        cmocka_unit_test(threads_observe_what_one_observes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
