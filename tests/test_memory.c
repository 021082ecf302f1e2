// SPDX-License-Identifier: MIT
// Budgets: they count and refuse, nothing goes around them, and a test that outgrows its own ends
// as an error.
#include "octant/crowd.h"
#include "octant/explore.h"
#include "octant/files.h"
#include "octant/play.h"
#include "octant/tree.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

// ---- malloc, watched by the linker ----

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static size_t heap_calls; // by anything that is linked in, but for the allocator below

void *__wrap_malloc(size_t size)
{
    heap_calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    heap_calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *ptr, size_t size)
{
    heap_calls++;
    return __real_realloc(ptr, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    heap_calls++;
    return __real_aligned_alloc(align, size);
}

static void *take(void *ctx, size_t size, size_t align)
{
    size_t *const live = ctx;
    *live += size;
    return align <= _Alignof(max_align_t)
               ? __real_malloc(size)
               : __real_aligned_alloc(align, (size + align - 1) / align * align);
}

static void give(void *ctx, void *ptr, size_t size)
{
    size_t *const live = ctx;
    *live -= size;
    free(ptr);
}

// ---- the budget itself ----

static void a_budget_counts_and_refuses(void **state)
{
    (void)state;
    size_t live = 0;
    const oct_allocator base = {take, give, &live};
    oct_budget budget, part;
    oct_budget_init(&budget, 1000, &base);
    oct_budget_init(&part, SIZE_MAX, &budget.allocator);
    const oct_allocator *const a = &budget.allocator, *const b = &part.allocator;
    void *const first = a->alloc(a->ctx, 600, 8);
    void *const second = b->alloc(b->ctx, 400, 64);
    assert_true(first && second && (uintptr_t)second % 64 == 0);
    assert_int_equal(budget.used, 1000);
    assert_int_equal(part.used, 400);
    assert_int_equal(budget.refused, 0);
    assert_null(b->alloc(b->ctx, 1, 1));
    assert_null(a->alloc(a->ctx, SIZE_MAX, 1));
    assert_int_equal(budget.refused, 1); // the first one stays
    assert_int_equal(part.used, 400);
    a->free(a->ctx, first, 600);
    assert_int_equal(budget.used, 400);
    assert_int_equal(budget.peak, 1000);
    void *const third = b->alloc(b->ctx, 599, 1);
    assert_non_null(third);
    b->free(b->ctx, third, 599);
    b->free(b->ctx, second, 400);
    assert_int_equal(budget.used + part.used + live, 0);
}

// What the next tests rely on: whatever takes no allocator is seen.
static void the_default_allocator_is_watched(void **state)
{
    (void)state;
    const oct_allocator heap = oct_allocator_default();
    heap_calls = 0;
    void *const plain = heap.alloc(heap.ctx, 10, 8), *const aligned = heap.alloc(heap.ctx, 10, 64);
    assert_int_equal(heap_calls, 2);
    heap.free(heap.ctx, plain, 10);
    heap.free(heap.ctx, aligned, 10);
}

// ---- tests ----

typedef struct fixture {
    const oct_allocator *allocator;
    oct_test_agent agents[2];
    oct_test_def def;
} fixture;

static oct_result load(void *ctx, const oct_allocator *allocator, oct_world **out, oct_error *error)
{
    (void)ctx;
    return oct_world_load(OCT_SOURCE_DIR "/worlds/door_and_button.json", NULL, allocator, out, NULL,
                          error);
}

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    const fixture *const f = ctx;
    (void)agent;
    *goal = oct_goal_explore(f->allocator);
    return *goal ? OCT_OK : OCT_ERROR_MEMORY;
}

static void open_fixture(fixture *f, const oct_allocator *allocator)
{
    *f = (fixture){.allocator = allocator, .def = oct_test_def_default()};
    for (size_t i = 0; i < 2; i++) {
        f->agents[i] = oct_test_agent_default();
        f->agents[i].begin = begin;
        f->agents[i].ctx = f;
    }
    f->def.load = load;
    f->def.agents = f->agents;
    f->def.agent_count = 1;
    f->def.seconds = 60.0;
}

// World files are read by jansson, which takes its own memory item by item: so the world is loaded
// before.
static void all_memory_of_a_test_is_counted(void **state)
{
    (void)state;
    size_t live = 0;
    const oct_allocator base = {take, give, &live};
    fixture f;
    oct_error error = {.line = 0};
    open_fixture(&f, &base);
    assert_int_equal(load(NULL, &base, &f.def.world, &error), OCT_OK);
    const size_t world = live;
    const oct_play_options options = {.allocator = &base};
    oct_play_result r;
    heap_calls = 0;
    assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_OK);
    const size_t calls = heap_calls;
    assert_int_equal(r.verdict, OCT_VERDICT_PASS);
    assert_true(r.memory > 100000 && r.memory < 100000000);
    oct_play_result_free(&r);
    assert_int_equal(calls, 0);
    assert_int_equal(live, world);
    oct_world_destroy(f.def.world);
    assert_int_equal(live, 0);
}

// The rest of what an engine makes: maps, components, frontiers, planners, watches, crowds.
static void all_memory_of_the_library_is_counted(void **state)
{
    (void)state;
    size_t live = 0;
    const oct_allocator base = {take, give, &live};
    heap_calls = 0;
    oct_map_def map_def = oct_map_def_default();
    oct_map *map;
    map_def.allocator = &base;
    assert_int_equal(oct_map_create(&map_def, &map), OCT_OK);
    assert_int_equal(oct_map_set_box(map, (oct_box){{0, 0, 0}, {30, 30, 9}}, OCT_MARK_OPEN),
                     OCT_OK);
    const oct_thing thing = {.id = 1, .box = {{9, 9, 0}, {12, 20, 5}}, .label = OCT_BLOCKED};
    assert_int_equal(oct_map_add(map, &thing), OCT_OK);
    oct_explorer_def explorer_def = oct_explorer_def_default();
    oct_explorer *explorer;
    oct_exploration next;
    explorer_def.map = map;
    explorer_def.radius = 10.0;
    explorer_def.allocator = &base;
    assert_int_equal(oct_explorer_create(&explorer_def, &explorer), OCT_OK);
    assert_int_equal(oct_explorer_next(explorer, (oct_point){5, 15, 3}, &next), OCT_OK);
    oct_remains remains;
    assert_int_equal(oct_explorer_remains(explorer, (oct_point){5, 15, 3}, &remains), OCT_OK);
    oct_planner_def planner_def = oct_planner_def_default();
    oct_planner *planner;
    oct_path path;
    planner_def.map = map;
    planner_def.allocator = &base;
    assert_int_equal(oct_planner_create(&planner_def, &planner), OCT_OK);
    oct_query query = oct_query_default();
    query.from = (oct_point){5, 15, 3};
    query.to = (oct_point){20, 15, 3};
    assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
    assert_int_equal(path.status, OCT_PATH_FOUND);
    oct_crowd_def crowd_def = oct_crowd_def_default();
    oct_crowd *crowd;
    oct_unit unit;
    crowd_def.tree = oct_map_tree(map);
    crowd_def.allocator = &base;
    assert_int_equal(oct_crowd_create(&crowd_def, &crowd), OCT_OK);
    const oct_unit_def unit_def = {.at = query.from, .radius = 0.5, .speed = 2.0};
    assert_int_equal(oct_crowd_add(crowd, &unit_def, &unit), OCT_OK);
    assert_int_equal(oct_crowd_send(crowd, unit, query.to, 0.5), OCT_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(oct_crowd_step(crowd), OCT_OK);
    }
    oct_crowd_destroy(crowd);
    oct_planner_destroy(planner);
    oct_explorer_destroy(explorer);
    oct_map_destroy(map);
    assert_int_equal(heap_calls, 0);
    assert_int_equal(live, 0);
}

// With whatever budget, a test passes or says that the budget was too small; nothing in between.
static void a_test_passes_or_outgrows_its_budget(void **state)
{
    (void)state;
    size_t live = 0;
    const oct_allocator base = {take, give, &live};
    uint64_t hash = 0, needed = 0;
    int errors = 0, passes = 0;
    for (double limit = 2e3; limit < 1e8; limit *= test_is_slow() ? 1.6 : 1.15) {
        fixture f;
        open_fixture(&f, &base);
        f.def.memory = (uint64_t)limit;
        const oct_play_options options = {.allocator = &base};
        oct_play_result r;
        assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_OK);
        assert_true(r.memory <= f.def.memory);
        if (r.verdict == OCT_VERDICT_PASS) {
            assert_true(hash == 0 || hash == r.hash);
            assert_true(needed == 0 || needed == r.memory);
            hash = r.hash;
            needed = r.memory;
            passes++;
        } else {
            assert_int_equal(r.verdict, OCT_VERDICT_ERROR);
            assert_non_null(strstr(r.reason, "more than "));
            assert_non_null(strstr(r.reason, "a larger cell or a smaller view needs less"));
            assert_int_equal(passes, 0);
            errors++;
        }
        oct_play_result_free(&r);
        assert_int_equal(live, 0);
    }
    assert_true(errors > 3 && passes > 1);
}

// What is certain to be too much is refused before the first look, and the options win.
static void too_far_a_view_is_refused_at_once(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, NULL);
    f.def.view = 1000.0;
    f.def.has_sight = true;
    f.def.sight = OCT_SIGHT_THROUGH;
    f.agents[0].agent.belief.cell = 0.1;
    for (int i = 0; i < 2; i++) {
        const oct_play_options options = {.memory = i == 0 ? 0 : 5 * OCT_MEGABYTE};
        oct_play_result r;
        assert_int_equal(oct_play_test(&f.def, &options, &r), OCT_OK);
        assert_int_equal(r.verdict, OCT_VERDICT_ERROR);
        assert_non_null(strstr(r.reason, i == 0 ? "more than 1 GB: " : "more than 5 MB: "));
        assert_true(r.memory < 5 * OCT_MEGABYTE);
        oct_play_result_free(&r);
        f.agents[0].agent.belief.cell = 0.5;
    }
}

// A budget is one test's: two agents share it.
static void agents_share_a_budget(void **state)
{
    (void)state;
    uint64_t memory[2];
    for (size_t count = 1; count <= 2; count++) {
        const oct_point start = {18.77, 2.87, 33.77};
        fixture f;
        open_fixture(&f, NULL);
        f.def.agent_count = count;
        f.agents[1].agent.name = "second";
        f.agents[1].start = &start;
        f.def.turns = 2;
        oct_play_result r;
        assert_int_equal(oct_play_test(&f.def, &(oct_play_options){.seed = 0}, &r), OCT_OK);
        memory[count - 1] = r.memory;
        oct_play_result_free(&r);
    }
    assert_true(memory[1] > memory[0] + memory[0] / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_counts_and_refuses),
        cmocka_unit_test(the_default_allocator_is_watched),
        cmocka_unit_test(all_memory_of_a_test_is_counted),
        cmocka_unit_test(all_memory_of_the_library_is_counted),
        cmocka_unit_test(a_test_passes_or_outgrows_its_budget),
        cmocka_unit_test(too_far_a_view_is_refused_at_once),
        cmocka_unit_test(agents_share_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
