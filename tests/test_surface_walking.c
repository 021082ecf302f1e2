// SPDX-License-Identifier: MIT
// Walking rules: stairs, slopes, cracks, gaps, ledges and drops by hand, and random platforms of
// which it is known by arithmetic who gets where.
#include "support.h"

#include "octant/surface_explore.h"
#include "octant/surface_walking.h"
#include "surface/surface_internal.h"

#include <math.h>

#define PLATFORMS_MAX 12

// A level rectangle, or a ramp along x: its height at x0 and at x1.
typedef struct platform {
    double x0, y0, x1, y1, z, z1;
} platform;

static oct_surface *make_platforms(const platform *all, uint32_t count)
{
    oct_point points[4 * PLATFORMS_MAX];
    uint32_t corners[4 * PLATFORMS_MAX], sizes[PLATFORMS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        const platform *const p = &all[i];
        points[4 * i] = (oct_point){p->x0, p->y0, p->z};
        points[4 * i + 1] = (oct_point){p->x1, p->y0, p->z1};
        points[4 * i + 2] = (oct_point){p->x1, p->y1, p->z1};
        points[4 * i + 3] = (oct_point){p->x0, p->y1, p->z};
        sizes[i] = 4;
    }
    for (uint32_t i = 0; i < 4 * count; i++) {
        corners[i] = i;
    }
    oct_surface_def def = oct_surface_def_default();
    def.up = OCT_UP_Z;
    def.points = points;
    def.point_count = 4 * count;
    def.corners = corners;
    def.sizes = sizes;
    def.face_count = count;
    oct_surface *surface;
    assert_int_equal(oct_surface_create(&def, &surface, NULL), OCT_OK);
    return surface;
}

static platform level(double x0, double y0, double x1, double y1, double z)
{
    return (platform){x0, y0, x1, y1, z, z};
}

// ---- single ways ----

typedef struct walked {
    oct_surface_status status;
    double length, cost;
    uint32_t steps, jumps, drops, points, links;
} walked;

static walked walk(const platform *all, uint32_t count, const oct_walking_rules *rules,
                   oct_point from, oct_point to)
{
    oct_surface *const surface = make_platforms(all, count);
    oct_walking_space *space;
    oct_walking_planner *planner;
    assert_int_equal(oct_walking_space_create(surface, rules, &space), OCT_OK);
    oct_surface_destroy(surface);
    assert_int_equal(oct_walking_planner_create(space, NULL, &planner), OCT_OK);
    oct_surface_query query = oct_surface_query_default();
    query.from = from;
    query.to = to;
    oct_walking_path path;
    assert_int_equal(oct_walking_plan(planner, &query, &path), OCT_OK);
    const oct_walking_link *links;
    const walked out = {
        path.status, path.length, path.cost,        path.steps,
        path.jumps,  path.drops,  path.point_count, oct_walking_links(space, &links)};
    if (path.status == OCT_SURFACE_FOUND || path.status == OCT_SURFACE_UNREACHABLE) {
        assert_int_equal(oct_walking_leads(planner, path.from.face, path.to.face),
                         path.status == OCT_SURFACE_FOUND);
    }
    oct_walking_planner_destroy(planner);
    oct_walking_space_destroy(space);
    return out;
}

static void stairs_are_walked_up_and_down(void **state)
{
    (void)state;
    const platform stairs[] = {level(0, 0, 2, 2, 0), level(2, 0, 4, 2, 0.3),
                               level(4, 0, 6, 2, 0.6)};
    oct_walking_rules rules = oct_walking_rules_default();
    const oct_point low = {1, 1, 0}, high = {5, 1, 0.6};
    assert_int_equal(walk(stairs, 3, &rules, low, high).status, OCT_SURFACE_UNREACHABLE);
    rules.step = 0.3;
    walked w = walk(stairs, 3, &rules, low, high);
    assert_int_equal(w.status, OCT_SURFACE_FOUND);
    assert_int_equal(w.steps, 2);
    assert_int_equal(w.points, 6);
    assert_int_equal(w.jumps + w.drops, 0);
    assert_true(fabs(w.length - 4.0) < 1e-9);
    w = walk(stairs, 3, &rules, high, low);
    assert_int_equal(w.steps, 2);
}

static void faces_that_are_too_steep_are_left_out(void **state)
{
    (void)state;
    // 1 m up over 1.19 m: 40.04 degrees.
    const platform ramp[] = {level(0, 0, 2, 2, 0), {2, 0, 3.19, 2, 0, 1}, level(3.19, 0, 5, 2, 1)};
    oct_walking_rules rules = oct_walking_rules_default();
    const oct_point low = {1, 1, 0}, high = {4, 1, 1};
    rules.slope = 41.0;
    assert_int_equal(walk(ramp, 3, &rules, low, high).status, OCT_SURFACE_FOUND);
    rules.slope = 39.0;
    assert_int_equal(walk(ramp, 3, &rules, low, high).status, OCT_SURFACE_UNREACHABLE);
}

static void gaps_are_jumped_over_as_far_as_the_rules_say(void **state)
{
    (void)state;
    const platform gap[] = {level(0, 0, 2, 2, 0), level(4, 0, 6, 2, 0), level(8, 0, 9, 2, 1)};
    oct_walking_rules rules = oct_walking_rules_default();
    const oct_point a = {1, 0.5, 0}, b = {5, 0.5, 0}, c = {8.5, 0.5, 1};
    rules.climb = 1.0;
    rules.leap = 1.9;
    assert_int_equal(walk(gap, 3, &rules, a, b).status, OCT_SURFACE_UNREACHABLE);
    rules.leap = 2.0;
    walked w = walk(gap, 3, &rules, a, b);
    assert_int_equal(w.jumps, 1);
    assert_true(fabs(w.length - 4.0) < 1e-9 && fabs(w.cost - 6.0) < 1e-9);
    // At the top of the parabola it is half as wide.
    assert_int_equal(walk(gap, 3, &rules, a, c).status, OCT_SURFACE_UNREACHABLE);
    rules.leap = 4.0;
    w = walk(gap, 3, &rules, a, c);
    assert_int_equal(w.jumps, 2);
    // Down from there: a fall of 1 m, and of the jump's own height.
    assert_int_equal(walk(gap, 3, &rules, c, a).status, OCT_SURFACE_UNREACHABLE);
    rules.drop = 2.0;
    assert_int_equal(walk(gap, 3, &rules, c, a).jumps, 2);
    // A margin makes gaps of the mesh wider than those of the floor.
    rules.leap = 1.0;
    rules.margin = 0.5;
    assert_int_equal(walk(gap, 3, &rules, a, b).status, OCT_SURFACE_FOUND);
    rules.margin = 0.49;
    assert_int_equal(walk(gap, 3, &rules, a, b).status, OCT_SURFACE_UNREACHABLE);
}

static void cracks_are_stepped_over(void **state)
{
    (void)state;
    const platform crack[] = {level(0, 0, 2, 2, 0), level(2.05, 0, 4, 2, 0)};
    oct_walking_rules rules = oct_walking_rules_default();
    const walked w = walk(crack, 2, &rules, (oct_point){1, 1, 0}, (oct_point){3, 1, 0});
    assert_int_equal(w.steps, 1);
    rules.stride = 0.04;
    assert_int_equal(walk(crack, 2, &rules, (oct_point){1, 1, 0}, (oct_point){3, 1, 0}).status,
                     OCT_SURFACE_UNREACHABLE);
}

static void drops_lead_one_way(void **state)
{
    (void)state;
    // A ledge at the edge of a floor, and a balcony above it.
    const platform ledge[] = {level(0, 0, 2, 2, 3), level(2, 0, 8, 2, 0), level(4, 0, 5, 1, 2)};
    oct_walking_rules rules = oct_walking_rules_default();
    const oct_point top = {1, 1, 3}, floor = {7, 1, 0}, balcony = {4.5, 0.5, 2};
    assert_int_equal(walk(ledge, 3, &rules, top, floor).status, OCT_SURFACE_UNREACHABLE);
    rules.drop = 3.0;
    assert_int_equal(walk(ledge, 3, &rules, top, floor).drops, 1);
    assert_int_equal(walk(ledge, 3, &rules, floor, top).status, OCT_SURFACE_UNREACHABLE);
    assert_int_equal(walk(ledge, 3, &rules, balcony, floor).drops, 1);
    assert_int_equal(walk(ledge, 3, &rules, floor, balcony).status, OCT_SURFACE_UNREACHABLE);
    rules.climb = 2.0;
    assert_int_equal(walk(ledge, 3, &rules, floor, balcony).jumps, 1);
    assert_int_equal(walk(ledge, 3, &rules, floor, top).status, OCT_SURFACE_UNREACHABLE);
}

static void nobody_falls_through_a_floor(void **state)
{
    (void)state;
    const platform storeys[] = {level(0, 0, 2, 2, 6), level(1.5, 0, 4, 2, 3), level(0, 0, 4, 2, 0)};
    oct_walking_rules rules = oct_walking_rules_default();
    rules.drop = 7.0;
    const walked w = walk(storeys, 3, &rules, (oct_point){1.9, 1, 6}, (oct_point){3.5, 1, 0});
    // To the nearest edge, or down in two: never from 6 to 0 where the floor at 3 is between.
    assert_int_equal(w.status, OCT_SURFACE_FOUND);
    assert_int_equal(w.drops, 2);
}

static bool refuse_jumps(void *ctx, oct_walking_kind kind, oct_point from, oct_point to)
{
    uint32_t *const calls = ctx;
    ++*calls;
    assert_true(from.x != to.x || from.y != to.y || from.z != to.z);
    return kind != OCT_WALKING_JUMP;
}

static void what_is_in_the_way_is_asked_for(void **state)
{
    (void)state;
    const platform gap[] = {level(0, 0, 2, 2, 0), level(3, 0, 5, 2, 0)};
    uint32_t calls = 0;
    oct_walking_rules rules = oct_walking_rules_default();
    rules.leap = 2.0;
    rules.is_clear = refuse_jumps;
    rules.ctx = &calls;
    assert_int_equal(walk(gap, 2, &rules, (oct_point){1, 1, 0}, (oct_point){4, 1, 0}).status,
                     OCT_SURFACE_UNREACHABLE);
    assert_true(calls > 0);
}

static void the_shorter_way_may_be_a_jump(void **state)
{
    (void)state;
    // Around a pit of 2 m it is 20 m.
    const platform pit[] = {level(0, 0, 2, 12, 0), level(2, 10, 4, 12, 0), level(4, 0, 6, 12, 0)};
    oct_walking_rules rules = oct_walking_rules_default();
    rules.leap = 2.0;
    const oct_point a = {1.5, 0.5, 0}, b = {4.5, 0.5, 0};
    walked w = walk(pit, 3, &rules, a, b);
    assert_int_equal(w.jumps, 1);
    rules.jump_price = 100.0;
    w = walk(pit, 3, &rules, a, b);
    assert_int_equal(w.jumps, 0);
    assert_int_equal(w.links, 0);
    assert_true(w.length > 19.0);
}

static void bad_rules_are_refused(void **state)
{
    (void)state;
    const platform floor[] = {level(0, 0, 2, 2, 0)};
    oct_surface *const surface = make_platforms(floor, 1);
    const double bad[] = {-1.0, HUGE_VAL, (double)NAN};
    for (int i = 0; i < 3; i++) {
        for (int field = 0; field < 10; field++) {
            oct_walking_rules rules = oct_walking_rules_default();
            double *const fields[] = {
                &rules.step,   &rules.slope,  &rules.climb,   &rules.leap,       &rules.drop,
                &rules.margin, &rules.stride, &rules.spacing, &rules.jump_price, &rules.drop_price};
            *fields[field] = bad[i];
            oct_walking_space *space;
            assert_int_equal(oct_walking_space_create(surface, &rules, &space), OCT_ERROR_ARGUMENT);
            assert_null(space);
        }
    }
    oct_surface_destroy(surface);
}

// ---- random platforms ----

typedef struct scene {
    platform all[PLATFORMS_MAX];
    uint32_t count;
    oct_walking_rules rules;
    oct_surface *surface;
    oct_walking_space *space;
    oct_walking_planner *planner;
    oct_random random;
} scene;

static double between(scene *s, double low, double high)
{
    return low + (high - low) * oct_random_unit(&s->random);
}

static double apart(double a0, double a1, double b0, double b1)
{
    const double gap = b0 > a1 ? b0 - a1 : a0 - b1;
    return gap > 0.0 ? gap : 0.0;
}

static double distance_of(const platform *a, const platform *b)
{
    const double x = apart(a->x0, a->x1, b->x0, b->x1), y = apart(a->y0, a->y1, b->y0, b->y1);
    return sqrt(x * x + y * y);
}

// Level platforms; where they must not overlap, at least a little apart in the ground plane.
static void make_scene(uint64_t seed, bool overlap, scene *s)
{
    *s = (scene){.random = oct_random_seed(seed)};
    const uint32_t wanted = 2 + (uint32_t)oct_random_below(&s->random, PLATFORMS_MAX - 1);
    for (uint32_t i = 0; i < wanted; i++) {
        const double x = between(s, 0, 8), y = between(s, 0, 8), z = 0.25 * floor(between(s, 0, 9));
        const platform p = level(x, y, x + between(s, 0.5, 3), y + between(s, 0.5, 3), z);
        bool is_free = true;
        for (uint32_t k = 0; k < s->count; k++) {
            is_free = is_free &&
                      (overlap ? fabs(s->all[k].z - z) > 0.2 : distance_of(&s->all[k], &p) > 1e-3);
        }
        if (is_free) {
            s->all[s->count++] = p;
        }
    }
    s->rules = oct_walking_rules_default();
    s->rules.step = between(s, 0, 0.6);
    s->rules.climb = oct_random_below(&s->random, 3) == 0 ? 0.0 : between(s, 0, 1.2);
    s->rules.leap = oct_random_below(&s->random, 3) == 0 ? 0.0 : between(s, 0, 2.5);
    s->rules.drop = oct_random_below(&s->random, 3) == 0 ? 0.0 : between(s, 0, 3);
    s->rules.margin = oct_random_below(&s->random, 2) == 0 ? 0.0 : between(s, 0, 0.4);
    s->rules.spacing = between(s, 0.2, 2);
    s->surface = make_platforms(s->all, s->count);
    assert_int_equal(oct_walking_space_create(s->surface, &s->rules, &s->space), OCT_OK);
    assert_int_equal(oct_walking_planner_create(s->space, NULL, &s->planner), OCT_OK);
}

static void free_scene(scene *s)
{
    oct_walking_planner_destroy(s->planner);
    oct_walking_space_destroy(s->space);
    oct_surface_destroy(s->surface);
}

// Whether the rules lead over a distance to a height: the rules as the header has them, once more.
static bool is_allowed(const oct_walking_rules *r, double distance, double height)
{
    if (distance <= r->stride && fabs(height) <= r->step) {
        return true;
    }
    if (height < 0.0 && -height <= r->drop && distance <= 2.0 * r->margin + r->stride) {
        return true;
    }
    if ((r->leap == 0.0 && r->climb == 0.0) || height > r->climb ||
        (-height > r->step && r->climb - height > r->drop)) {
        return false;
    }
    const double share = r->climb > 0.0 ? (1.0 + sqrt(1.0 - height / r->climb)) / 2.0 : 1.0;
    return distance <= 2.0 * r->margin + fmax(r->leap * share, r->stride);
}

static void reach_is_that_of_arithmetic(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(10000);
    uint32_t reached = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        scene s;
        make_scene(seed, false, &s);
        bool reach[PLATFORMS_MAX][PLATFORMS_MAX];
        for (uint32_t i = 0; i < s.count; i++) {
            for (uint32_t k = 0; k < s.count; k++) {
                reach[i][k] = i == k || is_allowed(&s.rules, distance_of(&s.all[i], &s.all[k]),
                                                   s.all[k].z - s.all[i].z);
            }
        }
        for (uint32_t m = 0; m < s.count; m++) {
            for (uint32_t i = 0; i < s.count; i++) {
                for (uint32_t k = 0; k < s.count; k++) {
                    reach[i][k] = reach[i][k] || (reach[i][m] && reach[m][k]);
                }
            }
        }
        for (uint32_t i = 0; i < s.count; i++) {
            for (uint32_t k = 0; k < s.count; k++) {
                if (oct_walking_leads(s.planner, i, k) != reach[i][k]) {
                    print_error("seed %llu: from %u to %u\n", (unsigned long long)seed, i, k);
                    fail();
                }
                reached += reach[i][k] && i != k;
                pairs += i != k;
            }
        }
        free_scene(&s);
    }
    assert_true(reached > pairs / 10 && reached < pairs - pairs / 10);
}

// The least cost by Dijkstra over all links, each leg asked of the surface's planner.
static double least_cost(const scene *s, oct_surface_planner *planner, const oct_surface_query *q)
{
    const oct_walking_link *links;
    const uint32_t count = oct_walking_links(s->space, &links);
    double *const cost = malloc((count + 1u) * sizeof *cost);
    bool *const done = calloc(count + 1u, sizeof *done);
    for (uint32_t i = 0; i <= count; i++) {
        cost[i] = HUGE_VAL; // of arriving by a link; of the goal
    }
    oct_point at = q->from;
    uint32_t face = q->from_face, next;
    double g = 0.0;
    do {
        for (uint32_t i = 0; i <= count; i++) {
            oct_surface_query leg = oct_surface_query_default();
            leg.from = at;
            leg.from_face = face;
            leg.to = i < count ? links[i].from : q->to;
            leg.to_face = i < count ? links[i].from_face : q->to_face;
            oct_surface_path path;
            assert_int_equal(oct_surface_plan(planner, &leg, &path), OCT_OK);
            double more = path.status == OCT_SURFACE_FOUND ? path.length : HUGE_VAL;
            if (i < count) {
                more += links[i].length;
                more += links[i].kind == OCT_WALKING_JUMP   ? s->rules.jump_price
                        : links[i].kind == OCT_WALKING_DROP ? s->rules.drop_price
                                                            : 0.0;
            }
            cost[i] = g + more < cost[i] ? g + more : cost[i];
        }
        next = count;
        for (uint32_t i = 0; i < count; i++) {
            next = !done[i] && cost[i] < HUGE_VAL && (next == count || cost[i] < cost[next]) ? i
                                                                                             : next;
        }
        if (next < count) {
            done[next] = true;
            at = links[next].to;
            face = links[next].to_face;
            g = cost[next];
        }
    } while (next < count);
    const double out = cost[count];
    free(cost);
    free(done);
    return out;
}

// Every way between two points of a path is as its kind says.
static void check_points(const scene *s, const oct_walking_path *path)
{
    const oct_surface *const surface = oct_walking_surface(s->space);
    double length = 0.0;
    for (uint32_t i = 0; i < path->point_count; i++) {
        const oct_walking_point *const p = &path->points[i];
        assert_true(oct_surface_holds(surface, p->face, p->at.x, p->at.y, 1e-6));
        assert_true(fabs(oct_surface_height(surface, p->face, p->at) - p->at.z) < 1e-6);
        if (i == 0) {
            assert_int_equal(p->kind, OCT_WALKING_WALK);
            continue;
        }
        const oct_walking_point *const before = p - 1;
        const double x = p->at.x - before->at.x, y = p->at.y - before->at.y;
        const double height = p->at.z - before->at.z, distance = sqrt(x * x + y * y);
        length += distance;
        if (p->kind == OCT_WALKING_WALK) {
            assert_true(fabs(height) < 1e-9); // all is level here
        } else {
            assert_true(is_allowed(&s->rules, distance - 1e-9, height));
        }
    }
    assert_true(fabs(length - path->length) < 1e-6);
}

static void check_query(scene *s, oct_surface_planner *planner, uint64_t seed)
{
    const oct_surface *const surface = oct_walking_surface(s->space);
    oct_surface_query query = oct_surface_query_default();
    query.from_face = (uint32_t)oct_random_below(&s->random, surface->info.faces);
    query.to_face = (uint32_t)oct_random_below(&s->random, surface->info.faces);
    query.from = oct_surface_face_of(surface, query.from_face).centre;
    query.to = oct_surface_face_of(surface, query.to_face).centre;
    oct_walking_path path;
    assert_int_equal(oct_walking_plan(s->planner, &query, &path), OCT_OK);
    const double truth = least_cost(s, planner, &query);
    const bool found = path.status == OCT_SURFACE_FOUND;
    if (found != isfinite(truth) || (found && !(fabs(path.cost - truth) < 1e-9))) {
        print_error("seed %llu: status %d, cost %.12f, least %.12f\n", (unsigned long long)seed,
                    (int)path.status, path.cost, truth);
        fail();
    }
    if (found) {
        check_points(s, &path);
    }
}

static void paths_cost_the_least(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(1500);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        scene s;
        make_scene(seed + 100000, seed % 2 == 0, &s);
        oct_surface_planner *planner;
        assert_int_equal(oct_surface_planner_create(oct_walking_surface(s.space), NULL, &planner),
                         OCT_OK);
        for (int i = 0; i < 4; i++) {
            check_query(&s, planner, seed);
        }
        oct_surface_planner_destroy(planner);
        free_scene(&s);
    }
}

// ---- the graph ----

// The edge of a link in the graph; NULL = it is not there.
static const oct_surface_edge *edge_of(const oct_surface_graph *g, const oct_walking_link *link)
{
    for (uint32_t v = 0; v < oct_surface_graph_vertex_count(g); v++) {
        const oct_point a = oct_surface_graph_vertex(g, v).point;
        const oct_surface_edge *edges;
        const uint32_t count = oct_surface_graph_edges(g, v, &edges);
        for (uint32_t i = 0; i < count; i++) {
            const oct_point b = oct_surface_graph_vertex(g, edges[i].to).point;
            if (edges[i].kind == link->kind && fabs(a.x - link->from.x) < 1e-5 &&
                fabs(a.y - link->from.y) < 1e-5 && fabs(b.x - link->to.x) < 1e-5 &&
                fabs(b.y - link->to.y) < 1e-5 && fabs(a.z - link->from.z) <= 1e-5 &&
                fabs(b.z - link->to.z) <= 1e-5) {
                return &edges[i];
            }
        }
    }
    return NULL;
}

// All that edges lead to from a vertex; without those of no return, if so.
static void flood(const oct_surface_graph *g, uint32_t from, bool with_final, bool *reached)
{
    const uint32_t n = oct_surface_graph_vertex_count(g);
    memset(reached, 0, n);
    reached[from] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < n; v++) {
            const oct_surface_edge *edges;
            const uint32_t count = reached[v] ? oct_surface_graph_edges(g, v, &edges) : 0;
            for (uint32_t i = 0; i < count; i++) {
                if (!reached[edges[i].to] && (with_final || !edges[i].is_final)) {
                    reached[edges[i].to] = true;
                    changed = true;
                }
            }
        }
    }
}

// The centre of a face.
static uint32_t centre_of(const oct_surface_graph *g, uint32_t face)
{
    for (uint32_t v = 0; v < oct_surface_graph_vertex_count(g); v++) {
        const oct_surface_vertex at = oct_surface_graph_vertex(g, v);
        if ((at.kinds & OCT_SURFACE_CENTRE) && at.face == face) {
            return v;
        }
    }
    fail();
    return 0;
}

// Links are edges of their kind and price, one way; where the space leads, the graph does.
static void graphs_lead_where_spaces_do(void **state)
{
    (void)state;
    uint32_t finals = 0, others = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s;
        make_scene(seed + 200000, seed % 2 == 0, &s);
        oct_surface_graph *g;
        assert_int_equal(oct_surface_graph_create_walking(s.space, 150.0, NULL, &g), OCT_OK);
        const oct_walking_link *links;
        const uint32_t count = oct_walking_links(s.space, &links);
        for (uint32_t i = 0; i < count && i < 20; i++) {
            const oct_surface_edge *const edge = edge_of(g, &links[i]);
            assert_non_null(edge);
            const double price = links[i].kind == OCT_WALKING_JUMP   ? s.rules.jump_price
                                 : links[i].kind == OCT_WALKING_DROP ? s.rules.drop_price
                                                                     : 0.0;
            assert_true(fabs(edge->price - price) < 1e-9);
            assert_true(edge->length >= links[i].length - 1e-9);
            assert_int_equal(edge->is_final, !is_allowed(&s.rules, links[i].length - 1e-9,
                                                         links[i].from.z - links[i].to.z));
            finals += edge->is_final;
            others += !edge->is_final;
        }
        bool *const reached = malloc(oct_surface_graph_vertex_count(g) + 1u);
        const uint32_t faces = oct_surface_info_of(oct_walking_surface(s.space)).faces;
        for (uint32_t i = 0; i < faces; i++) {
            flood(g, centre_of(g, i), true, reached);
            for (uint32_t k = 0; k < faces; k++) {
                assert_int_equal(reached[centre_of(g, k)], oct_walking_leads(s.planner, i, k));
            }
        }
        free(reached);
        oct_surface_graph_destroy(g);
        free_scene(&s);
    }
    assert_true(finals > test_rounds(1000) / 10 && others > test_rounds(1000) / 10);
}

// Exploring jumps and drops; what cannot be gone back is left until nothing else is.
static void exploring_uses_links_and_drops_last(void **state)
{
    (void)state;
    uint32_t dropped = 0, linked = 0;
    for (uint64_t seed = 1; seed <= test_rounds(1000); seed++) {
        scene s;
        make_scene(seed + 300000, seed % 2 == 0, &s);
        oct_surface_graph *g;
        assert_int_equal(oct_surface_graph_create_walking(s.space, 150.0, NULL, &g), OCT_OK);
        oct_surface_explorer_def def = oct_surface_explorer_def_default();
        def.graph = g;
        def.strategy = (oct_surface_strategy)(seed % 4);
        oct_surface_explorer *e;
        assert_int_equal(oct_surface_explorer_create(&def, &e), OCT_OK);
        const uint32_t n = oct_surface_graph_vertex_count(g);
        bool *const reached = malloc(n + 1u);
        uint32_t at = (uint32_t)oct_random_below(&s.random, n), calls = 0;
        for (;; calls++) {
            assert_true(calls <= n);
            oct_surface_route r;
            assert_int_equal(oct_surface_explorer_look(e, at, seed % 3 == 0 ? 0.0 : 1.0), OCT_OK);
            flood(g, at, false, reached);
            assert_int_equal(oct_surface_explorer_next(e, at, &r), OCT_OK);
            if (!r.is_found) {
                break;
            }
            bool is_left = false;
            for (uint32_t v = 0; v < n; v++) {
                is_left = is_left || (reached[v] && !oct_surface_explorer_has_seen(e, v));
            }
            assert_true(!is_left || reached[r.vertices[r.count - 1]]);
            dropped += !is_left;
            at = r.vertices[r.count - 1];
            assert_int_equal(oct_surface_explorer_walked(e, r.vertices, r.count), OCT_OK);
        }
        flood(g, at, true, reached);
        for (uint32_t v = 0; v < n; v++) {
            assert_true(!reached[v] || oct_surface_explorer_has_seen(e, v));
        }
        const oct_surface_covered covered = oct_surface_explorer_covered(e);
        assert_true(covered.links <= covered.links_all);
        linked += covered.links;
        free(reached);
        oct_surface_explorer_destroy(e);
        oct_surface_graph_destroy(g);
        free_scene(&s);
    }
    assert_true(dropped > test_rounds(1000) / 10 && linked > test_rounds(1000));
}

// ---- memory ----

static oct_result use_space(const oct_allocator *allocator, void *ctx)
{
    oct_walking_rules rules = oct_walking_rules_default();
    rules.leap = 2.0;
    rules.step = 0.5;
    rules.allocator = allocator;
    oct_walking_space *space;
    oct_walking_planner *planner = NULL;
    OCT_TRY(oct_walking_space_create(ctx, &rules, &space));
    oct_result result = oct_walking_planner_create(space, allocator, &planner);
    if (result == OCT_OK) {
        oct_surface_query query = oct_surface_query_default();
        query.from = (oct_point){1, 1, 0};
        query.to = (oct_point){5, 1, 0.3};
        oct_walking_path path;
        result = oct_walking_plan(planner, &query, &path);
    }
    if (result == OCT_OK) {
        oct_surface_graph *graph;
        result = oct_surface_graph_create_walking(space, 150.0, allocator, &graph);
        oct_surface_graph_destroy(graph);
    }
    oct_walking_planner_destroy(planner);
    oct_walking_space_destroy(space);
    return result;
}

static void memory_that_is_short_is_a_result(void **state)
{
    (void)state;
    const platform all[] = {level(0, 0, 2, 2, 0), level(3, 0, 4, 2, 0), level(4, 0, 6, 2, 0.3)};
    oct_surface *const surface = make_platforms(all, 3);
    assert_true(test_each_failure(use_space, surface) > 20);
    oct_surface_destroy(surface);
}

static void a_query_that_has_run_before_allocates_nothing(void **state)
{
    (void)state;
    const platform all[] = {level(0, 0, 2, 2, 0), level(3, 0, 4, 2, 0), level(4, 0, 6, 2, 0.3)};
    oct_surface *const surface = make_platforms(all, 3);
    oct_walking_rules rules = oct_walking_rules_default();
    rules.leap = 2.0;
    rules.step = 0.5;
    oct_walking_space *space;
    assert_int_equal(oct_walking_space_create(surface, &rules, &space), OCT_OK);
    test_allocator memory;
    test_allocator_init(&memory, SIZE_MAX);
    oct_walking_planner *planner;
    assert_int_equal(oct_walking_planner_create(space, &memory.allocator, &planner), OCT_OK);
    oct_surface_query query = oct_surface_query_default();
    query.from = (oct_point){1, 1, 0};
    query.to = (oct_point){5, 1, 0.3};
    oct_walking_path path;
    assert_int_equal(oct_walking_plan(planner, &query, &path), OCT_OK);
    assert_int_equal(path.jumps, 1);
    assert_int_equal(path.steps, 1);
    const size_t before = memory.allocations;
    assert_int_equal(oct_walking_plan(planner, &query, &path), OCT_OK);
    assert_int_equal(memory.allocations, before);
    oct_walking_planner_destroy(planner);
    test_allocator_check_empty(&memory);
    oct_walking_space_destroy(space);
    oct_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stairs_are_walked_up_and_down),
        cmocka_unit_test(faces_that_are_too_steep_are_left_out),
        cmocka_unit_test(gaps_are_jumped_over_as_far_as_the_rules_say),
        cmocka_unit_test(cracks_are_stepped_over),
        cmocka_unit_test(drops_lead_one_way),
        cmocka_unit_test(nobody_falls_through_a_floor),
        cmocka_unit_test(what_is_in_the_way_is_asked_for),
        cmocka_unit_test(the_shorter_way_may_be_a_jump),
        cmocka_unit_test(bad_rules_are_refused),
        cmocka_unit_test(reach_is_that_of_arithmetic),
        cmocka_unit_test(paths_cost_the_least),
        cmocka_unit_test(graphs_lead_where_spaces_do),
        cmocka_unit_test(exploring_uses_links_and_drops_last),
        cmocka_unit_test(memory_that_is_short_is_a_result),
        cmocka_unit_test(a_query_that_has_run_before_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
