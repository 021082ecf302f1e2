// SPDX-License-Identifier: MIT
// The navigation graph of a surface: each property on random meshes, against brute force.
#include "support.h"

#include "generate/generate_floor.h"
#include "octant/surface_explore.h"
#include "surface/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    oct_surface *surface;
    oct_surface_graph *graph;
    oct_surface_walker *walker;
    oct_random random;
} scene;

static scene make_scene(uint64_t seed)
{
    scene s = {.random = oct_random_seed(seed)};
    const oct_allocator memory = oct_allocator_default();
    floor_def def = {.kind = (floor_kind)(seed % FLOOR_KINDS), .seed = seed};
    def.edge = def.kind == FLOOR_SPIRAL ? 1 + (uint32_t)oct_random_below(&s.random, 2)
                                        : 2 + (uint32_t)oct_random_below(&s.random, 3);
    def.holes = 0.4 * oct_random_unit(&s.random);
    def.heights = def.kind == FLOOR_SPIRAL ? 3.0 : oct_random_unit(&s.random);
    def.unshared = oct_random_below(&s.random, 2) == 0;
    floor_mesh mesh;
    assert_int_equal(oct_floor_generate(&def, &memory, &mesh), OCT_OK);
    const oct_surface_def surface_def = oct_floor_def(&mesh);
    assert_int_equal(oct_surface_create(&surface_def, &s.surface, NULL), OCT_OK);
    oct_floor_free(&mesh, &memory);
    assert_int_equal(oct_surface_graph_create(s.surface, 150.0, NULL, &s.graph), OCT_OK);
    assert_int_equal(oct_surface_walker_create(s.graph, NULL, &s.walker), OCT_OK);
    return s;
}

static void free_scene(scene *s)
{
    oct_surface_walker_destroy(s->walker);
    oct_surface_graph_destroy(s->graph);
    oct_surface_destroy(s->surface);
}

static double between(scene *s, double low, double high)
{
    return low + (high - low) * oct_random_unit(&s->random);
}

static uint32_t random_vertex(scene *s)
{
    return (uint32_t)oct_random_below(&s->random, s->graph->vertex_count);
}

// A random box somewhere on the surface.
static uint32_t add_shape(scene *s, oct_surface_effect effect, double padding)
{
    const ground_point c = s->graph->vertices[random_vertex(s)].at;
    const double w = between(s, 0.1, 0.8), d = between(s, 0.1, 0.8);
    const oct_point outline[4] = {{c.x - w, c.y - 0.5 * d, 0},
                                  {c.x + 0.5 * w, c.y - d, 0},
                                  {c.x + w, c.y + 0.5 * d, 0},
                                  {c.x - 0.5 * w, c.y + d, 0}};
    const oct_surface_shape shape = {.outline = outline,
                                     .count = 4,
                                     .low = c.z - 0.5,
                                     .high = c.z + 0.8,
                                     .padding = padding,
                                     .effect = effect,
                                     .metre_price = between(s, 0.0, 5.0),
                                     .entry_price = between(s, 0.0, 3.0)};
    uint32_t id;
    assert_int_equal(oct_surface_graph_add(s->graph, &shape, &id), OCT_OK);
    return id;
}

// ---- the graph ----

static void lines_between_centres_stay_on_their_faces(void **state)
{
    (void)state;
    uint64_t bent = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        const oct_surface_graph *const g = s.graph;
        for (uint32_t id = 0; id < g->edge_count; id++) {
            const edge_state *const e = &g->states[id];
            const graph_vertex *const a = &g->vertices[e->a], *const b = &g->vertices[e->b];
            if (!(a->kinds & b->kinds & OCT_SURFACE_CENTRE)) {
                assert_false(e->is_bent);
                continue;
            }
            bent += e->is_bent;
            for (int i = 0; i <= 40; i++) {
                const double t = i / 40.0, u = t < 0.5 ? 2.0 * t : 2.0 * t - 1.0;
                const ground_point *const from = e->is_bent && t >= 0.5 ? &e->bend : &a->at;
                const ground_point *const to = e->is_bent && t < 0.5 ? &e->bend : &b->at;
                const double k = e->is_bent ? u : t;
                const double x = from->x + k * (to->x - from->x);
                const double y = from->y + k * (to->y - from->y);
                assert_true(oct_surface_holds(s.surface, a->face, x, y, 1e-9) ||
                            oct_surface_holds(s.surface, b->face, x, y, 1e-9));
            }
        }
        free_scene(&s);
    }
    assert_true(bent > 0);
}

static void borders_are_walked_once_around(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        const oct_surface_graph *const g = s.graph;
        uint64_t steps = 0, borders = 0;
        for (uint32_t h = 0; h < s.surface->info.corners; h++) {
            borders += s.surface->edges[h].twin == NO_EDGE;
        }
        bool *const done = calloc(g->vertex_count + 1u, sizeof *done);
        for (uint32_t v = 0; v < g->vertex_count; v++) {
            if (!(g->vertices[v].kinds & OCT_SURFACE_BORDER) || done[v]) {
                continue;
            }
            double twice[2] = {0.0, 0.0};
            for (int way = 0; way < 2; way++) {
                oct_surface_route r;
                assert_int_equal(oct_surface_walker_border(s.walker, v, way == 0, &r), OCT_OK);
                assert_int_equal(r.vertices[0], v);
                assert_int_equal(r.vertices[r.count - 1], v);
                steps += way == 0 ? r.count - 1 : 0;
                const ground_point *const o = &g->vertices[v].at;
                for (uint32_t i = 0; i + 1 < r.count; i++) {
                    const ground_point *const p = &g->vertices[r.vertices[i]].at;
                    const ground_point *const q = &g->vertices[r.vertices[i + 1]].at;
                    twice[way] += turn_of(o, p, q);
                    done[r.vertices[i]] = true;
                }
            }
            assert_true(twice[0] <= 1e-9 && twice[1] >= -1e-9); // clockwise, then the other way
        }
        assert_int_equal(steps, borders);
        free(done);
        free_scene(&s);
    }
}

// A corner is where the border's angle is sharper than 150 degrees, by libm.
static void corners_are_told_by_their_angle(void **state)
{
    (void)state;
    uint64_t inner = 0, outer = 0;
    for (uint64_t seed = 1; seed <= test_rounds(300); seed++) {
        scene s = make_scene(seed);
        const half_edge *const edges = s.surface->edges;
        for (uint32_t h = 0; h < s.surface->info.corners; h++) {
            if (edges[h].twin != NO_EDGE) {
                continue;
            }
            // The angle of all faces around the corner where this border edge starts.
            double sum = 0.0;
            uint32_t at = h;
            for (;;) {
                const half_edge *const e = &edges[at];
                const half_edge *const p = &edges[e->prev], *const q = &edges[e->next];
                const double a = atan2(p->y - e->y, p->x - e->x) - atan2(q->y - e->y, q->x - e->x);
                sum += a < -1e-9 ? a + 8.0 * atan(1.0) : a;
                const uint32_t next = edges[e->prev].twin;
                if (next == NO_EDGE) {
                    break;
                }
                at = next;
            }
            const double degrees = sum * 45.0 / atan(1.0);
            const uint32_t kinds = s.graph->vertices[edges[h].joint].kinds;
            if (fabs(degrees - 150.0) < 1e-6 || fabs(degrees - 210.0) < 1e-6 || degrees > 359.0) {
                continue;
            }
            assert_int_equal((kinds & OCT_SURFACE_INNER) != 0, degrees < 150.0);
            assert_int_equal((kinds & OCT_SURFACE_OUTER) != 0, degrees > 210.0);
            inner += degrees < 150.0;
            outer += degrees > 210.0;
        }
        free_scene(&s);
    }
    assert_true(inner > 0 && outer > 0);
}

// ---- obstacles ----

// Whether a dense row of points of a segment comes nearer to a shape than its padding, by so much.
static bool comes_near(const graph_shape *shape, const ground_point *a, const ground_point *b,
                       double margin)
{
    for (int i = 0; i <= 400; i++) {
        const double t = i / 400.0;
        const ground_point p = {a->x + t * (b->x - a->x), a->y + t * (b->y - a->y),
                                a->z + t * (b->z - a->z)};
        if (p.z < shape->low || p.z > shape->high) {
            continue;
        }
        double outside = -HUGE_VAL, distance = HUGE_VAL;
        for (uint32_t k = 0; k < shape->count; k++) {
            const ground_point *const u = &shape->outline[k];
            const ground_point *const v = &shape->outline[(k + 1) % shape->count];
            const double x = v->x - u->x, y = v->y - u->y, length = sqrt(x * x + y * y);
            const double side = -turn_of(u, v, &p) / length;
            outside = side > outside ? side : outside;
            double along = ((p.x - u->x) * x + (p.y - u->y) * y) / (length * length);
            along = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
            const double dx = u->x + along * x - p.x, dy = u->y + along * y - p.y;
            distance = fmin(distance, sqrt(dx * dx + dy * dy));
        }
        if ((outside <= 0.0 ? -distance : distance) < shape->padding + margin) {
            return true;
        }
    }
    return false;
}

static void shapes_block_the_edges_that_they_touch(void **state)
{
    (void)state;
    uint64_t blocked = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        if (s.graph->vertex_count > 0) {
            const uint32_t id =
                add_shape(&s, OCT_SURFACE_BLOCKS, seed % 2 == 0 ? between(&s, 0.05, 0.4) : 0.0);
            const graph_shape *const shape = (const graph_shape *)s.graph->shapes.items + id;
            for (uint32_t i = 0; i < s.graph->edge_count; i++) {
                const edge_state *const e = &s.graph->states[i];
                const ground_point *const a = &s.graph->vertices[e->a].at;
                const ground_point *const b = &s.graph->vertices[e->b].at;
                const ground_point *const mid = e->is_bent ? &e->bend : b;
                const bool clear = oct_surface_graph_is_clear(s.graph, i);
                const bool near = comes_near(shape, a, mid, -0.01) ||
                                  (e->is_bent && comes_near(shape, mid, b, -0.01));
                const bool nearly = comes_near(shape, a, mid, 0.01) ||
                                    (e->is_bent && comes_near(shape, mid, b, 0.01));
                assert_false(near && clear);
                assert_false(!nearly && !clear);
                blocked += !clear;
            }
            assert_int_equal(oct_surface_graph_switch(s.graph, id, OCT_SURFACE_PASSABLE), OCT_OK);
            for (uint32_t i = 0; i < s.graph->edge_count; i++) {
                assert_true(oct_surface_graph_is_clear(s.graph, i));
            }
            assert_int_equal(oct_surface_graph_switch(s.graph, id, OCT_SURFACE_BLOCKS), OCT_OK);
            assert_int_equal(oct_surface_graph_remove(s.graph, id), OCT_OK);
            assert_int_equal(oct_surface_graph_remove(s.graph, id), OCT_ERROR_ABSENT);
            for (uint32_t i = 0; i < s.graph->edge_count; i++) {
                assert_true(oct_surface_graph_is_clear(s.graph, i));
            }
        }
        free_scene(&s);
    }
    assert_true(blocked > 0);
}

// ---- paths ----

// What priced shapes add to an edge, by a fine walk.
static double sampled_price(const scene *s, uint32_t from, const oct_surface_edge *edge)
{
    const graph_shape *const shapes = s->graph->shapes.items;
    const edge_state *const e = &s->graph->states[edge->id];
    const ground_point *const a = &s->graph->vertices[from].at;
    const ground_point *const b = &s->graph->vertices[edge->to].at;
    double price = 0.0;
    for (size_t i = 0; i < s->graph->shapes.count; i++) {
        if (shapes[i].count == 0 || shapes[i].effect != OCT_SURFACE_PRICED) {
            continue;
        }
        // What merely grazes a shape the walk may step over.
        bool begins;
        const ground_point *const mid = e->is_bent ? &e->bend : b;
        const double first = oct_surface_shape_share(&shapes[i], a, mid, &begins);
        const double then = oct_surface_shape_share(&shapes[i], mid, b, &begins);
        if ((first > 0.0 && first < 0.01) || (e->is_bent && then > 0.0 && then < 0.01)) {
            return (double)NAN;
        }
        const int steps = 2000;
        bool was = oct_surface_shape_holds(&shapes[i], a);
        ground_point last = *a;
        for (int k = 1; k <= steps; k++) {
            double t = (double)k / steps;
            const bool second = e->is_bent && t > 0.5;
            const ground_point *const u = second ? &e->bend : a;
            const ground_point *const v = e->is_bent && !second ? &e->bend : b;
            t = e->is_bent ? second ? 2.0 * t - 1.0 : 2.0 * t : t;
            const ground_point p = {u->x + t * (v->x - u->x), u->y + t * (v->y - u->y),
                                    u->z + t * (v->z - u->z)};
            const bool is = oct_surface_shape_holds(&shapes[i], &p);
            const double x = p.x - last.x, y = p.y - last.y, z = p.z - last.z;
            price += is ? shapes[i].metre_price * sqrt(x * x + y * y + z * z) : 0.0;
            price += is && !was ? shapes[i].entry_price : 0.0;
            was = is;
            last = p;
        }
    }
    return price;
}

// Least costs from a vertex by relaxing all edges until nothing changes (Bellman and Ford).
// Prices are those of the library (compared with a fine walk elsewhere).
static void relax_all(const scene *s, const oct_surface_walk *w, uint32_t from, bool through,
                      double *costs)
{
    const oct_surface_graph *const g = s->graph;
    const uint32_t n = g->vertex_count;
    const graph_shape *const shape =
        through ? (const graph_shape *)g->shapes.items + w->through : NULL;
    for (uint32_t i = 0; i < 2 * n; i++) {
        costs[i] = HUGE_VAL;
    }
    costs[from + (shape && oct_surface_shape_holds(shape, &g->vertices[from].at) ? n : 0)] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t state = 0; state < 2 * n; state++) {
            const graph_vertex *const v = &g->vertices[state % n];
            for (uint32_t i = v->first; isfinite(costs[state]) && i < v->first + v->count; i++) {
                const oct_surface_edge *const edge = &g->edges[i];
                const uint32_t kinds = g->vertices[edge->to].kinds;
                if ((!w->ignores_obstacles && !oct_surface_graph_is_clear(g, edge->id)) ||
                    (w->way == OCT_SURFACE_CENTRES && edge->to != w->to &&
                     !(kinds & OCT_SURFACE_CENTRE))) {
                    continue;
                }
                const bool liked = w->preferred_set ? w->preferred_set[edge->to]
                                                    : !w->preferred || (kinds & w->preferred);
                const bool in =
                    state >= n ||
                    (shape && oct_surface_shape_holds(shape, &g->vertices[edge->to].at));
                const double cost = costs[state] + edge->length * (liked ? 1.0 : w->reluctance);
                const uint32_t to = edge->to + (in ? n : 0);
                if (cost < costs[to] - 1e-12) {
                    costs[to] = cost;
                    changed = true;
                }
            }
        }
    }
}

static void paths_have_the_least_cost(void **state)
{
    (void)state;
    uint64_t found = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        const uint32_t n = s.graph->vertex_count;
        double *const costs = malloc((2 * (size_t)n + 1) * sizeof *costs);
        bool *const set = malloc(n + 1u);
        for (int i = 0; i < 4 && n > 0; i++) {
            const uint32_t id = add_shape(&s, OCT_SURFACE_BLOCKS, 0.0);
            oct_surface_walk w = oct_surface_walk_default();
            w.from = random_vertex(&s);
            w.to = random_vertex(&s);
            w.ignores_obstacles = oct_random_below(&s.random, 4) == 0;
            w.way = (oct_surface_way)oct_random_below(&s.random, 3);
            w.through = id;
            w.reluctance = between(&s, 1.0, 6.0);
            w.preferred = (uint32_t)oct_random_below(&s.random, 3); // all, centres, borders
            for (uint32_t v = 0; v < n; v++) {
                set[v] = oct_random_below(&s.random, 2) == 0;
            }
            w.preferred_set = i == 3 ? set : NULL;
            if (w.way == OCT_SURFACE_THROUGH) {
                oct_surface_graph_switch(s.graph, id, OCT_SURFACE_PASSABLE);
            }
            const bool through = w.way == OCT_SURFACE_THROUGH;
            relax_all(&s, &w, w.from, through, costs);
            const double truth = through ? costs[w.to + n] : fmin(costs[w.to], costs[w.to + n]);
            for (int way = 0; way < 2; way++) {
                oct_surface_route r;
                w.is_dijkstra = way == 1;
                assert_int_equal(oct_surface_walker_plan(s.walker, &w, &r), OCT_OK);
                assert_int_equal(r.is_found, isfinite(truth));
                if (r.is_found) {
                    assert_true(fabs(r.cost - truth) <= 1e-9);
                    assert_int_equal(r.vertices[0], w.from);
                    assert_int_equal(r.vertices[r.count - 1], w.to);
                    found++;
                }
            }
        }
        free(set);
        free(costs);
        free_scene(&s);
    }
    assert_true(found > 100);
}

static void hazards_cost_what_they_are_priced(void **state)
{
    (void)state;
    uint64_t compared = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        if (s.graph->vertex_count > 0) {
            add_shape(&s, OCT_SURFACE_PRICED, 0.0);
            add_shape(&s, OCT_SURFACE_PRICED, 0.1);
            for (int i = 0; i < 3; i++) {
                oct_surface_walk w = oct_surface_walk_default();
                w.from = random_vertex(&s);
                w.to = random_vertex(&s);
                oct_surface_route a, b;
                assert_int_equal(oct_surface_walker_plan(s.walker, &w, &a), OCT_OK);
                if (!a.is_found) {
                    continue;
                }
                // The route costs its length and what a fine walk along it says.
                double price = 0.0;
                for (uint32_t k = 0; k + 1 < a.count; k++) {
                    const graph_vertex *const v = &s.graph->vertices[a.vertices[k]];
                    double least = HUGE_VAL;
                    for (uint32_t e = v->first; e < v->first + v->count; e++) {
                        if (s.graph->edges[e].to == a.vertices[k + 1]) {
                            const double own = s.graph->edges[e].length +
                                               sampled_price(&s, a.vertices[k], &s.graph->edges[e]);
                            least = own < least || isnan(own) ? own : least;
                        }
                    }
                    price += least;
                }
                compared += isnan(price) ? 0u : 1u;
                assert_true(isnan(price) || fabs(price - a.cost) <= 0.02 * (1.0 + a.cost));
                const double cost = a.cost;
                w.ignores_obstacles = true;
                assert_int_equal(oct_surface_walker_plan(s.walker, &w, &b), OCT_OK);
                assert_true(b.cost <= cost + 1e-9);
            }
        }
        free_scene(&s);
    }
    assert_true(compared > 0);
}

// ---- exploration ----

static uint32_t choose_last(void *ctx, const uint32_t *frontier, const double *costs,
                            uint32_t count)
{
    (void)ctx;
    (void)frontier;
    (void)costs;
    return count - 1;
}

// What can still be reached from a vertex.
static void flood(const scene *s, uint32_t from, bool *reached)
{
    const oct_surface_graph *const g = s->graph;
    memset(reached, 0, g->vertex_count);
    reached[from] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < g->vertex_count; v++) {
            for (uint32_t i = 0; reached[v] && i < g->vertices[v].count; i++) {
                const oct_surface_edge *const e = &g->edges[g->vertices[v].first + i];
                if (oct_surface_graph_is_clear(g, e->id) && !reached[e->to]) {
                    reached[e->to] = true;
                    changed = true;
                }
            }
        }
    }
}

// Edges close behind the agent, each with this chance.
static void explore(scene *s, oct_surface_strategy strategy, double closing, double view)
{
    const uint32_t n = s->graph->vertex_count;
    oct_surface_explorer_def def = oct_surface_explorer_def_default();
    def.graph = s->graph;
    def.strategy = strategy;
    def.seed = 7;
    def.choose = choose_last;
    oct_surface_explorer *e;
    assert_int_equal(oct_surface_explorer_create(&def, &e), OCT_OK);
    uint32_t at = random_vertex(s);
    uint32_t calls = 0;
    for (;;) {
        assert_true(calls++ <= n);
        assert_int_equal(oct_surface_explorer_look(e, at, view), OCT_OK);
        oct_surface_route r;
        assert_int_equal(oct_surface_explorer_next(e, at, &r), OCT_OK);
        if (!r.is_found) {
            break;
        }
        assert_int_equal(r.vertices[0], at);
        assert_false(oct_surface_explorer_has_seen(e, r.vertices[r.count - 1]));
        for (uint32_t i = 0; i + 1 < r.count; i++) {
            assert_true(oct_surface_explorer_has_seen(e, r.vertices[i]));
            const graph_vertex *const v = &s->graph->vertices[r.vertices[i]];
            for (uint32_t k = v->first; k < v->first + v->count; k++) {
                if (s->graph->edges[k].to == r.vertices[i + 1] &&
                    oct_random_unit(&s->random) < closing) {
                    oct_surface_graph_block(s->graph, s->graph->edges[k].id, true);
                }
            }
        }
        at = r.vertices[r.count - 1];
        assert_int_equal(oct_surface_explorer_walked(e, r.vertices, r.count), OCT_OK);
    }
    // Everything that can be reached was seen.
    bool *const reached = malloc(n + 1u);
    flood(s, at, reached);
    uint32_t seen = 0;
    for (uint32_t v = 0; v < n; v++) {
        assert_true(!reached[v] || oct_surface_explorer_has_seen(e, v));
        seen += oct_surface_explorer_has_seen(e, v);
        // Without eyes and closing edges, nothing else was.
        assert_true(closing > 0.0 || view > 0.0 ||
                    reached[v] == oct_surface_explorer_has_seen(e, v));
    }
    const oct_surface_covered covered = oct_surface_explorer_covered(e);
    assert_int_equal(covered.seen, seen);
    assert_int_equal(covered.vertices_all, n);
    assert_int_equal(covered.centres_all, s->surface->info.faces);
    assert_int_equal(covered.border_edges_all, s->surface->info.borders);
    assert_true(covered.vertices <= covered.seen);
    free(reached);
    oct_surface_explorer_destroy(e);
}

static void exploring_ends_with_all_that_can_be_reached(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        if (s.graph->vertex_count > 0) {
            explore(&s, (oct_surface_strategy)(seed % 5),
                    seed % 4 == 0 ? 0.0 : between(&s, 0.0, 1.0),
                    seed % 2 == 0 ? 0.0 : between(&s, 0.2, 1.5));
        }
        free_scene(&s);
    }
}

// ---- kinds of paths ----

static oct_surface_explorer *make_explorer(const scene *s)
{
    oct_surface_explorer_def def = oct_surface_explorer_def_default();
    def.graph = s->graph;
    oct_surface_explorer *e;
    assert_int_equal(oct_surface_explorer_create(&def, &e), OCT_OK);
    return e;
}

// Every border is gone around once; there are as many as loops of border edges.
static void borders_count_by_the_way_round(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(300); seed++) {
        scene s = make_scene(seed);
        const uint32_t n = s.graph->vertex_count;
        bool *const walked = calloc(n + 1u, 1);
        oct_surface_explorer *const e = make_explorer(&s);
        const bool clockwise = seed % 2 == 0;
        uint32_t loops = 0;
        for (uint32_t v = 0; v < n; v++) {
            if (walked[v] || !(s.graph->vertices[v].kinds & OCT_SURFACE_BORDER)) {
                continue;
            }
            oct_surface_covered before = oct_surface_explorer_covered(e);
            assert_int_equal(clockwise ? before.borders_clockwise : before.borders_counter, loops);
            oct_surface_route r;
            assert_int_equal(oct_surface_walker_border(s.walker, v, clockwise, &r), OCT_OK);
            assert_int_equal(oct_surface_explorer_walked(e, r.vertices, r.count), OCT_OK);
            for (uint32_t i = 0; i < r.count; i++) {
                walked[r.vertices[i]] = true;
            }
            loops++;
        }
        const oct_surface_covered after = oct_surface_explorer_covered(e);
        assert_int_equal(after.borders_all, loops);
        assert_int_equal(after.borders_clockwise, clockwise ? loops : 0);
        assert_int_equal(after.borders_counter, clockwise ? 0 : loops);
        assert_int_equal(after.border_edges, after.border_edges_all);
        oct_surface_explorer_destroy(e);
        free(walked);
        free_scene(&s);
    }
}

// A route that keeps off a shape goes around it if the shortest one does not.
static void hazards_count_by_the_way_past(void **state)
{
    (void)state;
    uint32_t through = 0, around = 0, centres = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s = make_scene(seed);
        if (s.graph->vertex_count > 0) {
            add_shape(&s, OCT_SURFACE_BLOCKS, 0.05);
            oct_surface_explorer *const e = make_explorer(&s);
            oct_surface_walk w = oct_surface_walk_default();
            w.from = random_vertex(&s);
            w.to = random_vertex(&s);
            w.way = seed % 3 == 0 ? OCT_SURFACE_CENTRES : OCT_SURFACE_SHORTEST;
            oct_surface_route r;
            assert_int_equal(oct_surface_walker_plan(s.walker, &w, &r), OCT_OK);
            const bool found = r.is_found && r.count > 2;
            const double length = r.length;
            if (found) {
                assert_int_equal(oct_surface_explorer_walked(e, r.vertices, r.count), OCT_OK);
            }
            oct_surface_covered c = oct_surface_explorer_covered(e);
            assert_int_equal(c.shapes_all, 1);
            assert_int_equal(c.through, 0); // it blocks
            assert_true(!found || w.way != OCT_SURFACE_CENTRES || c.centre_ways == 1);
            centres += c.centre_ways;
            w.way = OCT_SURFACE_SHORTEST;
            w.ignores_obstacles = true;
            assert_int_equal(oct_surface_walker_plan(s.walker, &w, &r), OCT_OK);
            if (found) {
                // Where nothing is in the way, the route is as short as the shortest one.
                const bool is_longer = length > r.length * (1.0 + 1e-9);
                assert_true(is_longer || c.around == 0);
                around += c.around;
                assert_int_equal(oct_surface_explorer_walked(e, r.vertices, r.count), OCT_OK);
                const uint32_t was_around = c.around;
                c = oct_surface_explorer_covered(e);
                assert_true(!is_longer || c.through == was_around); // the one that was avoided
                through += c.through;
            }
            oct_surface_explorer_destroy(e);
        }
        free_scene(&s);
    }
    assert_true(through > 0 && around > 0 && centres > 0);
}

// ---- memory ----

static oct_result use_graph(const oct_allocator *allocator, void *ctx)
{
    const oct_surface *const surface = ctx;
    oct_surface_graph *graph;
    OCT_TRY(oct_surface_graph_create(surface, 150.0, allocator, &graph));
    oct_surface_walker *walker;
    oct_result result = oct_surface_walker_create(graph, allocator, &walker);
    if (result == OCT_OK) {
        oct_surface_walk w = oct_surface_walk_default();
        w.to = graph->vertex_count - 1;
        oct_surface_route r;
        result = oct_surface_walker_plan(walker, &w, &r);
    }
    if (result == OCT_OK) {
        oct_surface_explorer_def def = oct_surface_explorer_def_default();
        def.graph = graph;
        def.allocator = allocator;
        oct_surface_explorer *e;
        result = oct_surface_explorer_create(&def, &e);
        if (result == OCT_OK) {
            oct_surface_route r;
            result = oct_surface_explorer_look(e, 0, 0.5);
            result = result == OCT_OK ? oct_surface_explorer_next(e, 0, &r) : result;
            oct_surface_explorer_destroy(e);
        }
    }
    oct_surface_walker_destroy(walker);
    oct_surface_graph_destroy(graph);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    scene s = make_scene(4);
    assert_true(test_each_failure(use_graph, s.surface) > 5);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_between_centres_stay_on_their_faces),
        cmocka_unit_test(borders_are_walked_once_around),
        cmocka_unit_test(corners_are_told_by_their_angle),
        cmocka_unit_test(shapes_block_the_edges_that_they_touch),
        cmocka_unit_test(paths_have_the_least_cost),
        cmocka_unit_test(hazards_cost_what_they_are_priced),
        cmocka_unit_test(exploring_ends_with_all_that_can_be_reached),
        cmocka_unit_test(borders_count_by_the_way_round),
        cmocka_unit_test(hazards_count_by_the_way_past),
        cmocka_unit_test(memory_that_is_short_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
