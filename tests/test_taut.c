// SPDX-License-Identifier: MIT
// Taut paths: what holds for every path that is pulled, in random worlds, from planners of every
// kind as well as from silly ones; prices, memory.
#include "octant/tree.h"
#include "taut_string.h"

#include <math.h>

// ---- silly paths ----

// A point of a cell: its middle, or anywhere in it or on its surface.
static oct_fine point_in(const view *v, oct_vec cell, oct_random *random)
{
    int64_t at[3] = {(int64_t)cell.x * OCT_FINE, (int64_t)cell.y * OCT_FINE,
                     (int64_t)cell.z * OCT_FINE};
    const bool is_middle = oct_random_below(random, 3) == 0;
    for (int i = 0; i < 3; i++) {
        const int64_t inside = (int64_t)oct_random_below(random, OCT_FINE + 1);
        const int64_t kinds[] = {0, OCT_FINE, inside, inside};
        at[i] += is_middle ? OCT_FINE / 2 : kinds[oct_random_below(random, 4)];
    }
    return (oct_fine){at[0], at[1], v->dims == 3 ? at[2] : FLAT_Z};
}

// A walk from cell to cell without aim: back and forth, with points that are repeated.
static bool wander(search_scene *s, const view *v, size_t steps, taut_string *out)
{
    const scene_end end = scene_random_end(s);
    oct_vec cell = end.cell;
    if (end.is_blocked) {
        return false;
    }
    out->count = 1;
    out->places[0] = oct_view_spot(v, end.fine, cell);
    for (size_t i = 0; i < steps; i++) {
        int32_t to[3] = {cell.x, cell.y, cell.z};
        const uint64_t axis = oct_random_below(&s->random, (uint64_t)s->dims);
        to[axis] += oct_random_below(&s->random, 2) ? 1 : -1;
        const oct_vec next = {to[0], to[1], to[2]};
        if (!view_is_free(v, next)) {
            continue;
        }
        const spot *const last = &out->places[out->count - 1];
        const spot place = oct_view_spot(v, point_in(v, next, &s->random), next);
        if (oct_view_sees(v, last, &place)) {
            cell = next;
            out->places[out->count++] = place;
            if (oct_random_below(&s->random, 8) == 0) {
                out->places[out->count++] = place;
            }
        }
    }
    return out->count > 1;
}

// ---- random worlds ----

// Whether a vertex can be drawn towards the line between its neighbours, and that is worth it.
static bool is_loose(const view *v, const spot *b)
{
    const oct_fine a = b[-1].at, c = b[1].at;
    const oct_fine middle = {(a.x + c.x) / 2, (a.y + c.y) / 2, (a.z + c.z) / 2};
    for (int64_t part = 2; part <= 64; part *= 2) {
        const oct_fine in = {b->at.x + (middle.x - b->at.x) / part,
                             b->at.y + (middle.y - b->at.y) / part,
                             b->at.z + (middle.z - b->at.z) / part};
        const spot place = {in, oct_view_octants(v, in)};
        const double cost = taut_cost_between(v, a, in) + taut_cost_between(v, in, c);
        if (octants_joined(place.octants & (0u - place.octants), place.octants) == place.octants &&
            cost < taut_cost_of(v, b - 1, 3) - 16 * TAUT_TOLERANCE &&
            oct_view_sees(v, b - 1, &place) && oct_view_sees(v, &place, b + 1)) {
            return true;
        }
    }
    return false;
}

// Vertices between others, and those of them that are loose.
typedef struct bend_count {
    size_t all, loose;
} bend_count;

static void count_bends(const view *v, const taut_string *path, bend_count *bends)
{
    for (size_t i = 1; !v->is_priced && i + 1 < path->count; i++) {
        bends->all++;
        bends->loose += is_loose(v, &path->places[i]);
    }
}

static void check_scene(search_scene *s, taut *t, bend_count *bends)
{
    const view v = taut_view(s);
    oct_planner *const planner = scene_planner(s, NULL);
    const scene_end from = scene_random_end(s), to = scene_random_end(s);
    oct_query query = scene_query(s, &from, &to);
    static taut_string path;
    for (int i = 0; i < 3; i++) {
        const int choice = (int)oct_random_below(&s->random, SCENE_CHOICES);
        if (scene_choose(s, &query, choice) && taut_planned(s, &v, planner, &query, &path)) {
            taut_pull_and_check(s, &v, t, &path);
            count_bends(&v, &path, bends);
        }
    }
    for (int i = 0; i < 2; i++) {
        if (wander(s, &v, (size_t)oct_random_below(&s->random, 120), &path)) {
            taut_pull_and_check(s, &v, t, &path);
            if (!v.is_priced) {
                taut_check_no_slides(s, &v, &path);
                count_bends(&v, &path, bends);
            }
        }
    }
    oct_planner_destroy(planner);
}

// Single cells all over the world, so that ways have to wind.
static void add_clutter(search_scene *s)
{
    const oct_box *const b = &s->drawn;
    const int32_t cells_in = (b->max.x - b->min.x) * (b->max.y - b->min.y) * (b->max.z - b->min.z);
    for (int32_t i = 0; i < cells_in / (s->dims == 3 ? 2 : 3); i++) {
        const int32_t x = oct_random_range(&s->random, b->min.x, b->max.x - 1);
        const int32_t y = oct_random_range(&s->random, b->min.y, b->max.y - 1);
        const int32_t z = oct_random_range(&s->random, b->min.z, b->max.z - 1);
        assert_int_equal(oct_tree_set(s->tree, (oct_cell){x, y, z, 0}, OCT_MARK_BLOCKED), OCT_OK);
    }
}

static void check_worlds(int dims, uint64_t count, int32_t edge)
{
    bend_count bends = {0, 0};
    taut t = {.allocator = oct_allocator_default()};
    for (uint64_t seed = 1; seed <= count; seed++) {
        search_scene s;
        search_scene_init(&s, seed, dims, edge, (scene_wish){.sparse = seed % 2 == 0});
        if (seed % 3) {
            add_clutter(&s);
        }
        check_scene(&s, &t, &bends);
        search_scene_free(&s);
    }
    oct_taut_free(&t);
    assert_true(bends.all > count / 4);
    assert_int_equal(bends.loose, 0);
}

static void pulled_paths_are_valid_shorter_and_stay_in_2d(void **state)
{
    (void)state;
    check_worlds(2, test_rounds(1200), 12);
}

static void pulled_paths_are_valid_shorter_and_stay_in_3d(void **state)
{
    (void)state;
    check_worlds(3, test_rounds(800), 8);
}

// ---- large worlds ----

// Boxes all over, the same by every compiler: numbers are drawn one by one.
static void make_boxes(search_scene *s, int dims, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    oct_box boxes[60];
    for (int i = 0; i < 60; i++) {
        int32_t numbers[6];
        for (int k = 0; k < 6; k++) {
            numbers[k] = oct_random_range(&random, 1, k < 3 ? 34 : 5);
        }
        const oct_vec at = {numbers[0], numbers[1], dims == 3 ? numbers[2] : 0};
        boxes[i] = (oct_box){at, {at.x + numbers[3], at.y + numbers[4], at.z + numbers[5]}};
    }
    taut_make_world(s, dims, 40, boxes, 60);
    s->seed = seed;
    s->random = random;
}

static oct_point random_point(search_scene *s, int64_t x)
{
    const int64_t y = taut_random_fine(&s->random, 0, 39);
    const int64_t z = taut_random_fine(&s->random, 0, 39);
    return oct_tree_point(s->tree, (oct_fine){x, y, z});
}

static void hash_path(uint64_t *hash, const taut_string *path)
{
    for (size_t i = 0; i < path->count; i++) {
        const spot *const p = &path->places[i];
        const int64_t numbers[4] = {p->at.x, p->at.y, p->at.z, (int64_t)p->octants};
        *hash =
            *hash * UINT64_C(0x9e3779b97f4a7c15) + test_hash_add(TEST_HASH_START, numbers, 4, 8);
    }
}

// A path from one side of a world to the other, pulled.
static void pull_across(int dims, uint64_t seed, taut *t, uint64_t *hash)
{
    search_scene s;
    make_boxes(&s, dims, seed);
    const view v = taut_view(&s);
    oct_planner *const planner = scene_planner(&s, NULL);
    oct_query query = oct_query_default();
    query.from = random_point(&s, 0);
    query.to = random_point(&s, 40 * OCT_FINE - 1);
    LAB_SET(&query, graph, OCT_LAB_GRAPH_DUAL);
    LAB_SET(&query, algorithm, OCT_LAB_ASTAR);
    static taut_string path;
    if (taut_planned(&s, &v, planner, &query, &path)) {
        taut_pull_and_check(&s, &v, t, &path);
        hash_path(hash, &path);
    }
    oct_planner_destroy(planner);
    search_scene_free(&s);
}

// The results' bits, which are the same by every compiler and optimisation.
static void results_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    static const uint64_t expected[] = {UINT64_C(0xe0cb8ea7e1fd5b85), UINT64_C(0x51e0c4e520f21668)};
    taut t = {.allocator = oct_allocator_default()};
    for (int dims = 2; dims <= 3; dims++) {
        uint64_t hash = 0;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            pull_across(dims, seed, &t, &hash);
        }
        assert_int_equal(hash, expected[dims - 2]);
    }
    oct_taut_free(&t);
}

// ---- prices ----

static void a_detour_around_what_is_dear_stays(void **state)
{
    (void)state;
    search_scene s;
    taut_make_world(&s, 2, 32, NULL, 0);
    s.regions[0] = (oct_priced_box){{{10, 4, 0}, {20, 28, 1}}, 100.0};
    s.terms.priced = s.regions;
    s.terms.priced_count = 1;
    const view v = taut_view(&s);
    taut t = {.allocator = oct_allocator_default()};
    const oct_fine points[] = {{OCT_FINE, 16 * OCT_FINE, 0},
                               {10 * OCT_FINE, 28 * OCT_FINE, 0},
                               {20 * OCT_FINE, 28 * OCT_FINE, 0},
                               {31 * OCT_FINE, 16 * OCT_FINE, 0}};
    static taut_string path;
    assert_true(taut_string_of(&v, points, 4, &path));
    taut_pull_and_check(&s, &v, &t, &path);
    assert_int_equal(path.count, 4);
    oct_taut_free(&t);
    search_scene_free(&s);
}

// ---- small ones ----

static void paths_without_vertices_between_stay(void **state)
{
    (void)state;
    search_scene s;
    taut_make_world(&s, 3, 8, NULL, 0);
    const view v = taut_view(&s);
    taut t = {.allocator = oct_allocator_default()};
    const oct_fine a = {128, 128, 128}, b = {600, 700, 800};
    const oct_fine back[] = {a, b, a}, same[] = {a, a, a}, straight[] = {a, b};
    static taut_string path;
    assert_true(taut_string_of(&v, straight, 1, &path));
    taut_pull_and_check(&s, &v, &t, &path);
    assert_int_equal(path.count, 1);
    assert_true(taut_string_of(&v, straight, 2, &path));
    taut_pull_and_check(&s, &v, &t, &path);
    assert_int_equal(path.count, 2);
    assert_true(taut_string_of(&v, same, 3, &path));
    taut_pull_and_check(&s, &v, &t, &path);
    assert_int_equal(path.count, 2);
    assert_true(taut_string_of(&v, back, 3, &path));
    taut_pull_and_check(&s, &v, &t, &path);
    assert_int_equal(path.count, 2);
    assert_true(taut_length_of(&path) == 0.0);
    assert_int_equal(t.knots.count, 0);
    oct_taut_free(&t);
    search_scene_free(&s);
}

// ---- memory ----

// Things between which a path that goes over the top of all has to wind.
static void make_posts(search_scene *s)
{
    oct_box boxes[12];
    for (int32_t i = 0; i < 12; i++) {
        boxes[i] = (oct_box){{4 + 4 * i, 10 + i % 3, 0}, {6 + 4 * i, 30 - i % 5, 20 + i % 4}};
    }
    taut_make_world(s, 3, 56, boxes, 12);
}

static void long_path(const view *v, taut_string *out)
{
    oct_fine points[100];
    for (int i = 0; i < 100; i++) {
        points[i] = (oct_fine){i * 140 + 77, (12 + i * 7 % 16) * OCT_FINE,
                               (i == 0 || i == 99 ? 2 : 26 + i % 5) * OCT_FINE};
    }
    points[0].y = points[99].y = 20 * OCT_FINE;
    assert_true(taut_string_of(v, points, 100, out));
}

// A view and a path to be pulled, which has no room to grow.
typedef struct pull_task {
    view v;
    taut_string path;
} pull_task;

static oct_result pull_with(const oct_allocator *allocator, void *ctx)
{
    const pull_task *const task = ctx;
    const taut_string *const path = &task->path;
    taut t = {.allocator = *allocator};
    oct_array array = {0};
    oct_result result = oct_array_reserve(&array, allocator, sizeof(spot), path->count);
    if (result == OCT_OK) {
        memcpy(array.items, path->places, path->count * sizeof(spot));
        array.count = path->count;
        result = oct_taut_pull(&t, &task->v, &array);
        if (result != OCT_OK) {
            assert_int_equal(array.count, path->count);
            assert_true(taut_same_spots(array.items, path->places, path->count));
        }
    }
    oct_array_free(&array, allocator, sizeof(spot));
    oct_taut_free(&t);
    return result;
}

static void a_path_stays_as_it_was_where_memory_ends(void **state)
{
    (void)state;
    search_scene s;
    static pull_task task;
    make_posts(&s);
    task.v = taut_view(&s);
    long_path(&task.v, &task.path);
    const spot both[] = {task.path.places[0], task.path.places[99]};
    assert_true(test_each_failure(pull_with, &task) >= 3);
    // High over all posts: what is left has more vertices.
    const oct_fine over[] = {both[0].at,
                             {both[0].at.x, 20 * OCT_FINE, 50 * OCT_FINE},
                             {both[1].at.x, 20 * OCT_FINE, 50 * OCT_FINE},
                             both[1].at};
    assert_true(taut_string_of(&task.v, over, 4, &task.path));
    assert_true(test_each_failure(pull_with, &task) >= 4);
    search_scene_free(&s);
}

static void a_second_pull_of_such_a_path_allocates_nothing(void **state)
{
    (void)state;
    search_scene s;
    make_posts(&s);
    const view v = taut_view(&s);
    static taut_string path;
    long_path(&v, &path);
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    taut t = {.allocator = memory.allocator};
    oct_array array = {0};
    size_t first = 0;
    for (int n = 0; n < 2; n++) {
        assert_int_equal(oct_array_reserve(&array, &t.allocator, sizeof(spot), path.count), OCT_OK);
        memcpy(array.items, path.places, path.count * sizeof(spot));
        array.count = path.count;
        assert_int_equal(oct_taut_pull(&t, &v, &array), OCT_OK);
        first = n == 0 ? memory.allocations : first;
    }
    assert_int_equal(memory.allocations, first);
    assert_int_equal(oct_taut_bytes(&t), memory.live_bytes - array.capacity * sizeof(spot));
    oct_array_free(&array, &t.allocator, sizeof(spot));
    oct_taut_free(&t);
    test_allocator_check_empty(&memory);
    search_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_paths_are_valid_shorter_and_stay_in_2d),
        cmocka_unit_test(pulled_paths_are_valid_shorter_and_stay_in_3d),
        cmocka_unit_test(results_have_the_same_bits_everywhere),
        cmocka_unit_test(a_detour_around_what_is_dear_stays),
        cmocka_unit_test(paths_without_vertices_between_stay),
        cmocka_unit_test(a_path_stays_as_it_was_where_memory_ends),
        cmocka_unit_test(a_second_pull_of_such_a_path_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
