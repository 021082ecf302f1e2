// SPDX-License-Identifier: MIT
// Paths on surfaces: shortest, by a visibility graph over border corners, and valid, by a judge
// that floods faces, on random meshes of every kind.
#include "support.h"

#include "generate/generate_floor.h"
#include "octant/surface_path.h"
#include "verify/surface_judge.h"

#include <math.h>
#include <stdio.h>

static floor_def random_floor(uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    const uint64_t kind = oct_random_below(&random, FLOOR_KINDS);
    floor_def def = {.kind = (floor_kind)kind, .seed = seed};
    def.edge = def.kind == FLOOR_SPIRAL ? 1 + (uint32_t)oct_random_below(&random, 3)
                                        : 2 + (uint32_t)oct_random_below(&random, 6);
    def.holes = 0.5 * oct_random_unit(&random) * oct_random_unit(&random);
    def.heights = def.kind == FLOOR_SPIRAL ? 3.0 : 2.0 * oct_random_unit(&random);
    def.unshared = oct_random_below(&random, 2) == 0;
    return def;
}

static oct_surface *make_floor(const floor_def *def)
{
    const oct_allocator memory = oct_allocator_default();
    floor_mesh mesh;
    assert_int_equal(oct_floor_generate(def, &memory, &mesh), OCT_OK);
    const oct_surface_def surface_def = oct_floor_def(&mesh);
    oct_surface *surface;
    oct_error error;
    assert_int_equal(oct_surface_create(&surface_def, &surface, &error), OCT_OK);
    oct_floor_free(&mesh, &memory);
    return surface;
}

// A random place of a face: inside, on an edge, or a corner.
static oct_point random_place(oct_random *random, const oct_surface *s, uint32_t *face)
{
    *face = (uint32_t)oct_random_below(random, s->info.faces);
    const surface_face *const f = &s->faces[*face];
    const uint64_t how = oct_random_below(random, 8);
    const half_edge *const a = &s->edges[f->first + oct_random_below(random, f->count)];
    const half_edge *const b = &s->edges[a->next];
    const half_edge *const c = &s->edges[b->next];
    double u = oct_random_unit(random), v = oct_random_unit(random);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    u = how == 0 ? 0.0 : how == 1 ? 0.5 : u;
    v = how <= 1 ? 0.0 : v;
    const ground_point p = {a->x + u * (b->x - a->x) + v * (c->x - a->x),
                            a->y + u * (b->y - a->y) + v * (c->y - a->y), 0.0};
    return surface_out(s, (ground_point){p.x, p.y, oct_surface_height_at(s, *face, p.x, p.y)});
}

static void check_query(oct_surface_planner *planner, surface_oracle *oracle, oct_random *random,
                        uint64_t seed)
{
    const oct_surface *const s = oracle->judge.surface;
    oct_surface_query query = oct_surface_query_default();
    query.from = random_place(random, s, &query.from_face);
    query.to = random_place(random, s, &query.to_face);
    oct_surface_path path;
    assert_int_equal(oct_surface_plan(planner, &query, &path), OCT_OK);
    const double truth =
        oct_surface_oracle_length(oracle, query.from, query.from_face, query.to, query.to_face);
    const bool found = path.status == OCT_SURFACE_FOUND;
    if (found != isfinite(truth) || (found && !(fabs(path.length - truth) <= 1e-9))) {
        print_error("seed %llu: status %d, length %.12f, shortest %.12f\n",
                    (unsigned long long)seed, (int)path.status, path.length, truth);
        fail();
    }
    if (!found) {
        assert_int_equal(path.status, OCT_SURFACE_UNREACHABLE);
        return;
    }
    assert_true(oct_surface_judge_path(&oracle->judge, path.points, path.point_count,
                                       path.from.face, path.to.face));
    double length = 0.0;
    for (uint32_t i = 0; i + 1 < path.point_count; i++) {
        const oct_point a = path.points[i], b = path.points[i + 1];
        length += sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    }
    assert_true(fabs(length - path.length) <= 1e-9);
}

static void paths_are_shortest_on_random_floors(void **state)
{
    (void)state;
    const uint64_t rounds = test_rounds(4000);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        const floor_def def = random_floor(seed);
        oct_surface *const surface = make_floor(&def);
        if (surface->info.faces > 0) {
            oct_surface_planner *planner;
            surface_oracle oracle;
            assert_int_equal(oct_surface_planner_create(surface, NULL, &planner), OCT_OK);
            assert_int_equal(oct_surface_oracle_open(&oracle, surface), OCT_OK);
            oct_random random = oct_random_seed(seed);
            for (int i = 0; i < 12; i++) {
                check_query(planner, &oracle, &random, seed);
            }
            oct_surface_oracle_close(&oracle);
            oct_surface_planner_destroy(planner);
        }
        oct_surface_destroy(surface);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_shortest_on_random_floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
