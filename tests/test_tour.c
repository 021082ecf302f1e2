// SPDX-License-Identifier: MIT
// Tours in random small worlds, every step judged by the oracle, and at the end what was reached by
// a flood of the truth.
#include "explore/frontier_cell.h"
#include "octant/tree.h"
#include "tour_scene.h"
#include "verify/reach.h"

// Of NEAREST: how much longer a path may be than the shortest from middle to middle of cells.
#define NEAREST_FACTOR 1.01

typedef struct witness {
    tour_scene *scene;
    oct_strategy strategy;
    tour_step last;
    oct_point at;
    double travelled;
    uint64_t looks, plans, moves, known;
    uint64_t stop_after; // events; 0 = never
    uint64_t events;
    uint64_t hash; // of all that was told
    oct_vec aim;   // of the last plan, if it went to the frontier
    bool has_aim;
    bool told[1010]; // things, by id
} witness;

static void mix(witness *w, const void *data, size_t size)
{
    w->hash = (w->hash ^ oct_hash_bytes(data, size)) * UINT64_C(0x9e3779b97f4a7c15);
}

static double distance(oct_point a, oct_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static oct_remains remains_at(const tour_scene *s, oct_point at)
{
    oct_remains out;
    assert_int_equal(s->def.baseline
                         ? oct_baseline_map_remains(s->def.baseline, &s->bounds, at, &out)
                         : oct_explorer_remains(s->explorer, at, &out),
                     OCT_OK);
    return out;
}

static void see_plan(witness *w, const tour_event *event)
{
    tour_scene *const s = w->scene;
    const oct_exploration *const plan = event->plan;
    explore_oracle o;
    explore_oracle_make(&o, s->map, s->bounds, s->start);
    mix(w, &plan->frontier, sizeof plan->frontier);
    if (plan->status == OCT_EXPLORE_GO) {
        assert_true(explore_oracle_reaches(&o, plan->frontier));
        assert_true(explore_oracle_is_frontier(&o, plan->frontier));
        assert_true(plan->path.point_count > 0);
        const oct_point end = plan->path.points[plan->path.point_count - 1];
        assert_true(distance(end, scene_middle(s->map, plan->frontier)) < 1e-9);
        assert_true(distance(plan->path.points[0], w->at) < 1e-9);
    }
    explore_oracle_free(&o);
    // The oracle's ways begin in the middle of a cell.
    oct_vec cell;
    if (plan->status == OCT_EXPLORE_GO && w->strategy == OCT_STRATEGY_NEAREST &&
        oct_tree_cell_at(oct_map_tree(s->map), w->at, &cell) &&
        distance(scene_middle(s->map, cell), w->at) < 1e-9) {
        explore_oracle_make(&o, s->map, s->bounds, cell);
        // Places that were skipped are in the way of the comparison only where they are nearer.
        const double least = explore_oracle_least(&o) * oct_tree_cell_size(oct_map_tree(s->map));
        if (remains_at(s, w->at).hidden == 0) {
            assert_true(plan->path.length <= least * NEAREST_FACTOR + 1e-9);
        }
        explore_oracle_free(&o);
    }
    w->plans++;
}

static void see_move(witness *w, const tour_event *event)
{
    double length = 0.0;
    oct_point from = w->at;
    for (size_t i = 0; i < event->point_count; i++) {
        length += distance(from, event->points[i]);
        from = event->points[i];
    }
    assert_true(fabs(length - event->length) < 1e-9);
    assert_true(distance(from, event->at) < 1e-9);
    assert_true(event->length <= w->scene->def.step + 1e-9);
    w->travelled += event->length;
    w->at = event->at;
    w->moves++;
}

static bool on_event(void *ctx, const tour_event *event)
{
    witness *const w = ctx;
    mix(w, &event->at, sizeof event->at);
    mix(w, &event->step, sizeof event->step);
    if (event->step != TOUR_MOVE) {
        assert_true(distance(event->at, w->at) == 0.0);
    }
    switch (event->step) {
    case TOUR_LOOK:
        // Where it does not see all around it looks aside as well.
        assert_true(w->events == 0 || w->last == TOUR_MOVE ||
                    (w->last == TOUR_LOOK && w->scene->def.fov < 360.0));
        assert_int_equal(event->added_count, event->seen.added);
        for (size_t i = 0; i < event->added_count; i++) {
            const uint64_t id = event->added[i].id;
            oct_thing known;
            assert_true(id < 1010 && !w->told[id] && oct_map_thing(w->scene->map, id, &known));
            w->told[id] = true;
            mix(w, &id, sizeof id);
        }
        w->looks++;
        w->known += event->known;
        break;
    case TOUR_PLAN:
        assert_int_equal(w->last, TOUR_LOOK);
        w->aim = event->plan->frontier;
        w->has_aim = event->plan->status == OCT_EXPLORE_GO;
        see_plan(w, event);
        break;
    case TOUR_MOVE:
        assert_int_not_equal(w->last, TOUR_MOVE);
        // It goes on only as long as there is something to go for.
        assert_true(w->last == TOUR_PLAN || !w->has_aim ||
                    frontier_cell(w->scene->map, &w->scene->bounds, w->aim));
        see_move(w, event);
        break;
    }
    w->last = event->step;
    return ++w->events != w->stop_after;
}

static void check_frontier(const tour_scene *s, const explore_oracle *known)
{
    const oct_box b = known->box;
    for (int32_t z = b.min.z; z < b.max.z; z++) {
        for (int32_t y = b.min.y - 1; y <= b.max.y; y++) {
            for (int32_t x = b.min.x - 1; x <= b.max.x; x++) {
                const oct_vec cell = {x, y, z};
                assert_int_equal(frontier_cell(s->map, &s->bounds, cell),
                                 explore_oracle_is_frontier(known, cell));
            }
        }
    }
}

// What the body knows at the end, and says.
static void check_end(const tour_scene *s, const tour_result *r)
{
    explore_oracle known, truth;
    reach reached;
    explore_oracle_make(&known, s->map, s->bounds, s->start);
    explore_oracle_make(&truth, s->truth, s->bounds, s->start);
    check_frontier(s, &known);
    const oct_remains counted = explore_oracle_remains(&known);
    const uint64_t differ = explore_oracle_differ(&known, &truth);
    const oct_remains remains = remains_at(s, r->at);
    assert_int_equal(remains.frontier, 0);
    assert_int_equal(remains.hidden, counted.frontier);
    assert_int_equal(remains.open, counted.open);
    assert_int_equal(remains.sealed, counted.sealed);
    assert_int_equal(remains.unknown, counted.unknown);
    assert_int_equal(remains.walled, counted.walled);
    assert_int_equal(remains.beyond > 0, counted.beyond > 0);
    assert_int_equal(r->status, counted.beyond > 0 ? TOUR_BOUNDED : TOUR_EXPLORED);
    if (remains.hidden == 0) {
        assert_int_equal(differ, 0);
    }
    for (size_t i = 0; i < known.cells; i++) {
        assert_true(known.labels[i] != OCT_OPEN || truth.labels[i] == OCT_OPEN);
    }
    assert_int_equal(oct_reach_compare(s->map, s->truth, &s->bounds, r->at, NULL, &reached),
                     OCT_OK);
    assert_int_equal(reached.differ, differ);
    assert_int_equal(reached.reachable, counted.open);
    explore_oracle_free(&known);
    explore_oracle_free(&truth);
}

// With a baseline where `kind` is one; else with the octree.
static uint64_t run_world(uint64_t seed, baseline_kind kind, oct_strategy strategy)
{
    tour_scene s;
    tour_result r;
    witness w = {.scene = &s, .strategy = strategy};
    oct_baseline_map *baseline = NULL;
    if (scene_make(&s, seed, NULL)) {
        assert_int_equal(scene_explorer(&s, strategy, NULL), OCT_OK);
        if (kind < BASELINE_KIND_COUNT) {
            assert_int_equal(oct_baseline_map_create(kind, s.map, NULL, &baseline), OCT_OK);
            s.def.baseline = baseline;
        }
        s.def.event = on_event;
        s.def.event_ctx = &w;
        w.at = s.def.start;
        assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
        check_end(&s, &r);
        assert_int_equal(r.looks, w.looks);
        assert_int_equal(r.calls, w.plans);
        assert_int_equal(r.moves, w.moves);
        assert_true(fabs(r.travelled - w.travelled) < 1e-6);
        assert_true(distance(r.at, w.at) == 0.0);
        assert_true(w.known > 0);
    }
    oct_baseline_map_destroy(baseline);
    scene_free(&s);
    return w.hash;
}

static void worlds_are_explored_to_the_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(48); seed++) {
        if (seed % 16 == 1) {
            print_message("seed %llu on\n", (unsigned long long)seed);
        }
        run_world(seed, BASELINE_KIND_COUNT, (oct_strategy)(seed % OCT_STRATEGY_USER));
        run_world(seed, (baseline_kind)(seed % 2), OCT_STRATEGY_NEAREST);
    }
}

static void equal_tours_are_equal(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 500 + test_rounds(6); seed++) {
        const oct_strategy strategy = (oct_strategy)(seed % OCT_STRATEGY_USER);
        const uint64_t hash = run_world(seed, BASELINE_KIND_COUNT, strategy);
        assert_true(hash == run_world(seed, BASELINE_KIND_COUNT, strategy));
    }
}

// A row of rooms along x, each wall with a hole; seen through.
static void make_rooms(tour_scene *s)
{
    oct_map_def def = oct_map_def_default();
    *s = (tour_scene){.bounds = {{0, 0, 0}, {24, 4, 4}}};
    assert_int_equal(oct_map_create(&def, &s->truth), OCT_OK);
    for (uint64_t i = 0; i < 5; i++) {
        const double x = 4.0 + 4.0 * (double)i;
        const oct_thing each = {
            .id = i + 1, .box = {{x, 0, 1}, {x + 1, 4, 4}}, .label = OCT_BLOCKED, .opaque = 1};
        assert_int_equal(oct_map_add(s->truth, &each), OCT_OK);
    }
    s->map = scene_map(s->truth, NULL);
    s->def = (tour_def){.map = s->map,
                        .truth = s->truth,
                        .bounds = &s->bounds,
                        .start = {1.5, 1.5, 1.5},
                        .forward = {1, 0, 0},
                        .radius = 4.0,
                        .sight = OCT_SIGHT_LINE,
                        .fov = 360.0,
                        .step = 4.0};
    assert_int_equal(scene_explorer(s, OCT_STRATEGY_NEAREST, NULL), OCT_OK);
}

static void limits_end_a_tour(void **state)
{
    (void)state;
    tour_result r;
    for (uint64_t calls = 1; calls < 4; calls++) {
        tour_scene s;
        make_rooms(&s);
        s.def.calls_max = calls;
        assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
        assert_int_equal(r.status, TOUR_BUDGET);
        assert_int_equal(r.calls, calls);
        scene_free(&s);
    }
    tour_scene s;
    make_rooms(&s);
    s.def.distance_max = 6.5;
    s.def.step = 0.5;
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
    assert_int_equal(r.status, TOUR_BUDGET);
    assert_true(r.travelled >= 6.5 && r.travelled <= 7.0 + 1e-9);
    scene_free(&s);

    // In the middle of a long path.
    make_rooms(&s);
    s.def.radius = 40.0;
    s.def.sight = OCT_SIGHT_THROUGH;
    s.def.task = TOUR_TO;
    s.def.to = (oct_point){22.25, 2.5, 2.5};
    s.def.distance_max = 3.0;
    s.def.step = 0.5;
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
    assert_int_equal(r.status, TOUR_BUDGET);
    assert_true(r.travelled >= 3.0 && r.travelled <= 3.5 + 1e-9);
    scene_free(&s);
}

static void whoever_is_told_may_stop_it(void **state)
{
    (void)state;
    for (uint64_t after = 1; after < 8; after++) {
        tour_scene s;
        tour_result r;
        make_rooms(&s);
        witness w = {.scene = &s, .stop_after = after, .at = s.def.start};
        s.def.event = on_event;
        s.def.event_ctx = &w;
        s.def.tell_more = true;
        assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
        assert_int_equal(r.status, TOUR_STOPPED);
        assert_int_equal(w.events, after);
        scene_free(&s);
    }
}

static void a_body_goes_to_a_point_it_has_not_seen(void **state)
{
    (void)state;
    tour_scene s;
    tour_result r;
    make_rooms(&s);
    s.def.task = TOUR_TO;
    s.def.to = (oct_point){22.25, 2.5, 2.5};
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
    assert_int_equal(r.status, TOUR_ARRIVED);
    assert_true(distance(r.at, s.def.to) < 1e-9);
    assert_true(r.calls > 1);
    scene_free(&s);

    make_rooms(&s);
    const oct_thing plug = {
        .id = 50, .box = {{12, 0, 0}, {13, 4, 1}}, .label = OCT_BLOCKED, .opaque = 1};
    assert_int_equal(oct_map_add(s.truth, &plug), OCT_OK);
    s.def.task = TOUR_TO;
    s.def.to = (oct_point){22.25, 2.5, 2.5};
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
    assert_int_equal(r.status, TOUR_UNREACHABLE);
    scene_free(&s);
}

static bool is_thing(void *ctx, const oct_thing *each)
{
    return each->id == *(const uint64_t *)ctx;
}

static void a_body_finds_a_thing(void **state)
{
    (void)state;
    for (uint64_t id = 1; id <= 6; id++) {
        tour_scene s;
        tour_result r;
        make_rooms(&s);
        s.def.task = TOUR_FIND;
        s.def.wanted = is_thing;
        s.def.wanted_ctx = &id;
        assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
        assert_int_equal(r.status, id <= 5 ? TOUR_ARRIVED : TOUR_BOUNDED);
        assert_int_equal(r.has_found, id <= 5);
        assert_true(id > 5 || r.found.id == id);
        scene_free(&s);
    }
}

static uint64_t tick(void *ctx)
{
    return ++*(uint64_t *)ctx;
}

static void times_are_the_clocks(void **state)
{
    (void)state;
    tour_scene s;
    tour_result r;
    uint64_t ticks = 0;
    make_rooms(&s);
    s.def.clock = tick;
    s.def.clock_ctx = &ticks;
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_OK);
    assert_int_equal(r.plan_time, r.calls);
    assert_int_equal(r.look_time, r.looks);
    assert_int_equal(r.plan_time_max, 1);
    scene_free(&s);
}

static oct_result run_in(const oct_allocator *allocator, void *ctx)
{
    tour_scene s;
    tour_result r;
    (void)ctx;
    const bool made = scene_make(&s, 7, allocator);
    oct_result result = made ? scene_explorer(&s, OCT_STRATEGY_NEAREST, allocator) : OCT_OK;
    if (!s.map) {
        result = OCT_ERROR_MEMORY;
    }
    if (result == OCT_OK && made) {
        s.def.calls_max = 3;
        result = oct_tour_run(&s.def, &r);
    }
    scene_free(&s);
    return result;
}

static void out_of_memory_is_an_error(void **state)
{
    (void)state;
    assert_true(test_each_failure(run_in, NULL) > 10);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    tour_scene s;
    tour_result r;
    make_rooms(&s);
    s.def.step = 0.0;
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_ERROR_ARGUMENT);
    s.def.step = -1.0;
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_ERROR_ARGUMENT);
    s.def.step = 1.0;
    s.def.radius = 0.0;
    assert_int_equal(oct_tour_run(&s.def, &r), OCT_ERROR_ARGUMENT);
    scene_free(&s);
    assert_string_equal(oct_tour_status_name(TOUR_STOPPED), "interrupted");
    assert_null(oct_tour_status_name(TOUR_STATUS_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_explored_to_the_end),
        cmocka_unit_test(equal_tours_are_equal),
        cmocka_unit_test(limits_end_a_tour),
        cmocka_unit_test(whoever_is_told_may_stop_it),
        cmocka_unit_test(a_body_goes_to_a_point_it_has_not_seen),
        cmocka_unit_test(a_body_finds_a_thing),
        cmocka_unit_test(times_are_the_clocks),
        cmocka_unit_test(out_of_memory_is_an_error),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
