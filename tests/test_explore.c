// SPDX-License-Identifier: MIT
// Exploring small worlds to the end, against floods of the true ones.
#include "explore_support.h"

#include "explore/explorer_internal.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <math.h>
#include <stdlib.h>

#define CALLS_MAX 4000

// ---- one run ----

static oct_explorer *make_explorer(const explore_scene *s, oct_strategy strategy,
                                   oct_choose_fn *choose, const oct_allocator *allocator)
{
    oct_explorer_def def = oct_explorer_def_default();
    def.map = s->map;
    def.bounds = &s->bounds;
    def.radius = s->view.radius;
    def.strategy = strategy;
    def.seed = s->seed;
    def.choose = choose;
    def.allocator = allocator;
    oct_explorer *explorer;
    assert_int_equal(oct_explorer_create(&def, &explorer), OCT_OK);
    return explorer;
}

// Whether a cell is of the frontier, by looking.
static bool is_frontier(const explore_scene *s, oct_vec c)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const oct_box *const b = &s->bounds;
    if (oct_tree_label(oct_map_tree(s->map), c) != OCT_OPEN) {
        return false;
    }
    for (int i = 0; i < 2 * s->dims; i++) {
        const oct_vec n = {c.x + steps[i][0], c.y + steps[i][1], c.z + steps[i][2]};
        if (n.x >= b->min.x && n.x < b->max.x && n.y >= b->min.y && n.y < b->max.y &&
            n.z >= b->min.z && n.z < b->max.z &&
            oct_tree_label(oct_map_tree(s->map), n) == OCT_UNKNOWN) {
            return true;
        }
    }
    return false;
}

static oct_point middle_of(const explore_scene *s, oct_vec c)
{
    return (oct_point){c.x + 0.5, c.y + 0.5, s->dims == 3 ? c.z + 0.5 : 0.0};
}

// A path from the body through OPEN cells, to a point.
static void check_path(const explore_scene *s, const oct_path *path, oct_point to)
{
    char why[160];
    assert_int_equal(path->status, OCT_PATH_FOUND);
    assert_true(path->point_count >= 1);
    const oct_point first = path->points[0], last = path->points[path->point_count - 1];
    assert_true(first.x == s->view.centre.x && first.y == s->view.centre.y);
    assert_true(last.x == to.x && last.y == to.y && last.z == to.z);
    const exact_world world = {
        .tree = oct_map_tree(s->map), .bounded = true, .bounds = s->bounds, .dims = s->dims};
    if (!exact_path_is_valid(&world, path->lattice, path->lattice_count, path->leaves_blocked,
                             path->enters_blocked, why, sizeof why)) {
        fail_msg("seed %llu: %s", (unsigned long long)s->seed, why);
    }
}

static void check_go(const explore_scene *s, const oct_exploration *where)
{
    const oct_vec c = where->frontier;
    assert_true(is_frontier(s, c));
    assert_true(where->why != OCT_WHY_NOTHING && oct_explore_why_name(where->why));
    assert_int_equal(where->leaf.label, OCT_OPEN);
    check_path(s, &where->path, middle_of(s, c));
    assert_true(where->path.length >= where->chosen.straight - 1e-9);
}

// Explores to the end; returns how it ended and, in *calls, how many places were gone to.
static oct_explore_status explore_all(explore_scene *s, oct_explorer *explorer, int *calls,
                                      double *travelled)
{
    oct_exploration where;
    for (*calls = 0; *calls < CALLS_MAX; (*calls)++) {
        explore_observe(s);
        assert_int_equal(oct_explorer_arrive(explorer, s->view.centre), OCT_OK);
        assert_int_equal(oct_explorer_next(explorer, s->view.centre, &where), OCT_OK);
        if (where.status != OCT_EXPLORE_GO) {
            return where.status;
        }
        check_go(s, &where);
        *travelled += where.path.length;
        s->view.centre = where.path.points[where.path.point_count - 1];
    }
    fail_msg("seed %llu: it never ends", (unsigned long long)s->seed);
    return OCT_EXPLORE_STATUS_COUNT;
}

static oct_vec cell_at_index(const explore_scene *s, size_t i)
{
    const size_t x = (size_t)(s->bounds.max.x - s->bounds.min.x);
    const size_t y = (size_t)(s->bounds.max.y - s->bounds.min.y);
    return (oct_vec){s->bounds.min.x + (int32_t)(i % x), s->bounds.min.y + (int32_t)(i / x % y),
                     s->bounds.min.z + (int32_t)(i / x / y)};
}

// Faces of reachable cells at the bounds with something that is not BLOCKED behind them.
static uint64_t faces_beyond(const explore_scene *s, const uint8_t *reached)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const oct_box b = s->bounds;
    uint64_t count = 0;
    for (size_t i = 0; i < explore_cells(s); i++) {
        const oct_vec c = cell_at_index(s, i);
        for (int k = 0; reached[i] && k < 2 * s->dims; k++) {
            const oct_vec n = {c.x + steps[k][0], c.y + steps[k][1], c.z + steps[k][2]};
            const bool is_beyond = n.x < b.min.x || n.x >= b.max.x || n.y < b.min.y ||
                                   n.y >= b.max.y || n.z < b.min.z || n.z >= b.max.z;
            count += is_beyond && oct_tree_label(oct_map_tree(s->map), n) != OCT_BLOCKED;
        }
    }
    return count;
}

// What the body knows and can reach is what the true world has. In line of sight cells may stay
// hidden: then what is known is a part of it, and the remains say so.
static void check_known(explore_scene *s, oct_explorer *explorer, oct_vec start,
                        oct_explore_status status)
{
    uint8_t *const there = explore_flood(s, s->truth, start);
    uint8_t *const known = explore_flood(s, s->map, start);
    oct_remains remains;
    assert_int_equal(oct_explorer_remains(explorer, s->view.centre, &remains), OCT_OK);
    uint64_t reached = 0, missing = 0;
    for (size_t i = 0; i < explore_cells(s); i++) {
        reached += known[i];
        missing += there[i] > known[i];
        assert_true(there[i] >= known[i]);
    }
    assert_int_equal(remains.open, reached);
    assert_int_equal(remains.beyond, faces_beyond(s, known));
    assert_int_equal(status == OCT_EXPLORE_BOUNDED, remains.beyond > 0);
    assert_int_equal(remains.frontier, 0);
    if (s->view.sight == OCT_SIGHT_THROUGH) {
        assert_int_equal(missing, 0);
        assert_int_equal(remains.hidden, 0);
    }
    assert_true(missing == 0 || remains.hidden > 0);
    free(there);
    free(known);
}

// ---- tests ----

static size_t choose_last(void *ctx, const oct_candidate *candidates, size_t count)
{
    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        assert_true(candidates[i].gain > 0.0 && candidates[i].straight >= 0.0);
    }
    return count - 1;
}

static void run_world(uint64_t seed, int dims, int32_t edge, oct_strategy strategy)
{
    explore_scene scene;
    explore_scene_init(&scene, seed, dims, edge, NULL);
    oct_explorer *const explorer = make_explorer(&scene, strategy, choose_last, NULL);
    const oct_vec start = explore_cell(&scene);
    int calls;
    double travelled = 0.0;
    const oct_explore_status status = explore_all(&scene, explorer, &calls, &travelled);
    assert_true(status == OCT_EXPLORE_EXPLORED || status == OCT_EXPLORE_BOUNDED);
    check_known(&scene, explorer, start, status);
    oct_explorer_destroy(explorer);
    explore_scene_free(&scene);
}

// Every strategy ends with all that can be reached known.
static void worlds_are_explored_to_the_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(12); seed++) {
        for (int strategy = 0; strategy < OCT_STRATEGY_COUNT; strategy++) {
            run_world(seed * 31 + (uint64_t)strategy, 2, 24, (oct_strategy)strategy);
            run_world(seed * 37 + (uint64_t)strategy, 3, 10, (oct_strategy)strategy);
        }
    }
}

// The place that NEAREST goes to has the shortest path of all, but for what portal searches miss.
static void nearest_has_the_shortest_path(void **state)
{
    (void)state;
    double excess = 0.0;
    int count = 0;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        explore_scene scene;
        explore_scene_init(&scene, seed, 3, 9, NULL);
        oct_explorer *const explorer = make_explorer(&scene, OCT_STRATEGY_NEAREST, NULL, NULL);
        oct_planner_def def = oct_planner_def_default();
        def.tree = oct_map_tree(scene.map);
        oct_planner *planner;
        assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
        explore_observe(&scene);
        oct_exploration where;
        assert_int_equal(oct_explorer_arrive(explorer, scene.view.centre), OCT_OK);
        assert_int_equal(oct_explorer_next(explorer, scene.view.centre, &where), OCT_OK);
        double shortest = HUGE_VAL;
        for (int i = 0; i < (int)explore_cells(&scene); i++) {
            const int32_t e = scene.bounds.max.x - scene.bounds.min.x;
            const oct_vec c = {scene.bounds.min.x + i % e, scene.bounds.min.y + i / e % e,
                               scene.bounds.min.z + i / e / e};
            oct_query query = oct_query_default();
            oct_path path;
            query.from = scene.view.centre;
            query.to = middle_of(&scene, c);
            query.terms.bounds = &scene.bounds;
            if (is_frontier(&scene, c) &&
                (c.x != explore_cell(&scene).x || c.y != explore_cell(&scene).y ||
                 c.z != explore_cell(&scene).z)) {
                assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
                shortest = path.status == OCT_PATH_FOUND && path.length < shortest ? path.length
                                                                                   : shortest;
            }
        }
        assert_int_equal(where.status == OCT_EXPLORE_GO, shortest != HUGE_VAL);
        if (where.status == OCT_EXPLORE_GO) {
            assert_true(where.path.length <= 1.1 * shortest + 0.25);
            assert_true(where.why != OCT_WHY_IN_SIGHT || where.path.length <= 1.01 * shortest);
            excess += where.path.length / shortest - 1.0;
            count++;
        }
        oct_planner_destroy(planner);
        oct_explorer_destroy(explorer);
        explore_scene_free(&scene);
    }
    print_message("%d places, longer by %.4f in the mean\n", count, excess / count);
    assert_true(excess / count < 0.002);
}

typedef struct candidate_list {
    oct_candidate items[256];
    size_t count;
} candidate_list;

static size_t keep_candidates(void *ctx, const oct_candidate *candidates, size_t count)
{
    candidate_list *const list = ctx;
    assert_true(count <= 256);
    memcpy(list->items, candidates, count * sizeof *candidates);
    list->count = count;
    return count;
}

// The most gain a metre that any candidate has, by a search for each.
static double best_gain(const explore_scene *s, const candidate_list *list)
{
    double best = 0.0;
    oct_planner_def def = oct_planner_def_default();
    def.tree = oct_map_tree(s->map);
    oct_planner *planner;
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    for (size_t i = 0; i < list->count; i++) {
        oct_query query = oct_query_default();
        oct_path path;
        query.from = s->view.centre;
        query.to = list->items[i].at;
        query.terms.bounds = &s->bounds;
        assert_int_equal(oct_planner_plan(planner, &query, &path), OCT_OK);
        if (path.status == OCT_PATH_FOUND) {
            const double value = list->items[i].gain / (path.length > 1.0 ? path.length : 1.0);
            best = value > best ? value : best;
        }
    }
    oct_planner_destroy(planner);
    return best;
}

// GAIN goes to the candidate with the most gain a metre of path.
static void gain_is_the_best_of_its_candidates(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(40); seed++) {
        explore_scene scene;
        candidate_list list = {.count = 0};
        explore_scene_init(&scene, seed, 3, 12, NULL);
        oct_explorer *const gain = make_explorer(&scene, OCT_STRATEGY_GAIN, NULL, NULL);
        oct_explorer_def def = oct_explorer_def_default();
        def.map = scene.map;
        def.bounds = &scene.bounds;
        def.radius = scene.view.radius;
        def.strategy = OCT_STRATEGY_USER;
        def.choose = keep_candidates;
        def.choose_ctx = &list;
        oct_explorer *lister;
        assert_int_equal(oct_explorer_create(&def, &lister), OCT_OK);
        explore_observe(&scene);
        oct_exploration where, listed;
        assert_int_equal(oct_explorer_arrive(gain, scene.view.centre), OCT_OK);
        assert_int_equal(oct_explorer_next(gain, scene.view.centre, &where), OCT_OK);
        assert_int_equal(oct_explorer_arrive(lister, scene.view.centre), OCT_OK);
        assert_int_equal(oct_explorer_next(lister, scene.view.centre, &listed), OCT_OK);
        assert_int_equal(where.status == OCT_EXPLORE_GO, list.count > 0);
        if (where.status == OCT_EXPLORE_GO) {
            const double length = where.path.length > 1.0 ? where.path.length : 1.0;
            assert_true(where.why == OCT_WHY_GAIN && where.candidates == list.count);
            assert_true(where.chosen.gain / length == best_gain(&scene, &list));
        }
        oct_explorer_destroy(gain);
        oct_explorer_destroy(lister);
        explore_scene_free(&scene);
    }
}

// Of the reachable frontier the cell nearest to a place, by looking at all; false where none is
// within reach.
static bool nearest_to(const explore_scene *s, const uint8_t *reached, oct_vec place, double reach,
                       oct_vec *out)
{
    double best = reach * reach;
    bool found = false;
    const oct_box b = s->bounds;
    for (int32_t z = b.min.z; z < b.max.z; z++) {
        for (int32_t y = b.min.y; y < b.max.y; y++) {
            for (int32_t x = b.min.x; x < b.max.x; x++) {
                const double dx = x - place.x, dy = y - place.y, dz = z - place.z;
                const double square = dx * dx + dy * dy + dz * dz;
                const oct_vec c = {x, y, z}, body = explore_cell(s);
                if (square < best && reached[explore_index(s, c)] && is_frontier(s, c) &&
                    (x != body.x || y != body.y || z != body.z)) {
                    best = square;
                    *out = c;
                    found = true;
                }
            }
        }
    }
    return found;
}

// DEPTH takes what is left near the last place, and goes back place by place where nothing is.
static void depth_goes_back_place_by_place(void **state)
{
    (void)state;
    int back = 0;
    for (uint64_t seed = 1; seed <= test_rounds(20); seed++) {
        explore_scene s;
        explore_scene_init(&s, seed, 2, 24, NULL);
        s.view.sight = OCT_SIGHT_THROUGH;
        oct_explorer *const explorer = make_explorer(&s, OCT_STRATEGY_DEPTH, NULL, NULL);
        oct_vec places[256];
        size_t count = 0;
        oct_exploration where = {.status = OCT_EXPLORE_GO};
        while (where.status == OCT_EXPLORE_GO) {
            explore_observe(&s);
            assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
            assert_int_equal(oct_explorer_next(explorer, s.view.centre, &where), OCT_OK);
            uint8_t *const reached = explore_flood(&s, s.map, explore_cell(&s));
            oct_vec expected = {0, 0, 0};
            assert_true(count < 256);
            places[count++] = explore_cell(&s);
            const size_t here = count;
            while (count > 0 &&
                   !nearest_to(&s, reached, places[count - 1], s.view.radius + 2.0, &expected)) {
                count--;
            }
            if (where.status == OCT_EXPLORE_GO && count > 0) {
                assert_memory_equal(&expected, &where.frontier, sizeof expected);
                assert_int_equal(where.why, count == here ? OCT_WHY_DEEPEST : OCT_WHY_BACK);
                back += count < here;
            }
            free(reached);
            if (where.status == OCT_EXPLORE_GO) {
                s.view.centre = where.path.points[where.path.point_count - 1];
            }
        }
        oct_explorer_destroy(explorer);
        explore_scene_free(&s);
    }
    print_message("went back %d times\n", back);
    assert_true((uint64_t)back >= test_rounds(20));
}

// A body that never sees anything goes to each place once, and is told that they are hidden.
static void places_that_show_nothing_are_left(void **state)
{
    (void)state;
    explore_scene s;
    explore_scene_init(&s, 1, 3, 8, NULL);
    const oct_box open = {{2, 2, 2}, {5, 4, 5}};
    assert_int_equal(oct_map_set_box(s.map, open, OCT_MARK_OPEN), OCT_OK);
    oct_explorer *const explorer = make_explorer(&s, OCT_STRATEGY_NEAREST, NULL, NULL);
    oct_exploration where = {.status = OCT_EXPLORE_GO};
    s.view.centre = (oct_point){3.5, 2.5, 3.5};
    // Asking does not write off where it stands: that is offered until it has looked from there.
    for (int i = 0; i < 2; i++) {
        assert_int_equal(oct_explorer_next(explorer, s.view.centre, &where), OCT_OK);
        assert_int_equal(where.status, OCT_EXPLORE_GO);
        assert_true(where.chosen.straight == 0.0);
    }
    int calls = 0;
    for (; where.status == OCT_EXPLORE_GO; calls++) {
        assert_true(calls < 19);
        assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
        assert_int_equal(oct_explorer_next(explorer, s.view.centre, &where), OCT_OK);
        if (where.status == OCT_EXPLORE_GO) {
            s.view.centre = where.path.points[where.path.point_count - 1];
        }
    }
    oct_remains remains;
    assert_int_equal(where.status, OCT_EXPLORE_EXPLORED);
    assert_int_equal(calls, 18); // all of them but the one that it begins in, and the end
    assert_int_equal(oct_explorer_remains(explorer, s.view.centre, &remains), OCT_OK);
    assert_int_equal(remains.hidden, 18);
    assert_int_equal(remains.frontier, 0);
    assert_int_equal(remains.open, 18);
    oct_explorer_destroy(explorer);
    explore_scene_free(&s);
}

// A body that touches something is where the nearest free cell is: else it would be cut off from
// everything for as long as it does.
static void a_body_that_touches_something_is_connected(void **state)
{
    (void)state;
    explore_scene s;
    explore_scene_init(&s, 1, 3, 8, NULL);
    const oct_box open = {{2, 2, 2}, {4, 3, 3}}, other = {{6, 2, 2}, {7, 3, 3}};
    assert_int_equal(oct_map_set_box(s.map, (oct_box){{0, 0, 0}, {8, 8, 8}}, OCT_MARK_SOLID),
                     OCT_OK);
    assert_int_equal(oct_map_set_box(s.map, open, OCT_MARK_OPEN), OCT_OK);
    assert_int_equal(oct_map_set_box(s.map, other, OCT_MARK_OPEN), OCT_OK);
    oct_explorer *const explorer = make_explorer(&s, OCT_STRATEGY_NEAREST, NULL, NULL);
    const oct_point free = {2.5, 2.5, 2.5}, place = {3.5, 2.5, 2.5}, far = {6.5, 2.5, 2.5};
    const oct_point touching = {2.5, 3.1, 2.5}, wall = {2.5, 3.5, 2.5};
    assert_int_equal(oct_explorer_arrive(explorer, free), OCT_OK);
    assert_true(oct_explorer_connects(explorer, free, place));
    assert_true(oct_explorer_connects(explorer, touching, place));
    assert_false(oct_explorer_connects(explorer, touching, far));
    assert_false(oct_explorer_connects(explorer, free, wall)); // nobody can be there
    oct_explorer_destroy(explorer);
    explore_scene_free(&s);
}

// ---- aims ----

static size_t flood_place(const explore_scene *s, const uint8_t *reached, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    for (int tries = 0; tries < 10000; tries++) {
        const size_t i = (size_t)oct_random_below(&random, explore_cells(s));
        if (reached[i]) {
            return i;
        }
    }
    return SIZE_MAX;
}

// Asked once more it says the same, whatever it was asked in between.
static void check_again(const explore_scene *s, oct_explorer *explorer, oct_vec goal,
                        oct_exploration *where)
{
    oct_exploration other;
    const oct_exploration first = *where;
    const oct_point from = s->view.centre, to = middle_of(s, goal);
    assert_int_equal(oct_explorer_next_towards(explorer, from, to, where), OCT_OK);
    assert_memory_equal(where, &first, sizeof first);
    assert_int_equal(oct_explorer_next_towards(explorer, from, from, &other), OCT_OK);
    assert_int_equal(oct_explorer_next_towards(explorer, from, to, where), OCT_OK);
    assert_int_equal(where->status, first.status);
    assert_int_equal(where->path.point_count, first.path.point_count);
    assert_true(where->path.length == first.path.length);
}

static void go_to_point(uint64_t seed, int dims)
{
    explore_scene s;
    explore_scene_init(&s, seed, dims, dims == 2 ? 24 : 10, NULL);
    oct_explorer *const explorer = make_explorer(&s, OCT_STRATEGY_NEAREST, NULL, NULL);
    uint8_t *const reached = explore_flood(&s, s.truth, explore_cell(&s));
    oct_vec goal = {oct_random_range(&s.random, 0, 9), oct_random_range(&s.random, 0, 9),
                    dims == 3 ? oct_random_range(&s.random, 0, 9) : 0};
    if (seed % 2) {
        goal = cell_at_index(&s, flood_place(&s, reached, seed));
    }
    const bool can = reached[explore_index(&s, goal)];
    const bool is_blocked = oct_tree_label(oct_map_tree(s.truth), goal) == OCT_BLOCKED;
    oct_exploration where = {.status = OCT_EXPLORE_GO};
    for (int calls = 0; where.status == OCT_EXPLORE_GO; calls++) {
        assert_true(calls < CALLS_MAX);
        explore_observe(&s);
        assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
        assert_int_equal(
            oct_explorer_next_towards(explorer, s.view.centre, middle_of(&s, goal), &where),
            OCT_OK);
        check_again(&s, explorer, goal, &where);
        if (where.status == OCT_EXPLORE_GO) {
            assert_int_equal(where.why, OCT_WHY_ON_WAY);
            check_go(&s, &where);
            s.view.centre = where.path.points[where.path.point_count - 1];
        }
    }
    if (where.status == OCT_EXPLORE_ARRIVE) {
        assert_int_equal(where.why, OCT_WHY_WAY_KNOWN);
        check_path(&s, &where.path, where.path.points[where.path.point_count - 1]);
        assert_true(can || is_blocked);
    } else {
        assert_int_equal(where.status, OCT_EXPLORE_UNREACHABLE);
        assert_true(!can || s.view.sight == OCT_SIGHT_LINE);
    }
    free(reached);
    oct_explorer_destroy(explorer);
    explore_scene_free(&s);
}

// A point is arrived at exactly if the true world has a way; next to it where it is blocked.
static void points_are_gone_to_through_the_unknown(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        go_to_point(seed, 2);
        go_to_point(seed, 3);
    }
}

// Every fifth thing is wanted, from some tag on.
static bool is_wanted(void *ctx, const oct_thing *thing)
{
    return thing->tag % 5 == *(const uint16_t *)ctx;
}

// The first thing that is wanted and that the map has, or NULL.
static const oct_thing *first_wanted(const explore_scene *s, uint16_t tag)
{
    for (size_t i = tag; i < s->count; i += 5) {
        oct_thing known;
        if (oct_map_thing(s->map, s->things[i].id, &known)) {
            return &s->things[i];
        }
    }
    return NULL;
}

static bool is_next_to(const explore_scene *s, const oct_thing *thing, oct_point at)
{
    const oct_box around = oct_map_cover(s->map, thing->box);
    oct_vec c;
    return oct_tree_cell_at(oct_map_tree(s->map), at, &c) && c.x >= around.min.x - 1 &&
           c.x <= around.max.x && c.y >= around.min.y - 1 && c.y <= around.max.y &&
           c.z >= around.min.z - 1 && c.z <= around.max.z;
}

static bool find_something(uint64_t seed)
{
    explore_scene s;
    explore_scene_init(&s, seed, 3, 10, NULL);
    oct_explorer *const explorer = make_explorer(&s, OCT_STRATEGY_NEAREST, NULL, NULL);
    uint16_t tag = (uint16_t)oct_random_below(&s.random, 5);
    oct_exploration where = {.status = OCT_EXPLORE_GO};
    for (int calls = 0; where.status == OCT_EXPLORE_GO; calls++) {
        assert_true(calls < CALLS_MAX);
        explore_observe(&s);
        assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
        assert_int_equal(
            oct_explorer_next_to_find(explorer, s.view.centre, is_wanted, &tag, &where), OCT_OK);
        const oct_thing *const expected = first_wanted(&s, tag);
        assert_int_equal(where.has_found, expected != NULL);
        assert_true(!expected || where.found.id == expected->id);
        if (where.status == OCT_EXPLORE_GO) {
            check_go(&s, &where);
            s.view.centre = where.path.points[where.path.point_count - 1];
        }
    }
    const bool found = where.status == OCT_EXPLORE_ARRIVE;
    if (found) {
        const oct_point end = where.path.points[where.path.point_count - 1];
        assert_true(is_next_to(&s, &where.found, end));
        check_path(&s, &where.path, end);
    }
    oct_explorer_destroy(explorer);
    explore_scene_free(&s);
    return found;
}

// A thing that can be seen is found, and gone to: the path ends next to it.
static void things_are_found(void **state)
{
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= test_rounds(80); seed++) {
        found += find_something(seed);
    }
    print_message("%d found\n", found);
    assert_true((uint64_t)found >= test_rounds(10));
}

// ---- life ----

static size_t choose_none(void *ctx, const oct_candidate *candidates, size_t count)
{
    (void)candidates;
    (*(int *)ctx)++;
    return count;
}

static void callers_may_end_it(void **state)
{
    (void)state;
    explore_scene s;
    explore_scene_init(&s, 3, 2, 20, NULL);
    int asked = 0;
    oct_explorer_def def = oct_explorer_def_default();
    def.map = s.map;
    def.radius = s.view.radius;
    def.strategy = OCT_STRATEGY_USER;
    oct_explorer *explorer;
    assert_int_equal(oct_explorer_create(&def, &explorer), OCT_ERROR_ARGUMENT);
    assert_null(explorer);
    def.choose = choose_none;
    def.choose_ctx = &asked;
    assert_int_equal(oct_explorer_create(&def, &explorer), OCT_OK);
    explore_observe(&s);
    oct_exploration where;
    assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
    assert_int_equal(oct_explorer_next(explorer, s.view.centre, &where), OCT_OK);
    assert_int_equal(where.status, OCT_EXPLORE_ENDED);
    assert_int_equal(asked, 1);
    assert_int_equal(oct_explorer_next(explorer, (oct_point){1e12, 0.0, 0.0}, &where),
                     OCT_ERROR_RANGE);
    assert_int_equal(oct_explorer_arrive(explorer, (oct_point){1e12, 0.0, 0.0}), OCT_ERROR_RANGE);
    oct_explorer_destroy(explorer);
    explore_scene_free(&s);
}

static oct_result explore_some(const oct_allocator *allocator, void *ctx)
{
    explore_scene *const s = ctx;
    oct_explorer_def def = oct_explorer_def_default();
    def.map = s->map;
    def.bounds = &s->bounds;
    def.radius = s->view.radius;
    def.strategy = (oct_strategy)(s->seed % OCT_STRATEGY_USER);
    def.allocator = allocator;
    oct_explorer *explorer;
    oct_exploration where;
    oct_remains remains;
    OCT_TRY(oct_explorer_create(&def, &explorer));
    oct_result result = oct_explorer_arrive(explorer, s->view.centre);
    if (result == OCT_OK) {
        result = oct_explorer_next(explorer, s->view.centre, &where);
    }
    if (result == OCT_OK) {
        result =
            oct_explorer_next_towards(explorer, s->view.centre, (oct_point){3.5, 3.5, 3.5}, &where);
    }
    if (result == OCT_OK) {
        result = oct_explorer_remains(explorer, s->view.centre, &remains);
    }
    oct_explorer_destroy(explorer);
    return result;
}

static void out_of_memory_is_an_error(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        explore_scene s;
        explore_scene_init(&s, seed, 3, 6, NULL);
        s.seed = seed;
        explore_observe(&s);
        assert_true(test_each_failure(explore_some, &s) > 3);
        explore_scene_free(&s);
    }
}

// The second time a call is made nothing is allocated, and the same comes out.
static void warm_calls_allocate_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        explore_scene s;
        explore_scene_init(&s, seed, 3, 10, NULL);
        oct_explorer *const explorer =
            make_explorer(&s, (oct_strategy)(seed % 4), NULL, &memory.allocator);
        oct_exploration first, second;
        explore_observe(&s);
        assert_int_equal(oct_explorer_arrive(explorer, s.view.centre), OCT_OK);
        assert_int_equal(oct_explorer_next(explorer, s.view.centre, &first), OCT_OK);
        const oct_vec cell = first.frontier;
        const oct_explore_why why = first.why;
        const double length = first.path.length;
        if (first.status == OCT_EXPLORE_GO) {
            assert_int_equal(oct_explorer_next(explorer, s.view.centre, &second), OCT_OK);
            const size_t before = memory.allocations;
            assert_int_equal(oct_explorer_next(explorer, s.view.centre, &second), OCT_OK);
            assert_int_equal(memory.allocations, before);
            assert_memory_equal(&cell, &second.frontier, sizeof cell);
            assert_true(length == second.path.length);
            assert_int_equal(why, second.why);
        }
        oct_explorer_destroy(explorer);
        explore_scene_free(&s);
        test_allocator_check_empty(&memory);
    }
}

static void names_are_told(void **state)
{
    (void)state;
    assert_string_equal(oct_strategy_name(OCT_STRATEGY_DEPTH), "depth");
    assert_null(oct_strategy_name(OCT_STRATEGY_COUNT));
    assert_string_equal(oct_explore_status_name(OCT_EXPLORE_BOUNDED), "bounded");
    assert_null(oct_explore_status_name(OCT_EXPLORE_STATUS_COUNT));
    for (int i = 0; i < OCT_WHY_COUNT; i++) {
        assert_non_null(oct_explore_why_name((oct_explore_why)i));
    }
    assert_null(oct_explore_why_name(OCT_WHY_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_explored_to_the_end),
        cmocka_unit_test(nearest_has_the_shortest_path),
        cmocka_unit_test(gain_is_the_best_of_its_candidates),
        cmocka_unit_test(depth_goes_back_place_by_place),
        cmocka_unit_test(places_that_show_nothing_are_left),
        cmocka_unit_test(a_body_that_touches_something_is_connected),
        cmocka_unit_test(points_are_gone_to_through_the_unknown),
        cmocka_unit_test(things_are_found),
        cmocka_unit_test(callers_may_end_it),
        cmocka_unit_test(out_of_memory_is_an_error),
        cmocka_unit_test(warm_calls_allocate_nothing),
        cmocka_unit_test(names_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
